"""The renderings of a finished run again, from its files; nothing is judged."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from judge.errors import ConfigError, RunFolderError, plain_cause
from judge.schema.items import Item
from judge.schema.manifests import RunManifest
from judge.schema.results import ItemResult
from judge.schema.summaries import Summary
from pipelines.files import REPORT_CSV, REPORT_HTML, REPORT_MARKDOWN, RunFolder, read_manifest, read_summary, write_atomically
from pipelines.rendering import PAGE_ITEMS, results_of, run_facts
from pipelines.reports.csv_table import render_csv
from pipelines.reports.html import render_html
from pipelines.reports.markdown import render_markdown

FORMATS = {"md": REPORT_MARKDOWN, "html": REPORT_HTML, "csv": REPORT_CSV}
"""What a run can be rendered as, and the name of the file."""


class _Run(NamedTuple):
    folder: Path
    manifest: RunManifest
    summary: Summary


def parse_formats(text: str) -> tuple[str, ...]:
    """Return the formats of a list such as `md,html`. Raises ConfigError naming every one that is not offered."""
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",") if name.strip()))
    if unknown := [name for name in names if name not in FORMATS]:
        raise ConfigError(f"--format {', '.join(map(repr, unknown))}: expected one or more of {', '.join(FORMATS)}")
    if not names:
        raise ConfigError(f"--format is empty: expected one or more of {', '.join(FORMATS)}")
    return names


def report_run(folder: Path, formats: Sequence[str], out: Path | None = None) -> list[Path]:
    """Write the reports of a run into its folder, or into another one, and return their paths.

    Raises RunFolderError for a run that is not finished, is being written, or cannot be read, and ConfigError for a folder
    that cannot be written.
    """
    manifest = read_manifest(folder)
    if manifest.state == "running":
        raise RunFolderError(f"{folder} is being written, or was cut off: the `judge score` command that began it finishes it")
    run = _Run(folder, manifest, read_summary(folder))
    with ExitStack() as stack:
        if out is None:
            stack.callback(RunFolder(folder).close)
        else:
            _make(out)
        return [_write((folder if out is None else out) / FORMATS[name], _rendered(run, name)) for name in formats]


def _rendered(run: _Run, name: str) -> Iterable[str]:
    facts = run_facts(run.manifest, run.summary, _name_of(run.folder))
    results = _existing_results(run.folder)
    match name:
        case "md":
            return render_markdown(run.summary, facts, results)
        case "html":
            return render_html(run.summary, facts, islice(results, PAGE_ITEMS), cap=PAGE_ITEMS)
        case _:
            return render_csv(result for _, result in results)


def _existing_results(folder: Path) -> Iterator[tuple[Item, ItemResult]]:
    try:
        yield from results_of(folder)
    except OSError as error:
        raise RunFolderError(f"{folder} cannot be read: {plain_cause(error)}") from error


def _name_of(folder: Path) -> str:
    return folder.name if folder.name not in ("", "..") else folder.resolve().name


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--out {out} cannot be made: {plain_cause(error)}") from error


def _write(path: Path, chunks: Iterable[str]) -> Path:
    try:
        write_atomically(path, chunks)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {plain_cause(error)}") from error
    return path
