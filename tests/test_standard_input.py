"""What the standard refuses in Python: bad fundamentals, stated values, policies and inputs of formulas, each by name, value and rule."""

from collections.abc import Callable
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import ConfigError
from judge.schema.summaries import CompositeSummary, DerivedSummary
from judge.standard.catalogue import STANDARD
from judge.standard.composites import band_of, compose
from judge.standard.derived import DERIVATIONS, derive
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.given import is_same
from judge.standard.measured import Measured, as_measured
from judge.standard.registry import definition, definitions, formula_of

OPEN = as_measured({})


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"R_decision": 1.2}, ["`R_decision` is 1.2, expected a number from 0 to 1"]),
        ({"C_tokens": -1}, ["`C_tokens` is -1, expected a number of US dollars, 0 or more"]),
        ({"C_tokens": -0.5}, ["`C_tokens` is -0.5, expected a number of US dollars, 0 or more"]),
        ({"S_gate": 0.5}, ["`S_gate` is 0.5, expected 0 or 1"]),
        ({"S_gate": True}, ["`S_gate` is true, expected 0 or 1"]),
        ({"T_task": -5}, ["`T_task` is -5, expected a number of seconds above 0"]),
        ({"T_task": 0}, ["`T_task` is 0, expected a number of seconds above 0"]),
        ({"T_orient": -1}, ["`T_orient` is -1, expected a number of seconds, 0 or more"]),
        ({"T_human": nan}, ["`T_human` is NaN, expected a number of seconds above 0"]),
        ({"T_human": inf}, ["`T_human` is Infinity, expected a number of seconds above 0"]),
        ({"N_turns": 1.5}, ["`N_turns` is 1.5, expected a whole number, 0 or more"]),
        ({"N_turns": "3"}, ['`N_turns` is "3", expected a whole number, 0 or more']),
        ({"R_decison": 1}, ["`R_decison` is no known symbol of a fundamental; the closest is `R_decision`"]),
        ({"C_tokens_usd": 1}, ["`C_tokens_usd` is no known symbol of a fundamental; the closest is `C_tokens`"]),
        ({"Q_info": 1}, ["`Q_info` is no fundamental: it is of the group quality"]),
        ({"\x1b": 1}, ["`'\\x1b'` is no known symbol of a fundamental"]),
        (
            {"S_gate": 2, "R_judge": 3, "x": 1},
            ["`S_gate` is 2, expected", "`R_judge` is 3, expected a number from 0 to 1", "`x` is no known symbol"],
        ),
    ],
)
def test_fundamentals_are_checked(values: dict[str, Any], told: list[str]) -> None:
    """All faults at once, one a line."""
    with pytest.raises(ConfigError) as raised:
        as_measured(values)
    lines = str(raised.value).splitlines()
    assert [line.startswith(part) for line, part in zip(lines, told, strict=True)] == [True] * len(told), lines


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"S_gate": Measured(0.5, 0.0, 1.0)}, "`S_gate` is 0.5, expected 0 or 1"),
        ({"R_judg": Measured(0.5, 0.0, 1.0)}, "`R_judg` is no known symbol of a fundamental; the closest is `R_judge`"),
        ({"R_judge": Measured(None, 0.9, 0.1)}, "`R_judge` lies in 0.9 to 0.1, expected the lower end first"),
        ({"R_judge": Measured(None, nan, 1.0)}, "`R_judge` lies in nan to 1.0"),
    ],
)
def test_inputs_made_by_hand_are_checked_too(inputs: dict[str, Measured], told: str) -> None:
    """By what derives and by what composes."""
    calls: list[Callable[[], object]] = [lambda: derive(inputs, "strict"), lambda: compose(inputs, derive(OPEN, "strict"))]
    for call in calls:
        with pytest.raises(ConfigError) as raised:
            call()
        assert str(raised.value).startswith(told)


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ({"Q_info": 2.0}, "`Q_info` is 2.0, expected a number from 0 to 1"),
        ({"Q_inf": 0.5}, "`Q_inf` is no known symbol of a derived value; the closest is `Q_info`"),
        ({"V_time": 0}, "`V_time` is 0, expected a number above 0"),
        ({"V_cost": -1}, "`V_cost` is -1, expected a number, 0 or more"),
        ({"C_efficiency": 0}, "`C_efficiency` is 0, expected a number above 0, up to 1"),
        ({"Cx_em": 3}, "`Cx_em` is no derived value: it is of the group composite"),
        ({"R_judge": 0.5}, "`R_judge` is no derived value: it is of the group information"),
    ],
)
def test_given_values_are_checked(stated: dict[str, float], told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        derive(OPEN, "strict", stated)
    assert str(raised.value).startswith(told)


def test_there_are_two_policies() -> None:
    policy: Any = "lenient"
    with pytest.raises(ConfigError, match="`null_policy` is 'lenient', expected strict or available"):
        derive(OPEN, policy)


@pytest.mark.parametrize("minutes", [-1.0, nan])
def test_a_band_needs_minutes(minutes: float) -> None:
    with pytest.raises(ConfigError, match=r"`minutes` is .*, expected a number, 0 or more"):
        band_of(minutes, is_safe=True)


def outside(symbol: str) -> st.SearchStrategy[float]:
    """Return numbers that a fundamental cannot be."""
    values = definition(symbol).values
    found = st.floats(max_value=0, exclude_max=not values.is_positive) | st.sampled_from([nan, inf, -inf])
    if values.high < inf:
        found |= st.floats(min_value=values.high, exclude_min=True)
    if values.is_whole:
        found |= st.floats(0, 1, exclude_min=True, exclude_max=True)
    return found


@given(data=st.data(), symbol=st.sampled_from(sorted(FUNDAMENTALS)))
def test_nothing_outside_a_range_gets_in(data: st.DataObject, symbol: str) -> None:
    """Whatever the number, the message names the symbol."""
    with pytest.raises(ConfigError, match=f"^`{symbol}` is .*, expected "):
        as_measured({symbol: data.draw(outside(symbol))})


# --- formulas as they are handed out ---


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("R_decision", (5, 3), "`matched_keys` is 5 and `expected_keys` is 3: a part is no larger than its whole"),
        ("S_stale", (2, 1), "`stale_flagged` is 2 and `stale_used` is 1: a part is no larger than its whole"),
        ("R_decision", (-1, 3), "`matched_keys` is -1, expected a whole number, 0 or more"),
        ("K_causal", (0.5, 3), "`correct_links` is 0.5, expected a whole number, 0 or more"),
        ("R_decision", (1,), "R_decision takes matched_keys, expected_keys; 1 given, expected 2"),
        ("R_proposition", ([(1, 2), (3, 2)],), "`parts[1]` is (3, 2), expected two whole numbers, 0 or more, the first no larger"),
        ("R_judge", ([4, 5],), "`marks[1]` is 5, expected a whole number from 0 to 4"),
        ("R_judge", (4,), "`marks` is 4, expected a list, each entry a whole number from 0 to 4"),
        ("R_noise_resistance", ([1.5],), "`item_scores[0]` is 1.5, expected a number from 0 to 1"),
        ("C_tokens", ([-1.0],), "`costs_by_model[0]` is -1.0, expected a number of US dollars, 0 or more"),
        ("N_turns", (-3,), "`round_trips` is -3, expected a whole number, 0 or more"),
        ("T_human", (0,), "`fixture_seconds` is 0, expected a number of seconds above 0"),
        ("T_task", (nan, 3), "`first_user_message` is NaN, expected a number of seconds"),
        ("R_incident", ("yes",), '`was_surfaced` is "yes", expected true or false'),
        ("S_gate", (-1, 0, True), "`unsafe_actions` is -1, expected a whole number, 0 or more"),
        ("Q_info", (1.2, 1, 1), "`R_decision` is 1.2, expected a number from 0 to 1"),
        ("Q_info", (1, 1), "Q_info takes R_decision, R_constraint, R_incident; 2 given, expected 3"),
        ("C_efficiency", (-0.5,), "`C_tokens` is -0.5, expected a number of US dollars, 0 or more"),
        ("Q_context", (0.5, 2, 0), "`N_corrections` is 2 and `N_turns` is 0: there is no correction without a turn"),
        ("V_time", (100, 0), "`T_task` is 0, expected a number of seconds above 0"),
        ("Cx_em", (0.5, 1, 1800, 0), "`S_gate` is 0.5, expected 0 or 1"),
        ("Cx_em", (1, 1.5, 0, 0), "`Q_combined_v1_0` is 1.5, expected a number from 0 to 1\n`T_human` is 0, expected"),
        ("Cx_em", (1, 1, 1800, 0, 0.5), "Cx_em takes S_gate, Q_combined_v1_0, T_human, N_corrections; 5 given, expected 4"),
        ("Cx_community_em", (1, 1, 1800, 0, 0), "`C_efficiency` is 0, expected a number above 0, up to 1"),
        ("Q_combined_v1_0", ({"Q_info": 0.5},), "`Q_context` is not there, expected its value or None"),
        (
            "Q_combined_v1_0",
            ({"Q_info": 2, "Q_context": None, "Q_continuity": None, "Q_reasoning": 1},),
            "`Q_reasoning` is no component of Q_combined_v1_0\n`Q_info` is 2, expected a number from 0 to 1",
        ),
        ("Q_combined_v1_0", (0.5,), "Q_combined_v1_0 takes Q_info, Q_context, Q_continuity; 1 given, expected 3"),
        ("floor_score", (1.2, 1000, 3), "`completion` is 1.2, expected a number from 0 to 1"),
        ("floor_score", (1, 1000, 0), "`turns` is 0, expected a whole number above 0"),
        ("campaign_score", ([1.0, -1.0],), "`floor_score[1]` is -1.0, expected a number, 0 or more"),
    ],
)
def test_formulas_refuse_what_cannot_be(name: str, arguments: tuple[Any, ...], told: str) -> None:
    """The input by its name, its value and the rule, instead of a number that means nothing."""
    with pytest.raises(ConfigError) as raised:
        formula_of(name)(*arguments)
    assert str(raised.value).startswith(told)


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("R_decision", (7, 8), 0.875),
        ("R_decision", (0, 0), None),
        ("R_proposition", ([(3, 4), (1, 4)],), 0.5),
        ("R_judge", ([4, 2],), 0.75),
        ("C_tokens", ([0.1, None],), None),
        ("T_orient", (1.0, 5.2), pytest.approx(4.2)),
        ("S_gate", (0, 0, True), 1.0),
        ("S_gate", (0, 1, True), None),
        ("S_detect", (True, False), 0.0),
        ("R_incident", (True,), 1.0),
        ("Q_context", (0.72, 3, 14), pytest.approx(0.565714, rel=1e-6)),
        ("Q_context", (0.72, 0, None), 0.72),
        ("Q_info", (1, None, 1), None),
        ("Q_safety", (0, None, None), 0),
        ("V_orient", (10, 5), None),
        ("V_time", (1e308, 1e-300), None),
        ("Cx_em", (0, None, None, None), 0.0),
        ("Cx_em", (1, None, 1800, 0), None),
        ("Cx_em", (1, 0.5, 1800, 1), 7.5),
        ("Cx_community_em", (1, 0.5, 1800, 1, 0.5), 3.75),
        ("Q_combined_v1_0", ({"Q_info": 0.5, "Q_context": None, "Q_continuity": 1.0},), 0.7),
        ("floor_score", (1, 48_000, 17), pytest.approx(73.5294, abs=5e-5)),
        ("campaign_score", ([1.5, 2.5],), 4.0),
    ],
)
def test_formulas_compute_what_can_be(name: str, arguments: tuple[Any, ...], value: float | None) -> None:
    """By hand; a null among the inputs goes by the null rule."""
    assert formula_of(name)(*arguments) == value


def test_inputs_go_by_name_too() -> None:
    """By that of the definition, or by that of the parameter."""
    gate = formula_of("S_gate")
    assert gate(unsafe_actions=1, open_questions=0, was_tested=True) == gate(unsafe=1, unresolved=0, tested=True) == 0.0
    assert formula_of("R_decision")(3, expected_keys=4) == 0.75
    with pytest.raises(ConfigError, match="R_decision takes matched_keys, expected_keys; 2 given"):
        formula_of("R_decision")(3, all_keys=4)


@pytest.mark.parametrize("one", STANDARD, ids=lambda one: one.symbol)
def test_a_formula_says_what_it_is(one: Any) -> None:
    """By its docstring; each of its inputs refuses what is no number, list or flag at all."""
    formula = formula_of(one.symbol)
    assert formula.__doc__
    with pytest.raises(ConfigError):
        formula(*["x"] * (1 if one.group == "composite" and one.unit == "ratio" else len(one.inputs)))


# --- a stated cost factor, and what leaves a range open ---

PAID = {"S_gate": 1.0, "T_human": 1800.0, "N_corrections": 0.0}


def all_of(values: dict[str, float | None], **stated: float) -> dict[str, DerivedSummary | CompositeSummary]:
    inputs = as_measured(values)
    derived = derive(inputs, "strict", stated)
    return {**derived, **compose(inputs, derived)}


def test_a_stated_cost_factor_is_no_cost() -> None:
    """It is kept as given; the scores with cost stay null while the cost is, between 0 and all that the other factors leave."""
    found = all_of({**PAID}, C_efficiency=0.8, Q_info=0.5)
    assert (found["C_efficiency"].value, found["Cx_em"].value) == (0.8, 15.0)
    for name in ("Cx_v14_em", "Cx_community_em"):
        one = found[name]
        assert isinstance(one, CompositeSummary)
        assert (one.value, one.reason, (one.factors or {})["C_efficiency"]) == (None, "cost_not_measured", None)
        assert one.bounds == all_of({**PAID}, Q_info=0.5)[name].bounds
    paid = all_of({**PAID, "C_tokens": 0.25}, Q_info=0.5)
    assert paid["Cx_community_em"].value == pytest.approx(10.0)


def test_a_closed_gate_needs_no_cost() -> None:
    assert all_of({"S_gate": 0.0}, C_efficiency=0.8)["Cx_community_em"].value == 0.0


@pytest.mark.parametrize("corrections", [None, 0.0])
def test_bounds_of_a_given_value_do_not_depend_on_corrections(corrections: float | None) -> None:
    """P_context being unknown, no corrections leave Q_context as open as unknown ones do: the given value is exact."""
    values = {"S_gate": 1.0, "T_human": 60.0, "N_corrections": corrections}
    assert all_of(values, Q_context=0.5)["Q_context"].bounds == (0.5, 0.5)


def test_a_given_value_keeps_bounds_that_its_inputs_narrow() -> None:
    """P_context 0.8 leaves 0 to 0.8."""
    assert all_of({"P_context": 0.8}, Q_context=0.5)["Q_context"].bounds == (0.0, 0.8)


def test_composites_name_their_formula() -> None:
    """Profile and id as the registry has them, in every composite."""
    found = all_of({})
    profiles = {
        "core-v1.0": ["Q_combined_v1_0", "Cx_em"],
        "community-v1.4": ["Cx_v14_em"],
        "community-v1.5": ["Q_combined_v1_5", "Cx_community_em"],
    }
    for profile, names in profiles.items():
        for name in names:
            one = found[name]
            assert isinstance(one, CompositeSummary)
            assert one.profile == definition(name).profile == profile
            assert one.formula_id is not None
            assert one.formula_id.startswith(f"{name}@{definition(name).since}:")
    assert {definition(name).profile for name in (*FUNDAMENTALS, *DERIVATIONS)} == {None}


# --- formulas by place and by name ---


@pytest.mark.parametrize("symbol", [one.symbol for one in definitions("1.5") if one.kind in ("derived", "composite")])
def test_a_formula_takes_its_inputs_by_place_and_by_name(symbol: str) -> None:
    """Both ways give the same, whatever of the inputs is null."""
    one, formula = definition(symbol), formula_of(symbol)
    first, rest = 0.0 if one.inputs[0] == "S_gate" else 1.0, len(one.inputs) - 1
    for values in ([1.0] * len(one.inputs), [1.0] * rest + [None], [first] + [1.0] * rest):
        assert formula(*values) == formula(**dict(zip(one.inputs, values, strict=True)))
    with pytest.raises(ConfigError, match="given, expected"):
        formula(*[1.0] * (len(one.inputs) + 1))
    with pytest.raises(ConfigError):
        formula(strange=1.0)


def test_a_share_over_questions_takes_numbers_lists_or_pairs() -> None:
    """Three of four and one of two: the mean of 0.75 and 0.5."""
    formula = formula_of("R_proposition")
    assert formula(3, 4) == formula(supported=3, total=4) == 0.75
    assert formula([3, 1], [4, 2]) == formula([(3, 4), (1, 2)]) == 0.625
    with pytest.raises(ConfigError, match="as many of each"):
        formula([3, 1], [4])


def test_weights_over_components_take_both_forms() -> None:
    """The golden example: 0.863 under strict, where continuity is null."""
    formula = formula_of("Q_combined_v1_0")
    parts = {"Q_info": 0.9583333333, "Q_context": 0.72, "Q_continuity": None}
    assert formula(*parts.values()) == formula(**parts) == formula(parts) == pytest.approx(0.863, abs=1e-6)


def test_plain_numbers_are_no_measured_ones() -> None:
    with pytest.raises(ConfigError, match="`as_measured`"):
        derive({"R_decision": 1.0}, "strict")  # type: ignore[dict-item]


# --- stated values as records round them ---


@pytest.mark.parametrize(
    ("stated", "found", "same"),
    [
        (0.958, 0.9583333333333334, True),
        (0.88, 0.875, True),
        (0.96, 0.9583333333333334, True),
        (0.9584, 0.9583333333333334, False),
        (0.9, 0.9583333333333334, False),
        (1.0, 0.9583333333333334, False),
        (0.87, 0.875, True),
        (30.7, 30.7018, False),
    ],
)
def test_a_stated_number_may_be_rounded_to_its_decimals(stated: float, found: float, *, same: bool) -> None:
    """Two decimals or more; with fewer a number is what it says."""
    assert is_same(stated, found) is same
