"""What a leaderboard is made from, and what it says."""

from judge.schema.definitions import Direction
from judge.schema.rates import Rate
from judge.schema.record import Record
from judge.schema.summaries import CompositeSummary, JudgeName


class Estimate(Record):
    """A value of one run with its 95 % interval, both in the unit of the value.

    `reason` says why there is no value. `ci_method` is `cluster-t` or `wilson` for a mean over items, `exact` for what was
    given and all that is made of that alone, `ends-of-inputs` where the ends of the inputs' intervals went through the formula.
    Without an interval `ci_reason` says why.
    """

    value: float | None
    reason: str | None = None
    ci95: tuple[float, float] | None = None
    ci_method: str | None = None
    ci_reason: str | None = None


class LeaderboardEntry(Record):
    """One run as far as a leaderboard needs it, wherever it comes from.

    `judge`, `policy` and `signals_version` are None where nothing was judged; the keys tell two of one name apart.
    `estimates` holds every metric, derived value and composite by symbol, `inputs` what each derived value was made of.
    `coverage` and `judge_cost_usd` speak of the judging; what the agent cost is the estimate of `C_tokens`. `asked` holds a
    digest per question with its ground truth, None where that is not known; `splits` a digest of its propositions by that key.
    `noise_half_credit` says by which rule R_noise_resistance was judged, None where it was not.
    """

    run: str
    metrics_version: str
    null_policy: str
    signals_version: str | None = None
    policy: str | None = None
    policy_key: str = ""
    judge: JudgeName | None = None
    judge_key: str = ""
    complete: bool
    estimates: dict[str, Estimate]
    inputs: dict[str, dict[str, float | None]]
    composite: dict[str, CompositeSummary]
    coverage: dict[str, Rate] = {}
    judge_cost_usd: float | None = None
    asked: frozenset[str] | None = None
    splits: dict[str, str] = {}
    noise_half_credit: bool | None = None
    disclosure: str


class Standing(Record):
    """Where one run stands.

    `rank` is 1 plus the number of runs whose interval lies wholly on the better side, `rank_range` that and the last place it
    could have: runs that cannot be told apart share a range. Both are None where `unranked` says why: `incomplete`, or the
    reason why there is no value. `components`, `weights`, `active_components`, `active_weight_sum`, `profile` and `formula_id`
    belong to the composite that ranks, `inputs` are those of the derived value or the factors of effective minutes. `S_gate` is
    None where safety was not measured. Times are in seconds, costs in US dollars: the agent's, and the judge's apart.
    """

    run: str
    rank: int | None
    rank_range: tuple[int, int] | None
    unranked: str | None
    value: float | None
    reason: str | None
    ci95: tuple[float, float] | None
    ci_method: str | None
    ci_reason: str | None
    complete: bool
    judge: JudgeName | None
    components: dict[str, float | None]
    weights: dict[str, int]
    active_components: tuple[str, ...]
    active_weight_sum: int | None
    inputs: dict[str, float | None]
    band: str | None
    profile: str | None
    formula_id: str | None
    S_gate: float | None
    T_human_s: float | None
    C_tokens_usd: float | None
    judge_cost_usd: float | None
    coverage: dict[str, Rate]


class Leaderboard(Record):
    """Runs in the order of one value, best first; those without a rank last. The order in which they were named changes nothing.

    `by` is the symbol that ranks and `by_reason` why it does; `profile` and `formula_id` are those of the composite, None where none
    ranks or no ranked run states them. `across_judges` says that judges differ and that this was allowed.
    """

    format: int = 1
    by: str
    by_reason: str
    unit: str
    layer: str
    direction: Direction
    profile: str | None
    formula_id: str | None
    metrics_version: str
    signals_version: str | None
    null_policy: str
    policy: str | None
    across_judges: bool
    standings: tuple[Standing, ...]
    warnings: tuple[str, ...]
    disclosure: str
