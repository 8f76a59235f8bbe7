"""The ledger of a campaign: JSON Lines, one attempt a line, to which lines are only ever added."""

from typing import Annotated, Literal

from pydantic import StringConstraints

from judge.schema.campaign_events import Positive
from judge.schema.campaigns import FloorAttempt
from judge.schema.fixtures import Text
from judge.schema.record import Record


class LedgerLine(Record):
    """One attempt: `sequence` counts from 1, `previous_sha256` is the SHA-256 of the bytes of the line before, without its line end.

    `agent` made the attempt, in the set-up `arm`: that of the attempt, else that of the campaign.
    """

    format: Literal[1] = 1
    sequence: Positive
    previous_sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None
    campaign: Text | None = None
    agent: str | None = None
    arm: Text | None = None
    attempt: FloorAttempt
