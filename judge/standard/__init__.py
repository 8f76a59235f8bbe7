"""The scoring standard: definitions by version, metrics of a run into derived values and composites. Pure.

Importing the package loads nothing heavy: each public name is imported from its own module when it is first used.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "BANDS": "judge.standard.composites",
    "COMPOSITES": "judge.standard.composites",
    "DERIVATIONS": "judge.standard.derived",
    "Definition": "judge.schema.definitions",
    "FUNDAMENTALS": "judge.standard.fundamentals",
    "LATEST": "judge.standard.versions",
    "NULL_POLICIES": "judge.standard.nulls",
    "NullPolicy": "judge.standard.nulls",
    "OWN_VERSIONS": "judge.standard.versions",
    "RETIRED": "judge.standard.retirement",
    "VERSIONS": "judge.standard.versions",
    "WEIGHTS": "judge.standard.composites",
    "as_measured": "judge.standard.measured",
    "band_of": "judge.standard.composites",
    "best_cleared": "judge.standard.campaign",
    "campaign_score": "judge.standard.formulas",
    "combine": "judge.standard.composites",
    "compose": "judge.standard.composites",
    "definition": "judge.standard.registry",
    "derive": "judge.standard.derived",
    "effective_minutes": "judge.standard.composites",
    "floor_score": "judge.standard.campaign",
    "formula_of": "judge.standard.registry",
    "layer_of": "judge.standard.fundamentals",
    "listed": "judge.standard.retirement",
    "places": "judge.standard.ranking",
    "running_totals": "judge.standard.campaign",
}

_MODULES = ("registry", "run_values")
"""Modules that are public as a whole: a module and a function cannot have the same name in one package."""

__all__ = sorted((*_HOMES, *_MODULES))  # noqa: PLE0605 - derived from the tables, so that it cannot drift


def __getattr__(name: str) -> Any:
    """Import a public name from its module on first use."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
