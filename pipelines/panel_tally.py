"""What the judges of a panel say, item by item: their votes as lines, and how far they agree."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

from judge.assembling import abstention_of, assemble_result, mark_of, outcomes_by_text
from judge.auditing.figures import resampled_figure
from judge.auditing.keys import cluster_digest
from judge.panel import combine_outcomes
from judge.schema.figures import Figure
from judge.schema.items import Item
from judge.schema.labels import Label, PanelRule, UnjudgedReason
from judge.schema.manifests import JudgeFacts
from judge.schema.outcomes import AbstentionOutcome, Outcome, Unjudged, Verdict
from judge.schema.panels import DisputedStatement, PairAgreement, PanelMember, PanelSummary, PanelVotes, StatementVotes
from judge.schema.rates import Rate
from judge.scorecard import METRICS, ScoreTable
from judge.standard.nulls import NullPolicy
from judge.statistics.agreement import cohen_kappa
from judge.statistics.krippendorff import AlphaPart, alpha_of_parts, alpha_part
from pipelines.judging import JudgedItem

DISPUTED = 20
"""Statements that the summary names; the file of votes holds all."""

_SEED = 0

_T = TypeVar("_T")


class _Statement(NamedTuple):
    """One statement with the outcome of each judge and of the panel."""

    item_id: str
    text: str
    votes: Sequence[Outcome]
    panel: Outcome


class _Member:
    """The labels of one judge, and its own metrics."""

    def __init__(self, facts: JudgeFacts, name: str) -> None:
        self.facts = facts
        self.name = name
        self.table = ScoreTable()
        self.labels: Counter[Label] = Counter()
        self.unjudged: Counter[UnjudgedReason] = Counter()


class PanelTally:
    """Collects what the judges of a panel say, in the order of the items."""

    def __init__(self, members: Sequence[JudgeFacts], rule: PanelRule) -> None:
        """Begin with no item; `members` are in the order of the ballots."""
        self._members = [_Member(facts, name) for facts, name in zip(members, member_names(members), strict=True)]
        self._rule = rule
        self._unanimous = self._decided = self._statements = 0
        self._alpha: defaultdict[str, list[AlphaPart]] = defaultdict(list)
        self._abstention: defaultdict[str, list[AlphaPart]] = defaultdict(list)
        self._pairs: dict[tuple[int, int], Counter[tuple[Label, Label]]] = defaultdict(Counter)
        self._disputed: list[DisputedStatement] = []
        self._disputes = 0

    def add(self, item: Item, judged: JudgedItem) -> PanelVotes:
        """Take over one item and return what each judge said about it."""
        by_judge = [outcomes_by_text(item, judged.plan, ballot) for ballot in judged.ballots]
        panel = combine_outcomes(by_judge, self._rule)
        abstentions = [abstention_of(judged.plan, ballot) for ballot in judged.ballots]
        if not judged.plan.is_empty:
            cluster = cluster_digest(item.cluster, item.question_id, item.id)
            self._alpha[cluster].append(alpha_part([[_label(outcomes[text]) for outcomes in by_judge] for text in panel]))
            self._abstention[cluster].append(alpha_part([[_value(outcome) for outcome in abstentions]]))
            for text, outcome in panel.items():
                self._count(_Statement(item.id, text, [outcomes[text] for outcomes in by_judge], outcome))
        for member, ballot in zip(self._members, judged.ballots, strict=True):
            member.table.add(assemble_result(item, judged.plan, [ballot]))
        marks = [(self._name(number), mark_of(judged.plan, ballot)) for number, ballot in enumerate(judged.ballots)]
        return PanelVotes(
            item_id=item.id,
            statements=tuple(
                StatementVotes(text=text, votes=self._named([outcomes[text] for outcomes in by_judge]), panel=outcome)
                for text, outcome in panel.items()
            ),
            abstention=self._named(abstentions),
            mark={name: mark for name, mark in marks if mark is not None},
        )

    def summary(self, min_coverage: float, null_policy: NullPolicy) -> PanelSummary:
        """Return how far the judges agree, and what each of them would give alone."""
        return PanelSummary(
            rule=self._rule,
            members=tuple(_member(member, min_coverage, null_policy) for member in self._members),
            unanimous=Rate(numerator=self._unanimous, denominator=self._statements),
            decided=Rate(numerator=self._decided, denominator=self._statements),
            krippendorff_alpha=_alpha_figure(self._alpha),
            abstention_alpha=_alpha_figure(self._abstention),
            pairs=tuple(self._pair(first, second) for first, second in combinations(range(len(self._members)), 2)),
            disputed_statements=self._disputes,
            disputed=tuple(self._disputed),
        )

    def warnings(self, min_coverage: float) -> Iterator[str]:
        """Yield which judges have labels for less than this share of their statements: the panel's verdicts rest on the others."""
        for member in self._members:
            given = member.labels.total()
            asked = given + member.unjudged.total()
            if asked and given < min_coverage * asked:
                reasons = ", ".join(f"{count} {reason}" for reason, count in _by_reason(member).items())
                yield f"{member.name} gave a label to {given:,} of {asked:,} statements ({reasons}): the panel rests on its other judges"

    def _count(self, statement: "_Statement") -> None:
        labels = [_label(vote) for vote in statement.votes]
        self._statements += 1
        self._unanimous += None not in labels and len(set(labels)) == 1
        self._decided += isinstance(statement.panel, Verdict)
        for member, vote in zip(self._members, statement.votes, strict=True):
            if isinstance(vote, Verdict):
                member.labels[vote.label] += 1
            else:
                member.unjudged[vote.reason] += 1
        for (i, first), (j, second) in combinations(enumerate(labels), 2):
            if first is not None and second is not None:
                self._pairs[i, j][first, second] += 1
        self._disputes += len(set(labels)) > 1
        if len(set(labels)) > 1 and len(self._disputed) < DISPUTED:
            votes = self._named([_word(vote) for vote in statement.votes])
            self._disputed.append(
                DisputedStatement(item_id=statement.item_id, text=statement.text, votes=votes, panel=_word(statement.panel))
            )

    def _pair(self, i: int, j: int) -> PairAgreement:
        counts = self._pairs[i, j]
        pairs = list(counts.elements())
        agreed = sum(count for (first, second), count in counts.items() if first is second)
        return PairAgreement(
            first=self._name(i),
            second=self._name(j),
            n=len(pairs),
            agreement=agreed / len(pairs) if pairs else None,
            cohen_kappa=cohen_kappa([first for first, _ in pairs], [second for _, second in pairs]),
        )

    def _name(self, number: int) -> str:
        return self._members[number].name

    def _named(self, values: Sequence[_T]) -> dict[str, _T]:
        return {self._name(number): value for number, value in enumerate(values)}


def member_names(members: Sequence[JudgeFacts]) -> list[str]:
    """Return what the judges are called: by their specs, with the beginning of their ids where a spec is not enough."""
    shared = Counter(member.spec for member in members)
    return [member.spec if shared[member.spec] == 1 else f"{member.spec} (id {member.id[:12]})" for member in members]


def _label(outcome: Outcome) -> Label | None:
    return outcome.label if isinstance(outcome, Verdict) else None


def _value(outcome: AbstentionOutcome) -> str | None:
    return None if isinstance(outcome, Unjudged) else outcome.value


def _word(outcome: Outcome) -> str:
    return outcome.label if isinstance(outcome, Verdict) else outcome.reason


def _alpha_figure(parts: Mapping[str, Sequence[AlphaPart]]) -> Figure:
    groups = [parts[cluster] for cluster in sorted(parts)]

    def alpha(drawn: Sequence[Sequence[AlphaPart]]) -> float | None:
        return alpha_of_parts(part for group in drawn for part in group)

    return resampled_figure(groups, alpha, _SEED, "nothing was judged by two judges")


def _by_reason(member: _Member) -> dict[UnjudgedReason, int]:
    return {reason: member.unjudged[reason] for reason in UnjudgedReason if member.unjudged[reason]}


def _member(member: _Member, min_coverage: float, null_policy: NullPolicy) -> PanelMember:
    card = member.table.scorecard(min_coverage, null_policy)
    return PanelMember(
        name=member.name,
        spec=member.facts.spec,
        id=member.facts.id,
        labels={label: member.labels[label] for label in Label},
        unjudged=member.unjudged.total(),
        unjudged_by_reason=_by_reason(member),
        metrics={symbol: card.metrics[symbol].value for symbol in METRICS},
    )
