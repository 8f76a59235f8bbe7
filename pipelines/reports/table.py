"""A table of any report, in cells of unescaped text."""

from typing import NamedTuple


class Column(NamedTuple):
    """The head of a column; `numeric` ones are aligned right and never cut."""

    name: str
    numeric: bool = False


class Table(NamedTuple):
    """Rows of cells under a title; `note` says what was left out."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str | None = None
