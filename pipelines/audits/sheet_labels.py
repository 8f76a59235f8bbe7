"""Sheets that came back, checked against what was handed out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from judge.errors import InputError, InputFault
from judge.schema.labels import Label
from judge.standard.stated import shown
from pipelines.audits.sheet_csv import SheetLine, SheetTexts, read_sheet, same_text
from pipelines.documents.file_bytes import MAX_FAULTS

UNSURE = "unsure"
ADJUDICATOR = "adjudicator"
"""The annotator whose label decides where others are tied, and who is not one of them."""

_WORDS = (*Label, UNSURE)


class Given(NamedTuple):
    """What one annotator says of one row."""

    annotator: str
    row: str
    label: str


class Returned(NamedTuple):
    """All that came back: who labelled, and by row what each of them says; rows that an annotator left blank are not there."""

    annotators: tuple[str, ...]
    said: dict[str, dict[str, str]]
    decided: dict[str, str]


def read_labels(paths: Sequence[Path], texts: Mapping[str, SheetTexts]) -> Returned:
    """Return what annotators say. `texts` are those of all rows that were handed out.

    Raises InputError with every fault of every file: a row of another sheet, a row twice, a text that was changed, a word that is
    no label.
    """
    faults: list[InputFault] = []
    seen: dict[tuple[str, str], str] = {}
    given: list[Given] = []
    names: dict[str, None] = {}
    for path in paths:
        lines = read_sheet(path)
        faults += [InputFault(str(path), line, message) for line, message in _faults(lines, texts)]
        for line in lines:
            one = Given(line.annotator or path.stem, line.row, _word(line.label))
            names.setdefault(one.annotator)
            place = f"{path}:{line.line}"
            if not one.label or one.label not in _WORDS:
                continue
            earlier = seen.setdefault((one.annotator, one.row), place)
            if earlier != place and not earlier.startswith(f"{path}:"):
                message = (
                    f"row {shown(one.row)} is labelled by {shown(one.annotator)} in {earlier} already; give each annotator another name"
                )
                faults.append(InputFault(str(path), line.line, message))
            given.append(one)
    if faults:
        rest = [InputFault(faults[-1].file, None, f"... and {len(faults) - MAX_FAULTS} more")] if len(faults) > MAX_FAULTS else []
        raise InputError([*faults[:MAX_FAULTS], *rest])
    return _returned(names, given)


def _returned(names: Mapping[str, None], given: Sequence[Given]) -> Returned:
    said: dict[str, dict[str, str]] = {}
    decided: dict[str, str] = {}
    for one in given:
        if one.annotator == ADJUDICATOR:
            decided[one.row] = one.label
        else:
            said.setdefault(one.row, {})[one.annotator] = one.label
    return Returned(tuple(sorted(name for name in names if name != ADJUDICATOR)), said, decided)


def _faults(lines: Sequence[SheetLine], texts: Mapping[str, SheetTexts]) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with each row of a file, and the line it begins in."""
    first: dict[str, int] = {}
    counts = Counter(line.row for line in lines)
    for line in lines:
        if line.row not in texts:
            yield line.line, f"row {shown(line.row)} is none of this sheet; is the file of another sheet, or --key of another one?"
            continue
        if counts[line.row] > 1 and first.setdefault(line.row, line.line) != line.line:
            yield line.line, f"row {shown(line.row)} stands in line {first[line.row]} already"
        yield from ((line.line, f"row {shown(line.row)}: {fault}") for fault in _cell_faults(line, texts[line.row]))


def _cell_faults(line: SheetLine, texts: SheetTexts) -> Iterator[str]:
    handed_out = texts._asdict()
    for name, cell in line.texts.items():
        if not same_text(cell, handed_out[name]):
            yield f"the {name} is not the one that was handed out, but {shown(cell)}; labels of other texts do not count"
    if line.label and _word(line.label) not in _WORDS:
        yield f"the label is {shown(line.label)}, expected {', '.join(_WORDS)}, or nothing"


def _word(label: str) -> str:
    """Return a label as we spell it, however a person spells it."""
    return "_".join(label.lower().replace("-", " ").replace("_", " ").split())
