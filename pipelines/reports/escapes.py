"""Data made harmless for where it is shown; every escape stays readable."""

import re

_ACTIVE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Controls but tab and line ends, characters that reorder text, halves of surrogate pairs, and non-characters."""

_UNPRINTED = re.compile(_ACTIVE.pattern[:-1] + "\t\n\r\u2028\u2029]")

_MARKDOWN = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        # Inside a table not every renderer takes a backslash before a bar.
        "|": "&#124;",
        # A mention or an issue number is looked for in the rendered text, where an escape is gone: a zero-width space stays.
        "@": "@&#8203;",
        "#": "#&#8203;",
        **{mark: f"\\{mark}" for mark in "\\`*[]~$"},
    }
)
_EMPHASIS = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
"""An underscore inside a word (`R_judge`) is never emphasis and stays readable."""

_FORMULA_ID = re.compile(r"(?<![\w.+@-])([A-Za-z]\w*@\d+(?:\.\d+)*:[0-9a-f]{12})(?![\w@])", re.ASCII)
"""The id of a formula, such as `Cx_em@1.0:346281462aa6`: as code it is neither a mention nor an address, and a copied one is right."""

_LINK_START = re.compile(r"(?i)(:)(?=//)|(\bwww)(?=\.)")


def escape_controls(text: str) -> str:
    r"""Show what would steer a document as text (`\x00`, `\u202e`, `\udc80`); tabs and line ends stay."""
    return _ACTIVE.sub(_show, text)


def _show(match: re.Match[str]) -> str:
    return _spell(match.group())


def escape_line(text: str) -> str:
    r"""Show what steers a document, and tabs and line ends too, as text (`\n`), so that the text stays on one line."""
    return _UNPRINTED.sub(_show, text)


def escape_terminal(text: str) -> str:
    """Show everything that does not print as text, line ends too, so that data stays on its line and moves no cursor."""
    return text if text.isprintable() else "".join(char if char.isprintable() else _spell(char) for char in text)


def escape_markdown(text: str, limit: int | None = None) -> str:
    """Make one line on which no Markdown, HTML, link or mention is live, cut to `limit` characters of the text."""
    line = escape_controls(" ".join(text.split()))
    if limit is not None and len(line) > limit:
        line = line[: limit - 1] + "…"
    # Every second part is an id, for the pattern has one group.
    parts = _FORMULA_ID.split(line)
    return "".join(f"`{part}`" if place % 2 else _inert(part) for place, part in enumerate(parts))


def _inert(text: str) -> str:
    return _LINK_START.sub(r"\1\2&#8203;", _EMPHASIS.sub(r"\\_", text.translate(_MARKDOWN)))


def _spell(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
