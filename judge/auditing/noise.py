"""How much of a score's spread is the judge's own noise, from scores of the same items over repeats."""

from collections.abc import Sequence
from math import fsum

from judge.schema.consistency import ScoreNoise
from judge.statistics.clustering import clustered_standard_error
from judge.statistics.components import noise_share, variance_components
from judge.statistics.spread import sample_deviation


def score_noise(metric: str, scores: Sequence[Sequence[float | None]], clusters: Sequence[str]) -> ScoreNoise:
    """Return the parts of the spread; `scores` holds for each item its score in each repeat, None where it has none.

    Items without a score in every repeat are left out, so that all repeats are about the same items.
    """
    whole = [(row, cluster) for row, cluster in zip(scores, clusters, strict=True) if row and None not in row]
    rows = [[value for value in row if value is not None] for row, _ in whole]
    means = [fsum(column) / len(column) for column in zip(*rows, strict=True)]
    parts = variance_components(rows)
    error = clustered_standard_error([row[0] for row in rows], [cluster for _, cluster in whole]) if rows else None
    share = noise_share({str(number): row for number, row in enumerate(rows)})
    reason = None
    if parts is None:
        reason = "fewer than two items have this score in every repeat"
    elif share is None:
        reason = "no variation at all"
    return ScoreNoise(
        metric=metric,
        items=len(rows),
        between=None if parts is None else parts.between,
        within=None if parts is None else parts.within_square,
        noise_share=share,
        run_values=tuple(means),
        run_deviation=sample_deviation(means),
        headline_share=None if parts is None or not error else min(1.0, parts.within_square / len(rows) / (error * error)),
        reason=reason,
    )
