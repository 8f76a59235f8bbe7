"""How much data one request may hold, and what is said of what would hold more."""

from typing import NamedTuple

from judge.schema.labels import UnjudgedReason
from judge.schema.outcomes import Unjudged


class Limits(NamedTuple):
    """The characters of data in one request, and whether a longer answer is judged in parts or refused."""

    max_chars: int
    splits: bool = False


def size_of(*texts: str | None) -> int:
    """Return the characters of all texts together; an absent one has none."""
    return sum(len(text) for text in texts if text is not None)


def too_long(size: int, limits: Limits, way_out: str) -> Unjudged:
    """Return why a request of this size is never sent: nothing is cut without being told to."""
    detail = f"the request would hold {size:,} characters of data, the limit is {limits.max_chars:,}: raise --max-chars{way_out}"
    return Unjudged(reason=UnjudgedReason.INPUT_TOO_LONG, detail=detail)
