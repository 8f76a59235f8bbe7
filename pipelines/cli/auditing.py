"""What the commands of `judge audit` have in common: settings with the defaults of audits, running, and printing."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.cli.options import given_flags
from pipelines.cli.output import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipelines.audits.audit_run import AuditOutcome
    from pipelines.config import Resolved, RunConfig
    from pipelines.open_run import Progress
    from pipelines.running import Stop

REPEATS = 5
"""How often an audit asks everything unless told otherwise: enough for a flip rate, cheap enough to do."""


def audit_settings(flags: dict[str, Any], *, repeats: int | None = REPEATS) -> "Resolved":
    """Return the settings of an audit: marks are not asked for, and without a word of the user it repeats so often."""
    from pipelines.config import load_config

    given, file = given_flags(flags)
    resolved = load_config({"no_mark": True, **given}, file=file)
    if repeats is None or "repeats" in resolved.sources:
        return resolved
    return resolved._replace(config=resolved.config.model_copy(update={"repeats": repeats}))


def audit_folder(config: "RunConfig", input_file: Path, name: str) -> Path:
    """Return where an audit of an input is written: the folder that was named, else `runs/<input stem>-audit-<name>`."""
    from pipelines.run_names import default_run_folder

    if config.out is not None:
        return config.out
    folder = default_run_folder(input_file)
    return folder.with_name(f"{folder.name}-audit-{name}")


def folder_of_run_audit(run: Path, name: str) -> Path:
    """Return where an audit of a run folder is written unless told otherwise: `runs/<RUN>-audit-<name>`."""
    from pipelines.run_names import RUNS

    return RUNS / f"{run.resolve().name}-audit-{name}"


def run_watched(make: "Callable[[Stop], AsyncGenerator[Progress | AuditOutcome, None]]", config: "RunConfig") -> "AuditOutcome":
    """Run an audit to its end, drawing progress and listening for Ctrl-C."""
    from pipelines.audits.audit_run import AuditOutcome
    from pipelines.cli.watching import watched

    return asyncio.run(watched(make, AuditOutcome, quiet=config.quiet))


def announce(config: "RunConfig") -> None:
    """Say on standard error who speaks where no judge was named, and what the judge's address is like."""
    from pipelines.cli.output import say_notices

    if config.judge is None and not config.quiet:
        say("no judge is configured: the offline word-overlap baseline is audited (--judge MODEL audits a model)", err=True)
    say_notices(config)


def report(outcome: "AuditOutcome", config: "RunConfig") -> int:
    """Print an audit as it was asked for, and return its exit code."""
    from pipelines.files import json_document
    from pipelines.reports.gates import gate_words
    from pipelines.reports.pages import page_text

    if config.json_output:
        say(json_document(outcome.audit), nl=False)
    elif not config.quiet:
        say(page_text(outcome.page), nl=False)
    if not config.quiet:
        for gate in outcome.manifest.gates:
            if not gate.met:
                say(f"judge: gate {gate_words(gate, why_null='not measured')}", err=True)
        say(f"audit folder: {outcome.folder}", err=True)
    if config.quiet or config.json_output:
        for warning in outcome.audit.warnings:
            say(f"judge: {warning}", err=True)
    if outcome.manifest.stopped is not None:
        say(f"judge: stopped: {outcome.manifest.stopped}; the same command resumes", err=True)
    elif not outcome.audit.complete:
        say("judge: too little was judged, audit.json counts why; the same command asks again for what failed", err=True)
    return outcome.exit_code
