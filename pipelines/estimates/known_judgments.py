"""What a run need not ask for: judgments in the journal of its folder and in the cache, both only read."""

from collections.abc import Sequence
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
from pipelines.journal import Journal, journal_name
from pipelines.judges import BuiltJudge, cache_folder
from pipelines.open_run import Cast
from pipelines.same_run import PROPOSITIONS_PART, JudgedBy, differing_parts, run_key
from pipelines.sources import ItemSource

if TYPE_CHECKING:
    from judge.cache.reading import KeptJudgments


class PlannedRun(NamedTuple):
    """A run that has not begun: its items, settings, judges, and folder."""

    source: ItemSource
    config: RunConfig
    cast: Cast
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
    """Journal and cache as a run asks them for one judge: the journal first, complete judgments only, none of the refreshed kinds."""

    def __init__(self, journal: Journal | None, kept: "KeptJudgments | None", refreshed: frozenset[RequestKind]) -> None:
        """Take what is open already."""
        self._journal = journal
        self._kept = kept
        self._refreshed = refreshed

    def find(self, request: Request) -> Found | None:
        """Return the judgment that a run would take over rather than ask, or None."""
        if request.kind in self._refreshed:
            return None
        noted = None if self._journal is None else self._journal.get(request_sha256(request))
        if noted is not None and noted.is_complete:
            return Found(Place.JOURNAL, noted)
        kept = None if self._kept is None else self._kept.kept(request)
        return None if kept is None else Found(Place.CACHE, kept)


class Known(NamedTuple):
    """What is known of each judge of a run, in their order; `warnings` say what cannot be used."""

    by_judge: Sequence[KnownJudgments]
    warnings: Sequence[str]


def known_judgments(run: PlannedRun, propositions: RunPropositions, stack: AsyncExitStack) -> Known:
    """Open journals and cache, where there are any. Raises RunFolderError for a manifest that cannot be read."""
    warnings: list[str] = []
    is_same = _holds_same_run(run, propositions, warnings)
    by_judge = []
    for number, built in enumerate(run.cast.builts, start=1):
        journal = _journal(run.out / journal_name(number), stack) if is_same else None
        kept = _cache_of(built, run.config, stack)
        warnings += [] if kept is None else kept.warnings
        by_judge.append(KnownJudgments(journal, kept, propositions.refreshed))
    return Known(by_judge, list(dict.fromkeys(warnings)))


def _holds_same_run(run: PlannedRun, propositions: RunPropositions, warnings: list[str]) -> bool:
    """Return whether the folder holds the same run; another one is told, since this one would be refused."""
    if run.config.overwrite or not (run.out / MANIFEST).is_file():
        return False
    before = read_manifest(run.out)
    propositions.open_earlier(None)
    by = JudgedBy(run.cast.facts.id, run.cast.builts[0].policy.identity.sha256)
    differing = differing_parts(run_key(run.source, run.config, by, propositions.key), before)
    if not differing or (differing == [PROPOSITIONS_PART] and propositions.belong_to(before)):
        return True
    warnings.append(
        f"the folder {run.out} holds another run, which differs in {', '.join(differing)}: "
        "without --overwrite, or another folder with --out, the run would be refused"
    )
    return False


def _journal(path: Path, stack: AsyncExitStack) -> Journal | None:
    if not path.is_file():
        return None
    journal = Journal(path, read_only=True)
    stack.callback(journal.close)
    return journal


def _cache_of(built: BuiltJudge, config: RunConfig, stack: AsyncExitStack) -> "KeptJudgments | None":
    if not built.can_cache or config.no_cache:
        return None
    from judge.cache.reading import KeptJudgments

    kept = KeptJudgments(cache_folder(config), built.judge)
    stack.callback(kept.close)
    return kept
