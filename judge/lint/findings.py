"""All findings about a decomposition, and what makes a proposition none at all."""

from collections.abc import Iterator, Sequence

from judge.lint.coverage import parts_of_text
from judge.lint.duplicates import probable_duplicates
from judge.lint.figures import figures, is_said, parts_of
from judge.lint.losses import losses, shortened
from judge.lint.wording import shared, wording
from judge.schema.propositions import LintFinding, Proposition
from judge.text.assertions import joins_assertions, opens_with_pronoun
from judge.text.checkable import is_checkable
from judge.text.folding import is_unspaced
from judge.text.normalise import JOINER, folded

NOT_CHECKABLE = "not_checkable"
"""Why a question, a greeting or an opinion is no proposition."""

NO_SOURCE_SPAN = "no_source_span"
"""Why a proposition that comes from nowhere in the ground truth is none."""

INVENTED = "invented"
"""Why a proposition of other words than the ground truth's is none; as a finding, most of its words are not there."""

ENOUGH_GROUND = 0.5
"""Share of the content words and numbers of a proposition that must stand in the ground truth or the question."""

ENOUGH_GROUND_UNSPACED = 0.25
"""The same for scripts without spaces, where particles change the pairs of characters that are compared."""

TOO_LITTLE_GROUND = 0.25
"""A proposition with a smaller share is refused: it is about something else."""


def lint(ground_truth: str, question: str | None, propositions: Sequence[Proposition]) -> tuple[LintFinding, ...]:
    """Return the findings in a fixed order; an empty decomposition is a matter of its own and has none."""
    if not propositions:
        return ()
    parts = parts_of_text(ground_truth, propositions)
    return (
        *losses(parts, propositions),
        *_of_each(propositions, ground_truth, question),
        *probable_duplicates(propositions),
    )


def is_invented(text: str, ground_truth: str, question: str | None) -> bool:
    """Return whether next to nothing of a proposition stands in ground truth or question; in scripts without spaces nothing at all."""
    share = shared(text, wording(f"{ground_truth}\n{question or ''}"))
    return share == 0 if any(map(is_unspaced, text)) else share < TOO_LITTLE_GROUND


def uncheckable_sentences(ground_truth: str, propositions: Sequence[Proposition]) -> list[str]:
    """Return the questions, greetings and opinions of a ground truth that no proposition comes from."""
    return [part.text for part in parts_of_text(ground_truth, propositions) if not part.propositions and not is_checkable(part.text)]


def _of_each(propositions: Sequence[Proposition], ground_truth: str, question: str | None) -> Iterator[LintFinding]:
    known = f"{ground_truth}\n{question or ''}"
    ground, said = wording(known), figures(folded(known))
    words = parts_of(said.text)
    for proposition in propositions:
        for kind, detail in _faults_of(proposition, ground_truth):
            yield LintFinding(kind=kind, detail=detail, proposition=proposition.id)
        own = figures(folded(proposition.text))
        new = [written for quantity, written in zip(own.quantities, own.written, strict=True) if not is_said(quantity, written, said)]
        new += [numeral for numeral in own.numerals if "/" in numeral and numeral not in said.numerals]
        for written in new:
            if "/" in written or not words.issuperset(parts_of(written)):
                detail = f"{written.strip()!r} is neither in the ground truth nor in the question"
                yield LintFinding(kind="invented_number", detail=detail, proposition=proposition.id)
        enough = ENOUGH_GROUND_UNSPACED if any(map(is_unspaced, proposition.text)) else ENOUGH_GROUND
        if shared(proposition.text, ground) < enough and not words.issuperset(parts_of(folded(proposition.text))):
            detail = "most of its words are neither in the ground truth nor in the question"
            yield LintFinding(kind=INVENTED, detail=detail, proposition=proposition.id)


def _faults_of(proposition: Proposition, ground_truth: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a proposition by itself, kind and detail."""
    if opens_with_pronoun(proposition.text):
        yield "pronoun", "begins with a pronoun and cannot be judged alone"
    if joins_assertions(proposition.text):
        yield "compound", "asserts more than one thing"
    quote = proposition.source_quote
    if quote is not None and any(piece not in ground_truth for piece in quote.split(JOINER)):
        yield NO_SOURCE_SPAN, f"its source quote {shortened(quote)} is not in the ground truth"
