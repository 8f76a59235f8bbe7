"""What a reader of a scored campaign must be told beside its numbers."""

from collections.abc import Iterator, Sequence

from judge.schema.campaign_scorecards import AttemptScore
from judge.schema.campaigns import Campaign


def campaign_notes(campaign: Campaign, attempts: Sequence[AttemptScore]) -> Iterator[str]:
    """Yield the notes: what is missing, what has no key or tells otherwise of it, and which attempts say things twice."""
    if not attempts:
        yield "The file holds no attempt: the campaign score is 0, and nothing was diagnosed."
    elif not any(attempt.counts for attempt in attempts):
        yield "No floor is cleared: the campaign score is 0."
    yield from _key_notes(attempts)
    if both := [one for given, one in zip(campaign.floors, attempts, strict=True) if None not in (given.events, given.diagnostics)]:
        yield f"{_named(both)}: events and raw values. The events are used, and the raw values compared with them."


def _key_notes(attempts: Sequence[AttemptScore]) -> Iterator[str]:
    """Tell where `cleared` is not what completion or the key suggest. `cleared` is what counts: it is the record of the building."""
    if whole := [one for one in attempts if one.completion == 1 and not one.cleared and _key(one) != 1]:
        yield f"{_named(whole)}: every objective met without the key of the floor, so not cleared and not counted."
    if refused := [one for one in attempts if not one.cleared and _key(one) == 1]:
        yield f"{_named(refused)}: given as not cleared, yet the elevator key was derived. It does not count."
    if unkeyed := [one for one in attempts if one.cleared and _key(one) == 0]:
        yield f"{_named(unkeyed)}: given as cleared, yet no event tells that the elevator key was derived. It counts as cleared."


def _key(attempt: AttemptScore) -> float | None:
    """Return 1 for a key that was derived, 0 for one that was not, None where nothing says."""
    return attempt.dimensions["problem_solving"].sub_metrics["elevator_key_derivation"].value


def _named(attempts: Sequence[AttemptScore]) -> str:
    return f"Attempt{'' if len(attempts) == 1 else 's'} {', '.join(str(one.attempt) for one in attempts)}"
