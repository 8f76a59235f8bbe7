"""From item results to the numbers of a run: a table that remembers a few numbers per item, never the results."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from judge.answer_diagnostics import DiagnosticTally
from judge.columns import UNKNOWN, Column, ColumnFacts
from judge.metrics.abstention import abstained
from judge.metrics.counts import AnyOutcome, OutcomeCounts, count_outcomes, has_failed, is_asked
from judge.metrics.tested import SIGNAL_OF
from judge.schema.labels import AbstentionValue, Flag, ItemState, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionVerdict, Outcome, Unjudged
from judge.schema.rates import Rate
from judge.schema.results import ItemResult
from judge.schema.summaries import ItemCounts, MetricSummary, Scorecard
from judge.standard.derived import ALWAYS_DERIVED, derive
from judge.standard.fundamentals import layer_of
from judge.standard.measured import measured_metrics
from judge.standard.noise_credit import HALF_CREDIT, NOISE
from judge.standard.nulls import NullPolicy

RECALL = "R_proposition"
CONTRADICTION = "C_contradiction"
ABSTENTION = "A_abstention"
OVER_ABSTENTION = "over_abstention_rate"
MARK = "R_judge"
CONFLICTS = "R_conflict_resolution"
ADMISSION = "A_coverage"

_NO_ITEMS = {
    RECALL: "no_answerable_items",
    CONTRADICTION: "no_answerable_items",
    ABSTENTION: "no_unanswerable_items",
    OVER_ABSTENTION: "no_answerable_items",
    MARK: "not_asked",
    CONFLICTS: "no_conflicts",
    NOISE: "no_decoys",
    ADMISSION: "no_gaps",
    **{symbol: f"no_{test.value}_items" for test, symbol in SIGNAL_OF.items()},
}
"""The metrics, in the order of a summary, and why one has no value where no item gives a reason of its own."""

METRICS = tuple(_NO_ITEMS)

_BY_PROPOSITION = (RECALL, CONTRADICTION)
"""Held to the coverage of propositions; every other metric to that of its own items."""

_COVERED_APART = (CONFLICTS, NOISE, ADMISSION)
"""Whose coverage is shown wherever they apply; that of the others only where it tells of an item without a value."""


class ScoreTable:
    """Collects item results, in any order, and turns them into scorecards; each item must be added once.

    `has_half_credit` says that the noise resistance of the results was made `with_half_credit`, which its basis then tells.
    """

    def __init__(self, *, has_half_credit: bool = False) -> None:
        self._has_half_credit = has_half_credit
        self._tallies: defaultdict[str | None, _Tally] = defaultdict(self._tally)
        self._clusters: dict[str, int] = {}
        self._lone_items = 0

    def add(self, result: ItemResult) -> None:
        """Take over the numbers of one item."""
        self._tallies[result.agent].add(result, self._cluster_number(result))

    def scorecard(self, min_coverage: float, null_policy: NullPolicy) -> Scorecard:
        """Return the numbers of all items; without items every value is None and has a reason."""
        total = self._tally()
        for tally in self._tallies.values():
            total.absorb(tally)
        return total.scorecard(min_coverage, null_policy)

    def scorecards_by_agent(self, min_coverage: float, null_policy: NullPolicy) -> dict[str, Scorecard]:
        """Return the numbers of each agent, agents sorted; items without an agent are in none of them."""
        agents = sorted(agent for agent in self._tallies if agent is not None)
        return {agent: self._tallies[agent].scorecard(min_coverage, null_policy) for agent in agents}

    def _tally(self) -> "_Tally":
        return _Tally(has_half_credit=self._has_half_credit)

    def _cluster_number(self, result: ItemResult) -> int:
        """Return the number of the item's cluster: its cluster, else its question, else itself; the three never mix."""
        if result.cluster is not None:
            key = f"c:{result.cluster}"
        elif result.question_id is not None:
            key = f"q:{result.question_id}"
        else:
            self._lone_items += 1
            return -self._lone_items
        return self._clusters.setdefault(key, len(self._clusters))


class _Tally:
    """The numbers of one group of items."""

    def __init__(self, *, has_half_credit: bool) -> None:
        self.has_half_credit = has_half_credit
        self.columns = {symbol: Column() for symbol in _NO_ITEMS}
        self.states: Counter[str] = Counter()
        self.labels: Counter[str] = Counter({label.value: 0 for label in Label})
        self.gaps: Counter[str] = Counter()
        self.diagnostics = DiagnosticTally()
        self.marked_by_sources = 0
        self.abstentions: Counter[str] = Counter({value.value: 0 for value in (*AbstentionValue, Flag.DECLARED_DIFFERS)})
        self.unjudged: Counter[str] = Counter()
        self.judged: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()

    def add(self, result: ItemResult, cluster: int) -> None:
        """Take over the numbers of one item."""
        self.states[result.state.value] += 1
        propositions = [proposition.outcome for proposition in result.propositions]
        self._add_propositions(result, propositions, cluster)
        self._add_abstention(result, cluster)
        self._add_mark(result, cluster)
        if result.conflicts:
            sides = [side.outcome for conflict in result.conflicts for side in (conflict.current, *conflict.superseded)]
            self._count(sides, "statements")
            self._enter(CONFLICTS, result, cluster, _why_not_asked(sides))
            self.diagnostics.add_conflicts(result.conflicts)
        if result.decoys:
            decoys = [decoy.outcome for decoy in result.decoys]
            self._count(decoys, "statements")
            # Resisting noise is worth something in an answer that engages, so what tells engagement must have been asked too.
            tells = [result.abstention] if result.answerable is False else propositions
            self._enter(NOISE, result, cluster, _why_not_asked(decoys) or _why_not_asked(tells))
            self.diagnostics.add_decoys(decoys)
        if result.gaps:
            gaps = [gap.outcome for gap in result.gaps]
            counts = self._count(gaps, "statements")
            self.gaps["admitted"] += counts.supported
            self.gaps["judged"] += counts.judged
            self._enter(ADMISSION, result, cluster, _why_not_asked(gaps))

    def absorb(self, other: "_Tally") -> None:
        """Add all items of another tally."""
        for symbol, column in self.columns.items():
            column.absorb(other.columns[symbol])
        self.states.update(other.states)
        self.labels.update(other.labels)
        self.gaps.update(other.gaps)
        self.diagnostics.absorb(other.diagnostics)
        self.marked_by_sources += other.marked_by_sources
        self.abstentions.update(other.abstentions)
        self.unjudged.update(other.unjudged)
        self.judged.update(other.judged)
        self.asked.update(other.asked)

    def scorecard(self, min_coverage: float, null_policy: NullPolicy) -> Scorecard:
        """Return all numbers of the group."""
        coverage = self._coverage()
        metrics = {symbol: self._metric(symbol, coverage, min_coverage) for symbol in self.columns}
        derived = derive(measured_metrics(metrics), null_policy)
        return Scorecard(
            items=ItemCounts(total=self.states.total(), **{state.value: self.states[state.value] for state in ItemState}),
            coverage=coverage,
            metrics=metrics,
            derived={symbol: derived[symbol] for symbol in ALWAYS_DERIVED},
            diagnostics=self.diagnostics.summary(metrics),
            labels=dict(self.labels),
            abstentions=dict(self.abstentions),
            unjudged=dict(sorted(self.unjudged.items())),
            complete=not any(_is_below(rate, min_coverage) for rate in coverage.values()),
        )

    def _metric(self, symbol: str, coverage: Mapping[str, Rate], min_coverage: float) -> MetricSummary:
        column = self.columns[symbol]
        # Where no proposition is asked for apart from other statements, theirs is the coverage of all of them.
        rate = coverage.get("propositions", coverage["statements"]) if symbol in _BY_PROPOSITION else column.coverage
        return column.summary(
            ColumnFacts(
                no_items=_NO_ITEMS[symbol],
                layer=layer_of(symbol),
                is_covered=not _is_below(rate, min_coverage),
                pooled=self._pooled(symbol),
                basis=self._basis(symbol),
            )
        )

    def _basis(self, symbol: str) -> str | None:
        """Return on what a metric rests beside propositions; of marks, how many items let the judge see their sources."""
        if symbol == ADMISSION:
            return "answer"
        if symbol == NOISE and self.has_half_credit:
            return HALF_CREDIT
        marked = len(self.columns[MARK].values)
        if symbol != MARK or not marked:
            return None
        if self.marked_by_sources in (0, marked):
            return "sources" if self.marked_by_sources else "reference"
        return f"reference; {self.marked_by_sources} of {marked} also sources"

    def _coverage(self) -> dict[str, Rate]:
        """Return verdicts over what was asked, per signal, without entries that repeat another or cover nothing."""
        rates = {key: Rate(numerator=self.judged[key], denominator=self.asked[key]) for key in ("statements", "abstention")}
        rates[MARK] = self.columns[MARK].coverage
        if self.asked["propositions"] != self.asked["statements"]:
            rates["propositions"] = Rate(numerator=self.judged["propositions"], denominator=self.asked["propositions"])
        for symbol, column in self.columns.items():
            rate = column.coverage
            has_nulls = rate.numerator < rate.denominator and symbol not in _BY_PROPOSITION
            if has_nulls or (symbol in _COVERED_APART and rate.denominator):
                rates[symbol] = rate
        return rates

    def _pooled(self, symbol: str) -> Rate | None:
        if symbol == ADMISSION:
            return Rate(numerator=self.gaps["admitted"], denominator=self.gaps["judged"])
        label = {RECALL: Label.SUPPORTED, CONTRADICTION: Label.CONTRADICTED}.get(symbol)
        return None if label is None else Rate(numerator=self.labels[label.value], denominator=self.labels.total())

    def _count(self, outcomes: Sequence[Outcome], *coverages: str) -> OutcomeCounts:
        counts = count_outcomes(outcomes)
        for key in coverages:
            self.judged[key] += counts.judged
            self.asked[key] += counts.asked
        if counts.failed:
            self.unjudged.update(_failures(outcomes))
        return counts

    def _enter(self, symbol: str, result: ItemResult, cluster: int, absence: str | None) -> None:
        self.columns[symbol].add(result.signals.get(symbol), cluster, result.bounds.get(symbol, UNKNOWN), absence=absence)

    def _add_propositions(self, result: ItemResult, outcomes: Sequence[Outcome], cluster: int) -> None:
        still_open = [part.outcome for alternative in result.open_alternatives for part in alternative.unjudged]
        for test in dict.fromkeys(result.tests):
            absence = "no_answerable_items" if result.answerable is False else _why_not_asked(outcomes)
            self._enter(SIGNAL_OF[test], result, cluster, absence)
        if result.answerable is False:
            # They are judged and shown, and their failures are failures, but they enter no rate.
            self._count([*outcomes, *still_open])
            return
        counts = self._count([*outcomes, *still_open], "statements", "propositions")
        self.labels[Label.SUPPORTED.value] += counts.supported
        self.labels[Label.CONTRADICTED.value] += counts.contradicted
        self.labels[Label.NOT_ADDRESSED.value] += counts.not_addressed
        absence = None if counts.asked else _why_not_asked(outcomes)
        self._enter(RECALL, result, cluster, absence)
        self._enter(CONTRADICTION, result, cluster, absence)
        if result.signals.get(RECALL) is not None:
            self.diagnostics.add_credit(counts)

    def _add_abstention(self, result: ItemResult, cluster: int) -> None:
        outcome, absence = result.abstention, _why_not_asked([result.abstention])
        value = abstained(result.declared_abstained, outcome)
        if absence is None:
            self.asked["abstention"] += 1
            self.judged["abstention"] += isinstance(outcome, AbstentionVerdict)
            self.unjudged.update(_failures([outcome]))
        if value is not None:
            self.abstentions[value.value] += 1
        if Flag.DECLARED_DIFFERS in result.flags:
            self.abstentions[Flag.DECLARED_DIFFERS.value] += 1
        if result.answerable is not None:
            self._enter(OVER_ABSTENTION if result.answerable else ABSTENTION, result, cluster, absence)

    def _add_mark(self, result: ItemResult, cluster: int) -> None:
        absence = _why_not_asked([result.mark])
        self.unjudged.update(_failures([result.mark]))
        if result.answerable is False:
            self.columns[MARK].add(None, cluster, absence=absence or UnjudgedReason.NOT_ASKED.value)
            return
        self._enter(MARK, result, cluster, absence)
        self.marked_by_sources += result.has_sources and result.signals.get(MARK) is not None


def _why_not_asked(outcomes: Sequence[AnyOutcome]) -> str | None:
    """Return why no outcome was asked for: the first one's reason, or that there is nothing to ask; None where one was."""
    reasons = [outcome.reason.value for outcome in outcomes if isinstance(outcome, Unjudged) and not is_asked(outcome)]
    if len(reasons) < len(outcomes):
        return None
    return reasons[0] if reasons else "no_propositions"


def _failures(outcomes: Sequence[AnyOutcome]) -> list[str]:
    return [outcome.reason.value for outcome in outcomes if isinstance(outcome, Unjudged) and has_failed(outcome)]


def _is_below(rate: Rate, min_coverage: float) -> bool:
    return rate.value is not None and rate.value < min_coverage
