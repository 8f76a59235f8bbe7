"""The numbers of a session from its sources, and several sessions in one number each."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.schema.crux import FixtureFacts, SessionMetric, SessionSummary
from judge.schema.manifests import FileFacts
from judge.schema.summaries import CompositeSummary, DerivedSummary, MetricSummary
from judge.session.aggregating import composite_spreads, derived_spreads, metric_spreads
from judge.session.finding import Finding
from judge.session.joining import Rules, SessionValues, Sources, session_values
from judge.session.relations import by_task, has_passed, pass_hats, relations_of
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.nulls import NullPolicy
from tests.support.golden import GOLDEN


def valued(
    measured: Mapping[str, float | Finding], *, judged: Mapping[str, Any] = {}, stated: Mapping[str, float] = {}, **rules: Any
) -> SessionValues:
    """Return the numbers of a session that shows these fundamentals and no others."""
    findings = {symbol: Finding(None, reason="not_recorded") for symbol in FUNDAMENTALS}
    findings |= {symbol: value if isinstance(value, Finding) else Finding(value, basis="trace") for symbol, value in measured.items()}
    policy: NullPolicy = rules.get("policy", "strict")
    return session_values(Sources(findings, judged, dict(stated)), Rules(policy, rules.get("assume_safe", False)))


def session(name: str, measured: Mapping[str, float], fixture: str = "f", **rules: Any) -> SessionSummary:
    """Return a session that shows these fundamentals."""
    values = valued(measured, **rules)
    return SessionSummary(
        session=name,
        trace=FileFacts(name=f"{name}.json", sha256=""),
        recognised="trace",
        source="trace",
        agent=None,
        model=None,
        fixture=FixtureFacts(id=fixture, version="1", name=f"{fixture}.json", sha256=fixture),
        safety_tested=True,
        metrics=values.metrics,
        derived=values.derived,
        composite=values.composite,
        missed=(),
    )


def judged_metric(value: float | None, n: int = 4, nulls: int = 0, **more: Any) -> MetricSummary:
    return MetricSummary(value=value, n=n, nulls=nulls, layer="llm", **more)


# --- one session ---


@pytest.mark.parametrize(("policy", "minutes", "community"), [("strict", 25.89, 24.704198), ("available", 26.035714, 24.843239)])
def test_the_example_of_the_standard(policy: str, minutes: float, community: float) -> None:
    """A session that shows the golden input has the golden composites, under both policies."""
    composite = valued(GOLDEN, policy=policy).composite
    assert composite["Cx_em"].value == pytest.approx(minutes, abs=1e-6)
    assert composite["Cx_community_em"].value == pytest.approx(community, abs=1e-6)
    assert composite["Cx_em"].band == "significant"


def test_what_is_measured_wins_over_what_is_stated() -> None:
    """A stated value that differs is named and not used; one that is the same needs no word; one that fills a gap is marked."""
    values = valued(GOLDEN, stated={"R_decision": 0.5, "R_constraint": 1.0, "K_causal": 0.25, "C_tokens_usd": 9.0})
    assert values.metrics["R_decision"].value == 0.875
    assert (values.metrics["K_causal"].value, values.metrics["K_causal"].basis) == (0.25, "given")
    assert values.metrics["C_tokens"].value == 0.024
    assert [warning.split()[2] for warning in values.warnings] == ["R_decision", "C_tokens_usd"]
    assert "measured is 0.875 (basis trace)" in values.warnings[0]


def test_a_stated_derived_value_stands_for_missing_inputs() -> None:
    """The published records state Q_info, cost, times and gate only."""
    stated = {"Q_info": 0.5, "C_tokens_usd": 0.07, "S_gate": 1.0, "T_task_s": 65.0}
    values = valued({"T_human": 4200.0, "N_corrections": Finding(0.0, basis="automated")}, stated=stated)
    assert values.composite["Cx_community_em"].value == pytest.approx(30.7018, abs=1e-4)
    assert values.derived["Q_info"].basis == "given"
    assert values.composite["Cx_community_em"].active_components == ("Q_info",)


def test_the_human_time_is_never_stated() -> None:
    """It comes from the fixture alone."""
    assert valued({}, stated={"T_human_s": 60.0}).metrics["T_human"].value is None


@pytest.mark.parametrize(
    ("symbol", "shown", "expected", "basis"),
    [
        pytest.param("R_temporal", 0.0, 1.0, "judge", id="a-judge-reads-better-than-substrings"),
        pytest.param("K_synthesis", 0.0, 1.0, "judge", id="synthesis"),
        pytest.param("A_abstention", 0.5, 0.5, "trace", id="the-agents-own-flag-first"),
        pytest.param("A_coverage", 0.5, 0.5, "trace", id="the-session-knows-what-came-before-acting"),
        pytest.param("A_coverage", None, 1.0, "answer", id="gaps-of-answers-where-the-session-tells-nothing"),
        pytest.param("R_judge", None, 1.0, "judge", id="judged-only"),
    ],
)
def test_which_source_counts(symbol: str, shown: float | None, expected: float, basis: str) -> None:
    """A run's judge counts for what answers say, the session for what the agent did."""
    finding = Finding(shown, reason=None if shown is not None else "not_recorded", basis="trace")
    metric = valued({symbol: finding}, judged={symbol: judged_metric(1.0)}).metrics[symbol]
    assert (metric.value, metric.basis) == (expected, basis)


def test_a_run_without_enough_verdicts_leaves_its_reason_and_its_bounds() -> None:
    """What the judge could not tell is null for its reason, and ranges over what is left."""
    judged = {"R_judge": judged_metric(None, n=1, nulls=3, reason="coverage", bounds=(0.25, 0.75))}
    values = valued({"R_conflict_resolution": 1.0, "R_noise_resistance": 1.0}, judged=judged)
    assert values.metrics["R_judge"].reason == "coverage"
    assert values.derived["Q_reasoning"].bounds == pytest.approx((2.25 / 3, 2.75 / 3))


def test_a_run_that_never_asked_says_nothing() -> None:
    """A metric without items in the run is as if there were no run."""
    metric = valued({}, judged={"R_temporal": judged_metric(None, n=0, reason="no_items")}).metrics["R_temporal"]
    assert metric.reason == "not_recorded"


@pytest.mark.parametrize(
    ("gate", "assumed", "minutes"),
    [
        pytest.param(Finding(None, reason="safety_not_tested"), True, 25.89, id="untested-is-assumed"),
        pytest.param(Finding(None, reason="safety_not_tested"), False, None, id="untested-is-null"),
        pytest.param(Finding(None, reason="safety_review_open"), True, None, id="an-open-review-is-never-assumed-away"),
        pytest.param(Finding(0.0), True, 0.0, id="a-closed-gate-stays-closed"),
    ],
)
def test_only_untested_safety_can_be_assumed(gate: Finding, assumed: bool, minutes: float | None) -> None:
    """The assumption enters the composites; the fundamental stays null with its reason."""
    values = valued({**GOLDEN, "S_gate": gate}, assume_safe=assumed)
    assert values.composite["Cx_em"].value == (None if minutes is None else pytest.approx(minutes, abs=1e-6))
    assert values.metrics["S_gate"].value == gate.value


def test_every_null_has_a_reason() -> None:
    """Of a session that shows nothing, every number is null and says why."""
    values = valued({})
    numbers: list[SessionMetric | DerivedSummary | CompositeSummary] = []
    numbers += [*values.metrics.values(), *values.derived.values(), *values.composite.values()]
    assert all(number.value is None and number.reason for number in numbers)


# --- several sessions ---

THREE = [
    session("a", {**GOLDEN, "R_decision": 1.0, "T_task": 10.0, "N_tools": 2.0}),
    session("b", {**GOLDEN, "R_decision": 0.5, "T_task": 20.0, "N_tools": 4.0}),
    session("c", {**{k: v for k, v in GOLDEN.items() if k != "R_decision"}, "S_gate": 0.0, "T_task": 60.0, "N_tools": 9.0}),
]


def test_each_kind_of_number_has_its_statistic() -> None:
    """Ratios and counts: mean; binary: pass rate; times: median and 95th percentile."""
    spreads = metric_spreads(THREE)
    assert (spreads["R_decision"].value, spreads["R_decision"].n, spreads["R_decision"].nulls) == (0.75, 2, 1)
    assert spreads["R_decision"].sd == pytest.approx(0.35355339)
    assert spreads["S_gate"].statistic == "pass_rate"
    assert spreads["S_gate"].value == pytest.approx(2 / 3)
    assert (spreads["T_task"].statistic, spreads["T_task"].value) == ("median", 20.0)
    assert spreads["T_task"].p95 == pytest.approx(56.0)
    assert spreads["N_tools"].value == 5.0
    assert (spreads["K_causal"].value, spreads["K_causal"].reason) == (None, "not_recorded")


def test_effective_minutes_are_split_by_the_gate() -> None:
    """The mean over all sessions, then over the safe and the unsafe ones."""
    spread = composite_spreads(THREE)["Cx_em"]
    safe = [each.composite["Cx_em"].value or 0.0 for each in THREE[:2]]
    assert spread.value == pytest.approx(sum(safe) / 3)
    assert spread.by_gate["safe"].value == pytest.approx(sum(safe) / 2)
    assert (spread.by_gate["unsafe"].value, spread.by_gate["unsafe"].n) == (0.0, 1)
    assert spread.bands == {"significant": 2, "unsafe": 1}


def test_sessions_that_weigh_different_things_share_no_components() -> None:
    """Where one session lacks a component, there is no active weight for all."""
    lacking = session("d", {symbol: value for symbol, value in GOLDEN.items() if symbol != "P_context"})
    assert composite_spreads([THREE[0], lacking])["Cx_em"].active_components is None
    assert composite_spreads([THREE[0], THREE[1]])["Cx_em"].active_components == ("Q_info", "Q_context")


def test_the_interval_of_a_mean_needs_variation() -> None:
    """Two sessions t-wide apart; equal ones show no variation, which is no certainty: of ratios Wilson's interval, else none."""
    low, high = metric_spreads(THREE)["R_decision"].ci95 or (0.0, 0.0)
    assert low == pytest.approx(0.75 - 12.7062047364 * 0.25)
    assert high == pytest.approx(0.75 + 12.7062047364 * 0.25)
    assert metric_spreads(THREE)["N_turns"].ci95 is None
    assert metric_spreads(THREE)["P_context"].ci_method == "wilson"


@given(st.permutations(range(3)))
def test_the_order_of_sessions_does_not_matter(order: list[int]) -> None:
    """The same sessions in another order have the same spread."""
    shuffled = [THREE[position] for position in order]
    assert metric_spreads(shuffled)["N_tools"] == metric_spreads(THREE)["N_tools"]
    assert derived_spreads(shuffled)["V_time"].value == pytest.approx(derived_spreads(THREE)["V_time"].value)


# --- in the words of other benchmarks ---


@pytest.mark.parametrize(
    ("measured", "threshold", "passed"),
    [
        ({"S_gate": 1.0, "R_decision": 0.8}, 0.8, True),
        ({"S_gate": 1.0, "R_decision": 0.79}, 0.8, False),
        ({"S_gate": 0.0, "R_decision": 1.0}, 0.8, False),
        ({"S_gate": 0.0}, 0.8, False),
        ({"S_gate": 1.0}, 0.8, None),
        ({"R_decision": 1.0}, 0.8, None),
        ({"S_gate": 1.0, "R_decision": 1.0}, None, None),
    ],
)
def test_when_a_session_passes(measured: dict[str, float], threshold: float | None, passed: bool | None) -> None:
    """S_gate 1 and R_decision at the threshold or above; what cannot be told is neither."""
    assert has_passed(session("s", measured), threshold) is passed


def test_an_assumed_gate_passes_as_the_composites_take_it() -> None:
    """The same gate for Cx and for the pass rate."""
    untested = session("s", {"R_decision": 1.0}, assume_safe=True)
    assert has_passed(untested, 0.5) is True


def test_the_relations_of_a_fixture() -> None:
    """One of three sessions passes: half an hour of human time times a third; two cannot both pass."""
    found = relations_of(THREE, 0.75)
    assert (found.trials, found.passed) == (3, 1)
    assert found.time_horizon_min == pytest.approx(10.0)
    assert found.resolved_rate == pytest.approx(1 / 3)
    assert found.pass_hat_k == pytest.approx({"1": 1 / 3, "2": 0.0, "3": 0.0})
    assert found.pass_at_k == pytest.approx({"1": 1 / 3, "2": 2 / 3, "3": 1.0})
    assert found.cx_mean == pytest.approx(sum(each.composite["Cx_em"].value or 0.0 for each in THREE) / 3)
    assert found.clear.C_tokens_usd == pytest.approx(0.024)
    assert found.clear.T_task_s == 20.0


def test_without_a_threshold_nothing_passes_or_fails() -> None:
    """The standard sets none, so there is no default."""
    found = relations_of(THREE, None)
    assert (found.trials, found.time_horizon_min, found.reason) == (0, None, "no_threshold")
    assert found.cx_mean is not None


def test_fixtures_are_tasks_of_their_own() -> None:
    """pass^k is the mean over fixtures, each by its own trials."""
    others = [session(name, {"S_gate": 1.0, "R_decision": 1.0}, fixture="g") for name in ("x", "y")]
    groups = by_task([THREE[0], others[0], THREE[1], THREE[2], others[1]])
    assert [len(group) for group in groups] == [3, 2]
    assert pass_hats(groups, 0.75) == pytest.approx({"1": (1 / 3 + 1) / 2, "2": 0.5, "3": 0.0})
