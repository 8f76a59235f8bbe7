"""Rates corrected for judge error, against published numbers, the libraries, and limits that must hold."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.statistics.matrix_correction import (
    clustered_covariance,
    correct_shares,
    independent_covariance,
    summed,
    summed_rows,
)
from judge.statistics.prediction_powered import (
    Clusters,
    Scores,
    clustered_powered_interval,
    clustered_powered_mean,
    power_weight,
    powered_interval,
    powered_mean,
)
from judge.statistics.rogan_gladen import (
    TwoLabels,
    lee_interval,
    rogan_gladen,
    rogan_gladen_variance,
    split_budget,
    youden,
    youden_interval,
)
from judge.statistics.small_matrix import condition_number, inverse, product, symmetric_eigenvalues

LABELLED = ((40, 2, 8), (1, 12, 2), (5, 3, 27))
JUDGED = (520, 180, 300)
HUMAN = (1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1)
BESIDE = (1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1)
MANY = Scores(HUMAN, BESIDE, (1,) * 140 + (0,) * 60)
FEWER = Scores(HUMAN, BESIDE, (1,) * 120 + (0,) * 80)

shares = st.floats(0, 1)
cells = st.integers(0, 9)
tables = st.lists(st.lists(cells, min_size=3, max_size=3), min_size=3, max_size=3)
squares = st.lists(st.lists(st.floats(-5, 5), min_size=3, max_size=3), min_size=3, max_size=3)


def close(value: float) -> object:
    """Return what equals a published number of ten digits."""
    return pytest.approx(value, abs=1e-10)


@pytest.mark.parametrize(
    ("sample", "theta", "error", "low", "high"),
    [
        (TwoLabels(0.70, 1000, 0.85, 100, 0.90, 100), 0.7333333333, 0.0373492030, 0.6644018588, 0.8163133881),
        (TwoLabels(0.40, 300, 0.80, 60, 0.95, 40), 0.2666666667, 0.0642013294, 0.1227648765, 0.3865820630),
        (TwoLabels(0.10, 500, 0.85, 50, 0.90, 50), -0.0666666667, 0.0741090288, 0, 0.0488627660),
        (TwoLabels(0.95, 200, 0.90, 30, 0.92, 70), 1.0365853659, 0.0451595947, 0.9547817383, 1),
    ],
)
def test_two_labels(sample: TwoLabels, theta: float, error: float, low: float, high: float) -> None:
    """The estimate is not clipped, the interval of Lee et al. is."""
    variance = rogan_gladen_variance(sample)
    assert variance is not None
    assert rogan_gladen(sample) == close(theta)
    assert sqrt(variance) == close(error)
    assert lee_interval(sample) == (close(low), close(high), "lee")


@given(share=shares, n=st.integers(1, 500))
def test_a_perfect_judge_is_not_corrected(share: float, n: int) -> None:
    """Sensitivity and specificity of 1 leave the share as it is."""
    sample = TwoLabels(share, n, 1, 10, 1, 10)
    assert rogan_gladen(sample) == pytest.approx(share)
    interval = lee_interval(sample)
    assert interval is not None
    assert 0 <= interval.low < interval.high <= 1


def test_a_judge_by_chance_corrects_nothing() -> None:
    """J is 0: no estimate, no variance; its interval covers 0 and has a width also for perfect labels."""
    coin = TwoLabels(0.5, 100, 0.4, 10, 0.6, 10)
    assert (youden(coin), rogan_gladen(coin), rogan_gladen_variance(coin), lee_interval(coin)) == (0, None, None, None)
    interval = youden_interval(coin)
    assert interval.low < 0 < interval.high
    perfect = youden_interval(TwoLabels(0.5, 100, 1, 10, 1, 10))
    assert 0 < perfect.low < perfect.high < 1.1


def test_budget_goes_where_the_judge_errs() -> None:
    """Even errors and an even share split evenly; a side with more errors gets more labels; a side never called gets none."""
    assert split_budget(100, TwoLabels(0.5, 100, 0.9, 10, 0.9, 10), pilot=20) == (50, 50)
    sample = TwoLabels(0.5, 100, 0.7, 10, 0.9, 10)
    negatives, positives = split_budget(100, sample, pilot=20)
    assert positives == pytest.approx(100 / (1 + sqrt((20 * 0.3 + 1) / (20 * 0.1 + 1))))
    assert negatives == pytest.approx(100 - positives)
    assert split_budget(100, sample._replace(share=0), pilot=20) == (100, 0)
    assert split_budget(100, sample._replace(share=1), pilot=20) == (0, 100)


def test_three_labels() -> None:
    """The labelled matrix and 1,000 judged statements: shares, standard errors and the condition number."""
    found = correct_shares(LABELLED, JUDGED)
    covariance = independent_covariance(LABELLED, JUDGED)
    assert found is not None
    assert covariance is not None
    assert found.shares == (close(0.5936222404), close(0.1699918234), close(0.2363859362))
    assert sum(found.shares) == pytest.approx(1)
    assert found.condition == close(1.6197124682)
    assert [sqrt(covariance[k][k]) for k in range(3)] == [close(0.0614800468), close(0.0398531295), close(0.0659310932)]


def test_two_labels_are_a_matrix_too() -> None:
    """Two rows give Rogan and Gladen's estimate and variance."""
    sample = TwoLabels(0.70, 1000, 0.85, 100, 0.90, 100)
    rows, judged = ((90, 10), (15, 85)), (700, 300)
    found, covariance = correct_shares(rows, judged), independent_covariance(rows, judged)
    assert found is not None
    assert covariance is not None
    assert found.shares[0] == pytest.approx(rogan_gladen(sample))
    assert covariance[0][0] == pytest.approx(rogan_gladen_variance(sample))


def singletons(rows: tuple[tuple[int, ...], ...], side: str) -> dict[str, tuple[tuple[float, ...], ...]]:
    """Return one cluster for each labelled thing."""
    things = [(i, j) for i, row in enumerate(rows) for j, count in enumerate(row) for _ in range(count)]
    return {
        f"{side}{place}": tuple(tuple(float((i, j) == thing) for j in range(len(rows[0]))) for i in range(len(rows)))
        for place, thing in enumerate(things)
    }


def test_sandwich_of_single_things_is_the_independent_covariance() -> None:
    """One thing a cluster, no common name, no small-sample factor: nothing is clustered."""
    labelled = singletons(LABELLED, "labelled ")
    judged = {name: rows[0] for name, rows in singletons((JUDGED,), "judged ").items()}
    ours = clustered_covariance(labelled, judged, correction=False)
    theirs = independent_covariance(LABELLED, JUDGED)
    assert ours is not None
    assert theirs is not None
    assert np.allclose(ours, theirs, rtol=1e-9, atol=0)


def test_sandwich_grows_with_clusters() -> None:
    """The same things in twos know half as much when both always agree."""
    labelled = singletons(LABELLED, "labelled ")
    judged = {name: rows[0] for name, rows in singletons((JUDGED,), "judged ").items()}
    single = clustered_covariance(labelled, judged, correction=False)
    doubled = clustered_covariance(
        {name: tuple(tuple(2 * count for count in row) for row in rows) for name, rows in labelled.items()},
        {name: tuple(2 * count for count in counts) for name, counts in judged.items()},
        correction=False,
    )
    assert single is not None
    assert doubled is not None
    assert np.allclose(single, doubled)


def test_labels_from_the_same_documents_enter_jointly() -> None:
    """Where every statement is labelled by people, the corrected shares are the human ones, and so is their error."""
    documents: dict[str, tuple[tuple[float, ...], ...]] = {
        "a": ((3, 0, 1), (0, 1, 0), (0, 0, 2)),
        "b": ((1, 1, 0), (0, 2, 0), (1, 0, 1)),
        "c": ((4, 0, 0), (1, 2, 0), (0, 0, 0)),
        "d": ((2, 0, 0), (0, 0, 1), (0, 1, 3)),
    }
    judged = {name: tuple(summed(rows)) for name, rows in documents.items()}
    human = {name: [sum(row) for row in rows] for name, rows in documents.items()}
    total = summed(human.values())
    found = correct_shares(summed_rows(documents.values()), summed(judged.values()))
    covariance = clustered_covariance(documents, judged)
    assert found is not None
    assert covariance is not None
    assert found.shares == pytest.approx([count / sum(total) for count in total])
    residuals = np.array([[row[k] - sum(row) * total[k] / sum(total) for k in range(3)] for row in human.values()])
    assert np.allclose(covariance, 4 / 3 * residuals.T @ residuals / sum(total) ** 2)


@pytest.mark.parametrize(
    ("rows", "judged"),
    [
        pytest.param(((5, 1, 0), (0, 0, 0), (1, 0, 4)), (5, 1, 4), id="a-label-nobody-gave"),
        pytest.param(LABELLED, (0, 0, 0), id="nothing-judged"),
        pytest.param(((2, 2, 2), (3, 3, 3), (0, 1, 4)), (5, 1, 4), id="two-labels-judged-alike"),
    ],
)
def test_what_cannot_be_corrected_is_none(rows: tuple[tuple[int, ...], ...], judged: tuple[int, ...]) -> None:
    """No share and no covariance, never a large number."""
    assert correct_shares(rows, judged) is None
    assert independent_covariance(rows, judged) is None
    assert clustered_covariance({"a": rows, "b": rows}, {"a": judged, "b": judged}) is None


def test_sandwich_needs_two_clusters_on_each_side() -> None:
    """One document tells nothing of how documents differ."""
    assert clustered_covariance({"a": LABELLED}, {"a": JUDGED, "b": JUDGED}) is None
    assert clustered_covariance({"a": LABELLED, "b": LABELLED}, {"a": JUDGED}) is None
    assert clustered_covariance({}, {}) is None


@given(rows=tables, truth=st.lists(st.integers(1, 9), min_size=3, max_size=3))
def test_corrected_shares_find_the_truth_of_expected_counts(rows: list[list[int]], truth: list[int]) -> None:
    """Shares judged exactly as the matrix says lead back to the shares they came from, unless the matrix loses them."""
    if any(sum(row) == 0 for row in rows):
        return
    rates = np.array([[count / sum(row) for count in row] for row in rows])
    if np.linalg.cond(rates) > 1e6:
        return
    expected = np.array(truth) / sum(truth)
    found = correct_shares(rows, list(1000 * expected @ rates))
    assert found is not None
    assert found.shares == pytest.approx(list(expected), abs=1e-6)
    assert found.condition == pytest.approx(np.linalg.cond(rates), rel=1e-6)


@given(squares)
def test_small_matrices_match_numpy(rows: list[list[float]]) -> None:
    """Inverse, condition number and eigenvalues."""
    if abs(np.linalg.det(rows)) < 1e-3:
        return
    back = inverse(rows)
    assert back is not None
    assert np.allclose(product(rows, back), np.eye(3), atol=1e-6)
    assert condition_number(rows) == pytest.approx(np.linalg.cond(rows), rel=1e-5)
    symmetric = [[rows[i][j] + rows[j][i] for j in range(3)] for i in range(3)]
    assert sorted(symmetric_eigenvalues(symmetric)) == pytest.approx(sorted(np.linalg.eigvalsh(symmetric)), abs=1e-9)


def test_singular_matrices_have_no_inverse() -> None:
    """Equal rows: nothing to solve, and errors grow without bound."""
    assert inverse(((1, 2), (1, 2))) is None
    assert condition_number(((1, 2), (1, 2))) > 1e7
    assert condition_number(((0, 0), (0, 0))) == float("inf")


@pytest.mark.parametrize(
    ("scores", "weight", "mean", "low", "high"),
    [
        pytest.param(MANY, 0, 0.65, 0.4409626969, 0.8590373031, id="people-alone"),
        pytest.param(MANY, 1, 0.65, 0.4700992202, 0.8299007798, id="plain-ppi"),
        pytest.param(MANY, None, 0.65, 0.4880895565, 0.8119104435, id="tuned"),
        pytest.param(FEWER, None, 0.5948889274, 0.4316408228, 0.7581370321, id="tuned-and-shifted"),
    ],
)
def test_prediction_powered_means(scores: Scores, weight: float | None, mean: float, low: float, high: float) -> None:
    """Twenty labelled items beside two hundred others."""
    assert powered_mean(scores, weight).mean == close(mean)
    assert powered_interval(scores, weight) == (close(low), close(high), "ppi++")


def test_prediction_powered_weights_and_errors() -> None:
    """The tuned lambda and its standard error; plain PPI to seven digits."""
    assert power_weight(MANY) == close(0.6248524203)
    assert powered_mean(MANY).standard_error == close(0.0826088871)
    assert power_weight(FEWER) == close(0.5511107254)
    assert powered_mean(FEWER).standard_error == close(0.0832913798)
    plain = powered_interval(FEWER, 1)
    assert powered_mean(FEWER, 1).mean == close(0.55)
    assert plain[:2] == pytest.approx((0.3685048, 0.7314952), abs=5e-8)


scores = st.lists(st.tuples(shares, shares), min_size=2, max_size=15)


@given(pairs=scores, others=st.lists(shares, min_size=1, max_size=30))
def test_prediction_powered_mean_without_weight_is_that_of_people(pairs: list[tuple[float, float]], others: list[float]) -> None:
    """Lambda 0 uses people alone, and the tuned lambda stays within 0 and 1."""
    found = Scores([y for y, _ in pairs], [f for _, f in pairs], others)
    assert powered_mean(found, 0).mean == pytest.approx(sum(found.human) / len(pairs))
    assert 0 <= power_weight(found) <= 1


@given(pairs=scores, others=st.lists(shares, min_size=2, max_size=30))
def test_clustered_prediction_powered_mean_of_single_items(pairs: list[tuple[float, float]], others: list[float]) -> None:
    """One item a cluster: the independent error, enlarged by G / (G - 1) on each side."""
    found = Scores([y for y, _ in pairs], [f for _, f in pairs], others)
    single = clustered_powered_mean(found, Clusters([f"l{k}" for k in range(len(pairs))], [f"o{k}" for k in range(len(others))]))
    assert single is not None
    weight = power_weight(found)
    left = np.array([y - weight * f for y, f in pairs])
    expected = left.var() / (len(pairs) - 1) + weight**2 * np.var(others) / (len(others) - 1)
    assert single.standard_error == pytest.approx(sqrt(expected), abs=1e-9)
    assert single.mean == powered_mean(found).mean


def test_clustered_prediction_powered_interval() -> None:
    """Clusters of equal items widen it; one cluster has none; scores that do not fit are refused."""
    labelled, others = [f"l{k // 4}" for k in range(20)], [f"o{k // 2}" for k in range(200)]
    interval = clustered_powered_interval(MANY, Clusters(labelled, others))
    assert interval is not None
    assert interval.method == "ppi++-cluster-t"
    assert interval.low < 0.65 < interval.high
    assert interval != clustered_powered_interval(MANY, Clusters([f"l{k}" for k in range(20)], others))
    assert clustered_powered_interval(MANY, Clusters(["l"] * 20, others)) is None
    with pytest.raises(ValueError, match="got 1 human, 1 judged, 0 other"):
        powered_mean(Scores([1], [1], []))


def test_a_judge_that_never_varies_has_no_weight() -> None:
    """A constant judge adds nothing."""
    assert power_weight(Scores([0, 1], [0.5, 0.5], [0.5])) == 0


def test_interval_of_lee_covers_where_the_judged_share_does_not() -> None:
    """4,000 samples with a true share of 0.6 and a judge that is right on 85 % and 92 %: 0.945 against 0.909."""
    rng = np.random.default_rng(1)
    theta, specificity, sensitivity, n, m = 0.6, 0.85, 0.92, 400, 80
    held, naive, width = 0, 0, 0.0
    for _ in range(4000):
        share = rng.binomial(n, theta * sensitivity + (1 - theta) * (1 - specificity)) / n
        sample = TwoLabels(share, n, rng.binomial(m, specificity) / m, m, rng.binomial(m, sensitivity) / m, m)
        interval = lee_interval(sample)
        assert interval is not None
        held += interval.low <= theta <= interval.high
        width += interval.high - interval.low
        naive += abs(share - theta) <= 1.959963984540054 * sqrt(share * (1 - share) / n)
    assert held / 4000 == pytest.approx(0.94475, abs=0.01)
    assert naive / 4000 == pytest.approx(0.909, abs=0.015)
    assert width / 4000 == pytest.approx(0.1835, abs=0.001)
