"""`judge campaign`: floor scores, campaign total, diagnostics, recommendations."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipelines.cli.output import say

if TYPE_CHECKING:
    from pipelines.campaigning import CampaignGates

_FILE = click.Path(path_type=Path)


@click.command("campaign")
@click.argument("file", metavar="FILE", type=_FILE, required=False)
@click.option(
    "--history", type=_FILE, metavar="LEDGER", help="Append the attempts that are new to this ledger; it never changes otherwise."
)
@click.option("--json", "as_json", is_flag=True, help="Print the scorecard as JSON and nothing else on standard output.")
@click.option("--markdown", type=_FILE, metavar="FILE", help="Write the report as Markdown.")
@click.option("--html", type=_FILE, metavar="FILE", help="Write the report as one HTML file.")
@click.option(
    "--fail-under", multiple=True, metavar="NAME=VALUE", help="Exit 1 if campaign_score or a dimension is lower or null; repeatable."
)
@click.option(
    "--fail-over", multiple=True, metavar="NAME=VALUE", help="Exit 1 if campaign_score or a dimension is higher or null; repeatable."
)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of FILE and stop.")
def command(file: Path | None, *, schema: bool, as_json: bool, **flags: Any) -> int:
    """Score the Top Floor campaign in FILE, a JSON file with every attempt at every floor.

    Of each floor the best cleared attempt counts, so the total only grows. The score is not in effective minutes.
    What FILE holds is described in docs/campaign.md.
    """
    if schema:
        from pipelines.documents.published import schema_text

        say(schema_text("campaign"), nl=False)
        return 0
    if file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    from pipelines.campaigning import CampaignOutputs, run_campaign
    from pipelines.files import json_document
    from pipelines.reports.campaign_page import campaign_page
    from pipelines.reports.pages import page_text

    outputs = CampaignOutputs(flags["history"], flags["markdown"], flags["html"])
    card = run_campaign(file, outputs, _gates(flags["fail_under"], flags["fail_over"]))
    say(json_document(card) if as_json else page_text(campaign_page(card)), nl=False)
    return 0 if all(gate.met for gate in card.gates) else 1


def _gates(under: tuple[str, ...], over: tuple[str, ...]) -> "CampaignGates":
    from pipelines.campaigning import CampaignGates
    from pipelines.config import parse_pairs

    return CampaignGates(parse_pairs(list(under), "--fail-under"), parse_pairs(list(over), "--fail-over"))
