"""From judged and labelled statements to what a correction of other runs needs of them."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple

from judge.schema.calibrations import DocumentCounts, ScoredItem, ThreeWay, TwoWay
from judge.schema.labels import Label

_LABELS = tuple(Label)


class Calibrated(NamedTuple):
    """A statement that people and judge both labelled; `gold` is None where people only say whether it is supported."""

    item: str
    cluster: str
    gold: Label | None
    is_supported: bool
    judged: Label
    weight: float = 1.0


def document_counts(statements: Iterable[Calibrated]) -> tuple[DocumentCounts, ...]:
    """Return the counts of each document, documents in the order of their digests."""
    by_cluster: dict[str, list[Calibrated]] = {}
    for one in statements:
        by_cluster.setdefault(one.cluster, []).append(one)
    return tuple(
        DocumentCounts(cluster=cluster, three_way=_three_way(members), two_way=_two_way(members))
        for cluster, members in sorted(by_cluster.items())
    )


def scored_items(statements: Sequence[Calibrated], whole: Iterable[str]) -> tuple[ScoredItem, ...]:
    """Return both recalls of the items that were labelled and judged as a whole; `whole` names these."""
    by_item: dict[str, list[Calibrated]] = {}
    for one in statements:
        by_item.setdefault(one.item, []).append(one)
    return tuple(
        ScoredItem(
            item=item,
            cluster=by_item[item][0].cluster,
            judged=sum(one.judged is Label.SUPPORTED for one in by_item[item]) / len(by_item[item]),
            human=sum(one.is_supported for one in by_item[item]) / len(by_item[item]),
        )
        for item in sorted(set(whole) & by_item.keys())
    )


def _three_way(members: Sequence[Calibrated]) -> ThreeWay:
    rows = [[fsum(one.weight for one in members if one.gold is row and one.judged is column) for column in _LABELS] for row in _LABELS]
    first, second, third = ((row[0], row[1], row[2]) for row in rows)
    return (first, second, third)


def _two_way(members: Sequence[Calibrated]) -> TwoWay:
    rows = [
        [
            fsum(one.weight for one in members if one.is_supported is row and (one.judged is Label.SUPPORTED) is column)
            for column in (True, False)
        ]
        for row in (True, False)
    ]
    return ((rows[0][0], rows[0][1]), (rows[1][0], rows[1][1]))
