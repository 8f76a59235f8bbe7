"""What a session cost: a bill, a user's prices, the list that comes with the model client, and what is unknown."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError
from judge.price_list import price_map_version, price_of
from judge.prices import listed_price
from judge.schema.prices import ModelPrice, PriceMap
from judge.schema.traces import TokenUsage, Trace
from judge.session.finding import Finding
from pipelines.pricing import cost_of, read_prices

MAP = PriceMap(
    version="spring",
    models={"atlas-1": ModelPrice(input=3e-6, output=15e-6, cache_read=0.3e-6), "own": ModelPrice(input=0, output=0)},
)


def cost(*usage: dict[str, Any], model: str | None = None, prices: PriceMap | None = MAP) -> Finding:
    """Return the cost of a session with these tokens."""
    return cost_of(Trace(id="s", model=model, usage=tuple(TokenUsage(**entry) for entry in usage)), prices)


def test_tokens_times_prices() -> None:
    """1,200 x 3 + 300 x 15 + 800 x 0.3 = 3,600 + 4,500 + 240 = 8,340 millionths of a dollar."""
    found = cost({"model": "atlas-1", "input_tokens": 1200, "output_tokens": 300, "cache_read_tokens": 800})
    assert found.value == pytest.approx(0.00834, rel=1e-12)
    assert found.made_of == "atlas-1: 1,200 input, 300 output, 800 cached tokens; price map spring"
    assert (found.reason, found.basis) == (None, "trace")


def test_models_are_summed() -> None:
    """1,000 x 3 millionths, and a bill of 0.25 dollars, which wins over the price of the same model."""
    found = cost(
        {"model": "atlas-1", "input_tokens": 1000, "output_tokens": 0},
        {"model": "atlas-1", "input_tokens": 10**9, "output_tokens": 0, "cost_usd": 0.25},
    )
    assert found.value == pytest.approx(0.253, rel=1e-12)
    assert found.made_of.endswith("atlas-1: 1,000,000,000 input, 0 output tokens; a bill of 0.25 USD")


def test_a_bill_of_nothing_is_nothing() -> None:
    """A model of one's own costs 0, and says so; neither a name nor token counts are needed for that."""
    assert cost({"cost_usd": 0}) == Finding(
        0.0, "a model without a name: unknown input, unknown output tokens; a bill of 0 USD", basis="trace"
    )


def test_a_user_may_state_that_a_model_is_free() -> None:
    """0 in the user's own prices is a price."""
    assert cost({"model": "own", "input_tokens": 5, "output_tokens": 5}).value == 0.0


@pytest.mark.parametrize(
    ("usage", "reason"),
    [
        pytest.param([], "no_token_counts", id="nothing-recorded"),
        pytest.param([{"model": "atlas-1"}], "no_token_counts", id="no-counts"),
        pytest.param([{"model": "atlas-1", "input_tokens": 5}], "no_token_counts", id="half-of-the-counts"),
        pytest.param([{"input_tokens": 5, "output_tokens": 5}], "no_model", id="no-model"),
        pytest.param([{"model": "nobody/knows", "input_tokens": 0, "output_tokens": 0}], "unknown_price", id="unknown-model"),
        pytest.param([{"model": "ollama/llama2", "input_tokens": 5, "output_tokens": 5}], "unknown_price", id="free-in-the-list-only"),
        pytest.param(
            [{"model": "atlas-1", "input_tokens": 5, "output_tokens": 5, "cache_write_tokens": 1}], "no_cache_price", id="cache-write"
        ),
        pytest.param([{"model": "own", "input_tokens": 5, "output_tokens": 5, "cache_read_tokens": 1}], "no_cache_price", id="cache-read"),
        pytest.param(
            [{"model": "atlas-1", "input_tokens": 5, "output_tokens": 5}, {"model": "nobody/knows", "input_tokens": 1, "output_tokens": 1}],
            "unknown_price",
            id="one-of-two",
        ),
    ],
)
def test_unknown_cost_is_null_with_a_reason(usage: list[dict[str, Any]], reason: str) -> None:
    """Never 0, and never the known part alone."""
    found = cost(*usage)
    assert (found.value, found.reason, found.basis) == (None, reason, None)


def test_model_of_the_trace_stands_in_for_the_usage() -> None:
    """1 x 3 + 1 x 15 millionths."""
    assert cost({"input_tokens": 1, "output_tokens": 1}, model="atlas-1").value == pytest.approx(18e-6, rel=1e-12)


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**9)), min_size=1, max_size=5))
def test_cost_rises_with_every_token(counts: list[tuple[int, int, int]]) -> None:
    """It is at least 0, and one token more costs more."""
    usage = [{"model": "atlas-1", "input_tokens": a, "output_tokens": b, "cache_read_tokens": c} for a, b, c in counts]
    less, more = cost(*usage).value, cost(*usage, {"model": "atlas-1", "input_tokens": 1000, "output_tokens": 0}).value
    assert less is not None
    assert more is not None
    assert 0 <= less < more


# --- the list that comes with the model client ---

LIST = {
    "m": {"litellm_provider": "acme", "input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6},
    "acme/n": {"litellm_provider": "acme", "input_cost_per_token": 1e-6, "cache_read_input_token_cost": 0.0},
    "gemini/g": {"litellm_provider": "gemini", "output_cost_per_token": 4e-6},
    "free": {"litellm_provider": "acme", "input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
    "odd": {"litellm_provider": "acme", "input_cost_per_token": "1e-6", "output_cost_per_token": -1},
    "sample_spec": {"input_cost_per_token": 1.0},
}


@pytest.mark.parametrize(
    ("model", "price"),
    [
        pytest.param("m", ModelPrice(input=1e-6, output=2e-6), id="name"),
        pytest.param("acme/m", ModelPrice(input=1e-6, output=2e-6), id="provider-and-name"),
        pytest.param("acme/n", ModelPrice(input=1e-6, cache_read=0.0), id="listed-with-its-provider"),
        pytest.param("google/g", ModelPrice(output=4e-6), id="provider-by-another-name"),
        pytest.param("other/m", None, id="the-same-name-elsewhere"),
        pytest.param("free", None, id="free"),
        pytest.param("odd", None, id="no-numbers"),
        pytest.param("sample_spec", None, id="explanation"),
        pytest.param("", None, id="empty"),
        pytest.param("acme/", None, id="no-name"),
    ],
)
def test_price_is_looked_up_by_model_and_provider(model: str, price: ModelPrice | None) -> None:
    """Another provider's model of the same name has another price."""
    assert listed_price(LIST, model) == price


def test_bundled_list_knows_a_model_and_names_itself() -> None:
    """A cached token is cheaper than a fresh one; the version names the client and the bytes."""
    price = price_of("openai/gpt-4o")
    assert price is not None
    assert price.input is not None
    assert price.cache_read is not None
    assert 0 < price.cache_read < price.input
    name, _, digest = price_map_version().partition(", bundled price map, sha256 ")
    assert name.startswith("litellm ")
    assert len(digest) == 64


def test_bundled_list_is_used_where_the_user_names_no_price() -> None:
    """The result says which list each number rests on."""
    price = price_of("gpt-4o")
    assert price is not None
    assert price.input is not None
    found = cost({"model": "gpt-4o", "input_tokens": 1000, "output_tokens": 0})
    assert found.value == pytest.approx(1000 * price.input, rel=1e-12)
    assert found.made_of == f"gpt-4o: 1,000 input, 0 output tokens; price map {price_map_version()}"


def test_no_price_needs_the_client_itself() -> None:
    """litellm is not imported for its list, and nothing of it for a bill."""
    program = """
import sys
from judge.schema.traces import TokenUsage, Trace
from pipelines.pricing import cost_of
cost_of(Trace(id="s", usage=(TokenUsage(cost_usd=1.0),)))
print("judge.price_list" in sys.modules)
cost_of(Trace(id="s", usage=(TokenUsage(model="gpt-4o", input_tokens=1, output_tokens=1),)))
print("judge.price_list" in sys.modules, "litellm" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent)
    assert done.stdout.split() == ["False", "True", "False"]


# --- price files ---


def wrote(folder: Path, content: Any) -> Path:
    """Write a price file and return its path."""
    path = folder / "prices.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_price_file_is_read_per_token_with_its_hash(tmp_path: Path) -> None:
    """3 dollars per million are 3e-6 per token; a kind that is left out is unknown."""
    path = wrote(tmp_path, {"version": "2026-04", "models": {"mine": {"input_usd_per_million": 3.0, "cache_read_usd_per_million": 0}}})
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert read_prices(path) == PriceMap(
        version=f"2026-04, file prices.json, sha256 {digest}", models={"mine": ModelPrice(input=3e-6, cache_read=0.0)}
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param({"models": {"m": {}}}, "$.version: is missing", id="no-version"),
        pytest.param({"version": " ", "models": {"m": {}}}, '$.version: is " ", expected text with something in it', id="blank-version"),
        pytest.param({"version": "1", "models": {}}, "$.models: is an object, expected an object with at least one entry", id="no-models"),
        pytest.param(
            {"version": "1", "models": {"m": {"input_usd_per_million": -3}}},
            "$.models.m.input_usd_per_million: is -3, expected a number, 0 or more",
            id="negative",
        ),
        pytest.param(
            {"version": "1", "models": {"a/b": {"input_usd_per_milion": 3}}},
            '$.models["a/b"].input_usd_per_milion: is no known field; the closest is `input_usd_per_million`',
            id="misspelt",
        ),
        pytest.param(
            '{"version": "1", "models": {"m": {"output_usd_per_million": NaN}}}', "$.models.m.output_usd_per_million: is NaN", id="nan"
        ),
        pytest.param('{"version": "1", "version": "2", "models": {"m": {}}}', "$.version: stands twice in one object", id="doubled-key"),
        pytest.param("{}\n{}", "holds 2 JSON values, expected one object with `version` and `models`", id="two-values"),
        pytest.param("[]", "is a list, expected an object", id="list"),
        pytest.param("", "the file is empty; JSON is expected", id="empty"),
    ],
)
def test_faults_of_a_price_file_name_field_value_and_rule(tmp_path: Path, content: Any, expected: str) -> None:
    """The same kind of message as for every other file of a session."""
    path = wrote(tmp_path, content)
    with pytest.raises(InputError) as caught:
        read_prices(path)
    assert str(caught.value).startswith(f"{path}: {expected}")


@pytest.mark.parametrize("bills", [pytest.param([1e308, 1e308], id="only-together"), pytest.param([1.7e308, 1e308, 0.0], id="three")])
def test_more_dollars_than_a_number_holds_are_unknown(bills: list[float]) -> None:
    """Each bill is a number, their sum is none: there is no value, and the reason says so."""
    found = cost(*({"cost_usd": bill} for bill in bills))
    assert (found.value, found.reason) == (None, "too_large")
