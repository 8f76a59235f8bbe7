"""Sentences in which an answer declines (it will not, may not, cannot, or does not know), and those in which it commits all the same."""

import re
from functools import lru_cache

from judge.text.names import names
from judge.text.normalise import folded, visible
from judge.text.refusals import COMMITTING, COURTESY, DISCLAIMING, MORAL, REFUSING
from judge.text.words import content

_RESUMING = re.compile(r"^(?:it|he|she|they|that|these|those)\b")
_TURN = re.compile(r"[:;]\s|,?\s(?:but|yet|however|though|although|ma|aber|pero|mais|mas)\s|\s-\s")
_QUOTED = re.compile(r"\"[^\"]{1,400}\"|(?<!\w)'(?:[^']|(?<=\w)'(?=\w)){1,400}'(?!\w)")
_ATTRIBUTED = re.compile(r",\s(?:the\s\w+\s(?:reads|says|said|states|wrote)|(?:said|says|wrote)\s[\w\s]{1,40})\W*$")
_TITLE = re.compile(r"(?<=[a-z]\s)I\s(?:[A-Z][\w'’]*\s?){1,6}")
_UNMARKED = re.compile(r"\b(do|does|did|ca|could|would|wo|is|was)nt\b")
# A relative clause or a figure tells something beside the refusal: `does not list the cost, which was 3 million`.
_BESIDE = re.compile(r",\s(?:which|who|whose)\s.{0,200}\d")
# `Is the path dangerous?` is answered by `The path is dangerous.`
_CLOSED = re.compile(r"(?:is|are|was|were|does|do|did|can|may|has|have)\b")
_JUDGED = re.compile(
    r"\b(?:is|are|was|were)\s(?:\w+\s){0,2}?(illegal|legal|unethical|ethical|harmful|dangerous|safe|offensive|appropriate)\b"
)
BARE = 3
"""A sentence of so few words that holds a name or a value is a bare answer, and so is a single word."""


@lru_cache(maxsize=8192)
def declines(sentence: str) -> bool:
    """Return whether the sentence declines to answer and says nothing else.

    A disclaimer (`I have no personal opinions`) does not decline, and neither does what goes on to answer after a turn
    (`I am not sure about the founder, but the year was 1979`) or only quotes another's words or a title.
    """
    own = _own_words(sentence)
    if _ATTRIBUTED.search(own) or _BESIDE.search(own):
        return False
    parts = [part for part in _TURN.split(own) if part.strip()]
    return any(map(_refuses, parts)) and not any(_could_answer(part) for part in parts)


@lru_cache(maxsize=8192)
def is_substantive(sentence: str, question: str = "") -> bool:
    """Return whether the sentence could carry an answer: it neither declines nor is courtesy, advice, morals or a disclaimer.

    Words such as `dangerous` do not make morals of a sentence that gives a value or a name, or uses them because the question does.
    """
    shown = folded(sentence)
    if DISCLAIMING.search(shown) or COURTESY.search(shown) or declines(sentence):
        return False
    return MORAL.search(shown) is None or _tells(sentence, question)


@lru_cache(maxsize=8192)
def commits(sentence: str, question: str = "") -> bool:
    """Return whether the sentence gives an answer after all: a guess, a probability, or a value of what was spoken of; advice is none."""
    if not is_substantive(sentence, question):
        return False
    shown, values = folded(sentence), content(sentence).quantities
    if COMMITTING.search(shown) or (_RESUMING.match(shown) and values):
        return True
    length = len(shown.split())
    return length <= BARE and bool(values or names(sentence).all or (length == 1 and content(sentence).stems))


def _tells(sentence: str, question: str) -> bool:
    """Return whether the sentence holds a value or a name that the question does not, or the verdict that it asks for."""
    asked, found = content(question), names(sentence)
    if any(not quantity.is_loose and quantity not in asked.quantities for quantity in content(sentence).quantities):
        return True
    if any(name != found.leading and not name <= frozenset(asked.stems) for name in found.all):
        return True
    judged = _JUDGED.search(folded(sentence))
    return judged is not None and _CLOSED.match(folded(question)) is not None and judged[1] in folded(question)


def _own_words(sentence: str) -> str:
    """Return the folded sentence without titles and quoted words, unless it is nothing but a quotation."""
    shown = _UNMARKED.sub(r"\1n't", folded(_TITLE.sub("it ", visible(sentence))))
    own = _QUOTED.sub(" ", shown)
    return own if len(own.split()) > 1 else shown


def _refuses(part: str) -> bool:
    return REFUSING.search(part) is not None and DISCLAIMING.search(part) is None


def _could_answer(part: str) -> bool:
    """Return whether a part of a sentence is long enough to state something and is no courtesy, advice or refusal."""
    return (len(part.split()) > 2 or COMMITTING.search(part) is not None) and not any(
        pattern.search(part) for pattern in (REFUSING, DISCLAIMING, COURTESY, MORAL)
    )
