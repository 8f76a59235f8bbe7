"""What the judges of a panel said, each for itself and compared."""

from judge.schema.figures import Figure
from judge.schema.labels import Label, PanelRule, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, MarkOutcome, Outcome
from judge.schema.rates import Rate
from judge.schema.record import Record


class StatementVotes(Record):
    """One statement of an item: the outcome of each judge, by its name, and of the panel."""

    text: str
    votes: dict[str, Outcome]
    panel: Outcome


class PanelVotes(Record):
    """One line of `panel.jsonl`: everything that each judge said about one item. A judge that gives no marks is not in `mark`."""

    item_id: str
    statements: tuple[StatementVotes, ...]
    abstention: dict[str, AbstentionOutcome]
    mark: dict[str, MarkOutcome]


class PanelMember(Record):
    """One judge of a panel: how often it gave each label to a statement or none, and the metrics it would give alone, in [0, 1] or None.

    `name` is what it is called in votes: its `spec`, with the beginning of its `id` where two judges share the spec.
    """

    name: str
    spec: str
    id: str
    labels: dict[Label, int]
    unjudged: int
    unjudged_by_reason: dict[UnjudgedReason, int]
    metrics: dict[str, float | None]


class PairAgreement(Record):
    """Two judges of a panel on the statements that both judged; `cohen_kappa` is None where it is undefined."""

    first: str
    second: str
    n: int
    agreement: float | None
    cohen_kappa: float | None


class DisputedStatement(Record):
    """A statement on which the judges differ, with the word of each: a label or the reason for none."""

    item_id: str
    text: str
    votes: dict[str, str]
    panel: str


class PanelSummary(Record):
    """How a panel of judges agrees. `unanimous` counts statements on which all judges gave one label, `decided` those with a verdict.

    `krippendorff_alpha` is over all statements, clustered as the metrics are, and its `n` counts clusters; `disputed` holds the first of
    the `disputed_statements` on which judges differ, `panel.jsonl` all votes. Empty answers, about which no judge is asked anything,
    are in none of the numbers but the members' metrics.
    """

    rule: PanelRule
    members: tuple[PanelMember, ...]
    unanimous: Rate
    decided: Rate
    krippendorff_alpha: Figure
    abstention_alpha: Figure
    pairs: tuple[PairAgreement, ...]
    disputed_statements: int
    disputed: tuple[DisputedStatement, ...]
