"""`judge audit consistency`: how often the judge changes its mind."""

from pathlib import Path
from typing import Any

import click

from pipelines.cli.options import judging_options


@click.command("consistency")
@click.argument("input_file", metavar="INPUT", type=click.Path(path_type=Path))
@click.option("--interval-seed", default=0, metavar="N", help="Seed of the resampled intervals (0).")
@judging_options
def command(input_file: Path, *, interval_seed: int, **flags: Any) -> int:
    """Ask about the answers in INPUT again and again, and show what changes the judge's mind.

    Everything is asked --repeats times (5). Once each it is asked with the statements in five other orders, alone, all together,
    with half of their companions, with padding round the answer, in another layout, and under the policy strict. Marks are not
    asked for. Where n label requests make a run, this takes about n times (repeats + 8), and one more for every statement.

    Writes audit.json, report.md and report.html into --out (runs/<input stem>-audit-consistency).
    """
    from pipelines.audits.audit_run import run_audit
    from pipelines.audits.consistency_audit import ConsistencyFlow, consistency_cast
    from pipelines.cli.auditing import announce, audit_folder, audit_settings, report, run_watched
    from pipelines.open_run import Setup
    from pipelines.sources import FileSource

    resolved = audit_settings(flags)
    config = resolved.config
    cast = consistency_cast(config)
    source = FileSource(input_file, config.map, config.limit)
    announce(config)
    out = audit_folder(config, input_file, "consistency")
    flow = ConsistencyFlow(config, interval_seed)
    outcome = run_watched(lambda stop: run_audit(Setup(source, resolved, out, stop), cast, flow), config)
    return report(outcome, config)
