"""What people and a judge said of the same statements, kept so that the judge's error can be taken out of a rate."""

from judge.schema.manifests import FileFacts
from judge.schema.record import Record

ThreeWay = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
"""Rows are the labels of people, columns those of the judge, both in the order supported, contradicted, not_addressed."""

TwoWay = tuple[tuple[float, float], tuple[float, float]]
"""The same for supported and not supported, in this order."""


class DocumentCounts(Record):
    """The judged statements of one document, counted; a count is a sum of weights where the sample was stratified.

    `cluster` is a digest that tells documents apart and tells nothing of them; it equals the digest of an item's cluster in a run
    where the labelled statements were drawn from that run. `two_way` counts every statement of which people said whether it is
    supported, also those in `three_way`.
    """

    cluster: str
    three_way: ThreeWay
    two_way: TwoWay


class ScoredItem(Record):
    """An answer of which all propositions were labelled by people and by the judge; both recalls are in [0, 1]."""

    item: str
    cluster: str
    judged: float
    human: float


class Calibration(Record):
    """Labels of people beside those of one judge under one policy.

    `judge_key` leaves the policy aside. `sampled_from` is the SHA-256 of the input of the run that the labelled statements were
    drawn from at random; None where they come from elsewhere, and judge errors are only assumed to be the same.
    `weighted` says that the counts are sums of sampling weights;
    `unjudged` counts labelled statements without a verdict of the judge, which are in no count.
    """

    judge_key: str
    policy: str
    policy_sha256: str
    data: tuple[FileFacts, ...]
    sampled_from: str | None = None
    weighted: bool = False
    unjudged: int = 0
    documents: tuple[DocumentCounts, ...]
    items: tuple[ScoredItem, ...] = ()
