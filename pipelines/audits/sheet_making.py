"""`judge audit sheet`: a blinded random sample of judged statements, as files for people to fill in."""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from judge.auditing.drawing import Drawn, draw
from judge.errors import ConfigError, RunFolderError, plain_cause
from judge.hashing import content_hash
from judge.schema.sheets import SheetKey, SheetRow, Stratify, Stratum
from pipelines.audits.between_audit import FinishedRun
from pipelines.audits.sheet_csv import SheetTexts, sheet_csv, shown_text
from pipelines.audits.sheet_statements import Statement, statements_of
from pipelines.documents.file_bytes import read_bytes
from pipelines.files import MANIFEST, RESULTS, RunFolder, json_document
from pipelines.reports.sheet_form import sheet_form

KEY, FORM = "key.json", "sheet.html"


class Draw(NamedTuple):
    """How to draw: how many statements, or items with all their statements; for how many annotators; spread over what."""

    size: int
    annotators: int
    stratify: Stratify
    shuffle_seed: int
    whole_items: bool


class Sheet(NamedTuple):
    """What was drawn, and what annotators read of it."""

    key: SheetKey
    texts: list[SheetTexts]

    def summary(self) -> Iterator[str]:
        """Yield in words what was drawn, and what could not be."""
        things = "items" if self.key.whole_items else "judged statements"
        for name, stratum in self.key.strata.items():
            yield f"{name}: {stratum.drawn} of {stratum.size} {things}"
        for why, count in self.key.left_out.items():
            yield f"left out: {count} {why}"
        yield f"{len(self.key.rows)} statements; give each annotator a sheet or {FORM}, and nobody {KEY}"


def draw_wanted(given: Mapping[str, Any]) -> Draw:
    """Return how to draw from the options that were given, with defaults for those that are None.

    Raises ConfigError for whole items from strata: what corrects a run by whole items takes them for alike.
    """
    whole_items = bool(given["whole_items"])
    if whole_items and given["stratify"] not in (None, "none"):
        raise ConfigError(f"--stratify {given['stratify']}: whole items are drawn from all alike, since what uses them knows no weights")
    drawn_by: Stratify = "none" if whole_items else "label"
    defaults = {"size": 20 if whole_items else 60, "annotators": 2, "stratify": drawn_by, "shuffle_seed": 0}
    return Draw(**{"whole_items": whole_items, **defaults, **{name: value for name, value in given.items() if value is not None}})


def draw_sheet(run: FinishedRun, wanted: Draw) -> Sheet:
    """Return a sample of a run. Raises ConfigError where the run has nothing to label."""
    statements, left_out = statements_of(run.items)
    if not statements:
        why = ", ".join(f"{count} {reason}" for reason, count in left_out.items()) or "it has no propositions"
        raise ConfigError(f"{run.folder} has no judged statement that its recall counts ({why}): there is nothing to label")
    chosen, strata = _items(statements, wanted) if wanted.whole_items else _statements(statements, wanted)
    named = [(one, one.stratum(wanted.stratify), one.row(wanted.shuffle_seed)) for one in chosen]
    key = SheetKey(
        run=run.folder.resolve().name,
        input=run.manifest.input,
        results_sha256=read_bytes(run.folder / RESULTS).sha256,
        stratify=wanted.stratify,
        whole_items=wanted.whole_items,
        annotators=wanted.annotators,
        shuffle_seed=wanted.shuffle_seed,
        strata={name: Stratum(size=each.size, drawn=each.drawn) for name, each in strata.items()},
        left_out=left_out,
        rows=tuple(_row(one, stratum, row, strata[stratum]) for one, stratum, row in named),
    )
    return Sheet(key, [texts_of(one, row) for one, _, row in named])


def _statements(statements: list[Statement], wanted: Draw) -> tuple[list[Statement], dict[str, Drawn]]:
    return draw(statements, [one.stratum(wanted.stratify) for one in statements], wanted.size, wanted.shuffle_seed)


def _items(statements: list[Statement], wanted: Draw) -> tuple[list[Statement], dict[str, Drawn]]:
    """Draw items, and mix their statements, so that no order tells which came first."""
    by_item: dict[str, list[Statement]] = {}
    for one in statements:
        by_item.setdefault(one.item.id, []).append(one)
    drawn, strata = draw(list(by_item.values()), ["all"] * len(by_item), wanted.size, wanted.shuffle_seed)
    chosen = [one for members in drawn for one in members]
    random.Random(wanted.shuffle_seed).shuffle(chosen)  # noqa: S311 (a recorded seed, nothing secret)
    return chosen, strata


def _row(one: Statement, stratum: str, row: str, drawn: Drawn) -> SheetRow:
    return SheetRow(
        row=row,
        item_id=one.item.id,
        proposition_id=one.part.id,
        text_sha256=one.text_sha256,
        stratum=stratum,
        probability=drawn.probability,
        weight=drawn.weight,
    )


def texts_of(one: Statement, row: str) -> SheetTexts:
    """Return what annotators read of a statement: nothing that the judge said, nor whose answer it is."""
    return SheetTexts(row, shown_text(one.item.question), shown_text(one.item.answer), shown_text(one.part.text))


def write_sheet(folder: Path, sheet: Sheet) -> list[Path]:
    """Write a sheet for each annotator in an order of its own, the form, and the key; return their paths.

    Raises RunFolderError for a folder that holds something already: people may have filled it in.
    """
    _require_empty(folder)
    opened = RunFolder(folder)
    sheet_id = content_hash(*(row.row for row in sheet.key.rows))[:12]
    try:
        names = []
        for number in range(1, sheet.key.annotators + 1):
            names.append(f"sheet-{number}.csv")
            opened.write(names[-1], sheet_csv(_ordered(sheet, number), f"annotator-{number}"))
        opened.write(FORM, [sheet_form(sheet_id, [row._asdict() for row in sheet.texts])])
        opened.write(KEY, [json_document(sheet.key)])
    finally:
        opened.close()
    return [folder / name for name in (*names, FORM, KEY)]


def _ordered(sheet: Sheet, number: int) -> list[SheetTexts]:
    """Return the rows in the order of one annotator, so that what comes late and is read tired differs between them."""
    chance = random.Random(f"{sheet.key.shuffle_seed} {number}")  # noqa: S311 (a recorded seed, nothing secret)
    return chance.sample(sheet.texts, len(sheet.texts))


def _require_empty(folder: Path) -> None:
    try:
        found = sorted(entry.name for entry in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise RunFolderError(f"{folder} cannot be used: {plain_cause(error)}") from error
    if KEY in found:
        raise RunFolderError(f"{folder} holds a sheet already, which people may be filling in; name another folder with --out")
    if found:
        what = "a run" if MANIFEST in found else "something else"
        raise RunFolderError(f"{folder} is not empty and holds {what}; name another folder with --out")
