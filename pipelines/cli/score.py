"""`judge score`: the main job."""

import asyncio
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipelines.cli.options import given_flags, judging_options
from pipelines.cli.output import say, say_notices

if TYPE_CHECKING:
    from pipelines.config import Resolved, RunConfig
    from pipelines.scoring import ScoreOutcome
    from pipelines.sources import FileSource


@click.command("score")
@click.argument("input_file", metavar="INPUT", type=click.Path(path_type=Path))
@click.option("--estimate", is_flag=True, help="Print the calls, tokens and cost of this run, and stop: nothing is sent or written.")
@click.option(
    "--calibration",
    type=click.Path(path_type=Path),
    metavar="CARD",
    help="Also show rates corrected for judge error: a card.json of `judge audit card`, or the audit.json of an agreement audit.",
)
@judging_options
def command(input_file: Path, *, estimate: bool, **flags: Any) -> int:
    """Judge the answers in INPUT (JSON Lines, CSV or Parquet) and write a run folder.

    Exit codes: 0 complete and gates met, 1 a gate missed, 2 usage, input or credentials, 3 incomplete or no room to write,
    4 stopped by a budget or quota, 5 nothing could be judged, 70 internal error, 130 interrupted. After 3, 4, 5 and 130 the same
    command resumes.
    """
    from pipelines.cli.watching import watched
    from pipelines.config import load_config
    from pipelines.run_names import default_run_folder
    from pipelines.scoring import ScoreOutcome, score_run
    from pipelines.sources import FileSource

    given, file = given_flags(flags)
    resolved = load_config(given, file=file)
    config = resolved.config
    source = FileSource(input_file, config.map, config.limit)
    if config.judge is None and not config.quiet:
        say("no judge is configured: the offline word-overlap baseline speaks (--judge MODEL asks a model)", err=True)
    out = config.out if config.out is not None else default_run_folder(input_file)
    if estimate:
        return _estimate(source, config, out)
    say_notices(config)
    outcome = asyncio.run(watched(lambda stop: score_run(source, resolved, out, stop), ScoreOutcome, quiet=config.quiet))
    _report(outcome, resolved, input_file)
    return outcome.exit_code


def _estimate(source: "FileSource", config: "RunConfig", out: Path) -> int:
    """Print what a run would take."""
    from pipelines.ending import COMPLETE
    from pipelines.estimates.estimating import estimate_run
    from pipelines.files import json_document
    from pipelines.reports.estimate_tables import estimate_page
    from pipelines.reports.pages import page_text

    found = asyncio.run(estimate_run(source, config, out))
    if config.json_output:
        say(json_document(found), nl=False)
    elif not config.quiet:
        say(page_text(estimate_page(found)), nl=False)
    return COMPLETE


def _report(outcome: "ScoreOutcome", resolved: "Resolved", input_file: Path) -> None:
    from pipelines.files import json_document
    from pipelines.gates import statistic_of, why_null
    from pipelines.panels import notices_of
    from pipelines.rendering import run_facts
    from pipelines.reports.gates import gate_words
    from pipelines.reports.text import render_text
    from pipelines.reports.view import flag_words

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
        notices = notices_of(config)
        for warning in (each for each in outcome.manifest.warnings if each not in notices):
            say(f"judge: {warning}", err=True)
    if config.json_output and not config.quiet and outcome.manifest.flags:
        say(f"judge: flagged items: {flag_words(outcome.manifest.flags)}", err=True)
    _say_what_is_missing(outcome)


def _say_what_is_missing(outcome: "ScoreOutcome") -> None:
    from pipelines.ending import INCOMPLETE, NOTHING_JUDGED

    if outcome.exit_code in (INCOMPLETE, NOTHING_JUDGED) and outcome.manifest.stopped is None:
        reasons = ", ".join(f"{count} {reason}" for reason, count in outcome.summary.unjudged.items())
        found = "nothing could be judged" if outcome.exit_code == NOTHING_JUDGED else "too little was judged"
        again = "the same command tries again"
        if set(outcome.summary.unjudged) == {"no_majority"}:
            again = "every vote is there, and asking again would change none"
        elif outcome.manifest.replayed_from is not None:
            again = "the recorded run holds no more: replay it with its own input, --propositions, --policy, --batch-size and --repeats"
        elif set(outcome.summary.unjudged) == {"input_too_long"}:
            again = "the same command would refuse it again: raise --max-chars, or give --long-answers split"
        say(f"judge: {found} ({reasons}); {again}", err=True)
    if outcome.manifest.stopped is not None:
        say(f"judge: stopped: {outcome.manifest.stopped}; the same command resumes", err=True)
