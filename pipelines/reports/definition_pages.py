"""The registry of the standard as pages: a list by group and layer, a full reference, and one metric explained."""

from collections.abc import Iterable, Iterator, Sequence

from judge.schema.definitions import DIRECTIONS, GROUPS, LAYERS, Definition, ListedDefinition
from judge.standard.catalogue import BY_SYMBOL
from judge.standard.own_definitions.signals import ITEM_RULES
from judge.standard.retirement import listed
from judge.standard.versions import LATEST, OWN_VERSIONS
from pipelines.disclosing import JUDGE_SIGNALS
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table
from pipelines.reports.terminal import wrap
from pipelines.reports.version_tables import band_table, policy_table, profile_table, version_table

_LIST_COLUMNS = ("symbol", "id", "name", "unit", "range", "direction", "since")
_WORD_COLUMNS = ("symbol", "formula", "inputs", "null rule", "meaning", "source")

_PIECE_WIDTH = 60
"""As wide as a cell of the terminal may be, so that no word of a formula is cut there."""


def list_page(selected: Sequence[Definition], version: str | None) -> Page:
    """Return what a version selects, by group and layer, for a terminal; `version` is None for the latest and our own definitions."""
    tables = tuple(table for members in _grouped(selected) for table in (_list_table(members), _formula_table(members)))
    notes = (f"direction: {_directions()}", "judge metrics SYMBOL explains a metric in full.", *_retirements(selected))
    return Page(_title(version), _counts(selected), tables, notes, disclosure=_disclosure(selected, version))


def reference_page(selected: Sequence[Definition], version: str | None) -> Page:
    """Return the list with everything that a definition says, the versions, the null policies and the bands, for a document."""
    groups = (table for members in _grouped(selected) for table in (_list_table(members), _word_table(members)))
    facts = (*_counts(selected), ("direction", _directions()), ("made by", "judge metrics --markdown"))
    tables = (version_table(), policy_table(), band_table(), profile_table(), *groups)
    return Page(_title(version), facts, tables, _retirements(selected), disclosure=_disclosure(selected, version))


def definition_page(one: Definition, version: str | None) -> Page:
    """Return everything about one metric: its definition, what its inputs mean, how an item counts in it, what is made from it."""
    return Page(
        title=f"{one.symbol}: {one.name}",
        facts=tuple(_facts(listed(one))),
        tables=(),
        notes=(*_input_notes(one), *_rule_notes(one), *_use_notes(one)),
        disclosure=_disclosure((one,), version if version or one.since not in OWN_VERSIONS else one.since),
    )


def _title(version: str | None) -> str:
    if version is None:
        return f"Metrics of the scoring standard, version {LATEST}, and this project's own definitions"
    if version in OWN_VERSIONS:
        return f"This project's own definitions, {version}"
    return f"Metrics of the scoring standard, version {version}"


def _directions() -> str:
    return "; ".join(f"{direction}, {meaning}" for direction, meaning in DIRECTIONS.items())


def _counts(selected: Sequence[Definition]) -> tuple[tuple[str, str], ...]:
    kinds = dict.fromkeys(one.kind for one in selected)
    return tuple((kind, str(sum(one.kind == kind for one in selected))) for kind in kinds)


def _grouped(selected: Sequence[Definition]) -> Iterator[list[Definition]]:
    """Yield the definitions of each group and layer, both in their fixed order."""
    for key in ((group, layer) for group in GROUPS for layer in LAYERS):
        members = [one for one in selected if (one.group, one.layer) == key]
        if members:
            yield members


def _heading(members: Sequence[Definition]) -> str:
    return f"{members[0].group.capitalize()} ({members[0].layer})"


def _list_table(members: Sequence[Definition]) -> Table:
    """Return a row per metric; without a column of ids where none has one."""
    has_ids = any(one.id is not None for one in members)
    columns = tuple(Column(name) for name in _LIST_COLUMNS if has_ids or name != "id")
    rows = tuple(
        (one.symbol, *((one.id or "",) if has_ids else ()), one.name, one.unit, one.range, one.direction, one.since) for one in members
    )
    return Table(_heading(members), columns, rows)


def _formula_table(members: Sequence[Definition]) -> Table:
    """Return formula and null rule of each metric, broken into as many rows as they need."""
    rows = tuple(row for one in members for row in (*_pieces(one.symbol, one.formula), *_pieces("", one.null_rule)))
    return Table(f"{_heading(members)}: formulas and null rules", (Column("symbol"), Column("formula")), rows)


def _pieces(head: str, text: str) -> Iterator[tuple[str, str]]:
    for place, piece in enumerate(wrap(text, _PIECE_WIDTH)):
        yield ("" if place else head), piece


def _word_table(members: Sequence[Definition]) -> Table:
    rows = tuple((one.symbol, one.formula, ", ".join(one.inputs), one.null_rule, one.meaning, one.source) for one in members)
    return Table(f"{_heading(members)}: in words", tuple(map(Column, _WORD_COLUMNS)), rows)


def _facts(entry: ListedDefinition) -> Iterator[tuple[str, str]]:
    yield "id", entry.id or "none"
    if entry.key != entry.symbol:
        yield "JSON key", entry.key
    yield "group", entry.group
    yield "layer", entry.layer
    yield "unit", entry.unit
    yield "range", entry.range
    yield "direction", f"{entry.direction}: {DIRECTIONS[entry.direction]}"
    yield "since", entry.since
    yield "formula", entry.formula
    yield "inputs", ", ".join(entry.inputs)
    yield "null rule", entry.null_rule
    yield "meaning", entry.meaning
    yield "source", entry.source
    if entry.profile is not None and entry.formula_id is not None:
        yield "profile", entry.profile
        yield "formula id", entry.formula_id
    if entry.deprecated_in is not None:
        yield "deprecated in", entry.deprecated_in
        yield "replaced by", entry.replaced_by or "nothing"


def _input_notes(one: Definition) -> tuple[str, ...]:
    return tuple(_said(BY_SYMBOL[symbol]) for symbol in one.inputs if symbol in BY_SYMBOL and symbol != one.symbol)


def _said(given: Definition) -> str:
    return f"input {given.symbol} ({given.name}, {given.unit}, {given.range}): {given.meaning}"


def _rule_notes(one: Definition) -> tuple[str, ...]:
    rule = BY_SYMBOL.get(ITEM_RULES.get(one.symbol, ""))
    return () if rule is None else (f"an item by {rule.since} ({rule.symbol}): {rule.formula}",)


def _use_notes(one: Definition) -> tuple[str, ...]:
    users = [other.symbol for other in BY_SYMBOL.values() if one.symbol in other.inputs and other is not one]
    return (f"used by {', '.join(users)}",) if users else ()


def _retirements(selected: Iterable[Definition]) -> tuple[str, ...]:
    retired = (entry for entry in map(listed, selected) if entry.deprecated_in is not None)
    return tuple(f"{one.symbol} is deprecated in {one.deprecated_in}, replaced by {one.replaced_by or 'nothing'}" for one in retired)


def _disclosure(selected: Sequence[Definition], version: str | None) -> str:
    parts = [version if version in OWN_VERSIONS and version is not None else f"metrics_version {version or LATEST}"]
    if any(_rests_on_judge(one) for one in selected):
        parts.append(f"judge signals have no public definition ({', '.join(JUDGE_SIGNALS)}): not fully objective")
    own = dict.fromkeys(one.since for one in selected if one.kind == "own")
    return "; ".join([*parts, *([f"{_in_words(list(own))}: this project's own definitions"] if own else [])])


def _in_words(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _rests_on_judge(one: Definition) -> bool:
    """Return whether a judge's signal is part of a metric, at whatever depth."""
    inputs = (BY_SYMBOL[name] for name in one.inputs if name in BY_SYMBOL and name != one.symbol)
    return one.symbol in JUDGE_SIGNALS or any(map(_rests_on_judge, inputs))
