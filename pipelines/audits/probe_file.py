"""Probe cases: those that this tool brings along, and those of a user's file, read strictly."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from judge.errors import InputError, InputFault
from judge.schema.items import GivenProposition, Item
from judge.schema.labels import Label
from judge.schema.probes import ProbeCase, ProbeFileFacts
from pipelines.readers.json_values import kind_of
from pipelines.readers.lines import json_lines
from pipelines.readers.rows import Row
from pipelines.readers.values import identifier, plain_text, truth, visible_text

SHIPPED = Path(__file__).parent / "data" / "probes-v1.jsonl"
"""220 hand-written cases of 44 kinds. A published file never changes; another version gets another name."""

MAX_FAULTS = 200
PROPOSITION_ID = "p1"


class ProbeFile(NamedTuple):
    """The cases of a probe file in order, what is known of the file, and what a reader should be warned of."""

    facts: ProbeFileFacts
    cases: tuple[ProbeCase, ...]
    path: Path
    warnings: tuple[str, ...] = ()


class ProbeSource:
    """Probe cases as the input of a run: one item a case, with its proposition."""

    def __init__(self, file: ProbeFile) -> None:
        """Keep the cases."""
        self._cases = file.cases
        self.path: Path | None = file.path
        self.name = file.facts.name
        self.sha256 = file.facts.sha256
        self.count = len(file.cases)
        self.propositions: Path | None = None
        self.warnings = file.warnings

    def items(self) -> Iterator[Item]:
        """Yield the items from the beginning."""
        return map(item_of, self._cases)


def item_of(case: ProbeCase) -> Item:
    """Return a case as an item that brings its proposition along; nothing of its label."""
    given = GivenProposition(id=PROPOSITION_ID, text=case.proposition)
    return Item(id=case.id, question=case.question, answer=case.answer, propositions=(given,))


def shipped_probes(limit: int | None = None) -> ProbeFile:
    """Return the cases that this tool brings along."""
    return read_probes(SHIPPED, limit=limit)


def holds_probes(path: Path) -> bool:
    """Return whether a file is in probe form: every line has a `proposition`. False for a file that is no JSON Lines.

    Raises InputError for a file in which some lines are in probe form and others are not, naming the first that differs.
    """
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not path.is_file():
        return False
    rows = [row for row in json_lines(path) if isinstance(row, Row)]
    if not rows:
        return False
    is_probe = _is_probe(rows[0])
    odd = next((row for row in rows if _is_probe(row) is not is_probe), None)
    if odd is None:
        return is_probe
    forms = {True: "a probe case (`proposition`)", False: "an item (`ground_truth` or `propositions`)"}
    message = f"expected {forms[is_probe]} as on line {rows[0].line}, found {forms[not is_probe]}; a file holds the one or the other"
    raise InputError([InputFault(str(path), odd.line, message)])


def _is_probe(row: Row) -> bool:
    return "proposition" in row.values and "propositions" not in row.values


def read_probes(path: Path, *, limit: int | None = None) -> ProbeFile:
    """Return the cases of a probe file, at most `limit`. Raises InputError with every fault, each with its line."""
    try:
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError([InputFault(str(path), None, f"cannot be read: {error.strerror}")]) from error
    cases: list[ProbeCase] = []
    faults: list[InputFault] = []
    lines: dict[str, int] = {}
    strange: dict[str, None] = {}
    for row in json_lines(path):
        if isinstance(row, InputFault):
            faults.append(row)
            continue
        strange.update(dict.fromkeys(name for name in row.names if name not in _FIELDS))
        found = _case(row)
        if isinstance(found, ProbeCase) and (earlier := lines.setdefault(found.id, row.line)) != row.line:
            found = [f"the id `{found.id}` stands on line {earlier} already"]
        if isinstance(found, ProbeCase):
            cases.append(found)
        else:
            faults += [InputFault(str(path), row.line, fault) for fault in found]
    _refuse(path, faults, has_cases=bool(cases))
    kept = tuple(cases if limit is None else cases[:limit])
    warnings = (f"fields of {path.name} that no probe case has are ignored: {', '.join(strange)}",) if strange else ()
    return ProbeFile(_facts(path, sha256, kept), kept, path, warnings)


def _facts(path: Path, sha256: str, cases: Sequence[ProbeCase]) -> ProbeFileFacts:
    kinds = len({case.kind for case in cases})
    return ProbeFileFacts(name=path.name, sha256=sha256, cases=len(cases), kinds=kinds, shipped=path == SHIPPED)


def _refuse(path: Path, faults: list[InputFault], *, has_cases: bool) -> None:
    """Raise InputError where there is a fault, or nothing to ask."""
    if len(faults) > MAX_FAULTS:
        faults = [*faults[:MAX_FAULTS], InputFault(str(path), None, f"... and {len(faults) - MAX_FAULTS} more")]
    if not faults and not has_cases:
        faults = [InputFault(str(path), None, "there are no probe cases")]
    if faults:
        raise InputError(faults)


def _label(value: Any) -> Label:
    if value not in list(Label):
        raise ValueError(
            f"expected one of {', '.join(Label)}, found {value!r}"
            if isinstance(value, str)
            else f"expected a label, found {kind_of(value)}"
        )
    return Label(value)


_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "id": identifier,
    "kind": visible_text,
    "question": plain_text,
    "answer": plain_text,
    "proposition": visible_text,
    "label": _label,
    "abstained": truth,
    "note": plain_text,
    "payload": _label,
}
_REQUIRED = ("kind", "answer", "proposition", "label")


def _case(row: Row) -> ProbeCase | list[str]:
    """Return a line as a case, or everything that is wrong with it."""
    values: dict[str, Any] = {"id": f"line-{row.line}", "question": None}
    faults = []
    for name, parse in _FIELDS.items():
        value = row.values.get(name)
        if value is None:
            if name in _REQUIRED:
                faults.append(f"`{name}` is missing")
            continue
        try:
            values[name] = parse(value)
        except ValueError as error:
            faults.append(f"`{name}`: {error}")
    return faults or ProbeCase(**values)
