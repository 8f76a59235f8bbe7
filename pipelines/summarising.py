"""From the numbers of a run to its summary: who judged, under which rules, what it cost."""

from collections.abc import Iterable
from typing import NamedTuple

from judge.schema.corrections import Correction
from judge.schema.judgments import Appraisal, Judgment, Labels, Split
from judge.schema.labels import UnjudgedReason
from judge.schema.manifests import JudgeFacts
from judge.schema.outcomes import Unjudged
from judge.schema.run_records import RunRecord
from judge.schema.summaries import DerivedSummary, JudgeName, MetricSummary, Summary, UsageSummary
from judge.scorecard import ScoreTable
from judge.standard.noise_credit import signals_rule
from judge.standard.run_values import RunValues, run_values
from pipelines.calibrating import Correcting
from pipelines.config import RunConfig
from pipelines.disclosing import JUDGE_SIGNALS, METRICS_VERSION, REASONING, SIGNALS_VERSION, Judged, Signal, correction_words, disclosure

_NOT_MADE = frozenset({UnjudgedReason.NOT_RUN, UnjudgedReason.NOT_RECORDED, UnjudgedReason.BUDGET_STOP})


class UsageTally:
    """What distinct judgments cost when they were made; add them in input order, so that sums are the same each time."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._seen: set[bytes] = set()
        self._answered = 0
        self._judgments = 0
        self._input_tokens: int | None = 0
        self._output_tokens: int | None = 0
        self._cost: float | None = 0.0

    def add(self, judgments: Iterable[Judgment]) -> None:
        """Count each judgment that was made, once however many items share it."""
        for judgment in judgments:
            # The judges of a panel are asked the same.
            digest = bytes.fromhex(judgment.request_sha256)[:16] + judgment.identity_id[:8].encode()
            if digest in self._seen:
                continue
            self._seen.add(digest)
            self._answered += _has_verdict(judgment)
            if isinstance(judgment.content, Unjudged) and judgment.content.reason in _NOT_MADE and not judgment.attempts:
                continue
            self._judgments += 1
            usage = judgment.usage
            self._input_tokens = _sum(self._input_tokens, usage.input_tokens)
            self._output_tokens = _sum(self._output_tokens, usage.output_tokens)
            self._cost = None if self._cost is None or usage.cost_usd is None else self._cost + usage.cost_usd

    @property
    def cost_usd(self) -> float | None:
        """Dollars so far; None once one judgment's cost is unknown."""
        return self._cost

    @property
    def is_silent(self) -> bool:
        """Whether something was asked and no judgment holds a single verdict."""
        return bool(self._seen) and not self._answered

    def summary(self) -> UsageSummary:
        """Return the sums; a figure that is unknown for one judgment is unknown for all."""
        return UsageSummary(
            judgments=self._judgments, input_tokens=self._input_tokens, output_tokens=self._output_tokens, cost_usd=self._cost
        )


class Judging(NamedTuple):
    """Who judged, under which label policy; what the user states beside, which no judge knows; and what is known of its errors."""

    judge: JudgeFacts
    policy: str
    record: RunRecord | None = None
    correcting: Correcting | None = None


def build_summary(
    table: ScoreTable, usage: UsageTally, config: RunConfig, judging: Judging, *, stopped: bool
) -> tuple[Summary, tuple[str, ...]]:
    """Return the summary of a run, and warnings about its run record and its calibration; a run that was stopped is never complete."""
    total = table.scorecard(config.min_coverage, config.null_policy)
    values = run_values(total.metrics, judging.record, config.null_policy)
    corrected = None if judging.correcting is None else judging.correcting.correction(total.metrics)
    summary = Summary(
        metrics_version=METRICS_VERSION,
        signals_version=SIGNALS_VERSION,
        null_policy=config.null_policy,
        policy=judging.policy,
        complete=total.complete and not stopped,
        judge=JudgeName(spec=judging.judge.spec, id=judging.judge.id),
        items=total.items,
        coverage=total.coverage,
        metrics=values.metrics,
        derived=values.derived,
        composite=values.composite,
        diagnostics=total.diagnostics,
        labels=total.labels,
        abstentions=total.abstentions,
        unjudged=total.unjudged,
        by_agent=table.scorecards_by_agent(config.min_coverage, config.null_policy),
        corrected=corrected,
        usage=usage.summary(),
        disclosure=run_disclosure(judging, config.null_policy, values, corrected),
    )
    return summary, (*values.warnings, *(() if corrected is None else corrected.warnings))


def run_disclosure(judging: Judging, null_policy: str, values: RunValues, corrected: Correction | None = None) -> str:
    """Return the sentence that every output carries; `values` are those of the run joined with its record."""
    judged = Judged(
        judging.policy,
        signals_rule(SIGNALS_VERSION, values.metrics),
        is_model=any(identity.model is not None for identity in judging.judge.identities.values()),
        corrected="" if corrected is None else correction_words(corrected),
    )
    known: list[MetricSummary | DerivedSummary] = [values.metrics[symbol] for symbol in JUDGE_SIGNALS if symbol in values.metrics]
    if (reasoning := values.derived.get(REASONING)) is not None and reasoning.basis == "given":
        known.append(reasoning)
    signals = [Signal(signal.basis) for signal in known if signal.value is not None]
    parts = disclosure(null_policy, judged, signals, given_by="the run record")
    return "; ".join(parts if judging.record is None else [*parts, "includes values given by a run record"])


def _has_verdict(judgment: Judgment) -> bool:
    match judgment.content:
        case Labels(abstention=abstention, outcomes=outcomes):
            return not all(part is None or isinstance(part, Unjudged) for part in (abstention, *outcomes.values()))
        case Appraisal(mark=mark):
            return not isinstance(mark, Unjudged)
        case Unjudged():
            return False
        case Split():
            return True


def _sum(total: int | None, part: int | None) -> int | None:
    return None if total is None or part is None else total + part
