"""The content of `summary.json`."""

from judge.schema.rates import Rate
from judge.schema.record import Record


class MetricSummary(Record):
    """One metric over a run.

    `value` is the mean over the `n` items in which it is known; `nulls` counts the items in which it should be known and
    is not. `bounds` treat every unjudged part as worst and as best. `ci95` is not clipped to [0, 1]; `ci_method` is
    `one-cluster` where a single cluster allows none. `reason` says why `value` is None.
    """

    value: float | None
    n: int
    nulls: int
    reason: str | None = None
    bounds: tuple[float, float] | None = None
    ci95: tuple[float, float] | None = None
    ci_method: str | None = None
    pooled: Rate | None = None
    layer: str


class DerivedSummary(Record):
    """A value computed from metrics; None, with a reason, where the null policy says so."""

    value: float | None
    inputs: dict[str, float | None]
    reason: str | None = None


class ItemCounts(Record):
    """How many items are in each state."""

    total: int
    judged: int
    partly_judged: int
    unjudged: int
    no_propositions: int


class JudgeName(Record):
    """How the judge was named, and the SHA-256 of its identities."""

    spec: str
    id: str


class UsageSummary(Record):
    """What the judgments cost when they were made; None where any judgment's figure is unknown."""

    judgments: int
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None


class Scorecard(Record):
    """All numbers of one group of items: a whole run, or one agent of it.

    `labels` counts the verdicts on propositions that enter a rate; `abstentions` counts what the answers do;
    `unjudged` counts what failed, by reason.
    """

    items: ItemCounts
    coverage: dict[str, Rate]
    metrics: dict[str, MetricSummary]
    derived: dict[str, DerivedSummary]
    labels: dict[str, int]
    abstentions: dict[str, int]
    unjudged: dict[str, int]
    complete: bool


class Summary(Record):
    """A run in numbers. Two runs with the same inputs and judge in which all was judged give the same bytes."""

    format: int = 1
    metrics_version: str
    null_policy: str
    policy: str
    complete: bool
    judge: JudgeName
    items: ItemCounts
    coverage: dict[str, Rate]
    metrics: dict[str, MetricSummary]
    derived: dict[str, DerivedSummary]
    composite: dict[str, DerivedSummary] = {}
    labels: dict[str, int]
    abstentions: dict[str, int]
    unjudged: dict[str, int]
    by_agent: dict[str, Scorecard]
    usage: UsageSummary
    disclosure: str
