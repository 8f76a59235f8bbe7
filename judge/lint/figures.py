"""Numbers as they are compared between a ground truth and its propositions: by value, and by how they are written."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from judge.text.numbers import COUNT, DATE, Quantity, read_quantities
from judge.text.quantities import readings

Value = tuple[object, ...]

_NUMERAL = re.compile(
    r"(?<![a-z])[a-z]*\d(?:[\da-z.,:/-]*[\da-z])?[百千万亿億]*|[二三四五六七八九十百千万亿億两兩]+|一[二三四五六七八九十百千万亿億]+"
)
_SLASHED = re.compile(r"(?<![\w/])\d{1,4}/\d{1,4}(?:/\d{1,4})?(?![\w/])")
_DIGITS = re.compile(r"\d[\d.,]*")
_PART = re.compile(r"\d+|[^\W\d_]+|[%$€£¥°]")
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_MEASURED = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)*)\s?([^\W\d_]+|[%°€$£¥])")


class Figures(NamedTuple):
    """The numbers of a folded text.

    `numerals` are those written with digits that stand for no quantity (`v1.2`, `7/5/2024`, `1990年`), as written.
    """

    text: str
    quantities: tuple[Quantity, ...]
    written: tuple[str, ...]
    values: frozenset[Value]
    numerals: tuple[str, ...]
    tokens: frozenset[str]
    """The numerals and the quantities as they are written, digits as ASCII: what most comparisons end with."""


@lru_cache(maxsize=64)
def figures(shown: str) -> Figures:
    """Read all numbers of a folded text once."""
    reading = read_quantities(shown)
    numerals = dict.fromkeys([*_SLASHED.findall(shown), *_NUMERAL.findall(reading.rest)])
    return Figures(
        text=plain_digits(shown),
        quantities=reading.quantities,
        written=reading.written,
        values=frozenset(value for quantity in reading.quantities for value in values_of(quantity)),
        numerals=tuple(numerals),
        tokens=frozenset(plain_digits(written.strip()) for written in (*numerals, *reading.written)),
    )


def values_of(quantity: Quantity) -> list[Value]:
    """Return the values that a quantity may have, each as `value_of` gives it."""
    return [value_of(quantity._replace(value=value)) for value in readings(quantity)]


def value_of(quantity: Quantity) -> Value:
    """Return what equal quantities share; a bare year and a plain number look alike."""
    if quantity.dimension == DATE and quantity.value[1:] == (None, None):
        return (COUNT, quantity.value[:1])
    return (quantity.dimension, quantity.value)


def is_said(quantity: Quantity, written: str, other: Figures) -> bool:
    """Return whether the other text holds the value, more precisely, or the number just as it is written."""
    return not other.values.isdisjoint(values_of(quantity)) or _is_within_date(quantity, other.quantities) or is_written(written, other)


def is_written(written: str, other: Figures) -> bool:
    """Return whether a number is written just so in the other text, and not as part of a longer one."""
    plain = plain_digits(written.strip())
    if plain in other.tokens:
        return True
    if plain not in other.text:
        return False
    return not plain.isascii() or re.search(rf"(?<![\da-z])(?<!\d[.,]){re.escape(plain)}(?![\da-z]|[.,]\d)", other.text) is not None


def parts_of(text: str) -> frozenset[str]:
    """Return the digit runs, words and signs of a folded text: what `310 km` is made of, wherever they stand."""
    return frozenset(_PART.findall(text))


def bare(written: str) -> str:
    """Return the digits of a number without its unit."""
    return "".join(_DIGITS.findall(written)).rstrip(".,")


def measured(shown: str) -> Iterable[tuple[str, str]]:
    """Yield each number of a folded text with the word or sign directly after it; of scripts without spaces one character.

    What follows a year is hardly ever its unit.
    """
    for match in _MEASURED.finditer(plain_digits(shown)):
        word = match[2]
        if _YEAR.fullmatch(match[1]) and word.isascii():
            continue
        yield match[1], word if word.isascii() or (word[0].isalpha() and ord(word[0]) < 0x0E00) else word[0]


def plain_digits(text: str) -> str:
    """Return the text with the digits of every script as ASCII."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.digit(char)) if char.isdigit() and not char.isascii() else char for char in text)


def _is_within_date(quantity: Quantity, others: tuple[Quantity, ...]) -> bool:
    """Return whether a date, or a plain year, is what others say more precisely."""
    parts = quantity.value if quantity.dimension == DATE else ((*quantity.value, None, None) if quantity.dimension == COUNT else None)
    if parts is None:
        return False
    dates = [other.value for other in others if other.dimension == DATE]
    return any(all(part is None or part == whole for part, whole in zip(parts, date, strict=True)) for date in dates)
