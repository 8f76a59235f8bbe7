"""What each field of an item may hold. Every function takes a JSON value that is not null and raises ValueError if it does not fit."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, TypeVar

from judge.schema.items import ItemTest
from pipelines.readers.json_values import kind_of

Parsed = TypeVar("Parsed")


def is_blank(text: str) -> bool:
    """Return whether a person would see nothing: white space and invisible characters only."""
    return not any(character.isprintable() and not character.isspace() for character in text)


def identifier(value: Any) -> str:
    """Return an id as text: `007` stays `007`, the number 7 becomes `7`."""
    # The exact type: true is an int in Python, and no id.
    return str(value) if type(value) is int else visible_text(value, wanted="text or a whole number")


def group_name(value: Any) -> str | None:
    """Return what items are grouped by (question, agent, cluster) as text; a blank one is absent."""
    text = _number_as_text(value)
    if not isinstance(text, str):
        raise ValueError(f"expected text or a number, found {kind_of(value)}")
    return None if is_blank(text) else text


def plain_text(value: Any) -> str:
    """Return a text, which may be empty."""
    if not isinstance(value, str):
        raise ValueError(f"expected text, found {kind_of(value)}")
    return value


def visible_text(value: Any, *, wanted: str = "text") -> str:
    """Return a text in which there is something to see."""
    if not isinstance(value, str):
        raise ValueError(f"expected {wanted}, found {kind_of(value)}")
    # The first character nearly always decides, and this runs for every text of every item.
    if not value[:1].isalnum() and is_blank(value):
        raise ValueError(f"is blank, expected {wanted}")
    return value


def whole_number(value: Any) -> int:
    """Return an integer; 2.0 is one, since tables with gaps store integers so."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"expected a whole number, found {kind_of(value)}")
    return value


def truth(value: Any) -> bool:
    """Return true or false; 0, 1 and words are refused, since a wrong guess would turn a score round."""
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, found {kind_of(value)}")
    return value


def references(value: Any) -> list[str]:
    """Return the alternative ground truths; a number stands for its digits, an empty list for none."""
    parts = value if isinstance(value, list) else [value]
    return _each(lambda part: visible_text(_number_as_text(part)), parts)


def statements(value: Any) -> list[str]:
    """Return a list of visible texts; a single text is taken as a list of one."""
    if isinstance(value, str):
        return [visible_text(value)]
    return _each(visible_text, _list(value))


def propositions(value: Any) -> list[dict[str, str | None]]:
    """Return propositions with an id each: their own, else `p` and the position; keys other than id, text, source_quote are dropped."""
    found = _each(_proposition, _list(value))
    _complete_ids(found, prefix="p")
    return found


def conflicts(value: Any) -> list[dict[str, Any]]:
    """Return conflicts with an id each: their own, else `c` and the position; each needs a superseded statement."""
    found = _each(_conflict, _list(value))
    _complete_ids(found, prefix="c")
    return found


def item_tests(value: Any) -> list[str]:
    """Return what the item tests, each once."""
    known = [test.value for test in ItemTest]
    words = [value] if isinstance(value, str) else _list(value)
    for word in words:
        if word not in known:
            raise ValueError(f"expected {', '.join(known)}, found {word!r}")
    return list(dict.fromkeys(words))


def json_object(value: Any) -> dict[str, Any]:
    """Return an object untouched."""
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, found {kind_of(value)}")
    return value


def _proposition(value: Any) -> dict[str, str | None]:
    if isinstance(value, str):
        return {"id": None, "text": visible_text(value)}
    if not isinstance(value, dict):
        raise ValueError(f"expected text or an object with `text`, found {kind_of(value)}")
    found = {"id": _optional(value, "id", identifier), "text": _part(value, "text", visible_text)}
    quote = _optional(value, "source_quote", plain_text)
    if quote is not None and not is_blank(quote):
        found["source_quote"] = quote
    return found


def _conflict(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"expected an object with `current` and `superseded`, found {kind_of(value)}")
    superseded = _part(value, "superseded", statements)
    if not superseded:
        raise ValueError("`superseded` is empty, expected at least one statement")
    return {"id": _optional(value, "id", identifier), "current": _part(value, "current", visible_text), "superseded": superseded}


def _part(value: Mapping[str, Any], key: str, parse: Callable[[Any], Parsed]) -> Parsed:
    part = value.get(key)
    if part is None:
        raise ValueError(f"expected `{key}`, found {kind_of(value)}")
    try:
        return parse(part)
    except ValueError as error:
        raise ValueError(f"`{key}` {error}") from error


def _optional(value: Mapping[str, Any], key: str, parse: Callable[[Any], Parsed]) -> Parsed | None:
    return None if value.get(key) is None else _part(value, key, parse)


def _complete_ids(parts: Sequence[dict[str, Any]], *, prefix: str) -> None:
    """Give every part without an id one made from its position, or past the last position where that one is taken."""
    given = [part["id"] for part in parts if part["id"] is not None]
    taken = set(given)
    if len(taken) < len(given):
        repeated = next(one for one in given if given.count(one) > 1)
        raise ValueError(f"the id `{repeated}` occurs twice")
    if len(given) == len(parts):
        return
    spare = (made for number in count(len(parts) + 1) if (made := f"{prefix}{number}") not in taken)
    for position, part in enumerate(parts, start=1):
        if part["id"] is None:
            made = f"{prefix}{position}"
            part["id"] = next(spare) if made in taken else made


def _each(parse: Callable[[Any], Parsed], parts: Sequence[Any]) -> list[Parsed]:
    parsed: list[Parsed] = []
    try:
        for part in parts:
            parsed.append(parse(part))  # noqa: PERF401 - how many were parsed says which one was at fault
    except ValueError as error:
        raise ValueError(f"entry {len(parsed) + 1}: {error}" if len(parts) > 1 else str(error)) from error
    return parsed


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"expected a list, found {kind_of(value)}")
    return value


def _number_as_text(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
