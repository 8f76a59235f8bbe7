"""Printing that outlives its reader."""

from contextlib import suppress

import click


def say(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print a text; a reader that has gone away, such as `head`, changes neither the work nor the exit code.

    Raises OSError where standard output cannot be written; what cannot be said on standard error stays unsaid.
    """
    with suppress(OSError if err else BrokenPipeError):
        click.echo(text, nl=nl, err=err)
