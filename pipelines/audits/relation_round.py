"""Asking about items as they are and as relations change them."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from random import Random
from typing import NamedTuple

from judge.auditing.keys import cluster_digest
from judge.auditing.probe_scores import OrderSeen
from judge.auditing.relation_scores import ChangeSeen, ItemChanged
from judge.relations.case import Case, Change, Relation, Said, Subject
from judge.relations.checking import word_of
from judge.relations.hostile import KEEPS_REGIONS
from judge.schema.items import Item
from pipelines.audits.case_asking import Arrangement, AskedCase, CaseAsker, case_of
from pipelines.audits.probe_plan import Wanted, pool_places
from pipelines.counting import counted
from pipelines.open_run import OpenRun, Progress
from pipelines.running import in_order, window_for


class _Pooled(NamedTuple):
    """An item as a case, and its cluster as figures count it."""

    case: Case
    cluster: str


class _Judged(NamedTuple):
    """A pooled item and what was said of it, one a repeat."""

    pooled: _Pooled
    asked: tuple[AskedCase, ...]


class _Wave(NamedTuple):
    """One changed item to ask about: under which relation, and which item it was."""

    relation: Relation
    judged: _Judged
    change: Change


class RelationRound:
    """The user's items under the wanted relations; whole once `ask` has come to its end."""

    def __init__(self, wanted: Wanted, repeats: int) -> None:
        """Begin with nothing said."""
        self._wanted = wanted
        self._repeats = repeats
        self._without = 0
        self.pool = 0
        self.changed: dict[str, list[ItemChanged]] = {relation.id: [] for relation in wanted.relations}

    async def ask(self, run: OpenRun, asker: CaseAsker) -> AsyncGenerator[Progress, None]:
        """Ask about a choice of items as often as wanted, then about their changes, yielding progress."""
        pool = self._pooled(run)
        self.pool = len(pool)
        judged: list[_Judged] = []

        async def base(pooled: _Pooled) -> _Judged:
            arrangements = [Arrangement(repeat=repeat) for repeat in range(self._repeats)]
            return _Judged(pooled, tuple(await asyncio.gather(*(asker.ask(pooled.case, each) for each in arrangements))))

        window = window_for(run.config.max_connections)
        async with aclosing(in_order(pool, base, window=window)) as asked:
            async for one in asked:
                judged.append(one)
                yield run.progress("items as they are", len(judged), len(pool))

        async def change(wave: _Wave) -> tuple[_Wave, AskedCase]:
            return wave, await asker.ask_changed(wave.change, is_checked=wave.relation.id in KEEPS_REGIONS)

        waves = [wave for relation in self._wanted.relations for wave in self._waves(relation, judged, run)]
        found: dict[tuple[str, str], list[ChangeSeen]] = {}
        done = 0
        async with aclosing(in_order(waves, change, window=window)) as changed:
            async for wave, after in changed:
                done += 1
                key = (wave.relation.id, wave.judged.pooled.case.id)
                found.setdefault(key, []).append(ChangeSeen(wave.change, after.said, after.faulty))
                yield run.progress("items changed", done, len(waves))
        self._keep(found, judged)

    def warnings(self) -> Iterator[str]:
        """Yield which items no relation could be applied to at all."""
        if self._without:
            yield f"{counted(self._without, 'item')} without propositions left out of the relations"

    def orders(self) -> list[OrderSeen]:
        """Return the propositions that were asked in other orders, as those of the probe file are."""
        alone = {item.item: item.changes[0].said for item in self.changed.get("MR-SPLIT", [])}
        return [
            OrderSeen(
                batch=f"item {item.item}",
                usual=tuple(word_of(said.outcomes[name]) for said in item.repeats),
                orders=tuple((word_of(seen.said.outcomes[name]),) for seen in item.changes),
                alone=(word_of(alone[item.item].outcomes[name]),) if item.item in alone else (),
            )
            for item in self.changed.get("MR-ORDER", [])
            for name in item.repeats[0].outcomes
        ]

    def _pooled(self, run: OpenRun) -> list[_Pooled]:
        """Return the chosen items that have propositions, in the order in which relations take them."""
        places = pool_places(self._wanted, run.source.count)
        chosen = set(places)
        items = {place: item for place, item in enumerate(run.items()) if place in chosen}
        found = [_pooled(item, run) for item in map(items.__getitem__, places)]
        self._without = found.count(None)
        return [one for one in found if one is not None]

    def _waves(self, relation: Relation, judged: Sequence[_Judged], run: OpenRun) -> Iterator[_Wave]:
        """Yield the changes of a relation to the first items to which it can be applied."""
        taken = 0
        for one in judged:
            if taken == self._wanted.per_relation:
                return
            random = Random(f"{self._wanted.shuffle_seed} {relation.id} {one.pooled.case.id}")  # noqa: S311 - to be had again
            changes = list(relation.apply(self._subject(one, judged, run), random))
            taken += bool(changes)
            yield from (_Wave(relation, one, change) for change in changes)

    def _subject(self, one: _Judged, judged: Sequence[_Judged], run: OpenRun) -> Subject:
        first, facts = one.asked[0], run.cast.facts
        return Subject(
            case=one.pooled.case,
            said=first.said,
            others=[other.pooled.case for other in judged if other is not one],
            judge=facts.identities["label"].model or facts.spec,
            fence=first.fence or "000000",
            longest=self._wanted.longest,
        )

    def _keep(self, found: dict[tuple[str, str], list[ChangeSeen]], judged: Sequence[_Judged]) -> None:
        by_id = {one.pooled.case.id: one for one in judged}
        for (relation, identifier), changes in found.items():
            one = by_id[identifier]
            repeats: tuple[Said, ...] = tuple(asked.said for asked in one.asked)
            self.changed[relation].append(ItemChanged(identifier, one.pooled.cluster, repeats, tuple(changes)))


def _pooled(item: Item, run: OpenRun) -> _Pooled | None:
    case = case_of(item, run.propositions.of(item))
    return None if case is None else _Pooled(case, cluster_digest(item.cluster, item.question_id, item.id))
