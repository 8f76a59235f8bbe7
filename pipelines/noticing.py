"""What a run should say of its items beside their numbers: how many carry which flag, and which."""

from collections import Counter

from judge.schema.labels import Flag
from judge.schema.manifests import FlaggedItems
from judge.schema.results import ItemResult

NAMED = 10
"""Items named for one flag; the others are counted."""


class Notices:
    """The flags of the results of a run; add them in input order."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._counts: Counter[Flag] = Counter()
        self._named: dict[Flag, list[str]] = {}

    def add(self, result: ItemResult) -> None:
        """Note the flags of one item."""
        self._counts.update(result.flags)
        for flag in result.flags:
            named = self._named.setdefault(flag, [])
            if len(named) < NAMED:
                named.append(result.item_id)

    @property
    def flags(self) -> dict[str, FlaggedItems]:
        """How many items carry each flag that any carries, and the first of them."""
        return {str(flag): FlaggedItems(count=count, first=tuple(self._named[flag])) for flag, count in sorted(self._counts.items())}
