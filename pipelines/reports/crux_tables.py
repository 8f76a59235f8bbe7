"""The tables of `judge crux`: what each number was made of, by layer; composites; what was missed; how sessions compare."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from judge.schema.crux import MinutesSpread, Relations, SessionSummary, Spread
from judge.schema.definitions import LAYERS
from judge.schema.summaries import CompositeSummary, DerivedSummary
from judge.standard.registry import definition
from pipelines.counting import counted
from pipelines.reports.layers import LAYER_TITLES
from pipelines.reports.numbers import NOT_AVAILABLE, format_bounds, format_count, format_number, format_significant, format_two_decimals
from pipelines.reports.profiles import profiles_in_words
from pipelines.reports.table import Column, Table

_EXACT_UNITS = ("binary", "s", "USD", "count")


def layer_tables(session: SessionSummary) -> Iterator[Table]:
    """Yield for each layer its fundamentals and derived values: the value or why there is none, and what it was made of."""
    columns = (Column("metric"), Column("value", numeric=True), Column("unit"), Column("basis or reason"), Column("made of", wraps=True))
    for layer in LAYERS:
        rows: list[tuple[str, ...]] = [
            (symbol, format_value(metric.value, metric.unit), metric.unit, _why(metric.value, metric.reason, metric.basis), metric.made_of)
            for symbol, metric in session.metrics.items()
            if metric.layer == layer
        ]
        rows += [_derived_row(symbol, derived) for symbol, derived in session.derived.items() if derived.layer == layer]
        yield Table(LAYER_TITLES[layer], columns, tuple(rows))


def _derived_row(symbol: str, derived: DerivedSummary) -> tuple[str, ...]:
    made_of = ", ".join(f"{name} {_input(name, value)}" for name, value in derived.inputs.items())
    why = _why(derived.value, derived.reason, derived.basis or "derived")
    return (symbol, format_number(derived.value), definition(symbol).unit, why, made_of)


def _input(name: str, value: float | None) -> str:
    return format_value(value, definition(name).unit)


def _why(value: float | None, reason: str | None, basis: str | None) -> str:
    return (basis or "") if value is not None else reason or "not_measured"


def format_value(value: float | None, unit: str) -> str:
    """Return a value as its unit is read: what is counted, timed or paid with six significant digits, ratios with three decimals."""
    if value is None:
        return NOT_AVAILABLE
    return format_significant(value) if unit in _EXACT_UNITS else format_number(value)


def composite_table(composites: Mapping[str, CompositeSummary]) -> Table:
    """Return each composite followed by its parts: components with their weights, or factors."""
    columns = (
        Column("composite"),
        Column("made of"),
        Column("weight", numeric=True),
        Column("value", numeric=True),
        Column("note", wraps=True),
    )
    rows = tuple(row for name, composite in composites.items() for row in _composite_rows(name, composite))
    note = (
        f"Composites combine the layers llm and agent. {profiles_in_words(composites)} A missing component leaves its weight to the "
        "others; the active weight says how much is there. Cx_em is version 1.0, without cost; Cx_community_em is version 1.5."
    )
    return Table("Composites", columns, rows, note)


def _composite_rows(name: str, composite: CompositeSummary) -> Iterator[tuple[str, ...]]:
    bounds = "" if composite.value is not None or composite.bounds is None else f"; {format_bounds(composite.bounds)} whatever is missing"
    size = f"{composite.unit}, {composite.band}" if composite.band else composite.unit
    note = size if composite.value is not None else f"{composite.reason}{bounds}"
    shown = format_two_decimals(composite.value) if composite.unit == "Em" else format_number(composite.value)
    yield (name, "", "", shown, note)
    if composite.factors is not None:
        yield from (("", factor, "", format_number(value), "") for factor, value in composite.factors.items())
        return
    for symbol, value in composite.components.items():
        yield ("", symbol, format_count(composite.weights[symbol]), format_number(value), composite.reasons.get(symbol, ""))
    total = sum(composite.weights.values())
    yield ("", "active weight", f"{composite.active_weight_sum} of {total}", "", ", ".join(composite.active_components) or "none")


def missed_table(sessions: Sequence[SessionSummary]) -> Table | None:
    """Return what final outputs should hold and do not, and whether the document that holds it was found; None where all is there."""
    columns = (Column("session"), Column("missed", wraps=True), Column("kind"), Column("document"), Column("its document was"))
    rows = tuple((each.session, key.key, key.kind, key.document or "", key.fate) for each in sessions for key in each.missed)
    return Table("Missed in the final output", columns, rows) if rows else None


def spread_table(title: str, spreads: Mapping[str, Spread], layer: str | None) -> Table:
    """Return numbers over several sessions, those of one layer or, for None, all."""
    columns = (
        Column("metric"),
        Column("value", numeric=True),
        Column("statistic"),
        Column("sd", numeric=True),
        Column("p95", numeric=True),
        Column("n", numeric=True),
        Column("nulls", numeric=True),
        Column("unit"),
        Column("note", wraps=True),
    )
    rows = tuple(_spread_row(name, each) for name, each in spreads.items() if layer is None or each.layer == layer)
    return Table(title, columns, rows)


def _spread_row(name: str, each: Spread) -> tuple[str, ...]:
    # The share of ones is a ratio, whatever it is a share of.
    unit = "ratio" if each.statistic == "pass_rate" else each.unit

    def shown(value: float | None) -> str:
        return "" if value is None else format_value(value, unit)

    value = format_value(each.value, unit)
    counts = (format_count(each.n), format_count(each.nulls))
    why = ", ".join(f"{count} {reason}" for reason, count in each.reasons.items())
    return (name, value, each.statistic.replace("_", " "), shown(each.sd), shown(each.p95), *counts, each.unit, why)


def minutes_table(composites: Mapping[str, MinutesSpread], longest: float | None) -> Table:
    """Return composites over several sessions: all of them, then those with an open and with a closed safety gate.

    `longest` is the longest T_human in minutes, which no effective minutes exceed.
    """
    columns = (
        Column("composite"),
        Column("sessions"),
        Column("mean", numeric=True),
        Column("sd", numeric=True),
        Column("95 % interval", numeric=True),
        Column("n", numeric=True),
        Column("nulls", numeric=True),
        Column("note", wraps=True),
    )
    rows = tuple(row for name, composite in composites.items() for row in _minutes_rows(name, composite, longest))
    note = (
        f"Composites combine the layers llm and agent. {profiles_in_words(composites)} "
        "Intervals are cluster-t, over fixtures where there are several, else over sessions."
    )
    return Table("Composites over sessions", columns, rows, note)


def _minutes_rows(name: str, composite: MinutesSpread, longest: float | None) -> Iterator[tuple[str, ...]]:
    ceiling = longest if composite.unit == "Em" else 1.0
    # Effective minutes weigh what their mean does, which stands above them.
    note = ", ".join(f"{count} {reason}" for reason, count in composite.reasons.items()) if composite.unit == "Em" else _weighing(composite)
    yield _minutes_row((name, "all"), composite, note, ceiling)
    for gate, each in composite.by_gate.items() if composite.unit == "Em" else ():
        yield _minutes_row(("", gate.replace("_", " ")), each, each.reason or "", ceiling)


def _weighing(composite: MinutesSpread) -> str:
    """Say what the sessions weigh: their active components, each with its weight, and how many sessions have them."""
    total = sum(composite.weights.values())
    sets = []
    for names, count in composite.active_sets.items():
        weights = {name: composite.weights[name] for name in names.split(", ") if name}
        listed = ", ".join(f"{name} {weight}" for name, weight in weights.items()) or "nothing"
        sets.append(f"{listed} (active weight {sum(weights.values())} of {total}): {counted(count, 'session')}")
    return "; ".join([*sets, *(f"{reason}: {counted(count, 'session')}" for reason, count in composite.reasons.items())])


def _minutes_row(names: tuple[str, str], each: Spread, note: str, ceiling: float | None) -> tuple[str, ...]:
    def shown(value: float | None) -> str:
        return format_two_decimals(value) if each.unit == "Em" else format_number(value)

    # An interval that goes beyond what the number can be says no more than that it may be anything there.
    highest = inf if ceiling is None else ceiling
    interval = NOT_AVAILABLE if each.ci95 is None else format_bounds((max(each.ci95[0], 0.0), min(each.ci95[1], highest)))
    return (*names, shown(each.value), shown(each.sd), interval, format_count(each.n), format_count(each.nulls), note)


def session_table(sessions: Sequence[SessionSummary]) -> Table:
    """Return the sessions one a row, with what most people look for first."""
    names = ("session", "agent", "S_gate", "Q_info", "Q_reasoning", "Cx_em", "Cx_community_em", "its band", "passed")
    columns = tuple(Column(name, numeric=name[0] in "SQC", wraps=name == "its band") for name in names)
    return Table("Sessions", columns, tuple(map(_session_row, sessions)))


def _session_row(session: SessionSummary) -> tuple[str, ...]:
    community = session.composite["Cx_community_em"]
    return (
        session.session,
        session.agent or "",
        _input("S_gate", session.metrics["S_gate"].value),
        format_number(session.derived["Q_info"].value),
        format_number(session.derived["Q_reasoning"].value),
        format_two_decimals(session.composite["Cx_em"].value),
        format_two_decimals(community.value),
        community.band or community.reason or "",
        "" if session.passed is None else str(int(session.passed)),
    )


def relations_table(relations: Sequence[Relations]) -> Table:
    """Return what other benchmarks would call these sessions, by fixture and agent."""
    columns = (Column("fixture"), Column("agent"), Column("theirs"), Column("value", numeric=True), Column("made of", wraps=True))
    rows = tuple(row for each in relations for row in _relation_rows(each))
    note = "A session passes with S_gate 1 and R_decision at or above --pass-threshold, which the standard does not set."
    return Table("In the words of other benchmarks", columns, rows, note)


def _relation_rows(each: Relations) -> Iterator[tuple[str, ...]]:
    passed = f"{each.passed} of {each.trials} passed" if each.trials else each.reason or ""
    if each.trials and each.trials < each.sessions:
        passed += f", {each.sessions - each.trials} cannot be told"
    clear = each.clear
    yield (
        each.fixture.id,
        each.agent or "",
        "METR time horizon (min)",
        format_two_decimals(each.time_horizon_min),
        f"T_human x pass rate; {passed}",
    )
    yield ("", "", "SWE-bench resolved", format_number(each.resolved_rate), passed)
    spread = f"sd {format_two_decimals(each.cx_sd)} over {counted(each.cx_n, 'session')}"
    yield ("", "", "tau-bench Cx_em mean", format_two_decimals(each.cx_mean), spread)
    yield from _pass_rows(each.pass_hat_k, each.pass_at_k)
    over = {symbol: f"of {n}" if n else "no session has it" for symbol, n in clear.n.items()}
    yield ("", "", "CLEAR cost (USD)", _input("C_tokens", clear.C_tokens_usd), f"mean C_tokens, {over['C_tokens']}")
    orient = f"median, {over['T_orient']}; may lie within T_task, so there is no sum"
    yield ("", "", "CLEAR latency: T_orient (s)", _input("T_orient", clear.T_orient_s), orient)
    yield ("", "", "CLEAR latency: T_task (s)", _input("T_task", clear.T_task_s), f"median, {over['T_task']}")
    yield ("", "", "CLEAR efficacy", format_number(clear.Q_info), f"mean Q_info, {over['Q_info']}")


def _pass_rows(hats: Mapping[str, float], ats: Mapping[str, float]) -> Iterator[tuple[str, ...]]:
    for k, value in hats.items():
        yield ("", "", f"pass^{k}", format_number(value), f"pass@{k} {format_number(ats.get(k))}; unbiased")
