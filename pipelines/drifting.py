"""How a ground truth that was split again differs from how it was split before."""

from typing import NamedTuple

from judge.lint.duplicates import same_fact_key
from judge.schema.propositions import Decomposition
from pipelines.counting import counted

SHOWN = 5
"""So many ground truths are named one by one; the rest are counted."""


class Drift(NamedTuple):
    """One ground truth whose propositions changed: how many there were and are, which are gone and which are new."""

    ground_truth: str
    before: int
    after: int
    gone: tuple[str, ...]
    new: tuple[str, ...]


def drift_between(before: Decomposition, after: Decomposition) -> Drift | None:
    """Return what changed, or None where both say the same; order, case, spacing and end punctuation do not count."""
    old = {same_fact_key(part.text): part.text for part in before.propositions}
    new = {same_fact_key(part.text): part.text for part in after.propositions}
    if old.keys() == new.keys():
        return None
    return Drift(
        ground_truth=after.ground_truth or "",
        before=len(before.propositions),
        after=len(after.propositions),
        gone=tuple(text for key, text in old.items() if key not in new),
        new=tuple(text for key, text in new.items() if key not in old),
    )


def drift_lines(drifts: list[Drift], compared: int) -> list[str]:
    """Return the drift report in sentences, empty where nothing was compared."""
    if not compared:
        return []
    if not drifts:
        return [f"split again, no drift: the propositions of {counted(compared, 'ground truth')} are as before"]
    lines = [f"drift: {len(drifts):,} of {counted(compared, 'ground truth')} split before now have other propositions"]
    for drift in drifts[:SHOWN]:
        changes = [f"gone: {text!r}" for text in drift.gone] + [f"new: {text!r}" for text in drift.new]
        lines.append(f"drift: {drift.ground_truth[:60]!r}: {drift.before} -> {drift.after} propositions; {'; '.join(changes)}")
    if len(drifts) > SHOWN:
        lines.append(f"drift: {len(drifts) - SHOWN} more are not listed")
    return lines
