"""Several judge cards as one table."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judge.schema.cards import CardBlock, CardTable, JudgeCard
from pipelines.reports.numbers import NOT_AVAILABLE, format_money, format_number
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table


def table_page(table: CardTable) -> Page:
    """Return several cards side by side: one row a judge, with the agreement that all of them have on the same data."""
    shared = _shared(table.cards)
    columns = (
        Column("judge"),
        *(Column(name, numeric=True) for name in ("flip rate", "alpha", "kappa", "accuracy", "probes", "pulled", "per 1,000 items")),
        Column("key"),
    )
    disclosures = dict.fromkeys(card.disclosure for card in table.cards)
    return Page(
        title=f"{len(table.cards)} judge cards",
        facts=(),
        tables=(Table("Judges", columns, tuple(_row(card, shared) for card in table.cards)),),
        notes=tuple(_table_notes(table, shared)),
        warnings=tuple(f"{card.judge.spec}: {limit}" for card in table.cards for limit in card.limits if "not audited" in limit),
        disclosure="; ".join(disclosures),
    )


class _Shared(NamedTuple):
    """Labels that every card of a table was held against: on which data, by name and hash, and which block."""

    name: str
    sha256: str
    block: str


def _shared(cards: Sequence[JudgeCard]) -> _Shared | None:
    """Return what all cards have in common, three labels before any other; None without any: kappas of other things do not compare."""
    each = [
        {_Shared(audit.of.data.name, audit.of.data.sha256, block.block) for audit in card.agreement or () for block in audit.blocks}
        for card in cards
    ]
    common = set.intersection(*each)
    return min(common, key=lambda one: (_BLOCKS.index(one.block), one.name), default=None)


_BLOCKS = ("labels", "supported", "abstention", "pairs")


def _block_of(card: JudgeCard, shared: _Shared | None) -> CardBlock | None:
    found = [
        block
        for audit in card.agreement or ()
        for block in audit.blocks
        if shared is not None and (audit.of.data.sha256, block.block) == (shared.sha256, shared.block)
    ]
    return found[0] if found else None


def _row(card: JudgeCard, shared: _Shared | None) -> tuple[str, ...]:
    block = _block_of(card, shared)
    steady = card.consistency[0] if card.consistency else None
    probes = card.probes[0] if card.probes else None
    cost = _cost_per_1000_items(card)
    return (
        card.judge.spec,
        format_number(None if steady is None else steady.pairwise_flip.value),
        format_number(None if steady is None else steady.krippendorff_alpha.value),
        format_number(None if block is None else block.cohen_kappa),
        format_number(None if block is None else block.accuracy),
        format_number(None if probes is None else probes.accuracy.value),
        NOT_AVAILABLE if probes is None else f"{probes.pulled_cases} of {probes.injection_cases}",
        format_money(cost),
        card.key[:12],
    )


def _cost_per_1000_items(card: JudgeCard) -> float | None:
    """Return what scoring costs: of an agreement audit, which asks once, else of another one; None where it is unknown."""
    in_order = sorted(card.cost, key=lambda each: each.of.audit != "agreement")
    return next((each.usd_per_1000_items for each in in_order if each.usd_per_1000_items is not None), None)


def _table_notes(table: CardTable, shared: _Shared | None) -> Iterator[str]:
    yield "flip rate and alpha: over repeats; probes: accuracy over all cases; pulled: by injections."
    if shared is None:
        yield "The cards share no labelled data: kappa and accuracy of different data do not compare, so none stands here."
    else:
        yield f"kappa and accuracy: with people, {shared.block} of {shared.name} (SHA-256 {shared.sha256[:12]}), which all cards share."
    if len({card.policies for card in table.cards}) > 1:
        yield "The cards were made under different label policies."
