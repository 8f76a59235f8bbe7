"""Printing that outlives its reader, and reports written where a user wants them."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import click


def say(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print a text; a reader that has gone away, such as `head`, changes neither the work nor the exit code."""
    with suppress(BrokenPipeError):
        click.echo(text, nl=nl, err=err)


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[Path | None]) -> None:
    """Raise ConfigError for a report that would be written over an input, or over another report."""
    from judge.errors import ConfigError

    read = {path.resolve() for path in inputs if path is not None}
    seen: set[Path] = set()
    for path in outputs:
        if path is None:
            continue
        if path.resolve() in read:
            raise ConfigError(f"{path} is an input, which the report would be written over: name another file")
        if path.resolve() in seen:
            raise ConfigError(f"{path} is named for two reports: name a file for each")
        seen.add(path.resolve())


def write_report(path: Path, text: str) -> None:
    """Write a report so that a reader sees the old file or the whole new one. Raises ConfigError if it cannot be written."""
    from judge.errors import ConfigError, plain_cause
    from pipelines.files import write_atomically

    try:
        write_atomically(path, [text])
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {plain_cause(error)}") from error
