"""This project's own definitions on fixed answers and floors, as text: what a version of them computes, to be frozen."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from judge.answer_diagnostics import DiagnosticTally
from judge.hashing import sha256_text
from judge.metrics.counts import OutcomeCounts
from judge.references import References
from judge.schema.campaigns import FloorAttempt
from judge.schema.diagnostics import Dimension
from judge.schema.items import Item
from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, AbstentionVerdict, Outcome, Unjudged, Verdict
from judge.schema.results import ConflictResult, StatementResult
from judge.schema.summaries import MetricSummary
from judge.signals import Roles, item_signals
from judge.standard.diagnostics import DIMENSIONS, diagnose
from judge.standard.recommendations import RULES, DiagnosedFloor
from judge.standard.sub_metrics import SUB_METRICS

_LABELS = (Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_ADDRESSED)
_FAILED = Unjudged(reason=UnjudgedReason.REFUSED, detail="")
_OUTCOMES: list[Outcome] = [*(Verdict(label=label, quote=None, quote_verified=None, rationale="") for label in _LABELS), _FAILED]
_BESIDE = MetricSummary(value=0.5, n=1, nulls=0, layer="llm")


def own_values(symbol: str) -> Iterator[str]:
    """Yield what a diagnostic, a dimension or a rule is on its grid; nothing for any other symbol."""
    if symbol == "over_abstention_rate":
        yield from _over_abstention()
    elif symbol in ("conflict_acknowledged_rate", "decoy_acknowledged_rate", "partial_credit"):
        yield from (_shown(tally.summary(_Beside())[symbol].value) for tally in _tallies(symbol))
    elif symbol in DIMENSIONS:
        yield from (f"{found[symbol].n} {_shown(found[symbol].score)}" for _, found, _ in _floors())
    elif (dimension := next((name for name, rules in SUB_METRICS.items() if symbol in rules), None)) is not None:
        yield str(SUB_METRICS[dimension][symbol])
        metrics = (found[dimension].sub_metrics[symbol] for _, found, _ in _floors())
        yield from (f"{_shown(metric.value)} {metric.reason}" for metric in metrics)
    for rule in RULES:
        if rule.name == symbol:
            yield " | ".join((rule.pattern, rule.threshold, rule.recommendation, rule.config, str(rule.key)))
            yield from (str(rule.fires(DiagnosedFloor(attempt, found, arm))) for attempt, found, arm in _floors())


class _Beside(dict[str, MetricSummary]):
    """Metrics with coverage, whichever is looked up."""

    def __missing__(self, _name: str) -> MetricSummary:
        return _BESIDE


def _over_abstention() -> Iterator[str]:
    """Yield the signal of an item for each thing that can be known of it."""
    said: list[AbstentionOutcome] = [*(AbstentionVerdict(value=value) for value in AbstentionValue), _FAILED]
    for answerable, declared, outcome in product((True, False, None), (True, False, None), said):
        item = Item(id="q", answer="a", answerable=answerable, declared_abstained=declared)
        signals, _ = item_signals(item, References(None, (), (), ()), Roles((), (), ()), outcome, _FAILED)
        yield _shown(signals["over_abstention_rate"])


def _tallies(symbol: str) -> Iterator[DiagnosticTally]:
    """Yield a tally of every few outcomes, and one of all of them together."""
    whole = DiagnosticTally()
    for outcomes in product(_OUTCOMES, repeat=3):
        tally = DiagnosticTally()
        _add(tally, symbol, outcomes)
        whole.absorb(tally)
        yield tally
    yield whole


def _add(tally: DiagnosticTally, symbol: str, outcomes: tuple[Outcome, ...]) -> None:
    if symbol == "partial_credit":
        labels = [outcome.label for outcome in outcomes if isinstance(outcome, Verdict)]
        if len(labels) == len(outcomes):
            supported, contradicted, not_addressed = (labels.count(label) for label in _LABELS)
            tally.add_credit(OutcomeCounts(supported, contradicted, not_addressed, failed=0, not_asked=0))
    elif symbol == "decoy_acknowledged_rate":
        tally.add_decoys(outcomes)
    else:
        current, *superseded = (StatementResult(text=str(place), outcome=outcome) for place, outcome in enumerate(outcomes))
        tally.add_conflicts([ConflictResult(id="c", resolved=None, current=current, superseded=tuple(superseded))])


# --- floors ---

_TURNS = 12
_ATTEMPTS = 64

_EVENTS: list[dict[str, Any]] = [
    {"turn": 1, "type": "search", "query": "red door"},
    {"turn": 1, "type": "document_opened", "id": "n1", "kind": "noise"},
    {"turn": 2, "type": "search", "query": "red key"},
    {"turn": 2, "type": "document_opened", "id": "s1", "kind": "signal"},
    {"turn": 2, "type": "false_lead_met", "id": "a"},
    {"turn": 3, "type": "hypothesis"},
    {"turn": 3, "type": "objective_attempted", "objective": "o1", "optimal_order": 1},
    {"turn": 3, "type": "tool_call", "ok": True},
    {"turn": 4, "type": "fact_stored", "id": "f1"},
    {"turn": 4, "type": "fact_stored", "id": "f2"},
    {"turn": 4, "type": "objective_attempted", "objective": "o2", "optimal_order": 3},
    {"turn": 5, "type": "code_challenge", "passed": False, "id": "c1"},
    {"turn": 5, "type": "conclusion", "correct": True, "documents": ["s1", "n1"]},
    {"turn": 6, "type": "search", "query": "Red  Door"},
    {"turn": 6, "type": "objective_attempted", "objective": "o3", "optimal_order": 2},
    {"turn": 6, "type": "wipe"},
    {"turn": 7, "type": "false_lead_followed", "id": "b"},
    {"turn": 7, "type": "tool_call", "ok": False},
    {"turn": 8, "type": "wipe_mentioned"},
    {"turn": 8, "type": "fact_needed", "id": "f1"},
    {"turn": 8, "type": "fact_recalled", "id": "f1"},
    {"turn": 9, "type": "fact_needed", "id": "g1", "from_floor": 1},
    {"turn": 9, "type": "fact_recalled", "id": "g2", "from_floor": 1},
    {"turn": 9, "type": "document_opened", "id": "s2", "kind": "signal"},
    {"turn": 10, "type": "conclusion", "correct": False, "documents": ["s2", "s2"]},
    {"turn": 10, "type": "code_challenge", "passed": True, "id": "c1"},
    {"turn": 10, "type": "code_challenge", "passed": False},
    {"turn": 11, "type": "elevator_key"},
    {"turn": 11, "type": "finding"},
    {"turn": 11, "type": "fact_needed", "id": "f3"},
    {"turn": 12, "type": "search", "query": "lift"},
    {"turn": 12, "type": "fact_recalled", "id": "f2"},
]
"""One event of each kind at least, and what repeats, refines, precedes or contradicts another."""

_RAW: list[tuple[dict[str, Any], str | None]] = [
    *(({"retrieval": {"signalDocsFound": found, "noiseDocsAccessed": 100 - found}}, None) for found in (0, 39, 40, 41)),
    *(
        ({"retrieval": {"searchCount": searches, "uniqueQueries": 12, "queryRefinementRate": rate}}, None)
        for searches in (15, 16)
        for rate in (0.0, 0.25, 0.26)
    ),
    *(({"retrieval": {"timeToFirstSignalTurn": turn}}, None) for turn in (1, 50, 51)),
    *(({"retrieval": {"signalDocsFound": found, "signalDocsTotal": 100}}, None) for found in (49, 50, 51)),
    *(({"memory": {"wipeOccurred": True, "wipeTurn": 4, "recoveryRate": rate}}, arm) for rate in (0.29, 0.3) for arm in ("T1", "T2", None)),
    (
        {
            "reasoning": {
                "hypothesesFormed": 3,
                "falseLeadsMet": 4,
                "falseLeadsFollowed": 1,
                "deductionAccuracy": 0.75,
                "synthesisEvents": 2,
            }
        },
        None,
    ),
    ({"problemSolving": {"orderingScore": 0.5, "codeAttempted": True, "codePassed": False, "elevatorKeyDerivationTurns": 7}}, None),
    ({"efficiency": {"idleTurns": 3, "totalTurns": 100}}, None),
    ({"memory": {"preWipeMemoryStores": 2, "crossFloorRecalls": 2, "preWipePreparationScore": 0.5}}, None),
]
"""Raw values at, below and above each threshold, with the arm of the attempt."""


@cache
def _floors() -> tuple[tuple[FloorAttempt, dict[str, Dimension], str | None], ...]:
    """Return attempts with their dimensions: of other events each, and of raw values."""
    attempts = [*(_attempt(number) for number in range(_ATTEMPTS)), *(_raw(values) for values, _ in _RAW)]
    arms = [*(("T1", "T2", None)[number % 3] for number in range(_ATTEMPTS)), *(arm for _, arm in _RAW)]
    return tuple((attempt, diagnose(attempt), arm) for attempt, arm in zip(attempts, arms, strict=True))


def _attempt(number: int) -> FloorAttempt:
    """Return an attempt with some of the events: all of them first, then none, then two thirds, ever other ones."""
    kept = [event for place, event in enumerate(_EVENTS) if number == 0 or (number > 1 and sha256_text(f"{number} {place}")[0] < "b")]
    return FloorAttempt.model_validate(
        {
            **_FLOOR,
            "turns": _TURNS,
            "tokens": 1000 * number,
            "objectives_solved": number % 4,
            "signal_documents": 2 + number % 3,
            "temporal": number % 2 == 0,
            "context_tokens": 1999 + number % 3,
            "context_budget_tokens": 1000,
            "events": kept,
        }
    )


def _raw(values: dict[str, Any]) -> FloorAttempt:
    return FloorAttempt.model_validate(
        {**_FLOOR, "turns": 100, "tokens": 5000, "objectives_solved": 2, "temporal": True, "diagnostics": values}
    )


_FLOOR = {"floor": 2, "completion": 1, "duration_ms": 60_000, "cleared": True, "objectives": 3}


def _shown(value: float | None) -> str:
    return "null" if value is None else f"{value:.12g}"
