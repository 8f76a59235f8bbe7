"""Where items come from: a file read several times, or a list that the caller holds anyway."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from judge.hashing import content_hash
from judge.schema.items import Item
from pipelines.readers.checking import check_items
from pipelines.readers.items import item_json
from pipelines.readers.look_alikes import LookAlikes
from pipelines.readers.reading import read_items


class ItemSource(Protocol):
    """Where items come from; read several times, never held. `path` is the input file, where there is one.

    `warnings` say what a reader of the results may be misled by.
    """

    path: Path | None
    name: str
    sha256: str
    count: int
    propositions: Path | None
    warnings: tuple[str, ...]

    def items(self) -> Iterator[Item]:
        """Yield the items from the beginning."""
        ...


class FileSource:
    """The items of an input file, checked as a whole before the first is used."""

    def __init__(self, path: Path, mapping: Mapping[str, str], limit: int | None) -> None:
        """Read the file once. Raises InputError with every fault in it."""
        check = check_items(path, mapping=mapping, limit=limit)
        self.path: Path | None = path
        self._path = path
        self._mapping = mapping
        self._limit = limit
        self.name = path.name
        self.sha256 = check.sha256
        self.count = check.items
        self.warnings = check.warnings
        beside = path.with_name(f"{path.stem}.propositions.jsonl")
        self.propositions: Path | None = beside if beside.is_file() else None

    def items(self) -> Iterator[Item]:
        """Yield the items from the beginning."""
        return read_items(self._path, mapping=self._mapping, limit=self._limit)


class ListSource:
    """Items that are in memory already."""

    def __init__(self, items: Sequence[Item], limit: int | None) -> None:
        """Keep the items; their normalised lines stand for the bytes of a file."""
        self._items = items if limit is None else items[:limit]
        self.name = "items"
        self.sha256 = content_hash(*(item_json(item) for item in items))
        self.count = len(self._items)
        look_alikes = LookAlikes()
        for item in self._items:
            look_alikes.add(item.id)
        self.warnings = look_alikes.warnings(self.items)
        self.path: Path | None = None
        self.propositions: Path | None = None

    def items(self) -> Iterator[Item]:
        """Yield the items from the beginning."""
        return iter(self._items)
