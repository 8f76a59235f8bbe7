"""The flow of `judge score --estimate`: what a run would ask, and what that takes, without asking anything."""

from contextlib import AsyncExitStack
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from judge.calling.budget import Tokens
from judge.expected_replies import expected_split
from judge.hashing import request_sha256
from judge.planning import ItemPlan, plan_item, requests_of
from judge.schema.estimates import Estimate, NoCalls, PriceFacts, Spending, SplitEstimate
from judge.schema.items import Item
from judge.schema.judgments import Split
from judge.schema.labels import RequestKind, UnjudgedReason
from judge.schema.manifests import InputFacts
from judge.schema.outcomes import Unjudged
from judge.schema.propositions import Decomposition
from judge.schema.requests import DecomposeRequest, Request
from pipelines.config import RunConfig
from pipelines.decomposing import Need, decomposition_of, given_decomposition, needs_of, refused_split
from pipelines.estimates.known_judgments import Found, KnownJudgments, PlannedRun
from pipelines.estimates.request_sizes import RequestSizes, finding_out_calls, largest
from pipelines.estimates.tally import RequestTally, budget_checks, spending, total_of
from pipelines.freezing import RunPropositions
from pipelines.gates import check_gates
from pipelines.judges import BuiltJudge, asking_of, build_judge
from pipelines.run_record import read_run_record
from pipelines.sources import ItemSource
from pipelines.spending import Prices, prices_of

_REMEMBERED = 4096
"""Splits kept in memory: answers to one ground truth mostly lie close together."""


async def estimate_run(source: ItemSource, config: RunConfig, out: Path) -> Estimate:
    """Return what a run of these items into this folder would ask, and what that would take.

    Cache and run folder are read and not changed. Raises ConfigError, InputError or RunFolderError where the run would, except
    that a price nobody knows is no error, no key is needed, and a folder with another run is a warning.
    """
    check_gates(config)
    if config.run_record is not None:
        read_run_record(config.run_record)
    async with AsyncExitStack() as stack:
        # A budget stops a run and not its estimate, and nothing is sent that would need a key.
        built = build_judge(config.model_copy(update={"budget_usd": None, "max_calls": None, "api_key_env": None}))
        stack.push_async_callback(built.close)
        run = PlannedRun(source, config, built, out)
        propositions = RunPropositions(config, source, out, stack, replayed_from=built.replayed_from)
        return _Estimating(run, propositions, KnownJudgments(run, propositions, stack)).estimate()


class _Reference(NamedTuple):
    """The propositions of a ground truth, or why there will be none, and whether they are only expected."""

    decomposition: Decomposition | Unjudged
    is_expected: bool = False


class _Estimating:
    """One estimate while it is made. Remembers 16 bytes per request and per ground truth."""

    def __init__(self, run: PlannedRun, propositions: RunPropositions, known: KnownJudgments) -> None:
        self._run = run
        self._propositions = propositions
        self._known = known
        self._no_calls = _why_no_calls(run.built, run.config)
        self._sizes = None if self._no_calls is not None else RequestSizes(_model(run), run.config, run.built.policy)
        self._tallies = {kind: RequestTally() for kind in RequestKind}
        self._seen: set[bytes] = set()
        self._seen_needs: set[bytes] = set()
        self._splits = dict.fromkeys(SplitEstimate.model_fields, 0)
        self._too_long = 0
        self._largest = self._largest_first = Tokens(0, 0)
        self._reference = lru_cache(maxsize=_REMEMBERED)(self._found_reference)

    def estimate(self) -> Estimate:
        """Plan every item as a run does, and return what was counted."""
        asking = asking_of(self._run.config, [self._run.built])
        for item in self._run.source.items():
            references = self._references(item)
            plan = plan_item(item, [reference.decomposition for reference in references], asking)
            is_estimated = any(reference.is_expected for reference in references)
            self._too_long += _is_too_long(plan)
            for request in requests_of(plan):
                self._count(request, is_estimated=is_estimated and request.kind is RequestKind.LABEL)
        return self._written()

    def _references(self, item: Item) -> list[_Reference]:
        own = given_decomposition(item)
        if own is not None:
            return [_Reference(own)]
        return [self._reference(need._replace(item="")) for need in needs_of(item)]

    def _found_reference(self, need: Need) -> _Reference:
        """Return the propositions of a ground truth as the run will have them, and count what it takes to make them."""
        if (frozen := self._propositions.taken_over(need)) is not None:
            self._note_split(need, "frozen")
            return _Reference(frozen)
        if (refused := refused_split(need, self._run.built.limits)) is not None:
            self._note_split(need, "too_long")
            return _Reference(refused)
        found = self._count(DecomposeRequest(question=need.question, ground_truth=need.ground_truth))
        if found is not None and isinstance(found.judgment.content, Split):
            self._note_split(need, "split_before")
            return _Reference(decomposition_of(need, found.judgment.content))
        split = expected_split(need.ground_truth)
        self._note_split(need, "to_split", len(split.propositions))
        return _Reference(decomposition_of(need, split), is_expected=True)

    def _note_split(self, need: Need, where: str, expected: int = 0) -> None:
        digest = bytes.fromhex(need.key)[:16]
        if digest not in self._seen_needs:
            self._seen_needs.add(digest)
            self._splits[where] += 1
            self._splits["estimated_propositions"] += expected

    def _count(self, request: Request, *, is_estimated: bool = False) -> Found | None:
        """Count a request unless an equal one was counted; return the judgment that is there already."""
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

    def _written(self) -> Estimate:
        run, config = self._run, self._run.config
        prices = None if self._no_calls is not None else prices_of(_model(run), config)
        kinds = {str(kind): tally.estimate(prices) for kind, tally in self._tallies.items()}
        total = total_of(kinds.values(), self._finding_out(prices))
        headroom = spending(int(any(self._largest_first)), self._largest_first, None if prices is None else prices.dearest).cost_usd
        return Estimate(
            input=InputFacts(name=run.source.name, sha256=run.source.sha256, items=run.source.count),
            judge=run.built.facts.spec,
            judge_id=run.built.facts.id,
            run_folder=str(run.out),
            no_calls=self._no_calls,
            too_long=self._too_long,
            splits=SplitEstimate(**self._splits),
            kinds=kinds,
            total=total,
            price=None if prices is None else PriceFacts(model=_model(run), price=prices.usual, source=prices.source),
            headroom_usd=headroom,
            budgets=budget_checks(config, total, headroom),
            warnings=tuple(self._known.warnings),
        )

    def _finding_out(self, prices: Prices | None) -> Spending:
        """Return the most that it can take to learn what the endpoint accepts."""
        has_calls = any(self._largest)
        calls = finding_out_calls(self._run.config) if has_calls else 0
        tokens = Tokens(calls * self._largest.input, calls * self._largest.output)
        return spending(calls, tokens, None if prices is None else prices.dearest)


def _model(run: PlannedRun) -> str:
    """Return the name of the model that a run asks."""
    return run.built.facts.spec


def _is_too_long(plan: ItemPlan) -> bool:
    """Return whether something of an item would make a request that is never sent."""
    alone = [part.reason for part in (plan.mark, plan.abstention, *plan.references) if isinstance(part, Unjudged)]
    return bool(plan.too_long) or not {UnjudgedReason.INPUT_TOO_LONG, UnjudgedReason.DECOMPOSITION_FAILED}.isdisjoint(alone)


def _why_no_calls(built: BuiltJudge, config: RunConfig) -> NoCalls | None:
    if built.replayed_from is not None:
        return "replay"
    if not built.can_cache:
        return "baseline"
    return "offline" if config.offline else None
