"""How far people agree among themselves, from the votes that a file keeps."""

from collections.abc import Mapping, Sequence
from math import fsum

from judge.schema.agreements import HumanAgreement
from judge.statistics.agreement import cohen_kappa
from judge.statistics.confusion import Confusion, gwet_ac1
from judge.statistics.correlation import pearson
from judge.statistics.krippendorff import krippendorff_alpha


def agreement_of_votes(things: Sequence[Mapping[str, int]], meaning: str) -> HumanAgreement | None:
    """Return the agreement of people of whom only counts by label are known, however many voted on each thing; None without two votes.

    `agreement` is the mean over things of the share of pairs of votes that are alike, and Fleiss' kappa its generalisation to unequal
    numbers of votes: (P - Pe) / (1 - Pe) with Pe from the shares of all votes.
    """
    voted = [votes for votes in things if sum(votes.values()) > 1]
    if not voted:
        return None
    agreement = fsum(map(_alike, voted)) / len(voted)
    labels = sorted({label for votes in voted for label in votes})
    totals = [sum(votes.get(label, 0) for votes in voted) for label in labels]
    everything = sum(totals)
    by_chance = fsum((total / everything) ** 2 for total in totals)
    units = [[label for label, count in votes.items() for _ in range(count)] for votes in voted]
    return HumanAgreement(
        things=len(voted),
        agreement=agreement,
        gwet_ac1=_gwet_ac1(voted, labels, agreement),
        fleiss_kappa=None if max(totals) == everything else (agreement - by_chance) / (1 - by_chance),
        krippendorff_alpha=krippendorff_alpha(units),
        meaning=meaning,
    )


def agreement_of_two(first: Sequence[str], second: Sequence[str], meaning: str) -> HumanAgreement | None:
    """Return the agreement of two people who both labelled everything; None without anything."""
    if not first:
        return None
    alike = sum(one == other for one, other in zip(first, second, strict=True))
    return HumanAgreement(
        things=len(first),
        agreement=alike / len(first),
        cohen_kappa=cohen_kappa(first, second),
        gwet_ac1=gwet_ac1(Confusion.of(sorted({*first, *second}), zip(first, second, strict=True))),
        krippendorff_alpha=krippendorff_alpha(list(zip(first, second, strict=True))),
        meaning=meaning,
    )


def agreement_of_scales(first: Sequence[int], second: Sequence[int], meaning: str) -> HumanAgreement | None:
    """Return the agreement of two people who both marked everything on a scale around 0: which side they take, and Pearson's r."""
    found = agreement_of_two([_side(value) for value in first], [_side(value) for value in second], meaning)
    return None if found is None else found.model_copy(update={"pearson": pearson(first, second)})


def share_of_right(votes: Sequence[Mapping[str, int]], meaning: str) -> HumanAgreement | None:
    """Return the mean share of voters who were right, where a file counts `right` of `total` and not who said what."""
    known = [vote["right"] / vote["total"] for vote in votes if vote["total"]]
    return HumanAgreement(things=len(known), agreement=fsum(known) / len(known), meaning=meaning) if known else None


def _gwet_ac1(voted: Sequence[Mapping[str, int]], labels: Sequence[str], agreement: float) -> float | None:
    """Return AC1 (Gwet 2008) for unequal numbers of votes, each thing counting the same; None where only one label was given."""
    if len(labels) < 2:
        return None
    shares = [fsum(votes.get(label, 0) / sum(votes.values()) for votes in voted) / len(voted) for label in labels]
    by_chance = fsum(share * (1 - share) for share in shares) / (len(labels) - 1)
    return (agreement - by_chance) / (1 - by_chance)


def _alike(votes: Mapping[str, int]) -> float:
    """Return the share of pairs of votes that are alike."""
    n = sum(votes.values())
    return sum(count * (count - 1) for count in votes.values()) / (n * (n - 1))


def _side(value: int) -> str:
    return "answer_b" if value > 0 else "answer" if value < 0 else "tie"
