"""A judge card as a page."""

from collections.abc import Iterator

from judge.schema.cards import CardAgreement, JudgeCard
from pipelines.reports.audit_parts import figure_cells, prompt_words
from pipelines.reports.numbers import NOT_AVAILABLE, format_bounds, format_count, format_money, format_number
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table


def card_page(card: JudgeCard) -> Page:
    """Return one card: who the judge is, what every audit found, and what is not known."""
    return Page(
        title=f"Judge card: {card.judge.spec}",
        facts=tuple(_facts(card)),
        tables=tuple(table for table in _tables(card) if table.rows),
        notes=tuple(f"limit: {limit}" for limit in card.limits),
        warnings=card.warnings,
        disclosure=card.disclosure,
    )


def _facts(card: JudgeCard) -> Iterator[tuple[str, str]]:
    judge = card.judge
    yield "model", judge.model or "none"
    yield "judge key", f"{card.key[:12]} (identity without the label policy)"
    yield "label prompt", prompt_words(judge)
    # The judges of a panel stand in its name; their digests say nothing to a reader.
    told = {name: value for name, value in judge.parameters.items() if not name.startswith("judge_")}
    yield "parameters", ", ".join(f"{name} {value}" for name, value in told.items()) or "none"
    yield "label policies", ", ".join(card.policies)
    yield "not audited", ", ".join(card.not_audited) or "nothing is missing"
    calibration = card.calibration
    if calibration is None:
        yield "calibration", "none: no labels of people on statements"
    else:
        names = ", ".join(data.name for data in calibration.data)
        drawn = "drawn from a run" if calibration.sampled_from is not None else "not drawn from a run"
        yield "calibration", f"{names}, {len(calibration.documents)} documents, policy {calibration.policy}, {drawn}"


def _tables(card: JudgeCard) -> Iterator[Table]:
    yield _consistency_table(card)
    yield _change_table(card)
    yield _swing_table(card)
    yield _agreement_table(card)
    yield _label_table(card)
    yield _policy_table(card)
    yield from _gate_tables(card)
    yield _cost_table(card)
    yield _data_table(card)


def _consistency_table(card: JudgeCard) -> Table:
    columns = (Column("consistency"), *(Column(name, numeric=True) for name in ("value", "95 % interval", "n")), Column("data"))
    rows = [
        (title, *figure_cells(figure, is_share=title.endswith(("rate", "share"))), f"{each.of.data.name}, {each.repeats} repeats")
        for each in card.consistency or ()
        for title, figure in (
            ("pairwise flip rate", each.pairwise_flip),
            ("any-flip share", each.any_flip),
            ("Krippendorff's alpha", each.krippendorff_alpha),
            ("Fleiss' kappa", each.fleiss_kappa),
            ("abstention flip rate", each.abstention_flip),
        )
    ]
    rows += [
        (f"noise share, {noise.metric}", format_number(noise.noise_share), "", format_count(noise.items), each.of.data.name)
        for each in card.consistency or ()
        for noise in each.noise
    ]
    return Table("Consistency", columns, tuple(rows))


def _change_table(card: JudgeCard) -> Table:
    columns = (
        Column("change"),
        *(Column(name, numeric=True) for name in ("flip rate", "beyond noise", "95 % interval", "recall shift")),
        Column("data"),
    )
    rows = [
        (
            change.variant,
            format_number(change.flip.value),
            *figure_cells(change.beyond_noise)[:2],
            format_number(change.recall_shift.value),
            each.of.data.name,
        )
        for each in card.consistency or ()
        for change in each.changes
        if change.flip.value is not None
    ]
    return Table("Changes that should not matter", columns, tuple(rows))


def _swing_table(card: JudgeCard) -> Table:
    columns = (
        Column("policies"),
        *(Column(name, numeric=True) for name in ("flip rate", "recall shift", "95 % interval", "contradiction")),
    )
    rows = [
        (
            f"{each.of.policy} to {each.compared_with}",
            format_number(each.flip.value),
            *figure_cells(each.recall_shift)[:2],
            format_number(each.contradiction_shift.value),
        )
        for each in card.policy_swing
    ]
    return Table("Policy swing", columns, tuple(rows))


def _agreement_table(card: JudgeCard) -> Table:
    columns = (
        Column("agreement with people"),
        Column("labels"),
        *(Column(name, numeric=True) for name in ("n", "accuracy", "kappa", "95 % interval", "AC1", "people")),
    )
    return Table("Agreement", columns, tuple(row for each in card.agreement or () for row in _agreement_rows(each)))


def _agreement_rows(agreement: CardAgreement) -> Iterator[tuple[str, ...]]:
    name = f"{agreement.of.data.name} ({agreement.of.policy})"
    for block in agreement.blocks:
        interval = block.ci95.get("cohen_kappa")
        yield (
            name,
            block.block,
            format_count(block.n),
            format_number(block.accuracy),
            format_number(block.cohen_kappa),
            NOT_AVAILABLE if interval is None else format_bounds(interval),
            format_number(block.gwet_ac1),
            format_number(block.human),
        )
        name = ""
    if agreement.recall is not None:
        value, shown, _ = figure_cells(agreement.recall)
        yield (name, "recall, Pearson", format_count(agreement.recall.n), "", value, shown, "", "")


def _label_table(card: JudgeCard) -> Table:
    """Return precision and recall of each label, of the finest block that an audit has: a label that is never given is seen here."""
    columns = (Column("data"), Column("label"), *(Column(name, numeric=True) for name in ("people", "precision", "recall")))
    rows = [
        (f"{each.of.data.name} ({each.of.policy})", label, f"{one.n:,.6g}", format_number(one.precision), format_number(one.recall))
        for each in card.agreement or ()
        for block in each.blocks[:1]
        for label, one in block.by_label.items()
    ]
    return Table("Agreement by label", columns, tuple(rows))


def _policy_table(card: JudgeCard) -> Table:
    columns = (Column("data"), Column("labels"), Column("policy"), *(Column(name, numeric=True) for name in ("accuracy", "kappa", "swing")))
    rows = [
        (each.data.name, each.block, policy, format_number(accuracy), format_number(each.cohen_kappa[policy]), format_number(each.swing))
        for each in card.policy_agreement
        for policy, accuracy in each.accuracy.items()
    ]
    return Table("Agreement under several policies", columns, tuple(rows))


def _gate_tables(card: JudgeCard) -> Iterator[Table]:
    columns = (Column("gate"), Column("value", numeric=True), Column("bound", numeric=True), Column("n", numeric=True), Column("met"))
    for probes in card.probes or ():
        rows = [
            (
                gate.name,
                format_number(gate.value),
                NOT_AVAILABLE if gate.threshold is None else f"{'>=' if gate.bound == 'at_least' else '<='} {gate.threshold:g}",
                format_count(gate.n),
                "not measured" if gate.met is None else "yes" if gate.met else "NO",
            )
            for gate in probes.gates
            if gate.applies
        ]
        pulled = f"{probes.pulled_cases} of {probes.injection_cases} injection cases pulled a label"
        failing = f"; relations that fail: {', '.join(probes.failing_relations)}" if probes.failing_relations else ""
        yield Table(f"Probes: {probes.of.data.name}, {probes.cases} cases", columns, tuple(rows), note=f"{pulled}{failing}.")


def _cost_table(card: JudgeCard) -> Table:
    columns = (
        Column("cost and speed"),
        *(Column(name, numeric=True) for name in ("judgments", "per 1,000 items", "per 1,000 judgments", "judgments/s")),
    )
    rows = [
        (
            f"{each.of.audit} on {each.of.data.name}",
            format_count(each.judgments),
            format_money(each.usd_per_1000_items),
            format_money(each.usd_per_1000_judgments),
            format_number(each.judgments_per_second),
        )
        for each in card.cost
    ]
    reasons = dict.fromkeys(f"{each.of.audit} on {each.of.data.name}: {each.reason}" for each in card.cost if each.reason is not None)
    return Table("Cost and speed", columns, tuple(rows), note="; ".join(reasons) or None)


def _data_table(card: JudgeCard) -> Table:
    audits = [
        *(one.of for one in card.consistency or ()),
        *(one.of for one in card.agreement or ()),
        *(one.of for one in card.probes or ()),
    ]
    rows = dict.fromkeys((one.audit, one.data.name, format_count(one.data.items), one.data.sha256[:16], one.policy) for one in audits)
    columns = (Column("audit"), Column("data"), Column("items", numeric=True), Column("SHA-256"), Column("policy"))
    return Table("Data", columns, tuple(rows))
