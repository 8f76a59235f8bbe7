"""A scored campaign, as `judge campaign --json` prints it."""

from typing import Literal

from judge.schema.diagnostics import Dimension
from judge.schema.manifests import FileFacts, GateResult
from judge.schema.record import Record


class AttemptScore(Record):
    """An attempt: `attempt` is its place in the file from 1 on, `counts` whether its score is in the total now.

    `campaign_score_after` is the total when this attempt had been made. Scores are in full precision and have no unit.
    """

    attempt: int
    floor: int
    completion: float
    duration_ms: float
    turns: int
    cleared: bool
    status: str | None
    floor_score: float
    counts: bool
    campaign_score_after: float
    dimensions: dict[str, Dimension]


class FloorScore(Record):
    """A floor with all its attempts. The best cleared one counts; without one the score is None."""

    floor: int
    floor_score: float | None
    reason: Literal["not_cleared"] | None
    counting_attempt: int | None
    attempts: tuple[AttemptScore, ...]


class DimensionMean(Record):
    """A dimension over the campaign: the mean score of the `n` attempts that have one, whether they cleared a floor or not."""

    score: float | None
    reason: Literal["no_ratio_measured"] | None
    n: int


class Recommendation(Record):
    """A rule that fired on an attempt, with the numbers that made it fire."""

    rule: str
    attempt: int
    floor: int
    pattern: str
    threshold: str
    numbers: dict[str, float]
    recommendation: str
    config: str


class Difference(Record):
    """A published value that ours does not equal. `attempt` None speaks of the campaign; `ours` None has its reason."""

    what: str
    attempt: int | None
    floor: int | None
    published: float
    ours: float | None
    reason: str | None


class KeyDifference(Record):
    """Recommended by the publisher and by no rule here, or the other way round."""

    attempt: int
    floor: int
    published_only: tuple[str, ...]
    ours_only: tuple[str, ...]


class PublishedComparison(Record):
    """What the file gives as published against what is computed here; scores agree within 1e-9."""

    floor_scores: int
    floor_scores_agreeing: int
    campaign_score: float | None
    campaign_score_agrees: bool | None
    differences: tuple[Difference, ...]
    recommendations: tuple[KeyDifference, ...]


class LedgerFacts(Record):
    """The ledger of the campaign: how many attempts it held, and how many were appended now."""

    name: str
    known: int
    appended: int


class CampaignScorecard(Record):
    """Everything that is said of a campaign. `floors` stand by number, the attempts of a floor in the order in which they were made."""

    format: Literal[1] = 1
    metrics_version: str
    diagnostics_version: str
    input: FileFacts
    campaign: str | None
    agent: str | None
    arm: str | None
    source: str | None
    campaign_score: float
    cleared_floors: int
    floors: tuple[FloorScore, ...]
    dimensions: dict[str, DimensionMean]
    recommendations: tuple[Recommendation, ...]
    published: PublishedComparison | None
    history: LedgerFacts | None = None
    gates: tuple[GateResult, ...] = ()
    notes: tuple[str, ...]
    disclosure: str
