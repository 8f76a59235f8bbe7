"""What a cache entry is: the text that is kept, how it is checked on reading, and the digests that tell two keys apart."""

import json
from typing import Any, NamedTuple

from pydantic import ValidationError

from judge.hashing import cache_key, content_hash, sha256_text
from judge.schema.judgments import JudgeIdentity, Judgment
from judge.schema.requests import Request

FORMAT = 1

Parts = dict[str, str]
"""Name of a part of the key to the first 16 hex digits of its SHA-256."""


class Entry(NamedTuple):
    """One cached judgment with the digests of the parts of its key."""

    key: str
    parts: Parts
    judgment: Judgment


def entry_text(parts: Parts, judgment: Judgment) -> str:
    """Return an entry as it is kept: JSON with the SHA-256 of the judgment and the digests of the parts of its key."""
    text = judgment.model_dump_json()
    return json.dumps({"format": FORMAT, "sha256": sha256_text(text), "parts": parts, "judgment": text}, ensure_ascii=False)


def read_entry(key: str, text: str) -> Entry:
    """Return a checked entry. Raises ValueError, saying what is wrong with it."""
    fields = json.loads(text)
    if fields.get("format") != FORMAT or fields["sha256"] != sha256_text(fields["judgment"]):
        raise ValueError("its hash does not match its content")
    try:
        judgment = Judgment.model_validate_json(fields["judgment"])
    except ValidationError as error:
        raise ValueError("it is not a judgment of this version") from error
    if key != cache_key(judgment.identity_id, judgment.request_sha256) or not judgment.is_complete:
        raise ValueError("it stands under another key")
    parts = fields["parts"]
    if not isinstance(parts, dict) or not all(isinstance(digest, str) for digest in parts.values()):
        raise ValueError("it does not say which parts its key was made of")
    return Entry(key, parts, judgment)


def identity_parts(identity: JudgeIdentity) -> Parts:
    """Return the digests of what makes up a judge identity, under the names that users know."""
    return {
        "kind": str(identity.kind),
        "model": _digest(identity.model),
        "endpoint": _digest(identity.endpoint),
        "prompt": _digest(identity.prompt),
        "policy": _digest(identity.policy),
        "settings": _digest(identity.parameters, identity.mode),
        "version": _digest(identity.backend, identity.backend_version, identity.client, identity.reply_schema_sha256, identity.re_asks),
    }


def request_parts(request: Request) -> Parts:
    """Return the digests of the texts of a request, under the names of its fields, and its numbers as they are."""
    return {name: _text_digest(value) for name, value in request if name != "kind"}


def _text_digest(value: Any) -> str:
    """Return the digest of a text or of several; the hash of the whole request, which is in the key, tells the rest apart."""
    if isinstance(value, tuple):
        value = "\0".join(part if isinstance(part, str) else f"{part.id}\0{part.text}" for part in value)
    return sha256_text(value)[:16] if isinstance(value, str) else str(value)


def _digest(*values: Any) -> str:
    return content_hash(*values)[:16]
