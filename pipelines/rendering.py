"""The reports of a run folder, from its files alone."""

from collections.abc import Iterator
from itertools import chain, islice

from judge.schema.items import Item
from judge.schema.manifests import RunManifest
from judge.schema.results import ItemResult
from judge.schema.summaries import Summary
from pipelines.files import ITEMS, REPORT_HTML, REPORT_MARKDOWN, RESULTS, RunFolder
from pipelines.reports.facts import RunFacts
from pipelines.reports.html import render_html
from pipelines.reports.markdown import render_markdown

PAGE_ITEMS = 500
"""Items in `report.html`; beyond them the page says how many there are and where."""


def run_facts(manifest: RunManifest, summary: Summary, name: str) -> RunFacts:
    """Return what the reports say of a run beside its numbers."""
    label = manifest.judge.identities["label"]
    record = manifest.run_record
    return RunFacts(
        run=name,
        input_name=manifest.input.name,
        judge_spec=manifest.judge.spec,
        judge_model=label.model,
        replayed_from=manifest.replayed_from,
        prompt=label.prompt.label if label.prompt else None,
        policy=manifest.policy,
        metrics_version=summary.metrics_version,
        null_policy=summary.null_policy,
        run_record=None if record is None else f"{record.name} (SHA-256 {record.sha256[:12]})",
        from_cache=manifest.from_cache,
        from_journal=manifest.from_journal,
        made_now=manifest.made_now.judgments,
        warnings=manifest.warnings,
        stopped=manifest.stopped,
    )


def write_reports(folder: RunFolder, summary: Summary, manifest: RunManifest) -> None:
    """Write `report.md` and `report.html`."""
    facts = run_facts(manifest, summary, folder.path.name)
    results = results_of(folder)
    # Both reports show the first results, which are read once; Markdown looks through all of them for the worst.
    first = list(islice(results, PAGE_ITEMS))
    folder.write(REPORT_HTML, render_html(summary, facts, first, cap=PAGE_ITEMS))
    folder.write(REPORT_MARKDOWN, render_markdown(summary, facts, chain(first, results)))


def results_of(folder: RunFolder) -> Iterator[tuple[Item, ItemResult]]:
    """Yield items with their results, streamed from the two files, which hold them in the same order."""
    for item, result in zip(folder.lines(ITEMS), folder.lines(RESULTS), strict=True):
        yield Item.model_validate_json(item), ItemResult.model_validate_json(result)
