"""One fundamental as a session shows it."""

from typing import Literal, NamedTuple

Basis = Literal["trace", "fixture", "judge", "judge, half credit", "answer", "given", "automated"]
"""On what a value rests: the recorded session, the fixture, a run's judge (`answer` for gaps that answers admit, `judge,
half credit` for a noise resistance made with it), what a user states, or that nobody was there to correct."""

JUDGED: tuple[Basis, ...] = ("judge", "judge, half credit", "answer")
"""Those of what a run's judge found."""


class Finding(NamedTuple):
    """A value with what it was made of in words, such as '2 of 3: rollback, freeze; missing: canary'; without one, the reason."""

    value: float | None
    made_of: str = ""
    reason: str | None = None
    basis: Basis | None = None
