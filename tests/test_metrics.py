"""Metrics of one item: what is counted, what is left open, and what is decided in spite of it."""

import random
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.metrics.abstention import abstained
from judge.metrics.counts import OutcomeCounts, count_outcomes
from judge.metrics.gaps import coverage_awareness, coverage_awareness_bounds
from judge.metrics.propositions import (
    contradiction_bounds,
    contradiction_rate,
    coverage,
    not_addressed_rate,
    proposition_recall,
    quality_bounds,
    recall_bounds,
)
from judge.metrics.reasoning import (
    conflict_resolution,
    conflict_resolution_bounds,
    conflict_resolved,
    engaged,
    noise_resistance,
    noise_resistance_bounds,
)
from judge.metrics.tested import all_supported, all_supported_bounds
from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, AbstentionVerdict, Outcome, Unjudged, Verdict
from judge.schema.rates import Rate

YES = Verdict(label=Label.SUPPORTED, quote="so", quote_verified=True, rationale="")
NO = Verdict(label=Label.CONTRADICTED, quote="not so", quote_verified=True, rationale="")
SILENT = Verdict(label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale="")
FAILED = Unjudged(reason=UnjudgedReason.NETWORK_ERROR, detail="")
NOT_ASKED = Unjudged(reason=UnjudgedReason.NOT_OFFERED, detail="")
VERDICTS: tuple[Outcome, ...] = (YES, NO, SILENT)

outcomes_lists = st.lists(st.sampled_from([YES, NO, SILENT, FAILED, NOT_ASKED]), max_size=6)


def rate(numerator: int, denominator: int) -> Rate:
    return Rate(numerator=numerator, denominator=denominator)


@pytest.mark.parametrize(
    ("outcomes", "recall", "contradiction", "silence", "covered"),
    [
        pytest.param([], (0, 0), (0, 0), (0, 0), (0, 0), id="nothing"),
        pytest.param([FAILED], (0, 0), (0, 0), (0, 0), (0, 1), id="only-failed"),
        pytest.param([NOT_ASKED], (0, 0), (0, 0), (0, 0), (0, 0), id="never-asked"),
        pytest.param([YES, YES, NO, SILENT], (2, 4), (1, 4), (1, 4), (4, 4), id="all-judged"),
        pytest.param([YES, NO, FAILED, NOT_ASKED], (1, 2), (1, 2), (0, 2), (2, 3), id="unjudged-in-no-rate"),
    ],
)
def test_rates_count_verdicts_and_coverage_counts_what_was_asked(
    outcomes: list[Outcome], recall: tuple[int, int], contradiction: tuple[int, int], silence: tuple[int, int], covered: tuple[int, int]
) -> None:
    """Unjudged outcomes are in no denominator but that of coverage, and there only if they were asked."""
    assert proposition_recall(outcomes) == rate(*recall)
    assert contradiction_rate(outcomes) == rate(*contradiction)
    assert not_addressed_rate(outcomes) == rate(*silence)
    assert coverage(outcomes) == rate(*covered)


def test_outcomes_are_counted_by_kind() -> None:
    """Each outcome is in exactly one count."""
    counts = count_outcomes([YES, YES, YES, NO, NO, SILENT, FAILED, NOT_ASKED])
    assert counts == OutcomeCounts(supported=3, contradicted=2, not_addressed=1, failed=1, not_asked=1)
    assert (counts.judged, counts.asked) == (6, 7)


@given(outcomes=outcomes_lists, rng=st.randoms(use_true_random=False))
def test_metrics_ignore_order(outcomes: list[Outcome], rng: random.Random) -> None:
    """Reordering the judgments changes no metric."""
    shuffled = rng.sample(outcomes, k=len(outcomes))
    for metric in (
        proposition_recall,
        contradiction_rate,
        not_addressed_rate,
        coverage,
        recall_bounds,
        contradiction_bounds,
        quality_bounds,
    ):
        assert metric(shuffled) == metric(outcomes)


def test_one_verdict_of_five_leaves_most_open() -> None:
    """One supported, four failed: recall is somewhere in 0.2 to 1, contradiction in 0 to 0.8, quality in 0.04 to 1."""
    outcomes: list[Outcome] = [YES, FAILED, FAILED, FAILED, FAILED]
    assert recall_bounds(outcomes) == (0.2, 1.0)
    assert contradiction_bounds(outcomes) == (0.0, 0.8)
    assert quality_bounds(outcomes) == pytest.approx((0.2 * 0.2, 1.0))


@pytest.mark.parametrize("outcomes", [[], [NOT_ASKED]])
def test_bounds_of_nothing_asked_are_none(outcomes: list[Outcome]) -> None:
    """Without a statement that should have a verdict there is nothing to bound."""
    assert recall_bounds(outcomes) is None
    assert contradiction_bounds(outcomes) is None
    assert quality_bounds(outcomes) is None


def completions(outcomes: Sequence[Outcome]) -> list[tuple[Outcome, ...]]:
    """Return every way in which the failed outcomes could have been judged."""
    return list(product(*[VERDICTS if outcome is FAILED else (outcome,) for outcome in outcomes]))


@given(st.lists(st.sampled_from([YES, NO, SILENT, FAILED]), min_size=1, max_size=6))
def test_bounds_are_the_extremes_over_all_completions(outcomes: list[Outcome]) -> None:
    """No completion of the unjudged passes a bound, and one reaches it."""
    pairs = [(proposition_recall(judged).value or 0.0, contradiction_rate(judged).value or 0.0) for judged in completions(outcomes)]
    recalls, contradictions = [recall for recall, _ in pairs], [contradiction for _, contradiction in pairs]
    products = [recall * (1 - contradiction) for recall, contradiction in pairs]
    assert recall_bounds(outcomes) == (min(recalls), max(recalls))
    assert contradiction_bounds(outcomes) == (min(contradictions), max(contradictions))
    assert quality_bounds(outcomes) == pytest.approx((min(products), max(products)))


@pytest.mark.parametrize(
    ("current", "superseded", "resolved"),
    [
        pytest.param(YES, [SILENT, NO], True, id="current-alone"),
        pytest.param(YES, [], True, id="nothing-superseded"),
        pytest.param(YES, [YES], False, id="both-supported"),
        pytest.param(SILENT, [SILENT], False, id="says-nothing"),
        pytest.param(NO, [FAILED], False, id="current-contradicted-decides"),
        pytest.param(FAILED, [FAILED, YES], False, id="superseded-supported-decides"),
        pytest.param(YES, [SILENT, FAILED], None, id="superseded-open"),
        pytest.param(FAILED, [NO], None, id="current-open"),
        pytest.param(NOT_ASKED, [NOT_ASKED], None, id="never-asked"),
    ],
)
def test_conflict_is_resolved_by_the_current_statement_alone(current: Outcome, superseded: list[Outcome], resolved: bool | None) -> None:
    """Decided as soon as the verdicts there are allow it, open otherwise."""
    assert conflict_resolved(current, superseded) is resolved


@given(st.sampled_from([YES, NO, SILENT, FAILED]), st.lists(st.sampled_from([YES, NO, SILENT, FAILED]), max_size=3))
def test_conflict_is_open_only_if_completions_differ(current: Outcome, superseded: list[Outcome]) -> None:
    """Unjudged sides leave the conflict open exactly where they could change the result."""
    results = {conflict_resolved(first, rest) for first, *rest in completions([current, *superseded])}
    assert conflict_resolved(current, superseded) is (results.pop() if len(results) == 1 else None)


@pytest.mark.parametrize(
    ("resolved", "sides", "share", "bounds"),
    [
        pytest.param([], [], None, None, id="no-conflicts"),
        pytest.param([True, False, True, True], [YES, SILENT], 0.75, (0.75, 0.75), id="three-of-four"),
        pytest.param([True, None, False, False], [YES, FAILED], None, (0.25, 0.5), id="one-open"),
        pytest.param([None], [NOT_ASKED], None, (0.0, 1.0), id="never-asked"),
        pytest.param([False, True], [NO, FAILED, YES], None, (0.5, 0.5), id="decided-and-a-side-failed"),
        pytest.param([False], [NO, NOT_ASKED], 0.0, (0.0, 0.0), id="decided-and-a-side-never-asked"),
    ],
)
def test_conflict_resolution_is_a_share_of_decided_conflicts(
    resolved: list[bool | None], sides: list[Outcome], share: float | None, bounds: tuple[float, float] | None
) -> None:
    """One open conflict or failed side leaves the item without a value, but not without bounds."""
    assert conflict_resolution(resolved, sides) == share
    assert conflict_resolution_bounds(resolved) == bounds


@pytest.mark.parametrize(
    ("answerable", "propositions", "abstention", "expected"),
    [
        pytest.param(True, [SILENT, YES], None, True, id="one-supported"),
        pytest.param(True, [FAILED, YES], None, True, id="one-supported-decides"),
        pytest.param(True, [SILENT, NO], AbstentionValue.ABSTAINED, False, id="none-supported"),
        pytest.param(True, [SILENT, FAILED], None, None, id="open"),
        pytest.param(True, [], AbstentionValue.ANSWERED, None, id="no-propositions"),
        pytest.param(None, [YES], None, True, id="answerable-unsaid"),
        pytest.param(False, [YES], AbstentionValue.ABSTAINED, True, id="unanswerable-abstained"),
        pytest.param(False, [YES], AbstentionValue.PARTLY_ABSTAINED, False, id="unanswerable-partly"),
        pytest.param(False, [YES], None, None, id="unanswerable-open"),
    ],
)
def test_engagement_depends_on_what_the_question_calls_for(
    answerable: bool | None, propositions: list[Outcome], abstention: AbstentionValue | None, expected: bool | None
) -> None:
    """Answering is engaging where there is an answer, abstaining where there is none."""
    assert engaged(answerable, propositions, abstention) is expected


@pytest.mark.parametrize(
    ("is_engaged", "decoys", "tells", "value", "bounds"),
    [
        pytest.param(True, [SILENT, NO, YES, SILENT], [YES], 0.75, (0.75, 0.75), id="one-of-four-adopted"),
        pytest.param(False, [SILENT, SILENT], [NO], 0.0, (0.0, 0.0), id="not-engaged-earns-nothing"),
        pytest.param(False, [SILENT, NOT_ASKED], [NO], 0.0, (0.0, 0.0), id="not-engaged-and-a-decoy-never-asked"),
        pytest.param(False, [SILENT, FAILED], [NO], None, (0.0, 0.0), id="not-engaged-and-a-decoy-failed"),
        pytest.param(True, [SILENT, FAILED], [YES], None, (0.5, 1.0), id="decoy-open"),
        pytest.param(True, [SILENT, NO], [YES, FAILED], None, (1.0, 1.0), id="engaged-and-a-tell-failed"),
        pytest.param(None, [SILENT, YES], [FAILED], None, (0.0, 0.5), id="engagement-open"),
        pytest.param(None, [YES], [FAILED], None, (0.0, 0.0), id="all-adopted-and-engagement-open"),
        pytest.param(None, [YES], [NOT_ASKED], 0.0, (0.0, 0.0), id="all-adopted-and-engagement-never-asked"),
        pytest.param(True, [], [YES], None, None, id="no-decoys"),
        pytest.param(False, [], [NO], None, None, id="not-engaged-no-decoys"),
    ],
)
def test_noise_resistance_is_the_share_of_decoys_not_adopted(
    is_engaged: bool | None, decoys: list[Outcome], tells: list[Outcome], value: float | None, bounds: tuple[float, float] | None
) -> None:
    """A decoy is adopted where the answer supports it; naming it to reject it is not adopting."""
    assert noise_resistance(is_engaged, decoys, tells) == value
    assert noise_resistance_bounds(is_engaged, decoys) == bounds


@pytest.mark.parametrize(
    ("gaps", "share", "bounds"),
    [
        pytest.param([], None, None, id="no-gaps"),
        pytest.param([YES, SILENT, NO, YES], 0.5, (0.5, 0.5), id="two-of-four-admitted"),
        pytest.param([SILENT], 0.0, (0.0, 0.0), id="not-admitted"),
        pytest.param([YES, FAILED], None, (0.5, 1.0), id="open"),
        pytest.param([NO, NOT_ASKED], None, (0.0, 0.5), id="never-asked"),
    ],
)
def test_coverage_awareness_is_the_share_of_gaps_admitted(
    gaps: list[Outcome], share: float | None, bounds: tuple[float, float] | None
) -> None:
    """Admitting a gap is supporting the statement of it; one unjudged gap leaves bounds and no value."""
    assert coverage_awareness(gaps) == share
    assert coverage_awareness_bounds(gaps) == bounds


@pytest.mark.parametrize(
    ("propositions", "value", "bounds"),
    [
        pytest.param([], None, None, id="nothing-to-test"),
        pytest.param([YES, YES], 1.0, (1.0, 1.0), id="all-supported"),
        pytest.param([YES, SILENT], 0.0, (0.0, 0.0), id="one-silent"),
        pytest.param([NO], 0.0, (0.0, 0.0), id="contradicted"),
        pytest.param([YES, SILENT, FAILED], None, (0.0, 0.0), id="one-silent-and-one-failed"),
        pytest.param([YES, SILENT, NOT_ASKED], 0.0, (0.0, 0.0), id="one-silent-and-one-never-asked"),
        pytest.param([YES, FAILED], None, (0.0, 1.0), id="open"),
        pytest.param([FAILED], None, (0.0, 1.0), id="could-not-be-split"),
    ],
)
def test_tested_item_is_right_only_as_a_whole(propositions: list[Outcome], value: float | None, bounds: tuple[float, float] | None) -> None:
    """Every proposition supported is right, one judged otherwise is wrong; a failed one leaves no value, but tight bounds."""
    assert all_supported(propositions) == value
    assert all_supported_bounds(propositions) == bounds


@given(st.lists(st.sampled_from([YES, NO, SILENT, FAILED]), min_size=1, max_size=5))
def test_gaps_and_tested_items_are_bounded_by_their_completions(outcomes: list[Outcome]) -> None:
    """No completion of the unjudged passes a bound, one reaches it, and a value is there exactly if nothing is open."""
    shares = [coverage_awareness(judged) for judged in completions(outcomes)]
    rights = [all_supported(judged) for judged in completions(outcomes)]
    assert None not in (*shares, *rights)
    assert coverage_awareness_bounds(outcomes) == (min(shares), max(shares))  # type: ignore[type-var]
    assert all_supported_bounds(outcomes) == (min(rights), max(rights))  # type: ignore[type-var]
    for value in (all_supported(outcomes), coverage_awareness(outcomes)):
        assert (value is None) == (FAILED in outcomes)


@pytest.mark.parametrize(
    ("declared", "outcome", "value"),
    [
        (None, AbstentionVerdict(value=AbstentionValue.PARTLY_ABSTAINED), AbstentionValue.PARTLY_ABSTAINED),
        (None, FAILED, None),
        (True, AbstentionVerdict(value=AbstentionValue.ANSWERED), AbstentionValue.ABSTAINED),
        (False, AbstentionVerdict(value=AbstentionValue.ABSTAINED), AbstentionValue.ANSWERED),
        (True, FAILED, AbstentionValue.ABSTAINED),
    ],
)
def test_declared_abstention_wins(declared: bool | None, outcome: AbstentionOutcome, value: AbstentionValue | None) -> None:
    """The agent's own flag counts before the judge's verdict, and in its absence."""
    assert abstained(declared, outcome) is value
