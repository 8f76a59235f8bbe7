"""`judge audit plan`: how many labels, and what a comparison can detect."""

from pathlib import Path

import click

from pipelines.cli.output import say

_PATH = click.Path(path_type=Path)


@click.command("plan")
@click.argument("run", metavar="[RUN]", required=False, type=_PATH)
@click.option("--calibration", type=_PATH, metavar="CARD", help="A card.json of `judge audit card`, or an agreement audit's audit.json.")
@click.option("--against", type=_PATH, metavar="RUN", help="A second run on the same questions: how much the two differ is measured.")
@click.option("--width", type=float, default=0.1, metavar="W", help="Wanted width of the 95 % interval of the recall, end to end (0.1).")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON and nothing else on standard output.")
def command(run: Path | None, calibration: Path | None, against: Path | None, *, width: float, as_json: bool) -> int:
    """Tell how many labels of people a wanted width takes, and the smallest difference that a comparison can detect.

    RUN is a run folder of `judge score`. Without one, or without --calibration, what it would tell is assumed, and said to be.
    Nothing is asked and nothing is written.
    """
    from pipelines.audits.planning import Wanted, make_plan
    from pipelines.files import json_document
    from pipelines.reports.pages import page_text
    from pipelines.reports.plan_page import plan_page

    plan = make_plan(Wanted(run, against, calibration, width))
    say(json_document(plan) if as_json else page_text(plan_page(plan)), nl=False)
    return 0
