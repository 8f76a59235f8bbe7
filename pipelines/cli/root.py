"""The root command: finds the others, and turns every error into a message and an exit code."""

import gc
import io
import os
import signal
import sys
from typing import NoReturn

import click

from judge.version import __version__
from pipelines.cli.lazy_group import LazyGroup
from pipelines.cli.output import say

USAGE_ERROR, INCOMPLETE, INTERNAL_ERROR, INTERRUPTED = 2, 3, 70, 130

COMMANDS = {
    "score": ("pipelines.cli.score", "Judge answers and write a run folder with numbers and reports."),
    "report": ("pipelines.cli.report", "Render a run again as Markdown, HTML or CSV, from its files."),
    "decompose": ("pipelines.cli.decompose", "Only split ground truths into propositions, to review and pass back."),
    "validate": ("pipelines.cli.validate", "Check an input file and show how it is understood; judges nothing."),
    "audit": ("pipelines.cli.audit", "Can the judge be trusted: consistency, agreement with people, probes, judge cards."),
    "crux": ("pipelines.cli.crux", "Measure recorded agent sessions by the scoring standard."),
    "metrics": ("pipelines.cli.metrics", "What every metric is: formula, unit, range, null rule, by version of the standard."),
    "leaderboard": ("pipelines.cli.leaderboard", "Rank runs that may be compared, with ties where intervals overlap."),
    "campaign": ("pipelines.cli.campaign", "Score a Top Floor campaign: floors, total, diagnostics, recommendations."),
    "cache": ("pipelines.cli.cache", "Look into the judgment cache, check it, move it, clear it."),
}
"""Name of each command, the module that holds it, and its help in one line: `judge --help` imports none of them."""


@click.group(cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="judge")
def root() -> None:
    """Score free-text answers against atomic propositions with a judge model, and see why.

    Start with: judge score examples/quickstart.jsonl
    """


def run() -> NoReturn:
    """Run the command line and exit. Codes: see `exit_code_of`."""
    # Runs make many short-lived records and no cycles; the default makes the collector look for some all the time.
    gc.set_threshold(20_000, 20, 20)
    # Outside of a run, which listens itself, SIGTERM is what Ctrl-C is.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        code = root.main(standalone_mode=False)
    except BaseException as error:  # noqa: BLE001 - the last place an error can be turned into words
        code = exit_code_of(error)
    code = _flush(code if isinstance(code, int) else 0)
    sys.exit(code)


def exit_code_of(error: BaseException) -> int:
    """Print what happened on standard error, without secrets, and return the exit code: 2, 3, 70 or 130."""
    from judge.errors import CruxError, StorageError
    from judge.logs import process_redactor
    from pipelines.write_faults import is_storage_fault

    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else USAGE_ERROR
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.ClickException):
        shown = io.StringIO()
        error.show(shown)
        click.echo(process_redactor().error(shown.getvalue()), err=True, nl=False)
        return USAGE_ERROR
    for kind, code, words in (
        (click.Abort | KeyboardInterrupt, INTERRUPTED, "interrupted; the same command resumes"),
        (StorageError, INCOMPLETE, f"judge: {error}; what was judged before is kept, and the same command resumes"),
        (CruxError, USAGE_ERROR, f"judge: {error}"),
        (BrokenPipeError, 0, ""),
    ):
        if isinstance(error, kind):
            say(process_redactor().error(words), nl=bool(words), err=True)
            return code
    if isinstance(error, OSError) and is_storage_fault(error):
        say(f"judge: {error.filename or 'standard output'} cannot be written: {error.strerror}", err=True)
        return INCOMPLETE
    import traceback

    say(process_redactor().error("".join(traceback.format_exception(error))), nl=False, err=True)
    say(
        f"judge {__version__}: internal error, this is a bug. Please report it with the lines above and the command you ran; "
        "what was judged is in the journal of the run folder, and the same command resumes.",
        err=True,
    )
    return INTERNAL_ERROR


def _flush(code: int) -> int:
    """Flush what was printed and return the exit code; a reader that has gone away is no error, a full disk is one."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            # The end of the interpreter would try again what is left, and end with a code of its own.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            if stream is sys.stdout and not isinstance(error, BrokenPipeError):
                say(f"judge: standard output cannot be written: {error.strerror}", err=True)
                code = code or INCOMPLETE
    return code
