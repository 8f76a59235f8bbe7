"""The flow of `judge score --estimate`: what a run would ask, and what that takes, without asking anything."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from judge.expected_replies import expected_split
from judge.planning import ItemPlan, plan_item, requests_of
from judge.schema.estimates import Estimate, SplitEstimate
from judge.schema.items import Item
from judge.schema.judgments import Split
from judge.schema.labels import RequestKind, UnjudgedReason
from judge.schema.manifests import InputFacts
from judge.schema.outcomes import Unjudged
from judge.schema.propositions import Decomposition
from judge.schema.requests import DecomposeRequest
from pipelines.config import RunConfig
from pipelines.decomposing import Need, decomposition_of, given_decomposition, needs_of, refused_split
from pipelines.estimates.judge_count import JudgeCount
from pipelines.estimates.known_judgments import PlannedRun, known_judgments
from pipelines.estimates.tally import budget_checks, highest, total_of
from pipelines.freezing import RunPropositions
from pipelines.gates import check_gates
from pipelines.judges import asking_of
from pipelines.panel_tally import member_names
from pipelines.panels import build_cast
from pipelines.run_record import read_run_record
from pipelines.sources import ItemSource

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
        cast = build_cast(config.model_copy(update={"budget_usd": None, "max_calls": None, "api_key_env": None}))
        for built in cast.builts:
            stack.push_async_callback(built.close)
        run = PlannedRun(source, config, cast, out)
        propositions = RunPropositions(config, source, out, stack, replayed_from=cast.builts[cast.splitter].replayed_from)
        known = known_judgments(run, propositions, stack)
        names = member_names([built.facts for built in cast.builts])
        counts = [JudgeCount(name, built, config, each) for name, built, each in zip(names, cast.builts, known.by_judge, strict=True)]
        return _Estimating(run, propositions, counts).estimate(known.warnings)


class _Reference(NamedTuple):
    """The propositions of a ground truth, or why there will be none, and whether they are only expected."""

    decomposition: Decomposition | Unjudged
    is_expected: bool = False


class _Estimating:
    """One estimate while it is made. Remembers 16 bytes per ground truth."""

    def __init__(self, run: PlannedRun, propositions: RunPropositions, counts: Sequence[JudgeCount]) -> None:
        self._run = run
        self._propositions = propositions
        self._counts = counts
        self._splitter = run.cast.splitter
        self._seen_needs: set[bytes] = set()
        self._splits = dict.fromkeys(SplitEstimate.model_fields, 0)
        self._too_long = 0
        self._reference = lru_cache(maxsize=_REMEMBERED)(self._found_reference)

    def estimate(self, warnings: Sequence[str]) -> Estimate:
        """Plan every item as a run does, and return what was counted."""
        asking = asking_of(self._run.config, self._run.cast.builts)
        for item in self._run.source.items():
            references = self._references(item)
            plan = plan_item(item, [reference.decomposition for reference in references], asking)
            is_estimated = any(reference.is_expected for reference in references)
            self._too_long += _is_too_long(plan)
            for request in requests_of(plan):
                for count in self._counts:
                    count.count(request, is_estimated=is_estimated and request.kind is RequestKind.LABEL)
        return self._written(warnings)

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
        if (refused := refused_split(need, self._run.cast.builts[self._splitter].limits)) is not None:
            self._note_split(need, "too_long")
            return _Reference(refused)
        found = self._counts[self._splitter].count(DecomposeRequest(question=need.question, ground_truth=need.ground_truth))
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

    def _written(self, warnings: Sequence[str]) -> Estimate:
        run, judges = self._run, [count.estimate() for count in self._counts]
        first = judges[0]
        total = total_of([judge.total for judge in judges])
        headroom = highest([judge.headroom_usd for judge in judges])
        calls = [judge.no_calls for judge in judges]
        return Estimate(
            input=InputFacts(name=run.source.name, sha256=run.source.sha256, items=run.source.count),
            judge=run.cast.facts.spec,
            judge_id=run.cast.facts.id,
            run_folder=str(run.out),
            no_calls=None if None in calls else first.no_calls,
            too_long=self._too_long,
            splits=SplitEstimate(**self._splits),
            kinds={kind: total_of([judge.kinds[kind] for judge in judges]) for kind in first.kinds},
            total=total,
            price=first.price if len(judges) == 1 else None,
            headroom_usd=headroom,
            budgets=budget_checks(run.config, total, headroom),
            judges=tuple(judges) if run.cast.rule is not None else (),
            warnings=tuple(warnings),
        )


def _is_too_long(plan: ItemPlan) -> bool:
    """Return whether something of an item would make a request that is never sent."""
    alone = [part.reason for part in (plan.mark, plan.abstention, *plan.references) if isinstance(part, Unjudged)]
    return bool(plan.too_long) or not {UnjudgedReason.INPUT_TOO_LONG, UnjudgedReason.DECOMPOSITION_FAILED}.isdisjoint(alone)
