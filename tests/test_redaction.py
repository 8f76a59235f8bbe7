"""No key in anything that a run leaves behind: what is redacted, where, and that the search for a key finds one."""

import json
import logging
import os
import subprocess
import sys
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import CredentialError
from judge.logs import keep_secrets_out_of_logs, process_redactor
from judge.redaction import Redactor, address_secrets, environment_secrets
from judge.schema.judgments import Judgment
from judge.schema.labels import RequestKind
from judge.schema.outcomes import Unjudged
from judge.schema.requests import Request
from pipelines.journal import Journal
from pipelines.running import RecordingJudge, Stop
from tests.endpoint.leaks import repeating
from tests.endpoint.server import Endpoint, Rule
from tests.endpoint.signpost import Signpost
from tests.runs.canary import CANARY, CORE, assert_no_canary, spellings
from tests.runs.items import read_lines, tram, write_items
from tests.runs.running import ROOT, Bench, command
from tests.support.asking import label_request, model_judge
from tests.support.judges import OneWordJudge, verdict


@pytest.mark.parametrize("spelling", spellings().values(), ids=spellings())
def test_the_search_finds_the_key_however_it_is_spelled(tmp_path: Path, spelling: str) -> None:
    """A search that finds nothing proves something only if it would have found it: in a text, a file and a packed value."""
    (tmp_path / "plain.txt").write_text(f"The key is {spelling}, said the endpoint.")
    (tmp_path / "packed.db").write_bytes(b"\0\1\2" + zlib.compress(json.dumps({"detail": f"Bad key {spelling}"}).encode()) + b"\3")
    for place in (f"bad key {spelling}.", tmp_path / "plain.txt", tmp_path / "packed.db", tmp_path):
        with pytest.raises(AssertionError, match="canary key"):
            assert_no_canary(place)


def test_the_search_looks_at_names_and_misses_no_file(tmp_path: Path) -> None:
    """A folder without the key passes; a file named after it does not, and a path that is not there is no pass."""
    (tmp_path / "a.txt").write_text("nothing here")
    assert_no_canary(tmp_path, "nor here")
    with pytest.raises(AssertionError, match="is not there"):
        assert_no_canary(tmp_path / "gone")
    (tmp_path / f"{CORE}.txt").write_text("")
    with pytest.raises(AssertionError, match="canary key"):
        assert_no_canary(tmp_path)
    assert CORE in CANARY


# Everything that a run leaves behind.

LEAKS = [name for name in repeating("") if name != "error-401"]
ODD_NAME = "MY_ENDPOINT"
"""A variable whose name does not say that it holds a key."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as running:
        yield running


def leaky_items(endpoint: Endpoint, path: Path, secret: str) -> Path:
    """Script one leak per item, after a first item that meets none, and return the file of items."""
    leaks = repeating(secret)
    endpoint.script(*(Rule(leaks[name], containing=f"ram {number}") for number, name in enumerate(LEAKS, start=101)))
    return write_items(path, [tram(100), *(tram(number) for number in range(101, 101 + len(LEAKS)))])


def leaky_run(endpoint: Endpoint, folder: Path, secret: str, env: Mapping[str, str], *more: str) -> subprocess.CompletedProcess[str]:
    """Run all leaks but the one that ends a run, and search what the run left behind."""
    items = leaky_items(endpoint, folder / "items.jsonl", secret)
    flags = ["--judge", "openai/scripted", "--api-base", endpoint.url, "--out", str(folder / "run"), "--cache", str(folder / "cache")]
    done = command("score", items, *flags, "--max-connections", "1", *more, env=env)
    assert endpoint.headers[0]["authorization"] == f"Bearer {CANARY}"
    assert_no_canary(folder, done.stdout, done.stderr)
    return done


@pytest.mark.faults
@pytest.mark.parametrize("spelling", spellings().values(), ids=spellings())
def test_row41_a_secret_that_an_endpoint_repeats_is_in_no_artefact(endpoint: Endpoint, tmp_path: Path, spelling: str) -> None:
    """Wherever the endpoint puts the key and however it spells it: run folder, cache, both outputs and an export hold none of it."""
    done = leaky_run(endpoint, tmp_path, spelling, {"OPENAI_API_KEY": CANARY})
    assert done.returncode == 3, done.stderr
    assert endpoint.calls() > 2 * len(LEAKS)
    assert "[key]" in (tmp_path / "run" / "journal.jsonl").read_text()
    results = read_lines(tmp_path / "run" / "results.jsonl")
    assert len(results) == 1 + len(LEAKS)
    assert results[0]["state"] == "judged"
    assert {"[key]", "scripted-[key]"} & set(json.dumps(results[1:]).split('"')) or "[key]" in json.dumps(results)
    exported = command(
        "cache", "export", str(tmp_path / "export.jsonl"), "--cache", str(tmp_path / "cache"), env={"OPENAI_API_KEY": CANARY}
    )
    assert exported.returncode == 0, exported.stderr
    assert_no_canary(tmp_path, exported.stdout, exported.stderr)


@pytest.mark.faults
@pytest.mark.parametrize("spelling", spellings().values(), ids=spellings())
async def test_row41_a_secret_in_a_refusal_of_the_key_is_redacted(endpoint: Endpoint, spelling: str) -> None:
    """The message that ends the run names no key."""
    endpoint.script(repeating(spelling)["error-401"])
    async with model_judge(endpoint.url, api_key=CANARY) as judge:
        with pytest.raises(CredentialError) as refused:
            await judge.judge(label_request())
    assert "Incorrect API key provided: [key]" in str(refused.value)
    assert_no_canary(str(refused.value))


def test_debug_logs_of_the_client_libraries_hold_no_key(endpoint: Endpoint, tmp_path: Path) -> None:
    """A user who turns them on sees requests and response headers, without keys; also of a variable with a harmless name."""
    env = {ODD_NAME: CANARY, "LITELLM_LOG": "DEBUG", "OPENAI_LOG": "debug"}
    done = leaky_run(endpoint, tmp_path, CANARY, env, "--api-key-env", ODD_NAME)
    assert "HTTP Request: POST" in done.stderr
    assert "[key]" in done.stderr


def test_a_refused_key_is_in_no_artefact(endpoint: Endpoint, tmp_path: Path) -> None:
    """The run ends with exit code 2, and says why without the key."""
    endpoint.script(repeating(CANARY)["error-401"])
    items = write_items(tmp_path / "items.jsonl", [tram(1)])
    flags = ["--judge", "openai/scripted", "--api-base", endpoint.url, "--out", str(tmp_path / "run"), "--cache", str(tmp_path / "cache")]
    done = command("score", items, *flags, "--api-key-env", ODD_NAME, env={ODD_NAME: CANARY})
    assert (done.returncode, endpoint.calls()) == (2, 1)
    assert "Incorrect API key provided: [key]" in done.stderr
    assert_no_canary(tmp_path, done.stdout, done.stderr)


def test_decompose_writes_no_key(endpoint: Endpoint, tmp_path: Path) -> None:
    """The propositions that a model made, and the table on the terminal, have been cleaned as well."""
    items = leaky_items(endpoint, tmp_path / "items.jsonl", CANARY)
    flags = ["--judge", "openai/scripted", "--api-base", endpoint.url, "-o", str(tmp_path / "p.jsonl"), "--cache", str(tmp_path / "cache")]
    done = command("decompose", items, *flags, "--max-connections", "1", env={"OPENAI_API_KEY": CANARY})
    assert done.returncode == 3, done.stderr
    assert "[key]" in done.stderr
    assert_no_canary(tmp_path, done.stdout, done.stderr)


@pytest.mark.parametrize("credentials", [(f"user:{CORE}@", ""), (f"{CORE}@", f"?key={CORE}"), ("", f"?key={CORE}")])
def test_credentials_in_an_address_are_in_no_artefact(tmp_path: Path, credentials: tuple[str, str]) -> None:
    """User, password and query of --api-base reach neither the manifest nor the identity, whatever comes back."""
    basic = b64encode(f"user:{CORE}".encode()).decode()
    user, query = credentials
    items = write_items(tmp_path / "items.jsonl", [tram(1), tram(2)])
    flags = ["--judge", "ollama/scripted", "--out", str(tmp_path / "run"), "--cache", str(tmp_path / "cache"), "--max-connections", "1"]
    with Signpost(400, content=f"no such user: user:{CORE}, Authorization: Basic {basic}, {CORE}".encode()) as post:
        done = command("score", items, *flags, "--api-base", post.url.replace("//", f"//{user}") + query)
    assert done.returncode in (2, 5), done.stderr
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["config"]["api_base"] == post.url
    assert_no_canary(tmp_path, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "{items}", "--api-base", f"ftp://user:{CORE}@host/v1", "--judge", "openai/x"],
        ["score", "{items}", "--api-base", f"user:{CORE}@host:bad/v1", "--judge", "openai/x"],
        ["score", "{items}", "--api-base", f"http://host:99999/v1?key={CORE}", "--judge", "openai/x"],
        ["score", "{items}", f"sk-{CORE}"],
        ["score", "{items}", f"--api-key=sk-{CORE}"],
        ["score", "{items}", "--api-key-env", f"sk-{CORE}", "--judge", "openai/x"],
        ["score", f"https://user:{CORE}@host/items.jsonl"],
    ],
)
def test_a_secret_on_the_command_line_is_not_repeated(tmp_path: Path, arguments: list[str]) -> None:
    """A key put where none belongs is an error whose message leaves it out."""
    items = write_items(tmp_path / "items.jsonl", [tram(1)])
    done = command(*(part.replace("{items}", str(items)) for part in arguments), "--out", tmp_path / "run")
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert_no_canary(tmp_path, done.stdout, done.stderr)


# The rules themselves.


def test_a_key_in_the_data_under_judgment_stays(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's own texts are never altered: an answer that holds the value of a variable is judged and quoted as it stands."""
    monkeypatch.setenv("SOME_TOKEN", "Tram 1 is red")
    result = Bench(endpoint, tmp_path).score([tram(1), tram(2)], api_key_env=None)
    first = read_lines(result.folder / "results.jsonl")[0]
    assert [part["outcome"]["kind"] for part in first["propositions"]] == ["verdict"] * 3
    assert first["propositions"][0]["outcome"]["quote"] == "Tram 1 is red"
    assert read_lines(result.folder / "items.jsonl")[0]["answer"] == tram(1)["answer"]


NAMES = {
    "OPENAI_API_KEY": True,
    "AWS_SECRET_ACCESS_KEY": True,
    "AWS_ACCESS_KEY_ID": True,
    "GITHUB_TOKEN": True,
    "DB_PASSWORD": True,
    "db_password": True,
    "CLIENT_SECRET": True,
    "GCP_CREDENTIALS": True,
    "SOME_APIKEY": True,
    "OPENAI_API_KEY_2": True,
    "MY_KEYS": True,
    "TOKEN": True,
    "KEYBOARD": False,
    "MONKEY": False,
    "TOKENIZERS_PARALLELISM": False,
    "PATH": False,
    "KEY_FILE": False,
}


@pytest.mark.parametrize(("name", "is_secret"), NAMES.items())
def test_which_variables_hold_secrets(name: str, is_secret: bool) -> None:
    """The last word of the name decides."""
    assert environment_secrets({name: "0123456789"}) == ({"0123456789"} if is_secret else set())


def test_a_password_in_the_address_of_any_variable_is_a_secret() -> None:
    """Proxies and databases have theirs in addresses; what is no address is passed over."""
    found = environment_secrets({"HTTPS_PROXY": "http://me:pa55w%40rd1@proxy:3128", "LIST": "a@b, c://[", "PLAIN": "http://host/a@b"})
    assert found == {"pa55w%40rd1", "pa55w@rd1", "me:pa55w%40rd1", "me:pa55w@rd1", "bWU6cGE1NXdAcmQx"}
    assert address_secrets("https://t0kent0ken@host/v1?key=abcdefgh&v=1") == {"t0kent0ken", "key=abcdefgh&v=1", "abcdefgh", "1"}


@given(st.text(min_size=8, max_size=30).filter(lambda text: len(text.strip()) >= 8), st.text(max_size=20), st.text(max_size=20))
def test_a_secret_is_gone_from_any_text(secret: str, before: str, after: str) -> None:
    """As it is, in JSON of either kind, in an address and in a page: what is left does not hold it."""
    redactor = Redactor([secret])
    for spelled in (secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], quote(secret, safe=""), escape(secret)):
        left = redactor.data(f"{before}{spelled}{after}")
        assert "[key]" in left
        assert secret not in left


def test_short_values_and_the_placeholder_are_no_secrets() -> None:
    """They stand in too many ordinary words."""
    assert Redactor(["short", "", "        "]).data("a short text") == "a short text"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Incorrect key sk-proj-abcdefghijklmnop1234", "Incorrect key [key]"),
        ("Authorization: Bearer abcdef.ghijkl-12345=", "Authorization: Bearer [key]"),
        ("at https://h/v1beta/x?key=AIzaSyA12345678901234567890123456789012&alt=json", "at https://h/v1beta/x?key=[key]&alt=json"),
        ("API key AIzaSyA12345678901234567890123456789012 is not valid", "API key [key] is not valid"),
        ("x-api-key: abcdefgh12345678", "x-api-key: [key]"),
        ("{'api_key': 'abcdefgh12345678'}", "{'api_key': '[key]'}"),
        ("http://me:secret@host/v1", "http://[key]@host/v1"),
        ("AKIAABCDEFGHIJKLMNOP and ghp_0123456789abcdefghij", "[key] and [key]"),
        ("a risk-averse-but-long-hyphenated-word, basic income, key=1", "a risk-averse-but-long-hyphenated-word, basic income, key=1"),
        ("max_tokens=4024, tokens: 120, the key: a word", "max_tokens=4024, tokens: 120, the key: a word"),
    ],
)
def test_what_looks_like_a_key_is_gone_from_errors(text: str, left: str) -> None:
    """Also a key that this process does not know; ordinary words stay. Data keep such texts."""
    assert Redactor().error(text) == left
    assert Redactor().data(text) == text


def test_a_traceback_shows_no_key() -> None:
    """What ends a command with exit code 70 is printed without the secrets of the environment."""
    program = """
import os, sys
from pipelines.cli.root import exit_code_of
try:
    raise ValueError(os.environ["LLM_API_KEY"] + " in a bug")
except ValueError as error:
    sys.exit(exit_code_of(error))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT), "LLM_API_KEY": CANARY},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 70
    assert "ValueError: [key] in a bug" in done.stderr
    assert_no_canary(done.stdout, done.stderr)


async def test_a_bug_that_carries_a_key_leaves_none_in_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message of an unexpected error goes into the journal and the warnings without it."""
    monkeypatch.setenv("LLM_API_KEY", CANARY)

    async with model_judge(None) as model:
        identity = model.identity(RequestKind.LABEL)

    class Broken(OneWordJudge):
        async def judge(self, request: Request) -> Judgment:
            raise RuntimeError(f"unexpected: {CANARY}")

    journal = Journal(tmp_path / "journal.jsonl")
    recorder = RecordingJudge(Broken(identity, verdict()), journal, Stop(), slots=1)
    judgment = await recorder.judge(label_request())
    journal.close()
    assert recorder.internal_errors == ["RuntimeError: unexpected: [key]"]
    assert isinstance(judgment.content, Unjudged)
    assert judgment.content.detail == "RuntimeError: unexpected: [key]"
    assert_no_canary(tmp_path)


def test_log_records_are_cleaned_below_any_logger_of_a_client_library(caplog: pytest.LogCaptureFixture) -> None:
    """Message, arguments and traceback; records of other libraries are left alone."""
    before = logging.getLogRecordFactory()
    try:
        keep_secrets_out_of_logs(Redactor([CANARY]))
        keep_secrets_out_of_logs(Redactor(["another secret"]))
        try:
            raise ValueError(CANARY)
        except ValueError:
            logging.getLogger("openai._base_client").exception("sent %s and %s", CANARY, "another secret")
        logging.getLogger("mine").error("%s", "another secret")
        assert process_redactor().data(CANARY) == "[key]"
    finally:
        logging.setLogRecordFactory(before)
    assert [record.getMessage() for record in caplog.records] == ["sent [key] and [key]", "another secret"]
    assert_no_canary(caplog.text)
