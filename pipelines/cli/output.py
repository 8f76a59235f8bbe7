"""Printing that outlives its reader."""

from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pipelines.config import RunConfig


def say(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print a text; a reader that has gone away, such as `head`, changes neither the work nor the exit code.

    What goes to standard error has no secrets of the environment in it, whoever put them into a message.
    """
    if err:
        from judge.logs import process_redactor

        text = process_redactor().data(text)
    with suppress(BrokenPipeError):
        click.echo(text, nl=nl, err=err)


def say_notices(config: "RunConfig") -> None:
    """Print on standard error what a user should know of the judge's address before anything is sent to it."""
    from pipelines.endpoints import endpoint_notices

    for notice in endpoint_notices(config):
        say(f"judge: {notice}", err=True)
