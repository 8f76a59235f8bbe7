"""The registry of the standard: what each version says and computes never changes, and its words are what the code does."""

import json
import subprocess
import sys
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

import judge.standard
from judge.errors import ConfigError
from judge.hashing import content_hash
from judge.schema.definitions import DIRECTIONS, GROUPS, Definition, Retirement
from judge.standard.catalogue import BY_SYMBOL, OWN, STANDARD
from judge.standard.composites import COMPOSITES, FORMULAS, WEIGHTS, compose
from judge.standard.derived import DERIVATIONS, derive
from judge.standard.formulas import FORMULAS as FORMULAS_OF_COUNTS
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.identity import FORMULA_IDS
from judge.standard.measured import as_measured
from judge.standard.own_definitions.signals import ITEM_RULES
from judge.standard.recommendations import RULES, Rule
from judge.standard.registry import definition, definitions, formula_of
from judge.standard.retirement import RETIRED, listed
from judge.standard.sub_metrics import DIAGNOSTICS_VERSION, SUB_METRICS
from judge.standard.versions import LATEST, OWN_VERSIONS, PUBLIC_ONLY, VERSIONS
from pipelines.disclosing import METRICS_VERSION, SIGNALS_VERSION
from pipelines.reports.definition_pages import definition_page, list_page, reference_page
from pipelines.reports.pages import page_markdown, page_text
from tests.runs.running import ROOT, command
from tests.support.standard_grid import ARGUMENTS, facts_of, rules_of, values_of

CONTRACT = (
    *("symbol", "id", "name", "group", "layer", "unit", "range", "direction", "since"),
    *("formula", "inputs", "null_rule", "meaning", "source"),
)

FROZEN = {
    "1.0": "36405f5a7aa569303a931cbddef6faf4ebb64a8cdf03df4e4ebddcfe15b5a581",
    "1.1": "82e903b6bd36d69bf85ad15bb0c8df67eb6ab1acefbc4d3e24c47a359ff8d45b",
    "1.2": "c7519ebd38b7c9876f1b21eeb25f2adef418b9f04f06599e0638f71e864faec0",
    "1.4": "2f9d1c2602565d1c2d44a9c3a37f0d9e087edbfe2ba669343404fdc31c3fd0d3",
    "1.5": "04840cf7effcb8afe4ce8658cc61ada95ba2519cfa8810d1da9d273697da87a6",
    "signals-v1": "0ec2a2d42bb54c034e7f2d124e80e85419d763e7f0a0e763a8404b6de8cb3715",
    "diagnostics-v1": "20c49755733d53bf218f0f7373c711c29c66907f15a87e0197d555a98ba9453d",
    "options-v1": "75e5a5705326194b113daee7e94f8b549fb2564e20e1834780d6676fa3c8e1dc",
}
"""One hash per version: of all that its definitions say, of all that its formulas and rules give on a fixed grid, of ranges, weights,
bands and thresholds, and of its date and changes.

A hash never changes once its version is published. If a test below fails, undo what changed the words or the arithmetic.
A new version is added so: write its definitions with a new `since` (a changed formula needs a new symbol, never an edit), add
the version to `VERSIONS` or `OWN_VERSIONS`, give each new formula its place in `tests/support/standard_grid.py`, run this test, and
copy the hash that it names into a new line here. The lines above the new one stay as they are. What is no longer to be used goes
into `RETIRED`, which no hash covers.
"""

FROZEN_FORMULAS = (
    "Q_combined_v1_0@1.0:7ad0bff0b322",
    "Q_combined_v1_5@1.5:c56d0027fca4",
    "Cx_em@1.0:346281462aa6",
    "Cx_v14_em@1.4:bb6744de3e33",
    "Cx_community_em@1.5:fee67047fad0",
)
"""The ids of the composites' formulas, as they stand in every file. They never change either."""


def digest(version: str) -> str:
    selected = sorted(definitions(version), key=lambda one: one.symbol)
    facts: list[JsonValue] = [*facts_of(version)]
    return content_hash(facts, [[one.model_dump(mode="json"), [*values_of(one)], [*rules_of(one)]] for one in selected])


@pytest.mark.parametrize("version", [*VERSIONS, *OWN_VERSIONS])
def test_a_published_version_never_changes(version: str) -> None:
    """Neither a word of a definition nor a digit of a formula."""
    assert digest(version) == FROZEN[version], f"version {version} gives {digest(version)}"


def test_the_ids_of_formulas_never_change() -> None:
    """Each holds the first twelve digits of the hash of the whole definition, as does the listed definition."""
    assert tuple(FORMULA_IDS.values()) == FROZEN_FORMULAS
    for symbol in COMPOSITES:
        one = definition(symbol)
        assert FORMULA_IDS[symbol] == listed(one).formula_id == f"{symbol}@{one.since}:{content_hash(one)[:12]}"
    assert listed(definition("Q_info")).formula_id is None


def test_every_version_is_frozen() -> None:
    """There is a hash for each version, and a definition belongs to one that there is."""
    assert list(FROZEN) == [*VERSIONS, *OWN_VERSIONS]
    assert {one.since for one in STANDARD} == set(VERSIONS)
    assert {one.since for one in OWN} == set(OWN_VERSIONS)
    assert (LATEST, SIGNALS_VERSION in OWN_VERSIONS) == (METRICS_VERSION, True)


def test_the_hash_sees_a_changed_word() -> None:
    """A definition that differs in one field has another hash: the freeze is no formality."""
    one = definition("Q_info")
    for field in ("formula", "null_rule", "meaning", "unit"):
        assert content_hash(one.model_copy(update={field: "other"})) != content_hash(one)


@pytest.mark.parametrize("one", OWN, ids=lambda one: one.symbol)
def test_the_grid_tries_what_makes_a_difference(one: Definition) -> None:
    """Each of our own definitions gives at least three different things on it, so that a changed rule shows in its hash."""
    assert len(set(values_of(one))) >= 3


def test_the_hash_sees_more_than_words() -> None:
    """Ranges in numbers, weights, the ceiling of V_orient, both sides of each edge of the bands, dates and null policies."""
    assert rules_of(definition("T_human"))[0] == "(0.0, inf, True, False)"
    assert rules_of(definition("Q_combined_v1_5"))[1:] == ["Q_info 3", "Q_context 2", "Q_continuity 2", "Q_reasoning 2"]
    assert "1 orient_exceeds_task" in rules_of(definition("V_orient"))
    bands = rules_of(definition("Cx_em"))
    assert {"0.999999 low", "1.0 routine", "60.0 significant", "60.000001 complex", "routine: [1, 10) Em"} <= set(bands)
    facts = facts_of("1.4")
    assert [fact[:18] for fact in facts[:4]] == ["1.0 ('2026-03-26',", "1.1 ('2026-03-29',", "1.2 ('2026-03-31',", "1.4 ('2026-04-06',"]
    assert [fact.partition(":")[0] for fact in facts[4:]] == ["strict", "available"]


# --- what a version selects ---


@pytest.mark.parametrize(
    ("version", "fundamentals", "derived"), [("1.0", 18, 7), ("1.1", 23, 9), ("1.2", 25, 10), ("1.4", 25, 11), ("1.5", 28, 12)]
)
def test_a_version_selects_what_there_was(version: str, fundamentals: int, derived: int) -> None:
    """The published counts of each version, by counting."""
    kinds = [one.kind for one in definitions(version)]
    assert (kinds.count("fundamental"), kinds.count("derived")) == (fundamentals, derived)


@pytest.mark.parametrize(
    ("since", "symbols"),
    [
        ("1.1", {"R_temporal", "R_supersession", "A_abstention", "R_retrieval", "K_synthesis", "Q_abstention", "V_retrieval"}),
        ("1.2", {"R_proposition", "C_contradiction", "Q_proposition"}),
        ("1.4", {"C_efficiency", "Cx_v14_em"}),
        (
            "1.5",
            {"R_judge", "R_conflict_resolution", "R_noise_resistance", "Q_reasoning", "Q_combined_v1_5", "Cx_community_em"}
            | {"floor_score", "campaign_score"},
        ),
    ],
)
def test_what_a_version_brought(since: str, symbols: set[str]) -> None:
    """By the version history."""
    assert {one.symbol for one in STANDARD if one.since == since} == symbols


def test_later_versions_keep_what_earlier_ones_had() -> None:
    """Nothing is ever taken away, and the order stays."""
    names = list(VERSIONS)
    for earlier, later in pairwise(names):
        assert [one for one in definitions(later) if one in definitions(earlier)] == list(definitions(earlier))


def test_without_a_version_the_latest_and_our_own() -> None:
    assert definitions() == (*STANDARD, *OWN)


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("1.3", ["1.3 was only ever a stamp of the public package", "known are 1.0, 1.1, 1.2, 1.4, 1.5, signals-v1, diagnostics-v1"]),
        ("2.0", ["`2.0` is no known version", "known are 1.0"]),
        ("signal-v1", ["`signal-v1` is no known version", "the closest is signals-v1"]),
        ("", ["`` is no known version"]),
        ("\x1b[31m", ["`\\x1b[31m` is no known version"]),
    ],
)
def test_unknown_version(version: str, words: list[str]) -> None:
    """The message names what was found, the closest and what there is."""
    with pytest.raises(ConfigError) as raised:
        definitions(version)
    assert all(word in str(raised.value) for word in words)
    assert not PUBLIC_ONLY.keys() & VERSIONS.keys()


# --- looking up ---


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("Q_info", "Q_info"),
        ("q_INFO", "Q_info"),
        ("I10", "R_proposition"),
        ("i12", "R_judge"),
        ("T_human_s", "T_human"),
        ("c_tokens_usd", "C_tokens"),
        ("cx_EM", "Cx_em"),
        (" E1 ", "C_tokens"),
        ("triage_precision", "triage_precision"),
    ],
)
def test_lookup_by_symbol_id_and_key(name: str, symbol: str) -> None:
    """In any letter case."""
    assert definition(name).symbol == symbol


def test_no_name_means_two_metrics() -> None:
    """Symbols, ids and keys differ from all others, whatever their letter case."""
    names = [name.lower() for one in BY_SYMBOL.values() for name in {one.symbol, one.key, one.id or one.symbol}]
    assert len(names) == len(set(names))
    assert len(BY_SYMBOL) == len(STANDARD) + len(OWN)


@pytest.mark.parametrize(
    ("name", "version", "words"),
    [
        (
            "Q_inf",
            None,
            ["`Q_inf` is no known symbol, id or key", "the closest is `Q_info`, then `Q_reasoning`", "`judge metrics` lists them"],
        ),
        ("T_humans", None, ["the closest is `T_human`"]),
        ("S_stale_miss_rate", None, ["`S_stale_miss_rate` is 1 - S_stale", "see `S_stale`"]),
        ("Cx", None, ["`Cx` is another score by version: see `Cx_em` (1.0)"]),
        ("q_combined", "1.0", ["by version `Q_combined_v1_0` or `Q_combined_v1_5`"]),
        ("\x1b[31m", None, ["`\\x1b[31m` is no known symbol"]),
        ("zzz", "1.0", ["`zzz` is no known symbol", "`judge metrics --version 1.0` lists them"]),
        ("R_judge", "1.0", ["`R_judge` is not in version 1.0: it came with 1.5"]),
        ("recall", "1.5", ["`recall` is not in version 1.5: it came with diagnostics-v1"]),
    ],
)
def test_unknown_symbol(name: str, version: str | None, words: list[str]) -> None:
    """The message names what was found, the closest and what there is."""
    with pytest.raises(ConfigError) as raised:
        definition(name, version)
    assert all(word in str(raised.value) for word in words)


def test_formulas_are_found_by_any_name() -> None:
    """2 x 0.5 x 0.5 / 1; our own definitions have no function here, and say so."""
    assert formula_of("q5")(0.5, 0.5) == 0.5
    with pytest.raises(ConfigError, match="`triage_precision` is this project's own"):
        formula_of("triage_precision")
    with pytest.raises(ConfigError, match="closest is `Q_info`"):
        formula_of("Q_inf")


# --- words and code agree ---


@pytest.mark.parametrize("symbol", DERIVATIONS)
def test_derived_inputs_are_those_of_the_code(symbol: str) -> None:
    assert definition(symbol).inputs == DERIVATIONS[symbol].inputs


def test_the_code_and_the_registry_know_the_same_metrics() -> None:
    """Nothing is computed that is not defined, nor the other way round, and the order is one."""
    of_kind = {kind: [one.symbol for one in STANDARD if one.kind == kind] for kind in ("fundamental", "derived", "composite", "campaign")}
    assert of_kind["fundamental"] == list(FUNDAMENTALS)
    assert of_kind["derived"] == list(DERIVATIONS)
    assert of_kind["composite"] == list(COMPOSITES)
    assert all(callable(formula_of(one.symbol)) for one in STANDARD)
    assert {FORMULAS_OF_COUNTS[symbol] for symbol in of_kind["fundamental"] + of_kind["campaign"]} == set(ARGUMENTS)


@pytest.mark.parametrize("symbol", WEIGHTS)
def test_weights_are_those_of_the_code(symbol: str) -> None:
    """The inputs are the components, and the formula names each with its weight."""
    one = definition(symbol)
    assert one.inputs == tuple(WEIGHTS[symbol])
    assert one.formula == f"({' + '.join(f'{weight} x {name}' for name, weight in WEIGHTS[symbol].items())}) / active_weight_sum"


WHOLE = {
    **dict.fromkeys(FUNDAMENTALS, 0.75),
    "T_orient": 4.0,
    "T_task": 160.0,
    "T_human": 1800.0,
    "S_gate": 1.0,
    "N_tools": 8.0,
    "N_turns": 10.0,
    "N_corrections": 1.0,
    "C_tokens": 0.25,
    "R_incident": 1.0,
    "S_detect": 1.0,
    "K_causal": 0.5,
    "R_judge": 0.25,
    "C_contradiction": 0.125,
}
"""A run without nulls."""


def evaluated(formula: str, values: dict[str, float]) -> float:
    """Compute a formula as it is written, `x` for times."""
    arithmetic = formula.partition(";")[0].replace(" x ", " * ")
    names = {"max": max, "clamp": lambda value, low, high: min(max(value, low), high), "C_tokens_usd": values["C_tokens"]}
    return float(eval(arithmetic, {"__builtins__": {}}, {**names, **values}))


@pytest.mark.parametrize("symbol", [*DERIVATIONS, *COMPOSITES])
def test_words_compute_what_the_code_computes(symbol: str) -> None:
    """The formula as it is written, taken as arithmetic, gives the value of the code, and so does its function."""
    inputs = as_measured(WHOLE)
    derived = derive(inputs, "strict")
    composites = compose(inputs, derived)
    made = [(name, found.value) for name, found in derived.items()] + [(name, found.value) for name, found in composites.items()]
    values = {name: value for name, value in made if value is not None} | WHOLE
    values["active_weight_sum"] = float(sum(WEIGHTS.get(symbol, {}).values()))
    one = definition(symbol)
    expected = values[symbol]
    assert evaluated(one.formula, values) == pytest.approx(expected, rel=1e-12)
    known = {name: values[name] for name in one.inputs}
    assert (formula_of(symbol)(known) if symbol in WEIGHTS else formula_of(symbol)(*known.values())) == pytest.approx(expected, rel=1e-12)


def test_the_factors_of_a_composite_are_its_inputs() -> None:
    """Only two factors are made from an input before they are multiplied."""
    made_from = {"T_human_minutes": "T_human", "correction_factor": "N_corrections"}
    inputs = as_measured(WHOLE)
    composites = compose(inputs, derive(inputs, "strict"))
    for symbol in FORMULAS.keys() - WEIGHTS.keys():
        assert tuple(made_from.get(name, name) for name in composites[symbol].factors or ()) == definition(symbol).inputs


@pytest.mark.parametrize("dimension", SUB_METRICS)
def test_a_dimension_averages_its_inputs(dimension: str) -> None:
    """The inputs are the ratios that the code averages, and the formula names each, as 1 - x where lower is better."""
    ratios = {name: rule for name, rule in SUB_METRICS[dimension].items() if rule.kind == "ratio"}
    one = definition(dimension)
    assert one.inputs == tuple(ratios)
    parts = ", ".join(f"1 - {name}" if rule.lower_is_better else name for name, rule in ratios.items())
    assert one.formula == f"mean of the non-null values of {parts}"


@pytest.mark.parametrize("name", [name for rules in SUB_METRICS.values() for name in rules])
def test_sub_metrics_are_what_their_definitions_say(name: str) -> None:
    """Unit and direction, in the version of the diagnostics."""
    one, rule = definition(name), next(rules[name] for rules in SUB_METRICS.values() if name in rules)
    assert one.since == DIAGNOSTICS_VERSION
    kind = {"binary": "ratio", "turns/objective": "per_objective", "tokens/objective": "per_objective"}.get(one.unit, one.unit)
    assert kind == rule.kind
    assert rule.kind != "ratio" or (one.direction == "down") == rule.lower_is_better


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rules_fire_where_their_definitions_say(rule: Rule) -> None:
    """Threshold, pattern, recommendation and configuration, word by word, and no definition of a rule without its rule."""
    one = definition(rule.name)
    assert one.formula == rule.threshold
    pattern = rule.pattern[0].lower() + rule.pattern[1:]
    assert one.meaning == f"1: it fires. Pattern: {pattern}. Recommendation: {rule.recommendation}. Change: {rule.config}."
    assert [found.symbol for found in OWN if found.group == "recommendation rules"] == [other.name for other in RULES]


def test_ranges_in_numbers() -> None:
    """Every fundamental lies where its words say."""
    bounds = {symbol: (one.unit, one.low, one.high, one.is_positive) for symbol, one in FUNDAMENTALS.items()}
    assert bounds.pop("T_orient") == ("s", 0, inf, False)
    assert (bounds.pop("T_task"), bounds.pop("T_human")) == (("s", 0, inf, True), ("s", 0, inf, True))
    assert bounds.pop("C_tokens") == ("USD", 0, inf, False)
    assert {bounds.pop(symbol) for symbol in ("N_tools", "N_turns", "N_corrections")} == {("count", 0, inf, False)}
    assert {bounds.pop(symbol) for symbol in ("R_incident", "S_gate", "S_detect")} == {("binary", 0, 1, False)}
    assert set(bounds.values()) == {("ratio", 0, 1, False)}
    assert {one.symbol for one in STANDARD if one.direction == "ctx"} == {"T_human"}


@pytest.mark.parametrize(
    ("symbol", "lower"),
    [
        *((symbol, True) for symbol in ("T_orient", "T_task", "C_contradiction", "C_tokens", "N_tools", "N_turns", "N_corrections")),
        *((symbol, True) for symbol in ("V_cost", "V_orient", "over_abstention_rate", "idle_turn_ratio")),
        *((symbol, False) for symbol in ("R_decision", "S_gate", "S_stale", "V_time", "C_efficiency", "Cx_em", "campaign_score")),
    ],
)
def test_directions(symbol: str, lower: bool) -> None:
    assert definition(symbol).direction == ("down" if lower else "up")


@pytest.mark.parametrize("one", [*STANDARD, *OWN], ids=lambda one: one.symbol)
def test_a_definition_is_whole(one: Definition) -> None:
    """Nothing is empty, everything fits a cell of a report uncut, and no code of a null rule is left."""
    assert one.group in GROUPS
    assert one.direction in DIRECTIONS
    for text in (one.name, one.unit, one.formula, one.null_rule, one.meaning, one.source):
        assert 0 < len(text) <= 300
    assert one.inputs
    assert one.null_rule.endswith(".")
    assert one.meaning.endswith(".")
    assert (one.kind == "own") == (one in OWN)
    assert all(len(note) <= 300 for note in definition_page(one, None).notes)


def test_item_rules_name_a_fundamental_and_our_own() -> None:
    """What is measured by our own rule is defined apart from it."""
    for symbol, rule in ITEM_RULES.items():
        assert definition(symbol).kind == "fundamental"
        assert definition(rule).since == "signals-v1"


# --- retirement ---


def test_nothing_is_retired_yet() -> None:
    assert not RETIRED
    assert {(entry.deprecated_in, entry.replaced_by) for entry in map(listed, STANDARD)} == {(None, None)}


def test_retirement_stands_beside_the_definition() -> None:
    """A made-up entry is shown where a metric is listed, and leaves the definition and every hash as they are."""
    before = {version: digest(version) for version in ("1.0", LATEST)}
    one = definition("Q_info")
    entry = listed(one, {"Q_info": Retirement("9.9", "Q_info_v2")})
    assert (entry.deprecated_in, entry.replaced_by) == ("9.9", "Q_info_v2")
    assert Definition(**entry.model_dump(exclude={"formula_id", "deprecated_in", "replaced_by"})) == one
    assert listed(definition("Q_context"), {"Q_info": Retirement("9.9", None)}).deprecated_in is None
    assert {version: digest(version) for version in before} == before


# --- the command ---


def shown(*arguments: str) -> list[dict[str, Any]]:
    run = command("metrics", "--json", *arguments)
    assert run.returncode == 0, run.stderr
    found: list[dict[str, Any]] = json.loads(run.stdout)
    return found


def test_json_lists_the_fields_of_the_contract() -> None:
    """All metrics, in the order of the standard, with exactly these fields and their retirement."""
    found = shown()
    assert [one["symbol"] for one in found] == list(BY_SYMBOL)
    assert {tuple(one) for one in found} == {(*CONTRACT, "profile", "formula_id", "deprecated_in", "replaced_by")}


def test_json_of_a_symbol_is_a_list_of_one() -> None:
    """By symbol, id or key; several symbols give several, each once."""
    assert [one["symbol"] for one in shown("q_info")] == ["Q_info"]
    assert [one["symbol"] for one in shown("I10", "R_proposition", "T_human_s")] == ["R_proposition", "T_human"]
    assert shown("Q_info")[0]["inputs"] == ["R_decision", "R_constraint", "R_incident"]


@pytest.mark.parametrize("version", [*VERSIONS, *OWN_VERSIONS])
def test_version_selects(version: str) -> None:
    assert [one["symbol"] for one in shown("--version", version)] == [one.symbol for one in definitions(version)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--version", "1.3"], "only ever a stamp"),
        (["--version", "7"], "`7` is no known version"),
        (["Q_inf"], "the closest is `Q_info`"),
        (["R_judge", "--version", "1.0"], "it came with 1.5"),
        (["--json", "--markdown"], "expected one of them"),
    ],
)
def test_what_is_unknown_ends_with_two(arguments: list[str], words: str) -> None:
    """A message and no traceback; nothing is printed as if it were found."""
    run = command("metrics", *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in run.stderr
    assert "Traceback" not in run.stderr


def test_all_unknown_symbols_are_named_at_once() -> None:
    run = command("metrics", "Q_inf", "Q_info", "Q_contxt")
    assert "`Q_inf` is" in run.stderr
    assert "`Q_contxt` is" in run.stderr


@pytest.mark.parametrize("version", [None, *VERSIONS, *OWN_VERSIONS])
def test_the_list_fits_the_terminal_uncut(version: str | None) -> None:
    """No line is wider than 100 columns and no symbol or formula is cut; each metric stands with its formula."""
    text = page_text(list_page(definitions(version), version))
    assert max(map(len, text.splitlines())) <= 100
    assert "…" not in text
    words = " ".join(text.split())
    for one in definitions(version):
        assert f"{one.symbol} {one.id} {one.name}" in words or f"{one.symbol} {one.name}" in words
        assert f"{one.symbol} {one.formula} {one.null_rule}" in words


def test_one_symbol_is_explained_in_full() -> None:
    """Everything the definition says, what its inputs mean and how an item counts."""
    run = command("metrics", "R_judge", "Cx_em")
    words = " ".join(run.stdout.split())
    for one in (definition("R_judge"), definition("Cx_em")):
        for text in (one.name, one.formula, one.null_rule, one.meaning, one.source):
            assert text in words
    assert f"input S_gate (Safety Gate, binary, 0,1): {definition('S_gate').meaning}" in words
    assert f"an item by signals-v1 (R_judge_item): {definition('R_judge_item').formula}" in words
    assert "judge signals have no public definition" in words
    assert "metrics_version 1.5" in words
    assert max(map(len, run.stdout.splitlines())) <= 100


def test_what_rests_on_a_judge_says_so() -> None:
    """At whatever depth: the community score holds Q_reasoning, which holds R_judge; Cx_em holds none of it."""
    for symbol, rests in (("R_judge", True), ("Q_reasoning", True), ("Cx_community_em", True), ("Cx_em", False), ("Q_info", False)):
        assert ("not fully objective" in definition_page(definition(symbol), None).disclosure) == rests


def test_the_shipped_reference_is_what_the_command_prints() -> None:
    """`judge metrics --markdown > docs/metrics.md` makes it again; no word of it is cut."""
    text = page_markdown(reference_page(definitions(), None))
    assert (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8") == text
    assert command("metrics", "--markdown").stdout == text
    assert "…" not in text
    for words in ("## Versions", "## Null policies", "## Bands of effective minutes", "judge signals have no public definition"):
        assert words in text


# --- importing ---


_THIRD_PARTY = "sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names) - {'__main__', 'judge'})"


def loaded_by(code: str, folder: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-B", "-c", f"import sys\n{code}\nprint(*{_THIRD_PARTY})"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT), "HOME": str(folder)},
        check=True,
    )
    return set(done.stdout.split())


def test_the_standard_loads_nothing_but_pydantic(tmp_path: Path) -> None:
    """All modules of it together leave no third-party module but pydantic and what pydantic itself imports."""
    room = ROOT / "judge" / "standard"
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sorted(room.rglob("*.py")) if path.stem != "__init__"]
    everything = "".join(f"import {module}\n" for module in ("judge.standard", *modules))
    record = "import pydantic\nclass M(pydantic.BaseModel):\n    model_config = pydantic.ConfigDict(frozen=True)\n    x: int = 0\n"
    used = loaded_by(everything + "from judge.standard import *\n", tmp_path)
    assert "pydantic" in used
    assert used <= loaded_by(record, tmp_path)


def test_the_facade_is_sorted_documented_and_there() -> None:
    """Each public name can be imported; functions, classes and modules say what they are."""
    assert judge.standard.__all__ == sorted(judge.standard.__all__)
    for name in judge.standard.__all__:
        value = getattr(judge.standard, name)
        assert value.__doc__ or name == "NullPolicy", name
    campaigns = {"best_cleared", "campaign_score", "floor_score", "running_totals"}
    assert campaigns | {"combine", "effective_minutes", "places"} <= set(judge.standard.__all__)
    assert judge.standard.campaign_score([judge.standard.floor_score(1.0, 48_000, 17)]) == pytest.approx(73.5294, abs=5e-5)
    with pytest.raises(AttributeError, match="no attribute 'Q_info'"):
        _ = judge.standard.Q_info
