"""The content of `audit.json` of a probe audit: traps with known labels, and changes that must or must not matter."""

from typing import Literal

from judge.schema.audits import Audit
from judge.schema.consistency import Conditions, RepeatFigures
from judge.schema.figures import Figure
from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.rates import Rate
from judge.schema.record import Record

Said = Label | UnjudgedReason
"""A label, or why there is none."""

Word = Label | AbstentionValue | UnjudgedReason
"""What was said of a proposition or of the answer as a whole, or why nothing was."""


class ProbeCase(Record):
    """One line of a probe file: a trap of some kind with the label that people gave it.

    `abstained` is None where abstention is not scored. `payload` is the label that a text in the case demands, where it is not the
    usual one: `supported` for a case that is not, anything else for a case that is.
    """

    id: str
    kind: str
    question: str | None
    answer: str
    proposition: str
    label: Label
    abstained: bool | None = None
    note: str | None = None
    payload: Label | None = None


class ProbeFileFacts(Record):
    """Which cases were asked. `shipped` tells those that this tool brings along."""

    name: str
    sha256: str
    cases: int
    kinds: int
    shipped: bool


class Choices(Record):
    """What the user chose for this audit. `pool` counts the items of the input that were judged for relations, of `items` in all."""

    relations: tuple[str, ...]
    per_relation: int
    shuffle_seed: int
    longest: int
    items: int
    pool: int


class ProbeGate(Record):
    """One gate: a bound on a rate, and whether it is met.

    A case that was not judged counts as wrong in `value`; `unjudged` counts such verdicts. `met` is None where nothing was measured,
    and `reason` says why; `applies` is False where the file has no such case. An interval is Wilson's over `n`; what is no
    proportion has none.
    """

    name: str
    group: str
    measure: str
    bound: Literal["at_least", "at_most"]
    threshold: float | None
    value: float | None
    n: int
    ci95: tuple[float, float] | None = None
    ci_method: str | None = None
    unjudged: int = 0
    met: bool | None = None
    applies: bool = True
    reason: str | None = None


class GroupFigures(Record):
    """The cases of one kind, or of a group of kinds.

    `accuracy` is the mean over cases of the share of repeats with the right label, an unjudged one being wrong. `wrong` counts single
    verdicts by the label that they have, `unjudged` by the reason why they have none.
    """

    name: str
    cases: int
    accuracy: Figure
    wrong: dict[Label, int]
    unjudged: dict[UnjudgedReason, int]


class Pulled(Record):
    """A label that was pulled in a payload's direction, in full. `source` is the kind of the probe case, or the relation.

    `case` is the id of the case or item, `repeats` the numbers, from 1, of the repeats in which it happened, with quote and rationale
    of the first. `gold` is of a changed item what was said without the payload, `towards` what the payload demands.
    """

    source: str
    case: str
    variant: str | None
    repeats: tuple[int, ...]
    question: str | None
    answer: str
    proposition: str
    gold: Label
    towards: Label | None
    judged: Label
    quote: str | None
    rationale: str


class InjectionFigures(Record):
    """The injection cases on their own; `pulled_cases` of `cases` were pulled in at least one repeat. `in_full` holds every pull."""

    cases: int
    accuracy: Figure
    pulled: Figure
    pulled_cases: int
    unjudged: dict[UnjudgedReason, int]
    in_full: tuple[Pulled, ...]


class OrderFigures(Record):
    """Propositions of one answer asked in other orders, and one by one.

    `flip` is the mean over propositions of the share of orders in which the label differs, `noise` the pairwise flip of asking again in
    the same order, `split_flip` that of asking one by one. A verdict that failed counts as differing.
    """

    propositions: int
    batches: int
    flip: Figure
    noise: Figure
    split_flip: Figure


class ViolationExample(Record):
    """One broken expectation: the item, how it was changed, and what was said before and after."""

    item_id: str
    variant: str
    expects: str
    proposition: str | None
    before: Word
    after: Word
    question: str | None
    answer: str
    quote: str | None
    rationale: str | None


class RelationFigures(Record):
    """One relation over the items to which it could be applied.

    `n` counts propositions compared, of `changes` changed items; `rate` is violations / n, with Wilson's interval over items.
    `identity` is the share of the same propositions whose label differs when they are asked again as they are. `p` is the
    one-sided sign-flip test, over clusters, of more violations than that; `fails` is None where it cannot be told. `toward` counts the
    violations by the label they went to. `prompt_faults` counts prompts in which the changed text did not stay in its field, of
    `prompts`; None where no prompt is rendered.
    """

    relation: str
    threat: str
    meaning: str
    expects: tuple[str, ...]
    items: int
    changes: int
    n: int
    violations: int
    rate: Figure
    identity: Figure
    p: float | None
    fails: bool | None
    reason: str | None
    toward: dict[str, int]
    by_variant: dict[str, Rate]
    unjudged: dict[UnjudgedReason, int]
    prompts: int = 0
    prompt_faults: int | None = None
    worst: tuple[ViolationExample, ...]


class NotMadeRelation(Record):
    """A relation that takes a human's hand, and the kinds of cases in the file that cover its threat."""

    relation: str
    meaning: str
    kinds: tuple[str, ...]


class CaseResult(Record):
    """One case: what each repeat said of the proposition, and of abstention."""

    id: str
    kind: str
    label: Label
    labels: tuple[Said, ...]
    abstained: bool | None
    abstentions: tuple[AbstentionValue | UnjudgedReason, ...]


class Probes(Audit):
    """A probe audit. `confusion` counts single verdicts by gold and judged label; what was not judged stands under its reason."""

    audit: Literal["probes"] = "probes"
    probe_file: ProbeFileFacts
    choices: Choices
    conditions: Conditions
    coverage: Rate
    gates: tuple[ProbeGate, ...]
    groups: tuple[GroupFigures, ...]
    kinds: tuple[GroupFigures, ...]
    confusion: dict[Label, dict[str, int]]
    injections: InjectionFigures
    order: OrderFigures
    repeats: RepeatFigures
    abstention_repeats: RepeatFigures
    relations: tuple[RelationFigures, ...]
    not_made: tuple[NotMadeRelation, ...]
    cases: tuple[CaseResult, ...]
