"""`judge validate`: how an input is understood."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipelines.cli.output import say

if TYPE_CHECKING:
    from pipelines.readers.checking import InputCheck


@click.command("validate")
@click.argument("input_file", metavar="INPUT", type=click.Path(path_type=Path))
@click.option("--map", "pairs", multiple=True, metavar="FIELD=COLUMN", help="Name of a field in the input; repeatable.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N items.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def command(input_file: Path, pairs: tuple[str, ...], limit: int | None, as_json: bool) -> int:
    """Read and check INPUT, list every fault, show how its fields were understood; judges nothing."""
    from pipelines.config import parse_pairs
    from pipelines.readers.checking import check_items

    check = check_items(input_file, mapping=parse_pairs(list(pairs), "--map"), limit=limit)
    say(check.model_dump_json(indent=2) if as_json else "\n".join(_lines(check)))
    return 0


def _lines(check: "InputCheck") -> list[str]:
    from pipelines.reports.escapes import escape_terminal

    lines = [f"{check.path}: {check.items} items, no faults", "", "fields"]
    lines += [
        f"  {field:<20} from {escape_terminal(column)}" if column != "made" else f"  {field:<20} made from the line number"
        for field, column in check.fields.items()
    ]
    lines += [f"kept as metadata: {', '.join(map(escape_terminal, check.metadata_fields))}"] if check.metadata_fields else []
    lines += ["", "items"] + [f"  {name.replace('_', ' '):<20} {count}" for name, count in check.counts]
    if check.agents:
        shown = [f"{escape_terminal(agent)} ({count})" for agent, count in list(check.agents.items())[:20]]
        lines.append(f"  {'agents':<20} {', '.join(shown)}" + (f" and {len(check.agents) - 20} more" if len(check.agents) > 20 else ""))
    lines += [f"warning: {warning}" for warning in check.warnings]
    lines += ["", f"{'metric':<24} {'items':>6}  needs"]
    lines += [
        f"{need.metric:<24} {need.items:>6}  {', '.join(need.needs)}" + ("" if need.items else "  -> will be null")
        for need in check.metrics
    ]
    return lines
