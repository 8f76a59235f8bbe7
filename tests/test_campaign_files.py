"""Campaign files as they come: every fault told at once, with field, value and rule; and the schema that ships with them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError, InputFault
from judge.schema.campaigns import Campaign
from pipelines.campaigns.reading import read_campaign
from pipelines.documents.published import schema_text
from tests.runs.running import ROOT, command
from tests.support.campaigns import attempt, event

EXAMPLE = ROOT / "examples" / "campaign.json"


def faults_of(text: str | bytes, folder: Path) -> list[str]:
    """Return the messages of a file that cannot be used."""
    path = folder / "campaign.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError) as error:
        read_campaign(path)
    assert all(fault.file == str(path) for fault in error.value.faults)
    return [fault.message for fault in error.value.faults]


def _faults(folder: Path, *floors: Any, **others: Any) -> list[str]:
    return faults_of(json.dumps({"floors": list(floors), **others}), folder)


FIELDS: list[tuple[dict[str, Any], str]] = [
    (attempt(completion=1.2), "$.floors[0].completion: is 1.2, expected a number from 0 to 1"),
    (attempt(completion=-0.5), "$.floors[0].completion: is -0.5, expected a number from 0 to 1"),
    (attempt(completion=True), "$.floors[0].completion: is true, expected a number from 0 to 1"),
    (attempt(completion="1"), '$.floors[0].completion: is "1", expected a number from 0 to 1'),
    (attempt(completion=None), "$.floors[0].completion: is null, expected a number from 0 to 1"),
    (attempt(turns=0), "$.floors[0].turns: is 0, expected a whole number, 1 or more"),
    (attempt(turns=2**53 + 1), "$.floors[0].turns: is 9007199254740993, expected a whole number from 1 to 9007199254740992"),
    (attempt(turns=2.5), "$.floors[0].turns: is 2.5, expected a whole number, 1 or more"),
    (attempt(duration_ms=-5), "$.floors[0].duration_ms: is -5, expected a number above 0"),
    (attempt(duration_ms=0), "$.floors[0].duration_ms: is 0, expected a number above 0"),
    (attempt(duration_ms=1e-9), "$.floors[0].duration_ms: is 1e-09, expected 1e-06 milliseconds or more"),
    (attempt(cleared="yes"), '$.floors[0].cleared: is "yes", expected true or false'),
    (attempt(-1), "$.floors[0].floor: is -1, expected a whole number, 0 or more"),
    (attempt(tokens=-1), "$.floors[0].tokens: is -1, expected a whole number, 0 or more"),
    (attempt(arm=" "), '$.floors[0].arm: is " ", expected text with something in it'),
    (attempt(status=3), "$.floors[0].status: is 3, expected text"),
    (attempt(completed=1), "$.floors[0].completed: is no known field; the closest is `completion`"),
    (attempt(xyzzy=1), "$.floors[0].xyzzy: is no known field; known are floor, completion, duration_ms, turns"),
    (attempt(objectives=2, objectives_solved=3), "$.floors[0].objectives_solved: is 3, expected no more than the 2 of `objectives`"),
    (attempt(published_floor_score=-1), "$.floors[0].published_floor_score: is -1, expected a number, 0 or more"),
    (attempt(diagnostics={"retrieval": {"signal_docs_found": 1}}), "the closest is `signalDocsFound`"),
    (attempt(diagnostics={"retreival": {}}), "$.floors[0].diagnostics.retreival: is no known field; the closest is `retrieval`"),
    (
        attempt(diagnostics={"retrieval": {"signalDocsFound": 4, "signalDocsTotal": 3}}),
        "$.floors[0].diagnostics.retrieval.signalDocsFound: is 4, expected no more than the 3 of `signalDocsTotal`",
    ),
    (
        attempt(diagnostics={"retrieval": {"uniqueQueries": 4, "searchCount": 3}}),
        "$.floors[0].diagnostics.retrieval.uniqueQueries: is 4, expected no more than the 3 of `searchCount`",
    ),
    (
        attempt(diagnostics={"efficiency": {"idleTurns": 11}}),
        "$.floors[0].diagnostics.efficiency.idleTurns: is 11, expected no more than the 10",
    ),
    (
        attempt(diagnostics={"memory": {"recoveryRate": 1.5}}),
        "$.floors[0].diagnostics.memory.recoveryRate: is 1.5, expected a number from 0 to 1",
    ),
    (attempt(diagnostics=[]), "$.floors[0].diagnostics: is a list, expected an object"),
    (attempt(events={}), "$.floors[0].events: is an object, expected a list"),
    (attempt(events=[3]), "$.floors[0].events[0]: is 3, expected an object"),
    (attempt(events=[{"turn": 1}]), "$.floors[0].events[0]: has no `type`, expected one of search, document_opened"),
    (attempt(events=[event("serach", query="x")]), '$.floors[0].events[0]: has the `type` "serach", expected one of search,'),
    (attempt(events=[event("search")]), "$.floors[0].events[0].query: is missing, expected text with something in it"),
    (attempt(events=[event("search", query="")]), '$.floors[0].events[0].query: is "", expected text with something in it'),
    (attempt(events=[event("search", query="x", qery="y")]), "$.floors[0].events[0].qery: is no known field; the closest is `query`"),
    (attempt(events=[event("wipe", 0)]), "$.floors[0].events[0].turn: is 0, expected a whole number, 1 or more"),
    (attempt(events=[event("wipe", 11)]), "$.floors[0].events[0].turn: is 11, expected no more than the 10 of `turns`"),
    (attempt(events=[event("wipe", 5), event("wipe", 4)]), "$.floors[0].events[1].turn: is 4, expected 5 or more, as the event before"),
    (
        attempt(events=[event("document_opened", id="d", kind=kind) for kind in ("signal", "noise")]),
        '$.floors[0].events[1].kind: is "noise", expected signal, as the same document was before',
    ),
    (
        attempt(events=[event("document_opened", id="d", kind="good")]),
        '$.floors[0].events[0].kind: is "good", expected signal or noise',
    ),
    (
        attempt(events=[event("document_opened", id="d", kind="signal")], signal_documents=0),
        "$.floors[0].signal_documents: is 0, expected at least the 1 signal documents that the events open",
    ),
    (
        attempt(events=[event("objective_attempted", objective="a", optimal_order=place) for place in (1, 2)]),
        "$.floors[0].events[1].optimal_order: is 2, expected 1, as for this objective before",
    ),
    (
        attempt(
            events=[
                event("objective_attempted", objective="a", optimal_order=1, order=1),
                event("objective_attempted", objective="b", optimal_order=2),
            ]
        ),
        "$.floors[0].events[1].order: is null, expected a place, since other objectives of the floor have one",
    ),
]


@pytest.mark.parametrize(("floor", "message"), FIELDS, ids=[message[:70] for _, message in FIELDS])
def test_a_fault_names_field_value_and_rule(floor: dict[str, Any], message: str, tmp_path: Path) -> None:
    """One fault, one message."""
    (found,) = _faults(tmp_path, floor)
    assert message in found


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """Each with the place of its attempt, in the order of the file."""
    bad = [attempt(completion=1.2, turns=0), attempt(), {"floor": 3}, "x"]
    assert [found.split(",")[0] for found in _faults(tmp_path, *bad, arm="")] == [
        '$.arm: is ""',
        "$.floors[0].completion: is 1.2",
        "$.floors[0].turns: is 0",
        "$.floors[2].completion: is missing",
        "$.floors[2].duration_ms: is missing",
        "$.floors[2].turns: is missing",
        "$.floors[2].cleared: is missing",
        '$.floors[3]: is "x"',
    ]


def test_very_many_faults_are_counted(tmp_path: Path) -> None:
    """The first 200 are listed."""
    found = _faults(tmp_path, *[attempt(turns=0)] * 250)
    assert (len(found), found[-1]) == (201, "... and 50 more")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("{", "not valid JSON"),
        (b"\xff{}", "not UTF-8"),
        ("[]", "is a list, expected an object"),
        ("3", "is 3, expected an object"),
        ("{}", "$.floors: is missing, expected a list"),
        ('{"floors": {}}', "$.floors: is an object, expected a list"),
        ('{"floors": [], "format": 2}', "$.format: is 2, expected 1"),
        ('{"floors": [], "id": "a", "id": "b"}', "$.id: stands twice in one object"),
        ('{"floors": [{"floor": 1, "turns": 3, "turns": 4}]}', "$.floors[0].turns: stands twice in one object"),
        ('{"floors": [{"completion": NaN}]}', "$.floors[0].completion: is NaN, expected a number from 0 to 1"),
        ('{"floors": [{"duration_ms": Infinity}]}', "$.floors[0].duration_ms: is Infinity, expected a number above 0"),
        ('{"floors": [{"duration_ms": 1e999}]}', "$.floors[0].duration_ms: is 1e999, expected a number above 0"),
        ('{"floors": [{"tokens": NaN}]}', "$.floors[0].tokens: is NaN, which is no number; use null for a value that is not known"),
        ('{"floors": [{"turns": ' + "9" * 400 + "}]}", "$.floors[0].turns: is 999"),
        ('{"floors": ' + "[" * 2000 + "]" * 2000 + "}", "nested deeper than 100 levels"),
        ('{"floors": [], "agent": "\\ud800"}', "$.agent: holds an unpaired surrogate"),
        ('{"floors": [{"status": "a\\u0000b"}]}', "$.floors[0].status: holds a NUL character"),
        ('{"floors": [], "a\\u001b[2Jb": 1}', r'$["a\u001b[2Jb"]: is no known field'),
    ],
)
def test_hostile_files_end_in_words(text: str | bytes, message: str, tmp_path: Path) -> None:
    """What was found and what was expected; never a traceback."""
    assert any(message in found for found in faults_of(text, tmp_path))


def test_the_command_ends_with_2(tmp_path: Path) -> None:
    """A faulty file, a missing one and a folder: on standard error, nothing on standard output."""
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"floors": [attempt(completion=1.2, turns=0)]}), encoding="utf-8")
    for path, message in ((bad, "$.floors[0].turns: is 0"), (tmp_path / "none.json", "cannot be read"), (tmp_path, "cannot be read")):
        run = command("campaign", path)
        assert (run.returncode, run.stdout) == (2, "")
        assert message in run.stderr
        assert "Traceback" not in run.stderr


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from([*Campaign.model_fields, "floor", "completion", "turns", "duration_ms", "events", "type", "diagnostics", "x"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


def _faults_or_none(path: Path) -> tuple[InputFault, ...]:
    try:
        read_campaign(path)
    except InputError as error:
        return error.faults
    return ()


@given(value=JSON_VALUES)
def test_any_json_is_read_or_refused_in_words(value: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No other exception than that for input, and every fault in one line."""
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    assert all(fault.message.isprintable() for fault in _faults_or_none(path))


def test_a_byte_order_mark_is_tolerated(tmp_path: Path) -> None:
    """Editors write one."""
    path = tmp_path / "campaign.json"
    path.write_bytes(b'\xef\xbb\xbf{"floors": []}')
    assert read_campaign(path).campaign.floors == ()


# --- the schema ---


def test_the_command_prints_the_schema() -> None:
    """Without a file."""
    run = command("campaign", "--schema")
    assert (run.returncode, run.stdout) == (0, schema_text("campaign"))


def _validator() -> Any:
    return pytest.importorskip("jsonschema").Draft202012Validator(json.loads(schema_text("campaign")))


def test_the_schema_takes_the_example() -> None:
    """And what the reader takes of it is what was written."""
    assert list(_validator().iter_errors(json.loads(EXAMPLE.read_text("utf-8")))) == []
    assert len(read_campaign(EXAMPLE).campaign.floors) == 4


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"floors": [], "format": 2},
        {"floors": [], "floor": []},
        {"floors": [attempt(completion=1.2)]},
        {"floors": [attempt(turns=0)]},
        {"floors": [attempt(duration_ms=0)]},
        {"floors": [attempt(cleared=1)]},
        {"floors": [attempt(events=[{"turn": 1, "query": "x"}])]},
        {"floors": [attempt(events=[event("serach", query="x")])]},
        {"floors": [attempt(diagnostics={"retrieval": {"signal_docs_found": 1}})]},
    ],
    ids=lambda document: json.dumps(document)[:60],
)
def test_what_the_reader_refuses_the_schema_refuses(document: dict[str, Any], tmp_path: Path) -> None:
    """For their form, without a look at what contradicts what."""
    assert list(_validator().iter_errors(document))
    assert faults_of(json.dumps(document), tmp_path)
