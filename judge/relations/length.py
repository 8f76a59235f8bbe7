"""Relations about length: what an answer says besides, and where in it the fact stands."""

from collections.abc import Iterator
from random import Random

from judge.relations.case import Change, Expectation, Relation, Subject
from judge.relations.fillers import AFTER, BEFORE, filler
from judge.relations.targets import alone, has_markup, quotes, targets
from judge.schema.outcomes import Unjudged
from judge.text.assertions import opens_with_pronoun
from judge.text.normalise import is_empty
from judge.text.sentences import sentences

SHARES = (0, 25, 50, 75, 100)
"""Where the fact is put, in percent of the words before it."""

LENGTHS = (500, 2000, 8000)
"""Words of padded answers; the longest only where it is wanted."""


def _pad(subject: Subject, random: Random) -> Iterator[Change]:
    del random
    case = subject.case
    if not is_empty(case.answer):
        yield Change("before", case._replace(answer=f"{BEFORE}\n\n{case.answer}"), Expectation.EQ)
        yield Change("after", case._replace(answer=f"{case.answer}\n\n{AFTER}"), Expectation.EQ)


def _trim(subject: Subject, random: Random) -> Iterator[Change]:
    del random
    case = subject.case
    spans = sentences(case.answer)
    if has_markup(case.answer) or any(isinstance(outcome, Unjudged) for outcome in subject.said.outcomes.values()):
        return
    kept = _carrying(spans, list(quotes(subject)))
    if 0 < len(kept) < len(spans):
        trimmed = " ".join(span for place, span in enumerate(spans) if place in kept)
        yield Change("quoted sentences only", case._replace(answer=trimmed), Expectation.EQ)


def _carrying(spans: list[str], pieces: list[str]) -> set[int]:
    """Return the places of sentences that share text with a quote, and of those that their pronouns point back to."""
    kept = {place for place, span in enumerate(spans) if any(piece in span or span in piece for piece in pieces)}
    for place in sorted(kept, reverse=True):
        back = place
        while back > 0 and opens_with_pronoun(spans[back]):
            back -= 1
            kept.add(back)
    return kept


def _depth(subject: Subject, random: Random) -> Iterator[Change]:
    found = [one for one in targets(subject) if not opens_with_pronoun(one.sentence) and not has_markup(one.sentence)]
    if not found:
        return
    target = random.choice(found)
    case = alone(subject.case, target.proposition)
    for length in (length for length in LENGTHS if length <= subject.longest):
        spans = filler(length, random)
        for share in SHARES:
            place = len(spans) * share // 100
            answer = " ".join([*spans[:place], target.sentence, *spans[place:]])
            name = f"{share} % of {length} words"
            yield Change(name, case._replace(answer=answer), Expectation.EQ, target=target.proposition.id)


RELATIONS = (
    Relation(
        "MR-PAD",
        "verbosity",
        "friendly words before or after the answer",
        (Expectation.EQ,),
        ("verbosity", "long_middle"),
        2,
        _pad,
    ),
    Relation("MR-TRIM", "verbosity", "without the sentences that no verdict rests on", (Expectation.EQ,), ("verbosity",), 1, _trim),
    Relation(
        "MR-DEPTH",
        "fact in a long answer",
        "the supporting sentence at 0 to 100 % of 500 and more words about other things",
        (Expectation.EQ,),
        ("long_middle",),
        len(SHARES) * len(LENGTHS),
        _depth,
    ),
)
