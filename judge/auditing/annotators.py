"""From what several annotators say of the same statements to one label, and how far they agree."""

from collections import Counter
from collections.abc import Mapping, Sequence

from judge.auditing.human_votes import agreement_of_two, agreement_of_votes
from judge.schema.agreements import HumanAgreement
from judge.statistics.confusion import Confusion, gwet_ac1
from judge.statistics.fleiss import gwet_ac1_of_many

Said = Mapping[str, str]
"""What annotators say of one statement, by annotator; those who say nothing, or are unsure, are not in it."""


def majority(said: Said) -> str | None:
    """Return the label that more annotators gave than any other; None for a tie, and without any."""
    ranked = Counter(said.values()).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def agreement_of_annotators(statements: Sequence[Said], labels: Sequence[str]) -> HumanAgreement | None:
    """Return how far annotators agree on the statements that two or more of them labelled, ties included; None without any.

    Each statement counts once, whatever it stands for in a sample. Cohen's kappa needs two annotators; AC1 of more needs the same
    number on every statement.
    """
    shared = [said for said in statements if len(said) > 1]
    names = sorted({name for said in shared for name in said})
    if len(names) == 2:
        pairs = [(said[names[0]], said[names[1]]) for said in shared]
        found = agreement_of_two([first for first, _ in pairs], [second for _, second in pairs], "two annotators of the sheet, unweighted")
        return None if found is None else found.model_copy(update={"gwet_ac1": gwet_ac1(Confusion.of(labels, pairs))})
    found = agreement_of_votes([Counter(said.values()) for said in shared], f"{len(names)} annotators of the sheet, unweighted")
    return None if found is None else found.model_copy(update={"gwet_ac1": _ac1(shared, labels)})


def _ac1(shared: Sequence[Said], labels: Sequence[str]) -> float | None:
    if len({len(said) for said in shared}) > 1:
        return None
    counts = [Counter(said.values()) for said in shared]
    return gwet_ac1_of_many([[count[label] for label in labels] for count in counts])
