"""`judge audit probes`: traps with known labels, and changes that must or must not matter."""

from pathlib import Path
from typing import Any

import click

from pipelines.cli.options import judging_options
from pipelines.cli.output import say

_FILE = click.Path(path_type=Path)


@click.command("probes")
@click.argument("file", metavar="[FILE]", type=_FILE, required=False)
@click.option("--items", "items_file", type=_FILE, metavar="INPUT", help="Items to which the relations are applied, beside probe cases.")
@click.option("--relations", metavar="A,B", help="Only these relations, such as MR-ORDER,MR-INJ (all).")
@click.option(
    "--per-relation", type=click.IntRange(1), default=20, metavar="N", help="Items that each relation is applied to, at most (20)."
)
@click.option(
    "--shuffle-seed", type=int, default=0, metavar="N", help="Seed of orders and of the choice of items (0); --seed is the model's."
)
@click.option("--depth-words", type=int, default=2000, metavar="N", help="Words of the longest padded answer: 500, 2000 or 8000 (2000).")
@click.option("--gates", is_flag=True, help="Exit 1 unless every gate is met.")
@click.option("--list", "lists", is_flag=True, help="Print the relations and stop.")
@judging_options
def command(file: Path | None, **flags: Any) -> int:
    """Set traps with known labels for the judge, and change items of your own in ways that must or must not matter.

    Without FILE the 220 cases are asked that this tool brings along. FILE with cases of your own replaces them: JSON Lines with kind,
    question, answer, proposition, label, and abstained where it is known. FILE with items (as judge score takes) is asked about under
    metamorphic relations beside the shipped cases; --items names items beside a FILE of cases.

    Everything is asked --repeats times (5). What is planned is said before anything is sent.

    Writes audit.json, report.md and report.html into --out (runs/<input stem>-audit-probes).
    """
    if flags.pop("lists"):
        _list()
        return 0
    from judge.errors import ConfigError
    from pipelines.audits.audit_run import run_audit
    from pipelines.audits.probe_audit import ProbesFlow, probes_cast
    from pipelines.audits.probe_plan import Wanted, checked_length, planned, read_inputs, wanted_relations
    from pipelines.cli.auditing import announce, audit_folder, audit_settings, report, run_watched
    from pipelines.open_run import Setup

    has_gates, items_file, relations = flags.pop("gates"), flags.pop("items_file"), flags.pop("relations")
    wanted = Wanted(
        wanted_relations(relations),
        flags.pop("per_relation"),
        flags.pop("shuffle_seed"),
        checked_length(flags.pop("depth_words")),
    )
    resolved = audit_settings(flags)
    config = resolved.config
    inputs = read_inputs(file, items_file, config)
    if relations is not None and inputs.items is None:
        raise ConfigError(f"--relations {relations}: relations are tried on items of your own: give FILE with items, or --items INPUT")
    cast = probes_cast(config, inputs, wanted, has_gates=has_gates)
    announce(config)
    if not config.quiet:
        for line in planned(inputs, wanted, config):
            say(line, err=True)
    out = audit_folder(config, inputs.named, "probes")
    flow = ProbesFlow(config, inputs, wanted, has_gates=has_gates)
    outcome = run_watched(lambda stop: run_audit(Setup(inputs.source, resolved, out, stop), cast, flow), config)
    return report(outcome, config)


def _list() -> None:
    from pipelines.reports.pages import page_text
    from pipelines.reports.relations_page import relations_page

    say(page_text(relations_page()), nl=False)
