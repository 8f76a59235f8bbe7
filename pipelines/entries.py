"""Runs on disk as a leaderboard needs them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from judge.errors import ConfigError, InputError, RunFolderError, plain_cause
from judge.hashing import content_hash
from judge.schema.crux import CruxSummary
from judge.schema.items import Item
from judge.schema.leaderboards import LeaderboardEntry
from judge.schema.manifests import RunManifest
from judge.schema.propositions import Decomposition
from judge.schema.summaries import Summary
from judge.session.standing import entry_of_crux
from judge.standard.intervals import estimates
from judge.standard.noise_credit import has_half_credit
from judge.standard.nulls import null_policy_of
from pipelines.documents.file_bytes import FileBytes, read_bytes
from pipelines.documents.strict_json import line_of, whole_of
from pipelines.documents.wording import Record_, checked
from pipelines.files import ITEMS, PROPOSITIONS, SUMMARY, read_document, read_manifest, read_summary
from pipelines.named_paths import named_twice


class _Asked(NamedTuple):
    """Digests of what was put to the agent; None where the run does not tell."""

    asked: frozenset[str] | None
    splits: dict[str, str]


def read_entries(paths: Sequence[Path]) -> list[LeaderboardEntry]:
    """Return the runs. Raises ConfigError with every fault of them: no run, another format, unreadable, named twice."""
    faults = named_twice(paths, "a run stands in a table once")
    entries = []
    for path, name in zip(paths, distinct_names(paths), strict=True):
        try:
            entries.append(_entry(path, name))
        except (ConfigError, RunFolderError) as error:
            faults.append(str(error))
    if faults:
        raise ConfigError("\n".join(dict.fromkeys(faults)))
    return entries


def entry_of_run(folder: Path, name: str) -> LeaderboardEntry:
    """Return a run folder under a name. Raises RunFolderError where it is none, or one of another format."""
    manifest, summary = read_manifest(folder), read_summary(folder)
    asked = _asked(folder)
    null_policy = null_policy_of(summary.null_policy, where=f"{folder / SUMMARY}: ")
    return LeaderboardEntry(
        run=name,
        metrics_version=summary.metrics_version,
        null_policy=null_policy,
        signals_version=summary.signals_version,
        policy=summary.policy,
        policy_key=manifest.key.get("policy", "") if manifest.policy == summary.policy else "",
        judge=summary.judge,
        judge_key=judge_key(summary, manifest),
        # While a run goes on, or where it was killed, its summary may be that of an earlier attempt.
        complete=summary.complete and manifest.state != "running",
        estimates=estimates(summary.metrics, summary.derived, summary.composite, null_policy),
        inputs={symbol: derived.inputs for symbol, derived in summary.derived.items()},
        composite=summary.composite,
        coverage=summary.coverage,
        judge_cost_usd=summary.usage.cost_usd,
        asked=asked.asked,
        splits=asked.splits,
        noise_half_credit=has_half_credit(summary.metrics),
        disclosure=summary.disclosure,
    )


def _entry(path: Path, name: str) -> LeaderboardEntry:
    if not path.exists():
        raise ConfigError(f"{path} is not there: expected a run folder of `judge score`, or a file that `judge crux --json` wrote")
    if path.is_dir():
        return entry_of_run(path, name)
    if (other := _other_than_sessions(path)) is not None:
        raise ConfigError(f"{path} {other}; expected a run folder of `judge score`, or a file that `judge crux --json` wrote")
    return entry_of_crux(read_document(path, CruxSummary), name)


_OTHERS = {
    "coverage": "is the summary of a run: name its folder",
    "key": "is the manifest of a run: name its folder",
    "floors": "is a campaign, which `judge campaign` scores",
    "standings": "is a leaderboard already",
    "events": "is a trace, which `judge crux --json` measures",
}
"""What a JSON object is that is no result of `judge crux`, by a key that it has."""


def _other_than_sessions(path: Path) -> str | None:
    """Return what a file holds instead of measured sessions, if it holds an object without any."""
    try:
        value = whole_of(read_bytes(path)).value
    except InputError as error:
        raise ConfigError(str(error)) from error
    if not isinstance(value, dict) or "sessions" in value or "format" not in value:
        return None
    return next((words for key, words in _OTHERS.items() if key in value), None)


def distinct_names(paths: Sequence[Path]) -> list[str]:
    """Return the name of each folder with as many of the folders above it as set it apart from all others."""
    parts = [path.resolve().parts for path in paths]
    return [_name(each, [other for other in parts if other != each]) for each in parts]


def _name(parts: tuple[str, ...], others: Sequence[tuple[str, ...]]) -> str:
    for length in range(1, len(parts)):
        if all(other[-length:] != parts[-length:] for other in others):
            return "/".join(parts[-length:])
    return str(Path(*parts))


def judge_key(summary: Summary, manifest: RunManifest) -> str:
    """Return a digest of who judged, leaving the label policy aside, which is compared by itself."""
    if manifest.judge.id != summary.judge.id:
        return summary.judge.id
    identities = manifest.judge.identities
    return content_hash(*(identities[kind].model_copy(update={"policy": None}) for kind in sorted(identities)))


def _asked(folder: Path) -> _Asked:
    """Return digests of each question with its ground truths and own propositions, and of the propositions of each ground truth."""
    if not all((folder / name).is_file() for name in (ITEMS, PROPOSITIONS)):
        return _Asked(None, {})
    return _Asked(
        frozenset(_digest(item) for item in _lines(folder / ITEMS, Item)),
        {frozen.key: content_hash([part.text for part in frozen.propositions]) for frozen in _lines(folder / PROPOSITIONS, Decomposition)},
    )


def _digest(item: Item) -> str:
    return content_hash(item.question, list(item.ground_truth), [part.text for part in item.propositions])


def _lines(path: Path, kind: type[Record_]) -> Iterator[Record_]:
    """Yield the lines of a file of a run. Raises ConfigError for the first that cannot be understood."""
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    yield kind.model_validate_json(line)
                except ValidationError:
                    file = FileBytes(path, line, "")
                    yield checked(file, line_of(file, number, line), kind)
    except InputError as error:
        raise ConfigError(str(error)) from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {plain_cause(error)}") from error
