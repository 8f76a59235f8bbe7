"""Where in an answer a judged proposition stands, and what may be done to that place."""

import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from judge.relations.case import Case, Subject
from judge.schema.labels import Label
from judge.schema.outcomes import Verdict
from judge.schema.propositions import Proposition
from judge.text.normalise import folded
from judge.text.qualifiers import count_qualifiers
from judge.text.sentences import sentences
from judge.text.words import content

_PLAIN_START = re.compile(
    r"(?:the|an?|it|he|she|they|this|that|these|those|there|in|on|at|by|for|from|of|so|as|after|before|during|since|its|his|her|their|some|one)"
)
_COMPLEX = re.compile(
    r"[,;:]|\b(?:and|or|but|which|who|whom|whose|that|while|although|because|if|unless|when|where|until|all|every|each|some|most|many|few"
    r"|any|both|either|often|usually|sometimes|always|only|at least|at most|more|less|fewer|about|around|nearly|almost)\b"
)
_MARKUP = re.compile(r"^\s*(?:\||```|~~~|[-*+•]\s|\d+[.)]\s|#{1,6}\s)|\*\*|__|\s\|\s", re.MULTILINE)

_CLEAN = re.compile(r"[A-Z][^\"“”„«»\[\]|:;?!…\n]{8,}\.")
_ENGLISH = re.compile(r"\b(?:the|of|and|is|was|are|were|it|by|has|had|with|for|from|this|that|to)\b")

FUNCTION_WORDS = 12
"""English prose has one of its commonest function words in so many words, or more of them."""

ENOUGH = 0.75
"""A sentence of whose content words this share stands in proposition and question says little beside the proposition."""

_REPEATED = 0.6
"""Another sentence that holds this share of a proposition's content words may support it as well."""

LONGEST = 25
"""Words of a sentence beyond which it is not turned round by rule."""


class Target(NamedTuple):
    """A proposition with a verdict, the quote that it rests on, and the sentence around it; both stand in the answer once."""

    proposition: Proposition
    quote: str
    sentence: str


def targets(subject: Subject, label: Label = Label.SUPPORTED) -> list[Target]:
    """Return the propositions with a label whose quote stands in the answer exactly once, within one sentence."""
    spans = sentences(subject.case.answer)
    found = []
    for proposition in subject.case.propositions:
        outcome = subject.said.outcomes[proposition.id]
        if not isinstance(outcome, Verdict) or outcome.label is not label or not outcome.quote:
            continue
        around = [span for span in spans if outcome.quote in span]
        if len(around) == 1 and stands_once(outcome.quote, subject.case.answer) and stands_once(around[0], subject.case.answer):
            found.append(Target(proposition, outcome.quote, around[0]))
    return found


def english_target(subject: Subject, random: Random) -> Target | None:
    """Return one of the supported targets around which English words can be put: its sentence is English prose. None without any."""
    found = [one for one in targets(subject) if is_prose(one.sentence)]
    return random.choice(found) if found else None


def is_prose(sentence: str) -> bool:
    """Return whether a sentence is one whole English sentence, without quotation, heading or list."""
    is_whole = _CLEAN.fullmatch(sentence) is not None and len(sentence.split()) <= 2 * LONGEST
    return is_whole and reads_english(sentence) and not has_markup(sentence)


def stands_alone(target: Target, answer: str) -> bool:
    """Return whether no other sentence of the answer speaks of what the proposition does: it has no second support."""
    wanted = set(content(target.proposition.text).stems)
    others = (set(content(span).stems) for span in sentences(answer) if span != target.sentence)
    return all(len(wanted & said) < _REPEATED * len(wanted) for said in others)


def reads_english(text: str) -> bool:
    """Return whether a text looks like English prose."""
    shown = folded(text)
    return FUNCTION_WORDS * len(_ENGLISH.findall(shown)) >= len(shown.split()) > 0


def one_target(subject: Subject, random: Random, label: Label = Label.SUPPORTED) -> Target | None:
    """Return one of the targets, or None without any."""
    found = targets(subject, label)
    return random.choice(found) if found else None


def plain_targets(subject: Subject) -> list[Target]:
    """Return the supported targets whose sentence is one plain assertion of just the proposition: to deny it is to deny the proposition."""
    question = subject.case.question or ""
    return [one for one in targets(subject) if is_plain(one.sentence) and _restates(one, question)]


def is_plain(sentence: str) -> bool:
    """Return whether a sentence is one short assertion in English prose, without a denial, a limit or a second clause."""
    shown = folded(sentence)
    is_short = 3 <= len(shown.split()) <= LONGEST
    has_parts = _COMPLEX.search(shown.rstrip(".!?")) is not None or count_qualifiers("negation", shown) > 0
    return is_short and not has_parts and is_prose(sentence)


def has_markup(text: str) -> bool:
    """Return whether a text holds lists, tables, headings, code or bold face."""
    return _MARKUP.search(text) is not None


def stands_once(part: str, text: str) -> bool:
    """Return whether a part stands in a text at one place, overlapping ones included."""
    first = text.find(part)
    return first >= 0 and text.find(part, first + 1) < 0


def inner(sentence: str) -> str:
    """Return a sentence as it stands within another: no end mark, and a small first letter where the word is no name."""
    bare = sentence.strip().rstrip(".!?。！？").rstrip()
    first = bare.partition(" ")[0]
    return bare[:1].lower() + bare[1:] if _PLAIN_START.fullmatch(first.lower()) else bare


def with_sentence(case: Case, old: str, new: str) -> Case:
    """Return the case with one part of its answer replaced."""
    return case._replace(answer=case.answer.replace(old, new, 1))


def with_text(case: Case, identifier: str, text: str) -> Case:
    """Return the case with another text for one proposition."""
    changed = (one.model_copy(update={"text": text}) if one.id == identifier else one for one in case.propositions)
    return case._replace(propositions=tuple(changed))


def alone(case: Case, proposition: Proposition) -> Case:
    """Return the case with one proposition only."""
    return case._replace(propositions=(proposition,))


def quotes(subject: Subject) -> Iterator[str]:
    """Yield the pieces of all quotes that verdicts rest on."""
    for outcome in subject.said.outcomes.values():
        if isinstance(outcome, Verdict) and outcome.quote:
            yield from (piece for piece in outcome.quote.split(" … ") if piece)


def _restates(target: Target, question: str) -> bool:
    said = set(content(target.sentence).stems)
    known = {*content(target.proposition.text).stems, *content(question).stems}
    return bool(said) and len(said & known) >= ENOUGH * len(said)
