"""Judged labels against those of people, as figures with intervals clustered by document."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from judge.schema.agreements import HumanAgreement, LabelAgreement, LabelFigures
from judge.schema.labels import UnjudgedReason
from judge.statistics.bootstrap import cluster_bootstrap_many
from judge.statistics.clustering import mean_interval
from judge.statistics.confusion import (
    Confusion,
    accuracy,
    alpha_of_two,
    balanced_accuracy,
    cohen_kappa_of,
    gwet_ac1,
    label_scores,
    macro_f1,
    scott_pi,
)
from judge.statistics.interval import Interval


class Labelled(NamedTuple):
    """One thing that people labelled and a judge was asked about. `weight` is how many things it stands for in a stratified sample."""

    gold: str
    judged: str | UnjudgedReason
    cluster: str
    weight: float = 1.0


FIGURES: Mapping[str, Callable[[Confusion], float | None]] = {
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
    "macro_f1": macro_f1,
    "cohen_kappa": cohen_kappa_of,
    "gwet_ac1": gwet_ac1,
    "scott_pi": scott_pi,
    "krippendorff_alpha": alpha_of_two,
}

_UNDEFINED = "undefined (one label only)"
_ONE_CLUSTER = "a single document allows no interval"
_NO_VARIATION = "no variation, which is not certainty"
_RARE = "undefined in too many of the resampled documents"
_NOISE = 1e-13
"""What rounding leaves of a width of 0."""
_NONE_JUDGED = "nothing was judged"


def agreement_of(
    things: Sequence[Labelled], labels: Sequence[str], *, human: HumanAgreement | None = None, seed: int = 0
) -> LabelAgreement | None:
    """Return the figures of labelled things; None without any. `labels` are all words that people or judge may say, in order.

    Alpha of weighted things takes each for itself, since its correction for small samples knows no weights.
    """
    if not things:
        return None
    judged = [thing for thing in things if not isinstance(thing.judged, UnjudgedReason)]
    parts = _by_cluster(judged, labels)
    whole = Confusion.total(list(parts.values())) if parts else Confusion.of(labels, [])
    values = {name: figure(whole) for name, figure in FIGURES.items()}
    intervals = _intervals(judged, parts, seed)
    shown = {name: each for name, each in intervals.items() if each is not None and values[name] is not None and not _is_flat(each)}
    return LabelAgreement(
        n=len(judged),
        clusters=len(parts),
        **values,
        accuracy_bounds=_bounds(things, whole),
        by_label={
            name: LabelFigures(n=one.n, precision=one.precision, recall=one.recall, f1=one.f1) for name, one in label_scores(whole).items()
        },
        confusion={row: dict(zip(labels, counts, strict=True)) for row, counts in zip(labels, whole.counts, strict=True)},
        unjudged=dict(sorted(Counter(thing.judged for thing in things if isinstance(thing.judged, UnjudgedReason)).items())),
        ci95={name: (each.low, each.high) for name, each in shown.items()},
        ci_method={name: each.method for name, each in shown.items()},
        reasons=_reasons(values, intervals, clusters=len(parts)),
        human=human,
    )


def _by_cluster(things: Sequence[Labelled], labels: Sequence[str]) -> dict[str, Confusion]:
    """Return the counts of each cluster, clusters in the order of their names, so that the order of things does not matter."""
    grouped: defaultdict[str, defaultdict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    for thing in things:
        grouped[thing.cluster][thing.gold, str(thing.judged)].append(thing.weight)
    return {
        cluster: Confusion(tuple(labels), tuple(tuple(fsum(cells.get((row, column), ())) for column in labels) for row in labels))
        for cluster, cells in sorted(grouped.items())
    }


def _intervals(judged: Sequence[Labelled], parts: Mapping[str, Confusion], seed: int) -> dict[str, Interval | None]:
    """Return the interval of each figure: of the accuracy of plain counts by its own formula, of the others by resampling documents."""
    if not judged:
        return dict.fromkeys(FIGURES)

    def statistic(drawn: Sequence[Confusion]) -> dict[str, float | None]:
        total = Confusion.total(drawn)
        return {name: figure(total) for name, figure in FIGURES.items()}

    found = cluster_bootstrap_many(parts, statistic, seed=seed)
    if all(thing.weight == 1.0 for thing in judged):
        found["accuracy"] = mean_interval([float(thing.gold == thing.judged) for thing in judged], [thing.cluster for thing in judged])
    return found


def _is_flat(interval: Interval | None) -> bool:
    """Return whether no resample differs: an interval without width would claim certainty."""
    return interval is not None and interval.high - interval.low < _NOISE


def _reasons(values: Mapping[str, float | None], intervals: Mapping[str, Interval | None], *, clusters: int) -> dict[str, str]:
    """Return why a figure has no value, or a value no interval."""
    reasons = {}
    for name, value in values.items():
        if value is None:
            reasons[name] = _UNDEFINED if clusters else _NONE_JUDGED
        elif _is_flat(intervals[name]):
            reasons[name] = _NO_VARIATION
        elif intervals[name] is None:
            reasons[name] = _ONE_CLUSTER if clusters < 2 else _RARE
    return reasons


def _bounds(things: Sequence[Labelled], judged: Confusion) -> tuple[float, float]:
    """Return the accuracy with everything unjudged taken as wrong, and as right."""
    total = fsum(thing.weight for thing in things)
    return judged.agreed / total, (judged.agreed + total - judged.n) / total
