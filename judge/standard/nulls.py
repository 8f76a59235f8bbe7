"""What becomes of a number that is made from others when some of those are missing."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Literal

from judge.errors import ConfigError

NullPolicy = Literal["strict", "available"]
"""Whether a derived value needs all its inputs, or makes do with those there are."""

NULL_POLICIES: dict[NullPolicy, str] = {
    "strict": "A derived value is null if any of its inputs is null. The default, and what the leaderboard's text says.",
    "available": "A mean is taken over the inputs that are not null. What the public package does, and what published records fit.",
}
"""What each policy says. Under either, a composite averages the components that have a value."""


def null_policy_of(name: str, *, where: str = "") -> NullPolicy:
    """Return the null policy of this name. Raises ConfigError, which begins with `where`, for one that there is not."""
    for policy in NULL_POLICIES:
        if policy == name:
            return policy
    raise ConfigError(f"{where}`null_policy` is {name!r}, expected {' or '.join(NULL_POLICIES)}")


def mean(values: Sequence[float]) -> float:
    """Return the mean; the order of the values changes no digit. There must be one."""
    return fsum(values) / len(values)


def mean_of_known(values: Iterable[float | None], policy: NullPolicy) -> float | None:
    """Return the mean of the values; with one missing None, or under `available` that of the others, if there are any."""
    given = tuple(values)
    known = [value for value in given if value is not None]
    if not known or (len(known) < len(given) and policy == "strict"):
        return None
    return mean(known)
