"""By which formula a composite was made: an id that changes with any word of its definition."""

from judge.hashing import content_hash
from judge.schema.definitions import Definition
from judge.standard.catalogue import STANDARD

_DIGITS = 12


def formula_id_of(one: Definition) -> str:
    """Return `SYMBOL@VERSION:DIGEST`, the first 12 hex digits of the SHA-256 of the whole definition."""
    return f"{one.symbol}@{one.since}:{content_hash(one)[:_DIGITS]}"


FORMULA_IDS = {one.symbol: formula_id_of(one) for one in STANDARD if one.kind == "composite"}
"""By symbol. Only composites have one: their formula changed from version to version of the standard."""

PROFILES = {one.symbol: one.profile for one in STANDARD if one.profile is not None}
"""By symbol: the profile that each composite belongs to."""
