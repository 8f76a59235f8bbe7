"""An endpoint that goes away in the middle of a run."""

import threading
import time
from pathlib import Path

from tests.endpoint.server import Endpoint
from tests.runs.items import trams
from tests.runs.running import Bench, wait_until, written


def test_a_short_outage_costs_nothing_but_time(tmp_path: Path) -> None:
    """The endpoint is gone for two seconds with sixteen calls under way: the run waits, asks on, and is complete."""
    with Endpoint() as endpoint:
        undisturbed = Bench(endpoint, tmp_path / "undisturbed").score(trams(40))
    endpoint = Endpoint(latency=0.05).start()
    port = int(endpoint.url.rsplit(":", 1)[1].partition("/")[0])
    back: list[Endpoint] = []

    def interrupt() -> None:
        wait_until(lambda: endpoint.calls() >= 50)
        endpoint.stop()
        time.sleep(2)
        back.append(Endpoint(port=port).start())

    outage = threading.Thread(target=interrupt)
    outage.start()
    result = Bench(endpoint, tmp_path / "disturbed").score(trams(40))
    outage.join()
    back[0].stop()
    assert result.exit_code == 0
    assert written(result).results == written(undisturbed).results
    assert back[0].calls() > 0


def test_an_endpoint_that_goes_away_for_good_stops_the_run_resumable(tmp_path: Path) -> None:
    """The run ends by itself, incomplete, within its deadline; the same command finishes what is missing and pays for nothing twice."""
    endpoint = Endpoint(latency=0.02).start()
    port = int(endpoint.url.rsplit(":", 1)[1].partition("/")[0])

    def interrupt() -> None:
        wait_until(lambda: endpoint.calls() >= 40)
        endpoint.stop()

    outage = threading.Thread(target=interrupt)
    outage.start()
    result = Bench(endpoint, tmp_path).score(trams(20), max_connections=4, deadline=3)
    outage.join()
    answered = endpoint.calls()
    assert (result.exit_code, result.summary.complete) == (3, False)
    assert result.manifest.stopped is not None
    assert "did not reach the endpoint" in result.manifest.stopped
    with Endpoint(port=port) as again:
        finished = Bench(again, tmp_path).score(trams(20))
        assert (finished.exit_code, finished.summary.complete) == (0, True)
        assert 60 <= answered + again.calls() <= 60 + 4
