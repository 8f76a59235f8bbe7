"""Rows 1 to 8: an endpoint that refuses, fails, is not there or does not end, as the real command meets it."""

import json
import time
from collections.abc import Callable

import pytest

from judge.schema.labels import RequestKind
from tests.endpoint import faults
from tests.endpoint.faults import Fault
from tests.endpoint.server import Rule
from tests.faults.conftest import Shows
from tests.faults.station import Ended, Station, gaps
from tests.runs.items import Fields, tram, trams
from tests.runs.running import wait_until

pytestmark = pytest.mark.faults

LABEL = RequestKind.LABEL
Recorder = Callable[[str, object], None]

SENDS = 3
"""Times the same bytes are sent; the re-ask of a reply would be the fourth call, and there is no reply."""


def spoil_labels(station: Station, spoilt: dict[str, Fault]) -> list[Fields]:
    """Script a fault for the labels of an item each, and return the items, with one more that stays whole."""
    items = [tram(number) for number in range(1, len(spoilt) + 2)]
    for number, fault in enumerate(spoilt.values(), start=1):
        station.endpoint.script(Rule(fault, kind=LABEL, containing=f"tram {number}?"))
    return items


def assert_unjudged(ended: Ended, spoilt: dict[str, Fault], reason: str) -> list[str]:
    """Check that each spoilt item has its labels unjudged for the reason, its mark and the last item whole; return the details."""
    details = []
    for number, name in enumerate(spoilt, start=1):
        *labels, mark = ended.outcomes(f"tram-{number}")
        assert [outcome.get("reason") for outcome in labels] == [reason] * 4, name
        assert mark["kind"] == "verdict", name
        details.append(labels[0]["detail"])
    assert {outcome["kind"] for outcome in ended.outcomes(f"tram-{len(spoilt) + 1}")} == {"verdict"}
    assert f"{4 * len(spoilt)} {reason}" in ended.stderr
    return details


def label_calls(station: Station, count: int) -> list[int]:
    """Return how many requests for labels arrived for each of the first items."""
    return [len(station.sent(f"tram {number}?", LABEL)) for number in range(1, count + 1)]


def test_row01_a_wait_that_is_asked_for_is_kept(station: Station, shows: Shows) -> None:
    """429 with Retry-After 1: three sends, each at least a second after the one before, then unjudged; where it passes, a verdict."""
    spoilt = {"for-good": faults.rate_limited(1), "fraction": faults.rate_limited(1.5)}
    items = spoil_labels(station, spoilt)
    station.endpoint.script(Rule(faults.rate_limited(1), kind=LABEL, containing="tram 3?", first=1))
    ended = station.score(items)
    assert_unjudged(ended, spoilt, "rate_limited")
    waits = [gaps(station.sent(f"tram {number}?", LABEL)) for number in (1, 2, 3)]
    assert [len(found) for found in waits] == [SENDS - 1, SENDS - 1, 1]
    assert min(waits[0] + waits[2]) >= 1
    assert min(waits[1]) >= 1.5
    assert station.cached() == 9 - 2
    shows(ended, calls=f"{SENDS} per judgment", shortest_gap=f"{min(waits[0]):.2f} s of 1")


def test_row01_everything_is_refused(station: Station, shows: Shows) -> None:
    """With 429 for all that is asked nothing can be judged: exit 5, and nothing is kept."""
    station.endpoint.script(faults.rate_limited(0.2))
    ended = station.score(trams(1))
    assert set(ended.reasons) == {"decomposition_failed", "rate_limited"}
    assert "nothing could be judged" in ended.stderr
    assert (ended.code, station.cached()) == (5, 0)
    assert all(len(station.sent("tram 1?", kind)) <= SENDS for kind in RequestKind)
    shows(ended, calls=f"{SENDS} per judgment")


def dated(after: str | None) -> Fault:
    """Answer 429 at noon by the endpoint's clock, with a Retry-After."""
    headers = {"Date": "Wed, 21 Oct 2099 12:00:00 GMT"} | ({} if after is None else {"Retry-After": after})
    return faults.status(429, "Rate limit reached", headers=headers)


GIVEN_UP = {"86400": faults.rate_limited(86_400), "61": faults.rate_limited(61), "an-hour-later": dated("Wed, 21 Oct 2099 13:00:00 GMT")}
NOT_SAID = {
    "soon": faults.rate_limited("soon"),
    "negative": faults.rate_limited("-5"),
    "nan": faults.rate_limited("nan"),
    "infinite": faults.rate_limited("inf"),
    "an-hour-before": dated("Wed, 21 Oct 2099 11:00:00 GMT"),
    "a-past-date-by-our-clock": faults.rate_limited("Wed, 21 Oct 2015 13:00:00 GMT"),
    "absent": dated(None),
    "empty": faults.rate_limited(""),
}


def test_row02_a_wait_beyond_the_cap_is_given_up_at_once(station: Station, shows: Shows) -> None:
    """A day, a little over a minute, an hour as a date: one call each, and the detail names the wait."""
    ended = station.score(spoil_labels(station, GIVEN_UP))
    details = assert_unjudged(ended, GIVEN_UP, "rate_limited")
    assert [f"wait {seconds} s" in detail for seconds, detail in zip((86400, 61, 3600), details, strict=True)] == [True] * 3
    assert label_calls(station, 3) == [1, 1, 1]
    assert station.cached() == 12 - 3
    shows(ended, calls="1 per judgment")


def test_row02_a_wait_that_is_none_counts_as_not_said(station: Station, shows: Shows) -> None:
    """Words, negative and infinite numbers, a date that is past: the usual back-off, half a second and then one."""
    ended = station.score(spoil_labels(station, NOT_SAID))
    assert_unjudged(ended, NOT_SAID, "rate_limited")
    for number, name in enumerate(NOT_SAID, start=1):
        first, second = gaps(station.sent(f"tram {number}?", LABEL))
        assert 0.5 <= first < 10, name
        assert 1.0 <= second < 20, name
    shows(ended, calls=f"{SENDS} per judgment")


def test_row02_a_date_is_a_wait(station: Station, shows: Shows) -> None:
    """A date two seconds ahead of the endpoint's own clock, which may differ from ours by years."""
    spoilt = {"two-seconds-later": dated("Wed, 21 Oct 2099 12:00:02 GMT")}
    ended = station.score(spoil_labels(station, spoilt))
    assert_unjudged(ended, spoilt, "rate_limited")
    waits = gaps(station.sent("tram 1?", LABEL))
    assert len(waits) == SENDS - 1
    assert min(waits) >= 2
    shows(ended, calls=f"{SENDS} per judgment", shortest_gap=f"{min(waits):.2f} s of 2")


@pytest.mark.parametrize("fault", [faults.quota_exhausted(), faults.status(402, "Payment required")], ids=["row03-429", "row03-402"])
def test_an_exhausted_quota_stops_the_run(station: Station, shows: Shows, fault: Fault) -> None:
    """The ninth call is the last one: exit 4, the rest not run, and the same command resumes to the whole result."""
    station.endpoint.script(Rule(fault, nth=9))
    ended = station.score(trams(6), "--max-connections", "1")
    assert station.endpoint.calls() == 9
    assert {"not_run"} <= set(ended.reasons) <= {"not_run", "quota_exhausted"}
    assert "stopped: the quota of the endpoint is exhausted" in ended.stderr
    assert ended.summary["complete"] is False
    assert station.cached() == 8
    shows(ended, calls="1 for the one that met it")
    assert station.score(trams(6)).code == 0
    assert station.endpoint.calls() == 18 + 1


SERVER_ERRORS = {"500": faults.status(500), "502": faults.html(502), "503": faults.status(503), "529": faults.status(529)}


def test_row04_server_errors_are_sent_three_times(station: Station, shows: Shows) -> None:
    """Each status, for good: three sends with a growing wait, then unjudged; the same bytes each time."""
    ended = station.score(spoil_labels(station, SERVER_ERRORS))
    assert_unjudged(ended, SERVER_ERRORS, "server_error")
    for number in range(1, len(SERVER_ERRORS) + 1):
        sent = station.sent(f"tram {number}?", LABEL)
        first, second = gaps(sent)
        assert (first >= 0.5, second >= 1.0) == (True, True)
        assert len({json.dumps(each.body) for each in sent}) == 1
    assert station.cached() == 15 - 4
    shows(ended, calls=f"{SENDS} per judgment")


@pytest.mark.parametrize("number", [1, 2, 5, 9], ids=lambda number: f"row04-call-{number}")
def test_a_server_error_that_passes_leaves_no_trace(station: Station, number: int, record_property: Recorder) -> None:
    """Whichever call fails once, it is sent again and the run is complete, for one call more."""
    station.endpoint.script(Rule(faults.status(500), nth=number))
    ended = station.score(trams(3), "--max-connections", "1")
    assert (ended.code, station.endpoint.calls(), ended.reasons) == (0, 9 + 1, {})
    record_property("calls", f"{station.endpoint.calls()} for 9 judgments")
    record_property("exit", ended.code)


REFUSALS = {"400": faults.status(400), "404": faults.status(404), "422": faults.status(422)}


def test_row05_a_refused_request_is_sent_once(station: Station, shows: Shows) -> None:
    """Each status on one item: one call, unjudged, and the others go on."""
    ended = station.score(spoil_labels(station, REFUSALS), "--max-connections", "1")
    assert_unjudged(ended, REFUSALS, "bad_request")
    assert label_calls(station, 3) == [1, 1, 1]
    assert ended.code == 3
    assert station.cached() == 12 - 3
    shows(ended, calls="1 per judgment")


@pytest.mark.parametrize("code", [400, 404, 422], ids=lambda code: f"row05-{code}")
def test_three_refusals_at_the_start_are_a_wrong_setting(station: Station, shows: Shows, code: int) -> None:
    """Refused from the first request on: three calls, exit 2, and what the endpoint said."""
    station.endpoint.script(faults.status(code, "no such model"))
    ended = station.score(trams(10), "--max-connections", "1")
    assert (ended.code, station.endpoint.calls(), station.cached()) == (2, 3, 0)
    assert "the endpoint refused the first 3 requests" in ended.stderr
    assert "no such model" in ended.stderr
    shows(ended, calls=station.endpoint.calls())


@pytest.mark.parametrize("code", [401, 403], ids=lambda code: f"row06-{code}")
def test_a_refused_key_costs_one_call(station: Station, shows: Shows, code: int) -> None:
    """However many requests wait, one leaves: exit 2, nothing judged, nothing kept."""
    station.endpoint.script(faults.status(code, "Incorrect API key provided"))
    ended = station.score(trams(20))
    assert (ended.code, station.endpoint.calls(), station.cached()) == (2, 1, 0)
    assert set(ended.reasons) == {"not_run"}
    assert str(code) in ended.stderr
    shows(ended, calls="1 in all")


def test_row08_a_judgment_ends_at_its_deadline(station: Station, shows: Shows) -> None:
    """A reply of one byte each half second, and none at all: each is given up within the deadline of 3 s and one more."""
    spoilt = {"drip": faults.drip(0.5), "silence": faults.delay(60)}
    items = spoil_labels(station, spoilt)
    process = station.start(items, "--deadline", "3")
    journal = station.folder / "run" / "journal.jsonl"

    def given_up() -> int:
        return journal.read_bytes().count(b"deadline_exceeded") if journal.exists() else 0

    wait_until(lambda: given_up() == len(spoilt))
    ended_at = time.monotonic()
    begun_at = [station.sent(f"tram {number}?", LABEL)[0].arrived for number in (1, 2)]
    slowest = max(ended_at - begun for begun in begun_at)
    ended = Ended(process, station.folder / "run")
    station.look_through(ended)
    assert slowest <= 3 + 1
    assert_unjudged(ended, spoilt, "deadline_exceeded")
    assert label_calls(station, 2) == [1, 1]
    assert station.cached() == 9 - 2
    shows(ended, calls="1 per judgment", slowest=f"{slowest:.2f} s of 3")
