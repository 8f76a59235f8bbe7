"""What one ground truth says, frozen."""

from judge.schema.labels import Origin
from judge.schema.record import Record


class Proposition(Record):
    """One checkable statement; `source_quote` is the span of the ground truth it comes from."""

    id: str
    text: str
    source_quote: str | None = None


class Excluded(Record):
    """Something a judge proposed that was not kept, and why."""

    text: str
    reason: str


class LintFinding(Record):
    """Something a person should look at in a decomposition; `proposition` is an id, or None for the whole."""

    kind: str
    detail: str
    proposition: str | None = None


class Decomposition(Record):
    """The propositions of one (question, ground truth) pair; the same for every answer to it.

    `key` is the SHA-256 of question and ground truth, and of the proposition texts where the item brought its own.
    `made_sha256` is the hash of the propositions as a judge made them: others under it were edited by a person.
    """

    question: str | None
    ground_truth: str | None
    key: str
    origin: Origin
    judge: str | None = None
    prompt: str | None = None
    propositions: tuple[Proposition, ...]
    excluded: tuple[Excluded, ...] = ()
    lint: tuple[LintFinding, ...] = ()
    made_sha256: str | None = None
