"""`judge audit between`: two runs on the same statements side by side."""

from pathlib import Path

import click

from pipelines.cli.output import say

_PATH = click.Path(path_type=Path)


@click.command("between")
@click.argument("first", metavar="RUN_A", type=_PATH)
@click.argument("second", metavar="RUN_B", type=_PATH)
@click.option("--out", type=_PATH, metavar="DIR", help="Where audit.json, report.md and report.html go (runs/<RUN_A>-audit-between).")
@click.option("--json", "as_json", is_flag=True, help="Print the content of audit.json and nothing else on standard output.")
def command(first: Path, second: Path, *, out: Path | None, as_json: bool) -> int:
    """Hold the verdicts of two runs against each other: two judges, or two prompts of one; no call is made.

    RUN_A and RUN_B are finished run folders of `judge score` or `judge audit agreement`, of one judge or of a panel. Items are put
    together by id, statements by text; an item whose answer is not the same in both is counted and not compared.

    Example: judge score in.jsonl --judge MODEL --prompt label=my.toml --out runs/mine; judge audit between runs/in runs/mine
    """
    from judge.schema.betweens import Between
    from pipelines.audits.audit_folder import check_audit_folder, write_audit
    from pipelines.audits.between_audit import compare_runs
    from pipelines.cli.auditing import folder_of_run_audit
    from pipelines.files import json_document
    from pipelines.reports.between_page import between_page
    from pipelines.reports.pages import page_text

    folder = out or folder_of_run_audit(first, "between")
    check_audit_folder(folder, Between)
    audit = compare_runs(first, second)
    page = between_page(audit)
    write_audit(folder, audit, page)
    say(json_document(audit) if as_json else page_text(page), nl=False)
    say(f"audit folder: {folder}", err=True)
    if as_json:
        for warning in audit.warnings:
            say(f"judge: {warning}", err=True)
    return 0
