"""Rows 20, 21, 23 and 42: replies of any size, another model than before, signals, and a bug of our own."""

import asyncio
import json
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.hashing import request_sha256
from judge.schema.judgments import Appraisal, JudgeIdentity, Judgment
from judge.schema.labels import RequestKind, UnjudgedReason
from judge.schema.outcomes import Mark
from judge.schema.requests import AppraiseRequest, Request
from pipelines.journal import Journal
from pipelines.running import RecordingJudge, Stop
from tests.endpoint import faults
from tests.endpoint.faults import Fault
from tests.endpoint.server import Rule
from tests.faults.conftest import Shows
from tests.faults.station import Ended, Station
from tests.runs.forking import Launched
from tests.runs.items import trams
from tests.runs.running import Bench, line_count, wait_until, written

pytestmark = pytest.mark.faults

Recorder = Callable[[str, object], None]
LABEL = RequestKind.LABEL


def peak_mb(process: Launched) -> float:
    """Return the most memory that a process held, asked for until it ended."""
    status, peak = Path(f"/proc/{process.pid}/status"), 0.0
    while process.poll() is None:
        lines = status.read_text().splitlines()
        peak = max([peak, *(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))])
        time.sleep(0.01)
    return peak


def ten_megabytes(character: str, bytes_each: int = 1) -> Fault:
    """Put so much into the first rationale that the body has ten million bytes."""
    text = character * (10_000_000 // bytes_each)
    return faults.edit_entries(lambda entries: [{**entries[0], "rationale": text}, *entries[1:]])


def test_row20_memory_stays_bounded(station: Station, shows: Shows) -> None:
    """Replies of 10 MB, one after another, cost a bounded part more than plain ones, and do not add up."""
    plain = peak_mb(station.start(trams(6), out="plain"))
    station.endpoint.reset()
    spoilt = {
        "2": ten_megabytes("x"),
        "3": faults.deep_nesting(5_000_000),
        "4": ten_megabytes("{"),
        "5": ten_megabytes("\0", len(r"\\u0000")),
    }
    station.endpoint.script(*(Rule(fault, kind=LABEL, containing=f"tram {number}?") for number, fault in spoilt.items()))
    process = station.start(trams(6), "--no-cache", "--max-connections", "1")
    peak = peak_mb(process)
    ended = Ended(process, station.folder / "run")
    assert ended.reasons == {"invalid_output": 4 * 4}
    assert [len(station.sent(f"tram {number}?", LABEL)) for number in spoilt] == [2] * 4
    assert peak < plain + 250
    shows(ended, calls="2 per judgment", memory=f"{peak:.0f} MB, {plain:.0f} without")


def test_row21_another_model_is_told(station: Station, shows: Shows) -> None:
    """From the fifth call on the endpoint names another model: a warning with both names, and each judgment has its own."""
    station.endpoint.script(*(Rule(faults.reported_model("scripted-2"), nth=number) for number in range(5, 10)))
    ended = station.score(trams(3), "--max-connections", "1")
    journal = [json.loads(line) for line in (ended.folder / "journal.jsonl").read_text().splitlines()]
    assert [judgment["reported_model"] for judgment in journal] == ["scripted"] * 4 + ["scripted-2"] * 5
    assert any("changed its model" in warning and "scripted, scripted-2" in warning for warning in ended.manifest["warnings"])
    assert "scripted, scripted-2" in ended.stdout
    assert (ended.code, station.endpoint.calls(), station.cached()) == (0, 9, 9)
    again = station.score(trams(3), out="again")
    assert station.endpoint.calls() == 9, "what was judged stands under the model that was asked for"
    assert (again.folder / "results.jsonl").read_bytes() == (ended.folder / "results.jsonl").read_bytes()
    shows(ended, calls="1 per judgment")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["row23-int", "row23-term"])
def test_a_signal_ends_a_run_that_can_be_resumed(station: Station, shows: Shows, number: signal.Signals) -> None:
    """The first signal stops the run: exit 130, whole files, the rest not run; the same command then finishes it."""
    station.endpoint.latency = 0.1
    process = station.start(trams(8), "--max-connections", "2")
    wait_until(lambda: line_count(station.folder / "run" / "journal.jsonl") >= 10)
    process.send_signal(number)
    ended = Ended(process, station.folder / "run")
    station.look_through(ended)
    assert len(ended.results) == 8
    assert (ended.manifest["state"], ended.summary["complete"]) == ("interrupted", False)
    assert "not_run" in ended.reasons
    assert "the same command resumes" in ended.stderr
    assert "Traceback" not in ended.stderr
    station.endpoint.latency = 0.0
    resumed = station.score(trams(8))
    undisturbed = station.score(trams(8), "--no-cache", out="undisturbed")
    assert resumed.code == 0
    assert (resumed.folder / "results.jsonl").read_bytes() == (undisturbed.folder / "results.jsonl").read_bytes()
    assert station.endpoint.calls() <= 24 + 2 + 24
    shows(ended, calls=f"{station.endpoint.calls() - 48} repeated of 2 in flight")


class FailsOnce:
    """A judge with a bug: it raises at one answer and marks every other."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def identity(self, kind: RequestKind) -> JudgeIdentity:
        return JudgeIdentity(kind=kind, backend="scripted", backend_version="1")

    def offers(self, kind: RequestKind) -> bool:
        return kind is RequestKind.APPRAISE

    async def judge(self, request: Request) -> Judgment:
        if getattr(request, "answer", None) == self._answer:
            raise ZeroDivisionError("a bug of ours")
        content = Appraisal(mark=Mark(value=4, rationale=""))
        return Judgment(request_sha256=request_sha256(request), identity_id="0" * 64, content=content)


async def test_row42_a_judge_that_raises(tmp_path: Path, record_property: Recorder) -> None:
    """The item that met it is unjudged as an internal error that names it; the others are judged."""
    journal = Journal(tmp_path / "journal.jsonl")
    judge = RecordingJudge(FailsOnce("It is 3."), journal, Stop(), 2)
    requests = [AppraiseRequest(question=None, answer=f"It is {number}.", references=("It is 1.",)) for number in range(1, 6)]
    contents = [judgment.content for judgment in await asyncio.gather(*map(judge.judge, requests))]
    journal.close()
    assert [getattr(content, "reason", None) for content in contents] == [None, None, UnjudgedReason.INTERNAL_ERROR, None, None]
    assert judge.internal_errors == ["ZeroDivisionError: a bug of ours"]
    record_property("reason", "internal_error")


def test_row42_a_library_that_raises_what_nobody_expects(bench: Bench, monkeypatch: pytest.MonkeyPatch, record_property: Recorder) -> None:
    """In a whole run the judgment that met it is unjudged and not cached, the others go on, exit 3, and it is said."""
    undisturbed = written(bench.score(trams(3), out="undisturbed", no_cache=True))
    bench.endpoint.reset()
    # Only now: the run before has loaded it the way that asks no network for prices.
    import litellm

    real = litellm.acompletion

    async def raising(**arguments: object) -> object:
        if "tram 2?" in str(arguments["messages"]):
            raise LookupError("nobody expects this")
        return await real(**arguments)

    monkeypatch.setattr(litellm, "acompletion", raising)
    result = bench.score(trams(3))
    assert result.exit_code == 3
    assert set(result.summary.unjudged) == {"internal_error", "decomposition_failed"}
    assert [item.state for item in result.items()] == ["judged", "unjudged", "judged"]
    assert any("nobody expects this" in warning for warning in result.manifest.warnings)
    monkeypatch.setattr(litellm, "acompletion", real)
    resumed = bench.score(trams(3))
    assert bench.endpoint.calls() == 9
    assert written(resumed) == undisturbed
    record_property("reason", "internal_error")
    record_property("exit", result.exit_code)
