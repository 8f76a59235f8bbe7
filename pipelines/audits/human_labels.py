"""How far the people of a gold file agree among themselves, in whichever form it keeps their votes."""

from collections.abc import Mapping, Sequence

from judge.auditing.human_votes import agreement_of_scales, agreement_of_two, agreement_of_votes, share_of_right
from judge.schema.agreements import HumanAgreement
from judge.schema.labels import Label
from pipelines.audits.gold_file import VOTERS, GoldProposition, GoldRecord

_PAIRS = "share of pairs of people who say the same of one statement; kappa over unequal numbers of people"


def label_votes(propositions: Sequence[GoldProposition]) -> HumanAgreement | None:
    """Return people's agreement on statements: of counts by label word, or how many voters were right; None without votes."""
    return _votes_agreement([one.votes for one in propositions if one.votes])


def support_votes(propositions: Sequence[GoldProposition]) -> HumanAgreement | None:
    """Return people's agreement on whether statements are supported: votes for the two other labels are alike."""
    return _votes_agreement([_two_way(one.votes) for one in propositions if one.votes])


def _votes_agreement(votes: Sequence[Mapping[str, int]]) -> HumanAgreement | None:
    if votes and all(each.keys() == VOTERS for each in votes):
        return share_of_right(votes, "mean share of other people who were right")
    return agreement_of_votes([each for each in votes if each.keys() != VOTERS], _PAIRS)


def _two_way(votes: Mapping[str, int]) -> Mapping[str, int]:
    """Return votes for three labels as votes for supported or not; other words as they are."""
    if not votes.keys() <= set(Label):
        return votes
    supported = votes.get(Label.SUPPORTED, 0)
    return {"supported": supported, "not_supported": sum(votes.values()) - supported}


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
