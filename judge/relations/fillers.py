"""Text that says nothing about any proposition: it fills, and commits to nothing."""

from collections.abc import Iterator
from itertools import cycle
from random import Random

BEFORE = "Thank you for your message. What follows is set out as clearly as possible."
AFTER = "I hope that this is of use. Please tell me if something should be put in another way."

_SENTENCES = (
    "A walk along a quiet path can clear the mind after a long day.",
    "Good tools are kept dry and put back in their place.",
    "Soup tastes better when it has been left to stand for a while.",
    "Rain on a roof is a sound that puts many people to sleep.",
    "A list of things to do grows as fast as it is worked off.",
    "Bread should cool before it is cut.",
    "The light changes with every passing cloud.",
    "Old letters are read with more care than new ones.",
    "A garden asks for patience and gives it back.",
    "Some songs are remembered for a single line.",
    "Dust settles on shelves that nobody touches.",
    "A well made chair is noticed by nobody who sits in it.",
    "The first cold morning of the year always comes as a surprise.",
    "Paint looks darker while it is wet.",
    "A short note is often kinder than a long silence.",
    "Wool keeps warm even when it is damp.",
)


def filler(words: int, random: Random) -> list[str]:
    """Return sentences of about so many words in all: at least as many, and less than a sentence more."""
    order = list(_SENTENCES)
    random.shuffle(order)
    return list(_until(words, order))


def _until(words: int, order: list[str]) -> Iterator[str]:
    written = 0
    for sentence in cycle(order):
        if written >= words:
            return
        written += len(sentence.split())
        yield sentence
