"""What makes two runs the same run, so that a folder is resumed and not refused."""

from judge.hashing import content_hash
from judge.schema.manifests import RunManifest
from pipelines.config import RunConfig
from pipelines.judges import BuiltJudge
from pipelines.sources import ItemSource

PROPOSITIONS_PART = "propositions"
"""The part of the key that may differ where propositions were frozen just as the folder's run had made them."""


def run_key(source: ItemSource, config: RunConfig, built: BuiltJudge, propositions: str) -> dict[str, str]:
    """Return the parts that must be equal, by the names that users know; `propositions` is the digest of frozen ones or empty."""
    return {
        "input": source.sha256,
        "columns": content_hash(config.map),
        "judge": built.facts.id,
        "policy": built.policy.identity.sha256,
        PROPOSITIONS_PART: propositions,
        "repeats": str(config.repeats),
        "batch size": str(config.batch_size),
    }


def differing_parts(key: dict[str, str], before: RunManifest) -> list[str]:
    """Return the names of the parts in which a folder's run was another one."""
    return [name for name, value in key.items() if before.key.get(name) != value]
