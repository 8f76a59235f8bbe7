"""`judge cache`: stats, verify, explain, export, import, clear."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipelines.cli.options import given_flags, judging_options
from pipelines.cli.output import say

if TYPE_CHECKING:
    from judge.cache.store import JudgmentCache

_FOLDER = click.option(
    "--cache", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Judgment cache (default: the user's cache folder)."
)


@click.group("cache")
def command() -> None:
    """Look into the judgment cache, check it, move it, clear it."""


@contextmanager
def _opened(folder: Path | None, *, is_made: bool = False) -> Iterator["JudgmentCache"]:
    """Open the cache for one command; `is_made` makes one where there is none yet."""
    from judge.cache.store import JudgmentCache
    from pipelines.caching import open_cache
    from pipelines.config import load_config
    from pipelines.judges import cache_folder

    config = load_config({} if folder is None else {"cache": folder}).config
    cache = JudgmentCache(cache_folder(config)) if is_made else open_cache(config)
    try:
        yield cache
    finally:
        cache.close()


@command.command("stats")
@_FOLDER
def stats(folder: Path | None) -> int:
    """Count the judgments by kind."""
    from pipelines.caching import cache_stats

    with _opened(folder) as cache:
        found = cache_stats(cache)
    say(f"cache      {found.folder}")
    for kind, count in found.kinds.items():
        say(f"{kind:<10} {count}")
    say(f"models     {found.models}\nsize       {found.size_bytes / 1e6:.1f} MB\ndamaged    {found.damaged} set aside now")
    return 0


@command.command("verify")
@_FOLDER
def verify(folder: Path | None) -> int:
    """Check the database and every entry; exit 1 if anything was damaged and had to be set aside."""
    from pipelines.caching import cache_stats

    with _opened(folder) as cache:
        is_whole = cache.check()
        found = cache_stats(cache)
        for warning in cache.warnings:
            say(warning, err=True)
    say(f"{sum(found.kinds.values())} entries are whole, {found.damaged} were damaged and set aside")
    return 0 if is_whole and not found.damaged else 1


@command.command("explain")
@click.argument("input_file", metavar="INPUT", type=click.Path(path_type=Path))
@judging_options
def explain(input_file: Path, **flags: Any) -> int:
    """Say which requests of INPUT are cached for each judge, and what differs for those that are not; makes no call."""
    from pipelines import caching
    from pipelines.config import load_config
    from pipelines.sources import FileSource

    given, file = given_flags(flags)
    config = load_config(given, file=file).config
    found = asyncio.run(caching.explain(FileSource(input_file, config.map, config.limit), config))
    for judge in found:
        if config.panel:
            say(f"judge {judge.judge}")
        say(f"{'request':<10} {'cached':>8} {'missing':>8}")
        for kind in judge.hits:
            reason = f"  {judge.reasons[kind]}" if kind in judge.reasons else ""
            say(f"{kind:<10} {judge.hits[kind]:>8} {judge.misses[kind]:>8}{reason}")
    if unknown := found[0].unknown_items:
        say(f"{unknown} items have a ground truth that is not split yet; their other requests are not counted")
    return 0


@command.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@_FOLDER
def export(file: Path, folder: Path | None) -> int:
    """Write every judgment to FILE, one JSON object a line, for nobody else to read."""
    from judge.errors import CacheError, plain_cause
    from pipelines.caching import export_lines
    from pipelines.files import write_atomically

    with _opened(folder) as cache:
        try:
            count = write_atomically(file, export_lines(cache), is_private=True)
        except OSError as error:
            raise CacheError(f"{file} cannot be written: {plain_cause(error)}") from error
    say(f"{count} judgments written to {file}")
    return 0


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@_FOLDER
def import_(file: Path, folder: Path | None) -> int:
    """Take over the judgments of an exported FILE, each one checked."""
    from pipelines.caching import import_file

    with _opened(folder, is_made=True) as cache:
        new, known = import_file(cache, file)
    say(f"{new} judgments taken over, {known} were there already")
    return 0


@command.command("clear")
@_FOLDER
@click.option("--yes", is_flag=True, help="Do not ask.")
def clear(folder: Path | None, yes: bool) -> int:
    """Remove every judgment. They have to be paid for again; results on disk stay."""
    with _opened(folder) as cache:
        if not yes and not click.confirm(f"remove all judgments in {cache.folder}?"):
            say("nothing was removed")
            return 0
        say(f"{cache.clear()} judgments removed")
    return 0
