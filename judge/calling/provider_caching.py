"""What an endpoint tells of answering from a cache of its own: it decides what asking again can show."""

from typing import Any

from judge.schema.consistency import ProviderCaching


class CachingTally:
    """Counts, over the replies of one run, what a provider says it took from a cache, and replies it seems to have given before."""

    def __init__(self) -> None:
        """Begin with no reply."""
        self._replies = 0
        self._repeated = 0
        self._ids: set[str] = set()
        self._input_tokens = 0
        self._cached_tokens = 0

    def add(self, raw: Any) -> None:
        """Take over one response of the client library; what it does not say stays unknown."""
        self._replies += 1
        identifier = getattr(raw, "id", None)
        if isinstance(identifier, str) and identifier:
            self._repeated += identifier in self._ids
            self._ids.add(identifier)
        usage = getattr(raw, "usage", None)
        cached = _cached(usage)
        if cached is not None:
            self._cached_tokens += cached
            self._input_tokens += _count(getattr(usage, "prompt_tokens", None)) or 0

    def facts(self) -> ProviderCaching:
        """Return what was told so far."""
        # The client library writes 0 where the endpoint says nothing, so that no cached token at all tells nothing.
        told = self._cached_tokens > 0
        return ProviderCaching(
            replies=self._replies,
            repeated_ids=self._repeated,
            cached_input_tokens=self._cached_tokens if told else None,
            input_tokens=self._input_tokens if told else None,
        )


def _cached(usage: Any) -> int | None:
    """Return the input tokens that were served from a cache, under either of the names that providers use."""
    details = getattr(usage, "prompt_tokens_details", None)
    found = [_count(getattr(details, "cached_tokens", None)), _count(getattr(usage, "cache_read_input_tokens", None))]
    return next((count for count in found if count is not None), None)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
