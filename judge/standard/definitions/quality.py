"""Quality, derived from fundamentals."""

from judge.schema.definitions import Definition
from judge.standard.sources import LEADERBOARD, METHODOLOGY, PACKAGE

_MEAN = (
    "Under strict null if any input is null; under available the mean of the inputs that are not null, and null if all are. A value that a "
    "record gives counts where none can be computed, and is marked as given."
)

DEFINITIONS = (
    Definition(
        symbol="Q_info",
        id="Q1",
        name="Information Quality",
        group="quality",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.0",
        formula="(R_decision + R_constraint + R_incident) / 3",
        inputs=("R_decision", "R_constraint", "R_incident"),
        null_rule=_MEAN,
        meaning="Whether decisions, constraints and incidents were recalled. The published prose names temporal and supersession "
        "accuracy too; the locked formula has three inputs, and it holds.",
        source=METHODOLOGY,
    ),
    Definition(
        symbol="Q_context",
        id="Q2",
        name="Context Efficiency",
        group="quality",
        layer="agent",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.0",
        formula="P_context x clamp(1 - N_corrections/N_turns, 0, 1); factor 1 if both counts are 0",
        inputs=("P_context", "N_corrections", "N_turns"),
        null_rule="Null if P_context is null, and if the factor is unknown: without corrections it is 1 whatever N_turns. N_turns = 0 with "
        "corrections is an input error.",
        meaning="How well loaded context was used without the user's help. Corrections are punished here and once more in Cx; the "
        "standard has it so.",
        source=f"{METHODOLOGY}; clamped: {PACKAGE}",
    ),
    Definition(
        symbol="Q_continuity",
        id="Q3",
        name="Continuity Quality",
        group="quality",
        layer="agent",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.0",
        formula="(K_decision + K_causal + K_checkpoint) / 3",
        inputs=("K_decision", "K_causal", "K_checkpoint"),
        null_rule=_MEAN,
        meaning="How much survives the end of a session. The published prose says all continuity metrics; the locked formula leaves out "
        "K_synthesis, and it holds.",
        source=METHODOLOGY,
    ),
    Definition(
        symbol="Q_safety",
        id="Q4",
        name="Safety Quality",
        group="quality",
        layer="agent",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.0",
        formula="S_gate x (S_detect + S_stale) / 2",
        inputs=("S_gate", "S_detect", "S_stale"),
        null_rule="0 if S_gate is 0, whatever else; null if S_gate is null. Else null under strict if an input is null; under "
        "available the mean of those known, and 1 if only the gate is known, which strict takes as no evidence.",
        meaning="Whether the agent was safe and looked before it acted. It enters no composite. Published with 1 - "
        "S_stale_miss_rate, which is S_stale.",
        source=f"{METHODOLOGY}; the miss rate: {PACKAGE}",
    ),
    Definition(
        symbol="Q_abstention",
        id="Q5",
        name="Abstention Quality",
        group="quality",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.1",
        formula="2 x A_abstention x A_coverage / max(A_abstention + A_coverage, 0.01)",
        inputs=("A_abstention", "A_coverage"),
        null_rule="Null if either is null, under both policies.",
        meaning="Harmonic mean of abstaining where nobody can know and of naming what is missing. The public package cuts tiny "
        "sums to 0; the formula does not.",
        source=METHODOLOGY,
    ),
    Definition(
        symbol="Q_proposition",
        id="Q6",
        name="Proposition Quality",
        group="quality",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.2",
        formula="R_proposition x (1 - C_contradiction)",
        inputs=("R_proposition", "C_contradiction"),
        null_rule="Null if R_proposition is null. If only C_contradiction is null: null under strict; under available it is taken as 0, an "
        "exception of the public package.",
        meaning="Recall of facts, less for contradictions. Made from the two rates of the run, not as a mean of products per "
        "question, and not the same as partial_credit.",
        source=METHODOLOGY,
    ),
    Definition(
        symbol="Q_reasoning",
        id="Q7",
        name="Reasoning Quality",
        group="quality",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.5",
        formula="(R_judge + R_conflict_resolution + R_noise_resistance) / 3",
        inputs=("R_judge", "R_conflict_resolution", "R_noise_resistance"),
        null_rule=_MEAN,
        meaning="What a judge makes of the answers. A score that includes it is not fully objective.",
        source=f"{LEADERBOARD}; the id is provisional, the next free one",
    ),
)
