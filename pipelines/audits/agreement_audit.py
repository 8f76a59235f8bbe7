"""`judge audit agreement`: a gold file judged like any input, and the verdicts held against what people said."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import NamedTuple

from judge.auditing.calibrating import Calibrated, document_counts, scored_items
from judge.auditing.keys import item_digest
from judge.schema.agreements import Agreement
from judge.schema.calibrations import Calibration
from judge.schema.labels import ItemState
from judge.schema.manifests import FileFacts
from judge.schema.outcomes import Verdict
from judge.schema.results import ItemResult
from pipelines.audits.agreement_blocks import (
    JudgedStatement,
    Results,
    abstention,
    cluster_of,
    disagreements,
    judged_statements,
    partly_abstained,
    preference,
    recall,
    three_way,
    two_way,
)
from pipelines.audits.audit_run import AuditOutcome
from pipelines.audits.gold_file import Gold, GoldRecord
from pipelines.audits.gold_items import GoldSource
from pipelines.audits.subjects import audited_judge
from pipelines.config import Resolved
from pipelines.files import AUDIT, AUDIT_HTML, AUDIT_MARKDOWN, RESULTS, RunFolder, json_document
from pipelines.open_run import Progress
from pipelines.reports.agreement_page import agreement_page
from pipelines.reports.pages import page_html, page_markdown
from pipelines.running import Stop
from pipelines.scoring import ScoreOutcome, score_run


class Sample(NamedTuple):
    """How the labelled statements were drawn from a run: its input, and whether they weigh differently; None, they were not."""

    input_sha256: str | None = None
    weighted: bool = False


async def agreement_run(gold: Gold, resolved: Resolved, out: Path, stop: Stop) -> AsyncGenerator[Progress | AuditOutcome, None]:
    """Judge a gold file into a run folder and write the audit beside the run's files. Raises what `score_run` raises."""
    outcome: ScoreOutcome | None = None
    async with aclosing(score_run(GoldSource(gold), resolved, out, stop)) as events:
        async for event in events:
            if isinstance(event, ScoreOutcome):
                outcome = event
            else:
                yield event
    assert outcome is not None, "a run that does not raise ends with its outcome"
    yield write_agreement(gold, outcome)


def write_agreement(gold: Gold, outcome: ScoreOutcome) -> AuditOutcome:
    """Hold the results of a run against the gold labels, and write what that comes to into its folder."""
    folder = RunFolder(outcome.folder)
    try:
        results = {result.item_id: result for result in _results(folder)}
        audit = agreement_audit(gold, results, outcome)
        page = agreement_page(audit)
        folder.write(AUDIT, [json_document(audit)])
        folder.write(AUDIT_MARKDOWN, [page_markdown(page)])
        folder.write(AUDIT_HTML, [page_html(page)])
    finally:
        folder.close()
    return AuditOutcome(outcome.folder, audit, page, outcome.manifest, outcome.exit_code)


ELSEWHERE = Sample()
"""Labels that come from no run of ours."""


def agreement_audit(gold: Gold, results: Results, outcome: ScoreOutcome, *, sample: Sample = ELSEWHERE, seed: int = 0) -> Agreement:
    """Return the audit of judged gold records. `seed` is that of the resampled intervals."""
    records, manifest = gold.records, outcome.manifest
    statements = judged_statements(records, results)
    return Agreement(
        judge=audited_judge(manifest.judge),
        data=manifest.input,
        complete=outcome.summary.complete,
        usage=outcome.summary.usage,
        warnings=manifest.warnings,
        disclosure=outcome.summary.disclosure,
        labels=three_way(statements, seed),
        supported=two_way(statements, seed),
        abstention=abstention(records, results, seed),
        pairs=preference(records, results, seed),
        recall=recall(records, results, seed),
        partly_abstained=partly_abstained(records, results),
        calibration=calibration_of(statements, results, outcome, sample),
        disagreements=tuple(disagreements(statements, records, results)),
    )


def calibration_of(statements: list[JudgedStatement], results: Results, outcome: ScoreOutcome, sample: Sample) -> Calibration | None:
    """Return what a correction of other runs needs of the judged statements; None without any."""
    known = list(_calibrated(statements))
    if not known:
        return None
    judge = audited_judge(outcome.manifest.judge)
    whole = {item_digest(record.id) for record in {one.record.id: one.record for one in statements}.values() if _is_whole(record, results)}
    return Calibration(
        judge_key=judge.key,
        policy=judge.policy,
        policy_sha256=judge.policy_sha256,
        data=(FileFacts(name=outcome.manifest.input.name, sha256=outcome.manifest.input.sha256),),
        sampled_from=sample.input_sha256,
        weighted=sample.weighted,
        unjudged=len(statements) - len(known),
        documents=document_counts(known),
        items=scored_items(known, whole),
    )


def _calibrated(statements: list[JudgedStatement]) -> Iterator[Calibrated]:
    for one in statements:
        if isinstance(one.outcome, Verdict):
            gold = one.proposition.label if one.record.is_three_way else None
            supported = bool(one.proposition.is_supported)
            digest = item_digest(one.record.id)
            yield Calibrated(digest, cluster_of(one.record), gold, supported, one.outcome.label, one.proposition.weight)


def _is_whole(record: GoldRecord, results: Results) -> bool:
    """Return whether people labelled every statement of a record, and the judge judged every one."""
    return results[record.id].state is ItemState.JUDGED and all(one.is_supported is not None for one in record.propositions)


def _results(folder: RunFolder) -> Iterator[ItemResult]:
    return map(ItemResult.model_validate_json, folder.lines(RESULTS))
