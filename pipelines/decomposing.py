"""Ground truths into frozen propositions: each distinct one once, shared by every answer to it."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from judge.errors import ConfigError
from judge.hashing import content_hash
from judge.schema.items import Item
from judge.schema.judgments import Judgment, Split
from judge.schema.labels import Origin, UnjudgedReason
from judge.schema.outcomes import Unjudged
from judge.schema.propositions import Decomposition, Proposition
from judge.schema.requests import DecomposeRequest
from pipelines.files import DecompositionFile
from pipelines.running import RecordingJudge, in_order

_KEPT_REASONS = frozenset({UnjudgedReason.NOT_RUN, UnjudgedReason.NOT_RECORDED, UnjudgedReason.DECOMPOSITION_FAILED})
"""Reasons that say more of an item than that its ground truth could not be split."""


class Need(NamedTuple):
    """One distinct (question, ground truth) pair that has to be split."""

    key: str
    question: str | None
    ground_truth: str


class Frozen(NamedTuple):
    """What became of one need: propositions, or why there are none; and the judgment, if one was asked for."""

    key: str
    decomposition: Decomposition | Unjudged
    judgment: Judgment | None


def decomposition_key(question: str | None, ground_truth: str | None, texts: Sequence[str] = ()) -> str:
    """Return the SHA-256 of question and ground truth, and of the proposition texts where the item brought its own."""
    return content_hash(question, ground_truth, list(texts)) if texts else content_hash(question, ground_truth)


def given_decomposition(item: Item) -> Decomposition | None:
    """Return the propositions that an item brought along, as a decomposition of its own; None if it brought none."""
    if not item.propositions:
        return None
    ground_truth = item.ground_truth[0] if len(item.ground_truth) == 1 else None
    return Decomposition(
        question=item.question,
        ground_truth=ground_truth,
        key=decomposition_key(item.question, ground_truth, [given.text for given in item.propositions]),
        origin=Origin.HUMAN,
        propositions=tuple(Proposition(id=given.id, text=given.text, source_quote=given.source_quote) for given in item.propositions),
    )


def needs_of(item: Item) -> Iterator[Need]:
    """Yield what of an item has to be split: each alternative ground truth, unless propositions were given."""
    if not item.propositions:
        for text in item.ground_truth:
            yield Need(decomposition_key(item.question, text), item.question, text)


def distinct_needs(items: Iterable[Item]) -> Iterator[Need]:
    """Yield each need once, in the order of the items; remembers 16 bytes per need."""
    seen: set[bytes] = set()
    for item in items:
        for need in needs_of(item):
            digest = bytes.fromhex(need.key)[:16]
            if digest not in seen:
                seen.add(digest)
                yield need


def check_locked(items: Iterable[Item], frozen: DecompositionFile | None, source: str) -> None:
    """Raise ConfigError unless every ground truth has its propositions in the file already."""
    missing = [need for need in distinct_needs(items) if frozen is None or frozen.get(need.key) is None]
    if missing:
        shown = "; ".join(repr(need.ground_truth[:60]) for need in missing[:5])
        raise ConfigError(f"--locked: {len(missing)} ground truths have no frozen propositions in {source}, or changed since: {shown}")


async def freeze(
    items: Iterable[Item],
    frozen: DecompositionFile | None,
    recorder: RecordingJudge,
    *,
    origin: Origin,
    names: Mapping[str, str | None],
    window: int,
) -> AsyncIterator[Frozen]:
    """Yield the decomposition of each distinct ground truth in input order; those frozen before are taken over.

    `names` gives `judge` and `prompt` as they are to stand in the propositions file.
    """

    async def one(need: Need) -> Frozen:
        if frozen is not None and (known := frozen.get(need.key)) is not None:
            return Frozen(need.key, known, None)
        judgment = await recorder.judge(DecomposeRequest(question=need.question, ground_truth=need.ground_truth))
        return Frozen(need.key, _frozen(need, judgment, origin, names), judgment)

    async for done in in_order(distinct_needs(items), one, window=window):
        yield done


def decomposition_of(
    need: Need, split: Split, origin: Origin = Origin.MODEL, names: Mapping[str, str | None] | None = None
) -> Decomposition:
    """Return the checked reply about a ground truth as a decomposition to freeze."""
    named = names or {}
    return Decomposition(
        question=need.question,
        ground_truth=need.ground_truth,
        key=need.key,
        origin=origin,
        judge=named.get("judge"),
        prompt=named.get("prompt"),
        propositions=split.propositions,
        excluded=split.excluded,
        lint=split.lint,
    )


def _frozen(need: Need, judgment: Judgment, origin: Origin, names: Mapping[str, str | None]) -> Decomposition | Unjudged:
    content = judgment.content
    if isinstance(content, Split):
        return decomposition_of(need, content, origin, names)
    if isinstance(content, Unjudged):
        if content.reason in _KEPT_REASONS:
            return content
        return Unjudged(reason=UnjudgedReason.DECOMPOSITION_FAILED, detail=f"{content.reason}: {content.detail}")
    return Unjudged(reason=UnjudgedReason.DECOMPOSITION_FAILED, detail="the judgment holds no propositions")
