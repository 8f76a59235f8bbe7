"""Everything that can go wrong at a judge model's endpoint, each as a value that a test can script."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.endpoint.replies import Json


class HttpReply(NamedTuple):
    """One HTTP response, apart from its framing."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One way to misbehave; the faults of one request apply together, in the order scripted."""

    reply: Callable[[Json], Json] = lambda value: value
    """Edits the typed reply."""
    text: Callable[[str], str] = lambda value: value
    """Edits the text the reply was written as: the content, or the arguments of the tool call."""
    completion: Callable[[Json], Json] = lambda value: value
    """Edits the completion round the text."""
    http: HttpReply | None = None
    """Stands in for the whole response; of several, the first counts."""
    delay: float = 0.0
    """Seconds before the first byte."""
    drip: float = 0.0
    """Seconds between two bytes of the body."""
    sent_share: float = 1.0
    """The share of the response's bytes that is sent; below 1 the connection is closed then."""


def html(status: int) -> Fault:
    """Answer as a proxy in front of a dead endpoint does: a status with a web page."""
    page = f"<html><head><title>{status}</title></head><body><h1>{status}</h1><hr>nginx</body></html>"
    return Fault(http=HttpReply(status, {"Content-Type": "text/html"}, page.encode()))


def status(code: int, message: str = "scripted error", *, name: str | None = None, headers: Mapping[str, str] | None = None) -> Fault:
    """Answer with a status and an OpenAI error object: 400, 401, 402, 403, 404, 422, 429, 500, 503, 529 and the like."""
    content = json.dumps({"error": {"message": message, "type": "scripted", "param": None, "code": name}}).encode()
    return Fault(http=HttpReply(code, {"Content-Type": "application/json", **(headers or {})}, content))


def context_length_exceeded() -> Fault:
    """Say that the prompt is too long."""
    return status(400, "This model's maximum context length is 8192 tokens.", name="context_length_exceeded")


def prompt_filtered() -> Fault:
    """Refuse the prompt by a content filter, with a 400 and no completion."""
    return status(400, "The prompt was filtered by the content management policy.", name="content_filter")


def response_format_unsupported() -> Fault:
    """Say that typed replies cannot be asked for this way."""
    return status(400, "response_format not supported")


def parameter_unsupported(parameter: str = "temperature") -> Fault:
    """Refuse one request parameter."""
    return status(400, f"Unsupported parameter: {parameter}", name="unsupported_parameter")


def rate_limited(retry_after: float | str | None = None) -> Fault:
    """Answer 429; Retry-After is seconds, a date, any other text, or absent."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return status(429, "Rate limit reached", name="rate_limit_exceeded", headers=headers)


def quota_exhausted() -> Fault:
    """Answer 429 with the code that no wait will cure."""
    return status(429, "You exceeded your current quota", name="insufficient_quota")


def redirect(location: str = "http://elsewhere.invalid/v1/chat/completions") -> Fault:
    """Send the client, and its key, to another host."""
    return Fault(http=HttpReply(307, {"Location": location}, b""))


def delay(seconds: float) -> Fault:
    """Wait before the response."""
    return Fault(delay=seconds)


def drip(seconds: float) -> Fault:
    """Send the headers at once and then one byte of the body per interval, so that no single read times out."""
    return Fault(drip=seconds)


def closed(sent_share: float = 0.0) -> Fault:
    """Close the connection before the response (0) or in the middle of it (a share of its bytes below 1)."""
    return Fault(sent_share=sent_share)


def edit_choice(edit: Callable[[Json], Json]) -> Fault:
    """Edit the one choice of the completion."""
    return Fault(completion=lambda completion: {**completion, "choices": [edit(choice) for choice in completion["choices"]]})


def edit_message(edit: Callable[[Json], Json]) -> Fault:
    """Edit the assistant's message."""
    return edit_choice(lambda choice: {**choice, "message": edit(choice["message"])})


def refusal(text: str = "I can't help with that.") -> Fault:
    """Refuse in the field made for it, with no content."""
    return edit_message(lambda _: {"role": "assistant", "content": None, "refusal": text})


def reply_filtered() -> Fault:
    """Stop by a content filter with empty content."""
    return edit_choice(lambda choice: {**choice, "message": {"role": "assistant", "content": ""}, "finish_reason": "content_filter"})


def truncated(share: float = 0.5, *, finish_reason: str = "length") -> Fault:
    """Cut the text off; `finish_reason="stop"` hides that it was."""
    return Fault(
        text=lambda text: text[: int(len(text) * share)],
        completion=edit_choice(lambda choice: {**choice, "finish_reason": finish_reason}).completion,
    )


def reasoning_exhausted(tokens: int = 4096) -> Fault:
    """Spend all tokens on reasoning: no content, finish reason length, usage says where they went."""

    def spend(completion: Json) -> Json:
        details = {"completion_tokens": tokens, "completion_tokens_details": {"reasoning_tokens": tokens}}
        choice = {"index": 0, "message": {"role": "assistant", "content": ""}, "finish_reason": "length"}
        return {**completion, "choices": [choice], "usage": {**completion["usage"], **details}}

    return Fault(completion=spend)


def null_message() -> Fault:
    """Send a choice without a message."""
    return edit_choice(lambda choice: {**choice, "message": None})


def no_choices() -> Fault:
    """Send an empty list of choices."""
    return Fault(completion=lambda completion: {**completion, "choices": []})


def no_usage() -> Fault:
    """Leave the usage out."""
    return Fault(completion=lambda completion: {key: value for key, value in completion.items() if key != "usage"})


def reported_model(name: str) -> Fault:
    """Report another model than the one asked for."""
    return Fault(completion=lambda completion: {**completion, "model": name})


def tool_calls(count: int) -> Fault:
    """Call the tool this many times, with equal arguments; 0 leaves a message with nothing in it."""
    return edit_message(lambda message: {**message, "tool_calls": message["tool_calls"] * count} if "tool_calls" in message else message)


def content_for_tool_call() -> Fault:
    """Write the JSON as plain content where a tool call was asked for."""

    def speak(message: Json) -> Json:
        calls = message.get("tool_calls")
        return {"role": "assistant", "content": calls[0]["function"]["arguments"]} if calls else message

    return edit_message(speak)


def empty_text() -> Fault:
    """Say nothing at all."""
    return Fault(text=lambda _: "")


def fenced() -> Fault:
    """Put the JSON in a Markdown fence, where it is not in one already."""
    return Fault(text=lambda text: text if text.startswith("```") else f"```json\n{text}\n```")


def prose_around() -> Fault:
    """Put chatter before and after the JSON."""
    return Fault(text=lambda text: f"Sure! Here is what you asked for:\n\n{text}\n\nLet me know if you need more.")


def thinking() -> Fault:
    """Think aloud before the JSON, about a JSON object at that."""
    return Fault(text=lambda text: f'<think>Perhaps {{"verdicts": []}}? No.</think>\n{text}')


def two_objects() -> Fault:
    """Write the JSON twice."""
    return Fault(text=lambda text: f"{text}\n{text}")


def duplicate_keys() -> Fault:
    """Decide twice in one object: a first label, mark or text and then the real one under the same key."""
    return Fault(text=lambda text: re.sub(r'"(label|mark|text)": ', r'"\1": "not_addressed", "\1": ', text, count=1))


def control_characters() -> Fault:
    """Leave a tab, a newline and a NUL unescaped inside a string."""
    return Fault(text=lambda text: re.sub(r'("rationale|"text)": "', lambda match: match[0] + "\t\n\0", text, count=1))


def deep_nesting(depth: int = 100_000) -> Fault:
    """Write lists in lists, deeper than a recursive parser can follow."""
    return Fault(text=lambda _: '{"verdicts": ' + "[" * depth + "]" * depth + "}")


def edit_entries(edit: Callable[[list[Json]], list[Json]]) -> Fault:
    """Edit the list of verdicts or propositions; a reply without a list is its own and only entry."""

    def on_reply(reply: Json) -> Json:
        name = next((name for name in ("verdicts", "propositions") if name in reply), None)
        return next(iter(edit([reply])), {}) if name is None else {**reply, name: edit(reply[name])}

    return Fault(reply=on_reply)


def edit_field(edit: Callable[[Any], Any], *names: str) -> Fault:
    """Edit these fields of every verdict or proposition, or of the one appraisal, where they are there and not null."""

    def on_entry(entry: Json) -> Json:
        return {name: edit(value) if name in names and value is not None else value for name, value in entry.items()}

    return edit_entries(lambda entries: [on_entry(entry) for entry in entries])


def too_few() -> Fault:
    """Leave the last entry out."""
    return edit_entries(lambda entries: entries[:-1])


def too_many() -> Fault:
    """Add the first entry once more, under an id that nobody asked about where entries have ids."""
    return edit_entries(
        lambda entries: [*entries, *({name: "s999" if name == "id" else value for name, value in entry.items()} for entry in entries[:1])]
    )


def duplicate_ids(**changes: Any) -> Fault:
    """Repeat the first entry: agreeing, or with changes such as `label="contradicted"` conflicting."""
    return edit_entries(lambda entries: [*entries, *({**entry, **changes} for entry in entries[:1])])


def unknown_ids() -> Fault:
    """Answer for x1, x2, ... in place of s1, s2, ..."""
    return edit_field(lambda name: name.replace("s", "x"), "id")


def integer_ids() -> Fault:
    """Write the ids as 1, 2, ..."""
    return edit_field(lambda name: int(name[1:]), "id")


def shuffled() -> Fault:
    """Return the entries in reverse order."""
    return edit_entries(lambda entries: entries[::-1])


def label_spelled(spell: Callable[[str], str]) -> Fault:
    """Spell every label another way: `str.upper`, padded, with a zero-width space, translated, or outside the set."""
    return edit_field(spell, "label")


def extra_field() -> Fault:
    """Add a field that nobody asked for to every entry."""
    return edit_entries(lambda entries: [{**entry, "confidence": 0.9} for entry in entries])


def wrong_top_level() -> Fault:
    """Put everything under another key."""
    return Fault(reply=lambda reply: {"result": list(reply.values())})


def not_a_number() -> Fault:
    """Write NaN, which JSON does not have, in place of labels, marks and propositions."""
    return edit_field(lambda _: float("nan"), "label", "mark", "text")


def long_text(text: str) -> Fault:
    """Put a text in every rationale or proposition: `"{" * 5_000`, or ten million characters for a reply of 10 MB."""
    return edit_field(lambda _: text, "rationale", "text")


def quote_not_found() -> Fault:
    """Quote words that are nowhere in the answer or the ground truth."""
    return edit_field(lambda _: "Colourless green ideas sleep furiously.", "quote", "source_quote")
