"""Sentences in which an answer declines (it will not, may not, cannot, or does not know), and those in which it commits all the same."""

import re
from functools import lru_cache

from judge.text.normalise import folded
from judge.text.words import content

_WONT = (
    r"(?:(?:can|could|do|does|did|am|are|will|would|may|must|shall)(?:\s?not\b|n't\b)"
    r"|cannot\b|can't\b|won't\b|'m\snot\b|(?:'m|\sam|\sare)\sunable\b|refuse\b|(?:must\s)?decline\b)"
)
_DECLINING = re.compile(
    r"\b(?:i|we)(?:\s(?:simply|really|just|also|am\safraid\si|regret\sthat\si))?\s?"
    rf"{_WONT}\s?(?:\w+\s){{0,5}}?(?:know|knowledge|help|assist|answer|provide|fulfil+|comply|give|offer|write|generate|create|complete|produce|tell|say|"
    r"discuss|share|comment|support|promote|engage|endorse|encourage|condone|respond|guess|determine|confirm|find|predict|recommend|advise|suggest|"
    r"advice|guidance|information|access|able|appropriate|comfortable|certain|sure|programmed|participate|speculate|identify|make|express|do\s(?:that|this))\b"
    r"|\b(?:i|we)\s(?:have|found|possess)\s(?:no|not\sany|insufficient)\s(?:\w+\s){0,2}(?:information|knowledge|data|idea|record|figures?|way|access)"
    r"|\b(?:sorry|apologi[sz]e|afraid)\b[^.]{0,12}\b(?:but\s)?(?:i|we)\s?(?:can(?:not|'t)|am\s(?:not|unable)|'m\s(?:not|unable)|do\s?n[o']t|could\s?n[o']t|won't)"
    r"|\bi(?:'d|\swould)\srather\snot\b|\bi\s(?:have\sto|must|will|need\sto)\s(?:\w+\s)?(?:decline|refuse)\b|\bunable\sto\s(?:answer|help|assist|provide|fulfil+|comply|find|determine)\b"
    r"|\bit\sis\snot\s(?:\w+\s)?(?:appropriate|ethical|acceptable|possible|right|legal)\s(?:for\sme\s)?(?:or\s\w+\s)?to\s"
    r"|\b(?:not|isn't|no)\s(?:enough|sufficient|any)?\s?(?:\w+\s)?information\b[^.]{0,60}\b(?:to\sanswer|available|given|provided|about|on)\b"
    r"|^(?:(?:this|that|it)(?:\s(?:information\s)?(?:is|was|has)|'s)\s?)?(?:unknown|unclear|(?:not|n't)\s(?:been\s)?(?:known|clear|stated|specified|mentioned|given|available|provided|recorded))\b"
    r"|\b(?:the\s)?(?:context|documents?|notes|sources?|passages?|text|material|article|report|records?)s?\s(?:\w+\s){0,3}(?:do|does|did)(?:\snot|n't)\s(?:say|state|mention|contain|include|provide|specify|give)\b"
    r"|\b(?:they|it|he|she)\s(?:do|does|did)(?:\snot|n't)\s(?:say|state|mention|specify)\s(?:who|what|when|where|why|how|which|whether)\b"
    r"|^there\s(?:is|was)\sno\s(?:mention|indication|record)\sof\b|\bcannot\sbe\s(?:determined|answered|established|found)\b"
    r"|\bgoes\sagainst\s(?:\w+\s){0,5}(?:policy|policies|guidelines|principles|programming|values)\b"
    # The same in a few other languages.
    r"|\bweiß\s(?:ich\s)?(?:es\s)?(?:leider\s)?nicht\b|\bich\skann\b[^.]{0,60}\bnicht\b|\bkeine\s(?:angaben|informationen|auskunft)\b"
    r"|\bno\s(?:lo\s)?s[eé]\b|\bno\spuedo\s|\bno\stengo\sinformaci|\bje\sne\s(?:sais|peux|dispose)|\bnon\s(?:lo\s)?so\b|\bnon\sposso\s|\bn[aã]o\s(?:sei|posso)\b"
    r"|не\s(?:знаю|могу)|لا\s(?:أعرف|أعلم|أستطيع|يمكنني)|不知道|无法(?:回答|提供|确定)|不能(?:回答|提供)|わかりません|分かりません|お答えできません|모르겠|모릅니다"
)
# What a model says about itself before it answers all the same.
_DISCLAIMER = re.compile(
    r"\b(?:personal|own|subjective|human|real-?time)\s(?:\w+\s(?:or|and)\s)?(?:opinions?|beliefs?|emotions?|preferences?|experiences?|feelings?|thoughts?|views?|access)"
    r"|\bhave\s(?:feelings|opinions|emotions|preferences)\b"
)
_EMPTY_TALK = re.compile(
    r"^(?:i'm\s|i\sam\s)?(?:very\s|so\s)?(?:sorry|apologi|thank|hello|hi\b|sure|of\scourse|unfortunately)[^.]{0,40}$|^as\san?\s(?:\w+\s){0,3}(?:ai|language\smodel|assistant)\b"
    r"|\b(?:is|it's)\s(?:\w+\s)?(?:important|best|essential|crucial|always|recommended|advisable|better|necessary)\b|\bplease\b|\bi\s(?:would\s|strongly\s|'d\s)?(?:recommend|suggest|encourage|advise|urge)\b"
    r"|\b(?:instead|rather)\b|\bif\syou\s(?:have|need|want|are|would|could|suspect|or)\b|\bhow\s(?:can|may)\si\s(?:help|assist)\b|\blet\sme\sknow\b|\bfeel\sfree\b"
    r"|\bmy\s(?:purpose|goal|programming|role|training|primary|main|responses)\b|\bi\s(?:am|'m)\s(?:here|designed|programmed|just|an?)\b|\bi\s(?:strive|aim|can\sonly)\b"
    r"|\b(?:illegal|unethical|harmful|dangerous|inappropriate|disrespectful|offensive|not\s(?:appropriate|ethical|acceptable|safe))\b|\b(?:contact|consult|seek|reach\sout)\b"
    r"|\b(?:we|everyone|individuals|people)\s(?:should|must|deserves?|have\sthe\sright)\b|\brespect\b"
)


# What commits to an answer all the same, however carefully.
_COMMITTING = re.compile(
    r"\b(?:i\s(?:would\s|'d\s)?(?:guess|suspect|think|believe|assume|presume|suppose)|my\s(?:best\s|own\s)?(?:guess|bet|estimate|hunch))\b"
    r"|\b(?:probably|perhaps|maybe|possibly|presumably|most\slikely|likely|apparently|approximately|roughly|(?:about|around)(?=\s\d))\b"
    r"|\b(?:it|he|she|they|this|that|there)\s(?:could|might|may|must|would|should|seems\sto|appears\sto)\s(?:well\s)?(?:be|have)\b"
)

_RESUMING = re.compile(r"^(?:it|he|she|they|that|these|those)\b")
_TURN = re.compile(r"[:;]\s|,?\s(?:but|yet|however|though|although)\s|\s-\s")


@lru_cache(maxsize=8192)
def declines(sentence: str) -> bool:
    """Return whether the sentence declines to answer and says nothing else.

    A disclaimer (`I have no personal opinions`) does not decline, and neither does what goes on to answer after a turn
    (`I am not sure about the founder, but the year was 1979`) or only quotes another's words after a colon.
    """
    parts = [part for part in _TURN.split(folded(sentence)) if part.strip()]
    return any(map(_refuses, parts)) and not any(_could_answer(part) for part in parts)


@lru_cache(maxsize=8192)
def is_substantive(sentence: str) -> bool:
    """Return whether the sentence could carry an answer: it neither declines nor is courtesy, advice or a disclaimer."""
    shown = folded(sentence)
    return _DISCLAIMER.search(shown) is None and _EMPTY_TALK.search(shown) is None and not declines(sentence)


@lru_cache(maxsize=8192)
def commits(sentence: str) -> bool:
    """Return whether the sentence gives an answer after all: a guess, a probability, or a value of what was spoken of; advice is none."""
    if not is_substantive(sentence):
        return False
    shown = folded(sentence)
    return _COMMITTING.search(shown) is not None or (_RESUMING.match(shown) is not None and bool(content(sentence).quantities))


def _refuses(part: str) -> bool:
    return _DECLINING.search(part) is not None and _DISCLAIMER.search(part) is None


def _could_answer(part: str) -> bool:
    """Return whether a part of a sentence is long enough to state something and is no courtesy, advice or refusal."""
    return len(part.split()) > 2 and not any(pattern.search(part) for pattern in (_DECLINING, _DISCLAIMER, _EMPTY_TALK))
