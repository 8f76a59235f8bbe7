"""To which profile of the standard composites belong, in words."""

from collections.abc import Mapping
from typing import Protocol


class _HasProfile(Protocol):
    @property
    def profile(self) -> str | None: ...


def profiles_in_words(composites: Mapping[str, _HasProfile]) -> str:
    """Return 'Profiles: core-v1.0 (Cx_em); ...'; a file that does not tell has 'not stated'."""
    members: dict[str, list[str]] = {}
    for name, composite in composites.items():
        members.setdefault(composite.profile or "not stated", []).append(name)
    parts = (f"{profile} ({', '.join(names)})" for profile, names in members.items())
    return f"Profiles: {'; '.join(parts)}."
