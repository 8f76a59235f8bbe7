"""The report of `judge crux` as a page: one session whole, or several with their spread and each one after it."""

from collections.abc import Iterator

from judge.schema.crux import CruxSummary, MinutesSpread, SessionSummary, Spread
from judge.schema.definitions import LAYERS
from pipelines.counting import counted
from pipelines.reports.crux_tables import (
    composite_table,
    layer_tables,
    minutes_table,
    missed_table,
    relations_table,
    session_table,
    spread_table,
)
from pipelines.reports.layers import LAYER_TITLES
from pipelines.reports.page import Page
from pipelines.reports.table import Table


def crux_page(summary: CruxSummary, *, with_each: bool) -> Page:
    """Return the page; `with_each` also shows each of several sessions whole, which a terminal has no room for."""
    sessions = summary.sessions
    title = f"Session {sessions[0].session}" if len(sessions) == 1 else counted(len(sessions), "session")
    return Page(
        title=title,
        facts=tuple(_facts(summary)),
        tables=tuple(_tables(summary, with_each=with_each)),
        notes=() if with_each or len(sessions) == 1 else ("What each session was made of: --html FILE, --markdown FILE, or --json.",),
        warnings=(*summary.warnings, *(f"{each.session}: {warning}" for each in sessions for warning in each.warnings)),
        disclosure=summary.disclosure,
    )


def _facts(summary: CruxSummary) -> Iterator[tuple[str, str]]:
    for fixture in dict.fromkeys((each.fixture.id, each.fixture.version, each.fixture.sha256) for each in summary.sessions):
        yield "fixture", f"{fixture[0]}, version {fixture[1]} (SHA-256 {fixture[2][:12]})"
    if len(summary.sessions) == 1:
        session = summary.sessions[0]
        yield "trace", f"{session.trace.name} ({session.recognised}, SHA-256 {session.trace.sha256[:12]})"
        yield "agent", session.agent or "not named"
        yield "model", session.model or "not named"
    tested = sum(each.safety_tested for each in summary.sessions)
    untested = "; the others are assumed safe" if summary.assume_safe else ""
    yield "safety tested", f"{tested} of {counted(len(summary.sessions), 'session')}{untested}"
    if summary.run is None:
        yield "judged values", "none: --run RUN names a run folder of judge score"
    else:
        yield "judged values", f"run {summary.run.name}, judge {summary.run.judge}, label policy {summary.run.policy}"
    yield "metrics_version", summary.metrics_version
    yield "null policy", summary.null_policy


def _tables(summary: CruxSummary, *, with_each: bool) -> Iterator[Table]:
    sessions = summary.sessions
    if len(sessions) == 1:
        yield from _of_session(sessions[0])
    else:
        humans = [human / 60 for each in sessions if (human := each.metrics["T_human"].value) is not None]
        longest = max(humans, default=None)
        yield session_table(sessions)
        yield minutes_table({name: each for name, each in summary.composite.items() if isinstance(each, MinutesSpread)}, longest)
        yield from _spread_tables(summary)
    if (table := missed_table(sessions)) is not None:
        yield table
    yield relations_table(summary.relations)
    if with_each and len(sessions) > 1:
        for session in sessions:
            yield from (table._replace(title=f"{session.session}: {table.title}") for table in _of_session(session))


def _of_session(session: SessionSummary) -> Iterator[Table]:
    yield composite_table(session.composite)
    yield from layer_tables(session)


def _spread_tables(summary: CruxSummary) -> Iterator[Table]:
    spreads = {name: each for name, each in (summary.metrics | summary.derived).items() if isinstance(each, Spread)}
    for layer in LAYERS:
        yield spread_table(LAYER_TITLES[layer], spreads, layer)
