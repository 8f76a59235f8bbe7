"""How stable the labels are that one judge gave the same thing in repeats."""

from collections import Counter
from collections.abc import Hashable, Sequence
from math import fsum, log, log2

Labels = Sequence[Hashable]
"""The labels of one thing, one a repeat; repeats without a verdict are left out by the caller."""


def pairwise_flip(labels: Labels) -> float | None:
    """Return the share of the pairs of repeats that differ, between 0 and 1; lower is better; None below two repeats."""
    n = len(labels)
    alike = sum(count * (count - 1) for count in Counter(labels).values())
    return 1 - alike / (n * (n - 1)) if n >= 2 else None


def any_flip(labels: Labels) -> bool | None:
    """Return whether more than one label occurs; None below two repeats."""
    return len(set(labels)) > 1 if len(labels) >= 2 else None


def majority_share(labels: Labels) -> float | None:
    """Return the share of the most frequent label; None without labels."""
    return max(Counter(labels).values()) / len(labels) if labels else None


def entropy_bits(labels: Labels) -> float | None:
    """Return the entropy of the labels, -sum(p log2 p), in bits; biased low for few repeats; None without labels."""
    return -fsum(share * log2(share) for share in _shares(labels)) + 0.0 if labels else None


def miller_madow_nats(labels: Labels) -> float | None:
    """Return the entropy in nats, plus (labels seen - 1) / (2 repeats) against its bias (Miller 1955); None without labels."""
    if not labels:
        return None
    shares = _shares(labels)
    return -fsum(share * log(share) for share in shares) + (len(shares) - 1) / (2 * len(labels))


def _shares(labels: Labels) -> list[float]:
    return [count / len(labels) for count in Counter(labels).values()]
