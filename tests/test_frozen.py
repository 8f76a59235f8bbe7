"""Frozen propositions: taken over, edited, demanded, made again; and what a person is shown of them."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.errors import ConfigError, RunFolderError
from judge.schema.labels import RequestKind
from pipelines.api import score
from tests.endpoint import faults
from tests.endpoint.server import Endpoint, Rule
from tests.runs.items import read_lines, tram, trams, write_items
from tests.runs.running import MODEL, Bench, command, written


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint() as endpoint:
        yield Bench(endpoint, tmp_path)


DECOMPOSE, LABEL, APPRAISE = RequestKind.DECOMPOSE, RequestKind.LABEL, RequestKind.APPRAISE
LETTERS = "Ada has A, B, C, D, E, F and G."


def splits_into(count: int) -> faults.Fault:
    """Return a reply of that many propositions about LETTERS."""
    return faults.edit_entries(lambda _: [{"source_quote": letter, "text": f"Ada has {letter}."} for letter in "ABCDEFG"[:count]])


def edit(path: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the lines of a propositions file as a person would."""
    lines = read_lines(path)
    change(lines)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def frozen(bench: Bench, items: list[Any]) -> Path:
    """Return the propositions that a run made of the items."""
    path = bench.folder / "frozen.jsonl"
    shutil.copy(bench.score(items, out="first").folder / "propositions.jsonl", path)
    bench.endpoint.reset()
    return path


def reword(line: dict[str, Any], position: int, text: str) -> None:
    line["propositions"][position]["text"] = text


def test_an_edit_changes_only_what_depends_on_it(bench: Bench) -> None:
    """The item of the edited ground truth is labelled anew; everything else comes from the cache and stays."""
    path = frozen(bench, trams(3))
    first = {item.item_id: item for item in bench.score(trams(3), out="before", propositions=path).items()}
    edit(path, lambda lines: reword(lines[1], 0, "Tram 2 is blue."))
    bench.endpoint.reset()
    result = bench.score(trams(3), out="edited", propositions=path)
    assert [bench.endpoint.calls(kind) for kind in (DECOMPOSE, LABEL, APPRAISE)] == [0, 1, 0]
    changed = [item.item_id for item in result.items() if item != first[item.item_id]]
    assert changed == ["tram-2"]
    edited = next(item for item in result.items() if item.item_id == "tram-2")
    assert [part.outcome for part in edited.propositions[1:]] == [part.outcome for part in first["tram-2"].propositions[1:]]
    lines = read_lines(result.folder / "propositions.jsonl")
    assert [line["origin"] for line in lines] == ["model", "edited", "model"]


def test_an_edit_is_linted_anew(bench: Bench) -> None:
    """What a person loses, adds or leaves unclear is flagged as well; nothing is refused for it."""
    path = frozen(bench, [tram(1)])
    edit(path, lambda lines: reword(lines[0], 1, "It carries 80 people and has 12 doors."))
    [line] = read_lines(bench.score([tram(1)], out="edited", propositions=path).folder / "propositions.jsonl")
    assert {(finding["kind"], finding["proposition"]) for finding in line["lint"]} >= {("pronoun", "p2"), ("invented_number", "p2")}


def test_a_person_can_add_remove_and_write_lines(bench: Bench) -> None:
    """Plain texts do, without ids, key or origin."""
    path = bench.folder / "own.jsonl"
    item = tram(1)
    own = {
        "question": item["question"],
        "ground_truth": item["ground_truth"],
        "propositions": ["Tram 1 is red.", {"text": "Tram 1 has a bell."}],
    }
    path.write_text(json.dumps(own) + "\n", encoding="utf-8")
    result = bench.score([item], propositions=path, locked=True)
    assert bench.endpoint.calls(DECOMPOSE) == 0
    [line] = read_lines(result.folder / "propositions.jsonl")
    assert (line["origin"], [part["id"] for part in line["propositions"]]) == ("human", ["p1", "p2"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(lambda lines: lines[0]["propositions"][1].update(id="p1"), "several propositions have the id 'p1'", id="id-twice"),
        pytest.param(lambda lines: lines[0]["propositions"][0].update(text=" "), "the proposition 'p1' is blank", id="blank"),
        pytest.param(lambda lines: lines[0]["propositions"][0].update(text=3), "proposition 1 has no `text`", id="not-a-text"),
        pytest.param(lambda lines: lines[0].update(propositions="none"), "`propositions`", id="not-a-list"),
        pytest.param(
            lambda lines: lines[0]["propositions"][1].update(source_qote="x"),
            "$.propositions[1].source_qote: is no known field; the closest is `source_quote`",
            id="misspelt",
        ),
        pytest.param(lambda lines: lines[0].update(judge=3), "$.judge: is 3, expected text", id="not-of-the-kind"),
    ],
)
def test_faults_of_an_edit_are_named_with_their_line(bench: Bench, change: Callable[[list[dict[str, Any]]], None], message: str) -> None:
    """File, line and field."""
    path = frozen(bench, [tram(1)])
    edit(path, change)
    with pytest.raises(RunFolderError) as caught:
        bench.score([tram(1)], out="edited", propositions=path)
    assert f"frozen.jsonl:1: {message}" in str(caught.value)


def test_locked_names_the_item_whose_ground_truth_changed(bench: Bench) -> None:
    """In the input or in the propositions file; before any call."""
    path = frozen(bench, trams(2))
    with pytest.raises(ConfigError, match=r"1 ground truth without frozen propositions .* item tram-2: 'Tram 2 is blue.'"):
        bench.score([tram(1), tram(2, ground_truth="Tram 2 is blue.")], out="a", propositions=path, locked=True)
    edit(path, lambda lines: lines[0].update(ground_truth="Tram 1 is blue."))
    with pytest.raises(ConfigError, match="item tram-1: 'Tram 1 is red"):
        bench.score(trams(2), out="b", propositions=path, locked=True)
    assert bench.endpoint.connections == 0


def test_locked_without_any_file_is_refused(bench: Bench) -> None:
    """What is demanded must be there."""
    with pytest.raises(ConfigError, match="no frozen propositions: no file was named"):
        bench.score(trams(1), locked=True)
    with pytest.raises(ConfigError, match="--locked and --redecompose contradict each other"):
        bench.score(trams(1), locked=True, redecompose=True)


def test_what_needs_no_split_needs_no_frozen_propositions(bench: Bench) -> None:
    """An item that brought its propositions is not locked out."""
    assert bench.score([{"answer": "A.", "propositions": ["A."]}], locked=True).exit_code == 0


def test_two_entries_for_one_ground_truth_are_refused(bench: Bench) -> None:
    """Neither may win silently."""
    path = frozen(bench, [tram(1)])
    path.write_text(path.read_text() * 2)
    with pytest.raises(RunFolderError, match=r"frozen.jsonl:2: the same question and ground truth as in .*frozen.jsonl:1"):
        bench.score([tram(1)], out="b", propositions=path)


def test_a_file_that_fits_nothing_says_so(bench: Bench) -> None:
    """How many ground truths were found in it is told."""
    path = frozen(bench, [tram(1)])
    result = bench.score([tram(2)], out="other", propositions=path)
    assert result.manifest.warnings == (
        "propositions of 0 of 1 ground truth are read from frozen.jsonl; 1 line of it belong to no ground truth of this input",
    )


def test_a_failed_or_shortened_split_spares_the_reviewed_file(bench: Bench) -> None:
    """Lines whose ground truth was not reached stay; where nothing could be split the file stays as it is."""
    items = write_items(bench.folder / "answers.jsonl", trams(2))
    path = frozen(bench, trams(2))
    edit(path, lambda lines: reword(lines[1], 0, "The second tram is red."))
    before = read_lines(path)
    judge = ["--judge", MODEL, "--api-base", bench.endpoint.url, "--no-cache", "--overwrite", "--redecompose"]
    shorter = command("decompose", items, "-o", path, "--limit", "1", *judge)
    assert "1 other line of the file left as before" in shorter.stdout
    assert read_lines(path)[1] == before[1]
    bench.endpoint.script(Rule(faults.status(400), kind=DECOMPOSE))
    failed = command("decompose", items, "-o", path, *judge)
    assert failed.returncode != 0
    assert "is left as it was" in failed.stdout
    assert "not split: item tram-1: 'Tram 1 is red" in failed.stderr
    assert [line["propositions"] for line in read_lines(path)] == [line["propositions"] for line in before]


@pytest.mark.parametrize("text", ["✓", "—", "..."])
def test_a_ground_truth_without_a_letter_costs_only_its_item(bench: Bench, text: str) -> None:
    """There is nothing to judge in it, and the other items are judged."""
    bench.endpoint.script(Rule(faults.edit_entries(lambda _: []), kind=DECOMPOSE, containing=text))
    result = bench.score([tram(1), {"id": "x", "answer": "yes", "ground_truth": text}])
    assert [str(item.state) for item in result.items()] == ["judged", "no_propositions"]


def test_a_text_that_also_declines_is_not_let_go(bench: Bench) -> None:
    """One sentence that tells nothing does not excuse an empty reply about the others."""
    bench.endpoint.script(Rule(faults.edit_entries(lambda _: []), kind=DECOMPOSE))
    result = bench.score([{"answer": "x", "ground_truth": "The report does not mention the cost. The bridge is 40 m long."}])
    assert bench.endpoint.calls(DECOMPOSE) == 2
    assert [part.text for item in result.items() for part in item.propositions] == [
        "The report does not mention the cost. The bridge is 40 m long."
    ]


def test_a_run_warns_of_what_splitting_seems_to_have_lost(bench: Bench) -> None:
    """A score must not rest on half a ground truth in silence; so too where a person left nothing to judge."""
    loses = faults.edit_entries(lambda _: [{"source_quote": "Mira sold 12 boats.", "text": "Mira sold boats."}])
    bench.endpoint.script(Rule(loses, kind=DECOMPOSE))
    items = [{"id": "x", "answer": "x", "ground_truth": "Mira sold 12 boats."}]
    [warning] = bench.score(items, out="lossy").manifest.warnings
    assert (
        warning == "splitting seems to have lost or added something in 1 of 1 ground truth (lost_number 1): `judge decompose` shows where"
    )
    path = frozen(bench, items)
    edit(path, lambda lines: lines[0].update(propositions=[]))
    assert "(no_propositions 1)" in bench.score(items, out="emptied", propositions=path).manifest.warnings[-1]


def test_a_run_on_frozen_propositions_is_replayed_from_its_folder_alone(bench: Bench) -> None:
    """Its journal holds no split, the propositions that stand beside it do; a file beside the input is not what it had."""
    path = frozen(bench, trams(2))
    source = write_items(bench.folder / "in.jsonl", trams(2))
    shutil.copy(path, bench.folder / "in.propositions.jsonl")
    edit(path, lambda lines: reword(lines[0], 0, "The first tram is red."))
    first = bench.score(source, out="recorded", propositions=path)
    again = bench.score(source, out="again", judge=f"replay:{first.folder}")
    assert written(again) == written(first)


def test_a_replay_says_how_it_was_asked_otherwise(bench: Bench) -> None:
    """What cannot be found is not blamed on chance."""
    items = write_items(bench.folder / "in.jsonl", trams(1))
    first = bench.score(items, out="recorded")
    run = command("score", items, "--judge", f"replay:{first.folder}", "--repeats", "3", "--out", bench.folder / "again")
    assert run.returncode == 3
    assert "the recorded run was asked otherwise: --repeats 1 there, 3 here" in run.stdout
    assert "the recorded run holds no more" in run.stderr


@pytest.mark.parametrize("target", ["answers.jsonl", "nowhere/p.jsonl"])
def test_decompose_refuses_a_bad_target_before_any_call(bench: Bench, target: str) -> None:
    """Neither the input nor a folder that is not there; nothing is paid for."""
    items = write_items(bench.folder / "answers.jsonl", trams(1))
    judge = ["--judge", MODEL, "--api-base", bench.endpoint.url, "--no-cache", "--overwrite"]
    assert command("decompose", items, "-o", bench.folder / target, *judge).returncode == 2
    assert bench.endpoint.calls() == 0
    assert read_lines(items)[0]["id"] == "tram-1"


def test_the_trace_of_a_merge_survives_an_edit(bench: Bench) -> None:
    """What no later look can find again is kept."""
    twice = faults.edit_entries(lambda entries: [*entries, entries[0]])
    bench.endpoint.script(Rule(twice, kind=DECOMPOSE))
    path = frozen(bench, [tram(1)])
    edit(path, lambda lines: reword(lines[0], 2, "Tram 1 has a big bell."))
    [line] = read_lines(bench.score([tram(1)], out="edited", propositions=path).folder / "propositions.jsonl")
    assert ("duplicate", "p1") in [(finding["kind"], finding["proposition"]) for finding in line["lint"]]


def test_the_command_that_made_propositions_goes_on_after_they_are_frozen(bench: Bench) -> None:
    """Freezing just what a run used is no other run: its folder is taken over without a call."""
    source = write_items(bench.folder / "answers.jsonl", trams(2))
    first = bench.score(source)
    before = written(first)
    shutil.copy(first.folder / "propositions.jsonl", bench.folder / "answers.propositions.jsonl")
    bench.endpoint.reset()
    assert written(bench.score(source, no_cache=True)) == before
    assert bench.endpoint.calls() == 0


@pytest.mark.parametrize("known_from", ["file", "folder", "cache"])
def test_a_second_split_tells_what_drifted(bench: Bench, known_from: str) -> None:
    """Compared with the frozen file, with the folder's earlier run, or with what the cache held; the cache does not answer."""
    bench.endpoint.script(Rule(splits_into(4), kind=DECOMPOSE, nth=1), Rule(splits_into(7), kind=DECOMPOSE, nth=2))
    source = write_items(bench.folder / "in.jsonl", [{"id": "1", "answer": "Ada has A.", "ground_truth": LETTERS}])
    first = bench.score(source, out="first", no_cache=known_from != "cache")
    if known_from == "file":
        shutil.copy(first.folder / "propositions.jsonl", bench.folder / "in.propositions.jsonl")
    out = "first" if known_from == "folder" else "again"
    again = bench.score(source, out=out, redecompose=True, no_cache=known_from != "cache")
    assert [len(item.propositions) for item in again.items()] == [7]
    drift = [warning for warning in again.manifest.warnings if warning.startswith("drift")]
    assert drift[0] == "drift: 1 of 1 ground truth split before now have other propositions"
    assert "4 -> 7 propositions; new: 'Ada has E.'; new: 'Ada has F.'; new: 'Ada has G.'" in drift[1]


def test_a_second_split_that_says_the_same_says_so(bench: Bench) -> None:
    """No drift is a finding too."""
    source = write_items(bench.folder / "in.jsonl", [tram(1)])
    bench.score(source, out="first")
    again = bench.score(source, out="again", redecompose=True)
    assert "split again, no drift: the propositions of 1 ground truth are as before" in again.manifest.warnings
    assert bench.endpoint.calls(DECOMPOSE) == 2


def test_decompose_takes_edits_over_and_splits_only_what_is_new(bench: Bench) -> None:
    """The file is extended, not made again; --redecompose makes it again and lists the differences."""
    items = write_items(bench.folder / "answers.jsonl", trams(1))
    path = bench.folder / "answers.propositions.jsonl"
    judge = ["--judge", MODEL, "--api-base", bench.endpoint.url, "--cache", str(bench.cache)]
    assert command("decompose", items, "-o", path, *judge).returncode == 0
    edit(path, lambda lines: reword(lines[0], 0, "The first tram is red."))
    write_items(items, trams(2))
    extended = command("decompose", items, "-o", path, "--overwrite", *judge)
    assert extended.stdout.splitlines()[1] == "1 split before and taken over unchanged"
    assert [line["origin"] for line in read_lines(path)] == ["edited", "model"]
    assert bench.endpoint.calls(DECOMPOSE) == 2
    again = command("decompose", items, "-o", path, "--overwrite", "--redecompose", *judge)
    assert "gone: 'The first tram is red.'; new: 'Tram 1 is red.'" in " ".join(again.stdout.split())
    assert bench.endpoint.calls(DECOMPOSE) == 4


def test_decompose_shows_what_to_look_at(tmp_path: Path) -> None:
    """A table that names line, flag and text, and what each flag means; all of it as JSON on request."""
    text = "Mira sold the boat and kept the trailer. She left. I love it."
    items = write_items(tmp_path / "in.jsonl", [{"answer": "x", "ground_truth": text}])
    shown = command("decompose", items, "-o", tmp_path / "p.jsonl", "--judge", "lexical").stdout
    assert max(map(len, shown.splitlines()[1:])) <= 100
    assert [line.split()[:3] for line in shown.splitlines() if line.startswith("     1 ")] == [
        ["1", "compound", "p1"],
        ["1", "pronoun", "p2"],
        ["1", "not_checkable", "I"],
    ]
    assert "begins with a pronoun and cannot be judged alone" in shown
    review = json.loads(command("decompose", items, "-o", tmp_path / "q.jsonl", "--judge", "lexical", "--json").stdout)
    assert [flag["kind"] for flag in review["flags"]] == ["compound", "pronoun", "not_checkable"]
    assert review["flags"][1]["text"] == "She left."


@pytest.mark.parametrize(("flags", "per_answer"), [({"no_mark": True}, 1), ({}, 2)], ids=["no-mark", "with-mark"])
@pytest.mark.parametrize("agents", [2, 5])
def test_answers_share_their_propositions(bench: Bench, flags: dict[str, Any], per_answer: int, agents: int) -> None:
    """One split per ground truth: (1 + A) / A calls per answer without a mark, (1 + 2A) / A with one."""
    items = [tram(1, id=f"a{number}", agent=f"a{number}", answer=f"Tram 1 is red, says {number}.") for number in range(agents)]
    result = bench.score(items, **flags)
    assert bench.endpoint.calls() == 1 + per_answer * agents
    assert len({tuple((part.id, part.text) for part in item.propositions) for item in result.items()}) == 1


def test_a_flagged_split_is_asked_for_once_more(bench: Bench) -> None:
    """A pronoun or a lost number costs one second request; the better split is kept, and a third is not asked for."""
    keeps = faults.edit_entries(lambda _: [{"source_quote": "Mira sold 12 boats.", "text": "Mira sold 12 boats."}])
    loses = faults.edit_entries(lambda _: [{"source_quote": "Mira sold 12 boats.", "text": "She sold boats."}])
    bench.endpoint.script(Rule(loses, kind=DECOMPOSE, nth=1), Rule(keeps, kind=DECOMPOSE, nth=2))
    result = bench.score([{"answer": "x", "ground_truth": "Mira sold 12 boats."}])
    assert bench.endpoint.calls(DECOMPOSE) == 2
    second = bench.endpoint.requests[1].body["messages"][-1]["content"]
    assert "An earlier reply began a proposition with a pronoun instead of naming its subject; it lost a number." in second
    assert [part.text for item in result.items() for part in item.propositions] == ["Mira sold 12 boats."]
    bench.endpoint.reset()
    bench.endpoint.script(Rule(loses, kind=DECOMPOSE))
    again = bench.score([{"answer": "x", "ground_truth": "Mira sold 12 boats.", "question": "?"}], out="again")
    assert bench.endpoint.calls(DECOMPOSE) == 2
    [line] = read_lines(again.folder / "propositions.jsonl")
    assert [finding["kind"] for finding in line["lint"]] == ["lost_number", "pronoun"]


def test_a_run_that_splits_anew_and_is_cut_short_goes_on(bench: Bench) -> None:
    """Splitting again is not begun from the start when the same command resumes."""
    source = write_items(bench.folder / "in.jsonl", trams(2))
    bench.score(source, out="run")
    bench.endpoint.script(Rule(faults.quota_exhausted(), kind=LABEL))
    edited = [tram(1, answer="Tram 1 is new."), tram(2, answer="Tram 2 is new.")]
    stopped = bench.score(edited, out="new", redecompose=True)
    assert stopped.exit_code == 4
    bench.endpoint.reset()
    assert bench.score(edited, out="new", redecompose=True).exit_code == 0
    assert bench.endpoint.calls(DECOMPOSE) == 0


def test_offline_nothing_is_split_anew(bench: Bench) -> None:
    """Without a connection --redecompose cannot ask, so the cache answers."""
    source = write_items(bench.folder / "in.jsonl", trams(1))
    first = written(bench.score(source, out="first"))
    assert written(bench.score(source, out="again", redecompose=True, offline=True)) == first


def test_the_baseline_splits_without_a_call() -> None:
    """Two answers, one split, the same propositions every time."""
    items = [tram(1, id="a"), tram(1, id="b", answer="no")]
    texts = {tuple(part.text for part in item.propositions) for item in score(items, judge="lexical").items()}
    assert texts == {("Tram 1 is red.", "Tram 1 carries 80 people.", "Tram 1 has a bell.")}
