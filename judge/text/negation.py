"""What a piece of English (and, roughly, of a few other languages) denies."""

import re
from functools import lru_cache
from itertools import pairwise

from judge.text.denials import plainly
from judge.text.folding import is_unspaced
from judge.text.words import content

_CUE = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|cannot|without|hardly|barely|untrue|false|incorrect|wrong|myth|"
    r"lacks?|lacked|lacking|fail(?:s|ed)?\sto|refus(?:es?|ed)\sto|unable\sto|rather\sthan|instead\sof|"
    r"exclud(?:es?|ed|ing)|except(?:ing)?|apart\sfrom|"
    r"nicht|kein(?:e[rnms]?)?|niemals|nie|pas|jamais|aucune?|nunca|non(?!-)|não|nao|niet|geen|ningun[oa]?|ningún|нет|не|никогда|لا|لم|لن|ليس)\b|n't\b|不|没有|沒有|ない|ません|नहीं"
)
# Words that look like a denial and are none.
_HARMLESS = re.compile(
    r"\bnot\s(?:only|just|merely|least|until)\b|\bno\s?\.\s?\d|\bno\s(?:doubt|wonder|matter|fewer|less)\b|\bnothing\s(?:but|less)\b|"
    r"\bwhether\sor\snot\b|\bwithout\sdoubt\b|\bnone\sother\b"
)
_JOINT = re.compile(r"\b(?:and|or|which|who|that|where|when|after|before|as|if)\b")
_OPPOSITION = re.compile(r"[;:,]\s|\s-\s|\b(?:but|although|though|however|whereas|while|because|so that)\b")

# `It was not signed in Paris but in Rome` denies Paris alone.
_CONTRAST = re.compile(
    r"(?:\bnot|n't)\s(?:\w+\s){0,3}?(?P<place>in|on|at|by|to|from|of|for|with)\s(?P<denied>[^,;]{1,60}?),?\sbut\s(?:rather\s)?(?=(?P=place)\s)"
)

REACH = 1
"""So many content words after a denial are what it denies; so many before it where none follow, of pairs of characters one more."""


def clauses(text: str) -> list[str]:
    """Return the parts of a folded sentence between commas and words of opposition; a denial reaches no further."""
    return [part.strip() for part in _OPPOSITION.split(text) if part.strip()]


@lru_cache(maxsize=8192)
def denied(text: str) -> frozenset[str]:
    """Return the stems that stand directly after a denial in the folded text; two denials in a row cancel out."""
    text = plainly(text)
    if _CUE.search(text) is None:
        return frozenset()
    found: set[str] = set()
    for contrast in _CONTRAST.finditer(text):
        found.update(content(contrast["denied"]).stems)
    for clause in clauses(_HARMLESS.sub(" ", _CONTRAST.sub(" ", text))):
        for part in _JOINT.split(clause):
            found |= _denied_in(part)
    return frozenset(found)


def _denied_in(part: str) -> set[str]:
    if _CUE.search(part) is None:
        return set()
    pieces = [content(piece.strip()).stems for piece in _CUE.split(part)]
    found: set[str] = set()
    odd = False
    for before, piece in pairwise(pieces):
        odd = not odd
        if piece and odd:
            found.update(piece[:REACH])
        elif odd and piece is pieces[-1]:
            found.update(before[-REACH - any(map(is_unspaced, "".join(before[-1:]))) :])
        odd = odd and not piece
    return found
