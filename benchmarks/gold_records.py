"""Human-labelled records as the benchmarks read them; whatever has another shape is named and passed over."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from judge.schema.labels import Label


class _Shape(BaseModel):
    """A part of a record; what else it holds is left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class LabelledStatement(_Shape):
    """A proposition, and what people said of it."""

    id: str
    text: str
    supported: bool | None
    label: Label | None


class LabelledItem(_Shape):
    """An answer with labelled propositions, and whether people say that it abstains."""

    question: str | None
    answer: str
    propositions: tuple[LabelledStatement, ...]
    abstained: bool | None

    @model_validator(mode="after")
    def _ids_differ(self) -> "LabelledItem":
        if len({one.id for one in self.propositions}) != len(self.propositions):
            raise ValueError("two propositions have the same id")
        return self


class _Votes(_Shape):
    completeness: tuple[int, ...]


class LabelledPair(_Shape):
    """Two answers to one question, and which of them people found more complete."""

    question: str
    answer: str
    answer_b: str
    gold_answer: str = Field(pattern=r"\w")
    human_preference: _Votes


def read_records(path: Path) -> Iterator[LabelledItem | LabelledPair]:
    """Yield the records of a file in order; one line on standard error names the first that is passed over, and how many are."""
    faults: list[str] = []
    for number, line in enumerate(_lines(path, faults), start=1):
        if not line.strip():
            continue
        record = _read(line)
        if isinstance(record, str):
            faults.append(f"{path}:{number}: {record}")
        else:
            yield record
    if faults:
        more = f"; {len(faults) - 1} more of this file are passed over" if len(faults) > 1 else ""
        print(f"passed over: {faults[0]}{more}", file=sys.stderr)


def _lines(path: Path, faults: list[str]) -> Sequence[str]:
    try:
        return path.read_text(encoding="utf-8").split("\n")  # not at the other ends of lines: strings may hold them
    except (OSError, UnicodeDecodeError) as error:
        faults.append(f"{path}:1: cannot be read as UTF-8 text ({error})")
        return []


def _read(line: str) -> LabelledItem | LabelledPair | str:
    """Return the record of a line, or what is wrong with it."""
    try:
        fields = json.loads(line)
        shape = LabelledPair if isinstance(fields, dict) and "answer_b" in fields else LabelledItem
        return shape.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the record"
        return f"expected a labelled answer or a labelled pair; {where}: {first['msg']}"
    except (ValueError, RecursionError) as error:
        return f"expected one JSON object ({error})"
