"""What an input file holds, found out before anything is judged."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from judge.errors import InputError, InputFault
from judge.schema.record import Record
from pipelines.readers.fields import Shape
from pipelines.readers.look_alikes import LookAlikes
from pipelines.readers.profiles import COUNTS, NEEDS, Profile, profile_of
from pipelines.readers.reading import ReadItem, no_items, read_file, read_items

MAX_FAULTS = 200
"""Faults listed; the rest is counted."""


class InputCounts(Record):
    """In how many items something is present; `serialised_answers` are those whose answer was no text."""

    with_answer: int
    empty_answers: int
    serialised_answers: int
    with_ground_truth: int
    with_propositions: int
    unanswerable: int
    with_conflicts: int
    with_decoys: int
    with_gaps: int
    with_sources: int


class MetricNeeds(Record):
    """What a metric needs of an item beside its answer, and how many items have it; 0 means the metric will be null."""

    metric: str
    needs: tuple[str, ...]
    items: int


class InputCheck(Record):
    """A file without faults, described.

    `fields` gives for each field its names in the file; for an id that comes from the line number `made`. `metadata_fields` are the
    names that no field took. `agents` counts items by agent. `sha256` is that of the file's bytes, whatever the limit. `warnings`
    name ids that look alike.
    """

    path: str
    items: int
    fields: dict[str, str]
    metadata_fields: tuple[str, ...]
    counts: InputCounts
    agents: dict[str, int]
    metrics: tuple[MetricNeeds, ...]
    sha256: str
    warnings: tuple[str, ...] = ()


def check_items(path: Path, *, mapping: Mapping[str, str] = {}, limit: int | None = None) -> InputCheck:
    """Read the whole file and describe its first `limit` items.

    Raises InputError with every fault of the file, in its order, the first 200 in full; those that concern the whole file come first.
    """
    of_file: list[InputFault] = []
    of_lines: list[InputFault] = []
    unlisted = 0
    tally = _Tally()
    for found in read_file(path, mapping=mapping):
        if isinstance(found, ReadItem):
            if limit is None or tally.items < limit:
                tally.add(found)
        elif found.line is None:
            of_file.append(found)
        elif len(of_lines) < MAX_FAULTS:
            of_lines.append(found)
        else:
            unlisted += 1
    faults = of_file + of_lines
    if unlisted:
        faults.append(InputFault(str(path), None, f"... and {unlisted} more"))
    if not faults and tally.items == 0 and limit != 0:
        faults.append(no_items(str(path)))
    if faults:
        raise InputError(faults)
    warnings = tally.look_alikes.warnings(lambda: read_items(path, mapping=mapping))
    return tally.described(path, warnings)


class _Tally:
    """Counts over the items read so far."""

    def __init__(self) -> None:
        self.items = 0
        self.look_alikes = LookAlikes()
        self._shapes: dict[Shape, None] = {}
        self._profiles: Counter[Profile] = Counter()
        self._agents: Counter[str] = Counter()
        self._has_made_ids = False

    def add(self, read: ReadItem) -> None:
        """Count one item."""
        self.items += 1
        self.look_alikes.add(read.item.id)
        self._shapes[read.shape] = None
        # Files hold few kinds of items: whatever is asked of them later is asked once a kind.
        self._profiles[profile_of(read.item)] += 1
        self._has_made_ids |= read.id_made
        if read.item.agent is not None:
            self._agents[read.item.agent] += 1

    def described(self, path: Path, warnings: tuple[str, ...]) -> InputCheck:
        """Return what was counted."""
        with path.open("rb") as handle:
            digest = hashlib.file_digest(handle, "sha256").hexdigest()
        return InputCheck(
            path=str(path),
            items=self.items,
            fields=self._fields(),
            metadata_fields=tuple(dict.fromkeys(name for shape in self._shapes for name in shape.extra)),
            counts=InputCounts(**{name: self._count(holds) for name, holds in COUNTS.items()}),
            agents=dict(sorted(self._agents.items())),
            metrics=tuple(MetricNeeds(metric=need.metric, needs=need.needs, items=self._count(need.is_met)) for need in NEEDS),
            sha256=digest,
            warnings=warnings,
        )

    def _count(self, holds: Callable[[Profile], bool]) -> int:
        return sum(times for profile, times in self._profiles.items() if holds(profile))

    def _fields(self) -> dict[str, str]:
        names: dict[str, dict[str, None]] = {}
        for shape in self._shapes:
            for field, column in shape.columns:
                names.setdefault(field, {})[column] = None
        if self._has_made_ids:
            names.setdefault("id", {})["made"] = None
        return {field: ", ".join(columns) for field, columns in names.items()}
