"""How a run ended: its exit code and its state."""

from collections.abc import Iterable

from judge.schema.manifests import GateResult
from pipelines.running import Stop

COMPLETE, GATE_MISSED, USAGE, INCOMPLETE, QUOTA, NOTHING_JUDGED, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 4, 5, 70, 130
_WEIGHT = (INTERNAL, INTERRUPTED, USAGE, QUOTA, NOTHING_JUDGED, INCOMPLETE, GATE_MISSED)
"""Which code wins where several hold."""


UNFINISHED = frozenset({"running", "stopped", "interrupted"})
"""States in which a run has more to do than what was left unjudged."""


def exit_code(gates: Iterable[GateResult], stop: Stop, *, is_complete: bool, is_silent: bool) -> int:
    """Return the exit code of a run or an audit; `is_silent` says that something was asked and nothing came back."""
    holding = {
        stop.exit_code: True,
        # A run that stops as incomplete has judged, but could not keep it.
        NOTHING_JUDGED: is_silent and stop.exit_code != INCOMPLETE,
        INCOMPLETE: not is_complete,
        GATE_MISSED: not all(gate.met for gate in gates),
    }
    return next((code for code in _WEIGHT if holding.get(code)), COMPLETE)


def state_of(code: int, stop: Stop) -> str:
    """Return the state that the manifest names."""
    if stop.reason is not None:
        return "interrupted" if code == INTERRUPTED else "stopped"
    return "incomplete" if code in (NOTHING_JUDGED, INCOMPLETE) else "complete"
