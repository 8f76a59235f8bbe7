"""What a record wants at each of its places, in words, as its JSON Schema tells."""

import json
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel

MOMENT = "seconds as a number, or a date and time with its zone, such as 2026-04-01T12:00:00Z"
"""What a time may be."""

_LARGEST = 2**53
"""A bound this high is told only to whom it concerns: it is where JSON readers begin to lose digits."""

_PATTERNS = {r"\S": "text with something in it", "^[0-9a-f]{64}$": "64 hexadecimal digits in lower case"}

Node = dict[str, Any]
Location = Sequence[str | int]


class Rules:
    """The JSON Schema of a record, walked by the locations that a validation reports."""

    def __init__(self, model: type[BaseModel]) -> None:
        """Generate the schema, keys as they stand in files."""
        self._root: Node = model.model_json_schema()

    def fields(self, location: Location) -> list[str]:
        """Return the names that the object at a place can have."""
        return list(dict.fromkeys(name for node in self._at(location) for name in node.get("properties", ())))

    def kinds(self, location: Location) -> list[str]:
        """Return the values that `type` can have in the object at a place."""
        return [node["properties"]["type"]["const"] for node in self._at(location) if _kind(node) is not None]

    def expected(self, location: Location, *, is_too_large: bool = False) -> str:
        """Return what a value at a place must be; `is_too_large` tells the highest number too that would be taken."""
        nodes = [node for node in self._at(location) if node.get("type") != "null"]
        if any(node.get("format") == "date-time" for node in nodes) and len(nodes) > 1:
            return MOMENT
        if len(nodes) > 1 and all(_kind(node) is not None for node in nodes):
            return "an object with a `type`"
        words = dict.fromkeys(_words(node, is_too_large=is_too_large) for node in nodes)
        return ", or ".join(words) or "another value"

    def _at(self, location: Location) -> list[Node]:
        nodes = list(self._opened(self._root))
        for key in location:
            tagged = [node for node in nodes if _kind(node) == key]
            inner = [part for node in nodes for part in _parts(node, key)]
            # A name of an alternative is no place of its own.
            nodes = tagged or [node for part in inner for node in self._opened(part)] or nodes
        return nodes

    def _opened(self, node: Node) -> Iterator[Node]:
        """Yield a node, or the alternatives that it is made of."""
        if "$ref" in node:
            yield from self._opened(self._root["$defs"][node["$ref"].rpartition("/")[2]])
        elif alternatives := node.get("anyOf") or node.get("oneOf"):
            for part in alternatives:
                yield from self._opened(part)
        else:
            yield node


def unknown_field(name: str, known: Sequence[str]) -> str:
    """Say that a field is not known, and which one was meant most likely."""
    if name in known:
        return "does not fit the other fields of this object"
    return "is no known field; " + (meant(name, known) or f"known are {', '.join(known)}")


def meant(name: str, known: Sequence[str]) -> str | None:
    """Return which of the known names was meant most likely, in words; None if none is near. Case and underscores do not count."""
    folded = {_folded(field): field for field in known}
    near = get_close_matches(_folded(name), folded, n=1, cutoff=0.6)
    return f"the closest is `{folded[near[0]]}`" if near else None


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _kind(node: Node) -> str | None:
    """Return the `type` of the one kind of object that a node describes."""
    kind: str | None = node.get("properties", {}).get("type", {}).get("const")
    return kind


def _parts(node: Node, key: str | int) -> Iterator[Node]:
    inner = node.get("items") if isinstance(key, int) else node.get("properties", {}).get(key, node.get("additionalProperties"))
    if isinstance(inner, dict):
        yield inner


def _words(node: Node, *, is_too_large: bool) -> str:
    if "const" in node:
        return json.dumps(node["const"])
    if "enum" in node:
        *others, last = map(str, node["enum"])
        return f"{', '.join(others)} or {last}" if others else last
    match node.get("type"):
        case "integer" | "number" as kind:
            return _number_words(node, "a whole number" if kind == "integer" else "a number", is_too_large=is_too_large)
        case "string":
            return _PATTERNS.get(node.get("pattern", ""), "text")
        case "boolean":
            return "true or false"
        case "array":
            return "a list with at least one entry" if node.get("minItems") else "a list"
        case "object":
            needed = node.get("required", ())
            least = " with at least one entry" if node.get("minProperties") else ""
            return f"an object with `{needed[0]}`" if len(needed) == 1 else f"an object{least}"
    return "a value"


def _number_words(node: Node, kind: str, *, is_too_large: bool) -> str:
    least, most = node.get("minimum"), node.get("maximum")
    if most is not None and (most < _LARGEST or is_too_large):
        return f"{kind} from {least:g} to {most:.16g}" if least is not None else f"{kind}, {most:.16g} or less"
    if (above := node.get("exclusiveMinimum")) is not None:
        return f"{kind} above {above:g}"
    return kind if least is None else f"{kind}, {least:g} or more"
