"""From item results to the numbers of a run, in tables small enough to check by hand."""

import random
from math import isfinite
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.metrics.gaps import coverage_awareness
from judge.metrics.tested import SIGNAL_OF, all_supported
from judge.schema.items import ItemTest
from judge.schema.labels import AbstentionValue, Flag, ItemState, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, AbstentionVerdict, Mark, MarkOutcome, Outcome, Unjudged, Verdict
from judge.schema.rates import Rate
from judge.schema.results import ConflictResult, ItemResult, OpenAlternative, PropositionResult, StatementResult
from judge.schema.summaries import ItemCounts, MetricSummary, Scorecard
from judge.scorecard import ScoreTable
from judge.standard.nulls import NullPolicy
from judge.statistics.clustering import mean_interval
from judge.statistics.wilson import wilson_interval

YES = Verdict(label=Label.SUPPORTED, quote="so", quote_verified=True, rationale="")
NO = Verdict(label=Label.CONTRADICTED, quote="not so", quote_verified=True, rationale="")
SILENT = Verdict(label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale="")
FAILED = Unjudged(reason=UnjudgedReason.NETWORK_ERROR, detail="")
NOT_OFFERED = Unjudged(reason=UnjudgedReason.NOT_OFFERED, detail="")
NO_SPLIT = Unjudged(reason=UnjudgedReason.DECOMPOSITION_FAILED, detail="")
EMPTY = Unjudged(reason=UnjudgedReason.EMPTY_ANSWER, detail="")
ANSWERED = AbstentionVerdict(value=AbstentionValue.ANSWERED)
PARTLY = AbstentionVerdict(value=AbstentionValue.PARTLY_ABSTAINED)
ABSTAINED = AbstentionVerdict(value=AbstentionValue.ABSTAINED)
Signals = dict[str, float | None]
Bounds = dict[str, tuple[float, float]]


def propositions(*outcomes: Outcome) -> tuple[PropositionResult, ...]:
    return tuple(PropositionResult(id=f"p{i}", text=f"{i}", source_quote=None, outcome=outcome) for i, outcome in enumerate(outcomes))


def statements(*outcomes: Outcome) -> tuple[StatementResult, ...]:
    return tuple(StatementResult(text=f"{i}", outcome=outcome) for i, outcome in enumerate(outcomes))


def item(
    *outcomes: Outcome,
    signals: Signals | None = None,
    bounds: Bounds | None = None,
    abstention: AbstentionOutcome = ANSWERED,
    mark: MarkOutcome = NOT_OFFERED,
    **fields: object,
) -> ItemResult:
    """Build an answerable item, with the signals of its propositions where all are judged, of its mark and its abstention."""
    judged = [outcome.label for outcome in outcomes if isinstance(outcome, Verdict)]
    own: Signals = {}
    if outcomes and len(judged) == len(outcomes):
        own = {
            "R_proposition": judged.count(Label.SUPPORTED) / len(judged),
            "C_contradiction": judged.count(Label.CONTRADICTED) / len(judged),
        }
    if isinstance(mark, Mark):
        own["R_judge"] = mark.value / 4
    declared = fields.get("declared_abstained")
    if isinstance(abstention, AbstentionVerdict) or declared is not None:
        has_abstained = declared is True or (declared is None and abstention == ABSTAINED)
        own["A_abstention" if fields.get("answerable") is False else "over_abstention_rate"] = float(has_abstained)
    values: dict[str, object] = {
        "item_id": "q",
        "answerable": True,
        "state": ItemState.JUDGED,
        "propositions": propositions(*outcomes),
        "abstention": abstention,
        "mark": mark,
        "signals": own | (signals or {}),
        "bounds": bounds or {},
    }
    return ItemResult.model_validate(values | fields)


def score(*results: ItemResult, min_coverage: float = 0.0, null_policy: NullPolicy = "strict") -> Scorecard:
    table = ScoreTable()
    for result in results:
        table.add(result)
    return table.scorecard(min_coverage, null_policy)


def test_item_that_failed_is_a_null_and_not_a_zero() -> None:
    """Recalls 0.9, failed, 0.8: the mean is 0.85 over two, and the third is shown by its bounds."""
    card = score(
        item(*[YES] * 9, SILENT),
        item(NO_SPLIT, state=ItemState.UNJUDGED),
        item(*[YES] * 8, NO, SILENT),
    )
    recall = card.metrics["R_proposition"]
    assert recall.value == pytest.approx(0.85)
    assert (recall.n, recall.nulls, recall.reason) == (2, 1, None)
    assert recall.bounds == pytest.approx((1.7 / 3, 2.7 / 3))
    assert recall.pooled is not None
    assert (recall.pooled.numerator, recall.pooled.denominator) == (17, 20)
    contradiction = card.metrics["C_contradiction"]
    assert contradiction.value == pytest.approx(0.05)
    assert contradiction.bounds == pytest.approx((0.1 / 3, 1.1 / 3))
    assert card.derived["Q_proposition"].value == pytest.approx(0.85 * 0.95)
    assert card.derived["Q_proposition"].inputs == {"R_proposition": recall.value, "C_contradiction": contradiction.value}
    assert (card.coverage["statements"].numerator, card.coverage["statements"].denominator) == (20, 21)
    assert card.labels == {"supported": 17, "contradicted": 1, "not_addressed": 2}
    assert card.unjudged == {"decomposition_failed": 1}
    assert card.items == ItemCounts(total=3, judged=2, partly_judged=0, unjudged=1, no_propositions=0)


def test_partly_judged_item_enters_bounds_and_pool_only() -> None:
    """One of five judged, supported: no headline at all, bounds from 0.2 to 1, one judged statement in the pool."""
    bounds = {"R_proposition": (0.2, 1.0), "C_contradiction": (0.0, 0.8)}
    card = score(item(YES, *[FAILED] * 4, bounds=bounds, state=ItemState.PARTLY_JUDGED))
    recall = card.metrics["R_proposition"]
    assert (recall.value, recall.n, recall.nulls, recall.reason) == (None, 0, 1, "no_fully_judged_items")
    assert recall.bounds == (0.2, 1.0)
    assert recall.pooled is not None
    assert recall.pooled.value == 1.0
    assert recall.ci95 is None
    assert card.metrics["C_contradiction"].bounds == (0.0, 0.8)
    assert card.derived["Q_proposition"].reason == "input_null"
    assert card.unjudged == {"network_error": 4}


def test_coverage_below_the_minimum_takes_the_headline_away() -> None:
    """Nine verdicts of ten asked: below 0.95 only what was measured all the same stays."""
    results = [item(*[YES] * 4, SILENT), item(YES, YES, NO, YES, FAILED, bounds={"R_proposition": (0.6, 0.8)})]
    card = score(*results, min_coverage=0.95)
    recall = card.metrics["R_proposition"]
    assert (recall.value, recall.ci95, recall.ci_method, recall.reason) == (None, None, None, "coverage")
    assert (recall.n, recall.nulls) == (1, 1)
    assert recall.bounds == pytest.approx((0.7, 0.8))
    assert recall.pooled is not None
    assert recall.pooled.denominator == 9
    assert not card.complete
    assert score(*results, min_coverage=0.9).metrics["R_proposition"].value == pytest.approx(0.8)
    assert score(*results, min_coverage=0.9).complete


def test_abstention_is_right_on_unanswerable_and_wrong_on_answerable_items() -> None:
    """Partly abstaining is neither; the agent's own flag wins over the judge."""
    card = score(
        item(abstention=ABSTAINED, answerable=False),
        item(abstention=PARTLY, answerable=False),
        item(abstention=ANSWERED, answerable=False, declared_abstained=True, flags=(Flag.DECLARED_DIFFERS,)),
        item(abstention=ANSWERED, answerable=False),
        item(YES, abstention=ANSWERED),
        item(YES, abstention=PARTLY),
        item(SILENT, abstention=ABSTAINED),
        item(abstention=ABSTAINED, answerable=None),
    )
    assert card.metrics["A_abstention"].value == 0.5
    assert card.metrics["A_abstention"].n == 4
    assert card.metrics["over_abstention_rate"].value == pytest.approx(1 / 3)
    assert card.metrics["over_abstention_rate"].n == 3
    assert card.abstentions == {"answered": 2, "partly_abstained": 2, "abstained": 4, "declared_differs": 1}
    assert (card.coverage["abstention"].numerator, card.coverage["abstention"].denominator) == (8, 8)


def test_all_items_abstain() -> None:
    """Every unanswerable item right, every answerable one over-abstained: both 1, with Wilson intervals."""
    card = score(*[item(abstention=ABSTAINED, answerable=False)] * 3, *[item(SILENT, SILENT, abstention=ABSTAINED)] * 2)
    right, over = card.metrics["A_abstention"], card.metrics["over_abstention_rate"]
    assert (right.value, over.value) == (1.0, 1.0)
    assert (right.ci_method, over.ci_method) == ("wilson", "wilson")
    three_of_three = wilson_interval(3, 3)
    assert three_of_three is not None
    assert right.ci95 == (three_of_three.low, three_of_three.high)
    assert card.metrics["R_proposition"].value == 0.0
    assert card.derived["Q_proposition"].value == 0.0


def test_abstention_of_an_empty_answer_counts_nowhere_unless_declared() -> None:
    """Nobody can be asked whether nothing abstains, but an agent can say so."""
    undeclared = score(item(abstention=EMPTY, answerable=False), item(SILENT, abstention=EMPTY))
    assert undeclared.metrics["A_abstention"].reason == "empty_answer"
    assert undeclared.metrics["over_abstention_rate"].reason == "empty_answer"
    assert undeclared.metrics["A_abstention"].nulls == 0
    assert undeclared.coverage["abstention"].value is None
    assert undeclared.unjudged == {}
    assert undeclared.complete
    declared = score(item(abstention=EMPTY, answerable=False, declared_abstained=True))
    assert declared.metrics["A_abstention"].value == 1.0


def test_failed_abstention_is_bounded_by_both_ends() -> None:
    """One right, one unjudged: the rate is somewhere between a half and one."""
    results = [item(abstention=ABSTAINED, answerable=False), item(abstention=FAILED, answerable=False)]
    card = score(*results)
    assert (card.metrics["A_abstention"].value, card.metrics["A_abstention"].bounds) == (1.0, (0.5, 1.0))
    assert score(*results, min_coverage=0.95).metrics["A_abstention"].reason == "coverage"


def test_metric_from_which_nothing_is_missing_keeps_its_headline() -> None:
    """Abstention failed on answerable items only: what is known of the unanswerable ones is complete."""
    card = score(item(abstention=ABSTAINED, answerable=False), item(YES, abstention=FAILED), min_coverage=0.95)
    assert card.metrics["A_abstention"].value == 1.0
    assert card.metrics["over_abstention_rate"].reason == "coverage"
    assert not card.complete
    assert "A_abstention" not in card.coverage
    assert card.coverage["over_abstention_rate"] == Rate(numerator=0, denominator=1)


def test_headlines_are_held_to_the_coverage_of_their_own_items() -> None:
    """One of two unanswerable and one of two tested items open among forty: no headline of theirs, and the run is incomplete."""
    tests = (ItemTest.SYNTHESIS,)
    results = [
        item(abstention=ABSTAINED, answerable=False),
        item(abstention=FAILED, answerable=False),
        item(YES, tests=tests, signals={"K_synthesis": 1.0}),
        item(YES, FAILED, tests=tests, bounds={"K_synthesis": (0.0, 1.0)}),
        *[item(YES)] * 36,
    ]
    card = score(*results, min_coverage=0.95)
    assert (card.metrics["A_abstention"].reason, card.metrics["K_synthesis"].reason) == ("coverage", "coverage")
    assert (card.metrics["R_proposition"].value, card.metrics["over_abstention_rate"].value) == (1.0, 0.0)
    assert card.coverage["A_abstention"] == card.coverage["K_synthesis"] == Rate(numerator=1, denominator=2)
    assert card.coverage["abstention"].numerator == 39
    assert card.coverage.keys() == {"statements", "abstention", "R_judge", "A_abstention", "K_synthesis"}
    assert not card.complete
    assert score(*results[:1], *results[2:3], *results[4:], min_coverage=0.95).complete


def test_what_could_still_count_is_counted_as_unjudged() -> None:
    """Two of three asked are judged: the third could let another ground truth count, so recall is open."""
    still_open = OpenAlternative(reference=1, unjudged=propositions(FAILED))
    bounds = {"R_proposition": (0.5, 1.0), "C_contradiction": (0.0, 1.0)}
    signals: Signals = {"R_proposition": None, "C_contradiction": None}
    card = score(item(YES, SILENT, open_alternatives=(still_open,), signals=signals, bounds=bounds))
    recall = card.metrics["R_proposition"]
    assert (recall.value, recall.nulls, recall.bounds) == (None, 1, (0.5, 1.0))
    assert card.coverage["statements"] == Rate(numerator=2, denominator=3)
    assert card.unjudged == {"network_error": 1}
    unanswerable = score(item(YES, open_alternatives=(still_open,), answerable=False))
    assert (unanswerable.unjudged, unanswerable.coverage["statements"].denominator) == ({"network_error": 1}, 0)


@pytest.mark.parametrize(
    ("has_sources", "basis"),
    [
        ([True, True], "sources"),
        ([False, False], "reference"),
        ([True, False], "reference; 1 of 2 also sources"),
        ([True, False, False], "reference; 1 of 3 also sources"),
        ([], None),
    ],
)
def test_a_mark_says_whether_the_judge_saw_sources(has_sources: list[bool], basis: str | None) -> None:
    """Only items with a mark are counted, over agents as well."""
    marked = [item(YES, mark=Mark(value=3, rationale=""), has_sources=has, agent=f"{at}") for at, has in enumerate(has_sources)]
    others = [item(YES, mark=FAILED, has_sources=True), item(has_sources=True), item(answerable=False, has_sources=True)]
    assert score(*marked, *others).metrics["R_judge"].basis == basis


def test_mark_is_a_quarter_a_point_and_not_asked_is_no_failure() -> None:
    """Marks 4 and 1, one failed, one without reference, one unanswerable: 0.625 over two, one null."""
    no_reference = Unjudged(reason=UnjudgedReason.NO_REFERENCE, detail="")
    results = [
        item(YES, mark=Mark(value=4, rationale="")),
        item(YES, mark=Mark(value=1, rationale="")),
        item(YES, mark=FAILED),
        item(mark=no_reference),
        item(mark=Mark(value=0, rationale=""), answerable=False),
    ]
    card = score(*results)
    assert (card.metrics["R_judge"].value, card.metrics["R_judge"].n, card.metrics["R_judge"].nulls) == (0.625, 2, 1)
    assert card.metrics["R_judge"].bounds == pytest.approx((1.25 / 3, 2.25 / 3))
    assert (card.coverage["R_judge"].numerator, card.coverage["R_judge"].denominator) == (2, 3)
    assert card.unjudged == {"network_error": 1}


def test_metric_without_items_names_the_commonest_reason() -> None:
    """Two items whose judge offers no mark and one without a reference."""
    no_reference = Unjudged(reason=UnjudgedReason.NO_REFERENCE, detail="")
    card = score(item(YES), item(YES), item(mark=no_reference), min_coverage=0.95)
    assert card.metrics["R_judge"].reason == "not_offered"
    assert card.coverage["R_judge"].value is None
    assert card.complete
    assert score(item()).metrics["R_proposition"].reason == "no_propositions"
    assert score(item(answerable=False)).metrics["R_proposition"].reason == "no_answerable_items"


def test_unanswerable_items_enter_no_rate_of_propositions() -> None:
    """Their propositions are shown and their failures counted, but neither rates nor coverage know them."""
    card = score(item(YES, FAILED, answerable=False), item(YES, NO))
    assert card.metrics["R_proposition"].n == 1
    assert card.labels == {"supported": 1, "contradicted": 1, "not_addressed": 0}
    assert card.coverage["statements"].denominator == 2
    assert card.unjudged == {"network_error": 1}


def test_signals_of_conflicts_and_decoys_are_averaged_where_they_apply() -> None:
    """An unjudged part makes a null, engagement that nobody can tell makes the item inapplicable."""
    conflict = ConflictResult(id="c", resolved=True, current=statements(YES)[0], superseded=statements(SILENT))
    still_open = ConflictResult(id="c", resolved=None, current=statements(FAILED)[0], superseded=statements(SILENT))
    results = [
        item(YES, conflicts=(conflict,), signals={"R_conflict_resolution": 1.0}),
        item(YES, conflicts=(conflict, still_open), bounds={"R_conflict_resolution": (0.5, 1.0)}),
        item(YES, decoys=statements(YES, NO), signals={"R_noise_resistance": 0.5}),
        item(YES, decoys=statements(FAILED)),
        item(decoys=statements(YES)),
        item(decoys=statements(SILENT), answerable=False, abstention=EMPTY),
        item(YES, gaps=statements(YES, FAILED)),
    ]
    card = score(*results)
    conflicts, noise = card.metrics["R_conflict_resolution"], card.metrics["R_noise_resistance"]
    assert (conflicts.value, conflicts.n, conflicts.nulls, conflicts.bounds) == (1.0, 1, 1, (0.75, 1.0))
    assert (noise.value, noise.n, noise.nulls, noise.bounds) == (0.5, 1, 1, (0.25, 0.75))
    assert card.coverage["R_conflict_resolution"].value == 0.5
    assert card.coverage["R_noise_resistance"].value == 0.5
    assert (card.coverage["statements"].numerator, card.coverage["statements"].denominator) == (15, 18)
    assert (card.coverage["propositions"].numerator, card.coverage["propositions"].denominator) == (5, 5)
    strict = score(*results, min_coverage=0.95)
    assert strict.metrics["R_conflict_resolution"].reason == "coverage"
    assert strict.metrics["R_proposition"].value == 1.0


def test_gaps_are_averaged_over_items_and_covered_on_their_own() -> None:
    """Shares 1 and 0.5, one open in 0.5 to 1: 0.75 over two of three items; three of five judged gaps are admitted."""
    results = [
        item(YES, gaps=statements(YES), signals={"A_coverage": 1.0}),
        item(gaps=statements(YES, SILENT), signals={"A_coverage": 0.5}, answerable=False, abstention=ABSTAINED),
        item(YES, gaps=statements(YES, FAILED), bounds={"A_coverage": (0.5, 1.0)}),
        item(YES, gaps=statements(NOT_OFFERED)),
        item(YES),
    ]
    card = score(*results)
    found = card.metrics["A_coverage"]
    assert (found.value, found.n, found.nulls, found.basis, found.layer) == (0.75, 2, 1, "answer", "llm")
    assert found.bounds == pytest.approx((2.0 / 3, 2.5 / 3))
    assert found.pooled is not None
    assert (found.pooled.numerator, found.pooled.denominator) == (3, 4)
    assert (card.coverage["A_coverage"].numerator, card.coverage["A_coverage"].denominator) == (2, 3)
    assert card.derived["Q_abstention"].value == pytest.approx(2 * 0.75 / 1.75)
    strict = score(*results, min_coverage=0.95)
    assert (strict.metrics["A_coverage"].value, strict.metrics["A_coverage"].reason) == (None, "coverage")
    assert not strict.complete
    bare = score(item(YES)).metrics["A_coverage"]
    assert (bare.reason, bare.basis) == ("no_gaps", None)


def test_tagged_items_feed_the_metrics_of_their_tests() -> None:
    """Right, wrong and open; an unanswerable item and one without propositions are left out, and a metric without items says so."""
    both = (ItemTest.TEMPORAL, ItemTest.SYNTHESIS)
    results = [
        item(YES, tests=both, signals={"R_temporal": 1.0, "K_synthesis": 1.0}),
        item(YES, NO, tests=(ItemTest.TEMPORAL,), signals={"R_temporal": 0.0}),
        item(YES, FAILED, tests=(ItemTest.TEMPORAL,), bounds={"R_temporal": (0.0, 1.0)}),
        item(YES, tests=both, answerable=False),
        item(tests=both),
        item(SILENT),
    ]
    metrics = score(*results).metrics
    temporal, synthesis = metrics["R_temporal"], metrics["K_synthesis"]
    assert (temporal.value, temporal.n, temporal.nulls) == (0.5, 2, 1)
    assert temporal.bounds == pytest.approx((1 / 3, 2 / 3))
    assert (synthesis.value, synthesis.n, synthesis.nulls) == (1.0, 1, 0)
    assert (temporal.layer, synthesis.layer) == ("llm", "agent")
    assert (metrics["R_supersession"].value, metrics["R_supersession"].reason) == (None, "no_supersession_items")
    assert score(*results, min_coverage=0.95).metrics["R_temporal"].reason == "coverage"
    left_out = {score(one).metrics["R_temporal"].reason for one in results[3:5]}
    assert left_out == {"no_answerable_items", "no_propositions"}
    assert score(item(NOT_OFFERED, tests=both)).metrics["K_synthesis"].reason == "not_offered"
    twice = item(YES, tests=(ItemTest.TEMPORAL, ItemTest.TEMPORAL), signals={"R_temporal": 1.0})
    assert score(twice).metrics["R_temporal"].n == 1


def test_metrics_stand_in_one_order() -> None:
    """What was there first stays first."""
    assert list(score().metrics) == [
        "R_proposition",
        "C_contradiction",
        "A_abstention",
        "over_abstention_rate",
        "R_judge",
        "R_conflict_resolution",
        "R_noise_resistance",
        "A_coverage",
        "R_temporal",
        "R_supersession",
        "K_synthesis",
    ]


def test_judge_that_offers_no_labels_leaves_nothing_applicable() -> None:
    """Statements that were never asked are no failure, and the reason is passed on."""
    conflict = ConflictResult(id="c", resolved=None, current=statements(NOT_OFFERED)[0], superseded=statements(NOT_OFFERED))
    card = score(item(NOT_OFFERED, NOT_OFFERED, conflicts=(conflict,), decoys=statements(NOT_OFFERED)), min_coverage=0.95)
    for symbol in ("R_proposition", "C_contradiction", "R_conflict_resolution", "R_noise_resistance"):
        assert card.metrics[symbol].reason == "not_offered"
        assert card.metrics[symbol].bounds is None
    assert card.complete


def test_null_policy_decides_about_a_missing_contradiction_rate() -> None:
    """`available` makes do without it; neither policy makes do without recall."""
    half = item(YES, signals={"C_contradiction": None})
    assert score(half).derived["Q_proposition"].value is None
    assert score(half, null_policy="available").derived["Q_proposition"].value == 1.0
    assert score(item(), null_policy="available").derived["Q_proposition"].reason == "input_null"


def test_quality_is_the_product_of_run_level_means() -> None:
    """(R, C) = (1, 0) and (0, 1) give 0.25, not the mean of products 0.5."""
    assert score(item(YES), item(NO)).derived["Q_proposition"].value == 0.25


@pytest.mark.parametrize(
    ("keys", "clusters"),
    [
        pytest.param([{"question_id": "a"}, {"question_id": "a"}, {"question_id": "b"}], [0, 0, 1], id="by-question"),
        pytest.param([{"cluster": "x", "question_id": "a"}, {"cluster": "x"}, {"cluster": "y"}], [0, 0, 1], id="by-cluster"),
        pytest.param([{}, {}, {}], [0, 1, 2], id="by-item"),
        pytest.param([{"cluster": "a"}, {"question_id": "a"}, {}], [0, 1, 2], id="never-mixed"),
    ],
)
def test_intervals_are_clustered(keys: list[dict[str, Any]], clusters: list[int]) -> None:
    """The interval is that of the statistics room over the clusters of the items."""
    outcomes = [(YES, YES), (YES, NO), (SILENT, SILENT)]
    card = score(*[item(*pair, **key) for pair, key in zip(outcomes, keys, strict=True)])
    expected = mean_interval([1.0, 0.5, 0.0], clusters)
    assert expected is not None
    assert card.metrics["R_proposition"].ci95 == (expected.low, expected.high)
    assert card.metrics["R_proposition"].ci_method == "cluster-t"


def test_agents_are_sorted_and_score_alone_what_they_score_together() -> None:
    """Each agent's scorecard is that of its own items; items without an agent are in the run only."""
    table = ScoreTable()
    results = [item(YES, agent="b"), item(NO, agent="a"), item(SILENT), item(YES, YES, agent="a")]
    for result in results:
        table.add(result)
    by_agent = table.scorecards_by_agent(0.95, "strict")
    assert list(by_agent) == ["a", "b"]
    assert by_agent["a"] == score(results[1], results[3], min_coverage=0.95)
    assert table.scorecard(0.95, "strict").items.total == 4
    assert table.scorecard(0.95, "strict").labels == {"supported": 3, "contradicted": 1, "not_addressed": 1}


def test_empty_table_has_no_number_and_says_why() -> None:
    """Without items everything is None with a reason, and nothing is incomplete."""
    card = score(min_coverage=0.95)
    for metric in card.metrics.values():
        assert (metric.value, metric.n, metric.nulls, metric.bounds, metric.ci95) == (None, 0, 0, None, None)
        assert metric.reason is not None
    assert card.derived["Q_proposition"].reason == "input_null"
    assert {rate.value for rate in card.coverage.values()} == {None}
    assert ScoreTable().scorecards_by_agent(0.95, "strict") == {}
    assert card.complete


verdicts = st.sampled_from([YES, NO, SILENT])
abstentions: st.SearchStrategy[AbstentionOutcome] = st.sampled_from([ANSWERED, PARTLY, ABSTAINED, FAILED, EMPTY])
marks: st.SearchStrategy[MarkOutcome] = st.one_of(
    st.sampled_from([NOT_OFFERED, FAILED]), st.integers(0, 4).map(lambda value: Mark(value=value, rationale=""))
)


@st.composite
def item_results(draw: st.DrawFn) -> ItemResult:
    outcomes = draw(st.lists(st.one_of(verdicts, st.just(FAILED)), max_size=4))
    gaps = draw(st.lists(st.one_of(verdicts, st.just(FAILED)), max_size=3))
    tests = draw(st.lists(st.sampled_from(ItemTest), max_size=2))
    still_open = draw(st.lists(st.just(FAILED), max_size=2)) if outcomes else []
    answerable = draw(st.sampled_from([True, False, None]))
    right = None if answerable is False or still_open else all_supported(outcomes)
    signals: Signals = {"A_coverage": coverage_awareness(gaps), **{SIGNAL_OF[test]: right for test in tests}}
    if still_open:
        signals |= {"R_proposition": None, "C_contradiction": None}
    return item(
        *outcomes,
        gaps=statements(*gaps),
        tests=tuple(tests),
        signals=signals,
        open_alternatives=(OpenAlternative(reference=1, unjudged=propositions(*still_open)),) if still_open else (),
        abstention=draw(abstentions),
        mark=draw(marks),
        answerable=answerable,
        agent=draw(st.sampled_from([None, "a", "b"])),
        question_id=draw(st.sampled_from([None, "1", "2", "3"])),
    )


def numbers(metric: MetricSummary) -> list[float]:
    return [number for number in (metric.value, *(metric.bounds or ()), *(metric.ci95 or ())) if number is not None]


@given(results=st.lists(item_results(), max_size=12), rng=st.randoms(use_true_random=False))
def test_order_of_items_changes_no_digit(results: list[ItemResult], rng: random.Random) -> None:
    """A run scored in another order has the same scorecard, to the last bit."""
    shuffled = rng.sample(results, k=len(results))
    assert score(*shuffled).model_dump_json() == score(*results).model_dump_json()


@given(results=st.lists(item_results(), max_size=12))
def test_an_item_without_a_value_is_never_out_of_sight(results: list[ItemResult]) -> None:
    """Each metric with nulls has a coverage below 1 to be held to, so at a coverage of 1 it has no headline and nothing is complete."""
    card = score(*results, min_coverage=1.0)
    for symbol, metric in card.metrics.items():
        if metric.nulls:
            of_propositions = card.coverage.get("propositions", card.coverage["statements"])
            rate = of_propositions if symbol in ("R_proposition", "C_contradiction") else card.coverage[symbol]
            assert rate.value is not None
            assert rate.value < 1
            assert (metric.value, metric.reason, card.complete) == (None, "coverage", False)
    failed = sum(card.unjudged.values())
    assert failed or card.complete


@given(results=st.lists(item_results(), max_size=12))
def test_every_metric_has_a_value_or_a_reason_within_its_bounds(results: list[ItemResult]) -> None:
    """Exactly one of value and reason is there, values lie in [0, 1], and no number is NaN."""
    for metric in score(*results, min_coverage=0.8).metrics.values():
        assert (metric.value is None) == (metric.reason is not None)
        assert all(isfinite(number) for number in numbers(metric))
        assert (metric.bounds is None) == (metric.n + metric.nulls == 0)
        if metric.bounds is not None:
            assert 0.0 <= metric.bounds[0] <= metric.bounds[1] <= 1.0
        if metric.value is not None and metric.nulls == 0:
            assert metric.bounds == (metric.value, metric.value)
