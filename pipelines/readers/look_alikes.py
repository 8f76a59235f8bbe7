"""Ids that are different and look the same."""

import hashlib
from collections.abc import Callable, Iterable
from itertools import islice

from judge.schema.items import Item
from judge.text.likeness import skeleton

SHOWN = 10
"""Pairs named; the rest is counted."""


class LookAlikes:
    """Finds ids that a person takes for one another, in one pass with sixteen bytes an id."""

    def __init__(self) -> None:
        """Begin with no id."""
        self._first: dict[bytes, int] = {}
        self._count = 0
        self._pairs: list[tuple[int, str]] = []
        self._more = 0

    def add(self, identifier: str) -> None:
        """Note the id of the next item."""
        digest = hashlib.blake2b(skeleton(identifier).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        first = self._first.setdefault(digest, self._count)
        if first != self._count and len(self._pairs) < SHOWN:
            self._pairs.append((first, identifier))
        elif first != self._count:
            self._more += 1
        self._count += 1

    def warnings(self, items: Callable[[], Iterable[Item]]) -> tuple[str, ...]:
        """Return a sentence for each pair, naming both; `items` are read again only where there is one."""
        if not self._pairs:
            return ()
        wanted = {first for first, _ in self._pairs}
        names = {place: item.id for place, item in enumerate(islice(items(), max(wanted) + 1)) if place in wanted}
        told = [f"the ids {names[first]!a} and {other!a} look alike and are different items" for first, other in self._pairs]
        return (*told, *([f"{self._more:,} more ids look like earlier ones"] if self._more else []))
