"""What one judge call may see, and nothing else."""

from typing import Annotated, Literal

from pydantic import Field

from judge.schema.labels import RequestKind
from judge.schema.record import Record


class Statement(Record):
    """What one verdict is about, under a neutral id; its role is kept outside the request."""

    id: str
    text: str


class DecomposeRequest(Record):
    """Split a ground truth into propositions."""

    kind: Literal[RequestKind.DECOMPOSE] = RequestKind.DECOMPOSE
    question: str | None
    ground_truth: str


class LabelRequest(Record):
    """Say of each statement whether the answer supports or contradicts it, and whether the answer abstains."""

    kind: Literal[RequestKind.LABEL] = RequestKind.LABEL
    question: str | None
    answer: str
    statements: tuple[Statement, ...]
    ask_abstention: bool
    repeat: int = 0


class AppraiseRequest(Record):
    """Mark the answer as a whole, 0 to 4, against one of the alternative references."""

    kind: Literal[RequestKind.APPRAISE] = RequestKind.APPRAISE
    question: str | None
    answer: str
    references: tuple[str, ...]
    sources: tuple[str, ...] = ()
    repeat: int = 0


Request = Annotated[DecomposeRequest | LabelRequest | AppraiseRequest, Field(discriminator="kind")]
