"""Keeping data apart from instructions: every text stands between tags that it cannot contain."""

import hashlib
import re
from collections.abc import Iterable
from itertools import count

from judge.text.normalise import visible

BLOCK_NAMES = ("question", "statements", "answer", "ground_truth", "reference", "source")
"""Names of our own blocks. Tags of these names inside data are made harmless."""

_LOOK_ALIKE = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(BLOCK_NAMES)})\w*(?:-\w*)?\s*>?)", re.IGNORECASE)


def boundary(seed: str, texts: Iterable[str]) -> str:
    """Return digits that occur in none of the texts as shown; the same seed and texts give the same digits.

    Six digits are two tokens for most models; texts that use up many of them are answered with longer ones.
    """
    joined = visible("\n".join(texts))
    for attempt in count():
        digits = str(int(hashlib.sha256(f"{seed}/{attempt}".encode()).hexdigest(), 16))[: 6 + attempt // 8]
        if digits not in joined:
            return digits
    raise AssertionError("some run of digits is longer than any in the texts")


def neutralised(text: str) -> str:
    """Return the text as a person sees it, with the opening bracket of tags that look like ours replaced by `‹`.

    Comparison of quotes folds `‹` back to `<`, so a quote of such a text is still found in the original.
    """
    shown = visible(text)
    return _LOOK_ALIKE.sub("‹", shown) if "<" in shown else shown


def fenced(name: str, digits: str, text: str) -> str:
    """Return the text between an opening and a closing tag that carry the boundary."""
    return f"<{name}-{digits}>\n{neutralised(text)}\n</{name}-{digits}>"


def on_one_line(text: str) -> str:
    """Return the text with every run of white space as one space, so that a line break cannot start a new entry."""
    return " ".join(text.split())
