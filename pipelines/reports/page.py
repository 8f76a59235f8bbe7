"""A report as all renderers show it: words and tables, before any layout."""

from typing import NamedTuple

from pipelines.reports.table import Table


class Page(NamedTuple):
    """A title, what is said in pairs, tables, notes, warnings, and the sentence that discloses how it was made. Text is not escaped yet."""

    title: str
    facts: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    disclosure: str = ""
