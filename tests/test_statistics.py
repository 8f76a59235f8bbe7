"""Intervals and standard errors, against numbers worked out by hand or with statsmodels."""

import random
from array import array
from itertools import pairwise
from math import inf, nan, pi, sqrt, tan
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.api import OLS

from judge.statistics.clustering import cluster_t_interval, clustered_standard_error, mean_interval, ratio_standard_error
from judge.statistics.interval import Interval
from judge.statistics.student_t import student_t_quantile, student_t_tail
from judge.statistics.wilson import wilson_interval

INDEPENDENT = [1, 0.5, 0.75, 0, 1, 1, 0.25, 0.5, 1, 0.75]
CLUSTERED = [1, 1, 0, 0.5, 1, 0, 0, 0, 1, 1, 1, 0.5]
CLUSTERS = [0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4]

shares = st.integers(0, 6).map(lambda k: k / 6)
clustered_shares = st.lists(st.tuples(shares, st.integers(0, 4)), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775327999),
        (10, 10, 0.7224672001, 1.0),
        (8, 10, 0.4901624715, 0.9433178485),
        (45, 50, 0.7863976856, 0.9565242351),
        (3, 200, 0.0051142378, 0.0431657288),
        (1, 1, 0.2065493144, 1.0),
        (7, 40, 0.0874541375, 0.3194999033),
        (0, 220, 0.0, 0.0171615162),
        (6, 220, 0.0125579878, 0.0582129003),
        (209, 220, 0.9127000994, 0.9718545360),
        (0, 44, 0.0, 0.0802956038),
    ],
)
def test_wilson_interval_matches_published_numbers(successes: int, n: int, low: float, high: float) -> None:
    """The end points agree to ten digits, and the method is named."""
    interval = wilson_interval(successes, n)
    assert interval is not None
    assert interval.low == pytest.approx(low, abs=5e-11)
    assert interval.high == pytest.approx(high, abs=5e-11)
    assert interval.method == "wilson"


def test_wilson_interval_of_nothing_is_none() -> None:
    """0 of 0 has no interval."""
    assert wilson_interval(0, 0) is None


@pytest.mark.parametrize(
    ("successes", "n", "confidence"), [(3, 2, 0.95), (-1, 2, 0.95), (nan, 2, 0.95), (1, 2, 1.0), (1, 2, 0.0), (0, -1, 0.9)]
)
def test_wilson_interval_rejects_impossible_input(successes: float, n: int, confidence: float) -> None:
    """Counts out of range and certain or impossible confidences are errors."""
    with pytest.raises(ValueError, match="successes"):
        wilson_interval(successes, n, confidence)


@given(n=st.integers(1, 500), data=st.data())
def test_wilson_interval_contains_its_share_and_widens_with_confidence(n: int, data: st.DataObject) -> None:
    """The share lies inside, the interval inside [0, 1] and inside any more confident one."""
    successes = data.draw(st.floats(0, n))
    interval, wider = wilson_interval(successes, n), wilson_interval(successes, n, 0.99)
    assert interval is not None
    assert wider is not None
    rounding = 1e-12
    assert 0.0 <= wider.low <= interval.low + rounding
    assert interval.low - rounding <= successes / n <= interval.high + rounding
    assert interval.high - rounding <= wider.high <= 1.0


@pytest.mark.parametrize(
    ("p", "df", "quantile"),
    [
        (0.975, 4, 2.7764451051977987),
        (0.975, 9, 2.2621571627409915),
        (0.95, 10, 1.8124611228107335),
        (0.995, 30, 2.7499956535672250),
        (0.975, 120, 1.9799304050824402),
    ],
)
def test_student_t_quantile_matches_tables(p: float, df: int, quantile: float) -> None:
    """Tabulated quantiles are met to 1e-9."""
    assert student_t_quantile(p, df) == pytest.approx(quantile, rel=1e-9)
    assert student_t_quantile(1 - p, df) == pytest.approx(-quantile, rel=1e-9)


@given(st.floats(1e-6, 1 - 1e-6))
def test_student_t_quantile_has_closed_forms_at_one_and_two_degrees(p: float) -> None:
    """One degree of freedom is the Cauchy distribution; two have an algebraic quantile."""
    assert student_t_quantile(p, 1) == pytest.approx(tan(pi * (p - 0.5)), rel=1e-9, abs=1e-9)
    assert student_t_quantile(p, 2) == pytest.approx((2 * p - 1) / sqrt(2 * p * (1 - p)), rel=1e-9, abs=1e-9)


def test_student_t_quantile_approaches_the_normal_one() -> None:
    """A million degrees of freedom leave the first correction, (z^3 + z) / 4 df."""
    z = 1.959963984540054
    assert student_t_quantile(0.975, 1_000_000) == pytest.approx(z + (z**3 + z) / 4_000_000, rel=1e-9)


def test_student_t_quantile_of_a_half_is_zero() -> None:
    """The distribution is symmetric about 0."""
    assert student_t_quantile(0.5, 7) == 0.0


@given(p=st.floats(0.5001, 0.999), df=st.integers(1, 300))
def test_student_t_quantile_is_odd_and_shrinks_with_degrees(p: float, df: int) -> None:
    """Mirrored shares give mirrored quantiles, and more data a smaller one."""
    assert student_t_quantile(1 - p, df) == pytest.approx(-student_t_quantile(p, df), rel=1e-9)
    assert student_t_quantile(p, df + 1) <= student_t_quantile(p, df)


@pytest.mark.parametrize(("p", "df"), [(0.0, 4), (1.0, 4), (nan, 4), (0.5, 0), (0.5, nan)])
def test_student_t_quantile_rejects_what_has_no_quantile(p: float, df: float) -> None:
    """Shares of 0 and 1, and no degrees of freedom, are errors."""
    with pytest.raises(ValueError, match="quantile"):
        student_t_quantile(p, df)


def test_independent_values_have_the_ordinary_standard_error() -> None:
    """One value a cluster: CR1 is sd / sqrt(n), and the interval uses t with n - 1 degrees of freedom."""
    clusters = range(len(INDEPENDENT))
    assert clustered_standard_error(INDEPENDENT, clusters) == pytest.approx(0.1121135337, abs=5e-11)
    interval = mean_interval(INDEPENDENT, clusters)
    assert interval is not None
    assert interval[:2] == pytest.approx((0.4213815666, 0.9286184334), abs=5e-11)
    assert interval.method == "cluster-t"


def test_clustered_values_match_statsmodels() -> None:
    """CR0, CR1, and the CR1 interval with four degrees of freedom, which exceeds 1 and is not clipped."""
    assert clustered_standard_error(CLUSTERED, CLUSTERS, correction=False) == pytest.approx(0.1357279187, abs=5e-11)
    assert clustered_standard_error(CLUSTERED, CLUSTERS) == pytest.approx(0.1517484263, abs=5e-11)
    assert clustered_standard_error(CLUSTERED, range(12)) == pytest.approx(0.1353073568, abs=5e-11)
    interval = mean_interval(CLUSTERED, CLUSTERS)
    assert interval is not None
    assert interval[:2] == pytest.approx((0.1620121580, 1.0046545087), abs=5e-11)


def test_micro_average_has_a_ratio_standard_error() -> None:
    """(3,4), (1,2), (5,5), (0,3), (2,6): 11 of 20."""
    assert ratio_standard_error([3, 1, 5, 0, 2], [4, 2, 5, 3, 6]) == pytest.approx(0.1778781184, abs=5e-11)


def test_means_of_items_and_pools_differ() -> None:
    """The same five: 0.517 as a mean over items with a known recall, 0.55 pooled; without n / (n - 1) the error is smaller."""
    shares = [3 / 4, 1 / 2, 5 / 5, 0 / 3, 2 / 6]
    assert sum(shares) / len(shares) == pytest.approx(0.5166666667, abs=1e-10)
    assert sum([3, 1, 5, 0, 2]) / sum([4, 2, 5, 3, 6]) == pytest.approx(0.55)
    error = ratio_standard_error([3, 1, 5, 0, 2], [4, 2, 5, 3, 6])
    assert error is not None
    assert error * sqrt(4 / 5) == pytest.approx(0.1590990258, abs=1e-10)


def test_normal_interval_of_independent_values() -> None:
    """The mean plus and minus z standard errors; narrower than by t."""
    error = clustered_standard_error(INDEPENDENT, range(10))
    assert error is not None
    z = NormalDist().inv_cdf(0.975)
    assert (0.675 - z * error, 0.675 + z * error) == pytest.approx((0.4552615117, 0.8947384883), abs=1e-10)


def test_clustered_error_of_the_published_form() -> None:
    """arXiv 2411.00640 adds the products within clusters to a first term with n - 1, which is close to CR0."""
    n, mean = len(CLUSTERED), sum(CLUSTERED) / len(CLUSTERED)
    within = sum((CLUSTERED[i] - mean) * (CLUSTERED[j] - mean) for i in range(n) for j in range(n) if i != j and CLUSTERS[i] == CLUSTERS[j])
    plain = clustered_standard_error(CLUSTERED, range(n))
    uncorrected = clustered_standard_error(CLUSTERED, CLUSTERS, correction=False)
    assert plain is not None
    assert uncorrected is not None
    assert sqrt(plain**2 + within / n**2) == pytest.approx(0.1412364730, abs=1e-10)
    assert sqrt(plain**2 * (n - 1) / n + within / n**2) == pytest.approx(uncorrected)


@given(pairs=clustered_shares)
def test_clustered_error_of_single_values_and_of_doubled_clusters(pairs: list[tuple[float, int]]) -> None:
    """With singletons CR0 is the plain error times sqrt((n - 1) / n); every cluster twice halves its variance."""
    values, clusters = [value for value, _ in pairs], [cluster for _, cluster in pairs]
    single, plain = (clustered_standard_error(values, range(len(values)), correction=flag) for flag in (False, True))
    if single is not None and plain is not None:
        assert single == pytest.approx(plain * sqrt((len(values) - 1) / len(values)), abs=1e-12)
    once = clustered_standard_error(values, clusters, correction=False)
    twice = clustered_standard_error([*values, *values], [*clusters, *(cluster + 9 for cluster in clusters)], correction=False)
    if once is not None and twice is not None:
        assert twice**2 == pytest.approx(once**2 / 2, abs=1e-12)


def test_clustered_error_matches_statsmodels() -> None:
    """The robust covariance of a regression on a constant, with and without its small-sample factor."""
    rng = np.random.default_rng(4)
    values, clusters = rng.random(60), rng.integers(0, 12, 60)
    model = OLS(values, np.ones(60))
    for flag in (True, False):
        theirs = model.fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": flag}).bse[0]
        # Theirs also counts the one regressor: (n - 1) / (n - 1) for a constant.
        assert clustered_standard_error(list(values), [int(each) for each in clusters], correction=flag) == pytest.approx(theirs)


@given(n=st.integers(1, 300), data=st.data())
def test_wilson_interval_matches_scipy(n: int, data: st.DataObject) -> None:
    """Every count, at two confidences."""
    successes = data.draw(st.integers(0, n))
    for confidence in (0.8, 0.95):
        interval = wilson_interval(successes, n, confidence)
        theirs = stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
        assert interval is not None
        assert interval[:2] == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_nothing_seen_in_150_bounds_the_share() -> None:
    """Exactly 1 - 0.05^(1/150), nearly 3 in 150; Wilson's end is above, since it has two sides."""
    assert pytest.approx(0.0197734382, abs=1e-10) == 1 - 0.05 ** (1 / 150)
    interval = wilson_interval(0, 150)
    assert interval is not None
    assert 1 - 0.05 ** (1 / 150) < 3 / 150 < interval.high


@given(t=st.floats(0, 50), df=st.integers(1, 200))
def test_student_t_tail_matches_scipy(t: float, df: int) -> None:
    """The share above t."""
    assert student_t_tail(t, df) == pytest.approx(stats.t.sf(t, df), abs=1e-12)


@pytest.mark.parametrize(("t", "df"), [(-1.0, 4), (nan, 4), (1.0, 0)])
def test_student_t_tail_rejects_what_has_none(t: float, df: float) -> None:
    """A tail begins at 0 or above, and there are degrees of freedom."""
    with pytest.raises(ValueError, match="tail"):
        student_t_tail(t, df)


@pytest.mark.parametrize(
    ("numerators", "denominators"),
    [pytest.param([], [], id="nothing"), pytest.param([1], [2], id="one-unit"), pytest.param([0, 0], [0, 0], id="zero-total")],
)
def test_ratio_standard_error_needs_two_units_and_a_denominator(numerators: list[float], denominators: list[float]) -> None:
    """What cannot be estimated is None, never 0."""
    assert ratio_standard_error(numerators, denominators) is None


def test_values_without_variation_have_a_wilson_interval_over_clusters() -> None:
    """No contradiction in four items of two questions: 0 of 2, never [0, 0]."""
    assert mean_interval([0.0] * 4, ["a", "a", "b", "b"]) == wilson_interval(0, 2)
    assert mean_interval([0.75] * 3, [1, 2, 3]) == wilson_interval(2.25, 3)
    assert mean_interval([1.0], [1]) == wilson_interval(1, 1)


def test_clusters_that_pull_equally_have_a_wilson_interval() -> None:
    """Every question has one right and one wrong answer: the standard error is 0, which is no certainty."""
    assert clustered_standard_error([0, 1, 0, 1], [1, 1, 2, 2]) == 0.0
    assert mean_interval([0, 1, 0, 1], [1, 1, 2, 2]) == wilson_interval(1, 2)


def test_too_few_clusters_have_no_interval() -> None:
    """No values, or differing values in one cluster, say nothing about the spread between clusters."""
    assert mean_interval([], []) is None
    assert mean_interval([0.0, 1.0], [7, 7]) is None
    assert clustered_standard_error([], []) is None
    assert clustered_standard_error([0.5], [1]) is None


def test_cluster_t_interval_takes_differences() -> None:
    """Paired differences may be negative: d = -0.5, 0.1 has mean -0.2, SE 0.3, and t(1) = 12.706."""
    interval = cluster_t_interval([-0.5, 0.1], [1, 2])
    assert interval is not None
    assert interval[:2] == pytest.approx((-0.2 - 3.8118614209, -0.2 + 3.8118614209))


@pytest.mark.parametrize("value", [nan, inf])
def test_unknown_values_are_errors(value: float) -> None:
    """A value that is not a number must be left out by the caller, not averaged."""
    with pytest.raises(ValueError, match="finite"):
        mean_interval([0.5, value], [1, 2])
    with pytest.raises(ValueError, match="finite"):
        clustered_standard_error([value, value], [1, 2])
    with pytest.raises(ValueError, match="finite"):
        ratio_standard_error([1, 2], [1, value])


def test_input_that_does_not_fit_is_an_error() -> None:
    """Lengths must agree, and a mean of shares takes shares."""
    with pytest.raises(ValueError, match="equal length"):
        mean_interval([0.5], [1, 2])
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        mean_interval([0.5, 1.5], [1, 2])
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        mean_interval([-0.5, 0.5], [1, 2])


@given(pairs=clustered_shares, rng=st.randoms(use_true_random=False))
def test_mean_interval_ignores_order(pairs: list[tuple[float, int]], rng: random.Random) -> None:
    """Reordering the items changes no digit."""
    shuffled = rng.sample(pairs, k=len(pairs))
    values, clusters = zip(*pairs, strict=True)
    other_values, other_clusters = zip(*shuffled, strict=True)
    assert mean_interval(values, clusters) == mean_interval(other_values, other_clusters)


@given(pairs=clustered_shares)
def test_mean_interval_contains_the_mean_and_ignores_cluster_names(pairs: list[tuple[float, int]]) -> None:
    """The mean lies inside, and names of clusters do not matter, nor do arrays in place of lists."""
    values = array("d", [value for value, _ in pairs])
    numbers = array("i", [cluster for _, cluster in pairs])
    interval = mean_interval(values, numbers)
    assert interval == mean_interval(list(values), [f"question {9 - cluster}" for cluster in numbers])
    if interval is not None:
        assert interval.low - 1e-12 <= sum(values) / len(values) <= interval.high + 1e-12
        assert interval.low < interval.high


@given(pairs=clustered_shares)
def test_mean_interval_widens_with_confidence(pairs: list[tuple[float, int]]) -> None:
    """A more confident interval contains a less confident one."""
    values, clusters = zip(*pairs, strict=True)
    intervals = [mean_interval(values, clusters, confidence) for confidence in (0.5, 0.9, 0.99)]
    known = [interval for interval in intervals if isinstance(interval, Interval)]
    for inner, outer in pairwise(known):
        assert outer.low <= inner.low
        assert inner.high <= outer.high
