"""Printing that outlives its reader, and moves no cursor."""

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pipelines.config import RunConfig

_SUSPECT = re.compile(r"[^\n -~]")


def say(text: str, *, nl: bool = True, err: bool = False) -> None:
    r"""Print a text; a reader that has gone away, such as `head`, changes neither the work nor the exit code.

    Whatever does not print, line feeds apart, is spelled as in JSON (`\u001b`): no data steers the terminal, and JSON stays
    the same JSON. What goes to standard error has no secrets of the environment in it, whoever put them into a message.
    Raises OSError where standard output cannot be written; what cannot be said on standard error stays unsaid.
    """
    if err:
        from judge.logs import process_redactor

        text = process_redactor().data(text)
    with suppress(OSError if err else BrokenPipeError):
        click.echo(_SUSPECT.sub(_spelled, text), nl=nl, err=err)


def say_notices(config: "RunConfig") -> None:
    """Print on standard error what a user should know of each judge's address before anything is sent to it.

    Raises ConfigError for an address that is refused.
    """
    from pipelines.endpoints import check_endpoint
    from pipelines.panels import notices_of, settings_of

    for alone in (settings_of(spec, config) for spec in config.panel) if config.panel else [config]:
        if alone.asks_a_model:
            # An address that is refused needs no advice on how to send a key there.
            check_endpoint(alone)
    for notice in notices_of(config):
        say(f"judge: {notice}", err=True)


def _spelled(match: re.Match[str]) -> str:
    character = match.group()
    if character.isprintable():
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))
