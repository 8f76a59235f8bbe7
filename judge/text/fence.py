"""Keeping data apart from instructions: every text stands between tags that it cannot contain."""

import hashlib
import re
from collections.abc import Iterable

from judge.text.normalise import visible

BLOCK_NAMES = ("question", "statements", "answer", "ground_truth", "reference", "source")
"""Names of our own blocks. Tags of these names inside data are made harmless."""

_LOOK_ALIKE = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(BLOCK_NAMES)})\w*(?:-\w*)?\s*>?)", re.IGNORECASE)


def boundary(seed: str, texts: Iterable[str]) -> str:
    """Return eight hex digits that occur in none of the texts; the same seed and texts give the same digits."""
    joined = "\n".join(texts).casefold()
    while (digits := hashlib.sha256(seed.encode()).hexdigest()[:8]) in joined:
        seed = seed + digits
    return digits


def neutralised(text: str) -> str:
    """Return the text as a person sees it, with the opening bracket of tags that look like ours replaced by `‹`.

    Comparison of quotes folds `‹` back to `<`, so a quote of such a text is still found in the original.
    """
    shown = visible(text)
    return _LOOK_ALIKE.sub("‹", shown) if "<" in shown else shown


def fenced(name: str, digits: str, text: str) -> str:
    """Return the text between an opening and a closing tag that carry the boundary digits."""
    return f"<{name}-{digits}>\n{neutralised(text)}\n</{name}-{digits}>"


def on_one_line(text: str) -> str:
    """Return the text with every run of white space as one space, so that a line break cannot start a new entry."""
    return " ".join(text.split())
