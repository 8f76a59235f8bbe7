"""Numbers as they are written in a text: where they stand, another one in their place, and the same in other characters."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from judge.relations.case import Case, Subject
from judge.relations.targets import Target, targets
from judge.text.normalise import folded
from judge.text.qualifiers import count_qualifiers

_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w:/-]|[.,]\d)")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_PLAIN_YEAR = re.compile(r"1\d{3}|20\d{2}")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_BEFORE_DAY = re.compile(rf"\b{_MONTH}\s$")
_AFTER_DAY = re.compile(rf"\s(?:of\s)?{_MONTH}(?!\w)")
_IN_PROSE = re.compile(r"\s[a-z]+,?\s$")
_COUNTED = re.compile(r"\s[a-z]{3,}\b")


class Figure(NamedTuple):
    """A supported target, and the number that it shares with its proposition and that stands in the answer once."""

    target: Target
    number: str


def one_figure(subject: Subject, random: Random) -> Figure | None:
    """Return one of the supported targets that share a number with their proposition; None without any."""
    shared = [(target, _shared(target, subject.case.answer)) for target in targets(subject)]
    found = [Figure(target, number) for target, number in shared if number is not None]
    return random.choice(found) if found else None


def with_number(case: Case, number: str, other: str) -> Case:
    """Return the case with a number of its answer replaced."""
    return case._replace(answer=_placed(number).sub(lambda _: other, case.answer, count=1))


def _shared(target: Target, answer: str) -> str | None:
    """Return a number of proposition and quote; None where it is given loosely, as a bound or as a day, and would be true of others."""
    shown = folded(f"{target.proposition.text} {target.quote}")
    if count_qualifiers("hedge", shown) or count_qualifiers("comparison", shown):
        return None
    known: list[str] = _NUMBER.findall(target.proposition.text)
    numbers: list[str] = _NUMBER.findall(target.quote)
    for number in numbers:
        places = list(_placed(number).finditer(answer))
        if number in known and len(places) == 1 and not _is_day(places[0]):
            return number
    return None


def _is_day(place: re.Match[str]) -> bool:
    """Return whether a number is the day of a date: any other digits would make no date, or one of another form."""
    before, after = place.string[: place.start()], place.string[place.end() :]
    return len(place[0]) <= 2 and (_BEFORE_DAY.search(before[-15:]) is not None or _AFTER_DAY.match(after) is not None)


def _placed(number: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)")


def other_digit(number: str, random: Random) -> str:
    """Return the number with another digit: of what may be a year the third, else the first, which is no zero.

    That is a value which no rounding explains, and a year that could be one.
    """
    place = 2 if _PLAIN_YEAR.fullmatch(number) else 0
    others = [digit for digit in "123456789" if digit != number[place]]
    return number[:place] + random.choice(others) + number[place + 1 :]


def tenfold(number: str) -> str | None:
    """Return ten times a whole number, written alike; None for a fraction, zero and what may be a year."""
    digits = number.replace(",", "")
    if not digits.isdigit() or int(digits) == 0 or _PLAIN_YEAR.fullmatch(number):
        return None
    return f"{int(digits) * 10:,}" if "," in number else f"{int(digits) * 10}"


def _ungrouped(text: str) -> str:
    return _NUMBER.sub(lambda match: match[0].replace(",", ""), text)


def _grouped(text: str) -> str:
    return re.sub(r"(?<![\w.,:/-])\d{5,9}(?![\w:/-]|[.,]\d)", lambda match: f"{int(match[0]):,}", text)


def _in_words(text: str) -> str:
    return _NUMBER.sub(lambda match: _word_for(match) if _is_counted(match) else match[0], text)


def _is_counted(match: re.Match[str]) -> bool:
    """Return whether a number counts something in running text; it may be part of a name or a date elsewhere."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    return _IN_PROSE.search(before[-30:]) is not None and _COUNTED.match(after) is not None and not _is_day(match)


def _word_for(match: re.Match[str]) -> str:
    """Return a number as a word where it is from two to twenty, or so many thousands, and no year."""
    digits = match[0].replace(",", "")
    value = int(digits) if digits.isdigit() else 0
    thousands, rest = divmod(value, 1000)
    if 2 <= value <= 20:
        return _WORDS[value - 2]
    return f"{_WORDS[thousands - 2]} thousand" if 2 <= thousands <= 20 and rest == 0 and not _PLAIN_YEAR.fullmatch(match[0]) else match[0]


_KILOMETRES = re.compile(
    r"(?<![\w.,])(\d{1,3}) (?:km|kilometres|kilometers)\b(?!\s?[/²2^]|\s*(?:\([^)]{0,40}\)\s*)?(?:per|an)\b)"  # a speed is no length
)


def _in_metres(text: str) -> str:
    return _KILOMETRES.sub(lambda match: f"{int(match[1]) * 1000:,} metres", text)


def _written_dates(text: str) -> str:
    def date(match: re.Match[str]) -> str:
        month, day = int(match[2]), int(match[3])
        return f"{day} {_MONTHS[month - 1]} {match[1]}" if 1 <= month <= 12 and 1 <= day <= 31 else match[0]

    return re.sub(r"(?<![\d-])([12]\d{3})-(\d{2})-(\d{2})(?![\d-])", date, text)


def _iso_dates(text: str) -> str:
    def date(match: re.Match[str]) -> str:
        return f"{match[3]}-{_MONTHS.index(match[2]) + 1:02}-{int(match[1]):02}"

    return re.sub(rf"(?<![\w.])([1-9]|[12]\d|3[01]) ({'|'.join(_MONTHS)}) ([12]\d{{3}})(?!\d)", date, text)


_CLOCK = re.compile(r"\b(at|from|until|till|to|by|before|after) ([01]?\d|2[0-3]):([0-5]\d)(?![\w:]|\s?[ap]\.?m)", re.IGNORECASE)


def _twelve_hours(text: str) -> str:
    def clock(match: re.Match[str]) -> str:
        hour = int(match[2])
        return f"{match[1]} {(hour - 1) % 12 + 1}:{match[3]} {'am' if hour < 12 else 'pm'}"

    return _CLOCK.sub(clock, text)


_FORMS: dict[str, Callable[[str], str]] = {
    "12,000 as 12000": _ungrouped,
    "12000 as 12,000": _grouped,
    "figures in words": _in_words,
    "km in metres": _in_metres,
    "ISO date in words": _written_dates,
    "date as ISO": _iso_dates,
    "24 h as 12 h": _twelve_hours,
}

FORMS = len(_FORMS)
"""In how many ways equal values are rewritten."""


def equal_forms(text: str) -> Iterator[tuple[str, str]]:
    """Yield, by name, the text with values in another form that means the same; only where that changes it."""
    for name, rewrite in _FORMS.items():
        if (changed := rewrite(text)) != text:
            yield name, changed
