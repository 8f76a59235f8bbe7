"""Coefficients of agreement, against published numbers and against scikit-learn and statsmodels."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from statsmodels.stats import inter_rater

from judge.statistics.agreement import cohen_kappa
from judge.statistics.confusion import (
    Confusion,
    accuracy,
    alpha_of_two,
    balanced_accuracy,
    cohen_kappa_of,
    gwet_ac1,
    kappa_standard_error,
    label_scores,
    macro_f1,
    matthews,
    scott_pi,
    weighted_kappa,
)
from judge.statistics.fleiss import fleiss_kappa, gwet_ac1_of_many
from judge.statistics.krippendorff import krippendorff_alpha

LABELS = ("supported", "contradicted", "not_addressed")
ORDERED = ("contradicted", "not_addressed", "supported")
LABELLED = Confusion(LABELS, ((40, 2, 8), (1, 12, 2), (5, 3, 27)))
PARADOX = Confusion(("yes", "no"), ((90, 4), (5, 1)))
ONE_LABEL = Confusion(LABELS, ((7, 0, 0), (0, 0, 0), (0, 0, 0)))
NOTHING = Confusion(LABELS, ((0, 0, 0),) * 3)
FLEISS = ([5, 0, 0], [4, 1, 0], [0, 5, 0], [2, 1, 2], [0, 0, 5], [3, 0, 2], [1, 1, 3], [0, 4, 1])
RATERS = ("123321412···", "1233224125·3", "·3332342251·", "12332441251·")
JUDGES = ("sscns·ns", "sncnsc·s", "sscc·cns")
COEFFICIENTS = (accuracy, balanced_accuracy, macro_f1, cohen_kappa_of, scott_pi, gwet_ac1, alpha_of_two, matthews)

label_pairs = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=60)


def close(value: float) -> object:
    """Return what equals a published number of ten digits."""
    return pytest.approx(value, abs=1e-10)


@pytest.mark.parametrize(
    ("coefficient", "expected"),
    [
        (accuracy, 0.79),
        (cohen_kappa_of, 0.6585365854),
        (kappa_standard_error, 0.0660890604),
        (scott_pi, 0.6582031250),
        (gwet_ac1, 0.6968822171),
        (alpha_of_two, 0.6599121094),
        (balanced_accuracy, 0.7904761905),
        (macro_f1, 0.7777777778),
        (matthews, 0.6598918699),
    ],
)
def test_three_labels(coefficient: Callable[[Confusion], float | None], expected: float) -> None:
    """A person's labels beside a judge's, 100 statements."""
    assert coefficient(LABELLED) == close(expected)


def test_kappa_has_a_normal_interval() -> None:
    """Kappa plus and minus z standard errors."""
    kappa, error = cohen_kappa_of(LABELLED), kappa_standard_error(LABELLED)
    assert kappa is not None
    assert error is not None
    z = 1.959963984540054
    assert (kappa - z * error, kappa + z * error) == (close(0.5290044073), close(0.7880687635))


@pytest.mark.parametrize(("power", "expected"), [(1, 0.6879063719), (2, 0.7214484680)])
def test_weighted_kappa_follows_the_order_of_labels(power: int, expected: float) -> None:
    """contradicted < not_addressed < supported; another order gives another value, and no other power is known."""
    assert weighted_kappa(LABELLED.reordered(ORDERED), power=power) == close(expected)
    assert weighted_kappa(LABELLED, power=power) != close(expected)
    assert weighted_kappa(ONE_LABEL, power=power) is None
    with pytest.raises(ValueError, match="power 1 or 2, got 3"):
        weighted_kappa(LABELLED, power=3)


def test_scores_of_each_label() -> None:
    """Precision, recall, specificity and F1 of each label against the rest."""
    scores = label_scores(LABELLED)
    assert list(scores) == list(LABELS)
    assert scores["supported"] == (50, close(0.8695652174), close(0.8), close(0.88), close(0.8333333333))
    assert scores["contradicted"] == (15, close(0.7058823529), close(0.8), close(0.9411764706), close(0.75))
    assert scores["not_addressed"] == (35, close(0.7297297297), close(0.7714285714), close(0.8461538462), close(0.75))


def test_one_dominating_label_makes_the_paradox() -> None:
    """91 % agree, kappa and alpha say little, AC1 does not."""
    assert accuracy(PARADOX) == close(0.91)
    assert cohen_kappa_of(PARADOX) == close(0.1346153846)
    assert alpha_of_two(PARADOX) == close(0.1385281385)
    assert gwet_ac1(PARADOX) == close(0.8995591764)


def test_one_label_throughout_leaves_chance_corrected_coefficients_undefined() -> None:
    """Agreement is 1; what chance would give as well is None, and so is a share of nothing."""
    assert accuracy(ONE_LABEL) == balanced_accuracy(ONE_LABEL) == macro_f1(ONE_LABEL) == gwet_ac1(ONE_LABEL) == 1
    assert [coefficient(ONE_LABEL) for coefficient in (cohen_kappa_of, kappa_standard_error, scott_pi, alpha_of_two, matthews)] == [
        None
    ] * 5
    assert label_scores(ONE_LABEL)["contradicted"] == (0, None, None, 1, None)
    assert label_scores(ONE_LABEL)["supported"] == (7, 1, 1, None, 1)
    assert gwet_ac1(Confusion(("a",), ((3,),))) is None


def test_nothing_rated_has_no_coefficient() -> None:
    """Nothing is never 0."""
    assert [coefficient(NOTHING) for coefficient in COEFFICIENTS] == [None] * len(COEFFICIENTS)
    assert weighted_kappa(NOTHING, power=1) is None


def test_confusions_are_counted_summed_and_turned() -> None:
    """Counting pairs, adding, turning; labels that do not fit are refused."""
    counted = Confusion.of(("yes", "no"), [("yes", "no"), ("no", "no"), ("yes", "no")])
    assert counted.counts == ((0, 2), (0, 1))
    assert counted.plus(PARADOX).counts == ((90, 6), (5, 2))
    assert Confusion.total([counted, PARADOX, PARADOX]).n == 203
    assert counted.transposed().counts == ((0, 0), (2, 1))
    assert (counted.gold, counted.judged, counted.agreed) == ((2, 1), (0, 3), 1)
    with pytest.raises(ValueError, match="maybe"):
        Confusion.of(("yes", "no"), [("yes", "maybe")])
    with pytest.raises(ValueError, match="same labels"):
        PARADOX.plus(LABELLED)
    with pytest.raises(ValueError, match="got 0"):
        Confusion.total([])
    with pytest.raises(ValueError, match="in some order"):
        PARADOX.reordered(("yes", "maybe"))


@given(pairs=label_pairs, names=st.permutations(LABELS), order=st.randoms(use_true_random=False))
def test_coefficients_ignore_names_and_order(pairs: list[tuple[str, str]], names: Sequence[str], order: object) -> None:
    """Labels change names, things change places; chance-corrected coefficients also see no difference between the sides."""
    confusion = Confusion.of(LABELS, pairs)
    renamed = dict(zip(LABELS, names, strict=True))
    other = Confusion.of(LABELS, [(renamed[gold], renamed[judged]) for gold, judged in reversed(pairs)])
    for coefficient in COEFFICIENTS:
        value = coefficient(confusion)
        assert coefficient(other) == (None if value is None else pytest.approx(value, abs=1e-12))
        assert value is None or -1 - 1e-12 <= value <= 1 + 1e-12
    for symmetric in (accuracy, cohen_kappa_of, scott_pi, gwet_ac1, alpha_of_two, matthews):
        assert symmetric(confusion.transposed()) == (None if symmetric(confusion) is None else pytest.approx(symmetric(confusion)))


@given(pairs=label_pairs)
def test_coefficients_match_the_libraries(pairs: list[tuple[str, str]]) -> None:
    """scikit-learn and statsmodels on the same labels, wherever they define a value."""
    gold, judged = [one for one, _ in pairs], [other for _, other in pairs]
    confusion = Confusion.of(LABELS, pairs)
    assert accuracy(confusion) == pytest.approx(metrics.accuracy_score(gold, judged))
    assert macro_f1(confusion) == pytest.approx(metrics.f1_score(gold, judged, average="macro", zero_division=0))
    recalls = metrics.recall_score(gold, judged, labels=sorted(set(gold)), average="macro", zero_division=0)
    assert balanced_accuracy(confusion) == pytest.approx(recalls)
    assert cohen_kappa_of(confusion) == cohen_kappa(gold, judged)
    if len(set(gold)) > 1 and len(set(judged)) > 1:
        assert matthews(confusion) == pytest.approx(metrics.matthews_corrcoef(gold, judged), abs=1e-12)
        theirs = inter_rater.cohens_kappa(np.array(confusion.counts))
        assert cohen_kappa_of(confusion) == pytest.approx(theirs.kappa, abs=1e-12)
        error = kappa_standard_error(confusion)
        assert error == pytest.approx(np.sqrt(max(theirs.var_kappa, 0)), abs=1e-7)
        for power, name in ((1, "linear"), (2, "quadratic")):
            expected = metrics.cohen_kappa_score(gold, judged, labels=list(LABELS), weights=name)
            assert weighted_kappa(confusion, power=power) == pytest.approx(expected, abs=1e-12)


@given(pairs=label_pairs)
def test_alpha_of_two_is_alpha_of_units_of_two(pairs: list[tuple[str, str]]) -> None:
    """The counts and the list of units say the same."""
    alpha = krippendorff_alpha(pairs)
    assert alpha_of_two(Confusion.of(LABELS, pairs)) == (None if alpha is None else pytest.approx(alpha, abs=1e-12))


def test_many_raters() -> None:
    """Eight things, five raters each."""
    assert fleiss_kappa(FLEISS) == close(0.4538606403)
    assert gwet_ac1_of_many(FLEISS) == close(0.4574368569)
    assert krippendorff_alpha([[label for label, count in enumerate(row) for _ in range(count)] for row in FLEISS]) == close(0.4675141243)


@pytest.mark.parametrize("counts", [pytest.param([], id="nothing"), pytest.param([[1, 0], [0, 1]], id="one-rater")])
def test_many_raters_need_two(counts: list[list[int]]) -> None:
    """Without two raters there is nothing to agree on."""
    assert fleiss_kappa(counts) is None
    assert gwet_ac1_of_many(counts) is None


def test_many_raters_with_one_label() -> None:
    """Kappa is undefined, AC1 is 1; with one possible label both are undefined."""
    assert fleiss_kappa([[3, 0], [3, 0]]) is None
    assert gwet_ac1_of_many([[3, 0], [3, 0]]) == 1
    assert gwet_ac1_of_many([[3], [3]]) is None


def test_unequal_numbers_of_raters_are_refused() -> None:
    """Fleiss' kappa is not made for gaps; Krippendorff's alpha is."""
    with pytest.raises(ValueError, match="same number of raters"):
        fleiss_kappa([[2, 1], [2, 0]])
    with pytest.raises(ValueError, match="same number of raters"):
        gwet_ac1_of_many([[2, 1], [2, 1, 0]])


@given(st.integers(2, 5).flatmap(lambda raters: st.lists(st.lists(st.integers(0, 2), min_size=raters, max_size=raters), min_size=1)))
def test_fleiss_matches_statsmodels(labels: list[list[int]]) -> None:
    """The same kappa wherever more than one label occurs."""
    counts = [[row.count(label) for label in range(3)] for row in labels]
    if len({label for row in labels for label in row}) > 1:
        assert fleiss_kappa(counts) == pytest.approx(inter_rater.fleiss_kappa(np.array(counts)), abs=1e-12)


@pytest.mark.parametrize(
    ("raters", "expected"),
    [pytest.param(RATERS, 0.7434210526, id="book"), pytest.param(JUDGES, 0.7142857143, id="judges")],
)
def test_alpha_with_gaps(raters: tuple[str, ...], expected: float) -> None:
    """Krippendorff's own example of four raters and twelve units, and three judges; a dot is a gap."""
    units = [[None if value == "·" else value for value in unit] for unit in zip(*raters, strict=True)]
    assert krippendorff_alpha(units) == close(expected)


@pytest.mark.parametrize(
    "units",
    [
        pytest.param([], id="nothing"),
        pytest.param([["a", None], [None, "b"]], id="no-pair"),
        pytest.param([["a", "a"], ["a", "a", None]], id="one-label"),
        pytest.param([["a", "a"], ["b", None]], id="one-label-among-pairs"),
    ],
)
def test_alpha_is_undefined_without_pairs_of_several_labels(units: list[list[str | None]]) -> None:
    """A label in a unit with one value says nothing."""
    assert krippendorff_alpha(units) is None


@given(st.lists(st.lists(st.sampled_from([*LABELS, None]), min_size=1, max_size=5), min_size=1, max_size=20))
def test_alpha_of_identical_raters_is_one(units: list[list[str | None]]) -> None:
    """Bounded by 1, and 1 where all raters say the same of each unit."""
    alpha = krippendorff_alpha(units)
    assert alpha is None or alpha <= 1
    assert krippendorff_alpha([[unit[0]] * 3 for unit in units]) in (None, 1)
