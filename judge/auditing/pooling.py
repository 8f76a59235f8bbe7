"""Several calibrations of one judge as one, where they may be put together."""

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from judge.schema.calibrations import Calibration


class Pooled(NamedTuple):
    """A calibration made of several, and what a user should know of how it was chosen."""

    calibration: Calibration | None
    notes: tuple[str, ...] = ()


def pool(calibrations: Sequence[Calibration], policy: str | None = None) -> Pooled:
    """Return one calibration under one policy: `policy`, else the one with most labelled statements.

    One that was drawn from a run is taken alone, since it says most of that run; of several, the largest. Others are pooled, three-way
    ones without the two-way ones, whose contradictions nobody knows.
    """
    if not calibrations:
        return Pooled(None)
    chosen = policy if policy is not None else max(calibrations, key=lambda one: (_size(one), one.policy)).policy
    under = [one for one in calibrations if one.policy == chosen]
    notes = [] if len(under) == len(calibrations) else [f"the calibration is of the audits under label policy {chosen} alone"]
    if not under:
        return Pooled(None, (f"no labels of people under label policy {chosen}, so there is no calibration",))
    drawn = [one for one in under if one.sampled_from is not None]
    if drawn:
        taken = max(drawn, key=_size)
        if len(under) > 1:
            notes.append(f"the calibration is of {_names(taken)} alone, whose statements were drawn from a run")
        return Pooled(taken, tuple(notes))
    three_way = [one for one in under if _three_way(one)]
    if three_way and len(three_way) < len(under):
        notes.append("sets in which people only say what is supported are left out of the calibration")
    taken_all = three_way or under
    if len(taken_all) > 1:
        notes.append(f"the calibration pools {len(taken_all)} data sets, as if the judge erred alike on all of them")
    return Pooled(_together(taken_all), tuple(notes))


def _together(parts: Sequence[Calibration]) -> Calibration:
    first = parts[0]
    return first.model_copy(
        update={
            "data": tuple(data for one in parts for data in one.data),
            "weighted": any(one.weighted for one in parts),
            # Documents of different sets are different ones, whatever their digests.
            "documents": tuple(
                document if len(parts) == 1 else document.model_copy(update={"cluster": f"{number}-{document.cluster}"})
                for number, one in enumerate(parts, start=1)
                for document in one.documents
            ),
            "items": first.items if len(parts) == 1 else (),
        }
    )


def _size(one: Calibration) -> float:
    return fsum(count for document in one.documents for row in document.two_way for count in row)


def _three_way(one: Calibration) -> bool:
    return any(count for document in one.documents for row in document.three_way for count in row)


def _names(one: Calibration) -> str:
    return ", ".join(data.name for data in one.data)
