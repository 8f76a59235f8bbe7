"""The text of a CSV cell as the value of a field."""

from collections.abc import Callable
from typing import Any

from pipelines.readers.fields import SERIALISED
from pipelines.readers.json_values import parse_json

_TRUE = frozenset({"true", "yes", "1"})
_FALSE = frozenset({"false", "no", "0"})


def cell_value(field: str, cell: str) -> Any:
    """Return what the cell holds for this field; None for an empty cell, except that an empty answer is a text.

    Lists and objects are JSON; a ground truth is one only where it is a JSON list of texts. Words such as `nan` and `NA` are
    texts like any other. Raises ValueError for a cell that cannot be read.
    """
    if not cell and field != "answer":
        return None
    understand = _CELLS.get(field)
    return cell if understand is None else understand(cell)


def _truth(cell: str) -> bool:
    word = cell.strip().casefold()
    if word not in _TRUE | _FALSE:
        raise ValueError(f"expected true or false (or yes, no, 1, 0), found {cell!r}")
    return word in _TRUE


def _whole_number(cell: str) -> int:
    try:
        return int(cell)
    except ValueError:
        raise ValueError(f"expected a whole number, found {cell!r}") from None


def _reference(cell: str) -> Any:
    try:
        value = _text_or_list(cell)
    except ValueError:
        return cell
    # "[1]" may well be all there is of a reference text; a list of texts cannot be mistaken.
    return value if all(isinstance(part, str) for part in value) else cell


def _text_or_list(cell: str) -> Any:
    return parse_json(cell) if cell.lstrip().startswith("[") else cell


_CELLS: dict[str, Callable[[str], Any]] = {
    "trial": _whole_number,
    "ground_truth": _reference,
    "propositions": parse_json,
    "answerable": _truth,
    "declared_abstained": _truth,
    "sources": _text_or_list,
    "gaps": _text_or_list,
    "conflicts": parse_json,
    "decoys": _text_or_list,
    "tests": _text_or_list,
    "metadata": parse_json,
    SERIALISED: _truth,
}
