"""Repeated trials of the same task: how often all of k succeed, and how often one of k does."""

from collections.abc import Iterable
from math import comb, fsum
from typing import NamedTuple


class Trials(NamedTuple):
    """How often a task was tried, and how often it succeeded."""

    tried: int
    succeeded: int


def pass_hat(trials: Trials, k: int) -> float | None:
    """Return the unbiased chance that k trials all succeed, C(c, k) / C(n, k); None where fewer than k were made. arXiv 2406.12045."""
    return comb(trials.succeeded, k) / comb(trials.tried, k) if 0 < k <= trials.tried else None


def pass_at(trials: Trials, k: int) -> float | None:
    """Return the unbiased chance that one of k trials succeeds, 1 - C(n - c, k) / C(n, k); None where fewer than k were made."""
    return 1 - comb(trials.tried - trials.succeeded, k) / comb(trials.tried, k) if 0 < k <= trials.tried else None


def mean_pass_hat(tasks: Iterable[Trials], k: int) -> float | None:
    """Return the mean of pass^k over the tasks with at least k trials, each by its own number of trials; None without such a task."""
    return _mean(pass_hat(task, k) for task in tasks)


def mean_pass_at(tasks: Iterable[Trials], k: int) -> float | None:
    """Return the mean of pass@k over the tasks with at least k trials; None without such a task."""
    return _mean(pass_at(task, k) for task in tasks)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None
