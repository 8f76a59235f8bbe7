"""The ways in which a consistency audit asks about the same item: repeats, orders, batch sizes, wordings, another policy."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from judge.auditing.changes import laid_out_anew, padded
from judge.planning import Asking
from judge.schema.items import Item

ORDERS = 5
"""How many permutations of the statements are tried."""

LARGEST_BATCH = 200
"""Statements in one request where all are put into one."""


class Take(NamedTuple):
    """One time an item is asked about: in which words, how, and by which of the audit's judges."""

    item: Item
    asking: Asking
    voice: int = 0


class Variant(NamedTuple):
    """A change that should not matter, or the stricter policy; `takes` returns none for an item that it cannot be applied to.

    `nowhere` says why, where that holds for every item.
    """

    name: str
    meaning: str
    takes: Callable[[Item, Asking, int], Sequence[Take]]
    nowhere: str


def repeats_of(item: Item, asking: Asking, repeats: int) -> list[Take]:
    """Return an item asked about again and again, each time anew."""
    return [Take(item, asking._replace(repeats=1, first_repeat=number)) for number in range(repeats)]


def _orders(item: Item, asking: Asking, statements: int) -> Sequence[Take]:
    if statements < 2:
        return []
    return [Take(item, asking._replace(order=seed)) for seed in range(1, ORDERS + 1)]


def _alone(item: Item, asking: Asking, statements: int) -> Sequence[Take]:
    return [Take(item, asking._replace(batch_size=1))] if statements > 1 and asking.batch_size > 1 else []


def _together(item: Item, asking: Asking, statements: int) -> Sequence[Take]:
    return [Take(item, asking._replace(batch_size=LARGEST_BATCH))] if asking.batch_size < statements <= LARGEST_BATCH else []


def _halved(item: Item, asking: Asking, statements: int) -> Sequence[Take]:
    """Leave every statement half of its companions; with two of them, that is each alone."""
    beside = min(statements, asking.batch_size)
    return [Take(item, asking._replace(batch_size=-(-beside // 2), order=0))] if beside > 2 else []


def _padded(item: Item, asking: Asking, _: int) -> Sequence[Take]:
    return [Take(item.model_copy(update={"answer": padded(item.answer)}), asking)]


def _laid_out(item: Item, asking: Asking, _: int) -> Sequence[Take]:
    answer = laid_out_anew(item.answer)
    return [] if answer is None or answer == item.answer else [Take(item.model_copy(update={"answer": answer}), asking)]


def _stricter(item: Item, asking: Asking, _: int) -> Sequence[Take]:
    return [Take(item, asking, voice=1)]


FEW = "no item has two statements or more"
EMPTY = "every answer is empty"
POLICY = "policy"

VARIANTS = (
    Variant("order", f"the statements in {ORDERS} other orders", _orders, FEW),
    Variant("batch_one", "each statement in a request of its own", _alone, FEW),
    Variant("batch_all", "all statements of an item in one request", _together, "all statements of every item fit one request as it is"),
    Variant("companions", "half of the companions of each statement removed", _halved, "no item has three statements or more"),
    Variant("padding", "polite sentences without content before and after the answer", _padded, EMPTY),
    Variant(
        "layout", "the answer as a list, as plain lines, or in bold", _laid_out, "no answer can be laid out anew: empty, code or tables"
    ),
    Variant(POLICY, "the label policy strict instead of the one audited", _stricter, EMPTY),
)
"""In the order of the report. `policy` is meant to matter: it shows how far the score hangs on the rules."""
