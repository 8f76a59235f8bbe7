"""A judge that answers from what was recorded, and never asks anyone."""

from collections.abc import Callable, Mapping

from judge.hashing import identity_id, request_sha256
from judge.schema.judgments import JudgeIdentity, Judgment
from judge.schema.labels import RequestKind, UnjudgedReason
from judge.schema.outcomes import Unjudged
from judge.schema.requests import Request

Lookup = Callable[[str], Judgment | None]
"""From the SHA-256 of a request to its recorded judgment, if there is one."""


class ReplayJudge:
    """Answers requests by their hash under the identities of the judge that was recorded.

    With a lookup that finds nothing it is the judge of an offline run: it has a name and no voice.
    """

    def __init__(
        self,
        identities: Mapping[RequestKind, JudgeIdentity],
        lookup: Lookup,
        missing: str,
        *,
        offers: frozenset[RequestKind],
        withheld: Mapping[RequestKind, str] = {},
    ) -> None:
        """Keep the recorded identities, where to look, and what to say of a request that is not there.

        `offers` names the kinds the recorded judge could be asked; `withheld` those whose judgments do not apply now, and why.
        """
        self._identities = dict(identities)
        self._lookup = lookup
        self._missing = missing
        self._offers = offers
        self._withheld = dict(withheld)

    def identity(self, kind: RequestKind) -> JudgeIdentity:
        """Return the identity of the recorded judge."""
        return self._identities[kind]

    def offers(self, kind: RequestKind) -> bool:
        """Return what the recorded judge offered."""
        return kind in self._offers

    async def judge(self, request: Request) -> Judgment:
        """Return the recorded judgment, unjudged parts with their reason, or `not_recorded`."""
        digest = request_sha256(request)
        why = self._withheld.get(request.kind)
        if why is None and (found := self._lookup(digest)) is not None:
            return found
        return Judgment(
            request_sha256=digest,
            identity_id=identity_id(self._identities[request.kind]),
            content=Unjudged(reason=UnjudgedReason.NOT_RECORDED, detail=why or self._missing),
        )
