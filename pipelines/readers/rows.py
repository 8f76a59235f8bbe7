"""One line of an input file, before its fields are understood."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from judge.errors import InputFault
from pipelines.readers.json_values import json_value


class Row(NamedTuple):
    """The values of one line under the names that the file gives them.

    `line` counts from 1; in Parquet it is the row, since there are no lines. `names` are all columns of a table, of JSON Lines
    the keys of this object; `values` leaves out what is absent. `textual` says that every value is the text of a cell.
    """

    line: int
    names: tuple[str, ...]
    values: Mapping[str, Any]
    textual: bool = False


def python_row(values: Mapping[str, object], *, file: str, line: int) -> Row | InputFault:
    """Return a mapping of Python values as a row, or what about it JSON cannot hold; None and NaN are absent."""
    present = {}
    for name, given in values.items():
        try:
            value = json_value(given)
        except ValueError as error:
            return InputFault(file, line, f"`{name}`: {error}")
        if value is not None:
            present[name] = value
    return Row(line, tuple(values), present)
