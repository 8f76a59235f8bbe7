"""What a command may spend: never more than it was told, whatever the calls turn out to cost."""

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.calling.budget import Budget, Purse, Tokens, cost_of
from judge.calling.transport import Call, worst_tokens
from judge.errors import CallFault
from judge.prices import dearest_price
from judge.prompt import Message
from judge.schema.judgments import Usage
from judge.schema.labels import UnjudgedReason
from judge.schema.prices import ModelPrice
from judge.schema.replies import LabelAbstentionReply

PRICE = ModelPrice(input=0.001, output=0.01)
WORST = Tokens(1000, 100)
"""Two dollars at that price."""


async def call(budget: Budget, usage: Usage | CallFault) -> None:
    """Make one call that comes to this."""
    async with budget.reserved(WORST) as reservation:
        budget.sent(reservation)
        if isinstance(usage, CallFault):
            raise usage
        budget.settle(reservation, usage)


async def calls_until_stopped(budget: Budget, usage: Usage | CallFault, most: int = 50) -> int:
    """Return how many calls fit."""
    for made in range(most):
        try:
            await call(budget, usage)
        except CallFault as fault:
            if fault.reason is UnjudgedReason.BUDGET_STOP and not fault.was_sent:
                return made
    return most


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        pytest.param(Usage(cost_usd=2.0), 5, id="each-at-its-worst"),
        pytest.param(Usage(cost_usd=0.5), 17, id="each-cheaper: the last one must still fit at its worst"),
        pytest.param(Usage(input_tokens=500, output_tokens=50), 9, id="priced-by-tokens: one dollar each"),
        pytest.param(Usage(), 5, id="unknown-usage-counts-at-its-worst"),
        pytest.param(CallFault(UnjudgedReason.DEADLINE_EXCEEDED, "late", may_be_billed=True), 5, id="may-be-billed"),
        pytest.param(CallFault(UnjudgedReason.SERVER_ERROR, "500"), 50, id="an-error-costs-nothing"),
    ],
)
async def test_dollars(usage: Usage | CallFault, expected: int) -> None:
    """Ten dollars are enough for that many calls of at most two dollars."""
    assert await calls_until_stopped(Budget(Purse(max_usd=10.0), PRICE), usage) == expected


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        pytest.param(Usage(), 3, id="replies"),
        pytest.param(CallFault(UnjudgedReason.SERVER_ERROR, "500"), 3, id="errors-are-calls-too"),
        pytest.param(CallFault(UnjudgedReason.BAD_REQUEST, "refused here", was_sent=False), 50, id="not-sent-is-no-call"),
    ],
)
async def test_calls(usage: Usage | CallFault, expected: int) -> None:
    """Three calls are three HTTP calls, whatever became of them."""
    assert await calls_until_stopped(Budget(Purse(max_calls=3)), usage) == expected


@pytest.mark.parametrize("budget", [Budget(Purse(max_calls=0)), Budget(Purse(max_usd=0.0), PRICE)], ids=["calls", "dollars"])
async def test_nothing_may_be_spent(budget: Budget) -> None:
    """Zero lets no call out."""
    assert await calls_until_stopped(budget, Usage(cost_usd=0.0)) == 0


async def test_a_model_that_costs_nothing_is_not_stopped_by_dollars() -> None:
    """Zero dollars are enough for calls that cost none."""
    budget = Budget(Purse(max_usd=0.0), ModelPrice(input=0.0, output=0.0))
    assert await calls_until_stopped(budget, Usage(input_tokens=5, output_tokens=5), most=7) == 7


async def test_a_call_that_does_not_fit_waits_for_those_under_way() -> None:
    """Of three calls at once two fit at their worst; the third goes out once one of them was cheap."""
    budget, order = Budget(Purse(max_usd=4.0), PRICE), []

    async def one(name: str) -> None:
        async with budget.reserved(WORST) as reservation:
            budget.sent(reservation)
            order.append(f"{name} begins")
            await asyncio.sleep(0.01)
            budget.settle(reservation, Usage(cost_usd=0.1))
            order.append(f"{name} ends")

    await asyncio.gather(one("a"), one("b"), one("c"))
    assert order.index("c begins") > order.index("a ends")


async def test_a_call_that_never_went_out_costs_nothing() -> None:
    """A call that was given up while it waited is neither counted nor paid."""
    budget = Budget(Purse(max_calls=1, max_usd=2.0), PRICE)
    with pytest.raises(asyncio.CancelledError):
        async with budget.reserved(WORST):
            raise asyncio.CancelledError
    assert await calls_until_stopped(budget, Usage(cost_usd=2.0)) == 1


@given(st.lists(st.floats(0, 2), min_size=1, max_size=60), st.floats(0, 30), st.integers(0, 2**16))
def test_never_more_than_the_budget(costs: list[float], limit: float, seed: int) -> None:
    """Whatever calls cost up to their worst, and in whatever order they end, the sum stays within the budget."""
    spent = 0.0
    refused: set[UnjudgedReason] = set()

    async def run() -> None:
        budget, pauses = Budget(Purse(max_usd=limit), PRICE), random.Random(seed)

        async def one(cost: float) -> None:
            nonlocal spent
            try:
                async with budget.reserved(WORST) as reservation:
                    budget.sent(reservation)
                    for _ in range(pauses.randrange(4)):
                        await asyncio.sleep(0)
                    spent += cost
                    budget.settle(reservation, Usage(cost_usd=cost))
            except CallFault as fault:
                refused.add(fault.reason)

        await asyncio.gather(*(one(cost) for cost in costs))

    asyncio.run(run())
    assert spent <= limit + 1e-9
    assert refused <= {UnjudgedReason.BUDGET_STOP}


@pytest.mark.parametrize(
    ("usage", "price", "expected"),
    [
        (Usage(input_tokens=1000, output_tokens=100), PRICE, 2.0),
        (Usage(input_tokens=None, output_tokens=100), PRICE, None),
        (Usage(input_tokens=1000, output_tokens=100), None, None),
        (Usage(input_tokens=1000, output_tokens=100), ModelPrice(input=0.001), None),
        (Usage(input_tokens=1000, output_tokens=100), ModelPrice(input=0.0, output=0.0), 0.0),
    ],
)
def test_cost_of_tokens(usage: Usage, price: ModelPrice | None, expected: float | None) -> None:
    """What is not known is unknown, and nothing is free because of it."""
    assert cost_of(usage, price) == expected


def test_no_token_is_shorter_than_a_byte() -> None:
    """The worst case of a call counts every byte of its messages, in any script, and the form of the reply beside them."""
    text = "Київ 東京 🚋" * 100
    tokens = worst_tokens(Call([Message("user", text)], LabelAbstentionReply, {"max_tokens": 1234}))
    assert tokens.output == 1234
    assert tokens.input > len(text.encode()) + 1000


def test_the_dearest_price_holds_for_long_prompts_and_hidden_reasoning() -> None:
    """A model's list may name tiers; the worst case is the dearest of them, and batches and priorities are none of ours."""
    models = {
        "p/m": {
            "input_cost_per_token": 1e-6,
            "input_cost_per_token_above_200k_tokens": 2e-6,
            "input_cost_per_token_priority": 9e-6,
            "output_cost_per_token": 3e-6,
            "output_cost_per_reasoning_token": 5e-6,
            "output_cost_per_token_above_200k_tokens": 4e-6,
        },
        "p/free": {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
    }
    assert dearest_price(models, "p/m") == ModelPrice(input=2e-6, output=5e-6)
    assert dearest_price(models, "p/free") is None
    assert dearest_price(models, "p/unlisted") is None
