"""Which way a number of the standard is better."""

from judge.schema.leaderboards import Direction

LOWER_IS_BETTER = frozenset(
    {
        "T_orient",
        "T_task",
        "C_contradiction",
        "over_abstention_rate",
        "C_tokens",
        "N_tools",
        "N_turns",
        "N_corrections",
        "V_cost",
        "V_orient",
    }
)
DESCRIPTIVE = frozenset({"T_human"})
"""What tells of the task and not of who did it."""


def direction_of(symbol: str) -> Direction:
    """Return `down` where lower values are better, `context` for what only describes the task, else `up`."""
    if symbol in DESCRIPTIVE:
        return "context"
    return "down" if symbol in LOWER_IS_BETTER else "up"
