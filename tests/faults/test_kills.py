"""Row 22: SIGKILL at any moment, in rounds."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.endpoint.server import Endpoint
from tests.faults.killing import KillBed, KillTally
from tests.runs.forking import Launcher

pytestmark = pytest.mark.faults

ROUNDS_OF_A_TEST = 10


def kill_in_rounds(launcher: Launcher, folder: Path, seed: int, rounds: int) -> KillTally:
    """Return what the rounds came to."""
    with Endpoint() as endpoint:
        bed = KillBed(endpoint, launcher, folder, seed)
        tally = KillTally()
        for number in range(rounds):
            tally = tally.plus(bed.round(number))
    return tally


def check(tally: KillTally, rounds: int) -> None:
    """Raise AssertionError unless every round ended as an undisturbed run does and paid twice only for what was in flight."""
    assert (tally.rounds, tally.identical, tally.lost) == (rounds, rounds, 0), str(tally)
    assert tally.kills >= rounds, str(tally)
    assert 0 <= tally.repeated <= tally.in_flight, str(tally)


@pytest.mark.parametrize("seed", [1, 2], ids=lambda seed: f"row22-seed-{seed}")
def test_killed_runs_resume_to_the_same_bytes(
    launcher: Launcher, tmp_path: Path, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Three runs on one cache, each killed and resumed, ten rounds a seed: identical results, nothing lost."""
    tally = kill_in_rounds(launcher, tmp_path, seed, ROUNDS_OF_A_TEST)
    record_property("sweep", f"kills: {tally}")
    check(tally, ROUNDS_OF_A_TEST)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(100, 120), ids=lambda seed: f"row22-seed-{seed}")
def test_killed_runs_resume_to_the_same_bytes_200_times(
    launcher: Launcher, tmp_path: Path, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """Twenty times ten rounds."""
    tally = kill_in_rounds(launcher, tmp_path, seed, ROUNDS_OF_A_TEST)
    record_property("sweep", f"kills: {tally}")
    check(tally, ROUNDS_OF_A_TEST)
