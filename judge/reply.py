"""From the text of a reply to its JSON object. Repairs what needs no second call; never guesses.

Only four things are repaired: fences and prose around one object, control characters inside strings, a reasoning block
before the object, and halves of surrogate pairs, which no file could hold. Two different objects, a repeated key or NaN
make a reply unusable.
"""

import json
import re
from typing import Any, NamedTuple

from judge.errors import ReplyFault
from judge.schema.labels import UnjudgedReason
from judge.text.normalise import folded

MAX_CHARACTERS = 1_000_000
MAX_CANDIDATES = 200
"""Opening braces tried before a reply is called unreadable: keeps the search linear on hostile text."""

_HIGH, _LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
# A backslash and what follows it belong together, so that `\\ud800` is read as text.
_ESCAPE = re.compile(rf"(?P<pair>{_HIGH}{_LOW})|(?P<half>{_HIGH}|{_LOW})|\\.", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")

_FENCE = re.compile(r"\A```[a-zA-Z]*\s*\n(.*?)\n?\s*```\Z", re.DOTALL)


class ReplyObject(NamedTuple):
    """The one JSON object of a reply, and whether anything had to be cut away to find it."""

    fields: dict[str, Any]
    repaired: bool


class _RepeatedKeyError(ValueError):
    pass


def read_object(text: str, required: frozenset[str], data: str) -> ReplyObject:
    """Return the one object of a reply that has all `required` keys.

    `data` is the text under judgment: an object that stands in it, whatever its spacing, is a quotation, never a reply.
    Raises ReplyFault when there is none, or several that differ.
    """
    if len(text) > MAX_CHARACTERS:
        raise _unusable(f"the reply has {len(text):,} characters, the limit is {MAX_CHARACTERS:,}")
    stripped = _without_halves(text.strip("\ufeff \t\r\n"))
    data = _bare(_without_halves(data)) if "{" in data else ""
    if not stripped:
        raise _unusable("the reply is empty")
    whole = _load(stripped)
    if whole is not None and not _is_quotation(stripped, data):
        if not required <= whole.keys():
            raise _unusable(f"the reply has the keys {_shown(whole)}, expected {_shown(required)}")
        return ReplyObject(whole, repaired=False)
    return ReplyObject(_single_object(stripped, required, data), repaired=True)


def _single_object(text: str, required: frozenset[str], data: str) -> dict[str, Any]:
    fence = _FENCE.match(text)
    body = fence.group(1) if fence else text.rpartition("</think>")[2]
    found = [part for part in _objects(body, data) if required <= part.keys()]
    if not found:
        raise _unusable("the reply holds no JSON object with the expected keys " + _shown(required))
    if any(part != found[0] for part in found[1:]):
        raise _unusable(f"the reply holds {len(found)} JSON objects that differ")
    return found[0]


def _objects(text: str, data: str) -> list[dict[str, Any]]:
    """Return the outermost JSON objects in a text, without those quoted from the data."""
    found: list[dict[str, Any]] = []
    position = text.find("{")
    for _ in range(MAX_CANDIDATES):
        if position < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, position)
        except _RepeatedKeyError as error:
            raise _unusable(str(error)) from error
        except (ValueError, RecursionError):
            end = position + 1
        else:
            if isinstance(value, dict) and not _is_quotation(text[position:end], data):
                found.append(value)
        position = text.find("{", end)
    else:
        if position >= 0 and found:
            raise _unusable(f"the reply has more than {MAX_CANDIDATES} braces outside of its object")
    return found


def _load(text: str) -> dict[str, Any] | None:
    """Return the object if the whole text is one."""
    try:
        value = _DECODER.decode(text)
    except _RepeatedKeyError as error:
        raise _unusable(str(error)) from error
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _is_quotation(text: str, data: str) -> bool:
    """Return whether an object stands in the data, both as a person sees them: the judge is shown no invisible characters."""
    return bool(data) and _bare(text) in data


def _bare(text: str) -> str:
    return "".join(folded(text).split())


def _without_halves(text: str) -> str:
    """Return the text with every half of a surrogate pair, bare or escaped, as U+FFFD."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if "\\u" not in text:
        return text
    return _ESCAPE.sub(lambda escape: "\\ufffd" if escape["half"] else escape[0], text)


def _unusable(detail: str) -> ReplyFault:
    return ReplyFault(UnjudgedReason.INVALID_OUTPUT, detail)


def _shown(keys: Any) -> str:
    return ", ".join(repr(key)[:40] for key in sorted(keys)[:8]) or "none"


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _RepeatedKeyError("the reply repeats a key inside one object")
    return fields


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_constant=_no_constant, strict=False)
