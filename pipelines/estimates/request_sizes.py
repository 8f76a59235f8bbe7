"""How many tokens the calls of a request take: usually, and at most."""

from functools import lru_cache

from judge.asking import dearest_re_ask, first_call
from judge.calling.budget import Tokens
from judge.calling.client import added_text, token_count
from judge.calling.negotiation import DROPPABLE, ORDER
from judge.calling.transport import MAX_CALLS, Call, worst_tokens
from judge.expected_replies import expected_reply_tokens
from judge.prompt import Policy
from judge.schema.labels import Mode
from judge.schema.requests import Request
from pipelines.config import RunConfig
from pipelines.judges import load_prompts

FRAMING_TOKENS = 11
"""Tokens of a chat round the contents of two messages: roles and separators, as litellm counts them."""


class RequestSizes:
    """Sizes of requests as one judge model would be asked them."""

    def __init__(self, model: str, config: RunConfig, policy: Policy) -> None:
        """Load the prompts. Raises PromptError for one that cannot be used."""
        self._model = model
        self._prompts = load_prompts(config)
        self._policy = policy
        self._mode = ORDER[0] if config.mode is Mode.AUTO else config.mode
        # System texts and reply types are the same for every request of a run.
        self._count = lru_cache(maxsize=16)(self._counted)
        self._added = lru_cache(maxsize=16)(lambda reply_type: self._counted(added_text(reply_type, self._mode)))

    def usual(self, request: Request) -> Tokens:
        """Return the tokens of one call and a reply of ordinary length."""
        call = self._first(request)
        system, *others = [message.content for message in call.messages]
        texts = self._count(system) + sum(map(self._counted, others))
        return Tokens(texts + self._added(call.reply_type) + FRAMING_TOKENS, expected_reply_tokens(request))

    def first_call(self, request: Request) -> Tokens:
        """Return what a budget reserves for the first call of a request."""
        return worst_tokens(self._first(request))

    def dearest_call(self, request: Request) -> Tokens:
        """Return the most that one call about a request takes, as a budget reserves it."""
        return largest(self.first_call(request), worst_tokens(dearest_re_ask(self._prompts[request.kind], self._policy, request)))

    def at_most(self, request: Request) -> Tokens:
        """Return the most that all calls of one judgment take together: after the first one, each may be a re-ask with more room."""
        first, dearest = self.first_call(request), self.dearest_call(request)
        again = MAX_CALLS - 1
        return Tokens(first.input + again * dearest.input, first.output + again * dearest.output)

    def _first(self, request: Request) -> Call:
        return first_call(self._prompts[request.kind], self._policy, request)

    def _counted(self, text: str) -> int:
        return token_count(self._model, text)


def largest(first: Tokens, second: Tokens) -> Tokens:
    """Return the larger number of each."""
    return Tokens(max(first.input, second.input), max(first.output, second.output))


def finding_out_calls(config: RunConfig) -> int:
    """Return how many calls a run may make beyond those of its judgments to learn what the endpoint accepts: modes and parameters."""
    modes = len(ORDER) - 1 if config.mode is Mode.AUTO else 0
    return modes + sum(getattr(config, name) is not None for name in DROPPABLE)
