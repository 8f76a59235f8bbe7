"""What only a judge can tell of answers. Version 1.5 names the last three and does not define them."""

from judge.schema.definitions import Definition
from judge.standard.sources import LEADERBOARD, METHODOLOGY, PACKAGE

_PROVISIONAL = f"{LEADERBOARD}, which names it only; the id is provisional, the next free one"

DEFINITIONS = (
    Definition(
        symbol="R_proposition",
        id="I10",
        name="Proposition Recall",
        group="information",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.2",
        formula="mean over questions of supported / total",
        inputs=("supported", "total"),
        null_rule="Null if it was not measured, and without a question that has propositions.",
        meaning="Share of the ground truth's propositions that the answer supports. The ground truth is split, never the answer. "
        "Every question weighs the same; the pooled share is reported beside it.",
        source=f"{METHODOLOGY}; mean over questions: {PACKAGE}",
    ),
    Definition(
        symbol="C_contradiction",
        id="I11",
        name="Contradiction Rate",
        group="information",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="down",
        since="1.2",
        formula="mean over questions of contradicted / total",
        inputs=("contradicted", "total"),
        null_rule="Null if it was not measured, and without a question that has propositions.",
        meaning="Share of the ground truth's propositions that the answer contradicts. An answer can miss facts without contradicting one.",
        source=f"{METHODOLOGY}; mean over questions: {PACKAGE}",
    ),
    Definition(
        symbol="R_judge",
        id="I12",
        name="Judge Score",
        group="information",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.5",
        formula="mean over judged questions of mark / 4",
        inputs=("marks",),
        null_rule="Null if it was not measured: without a marked question, and below the coverage that is asked for.",
        meaning="A judge's mark from 0 to 4 for the answer as a whole. It has no public definition; how this project gives the "
        "mark has a version of its own.",
        source=_PROVISIONAL,
    ),
    Definition(
        symbol="R_conflict_resolution",
        id="I13",
        name="Conflict Resolution",
        group="information",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.5",
        formula="mean over conflict items",
        inputs=("item_scores",),
        null_rule="Null if it was not measured: without an item with conflicts, and below the coverage that is asked for.",
        meaning="Whether the answer takes the side that holds now where sources disagree. It has no public definition; how this "
        "project scores an item has a version of its own.",
        source=_PROVISIONAL,
    ),
    Definition(
        symbol="R_noise_resistance",
        id="I14",
        name="Noise Resistance",
        group="information",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="up",
        since="1.5",
        formula="mean over noise items",
        inputs=("item_scores",),
        null_rule="Null if it was not measured: without an item with decoys, and below the coverage that is asked for.",
        meaning="Whether the answer says something and adopts no misleading statement. It has no public definition; how this "
        "project scores an item has a version of its own.",
        source=_PROVISIONAL,
    ),
)
