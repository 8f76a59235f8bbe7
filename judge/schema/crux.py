"""What `judge crux` finds out: the numbers of recorded sessions by the standard, as JSON."""

from typing import Annotated, Literal

from pydantic import Field

from judge.schema.manifests import FileFacts, GateResult
from judge.schema.rates import Rate
from judge.schema.record import Record
from judge.schema.summaries import CompositeSummary, DerivedSummary

Statistic = Literal["value", "mean", "pass_rate", "median"]
"""Of one session the value itself; of several the mean, of binary fundamentals the share of ones, of times the median."""


class SessionMetric(Record):
    """One fundamental of one session; None with a reason where it was not measured.

    `made_of` says in words what it was made of. `basis` says on what it rests: `trace`, `fixture`, `judge` (a run's), `judge, half credit`
    (a run's noise resistance with half credit where no decoy is named), `answer` (gaps that a run's answers admit), `given` (stated,
    not measured) or `automated` (nobody was there to correct). `bounds` and `ci95` are those of a judged value in the run. Times are
    in seconds, cost in US dollars.
    """

    value: float | None
    reason: str | None = None
    basis: str | None = None
    made_of: str = ""
    bounds: tuple[float, float] | None = None
    ci95: tuple[float, float] | None = None
    ci_method: str | None = None
    unit: str
    layer: str


class Spread(Record):
    """A number over several sessions; None where no session has it, with the commonest reason. `reasons` counts all that are.

    `sd` is the sample standard deviation (n - 1), None below two values and for a pass rate; `p95` the 95th percentile of times,
    interpolated between the two nearest values. `n` counts the sessions with a value, `nulls` those without. `ci95` is of a mean,
    clustered by fixture where there are several, else by session, and not clipped; where all values of a ratio are equal it is a
    Wilson interval.
    """

    value: float | None
    statistic: Statistic
    sd: float | None = None
    p95: float | None = None
    ci95: tuple[float, float] | None = None
    ci_method: str | None = None
    n: int
    nulls: int
    reason: str | None = None
    reasons: dict[str, int] = {}
    unit: str
    layer: str


class MinutesSpread(Spread):
    """A composite over several sessions.

    `by_gate` splits it by the safety gate. `active_components` and `active_weight_sum` are those of the sessions with a value, and
    None where these differ: such sessions weigh different things. `active_sets` counts the sessions by their active components and
    `bands` by the size of their value. `profile` and `formula_id` say by which of the published formulas all of them were made.
    """

    by_gate: dict[str, Spread] = {}
    weights: dict[str, int]
    active_components: tuple[str, ...] | None
    active_weight_sum: int | None
    active_sets: dict[str, int] = {}
    bands: dict[str, int] = {}
    profile: str | None = None
    formula_id: str | None = None


class MissedKey(Record):
    """Something the final output should hold and does not, and what became of the document that holds it."""

    kind: str
    key: str
    document: str | None
    fate: str


class FixtureFacts(Record):
    """Which fixture: its id and version, its file, the SHA-256 of its bytes."""

    id: str
    version: str
    name: str
    sha256: str


class SessionSummary(Record):
    """One session in numbers. `safety_tested` says whether anything put its safety to the test.

    `passed` is S_gate x [R_decision >= threshold], what SWE-bench calls resolved; None without a threshold, or where that cannot be told.
    """

    session: str
    trace: FileFacts
    recognised: str
    source: str
    agent: str | None
    model: str | None
    fixture: FixtureFacts
    safety_tested: bool
    metrics: dict[str, SessionMetric]
    derived: dict[str, DerivedSummary]
    composite: dict[str, CompositeSummary]
    missed: tuple[MissedKey, ...]
    passed: bool | None = None
    warnings: tuple[str, ...] = ()


class Clear(Record):
    """Cost in US dollars, times in seconds and efficacy as CLEAR names them. T_orient may lie within T_task, so there is no sum.

    Cost and efficacy are means, times medians; `n` counts the sessions that have each by its symbol, and None is what none has.
    """

    C_tokens_usd: float | None
    T_orient_s: float | None
    T_task_s: float | None
    Q_info: float | None
    n: dict[str, int]


class Relations(Record):
    """What other benchmarks would call the sessions of one agent on one fixture.

    A session passes with S_gate 1 and R_decision at or above `threshold`, which the standard does not set. Where either is null, or
    there is no threshold, it counts neither as passed nor as failed: `trials` of the `sessions` are those that count.
    `time_horizon_min` is T_human in minutes x the pass rate; `pass_hat_k` and `pass_at_k` are unbiased, by k from 1 to the number
    of trials. `cx_mean` and `cx_sd` are of Cx_em, over the `cx_n` sessions that have it.
    """

    fixture: FixtureFacts
    agent: str | None
    sessions: int
    threshold: float | None
    trials: int
    passed: int
    resolved_rate: float | None
    time_horizon_min: float | None
    pass_hat_k: dict[str, float]
    pass_at_k: dict[str, float]
    cx_mean: float | None
    cx_sd: float | None
    cx_n: int
    clear: Clear
    reason: str | None = None


class RunFacts(Record):
    """Which run the judged values come from. `judge_key` is a digest of who judged, whatever the label policy."""

    name: str
    judge: str
    judge_id: str
    judge_key: str
    policy: str
    complete: bool
    coverage: dict[str, Rate]
    judge_cost_usd: float | None
    agents: tuple[str, ...]
    has_llm_judge: bool


class CruxSummary(Record):
    """Recorded sessions by the standard.

    Of a single session `metrics` and `composite` are its own; of several they hold the spread over them. `derived` likewise. `sessions`
    holds each one whole. `pass_hat_k` and `pass_at_k` are means over fixtures, empty where the sessions are of several agents. The
    same files give the same bytes.
    """

    format: int = 1
    metrics_version: str
    signals_version: str
    null_policy: str
    assume_safe: bool
    run: RunFacts | None
    metrics: dict[str, SessionMetric | Spread]
    derived: dict[str, DerivedSummary | Spread]
    composite: dict[str, CompositeSummary | MinutesSpread]
    sessions: Annotated[tuple[SessionSummary, ...], Field(min_length=1)]
    relations: tuple[Relations, ...]
    pass_hat_k: dict[str, float]
    pass_at_k: dict[str, float]
    gates: tuple[GateResult, ...] = ()
    warnings: tuple[str, ...] = ()
    disclosure: str
