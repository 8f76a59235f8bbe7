"""`judge audit card`: the audits of one judge on one page, and several such cards in a table."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from judge.auditing.pooling import pool
from judge.errors import ConfigError, plain_cause
from judge.schema.agreements import Agreement, LabelAgreement
from judge.schema.audits import Audit
from judge.schema.calibrations import Calibration
from judge.schema.cards import (
    CardAgreement,
    CardAudit,
    CardBlock,
    CardChange,
    CardConsistency,
    CardCost,
    CardProbes,
    JudgeCard,
    PolicySwing,
)
from judge.schema.consistency import Consistency
from judge.schema.manifests import RunManifest
from judge.schema.probes import Probes
from pipelines.audits.variants import POLICY
from pipelines.files import AUDIT, MANIFEST, json_document, read_document, read_manifest, write_atomically
from pipelines.reports.card_page import card_page
from pipelines.reports.page import Page
from pipelines.reports.pages import page_html, page_markdown

CARD_JSON, CARD_MARKDOWN, CARD_HTML = "card.json", "card.md", "card.html"

KINDS: dict[str, type[Audit]] = {"agreement": Agreement, "consistency": Consistency, "probes": Probes}
"""The audits that a card is made of."""

_FEW_DOCUMENTS = 30
"""Below so many documents clustered intervals are too narrow."""


class AuditFolder(NamedTuple):
    """One audit as it lies on disk; one that asked nobody, such as that of a sheet, has no manifest."""

    path: Path
    audit: Audit
    manifest: RunManifest | None


class Choice(NamedTuple):
    """What the calibration of a card is made of: the policy, and the data sets by file name; all of them unless named."""

    policy: str | None = None
    data: tuple[str, ...] = ()


def is_card(path: Path) -> bool:
    """Return whether a path is a judge card, or a folder that holds one and no audit."""
    if path.is_dir():
        return (path / CARD_JSON).is_file() and not (path / AUDIT).is_file()
    return path.is_file() and path.name != AUDIT


def read_card(path: Path) -> JudgeCard:
    """Return a card. Raises RunFolderError for a file that is none."""
    return read_document(path / CARD_JSON if path.is_dir() else path, JudgeCard)


def read_audits(paths: Sequence[Path]) -> list[AuditFolder]:
    """Return the audits in folders. Raises ConfigError or RunFolderError for what is none, and for audits of several judges."""
    found = [_audit_folder(path) for path in paths]
    first = found[0]
    for other in found[1:]:
        if other.audit.judge.key != first.audit.judge.key:
            raise ConfigError(
                f"a card is of one judge: {first.path} is about {first.audit.judge.spec} (key {first.audit.judge.key[:12]}), "
                f"{other.path} about {other.audit.judge.spec} (key {other.audit.judge.key[:12]}); "
                "a judge is another one where model, address, prompt or parameters differ"
            )
    return found


def make_card(folders: Sequence[AuditFolder], choice: Choice) -> JudgeCard:
    """Return the card of some audits of one judge. Raises ConfigError for a data set that none of them is about."""
    audits = [folder.audit for folder in folders]
    agreements = [audit for audit in audits if isinstance(audit, Agreement)]
    pooled = pool(_calibrations(agreements, choice), choice.policy)
    kinds = {audit.audit for audit in audits}
    return JudgeCard(
        judge=audits[0].judge,
        key=audits[0].judge.key,
        policies=tuple(dict.fromkeys(audit.judge.policy for audit in audits)),
        consistency=tuple(_consistency(audit) for audit in audits if isinstance(audit, Consistency)),
        agreement=tuple(_agreement(audit) for audit in agreements),
        probes=tuple(_probes(audit) for audit in audits if isinstance(audit, Probes)),
        policy_swing=tuple(swing for audit in audits if isinstance(audit, Consistency) for swing in _swings(audit)),
        cost=tuple(cost for folder in folders if (cost := _cost(folder)) is not None),
        not_audited=tuple(kind for kind in KINDS if kind not in kinds),
        limits=tuple(_limits(folders, pooled.calibration)),
        calibration=pooled.calibration,
        warnings=pooled.notes,
        disclosure=audits[0].disclosure,
    )


def write_card(card: JudgeCard, out: Path) -> Page:
    """Write a card into a folder as JSON, Markdown and HTML, and return it as a page. Raises ConfigError where it cannot be written."""
    page = card_page(card)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, text in ((CARD_JSON, json_document(card)), (CARD_MARKDOWN, page_markdown(page)), (CARD_HTML, page_html(page))):
            write_atomically(out / name, [text])
    except OSError as error:
        raise ConfigError(f"--out {out} cannot be written: {plain_cause(error)}") from error
    return page


def _audit_folder(path: Path) -> AuditFolder:
    folder = path.parent if path.name == AUDIT else path
    if not (folder / AUDIT).is_file():
        expected = f"expected the folder of a {', '.join(KINDS)} audit, or two or more judge cards"
        raise ConfigError(f"{path} holds no {AUDIT}; {expected}" if path.exists() else f"{path} is not there; {expected}")
    kind = read_document(folder / AUDIT, _Named).audit
    if kind not in KINDS:
        raise ConfigError(f"{folder} is an audit of kind {kind}; a card is made of {', '.join(KINDS)}")
    manifest = read_manifest(folder) if (folder / MANIFEST).is_file() else None
    return AuditFolder(folder, read_document(folder / AUDIT, KINDS[kind]), manifest)


def _calibrations(agreements: Sequence[Agreement], choice: Choice) -> list[Calibration]:
    known = [(audit.data.name, audit.calibration) for audit in agreements if audit.calibration is not None]
    if missing := [name for name in choice.data if name not in {name for name, _ in known}]:
        there = ", ".join(name for name, _ in known) or "none"
        raise ConfigError(f"--calibrate-on {missing[0]}: no such data set with labelled statements; there are: {there}")
    return [calibration for name, calibration in known if not choice.data or name in choice.data]


def _of(audit: Audit) -> CardAudit:
    return CardAudit(audit=audit.audit, data=audit.data, policy=audit.judge.policy, complete=audit.complete)


def _consistency(audit: Consistency) -> CardConsistency:
    found = audit.statements
    return CardConsistency(
        of=_of(audit),
        repeats=audit.conditions.repeats,
        pairwise_flip=found.pairwise_flip,
        any_flip=found.any_flip,
        krippendorff_alpha=found.krippendorff_alpha,
        fleiss_kappa=found.fleiss_kappa,
        abstention_flip=audit.abstention.pairwise_flip,
        noise=audit.noise,
        changes=tuple(
            CardChange(variant=each.variant, flip=each.flip, beyond_noise=each.beyond_noise, recall_shift=each.recall_shift)
            for each in audit.variants
            if each.variant != POLICY
        ),
    )


def _swings(audit: Consistency) -> Iterator[PolicySwing]:
    for each in audit.variants:
        if each.variant == POLICY and each.applied:
            yield PolicySwing(
                of=_of(audit),
                compared_with=audit.policies["compared with"],
                flip=each.flip,
                recall_shift=each.recall_shift,
                contradiction_shift=each.contradiction_shift,
            )


def _agreement(audit: Agreement) -> CardAgreement:
    blocks = {"labels": audit.labels, "supported": audit.supported, "abstention": audit.abstention, "pairs": audit.pairs}
    return CardAgreement(
        of=_of(audit),
        blocks=tuple(_block(name, block) for name, block in blocks.items() if block is not None),
        recall=None if audit.recall is None else audit.recall.pearson,
    )


def _block(name: str, block: LabelAgreement) -> CardBlock:
    return CardBlock(
        block=name,
        n=block.n,
        accuracy=block.accuracy,
        balanced_accuracy=block.balanced_accuracy,
        macro_f1=block.macro_f1,
        cohen_kappa=block.cohen_kappa,
        gwet_ac1=block.gwet_ac1,
        ci95={figure: block.ci95[figure] for figure in ("accuracy", "cohen_kappa") if figure in block.ci95},
        human=None if block.human is None else block.human.agreement,
    )


def _probes(audit: Probes) -> CardProbes:
    return CardProbes(
        of=_of(audit),
        cases=audit.probe_file.cases,
        gates=audit.gates,
        accuracy=next(group.accuracy for group in audit.groups if group.name == "all"),
        pulled_cases=audit.injections.pulled_cases,
        injection_cases=audit.injections.cases,
        failing_relations=tuple(each.relation for each in audit.relations if each.fails),
    )


def _cost(folder: AuditFolder) -> CardCost | None:
    usage, manifest = folder.audit.usage, folder.manifest
    if usage is None or manifest is None:
        return None
    made = manifest.made_now.judgments
    seconds = _seconds(manifest)
    reason = None
    if not made:
        reason = "nothing was asked in that run: all came from cache, journal or recording"
    elif not seconds:
        reason = "it took less than a second"
    return CardCost(
        of=_of(folder.audit),
        judgments=usage.judgments,
        usd_per_1000_items=_per(usage.cost_usd, folder.audit.data.items, 1000),
        usd_per_1000_judgments=_per(usage.cost_usd, usage.judgments, 1000),
        input_tokens_per_judgment=_per(usage.input_tokens, usage.judgments, 1),
        output_tokens_per_judgment=_per(usage.output_tokens, usage.judgments, 1),
        judgments_per_second=made / seconds if made and seconds else None,
        reason=reason,
    )


def _per(amount: float | None, number: int, scale: int) -> float | None:
    return None if amount is None or not number else scale * amount / number


def _seconds(manifest: RunManifest) -> float:
    if manifest.finished is None:
        return 0.0
    return (datetime.fromisoformat(manifest.finished) - datetime.fromisoformat(manifest.started)).total_seconds()


def _limits(folders: Sequence[AuditFolder], calibration: Calibration | None) -> Iterator[str]:
    """Yield in words what a card cannot tell."""
    kinds = {folder.audit.audit for folder in folders}
    for kind in KINDS:
        if kind not in kinds:
            yield f"{kind}: not audited"
    for folder in folders:
        audit = folder.audit
        if not audit.complete:
            yield f"the {audit.audit} audit on {audit.data.name} is incomplete: its figures are of what was judged"
        if isinstance(audit, Agreement):
            blocks = [block for block in (audit.labels, audit.supported, audit.abstention, audit.pairs) if block is not None]
            fewest = min((block.clusters for block in blocks), default=0)
            if fewest < _FEW_DOCUMENTS:
                yield f"agreement on {audit.data.name} rests on {fewest} documents: below {_FEW_DOCUMENTS} its intervals are too narrow"
        if isinstance(audit, Consistency) and audit.judge.model is None:
            yield "the judge is no model: it says the same each time"
    if calibration is None:
        yield "no labels of people on statements: rates of this judge cannot be corrected"
    elif calibration.sampled_from is None:
        yield "the calibration comes from other texts than a run to be corrected: the judge is assumed to err there as it does here"
    yield "what holds for these texts need not hold for others: other topics, languages and agents are other tests"


class _Named(Audit):
    """An audit of any kind, as far as all are alike."""

    model_config = {**Audit.model_config, "extra": "ignore"}
