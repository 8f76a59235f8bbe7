"""What a run need not ask for: judgments in the journal of its folder and in the cache, both only read."""

from contextlib import AsyncExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from judge.hashing import request_sha256
from judge.schema.judgments import Judgment
from judge.schema.labels import RequestKind
from judge.schema.requests import Request
from pipelines.config import RunConfig
from pipelines.files import MANIFEST, read_manifest
from pipelines.freezing import RunPropositions
from pipelines.journal import JOURNAL, Journal
from pipelines.judges import BuiltJudge, cache_folder
from pipelines.same_run import PROPOSITIONS_PART, JudgedBy, differing_parts, run_key
from pipelines.sources import ItemSource

if TYPE_CHECKING:
    from judge.cache.reading import KeptJudgments


class PlannedRun(NamedTuple):
    """A run that has not begun: its items, settings, judge, and folder."""

    source: ItemSource
    config: RunConfig
    built: BuiltJudge
    out: Path


class Place(StrEnum):
    """Where a judgment was found."""

    JOURNAL = "journal"
    CACHE = "cache"


class Found(NamedTuple):
    """A judgment that a run would take over, and where it is."""

    place: Place
    judgment: Judgment


class KnownJudgments:
    """Journal and cache as a run asks them: the journal first, complete judgments only, none of the kinds that are asked anew."""

    def __init__(self, run: PlannedRun, propositions: RunPropositions, stack: AsyncExitStack) -> None:
        """Open what is there. `warnings` says what cannot be used; raises RunFolderError for a manifest that cannot be read."""
        self.warnings: list[str] = []
        self._refreshed: frozenset[RequestKind] = propositions.refreshed
        self._journal = self._journal_of(run, propositions, stack)
        self._kept = _cache_of(run, stack)
        if self._kept is not None:
            self.warnings += self._kept.warnings

    def find(self, request: Request) -> Found | None:
        """Return the judgment that a run would take over rather than ask, or None."""
        if request.kind in self._refreshed:
            return None
        noted = None if self._journal is None else self._journal.get(request_sha256(request))
        if noted is not None and noted.is_complete:
            return Found(Place.JOURNAL, noted)
        kept = None if self._kept is None else self._kept.kept(request)
        return None if kept is None else Found(Place.CACHE, kept)

    def _journal_of(self, run: PlannedRun, propositions: RunPropositions, stack: AsyncExitStack) -> Journal | None:
        """Open the journal of a folder that holds the same run; another run is told, since this one would be refused."""
        if run.config.overwrite or not (run.out / MANIFEST).is_file():
            return None
        before = read_manifest(run.out)
        propositions.open_earlier(None)
        by = JudgedBy(run.built.facts.id, run.built.policy.identity.sha256)
        differing = differing_parts(run_key(run.source, run.config, by, propositions.key), before)
        if differing and not (differing == [PROPOSITIONS_PART] and propositions.belong_to(before)):
            self.warnings.append(
                f"the folder {run.out} holds another run, which differs in {', '.join(differing)}: "
                "without --overwrite, or another folder with --out, the run would be refused"
            )
            return None
        if not (run.out / JOURNAL).is_file():
            return None
        journal = Journal(run.out / JOURNAL, read_only=True)
        stack.callback(journal.close)
        return journal


def _cache_of(run: PlannedRun, stack: AsyncExitStack) -> "KeptJudgments | None":
    if not run.built.can_cache or run.config.no_cache:
        return None
    from judge.cache.reading import KeptJudgments

    kept = KeptJudgments(cache_folder(run.config), run.built.judge)
    stack.callback(kept.close)
    return kept
