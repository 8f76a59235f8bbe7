"""Judges that err in a known way, end to end over HTTP: each audit finds exactly the error that was put in.

Order bias, obeyed injections, and the same errors on the shipped probes are in `test_consistency.py` and `test_probe_audit.py`.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest

from judge.schema.labels import Label, RequestKind
from tests.endpoint.replies import STATEMENT, Json, ParsedRequest, well_behaved
from tests.endpoint.server import Endpoint
from tests.runs.items import Fields, write_items
from tests.runs.running import Bench, command

S, C, N = Label
STATEMENTS = 6
LABELLED, SCORED = 60, 200
ERRORS: Mapping[Label, tuple[float, float, float]] = {S: (0.75, 0.05, 0.20), C: (0.20, 0.60, 0.20), N: (0.25, 0.05, 0.70)}
"""How often the judge with known errors says supported, contradicted and not_addressed of statements with each true label."""
RIGHT = 0.7
"""How often the judge that flips at random is right."""

Saying = Callable[[str, Label, ParsedRequest], Label]
"""What a judge says of a statement, given its text, its true label, and the request."""


def statements(name: str, items: int, shares: tuple[float, float, float]) -> dict[str, list[tuple[str, Label]]]:
    """Return the statements of each item with their true labels, drawn with these shares of the three."""
    rng = Random(name)
    drawn = {f"{name}-{number}": rng.choices(list(Label), shares, k=STATEMENTS) for number in range(items)}
    return {item: [(f"Claim {place} of {item} holds.", label) for place, label in enumerate(labels)] for item, labels in drawn.items()}


TRUE_OF_LABELLED = statements("labelled", LABELLED, (1, 1, 1))
TRUE_OF_SCORED = statements("scored", SCORED, (0.70, 0.25, 0.05))
TRUTH = {text: label for known in (TRUE_OF_LABELLED, TRUE_OF_SCORED) for parts in known.values() for text, label in parts}


def saying(word: Saying) -> Callable[[ParsedRequest], Json | None]:
    """Return a replier whose labels are these, each with a quote where it needs one."""

    def reply(request: ParsedRequest) -> Json | None:
        made = well_behaved(request)
        if request.kind is RequestKind.LABEL and made is not None:
            texts = [text for _, text in STATEMENT.findall(request.blocks["statements"])]
            for verdict, text in zip(made["verdicts"], texts, strict=True):
                label = word(text, TRUTH[text], request)
                verdict.update(label=label, quote=None if label is N else request.blocks["answer"])
        return made

    return reply


def drawn(key: str, shares: tuple[float, ...]) -> Label:
    """Return a label drawn with these shares, always the same for a key."""
    place = int(hashlib.sha256(key.encode()).hexdigest()[:12], 16) / 16**12
    return next(label for number, label in enumerate(Label, start=1) if place < sum(shares[:number]) or label is N)


def with_known_errors(text: str, label: Label, _: ParsedRequest) -> Label:
    """Err as often as `ERRORS` says, on the same statements each time."""
    return drawn(text, ERRORS[label])


def never_contradicting(_text: str, label: Label, _request: ParsedRequest) -> Label:
    """Take what is contradicted for not addressed, and be right otherwise."""
    return N if label is C else label


def flipping(text: str, label: Label, request: ParsedRequest) -> Label:
    """Be right in `RIGHT` of the statements and say one of the other two labels else, by chance and by the seed asked for."""
    others = (1 - RIGHT) / 2
    return drawn(f"{request.body['seed']} {text}", tuple(RIGHT if each is label else others for each in Label))


def write_labelled(folder: Path) -> Path:
    """Write the labelled items as a gold file."""
    return write_items(folder / "gold.jsonl", (gold_record(item, parts) for item, parts in TRUE_OF_LABELLED.items()))


def gold_record(item: str, parts: list[tuple[str, Label]]) -> Fields:
    """Return a labelled item: a document of its own."""
    propositions = [{"id": f"p{place}", "text": text, "label": label} for place, (text, label) in enumerate(parts)]
    return {"id": item, "doc_id": item, "question": f"What of {item}?", "answer": f"This is {item}.", "propositions": propositions}


def write_scored(folder: Path) -> Path:
    """Write the items whose rates are wanted, without a label."""
    items = (
        {"id": item, "question": f"What of {item}?", "answer": f"This is {item}.", "propositions": [text for text, _ in parts]}
        for item, parts in TRUE_OF_SCORED.items()
    )
    return write_items(folder / "in.jsonl", items)


def figures_of(folder: Path, name: str = "audit.json") -> Fields:
    """Return the figures in a folder."""
    found: Fields = json.loads((folder / name).read_text(encoding="utf-8"))
    return found


def run(*arguments: str | Path) -> None:
    """Run a command that succeeds."""
    done = command(*arguments, "--quiet")
    assert done.returncode == 0, done.stderr


def test_the_rates_of_a_judge_with_known_errors_are_corrected_to_the_truth(tmp_path: Path) -> None:
    """Agreement finds the error rates; with them on a card the corrected intervals hold the true rates, which the raw ones do not."""
    with Endpoint(reply=saying(with_known_errors), record=False) as endpoint:
        bench = Bench(endpoint, tmp_path)
        run("audit", "agreement", write_labelled(tmp_path), *bench.flags("audit"))
        card = command("audit", "card", tmp_path / "audit", "--out", tmp_path / "card")
        assert card.returncode == 0, card.stderr
        run("score", write_scored(tmp_path), *bench.flags("run"), "--no-mark", "--calibration", tmp_path / "card" / "card.json")
    confusion = figures_of(tmp_path / "audit")["labels"]["confusion"]
    assert confusion == {label: Counter(drawn(text, ERRORS[label]) for text, each in labelled() if each is label) for label in Label}
    corrected = figures_of(tmp_path / "run", "summary.json")["corrected"]
    for symbol, label in (("R_proposition", S), ("C_contradiction", C)):
        true, found = true_share(label), corrected["rates"][symbol]
        assert not within(found["raw"], true), symbol
        assert within(found["corrected"], true), symbol
        assert abs(found["corrected"]["value"] - true) < abs(found["raw"]["value"] - true) / 1.5, symbol
    assert within(corrected["recall_by_method"]["rogan_gladen"], true_share(S))


def test_a_judge_that_never_contradicts_is_exposed_and_its_contradictions_are_not_corrected(tmp_path: Path) -> None:
    """It finds none of the contradictions, which no correction can bring back: a reason stands instead of a number."""
    with Endpoint(reply=saying(never_contradicting), record=False) as endpoint:
        bench = Bench(endpoint, tmp_path)
        run("audit", "agreement", write_labelled(tmp_path), *bench.flags("audit"))
        run("score", write_scored(tmp_path), *bench.flags("run"), "--no-mark", "--calibration", tmp_path / "audit" / "audit.json")
    labels = figures_of(tmp_path / "audit")["labels"]
    by_label = {label: (each["precision"], each["recall"]) for label, each in labels["by_label"].items()}
    contradicted, silent = (sum(each is label for _, each in labelled()) for label in (C, N))
    assert by_label == {S: (1.0, 1.0), C: (None, 0.0), N: (pytest.approx(silent / (silent + contradicted)), 1.0)}
    assert labels["accuracy"] == pytest.approx(1 - contradicted / len(labelled()))
    corrected = figures_of(tmp_path / "run", "summary.json")["corrected"]["rates"]
    found = corrected["C_contradiction"]
    assert (found["raw"]["value"], found["corrected"]["value"], found["method"]) == (0.0, None, None)
    assert found["corrected"]["reason"]
    assert corrected["R_proposition"]["corrected"]["value"] == pytest.approx(true_share(S))


def test_a_judge_that_flips_at_random_is_exposed_by_people_and_by_itself(tmp_path: Path) -> None:
    """Right in 0.7, it agrees with people in 0.7; two runs of it agree in 0.7 x 0.7 + 0.3 x 0.3 / 2, by their seeds."""
    with Endpoint(reply=saying(flipping), record=False) as endpoint:
        bench = Bench(endpoint, tmp_path)
        gold = write_labelled(tmp_path)
        for name in ("1", "2"):
            run("audit", "agreement", gold, *bench.flags(name), "--seed", name)
    run_between = command("audit", "between", tmp_path / "1", tmp_path / "2", "--out", tmp_path / "between")
    assert run_between.returncode == 0, run_between.stderr
    for name in ("1", "2"):
        low, high = figures_of(tmp_path / name)["labels"]["ci95"]["accuracy"]
        assert low < RIGHT < high < 0.8
    both = figures_of(tmp_path / "between")
    low, high = both["propositions"]["ci95"]["agreement"]
    assert low < RIGHT**2 + (1 - RIGHT) ** 2 / 2 < high
    assert both["differs"] == [{"part": "seed", "first": "1", "second": "2"}]
    assert len(both["disagreements"]) == round(both["propositions"]["n"] * (1 - both["propositions"]["agreement"]))


def labelled() -> list[tuple[str, Label]]:
    """Return the labelled statements."""
    return [part for parts in TRUE_OF_LABELLED.values() for part in parts]


def true_share(label: Label) -> float:
    """Return the share of a label among the statements whose rates are wanted; every item has as many, so it is the mean over items too."""
    labels = [label for parts in TRUE_OF_SCORED.values() for _, label in parts]
    return labels.count(label) / len(labels)


def within(figure: Fields, value: float) -> bool:
    """Return whether a value lies in a figure's interval."""
    low, high = figure["ci95"]
    return bool(low <= value <= high)
