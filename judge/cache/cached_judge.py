"""A judge that answers from the cache where it can."""

from judge.cache.entries import Parts, identity_parts, request_parts
from judge.cache.leases import Leases
from judge.cache.store import JudgmentCache
from judge.hashing import cache_key, identity_id, request_sha256
from judge.protocol import Judge
from judge.schema.judgments import JudgeIdentity, Judgment
from judge.schema.labels import RequestKind
from judge.schema.requests import Request


class CachedJudge:
    """Answers from the cache where it can, asks the judge it wraps where it cannot, and keeps complete judgments."""

    def __init__(
        self, judge: Judge, cache: JudgmentCache, refreshed: frozenset[RequestKind] = frozenset(), *, leases: Leases | None = None
    ) -> None:
        """Wrap a judge. `hits` counts judgments that needed no call; `first_misses` keeps one request of each kind.

        Requests of the `refreshed` kinds are asked anew; what they come to replaces what was kept. With `leases`, what another
        process asks for at this moment is waited for.
        """
        self._judge = judge
        self._leases = leases
        self._refreshed = refreshed
        self._cache = cache
        self._identity_ids = {kind: identity_id(judge.identity(kind)) for kind in RequestKind}
        self._identity_parts = {kind: identity_parts(judge.identity(kind)) for kind in RequestKind}
        self.hits = 0
        self.hit_calls = 0
        self.first_misses: dict[RequestKind, Request] = {}

    def identity(self, kind: RequestKind) -> JudgeIdentity:
        """Return the identity of the judge inside."""
        return self._judge.identity(kind)

    def offers(self, kind: RequestKind) -> bool:
        """Return what the judge inside offers."""
        return self._judge.offers(kind)

    async def judge(self, request: Request) -> Judgment:
        """Return the cached judgment, or a new one, which is kept if every part of it was judged."""
        digest = request_sha256(request)
        key = cache_key(self._identity_ids[request.kind], digest)
        parts = {**self._identity_parts[request.kind], **request_parts(request)}
        if request.kind in self._refreshed:
            return await self._ask(request, key, parts)
        if (found := self._cache.get(key, parts)) is not None:
            return self._hit(found)
        if self._leases is None:
            return await self._ask(request, key, parts)
        lease = await self._leases.wait(key, lambda: self._cache.get(key, parts))
        if isinstance(lease, Judgment):
            return self._hit(lease)
        try:
            return await self._ask(request, key, parts)
        finally:
            lease.end()

    async def _ask(self, request: Request, key: str, parts: Parts) -> Judgment:
        self.first_misses.setdefault(request.kind, request)
        judgment = await self._judge.judge(request)
        if judgment.is_complete:
            self._cache.put(key, parts, judgment)
        return judgment

    def _hit(self, judgment: Judgment) -> Judgment:
        self.hits += 1
        self.hit_calls += judgment.attempts
        return judgment

    def kept(self, request: Request) -> Judgment | None:
        """Return what the cache holds of a request, and ask nobody."""
        parts = {**self._identity_parts[request.kind], **request_parts(request)}
        return self._cache.get(cache_key(self._identity_ids[request.kind], request_sha256(request)), parts)

    @property
    def warnings(self) -> list[str]:
        """What went wrong with the cache and its leases without stopping anything."""
        return [*self._cache.warnings, *(self._leases.warnings if self._leases is not None else ())]

    @property
    def set_aside(self) -> int:
        """How many damaged entries were set aside."""
        return self._cache.set_aside

    def explain(self, request: Request) -> str:
        """Say why a request is not in the cache: what differs from the nearest entry of its kind."""
        parts = {**self._identity_parts[request.kind], **request_parts(request)}
        nearest = max(
            (entry.parts for entry in self._cache.entries() if entry.parts.get("kind") == request.kind),
            key=lambda other: sum(other.get(name) == digest for name, digest in parts.items()),
            default=None,
        )
        if nearest is None:
            return f"the cache holds no {request.kind} judgment at all"
        differing = [name for name, digest in parts.items() if nearest.get(name) != digest]
        return "it is there" if not differing else "the nearest entry differs in: " + ", ".join(differing)
