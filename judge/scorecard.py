"""From item results to the numbers of a run: a table that remembers a few numbers per item, never the results."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from math import fsum
from typing import Literal

from judge.metrics.abstention import abstained
from judge.metrics.counts import OutcomeCounts, count_outcomes
from judge.schema.labels import NOT_A_FAILURE, AbstentionValue, Flag, ItemState, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionVerdict, Mark, Outcome, Unjudged, Verdict
from judge.schema.rates import Rate
from judge.schema.results import ItemResult
from judge.schema.summaries import DerivedSummary, ItemCounts, MetricSummary, Scorecard
from judge.statistics.clustering import mean_interval

NullPolicy = Literal["strict", "available"]
"""Whether a derived value needs all its inputs, or makes do with those there are."""

RECALL = "R_proposition"
CONTRADICTION = "C_contradiction"
ABSTENTION = "A_abstention"
OVER_ABSTENTION = "over_abstention_rate"
MARK = "R_judge"
CONFLICTS = "R_conflict_resolution"
NOISE = "R_noise_resistance"

_NO_ITEMS = {
    RECALL: "no_answerable_items",
    CONTRADICTION: "no_answerable_items",
    ABSTENTION: "no_unanswerable_items",
    OVER_ABSTENTION: "no_answerable_items",
    MARK: "not_asked",
    CONFLICTS: "no_conflicts",
    NOISE: "no_decoys",
}
"""The metrics, in the order of a summary, and why one has no value where no item gives a reason of its own."""

METRICS = tuple(_NO_ITEMS)
DERIVED = ("Q_proposition",)

_COVERAGE_OF = {RECALL: "propositions", CONTRADICTION: "propositions", ABSTENTION: "abstention", OVER_ABSTENTION: "abstention"}
"""Whose coverage must suffice for a metric to have a headline, where that is not the metric's own."""

ONE_CLUSTER = "one-cluster"
"""Stands for the method where there is no interval: differing values in a single cluster say nothing of any other."""

_AnyOutcome = Verdict | AbstentionVerdict | Mark | Unjudged
_TOP_MARK = 4
_UNKNOWN = (0.0, 1.0)


class ScoreTable:
    """Collects item results, in any order, and turns them into scorecards; each item must be added once."""

    def __init__(self) -> None:
        self._tallies: defaultdict[str | None, _Tally] = defaultdict(_Tally)
        self._clusters: dict[str, int] = {}
        self._lone_items = 0

    def add(self, result: ItemResult) -> None:
        """Take over the numbers of one item."""
        self._tallies[result.agent].add(result, self._cluster_number(result))

    def scorecard(self, min_coverage: float, null_policy: NullPolicy) -> Scorecard:
        """Return the numbers of all items; without items every value is None and has a reason."""
        total = _Tally()
        for tally in self._tallies.values():
            total.absorb(tally)
        return total.scorecard(min_coverage, null_policy)

    def scorecards_by_agent(self, min_coverage: float, null_policy: NullPolicy) -> dict[str, Scorecard]:
        """Return the numbers of each agent, agents sorted; items without an agent are in none of them."""
        agents = sorted(agent for agent in self._tallies if agent is not None)
        return {agent: self._tallies[agent].scorecard(min_coverage, null_policy) for agent in agents}

    def _cluster_number(self, result: ItemResult) -> int:
        """Return the number of the cluster, by the rule of `Item.cluster_key`; an item on its own needs no name, only a number."""
        if result.cluster is not None:
            key = f"c:{result.cluster}"
        elif result.question_id is not None:
            key = f"q:{result.question_id}"
        else:
            self._lone_items += 1
            return -self._lone_items
        return self._clusters.setdefault(key, len(self._clusters))


class _Column:
    """One metric over the items: known values with their clusters, bounds of the nulls, and why other items are left out."""

    __slots__ = ("clusters", "highs", "left_out", "lows", "values")

    def __init__(self) -> None:
        self.values = array("d")
        self.clusters = array("i")
        self.lows = array("d")
        self.highs = array("d")
        self.left_out: Counter[str] = Counter()

    def add(self, value: float | None, cluster: int, bounds: tuple[float, float] = _UNKNOWN, *, absence: str | None = None) -> None:
        """Add an item. Without a value it is a null within `bounds`, or left out where `absence` says why the metric does not apply."""
        if value is not None:
            self.values.append(value)
            self.clusters.append(cluster)
        elif absence is not None:
            self.left_out[absence] += 1
        else:
            self.lows.append(bounds[0])
            self.highs.append(bounds[1])

    def absorb(self, other: "_Column") -> None:
        """Add all items of another column."""
        self.values.extend(other.values)
        self.clusters.extend(other.clusters)
        self.lows.extend(other.lows)
        self.highs.extend(other.highs)
        self.left_out.update(other.left_out)

    @property
    def coverage(self) -> Rate:
        """Items with a value over items to which the metric applies."""
        return Rate(numerator=len(self.values), denominator=len(self.values) + len(self.lows))

    def summary(self, symbol: str, *, is_covered: bool, pooled: Rate | None) -> MetricSummary:
        """Return the metric over all items; one with nulls that is not covered keeps its bounds but has no headline."""
        reason = self._why_none(symbol, is_covered=is_covered)
        interval = None if reason else mean_interval(self.values, self.clusters)
        return MetricSummary(
            value=None if reason else fsum(self.values) / len(self.values),
            n=len(self.values),
            nulls=len(self.lows),
            reason=reason,
            bounds=self._bounds(),
            ci95=None if interval is None else (interval.low, interval.high),
            ci_method=interval.method if interval is not None else None if reason else ONE_CLUSTER,
            pooled=pooled,
            layer="llm",
        )

    def _why_none(self, symbol: str, *, is_covered: bool) -> str | None:
        if not self.values and not self.lows:
            # The commonest reason speaks for all; of equally common ones the first by name, whatever the order of items.
            return min(self.left_out, key=lambda reason: (-self.left_out[reason], reason), default=_NO_ITEMS[symbol])
        if self.lows and not is_covered:
            return "coverage"
        return None if self.values else "no_fully_judged_items"

    def _bounds(self) -> tuple[float, float] | None:
        applicable = len(self.values) + len(self.lows)
        if not applicable:
            return None
        return fsum(chain(self.values, self.lows)) / applicable, fsum(chain(self.values, self.highs)) / applicable


class _Tally:
    """The numbers of one group of items."""

    def __init__(self) -> None:
        self.columns = {symbol: _Column() for symbol in _NO_ITEMS}
        self.states: Counter[str] = Counter()
        self.labels: Counter[str] = Counter({label.value: 0 for label in Label})
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
        if result.decoys:
            decoys = [decoy.outcome for decoy in result.decoys]
            self._count(decoys, "statements")
            # Resisting noise is worth something in an answer that engages, so what tells engagement must have been asked too.
            tells = [result.abstention] if result.answerable is False else propositions
            self._enter(NOISE, result, cluster, _why_not_asked(decoys) or _why_not_asked(tells))
        if result.gaps:
            self._count([gap.outcome for gap in result.gaps], "statements")

    def absorb(self, other: "_Tally") -> None:
        """Add all items of another tally."""
        for symbol, column in self.columns.items():
            column.absorb(other.columns[symbol])
        self.states.update(other.states)
        self.labels.update(other.labels)
        self.abstentions.update(other.abstentions)
        self.unjudged.update(other.unjudged)
        self.judged.update(other.judged)
        self.asked.update(other.asked)

    def scorecard(self, min_coverage: float, null_policy: NullPolicy) -> Scorecard:
        """Return all numbers of the group."""
        coverage = self._coverage()
        metrics = {}
        for symbol, column in self.columns.items():
            # Without an entry of its own a metric rests on the statements, or on nothing at all.
            rate = coverage.get(_COVERAGE_OF.get(symbol, symbol), coverage["statements"])
            metrics[symbol] = column.summary(symbol, is_covered=not _is_below(rate, min_coverage), pooled=self._pooled(symbol))
        return Scorecard(
            items=ItemCounts(total=self.states.total(), **{state.value: self.states[state.value] for state in ItemState}),
            coverage=coverage,
            metrics=metrics,
            derived={"Q_proposition": _quality(metrics[RECALL].value, metrics[CONTRADICTION].value, null_policy)},
            labels=dict(self.labels),
            abstentions=dict(self.abstentions),
            unjudged=dict(sorted(self.unjudged.items())),
            complete=not any(_is_below(rate, min_coverage) for rate in coverage.values()),
        )

    def _coverage(self) -> dict[str, Rate]:
        """Return verdicts over what was asked, per signal, without entries that repeat another or cover nothing."""
        rates = {key: Rate(numerator=self.judged[key], denominator=self.asked[key]) for key in ("statements", "abstention")}
        rates[MARK] = self.columns[MARK].coverage
        if self.asked["propositions"] != self.asked["statements"]:
            rates["propositions"] = Rate(numerator=self.judged["propositions"], denominator=self.asked["propositions"])
        for symbol in (CONFLICTS, NOISE):
            if (rate := self.columns[symbol].coverage).denominator:
                rates[symbol] = rate
        return rates

    def _pooled(self, symbol: str) -> Rate | None:
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
        self.columns[symbol].add(result.signals.get(symbol), cluster, result.bounds.get(symbol, _UNKNOWN), absence=absence)

    def _add_propositions(self, result: ItemResult, outcomes: Sequence[Outcome], cluster: int) -> None:
        if result.answerable is False:
            # They are judged and shown, and their failures are failures, but they enter no rate.
            self._count(outcomes)
            return
        counts = self._count(outcomes, "statements", "propositions")
        self.labels[Label.SUPPORTED.value] += counts.supported
        self.labels[Label.CONTRADICTED.value] += counts.contradicted
        self.labels[Label.NOT_ADDRESSED.value] += counts.not_addressed
        absence = None if counts.asked else _why_not_asked(outcomes)
        self._enter(RECALL, result, cluster, absence)
        self._enter(CONTRADICTION, result, cluster, absence)

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
            has_abstained = None if value is None else float(value is AbstentionValue.ABSTAINED)
            self.columns[OVER_ABSTENTION if result.answerable else ABSTENTION].add(has_abstained, cluster, absence=absence)

    def _add_mark(self, result: ItemResult, cluster: int) -> None:
        mark, absence = result.mark, _why_not_asked([result.mark])
        self.unjudged.update(_failures([mark]))
        if result.answerable is False:
            self.columns[MARK].add(None, cluster, absence=absence or UnjudgedReason.NOT_ASKED.value)
        else:
            self.columns[MARK].add(mark.value / _TOP_MARK if isinstance(mark, Mark) else None, cluster, absence=absence)


def _why_not_asked(outcomes: Sequence[_AnyOutcome]) -> str | None:
    """Return why no outcome was asked for: the first one's reason, or that there is nothing to ask; None where one was."""
    reasons = [outcome.reason.value for outcome in outcomes if isinstance(outcome, Unjudged) and outcome.reason in NOT_A_FAILURE]
    if len(reasons) < len(outcomes):
        return None
    return reasons[0] if reasons else "no_propositions"


def _failures(outcomes: Sequence[_AnyOutcome]) -> list[str]:
    return [outcome.reason.value for outcome in outcomes if isinstance(outcome, Unjudged) and outcome.reason not in NOT_A_FAILURE]


def _is_below(rate: Rate, min_coverage: float) -> bool:
    return rate.value is not None and rate.value < min_coverage


def _quality(recall: float | None, contradiction: float | None, null_policy: NullPolicy) -> DerivedSummary:
    """Return Q_proposition of the run-level means; only a contradiction rate may be missing, and only where policy allows it."""
    inputs = {RECALL: recall, CONTRADICTION: contradiction}
    assumed = 0.0 if contradiction is None and null_policy == "available" else contradiction
    if recall is None or assumed is None:
        return DerivedSummary(value=None, inputs=inputs, reason="input_null")
    return DerivedSummary(value=recall * (1.0 - assumed), inputs=inputs)
