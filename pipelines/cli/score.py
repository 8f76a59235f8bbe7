"""`judge score`: the main job."""

import asyncio
import os
import shlex
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipelines.cli.options import given_flags, judging_options
from pipelines.cli.output import say, say_notices

if TYPE_CHECKING:
    from pipelines.config import Resolved
    from pipelines.scoring import ScoreOutcome


@click.command("score")
@click.argument("input_file", metavar="INPUT", type=click.Path(path_type=Path))
@judging_options
def command(input_file: Path, **flags: Any) -> int:
    """Judge the answers in INPUT (JSON Lines, CSV or Parquet) and write a run folder.

    Exit codes: 0 complete and gates met, 1 a gate missed, 2 usage, input or credentials, 3 incomplete, 4 stopped by a
    quota, 5 nothing could be judged, 70 internal error, 130 interrupted. After 3, 4, 5 and 130 the same command resumes.
    """
    from pipelines.config import load_config
    from pipelines.scoring import ScoreOutcome
    from pipelines.sources import FileSource

    given, file = given_flags(flags)
    resolved = load_config(given, file=file)
    config = resolved.config
    source = FileSource(input_file, config.map, config.limit)
    if config.judge is None and not config.quiet:
        click.echo("no judge is configured: the offline word-overlap baseline speaks (--judge MODEL asks a model)", err=True)
    say_notices(config)
    out = config.out if config.out is not None else Path("runs") / input_file.stem
    outcome = asyncio.run(_watched(source, resolved, out))
    assert isinstance(outcome, ScoreOutcome)
    _report(outcome, resolved, input_file)
    return outcome.exit_code


async def _watched(source: Any, resolved: "Resolved", out: Path) -> "ScoreOutcome":
    """Run to the end, drawing progress and listening for Ctrl-C: the first stops the run, the second ends the process."""
    from pipelines.cli.progress import progress_display
    from pipelines.running import Stop
    from pipelines.scoring import ScoreOutcome, score_run

    stop = Stop()
    loop = asyncio.get_running_loop()
    signals = 0

    def interrupted() -> None:
        nonlocal signals
        signals += 1
        if signals > 1:
            os._exit(130)
        click.echo("\nstopping; once more to leave at once", err=True)
        stop.now("interrupted", 130)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupted)
    outcome: ScoreOutcome | None = None
    with progress_display(quiet=resolved.config.quiet) as show:
        async for event in score_run(source, resolved, out, stop):
            if isinstance(event, ScoreOutcome):
                outcome = event
            else:
                show(event)
    assert outcome is not None, "a run that does not raise ends with its outcome"
    return outcome


def _report(outcome: "ScoreOutcome", resolved: "Resolved", input_file: Path) -> None:
    from pipelines.endpoints import endpoint_notices
    from pipelines.files import json_document
    from pipelines.gates import statistic_of, why_null
    from pipelines.rendering import run_facts
    from pipelines.reports.gates import gate_words
    from pipelines.reports.text import render_text

    config = resolved.config
    if config.json_output:
        say(json_document(outcome.summary), nl=False)
    elif not config.quiet:
        say(render_text(outcome.summary, run_facts(outcome.manifest, outcome.summary, outcome.folder.name)), nl=False)
    if not config.quiet:
        for gate in outcome.manifest.gates:
            why, statistic = why_null(gate.metric, outcome.summary), statistic_of(gate.metric, outcome.summary)
            say(f"gate {gate_words(gate, why_null=why, statistic=statistic)}", err=config.json_output)
        say(f"run folder: {outcome.folder}", err=True)
        if outcome.has_new_propositions:
            target = input_file.with_name(f"{input_file.stem}.propositions.jsonl")
            copying = shlex.join(["cp", str(outcome.folder / "propositions.jsonl"), str(target)])
            say(f"to freeze these propositions for later runs: {copying}", err=True)
    if config.quiet or config.json_output:
        # The summary on standard output would have said so. What the address is like was said at the start.
        notices = endpoint_notices(config)
        for warning in (each for each in outcome.manifest.warnings if each not in notices):
            say(f"judge: {warning}", err=True)
    _say_what_is_missing(outcome)


def _say_what_is_missing(outcome: "ScoreOutcome") -> None:
    from pipelines.ending import INCOMPLETE, NOTHING_JUDGED

    if outcome.exit_code in (INCOMPLETE, NOTHING_JUDGED) and outcome.manifest.stopped is None:
        reasons = ", ".join(f"{count} {reason}" for reason, count in outcome.summary.unjudged.items())
        found = "nothing could be judged" if outcome.exit_code == NOTHING_JUDGED else "too little was judged"
        again = "the same command tries again"
        if outcome.manifest.replayed_from is not None:
            again = "the recorded run holds no more: replay it with its own input, --propositions, --policy, --batch-size and --repeats"
        say(f"judge: {found} ({reasons}); {again}", err=True)
    if outcome.manifest.stopped is not None:
        say(f"judge: stopped: {outcome.manifest.stopped}; the same command resumes", err=True)
