"""From the judgments about one item to its result: every question asked gets an outcome, and outcomes become signals."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.metrics.abstention import abstained
from judge.metrics.bounds import Bounds
from judge.metrics.gaps import coverage_awareness, coverage_awareness_bounds
from judge.metrics.propositions import contradiction_bounds, contradiction_rate, proposition_recall, quality_bounds, recall_bounds
from judge.metrics.reasoning import (
    conflict_resolution,
    conflict_resolution_bounds,
    conflict_resolved,
    engaged,
    noise_resistance,
    noise_resistance_bounds,
)
from judge.metrics.tested import SIGNAL_OF, all_supported, all_supported_bounds
from judge.planning import ItemPlan, statement_texts
from judge.schema.items import Item
from judge.schema.judgments import Appraisal, Judgment, Labels
from judge.schema.labels import NOT_A_FAILURE, AbstentionValue, Flag, ItemState, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, Mark, MarkOutcome, Outcome, Unjudged, Verdict
from judge.schema.propositions import Decomposition
from judge.schema.results import ConflictResult, ItemResult, PropositionResult, StatementResult
from judge.text.screen import injection_suspected
from judge.votes import majority_abstention, majority_outcome, median_mark

_NO_CONTENT = Verdict(label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale="the answer is empty")
_EMPTY_ANSWER = Unjudged(reason=UnjudgedReason.EMPTY_ANSWER, detail="the answer has no letter or digit")

TOP_MARK = 4
"""The highest mark."""


def assemble_result(item: Item, plan: ItemPlan, labels: Sequence[Sequence[Judgment]], appraisals: Sequence[Judgment]) -> ItemResult:
    """Return the result of an item from the judgments of its plan, in the plan's order."""
    by_text = _outcomes_by_text(item, plan, labels)
    reference, propositions = _best_reference(plan, by_text)
    abstention = _abstention(plan, labels)
    mark = plan.mark if plan.mark is not None else _mark(appraisals)
    conflicts = tuple(_conflict(conflict.id, conflict.current, conflict.superseded, by_text) for conflict in item.conflicts)
    decoys = tuple(StatementResult(text=text, outcome=by_text[text]) for text in item.decoys)
    gaps = tuple(StatementResult(text=text, outcome=by_text[text]) for text in item.gaps)
    outcomes = [part.outcome for part in propositions]
    statements = [side.outcome for part in conflicts for side in (part.current, *part.superseded)]
    statements += [part.outcome for part in (*decoys, *gaps)]
    signals, bounds = _signals(item, outcomes, _Roles(conflicts, decoys, gaps), abstention, mark)
    return ItemResult(
        item_id=item.id,
        question_id=item.question_id,
        trial=item.trial,
        agent=item.agent,
        cluster=item.cluster,
        answerable=False if item.is_unanswerable else (True if item.is_answerable else None),
        declared_abstained=item.declared_abstained,
        tests=item.tests,
        state=_state(propositions, [*outcomes, *statements, abstention, mark]),
        flags=_flags(item, plan, [*(judgment for chunk in labels for judgment in chunk), *appraisals], abstention),
        reference=reference if len(plan.references) > 1 else None,
        propositions=propositions,
        abstention=abstention,
        mark=mark,
        conflicts=conflicts,
        decoys=decoys,
        gaps=gaps,
        signals=signals,
        bounds=bounds,
    )


def _outcomes_by_text(item: Item, plan: ItemPlan, labels: Sequence[Sequence[Judgment]]) -> dict[str, Outcome]:
    if plan.is_empty:
        return dict.fromkeys(statement_texts(item, plan.references), _NO_CONTENT)
    found: dict[str, Outcome] = {}
    for requests, judgments in zip(plan.labels, labels, strict=True):
        for statement in requests[0].statements:
            found[statement.text] = majority_outcome([_outcome(judgment, statement.id) for judgment in judgments])
    return found


def _outcome(judgment: Judgment, identifier: str) -> Outcome:
    match judgment.content:
        case Labels(outcomes=outcomes) if identifier in outcomes:
            return outcomes[identifier]
        case Unjudged() as unjudged:
            return unjudged
        case _:
            return Unjudged(reason=UnjudgedReason.MISSING_VERDICT, detail="the judgment has no verdict for this statement")


def _abstention(plan: ItemPlan, labels: Sequence[Sequence[Judgment]]) -> AbstentionOutcome:
    if plan.is_empty:
        return _EMPTY_ANSWER
    votes: list[AbstentionOutcome] = []
    for judgment in labels[0]:
        content = judgment.content
        if isinstance(content, Labels) and content.abstention is not None:
            votes.append(content.abstention)
        elif isinstance(content, Unjudged):
            votes.append(content)
        else:
            votes.append(Unjudged(reason=UnjudgedReason.MISSING_VERDICT, detail="the judgment does not say whether the answer abstains"))
    return majority_abstention(votes)


def _mark(appraisals: Sequence[Judgment]) -> MarkOutcome:
    marks: list[MarkOutcome] = []
    for judgment in appraisals:
        match judgment.content:
            case Appraisal(mark=mark):
                marks.append(mark)
            case Unjudged() as unjudged:
                marks.append(unjudged)
            case _:
                marks.append(Unjudged(reason=UnjudgedReason.INVALID_OUTPUT, detail="the judgment holds no mark"))
    return median_mark(marks)


def _best_reference(plan: ItemPlan, by_text: Mapping[str, Outcome]) -> tuple[int | None, tuple[PropositionResult, ...]]:
    """Return the alternative with the best recall, the first of equals, and its propositions."""
    candidates = [(number, _propositions(reference, by_text)) for number, reference in enumerate(plan.references)]
    if not candidates:
        return None, ()
    # A reference that could not be split must not stand for one that was judged and found nothing.
    return max(candidates, key=lambda candidate: (_supported_share(candidate[1]), _is_split(plan.references[candidate[0]]), -candidate[0]))


def _propositions(reference: Decomposition | Unjudged, by_text: Mapping[str, Outcome]) -> tuple[PropositionResult, ...]:
    if isinstance(reference, Unjudged):
        # A ground truth that could not be split counts as one unjudged statement, so that it stays in sight.
        return (PropositionResult(id="p1", text="(the ground truth could not be split)", source_quote=None, outcome=reference),)
    return tuple(
        PropositionResult(id=part.id, text=part.text, source_quote=part.source_quote, outcome=by_text[part.text])
        for part in reference.propositions
    )


def _is_split(reference: Decomposition | Unjudged) -> bool:
    return isinstance(reference, Decomposition)


def _supported_share(propositions: Sequence[PropositionResult]) -> float:
    supported = sum(isinstance(part.outcome, Verdict) and part.outcome.label is Label.SUPPORTED for part in propositions)
    return supported / len(propositions) if propositions else -1.0


def _conflict(identifier: str, current: str, superseded: Sequence[str], by_text: Mapping[str, Outcome]) -> ConflictResult:
    sides = tuple(StatementResult(text=text, outcome=by_text[text]) for text in superseded)
    return ConflictResult(
        id=identifier,
        resolved=conflict_resolved(by_text[current], [side.outcome for side in sides]),
        current=StatementResult(text=current, outcome=by_text[current]),
        superseded=sides,
    )


class _Roles(NamedTuple):
    """The statements of an item that are no propositions."""

    conflicts: Sequence[ConflictResult]
    decoys: Sequence[StatementResult]
    gaps: Sequence[StatementResult]


def _signals(
    item: Item,
    outcomes: Sequence[Outcome],
    roles: _Roles,
    abstention: AbstentionOutcome,
    mark: MarkOutcome,
) -> tuple[dict[str, float | None], dict[str, Bounds]]:
    """Return the signals of an item and the bounds of those that apply to it; an unanswerable item has no proposition rates."""
    said = abstained(item.declared_abstained, abstention)
    counted = () if item.is_unanswerable else outcomes
    is_judged = bool(counted) and not any(isinstance(outcome, Unjudged) for outcome in counted)
    recall = proposition_recall(counted).value if is_judged else None
    contradiction = contradiction_rate(counted).value if is_judged else None
    resolved = [conflict.resolved for conflict in roles.conflicts]
    misled = [decoy.outcome for decoy in roles.decoys]
    admitted = [gap.outcome for gap in roles.gaps]
    is_engaged = engaged(not item.is_unanswerable, outcomes, said)
    signals = {
        "R_proposition": recall,
        "C_contradiction": contradiction,
        "Q_proposition": None if recall is None or contradiction is None else recall * (1 - contradiction),
        "A_abstention": None if not item.is_unanswerable or said is None else float(said is AbstentionValue.ABSTAINED),
        "R_judge": mark.value / TOP_MARK if isinstance(mark, Mark) else None,
        "R_conflict_resolution": conflict_resolution(resolved),
        "R_noise_resistance": noise_resistance(is_engaged, misled),
        "A_coverage": coverage_awareness(admitted),
    }
    possible = {
        "R_proposition": recall_bounds(counted),
        "C_contradiction": contradiction_bounds(counted),
        "Q_proposition": quality_bounds(counted),
        "R_conflict_resolution": conflict_resolution_bounds(resolved),
        "R_noise_resistance": noise_resistance_bounds(is_engaged, misled),
        "A_coverage": coverage_awareness_bounds(admitted),
    }
    for test, symbol in SIGNAL_OF.items():
        tested = counted if test in item.tests else ()
        signals[symbol] = all_supported(tested)
        possible[symbol] = all_supported_bounds(tested)
    return signals, {name: value for name, value in possible.items() if value is not None}


def _state(propositions: Sequence[PropositionResult], parts: Sequence[Outcome | AbstentionOutcome | MarkOutcome]) -> ItemState:
    if not propositions:
        return ItemState.NO_PROPOSITIONS
    failed = [isinstance(part, Unjudged) for part in parts if not (isinstance(part, Unjudged) and part.reason in NOT_A_FAILURE)]
    if not any(failed):
        return ItemState.JUDGED
    return ItemState.UNJUDGED if all(failed) else ItemState.PARTLY_JUDGED


def _flags(item: Item, plan: ItemPlan, judgments: Sequence[Judgment], abstention: AbstentionOutcome) -> tuple[Flag, ...]:
    flags = {flag for judgment in judgments for flag in judgment.flags}
    if injection_suspected(item.answer) or (item.question is not None and injection_suspected(item.question)):
        flags.add(Flag.INJECTION_SUSPECTED)
    if item.answer_serialised:
        flags.add(Flag.ANSWER_SERIALISED)
    judged = abstained(None, abstention)
    if item.declared_abstained is not None and judged is not None and item.declared_abstained is not (judged is AbstentionValue.ABSTAINED):
        flags.add(Flag.DECLARED_DIFFERS)
    if any(isinstance(part, Decomposition) and any(found.kind == "whole_text" for found in part.lint) for part in plan.references):
        flags.add(Flag.WHOLE_TEXT_PROPOSITION)
    return tuple(sorted(flags))
