"""Requests counted into an estimate, kind by kind."""

from collections.abc import Iterable, Sequence

from judge.calling.budget import Tokens, cost_of
from judge.calling.transport import MAX_CALLS
from judge.schema.estimates import BudgetCheck, RequestEstimate, Spending
from judge.schema.judgments import Usage
from judge.schema.prices import ModelPrice
from pipelines.config import RunConfig
from pipelines.estimates.known_judgments import Place
from pipelines.spending import Prices


class RequestTally:
    """The requests of one kind, counted one by one."""

    def __init__(self) -> None:
        """Begin with none."""
        self._found = dict.fromkeys(Place, 0)
        self._to_make = 0
        self._calls = self._calls_at_most = 0
        self._usual = self._at_most = Tokens(0, 0)
        self.is_estimated = False

    def add_found(self, place: Place) -> None:
        """Count a request that was answered before."""
        self._found[place] += 1

    def add_uncalled(self) -> None:
        """Count a request that takes no call."""
        self._to_make += 1

    def add_called(self, usual: Tokens, at_most: Tokens) -> None:
        """Count a request that has to be sent, with the tokens that it takes usually and at most."""
        self._to_make += 1
        self._calls += 1
        self._calls_at_most += MAX_CALLS
        self._usual = _sum(self._usual, usual)
        self._at_most = _sum(self._at_most, at_most)

    def estimate(self, prices: Prices | None) -> RequestEstimate:
        """Return the counts with their price; None where nothing is called."""
        return RequestEstimate(
            requests=sum(self._found.values()) + self._to_make,
            from_journal=self._found[Place.JOURNAL],
            from_cache=self._found[Place.CACHE],
            to_make=self._to_make,
            is_estimated=self.is_estimated,
            typical=spending(self._calls, self._usual, None if prices is None else prices.usual),
            at_most=spending(self._calls_at_most, self._at_most, None if prices is None else prices.dearest),
        )


def spending(calls: int, tokens: Tokens, price: ModelPrice | None) -> Spending:
    """Return calls and tokens with their price; no call costs nothing, whatever a token costs."""
    cost = cost_of(Usage(input_tokens=tokens.input, output_tokens=tokens.output), price) if calls else 0.0
    return Spending(calls=calls, input_tokens=tokens.input, output_tokens=tokens.output, cost_usd=cost)


def total_of(kinds: Sequence[RequestEstimate], finding_out: Spending | None = None) -> RequestEstimate:
    """Return the sums over all kinds or judges; the calls that find out what the endpoint accepts come on top of the worst case."""
    more = [] if finding_out is None else [finding_out]
    return RequestEstimate(
        requests=sum(kind.requests for kind in kinds),
        from_journal=sum(kind.from_journal for kind in kinds),
        from_cache=sum(kind.from_cache for kind in kinds),
        to_make=sum(kind.to_make for kind in kinds),
        is_estimated=any(kind.is_estimated for kind in kinds),
        typical=_spent_together(kind.typical for kind in kinds),
        at_most=_spent_together([*(kind.at_most for kind in kinds), *more]),
    )


def highest(costs: Sequence[float | None]) -> float | None:
    """Return the highest of some costs, None where one is unknown."""
    known = [cost for cost in costs if cost is not None]
    return max(known) if len(known) == len(costs) else None


def budget_checks(config: RunConfig, total: RequestEstimate, headroom: float | None) -> tuple[BudgetCheck, ...]:
    """Return for each bound that was set whether it holds the typical and the worst case."""
    checks = []
    if (limit := config.budget_usd) is not None:
        typical = None if total.typical.cost_usd is None or headroom is None else total.typical.cost_usd + headroom
        costs = [None if cost is None else cost <= limit for cost in (typical, total.at_most.cost_usd)]
        checks.append(BudgetCheck(setting="budget_usd", limit=limit, typical_fits=costs[0], at_most_fits=costs[1]))
    if (most := config.max_calls) is not None:
        calls = [spent.calls <= most for spent in (total.typical, total.at_most)]
        checks.append(BudgetCheck(setting="max_calls", limit=most, typical_fits=calls[0], at_most_fits=calls[1]))
    return tuple(checks)


def _sum(first: Tokens, second: Tokens) -> Tokens:
    return Tokens(first.input + second.input, first.output + second.output)


def _spent_together(parts: Iterable[Spending]) -> Spending:
    parts = list(parts)
    costs = [part.cost_usd for part in parts]
    return Spending(
        calls=sum(part.calls for part in parts),
        input_tokens=sum(part.input_tokens for part in parts),
        output_tokens=sum(part.output_tokens for part in parts),
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
    )
