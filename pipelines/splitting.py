"""Only decomposing: propositions written to one file, to be reviewed."""

import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, aclosing, suppress
from pathlib import Path

from judge.errors import RunFolderError
from judge.schema.labels import RequestKind, UnjudgedReason
from judge.schema.propositions import Decomposition
from judge.schema.reviews import Flagged, SplitReview
from pipelines.config import RunConfig
from pipelines.counting import counted
from pipelines.decomposing import freeze, open_known, splitter_of
from pipelines.drifting import Drift, drift_lines
from pipelines.earlier_splits import EarlierSplits
from pipelines.ending import INCOMPLETE, NOTHING_JUDGED
from pipelines.files import json_line, write_atomically
from pipelines.journal import JOURNAL, Journal
from pipelines.judges import with_cache
from pipelines.panels import build_splitter
from pipelines.proposition_files import DecompositionFile
from pipelines.running import RecordingJudge, Stop
from pipelines.sources import ItemSource
from pipelines.write_faults import write_fault


async def split_input(source: ItemSource, config: RunConfig, output: Path, stop: Stop | None = None) -> SplitReview:
    """Split every distinct ground truth of the input and write the propositions in input order.

    Frozen propositions (named, beside the input, or in the output file itself) are taken over with their edits, unless
    everything is to be split again: then what differs from them is told as drift. Lines of the output file whose ground truth
    was not reached stay in it, and it is left alone where nothing could be split. Stopping `stop` ends the work early: what was
    split is written. Raises ConfigError, CacheError or RunFolderError; a ground truth that could not be split is a failure in
    the review.
    """
    lines: list[str] = []
    flags: list[Flagged] = []
    failures: list[str] = []
    drifts: list[Drift] = []
    made: set[str] = set()
    propositions = taken_over = compared = unreached = 0
    stop = stop if stop is not None else Stop()
    async with AsyncExitStack() as stack:
        built = build_splitter(config)
        stack.push_async_callback(built.close)
        known = _known(source, config, output, stack)
        refreshed = frozenset({RequestKind.DECOMPOSE}) if config.redecompose and not config.offline else frozenset[RequestKind]()
        cached, judge = with_cache(built, config, stack, refreshed)
        journal = Journal(Path(stack.enter_context(tempfile.TemporaryDirectory())) / JOURNAL)
        stack.callback(journal.close)
        splitter = splitter_of(built, RecordingJudge(judge, journal, stop, config.max_connections), config.max_connections)
        earlier = EarlierSplits(known, output, cached, stack).of if config.redecompose else None
        made_now = freeze(source.items(), None if config.redecompose else known, splitter, earlier=earlier)
        async for frozen in await stack.enter_async_context(aclosing(made_now)):
            compared += frozen.was_known
            if isinstance(frozen.decomposition, Decomposition):
                lines.append(json_line(frozen.decomposition))
                made.add(frozen.need.key)
                propositions += len(frozen.decomposition.propositions)
                taken_over += frozen.judgment is None
                flags += _flags(frozen.decomposition, len(lines))
            elif frozen.decomposition.reason is UnjudgedReason.NOT_RUN:
                unreached += 1
            else:
                failures.append(f"{frozen.need.shown}: {frozen.decomposition.reason}: {frozen.decomposition.detail}")
            if frozen.drift is not None:
                drifts.append(frozen.drift)
        if unreached:
            failures.append(f"{counted(unreached, 'ground truth')} not reached: {stop.reason}")
        # A split that failed, or that --limit left out, must not cost what a person has reviewed.
        spared = [text for key, text in _lines(output) if key not in made] if failures or config.limit is not None else []
    if lines:
        _write(output, [*lines, *spared])
    return SplitReview(
        file=str(output),
        judge=built.facts.spec,
        ground_truths=len(lines),
        taken_over=taken_over,
        spared=len(spared),
        propositions=propositions,
        flags=tuple(flags),
        drift=tuple(drift_lines(drifts, compared)),
        failures=tuple(failures),
        exit_code=_exit_code(lines, failures, stop),
    )


def _known(source: ItemSource, config: RunConfig, output: Path, stack: AsyncExitStack) -> DecompositionFile | None:
    found = open_known(config, source)
    if found is not None:
        stack.callback(found.file.close)
        return found.file
    if not output.is_file():
        return None
    with suppress(RunFolderError):  # a file of another kind is written over, as the user said
        file = DecompositionFile(output)
        stack.callback(file.close)
        return file
    return None


def _lines(output: Path) -> list[tuple[str, str]]:
    """Return key and text of each line of a propositions file that is there already; of another file, none."""
    if not output.is_file():
        return []
    with suppress(RunFolderError):
        file = DecompositionFile(output)
        try:
            return list(file.lines())
        finally:
            file.close()
    return []


def _write(output: Path, lines: list[str]) -> None:
    try:
        write_atomically(output, lines)
    except OSError as error:
        raise write_fault(output, error) from error


def _flags(decomposition: Decomposition, line: int) -> Iterator[Flagged]:
    """Yield what a person should look at in the line that is written for a ground truth."""
    shown = " ".join((decomposition.ground_truth or "").split())
    texts = {part.id: part.text for part in decomposition.propositions}
    if not texts:
        yield Flagged(line=line, ground_truth=shown, proposition=None, kind="no_propositions", detail="nothing to judge", text=shown)
    for finding in decomposition.lint:
        yield Flagged(
            line=line,
            ground_truth=shown,
            proposition=finding.proposition,
            kind=finding.kind,
            detail=finding.detail,
            text=texts.get(finding.proposition or ""),
        )
    for part in decomposition.excluded:
        yield Flagged(line=line, ground_truth=shown, proposition=None, kind=part.reason, detail="left out", text=part.text)


def _exit_code(lines: list[str], failures: list[str], stop: Stop) -> int:
    if stop.exit_code is not None:
        return stop.exit_code
    if not failures:
        return 0
    return INCOMPLETE if lines else NOTHING_JUDGED
