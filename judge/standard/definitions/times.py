"""Times, in seconds."""

from judge.schema.definitions import Definition
from judge.standard.sources import METHODOLOGY, PACKAGE

DEFINITIONS = (
    Definition(
        symbol="T_orient",
        id="T1",
        name="Orient Time",
        group="time",
        layer="agent",
        unit="s",
        range=">= 0",
        direction="down",
        since="1.0",
        formula="session start to first substantive action (state-changing tool call or first code/answer), system prompt loading excluded",
        inputs=("session_start", "first_substantive_action"),
        null_rule="Null if it was not measured.",
        meaning="How long the agent takes to get its bearings. It counts from the start of the session, T_task from the first "
        "user message, so it may rightly exceed T_task.",
        source=METHODOLOGY,
    ),
    Definition(
        symbol="T_task",
        id="T2",
        name="Task Duration",
        group="time",
        layer="agent",
        unit="s",
        range="> 0",
        direction="down",
        since="1.0",
        formula="first user message to final agent response",
        inputs=("first_user_message", "final_agent_response"),
        null_rule="The standard requires it. A session without it still scores: it is null, and so are V_time and V_orient.",
        meaning="How long the whole task takes, end to end. It enters no composite: faster is shown by V_time.",
        source=METHODOLOGY,
    ),
    Definition(
        symbol="T_human",
        id="T3",
        name="Human Baseline",
        group="time",
        layer="agent",
        unit="s",
        range="> 0",
        direction="ctx",
        since="1.0",
        formula="expert's manual time; fixed per fixture version",
        inputs=("fixture_seconds",),
        null_rule="Null if it was not measured; then every Cx is null.",
        meaning="How long a domain expert takes by hand. It comes from the fixture alone, whose hash is in every result; another "
        "value in a trace is an error. Kept in seconds, divided by 60 inside the composites only.",
        source=f"{METHODOLOGY}; seconds: {PACKAGE}",
    ),
)
