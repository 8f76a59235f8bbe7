"""Scores of a Top Floor campaign. Not in effective minutes, and in no composite."""

from judge.schema.definitions import Definition
from judge.standard.sources import LEADERBOARD, RECORDS

DEFINITIONS = (
    Definition(
        symbol="floor_score",
        id=None,
        name="Floor Score",
        group="campaign",
        layer="agent",
        unit="points",
        range=">= 0",
        direction="up",
        since="1.5",
        formula="completion / duration_min / turns x 1000; completion in 0..1",
        inputs=("completion", "duration_ms", "turns"),
        null_rule="Never null: an error if duration or turns is 0 or negative, or completion is out of range.",
        meaning="How fast and with how few turns a floor was cleared. Taken from unrounded milliseconds, rounded for display "
        "only. Points are no effective minutes and never enter Cx.",
        source=f"{LEADERBOARD}; milliseconds: {RECORDS}",
    ),
    Definition(
        symbol="campaign_score",
        id=None,
        name="Campaign Score",
        group="campaign",
        layer="agent",
        unit="points",
        range=">= 0",
        direction="up",
        since="1.5",
        formula="sum of unrounded floor_score over cleared floors",
        inputs=("floor_score",),
        null_rule="0 with no cleared floors.",
        meaning="What a campaign reached. Of every floor the best cleared attempt counts, from a history that is only appended "
        "to, so the total only grows. A floor is cleared when its key was obtained.",
        source=f"{LEADERBOARD}; cleared: {RECORDS}",
    ),
)
