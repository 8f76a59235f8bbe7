"""What a correction needs to know of the items of a run."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from judge.auditing.keys import cluster_digest, item_digest
from judge.metrics.counts import count_outcomes
from judge.schema.results import ItemResult

_RECALL = "R_proposition"

Counts = tuple[float, ...]
"""How often, or with what weight, each label was judged: supported, contradicted, not_addressed."""


class ItemLabels(NamedTuple):
    """An item that enters the recall of its run: digests of itself and of its cluster, and how often each label was given."""

    item: str
    cluster: str
    counts: Counts

    @property
    def shares(self) -> Counts:
        """The share of each label among the item's propositions."""
        total = sum(self.counts)
        return tuple(count / total for count in self.counts)


def item_labels(result: ItemResult) -> ItemLabels | None:
    """Return what a result says of its propositions; None where the item has no recall of its own."""
    if result.signals.get(_RECALL) is None:
        return None
    counts = count_outcomes(proposition.outcome for proposition in result.propositions)
    return ItemLabels(
        item_digest(result.item_id),
        cluster_digest(result.cluster, result.question_id, result.item_id),
        (counts.supported, counts.contradicted, counts.not_addressed),
    )


def by_cluster(values: Iterable[tuple[str, Counts]]) -> dict[str, Counts]:
    """Return the sum of counts of each cluster."""
    sums: dict[str, Counts] = {}
    for cluster, counts in values:
        before = sums.get(cluster)
        sums[cluster] = counts if before is None else tuple(a + b for a, b in zip(before, counts, strict=True))
    return sums


def against_rest(clusters: Mapping[str, Counts], label: int) -> dict[str, Counts]:
    """Return the counts of one label and of all the others together."""
    return {name: (counts[label], sum(counts) - counts[label]) for name, counts in clusters.items()}
