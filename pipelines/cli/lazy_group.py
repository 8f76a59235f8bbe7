"""A group whose commands are imported when they are called, so that help and errors cost no heavy import."""

from importlib import import_module

import click

Table = dict[str, tuple[str, str]]
"""Name of each command, the module that holds it as `command`, and its help in one line."""


class LazyGroup(click.Group):
    """Finds its commands in a table; listing them imports none."""

    def __init__(self, *args: object, table: Table, **more: object) -> None:
        super().__init__(*args, **more)  # type: ignore[arg-type]
        self._table = table

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of the table."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command of this name."""
        if cmd_name not in self._table:
            return None
        command = import_module(self._table[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands from the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self._table.items()])
