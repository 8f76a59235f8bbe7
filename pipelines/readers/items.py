"""A row as an item, and an item as a line."""

import json
from collections.abc import Callable
from typing import Any

from judge.schema.items import Item
from pipelines.readers import values
from pipelines.readers.cells import cell_value
from pipelines.readers.fields import SERIALISED, Shape
from pipelines.readers.rows import Row

_PARSERS: dict[str, Callable[[Any], Any]] = {
    "id": values.identifier,
    "question_id": values.group_name,
    "trial": values.whole_number,
    "agent": values.group_name,
    "cluster": values.group_name,
    "question": values.plain_text,
    "ground_truth": values.references,
    "propositions": values.propositions,
    "answerable": values.truth,
    "declared_abstained": values.truth,
    "sources": values.statements,
    "gaps": values.statements,
    "conflicts": values.conflicts,
    "decoys": values.statements,
    "tests": values.item_tests,
    "metadata": values.json_object,
    SERIALISED: values.truth,
}


def build_item(row: Row, shape: Shape) -> Item | tuple[str, ...]:
    """Return the item that a row holds, or everything that is wrong with it.

    An absent id is made from the line number. An answer that is no text is kept as JSON text with `answer_serialised`, so that
    equal values read equally; what no field takes goes to metadata.
    """
    parts: dict[str, Any] = {}
    faults: list[str] = []
    for field, column in shape.columns:
        try:
            value = _parsed(field, column, row)
        except ValueError as error:
            faults.append(f"`{column}`: {error}")
        else:
            if value is not None:
                parts[field] = value
    answer = parts.get("answer")
    if answer is None:
        faults.append(_missing_answer(row, shape))
    elif not isinstance(answer, str):
        parts["answer"] = json.dumps(answer, ensure_ascii=False)
        parts[SERIALISED] = True
    given = parts.get("metadata", {})
    extra = {name: row.values[name] for name in shape.extra if name in row.values}
    faults.extend(f"`{name}` and `metadata.{name}` differ" for name in extra if name in given and given[name] != extra[name])
    if faults:
        return tuple(f"item `{parts['id']}`: {fault}" for fault in faults) if "id" in parts else tuple(faults)
    parts.setdefault("id", f"line-{row.line}")
    parts["metadata"] = {**extra, **given}
    return Item.model_validate(parts)


def item_json(item: Item) -> str:
    """Return the item as one line of normalised JSON, without what is absent; reading it back gives an equal item."""
    return item.model_dump_json(exclude_defaults=True)


def _parsed(field: str, column: str, row: Row) -> Any:
    value = cell_value(field, row.values.get(column, "")) if row.textual else row.values.get(column)
    parse = _PARSERS.get(field)
    return value if value is None or parse is None else parse(value)


def _missing_answer(row: Row, shape: Shape) -> str:
    column = shape.column_of("answer")
    if column is not None:
        return f"`{column}` is null; an answer is a text, which may be empty"
    return f"there is no `answer` (found: {', '.join(row.names)}); if another field holds it, give --map answer=FIELD"
