"""True label shares from judged ones and a confusion matrix that people labelled, with what both samples leave uncertain."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from judge.statistics.small_matrix import condition_number, inverse, product, times, transposed

Counts = Sequence[float]
"""Weights of the judged labels, in the order of the labels."""

CountRows = Sequence[Counts]
"""Rows are human labels, columns judged ones; sums of weights."""

Covariance = list[list[float]]

_SINGULAR = 1e7
"""The condition number is known from squares, so beyond this it is rounding."""


class MatrixCorrection(NamedTuple):
    """`shares` sum to 1 and are not clipped, so they may be negative; `condition` is how much the inversion can enlarge errors."""

    shares: tuple[float, ...]
    judged: tuple[float, ...]
    condition: float


def correct_shares(labelled: CountRows, judged: Counts) -> MatrixCorrection | None:
    """Return pi, the solution of transposed(M) pi = p, where M[h][j] is the share of human label h that was judged j.

    None where a human label was never seen, nothing was judged, or M is singular: then the judged shares do not tell.
    """
    total, totals = fsum(judged), [fsum(row) for row in labelled]
    if total <= 0 or min(totals) <= 0:
        return None
    rates, shares = _rates(labelled), [count / total for count in judged]
    back, condition = inverse(transposed(rates)), condition_number(rates)
    if back is None or condition > _SINGULAR:
        return None
    return MatrixCorrection(tuple(times(back, shares)), tuple(shares), condition)


def independent_covariance(labelled: CountRows, judged: Counts) -> Covariance | None:
    """Return the covariance of `correct_shares` for independent things, counted and not weighted; None where that is None.

    B S transposed(B) with B the inverse of transposed(M) and S = cov(p) / n + the sum over h of pi_h^2 cov(M_h) / m_h, by the
    delta method.
    """
    found = correct_shares(labelled, judged)
    rates = _rates(labelled) if found else []
    back = inverse(transposed(rates)) if found else None
    if found is None or back is None:
        return None
    middle = _multinomial(found.judged, 1 / fsum(judged))
    for share, row, rate in zip(found.shares, labelled, rates, strict=True):
        middle = _added(middle, _multinomial(rate, share * share / fsum(row)))
    return product(product(back, middle), transposed(back))


def clustered_covariance(labelled: Mapping[str, CountRows], judged: Mapping[str, Counts], *, correction: bool = True) -> Covariance | None:
    """Return the covariance of `correct_shares` of the summed counts where things come in clusters (a sandwich).

    Each cluster enters by its influence on the shares, to first order; a cluster of the same name in both samples is one and the
    same, so labelled things may be drawn from what is corrected. `correction` enlarges each sample's part by G / (G - 1) for its
    G clusters. With one thing a cluster and no correction it equals `independent_covariance`.
    None where the shares are None, or a sample has fewer than two clusters.
    """
    influences = cluster_influences(labelled, judged, correction=correction)
    if influences is None:
        return None
    size = range(len(next(iter(influences.values()))))
    return [[fsum(part[i] * part[j] for part in influences.values()) for j in size] for i in size]


def cluster_influences(
    labelled: Mapping[str, CountRows], judged: Mapping[str, Counts], *, correction: bool = True
) -> dict[str, list[float]] | None:
    """Return how each cluster pulls at the corrected shares, see `clustered_covariance`."""
    all_labelled, all_judged = summed_rows(labelled.values()), summed(judged.values())
    found = correct_shares(all_labelled, all_judged) if labelled and judged else None
    if found is None or min(len(labelled), len(judged)) < 2:
        return None
    rates = _rates(all_labelled)
    back = inverse(transposed(rates))
    assert back is not None, "the shares were solved for"
    total, totals = fsum(all_judged), [fsum(row) for row in all_labelled]
    own = {name: _residual(counts, found.judged, 1 / total) for name, counts in judged.items()}
    errors = {
        name: _row_residuals(rows, rates, [-s / t for s, t in zip(found.shares, totals, strict=True)]) for name, rows in labelled.items()
    }
    scales = [_small_sample(len(part)) if correction else 1.0 for part in (own, errors)]
    zero = [0.0] * len(all_judged)
    return {
        name: times(back, [scales[0] * a + scales[1] * b for a, b in zip(own.get(name, zero), errors.get(name, zero), strict=True)])
        for name in sorted({*own, *errors})
    }


def summed(parts: Iterable[Counts]) -> list[float]:
    """Return the label by label sum."""
    return [fsum(column) for column in zip(*parts, strict=True)]


def summed_rows(parts: Iterable[CountRows]) -> list[list[float]]:
    """Return the cell by cell sum."""
    return [summed(rows) for rows in zip(*parts, strict=True)]


def _rates(labelled: CountRows) -> list[list[float]]:
    return [[count / fsum(row) for count in row] for row in labelled]


def _multinomial(shares: Counts, scale: float) -> Covariance:
    return [[scale * ((a if i == j else 0.0) - a * b) for j, b in enumerate(shares)] for i, a in enumerate(shares)]


def _added(left: Covariance, right: Covariance) -> Covariance:
    return [[a + b for a, b in zip(one, other, strict=True)] for one, other in zip(left, right, strict=True)]


def _residual(counts: Counts, shares: Counts, scale: float) -> list[float]:
    """Return how far a cluster's counts are from what its size and the overall shares would give."""
    total = fsum(counts)
    return [scale * (count - total * share) for count, share in zip(counts, shares, strict=True)]


def _row_residuals(rows: CountRows, rates: CountRows, scales: Counts) -> list[float]:
    return summed(_residual(row, rate, scale) for row, rate, scale in zip(rows, rates, scales, strict=True))


def _small_sample(groups: int) -> float:
    return sqrt(groups / (groups - 1))
