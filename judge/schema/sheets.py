"""A sample of judged statements that people label: what was drawn, and what came back."""

from typing import Literal

from judge.schema.manifests import InputFacts
from judge.schema.record import Record

Stratify = Literal["label", "agent", "none"]
"""What a sample is spread over: the judge's label, the agent whose answer it is, or nothing."""


class SheetRow(Record):
    """One statement of a sheet: where it stands in the run, and by which chance it was drawn.

    `text_sha256` is that of question, answer and proposition. `weight` is 1 / `probability`: how many statements of the run it stands for.
    """

    row: str
    item_id: str
    proposition_id: str
    text_sha256: str
    stratum: str
    probability: float
    weight: float


class Stratum(Record):
    """A part of the run: how many statements it holds and how many were drawn; with whole items, how many items."""

    size: int
    drawn: int


class SheetKey(Record):
    """The content of `key.json`, which tells what annotators must not know: which statement a row is.

    `results_sha256` is that of the run's `results.jsonl` when the sample was drawn. `left_out` counts the statements that could not be
    drawn, by why. `whole_items` says that items were drawn with all their statements.
    """

    format: int = 1
    run: str
    input: InputFacts
    results_sha256: str
    stratify: Stratify
    whole_items: bool
    annotators: int
    shuffle_seed: int
    strata: dict[str, Stratum]
    left_out: dict[str, int]
    rows: tuple[SheetRow, ...]


class SheetLabels(Record):
    """What came back of a sheet, in rows: each is labelled, tied, or has no label of anybody.

    A tie is broken by an adjudicator, whose rows count in `adjudicated` and `labelled`. `unsure` and `blank` count rows of single
    annotators: those that say unsure, and those left empty or missing from their file.
    """

    annotators: tuple[str, ...]
    rows: int
    labelled: int
    adjudicated: int
    tied: int
    without_label: int
    unsure: int
    blank: int
