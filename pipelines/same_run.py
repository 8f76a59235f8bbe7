"""What makes two runs the same run, so that a folder is resumed and not refused."""

from typing import NamedTuple

from judge.hashing import content_hash
from judge.schema.manifests import RunManifest
from pipelines.config import RunConfig
from pipelines.sources import ItemSource

JUDGE_PART = "judge"
PROPOSITIONS_PART = "propositions"
"""The part of the key that may differ where propositions were frozen just as the folder's run had made them."""


class JudgedBy(NamedTuple):
    """Who judges in a run, and under which label policy: both as digests. A replay's policy is the one it was asked for."""

    judge_id: str
    policy_sha256: str


def run_key(source: ItemSource, config: RunConfig, by: JudgedBy, propositions: str) -> dict[str, str]:
    """Return the parts that must be equal, by the names that users know; `propositions` is the digest of frozen ones or empty."""
    return {
        "input": source.sha256,
        "columns": content_hash(config.map),
        JUDGE_PART: by.judge_id,
        "policy": by.policy_sha256,
        PROPOSITIONS_PART: propositions,
        "repeats": str(config.repeats),
        "batch size": str(config.batch_size),
    }


def differing_parts(key: dict[str, str], before: RunManifest) -> list[str]:
    """Return the names of the parts in which a folder's run was another one."""
    return [name for name in {**key, **before.key} if before.key.get(name) != key.get(name)]
