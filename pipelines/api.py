"""The flows as ordinary functions, in scripts and in notebooks."""

import asyncio
import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path
from typing import Any

from judge.errors import ConfigError, InputError, InputFault
from judge.schema.items import Item
from judge.schema.manifests import RunManifest
from judge.schema.results import ItemResult
from judge.schema.summaries import Summary
from pipelines.config import Resolved, RunConfig, load_config
from pipelines.files import RESULTS
from pipelines.readers.reading import convert_items
from pipelines.running import Stop
from pipelines.scoring import ScoreOutcome, score_run
from pipelines.sources import FileSource, ItemSource, ListSource


class ScoreResult:
    """What `score` found: the summary, the manifest, and the items, read from the run folder as they are needed.

    `exit_code` is what the command would have ended with. A run without `out` lives in a temporary folder that goes with
    this object.
    """

    def __init__(self, outcome: ScoreOutcome, *, is_temporary: bool) -> None:
        """Hold a finished run."""
        self.folder: Path = outcome.folder
        self.summary: Summary = outcome.summary
        self.manifest: RunManifest = outcome.manifest
        self.exit_code: int = outcome.exit_code
        if is_temporary:
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def items(self) -> Iterator[ItemResult]:
        """Yield the results in input order."""
        with (self.folder / RESULTS).open(encoding="utf-8", newline="\n") as lines:
            for line in lines:
                yield ItemResult.model_validate_json(line)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row per proposition; an unjudged one has a reason and no label."""
        return [_row(result, position) for result in self.items() for position in range(len(result.propositions))]

    def to_frame(self) -> Any:
        """Return a pandas data frame with one row per proposition. Raises ConfigError if pandas is not installed."""
        try:
            import pandas
        except ImportError as error:
            raise ConfigError(
                "to_frame needs pandas, which is not installed (pip install pandas); to_rows gives the same rows as dicts"
            ) from error
        return pandas.DataFrame(self.to_rows())


def score(items: Any, **settings: Any) -> ScoreResult:
    """Score items and return the result; also inside a running event loop, as in a notebook.

    `items` is a path, a list of dicts or `Item`s, or a data frame. `settings` are those of the command line with `_` for
    `-`, such as `judge="openai/gpt-5-mini"` or `out="runs/today"`. Raises ConfigError, InputError, CacheError or
    RunFolderError before the first call; what happens to single items is in the result.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(ascore(items, **settings))
    with ThreadPoolExecutor(max_workers=1) as threads:
        return threads.submit(asyncio.run, ascore(items, **settings)).result()


async def ascore(items: Any, **settings: Any) -> ScoreResult:
    """Score items within an event loop; see `score`."""
    resolved = load_config(settings, are_arguments=True)
    source = _source(items, resolved.config)
    if resolved.config.out is not None:
        return ScoreResult(await _outcome(source, resolved, resolved.config.out), is_temporary=False)
    folder = Path(tempfile.mkdtemp(prefix="crux-judge-"))
    try:
        return ScoreResult(await _outcome(source, resolved, folder), is_temporary=True)
    except BaseException:  # also when cancelled: nobody else knows of the temporary folder
        shutil.rmtree(folder, ignore_errors=True)
        raise


async def _outcome(source: ItemSource, resolved: Resolved, out: Path) -> ScoreOutcome:
    outcome: ScoreOutcome | None = None
    async with aclosing(score_run(source, resolved, out, Stop())) as events:
        async for event in events:
            if isinstance(event, ScoreOutcome):
                outcome = event
    assert outcome is not None, "a run that does not raise ends with its outcome"
    return outcome


def _source(items: Any, config: RunConfig) -> ItemSource:
    if isinstance(items, str | Path):
        return FileSource(Path(items), config.map, config.limit)
    listed = list(_records(items))
    if not listed:
        raise InputError([InputFault("items", None, "there are no items")])
    if all(isinstance(item, Item) for item in listed):
        return ListSource(_with_distinct_ids(listed), config.limit)
    if not all(isinstance(item, Mapping) for item in listed):
        raise InputError([InputFault("items", None, "items are either all dicts or all Item objects")])
    return ListSource(list(convert_items(listed, mapping=config.map)), config.limit)


def _with_distinct_ids(items: list[Item]) -> list[Item]:
    """Return the items. Raises InputError naming ids that several of them have."""
    repeated = [identifier for identifier, count in Counter(item.id for item in items).items() if count > 1]
    if repeated:
        raise InputError([InputFault("items", None, f"several items have the id `{identifier}`") for identifier in repeated])
    return items


def _records(items: Any) -> Iterable[Any]:
    if not isinstance(items, Iterable):
        raise InputError([InputFault("items", None, f"a path, a list or a data frame is expected, found {type(items).__name__}")])
    if hasattr(items, "to_dicts"):
        return list(items.to_dicts())
    if hasattr(items, "to_dict") and hasattr(items, "columns"):
        return list(items.to_dict("records"))
    return list(items)


def _row(result: ItemResult, position: int) -> dict[str, Any]:
    proposition = result.propositions[position]
    outcome = proposition.outcome.model_dump(mode="json")
    return {
        "item_id": result.item_id,
        "agent": result.agent,
        "proposition_id": proposition.id,
        "text": proposition.text,
        "label": outcome.get("label"),
        "quote": outcome.get("quote"),
        "rationale": outcome.get("rationale"),
        "reason": outcome.get("reason"),
        "detail": outcome.get("detail"),
    }
