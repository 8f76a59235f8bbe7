"""`judge cache`: stats, verify, explain, export, import, clear."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipelines.cli.options import given_flags, judging_options

if TYPE_CHECKING:
    from judge.cache import JudgmentCache

_FOLDER = click.option(
    "--cache", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Judgment cache (default: the user's cache folder)."
)


@click.group("cache")
def command() -> None:
    """Look into the judgment cache, check it, move it, clear it."""


def _open(folder: Path | None) -> "JudgmentCache":
    from pipelines.caching import open_cache
    from pipelines.config import load_config

    return open_cache(load_config({} if folder is None else {"cache": folder}).config)


@command.command("stats")
@_FOLDER
def stats(folder: Path | None) -> int:
    """Count the judgments by kind."""
    from pipelines.caching import cache_stats

    cache = _open(folder)
    found = cache_stats(cache)
    click.echo(f"cache      {found.folder}")
    for kind, count in found.kinds.items():
        click.echo(f"{kind:<10} {count}")
    click.echo(f"models     {found.models}\nsize       {found.size_bytes / 1e6:.1f} MB\ndamaged    {found.damaged} set aside now")
    cache.close()
    return 0


@command.command("verify")
@_FOLDER
def verify(folder: Path | None) -> int:
    """Check every entry; exit 1 if any was damaged and had to be set aside."""
    from pipelines.caching import cache_stats

    cache = _open(folder)
    found = cache_stats(cache)
    for warning in cache.warnings:
        click.echo(warning, err=True)
    click.echo(f"{sum(found.kinds.values())} entries are whole, {found.damaged} were damaged and set aside")
    cache.close()
    return 1 if found.damaged else 0


@command.command("explain")
@click.argument("input_file", metavar="INPUT", type=click.Path(path_type=Path))
@judging_options
def explain(input_file: Path, **flags: Any) -> int:
    """Say which requests of INPUT are cached for this judge, and what differs for those that are not; makes no call."""
    from pipelines import caching
    from pipelines.config import load_config
    from pipelines.sources import FileSource

    given, file = given_flags(flags)
    config = load_config(given, file=file).config
    found = asyncio.run(caching.explain(FileSource(input_file, config.map, config.limit), config))
    click.echo(f"{'request':<10} {'cached':>8} {'missing':>8}")
    for kind in found.hits:
        click.echo(
            f"{kind:<10} {found.hits[kind]:>8} {found.misses[kind]:>8}" + (f"  {found.reasons[kind]}" if kind in found.reasons else "")
        )
    if found.unknown_items:
        click.echo(f"{found.unknown_items} items have a ground truth that is not split yet; their other requests are not counted")
    return 0


@command.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@_FOLDER
def export(file: Path, folder: Path | None) -> int:
    """Write every judgment to FILE, one JSON object a line."""
    from judge.errors import CacheError
    from pipelines.caching import export_lines
    from pipelines.files import write_atomically

    cache = _open(folder)
    try:
        count = write_atomically(file, export_lines(cache))
    except OSError as error:
        raise CacheError(f"{file} cannot be written: {error.strerror or error}") from error
    click.echo(f"{count} judgments written to {file}")
    cache.close()
    return 0


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@_FOLDER
def import_(file: Path, folder: Path | None) -> int:
    """Take over the judgments of an exported FILE, each one checked."""
    from judge.cache import JudgmentCache
    from pipelines.caching import import_file
    from pipelines.config import load_config
    from pipelines.judges import cache_folder

    cache = JudgmentCache(cache_folder(load_config({} if folder is None else {"cache": folder}).config))
    try:
        new, known = import_file(cache, file)
    finally:
        cache.close()
    click.echo(f"{new} judgments taken over, {known} were there already")
    return 0


@command.command("clear")
@_FOLDER
@click.option("--yes", is_flag=True, help="Do not ask.")
def clear(folder: Path | None, yes: bool) -> int:
    """Remove every judgment. They have to be paid for again; results on disk stay."""
    cache = _open(folder)
    if not yes:
        click.confirm(f"remove all judgments in {cache.folder}?", abort=True)
    click.echo(f"{cache.clear()} judgments removed")
    cache.close()
    return 0
