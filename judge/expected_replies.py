"""How long a reply usually is, and how many propositions a ground truth will have, before a model was asked.

The figures are means over replies of a capable model: the reference replies of `benchmarks/prompt_tokens.py`, the recorded example
in `examples/recorded/run`, and the 36 texts of `benchmarks/splits/model.jsonl`; `python -m benchmarks.estimates` prints how near they come.
Hidden reasoning of a model comes on top and is not known beforehand.
"""

from itertools import pairwise
from typing import assert_never

from judge.offline_split import cut_offline
from judge.schema.judgments import Split
from judge.schema.propositions import Proposition
from judge.schema.requests import AppraiseRequest, DecomposeRequest, LabelRequest, Request

CHARACTERS_A_PROPOSITION = 42
"""Characters of a ground truth for each proposition that a model finds in it: 40 in both sets of splits, 46 in the reference reply."""

FRAME_TOKENS = 5
"""Tokens of the JSON round the parts of a reply."""

PROPOSITION_TOKENS = 42
"""Tokens of a proposition with its source quote: 45 in the longer texts, 38 in the recorded example, 37 in the reference reply."""

VERDICT_TOKENS = 42
"""Tokens of one verdict with quote and rationale: 46 in the recorded example, 37 in the reference reply."""

ABSTENTION_TOKENS = 12
"""Tokens of the abstention."""

MARK_TOKENS = 40
"""Tokens of a mark with its rationale: 41 in the recorded example, 33 in the reference reply."""


def expected_reply_tokens(request: Request) -> int:
    """Return the tokens of an ordinary reply to a request."""
    match request:
        case DecomposeRequest(ground_truth=text):
            return FRAME_TOKENS + PROPOSITION_TOKENS * _expected_count(text)
        case LabelRequest(statements=statements, ask_abstention=asks):
            return FRAME_TOKENS + VERDICT_TOKENS * len(statements) + ABSTENTION_TOKENS * asks
        case AppraiseRequest():
            return MARK_TOKENS
        case _:
            assert_never(request)


def expected_split(ground_truth: str) -> Split:
    """Return stand-ins for the propositions of a ground truth: those of the offline splitter, long ones cut into several.

    A model makes more of a long sentence than the offline splitter does. A blank text has none.
    """
    texts = [piece for part in cut_offline(ground_truth).propositions for piece in _pieces(part.text)]
    return Split(propositions=tuple(Proposition(id=f"p{number}", text=text) for number, text in enumerate(texts, start=1)))


def _expected_count(text: str) -> int:
    return max(1, round(len(text.strip()) / CHARACTERS_A_PROPOSITION))


def _pieces(text: str) -> list[str]:
    """Cut a text into as many pieces of about one length as propositions are expected of it."""
    count = _expected_count(text)
    ends = [len(text) * number // count for number in range(count + 1)]
    return [text[start:end] for start, end in pairwise(ends)]
