"""Changes of an answer that change nothing it says: more words around it, another layout."""

import re

from judge.relations.fillers import AFTER, BEFORE
from judge.text.sentences import sentences

_OWN_LAYOUT = re.compile(r"```|^\s*\||^(?: {4}|\t)", re.MULTILINE)
"""Code and tables: their layout carries meaning."""
_MARKER = re.compile(r"^\s*(?:[-*•+]|\d+[.)])\s+")


def padded(answer: str) -> str:
    """Return the answer between sentences that say nothing about any subject."""
    return f"{BEFORE}\n\n{answer}\n\n{AFTER}"


def laid_out_anew(answer: str) -> str | None:
    """Return the answer as a list, or as plain lines where it was one, or in bold where it is a single sentence.

    None where the layout carries meaning, as in code and tables.
    """
    if _OWN_LAYOUT.search(answer):
        return None
    lines = [line for line in answer.splitlines() if line.strip()]
    if any(_MARKER.match(line) for line in lines):
        return "\n".join(_MARKER.sub("", line) for line in lines)
    parts = lines if len(lines) > 1 else sentences(answer)
    if not parts:
        return None
    return f"**{parts[0].strip()}**" if len(parts) == 1 else "\n".join(f"- {part.strip()}" for part in parts)
