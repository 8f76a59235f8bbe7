"""Whether a text holds a key, a value or an id."""

import pytest

from judge.session.matching import holds_key, holds_token, ids_in


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        pytest.param("rollback", "We chose ROLLBACK.", True, id="any-case"),
        pytest.param("roll back", "roll\n   back", True, id="white-space-folded"),
        pytest.param("roll  back", "roll back", True, id="white-space-of-the-key-too"),
        pytest.param("caf\u00e9", "the CAFE\u0301", True, id="composed-or-not"),
        pytest.param("stra\u00dfe", "STRASSE", True, id="casefolded"),
        pytest.param("canary", "canaries", False, id="no-stemming"),
        pytest.param("canary", "precanaryless", True, id="a-substring-is-enough"),
        pytest.param("\u200b", "anything", False, id="an-invisible-key-is-nowhere"),
        pytest.param("x", "", False, id="empty-text"),
    ],
)
def test_a_key_is_a_substring(key: str, text: str, expected: bool) -> None:
    """Keys are found as substrings without regard to case, white space and composition."""
    assert holds_key(key, text) is expected


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        pytest.param("v2", "we run v2.", True, id="end-of-sentence"),
        pytest.param("v2", "we run v2.1", False, id="longer-version"),
        pytest.param("v2.1", "we run v2.1, since May", True, id="comma-after"),
        pytest.param("v2", "v2.x", False, id="version-family"),
        pytest.param("v2", "v2-rc1", False, id="pre-release"),
        pytest.param("v2", "the v2-based service", True, id="hyphened-word"),
        pytest.param("v2", "**v2** and _v2_", True, id="emphasis"),
        pytest.param("v2", "v2_1", False, id="underscore-joins"),
        pytest.param("22:00", "at 22:00 sharp", True, id="time"),
        pytest.param("22:00", "at 22:005", False, id="longer-digits"),
        pytest.param("22:00", "at 22:00:15", False, id="longer-time"),
        pytest.param("22:00", "at 122:00", False, id="digits-before"),
        pytest.param("22:00", "22:00-23:00", True, id="start-of-a-span-of-time"),
        pytest.param("23:00", "22:00\u201323:00", True, id="end-of-a-span-of-time"),
        pytest.param("4", "40", False, id="longer-number"),
        pytest.param("4", "1.4", False, id="decimals"),
        pytest.param("4", "4.", True, id="full-stop"),
        pytest.param("1", "1,000", False, id="thousands"),
        pytest.param("4", "4-6 replicas", False, id="span-of-numbers"),
        pytest.param("3", "it fell to -3", False, id="negative"),
        pytest.param("2024", "2024-05-01", False, id="part-of-a-date"),
        pytest.param("2024", "01/05/2024", False, id="part-of-another-date"),
        pytest.param("14", "a 14-day window", True, id="number-of-days"),
        pytest.param("40 %", "about 40 % of it", True, id="sign-at-the-end"),
        pytest.param("Anna", "Annabel", False, id="longer-word"),
        pytest.param("Anna", "ANNA's", True, id="possessive"),
        pytest.param("\u6771\u4eac", "\u4f1a\u8bae\u5728\u6771\u4eac\u4e3e\u884c", True, id="script-without-spaces"),
        pytest.param("aba", "ababa aba", True, id="a-later-place-counts"),
    ],
)
def test_a_value_stands_as_a_whole(value: str, text: str, expected: bool) -> None:
    """A value is not found inside a longer word, number, version, date or time."""
    assert holds_token(value, text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("see doc-1, doc-3", {"doc-1"}, id="listed"),
        pytest.param('{"id": "DOC-1"}', {"doc-1"}, id="in-json-and-any-case"),
        pytest.param("doc-12", set(), id="longer-number"),
        pytest.param("doc-1-old and my-doc-1", set(), id="longer-id"),
        pytest.param("docs/doc-1.md", {"doc-1"}, id="in-a-path"),
        pytest.param("doc-1 doc-2", {"doc-1", "doc-2"}, id="several"),
    ],
)
def test_an_id_stands_as_a_whole(text: str, expected: set[str]) -> None:
    """An id is not found inside a longer one."""
    assert ids_in(["doc-1", "doc-2"], [text]) == expected
