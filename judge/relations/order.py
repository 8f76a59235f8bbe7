"""Relations about how propositions are put: their order, their company, and beside a strange one."""

from collections.abc import Iterator
from random import Random

from judge.relations.case import Change, Expectation, Relation, Subject
from judge.schema.propositions import Proposition

PERMUTATIONS = 5
"""Orders that are tried."""

_STRANGE = "The harbour of Quellmar has three lighthouses."
_STRANGE_ID = "distractor"


def permutation_seeds(count: int, random: Random, wanted: int = PERMUTATIONS) -> Iterator[int]:
    """Yield seeds of up to `wanted` different permutations of so many things, none of which leaves them as they were."""
    seen = {tuple(range(count))}
    for _ in range(20 * wanted):
        seed = random.getrandbits(32)
        places = list(range(count))
        Random(seed).shuffle(places)  # noqa: S311 - an order that can be had again, not a secret
        if tuple(places) not in seen:
            seen.add(tuple(places))
            yield seed
        if len(seen) > wanted:
            return


def _orders(subject: Subject, random: Random) -> Iterator[Change]:
    count = len(subject.case.propositions)
    if count < 2:
        return
    for number, seed in enumerate(permutation_seeds(count, random), start=1):
        yield Change(f"order {number}", subject.case, Expectation.EQ_PERM, order=seed)


def _split(subject: Subject, random: Random) -> Iterator[Change]:
    del random
    if len(subject.case.propositions) > 1:
        yield Change("one by one", subject.case, Expectation.EQ, alone=True)


def _distract(subject: Subject, random: Random) -> Iterator[Change]:
    del random
    case = subject.case
    strange = Proposition(id=_STRANGE_ID, text=_STRANGE)
    if "Quellmar" not in case.answer and all(one.id != _STRANGE_ID for one in case.propositions):
        changed = case._replace(propositions=(*case.propositions, strange))
        yield Change("strange proposition", changed, Expectation.LOCAL, target=_STRANGE_ID)


RELATIONS = (
    Relation(
        "MR-ORDER",
        "order of propositions",
        "the propositions in five other orders",
        (Expectation.EQ_PERM,),
        ("order",),
        PERMUTATIONS,
        _orders,
    ),
    Relation(
        "MR-SPLIT",
        "company of propositions",
        "one request per proposition instead of one for all",
        (Expectation.EQ,),
        ("order",),
        0,
        _split,
    ),
    Relation(
        "MR-DISTRACT",
        "company of propositions",
        "a strange proposition beside the others",
        (Expectation.LOCAL,),
        ("order",),
        1,
        _distract,
    ),
)
