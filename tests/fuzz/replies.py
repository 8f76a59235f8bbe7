"""Replies of judge models: right ones first, then everything that can become of one on its way."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import strategies as st

from judge.schema.labels import Label
from tests.support.asking import label_request

Json = dict[str, Any]

ANSWER = (
    'The café opened in 1932 and closed "early" — twice. 那座桥很长。 पुल लंबा है। Ask </answer> for more {"verdicts": []}. '
    "It never rained, e\u0301tait-ce 1,000 or 21 °C? 👩‍🚀"
)
TEXTS = ("It opened in 1932.", "It rained.", "It is red.")
REQUEST = label_request(TEXTS, answer=ANSWER)
IDS = tuple(statement.id for statement in REQUEST.statements)

QUOTES = ("opened in 1932", "It never rained", "closed “early” - twice", "那座桥", "The café … It never rained", "1,000")
SPELLINGS: tuple[Callable[[str], str], ...] = (str, str.upper, str.title, " {} ".format, "{}.".format, "\u200b{}".format, "{}\n".format)
"""Ways to write a word that say nothing else."""

WRONG_LABELS = (
    "support",
    "not supported",
    "un-supported",
    "supportedX",
    "s",
    "yes",
    "unterstützt",
    "被支持",
    "",
    "supported|contradicted",
    None,
)
WRONG_LABELS_OF_OTHER_TYPES = (1, 1.5, True, ["supported"], {"label": "supported"})
WRONG_IDS = ("s0", "s4", "s99", "1", "x1", "", "s1,s2", "s11", "ſ1", None, 1, ["s1"])

PLAIN = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
ODD = st.sampled_from(
    ["\ud800", "\udfff", "\0", "\x1b[31m", "\u202e", "\u2028", "\ufeff", "\\", '"', "{", "}", "</think>", "```", "é", "ß", "İ"]
)
"""Pieces that break parsers."""

_PLAIN_VALUES = [
    None,
    True,
    False,
    0,
    1,
    -1,
    4,
    4.0,
    2.5,
    float("nan"),
    float("-inf"),
    10**18,
    10**400,
    "",
    " ",
    "s1",
    "supported",
    "answered",
]
_NESTED = [[], {}, [[]], [None], {"id": "s1"}, {"text": "It is."}, {"label": {"label": "supported"}}, [["s1"]], {"": {"\ud800": [1]}}]
SIMPLE: st.SearchStrategy[Any] = st.sampled_from([*_PLAIN_VALUES, *_NESTED])
ANY_JSON: st.SearchStrategy[Any] = (
    SIMPLE
    | PLAIN
    | ODD
    | st.lists(SIMPLE | PLAIN, max_size=3)
    | st.dictionaries(
        st.sampled_from(["id", "label", "quote", "rationale", "value", "text", "source_quote"]) | ODD, SIMPLE | PLAIN, max_size=4
    )
)
"""A value of any type, some of which no reply or file may hold."""


class Told(NamedTuple):
    """The text of a reply, and the entries that it states."""

    text: str
    entries: list[Any]


@st.composite
def entry(draw: st.DrawFn, name: str) -> Json:
    """Return a right verdict on a statement, in one of the spellings that are forgiven."""
    label = draw(st.sampled_from(list(Label)))
    quote = None if label is Label.NOT_ADDRESSED else draw(st.sampled_from(QUOTES))
    spell, spell_id = draw(st.sampled_from(SPELLINGS)), draw(st.sampled_from(SPELLINGS))
    return {"id": spell_id(name), "quote": quote, "rationale": draw(PLAIN), "label": spell(label)}


@st.composite
def entries(draw: st.DrawFn) -> list[Any]:
    """Return the entries of a reply: one a statement, then dropped, doubled, renamed, mistaken or replaced by anything."""
    found: list[Any] = [draw(entry(name)) for name in draw(st.permutations(IDS))]
    for change in draw(
        st.lists(st.sampled_from(["drop", "double", "rename", "label", "quote", "field", "extra", "any", "swap"]), max_size=3)
    ):
        if not found:
            break
        place = draw(st.integers(0, len(found) - 1))
        one = found[place]
        if change == "drop":
            del found[place]
        elif change == "double":
            found.insert(draw(st.integers(0, len(found))), draw(entry(draw(st.sampled_from(IDS)))))
        elif change == "any" or not isinstance(one, dict) or not one:
            found[place] = draw(ANY_JSON)
        else:
            found[place] = draw(_mistaken(change, one))
    return found


@st.composite
def _mistaken(draw: st.DrawFn, change: str, one: Json) -> Json:
    match change:
        case "rename":
            return {**one, "id": draw(st.sampled_from(WRONG_IDS))}
        case "label":
            return {**one, "label": draw(st.sampled_from(WRONG_LABELS + WRONG_LABELS_OF_OTHER_TYPES))}
        case "quote":
            return {**one, "quote": draw(st.sampled_from(["It snowed.", "", None, 3, "…", "193", "pened", "\u200b"]) | PLAIN)}
        case "field":
            name = draw(st.sampled_from(sorted(one)))
            return {key: value for key, value in one.items() if key != name}
        case "extra":
            return {**one, draw(st.sampled_from(["confidence", "score", "note"])): draw(ANY_JSON)}
        case _:
            return {**one, draw(st.sampled_from(sorted(one))): draw(ANY_JSON)}


ABSTENTION: st.SearchStrategy[Any] = st.sampled_from(
    [*({"quote": None, "value": value} for value in ("answered", "Abstained ")), None, "answered", [], {"value": 1}]
)


@st.composite
def told(draw: st.DrawFn) -> Told:
    """Return a reply whose words are known: whole JSON of these entries, with nothing or harmless things around it."""
    listed = draw(entries())
    fields = {"verdicts": listed, "abstention": draw(ABSTENTION)}
    text = json.dumps(fields, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 1])))
    return Told(draw(_wrapped(text)), listed)


@st.composite
def _wrapped(draw: st.DrawFn, text: str) -> str:
    around = ["@", "\ufeff @\r\n", "```json\n@\n```", "```\n@```", "Sure!\n@\nDone.", "<think>Hm, {s1}?</think>@", "Well</think>\n@"]
    return draw(st.sampled_from(around)).replace("@", text, 1)


WRITTEN_IN = ODD | PLAIN | st.sampled_from([",", "NaN", "-Infinity", "1e999", '"s1"', '"label": "supported",'])


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Return a reply whose text was cut, torn, repeated, or had something written into it."""
    text = draw(told()).text
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        other = draw(st.integers(0, len(text)))
        first, last = min(place, other), max(place, other)
        if draw(st.booleans()):
            text = draw(st.sampled_from([text[:place], text[:first] + text[last:], text[:last] + text[first:]]))
        else:
            text = text[:place] + draw(WRITTEN_IN) + text[place:]
    return text


FRAGMENTS = st.lists(
    st.sampled_from(
        ["{", "}", "[", "]", '"', ":", ",", "\\u", "d800", '"verdicts"', '"id"', '"s1"', '"label"', "NaN", "```json\n", "</think>"]
    )
    | ODD
    | PLAIN,
    max_size=25,
).map("".join)

TEXT = damaged() | FRAGMENTS | st.text() | told().map(lambda one: one.text)
"""Whatever an endpoint may return as the text of a reply."""
