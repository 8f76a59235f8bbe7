"""How hard properties are searched for a counter-example: the one place that decides."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Check = Callable[..., None]


class Effort(NamedTuple):
    """How many examples to try, and whether each run tries others."""

    examples: int
    is_random: bool


EVERY_TIME = Effort(2_000, is_random=False)
"""The same examples on every machine, so that a red test is red for everyone."""

ONCE_IN_A_WHILE = Effort(100_000, is_random=True)
"""`pytest -m long tests/fuzz`: other examples each time; what is found is printed and becomes a test of its own."""

_EFFORTS = [
    pytest.param(EVERY_TIME, id="every-time"),
    pytest.param(ONCE_IN_A_WHILE, id="long", marks=[pytest.mark.long, pytest.mark.timeout(7_200)]),
]


FILES, DATABASES = 4, 40
"""Costs of an example of whole files, and of a database, each by itself many values: so many times fewer are tried."""


def fuzzed(*, cost: int = 1, **strategies: st.SearchStrategy[Any]) -> Callable[[Check], Check]:
    """Make a test of a property: it is called with values of these strategies, and with a `folder` of its own if it takes one."""

    def decorate(check: Check) -> Check:
        takes_folder = "folder" in inspect.signature(check).parameters

        @pytest.mark.parametrize("effort", _EFFORTS)
        def test(effort: Effort, tmp_path: Path) -> None:
            fixed = {"folder": tmp_path} if takes_folder else {}

            @_settings(effort, effort.examples // cost)
            @given(case=st.fixed_dictionaries(strategies))
            def example(case: dict[str, Any]) -> None:
                check(**case, **fixed)

            example()

        test.__name__, test.__qualname__, test.__doc__, test.__module__ = (
            check.__name__,
            check.__qualname__,
            check.__doc__,
            check.__module__,
        )
        return test

    return decorate


def _settings(effort: Effort, examples: int) -> settings:
    return settings(
        max_examples=examples,
        derandomize=not effort.is_random,
        database=None,
        deadline=None,
        print_blob=effort.is_random,
        suppress_health_check=list(HealthCheck),
    )
