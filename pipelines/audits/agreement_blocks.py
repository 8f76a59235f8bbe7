"""The figures of an agreement audit, from what people said and the results of a run."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from judge.auditing.agreeing import Labelled, agreement_of
from judge.auditing.figures import resampled_figure
from judge.auditing.keys import cluster_digest
from judge.metrics.abstention import abstained
from judge.schema.agreements import Disagreement, LabelAgreement, PreferenceAgreement, RecallAgreement
from judge.schema.figures import Figure
from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.outcomes import Outcome, Unjudged, Verdict
from judge.schema.results import ItemResult
from judge.scorecard import RECALL
from judge.statistics.correlation import kendall_tau_b, pearson, spearman
from pipelines.audits.gold_file import ASPECTS, SIDES, GoldProposition, GoldRecord
from pipelines.audits.human_labels import (
    abstention_annotations,
    label_votes,
    preference_votes,
    support_votes,
)

SUPPORTED, NOT_SUPPORTED = "supported", "not_supported"
ABSTAINED, ANSWERED = "abstained", "answered"
TIE = "tie"

Correlation = Callable[[Sequence[float], Sequence[float]], float | None]
_UNCORRELATED = "fewer than three answers, or all with one score"

Results = Mapping[str, ItemResult]
"""By item id."""


class JudgedStatement(NamedTuple):
    """A labelled statement of a record and what the judge said of it."""

    record: GoldRecord
    proposition: GoldProposition
    outcome: Outcome

    @property
    def said(self) -> str | UnjudgedReason:
        """The label, or why there is none."""
        return self.outcome.label if isinstance(self.outcome, Verdict) else self.outcome.reason


def cluster_of(record: GoldRecord) -> str:
    """Return what stands for the document of a record: it, else its question, else the record itself."""
    return cluster_digest(record.doc_id, record.question_id, record.id)


def judged_statements(records: Sequence[GoldRecord], results: Results) -> list[JudgedStatement]:
    """Return every statement that carries a label of people, with its outcome."""
    found = []
    for record in records:
        if record.is_pair or not record.propositions:
            continue
        outcomes = {part.id: part.outcome for part in results[record.id].propositions}
        found += [JudgedStatement(record, one, outcomes[one.id]) for one in record.propositions if one.is_supported is not None]
    return found


def three_way(statements: Sequence[JudgedStatement], seed: int) -> LabelAgreement | None:
    """Return the agreement of the three labels, over records whose statements all carry one."""
    known = [one for one in statements if one.record.is_three_way and one.proposition.label is not None]
    things = [Labelled(str(one.proposition.label), one.said, cluster_of(one.record), one.proposition.weight) for one in known]
    return agreement_of(things, list(Label), human=label_votes([one.proposition for one in known]), seed=seed)


def two_way(statements: Sequence[JudgedStatement], seed: int) -> LabelAgreement | None:
    """Return the agreement of supported and not supported, over every labelled statement."""
    things = [
        Labelled(_supported(one.proposition.is_supported), _two_way_word(one.said), cluster_of(one.record), one.proposition.weight)
        for one in statements
    ]
    return agreement_of(things, (SUPPORTED, NOT_SUPPORTED), human=support_votes([one.proposition for one in statements]), seed=seed)


def abstention(records: Sequence[GoldRecord], results: Results, seed: int) -> LabelAgreement | None:
    """Return the agreement on whether answers abstain; an answer that partly abstains does not."""
    known = [record for record in records if record.abstained is not None and not record.is_pair]
    things = [
        Labelled(ABSTAINED if record.abstained else ANSWERED, _abstention_word(results[record.id]), cluster_of(record)) for record in known
    ]
    return agreement_of(things, (ABSTAINED, ANSWERED), human=abstention_annotations(records), seed=seed)


def partly_abstained(records: Sequence[GoldRecord], results: Results) -> int:
    """Return how many labelled answers the judge takes for partly abstaining."""
    known = [results[record.id] for record in records if record.abstained is not None and not record.is_pair]
    return sum(abstained(None, result.abstention) is AbstentionValue.PARTLY_ABSTAINED for result in known)


def preference(records: Sequence[GoldRecord], results: Results, seed: int) -> PreferenceAgreement | None:
    """Return the agreement on which of two answers is better, by judged recall of the gold answer."""
    pairs = [(record, _preferred_by_judge(record, results)) for record in records if record.is_pair]
    if not pairs:
        return None
    by_aspect = {aspect: _of_aspect(pairs, aspect, seed) for aspect in ASPECTS}
    known = {aspect: found for aspect, found in by_aspect.items() if found is not None}
    if not known:
        return None
    headline = _headline(known)
    assert headline is not None
    return PreferenceAgreement(
        **known[headline].model_dump(),
        aspect=headline,
        human_ties=sum(record.preference(headline) == 0 for record, _ in pairs),
        judged_ties=sum(said == TIE for _, said in pairs),
        by_aspect=known,
    )


def _headline(known: Collection[str]) -> str | None:
    """Return the last of the known aspects, which says most."""
    return next((aspect for aspect in reversed(ASPECTS) if aspect in known), None)


def _of_aspect(pairs: Sequence[tuple[GoldRecord, str | UnjudgedReason]], aspect: str, seed: int) -> LabelAgreement | None:
    things = [
        Labelled(SIDES[preferred > 0], said, cluster_of(record))
        for record, said in pairs
        if (preferred := record.preference(aspect)) is not None and preferred != 0
    ]
    return agreement_of(things, (*SIDES, TIE), human=preference_votes([record for record, _ in pairs], aspect), seed=seed)


def recall(records: Sequence[GoldRecord], results: Results, seed: int) -> RecallAgreement | None:
    """Return how judged recall per answer goes with the score that people gave it, or that their labels make."""
    labelled = [record for record in records if record.propositions and not record.is_pair]
    stated = [record for record in labelled if record.human_score is not None]
    scored = [(record, record.human_score) for record in stated] or [(record, _share_supported(record)) for record in labelled]
    points = [
        _Point(cluster_of(record), judged, human)
        for record, human in scored
        if human is not None and (judged := results[record.id].signals.get(RECALL)) is not None
    ]
    if not points:
        return None
    groups = list(_grouped(points).values())

    def correlation(of: Correlation) -> Figure:
        return resampled_figure(groups, lambda drawn: of(*_columns(drawn)), seed, "", undefined=_UNCORRELATED)

    return RecallAgreement(
        n=len(points),
        human_score="stated" if stated else "labels",
        pearson=correlation(pearson),
        spearman=correlation(spearman),
        kendall_tau_b=correlation(kendall_tau_b),
        mean_judged=sum(point.judged for point in points) / len(points),
        mean_human=sum(point.human for point in points) / len(points),
    )


class _Point(NamedTuple):
    cluster: str
    judged: float
    human: float


def _grouped(points: Sequence[_Point]) -> dict[str, list[_Point]]:
    groups: dict[str, list[_Point]] = {}
    for point in points:
        groups.setdefault(point.cluster, []).append(point)
    return groups


def _columns(groups: Sequence[Sequence[_Point]]) -> tuple[list[float], list[float]]:
    drawn = [point for group in groups for point in group]
    return [point.judged for point in drawn], [point.human for point in drawn]


def _share_supported(record: GoldRecord) -> float | None:
    known = [one.is_supported for one in record.propositions if one.is_supported is not None]
    return sum(known) / len(known) if known else None


def _preferred_by_judge(record: GoldRecord, results: Results) -> str | UnjudgedReason:
    first, second = (results[item_id] for item_id in record.item_ids)
    recalls = [result.signals.get(RECALL) for result in (first, second)]
    if recalls[0] is None or recalls[1] is None:
        return _why_unjudged(first if recalls[0] is None else second)
    if recalls[0] == recalls[1]:
        return TIE
    return SIDES[recalls[1] > recalls[0]]


def _why_unjudged(result: ItemResult) -> UnjudgedReason:
    reasons = [part.outcome.reason for part in result.propositions if isinstance(part.outcome, Unjudged)]
    return reasons[0] if reasons else UnjudgedReason.DECOMPOSITION_FAILED


def _supported(value: bool | None) -> str:
    return SUPPORTED if value else NOT_SUPPORTED


def _two_way_word(said: str | UnjudgedReason) -> str | UnjudgedReason:
    return said if isinstance(said, UnjudgedReason) else _supported(said == Label.SUPPORTED)


def _abstention_word(result: ItemResult) -> str | UnjudgedReason:
    if isinstance(result.abstention, Unjudged):
        return result.abstention.reason
    return ABSTAINED if result.abstention.value is AbstentionValue.ABSTAINED else ANSWERED


def disagreements(statements: Sequence[JudgedStatement], records: Sequence[GoldRecord], results: Results) -> Iterator[Disagreement]:
    """Yield every statement and every abstention on which judge and people differ, in the order of the file."""
    for one in statements:
        gold = one.proposition.label if one.record.is_three_way and one.proposition.label is not None else None
        wanted, said = (str(gold), one.said) if gold is not None else (_supported(one.proposition.is_supported), _two_way_word(one.said))
        if isinstance(one.outcome, Verdict) and said != wanted:
            yield _disagreement(one.record, one.proposition.text, (wanted, str(one.said)), (one.outcome.quote, one.outcome.rationale))
    for record in records:
        if record.abstained is None or record.is_pair:
            continue
        outcome, wanted = results[record.id].abstention, ABSTAINED if record.abstained else ANSWERED
        if not isinstance(outcome, Unjudged) and _abstention_word(results[record.id]) != wanted:
            yield _disagreement(record, None, (wanted, str(outcome.value)), (outcome.quote, outcome.rationale))
    yield from _other_preferences(records, results)


def _other_preferences(records: Sequence[GoldRecord], results: Results) -> Iterator[Disagreement]:
    """Yield every pair of which the judge does not prefer the answer that people prefer by the headline aspect: that answer."""
    headline = _headline({aspect for record in records for aspect in record.human_preference or {} if record.preference(aspect)})
    for record in records:
        preferred = record.preference(headline) if record.is_pair and headline is not None else None
        said = _preferred_by_judge(record, results) if preferred else None
        if preferred and not isinstance(said, UnjudgedReason) and said != SIDES[preferred > 0]:
            recalls = zip(SIDES, (results[item_id].signals[RECALL] for item_id in record.item_ids), strict=True)
            rationale = "judged recall of the gold answer: " + ", ".join(f"{side} {recall:.3f}" for side, recall in recalls)
            yield _disagreement(_as_preferred(record, preferred), None, (SIDES[preferred > 0], str(said)), (None, rationale))


def _as_preferred(record: GoldRecord, preferred: int) -> GoldRecord:
    """Return a pair with the answer that people prefer as its answer."""
    return record if preferred < 0 else record.model_copy(update={"answer": record.answer_b})


def _disagreement(
    record: GoldRecord, statement: str | None, words: tuple[str, str], grounds: tuple[str | None, str | None]
) -> Disagreement:
    return Disagreement(
        id=record.id,
        doc_id=record.doc_id or record.id,
        question=record.question,
        answer=record.answer,
        statement=statement,
        gold=words[0],
        judged=words[1],
        quote=grounds[0],
        rationale=grounds[1],
    )
