"""Relations about denial: a supporting sentence turned round, and turned round twice."""

import re
from collections.abc import Iterator
from random import Random

from judge.relations.case import Change, Expectation, Relation, Subject
from judge.relations.targets import inner, plain_targets, with_sentence

_AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|had|will|can|could|would|should|must|may)\b")


def negated(sentence: str) -> str | None:
    """Return a sentence with a `not` behind its only auxiliary verb; None where it has none, or several."""
    found = list(_AUXILIARY.finditer(sentence))
    if len(found) != 1:
        return None
    return f"{sentence[: found[0].end()]} not{sentence[found[0].end() :]}"


def _negate(subject: Subject, random: Random) -> Iterator[Change]:
    if (found := plain_targets(subject)) and (target := random.choice(found)):
        turned = negated(target.sentence) or f"It is not true that {inner(target.sentence)}."
        yield Change(
            "denied",
            with_sentence(subject.case, target.sentence, turned),
            Expectation.FLIP_C,
            target=target.proposition.id,
        )


def _double(subject: Subject, random: Random) -> Iterator[Change]:
    if not (found := plain_targets(subject)):
        return
    target = random.choice(found)
    twice = {"nobody denies": f"Nobody would deny that {inner(target.sentence)}."}
    if (once := negated(target.sentence)) is not None:
        twice["not true that not"] = f"It is not true that {inner(once)}."
    for name, sentence in twice.items():
        yield Change(name, with_sentence(subject.case, target.sentence, sentence), Expectation.EQ, target=target.proposition.id)


RELATIONS = (
    Relation("MR-NEG", "negation", "the supporting sentence denied", (Expectation.FLIP_C,), ("negation",), 1, _negate),
    Relation("MR-DOUBLE", "negation", "the supporting sentence denied twice", (Expectation.EQ,), ("negation",), 2, _double),
)
