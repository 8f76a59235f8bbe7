"""From the outcomes of one item to its signals, and between what those lie that are open."""

from collections.abc import Sequence
from typing import NamedTuple

from judge.metrics.abstention import abstained
from judge.metrics.alternatives import bounds_over
from judge.metrics.bounds import Bounds
from judge.metrics.counts import AnyOutcome, is_asked
from judge.metrics.gaps import coverage_awareness, coverage_awareness_bounds
from judge.metrics.propositions import contradiction_rate, proposition_recall
from judge.metrics.reasoning import (
    conflict_resolution,
    conflict_resolution_bounds,
    engaged,
    noise_resistance,
    noise_resistance_bounds,
)
from judge.metrics.tested import SIGNAL_OF, all_supported
from judge.references import References
from judge.schema.items import Item
from judge.schema.labels import AbstentionValue
from judge.schema.outcomes import AbstentionOutcome, Mark, MarkOutcome, Outcome, Unjudged
from judge.schema.results import ConflictResult, StatementResult
from judge.standard.formulas import mark_share

_Found = dict[str, tuple[float | None, Bounds | None]]


class Roles(NamedTuple):
    """The statements of an item that are no propositions."""

    conflicts: Sequence[ConflictResult]
    decoys: Sequence[StatementResult]
    gaps: Sequence[StatementResult]

    @property
    def sides(self) -> tuple[Outcome, ...]:
        """The outcomes of all sides of all conflicts."""
        return tuple(side.outcome for conflict in self.conflicts for side in (conflict.current, *conflict.superseded))


def item_signals(
    item: Item, references: References, roles: Roles, abstention: AbstentionOutcome, mark: MarkOutcome
) -> tuple[dict[str, float | None], dict[str, Bounds]]:
    """Return the signals of an item, and the bounds of those that apply to it; an unanswerable item has no proposition rates.

    A signal has no value while an outcome it rests on has failed, even where its bounds leave only one.
    """
    said = abstained(item.declared_abstained, abstention)
    has_abstained = None if said is None else float(said is AbstentionValue.ABSTAINED)
    resolved = [conflict.resolved for conflict in roles.conflicts]
    admitted = [gap.outcome for gap in roles.gaps]
    rates, tests = _of_propositions(item, references)
    found: _Found = {
        **rates,
        "A_abstention": (has_abstained if item.is_unanswerable else None, None),
        "over_abstention_rate": (has_abstained if item.is_answerable else None, None),
        "R_judge": (mark_share([mark.value]) if isinstance(mark, Mark) else None, None),
        "R_conflict_resolution": (conflict_resolution(resolved, roles.sides), conflict_resolution_bounds(resolved)),
        "R_noise_resistance": _of_noise(item, references, roles, abstention),
        "A_coverage": (coverage_awareness(admitted), coverage_awareness_bounds(admitted)),
        **tests,
    }
    signals = {name: value for name, (value, _) in found.items()}
    return signals, {name: bounds for name, (_, bounds) in found.items() if bounds is not None}


def _of_propositions(item: Item, references: References) -> tuple[_Found, _Found]:
    """Return the rates of the propositions that count, and the tests that rest on them; both open while another reference could count."""
    outcomes = () if item.is_unanswerable else references.outcomes
    bounds = bounds_over([outcomes, *(rival.outcomes for rival in references.rivals)] if outcomes else [])
    recall = contradiction = None
    if outcomes and not any(isinstance(outcome, Unjudged) for outcome in outcomes) and _is_one(bounds.recall):
        recall = proposition_recall(outcomes).value
        contradiction = contradiction_rate(outcomes).value if _is_one(bounds.contradiction) else None
    rates: _Found = {
        "R_proposition": (recall, bounds.recall),
        "C_contradiction": (contradiction, bounds.contradiction),
        "Q_proposition": (None if recall is None or contradiction is None else recall * (1 - contradiction), bounds.quality),
    }
    is_right = None if references.rivals else all_supported(outcomes)
    tests: _Found = {symbol: (is_right, bounds.all_supported) if test in item.tests else (None, None) for test, symbol in SIGNAL_OF.items()}
    return rates, tests


def _is_one(bounds: Bounds | None) -> bool:
    return bounds is not None and bounds.low == bounds.high


def _of_noise(item: Item, references: References, roles: Roles, abstention: AbstentionOutcome) -> tuple[float | None, Bounds | None]:
    """Return noise resistance where it applies: decoys were asked about, and something tells whether the answer engages."""
    decoys = [decoy.outcome for decoy in roles.decoys]
    said = abstained(item.declared_abstained, abstention)
    propositions = (*references.outcomes, *references.still_open)
    tells: Sequence[AnyOutcome] = propositions
    if item.is_unanswerable:
        tells = () if item.declared_abstained is not None else (abstention,)
    is_telling = any(map(is_asked, tells)) or (item.is_unanswerable and said is not None)
    if not is_telling or not any(map(is_asked, decoys)):
        return None, None
    is_engaged = engaged(not item.is_unanswerable, propositions, said)
    return noise_resistance(is_engaged, decoys, tells), noise_resistance_bounds(is_engaged, decoys)
