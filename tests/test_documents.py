"""JSON documents whatever is in them: what is left of a value can be used, and no place loses its name."""

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError
from judge.schema.record import Record
from pipelines.documents.file_bytes import MAX_FAULTS, PlacedFault, read_bytes, refuse
from pipelines.documents.places import place_of
from pipelines.documents.strict_json import Part, loads, usable, value_faults
from pipelines.documents.wording import validated

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**310), 10**310) | st.floats() | st.text(st.characters(), max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(), max_size=6), inner, max_size=3),
    max_leaves=12,
)


class Inner(Record):
    """One level down."""

    share: float | None = None
    kind: Literal["a", "b", "c"] = "a"


class Outer(Record):
    """A record with each kind of place."""

    name: str
    inner: Inner | None = None
    by_name: dict[str, Inner] = {}
    flags: tuple[bool, ...] = ()


@given(value=VALUES)
def test_what_is_usable_has_no_faults(value: Any) -> None:
    """Whatever JSON can hold: NaN, infinities, halves of characters and endless numbers are gone, and the rest stands where it stood."""
    read = loads(json.dumps(value))
    left = usable(read)
    assert value_faults(Part(left)) == []
    if not value_faults(Part(read)):
        assert left == read


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({}, "$.name: is missing, expected text"),
        ([], "is a list, expected an object with `name`"),
        ({"name": "x", "inner": 3}, "$.inner: is 3, expected an object"),
        ({"name": "x", "inner": {"kind": "d"}}, '$.inner.kind: is "d", expected a, b or c'),
        ({"name": "x", "inner": {"shares": 1}}, "$.inner.shares: is no known field; the closest is `share`"),
        ({"name": "x", "by_name": {"a b": {"share": "1"}}}, '$.by_name["a b"].share: is "1", expected a number'),
        ({"name": "x", "by_name": {"y": {"hare": 1}}}, "$.by_name.y.hare: is no known field; the closest is `share`"),
        ({"name": "x", "flags": [True, 1]}, "$.flags[1]: is 1, expected true or false"),
        ({"name": "x", "Byname": {}}, "$.Byname: is no known field; the closest is `by_name`"),
    ],
)
def test_a_fault_says_where_what_and_what_else(value: Any, told: str) -> None:
    """The rule comes from the record's own schema, and so does the name that was meant."""
    assert list(map(str, validated(Outer, value))) == [told]


def test_a_place_has_its_path_and_its_value() -> None:
    """The name of an alternative, which is not in the data, is left out; a long key is cut."""
    value = {"events": [{"type": "kill", "at": "noon"}], "x" * 70: 1}
    assert place_of(value, ("events", 0, "kill", "at", "constrained-float")) == ("$.events[0].at", "noon")
    assert place_of(value, ("x" * 70,)) == ('$["' + "x" * 60 + '..."]', 1)


def test_very_many_faults_are_counted(tmp_path: Path) -> None:
    """The first ones are listed."""
    path = tmp_path / "a.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        refuse(read_bytes(path), [PlacedFault("$.x", "is wrong")] * (MAX_FAULTS + 50))
    assert (len(caught.value.faults), caught.value.faults[-1].message) == (MAX_FAULTS + 1, "... and 50 more")
