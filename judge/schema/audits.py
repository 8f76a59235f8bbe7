"""What every audit of a judge begins with: who was audited, on what, under which label policy."""

from judge.schema.figures import Figure
from judge.schema.judgments import Setting
from judge.schema.manifests import InputFacts
from judge.schema.record import Record
from judge.schema.summaries import UsageSummary

__all__ = ["Audit", "AuditedJudge", "Figure"]


class AuditedJudge(Record):
    """The judge of an audit.

    `id` is that of its manifests; `key` leaves the label policy aside, so that audits under several policies belong to one judge
    card. `parameters` are those that were requested, such as temperature and seed.
    """

    spec: str
    id: str
    key: str
    model: str | None
    prompt: str | None
    policy: str
    policy_sha256: str
    parameters: dict[str, Setting]


class Audit(Record):
    """What all audits share; each kind adds its figures. `complete` says that all that was to be judged was.

    `usage` is what the judgments cost when they were made; None where an audit makes none.
    """

    format: int = 1
    audit: str
    judge: AuditedJudge
    data: InputFacts
    complete: bool
    usage: UsageSummary | None
    warnings: tuple[str, ...]
    disclosure: str
