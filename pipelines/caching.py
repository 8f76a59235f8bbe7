"""Looking into the judgment cache: what is there, whether it is whole, why a request is not in it."""

from collections import Counter
from collections.abc import Iterator
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
from pipelines.judges import asking_of, build_judge, cache_folder
from pipelines.sources import ItemSource


class CacheStats(NamedTuple):
    """How much a cache holds; `kinds` counts whole entries by kind of request, `damaged` those set aside just now."""

    folder: Path
    kinds: dict[str, int]
    models: int
    size_bytes: int
    damaged: int


class Explained(NamedTuple):
    """Which requests of an input are cached: counts by kind, and for the first miss of each kind what differs."""

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


async def explain(source: ItemSource, config: RunConfig) -> Explained:
    """Look up every request that scoring the input would make, without making one."""
    built = build_judge(config.model_copy(update={"offline": True}))
    if not built.can_cache:
        raise CacheError(f"the judge {built.facts.spec} makes no calls, so nothing of it is cached; name a model with --judge")
    cache = open_cache(config)
    try:
        return await _explained(source, CachedJudge(built.judge, cache), asking_of(config, [built]))
    finally:
        cache.close()


async def _explained(source: ItemSource, judge: CachedJudge, asking: Asking) -> Explained:
    hits: Counter[str] = Counter()
    misses: Counter[str] = Counter()
    unknown = 0
    seen: set[Request] = set()

    async def look_up(request: Request) -> Split | None:
        judgment = await judge.judge(request)
        is_miss = isinstance(judgment.content, Unjudged) and judgment.content.reason is UnjudgedReason.NOT_RECORDED
        if request not in seen:
            seen.add(request)
            (misses if is_miss else hits)[str(request.kind)] += 1
        return judgment.content if isinstance(judgment.content, Split) else None

    for item in source.items():
        references: list[Decomposition] = []
        own = given_decomposition(item)
        needs = [] if own is not None else list(needs_of(item))
        for need in needs:
            split = await look_up(DecomposeRequest(question=need.question, ground_truth=need.ground_truth))
            if split is not None:
                references.append(decomposition_of(need, split))
        if own is None and len(references) < len(needs):
            unknown += 1
            continue
        for request in requests_of(plan_item(item, [own] if own is not None else references, asking)):
            await look_up(request)
    reasons = {str(kind): judge.explain(request) for kind, request in judge.first_misses.items()}
    return Explained(
        {str(kind): hits[str(kind)] for kind in RequestKind}, {str(kind): misses[str(kind)] for kind in RequestKind}, reasons, unknown
    )
