"""`judge report`: the renderings of a run again."""

from pathlib import Path

import click

from pipelines.cli.output import say


@click.command("report")
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--format", "formats", default="md,html", metavar="LIST", help="md, html, csv, or several of them with commas (md,html).")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write into this folder (default: the run folder).")
def command(run: Path, formats: str, out: Path | None) -> int:
    """Render the finished run in folder RUN again, from its files; never calls a model.

    Writes report.md, report.html and propositions.csv, and prints their paths. The CSV is made for spreadsheets: texts that
    would run as formulas get a leading ', and controls are spelled out. results.jsonl is the lossless form.
    """
    from pipelines.reporting import parse_formats, report_run

    for path in report_run(run, parse_formats(formats), out):
        say(str(path))
    return 0
