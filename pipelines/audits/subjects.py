"""Who was audited, as audits and cards name it."""

from judge.auditing.keys import label_key
from judge.schema.audits import AuditedJudge
from judge.schema.judgments import JudgeIdentity
from judge.schema.manifests import JudgeFacts
from pipelines.disclosing import METRICS_VERSION
from pipelines.files import AUDIT

__all__ = ["AUDIT", "audit_disclosure", "audited_judge"]


def audited_judge(facts: JudgeFacts) -> AuditedJudge:
    """Return the judge of a run or an audit, by its label requests."""
    label = facts.identities["label"]
    assert label.policy is not None, "every judge labels under a policy"
    return AuditedJudge(
        spec=facts.spec,
        id=facts.id,
        key=label_key(label),
        model=label.model,
        prompt=None if label.prompt is None else label.prompt.label,
        policy=label.policy.label,
        policy_sha256=label.policy.sha256,
        parameters=label.parameters,
    )


def audit_disclosure(label: JudgeIdentity) -> str:
    """Return the sentence that every output of an audit carries; `label` is the identity of label requests."""
    policy = "" if label.policy is None else f"label policy {label.policy.label}; "
    signal = "includes an LLM judge signal" if label.model is not None else "judged by an offline word-overlap baseline, not by an LLM"
    return f"metrics_version {METRICS_VERSION}; {policy}{signal}; not fully objective"
