"""The content of `audit.json` of a comparison of two runs: two judges, or two prompts of one, on the same statements."""

from typing import Literal

from judge.schema.audits import Audit, AuditedJudge
from judge.schema.consistency import StatementRole
from judge.schema.figures import Figure
from judge.schema.judgments import JudgeIdentity
from judge.schema.labels import Label, UnjudgedReason
from judge.schema.manifests import InputFacts
from judge.schema.record import Record

Unjudged = dict[UnjudgedReason, int]
Side = Literal["first", "second"]


class ComparedRun(Record):
    """One of the two runs: a name made from its folder, who judged (with the hashes of prompt and policy), and what.

    `members` are the judges of a panel, by name; empty for a judge of its own. `batch_size` is how many statements a request may hold.
    `complete` says that all that was to be judged was.
    """

    run: str
    judge: AuditedJudge
    identity: JudgeIdentity
    members: tuple[str, ...]
    batch_size: int | None
    data: InputFacts
    complete: bool


class JudgeDifference(Record):
    """One part of who judged in which the runs differ, such as `model`, `prompt` or `temperature`; None where a run has no such part."""

    part: str
    first: str | None
    second: str | None


class Joined(Record):
    """What was compared, and what was not and why; nothing is left out of these counts.

    Items are the same where their id, question and answer are, statements of them where their role and text are. `another_answer`
    and `another_question` count items whose id is in both runs and whose text is not the same: they are not compared. Statements are
    counted in compared items.
    """

    items: int
    only_in_first: int
    only_in_second: int
    another_answer: int
    another_question: int
    statements: int
    statements_only_in_first: int
    statements_only_in_second: int


class WordCounts(Record):
    """How often each run says a word, over what both judged.

    `specific_agreement` is 2 a / (first + second), where both say it a times (Spitzer and Fleiss 1974): how often one says it where the
    other does, in [0, 1]; None where neither does.
    """

    first: int
    second: int
    specific_agreement: float | None


class RunsAgreement(Record):
    """The words of two runs on the same things; neither is taken to be right. `n` counts things that both judged.

    `agreement` is the share with one and the same word, in [0, 1]; coefficients are at most 1. `agreement_bounds` take everything
    that a run left unjudged as differing, and as alike. `confusion` has a row for each word of the first run, a column for each of
    the second. `unjudged` counts by run and reason; a thing that both left unjudged is in both, and once in `unjudged_in_both`.
    `ci95` are intervals clustered by document or question; `reasons` say why a figure is None or has no interval.
    """

    things: int
    n: int
    clusters: int
    agreement: float | None
    agreement_bounds: tuple[float, float]
    cohen_kappa: float | None
    gwet_ac1: float | None
    scott_pi: float | None
    krippendorff_alpha: float | None
    by_word: dict[str, WordCounts]
    confusion: dict[str, dict[str, int]]
    unjudged: dict[Side, Unjudged]
    unjudged_in_both: int
    ci95: dict[str, tuple[float, float]]
    ci_method: dict[str, str]
    reasons: dict[str, str]


class RateDifference(Record):
    """A rate per answer in both runs, answer by answer: the means over the answers that have it in both, in [0, 1].

    `difference` is the mean of second less first, in [-1, 1], with its interval clustered as elsewhere; `p` is two-sided, by flipping
    the signs of clusters. `other_statements` counts answers left out since their propositions are not the same in both runs,
    `without_rate` those that have no rate in one of them.
    """

    metric: str
    first: float | None
    second: float | None
    difference: Figure
    p: float | None
    other_statements: int
    without_rate: int


class RunWord(Record):
    """What one run says of a statement and what it rests on."""

    label: Label
    quote: str | None
    quote_verified: bool | None
    rationale: str


class RunsDisagreement(Record):
    """A statement to which the runs give different labels."""

    item_id: str
    question: str | None
    answer: str
    role: StatementRole
    statement: str
    first: RunWord
    second: RunWord


class Between(Audit):
    """Two runs side by side. `judge` and `data` are those of the first; no judgment was made, so `usage` is None.

    `differs` names all in which the judges differ; empty where it is the same judge. `propositions` are what rates are made of,
    `other_statements` the sides of conflicts, decoys and gaps; a block is None where there is nothing of its kind. `disagreements`
    come with opposite labels first, then those that move a recall, then the others, each in the order of the first run.
    """

    audit: Literal["between"] = "between"
    first: ComparedRun
    second: ComparedRun
    differs: tuple[JudgeDifference, ...]
    joined: Joined
    propositions: RunsAgreement | None
    other_statements: RunsAgreement | None
    abstention: RunsAgreement | None
    rates: tuple[RateDifference, ...]
    disagreements: tuple[RunsDisagreement, ...]
