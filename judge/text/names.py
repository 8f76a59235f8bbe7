"""Proper names of a text, as far as capital letters tell."""

import re
from functools import lru_cache
from typing import NamedTuple

from judge.text.normalise import folded, visible
from judge.text.stems import stem
from judge.text.words import STOP_WORDS, content

_WORD_OR_MARK = re.compile(r"[^\W_]+|[^\w\s]")
_INSIDE = frozenset("-.&'\u2019")
"""Marks that may stand inside a name of several words."""

Name = frozenset[str]
"""The stems of one name, such as those of `Oda Lind`."""


class Names(NamedTuple):
    """The names of a text in order; `leading` is the one that the text begins with, an article aside."""

    leading: Name | None
    all: tuple[Name, ...]


@lru_cache(maxsize=8192)
def names(text: str) -> Names:
    """Return the runs of capitalised words that are neither function words nor part of a date.

    The first word alone is a name only when it looks like no plural.
    """
    contents = frozenset(content(text).stems)
    parts: list[str] = _WORD_OR_MARK.findall(visible(text))
    articled = bool(parts) and parts[0].casefold() in ("the", "a", "an")
    runs: list[tuple[int, list[str]]] = []
    open_run = False
    for place, part in enumerate(parts):
        if part[0].isalpha() and part[0].isupper() and part.casefold() not in STOP_WORDS:
            if not open_run:
                runs.append((place, []))
            runs[-1][1].append(part)
            open_run = True
        elif part not in _INSIDE:
            open_run = False
    found = [
        (place, name)
        for place, run in runs
        if (place or len(run) > 1 or not run[0].endswith("s")) and (name := contents.intersection(stem(folded(part)) for part in run))
    ]
    leading = next((name for place, name in found[:1] if place == int(articled)), None)
    return Names(leading, tuple(name for _, name in found))
