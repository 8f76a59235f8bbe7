"""What folding would take from a number: raised digits, fractions in one character, and units that differ in case only."""

import re
import unicodedata

_RAISED = re.compile(r"(?<=\d)[⁻⁺]?[⁰¹²³⁴-⁹]+")
_FRACTION = re.compile(r"(\d?)\s?([¼½¾⅐-⅞])")
_CASED = re.compile(r"(?<=\d)\s?(mW|Mb|Gb)(?![^\W_])")
_NAMES = {"mW": " milliwatt", "Mb": " megabit", "Gb": " gigabit"}


def legible(text: str) -> str:
    """Return the text with raised digits as `10^2`, `1½` as `1 1⁄2`, and milliwatts and megabits in words; then it may be folded."""
    if not text.isascii():
        text = _RAISED.sub(lambda match: "^" + unicodedata.normalize("NFKC", match.group()), text)
        text = _FRACTION.sub(lambda match: f"{match[1]} {unicodedata.normalize('NFKC', match[2])}", text)
    return _CASED.sub(lambda match: _NAMES[match[1]], text)
