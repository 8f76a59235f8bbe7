"""What a value was made of, in short words with counts."""

from collections.abc import Collection, Sequence

from judge.session.finding import Finding
from judge.standard.formulas import share

SHOWN = 12
"""Names that are shown of a longer list; the rest is counted."""


def listed(names: Sequence[str]) -> str:
    """Return the names with commas, or 'a, b, ... and 3 more'."""
    rest = len(names) - SHOWN
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:SHOWN])} and {rest} more"


def parts_of(noun: str, wanted: Sequence[str], found: Collection[str], other: str = "missing") -> str:
    """Return '2 of 3 decisions: rollback, freeze; missing: canary', the names in the order of `wanted`."""
    there = [name for name in wanted if name in found]
    rest = [name for name in wanted if name not in found]
    head = f"{len(there)} of {len(wanted)} {noun}" + (f": {listed(there)}" if there else "")
    return head + (f"; {other}: {listed(rest)}" if rest else "")


def shared(noun: str, wanted: Sequence[str], found: Collection[str], other: str = "missing") -> Finding:
    """Return found / wanted in 0..1 from distinct names, measured from the trace; `wanted` is not empty."""
    value = share(sum(name in found for name in wanted), len(wanted))
    return Finding(value, parts_of(noun, wanted, found, other), basis="trace")
