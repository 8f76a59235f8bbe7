"""What a judge has to be asked about one item, decided before any call."""

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from judge.batches import Batches, Texts, batches_of
from judge.lengths import Limits, size_of, too_long
from judge.schema.items import Item
from judge.schema.labels import UnjudgedReason
from judge.schema.outcomes import Mark, Unjudged
from judge.schema.propositions import Decomposition
from judge.schema.requests import AppraiseRequest, LabelRequest, Request, Statement
from judge.text.normalise import is_empty


class Asking(NamedTuple):
    """How questions are put: statements per label request, and how often each request is repeated.

    `offers_mark` is False for a judge that cannot appraise, `wants_mark` where the user asked for none. `limits` bound a
    request to a model; None is a judge that takes any length. `first_repeat` numbers the repeats from there, so that later ones
    are asked anew. `order` seeds a permutation of the statements; None is the order by their hash.
    """

    batch_size: int
    repeats: int
    wants_mark: bool
    offers_mark: bool
    limits: Limits | None = None
    first_repeat: int = 0
    order: int | None = None

    @property
    def repeat_numbers(self) -> range:
        """The number of each repeat, which tells its requests from those of the others."""
        return range(self.first_repeat, self.first_repeat + self.repeats)


class ItemPlan(NamedTuple):
    """The requests of one item.

    `labels` holds the repeats of each chunk of statements, the first chunk with abstention; of an answer in parts each chunk
    once a part, in the order of the parts (`is_split`). `references` holds the propositions of each alternative ground truth, or
    why there are none. `mark` and `abstention` are set where they are decided without a call, `too_long` for statements.
    """

    references: tuple[Decomposition | Unjudged, ...]
    labels: tuple[tuple[LabelRequest, ...], ...]
    appraisals: tuple[AppraiseRequest, ...]
    mark: Mark | Unjudged | None
    is_empty: bool
    too_long: Mapping[str, Unjudged] = {}
    abstention: Unjudged | None = None
    is_split: bool = False


def plan_item(item: Item, references: Sequence[Decomposition | Unjudged], asking: Asking) -> ItemPlan:
    """Return the requests for an item whose ground truths are decomposed already; an empty answer needs none."""
    empty = is_empty(item.answer)
    mark = _mark_without_call(item, asking, empty=empty)
    appraisals = _appraisals(item, asking.repeat_numbers) if mark is None else ()
    found = Batches(()) if empty else _batches(item, references, asking)
    labels = _labels(item, found, asking.repeat_numbers)
    return ItemPlan(tuple(references), labels, appraisals, mark, empty, found.too_long, found.abstention, found.is_split)


def _batches(item: Item, references: Sequence[Decomposition | Unjudged], asking: Asking) -> Batches:
    statements = statement_texts(item, references)
    if asking.order is not None:
        random.Random(asking.order).shuffle(statements)  # noqa: S311 - an order that can be had again, not a secret
    texts = Texts(item.question, item.answer, statements)
    return batches_of(texts, asking.batch_size, asking.limits)


def _labels(item: Item, found: Batches, repeats: range) -> tuple[tuple[LabelRequest, ...], ...]:
    return tuple(
        tuple(
            LabelRequest(
                question=item.question,
                answer=batch.answer,
                statements=tuple(Statement(id=f"s{place}", text=text) for place, text in enumerate(batch.texts, start=1)),
                ask_abstention=batch.asks_abstention,
                repeat=repeat,
            )
            for repeat in repeats
        )
        for batch in found.batches
    )


def statement_texts(item: Item, references: Sequence[Decomposition | Unjudged]) -> list[str]:
    """Return the texts a judge sees, equal ones once, ordered by hash: neither role nor position shows."""
    texts = {proposition.text for reference in references if isinstance(reference, Decomposition) for proposition in reference.propositions}
    texts.update(item.decoys, item.gaps)
    for conflict in item.conflicts:
        texts.update((conflict.current, *conflict.superseded))
    return sorted(texts, key=_digest)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _appraisals(item: Item, repeats: range) -> tuple[AppraiseRequest, ...]:
    return tuple(
        AppraiseRequest(question=item.question, answer=item.answer, references=item.ground_truth, sources=item.sources, repeat=repeat)
        for repeat in repeats
    )


def _mark_without_call(item: Item, asking: Asking, *, empty: bool) -> Mark | Unjudged | None:
    """Return the mark where none is to be asked for; that nothing was asked wins over the 0 of an empty answer."""
    if not asking.wants_mark:
        return Unjudged(reason=UnjudgedReason.NOT_ASKED, detail="no mark was wanted")
    if item.is_unanswerable:
        return Unjudged(reason=UnjudgedReason.NOT_ASKED, detail="an unanswerable item is not marked")
    if not item.ground_truth:
        return Unjudged(reason=UnjudgedReason.NO_REFERENCE, detail="there is no ground truth to mark against")
    if not asking.offers_mark:
        return Unjudged(reason=UnjudgedReason.NOT_OFFERED, detail="this judge gives no marks")
    if empty:
        return Mark(value=0, rationale="the answer is empty")
    size = size_of(item.question, item.answer, *item.ground_truth, *item.sources)
    if asking.limits is not None and size > asking.limits.max_chars:
        return too_long(size, asking.limits, "; an answer in parts cannot be marked (--no-mark asks for no mark)")
    return None


def requests_of(plan: ItemPlan) -> Iterator[Request]:
    """Yield all requests of a plan, the label requests first."""
    for repeats in plan.labels:
        yield from repeats
    yield from plan.appraisals
