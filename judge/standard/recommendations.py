"""What a pattern in the diagnostics suggests to change. The rules are the standard's; thresholds that it leaves open are ours."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from judge.schema.campaign_events import Search
from judge.schema.campaigns import FloorAttempt
from judge.schema.diagnostics import Dimension

TRIAGE_PRECISION_BELOW = 0.40
SEARCHES_ABOVE = 15
REFINEMENT_AT_MOST = 0.25
FIRST_SIGNAL_SHARE_ABOVE = 0.50
TEMPORAL_RECALL_BELOW = 0.50
RECOVERY_BELOW = 0.30
CONTEXT_TIMES_BUDGET_ABOVE = 2
_WIPED_ARM = "T1"


class DiagnosedFloor(NamedTuple):
    """An attempt as the rules see it; `arm` is its own, else that of the campaign."""

    attempt: FloorAttempt
    dimensions: Mapping[str, Dimension]
    arm: str | None

    def value(self, dimension: str, metric: str) -> float | None:
        """Return a sub-metric, None where it has no value."""
        return self.dimensions[dimension].sub_metrics[metric].value

    @property
    def searches(self) -> int | None:
        """How many searches there were, None where that was not recorded."""
        if self.attempt.events is not None:
            return sum(isinstance(event, Search) for event in self.attempt.events)
        return None if self.attempt.diagnostics is None else self.attempt.diagnostics.retrieval.search_count


Numbers = dict[str, float]
"""What made a rule fire, by name."""


class Rule(NamedTuple):
    """A pattern, what is recommended where it shows, and the configuration to change; `key` is the flag or parameter in it.

    `fires` returns the numbers that show the pattern, or None. A number that is missing never fires anything.
    """

    name: str
    pattern: str
    threshold: str
    recommendation: str
    config: str
    key: str | None
    fires: Callable[[DiagnosedFloor], Numbers | None]


def _low_triage(floor: DiagnosedFloor) -> Numbers | None:
    precision = floor.value("retrieval", "triage_precision")
    return {"triage_precision": precision} if precision is not None and precision < TRIAGE_PRECISION_BELOW else None


def _many_searches(floor: DiagnosedFloor) -> Numbers | None:
    searches, refined = floor.searches, floor.value("retrieval", "query_refinement_rate")
    if searches is None or refined is None or searches <= SEARCHES_ABOVE or refined > REFINEMENT_AT_MOST:
        return None
    return {"searches": float(searches), "query_refinement_rate": refined}


def _slow_signal(floor: DiagnosedFloor) -> Numbers | None:
    share, turn = floor.value("retrieval", "first_signal_share"), floor.value("retrieval", "time_to_first_signal")
    if share is None or turn is None or share <= FIRST_SIGNAL_SHARE_ABOVE:
        return None
    return {"time_to_first_signal": turn, "first_signal_share": share}


def _temporal_recall(floor: DiagnosedFloor) -> Numbers | None:
    recall = floor.value("retrieval", "recall")
    return {"recall": recall} if floor.attempt.temporal and recall is not None and recall < TEMPORAL_RECALL_BELOW else None


def _poor_recovery(floor: DiagnosedFloor) -> Numbers | None:
    rate = floor.value("memory", "recovery_rate")
    is_wiped_arm = floor.arm is not None and floor.arm.strip().upper() == _WIPED_ARM
    return {"recovery_rate": rate} if is_wiped_arm and rate is not None and rate < RECOVERY_BELOW else None


def _stuffed_context(floor: DiagnosedFloor) -> Numbers | None:
    loaded, budget = floor.attempt.context_tokens, floor.attempt.context_budget_tokens
    if loaded is None or budget is None or loaded <= CONTEXT_TIMES_BUDGET_ABOVE * budget:
        return None
    return {"context_tokens": float(loaded), "budget_tokens": float(budget)}


RULES = (
    Rule(
        "low_triage_precision",
        "Triage precision < 40%",
        f"triage_precision < {TRIAGE_PRECISION_BELOW:.2f}",
        "Enable cross-encoder reranking",
        "FEATURE_CROSS_ENCODER_RERANK",
        "FEATURE_CROSS_ENCODER_RERANK",
        _low_triage,
    ),
    Rule(
        "many_searches_low_refinement",
        "Many searches, low refinement",
        f"searches > {SEARCHES_ABOVE} and query_refinement_rate <= {REFINEMENT_AT_MOST:.2f}",
        "Enable HyDE query expansion",
        "FEATURE_DQP_HYDE_RETRIEVAL",
        "FEATURE_DQP_HYDE_RETRIEVAL",
        _many_searches,
    ),
    Rule(
        "slow_first_signal",
        "Slow first signal (>50% turns)",
        f"first_signal_share > {FIRST_SIGNAL_SHARE_ABOVE:.2f}",
        "Increase retrieval topK",
        "RETRIEVAL_LIMIT: 8 → 20",
        "RETRIEVAL_LIMIT",
        _slow_signal,
    ),
    Rule(
        "low_recall_on_temporal_corpus",
        "Low recall on temporal corpus",
        f"recall < {TEMPORAL_RECALL_BELOW:.2f} on a floor marked temporal",
        "Enable temporal surface",
        "FEATURE_SURFACE_VERSION_CHAIN",
        "FEATURE_SURFACE_VERSION_CHAIN",
        _temporal_recall,
    ),
    Rule(
        "poor_wipe_recovery",
        "Wipe recovery < 30% on T1",
        f"recovery_rate < {RECOVERY_BELOW:.2f} in arm {_WIPED_ARM}",
        "Switch to T2 (persistent memory)",
        "Arm change",
        None,
        _poor_recovery,
    ),
    Rule(
        "context_stuffing",
        "Context-stuffing > 2x budget",
        f"context_tokens > {CONTEXT_TIMES_BUDGET_ABOVE} x context_budget_tokens",
        "Switch to tool-mediated retrieval",
        "Arm change",
        None,
        _stuffed_context,
    ),
)
"""In the order of the standard."""
