"""What a judgment is, how one is made, and how judgments become numbers.

Importing the package loads nothing heavy: each public name is imported from its own module when it is first used.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "__version__": "judge.version",
    "AppraiseRequest": "judge.schema.requests",
    "CachedJudge": "judge.cache.cached_judge",
    "ConfigError": "judge.errors",
    "CredentialError": "judge.errors",
    "CruxError": "judge.errors",
    "Decomposition": "judge.schema.propositions",
    "DecomposeRequest": "judge.schema.requests",
    "InputError": "judge.errors",
    "Item": "judge.schema.items",
    "ItemResult": "judge.schema.results",
    "Judge": "judge.protocol",
    "JudgeIdentity": "judge.schema.judgments",
    "Judgment": "judge.schema.judgments",
    "JudgmentCache": "judge.cache.store",
    "LLMJudge": "judge.backends.llm",
    "Label": "judge.schema.labels",
    "LabelRequest": "judge.schema.requests",
    "LexicalJudge": "judge.backends.lexical",
    "Proposition": "judge.schema.propositions",
    "Rate": "judge.schema.rates",
    "ReplayJudge": "judge.backends.replay",
    "Statement": "judge.schema.requests",
    "Summary": "judge.schema.summaries",
    "Unjudged": "judge.schema.outcomes",
    "UnjudgedReason": "judge.schema.labels",
    "Verdict": "judge.schema.outcomes",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - derived from the table, so that it cannot drift


def __getattr__(name: str) -> Any:
    """Import a public name from its module on first use."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
