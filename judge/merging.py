"""What was said of the parts of a long answer, as what is said of the answer."""

from collections.abc import Sequence

from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, AbstentionVerdict, Outcome, Unjudged, Verdict

_DISAGREE = Unjudged(
    reason=UnjudgedReason.INPUT_TOO_LONG,
    detail="the answer was judged in parts that disagree: one contradicts the statement and a later one supports it; raise --max-chars",
)


def merge_outcomes(parts: Sequence[Outcome]) -> Outcome:
    """Return the outcome of a statement from those of the parts of an answer, in their order (one or more).

    The last part that decides something counts, as the last of several versions does within an answer:

    - contradicted there is contradicted, whether it corrects or only contradicts what stood before;
    - supported there is supported, by the first part that says so, unless an earlier part contradicts: whether that was
      corrected or is left standing shows in the whole answer only, so it is unjudged;
    - an unjudged part that could still change this is what becomes of the statement;
    - not addressed needs every part to say so.
    """
    supported: Verdict | None = None
    for number, part in reversed(list(enumerate(parts, start=1))):
        if isinstance(part, Unjudged):
            return _named(part, number, len(parts))
        if part.label is Label.CONTRADICTED:
            return _DISAGREE if supported is not None else part
        if part.label is Label.SUPPORTED:
            supported = part
    return supported if supported is not None else parts[0]


def merge_abstentions(parts: Sequence[AbstentionOutcome]) -> AbstentionOutcome:
    """Return whether an answer abstains from what its parts do (one or more parts, each with a letter or digit).

    Abstained if every part abstains, answered if every part answers, else partly abstained, with the first words that
    decline. An unjudged part counts unless the others already show both.
    """
    verdicts = [part for part in parts if not isinstance(part, Unjudged)]
    unjudged = next(((number, part) for number, part in enumerate(parts, start=1) if isinstance(part, Unjudged)), None)
    values = {verdict.value for verdict in verdicts}
    is_mixed = len(values) > 1 or AbstentionValue.PARTLY_ABSTAINED in values
    if unjudged is not None and not is_mixed:
        return _named(unjudged[1], unjudged[0], len(parts))
    if not is_mixed:
        return verdicts[0]
    declining = next(verdict for verdict in verdicts if verdict.value is not AbstentionValue.ANSWERED)
    return AbstentionVerdict(value=AbstentionValue.PARTLY_ABSTAINED, quote=declining.quote, rationale=declining.rationale)


def _named(part: Unjudged, number: int, count: int) -> Unjudged:
    """Return why a part was not judged, saying which; a whole answer is no part."""
    return part if count == 1 else part.model_copy(update={"detail": f"part {number} of {count} of the answer: {part.detail}"})
