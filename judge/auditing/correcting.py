"""From the labels of a run and those of people to rates with the judge's error taken out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import fsum
from typing import NamedTuple

from judge.auditing.corrected_rates import DOES_NOT_FIT, FEW_LABELS, NO_ITEMS, POOR_JUDGE, Estimated, MatrixMethod, by_ppi, by_rogan_gladen
from judge.auditing.item_labels import Counts, ItemLabels, against_rest, by_cluster
from judge.auditing.labelled_samples import MIN_DOCUMENTS, MIN_EXAMPLES, LabelledRows, three_labels, two_labels
from judge.auditing.raw_rates import mean_share, pooled_share
from judge.schema.calibrations import Calibration
from judge.schema.corrections import CorrectedRate, Correction, LabelledSample
from judge.schema.figures import Figure
from judge.schema.manifests import FileFacts
from judge.statistics.matrix_correction import correct_shares

RECALL, CONTRADICTION = "R_proposition", "C_contradiction"

RATES = {RECALL: 0, CONTRADICTION: 1}
"""The rates that are corrected, and the place of their label."""

MATRIX, ROGAN_GLADEN, PPI = "matrix", "rogan_gladen", "ppi"

NOT_DRAWN = "not_drawn_from_this_run"


class Known(NamedTuple):
    """What a correction starts from. `input_sha256` is that of the input of the run that is corrected.

    `why_none` says why there are no items, where there are none.
    """

    calibration: Calibration
    file: FileFacts
    items: Sequence[ItemLabels]
    input_sha256: str
    why_none: str | None = None


def correct(known: Known) -> Correction:
    """Return recall and contradiction corrected for judge error, as means over items and pooled over propositions.

    By the matrix where people gave each of three labels often enough, recall else by the two-label formula; without a value where
    the judge is too poor or the labels are too few, which a warning then says.
    """
    drawn = _is_drawn(known)
    # Documents of another data set are others, whatever their names.
    samples = _Samples(*(view(known.calibration, "" if drawn else "labelled ") for view in (three_labels, two_labels)))
    items, propositions = known.items, round(fsum(sum(item.counts) for item in known.items))
    if not items:
        return _without_items(known, samples, drawn=drawn)
    by_item = _Weighting(samples, by_cluster((item.cluster, item.shares) for item in items), len(items))
    pooled = _Weighting(samples, by_cluster((item.cluster, item.counts) for item in items), propositions)
    powered = by_ppi(known.calibration.items, items) if drawn else Estimated(None, reason=NOT_DRAWN)
    by_method = {MATRIX: by_item.matrix.estimate(0), ROGAN_GLADEN: by_item.two_label, PPI: powered}
    rates = _rates(by_item, mean_share, items)
    return Correction(
        rates=rates,
        pooled=_rates(pooled, pooled_share, items),
        recall_by_method={name: found.figure(len(items)) for name, found in by_method.items()},
        sample=_sample(known, samples, drawn=drawn),
        warnings=(*_warnings(rates, samples), *_of_calibration(known.calibration), *(() if drawn else (_ASSUMED,))),
    )


_ASSUMED = "the labelled statements were not drawn from this run: that the judge errs here as it does there is assumed"


def _is_drawn(known: Known) -> bool:
    """Return whether the labelled statements are some of those that are corrected: drawn from them, or all of them."""
    calibration = known.calibration
    labelled = [data.sha256 for data in calibration.data] if len(calibration.data) == 1 else []
    return known.input_sha256 in (calibration.sampled_from, *labelled)


def _of_calibration(calibration: Calibration) -> Iterator[str]:
    """Yield what a calibration lacks."""
    if calibration.unjudged:
        lacking = f"{calibration.unjudged} of the calibration's labelled statements"
        yield f"{lacking} had no verdict of the judge: the correction rests on the others, as if it erred alike on all"


class _Samples(NamedTuple):
    """The labelled statements by three labels, and by two."""

    three: LabelledRows
    two: LabelledRows


def _without_items(known: Known, samples: _Samples, *, drawn: bool) -> Correction:
    nothing = Figure(value=None, n=0, reason=known.why_none or NO_ITEMS)
    rates = {name: CorrectedRate(raw=nothing, corrected=nothing) for name in RATES}
    return Correction(
        rates=rates,
        pooled=rates,
        recall_by_method=dict.fromkeys((MATRIX, ROGAN_GLADEN, PPI), nothing),
        sample=_sample(known, samples, drawn=drawn),
        warnings=tuple(_warnings(rates, samples)),
    )


class _Weighting:
    """A run's judged labels by cluster, each item weighing 1 or as many propositions as it has, beside the labelled samples."""

    def __init__(self, samples: _Samples, clusters: Mapping[str, Counts], n: int) -> None:
        self.n = n
        self.matrix = MatrixMethod(samples.three, clusters)
        self._samples = samples
        self._clusters = clusters

    @cached_property
    def two_label(self) -> Estimated:
        return by_rogan_gladen(self._samples.two, against_rest(self._clusters, 0))

    def chosen(self, place: int) -> tuple[str | None, Estimated]:
        """Return the method that speaks for a label, and what it says; no method, and why, where none can."""
        matrix = self.matrix.estimate(place)
        if matrix.value is not None:
            return MATRIX, matrix
        if place != 0:
            return None, matrix
        return ROGAN_GLADEN if self.two_label.value is not None else None, self.two_label


_Raw = Callable[[Sequence[ItemLabels], int], Figure]


def _rates(weighting: _Weighting, raw: _Raw, items: Sequence[ItemLabels]) -> dict[str, CorrectedRate]:
    found = {}
    for name, place in RATES.items():
        method, estimate = weighting.chosen(place)
        is_outside = estimate.value is not None and not 0 <= estimate.value <= 1
        found[name] = CorrectedRate(
            raw=raw(items, place),
            corrected=estimate.figure(weighting.n),
            method=method,
            unclipped=estimate.value if is_outside else None,
        )
    return found


def _sample(known: Known, samples: _Samples, *, drawn: bool) -> LabelledSample:
    rows = samples.three if samples.three.documents else samples.two
    total = rows.total or [[0.0] * len(rows.labels)] * len(rows.labels)
    solved = correct_shares(total, [1.0] * len(rows.labels))
    statements = fsum(map(fsum, samples.two.total))
    informed = samples.two.informed[0]
    if informed is None:
        youden = Figure(value=None, n=round(statements), reason=FEW_LABELS)
    else:
        low, high, method = informed.interval
        youden = Figure(value=informed.value, n=round(statements), ci95=(low, high), ci_method=method)
    return LabelledSample(
        calibration=known.file,
        statements=statements,
        weighted=known.calibration.weighted,
        documents=len({*samples.three.documents, *samples.two.documents}),
        labels={label: fsum(row) for label, row in zip(rows.labels, total, strict=True)},
        drawn_from_this_run=drawn,
        condition=None if solved is None else solved.condition,
        youden=youden,
    )


def _warnings(rates: Mapping[str, CorrectedRate], samples: _Samples) -> list[str]:
    """Say why a rate has no corrected value, which was clipped, and where two labels stand in for three."""
    said = []
    for name, rate in rates.items():
        if rate.corrected.value is None:
            said.append(_why(name, rate.corrected.reason, samples))
        elif rate.unclipped is not None:
            said.append(f"the corrected {name} is {rate.unclipped:.3f}, outside 0 to 1, and shown as {rate.corrected.value:.0f}")
    if rates[RECALL].method == ROGAN_GLADEN and samples.three.documents:
        said.append("R_proposition is corrected by two labels, supported or not: three cannot be told apart well enough")
    return said


def _why(name: str, reason: str | None, samples: _Samples) -> str:
    if reason == POOR_JUDGE:
        return f"{name} is not corrected: on the labelled statements the judge's label tells too little of what people say"
    if reason == FEW_LABELS:
        rows = samples.two if name == RECALL else samples.three
        least = f"{MIN_EXAMPLES} examples in {MIN_DOCUMENTS} documents of every label that people can give"
        return f"{name} is not corrected: it takes {least}, found {', '.join(rows.too_few)}"
    if reason == DOES_NOT_FIT:
        return f"{name} is not corrected: with the errors on the labelled statements no true share gives what was judged here"
    return f"{name} is not corrected: as judged it has no value ({reason})"
