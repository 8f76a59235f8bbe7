"""The content of `audit.json` of a consistency audit: how often a judge changes its mind."""

from typing import Literal

from judge.schema.audits import Audit
from judge.schema.figures import Figure
from judge.schema.judgments import Setting
from judge.schema.labels import Label, UnjudgedReason
from judge.schema.rates import Rate
from judge.schema.record import Record

StatementRole = Literal["proposition", "conflict", "decoy", "gap"]
"""What a statement is to its item."""

Said = Label | UnjudgedReason
"""A label, or why there is none."""


class ProviderCaching(Record):
    """What an endpoint told, over the replies of this run, of answering from a cache of its own.

    `repeated_ids` counts replies that carry the id of an earlier one, as a copy does. Of the replies whose usage tells,
    `cached_input_tokens` of `input_tokens` were served from a cache of prompts, which changes no verdict; None where none tells.
    """

    replies: int
    repeated_ids: int
    cached_input_tokens: int | None
    input_tokens: int | None


class Conditions(Record):
    """Under which a repeat was one. `temperature` and `seed` are None where the judge takes none.

    `asked_now` of `judgments` were made in this run; the others were made before, when the cache was filled or the run was begun.
    `caching` is None where nobody was asked now.
    """

    repeats: int
    temperature: Setting
    seed: Setting
    dropped_parameters: tuple[str, ...]
    judgments: int
    asked_now: int
    caching: ProviderCaching | None
    meaning: str


class RepeatFigures(Record):
    """One kind of verdict over the repeats of the same request.

    `pairwise_flip` is the mean over things of the share of pairs of repeats that differ, `any_flip` the share of things with more
    than one label, `majority_share` the mean share of the commonest label; all in [0, 1]. `entropy_bits` is the mean entropy of
    the labels; `normalised_entropy` divides it by that of all labels in equal parts. `krippendorff_alpha` and `fleiss_kappa` are
    at most 1; of things with an unjudged repeat the first takes the others, the second none. `unjudged` counts single repeats by
    reason.
    """

    things: int
    pairwise_flip: Figure
    any_flip: Figure
    majority_share: Figure
    entropy_bits: Figure
    normalised_entropy: Figure
    krippendorff_alpha: Figure
    fleiss_kappa: Figure
    unjudged: dict[UnjudgedReason, int]


class ScoreNoise(Record):
    """How much of a score's spread the judge makes, from the item scores of all repeats by a one-way analysis of variance.

    `within` is the variance of one item's score over repeats, `between` that of the items apart from it; `noise_share` is within
    / (between + within), in [0, 1]: of the spread of single items. `run_values` are the means of each repeat and `run_deviation`
    their standard deviation. `headline_share` is the share of the squared standard error of a one-repeat mean that the judge
    makes.
    """

    metric: str
    items: int
    between: float | None
    within: float | None
    noise_share: float | None
    run_values: tuple[float | None, ...]
    run_deviation: float | None
    headline_share: float | None
    reason: str | None = None


class VariantFigures(Record):
    """One change of what should not matter (or of the policy), against the first repeat.

    `flip` is the share of statements whose label differs, of `statements` judged both times; `flips` counts them, and `toward` by
    the label they went to. `beyond_noise` is the mean over statements of the flip less the pairwise flip of its repeats; where
    its interval lies above 0 the change matters more than asking again. The shifts are means over items of the metric under the
    change less without it. `applied` counts the items it could be applied to; `reason` says why none.
    """

    variant: str
    meaning: str
    applied: int
    statements: int
    flips: int
    flip: Figure
    toward: dict[Label, int]
    beyond_noise: Figure
    recall_shift: Figure
    contradiction_shift: Figure
    unjudged: dict[UnjudgedReason, int]
    reason: str | None = None


class StatementStability(Record):
    """One statement of one item: what each repeat and each variant says. `role` tells what it is to the item.

    `pairwise_flip` and `entropy_bits` are over the judged repeats, None with fewer than two.
    """

    item_id: str
    role: StatementRole
    text: str
    repeats: tuple[Said, ...]
    majority: Label | None = None
    majority_share: float | None = None
    pairwise_flip: float | None = None
    entropy_bits: float | None = None
    variants: dict[str, Said]


class Consistency(Audit):
    """A consistency audit. `by_statement` begins with the least stable ones; `policies` names the one audited and the one compared with."""

    audit: Literal["consistency"] = "consistency"
    conditions: Conditions
    coverage: Rate
    statements: RepeatFigures
    abstention: RepeatFigures
    noise: tuple[ScoreNoise, ...]
    variants: tuple[VariantFigures, ...]
    policies: dict[str, str]
    by_statement: tuple[StatementStability, ...]
