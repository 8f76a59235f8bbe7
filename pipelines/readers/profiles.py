"""Which metrics an item can feed, by what of it is there."""

from collections.abc import Callable
from typing import NamedTuple

from judge.metrics.tested import SIGNAL_OF
from judge.schema.items import Item, ItemTest


class Profile(NamedTuple):
    """What of an item is there."""

    answer: bool
    serialised: bool
    ground_truth: bool
    propositions: bool
    answerable: bool
    unanswerable: bool
    conflicts: bool
    decoys: bool
    gaps: bool
    sources: bool
    tests: frozenset[ItemTest]


class Need(NamedTuple):
    """What a metric needs of an item beside its answer: in words, and as a test."""

    metric: str
    needs: tuple[str, ...]
    is_met: Callable[[Profile], bool]


def profile_of(item: Item) -> Profile:
    """Return what is there; an answer without a letter or digit is empty."""
    return Profile(
        answer=any(character.isalnum() for character in item.answer),
        serialised=item.answer_serialised,
        ground_truth=bool(item.ground_truth),
        propositions=bool(item.propositions),
        answerable=item.is_answerable,
        unanswerable=item.is_unanswerable,
        conflicts=bool(item.conflicts),
        decoys=bool(item.decoys),
        gaps=bool(item.gaps),
        sources=bool(item.sources),
        tests=frozenset(item.tests),
    )


def _has_statements(item: Profile) -> bool:
    return item.ground_truth or item.propositions


def _is_recalled(item: Profile) -> bool:
    return _has_statements(item) and not item.unanswerable


COUNTS: dict[str, Callable[[Profile], bool]] = {
    "with_answer": lambda item: item.answer,
    "empty_answers": lambda item: not item.answer,
    "serialised_answers": lambda item: item.serialised,
    "with_ground_truth": lambda item: item.ground_truth,
    "with_propositions": lambda item: item.propositions,
    "unanswerable": lambda item: item.unanswerable,
    "with_conflicts": lambda item: item.conflicts,
    "with_decoys": lambda item: item.decoys,
    "with_gaps": lambda item: item.gaps,
    "with_sources": lambda item: item.sources,
}


def _tests(test: ItemTest) -> Callable[[Profile], bool]:
    return lambda item: test in item.tests and _is_recalled(item)


_STATEMENTS = "ground_truth or propositions"
_ANSWERABLE = "answerable not false"

NEEDS = (
    Need("R_proposition", (_STATEMENTS, _ANSWERABLE), _is_recalled),
    Need("C_contradiction", (_STATEMENTS, _ANSWERABLE), _is_recalled),
    Need("R_judge", ("ground_truth", _ANSWERABLE), lambda item: item.ground_truth and not item.unanswerable),
    Need("A_abstention", ("answerable false",), lambda item: item.unanswerable),
    Need("over_abstention_rate", (f"answerable true, or {_STATEMENTS}",), lambda item: item.answerable),
    Need("R_conflict_resolution", ("conflicts",), lambda item: item.conflicts),
    Need(
        "R_noise_resistance",
        ("decoys", f"{_STATEMENTS}, or answerable false"),
        lambda item: item.decoys and (_has_statements(item) or item.unanswerable),
    ),
    Need("A_coverage", ("gaps",), lambda item: item.gaps),
    *(Need(symbol, (f"tests {test}", _STATEMENTS, _ANSWERABLE), _tests(test)) for test, symbol in SIGNAL_OF.items()),
)
