"""Asking all probe cases: every one as often as wanted, and those about order in other orders and one by one too."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from random import Random
from typing import NamedTuple

from judge.auditing.probe_scores import CaseSeen, OrderSeen
from judge.relations.case import Said
from judge.relations.checking import word_of
from judge.relations.order import permutation_seeds
from judge.schema.probes import ProbeCase
from pipelines.audits.case_asking import Arrangement, CaseAsker
from pipelines.audits.probe_plan import Batch, batches_of_probes
from pipelines.open_run import OpenRun, Progress
from pipelines.running import in_order, window_for


class _BatchSeen(NamedTuple):
    """What was said of a batch, one a repeat: in the usual order, in each other order, and one by one."""

    batch: Batch
    usual: tuple[Said, ...]
    orders: tuple[tuple[Said, ...], ...]
    alone: tuple[Said, ...]


class ProbeRound:
    """Probe cases and what was said of them; `seen` and `orders` are whole once `ask` has come to its end."""

    def __init__(self, probes: Sequence[ProbeCase], repeats: int, seed: int) -> None:
        """Begin with nothing said. `seed` chooses the orders."""
        self._probes = probes
        self._repeats = repeats
        self._seed = seed
        self.seen: list[CaseSeen] = []
        self.orders: list[OrderSeen] = []

    async def ask(self, run: OpenRun, asker: CaseAsker) -> AsyncGenerator[Progress, None]:
        """Ask everything, in the order of the file, yielding progress."""

        async def one(batch: Batch) -> _BatchSeen:
            return await self._ask_batch(batch, asker)

        done = 0
        batches = batches_of_probes(self._probes)
        async with aclosing(in_order(batches, one, window=window_for(run.config.max_connections))) as asked:
            async for seen in asked:
                done += len(seen.batch.probes)
                self._keep(seen)
                yield run.progress("probing", done, len(self._probes))
        places = {probe.id: place for place, probe in enumerate(self._probes)}
        self.seen.sort(key=lambda one: places[one.case.id])

    async def _ask_batch(self, batch: Batch, asker: CaseAsker) -> _BatchSeen:
        count = len(batch.probes)
        several = count > 1
        random = Random(f"{self._seed} {batch.case.id}")  # noqa: S311 - an order that can be had again, not a secret
        seeds = list(permutation_seeds(count, random)) if several else []
        wanted = [Arrangement(order=None), *(Arrangement(order=seed) for seed in seeds), *([Arrangement(alone=True)] if several else [])]
        repeated = [arrangement._replace(repeat=repeat) for arrangement in wanted for repeat in range(self._repeats)]
        asked = await asyncio.gather(*(asker.ask(batch.case, arrangement) for arrangement in repeated))
        said = [tuple(one.said for one in asked[start : start + self._repeats]) for start in range(0, len(asked), self._repeats)]
        return _BatchSeen(batch, said[0], tuple(said[1 : len(seeds) + 1]), said[-1] if several else ())

    def _keep(self, seen: _BatchSeen) -> None:
        for proposition, probe in zip(seen.batch.case.propositions, seen.batch.probes, strict=True):
            name = proposition.id
            outcomes = tuple(said.outcomes[name] for said in seen.usual)
            self.seen.append(CaseSeen(probe, outcomes, tuple(said.abstention for said in seen.usual)))
            if seen.orders:
                self.orders.append(
                    OrderSeen(
                        batch=seen.batch.case.id,
                        usual=tuple(map(word_of, outcomes)),
                        orders=tuple(tuple(word_of(said.outcomes[name]) for said in order) for order in seen.orders),
                        alone=tuple(word_of(said.outcomes[name]) for said in seen.alone),
                    )
                )
