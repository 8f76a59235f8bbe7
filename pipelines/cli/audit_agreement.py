"""`judge audit agreement`: how far the judge agrees with people."""

from pathlib import Path
from typing import Any

import click

from pipelines.cli.options import judging_options


@click.command("agreement")
@click.argument("gold_file", metavar="GOLD", type=click.Path(path_type=Path))
@judging_options
def command(gold_file: Path, **flags: Any) -> int:
    """Judge the answers in GOLD and hold the verdicts against the labels that people gave them.

    GOLD is JSON Lines: answers with propositions that carry a label (supported, contradicted, not_addressed) or only `supported`
    (true, false); answers with `abstained`; or pairs with `answer_b`, `gold_answer` and `human_preference`. No label reaches the
    judge. Example: judge audit agreement examples/gold.jsonl

    Writes a run folder with audit.json, audit.md and audit.html (--out; default runs/<GOLD stem>-audit-agreement).
    """
    from pipelines.audits.agreement_audit import agreement_run
    from pipelines.audits.gold_file import read_gold
    from pipelines.cli.auditing import announce, audit_folder, audit_settings, report, run_watched

    resolved = audit_settings(flags, repeats=None)
    config = resolved.config
    gold = read_gold(gold_file, config.limit)
    announce(config)
    out = audit_folder(config, gold_file, "agreement")
    outcome = run_watched(lambda stop: agreement_run(gold, resolved, out, stop), config)
    return report(outcome, config)
