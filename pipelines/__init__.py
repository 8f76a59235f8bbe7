"""Flows: files in, judgments, numbers and reports out. The parts are in `judge`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipelines.api import ScoreResult, ascore, score

__all__ = ["ScoreResult", "ascore", "score"]


def __getattr__(name: str) -> Any:
    """Load the flows on first use, so that importing the package costs nothing."""
    if name in __all__:
        from pipelines import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
