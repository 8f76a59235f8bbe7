"""What one judge would be asked in a run, counted request by request."""

from judge.calling.budget import Tokens
from judge.hashing import request_sha256
from judge.schema.estimates import JudgeEstimate, NoCalls, PriceFacts, Spending
from judge.schema.labels import RequestKind
from judge.schema.requests import Request
from pipelines.config import RunConfig
from pipelines.estimates.known_judgments import Found, KnownJudgments
from pipelines.estimates.request_sizes import RequestSizes, finding_out_calls, largest
from pipelines.estimates.tally import RequestTally, spending, total_of
from pipelines.judges import BuiltJudge
from pipelines.spending import Prices, prices_of


class JudgeCount:
    """The requests to one judge. Remembers 16 bytes per request."""

    def __init__(self, name: str, built: BuiltJudge, config: RunConfig, known: KnownJudgments) -> None:
        """Begin with none. Raises PromptError for a prompt that cannot be used."""
        self._name = name
        self._built = built
        self._config = config
        self._known = known
        self.no_calls = _why_no_calls(built, config)
        self._sizes = None if self.no_calls is not None else RequestSizes(built.facts.spec, config, built.policy)
        self._tallies = {kind: RequestTally() for kind in RequestKind}
        self._seen: set[bytes] = set()
        self._largest = self._largest_first = Tokens(0, 0)

    def count(self, request: Request, *, is_estimated: bool = False) -> Found | None:
        """Count a request unless an equal one was counted, or the judge cannot be asked it; return the judgment that is there already."""
        if not self._built.judge.offers(request.kind):
            return None
        found, tally = self._known.find(request), self._tallies[request.kind]
        tally.is_estimated |= is_estimated
        digest = bytes.fromhex(request_sha256(request))[:16]
        if digest in self._seen:
            return found
        self._seen.add(digest)
        if found is not None:
            tally.add_found(found.place)
        elif self._sizes is None:
            tally.add_uncalled()
        else:
            self._largest_first = largest(self._largest_first, self._sizes.first_call(request))
            self._largest = largest(self._largest, self._sizes.dearest_call(request))
            tally.add_called(self._sizes.usual(request), self._sizes.at_most(request))
        return found

    def estimate(self) -> JudgeEstimate:
        """Return what was counted, at the prices of the judge's own model."""
        model = self._built.facts.spec
        prices = None if self.no_calls is not None else prices_of(model, self._config)
        kinds = {str(kind): tally.estimate(prices) for kind, tally in self._tallies.items()}
        return JudgeEstimate(
            judge=self._name,
            judge_id=self._built.facts.id,
            no_calls=self.no_calls,
            kinds=kinds,
            total=total_of([*kinds.values()], self._finding_out(prices)),
            price=None if prices is None else PriceFacts(model=model, price=prices.usual, source=prices.source),
            headroom_usd=spending(int(any(self._largest_first)), self._largest_first, None if prices is None else prices.dearest).cost_usd,
        )

    def _finding_out(self, prices: Prices | None) -> Spending:
        """Return the most that it can take to learn what the endpoint accepts."""
        calls = finding_out_calls(self._config) if any(self._largest) else 0
        tokens = Tokens(calls * self._largest.input, calls * self._largest.output)
        return spending(calls, tokens, None if prices is None else prices.dearest)


def _why_no_calls(built: BuiltJudge, config: RunConfig) -> NoCalls | None:
    if built.replayed_from is not None:
        return "replay"
    if not built.can_cache:
        return "baseline"
    return "offline" if config.offline else None
