"""Sentence spans: exact substrings of the text, in order."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

_LINE = re.compile(r"[^\n\r\u2028\u2029\x0b\x0c\x85]+")
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})([^`]*)$")
_CLOSING = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*$")
_BULLET = re.compile(r"^[\s>]*(?:[-*+\u2022\u2023\u25e6\u25aa\u00b7]|[(]?[A-Za-z][)])\s+")
_NUMBER = re.compile(r"^[\s>]*[(]?(\d{1,3})[.)]\s+")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+")
_RULE = re.compile(r"^[\s\-*_=#~|>:+`.]*$")
_WRAPPED = re.compile(r"[^\W_][,)]?\s*$")
# What cannot stand alone before a sentence: marks only, or the number of a date or of an item.
_OPENING = re.compile(r"^(?:[\W_]*|\s*\d{1,3}[.)]\s*)$")
# Abbreviations that the splitter takes for the end of a sentence.
_ABBREVIATION = re.compile(r"\b(?:approx|ca|incl|excl|resp|max|min|est|vs|vol|fig|nr|dept|tel|ext|kap|abs|bzw|art)\.\s*$", re.IGNORECASE)
# The day of a date in languages that write it with a full stop.
_DAY = re.compile(r"(?<!\d)\d{1,2}\.\s*$")
_MONTH = re.compile(r"(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])", re.IGNORECASE)
_FULL_STOP = re.compile(r"[。！？](?=[^\s。！？」』”’)）\]])")
_SUBSTANCE = re.compile(r"[^\W_]")
_SURROGATE = re.compile("[\ud800-\udfff]")

# The splitter is slow on very long lines, so they are cut after a sentence, else between words, else anywhere.
_WINDOW = re.compile(
    r"\S.{0,9999}\Z|\S.{0,9999}(?:(?<=[.!?])(?=\s)|(?<=[\u3002\uff01\uff1f]))|\S.{0,9999}(?=\s)|\S{1,10000}",
    re.DOTALL,
)

FENCES_TRIED = 100
"""A code fence that none of so many closing lines after it closes is no fence."""

WRAP_WIDTH = 40
"""A line at least this long that ends in mid-sentence goes on in the next line, when that begins in lower case."""


def sentences(text: str) -> list[str]:
    """Return the sentences as exact substrings, in order, without the white space around them.

    Lines, list items, table rows, headings and fenced code are never joined with their neighbours (a hard-wrapped sentence
    is); bullets, item numbers, heading marks and rules are left out. Every other visible character is in exactly one span.
    """
    return list(_split(text))


@lru_cache(maxsize=256)
def _split(text: str) -> tuple[str, ...]:
    """Split with a small memory: an answer is split for its verdicts and again for its abstention."""
    spans: list[str] = []
    for block, is_prose in _blocks(text):
        spans.extend(_segment(block) if is_prose else [block])
    return tuple(spans)


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the blocks of the text without their list and heading marks, and whether each is prose to be split further."""
    lines = list(_LINE.finditer(text))
    closings = [index for index, line in enumerate(lines) if _CLOSING.match(line.group())]
    numbers = {int(mark[1]) for line in lines if (mark := _NUMBER.match(line.group()))}
    index = 0
    while index < len(lines):
        end = _fence_end(lines, index, closings)
        if end is not None:
            yield text[lines[index].start() : lines[end].end()].strip(), False
            index = end + 1
            continue
        line = lines[index].group()
        heading = _HEADING.match(line)
        if _RULE.match(line):
            index += 1
        elif heading:
            yield line[heading.end() :].rstrip("# \t"), False
            index += 1
        elif _is_table_row(line):
            yield line.strip(), False
            index += 1
        else:
            last = _paragraph_end(lines, index)
            begin = lines[index].start() + _marker_width(line, numbers)
            block = text[begin : lines[last].end()].strip()
            # A mark with nothing after it is all that the line says.
            yield block or text[lines[index].start() : lines[last].end()].strip(), True
            index = last + 1


def _is_table_row(line: str) -> bool:
    """Return whether the line is a row of a Markdown table, with or without outer bars."""
    return line.lstrip().startswith("|") or line.count(" | ") > 1


def _fence_end(lines: list[re.Match[str]], index: int, closings: list[int]) -> int | None:
    """Return the line that closes the code fence opened here; None where none opens, or it is never closed."""
    opening = _FENCE.match(lines[index].group())
    if opening is None:
        return None
    first = bisect_right(closings, index)
    return next((later for later in closings[first : first + FENCES_TRIED] if lines[later].group().strip().startswith(opening[1])), None)


def _paragraph_end(lines: list[re.Match[str]], index: int) -> int:
    """Return the last line of the hard-wrapped paragraph that begins here."""
    while index + 1 < len(lines):
        line, following = lines[index], lines[index + 1]
        adjacent = following.start() - line.end() <= 2 and following.group()[0].islower()
        listed = _BULLET.match(following.group()) or _is_table_row(following.group())
        if not adjacent or listed or len(line.group()) < WRAP_WIDTH or not _WRAPPED.search(line.group()):
            break
        index += 1
    return index


def _marker_width(line: str, numbers: set[int]) -> int:
    """Return how many characters of list mark stand before the text; a lone number is none, it may be a date."""
    bullet = _BULLET.match(line)
    if bullet:
        return bullet.end()
    numbered = _NUMBER.match(line)
    if numbered is None:
        return 0
    number = int(numbered[1])
    return numbered.end() if number == 1 or {number - 1, number + 1} & numbers else 0


def _segment(prose: str) -> list[str]:
    """Split prose into sentences; what cannot stand alone joins its neighbour."""
    from sentencex import segment

    spans: list[tuple[int, int]] = []
    for window in _WINDOW.finditer(prose):
        position = window.start()
        # Lone surrogates cannot leave Python; a character of the same width stands for them, and only positions come back.
        for part in _cut(segment("en", _SURROGATE.sub("\ufffd", window.group()))):
            begin, position = position, position + len(part)
            text = prose[begin:position]
            if spans and _belongs(text, prose[slice(*spans[-1])]):
                spans[-1] = (spans[-1][0], position)
            elif text.strip():
                spans.append((begin, position))
    return [span for begin, end in spans if (span := prose[begin:end].strip())]


def _belongs(text: str, before: str) -> bool:
    """Return whether a part is no sentence of its own: marks only, after marks only, or after an abbreviation."""
    if not _SUBSTANCE.search(text) or _OPENING.match(before):
        return True
    shown = text.lstrip()
    if _DAY.search(before) and (_MONTH.match(shown) or shown[0].islower()):
        return True
    return (shown[0].islower() or shown[0].isdigit()) and _ABBREVIATION.search(before) is not None


def _cut(parts: Iterable[str]) -> Iterator[str]:
    """Yield the parts, cut after full stops of East Asian scripts, which need no space and end a sentence before figures too."""
    for part in parts:
        start = 0
        for stop in _FULL_STOP.finditer(part):
            yield part[start : stop.end()]
            start = stop.end()
        if start < len(part):
            yield part[start:]
