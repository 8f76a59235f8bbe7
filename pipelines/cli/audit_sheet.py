"""`judge audit sheet`: a blinded sample for people to label, and their labels read back."""

from pathlib import Path

import click

from pipelines.cli.output import say

_PATH = click.Path(path_type=Path)


@click.command("sheet")
@click.argument("run", metavar="RUN", type=_PATH)
@click.option("--size", type=click.IntRange(1), metavar="N", help="Statements to draw (60); with --items, items (20).")
@click.option("--annotators", type=click.IntRange(1, 20), metavar="N", help="How many people label, each all of it (2).")
@click.option("--stratify", type=click.Choice(["label", "agent", "none"]), help="Spread the sample evenly over these (label).")
@click.option("--items", "whole_items", is_flag=True, help="Draw whole items at random, with all their statements.")
@click.option("--shuffle-seed", type=int, metavar="N", help="Seed of the draw and of the orders (0).")
@click.option("--labels", "labels", multiple=True, type=_PATH, metavar="FILE", help="A sheet that came back; give one for each annotator.")
@click.option("--key", type=_PATH, metavar="FILE", help="The key.json of the sheet that comes back (in the folder of the sheet).")
@click.option("--out", type=_PATH, metavar="DIR", help="Where everything is written (runs/<RUN>-audit-sheet).")
@click.option("--json", "as_json", is_flag=True, help="With --labels: print the content of audit.json and nothing else on standard output.")
def command(run: Path, *, labels: tuple[Path, ...], key: Path | None, out: Path | None, as_json: bool, **drawing: object) -> int:
    """Draw judged statements of RUN for people to label, or read back what they said. No call is made.

    Without --labels: writes sheet-1.csv, sheet-2.csv ... (one for each annotator, in an order of its own), sheet.html (a form that
    works from disk and saves a CSV), and key.json, which is not for annotators. Nothing in a sheet tells what the judge said.
    Labels are supported, contradicted, not_addressed, or unsure.

    With --labels: holds the judge's verdicts against the label that most annotators gave. Writes gold.jsonl, audit.json, report.md and
    report.html, and adjudicate.csv where annotators are tied; label that as well and give it with the others.

    Example: judge audit sheet runs/in; judge audit sheet runs/in --labels sheet-1.csv --labels sheet-2.csv
    """
    given = sorted(
        f"--{name.replace('whole_items', 'items').replace('_', '-')}" for name, value in drawing.items() if value not in (None, False)
    )
    if labels:
        _refuse(given, "how the sample is drawn; with --labels it is drawn already")
        return _read_back(run, labels, key, out, as_json=as_json)
    _refuse([name for name, value in (("--key", key), ("--json", as_json)) if value], "for reading back; name the files with --labels")
    return _draw(run, out, drawing)


def _refuse(names: list[str], why: str) -> None:
    from judge.errors import ConfigError

    if names:
        raise ConfigError(f"{', '.join(names)}: {why}")


def _draw(run: Path, out: Path | None, drawing: dict[str, object]) -> int:
    from pipelines.audits.between_audit import read_finished
    from pipelines.audits.sheet_making import draw_sheet, draw_wanted, write_sheet
    from pipelines.cli.auditing import folder_of_run_audit

    wanted = draw_wanted(drawing)
    sheet = draw_sheet(read_finished(run, run.resolve().name), wanted)
    for path in write_sheet(out or folder_of_run_audit(run, "sheet"), sheet):
        say(str(path))
    for line in sheet.summary():
        say(line, err=True)
    return 0


def _read_back(run: Path, labels: tuple[Path, ...], key: Path | None, out: Path | None, *, as_json: bool) -> int:
    from pipelines.audits.between_audit import read_finished
    from pipelines.audits.sheet_reading import read_back, write_back
    from pipelines.cli.auditing import folder_of_run_audit
    from pipelines.files import json_document
    from pipelines.reports.agreement_page import agreement_page
    from pipelines.reports.pages import page_text

    folder = out or (folder_of_run_audit(run, "sheet") if key is None else key.parent)
    returned = read_back(read_finished(run, run.resolve().name), key or folder / "key.json", labels)
    page = agreement_page(returned.audit)
    paths = write_back(folder, returned, page)
    say(json_document(returned.audit) if as_json else page_text(page), nl=False)
    if as_json:
        for warning in returned.audit.warnings:
            say(f"judge: {warning}", err=True)
    for path in paths:
        say(f"written: {path}", err=True)
    return 0
