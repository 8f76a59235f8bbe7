"""Canonical JSON and SHA-256: equal content, equal hash, on every platform."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, JsonValue

from judge.schema.judgments import JudgeIdentity
from judge.schema.requests import Request

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys, no spaces and no escapes beyond what JSON needs."""
    return _ENCODER.encode(value)


def sha256_text(text: str) -> str:
    """Return the SHA-256 of the exact characters as 64 hex digits; nothing is normalised."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def content_hash(*parts: BaseModel | Mapping[str, Any] | JsonValue) -> str:
    """Return the SHA-256 of the parts as one canonical JSON list, so that `("a", "bc")` and `("ab", "c")` differ."""
    return sha256_text(canonical_json([part.model_dump(mode="json") if isinstance(part, BaseModel) else part for part in parts]))


def decomposition_key(question: str | None, ground_truth: str | None, texts: Sequence[str] = ()) -> str:
    """Return the SHA-256 of question and ground truth, and of the proposition texts where the item brought its own."""
    return content_hash(question, ground_truth, list(texts)) if texts else content_hash(question, ground_truth)


def request_sha256(request: Request) -> str:
    """Return the hash under which a judgment of this request is journalled: of its JSON, fields in the record's order."""
    return sha256_text(request.model_dump_json())


def identity_id(identity: JudgeIdentity) -> str:
    """Return the hash that stands for a judge identity in keys and journal lines."""
    return content_hash(identity)


def cache_key(identity_id: str, request_sha256: str) -> str:
    """Return the key of a judgment in the cache: who judged, and what was asked."""
    return sha256_text(f"{identity_id} {request_sha256}")
