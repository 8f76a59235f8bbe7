"""The statements on which two runs differ, the gravest first."""

from collections.abc import Iterable

from judge.auditing.run_pairs import StatementPair
from judge.schema.betweens import RunsDisagreement, RunWord
from judge.schema.labels import Label
from judge.schema.outcomes import Verdict


def run_disagreements(statements: Iterable[StatementPair]) -> tuple[RunsDisagreement, ...]:
    """Return the statements with two labels: first those with opposite ones, then those that move a recall, then the others."""
    found = [(each, each.first, each.second) for each in statements]
    differing = [
        _disagreement(each, first, second)
        for each, first, second in found
        if isinstance(first, Verdict) and isinstance(second, Verdict) and first.label is not second.label
    ]
    return tuple(sorted(differing, key=_gravity))


def _disagreement(statement: StatementPair, first: Verdict, second: Verdict) -> RunsDisagreement:
    return RunsDisagreement(
        item_id=statement.item.id,
        question=statement.item.question,
        answer=statement.item.answer,
        role=statement.role,
        statement=statement.text,
        first=_word(first),
        second=_word(second),
    )


def _word(verdict: Verdict) -> RunWord:
    return RunWord(label=verdict.label, quote=verdict.quote, quote_verified=verdict.quote_verified, rationale=verdict.rationale)


def _gravity(disagreement: RunsDisagreement) -> int:
    labels = {disagreement.first.label, disagreement.second.label}
    if Label.SUPPORTED not in labels:
        return 2
    return 0 if Label.CONTRADICTED in labels else 1
