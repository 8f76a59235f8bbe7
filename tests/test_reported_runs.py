"""Public bug reports that only a whole run shows: decompositions, foreign rows, templates and policies."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.errors import PromptError
from judge.schema.labels import RequestKind
from judge.schema.outcomes import Verdict
from tests.endpoint import faults
from tests.endpoint.server import Endpoint, Rule
from tests.runs.items import read_lines, write_items
from tests.runs.running import Bench, command

DECOMPOSE, LABEL = RequestKind.DECOMPOSE, RequestKind.LABEL


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


def test_br_022_a_proposition_from_nowhere_is_refused_and_asked_for_again(bench: Bench) -> None:
    """A sentence that the ground truth does not hold is no proposition, whatever span is claimed for it; its count is told."""
    invented = {"source_quote": "Dana repaired the heater on Monday.", "text": "Einstein won a Nobel Prize"}
    unfounded = {"source_quote": "Einstein won a Nobel Prize", "text": "Einstein won a Nobel Prize"}
    bench.endpoint.script(Rule(faults.edit_entries(lambda _: [invented, unfounded]), kind=DECOMPOSE))
    result = bench.score([{"answer": "Dana repaired it.", "ground_truth": "Dana repaired the heater on Monday."}])
    assert bench.endpoint.calls(DECOMPOSE) == 2
    [item] = result.items()
    [part] = item.propositions
    assert not isinstance(part.outcome, Verdict)
    assert part.outcome.reason == "decomposition_failed"
    assert part.outcome.detail == "all 2 propositions were refused: invented, no_source_span"


def test_br_023_one_fact_counts_once(bench: Bench) -> None:
    """A final dot makes no second proposition; another writing of the same number is merged or flagged, and ids are distinct."""
    texts = ["The gate opens at 6.", "The gate opens at 6", "The gate opens at six o'clock."]
    entries = [{"source_quote": "The gate opens at 6", "text": text} for text in texts]
    bench.endpoint.script(Rule(faults.edit_entries(lambda _: entries), kind=DECOMPOSE))
    result = bench.score([{"answer": "The gate opens at 6.", "ground_truth": "The gate opens at 6."}])
    [line] = read_lines(result.folder / "propositions.jsonl")
    kept = [part["text"] for part in line["propositions"]]
    assert kept in (["The gate opens at 6."], ["The gate opens at 6.", "The gate opens at six o'clock."])
    assert len({part["id"] for part in line["propositions"]}) == len(kept)
    assert [finding["kind"] for finding in line["lint"] if "duplicate" in finding["kind"]]
    assert len([finding for finding in line["lint"] if "duplicate" in finding["kind"]]) == 2


def test_br_040_one_verdict_of_five_is_no_perfect_recall(bench: Bench) -> None:
    """Ids 2 to 5 are asked for again; still missing they are unjudged, and the recall is null within 0.2 and 1."""
    facts = [f"Fact {number} holds." for number in range(1, 6)]
    first = faults.edit_entries(lambda entries: [entry for entry in entries if entry["label"] == "supported"][:1])
    bench.endpoint.script(Rule(first, kind=LABEL))
    result = bench.score([{"answer": "Fact 1 holds.", "propositions": facts}])
    [item] = result.items()
    assert item.signals["R_proposition"] is None
    assert item.bounds["R_proposition"] == pytest.approx((0.2, 1.0))
    assert result.summary.metrics["R_proposition"].value is None
    assert result.summary.unjudged == {"missing_verdict": 4}
    assert (bench.endpoint.calls(LABEL), result.exit_code) == (2, 3)


def test_br_062_rows_of_another_form_are_listed_up_front(tmp_path: Path) -> None:
    """`validate` names every row that lacks an answer with the fields it found; a tempting wrong answer beside one stays metadata."""
    adversarial = {"question": "Which colour?", "adversarial_answer": "red", "category": 5}
    source = write_items(tmp_path / "in.jsonl", [{"answer": "a", "ground_truth": "b"}, adversarial, adversarial])
    run = command("validate", source)
    assert run.returncode == 2
    for line in (2, 3):
        assert f"in.jsonl:{line}: there is no `answer` (found: question, adversarial_answer, category)" in run.stderr
    mapped = write_items(tmp_path / "mapped.jsonl", [{**adversarial, "prediction": "Not mentioned.", "answerable": False}])
    shown = command("validate", mapped)
    assert shown.returncode == 0
    assert re.search(r"A_abstention +1 ", shown.stdout)
    assert "adversarial_answer" in shown.stdout


@pytest.mark.parametrize("answer", ['Use {"retries": 3} or set {a, b}', "{{ answer }} {0} %s ${x} $answer {% raw %}"])
def test_br_073_braces_are_text(bench: Bench, answer: str) -> None:
    """They reach the judge as they are, also through a template of one's own that holds braces; an unknown name is told at once."""
    template = bench.folder / "mine.toml"
    system = 'Reply like {"label": "..."} under this policy: $policy'
    user = "$question\n$statements\n$answer\nGive $asked.$note"
    template.write_text(f"system = '{system}'\nuser = '''{user}'''\n")
    bench.score([{"answer": answer, "propositions": ["It rains."]}], prompt={"label": str(template)}, no_mark=True)
    [request] = bench.endpoint.requests
    system_text, user_text = (message["content"] for message in request.body["messages"])
    assert system_text.startswith('Reply like {"label": "..."}')
    assert f"\n{answer}\n" in user_text
    template.write_text(f"system = '{system} $unknown'\nuser = '''{user}'''\n")
    with pytest.raises(PromptError, match="unknown"):
        bench.score([{"answer": answer, "propositions": ["It rains."]}], prompt={"label": str(template)}, out="unknown")


@pytest.mark.parametrize("policy", ["standard", "strict", "lenient"])
def test_br_112_the_policy_is_stated_and_extra_detail_costs_nothing(bench: Bench, policy: str) -> None:
    """What an answer adds to a supported fact lowers no recall, and results, summary and every report name the policy."""
    answer = "The ferry was late, probably because of the storm."
    result = bench.score([{"answer": answer, "propositions": ["The ferry was late."]}], policy=policy, judge="lexical")
    [item] = result.items()
    assert (item.signals["R_proposition"], item.signals["C_contradiction"]) == (1.0, 0.0)
    assert result.summary.policy == f"{policy}-v1"
    for name in ("manifest.json", "summary.json", "report.md", "report.html"):
        assert f"{policy}-v1" in (result.folder / name).read_text(encoding="utf-8")
