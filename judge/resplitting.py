"""When a ground truth is to be split a second time, with which hint, and which of two splits is kept."""

from collections.abc import Iterable

from judge.checks import CheckedSplit
from judge.schema.judgments import Split
from judge.schema.propositions import LintFinding, Proposition
from judge.schema.requests import DecomposeRequest
from judge.text.declining import declines
from judge.text.normalise import is_empty
from judge.text.sentences import sentences

_HINTS = {
    "empty": "was empty although the text may state a fact",
    "blank": "had a proposition without text",
    "no_source_span": "had a source_quote that is not in the ground truth (copy each one character by character)",
    "invented": "said something the text does not say",
    "invented_number": "had a number that is not in the text",
    "pronoun": "began a proposition with a pronoun instead of naming its subject",
    "compound": "joined several facts in one proposition",
    "lost_number": "lost a number",
    "lost_date": "lost a date or time",
    "lost_unit": "lost a unit",
    "lost_negation": "lost a negation",
    "lost_exception": "lost an exception",
    "lost_condition": "lost a condition",
    "lost_comparison": "lost a comparison",
    "lost_hedge": "lost a word of doubt or approximation",
    "lost_sentence": "left out a fact",
}
"""What a second request says of the first reply, by kind of fault; never a text of the model or of the data."""


def split_note(checked: CheckedSplit, request: DecomposeRequest) -> str:
    """Return what a second request says of the faults of the first reply; empty if nothing calls for a second one."""
    kinds = [*checked.refused, *(finding.kind for finding in checked.split.lint)]
    if not checked.split.propositions and not checked.refused and not _says_nothing(request.ground_truth):
        kinds.append("empty")
    hints = [hint for kind, hint in _HINTS.items() if kind in kinds]
    return _note(hints) if hints else ""


def _note(hints: Iterable[str]) -> str:
    return f"An earlier reply {'; it '.join(hints)}. Give the whole list again without these faults."


LONGEST_SPLIT_NOTE = _note(_HINTS.values())
"""What a second request would say of a reply that had every fault."""


def better_split(first: CheckedSplit, second: CheckedSplit | None) -> CheckedSplit:
    """Return the split with fewer refused propositions, then with fewer faults; the first one if they are equal."""
    if second is None or not second.split.propositions:
        return first
    return min(first, second, key=_faults) if first.split.propositions else second


def whole_text(request: DecomposeRequest, split: Split) -> Split:
    """Keep a text in which no proposition was found as one, unless it only says that nothing is known."""
    if _says_nothing(request.ground_truth):
        return split
    text = request.ground_truth.strip()
    finding = LintFinding(kind="whole_text", detail="the model returned no proposition; the whole text stands as one", proposition="p1")
    return split.model_copy(update={"propositions": (Proposition(id="p1", text=text, source_quote=text),), "lint": (*split.lint, finding)})


def _says_nothing(ground_truth: str) -> bool:
    """Return whether a text only says that nothing is known, or holds no letter or digit at all."""
    return is_empty(ground_truth) or all(map(declines, sentences(ground_truth)))


def _faults(checked: CheckedSplit) -> tuple[int, int]:
    return len(checked.refused), sum(finding.kind in _HINTS for finding in checked.split.lint)
