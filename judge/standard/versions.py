"""The published versions of the standard, and the versions of this project's own definitions."""

from typing import NamedTuple


class Version(NamedTuple):
    """A version: its date, None where it has none of its own, and what it brought."""

    date: str | None
    changes: str


VERSIONS = {
    "1.0": Version("2026-03-26", "The core metric set, and Cx_em with weights 3/2/2."),
    "1.1": Version(
        "2026-03-29", "I6-I9, K4: R_temporal, R_supersession, A_abstention, R_retrieval, K_synthesis. Q5, V4: Q_abstention, V_retrieval."
    ),
    "1.2": Version("2026-03-31", "I10-I11: R_proposition, C_contradiction. Q6: Q_proposition."),
    "1.4": Version("2026-04-06", "C_efficiency, a factor of the community composite: Cx_v14_em."),
    "1.5": Version("2026-04-11", "Q_reasoning from R_judge, R_conflict_resolution, R_noise_resistance: Cx_community_em, weights 3/2/2/2."),
}
"""Oldest first. Each selects its own metrics and those of the ones before it."""

PUBLIC_ONLY = {"1.3": "1.3 was only ever a stamp of the public package, with two dates and no definitions"}
"""Versions that were stamped on records and never published as definitions."""

OWN_VERSIONS = {
    "signals-v1": Version(None, "How items are scored for signals without a public definition or measuring rule."),
    "diagnostics-v1": Version(None, "Partial credit, sub-metrics and dimensions of Top Floor runs, recommendation rules."),
    "options-v1": Version(None, "What may be asked for in place of a rule of signals-v1: half credit where no decoy is named."),
}

LATEST = next(reversed(VERSIONS))
