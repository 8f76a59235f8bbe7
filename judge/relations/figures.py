"""Relations about figures: another value contradicts, the same value in another form does not."""

from collections.abc import Iterator
from random import Random

from judge.relations.case import Change, Expectation, Relation, Subject
from judge.relations.numerals import FORMS, equal_forms, one_figure, other_digit, tenfold, with_number


def _number(subject: Subject, random: Random) -> Iterator[Change]:
    if (found := one_figure(subject, random)) is None:
        return
    for name, other in (("digit", other_digit(found.number, random)), ("magnitude", tenfold(found.number))):
        if other is not None:
            changed = with_number(subject.case, found.number, other)
            yield Change(name, changed, Expectation.FLIP_C, target=found.target.proposition.id)


def _equal(subject: Subject, random: Random) -> Iterator[Change]:
    del random
    for name, answer in equal_forms(subject.case.answer):
        yield Change(name, subject.case._replace(answer=answer), Expectation.EQ)


RELATIONS = (
    Relation(
        "MR-NUM",
        "numbers",
        "another number in the supporting quote",
        (Expectation.FLIP_C,),
        ("number_error", "unit", "date"),
        2,
        _number,
    ),
    Relation(
        "MR-EQV",
        "equivalent numbers",
        "equal values in another form, such as 12,000 and twelve thousand",
        (Expectation.EQ,),
        ("number_equivalence", "unit", "date"),
        FORMS,
        _equal,
    ),
)
