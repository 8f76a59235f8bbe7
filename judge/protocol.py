"""What a judge is."""

from typing import Protocol

from judge.schema.judgments import JudgeIdentity, Judgment
from judge.schema.labels import RequestKind
from judge.schema.requests import Request


class Judge(Protocol):
    """Something that can be asked. Wrappers (cache, replay) are judges too."""

    def identity(self, kind: RequestKind) -> JudgeIdentity:
        """Return everything that changes what is sent for this kind of request, or how the reply is read."""
        ...

    def offers(self, kind: RequestKind) -> bool:
        """Return whether this judge can be asked for this kind at all; known without a call."""
        ...

    async def judge(self, request: Request) -> Judgment:
        """Return what the request came to; whatever can happen to one request is a value inside the judgment.

        Raises ConfigError or CredentialError only: what would fail for every later request too.
        """
        ...
