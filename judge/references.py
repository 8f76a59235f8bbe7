"""The ground truth of an item that counts, where several are listed, and the others that still could."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from judge.metrics.alternatives import Alternative, Rival, best_alternative, rivals
from judge.metrics.counts import has_failed
from judge.schema.outcomes import Outcome, Unjudged
from judge.schema.propositions import Decomposition
from judge.schema.results import OpenAlternative, PropositionResult


class References(NamedTuple):
    """What an item is measured against: the propositions that count, the position of their ground truth, and its rivals.

    `open_alternatives` holds what failed of the rivals, each text once.
    """

    number: int | None
    propositions: tuple[PropositionResult, ...]
    rivals: tuple[Rival, ...]
    open_alternatives: tuple[OpenAlternative, ...]

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes that count."""
        return tuple(part.outcome for part in self.propositions)

    @property
    def still_open(self) -> tuple[Outcome, ...]:
        """The outcomes that failed and could let another ground truth count."""
        return tuple(part.outcome for alternative in self.open_alternatives for part in alternative.unjudged)


def weigh_references(references: Sequence[Decomposition | Unjudged], by_text: Mapping[str, Outcome], *, is_empty: bool) -> References:
    """Return the ground truth with the best recall, the first of equals; none of an empty answer has a rival: it supports nothing."""
    propositions = [_propositions(reference, by_text) for reference in references]
    alternatives = [
        Alternative(tuple(part.outcome for part in parts), isinstance(reference, Decomposition))
        for reference, parts in zip(references, propositions, strict=True)
    ]
    best = best_alternative(alternatives)
    if best is None:
        return References(None, (), (), ())
    others = () if is_empty else tuple(rivals(alternatives, best))
    seen = {part.text for part in propositions[best] if alternatives[best].is_split}
    still_open = tuple(
        OpenAlternative(
            reference=rival.number, unjudged=tuple(_unseen(propositions[rival.number], seen, is_split=alternatives[rival.number].is_split))
        )
        for rival in others
    )
    return References(best, propositions[best], others, still_open)


def _propositions(reference: Decomposition | Unjudged, by_text: Mapping[str, Outcome]) -> tuple[PropositionResult, ...]:
    if isinstance(reference, Unjudged):
        # A ground truth that could not be split counts as one unjudged statement, so that it stays in sight.
        return (PropositionResult(id="p1", text="(the ground truth could not be split)", source_quote=None, outcome=reference),)
    return tuple(
        PropositionResult(id=part.id, text=part.text, source_quote=part.source_quote, outcome=by_text[part.text])
        for part in reference.propositions
    )


def _unseen(propositions: Sequence[PropositionResult], seen: set[str], *, is_split: bool) -> Iterator[PropositionResult]:
    """Yield what failed and was not yet seen, remembering it; each failed split is a statement of its own."""
    for part in propositions:
        if has_failed(part.outcome) and not (is_split and part.text in seen):
            seen.add(part.text)
            yield part
