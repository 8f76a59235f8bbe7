"""What is no longer to be used. A definition itself is never edited, so this stands beside them, outside of what is frozen."""

from collections.abc import Mapping

from judge.schema.definitions import Definition, ListedDefinition, Retirement
from judge.standard.identity import FORMULA_IDS

RETIRED: Mapping[str, Retirement] = {}
"""By symbol: since which version a metric is deprecated, and what replaces it."""


def listed(definition: Definition, retired: Mapping[str, Retirement] = RETIRED) -> ListedDefinition:
    """Return a definition as it is listed: with its retirement, or with None for both where it is in use."""
    deprecated_in, replaced_by = retired.get(definition.symbol, (None, None))
    return ListedDefinition(
        **dict(definition), formula_id=FORMULA_IDS.get(definition.symbol), deprecated_in=deprecated_in, replaced_by=replaced_by
    )
