"""The propositions of one run: taken over or made, written into its folder, and handed out by item."""

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from judge.schema.items import Item
from judge.schema.labels import Origin, RequestKind, UnjudgedReason
from judge.schema.manifests import RunManifest
from judge.schema.outcomes import Unjudged
from judge.schema.propositions import Decomposition
from pipelines.config import RunConfig
from pipelines.counting import counted
from pipelines.decomposing import Frozen, Need, Splitter, as_reviewed, freeze, given_decomposition, needs_of, open_known
from pipelines.drifting import Drift, drift_lines
from pipelines.earlier_splits import EarlierSplits
from pipelines.ending import UNFINISHED
from pipelines.files import ITEMS, MANIFEST, PROPOSITIONS, RunFolder, json_line, read_manifest
from pipelines.proposition_files import DecompositionFile
from pipelines.readers.items import item_json
from pipelines.sources import ItemSource

if TYPE_CHECKING:
    from judge.cache.cached_judge import CachedJudge


DOUBTS = ("lost_", "invented", "no_source_span", "no_propositions", "other_ground_truth")
"""How the findings begin that a run warns of: what was split may say something else than the ground truth."""


class RunPropositions:
    """What stands in the propositions file of a run. `key` tells runs with other propositions apart; `warnings` grows."""

    def __init__(
        self, config: RunConfig, source: ItemSource, out: Path, stack: AsyncExitStack, *, replayed_from: str | None = None
    ) -> None:
        """Open the frozen propositions to take over; under --redecompose they only tell what changed.

        `replayed_from` is the run whose propositions stand in where it had frozen ones and made no split.

        Raises ConfigError or RunFolderError for a file that is missing, cannot be used, or lacks an entry under --locked.
        """
        self._config = config
        self._source = source
        self._out = out
        self._stack = stack
        self._failed: dict[str, Unjudged] = {}
        self._given: set[bytes] = set()
        self.warnings: list[str] = []
        self.has_new = False
        found = open_known(config, source)
        if found is not None:
            stack.callback(found.file.close)
        self._known = None if found is None or config.redecompose else found.file
        self._before = found.file if found is not None and config.redecompose else None
        self.key = "" if found is None or config.redecompose else found.sha256
        self.refreshed = self._kinds_asked_anew()
        recorded = Path(replayed_from) / PROPOSITIONS if replayed_from is not None else None
        self._recorded = DecompositionFile(recorded) if recorded is not None and recorded.is_file() else None
        if self._recorded is not None:
            stack.callback(self._recorded.close)

    def _kinds_asked_anew(self) -> frozenset[RequestKind]:
        """Return what neither cache nor journal may answer; a run that split anew and was cut short goes on where it was."""
        if not self._config.redecompose or self._config.offline:
            return frozenset()
        before = read_manifest(self._out) if (self._out / MANIFEST).is_file() else None
        goes_on = before is not None and before.config.get("redecompose") is True and before.state in UNFINISHED
        return frozenset() if goes_on and not self._config.overwrite else frozenset({RequestKind.DECOMPOSE})

    def open_earlier(self, cached: "CachedJudge | None") -> None:
        """Open what an earlier run left in the folder, before it is written over."""
        self._earlier = EarlierSplits(self._before, self._out / PROPOSITIONS, cached, self._stack)

    def belong_to(self, before: RunManifest) -> bool:
        """Return whether the folder's earlier run was made from just these propositions, which were frozen since."""
        if not self._earlier.has_written(self._known, self._source.items()):
            return False
        if not before.key["propositions"]:
            # The run split them itself, and its journal tells what that cost.
            self._known, self.key = None, ""
        return True

    def taken_over(self, need: Need) -> Decomposition | None:
        """Return the frozen propositions that stand for a ground truth in this run, or None if it has to be split."""
        found = None if self._known is None else self._known.get(need.key)
        return None if found is None else as_reviewed(found, need)

    async def make(self, folder: RunFolder, splitter: Splitter) -> AsyncGenerator[Frozen, None]:
        """Copy the items and freeze the propositions of every ground truth into the run folder, yielding them as they come."""
        earlier = self._earlier.of if self._config.redecompose else None
        done = compared = made = doubtful = 0
        drifts: list[Drift] = []
        doubts: Counter[str] = Counter()
        async with AsyncExitStack() as stack:
            write_item, write = (stack.enter_context(folder.writing(name)) for name in (ITEMS, PROPOSITIONS))
            made_now = freeze(self._copied_items(write_item, write), self._known, splitter, earlier=earlier)
            async for split in await stack.enter_async_context(aclosing(made_now)):
                frozen = self._recorded_instead_of(split)
                done += 1
                made += frozen.judgment is not None
                compared += frozen.was_known
                if isinstance(frozen.decomposition, Decomposition):
                    write(json_line(frozen.decomposition))
                    kinds = {finding.kind for finding in frozen.decomposition.lint if finding.kind.startswith(DOUBTS)}
                    doubts.update(kinds)
                    doubtful += bool(kinds)
                else:
                    self._failed[frozen.need.key] = frozen.decomposition
                if frozen.drift is not None:
                    drifts.append(frozen.drift)
                yield frozen
        if self._known is not None:
            self.warnings.append(self._used_of(self._known, done - made, done))
        if doubtful:
            listed = ", ".join(f"{kind} {count}" for kind, count in sorted(doubts.items()))
            found = f"{doubtful:,} of {counted(done, 'ground truth')}"
            self.warnings.append(f"splitting seems to have lost or added something in {found} ({listed}): `judge decompose` shows where")
        self.warnings += drift_lines(drifts, compared)
        self.has_new = splitter.origin is Origin.MODEL and made > 0 and not self._failed
        self._frozen = DecompositionFile(self._out / PROPOSITIONS)

    def _used_of(self, known: DecompositionFile, used: int, done: int) -> str:
        """Say how much of the input a propositions file covers, and how much of the file is for another input."""
        told = f"propositions of {used:,} of {counted(done, 'ground truth')} are read from {known.path.name}"
        keys = list(known.keys())
        own = sum(bytes.fromhex(key)[:16] in self._given for key in keys if _is_sha256(key))
        spare = len(keys) - used - own
        return f"{told}; {counted(spare, 'line')} of it belong to no ground truth of this input" if spare > 0 else told

    def _recorded_instead_of(self, frozen: Frozen) -> Frozen:
        """Return what the replayed run had taken from a file, where its journal holds no split."""
        content = frozen.decomposition
        if self._recorded is None or not isinstance(content, Unjudged) or content.reason is not UnjudgedReason.NOT_RECORDED:
            return frozen
        found = self._recorded.get(frozen.need.key)
        return frozen if found is None else frozen._replace(decomposition=found)

    def _copied_items(self, write_item: Callable[[str], object], write_propositions: Callable[[str], object]) -> Iterator[Item]:
        """Yield the items of the input while writing them, and the propositions they brought, into the run folder."""
        for item in self._source.items():
            write_item(item_json(item) + "\n")
            own = given_decomposition(item)
            if own is not None and (digest := bytes.fromhex(own.key)[:16]) not in self._given:
                self._given.add(digest)
                write_propositions(json_line(own))
            yield item

    def of(self, item: Item) -> Sequence[Decomposition | Unjudged]:
        """Return the decomposition of each alternative ground truth of an item, or why there is none."""
        own = given_decomposition(item)
        if own is not None:
            return [own]
        return [self._failed[need.key] if need.key in self._failed else self._required(need.key) for need in needs_of(item)]

    def _required(self, key: str) -> Decomposition:
        found = self._frozen.get(key)
        assert found is not None, "every ground truth was frozen or failed before labelling began"
        return found

    def close(self) -> None:
        """Close the file that `of` reads."""
        self._frozen.close()


def _is_sha256(key: str) -> bool:
    """Return whether a key is one that we made; a person may write anything."""
    return len(key) == 64 and all(character in "0123456789abcdef" for character in key)
