"""A leaderboard as a page: who stands where, what that value is made of, and what the runs are."""

from collections.abc import Iterator

from judge.schema.leaderboards import Leaderboard, Standing
from judge.schema.rates import Rate
from judge.standard.composites import COMPOSITES
from judge.standard.fundamentals import layer_of
from judge.standard.intervals import ENDS_OF_INPUTS, EXACT
from judge.standard.ranking import Place
from pipelines.reports.numbers import (
    NOT_AVAILABLE,
    format_bounds,
    format_interval,
    format_money,
    format_number,
    format_rate,
    format_significant,
    format_two_decimals,
)
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table

UNSAFE = "unsafe"

_UNRANKED = "-"
_BETTER = {"up": "higher is better", "down": "lower is better"}


def leaderboard_page(board: Leaderboard) -> Page:
    """Put a leaderboard into words and tables; text from data is not escaped yet."""
    tables = (_ranks(board), _components(board), _inputs(board), _runs(board))
    return Page(
        title=f"Leaderboard by {board.by}",
        facts=tuple(_facts(board)),
        tables=tuple(table for table in tables if table is not None),
        notes=tuple(_notes(board)),
        warnings=board.warnings,
        disclosure=board.disclosure,
    )


def _facts(board: Leaderboard) -> Iterator[tuple[str, str]]:
    yield "ranked by", f"{board.by} ({board.unit}; {_BETTER.get(board.direction, 'no direction')})"
    yield "why", board.by_reason
    yield "layer", board.layer
    if board.by in COMPOSITES:
        yield "profile", board.profile or "not stated by any run"
        yield "formula", board.formula_id or "not stated by any run"
    yield "metrics_version", board.metrics_version
    yield "null policy", board.null_policy
    yield "label policy", board.policy or "none, nothing was judged"
    if board.across_judges:
        yield "judges", "different ones, allowed by --across-judges"
    elif judge := next((each.judge for each in board.standings if each.judge is not None), None):
        yield "judge", f"{judge.spec} (id {judge.id[:12]})"


def _ranks(board: Leaderboard) -> Table:
    columns = (
        Column("rank", numeric=True),
        Column("run"),
        Column("value", numeric=True),
        Column("95 % interval", numeric=True),
        Column("method"),
        Column("note"),
    )
    rows = tuple(_rank_row(board, each) for each in board.standings)
    note = "Runs whose 95 % intervals overlap cannot be told apart and share a range of ranks; the order within it is that of the values."
    return Table("Ranks", columns, rows, note)


def _rank_row(board: Leaderboard, each: Standing) -> tuple[str, ...]:
    rank = _UNRANKED if each.rank_range is None else Place(*each.rank_range).in_words()
    return (rank, each.run, _number(board.unit, each.value), _interval(board, each), each.ci_method or "", _remark(each))


def _remark(each: Standing) -> str:
    """Say why a run has no rank, else which size its effective minutes have; an unsafe run is called so whatever ranks it."""
    words = [] if each.complete else ["incomplete"]
    words.append((each.unranked or each.band or "") if each.complete else each.reason or "")
    if each.S_gate == 0 and each.band != UNSAFE:
        words.append(UNSAFE)
    return "; ".join(word for word in words if word)


def _interval(board: Leaderboard, each: Standing) -> str:
    if each.ci_method == EXACT:
        return EXACT
    if each.ci95 is None:
        return "" if each.value is None else NOT_AVAILABLE
    return format_interval(each.ci95) if board.unit.startswith("ratio") and each.ci95[1] <= 1 else format_bounds(each.ci95)


def _number(unit: str, value: float | None) -> str:
    if unit == "Em":
        return format_two_decimals(value)
    return format_number(value) if unit.startswith("ratio") or value is None else format_significant(value)


def _components(board: Leaderboard) -> Table | None:
    """Return what a composite is the weighted mean of, with the weights in the heads, or None where no composite ranks."""
    weights = next((each.weights for each in board.standings if each.weights), None)
    if weights is None:
        return None
    heads = (Column(f"{symbol} x{weight}", numeric=True) for symbol, weight in weights.items())
    columns = (Column("run"), *heads, Column("active", numeric=True))
    total = sum(weights.values())
    rows = tuple(
        (each.run, *(format_number(each.components.get(symbol)) for symbol in weights), f"{each.active_weight_sum} of {total}")
        for each in board.standings
        if each.weights
    )
    layers = ", ".join(f"{symbol} {layer_of(symbol)}" for symbol in weights)
    note = (
        "Active is the weight of the components with a value; the others leave theirs to them. "
        f"Profile: {board.profile or 'not stated'}. Composites combine layers: {layers}."
    )
    return Table("Components", columns, rows, note)


def _inputs(board: Leaderboard) -> Table | None:
    """Return the factors of effective minutes or the inputs of a derived value, or None where neither ranks.

    The gate, a factor too, stands among what the runs are.
    """
    told = {"S_gate"} if board.unit == "Em" else set[str]()
    names = tuple(dict.fromkeys(name for each in board.standings for name in each.inputs if name not in told))
    if not names:
        return None
    columns = (Column("run"), *(Column(name, numeric=True) for name in names))
    rows = tuple((each.run, *(_input(each.inputs.get(name)) for name in names)) for each in board.standings if each.inputs)
    return Table("Factors" if board.unit == "Em" else "Inputs", columns, rows)


def _input(value: float | None) -> str:
    return format_significant(value) if value is not None and value > 1 else format_number(value)


def _runs(board: Leaderboard) -> Table:
    """Return what the runs are; who judged only where judges differ, else it stands at the top."""
    judges = (Column("judge"), Column("judge id")) if board.across_judges else ()
    columns = (
        Column("run"),
        *judges,
        Column("S_gate", numeric=True),
        Column("T_human s", numeric=True),
        Column("cost", numeric=True),
        Column("judge cost", numeric=True),
        Column("coverage", numeric=True),
    )
    rows = tuple((each.run, *(_judge_cells(each) if judges else ()), *_run_cells(each)) for each in board.standings)
    return Table("Runs", columns, rows, "The cost is the agent's, C_tokens; what judging cost stands apart.")


def _judge_cells(each: Standing) -> tuple[str, ...]:
    return ("none", "") if each.judge is None else (each.judge.spec, each.judge.id[:12])


def _run_cells(each: Standing) -> tuple[str, ...]:
    return (
        NOT_AVAILABLE if each.S_gate is None else f"{each.S_gate:g}",
        NOT_AVAILABLE if each.T_human_s is None else format_significant(each.T_human_s),
        format_money(each.C_tokens_usd),
        "none" if each.judge is None else format_money(each.judge_cost_usd),
        _coverage(each.coverage),
    )


def _coverage(coverage: dict[str, Rate]) -> str:
    statements = coverage.get("statements")
    return NOT_AVAILABLE if statements is None else format_rate(statements)


def _notes(board: Leaderboard) -> Iterator[str]:
    if all(each.rank is None for each in board.standings):
        yield "No run could be ranked."
    if any(each.ci_method == ENDS_OF_INPUTS for each in board.standings):
        yield (
            f"{ENDS_OF_INPUTS}: the ends of the inputs' 95 % intervals went through the formula, as if all erred together; "
            "the interval is wider than one of 95 %, and what was given counts as exact."
        )
    for each in board.standings:
        if each.value is not None and each.ci95 is None:
            yield f"{each.run}: no 95 % interval ({each.ci_reason}); only its value is compared, which ties where it is equal or enclosed"
