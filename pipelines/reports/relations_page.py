"""All metamorphic relations as a page."""

from judge.relations.catalogue import NOT_MADE, RELATIONS
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table

_EXPECTS = (
    ("EQ", "all labels stay"),
    ("EQ_PERM", "all labels stay, whatever the order"),
    ("NOT_UP", "no label becomes supported"),
    ("NOT_S", "no label is supported"),
    ("FLIP_C", "the target becomes contradicted"),
    ("DROP_N", "the target becomes not_addressed"),
    ("LOCAL", "only the target may change"),
    ("ABST", "the answer is taken for an abstention"),
)


def relations_page() -> Page:
    """Return what is made by machine, what takes a human's hand, and what must hold."""
    made = Table(
        "Relations made by machine",
        (Column("relation"), Column("threat"), Column("change", wraps=True), Column("expects"), Column("changes", numeric=True)),
        tuple((one.id, one.threat, one.meaning, ", ".join(one.expects), str(one.most) if one.most else "each") for one in RELATIONS),
        "changes: the most that are made of one item; each: one request per proposition.",
    )
    by_hand = Table(
        "Not made by machine",
        (Column("relation"), Column("change", wraps=True), Column("kinds of probe cases that cover it", wraps=True)),
        tuple((one.id, one.meaning, ", ".join(one.kinds)) for one in NOT_MADE),
    )
    words = Table("What must hold", (Column("word"), Column("meaning")), _EXPECTS)
    return Page("Metamorphic relations", (), (made, by_hand, words))
