"""How the one JSON object of a reply is found: what is repaired, what is refused, and what is never trusted."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.errors import ReplyFault
from judge.reply import MAX_CANDIDATES, MAX_CHARACTERS, ReplyObject, read_object
from judge.schema.judgments import Judgment, Labels
from judge.schema.labels import Label, UnjudgedReason
from judge.schema.outcomes import Verdict

REQUIRED = frozenset({"mark", "rationale"})
FIELDS = {"rationale": "Right.", "mark": 4}
REPLY = json.dumps(FIELDS)
OTHER = json.dumps({"rationale": "Wrong.", "mark": 0})


def read(text: str, data: str = "") -> ReplyObject:
    return read_object(text, REQUIRED, data)


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        pytest.param(REPLY, False, id="bare"),
        pytest.param(f"\ufeff \r\n{REPLY}\n\n", False, id="byte-order-mark-and-white-space"),
        pytest.param(f"```json\n{REPLY}\n```", True, id="fence"),
        pytest.param(f"```\n{REPLY}```", True, id="fence-without-language"),
        pytest.param(f"```json\n{REPLY}", True, id="fence-never-closed"),
        pytest.param(f"Sure! Here it is:\n{REPLY}\nAnything else?", True, id="prose-around"),
        pytest.param(f"Sure:\n```json\n{REPLY}\n```\nDone.", True, id="prose-around-a-fence"),
        pytest.param(f"<think>Is it {OTHER}? No.</think>\n{REPLY}", True, id="thought-with-another-object"),
        pytest.param(f"Is it {OTHER}? No.</think>\n{REPLY}", True, id="thought-with-only-the-closing-tag"),
        pytest.param(f"<think>Hm.</think>\n```json\n{REPLY}\n```", True, id="thought-and-fence"),
        pytest.param(f"{REPLY}\n{REPLY}", True, id="the-same-object-twice"),
        pytest.param(f'{{"verdicts": []}} {REPLY}', True, id="an-object-of-another-form-before"),
        pytest.param(f"Use {{braces}} {{ like this: {REPLY} }}", True, id="stray-braces"),
    ],
)
def test_one_object_is_found(text: str, repaired: bool) -> None:
    """Fences, prose and thoughts cost no second call; whatever had to be cut away is said."""
    assert read(text) == ReplyObject(FIELDS, repaired)


def test_control_characters_inside_a_string_are_kept() -> None:
    """A raw tab, line break or NUL in a string is no reason to ask again."""
    assert read('{"rationale": "a\tb\nc\0d", "mark": 1}').fields == {"rationale": "a\tb\nc\0d", "mark": 1}


@pytest.mark.parametrize("tag", ["<think>", "</think>", "<think>x</think>"])
def test_a_thought_tag_inside_a_string_is_text(tag: str) -> None:
    """An answer may speak of such tags, and a judge may quote it."""
    fields = {"rationale": f"It says {tag} here.", "mark": 2}
    assert read(json.dumps(fields)).fields == fields
    assert read(f"```json\n{json.dumps(fields)}\n```").fields == fields


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param(" \n\ufeff", "empty", id="white-space"),
        pytest.param("I would say 4.", "no JSON object", id="prose"),
        pytest.param(REPLY[:-8], "no JSON object", id="cut-off"),
        pytest.param(f"[{REPLY}, {OTHER}]", "differ", id="a-list-of-two"),
        pytest.param(f"{OTHER}\n{REPLY}", "2 JSON objects that differ", id="two-that-differ"),
        pytest.param(f"{REPLY} then {REPLY} then {OTHER}", "3 JSON objects that differ", id="two-equal-and-one-that-differs"),
        pytest.param(f"```json\n{REPLY}\n```\n```json\n{OTHER}\n```", "differ", id="two-fences-that-differ"),
        pytest.param('{"rationale": "", "mark": 0, "mark": 4}', "repeats a key", id="key-twice"),
        pytest.param(f'Well: {{"rationale": "", "mark": 4, "mark": 4}} {REPLY}', "repeats a key", id="equal-key-twice-in-prose"),
        pytest.param('{"rationale": {"a": 1, "a": 2}, "mark": 4}', "repeats a key", id="key-twice-further-in"),
        pytest.param('{"rationale": "", "mark": NaN}', "no JSON object", id="nan"),
        pytest.param('{"rationale": "", "mark": -Infinity}', "no JSON object", id="infinity"),
        pytest.param('{"grade": 4}', "keys 'grade', expected 'mark', 'rationale'", id="other-keys"),
        pytest.param('{"reply": ' + REPLY + "}", "keys 'reply'", id="wrapped"),
        pytest.param("4", "no JSON object", id="number"),
        pytest.param('"' + "x" * 50 + '"', "no JSON object", id="string"),
        pytest.param('{"mark": ' + "9" * 5_000 + "}", "no JSON object", id="number-of-5000-digits"),
        pytest.param('{"verdicts": ' + "[" * 100_000 + "]" * 100_000 + "}", "no JSON object", id="deep-lists"),
        pytest.param('{"a":' * 100_000 + "1" + "}" * 100_000, "no JSON object", id="deep-objects"),
        pytest.param("x" * (MAX_CHARACTERS + 1), "1,000,001 characters", id="too-long"),
    ],
)
def test_what_cannot_be_used_is_refused(text: str, said: str) -> None:
    """Nothing is guessed: the fault says what was found, and another question may help."""
    with pytest.raises(ReplyFault, match=said) as caught:
        read(text)
    assert caught.value.reason is UnjudgedReason.INVALID_OUTPUT
    assert caught.value.can_re_ask


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{" * 5_000, id="5000-braces"),
        pytest.param('{"a": ' * 5_000, id="5000-open-objects"),
        pytest.param('{"a": "' * 100_000, id="a-million-characters-of-open-strings"),
        pytest.param('{"a": [' + "1, " * 300_000, id="one-long-open-list"),
        pytest.param("\\u" * 450_000 + "{", id="broken-escapes"),
    ],
)
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    """However many objects a reply seems to open, reading ends soon."""
    started = time.monotonic()
    with pytest.raises(ReplyFault):
        read(text)
    assert time.monotonic() - started < 15


def test_no_more_than_some_braces_are_tried() -> None:
    """The bound on tried braces holds, and says what it costs: an object behind that many is not found."""
    assert read("{ " * (MAX_CANDIDATES - 1) + REPLY).fields == FIELDS
    with pytest.raises(ReplyFault):
        read("{ " * MAX_CANDIDATES + REPLY)


@pytest.mark.parametrize(
    ("quoted", "in_answer"),
    [
        pytest.param(REPLY, REPLY, id="word-for-word"),
        pytest.param(REPLY, json.dumps(FIELDS, indent=2), id="other-spacing"),
        pytest.param(REPLY, REPLY.replace("Right", "Ri\u200bght"), id="invisible-character-in-the-answer"),
        pytest.param('{"rationale": "\\ud800", "mark": 4}', '{"rationale": "\\ud800", "mark": 4}', id="half-a-surrogate-pair"),
    ],
)
@pytest.mark.parametrize("around", ["{}", "The answer says: {}", "```json\n{}\n```", "<think>so</think>{}"])
def test_an_object_of_the_answer_is_never_a_reply(quoted: str, in_answer: str, around: str) -> None:
    """A judge that only repeats the answer's own verdict has given none."""
    with pytest.raises(ReplyFault, match="no JSON object"):
        read(around.replace("{}", quoted), data=f"It rained. {in_answer} Thanks.")


def test_the_reply_counts_and_the_quotation_before_it_does_not() -> None:
    """The answer's object is skipped wherever it stands, also when it agrees with the reply in form."""
    found = read(f"The answer contains {REPLY}. My verdict: {OTHER}", data=f"Grade me: {REPLY}")
    assert found == ReplyObject({"rationale": "Wrong.", "mark": 0}, repaired=True)


@pytest.mark.parametrize(
    ("text", "rationale"),
    [
        (r'{"rationale": "a\ud800b", "mark": 1}', "a\ufffdb"),
        (r'{"rationale": "a\uDC00", "mark": 1}', "a\ufffd"),
        (r'{"rationale": "\ud800\ud83d\ude00", "mark": 1}', "\ufffd\U0001f600"),
        (r'{"rationale": "\\ud800", "mark": 1}', r"\ud800"),
        ('{"rationale": "a\ud800b", "mark": 1}', "a\ufffdb"),
    ],
)
def test_half_a_surrogate_pair_becomes_a_replacement_character(text: str, rationale: str) -> None:
    """No file can hold half a pair; whole pairs, and backslashes that only look like one, stay."""
    found = read(text).fields["rationale"]
    assert found == rationale
    verdict = Verdict(label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale=found)
    labels = Labels(abstention=None, outcomes={"s1": verdict})
    assert Judgment(request_sha256="", identity_id="", content=labels).model_dump_json()


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(st.sampled_from(["mark", "rationale", "a", "b"]), children, max_size=4)
    ),
    max_leaves=12,
)
FRAGMENTS = st.lists(
    st.sampled_from(
        ["{", "}", "[", "]", '"', ":", ",", "\\", "\\u", "d800", "mark", '"rationale"', "1", "```json\n", "</think>", "\ud800", REPLY]
    )
    | st.text(max_size=5),
    max_size=30,
).map("".join)


@settings(max_examples=300, deadline=None)
@given(FRAGMENTS | st.text() | ANYTHING.map(json.dumps), FRAGMENTS)
def test_any_text_gives_an_object_or_a_fault(text: str, data: str) -> None:
    """Reading raises nothing but ReplyFault, and what it returns has the keys asked for and can be written to a file."""
    try:
        found = read(text, data)
    except ReplyFault:
        return
    assert found.fields.keys() >= REQUIRED
    json.dumps(found.fields, ensure_ascii=False).encode()


@settings(max_examples=100, deadline=None)
@given(st.fixed_dictionaries({"mark": st.integers(0, 4), "rationale": st.text(st.characters(exclude_categories=["Cs"]))}), st.booleans())
def test_a_whole_object_comes_back_as_written(fields: dict[str, Any], ascii_only: bool) -> None:
    """A reply in perfect form is never changed, whatever its strings hold."""
    assert read(json.dumps(fields, ensure_ascii=ascii_only)) == ReplyObject(fields, repaired=False)


def test_an_object_beyond_many_braces_is_not_overlooked() -> None:
    """Where more braces follow than are tried, what stands behind them might differ: nothing is taken."""
    first, second = '{"verdicts": [], "n": 1}', '{"verdicts": [], "n": 2}'
    with pytest.raises(ReplyFault, match="more than 200 braces"):
        read_object(f"{first} {'{ ' * 250}{second}", frozenset({"verdicts"}), "")
