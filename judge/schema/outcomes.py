"""What became of one question to a judge: a verdict, or the reason why there is none."""

from typing import Annotated, Literal

from pydantic import Field

from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.record import Record


class Unjudged(Record):
    """No verdict was produced. Never a label, never cached, never out of sight."""

    kind: Literal["unjudged"] = "unjudged"
    reason: UnjudgedReason
    detail: str


class Verdict(Record):
    """A label for one statement. `quote` is a span of the answer (pieces joined by ` … `), None for not_addressed."""

    kind: Literal["verdict"] = "verdict"
    label: Label
    quote: str | None
    quote_verified: bool | None
    rationale: str


class AbstentionVerdict(Record):
    """Whether the answer declines to answer; `quote` is the span that says so, where one was given."""

    kind: Literal["verdict"] = "verdict"
    value: AbstentionValue
    quote: str | None = None
    rationale: str | None = None


class Mark(Record):
    """How good the answer is as a whole: 0 (wrong or empty) to 4 (complete and correct)."""

    kind: Literal["verdict"] = "verdict"
    value: int = Field(ge=0, le=4)
    rationale: str


Outcome = Annotated[Verdict | Unjudged, Field(discriminator="kind")]
AbstentionOutcome = Annotated[AbstentionVerdict | Unjudged, Field(discriminator="kind")]
MarkOutcome = Annotated[Mark | Unjudged, Field(discriminator="kind")]
