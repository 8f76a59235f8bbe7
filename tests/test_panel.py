"""Several judges as a panel: by majority or unanimity of all of them, each with its own cache and journal, and every vote kept."""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from judge.errors import ConfigError
from judge.schema.labels import RequestKind
from pipelines.api import ScoreResult, score
from tests.endpoint.faults import status
from tests.endpoint.replies import STATEMENT, Json, ParsedRequest, well_behaved
from tests.endpoint.server import Endpoint, Rule
from tests.runs.items import Fields, read_lines, tram, trams, write_items
from tests.runs.running import ROOT, Bench, command, line_count, started, wait_until, written

A, B, C = "openai/a", "openai/b", "openai/c"
SHORT = {"s": "supported", "c": "contradicted", "n": "not_addressed", "x": "perhaps"}
"""Labels by letter; an x is none that a judge may give."""

VOTES = {
    "All three support this.": ("sss", "supported", "supported"),
    "Two support and one contradicts this.": ("ssc", "supported", "no_majority"),
    "One supports, one contradicts, one is silent.": ("scn", "no_majority", "no_majority"),
    "One supports, one contradicts, one fails.": ("scx", "no_majority", "no_majority"),
    "Two support and one fails.": ("xss", "supported", "no_majority"),
    "One contradicts and two fail.": ("xcx", "no_majority", "no_majority"),
    "All three fail.": ("xxx", "bad_label", "bad_label"),
    "All three are silent.": ("nnn", "not_addressed", "not_addressed"),
}
"""What a, b and c say of a statement, and what the panel then says by majority and by unanimity."""

JURY: Fields = {"id": "jury", "question": "What holds?", "answer": "This holds. That does not.", "propositions": list(VOTES)}


def voting(request: ParsedRequest) -> Json | None:
    """Reply as the model that is asked votes: its letter in the table, its own rationale, its own mark, its own abstention."""
    reply = well_behaved(request)
    model = request.body["model"]
    if reply is None or model not in "abc":
        return reply
    if request.kind is RequestKind.APPRAISE:
        return {"rationale": f"{model} thinks so.", "mark": {"a": 1, "b": 2, "c": 4}[model]}
    if request.kind is RequestKind.LABEL:
        votes = {text: VOTES[text][0]["abc".index(model)] for _, text in STATEMENT.findall(request.blocks["statements"]) if text in VOTES}
        reply["verdicts"] = [
            _vote(name, votes[text], model) for name, text in STATEMENT.findall(request.blocks["statements"]) if votes
        ] or reply["verdicts"]
        if request.blocks["answer"].startswith("Perhaps") and "abstention" in reply:
            reply["abstention"] = {"quote": "Perhaps", "value": "answered" if model == "b" else "abstained"}
    return reply


def _vote(name: str, letter: str, model: str) -> Json:
    quote = {"a": "This holds.", "b": "That does not.", "c": "This holds"}[model] if letter in "sc" else None
    return {"id": name, "quote": quote, "rationale": f"{model} thinks so.", "label": SHORT[letter]}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Endpoint(reply=voting) as endpoint:
        yield Bench(endpoint, tmp_path)


def run(bench: Bench, items: Any, *judges: str, **settings: Any) -> ScoreResult:
    """Score with these judges at the scripted endpoint."""
    given = {"api_base": bench.endpoint.url, "out": bench.folder / "run", "cache": bench.cache, "judge": list(judges), **settings}
    return score(items, **{name: value for name, value in given.items() if value is not None})


def words(result: ScoreResult) -> dict[str, str]:
    """Return what the panel says of each proposition of the only item: a label or a reason."""
    (item,) = result.items()
    outcomes = [(part.text, part.outcome.model_dump(mode="json")) for part in item.propositions]
    return {text: outcome.get("label") or outcome["reason"] for text, outcome in outcomes}


def models_asked(endpoint: Endpoint, kind: RequestKind | None = None) -> list[str]:
    """Return the models that were asked, in the order of the alphabet, each as often as it was."""
    return sorted(request.body["model"] for request in endpoint.requests if kind is None or request.kind is kind)


@pytest.mark.parametrize(("rule", "place"), [("majority", 1), ("unanimity", 2)])
def test_br_079_a_verdict_takes_a_majority_or_all_of_all_judges(bench: Bench, rule: str, place: int) -> None:
    """A judge that fails stays a member: one for, one against and one failure is `no_majority`, never the word of the first judge."""
    assert words(run(bench, [JURY], A, B, C, panel_rule=rule)) == {text: votes[place] for text, votes in VOTES.items()}


def test_two_judges_that_differ_decide_nothing(bench: Bench) -> None:
    """A tie is `no_majority`, and the detail counts the votes."""
    result = run(bench, [JURY], A, C)
    assert words(result)["Two support and one contradicts this."] == "no_majority"
    (item,) = result.items()
    details = {part.text: part.outcome.model_dump()["detail"] for part in item.propositions if part.outcome.kind == "unjudged"}
    assert details["Two support and one contradicts this."] == "of 2 judges: 1 contradicted, 1 supported, 0 unjudged"
    assert details["Two support and one fails."] == "of 2 judges: 1 supported, 1 unjudged"


def test_br_079_the_order_of_judges_never_matters(bench: Bench) -> None:
    """With frozen propositions all six orders give the same results and votes, byte for byte."""
    seen = set()
    for number, judges in enumerate(permutations([A, B, C])):
        folder = run(bench, [JURY], *judges, out=bench.folder / str(number)).folder
        seen.add(((folder / "results.jsonl").read_bytes(), (folder / "panel.jsonl").read_bytes()))
    assert len(seen) == 1


def test_br_080_every_vote_keeps_its_quote_and_its_rationale(bench: Bench) -> None:
    """`panel.jsonl` holds each judge's outcome on each statement, failures with their reason; the result is one of the votes."""
    result = run(bench, [JURY], A, B, C)
    (line,) = read_lines(result.folder / "panel.jsonl")
    assert (line["item_id"], {part["text"] for part in line["statements"]}) == ("jury", set(VOTES))
    for part in line["statements"]:
        for judge, letter in zip((A, B, C), VOTES[part["text"]][0], strict=True):
            vote = part["votes"][judge]
            if letter == "x":
                assert (vote["kind"], vote["reason"]) == ("unjudged", "bad_label")
            else:
                assert (vote["label"], vote["rationale"]) == (SHORT[letter], f"{judge[-1]} thinks so.")
                assert (vote["quote"] is not None) is (letter in "sc")
        if part["panel"]["kind"] == "verdict":
            assert part["panel"] in part["votes"].values()
    (item,) = result.items()
    kept = {part["text"]: part["panel"] for part in line["statements"]}
    assert {part.text: part.outcome.model_dump(mode="json") for part in item.propositions} == kept


def test_br_080_every_repeat_keeps_its_rationale(tmp_path: Path) -> None:
    """Three repeats with three rationales are three lines of the journal; the reduced row is one of them, and the report says where."""
    asked = iter(range(1, 10))

    def reply(request: ParsedRequest) -> Json | None:
        made = well_behaved(request)
        number = next(asked)
        for verdict in (made or {}).get("verdicts", []):
            verdict["rationale"] = f"thought {number}"
        return made

    item = {"id": "one", "answer": "Fact 1 holds.", "propositions": ["Fact 1 holds."]}
    with Endpoint(reply=reply) as endpoint:
        result = run(Bench(endpoint, tmp_path), [item], A, judge=A, repeats=3)
    lines = read_lines(result.folder / "journal.jsonl")
    found = [outcome for line in lines for outcome in line["content"]["outcomes"].values()]
    assert sorted(outcome["rationale"] for outcome in found) == ["thought 1", "thought 2", "thought 3"]
    assert {outcome["quote"] for outcome in found} == {"Fact 1 holds"}
    (judged,) = result.items()
    assert judged.propositions[0].outcome.model_dump(mode="json") in found
    assert "3 of each request; every reply, with its quotes and rationales, is in journal.jsonl" in (
        (result.folder / "report.md").read_text(encoding="utf-8").replace("\\", "")
    )


def test_each_judge_is_cached_on_its_own(bench: Bench) -> None:
    """A judge that joins is the only one asked, and a judge that was in a panel answers alone without a call."""
    items = [tram(1)]
    run(bench, items, A, B)
    bench.endpoint.reset()
    joined = run(bench, items, A, B, C, out=bench.folder / "joined")
    assert set(models_asked(bench.endpoint)) == {"c"}
    assert joined.manifest.made_now.calls == bench.endpoint.calls() == 2
    bench.endpoint.reset()
    alone = run(bench, items, A, judge=A, out=bench.folder / "alone")
    assert (bench.endpoint.calls(), alone.manifest.made_now.judgments, alone.summary.panel) == (0, 0, None)


@pytest.mark.parametrize(
    ("judges", "rule", "mark"),
    [
        pytest.param((A, B, C), "majority", 2, id="median-of-three"),
        pytest.param((A, C), "majority", 1, id="lower-of-two"),
        pytest.param((A, "lexical"), "majority", 1, id="a-judge-without-marks-is-no-member"),
        pytest.param((A, B), "unanimity", "no_majority", id="two-marks"),
        pytest.param((A, "lexical"), "unanimity", 1, id="one-mark"),
    ],
)
def test_the_mark_is_the_lower_median(bench: Bench, judges: tuple[str, ...], rule: str, mark: int | str) -> None:
    """By unanimity the mark that all give; those that give none are no members there."""
    (item,) = run(bench, [tram(1)], *judges, panel_rule=rule).items()
    found = item.mark.model_dump(mode="json")
    assert found.get("value", found.get("reason")) == mark


@pytest.mark.parametrize(("rule", "said"), [("majority", "abstained"), ("unanimity", "no_majority")])
def test_abstention_is_decided_by_the_same_rule(bench: Bench, rule: str, said: str) -> None:
    """Two of three take the answer for an abstention."""
    (item,) = run(bench, [tram(1, answer="Perhaps.")], A, B, C, panel_rule=rule).items()
    found = item.abstention.model_dump(mode="json")
    assert found.get("value", found.get("reason")) == said


def test_only_the_first_judge_splits(bench: Bench) -> None:
    """All judges label the same statements; with a file of propositions nobody splits."""
    result = run(bench, trams(2), B, A, C)
    assert models_asked(bench.endpoint, RequestKind.DECOMPOSE) == ["b", "b"]
    bench.endpoint.reset()
    frozen = result.folder / "propositions.jsonl"
    again = run(bench, trams(2), A, C, B, out=bench.folder / "again", propositions=frozen, no_cache=True)
    assert models_asked(bench.endpoint, RequestKind.DECOMPOSE) == []
    assert written(again).results == written(result).results


def test_a_judge_that_fails_wholly_loses_nothing_of_the_others(bench: Bench) -> None:
    """Its failures are counted by reason, warned of, and tried again alone by the same command."""
    bench.endpoint.script(Rule(status(404, "no such model"), containing='"model": "b"'))
    result = run(bench, [tram(1)], A, B, C)
    assert result.exit_code == 0
    assert result.summary.panel is not None
    assert [member.unjudged_by_reason for member in result.summary.panel.members] == [{}, {"bad_request": 3}, {}]
    assert "openai/b gave a label to 0 of 3 statements (3 bad_request): the panel rests on its other judges" in result.manifest.warnings
    bench.endpoint.reset()
    healed = run(bench, [tram(1)], A, B, C)
    assert set(models_asked(bench.endpoint)) == {"b"}
    assert healed.summary.panel is not None
    assert [member.unjudged for member in healed.summary.panel.members] == [0, 0, 0]


def test_a_key_that_one_provider_refuses_stops_the_run_and_keeps_what_was_judged(bench: Bench) -> None:
    """As for a single judge the exit code is 2; the corrected command resumes without asking again what is there."""
    bench.endpoint.script(Rule(status(401, "no such key"), kind=RequestKind.LABEL, containing='"model": "c"'))
    stopped = run(bench, trams(2), A, B, C)
    assert (stopped.exit_code, stopped.summary.complete) == (2, False)
    before = bench.endpoint.calls()
    bench.endpoint.reset()
    resumed = run(bench, trams(2), A, B, C)
    assert resumed.exit_code == 0
    fresh = run(bench, trams(2), A, B, C, out=bench.folder / "fresh", no_cache=True)
    assert written(resumed) == written(fresh)
    assert before > 1


def test_calls_are_bounded_for_all_judges_together_and_a_stopped_run_resumes_to_the_same_bytes(bench: Bench) -> None:
    """`--max-calls` counts the calls of every judge."""
    stopped = run(bench, trams(3), A, B, C, max_calls=7)
    assert (stopped.exit_code, bench.endpoint.calls(), stopped.manifest.made_now.calls) == (4, 7, 7)
    resumed = run(bench, trams(3), A, B, C)
    assert (resumed.exit_code, bench.endpoint.calls()) == (0, 3 + 3 * 2 * 3)
    fresh = run(bench, trams(3), A, B, C, out=bench.folder / "fresh", cache=bench.folder / "other")
    assert written(resumed) == written(fresh)
    assert (resumed.folder / "panel.jsonl").read_bytes() == (fresh.folder / "panel.jsonl").read_bytes()


def test_a_killed_run_resumes_to_the_same_bytes(bench: Bench) -> None:
    """Whatever each journal held when the process was killed is not asked again."""
    items = write_items(bench.folder / "items.jsonl", trams(6))
    judges = [word for judge in (A, B, C) for word in ("--judge", judge)]
    flags = ["--api-base", bench.endpoint.url, "--no-cache", "--max-connections", "2", "--out", str(bench.folder / "killed")]
    bench.endpoint.latency = 0.05
    process = started("score", items, *judges, *flags)
    journals = [bench.folder / "killed" / name for name in ("journal.jsonl", "journal-2.jsonl", "journal-3.jsonl")]
    wait_until(lambda: all(line_count(journal) >= 2 for journal in journals))
    process.kill()
    process.communicate()
    kept = sum(map(line_count, journals))
    bench.endpoint.latency = 0
    bench.endpoint.reset()
    assert command("score", items, *judges, *flags).returncode == 0
    assert bench.endpoint.calls() == 6 + 6 * 2 * 3 - kept
    fresh = run(bench, items, A, B, C, out=bench.folder / "fresh", no_cache=True)
    for name in ("results.jsonl", "summary.json", "panel.jsonl", "propositions.jsonl"):
        assert (bench.folder / "killed" / name).read_bytes() == (fresh.folder / name).read_bytes()


def test_dollars_are_bounded_for_all_judges_together(bench: Bench) -> None:
    """Each judge is reckoned with the price of its own model; one whose price is unknown is refused before the first call."""
    prices = bench.folder / "prices.json"
    price = {"input_usd_per_million": 1, "output_usd_per_million": 2}
    prices.write_text(json.dumps({"version": "mine", "models": {A: price, B: {name: 100 * each for name, each in price.items()}}}))
    with pytest.raises(ConfigError, match="price of 'openai/c', which is not known"):
        run(bench, trams(2), A, C, prices=prices, budget_usd=1)
    assert bench.endpoint.calls() == 0
    free = run(bench, trams(2), A, B, prices=prices, budget_usd=50)
    assert free.exit_code == 0
    cost = free.summary.usage.cost_usd
    assert cost is not None
    assert cost > 0
    bounded = run(bench, trams(2), A, B, prices=prices, budget_usd=cost / 2, out=bench.folder / "bounded", no_cache=True)
    assert bounded.exit_code == 4
    spent = bounded.summary.usage.cost_usd
    assert spent is not None
    assert spent <= cost / 2


def test_connections_are_shared(bench: Bench) -> None:
    """Three judges with two connections never have more than two calls under way."""
    bench.endpoint.latency = 0.02
    run(bench, trams(3), A, B, C, max_connections=2)
    assert bench.endpoint.max_in_flight == 2


def test_a_panel_is_replayed_and_runs_offline_to_the_same_bytes(bench: Bench) -> None:
    """From its journals and from the cache, without a call; also a replay of the replay."""
    first = run(bench, [JURY, *trams(2)], A, B, "lexical")
    calls = bench.endpoint.calls()
    replayed = run(bench, [JURY, *trams(2)], api_base=None, judge=f"replay:{first.folder}", out=bench.folder / "replayed")
    offline = run(bench, trams(2), A, B, "lexical", out=bench.folder / "offline", offline=True)
    online = run(bench, trams(2), A, B, "lexical", out=bench.folder / "online")
    assert bench.endpoint.calls() == calls
    assert (written(replayed), written(offline)) == (written(first), written(online))
    assert (replayed.folder / "panel.jsonl").read_bytes() == (first.folder / "panel.jsonl").read_bytes()
    assert replayed.manifest.replayed_from == str(first.folder)


def test_a_recorded_panel_can_be_judged_by_the_other_rule(bench: Bench) -> None:
    """The votes are there, so that no call is needed."""
    first = run(bench, [JURY], A, B, C)
    settings = {"api_base": None, "judge": f"replay:{first.folder}", "out": bench.folder / "other", "panel_rule": "unanimity"}
    assert words(run(bench, [JURY], **settings)) == {text: votes[2] for text, votes in VOTES.items()}


def test_two_recorded_judges_of_one_name_are_told_apart(bench: Bench) -> None:
    """Their votes stand beside each other under their names with the beginning of their ids."""
    for seed in (1, 2):
        run(bench, [JURY], judge=A, seed=seed, out=bench.folder / f"seed-{seed}")
    judges = [f"replay:{bench.folder / f'seed-{seed}'}" for seed in (1, 2)]
    result = run(bench, [JURY], *judges, api_base=None, out=bench.folder / "both")
    (line,) = read_lines(result.folder / "panel.jsonl")
    assert result.summary.panel is not None
    names = [f"openai/a (id {member.id[:12]})" for member in result.summary.panel.members]
    assert [list(part["votes"]) for part in line["statements"]] == [names] * len(VOTES)
    assert len(set(names)) == 2


def test_agreement_is_reported(bench: Bench) -> None:
    """Of eight statements two are unanimous, four have a verdict, and six have two votes or more: sss ssc scn sc ss nnn.

    Alpha by hand: 9 s, 3 c, 4 n, in all 16; observed (4 / 2 + 6 / 2 + 2) / 16, expected (256 - 81 - 9 - 16) / (16 * 15).
    """
    panel = run(bench, [JURY], A, B, C).summary.panel
    assert panel is not None
    assert (panel.rule, panel.unanimous.numerator, panel.unanimous.denominator, panel.decided.numerator) == ("majority", 2, 8, 4)
    assert [member.labels for member in panel.members] == [
        {"supported": 4, "contradicted": 0, "not_addressed": 1},
        {"supported": 3, "contradicted": 3, "not_addressed": 1},
        {"supported": 2, "contradicted": 1, "not_addressed": 2},
    ]
    assert [member.unjudged for member in panel.members] == [3, 1, 3]
    assert panel.krippendorff_alpha.value == pytest.approx(1 - (7 / 16) / (150 / 240))
    assert [(pair.first, pair.second, pair.n, pair.agreement) for pair in panel.pairs] == [(A, B, 5, 0.6), (A, C, 4, 0.5), (B, C, 5, 0.6)]
    assert panel.disputed_statements == len(panel.disputed) == 5


READERS: list[tuple[str, Callable[[Path], str]]] = [
    ("report.md", lambda folder: (folder / "report.md").read_text(encoding="utf-8").replace("\\", "")),
    ("report.html", lambda folder: (folder / "report.html").read_text(encoding="utf-8")),
]


@pytest.mark.parametrize(("name", "read"), READERS, ids=[name for name, _ in READERS])
def test_reports_show_the_panel(bench: Bench, name: str, read: Callable[[Path], str]) -> None:
    """Rule, judges, agreement, pairs, disputed statements, and where the votes are; the report made again is the same."""
    folder = run(bench, [JURY, tram(1)], A, B, "lexical").folder
    shown = read(folder)
    for expected in (
        "panel of lexical, openai/a, openai/b (majority); lexical is the offline baseline, no model",
        "label-v1",
        "Panel of 3 judges (majority)",
        "unanimous statements",
        "alpha, abstention",
        "1 and 2",
        "Disputed statements",
        "One contradicts and two fail.",
        "All votes, with quotes and rationales, are in panel.jsonl.",
    ):
        assert expected in shown
    done = command("report", folder, "--format", "md,html,csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert read(folder) == shown


def test_an_empty_answer_says_nothing_of_agreement(bench: Bench) -> None:
    """No judge was asked, so that nothing is unanimous; the item is in the file of votes all the same."""
    result = run(bench, [tram(1, answer="...")], A, B)
    panel = result.summary.panel
    assert panel is not None
    assert (panel.unanimous.denominator, panel.krippendorff_alpha.value, panel.krippendorff_alpha.n) == (0, None, 0)
    assert panel.krippendorff_alpha.reason == "nothing was judged by two judges"
    assert len(read_lines(result.folder / "panel.jsonl")) == 1


def _toml(folder: Path) -> Mapping[str, str]:
    (folder / "judge.toml").write_text('judge = ["lexical", "openai/a"]\n', encoding="utf-8")
    return {}


@pytest.mark.parametrize(
    "named",
    [
        pytest.param(_toml, id="judge.toml"),
        pytest.param(lambda _: {"JUDGE_JUDGE": '["lexical", "openai/a"]'}, id="environment"),
    ],
)
def test_a_panel_in_the_settings(bench: Bench, named: Callable[[Path], Mapping[str, str]]) -> None:
    """A list in judge.toml, a JSON list in JUDGE_JUDGE; with the latter a single name is one judge."""
    items = write_items(bench.folder / "items.jsonl", [tram(1)])
    flags: list[str | Path] = ["--api-base", bench.endpoint.url, "--cache", bench.cache, "--json"]
    done = command("score", items, *flags, cwd=bench.folder, env=named(bench.folder))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["judge"]["spec"] == "panel of lexical, openai/a (majority)"
    alone = command("score", items, *flags, "--out", bench.folder / "alone", cwd=bench.folder, env={"JUDGE_JUDGE": "lexical"})
    assert json.loads(alone.stdout)["judge"]["spec"] == "lexical"


def test_each_judge_is_asked_at_its_own_providers_address(tmp_path: Path) -> None:
    """Where no address is named for all, each provider's own variable counts."""
    items = write_items(tmp_path / "items.jsonl", [tram(1)])
    with Endpoint() as one, Endpoint() as other:
        env = {"OPENAI_BASE_URL": one.url, "HOSTED_VLLM_API_BASE": other.url}
        judges = ["--judge", A, "--judge", "hosted_vllm/v"]
        done = command("score", items, *judges, "--cache", tmp_path / "cache", "--out", tmp_path / "run", env=env)
        assert done.returncode == 0, done.stderr
        assert (models_asked(one), models_asked(other)) == (["a"] * 3, ["v"] * 2)


@pytest.mark.parametrize(
    ("flags", "env", "message"),
    [
        pytest.param(["--judge", A, "--judge", A], {}, "openai/a is named several times", id="same-twice"),
        pytest.param(["--judge", A, "--judge", ""], {}, "expected the names of judges", id="no-name"),
        pytest.param([], {"JUDGE_JUDGE": "[]"}, "expected the names of judges, found []", id="empty-list"),
        pytest.param([], {"JUDGE_JUDGE": '["a"'}, "JUDGE_JUDGE: not a JSON list", id="no-list"),
        pytest.param(["--judge", A, "--panel-rule", "unanimity"], {}, "is about several judges, and one is named", id="rule-for-one"),
        pytest.param(["--judge", A, "--judge", B, "--panel-rule", "most"], {}, "Input should be 'majority' or 'unanimity'", id="no-rule"),
        pytest.param(["--judge", A, "--judge", "lexical", "--judge", "replay:nowhere"], {}, "nowhere", id="no-recording"),
        pytest.param(
            ["--judge", A, "--judge", "anthropic/b", "--api-key-env", "KEY"],
            {"KEY": "k"},
            "would send one key to several providers: anthropic, openai",
            id="one-key-for-two",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, flags: list[str], env: dict[str, str], message: str) -> None:
    """With exit code 2 and a message, before anything is made."""
    items = write_items(tmp_path / "items.jsonl", [tram(1)])
    done = command("score", items, *flags, "--out", tmp_path / "run", "--cache", tmp_path / "cache", env=env)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_recorded_panel_is_no_member_of_another(bench: Bench) -> None:
    """It is several judges already."""
    first = run(bench, [JURY], A, B)
    with pytest.raises(ConfigError, match="can be no member of another one; replay it alone"):
        run(bench, [JURY], f"replay:{first.folder}", "lexical", out=bench.folder / "other")


def test_notices_and_refusals_hold_for_every_judge(tmp_path: Path) -> None:
    """The second judge's address is looked at like the first one's."""
    items = write_items(tmp_path / "items.jsonl", [tram(1)])
    env = {"HOSTED_VLLM_API_BASE": "http://169.254.169.254/v1", "OPENAI_API_KEY": "k"}
    done = command("score", items, "--judge", A, "--judge", "hosted_vllm/v", "--out", tmp_path / "run", env=env)
    assert done.returncode == 2
    assert "169.254.169.254 is a link-local address" in done.stderr


def test_the_estimate_is_the_sum_over_the_judges(bench: Bench) -> None:
    """Its calls are those of the run, its cost that of each judge's own model; a cached judge costs nothing."""
    items = write_items(bench.folder / "items.jsonl", trams(2))
    price = {"input_usd_per_million": 1, "output_usd_per_million": 2}
    prices = bench.folder / "prices.json"
    prices.write_text(json.dumps({"version": "mine", "models": {A: price, B: {name: 10 * each for name, each in price.items()}}}))
    flags: list[str | Path] = ["--api-base", bench.endpoint.url, "--cache", bench.cache, "--out", bench.folder / "run", "--prices", prices]
    judges = ["--judge", A, "--judge", B, "--judge", "lexical"]
    found = json.loads(command("score", items, *judges, *flags, "--estimate", "--json").stdout)
    assert [(each["judge"], each["total"]["typical"]["calls"]) for each in found["judges"]] == [("lexical", 0), (A, 6), (B, 4)]
    costs = [each["total"]["typical"]["cost_usd"] for each in found["judges"]]
    assert found["total"]["typical"]["cost_usd"] == pytest.approx(sum(costs))
    assert costs[2] > costs[1] > costs[0] == 0
    assert bench.endpoint.calls() == 0
    assert command("score", items, *judges, *flags, "--quiet").returncode == 0
    assert bench.endpoint.calls() == found["total"]["typical"]["calls"] == 10
    after = json.loads(command("score", items, *judges, *flags, "--estimate", "--json").stdout)
    assert (after["total"]["to_make"], after["total"]["from_journal"]) == (0, found["total"]["requests"])
    page = command("score", items, *judges, *flags, "--estimate", "--judge", C).stdout
    assert "Each is priced by its own model" in page
    assert "the price of openai/c is not known" in page


def test_other_commands_with_a_panel(bench: Bench) -> None:
    """`decompose` asks the first judge, `cache explain` speaks of each, `leaderboard` and gates take the panel as one judge."""
    items = write_items(bench.folder / "items.jsonl", [tram(1)])
    flags: list[str | Path] = ["--api-base", bench.endpoint.url, "--cache", bench.cache]
    judges = ["--judge", B, "--judge", A, "--judge", "lexical"]
    split = command("decompose", items, "-o", bench.folder / "split.jsonl", *judges, *flags)
    assert (split.returncode, split.stderr) == (0, "of several judges the first one splits: openai/b\n")
    assert models_asked(bench.endpoint) == ["b"]
    before = command("cache", "explain", items, *judges, *flags)
    assert before.stdout.splitlines()[:5] == [
        "judge openai/a",
        "request      cached  missing",
        "decompose         0        0",
        "label             0        1  the cache holds no label judgment at all",
        "appraise          0        1  the cache holds no appraise judgment at all",
    ]
    assert before.stdout.splitlines()[5:8] == ["judge openai/b", "request      cached  missing", "decompose         1        0"]
    done = command("score", items, *judges, *flags, "--out", bench.folder / "run", "--fail-under", "R_proposition=0.9")
    assert done.returncode == 1, done.stderr
    trace = ROOT / "examples" / "session" / "trace-1.json"
    lines: list[list[str | Path]] = [["leaderboard", bench.folder / "run"], ["crux", trace, "--run", bench.folder / "run"]]
    for arguments in lines:
        shown = command(*arguments)
        assert shown.returncode == 0, shown.stderr
        assert "panel of lexical, openai/a, openai/b (majority)" in " ".join(shown.stdout.split())
