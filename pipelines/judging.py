"""One item: everything asked at once, and put together."""

import asyncio
from collections.abc import Sequence
from itertools import chain, islice

from judge.assembling import assemble_result
from judge.planning import Asking, plan_item, requests_of
from judge.schema.items import Item
from judge.schema.judgments import Judgment
from judge.schema.outcomes import Unjudged
from judge.schema.propositions import Decomposition
from judge.schema.results import ItemResult
from pipelines.running import RecordingJudge


async def judge_item(
    item: Item, references: Sequence[Decomposition | Unjudged], asking: Asking, judge: RecordingJudge
) -> tuple[ItemResult, list[Judgment]]:
    """Return the result of an item whose ground truths are split already, and the judgments it rests on, labels first."""
    plan = plan_item(item, references, asking)
    judgments = iter(await asyncio.gather(*map(judge.judge, requests_of(plan))))
    labels = [list(islice(judgments, len(repeats))) for repeats in plan.labels]
    appraisals = list(judgments)
    return assemble_result(item, plan, labels, appraisals), [*chain.from_iterable(labels), *appraisals]
