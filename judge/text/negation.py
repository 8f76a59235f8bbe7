"""Whether a piece of English (and, roughly, of a few other languages) denies what it says."""

import re
from functools import lru_cache

_CUE = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|cannot|without|hardly|barely|untrue|false|incorrect|wrong|myth|"
    r"lacks?|lacked|lacking|fail(?:s|ed)?\sto|refus(?:es?|ed)\sto|unable\sto|rather\sthan|instead\sof|"
    r"nicht|kein(?:e[rnms]?)?|niemals|nie|jamais|aucune?|nunca|ningun[oa]?|ningún|нет|не|никогда|لا|لم|لن|ليس)\b|n't\b|不|没有|沒有|ない|ません"
)
# Words that look like a denial and are none.
_HARMLESS = re.compile(
    r"\bnot\s(?:only|just|merely|least|until)\b|\bno\s?\.\s?\d|\bno\s(?:doubt|wonder|matter|fewer|less)\b|\bnothing\s(?:but|less)\b|"
    r"\bwhether\sor\snot\b|\bwithout\sdoubt\b|\bnone\sother\b"
)
_OPPOSITION = re.compile(r"[;:,]\s|\s-\s|\b(?:but|although|though|however|whereas|while|because|so that)\b")


@lru_cache(maxsize=8192)
def is_negated(text: str) -> bool:
    """Return whether an odd number of denials stands in the folded text: two of them cancel out."""
    return len(_CUE.findall(_HARMLESS.sub(" ", text))) % 2 == 1


def clauses(text: str) -> list[str]:
    """Return the parts of a folded sentence between commas and words of opposition; a denial reaches no further."""
    return [part.strip() for part in _OPPOSITION.split(text) if part.strip()]
