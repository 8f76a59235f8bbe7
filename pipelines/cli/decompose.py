"""`judge decompose`: propositions to review, edit and pass back."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipelines.cli.options import given_flags, judging_options
from pipelines.cli.output import say, say_notices

if TYPE_CHECKING:
    from judge.schema.reviews import SplitReview
    from pipelines.config import RunConfig


@click.command("decompose")
@click.argument("input_file", metavar="INPUT", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE", help="Where the propositions go.")
@judging_options
def command(input_file: Path, output: Path, **flags: Any) -> int:
    """Only split the ground truths of INPUT and write the propositions, one ground truth a line.

    Ends with a table of what to look at. Review and edit the file, then pass it back with --propositions, or keep it
    beside the input as <input stem>.propositions.jsonl. Frozen propositions are taken over with their edits;
    --redecompose splits everything again and reports what differs. Of several judges the first one splits.
    """
    from judge.errors import ConfigError
    from pipelines.cli.interrupting import interruptible
    from pipelines.config import load_config
    from pipelines.files import json_document
    from pipelines.reports.text import render_review
    from pipelines.running import Stop
    from pipelines.sources import FileSource
    from pipelines.splitting import split_input

    given, file = given_flags(flags)
    config = load_config(given, file=file).config
    if config.has_gate or config.run_record is not None:
        raise ConfigError("judge decompose makes no summary: gates and --run-record belong to judge score")
    if output.resolve() == input_file.resolve():
        raise ConfigError(f"{output} is the input, which would be written over: name another file with -o")
    if not output.resolve().parent.is_dir():
        raise ConfigError(f"{output} cannot be written: there is no folder {output.parent}")
    if output.exists() and not config.overwrite:
        raise ConfigError(f"{output} is there already and may have been edited by hand: name another file, or give --overwrite")
    _say_first(config)
    stop = Stop()

    async def watched() -> "SplitReview":
        with interruptible(stop):
            return await split_input(FileSource(input_file, config.map, config.limit), config, output, stop)

    review = asyncio.run(watched())
    if config.json_output:
        say(json_document(review), nl=False)
    elif not config.quiet:
        say(render_review(review), nl=False)
    for line in review.failures:
        say(f"judge: not split: {line}", err=True)
    if stop.reason is not None:
        again = "the same command with --overwrite keeps it and splits the rest" if review.ground_truths else "the same command tries again"
        kept = f"what was split is in {output}" if review.ground_truths else "nothing was split"
        say(f"judge: stopped: {stop.reason}; {kept}; {again}", err=True)
    return review.exit_code


def _say_first(config: "RunConfig") -> None:
    """Print what is to be known before anything is sent."""
    say_notices(config)
    if config.panel and not config.quiet:
        say(f"of several judges the first one splits: {config.panel[0]}", err=True)
