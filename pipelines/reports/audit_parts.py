"""What the pages of all audits show alike: figures with intervals, who was audited, what could not be judged."""

from collections.abc import Iterator, Mapping

from judge.schema.audits import Audit
from judge.schema.figures import Figure
from judge.schema.labels import UnjudgedReason
from pipelines.reports.numbers import NOT_AVAILABLE, format_bounds, format_number


def figure_cells(figure: Figure) -> tuple[str, str, str]:
    """Return value, interval and number of a figure as cells."""
    interval = NOT_AVAILABLE if figure.ci95 is None else format_bounds(figure.ci95)
    return format_number(figure.value), interval, str(figure.n)


def audit_facts(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield who was audited, on what, and at which cost."""
    judge = audit.judge
    if not audit.complete:
        yield "state", "INCOMPLETE: too little was judged, or the audit was stopped; the figures are of what was judged"
    yield "judge", judge.spec
    if judge.model is not None and judge.model != judge.spec:
        yield "model", judge.model
    yield "label prompt", judge.prompt or "none"
    yield "label policy", judge.policy
    yield "data", f"{audit.data.name}, {audit.data.items} items (SHA-256 {audit.data.sha256[:12]})"
    if audit.usage is not None:
        cost = "unknown" if audit.usage.cost_usd is None else f"${audit.usage.cost_usd:.4f}"
        yield "judgments", f"{audit.usage.judgments}, cost when they were made {cost}"


def reason_words(unjudged: Mapping[UnjudgedReason, int]) -> str:
    """Return reasons with their counts, or that there are none."""
    return ", ".join(f"{count} {reason}" for reason, count in unjudged.items()) or "none"
