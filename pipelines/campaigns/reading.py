"""Campaign files: read, checked, every fault told at once."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from judge.errors import InputError, InputFault, plain_cause
from judge.schema.campaigns import Campaign
from judge.schema.manifests import FileFacts
from judge.standard.campaign_faults import campaign_faults
from pipelines.campaigns.rules import fault_message
from pipelines.campaigns.strict_json import ReadJson, read_json, shown_value
from pipelines.readers.lines import not_utf8

MAX_FAULTS = 200
"""Faults listed; the rest is counted."""


class CampaignFile(NamedTuple):
    """A campaign and the file it came from: its name and the SHA-256 of its bytes."""

    campaign: Campaign
    file: FileFacts


def read_campaign(path: Path) -> CampaignFile:
    """Return the campaign in a file. Raises InputError with every fault of it, each naming the field, the value and the rule."""
    data = _data(path)
    read = _read(path, data)
    faults = list(read.faults)
    try:
        campaign = Campaign.model_validate(read.value)
    except ValidationError as error:
        faults += [fault_message(fault, read.value) for fault in error.errors(include_url=False)]
    else:
        faults += [f"`{fault.path}` is {shown_value(fault.found)}, expected {fault.rule}" for fault in campaign_faults(campaign)]
    if faults:
        raise InputError(tuple(_listed(path, faults)))
    return CampaignFile(campaign, FileFacts(name=path.name, sha256=hashlib.sha256(data).hexdigest()))


def _data(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError((InputFault(str(path), None, f"the campaign cannot be read: {plain_cause(error)}"),)) from error


def _read(path: Path, data: bytes) -> ReadJson:
    try:
        return read_json(data)
    except UnicodeDecodeError as error:
        raise InputError((InputFault(str(path), None, not_utf8(error)),)) from error
    except ValueError as error:
        raise InputError((InputFault(str(path), None, f"not valid JSON: {error}"),)) from error


def _listed(path: Path, faults: list[str]) -> Iterator[InputFault]:
    yield from (InputFault(str(path), None, fault) for fault in faults[:MAX_FAULTS])
    if len(faults) > MAX_FAULTS:
        yield InputFault(str(path), None, f"... and {len(faults) - MAX_FAULTS} more")
