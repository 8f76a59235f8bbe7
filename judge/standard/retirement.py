"""What is no longer to be used. A definition itself is never edited, so this stands beside them, outside of what is frozen."""

from collections.abc import Mapping

from judge.schema.definitions import Definition, ListedDefinition, Retirement

RETIRED: Mapping[str, Retirement] = {}
"""By symbol: since which version a metric is deprecated, and what replaces it."""


def listed(definition: Definition, retired: Mapping[str, Retirement] = RETIRED) -> ListedDefinition:
    """Return a definition as it is listed: with its retirement, or with None for both where it is in use."""
    retirement = retired.get(definition.symbol)
    if retirement is None:
        return ListedDefinition(**dict(definition))
    return ListedDefinition(**dict(definition), deprecated_in=retirement.deprecated_in, replaced_by=retirement.replaced_by)
