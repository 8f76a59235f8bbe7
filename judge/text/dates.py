"""Dates in a folded text: how they are written, and which day, month or year they name."""

import re
from datetime import date

from judge.text.quantities import DATE, Quantity

_MONTH_NAMES = [
    ("january", "jan", "januar"),
    ("february", "feb", "februar"),
    ("march", "mar", "märz"),
    ("april", "apr"),
    ("may", "mai"),
    ("june", "jun", "juni"),
    ("july", "jul", "juli"),
    ("august", "aug"),
    ("september", "sept", "sep"),
    ("october", "oct", "oktober", "okt"),
    ("november", "nov"),
    ("december", "dec", "dezember", "dez"),
]
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names}
_MONTH = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
# `12 may enter` is no date: what follows a date is no bare verb.
_NO_VERB = (
    r"(?!(?<=\bmay)\s(?!(?:and|or|at|in|on|to|the|a|it|he|she|they|we|i|was|is|were|are|for|by|from|until|but|when|as|with|after|before"
    r"|this|that|of)\b)[a-z])"
)
_YEAR = r"(?:,?\s(?:\d{4}|'\d{2})(?!\w))"
# Bare names of months are words and given names as well; these stand before a month.
_TIMELY = (
    "(?:"
    + "|".join(
        rf"(?<=\b{word}\s)"
        for word in ["in", "of", "since", "until", "by", "every", "each", "last", "next", "during", "early", "late", "from"]
    )
    + ")"
)

DATES = (
    r"(?P<iso>(?<![\d/.-])\d{4}(?:-\d{2}-\d{2}|/\d{2}/\d{2})(?![\d/]|-\d|\.\d))"
    r"|(?P<dotted>(?<![\d.])\d{1,2}\.\d{1,2}\.\d{4}(?!\d|\.\d))"
    # 7/5/2024 may be May or July, and 7/5 a share as well: it is no date at all, and its parts are no numbers.
    r"|(?P<slashed>(?<![\w/])\d{1,4}/\d{1,2}(?:/\d{1,4})?(?![\d/])(?!\sof\b))"
    rf"|(?P<dmy>(?<!\w)(?<!\d[.,])\d{{1,2}}(?:st|nd|rd|th|\.)?[\s-](?:of\s)?{_MONTH}{_NO_VERB}(?:{_YEAR}|-\d{{4}}(?!\w))?)"
    rf"|(?P<mdy>\b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?![\w:]|\.\d|\s\d{{3}}\b){_YEAR}?)"
    rf"|(?P<my>\b{_MONTH},?\s(?:of\s)?\d{{4}}(?!\w))"
    rf"|(?P<month>{_TIMELY}(?:january|february|march|april|may|june|july|august|september|october|november|december)\b{_NO_VERB})"
)
"""Alternatives of a pattern, each named after how a date is written."""

_DATED = re.compile(
    r"(?:\b(?:in|since|by|from|until|till|of|during|around|year|before|after|circa|ca\.?|early|late|mid|to|and|between|summer|spring|autumn"
    r"|fall|winter)\s|\()$"
)
_PLURAL = re.compile(
    r"\s(?!(?:was|is|has|does|this|its|his|as|us|across|versus|plus|towards|perhaps|always)\b)(?:[a-z]{2,}s\b(?<!ss)|(?:people|men|women|children|staff|sheep|cattle|fish)\b)"
)
_PLAIN_YEARS = range(1000, 2200)


def is_plain_year(digits: str) -> bool:
    """Return whether four digits without marks could be a year."""
    return len(digits) == 4 and digits.isdigit() and int(digits) in _PLAIN_YEARS


def read_year(digits: str, text: str, start: int, end: int) -> Quantity | None:
    """Return the year that stands in the text from start to end, and whether it shows that it is one; None for `1850 seats`."""
    shown = _DATED.search(text, max(0, start - 12), start) is not None
    if not shown and _PLURAL.match(text, end):
        return None
    return Quantity(DATE, (int(digits), None, None), "year" if shown else "")


def build_date(year: str | None, month: int | None = None, day: str | None = None) -> Quantity | None:
    """Build a date, or None where the calendar has none; a year of two digits is 1970 to 2069."""
    number = None
    if year is not None:
        digits = year.lstrip("'")
        number = int(digits) if len(digits) > 2 else (2000 if int(digits) < 70 else 1900) + int(digits)
    try:
        date(number or 2000, month or 1, int(day or 1))  # 2000 has a 29 February
    except ValueError:
        return None
    return Quantity(DATE, (number, month, None if day is None else int(day)))


def read_figures(match: re.Match[str]) -> Quantity | None:
    """Read a date in figures; None where day and month cannot be told apart, or there is no such day."""
    first, second, *rest = re.findall(r"\d+", match.group())
    if match["iso"] is not None:
        return build_date(first, int(second), rest[0])
    if not rest or len(rest[0]) != 4 or len(first) > 2:
        return None
    if match["dotted"] is not None or int(first) > 12:
        return build_date(rest[0], int(second), first)
    return build_date(rest[0], int(first), second) if int(second) > 12 else None


def read_named(match: re.Match[str]) -> Quantity | None:
    """Read a date with the name of its month."""
    text = match.group()
    month = next(_MONTHS[word] for word in re.findall(r"[^\W\d_]+", text) if word in _MONTHS)
    year = re.search(r"\d{4}|'\d{2}", text)
    day = re.search(r"(?<![\d'])\d{1,2}(?!\d)", text)
    return build_date(year and year.group(), month, day and day.group())
