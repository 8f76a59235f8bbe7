"""What a field of a campaign must hold, in words, and what a faulty one most likely means."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from judge.schema.campaign_events import MOST
from judge.schema.campaigns import Campaign
from pipelines.campaigns.strict_json import shown_key, shown_value

Location = Sequence[int | str]

_FIELDS = {
    "format": "1",
    "floors": "a list of attempts, an object each",
    "floor": "a whole number, 0 or more",
    "completion": "a number from 0 to 1",
    "duration_ms": "milliseconds above 0",
    "turns": "a whole number above 0",
    "cleared": "true or false",
    "turn": "a whole number above 0",
}
"""The fields that every file has; the others are told by the kind of the fault."""

_KINDS = {
    "float_type": "a number",
    "finite_number": "a finite number",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "string_type": "a text",
    "string_too_short": "a text with something in it",
    "string_pattern_mismatch": "a text with something in it",
    "tuple_type": "a list",
    "model_type": "an object",
    "union_tag_not_found": "an object with a `type`",
    "model_attributes_type": "an object",
}


def fault_message(fault: ErrorDetails, data: object) -> str:
    """Return one fault as `floors[1].completion is 1.2, expected a number from 0 to 1`."""
    place = path_of(fault["loc"], data)
    field = str(fault["loc"][-1]) if fault["loc"] else ""
    match fault["type"]:
        case "extra_forbidden":
            return f"`{place}` is no known field; {_meant(field, fault['loc'])}"
        case "missing":
            return f"`{place}` is missing, expected {_FIELDS.get(field, 'a value')}"
        case "union_tag_invalid":
            kinds = fault["ctx"]["expected_tags"].replace("'", "").split(", ")
            found = str(fault["ctx"]["tag"])
            near = get_close_matches(found.lower(), kinds, n=1)
            return (
                f"`{place}.type` is {shown_value(found)}, expected "
                + (f"`{near[0]}` perhaps, or " if near else "")
                + f"one of {', '.join(kinds)}"
            )
    subject = f"`{place}` is" if place else "the file holds"
    return f"{subject} {shown_value(fault['input'])}, expected {_expected(field, fault)}"


def path_of(location: Location, data: object) -> str:
    """Return a place in the data as `floors[1].events[0].query`; names of kinds of events, which stand in no file, are left out."""
    parts: list[str] = []
    for position, part in enumerate(location):
        if isinstance(part, int):
            parts.append(f"[{part}]")
            data = data[part] if isinstance(data, list) and part < len(data) else None
        elif isinstance(data, dict) and part in data:
            parts.append(f".{shown_key(part)}")
            data = data[part]
        elif position == len(location) - 1 and not _is_tag(part, data):
            parts.append(f".{shown_key(part)}")
    return "".join(parts).removeprefix(".")


def _is_tag(part: str, data: object) -> bool:
    return isinstance(data, dict) and data.get("type") == part


def _expected(field: str, fault: ErrorDetails) -> str:
    limits: dict[str, Any] = fault.get("ctx", {})
    if limits.get("le") == MOST:
        return f"a whole number up to 2^53 = {MOST:,}"
    if field in _FIELDS:
        return _FIELDS[field]
    for name, words in (("ge", "{:g} or more"), ("le", "{:g} or less"), ("gt", "more than {:g}"), ("expected", "{}")):
        if name in limits:
            return words.format(limits[name])
    return _KINDS.get(fault["type"], fault["msg"])


def _meant(field: str, location: Location) -> str:
    known = list(_known_fields(location))
    folded = {name.replace("_", "").lower(): name for name in known}
    near = get_close_matches(field.replace("_", "").lower(), folded, n=1, cutoff=0.6)
    return f"the closest is `{folded[near[0]]}`" if near else f"known are {', '.join(known)}"


def _known_fields(location: Location) -> Iterator[str]:
    """Yield the names that the object at a place may have, found by following the place through the models."""
    models: list[type[BaseModel]] = [Campaign]
    for part in location[:-1]:
        if isinstance(part, int):
            continue
        tagged = [model for model in models if "type" in model.model_fields and model.model_fields["type"].default == part]
        models = tagged or [inner for model in models for inner in _inner(model, part)]
    for model in models:
        yield from (field.alias or name for name, field in model.model_fields.items())


def _inner(model: type[BaseModel], name: str) -> Iterator[type[BaseModel]]:
    for own, field in model.model_fields.items():
        if name in (own, field.alias):
            yield from _models_in(field.annotation)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    parts = get_args(annotation)
    for part in parts[:1] if get_origin(annotation) is Annotated else parts:
        yield from _models_in(part)
