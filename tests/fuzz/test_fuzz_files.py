"""Whatever is in the files that a run, a person or another tool left: a record, or an error of this project in words."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from judge.errors import ConfigError, CruxError, InputError, RunFolderError
from judge.prompt import load_policy, load_prompt
from judge.schema.labels import RequestKind
from pipelines.campaigns.ledger import extend_ledger
from pipelines.campaigns.reading import read_campaign
from pipelines.config import load_config
from pipelines.entries import read_entries
from pipelines.files import MANIFEST, SUMMARY, read_manifest, read_summary
from pipelines.pricing import read_prices
from pipelines.proposition_files import DecompositionFile
from pipelines.run_record import read_run_record
from pipelines.sessions.fixtures import read_fixture
from pipelines.sessions.traces import read_traces
from tests.fuzz.effort import FILES, fuzzed
from tests.fuzz.files import DEEP, TORN, objects, torn
from tests.fuzz.replies import ANY_JSON, ODD, PLAIN

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RUN = EXAMPLES / "recorded" / "run"


def example(path: Path) -> dict[str, Any]:
    """Return a right document."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


CAMPAIGN, SUMMARY_FIELDS, MANIFEST_FIELDS = example(EXAMPLES / "campaign.json"), example(RUN / SUMMARY), example(RUN / MANIFEST)
RIGHT_CAMPAIGN = read_campaign(EXAMPLES / "campaign.json").campaign
TRACE, FIXTURE = example(EXAMPLES / "session" / "trace-1.json"), example(EXAMPLES / "session" / "fixture.json")
PRICES = {"version": "1", "models": {"m": {"input_usd_per_million": 1.0, "output_usd_per_million": 2}}}
TRANSCRIPT = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "x", "tool_calls": []}], "model": "m"}
INSPECT = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": [{"id": 1, "epoch": 1, "messages": []}]}


def documents(right: dict[str, Any]) -> st.SearchStrategy[bytes]:
    """Return files that hold something near this document."""
    return (objects(right) | DEEP | ANY_JSON.map(json.dumps)).map(lambda text: text.encode("utf-8", "surrogatepass")).flatmap(torn)


def refused(read: Callable[[], object], *kinds: type[CruxError]) -> bool:
    """Return whether reading was refused, in words that a terminal and a file can show; any other error fails the test."""
    said = None
    try:
        read()
    except kinds as error:
        said = str(error)
    if said is not None:
        assert said.strip()
        said.encode()
    return said is not None


READERS: dict[str, tuple[dict[str, Any], Callable[[Path], object]]] = {
    "campaign": (CAMPAIGN, read_campaign),
    "trace": (TRACE, read_traces),
    "transcript": (TRANSCRIPT, read_traces),
    "inspect": (INSPECT, read_traces),
    "fixture": (FIXTURE, read_fixture),
    "prices": (PRICES, read_prices),
    "record": (example(EXAMPLES / "recorded" / "run-record.json"), read_run_record),
}
"""What can be given to a command: a right document and its reader."""


@fuzzed(cost=FILES, case=st.sampled_from(sorted(READERS)).flatmap(lambda name: st.tuples(st.just(name), documents(READERS[name][0]))))
def test_given_files(folder: Path, case: tuple[str, bytes]) -> None:
    """Campaigns, sessions in three forms, fixtures, prices and run records."""
    name, data = case
    path = folder / f"{name}.json"
    path.write_bytes(data)
    refused(lambda: READERS[name][1](path), InputError, ConfigError)


@pytest.mark.parametrize("name", sorted(READERS))
def test_the_search_starts_from_what_is_read(tmp_path: Path, name: str) -> None:
    """Around a file that is refused anyway nothing would be found."""
    right, read = READERS[name]
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(right), encoding="utf-8")
    assert read(path)


@fuzzed(cost=FILES, summary=documents(SUMMARY_FIELDS), manifest=documents(MANIFEST_FIELDS), is_manifest_right=st.booleans())
def test_run_folders(folder: Path, summary: bytes, manifest: bytes, is_manifest_right: bool) -> None:
    """The summary and the manifest of a run, by themselves and as a leaderboard reads them."""
    (folder / SUMMARY).write_bytes(summary)
    (folder / MANIFEST).write_bytes((RUN / MANIFEST).read_bytes() if is_manifest_right else manifest)
    bad = [refused(lambda: read_summary(folder), RunFolderError), refused(lambda: read_manifest(folder), RunFolderError)]
    assert refused(lambda: read_entries([folder]), ConfigError) or not any(bad)


LINE = {
    "question": "Who?",
    "ground_truth": "Ada has A and B.",
    "key": "k",
    "origin": "human",
    "propositions": [{"id": "p1", "text": "Ada has A.", "source_quote": "Ada has A"}, "Ada has B."],
}
WITHOUT_KEY = {name: value for name, value in LINE.items() if name != "key"}
PROPOSITION_LINES = objects(LINE) | objects(WITHOUT_KEY) | DEEP | ODD | ANY_JSON.map(json.dumps)


@fuzzed(
    cost=FILES,
    data=st.lists(PROPOSITION_LINES, max_size=3).map(lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass")).flatmap(torn)
    | st.sampled_from([json.dumps(LINE).encode("utf-16"), json.dumps(LINE).encode("utf-16-be"), json.dumps(LINE).encode("utf-8-sig")]),
)
def test_propositions_files(folder: Path, data: bytes) -> None:
    """A file that a person edited: each line is a decomposition with distinct ids and visible texts, or is refused by its number."""
    path = folder / "a.propositions.jsonl"
    path.write_bytes(data)

    def read() -> None:
        file = DecompositionFile(path)
        try:
            for key in list(file.keys()):
                found = file.get(key)
                assert found is not None
                ids = [part.id for part in found.propositions]
                assert len(set(ids)) == len(ids)
                assert all(part.text.strip() for part in found.propositions)
                found.model_dump_json()
            "".join(text for _, text in file.lines()).encode()
        finally:
            file.close()

    refused(read, RunFolderError)


@fuzzed(
    cost=FILES,
    data=documents({"sequence": 1, "previous_sha256": None, "campaign": "c", "agent": "a", "attempt": CAMPAIGN["floors"][0]}),
)
def test_ledgers(folder: Path, data: bytes) -> None:
    """A ledger that was edited or cut is refused and left as it is."""
    path = folder / "ledger.jsonl"
    path.write_bytes(data + b"\n")
    if refused(lambda: extend_ledger(path, RIGHT_CAMPAIGN), InputError, ConfigError):
        assert path.read_bytes() == data + b"\n"


TOML_LINES = st.sampled_from(
    (
        *('judge = "lexical"', "temperature = 0.5", "limit = 3", "[tool.judge]", "[tool]", "tool = 3", "judge = 3", "map = {answer = 'x'}"),
        *(
            "fail_under = {R_judge = nan}",
            "deadline = inf",
            "max_calls = -1",
            "json = 1",
            "prompt = {label = 1}",
            "out = ''",
            "x = 1979-05-27",
        ),
        *('system = "a $policy b"', 'user = "$question $statements $answer $asked $note"', 'text = "Be strict."', "x = " + "[" * 5_000),
    )
)
TOML = st.lists(TOML_LINES | ODD | PLAIN, max_size=5).map(lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass")).flatmap(torn)


@fuzzed(cost=FILES, data=TOML)
def test_settings_prompts_and_policies(folder: Path, data: bytes) -> None:
    """Settings from `judge.toml` and `pyproject.toml`, prompt files of each kind, and policies as TOML and as text."""
    for name in ("judge.toml", "pyproject.toml", "policy.txt"):
        (folder / name).write_bytes(data)
    (empty := folder / "empty").mkdir(exist_ok=True)
    (empty / "pyproject.toml").write_bytes(data)
    refused(lambda: load_config({}, file=folder / "judge.toml", env={}), ConfigError)
    refused(lambda: load_config({}, env={}, folder=empty), ConfigError)
    for kind in RequestKind:
        refused(partial(load_prompt, kind, folder / "judge.toml"), ConfigError)
    for name in ("judge.toml", "policy.txt"):
        refused(partial(load_policy, str(folder / name)), ConfigError)


@fuzzed(
    cost=FILES,
    name=st.sampled_from(["JUDGE_MAP", "JUDGE_FAIL_UNDER", "JUDGE_LIMIT", "JUDGE_PROMPT", "JUDGE_OUT", "JUDGE_X"]),
    text=PLAIN | ODD | DEEP | ANY_JSON.map(json.dumps) | TORN.map(lambda raw: raw.decode("utf-8", "surrogateescape")),
)
def test_settings_of_the_environment(name: str, text: str) -> None:
    """A variable of any text is a setting or refused by its name."""
    refused(lambda: load_config({}, env={name: text}, folder=EXAMPLES), ConfigError)
