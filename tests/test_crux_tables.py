"""Tables of `judge crux`: an interval never leaves what its number can be."""

import pytest

from judge.schema.crux import MinutesSpread
from pipelines.reports.crux_tables import minutes_table


def spread(unit: str, ci95: tuple[float, float] | None) -> MinutesSpread:
    """Return a composite over two sessions."""
    return MinutesSpread.model_validate(
        {
            "value": 0.5,
            "statistic": "mean",
            "ci95": ci95,
            "n": 2,
            "nulls": 0,
            "unit": unit,
            "layer": "llm+agent",
            "weights": {"Q_info": 4},
            "active_components": ("Q_info",),
            "active_weight_sum": 4,
        }
    )


@pytest.mark.parametrize(
    ("unit", "ci95", "longest", "shown"),
    [
        pytest.param("Em", (-3.0, 90.0), 70.0, "0.00 to 70.00", id="both-ends-of-minutes"),
        pytest.param("Em", (10.0, 60.0), 70.0, "10.00 to 60.00", id="inside"),
        pytest.param("Em", (-3.0, 90.0), None, "0.00 to 90.00", id="no-human-time-no-ceiling"),
        pytest.param("Em", (-3.0, 90.0), 0.0, "0.000 to 0.000", id="a-ceiling-of-0-is-one"),
        pytest.param("ratio", (-0.2, 1.3), 70.0, "0.00 to 1.00", id="both-ends-of-a-ratio"),
        pytest.param("ratio", (0.2, 1.3), None, "0.20 to 1.00", id="a-ratio-without-human-time"),
        pytest.param("ratio", None, 70.0, "n/a", id="no-interval"),
    ],
)
def test_an_interval_is_clipped_to_what_the_number_can_be(
    unit: str, ci95: tuple[float, float] | None, longest: float | None, shown: str
) -> None:
    """Effective minutes lie between 0 and the longest human time, ratios between 0 and 1."""
    table = minutes_table({"Cx_em": spread(unit, ci95)}, longest)
    place = [column.name for column in table.columns].index("95 % interval")
    assert table.rows[0][place] == shown
