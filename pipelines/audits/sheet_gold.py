"""From labelled rows to gold records: answers with all their propositions, the drawn ones labelled and weighted."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from judge.auditing.annotators import majority
from judge.schema.items import Item
from judge.schema.results import ItemResult
from judge.schema.sheets import SheetKey, SheetLabels, SheetRow
from pipelines.audits.gold_file import GoldRecord
from pipelines.audits.sheet_labels import UNSURE, Returned


class Labelling(NamedTuple):
    """What came of each row: its label, the rows on which annotators are tied, and votes without those who are unsure."""

    labels: dict[str, str]
    tied: tuple[str, ...]
    votes: dict[str, dict[str, str]]
    counts: SheetLabels


def label_rows(key: SheetKey, returned: Returned) -> Labelling:
    """Return the label of each row: what most annotators say, or where they are tied what an adjudicator says."""
    rows = [row.row for row in key.rows]
    votes = {row: {name: label for name, label in returned.said.get(row, {}).items() if label != UNSURE} for row in rows}
    agreed = {row: label for row in rows if (label := majority(votes[row])) is not None}
    ruled = {row: label for row, label in returned.decided.items() if row not in agreed and label != UNSURE}
    labels = {**agreed, **ruled}
    tied = tuple(row for row in rows if row not in labels and votes[row])
    said = sum(len(each) for each in returned.said.values())
    counts = SheetLabels(
        annotators=returned.annotators,
        rows=len(rows),
        labelled=len(labels),
        adjudicated=len(ruled),
        tied=len(tied),
        without_label=len(rows) - len(labels) - len(tied),
        unsure=said - sum(map(len, votes.values())),
        blank=len(rows) * len(returned.annotators) - said,
    )
    return Labelling(labels, tied, votes, counts)


def row_weights(key: SheetKey, labelled: Mapping[str, str]) -> dict[str, float]:
    """Return how many statements of its stratum each labelled row stands for; 1 throughout where all stand for as many.

    Rows without a label leave their share to the others of their stratum.
    """
    known = [row for row in key.rows if row.row in labelled]
    if key.whole_items:
        return dict.fromkeys((row.row for row in known), 1.0)
    found = Counter(row.stratum for row in known)
    weights = {row.row: key.strata[row.stratum].size / found[row.stratum] for row in known}
    return dict.fromkeys(weights, 1.0) if len(set(weights.values())) == 1 else weights


def gold_lines(pairs: Sequence[tuple[Item, ItemResult]], key: SheetKey, labelling: Labelling) -> Iterator[str]:
    """Yield a line of the gold file for each item with a labelled statement, in the order of the run."""
    weights = row_weights(key, labelling.labels)
    rows = {(row.item_id, row.proposition_id): row for row in key.rows}
    for item, result in pairs:
        drawn = {part.id: row for part in result.propositions if (row := rows.get((item.id, part.id))) is not None}
        if not any(row.row in labelling.labels for row in drawn.values()):
            continue
        propositions = [
            {"id": part.id, "text": part.text, **_of_row(drawn.get(part.id), labelling, weights)} for part in result.propositions
        ]
        record = {"id": item.id, "kind": "entail3", "doc_id": item.cluster, "question_id": item.question_id}
        yield (
            json.dumps({**record, "question": item.question, "answer": item.answer, "propositions": propositions}, ensure_ascii=False)
            + "\n"
        )


def _of_row(row: SheetRow | None, labelling: Labelling, weights: Mapping[str, float]) -> dict[str, Any]:
    """Return what people say of a proposition; one that was not drawn stands there as a companion in its requests."""
    if row is None:
        return {"label": None}
    votes = dict(sorted(Counter(labelling.votes[row.row].values()).items()))
    return {"label": labelling.labels.get(row.row), "votes": votes or None, "weight": weights.get(row.row, 1.0)}


def gold_records(lines: Sequence[str]) -> tuple[GoldRecord, ...]:
    """Return the lines as they are read from a gold file."""
    return tuple(map(GoldRecord.model_validate_json, lines))
