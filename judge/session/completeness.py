"""Whether the result of a measurement holds all that was measured: a file that was cut or edited may not."""

from collections.abc import Collection, Iterator, Mapping

from judge.schema.crux import CruxSummary, MinutesSpread, SessionSummary
from judge.schema.summaries import CompositeSummary
from judge.standard.composites import COMPOSITES
from judge.standard.derived import DERIVATIONS
from judge.standard.fundamentals import FUNDAMENTALS


def lacking(summary: CruxSummary) -> Iterator[str]:
    """Yield what a result lacks or holds in the wrong form, each with where; nothing of a whole one."""
    yield from _symbols("", summary)
    for session in summary.sessions:
        yield from _symbols(f"session `{session.session}`: ", session)
        yield from _parts(session)
    form = CompositeSummary if len(summary.sessions) == 1 else MinutesSpread
    if wrong := [name for name, composite in summary.composite.items() if not isinstance(composite, form)]:
        kind = "of a single session" if form is CompositeSummary else "of several sessions"
        yield f"`composite` does not hold values {kind} for {', '.join(wrong)}, of which there are {len(summary.sessions)}"


def _symbols(where: str, numbers: CruxSummary | SessionSummary) -> Iterator[str]:
    """Yield the symbols of the standard that are not there."""
    wanted: Mapping[str, tuple[Collection[str], Collection[str]]] = {
        "metrics": (FUNDAMENTALS, numbers.metrics),
        "derived": (DERIVATIONS, numbers.derived),
        "composite": (COMPOSITES, numbers.composite),
    }
    for field, (symbols, there) in wanted.items():
        if missing := [symbol for symbol in symbols if symbol not in there]:
            yield f"{where}`{field}` lacks {', '.join(missing)}, expected every symbol, with null for what is not known"


def _parts(session: SessionSummary) -> Iterator[str]:
    """Yield the derived values and composites that do not say what they are made of."""
    for symbol, derived in session.derived.items():
        if symbol in DERIVATIONS and tuple(derived.inputs) != DERIVATIONS[symbol].inputs:
            found, expected = ", ".join(derived.inputs) or "none", ", ".join(DERIVATIONS[symbol].inputs)
            yield f"session `{session.session}`: the inputs of {symbol} are {found}, expected {expected}"
    for name, composite in session.composite.items():
        if composite.components.keys() != composite.weights.keys():
            yield f"session `{session.session}`: the components of {name} are not those that have a weight"
