"""Flips, correlations, components of variance and confidence scores, against published numbers and the libraries."""

from collections.abc import Callable
from math import log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from judge.statistics.calibration_scores import auc, brier_score, expected_calibration_error, log_loss
from judge.statistics.components import design_effect, effective_size, grouped, noise_share, variance_components
from judge.statistics.correlation import kendall_tau_b, pearson, spearman
from judge.statistics.flips import any_flip, entropy_bits, majority_share, miller_madow_nats, pairwise_flip

REPEATS = ("sssss", "snsss", "ccncn", "nnnnn", "scnsc")
CLUSTERED = [1, 1, 0, 0.5, 1, 0, 0, 0, 1, 1, 1, 0.5]
CLUSTERS = [0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4]
CONFIDENCES = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.55, 0.3, 0.2]
RIGHT = [True, True, True, False, True, True, False, True, False, False]

points = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=30)


def close(value: float) -> object:
    """Return what equals a published number of ten digits."""
    return pytest.approx(value, abs=1e-10)


def test_flips_of_five_repeats() -> None:
    """Five things, five repeats each: how often pairs differ, how large the majority is, how much entropy."""
    assert [pairwise_flip(labels) for labels in REPEATS] == [pytest.approx(flip) for flip in (0, 0.4, 0.6, 0, 0.8)]
    assert [any_flip(labels) for labels in REPEATS] == [False, True, True, False, True]
    assert [majority_share(labels) for labels in REPEATS] == [1, 0.8, 0.6, 1, 0.4]
    bits = [entropy_bits(labels) for labels in REPEATS]
    assert bits == [0, close(0.7219280949), close(0.9709505945), 0, close(1.5219280949)]
    assert sum(value for value in bits if value is not None) / 5 / log2(3) == close(0.4056634504)
    assert bits[4] is not None
    assert bits[4] * log(2) == close(1.0549201680)
    assert miller_madow_nats(REPEATS[4]) == close(1.2549201680)


def test_flips_need_repeats() -> None:
    """One repeat flips neither way, and nothing has no majority."""
    assert (pairwise_flip("s"), any_flip("s"), majority_share("s"), entropy_bits("s")) == (None, None, 1, 0)
    assert (pairwise_flip(""), any_flip(""), majority_share(""), entropy_bits(""), miller_madow_nats("")) == (None,) * 5


@given(st.lists(st.sampled_from("scn"), min_size=2, max_size=12))
def test_flips_match_scipy_and_ignore_order(labels: list[str]) -> None:
    """Entropy as scipy computes it; a flip rate above 0 exactly where something flipped."""
    counts = [labels.count(label) for label in set(labels)]
    assert entropy_bits(labels) == pytest.approx(stats.entropy(counts, base=2), abs=1e-12)
    assert pairwise_flip(labels) == pairwise_flip(labels[::-1])
    assert any_flip(labels) is bool(pairwise_flip(labels))


@given(points)
def test_correlations_match_scipy(pairs: list[tuple[int, int]]) -> None:
    """The same values with ties; symmetric; None where a side does not vary."""
    x, y = [float(one) for one, _ in pairs], [float(other) for _, other in pairs]
    for ours, theirs in ((pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall_tau_b, stats.kendalltau)):
        if len(set(x)) == 1 or len(set(y)) == 1:
            assert ours(x, y) is None
        else:
            assert ours(x, y) == pytest.approx(theirs(x, y).statistic, abs=1e-9)
            assert ours(y, x) == pytest.approx(ours(x, y), abs=1e-12)


@pytest.mark.parametrize("correlation", [pearson, spearman, kendall_tau_b])
def test_correlations_say_what_they_cannot_do(correlation: Callable[[list[float], list[float]], float | None]) -> None:
    """Two pairs always lie on a line; lengths must agree; a value that is not a number is refused."""
    assert correlation([0, 1], [0, 1]) is None
    assert correlation([], []) is None
    assert correlation([1e-200, 0, 2e-200], [1, 0, 2]) in (None, pytest.approx(1))
    with pytest.raises(ValueError, match="got 1 and 2"):
        correlation([1], [1, 2])
    with pytest.raises(ValueError, match="finite"):
        correlation([1, 2, float("nan")], [1, 2, 3])


def test_correlation_of_many_pairs_is_quick_and_right() -> None:
    """Kendall's tau does not compare all pairs one by one."""
    rng = np.random.default_rng(7)
    x = rng.integers(0, 500, 5000).astype(float)
    y = x + rng.integers(0, 300, 5000)
    assert kendall_tau_b(list(x), list(y)) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


def test_components_of_clustered_values() -> None:
    """Analysis of variance of twelve values in five clusters; the ICC is just below 0."""
    components = variance_components(grouped(CLUSTERED, CLUSTERS))
    assert components is not None
    assert components.between_square == close(0.21875)
    assert components.within_square == close(0.2202380952)
    assert components.n0 == close(2.2916666667)
    assert components.icc == close(-0.0029571217)
    assert components.between == 0


def test_design_effect_shrinks_the_effective_size() -> None:
    """Clusters of six with ICC 0.3: 600 values are worth 240."""
    assert design_effect(6, 0.3) == close(2.5)
    assert effective_size(600, design_effect(6, 0.3)) == close(240)


@given(st.lists(st.lists(st.integers(0, 4).map(float), min_size=2, max_size=5), min_size=2, max_size=6))
def test_components_match_scipy(groups: list[list[float]]) -> None:
    """The F ratio of the mean squares is that of scipy's one-way analysis of variance."""
    components = variance_components(groups)
    assert components is not None
    if components.within_square > 0:
        expected = stats.f_oneway(*groups).statistic
        assert components.between_square / components.within_square == pytest.approx(expected, abs=1e-9)


def test_noise_share_of_repeats() -> None:
    """Scores that repeat exactly have no noise; items that differ no more than repeats are all noise; between them, 1 - ICC."""
    assert noise_share({"a": [0.5, 0.5], "b": [1, 1]}) == 0
    assert noise_share({"a": [0, 1], "b": [1, 0]}) == 1
    components = variance_components([[0, 0.25], [1, 0.75]])
    assert components is not None
    assert components.icc is not None
    assert noise_share({"a": [0, 0.25], "b": [1, 0.75]}) == pytest.approx(1 - components.icc)


@pytest.mark.parametrize(
    "scores",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"a": [0.1, 0.2]}, id="one-item"),
        pytest.param({"a": [0.1], "b": [0.2]}, id="no-repeats"),
        pytest.param({"a": [0.5, 0.5], "b": [0.5, 0.5]}, id="no-variation"),
        pytest.param({"a": [0.5, 0.7], "b": []}, id="one-item-with-scores"),
    ],
)
def test_noise_share_needs_items_repeats_and_variation(scores: dict[str, list[float]]) -> None:
    """What cannot be told apart has no share."""
    assert noise_share(scores) is None


def test_confidence_scores() -> None:
    """Ten confidences of a judge and whether it was right."""
    assert brier_score(CONFIDENCES, RIGHT) == close(0.158)
    assert log_loss(CONFIDENCES, RIGHT) == close(0.4810014740)
    assert expected_calibration_error(CONFIDENCES, RIGHT, 5) == close(0.15)
    assert auc(CONFIDENCES, RIGHT) == close(0.8333333333)


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.booleans()), min_size=1, max_size=30))
def test_confidence_scores_match_scikit_learn(pairs: list[tuple[float, bool]]) -> None:
    """Brier, log loss and the area under the curve, with ties."""
    confidences, right = [one for one, _ in pairs], [hit for _, hit in pairs]
    assert brier_score(confidences, right) == pytest.approx(metrics.brier_score_loss(right, confidences, pos_label=True))
    assert log_loss(confidences, right) == pytest.approx(metrics.log_loss(right, confidences, labels=[False, True]))
    area = auc(confidences, right)
    assert area == (pytest.approx(metrics.roc_auc_score(right, confidences)) if len(set(right)) == 2 else None)


def test_confidence_scores_have_edges() -> None:
    """Nothing has no score, certain and wrong has no finite loss, and a confidence is a share."""
    assert (brier_score([], []), log_loss([], []), expected_calibration_error([], [], 5), auc([], [])) == (None,) * 4
    assert log_loss([1.0, 0.5], [False, True]) is None
    assert expected_calibration_error([1.0], [True], 5) == 0
    with pytest.raises(ValueError, match="between 0"):
        brier_score([1.5], [True])
    with pytest.raises(ValueError, match="got 1 and 0"):
        log_loss([0.5], [])
