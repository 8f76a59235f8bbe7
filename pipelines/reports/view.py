"""A run as all renderers show it: the same words and numbers, before any layout."""

from collections.abc import Mapping
from typing import NamedTuple

from judge.schema.manifests import FlaggedItems
from judge.schema.summaries import ItemCounts, Summary, UsageSummary
from pipelines.reports.correction_tables import corrected_table
from pipelines.reports.facts import RunFacts
from pipelines.reports.numbers import format_count, format_money, format_rate
from pipelines.reports.panel_tables import panel_tables
from pipelines.reports.standard_tables import composite_table, derived_table, given_table
from pipelines.reports.table import Table
from pipelines.reports.tables import agent_table, coverage_table, diagnostic_table, metric_notes, metric_table, unjudged_table

BASELINE = "lexical"


class RunView(NamedTuple):
    """Everything but the items; `incomplete` is None for a complete run."""

    title: str
    incomplete: str | None
    facts: tuple[tuple[str, str], ...]
    headline: Table
    notes: tuple[str, ...]
    tables: tuple[Table, ...]
    counts: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    disclosure: str


def build_view(summary: Summary, facts: RunFacts, *, agent_cap: int) -> RunView:
    """Put a run into words and tables; text from data is not escaped yet."""
    tables = (
        None if summary.corrected is None else corrected_table(summary.corrected),
        *(() if summary.panel is None else panel_tables(summary.panel)),
        derived_table(summary),
        composite_table(summary),
        given_table(summary),
        diagnostic_table(summary.diagnostics),
        agent_table(summary.by_agent, agent_cap),
        coverage_table(summary.coverage),
        unjudged_table(summary.unjudged),
    )
    return RunView(
        title=f"Run {facts.run}",
        incomplete=_incomplete(summary, facts),
        facts=_facts(summary, facts),
        headline=metric_table(summary),
        notes=metric_notes(summary),
        tables=tuple(table for table in tables if table is not None),
        counts=_counts(summary, facts),
        warnings=facts.warnings,
        disclosure=summary.disclosure,
    )


def words(name: str) -> str:
    """Return a name of a closed list as words: `not_addressed` as 'not addressed'."""
    return name.replace("_", " ")


def _incomplete(summary: Summary, facts: RunFacts) -> str | None:
    if facts.stopped is not None:
        return f"INCOMPLETE: {facts.stopped}"
    if summary.complete:
        return None
    missing = [f"{name} {format_rate(rate)}" for name, rate in summary.coverage.items() if rate.numerator < rate.denominator]
    return f"INCOMPLETE: too little was judged: {', '.join(missing)}" if missing else "INCOMPLETE: not everything was judged"


def _facts(summary: Summary, facts: RunFacts) -> tuple[tuple[str, str], ...]:
    return (
        ("judge", judge_in_words(facts)),
        ("judge id", summary.judge.id[:12]),
        ("input", facts.input_name),
        ("label prompt", facts.prompt or "none"),
        ("label policy", facts.policy),
        ("metrics_version", facts.metrics_version),
        ("null policy", facts.null_policy),
        *((("run record", facts.run_record),) if facts.run_record is not None else ()),
    )


def judge_in_words(facts: RunFacts) -> str:
    """Name the judge so that nobody takes the baseline for a model, or a replay for a new run."""
    if facts.panel:
        name = facts.judge_spec + (f"; {BASELINE} is the offline baseline, no model" if BASELINE in facts.panel else "")
    elif facts.judge_spec == BASELINE:
        name = f"{BASELINE} (offline baseline, no model)"
    elif facts.judge_model is None or facts.judge_model == facts.judge_spec:
        name = facts.judge_spec
    else:
        name = f"{facts.judge_spec} (model {facts.judge_model})"
    if facts.replayed_from is None:
        return name
    return f"{name if facts.panel else f'recorded judge {name}'}, replayed from {facts.replayed_from}"


def _counts(summary: Summary, facts: RunFacts) -> tuple[tuple[str, str], ...]:
    return (
        ("items", _items(summary.items)),
        ("labels", _listed(summary.labels)),
        ("answers", _listed(summary.abstentions)),
        *((("flagged items", flag_words(facts.flags)),) if facts.flags else ()),
        *((("repeats", _repeats(facts)),) if facts.repeats > 1 else ()),
        ("usage", _usage(summary.usage)),
        ("judgments", _origins(facts)),
    )


def _repeats(facts: RunFacts) -> str:
    numbers = range(1, len(facts.panel or (facts.judge_spec,)) + 1)
    journals = ["journal.jsonl" if number == 1 else f"journal-{number}.jsonl" for number in numbers]
    return f"{facts.repeats} of each request; every reply, with its quotes and rationales, is in {', '.join(journals)}"


def flag_words(flags: Mapping[str, FlaggedItems]) -> str:
    """Return how many items carry which flag, and which they are: '2 injection suspected (q1, q7), 1 repaired (q3)'."""
    return ", ".join(f"{format_count(found.count)} {words(flag)} ({_named(found)})" for flag, found in flags.items())


def _named(found: FlaggedItems) -> str:
    return ", ".join(found.first) + (", ..." if found.count > len(found.first) else "")


def _items(items: ItemCounts) -> str:
    states = {name: count for name, count in items.model_dump().items() if name != "total"}
    return f"{format_count(items.total)} ({_listed(states)})"


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{format_count(count)} {words(name)}" for name, count in counts.items()) or "none"


def _usage(usage: UsageSummary) -> str:
    tokens = f"{format_count(usage.input_tokens)} input and {format_count(usage.output_tokens)} output tokens"
    return f"{format_count(usage.judgments)} judgments, {tokens}, cost {format_money(usage.cost_usd)}"


def _origins(facts: RunFacts) -> str:
    made, cached, journalled = map(format_count, (facts.made_now, facts.from_cache, facts.from_journal))
    return f"{made} made now, {cached} from the cache, {journalled} from the journal"
