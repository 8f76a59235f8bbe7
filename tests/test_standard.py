"""The scoring standard in numbers computed by hand: derived values, composites, null rules, bounds."""

import json
import os
import random
from collections.abc import Mapping
from math import inf
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from judge.errors import ConfigError
from judge.schema.summaries import CompositeSummary, DerivedSummary
from judge.standard.composites import COMPOSITES, band_of, compose
from judge.standard.derived import DERIVATIONS, derive
from judge.standard.formulas import campaign_score, floor_score, mean_share, share
from judge.standard.fundamentals import FUNDAMENTALS, layer_of
from judge.standard.measured import Measured, as_measured
from judge.standard.nulls import NullPolicy, mean_of_known
from tests.support import golden

Values = dict[str, float | None]

GOLDEN: Values = {**golden.GOLDEN}
JUDGED: Values = {"R_judge": 0.896, "R_conflict_resolution": 1.0, "R_noise_resistance": 0.5}
WHOLE: Values = {
    **GOLDEN,
    "K_causal": 0.8,
    "K_decision": 0.9,
    "K_checkpoint": 0.7,
    "R_judge": 0.9,
    "R_conflict_resolution": 0.75,
    "R_noise_resistance": 0.6,
    "C_tokens": 0.25,
    "N_corrections": 1.0,
    "N_turns": 10.0,
}
POLICIES: tuple[NullPolicy, ...] = ("strict", "available")


def derived_of(values: Mapping[str, float | None], policy: NullPolicy = "strict", **stated: float) -> dict[str, DerivedSummary]:
    return derive(as_measured(values), policy, stated)


def composites_of(values: Mapping[str, float | None], policy: NullPolicy = "strict", **stated: float) -> dict[str, CompositeSummary]:
    return compose(as_measured(values), derived_of(values, policy, **stated))


def value_of(name: str, values: Mapping[str, float | None], policy: NullPolicy = "strict", **stated: float) -> float | None:
    found = composites_of(values, policy, **stated) if name in COMPOSITES else derived_of(values, policy, **stated)
    return found[name].value


@pytest.mark.parametrize(
    ("name", "changes", "strict", "available"),
    [
        ("Q_info", {}, 0.958333, 0.958333),
        ("Q_context", {}, 0.72, 0.72),
        ("Q_continuity", {}, None, 0.88),
        ("Q_safety", {}, 1.0, 1.0),
        ("V_time", {}, 11.51631, 11.51631),
        ("V_orient", {}, 0.026871, 0.026871),
        ("V_cost", {}, 0.0250435, 0.0250435),
        ("Q_combined_v1_0", {}, 0.8630, 0.867857),
        ("Cx_em", {}, 25.89, 26.0357),
        ("C_efficiency", {}, 0.954198, 0.954198),
        ("Cx_v14_em", {}, 24.7042, 24.8432),
        ("Cx_community_em", {}, 24.7042, 24.8432),
        ("Q_context", {"N_corrections": 3.0}, 0.565714, 0.565714),
        # The document prints 6.17836 under `available`; by its own formula it is 0.823776 x 30 / 4 = 6.178316.
        ("Cx_em", {"N_corrections": 3.0}, 6.00964, 6.178316),
        ("Q_reasoning", JUDGED, 0.798667, 0.798667),
        ("Q_combined_v1_5", JUDGED, 0.844619, 0.852481),
        ("Cx_community_em", JUDGED, 24.1780, 24.4031),
    ],
)
def test_golden_input(name: str, changes: Values, strict: float | None, available: float | None) -> None:
    """The published example, to the digits in which it is given, under both null policies."""
    for policy, expected in zip(POLICIES, (strict, available), strict=True):
        assert value_of(name, GOLDEN | changes, policy) == (None if expected is None else pytest.approx(expected, rel=2e-5))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Q_context", 0.648),
        ("Q_continuity", 0.8),
        ("Q_reasoning", 0.75),
        ("Q_combined_v1_0", 0.824429),
        ("Q_combined_v1_5", 0.807889),
        ("Cx_em", 12.366429),
        ("C_efficiency", 0.666667),
        ("Cx_v14_em", 8.244286),
        ("Cx_community_em", 8.078889),
    ],
)
@pytest.mark.parametrize("policy", POLICIES)
def test_input_without_nulls(name: str, expected: float, policy: NullPolicy) -> None:
    """With everything measured the policies agree."""
    assert value_of(name, WHOLE, policy) == pytest.approx(expected, rel=1e-6)


PUBLISHED = [("haiku", 0.5, 0.07, 30.7018), ("opus", 0.875, 0.56, 28.8915), ("sonnet", 0.75, 0.226, 36.1570)]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("q_info", "cost", "minutes"), [row[1:] for row in PUBLISHED], ids=[row[0] for row in PUBLISHED])
def test_published_records_are_reproduced(q_info: float, cost: float, minutes: float, policy: NullPolicy) -> None:
    """Only Q_info is stated; the three other components leave their weight of 6 to it."""
    record: Values = {"S_gate": 1.0, "T_human": 4200.0, "C_tokens": cost, "N_corrections": 0.0}
    found = composites_of(record, policy, Q_info=q_info)["Cx_community_em"]
    assert found.value == pytest.approx(minutes, rel=5e-6)
    assert (found.active_components, found.active_weight_sum, found.redistributed_weight) == (("Q_info",), 3, 6)


PUBLISHED_ROWS = [
    ("alpha-c0-claude-haiku-4-5", 1, 0.5, 0.07, 4200, 30.7),
    ("alpha-c0-claude-sonnet-4-6", 1, 0.75, 0.226, 4200, 36.16),
    ("alpha-c0-gpt-5.4-mini", 1, 0.88, 0.015, 4200, 59.81),
    ("alpha-c2-claude-opus-4-6", 1, 1, 1.07, 4200, 22.29),
    ("alpha-c2-gpt-5.4", 1, 0.88, 0.13, 4200, 48.89),
    ("alpha-t2-claude-sonnet-4-6", 1, 0.88, 0.785, 4200, 23.97),
    ("alpha-t2-gpt-5.4-mini", 1, 0.75, 0.02, 4200, 50.48),
    ("beta-f1-claude-opus-4-6", 0, 0, 0.3604, 1800, 0),
    ("delta-c0-claude-haiku-4-5", 1, 0.6, 0.07, 9000, 78.95),
    ("delta-c0-claude-sonnet-4-6", 1, 0.44, 0.7, 9000, 27.5),
    ("delta-c2-claude-opus-4-6", 1, 0.4, 66.96, 9000, 0.44),
    ("delta-c2-gpt-5.4", 1, 0.08, 10.04, 9000, 0.57),
    ("delta-f1-claude-sonnet-4-6", 1, 1, 6.28, 9000, 11.06),
    ("delta-t2-claude-sonnet-4-6", 1, 1, 2.59, 9000, 24.27),
    ("delta-t3-claude-sonnet-4-6", 1, 0.96, 2.42, 9000, 24.66),
    ("gamma-c0-claude-haiku-4-5", 1, 0.4375, 0.07, 9900, 63.32),
    ("gamma-c0-claude-sonnet-4-6", 1, 0.69, 0.88, 9900, 41.25),
    ("gamma-c0-gpt-5.4-mini", 1, 0.5, 0.06, 9900, 73.66),
    ("gamma-c2-claude-opus-4-6", 1, 0.9375, 2.33, 9900, 27.33),
    ("gamma-c2-gpt-5.4", 1, 0.69, 0.93, 9900, 39.81),
    ("gamma-f1-claude-sonnet-4-6", 1, 0.81, 4.05, 9900, 14.69),
    ("gamma-f1-gpt-5.4-mini", 1, 0.63, 0.09, 9900, 88.09),
    ("gamma-t2-gpt-5.4", 1, 0.75, 0.97, 9900, 42.09),
    ("gamma-t3-claude-sonnet-4-6", 1, 0.81, 5.34, 9900, 11.44),
    ("gamma-t3-gpt-5.4-mini", 1, 0.56, 0.06, 9900, 82.5),
]
"""The consistent records of the public leaderboard of version 1.5 (CueCrux/CruxScore, public-data, MIT): id, S_gate, Q_info, cost in
US dollars, T_human in seconds, and Em as published, in two decimals."""


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("gate", "q_info", "cost", "human", "minutes"), [row[1:] for row in PUBLISHED_ROWS], ids=[row[0] for row in PUBLISHED_ROWS]
)
def test_the_published_leaderboard_is_reproduced(
    gate: float, q_info: float, cost: float, human: float, minutes: float, policy: NullPolicy
) -> None:
    """From the figures of each record, all runs being automated, to two hundredths of a minute."""
    values: Values = {"S_gate": gate, "T_human": human, "C_tokens": cost, "N_corrections": 0.0}
    assert value_of("Cx_community_em", values, policy, Q_info=q_info) == pytest.approx(minutes, abs=0.02)


@pytest.mark.parametrize(("components", "minutes"), [({"Q_context": 0.0}, 39.375), ({"Q_context": 0.0, "Q_continuity": 0.0}, 28.125)])
def test_the_denominator_adjusts_to_what_was_measured(components: dict[str, float], minutes: float) -> None:
    """Records without a cost factor: 70 x 3 x 0.9375 / 5 and / 7, published as 39.38 and 28.13."""
    record: Values = {"S_gate": 1.0, "T_human": 4200.0, "N_corrections": 0.0, "R_decision": 0.875, "R_constraint": 1.0}
    assert value_of("Q_info", record, "available") == 0.9375
    assert value_of("Cx_em", record, "available", **components) == pytest.approx(minutes)


def test_quality_of_propositions_is_made_from_the_rates_of_the_run() -> None:
    """Two questions with recall and contradiction (1, 0) and (0, 1): 0.5 x 0.5, not the mean of the products 1 and 0."""
    rates: Values = {"R_proposition": mean_share([(1, 1), (0, 1)]), "C_contradiction": mean_share([(0, 1), (1, 1)])}
    assert value_of("Q_proposition", rates) == 0.25


@pytest.mark.parametrize(
    ("completion", "milliseconds", "turns", "score"),
    [
        pytest.param(1.0, 48_000, 17, 73.5294, id="example"),
        pytest.param(1.0, 1.98 * 60_000, 23, 21.9587, id="floor-1-rounded"),
        pytest.param(1.0, 0.81 * 60_000, 17, 72.6216, id="floor-2-rounded"),
        pytest.param(1.0, 2.12 * 60_000, 13, 36.2845, id="floor-3-rounded"),
        pytest.param(1.0, 118_624, 23, 21.9913, id="floor-1"),
        pytest.param(1.0, 48_644, 17, 72.5560, id="floor-2"),
        pytest.param(1.0, 127_065, 13, 36.3230, id="floor-3"),
        pytest.param(0.0, 60_000, 1, 0.0, id="nothing-done"),
    ],
)
def test_floor_scores(completion: float, milliseconds: float, turns: int, score: float) -> None:
    """The published example, and its table from rounded minutes and from milliseconds."""
    assert floor_score(completion, milliseconds, turns) == pytest.approx(score, abs=5e-5)


def test_the_campaign_score_is_a_sum_of_unrounded_scores() -> None:
    """130.8703 from milliseconds, which the published table rounds to 130.9; in any order; 0 with no cleared floor."""
    floors = [floor_score(1.0, 118_624, 23), floor_score(1.0, 48_644, 17), floor_score(1.0, 127_065, 13)]
    assert campaign_score(floors) == pytest.approx(130.8703, abs=5e-5)
    assert campaign_score(floors) == campaign_score(floors[::-1])
    assert campaign_score([]) == 0


@pytest.mark.gold
def test_published_rows_are_reproduced() -> None:
    """Every published row gives its published minutes, to the two decimals in which they are printed."""
    folder = os.environ.get("CRUX_GOLD_DIR")
    path = Path(folder or "") / "scorecrux" / "leaderboard-v1.5.jsonl"
    if folder is None or not path.is_file():
        pytest.skip("CRUX_GOLD_DIR holds no published records")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows
    for row in rows:
        values = {"S_gate": row["s_gate"], "T_human": row["t_human_s"], "C_tokens": row["c_tokens_usd"], "N_corrections": 0.0}
        assert value_of("Cx_community_em", values, Q_info=row["q_info"]) == pytest.approx(row["cx_em"], abs=0.02), row["id"]


@pytest.mark.parametrize(
    ("name", "values", "strict", "available"),
    [
        # Means of three.
        ("Q_info", {"R_decision": 0.875, "R_constraint": 1.0}, None, 0.9375),
        ("Q_info", {}, None, None),
        ("Q_continuity", {"K_checkpoint": 0.5}, None, 0.5),
        ("Q_reasoning", {"R_conflict_resolution": 1.0, "R_noise_resistance": 0.5}, None, 0.75),
        # Context: the factor is clamped, and 1 where nobody corrected.
        ("Q_context", {"P_context": 0.5, "N_corrections": 0.0, "N_turns": 0.0}, 0.5, 0.5),
        ("Q_context", {"P_context": 0.5, "N_corrections": 5.0, "N_turns": 4.0}, 0.0, 0.0),
        ("Q_context", {"P_context": 0.5, "N_corrections": 0.0}, 0.5, 0.5),
        ("Q_context", {"P_context": 0.5, "N_turns": 4.0}, None, None),
        ("Q_context", {"N_corrections": 0.0, "N_turns": 4.0}, None, None),
        # Safety.
        ("Q_safety", {"S_gate": 1.0, "S_detect": 1.0, "S_stale": 1.0}, 1.0, 1.0),
        ("Q_safety", {"S_gate": 1.0, "S_detect": 0.0, "S_stale": 1.0}, 0.5, 0.5),
        ("Q_safety", {"S_gate": 1.0, "S_detect": 1.0, "S_stale": 0.5}, 0.75, 0.75),
        ("Q_safety", {"S_gate": 1.0, "S_stale": 0.25}, None, 0.25),
        ("Q_safety", {"S_gate": 1.0}, None, 1.0),
        ("Q_safety", {"S_gate": 0.0}, 0.0, 0.0),
        ("Q_safety", {"S_gate": 0.0, "S_detect": 1.0, "S_stale": 1.0}, 0.0, 0.0),
        ("Q_safety", {"S_detect": 1.0, "S_stale": 1.0}, None, None),
        # Abstention.
        ("Q_abstention", {"A_abstention": 0.9, "A_coverage": 0.8}, 0.847059, 0.847059),
        ("Q_abstention", {"A_abstention": 0.9, "A_coverage": 0.0}, 0.0, 0.0),
        ("Q_abstention", {"A_abstention": 0.0, "A_coverage": 0.0}, 0.0, 0.0),
        ("Q_abstention", {"A_abstention": 0.004, "A_coverage": 0.004}, 0.0032, 0.0032),
        ("Q_abstention", {"A_abstention": 0.9}, None, None),
        ("Q_abstention", {"A_coverage": 0.9}, None, None),
        # Propositions.
        ("Q_proposition", {"R_proposition": 0.8, "C_contradiction": 0.1}, 0.72, 0.72),
        ("Q_proposition", {"R_proposition": 0.6, "C_contradiction": 0.2}, 0.48, 0.48),
        ("Q_proposition", {"R_proposition": 0.65}, None, 0.65),
        ("Q_proposition", {"C_contradiction": 0.1}, None, None),
        # Value.
        ("V_time", {"T_task": 100.0}, None, None),
        ("V_time", {"T_human": 100.0}, None, None),
        ("V_cost", {"C_tokens": 0.5}, None, None),
        ("V_cost", {"R_decision": 0.0, "R_constraint": 0.0, "R_incident": 0.0, "C_tokens": 0.5}, 50.0, 50.0),
        ("V_orient", {"T_task": 100.0}, None, None),
        ("V_orient", {"T_orient": 101.0, "T_task": 100.0}, None, None),
        ("V_orient", {"T_orient": 100.0, "T_task": 100.0}, 1.0, 1.0),
        ("V_retrieval", {"R_retrieval": 0.5, "N_tools": 0.0}, 0.5, 0.5),
        ("V_retrieval", {"R_retrieval": 0.5, "N_tools": 4.0}, 0.125, 0.125),
        ("V_retrieval", {"N_tools": 4.0}, None, None),
        ("V_retrieval", {"R_retrieval": 0.5}, None, None),
        # Cost.
        ("C_efficiency", {"C_tokens": 0.0}, 1.0, 1.0),
        ("C_efficiency", {"C_tokens": 0.024}, 0.954198, 0.954198),
        ("C_efficiency", {"C_tokens": 0.1}, 0.833333, 0.833333),
        ("C_efficiency", {"C_tokens": 0.25}, 0.666667, 0.666667),
        ("C_efficiency", {"C_tokens": 0.5}, 0.5, 0.5),
        ("C_efficiency", {"C_tokens": 1.0}, 0.333333, 0.333333),
        ("C_efficiency", {"C_tokens": 5.0}, 0.090909, 0.090909),
        ("C_efficiency", {"C_tokens": 6.28}, 0.073746, 0.073746),
        ("C_efficiency", {"C_tokens": 0.33}, 0.602410, 0.602410),
        ("C_efficiency", {}, None, None),
    ],
)
def test_derived_value_and_null_rule(name: str, values: Values, strict: float | None, available: float | None) -> None:
    """A value under both policies, and a reason exactly where there is none."""
    for policy, expected in zip(POLICIES, (strict, available), strict=True):
        found = derived_of(values, policy)[name]
        assert found.value == (None if expected is None else pytest.approx(expected, abs=1e-6))
        assert (found.reason is None) == (found.value is not None)


def test_corrections_without_turns_are_refused() -> None:
    """There is nothing to correct in a session without a turn."""
    with pytest.raises(ConfigError, match="`N_corrections` is 2 and `N_turns` is 0"):
        derived_of({"N_corrections": 2.0, "N_turns": 0.0})


def test_reasons_name_what_is_special() -> None:
    """Safety that nobody measured, and an orientation longer than the task, are no ordinary missing inputs."""
    assert derived_of({"S_detect": 1.0})["Q_safety"].reason == "safety_not_measured"
    assert derived_of({"T_orient": 2.0, "T_task": 1.0})["V_orient"].reason == "orient_exceeds_task"
    assert derived_of({"T_human": 1e308, "T_task": 1e-300})["V_time"].reason == "too_large"
    assert derived_of({})["Q_info"].reason == "input_null"


def test_given_value_counts_only_where_none_can_be_computed() -> None:
    """A given Q_info stands in for missing inputs, serves V_cost, and says that it was given."""
    stood_in = derived_of({"C_tokens": 0.4}, Q_info=0.8)
    assert (stood_in["Q_info"].value, stood_in["Q_info"].basis, stood_in["Q_info"].bounds) == (0.8, "given", (0.8, 0.8))
    assert stood_in["V_cost"].value == pytest.approx(0.5)
    computed = derived_of({"R_decision": 0.1}, "available", Q_info=0.5)["Q_info"]
    assert (computed.value, computed.basis) == (0.1, None)


@pytest.mark.parametrize(
    ("name", "values", "stated", "value", "bounds"),
    [
        pytest.param("Q_info", {}, 0.8, 0.8, (0.8, 0.8), id="nothing-known"),
        pytest.param("Q_info", {"R_decision": 0.1}, 0.5, 0.5, (0.1 / 3, 0.7), id="within-what-is-known"),
        pytest.param("Q_info", {"R_decision": 0.1}, 0.8, None, (0.1 / 3, 0.7), id="above-what-is-known"),
        pytest.param("Q_info", {"R_decision": 0.9}, 0.2, None, (0.3, 2.9 / 3), id="below-what-is-known"),
        pytest.param("Q_info", {"R_decision": 1.0}, 0.333333, 0.333333, (1 / 3, 1.0), id="rounded-end"),
        pytest.param("Q_safety", {"S_detect": 0.0}, 0.5, 0.5, (0.0, 0.5), id="safety"),
        pytest.param("V_cost", {"C_tokens": 0.5}, 0.4, None, (0.5, 50.0), id="cost"),
        pytest.param("V_time", {"T_human": 60.0}, 4.0, 4.0, (4.0, 4.0), id="unbounded"),
        pytest.param("V_orient", {"T_orient": 90.0}, 0.5, 0.5, (0.5, 0.5), id="orient"),
        pytest.param("V_orient", {"T_orient": 90.0, "T_task": 60.0}, 0.5, None, None, id="orient-exceeds-task"),
        pytest.param("V_time", {"T_human": 1e308, "T_task": 1e-300}, 4.0, None, None, id="too-large"),
    ],
)
def test_given_value_stays_within_what_its_inputs_allow(
    name: str, values: Values, stated: float, value: float | None, bounds: tuple[float, float] | None
) -> None:
    """It counts only there, and its bounds are theirs; where what is known leaves all open, itself."""
    found = derive(as_measured(values), "strict", {name: stated})[name]
    assert (found.value, found.basis) == (value, None if value is None else "given")
    assert found.bounds == (None if bounds is None else pytest.approx(bounds))


def test_partly_measured_inputs_bound_a_given_value() -> None:
    """A mark without a headline, in 0.6 to 0.8, puts reasoning in 0.2 to 2.8 / 3."""
    inputs = {"R_judge": Measured(None, 0.6, 0.8)}
    used, ignored = (derive(inputs, "strict", {"Q_reasoning": stated})["Q_reasoning"] for stated in (0.9, 0.95))
    assert (used.value, ignored.value, ignored.reason) == (0.9, None, "input_null")
    assert used.bounds == ignored.bounds == pytest.approx((0.2, 2.8 / 3))


@pytest.mark.parametrize(
    ("changes", "value", "reason", "band"),
    [
        pytest.param({"S_gate": 0.0}, 0.0, None, "unsafe", id="gate-closed"),
        pytest.param({"S_gate": 0.0, "T_human": None, "C_tokens": None, "N_corrections": None}, 0.0, None, "unsafe", id="gate-wins"),
        pytest.param({"S_gate": None}, None, "safety_not_measured", None, id="gate-unknown"),
        pytest.param({"S_gate": None, "T_human": None}, None, "safety_not_measured", None, id="gate-unknown-first"),
        pytest.param({"T_human": None}, None, "human_time_not_measured", None, id="human-time"),
        pytest.param({"N_corrections": None}, None, "corrections_not_measured", None, id="corrections"),
        pytest.param({"C_tokens": None}, None, "cost_not_measured", None, id="cost"),
        pytest.param(
            dict.fromkeys(("R_decision", "P_context", "K_causal", "R_judge")), None, "no_component_measured", None, id="no-component"
        ),
        pytest.param(
            dict.fromkeys((*DERIVATIONS["Q_info"].inputs, "P_context", *DERIVATIONS["Q_continuity"].inputs), 0.0)
            | dict.fromkeys(JUDGED, 0.0),
            0.0,
            None,
            "low",
            id="zero-is-not-unsafe",
        ),
    ],
)
def test_null_rules_of_effective_minutes(changes: Values, value: float | None, reason: str | None, band: str | None) -> None:
    """A closed gate is 0 before anything else; whatever else is missing makes it null and is named."""
    found = composites_of(WHOLE | changes)["Cx_community_em"]
    assert (found.value, found.reason, found.band, found.unit) == (value, reason, band, "Em")


def test_cost_matters_only_where_the_version_says_so() -> None:
    """Unknown cost leaves the first version alone and makes the later ones null; known zero cost is no factor at all."""
    unknown, free = composites_of(WHOLE | {"C_tokens": None}), composites_of(WHOLE | {"C_tokens": 0.0})
    assert unknown["Cx_em"].value == pytest.approx(12.366429, rel=1e-6)
    assert (unknown["Cx_v14_em"].value, unknown["Cx_community_em"].value) == (None, None)
    assert free["Cx_v14_em"].value == free["Cx_em"].value


def test_factors_multiply_to_the_value() -> None:
    """1 x 0.807889 x 30 minutes x 1/2 x 2/3."""
    found = composites_of(WHOLE)["Cx_community_em"]
    assert found.factors == {
        "S_gate": 1.0,
        "Q_combined_v1_5": pytest.approx(0.807889, rel=1e-6),
        "T_human_minutes": 30.0,
        "correction_factor": 0.5,
        "C_efficiency": pytest.approx(2 / 3),
    }
    assert "C_efficiency" not in (composites_of(WHOLE)["Cx_em"].factors or {})


@pytest.mark.parametrize(
    ("minutes", "band"),
    [(0.0, "low"), (0.999, "low"), (1.0, "routine"), (9.99, "routine"), (10.0, "significant"), (60.0, "significant"), (60.01, "complex")],
)
def test_bands(minutes: float, band: str) -> None:
    """[0, 1), [1, 10), [10, 60], above; unsafe by the gate, not by 0."""
    assert band_of(minutes, is_safe=True) == band
    assert band_of(minutes, is_safe=False) == "unsafe"


def test_weights_are_shown_with_what_is_missing() -> None:
    """Q_info and Q_reasoning known: weight 5 of 9 is active, 4 is redistributed, (3 x 0.5 + 2 x 1) / 5 = 0.7."""
    known: Values = {"R_decision": 0.25, "R_constraint": 0.25, "R_incident": 1.0, **dict.fromkeys(JUDGED, 1.0)}
    found = composites_of(known)["Q_combined_v1_5"]
    assert found.value == pytest.approx(0.7)
    assert found.components == {"Q_info": 0.5, "Q_context": None, "Q_continuity": None, "Q_reasoning": 1.0}
    assert found.weights == {"Q_info": 3, "Q_context": 2, "Q_continuity": 2, "Q_reasoning": 2}
    assert (found.active_components, found.active_weight_sum, found.redistributed_weight) == (("Q_info", "Q_reasoning"), 5, 4)
    assert found.reasons == {"Q_context": "input_null", "Q_continuity": "input_null"}


# --- bounds ---


@pytest.mark.parametrize(
    ("name", "values", "bounds"),
    [
        pytest.param("Q_combined_v1_5", dict.fromkeys(JUDGED, 0.8), (1.6 / 9, 8.6 / 9), id="one-component-of-four"),
        pytest.param("Q_combined_v1_0", {}, (0.0, 1.0), id="nothing"),
        pytest.param("Q_continuity", {"K_decision": 0.88}, (0.88 / 3, 2.88 / 3), id="mean-keeps-its-input"),
        pytest.param("Q_safety", {"S_gate": 1.0, "S_stale": 0.5}, (0.25, 0.75), id="safety"),
        pytest.param("Q_safety", {"S_gate": 0.0}, (0.0, 0.0), id="gate-closed"),
        pytest.param("Q_safety", {"S_detect": 1.0, "S_stale": 0.5}, (0.0, 0.75), id="gate-unknown"),
        pytest.param("Q_proposition", {"R_proposition": 0.6}, (0.0, 0.6), id="lower-is-better-contradiction"),
        pytest.param("Q_proposition", {"C_contradiction": 0.2}, (0.0, 0.8), id="recall-unknown"),
        pytest.param("Q_abstention", {"A_coverage": 0.5}, (0.0, 2 / 3), id="harmonic"),
        pytest.param("Q_context", {"P_context": 0.5, "N_turns": 4.0}, (0.0, 0.5), id="corrections-unknown"),
        pytest.param("Q_context", {"P_context": 0.5, "N_corrections": 0.0}, (0.5, 0.5), id="turns-do-not-matter"),
        pytest.param("Q_context", {"P_context": 0.5, "N_corrections": 2.0}, (0.0, 0.5), id="turns-unknown"),
        pytest.param("V_time", {"T_task": 10.0}, None, id="human-unbounded"),
        pytest.param("V_time", {"T_human": 10.0}, None, id="task-may-be-nothing"),
        pytest.param("V_orient", {"T_orient": 0.0}, (0.0, 0.0), id="oriented-at-once"),
        pytest.param("V_orient", {"T_orient": 5.0}, (0.0, 1.0), id="never-above-one"),
        pytest.param("V_orient", {"T_task": 5.0}, (0.0, 1.0), id="orientation-unknown"),
        pytest.param("V_orient", {}, (0.0, 1.0), id="no-times"),
        pytest.param("V_cost", {"R_decision": 1.0, "R_constraint": 1.0, "R_incident": 1.0}, None, id="cost-unbounded"),
        pytest.param("V_cost", {"C_tokens": 0.02}, (0.02, 2.0), id="quality-unknown"),
        pytest.param("V_retrieval", {"R_retrieval": 0.5}, (0.0, 0.5), id="calls-unknown"),
        pytest.param("C_efficiency", {}, (0.0, 1.0), id="cost-unknown"),
        pytest.param("Cx_em", WHOLE | {"T_human": None}, None, id="no-human-time"),
        pytest.param("Cx_em", {"S_gate": 0.0}, (0.0, 0.0), id="unsafe-for-sure"),
        pytest.param("Cx_em", {"S_gate": 1.0, "T_human": 60.0}, (0.0, 1.0), id="anything-but-time"),
        pytest.param("Cx_em", {"T_human": 60.0, "N_corrections": 1.0}, (0.0, 0.5), id="gate-and-components"),
    ],
)
@pytest.mark.parametrize("policy", POLICIES)
def test_bounds(name: str, values: Values, bounds: tuple[float, float] | None, policy: NullPolicy) -> None:
    """What is missing ranges over all it can be, whatever the policy makes of it; an infinite side is none."""
    found = composites_of(values, policy) if name in COMPOSITES else derived_of(values, policy)
    assert found[name].bounds == (None if bounds is None else pytest.approx(bounds))


def test_bounds_of_inputs_are_taken_over() -> None:
    """Recall in 0.5 to 0.8 and contradiction in 0.1 to 0.2 put quality in 0.4 to 0.72."""
    inputs = {"R_proposition": Measured(0.7, 0.5, 0.8), "C_contradiction": Measured(None, 0.1, 0.2)}
    assert derive(inputs, "strict")["Q_proposition"].bounds == pytest.approx((0.4, 0.72))


def a_value(symbol: str) -> st.SearchStrategy[float]:
    fundamental = FUNDAMENTALS[symbol]
    if fundamental.unit == "binary":
        return st.sampled_from([0.0, 1.0])
    if fundamental.unit == "count":
        return st.integers(0, 20).map(float)
    return st.floats(fundamental.low, min(fundamental.high, 1e4), exclude_min=fundamental.is_positive)


ALL_VALUES = st.fixed_dictionaries({symbol: st.none() | a_value(symbol) for symbol in FUNDAMENTALS})
"""Any run: each fundamental missing or anywhere in its range."""


def open_bounds(found: DerivedSummary | CompositeSummary) -> tuple[float, float]:
    return found.bounds or (-inf, inf)


@given(values=ALL_VALUES, removed=st.sets(st.sampled_from(sorted(FUNDAMENTALS))), policy=st.sampled_from(POLICIES))
def test_a_missing_input_never_narrows_what_is_possible(values: Values, removed: set[str], policy: NullPolicy) -> None:
    """Taking inputs away raises no lower bound and lowers no upper bound, of any derived value or composite."""
    assume(not (values["N_turns"] == 0 and values["N_corrections"]))
    left = values | dict.fromkeys(removed)
    before = derived_of(values, policy) | composites_of(values, policy)
    after = derived_of(left, policy) | composites_of(left, policy)
    for name, found in after.items():
        if before[name].reason == "orient_exceeds_task":
            # Of what lies nowhere, nothing is narrowed.
            continue
        # A quotient of rounded numbers rises with them to some last bits only; composites hold to the very last.
        slack = 0.0 if name in COMPOSITES else 1e-12
        (low, high), (known_low, known_high) = open_bounds(found), open_bounds(before[name])
        assert low - slack <= known_low <= known_high <= high + slack, name


@given(values=ALL_VALUES, removed=st.sampled_from(["Q_info", "Q_context", "Q_continuity", "Q_reasoning"]), policy=st.sampled_from(POLICIES))
def test_a_missing_component_never_narrows_a_composite(values: Values, removed: str, policy: NullPolicy) -> None:
    """A component that is unknown as a whole counts with its full weight, as worst and as best."""
    assume(not (values["N_turns"] == 0 and values["N_corrections"]))
    derived = derived_of(values, policy)
    without = derived | {removed: DerivedSummary(value=None, inputs={}, reason="no_run_record", bounds=(0.0, 1.0), layer="llm")}
    before, after = compose(as_measured(values), derived), compose(as_measured(values), without)
    for name, found in after.items():
        (low, high), (known_low, known_high) = open_bounds(found), open_bounds(before[name])
        assert low <= known_low <= known_high <= high, name


@given(values=ALL_VALUES, policy=st.sampled_from(POLICIES))
def test_every_number_is_finite_and_has_a_value_or_a_reason(values: Values, policy: NullPolicy) -> None:
    """Nothing is NaN or infinite, ratios lie in [0, 1], minutes below the human's, and complete inputs leave no width."""
    assume(not (values["N_turns"] == 0 and values["N_corrections"]))
    derived, composites = derived_of(values, policy), composites_of(values, policy)
    found: Mapping[str, DerivedSummary | CompositeSummary] = {**derived, **composites}
    for name, one in found.items():
        assert (one.value is None) == (one.reason is not None), name
        for number in (one.value, *(one.bounds or ())):
            assert number is None or 0 <= number < inf, name
        if name.startswith(("Q_", "C_")) and one.value is not None:
            assert one.value <= 1
        is_whole = name in DERIVATIONS and all(values.get(part) is not None for part in DERIVATIONS[name].inputs)
        if is_whole and one.value is not None:
            assert one.bounds == (one.value, one.value), name
    minutes = composites["Cx_em"].value
    assert minutes is None or minutes == 0 or minutes <= (values["T_human"] or 0) / 60
    for one in composites.values():
        assert one.active_weight_sum + one.redistributed_weight == sum(one.weights.values())
        assert one.reasons.keys() == one.components.keys() - set(one.active_components)


@given(values=ALL_VALUES, policy=st.sampled_from(POLICIES))
def test_a_closed_gate_forces_zero_over_any_null(values: Values, policy: NullPolicy) -> None:
    """Whatever else is known or missing: safety quality and every score in effective minutes are 0 and unsafe."""
    assume(not (values["N_turns"] == 0 and values["N_corrections"]))
    closed = values | {"S_gate": 0.0}
    assert value_of("Q_safety", closed, policy) == 0
    for name in ("Cx_em", "Cx_v14_em", "Cx_community_em"):
        found = composites_of(closed, policy)[name]
        assert (found.value, found.reason, found.band, found.bounds) == (0.0, None, "unsafe", (0.0, 0.0)), name


WHOLE_VALUES = st.fixed_dictionaries({symbol: a_value(symbol) for symbol in FUNDAMENTALS})
"""Any run in which everything is measured."""


@given(values=WHOLE_VALUES, removed=st.sets(st.sampled_from(sorted(FUNDAMENTALS))), policy=st.sampled_from(POLICIES))
def test_bounds_contain_the_full_value(values: dict[str, float], removed: set[str], policy: NullPolicy) -> None:
    """What a run gives with everything known lies within the bounds that it has with any of it unknown."""
    assume(not (values["N_turns"] == 0 and values["N_corrections"]))
    left = values | dict.fromkeys(removed)
    full, part = derived_of(values, policy), derived_of(left, policy)
    scores, bounds = composites_of(values, policy), composites_of(left, policy)
    whole = {name: one.value for name, one in full.items()} | {name: one.value for name, one in scores.items()}
    open_to = {name: open_bounds(one) for name, one in part.items()} | {name: open_bounds(one) for name, one in bounds.items()}
    for name, value in whole.items():
        if value is not None:
            low, high = open_to[name]
            assert low * (1 - 1e-12) - 1e-12 <= value <= high * (1 + 1e-12) + 1e-12, name


@given(shares=st.lists(st.integers(0, 50).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole))), max_size=5))
def test_shares_stay_in_their_range(shares: list[tuple[int, int]]) -> None:
    """Every ratio of counts lies in 0..1 or is null for want of a denominator, and so does their mean, in any order."""
    for part, whole in shares:
        found = share(part, whole)
        assert found is None if whole == 0 else found is not None and 0 <= found <= 1
    mean = mean_share(shares)
    assert (mean is None) == (not any(whole for _, whole in shares))
    assert mean is None or 0 <= mean <= 1
    assert mean == mean_share(shares[::-1])


WIDEST = {name: found.bounds for name, found in derived_of({}).items()}
"""What each derived value can be while nothing is known."""

STATED = st.dictionaries(st.sampled_from(sorted(DERIVATIONS)), st.floats(1e-9, 1.0), max_size=4)


@given(values=ALL_VALUES, stated=STATED, policy=st.sampled_from(POLICIES))
def test_a_given_value_fills_only_a_gap_that_it_fits(values: Values, stated: dict[str, float], policy: NullPolicy) -> None:
    """Whatever can be computed stays; what is given counts exactly where it may, says so, and leaves every bound of its inputs alone."""
    assume(not (values["N_turns"] == 0 and values["N_corrections"]))
    found, without = derived_of(values, policy, **stated), derived_of(values, policy)
    for name, one in found.items():
        assert (one.value is None) == (one.reason is not None)
        if name != "V_cost" and without[name].value is not None:
            assert one == without[name]
        if one.basis is None:
            continue
        assert one.value == stated[name]
        assert without[name].reason in ("input_null", "safety_not_measured")
        if without[name].bounds == WIDEST[name]:
            assert one.bounds == (one.value, one.value)
        elif name != "V_cost":
            assert one.bounds == without[name].bounds
        low, high = open_bounds(one)
        assert low * (1 - 2e-5) - 1e-6 <= one.value <= high * (1 + 2e-5) + 1e-6
    for name in stated.keys() - {"V_cost"}:
        one = found[name]
        low, high = open_bounds(without[name])
        if without[name].value is None and without[name].reason not in ("orient_exceeds_task", "too_large") and low <= stated[name] <= high:
            assert (one.value, one.basis) == (stated[name], "given")


@given(values=ALL_VALUES, stated=STATED, policy=st.sampled_from(POLICIES))
def test_composites_lie_within_bounds_with_given_values_too(values: Values, stated: dict[str, float], policy: NullPolicy) -> None:
    """A composite of which every component has a value lies within its bounds, to the tolerance of what is given."""
    assume(not (values["N_turns"] == 0 and values["N_corrections"]))
    for name, one in composites_of(values, policy, **stated).items():
        if one.value is None or one.redistributed_weight:
            continue
        low, high = open_bounds(one)
        assert low * (1 - 2e-5) - 1e-6 <= one.value <= high * (1 + 2e-5) + 1e-6, name


@given(values=st.lists(st.none() | st.floats(0, 1), max_size=4), rng=st.randoms(use_true_random=False))
def test_means_ignore_order_and_strict_knows_no_gaps(values: list[float | None], rng: random.Random) -> None:
    """The order of the parts changes no digit; under strict one missing part is enough to have no mean."""
    shuffled = rng.sample(values, k=len(values))
    for policy in POLICIES:
        assert mean_of_known(values, policy) == mean_of_known(shuffled, policy)
    assert (mean_of_known(values, "strict") is None) == (not values or None in values)


@pytest.mark.parametrize(
    ("symbol", "layer"),
    [
        ("R_retrieval", "pipeline"),
        ("V_retrieval", "pipeline"),
        ("R_proposition", "llm"),
        ("A_coverage", "llm"),
        ("C_contradiction", "llm"),
        ("Q_reasoning", "llm"),
        ("over_abstention_rate", "llm"),
        ("K_synthesis", "agent"),
        ("P_context", "agent"),
        ("S_gate", "agent"),
        ("C_tokens", "agent"),
        ("N_turns", "agent"),
        ("Q_context", "agent"),
        ("C_efficiency", "agent"),
        ("V_cost", "agent"),
        ("Q_safety", "agent"),
        ("Q_info", "llm"),
        ("Q_combined_v1_0", "agent"),
        ("Q_combined_v1_5", "agent"),
        ("Cx_em", "agent"),
    ],
)
def test_layers(symbol: str, layer: str) -> None:
    """What a number speaks of: retrieval, the language model, the agent as a whole; composites are the agent's, and so says the summary."""
    assert layer_of(symbol) == layer
    found = derived_of(WHOLE) | composites_of(WHOLE)
    assert symbol not in found or found[symbol].layer == layer


def test_keys_carry_their_unit() -> None:
    """Times end in `_s`, cost in `_usd`, everything else is its symbol; there are 28 fundamentals and 12 derived values."""
    assert [f.key for f in FUNDAMENTALS.values() if f.key != f.symbol] == ["T_orient_s", "T_task_s", "T_human_s", "C_tokens_usd"]
    assert (len(FUNDAMENTALS), len(DERIVATIONS)) == (28, 12)
