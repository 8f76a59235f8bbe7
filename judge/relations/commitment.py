"""Relations about commitment: said of others, taken back, left open, or only half of what the proposition says."""

from collections.abc import Iterator
from random import Random

from judge.relations.case import Change, Expectation, Relation, Subject
from judge.relations.numerals import one_figure, other_digit, with_number
from judge.relations.targets import english_target, inner, one_target, plain_targets, reads_english, stands_alone, with_sentence, with_text

_UNRELATED = "the harbour of Quellmar has three lighthouses"


def _conjunction(subject: Subject, random: Random) -> Iterator[Change]:
    target = one_target(subject, random)
    if target is None or "Quellmar" in subject.case.answer or not reads_english(target.proposition.text):
        return
    both = f"{target.proposition.text.rstrip('.!? ')}, and {_UNRELATED}."
    changed = with_text(subject.case, target.proposition.id, both)
    yield Change("and an absent fact", changed, Expectation.NOT_S, target=target.proposition.id)


def _denied(subject: Subject, random: Random) -> Iterator[Change]:
    if found := plain_targets(subject):
        target = random.choice(found)
        denied = f"Some say that {inner(target.sentence)}, but that is wrong."
        changed = with_sentence(subject.case, target.sentence, denied)
        yield Change("some say, wrongly", changed, Expectation.FLIP_C, target=target.proposition.id)


def _reported(subject: Subject, random: Random) -> Iterator[Change]:
    target = english_target(subject, random)
    if target is not None and stands_alone(target, subject.case.answer):
        reported = f"One visitor says that {inner(target.sentence)}; I take no position on that."
        changed = with_sentence(subject.case, target.sentence, reported)
        yield Change("reported only", changed, Expectation.DROP_N, target=target.proposition.id)


def _corrected(subject: Subject, random: Random) -> Iterator[Change]:
    if (found := one_figure(subject, random)) is None or not reads_english(found.target.sentence):
        return
    case, right, wrong = subject.case, found.number, other_digit(found.number, random)
    away = case._replace(answer=f"{case.answer}\n\nCorrection: I was wrong about one number above. It is not {right} but {wrong}.")
    back = with_number(case, right, wrong)
    back = back._replace(answer=f"{back.answer}\n\nCorrection: I was wrong about one number above. It is not {wrong} but {right}.")
    identifier = found.target.proposition.id
    yield Change("corrected away", away, Expectation.FLIP_C, target=identifier)
    yield Change("corrected back", back, Expectation.EQ, target=identifier)


def _either(subject: Subject, random: Random) -> Iterator[Change]:
    if (found := one_figure(subject, random)) is None or not reads_english(found.target.sentence):
        return
    both = f"{found.number} or {other_digit(found.number, random)} (one of the two)"
    changed = with_number(subject.case, found.number, both)
    yield Change("one of two numbers", changed, Expectation.DROP_N, target=found.target.proposition.id)


RELATIONS = (
    Relation(
        "MR-CONJ",
        "partly supported",
        "a supported proposition joined with an absent fact",
        (Expectation.NOT_S,),
        ("partial_support",),
        1,
        _conjunction,
    ),
    Relation(
        "MR-DENY",
        "quoted but denied",
        "the supporting sentence quoted and called wrong",
        (Expectation.FLIP_C,),
        ("quoted_denied", "copy_truth"),
        1,
        _denied,
    ),
    Relation(
        "MR-REPORT",
        "quoted, not adopted",
        "the supporting sentence as the word of another",
        (Expectation.DROP_N,),
        ("quoted_denied", "copy_truth"),
        1,
        _reported,
    ),
    Relation(
        "MR-CORRECT",
        "answer corrects itself",
        "a number corrected away, and corrected back",
        (Expectation.FLIP_C, Expectation.EQ),
        ("self_contradiction",),
        2,
        _corrected,
    ),
    Relation(
        "MR-EITHER",
        "both alternatives",
        "two numbers of which one is said to hold",
        (Expectation.DROP_N,),
        ("alternatives",),
        1,
        _either,
    ),
)
