"""The flows as ordinary functions, in scripts and in notebooks."""

import asyncio
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from judge.errors import ConfigError, InputError, InputFault
from judge.schema.items import Item
from judge.schema.manifests import RunManifest
from judge.schema.results import ItemResult
from judge.schema.summaries import Summary
from pipelines.config import RunConfig, load_config
from pipelines.files import RESULTS
from pipelines.readers.reading import convert_items
from pipelines.running import Stop
from pipelines.scoring import ItemSource, ScoreOutcome, score_run
from pipelines.sources import FileSource, ListSource


class ScoreResult:
    """What `score` found: the summary, the manifest, and the items, read from the run folder as they are needed.

    `exit_code` is what the command would have ended with. A run without `out` lives in a temporary folder that goes with
    this object.
    """

    def __init__(self, outcome: ScoreOutcome, keep: tempfile.TemporaryDirectory[str] | None) -> None:
        """Hold a finished run."""
        self.folder: Path = outcome.folder
        self.summary: Summary = outcome.summary
        self.manifest: RunManifest = outcome.manifest
        self.exit_code: int = outcome.exit_code
        self._keep = keep

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
            raise ConfigError("to_frame needs pandas, which is not installed; to_rows gives the same rows as dicts") from error
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
    resolved = load_config(settings)
    source = _source(items, resolved.config)
    keep = tempfile.TemporaryDirectory(prefix="crux-judge-") if resolved.config.out is None else None
    out = resolved.config.out if keep is None else Path(keep.name)
    assert out is not None
    outcome: ScoreOutcome | None = None
    async for event in score_run(source, resolved, out, Stop()):
        if isinstance(event, ScoreOutcome):
            outcome = event
    assert outcome is not None, "a run that does not raise ends with its outcome"
    return ScoreResult(outcome, keep)


def _source(items: Any, config: RunConfig) -> ItemSource:
    if isinstance(items, str | Path):
        return FileSource(Path(items), config.map, config.limit)
    listed = list(_records(items))
    if all(isinstance(item, Item) for item in listed):
        found = [item for item in listed if isinstance(item, Item)]
    else:
        found = list(convert_items([item for item in listed if isinstance(item, Mapping)], mapping=config.map))
    if len(found) != len(listed):
        raise InputError([InputFault("items", None, "items are either all dicts or all Item objects")])
    if not found:
        raise InputError([InputFault("items", None, "there are no items")])
    return ListSource(found, config.limit)


def _records(items: Any) -> Iterable[Any]:
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
