"""Calls to a model through litellm, formed by instructor: the only file that names either of them.

instructor puts the reply type into the request as each mode wants it (schema, tool, or text in the prompt). What it makes
of the reply is not used: our own reader treats all modes alike and tells more faults apart.
"""

import gc
import json
import logging
import math
import os
import warnings
from contextlib import suppress
from contextvars import ContextVar
from functools import cache
from typing import Any

from judge.calling.budget import cost_of
from judge.calling.call_faults import fault_of
from judge.calling.negotiation import ORDER
from judge.calling.provider_caching import CachingTally
from judge.calling.responses import MAX_BODY, redirect_words, watched_responses
from judge.calling.transport import Call, ModelReply
from judge.errors import CallFault, ConfigError, ReplyFault
from judge.logs import keep_secrets_out_of_logs
from judge.redaction import Redactor, address_secrets, environment_secrets
from judge.schema.judgments import Usage
from judge.schema.labels import Mode, UnjudgedReason
from judge.schema.prices import ModelPrice
from judge.schema.replies import Reply
from judge.schema.settings import ModelSettings

PLACEHOLDER_KEY = "not-needed"
"""Sent where an endpoint of the operator's wants some key and none was named for it; no secret."""

_UNREADABLE = ModelReply(texts=(), finish_reason=None, refusal=None, usage=Usage(), model=None)
"""What a response comes to in which litellm finds no message at all."""


_RECEIVED: ContextVar[list[Any]] = ContextVar("received")
"""Where the responses of the call under way are kept, whatever instructor makes of them."""


@cache
def _typed_reply(reply_type: type[Reply]) -> Any:
    """Return the type as instructor wants it; given the plain one it would build a new class for every call."""
    import instructor

    return instructor.response_schema(reply_type)


async def _complete(**arguments: Any) -> Any:
    """Make litellm's call and keep what it returned."""
    import litellm

    response = await litellm.acompletion(**arguments)
    _RECEIVED.get().append(response)
    return response


_OPEN: set["LiteLLMClient"] = set()
"""Clients in use. litellm's connections belong to the process, so only the last one to go may close them."""


class LiteLLMClient:
    """Sends calls through litellm, formed by instructor; imports both when they are needed.

    Neither of them retries here: litellm sends once, instructor never asks again. What an endpoint returns has no secret of
    ours in it by the time anybody else sees it.
    """

    def __init__(self, settings: ModelSettings, api_key: str | None) -> None:
        """Keep the address and the key. `api_key` None leaves the choice of key to the provider's own variables."""
        self._settings = settings
        self._api_key = api_key
        own = set() if api_key in (None, PLACEHOLDER_KEY) else {str(api_key)}
        self._redactor = Redactor(own | address_secrets(settings.api_base or "") | environment_secrets(os.environ))
        self._clients: dict[Mode, Any] = {}
        self.caching = CachingTally()

    def prepare(self) -> None:
        """Import both libraries, seconds of work, before any clock runs. Raises ConfigError or CredentialError."""
        if not self._clients:
            keep_secrets_out_of_logs(self._redactor)
            _load_quietly()
            self._require_credentials()
            import instructor

            _OPEN.add(self)
            self._clients = {mode: instructor.from_litellm(_complete, mode=instructor.Mode[mode.name]) for mode in ORDER}
            # The two libraries are a million objects that never go away; later collections need not walk through them.
            gc.freeze()

    async def __call__(self, call: Call, mode: Mode, timeout: float) -> ModelReply:  # noqa: ASYNC109 - litellm wants it as well
        """Make one HTTP call.

        Raises CallFault for what can happen to one call, ReplyFault for a reply without end, CredentialError for a refused key.
        """
        self.prepare()
        received: list[Any] = []
        before = _RECEIVED.set(received)
        try:
            with watched_responses() as refused:
                await self._send(call, mode, timeout)
        except Exception as error:
            # Both libraries wrap anything; every kind is told apart below.
            # What instructor makes of a reply does not matter: our own reader reads whatever arrived.
            if refused.redirects:
                raise CallFault(UnjudgedReason.BAD_REQUEST, redirect_words(refused.redirects[-1], self._redactor)) from error
            if refused.is_too_large:
                raise ReplyFault(UnjudgedReason.INVALID_OUTPUT, f"the response is longer than {MAX_BODY:,} bytes") from error
            if not received:
                cause = error.__cause__ or error
                if "invalid response object" in str(cause).casefold():
                    return _UNREADABLE
                raise fault_of(cause, self._redactor) from cause
        finally:
            _RECEIVED.reset(before)
        self.caching.add(received[-1])
        reply = _model_reply(received[-1], self._settings.price)
        return _redacted(reply, self._redactor, sent="\n".join(message.content for message in call.messages))

    async def _send(self, call: Call, mode: Mode, timeout: float) -> None:  # noqa: ASYNC109 - litellm wants it
        await self._clients[mode].chat.completions.create_with_completion(
            model=self._settings.model,
            api_base=self._settings.api_base,
            api_key=self._api_key,
            messages=[message._asdict() for message in call.messages],
            response_model=_typed_reply(call.reply_type),
            timeout=timeout,
            num_retries=0,
            max_retries=0,
            # What a model does not take is told and recorded by the negotiation, never left out in silence.
            drop_params=False,
            **call.parameters,
        )

    async def aclose(self) -> None:
        """Close the connections once nobody uses them: litellm has one pool of them for the whole process."""
        was_open = self in _OPEN
        _OPEN.discard(self)
        self._clients = {}
        if was_open and not _OPEN:
            import litellm

            await litellm.close_litellm_async_clients()  # type: ignore[attr-defined, no-untyped-call]
            # litellm goes on handing out what it closed: the first call of the next judge in this loop would fail.
            litellm.in_memory_llm_clients_cache.flush_cache()  # type: ignore[no-untyped-call]

    def _require_credentials(self) -> None:
        """Refuse to start without a provider or a key rather than let every call fail."""
        import litellm

        if self._settings.model.startswith("aiohttp_openai/"):
            raise ConfigError(f"the judge model {self._settings.model!r} would follow redirects: name it openai/... instead")
        try:
            litellm.get_llm_provider(self._settings.model, api_base=self._settings.api_base)
        except litellm.exceptions.BadRequestError as error:
            expected = "expected PROVIDER/MODEL, such as openai/gpt-5-mini"
            raise ConfigError(f"the judge model {self._settings.model!r} is not a name that litellm knows: {expected}") from error
        if self._api_key is not None:
            return
        # Other variables that litellm lists have defaults, or a profile or a role stands in for them.
        missing = [name for name in litellm.validate_environment(self._settings.model)["missing_keys"] if name.endswith("_API_KEY")]
        if missing:
            raise ConfigError(f"the judge model {self._settings.model!r} needs the environment variable {' and '.join(missing)}")


def _load_quietly() -> None:
    """Import litellm without its download of a price list, and keep both libraries off the terminal."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.suppress_debug_info = True
    # The tokenizers of some models would be downloaded; the tables that litellm brings along count nearly the same.
    litellm.disable_hf_tokenizer_download = True
    # A call that is cancelled before it began leaves a coroutine of litellm's behind; that is no news for users.
    warnings.filterwarnings("ignore", message=r"coroutine '.*completion' was never awaited", category=RuntimeWarning)
    for name in ("LiteLLM", "instructor"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _model_reply(raw: Any, price: ModelPrice | None) -> ModelReply:
    """Return what our own reader needs of a response; missing parts are None."""
    choices = getattr(raw, "choices", None) or []
    message = getattr(choices[0], "message", None) if choices else None
    calls = getattr(message, "tool_calls", None) or []
    content = getattr(message, "content", None)
    texts = tuple(call.function.arguments for call in calls) or ((content,) if content else ())
    return ModelReply(
        texts=texts,
        finish_reason=getattr(choices[0], "finish_reason", None) if choices else None,
        refusal=_refusal(message),
        usage=_usage(raw, price),
        model=getattr(raw, "model", None),
    )


def _refusal(message: Any) -> str | None:
    said = getattr(message, "refusal", None) or (getattr(message, "provider_specific_fields", None) or {}).get("refusal")
    return str(said) if said else None


def _usage(raw: Any, price: ModelPrice | None) -> Usage:
    """Return tokens and cost, by the operator's price if there is one.

    litellm shows missing usage as 0 tokens, so 0 means unknown; so does whatever else is no count, and a cost made of it.
    """
    found = getattr(raw, "usage", None)
    counts = [getattr(found, name, None) for name in ("prompt_tokens", "completion_tokens")]
    usage = Usage(input_tokens=_count(counts[0]), output_tokens=_count(counts[1]))
    if price is not None:
        return usage.model_copy(update={"cost_usd": cost_of(usage, price)})
    cost = (getattr(raw, "_hidden_params", None) or {}).get("response_cost")
    if not isinstance(cost, int | float) or not 0 <= cost < math.inf or any(count and _count(count) is None for count in counts):
        return usage
    return usage.model_copy(update={"cost_usd": float(cost)})


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _redacted(reply: ModelReply, redactor: Redactor, sent: str) -> ModelReply:
    """Return a reply without secrets of ours, unless the texts under judgment hold them."""

    def clean(text: str | None) -> str | None:
        return None if text is None else redactor.data(str(text), sent=sent)

    refusal, model = clean(reply.refusal), clean(reply.model)
    texts = tuple(redactor.data(text, sent=sent) for text in reply.texts)
    return reply._replace(texts=texts, finish_reason=clean(reply.finish_reason), refusal=refusal, model=model)


def token_count(model: str, text: str) -> int:
    """Return about how many tokens a text has, by a table that litellm brings along; models count differently by some percent."""
    _load_quietly()
    import litellm

    return int(litellm.token_counter(model=model, text=text))


class _NotSentError(Exception):
    """Ends a call before it is made."""


def added_text(reply_type: type[Reply], mode: Mode) -> str:
    """Return what instructor adds to a request so that the reply has the type: a schema as JSON, a tool, or words in the messages."""
    _load_quietly()
    import instructor

    sent: dict[str, Any] = {}

    def keep(**arguments: Any) -> Any:
        sent.update(arguments)
        raise _NotSentError

    client: Any = instructor.from_litellm(keep, mode=instructor.Mode[mode.name])
    with suppress(Exception):  # instructor wraps ours in one of its own
        client.chat.completions.create(
            model="none",
            messages=[{"role": role, "content": ""} for role in ("system", "user")],
            response_model=_typed_reply(reply_type),
            max_retries=0,
        )
    if mode is Mode.MD_JSON:
        return "\n".join(message["content"] for message in sent["messages"])
    return json.dumps(sent["tools"] if mode is Mode.TOOLS else sent["response_format"]["json_schema"], separators=(",", ":"))


def client_version() -> str:
    """Return the version of the client that writes part of the prompt in this mode."""
    from importlib.metadata import version

    return f"instructor {version('instructor')}"
