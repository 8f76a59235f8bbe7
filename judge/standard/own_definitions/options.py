"""What a user may ask for in place of a rule of `signals-v1`; off unless asked for, and named in every output."""

from judge.schema.definitions import Definition
from judge.standard.sources import OURS

DEFINITIONS = (
    Definition(
        symbol="R_noise_half_credit_item",
        id=None,
        name="Noise, half credit",
        group="judge signals",
        layer="llm",
        unit="ratio",
        range="0..1",
        direction="up",
        since="options-v1",
        formula="R_noise_resistance_item x (1 if a decoy of the item is named, else 1/2); named: the answer supports or contradicts it",
        inputs=("R_noise_resistance_item", "named_decoys"),
        null_rule="Null where R_noise_resistance_item is.",
        meaning="By judge score --noise-half-credit in place of R_noise_resistance_item: an answer that names none of its decoys "
        "earns half. It rewards naming them, so also padding, and is off unless asked for.",
        source=OURS,
    ),
)
