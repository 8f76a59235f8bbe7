"""One item: everything asked at once, of every judge, and put together."""

import asyncio
from collections.abc import Sequence
from itertools import chain, islice
from typing import NamedTuple

from judge.assembling import Ballot, assemble_result
from judge.planning import Asking, ItemPlan, plan_item, requests_of
from judge.schema.items import Item
from judge.schema.judgments import Judgment
from judge.schema.labels import PanelRule, RequestKind
from judge.schema.outcomes import Unjudged
from judge.schema.propositions import Decomposition
from judge.schema.results import ItemResult
from pipelines.voices import Voice


class JudgedItem(NamedTuple):
    """The result of an item, and what it rests on: what was to be asked, and what each judge said."""

    result: ItemResult
    plan: ItemPlan
    ballots: tuple[Ballot, ...]

    @property
    def judgments(self) -> tuple[Judgment, ...]:
        """The judgments of one judge after the other, labels first."""
        return tuple(chain.from_iterable(ballot.judgments for ballot in self.ballots))


class Questions(NamedTuple):
    """All that is to be found out about an item: its ground truths are split already."""

    item: Item
    references: Sequence[Decomposition | Unjudged]
    asking: Asking


async def judge_item(questions: Questions, voices: Sequence[Voice], rule: PanelRule = PanelRule.MAJORITY) -> JudgedItem:
    """Return the result of an item by one judge, or by several as a panel."""
    plan = plan_item(*questions)
    ballots = tuple(await asyncio.gather(*(_ballot(plan, voice) for voice in voices)))
    return JudgedItem(assemble_result(questions.item, plan, ballots, rule), plan, ballots)


async def _ballot(plan: ItemPlan, voice: Voice) -> Ballot:
    """Ask one judge everything of a plan that it can be asked."""
    asked = plan if voice.offers(RequestKind.APPRAISE) else plan._replace(appraisals=())
    judgments = iter(await asyncio.gather(*map(voice.recorder.judge, requests_of(asked))))
    labels = tuple(tuple(islice(judgments, len(repeats))) for repeats in asked.labels)
    return Ballot(labels, tuple(judgments))
