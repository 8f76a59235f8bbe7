"""What was brought before the agent, and what it made of it: P_context, R_retrieval."""

from collections.abc import Iterable, Mapping

from judge.schema.events import ContextItem, ContextLoaded, ContextUsed, Retrieval
from judge.session.answers import distinct
from judge.session.finding import Finding
from judge.session.matching import ids_in
from judge.session.reasons import NullReason, unmeasured
from judge.session.view import Session, placed, results_for
from judge.session.wording import listed, shared
from judge.standard.formulas import share
from judge.text.normalise import folded


def context_precision(session: Session) -> Finding:
    """Return P_context: context used / context loaded, in documents or in tokens as the trace says. What was never loaded does not count.

    An item that was loaded twice counts once, in tokens with the largest size that is told.
    """
    loads = placed(session, ContextLoaded)
    if not loads and session.trace.source != "trace":
        return unmeasured(NullReason.CONTEXT_NOT_RECORDED)
    sizes = _sizes(item for _, event in loads for item in event.items)
    if not sizes:
        return unmeasured(NullReason.NOTHING_LOADED)
    uses = placed(session, ContextUsed)
    if not uses:
        return unmeasured(NullReason.USE_NOT_RECORDED, f"{len(sizes)} loaded")
    named = {folded(name) for _, event in uses for name in event.ids}
    used = {name for name in sizes if folded(name) in named}
    return _in_tokens(sizes, used) if session.trace.context_unit == "tokens" else shared("documents", list(sizes), used, other="not used")


def _sizes(items: Iterable[ContextItem]) -> dict[str, int | None]:
    """Return the sizes in tokens by id; None where none is told."""
    sizes: dict[str, int | None] = {}
    for item in items:
        known = [size for size in (sizes.get(item.id), item.tokens) if size is not None]
        sizes[item.id] = max(known, default=None)
    return sizes


def _in_tokens(sizes: Mapping[str, int | None], used: set[str]) -> Finding:
    missing = [name for name, size in sizes.items() if size is None]
    if missing:
        return unmeasured(NullReason.SIZE_NOT_RECORDED, listed(missing))
    loaded = sum(size or 0 for size in sizes.values())
    taken = sum(sizes[name] or 0 for name in used)
    if not loaded:
        return unmeasured(NullReason.NOTHING_LOADED, f"{len(sizes)} items of 0 tokens")
    return Finding(share(taken, loaded), f"{taken:,} of {loaded:,} tokens, in {len(used)} of {len(sizes)} items", basis="trace")


def retrieval_recall(session: Session) -> Finding:
    """Return R_retrieval: relevant documents that a search returned before the final answer / all relevant ones."""
    relevant = distinct(session.fixture.relevant_documents)
    if not relevant:
        return unmeasured(NullReason.NO_RELEVANT_DOCUMENTS)
    if not records_retrieval(session):
        return unmeasured(NullReason.NOT_RECORDED)
    return shared("relevant documents", relevant, retrieved(session, relevant, session.final_answer))


def records_retrieval(session: Session) -> bool:
    """Return whether the record would show a search: it holds one, or the fixture names the tool for it."""
    return bool(placed(session, Retrieval)) or session.has_role("retrieval")


def retrieved(session: Session, documents: list[str], before: int) -> set[str]:
    """Return those of the documents that searches returned before a place; their ids stand as a whole in a tool's result."""
    named = {folded(name) for place, event in placed(session, Retrieval) for name in event.documents if place < before}
    results = [text for place, text in results_for(session, "retrieval") if place < before]
    return {name for name in documents if folded(name) in named} | ids_in(documents, results)
