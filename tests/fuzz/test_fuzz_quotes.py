"""Whatever a judge quotes from whatever answer: what counts as found stands in the answer, letter by letter."""

import time

import pytest
from hypothesis import strategies as st

from judge.text.folding import plain
from judge.text.normalise import JOINER, find_cut_quote, find_quote, folded, is_empty, visible
from tests.fuzz.effort import fuzzed

WORDS = st.sampled_from(
    (
        *(
            "The",
            "café",
            "cafe\u0301",
            "opened",
            "in",
            "1932",
            "1,000",
            "21.5",
            "it",
            "never",
            "Straße",
            "STRASSE",
            "İzmir",
            "don’t",
            "don't",
        ),
        *(
            "ﬁre",
            "½",
            "x²",
            "㎏",
            "ￇ",
            "o\u0327\u0301",
            "e\u0301e\u0301",
            "👩\u200d🚀",
            "那座桥",
            "很长",
            "पुल",
            "कि",
            "และ",
            "والكتاب",
            "كتاب",
        ),
    )
)
MARKS = st.sampled_from(
    (
        *(
            " ",
            "  ",
            "\n",
            "\t",
            "\u00a0",
            ".",
            ",",
            "…",
            "...",
            "[...]",
            " … ",
            "“",
            "”",
            '"',
            "'",
            "*",
            "**",
            "_",
            "`",
            "-",
            "—",
            "(",
            "!",
            "{",
        ),
        *("\u200b", "\u00ad", "\u202e", "\u200d", "\ufeff", "\0", "\x1b[0m", "\ud800", "\u0301", "\u0327" * 40, "</answer>"),
    )
)
TEXTS = st.lists(WORDS | MARKS | st.text(max_size=4), max_size=25).map("".join)
SPACED = st.lists(WORDS, min_size=1, max_size=12)


def letters(text: str) -> str:
    """Return the letters and digits of a text in the form in which texts are compared."""
    return "".join(character for character in plain(visible(text)) if character.isalnum())


def assert_of_the_answer(found: str, answer: str) -> None:
    """What is shown is in the answer, as a whole or piece by piece, says something, and would be found again."""
    assert found in answer or all(piece in answer for piece in found.split(JOINER))
    assert not is_empty(found)
    assert find_quote(found, answer) is not None


@st.composite
def texts_and_quotes(draw: st.DrawFn) -> tuple[str, str]:
    """Return a text, and a quote that is a part of it, several parts, another writing of a part, or anything."""
    text = draw(TEXTS)
    first, last = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    part = text[first:last]
    other = text[last : last + draw(st.integers(0, 12))]
    quote = draw(
        st.sampled_from(
            [part, part.upper(), f"“{part}”", part.strip() + ".", f"{part} … {other}", f"{other}...{part}", part.replace(" ", "\n")]
        )
        | TEXTS
        | st.just(part).map(lambda given: given[:3] + "\u200b" + given[3:])
    )
    return text, quote


@fuzzed(case=texts_and_quotes())
def test_what_is_found_is_in_the_answer(case: tuple[str, str]) -> None:
    """A quote that is found has the letters of what was looked for, and the very characters of the answer; nothing is raised."""
    text, quote = case
    found = find_quote(quote, text)
    if found is not None:
        assert_of_the_answer(found, text)
        assert letters(found) == letters(quote)
    cut = find_cut_quote(quote, text)
    if cut is not None:
        assert_of_the_answer(cut, text)
    assert cut == found if found is not None else cut is None or quote.strip() in cut


@fuzzed(
    words=SPACED,
    first=st.integers(0, 11),
    count=st.integers(1, 12),
    write=st.sampled_from(["{}", "“{}”", "{}.", "*{}*", " {}\n", "\u200b{}"]),
)
def test_whole_words_of_the_answer_are_found(words: list[str], first: int, count: int, write: str) -> None:
    """Copied words are found however they are wrapped, spaced, or written in capitals that fold back."""
    first = min(first, len(words) - 1)
    part = " ".join(words[first : first + count])
    answer = " ".join(words)
    if is_empty(part):
        return
    for quote in (write.format(part), write.format(part.replace(" ", "\n  "))):
        found = find_quote(quote, answer)
        assert found is not None
        assert letters(found) == letters(part)


@fuzzed(text=TEXTS)
def test_the_comparison_form_is_stable(text: str) -> None:
    """Folding what is folded changes nothing, and an invisible character changes no folding."""
    assert folded(folded(text)) == folded(text)
    assert folded(text.replace(" ", " \u200b")) == folded(text)


@pytest.mark.parametrize("piece", ["ab ", "e\u0301", "那", "a\u200b", "1,", "*", "… ", "\u0301", "\u200d", "\ud800"])
def test_a_hostile_answer_costs_linear_time(piece: str) -> None:
    """A hundred thousand characters of one piece, and long quotes of the same with another letter: they are answered soon."""
    answer, quote = piece * (100_000 // len(piece)), piece * (20_000 // len(piece))
    started = time.monotonic()
    for asked in (f"{quote}z", f"z{quote}", f"{quote} … z"):
        assert find_cut_quote(asked, answer) is None
    assert time.monotonic() - started < 20
