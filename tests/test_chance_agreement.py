"""What the published examples give besides their coefficients: agreement by chance, correlations, and sizes as whole numbers."""

from math import ceil

import pytest

from judge.statistics.confusion import Confusion, accuracy, cohen_kappa_of, gwet_ac1
from judge.statistics.correlation import pearson
from judge.statistics.fleiss import fleiss_kappa, ratings_part
from judge.statistics.planning import paired_t_size, two_share_size

LABELLED = Confusion(("s", "c", "n"), ((40.0, 2.0, 8.0), (1.0, 12.0, 2.0), (5.0, 3.0, 27.0)))
RATINGS = [[5, 0, 0], [4, 1, 0], [0, 5, 0], [2, 1, 2], [0, 0, 5], [3, 0, 2], [1, 1, 3], [0, 4, 1]]
FIRST = [1, 1, 0.5, 0, 1, 0.75, 1, 0.5, 0.25, 1]
SECOND = [0.5, 1, 0.5, 0, 0.75, 0.5, 1, 0, 0.5, 0.75]


def by_chance(observed: float | None, coefficient: float | None) -> float:
    """Return the agreement by chance that a coefficient takes out of what was observed."""
    assert observed is not None
    assert coefficient is not None
    return (observed - coefficient) / (1 - coefficient)


def test_agreement_by_chance() -> None:
    """Of two raters 0.385 by their own shares and 0.3072 by Gwet's; of five 0.33625 of 0.6375."""
    assert by_chance(accuracy(LABELLED), cohen_kappa_of(LABELLED)) == pytest.approx(0.385, abs=1e-10)
    assert by_chance(accuracy(LABELLED), gwet_ac1(LABELLED)) == pytest.approx(0.3072, abs=1e-10)
    part = ratings_part(RATINGS)
    assert part.agreement / part.things == pytest.approx(0.6375, abs=1e-10)
    assert by_chance(part.agreement / part.things, fleiss_kappa(RATINGS)) == pytest.approx(0.33625, abs=1e-10)


def test_correlation_of_two_agents_on_the_same_questions() -> None:
    """Which is why the paired standard error is half of the other one."""
    assert pearson(FIRST, SECOND) == pytest.approx(0.7753148861, abs=1e-10)


def test_sizes_are_rounded_up() -> None:
    """A plan says how many whole questions it takes."""
    assert (ceil(paired_t_size(0.35, 0.05)), ceil(two_share_size(0.80, 0.85))) == (387, 903)
