"""Files of answers with labels that people gave, read strictly; the labels stay here and reach no request."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from judge.schema.labels import Label
from pipelines.documents.file_bytes import FileBytes, PlacedFault, read_bytes, refuse
from pipelines.documents.places import ROOT, child
from pipelines.documents.strict_json import Part, parts_of
from pipelines.documents.wording import validated, with_value_faults

Kind = Literal["entail3", "support2", "pyramid", "abstain", "pairwise"]

SIDES = ("answer", "answer_b")
"""The answers of a pair, as people's preference names them."""

VOTERS = {"right", "total"}
"""Votes that say how many of how many people were right, and not who said what."""

ASPECTS = ("correctness", "completeness", "overall")
"""What people compare two answers by, the last one the headline."""


class _Part(BaseModel):
    """A part of a gold record. What else it holds, such as sources and spans, is left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class GoldProposition(_Part):
    """A statement and what people said of it: one of three labels, or only whether it is supported.

    `votes` counts people by label word, or says how many of how many were `right`. `weight` is what it stands for in a sample.
    """

    id: str = Field(min_length=1)
    text: str = Field(pattern=r"\S")
    label: Label | None = None
    supported: bool | None = None
    votes: dict[str, int] | None = None
    weight: float = Field(default=1.0, gt=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _labels_agree(self) -> Self:
        if self.label is not None and self.supported is not None and self.supported is not (self.label is Label.SUPPORTED):
            raise ValueError(f"`supported` is {str(self.supported).lower()} although `label` is {self.label}")
        if self.votes is not None:
            _check_votes(self.votes)
        return self

    @property
    def is_supported(self) -> bool | None:
        """Whether people say that it is supported; None where they do not say."""
        return self.supported if self.label is None else self.label is Label.SUPPORTED


def _check_votes(votes: Mapping[str, int]) -> None:
    if min(votes.values(), default=0) < 0:
        raise ValueError("`votes` counts people, and a count is negative")
    if votes.keys() == VOTERS and votes["right"] > votes["total"]:
        raise ValueError(f"`votes` says that {votes['right']} of {votes['total']} people were right")


class GoldRecord(_Part):
    """An answer with what people said of it; of a pair two answers, the gold one, and which people prefer."""

    id: str = Field(min_length=1)
    kind: Kind | None = None
    doc_id: str | None = None
    question_id: str | None = None
    question: str | None = None
    answer: str
    propositions: tuple[GoldProposition, ...] = ()
    abstained: bool | None = None
    annotations: tuple[str, ...] | None = None
    human_score: float | None = Field(default=None, ge=0, le=1)
    answer_b: str | None = None
    gold_answer: str | None = Field(default=None, pattern=r"\S")
    human_preference: dict[str, tuple[int, ...]] | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        twice = [name for name, count in Counter(one.id for one in self.propositions).items() if count > 1]
        if twice:
            raise ValueError(f"two propositions have the id {twice[0]!r}")
        pair = {"answer_b": self.answer_b, "gold_answer": self.gold_answer, "human_preference": self.human_preference}
        given = [name for name, value in pair.items() if value is not None]
        if given and len(given) < len(pair) and (self.kind == "pairwise" or self.answer_b is not None):
            raise ValueError(f"a pair needs {', '.join(pair)}, and has only {', '.join(given)}")
        if self.kind == "pairwise" and not given:
            raise ValueError(f"a pair needs {', '.join(pair)}, and has none of them")
        unknown = sorted(set(self.human_preference or {}) - set(ASPECTS))
        if unknown:
            raise ValueError(f"`human_preference` is by {', '.join(ASPECTS)}, and has {unknown[0]!r}")
        return self

    @property
    def is_pair(self) -> bool:
        """Whether it holds two answers."""
        return self.answer_b is not None

    @property
    def is_compared(self) -> bool:
        """Whether it holds two answers that people compared by some aspect."""
        return self.is_pair and any(self.preference(aspect) is not None for aspect in ASPECTS)

    @property
    def item_ids(self) -> tuple[str, ...]:
        """The ids under which its answers are judged: its own, or one for each answer of a pair."""
        return tuple(f"{self.id}#{side}" for side in SIDES) if self.is_pair else (self.id,)

    @property
    def is_three_way(self) -> bool:
        """Whether all its statements carry one of the three labels, as people gave them."""
        if self.kind is not None:
            return self.kind == "entail3"
        return all(one.label is not None for one in self.propositions if one.is_supported is not None)

    def preference(self, aspect: str) -> int | None:
        """Return what people prefer by an aspect, all votes together: above 0 `answer_b`, below 0 `answer`, 0 a tie; None unsaid."""
        votes = (self.human_preference or {}).get(aspect)
        return sum(votes) if votes else None


class Gold(NamedTuple):
    """The records of a file, in its order, and the file: its name and the SHA-256 of its bytes."""

    path: Path
    sha256: str
    records: tuple[GoldRecord, ...]


def read_gold(path: Path, limit: int | None = None) -> Gold:
    """Return the first `limit` records of a file, or all. Raises InputError with every fault in it, by line."""
    file = read_bytes(path)
    parts = [part for whole in parts_of(file) for part in _records(whole)]
    found = [(part, validated(GoldRecord, part.value)) for part in parts]
    faults = [fault for part, one in found for fault in with_value_faults(part, one if isinstance(one, list) else [])]
    read = [(part, one) for part, one in found if isinstance(one, GoldRecord)]
    refuse(file, [*faults, *_repeated(read)])
    records = tuple(one for _, one in read)
    _require_labels(file, records)
    return Gold(path, file.sha256, records if limit is None else records[:limit])


def _records(part: Part) -> Iterator[Part]:
    """Yield the records of a value: itself, or each of a JSON list."""
    if isinstance(part.value, list):
        yield from (Part(value, part.line) for value in part.value)
    else:
        yield part


def _repeated(read: Sequence[tuple[Part, GoldRecord]]) -> Iterator[PlacedFault]:
    seen: dict[str, Part] = {}
    for part, record in read:
        names = {record.id, *record.item_ids}
        clash = min(names & seen.keys(), default=None)
        if clash is not None:
            found = f"{'is' if clash == record.id else 'stands for'} {clash!r}{_where(seen[clash])}"
            yield PlacedFault(child(ROOT, "id"), f"{found}; an id stands for one record", part.line)
        seen |= dict.fromkeys(names - seen.keys(), part)


def _where(known: Part) -> str:
    return "" if known.line is None else f", as in line {known.line}"


def _require_labels(file: FileBytes, records: Sequence[GoldRecord]) -> None:
    """Refuse a file in which people said nothing."""
    said = any(
        record.abstained is not None or record.is_compared or any(one.is_supported is not None for one in record.propositions)
        for record in records
    )
    if not said:
        expected = "expected `label` or `supported` on propositions, `abstained`, or pairs with `answer_b` and `human_preference`"
        refuse(file, [PlacedFault(ROOT, f"holds no label that people gave; {expected}")])
