"""All relations, and those that no rule can make."""

from typing import NamedTuple

from judge.relations import commitment, content_free, denial, figures, hostile, layout, length, manner, order
from judge.relations.case import Relation

RELATIONS: tuple[Relation, ...] = (
    *order.RELATIONS,
    *length.RELATIONS,
    *manner.RELATIONS,
    *layout.RELATIONS,
    *denial.RELATIONS,
    *figures.RELATIONS,
    *commitment.RELATIONS,
    *content_free.RELATIONS,
    *hostile.RELATIONS,
)

BY_ID = {relation.id: relation for relation in RELATIONS}


class NotMade(NamedTuple):
    """A relation that takes a human's hand, and the kinds of probe cases that cover its threat."""

    id: str
    meaning: str
    kinds: tuple[str, ...]


NOT_MADE = (
    NotMade("MR-LABELS", "the label definitions of the prompt in another order", ("order",)),
    NotMade("MR-STYLE", "the answer in another register", ("self_preference", "paraphrase")),
    NotMade("MR-LANG", "answer, question or propositions in another language", ("multilingual",)),
    NotMade("MR-WEAKEN", "a fact replaced by a vaguer one", ("leniency",)),
    NotMade("MR-NEAR", "a near miss of a name", ("leniency", "entity_swap")),
    NotMade("MR-SWAP", "agent and patient exchanged", ("entity_swap",)),
    NotMade("MR-COUNTERFACT", "an entity swapped in answer and reference", ("reference_conflict",)),
    NotMade("MR-SUPER", "what held until a date, and what holds since", ("superseded",)),
)
