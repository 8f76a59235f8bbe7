"""Signs that a text tries to steer whoever judges it. They raise a flag; no text is altered and no label depends on them."""

import base64
import binascii
import re
from functools import lru_cache

from judge.text.folding import is_unspaced
from judge.text.normalise import folded, visible

_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_TAGS = re.compile("[\U000e0000-\U000e007f]")
_FLAG_EMOJI = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{3,6}\U000e007f")
_HIDDEN_RUN = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff]{3}")
_ZERO_WIDTH = re.compile("(?<=(.))[\u200b-\u200d\u2060-\u2064\ufeff](?=(.))", re.DOTALL)

_LABELS = r"(?:supported|contradicted|not[_ ]addressed)"
_AIM = rf"(?:{_LABELS}(?!\s(?:by|in|on|from|with)\b)|full marks|(?:maximum|highest|perfect|top|best)\s(?:score|mark|grade|rating))"
_READER = (
    r"(?:graders?|autograders?|evaluators?|raters?|(?:llm|model|ai|automatic|reference)\sjudges?"
    r"|whoever\s(?:grades|judges|evaluates|marks)[^.\n]{0,20})"
)
_ORDER = (
    r"(?:mark|label|grade|rate|score|judge|classify|output|respond|return|treat|print|change|set|reply|award|give|consider|accept|ignore)"
)
_START = r"(?:^|[.!?:;\n\"'(,]\s?|\bplease\s|\bmust\s|\bshould\s|\bshall\s|\balways\s|\band\s|\bto\s)"

# Matched against the folded text, so that full-width letters, odd brackets and invisible characters hide nothing.
_PATTERNS = [
    # The chat templates of models.
    r"<\|[a-z_ ]{2,30}\|>|\[/?inst\]|<</?sys>>|</?(?:start|end)_of_turn>|\[(?:system|assistant)\]",
    # A verdict where only prose should be.
    rf"[\"']?\b(?:label|verdict)[\"']?\s?[:=]\s?[\"']?{_LABELS}\b|<(?:label|verdict)>\s?{_LABELS}",
    # The marks of our own blocks, or of blocks such as ours.
    r"</(?:answer|statements?|propositions?|question|ground_truth|references?|sources|verdicts?)\b|<(?:statements?|verdicts?)\b",
    r"\[\s?(?:begin|end|start)\s(?:of\s)?(?:the\s)?(?:data|answer|statements?|propositions?|question|input|instructions?)\s?\]",
    r"[-=#*]{2,}\s?(?:begin|end|start)\s(?:of\s)?(?:the\s)?(?:data|answer|statements?|propositions?|question|input|instructions?)\b",
    # Orders about the instructions.
    r"\b(?:ignore|disregard|forget|override|bypass)\s(?:\w+\s){0,3}(?:previous|prior|above|earlier|preceding)\s(?:\w+\s){0,2}"
    r"(?:instructions?|prompts?|rules|guidelines|criteria|directions|text)\b",
    r"\b(?:ignore|disregard|forget|override|bypass)\s(?:all|any|your|these)\s(?:\w+\s){0,2}(?:instructions|prompts?)\b",
    r"\b(?:ignore|disregard|forget|override|bypass|print|reveal)\s(?:the\s|your\s)?(?:grading\s|scoring\s)?(?:rubric|system\sprompt|rules\sand\sreply)\b",
    # Orders about the label, and talk of the label as already given.
    rf"{_START}{_ORDER}\b[^.\n]{{0,60}}?\b{_AIM}",
    rf"\b(?:graded|marked|labell?ed|judged|scored|rated|decided)\s?:?\s?(?:as\s)?[\"']?{_AIM}",
    rf"\beverything\b[^.\n]{{0,20}}\b{_AIM}|\b(?:label|verdict|mark)\s(?:is|should\sbe|must\sbe)\s[\"']?{_AIM}",
    rf"[\"']{_LABELS}[\"']\s(?:now\s)?(?:also\s)?(?:includes?|means|covers|applies)\b",
    r"\b(?:update|change|amendment)s?\sto\s(?:the\s)?(?:rubric|grading|label\spolicy)\b|\b(?:rubric|grading)\s(?:mode|update|override)\b",
    # A reader addressed by trade, with an order.
    rf"\b(?:note|message|instructions?|attention|dear|hey|hello|hint)[\s:,]{{1,2}}(?:to\s|for\s)?(?:the\s)?{_READER}\b",
    rf"\b{_READER}\s(?:must|should|shall|needs?\sto|has\sto|will|please)\s[^.\n]{{0,30}}\b{_ORDER}\b[^.\n]{{0,60}}"
    r"\b(?:correct|full|pass|perfect|highest|every|everything|all|this\sanswer|supported|contradicted)\b",
    rf"\b{_READER}\s?[:,]\s?(?:please\s|always\s|you\s|just\s|now\s){{0,2}}{_ORDER}\b",
]
_STEERING = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS))

# Every pattern needs one of these; looking for them first spares ordinary texts the patterns.
_NEEDED = (
    *("<", "[", "--", "==", "##", "**", "supported", "contradicted", "addressed", "ignore", "disregard", "forget", "override", "bypass"),
    *("reveal", "print", "mark", "score", "grad", "rating", "rubric", "label", "verdict", "evaluat", "rater", "judge", "whoever"),
)

_LETTERS = re.compile(r"[^\W\d_]{3,}")
_LATIN, _GREEK, _CYRILLIC = re.compile("[a-zA-Z]"), re.compile("[\u0370-\u03ff]"), re.compile("[\u0400-\u04ff]")
_LIKE_LATIN = frozenset("асеорхуіјѕһԁԛԝАВЕКМНОРСТХІЈЅ" + "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧνικυρα")
_LIKE_CYRILLIC = frozenset("aceopxyABEKMHOPCTX")

_ENCODED = re.compile(r"(?<![\w+/=])[A-Za-z0-9+/]{16,}={0,2}(?![\w+/=])")
_LONG = 120


@lru_cache(maxsize=1024)
def injection_suspected(text: str) -> bool:
    """Return whether the text carries hidden characters, roles, verdicts, block marks or orders meant for its judge.

    Joiners inside Persian, Indic or emoji sequences, regional flags, ordinary code and prose about judging raise no flag.
    """
    return _hides_characters(text) or _steers(text) or any(_mixes_scripts(word) for word in _mixable(text)) or _hides_in_base64(text)


def _hides_characters(text: str) -> bool:
    if text.isascii():
        return False
    if _BIDI.search(text) or _TAGS.search(_FLAG_EMOJI.sub("", text)) or _HIDDEN_RUN.search(text):
        return True
    return any(_parts_a_word(match[1]) and _parts_a_word(match[2]) for match in _ZERO_WIDTH.finditer(text))


def _parts_a_word(neighbour: str) -> bool:
    """Return whether a zero-width character has no business beside this one: alphabets that never join letters."""
    return neighbour.isalnum() and ord(neighbour) < 0x0530 and not is_unspaced(neighbour)


def _steers(text: str) -> bool:
    shown = folded(text)
    if not any(part in shown for part in _NEEDED):
        return False
    # A struck-out passage of HTML has a matching opening tag.
    return shown.count("</s>") > shown.count("<s>") or _STEERING.search(shown) is not None


def _mixable(text: str) -> list[str]:
    return [] if text.isascii() else _LETTERS.findall(visible(text))


def _mixes_scripts(word: str) -> bool:
    """Return whether letters of one alphabet stand among those of another that look the same.

    A Greek letter in front (`αTocopherol`) or a Russian ending after a Latin name are ordinary writing.
    """
    latin, others = _LATIN.findall(word), [*_CYRILLIC.findall(word), *_GREEK.findall(word[1:])]
    if not latin or not others:
        return False
    return all(letter in _LIKE_LATIN for letter in others) or (
        bool(_CYRILLIC.search(word)) and all(letter in _LIKE_CYRILLIC for letter in latin)
    )


def _hides_in_base64(text: str) -> bool:
    return any(_is_encoded(match.group()) for match in _ENCODED.finditer(text))


def _is_encoded(run: str) -> bool:
    """Return whether a run of Base64 letters is long and mixed, or decodes to words."""
    if len(run) >= _LONG and re.search("[a-z]", run) and re.search("[A-Z]", run) and re.search("[0-9]", run):
        return True
    try:
        decoded = base64.b64decode(run, validate=True).decode("ascii")
    except (binascii.Error, UnicodeDecodeError):
        return False
    wordlike = sum(character.isalpha() or character in " .,:" for character in decoded)
    return " " in decoded and decoded.isprintable() and wordlike >= 0.9 * len(decoded)
