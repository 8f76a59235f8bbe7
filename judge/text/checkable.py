"""Sentences that state nothing an answer could support: questions, greetings, bare opinions."""

import re

from judge.text.normalise import folded, is_empty

_QUESTION = re.compile(r"[?؟][\"')\]]*$|^¿")
_COURTESY = re.compile(
    r"^(?:hello|hi|hey|dear|good (?:morning|afternoon|evening)|greetings|thanks?|thank you|welcome|bye|goodbye|(?:best )?regards)\b"
    r"[^.]{0,40}[!.,]?$"
)
_OPINION = re.compile(
    r"^(?:i (?:think|feel|hope|guess|love|like|wish|prefer)|in my (?:opinion|view)|personally|honestly|frankly|to be honest)\b"
)


def is_checkable(sentence: str) -> bool:
    """Return whether the sentence could be a fact. An opinion that gives a figure is one: the figure can be checked."""
    shown = folded(sentence).strip()
    if is_empty(shown) or _QUESTION.search(shown) or _COURTESY.search(shown):
        return False
    return _OPINION.search(shown) is None or any(character.isdigit() for character in shown)
