"""Whatever a judge model writes: every statement asked about gets one outcome, and a label only where it was plainly given."""

import contextlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from judge.checks import check_labels, check_mark, check_split
from judge.errors import ReplyFault
from judge.reply import read_object
from judge.schema.judgments import Labels
from judge.schema.labels import Label
from judge.schema.outcomes import Unjudged, Verdict
from tests.fuzz.effort import fuzzed
from tests.fuzz.replies import ANSWER, ANY_JSON, FRAGMENTS, IDS, ODD, PLAIN, REQUEST, TEXT, Told, told
from tests.support.asking import decompose_request

REQUIRED = frozenset({"verdicts"})
GROUND_TRUTH = "The café opened in 1932. Rain never fell. 那座桥很长。"


def labels_of(text: str) -> Labels | None:
    """Return what a reply comes to, or None where it is refused as a whole."""
    try:
        return check_labels(read_object(text, REQUIRED, ANSWER).fields, REQUEST)
    except ReplyFault:
        return None


def assert_sound(labels: Labels) -> None:
    """Exactly the ids asked for, committed labels with words of the answer, and bytes that come back as they were."""
    assert tuple(labels.outcomes) == IDS
    for outcome in labels.outcomes.values():
        if isinstance(outcome, Verdict):
            assert (outcome.quote is None) is (outcome.label is Label.NOT_ADDRESSED)
            assert all(piece in ANSWER for piece in (outcome.quote or "").split(" … "))
    assert Labels.model_validate_json(labels.model_dump_json()) == labels


@fuzzed(text=TEXT)
def test_any_reply_is_sound_or_refused(text: str) -> None:
    """Cut, torn, fenced, or no JSON at all: nothing is raised but a fault of the reply, and nothing is counted twice or made up."""
    labels = labels_of(text)
    if labels is not None:
        assert_sound(labels)


@fuzzed(reply=told())
def test_a_verdict_is_what_the_reply_says_and_nothing_else(reply: Told) -> None:
    """A label comes only from one entry with its id, spelled as that label, in a reply without strangers; right entries do count."""
    labels = labels_of(reply.text)
    if labels is None:
        assert not is_faultless(reply)
        return
    assert_sound(labels)
    assert not is_faultless(reply) or {outcome.kind for outcome in labels.outcomes.values()} == {"verdict"}
    stated = Counter(said_id(one) for one in reply.entries)
    for name, outcome in labels.outcomes.items():
        if isinstance(outcome, Verdict):
            assert stated.keys() <= set(IDS)
            assert stated[name] == 1
            [one] = [one for one in reply.entries if said_id(one) == name]
            assert bare(one["label"]) == outcome.label
        else:
            assert isinstance(outcome, Unjudged)


def is_faultless(reply: Told) -> bool:
    return all(is_right(one) for one in reply.entries) and Counter(map(said_id, reply.entries)) == Counter(IDS)


def is_right(one: Any) -> bool:
    if not isinstance(one, dict) or one.keys() != {"id", "quote", "rationale", "label"} or said_id(one) not in IDS:
        return False
    if not isinstance(one["rationale"], str) or bare(one["label"]) not in set(Label):
        return False
    return one["quote"] in RIGHT_QUOTES if bare(one["label"]) != Label.NOT_ADDRESSED else isinstance(one["quote"], str | None)


RIGHT_QUOTES = ("opened in 1932", "It never rained", "那座桥")


def said_id(one: Any) -> str:
    return bare(one.get("id")) if isinstance(one, dict) else ""


def bare(word: Any) -> str:
    """Return a word as the documentation reads it: without case, white space, what nobody sees, and a final dot; ASCII case only."""
    if not isinstance(word, str):
        return f"a {type(word).__name__}"
    seen = re.sub(
        "[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u3164\ufeff\uffa0\U000e0000-\U000e007f]", "", word
    )
    return re.sub("[A-Z]", lambda letter: letter[0].lower(), seen.strip().rstrip("."))


@fuzzed(text=TEXT | ANY_JSON.map(json.dumps), data=FRAGMENTS)
def test_what_is_read_can_be_written(text: str, data: str) -> None:
    """Any text gives the one object that has the keys, or a fault that may be asked for again; its characters fit in a file."""
    with refusal_allowed():
        found = read_object(text, REQUIRED, data)
        assert found.fields.keys() >= REQUIRED
        json.dumps(found.fields, ensure_ascii=False, allow_nan=False).encode()


@contextlib.contextmanager
def refusal_allowed() -> Iterator[None]:
    """Let a reply be refused, if it says so in words that can be written."""
    refused: ReplyFault | None = None
    try:
        yield
    except ReplyFault as fault:
        refused = fault
    if refused is not None:
        assert refused.can_re_ask
        assert refused.detail.encode()


SENTENCES = st.sampled_from(["The café opened in 1932.", "Rain never fell", "那座桥很长", "It snowed.", "", "\u200b", "?"]) | PLAIN | ODD
PARTS = st.lists(st.fixed_dictionaries({"source_quote": SENTENCES, "text": SENTENCES}) | ANY_JSON, max_size=5)


@fuzzed(
    fields=st.fixed_dictionaries({}, optional={"propositions": PARTS | ANY_JSON, "mark": ANY_JSON | st.integers(0, 4), "rationale": PLAIN})
)
def test_marks_and_propositions_are_taken_whole_or_refused(fields: dict[str, Any]) -> None:
    """A mark is one of five integers; propositions are numbered without a gap, and each has its words in the ground truth."""
    with refusal_allowed():
        mark = check_mark(fields)
        assert type(fields["mark"]) is int
        assert mark.value == fields["mark"]
        assert 0 <= mark.value <= 4
    with refusal_allowed():
        split = check_split(read_object(json.dumps(fields), frozenset(), "").fields, decompose_request(GROUND_TRUTH)).split
        assert [part.id for part in split.propositions] == [f"p{number}" for number in range(1, len(split.propositions) + 1)]
        for part in split.propositions:
            assert all(piece in GROUND_TRUTH for piece in (part.source_quote or "").split(" … "))
        split.model_dump_json()
