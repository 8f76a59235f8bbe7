"""What is verified about a reply before it counts: ids, labels, quotes, and where propositions come from."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from judge.errors import ReplyFault
from judge.lint.duplicates import duplicate_finding, same_fact_key
from judge.lint.findings import INVENTED, NO_SOURCE_SPAN, NOT_CHECKABLE, is_invented, lint, uncheckable_sentences
from judge.schema.judgments import Labels, Split
from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, AbstentionVerdict, Mark, Outcome, Unjudged, Verdict
from judge.schema.propositions import Excluded, LintFinding, Proposition
from judge.schema.replies import AbstentionReply, AppraiseReply, PropositionReply, VerdictReply
from judge.schema.requests import DecomposeRequest, LabelRequest
from judge.text.normalise import find_cut_quote, is_empty, visible

MAX_FIELD = 20_000
"""Characters in one text of a reply; more is a broken reply, not evidence."""

_R = TypeVar("_R", bound=BaseModel)


def check_labels(fields: Mapping[str, Any], request: LabelRequest, also_known: Collection[str] = ()) -> Labels:
    """Return an outcome for every statement of the request, matched by id and never by position.

    A missing, doubled, malformed or unquoted verdict is Unjudged with its reason. One under an unknown id makes them all so: who
    counts on may have counted wrongly before. Ids that are `also_known` were asked about earlier; their verdicts are dropped.
    Raises ReplyFault if there is no list of verdicts at all.
    """
    entries = fields.get("verdicts")
    if not isinstance(entries, list):
        raise ReplyFault(UnjudgedReason.INVALID_OUTPUT, f"`verdicts` is {_type(entries)}, expected a list")
    by_id: dict[str, list[Any]] = {statement.id: [] for statement in request.statements}
    strangers: list[str] = []
    for entry in entries:
        identifier = _fold_word(entry.get("id")) if isinstance(entry, dict) else ""
        if identifier in by_id:
            by_id[identifier].append(entry)
        elif identifier not in also_known:
            strangers.append(identifier)
    outcomes = {identifier: _outcome(found, strangers, request.answer) for identifier, found in by_id.items()}
    abstention = _abstention(fields.get("abstention"), request.answer) if request.ask_abstention else None
    return Labels(abstention=abstention, outcomes=outcomes)


def _outcome(entries: Sequence[Any], strangers: Sequence[str], answer: str) -> Outcome:
    if strangers:
        shown = ", ".join(repr(identifier[:20]) for identifier in strangers[:3])
        found = "a verdict under this id, and one" if entries else "no verdict under this id, but one"
        return Unjudged(reason=UnjudgedReason.BAD_IDS, detail=f"{found} under {shown}, which nobody asked about")
    if not entries:
        return Unjudged(reason=UnjudgedReason.MISSING_VERDICT, detail="the reply has no verdict for this statement")
    if len(entries) > 1:
        return Unjudged(reason=UnjudgedReason.BAD_IDS, detail=f"the reply has {len(entries)} verdicts for this statement")
    try:
        reply = _validated(VerdictReply, _folded_entry(entries[0], "label"), "label", UnjudgedReason.BAD_LABEL)
    except ReplyFault as fault:
        return Unjudged(reason=fault.reason, detail=fault.detail)
    label = Label(reply.label)
    if label is Label.NOT_ADDRESSED:
        return Verdict(label=label, quote=None, quote_verified=None, rationale=reply.rationale)
    span = find_cut_quote(reply.quote, answer) if reply.quote else None
    if span is None:
        said = f"the quote {reply.quote[:80]!r} is not in the answer" if reply.quote else "there is no quote from the answer"
        return Unjudged(reason=UnjudgedReason.QUOTE_NOT_FOUND, detail=f"{label}, but {said}")
    return Verdict(label=label, quote=span, quote_verified=True, rationale=reply.rationale)


def checked_quote(outcome: Outcome, answer: str) -> Outcome:
    """Return a verdict on a part of an answer with its quote as it stands in the whole; unjudged where it stands nowhere."""
    if isinstance(outcome, Unjudged) or outcome.quote is None:
        return outcome
    span = find_cut_quote(outcome.quote, answer)
    if span is None:
        detail = f"{outcome.label}, but the quote {outcome.quote[:80]!r} stands in a part of the answer only"
        return Unjudged(reason=UnjudgedReason.QUOTE_NOT_FOUND, detail=detail)
    return outcome.model_copy(update={"quote": span})


def _abstention(entry: Any, answer: str) -> AbstentionOutcome:
    if entry is None:
        return Unjudged(reason=UnjudgedReason.MISSING_VERDICT, detail="the reply does not say whether the answer abstains")
    try:
        reply = _validated(AbstentionReply, _folded_entry(entry, "value"), "value", UnjudgedReason.BAD_LABEL)
    except ReplyFault as fault:
        return Unjudged(reason=fault.reason, detail=fault.detail)
    value = AbstentionValue(reply.value)
    # The quote only illustrates an abstention; an unverified one is left out rather than shown.
    span = find_cut_quote(reply.quote, answer) if reply.quote and value is not AbstentionValue.ANSWERED else None
    return AbstentionVerdict(value=value, quote=span)


def check_mark(fields: Mapping[str, Any]) -> Mark:
    """Return the mark. Raises ReplyFault for anything but an integer 0 to 4 with a rationale; nothing is clamped."""
    reply = _validated(AppraiseReply, fields, "mark", UnjudgedReason.INVALID_OUTPUT)
    if type(fields["mark"]) is not int:
        # To Python `true` is 1 and 4.0 is 4; to a reader neither is a mark.
        raise ReplyFault(UnjudgedReason.INVALID_OUTPUT, f"`mark` is {_type(fields['mark'])}, expected an integer from 0 to 4")
    return Mark(value=reply.mark, rationale=reply.rationale)


BLANK = "blank"
"""Why a proposition without a letter or digit is none."""


class CheckedSplit(NamedTuple):
    """What of a decomposition can be kept, and why parts of it were refused."""

    split: Split
    refused: tuple[str, ...]


def check_split(fields: Mapping[str, Any], request: DecomposeRequest) -> CheckedSplit:
    """Return the propositions that carry a span of the ground truth and say something of it, duplicates merged, all linted.

    The rest is excluded with its reason: `blank`, `no_source_span`, `invented` (next to nothing of it is in the ground truth or
    the question), or `not_checkable` (a question, greeting or opinion that was left out). Raises ReplyFault if there is no list of
    propositions.
    """
    entries = fields.get("propositions")
    if not isinstance(entries, list):
        raise ReplyFault(UnjudgedReason.INVALID_OUTPUT, f"`propositions` is {_type(entries)}, expected a list")
    kept: dict[str, Proposition] = {}
    excluded: list[Excluded] = []
    merged: list[LintFinding] = []
    for entry in entries:
        reply = _validated(PropositionReply, entry, "text", UnjudgedReason.INVALID_OUTPUT)
        text = " ".join(visible(reply.text).split())
        span = find_cut_quote(reply.source_quote, request.ground_truth)
        if is_empty(text):
            excluded.append(Excluded(text=text, reason=BLANK))
        elif span is None:
            excluded.append(Excluded(text=text, reason=NO_SOURCE_SPAN))
        elif is_invented(text, request.ground_truth, request.question):
            excluded.append(Excluded(text=text, reason=INVENTED))
        elif (twin := kept.get(same_fact_key(text))) is not None:
            merged.append(duplicate_finding(text, twin))
        else:
            kept[same_fact_key(text)] = Proposition(id=f"p{len(kept) + 1}", text=text, source_quote=span)
    refused = tuple(part.reason for part in excluded)
    propositions = tuple(kept.values())
    excluded += [Excluded(text=part, reason=NOT_CHECKABLE) for part in uncheckable_sentences(request.ground_truth, propositions)]
    findings = (*merged, *lint(request.ground_truth, request.question, propositions))
    return CheckedSplit(Split(propositions=propositions, excluded=tuple(excluded), lint=findings), refused)


def _validated(model: type[_R], entry: Any, decisive: str, reason: UnjudgedReason) -> _R:
    """Validate one entry; a fault in the `decisive` field has its own reason, any other is invalid output."""
    try:
        reply = model.model_validate(entry)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "reply"
        given = first["input"]
        found = f", found {str(given)[:60]!r}" if first["type"] == "literal_error" and isinstance(given, str | int | float) else ""
        chosen = reason if first["loc"] == (decisive,) and first["type"] != "missing" else UnjudgedReason.INVALID_OUTPUT
        raise ReplyFault(chosen, f"`{place}`: {first['msg']}{found}") from None
    if any(isinstance(value, str) and len(value) > MAX_FIELD for value in vars(reply).values()):
        raise ReplyFault(UnjudgedReason.INVALID_OUTPUT, f"a text of the reply has more than {MAX_FIELD:,} characters")
    return reply


def _folded_entry(entry: Any, decisive: str) -> Any:
    """Fold case, space, invisible characters and a final dot of the deciding word and the id; nothing else is forgiven."""
    if not isinstance(entry, dict):
        return entry
    return {**entry, **{name: _fold_word(entry[name]) for name in ("id", decisive) if name in entry}}


def _fold_word(word: Any) -> str:
    # Of anything else only the type is told: a deeply nested value cannot be written out.
    # Lower case, not `casefold`: that would make another letter of some, and `ſ1` the id `s1`.
    return visible(str(word)).strip().rstrip(".").lower() if isinstance(word, str | int) else f"({type(word).__name__})"


def _type(value: Any) -> str:
    return "missing" if value is None else type(value).__name__
