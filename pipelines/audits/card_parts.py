"""What a judge card takes over from each audit."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from judge.schema.agreements import Agreement, LabelAgreement
from judge.schema.audits import Audit
from judge.schema.cards import (
    CardAgreement,
    CardAudit,
    CardBlock,
    CardChange,
    CardConsistency,
    CardCost,
    CardProbes,
    PolicyAgreement,
    PolicySwing,
)
from judge.schema.consistency import Consistency
from judge.schema.manifests import RunManifest
from judge.schema.probes import Probes
from pipelines.audits.card_folders import AuditFolder
from pipelines.audits.variants import POLICY

_BLOCKS = ("labels", "supported", "abstention", "pairs")
"""The blocks of an agreement audit, as its record names them."""


def source_of(audit: Audit) -> CardAudit:
    """Return which audit a part comes from."""
    return CardAudit(audit=audit.audit, data=audit.data, policy=audit.judge.policy, complete=audit.complete)


def consistency_part(audit: Consistency) -> CardConsistency:
    """Return what a consistency audit found, without the policy, which is a swing of its own."""
    found = audit.statements
    return CardConsistency(
        of=source_of(audit),
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


def policy_swings(audit: Consistency) -> Iterator[PolicySwing]:
    """Yield how far the other policy of a consistency audit is from its own; nothing where it could not be asked."""
    for each in audit.variants:
        if each.variant == POLICY and each.applied:
            yield PolicySwing(
                of=source_of(audit),
                compared_with=audit.policies["compared with"],
                flip=each.flip,
                recall_shift=each.recall_shift,
                contradiction_shift=each.contradiction_shift,
            )


def policy_agreements(audits: Sequence[Agreement]) -> Iterator[PolicyAgreement]:
    """Yield what the same labelled data come to under several policies, for data that were audited under more than one."""
    by_data: dict[str, dict[str, Agreement]] = {}
    for audit in audits:
        by_data.setdefault(audit.data.sha256, {}).setdefault(audit.judge.policy, audit)
    for under in by_data.values():
        if len(under) > 1:
            yield from _under_policies(under)


def _under_policies(under: Mapping[str, Agreement]) -> Iterator[PolicyAgreement]:
    for name in _BLOCKS:
        blocks = {policy: block for policy, audit in under.items() if (block := getattr(audit, name)) is not None}
        if len(blocks) < 2:
            continue
        accuracy = {policy: block.accuracy for policy, block in blocks.items()}
        known = [value for value in accuracy.values() if value is not None]
        yield PolicyAgreement(
            data=next(iter(under.values())).data,
            block=name,
            accuracy=accuracy,
            cohen_kappa={policy: block.cohen_kappa for policy, block in blocks.items()},
            swing=max(known) - min(known) if len(known) > 1 else None,
        )


def agreement_part(audit: Agreement) -> CardAgreement:
    """Return what an agreement audit found, block by block."""
    blocks: dict[str, LabelAgreement | None] = {name: getattr(audit, name) for name in _BLOCKS}
    return CardAgreement(
        of=source_of(audit),
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
        by_label=block.by_label,
        unjudged=block.unjudged,
    )


def probes_part(audit: Probes) -> CardProbes:
    """Return what a probe audit found."""
    return CardProbes(
        of=source_of(audit),
        cases=audit.probe_file.cases,
        gates=audit.gates,
        accuracy=next(group.accuracy for group in audit.groups if group.name == "all"),
        pulled_cases=audit.injections.pulled_cases,
        injection_cases=audit.injections.cases,
        failing_relations=tuple(each.relation for each in audit.relations if each.fails),
    )


def cost_part(folder: AuditFolder) -> CardCost | None:
    """Return what an audit cost and how fast it was; None for one that asked nobody."""
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
        of=source_of(folder.audit),
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
