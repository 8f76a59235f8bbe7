"""Bootstrap, paired tests, multiple tests and planning, against published numbers and the libraries."""

import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats import contingency_tables, multitest, power

from judge.statistics.bootstrap import (
    bca_interval,
    bca_levels,
    cluster_bootstrap,
    cluster_bootstrap_many,
    exact_bootstrap,
    leave_one_out,
    percentile_interval,
)
from judge.statistics.clustering import clustered_standard_error
from judge.statistics.confusion import Confusion, accuracy, cohen_kappa_of, gwet_ac1
from judge.statistics.multiple import benjamini_hochberg, holm
from judge.statistics.paired import Discordant, mcnemar_corrected, mcnemar_exact, paired_difference, share_difference, sign_flip_p
from judge.statistics.planning import (
    minimum_detectable_effect,
    paired_size,
    paired_t_power,
    paired_t_size,
    power_factor,
    repeated_size,
    share_size,
    two_share_size,
)
from judge.statistics.repeats import Trials, pass_at, pass_hat
from judge.statistics.spread import percentile

SIX = [1, 0, 0.5, 1, 0.25, 0.75]
GROUPS = ((1, 1, 0), (0.5, 1), (0, 0, 0, 1), (1, 1), (0.5,))
TEN = [1, 0.5, 0.75, 0, 1, 1, 0.25, 0.5, 1, 0.75]
FIRST = [1, 1, 0.5, 0, 1, 0.75, 1, 0.5, 0.25, 1]
SECOND = [0.5, 1, 0.5, 0, 0.75, 0.5, 1, 0, 0.5, 0.75]
P_VALUES = [0.001, 0.011, 0.02, 0.04, 0.2]


def close(value: float) -> object:
    """Return what equals a published number of ten digits."""
    return pytest.approx(value, abs=1e-10)


def mean(values: Sequence[float]) -> float:
    """Return the plain mean."""
    return sum(values) / len(values)


def pooled(groups: Sequence[Sequence[float]]) -> float:
    """Return the mean of all values of the groups."""
    return sum(map(sum, groups)) / sum(map(len, groups))


def test_exact_distribution_of_six_values() -> None:
    """All 46,656 resamples: standard error, percentiles, and where BCa reads them."""
    distribution = exact_bootstrap(SIX, mean)
    assert len(distribution) == 46_656
    assert float(np.std(distribution)) == close(0.1521451549)
    assert percentile_interval(distribution) == (close(0.2916666667), close(0.875), "cluster-bootstrap")
    jackknife = leave_one_out(SIX, mean)
    levels = bca_levels(mean(SIX), distribution, jackknife)
    assert levels == (close(-0.0185901779), close(-0.0190181444), close(0.0190162085), close(0.9681059301))
    assert bca_interval(mean(SIX), distribution, jackknife) == (close(0.25), close(0.875), "cluster-bca")


def test_exact_distribution_of_five_clusters() -> None:
    """All 3,125 resamples of whole clusters."""
    distribution = exact_bootstrap(GROUPS, pooled)
    assert len(distribution) == 3_125
    assert float(np.std(distribution)) == close(0.1347940801)
    assert percentile_interval(distribution) == (close(0.34375), close(0.85), "cluster-bootstrap")


def test_exact_distribution_of_many_clusters_is_refused() -> None:
    """Ten to the tenth is too many to write down."""
    with pytest.raises(ValueError, match="got 10000000000 for 10 clusters"):
        exact_bootstrap(TEN, mean)


def test_intervals_match_scipy_on_its_own_resamples() -> None:
    """The resamples of scipy's generator, read by our percentiles and our BCa."""
    for method, expected in (("percentile", (0.45, 0.875)), ("BCa", (0.425, 0.85))):
        theirs = stats.bootstrap((TEN,), np.mean, method=method, n_resamples=9999, rng=np.random.default_rng(12345))
        drawn = list(map(float, theirs.bootstrap_distribution))
        ours = percentile_interval(drawn) if method == "percentile" else bca_interval(mean(TEN), drawn, leave_one_out(TEN, mean))
        assert ours is not None
        assert tuple(theirs.confidence_interval) == pytest.approx(expected)
        assert ours[:2] == pytest.approx(expected)


def test_bca_of_constant_data_falls_back_and_says_so() -> None:
    """No variation has no correction: the percentiles under their own name, or nothing where there is nothing."""
    assert bca_levels(0.5, [0.5] * 9, [0.5] * 3) is None
    assert bca_interval(0.5, [0.5] * 9, [0.5] * 3) == (0.5, 0.5, "cluster-bootstrap")
    assert bca_interval(0.5, [0.7] * 9, [0.4, 0.5, 0.6]) == (0.7, 0.7, "cluster-bootstrap")


def test_seeded_bootstrap_approaches_the_exact_one() -> None:
    """Two thousand seeded draws come near all 3,125, and the same seed gives the same digits."""
    interval = cluster_bootstrap(GROUPS, pooled, seed=5)
    assert interval is not None
    assert interval[:2] == pytest.approx((0.34375, 0.85), abs=0.05)
    assert interval == cluster_bootstrap(GROUPS, pooled, seed=5)
    assert interval != cluster_bootstrap(GROUPS, pooled, seed=6)


def test_bootstrap_of_named_clusters_ignores_their_order() -> None:
    """Names decide, not the order in which a file held them."""
    named = {str(place): group for place, group in enumerate(GROUPS)}
    backwards = dict(reversed(named.items()))
    assert (
        cluster_bootstrap(named, pooled, seed=5)
        == cluster_bootstrap(backwards, pooled, seed=5)
        == cluster_bootstrap(GROUPS, pooled, seed=5)
    )


def test_bootstrap_needs_two_clusters_and_a_statistic_that_is_mostly_defined() -> None:
    """Resamples without a value are left out up to 5 %."""
    assert cluster_bootstrap(GROUPS[:1], pooled, seed=1) is None
    assert cluster_bootstrap([], lambda _: None, seed=1) is None
    rarely = percentile_interval([None] * 5 + [0.5] * 95)
    assert rarely == (0.5, 0.5, "cluster-bootstrap")
    assert percentile_interval([None] * 6 + [0.5] * 94) is None
    assert percentile_interval([]) is None


def test_statistic_that_is_rarely_undefined_keeps_its_interval() -> None:
    """A share among the few that have one: None where a resample has none of them, which is rare among twenty."""

    def share(sample: Sequence[tuple[int, int]]) -> float | None:
        total = sum(size for _, size in sample)
        return sum(hits for hits, _ in sample) / total if total else None

    often = cluster_bootstrap([(1, 2), (0, 1), (1, 1), (0, 2)] * 5 + [(0, 0)] * 4, share, seed=3)
    assert often is not None
    assert often.low < 0.33 < often.high
    assert cluster_bootstrap([(1, 1)] + [(0, 0)] * 9, share, seed=3) is None


def test_bootstrap_covers_the_mean() -> None:
    """In 200 samples of 40 values the 95 % interval holds the true mean about as often as it says."""
    rng = np.random.default_rng(11)
    held = 0
    for trial in range(200):
        interval = cluster_bootstrap(list(map(float, rng.random(40))), mean, seed=trial, resamples=300)
        assert interval is not None
        held += interval.low <= 0.5 <= interval.high
    assert 0.88 <= held / 200 <= 0.99


def test_bootstrap_of_many_confusions_is_quick() -> None:
    """300 documents, 2,000 resamples and three coefficients at once, in seconds."""
    labels = ("supported", "contradicted", "not_addressed")
    part = Confusion(labels, ((4, 1, 0), (0, 2, 1), (1, 0, 3)))
    other = Confusion(labels, ((2, 0, 2), (1, 1, 0), (0, 0, 1)))

    def coefficients(sample: Sequence[Confusion]) -> dict[str, float | None]:
        total = Confusion.total(sample)
        return {"accuracy": accuracy(total), "kappa": cohen_kappa_of(total), "ac1": gwet_ac1(total)}

    before = time.process_time()
    intervals = cluster_bootstrap_many([part, other] * 150, coefficients, seed=3)
    assert time.process_time() - before < 6
    assert set(intervals) == {"accuracy", "kappa", "ac1"}
    found = coefficients([part, other])
    for name, interval in intervals.items():
        value = found[name]
        assert interval is not None
        assert value is not None
        assert interval.low < value < interval.high


def test_paired_difference_of_two_agents() -> None:
    """Ten questions; the unpaired standard error is twice as large."""
    found = paired_difference(FIRST, SECOND)
    assert found == (close(0.15), close(0.0763762616), close(1.9639610121), close(0.0811261888), 10)
    errors = [clustered_standard_error(scores, range(10)) for scores in (FIRST, SECOND)]
    assert np.sqrt(sum(error**2 for error in errors if error is not None)) == close(0.1607275127)
    assert sign_flip_p([a - b for a, b in zip(FIRST, SECOND, strict=True)]) == close(0.15625)


def test_paired_difference_of_clusters() -> None:
    """Two clusters that pull apart know less than four questions; without variation or pairs there is no test."""
    found = paired_difference([1, 1, 0, 0], [0, 0, 0, 0], ["a", "a", "b", "b"])
    assert found is not None
    assert found.standard_error == pytest.approx(0.5)
    assert found.p == pytest.approx(0.5)
    assert paired_difference([1, 1], [0, 0]) == (1, 0, None, None, 2)
    assert paired_difference([1], [0]) == (1, None, None, None, 1)
    assert paired_difference([], []) is None
    with pytest.raises(ValueError, match="got 1 and 2"):
        paired_difference([1], [1, 2])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
def test_paired_tests_match_scipy(pairs: list[tuple[int, int]]) -> None:
    """The paired t test, and the exact permutation test by signs."""
    first, second = [float(one) for one, _ in pairs], [float(other) for _, other in pairs]
    differences = [one - other for one, other in zip(first, second, strict=True)]
    found = paired_difference(first, second)
    assert found is not None
    if len(set(differences)) > 1:
        theirs = stats.ttest_rel(first, second)
        assert found.t == pytest.approx(theirs.statistic)
        assert found.p == pytest.approx(theirs.pvalue)
    exact = stats.permutation_test((np.array(differences),), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip_p(differences) == pytest.approx(exact.pvalue)


def test_signs_of_many_differences_are_drawn() -> None:
    """Beyond twenty differences the p is seeded, never 0, and near the exact one."""
    differences = [0.3, -0.1] * 11
    p = sign_flip_p(differences, seed=2)
    assert p == sign_flip_p(differences, seed=2)
    assert p == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, abs=0.02)
    assert sign_flip_p([1.0] * 40, resamples=99) == 0.01
    assert sign_flip_p([]) is None


def test_mcnemar() -> None:
    """3 pairs one way, 11 the other, of 100: the exact test does not reject where the Wald interval leaves out 0."""
    pairs = Discordant(3, 11, 100)
    assert mcnemar_exact(pairs) == close(0.0573730469)
    assert mcnemar_corrected(pairs) == (3.5, close(0.0613688291))
    difference, error = share_difference(pairs)
    assert (difference, error) == (close(-0.08), close(0.0365513338))
    z = 1.959963984540054
    assert (difference - z * error, difference + z * error) == (close(-0.1516392978), close(-0.0083607022))


def test_mcnemar_without_discordant_pairs() -> None:
    """Nothing speaks against equality, and there is no chi-squared."""
    assert mcnemar_exact(Discordant(0, 0, 5)) == 1
    assert mcnemar_corrected(Discordant(0, 0, 5)) is None
    assert mcnemar_corrected(Discordant(2, 2, 5)) == (0, 1)
    assert share_difference(Discordant(0, 0, 5)) == (0, 0)
    with pytest.raises(ValueError, match="got 0"):
        share_difference(Discordant(0, 0, 0))


@given(first=st.integers(0, 40), second=st.integers(0, 40))
def test_mcnemar_matches_statsmodels(first: int, second: int) -> None:
    """Exact and corrected p, wherever the two differ."""
    if first == second:
        return
    table = [[10, first], [second, 10]]
    pairs = Discordant(first, second, first + second + 20)
    assert mcnemar_exact(pairs) == pytest.approx(contingency_tables.mcnemar(table, exact=True).pvalue)
    theirs = contingency_tables.mcnemar(table, exact=False, correction=True)
    ours = mcnemar_corrected(pairs)
    assert ours is not None
    assert list(ours) == pytest.approx([theirs.statistic, theirs.pvalue])


def test_adjusted_p_values() -> None:
    """Five tests at once; order is kept, and a p is a share."""
    assert holm(P_VALUES) == [pytest.approx(p) for p in (0.005, 0.044, 0.06, 0.08, 0.2)]
    assert benjamini_hochberg(P_VALUES) == [close(p) for p in (0.005, 0.0275, 0.0333333333, 0.05, 0.2)]
    assert holm(P_VALUES[::-1]) == holm(P_VALUES)[::-1]
    assert holm([]) == benjamini_hochberg([]) == []
    with pytest.raises(ValueError, match="p values"):
        holm([1.5])


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_adjusted_p_values_match_statsmodels(p_values: list[float]) -> None:
    """Holm and Benjamini-Hochberg."""
    assert holm(p_values) == pytest.approx(list(multitest.multipletests(p_values, method="holm")[1]))
    assert benjamini_hochberg(p_values) == pytest.approx(list(multitest.multipletests(p_values, method="fdr_bh")[1]))


def test_planning_of_paired_differences() -> None:
    """Smallest detectable differences, and sizes that detect a wanted one."""
    assert power_factor() == close(2.8015852181)
    assert minimum_detectable_effect(0.5, 1000) == close(0.0442969517)
    assert minimum_detectable_effect(0.35, 300) == close(0.0566123593)
    assert minimum_detectable_effect(0.30, 100) == close(0.0840475565)
    assert minimum_detectable_effect(0.30, 100, deff=4) == pytest.approx(2 * 0.0840475565)
    assert np.ceil(paired_size(0.5, 0.03)) == 2181
    assert np.ceil(paired_size(0.35, 0.05)) == 385
    assert paired_t_size(0.35, 0.05) == pytest.approx(386.52, abs=0.005)
    with pytest.raises(ValueError, match="between 0 and 1"):
        power_factor(0.05, 1)


@pytest.mark.parametrize(("n", "difference"), [(2, 0.5), (5, 0.9), (12, 0.6), (60, 0.2), (386, 0.05), (2000, 0.01)])
def test_power_of_the_paired_t_test_matches_statsmodels(n: int, difference: float) -> None:
    """The noncentral t distribution, both tails."""
    theirs = power.TTestPower().power(difference / 0.35, n, 0.05)
    assert paired_t_power(0.35, difference, n) == pytest.approx(theirs, abs=1e-4)


def test_planning_of_repeated_answers_and_shares() -> None:
    """Miller's form with one and ten answers a question; two independent agents; a share's half width."""
    assert repeated_size(1 / 9, (1 / 6, 1 / 6), 0.03) == pytest.approx(3875.99, abs=0.005)
    assert repeated_size(1 / 9, (1 / 60, 1 / 60), 0.03) == pytest.approx(1259.70, abs=0.005)
    assert two_share_size(0.80, 0.85) == pytest.approx(902.34, abs=0.005)
    assert np.ceil(share_size(0.9, 0.05)) == 139
    assert share_size(0.9, 0.05, deff=2) == pytest.approx(2 * share_size(0.9, 0.05))


@given(deviation=st.floats(0.01, 2), difference=st.floats(0.01, 1), deff=st.floats(0.5, 9))
def test_planned_size_detects_the_planned_difference(deviation: float, difference: float, deff: float) -> None:
    """Size and smallest detectable difference are each other's inverse."""
    n = paired_size(deviation, difference, deff=deff)
    assert minimum_detectable_effect(deviation, n, deff=deff) == pytest.approx(difference)


@given(tried=st.integers(2, 12), data=st.data())
def test_pass_hat_falls_and_pass_at_rises(tried: int, data: st.DataObject) -> None:
    """More trials are harder to succeed in all of, and easier to succeed in one of."""
    trials = Trials(tried, data.draw(st.integers(0, tried)))
    all_succeed, one_succeeds = ([chance(trials, k) or 0.0 for k in range(1, tried + 1)] for chance in (pass_hat, pass_at))
    assert all_succeed == sorted(all_succeed, reverse=True)
    assert one_succeeds == sorted(one_succeeds)


@given(values=st.lists(st.floats(-5, 5), min_size=1, max_size=30), share=st.floats(0, 1))
def test_percentile_matches_numpy(values: list[float], share: float) -> None:
    """Interpolated as numpy does by default."""
    assert percentile(values, share) == pytest.approx(float(np.quantile(values, share)), abs=1e-12)
