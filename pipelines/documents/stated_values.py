"""Values that a file states by the keys of the standard, checked alone and against each other."""

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schema.run_records import RunRecord
from judge.standard.contradictions import contradictions
from judge.standard.stated import STATED_KEYS, by_symbol, number_of, turns_fault, unknown_key, value_fault
from pipelines.documents.file_bytes import PlacedFault
from pipelines.documents.places import child

_ROUNDING = 1e-6


def stated_faults(stated: Mapping[str, Any], place: str, *, is_automated: bool, also: tuple[str, ...] = ()) -> list[PlacedFault]:
    """Return what is wrong with stated values; `also` are other keys of the same object, for suggestions.

    What contradicts the rest is sought only where each value by itself is right.
    """
    faults = [*key_faults(stated, place, also), *_joint_faults(stated, place, is_automated=is_automated)]
    if faults:
        return faults
    record = stated_record(stated, is_automated=is_automated)
    return [PlacedFault(place, sentence) for sentence in contradictions(record)]


def key_faults(stated: Mapping[str, Any], place: str, also: tuple[str, ...] = ()) -> Iterator[PlacedFault]:
    """Yield what is wrong with each key and its value, taken alone."""
    for key, value in stated.items():
        if key not in STATED_KEYS:
            yield PlacedFault(child(place, key), unknown_key(key, also))
        elif fault := value_fault(key, value):
            yield PlacedFault(child(place, key), fault)


def stated_record(stated: Mapping[str, Any], *, is_automated: bool, name: str = "", sha256: str = "") -> RunRecord:
    """Return values that have no fault as a record."""
    fundamentals, derived = by_symbol({key: None if value is None else float(value) for key, value in stated.items()})
    return RunRecord(name=name, sha256=sha256, automated=is_automated, fundamentals=fundamentals, derived=derived)


def _joint_faults(stated: Mapping[str, Any], place: str, *, is_automated: bool) -> Iterator[PlacedFault]:
    corrections = number_of(stated.get("N_corrections"))
    if is_automated and corrections is not None and corrections > 0:
        message = f"is {corrections:.12g} and `automated` is true: in an automated run nobody corrects"
        yield PlacedFault(child(place, "N_corrections"), message)
    if fault := turns_fault(corrections, number_of(stated.get("N_turns"))):
        yield PlacedFault(place, fault)
    recall, contradiction = number_of(stated.get("R_proposition")), number_of(stated.get("C_contradiction"))
    if recall is not None and contradiction is not None and recall + contradiction > 1 + _ROUNDING:
        shares = f"`R_proposition` is {recall:.12g} and `C_contradiction` {contradiction:.12g}"
        yield PlacedFault(place, f"{shares}: of one set of propositions both together are at most 1")
