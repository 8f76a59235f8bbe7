"""A plan as a page."""

from collections.abc import Iterator

from judge.schema.plans import ComparisonPlan, LabelPlan, Plan
from pipelines.reports.numbers import NOT_AVAILABLE, format_count, format_number
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table

_SHOWN = 0.0005


def plan_page(plan: Plan) -> Page:
    """Return the page: how many labels the wanted width takes, and what a comparison can detect."""
    return Page(
        title=f"Plan for {plan.run or plan.calibration}",
        facts=tuple(_facts(plan)),
        tables=(_label_table(plan), *(() if plan.comparison is None else (_comparison_table(plan.comparison),))),
        notes=tuple(f"assumed: {assumption}" for assumption in plan.assumptions),
        disclosure=plan.disclosure,
    )


def _facts(plan: Plan) -> Iterator[tuple[str, str]]:
    if plan.calibration is not None:
        yield "calibration", plan.calibration
    if plan.against is not None:
        yield "against", plan.against
    yield "wanted", f"a 95 % interval {plan.width:g} wide"
    yield "recall", f"{format_number(plan.recall)} expected"
    yield "judge", f"right on {plan.sensitivity:.1%} of supported and {plan.specificity:.1%} of other statements".replace("%", " %")


def _label_table(plan: Plan) -> Table:
    columns = (
        Column("way"),
        Column("labels", numeric=True),
        Column("supported", numeric=True),
        Column("others", numeric=True),
        Column("to draw", numeric=True),
        Column("deff", numeric=True),
        Column("note", wraps=True),
    )
    rows = tuple(
        _label_row(name, each, plan.statements_in_run) for name, each in (("people alone", plan.human_only), ("corrected", plan.corrected))
    )
    return Table("Labels of people", columns, rows, "To draw: statements at random that hold as many of either label.")


def _label_row(name: str, plan: LabelPlan, available: int | None) -> tuple[str, ...]:
    missing = NOT_AVAILABLE if plan.statements is None else ""
    wanted = (plan.statements, plan.positives, plan.negatives, plan.drawn)
    numbers = (missing if each is None else format_count(each) for each in wanted)
    return (name, *numbers, f"{plan.deff:.2f}", _label_note(plan, available))


def _label_note(plan: LabelPlan, available: int | None) -> str:
    if plan.reason == "run_too_small":
        return f"however many: no narrower than {plan.narrowest:.3f}, the run needs more questions"
    if plan.reason is not None:
        return "this judge's labels tell too little"
    needed = max(plan.statements or 0, plan.drawn or 0)
    if available is not None and needed > available:
        return f"the run has only {format_count(available)} statements"
    return f"never narrower than {plan.narrowest:.3f}" if plan.narrowest >= _SHOWN else ""


def _comparison_table(plan: ComparisonPlan) -> Table:
    columns = (
        Column("questions", numeric=True),
        Column("in one run only", numeric=True),
        Column("sd of differences", numeric=True),
        Column("deff", numeric=True),
        Column("detectable", numeric=True),
        Column("found", numeric=True),
        Column("95 % interval", numeric=True),
        Column("p", numeric=True),
    )
    deviation = format_number(plan.deviation) + (" (assumed)" if plan.assumed else "")
    row = (
        format_count(plan.questions),
        "" if plan.assumed else format_count(plan.left_out),
        deviation,
        f"{plan.deff:.2f}",
        format_number(plan.detectable) if plan.reason is None else plan.reason.replace("_", " "),
        *_found(plan),
    )
    note = "Detectable: the smallest true difference in recall found with power 0.8, two-sided at 5 %, runs paired by question."
    return Table("Comparison of two such runs", columns, (row,), note)


def _found(plan: ComparisonPlan) -> tuple[str, str, str]:
    found = plan.difference
    if found is None or found.value is None:
        return "", "", ""
    interval = NOT_AVAILABLE if found.ci95 is None else f"{found.ci95[0]:+.3f} to {found.ci95[1]:+.3f}"
    return f"{found.value:+.3f}", interval, format_number(plan.p)
