"""Ordinal numbers in English, in figures and in words."""

import re

_UNITS = """first second third fourth fifth sixth seventh eighth ninth tenth
eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth""".split()  # noqa: SIM905 - as in `words`
_TENS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth".split()  # noqa: SIM905
_VALUES = {word: value for value, word in enumerate(_UNITS, start=1)} | {word: 10 * value for value, word in enumerate(_TENS, start=2)}
_PREFIXES = {word[:-4] + "y": 10 * value for value, word in enumerate(_TENS, start=2)}
# Most often `first` says when and `second` how long; a rank shows by its neighbours.
_RANKED = r"(?:place|floor|century|prize|edition|round|volume|chapter|class|grade|division|position)\b"
_RANKING = r"(?:(?<=\bcame\s)|(?<=\bcomes\s)|(?<=\bcome\s)|(?<=\bfinished\s)|(?<=\bfinishes\s)|(?<=\branked\s)|(?<=\bplaced\s))"

ORDINAL_PATTERN = (
    r"(?<![\w.,])\d{1,3}(?:st|nd|rd|th)(?!\w)"
    rf"|\b(?:(?:{'|'.join(_PREFIXES)})[\s-](?:{'|'.join(_UNITS[:9])})|{'|'.join([*_UNITS[2:], *_TENS])})\b"
    rf"|\b(?:first|second)(?=\s{_RANKED})|{_RANKING}(?:first|second)\b"
)


def ordinal_value(written: str) -> int:
    """Return the number that an ordinal such as `3rd` or `twenty-first` stands for."""
    figures = re.match(r"\d+", written)
    if figures:
        return int(figures.group())
    *tens, last = re.split(r"[\s-]", written)
    return sum(_PREFIXES[word] for word in tens) + _VALUES[last]
