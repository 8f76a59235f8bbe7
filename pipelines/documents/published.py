"""The JSON Schemas of files that users write, shipped with the package. Run this module to write them anew after a change of a record."""

from pathlib import Path
from typing import Any

from judge.errors import ConfigError
from judge.schema.campaigns import Campaign
from judge.schema.fixtures import Fixture
from judge.schema.json_schema import json_schema, json_schema_text
from judge.schema.record import Record
from judge.schema.traces import Trace
from judge.standard.registry import definition
from judge.standard.stated import STATED_KEYS

SCHEMAS: dict[str, type[Record]] = {"fixture": Fixture, "trace": Trace, "campaign": Campaign}
"""The records that have a published schema, by its name."""

_FOLDER = Path(__file__).parent / "schemas"


def schema_text(name: str) -> str:
    """Return the published schema of that name. Raises ConfigError for any other name."""
    if name not in SCHEMAS:
        raise ConfigError(f"there is no schema named {name!r}; known are {', '.join(SCHEMAS)}")
    return _file(_FOLDER, name).read_text(encoding="utf-8")


def generated_text(name: str) -> str:
    """Return the schema of that name as the records are now."""
    schema = json_schema(SCHEMAS[name])
    return json_schema_text(_with_stated_values(schema) if name == "trace" else schema)


def _with_stated_values(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a trace with the values that it may state, in `given` or beside it; the name of its file may be its `id`."""
    stated = {key: _range_of(key) for key in STATED_KEYS}
    given = {**schema["properties"]["given"], "properties": stated, "additionalProperties": False}
    properties = {**stated, **schema["properties"], "given": given}
    return {**schema, "properties": properties, "required": [name for name in schema.get("required", []) if name != "id"]}


def _range_of(key: str) -> dict[str, Any]:
    """Return the schema of one value of the standard, which may be null."""
    values = definition(key).values
    bounds: dict[str, Any] = {"exclusiveMinimum" if values.is_positive else "minimum": values.low}
    if values.high != float("inf"):
        bounds["maximum"] = values.high
    return {"type": ["integer" if values.is_whole else "number", "null"], **bounds}


def write_schemas(folder: Path = _FOLDER) -> None:
    """Write every schema, as the records are now, into a folder that is there."""
    for name in SCHEMAS:
        _file(folder, name).write_text(generated_text(name), encoding="utf-8", newline="\n")


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.schema.json"


if __name__ == "__main__":
    write_schemas()
