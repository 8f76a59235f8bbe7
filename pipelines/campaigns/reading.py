"""Campaign files: read, checked, every fault told at once."""

from pathlib import Path
from typing import NamedTuple

from judge.schema.campaigns import Campaign
from judge.schema.manifests import FileFacts
from judge.standard.campaign_faults import campaign_faults
from judge.standard.stated import shown
from pipelines.documents.file_bytes import PlacedFault, read_bytes, refuse
from pipelines.documents.strict_json import whole_of
from pipelines.documents.wording import checked


class CampaignFile(NamedTuple):
    """A campaign and the file it came from: its name and the SHA-256 of its bytes."""

    campaign: Campaign
    file: FileFacts


def read_campaign(path: Path) -> CampaignFile:
    """Return the campaign in a file. Raises InputError with every fault of it, each naming the field, the value and the rule."""
    file = read_bytes(path)
    campaign = checked(file, whole_of(file, "one campaign"), Campaign, allows_nul=False)
    faults = campaign_faults(campaign)
    refuse(file, [PlacedFault(f"$.{fault.path}", f"is {shown(fault.found)}, expected {fault.rule}") for fault in faults])
    return CampaignFile(campaign, FileFacts(name=path.name, sha256=file.sha256))
