"""Whether a text holds a key, a value or an id. All are compared without case, typography or runs of white space."""

import re
from collections.abc import Iterable
from functools import lru_cache

from judge.text.folding import Span, inside_word
from judge.text.normalise import folded

_Join = tuple[re.Pattern[str], re.Pattern[str]]

_JOINS: tuple[_Join, ...] = (
    # 22:00 in 22:00:15, 2024 in 01/05/2024
    (re.compile(r"\d$"), re.compile(r"[:/⁄]\d")),
    (re.compile(r"\d[:/⁄]$"), re.compile(r"\d")),
    # 2024 in 2024-05-01, 3 in 3-5; but 22:00-23:00 are two times
    (re.compile(r"(?:^|[^\d:])\d+$"), re.compile(r"-\d")),
    (re.compile(r"\d-$"), re.compile(r"\d+(?![\d:])")),
    # v2 in v2_1, but not in _v2_, which is emphasis
    (re.compile(r"[^\W_]$"), re.compile(r"_+[^\W_]")),
    (re.compile(r"[^\W_]_+$"), re.compile(r"[^\W_]")),
    # v2 in v2.x and in v2-rc1; a 14-day window does hold 14
    (re.compile(r"\d$"), re.compile(r"\.x\b|-(?:rc|alpha|beta|dev|pre|preview|snapshot|nightly)[\d.]*\b")),
    # 3 in -3
    (re.compile(r"(?:^|[\s(\[{=:,])-$"), re.compile(r"\d")),
)
_HYPHENED: tuple[_Join, ...] = (
    (re.compile(r"[^\W_]$"), re.compile(r"-+[^\W_]")),
    (re.compile(r"[^\W_]-+$"), re.compile(r"[^\W_]")),
)
_JOINERS = frozenset("-_:/⁄.")
_REACH = 16


@lru_cache(maxsize=32)
def _form(text: str) -> str:
    """Return the text for comparison; the last few are kept, since one output is searched for many keys."""
    return folded(text)


def holds_key(key: str, text: str) -> bool:
    """Return whether the text holds the key as a substring; a key that nobody can see is held by none."""
    form = _form(key)
    return bool(form) and form in _form(text)


def holds_token(value: str, text: str) -> bool:
    """Return whether the text holds the value as a whole: not inside a longer word, number, version, date or time."""
    return bool(token_places(value, text))


def ids_in(ids: Iterable[str], texts: Iterable[str]) -> set[str]:
    """Return the ids that stand as a whole in one of the texts; `doc-1` stands neither in `doc-12` nor in `doc-1-old`."""
    searched = [_form(text) for text in texts]
    # Most ids stand nowhere, which a plain search tells at once.
    wanted = {name: _form(name) for name in ids}
    return {name for name, form in wanted.items() if any(form in text and _holds_id(form, text) for text in searched)}


def token_places(value: str, text: str) -> list[Span]:
    """Return where the value stands as a whole in the folded text."""
    form = _form(text)
    return [place for place in _places(_form(value), form) if not _is_cut(form, place.start) and not _is_cut(form, place.end)]


def _holds_id(form: str, text: str) -> bool:
    return any(
        not any(_is_cut(text, edge) or _is_joined(text, edge, _HYPHENED) for edge in (place.start, place.end))
        for place in _places(form, text)
    )


def _places(form: str, text: str) -> Iterable[Span]:
    start = text.find(form) if form else -1
    while start >= 0:
        yield Span(start, start + len(form))
        start = text.find(form, start + 1)


def _is_cut(text: str, position: int) -> bool:
    """Return whether a cut here would part a word, number, version, date or time."""
    return inside_word(text, position) or _is_joined(text, position, _JOINS)


def _is_joined(text: str, position: int, joins: Iterable[_Join]) -> bool:
    if not _JOINERS.intersection(text[max(0, position - 1) : position + 1]):
        return False
    before, after = text[max(0, position - _REACH) : position], text[position : position + _REACH]
    return any(left.search(before) and right.match(after) for left, right in joins)
