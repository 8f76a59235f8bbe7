"""A proportion that remembers what it was a proportion of."""

from typing import Any, Self

from pydantic import computed_field, model_validator

from judge.schema.record import Record


class Rate(Record):
    """Numerator over denominator; 0/0 has no value."""

    numerator: int
    denominator: int

    @model_validator(mode="before")
    @classmethod
    def _ignore_written_value(cls, data: Any) -> Any:
        if isinstance(data, dict) and "value" in data:
            return {key: part for key, part in data.items() if key != "value"}
        return data

    @model_validator(mode="after")
    def _check_range(self) -> Self:
        if not 0 <= self.numerator <= self.denominator:
            raise ValueError(f"a rate needs 0 <= numerator <= denominator, got {self.numerator}/{self.denominator}")
        return self

    @computed_field  # type: ignore[prop-decorator]
    @property
    def value(self) -> float | None:
        """Numerator over denominator, or None when nothing was counted."""
        return self.numerator / self.denominator if self.denominator else None
