"""Repeated trials and how values spread, against numbers worked out by hand."""

import statistics
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.statistics.clustering import clustered_standard_error
from judge.statistics.repeats import Trials, mean_pass_at, mean_pass_hat, pass_at, pass_hat
from judge.statistics.spread import percentile, sample_deviation

TASKS = [Trials(8, succeeded) for succeeded in (8, 6, 3, 0, 8, 1, 7)]
UNEQUAL = [Trials(8, 6), Trials(5, 5), Trials(3, 1)]

trials = st.integers(1, 12).flatmap(lambda tried: st.builds(Trials, st.just(tried), st.integers(0, tried)))
numbers = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("k", "all_succeed", "one_succeeds"),
    [
        (1, 0.5892857143, 0.5892857143),
        (2, 0.4846938776, 0.6938775510),
        (4, 0.3877551020, 0.7755102041),
        (8, 0.2857142857, 0.8571428571),
    ],
)
def test_means_over_tasks(k: int, all_succeed: float, one_succeeds: float) -> None:
    """Seven tasks of eight trials each."""
    assert mean_pass_hat(TASKS, k) == pytest.approx(all_succeed, abs=1e-10)
    assert mean_pass_at(TASKS, k) == pytest.approx(one_succeeds, abs=1e-10)


def test_each_task_counts_its_own_trials() -> None:
    """A task with fewer trials is not divided by the number of another one, and is left out where it has fewer than k."""
    assert mean_pass_hat(UNEQUAL, 2) == pytest.approx(0.5119047619, abs=1e-10)
    assert mean_pass_hat(UNEQUAL, 4) == pytest.approx((comb(6, 4) / comb(8, 4) + 1) / 2)
    assert mean_pass_hat(UNEQUAL, 9) is None


def test_plug_in_chance_of_all_is_biased_and_tasks_have_a_standard_error() -> None:
    """(c / n)^4 is too high; the error is that of a mean over tasks."""
    assert sum((task.succeeded / task.tried) ** 4 for task in TASKS) / len(TASKS) == pytest.approx(0.4175153460, abs=1e-10)
    chances = [pass_hat(task, 4) or 0.0 for task in TASKS]
    assert clustered_standard_error(chances, range(len(chances))) == pytest.approx(0.1720631275, abs=1e-10)


@pytest.mark.parametrize("k", [0, 4])
def test_no_chance_beyond_the_trials(k: int) -> None:
    """Of three trials nothing is known about none or four."""
    assert pass_hat(Trials(3, 2), k) is None
    assert pass_at(Trials(3, 2), k) is None


@given(trials)
def test_more_trials_are_harder_to_pass_all_and_easier_to_pass_one(task: Trials) -> None:
    """pass^k falls in k, pass@k rises, and both begin at the pass rate."""
    hats = [pass_hat(task, k) or 0.0 for k in range(1, task.tried + 1)]
    ats = [pass_at(task, k) or 0.0 for k in range(1, task.tried + 1)]
    assert hats == sorted(hats, reverse=True)
    assert ats == sorted(ats)
    assert hats[0] == pytest.approx(task.succeeded / task.tried) == pytest.approx(ats[0])


@given(numbers)
def test_the_deviation_is_the_textbook_one(values: list[float]) -> None:
    """With n - 1, and none below two values."""
    found = sample_deviation(values)
    if len(values) < 2:
        assert found is None
    else:
        assert found == pytest.approx(statistics.stdev(values), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        pytest.param([], 0.5, None, id="none"),
        pytest.param([7.0], 0.95, 7.0, id="one"),
        pytest.param([4.0, 1.0, 3.0, 2.0], 0.5, 2.5, id="median-of-even"),
        pytest.param([10.0, 20.0, 30.0], 0.5, 20.0, id="median-of-odd"),
        pytest.param([10.0, 20.0, 30.0], 0.95, 29.0, id="interpolated"),
        pytest.param([10.0, 20.0, 30.0], 1.0, 30.0, id="largest"),
    ],
)
def test_percentiles(values: list[float], share: float, expected: float | None) -> None:
    """Between the two nearest values, by how far it lies between them."""
    assert percentile(values, share) == pytest.approx(expected) if expected is not None else percentile(values, share) is None
