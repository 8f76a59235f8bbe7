"""`judge audit plan`: from a run, a calibration or both to numbers of labels and of questions; nothing is asked."""

from collections.abc import Mapping
from math import fsum
from pathlib import Path
from typing import NamedTuple

from judge.auditing.comparison_plans import one_run, question_scores, two_runs
from judge.auditing.item_labels import Counts, ItemLabels, against_rest, by_cluster, item_labels
from judge.auditing.label_plans import corrected_labels, expected_recall, human_only
from judge.auditing.labelled_samples import LabelledRows, effective_share, two_labels
from judge.errors import ConfigError, RunFolderError, plain_cause
from judge.schema.manifests import RunManifest
from judge.schema.plans import ComparisonPlan, Plan
from judge.schema.results import ItemResult
from judge.statistics.rogan_gladen import TwoLabels
from pipelines.audits.subjects import audit_disclosure
from pipelines.calibrating import ReadCalibration, check_calibration, read_calibration
from pipelines.disclosing import METRICS_VERSION
from pipelines.files import read_manifest, read_summary
from pipelines.rendering import results_of

ASSUMED_SHARE = 0.9
ASSUMED_SIZE = 100.0
"""A judge of which nothing is known is taken to be right so often, as if that had been seen on so many statements of each label."""

_UNKNOWN_RUN = 1e12
"""Stands for the size of a run that nobody named: its own part of the width is left out."""


class Wanted(NamedTuple):
    """What a plan is made from, as a user names it."""

    run: Path | None
    against: Path | None
    calibration: Path | None
    width: float


def make_plan(wanted: Wanted) -> Plan:
    """Return how many labels a wanted width takes, and what a comparison can detect.

    Raises ConfigError where neither a run nor a calibration is named, or they do not fit, and RunFolderError for a run that cannot be
    read.
    """
    if not 0 < wanted.width < 1:
        raise ConfigError(f"--width {wanted.width:g}: expected the width of a whole interval, above 0 and below 1, such as 0.1")
    if wanted.run is None and wanted.calibration is None:
        raise ConfigError("nothing to plan from: name a run folder, or --calibration CARD, or both")
    if wanted.against is not None and wanted.run is None:
        raise ConfigError(f"--against {wanted.against}: there is no first run to compare it with; name one before it")
    run = None if wanted.run is None else _read_run(wanted.run)
    read = None if wanted.calibration is None else read_calibration(wanted.calibration)
    if run is not None and read is not None:
        check_calibration(read, run.manifest.judge.spec, run.manifest.judge.identities["label"])
    ground = _ground(run, read)
    return Plan(
        run=None if wanted.run is None else wanted.run.name,
        statements_in_run=ground.statements,
        against=None if wanted.against is None else wanted.against.name,
        calibration=None if read is None else read.file.name,
        width=wanted.width,
        recall=expected_recall(ground.sample),
        sensitivity=ground.sample.sensitivity,
        specificity=ground.sample.specificity,
        human_only=human_only(expected_recall(ground.sample), wanted.width, ground.deff),
        corrected=corrected_labels(ground.sample, wanted.width, ground.deff),
        comparison=None if run is None else _comparison(run, wanted),
        assumptions=_assumptions(run, read, wanted),
        disclosure=_disclosure(run, read),
    )


class _Run(NamedTuple):
    manifest: RunManifest
    results: list[ItemResult]
    is_complete: bool


class _Ground(NamedTuple):
    """The judged share and the judge's errors with effective sizes, and the design effect of statements in clusters."""

    sample: TwoLabels
    deff: float
    statements: int | None = None


def _read_run(folder: Path) -> _Run:
    manifest = read_manifest(folder)
    if manifest.audit is not None:
        raise RunFolderError(f"{folder} holds an audit ({manifest.audit}); a run of `judge score` is expected")
    summary = read_summary(folder)
    try:
        return _Run(manifest, [result for _, result in results_of(folder)], summary.complete)
    except OSError as error:
        raise RunFolderError(f"{folder} cannot be read: {plain_cause(error)}") from error


def _ground(run: _Run | None, read: ReadCalibration | None) -> _Ground:
    labelled = None if read is None else two_labels(read.calibration, "")
    items = [] if run is None else [item for result in run.results if (item := item_labels(result)) is not None]
    if run is not None and not items:
        raise ConfigError("no item of the run has a recall: there is nothing to plan from")
    negative, positive = (_errors(labelled, row) for row in (1, 0))
    if run is None:
        assert labelled is not None, "a run or a calibration is named"
        share = _judged_share(labelled)
        return _Ground(TwoLabels(share, _UNKNOWN_RUN, *negative, *positive), _label_deff(labelled))
    observed = effective_share(list(_pairs(by_cluster((item.cluster, item.shares) for item in items)).values()))
    assert observed is not None, "there are items"
    statements = round(fsum(sum(item.counts) for item in items))
    return _Ground(TwoLabels(observed.share, observed.n, *negative, *positive), _statement_deff(items), statements)


def _errors(labelled: LabelledRows | None, row: int) -> tuple[float, float]:
    """Return how often the judge is right on one human label, and the effective size of that; assumed where nobody labelled."""
    if labelled is None:
        return ASSUMED_SHARE, ASSUMED_SIZE
    found = effective_share([(rows[row][row], fsum(rows[row])) for rows in labelled.documents.values()])
    if found is None:
        raise ConfigError(f"--calibration: people called no statement {labelled.labels[row]}: how the judge errs there is unknown")
    return found.share, found.n


def _judged_share(labelled: LabelledRows) -> float:
    total = labelled.total
    return fsum(row[0] for row in total) / fsum(map(fsum, total))


def _statement_deff(items: list[ItemLabels]) -> float:
    return _deff(list(_pairs(by_cluster((item.cluster, item.counts) for item in items)).values()))


def _label_deff(labelled: LabelledRows) -> float:
    return _deff([(fsum(rows[0]), fsum(map(fsum, rows))) for rows in labelled.documents.values()])


def _deff(clusters: list[tuple[float, float]]) -> float:
    """Return the design effect of a share of statements in clusters; at least 1, since less is chance."""
    found = effective_share(clusters)
    return 1.0 if found is None else max(1.0, fsum(size for _, size in clusters) / found.n)


def _pairs(clusters: Mapping[str, Counts]) -> dict[str, tuple[float, float]]:
    return {name: (counts[0], fsum(counts)) for name, counts in against_rest(clusters, 0).items()}


def _comparison(run: _Run, wanted: Wanted) -> ComparisonPlan:
    first = question_scores(run.results)
    if wanted.against is None:
        return one_run(first)
    second = question_scores(_read_run(wanted.against).results)
    if not first.keys() & second.keys():
        raise ConfigError(
            f"{wanted.run} and {wanted.against} share no question with a recall in both: runs are paired by question_id, "
            "or by id where an item has none"
        )
    return two_runs(first, second)


def _assumptions(run: _Run | None, read: ReadCalibration | None, wanted: Wanted) -> tuple[str, ...]:
    said = []
    if read is None:
        said.append(f"the judge is taken to be right on {100 * ASSUMED_SHARE:.0f} % of either label; --calibration CARD tells it")
    elif few := two_labels(read.calibration, "").too_few:
        said.append(f"the calibration is too small to correct by ({', '.join(few)}): how the judge errs is a guess from it")
    if run is not None and not run.is_complete:
        said.append("the run is incomplete: the plan rests on the items that were wholly judged")
    if run is None:
        said.append("the run's own share of the width is left out; a run folder tells it")
    elif wanted.against is None:
        said.append("recalls of two runs are taken to correlate by 0.5 from question to question; --against RUN tells it")
    return (*said, "labels are taken to come in whole items, as clustered as the statements of the run")


def _disclosure(run: _Run | None, read: ReadCalibration | None) -> str:
    if run is not None:
        return audit_disclosure(run.manifest.judge.identities["label"])
    assert read is not None, "a run or a calibration is named"
    return f"metrics_version {METRICS_VERSION}; label policy {read.calibration.policy}; not fully objective"
