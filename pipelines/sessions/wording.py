"""What a validation found, in words for users: where, what was found, what is expected."""

import json
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from judge.standard.stated import shown
from pipelines.sessions.paths import ROOT, path_of

Record_ = TypeVar("Record_", bound=BaseModel)

MOMENT = "seconds as a number, or a date and time with its zone, such as 2026-04-01T12:00:00Z"
"""What a time may be."""

_EXPECTED = {
    "string_type": "text",
    "string_too_short": "text with something in it",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "too_short": "at least one entry",
}
_PATTERNS = {r"\S": "text with something in it", "^[0-9a-f]{64}$": "64 hexadecimal digits in lower case"}


class PlacedFault(NamedTuple):
    """What is wrong, and where: the JSON path, and in JSON Lines the line."""

    path: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        """Format as `path: message`; of a whole document the message alone."""
        return self.message if self.path == ROOT else f"{self.path}: {self.message}"


def validated(model: type[Record_], value: Any, root: str = ROOT) -> Record_ | list[PlacedFault]:
    """Return a JSON value as a record, taken strictly: no text is a number, no number is true; or everything that is wrong with it.

    `root` is the path of the value in its document.
    """
    try:
        return model.model_validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        return _model_faults(error, value, model, root)


def _model_faults(error: ValidationError, value: Any, model: type[BaseModel], root: str) -> list[PlacedFault]:
    """Return what is wrong with a value, once per place: alternatives that all failed are one fault."""
    faults = dict[str, str]()
    for detail in error.errors(include_url=False):
        path = path_of(value, detail["loc"])
        faults.setdefault(path, _sentence(detail, model, path))
    return [PlacedFault(root + path.removeprefix(ROOT), fault) for path, fault in faults.items()]


def _sentence(detail: ErrorDetails, model: type[BaseModel], path: str) -> str:
    kind, found, context = detail["type"], detail["input"], detail.get("ctx", {})
    match kind:
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return unknown_field(str(detail["loc"][-1]), [name for part in _records(model, detail["loc"]) for name in part.model_fields])
        case "union_tag_not_found":
            return "has no `type`"
        case "union_tag_invalid":
            return _unknown_type(str(context["tag"]), str(context["expected_tags"]))
    return f"is {shown(found)}, expected {_expected(kind, context, path)}"


def _expected(kind: str, context: dict[str, Any], path: str) -> str:
    if path.endswith((".at", ".started_at")):
        return MOMENT
    if context.get("class_name") == "ExpectedKey":
        return "text, or an object with `key`"
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    match kind:
        case "literal_error":
            return str(context["expected"]).replace("'", "")
        case "greater_than":
            return f"a number above {context['gt']:g}"
        case "greater_than_equal":
            return f"a number, {context['ge']:g} or more"
        case "string_pattern_mismatch":
            return _PATTERNS[context["pattern"]]
    return f"another value ({kind.replace('_', ' ')})"


def unknown_field(name: str, known: Sequence[str]) -> str:
    """Say that a field is not known, and which one was meant most likely."""
    named = {field.lower(): field for field in known}
    near = get_close_matches(name.lower(), named, n=1, cutoff=0.7)
    return "is no known field; " + (f"the closest is `{named[near[0]]}`" if near else f"known are {', '.join(known)}")


def _unknown_type(tag: str, expected: str) -> str:
    known = [name.strip(" '") for name in expected.split(",")]
    near = get_close_matches(tag.lower(), known, n=1, cutoff=0.5)
    meant = f" (the closest is {near[0]})" if near else ""
    return f"has the `type` {shown(tag)}, expected one of {', '.join(known)}{meant}"


def _records(model: type[BaseModel], location: Sequence[str | int]) -> list[type[BaseModel]]:
    """Return the records that can stand where the last key of a location was found."""
    candidates = [model]
    for key in location[:-1]:
        if isinstance(key, int):
            continue
        tagged = [record for record in candidates if "type" in record.model_fields and record.model_fields["type"].default == key]
        inner = [part for record in candidates if key in record.model_fields for part in _within(record.model_fields[key].annotation)]
        candidates = tagged or inner or candidates
    return candidates


def _within(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) in (Annotated, Union, UnionType, tuple, dict):
        for part in get_args(annotation):
            yield from _within(part)
