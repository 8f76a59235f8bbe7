"""What must not change a number: order, names, what is added beside it; and what a missing value may do to a bound."""

import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from judge.schema.results import ItemResult
from judge.schema.summaries import Summary
from pipelines.api import ScoreResult, score

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ITEMS: list[dict[str, Any]] = [json.loads(line) for line in (EXAMPLES / "quickstart.jsonl").read_text(encoding="utf-8").splitlines()]
RECORD: dict[str, Any] = json.loads((EXAMPLES / "recorded" / "run-record.json").read_text(encoding="utf-8"))
DECOYS = ["The lighthouse is white.", "The last ferry leaves at 21:40.", "A heron is called Percival.", "It opened in May 2019."]
FEW = settings(max_examples=15, deadline=None)


def by_id(result: ScoreResult) -> dict[str, ItemResult]:
    return {item.item_id: item for item in result.items()}


BASE = score(ITEMS, judge="lexical")
BASE_RESULTS = by_id(BASE)


@given(seed=st.integers(0, 10_000))
@FEW
def test_the_order_of_items_changes_nothing(seed: int) -> None:
    """The summary is the same to the last bit, and so is every item."""
    items = [*ITEMS]
    Random(seed).shuffle(items)
    result = score(items, judge="lexical")
    assert result.summary == BASE.summary
    assert by_id(result) == BASE_RESULTS


@given(names=st.permutations(["atlas", "borea", "cyrus"]))
@FEW
def test_the_names_of_agents_change_nothing(names: list[str]) -> None:
    """Renamed agents keep their numbers, and the run keeps its own."""
    renamed = dict(zip(["atlas", "borea", "cyrus"], names, strict=True))
    result = score([{**item, "agent": renamed[item["agent"]]} for item in ITEMS], judge="lexical")
    assert {**result.summary.model_dump(), "by_agent": {}} == {**BASE.summary.model_dump(), "by_agent": {}}
    assert {renamed[name]: card for name, card in BASE.summary.by_agent.items()} == result.summary.by_agent


@given(seed=st.integers(0, 10_000))
@FEW
def test_the_order_of_statements_changes_nothing(seed: int) -> None:
    """Propositions, decoys, conflicts and their sides may stand in any order."""
    random = Random(seed)
    texts = [part.text for part in BASE_RESULTS["bridge-atlas"].propositions]
    item = {"id": "x", "answer": ITEMS[2]["answer"], "propositions": texts, "decoys": DECOYS, "gaps": ["Nobody knows who paid."]}
    shuffled = {**item, "propositions": random.sample(texts, len(texts)), "decoys": random.sample(DECOYS, len(DECOYS))}
    first, second = (by_id(score([one], judge="lexical"))["x"] for one in (item, shuffled))
    assert first.signals == second.signals
    assert {part.text: part.outcome for part in first.propositions} == {part.text: part.outcome for part in second.propositions}


@given(decoys=st.lists(st.sampled_from(DECOYS), min_size=1, unique=True))
@FEW
def test_a_decoy_never_changes_recall_offline(decoys: list[str]) -> None:
    """Whatever misleading statement is asked about as well, every proposition keeps its verdict."""
    result = score([{**item, "decoys": [*item.get("decoys", []), *decoys]} for item in ITEMS], judge="lexical")
    for item in result.items():
        before = BASE_RESULTS[item.item_id]
        assert item.propositions == before.propositions
        assert [item.signals[name] for name in ("R_proposition", "C_contradiction")] == [
            before.signals[name] for name in ("R_proposition", "C_contradiction")
        ]


def summary_with(record: dict[str, Any], null_policy: str) -> Summary:
    """Return the numbers of the recorded run with another run record."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        replay = f"replay:{EXAMPLES / 'recorded' / 'run'}"
        return score(EXAMPLES / "quickstart.jsonl", judge=replay, run_record=path, null_policy=null_policy).summary


@given(
    missing=st.lists(st.sampled_from([name for name in RECORD if name != "automated"]), unique=True, min_size=1),
    more=st.sampled_from([name for name in RECORD if name != "automated"]),
    null_policy=st.sampled_from(["strict", "available"]),
)
@FEW
def test_a_missing_value_never_raises_a_lower_bound(missing: list[str], more: str, null_policy: str) -> None:
    """Nulling one more value of the record moves no lower bound of a composite up, and no upper bound down."""
    fewer = {**RECORD, **dict.fromkeys(missing)}
    before, after = (summary_with(record, null_policy).composite for record in (fewer, {**fewer, more: None}))
    for name, composite in before.items():
        low, high = composite.bounds or (0.0, float("inf"))
        low_after, high_after = after[name].bounds or (0.0, float("inf"))
        assert low_after <= low, name
        assert high_after >= high, name
