"""When an endpoint counts as away, and how it is found to be back."""

import time

import pytest

from judge.calling.breaker import FAILURES_IN_A_ROW, FIRST_PAUSE, Breaker
from judge.errors import CallFault
from judge.schema.labels import UnjudgedReason

AWAY = CallFault(UnjudgedReason.NETWORK_ERROR, "refused")


async def call(breaker: Breaker, fault: CallFault | None = None, seconds: float = 60.0) -> CallFault | None:
    """Make one call that comes to this; return the fault it met, its own or the breaker's."""
    try:
        async with breaker.passing(time.monotonic() + seconds):
            if fault is not None:
                raise fault
    except CallFault as met:
        return met
    return None


async def test_an_endpoint_that_never_answered_is_given_up_after_five_failures() -> None:
    """The sixth call does not go out, and says why."""
    breaker = Breaker()
    for _ in range(FAILURES_IN_A_ROW):
        assert await call(breaker, AWAY) is AWAY
    met = await call(breaker)
    assert met is not None
    assert (met.reason, met.was_sent, met.retryable) == (UnjudgedReason.NETWORK_ERROR, False, False)
    assert "5 calls in a row did not reach the endpoint, none was ever answered: refused" in met.detail


@pytest.mark.parametrize(
    "between",
    [None, CallFault(UnjudgedReason.SERVER_ERROR, "500"), CallFault(UnjudgedReason.RATE_LIMITED, "429")],
    ids=["a-reply", "a-server-error", "a-rate-limit"],
)
async def test_an_answer_of_any_kind_begins_a_new_count(between: CallFault | None) -> None:
    """Four failures, an answer and four failures leave the endpoint reachable."""
    breaker = Breaker()
    for fault in [AWAY] * 4 + [between] + [AWAY] * 4:
        await call(breaker, fault)
    assert await call(breaker) is None


@pytest.mark.parametrize(
    "between",
    [CallFault(UnjudgedReason.DEADLINE_EXCEEDED, "late"), CallFault(UnjudgedReason.BAD_REQUEST, "refused here", was_sent=False)],
    ids=["no-reply", "not-sent"],
)
async def test_what_is_no_answer_begins_none(between: CallFault) -> None:
    """Neither a call without a reply nor one that was not sent says that the endpoint is there."""
    breaker = Breaker()
    for fault in [AWAY] * 4 + [between, AWAY]:
        await call(breaker, fault)
    assert await call(breaker) is not None


async def test_an_endpoint_that_answered_before_is_waited_for() -> None:
    """After a pause one call finds out that it is back, and everybody goes on."""
    breaker = Breaker()
    await call(breaker)
    for _ in range(FAILURES_IN_A_ROW):
        await call(breaker, AWAY)
    before = time.monotonic()
    assert await call(breaker) is None
    assert time.monotonic() - before >= FIRST_PAUSE * 0.9
    assert await call(breaker, seconds=0) is None


async def test_no_call_waits_beyond_its_deadline() -> None:
    """A call whose judgment ends before the next probe is given up unsent."""
    breaker = Breaker()
    await call(breaker)
    for _ in range(FAILURES_IN_A_ROW):
        await call(breaker, AWAY)
    met = await call(breaker, seconds=0.2)
    assert met is not None
    assert (met.reason, met.was_sent) == (UnjudgedReason.NETWORK_ERROR, False)
    assert "stayed away until the deadline: refused" in met.detail


async def test_an_endpoint_that_stays_away_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probes after 1, 2, 4 and 8 seconds fail; the next would come after more than half a minute."""
    clock = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    breaker = Breaker()
    await call(breaker)
    for _ in range(FAILURES_IN_A_ROW):
        await call(breaker, AWAY)
    probes = 0
    for pause in (1, 2, 4, 8, 8, 8):
        clock[0] += pause
        met = await call(breaker, AWAY)
        if met is not AWAY:
            break
        probes += 1
    assert probes == 5
    assert met is not None
    assert "the endpoint was away for 23 s: refused" in met.detail
