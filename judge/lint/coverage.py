"""Which propositions come from which sentence of the ground truth."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judge.lint.wording import shared, wording
from judge.schema.propositions import Proposition
from judge.text.folding import inside_word
from judge.text.normalise import JOINER
from judge.text.sentences import sentences

ENOUGH_TOLD = 0.5
"""Share of a sentence that the propositions must repeat where only spans over several sentences reach it."""


_TABLE_RULE = re.compile(r"[ \t]*\r?\n[ \t]*\|?[ \t]*:?-+:?[ \t:|-]*(?:\r?\n|$)")


class Part(NamedTuple):
    """One sentence of the ground truth, where it stands, and the propositions that come from it, by id."""

    text: str
    start: int
    end: int
    is_heading: bool
    propositions: dict[str, Proposition]


def parts_of_text(ground_truth: str, propositions: Sequence[Proposition]) -> list[Part]:
    """Return the sentences of a ground truth with the propositions whose span touches them.

    A span over several sentences speaks for those of them whose words the propositions repeat.
    """
    parts: list[Part] = []
    position = 0
    for text in sentences(ground_truth):
        start = ground_truth.index(text, position)
        position = start + len(text)
        parts.append(Part(text, start, position, _is_heading(ground_truth, start, position), {}))
    starts = [part.start for part in parts]
    same: dict[str, list[Part]] = {}
    for part in parts:
        same.setdefault(part.text, []).append(part)
    told = wording("\n".join(proposition.text for proposition in propositions))
    for proposition in propositions:
        for start, end in _spans(proposition, ground_truth):
            touched = parts[max(0, bisect_right(starts, start) - 1) : bisect_left(starts, end)]
            touched = [part for part in touched if start < part.end]
            for part in touched:
                if len(touched) == 1 or shared(part.text, told) >= ENOUGH_TOLD:
                    # A sentence that stands twice is covered wherever it stands.
                    for twin in same[part.text]:
                        twin.propositions[proposition.id] = proposition
    return parts


def _is_heading(ground_truth: str, start: int, end: int) -> bool:
    """Return whether a sentence is a heading, the head of a table or what introduces a list: context of what follows, no fact."""
    before = ground_truth[ground_truth.rfind("\n", 0, start) + 1 : start]
    if before.lstrip().startswith("#") or _TABLE_RULE.match(ground_truth, end) is not None:
        return True
    return ground_truth[end - 1] in ":：" and ground_truth[end:].strip() != ""


def _spans(proposition: Proposition, ground_truth: str) -> Iterator[tuple[int, int]]:
    """Yield where the pieces of a source quote first stand at the ends of words."""
    for piece in (proposition.source_quote or "").split(JOINER):
        start = ground_truth.find(piece) if piece else -1
        while start >= 0 and (inside_word(ground_truth, start) or inside_word(ground_truth, start + len(piece))):
            start = ground_truth.find(piece, start + 1)
        if start >= 0:
            yield start, start + len(piece)
