"""One judgment's conversation with a judge model: ask, read, check, and ask once more for what is in doubt."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, assert_never

from judge.calling.negotiation import Parameters
from judge.calling.transport import Call, Line, ModelReply
from judge.checks import CheckedSplit, check_labels, check_mark, check_split
from judge.errors import CallFault, ReplyFault
from judge.prompt import Policy, Prompt, render
from judge.reply import read_object
from judge.resplitting import LONGEST_SPLIT_NOTE, better_split, split_note, whole_text
from judge.schema.judgments import Appraisal, Labels, Split
from judge.schema.labels import Flag, RequestKind, UnjudgedReason
from judge.schema.outcomes import Unjudged
from judge.schema.replies import AppraiseReply, DecomposeReply, LabelAbstentionReply, LabelReply, Reply
from judge.schema.requests import AppraiseRequest, DecomposeRequest, LabelRequest, Request
from judge.text.normalise import is_empty

RE_ASKS = 1
"""Times a reply in doubt is asked for again; each is another prompt, so the number is part of the judge identity."""

TRUNCATION_FACTOR = 4
"""How much more room a reply gets after it was cut off: hidden reasoning may have used up the first limit."""

_Checked = TypeVar("_Checked")


class Asked(NamedTuple):
    """What a conversation came to."""

    content: Split | Labels | Appraisal | Unjudged
    flags: tuple[Flag, ...]


class Conversation:
    """The calls about one request; used once."""

    def __init__(self, line: Line, prompt: Prompt, policy: Policy, parameters: Parameters) -> None:
        """Keep where to ask, with which prompt, and with which parameters."""
        self._line = line
        self._prompt = prompt
        self._policy = policy
        self._parameters = parameters
        self._flags: set[Flag] = set()

    async def ask(self, request: Request) -> Asked:
        """Return the checked reply to a request, or why there is none."""
        try:
            content = await self._content(request)
        except (CallFault, ReplyFault) as fault:
            content = Unjudged(reason=fault.reason, detail=fault.detail)
        return Asked(content, tuple(sorted(self._flags)))

    async def _content(self, request: Request) -> Split | Labels | Appraisal | Unjudged:
        match request:
            case LabelRequest():
                return await self._labels(request)
            case AppraiseRequest():
                return Appraisal(mark=await self._twice(request, check_mark))
            case DecomposeRequest():
                return await self._split(request)
            case _:
                assert_never(request)

    async def _labels(self, request: LabelRequest) -> Labels:
        labels = await self._twice(request, lambda fields: check_labels(fields, request))
        doubtful = _doubtful(labels, request)
        if doubtful is None or Flag.RE_ASKED in self._flags or not self._line.may_call:
            return labels
        self._flags.add(Flag.RE_ASKED)
        try:
            fields = await self._once(doubtful, _LABEL_NOTE)
            second = check_labels(fields, doubtful, also_known=labels.outcomes)
        except (CallFault, ReplyFault) as fault:
            failed = Unjudged(reason=fault.reason, detail=fault.detail)
            second = Labels(
                abstention=failed if doubtful.ask_abstention else None, outcomes={statement.id: failed for statement in doubtful.statements}
            )
        abstention = second.abstention if doubtful.ask_abstention else labels.abstention
        return Labels(abstention=abstention, outcomes={**labels.outcomes, **second.outcomes})

    async def _split(self, request: DecomposeRequest) -> Split | Unjudged:
        checked = await self._twice(request, lambda fields: check_split(fields, request))
        note = split_note(checked, request)
        if note and Flag.RE_ASKED not in self._flags and self._line.may_call:
            self._flags.add(Flag.RE_ASKED)
            checked = better_split(checked, await self._second_split(request, note))
        if checked.split.propositions:
            return checked.split
        if checked.refused and not is_empty(request.ground_truth):
            reasons = ", ".join(sorted(set(checked.refused)))
            detail = f"all {len(checked.refused)} propositions were refused: {reasons}"
            return Unjudged(reason=UnjudgedReason.DECOMPOSITION_FAILED, detail=detail)
        return whole_text(request, checked.split)

    async def _second_split(self, request: DecomposeRequest, note: str) -> CheckedSplit | None:
        """Ask once more; a second reply that cannot be used leaves the first one standing."""
        try:
            return check_split(await self._once(request, note), request)
        except (CallFault, ReplyFault):
            return None

    async def _twice(self, request: Request, check: Callable[[dict[str, Any]], _Checked]) -> _Checked:
        """Ask, and once more if the reply as a whole cannot be used."""
        try:
            return check(await self._once(request))
        except ReplyFault as fault:
            if not fault.can_re_ask or not self._line.may_call:
                raise
            cut_off = fault.reason is UnjudgedReason.TRUNCATED
            self._flags.update({Flag.RE_ASKED, Flag.TRUNCATED_REPLY} if cut_off else {Flag.RE_ASKED})
            return check(await self._once(request, "" if cut_off else _WHOLE_NOTE, TRUNCATION_FACTOR if cut_off else 1))

    async def _once(self, request: Request, note: str = "", room: int = 1) -> dict[str, Any]:
        parameters = {**self._parameters, "max_tokens": room * max_tokens(request)}
        reply = await self._line.call(Call(render(self._prompt, self._policy, request, note), reply_type(request), parameters))
        fields, repaired = _read(reply, request)
        if repaired:
            self._flags.add(Flag.REPAIRED)
        return fields


_WHOLE_NOTE = "An earlier reply could not be read: reply with exactly one JSON object of the required form and nothing else."
_LABEL_NOTE = (
    "An earlier reply left these out or was unusable here: give exactly one verdict for each id listed, with a label of the three, "
    "and for supported or contradicted a quote copied character by character from the answer."
)


def reply_type(request: Request) -> type[Reply]:
    """Return the form that a reply to the request must have."""
    match request:
        case DecomposeRequest():
            return DecomposeReply
        case LabelRequest(ask_abstention=ask_abstention):
            return LabelAbstentionReply if ask_abstention else LabelReply
        case AppraiseRequest():
            return AppraiseReply
        case _:
            assert_never(request)


def max_tokens(request: Request) -> int:
    """Return the room for a reply: several times what a compact one needs, at most 4,024 for 25 statements."""
    match request:
        case LabelRequest(statements=statements):
            return 1024 + 120 * len(statements)
        case DecomposeRequest():
            return 4000
        case _:
            return 1024


def first_call(prompt: Prompt, policy: Policy, request: Request) -> Call:
    """Return the call that a conversation about a request begins with, without sampling parameters."""
    return Call(render(prompt, policy, request), reply_type(request), {"max_tokens": max_tokens(request)})


def dearest_re_ask(prompt: Prompt, policy: Policy, request: Request) -> Call:
    """Return a call that no later one about the request exceeds: with the longest note, and the room of a reply that was cut off."""
    # What is asked again is listed id by id, which a whole chunk is not.
    ids = ", ".join(statement.id for statement in request.statements) if isinstance(request, LabelRequest) else ""
    note = f"{max(_WHOLE_NOTE, _LABEL_NOTE, LONGEST_SPLIT_NOTE, key=len)} {ids}"
    return Call(render(prompt, policy, request, note), reply_type(request), {"max_tokens": TRUNCATION_FACTOR * max_tokens(request)})


def _read(reply: ModelReply, request: Request) -> tuple[dict[str, Any], bool]:
    """Return the fields of a reply, and whether it had to be repaired."""
    if reply.refusal:
        raise ReplyFault(UnjudgedReason.REFUSED, f"the model refused: {reply.refusal[:200]}", can_re_ask=False)
    if reply.finish_reason == "content_filter":
        raise ReplyFault(UnjudgedReason.FILTERED, "a content filter of the endpoint stopped the reply", can_re_ask=False)
    if reply.finish_reason == "length":
        raise ReplyFault(UnjudgedReason.TRUNCATED, "the reply was cut off at the token limit")
    # A reply that forgot the abstention is still a reply: that part alone is asked for again.
    required = frozenset({"verdicts"} if isinstance(request, LabelRequest) else reply_type(request).model_fields)
    data = request.ground_truth if isinstance(request, DecomposeRequest) else request.answer
    objects = [read_object(text, required, data) for text in reply.texts]
    if not objects:
        raise ReplyFault(UnjudgedReason.INVALID_OUTPUT, "the reply is empty, or not in the form of a completion")
    fields = objects[0].fields
    for other in objects[1:]:
        fields = _merged(fields, other.fields)
    if extra := sorted(fields.keys() - _FIELDS[request.kind]):
        raise ReplyFault(UnjudgedReason.INVALID_OUTPUT, f"the reply has fields that nobody asked for: {', '.join(map(repr, extra))[:200]}")
    return fields, any(part.repaired for part in objects)


_FIELDS = {
    RequestKind.DECOMPOSE: frozenset(DecomposeReply.model_fields),
    RequestKind.LABEL: frozenset(LabelAbstentionReply.model_fields),
    RequestKind.APPRAISE: frozenset(AppraiseReply.model_fields),
}


def _merged(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Join the arguments of two tool calls that share out the statements between them."""
    if first == second:
        return first
    lists = [part["verdicts"] for part in (first, second) if isinstance(part.get("verdicts"), list)]
    if len(lists) != 2 or first.get("abstention") != second.get("abstention"):
        raise ReplyFault(UnjudgedReason.INVALID_OUTPUT, "the reply has several tool calls that differ")
    return {**first, "verdicts": [*lists[0], *lists[1]]}


def _doubtful(labels: Labels, request: LabelRequest) -> LabelRequest | None:
    """Return a request for only those parts that have no verdict, under their old ids; None if all have one."""
    statements = tuple(statement for statement in request.statements if isinstance(labels.outcomes[statement.id], Unjudged))
    ask_abstention = isinstance(labels.abstention, Unjudged)
    if not statements and not ask_abstention:
        return None
    return request.model_copy(update={"statements": statements, "ask_abstention": ask_abstention})
