"""`judge audit card`: the audits of one judge on one page, and cards in a table."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.auditing.pooling import pool
from judge.schema.calibrations import Calibration, DocumentCounts
from judge.schema.manifests import FileFacts
from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, trams, write_items
from tests.runs.running import ROOT, Bench, command

GOLD = ROOT / "examples" / "gold.jsonl"


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
    assert found["calibration"] is None
    assert "agreement: not audited" in found["limits"]
    assert any("cannot be corrected" in limit for limit in found["limits"])


def test_policies_of_one_judge_share_a_card_and_not_a_calibration(audits: Path, tmp_path: Path) -> None:
    """The identity leaves the policy aside; the calibration is under one policy, which can be chosen."""
    found = card(audits / "agreement", audits / "strict", "--policy", "strict-v1", "--out", tmp_path)
    assert found["policies"] == ["standard-v1", "strict-v1"]
    assert found["calibration"]["policy"] == "strict-v1"
    assert found["warnings"] == ["the calibration is of the audits under label policy strict-v1 alone"]
    assert [each["of"]["policy"] for each in found["agreement"]] == ["standard-v1", "strict-v1"]


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
    for arguments, told in cases:
        run = command("audit", "card", *arguments)
        assert (run.returncode, run.stdout) == (2, ""), told
        assert told in run.stderr


def calibration(name: str, *, three_way: bool = True, sampled_from: str | None = None, policy: str = "standard-v1") -> Calibration:
    """Return a calibration of one document."""
    empty = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    counted = ((3.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 1.0))
    document = DocumentCounts(cluster="d", three_way=counted if three_way else empty, two_way=((3.0, 0.0), (0.0, 3.0)))
    data = (FileFacts(name=name, sha256="0" * 64),)
    return Calibration(
        judge_key="k", policy=policy, policy_sha256="p", data=data, sampled_from=sampled_from, documents=(document,), items=()
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
    assert pool([]).calibration is None
    assert pool([calibration("a")], "lenient-v1").calibration is None
