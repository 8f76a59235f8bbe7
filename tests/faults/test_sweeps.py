"""The nth operation of a run of 20 items fails, once and for good; the run is resumed and must end as if nothing had been.

Here n takes steps; the long run takes every n.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.endpoint import faults
from tests.endpoint.faults import Fault
from tests.endpoint.server import Endpoint, Rule
from tests.faults.broken_disk import Breakage, Breaking, breaking_database, breaking_files
from tests.faults.sweep import CALLS, Bed, Tally

pytestmark = [pytest.mark.faults, pytest.mark.timeout(3600)]

Recorder = Callable[[str, object], None]

IMPATIENT = 0.5
"""Seconds of deadline under a fault that stays: too few for a second send, so that a round is short."""

PATIENT = 120.0

CALL_FAULTS = {"status-500": faults.status(500), "reset": faults.closed()}
DISK_FAULTS = {"row24-files": breaking_files, "row24-cache": breaking_database}


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Bed]:
    with Endpoint() as endpoint:
        yield Bed(endpoint, tmp_path)


def sweep_calls(bed: Bed, fault: Fault, numbers: range, *, for_good: bool) -> Tally:
    """Fail the provider's call of each number, or all from it on, each in a round of its own."""
    tally = Tally()
    for number in numbers:
        bed.endpoint.reset()
        hits = range(number, 2 * CALLS) if for_good else [number]
        bed.endpoint.script(*(Rule(fault, nth=hit) for hit in hits))
        tally = tally.plus(bed.round(deadline=IMPATIENT if for_good else PATIENT))
    return tally


def sweep_disk(bed: Bed, breaking: Breaking, step: int, *, for_good: bool) -> Tally:
    """Fail the operation of each number, or all from it on, until a run passes untouched."""
    tally, number = Tally(), 1
    while True:
        breakage = Breakage(number, for_good=for_good)
        tally = tally.plus(bed.round(partial(breaking, breakage=breakage)))
        if not breakage.struck:
            return tally
        number += step


def check(tally: Tally, what: str, record_property: Recorder) -> None:
    """Record the line of a sweep and hold it to what is promised."""
    record_property("sweep", f"{what}: {tally}")
    assert tally.rounds > 1
    assert (tally.identical, tally.repeated, tally.lost) == (tally.rounds, 0, 0), f"{what}: {tally}\n" + "\n".join(tally.told)


@pytest.mark.parametrize(("name", "fault"), CALL_FAULTS.items(), ids=CALL_FAULTS.keys())
def test_any_call_may_fail_once(bed: Bed, name: str, fault: Fault, record_property: Recorder) -> None:
    """Each second of the 60 calls fails once, the odd ones by a status and the even ones by a reset."""
    first = 1 + list(CALL_FAULTS).index(name)
    check(sweep_calls(bed, fault, range(first, CALLS + 1, 2), for_good=False), f"provider call, {name}, once", record_property)


@pytest.mark.parametrize(("name", "fault"), CALL_FAULTS.items(), ids=CALL_FAULTS.keys())
def test_all_calls_from_any_on_may_fail(bed: Bed, name: str, fault: Fault, record_property: Recorder) -> None:
    """The endpoint is lost at the first call, the tenth, and so on."""
    check(sweep_calls(bed, fault, range(1, CALLS + 1, 9), for_good=True), f"provider call, {name}, for good", record_property)


@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for-good"])
@pytest.mark.parametrize(("name", "breaking"), DISK_FAULTS.items(), ids=DISK_FAULTS.keys())
def test_any_disk_operation_may_fail(bed: Bed, name: str, breaking: Breaking, for_good: bool, record_property: Recorder) -> None:
    """Opening, writing, cutting, syncing, renaming, removing a file; writing to the database of the cache."""
    how = "for good" if for_good else "once"
    check(sweep_disk(bed, breaking, 17, for_good=for_good), f"{name.removeprefix('row24-')}, {how}", record_property)


@pytest.mark.long
@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for-good"])
@pytest.mark.parametrize(("name", "fault"), CALL_FAULTS.items(), ids=CALL_FAULTS.keys())
def test_every_call_may_fail(bed: Bed, name: str, fault: Fault, for_good: bool, record_property: Recorder) -> None:
    """Every n, until the run passes untouched."""
    how = "for good" if for_good else "once"
    check(sweep_calls(bed, fault, range(1, CALLS + 2), for_good=for_good), f"provider call, {name}, {how}, every n", record_property)


@pytest.mark.long
@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for-good"])
@pytest.mark.parametrize(("name", "breaking"), DISK_FAULTS.items(), ids=DISK_FAULTS.keys())
def test_every_disk_operation_may_fail(bed: Bed, name: str, breaking: Breaking, for_good: bool, record_property: Recorder) -> None:
    """Every n, until the run passes untouched."""
    how = "for good" if for_good else "once"
    check(sweep_disk(bed, breaking, 1, for_good=for_good), f"{name.removeprefix('row24-')}, {how}, every n", record_property)
