"""A scored campaign as a page."""

from collections.abc import Iterator

from judge.schema.campaign_scorecards import AttemptScore, CampaignScorecard
from judge.schema.diagnostics import SubMetric
from pipelines.counting import counted
from pipelines.reports.gates import gate_words
from pipelines.reports.numbers import NOT_AVAILABLE, format_count, format_duration, format_number, format_score, format_significant
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table

_KINDS = {"turns": "turns", "count": "count", "per_objective": "per objective"}


def campaign_page(card: CampaignScorecard) -> Page:
    """Return the page: attempts, floors, dimensions, sub-metrics, what is recommended, and what was published."""
    attempts = sorted((attempt for floor in card.floors for attempt in floor.attempts), key=lambda attempt: attempt.attempt)
    tables = (
        _attempt_table(attempts),
        _floor_table(card),
        _dimension_table(card, attempts),
        *(_sub_metric_table(name, attempts) for name in card.dimensions if attempts),
        *_recommendation_tables(card),
        *_published_tables(card),
    )
    return Page(
        title=f"Campaign {card.input.name if card.campaign is None else card.campaign}",
        facts=tuple(_facts(card, len(attempts))),
        tables=tuple(table for table in tables if table.rows),
        notes=(*card.notes, *_published_notes(card)),
        disclosure=card.disclosure,
    )


def _facts(card: CampaignScorecard, attempts: int) -> Iterator[tuple[str, str]]:
    yield "campaign score", format_score(card.campaign_score)
    yield "cleared floors", f"{card.cleared_floors} of {len(card.floors)} attempted, {counted(attempts, 'attempt')}"
    for name, value in (("agent", card.agent), ("arm", card.arm), ("source", card.source)):
        if value is not None:
            yield name, value
    yield "file", f"{card.input.name} (SHA-256 {card.input.sha256[:12]})"
    if card.history is not None:
        yield "ledger", f"{card.history.name}: {card.history.known} known, {card.history.appended} appended"
    yield "versions", f"metrics_version {card.metrics_version}, {card.diagnostics_version}"
    for gate in card.gates:
        dimension = card.dimensions.get(gate.metric)
        yield "gate", gate_words(gate, why_null=None if dimension is None else dimension.reason)


def _attempt_table(attempts: list[AttemptScore]) -> Table:
    columns = (
        *(Column(name, numeric=True) for name in ("attempt", "floor", "completion", "time", "turns")),
        *(Column(name) for name in ("cleared", "counts", "status")),
        *(Column(name, numeric=True) for name in ("score", "total after")),
    )
    rows = tuple(
        (
            str(one.attempt),
            str(one.floor),
            format_number(one.completion),
            format_duration(one.duration_ms / 1000),
            format_count(one.turns),
            "yes" if one.cleared else "no",
            "yes" if one.counts else "no",
            "" if one.status is None else one.status,
            format_score(one.floor_score),
            format_score(one.campaign_score_after),
        )
        for one in attempts
    )
    return Table(
        "Attempts, in the order in which they were made",
        columns,
        rows,
        "score = completion / minutes / turns x 1000, from unrounded milliseconds. Of each floor the best cleared attempt counts.",
    )


def _floor_table(card: CampaignScorecard) -> Table:
    columns = (Column("floor", numeric=True), Column("score", numeric=True), Column("counting attempt", numeric=True), Column("attempts"))
    rows = tuple(
        (
            str(floor.floor),
            format_score(floor.floor_score),
            "none cleared" if floor.counting_attempt is None else str(floor.counting_attempt),
            ", ".join(f"{one.attempt}: {format_score(one.floor_score)}{'' if one.cleared else ' not cleared'}" for one in floor.attempts),
        )
        for floor in card.floors
    )
    return Table("Floors", columns, rows)


def _dimension_table(card: CampaignScorecard, attempts: list[AttemptScore]) -> Table:
    columns = (Column("attempt"), Column("floor", numeric=True), *(Column(_words(name), numeric=True) for name in card.dimensions))
    rows = [
        (str(one.attempt), str(one.floor), *(format_number(dimension.score) for dimension in one.dimensions.values())) for one in attempts
    ]
    means = ("mean", "", *(format_number(mean.score) for mean in card.dimensions.values()))
    return Table(
        "Dimensions, 0 to 1, higher is better",
        columns,
        (*rows, means) if rows else (),
        "Each is the mean of its sub-metrics that are ratios and have a value; the mean is over the attempts that have one: "
        + ", ".join(f"{_words(name)} {mean.n}" for name, mean in card.dimensions.items()),
    )


def _sub_metric_table(name: str, attempts: list[AttemptScore]) -> Table:
    columns = (
        Column("attempt", numeric=True),
        Column("sub-metric"),
        Column("value", numeric=True),
        Column("in the mean"),
        Column("made of"),
    )
    rows = tuple(
        (str(one.attempt), _words(metric), _value(found), _contribution(found), found.made_of)
        for one in attempts
        for metric, found in one.dimensions[name].sub_metrics.items()
    )
    return Table(f"Sub-metrics: {_words(name)}", columns, rows)


def _value(found: SubMetric) -> str:
    if found.value is None:
        return NOT_AVAILABLE
    return format_number(found.value) if found.kind == "ratio" else format_significant(found.value)


def _contribution(found: SubMetric) -> str:
    if found.reason is not None:
        return _words(found.reason)
    return _KINDS.get(found.kind, format_number(found.contribution))


def _recommendation_tables(card: CampaignScorecard) -> Iterator[Table]:
    by_rule = {fired.rule: fired for fired in card.recommendations}
    attempts = {rule: ", ".join(str(fired.attempt) for fired in card.recommendations if fired.rule == rule) for rule in by_rule}
    yield Table(
        "Recommendations",
        (Column("recommendation"), Column("config"), Column("on attempts")),
        tuple((fired.recommendation, fired.config, attempts[rule]) for rule, fired in by_rule.items()),
    )
    yield Table(
        "Patterns that fired",
        (Column("attempt", numeric=True), Column("floor", numeric=True), Column("pattern"), Column("found")),
        tuple((str(fired.attempt), str(fired.floor), fired.pattern, _numbers(fired.numbers)) for fired in card.recommendations),
        "; ".join(f"{fired.pattern}: {fired.threshold}" for fired in by_rule.values()),
    )


def _numbers(numbers: dict[str, float]) -> str:
    return ", ".join(f"{name} {format_significant(value)}" for name, value in numbers.items())


def _published_tables(card: CampaignScorecard) -> Iterator[Table]:
    if card.published is None:
        return
    yield Table(
        "Published values that differ from ours",
        (Column("attempt"), Column("what"), Column("published and ours")),
        tuple(
            (
                "all" if found.attempt is None else str(found.attempt),
                _words(found.what),
                f"published {format_significant(found.published)}, ours "
                + (f"n/a ({found.reason})" if found.ours is None else format_significant(found.ours)),
            )
            for found in card.published.differences
        ),
        "How dimension scores were published is not known; ours are made by another rule and need not agree.",
    )
    yield Table(
        "Published recommendations that differ from ours",
        (Column("attempt", numeric=True), Column("published only"), Column("ours only")),
        tuple(
            (str(found.attempt), ", ".join(found.published_only), ", ".join(found.ours_only)) for found in card.published.recommendations
        ),
    )


def _published_notes(card: CampaignScorecard) -> Iterator[str]:
    found = card.published
    if found is None:
        return
    if found.floor_scores:
        yield f"{found.floor_scores_agreeing} of {found.floor_scores} published floor scores agree with ours within 1e-9."
    if found.campaign_score is not None:
        agreement = "agrees with ours within 1e-9" if found.campaign_score_agrees else "differs from ours"
        yield f"The published campaign score {format_score(found.campaign_score)} {agreement}."


def _words(name: str) -> str:
    return name.replace("_", " ")
