"""The text of docs/judge-quality.md."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.judge_quality.sets import GoldSet
from judge.schema.agreements import LabelAgreement
from judge.schema.figures import Figure
from pipelines.reports.numbers import NOT_AVAILABLE, format_bounds, format_number

READERS = Path(__file__).with_name("readers.md")
"""What was found by hand, once, and is kept as it was written."""

_BLOCKS = {"labels": "three labels", "supported": "supported or not", "abstention": "abstention", "pairs": "preference"}
_FIGURES = {"accuracy": "accuracy", "balanced_accuracy": "balanced", "macro_f1": "macro-F1", "cohen_kappa": "kappa", "gwet_ac1": "AC1"}

_INTRODUCTION = """# How good the judges are

Three things are known of the judges that ship with this tool: which public sets of human labels they were tried on, how far the offline
baseline agrees with people on each, and what capable readers made of the prompts. `python -m benchmarks.judge_quality` writes this page
from the sets in the folder that CRUX_GOLD_DIR names; with `--check` it says whether the page is up to date.

None of it says how reliable your judge model is. `judge audit agreement`, `judge audit probes` and `judge audit consistency` do."""

_BASELINE = """## The offline baseline on every set

What `judge audit agreement SET --judge lexical` finds. The baseline compares words; its thresholds and patterns were chosen while
looking at the aggregate figures of these very sets, so they flatter it. Intervals are 95 %, clustered by document. *People* is the
share of pairs of people who say the same of one thing, where the set tells; for FM2 the mean share of other players who were right.
*Balanced* is balanced accuracy, *kappa* Cohen's kappa, *AC1* Gwet's. A preference is by the recall of the gold answer; equal recalls
are a tie, which agrees with nobody."""

_BESIDE = """## The baseline and the readers beside each other

Three labels; the readers' figures are those of the account below, taken once, by round. A round is a part of the set, and which figures
it would give the baseline was not kept, so a difference of a few hundredths shows nothing. Other sets were not read."""


class Reading(NamedTuple):
    """A line of the account: which set, in which round, how many statements, agreement and kappa as they stand there."""

    name: str
    round: str
    statements: str
    agreement: str
    kappa: str


def document(sets: Sequence[GoldSet], account: str) -> str:
    """Return the whole page; `account` is the hand-written part, which stands in it word for word."""
    blocks = [
        [_INTRODUCTION],
        ["## The sets", "Labels by people; none by a model. Shares of labels are those of the sampling.", *_set_tables(sets)],
        [_BASELINE, *_baseline_tables(sets)],
        [_BESIDE, _beside(sets, readings(account))],
        [account.strip()],
    ]
    return "\n\n".join(part for block in blocks for part in block) + "\n"


def readings(account: str) -> list[Reading]:
    """Return the lines of the table in which the account gives its figures. Raises ValueError where it has no such table."""
    _, found, rest = account.partition("| set | round | statements | agreement | Cohen's kappa |\n")
    if not found:
        raise ValueError(f"{READERS.name} holds no table of sets, rounds, statements, agreement and Cohen's kappa")
    lines = rest.split("\n\n")[0].splitlines()[1:]
    return [Reading(*(cell.strip() for cell in line.strip("|").split("|"))) for line in lines]


def _set_tables(sets: Sequence[GoldSet]) -> Iterator[str]:
    yield _table(
        ("set", "records", "documents", "labels"),
        [
            (each.name, str(len(each.gold.records)), str(each.documents), ", ".join(f"{word} {n}" for word, n in each.labels.items()))
            for each in sets
        ],
    )
    yield _table(
        ("set", "source", "licence"),
        [(each.name, ", ".join(f"`{source}`" for source in each.sources), "; ".join(each.licences)) for each in sets],
    )
    yield _table(("file", "SHA-256"), [(f"`{each.gold.path.name}`", f"`{each.gold.sha256}`") for each in sets])


def _baseline_tables(sets: Sequence[GoldSet]) -> Iterator[str]:
    known = [(each, name, block) for each in sets for name, block in _blocks(each)]
    yield _table(
        ("set", "labels", "n", *_FIGURES.values(), "people"),
        [(each.name, _BLOCKS[name], str(block.n), *_cells(block), _human(block)) for each, name, block in known],
    )
    yield "Recall, precision and F1 of each label:"
    yield _table(
        ("set", "labels", "label", "people", "precision", "recall", "F1"),
        [
            (each.name, _BLOCKS[name], word, f"{one.n:g}", *map(format_number, (one.precision, one.recall, one.f1)))
            for each, name, block in known
            for word, one in block.by_label.items()
        ],
    )
    yield "Judged recall of an answer against the share that people found, or against the score that they gave:"
    yield _table(
        ("set", "answers", "Pearson", "Spearman", "Kendall's tau-b"),
        [
            (each.name, str(found.n), *map(_figure, (found.pearson, found.spearman, found.kendall_tau_b)))
            for each in sets
            if (found := each.audit.recall) is not None
        ],
    )
    told = list(_reasons(known))
    if told:
        yield "\n".join(told)


def _reasons(known: Sequence[tuple[GoldSet, str, LabelAgreement]]) -> Iterator[str]:
    """Yield why figures are missing, and what was not judged."""
    for each, name, block in known:
        for figure, why in block.reasons.items():
            if figure in _FIGURES:
                yield f"- {each.name}, {_BLOCKS[name]}, {_FIGURES[figure]}: {why}."
        if block.unjudged:
            yield f"- {each.name}, {_BLOCKS[name]}: unjudged {', '.join(f'{count} {reason}' for reason, count in block.unjudged.items())}."


def _beside(sets: Sequence[GoldSet], found: Sequence[Reading]) -> str:
    rows = [
        (
            each.name,
            f"baseline, {each.audit.labels.n} statements",
            format_number(each.audit.labels.accuracy),
            format_number(each.audit.labels.cohen_kappa),
        )
        for each in sets
        if each.audit.labels is not None
    ]
    for reading in found:
        at = [place for place, row in enumerate(rows) if row[0] == reading.name.lower()]
        if at:
            rows.insert(
                at[-1] + 1, (reading.name.lower(), f"readers, round {reading.round}, {reading.statements} statements", *reading[3:])
            )
    return _table(("set", "judge", "agreement", "kappa"), rows)


def _blocks(each: GoldSet) -> Iterator[tuple[str, LabelAgreement]]:
    audit = each.audit
    found = {"labels": audit.labels, "supported": audit.supported, "abstention": audit.abstention, "pairs": audit.pairs}
    yield from ((name, block) for name, block in found.items() if block is not None)


def _cells(block: LabelAgreement) -> Iterator[str]:
    for name in _FIGURES:
        interval = block.ci95.get(name)
        value = format_number(getattr(block, name))
        yield value if interval is None else f"{value} ({format_bounds(interval)})"


def _human(block: LabelAgreement) -> str:
    return NOT_AVAILABLE if block.human is None else format_number(block.human.agreement)


def _figure(figure: Figure) -> str:
    value = format_number(figure.value)
    return f"{value} ({figure.reason})" if figure.ci95 is None else f"{value} ({format_bounds(figure.ci95)})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows))
