"""The reports of a run folder, from its files alone."""

from collections.abc import Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from judge.errors import RunFolderError
from judge.schema.items import Item
from judge.schema.manifests import RunManifest
from judge.schema.results import ItemResult
from judge.schema.summaries import Summary
from pipelines.files import ITEMS, REPORT_HTML, REPORT_MARKDOWN, RESULTS, RunFolder
from pipelines.reports.facts import RunFacts
from pipelines.reports.html import render_html
from pipelines.reports.markdown import render_markdown

_R = TypeVar("_R", bound=BaseModel)

PAGE_ITEMS = 500
"""Items in `report.html`; beyond them the page says how many there are and where."""


def run_facts(manifest: RunManifest, summary: Summary, name: str) -> RunFacts:
    """Return what the reports say of a run beside its numbers."""
    label = manifest.judge.identities["label"]
    prompts = dict.fromkeys(each.identities["label"].prompt for each in manifest.voices or (manifest.judge,))
    record = manifest.run_record
    return RunFacts(
        run=name,
        input_name=manifest.input.name,
        judge_spec=manifest.judge.spec,
        judge_model=label.model,
        panel=() if manifest.panel_rule is None else tuple(each.spec for each in manifest.voices),
        replayed_from=manifest.replayed_from,
        prompt=", ".join(prompt.label for prompt in prompts if prompt) or None,
        policy=manifest.policy,
        metrics_version=summary.metrics_version,
        null_policy=summary.null_policy,
        run_record=None if record is None else f"{record.name} (SHA-256 {record.sha256[:12]})",
        from_cache=manifest.from_cache,
        from_journal=manifest.from_journal,
        made_now=manifest.made_now.judgments,
        repeats=_repeats(manifest),
        warnings=manifest.warnings,
        stopped=manifest.stopped,
        flags=manifest.flags,
    )


def _repeats(manifest: RunManifest) -> int:
    found = manifest.config.get("repeats")
    return found if isinstance(found, int) else 1


def write_reports(folder: RunFolder, summary: Summary, manifest: RunManifest) -> None:
    """Write `report.md` and `report.html`."""
    facts = run_facts(manifest, summary, folder.path.name)
    results = results_of(folder.path)
    # Both reports show the first results, which are read once; Markdown looks through all of them for the worst.
    first = list(islice(results, PAGE_ITEMS))
    folder.write(REPORT_HTML, render_html(summary, facts, first, cap=PAGE_ITEMS))
    folder.write(REPORT_MARKDOWN, render_markdown(summary, facts, chain(first, results)))


def results_of(folder: Path) -> Iterator[tuple[Item, ItemResult]]:
    """Yield items with their results, streamed from the two files, which hold them in the same order.

    Raises RunFolderError naming the file and the line that is missing or cannot be understood.
    """
    with (folder / ITEMS).open("rb") as items, (folder / RESULTS).open("rb") as results:
        for number, (item, result) in enumerate(zip_longest(items, results, fillvalue=b""), start=1):
            yield _read(Item, item, folder / ITEMS, number), _read(ItemResult, result, folder / RESULTS, number)


def _read(kind: type[_R], line: bytes, path: Path, number: int) -> _R:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        found = "is not what this tool writes; was it edited?" if line else "is missing; was the file cut off?"
        raise RunFolderError(f"{path}:{number}: the line {found}") from error
