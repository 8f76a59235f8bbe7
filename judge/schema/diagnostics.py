"""Diagnostics of an attempt at a floor: five dimensions, each made of sub-metrics."""

from typing import Literal

from judge.schema.record import Record

Kind = Literal["ratio", "turns", "count", "per_objective"]
"""A ratio lies in 0..1 and enters the score of its dimension; turns, counts and what is spent per objective are shown only."""

Basis = Literal["events", "attempt", "raw", "given"]
"""Computed from the events, from the fields of the attempt or from raw counts, or given as a rate or count as such."""

NullReason = Literal[
    "not_recorded",
    "no_document_opened",
    "no_signal_document",
    "no_search",
    "one_search",
    "no_signal_opened",
    "no_conclusion",
    "no_false_lead",
    "no_objective_attempted",
    "all_tied",
    "no_code_challenge",
    "key_not_derived",
    "no_objective_solved",
    "no_tool_call",
    "no_fact_needed",
    "no_wipe",
    "nothing_stored",
    "wipe_not_mentioned",
]
"""Why a sub-metric has no value."""


class SubMetric(Record):
    """One number with what it was made of. `contribution` is what enters the mean of the dimension: 1 - value where lower is better."""

    value: float | None
    reason: NullReason | None = None
    kind: Kind
    lower_is_better: bool = False
    contribution: float | None = None
    basis: Basis | None = None
    made_of: str


class Dimension(Record):
    """The mean of the `n` contributions of its sub-metrics, in 0..1; None where there is none."""

    score: float | None
    reason: Literal["no_ratio_measured"] | None = None
    n: int
    sub_metrics: dict[str, SubMetric]
