"""How ground truths were split before this run: by a frozen file, by the folder's earlier run, or by what the cache holds."""

from collections.abc import Iterable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from judge.errors import RunFolderError
from judge.schema.items import Item
from judge.schema.judgments import Split
from judge.schema.propositions import Decomposition
from judge.schema.requests import DecomposeRequest
from pipelines.decomposing import Need, decomposition_of, distinct_needs
from pipelines.proposition_files import DecompositionFile

if TYPE_CHECKING:
    from judge.cache.cached_judge import CachedJudge


class EarlierSplits:
    """What a new split is compared with; reads files that may be written over while it is open."""

    def __init__(self, frozen: DecompositionFile | None, written: Path, cached: "CachedJudge | None", stack: AsyncExitStack) -> None:
        """Keep the places to look in, in this order; `written` is the propositions file of an earlier run, if it is there."""
        self._cached = cached
        self._written: DecompositionFile | None = None
        if written.is_file():
            with suppress(RunFolderError):  # what cannot be read is made again
                self._written = DecompositionFile(written)
                stack.callback(self._written.close)
        self._files = [file for file in (frozen, self._written) if file is not None]

    def of(self, need: Need) -> Decomposition | None:
        """Return how a ground truth was split before, or None."""
        for file in self._files:
            with suppress(RunFolderError):  # an entry that cannot be used has nothing to compare
                if (found := file.get(need.key)) is not None:
                    return found
        kept = None if self._cached is None else self._cached.kept(DecomposeRequest(question=need.question, ground_truth=need.ground_truth))
        return decomposition_of(need, kept.content) if kept is not None and isinstance(kept.content, Split) else None

    def has_written(self, known: DecompositionFile | None, items: Iterable[Item]) -> bool:
        """Return whether the earlier run was made from just the propositions that are known now."""
        written = self._written
        if known is None or written is None:
            return False
        pairs = ((known.get(need.key), written.get(need.key)) for need in distinct_needs(items))
        return all(frozen is not None and used is not None and frozen.propositions == used.propositions for frozen, used in pairs)
