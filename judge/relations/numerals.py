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
    """Return a number of proposition and quote; None where it is given loosely or as a bound, and would be true of others."""
    shown = folded(f"{target.proposition.text} {target.quote}")
    if count_qualifiers("hedge", shown) or count_qualifiers("comparison", shown):
        return None
    known = _NUMBER.findall(target.proposition.text)
    shared = (number for number in _NUMBER.findall(target.quote) if number in known)
    return next((number for number in shared if len(_placed(number).findall(answer)) == 1), None)


def _placed(number: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)")


def other_digit(number: str, random: Random) -> str:
    """Return the number with another first digit, which is no zero: a value that no rounding explains."""
    others = [digit for digit in "123456789" if digit != number[0]]
    return random.choice(others) + number[1:]


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
    def words(match: re.Match[str]) -> str:
        digits = match[0].replace(",", "")
        value = int(digits) if digits.isdigit() else 0
        thousands, rest = divmod(value, 1000)
        if 2 <= value <= 20 and text[match.end() : match.end() + 1] == " ":
            return _WORDS[value - 2]
        return f"{_WORDS[thousands - 2]} thousand" if 2 <= thousands <= 20 and rest == 0 and not _PLAIN_YEAR.fullmatch(digits) else match[0]

    return _NUMBER.sub(words, text)


def _in_metres(text: str) -> str:
    return re.sub(r"(?<![\w.,])(\d{1,3}) (?:km|kilometres|kilometers)\b", lambda match: f"{int(match[1]) * 1000:,} metres", text)


def _written_dates(text: str) -> str:
    def date(match: re.Match[str]) -> str:
        month, day = int(match[2]), int(match[3])
        return f"{day} {_MONTHS[month - 1]} {match[1]}" if 1 <= month <= 12 and 1 <= day <= 31 else match[0]

    return re.sub(r"(?<![\d-])([12]\d{3})-(\d{2})-(\d{2})(?![\d-])", date, text)


def _iso_dates(text: str) -> str:
    def date(match: re.Match[str]) -> str:
        return f"{match[3]}-{_MONTHS.index(match[2]) + 1:02}-{int(match[1]):02}"

    return re.sub(rf"(?<![\w.])([1-9]|[12]\d|3[01]) ({'|'.join(_MONTHS)}) ([12]\d{{3}})(?!\d)", date, text)


def _twelve_hours(text: str) -> str:
    def clock(match: re.Match[str]) -> str:
        hour = int(match[1])
        return f"{(hour - 1) % 12 + 1}:{match[2]} {'am' if hour < 12 else 'pm'}"

    return re.sub(r"(?<![\w.:])([01]?\d|2[0-3]):([0-5]\d)(?![\w:]|\s?[ap]\.?m)", clock, text)


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
