"""Numbers, dates, times and measures in a folded text, in a form in which equal values are equal."""

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from judge.text.stems import stem
from judge.text.units import NUMBER_WORDS, SCALES, SHARES, UNITS

DATE, COUNT, CLOCK, PERCENT = "date", "count", "clock", "percent"

_MONTH_NAMES = [
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may",),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sept", "sep"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
]
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names}


class Quantity(NamedTuple):
    """A value of one dimension, in its base unit; a date has year, month and day, each of which may be unknown."""

    dimension: str
    value: tuple[Fraction | int | None, ...]
    counted: str = ""
    """The stem of the word after a plain number: what is counted."""


class Reading(NamedTuple):
    """The quantities of a text in order, the text without them, and how each of them is written."""

    quantities: tuple[Quantity, ...]
    rest: str
    written: tuple[str, ...] = ()


class Comparison(StrEnum):
    """How the quantities of a statement stand to those of a sentence."""

    AGREE = "agree"
    ABSENT = "absent"
    DIFFER = "differ"


def _words(names: Iterable[str]) -> str:
    return "|".join(re.escape(name).replace(r"\-", r"[\s-]") for name in sorted(names, key=len, reverse=True))


_MONTH = rf"(?:{_words(_MONTHS)})\b\.?"
_UNIT = _words(UNITS)
_WORD = rf"(?:{_words([*NUMBER_WORDS, *SCALES])})"
_CASES = re.compile(
    r"(?P<iso>(?<!\d)\d{4}-\d{2}-\d{2}(?!\d))"
    # 7/5/2024 may be May or July, and 7/5 a share as well: it is no date at all, and its parts are no numbers.
    r"|(?P<ambiguous>(?<![\d/])\d{1,4}/\d{1,2}(?:/\d{1,4})?(?![\d/]))"
    rf"|(?P<dmy>(?<!\w)\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}(?:,?\s(?:\d{{4}}|'\d{{2}})(?!\w))?)"
    rf"|(?P<mdy>\b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?![\w:.]\d|\w)(?:,?\s(?:\d{{4}}|'\d{{2}})(?!\w))?)"
    rf"|(?P<my>\b{_MONTH},?\s(?:of\s)?\d{{4}}(?!\w))"
    r"|(?P<twelve>(?<![\w.])\d{1,2}(?:[:.]\d{2})?\s?[ap]\.?\s?m\b\.?|\b(?:noon|midnight)\b)"
    r"|(?P<part>(?<![\w.:])\d{1,2}(?::\d{2})?(?:\so'clock)?\sin\sthe\s(?:morning|afternoon|evening))"
    r"|(?P<clock>(?<![\w.:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\w:]))"
    rf"|(?P<share>\b(?:{_words(SHARES)})\sof\b|\bhalf(?=\s(?:the|full|empty|as)\b|-(?:full|empty)\b))"
    r"|(?P<number>(?:(?P<currency>[$€£¥])\s?)?(?:(?<![\w.])|(?<=[$€£¥]))"
    r"(?!\d{3}0'?s\b)(?P<digits>-?(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,18})(?:\.\d{1,18})?)"
    r"(?:[\s-]?(?P<scale>thousand|millions?|mn|billions?|bn|trillion|dozen|hundred)\b|(?P<letter>k\b|(?(currency)[mb]|(?!))\b))?"
    rf"(?:[\s-]?(?P<unit>{_UNIT})(?!\w)|(?!\w|[.,]\d)))"
    rf"|(?P<words>\b(?:(?:a|half a)\s(?=hundred|thousand|million|billion|dozen))?{_WORD}(?:(?:[\s-]|\sand\s){_WORD})*\b"
    rf"(?:[\s-](?P<wordunit>{_UNIT})(?!\w))?)",
)
_NEXT_WORD = re.compile(r"\s([^\W\d_]{3,})")
_PLAIN_YEARS = range(1000, 2200)


@lru_cache(maxsize=8192)
def read_quantities(text: str) -> Reading:
    """Return all quantities of a folded text. Names and versions that contain digits (`qx12`, `v1.2.3`) are no numbers."""
    quantities: list[Quantity] = []
    rest: list[str] = []
    written: list[str] = []
    position = 0
    for match in _CASES.finditer(text):
        kind = match.lastgroup if match.lastgroup in _READERS else _kind(match)
        quantity = _READERS[kind](match)
        if quantity is None and kind == "words":
            continue
        rest.append(text[position : match.start()])
        position = match.end()
        if quantity is not None:
            quantities.append(quantity)
            written.append(match.group())
    rest.append(text[position:])
    return Reading(tuple(quantities), " ".join(rest), tuple(written))


def compare(asked: Iterable[Quantity], stated: Iterable[Quantity]) -> Comparison:
    """Compare what a statement says with what a sentence says; nothing asked agrees with everything.

    Plain numbers differ only where the same thing is counted. A stated date less precise than the one asked for is absent.
    """
    stated = tuple(stated)
    found = [_compare_one(quantity, stated) for quantity in asked]
    if Comparison.DIFFER in found:
        return Comparison.DIFFER
    return Comparison.ABSENT if Comparison.ABSENT in found else Comparison.AGREE


def _compare_one(asked: Quantity, stated: tuple[Quantity, ...]) -> Comparison:
    """Compare with every stated quantity of a dimension that can be compared."""
    found = Comparison.ABSENT
    for other in stated:
        if asked.dimension == other.dimension or {asked.dimension, other.dimension} == {DATE, COUNT}:
            if _equal(asked, other):
                return Comparison.AGREE
            if _differ(asked, other):
                found = Comparison.DIFFER
    return found


def _equal(asked: Quantity, stated: Quantity) -> bool:
    if asked.dimension != stated.dimension:
        return asked.value[0] == stated.value[0] and not any(asked.value[1:]) and not any(stated.value[1:])
    return all(part is None or part == other for part, other in zip(asked.value, stated.value, strict=True))


def _differ(asked: Quantity, stated: Quantity) -> bool:
    if asked.dimension != stated.dimension or asked.counted != stated.counted:
        return False
    return any(part is not None and other is not None and part != other for part, other in zip(asked.value, stated.value, strict=True))


def _kind(match: re.Match[str]) -> str:
    return next(name for name in _READERS if match[name] is not None)


def _date(year: str | None, month: int | None = None, day: str | None = None) -> Quantity:
    """Build a date; a year of two digits is 1970 to 2069."""
    number = None
    if year is not None:
        digits = year.lstrip("'")
        number = int(digits) if len(digits) > 2 else (2000 if int(digits) < 70 else 1900) + int(digits)
    return Quantity(DATE, (number, month, None if day is None else int(day)))


def _read_iso(match: re.Match[str]) -> Quantity:
    year, month, day = match["iso"].split("-")
    return _date(year, int(month), day)


def _read_date(match: re.Match[str]) -> Quantity:
    text = match.group()
    month = next(_MONTHS[word] for word in re.findall(r"[a-z]+", text) if word in _MONTHS)
    year = re.search(r"\d{4}|'\d{2}", text)
    day = re.search(r"(?<![\d'])\d{1,2}(?!\d)", text)
    return _date(year and year.group(), month, day and day.group())


def _read_clock(match: re.Match[str]) -> Quantity:
    text = match.group()
    if text in {"noon", "midnight"}:
        return Quantity(CLOCK, (720 if text == "noon" else 0,))
    hour, minute = ([int(part) for part in re.findall(r"\d+", text)] + [0])[:2]
    if re.search(r"[ap]\.?\s?m", text) or "in the" in text:
        late = re.search(r"p\.?\s?m|afternoon|evening", text) is not None
        hour = hour % 12 + (12 if late else 0)
    return Quantity(CLOCK, (hour * 60 + minute,))


def _read_number(match: re.Match[str]) -> Quantity:
    value = Fraction(match["digits"].replace(",", ""))
    scale = match["scale"] or {"m": "million", "b": "billion"}.get(match["letter"] or "", match["letter"])
    if scale:
        value *= SCALES[scale]
    unit = match["currency"] or match["unit"]
    if unit is None and scale is None and match["digits"].isdigit() and len(match["digits"]) == 4 and int(value) in _PLAIN_YEARS:
        return _date(match["digits"])
    return _measured(value, unit, match)


def _read_words(match: re.Match[str]) -> Quantity | None:
    unit = match["wordunit"]
    spelled = match.string[match.start() : match.end() if unit is None else match.start("wordunit")]
    words = re.findall(r"[a-z]+", spelled)
    if words == ["one"] and unit is None:
        return None  # far more often a pronoun than a count
    total, current = Fraction(0), Fraction(0)
    for word in words:
        if word in NUMBER_WORDS:
            current += NUMBER_WORDS[word]
        elif word == "half":
            current = Fraction(1, 2)
        elif word in SCALES and SCALES[word] > 100:
            total, current = total + (current or 1) * SCALES[word], Fraction(0)
        elif word in SCALES:
            current = (current or Fraction(1)) * SCALES[word]
    return _measured(total + current, unit, match)


def _measured(value: Fraction, unit: str | None, match: re.Match[str]) -> Quantity:
    if unit is None:
        following = _NEXT_WORD.match(match.string, match.end())
        return Quantity(COUNT, (_plain(value),), stem(following[1]) if following else "")
    measure = UNITS[re.sub(r"\s", "-", unit)]
    return Quantity(measure.dimension, (_plain((value - measure.offset) * measure.factor),))


def _plain(value: Fraction) -> Fraction | int:
    """Return a whole value as an integer: equal to the fraction, and many times as fast to compare."""
    return value.numerator if value.denominator == 1 else value


_READERS: dict[str, Callable[[re.Match[str]], Quantity | None]] = {
    "iso": _read_iso,
    "ambiguous": lambda _: None,
    "dmy": _read_date,
    "mdy": _read_date,
    "my": _read_date,
    "twelve": _read_clock,
    "part": _read_clock,
    "clock": _read_clock,
    "share": lambda match: Quantity(PERCENT, (SHARES[match["share"].removesuffix(" of")],)),
    "number": _read_number,
    "words": _read_words,
}
