"""Memory of a Top Floor run: what outlives a wipe."""

from judge.schema.definitions import Definition
from judge.standard.sources import LEADERBOARD, OURS

DEFINITIONS = (
    Definition(
        symbol="pre_wipe_preparation",
        id=None,
        name="Pre-wipe Preparation",
        group="memory diagnostics",
        layer="agent",
        unit="ratio",
        range="0..1",
        direction="up",
        since="diagnostics-v1",
        formula="stored facts that were needed later / facts needed later",
        inputs=("needed_stored", "needed_facts"),
        null_rule="Null if no fact was needed later.",
        meaning="Whether what would be needed was written down in time. Later is after a wipe, and stored is stored before that wipe; "
        "without a wipe, stored before it was needed. A fact of an earlier floor enters once it is stored on this one.",
        source=f"{LEADERBOARD}, which names it; the formula is {OURS}",
    ),
    Definition(
        symbol="recovery_rate",
        id=None,
        name="Recovery Rate",
        group="memory diagnostics",
        layer="agent",
        unit="ratio",
        range="0..1",
        direction="up",
        since="diagnostics-v1",
        formula="facts recovered after a wipe / facts stored before it",
        inputs=("facts_recovered", "facts_stored"),
        null_rule="Null without a wipe, and if nothing was stored before it.",
        meaning="How much of what was stored came back. Several wipes count together: for each the facts stored before it, and those of "
        "them recalled before the next.",
        source=f"{LEADERBOARD}, which names it; the formula is {OURS}",
    ),
    Definition(
        symbol="cross_floor_recall",
        id=None,
        name="Cross-floor Recall",
        group="memory diagnostics",
        layer="agent",
        unit="ratio",
        range="0..1",
        direction="up",
        since="diagnostics-v1",
        formula="facts of earlier floors used / facts of earlier floors needed",
        inputs=("earlier_used", "earlier_needed"),
        null_rule="Null if no fact of an earlier floor was needed.",
        meaning="Whether earlier floors are remembered. Earlier is a floor with a lower number; a fact that was used was needed, and "
        "counts once.",
        source=f"{LEADERBOARD}, which names it; the formula is {OURS}",
    ),
    Definition(
        symbol="wipe_detection_speed",
        id=None,
        name="Wipe Detection Speed",
        group="memory diagnostics",
        layer="agent",
        unit="turns",
        range="int >= 0",
        direction="down",
        since="diagnostics-v1",
        formula="turns from the wipe to its first mention",
        inputs=("wipe_turn", "mention_turn"),
        null_rule="Null without a wipe, and if it was never mentioned.",
        meaning="How soon the agent notices that its memory is gone: from the first wipe, also if the first mention comes after another "
        "wipe. Shown, not averaged.",
        source=f"{LEADERBOARD}, which names it; the formula is {OURS}",
    ),
)
