"""`judge score --estimate`: the calls are those of the run that follows, nothing is sent or written, and what is unknown is said."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.cache.store import JudgmentCache
from judge.calling.client import token_count
from judge.errors import ConfigError, RunFolderError
from judge.schema.estimates import Estimate
from judge.schema.labels import RequestKind
from pipelines.api import score
from pipelines.config import load_config
from pipelines.estimates.estimating import estimate_run
from pipelines.reports.estimate_tables import estimate_page
from pipelines.reports.pages import page_text
from pipelines.sources import FileSource
from tests.endpoint import faults
from tests.endpoint.replies import sentences
from tests.endpoint.server import Endpoint, Rule
from tests.runs.items import Fields, given, tram, trams, write_items
from tests.runs.running import MODEL, Bench, command

DECOMPOSE, LABEL, APPRAISE = RequestKind


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


def estimated(bench: Bench, path: Path, out: str = "run", **settings: Any) -> Estimate:
    """Return the estimate of the run that `bench.score` would make of a file with these settings."""
    given_settings = {"judge": MODEL, "api_base": bench.endpoint.url, "cache": bench.cache, **settings}
    config = load_config(given_settings, env={}, folder=bench.folder).config
    return asyncio.run(estimate_run(FileSource(path, config.map, config.limit), config, bench.folder / out))


def made(estimate: Estimate) -> tuple[int, ...]:
    """Return the calls of each kind: decompose, label, appraise."""
    return tuple(estimate.kinds[kind].typical.calls for kind in RequestKind)


def called(endpoint: Endpoint) -> tuple[int, ...]:
    return tuple(endpoint.calls(kind) for kind in RequestKind)


def freeze(path: Path, items: list[Fields]) -> None:
    """Write propositions for every ground truth beside the input, one for each sentence."""
    lines = {}
    for item in items:
        texts = item.get("ground_truth", [])
        for text in [texts] if isinstance(texts, str) else texts:
            lines[item.get("question"), text] = {"question": item.get("question"), "ground_truth": text, "propositions": sentences(text)}
    path.with_name(f"{path.stem}.propositions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines.values()))


def everything_in(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """Return every file of a folder with its bytes, mode and time of change."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns) for path in found}


CASES = [
    pytest.param([tram(1)], {}, id="one-item"),
    pytest.param(trams(5), {}, id="five-items"),
    pytest.param([tram(1), tram(1, id="again")], {}, id="equal-items-share"),
    pytest.param([tram(1), tram(1, id="b", answer="It is blue.")], {}, id="answers-share-a-ground-truth"),
    pytest.param([tram(1, ground_truth=["Trams are red.", "Trams have bells."])], {}, id="alternatives"),
    pytest.param([given(26)], {}, id="two-batches"),
    pytest.param([given(26), tram(2)], {"batch_size": 10}, id="batches-of-10"),
    pytest.param([given(2, conflicts=[{"current": "A.", "superseded": ["B."]}], decoys=["C."], gaps=["D."])], {}, id="roles"),
    pytest.param([given(3, ground_truth="Fact 1 holds.")], {}, id="propositions-and-ground-truth"),
    pytest.param(trams(3), {"no_mark": True}, id="no-mark"),
    pytest.param(trams(3), {"repeats": 3}, id="repeats"),
    pytest.param(trams(4), {"limit": 2}, id="limit"),
    pytest.param([tram(1, answerable=False)], {}, id="unanswerable"),
    pytest.param([tram(1, answer=" …\n"), tram(2)], {}, id="empty-answer"),
    pytest.param([{"answer": "It is red."}], {}, id="abstention-alone"),
    pytest.param([tram(1, answer="Tram 1 is red. " * 100), tram(2)], {"max_chars": 1000}, id="answer-refused"),
    pytest.param([tram(1, answer="Tram 1 is red. " * 100), tram(2)], {"max_chars": 1000, "long_answers": "split"}, id="answer-in-parts"),
    pytest.param([tram(1, ground_truth="Tram 1 is red. " * 100), tram(2)], {"max_chars": 1000}, id="ground-truth-refused"),
]


@pytest.mark.parametrize("is_frozen", [True, False], ids=["frozen", "unsplit"])
@pytest.mark.parametrize(("items", "settings"), CASES)
def test_the_calls_are_those_of_the_run(bench: Bench, items: list[Fields], settings: dict[str, Any], is_frozen: bool) -> None:
    """Cold, every call is foreseen; warm, there are none, whether the folder or the cache holds the judgments."""
    path = write_items(bench.folder / "input.jsonl", items)
    if is_frozen:
        freeze(path, items)
    cold = estimated(bench, path, **settings)
    assert bench.endpoint.calls() == 0
    bench.score(path, **settings)
    assert made(cold) == called(bench.endpoint)
    assert cold.total.typical.calls == cold.total.to_make == bench.endpoint.calls()
    assert cold.kinds[LABEL].is_estimated == (cold.splits.to_split > 0 and cold.kinds[LABEL].requests > 0)
    resumed, cached = estimated(bench, path, **settings), estimated(bench, path, out="other", **settings)
    for warm, place in ((resumed, "from_journal"), (cached, "from_cache")):
        assert made(warm) == (0, 0, 0)
        assert [getattr(warm.kinds[kind], place) for kind in RequestKind] == list(called(bench.endpoint))
        assert (warm.total.typical.cost_usd, warm.total.at_most.cost_usd, warm.splits.to_split) == (0.0, 0.0, 0)


@pytest.mark.parametrize(
    ("fields", "ground_truths"), [({"answer": "It is red. " * 200}, 0), ({"ground_truth": "It is red. " * 200}, 1)], ids=["answer", "truth"]
)
def test_what_is_too_long_is_told(bench: Bench, fields: Fields, ground_truths: int) -> None:
    """It is not sent, so it is in no count; but a reader learns of it."""
    path = write_items(bench.folder / "input.jsonl", [tram(1, **fields), tram(2)])
    estimate = estimated(bench, path, max_chars=1000)
    assert (estimate.too_long, estimate.splits.too_long) == (1, ground_truths)
    assert "1 item with requests above --max-chars" in page_text(estimate_page(estimate))


def test_partly_cached(bench: Bench) -> None:
    """What an earlier, shorter run left in the cache is not counted again."""
    path = write_items(bench.folder / "input.jsonl", trams(5))
    bench.score(path, out="short", limit=2)
    before = called(bench.endpoint)
    estimate = estimated(bench, path)
    assert made(estimate) == (3, 3, 3)
    assert estimate.total.from_cache == 6
    bench.score(path)
    assert tuple(after - earlier for after, earlier in zip(called(bench.endpoint), before, strict=True)) == made(estimate)


def test_what_a_run_left_unjudged_is_counted_again(bench: Bench) -> None:
    """A folder whose run had failures is resumed for just these."""
    path = write_items(bench.folder / "input.jsonl", trams(4))
    bench.endpoint.script(Rule(faults.status(400), kind=LABEL, containing="tram 3"))
    bench.score(path)
    bench.endpoint.reset()
    estimate = estimated(bench, path)
    bench.score(path)
    assert made(estimate) == called(bench.endpoint) == (0, 1, 0)


def test_without_a_cache_only_the_folder_counts(bench: Bench) -> None:
    """--no-cache reads no cache; --overwrite reads no folder either."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    bench.score(path)
    assert made(estimated(bench, path, out="other", no_cache=True)) == (2, 2, 2)
    assert made(estimated(bench, path, no_cache=True)) == (0, 0, 0)
    assert made(estimated(bench, path, no_cache=True, overwrite=True)) == (2, 2, 2)


def test_redecompose_asks_for_every_split_again(bench: Bench) -> None:
    """Neither file, folder nor cache stands for a split that is to be made anew."""
    path = write_items(bench.folder / "input.jsonl", trams(3))
    freeze(path, trams(3))
    bench.score(path)
    bench.endpoint.reset()
    estimate = estimated(bench, path, redecompose=True, overwrite=True)
    bench.score(path, redecompose=True, overwrite=True)
    assert made(estimate)[0] == called(bench.endpoint)[0] == 3


def test_propositions_frozen_after_a_run_leave_it_the_same_run(bench: Bench) -> None:
    """The folder's own propositions, copied beside the input, cost nothing anew."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    result = bench.score(path)
    path.with_name("input.propositions.jsonl").write_bytes((result.folder / "propositions.jsonl").read_bytes())
    estimate = estimated(bench, path, no_cache=True)
    assert made(estimate) == (0, 0, 0)
    assert estimate.warnings == ()


def test_a_folder_of_another_run_is_told_and_not_counted(bench: Bench) -> None:
    """Its judgments are not this run's; the run would be refused, and the estimate says so."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    bench.score(path, repeats=3)
    estimate = estimated(bench, path, no_cache=True)
    assert made(estimate) == (2, 2, 2)
    assert "differs in repeats" in estimate.warnings[0]
    with pytest.raises(RunFolderError, match="differs in repeats"):
        bench.score(path)


# --- nothing is sent, nothing is written ---


@pytest.mark.parametrize("is_json", [False, True], ids=["text", "json"])
def test_the_command_sends_and_writes_nothing(bench: Bench, is_json: bool) -> None:
    """Neither run folder nor cache is made, no request arrives, and the exit code is 0."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    before = everything_in(bench.folder)
    done = command("score", path, *bench.flags(), "--estimate", *(["--json"] if is_json else []), cwd=bench.folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert bench.endpoint.connections == 0
    assert everything_in(bench.folder) == before
    assert [entry.name for entry in bench.folder.iterdir()] == ["input.jsonl"]
    if is_json:
        assert made(Estimate.model_validate_json(done.stdout)) == (2, 2, 2)
    else:
        assert done.stdout.startswith("Estimate: nothing was sent and nothing was written\n")


def test_an_existing_cache_and_folder_are_left_as_they_are(bench: Bench) -> None:
    """Not a byte, mode or time of any file changes, and none is added."""
    path = write_items(bench.folder / "input.jsonl", trams(3))
    bench.score(path, limit=2)
    before = everything_in(bench.folder)
    assert estimated(bench, path, limit=2).total.from_journal == 6
    assert estimated(bench, path, out="other").total.from_cache == 6
    assert everything_in(bench.folder) == before


def test_a_damaged_entry_is_not_there_and_not_set_aside(bench: Bench) -> None:
    """A run would judge it anew, so it is counted; the estimate repairs nothing."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    bench.score(path)
    with sqlite3.connect(bench.cache / "cache.db") as database:
        database.execute("UPDATE Cache SET value = replace(value, 'attempts', 'attempt5') WHERE rowid <= 2")
    database.close()
    before = everything_in(bench.cache)
    estimate = estimated(bench, path, out="other")
    assert (estimate.total.from_cache, estimate.total.to_make) == (4, 2)
    assert everything_in(bench.cache) == before


def test_a_cache_that_is_no_database_is_told(bench: Bench) -> None:
    """A run would set it aside and begin anew."""
    path = write_items(bench.folder / "input.jsonl", trams(1))
    bench.cache.mkdir()
    (bench.cache / "cache.db").write_bytes(b"not a database" * 100)
    before = everything_in(bench.cache)
    estimate = estimated(bench, path)
    assert made(estimate) == (1, 1, 1)
    assert "cannot be read" in estimate.warnings[0]
    assert everything_in(bench.cache) == before


def test_a_cache_whose_schema_is_no_text_is_told(bench: Bench) -> None:
    """Damage to the schema is no error of SQLite's own kind."""
    bench.score(trams(1))
    database = bench.cache / "cache.db"
    content = bytearray(database.read_bytes())
    at = content.index(b"CREATE TABLE")
    content[at + 8] = 0xFF
    database.write_bytes(bytes(content))
    estimate = estimated(bench, write_items(bench.folder / "input.jsonl", trams(2)))
    assert any("cannot be read" in warning for warning in estimate.warnings)


def test_a_cache_in_use_is_read_with_what_was_written_last(bench: Bench) -> None:
    """Another process may be writing to it."""
    path = write_items(bench.folder / "input.jsonl", trams(1))
    cache = JudgmentCache(bench.cache)
    try:
        bench.score(path)
        assert (bench.cache / "cache.db-wal").stat().st_size > 0
        assert estimated(bench, path, out="other").total.from_cache == 3
    finally:
        cache.close()


def test_no_key_is_needed(bench: Bench) -> None:
    """An estimate can be made where the key is not."""
    path = write_items(bench.folder / "input.jsonl", trams(1))
    assert made(estimated(bench, path, api_key_env="NO_SUCH_KEY_IS_SET")) == (1, 1, 1)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--fail-under", "no_such_metric=1"], "no_such_metric"),
        (["--prices", "missing.json"], "missing.json"),
        (["--locked"], "--locked"),
        (["--run-record", "missing.json"], "missing.json"),
    ],
    ids=["gate", "prices", "locked", "run-record"],
)
def test_what_the_run_would_refuse_is_refused(bench: Bench, flags: list[str], said: str) -> None:
    """Exit code 2, in words."""
    path = write_items(bench.folder / "input.jsonl", trams(1))
    done = command("score", path, *bench.flags(), "--estimate", *flags, cwd=bench.folder)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


# --- judges that call nothing ---


def test_the_baseline_calls_nothing(bench: Bench) -> None:
    """It costs nothing, and the page says why."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    estimate = estimated(bench, path, judge="lexical", api_base=None)
    assert (estimate.no_calls, estimate.total.typical.calls, estimate.total.at_most.cost_usd, estimate.price) == ("baseline", 0, 0.0, None)
    assert "the offline baseline makes no calls" in page_text(estimate_page(estimate))


def test_a_replay_calls_nothing(bench: Bench) -> None:
    """Its judgments are in the recorded run."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    bench.score(path)
    estimate = estimated(bench, path, out="again", judge=f"replay:{bench.folder / 'run'}", api_base=None)
    assert (estimate.no_calls, estimate.total.typical.calls) == ("replay", 0)


def test_offline_says_what_would_be_unjudged(bench: Bench) -> None:
    """What the cache lacks takes no call and is counted all the same."""
    path = write_items(bench.folder / "input.jsonl", trams(3))
    bench.score(path, limit=1)
    estimate = estimated(bench, path, out="other", offline=True)
    assert (estimate.no_calls, estimate.total.from_cache, estimate.total.to_make, estimate.total.typical.calls) == ("offline", 3, 6, 0)
    assert "not_recorded" in page_text(estimate_page(estimate))


# --- what it costs ---


def prices(folder: Path, **model: Any) -> Path:
    path = folder / "prices.json"
    path.write_text(json.dumps({"version": "mine", "models": {MODEL: model}}))
    return path


def test_a_price_told_is_the_price(bench: Bench) -> None:
    """Dollars are tokens times price, in the typical and in the worst case."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    told = prices(bench.folder, input_usd_per_million=3, output_usd_per_million=7)
    estimate = estimated(bench, path, prices=told)
    for spent in (estimate.total.typical, estimate.total.at_most, estimate.kinds[LABEL].typical):
        assert spent.cost_usd == pytest.approx((3 * spent.input_tokens + 7 * spent.output_tokens) / 1e6, rel=1e-9)
    assert estimate.price is not None
    assert estimate.price.source.startswith("mine, file prices.json")


def test_a_price_of_nothing_is_told_apart_from_an_unknown_one(bench: Bench) -> None:
    """0 is what the operator says of a model of one's own; what nobody says is null and `unknown`."""
    path = write_items(bench.folder / "input.jsonl", trams(1))
    free = estimated(bench, path, prices=prices(bench.folder, input_usd_per_million=0, output_usd_per_million=0))
    assert free.total.at_most.cost_usd == 0.0
    half = estimated(bench, path, prices=prices(bench.folder, input_usd_per_million=1))
    unknown = estimated(bench, path)
    for estimate in (half, unknown):
        assert estimate.total.typical.cost_usd is estimate.total.at_most.cost_usd is None
        text = page_text(estimate_page(estimate))
        assert f"the price of {MODEL} is not" in " ".join(text.split())
        assert "--prices FILE" in text
        assert "$0" not in text


def test_a_listed_price_is_found(bench: Bench) -> None:
    """The list that the model client brings along is read without asking anybody."""
    path = write_items(bench.folder / "input.jsonl", trams(1))
    estimate = estimated(bench, path, judge="openai/gpt-4o-mini", api_base=None)
    assert estimate.price is not None
    assert estimate.price.price is not None
    assert (estimate.total.typical.cost_usd or 0) > 0
    assert (estimate.total.at_most.cost_usd or 0) > (estimate.total.typical.cost_usd or 0)


def test_bounds_are_compared_with_both_cases(bench: Bench) -> None:
    """A bound may hold the typical case and not the worst one."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    told = prices(bench.folder, input_usd_per_million=1, output_usd_per_million=1)
    free = estimated(bench, path, prices=told)
    assert free.total.typical.cost_usd is not None
    assert free.headroom_usd is not None
    needed = free.total.typical.cost_usd + free.headroom_usd
    checks = estimated(bench, path, prices=told, budget_usd=needed, max_calls=6).budgets
    assert [(check.setting, check.typical_fits, check.at_most_fits) for check in checks] == [
        ("budget_usd", True, False),
        ("max_calls", True, False),
    ]
    tight = estimated(bench, path, prices=told, budget_usd=0.999 * needed, max_calls=5).budgets
    assert [check.typical_fits for check in tight] == [False, False]
    wide = estimated(bench, path, prices=told, budget_usd=1000, max_calls=1000).budgets
    assert [check.at_most_fits for check in wide] == [True, True]


@pytest.mark.parametrize("settings", [{"max_calls": 6}, {"max_calls": 5}, {"budget_usd": 1.0}, {"budget_usd": 0.0}], ids=str)
def test_a_bound_that_holds_the_typical_case_stops_no_ordinary_run(bench: Bench, settings: dict[str, Any]) -> None:
    """A run that meets no trouble completes just where the estimate says that it fits; else it stops with 4."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    told = prices(bench.folder, input_usd_per_million=1, output_usd_per_million=1)
    (check,) = estimated(bench, path, prices=told, **settings).budgets
    assert bench.score(path, prices=told, **settings).exit_code == (0 if check.typical_fits else 4)


def test_a_warm_run_fits_a_budget_of_nothing(bench: Bench) -> None:
    """What is there already needs no call, whatever a call would cost."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    told = prices(bench.folder, input_usd_per_million=1, output_usd_per_million=1)
    bench.score(path)
    checks = estimated(bench, path, prices=told, budget_usd=0, max_calls=0).budgets
    assert [(check.typical_fits, check.at_most_fits) for check in checks] == [(True, True), (True, True)]


def test_a_budget_without_a_price_is_unknown_and_the_run_is_refused(bench: Bench) -> None:
    """The estimate says that the run would be refused; the run is."""
    path = write_items(bench.folder / "input.jsonl", trams(1))
    estimate = estimated(bench, path, budget_usd=1)
    assert (estimate.budgets[0].typical_fits, estimate.budgets[0].at_most_fits) == (None, None)
    assert "the run itself is refused" in " ".join(page_text(estimate_page(estimate)).split())
    with pytest.raises(ConfigError, match="price"):
        score(path, judge=MODEL, api_base=bench.endpoint.url, out=bench.folder / "run", cache=bench.cache, budget_usd=1)


# --- how near it is ---


@pytest.mark.parametrize("mode", ["json_schema", "tools", "md_json"])
def test_input_tokens_are_those_on_the_wire(bench: Bench, mode: str) -> None:
    """Counted again from what arrived, with all that the client added: within two percent."""
    path = write_items(bench.folder / "input.jsonl", trams(3))
    freeze(path, trams(3))
    estimate = estimated(bench, path, mode=mode)
    bench.score(path, mode=mode)
    sent = 0
    for body in (request.body for request in bench.endpoint.requests):
        form = body["tools"] if "tools" in body else (body.get("response_format") or {}).get("json_schema", "")
        texts = [*(message["content"] for message in body["messages"]), json.dumps(form, separators=(",", ":")) if form else ""]
        sent += sum(token_count(MODEL, text) for text in texts)
    assert estimate.total.typical.input_tokens == pytest.approx(sent, rel=0.02)


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(faults.status(500), id="server-errors"),
        pytest.param(faults.truncated(), id="cut-off"),
        pytest.param(faults.empty_text(), id="no-reply-to-read"),
    ],
)
def test_no_run_goes_beyond_the_worst_case(bench: Bench, fault: faults.Fault) -> None:
    """Whatever an endpoint does, calls and tokens stay below what was told."""
    path = write_items(bench.folder / "input.jsonl", trams(2))
    freeze(path, trams(2))
    estimate = estimated(bench, path, deadline=30)
    bench.endpoint.script(fault)
    bench.score(path, deadline=30)
    most = estimate.total.at_most
    assert estimate.total.typical.calls < bench.endpoint.calls() <= most.calls
    room = sum(request.body["max_tokens"] for request in bench.endpoint.requests)
    size = sum(len(json.dumps(request.body["messages"], ensure_ascii=False).encode()) for request in bench.endpoint.requests)
    assert room <= most.output_tokens
    assert size / 4 < most.input_tokens


def test_expected_propositions_of_the_recorded_example(bench: Bench) -> None:
    """Before a model split them, the recorded ground truths are expected to have as many propositions as it found."""
    example = Path(__file__).resolve().parent.parent / "examples" / "quickstart.jsonl"
    estimate = estimated(bench, example, judge="openai/reader")
    assert (estimate.splits.to_split, made(estimate)) == (10, (10, 15, 12))
    assert estimate.splits.estimated_propositions == 21


def test_the_page_fits_a_terminal_and_cannot_be_steered(bench: Bench) -> None:
    """No line is wider than 100 columns, and no control character of a name comes through."""
    path = write_items(bench.folder / "in\x1b[2Jput.jsonl", trams(1))
    text = page_text(estimate_page(estimated(bench, path, budget_usd=1, max_calls=3)))
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100
