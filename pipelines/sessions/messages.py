"""One message of a chat, or one item of a Responses-style list, as steps of a session."""

from collections.abc import Iterator
from typing import Any

from judge.schema.events import Moment
from judge.standard.stated import shown
from pipelines.documents.file_bytes import PlacedFault
from pipelines.documents.places import child
from pipelines.readers.json_values import parse_json
from pipelines.sessions.moments import moment_of
from pipelines.sessions.steps import Called, Returned, Role, Said, Step, outcome_of

_ROLES: dict[str, Role] = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_RESULTS = ("tool", "function")
_TEXTS = ("text", "input_text", "output_text")
_TIMES = ("timestamp", "created_at", "at", "created")
_ARGUMENTS = ("arguments", "input", "action", "query", "queries", "code")
_SILENT = ("reasoning", "item_reference", "compaction")


class Unusable(ValueError):
    """A message cannot be used; `fault` says why and where."""

    def __init__(self, path: str, message: str) -> None:
        """Keep the fault."""
        super().__init__(message)
        self.fault = PlacedFault(path, message)


def is_message(value: Any) -> bool:
    """Return whether a JSON value looks like one message or one Responses-style item."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    is_item = isinstance(kind, str) and (kind in _SILENT or kind.endswith(("_call", "_call_output")))
    return "events" not in value and ("role" in value or is_item)


def steps_of(message: Any, path: str) -> list[Step]:
    """Return what one message tells, in its order. Raises Unusable if it is no message that can be read.

    Of a list of content parts only texts count, never reasoning. A refusal is a text that the agent said.
    """
    if not isinstance(message, dict):
        raise Unusable(path, f"is {shown(message)}, expected a message with a `role`")
    kind = message.get("type")
    if isinstance(kind, str) and "role" not in message:
        return list(_item_steps(message, kind, path))
    role = message.get("role")
    if role in _RESULTS:
        return [_result(message, "tool_call_id", "content", path)]
    if not isinstance(role, str) or role not in _ROLES:
        known = ", ".join([*_ROLES, *_RESULTS])
        raise Unusable(child(path, "role"), f"is {shown(role)}, expected one of {known}" if "role" in message else "is missing")
    return list(_message_steps(message, _ROLES[role], path))


def text_of(content: Any, path: str) -> str | None:
    """Return the text of a content: a string, null, or the text parts of a list, joined by line feeds; None if there is none."""
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        raise Unusable(path, f"is {shown(content)}, expected text, null or a list of parts")
    texts = [text for number, part in enumerate(content) for text in _part_text(part, child(path, number))]
    return "\n".join(texts) if texts else None


def _part_text(part: Any, path: str) -> Iterator[str]:
    if isinstance(part, str):
        yield part
        return
    if not isinstance(part, dict):
        raise Unusable(path, f"is {shown(part)}, expected a content part")
    kind = part.get("type")
    key = "refusal" if kind == "refusal" else "text" if kind in _TEXTS else None
    if key is not None:
        text = part.get(key)
        if not isinstance(text, str):
            raise Unusable(child(path, key), f"is {shown(text)}, expected text")
        yield text


def _message_steps(message: dict[str, Any], role: Role, path: str) -> Iterator[Step]:
    at = _time(message, path)
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    results = [part for part in parts if isinstance(part, dict) and part.get("type") == "tool_result"]
    for part in results:
        yield _result(part, "tool_use_id", "content", child(path, "content"))
    text = text_of(content, child(path, "content"))
    if text is None and isinstance(message.get("refusal"), str):
        text = message["refusal"]
    # A user who sends an image alone has taken a turn; an agent without text only called tools.
    if text or (role == "user" and not results):
        yield Said(role, text or "", at)
    for part in parts:
        if isinstance(part, dict) and part.get("type") == "tool_use":
            yield _use(part, at, child(path, "content"))
    yield from _tool_calls(message, at, path)


def _use(part: dict[str, Any], at: Moment | None, path: str) -> Called:
    """Return the call that a content part tells of, with its result where the provider ran the tool itself."""
    result = part.get("result")
    return Called(
        _id(part.get("id")),
        _name(part, path),
        _arguments(part),
        at,
        outcome_of(part),
        result=result if isinstance(result, str) else None,
        awaits_result="result" not in part,
    )


def _tool_calls(message: dict[str, Any], at: Moment | None, path: str) -> Iterator[Called]:
    calls = message.get("tool_calls")
    if calls is not None and not isinstance(calls, list):
        raise Unusable(child(path, "tool_calls"), f"is {shown(calls)}, expected a list")
    for number, call in enumerate(calls or []):
        place = child(child(path, "tool_calls"), number)
        if not isinstance(call, dict):
            raise Unusable(place, f"is {shown(call)}, expected an object")
        # The name may stand in an object of its own, beside the call's id, or, in other programs' files, in the call itself.
        key = next((key for key in ("function", "custom") if isinstance(call.get(key), dict)), None)
        named = call if key is None else call[key]
        inner = place if key is None else child(place, key)
        yield Called(_id(call.get("id")), _name(named, inner), _arguments(named), at)
    old = message.get("function_call")
    if isinstance(old, dict):
        yield Called(None, _name(old, child(path, "function_call")), _arguments(old), at)


def _item_steps(item: dict[str, Any], kind: str, path: str) -> Iterator[Step]:
    if kind.endswith("_output"):
        yield _result(item, "call_id", "output", path)
    elif kind.endswith("_call"):
        name = _name(item, path) if "name" in item else kind.removesuffix("_call")
        output = item.get("output")
        yield Called(
            _id(item.get("call_id") or item.get("id")),
            name,
            _arguments(item),
            _time(item, path),
            outcome_of(item),
            result=output if isinstance(output, str) else None,
            awaits_result="call_id" in item,
        )
    elif kind not in _SILENT:
        raise Unusable(child(path, "role"), f"is missing, and {shown(kind)} is no `type` that is known here")


def _result(told: dict[str, Any], id_key: str, content_key: str, path: str) -> Returned:
    content = told.get(content_key)
    text = text_of(content, child(path, content_key))
    identifier = _id(told.get(id_key))
    name = told.get("name")
    return Returned(identifier, name if isinstance(name, str) else None, text or "", outcome_of(told))


def _name(told: dict[str, Any], path: str) -> str:
    for key in ("name", "function"):
        name = told.get(key)
        if isinstance(name, str) and name.strip():
            return name
    raise Unusable(child(path, "name"), f"is {shown(told.get('name'))}, expected the name of a tool" if "name" in told else "is missing")


def _arguments(told: dict[str, Any]) -> Any:
    """Return the arguments of a call: JSON text as its value, any other text as it is."""
    found = next((told[key] for key in _ARGUMENTS if told.get(key) is not None), None)
    if not isinstance(found, str):
        return found
    try:
        return parse_json(found)
    except ValueError:
        return found


def _id(value: Any) -> str | None:
    """Return an id as text; a blank one is none."""
    return (str(value).strip() or None) if isinstance(value, str | int) and not isinstance(value, bool) else None


def _time(message: dict[str, Any], path: str) -> Moment | None:
    key = next((key for key in _TIMES if message.get(key) is not None), None)
    try:
        return None if key is None else moment_of(message[key])
    except ValueError as error:
        raise Unusable(child(path, str(key)), str(error)) from error
