"""Relations about text that is no content: instructions, rare tokens, template syntax and forged fences change no label."""

from collections.abc import Iterator
from random import Random

from judge.relations.case import Case, Change, Expectation, Relation, Subject
from judge.relations.payloads import PAYLOADS, PLACES, TEMPLATES, TRIGGERS, forged_fences, inserted
from judge.relations.targets import with_text
from judge.schema.labels import Label
from judge.text.normalise import is_empty

FIELDS = ("answer", "question", "proposition")
KEEPS_REGIONS = frozenset({"MR-INJ", "MR-TPL", "MR-DELIM"})
"""Relations whose text must stay in its field of the prompt."""

DIRECTIONS = (Label.SUPPORTED, Label.CONTRADICTED)


def _inject(subject: Subject, random: Random) -> Iterator[Change]:
    if is_empty(subject.case.answer):
        return
    order = list(PAYLOADS)
    random.shuffle(order)
    for number, (field, place, label) in enumerate((field, place, label) for field in FIELDS for place in PLACES for label in DIRECTIONS):
        payload = order[number // len(DIRECTIONS) % len(order)](label)
        target = random.choice(subject.case.propositions).id if field == "proposition" else None
        changed = _with(subject.case, field, target, payload, place)
        if changed is not None:
            name = f"{label} at the {place} of the {field}"
            yield Change(name, changed, Expectation.EQ, target=target, towards=label)


def _with(case: Case, field: str, target: str | None, payload: str, place: str) -> Case | None:
    """Return the case with a payload in a field; None where it has no such field."""
    if target is not None:
        return with_text(case, target, inserted(case.proposition(target).text, payload, place))
    if field == "answer":
        return case._replace(answer=inserted(case.answer, payload, place))
    return None if case.question is None else case._replace(question=inserted(case.question, payload, place))


def _trigger(subject: Subject, random: Random) -> Iterator[Change]:
    del random
    case = subject.case
    if is_empty(case.answer):
        return
    for place, trigger in zip(("start", "end"), TRIGGERS, strict=True):
        yield Change(f"at the {place}", case._replace(answer=inserted(case.answer, trigger, place)), Expectation.EQ)


def _template(subject: Subject, random: Random) -> Iterator[Change]:
    if is_empty(subject.case.answer):
        return
    for field in FIELDS:
        target = random.choice(subject.case.propositions).id if field == "proposition" else None
        changed = _with(subject.case, field, target, TEMPLATES, "end")
        if changed is not None:
            yield Change(f"in the {field}", changed, Expectation.EQ, target=target, payload=TEMPLATES)


def _delimiter(subject: Subject, random: Random) -> Iterator[Change]:
    del random
    case = subject.case
    if is_empty(case.answer):
        return
    for name, forged in forged_fences(subject.fence).items():
        yield Change(name, case._replace(answer=f"{case.answer}\n{forged}"), Expectation.EQ)


RELATIONS = (
    Relation(
        "MR-INJ",
        "prompt injection",
        "a payload at start, middle or end of answer, question or proposition, towards supported or contradicted",
        (Expectation.EQ,),
        ("inj_answer", "inj_question", "inj_proposition", "inj_fake_json", "inj_role_tags", "inj_base64"),
        len(FIELDS) * len(PLACES) * len(DIRECTIONS),
        _inject,
    ),
    Relation("MR-TRIGGER", "backdoored judge", "rare tokens before or after the answer", (Expectation.EQ,), (), 2, _trigger),
    Relation(
        "MR-TPL",
        "template engines",
        "template syntax in answer, question or proposition, which reaches the prompt as it is",
        (Expectation.EQ,),
        ("inj_template",),
        len(FIELDS),
        _template,
    ),
    Relation(
        "MR-DELIM",
        "own delimiters",
        "the prompt's real fence and ids in the answer; the prompt still has one region per field",
        (Expectation.EQ,),
        ("inj_delimiter",),
        3,
        _delimiter,
    ),
)
