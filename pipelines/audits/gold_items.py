"""Gold records as items to be judged: nothing that people said of an answer goes along."""

from collections.abc import Iterator
from pathlib import Path

from judge.schema.items import GivenProposition, Item
from pipelines.audits.gold_file import Gold, GoldRecord


class GoldSource:
    """The items of a gold file; an answer a record, two of a pair."""

    def __init__(self, gold: Gold) -> None:
        """Make the items once: gold files are small."""
        self._items = [item for record in gold.records for item in items_of(record)]
        self.path: Path | None = gold.path
        self.name = gold.path.name
        self.sha256 = gold.sha256
        self.count = len(self._items)
        self.warnings: tuple[str, ...] = ()
        beside = gold.path.with_name(f"{gold.path.stem}.propositions.jsonl")
        self.propositions: Path | None = beside if beside.is_file() else None

    def items(self) -> Iterator[Item]:
        """Yield the items from the beginning."""
        return iter(self._items)


def items_of(record: GoldRecord) -> tuple[Item, ...]:
    """Return what is to be judged of a record."""
    if not record.is_pair:
        given = tuple(GivenProposition(id=one.id, text=one.text) for one in record.propositions)
        return (
            Item(
                id=record.id,
                question_id=record.question_id,
                cluster=record.doc_id,
                question=record.question,
                answer=record.answer,
                propositions=given,
            ),
        )
    assert record.answer_b is not None
    assert record.gold_answer is not None
    return tuple(
        Item(
            id=item_id,
            cluster=record.doc_id or record.id,
            question=record.question,
            answer=answer,
            ground_truth=(record.gold_answer,),
        )
        for item_id, answer in zip(record.item_ids, (record.answer, record.answer_b), strict=True)
    )
