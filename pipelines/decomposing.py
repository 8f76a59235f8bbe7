"""Ground truths into frozen propositions: each distinct one once, shared by every answer to it."""

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from typing import NamedTuple

from judge.errors import ConfigError
from judge.hashing import content_hash, decomposition_key, sha256_text
from judge.lengths import Limits, size_of, too_long
from judge.lint.findings import lint
from judge.schema.items import Item
from judge.schema.judgments import Judgment, Split
from judge.schema.labels import Origin, RequestKind, UnjudgedReason
from judge.schema.outcomes import Unjudged
from judge.schema.propositions import Decomposition, LintFinding, Proposition
from judge.schema.requests import DecomposeRequest
from pipelines.config import REPLAY_PREFIX, RunConfig
from pipelines.counting import counted
from pipelines.drifting import Drift, drift_between
from pipelines.judges import BuiltJudge
from pipelines.proposition_files import DecompositionFile
from pipelines.running import RecordingJudge, in_order, window_for
from pipelines.sources import ItemSource

_KEPT_REASONS = frozenset({UnjudgedReason.NOT_RUN, UnjudgedReason.NOT_RECORDED, UnjudgedReason.DECOMPOSITION_FAILED})
"""Reasons that say more of an item than that its ground truth could not be split."""


_TRACES = frozenset({"duplicate", "whole_text"})
"""Findings about how propositions came about, which no later look at them can make again."""


class Need(NamedTuple):
    """One distinct (question, ground truth) pair that has to be split; `item` is the first that has it."""

    key: str
    question: str | None
    ground_truth: str
    item: str = ""

    @property
    def shown(self) -> str:
        """Item and ground truth as messages name them."""
        text = self.ground_truth if len(self.ground_truth) <= 60 else f"{self.ground_truth[:59]}…"
        return f"item {self.item}: {text!r}"


class Frozen(NamedTuple):
    """What became of one need: propositions, or why there are none; and the judgment, if one was asked for.

    `was_known` says that it was split before as well, and `drift` how it differs from then.
    """

    need: Need
    decomposition: Decomposition | Unjudged
    judgment: Judgment | None
    was_known: bool = False
    drift: Drift | None = None


class Splitter(NamedTuple):
    """Who splits in a run: whom to ask, and what stands in the propositions file about it; `slots` calls at once.

    `limits` bound the texts it can be asked about.
    """

    recorder: RecordingJudge
    origin: Origin
    judge: str
    prompt: str | None
    slots: int
    limits: Limits | None = None


Earlier = Callable[[Need], Decomposition | None]
"""How a ground truth was split before, if it was."""


def splitter_of(built: BuiltJudge, recorder: RecordingJudge, slots: int) -> Splitter:
    """Return the judge of a run as the one who splits ground truths."""
    identity = built.judge.identity(RequestKind.DECOMPOSE)
    origin = Origin.MODEL if identity.model is not None else Origin.BASELINE
    return Splitter(recorder, origin, built.facts.spec, identity.prompt.label if identity.prompt else None, slots, built.limits)


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
            yield Need(decomposition_key(item.question, text), item.question, text, item.id)


def distinct_needs(items: Iterable[Item]) -> Iterator[Need]:
    """Yield each need once, in the order of the items; remembers 16 bytes per need."""
    seen: set[bytes] = set()
    for item in items:
        for need in needs_of(item):
            digest = bytes.fromhex(need.key)[:16]
            if digest not in seen:
                seen.add(digest)
                yield need


class KnownPropositions(NamedTuple):
    """Frozen propositions that a run was given: the file, opened, and the SHA-256 of its text."""

    file: DecompositionFile
    sha256: str


def open_known(config: RunConfig, source: ItemSource) -> KnownPropositions | None:
    """Open the frozen propositions that the settings name or that lie beside the input, if there are any.

    Raises ConfigError for a file that is not there and for ground truths without an entry under --locked, and
    RunFolderError for a file that cannot be read.
    """
    if config.locked and config.redecompose:
        raise ConfigError("--locked and --redecompose contradict each other: frozen propositions are either kept or made again")
    # A replay takes what the recorded run had, not what lies beside the input by now.
    is_replay = config.judge is not None and config.judge.startswith(REPLAY_PREFIX) and not config.locked
    path = config.propositions or (None if is_replay else source.propositions)
    if path is not None and not path.is_file():
        raise ConfigError(f"--propositions {path}: there is no such file")
    if path is None:
        if config.locked and any(distinct_needs(source.items())):
            raise ConfigError(f"--locked: there are no frozen propositions: no file was named, and none lies beside {source.name}")
        return None
    file = DecompositionFile(path)
    if config.locked:
        try:
            _check_locked(source.items(), file)
        except BaseException:  # whatever it was, it is raised again once the file is closed
            file.close()
            raise
    return KnownPropositions(file, sha256_text(path.read_text(encoding="utf-8")))


def _check_locked(items: Iterable[Item], file: DecompositionFile) -> None:
    missing: list[Need] = []
    for need in distinct_needs(items):
        found = file.get(need.key)
        if found is None or (found.question, found.ground_truth) != (need.question, need.ground_truth):
            missing.append(need)
    if missing:
        shown = "; ".join(need.shown for need in missing[:5]) + ("; ..." if len(missing) > 5 else "")
        lacking = f"{counted(len(missing), 'ground truth')} without frozen propositions in {file.path}, or changed since"
        raise ConfigError(f"--locked: {lacking}: {shown}")


async def freeze(
    items: Iterable[Item], known: DecompositionFile | None, splitter: Splitter, *, earlier: Earlier | None = None
) -> AsyncGenerator[Frozen, None]:
    """Yield the decomposition of each distinct ground truth in input order; those known are taken over, unsplit.

    `earlier` returns how a ground truth was split before; what differs from it is told as drift.
    """

    async def one(need: Need) -> Frozen:
        if known is not None and (found := known.get(need.key)) is not None:
            return Frozen(need, as_reviewed(found, need), None)
        if (refused := refused_split(need, splitter.limits)) is not None:
            return Frozen(need, refused, None)
        before = earlier(need) if earlier is not None else None
        judgment = await splitter.recorder.judge(DecomposeRequest(question=need.question, ground_truth=need.ground_truth))
        decomposition = _frozen(need, judgment, splitter)
        if before is None or not isinstance(decomposition, Decomposition):
            return Frozen(need, decomposition, judgment)
        return Frozen(need, decomposition, judgment, was_known=True, drift=drift_between(before, decomposition))

    async with aclosing(in_order(distinct_needs(items), one, window=window_for(splitter.slots))) as frozen:
        async for done in frozen:
            yield done


def refused_split(need: Need, limits: Limits | None) -> Unjudged | None:
    """Return why a ground truth cannot be asked about at all, or None; no part of one can be split without the rest."""
    size = size_of(need.question, need.ground_truth)
    if limits is None or size <= limits.max_chars:
        return None
    found = too_long(size, limits, ", or bring its propositions along")
    return Unjudged(reason=UnjudgedReason.DECOMPOSITION_FAILED, detail=f"{found.reason}: {found.detail}")


def as_reviewed(found: Decomposition, need: Need) -> Decomposition:
    """Return frozen propositions as a run uses them: those a person changed or wrote say so, and are linted anew."""
    is_edited = found.made_sha256 is not None and found.made_sha256 != _content_sha256(found)
    has_other_text = (found.question, found.ground_truth) != (need.question, need.ground_truth)
    if not is_edited and not has_other_text and found.origin not in (Origin.HUMAN, Origin.EDITED):
        return found
    ids = {part.id for part in found.propositions}
    traces = [finding for finding in found.lint if finding.kind in _TRACES and finding.proposition in ids]
    findings = (*traces, *lint(need.ground_truth, need.question, found.propositions))
    if has_other_text:
        detail = "the text in the propositions file is another one than the input's, under the same key; the input's counts"
        findings = (LintFinding(kind="other_ground_truth", detail=detail), *findings)
    if not found.propositions:
        findings = (*findings, LintFinding(kind="no_propositions", detail="nothing is left to judge; its items enter no rate"))
    origin = found.origin if found.origin is Origin.HUMAN or not is_edited else Origin.EDITED
    return found.model_copy(update={"question": need.question, "ground_truth": need.ground_truth, "origin": origin, "lint": findings})


def _content_sha256(decomposition: Decomposition) -> str:
    return content_hash([[part.text, part.source_quote] for part in decomposition.propositions])


def decomposition_of(need: Need, split: Split, splitter: Splitter | None = None) -> Decomposition:
    """Return the checked reply about a ground truth as a decomposition to freeze."""
    made = Decomposition(
        question=need.question,
        ground_truth=need.ground_truth,
        key=need.key,
        origin=splitter.origin if splitter is not None else Origin.MODEL,
        judge=splitter.judge if splitter is not None else None,
        prompt=splitter.prompt if splitter is not None else None,
        propositions=split.propositions,
        excluded=split.excluded,
        lint=split.lint,
    )
    return made.model_copy(update={"made_sha256": _content_sha256(made)})


def _frozen(need: Need, judgment: Judgment, splitter: Splitter) -> Decomposition | Unjudged:
    content = judgment.content
    if isinstance(content, Split):
        return decomposition_of(need, content, splitter)
    if isinstance(content, Unjudged):
        if content.reason in _KEPT_REASONS:
            return content
        return Unjudged(reason=UnjudgedReason.DECOMPOSITION_FAILED, detail=f"{content.reason}: {content.detail}")
    return Unjudged(reason=UnjudgedReason.DECOMPOSITION_FAILED, detail="the judgment holds no propositions")
