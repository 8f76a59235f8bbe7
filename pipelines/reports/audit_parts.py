"""What the pages of all audits show alike: figures with intervals, who was audited, what could not be judged."""

from collections.abc import Iterator, Mapping

from judge.schema.audits import Audit, AuditedJudge
from judge.schema.figures import Figure
from judge.schema.labels import UnjudgedReason
from pipelines.reports.numbers import NOT_AVAILABLE, format_bounds, format_interval, format_number

COEFFICIENTS = (
    ("cohen_kappa", "Cohen's kappa"),
    ("gwet_ac1", "Gwet's AC1"),
    ("scott_pi", "Scott's pi"),
    ("krippendorff_alpha", "Krippendorff's alpha"),
)
"""Agreement beyond chance, by field and as people name it."""


def figure_cells(figure: Figure, *, is_share: bool = False) -> tuple[str, str, str]:
    """Return value, interval and number of a figure as cells; the interval of a share is cut at 0 and 1."""
    interval = interval_cell(figure.ci95, is_share=is_share)
    return format_number(figure.value), interval, str(figure.n)


def interval_cell(interval: tuple[float, float] | None, *, is_share: bool = False) -> str:
    """Return an interval as a cell; of a share it is cut at 0 and 1."""
    return NOT_AVAILABLE if interval is None else format_interval(interval) if is_share else format_bounds(interval)


def audit_facts(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield who was audited, on what, and at which cost."""
    judge = audit.judge
    if not audit.complete:
        yield "state", "INCOMPLETE: too little was judged, or the audit was stopped; the figures are of what was judged"
    yield "judge", judge.spec
    if judge.model is not None and judge.model != judge.spec:
        yield "model", judge.model
    yield "label prompt", prompt_words(judge)
    yield "label policy", judge.policy
    yield "data", f"{audit.data.name}, {audit.data.items} items (SHA-256 {audit.data.sha256[:12]})"
    if audit.usage is not None:
        cost = "unknown" if audit.usage.cost_usd is None else f"${audit.usage.cost_usd:.4f}"
        yield "judgments", f"{audit.usage.judgments}, cost when they were made {cost}"


def prompt_words(judge: AuditedJudge) -> str:
    """Return the label prompt of a judge; a panel has none of its own, and the baseline none at all."""
    return judge.prompt or ("none" if judge.model is None else "each judge of the panel its own")


def reason_words(unjudged: Mapping[UnjudgedReason, int]) -> str:
    """Return reasons with their counts, or that there are none."""
    return ", ".join(f"{count} {reason}" for reason, count in unjudged.items()) or "none"
