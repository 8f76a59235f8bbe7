"""What a probe audit is to ask: which cases, which items, which relations, and how many requests that takes."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from judge.auditing.probe_groups import ORDER
from judge.errors import ConfigError
from judge.relations.case import Case, Relation
from judge.relations.catalogue import BY_ID, NOT_MADE, RELATIONS
from judge.relations.length import LENGTHS
from judge.relations.order import PERMUTATIONS
from judge.schema.probes import ProbeCase
from judge.schema.propositions import Proposition
from judge.text.normalise import is_empty
from pipelines.audits.probe_file import PROPOSITION_ID, ProbeFile, ProbeSource, holds_probes, read_probes, shipped_probes
from pipelines.config import RunConfig
from pipelines.counting import counted
from pipelines.sources import FileSource, ItemSource

PER_RELATION = 20
"""Items per relation unless told otherwise."""

_POOL = 2
"""So many times as many items are judged as they are, since not every relation applies to every item."""


class Inputs(NamedTuple):
    """The probe cases, and the items for relations, None where there are none."""

    probes: ProbeFile
    items: FileSource | None

    @property
    def source(self) -> ItemSource:
        """What stands as the input of the run."""
        return self.items if self.items is not None else ProbeSource(self.probes)

    @property
    def named(self) -> Path:
        """The file after which the audit is named."""
        return self.items.path if self.items is not None and self.items.path is not None else self.probes.path


class Wanted(NamedTuple):
    """What the user wants asked of the items: relations, at most so many items each, chosen by a seed, with padding so long."""

    relations: tuple[Relation, ...]
    per_relation: int
    shuffle_seed: int
    longest: int


class Batch(NamedTuple):
    """Probe cases that are asked in one request; a batch of several is about order."""

    case: Case
    probes: tuple[ProbeCase, ...]


def read_inputs(file: Path | None, items: Path | None, config: RunConfig) -> Inputs:
    """Return what the two files hold: FILE may be either, and the shipped cases stand in for its probes.

    Raises InputError for a file with faults, ConfigError where both hold items.
    """
    limit = config.limit
    if file is None:
        return Inputs(shipped_probes(limit), None if items is None else _items(items, config))
    if holds_probes(file):
        return Inputs(read_probes(file, limit=limit), None if items is None else _items(items, config))
    if items is not None:
        raise ConfigError(f"{file} holds items, and so does --items {items}; one of them is to hold probe cases (`proposition`, `label`)")
    return Inputs(shipped_probes(limit), _items(file, config))


def _items(path: Path, config: RunConfig) -> FileSource:
    if holds_probes(path):
        raise ConfigError(f"--items {path} holds probe cases; relations take items, with `ground_truth` or `propositions`")
    return FileSource(path, config.map, config.limit)


def wanted_relations(names: str | None) -> tuple[Relation, ...]:
    """Return the relations that a list such as `MR-ORDER,MR-INJ` names; all without one. Raises ConfigError for an unknown one."""
    if names is None:
        return RELATIONS
    by_hand = {one.id for one in NOT_MADE}
    asked = [name.strip().upper() for name in names.split(",") if name.strip()]
    if not asked:
        raise ConfigError("--relations names none; --list shows them")
    full = [name if name.startswith("MR-") else f"MR-{name}" for name in asked]
    if made_by_hand := [name for name in full if name in by_hand]:
        raise ConfigError(
            f"--relations: {', '.join(made_by_hand)} takes a human's hand and is not made by machine; --list shows those that are"
        )
    if unknown := [name for name in full if name not in BY_ID]:
        raise ConfigError(f"--relations: there is no {', '.join(unknown)}; known are {', '.join(BY_ID)}")
    return tuple(relation for relation in RELATIONS if relation.id in full)


def checked_length(words: int) -> int:
    """Return the longest padding. Raises ConfigError where no padded answer would be left."""
    if words < LENGTHS[0]:
        raise ConfigError(
            f"--depth-words {words}: expected at least {LENGTHS[0]}; answers of {', '.join(map(str, LENGTHS))} words are made"
        )
    return words


def batches_of_probes(probes: Sequence[ProbeCase]) -> Iterator[Batch]:
    """Yield cases of kind `order` about the same answer together, and every other case by itself, in the order of the file."""
    together: dict[tuple[str | None, str], list[ProbeCase]] = {}
    for probe in probes:
        if probe.kind == ORDER:
            together.setdefault((probe.question, probe.answer), []).append(probe)
    for probe in probes:
        group = together.get((probe.question, probe.answer), []) if probe.kind == ORDER else []
        if len(group) < 2 or len({one.proposition for one in group}) < len(group):
            yield _batch([probe])
        elif probe is group[0]:
            yield _batch(group)


def _batch(probes: list[ProbeCase]) -> Batch:
    first = probes[0]
    names = [PROPOSITION_ID] if len(probes) == 1 else [probe.id for probe in probes]
    propositions = tuple(Proposition(id=name, text=probe.proposition) for name, probe in zip(names, probes, strict=True))
    return Batch(Case(first.id, first.question, first.answer, propositions), tuple(probes))


def pool_size(wanted: Wanted, items: int) -> int:
    """Return how many items are judged for relations."""
    return min(items, _POOL * wanted.per_relation)


def pool_places(wanted: Wanted, items: int) -> list[int]:
    """Return the places of the items that are judged for relations, in the order in which relations take them."""
    return Random(f"pool {wanted.shuffle_seed}").sample(range(items), pool_size(wanted, items))  # noqa: S311 - to be had again


def planned(inputs: Inputs, wanted: Wanted, config: RunConfig) -> Iterator[str]:
    """Yield in words how many label requests the audit takes, before anything is asked."""
    requests = sum(map(_requests, batches_of_probes(inputs.probes.cases))) * config.repeats * len(config.judges)
    yield f"planned: {counted(requests, 'label request')} for {counted(inputs.probes.facts.cases, 'probe case')}"
    if inputs.items is None:
        return
    items = pool_size(wanted, inputs.items.count)
    most = min(wanted.per_relation, items) * sum(_most(relation, wanted.longest) for relation in wanted.relations)
    total = (items * config.repeats + most) * len(config.judges)
    beside = ", and one per proposition under MR-SPLIT" if any(not relation.most for relation in wanted.relations) else ""
    yield (
        f"planned: at most {counted(total, 'label request')} for {counted(len(wanted.relations), 'relation')} on {counted(items, 'item')} "
        f"of {inputs.items.count}{beside}; more where an item has over {config.batch_size} propositions; ground truths are split first"
    )


def _requests(batch: Batch) -> int:
    if is_empty(batch.case.answer):
        return 0
    count = len(batch.probes)
    return 1 if count == 1 else 1 + min(PERMUTATIONS, _permutations(count)) + count


def _permutations(count: int) -> int:
    return 1 if count == 2 else PERMUTATIONS


def _most(relation: Relation, longest: int) -> int:
    if relation.id == "MR-DEPTH":
        return relation.most // len(LENGTHS) * sum(length <= longest for length in LENGTHS)
    return 0 if relation.id == "MR-EMPTY" else relation.most


def kinds_of(probes: Iterable[ProbeCase]) -> set[str]:
    """Return the kinds of cases in a file."""
    return {probe.kind for probe in probes}
