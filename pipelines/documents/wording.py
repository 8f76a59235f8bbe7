"""Values checked against records, and what is wrong with them in words: where, what was found, what is expected."""

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from judge.standard.stated import shown
from pipelines.documents.file_bytes import FileBytes, PlacedFault, refuse
from pipelines.documents.places import ROOT, place_of
from pipelines.documents.rules import Rules, meant, unknown_field
from pipelines.documents.strict_json import TWICE, Part, usable, value_faults

Record_ = TypeVar("Record_", bound=BaseModel)


def checked(file: FileBytes, part: Part, model: type[Record_], *, allows_nul: bool = True) -> Record_:
    """Return a value of a file as a record. Raises InputError with everything that is wrong with it, as JSON and as that record."""
    found = validated(model, part.value)
    refuse(file, with_value_faults(part, found if isinstance(found, list) else [], allows_nul=allows_nul))
    assert not isinstance(found, list)
    return found


def with_value_faults(part: Part, faults: list[PlacedFault], *, allows_nul: bool = True) -> list[PlacedFault]:
    """Return faults of a value with those that it has as JSON, each place told once: a fault of a field says more than one of JSON."""
    told = {fault.path for fault in faults}
    of_json = [fault for fault in value_faults(part, allows_nul=allows_nul) if fault.path not in told or fault.message == TWICE]
    return of_json + [fault._replace(line=part.line) for fault in faults]


def validated(model: type[Record_], value: Any, root: str = ROOT) -> Record_ | list[PlacedFault]:
    """Return a JSON value as a record, taken strictly: no text is a number, no number is true; or everything that is wrong with it.

    `root` is the path of the value in its document. What `value_faults` tells of counts as null.
    """
    try:
        return model.model_validate_json(json.dumps(usable(value)), strict=True)
    except ValidationError as error:
        return model_faults(error, value, model, root)


def model_faults(error: ValidationError, value: Any, model: type[BaseModel], root: str = ROOT) -> list[PlacedFault]:
    """Return what a validation found wrong with a value, once per place: alternatives that all failed are one fault."""
    rules, faults = Rules(model), dict[str, str]()
    for detail in error.errors(include_url=False):
        place = place_of(value, detail["loc"])
        faults.setdefault(place.path, _sentence(detail, rules, place.value))
    return [PlacedFault(root + path.removeprefix(ROOT), fault) for path, fault in faults.items()]


def _sentence(detail: ErrorDetails, rules: Rules, found: Any) -> str:
    kind, location = detail["type"], detail["loc"]
    match kind:
        case "missing":
            return f"is missing, expected {rules.expected(location)}"
        case "extra_forbidden":
            return unknown_field(str(location[-1]), rules.fields(location[:-1]))
        case "union_tag_not_found":
            return f"has no `type`, expected one of {', '.join(rules.kinds(location))}"
        case "union_tag_invalid":
            return _unknown_kind(detail["ctx"]["tag"], rules.kinds(location))
        case "value_error":
            return f"is {shown(found)}, which cannot be: {detail['ctx']['error']}"
    return f"is {shown(found)}, expected {rules.expected(location, is_too_large=kind == 'less_than_equal')}"


def _unknown_kind(tag: str, known: list[str]) -> str:
    near = meant(tag, known)
    return f"has the `type` {shown(tag)}, expected one of {', '.join(known)}" + (f"; {near}" if near else "")
