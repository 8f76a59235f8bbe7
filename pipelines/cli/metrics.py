"""`judge metrics`: the registry of the standard, listed and explained."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from judge.standard.versions import LATEST, OWN_VERSIONS, VERSIONS
from pipelines.cli.output import say

if TYPE_CHECKING:
    from judge.schema.definitions import Definition


@click.command("metrics")
@click.argument("symbols", nargs=-1, metavar="[SYMBOL]...")
@click.option(
    "--version",
    metavar="V",
    help=f"What this version selects: {', '.join((*VERSIONS, *OWN_VERSIONS))} ({LATEST} and our own).",
)
@click.option("--json", "as_json", is_flag=True, help="Print a list of definitions as JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown; without SYMBOL all of it, as docs/metrics.md is.")
def command(symbols: tuple[str, ...], version: str | None, as_json: bool, as_markdown: bool) -> int:
    """List the metrics of the scoring standard, or explain each SYMBOL (or id, or JSON key) in full."""
    from judge.errors import ConfigError
    from judge.standard.registry import definitions
    from pipelines.reports.definition_pages import definition_page, list_page, reference_page
    from pipelines.reports.pages import page_markdown, page_text

    if as_json and as_markdown:
        raise ConfigError("--json and --markdown were both given, expected one of them")
    selected = _named(symbols, version) if symbols else definitions(version)
    if as_json:
        say(_json(selected))
    elif symbols:
        render = page_markdown if as_markdown else page_text
        say("\n".join(render(definition_page(one, version)) for one in selected), nl=False)
    else:
        say(page_markdown(reference_page(selected, version)) if as_markdown else page_text(list_page(selected, version)), nl=False)
    return 0


def _named(symbols: Iterable[str], version: str | None) -> "tuple[Definition, ...]":
    """Return the metrics of these names, each once. Raises ConfigError naming every one that cannot be found."""
    from judge.errors import ConfigError
    from judge.standard.registry import definition

    found, faults = {}, []
    for symbol in symbols:
        try:
            one = definition(symbol, version)
            found[one.symbol] = one
        except ConfigError as error:
            faults.append(str(error))
    if faults:
        raise ConfigError("\n".join(dict.fromkeys(faults)))
    return tuple(found.values())


def _json(selected: "Iterable[Definition]") -> str:
    import json

    from judge.standard.retirement import listed

    return json.dumps([listed(one).model_dump(mode="json") for one in selected], ensure_ascii=False, indent=2)
