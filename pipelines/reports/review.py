"""What a person should look at in a propositions file, as text."""

from collections import Counter

from judge.schema.reviews import Flagged, SplitReview
from pipelines.reports.numbers import format_count
from pipelines.reports.table import Column, Table

MEANINGS = {
    "pronoun": "begins with a pronoun and cannot be judged alone",
    "compound": "asserts more than one thing",
    "duplicate": "said the same as another one and was merged into it",
    "probable_duplicate": "says what another one says, in other words",
    "whole_text": "no proposition was found; the whole text stands as one",
    "no_source_span": "comes from nowhere in the ground truth",
    "invented": "is not what the ground truth says",
    "invented_number": "holds a number that the ground truth has not",
    "lost_number": "a number of the ground truth is in no proposition",
    "lost_date": "a date or time of the ground truth is in no proposition",
    "lost_unit": "a unit of the ground truth is in no proposition",
    "lost_negation": "a negation of the ground truth seems lost",
    "lost_exception": "an exception of the ground truth seems lost",
    "lost_condition": "a condition of the ground truth seems lost",
    "lost_comparison": "a comparison of the ground truth seems lost",
    "lost_hedge": "a word of doubt or approximation seems lost",
    "lost_sentence": "no proposition comes from a sentence of the ground truth",
    "no_propositions": "nothing in the ground truth can be judged",
    "blank": "left out: it holds no letter and no digit",
    "other_ground_truth": "the text in the propositions file is not the input's",
    "heading": "left out: a heading, the head of a table, or what introduces a list",
    "not_checkable": "left out: a question, a greeting or an opinion",
}
"""Every flag of a decomposition in words; numbers and lost words are found by rules of thumb, so a flag is not yet a fault."""

_SPEAKS_FOR_ITSELF = frozenset({"pronoun", "compound", "invented", "not_checkable", "whole_text", "no_propositions", "heading"})


def flag_table(review: SplitReview, cap: int) -> Table | None:
    """Return up to `cap` things to look at, in the order of the file, or None where nothing was flagged."""
    if not review.flags:
        return None
    columns = (Column("line", numeric=True), Column("flag"), Column("id"), Column("what"), Column("ground truth"))
    rows = tuple((str(flag.line), flag.kind, flag.proposition or "", _what(flag), flag.ground_truth[:40]) for flag in review.flags[:cap])
    left = len(review.flags) - len(rows)
    return Table("To look at", columns, rows, f"{format_count(left)} more: --json lists all." if left else None)


def meaning_table(review: SplitReview) -> Table | None:
    """Return how often each flag was raised and what it means, the most frequent first, or None without flags."""
    counted = sorted(Counter(flag.kind for flag in review.flags).items(), key=lambda pair: (-pair[1], pair[0]))
    rows = tuple((kind, format_count(count), MEANINGS.get(kind, "")) for kind, count in counted)
    return Table("Flags", (Column("flag"), Column("count", numeric=True), Column("meaning")), rows) if rows else None


def _what(flag: Flagged) -> str:
    if flag.text is not None and flag.kind in _SPEAKS_FOR_ITSELF:
        return flag.text
    return flag.detail
