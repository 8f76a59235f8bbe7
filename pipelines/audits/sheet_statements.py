"""The judged statements of a run that people can be asked about, and what they read of each."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judge.auditing.item_labels import item_labels
from judge.hashing import content_hash
from judge.schema.items import Item
from judge.schema.outcomes import Verdict
from judge.schema.results import ItemResult, PropositionResult
from judge.schema.sheets import Stratify

NO_RECALL = "in an item without a recall"
_ROW_DIGITS = 12


class Statement(NamedTuple):
    """A proposition of an item, as it was judged."""

    item: Item
    result: ItemResult
    part: PropositionResult

    @property
    def text_sha256(self) -> str:
        """The digest of all that an annotator reads."""
        return content_hash(self.item.question, self.item.answer, self.part.text)

    def row(self, seed: int) -> str:
        """Return the name of its row: 12 hex digits that tell nothing of where it stands."""
        return content_hash("sheet row", seed, self.item.id, self.part.id, self.text_sha256)[:_ROW_DIGITS]

    def stratum(self, stratify: Stratify) -> str:
        """Return the part of the run that it is drawn from."""
        if stratify == "label":
            assert isinstance(self.part.outcome, Verdict)
            return str(self.part.outcome.label)
        return "all" if stratify == "none" else f"agent {self.item.agent}" if self.item.agent is not None else "no agent"


def statements_of(pairs: Sequence[tuple[Item, ItemResult]]) -> tuple[list[Statement], dict[str, int]]:
    """Return the statements that can be drawn, those that the run's recall counts, and how many others there are, by why."""
    found: list[Statement] = []
    left_out: Counter[str] = Counter()
    for item, result in pairs:
        if item_labels(result) is None:
            left_out.update(_why(result))
        else:
            found += [Statement(item, result, part) for part in result.propositions if isinstance(part.outcome, Verdict)]
            left_out.update(_why(result, judged=False))
    return found, dict(sorted(left_out.items()))


def _why(result: ItemResult, *, judged: bool = True) -> Iterator[str]:
    for part in result.propositions:
        if not isinstance(part.outcome, Verdict):
            yield f"unjudged: {part.outcome.reason}"
        elif judged:
            yield NO_RECALL
