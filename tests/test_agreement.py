"""Agreement of two raters, against numbers worked out by hand."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.statistics.agreement import cohen_kappa, f1_score

LABELS = ("supported", "contradicted", "not_addressed")
LABELLED = [[40, 2, 8], [1, 12, 2], [5, 3, 27]]
"""Rows are the labels of a person, columns those of a judge."""
PARADOX = [[90, 4], [5, 1]]


def raters(matrix: list[list[int]]) -> tuple[list[str], list[str]]:
    """Return what each of the two said, thing by thing."""
    cells = [(LABELS[row], LABELS[column], count) for row, counts in enumerate(matrix) for column, count in enumerate(counts)]
    return [row for row, _, count in cells for _ in range(count)], [column for _, column, count in cells for _ in range(count)]


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        pytest.param(LABELLED, 0.6585365854, id="three-labels"),
        pytest.param(PARADOX, 0.1346153846, id="one-label-dominates"),
        pytest.param([[25, 25], [25, 25]], 0.0, id="by-chance"),
        pytest.param([[0, 5], [5, 0]], -1.0, id="never"),
        pytest.param([[3, 0], [0, 4]], 1.0, id="always"),
        pytest.param([[10, 0], [0, 0]], None, id="one-label-throughout"),
        pytest.param([[0, 0], [0, 0]], None, id="nothing-rated"),
    ],
)
def test_cohen_kappa(matrix: list[list[int]], expected: float | None) -> None:
    """Agreement beyond chance, undefined where chance explains everything."""
    assert cohen_kappa(*raters(matrix)) == (None if expected is None else pytest.approx(expected, abs=1e-10))


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        pytest.param(LABELLED, [0.8333333333, 0.75, 0.75], id="three-labels"),
        pytest.param([[2, 1], [3, 0]], [0.5, 0.0, None], id="never-found-and-never-there"),
        pytest.param([[0, 0], [0, 0]], [None, None, None], id="nothing-rated"),
    ],
)
def test_f1_score(matrix: list[list[int]], expected: list[float | None]) -> None:
    """Each label against the rest; one that occurs nowhere has none."""
    found = [f1_score(*raters(matrix), label) for label in LABELS]
    assert found == [None if one is None else pytest.approx(one, abs=1e-10) for one in expected]


def test_raters_of_different_things_are_refused() -> None:
    """Nothing is cut off in silence."""
    with pytest.raises(ValueError, match="got 1 and 2"):
        cohen_kappa(["a"], ["a", "b"])
    with pytest.raises(ValueError, match="got 2 and 0"):
        f1_score(["a", "b"], [], "a")


@given(
    pairs=st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=40), shuffled=st.permutations(LABELS)
)
def test_kappa_is_symmetric_and_blind_to_names(pairs: list[tuple[str, str]], shuffled: Sequence[str]) -> None:
    """Raters change places and labels change names; only the counts matter, and the value stays within its bounds."""
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    kappa = cohen_kappa(first, second)
    renamed = dict(zip(LABELS, shuffled, strict=True))
    assert cohen_kappa(second, first) == kappa
    assert cohen_kappa([renamed[one] for one in first], [renamed[one] for one in second]) == kappa
    assert kappa is None or -1 <= kappa <= 1
    assert cohen_kappa(first, first) in (1.0, None)
