"""`judge audit consistency` on judges that change their mind in a known way, over real HTTP."""

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.auditing.changes import laid_out_anew, padded
from judge.auditing.noise import score_noise
from judge.prompt import load_policy
from judge.schema.labels import RequestKind
from pipelines.audits.variants import ORDERS
from tests.endpoint.replies import STATEMENT, Json, ParsedRequest, well_behaved
from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, trams, write_items
from tests.runs.running import Bench, command

STRICT_TEXT = load_policy("strict").text.strip()
Change = Callable[[ParsedRequest, list[tuple[str, str]], list[Json]], None]
"""Edits the verdicts of a label request; given the statements in the order asked, and the verdicts in the same order."""


def changing(change: Change) -> Callable[[ParsedRequest], Json | None]:
    """Return a replier that behaves well but for its verdicts."""

    def reply(request: ParsedRequest) -> Json | None:
        made = well_behaved(request)
        if request.kind is RequestKind.LABEL and made is not None:
            change(request, STATEMENT.findall(request.blocks["statements"]), made["verdicts"])
        return made

    return reply


def say(verdict: Json, label: str, quote: str) -> None:
    """Put another label into a verdict, with the quote that it needs."""
    verdict.update(label=label, quote=None if label == "not_addressed" else quote)


def is_plain(request: ParsedRequest) -> bool:
    """Return whether a request is one of the repeats: neither answer nor policy is changed."""
    return request.blocks["answer"].startswith("Tram") and STRICT_TEXT not in request.text


def audit(endpoint: Endpoint, folder: Path, items: list[Fields], *more: str) -> Fields:
    """Run the command and return its figures."""
    source = write_items(folder / "in.jsonl", items)
    run = command("audit", "consistency", source, *Bench(endpoint, folder).flags("audit"), *more, "--json")
    assert run.returncode == 0, run.stderr
    found: Fields = json.loads(run.stdout)
    assert found == json.loads((folder / "audit" / "audit.json").read_text(encoding="utf-8"))
    return found


def variant(found: Fields, name: str) -> Fields:
    """Return the figures of one change."""
    [figures] = [each for each in found["variants"] if each["variant"] == name]
    return dict(figures)


@pytest.fixture
def steady(tmp_path: Path) -> Iterator[Bench]:
    """A judge that says the same each time."""
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


def test_a_steady_judge_flips_nowhere(steady: Bench) -> None:
    """No flip, alpha 1 where labels differ between statements, no noise, and intervals that claim no certainty."""
    found = audit(steady.endpoint, steady.folder, trams(4))
    assert (found["statements"]["things"], found["statements"]["pairwise_flip"]["value"]) == (12, 0.0)
    assert found["statements"]["pairwise_flip"]["ci_method"] == "wilson"
    assert found["statements"]["krippendorff_alpha"]["value"] == found["statements"]["fleiss_kappa"]["value"] == 1.0
    assert found["statements"]["krippendorff_alpha"]["reason"] == "no variation, which is not certainty"
    assert [noise["noise_share"] for noise in found["noise"]] == [None, None]
    # The endpoint compares whole lines, so that the mark of a list hides a contradiction from it: it is swayed by that alone.
    assert {each["variant"] for each in found["variants"] if each["flips"]} == {"layout"}
    assert found["coverage"]["value"] == 1.0
    assert (found["conditions"]["temperature"], found["conditions"]["repeats"]) == (0.0, 5)
    assert found["conditions"]["caching"]["repeated_ids"] == 0


def test_br_077_a_statement_that_flips_twice_in_five_repeats_is_listed_first(tmp_path: Path) -> None:
    """Majority share 0.6, majority label, the run-to-run deviation, and the agreement statistics of exactly these verdicts."""
    seen: list[int] = []

    def change(request: ParsedRequest, statements: list[tuple[str, str]], verdicts: list[Json]) -> None:
        texts = [text for _, text in statements]
        in_order = texts == sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())
        if len(texts) == 3 and in_order and is_plain(request) and "Tram 1 " in request.blocks["answer"]:
            seen.append(1)
            if len(seen) in (2, 4):
                place = next(i for i, text in enumerate(texts) if "is red" in text)
                say(verdicts[place], "not_addressed", "")

    with Endpoint(reply=changing(change)) as endpoint:
        found = audit(endpoint, tmp_path, trams(3), "--max-connections", "1")
    first = found["by_statement"][0]
    assert (first["text"], first["majority"], first["majority_share"]) == ("Tram 1 is red.", "supported", 0.6)
    assert first["pairwise_flip"] == pytest.approx(0.6)
    assert sorted(first["repeats"]) == ["not_addressed"] * 2 + ["supported"] * 3
    assert found["statements"]["pairwise_flip"]["value"] == pytest.approx(0.6 / 9)
    assert found["statements"]["any_flip"]["value"] == pytest.approx(1 / 9)
    recall = found["noise"][0]
    assert sorted(recall["run_values"]) == pytest.approx([2 / 9, 2 / 9, 1 / 3, 1 / 3, 1 / 3])
    assert recall["run_deviation"] == pytest.approx((1 / 9) * (6 / 5 / 4) ** 0.5)
    page = (tmp_path / "audit" / "report.md").read_text(encoding="utf-8")
    assert "Krippendorff" in page
    assert "Fleiss" in page
    assert "least stable" in page


def test_br_074_a_judge_that_favours_the_first_statement_is_exposed_by_the_orders(tmp_path: Path) -> None:
    """The flips by order are exactly those of the permutations; asking again shows none, so they lie beyond the noise."""

    def change(request: ParsedRequest, statements: list[tuple[str, str]], verdicts: list[Json]) -> None:
        for place, (verdict, _) in enumerate(zip(verdicts, statements, strict=True)):
            say(verdict, "supported" if place == 0 else "not_addressed", request.blocks["answer"].splitlines()[0])

    with Endpoint(reply=changing(change)) as endpoint:
        found = audit(endpoint, tmp_path, trams(6))
    flips = 0
    for number in range(1, 7):
        texts = [f"Tram {number} is red.", f"Tram {number} carries 80 people.", f"Tram {number} has a bell."]
        texts.sort(key=lambda text: hashlib.sha256(text.encode()).digest())
        for seed in range(1, ORDERS + 1):
            order = list(texts)
            random.Random(seed).shuffle(order)
            flips += 2 * (order[0] != texts[0])
    orders = variant(found, "order")
    assert flips > 0
    assert (orders["flips"], orders["statements"]) == (flips, 18)
    assert orders["flip"]["value"] == pytest.approx(flips / (18 * ORDERS))
    assert orders["beyond_noise"]["ci95"] is None or orders["beyond_noise"]["ci95"][0] > 0
    assert found["statements"]["pairwise_flip"]["value"] == 0.0
    alone = variant(found, "batch_one")
    assert (alone["flips"], alone["toward"]) == (12, {"supported": 12, "contradicted": 0, "not_addressed": 0})


def test_a_judge_that_flips_at_random_is_exposed_by_asking_again(tmp_path: Path) -> None:
    """With a chance p of another label two repeats differ with 2 p (1 - p); no change does more than asking again."""
    chance = 0.3

    def change(request: ParsedRequest, statements: list[tuple[str, str]], verdicts: list[Json]) -> None:
        for verdict, (name, _) in zip(verdicts, statements, strict=True):
            drawn = int(hashlib.sha256(f"{name}{request.text}".encode()).hexdigest(), 16) % 1000
            label = "not_addressed" if drawn < 1000 * chance else "supported"
            say(verdict, label, request.blocks["answer"].splitlines()[0])

    with Endpoint(reply=changing(change), record=False) as endpoint:
        found = audit(endpoint, tmp_path, trams(40), "--max-connections", "32")
    flip = found["statements"]["pairwise_flip"]
    assert flip["ci95"][0] < 2 * chance * (1 - chance) < flip["ci95"][1]
    assert abs(found["statements"]["krippendorff_alpha"]["value"]) < 0.1
    assert found["noise"][0]["noise_share"] > 0.8
    for each in found["variants"]:
        if each["applied"]:
            low, high = each["beyond_noise"]["ci95"]
            assert low <= 0 <= high, each["variant"]
    # A change is asked once: five repeats, five orders, three alone, two halves, padding, layout and policy make at most 18 requests.
    assert endpoint.calls(RequestKind.LABEL) <= 40 * 18


def test_padding_layout_and_policy_are_told_apart(tmp_path: Path) -> None:
    """A judge that is swayed by one change is exposed by that change alone; what the policy does is shown as its own.

    The endpoint compares whole lines, so that in a list it misses the contradictions as well.
    """

    def change(request: ParsedRequest, _: list[tuple[str, str]], verdicts: list[Json]) -> None:
        if "Thank you" in request.blocks["answer"]:
            for verdict in verdicts:
                say(verdict, "not_addressed", "")
        if STRICT_TEXT in request.text:
            for verdict in verdicts:
                if verdict["label"] == "supported":
                    say(verdict, "not_addressed", "")

    with Endpoint(reply=changing(change)) as endpoint:
        found = audit(endpoint, tmp_path, trams(5))
    assert {each["variant"]: each["flips"] for each in found["variants"]} == {
        "order": 0,
        "batch_one": 0,
        "batch_all": 0,
        "companions": 0,
        "padding": 10,
        "layout": 5,
        "policy": 5,
    }
    assert variant(found, "padding")["recall_shift"]["value"] == pytest.approx(-1 / 3)
    assert variant(found, "policy")["recall_shift"]["value"] == pytest.approx(-1 / 3)
    assert variant(found, "policy")["contradiction_shift"]["value"] == 0.0
    assert found["policies"] == {"audited": "standard-v1", "compared with": "strict-v1"}
    assert "fit one request" in variant(found, "batch_all")["reason"]


def test_small_batches_are_compared_with_one_large_one(steady: Bench) -> None:
    """Where the statements of an item take several requests, all of them in one is a change of its own."""
    found = audit(steady.endpoint, steady.folder, trams(2), "--batch-size", "2")
    assert (variant(found, "batch_all")["applied"], variant(found, "batch_all")["reason"]) == (2, None)


def test_an_audit_is_resumed_and_replayed_without_a_call(steady: Bench) -> None:
    """The second time nothing is asked, the figures are the same, and what a cache of the provider did is not known."""
    first = audit(steady.endpoint, steady.folder, trams(3))
    asked = steady.endpoint.calls()
    again = audit(steady.endpoint, steady.folder, trams(3))
    assert steady.endpoint.calls() == asked
    assert (again["conditions"]["asked_now"], again["conditions"]["caching"]) == (0, None)
    same = [{name: value for name, value in each.items() if name not in ("conditions", "warnings")} for each in (first, again)]
    assert same[0] == same[1]
    source = steady.folder / "in.jsonl"
    run = command(
        "audit", "consistency", source, "--judge", f"replay:{steady.folder / 'audit'}", "--out", steady.folder / "replayed", "--json"
    )
    assert run.returncode == 0, run.stderr
    replayed = json.loads(run.stdout)
    assert (replayed["variants"], replayed["statements"]) == (first["variants"], first["statements"])
    assert steady.endpoint.calls() == asked


def test_what_cannot_be_judged_is_counted_by_reason(tmp_path: Path) -> None:
    """An unjudged repeat is no flip and no label; the figures rest on the others, and the run is incomplete."""

    def change(request: ParsedRequest, _: list[tuple[str, str]], verdicts: list[Json]) -> None:
        if "Tram 1 " in request.blocks["answer"]:
            verdicts[0]["label"] = "perhaps"

    with Endpoint(reply=changing(change)) as endpoint:
        source = write_items(tmp_path / "in.jsonl", trams(2))
        run = command("audit", "consistency", source, *Bench(endpoint, tmp_path).flags("audit"), "--json")
    found = json.loads(run.stdout)
    assert run.returncode == 3
    assert (found["complete"], found["statements"]["unjudged"]) == (False, {"bad_label": 5})
    assert found["statements"]["pairwise_flip"]["n"] == 5


def test_the_baseline_says_that_repeats_show_nothing(tmp_path: Path) -> None:
    """A judge without a model is audited like any other; an empty answer is left out, and told."""
    items = [*trams(2), {"id": "empty", "answer": "", "propositions": ["A fact."]}]
    run = command("audit", "consistency", write_items(tmp_path / "in.jsonl", items), "--judge", "lexical", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "says the same each time, so repeats show nothing" in run.stdout
    assert "1 item with an empty answer left out" in run.stdout.replace("\n", " ")
    assert (tmp_path / "runs" / "in-audit-consistency" / "report.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(["--repeats", "1"], "asks everything at least twice", id="one-repeat"),
        pytest.param(["--judge", "lexical", "--fail-under", "R_proposition=0.5"], "bound metrics of `judge score`", id="gate"),
        pytest.param(["--repeats", "many"], "repeats (--repeats): Input should be a valid integer", id="no-number"),
        pytest.param(["--judge", "some model"], "nor a model name", id="judge"),
    ],
)
def test_a_wrong_command_is_refused(tmp_path: Path, arguments: list[str], told: str) -> None:
    """Exit 2, with what is wrong, and no folder left."""
    run = command("audit", "consistency", write_items(tmp_path / "in.jsonl", trams(1)), *arguments, "--out", "a", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert told in run.stderr
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("It is red. It has a bell.", "- It is red.\n- It has a bell.", id="prose-becomes-a-list"),
        pytest.param("- It is red.\n- It has a bell.", "It is red.\nIt has a bell.", id="a-list-becomes-lines"),
        pytest.param("It is red.", "**It is red.**", id="a-sentence-becomes-bold"),
        pytest.param("| a | b |\n| 1 | 2 |", None, id="a-table-stays"),
        pytest.param("```\nx = 1\n```", None, id="code-stays"),
    ],
)
def test_layouts(answer: str, expected: str | None) -> None:
    """Only what carries no meaning is laid out anew, and every word of the answer stays."""
    assert laid_out_anew(answer) == expected
    assert answer in padded(answer)


def test_noise_is_the_within_part_of_the_spread() -> None:
    """Two items, two repeats: mean squares 0.25 between and 0.01 within, hence 0.12 between and a share of 0.01 / 0.13."""
    found = score_noise("R_proposition", [[0.0, 0.2 - 0.1 + 0.1], [0.6, 0.6]], ["a", "b"])
    between, within = 0.25, 0.01
    assert found.within == pytest.approx(within)
    assert found.between == pytest.approx((between - within) / 2)
    assert found.noise_share == pytest.approx(within / ((between - within) / 2 + within))


def test_noise_without_repeats_has_a_reason() -> None:
    """Items that lack a score in a repeat are left out, and with fewer than two nothing is claimed."""
    rows: list[list[Any]] = [[0.5, None], [0.5, 0.5]]
    found = score_noise("R_proposition", rows, ["a", "b"])
    assert (found.items, found.noise_share, found.headline_share) == (1, None, None)
    assert found.reason == "fewer than two items have this score in every repeat"
