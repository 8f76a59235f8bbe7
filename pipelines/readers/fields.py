"""The fields of an item, and the names under which files give them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

FIELDS = (
    "id",
    "question_id",
    "trial",
    "agent",
    "cluster",
    "question",
    "answer",
    "ground_truth",
    "propositions",
    "answerable",
    "declared_abstained",
    "sources",
    "gaps",
    "conflicts",
    "decoys",
    "tests",
    "metadata",
)
"""What `--map` may name."""

SERIALISED = "answer_serialised"
"""Written in normalised items only: says that the answer was no text in the original input."""

OTHER_NAMES = {
    "question": ("input", "query", "prompt"),
    "answer": ("output", "response", "prediction", "completion", "actual_output"),
    "ground_truth": ("reference", "expected", "expected_output", "target", "gold", "ideal"),
}
"""Names understood without `--map` where only one of them, or the field's own, is there."""

RIVAL = "hypothesis"
"""Beside it, a field named `answer` most often holds the reference; alone it is not taken for the answer."""


class Shape(NamedTuple):
    """How the names of one line are understood.

    `columns` pairs each field with the name it has in the file; `extra` are the names that go to metadata;
    `fault` says what is ambiguous, if anything is.
    """

    columns: tuple[tuple[str, str], ...]
    extra: tuple[str, ...]
    fault: str | None = None

    def column_of(self, field: str) -> str | None:
        """Return the name that the field has in the file, or None where it has none."""
        return next((column for known, column in self.columns if known == field), None)


def shape_of(names: Sequence[str], mapping: Mapping[str, str]) -> Shape:
    """Match names to fields: as mapped, else by the field's own name, else by one of its other names.

    A name that `mapping` gives to one field is no candidate for another; a mapped field takes no other name.
    """
    mapped = set(mapping.values())
    columns: list[tuple[str, str]] = []
    faults = []
    for field in (*FIELDS, SERIALISED):
        if field in mapping:
            candidates = [mapping[field]] if mapping[field] in names else []
        else:
            candidates = [name for name in (field, *OTHER_NAMES.get(field, ())) if name in names and name not in mapped]
            if field == "answer" and "answer" in candidates and RIVAL in names and RIVAL not in mapped:
                candidates.append(RIVAL)
        if len(candidates) > 1:
            faults.append(_ambiguous(field, candidates))
        columns.extend((field, name) for name in candidates[:1])
    used = {column for _, column in columns}
    return Shape(tuple(columns), tuple(name for name in names if name not in used), "; ".join(faults) or None)


def mapping_faults(mapping: Mapping[str, str]) -> list[str]:
    """Say of each `--map` that names no field which fields there are."""
    return [
        f"--map {field}={column}: there is no field `{field}`; the fields are {', '.join(FIELDS)}"
        for field, column in mapping.items()
        if field not in FIELDS
    ]


def _ambiguous(field: str, candidates: Sequence[str]) -> str:
    named = " and ".join(f"`{name}`" for name in candidates)
    flags = " or ".join(f"--map {field}={name}" for name in candidates)
    swap = " (with --map ground_truth=answer if `answer` holds the reference)" if field == "answer" and "answer" in candidates else ""
    return f"{named} could each be the field `{field}`; say which with {flags}{swap}"
