"""A table of any report, in cells of unescaped text."""

from typing import NamedTuple


class Column(NamedTuple):
    """The head of a column; `numeric` ones are aligned right and never cut, `wraps` ones go on in the next line where others are cut."""

    name: str
    numeric: bool = False
    wraps: bool = False


class Table(NamedTuple):
    """Rows of cells under a title; `note` says what was left out."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str | None = None
