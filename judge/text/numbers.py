"""Numbers, dates, times and measures in a folded text, in a form in which equal values are equal."""

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from judge.text.dates import DATES, build_date, is_plain_year, read_figures, read_named, read_year
from judge.text.ordinals import ORDINAL_PATTERN, ordinal_value
from judge.text.quantities import CLOCK, COUNT, DATE, ORDINAL, PERCENT, Quantity, Scale
from judge.text.stems import stem
from judge.text.together import Placed, combine
from judge.text.units import NUMBER_WORDS, SCALES, SHARES, UNITS

__all__ = ["CLOCK", "COUNT", "DATE", "Quantity", "Reading", "read_quantities"]


class Reading(NamedTuple):
    """The quantities of a text in order, the text without them, and how each of them is written."""

    quantities: tuple[Quantity, ...]
    rest: str
    written: tuple[str, ...] = ()


def _words(names: Iterable[str]) -> str:
    return "|".join(re.escape(name).replace(r"\-", r"[\s-]") for name in sorted(names, key=len, reverse=True))


# `in` is a unit only where nothing else can follow from it: `1912 in Tarn`.
_UNIT = rf"(?:{_words(UNITS)}|in(?=\s(?:long|wide|tall|high|deep|thick|across)\b|\.?$))"
_WORD = rf"(?:{_words([*NUMBER_WORDS, *SCALES])})"
_FIGURES = (
    r"(?:[1-9]\d{0,2}(?:,\d{3}){1,6}(?:\.\d{1,18})?"  # 1,234,567.8
    r"|[1-9]\d?(?:,\d{2}){1,4},\d{3}(?:\.\d{1,18})?"  # 1,00,000
    r"|[1-9]\d{0,2}(?:\.\d{3}){2,6}(?:,\d{1,18})?|[1-9]\d{0,2}\.\d{3},\d{1,2}"  # 1.234.567 and 1.234,56
    r"|[1-9]\d{0,2}(?:\s\d{3}){1,5}(?:[.,]\d{1,2})?|[1-9]\d{0,2}(?:'\d{3}){1,5}(?:\.\d{1,18})?"  # 12 500 and 12'500
    r"|0,\d{1,18}|\d{1,18},(?:\d{1,2}|\d{4,18})"  # 0,75
    r"|(?:\d{1,18}\s)?\d{1,3}⁄\d{1,3}|10\^-?\d{1,2}|\d{1,18}(?:\.\d{1,18})?)"  # 1 1⁄2 and 10^3
    r"(?!\d|[.,'/:⁄^]\d)"
)
_CASES = re.compile(
    rf"(?<![a-z\d])(?=[a-z\d$€£¥-])(?:{DATES}"  # nothing begins within a word, and to see that at once is twice as fast
    r"|(?P<twelve>(?<![\w.])\d{1,2}(?:[:.]\d{2})?\s?[ap]\.?\s?m\b\.?|\b(?:noon|midnight)\b)"
    r"|(?P<part>(?<![\w.:])\d{1,2}(?::\d{2})?(?:\so'clock)?\sin\sthe\s(?:morning|afternoon|evening))"
    r"|(?P<clock>(?<![\w.:])(?:(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?|24:00)(?![\w:]))"
    rf"|(?P<share>\b(?:{_words(SHARES)})\sof\b|\bhalf(?=\s(?:the|full|empty|as)\b|-(?:full|empty)\b)|(?<![\w./])\d/\d{{1,2}}\sof\b)"
    r"|(?P<feet>(?<![\w.,])\d{1,2}(?:\s?(?:ft|foot|feet),?\s?\d{1,2}\s?(?:in|inch|inches|\"|'')(?!\w)|'\s?\d{1,2}(?:\"|'')))"
    rf"|(?P<ordinal>{ORDINAL_PATTERN})"
    r"|(?P<number>(?P<sign>(?<![\w)])-|\bminus\s|\bnegative\s)?(?:(?P<currency>us\$|[$€£¥]|\b(?:usd|eur|gbp|jpy)(?=\s?\d))\s?)?"
    rf"(?:(?<![\w.])(?<!\d[,'/:⁄^])|(?<=[$€£¥])|(?<=usd|eur|gbp|jpy))(?!\d{{3}}0'?s\b)(?P<digits>{_FIGURES})"
    r"(?:[\s-]?(?P<scale>thousand|millions?|mn|billions?|bn|trillion|dozen|hundred)\b|(?P<letter>k\b|(?(currency)[mb]|(?!))\b))?"
    rf"(?:[\s-]?(?P<unit>{_UNIT})(?!\w)|(?!\w)))"
    rf"|(?P<words>\b(?:minus\s)?(?:(?:a|half a)\s(?=hundred|thousand|million|billion|dozen))?{_WORD}(?:(?:[\s-]|\sand\s){_WORD}){{0,12}}\b"
    rf"(?:[\s-](?P<wordunit>{_UNIT})(?!\w))?))",
)
_GROUPED = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_NEXT_WORD = re.compile(r"\s([^\W\d_]{3,})")


@lru_cache(maxsize=8192)
def read_quantities(text: str, *, loosely: bool = False) -> Reading:
    """Return all quantities of a folded text. Names and versions that contain digits (`qx12`, `v1.2.3`) are no numbers.

    Neither is a lone `one`, which mostly is a pronoun; read loosely, it is a loose one where a word follows that could be counted.
    """
    placed: list[Placed] = []
    rest: list[str] = []
    position = 0
    for match in _CASES.finditer(text):
        kind = match.lastgroup if match.lastgroup in _READERS else _kind(match)
        quantity = _READERS[kind](match)
        if quantity is not None and quantity.is_loose and quantity.dimension == COUNT and not loosely:
            quantity = None
        if quantity is None:
            continue  # what is not understood stays among the words
        rest.append(text[position : match.start()])
        position = match.end()
        placed.append(Placed(quantity, match.start(), match.end()))
    rest.append(text[position:])
    placed = combine(placed, text)
    return Reading(tuple(one.quantity for one in placed), " ".join(rest), tuple(text[one.start : one.end] for one in placed))


def _kind(match: re.Match[str]) -> str:
    return next(name for name in _READERS if match[name] is not None)


def _read_clock(match: re.Match[str]) -> Quantity:
    text = match.group()
    if text in {"noon", "midnight"}:
        return Quantity(CLOCK, (720 if text == "noon" else 0,))
    hour, minute = ([int(part) for part in re.findall(r"\d+", text)] + [0])[:2]
    halved = re.search(r"[ap]\.?\s?m", text) or "in the" in text
    if halved:
        late = re.search(r"p\.?\s?m|afternoon|evening", text) is not None
        hour = hour % 12 + (12 if late else 0)
    is_loose = not halved and 1 <= hour <= 12 and not text.startswith("0")
    return Quantity(CLOCK, ((hour * 60 + minute) % 1440,), is_loose=is_loose)


def _read_share(match: re.Match[str]) -> Quantity | None:
    written = match["share"].removesuffix(" of")
    if "/" in written:
        part, whole = map(int, written.split("/"))
        if not 0 < part < whole:
            return None
        return Quantity(PERCENT, (_plain(Fraction(100 * part, whole)),), scale=Scale(factor=Fraction(100, whole)))
    return Quantity(PERCENT, (_plain(SHARES[written]),), scale=Scale(factor=SHARES[written]))


def _read_feet(match: re.Match[str]) -> Quantity:
    feet, inches = map(int, re.findall(r"\d+", match["feet"]))
    inch = UNITS["inch"]
    return Quantity(inch.dimension, (_plain((12 * feet + inches) * inch.factor),), scale=Scale(inch.factor, 0, Fraction(1)))


def _read_ordinal(match: re.Match[str]) -> Quantity:
    return Quantity(ORDINAL, (ordinal_value(match["ordinal"]),), _counted(match))


def _read_number(match: re.Match[str]) -> Quantity | None:
    digits, unit = match["digits"], match["currency"] or match["unit"]
    scale = match["scale"] or {"m": "million", "b": "billion"}.get(match["letter"] or "", match["letter"])
    if (unit is None or unit == "in") and scale is None and match["sign"] is None and is_plain_year(digits):
        year = read_year(digits, match.string, match.start(), match.end("digits"))
        if year is not None:
            return year
    value, step = _value(digits)
    if value is None:
        return None
    times = SCALES[scale] if scale else 1
    measured = _measured(-value * times if match["sign"] else value * times, step * times, unit, match)
    return measured._replace(is_grouped=True) if scale is None and _GROUPED.fullmatch(digits) else measured


def _value(digits: str) -> tuple[Fraction | None, Fraction]:
    """Return the value of figures and the smallest step they show; None for a fraction over nothing."""
    if "⁄" in digits:
        *whole, fraction = digits.split()
        part, parts = map(int, fraction.split("⁄"))
        return (Fraction(part, parts) + sum(map(int, whole)) if parts else None), Fraction(0)
    if "^" in digits:
        base, power = digits.split("^")
        return Fraction(int(base)) ** int(power), Fraction(0)
    plain = digits.replace(" ", "").replace("'", "")
    commas, dots = plain.count(","), plain.count(".")
    if dots > 1 or (dots and commas and plain.index(".") < plain.index(",")):
        plain = plain.replace(".", "").replace(",", ".")
    elif commas == 1 and not re.fullmatch(r"[1-9]\d{0,2},\d{3}(?:\.\d+)?", plain):
        plain = plain.replace(",", ".")
    plain = plain.replace(",", "")
    return Fraction(plain), Fraction(1, 10 ** len(plain.partition(".")[2]))


def _read_words(match: re.Match[str]) -> Quantity | None:
    unit = match["wordunit"]
    spelled = match.string[match.start() : match.end() if unit is None else match.start("wordunit")]
    words = re.findall(r"[a-z]+", spelled)
    if words == ["one"] and unit is None:
        counted = _counted(match)
        return Quantity(COUNT, (1,), counted, is_loose=True) if counted else None
    if unit is None and len(words) in (2, 3) and words[0] in _CENTURIES and NUMBER_WORDS.get(words[1], 0) >= 20:
        rest = sum(NUMBER_WORDS.get(word, 100) for word in words[1:])
        return build_date(str(100 * NUMBER_WORDS[words[0]] + rest)) if rest < 100 else None
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
    value = total + current
    return _measured(-value if words[0] == "minus" else value, Fraction(1), unit, match)


_CENTURIES = {word for word, value in NUMBER_WORDS.items() if 11 <= value <= 20}


def _measured(value: Fraction, step: Fraction, unit: str | None, match: re.Match[str]) -> Quantity:
    if unit is None:
        return Quantity(COUNT, (_plain(value),), _counted(match))
    measure = UNITS["inch" if unit == "in" else re.sub(r"\s", "-", unit)]
    scale = Scale(measure.factor, measure.offset, step)
    return Quantity(measure.dimension, (_plain((value - measure.offset) * measure.factor),), scale=scale)


def _counted(match: re.Match[str]) -> str:
    following = _NEXT_WORD.match(match.string, match.end())
    return stem(following[1]) if following else ""


def _plain(value: Fraction) -> Fraction | int:
    """Return a whole value as an integer: equal to the fraction, and many times as fast to compare."""
    return value.numerator if value.denominator == 1 else value


_READERS: dict[str, Callable[[re.Match[str]], Quantity | None]] = {
    "iso": read_figures,
    "dotted": read_figures,
    "slashed": read_figures,
    "dmy": read_named,
    "mdy": read_named,
    "my": read_named,
    "month": read_named,
    "twelve": _read_clock,
    "part": _read_clock,
    "clock": _read_clock,
    "share": _read_share,
    "feet": _read_feet,
    "ordinal": _read_ordinal,
    "number": _read_number,
    "words": _read_words,
}
