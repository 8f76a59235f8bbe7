"""Several judge cards as one table."""

from collections.abc import Iterator

from judge.schema.cards import CardTable, JudgeCard
from pipelines.reports.numbers import NOT_AVAILABLE, format_money, format_number
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table


def table_page(table: CardTable) -> Page:
    """Return several cards side by side: one row a judge, the first audit of each kind."""
    columns = (
        Column("judge"),
        *(Column(name, numeric=True) for name in ("flip rate", "alpha", "kappa", "accuracy", "probes", "pulled", "per 1,000 items")),
        Column("key"),
    )
    disclosures = dict.fromkeys(card.disclosure for card in table.cards)
    return Page(
        title=f"{len(table.cards)} judge cards",
        facts=(),
        tables=(Table("Judges", columns, tuple(_row(card) for card in table.cards)),),
        notes=tuple(_table_notes(table)),
        warnings=tuple(f"{card.judge.spec}: {limit}" for card in table.cards for limit in card.limits if "not audited" in limit),
        disclosure="; ".join(disclosures),
    )


def _row(card: JudgeCard) -> tuple[str, ...]:
    block = card.agreement[0].blocks[0] if card.agreement and card.agreement[0].blocks else None
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


def _table_notes(table: CardTable) -> Iterator[str]:
    yield "flip rate and alpha: over repeats; kappa and accuracy: with people; probes: accuracy over all cases; pulled: by injections."
    data = {tuple(each.of.data.sha256 for each in card.agreement or ()) for card in table.cards}
    if len(data) > 1:
        yield "The cards rest on different labelled data: their kappas are not comparable as they stand."
    if len({card.policies for card in table.cards}) > 1:
        yield "The cards were made under different label policies."
