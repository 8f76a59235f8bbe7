"""Reports: rounding, layout, and data that stays data."""

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from judge.schema.items import Conflict, Item
from judge.schema.labels import AbstentionValue, Flag, ItemState, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionVerdict, Mark, Outcome, Unjudged, Verdict
from judge.schema.rates import Rate
from judge.schema.results import ConflictResult, ItemResult, OpenAlternative, PropositionResult, StatementResult
from judge.schema.summaries import CompositeSummary, DerivedSummary, ItemCounts, JudgeName, MetricSummary, Scorecard, Summary, UsageSummary
from pipelines.reports.escapes import escape_controls, escape_markdown, escape_terminal
from pipelines.reports.facts import RunFacts
from pipelines.reports.html import render_html
from pipelines.reports.markdown import MAX_CHARACTERS, render_markdown
from pipelines.reports.numbers import (
    format_bounds,
    format_count,
    format_duration,
    format_interval,
    format_money,
    format_number,
    format_rate,
    format_significant,
    format_two_decimals,
)
from pipelines.reports.standard_tables import derived_table, given_table
from pipelines.reports.tables import metric_table
from pipelines.reports.terminal import column_count, cut, wrap
from pipelines.reports.text import WIDTH, render_text
from pipelines.reports.view import judge_in_words

DISCLOSURE = "metrics_version 1.5; includes an LLM judge signal; not fully objective"
FACTS = RunFacts(
    run="demo",
    input_name="answers.jsonl",
    judge_spec="openai/gpt-5-mini",
    judge_model="gpt-5-mini-2026",
    prompt="label-v1",
    policy="standard-v1",
    metrics_version="1.5",
    null_policy="strict",
    made_now=10,
    from_cache=1200,
    from_journal=6,
)
HOSTILE = (
    "<script>alert(1)</script>",
    "{{ 7*7 }}{% for x in y %}",
    '"onmouseover="alert(1)',
    "'><img src=x onerror=alert(1)>",
    "nul\x00 escape\x1b[31m right-to-left\u202e surrogate\udc80",
    "</style></details></script><!-- ]]>",
    "a | b `c` [d](javascript:e) ![f](https://g) **h** @admin #12 https://i www.j.k ~~l~~ \\|m",
    "w" * 10_000,
)


def supported(quote: str = "on Monday", rationale: str = "The answer says so.") -> Verdict:
    return Verdict(label=Label.SUPPORTED, quote=quote, quote_verified=True, rationale=rationale)


def contradicted() -> Verdict:
    return Verdict(label=Label.CONTRADICTED, quote="for 5 euros", quote_verified=True, rationale="Another price.")


def not_addressed() -> Verdict:
    return Verdict(label=Label.NOT_ADDRESSED, quote=None, quote_verified=None, rationale="Nothing on this.")


def unjudged(detail: str = "the quote is not in the answer") -> Unjudged:
    return Unjudged(reason=UnjudgedReason.QUOTE_NOT_FOUND, detail=detail)


def metric(value: float | None, **changes: object) -> MetricSummary:
    base = MetricSummary(value=value, n=12, nulls=0, ci95=(0.69, 1.02), ci_method="cluster-t", layer="llm")
    return base.model_copy(update=changes)


METRICS = {
    "R_proposition": metric(0.8125, pooled=Rate(numerator=78, denominator=96)),
    "C_contradiction": metric(0.0, ci95=(0.0, 0.0038), ci_method="wilson"),
    "A_abstention": metric(None, n=0, ci95=None, ci_method=None, reason="no unanswerable items"),
    "over_abstention_rate": metric(0.25),
    "R_judge": metric(None, n=10, nulls=2, bounds=(0.5, 0.75), reason="coverage"),
    "R_conflict_resolution": metric(1.0),
    "R_noise_resistance": metric(None, n=0, ci95=None, reason="no decoys"),
}
COUNTS = ItemCounts(total=12, judged=11, partly_judged=1, unjudged=0, no_propositions=0)
COVERAGE = {"statements": Rate(numerator=95, denominator=96), "R_judge": Rate(numerator=0, denominator=0)}
COMBINED = CompositeSummary(
    value=None,
    reason="no_component_measured",
    components={"Q_info": None},
    reasons={"Q_info": "no_run_record"},
    weights={"Q_info": 3},
    active_components=(),
    active_weight_sum=0,
    redistributed_weight=3,
    bounds=(0.0, 1.0),
    unit="ratio",
    layer="agent",
)


def scorecard(recall: float | None) -> Scorecard:
    return Scorecard(
        items=COUNTS,
        coverage=COVERAGE,
        metrics={**METRICS, "R_proposition": metric(recall)},
        derived={"Q_proposition": DerivedSummary(value=0.7, inputs={}, layer="llm")},
        labels={},
        abstentions={},
        unjudged={},
        complete=True,
    )


def summary(**changes: object) -> Summary:
    base = Summary(
        metrics_version="1.5",
        signals_version="signals-v1",
        null_policy="strict",
        policy="standard-v1",
        complete=True,
        judge=JudgeName(spec="openai/gpt-5-mini", id="0123456789abcdef"),
        items=COUNTS,
        coverage=COVERAGE,
        metrics=METRICS,
        derived={
            "Q_proposition": DerivedSummary(
                value=0.79, inputs={"R_proposition": 0.8125, "C_contradiction": 0.0}, bounds=(0.79, 0.79), layer="llm"
            )
        },
        composite={"Q_combined_v1_5": COMBINED},
        labels={"supported": 78, "contradicted": 2, "not_addressed": 15},
        abstentions={"answered": 12},
        unjudged={"quote_not_found": 1, "refused": 3},
        by_agent={"beta": scorecard(0.9), "alpha": scorecard(None), "gamma": scorecard(0.95)},
        usage=UsageSummary(judgments=24, input_tokens=12_345, output_tokens=678, cost_usd=0.0012),
        disclosure=DISCLOSURE,
    )
    return base.model_copy(update=changes)


def pair(name: str, recall: float | None, *outcomes: Outcome, text: str = "It costs 3 euros.", **fields: object) -> tuple[Item, ItemResult]:
    item = Item(id=name, agent="beta", question="What does it cost?", answer="It opens on Monday for 5 euros.", ground_truth=("3 euros.",))
    propositions = tuple(
        PropositionResult(id=f"p{number}", text=text, source_quote="3 euros", outcome=outcome) for number, outcome in enumerate(outcomes)
    )
    result = ItemResult(
        item_id=name,
        agent="beta",
        state=ItemState.JUDGED,
        propositions=propositions,
        abstention=AbstentionVerdict(value=AbstentionValue.ANSWERED),
        mark=Mark(value=3, rationale="Nearly right."),
        signals={"R_proposition": recall, "C_contradiction": 0.0},
        bounds={} if recall is not None else {"R_proposition": (0.25, 0.75)},
    )
    return item.model_copy(update=fields), result


def hostile_pair(text: str) -> tuple[Item, ItemResult]:
    item, result = pair(text, 0.5, supported(text, text), unjudged(text), text=text, agent=text, question=text, answer=text)
    statement = StatementResult(text=text, outcome=supported(text, text))
    conflict = ConflictResult(id=text, resolved=False, current=statement, superseded=(statement,))
    return item.model_copy(update={"ground_truth": (text,)}), result.model_copy(
        update={
            "flags": (Flag.INJECTION_SUSPECTED,),
            "conflicts": (conflict,),
            "decoys": (statement,),
            "gaps": (statement,),
            "abstention": AbstentionVerdict(value=AbstentionValue.ANSWERED, quote=text, rationale=text),
            "mark": Mark(value=1, rationale=text),
        }
    )


def hostile_run(text: str) -> tuple[Summary, RunFacts]:
    changed = summary(by_agent={text: scorecard(0.5)}, disclosure=f"{DISCLOSURE} {text}")
    return changed, FACTS.model_copy(update={"run": text, "input_name": text, "judge_spec": text, "warnings": (text,), "stopped": text})


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "n/a"),
        (0.0, "0.000"),
        (1.0, "1.000"),
        (0.8125, "0.812"),
        (0.8127, "0.813"),
        (0.0004, "<0.001"),
        (0.9996, ">0.999"),
        (0.9999999999999999, "1.000"),
        (-0.0004, "0.000"),
        (-0.5, "-0.500"),
        (999_999_999.0, "999999999.000"),
        (1e9, "1.0e+09"),
        (1.7e308, "1.7e+308"),
    ],
)
def test_format_number(value: float | None, shown: str) -> None:
    """Three decimals, and only zero looks like zero."""
    assert format_number(value) == shown


@pytest.mark.parametrize(
    ("numerator", "denominator", "shown"),
    [
        (5, 8, "62.5 % (5 of 8)"),
        (0, 0, "n/a (0 of 0)"),
        (0, 5000, "0.0 % (0 of 5,000)"),
        (1, 5000, "<0.1 % (1 of 5,000)"),
        (4999, 5000, ">99.9 % (4,999 of 5,000)"),
        (8, 8, "100.0 % (8 of 8)"),
    ],
)
def test_format_rate(numerator: int, denominator: int, shown: str) -> None:
    """A rate shows its counts, and only all is 100 %."""
    assert format_rate(Rate(numerator=numerator, denominator=denominator)) == shown


def test_format_interval_is_clipped_and_keeps_its_width() -> None:
    """What lies outside [0, 1] is not printed, and an interval with a width never looks like a point."""
    assert format_interval((0.69, 0.91)) == "0.69 to 0.91"
    assert format_interval((-0.1, 1.02)) == "0.00 to 1.00"
    assert format_interval((0.0, 0.0038)) == "0.000 to 0.004"
    assert format_interval((0.5, 0.5)) == "0.50 to 0.50"
    assert format_interval(None) == "n/a"


def test_bounds_minutes_and_quantities() -> None:
    """Bounds are not clipped, show three decimals where two are one number, and say when a side is open."""
    ranges = [(1.6 / 9, 8.6 / 9), (21.0, 1026.7), (0.3816, 0.3816), (0.501, 0.504), (0.5, 1.7e308), None]
    assert [format_bounds(bounds) for bounds in ranges] == [
        "0.18 to 0.96",
        "21.00 to 1,026.70",
        "0.382 to 0.382",
        "0.501 to 0.504",
        "0.50 to 1.7e+308",
        "unbounded",
    ]
    assert [format_two_decimals(value) for value in (None, 0.0, 0.004, 25.889999, 1234.5, 1.7e308)] == [
        "n/a",
        "0.00",
        "<0.01",
        "25.89",
        "1,234.50",
        "1.7e+308",
    ]
    assert [format_significant(value) for value in (0.0, 1.0, 156.3, 1800.0, 0.024, 1e-9, 1.7e308)] == [
        "0",
        "1",
        "156.3",
        "1,800",
        "0.024",
        "1e-09",
        "1.7e+308",
    ]


def test_money_counts_and_durations() -> None:
    """Unknown is said, and small amounts are not rounded to nothing."""
    assert [format_money(value) for value in (None, 0.0, 0.00001, 0.0012, 1234.5)] == [
        "unknown",
        "$0.00",
        "<$0.0001",
        "$0.0012",
        "$1,234.50",
    ]
    assert [format_count(value) for value in (None, 0, 1234)] == ["unknown", "0", "1,234"]
    durations = [None, 0.42, 12.34, 59.96, 185.0, 3599.6, 7380.0, 1e297]
    assert [format_duration(value) for value in durations] == [
        "unknown",
        "0.42 s",
        "12.3 s",
        "1 min 00 s",
        "3 min 05 s",
        "1 h 00 min",
        "2 h 03 min",
        "2.8e+293 h",
    ]


@given(st.text(alphabet=st.characters(codec=None), max_size=40), st.integers(2, 30))
def test_cut_and_wrap_fit(text: str, width: int) -> None:
    """Whatever the text, no line has more columns than asked for, and wrapping loses nothing but spaces."""
    safe = escape_terminal(text)
    lines = wrap(safe, width)
    assert safe.isprintable()
    assert all(column_count(line) <= width for line in [*lines, cut(safe, width)])
    assert "".join("".join(lines).split()) == "".join(safe.split())


def test_wide_characters_count_twice() -> None:
    """East Asian characters take two columns and combining marks none."""
    assert column_count("日本") == 4
    assert column_count(unicodedata.normalize("NFD", "é")) == 1
    assert cut("日本語", 5) == "日本…"


def test_text_shows_headline_and_reasons() -> None:
    """The terminal summary has every headline metric, with its reason where there is no value."""
    shown = render_text(summary(), FACTS)
    lines = shown.splitlines()
    row = next(line for line in lines if line.strip().startswith("R_proposition"))
    assert " ".join(row.split()) == "R_proposition llm 0.812 0.69 to 1.00 cluster-t 12 0 81.2 % (78 of 96)"
    assert any(line.split() == ["Q_proposition", "llm", "0.790", "derived"] for line in lines)
    assert "A_abstention: n/a, no unanswerable items" in shown
    assert "R_judge: n/a, coverage; 0.50 to 0.75 with what is unjudged at its worst and at its best" in shown
    assert "Q_combined_v1_5: n/a, no_component_measured; 0.00 to 1.00 whatever the missing values are" in shown
    assert "R_conflict_resolution" in shown
    assert "R_noise_resistance" not in shown
    assert "24 judgments, 12,345 input and 678 output tokens, cost $0.0012" in shown
    assert "10 made now, 1,200 from the cache, 6 from the journal" in shown


def test_text_says_exact_where_a_value_has_no_width() -> None:
    """Equal bounds are the value, and are called exact; next to a value that is missing they stand as they are."""
    exact = DerivedSummary(value=0.79, inputs={}, bounds=(0.79, 0.79), layer="llm")
    missing = DerivedSummary(value=None, inputs={}, bounds=(0.0, 0.0), layer="llm", reason="input_null")
    mean = COMBINED.model_copy(update={"value": 0.43, "reason": None, "bounds": (0.43, 0.43)})
    lines = render_text(
        summary(derived={"Q_proposition": exact, "Q_abstention": missing}, composite={"Q_combined_v1_5": mean}), FACTS
    ).splitlines()
    rows = [" ".join(line.split()) for line in lines]
    assert "Q_proposition llm 0.790 exact" in rows
    assert "Q_abstention llm n/a 0.000 to 0.000 input_null" in rows
    assert "Q_combined_v1_5 0.430 exact" in rows


def layered_run() -> Summary:
    """A run with numbers of every layer, in an order that mixes them."""
    given_metrics = {
        symbol: metric(0.5, basis="given", layer=layer) for symbol, layer in (("S_gate", "agent"), ("R_retrieval", "pipeline"))
    }
    derived = {
        "Q_safety": DerivedSummary(value=0.5, inputs={}, layer="agent"),
        "Q_info": DerivedSummary(value=0.5, inputs={}, layer="llm"),
        "V_retrieval": DerivedSummary(value=0.5, inputs={}, layer="pipeline"),
        "Q_reasoning": DerivedSummary(value=0.5, inputs={}, layer="llm"),
    }
    metrics = {"K_synthesis": metric(0.5, layer="agent"), **METRICS, **given_metrics}
    return summary(metrics=metrics, derived=derived)


def test_tables_group_by_layer() -> None:
    """Pipeline, then language model, agent, composites last; within a layer the headline order stays."""
    run = layered_run()
    shown = [(row[0], row[1]) for row in metric_table(run).rows]
    assert shown == [
        ("R_proposition", "llm"),
        ("C_contradiction", "llm"),
        ("A_abstention", "llm"),
        ("over_abstention_rate", "llm"),
        ("R_judge", "llm"),
        ("Q_reasoning", "llm"),
        ("R_conflict_resolution", "llm"),
        ("K_synthesis", "agent"),
        ("Q_combined_v1_5", "agent"),
    ]
    derived, stated = derived_table(run), given_table(run)
    assert derived is not None
    assert stated is not None
    assert [row[:2] for row in derived.rows] == [
        ("V_retrieval", "pipeline"),
        ("Q_info", "llm"),
        ("Q_reasoning", "llm"),
        ("Q_safety", "agent"),
    ]
    assert [row[:2] for row in stated.rows] == [("R_retrieval", "pipeline"), ("S_gate", "agent")]


def test_every_report_shows_the_layers() -> None:
    """Text, Markdown and HTML draw the same tables."""
    run = layered_run()
    lines = render_text(run, FACTS).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert any(line.split()[:2] == ["V_retrieval", "pipeline"] for line in lines)
    assert "| V_retrieval | pipeline |" in "".join(render_markdown(run, FACTS, ()))
    assert "<td>V_retrieval</td><td>pipeline</td>" in "".join(render_html(run, FACTS, ()))


def test_text_says_that_composites_combine_layers() -> None:
    """Which component speaks of what stands on one line."""
    mixed = COMBINED.model_copy(update={"components": dict.fromkeys(("Q_info", "Q_context", "Q_continuity", "Q_reasoning"))})
    mixed = mixed.model_copy(update={"weights": dict.fromkeys(mixed.components, 1)})
    told = "Composites combine the layers llm (Q_info, Q_reasoning) and agent (Q_context, Q_continuity)."
    assert any(told in line for line in render_text(summary(composite={"Q_combined_v1_5": mixed}), FACTS).splitlines())


@pytest.mark.parametrize(
    ("basis", "told"),
    [
        ("sources", "R_judge: basis sources, every marked item listed some"),
        ("reference", "R_judge: basis reference, no marked item listed sources"),
        ("reference; 3 of 12 also sources", "R_judge: basis reference; 3 of 12 also sources"),
    ],
)
def test_text_says_what_marks_rest_on(basis: str, told: str) -> None:
    """Whether the judge saw sources beside the reference, and for how many items."""
    shown = render_text(summary(metrics={**METRICS, "R_judge": metric(0.5, basis=basis)}), FACTS)
    assert told in shown.splitlines()


def test_text_ranks_agents_and_reasons() -> None:
    """Agents stand by recall with the unknown last, reasons by count."""
    lines = render_text(summary(), FACTS).splitlines()
    first_words = [line.split()[0] for line in lines if line.strip()]
    assert [word for word in first_words if word in {"alpha", "beta", "gamma"}] == ["gamma", "beta", "alpha"]
    assert first_words.index("refused") < first_words.index("quote_not_found")


def test_text_caps_agents() -> None:
    """Of many agents twenty are shown, and how many are not."""
    shown = render_text(summary(by_agent={f"agent-{number:02d}": scorecard(0.5) for number in range(25)}), FACTS)
    assert shown.count("agent-") == 20
    assert "5 more in summary.json." in shown


@pytest.mark.parametrize("text", [*HOSTILE, "日本語" * 200, "many words " * 100])
def test_text_stays_on_its_lines(text: str) -> None:
    """No line is wider than 100 columns and nothing but spaces and line ends is invisible."""
    shown = render_text(*hostile_run(text))
    assert max(map(column_count, shown.splitlines())) <= WIDTH
    assert shown.replace("\n", "").isprintable()
    assert shown.startswith("INCOMPLETE: ")


def test_escape_terminal_spells_controls() -> None:
    """Escape sequences, direction marks and line ends become text."""
    assert escape_terminal("a\x1b[31m\u202e\nb") == "a\\x1b[31m\\u202e\\nb"


def test_incomplete_comes_first() -> None:
    """The first line says that a run is incomplete, and what is missing."""
    assert render_text(summary(complete=False), FACTS).startswith("INCOMPLETE: too little was judged: statements 99.0 % (95 of 96)\n")
    stopped = FACTS.model_copy(update={"stopped": "the budget of $1.00 is used up"})
    assert render_text(summary(complete=False), stopped).startswith("INCOMPLETE: the budget of $1.00 is used up\n")
    assert render_text(summary(), FACTS).startswith("Run demo\n")


@pytest.mark.parametrize(
    ("changes", "spoken"),
    [
        ({}, "openai/gpt-5-mini (model gpt-5-mini-2026)"),
        ({"judge_model": "openai/gpt-5-mini"}, "openai/gpt-5-mini"),
        ({"judge_spec": "lexical", "judge_model": None}, "lexical (offline baseline, no model)"),
        ({"judge_model": None, "replayed_from": "runs/a"}, "recorded judge openai/gpt-5-mini, replayed from runs/a"),
    ],
)
def test_judge_in_words(changes: dict[str, object], spoken: str) -> None:
    """A baseline and a replay say that they are one."""
    assert judge_in_words(FACTS.model_copy(update=changes)) == spoken


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_report_discloses(form: str) -> None:
    """Versions, policies and the disclosure stand in every report, the same every time."""
    results = [pair("q1", 0.5, supported(), contradicted())]

    def render() -> str:
        if form == "text":
            return render_text(summary(), FACTS)
        renderer = render_markdown if form == "markdown" else render_html
        return "".join(renderer(summary(), FACTS, results))

    shown = re.sub(r"</?d[td]>|\\", " ", render())
    assert render() == render()
    assert re.search(r"metrics_version\W+1\.5", shown)
    assert re.search(r"null policy\W+strict", shown)
    assert re.search(r"label policy\W+standard-v1", shown)
    assert "not fully objective" in shown


def markdown_rows(document: str) -> list[list[str]]:
    """Return the text of every table row, as a Markdown reader sees it."""
    tokens = MarkdownIt("commonmark").enable("table").parse(document)
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows and token.level >= 4:
            rows[-1].append("".join(child.content for child in token.children or []))
    return rows


def test_markdown_lists_each_proposition_with_label_quote_and_rationale() -> None:
    """One item with three propositions gives three rows that say what was found and why."""
    document = "".join(render_markdown(summary(), FACTS, [pair("q1", 0.5, supported(), contradicted(), not_addressed(), unjudged())]))
    assert markdown_rows(document)[-4:] == [
        ["supported", "It costs 3 euros.", "on Monday", "The answer says so."],
        ["contradicted", "It costs 3 euros.", "for 5 euros", "Another price."],
        ["not addressed", "It costs 3 euros.", "", "Nothing on this."],
        ["unjudged: quote not found", "It costs 3 euros.", "", "the quote is not in the answer"],
    ]


def test_markdown_shows_the_worst_items_of_a_stream() -> None:
    """The ten lowest recalls are listed in order; ties keep the order of the input."""
    recalls = [0.5, 0.9, 0.1, None, *[0.7] * 10, 0.3]
    stream = (pair(f"q{number}", recall, supported()) for number, recall in enumerate(recalls))
    document = "".join(render_markdown(summary(), FACTS, stream))
    assert re.findall(r"### (q\d+)", document) == ["q2", "q14", "q0", "q4", "q5", "q6", "q7", "q8", "q9", "q10"]


def test_markdown_fits_a_comment() -> None:
    """However large the items are, the document stays within a comment and says what it left out."""
    items = [pair(f"q{number}", 0.5, *[supported("|" * 5000, "|" * 5000)] * 50) for number in range(10)]
    document = "".join(render_markdown(summary(), FACTS, items))
    assert len(document) <= MAX_CHARACTERS
    assert document.endswith("The rest does not fit here; results.jsonl has everything.\n")


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_data_is_inert(text: str) -> None:
    """An answer makes no link, image, code, emphasis, HTML or table cell, and mentions nobody."""
    document = "".join(render_markdown(*hostile_run(text), [hostile_pair(text)]))
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(document)
    children = [child for token in tokens for child in token.children or []]
    own = {"text", "text_special", "softbreak", "strong_open", "strong_close"}
    assert {child.type for child in children} <= own
    assert not any(token.type.startswith(("html", "code", "fence")) for token in tokens)
    assert {len(row) for row in markdown_rows(document)[-2:]} == {4}
    assert not re.search(r"@\w|(?<!&)#\d|://|www\.", document)
    document.encode("utf-8")


def test_markdown_keeps_our_names_readable() -> None:
    """Metric names stand in the file as they are, to be found by a search; a marked word is escaped."""
    assert escape_markdown("R_judge of _x_ and a__b") == "R_judge of \\_x\\_ and a\\_\\_b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("Cx_em@1.0:346281462aa6", "`Cx_em@1.0:346281462aa6`", id="alone"),
        pytest.param("a_ Cx_em@1.0:346281462aa6, *b*", "a\\_ `Cx_em@1.0:346281462aa6`, \\*b\\*", id="in-a-sentence"),
        pytest.param("`Cx_em@1.0:346281462aa6`", "\\``Cx_em@1.0:346281462aa6`\\`", id="within-marks-of-code"),
        pytest.param("Cx_em@1.0:346281462aaf0", "Cx_em@&#8203;1.0:346281462aaf0", id="too-long"),
        pytest.param("Cx_em@admin:346281462aa6", "Cx_em@&#8203;admin:346281462aa6", id="no-version"),
        pytest.param("x@Cx_em@1.0:346281462aa6", "x@&#8203;Cx_em@&#8203;1.0:346281462aa6", id="after-a-mention"),
    ],
)
def test_markdown_ids_of_formulas_can_be_copied(text: str, shown: str) -> None:
    """An id is code, without a character that a reader does not see; what only resembles one is made harmless as ever."""
    assert escape_markdown(text) == shown
    [token] = MarkdownIt("commonmark").parseInline(shown)
    assert "".join(child.content for child in token.children or []).replace("\u200b", "") == text


def test_markdown_escapes_come_back_as_the_text() -> None:
    """A reader sees the characters of the data, with zero-width spaces where a link would start."""
    text = "_z_ a | b `c` [d](e) **h** @admin #12 https://i \\|m <b> &amp;"
    [token] = MarkdownIt("commonmark").parseInline(escape_markdown(text))
    assert "".join(child.content for child in token.children or []).replace("\u200b", "") == text


class Page(HTMLParser):
    """What a reader of HTML finds: elements, attributes, and text."""

    void = frozenset({"meta", "img", "br", "link"})

    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.style = ""
        self.feed(document)
        self.close()
        self.text = " ".join(self.texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(attrs)
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        # Every element of ours is closed in order, so data that closes one would break this.
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.texts.append(data)


PLAIN_PAGE = Page("".join(render_html(*hostile_run("plain"), [hostile_pair("plain")])))


@pytest.mark.parametrize("text", HOSTILE)
def test_html_data_is_inert(text: str) -> None:
    """Data adds no element and no attribute, and stands in the page as it is."""
    document = "".join(render_html(*hostile_run(text), [hostile_pair(text)]))
    page = Page(document)
    assert page.open == []
    assert page.tags == PLAIN_PAGE.tags
    assert page.attributes == PLAIN_PAGE.attributes
    assert page.text.count(escape_controls(text)) == PLAIN_PAGE.text.count("plain")
    document.encode("utf-8")


def test_html_allows_its_own_style_only() -> None:
    """The policy names the hash of exactly the style in the page; there is no script and nothing is loaded."""
    expected = base64.b64encode(hashlib.sha256(PLAIN_PAGE.style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{expected}'; base-uri 'none'; form-action 'none'"
    assert ("content", policy) in PLAIN_PAGE.attributes
    assert not PLAIN_PAGE.tags & {"script", "link", "img", "iframe"}
    assert not {"src", "href", "style"} & {name for name, _ in PLAIN_PAGE.attributes}


def test_html_shows_every_part_of_an_item() -> None:
    """An item shows its texts, each outcome in words, and what was asked beside the propositions."""
    item, result = pair("q1", None, supported(), contradicted(), not_addressed(), unjudged())
    resolved = ConflictResult(
        id="c1",
        resolved=True,
        current=StatementResult(text="It opens on Monday.", outcome=supported()),
        superseded=(StatementResult(text="It opens on Friday.", outcome=not_addressed()),),
    )
    item = item.model_copy(
        update={
            "ground_truth": ("Other.", "3 euros."),
            "conflicts": (Conflict(id="c1", current="It opens on Monday.", superseded=("It opens on Friday.",)),),
            "declared_abstained": True,
            "answerable": False,
        }
    )
    result = result.model_copy(
        update={
            "reference": 1,
            "conflicts": (resolved,),
            "open_alternatives": (OpenAlternative(reference=0, unjudged=result.propositions[3:]),),
            "state": ItemState.PARTLY_JUDGED,
            "mark": Unjudged(reason=UnjudgedReason.NOT_ASKED, detail="unanswerable item"),
        }
    )
    text = " ".join(Page("".join(render_html(summary(), FACTS, [(item, result)]))).text.split())
    for part in (
        "partly judged q1 by beta recall n/a",
        "ground truth Other. ground truth (the one that counts) 3 euros.",
        "supported It costs 3 euros. quote: on Monday rationale: The answer says so. from the ground truth: 3 euros",
        "not addressed It costs 3 euros. rationale: Nothing on this.",
        "unjudged: quote not found It costs 3 euros. the quote is not in the answer",
        "R_proposition n/a; 0.25 to 0.75 with what is unjudged at its worst and at its best",
        "abstention answered declared abstained, by the agent itself mark unjudged: not asked unanswerable item",
        "Conflict c1 : resolved current supported It opens on Monday.",
        "superseded not addressed It opens on Friday.",
        "answerable no: the right answer is to abstain",
        "Unjudged in ground truth 1, which could still be the one that counts unjudged: quote not found It costs 3 euros.",
    ):
        assert part in text


def test_html_reads_no_more_than_it_shows() -> None:
    """Beyond the cap the page says what it leaves out, and the stream is left where it is."""

    def results() -> Iterator[tuple[Item, ItemResult]]:
        yield pair("q1", 0.5, supported())
        yield pair("q2", 0.5, supported())
        raise AssertionError("read beyond the cap")

    text = Page("".join(render_html(summary(), FACTS, results(), cap=2))).text
    assert "Shown are the first 2 of 12 items; results.jsonl has all of them." in text
    assert "q2" in text


def test_html_of_no_items() -> None:
    """A run without results is a whole page all the same."""
    page = Page("".join(render_html(summary(by_agent={}, unjudged={}), FACTS, [])))
    assert page.open == []
    assert "By agent" not in page.text
