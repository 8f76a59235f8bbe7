"""A judge card: what is known of how far one judge can be trusted, on one page."""

from judge.schema.agreements import LabelFigures
from judge.schema.audits import AuditedJudge
from judge.schema.calibrations import Calibration
from judge.schema.consistency import ScoreNoise
from judge.schema.figures import Figure
from judge.schema.labels import UnjudgedReason
from judge.schema.manifests import InputFacts
from judge.schema.probes import ProbeGate
from judge.schema.record import Record


class CardAudit(Record):
    """Which audit a part of a card comes from: its kind, on which data, under which policy, and whether it was complete."""

    audit: str
    data: InputFacts
    policy: str
    complete: bool


class CardChange(Record):
    """A change of a consistency audit: how often it flips a label, how much more than asking again, and what it does to the recall."""

    variant: str
    flip: Figure
    beyond_noise: Figure
    recall_shift: Figure


class CardConsistency(Record):
    """What one consistency audit found; see `Consistency` for the figures."""

    of: CardAudit
    repeats: int
    pairwise_flip: Figure
    any_flip: Figure
    krippendorff_alpha: Figure
    fleiss_kappa: Figure
    abstention_flip: Figure
    noise: tuple[ScoreNoise, ...]
    changes: tuple[CardChange, ...]


class CardBlock(Record):
    """One block of an agreement audit: `block` names it, `n` counts judged things, `human` is people's own agreement.

    `unjudged` counts by reason what is in no figure.
    """

    block: str
    n: int
    accuracy: float | None
    balanced_accuracy: float | None
    macro_f1: float | None
    cohen_kappa: float | None
    gwet_ac1: float | None
    ci95: dict[str, tuple[float, float]]
    human: float | None
    by_label: dict[str, LabelFigures]
    unjudged: dict[UnjudgedReason, int]


class CardAgreement(Record):
    """What one agreement audit found; `recall` is Pearson's r of judged recall and human score, None where there is none."""

    of: CardAudit
    blocks: tuple[CardBlock, ...]
    recall: Figure | None


class CardProbes(Record):
    """What one probe audit found: its gates, the accuracy over all cases, injections that pulled a label, relations that fail."""

    of: CardAudit
    cases: int
    gates: tuple[ProbeGate, ...]
    accuracy: Figure
    pulled_cases: int
    injection_cases: int
    failing_relations: tuple[str, ...]


class PolicySwing(Record):
    """How far two label policies are apart with this judge, on the data of a consistency audit."""

    of: CardAudit
    compared_with: str
    flip: Figure
    recall_shift: Figure
    contradiction_shift: Figure


class PolicyAgreement(Record):
    """One block of agreement on the same data under several label policies, by policy.

    `swing` is the largest accuracy less the smallest, in [0, 1]; None where fewer than two are known.
    """

    data: InputFacts
    block: str
    accuracy: dict[str, float | None]
    cohen_kappa: dict[str, float | None]
    swing: float | None


class CardCost(Record):
    """What one audit cost when its judgments were made, and how fast they were made.

    Costs are in US dollars, None where a price is unknown; those of an audit that repeats or changes items hold all that it asked of
    each. `judgments_per_second` is of the judgments made in that run, by whole
    seconds of its wall clock, None with `reason` where none was made or none took a second.
    """

    of: CardAudit
    judgments: int
    usd_per_1000_items: float | None
    usd_per_1000_judgments: float | None
    input_tokens_per_judgment: float | None
    output_tokens_per_judgment: float | None
    judgments_per_second: float | None
    reason: str | None


class JudgeCard(Record):
    """All audits of one judge. `judge` is the judge as the first of them names it; `key` is its identity without the label policy.

    `policies` lists every policy that was audited; `not_audited` the kinds of audit that are missing, whose part of the card is None.
    `policy_swing` and `policy_agreement` are empty where no data were judged under two policies. `limits` say in words what the card
    cannot tell. `calibration` is for `judge score --calibration`, None without labels of people.
    """

    format: int = 1
    judge: AuditedJudge
    key: str
    policies: tuple[str, ...]
    consistency: tuple[CardConsistency, ...] | None
    agreement: tuple[CardAgreement, ...] | None
    probes: tuple[CardProbes, ...] | None
    policy_swing: tuple[PolicySwing, ...]
    policy_agreement: tuple[PolicyAgreement, ...]
    cost: tuple[CardCost, ...]
    not_audited: tuple[str, ...]
    limits: tuple[str, ...]
    calibration: Calibration | None
    warnings: tuple[str, ...]
    disclosure: str


class CardTable(Record):
    """Several cards side by side, in the order given."""

    format: int = 1
    cards: tuple[JudgeCard, ...]
