"""The main flow: items in, judgments, numbers and reports out."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import NamedTuple

from judge.errors import ConfigError, StorageError
from judge.half_credit import with_half_credit
from judge.schema.items import Item
from judge.schema.labels import PanelRule
from judge.schema.manifests import FileFacts, RunManifest
from judge.schema.summaries import Summary
from judge.scorecard import ScoreTable
from pipelines.calibrating import opened
from pipelines.config import Resolved
from pipelines.ending import INCOMPLETE, exit_code
from pipelines.files import MANIFEST, PANEL, RESULTS, SUMMARY, json_document, json_line
from pipelines.gates import check_gates, gate_results
from pipelines.judges import asking_of
from pipelines.judging import JudgedItem, Questions, judge_item
from pipelines.open_run import Ending, OpenRun, Progress, Setup
from pipelines.panel_tally import PanelTally
from pipelines.panels import build_cast
from pipelines.rendering import write_reports
from pipelines.run_record import read_run_record
from pipelines.running import Stop, in_order, window_for
from pipelines.sources import ItemSource
from pipelines.summarising import Judging, build_summary


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
    async with AsyncExitStack() as stack:
        scoring = _Scoring(Setup(source, resolved, out, stop), stack)
        try:
            for stage in (scoring.run.decompose, scoring.label):
                async with aclosing(stage()) as events:
                    async for progress in events:
                        yield progress
        except ConfigError:
            scoring.run.give_up()
            raise
        except StorageError as error:
            # Calls under way are given up: what they come to could not be kept.
            stop.now(str(error), INCOMPLETE)
            raise
        yield scoring.finish()


class _Scoring:
    """One scored run while it happens."""

    def __init__(self, setup: Setup, stack: AsyncExitStack) -> None:
        """Check the settings, take the folder, and make everything ready for the first call."""
        self._config = setup.resolved.config
        check_gates(self._config)
        stated = self._config.run_record
        self._record = None if stated is None else read_run_record(stated)
        cast = build_cast(self._config)
        for built in cast.builts:
            stack.push_async_callback(built.close)
        self._correcting = opened(self._config.calibration, cast.facts, setup.source.sha256)
        self._table = ScoreTable(has_half_credit=self._config.noise_half_credit)
        self._panel = None if cast.rule is None else PanelTally([built.facts for built in cast.builts], cast.rule)
        self.run = OpenRun(setup, cast)
        self.run.record = None if self._record is None else FileFacts(name=self._record.name, sha256=self._record.sha256)
        self.run.open(stack)

    async def label(self) -> AsyncGenerator[Progress, None]:
        """Judge every item and write its result, in input order."""
        run, config = self.run, self._config
        asking = asking_of(config, run.cast.builts)
        rule = run.cast.rule or PanelRule.MAJORITY

        async def one(item: Item) -> tuple[Item, JudgedItem]:
            return item, await judge_item(Questions(item, run.propositions.of(item), asking), run.voices, rule)

        done = 0
        async with AsyncExitStack() as stack:
            write = stack.enter_context(run.folder.writing(RESULTS))
            write_votes = None if self._panel is None else stack.enter_context(run.folder.writing(PANEL))
            items = in_order(run.items(), one, window=window_for(config.max_connections))
            async for item, judged in await stack.enter_async_context(aclosing(items)):
                done += 1
                result = with_half_credit(judged.result) if config.noise_half_credit else judged.result
                write(json_line(result))
                if self._panel is not None and write_votes is not None:
                    write_votes(json_line(self._panel.add(item, judged)))
                self._table.add(result)
                if self._correcting is not None:
                    self._correcting.add(result)
                run.notices.add(result)
                run.usage.add(judged.judgments)
                yield run.progress("judging", done, run.source.count)

    def finish(self) -> ScoreOutcome:
        """Write the numbers, the reports and the manifest."""
        run, config = self.run, self._config
        run.propositions.close()
        stopped = run.stop.reason is not None
        judging = Judging(run.cast.facts, run.cast.builts[0].policy.identity.label, self._record, self._correcting)
        summary, warnings = build_summary(self._table, run.usage, config, judging, stopped=stopped)
        if self._panel is not None:
            summary = summary.model_copy(update={"panel": self._panel.summary(config.min_coverage, config.null_policy)})
            run.warnings += self._panel.warnings(config.min_coverage)
        run.warnings += warnings
        gates = gate_results(summary, config)
        code = exit_code(gates, run.stop, is_complete=summary.complete, is_silent=run.usage.is_silent)
        manifest = run.finished_manifest(Ending(code, gates))
        run.folder.write(SUMMARY, [json_document(summary)])
        write_reports(run.folder, summary, manifest)
        run.folder.write(MANIFEST, [json_document(manifest)])
        has_new = run.propositions.has_new and run.splitter.built.replayed_from is None and not stopped
        return ScoreOutcome(run.out, summary, manifest, code, has_new_propositions=has_new)
