"""What a run will take as a page: the requests and whether they are there, the tokens and the cost, and what the figures rest on."""

from collections.abc import Iterator

from judge.schema.estimates import BudgetCheck, Estimate, JudgeEstimate, PriceFacts, RequestEstimate, SplitEstimate
from judge.schema.prices import ModelPrice
from pipelines.counting import counted
from pipelines.reports.numbers import format_count, format_money
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table

NO_CALLS = {
    "baseline": "the offline baseline makes no calls: this run costs nothing",
    "replay": "a recorded run is replayed, which makes no calls: this run costs nothing",
    "offline": "--offline makes no calls: what is not there already will be unjudged (not_recorded)",
}
_FLAGS = {"budget_usd": "--budget-usd", "max_calls": "--max-calls"}
_FITS = {True: "fits", False: "does not fit", None: "unknown"}
_MILLION = 1e6


def estimate_page(estimate: Estimate) -> Page:
    """Return the page; an unknown cost reads `unknown`, and a note says why and how to tell it."""
    tables = [_judge_table(estimate.judges)] if estimate.judges else []
    tables.append(_request_table(estimate))
    if estimate.no_calls is None:
        tables.append(_spending_table(estimate))
    if estimate.budgets:
        tables.append(_budget_table(estimate.budgets))
    return Page(
        title="Estimate: nothing was sent and nothing was written",
        facts=tuple(_facts(estimate)),
        tables=tuple(tables),
        notes=tuple(_notes(estimate)),
        warnings=estimate.warnings,
    )


def _facts(estimate: Estimate) -> Iterator[tuple[str, str]]:
    yield "input", f"{estimate.input.name}, {counted(estimate.input.items, 'item')}"
    yield "judge", estimate.judge
    yield "run folder", estimate.run_folder
    yield "ground truths", _split_words(estimate.splits)
    if estimate.price is not None:
        yield "price", f"{_price_words(estimate.price.price)} ({estimate.price.source})"


def _split_words(splits: SplitEstimate) -> str:
    words = f"{splits.frozen:,} frozen, {splits.split_before:,} split before, {splits.to_split:,} to split"
    return f"{words}, {splits.too_long:,} too long" if splits.too_long else words


def _price_words(price: ModelPrice | None) -> str:
    if price is None or price.input is None or price.output is None:
        return "unknown"
    return f"{format_money(price.input * _MILLION)} input, {format_money(price.output * _MILLION)} output per million tokens"


def _rows(estimate: Estimate) -> Iterator[tuple[str, RequestEstimate]]:
    yield from estimate.kinds.items()
    yield "total", estimate.total


def _judge_table(judges: tuple[JudgeEstimate, ...]) -> Table:
    columns = (
        Column("judge"),
        *(Column(name, numeric=True) for name in ("requests", "to make", "typical calls", "typical cost", "at most")),
        Column("price", wraps=True),
    )
    rows = tuple(
        (
            each.judge,
            *map(format_count, (each.total.requests, each.total.to_make, each.total.typical.calls)),
            *(format_money(spent.cost_usd) for spent in (each.total.typical, each.total.at_most)),
            "no calls" if each.price is None else _price_words(each.price.price),
        )
        for each in judges
    )
    return Table("Judges of the panel", columns, rows, "Each is priced by its own model; all that follows is the sum over them.")


def _request_table(estimate: Estimate) -> Table:
    columns = (Column("kind"), *(Column(name, numeric=True) for name in ("requests", "in the journal", "in the cache", "to make")))
    rows = tuple((name, *map(format_count, _counts(kind))) for name, kind in _rows(estimate))
    return Table("Requests", columns, rows)


def _counts(kind: RequestEstimate) -> tuple[int, int, int, int]:
    return kind.requests, kind.from_journal, kind.from_cache, kind.to_make


def _spending_table(estimate: Estimate) -> Table:
    columns = (Column("kind"), Column("case"), *(Column(name, numeric=True) for name in ("calls", "input tokens", "output tokens", "cost")))
    rows = []
    for name, kind in _rows(estimate):
        for case, spent in (("typical", kind.typical), ("at most", kind.at_most)):
            tokens = format_count(spent.input_tokens), format_count(spent.output_tokens)
            rows.append((name if case == "typical" else "", case, format_count(spent.calls), *tokens, format_money(spent.cost_usd)))
    return Table("What they take", columns, tuple(rows))


def _budget_table(budgets: tuple[BudgetCheck, ...]) -> Table:
    columns = (Column("bound"), Column("limit", numeric=True), Column("typical"), Column("at most"))
    rows = tuple(
        (
            _FLAGS[each.setting],
            format_money(each.limit) if each.setting == "budget_usd" else f"{each.limit:,.0f}",
            _FITS[each.typical_fits],
            _FITS[each.at_most_fits],
        )
        for each in budgets
    )
    return Table("Bounds", columns, rows)


def _notes(estimate: Estimate) -> Iterator[str]:
    splits = estimate.splits
    if splits.to_split:
        truths, expected = counted(splits.to_split, "ground truth"), counted(splits.estimated_propositions, "proposition")
        yield f"{truths} not split yet: about {expected} by the offline splitter, so the label requests are estimated, not counted."
    if estimate.too_long:
        items = counted(estimate.too_long, "item")
        yield f"{items} with requests above --max-chars: these are not sent, and what they ask will be unjudged (input_too_long)."
    if estimate.no_calls is not None:
        yield f"{NO_CALLS[estimate.no_calls]}."
        return
    yield "typical: one call a request and a reply of ordinary length, without hidden reasoning, which some models bill as output."
    yield "at most: every call and retry that a judgment may make, each reserved at its worst, as --budget-usd reserves it."
    if estimate.total.typical.cost_usd is None:
        unpriced = [each.price for each in estimate.judges if each.total.typical.cost_usd is None]
        for price in [*unpriced, estimate.price]:
            yield from _price_notes(price)
        if any(check.setting == "budget_usd" for check in estimate.budgets):
            yield "With --budget-usd the run itself is refused until the price is told."
    elif any(check.setting == "budget_usd" for check in estimate.budgets):
        yield f"--budget-usd holds the typical case if it leaves {format_money(estimate.headroom_usd)}, the most that one call reserves."


def _price_notes(price: PriceFacts | None) -> Iterator[str]:
    """Say how to tell the price of a model; nothing for a panel as a whole, whose judges say it."""
    if price is None:
        return
    model = price.model
    entry = f'{{"version": "mine", "models": {{"{model}": {{"input_usd_per_million": 0.5, "output_usd_per_million": 2}}}}}}'
    yield f"The cost is unknown because the price of {model} is not known: tell it with --prices FILE, such as {entry}."
