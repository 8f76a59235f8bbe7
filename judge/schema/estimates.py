"""What a run will take, worked out before it begins."""

from typing import Literal

from pydantic import Field

from judge.schema.manifests import InputFacts
from judge.schema.prices import ModelPrice
from judge.schema.record import Record

NoCalls = Literal["baseline", "replay", "offline"]
"""Why a run makes no call: its judge is the offline baseline, a recorded run, or --offline forbids it."""


class Spending(Record):
    """HTTP calls, the tokens they send and receive, and US dollars. A cost of None is unknown; it is 0 where no call is made."""

    calls: int = Field(ge=0)
    input_tokens: int = Field(ge=0)
    output_tokens: int = Field(ge=0)
    cost_usd: float | None = Field(ge=0, allow_inf_nan=False)


class RequestEstimate(Record):
    """Requests of one kind or of all, equal ones once: those there already, and what the rest, `to_make`, takes.

    `from_journal` and `from_cache` count requests that the run folder or the cache has answered. `typical` takes one call a
    request and a reply of ordinary length; `at_most` takes every call that a judgment may make, each of them as large as it can be.
    `is_estimated` says that the number of requests rests on ground truths whose propositions are not known yet.
    """

    requests: int = Field(ge=0)
    from_journal: int = Field(ge=0)
    from_cache: int = Field(ge=0)
    to_make: int = Field(ge=0)
    is_estimated: bool
    typical: Spending
    at_most: Spending


class SplitEstimate(Record):
    """Distinct ground truths by where their propositions come from; items that bring propositions along are not among them.

    `frozen` ones stand in a propositions file, `split_before` in the run folder's journal or the cache. `to_split` ones are not
    known: `estimated_propositions` is how many are expected of them. `too_long` ones are never sent.
    """

    frozen: int = Field(ge=0)
    split_before: int = Field(ge=0)
    to_split: int = Field(ge=0)
    estimated_propositions: int = Field(ge=0)
    too_long: int = Field(ge=0)


class PriceFacts(Record):
    """The price that the costs rest on, in US dollars a token, and the list it stands in; `price` None is unknown."""

    model: str
    price: ModelPrice | None
    source: str


class BudgetCheck(Record):
    """Whether a bound holds what the run takes; None where the cost is unknown.

    Dollars hold the typical case only if they leave `headroom_usd` for the last call: each one must fit at its worst before it goes out.
    """

    setting: Literal["budget_usd", "max_calls"]
    limit: float = Field(ge=0, allow_inf_nan=False)
    typical_fits: bool | None
    at_most_fits: bool | None


class JudgeEstimate(Record):
    """What one judge of a panel takes, at the prices of its own model; the fields are those of `Estimate`."""

    judge: str
    judge_id: str
    no_calls: NoCalls | None
    kinds: dict[str, RequestEstimate]
    total: RequestEstimate
    price: PriceFacts | None
    headroom_usd: float | None = Field(ge=0, allow_inf_nan=False)


class Estimate(Record):
    """What `judge score --estimate` prints. `kinds` holds an estimate by kind of request, `total` their sums.

    Of a panel they are sums over its `judges`, which are empty for one judge; `price` is None then, and stands with each of them.

    `no_calls` says why nothing will be called, and is None where a model is asked. `price` is also None where nothing is called.
    `too_long` counts items of which some request would hold more characters than are allowed: it is not sent, and in no count.
    `headroom_usd` is the most that a budget reserves for the first call of any request, None where the price is unknown.
    """

    format: Literal[1] = 1
    input: InputFacts
    judge: str
    judge_id: str
    run_folder: str
    no_calls: NoCalls | None
    too_long: int = Field(ge=0)
    splits: SplitEstimate
    kinds: dict[str, RequestEstimate]
    total: RequestEstimate
    price: PriceFacts | None
    headroom_usd: float | None = Field(ge=0, allow_inf_nan=False)
    budgets: tuple[BudgetCheck, ...]
    judges: tuple[JudgeEstimate, ...] = ()
    warnings: tuple[str, ...]
