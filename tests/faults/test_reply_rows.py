"""Rows 9 to 20: replies that cannot be used, as the real command meets them."""

import re
from typing import NamedTuple

import pytest

from judge.schema.labels import RequestKind
from tests.endpoint import faults
from tests.endpoint.faults import Fault
from tests.endpoint.replies import STATEMENT, Json, parse_request
from tests.endpoint.server import Rule
from tests.faults.conftest import Shows
from tests.faults.station import Station
from tests.runs.items import trams

pytestmark = pytest.mark.faults

DECOMPOSE, LABEL, APPRAISE = RequestKind.DECOMPOSE, RequestKind.LABEL, RequestKind.APPRAISE
SMALL = ["--max-connections", "4"]


class Whole(NamedTuple):
    """A fault of whole replies: what it comes to, whatever was asked, and the calls that it costs."""

    fault: Fault
    reason: str
    calls: int


TWO_THAT_DIFFER = Fault(text=lambda text: text + "\n" + re.sub(r'"(rationale|text)": "', r'"\1": "Or rather: ', text))
"""Two replies in one, each of the form asked for."""

WHOLE = {
    "row09-cut-and-said": Whole(faults.truncated(), "truncated", 2),
    "row09-cut-in-silence": Whole(faults.truncated(finish_reason="stop"), "invalid_output", 2),
    "row09-reasoning-used-the-room": Whole(faults.reasoning_exhausted(), "truncated", 2),
    "row10-empty": Whole(faults.empty_text(), "invalid_output", 2),
    "row10-null-message": Whole(faults.null_message(), "invalid_output", 2),
    "row10-no-choices": Whole(faults.no_choices(), "invalid_output", 2),
    "row11-refusal": Whole(faults.refusal(), "refused", 1),
    "row12-reply-filtered": Whole(faults.reply_filtered(), "filtered", 1),
    "row12-prompt-filtered": Whole(faults.prompt_filtered(), "filtered", 1),
    "row14-duplicate-keys": Whole(faults.duplicate_keys(), "invalid_output", 2),
    "row14-two-objects": Whole(TWO_THAT_DIFFER, "invalid_output", 2),
    "row20-nan": Whole(faults.not_a_number(), "invalid_output", 2),
    "row20-deep-nesting": Whole(faults.deep_nesting(), "invalid_output", 2),
    "row20-10-megabytes": Whole(faults.long_text("x" * 10_000_000), "invalid_output", 2),
    "row20-wrong-key": Whole(faults.wrong_top_level(), "invalid_output", 2),
}


@pytest.mark.parametrize("case", WHOLE.values(), ids=WHOLE.keys())
def test_a_reply_that_cannot_be_used(station: Station, shows: Shows, case: Whole) -> None:
    """Of five items one has its split spoilt, one its labels, one its mark: each is unjudged with its reason, two are whole."""
    spoilt = {DECOMPOSE: "Tram 2 ", LABEL: "tram 3?", APPRAISE: "tram 4?"}
    station.endpoint.script(*(Rule(case.fault, kind=kind, containing=text) for kind, text in spoilt.items()))
    ended = station.score(trams(5), *SMALL)
    found = {number: ended.outcomes(f"tram-{number}") for number in range(1, 6)}
    assert [outcome["kind"] for number in (1, 5) for outcome in found[number]] == ["verdict"] * 10
    (split, *_), (*labels, mark), (*others, spoilt_mark) = found[2], found[3], found[4]
    assert (split["reason"], split["detail"].partition(":")[0]) == ("decomposition_failed", case.reason)
    assert {outcome["reason"] for outcome in labels} == {spoilt_mark["reason"]} == {case.reason}
    assert {outcome["kind"] for outcome in (mark, *others)} == {"verdict"}
    calls = {kind: len(station.sent(text, kind)) for kind, text in spoilt.items()}
    assert set(calls.values()) == {case.calls}, calls
    # What of the second item needs no split is asked all the same.
    assert station.cached() == ended.summary["usage"]["judgments"] - 3
    assert case.reason in ended.stderr
    assert ended.code == 3
    shows(ended, calls=f"{case.calls} per judgment")


class InPart(NamedTuple):
    """A fault of single verdicts: the reasons of the three statements, and how many of them are asked for again."""

    fault: Fault
    reasons: list[str | None]
    asked_again: int


IN_PART = {
    "row15-too-few": InPart(faults.too_few(), ["missing_verdict"], 1),
    "row15-too-many": InPart(faults.too_many(), ["bad_ids"] * 3, 3),
    "row16-doubled-and-agreeing": InPart(faults.duplicate_ids(), ["bad_ids"], 1),
    "row16-doubled-and-conflicting": InPart(faults.duplicate_ids(label="contradicted"), ["bad_ids"], 1),
    "row16-unknown-ids": InPart(faults.unknown_ids(), ["bad_ids"] * 3, 3),
    "row16-integer-ids": InPart(faults.integer_ids(), ["bad_ids"] * 3, 3),
    "row18-synonym": InPart(faults.label_spelled(lambda _: "entailed"), ["bad_label"] * 3, 3),
    "row18-translated": InPart(faults.label_spelled(lambda _: "unterstützt"), ["bad_label"] * 3, 3),
    "row19-invented-quote": InPart(faults.quote_not_found(), ["quote_not_found"] * 2, 2),
    "row20-extra-field": InPart(faults.extra_field(), ["invalid_output"] * 3, 3),
}


@pytest.mark.parametrize("case", IN_PART.values(), ids=IN_PART.keys())
def test_a_verdict_that_cannot_be_used(station: Station, shows: Shows, case: InPart) -> None:
    """Only the statements in doubt are asked for again, once, and are unjudged; the others count; nothing of it is cached."""
    station.endpoint.script(Rule(case.fault, kind=LABEL, containing="tram 2?"))
    ended = station.score(trams(3), *SMALL)
    unjudged = [outcome["reason"] for outcome in ended.outcomes("tram-2") if outcome["kind"] == "unjudged"]
    assert unjudged == case.reasons
    first, second = station.sent("tram 2?", LABEL)
    assert [len(statements(each.body)) for each in (first, second)] == [3, case.asked_again]
    assert station.cached() == 9 - 1
    assert f"{len(unjudged)} {unjudged[0]}" in ended.stderr
    assert ended.code == 3
    shows(ended, calls="2 per judgment")


HARMLESS = {
    "row13-fenced": (faults.fenced(), ["repaired"]),
    "row13-prose": (faults.prose_around(), ["repaired"]),
    "row13-thinking": (faults.thinking(), []),  # the client library cuts that away itself
    "row13-the-same-object-twice": (faults.two_objects(), ["repaired"]),
    "row17-reversed": (faults.shuffled(), []),
    "row18-capitals-and-space": (faults.label_spelled(lambda label: f" {label.upper()} "), []),
    "row13-control-characters": (faults.control_characters(), []),
}


@pytest.mark.parametrize(("fault", "flags"), HARMLESS.values(), ids=HARMLESS.keys())
def test_a_reply_that_only_looks_odd(station: Station, shows: Shows, fault: Fault, flags: list[str]) -> None:
    """The verdicts are those of a plain reply, for one call each, and are cached."""
    station.endpoint.script(Rule(fault, kind=LABEL))
    ended = station.score(trams(3), *SMALL)
    labels = [[outcome["label"] for outcome in ended.outcomes(f"tram-{number}")[:3]] for number in (1, 2, 3)]
    assert labels == [["supported", "contradicted", "not_addressed"]] * 3
    assert [item["flags"] for item in ended.results] == [flags] * 3
    assert (ended.code, station.endpoint.calls(), station.cached()) == (0, 9, 9)
    shows(ended, calls="1 per judgment")


def statements(body: Json) -> list[str]:
    """Return the ids of the statements that a request asks about."""
    return [name for name, _ in STATEMENT.findall(parse_request(body).blocks["statements"])]
