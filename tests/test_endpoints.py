"""Where texts and keys are sent: only to the address that the operator named."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from judge.errors import ConfigError
from judge.link_local import Address
from judge.schema.labels import UnjudgedReason
from judge.schema.outcomes import Unjudged
from pipelines.config import RunConfig, load_config
from pipelines.endpoints import Resolve, check_endpoint, endpoint_notices, endpoint_of, key_for, resolved
from tests.endpoint import faults
from tests.endpoint.server import Endpoint
from tests.endpoint.signpost import Signpost
from tests.runs.items import given, tram, write_items
from tests.runs.running import ROOT, Bench, command
from tests.support.asking import label_request, model_judge


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as running:
        yield running


# Redirects.


@pytest.mark.filterwarnings("ignore::UserWarning")  # pydantic, on types of litellm's
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "model",
    [
        "openai/scripted",
        "hosted_vllm/scripted",
        "ollama/scripted",
        "ollama_chat/scripted",
        "anthropic/scripted",
        "mistral/scripted",
        "deepseek/x",
        "gemini/x",
        "azure/x",
    ],
)
async def test_no_redirect_is_followed_whichever_client_sends(model: str, status: int) -> None:
    """litellm reaches providers by different clients; none carries a text or a key to the host it is pointed to."""
    with Signpost() as elsewhere, Signpost(status, {"Location": f"{elsewhere.url}/v1/chat/completions?key=secret-canary"}) as post:
        async with model_judge(post.url, model=model, api_key="secret-canary") as judge:
            judgment = await judge.judge(label_request())
        assert isinstance(judgment.content, Unjudged), judgment
        assert judgment.content.reason is UnjudgedReason.BAD_REQUEST, judgment.content.detail
        assert f"redirects to {elsewhere.url}/v1/chat/completions;" in judgment.content.detail
        assert (len(post.received), len(elsewhere.received)) == (1, 0)


@pytest.mark.parametrize(
    "location",
    ["/v1/elsewhere", "//elsewhere.invalid/v1", "http://elsewhere.invalid:bad/", "file:///etc/passwd", "http://user:pass@x.invalid/"],
)
@pytest.mark.parametrize("model", ["openai/scripted", "anthropic/scripted"])
async def test_no_redirect_costs_a_second_call(model: str, location: str) -> None:
    """A redirect on the same host, to another scheme or to no address at all ends the call as well."""
    with Signpost(307, {"Location": location}) as post:
        async with model_judge(post.url, model=model) as judge:
            judgment = await judge.judge(label_request())
        assert isinstance(judgment.content, Unjudged)
        assert judgment.content.reason is UnjudgedReason.BAD_REQUEST, judgment.content.detail
        assert "pass@" not in judgment.content.detail
        assert (len(post.received), judgment.attempts) == (1, 1)


async def test_the_one_client_that_cannot_be_told_is_refused() -> None:
    """It sends past the hook that stops redirects, and has a twin that does not."""
    async with model_judge("http://127.0.0.1:9/v1", model="aiohttp_openai/x") as judge:
        with pytest.raises(ConfigError, match=r"would follow redirects: name it openai/"):
            await judge.judge(label_request())


async def test_a_redirect_counts_as_a_refused_request(endpoint: Endpoint, tmp_path: Path) -> None:
    """A run whose endpoint only redirects stops after three items with exit code 2, and nothing arrives at the other host."""
    with Endpoint() as elsewhere:
        endpoint.script(faults.redirect(f"{elsewhere.url}/chat/completions"))
        items = write_items(tmp_path / "items.jsonl", [given(1, id=str(number), answer=f"Fact {number}.") for number in range(8)])
        done = command(
            "score", items, *Bench(endpoint, tmp_path).flags(), "--max-connections", "1", env={"OPENAI_API_KEY": "secret-canary"}
        )
        assert (done.returncode, endpoint.calls(), elsewhere.connections) == (2, 3, 0), done.stderr
    assert f"redirects to {elsewhere.url}" in done.stderr


# Link-local and metadata addresses.

LINK_LOCAL = [
    "169.254.169.254",
    "169.254.0.1",
    "[fe80::1]",
    "[fe80::1%25eth0]",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "metadata.google.internal",
    "METADATA.google.internal.",
    "2852039166",
    "0xa9fea9fe",
    "0xA9.0xFE.0xA9.0xFE",
    "0251.0376.0251.0376",
    "169.254.43518",
    "169.254.169.254.",
    "%31%36%39.254.169.254",
    "１６９．２５４．１６９．２５４",
    "169。254。169。254",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::a9fe:a9fe]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::]",
]


def config_of(host: str, **settings: Any) -> RunConfig:
    return RunConfig(judge="openai/scripted", api_base=f"http://{host}/v1", **settings)


def nowhere(host: str) -> list[Address]:
    """Resolve nothing."""
    return []


def at(*addresses: str) -> Resolve:
    """Return a resolver for which every name has these addresses."""
    return lambda _: [ip_address(address) for address in addresses]


@pytest.mark.parametrize("host", LINK_LOCAL)
def test_a_link_local_address_is_refused_however_it_is_written(host: str) -> None:
    """The message says what is wrong and how to have it all the same, which then works."""
    for address in (f"http://{host}/v1", f"https://{host}:8000/v1"):
        with pytest.raises(ConfigError, match=r"link-local address or a metadata service.*--allow-link-local"):
            check_endpoint(RunConfig(judge="openai/x", api_base=address), nowhere)
    check_endpoint(config_of(host, allow_link_local=True), nowhere)


@pytest.mark.parametrize("addresses", [["169.254.169.254"], ["10.0.0.1", "fe80::2"], ["::ffff:169.254.1.1"]])
def test_a_name_that_resolves_to_one_is_refused(addresses: list[str]) -> None:
    """One address of several is enough; offline nothing is resolved."""
    with pytest.raises(ConfigError, match=r"judge\.example, which is .*--allow-link-local"):
        check_endpoint(config_of("judge.example"), at(*addresses))
    check_endpoint(config_of("judge.example", offline=True), at(*addresses))


@pytest.mark.parametrize(
    "host", ["10.0.0.1", "192.168.1.5", "judge.example", "[2001:db8::1]", "127.0.0.1", "localhost", "[::1]", "169.253.1.1"]
)
def test_other_addresses_pass(host: str) -> None:
    """Private networks hold many a judge model."""
    check_endpoint(config_of(host), at("10.1.2.3"))


def test_this_machines_resolver_is_asked() -> None:
    """The names of this machine resolve; a name that is none has no address, and no error."""
    assert any(address.is_loopback for address in resolved("localhost"))
    assert resolved("no-such-host.invalid") == []


@pytest.mark.parametrize("kind", ["score", "decompose"])
def test_the_command_refuses_one_before_any_call(tmp_path: Path, kind: str) -> None:
    """Exit code 2, no run folder, no cache entry."""
    items = write_items(tmp_path / "items.jsonl", [tram(1)])
    out = ["--out", str(tmp_path / "run")] if kind == "score" else ["-o", str(tmp_path / "p.jsonl")]
    done = command(kind, items, *out, "--judge", "openai/x", "--api-base", "http://0xa9fea9fe/v1", "--cache", tmp_path / "cache")
    assert done.returncode == 2
    assert "--allow-link-local" in done.stderr
    assert not (tmp_path / "run").exists()
    assert not (tmp_path / "p.jsonl").exists()


def test_an_allowed_one_is_asked(endpoint: Endpoint, tmp_path: Path) -> None:
    """The switch is all it takes; with it an address of any kind is used."""
    result = Bench(endpoint, tmp_path).score([tram(1)], allow_link_local=True)
    assert result.summary.items.judged == 1


# What is no address, and what travels in the open.


@pytest.mark.parametrize(
    "address", ["ftp://h/v1", "h:8000/v1", "", "http://", "http://h:port/v1", "http://h:0/v1", "http://h:99999/v1", "http://[::1/v1"]
)
def test_what_is_no_address_is_a_wrong_setting(address: str) -> None:
    """Each is refused in words, never with a traceback."""
    with pytest.raises(ConfigError, match="--api-base takes an address such as"):
        endpoint_of(address)


def test_what_tells_endpoints_apart_has_no_credentials_in_it() -> None:
    """Host, port and path."""
    assert endpoint_of("https://me:secret@Host.example/v1/?key=secret#x") == "host.example:443/v1"
    assert endpoint_of(None) is None


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://judge.example/v1", True),
        ("http://10.0.0.1:8000/v1", True),
        ("https://judge.example/v1", False),
        ("http://127.0.0.1:8000/v1", False),
        ("http://127.1.2.3:8000/v1", False),
        ("http://localhost:8000/v1", False),
        ("http://[::1]:8000/v1", False),
    ],
)
def test_unencrypted_texts_are_told(address: str, told: bool) -> None:
    """http to another machine is a notice; within this machine it is nothing to speak of."""
    notices = endpoint_notices(RunConfig(judge="openai/scripted", api_base=address))
    assert any("travel unencrypted to" in notice for notice in notices) is told


def test_the_notice_stands_on_the_terminal_and_in_the_manifest(tmp_path: Path) -> None:
    """It comes before the first call, which here reaches nobody, and once."""
    items = write_items(tmp_path / "items.jsonl", [tram(1)])
    flags = [
        "--judge",
        "openai/scripted",
        "--api-base",
        "http://no-such-host.invalid/v1",
        "--out",
        str(tmp_path / "run"),
    ]
    done = command("score", items, *flags, "--no-cache", "--quiet", "--deadline", "5", env={"OPENAI_API_KEY": "secret-canary"})
    assert done.stderr.count("travel unencrypted to no-such-host.invalid") == 1
    assert done.stderr.count("--api-key-env OPENAI_API_KEY sends it") == 1
    warnings = json.loads((tmp_path / "run" / "manifest.json").read_text())["warnings"]
    assert [warning for warning in warnings if "unencrypted" in warning]


# Variables by which a provider's address is set.


def test_a_providers_variable_is_the_address(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked, tells this judge from one elsewhere, and stands in the manifest with where it came from."""
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    bench = Bench(endpoint, tmp_path)
    by_variable = bench.score([tram(1)], out="a", api_base=None)
    by_flag = bench.score([tram(1)], out="b")
    assert by_variable.summary.judge.id == by_flag.summary.judge.id
    assert by_flag.manifest.from_cache == endpoint.calls() == 3
    assert by_variable.manifest.config["api_base"] == endpoint.url
    assert by_variable.manifest.config_sources["api_base"] == "environment variable OPENAI_BASE_URL"
    with Endpoint() as other:
        monkeypatch.setenv("OPENAI_BASE_URL", other.url)
        elsewhere = bench.score([tram(1)], out="c", api_base=None)
        assert elsewhere.summary.judge.id != by_variable.summary.judge.id
        assert other.calls() == 3


def test_a_named_address_wins_over_a_variable(endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The flag says where; nothing goes to the other."""
    with Endpoint() as other:
        monkeypatch.setenv("OPENAI_BASE_URL", other.url)
        monkeypatch.setenv("OPENAI_API_BASE", other.url)
        Bench(endpoint, tmp_path).score([tram(1)])
        assert (endpoint.calls(), other.connections) == (3, 0)


@pytest.mark.parametrize(
    ("model", "variables", "expected"),
    [
        ("openai/x", {"OPENAI_API_BASE": "http://b/v1", "OPENAI_BASE_URL": "http://a/v1"}, "OPENAI_BASE_URL"),
        ("openai/x", {"OPENAI_API_BASE": "http://b/v1", "OPENAI_BASE_URL": " "}, "OPENAI_API_BASE"),
        ("gpt-5-mini", {"OPENAI_API_BASE": "http://b/v1"}, "OPENAI_API_BASE"),
        ("claude-5", {"OPENAI_API_BASE": "http://b/v1", "ANTHROPIC_BASE_URL": "http://c"}, "ANTHROPIC_BASE_URL"),
        ("ollama_chat/x", {"OLLAMA_API_BASE": "http://b"}, "OLLAMA_API_BASE"),
        ("hosted_vllm/x", {"HOSTED_VLLM_API_BASE": "http://b/v1", "OPENAI_API_BASE": "http://o"}, "HOSTED_VLLM_API_BASE"),
        ("nano-gpt/x", {"NANO_GPT_API_BASE": "http://b/v1"}, "NANO_GPT_API_BASE"),
        ("groq/x", {"OPENAI_API_BASE": "http://b/v1"}, None),
        ("openai/x", {}, None),
        ("lexical", {"OPENAI_API_BASE": "http://b/v1"}, None),
        ("replay:run", {"OPENAI_API_BASE": "http://b/v1"}, None),
    ],
)
def test_which_variable_counts(model: str, variables: dict[str, str], expected: str | None) -> None:
    """The provider's own, in litellm's order; none for a judge that asks nobody."""
    found = load_config({"judge": model}, env=variables, folder=Path("/nowhere"))
    assert found.config.api_base == (None if expected is None else variables[expected])
    assert found.sources.get("api_base") == (None if expected is None else f"environment variable {expected}")


def test_an_address_in_a_variable_is_checked_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A link-local one is refused, and so is the switch that would send everything to a proxy."""
    found = load_config({"judge": "openai/x"}, env={"OPENAI_BASE_URL": "http://169.254.169.254/v1"}, folder=Path("/nowhere"))
    with pytest.raises(ConfigError, match="--allow-link-local"):
        check_endpoint(found.config, nowhere)
    with pytest.raises(ConfigError, match="USE_LITELLM_PROXY"):
        load_config({"judge": "openai/x", "api_base": "http://127.0.0.1/v1"}, env={"USE_LITELLM_PROXY": "True"}, folder=Path("/nowhere"))


_SCAN = """
import os, pathlib, re, litellm
folder = pathlib.Path(litellm.__file__).parent
names = set()
for file in folder.rglob("*.py"):
    if "proxy" not in file.parts:
        names |= set(re.findall(r"[\\"']([A-Z][A-Z0-9_]*(?:_BASE|_URL|_ENDPOINT))[\\"']", file.read_text()))
for name in names:
    if not name.startswith("LITELLM"):
        os.environ[name] = f"https://{name.lower().replace('_', '-')}.invalid/v1"
from pipelines.address_variables import named_address
for provider in (str(getattr(each, "value", each)) for each in litellm.provider_list):
    if provider not in ("chatgpt", "github_copilot", "ragflow", "litellm_proxy"):  # these ask for a login, or another form of name
        address = litellm.get_llm_provider(f"{provider}/model")[3] or ""
        if ".invalid" in address:
            found = named_address(f"{provider}/model", os.environ)
            print(provider, address.split("/")[2], found and found.address.split("/")[2])
"""


def test_litellm_reads_no_other_variable_than_we_do(tmp_path: Path) -> None:
    """With every variable set that litellm's source names, the one it picks for a provider is the one that is picked here."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    done = subprocess.run([sys.executable, "-c", _SCAN], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) > 40
    assert [line for line in lines if line[1] != line[2]] == []


# Whose key goes where.

OWN, PLACEHOLDER = "own-key-of-openai", "placeholder"


@pytest.mark.parametrize(
    ("settings", "variables", "sent"),
    [
        ({}, {}, None),
        ({"api_base": "http://127.0.0.1:1/v1"}, {}, OWN),
        ({"api_base": "http://127.9.9.9:1/v1"}, {}, OWN),
        ({"api_base": "https://other.example/v1"}, {}, PLACEHOLDER),
        ({"api_base": "https://127.0.0.1.evil.example/v1"}, {}, PLACEHOLDER),
        ({"api_base": "https://127.0.0.1@evil.example/v1"}, {}, PLACEHOLDER),
        ({"api_base": "https://localhost.evil.example/v1"}, {}, PLACEHOLDER),
        ({"api_base": "https://other.example/v1", "api_key_env": "OTHER"}, {"OTHER": "named"}, "named"),
        ({"api_base": "https://other.example/v1"}, {"OPENAI_BASE_URL": "https://other.example/v1"}, None),
        ({"api_base": "https://other.example/v1"}, {"OPENAI_BASE_URL": "https://third.example/v1"}, PLACEHOLDER),
        ({"api_base": "https://other.example/v1"}, {"ANTHROPIC_BASE_URL": "https://other.example/v1"}, PLACEHOLDER),
    ],
)
def test_a_key_belongs_to_a_host(
    settings: dict[str, str], variables: dict[str, str], sent: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A provider's key goes to the provider, to this machine, or where the operator bound it; None lets the provider's variable decide."""
    monkeypatch.setenv("OPENAI_API_KEY", OWN)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert key_for("openai/x", RunConfig(judge="openai/x", **settings), PLACEHOLDER) == sent


@pytest.mark.parametrize("judge", ["gpt-4o", " openai/gpt-4o "])
def test_a_model_without_a_provider_and_blanks_round_a_name_find_their_key(judge: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare name is OpenAI's, as litellm reads it; white space belongs to no name."""
    monkeypatch.setenv("OPENAI_API_KEY", OWN)
    config = RunConfig(judge=judge, api_base="http://127.0.0.1:1/v1")
    assert config.judge == judge.strip()
    assert key_for(judge.strip(), config, PLACEHOLDER) == OWN


@pytest.mark.parametrize("judge", ["lexical", "replay:somewhere"])
def test_a_judge_that_sends_nothing_needs_no_notice(judge: str) -> None:
    """The address is not used, and nothing is said of it."""
    assert endpoint_notices(RunConfig(judge=judge, api_base="http://other.example/v1")) == ()


# Data decide nothing.


def test_nothing_in_data_names_an_endpoint_that_is_used(endpoint: Endpoint, tmp_path: Path) -> None:
    """Settings written into items, metadata, propositions and texts are data; only the operator's address is asked."""
    with Endpoint() as evil:
        wish = dict.fromkeys(("api_base", "base_url", "api-base", "endpoint", "url", "OPENAI_BASE_URL"), evil.url)
        item = tram(1, **wish, judge="openai/evil", metadata={"config": wish})
        item["answer"] += f" See {evil.url} and api_base={evil.url}. {json.dumps(wish)}"
        texts = [f"Tram 1 is red, says {evil.url}.", "Tram 1 is red."]
        ready = {"id": "given", "answer": "Tram 1 is red.", "propositions": [{"text": text, **wish} for text in texts], **wish}
        items = write_items(tmp_path / "items.jsonl", [item, ready])
        done = command("score", items, *Bench(endpoint, tmp_path).flags())
        assert done.returncode in (0, 3), done.stderr
        assert endpoint.calls() >= 3
        assert (evil.calls(), evil.connections) == (0, 0)


def test_nothing_in_a_session_names_an_endpoint_that_is_used(tmp_path: Path) -> None:
    """A trace is measured without a connection, whatever addresses stand in it."""
    with Signpost() as evil:
        text = (ROOT / "examples" / "session" / "trace-1.json").read_text()
        assert '"text": "' in text
        (tmp_path / "trace.json").write_text(text.replace('"text": "', f'"text": "{evil.url} api_base={evil.url} '))
        fixture = ROOT / "examples" / "session" / "fixture.json"
        done = command("crux", tmp_path / "trace.json", "--fixture", fixture, env={"OPENAI_BASE_URL": evil.url})
        assert done.returncode == 0, done.stderr
        assert evil.received == []
