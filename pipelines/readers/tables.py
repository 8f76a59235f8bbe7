"""Tables: CSV and Parquet."""

import codecs
import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from judge.errors import InputError, InputFault
from pipelines.readers.lines import not_utf8
from pipelines.readers.rows import Row, python_row

MAX_CELL = 2**31 - 1
"""Characters in a CSV cell; the csv module's own bound of 131,072 is shorter than real answers."""

BATCH_ROWS = 256
"""Parquet rows held in memory at once."""


def csv_rows(path: Path) -> Iterator[Row | InputFault]:
    """Yield the rows of a CSV file as text, and a fault for every row that does not fit the header.

    The separator is a comma, or the semicolon or tab of a header without commas. Empty cells are left out, and rows of nothing
    else are skipped like blank lines; a column without a name is called `column N`. Reading ends at the first byte that is not
    UTF-8 and at a quote out of place, since what follows cannot be told apart. `line` is the physical line on which the row starts.
    """
    # The bound is the module's, not the reader's; nothing else here reads CSV.
    csv.field_size_limit(MAX_CELL)
    file = str(path)
    with path.open("rb") as handle:
        separator = _separator(handle.readline())
        handle.seek(0)
        reader = csv.reader(_decoded(handle), delimiter=separator, strict=True)
        start = 1
        try:
            names: tuple[str, ...] = ()
            for cells in reader:
                if not any(cells):
                    pass
                elif not names:
                    names = _named(cells)
                    if twice := _repeated(names):
                        yield InputFault(file, start, twice)
                        return
                elif len(cells) != len(names):
                    yield InputFault(file, start, f"the row has {len(cells)} cells, the header {len(names)}")
                elif any("\0" in cell for cell in cells):
                    yield InputFault(file, start, "holds a NUL character")
                else:
                    yield Row(start, names, {name: cell for name, cell in zip(names, cells, strict=True) if cell}, textual=True)
                start = reader.line_num + 1
        except UnicodeDecodeError as error:
            yield InputFault(file, reader.line_num + 1, not_utf8(error))
        except csv.Error as error:
            yield InputFault(file, start, f"not valid CSV: {error}")


def parquet_rows(path: Path) -> Iterator[Row | InputFault]:
    """Yield the rows of a Parquet file in batches; absent are null and NaN.

    Raises InputError if pyarrow is not installed.
    """
    file = str(path)
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise InputError([InputFault(file, None, "Parquet needs pyarrow: install crux-judge[parquet]")]) from error
    try:
        with pyarrow.parquet.ParquetFile(path) as table:
            if twice := _repeated(table.schema_arrow.names):
                yield InputFault(file, None, twice)
                return
            batches = table.iter_batches(batch_size=BATCH_ROWS)
            records = (record for batch in batches for record in batch.to_pylist())
            for line, record in enumerate(records, start=1):
                yield python_row(record, file=file, line=line)
    except (pyarrow.ArrowException, ValueError, OverflowError, OSError) as error:
        # A damaged page is an OSError; a date or duration beyond what Python can hold overflows.
        yield InputFault(file, None, f"not a readable Parquet file: {error}")


def _decoded(lines: Iterator[bytes]) -> Iterator[str]:
    # Decoded line by line, not as one stream, so that a fault can name its line.
    for number, raw in enumerate(lines):
        yield (raw if number else raw.removeprefix(codecs.BOM_UTF8)).decode("utf-8")


def _separator(header: bytes) -> str:
    return next((mark for mark in (",", ";", "\t") if mark.encode() in header), ",")


def _named(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(cell.strip() or f"column {position}" for position, cell in enumerate(cells, start=1))


def _repeated(names: Sequence[str]) -> str | None:
    twice = [f"`{name}`" for name, times in Counter(names).items() if times > 1]
    return f"several columns have the same name: {', '.join(twice)}" if twice else None
