"""`judge audit sheet --labels`: what people said of a sample, and how far the run's verdicts agree; nothing is asked."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from judge.auditing.annotators import Said, agreement_of_annotators
from judge.errors import ConfigError, InputError, InputFault, RunFolderError
from judge.hashing import sha256_text
from judge.schema.agreements import Agreement, LabelAgreement
from judge.schema.calibrations import Calibration
from judge.schema.labels import Label
from judge.schema.manifests import FileFacts
from judge.schema.sheets import SheetKey
from judge.standard.stated import shown
from pipelines.audits.agreement_audit import Sample, agreement_audit
from pipelines.audits.agreement_blocks import NOT_SUPPORTED, SUPPORTED, recall
from pipelines.audits.between_audit import FinishedRun
from pipelines.audits.gold_file import Gold, GoldRecord
from pipelines.audits.sheet_csv import SheetTexts, read_sheet, sheet_csv
from pipelines.audits.sheet_gold import Labelling, gold_lines, gold_records, label_rows
from pipelines.audits.sheet_labels import ADJUDICATOR, read_labels
from pipelines.audits.sheet_making import texts_of
from pipelines.audits.sheet_statements import Statement
from pipelines.documents.file_bytes import read_bytes
from pipelines.ending import COMPLETE
from pipelines.files import AUDIT, MANIFEST, REPORT_HTML, REPORT_MARKDOWN, RESULTS, RunFolder, json_document, read_document
from pipelines.reports.page import Page
from pipelines.reports.pages import page_html, page_markdown
from pipelines.scoring import ScoreOutcome

GOLD, ADJUDICATE = "gold.jsonl", "adjudicate.csv"


class SheetBack(NamedTuple):
    """What a sheet came to: the audit, the gold file line by line, and the rows on which annotators are tied."""

    audit: Agreement
    gold: list[str]
    tied: list[SheetTexts]


def read_back(run: FinishedRun, key_path: Path, labels: Sequence[Path]) -> SheetBack:
    """Return what annotators said of a sheet, and how far the run agrees.

    Raises RunFolderError where key and run do not belong together, InputError with every fault of the returned files, ConfigError
    where nobody labelled anything.
    """
    key = _read_key(key_path)
    texts = _handed_out(run, key, key_path)
    returned = read_labels(labels, texts)
    labelling = label_rows(key, returned)
    if not any(labelling.votes.values()) and not labelling.labels:
        raise ConfigError(f"{', '.join(map(str, labels))}: no row has a label; expected {', '.join(Label)} in the column label")
    lines = list(gold_lines(run.items, key, labelling))
    gold = Gold(Path(GOLD), sha256_text("".join(lines)), gold_records(lines))
    return SheetBack(_audit(run, key, gold, labelling), lines, [texts[row] for row in labelling.tied])


def _read_key(path: Path) -> SheetKey:
    if not path.is_file():
        raise RunFolderError(f"{path} is not there: draw a sheet first (judge audit sheet RUN), or name its key with --key")
    return read_document(path, SheetKey)


def _handed_out(run: FinishedRun, key: SheetKey, key_path: Path) -> dict[str, SheetTexts]:
    """Return the texts of all rows, from the run. Raises InputError where the run holds other texts now."""
    if run.manifest.input.sha256 != key.input.sha256:
        raise RunFolderError(f"{key_path} is of the run {key.run} of another input ({key.input.name}), not of {run.folder}")
    found = {(item.id, part.id): Statement(item, result, part) for item, result in run.items for part in result.propositions}
    faults, texts = [], {}
    for row in key.rows:
        one = found.get((row.item_id, row.proposition_id))
        if one is None or one.text_sha256 != row.text_sha256:
            what = "is no longer in" if one is None else "has another text in"
            faults.append(InputFault(str(key_path), None, f"row {row.row}: the statement {what} {run.folder}; was the run made anew?"))
        else:
            texts[row.row] = texts_of(one, row.row)
    if faults:
        raise InputError(faults)
    return texts


def _audit(run: FinishedRun, key: SheetKey, gold: Gold, labelling: Labelling) -> Agreement:
    """Return the agreement of the run with the labels, and what of it is of a sample only left out."""
    results = {result.item_id: result for _, result in run.items}
    weights = {one.weight for record in gold.records for one in record.propositions if one.label is not None}
    outcome = ScoreOutcome(run.folder, run.summary, run.manifest, COMPLETE, has_new_propositions=False)
    sample = Sample(run.manifest.input.sha256, weighted=len(weights) > 1)
    audit = agreement_audit(gold, results, outcome, sample=sample)
    votes = list(labelling.votes.values())
    whole = [record for record in gold.records if key.whole_items and _is_whole(record)]
    update = {
        "usage": None,
        "warnings": (*audit.warnings, *_warnings(run, key, labelling)),
        "labels": _beside(audit.labels, votes, tuple(Label)),
        "supported": _beside(audit.supported, [_two_way(said) for said in votes], (SUPPORTED, NOT_SUPPORTED)),
        # Of an item of which only some statements were drawn, people gave no recall.
        "recall": recall(whole, results, 0) if whole else None,
        "calibration": _calibration(audit.calibration, gold, has_items=bool(whole)),
        "sheet": labelling.counts,
    }
    return audit.model_copy(update=update)


def _calibration(found: Calibration | None, gold: Gold, *, has_items: bool) -> Calibration | None:
    if found is None:
        return None
    data = (*found.data, FileFacts(name=GOLD, sha256=gold.sha256))
    # Items that happen to be drawn whole from strata of statements are no random sample of items.
    return found.model_copy(update={"data": data, "items": found.items if has_items else ()})


def _is_whole(record: GoldRecord) -> bool:
    return all(one.label is not None for one in record.propositions)


def _beside(block: LabelAgreement | None, votes: Sequence[Said], labels: Sequence[str]) -> LabelAgreement | None:
    """Return figures with people's own agreement beside them: over all rows, those included on which they are tied."""
    return None if block is None else block.model_copy(update={"human": agreement_of_annotators(votes, labels)})


def _two_way(said: Said) -> Said:
    return {name: SUPPORTED if label == Label.SUPPORTED else NOT_SUPPORTED for name, label in said.items()}


def _warnings(run: FinishedRun, key: SheetKey, labelling: Labelling) -> Iterator[str]:
    if read_bytes(run.folder / RESULTS).sha256 != key.results_sha256:
        yield "the run was judged anew since the sheet was drawn: weights are those of the draw, verdicts those of now"
    labelled = {row.stratum for row in key.rows if row.row in labelling.labels}
    size = sum(stratum.size for stratum in key.strata.values())
    for name, stratum in key.strata.items():
        if name not in labelled:
            # No row is left whose weight could stand for it; whole items have one stratum, so there is none to miss.
            yield f"no row of the stratum {shown(name)} has a label: the figures leave out its {stratum.size} of the {size} statements"


def write_back(folder: Path, back: SheetBack, page: Page) -> list[Path]:
    """Write the gold file, the figures, the reports, and a sheet of the ties; return the paths.

    A sheet of ties that somebody filled in is left as it is. Raises RunFolderError for a folder that holds a run.
    """
    if (folder / MANIFEST).exists():
        raise RunFolderError(f"{folder} holds a run, whose report would be written over; name another folder with --out")
    opened = RunFolder(folder)
    try:
        documents = {GOLD: back.gold, AUDIT: [json_document(back.audit)]}
        documents |= {REPORT_MARKDOWN: [page_markdown(page)], REPORT_HTML: [page_html(page)]}
        if back.tied and not _is_filled_in(folder / ADJUDICATE):
            documents[ADJUDICATE] = list(sheet_csv(back.tied, ADJUDICATOR))
        for name, chunks in documents.items():
            opened.write(name, chunks)
    finally:
        opened.close()
    return [folder / name for name in documents]


def _is_filled_in(path: Path) -> bool:
    """Return whether somebody labelled a row of a sheet, or made of it what cannot be read."""
    if not path.exists():
        return False
    try:
        return any(line.label for line in read_sheet(path))
    except InputError:
        return True
