"""The content of `summary.json`."""

from typing import Any, Literal

from pydantic import SerializerFunctionWrapHandler, model_serializer

from judge.schema.corrections import Correction
from judge.schema.panels import PanelSummary
from judge.schema.rates import Rate
from judge.schema.record import Record


class MetricSummary(Record):
    """One metric over a run.

    `value` is the mean over the `n` items in which it is known; `nulls` counts the items in which it should be known and
    is not. `bounds` treat every unjudged part as worst and as best. `ci95` is not clipped to [0, 1]; `ci_method` is
    `one-cluster` where a single cluster allows none. `reason` says why `value` is None.

    `basis` says on what a value rests besides judged propositions: `answer` for gaps that the answers admit; for marks
    `sources`, `reference`, or `reference; K of N also sources` by how many of the marked items listed sources; `half credit
    if no decoy is named` for a noise resistance by that option; `trace` for what the session did, `automated` for N_corrections 0
    because nobody was there to correct, and `given` for anything else that a run record states. Of the latter three `n` and `nulls`
    are 0, and the unit is the fundamental's: seconds for T_*, US dollars for C_tokens, counts for N_*.
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
    basis: str | None = None


class DerivedSummary(Record):
    """A value computed from metrics; None, with a reason, where the null policy says so.

    `bounds` let every input range over what it could be, a missing one over all it can be; None where a side is unbounded.
    `basis` is `given` for a value that could not be computed and was taken from a run record; where the known inputs leave its whole
    range open, its `bounds` are the value. `layer` says what it speaks of: `pipeline`, `llm` or `agent`.
    """

    value: float | None
    inputs: dict[str, float | None]
    reason: str | None = None
    bounds: tuple[float, float] | None = None
    layer: str
    basis: Literal["given"] | None = None


class CompositeSummary(Record):
    """A composite: the weighted mean of its components, or effective minutes (Em) made from one.

    `components` that are None are left out of the mean; `reasons` says why each is None. `active_weight_sum` is the weight of
    the others and `redistributed_weight` what the missing ones left to them. `bounds` give every missing component its full
    weight and its full range; None where a side is unbounded. `factors` (Em only) multiply to the value: S_gate, the weighted
    mean, T_human in minutes, the factor of the corrections, and C_efficiency where it applies. `band` names the size of a value in
    Em. `layer` is `agent`, though every composite combines the layers llm and agent. `profile` and `formula_id` say by which of the
    published formulas it was made; None where a file does not tell.
    """

    value: float | None
    reason: str | None = None
    components: dict[str, float | None]
    reasons: dict[str, str]
    weights: dict[str, int]
    active_components: tuple[str, ...]
    active_weight_sum: int
    redistributed_weight: int
    bounds: tuple[float, float] | None
    unit: Literal["ratio", "Em"]
    layer: str
    factors: dict[str, float | None] | None = None
    band: Literal["unsafe", "low", "routine", "significant", "complex"] | None = None
    profile: str | None = None
    formula_id: str | None = None


class DiagnosticSummary(Record):
    """A number of our own beside the metrics, in [0, 1]; it feeds nothing. `n` counts what it is a share of or a mean over.

    `partial_credit` is the mean over items of supported less contradicted over all propositions, at least 0;
    `conflict_acknowledged_rate` the share of conflicts of which the answer addresses the current and a superseded side;
    `decoy_acknowledged_rate` the share of decoys that it contradicts. `version` names the definition.
    """

    value: float | None
    n: int
    reason: str | None = None
    version: str


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
    diagnostics: dict[str, DiagnosticSummary] = {}
    labels: dict[str, int]
    abstentions: dict[str, int]
    unjudged: dict[str, int]
    complete: bool


_ONLY_WHERE_GIVEN = frozenset({"corrected", "panel"})


class Summary(Record):
    """A run in numbers. Two runs with the same inputs and judge in which all was judged give the same bytes.

    `signals_version` names this project's own definitions of the judge signals, which the standard leaves open. `panel` is there
    where several judges spoke, `corrected` where a calibration was given: rates with the judge's known errors taken out.
    """

    format: int = 1
    metrics_version: str
    signals_version: str
    null_policy: str
    policy: str
    complete: bool
    judge: JudgeName
    items: ItemCounts
    coverage: dict[str, Rate]
    metrics: dict[str, MetricSummary]
    derived: dict[str, DerivedSummary]
    composite: dict[str, CompositeSummary] = {}
    diagnostics: dict[str, DiagnosticSummary] = {}
    labels: dict[str, int]
    abstentions: dict[str, int]
    unjudged: dict[str, int]
    by_agent: dict[str, Scorecard]
    corrected: Correction | None = None
    usage: UsageSummary
    panel: PanelSummary | None = None
    disclosure: str

    @model_serializer(mode="wrap")
    def _without_absent(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what a run has no part in, so that runs without it keep their bytes."""
        fields: dict[str, Any] = handler(self)
        return {name: value for name, value in fields.items() if value is not None or name not in _ONLY_WHERE_GIVEN}
