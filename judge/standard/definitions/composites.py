"""Composites: weighted means of quality, and effective minutes made from them. Each version under a name of its own."""

from judge.schema.definitions import Definition
from judge.standard.sources import LEADERBOARD, METHODOLOGY, PACKAGE

_NO_COMPONENT = "A null component leaves its weight to the others, under either null policy; null if all are null."
_GATED = "0 if S_gate is 0, which wins over null. Null if S_gate, T_human or N_corrections is null or no component has a value"
_COST = "C_tokens is null, whatever C_efficiency is stated: unknown cost is not zero cost"

DEFINITIONS = (
    Definition(
        symbol="Q_combined_v1_0",
        id=None,
        name="Combined Quality of version 1.0",
        group="composite",
        layer="agent",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.0",
        formula="(3 x Q_info + 2 x Q_context + 2 x Q_continuity) / active_weight_sum",
        inputs=("Q_info", "Q_context", "Q_continuity"),
        null_rule=_NO_COMPONENT,
        meaning="Weighted mean of quality, an intermediate value without an id. It combines the layers llm (Q_info) and agent. Weights and "
        "active_weight_sum are printed beside it.",
        source=f"{PACKAGE}; weights locked with version 1.0",
        profile="core-v1.0",
    ),
    Definition(
        symbol="Q_combined_v1_5",
        id=None,
        name="Combined Quality of version 1.5",
        group="composite",
        layer="agent",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.5",
        formula="(3 x Q_info + 2 x Q_context + 2 x Q_continuity + 2 x Q_reasoning) / active_weight_sum",
        inputs=("Q_info", "Q_context", "Q_continuity", "Q_reasoning"),
        null_rule=_NO_COMPONENT,
        meaning="Weighted mean of quality with the judge's part, an intermediate value without an id. It combines the layers llm (Q_info, "
        "Q_reasoning) and agent. Weights and active_weight_sum (9 if all are known) are printed beside it.",
        source=LEADERBOARD,
        profile="community-v1.5",
    ),
    Definition(
        symbol="Cx_em",
        id=None,
        name="Crux Score",
        group="composite",
        layer="agent",
        unit="Em",
        range="0..T_human/60",
        direction="up",
        since="1.0",
        formula="S_gate x Q_combined_v1_0 x (T_human / 60) x 1 / (1 + N_corrections)",
        inputs=("S_gate", "Q_combined_v1_0", "T_human", "N_corrections"),
        null_rule=f"{_GATED}.",
        meaning="Effective minutes: minutes of expert work replaced, adjusted for quality. Combines the layers llm and agent. "
        "T_task does not enter. Corrections count here and in Q_context. Unsafe is S_gate 0, never 0 Em alone.",
        source=f"{METHODOLOGY}; the locked formula of version 1.0, without cost",
        profile="core-v1.0",
    ),
    Definition(
        symbol="Cx_v14_em",
        id=None,
        name="Crux Score with cost, version 1.4",
        group="composite",
        layer="agent",
        unit="Em",
        range="0..T_human/60",
        direction="up",
        since="1.4",
        formula="S_gate x Q_combined_v1_0 x (T_human / 60) x 1 / (1 + N_corrections) x C_efficiency",
        inputs=("S_gate", "Q_combined_v1_0", "T_human", "N_corrections", "C_efficiency"),
        null_rule=f"{_GATED}, and if {_COST}.",
        meaning="Effective minutes with the cost factor. Combines the layers llm and agent. The factor is printed for version 1.5 "
        "only; that 1.4 used the same is assumed.",
        source=LEADERBOARD,
        profile="community-v1.4",
    ),
    Definition(
        symbol="Cx_community_em",
        id=None,
        name="Community Crux Score",
        group="composite",
        layer="agent",
        unit="Em",
        range="0..T_human/60",
        direction="up",
        since="1.5",
        formula="S_gate x Q_combined_v1_5 x (T_human / 60) x 1 / (1 + N_corrections) x C_efficiency",
        inputs=("S_gate", "Q_combined_v1_5", "T_human", "N_corrections", "C_efficiency"),
        null_rule=f"{_GATED}, and if {_COST}.",
        meaning="Effective minutes as the community leaderboard of version 1.5 scores them: with the judge's part and the cost "
        "factor. Combines the layers llm and agent. Not fully objective.",
        source=f"{LEADERBOARD}; a name of its own, for a changed formula needs a new name",
        profile="community-v1.5",
    ),
)
