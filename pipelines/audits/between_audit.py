"""`judge audit between`: two finished runs side by side; nothing is asked."""

from pathlib import Path
from typing import NamedTuple

from judge.auditing.run_disagreements import run_disagreements
from judge.auditing.run_figures import abstention_agreement, label_agreement, rate_difference
from judge.auditing.run_pairs import ItemFound, RunPairs, pair_runs
from judge.errors import ConfigError, RunFolderError, plain_cause
from judge.schema.betweens import Between
from judge.schema.manifests import RunManifest
from judge.schema.summaries import Summary
from judge.scorecard import CONTRADICTION, RECALL
from pipelines.audits.compared_runs import compared_run, judge_differences
from pipelines.counting import counted
from pipelines.ending import UNFINISHED
from pipelines.entries import distinct_names
from pipelines.files import read_manifest, read_summary
from pipelines.rendering import results_of


class FinishedRun(NamedTuple):
    """A run on disk that went to its end, with all its items, under a name that tells it from the other."""

    folder: Path
    name: str
    manifest: RunManifest
    summary: Summary
    items: list[ItemFound]


def read_finished(folder: Path, name: str) -> FinishedRun:
    """Return a run folder, also that of an agreement audit. Raises RunFolderError where it is none, or did not go to its end."""
    manifest = read_manifest(folder)
    if manifest.state in UNFINISHED:
        raise RunFolderError(f"{folder} is not finished (state {manifest.state}): the command that began it resumes it")
    summary = read_summary(folder)
    try:
        return FinishedRun(folder, name, manifest, summary, list(results_of(folder)))
    except OSError as error:
        raise RunFolderError(f"{error.filename or folder} cannot be read: {plain_cause(error)}") from error


def compare_runs(first_folder: Path, second_folder: Path, *, seed: int = 0) -> Between:
    """Return two runs side by side. `seed` is that of the resampled intervals and permutations.

    Raises RunFolderError for folders that hold no finished run, and ConfigError where the two have nothing in common.
    """
    runs = _both(first_folder, second_folder)
    first, second = runs
    pairs = pair_runs(first.items, second.items)
    if not _has_something_in_common(pairs):
        raise ConfigError(_nothing_in_common(runs, pairs))
    compared = [compared_run(run.manifest, run.summary, run.name) for run in runs]
    differs = judge_differences(*compared)
    propositions = [each for each in pairs.statements if each.role == "proposition"]
    others = [each for each in pairs.statements if each.role != "proposition"]
    return Between(
        judge=compared[0].judge,
        data=first.manifest.input,
        complete=all(run.complete for run in compared),
        usage=None,
        warnings=tuple(_warnings(runs, is_same_judge=not differs)),
        disclosure=_disclosure(first.summary.disclosure, second.summary.disclosure),
        first=compared[0],
        second=compared[1],
        differs=differs,
        joined=pairs.joined,
        propositions=label_agreement(propositions, seed),
        other_statements=label_agreement(others, seed),
        abstention=abstention_agreement(pairs.items, seed),
        rates=tuple(rate_difference(metric, pairs.items, seed) for metric in (RECALL, CONTRADICTION)),
        disagreements=run_disagreements(pairs.statements),
    )


def _both(first: Path, second: Path) -> tuple[FinishedRun, FinishedRun]:
    """Return both runs. Raises RunFolderError naming what is wrong with either of them."""
    found, faults = [], []
    for folder, name in zip((first, second), distinct_names((first, second)), strict=True):
        try:
            found.append(read_finished(folder, name))
        except RunFolderError as error:
            faults.append(str(error))
    if faults:
        raise RunFolderError("\n".join(dict.fromkeys(faults)))
    return found[0], found[1]


def _has_something_in_common(pairs: RunPairs) -> bool:
    """Return whether there is anything to compare; of answers that no run holds against a statement, whether they abstain."""
    joined = pairs.joined
    either_has_statements = bool(joined.statements or joined.statements_only_in_first or joined.statements_only_in_second)
    return bool(joined.statements or (joined.items and not either_has_statements))


def _nothing_in_common(runs: tuple[FinishedRun, FinishedRun], pairs: RunPairs) -> str:
    joined, (first, second) = pairs.joined, runs
    expected = "expected two runs that judged the same statements of the same answers"
    if joined.items:
        sizes = f"{joined.statements_only_in_first} in {first.folder}, {joined.statements_only_in_second} in {second.folder}"
        advice = "--propositions FILE gives both runs the same ones"
        return f"the runs share {counted(joined.items, 'answer')} and no statement ({sizes}); {expected}: {advice}"
    if joined.another_answer or joined.another_question:
        texts = f"{joined.another_answer} with another answer, {joined.another_question} with another question"
        return f"no item is the same in both runs: of those with the same id {texts}; {expected}"
    names = ", ".join(f"{run.folder} has {_ids(run)}" for run in runs)
    return f"no item id is in both runs: {names}; {expected}"


def _ids(run: FinishedRun) -> str:
    return f"{counted(len(run.items), 'item')}" + (f" such as {run.items[0][0].id!r}" if run.items else "")


def _warnings(runs: tuple[FinishedRun, FinishedRun], *, is_same_judge: bool) -> list[str]:
    first, second = runs
    found = [
        f"{run.name} is incomplete: too little was judged in it; the figures are of what both runs judged"
        for run in runs
        if not run.summary.complete
    ]
    if first.folder.resolve() == second.folder.resolve():
        found.append("both runs are the same folder: it agrees with itself, which shows nothing")
    elif is_same_judge:
        found.append("both runs have the same judge: they differ by its own noise, or not at all where one took its verdicts from a cache")
    return found


def _disclosure(first: str, second: str) -> str:
    return first if first == second else f"first run: {first}. Second run: {second}"
