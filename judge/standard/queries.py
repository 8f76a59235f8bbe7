"""Searches of one session: which of them repeat, and which refine the one before."""

import re
from collections.abc import Sequence

_TERM = re.compile(r"\w+")


def folded_query(query: str) -> str:
    """Return a query as it is compared: letter case and white space folded."""
    return " ".join(query.casefold().split())


def unique_queries(queries: Sequence[str]) -> int:
    """Return how many different queries there are."""
    return len({folded_query(query) for query in queries})


def refinements(queries: Sequence[str]) -> int:
    """Return how many searches refine the query before: they share a term with it, and repeat neither it nor any earlier query.

    A term is a run of letters, digits and underscores, whatever its case.
    """
    found = 0
    seen: set[str] = set()
    previous: frozenset[str] = frozenset()
    for query in queries:
        folded = folded_query(query)
        terms = frozenset(_TERM.findall(folded))
        found += folded not in seen and not terms.isdisjoint(previous)
        seen.add(folded)
        previous = terms
    return found
