"""The ledger of a campaign: lines are added, none is ever changed, and damage is told."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from judge.errors import CruxError, InputError
from judge.schema.campaigns import Campaign
from pipelines.campaigns.ledger import extend_ledger
from tests.runs.running import ROOT, command
from tests.support.campaigns import attempt, campaign, event

EXAMPLE = ROOT / "examples" / "campaign.json"
FIRST = attempt(1, cleared=False, status="out_of_turns")
SECOND = attempt(1, events=[event("search", query="red door"), event("wipe", 3)])
THIRD = attempt(2, diagnostics={"retrieval": {"signalDocsFound": 1}})


def test_new_attempts_are_appended_and_nothing_else(tmp_path: Path) -> None:
    """The bytes that were there stay; a line holds its number, the hash of the line before and the attempt."""
    ledger = tmp_path / "ledger.jsonl"
    assert extend_ledger(ledger, campaign(FIRST, id="c")).appended == 1
    before = ledger.read_bytes()
    found = extend_ledger(ledger, campaign(FIRST, SECOND, THIRD, id="c"))
    assert (found.name, found.known, found.appended) == ("ledger.jsonl", 1, 2)
    assert ledger.read_bytes().startswith(before)
    raw = ledger.read_bytes().splitlines()
    lines = [json.loads(line) for line in raw]
    assert [line["sequence"] for line in lines] == [1, 2, 3]
    assert [line.get("previous_sha256") for line in lines] == [None, *(hashlib.sha256(line).hexdigest() for line in raw[:2])]
    assert lines[1]["attempt"]["events"][0] == {"turn": 1, "type": "search", "query": "red door"}
    assert lines[2]["attempt"]["diagnostics"]["retrieval"] == {"signalDocsFound": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.jsonl"]


def test_a_second_time_changes_no_byte(tmp_path: Path) -> None:
    """Nothing is new; the file is not even touched."""
    ledger = tmp_path / "ledger.jsonl"
    same = campaign(FIRST, SECOND, THIRD)
    extend_ledger(ledger, same)
    written, touched = ledger.read_bytes(), ledger.stat().st_mtime_ns
    assert extend_ledger(ledger, same).appended == 0
    assert (ledger.read_bytes(), ledger.stat().st_mtime_ns) == (written, touched)


def test_no_attempt_makes_no_ledger(tmp_path: Path) -> None:
    """There is nothing to write."""
    assert extend_ledger(tmp_path / "ledger.jsonl", campaign()).appended == 0
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_the_ledger_stays_a_link(tmp_path: Path) -> None:
    """What it leads to is extended."""
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "ledger.jsonl")
    extend_ledger(tmp_path / "link.jsonl", campaign(FIRST))
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "ledger.jsonl").is_file()


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ((attempt(1, cleared=True, status="out_of_turns"), SECOND), "floor 1, attempt 1: `cleared` was false, the file has true"),
        ((FIRST, {**SECOND, "turns": 9}), "floor 1, attempt 2: `turns` was 10, the file has 9"),
        ((FIRST, {**SECOND, "status": "x"}), '`status` was null, the file has "x"'),
        (
            (FIRST, attempt(1, events=[event("search", query="lift"), event("wipe", 3)])),
            '`events[0].query` was "red door", the file has "lift"',
        ),
        ((FIRST, attempt(1, events=[])), "`events` was a list, the file has a list"),
        ((FIRST, attempt(1)), "`events` was a list, the file has null"),
        ((SECOND, FIRST), "floor 1, attempt 1: `cleared` was false, the file has true"),
        (
            (FIRST,),
            "FILE must hold the whole campaign with new attempts at its end; it has 1 attempt, the ledger 2\n"
            "{ledger}:2: floor 1, attempt 2 is missing in the file: a recorded attempt never goes",
        ),
        ((), "FILE must hold the whole campaign with new attempts at its end; it has 0 attempts, the ledger 2\n"),
        ((), "floor 1, attempt 1 is missing in the file"),
        ((THIRD,), "it has 1 attempt, the ledger 2\n{ledger}:1: floor 1, attempt 1: `floor` was 1, the file has 2: a recorded attempt"),
    ],
)
def test_a_recorded_attempt_never_changes(told: tuple[dict[str, Any], ...], message: str, tmp_path: Path) -> None:
    """The message names floor, attempt and field; the ledger stays as it was."""
    ledger = tmp_path / "ledger.jsonl"
    extend_ledger(ledger, campaign(FIRST, SECOND))
    written = ledger.read_bytes()
    with pytest.raises(InputError) as error:
        extend_ledger(ledger, campaign(*told))
    assert message.format(ledger=ledger) in str(error.value)
    assert ledger.read_bytes() == written


def test_a_file_of_new_attempts_only_is_told_in_a_few_lines(tmp_path: Path) -> None:
    """What is wrong with the file comes first; three places follow, and how many more there are. 20 attempts, of which it has one."""
    ledger = tmp_path / "ledger.jsonl"
    extend_ledger(ledger, campaign(*(attempt(floor) for floor in range(1, 21))))
    with pytest.raises(InputError) as error:
        extend_ledger(ledger, campaign(attempt(21, turns=7)))
    first, *others = (fault.message for fault in error.value.faults)
    assert first == "FILE must hold the whole campaign with new attempts at its end; it has 1 attempt, the ledger 20"
    # Of attempt 1 floor and turns differ; 19 are missing.
    assert (len(others), others[-1]) == (4, "... and 18 more")


@pytest.mark.parametrize(
    ("recorded", "told", "message"),
    [
        ({"agent": "atlas"}, {"agent": "borea"}, 'floor 1, attempt 1: `agent` was "atlas", the file has "borea": a recorded attempt'),
        ({"agent": "atlas"}, {}, '`agent` was "atlas", the file has null'),
        ({"arm": "T1"}, {"arm": "T2"}, 'floor 1, attempt 1: `arm` was "T1", the file has "T2": a recorded attempt never changes'),
        ({}, {"arm": "T1"}, '`arm` was null, the file has "T1"'),
    ],
)
def test_agent_and_arm_of_a_recorded_attempt_never_change(
    recorded: dict[str, str], told: dict[str, str], message: str, tmp_path: Path
) -> None:
    """They are on the line of the attempt, and a file that tells them otherwise is refused."""
    ledger = tmp_path / "ledger.jsonl"
    extend_ledger(ledger, campaign(FIRST, **recorded))
    written = ledger.read_bytes()
    line = json.loads(written)
    assert {name: line[name] for name in ("agent", "arm") if name in line} == recorded
    with pytest.raises(InputError) as error:
        extend_ledger(ledger, campaign(FIRST, SECOND, **told))
    assert message in str(error.value)
    assert ledger.read_bytes() == written


def test_the_arm_of_an_attempt_may_move_from_the_campaign_to_it(tmp_path: Path) -> None:
    """A campaign goes on in another arm: old attempts take theirs with them, or new ones name theirs; nothing else is different."""
    ledger = tmp_path / "ledger.jsonl"
    extend_ledger(ledger, campaign(FIRST, arm="T1"))
    assert extend_ledger(ledger, campaign(FIRST, {**SECOND, "arm": "T2"}, arm="T1")).appended == 1
    assert extend_ledger(ledger, campaign({**FIRST, "arm": "T1"}, SECOND, THIRD, arm="T2")).appended == 1
    assert [json.loads(line)["arm"] for line in ledger.read_text("utf-8").splitlines()] == ["T1", "T2", "T2"]


def test_another_campaign_is_refused(tmp_path: Path) -> None:
    """A ledger belongs to one campaign."""
    ledger = tmp_path / "ledger.jsonl"
    extend_ledger(ledger, campaign(FIRST, id="harbour"))
    with pytest.raises(InputError, match='the ledger is that of the campaign "harbour", the file\'s `id` is "station"'):
        extend_ledger(ledger, campaign(FIRST, SECOND, id="station"))


def _damaged(ledger: Path, damage: str) -> None:
    lines = ledger.read_bytes().splitlines(keepends=True)
    match damage:
        case "changed":
            lines[0] = lines[0].replace(b"out_of_turns", b"cleared")
        case "removed":
            del lines[1]
        case "swapped":
            lines[1], lines[2] = lines[2], lines[1]
        case "cut-off":
            lines[2] = lines[2][:20]
        case "no-json":
            lines[1] = b"hello\n"
        case "blank":
            lines[1] = b"\n"
        case "not-utf-8":
            lines[1] = b"\xff\n"
        case "unknown-field":
            lines[1] = lines[1].replace(b'"sequence"', b'"number"')
        case "twice":
            lines[1] = lines[1].replace(b'{"format":1', b'{"format":1,"format":1')
    ledger.write_bytes(b"".join(lines))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("changed", "ledger.jsonl:2: `previous_sha256` is not the hash of line 1: the ledger was changed by hand"),
        ("removed", "ledger.jsonl:2: `sequence` is 3, expected 2: a line was removed, added or moved"),
        ("swapped", "ledger.jsonl:2: `sequence` is 3, expected 2"),
        ("cut-off", "ledger.jsonl:3: the line is cut off"),
        ("no-json", "ledger.jsonl:2: not valid JSON: "),
        ("blank", "ledger.jsonl:2: not valid JSON: "),
        ("not-utf-8", "ledger.jsonl:2: not UTF-8 (byte 0xff at position 1)"),
        ("unknown-field", "ledger.jsonl:2: $.number: is no known field; known are format, sequence, "),
        ("twice", "ledger.jsonl:2: $.format: stands twice in one object"),
    ],
)
def test_damage_is_told_and_left_alone(damage: str, message: str, tmp_path: Path) -> None:
    """With file and line; nothing is repaired in silence."""
    ledger = tmp_path / "ledger.jsonl"
    extend_ledger(ledger, campaign(FIRST, SECOND, THIRD))
    _damaged(ledger, damage)
    written = ledger.read_bytes()
    with pytest.raises(InputError) as error:
        extend_ledger(ledger, campaign(FIRST, SECOND, THIRD, attempt(3)))
    assert message in str(error.value)
    assert ledger.read_bytes() == written


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    """It cannot be read."""
    with pytest.raises(CruxError, match="cannot be read"):
        extend_ledger(tmp_path, campaign(FIRST))


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The old ledger stays as it was."""
    ledger = tmp_path / "ledger.jsonl"
    extend_ledger(ledger, campaign(FIRST))
    written = ledger.read_bytes()
    (tmp_path / "ledger.jsonl.partial").mkdir()
    with pytest.raises(CruxError, match="cannot be written"):
        extend_ledger(ledger, campaign(FIRST, SECOND))
    assert ledger.read_bytes() == written


def test_a_file_is_no_folder_for_a_ledger(tmp_path: Path) -> None:
    """There is nowhere to put the lock."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(CruxError, match="cannot be used"):
        extend_ledger(tmp_path / "file" / "ledger.jsonl", campaign(FIRST))


def test_the_command_keeps_the_ledger(tmp_path: Path) -> None:
    """Appended attempt by attempt the total only grows, and a changed file ends with 2."""
    whole = json.loads(EXAMPLE.read_text("utf-8"))
    source, ledger = tmp_path / "campaign.json", tmp_path / "ledger.jsonl"
    totals = []
    for count in range(len(whole["floors"]) + 1):
        source.write_text(json.dumps({**whole, "floors": whole["floors"][:count]}), encoding="utf-8")
        run = command("campaign", source, "--history", ledger, "--json")
        assert run.returncode == 0, run.stderr
        card = json.loads(run.stdout)
        totals.append(card["campaign_score"])
        assert card["history"] == {"name": "ledger.jsonl", "known": max(count - 1, 0), "appended": min(count, 1)}
    assert totals == sorted(totals)
    whole["floors"][1]["turns"] = 11
    source.write_text(json.dumps(whole), encoding="utf-8")
    run = command("campaign", source, "--history", ledger)
    assert (run.returncode, run.stdout) == (2, "")
    assert "floor 1, attempt 2: `turns` was 10, the file has 11: a recorded attempt never changes" in run.stderr


def test_faulty_input_leaves_the_ledger_alone(tmp_path: Path) -> None:
    """The file is checked before anything is written."""
    source = tmp_path / "campaign.json"
    source.write_text(json.dumps({"floors": [attempt(turns=0)]}), encoding="utf-8")
    assert command("campaign", source, "--history", tmp_path / "ledger.jsonl").returncode == 2
    assert not (tmp_path / "ledger.jsonl").exists()


def test_two_processes_take_turns(tmp_path: Path) -> None:
    """While another one holds the ledger this one waits."""
    ledger = tmp_path / "ledger.jsonl"
    with FileLock(tmp_path / ".ledger.jsonl.lock"), pytest.raises(CruxError, match="is in use by another process"):
        extend_ledger(ledger, campaign(FIRST), wait_seconds=0.1)
    assert not ledger.exists()


def test_what_is_written_is_read_as_it_was() -> None:
    """Every field of the example comes back from its line."""
    read = Campaign.model_validate(json.loads(EXAMPLE.read_text("utf-8")))
    for one in read.floors:
        assert type(one).model_validate_json(one.model_dump_json(by_alias=True, exclude_none=True)) == one
