"""The content of `audit.json` of an agreement audit: what the judge says beside what people said."""

from typing import Literal

from judge.schema.audits import Audit
from judge.schema.calibrations import Calibration
from judge.schema.figures import Figure
from judge.schema.labels import UnjudgedReason
from judge.schema.record import Record
from judge.schema.sheets import SheetLabels


class LabelFigures(Record):
    """One label against the others. `n` is how often people gave it; shares are None where they would be of nothing."""

    n: float
    precision: float | None
    recall: float | None
    f1: float | None


class HumanAgreement(Record):
    """How far people agree among themselves on the same things. `things` counts those with two votes or more.

    `agreement` is the share of pairs of votes on one thing that are alike. The coefficients are None where the file does not hold
    every vote apart. `meaning` says what was compared.
    """

    things: int
    agreement: float | None
    cohen_kappa: float | None = None
    gwet_ac1: float | None = None
    fleiss_kappa: float | None = None
    krippendorff_alpha: float | None = None
    pearson: float | None = None
    meaning: str


class LabelAgreement(Record):
    """Judged labels against those of people. `n` counts things with both; coefficients are at most 1, shares in [0, 1].

    `confusion` has a row for each label of people, a column for each of the judge; with a stratified sample, sums of weights.
    `unjudged` counts by reason what has a label of people and no verdict, and is in no figure but `accuracy_bounds`, which take it
    all as wrong and all as right. `ci95` are intervals clustered by document, `ci_method` how each was made; `reasons` say why a
    figure is None or has no interval. `human` is people's own agreement, where the file tells it.
    """

    n: int
    clusters: int
    accuracy: float | None
    accuracy_bounds: tuple[float, float] | None
    balanced_accuracy: float | None
    macro_f1: float | None
    cohen_kappa: float | None
    gwet_ac1: float | None
    scott_pi: float | None
    krippendorff_alpha: float | None
    by_label: dict[str, LabelFigures]
    confusion: dict[str, dict[str, float]]
    unjudged: dict[UnjudgedReason, int]
    ci95: dict[str, tuple[float, float]]
    ci_method: dict[str, str]
    reasons: dict[str, str]
    human: HumanAgreement | None = None


class PreferenceAgreement(LabelAgreement):
    """Which of two answers has the higher judged recall of the gold answer, against the one that people prefer.

    `n` counts pairs in which people prefer one; equal recalls are a `tie`, which agrees with nobody. `human_ties` and `judged_ties`
    count ties among all judged pairs. `by_aspect` holds the same for the aspects that people judged apart; the figures here are those
    of `aspect`.
    """

    aspect: str
    human_ties: int
    judged_ties: int
    by_aspect: dict[str, LabelAgreement]


class RecallAgreement(Record):
    """Judged recall per answer against people's score of it. `human_score` says where that comes from: stated, or from their labels."""

    n: int
    human_score: Literal["stated", "labels"]
    pearson: Figure
    spearman: Figure
    kendall_tau_b: Figure
    mean_judged: float | None
    mean_human: float | None


class Disagreement(Record):
    """One thing on which judge and people differ, with what the judge rests on."""

    id: str
    doc_id: str
    question: str | None
    answer: str
    statement: str | None
    gold: str
    judged: str
    quote: str | None
    rationale: str | None


class Agreement(Audit):
    """An agreement audit. Each block is None where the file holds no such labels.

    `supported` counts every statement of which people said whether it is supported, `labels` only those with one of three labels;
    `partly_abstained` counts answers that the judge takes for partly declining, which count as not abstained.
    `calibration` holds the labels that a correction of other runs needs; None without labelled statements. `sheet` counts what came
    back of a sheet, where the labels come from one.
    """

    audit: Literal["agreement"] = "agreement"
    labels: LabelAgreement | None
    supported: LabelAgreement | None
    abstention: LabelAgreement | None
    pairs: PreferenceAgreement | None
    recall: RecallAgreement | None
    partly_abstained: int
    calibration: Calibration | None
    disagreements: tuple[Disagreement, ...]
    sheet: SheetLabels | None = None
