"""What a well-behaved judge model says: a deterministic reply to each kind of request, by plain string comparison."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from judge.schema.labels import AbstentionValue, Label, Mode, RequestKind

Json = dict[str, Any]

KIND_BY_PROPERTY = {"propositions": RequestKind.DECOMPOSE, "verdicts": RequestKind.LABEL, "mark": RequestKind.APPRAISE}
KIND_BY_BLOCK = {"ground_truth": RequestKind.DECOMPOSE, "statements": RequestKind.LABEL, "reference": RequestKind.APPRAISE}

BLOCK = re.compile(r"^<([a-z_]+\d*)-([0-9a-f]+)>\n(.*?)\n?</\1-\2>", re.DOTALL | re.MULTILINE)
STATEMENT = re.compile(r"^(s\d+): ?(.*)$", re.MULTILINE)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=。)\s*|\n+")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
DECLINES = re.compile(r"\s*I (?:do not|don['’]t) know", re.IGNORECASE)
FINAL_PUNCTUATION = " .!?。"

_NUMBERS = count(1)


@dataclass(frozen=True, kw_only=True)
class ParsedRequest:
    """One chat-completions request: its body, what it asks for and in which form the reply is due."""

    body: Json
    kind: RequestKind | None
    mode: Mode
    schema: Json
    text: str
    """The text of all messages."""
    blocks: dict[str, str]
    """The fenced texts of the user messages by name; the name has no boundary."""


def parse_request(body: Json) -> ParsedRequest:
    """Read a request body; `kind` is None where neither a schema nor the blocks tell what is asked."""
    messages = body.get("messages", [])
    text = "\n".join(message_text(message) for message in messages)
    blocks = parse_blocks("\n".join(message_text(message) for message in messages if message.get("role") == "user"))
    schema = reply_schema(body, text)
    names = [
        *(KIND_BY_PROPERTY.get(name) for name in schema.get("properties", {})),
        *(KIND_BY_BLOCK.get(name.rstrip("0123456789")) for name in blocks),
    ]
    kind = next((name for name in names if name is not None), None)
    return ParsedRequest(body=body, kind=kind, mode=reply_mode(body), schema=schema, text=text, blocks=blocks)


def message_text(message: Json) -> str:
    """Return the text of one message, whether its content is a string, a list of parts or null."""
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content)
    return content if isinstance(content, str) else ""


def parse_blocks(text: str) -> dict[str, str]:
    """Return the fenced blocks by name; a tag inside another block is text, and of two blocks of one name the last counts."""
    return {match[1]: match[3] for match in BLOCK.finditer(text)}


def reply_mode(body: Json) -> Mode:
    """Return the form in which the reply is due; a request that names none wants a fenced block in the text."""
    if body.get("tools"):
        return Mode.TOOLS
    return Mode.JSON_SCHEMA if body.get("response_format") else Mode.MD_JSON


def reply_schema(body: Json, text: str) -> Json:
    """Return the JSON schema of the reply from the tool, the response format or the messages; empty if there is none."""
    if body.get("tools"):
        return dict(body["tools"][0]["function"].get("parameters", {}))
    declared = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
    if declared is not None:
        return dict(declared)
    return next((value for value in objects_in(BLOCK.sub("", text)) if KIND_BY_PROPERTY.keys() & value.get("properties", {})), {})


def objects_in(text: str) -> Iterator[Json]:
    """Yield every JSON object that stands in the text, from left to right."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except ValueError:
            end = start + 1
        else:
            yield value
        start = text.find("{", end)


def well_behaved(request: ParsedRequest) -> Json | None:
    """Return the reply to a request, or None where its kind is unknown."""
    match request.kind:
        case RequestKind.DECOMPOSE:
            return decompose(request.blocks.get("ground_truth", ""))
        case RequestKind.LABEL:
            return label(request)
        case RequestKind.APPRAISE:
            references = [text for name, text in request.blocks.items() if name.rstrip("0123456789") == "reference"]
            return appraise(request.blocks.get("answer", ""), references)
        case None:
            return None


def written(request: ParsedRequest, reply: Json | None) -> str:
    """Return a reply as the text a model would write: JSON, in a fence where only the prompt asks for JSON."""
    if reply is None:
        return "OK"
    text = json.dumps(reply, ensure_ascii=False)
    return f"```json\n{text}\n```" if request.mode is Mode.MD_JSON else text


def completion(request: ParsedRequest, text: str) -> Json:
    """Return the completion round a text; tokens are counted as a quarter of the characters."""
    message: Json = {"role": "assistant", "content": text}
    if request.mode is Mode.TOOLS:
        call = {"name": request.body["tools"][0]["function"]["name"], "arguments": text}
        message = {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": call}]}
    sent, made = len(request.text) // 4, len(text) // 4
    return {
        "id": f"chatcmpl-{next(_NUMBERS)}",
        "object": "chat.completion",
        "created": 0,
        "model": request.body.get("model"),
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if request.mode is Mode.TOOLS else "stop"}],
        "usage": {"prompt_tokens": sent, "completion_tokens": made, "total_tokens": sent + made},
    }


def decompose(ground_truth: str) -> Json:
    """Return one proposition per sentence, word for word."""
    return {"propositions": [{"source_quote": sentence, "text": sentence} for sentence in sentences(ground_truth)]}


def label(request: ParsedRequest) -> Json:
    """Return one verdict per statement in the order asked, with abstention where the schema has it."""
    answer = request.blocks.get("answer", "")
    shapes = {shape(sentence): sentence for sentence in sentences(answer)}
    verdicts = [verdict(name, text, answer, shapes) for name, text in STATEMENT.findall(request.blocks.get("statements", ""))]
    if "abstention" in request.schema.get("properties", {}):
        return {"abstention": abstention(answer), "verdicts": verdicts}
    return {"verdicts": verdicts}


def verdict(name: str, statement: str, answer: str, shapes: dict[str, str]) -> Json:
    """Return supported if the answer holds the statement, contradicted if a sentence differs by a number or a "not" alone."""
    found = find_span(answer, statement)
    if found is not None:
        return {"id": name, "quote": found, "rationale": "The answer says so.", "label": Label.SUPPORTED}
    differing = shapes.get(shape(statement))
    if differing is not None:
        return {"id": name, "quote": differing, "rationale": "The answer says otherwise.", "label": Label.CONTRADICTED}
    return {"id": name, "quote": None, "rationale": "The answer is silent on it.", "label": Label.NOT_ADDRESSED}


def abstention(answer: str) -> Json:
    """Return abstained, quoting the first sentence, if the answer opens with "I do not know"; else answered."""
    if DECLINES.match(answer):
        return {"quote": sentences(answer)[0], "value": AbstentionValue.ABSTAINED}
    return {"quote": None, "value": AbstentionValue.ANSWERED}


def appraise(answer: str, references: list[str]) -> Json:
    """Return mark 4 if all sentences of one reference are in the answer, 0 if no sentence of any is, else 2."""
    found = [[find_span(answer, sentence) is not None for sentence in sentences(reference)] for reference in references]
    if any(hits and all(hits) for hits in found):
        return {"rationale": "Everything in a reference is in the answer.", "mark": 4}
    if any(any(hits) for hits in found):
        return {"rationale": "Part of a reference is in the answer.", "mark": 2}
    return {"rationale": "Nothing of a reference is in the answer.", "mark": 0}


def sentences(text: str) -> list[str]:
    """Return the sentences, each a span of the text; a point inside a number ends none."""
    return [piece.strip() for piece in SENTENCE_END.split(text) if piece.strip()]


def shape(text: str) -> str:
    """Return what is left of a sentence without case, final punctuation, "not " and the digits of its numbers."""
    return NUMBER.sub("#", text.lower().rstrip(FINAL_PUNCTUATION).replace("not ", ""))


def find_span(text: str, statement: str) -> str | None:
    """Return the part of the text that equals the statement, or None; case and final punctuation do not count."""
    needle, haystack = statement.strip().rstrip(FINAL_PUNCTUATION).lower(), text.lower()
    if len(haystack) != len(text):  # a few capitals grow when lowered, and offsets would no longer fit
        haystack = text
    start = haystack.find(needle) if needle else -1
    while start >= 0:
        end = start + len(needle)
        if not continues(haystack[:start][-1:], haystack[end : end + 2]):
            return text[start:end]
        start = haystack.find(needle, start + 1)
    return None


def continues(before: str, after: str) -> bool:
    """Return whether a match is only part of a word or number, as "It has 1" is in "It has 12" and in "It has 1.5"."""
    return is_latin(before) or is_latin(after[:1]) or (after[:1] in (".", ",") and after[1:].isdigit())


def is_latin(character: str) -> bool:
    """Return whether words written with this character have spaces between them, as far as these tests need to know."""
    return character.isascii() and character.isalnum()
