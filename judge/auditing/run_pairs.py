"""Items and statements of two runs put together: only what is the same in both is compared."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from judge.auditing.keys import cluster_digest
from judge.schema.betweens import Joined
from judge.schema.consistency import StatementRole
from judge.schema.items import Item
from judge.schema.outcomes import Outcome
from judge.schema.results import ItemResult

ItemFound = tuple[Item, ItemResult]


class ItemPair(NamedTuple):
    """One item as both runs judged it. `item` is that of the first run; question and answer are the same in both."""

    item: Item
    first: ItemResult
    second: ItemResult

    @property
    def cluster(self) -> str:
        """A digest of what the item shares with others: its cluster, else its question, else itself."""
        return cluster_digest(self.item.cluster, self.item.question_id, self.item.id)

    @property
    def has_same_propositions(self) -> bool:
        """Whether both runs measure the answer against the same propositions, in whichever order."""
        return Counter(part.text for part in self.first.propositions) == Counter(part.text for part in self.second.propositions)


class StatementPair(NamedTuple):
    """One statement of an item with the outcome of each run."""

    item: Item
    cluster: str
    role: StatementRole
    text: str
    first: Outcome
    second: Outcome


class RunPairs(NamedTuple):
    """All that two runs have in common, in the order of the first, and the counts of what they do not."""

    items: Sequence[ItemPair]
    statements: Sequence[StatementPair]
    joined: Joined


def pair_runs(first: Iterable[ItemFound], second: Iterable[ItemFound]) -> RunPairs:
    """Return what two runs have in common; ids are unique within a run."""
    left = {item.id: (item, result) for item, result in first}
    right = {item.id: (item, result) for item, result in second}
    common = [(*left[name], *right[name]) for name in left if name in right]
    same = [ItemPair(item, result, other_result) for item, result, other, other_result in common if _is_same(item, other)]
    statements = [statement for pair in same for statement in statement_pairs(pair)]
    sizes = [sum(len(list(statements_of(result))) for result in side) for side in ([p.first for p in same], [p.second for p in same])]
    another_answer = sum(item.answer != other.answer for item, _, other, _ in common)
    joined = Joined(
        items=len(same),
        only_in_first=len(left) - len(common),
        only_in_second=len(right) - len(common),
        another_answer=another_answer,
        another_question=len(common) - len(same) - another_answer,
        statements=len(statements),
        statements_only_in_first=sizes[0] - len(statements),
        statements_only_in_second=sizes[1] - len(statements),
    )
    return RunPairs(same, statements, joined)


def statement_pairs(pair: ItemPair) -> Iterator[StatementPair]:
    """Yield the statements that both runs judged of an item; of a text that stands there twice the first with the first, and so on."""
    others = dict(_numbered(pair.second))
    for key, outcome in _numbered(pair.first):
        if key in others:
            role, text, _ = key
            yield StatementPair(pair.item, pair.cluster, role, text, outcome, others[key])


def statements_of(result: ItemResult) -> Iterator[tuple[StatementRole, str, Outcome]]:
    """Yield all statements of an item with what became of them."""
    for proposition in result.propositions:
        yield "proposition", proposition.text, proposition.outcome
    for conflict in result.conflicts:
        for side in (conflict.current, *conflict.superseded):
            yield "conflict", side.text, side.outcome
    for decoy in result.decoys:
        yield "decoy", decoy.text, decoy.outcome
    for gap in result.gaps:
        yield "gap", gap.text, gap.outcome


def _is_same(item: Item, other: Item) -> bool:
    return item.answer == other.answer and item.question == other.question


def _numbered(result: ItemResult) -> Iterator[tuple[tuple[StatementRole, str, int], Outcome]]:
    seen: Counter[tuple[StatementRole, str]] = Counter()
    for role, text, outcome in statements_of(result):
        yield (role, text, seen[role, text]), outcome
        seen[role, text] += 1
