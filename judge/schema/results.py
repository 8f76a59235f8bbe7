"""One line of `results.jsonl`."""

from judge.schema.items import ItemTest
from judge.schema.labels import Flag, ItemState
from judge.schema.outcomes import AbstentionOutcome, MarkOutcome, Outcome
from judge.schema.record import Record


class PropositionResult(Record):
    """A proposition and what became of it."""

    id: str
    text: str
    source_quote: str | None
    outcome: Outcome


class StatementResult(Record):
    """A statement of another role (a side of a conflict, a decoy, a gap) and what became of it."""

    text: str
    outcome: Outcome


class ConflictResult(Record):
    """A conflict: resolved if the current statement is supported and no superseded one is; None if unjudged."""

    id: str
    resolved: bool | None
    current: StatementResult
    superseded: tuple[StatementResult, ...]


class ItemResult(Record):
    """All that was found out about one item, with enough of the item to compute every summary from results alone.

    `reference` is the position (from 0) of the ground truth that counted, where the item listed several.
    `signals` are in [0, 1] or None; `bounds` give each unjudged part its worst and its best outcome.
    """

    item_id: str
    question_id: str | None = None
    trial: int | None = None
    agent: str | None = None
    cluster: str | None = None
    answerable: bool | None = None
    declared_abstained: bool | None = None
    tests: tuple[ItemTest, ...] = ()
    state: ItemState
    flags: tuple[Flag, ...] = ()
    reference: int | None = None
    propositions: tuple[PropositionResult, ...]
    abstention: AbstentionOutcome
    mark: MarkOutcome
    conflicts: tuple[ConflictResult, ...] = ()
    decoys: tuple[StatementResult, ...] = ()
    gaps: tuple[StatementResult, ...] = ()
    signals: dict[str, float | None]
    bounds: dict[str, tuple[float, float]]
