"""What a campaign tells differently from its ledger."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from judge.schema.campaigns import Campaign, FloorAttempt
from judge.schema.ledgers import LedgerLine
from judge.standard.stated import shown
from pipelines.counting import counted

_MOST_LISTED = 200
_LISTED_WHERE_ATTEMPTS_LACK = 3
"""A file that lacks attempts is most likely no whole campaign: what it tells differently then is told in a few lines."""


class Disagreement(NamedTuple):
    """A message, and the line of the ledger that it is about; None speaks of all of it."""

    line: int | None
    message: str


def disagreements(lines: Sequence[LedgerLine], campaign: Campaign) -> list[Disagreement]:
    """Return everything that the campaign tells differently, no more than a reader takes in; the rest is counted."""
    if lines and lines[0].campaign != campaign.id:
        found, expected = shown(campaign.id), shown(lines[0].campaign)
        return [Disagreement(None, f"the ledger is that of the campaign {expected}, the file's `id` is {found}")]
    has, recorded = len(campaign.floors), len(lines)
    if has >= recorded:
        return _listed([*_changes(lines, campaign)], _MOST_LISTED)
    whole = f"FILE must hold the whole campaign with new attempts at its end; it has {counted(has, 'attempt')}, the ledger {recorded}"
    return [Disagreement(None, whole), *_listed([*_changes(lines, campaign), *_missing(lines[has:])], _LISTED_WHERE_ATTEMPTS_LACK)]


def _listed(found: list[Disagreement], most: int) -> list[Disagreement]:
    rest = len(found) - most
    return found if rest <= 0 else [*found[:most], Disagreement(None, f"... and {rest} more")]


def _missing(lines: Sequence[LedgerLine]) -> Iterator[Disagreement]:
    for line in lines:
        yield Disagreement(line.sequence, f"{_place(line)} is missing in the file: a recorded attempt never goes")


def _changes(lines: Sequence[LedgerLine], campaign: Campaign) -> Iterator[Disagreement]:
    for line, attempt in zip(lines, campaign.floors, strict=False):
        for path, was, now in (*_set_up(line, attempt, campaign), *_differing(_fields(line.attempt), _fields(attempt), "")):
            yield Disagreement(
                line.sequence,
                f"{_place(line)}: `{path}` was {shown(was)}, the file has {shown(now)}: "
                "a recorded attempt never changes; add a new one at the end",
            )


def _place(line: LedgerLine) -> str:
    return f"floor {line.attempt.floor}, attempt {line.sequence}"


def _set_up(line: LedgerLine, attempt: FloorAttempt, campaign: Campaign) -> Iterator[tuple[str, Any, Any]]:
    """Yield agent and arm where they differ. The arm is that of the attempt: it may stand in the campaign or with the attempt."""
    for name, was, now in (("agent", line.agent, campaign.agent), ("arm", line.arm, campaign.arm_of(attempt))):
        if was != now:
            yield name, was, now


def _fields(attempt: FloorAttempt) -> dict[str, Any]:
    return attempt.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"arm"})


def _differing(was: Any, now: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield the places at which two values differ, as deep as both have the same form."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*was, *now)):
            yield from _differing(was.get(key), now.get(key), f"{path}.{key}" if path else key)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for position, pair in enumerate(zip(was, now, strict=True)):
            yield from _differing(*pair, f"{path}[{position}]")
    elif was != now:
        yield path, was, now
