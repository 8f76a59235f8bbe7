"""From the judgments about one item to its result: every question asked gets an outcome, and outcomes become signals."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from judge.checks import checked_quote
from judge.merging import merge_abstentions, merge_outcomes
from judge.metrics.abstention import abstained
from judge.metrics.counts import AnyOutcome, has_failed, is_asked
from judge.metrics.reasoning import conflict_resolved
from judge.panel import combine_outcomes, panel_abstention, panel_mark
from judge.planning import ItemPlan, statement_texts
from judge.references import weigh_references
from judge.schema.items import Item
from judge.schema.judgments import Appraisal, Judgment, Labels
from judge.schema.labels import AbstentionValue, Flag, ItemState, Label, PanelRule, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, MarkOutcome, Outcome, Unjudged, Verdict
from judge.schema.propositions import Decomposition
from judge.schema.results import ConflictResult, ItemResult, PropositionResult, StatementResult
from judge.signals import Roles, item_signals
from judge.text.screen import injection_suspected
from judge.votes import majority_abstention, majority_outcome, median_mark

_NO_CONTENT = Verdict(label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale="the answer is empty")
_EMPTY_ANSWER = Unjudged(reason=UnjudgedReason.EMPTY_ANSWER, detail="the answer has no letter or digit")


class Ballot(NamedTuple):
    """The judgments of one judge about one item, in the order of its plan; a judge that gives no marks has no appraisals."""

    labels: tuple[tuple[Judgment, ...], ...]
    appraisals: tuple[Judgment, ...]

    @property
    def judgments(self) -> tuple[Judgment, ...]:
        """All of them, labels first."""
        return (*(judgment for repeats in self.labels for judgment in repeats), *self.appraisals)


def assemble_result(item: Item, plan: ItemPlan, ballots: Sequence[Ballot], rule: PanelRule = PanelRule.MAJORITY) -> ItemResult:
    """Return the result of an item from the judgments of its plan: of one judge, or of several by the rule of their panel."""
    by_text = combine_outcomes([outcomes_by_text(item, plan, ballot) for ballot in ballots], rule)
    references = weigh_references(plan.references, by_text, is_empty=plan.is_empty)
    abstention = panel_abstention([abstention_of(plan, ballot) for ballot in ballots], rule)
    mark = panel_mark(_marks(plan, ballots), rule)
    conflicts = tuple(_conflict(conflict.id, conflict.current, conflict.superseded, by_text) for conflict in item.conflicts)
    decoys = tuple(StatementResult(text=text, outcome=by_text[text]) for text in item.decoys)
    gaps = tuple(StatementResult(text=text, outcome=by_text[text]) for text in item.gaps)
    roles = Roles(conflicts, decoys, gaps)
    statements = (*references.outcomes, *references.still_open, *roles.sides, *(part.outcome for part in (*decoys, *gaps)))
    signals, bounds = item_signals(item, references, roles, abstention, mark)
    return ItemResult(
        item_id=item.id,
        question_id=item.question_id,
        trial=item.trial,
        agent=item.agent,
        cluster=item.cluster,
        answerable=False if item.is_unanswerable else (True if item.is_answerable else None),
        declared_abstained=item.declared_abstained,
        tests=item.tests,
        has_sources=bool(item.sources),
        state=_state(references.propositions, [*statements, abstention, mark]),
        flags=_flags(item, plan, [judgment for ballot in ballots for judgment in ballot.judgments], abstention),
        reference=references.number if len(plan.references) > 1 else None,
        propositions=references.propositions,
        open_alternatives=references.open_alternatives,
        abstention=abstention,
        mark=mark,
        conflicts=conflicts,
        decoys=decoys,
        gaps=gaps,
        signals=signals,
        bounds=bounds,
    )


def outcomes_by_text(item: Item, plan: ItemPlan, ballot: Ballot) -> dict[str, Outcome]:
    """Return what one judge says of each statement of an item, its repeats reduced to one outcome."""
    if plan.is_empty:
        return dict.fromkeys(statement_texts(item, plan.references), _NO_CONTENT)
    # Of each statement the judgments of all parts of the answer, each part with its repeats.
    asked: dict[str, list[list[Outcome]]] = {}
    for requests, judgments in zip(plan.labels, ballot.labels, strict=True):
        for statement in requests[0].statements:
            asked.setdefault(statement.text, []).append([_outcome(judgment, statement.id) for judgment in judgments])
    found = {text: majority_outcome([merge_outcomes(parts) for parts in zip(*all_parts, strict=True)]) for text, all_parts in asked.items()}
    if plan.is_split:
        found = {text: checked_quote(outcome, item.answer) for text, outcome in found.items()}
    return {**found, **plan.too_long}


def _outcome(judgment: Judgment, identifier: str) -> Outcome:
    match judgment.content:
        case Labels(outcomes=outcomes) if identifier in outcomes:
            return outcomes[identifier]
        case Unjudged() as unjudged:
            return unjudged
        case _:
            return Unjudged(reason=UnjudgedReason.MISSING_VERDICT, detail="the judgment has no verdict for this statement")


def abstention_of(plan: ItemPlan, ballot: Ballot) -> AbstentionOutcome:
    """Return whether one judge takes the answer for an abstention."""
    if plan.is_empty:
        return _EMPTY_ANSWER
    if plan.abstention is not None:
        return plan.abstention
    asked = [judgments for requests, judgments in zip(plan.labels, ballot.labels, strict=True) if requests[0].ask_abstention]
    return majority_abstention([merge_abstentions(list(map(_abstention_vote, parts))) for parts in zip(*asked, strict=True)])


def _abstention_vote(judgment: Judgment) -> AbstentionOutcome:
    content = judgment.content
    if isinstance(content, Labels) and content.abstention is not None:
        return content.abstention
    if isinstance(content, Unjudged):
        return content
    return Unjudged(reason=UnjudgedReason.MISSING_VERDICT, detail="the judgment does not say whether the answer abstains")


def mark_of(plan: ItemPlan, ballot: Ballot) -> MarkOutcome | None:
    """Return the mark of one judge, its repeats reduced to one; None where it gives no marks."""
    if plan.mark is not None:
        return plan.mark
    return _median(ballot.appraisals) if ballot.appraisals else None


def _marks(plan: ItemPlan, ballots: Sequence[Ballot]) -> list[MarkOutcome]:
    """Return the marks of the judges that give any; where it was decided without a call, that alone."""
    if plan.mark is not None:
        return [plan.mark]
    return [mark for ballot in ballots if (mark := mark_of(plan, ballot)) is not None]


def _median(appraisals: Sequence[Judgment]) -> MarkOutcome:
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


def _conflict(identifier: str, current: str, superseded: Sequence[str], by_text: Mapping[str, Outcome]) -> ConflictResult:
    sides = tuple(StatementResult(text=text, outcome=by_text[text]) for text in superseded)
    return ConflictResult(
        id=identifier,
        resolved=conflict_resolved(by_text[current], [side.outcome for side in sides]),
        current=StatementResult(text=current, outcome=by_text[current]),
        superseded=sides,
    )


def _state(propositions: Sequence[PropositionResult], parts: Sequence[AnyOutcome]) -> ItemState:
    if not propositions:
        return ItemState.NO_PROPOSITIONS
    failed = [has_failed(part) for part in parts if is_asked(part)]
    if not any(failed):
        return ItemState.JUDGED
    return ItemState.UNJUDGED if all(failed) else ItemState.PARTLY_JUDGED


def _texts_of(item: Item, plan: ItemPlan) -> Iterator[str]:
    """Yield every text of an item that a judge may be shown, the likeliest to be hostile first."""
    yield item.answer
    yield item.question or ""
    yield from statement_texts(item, plan.references)
    yield from item.ground_truth
    yield from item.sources


def _flags(item: Item, plan: ItemPlan, judgments: Sequence[Judgment], abstention: AbstentionOutcome) -> tuple[Flag, ...]:
    flags = {flag for judgment in judgments for flag in judgment.flags}
    if any(map(injection_suspected, _texts_of(item, plan))):
        flags.add(Flag.INJECTION_SUSPECTED)
    if plan.is_split:
        flags.add(Flag.ANSWER_SPLIT)
    if item.answer_serialised:
        flags.add(Flag.ANSWER_SERIALISED)
    judged = abstained(None, abstention)
    if item.declared_abstained is not None and judged is not None and item.declared_abstained is not (judged is AbstentionValue.ABSTAINED):
        flags.add(Flag.DECLARED_DIFFERS)
    if any(isinstance(part, Decomposition) and any(found.kind == "whole_text" for found in part.lint) for part in plan.references):
        flags.add(Flag.WHOLE_TEXT_PROPOSITION)
    return tuple(sorted(flags))
