"""Numbers beside the metrics that tell how an answer came by them; they feed nothing. Our own definitions, with versions."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from judge.metrics.counts import OutcomeCounts
from judge.schema.labels import Label
from judge.schema.outcomes import Outcome, Verdict
from judge.schema.results import ConflictResult
from judge.schema.summaries import DiagnosticSummary, MetricSummary

PARTIAL_CREDIT = "partial_credit"
CONFLICT_ACKNOWLEDGED = "conflict_acknowledged_rate"
DECOY_ACKNOWLEDGED = "decoy_acknowledged_rate"

_BESIDE = {PARTIAL_CREDIT: "R_proposition", CONFLICT_ACKNOWLEDGED: "R_conflict_resolution", DECOY_ACKNOWLEDGED: "R_noise_resistance"}
"""The metric beside which each stands: where that one lacks coverage, so does the diagnostic."""

VERSIONS = {PARTIAL_CREDIT: "diagnostics-v1", CONFLICT_ACKNOWLEDGED: "signals-v1", DECOY_ACKNOWLEDGED: "signals-v1"}
"""Which set of our own definitions each belongs to."""


class DiagnosticTally:
    """Collects what the diagnostics are made of: one number per item with propositions, counts for the others."""

    __slots__ = ("credits", "judged", "seen")

    def __init__(self) -> None:
        self.credits = array("d")
        self.seen = dict.fromkeys((CONFLICT_ACKNOWLEDGED, DECOY_ACKNOWLEDGED), 0)
        self.judged = dict.fromkeys(self.seen, 0)

    def add_credit(self, counts: OutcomeCounts) -> None:
        """Take over the verdicts on a fully judged item: supported less contradicted over all, never below 0; without any, nothing."""
        if counts.judged:
            self.credits.append(max(counts.supported - counts.contradicted, 0) / counts.judged)

    def add_conflicts(self, conflicts: Iterable[ConflictResult]) -> None:
        """Count the conflicts of which the answer addresses both sides, among those of which that is known."""
        for conflict in conflicts:
            self._count(CONFLICT_ACKNOWLEDGED, acknowledges(conflict))

    def add_decoys(self, outcomes: Sequence[Outcome]) -> None:
        """Count the decoys that the answer contradicts, so names only to reject, among those judged."""
        for outcome in outcomes:
            self._count(DECOY_ACKNOWLEDGED, outcome.label is Label.CONTRADICTED if isinstance(outcome, Verdict) else None)

    def absorb(self, other: "DiagnosticTally") -> None:
        """Add all of another tally."""
        self.credits.extend(other.credits)
        for name in self.seen:
            self.seen[name] += other.seen[name]
            self.judged[name] += other.judged[name]

    def summary(self, metrics: Mapping[str, MetricSummary]) -> dict[str, DiagnosticSummary]:
        """Return all of them; what was not judged, or not enough, has the reason of the metric beside it."""
        return {
            PARTIAL_CREDIT: _summary(PARTIAL_CREDIT, fsum(self.credits), len(self.credits), metrics),
            **{name: _summary(name, self.seen[name], self.judged[name], metrics) for name in self.seen},
        }

    def _count(self, name: str, is_seen: bool | None) -> None:
        if is_seen is not None:
            self.judged[name] += 1
            self.seen[name] += is_seen


def acknowledges(conflict: ConflictResult) -> bool | None:
    """Return whether the answer addresses the current side of a conflict and a superseded one; None where verdicts leave that open."""
    current = _is_addressed(conflict.current.outcome)
    superseded = [_is_addressed(side.outcome) for side in conflict.superseded]
    if current is False or not any(side is not False for side in superseded):
        return False
    return True if current and True in superseded else None


def _is_addressed(outcome: Outcome) -> bool | None:
    return outcome.label is not Label.NOT_ADDRESSED if isinstance(outcome, Verdict) else None


def _summary(name: str, total: float, n: int, metrics: Mapping[str, MetricSummary]) -> DiagnosticSummary:
    reason = metrics[_BESIDE[name]].reason
    is_null = n == 0 or reason == "coverage"
    return DiagnosticSummary(
        value=None if is_null else total / n,
        n=n,
        reason=(reason or "no_fully_judged_items") if is_null else None,
        version=VERSIONS[name],
    )
