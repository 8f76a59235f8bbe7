"""One input line, understood."""

from enum import StrEnum

from pydantic import JsonValue

from judge.schema.record import Record


class ItemTest(StrEnum):
    """What an item tests beside its propositions."""

    TEMPORAL = "temporal"
    SUPERSESSION = "supersession"
    SYNTHESIS = "synthesis"


class GivenProposition(Record):
    """A proposition that the item brings along; `id` is made from its position when absent."""

    id: str
    text: str
    source_quote: str | None = None


class Conflict(Record):
    """Statements on which the sources disagree: the one that holds now, and those it replaced."""

    id: str
    current: str
    superseded: tuple[str, ...]


class Item(Record):
    """One evaluated unit: a question, an answer, and what the answer is measured against.

    `ground_truth` holds alternative references, most often one; empty means there is none.
    """

    id: str
    question_id: str | None = None
    trial: int | None = None
    agent: str | None = None
    cluster: str | None = None
    question: str | None = None
    answer: str
    ground_truth: tuple[str, ...] = ()
    propositions: tuple[GivenProposition, ...] = ()
    answerable: bool | None = None
    declared_abstained: bool | None = None
    sources: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    decoys: tuple[str, ...] = ()
    tests: tuple[ItemTest, ...] = ()
    answer_serialised: bool = False
    metadata: dict[str, JsonValue] = {}

    @property
    def is_unanswerable(self) -> bool:
        """Whether the right answer is to abstain."""
        return self.answerable is False

    @property
    def is_answerable(self) -> bool:
        """Whether an answer is wanted: said so, or implied by something to measure it against."""
        return self.answerable is True or (self.answerable is None and bool(self.ground_truth or self.propositions))
