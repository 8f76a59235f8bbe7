"""What a judge card cannot tell, in plain words."""

from collections.abc import Iterator, Sequence

from judge.schema.agreements import Agreement
from judge.schema.calibrations import Calibration
from judge.schema.consistency import Consistency
from judge.schema.probes import Probes
from pipelines.audits.card_folders import KINDS, AuditFolder
from pipelines.reports.audit_parts import reason_words

_FEW = 30
"""Below so many documents or statements an interval says little, and a clustered one is too narrow."""


def limits_of(folders: Sequence[AuditFolder], calibration: Calibration | None) -> Iterator[str]:
    """Yield what was not audited or rests on little, and what no card can tell."""
    kinds = {folder.audit.audit for folder in folders}
    yield from (f"{kind}: not audited" for kind in KINDS if kind not in kinds)
    for folder in folders:
        audit = folder.audit
        of = f"the {audit.audit} audit on {audit.data.name} under {audit.judge.policy}"
        if not audit.complete:
            yield f"{of} is incomplete: its figures are of what was judged"
        if isinstance(audit, Agreement):
            yield from _of_agreement(audit, of)
        elif isinstance(audit, Consistency):
            yield from _of_consistency(audit, of)
        elif isinstance(audit, Probes) and audit.probe_file.cases < _FEW:
            yield f"{of} rests on {audit.probe_file.cases} cases: a gate that is met on so few shows little"
    yield _of_calibration(calibration)
    if any(folder.audit.judge.model is not None for folder in folders):
        yield "a model is known by its name alone: what the provider serves under it may change unseen after these audits"
    yield "what holds for these texts need not hold for others: other topics, languages and agents are other tests"


def _of_agreement(audit: Agreement, of: str) -> Iterator[str]:
    blocks = {"labels": audit.labels, "supported": audit.supported, "abstention": audit.abstention, "pairs": audit.pairs}
    known = {name: block for name, block in blocks.items() if block is not None}
    fewest = min((block.clusters for block in known.values()), default=0)
    if fewest < _FEW:
        yield f"{of} rests on {fewest} documents: below {_FEW} its intervals are too narrow"
    for name, block in known.items():
        if block.unjudged:
            yield f"{of}: unjudged and in no figure of {name}: {reason_words(block.unjudged)}"


def _of_consistency(audit: Consistency, of: str) -> Iterator[str]:
    if audit.judge.model is None:
        yield "the judge is no model: it says the same each time"
        return
    if audit.statements.things < _FEW:
        yield f"{of} rests on {audit.statements.things} statements: too few for a flip rate"
    if audit.conditions.caching is None:
        yield f"{of} asked nobody in its last run: whether the provider answered from a cache of its own was not seen"


def _of_calibration(calibration: Calibration | None) -> str:
    if calibration is None:
        return "no labels of people on statements: rates of this judge cannot be corrected"
    if calibration.sampled_from is None:
        return "the calibration comes from other texts than a run to be corrected: the judge is assumed to err there as it does here"
    return "the calibration was drawn from one run: for runs on other texts the judge is assumed to err there as it does here"
