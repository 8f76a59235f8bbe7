"""One fault of the matrix, and what it must come to."""

from typing import NamedTuple

from judge.schema.labels import UnjudgedReason as Reason


class Row(NamedTuple):
    """One fault. `reasons` are of the contract's closed list; `outcome` tells the rest; an exit code of None means there is none."""

    number: int
    fault: str
    reasons: tuple[Reason, ...]
    outcome: str
    retry: str
    exit_codes: tuple[int, ...]
    tested: str

    @property
    def name(self) -> str:
        """How tests carry the row: `row01` to `row42`."""
        return f"row{self.number:02}"
