"""Sheets as CSV: written so that a spreadsheet runs nothing, read back from whatever a spreadsheet makes of them."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipelines.documents.file_bytes import FileBytes, PlacedFault, read_bytes, refuse
from pipelines.documents.places import ROOT
from pipelines.reports.csv_table import starts_formula
from pipelines.reports.escapes import escape_controls

if TYPE_CHECKING:
    import _csv

COLUMNS = ("row", "question", "answer", "proposition", "label", "comment", "annotator")
_TEXTS = ("question", "answer", "proposition")
_NEEDED = ("row", "label")

LONGEST = 30_000
"""Characters of a text in a cell; spreadsheets cut a cell of more than 32,767 characters without a word."""
CUT = " [cut: the whole text stands in sheet.html]"

_BOM = "\ufeff"


class SheetTexts(NamedTuple):
    """What an annotator reads of one row."""

    row: str
    question: str
    answer: str
    proposition: str


class SheetLine(NamedTuple):
    """One row as it came back, with the line that it begins in; what its file does not hold is None."""

    line: int
    row: str
    label: str
    annotator: str
    texts: dict[str, str]


def shown_text(text: str | None) -> str:
    """Return a text as annotators see it: what would steer a document is spelled out, line ends stay."""
    return escape_controls((text or "").replace("\r\n", "\n").replace("\r", "\n"))


def text_cell(text: str) -> str:
    """Return a shown text as a cell that no spreadsheet runs as a formula or cuts."""
    cell = text if len(text) <= LONGEST else text[:LONGEST] + CUT
    return f"'{cell}" if starts_formula(cell) else cell


def sheet_csv(rows: Iterable[SheetTexts], annotator: str) -> Iterator[str]:
    """Yield a sheet line by line, all cells quoted, with label and comment left to the annotator."""
    yield f"{_BOM}{_line(COLUMNS)}"
    for row in rows:
        texts = map(text_cell, (row.question, row.answer, row.proposition))
        yield _line((row.row, *texts, "", "", text_cell(annotator)))


def _line(cells: Iterable[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerow(cells)
    return buffer.getvalue()


def read_sheet(path: Path) -> list[SheetLine]:
    """Return the rows of a sheet: UTF-8 with or without a byte order mark, any line ends, commas, semicolons or tabs between cells.

    Rows in which every cell is empty are left out. Raises InputError for a file that cannot be read so.
    """
    file = read_bytes(path)
    text = _decoded(file).removeprefix(_BOM)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    lines = list(_numbered(file, reader))
    if not lines:
        refuse(file, [PlacedFault(ROOT, "is empty; expected a sheet with the columns " + ", ".join(COLUMNS))])
    names = [name.strip().lower() for name in lines[0][1]]
    _check_names(file, names)
    return [_sheet_line(number, dict(zip(names, cells, strict=False))) for number, cells in lines[1:] if any(map(str.strip, cells))]


def same_text(cell: str, shown: str) -> bool:
    """Return whether a cell still holds a text, white space and the leading `'` aside, which spreadsheets change by themselves."""
    return _words(cell) in (_words(text_cell(shown)), _words(text_cell(shown).removeprefix("'")))


def _words(text: str) -> list[str]:
    return text.split()


def _decoded(file: FileBytes) -> str:
    try:
        return file.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = file.data.count(b"\n", 0, error.start) + 1
        refuse(file, [PlacedFault(ROOT, "is not UTF-8; in a spreadsheet save it as 'CSV UTF-8'", line)])
        raise


def _delimiter(text: str) -> str:
    """Return what stands after the first name of the header: a comma unless a spreadsheet chose otherwise."""
    header = text.partition("\n")[0]
    return max(",;\t", key=header.count)


def _numbered(file: FileBytes, reader: "_csv.Reader") -> Iterator[tuple[int, list[str]]]:
    """Yield rows with the line that each begins in."""
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        refuse(file, [PlacedFault(ROOT, f"is no CSV: {error}", line)])


def _check_names(file: FileBytes, names: Sequence[str]) -> None:
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        refuse(file, [PlacedFault(ROOT, f"has no column {' and no column '.join(missing)}; expected {', '.join(COLUMNS)}", 1)])
    twice = sorted({name for name in COLUMNS if names.count(name) > 1})
    if twice:
        refuse(file, [PlacedFault(ROOT, f"has the column {twice[0]} twice", 1)])


def _sheet_line(line: int, cells: dict[str, str]) -> SheetLine:
    texts = {name: cell for name, cell in cells.items() if name in _TEXTS}
    plain = {name: cells.get(name, "").strip().removeprefix("'").strip() for name in ("row", "label", "annotator")}
    return SheetLine(line, plain["row"], plain["label"], plain["annotator"], texts)
