"""The main flow: items in, judgments, numbers and reports out."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

from judge.errors import ConfigError, RunFolderError
from judge.hashing import content_hash
from judge.schema.items import Item
from judge.schema.judgments import Judgment
from judge.schema.labels import Origin, RequestKind
from judge.schema.manifests import FileFacts, InputFacts, MadeNow, RunManifest
from judge.schema.outcomes import Unjudged
from judge.schema.propositions import Decomposition
from judge.schema.results import ItemResult
from judge.schema.summaries import Summary
from judge.scorecard import ScoreTable
from judge.version import __version__
from pipelines.config import Resolved
from pipelines.counting import counted
from pipelines.decomposing import freeze, given_decomposition, needs_of, open_known, splitter_of
from pipelines.drifting import Drift, drift_lines
from pipelines.earlier_splits import EarlierSplits
from pipelines.ending import UNFINISHED, exit_code, state_of
from pipelines.files import (
    ITEMS,
    MANIFEST,
    PROPOSITIONS,
    RESULTS,
    SUMMARY,
    DecompositionFile,
    Journal,
    RunFolder,
    json_document,
    json_line,
    read_manifest,
)
from pipelines.gates import check_gates, gate_results
from pipelines.judges import asking_of, build_judge, with_cache
from pipelines.judging import judge_item
from pipelines.manifest import host_name, utc_now, versions
from pipelines.readers.items import item_json
from pipelines.rendering import write_reports
from pipelines.run_record import read_run_record
from pipelines.running import RecordingJudge, Stop, in_order, window_for
from pipelines.sources import ItemSource
from pipelines.summarising import Judging, UsageTally, build_summary


class Progress(NamedTuple):
    """How far a run is. `made` and `calls` count what was asked now; `cost_usd` is None where it is unknown."""

    stage: str
    done: int
    total: int
    made: int
    calls: int
    reused: int
    cost_usd: float | None


class ScoreOutcome(NamedTuple):
    """What a run came to; `has_new_propositions` says that a model split ground truths, all of them, and nobody froze them yet."""

    folder: Path
    summary: Summary
    manifest: RunManifest
    exit_code: int
    has_new_propositions: bool


async def score_run(source: ItemSource, resolved: Resolved, out: Path, stop: Stop) -> AsyncIterator[Progress | ScoreOutcome]:
    """Score all items into a run folder, yielding progress and at the end the outcome.

    Raises ConfigError, InputError, CacheError or RunFolderError before the first call; afterwards whatever happens ends in
    an outcome, with what was judged written.
    """
    run = _Run(source, resolved, out, stop)
    async with AsyncExitStack() as stack:
        await run.open(stack)
        try:
            async for progress in run.decompose():
                yield progress
            async for progress in run.label():
                yield progress
        except ConfigError:
            run.give_up()
            raise
        yield run.finish()


class _Run:
    """One run while it happens."""

    def __init__(self, source: ItemSource, resolved: Resolved, out: Path, stop: Stop) -> None:
        self._source = source
        self._config = resolved.config
        self._sources = resolved.sources
        self._out = out
        self._stop = stop
        self._started = utc_now()
        self._failed: dict[str, Unjudged] = {}
        self._usage = UsageTally()
        self._table = ScoreTable()
        self._warnings: list[str] = []

    async def open(self, stack: AsyncExitStack) -> None:
        """Check the settings, take the folder, and make everything ready for the first call."""
        check_gates(self._config)
        stated = self._config.run_record
        self._record = None if stated is None else read_run_record(stated)
        if self._source.path is not None and self._source.path.resolve().parent == self._out.resolve():
            raise ConfigError(f"the input {self._source.path} lies in the run folder, which would write over it: name another with --out")
        self._built = build_judge(self._config)
        stack.push_async_callback(self._built.close)
        self._known = self._open_propositions(stack)
        refreshed = self._kinds_asked_anew()
        self._cached, judge = with_cache(self._built, self._config, stack, refreshed)
        self._folder = RunFolder(self._out)
        stack.callback(self._folder.close)
        self._earlier = EarlierSplits(self._before, self._out / PROPOSITIONS, self._cached, stack)
        self._key = self._run_key()
        self._take_over_folder()
        self._folder.write(MANIFEST, [json_document(self._manifest("running", None))])
        self._journal: Journal = self._folder.journal()
        stack.callback(self._journal.close)
        self._recorder = RecordingJudge(judge, self._journal, self._stop, self._config.max_connections, refreshed=refreshed)

    async def decompose(self) -> AsyncIterator[Progress]:
        """Freeze the propositions of every ground truth into the run folder."""
        splitter = splitter_of(self._built, self._recorder, self._config.max_connections)
        earlier = self._earlier.of if self._config.redecompose else None
        done = compared = made = 0
        drifts: list[Drift] = []
        with self._folder.writing(ITEMS) as write_item, self._folder.writing(PROPOSITIONS) as write:
            async for frozen in freeze(self._copied_items(write_item, write), self._known, splitter, earlier=earlier):
                done += 1
                compared += frozen.was_known
                if isinstance(frozen.decomposition, Decomposition):
                    write(json_line(frozen.decomposition))
                else:
                    self._failed[frozen.need.key] = frozen.decomposition
                if frozen.drift is not None:
                    drifts.append(frozen.drift)
                if frozen.judgment is not None:
                    made += 1
                    self._usage.add([frozen.judgment])
                yield self._progress("splitting", done, 0)
        if self._known is not None:
            self._warnings.append(
                f"propositions of {done - made:,} of {counted(done, 'ground truth')} are read from {self._known.path.name}"
            )
        self._warnings += drift_lines(drifts, compared)
        self._has_new_propositions = self._built.replayed_from is None and splitter.origin is Origin.MODEL and made > 0 and not self._failed
        self._frozen = DecompositionFile(self._out / PROPOSITIONS)

    def _copied_items(self, write_item: Callable[[str], object], write_propositions: Callable[[str], object]) -> Iterator[Item]:
        """Yield the items of the input while writing them, and the propositions they brought, into the run folder."""
        given: set[bytes] = set()
        for item in self._source.items():
            write_item(item_json(item) + "\n")
            own = given_decomposition(item)
            if own is not None and (digest := bytes.fromhex(own.key)[:16]) not in given:
                given.add(digest)
                write_propositions(json_line(own))
            yield item

    async def label(self) -> AsyncIterator[Progress]:
        """Judge every item and write its result, in input order."""
        asking = asking_of(self._config, self._built.judge)

        async def one(item: Item) -> tuple[ItemResult, list[Judgment]]:
            return await judge_item(item, self._references(item), asking, self._recorder)

        done = 0
        with self._folder.writing(RESULTS) as write:
            async for result, judgments in in_order(self._items(), one, window=window_for(self._config.max_connections)):
                done += 1
                write(json_line(result))
                self._table.add(result)
                self._usage.add(judgments)
                yield self._progress("judging", done, self._source.count)

    def give_up(self) -> None:
        """Leave no trace of a run that could not begin, so that the corrected command finds the folder free."""
        if self._is_new and not self._recorder.asked:
            self._folder.clear()

    def finish(self) -> ScoreOutcome:
        """Write the numbers, the reports and the manifest."""
        self._frozen.close()
        stopped = self._stop.reason is not None
        judging = Judging(self._built.facts, self._built.policy.identity.label, self._record)
        summary, warnings = build_summary(self._table, self._usage, self._config, judging, stopped=stopped)
        self._warnings += warnings
        self._collect_warnings()
        code = exit_code(summary, gate_results(summary, self._config), self._stop, is_silent=self._usage.is_silent)
        manifest = self._manifest(state_of(code, self._stop), code, summary)
        self._folder.write(SUMMARY, [json_document(summary)])
        write_reports(self._folder, summary, manifest)
        self._folder.write(MANIFEST, [json_document(manifest)])
        return ScoreOutcome(self._out, summary, manifest, code, has_new_propositions=self._has_new_propositions and not stopped)

    def _items(self) -> Iterator[Item]:
        """Yield the items from the run folder: they were checked when they were copied there."""
        return map(Item.model_validate_json, self._folder.lines(ITEMS))

    def _references(self, item: Item) -> Sequence[Decomposition | Unjudged]:
        own = given_decomposition(item)
        if own is not None:
            return [own]
        return [self._failed[need.key] if need.key in self._failed else self._required(need.key) for need in needs_of(item)]

    def _required(self, key: str) -> Decomposition:
        found = self._frozen.get(key)
        assert found is not None, "every ground truth was frozen or failed before labelling began"
        return found

    def _open_propositions(self, stack: AsyncExitStack) -> DecompositionFile | None:
        """Return the frozen propositions to take over; under --redecompose they only tell what changed."""
        known = open_known(self._config, self._source)
        self._propositions_key = ""
        self._before: DecompositionFile | None = None
        if known is None:
            return None
        stack.callback(known.file.close)
        if self._config.redecompose:
            self._before = known.file
            return None
        self._propositions_key = known.sha256
        return known.file

    def _kinds_asked_anew(self) -> frozenset[RequestKind]:
        """Return what neither cache nor journal may answer; a run that split anew and was cut short goes on where it was."""
        if not self._config.redecompose or self._config.offline:
            return frozenset()
        before = read_manifest(self._out) if (self._out / MANIFEST).is_file() else None
        goes_on = before is not None and before.config.get("redecompose") is True and before.state in UNFINISHED
        return frozenset() if goes_on and not self._config.overwrite else frozenset({RequestKind.DECOMPOSE})

    def _run_key(self) -> dict[str, str]:
        return {
            "input": self._source.sha256,
            "columns": content_hash(self._config.map),
            "judge": self._built.facts.id,
            "policy": self._built.policy.identity.sha256,
            "propositions": self._propositions_key,
            "repeats": str(self._config.repeats),
            "batch size": str(self._config.batch_size),
        }

    def _take_over_folder(self) -> None:
        """Resume a folder of the same run; refuse one of another run unless it may be overwritten."""
        if self._config.overwrite:
            replayed = self._built.replayed_from
            if replayed is not None and Path(replayed).resolve() == self._out.resolve():
                raise ConfigError(f"--overwrite would remove the run {self._out} that is to be replayed: name another folder with --out")
            self._folder.clear()
        before = self._folder.manifest()
        self._is_new = before is None
        if before is None:
            return
        differing = [name for name, value in self._key.items() if before.key.get(name) != value]
        if differing == ["propositions"] and self._earlier.has_written(self._known, self._source.items()):
            if not before.key["propositions"]:
                # The run split them itself, and its journal tells what that cost.
                self._known, self._key = None, before.key
            return
        if differing:
            raise RunFolderError(
                f"the folder {self._out} holds another run: it differs in {', '.join(differing)} "
                f"(it was made by {before.judge.spec} on {before.input.name}). Use --overwrite to replace it, or --out for another folder"
            )

    def _progress(self, stage: str, done: int, total: int) -> Progress:
        made, reused = self._made_and_reused()
        return Progress(stage, done, total, made.judgments, made.calls, reused + self._recorder.from_journal, self._usage.cost_usd)

    def _made_and_reused(self) -> tuple[MadeNow, int]:
        """Return what was made now, and how many judgments came from the cache."""
        if self._built.replayed_from is not None or (self._config.offline and self._built.can_cache):
            return MadeNow(), self._cached.hits if self._cached is not None else 0
        hits, hit_calls = (self._cached.hits, self._cached.hit_calls) if self._cached is not None else (0, 0)
        return MadeNow(judgments=self._recorder.asked - hits, calls=self._recorder.calls - hit_calls), hits

    def _collect_warnings(self) -> None:
        self._warnings += [f"in the recorded run: {warning}" for warning in self._built.warnings]
        self._warnings += self._journal.warnings
        if self._cached is not None:
            self._warnings += self._cached.warnings
            if self._config.offline:
                for kind, request in self._cached.first_misses.items():
                    self._warnings.append(f"not in the cache ({kind}): {self._cached.explain(request)}")
        if len(self._recorder.reported_models) > 1:
            self._warnings.append(f"the endpoint changed its model during the run: {', '.join(self._recorder.reported_models)}")
        for error in dict.fromkeys(self._recorder.internal_errors):
            self._warnings.append(f"internal error while judging (please report it): {error}")

    def _manifest(self, state: str, exit_code: int | None, summary: Summary | None = None) -> RunManifest:
        made, from_cache = (MadeNow(), 0) if summary is None else self._made_and_reused()
        return RunManifest(
            tool_version=__version__,
            state=state,
            exit_code=exit_code,
            stopped=self._stop.reason,
            started=self._started,
            finished=None if summary is None else utc_now(),
            input=InputFacts(name=self._source.name, sha256=self._source.sha256, items=self._source.count),
            judge=self._built.facts,
            policy=self._built.policy.identity.label,
            run_record=None if self._record is None else FileFacts(name=self._record.name, sha256=self._record.sha256),
            key=self._key,
            config=self._config.shown(),
            config_sources=self._sources,
            replayed_from=self._built.replayed_from,
            made_now=made,
            from_cache=from_cache,
            from_journal=0 if summary is None else self._recorder.from_journal,
            cache_entries_set_aside=self._cached.set_aside if self._cached is not None else 0,
            gates=() if summary is None else gate_results(summary, self._config),
            warnings=tuple(self._warnings),
            host=host_name(),
            versions=versions(),
        )
