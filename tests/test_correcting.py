"""Rates corrected by labels of people: exact where nothing is left to chance, refused where little is known, never out of range."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.correction import main
from judge.auditing.correcting import Known, correct
from judge.auditing.item_labels import ItemLabels
from judge.schema.calibrations import Calibration, DocumentCounts, ScoredItem
from judge.schema.corrections import Correction
from judge.schema.manifests import FileFacts

Rows = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

GOOD: Rows = ((8, 1, 1), (1, 8, 1), (2, 0, 8))
"""Of ten statements that people call supported, contradicted, not addressed: how the judge labels them."""
SILENT: Rows = ((8, 0, 2), (0, 0, 10), (2, 0, 8))
"""A judge that never contradicts."""
BLIND: Rows = ((5, 3, 2), (5, 3, 2), (5, 3, 2))
"""A judge whose labels have nothing to do with the statement."""
FILE = FileFacts(name="card.json", sha256="0" * 64)


def document(name: str, rows: Rows) -> DocumentCounts:
    """Return one document with these labels of people and judge."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    return DocumentCounts(cluster=name, three_way=rows, two_way=((a, b + c), (d + g, e + f + h + i)))


def calibration(*rows: Rows, sampled_from: str | None = None, weighted: bool = False, items: tuple[ScoredItem, ...] = ()) -> Calibration:
    """Return the labels of as many documents."""
    return Calibration(
        judge_key="k",
        policy="standard-v1",
        policy_sha256="p",
        data=(),
        sampled_from=sampled_from,
        weighted=weighted,
        documents=tuple(document(f"d{place}", each) for place, each in enumerate(rows)),
        items=items,
    )


def items(*counts: tuple[float, float, float]) -> list[ItemLabels]:
    """Return items of as many clusters, with these judged labels."""
    return [ItemLabels(f"i{place}", f"c{place}", each) for place, each in enumerate(counts)]


def corrected(labels: Calibration, judged: list[ItemLabels], why_none: str | None = None) -> Correction:
    """Correct a run by labels of people."""
    return correct(Known(labels, FILE, judged, "run", why_none))


def expected(rows: Rows, truth: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return what a judge with these errors says of statements in these numbers, without chance."""
    totals = [sum(row) for row in rows]
    first, second, third = (sum(truth[h] * rows[h][j] / totals[h] for h in range(3)) for j in range(3))
    return first, second, third


def test_errors_that_are_known_exactly_are_taken_out_exactly() -> None:
    """30 %, 10 % and 60 % in truth; the judge says 37 % and 11 %."""
    found = corrected(calibration(*[GOOD] * 12), items(*[expected(GOOD, (3, 1, 6))] * 20))
    recall, contradiction = found.rates["R_proposition"], found.rates["C_contradiction"]
    assert [recall.raw.value, contradiction.raw.value] == [pytest.approx(0.37), pytest.approx(0.11)]
    assert [recall.corrected.value, contradiction.corrected.value] == [pytest.approx(0.3), pytest.approx(0.1)]
    assert (recall.method, contradiction.method) == ("matrix", "matrix")
    assert found.pooled["R_proposition"].corrected.value == pytest.approx(0.3)
    assert found.recall_by_method["rogan_gladen"].value == pytest.approx(0.37 / 0.65 - 0.15 / 0.65)
    assert (found.recall_by_method["ppi"].value, found.recall_by_method["ppi"].reason) == (None, "not_drawn_from_this_run")
    assert found.sample.labels == {"supported": 120, "contradicted": 120, "not_addressed": 120}
    assert (found.sample.documents, found.sample.statements, found.sample.drawn_from_this_run) == (12, 360, False)
    assert found.sample.condition == pytest.approx(1.5, abs=0.3)
    assert any("not drawn from this run" in warning for warning in found.warnings)


def test_means_over_items_and_pools_differ() -> None:
    """A long item counts as much as a short one in the mean, and more in the pool."""
    perfect: Rows = ((10, 0, 0), (0, 10, 0), (0, 0, 10))
    found = corrected(calibration(*[perfect] * 6), items((1, 0, 0), (0, 0, 9)))
    assert found.rates["R_proposition"].corrected.value == pytest.approx(0.5)
    assert found.pooled["R_proposition"].corrected.value == pytest.approx(0.1)
    assert (found.rates["R_proposition"].corrected.n, found.pooled["R_proposition"].corrected.n) == (2, 10)


def test_judge_that_never_contradicts_is_corrected_in_its_recall_only() -> None:
    """Nothing can be said of contradictions; supported against the rest still can."""
    found = corrected(calibration(*[SILENT] * 12), items(*[expected(SILENT, (5, 2, 3))] * 10))
    assert found.rates["R_proposition"].method == "rogan_gladen"
    contradiction = found.rates["C_contradiction"]
    assert (contradiction.corrected.value, contradiction.corrected.reason, contradiction.method) == (None, "judge_too_poor", None)
    assert contradiction.raw.value == 0
    assert any(warning.startswith("C_contradiction is not corrected") for warning in found.warnings)


def test_judge_without_information_is_not_corrected() -> None:
    """A warning stands in place of every number."""
    found = corrected(calibration(*[BLIND] * 40), items(*[(5.0, 3.0, 2.0)] * 10))
    assert [rate.corrected.value for rate in (*found.rates.values(), *found.pooled.values())] == [None] * 4
    assert {rate.corrected.reason for rate in found.rates.values()} == {"judge_too_poor"}
    assert found.sample.youden.value == pytest.approx(0)
    assert len([warning for warning in found.warnings if "tells too little" in warning]) == 2


def test_few_labels_are_refused() -> None:
    """Four documents, or nine examples of a label, are too few; the recall is left where two labels suffice."""
    few_documents = corrected(calibration(*[GOOD] * 4), items((1, 0, 1), (0, 1, 1)))
    assert {rate.corrected.reason for rate in few_documents.rates.values()} == {"too_few_labels"}
    assert any("supported 40 in 4 documents" in warning for warning in few_documents.warnings)
    rarely: Rows = ((4, 0, 1), (0, 1, 0), (1, 0, 4))
    few_contradicted = corrected(calibration(*[rarely] * 9), items((1, 0, 1), (0, 1, 1)))
    assert few_contradicted.rates["R_proposition"].method == "rogan_gladen"
    assert few_contradicted.rates["C_contradiction"].corrected.reason == "too_few_labels"
    assert any("contradicted 9 in 9 documents" in warning for warning in few_contradicted.warnings)
    assert any("corrected by two labels" in warning for warning in few_contradicted.warnings)


def test_weighted_counts_are_not_taken_for_numbers_of_statements() -> None:
    """Nine documents whose statements weigh 20 each may be nine statements."""
    heavy: Rows = ((160, 20, 20), (20, 160, 20), (40, 0, 160))
    judged = items((1, 0, 1), (0, 1, 1))
    assert corrected(calibration(*[heavy] * 9, weighted=True), judged).rates["R_proposition"].corrected.reason == "too_few_labels"
    assert corrected(calibration(*[heavy] * 10, weighted=True), judged).rates["R_proposition"].corrected.value is not None


def test_labels_of_two_kinds_only_correct_the_recall() -> None:
    """People who say supported or not tell nothing of contradictions."""
    two = DocumentCounts(cluster="d", three_way=((0, 0, 0),) * 3, two_way=((9, 1), (2, 8)))
    labels = calibration().model_copy(update={"documents": tuple(two.model_copy(update={"cluster": f"d{k}"}) for k in range(8))})
    found = corrected(labels, items((1, 0, 1), (2, 1, 1), (0, 0, 3)))
    assert found.rates["R_proposition"].method == "rogan_gladen"
    assert found.rates["C_contradiction"].corrected.reason == "too_few_labels"
    assert found.sample.labels == {"supported": 80, "not supported": 80}
    assert not any("two labels" in warning for warning in found.warnings)


def test_share_below_zero_is_shown_as_zero_and_kept() -> None:
    """The judge says supported more rarely than its false alarms alone would."""
    found = corrected(calibration(*[GOOD] * 12), items(*[(0.0, 1.0, 9.0)] * 10)).rates["R_proposition"]
    assert found.corrected.value == 0
    assert found.unclipped is not None
    assert found.unclipped < 0
    assert found.corrected.ci95 is not None
    assert found.corrected.ci95[0] < 0


def test_one_cluster_has_an_estimate_and_no_interval() -> None:
    """All items of one document tell nothing of others."""
    judged = [ItemLabels(f"i{place}", "c", (2, 1, 1)) for place in range(4)]
    found = corrected(calibration(*[GOOD] * 12), judged)
    for rate in (found.rates["R_proposition"].corrected, found.pooled["R_proposition"].corrected, found.recall_by_method["rogan_gladen"]):
        assert rate.value is not None
        assert (rate.ci95, rate.reason) == (None, "one_cluster")


def test_run_without_a_recall_has_no_correction_for_the_same_reason() -> None:
    """Coverage, or nothing to judge."""
    found = corrected(calibration(*[GOOD] * 12), [], "coverage")
    figures = [rate.corrected for rate in found.rates.values()] + [rate.raw for rate in found.pooled.values()]
    assert {(figure.value, figure.reason) for figure in (*figures, *found.recall_by_method.values())} == {(None, "coverage")}
    assert all("(coverage)" in warning for warning in found.warnings)
    assert corrected(calibration(), []).rates["R_proposition"].corrected.reason == "no_judged_items"


def scored(count: int, human: float) -> tuple[ScoredItem, ...]:
    """Return the first items as people scored them."""
    return tuple(ScoredItem(item=f"i{place}", cluster=f"c{place}", judged=0.5, human=human) for place in range(count))


def test_labelled_items_of_the_run_count_on_one_side_only() -> None:
    """Twelve labelled items beside eight others: the judge is 0.2 too high on them, and never varies, so people alone speak."""
    judged = items(*[(1.0, 0.0, 1.0)] * 20)
    labels = calibration(*[GOOD] * 12, sampled_from="run", items=scored(12, 0.3))
    found = corrected(labels, judged)
    assert found.sample.drawn_from_this_run
    assert found.recall_by_method["ppi"].value == pytest.approx(0.3)
    assert not any("not drawn" in warning for warning in found.warnings)
    all_labelled = calibration(*[GOOD] * 12, sampled_from="run", items=scored(20, 0.3))
    assert corrected(all_labelled, judged).recall_by_method["ppi"].reason == "all_labelled"
    few = calibration(*[GOOD] * 12, sampled_from="run", items=scored(9, 0.3))
    assert corrected(few, judged).recall_by_method["ppi"].reason == "too_few_labels"
    elsewhere = calibration(*[GOOD] * 12, sampled_from="another run", items=scored(12, 0.3))
    assert corrected(elsewhere, judged).recall_by_method["ppi"].reason == "not_drawn_from_this_run"


def test_documents_of_another_data_set_are_not_those_of_the_run() -> None:
    """The same name in both is one document only where the labels were drawn from the run."""
    uneven: tuple[Rows, ...] = (((9, 0, 1), (1, 5, 0), (0, 0, 9)), ((4, 2, 4), (1, 8, 1), (3, 0, 5))) * 6
    judged = [ItemLabels(f"i{place}", f"d{place}", (4 + place % 2, 1, 3 - place % 2)) for place in range(12)]
    apart, joint = (corrected(calibration(*uneven, sampled_from=source), judged) for source in (None, "run"))
    assert apart.rates["R_proposition"].corrected.value == joint.rates["R_proposition"].corrected.value
    assert apart.rates["R_proposition"].corrected.ci95 != joint.rates["R_proposition"].corrected.ci95


tables = st.tuples(*[st.tuples(*[st.integers(0, 9).map(float)] * 3)] * 3)


@given(labels=st.lists(tables, max_size=8), judged=st.lists(st.tuples(*[st.integers(0, 6).map(float)] * 3).filter(any), max_size=8))
def test_whatever_is_labelled_values_stay_in_range_and_what_is_missing_says_why(
    labels: list[Rows], judged: list[tuple[float, float, float]]
) -> None:
    """Values lie in [0, 1]; a value without an interval, and no value at all, have a reason; intervals hold a matrix estimate."""
    found = corrected(calibration(*labels), items(*judged))
    for rate in (*found.rates.values(), *found.pooled.values()):
        figure = rate.corrected
        assert figure.value is None or 0 <= figure.value <= 1
        assert (figure.reason is None) == (figure.value is not None and figure.ci95 is not None)
        assert (rate.method is None) == (figure.value is None)
        if rate.method == "matrix" and figure.ci95 is not None:
            estimate = figure.value if rate.unclipped is None else rate.unclipped
            assert estimate is not None
            assert figure.ci95[0] <= estimate <= figure.ci95[1]
    assert Correction.model_validate_json(found.model_dump_json()) == found


def test_simulation_holds_the_truth_as_often_as_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    """The quick form of the benchmark: corrected intervals hold the truth, those as judged do not."""
    assert main(["--quick"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if "R_proposition" in line and "," in line]
    naive = [float(line[line.index("R_proposition") + 1]) for line in lines]
    assert len(naive) == 6
    assert max(naive) < 0.6


def test_rows_that_are_equal_but_for_rounding_have_no_condition_number() -> None:
    """It has no end, and no file could hold it."""
    alike: Rows = ((3, 7, 9), (1, 7 / 3, 3), (3, 2, 5))
    found = corrected(calibration(*[alike] * 9), items((1, 2, 1), (2, 2, 1)))
    assert found.sample.condition is None
    assert found.rates["C_contradiction"].corrected.reason == "judge_too_poor"
    assert Correction.model_validate_json(found.model_dump_json()) == found


def test_weights_are_no_examples() -> None:
    """Weights twenty times as large leave every rate and interval as it was: they say what is stood for, not how much is known."""
    judged = items(*[(4, 2, 4), (3, 1, 6), (6, 1, 3)] * 4)
    rows: list[Rows] = [((8, 1, 1), (1, 6 + place % 3, 1), (2, place % 2, 8)) for place in range(12)]
    larger: list[Rows] = [
        ((20 * a, 20 * b, 20 * c), (20 * d, 20 * e, 20 * f), (20 * g, 20 * h, 20 * i)) for (a, b, c), (d, e, f), (g, h, i) in rows
    ]
    one, other = (corrected(calibration(*each, weighted=True), judged) for each in (rows, larger))
    for before, after in [(one.rates[name].corrected, other.rates[name].corrected) for name in one.rates]:
        assert before.value is not None
        assert after.value == pytest.approx(before.value)
        assert after.ci95 == pytest.approx(before.ci95)
    assert one.sample.weighted
