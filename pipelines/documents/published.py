"""The JSON Schemas of files that users write, shipped with the package. Run this module to write them anew after a change of a record."""

from pathlib import Path

from judge.errors import ConfigError
from judge.schema.campaigns import Campaign
from judge.schema.fixtures import Fixture
from judge.schema.json_schema import json_schema_text
from judge.schema.record import Record
from judge.schema.traces import Trace

SCHEMAS: dict[str, type[Record]] = {"fixture": Fixture, "trace": Trace, "campaign": Campaign}
"""The records that have a published schema, by its name."""

_FOLDER = Path(__file__).parent / "schemas"


def schema_text(name: str) -> str:
    """Return the published schema of that name. Raises ConfigError for any other name."""
    if name not in SCHEMAS:
        raise ConfigError(f"there is no schema named {name!r}; known are {', '.join(SCHEMAS)}")
    return _file(_FOLDER, name).read_text(encoding="utf-8")


def write_schemas(folder: Path = _FOLDER) -> None:
    """Write every schema, as the records are now, into a folder that is there."""
    for name, record in SCHEMAS.items():
        _file(folder, name).write_text(json_schema_text(record), encoding="utf-8", newline="\n")


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.schema.json"


if __name__ == "__main__":
    write_schemas()
