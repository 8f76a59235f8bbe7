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


class OpenAlternative(Record):
    """A ground truth that does not count, and could if what is unjudged of it were judged.

    `reference` is its position (from 0). `unjudged` holds what failed of it, without texts that failed elsewhere already: among
    the propositions that count, or in an alternative before it.
    """

    reference: int
    unjudged: tuple[PropositionResult, ...]


class ItemResult(Record):
    """All that was found out about one item, with enough of the item to compute every summary from results alone.

    `reference` is the position (from 0) of the ground truth that counted, where the item listed several; `open_alternatives`
    are others that still could. `has_sources` says that the item listed sources, which the mark rests on too.
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
    has_sources: bool = False
    state: ItemState
    flags: tuple[Flag, ...] = ()
    reference: int | None = None
    propositions: tuple[PropositionResult, ...]
    open_alternatives: tuple[OpenAlternative, ...] = ()
    abstention: AbstentionOutcome
    mark: MarkOutcome
    conflicts: tuple[ConflictResult, ...] = ()
    decoys: tuple[StatementResult, ...] = ()
    gaps: tuple[StatementResult, ...] = ()
    signals: dict[str, float | None]
    bounds: dict[str, tuple[float, float]]
