"""A run while it happens: its folder, its judges, its propositions, and what its manifest says."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from judge.errors import ConfigError, RunFolderError
from judge.logs import process_redactor
from judge.schema.items import Item
from judge.schema.labels import PanelRule
from judge.schema.manifests import FileFacts, GateResult, InputFacts, JudgeFacts, MadeNow, Pace, RunManifest
from judge.version import __version__
from pipelines.config import Resolved
from pipelines.decomposing import splitter_of
from pipelines.ending import state_of
from pipelines.files import ITEMS, MANIFEST, RunFolder, json_document
from pipelines.freezing import RunPropositions
from pipelines.journal import journal_name
from pipelines.judges import BuiltJudge
from pipelines.manifest import host_name, utc_now, versions
from pipelines.noticing import Notices
from pipelines.running import Stop
from pipelines.same_run import JUDGE_PART, PROPOSITIONS_PART, JudgedBy, differing_parts, run_key
from pipelines.sources import ItemSource
from pipelines.summarising import UsageTally
from pipelines.voices import Tally, Voice


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


class Setup(NamedTuple):
    """What a run is made of: the items, the settings, the folder, and what may stop it."""

    source: ItemSource
    resolved: Resolved
    out: Path
    stop: Stop


class Cast(NamedTuple):
    """Who is asked in a run: the judges in the order of their journals, and under which name they speak together.

    `splitter` is the place of the one who splits ground truths; `rule` is set where they are a panel. `key` tells runs apart that
    ask the same judges otherwise; `audit` names the audit that a run is for.
    """

    builts: Sequence[BuiltJudge]
    facts: JudgeFacts
    splitter: int = 0
    rule: PanelRule | None = None
    key: Mapping[str, str] = {}
    audit: str | None = None


class Ending(NamedTuple):
    """How a run ended, as its manifest tells it."""

    exit_code: int
    gates: tuple[GateResult, ...] = ()


class OpenRun:
    """A run folder in use. Open it within a stack, which closes what it holds; `warnings` grows."""

    def __init__(self, setup: Setup, cast: Cast) -> None:
        self.source, resolved, self.out, self.stop = setup
        self.config = resolved.config
        self.cast = cast
        self.usage = UsageTally()
        self.notices = Notices()
        self.warnings: list[str] = list(self.source.warnings)
        self.record: FileFacts | None = None
        self._sources = resolved.sources
        self._started = utc_now()
        self._began = monotonic()
        self._pace: Pace | None = None

    def open(self, stack: AsyncExitStack) -> None:
        """Take the folder, and make everything ready for the first call.

        Raises ConfigError, CacheError or RunFolderError, and then the folder is as it was.
        """
        if self.source.path is not None and self.source.path.resolve().parent == self.out.resolve():
            raise ConfigError(f"the input {self.source.path} lies in the run folder, which would write over it: name another with --out")
        first = self.cast.builts[self.cast.splitter]
        self.propositions = RunPropositions(self.config, self.source, self.out, stack, replayed_from=first.replayed_from)
        self.voices = [Voice(built, self.config, stack, self.propositions.refreshed) for built in self.cast.builts]
        self.folder = RunFolder(self.out)
        stack.callback(self.folder.close)
        self.propositions.open_earlier(self.splitter.cached)
        self._key = self._run_key()
        self._take_over_folder()
        self.folder.write(MANIFEST, [json_document(self.manifest("running", None))])
        slots = asyncio.Semaphore(self.config.max_connections)
        for number, voice in enumerate(self.voices, start=1):
            journal = self.folder.journal(journal_name(number))
            stack.callback(journal.close)
            voice.begin(journal, self.stop, slots)

    async def decompose(self) -> AsyncGenerator[Progress, None]:
        """Freeze the propositions of every ground truth into the run folder."""
        splitter = splitter_of(self.splitter.built, self.splitter.recorder, self.config.max_connections)
        done = 0
        async with aclosing(self.propositions.make(self.folder, splitter)) as made:
            async for frozen in made:
                done += 1
                if frozen.judgment is not None:
                    self.usage.add([frozen.judgment])
                yield self.progress("splitting", done, 0)
        self.warnings += self.propositions.warnings

    @property
    def splitter(self) -> Voice:
        """The judge who splits ground truths."""
        return self.voices[self.cast.splitter]

    def items(self) -> Iterator[Item]:
        """Yield the items from the run folder: they were checked when they were copied there."""
        return map(Item.model_validate_json, self.folder.lines(ITEMS))

    def give_up(self) -> None:
        """Leave no trace of a run that could not begin, so that the corrected command finds the folder free."""
        if self._is_new and not any(voice.recorder.asked for voice in self.voices):
            self.folder.clear()

    def progress(self, stage: str, done: int, total: int) -> Progress:
        """Return how far the run is."""
        tally = self.tally()
        known = [voice.built.connections() for voice in self.voices if voice.built.connections is not None]
        reused = tally.from_cache + tally.from_journal
        return Progress(
            stage, done, total, tally.made.judgments, tally.made.calls, reused, self.usage.cost_usd, sum(known) if known else None
        )

    def tally(self) -> Tally:
        """Return what all judges of the run made and found."""
        first, *others = (voice.tally() for voice in self.voices)
        for other in others:
            first = first.plus(other)
        return first

    @property
    def replayed_from(self) -> str | None:
        """The recorded run that is replayed, if one is; of a panel of recorded judges all of their runs."""
        return ", ".join(self._replayed) or None

    @property
    def _replayed(self) -> list[str]:
        return list(dict.fromkeys(built.replayed_from for built in self.cast.builts if built.replayed_from is not None))

    def finished_manifest(self, ending: Ending) -> RunManifest:
        """Return the manifest of the run at its end, with everything that was noticed."""
        for voice in self.voices:
            self.warnings += voice.warnings()
        return self.manifest(state_of(ending.exit_code, self.stop), ending)

    def manifest(self, state: str, ending: Ending | None) -> RunManifest:
        """Return the manifest; without an ending nothing is counted yet."""
        tally = Tally(MadeNow(), 0, 0) if ending is None else self.tally()
        first = self.cast.builts[0]
        return RunManifest(
            tool_version=__version__,
            state=state,
            exit_code=None if ending is None else ending.exit_code,
            stopped=self.stop.reason,
            started=self._started,
            finished=None if ending is None else utc_now(),
            input=InputFacts(name=self.source.name, sha256=self.source.sha256, items=self.source.count),
            judge=self.cast.facts,
            voices=tuple(built.facts for built in self.cast.builts) if len(self.cast.builts) > 1 else (),
            panel_rule=self.cast.rule,
            audit=self.cast.audit,
            policy=first.policy.identity.label,
            run_record=self.record,
            key=self._key,
            config=self.config.shown(),
            config_sources=self._sources,
            replayed_from=self.replayed_from,
            made_now=tally.made,
            pace=Pace(judgments=tally.made.judgments, seconds=monotonic() - self._began) if tally.made.judgments else self._pace,
            from_cache=tally.from_cache,
            from_journal=tally.from_journal,
            cache_entries_set_aside=sum(voice.cached.set_aside for voice in self.voices if voice.cached is not None),
            gates=() if ending is None else ending.gates,
            flags=self.notices.flags,
            warnings=tuple(map(process_redactor().data, dict.fromkeys(self.warnings))),
            host=host_name(),
            versions=versions(),
        )

    def _run_key(self) -> dict[str, str]:
        by = JudgedBy(self.cast.facts.id, self.cast.builts[0].policy.identity.sha256)
        return {**run_key(self.source, self.config, by, self.propositions.key), **self.cast.key}

    def _take_over_folder(self) -> None:
        """Resume a folder of the same run; refuse one of another run unless it may be overwritten."""
        if self.config.overwrite:
            if any(Path(replayed).resolve() == self.out.resolve() for replayed in self._replayed):
                raise ConfigError(f"--overwrite would remove the run {self.out} that is to be replayed: name another folder with --out")
            self.folder.clear()
        before = self.folder.manifest()
        self._is_new = before is None
        if before is None:
            return
        self._pace = before.pace
        differing = differing_parts(self._key, before)
        if differing == [PROPOSITIONS_PART] and self.propositions.belong_to(before):
            self._key = self._run_key()
            return
        if differing:
            named = [self._judge_differs(before) if part == JUDGE_PART else part for part in differing]
            raise RunFolderError(
                f"the folder {self.out} holds another run: it differs in {', '.join(named)} "
                f"(it was made by {before.judge.spec} on {before.input.name}). Use --overwrite to replace it, or --out for another folder"
            )

    def _judge_differs(self, before: RunManifest) -> str:
        """Say in what the judge is another one: of label requests, as far as that tells."""
        old, new = (facts.identities["label"].model_dump(mode="json") for facts in (before.judge, self.cast.facts))
        parts = [name for name, value in new.items() if old.get(name) != value and name != "policy"]
        return f"judge ({', '.join(parts)})" if parts else "judge"
