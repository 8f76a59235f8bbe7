"""Which sentences of an answer can be close to a statement, found without reading every one of them."""

from collections import defaultdict
from collections.abc import Iterable
from heapq import nsmallest

from judge.text.passages import Answer
from judge.text.quantities import Comparison, Quantity, compare
from judge.text.wanted import Wanted

CLOSEST = 2_000
"""Sentences of one answer that are compared with one statement word by word, so that no answer takes for ever."""

_SLACK = 1e-9
"""Shares are compared exactly later on; here none may be lost by rounding."""


class InAll:
    """How much of a statement the whole answer repeats, with what no sentence changes found out once."""

    def __init__(self, asked: Wanted, answer: Answer) -> None:
        """Look up every wanted word and quantity."""
        self._missing = asked.own - answer.stems - asked.known
        self._total = sum(map(len, asked.own)) + sum(asked.weights)
        given = [compare((one,), answer.quantities) is not Comparison.ABSENT for one in asked.quantities]
        self._missing_weight = sum(weight for weight, is_given in zip(asked.weights, given, strict=True) if not is_given)

    def share(self, instead: frozenset[str]) -> float:
        """Return the share, with some words given by their opposites; nothing wanted is all given."""
        if not self._total:
            return 1.0
        return (self._total - sum(map(len, self._missing - instead)) - self._missing_weight) / self._total


def candidates(asked: Wanted, answer: Answer, least: float) -> list[int]:
    """Return the positions, in order, of all sentences that may repeat this share (above 0) of what is wanted.

    Those that hold enough of its words, its quantities taken as given; where it takes a side, also those that take some. Of more
    than `CLOSEST` those count that hold the most of it, of equals the first.
    """
    total = sum(map(len, asked.own)) + sum(asked.weights)
    held = _held(asked.own, answer)
    letters = least * total - sum(asked.weights)
    found = {position for position, weight in held.items() if weight >= letters - _SLACK}
    if letters <= _SLACK:
        found.update(answer.with_quantities)
    if asked.sides:
        found.update(answer.with_sides)
    if len(found) > CLOSEST:
        for quantity, weight in zip(asked.quantities, asked.weights, strict=True):
            for position in answer.stating.get(quantity, ()):
                held[position] += weight
        found = set(nsmallest(CLOSEST, found, key=lambda position: (-held[position], position)))
    return sorted(found)


def repeating(asked: Wanted, answer: Answer, least: float) -> Iterable[int]:
    """Return the positions, in order, of all sentences that may repeat this share of all words, those of the question given."""
    wanted = least * sum(map(len, asked.stems)) - sum(map(len, asked.stems & asked.known))
    return (
        range(len(answer))
        if wanted <= _SLACK
        else sorted(position for position, weight in _held(asked.stems - asked.known, answer).items() if weight >= wanted - _SLACK)
    )


def _held(stems: Iterable[str], answer: Answer) -> defaultdict[int, float]:
    """Return how many letters of these stems stand in which sentence."""
    held: defaultdict[int, float] = defaultdict(float)
    for stem in stems:
        weight = len(stem)
        for position in answer.holding.get(stem, ()):
            held[position] += weight
    return held


def share(asked: Wanted, stems: frozenset[str], given: frozenset[str], quantities: tuple[Quantity, ...] | None) -> float:
    """Return which part of the wanted words and quantities is given, long ones weighing more; nothing wanted is all given.

    A quantity is given where another value stands in its place: whether it is the same is not asked here.
    """
    total: float = sum(map(len, stems))
    hit: float = sum(map(len, stems & given))
    if quantities is not None:
        for one, weight in zip(asked.quantities, asked.weights, strict=True):
            total += weight
            hit += weight * (compare((one,), quantities) is not Comparison.ABSENT)
    return hit / total if total else 1.0
