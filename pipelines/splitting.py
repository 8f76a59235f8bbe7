"""Only decomposing: propositions written to one file, to be reviewed."""

import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

from judge.errors import RunFolderError
from judge.schema.labels import Origin, RequestKind
from judge.schema.propositions import Decomposition
from pipelines.config import RunConfig
from pipelines.decomposing import freeze
from pipelines.ending import INCOMPLETE, NOTHING_JUDGED
from pipelines.files import JOURNAL, Journal, json_line, write_atomically
from pipelines.judges import build_judge, with_cache
from pipelines.running import RecordingJudge, Stop, window_for
from pipelines.sources import ItemSource


class SplitOutcome(NamedTuple):
    """What was split, what a person should look at, and what could not be split."""

    ground_truths: int
    propositions: int
    findings: list[str]
    failures: list[str]
    exit_code: int


async def split_input(source: ItemSource, config: RunConfig, output: Path) -> SplitOutcome:
    """Split every distinct ground truth of the input and write the propositions in input order.

    Raises ConfigError, CacheError or RunFolderError; a ground truth that could not be split is a failure in the outcome.
    """
    lines: list[str] = []
    findings: list[str] = []
    failures: list[str] = []
    propositions = 0
    stop = Stop()
    async with AsyncExitStack() as stack:
        built = build_judge(config)
        stack.push_async_callback(built.close)
        _, judge = with_cache(built, config, stack)
        journal = Journal(Path(stack.enter_context(tempfile.TemporaryDirectory())) / JOURNAL)
        stack.callback(journal.close)
        recorder = RecordingJudge(judge, journal, stop, config.max_connections)
        identity = built.judge.identity(RequestKind.DECOMPOSE)
        names = {"judge": built.facts.spec, "prompt": identity.prompt.label if identity.prompt else None}
        origin = Origin.MODEL if identity.model is not None else Origin.BASELINE
        async for frozen in freeze(source.items(), None, recorder, origin=origin, names=names, window=window_for(config.max_connections)):
            if isinstance(frozen.decomposition, Decomposition):
                lines.append(json_line(frozen.decomposition))
                propositions += len(frozen.decomposition.propositions)
                findings += _findings(frozen.decomposition)
            else:
                failures.append(f"{frozen.key[:12]}: {frozen.decomposition.reason}: {frozen.decomposition.detail}")
    try:
        write_atomically(output, lines)
    except OSError as error:
        raise RunFolderError(f"{output} cannot be written: {error.strerror or error}") from error
    return SplitOutcome(len(lines), propositions, findings, failures, _exit_code(lines, failures, stop))


def _findings(decomposition: Decomposition) -> list[str]:
    shown = (decomposition.ground_truth or "")[:50]
    noted = [f"{shown!r} {finding.proposition or 'whole'}: {finding.kind}: {finding.detail}" for finding in decomposition.lint]
    return noted + [f"{shown!r} left out ({part.reason}): {part.text}" for part in decomposition.excluded]


def _exit_code(lines: list[str], failures: list[str], stop: Stop) -> int:
    if stop.exit_code is not None:
        return stop.exit_code
    if not failures:
        return 0
    return INCOMPLETE if lines else NOTHING_JUDGED
