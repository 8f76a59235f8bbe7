"""What a judge model must return. Field order is generation order: evidence first, decision last."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


def _without_repetition(schema: dict[str, Any]) -> None:
    """Drop the titles of fields and the descriptions: they repeat the field names, and every request pays for them."""
    schema.pop("description", None)
    for field in schema.get("properties", {}).values():
        field.pop("title", None)


def _without_title(schema: dict[str, Any]) -> None:
    """Drop the title as well."""
    _without_repetition(schema)
    schema.pop("title", None)


class Reply(BaseModel):
    """Base of the wire records."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=_without_repetition)


class Part(Reply):
    """Base of the parts of a reply; only a whole reply needs a title, some clients name the call after it."""

    model_config = ConfigDict(json_schema_extra=_without_title)


class PropositionReply(Part):
    """One proposition and the span of the ground truth it comes from."""

    source_quote: str
    text: str


class DecomposeReply(Reply):
    """The propositions of a ground truth."""

    propositions: list[PropositionReply]


class VerdictReply(Part):
    """The verdict on one statement."""

    id: str
    quote: str | None
    rationale: str
    label: Literal["supported", "contradicted", "not_addressed"]


class AbstentionReply(Part):
    """Whether the answer declines to answer."""

    quote: str | None
    value: Literal["answered", "partly_abstained", "abstained"]


class LabelReply(Reply):
    """One verdict per statement."""

    verdicts: list[VerdictReply]


class LabelAbstentionReply(Reply):
    """One verdict per statement, then whether the answer abstains."""

    verdicts: list[VerdictReply]
    abstention: AbstentionReply


class AppraiseReply(Reply):
    """A mark for the answer as a whole."""

    rationale: str
    mark: Literal[0, 1, 2, 3, 4]
