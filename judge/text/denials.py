"""Denials in other words, put as plain ones, so that `unsafe` and `not safe` are the same."""

import re

_PREFIXED = re.compile(
    r"\b(?:un(?=(?:safe|locked|sold|known|able|happy|paid|likely|fair|important|married|available|necessary|successful|changed|usual)\b)"
    r"|il(?=legal\b)|in(?=(?:complete|correct|effective|accurate|sufficient|visible)\b)|im(?=possible\b)|ir(?=regular\b)|dis(?=honest\b))"
)
_JOINED = re.compile(r"\b(do|does|did|could|would|should|is|was|were|are|has|have|had)nt\b")
_ADVERBIAL = re.compile(r"\b(?:no\slonger|under\sno\scircumstances|in\sno\s(?:way|case)|by\sno\smeans|not\sany(?:\s?more|\slonger))\b")


def plainly(text: str) -> str:
    """Return the folded text with `un-` and the like as `not`, `doesnt` as `doesn't`, and `no longer` as `not`."""
    return _PREFIXED.sub("not ", _JOINED.sub(r"\1n't", _ADVERBIAL.sub("not", text)))
