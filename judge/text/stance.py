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
    r"|an?\s(?:\w+\s)?(?:myth|misconception|mistake|error|lie|rumou?r|fabrication|invention|legend))\b"
)
_CLAIM = r"(?:claim|statement|story|rumou?r|belief|idea|notion|view|report|assertion|suggestion|theory)s?"
_BACK = rf"(?:this|that|it|these|those|they|which|both|(?:the|this|that|these|those)\s{_CLAIM})"
_BE = r"(?:\s(?:is|are|was|were|has\sbeen|proved|turned\sout\sto\sbe)|'s)"
_TURN = r"(?:(?:and|but|yet|no|though|although|however|actually|in\sfact|in\sreality),?\s)*"
_BELIEF = r"(?:think|thinks|believe|believes|believed|true|correct|likely)"
_END = r"(?:\W*$|[,;:.]\s|\s-\s|,?\s(?:because|since|as|and|though|although)\b)"
_SAYING = (
    r"(?:say|said|claim|claimed|believe|believed|think|thought|argue|argued|allege|alleged|insist|assert|state|stated|suppose|maintain)"
)
_NEGATOR = r"(?:\b(?:not|never|nobody|no\sone|none|no|cannot|hardly)\b|n't\b)"

# Two denials that make an assertion: `nobody denies that`.
_AFFIRMING = re.compile(
    rf"{_NEGATOR}\s(?:[\w']+\s){{0,2}}?(?:doubt(?:s|ed)?|den(?:y|ies|ied)|disput(?:es?|ed)|question(?:s|ed)?|contest(?:s|ed)?)\sthat\b"
    r"|\b(?:no|without)\s(?:a\s)?doubt\b"
)
_DENIED = re.compile(
    rf"^{_TURN}it{_BE}\s?{_FALSE}\s(?:to\ssay\s)?that\b|^\W{{0,3}}(?:wrong|incorrect|false)(?:\sanswer)?:"
    rf"|[,;:.\"-]\s?\"?\s?{_TURN}{_BACK}{_BE}\s?{_FALSE}{_END}"
    rf"|^{_TURN}(?:the|a|any)\s(?:\w+\s)?{_CLAIM}\b.*{_BE}\s?{_FALSE}\W*$"
    rf"|^\W{{0,9}}\"[^\"]{{1,400}}\"{_BE}\s?{_FALSE}\W{{0,9}}$"
    rf"|{_NEGATOR}\s(?:[\w']+\s){{0,3}}?{_BELIEF}\sthat\b"
    rf"|\b(?:falsely|wrongly|incorrectly|mistakenly|wrong\sto)\s{_SAYING}\b"
    rf"|\b(?:den(?:y|ies|ied)|doubt(?:s|ed)?|disput(?:es?|ed)|refut(?:es?|ed)|debunk(?:s|ed)?|reject(?:s|ed)?)\s(?:(?:the|any|this)\s{_CLAIM}\s)?that\b"
)
_TAKEN_BACK = re.compile(
    rf"^{_TURN}{_BACK}{_BE}\s?{_FALSE}{_END}"
    r"|^\W{0,3}(?:correction\b|scratch\sthat\b|i\s(?:was|am)\s(?:wrong|mistaken)\b|i\sstand\scorrected\b|wait,?\sno\b|no,\s(?:sorry|wait)\b"
    r"|sorry,?\si\smeant\b)"
)
_UNDECIDED = re.compile(
    r"\bno\s(?:\w+\s)?(?:evidence|proof|indication|sign)\sthat\b|(?:\bnot|n't)\s(?:\w+\s)?(?:sure|certain|convinced)\sthat\b"
    r"|\bi\s(?:do\snot|don't)\s(?:claim|agree)\b|\bi\sdisagree\b"
    r"|\b(?:take|takes|taking)\sno\s(?:position|side|view)\b|\b(?:unconfirmed|unverified|disputed)\b"
    r"|\b(?:cannot|can't|could\snot|couldn't|not\sbeen|never\sbeen|not)\s(?:confirm|confirmed|verify|verified|proven|endorse|endorsed)\b"
)
_DENYING = re.compile(rf"(?:{_BE}\s?)?{_FALSE}|{_NEGATOR}(?=\s(?:[\w']+\s){{0,3}}?{_BELIEF}\sthat\b)")
_CROWD = (
    r"(?:(?:some|many|most|several|certain|various|a\sfew|other)"
    r"(?:\s(?:people|sources|critics|writers|authors|observers|locals|websites|historians|scholars|of\sthem))?|others|people|they|critics)"
)
_REPORTED = re.compile(
    rf"^(?:(?:although|though|while|but|and),?\s)?{_CROWD}\s(?:(?:still|often|may|might|would|even|have|used\sto)\s)*{_SAYING}\b"
    r"|\b(?:allegedly|supposedly|purportedly|reputedly)\b|\brumou?r\shas\sit\b"
    r"|^it\s(?:is|was|has\sbeen)\s(?:(?:often|sometimes|widely|commonly|falsely|wrongly|also)\s)?(?:said|claimed|rumou?red|alleged|suggested)\sthat\b"
    r"|^(?:if|suppose|imagine)\b|\bwhether\b|\b(?:question|matter)\sis\sif\b|\beither\b.{1,200}\bor\b|\?\W{0,20}$"
    r"|^had\s.{1,200}\b(?:would|might|could)\b|\b(?:would|might|could)\shave\s.{1,200}\b(?:if|had|unless|but\sfor)\b"
    rf"|^until\s.{{1,60}}\b(?:people|many|most|it\swas)\s(?:\w+\s){{0,2}}?{_SAYING}\b"
)
_OPEN = re.compile(r"\b(?:if|unless|or)$")
_OR_ELSE = re.compile(r"\W{0,2}or\b")
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
    shown, after = without_affirmation(sentence), folded(following)
    if _DENIED.search(shown) or is_taken_back(following):
        return Stance.DENIED
    reported = _REPORTED.search(shown) or _UNDECIDED.search(shown) or _UNDECIDED.search(after)
    return Stance.REPORTED if reported else Stance.ASSERTED


def is_taken_back(following: str) -> bool:
    """Return whether a sentence says that the one before it is wrong, or corrects it."""
    return _TAKEN_BACK.search(folded(following)) is not None


def without_denial(sentence: str) -> str:
    """Return the folded sentence without the words that deny or affirm it as a whole, so that only inner denials are left."""
    return _DENYING.sub(" ", without_affirmation(sentence))


def without_affirmation(sentence: str) -> str:
    """Return the folded sentence without double denials that assert (`nobody doubts that`)."""
    return " ".join(_AFFIRMING.sub(" ", folded(sentence)).split())


def endorses(sentence: str, quote: str, following: str = "") -> bool:
    """Return whether the sentence asserts the words it holds; it does where it holds nothing else and is not taken back.

    What it declines to tell, makes a condition, leaves to a choice, denies or only passes on is not asserted.
    """
    if folded(sentence).strip(_MARKS) == folded(quote).strip(_MARKS):
        return not is_taken_back(following)
    start = sentence.find(quote)
    before, after = folded(sentence[:start]), folded(sentence[start + len(quote) :])
    is_told = declines(quote) or not declines(sentence)
    is_open = _OPEN.search(before) or _OR_ELSE.match(after)
    return stance(sentence, following) is Stance.ASSERTED and not is_open and is_told
