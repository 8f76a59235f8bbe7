"""Relations about layout: the same sentences as a list, a table, in bold face or in capitals."""

import re
from collections.abc import Iterator
from random import Random

from judge.relations.case import Change, Expectation, Relation, Subject
from judge.relations.targets import has_markup
from judge.text.sentences import sentences

_CASED = re.compile(r"\b[a-z]+[A-Z]|\d\s?[a-zµ]{1,3}\b")
"""Words and units in which case tells something, such as `mW`."""


def _layouts(subject: Subject, random: Random) -> Iterator[Change]:
    del random
    spans = sentences(subject.case.answer)
    if not spans or has_markup(subject.case.answer) or any("|" in span for span in spans):
        return
    layouts = {
        "bullets": "\n".join(f"- {span}" for span in spans),
        "table": "\n".join(["| No. | Statement |", "| --- | --- |", *(f"| {n} | {span} |" for n, span in enumerate(spans, start=1))]),
        "bold": " ".join(f"**{span}**" for span in spans),
    }
    if not _CASED.search(subject.case.answer):
        layouts["upper case"] = subject.case.answer.upper()
    for name, answer in layouts.items():
        if answer != subject.case.answer:
            yield Change(name, subject.case._replace(answer=answer), Expectation.EQ)


RELATIONS = (
    Relation(
        "MR-FMT",
        "format",
        "the same sentences as bullets, as a table, in bold face, in capitals",
        (Expectation.EQ,),
        ("format_bias", "markdown_table", "markdown_list", "code"),
        4,
        _layouts,
    ),
)
