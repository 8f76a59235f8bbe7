"""A judge model as a judge: the identities, and one conversation a request."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

from judge.asking import RE_ASKS, Conversation
from judge.calling.budget import Budget
from judge.calling.client import client_version
from judge.calling.negotiation import Negotiation, Parameters
from judge.calling.traffic import Traffic
from judge.calling.transport import Line, ModelReply, Route, Send
from judge.hashing import content_hash, identity_id, request_sha256
from judge.prompt import Policy, Prompt
from judge.schema.judgments import JudgeIdentity, Judgment, Setting
from judge.schema.labels import Mode, RequestKind
from judge.schema.replies import AppraiseReply, DecomposeReply, LabelAbstentionReply, LabelReply
from judge.schema.requests import Request
from judge.schema.settings import ModelSettings

BACKEND_VERSIONS = {RequestKind.DECOMPOSE: "2", RequestKind.LABEL: "2", RequestKind.APPRAISE: "1"}
"""Raised when the way a reply of the kind is read changes so that the same bytes could give another outcome."""

_REPLY_TYPES = {
    RequestKind.DECOMPOSE: (DecomposeReply,),
    RequestKind.LABEL: (LabelAbstentionReply, LabelReply),
    RequestKind.APPRAISE: (AppraiseReply,),
}


class LLMJudge:
    """Asks a judge model; everything that can happen to one request is a value in the judgment."""

    def __init__(
        self, settings: ModelSettings, prompts: dict[RequestKind, Prompt], policy: Policy, send: Send, budget: Budget | None = None
    ) -> None:
        """Build the identities once; nothing is imported or connected before the first call."""
        self._settings = settings
        self._prompts = prompts
        self._policy = policy
        self._send = send
        self._negotiation: Negotiation[ModelReply] = Negotiation(settings.mode, _is_readable)
        self._traffic = Traffic(settings.connections, budget)
        self._route = Route(send, self._negotiation, self._traffic)
        self._preparing = asyncio.Lock()
        self._is_prepared = False
        self._parameters: Parameters = {
            name: value for name, value in (("temperature", settings.temperature), ("seed", settings.seed)) if value is not None
        }
        self._identities = {kind: self._build_identity(kind) for kind in RequestKind}
        self._identity_ids = {kind: identity_id(identity) for kind, identity in self._identities.items()}

    @property
    def connections(self) -> int:
        """How many calls may be under way now: fewer than the settings allow while the endpoint says it is too many."""
        return self._traffic.connections

    def identity(self, kind: RequestKind) -> JudgeIdentity:
        """Return what is known before a call of this kind and changes what is sent or how it is read."""
        return self._identities[kind]

    def offers(self, kind: RequestKind) -> bool:  # noqa: ARG002 - the protocol asks by kind
        """Return True: a model can be asked anything."""
        return True

    async def judge(self, request: Request) -> Judgment:
        """Ask the model. Raises CredentialError or ConfigError where every later call would fail too."""
        if not self._is_prepared:
            async with self._preparing:
                if not self._is_prepared:
                    await _in_background(self._send.prepare)
                    self._is_prepared = True
        digest = request_sha256(request)
        line = Line(self._route, self._settings.deadline, digest)
        conversation = Conversation(line, self._prompts[request.kind], self._policy, self._parameters)
        asked = await conversation.ask(request)
        return Judgment(
            request_sha256=digest,
            identity_id=self._identity_ids[request.kind],
            content=asked.content,
            flags=asked.flags,
            attempts=line.calls,
            usage=line.usage,
            mode=self._negotiation.mode,
            dropped_parameters=self._negotiation.dropped,
            reported_model=line.reported_model,
        )

    def _build_identity(self, kind: RequestKind) -> JudgeIdentity:
        settings = self._settings
        return JudgeIdentity(
            kind=kind,
            backend="llm",
            backend_version=BACKEND_VERSIONS[kind],
            model=settings.model,
            endpoint=settings.endpoint,
            parameters=dict[str, Setting](self._parameters),
            mode=settings.mode,
            client=client_version() if settings.mode is Mode.MD_JSON else None,
            prompt=self._prompts[kind].identity,
            policy=self._policy.identity if kind is RequestKind.LABEL else None,
            reply_schema_sha256=content_hash(*(model.model_json_schema() for model in _REPLY_TYPES[kind])),
            re_asks=RE_ASKS,
        )


async def _in_background(work: Callable[[], None]) -> None:
    """Run blocking work in a thread that nobody waits for when the run is interrupted; raise what it raises."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def finish(error: Exception | None) -> None:
        if done.cancelled():
            return
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)

    def run() -> None:
        error: Exception | None = None
        try:
            work()
        except Exception as raised:  # noqa: BLE001 - handed to the waiting task as it is
            error = raised
        with suppress(RuntimeError):  # the loop may be gone by now
            loop.call_soon_threadsafe(finish, error)

    threading.Thread(target=run, daemon=True).start()
    await done


def _is_readable(reply: ModelReply) -> bool:
    """Return whether a first reply shows that the mode was understood; a refusal or a cut says nothing about it."""
    cut_short = reply.refusal or reply.finish_reason in {"length", "content_filter"}
    return bool(cut_short) or not reply.texts or any("{" in text for text in reply.texts)
