"""`judge audit`: can the judge be trusted."""

import click

from pipelines.cli.lazy_group import LazyGroup, Table

AUDITS: Table = {
    "consistency": ("pipelines.cli.audit_consistency", "How often the judge changes its mind when nothing of substance changed."),
    "agreement": ("pipelines.cli.audit_agreement", "How far the judge agrees with labels that people gave."),
    "probes": ("pipelines.cli.audit_probes", "Traps with known labels, and changes that must or must not matter."),
    "between": ("pipelines.cli.audit_between", "Two runs on the same statements side by side; makes no call."),
    "sheet": ("pipelines.cli.audit_sheet", "A blinded sample for people to label, and their labels read back."),
    "plan": ("pipelines.cli.audit_plan", "How many labels a wanted width takes, and what a comparison can detect."),
    "card": ("pipelines.cli.audit_card", "All audits of a judge on one page, or several such cards in a table."),
}


@click.group("audit", cls=LazyGroup, table=AUDITS)
def command() -> None:
    """Learn how far a judge can be trusted before believing its numbers.

    Start with: judge audit agreement GOLD, where GOLD holds answers with labels that people gave.
    """
