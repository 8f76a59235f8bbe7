"""What a fault of a campaign is."""

from typing import NamedTuple


class CampaignFault(NamedTuple):
    """A fault: the field as a path, the value in it, and the rule it breaks."""

    path: str
    found: object
    rule: str
