"""A Top Floor campaign: one JSON file with every attempt at every floor, in the order in which they were made."""

from typing import Annotated, Literal

from pydantic import Field

from judge.schema.campaign_events import Flag, FloorEvent, Positive, Whole
from judge.schema.campaign_values import Amount, PublishedDimensions, RawDiagnostics, Share
from judge.schema.fixtures import Text
from judge.schema.record import Record


class FloorAttempt(Record):
    """One attempt at a floor. It is scored when it is handed in and never changes afterwards.

    `completion` is the share of the objectives that were met, `duration_ms` the wall-clock time in milliseconds, not rounded,
    `turns` the turns of the model. `cleared` says that the key of the floor was obtained; an attempt that met every objective and has
    no key is not cleared. `temporal` says that the documents of the floor change over time. `arm` wins over that of the campaign.
    `signal_documents` is how many documents matter on this floor. `context_tokens` were loaded, `context_budget_tokens` were allowed.

    `events`, where given, are everything that happened: what is not among them did not happen, and an empty list says that nothing
    did. Without them the diagnostics come from the raw values in `diagnostics`, and without those they are null. What begins with
    `published_` is compared with our values and enters nothing.
    """

    floor: Whole
    completion: Share
    duration_ms: Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
    turns: Positive
    cleared: Flag
    status: str | None = None
    tokens: Whole | None = None
    objectives: Whole | None = None
    objectives_solved: Whole | None = None
    temporal: Flag = False
    arm: Text | None = None
    signal_documents: Whole | None = None
    context_tokens: Whole | None = None
    context_budget_tokens: Positive | None = None
    events: tuple[FloorEvent, ...] | None = None
    diagnostics: RawDiagnostics | None = None
    published_floor_score: Amount | None = None
    published_dimension_scores: PublishedDimensions | None = None
    published_recommendation_keys: tuple[Text, ...] | None = None


class Campaign(Record):
    """One campaign of one agent. `floors` only ever grows: a later attempt is added at the end, whatever became of the earlier ones.

    `arm` names the set-up, such as `T1` (no memory across wipes) or `T2` (persistent memory). `source` says where the numbers are from.
    """

    format: Literal[1] = 1
    id: Text | None = None
    agent: str | None = None
    arm: Text | None = None
    source: str | None = None
    floors: tuple[FloorAttempt, ...]
    published_campaign_score: Amount | None = None

    def arm_of(self, attempt: FloorAttempt) -> str | None:
        """Return the arm in which an attempt was made: its own, else that of the campaign."""
        return self.arm if attempt.arm is None else attempt.arm
