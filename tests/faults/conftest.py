"""One launcher of commands for all tests of the matrix in a process; an endpoint and a folder for each."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.endpoint.server import Endpoint
from tests.faults.station import Ended, Station, agrees, row_of
from tests.runs.forking import Launcher
from tests.runs.running import Bench

Shows = Callable[..., None]


@pytest.fixture(scope="session")
def launcher() -> Iterator[Launcher]:
    with Launcher() as running:
        yield running


@pytest.fixture
def station(launcher: Launcher, tmp_path: Path) -> Iterator[Station]:
    with Endpoint() as endpoint:
        yield Station(endpoint, launcher, tmp_path)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


@pytest.fixture
def shows(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Shows:
    """Hold a run against the row that the test carries, and record what it measured for the printed matrix."""

    def show(ended: Ended, **measured: object) -> None:
        for name, value in (*measured.items(), *agrees(row_of(request.node.name), ended)):
            record_property(name, value)

    return show
