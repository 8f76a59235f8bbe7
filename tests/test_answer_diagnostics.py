"""Diagnostics of answers: partial credit, and whether conflicts and decoys are acknowledged. They feed nothing."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.answer_diagnostics import VERSIONS, acknowledges
from judge.schema.outcomes import Outcome
from judge.schema.results import ConflictResult, ItemResult
from judge.schema.summaries import DiagnosticSummary
from judge.scorecard import ScoreTable
from judge.standard.registry import definition
from pipelines.api import score as score_items
from pipelines.reports.tables import diagnostic_table
from tests.test_scorecard import ANSWERED, FAILED, NO, NOT_OFFERED, SILENT, YES, item, score, statements

OUTCOMES = st.sampled_from([YES, NO, SILENT])


def conflict(current: Outcome, *superseded: Outcome) -> ConflictResult:
    sides = statements(current, *superseded)
    return ConflictResult(id="c", resolved=None, current=sides[0], superseded=sides[1:])


def found(*results: ItemResult, min_coverage: float = 0.0) -> dict[str, DiagnosticSummary]:
    return score(*results, min_coverage=min_coverage).diagnostics


def known(name: str, *results: ItemResult) -> tuple[float | None, int, str | None]:
    each = found(*results)[name]
    assert each.version == VERSIONS[name]
    return each.value, each.n, each.reason


@pytest.mark.parametrize("name", sorted(VERSIONS))
def test_versions_are_those_of_the_registry(name: str) -> None:
    """What a summary names is what `judge metrics` explains."""
    assert definition(name).since == VERSIONS[name]


def test_partial_credit_is_not_proposition_quality() -> None:
    """Of five propositions 3 supported and 1 contradicted: (3 - 1) / 5 = 0.40, where Q6 is 0.6 x 0.8 = 0.48."""
    card = score(item(YES, YES, YES, NO, SILENT))
    assert card.diagnostics["partial_credit"].value == 0.4
    assert card.derived["Q_proposition"].value == pytest.approx(0.48)


def test_partial_credit_is_a_mean_over_items_that_never_falls_below_0() -> None:
    """Credits 1, 0 (not -1) and 1/2 over three items; what an unanswerable item or a partly judged one says counts nowhere."""
    items = (item(YES), item(NO), item(YES, SILENT), item(YES, FAILED), item(YES, answerable=False))
    assert known("partial_credit", *items) == (0.5, 3, None)


@pytest.mark.parametrize(
    ("current", "superseded", "expected"),
    [
        (YES, [NO], True),
        (NO, [YES], True),
        (YES, [SILENT, YES], True),
        (YES, [FAILED, NO], True),
        (YES, [SILENT], False),
        (SILENT, [YES], False),
        (SILENT, [FAILED], False),
        (FAILED, [SILENT, SILENT], False),
        (YES, [], False),
        (YES, [SILENT, FAILED], None),
        (FAILED, [YES], None),
        (NOT_OFFERED, [NOT_OFFERED], None),
    ],
)
def test_a_conflict_is_acknowledged_by_addressing_both_sides(current: Outcome, superseded: list[Outcome], expected: bool | None) -> None:
    """Supported or contradicted, the answer speaks of it; what is unjudged leaves it open only where it could still matter."""
    assert acknowledges(conflict(current, *superseded)) is expected


def test_conflicts_are_counted_one_by_one() -> None:
    """Two of three conflicts in two items; a fourth is not known and is in no count."""
    first = item(YES, conflicts=(conflict(YES, NO), conflict(YES, SILENT)), signals={"R_conflict_resolution": 0.5})
    second = item(YES, conflicts=(conflict(NO, YES), conflict(FAILED, YES)), signals={"R_conflict_resolution": 0.5})
    assert known("conflict_acknowledged_rate", first, second) == (2 / 3, 3, None)


def test_a_decoy_is_acknowledged_by_contradicting_it() -> None:
    """One of three: adopting a decoy is no acknowledgement, nor is silence, and a failed verdict is in no count."""
    noisy = item(YES, decoys=statements(NO, YES, SILENT, FAILED), signals={"R_noise_resistance": 0.5})
    assert known("decoy_acknowledged_rate", noisy) == (1 / 3, 3, None)


def test_decoys_count_where_noise_resistance_has_no_value() -> None:
    """An answerable item without propositions cannot show that its answer engages; its decoys are judged all the same."""
    assert known("decoy_acknowledged_rate", item(decoys=statements(NO))) == (1.0, 1, None)


def test_without_verdicts_there_is_a_reason() -> None:
    """The reason of the metric beside it, or that nothing is fully judged."""
    assert {name: (each.value, each.n, each.reason) for name, each in found().items()} == {
        "partial_credit": (None, 0, "no_answerable_items"),
        "conflict_acknowledged_rate": (None, 0, "no_conflicts"),
        "decoy_acknowledged_rate": (None, 0, "no_decoys"),
    }
    failed = item(FAILED, conflicts=(conflict(FAILED, NO),), signals={"R_conflict_resolution": 0.0}, abstention=ANSWERED)
    assert known("partial_credit", failed) == (None, 0, "no_fully_judged_items")
    assert known("conflict_acknowledged_rate", failed) == (None, 0, "no_fully_judged_items")


def test_below_coverage_there_is_no_value() -> None:
    """As for the metric beside it: one of two items is judged, and 0.95 is asked for."""
    each = found(item(YES), item(FAILED), min_coverage=0.95)["partial_credit"]
    assert (each.value, each.n, each.reason) == (None, 1, "coverage")


@given(st.lists(st.lists(OUTCOMES, min_size=1, max_size=4), min_size=1, max_size=6), st.randoms())
def test_diagnostics_lie_in_0_to_1_whatever_the_order(shapes: list[list[Outcome]], rng: random.Random) -> None:
    """Shares and means of credits, the same to the last digit for any order of items and any split over agents."""
    items = [
        item(*shape, conflicts=(conflict(*shape),), decoys=statements(*shape), agent=f"a{place % 2}") for place, shape in enumerate(shapes)
    ]
    table = ScoreTable()
    for result in rng.sample(items, k=len(items)):
        table.add(result)
    shuffled = table.scorecard(0.0, "strict").diagnostics
    assert shuffled == found(*items)
    for each in shuffled.values():
        assert each.value is not None
        assert 0.0 <= each.value <= 1.0


def test_they_stand_in_the_summary_and_in_every_report(tmp_path: Path) -> None:
    """A run of the baseline: one proposition supported, no conflict, one decoy not named."""
    given_item = {
        "answer": "The bridge opened in 1964.",
        "propositions": ["The bridge opened in 1964."],
        "decoys": ["The tunnel is closed."],
    }
    run = score_items([given_item], judge="lexical", out=tmp_path / "run", no_cache=True)
    table = diagnostic_table(run.summary.diagnostics)
    assert table is not None
    assert table.rows == (
        ("partial_credit", "1.000", "1", "diagnostics-v1", ""),
        ("conflict_acknowledged_rate", "n/a", "0", "signals-v1", "no_conflicts"),
        ("decoy_acknowledged_rate", "0.000", "1", "signals-v1", ""),
    )
    written = json.loads((run.folder / "summary.json").read_text(encoding="utf-8"))
    assert written["diagnostics"]["partial_credit"] == {"value": 1.0, "n": 1, "reason": None, "version": "diagnostics-v1"}
    for report in ("report.md", "report.html"):
        assert "conflict_acknowledged_rate" in (run.folder / report).read_text(encoding="utf-8")


def test_a_summary_without_diagnostics_has_no_table() -> None:
    assert diagnostic_table({}) is None
