"""Digests by which audits and runs of the same judge find one another, and tell nothing of the data."""

from judge.hashing import content_hash, sha256_text
from judge.schema.judgments import JudgeIdentity

_DIGITS = 16


def label_key(identity: JudgeIdentity) -> str:
    """Return a digest of the identity of label requests without the policy: what a judge card is about.

    A prompt counts by its content, whatever its file is called.
    """
    prompt = None if identity.prompt is None else identity.prompt.model_copy(update={"name": "", "version": ""})
    return content_hash(identity.model_copy(update={"policy": None, "prompt": prompt}))


def item_digest(item_id: str) -> str:
    """Return what stands for an item in a calibration: 16 hex digits."""
    return sha256_text(f"item {item_id}")[:_DIGITS]


def cluster_digest(cluster: str | None, question_id: str | None, item_id: str) -> str:
    """Return what stands for an item's cluster in a calibration: its cluster, else its question, else itself; the three never mix."""
    if cluster is not None:
        return sha256_text(f"cluster {cluster}")[:_DIGITS]
    return sha256_text(f"question {question_id}" if question_id is not None else f"item {item_id}")[:_DIGITS]
