"""What is shown of answers beside the standard's numbers."""

from judge.schema.definitions import Definition
from judge.standard.sources import HARNESS

DEFINITIONS = (
    Definition(
        symbol="partial_credit",
        id=None,
        name="Partial Credit",
        group="answer diagnostics",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="up",
        since="diagnostics-v1",
        formula="clamp((supported - contradicted) / total, 0, 1), a mean over items at the level of a run",
        inputs=("supported", "contradicted", "total"),
        null_rule="Null without propositions, and while one is unjudged.",
        meaning="A diagnostic of the public harness, not Q_proposition: of five propositions three supported and one contradicted give "
        "0.40 here and 0.48 there.",
        source=HARNESS,
    ),
)
