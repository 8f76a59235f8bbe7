"""The base of all records."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """An immutable value; unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")
