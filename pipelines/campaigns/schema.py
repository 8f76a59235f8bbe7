"""The JSON Schema of campaign files, generated from the records and shipped beside this module."""

import json
from importlib.resources import files

from judge.schema.campaigns import Campaign

SCHEMA_FILE = "campaign.schema.json"


def schema_text() -> str:
    """Return the shipped schema as it stands, ending in a line end."""
    return files("pipelines.campaigns").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")


def generated_schema() -> str:
    """Return the schema that the records make now; the shipped file must equal it."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Campaign.model_json_schema()}
    for record in schema["$defs"].values():
        # The records know their own kind; in a file only `type` tells the kind of an event.
        if "const" in record["properties"].get("type", {}):
            record["required"] = ["type", *record.get("required", [])]
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
