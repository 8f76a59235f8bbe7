"""`judge leaderboard`: runs in the order of one value."""

from pathlib import Path

import click

from pipelines.cli.output import say

_FILE = click.Path(path_type=Path)


@click.command("leaderboard")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--by",
    metavar="METRIC",
    help="Any metric, derived value or composite (the first of Cx_community_em, Q_combined_v1_5 and R_proposition that every run has).",
)
@click.option("--across-judges", is_flag=True, help="Rank runs of different judges too; the output says so.")
@click.option("--json", "as_json", is_flag=True, help="Print the leaderboard as JSON and nothing else on standard output.")
@click.option("--markdown", type=_FILE, metavar="FILE", help="Also write it as Markdown.")
@click.option("--html", type=_FILE, metavar="FILE", help="Also write it as one HTML file.")
def command(runs: tuple[Path, ...], by: str | None, *, across_judges: bool, as_json: bool, markdown: Path | None, html: Path | None) -> int:
    """Rank runs under one metrics version, one null policy and one label policy.

    A RUN is a run folder of `judge score`, or a file that `judge crux --json` wrote.

    Runs whose 95 % intervals overlap share a range of ranks. What cannot be compared is refused, with the rule that is
    broken and what each run has (exit 2). Incomplete runs, and runs without the value, are listed without a rank.
    """
    from pipelines.files import json_document
    from pipelines.named_paths import check_outputs, write_report
    from pipelines.ranking import rank_runs
    from pipelines.reports.pages import page_html, page_markdown, page_text
    from pipelines.reports.standings import leaderboard_page

    check_outputs({"--markdown": markdown, "--html": html}, runs)
    board = rank_runs(runs, by, across_judges=across_judges)
    page = leaderboard_page(board)
    for path, render in ((markdown, page_markdown), (html, page_html)):
        if path is not None:
            write_report(path, render(page))
    say(json_document(board) if as_json else page_text(page), nl=False)
    return 0
