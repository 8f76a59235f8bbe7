"""The report of a consistency audit as a page."""

from collections.abc import Iterator

from judge.schema.consistency import Consistency, RepeatFigures, StatementStability
from judge.schema.figures import Figure
from judge.schema.labels import Label
from pipelines.reports.audit_parts import audit_facts, figure_cells, reason_words
from pipelines.reports.numbers import format_number
from pipelines.reports.page import Page
from pipelines.reports.table import Column, Table

SHOWN = 15
"""Statements shown side by side; `audit.json` holds all of them."""

_SHORT = {Label.SUPPORTED: "s", Label.CONTRADICTED: "c", Label.NOT_ADDRESSED: "n"}
_TEXT = 60


def consistency_page(audit: Consistency) -> Page:
    """Return the page: the conditions first, since they decide what a repeat means."""
    tables = [_repeat_table(audit), _noise_table(audit), _variant_table(audit), _shift_table(audit), *_unstable_tables(audit)]
    return Page(
        title=f"Consistency of {audit.judge.spec}",
        facts=(*audit_facts(audit), *_conditions(audit)),
        tables=tuple(tables),
        notes=tuple(_notes(audit)),
        warnings=audit.warnings,
        disclosure=audit.disclosure,
    )


def _conditions(audit: Consistency) -> Iterator[tuple[str, str]]:
    found = audit.conditions
    yield "repeats", str(found.repeats)
    yield "temperature", _setting(found.temperature, "temperature" in found.dropped_parameters)
    yield "seed", _setting(found.seed, "seed" in found.dropped_parameters)
    yield "provider caching", _caching(audit)
    yield "asked now", f"{found.asked_now} of {found.judgments} judgments; the others come from cache or journal"
    yield "judged", f"{audit.coverage.numerator} of {audit.coverage.denominator} verdicts asked for"
    yield "policies", f"{audit.policies['audited']}, compared with {audit.policies['compared with']}"


def _setting(value: object, was_dropped: bool) -> str:
    shown = "none" if value is None else str(value)
    return f"{shown}, which the model did not take" if was_dropped else shown


def _caching(audit: Consistency) -> str:
    caching = audit.conditions.caching
    if caching is None:
        return "not known, nothing was asked now"
    cached = caching.cached_input_tokens
    tokens = "not told" if cached is None else f"{cached} of {caching.input_tokens} input tokens from a cache of prompts"
    return f"{tokens}; {caching.repeated_ids} of {caching.replies} replies carry an id seen before"


_MEASURES = (
    ("pairwise_flip", "pairwise flip rate"),
    ("any_flip", "any-flip share"),
    ("majority_share", "mean majority share"),
    ("entropy_bits", "label entropy (bits)"),
    ("normalised_entropy", "entropy / maximum"),
    ("krippendorff_alpha", "Krippendorff's alpha"),
    ("fleiss_kappa", "Fleiss' kappa"),
)


_SHARES = ("pairwise_flip", "any_flip", "majority_share", "normalised_entropy")


def _repeat_table(audit: Consistency) -> Table:
    columns = (
        Column("over the repeats"),
        *(Column(name, numeric=True) for name in ("statements", "95 % interval", "n", "abstention", "95 % interval", "n")),
    )
    rows = [(title, *_cells(audit.statements, name), *_cells(audit.abstention, name)) for name, title in _MEASURES]
    return Table("Repeats of the same request", columns, tuple(rows))


def _cells(figures: RepeatFigures, name: str) -> tuple[str, str, str]:
    figure = getattr(figures, name)
    assert isinstance(figure, Figure)
    return figure_cells(figure, is_share=name in _SHARES)


def _noise_table(audit: Consistency) -> Table:
    columns = (
        Column("metric"),
        *(
            Column(name, numeric=True)
            for name in ("items", "noise share", "between items", "judge noise", "run-to-run sd", "of headline error")
        ),
    )
    rows = [
        (
            noise.metric,
            str(noise.items),
            *(
                format_number(value)
                for value in (noise.noise_share, noise.between, noise.within, noise.run_deviation, noise.headline_share)
            ),
        )
        for noise in audit.noise
    ]
    return Table("How much of the score's spread is judge noise", columns, tuple(rows))


def _variant_table(audit: Consistency) -> Table:
    columns = (
        Column("change"),
        *(Column(name, numeric=True) for name in ("statements", "flip rate", "95 % interval", "beyond noise", "95 % interval")),
        Column("to s / c / n", numeric=True),
    )
    rows = []
    for variant in audit.variants:
        beyond, beyond_interval, _ = figure_cells(variant.beyond_noise)
        flip, interval, _ = figure_cells(variant.flip, is_share=True)
        toward = " / ".join(str(variant.toward[label]) for label in Label)
        rows.append((variant.variant, str(variant.statements), flip, interval, beyond, beyond_interval, toward))
    return Table("Changes that should not matter, and the policy", columns, tuple(rows))


def _shift_table(audit: Consistency) -> Table:
    columns = (
        Column("change"),
        *(Column(name, numeric=True) for name in ("recall", "95 % interval", "items", "contradiction", "95 % interval", "items")),
    )
    rows = [
        (variant.variant, *figure_cells(variant.recall_shift), *figure_cells(variant.contradiction_shift))
        for variant in audit.variants
        if variant.applied
    ]
    return Table("What each change does to the scores, against the first repeat", columns, tuple(rows))


def _unstable_tables(audit: Consistency) -> Iterator[Table]:
    unstable = [each for each in audit.by_statement if each.pairwise_flip or _is_moved(each)][:SHOWN]
    if not unstable:
        return
    names = list(dict.fromkeys(name for each in unstable for name in each.variants))
    columns = (
        Column("item"),
        Column("statement"),
        Column("repeats"),
        Column("majority", numeric=True),
        Column("flip", numeric=True),
        Column("changed by", wraps=True),
    )
    rows = [
        (
            each.item_id,
            each.text if len(each.text) <= _TEXT else f"{each.text[: _TEXT - 1]}…",
            " ".join(_SHORT.get(said, "?") if isinstance(said, Label) else "?" for said in each.repeats),
            format_number(each.majority_share),
            format_number(each.pairwise_flip),
            ", ".join(f"{name}: {_short(each, name)}" for name in names if _differs(each, name)) or "nothing",
        )
        for each in unstable
    ]
    yield Table("The least stable statements (s supported, c contradicted, n not addressed, ? unjudged)", columns, tuple(rows))


def _is_moved(statement: StatementStability) -> bool:
    return any(_differs(statement, name) for name in statement.variants)


def _differs(statement: StatementStability, name: str) -> bool:
    return name in statement.variants and statement.variants[name] != statement.repeats[0]


def _short(statement: StatementStability, name: str) -> str:
    said = statement.variants[name]
    return _SHORT[said] if isinstance(said, Label) else said


def _notes(audit: Consistency) -> Iterator[str]:
    yield audit.conditions.meaning
    if not audit.statements.things:
        yield "No statement was judged."
    yield "Pairwise flip rate: the share of pairs of repeats whose labels differ; lower is better. Alpha and kappa: 1 is full agreement."
    yield "Beyond noise: the flips under a change less those of asking again. An interval above 0 shows that the change matters by itself."
    for variant in audit.variants:
        applied = f"{variant.applied} items" if variant.reason is None else f"not applied, {variant.reason}"
        missing = f"; unjudged: {reason_words(variant.unjudged)}" if variant.unjudged else ""
        yield f"{variant.variant}: {variant.meaning}; {applied}{missing}"
    yield "The change `policy` is meant to matter: it shows how far scores under two policies are apart."
    unjudged = audit.statements.unjudged
    if unjudged:
        yield f"Unjudged among the repeats: {reason_words(unjudged)}."
    for noise in audit.noise:
        if noise.run_values:
            yield f"{noise.metric} in each repeat: {', '.join(format_number(value) for value in noise.run_values)}."
        if noise.reason is not None:
            yield f"Judge noise in {noise.metric}: {noise.reason}."
    yield "All statements, with every verdict: audit.json."
