"""What the run cost, in dollars, calls, turns and the user's patience."""

from judge.schema.definitions import Definition
from judge.standard.sources import METHODOLOGY, PACKAGE

DEFINITIONS = (
    Definition(
        symbol="C_tokens",
        id="E1",
        name="Token Cost",
        group="economic",
        layer="agent",
        unit="USD",
        range=">= 0",
        direction="down",
        since="1.0",
        formula="priced input + output + cached tokens",
        inputs=("costs_by_model",),
        null_rule="Null if it was not measured, and if the price of a part is unknown: never 0. Then C_efficiency, Cx_v14_em and "
        "Cx_community_em are null.",
        meaning="What the agent's tokens cost, priced by model. A local model's true 0 is a measured 0. What a judge costs is no "
        "part of it and stands apart.",
        source=METHODOLOGY,
    ),
    Definition(
        symbol="N_tools",
        id="E2",
        name="Tool Calls",
        group="economic",
        layer="agent",
        unit="count",
        range="int >= 0",
        direction="down",
        since="1.0",
        formula="tool invocations",
        inputs=("tool_calls",),
        null_rule="The standard requires it. A session without it still scores: it is null, and so is V_retrieval.",
        meaning="How often the agent called a tool.",
        source=METHODOLOGY,
    ),
    Definition(
        symbol="N_turns",
        id="E3",
        name="Turns",
        group="economic",
        layer="agent",
        unit="count",
        range="int >= 0",
        direction="down",
        since="1.0",
        formula="conversation round trips (user+assistant pair)",
        inputs=("round_trips",),
        null_rule="The standard requires it. A session without it still scores: it is null, and so is Q_context where there were "
        "corrections.",
        meaning="How often user and agent spoke in turn. Corrections without a turn cannot be, and are an input error.",
        source=METHODOLOGY,
    ),
    Definition(
        symbol="N_corrections",
        id="E4",
        name="User Corrections",
        group="economic",
        layer="agent",
        unit="count",
        range="int >= 0",
        direction="down",
        since="1.0",
        formula="user redirections or re-statements; 0 when automated",
        inputs=("corrections",),
        null_rule="The standard requires it. Null if unknown, and then every Cx is null; 0 where the record says automated: true.",
        meaning="How often the user had to redirect the agent or say something again. It counts twice in Cx: in Q_context and in "
        "a factor of its own. The standard has it so.",
        source=f"{METHODOLOGY}; {PACKAGE}",
    ),
)
