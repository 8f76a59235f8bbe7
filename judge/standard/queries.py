"""Searches of one session: which of them repeat, and which refine the one before."""

import re
from collections.abc import Sequence
from itertools import pairwise

_TERM = re.compile(r"\w+")


def folded_query(query: str) -> str:
    """Return a query as it is compared: letter case and white space folded."""
    return " ".join(query.casefold().split())


def unique_queries(queries: Sequence[str]) -> int:
    """Return how many different queries there are."""
    return len({folded_query(query) for query in queries})


def refinements(queries: Sequence[str]) -> int:
    """Return how many searches refine the query before: they differ from it and share a term with it.

    To come back to an older query is to change the one before. A term is a run of letters, digits and underscores, whatever its case.
    """
    return sum(_refines(folded_query(query), folded_query(before)) for before, query in pairwise(queries))


def _refines(query: str, before: str) -> bool:
    return query != before and not set(_TERM.findall(query)).isdisjoint(_TERM.findall(before))
