"""The derived values of the standard: a formula each, in which inputs it falls, and what a missing input means."""

from collections.abc import Mapping, Sequence
from functools import cache
from math import inf

from judge.schema.summaries import DerivedSummary
from judge.standard.derivation import LARGEST, Derivation, Known
from judge.standard.fundamentals import FUNDAMENTALS, layer_of
from judge.standard.given import ANY_RATIO, Range
from judge.standard.measured import Measured, check_measured, exactly, measured_derived, measured_of, unmeasured
from judge.standard.nulls import NullPolicy, mean, mean_of_known, null_policy_of
from judge.standard.stated import check_turns, check_values

_LEAST = 0.01
"""Stands for a smaller denominator where the standard says so."""


def _average(*parts: float) -> float:
    return mean(parts)


def _context(precision: float, corrections: float, turns: float) -> float:
    """Return P_context x clamp(1 - N_corrections / N_turns, 0, 1), the factor being 1 without corrections."""
    return precision * min(max(1.0 - _quotient(corrections, turns), 0.0), 1.0)


def _context_of_known(known: Known, _policy: NullPolicy) -> float | None:
    """Return the value where it does not depend on what is missing: without corrections the number of turns changes nothing."""
    precision, corrections, _ = known
    return precision if corrections == 0 else None


def _safety(gate: float, detect: float, stale: float) -> float:
    return gate * mean((detect, stale))


def _safety_of_known(known: Known, policy: NullPolicy) -> float | None:
    """Return 0 for a closed gate whatever else is missing; an open one alone counts as safe under `available` only."""
    gate, *checks = known
    if gate is None or gate == 0:
        return gate
    if policy == "strict":
        return None
    average = mean_of_known(checks, policy)
    return gate if average is None else gate * average


def _abstention(abstention: float, coverage: float) -> float:
    return 2.0 * abstention * coverage / max(abstention + coverage, _LEAST)


def _proposition(recall: float, contradiction: float) -> float:
    return recall * (1.0 - contradiction)


def _proposition_of_known(known: Known, policy: NullPolicy) -> float | None:
    """Return recall alone where only the contradiction rate is missing and the policy takes it as 0."""
    recall, _ = known
    return recall if policy == "available" else None


def _cost(tokens: float, quality: float) -> float:
    return tokens / max(quality, _LEAST)


def _per_call(recall: float, tools: float) -> float:
    return recall / max(tools, 1.0)


def _efficiency(tokens: float) -> float:
    return 1.0 / (1.0 + 2.0 * tokens)


def _quotient(part: float, whole: float) -> float:
    """Return part / whole for numbers from 0 to infinity; nothing is a share of 0 of anything, and something of nothing is infinite."""
    if part == 0:
        return 0.0
    return part / whole if whole else inf


def _check_context(_precision: float | None, corrections: float | None, turns: float | None) -> None:
    check_turns(corrections, turns)


DERIVATIONS = {
    "Q_info": Derivation(("R_decision", "R_constraint", "R_incident"), _average, of_known=mean_of_known),
    "Q_context": Derivation(
        ("P_context", "N_corrections", "N_turns"),
        _context,
        falling=frozenset({"N_corrections"}),
        of_known=_context_of_known,
        check=_check_context,
    ),
    "Q_continuity": Derivation(("K_decision", "K_causal", "K_checkpoint"), _average, of_known=mean_of_known),
    "Q_safety": Derivation(
        ("S_gate", "S_detect", "S_stale"), _safety, of_known=_safety_of_known, special=(("S_gate", "safety_not_measured"),)
    ),
    "Q_abstention": Derivation(("A_abstention", "A_coverage"), _abstention),
    "Q_proposition": Derivation(
        ("R_proposition", "C_contradiction"), _proposition, falling=frozenset({"C_contradiction"}), of_known=_proposition_of_known
    ),
    "Q_reasoning": Derivation(("R_judge", "R_conflict_resolution", "R_noise_resistance"), _average, of_known=mean_of_known),
    "V_time": Derivation(("T_human", "T_task"), _quotient, falling=frozenset({"T_task"})),
    "V_cost": Derivation(("C_tokens", "Q_info"), _cost, falling=frozenset({"Q_info"})),
    # The session starts before the first message, so orientation can take longer than the task; the standard has no ratio for it.
    "V_orient": Derivation(("T_orient", "T_task"), _quotient, falling=frozenset({"T_task"}), ceiling=1.0, beyond="orient_exceeds_task"),
    "V_retrieval": Derivation(("R_retrieval", "N_tools"), _per_call, falling=frozenset({"N_tools"})),
    "C_efficiency": Derivation(("C_tokens",), _efficiency, falling=frozenset({"C_tokens"})),
}
"""By symbol, in an order in which each finds what it needs: V_cost reads Q_info."""

ALWAYS_DERIVED = ("Q_proposition", "Q_abstention", "Q_reasoning")
"""What a judge alone can fill; the others need a run record."""


def derive(inputs: Mapping[str, Measured], policy: NullPolicy, given: Mapping[str, float | None] = {}) -> dict[str, DerivedSummary]:
    """Return every derived value of a run from its fundamentals by symbol.

    A `given` value counts only where none can be computed and what is known of the inputs allows it. Raises ConfigError for an
    unknown policy or symbol, for a value outside its range, and for corrections without turns.
    """
    null_policy_of(policy)
    check_measured(inputs)
    check_values(given, DERIVATIONS, "derived value")
    known = dict(inputs)
    found: dict[str, DerivedSummary] = {}
    for symbol, derivation in DERIVATIONS.items():
        parts = [measured_of(name, known) for name in derivation.inputs]
        found[symbol] = _derived(symbol, parts, policy, given.get(symbol))
        known[symbol] = measured_derived(found[symbol])
    return found


def possible_values(inputs: Mapping[str, Measured], derived: Mapping[str, DerivedSummary]) -> dict[str, Range | None]:
    """Return all that each derived value can be by what is known of its inputs; None where it cannot be anything."""
    known = {**inputs, **{symbol: measured_derived(found) for symbol, found in derived.items()}}
    return {
        symbol: derivation.possible([measured_of(name, known) for name in derivation.inputs]) for symbol, derivation in DERIVATIONS.items()
    }


def _derived(symbol: str, parts: Sequence[Measured], policy: NullPolicy, given: float | None) -> DerivedSummary:
    derivation = DERIVATIONS[symbol]
    known = [part.value for part in parts]
    derivation.check(*known)
    value, possible = derivation.value(known, policy), derivation.possible(parts)
    summary = DerivedSummary(
        value=value,
        inputs=dict(zip(derivation.inputs, known, strict=True)),
        bounds=None if possible is None or possible.high > LARGEST else possible,
        layer=layer_of(symbol),
    )
    if value is not None and value > derivation.ceiling:
        return summary.model_copy(update={"value": None, "reason": derivation.beyond})
    if value is not None:
        return summary
    if given is None or possible is None or not possible.allows(given):
        return summary.model_copy(update={"reason": derivation.why_none(known)})
    is_open = possible == _anything(symbol)
    return summary.model_copy(update={"value": given, "basis": "given", "bounds": exactly(given)[1:] if is_open else summary.bounds})


@cache
def _anything(symbol: str) -> Range | None:
    """Return all that a derived value can be while nothing is known of its inputs; one that is derived itself is a ratio."""
    derivation = DERIVATIONS[symbol]
    return derivation.possible([unmeasured(name) if name in FUNDAMENTALS else Measured(None, *ANY_RATIO) for name in derivation.inputs])
