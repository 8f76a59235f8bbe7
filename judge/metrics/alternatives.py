"""Several ground truths for one item: which of them counts, which others still could, and what that leaves open."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from judge.metrics.bounds import Bounds
from judge.metrics.counts import count_outcomes, has_failed
from judge.metrics.propositions import contradiction_bounds, quality_bounds, recall_bounds
from judge.metrics.tested import all_supported_bounds
from judge.schema.labels import Label
from judge.schema.outcomes import Outcome, Verdict

_AS_GOOD_AS_CAN_BE = Verdict(label=Label.SUPPORTED, quote=None, quote_verified=None, rationale="")


class Alternative(NamedTuple):
    """The outcomes of the propositions of one ground truth; of one that could not be split, a single unjudged outcome."""

    outcomes: tuple[Outcome, ...]
    is_split: bool = True


class Rival(NamedTuple):
    """An alternative that could still count, by its position; `outcomes` as they could be if it does."""

    number: int
    outcomes: tuple[Outcome, ...]


def best_alternative(alternatives: Sequence[Alternative]) -> int | None:
    """Return the position of the alternative with the most supported propositions in proportion, the first of equals.

    Unjudged ones are not supported. None without alternatives.
    """
    # A reference that could not be split must not stand for one that was judged and found nothing.
    ranks = [(_supported_share(found.outcomes), found.is_split, -number) for number, found in enumerate(alternatives)]
    return -max(ranks)[2] if ranks else None


def rivals(alternatives: Sequence[Alternative], best: int) -> Iterator[Rival]:
    """Yield the alternatives with failed outcomes that could count instead of the best one, and then change a number.

    That is each whose recall could be higher; and, since of equals the first counts, an earlier one whose recall could become
    the same (with everything unjudged supported, and so taken) while its contradiction rate is another.
    """
    chosen = alternatives[best].outcomes
    recall, contradiction = recall_bounds(chosen), contradiction_bounds(chosen)
    if recall is None or contradiction is None:
        return
    for number, alternative in enumerate(alternatives):
        possible = recall_bounds(alternative.outcomes)
        if number == best or possible is None or not any(map(has_failed, alternative.outcomes)):
            continue
        if possible.high > recall.low:
            yield Rival(number, alternative.outcomes)
        elif possible.high == recall.low and number < best:
            at_best = tuple(_AS_GOOD_AS_CAN_BE if has_failed(outcome) else outcome for outcome in alternative.outcomes)
            tied = contradiction_bounds(at_best)
            if tied is not None and not contradiction.low <= tied.low <= contradiction.high:
                yield Rival(number, at_best)


class BoundsOver(NamedTuple):
    """Between what the numbers of an item lie, whichever alternative counts; None if nothing was asked."""

    recall: Bounds | None
    contradiction: Bounds | None
    quality: Bounds | None
    all_supported: Bounds | None


def bounds_over(candidates: Sequence[Sequence[Outcome]]) -> BoundsOver:
    """Return the bounds over the outcomes of the alternative that counts and of its rivals.

    The best recall counts, so recall and a test are between the highest of the lows and the highest of the highs. The other
    rates are those of whichever alternative that is.
    """
    return BoundsOver(
        recall=_highest(map(recall_bounds, candidates)),
        contradiction=_spanning(map(contradiction_bounds, candidates)),
        quality=_spanning(map(quality_bounds, candidates)),
        all_supported=_highest(map(all_supported_bounds, candidates)),
    )


def _highest(parts: Iterable[Bounds | None]) -> Bounds | None:
    known = [part for part in parts if part is not None]
    return Bounds(max(part.low for part in known), max(part.high for part in known)) if known else None


def _spanning(parts: Iterable[Bounds | None]) -> Bounds | None:
    known = [part for part in parts if part is not None]
    return Bounds(min(part.low for part in known), max(part.high for part in known)) if known else None


def _supported_share(outcomes: Sequence[Outcome]) -> float:
    return count_outcomes(outcomes).supported / len(outcomes) if outcomes else -1.0
