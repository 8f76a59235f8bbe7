"""Attempts of a Top Floor campaign as they stand in a file, and what is made of them."""

from typing import Any

from judge.schema.campaigns import Campaign, FloorAttempt
from judge.schema.diagnostics import Dimension, SubMetric
from judge.standard.diagnostics import diagnose


def attempt(floor: int = 1, **others: Any) -> dict[str, Any]:
    """Return an attempt as it stands in a file: cleared, and of 100 points, where nothing else is said."""
    return {"floor": floor, "completion": 1, "duration_ms": 60_000, "turns": 10, "cleared": True, **others}


def campaign(*floors: dict[str, Any], **others: Any) -> Campaign:
    """Return a campaign of these attempts."""
    return Campaign.model_validate({"floors": list(floors), **others})


def event(type_: str, turn: int = 1, **fields: Any) -> dict[str, Any]:
    """Return an event as it stands in a file."""
    return {"type": type_, "turn": turn, **fields}


def dimensions(*events: dict[str, Any], **others: Any) -> dict[str, Dimension]:
    """Return the diagnostics of an attempt with these events and nothing else happening."""
    return diagnose(FloorAttempt.model_validate(attempt(events=list(events), **others)))


def metric(name: str, *events: dict[str, Any], **others: Any) -> SubMetric:
    """Return one sub-metric of an attempt with these events."""
    found = dimensions(*events, **others)
    return next(dimension.sub_metrics[name] for dimension in found.values() if name in dimension.sub_metrics)


def raw_metric(name: str, **groups: Any) -> SubMetric:
    """Return one sub-metric of an attempt with these raw values; 10 turns, 4 objectives of which 2 are solved, 5,000 tokens."""
    fields = attempt(diagnostics=groups, objectives=4, objectives_solved=2, tokens=5000)
    found = diagnose(FloorAttempt.model_validate(fields))
    return next(dimension.sub_metrics[name] for dimension in found.values() if name in dimension.sub_metrics)
