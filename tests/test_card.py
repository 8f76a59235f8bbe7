"""`judge audit card`: the audits of one judge on one page, and cards in a table."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.auditing.pooling import pool
from judge.schema.agreements import Agreement
from judge.schema.calibrations import Calibration, DocumentCounts
from judge.schema.manifests import FileFacts
from pipelines.audits.card_parts import policy_agreements
from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, trams, write_items
from tests.runs.running import ROOT, Bench, command

GOLD = ROOT / "examples" / "gold.jsonl"
POLICIES = {"standard-v1": "agreement", "strict-v1": "strict"}


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The three audits of the scripted model, of which the second agreement is under another policy, and one of the baseline."""
    folder = tmp_path_factory.mktemp("audits")
    with Endpoint() as endpoint:
        bench = Bench(endpoint, folder)
        items = write_items(folder / "in.jsonl", trams(3))
        probes = folder / "probes.jsonl"
        lines = (ROOT / "pipelines" / "audits" / "data" / "probes-v1.jsonl").read_text(encoding="utf-8").splitlines()
        probes.write_text("\n".join([*lines[:8], *(line for line in lines if "pub-inj_answer" in line)]) + "\n", encoding="utf-8")
        made: tuple[list[str | Path], ...] = (
            ["consistency", items, *bench.flags("consistency"), "--repeats", "2"],
            ["agreement", GOLD, *bench.flags("agreement")],
            ["agreement", GOLD, *bench.flags("strict"), "--policy", "strict"],
            ["probes", probes, *bench.flags("probes"), "--repeats", "2"],
            ["agreement", GOLD, "--judge", "lexical", "--out", folder / "baseline"],
        )
        for arguments in made:
            done = command("audit", *arguments, "--quiet")
            assert done.returncode == 0, done.stderr
        yield folder


def card(*arguments: str | Path) -> Fields:
    """Run the command and return the card."""
    run = command("audit", "card", *arguments, "--json")
    assert run.returncode == 0, run.stderr
    found: Fields = json.loads(run.stdout)
    return found


def test_a_card_holds_every_audit_of_a_judge(audits: Path, tmp_path: Path) -> None:
    """Identity, policies, figures as the audits give them, data hashes, cost, and a calibration; three files."""
    found = card(audits / "consistency", audits / "agreement", audits / "probes", "--out", tmp_path / "card")
    agreement = json.loads((audits / "agreement" / "audit.json").read_text(encoding="utf-8"))
    consistency = json.loads((audits / "consistency" / "audit.json").read_text(encoding="utf-8"))
    assert found["key"] == agreement["judge"]["key"] == consistency["judge"]["key"]
    assert (found["policies"], found["not_audited"]) == (["standard-v1"], [])
    assert found["agreement"][0]["blocks"][0]["cohen_kappa"] == agreement["labels"]["cohen_kappa"]
    assert found["agreement"][0]["of"]["data"]["sha256"] == agreement["data"]["sha256"]
    assert found["consistency"][0]["pairwise_flip"] == consistency["statements"]["pairwise_flip"]
    assert found["policy_swing"][0]["compared_with"] == "strict-v1"
    assert found["probes"][0]["injection_cases"] == 5
    assert [each["of"]["audit"] for each in found["cost"]] == ["consistency", "agreement", "probes"]
    assert all(each["usd_per_1000_items"] is None for each in found["cost"])
    assert found["calibration"] == agreement["calibration"]
    assert found == json.loads((tmp_path / "card" / "card.json").read_text(encoding="utf-8"))
    page = (tmp_path / "card" / "card.html").read_text(encoding="utf-8")
    assert "Policy swing" in page
    assert "<script" not in page
    assert (tmp_path / "card" / "card.md").is_file()


def test_what_was_not_audited_is_said(audits: Path, tmp_path: Path) -> None:
    """A card of one audit names the others as missing, and its limits in words."""
    found = card(audits / "consistency", "--out", tmp_path)
    assert found["not_audited"] == ["agreement", "probes"]
    assert (found["agreement"], found["probes"], found["calibration"]) == (None, None, None)
    assert "agreement: not audited" in found["limits"]
    assert any("cannot be corrected" in limit for limit in found["limits"])


def test_policies_of_one_judge_share_a_card_and_not_a_calibration(audits: Path, tmp_path: Path) -> None:
    """The identity leaves the policy aside; the calibration is under one policy, which can be chosen."""
    found = card(audits / "agreement", audits / "strict", "--policy", "strict", "--out", tmp_path)
    assert found["policies"] == ["standard-v1", "strict-v1"]
    assert found["calibration"]["policy"] == "strict-v1"
    assert found["warnings"] == ["the calibration is of the audits under label policy strict-v1 alone"]
    assert [each["of"]["policy"] for each in found["agreement"]] == ["standard-v1", "strict-v1"]


def test_the_same_labels_under_two_policies_show_the_swing(audits: Path, tmp_path: Path) -> None:
    """Accuracy and kappa by policy as the audits give them; the sentence that discloses names both policies."""
    found = card(audits / "agreement", audits / "strict", "--out", tmp_path)
    by_policy = {name: json.loads((audits / folder / "audit.json").read_text(encoding="utf-8")) for name, folder in POLICIES.items()}
    swings = {each["block"]: each for each in found["policy_agreement"]}
    assert list(swings) == ["labels", "supported", "abstention"]
    for block, each in swings.items():
        assert each["accuracy"] == {name: audit[block]["accuracy"] for name, audit in by_policy.items()}
        assert each["cohen_kappa"] == {name: audit[block]["cohen_kappa"] for name, audit in by_policy.items()}
        assert each["swing"] == max(each["accuracy"].values()) - min(each["accuracy"].values())
    assert "label policy standard-v1" in found["disclosure"]
    assert "label policy strict-v1" in found["disclosure"]
    assert card(audits / "agreement", "--out", tmp_path)["policy_agreement"] == []


def test_the_swing_is_that_of_the_accuracies(audits: Path) -> None:
    """Each policy keeps its own figures; the swing is None where one of two is unknown; one policy makes no swing."""
    first = Agreement.model_validate_json((audits / "agreement" / "audit.json").read_text(encoding="utf-8"))
    assert first.labels is not None

    def under(policy: str, accuracy: float | None) -> Agreement:
        assert first.labels is not None
        labels = first.labels.model_copy(update={"accuracy": accuracy})
        return first.model_copy(update={"judge": first.judge.model_copy(update={"policy": policy}), "labels": labels})

    [found] = [each for each in policy_agreements([under("a", 0.5), under("b", 0.855), under("c", 0.7)]) if each.block == "labels"]
    assert found.accuracy == {"a": 0.5, "b": 0.855, "c": 0.7}
    assert found.swing == pytest.approx(0.355)
    assert [each.swing for each in policy_agreements([under("a", 0.5), under("b", None)]) if each.block == "labels"] == [None]
    assert list(policy_agreements([under("a", 0.5), under("a", 0.6)])) == []


def test_labels_count_once_however_often_they_are_named(audits: Path, tmp_path: Path) -> None:
    """A folder named twice, and a copy of an audit on the same file, make no calibration of twice the size."""
    copy = tmp_path / "copy"
    shutil.copytree(audits / "agreement", copy)
    once = card(audits / "agreement", "--out", tmp_path / "once")
    twice = card(audits / "agreement", audits / "agreement" / "audit.json", "--out", tmp_path / "twice")
    assert twice == once
    copied = card(audits / "agreement", copy, "--out", tmp_path / "copied")
    assert copied["calibration"] == once["calibration"]
    assert copied["warnings"] == ["a data set that was audited more than once is in the calibration once"]


def test_a_run_is_corrected_by_its_judges_card_and_by_no_other(audits: Path, tmp_path: Path) -> None:
    """Raw and corrected stand beside each other; the card of another judge is refused, naming both."""
    card(audits / "baseline", "--out", tmp_path / "card")
    source = ROOT / "examples" / "quickstart.jsonl"
    run = command(
        "score", source, "--judge", "lexical", "--calibration", tmp_path / "card" / "card.json", "--out", tmp_path / "run", "--json"
    )
    assert run.returncode == 0, run.stderr
    rate = json.loads(run.stdout)["corrected"]["rates"]["R_proposition"]
    assert rate["raw"]["value"] == pytest.approx(0.452, abs=0.001)
    assert rate["corrected"]["value"] != rate["raw"]["value"]
    card(audits / "agreement", "--out", tmp_path / "other")
    run = command("score", source, "--judge", "lexical", "--calibration", tmp_path / "other" / "card.json", "--out", tmp_path / "refused")
    assert (run.returncode, run.stdout) == (2, "")
    assert "is about" in run.stderr
    assert "lexical" in run.stderr


def test_several_cards_make_a_table(audits: Path, tmp_path: Path) -> None:
    """One row a judge; files where they are asked for; JSON holds the cards."""
    card(audits / "consistency", audits / "agreement", audits / "probes", "--out", tmp_path / "model")
    card(audits / "baseline", "--out", tmp_path / "baseline")
    run = command("audit", "card", tmp_path / "model", tmp_path / "baseline" / "card.json", "--html", tmp_path / "table.html")
    assert run.returncode == 0, run.stderr
    assert "openai/scripted" in run.stdout
    assert "lexical" in run.stdout
    assert "lexical: consistency: not audited" in run.stdout
    assert all(len(line) <= 100 for line in run.stdout.splitlines())
    assert "openai/scripted" in (tmp_path / "table.html").read_text(encoding="utf-8")
    found = card(tmp_path / "model", tmp_path / "baseline")
    assert [each["judge"]["spec"] for each in found["cards"]] == ["openai/scripted", "lexical"]


def test_what_makes_no_card_is_refused(audits: Path, tmp_path: Path) -> None:
    """Two judges, a card among audits, a lone card, a folder without an audit, a data set that is not there."""
    card(audits / "baseline", "--out", tmp_path / "card")
    cases: list[tuple[list[str | Path], str]] = [
        ([audits / "agreement", audits / "baseline"], "a card is of one judge"),
        ([audits / "agreement", tmp_path / "card"], "is a judge card and"),
        ([tmp_path / "card"], "one judge card makes no table"),
        ([tmp_path], "holds no audit.json"),
        ([tmp_path / "nowhere"], "is not there"),
        ([audits / "agreement", "--calibrate-on", "other.jsonl"], "--calibrate-on other.jsonl: no such data set"),
        ([audits / "agreement", "--html", tmp_path / "x.html"], "are for a table over cards"),
    ]
    cases += [
        ([audits / "agreement", "--policy", "lenient"], "judged under it; there are: standard-v1"),
        ([audits / "consistency", "--policy", "strict"], "there are: none"),
        ([tmp_path / "card", tmp_path / "card", "--policy", "strict"], "a table over cards has none"),
    ]
    for arguments, told in cases:
        run = command("audit", "card", *arguments)
        assert (run.returncode, run.stdout) == (2, ""), told
        assert told in run.stderr


def test_a_label_that_is_never_given_is_seen(audits: Path, tmp_path: Path) -> None:
    """Precision and recall of each label stand on the card, as the audit gives them."""
    found = card(audits / "agreement", "--out", tmp_path)
    block = json.loads((audits / "agreement" / "audit.json").read_text(encoding="utf-8"))["labels"]
    assert found["agreement"][0]["blocks"][0]["by_label"] == block["by_label"]
    assert "## Agreement by label" in (tmp_path / "card.md").read_text(encoding="utf-8")


def calibration(name: str, *, three_way: bool = True, sampled_from: str | None = None, policy: str = "standard-v1") -> Calibration:
    """Return a calibration of one document."""
    empty = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    counted = ((3.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 1.0))
    document = DocumentCounts(cluster="d", three_way=counted if three_way else empty, two_way=((3.0, 0.0), (0.0, 3.0)))
    data = (FileFacts(name=name, sha256=name),)
    return Calibration(
        judge_key="k", policy=policy, policy_sha256=policy, data=data, sampled_from=sampled_from, documents=(document,), items=()
    )


def test_pooling() -> None:
    """Sets of one policy are pooled with their documents kept apart; a sample of a run stands alone; two-way sets do not mix in."""
    pooled = pool([calibration("a"), calibration("b")])
    assert pooled.calibration is not None
    assert [document.cluster for document in pooled.calibration.documents] == ["1-d", "2-d"]
    assert pooled.notes == ("the calibration pools 2 data sets, as if the judge erred alike on all of them",)
    drawn = pool([calibration("a"), calibration("b", sampled_from="s")]).calibration
    assert drawn is not None
    assert [data.name for data in drawn.data] == ["b"]
    mixed = pool([calibration("a"), calibration("b", three_way=False)]).calibration
    assert mixed is not None
    assert [data.name for data in mixed.data] == ["a"]
    again = pool([calibration("a"), calibration("b"), calibration("a", policy="strict-v1")])
    assert again.calibration is not None
    assert [data.name for data in again.calibration.data] == ["a", "b"]
    assert again.notes[0] == "the calibration is of the audits under label policy standard-v1 alone"
    equal = pool([calibration("a"), calibration("a", policy="strict-v1")]).calibration
    assert equal is not None
    assert equal.policy == "standard-v1"
    assert pool([]).calibration is None
    assert pool([calibration("a")], "lenient-v1").calibration is None
