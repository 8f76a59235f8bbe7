"""`judge audit agreement`: scripted judges over real HTTP against labels that people gave, and the public sets with the baseline."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from judge.auditing.agreeing import Labelled, agreement_of
from judge.auditing.human_votes import agreement_of_votes, share_of_right
from judge.errors import InputError
from judge.schema.labels import Label, RequestKind, UnjudgedReason
from pipelines.audits.gold_file import GoldRecord, read_gold
from pipelines.audits.human_labels import label_votes, support_votes
from tests.endpoint.replies import STATEMENT, Json, ParsedRequest, well_behaved
from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, write_items
from tests.runs.running import ROOT, Bench, command

S, C, N = "supported", "contradicted", "not_addressed"
GOLD_DIR = Path(os.environ.get("CRUX_GOLD_DIR", "."))


def record(number: int, labels: Sequence[str], **more: Any) -> Fields:
    """Return a gold record with a statement for each label; the text of a statement tells its label to the scripted judge."""
    propositions = [
        {"id": f"p{place}", "text": f"Fact {place} of {number} is {label}.", "label": label, "supported": label == S}
        for place, label in enumerate(labels)
    ]
    fields = {"id": f"r{number}", "kind": "entail3", "doc_id": f"d{number}", "question": None, "answer": f"Answer {number} says things."}
    return {**fields, "propositions": propositions, "abstained": None, **more}


def saying(label: Callable[[str], str]) -> Callable[[ParsedRequest], Json | None]:
    """Return a replier that gives each statement the label that a function makes of its text."""

    def reply(request: ParsedRequest) -> Json | None:
        made = well_behaved(request)
        if request.kind is RequestKind.LABEL and made is not None:
            for verdict, (_, text) in zip(made["verdicts"], STATEMENT.findall(request.blocks["statements"]), strict=True):
                said = label(text)
                verdict.update(label=said, quote=None if said == N else request.blocks["answer"])
        return made

    return reply


def gold_of(text: str) -> str:
    """Return the label of people that a statement of `record` tells."""
    return next(label for label in (N, C, S) if label in text)


def audit(endpoint: Endpoint, folder: Path, records: list[Fields], *more: str, code: int = 0) -> Fields:
    """Run the command and return its figures."""
    source = write_items(folder / "gold.jsonl", records)
    run = command("audit", "agreement", source, *Bench(endpoint, folder).flags("audit"), *more, "--json")
    assert run.returncode == code, run.stderr
    found: Fields = json.loads(run.stdout)
    return found


def test_a_judge_that_never_contradicts_is_exposed(tmp_path: Path) -> None:
    """Its recall of `contradicted` is 0, its column is empty, and kappa and balanced accuracy show what accuracy hides."""
    with Endpoint(reply=saying(lambda text: N if gold_of(text) == C else gold_of(text))) as endpoint:
        found = audit(endpoint, tmp_path, [record(number, [S, S, C, N]) for number in range(12)])
    labels = found["labels"]
    assert (labels["n"], labels["clusters"], labels["accuracy"]) == (48, 12, 0.75)
    assert labels["by_label"][C] == {"n": 12.0, "precision": None, "recall": 0.0, "f1": 0.0}
    assert [row[C] for row in labels["confusion"].values()] == [0, 0, 0]
    assert labels["confusion"][C] == {S: 0.0, C: 0.0, N: 12.0}
    assert labels["balanced_accuracy"] == pytest.approx(2 / 3)
    assert labels["cohen_kappa"] == pytest.approx((0.75 - 0.375) / (1 - 0.375))
    assert found["supported"]["accuracy"] == 1.0
    assert found["supported"]["ci95"]["accuracy"][0] < 1.0
    differing = {(each["gold"], each["judged"]) for each in found["disagreements"]}
    assert differing == {(C, N)}
    assert len(found["disagreements"]) == 12


def test_known_error_rates_come_back_as_the_confusion(tmp_path: Path) -> None:
    """Every third contradiction is taken for silence, every fourth silence for support: the confusion holds just that."""
    wrong = {C: (3, N), N: (4, S)}

    def label(text: str) -> str:
        gold = gold_of(text)
        every, instead = wrong.get(gold, (0, ""))
        return instead if every and int(text.split()[3]) % every == 0 else gold

    with Endpoint(reply=saying(label)) as endpoint:
        found = audit(endpoint, tmp_path, [record(number, [S, C, N]) for number in range(12)])
    assert found["labels"]["confusion"] == {S: {S: 12, C: 0, N: 0}, C: {S: 0, C: 8, N: 4}, N: {S: 3, C: 0, N: 9}}
    documents = found["calibration"]["documents"]
    assert [sum(document["three_way"][row][column] for document in documents) for row in range(3) for column in range(3)] == [
        *(12, 0, 0),
        *(0, 8, 4),
        *(3, 0, 9),
    ]
    assert [sum(document["two_way"][row][column] for document in documents) for row in range(2) for column in range(2)] == [12, 0, 3, 21]
    assert (len(found["calibration"]["items"]), found["calibration"]["sampled_from"]) == (12, None)


def test_two_way_labels_make_no_three_way_figure(tmp_path: Path) -> None:
    """Where people only say that something is not supported, nobody knows whether it contradicts: `labels` is null."""
    records: list[Fields] = []
    for number in range(4):
        made = record(number, [S, C])
        del made["kind"]
        made["propositions"][1]["label"] = None
        records.append(made)
    with Endpoint(reply=saying(gold_of)) as endpoint:
        found = audit(endpoint, tmp_path, records)
    assert found["labels"] is None
    assert (found["supported"]["n"], found["supported"]["accuracy"]) == (8, 1.0)
    assert found["abstention"] is None
    assert found["pairs"] is None


def test_what_was_not_judged_is_counted_and_bounded(tmp_path: Path) -> None:
    """An unjudged statement is in no figure; accuracy has bounds with all of them wrong and all of them right."""
    with Endpoint(reply=saying(lambda text: "perhaps" if "Fact 0 of 1 " in text else gold_of(text))) as endpoint:
        found = audit(endpoint, tmp_path, [record(number, [S, C]) for number in range(2)], code=3)
    labels = found["labels"]
    assert (labels["n"], labels["unjudged"], labels["accuracy"]) == (3, {"bad_label": 1}, 1.0)
    assert labels["accuracy_bounds"] == [0.75, 1.0]
    assert found["complete"] is False


def test_abstention_is_held_against_people(tmp_path: Path) -> None:
    """Partly abstaining is not abstaining, and is counted apart; a null of people is not scored."""
    answers = ["I do not know.", "It is red.", "It is blue.", "Hard to say."]
    records: list[Fields] = [
        {"id": f"r{number}", "kind": "abstain", "question": "What colour?", "answer": answer, "propositions": [], "abstained": gold}
        for number, (answer, gold) in enumerate(zip(answers, (True, False, True, None), strict=True))
    ]

    def reply(request: ParsedRequest) -> Json | None:
        made = well_behaved(request)
        if made is not None and request.blocks.get("answer") == "It is blue.":
            made["abstention"] = {"quote": "It is blue.", "value": "partly_abstained"}
        return made

    with Endpoint(reply=reply) as endpoint:
        found = audit(endpoint, tmp_path, records)
    assert (found["abstention"]["n"], found["partly_abstained"]) == (3, 1)
    assert found["abstention"]["confusion"] == {
        "abstained": {"abstained": 1.0, "answered": 1.0},
        "answered": {"abstained": 0.0, "answered": 1.0},
    }
    assert found["labels"] is None
    assert found["calibration"] is None
    assert [each["statement"] for each in found["disagreements"]] == [None]


def test_pairs_are_held_against_preferences(tmp_path: Path) -> None:
    """The answer with the higher recall of the gold answer; ties of people are not scored, equal recalls agree with nobody."""
    full, half, none = "It is red. It has a bell.", "It is red.", "It is fast."
    cases = [(full, half, [-1, -2]), (half, full, [1, 1]), (none, full, [-1, 0]), (half, half + " It runs.", [1, 1]), (full, none, [1, -1])]
    records = [
        {"id": f"r{number}", "kind": "pairwise", "question": "What is it like?", "answer": first, "answer_b": second, "gold_answer": full,
         "human_preference": {"overall": votes, "completeness": [0, 0]}}
        for number, (first, second, votes) in enumerate(cases)
    ]  # fmt: skip
    with Endpoint() as endpoint:
        found = audit(endpoint, tmp_path, records)
    pairs = found["pairs"]
    assert (pairs["aspect"], pairs["n"], pairs["accuracy"]) == ("overall", 4, 0.5)
    assert (pairs["human_ties"], pairs["judged_ties"]) == (1, 1)
    assert pairs["confusion"] == {
        "answer": {"answer": 1.0, "answer_b": 1.0, "tie": 0.0},
        "answer_b": {"answer": 0.0, "answer_b": 1.0, "tie": 1.0},
        "tie": {"answer": 0.0, "answer_b": 0.0, "tie": 0.0},
    }
    assert list(pairs["by_aspect"]) == ["overall"]
    differing = [(each["id"], each["gold"], each["judged"], each["answer"], each["rationale"]) for each in found["disagreements"]]
    recalls = "judged recall of the gold answer: answer"
    assert differing == [
        ("r2", "answer", "answer_b", none, f"{recalls} 0.000, answer_b 1.000"),
        ("r3", "answer_b", "tie", f"{half} It runs.", f"{recalls} 0.500, answer_b 0.500"),
    ]
    assert found["recall"] is None


def test_recall_goes_with_the_score_of_people(tmp_path: Path) -> None:
    """A stated human score counts before one that their labels make; correlations have an interval or a reason."""
    records = [record(number, [S] * number + [N] * (4 - number), human_score=number / 8) for number in range(5)]
    with Endpoint(reply=saying(gold_of)) as endpoint:
        found = audit(endpoint, tmp_path, records)
    recall = found["recall"]
    assert (recall["n"], recall["human_score"]) == (5, "stated")
    assert recall["pearson"]["value"] == pytest.approx(1.0)
    assert [recall[name]["value"] for name in ("kendall_tau_b", "spearman")] == pytest.approx([1.0, 1.0])
    assert (recall["mean_judged"], recall["mean_human"]) == (0.5, 0.25)


def test_the_policy_is_part_of_the_audit_and_a_second_time_asks_nothing(tmp_path: Path) -> None:
    """Agreement is told per policy; the same command again makes no call and the same figures."""
    with Endpoint(reply=saying(gold_of)) as endpoint:
        first = audit(endpoint, tmp_path, [record(1, [S, C, N])], "--policy", "strict")
        asked = endpoint.calls()
        assert audit(endpoint, tmp_path, [record(1, [S, C, N])], "--policy", "strict") == first
        assert endpoint.calls() == asked
        run = command("audit", "agreement", tmp_path / "gold.jsonl", *Bench(endpoint, tmp_path).flags("audit"))
        again = audit(endpoint, tmp_path, [record(1, [S, C, N])], "--overwrite")
    assert first["judge"]["policy"] == "strict-v1"
    assert first["calibration"]["policy"] == "strict-v1"
    assert (run.returncode, run.stdout) == (2, "")
    assert "it differs in judge, policy" in run.stderr
    assert again["judge"]["policy"] == "standard-v1"
    assert all((tmp_path / "audit" / name).is_file() for name in ("results.jsonl", "summary.json", "report.html", "audit.md", "audit.html"))


def test_an_audit_is_overwritten_where_that_is_asked_for(tmp_path: Path) -> None:
    """Another policy takes the folder over; the audit of the first leaves nothing behind."""
    with Endpoint(reply=saying(gold_of)) as endpoint:
        audit(endpoint, tmp_path, [record(1, [S, C, N])])
        found = audit(endpoint, tmp_path, [record(1, [S, C, N])], "--policy", "strict", "--overwrite")
    assert found["judge"]["policy"] == "strict-v1"
    assert "strict-v1" in (tmp_path / "audit" / "audit.md").read_text(encoding="utf-8")


def test_a_missed_gate_is_named(tmp_path: Path) -> None:
    """Bounds on metrics of the run hold for an audit too: exit code 1, and standard error says which was missed."""
    source = write_items(tmp_path / "gold.jsonl", [record(number, [S, C]) for number in range(2)])
    with Endpoint(reply=saying(gold_of)) as endpoint:
        flags = ("--fail-under", "R_proposition=0.9", "--fail-over", "C_contradiction=0.5", "--json")
        run = command("audit", "agreement", source, *Bench(endpoint, tmp_path).flags("audit"), *flags)
    assert run.returncode == 1
    assert "judge: gate R_proposition >= 0.9: 0.5 FAIL" in run.stderr
    assert "C_contradiction" not in run.stderr
    assert json.loads(run.stdout)["labels"]["n"] == 4


def test_no_label_reaches_the_judge_or_the_items_of_the_run(tmp_path: Path) -> None:
    """Ids, labels, votes and scores of people stand in no request and in no file that a run reads."""
    canary = "canary-zq"
    made = record(1, [S], human_score=0.5, annotations=[canary, canary], meta={"x": canary}, source=canary)
    made["propositions"][0] |= {"id": canary, "human_label_raw": canary, "votes": {canary: 3}, "text": "Fact is told."}
    with Endpoint() as endpoint:
        audit(endpoint, tmp_path, [made])
        sent = json.dumps([request.body for request in endpoint.requests])
    assert endpoint.calls() == 1
    assert canary not in sent
    items = (tmp_path / "audit" / "items.jsonl").read_text(encoding="utf-8")
    assert '"label"' not in items
    assert "votes" not in items


PAIR: Fields = {
    "id": "a", "question": "What is it?", "answer": "x", "answer_b": "y", "gold_answer": "z", "human_preference": {"overall": [1]}
}  # fmt: skip


def voted(votes: dict[str, int]) -> Fields:
    """Return a record of one statement with votes."""
    made = record(1, [S])
    made["propositions"][0]["votes"] = votes
    return made


BAD = [
    pytest.param([{"id": "a"}], r"gold\.jsonl: \$\.answer: is missing, expected text", id="no-answer"),
    pytest.param([record(1, ["maybe"])], r"gold\.jsonl: \$\.propositions\[0\]\.label: is \"maybe\", expected supported", id="label"),
    pytest.param([record(1, [S]), record(1, [S])], r"gold\.jsonl:2: \$\.id: is 'r1', as in line 1", id="id-twice"),
    pytest.param([{**record(1, []), "abstained": "no"}], r"\$\.abstained: is \"no\", expected true or false", id="abstained"),
    pytest.param([{**record(1, []), "kind": "odd"}], r"\$\.kind: is \"odd\", expected entail3", id="kind"),
    pytest.param([record(1, [])], "holds no label that people gave; expected `label` or `supported`", id="no-label-at-all"),
    pytest.param(
        [{**record(1, []), "answer_b": "x"}], "a pair needs answer_b, gold_answer, human_preference, and has only answer_b", id="pair"
    ),
    pytest.param([{**record(1, []), "kind": "pairwise"}], "and has none of them", id="empty-pair"),
    pytest.param(
        [{**record(1, [S]), "id": "z#answer"}, {**PAIR, "id": "z"}],
        r"gold\.jsonl:2: \$\.id: stands for 'z#answer', as in line 1",
        id="id-of-an-answer",
    ),
    pytest.param([{**PAIR, "human_preference": {"style": [1]}}], "is by correctness, completeness, overall, and has 'style'", id="aspect"),
    pytest.param([{**PAIR, "human_preference": {"overall": []}}], "holds no label that people gave", id="nobody-compared"),
    pytest.param([voted({"right": 5, "total": 3})], "`votes` says that 5 of 3 people were right", id="more-right-than-voted"),
    pytest.param([voted({"yes": -1})], "`votes` counts people, and a count is negative", id="negative-votes"),
    pytest.param([{**record(1, [S]), "human_score": 2}], r"\$\.human_score: is 2, expected a number from 0 to 1", id="score"),
]


@pytest.mark.parametrize(("records", "told"), BAD)
def test_a_bad_file_is_refused_with_all_its_faults(tmp_path: Path, records: list[Fields], told: str) -> None:
    """Where, what was found, and what is expected."""
    with pytest.raises(InputError, match=told):
        read_gold(write_items(tmp_path / "gold.jsonl", records))


def test_labels_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    """`supported` says what `label` says; two propositions of one record differ in their ids."""
    made = record(1, [S, C])
    made["propositions"][0]["supported"] = False
    with pytest.raises(InputError, match="`supported` is false although `label` is supported"):
        read_gold(write_items(tmp_path / "gold.jsonl", [made]))
    made = record(1, [S, C])
    made["propositions"][1]["id"] = "p0"
    with pytest.raises(InputError, match="two propositions have the id 'p0'"):
        read_gold(write_items(tmp_path / "gold.jsonl", [made]))


def test_weights_make_the_confusion_that_of_the_population() -> None:
    """Two of ten supported and two of two contradicted were labelled: the weighted rows are those of all twelve."""
    things = [Labelled(S, S, "a", 5.0), Labelled(N, S, "b", 5.0), Labelled(C, C, "c"), Labelled(C, C, "d")]
    found = agreement_of(things, list(Label))
    assert found is not None
    assert found.accuracy == pytest.approx(7 / 12)
    assert found.confusion[N] == {S: 5.0, C: 0.0, N: 0.0}
    assert found.ci_method["accuracy"] == "cluster-bootstrap"


def test_weights_of_a_file_reach_the_figures_and_the_calibration(tmp_path: Path) -> None:
    """A statement that stands for five counts five times; one without a weight counts once."""
    records = [record(number, [S, C]) for number in range(3)]
    for made in records:
        made["propositions"][0]["weight"] = 5
    with Endpoint(reply=saying(lambda text: N if gold_of(text) == C else S)) as endpoint:
        found = audit(endpoint, tmp_path, records)
    assert found["labels"]["confusion"] == {S: {S: 15, C: 0, N: 0}, C: {S: 0, C: 0, N: 3}, N: {S: 0, C: 0, N: 0}}
    assert found["labels"]["accuracy"] == pytest.approx(15 / 18)
    assert found["labels"]["n"] == 6
    assert [document["three_way"] for document in found["calibration"]["documents"]] == [[[5, 0, 0], [0, 0, 1], [0, 0, 0]]] * 3


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(None, "gold.jsonl", id="no-file"),
        pytest.param("", "gold.jsonl", id="empty"),
        pytest.param("{not json\n", "not valid JSON", id="no-json"),
        pytest.param('{"id": "a", "answer": "x", "propositions": [{"id": "p", "text": "t", "label": "maybe"}]}\n', "maybe", id="label"),
        pytest.param('{"id": "a", "answer": "x", "abstained": true, "propositions": 3}\n', "expected a list", id="no-list"),
        pytest.param(
            '{"id": "a", "answer": "x", "propositions": [{"id": "p", "text": "t", "label": "supported", "weight": 0}]}\n',
            "weight",
            id="weight",
        ),
    ],
)
def test_the_command_refuses_what_it_cannot_use(tmp_path: Path, content: str | None, told: str) -> None:
    """Exit code 2 and a sentence, nothing on standard output, no traceback, and no run folder."""
    source = tmp_path / "gold.jsonl"
    if content is not None:
        source.write_text(content, encoding="utf-8")
    run = command("audit", "agreement", source, "--judge", "lexical", "--out", tmp_path / "run")
    assert (run.returncode, run.stdout) == (2, "")
    assert told in run.stderr
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "run").exists()


def test_figures_that_cannot_be_have_a_reason() -> None:
    """One label only leaves kappa undefined; a single document allows no interval; nothing judged has no figure at all."""
    one = agreement_of([Labelled(S, S, "a"), Labelled(S, S, "a")], list(Label))
    assert one is not None
    assert (one.accuracy, one.cohen_kappa, one.reasons["cohen_kappa"]) == (1.0, None, "undefined (one label only)")
    nothing = agreement_of([Labelled(S, UnjudgedReason.REFUSED, "a")], list(Label))
    assert nothing is not None
    assert (nothing.n, nothing.accuracy, nothing.reasons["accuracy"], nothing.accuracy_bounds) == (
        0,
        None,
        "nothing was judged",
        (0.0, 1.0),
    )
    assert agreement_of([], list(Label)) is None


def test_why_a_figure_has_no_interval() -> None:
    """One that no resample changes is not certain; one that most resamples leave undefined has none; a single document allows none."""
    always = [Labelled(gold, S, cluster) for cluster in "abcdef" for gold in (S, N)]
    found = agreement_of(always, list(Label))
    assert found is not None
    assert (found.cohen_kappa, found.reasons["cohen_kappa"]) == (0.0, "no variation, which is not certainty")
    rare = [Labelled(S, S, "a"), Labelled(S, S, "b"), Labelled(N, S, "c")]
    found = agreement_of(rare, list(Label))
    assert found is not None
    assert (found.cohen_kappa, found.reasons["cohen_kappa"]) == (0.0, "undefined in too many of the resampled documents")
    assert "cohen_kappa" not in found.ci95


def test_votes_for_three_labels_are_votes_on_support_too(tmp_path: Path) -> None:
    """People who differ on whether silence contradicts are of one mind on support."""
    made = voted({C: 1, N: 1})
    made["propositions"][0] |= {"label": N, "supported": False}
    propositions = read_gold(write_items(tmp_path / "gold.jsonl", [made])).records[0].propositions
    three, two = label_votes(propositions), support_votes(propositions)
    assert three is not None
    assert two is not None
    assert (three.agreement, two.agreement) == (0.0, 1.0)


def test_votes_of_unequal_numbers_of_people() -> None:
    """Three people agree on one thing, two differ on another: the mean share of pairs alike is one half."""
    found = agreement_of_votes([{"yes": 3}, {"yes": 1, "no": 1}, {"no": 1}], "test")
    assert found is not None
    assert (found.things, found.agreement) == (2, 0.5)
    assert found.fleiss_kappa == pytest.approx((0.5 - (0.8**2 + 0.2**2)) / (1 - (0.8**2 + 0.2**2)))
    assert found.gwet_ac1 == pytest.approx((0.5 - 2 * 0.75 * 0.25) / (1 - 2 * 0.75 * 0.25))
    assert agreement_of_votes([{"yes": 1}], "test") is None
    assert share_of_right([{"right": 2, "total": 3}, {"right": 3, "total": 3}], "test") == share_of_right(
        [{"right": 3, "total": 3}, {"right": 2, "total": 3}], "test"
    )


def test_the_shipped_gold_file_is_audited_as_the_guide_says(tmp_path: Path) -> None:
    """Without a key or a network; the page is printed, the files are where they are said to be."""
    run = command("audit", "agreement", ROOT / "examples" / "gold.jsonl", "--judge", "lexical", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "Cohen's kappa" in run.stdout
    assert all(len(line) <= 100 for line in run.stdout.splitlines())
    found = json.loads((tmp_path / "runs" / "gold-audit-agreement" / "audit.json").read_text(encoding="utf-8"))
    assert found["labels"]["n"] == 29
    assert found["labels"]["human"]["things"] == 29


SETS = [
    pytest.param("realsumm", [None, 336, None, None], {"agreement": 0.90, "fleiss_kappa": 0.79}, id="realsumm"),
    pytest.param("factcheck-bench", [285, 285, None, None], {}, id="factcheck-bench"),
    pytest.param("contractnli", [306, 306, None, None], {}, id="contractnli"),
    pytest.param("fm2", [300, 300, None, None], {"agreement": 0.89}, id="fm2"),
    pytest.param("evouna", [None, 300, None, None], {}, id="evouna"),
    pytest.param("summedits", [None, 142, None, None], {}, id="summedits"),
    pytest.param("xstest", [None, None, 120, None], {"agreement": 0.953}, id="xstest"),
    pytest.param("chatgpt-refusals", [None, None, 94, None], {}, id="chatgpt-refusals"),
    pytest.param("ragchecker-pairs", [None, None, None, 63], {"pearson": 0.70}, id="ragchecker-pairs"),
]
"""Name, how many things each block counts, and people's own agreement as the sets or their sources give it."""


@pytest.mark.gold
@pytest.mark.skipif("CRUX_GOLD_DIR" not in os.environ, reason="CRUX_GOLD_DIR is not set")
@pytest.mark.parametrize(("name", "counts", "human"), SETS)
def test_public_sets(tmp_path: Path, name: str, counts: list[int | None], human: dict[str, float]) -> None:
    """Each set has the blocks its labels allow; every figure has an interval by document or a reason; people agree as is known."""
    path = GOLD_DIR / "judge-gold" / f"{name}.dev.jsonl"
    run = command("audit", "agreement", path, "--judge", "lexical", "--out", tmp_path / "run", "--json")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    blocks = [found[block] for block in ("labels", "supported", "abstention", "pairs")]
    assert [None if block is None else block["n"] for block in blocks] == counts
    known = [block for block in blocks if block is not None]
    for block in known:
        assert set(block["ci95"]) | set(block["reasons"]) >= {"accuracy", "cohen_kappa", "macro_f1"}
        assert block["clusters"] == len({record.doc_id for record in read_gold(path).records if _counts(record, found)})
    for figure, expected in human.items():
        assert known[0]["human"][figure] == pytest.approx(expected, abs=0.006)


def _counts(record: GoldRecord, found: Fields) -> bool:
    """Return whether a record has a label that its set's first block counts."""
    if record.is_pair:
        return bool(record.preference(found["pairs"]["aspect"]))
    return bool(record.propositions) or record.abstained is not None
