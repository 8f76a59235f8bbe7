"""Tokens as the OpenAI interfaces count them, one record a model."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from judge.schema.traces import TokenUsage
from judge.standard.stated import shown
from pipelines.documents.places import child
from pipelines.sessions.messages import Unusable


class _Count(NamedTuple):
    model: str | None
    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float | None


def usages_of(told: Any, path: str, model: str | None) -> list[TokenUsage]:
    """Return the tokens of each model from one usage or a list of them; a kind that one call leaves out is unknown for its model.

    Input tokens of these interfaces include those read from a cache, which are taken out: they have a price of their own.
    Raises Unusable.
    """
    entries = told if isinstance(told, list) else [told]
    places = [child(path, number) for number in range(len(entries))] if isinstance(told, list) else [path]
    return summed([_count(entry, place, model) for entry, place in zip(entries, places, strict=True) if entry is not None])


def summed(counts: Sequence[_Count]) -> list[TokenUsage]:
    """Return one usage a model, in the order of their first call."""
    models = dict.fromkeys(count.model for count in counts)
    return [_sum([count for count in counts if count.model == model]) for model in models]


def _sum(counts: Sequence[_Count]) -> TokenUsage:
    bills = [count.cost_usd for count in counts]
    return TokenUsage(
        model=counts[0].model,
        input_tokens=_total([count.input_tokens for count in counts]),
        output_tokens=_total([count.output_tokens for count in counts]),
        cache_read_tokens=sum(count.cache_read_tokens for count in counts),
        cache_write_tokens=sum(count.cache_write_tokens for count in counts),
        cost_usd=None if None in bills else sum(bill for bill in bills if bill is not None),
    )


def _total(numbers: Sequence[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None


def _count(told: Any, path: str, model: str | None) -> _Count:
    if not isinstance(told, dict):
        raise Unusable(path, f"is {shown(told)}, expected an object with token counts")
    whole = _tokens(told, ("prompt_tokens", "input_tokens"), path)
    named = [told[key] for key in ("prompt_tokens_details", "input_tokens_details") if isinstance(told.get(key), dict)]
    details: dict[str, Any] = named[0] if named else {}
    read = _tokens(details, ("cached_tokens",), path) or 0
    write = _tokens(details, ("cache_creation_tokens",), path) or 0
    if "prompt_tokens" not in told and "cache_read_input_tokens" in told:
        # The other way of counting, in which input tokens never include cached ones.
        read = _tokens(told, ("cache_read_input_tokens",), path) or 0
        write = _tokens(told, ("cache_creation_input_tokens",), path) or 0
    elif whole is not None and read + write > whole:
        raise Unusable(path, f"counts {read + write} cached tokens among {whole} input tokens; cached ones are a part of them")
    elif whole is not None:
        whole -= read + write
    own = told.get("model")
    return _Count(
        own if isinstance(own, str) and own.strip() else model,
        whole,
        _tokens(told, ("completion_tokens", "output_tokens"), path),
        read,
        write,
        _bill(told, path),
    )


def _tokens(told: dict[str, Any], keys: Sequence[str], path: str) -> int | None:
    for key, value in _given(told, keys):
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise Unusable(child(path, key), f"is {shown(value)}, expected a number of tokens, 0 or more")
        return value
    return None


def _bill(told: dict[str, Any], path: str) -> float | None:
    for key, value in _given(told, ("cost_usd",)):
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise Unusable(child(path, key), f"is {shown(value)}, expected a number of US dollars, 0 or more")
        return float(value)
    return None


def _given(told: dict[str, Any], keys: Sequence[str]) -> Iterator[tuple[str, Any]]:
    return ((key, told[key]) for key in keys if told.get(key) is not None)
