"""Files as they come: right ones, then those that a tool, a disk or a person has had a hand in."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from tests.fuzz.replies import ANY_JSON, PLAIN

DEEP = st.sampled_from(["[" * 120 + "]" * 120, '{"a":' * 120 + "1" + "}" * 120, "[" * 5_000])
TORN = (
    st.binary(max_size=8)
    | st.sampled_from(
        [b"\xff", b"\xed\xa0\x80", b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"\r\n", b"\n", b"\\ud800", b"\\u0000", b"NaN", b"1e999"]
    )
    | st.sampled_from([b'"', b"'", b"{", b"}", b"[", b"]", b",", b"=", b"\x1b[2J", b"9" * 5_000, b"[" * 20_000])
)
"""Bytes that are written into a file where nobody expects them."""


def pairs_text(pairs: Sequence[tuple[str, Any]]) -> str:
    """Return a JSON object that may hold a key twice."""
    return "{" + ", ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in pairs) + "}"


@st.composite
def objects(draw: st.DrawFn, right: Mapping[str, Any], others: st.SearchStrategy[str] = PLAIN) -> str:
    """Return the JSON text of a right object in which some fields are missing, doubled, unknown, or of another kind."""
    pairs = list(right.items())
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(pairs)))
        name = draw(st.sampled_from(sorted(right)) | others)
        change = draw(st.sampled_from(["drop", "put", "replace", "inside"]))
        if change == "put" or place == len(pairs):
            pairs.insert(place, (name, draw(ANY_JSON)))
        elif change == "drop":
            del pairs[place]
        elif change == "replace":
            pairs[place] = (pairs[place][0], draw(ANY_JSON))
        else:
            pairs[place] = (pairs[place][0], draw(_changed_inside(pairs[place][1])))
    return pairs_text(pairs)


@st.composite
def _changed_inside(draw: st.DrawFn, value: Any) -> Any:
    """Return a value with one part of it, however deep, dropped or replaced."""
    if isinstance(value, dict) and value:
        name = draw(st.sampled_from(sorted(value)))
        rest = {key: part for key, part in value.items() if key != name}
        return draw(
            st.sampled_from([rest, {**value, draw(PLAIN): 1}]) | _changed_inside(value[name]).map(lambda part: {**rest, name: part})
        )
    if isinstance(value, list) and value:
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], draw(_changed_inside(value[place])), *value[place + 1 :]]
    return draw(ANY_JSON)


@st.composite
def torn(draw: st.DrawFn, data: bytes) -> bytes:
    """Return bytes that were cut, partly lost, or written into."""
    for _ in range(draw(st.integers(0, 2))):
        first, last = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
        if draw(st.booleans()):
            data = draw(st.sampled_from([data[:first], data[:first] + data[last:]]))
        else:
            data = data[:first] + draw(TORN) + data[first:]
    return data
