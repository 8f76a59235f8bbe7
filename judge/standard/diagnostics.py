"""Diagnostics of an attempt at a floor, and of a campaign."""

from collections.abc import Sequence
from math import fsum

from judge.schema.campaigns import FloorAttempt
from judge.schema.diagnostics import Dimension
from judge.standard.floor_readings import efficiency_readings, reasoning_readings, retrieval_readings, solving_readings, spent_readings
from judge.standard.memory_readings import memory_readings
from judge.standard.raw_readings import raw_readings
from judge.standard.sub_metrics import SUB_METRICS, Reading, dimension_of

DIMENSIONS = tuple(SUB_METRICS)


def diagnose(attempt: FloorAttempt) -> dict[str, Dimension]:
    """Return the five dimensions of an attempt: from its events where there are any, else from raw values, else null.

    Turns and tokens per objective come from the fields of the attempt in any case.
    """
    found = _readings(attempt)
    found["efficiency"] = spent_readings(attempt) | found.get("efficiency", {})
    return {name: dimension_of(name, found.get(name, {})) for name in DIMENSIONS}


def _readings(attempt: FloorAttempt) -> dict[str, dict[str, Reading]]:
    events = attempt.events
    if events is not None:
        return {
            "retrieval": retrieval_readings(events, attempt),
            "reasoning": reasoning_readings(events),
            "problem_solving": solving_readings(events),
            "efficiency": efficiency_readings(events, attempt),
            "memory": memory_readings(events, attempt.floor),
        }
    return {} if attempt.diagnostics is None else raw_readings(attempt.diagnostics, attempt)


def mean_dimension(name: str, diagnosed: Sequence[dict[str, Dimension]]) -> tuple[float | None, int]:
    """Return the mean score of a dimension over the attempts that have one, and how many those are; None over none."""
    scores = [score for dimensions in diagnosed if (score := dimensions[name].score) is not None]
    return (fsum(scores) / len(scores) if scores else None), len(scores)
