"""Whole runs under a budget: never overspent, stopped resumable, and finished to the same bytes by the next command."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.errors import ConfigError, InputError
from judge.schema.labels import UnjudgedReason
from judge.schema.outcomes import Unjudged
from pipelines.api import ScoreResult, score
from tests.endpoint import faults
from tests.endpoint.server import Endpoint, Rule
from tests.runs.items import tram, trams, write_items
from tests.runs.running import Bench, command, written

ITEMS = trams(6)
"""Eighteen calls: a split, labels and a mark for each."""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        bench = Bench(endpoint, tmp_path)
        scripted(bench)
        yield bench


def scripted(bench: Bench) -> None:
    """Let every reply report 100 prompt and 30 completion tokens."""
    usage = {"prompt_tokens": 100, "completion_tokens": 30, "total_tokens": 130}
    bench.endpoint.script(faults.Fault(completion=lambda completion: {**completion, "usage": usage}))


def prices(folder: Path, **entry: float) -> Path:
    """Write a price file for the scripted model; by default a dollar for a thousand tokens of either kind."""
    fields = {"input_usd_per_million": 1000.0, "output_usd_per_million": 1000.0, **entry}
    path = folder / "prices.json"
    path.write_text(json.dumps({"version": "test", "models": {"openai/scripted": fields}}), encoding="utf-8")
    return path


BUDGET_USD = 8.3
"""Enough for the worst case of one split, some 3,800 tokens in and 4,000 out, and little more."""

USD_A_CALL = 0.13
"""What 130 tokens cost."""


def reasons(result: ScoreResult) -> list[str]:
    """Return why parts are unjudged, each reason once, sorted."""
    parts = [part for item in result.items() for part in (item.abstention, item.mark, *(each.outcome for each in item.propositions))]
    return sorted({str(part.reason) for part in parts if isinstance(part, Unjudged)})


@pytest.mark.faults
@pytest.mark.parametrize("connections", [1, 16])
def test_row36_calls_end_at_the_budget_and_the_same_command_goes_on(bench: Bench, connections: int) -> None:
    """Eighteen calls, five a command: three stop with 4, the fourth finishes to the bytes of an undisturbed run."""
    ends, whole = [], bench.score(ITEMS, "whole", cache=bench.folder / "other")
    bench.endpoint.reset()
    scripted(bench)
    for command_number in range(1, 5):
        result = bench.score(ITEMS, max_calls=5, max_connections=connections)
        ends.append(result.exit_code)
        assert bench.endpoint.calls() <= 5 * command_number
    assert ends == [4, 4, 4, 0]
    assert bench.endpoint.calls() == 18
    assert written(result) == written(whole)


@pytest.mark.faults
@pytest.mark.parametrize("connections", [1, 16])
def test_row36_dollars_are_never_overspent(bench: Bench, connections: int) -> None:
    """The worst case of each call is reserved: what was spent stays below the budget, and the same command goes on."""
    told, counted = prices(bench.folder), []
    for _ in range(20):
        before = bench.endpoint.calls()
        result = bench.score(ITEMS, prices=told, budget_usd=BUDGET_USD, max_connections=connections)
        counted.append(bench.endpoint.calls() - before)
        assert counted[-1] * USD_A_CALL <= BUDGET_USD
        if result.exit_code == 0:
            break
        assert (result.exit_code, result.manifest.state, result.summary.complete) == (4, "stopped", False)
        assert set(reasons(result)) <= {UnjudgedReason.BUDGET_STOP, UnjudgedReason.NOT_RUN, UnjudgedReason.DECOMPOSITION_FAILED}
    assert result.exit_code == 0
    assert len(counted) > 1
    assert sum(counted) == 18
    assert result.summary.usage.cost_usd == pytest.approx(18 * USD_A_CALL)


@pytest.mark.faults
def test_row36_the_command_says_what_stopped_it(bench: Bench) -> None:
    """Exit 4, the flag and its value in the message, no headline, and the rest not run."""
    source = write_items(bench.folder / "items.jsonl", ITEMS)
    done = command("score", source, *bench.flags(), "--max-calls", "4")
    assert done.returncode == 4
    assert "the budget is reached: --max-calls 4: 4 calls were made; the same command resumes" in done.stderr
    assert bench.endpoint.calls() == 4
    summary = json.loads((bench.folder / "run" / "summary.json").read_text(encoding="utf-8"))
    assert summary["complete"] is False
    assert summary["metrics"]["R_proposition"]["value"] is None
    assert "not_run" in summary["unjudged"]


def test_retries_and_re_asks_are_calls_of_the_budget(bench: Bench) -> None:
    """An endpoint that always fails gets no more calls than the budget allows."""
    bench.endpoint.script(faults.status(500))
    result = bench.score([tram(1)], max_calls=2)
    assert (bench.endpoint.calls(), result.exit_code) == (2, 4)


def test_what_was_paid_before_the_budget_ended_is_not_thrown_away(bench: Bench) -> None:
    """A judgment that met the budget in its second call is journalled with what the first one cost."""
    bench.endpoint.script(Rule(faults.empty_text(), first=1))
    result = bench.score([{"id": "a", "answer": "It is red.", "propositions": ["It is red."]}], max_calls=1)
    assert result.exit_code == 4
    assert result.summary.usage.judgments == 1
    assert result.summary.usage.input_tokens == 100


def test_nothing_may_be_spent_on_what_is_cached(bench: Bench) -> None:
    """A budget of nothing is enough for a run that the cache answers."""
    bench.score(ITEMS, "first")
    before = bench.endpoint.calls()
    assert bench.score(ITEMS, "second", max_calls=0).exit_code == 0
    assert bench.score(ITEMS, "third", budget_usd=0.0, prices=prices(bench.folder)).exit_code == 0
    assert bench.endpoint.calls() == before


@pytest.mark.parametrize(
    ("entry", "missing"),
    [
        pytest.param(None, "needs the input and output price of 'openai/scripted', which is not known", id="not-listed"),
        pytest.param({"input_usd_per_million": 1.0}, "needs the output price", id="half-told"),
    ],
)
def test_dollars_need_a_price(bench: Bench, entry: dict[str, float] | None, missing: str) -> None:
    """An unknown price is refused before any call, with the way to tell one."""
    settings: dict[str, Any] = {"budget_usd": 1.0}
    if entry is not None:
        path = bench.folder / "half.json"
        path.write_text(json.dumps({"version": "test", "models": {"openai/scripted": entry}}), encoding="utf-8")
        settings["prices"] = path
    with pytest.raises(ConfigError, match=missing) as error:
        bench.score(ITEMS, **settings)
    assert "--prices FILE" in str(error.value)
    assert "--max-calls" in str(error.value)
    assert bench.endpoint.calls() == 0


def test_a_listed_price_is_enough(bench: Bench) -> None:
    """A model in the list of the client needs no price file, wherever it is asked."""
    settings = {"judge": "openai/gpt-4o-mini", "api_base": bench.endpoint.url, "cache": bench.cache, "out": bench.folder / "run"}
    result = score([tram(1)], budget_usd=0.001, **settings)
    assert (result.exit_code, bench.endpoint.calls()) == (4, 0)


def test_a_price_file_with_faults_is_refused(bench: Bench) -> None:
    """Before any call, naming the field."""
    path = bench.folder / "bad.json"
    path.write_text('{"version": "x", "models": {"m": {"input_usd_per_million": -1}}}', encoding="utf-8")
    with pytest.raises(InputError, match="input_usd_per_million"):
        bench.score(ITEMS, prices=path)


@pytest.mark.parametrize(("name", "value"), [("budget_usd", -1), ("budget_usd", "nan"), ("max_calls", -1), ("max_calls", 1.5)])
def test_what_is_no_budget(bench: Bench, name: str, value: Any) -> None:
    """Negative and half amounts are settings errors."""
    with pytest.raises(ConfigError, match=name):
        bench.score(ITEMS, **{name: value})


def test_too_many_requests_halve_what_is_under_way(tmp_path: Path) -> None:
    """An endpoint that refuses more than two calls at once is asked two at a time after a few refusals, and judges everything."""
    with Endpoint(latency=0.03, most_at_once=2) as endpoint:
        result = Bench(endpoint, tmp_path).score(trams(20), max_connections=16)
        refused = endpoint.calls() - 60
    assert (result.exit_code, result.summary.complete) == (0, True)
    assert 0 < refused < 60


@pytest.mark.parametrize("counts", [(-100_000, -5), (0, 0), (10**400, 1)], ids=["negative", "none", "beyond-numbers"])
def test_counts_that_are_none_earn_no_credit(tmp_path: Path, counts: tuple[int, int]) -> None:
    """A reply whose tokens cannot be is paid at its worst case, and its cost is unknown."""
    usage = {"prompt_tokens": counts[0], "completion_tokens": counts[1], "total_tokens": sum(counts)}
    with Endpoint() as endpoint:
        endpoint.script(faults.Fault(completion=lambda completion: {**completion, "usage": usage}))
        bench = Bench(endpoint, tmp_path)
        result = bench.score(ITEMS, prices=prices(tmp_path), budget_usd=16.5)
        assert result.exit_code == 4
        assert endpoint.calls() == 2
    assert result.summary.usage.cost_usd is None
