"""What folding would take from a value: raised digits, fractions in one character, units that differ in case, the month of May."""

import re
import unicodedata

_RAISED = re.compile(r"(?<=\d)[⁻⁺]?[⁰¹²³⁴-⁹]+")
_FRACTION = re.compile(r"(\d?)\s?([¼½¾⅐-⅞])")
_CASED = re.compile(r"(?<=\d)\s?(mW|Mb|Gb)(?![^\W_])")
# Within a sentence only the month has a capital; `Theresa May` has one before it.
_MAY = re.compile(r"(?<=[a-z]\s)(?<!\bin\s)May(?=\s[a-z]|[.,;!?]|$)")
_NAMES = {"mW": " milliwatt", "Mb": " megabit", "Gb": " gigabit"}


def legible(text: str) -> str:
    """Return the text so that it may be folded: raised digits as `10^2`, `1½` as `1 1⁄2`, `5 mW` in words, `the May fair` with `in May`."""
    if not text.isascii():
        text = _RAISED.sub(lambda match: "^" + unicodedata.normalize("NFKC", match.group()), text)
        text = _FRACTION.sub(lambda match: f"{match[1]} {unicodedata.normalize('NFKC', match[2])}", text)
    return _CASED.sub(lambda match: _NAMES[match[1]], _MAY.sub("in May,", text))
