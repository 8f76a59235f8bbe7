"""Every definition there is, in the order in which they are listed: those of the standard, and this project's own."""

from judge.schema.definitions import Definition
from judge.standard.definitions import campaign, composites, continuity, economic, efficiency, information, judged, quality, safety, times
from judge.standard.own_definitions import (
    answers,
    dimensions,
    options,
    reasoning,
    recommendations,
    remembering,
    searching,
    signals,
    solving,
    spending,
)

STANDARD: tuple[Definition, ...] = (
    *times.DEFINITIONS,
    *information.DEFINITIONS,
    *judged.DEFINITIONS,
    *continuity.DEFINITIONS,
    *safety.DEFINITIONS,
    *economic.DEFINITIONS,
    *quality.DEFINITIONS,
    *efficiency.DEFINITIONS,
    *composites.DEFINITIONS,
    *campaign.DEFINITIONS,
)
"""The published metrics of all versions."""

OWN: tuple[Definition, ...] = (
    *signals.DEFINITIONS,
    *options.DEFINITIONS,
    *answers.DEFINITIONS,
    *searching.DEFINITIONS,
    *reasoning.DEFINITIONS,
    *solving.DEFINITIONS,
    *spending.DEFINITIONS,
    *remembering.DEFINITIONS,
    *dimensions.DEFINITIONS,
    *recommendations.DEFINITIONS,
)
"""What has no public definition, by versions of this project's own."""

BY_SYMBOL = {definition.symbol: definition for definition in (*STANDARD, *OWN)}
