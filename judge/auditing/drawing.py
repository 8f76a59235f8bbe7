"""Stratified random samples: every stratum is seen, and every thing drawn knows how many it stands for."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Drawn(NamedTuple):
    """How many of a stratum there are, and how many were drawn."""

    size: int
    drawn: int

    @property
    def probability(self) -> float:
        """The chance of each to be drawn, in (0, 1]."""
        return self.drawn / self.size

    @property
    def weight(self) -> float:
        """How many each one that was drawn stands for."""
        return self.size / self.drawn


def allocate(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """Return how many to draw of each stratum: the same of each, and where one holds fewer, all of it and the more of the others.

    All together `wanted`, or everything where there is less; at least 1 of each stratum that is not empty, even if that is more.
    What does not divide goes to the larger strata first.
    """
    shares = {name: 1 for name, size in sizes.items() if size}
    while sum(shares.values()) < wanted:
        open_ones = sorted(
            (name for name, share in shares.items() if share < sizes[name]), key=lambda name: (shares[name], -sizes[name], name)
        )
        if not open_ones:
            break
        shares[open_ones[0]] += 1
    return shares


def draw(things: Sequence[T], strata: Sequence[str], wanted: int, seed: int) -> tuple[list[T], dict[str, Drawn]]:
    """Return things drawn at random without replacement in a random order, and what was drawn of each stratum. The seed decides."""
    sizes = Counter(strata)
    shares = allocate(sizes, wanted)
    chance = random.Random(seed)  # noqa: S311 (a recorded seed, nothing secret)
    found: list[T] = []
    for name in sorted(shares):
        members = [thing for thing, stratum in zip(things, strata, strict=True) if stratum == name]
        found += chance.sample(members, shares[name])
    chance.shuffle(found)
    return found, {name: Drawn(sizes[name], shares[name]) for name in sorted(shares)}
