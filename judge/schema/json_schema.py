"""The JSON Schema of a record, as it is published."""

import json
from typing import Any

from judge.schema.record import Record

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(record: type[Record]) -> dict[str, Any]:
    """Return the schema of a record, without titles that only repeat names."""
    schema: dict[str, Any] = _without_titles(record.model_json_schema())
    for part in schema.get("$defs", {}).values():
        # The records know their own kind; in a file only `type` tells the kind of an event.
        if "const" in part.get("properties", {}).get("type", {}):
            part["required"] = ["type", *part.get("required", [])]
    return {"$schema": DIALECT, "title": record.__name__, **schema}


def json_schema_text(schema: dict[str, Any]) -> str:
    """Return a schema as the text of a file: sorted, indented, the same for the same schema."""
    return json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _without_titles(schema: Any) -> Any:
    """Drop the titles that only repeat the names of fields."""
    if isinstance(schema, dict):
        return {key: _without_titles(part) for key, part in schema.items() if key != "title" or not isinstance(part, str)}
    return [_without_titles(part) for part in schema] if isinstance(schema, list) else schema
