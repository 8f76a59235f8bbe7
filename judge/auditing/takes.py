"""One item asked about many times: what was said each time, as labels, with its scores."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.auditing.keys import cluster_digest
from judge.auditing.stability import Thing, stability_of
from judge.schema.consistency import Said, StatementRole, StatementStability
from judge.schema.items import Item
from judge.schema.labels import NOT_A_FAILURE, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, Outcome, Unjudged, Verdict
from judge.schema.propositions import Decomposition
from judge.schema.rates import Rate

Score = float | None


class TakeSeen(NamedTuple):
    """What was said one time: of each statement by its text, of abstention, and what the item scores."""

    outcomes: Mapping[str, Outcome]
    abstention: AbstentionOutcome
    signals: Mapping[str, Score]


class ItemSeen(NamedTuple):
    """What was found out about one item; of the changes each by name, as often as it was made."""

    cluster: str
    statements: tuple[StatementStability, ...]
    changed: Mapping[str, tuple[Mapping[str, Said], ...]]
    abstention: Thing
    scores: tuple[Mapping[str, Score], ...]
    changed_scores: Mapping[str, tuple[Mapping[str, Score], ...]]
    rate: Rate


def item_seen(
    item: Item, references: Sequence[Decomposition | Unjudged], repeats: Sequence[TakeSeen], changed: Mapping[str, Sequence[TakeSeen]]
) -> ItemSeen:
    """Return what the repeats of an item and its changes come to."""
    roles = _roles(item, references)
    everything = [*repeats, *(take for takes in changed.values() for take in takes)]
    asked = [outcome for take in everything for outcome in take.outcomes.values() if _is_asked(outcome)]
    return ItemSeen(
        cluster=cluster_digest(item.cluster, item.question_id, item.id),
        statements=tuple(_statement(item, text, role, repeats, changed) for text, role in roles.items()),
        changed={name: tuple({text: said(take.outcomes[text]) for text in roles} for take in takes) for name, takes in changed.items()},
        abstention=Thing(cluster_digest(item.cluster, item.question_id, item.id), tuple(_word(take.abstention) for take in repeats)),
        scores=tuple(take.signals for take in repeats),
        changed_scores={name: tuple(take.signals for take in takes) for name, takes in changed.items()},
        rate=Rate(numerator=sum(isinstance(outcome, Verdict) for outcome in asked), denominator=len(asked)),
    )


def said(outcome: Outcome) -> Said:
    """Return the label, or the reason why there is none."""
    return outcome.label if isinstance(outcome, Verdict) else outcome.reason


def _word(outcome: AbstentionOutcome) -> str | UnjudgedReason:
    return outcome.reason if isinstance(outcome, Unjudged) else outcome.value


def _is_asked(outcome: Outcome) -> bool:
    return isinstance(outcome, Verdict) or outcome.reason not in NOT_A_FAILURE


def _roles(item: Item, references: Sequence[Decomposition | Unjudged]) -> dict[str, StatementRole]:
    """Return the statements of an item and what each is to it; a proposition first of all."""
    roles: dict[str, StatementRole] = {}
    split = [part.text for reference in references if isinstance(reference, Decomposition) for part in reference.propositions]
    sides = [side for conflict in item.conflicts for side in (conflict.current, *conflict.superseded)]
    by_role: tuple[tuple[StatementRole, Sequence[str]], ...] = (
        ("proposition", split),
        ("conflict", sides),
        ("decoy", item.decoys),
        ("gap", item.gaps),
    )
    for role, texts in by_role:
        for text in texts:
            roles.setdefault(text, role)
    return roles


def _statement(
    item: Item, text: str, role: StatementRole, repeats: Sequence[TakeSeen], changed: Mapping[str, Sequence[TakeSeen]]
) -> StatementStability:
    variants = {
        name if len(takes) == 1 else f"{name} {number}": said(take.outcomes[text])
        for name, takes in changed.items()
        for number, take in enumerate(takes, start=1)
    }
    repeated = tuple(said(take.outcomes[text]) for take in repeats)
    return stability_of(StatementStability(item_id=item.id, role=role, text=text, repeats=repeated, variants=variants))
