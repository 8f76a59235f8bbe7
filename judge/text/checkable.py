"""Sentences that state nothing an answer could support: questions, greetings, bare opinions."""

import re

from judge.text.normalise import folded, is_empty
from judge.text.qualifiers import count_qualifiers

# A question that is only quoted inside a statement is none.
_QUESTION = re.compile(r"[?؟][)\]]*$|^[\"'].*[?؟][\"'][)\]]*$|^¿")
_COURTESY = re.compile(
    r"^(?:hello|hi|hey|dear|good (?:morning|afternoon|evening)|greetings|thanks?|thank you|welcome|bye|goodbye|(?:best )?regards)\b"
    r",?(?:\s[^\W\d]+){0,2}[!.,]?$"
    r"|^(?:guten (?:tag|morgen|abend)|hallo|bonjour|hola|buenos días|ciao|olá|你好|您好|大家好|谢谢|こんにちは|ありがとう(?:ございます)?"
    r"|مرحبا|شكرا|नमस्ते|धन्यवाद)[!.,।。]?$"
)
_STATES = re.compile(r"\b(?:is|are|was|were|has|have|had|never|not|no)\b")
_OPINION = re.compile(
    r"^(?:i (?:think|feel|hope|guess|love|like|wish)\b|in my (?:opinion|view)\b|(?:personally|honestly|frankly|to be honest),)"
)


def is_checkable(sentence: str) -> bool:
    """Return whether the sentence could be a fact. An opinion that gives a figure, a denial or an exception is one: that can be checked."""
    shown = folded(sentence).strip()
    if is_empty(shown) or _QUESTION.search(shown):
        return False
    if _COURTESY.search(shown):
        return _STATES.search(shown) is not None
    if _OPINION.search(shown) is None or any(character.isdigit() for character in shown):
        return True
    return any(count_qualifiers(kind, shown) for kind in ("negation", "exception"))
