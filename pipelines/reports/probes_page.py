"""The report of a probe audit as a page."""

from collections.abc import Iterator

from judge.schema.probes import GroupFigures, ProbeGate, Probes, Pulled, RelationFigures
from pipelines.reports.audit_parts import audit_facts, figure_cells, reason_words
from pipelines.reports.numbers import NOT_AVAILABLE, format_bounds, format_number
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table

_WORST_SHOWN = 3
_WRONG_SHOWN = 40
_TEXT = 300
_P_DIGITS = 4


def probes_page(audit: Probes) -> Page:
    """Return the page: the gates first, then groups and kinds, what was pulled in full, and the relations."""
    tables = (
        _gate_table(audit),
        _group_table("Groups", audit.groups),
        _group_table("Kinds", audit.kinds),
        _confusion_table(audit),
        *_pulled_tables(audit),
        _order_table(audit),
        *_relation_tables(audit),
        *_wrong_tables(audit),
        _not_made_table(audit),
    )
    return Page(
        title=f"Probes of {audit.judge.spec}",
        facts=(*audit_facts(audit), *_facts(audit)),
        tables=tuple(table for table in tables if table.rows),
        notes=tuple(_notes(audit)),
        warnings=audit.warnings,
        disclosure=audit.disclosure,
    )


def _facts(audit: Probes) -> Iterator[tuple[str, str]]:
    found = audit.probe_file
    origin = "shipped" if found.shipped else "your own"
    yield "probe cases", f"{found.name}, {origin}: {found.cases} cases of {found.kinds} kinds (SHA-256 {found.sha256[:12]})"
    if audit.choices.items:
        chosen = f"{audit.choices.pool} of {audit.choices.items} items, up to {audit.choices.per_relation} per relation"
        yield "relations", f"{len(audit.choices.relations)} on {chosen}; shuffle seed {audit.choices.shuffle_seed}"
    yield "repeats", str(audit.conditions.repeats)
    yield "temperature", "none" if audit.conditions.temperature is None else str(audit.conditions.temperature)
    yield "judged", f"{audit.coverage.numerator} of {audit.coverage.denominator} verdicts asked for"
    applying = [gate for gate in audit.gates if gate.applies]
    yield "gates met", f"{sum(gate.met is True for gate in applying)} of {len(applying)}"


def _gate_table(audit: Probes) -> Table:
    columns = (
        Column("gate"),
        Column("what", wraps=True),
        *(Column(name, numeric=True) for name in ("value", "bound", "95 % interval", "n", "unjudged")),
        Column("met"),
    )
    rows = tuple(
        (
            gate.name,
            gate.measure,
            format_number(gate.value),
            _bound(gate),
            NOT_AVAILABLE if gate.ci95 is None else format_bounds(gate.ci95),
            str(gate.n),
            str(gate.unjudged),
            _met(gate),
        )
        for gate in audit.gates
    )
    return Table("Gates: what a judge fit for release keeps", columns, rows, "A case that was not judged counts as wrong.")


def _bound(gate: ProbeGate) -> str:
    if gate.threshold is None:
        return NOT_AVAILABLE
    return f"{'>=' if gate.bound == 'at_least' else '<='} {gate.threshold:.3g}"


def _met(gate: ProbeGate) -> str:
    if not gate.applies:
        return "no case"
    return {True: "yes", False: "NO", None: "not measured"}[gate.met]


def _group_table(title: str, groups: tuple[GroupFigures, ...]) -> Table:
    columns = (
        Column("kind" if title == "Kinds" else "group"),
        *(Column(name, numeric=True) for name in ("cases", "accuracy", "95 % interval")),
        Column("wrong, all repeats", wraps=True),
        Column("unjudged", wraps=True),
    )
    rows = []
    for group in groups:
        value, interval, _ = figure_cells(group.accuracy, is_share=True)
        wrong = ", ".join(f"{count} {label}" for label, count in group.wrong.items()) or "none"
        rows.append((group.name, str(group.cases), value, interval, wrong, reason_words(group.unjudged)))
    return Table(title, columns, tuple(rows))


def _confusion_table(audit: Probes) -> Table:
    names = list(dict.fromkeys(name for row in audit.confusion.values() for name in row))
    columns = (Column("gold"), *(Column(name, numeric=True) for name in names))
    rows = tuple((gold, *(str(row.get(name, 0)) for name in names)) for gold, row in audit.confusion.items())
    return Table("Single verdicts by gold label (rows) and judged label (columns)", columns, rows)


def _pulled_tables(audit: Probes) -> Iterator[Table]:
    found = audit.injections
    for number, pull in enumerate(found.in_full, start=1):
        title = f"Pulled {number} of {len(found.in_full)}: {pull.case}, {_before(pull)} {pull.gold}, judged {pull.judged}"
        yield Table(title, (Column("part"), Column("text", wraps=True)), tuple(_pull_rows(pull)))


def _before(pull: Pulled) -> str:
    """Return what the label before the pull is: people's of a probe case, the judge's own of a changed item."""
    return "gold" if pull.variant is None else "without payload"


def _pull_rows(pull: Pulled) -> Iterator[tuple[str, str]]:
    variant = "" if pull.variant is None else f", {pull.variant}"
    yield "source", f"{pull.source}{variant}, in repeat {', '.join(map(str, pull.repeats))}"
    yield from _whole("question", pull.question or "none")
    yield from _whole("answer", pull.answer)
    yield from _whole("proposition", pull.proposition)
    yield _before(pull), pull.gold
    yield "judged", pull.judged
    yield from _whole("quote", pull.quote or "none")
    yield from _whole("rationale", pull.rationale)


def _whole(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield a text in rows that no renderer cuts."""
    while len(text) > _TEXT:
        end = text.rfind(" ", 1, _TEXT) + 1 or _TEXT
        yield name, text[:end]
        name, text = "", text[end:]
    yield name, text


def _order_table(audit: Probes) -> Table:
    columns = (Column("propositions of one answer"), *(Column(name, numeric=True) for name in ("flip", "95 % interval", "n")))
    figures = (
        ("in other orders", audit.order.flip),
        ("asked again as they are", audit.order.noise),
        ("one by one", audit.order.split_flip),
    )
    rows = tuple((name, *figure_cells(figure)) for name, figure in figures)
    return Table("Order", columns, rows if audit.order.propositions else ())


def _relation_tables(audit: Probes) -> Iterator[Table]:
    columns = (
        Column("relation"),
        Column("expects"),
        *(Column(name, numeric=True) for name in ("items", "n", "broken", "rate", "95 % interval", "noise", "p")),
        Column("fails"),
    )
    rows = tuple(
        (
            one.relation,
            ", ".join(one.expects),
            str(one.items),
            str(one.n),
            str(one.violations),
            *figure_cells(one.rate, is_share=True)[:2],
            format_number(one.identity.value),
            NOT_AVAILABLE if one.p is None else f"{one.p:.{_P_DIGITS}f}",
            _fails(one),
        )
        for one in audit.relations
    )
    note = "broken: of n propositions compared. noise: how many of them change when asked again. p: more broken than noise, by item."
    yield Table("Relations on your items", columns, rows, note)
    for one in audit.relations:
        if one.worst:
            yield _worst_table(one)


def _fails(one: RelationFigures) -> str:
    return {True: "YES", False: "no", None: "not known"}[one.fails]


def _worst_table(one: RelationFigures) -> Table:
    columns = (
        Column("item"),
        Column("change"),
        Column("proposition", wraps=True),
        Column("before"),
        Column("after"),
        Column("why", wraps=True),
    )
    rows = tuple(
        (
            example.item_id,
            example.variant,
            _cut(example.proposition or "(abstention)"),
            example.before,
            example.after,
            _cut(example.rationale),
        )
        for example in one.worst[:_WORST_SHOWN]
    )
    towards = ", ".join(f"{count} {label}" for label, count in one.toward.items())
    return Table(f"{one.relation}: {one.meaning}", columns, rows, f"Broken, by the label they went to: {towards}.")


def _wrong_tables(audit: Probes) -> Iterator[Table]:
    wrong = [case for case in audit.cases if any(label is not case.label for label in case.labels)]
    columns = (Column("case"), Column("kind"), Column("gold"), Column("judged, one a repeat", wraps=True))
    rows = tuple((case.id, case.kind, case.label, _runs(case.labels)) for case in wrong[:_WRONG_SHOWN])
    left = len(wrong) - len(rows)
    yield Table("Cases with a wrong verdict", columns, rows, f"{left} more stand in audit.json." if left > 0 else None)


def _runs(labels: tuple[str, ...]) -> str:
    """Return labels with how often each was given, where they are several."""
    counts = {label: labels.count(label) for label in dict.fromkeys(labels)}
    return ", ".join(str(label) if len(counts) == 1 else f"{count} x {label}" for label, count in counts.items())


def _not_made_table(audit: Probes) -> Table:
    columns = (Column("relation"), Column("change", wraps=True), Column("kinds of cases that cover it", wraps=True))
    rows = tuple((one.relation, one.meaning, ", ".join(one.kinds) or "none in this file") for one in audit.not_made)
    return Table("Relations that no machine makes", columns, rows)


def _notes(audit: Probes) -> Iterator[str]:
    yield audit.conditions.meaning
    yield from _injection_notes(audit)
    for gate in audit.gates:
        if gate.met is None and gate.applies:
            yield f"{gate.name}: {gate.reason}."
    if audit.order.propositions:
        yield "The gate on order allows the noise of asking again, and 0.01 more."
    for one in audit.relations:
        yield from _relation_notes(one)
    if not audit.relations:
        yield "Relations were not tried: they take items of your own (FILE with items, or --items INPUT)."
    if audit.probe_file.shipped:
        yield "The shipped cases are made up, so that knowledge of the world does not help; their labels follow written rules."


def _injection_notes(audit: Probes) -> Iterator[str]:
    found = audit.injections
    if found.cases:
        yield f"Injections: {found.pulled_cases} of {found.cases} cases were pulled in the payload's direction in at least one repeat."
    own = sum(pull.variant is not None for pull in found.in_full)
    if own:
        yield f"Payloads in your own items pulled {own} labels; they stand among those shown in full."


def _relation_notes(one: RelationFigures) -> Iterator[str]:
    if one.reason is not None:
        yield f"{one.relation}: {one.reason}."
    if one.unjudged:
        yield f"{one.relation}: not compared, since unjudged: {reason_words(one.unjudged)}."
    if one.prompt_faults is not None:
        yield f"{one.relation}: {one.prompt_faults} of {one.prompts} prompts let the text out of its field."


def _cut(text: str | None) -> str:
    if text is None:
        return ""
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"
