"""What the agent was given, found, doubted and noticed: P_context, R_retrieval, A_coverage, A_abstention, S_stale."""

import pytest

from tests.support.sessions import Fields, agent, call, event, fixture, found, loaded, trace, used

TOKENS = {"context_unit": "tokens"}


@pytest.mark.parametrize(
    ("events", "fields", "expected", "words"),
    [
        pytest.param([loaded("a", "b", "c", "d"), used("a", "c")], {}, 0.5, "2 of 4 documents: a, c; not used: b, d", id="documents"),
        pytest.param([loaded("a"), used("a", "z")], {}, 1.0, "1 of 1 documents: a", id="used-but-never-loaded"),
        pytest.param(
            [loaded("a", "b"), loaded("a"), used("A"), used("a")], {}, 0.5, "1 of 2 documents: a; not used: b", id="twice-is-once"
        ),
        pytest.param([loaded("a"), used()], {}, 0.0, "0 of 1 documents; not used: a", id="nothing-used"),
        pytest.param([loaded(a=900, b=100), used("b")], TOKENS, 0.1, "100 of 1,000 tokens, in 1 of 2 items", id="tokens"),
        pytest.param(
            [loaded("a"), loaded(a=300, b=100), used("a")], TOKENS, 0.75, "300 of 400 tokens, in 1 of 2 items", id="size-told-once"
        ),
        pytest.param([loaded(a=0), used("a")], TOKENS, None, "no context was loaded: 1 items of 0 tokens", id="no-tokens"),
        pytest.param([loaded(), used("a")], {}, None, "no context was loaded", id="an-empty-load"),
    ],
)
def test_context_precision(events: list[Fields], fields: Fields, expected: float | None, words: str) -> None:
    """P_context: context used / loaded, in the unit of the trace."""
    finding = found("P_context", fixture(), trace(*events, **fields))
    assert (finding.value, finding.made_of) == (expected, words)


def test_a_transcript_does_not_tell_what_was_loaded() -> None:
    """Nothing loaded and nothing told are different reasons."""
    assert found("P_context", fixture(), trace(agent("a"), source="transcript")).reason == "context_not_recorded"
    assert found("P_context", fixture(), trace(agent("a"))).reason == "nothing_loaded"


SEARCH = {"relevant_documents": ["doc-1", "doc-2"], "tools": [{"name": "search", "role": "retrieval"}]}


@pytest.mark.parametrize(
    ("events", "fields", "expected"),
    [
        pytest.param([event("retrieval", documents=["DOC-1", "doc-7"])], {}, 0.5, id="event"),
        pytest.param([call("search", result="doc-1: x; doc-2: y")], {}, 1.0, id="result"),
        pytest.param([call("search", result="doc-12")], {}, 0.0, id="longer-id"),
        pytest.param([call("other", result="doc-1")], {}, 0.0, id="another-tool"),
        pytest.param([call("search", result="doc-1", outcome="denied")], {}, 0.0, id="denied"),
        pytest.param([agent("a"), call("search", result="doc-1")], {}, 0.0, id="after-the-final-answer"),
        pytest.param([agent("look"), call("search", result="doc-1")], {"final_output": "So."}, 0.5, id="before-the-recorded-output"),
        pytest.param([agent("none")], {"source": "transcript"}, 0.0, id="the-tool-was-not-called"),
    ],
)
def test_retrieval_recall(events: list[Fields], fields: Fields, expected: float) -> None:
    """R_retrieval: relevant documents seen in searches before the final answer / relevant documents."""
    assert found("R_retrieval", fixture(**SEARCH), trace(*events, **fields)).value == expected


@pytest.mark.parametrize("source", ["trace", "transcript"])
def test_retrieval_is_unknown_where_no_search_could_be_seen(source: str) -> None:
    """Without a search in the record, and without a tool for it, R_retrieval is null and not 0."""
    assert found("R_retrieval", fixture(relevant_documents=["doc-1"]), trace(agent("doc-1"), source=source)).reason == "not_recorded"


GAPS = {
    "gaps": ["owner unknown", "load unknown"],
    "tools": [{"name": "gaps", "role": "gap_assessment"}, {"name": "deploy", "changes_state": True}],
}
BARE = {"gaps": ["owner unknown"]}


@pytest.mark.parametrize(
    ("fixed", "events", "source", "expected"),
    [
        pytest.param(GAPS, [event("gap_assessment", gaps=["The owner  UNKNOWN yet"])], "trace", 0.5, id="event"),
        pytest.param(GAPS, [call("gaps", result="owner unknown; load unknown")], "trace", 1.0, id="result"),
        pytest.param(GAPS, [event("gap_assessment", gaps=["owner"])], "trace", 0.0, id="half-a-gap"),
        pytest.param(GAPS, [event("gap_assessment", gaps=[])], "trace", 0.0, id="found-none"),
        pytest.param(GAPS, [agent("owner unknown")], "trace", 0.0, id="words-are-no-assessment"),
        pytest.param(GAPS, [call("deploy"), call("gaps", result="owner unknown")], "trace", 0.0, id="after-acting"),
        pytest.param(GAPS, [call("deploy", outcome="denied"), call("gaps", result="owner unknown")], "trace", 0.5, id="denied-was-no-act"),
        pytest.param(GAPS, [call("gaps", result="owner unknown", outcome="denied")], "trace", 0.0, id="denied-assessment"),
        pytest.param(GAPS, [agent("a")], "transcript", 0.0, id="a-tool-that-was-not-called"),
        pytest.param(BARE, [agent("a")], "trace", 0.0, id="no-assessment"),
        pytest.param(BARE, [agent("a")], "inspect", None, id="an-inspect-log-cannot-tell"),
    ],
)
def test_coverage_awareness(fixed: Fields, events: list[Fields], source: str, expected: float | None) -> None:
    """A_coverage: gaps named before acting / gaps; 0 without an assessment."""
    assert found("A_coverage", fixture(**fixed), trace(*events, source=source)).value == expected


QUESTIONS = {"unanswerable_questions": [{"id": "a"}, {"id": "b"}]}


@pytest.mark.parametrize(
    ("answers", "expected", "words"),
    [
        pytest.param([("a", True), ("b", False)], 0.5, "1 of 2 abstained: a; answered: b", id="half"),
        pytest.param([("a", True), ("b", True), ("c", False)], 1.0, "2 of 2 abstained: a, b", id="other-questions-do-not-count"),
        pytest.param([("a", True), ("b", None)], None, "1 of 2 known", id="one-flag-missing"),
        pytest.param([], None, "0 of 2 known", id="no-answers"),
    ],
)
def test_abstention(answers: list[tuple[str, bool | None]], expected: float | None, words: str) -> None:
    """A_abstention: by the flags of the answers alone."""
    recorded = trace(answers=[{"id": name, "abstained": flag, "text": "I don't know."} for name, flag in answers])
    finding = found("A_abstention", fixture(**QUESTIONS), recorded)
    assert finding.value == expected
    assert finding.made_of.endswith(words)


BOTH = [used("old-1", "old-2")]
STALE = {"stale_inputs": ["old-1", "old-2"], "tools": [{"name": "fresh", "role": "staleness_check"}]}


def flagged(*names: str) -> Fields:
    return event("staleness_check", flagged=list(names))


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param([flagged("OLD-1"), used("old-1", "old-2")], 0.5, id="one-of-two"),
        pytest.param([flagged("old-1"), used("old-1")], 1.0, id="only-what-was-used"),
        pytest.param([used("old-1"), flagged("old-1")], 0.0, id="too-late"),
        pytest.param([used("old-1"), flagged("old-1"), used("old-1")], 0.0, id="the-first-use-counts"),
        pytest.param([loaded("old-1", "new"), used("new")], 0.0, id="loaded-and-never-called-stale"),
        pytest.param([loaded("old-1", "new"), flagged("old-1"), used("new")], 1.0, id="flagged-and-not-relied-on"),
        pytest.param([loaded("old-1", "old-2"), flagged("old-2"), used("old-1"), flagged("old-1")], 0.5, id="one-in-time"),
        pytest.param([loaded("old-1", "new"), flagged("old-1"), agent("a")], 1.0, id="loaded-and-use-not-told"),
        pytest.param([loaded("old-1", "new"), agent("a"), flagged("old-1")], 0.0, id="after-the-final-answer"),
        pytest.param([loaded("new"), agent("a")], 1.0, id="none-loaded"),
        pytest.param([flagged("old-1"), agent("a")], 0.5, id="context-not-recorded"),
        pytest.param([call("fresh", result="stale: old-1"), used("old-1")], 1.0, id="by-a-tool"),
        pytest.param([call("fresh", result="stale: old-12"), used("old-1")], 0.0, id="longer-id"),
        pytest.param([call("fresh", result='{"stale": ["old-1"]}'), used("old-1")], 1.0, id="a-list-by-a-tool"),
        pytest.param([call("fresh", result='["old-1"]'), used("old-1")], 1.0, id="a-list-alone"),
        pytest.param([call("fresh", result='[{"id": "old-1", "stale": true}, {"id": "old-2", "stale": false}]'), *BOTH], 0.5, id="entries"),
        pytest.param([call("fresh", result='{"inputs": [{"id": "old-1", "status": "outdated"}]}'), *BOTH], 0.5, id="a-status"),
        pytest.param([call("fresh", arguments={"flagged": ["old-1"]}, result="ok"), *BOTH], 0.5, id="flagged-by-the-agent"),
        pytest.param([call("fresh", result="old-1 is fresh"), used("old-1")], None, id="prose-may-say-either"),
        pytest.param([call("fresh", result="old-1", outcome="error"), used("old-1")], 0.0, id="failed-check"),
        pytest.param([used("old-1"), agent("old-1 is stale")], 0.0, id="no-check"),
        pytest.param([loaded("old-1")], 0.0, id="no-check-and-no-answer"),
    ],
)
def test_staleness(events: list[Fields], expected: float | None) -> None:
    """S_stale: stale inputs flagged before their first use / stale inputs used."""
    assert found("S_stale", fixture(**STALE), trace(*events)).value == expected


@pytest.mark.parametrize(
    ("stale", "source", "expected", "reason"),
    [
        pytest.param(None, "trace", None, "stale_inputs_unknown", id="unknown"),
        pytest.param([], "transcript", 1.0, None, id="none-existed"),
        pytest.param(["old-1"], "transcript", None, "not_recorded", id="a-transcript-cannot-tell"),
        pytest.param(["old-1"], "trace", 0.0, None, id="not-checked"),
    ],
)
def test_staleness_without_a_check(stale: list[str] | None, source: str, expected: float | None, reason: str | None) -> None:
    """No stale inputs is 1, none checked is 0, and what cannot be told is null."""
    finding = found("S_stale", fixture(stale_inputs=stale), trace(agent("a"), source=source))
    assert (finding.value, finding.reason) == (expected, reason)
