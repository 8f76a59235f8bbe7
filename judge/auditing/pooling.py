"""Several calibrations of one judge as one, where they may be put together."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple

from judge.schema.calibrations import Calibration


class Pooled(NamedTuple):
    """A calibration made of several, and what a user should know of how it was chosen."""

    calibration: Calibration | None
    notes: tuple[str, ...] = ()


def goes_by(one: Calibration, policy: str) -> bool:
    """Return whether a calibration is under a policy, named as `strict` or with its version as `strict-v1`."""
    return policy in (one.policy, one.policy.rpartition("-v")[0])


def pool(calibrations: Sequence[Calibration], policy: str | None = None) -> Pooled:
    """Return one calibration under one policy: `policy`, else the one with most labelled statements.

    A data set counts once, however often it was audited. One that was drawn from a run is taken alone, since it says most of that
    run; of several, the largest. Others are pooled, three-way ones without the two-way ones, whose contradictions nobody knows.
    """
    named = [one for one in calibrations if policy is None or goes_by(one, policy)]
    if not named:
        return Pooled(None)
    under = _most_labelled(named)
    notes = []
    if {one.policy_sha256 for one in calibrations} != {under[0].policy_sha256}:
        notes.append(f"the calibration is of the audits under label policy {under[0].policy} alone")
    once = list(_once(under))
    if len(once) < len(under):
        notes.append("a data set that was audited more than once is in the calibration once")
    chosen = _chosen(once)
    return Pooled(chosen.calibration, (*notes, *chosen.notes))


def _most_labelled(named: Sequence[Calibration]) -> list[Calibration]:
    """Return those under the policy with most labelled statements, of equals the first; the same text of a policy is the same policy."""
    by_policy: dict[str, list[Calibration]] = {}
    for one in named:
        by_policy.setdefault(one.policy_sha256, []).append(one)
    return max(by_policy.values(), key=lambda under: fsum(map(_size, _once(under))))


def _once(under: Sequence[Calibration]) -> Iterable[Calibration]:
    """Return the largest calibration of each data set: the same labels counted twice would make intervals too narrow."""
    largest: dict[tuple[tuple[str, ...], str | None], Calibration] = {}
    for one in under:
        key = (tuple(data.sha256 for data in one.data), one.sampled_from)
        if key not in largest or _size(one) > _size(largest[key]):
            largest[key] = one
    return largest.values()


def _chosen(under: Sequence[Calibration]) -> Pooled:
    drawn = [one for one in under if one.sampled_from is not None]
    if drawn:
        taken = max(drawn, key=_size)
        alone = f"the calibration is of {_names(taken)} alone, whose statements were drawn from a run"
        return Pooled(taken, (alone,) if len(under) > 1 else ())
    three_way = [one for one in under if _three_way(one)]
    notes = []
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
            "unjudged": sum(one.unjudged for one in parts),
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
