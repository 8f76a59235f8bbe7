"""How far the people of a gold file agree among themselves, in whichever form it keeps their votes."""

from collections.abc import Sequence

from judge.auditing.human_votes import agreement_of_scales, agreement_of_two, agreement_of_votes, share_of_right
from judge.schema.agreements import HumanAgreement
from pipelines.audits.gold_file import GoldProposition, GoldRecord

_RIGHT = {"right", "total"}


def label_votes(propositions: Sequence[GoldProposition]) -> HumanAgreement | None:
    """Return people's agreement on statements: of counts by label word, or how many voters were right; None without votes."""
    votes = [one.votes for one in propositions if one.votes]
    if votes and all(set(each) == _RIGHT for each in votes):
        return share_of_right(votes, "mean share of other people who were right")
    counted = [each for each in votes if set(each) != _RIGHT]
    return agreement_of_votes(counted, "share of pairs of people who say the same of one statement; kappa over unequal numbers of people")


def abstention_annotations(records: Sequence[GoldRecord]) -> HumanAgreement | None:
    """Return the agreement of two annotators of every answer, in the words of the source; None where there are not two."""
    both = [record.annotations for record in records if record.annotations is not None and len(record.annotations) == 2]
    return agreement_of_two([each[0] for each in both], [each[1] for each in both], "two annotators of each answer, on their own labels")


def preference_votes(records: Sequence[GoldRecord], aspect: str) -> HumanAgreement | None:
    """Return the agreement of two annotators of every pair by one aspect: which answer, or neither; None where there are not two."""
    votes = [each for record in records if len(each := (record.human_preference or {}).get(aspect, ())) == 2]
    return agreement_of_scales(
        [each[0] for each in votes], [each[1] for each in votes], "two annotators of each pair, ties counted as a side"
    )
