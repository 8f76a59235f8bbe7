"""What came of splitting an input, for the person who reviews it."""

from judge.schema.record import Record


class Flagged(Record):
    """One thing to look at: in which line of the propositions file, at which proposition (None: the whole), and why.

    `text` is the proposition, or what was left out.
    """

    line: int
    ground_truth: str
    proposition: str | None
    kind: str
    detail: str
    text: str | None


class SplitReview(Record):
    """What was split, taken over or spared (left in the file as it was), what to look at, what drifted, what could not be split."""

    format: int = 1
    file: str
    judge: str
    ground_truths: int
    taken_over: int
    spared: int
    propositions: int
    flags: tuple[Flagged, ...]
    drift: tuple[str, ...]
    failures: tuple[str, ...]
    exit_code: int
