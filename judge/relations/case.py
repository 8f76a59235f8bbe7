"""What relations are about: a case, what a judge said of it, and a changed case."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import NamedTuple

from judge.schema.labels import AbstentionValue, Label
from judge.schema.outcomes import AbstentionOutcome, Outcome
from judge.schema.propositions import Proposition


class Case(NamedTuple):
    """A question, an answer, and the propositions to judge it by; their texts differ. `cluster` says which cases belong together."""

    id: str
    question: str | None
    answer: str
    propositions: tuple[Proposition, ...]
    ground_truth: str | None = None
    cluster: str | None = None

    def proposition(self, identifier: str) -> Proposition:
        """Return the proposition with an id that the case has."""
        return next(one for one in self.propositions if one.id == identifier)


class Said(NamedTuple):
    """What a judge said of a case: an outcome for each proposition id, and whether the answer abstains."""

    outcomes: Mapping[str, Outcome]
    abstention: AbstentionOutcome


class Subject(NamedTuple):
    """A case that was judged as it is, with what a relation may need beside it.

    `others` are other cases of the same input. `judge` is the name of the judge model. `fence` are the digits by which the prompt of
    the unchanged case kept data apart. `longest` bounds the words of a padded answer.
    """

    case: Case
    said: Said
    others: Sequence[Case] = ()
    judge: str = "the judge"
    fence: str = "000000"
    longest: int = 2000


class Expectation(StrEnum):
    """What must hold between the labels before and after a change.

    EQ: all equal. EQ_PERM: equal after undoing the permutation. NOT_UP: none becomes supported. NOT_S: none is supported. FLIP_C: the
    target becomes contradicted. DROP_N: the target becomes not_addressed. LOCAL: only the target may change. ABST: the answer is
    taken for an abstention of the given kind.
    """

    EQ = "EQ"
    EQ_PERM = "EQ_PERM"
    NOT_UP = "NOT_UP"
    NOT_S = "NOT_S"
    FLIP_C = "FLIP_C"
    DROP_N = "DROP_N"
    LOCAL = "LOCAL"
    ABST = "ABST"


class Change(NamedTuple):
    """A changed case and what must hold of it.

    `target` is the proposition that the change aims at. `order` seeds a permutation of the propositions, `alone` asks each of them
    in a request of its own. `towards` is the label that a payload demands, `payload` the text that has to reach the prompt as it is,
    `abstention` the value that ABST expects.
    """

    variant: str
    case: Case
    expects: Expectation
    target: str | None = None
    order: int | None = None
    alone: bool = False
    towards: Label | None = None
    payload: str | None = None
    abstention: AbstentionValue | None = None


Apply = Callable[[Subject, Random], Iterator[Change]]


class Relation(NamedTuple):
    """One way to change a case. `apply` yields nothing where it is not applicable, and at most `most` changes.

    `kinds` are the kinds of probe cases about the same threat. A relation with `most` 0 asks each proposition once.
    """

    id: str
    threat: str
    meaning: str
    expects: tuple[Expectation, ...]
    kinds: tuple[str, ...]
    most: int
    apply: Apply
