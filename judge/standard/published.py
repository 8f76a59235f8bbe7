"""What a campaign's file gives as published, against what is computed from it."""

from collections.abc import Iterator, Sequence

from judge.schema.campaign_scorecards import AttemptScore, Difference, KeyDifference, PublishedComparison, Recommendation
from judge.schema.campaigns import Campaign, FloorAttempt
from judge.standard.raw_counterparts import counterparts
from judge.standard.recommendations import RULES

TOLERANCE = 1e-9
"""Sums may be rounded in another order elsewhere; what lies closer than this is the same score."""

_KEYS = {rule.name: rule.key for rule in RULES if rule.key is not None}


def compare_published(
    campaign: Campaign, attempts: Sequence[AttemptScore], total: float, fired: Sequence[Recommendation]
) -> PublishedComparison | None:
    """Return where published values and ours differ, attempt by attempt; None where nothing was published."""
    pairs = list(zip(campaign.floors, attempts, strict=True))
    published = [(given.published_floor_score, ours.floor_score) for given, ours in pairs if given.published_floor_score is not None]
    whole = campaign.published_campaign_score
    agrees = None if whole is None else _agree(whole, total)
    of_total = (
        []
        if whole is None or agrees
        else [Difference(what="campaign_score", attempt=None, floor=None, published=whole, ours=total, reason=None)]
    )
    differences = (*of_total, *(found for given, ours in pairs for found in _differences(given, ours)))
    keys = tuple(found for given, ours in pairs if (found := _keys(given, ours, fired)) is not None)
    if whole is None and not published and not differences and not keys:
        return None
    return PublishedComparison(
        floor_scores=len(published),
        floor_scores_agreeing=sum(_agree(one, other) for one, other in published),
        campaign_score=whole,
        campaign_score_agrees=agrees,
        differences=differences,
        recommendations=keys,
    )


def _agree(one: float, other: float | None) -> bool:
    return other is not None and abs(one - other) <= TOLERANCE


def _differences(given: FloorAttempt, ours: AttemptScore) -> Iterator[Difference]:
    for what, published, value, reason in _compared(given, ours):
        if published is not None and not _agree(published, value):
            yield Difference(what=what, attempt=ours.attempt, floor=ours.floor, published=published, ours=value, reason=reason)


def _compared(given: FloorAttempt, ours: AttemptScore) -> Iterator[tuple[str, float | None, float | None, str | None]]:
    yield "floor_score", given.published_floor_score, ours.floor_score, None
    for name, dimension in ours.dimensions.items():
        yield name, _published_score(given, name), dimension.score, dimension.reason
    yield from counterparts(given, ours)


def _published_score(given: FloorAttempt, dimension: str) -> float | None:
    """Return the score of a dimension as published with the attempt, else with its raw values."""
    score: float | None = getattr(given.published_dimension_scores, dimension, None)
    if score is None and given.diagnostics is not None:
        score = getattr(given.diagnostics, dimension).score
    return score


def _keys(given: FloorAttempt, ours: AttemptScore, fired: Sequence[Recommendation]) -> KeyDifference | None:
    """Compare the flags and parameters recommended; a change of arm has none."""
    if given.published_recommendation_keys is None:
        return None
    own = [_KEYS[found.rule] for found in fired if found.attempt == ours.attempt and found.rule in _KEYS]
    published_only = tuple(key for key in given.published_recommendation_keys if key not in own)
    ours_only = tuple(key for key in own if key not in given.published_recommendation_keys)
    if not published_only and not ours_only:
        return None
    return KeyDifference(attempt=ours.attempt, floor=ours.floor, published_only=published_only, ours_only=ours_only)
