"""Text in columns of a terminal; all take text that is already escaped."""

import unicodedata

ELLIPSIS = "…"


def column_count(text: str) -> int:
    """Return how many columns a terminal gives the text: East Asian wide characters two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(text: str, width: int) -> str:
    """Return the text, or what of it fits into `width` columns with an ellipsis."""
    return text if column_count(text) <= width else _head(text, width - 1) + ELLIPSIS


def _head(text: str, width: int) -> str:
    used = 0
    for position, char in enumerate(text):
        used += _columns(char)
        if used > width:
            return text[:position]
    return text


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Fill the text up to `width` columns with spaces, on the left where it is to stand on the right."""
    space = " " * (width - column_count(text))
    return space + text if right else text + space


def wrap(text: str, width: int) -> list[str]:
    """Break at spaces into lines of at most `width` (2 or more) columns; a longer word is cut apart. No text, no line."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if line and column_count(joined) > width >= column_count(word):
            lines.append(line)
            joined = word
        while column_count(joined) > width:
            part = _head(joined, width)
            lines.append(part.rstrip())
            joined = joined[len(part) :].lstrip()
        line = joined
    return [*lines, line] if line else lines
