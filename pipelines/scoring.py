"""The main flow: items in, judgments, numbers and reports out."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import NamedTuple

from judge.errors import ConfigError, RunFolderError, StorageError
from judge.half_credit import with_half_credit
from judge.logs import process_redactor
from judge.schema.items import Item
from judge.schema.judgments import Judgment
from judge.schema.manifests import FileFacts, InputFacts, MadeNow, RunManifest
from judge.schema.results import ItemResult
from judge.schema.summaries import Summary
from judge.scorecard import ScoreTable
from judge.version import __version__
from pipelines.config import Resolved
from pipelines.decomposing import splitter_of
from pipelines.ending import INCOMPLETE, exit_code, state_of
from pipelines.files import (
    ITEMS,
    MANIFEST,
    RESULTS,
    SUMMARY,
    Journal,
    RunFolder,
    json_document,
    json_line,
)
from pipelines.freezing import RunPropositions
from pipelines.gates import check_gates, gate_results
from pipelines.judges import asking_of, build_judge, with_cache
from pipelines.judging import judge_item
from pipelines.manifest import host_name, utc_now, versions
from pipelines.noticing import Notices
from pipelines.rendering import write_reports
from pipelines.run_record import read_run_record
from pipelines.running import RecordingJudge, Stop, in_order, window_for
from pipelines.same_run import PROPOSITIONS_PART, differing_parts, run_key
from pipelines.sources import ItemSource
from pipelines.summarising import Judging, UsageTally, build_summary


class Progress(NamedTuple):
    """How far a run is. `made` and `calls` count what was asked now; `cost_usd` is None where it is unknown.

    `connections` is how many calls may be under way now, None for a judge that makes none.
    """

    stage: str
    done: int
    total: int
    made: int
    calls: int
    reused: int
    cost_usd: float | None
    connections: int | None = None


class ScoreOutcome(NamedTuple):
    """What a run came to; `has_new_propositions` says that a model split ground truths, all of them, and nobody froze them yet."""

    folder: Path
    summary: Summary
    manifest: RunManifest
    exit_code: int
    has_new_propositions: bool


async def score_run(source: ItemSource, resolved: Resolved, out: Path, stop: Stop) -> AsyncGenerator[Progress | ScoreOutcome, None]:
    """Score all items into a run folder, yielding progress and at the end the outcome.

    Raises ConfigError, InputError, CacheError or RunFolderError before the first call; afterwards whatever happens ends in
    an outcome, with what was judged written, unless there is no room to write it: then StorageError is raised.
    """
    run = _Run(source, resolved, out, stop)
    async with AsyncExitStack() as stack:
        await run.open(stack)
        try:
            for stage in (run.decompose, run.label):
                async with aclosing(stage()) as events:
                    async for progress in events:
                        yield progress
        except ConfigError:
            run.give_up()
            raise
        except StorageError as error:
            # Calls under way are given up: what they come to could not be kept.
            stop.now(str(error), INCOMPLETE)
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
        self._usage = UsageTally()
        self._table = ScoreTable(has_half_credit=self._config.noise_half_credit)
        self._notices = Notices()
        self._warnings: list[str] = list(source.warnings)

    async def open(self, stack: AsyncExitStack) -> None:
        """Check the settings, take the folder, and make everything ready for the first call."""
        check_gates(self._config)
        stated = self._config.run_record
        self._record = None if stated is None else read_run_record(stated)
        if self._source.path is not None and self._source.path.resolve().parent == self._out.resolve():
            raise ConfigError(f"the input {self._source.path} lies in the run folder, which would write over it: name another with --out")
        self._built = build_judge(self._config)
        stack.push_async_callback(self._built.close)
        self._propositions = RunPropositions(self._config, self._source, self._out, stack, replayed_from=self._built.replayed_from)
        self._cached, judge = with_cache(self._built, self._config, stack, self._propositions.refreshed)
        self._folder = RunFolder(self._out)
        stack.callback(self._folder.close)
        self._propositions.open_earlier(self._cached)
        self._key = self._run_key()
        self._take_over_folder()
        self._folder.write(MANIFEST, [json_document(self._manifest("running", None))])
        self._journal: Journal = self._folder.journal()
        stack.callback(self._journal.close)
        self._recorder = RecordingJudge(
            judge, self._journal, self._stop, self._config.max_connections, refreshed=self._propositions.refreshed
        )

    async def decompose(self) -> AsyncGenerator[Progress, None]:
        """Freeze the propositions of every ground truth into the run folder."""
        splitter = splitter_of(self._built, self._recorder, self._config.max_connections)
        done = 0
        async with aclosing(self._propositions.make(self._folder, splitter)) as made:
            async for frozen in made:
                done += 1
                if frozen.judgment is not None:
                    self._usage.add([frozen.judgment])
                yield self._progress("splitting", done, 0)
        self._warnings += self._propositions.warnings

    async def label(self) -> AsyncGenerator[Progress, None]:
        """Judge every item and write its result, in input order."""
        asking = asking_of(self._config, self._built)

        async def one(item: Item) -> tuple[ItemResult, list[Judgment]]:
            result, judgments = await judge_item(item, self._propositions.of(item), asking, self._recorder)
            return with_half_credit(result) if self._config.noise_half_credit else result, judgments

        done = 0
        window = window_for(self._config.max_connections)
        async with AsyncExitStack() as stack:
            write = stack.enter_context(self._folder.writing(RESULTS))
            judged = await stack.enter_async_context(aclosing(in_order(self._items(), one, window=window)))
            async for result, judgments in judged:
                done += 1
                write(json_line(result))
                self._table.add(result)
                self._notices.add(result)
                self._usage.add(judgments)
                yield self._progress("judging", done, self._source.count)

    def give_up(self) -> None:
        """Leave no trace of a run that could not begin, so that the corrected command finds the folder free."""
        if self._is_new and not self._recorder.asked:
            self._folder.clear()

    def finish(self) -> ScoreOutcome:
        """Write the numbers, the reports and the manifest."""
        self._propositions.close()
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
        has_new = self._propositions.has_new and self._built.replayed_from is None and not stopped
        return ScoreOutcome(self._out, summary, manifest, code, has_new_propositions=has_new)

    def _items(self) -> Iterator[Item]:
        """Yield the items from the run folder: they were checked when they were copied there."""
        return map(Item.model_validate_json, self._folder.lines(ITEMS))

    def _run_key(self) -> dict[str, str]:
        return run_key(self._source, self._config, self._built, self._propositions.key)

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
        differing = differing_parts(self._key, before)
        if differing == [PROPOSITIONS_PART] and self._propositions.belong_to(before):
            self._key = self._run_key()
            return
        if differing:
            raise RunFolderError(
                f"the folder {self._out} holds another run: it differs in {', '.join(differing)} "
                f"(it was made by {before.judge.spec} on {before.input.name}). Use --overwrite to replace it, or --out for another folder"
            )

    def _progress(self, stage: str, done: int, total: int) -> Progress:
        made, reused = self._made_and_reused()
        reused += self._recorder.from_journal
        connections = None if self._built.connections is None else self._built.connections()
        return Progress(stage, done, total, made.judgments, made.calls, reused, self._usage.cost_usd, connections)

    def _made_and_reused(self) -> tuple[MadeNow, int]:
        """Return what was made now, and how many judgments came from the cache."""
        if self._built.replayed_from is not None or (self._config.offline and self._built.can_cache):
            return MadeNow(), self._cached.hits if self._cached is not None else 0
        hits, hit_calls = (self._cached.hits, self._cached.hit_calls) if self._cached is not None else (0, 0)
        return MadeNow(judgments=self._recorder.asked - hits, calls=self._recorder.calls - hit_calls), hits

    def _collect_warnings(self) -> None:
        self._warnings += self._built.notices
        self._warnings += [f"in the recorded run: {warning}" for warning in self._built.warnings]
        self._warnings += self._journal.warnings
        if self._built.unlike_recorded:
            self._warnings.append(f"the recorded run was asked otherwise: {self._built.unlike_recorded}")
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
            flags=self._notices.flags,
            warnings=tuple(map(process_redactor().data, self._warnings)),
            host=host_name(),
            versions=versions(),
        )
