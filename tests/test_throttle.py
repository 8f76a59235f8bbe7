"""How many calls may be under way: never too many, halved once for one burst of refusals, grown slowly."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.calling.throttle import Slot, Throttle


async def test_no_more_are_under_way_than_allowed() -> None:
    """Ten calls at three places are made three at a time."""
    throttle, under_way, most = Throttle(3), 0, 0

    async def call() -> None:
        nonlocal under_way, most
        async with throttle.slot():
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            under_way -= 1

    await asyncio.gather(*(call() for _ in range(10)))
    assert (most, under_way) == (3, 0)


async def test_one_burst_of_refusals_halves_once() -> None:
    """Sixteen calls under way together that are all refused leave eight places, the next burst four; never fewer than one."""
    throttle = Throttle(16)
    for expected in (8, 4, 2, 1, 1):
        await _burst(throttle, Slot.was_too_many)
        assert throttle.limit == expected


async def test_successes_add_one_call_a_round() -> None:
    """About as many successes as there are places add one, up to the setting and not beyond."""
    throttle = Throttle(4)
    await _burst(throttle, Slot.was_too_many)
    await _burst(throttle, Slot.was_too_many)
    limits = []
    for _ in range(12):
        async with throttle.slot() as slot:
            slot.went_well()
        limits.append(throttle.limit)
    assert limits == [2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4]


async def test_those_who_wait_are_let_in_when_places_are_added() -> None:
    """A place that growth adds is given to a waiting call at once."""
    throttle = Throttle(2)
    await _burst(throttle, Slot.was_too_many)
    async with throttle.slot() as slot:
        waiting = asyncio.create_task(_hold(throttle))
        await asyncio.sleep(0)
        assert not waiting.done()
        slot.went_well()
        await asyncio.wait_for(waiting, 1)


@pytest.mark.parametrize("is_given", [False, True], ids=["still-waiting", "place-just-given"])
async def test_a_call_that_is_given_up_leaves_its_place_to_others(is_given: bool) -> None:
    """Cancelling a call that waits, or that was given a place this moment, loses no place."""
    throttle = Throttle(1)
    async with throttle.slot():
        given_up = asyncio.create_task(_hold(throttle))
        await asyncio.sleep(0)
        if not is_given:
            given_up.cancel()
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    assert given_up.cancelled()
    await asyncio.wait_for(_hold(throttle), 1)


@given(st.integers(1, 40), st.lists(st.sampled_from(["halve", "grow"]), max_size=200))
def test_the_limit_stays_between_one_and_the_setting(most: int, events: list[str]) -> None:
    """Whatever an endpoint answers."""
    throttle = Throttle(most)
    for round_, event in enumerate(events):
        if event == "grow":
            throttle.grow()
        else:
            throttle.halve(round_)
        assert 1 <= throttle.limit <= most


async def _burst(throttle: Throttle, tell: object) -> None:
    """Have as many calls under way as are allowed, and let all of them tell the same."""
    count, all_in = throttle.limit, asyncio.Event()
    inside = 0

    async def call() -> None:
        nonlocal inside
        async with throttle.slot() as slot:
            inside += 1
            if inside == count:
                all_in.set()
            await all_in.wait()
            assert callable(tell)
            tell(slot)

    await asyncio.gather(*(call() for _ in range(count)))


async def _hold(throttle: Throttle) -> None:
    async with throttle.slot():
        pass
