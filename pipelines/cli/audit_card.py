"""`judge audit card`: all audits of a judge on one page, or several cards in a table."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipelines.cli.output import say

if TYPE_CHECKING:
    from judge.schema.cards import JudgeCard

_PATH = click.Path(path_type=Path)


@click.command("card")
@click.argument("paths", metavar="AUDIT_DIR...", type=_PATH, nargs=-1, required=True)
@click.option("--out", type=_PATH, metavar="DIR", help="Folder of the card (default: runs/<judge>-card).")
@click.option(
    "--policy", metavar="NAME", help="Label policy of the calibration, such as strict or strict-v1 (default: that of most labels)."
)
@click.option("--calibrate-on", multiple=True, metavar="FILE", help="Name of a data set that the calibration rests on; repeatable.")
@click.option("--markdown", type=_PATH, metavar="FILE", help="Of a table over cards: write it as Markdown.")
@click.option("--html", type=_PATH, metavar="FILE", help="Of a table over cards: write it as one HTML file.")
@click.option("--json", "as_json", is_flag=True, help="Print the card, or the table, as JSON and nothing else on standard output.")
def command(paths: tuple[Path, ...], *, as_json: bool, policy: str | None, calibrate_on: tuple[str, ...], **outputs: Path | None) -> int:
    """Put the audits of one judge on one page: JSON, Markdown and HTML.

    AUDIT_DIR is a folder of judge audit agreement, consistency, probes or sheet. Two or more cards instead (card.json, or their
    folders) make a table. Example: judge audit card runs/gold-audit-agreement runs/gold-audit-probes
    """
    from judge.errors import ConfigError
    from pipelines.audits.card_folders import read_audits
    from pipelines.audits.cards import Choice, is_card, make_card, read_card, write_card
    from pipelines.files import json_document
    from pipelines.reports.pages import page_text

    cards = [path for path in paths if is_card(path)]
    if cards and len(cards) < len(paths):
        other = next(path for path in paths if path not in cards)
        raise ConfigError(f"{cards[0]} is a judge card and {other} is none: name audits, which make a card, or cards, which make a table")
    if cards and (policy is not None or calibrate_on):
        raise ConfigError("--policy and --calibrate-on choose the calibration of one card; a table over cards has none")
    if cards:
        return _table([read_card(path) for path in cards], outputs, as_json=as_json)
    if outputs["markdown"] is not None or outputs["html"] is not None:
        raise ConfigError("--markdown and --html are for a table over cards; a card is written into --out as card.md and card.html")
    card = make_card(read_audits(paths), Choice(policy, calibrate_on))
    out = outputs["out"] or _default_out(card.judge.spec)
    page = write_card(card, out)
    say(json_document(card) if as_json else page_text(page), nl=False)
    say(f"judge card: {out}", err=True)
    return 0


def _default_out(spec: str) -> Path:
    """Return `runs/<judge>-card`, with a digest in place of a name that not every system takes."""
    from pipelines.run_names import default_run_folder

    folder = default_run_folder(Path(f"{spec.replace('/', '-').replace(':', '-')}.x"))
    return folder.with_name(f"{folder.name}-card")


def _table(cards: "list[JudgeCard]", outputs: dict[str, Path | None], *, as_json: bool) -> int:
    from judge.errors import ConfigError
    from judge.schema.cards import CardTable
    from pipelines.files import json_document
    from pipelines.named_paths import check_outputs, write_report
    from pipelines.reports.cards_page import table_page
    from pipelines.reports.pages import page_html, page_markdown, page_text

    if len(cards) < 2:
        raise ConfigError("one judge card makes no table: name two or more, or the folders of audits, which make a card")
    if outputs["out"] is not None:
        raise ConfigError("--out is for a card; a table over cards is written with --markdown FILE and --html FILE")
    check_outputs({"--markdown": outputs["markdown"], "--html": outputs["html"]}, ())
    table = CardTable(cards=tuple(cards))
    page = table_page(table)
    for path, text in ((outputs["markdown"], page_markdown(page)), (outputs["html"], page_html(page))):
        if path is not None:
            write_report(path, text)
    say(json_document(table) if as_json else page_text(page), nl=False)
    return 0
