"""The report of an agreement audit as a page."""

from collections.abc import Iterator

from judge.schema.agreements import Agreement, Disagreement, HumanAgreement, LabelAgreement
from judge.schema.labels import Label
from judge.schema.sheets import SheetLabels
from pipelines.reports.audit_parts import COEFFICIENTS, audit_facts, figure_cells, interval_cell, reason_words
from pipelines.reports.numbers import format_bounds, format_count, format_number
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table

SHOWN = 20
"""Disagreements on the page; `audit.json` holds all of them."""

_FIGURES = (
    ("accuracy", "accuracy"),
    ("balanced_accuracy", "balanced accuracy"),
    ("macro_f1", "macro-F1"),
    *COEFFICIENTS,
)
_SHARES = ("accuracy", "balanced_accuracy", "macro_f1")
_TEXT = 160
_FEW = 30
"""Below so many clusters a clustered standard error is too small."""


def agreement_page(audit: Agreement) -> Page:
    """Return the page: what agrees how far, block by block, people's own agreement beside it, and where they differ."""
    return Page(
        title=f"Agreement of {audit.judge.spec} with people",
        facts=tuple(audit_facts(audit)),
        tables=tuple(_tables(audit)),
        notes=tuple(_notes(audit)),
        warnings=audit.warnings,
        disclosure=audit.disclosure,
    )


def _blocks(audit: Agreement) -> Iterator[tuple[str, LabelAgreement]]:
    pairs = () if audit.pairs is None else tuple((f"preference ({name})", each) for name, each in audit.pairs.by_aspect.items())
    blocks = (("three labels", audit.labels), ("supported or not", audit.supported), ("abstention", audit.abstention), *pairs)
    yield from ((name, block) for name, block in blocks if block is not None)


def _tables(audit: Agreement) -> Iterator[Table]:
    blocks = list(_blocks(audit))
    if blocks:
        yield _summary_table(blocks)
    for name, block in blocks:
        yield _confusion_table(name, block)
        yield _label_table(name, block)
    if audit.recall is not None:
        yield _recall_table(audit)
    if audit.disagreements:
        yield _disagreement_table(audit)


def _summary_table(blocks: list[tuple[str, LabelAgreement]]) -> Table:
    numbers = (Column(head, numeric=True) for head in ("judge", "95 % interval", "people"))
    columns = (Column("labels"), Column("figure"), *numbers, Column("note", wraps=True))
    rows = tuple(row for name, block in blocks for row in _figure_rows(name, block))
    people = any(block.human is not None for _, block in blocks)
    note = "Judge: against the labels of people. People: among themselves, as far as the file keeps their votes." if people else None
    return Table("Judge and people", columns, rows, note=note)


def _figure_rows(name: str, block: LabelAgreement) -> Iterator[tuple[str, ...]]:
    compared = "" if block.human is None else format_count(block.human.things)
    documents = "1 document" if block.clusters == 1 else f"{format_count(block.clusters)} documents"
    yield (name, "judged", format_count(block.n), "", compared, f"in {documents}")
    for figure, title in _FIGURES:
        interval = block.ci95.get(figure)
        shown = interval_cell(interval, is_share=figure in _SHARES)
        yield ("", title, format_number(getattr(block, figure)), shown, _people_cell(block.human, figure), block.reasons.get(figure, ""))


def _people_cell(human: HumanAgreement | None, figure: str) -> str:
    """Return people's own figure beside that of the judge; empty where the file does not tell it. Many voters have Fleiss' kappa."""
    if human is None:
        return ""
    kappa = human.fleiss_kappa if human.cohen_kappa is None else human.cohen_kappa
    beside = {
        "accuracy": human.agreement,
        "cohen_kappa": kappa,
        "gwet_ac1": human.gwet_ac1,
        "krippendorff_alpha": human.krippendorff_alpha,
    }
    value = beside.get(figure)
    return "" if value is None else format_number(value)


def _confusion_table(name: str, block: LabelAgreement) -> Table:
    judged = list(next(iter(block.confusion.values())))
    columns = (Column("people say"), *(Column(f"judge: {label}".replace("_", " "), numeric=True) for label in judged))
    rows = [(label.replace("_", " "), *(f"{row[column]:,.6g}" for column in judged)) for label, row in block.confusion.items()]
    return Table(f"{name}: confusion", columns, tuple(rows))


def _label_table(name: str, block: LabelAgreement) -> Table:
    columns = (Column("label"), *(Column(head, numeric=True) for head in ("people", "precision", "recall", "F1")))
    rows = [
        (label.replace("_", " "), f"{each.n:,.6g}", format_number(each.precision), format_number(each.recall), format_number(each.f1))
        for label, each in block.by_label.items()
    ]
    return Table(f"{name}: by label", columns, tuple(rows))


def _recall_table(audit: Agreement) -> Table:
    assert audit.recall is not None
    found = audit.recall
    numbers = (Column(head, numeric=True) for head in ("value", "95 % interval", "documents"))
    columns = (Column("correlation"), *numbers, Column("note", wraps=True))
    figures = (("Pearson", found.pearson), ("Spearman", found.spearman), ("Kendall's tau-b", found.kendall_tau_b))
    return Table(
        f"Judged recall and human score of {found.n} answers",
        columns,
        tuple((name, *figure_cells(figure), figure.reason or "") for name, figure in figures),
        note=f"Means: judged {format_number(found.mean_judged)}, people {format_number(found.mean_human)} ({found.human_score}).",
    )


def _disagreement_table(audit: Agreement) -> Table:
    columns = (
        Column("record"),
        Column("statement or answer", wraps=True),
        Column("people"),
        Column("judge"),
        Column("quote or rationale", wraps=True),
    )
    rows = [
        (each.id, _short(each.statement or each.answer), each.gold, each.judged, _short(each.quote or each.rationale or ""))
        for each in sorted(audit.disagreements, key=_is_mild)[:SHOWN]
    ]
    rest = len(audit.disagreements) - len(rows)
    note = f"{rest} more stand in audit.json, with question and answer." if rest else None
    return Table(f"Where they differ ({len(audit.disagreements)}), opposite labels first", columns, tuple(rows), note=note)


def _is_mild(each: Disagreement) -> bool:
    """Return whether one side says less than the opposite of the other."""
    return {each.gold, each.judged} != {Label.SUPPORTED, Label.CONTRADICTED}


def _short(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"


def _notes(audit: Agreement) -> Iterator[str]:
    if audit.sheet is not None:
        yield _sheet_words(audit.sheet)
    if audit.calibration is not None and audit.calibration.weighted:
        yield "Counts are sums of weights: a labelled statement stands for as many of the run as its stratum holds for each labelled one."
    few = any(0 < block.clusters < _FEW for _, block in _blocks(audit))
    yield f"Intervals are clustered by document{f'; below {_FEW} documents they are too narrow' if few else ''}."
    yield "Balanced accuracy is the mean recall of the labels that people gave, macro-F1 the mean F1: a rare label counts like others."
    yield "Kappa, pi and alpha take out chance agreement; where one label dominates, read them beside AC1."
    for name, block in _blocks(audit):
        if block.unjudged:
            assert block.accuracy_bounds is not None
            bounds = format_bounds(block.accuracy_bounds)
            yield f"{name}: unjudged {reason_words(block.unjudged)}; accuracy {bounds} with all of them wrong, or right."
        if block.human is not None:
            yield f"{name}: people, {block.human.meaning}; {_human_words(block)}."
    if audit.pairs is not None:
        yield (
            f"Pairs: people are tied in {audit.pairs.human_ties}, which are not scored; recalls are equal in {audit.pairs.judged_ties}, "
            "which agrees with nobody."
        )
    if audit.partly_abstained:
        yield f"{audit.partly_abstained} answers partly abstain to the judge; they count as not abstained."
    if audit.labels is None and audit.supported is not None:
        yield "The file tells only what is supported: which of the others contradict is not known, so there is no three-way figure."


def _sheet_words(sheet: SheetLabels) -> str:
    by = f"{len(sheet.annotators)} annotators" if len(sheet.annotators) != 1 else "1 annotator"
    return (
        f"Sheet: {sheet.labelled} of {sheet.rows} rows have a label of {by} ({sheet.adjudicated} by an adjudicator), {sheet.tied} are "
        f"tied, {sheet.without_label} have none; annotators were unsure {sheet.unsure} times and left {sheet.blank} rows blank."
    )


def _human_words(block: LabelAgreement) -> str:
    human = block.human
    assert human is not None
    named = (
        ("agreement", human.agreement),
        ("Cohen's kappa", human.cohen_kappa),
        ("Gwet's AC1", human.gwet_ac1),
        ("Fleiss' kappa", human.fleiss_kappa),
        ("alpha", human.krippendorff_alpha),
        ("Pearson", human.pearson),
    )
    found = ", ".join(f"{name} {format_number(value)}" for name, value in named if value is not None)
    return f"{found}, {human.things} compared"
