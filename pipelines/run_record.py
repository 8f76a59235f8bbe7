"""The run record: a flat JSON file with what no judge can find out about a run."""

from pathlib import Path

from judge.errors import ConfigError, InputError
from judge.schema.run_records import RunRecord
from judge.standard.stated import shown
from pipelines.documents.file_bytes import PlacedFault, read_bytes, refuse
from pipelines.documents.places import ROOT, child
from pipelines.documents.stated_values import stated_faults, stated_record
from pipelines.documents.strict_json import whole_of
from pipelines.documents.wording import with_value_faults

AUTOMATED = "automated"


def read_run_record(path: Path) -> RunRecord:
    """Return the record in a file. Raises ConfigError with every fault of it, each naming the file and the key."""
    try:
        return _read(path)
    except InputError as error:
        raise ConfigError(str(error)) from error


def _read(path: Path) -> RunRecord:
    file = read_bytes(path)
    part = whole_of(file, "one JSON object")
    if not isinstance(part.value, dict):
        raise InputError([file.fault(f"holds {shown(part.value)}, expected one JSON object")])
    stated = dict(part.value)
    automated = stated.pop(AUTOMATED, None)
    faults = stated_faults(stated, ROOT, is_automated=automated is True, also=(AUTOMATED,))
    if not isinstance(automated, bool | None):
        faults.append(PlacedFault(child(ROOT, AUTOMATED), f"is {shown(automated)}, expected true or false"))
    refuse(file, with_value_faults(part, faults))
    return stated_record(stated, is_automated=bool(automated), name=path.name, sha256=file.sha256)
