"""Whether a sentence stands behind what it says, denies it as a whole, or only passes it on."""

import re
from enum import StrEnum
from functools import lru_cache

from judge.text.declining import declines
from judge.text.normalise import folded

_ADVERB = r"(?:(?:simply|just|completely|plainly|quite|entirely|also|however|definitely|certainly)\s)?"
_FALSE = (
    rf"{_ADVERB}(?:(?:not|n't)\s(?:true|correct|right|accurate|so|the\scase)|untrue|false|incorrect|wrong|inaccurate|mistaken"
    r"|unfounded|baseless|outdated|out\sof\sdate|disproved|debunked|made\sup|nonsense"
    r"|an?\s(?:\w+\s)?(?:myth|misconception|mistake|error|lie|rumou?r|fabrication|invention|legend))"
)
_CLAIM = r"(?:claim|statement|story|rumou?r|belief|idea|notion|view|report|assertion|suggestion|theory)s?"
_BACK = rf"(?:this|that|it|these|those|they|which|both|(?:the|this|that|these|those)\s{_CLAIM})"
_BE = r"(?:\s(?:is|are|was|were|has\sbeen|proved|turned\sout\sto\sbe)|'s)"
_TURN = r"(?:(?:and|but|yet|no|though|although|however|actually|in\sfact|in\sreality),?\s)*"
_BELIEF = r"(?:think|thinks|believe|believes|believed|true|correct|certain|evidence|likely)"
_END = r"(?:\W*$|[,;:.]\s|\s-\s|,?\s(?:because|since|as|and|though|although)\b)"
_NEGATOR = r"(?:\b(?:not|never|nobody|no\sone|none|no|cannot|hardly)\b|n't\b)"

_DENIED = re.compile(
    rf"^{_TURN}it{_BE}\s?{_FALSE}\s(?:to\ssay\s)?that\b"
    rf"|[,;:.\"-]\s?\"?\s?{_TURN}{_BACK}{_BE}\s?{_FALSE}{_END}"
    rf"|^{_TURN}(?:the|a|any)\s(?:\w+\s)?{_CLAIM}\b.*{_BE}\s?{_FALSE}\W*$"
    rf"|^\W*\".*\"{_BE}\s?{_FALSE}\W*$"
    rf"|{_NEGATOR}\s(?:[\w']+\s){{0,3}}?{_BELIEF}\sthat\b"
    rf"|\b(?:den(?:y|ies|ied)|doubt(?:s|ed)?|disput(?:es?|ed)|refut(?:es?|ed)|debunk(?:s|ed)?|reject(?:s|ed)?)\s(?:(?:the|any|this)\s{_CLAIM}\s)?that\b"
)
_BARE_DENIAL = re.compile(rf"^{_TURN}{_BACK}{_BE}\s?{_FALSE}{_END}")
_UNDECIDED = re.compile(
    r"\b(?:take|takes|taking)\sno\s(?:position|side|view)\b|\b(?:unconfirmed|unverified|disputed)\b"
    r"|\b(?:cannot|can't|could\snot|couldn't|not\sbeen|never\sbeen|not)\s(?:confirm|confirmed|verify|verified|proven|endorse|endorsed)\b"
)
_DENYING = re.compile(rf"(?:{_BE}\s?)?{_FALSE}|{_NEGATOR}(?=\s(?:[\w']+\s){{0,3}}?{_BELIEF}\sthat\b)")
_CROWD = (
    r"(?:(?:some|many|most|several|certain|various|a\sfew|other)"
    r"(?:\s(?:people|sources|critics|writers|authors|observers|locals|websites|historians|scholars|of\sthem))?|others|people|they|critics)"
)
_SAYING = r"(?:say|said|claim|claimed|believe|believed|think|thought|argue|argued|allege|alleged|insist|assert|suppose|maintain)"
_REPORTED = re.compile(
    rf"^(?:(?:although|though|while|but|and),?\s)?{_CROWD}\s(?:(?:still|often|may|might|would|even|have|used\sto)\s)*{_SAYING}\b"
    r"|\b(?:allegedly|supposedly|purportedly|reputedly)\b|\brumou?r\shas\sit\b"
    r"|^it\s(?:is|was|has\sbeen)\s(?:(?:often|sometimes|widely|commonly|falsely|wrongly|also)\s)?(?:said|claimed|rumou?red|alleged|suggested)\sthat\b"
    r"|^(?:if|suppose|imagine)\b|\bwhether\b|\beither\b.+\bor\b|\?\W*$"
)
_OPEN = re.compile(r"\b(?:if|unless)$")
_MARKS = " \"'.,;:!?"


class Stance(StrEnum):
    """How a sentence stands to its own content."""

    ASSERTED = "asserted"
    DENIED = "denied"
    REPORTED = "reported"


@lru_cache(maxsize=8192)
def stance(sentence: str, following: str = "") -> Stance:
    """Return the stance of a sentence: the one after it may take it back (`Some say so. That is wrong.`) or leave it open.

    A question, a condition, a choice and what unnamed others say is passed on, not asserted; a named source counts as asserted.
    """
    shown, after = folded(sentence), folded(following)
    if _DENIED.search(shown) or _BARE_DENIAL.search(after):
        return Stance.DENIED
    reported = _REPORTED.search(shown) or _UNDECIDED.search(shown) or _UNDECIDED.search(after)
    return Stance.REPORTED if reported else Stance.ASSERTED


def without_denial(sentence: str) -> str:
    """Return the folded sentence without the words that deny it as a whole, so that only inner denials are left."""
    return _DENYING.sub(" ", folded(sentence))


def endorses(sentence: str, quote: str, following: str = "") -> bool:
    """Return whether the sentence asserts the words it holds; it does where it holds nothing else.

    What it declines to tell, makes a condition, denies or only passes on is not asserted.
    """
    if folded(sentence).strip(_MARKS) == folded(quote).strip(_MARKS):
        return True
    before = folded(sentence[: sentence.find(quote)])
    is_told = declines(quote) or not declines(sentence)
    return stance(sentence, following) is Stance.ASSERTED and not _OPEN.search(before) and is_told
