"""Looking into the judgment cache: what is there, whether it is whole, why a request is not in it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from judge.cache.cached_judge import CachedJudge
from judge.cache.store import JudgmentCache
from judge.errors import CacheError, plain_cause
from judge.planning import Asking, plan_item, requests_of
from judge.schema.judgments import Split
from judge.schema.labels import RequestKind, UnjudgedReason
from judge.schema.outcomes import Unjudged
from judge.schema.propositions import Decomposition
from judge.schema.requests import DecomposeRequest, Request
from pipelines.config import RunConfig
from pipelines.decomposing import decomposition_of, given_decomposition, needs_of
from pipelines.judges import BuiltJudge, asking_of, cache_folder
from pipelines.panel_tally import member_names
from pipelines.panels import build_cast
from pipelines.sources import ItemSource


class CacheStats(NamedTuple):
    """How much a cache holds; `kinds` counts whole entries by kind of request, `damaged` those set aside just now."""

    folder: Path
    kinds: dict[str, int]
    models: int
    size_bytes: int
    damaged: int


class Explained(NamedTuple):
    """Which requests of an input are cached for a judge: counts by kind, and for the first miss of each kind what differs."""

    judge: str
    hits: dict[str, int]
    misses: dict[str, int]
    reasons: dict[str, str]
    unknown_items: int


def open_cache(config: RunConfig) -> JudgmentCache:
    """Open the cache that the settings name. Raises CacheError if there is none yet or it cannot be used."""
    folder = cache_folder(config)
    if not (folder / "cache.db").is_file():
        raise CacheError(f"there is no judgment cache in {folder}")
    return JudgmentCache(folder)


def cache_stats(cache: JudgmentCache) -> CacheStats:
    """Read every entry, set damaged ones aside, and count the rest."""
    kinds: Counter[str] = Counter()
    models: set[str] = set()
    for entry in cache.entries():
        kinds[entry.parts.get("kind", "unknown")] += 1
        models.add(entry.parts.get("model", ""))
    return CacheStats(cache.folder, dict(sorted(kinds.items())), len(models), cache.size_bytes(), cache.set_aside)


def export_lines(cache: JudgmentCache) -> Iterator[str]:
    """Yield every whole entry as a line of JSON."""
    for entry in cache.entries():
        yield cache.export_line(entry) + "\n"


def import_file(cache: JudgmentCache, path: Path) -> tuple[int, int]:
    """Take over the entries of an export file; return how many were new and how many were there.

    Raises CacheError naming the line if one does not check; the lines before it are kept.
    """
    new = known = 0
    try:
        with path.open(encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    is_new = cache.import_line(line)
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    raise CacheError(f"{path}:{number}: not a cache entry: {error}") from error
                new, known = (new + 1, known) if is_new else (new, known + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise CacheError(f"{path} cannot be read: {plain_cause(error)}") from error
    return new, known


async def explain(source: ItemSource, config: RunConfig) -> list[Explained]:
    """Look up every request that scoring the input would make, judge by judge, without making one.

    Of a panel the judges that make no calls are left out. Raises CacheError where no judge makes any.
    """
    cast = build_cast(config.model_copy(update={"offline": True}))
    if not any(built.can_cache for built in cast.builts):
        raise CacheError(f"the judge {cast.facts.spec} makes no calls, so nothing of it is cached; name a model with --judge")
    cache = open_cache(config)
    try:
        names = member_names([built.facts for built in cast.builts])
        looks = [_Look(name, built, cache) for name, built in zip(names, cast.builts, strict=True)]
        return await _explained(source, looks, cast.splitter, asking_of(config, cast.builts))
    finally:
        cache.close()


class _Look:
    """What is looked up for one judge, and found; equal requests count once."""

    def __init__(self, name: str, built: BuiltJudge, cache: JudgmentCache) -> None:
        """Begin with nothing looked up."""
        self.name = name
        self.can_cache = built.can_cache
        self._cached = CachedJudge(built.judge, cache) if built.can_cache else None
        self._judge = built.judge if self._cached is None else self._cached
        self._hits: Counter[str] = Counter()
        self._misses: Counter[str] = Counter()
        self._seen: set[Request] = set()

    async def up(self, request: Request) -> Split | None:
        """Look up one request; return the split that is there for it. Offline and without a call even where nothing is cached."""
        if not self._judge.offers(request.kind):
            return None
        judgment = await self._judge.judge(request)
        is_miss = isinstance(judgment.content, Unjudged) and judgment.content.reason is UnjudgedReason.NOT_RECORDED
        if request not in self._seen:
            self._seen.add(request)
            (self._misses if is_miss else self._hits)[str(request.kind)] += 1
        return judgment.content if isinstance(judgment.content, Split) else None

    def explained(self, unknown_items: int) -> Explained:
        """Return what was found, and why the first miss of each kind is one."""
        assert self._cached is not None, "only what can be cached is explained"
        reasons = {str(kind): self._cached.explain(request) for kind, request in self._cached.first_misses.items()}
        hits, misses = ({str(kind): counts[str(kind)] for kind in RequestKind} for counts in (self._hits, self._misses))
        return Explained(self.name, hits, misses, reasons, unknown_items)


async def _explained(source: ItemSource, looks: Sequence[_Look], splitter: int, asking: Asking) -> list[Explained]:
    unknown = 0
    for item in source.items():
        references: list[Decomposition] = []
        own = given_decomposition(item)
        needs = [] if own is not None else list(needs_of(item))
        for need in needs:
            split = await looks[splitter].up(DecomposeRequest(question=need.question, ground_truth=need.ground_truth))
            if split is not None:
                references.append(decomposition_of(need, split))
        if own is None and len(references) < len(needs):
            unknown += 1
            continue
        for request in requests_of(plan_item(item, [own] if own is not None else references, asking)):
            for look in looks:
                if look.can_cache:
                    await look.up(request)
    return [look.explained(unknown) for look in looks if look.can_cache]
