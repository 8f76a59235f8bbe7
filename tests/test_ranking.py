"""Ranks and intervals as pure numbers: who is better for sure, who cannot be told apart, and what intervals become in formulas."""

import random
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.schema.leaderboards import Estimate
from judge.schema.run_records import RunRecord
from judge.schema.summaries import MetricSummary
from judge.standard.derived import DERIVATIONS
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.intervals import estimate_of_metric, estimates
from judge.standard.nulls import NullPolicy
from judge.standard.ranking import Place, Spread, places
from judge.standard.run_values import run_values

RATIOS = st.floats(0.0, 1.0)


@st.composite
def spreads(draw: st.DrawFn) -> Spread:
    low, value, high = sorted(draw(st.tuples(*(st.integers(-8, 8),) * 3)))
    return Spread(float(value), float(low), float(high))


# --- places ---


@pytest.mark.parametrize(
    ("given_spreads", "expected"),
    [
        pytest.param([], [], id="nobody"),
        pytest.param([(0.5, 0.4, 0.6)], [(1, 1)], id="alone"),
        pytest.param([(0.9, 0.8, 1.0), (0.5, 0.4, 0.6)], [(1, 1), (2, 2)], id="apart"),
        pytest.param([(0.9, 0.6, 1.0), (0.5, 0.4, 0.6)], [(1, 2), (1, 2)], id="touching-ends-overlap"),
        pytest.param([(0.9, 0.8, 1.0), (0.7, 0.5, 0.85), (0.4, 0.3, 0.6)], [(1, 2), (1, 3), (2, 3)], id="overlap-is-not-transitive"),
        pytest.param([(0.5, 0.5, 0.5), (0.5, 0.5, 0.5), (0.4, 0.4, 0.4)], [(1, 2), (1, 2), (3, 3)], id="equal-values-tie"),
        pytest.param([(0.5, 0.5, 0.5), (0.6, 0.4, 0.8), (0.9, 0.9, 0.9)], [(2, 3), (2, 3), (1, 1)], id="a-point-within-an-interval"),
        pytest.param([(0.7, 0.7, 0.7), (0.6, 0.1, 0.9), (0.8, 0.8, 0.8)], [(2, 3), (1, 3), (1, 2)], id="a-wide-one-may-be-anywhere"),
    ],
)
def test_places(given_spreads: list[tuple[float, float, float]], expected: list[tuple[int, int]]) -> None:
    """The best place is 1 plus those wholly above, the worst is all less those wholly below."""
    assert places([Spread(*each) for each in given_spreads]) == [Place(*each) for each in expected]


def test_lower_is_better_turns_the_order() -> None:
    """Of costs the smallest is first, and overlap works as before."""
    found = places([Spread(9.0, 8.0, 10.0), Spread(1.0, 0.5, 1.5), Spread(1.4, 1.2, 2.0)], lower_is_better=True)
    assert found == [Place(3, 3), Place(1, 2), Place(1, 2)]


def test_a_place_in_words() -> None:
    assert (Place(2, 2).in_words(), Place(1, 3).in_words()) == ("2", "1-3")


@given(st.lists(spreads(), max_size=12), st.booleans())
def test_a_range_holds_the_place_by_value(found: list[Spread], lower: bool) -> None:
    """The place a run has by its value alone always lies within its range, whichever of equal values comes first."""
    sign = -1 if lower else 1
    for spread, place in zip(found, places(found, lower_is_better=lower), strict=True):
        better = sum(sign * other.value > sign * spread.value for other in found)
        equal = sum(other.value == spread.value for other in found)
        assert 1 <= place.best <= better + 1
        assert better + equal <= place.worst <= len(found)


@given(st.lists(spreads(), max_size=12), st.randoms())
def test_the_order_of_arguments_changes_no_place(found: list[Spread], rng: random.Random) -> None:
    order = rng.sample(range(len(found)), k=len(found))
    shuffled = places([found[position] for position in order])
    assert shuffled == [places(found)[position] for position in order]


@given(st.lists(RATIOS, min_size=1, max_size=12))
def test_without_intervals_places_are_competition_ranks(values: list[float]) -> None:
    """Points share a range only where they are equal."""
    for value, place in zip(values, places([Spread(each, each, each) for each in values]), strict=True):
        assert place == (1 + sum(other > value for other in values), sum(other >= value for other in values))


# --- intervals ---


def metric(value: float | None, ci95: tuple[float, float] | None = None, **more: object) -> MetricSummary:
    base = MetricSummary(value=value, n=5, nulls=0, ci95=ci95, ci_method="cluster-t" if ci95 else "one-cluster", layer="llm")
    return base.model_copy(update=more)


JUDGED = {
    "R_proposition": metric(0.8, (0.6, 1.1)),
    "C_contradiction": metric(0.1, (-0.05, 0.25)),
    "A_abstention": metric(0.5),
    "A_coverage": metric(0.9, (0.8, 1.0)),
    "R_judge": metric(0.5, (0.4, 0.6)),
    "R_conflict_resolution": metric(0.75, (0.5, 1.0)),
    "R_noise_resistance": metric(0.25, (0.0, 0.5)),
}
FULL = {
    "Q_info": 0.5,
    "T_human": 600.0,
    "S_gate": 1.0,
    "C_tokens": 0.5,
    "N_corrections": 1.0,
}


def found(metrics: dict[str, MetricSummary], stated: Mapping[str, float] = {}, policy: NullPolicy = "strict") -> dict[str, Estimate]:
    """Return the estimates of a run that judged these metrics and has a record with these values."""
    record = RunRecord(
        name="r.json",
        sha256="0",
        fundamentals={symbol: value for symbol, value in stated.items() if symbol in FUNDAMENTALS},
        derived={symbol: value for symbol, value in stated.items() if symbol in DERIVATIONS},
    )
    values = run_values(metrics, record, policy)
    return estimates(values.metrics, values.derived, values.composite, policy)


def assert_near(estimate: Estimate, value: float, ends: tuple[float, float]) -> None:
    """The estimate is this value within these ends, which went through a formula."""
    assert estimate.value == pytest.approx(value)
    assert estimate.ci95 == pytest.approx(ends)
    assert estimate.ci_method == "ends-of-inputs"


def test_a_metric_is_clipped_to_its_range() -> None:
    """A share above 1 cannot be, whatever the t interval says."""
    estimate = estimate_of_metric("R_proposition", JUDGED["R_proposition"])
    assert estimate == Estimate(value=0.8, ci95=(0.6, 1.0), ci_method="cluster-t")


def test_ends_of_inputs_go_through_the_formulas() -> None:
    """Q_proposition = R x (1 - C): 0.6 x 0.75 = 0.45 and 1 x 1 = 1. Q_reasoning: means of the lows and of the highs, 0.3 and 0.7."""
    quality, reasoning = (found(JUDGED)[symbol] for symbol in ("Q_proposition", "Q_reasoning"))
    assert_near(quality, 0.72, (0.45, 1.0))
    assert_near(reasoning, 0.5, (0.3, 0.7))


def test_a_mean_of_components_takes_the_active_ones_only() -> None:
    """(3 x 0.5 + 2 x 0.3) / 5 = 0.42 to (3 x 0.5 + 2 x 0.7) / 5 = 0.58: what is missing widens the bounds, not the interval."""
    mean = found(JUDGED, FULL)["Q_combined_v1_5"]
    assert_near(mean, 0.5, (0.42, 0.58))


def test_minutes_multiply_the_ends() -> None:
    """10 minutes x 1/2 for one correction x 1/2 for 0.50 dollars: 2.5 times the mean, 1.05 to 1.45."""
    minutes = found(JUDGED, FULL)["Cx_community_em"]
    assert_near(minutes, 1.25, (1.05, 1.45))


def test_what_is_made_of_stated_values_alone_is_exact() -> None:
    """Cx_em does not look at judged reasoning: 10 x 0.5 x 1/2 = 2.5, and nothing about it is estimated."""
    minutes = found(JUDGED, FULL)["Cx_em"]
    assert minutes == Estimate(value=2.5, ci95=(2.5, 2.5), ci_method="exact")


def test_a_closed_gate_leaves_nothing_open() -> None:
    assert found(JUDGED, {**FULL, "S_gate": 0.0})["Cx_community_em"] == Estimate(value=0.0, ci95=(0.0, 0.0), ci_method="exact")


def test_an_input_without_interval_leaves_none() -> None:
    """One cluster says nothing of others, so nothing made of it has an interval, and the reason names it through every step."""
    known = {**JUDGED, "R_noise_resistance": metric(0.25), "R_judge": metric(0.5)}
    estimate = found(known, FULL)
    reason = "no interval of R_judge (one-cluster), R_noise_resistance (one-cluster)"
    assert estimate["Q_abstention"].ci_reason == "no interval of A_abstention (one-cluster)"
    for symbol in ("Q_reasoning", "Q_combined_v1_5", "Cx_community_em"):
        assert (estimate[symbol].ci95, estimate[symbol].ci_reason) == (None, reason)
    assert estimate["R_judge"].ci_reason == "one-cluster"


def test_what_is_missing_keeps_its_reason() -> None:
    """No value, no interval, and why."""
    estimate = found({"R_judge": metric(None, reason="coverage")})
    assert estimate["R_judge"] == Estimate(value=None, reason="coverage")
    assert estimate["Q_reasoning"] == Estimate(value=None, reason="input_null")
    assert estimate["Cx_em"] == Estimate(value=None, reason="safety_not_measured")
    assert estimate["Q_combined_v1_5"] == Estimate(value=None, reason="no_component_measured")


def test_under_available_the_known_inputs_decide() -> None:
    """Of two known marks the mean of the lows and of the highs: (0.4 + 0.5) / 2 and (0.6 + 1) / 2."""
    known = {symbol: JUDGED[symbol] for symbol in ("R_judge", "R_conflict_resolution")}
    assert found(known, policy="available")["Q_reasoning"].ci95 == pytest.approx((0.45, 0.8))


@given(
    st.dictionaries(st.sampled_from(sorted(JUDGED)), st.tuples(RATIOS, RATIOS, RATIOS).map(sorted)),
    st.dictionaries(
        st.sampled_from(["Q_info", "S_gate", "N_corrections", "N_turns", "P_context", "T_human", "C_tokens"]), st.sampled_from([0.0, 1.0])
    ),
    st.sampled_from(["strict", "available"]),
    st.lists(RATIOS, min_size=7, max_size=7),
)
def test_an_interval_holds_every_value_of_its_inputs(
    judged: dict[str, list[float]], stated: dict[str, float], policy: NullPolicy, shares: list[float]
) -> None:
    """Wherever within their intervals the judged inputs lie, what is made of them lies within its own; the value does too."""
    if stated.get("N_corrections") and not stated.get("N_turns", 1.0):
        return
    kept = {key: value for key, value in stated.items() if (key, value) != ("T_human", 0.0)}
    estimate = found({symbol: metric(value, (low, high)) for symbol, (low, value, high) in judged.items()}, kept, policy)
    moved = {
        symbol: metric(min(low + share * (high - low), high), (low, high))
        for share, (symbol, (low, _, high)) in zip(shares, sorted(judged.items()), strict=False)
    }
    elsewhere = found(moved, kept, policy)
    for symbol, each in estimate.items():
        if each.value is None:
            assert each.reason
            continue
        assert each.ci95 is not None
        assert each.ci95[0] <= each.value <= each.ci95[1]
        other = elsewhere[symbol].value
        assert other is not None
        assert each.ci95[0] - 1e-12 <= other <= each.ci95[1] + 1e-12
