"""Several sessions in one number each: means, pass rates, medians, and how they spread."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple

from judge.schema.crux import MinutesSpread, SessionMetric, SessionSummary, Spread, Statistic
from judge.schema.summaries import CompositeSummary, DerivedSummary
from judge.standard.composites import COMPOSITES
from judge.standard.derived import DERIVATIONS
from judge.standard.fundamentals import FUNDAMENTALS
from judge.standard.registry import definition
from judge.statistics.clustering import cluster_t_interval, mean_interval
from judge.statistics.interval import Interval
from judge.statistics.spread import percentile, sample_deviation

_STATISTICS: dict[str, Statistic] = {"binary": "pass_rate", "s": "median"}
"""By unit; of any other the mean (METRICS.md, aggregation across runs)."""

_P95 = 0.95


class Part(NamedTuple):
    """A number of one session, why it has none, and the group whose sessions depend on one another."""

    value: float | None
    reason: str | None
    group: str


class Kind(NamedTuple):
    """What kind of number it is: its unit, its layer, and whether it lies in 0..1."""

    unit: str
    layer: str
    is_share: bool


def metric_spreads(sessions: Sequence[SessionSummary]) -> dict[str, Spread]:
    """Return each fundamental over the sessions."""
    return {symbol: _spread_of(sessions, [session.metrics[symbol] for session in sessions], symbol) for symbol in FUNDAMENTALS}


def derived_spreads(sessions: Sequence[SessionSummary]) -> dict[str, Spread]:
    """Return each derived value over the sessions."""
    return {symbol: _spread_of(sessions, [session.derived[symbol] for session in sessions], symbol) for symbol in DERIVATIONS}


def composite_spreads(sessions: Sequence[SessionSummary]) -> dict[str, MinutesSpread]:
    """Return each composite over the sessions, split by the safety gate."""
    return {name: _composite_spread(sessions, name) for name in COMPOSITES}


def spread(parts: Sequence[Part], kind: Kind) -> Spread:
    """Return one number over several sessions; without any value the commonest reason, of equally common ones the first by name."""
    values = [part.value for part in parts if part.value is not None]
    statistic = _STATISTICS.get(kind.unit, "mean")
    interval = None if statistic == "median" else _interval(parts, is_share=kind.is_share)
    return Spread(
        value=percentile(values, 0.5) if statistic == "median" else fsum(values) / len(values) if values else None,
        statistic=statistic,
        sd=None if statistic == "pass_rate" else sample_deviation(values),
        p95=percentile(values, _P95) if statistic == "median" else None,
        ci95=None if interval is None else (interval.low, interval.high),
        ci_method=None if interval is None else interval.method,
        n=len(values),
        nulls=len(parts) - len(values),
        reason=None if values else _commonest(part.reason for part in parts),
        reasons=dict(sorted(Counter(part.reason for part in parts if part.reason is not None).items())),
        unit=kind.unit,
        layer=kind.layer,
    )


def _interval(parts: Sequence[Part], *, is_share: bool) -> Interval | None:
    """Return the 95 % interval of the mean. Equal values show no variation, which is not certainty: of shares Wilson's, else None."""
    known = [part for part in parts if part.value is not None]
    values = [part.value for part in known if part.value is not None]
    groups = [part.group for part in known]
    # Sessions of one fixture depend on one another; where there is only one, the session is all there is to count.
    number_of = {group: number for number, group in enumerate(sorted(set(groups)))}
    clusters = [number_of[group] for group in groups] if len(number_of) > 1 else list(range(len(known)))
    if is_share:
        return mean_interval(values, clusters)
    found = cluster_t_interval(values, clusters)
    return None if found is None or min(values) == max(values) else found


def _spread_of(sessions: Sequence[SessionSummary], found: Sequence[SessionMetric | DerivedSummary], symbol: str) -> Spread:
    parts = [Part(each.value, each.reason, session.fixture.sha256) for session, each in zip(sessions, found, strict=True)]
    defined = definition(symbol)
    return spread(parts, Kind(defined.unit, found[0].layer, is_share=defined.values.high == 1))


def _composite_spread(sessions: Sequence[SessionSummary], name: str) -> MinutesSpread:
    found = [session.composite[name] for session in sessions]
    kind = Kind(found[0].unit, found[0].layer, is_share=found[0].unit == "ratio")
    parts = [Part(each.value, each.reason, session.fixture.sha256) for session, each in zip(sessions, found, strict=True)]
    valued = [each for each in found if each.value is not None]
    active = {each.active_components for each in valued}
    shared = valued[0] if len(active) == 1 else None
    return MinutesSpread(
        **spread(parts, kind).model_dump(),
        by_gate=_by_gate(sessions, parts, kind),
        weights=found[0].weights,
        active_components=None if shared is None else shared.active_components,
        active_weight_sum=None if shared is None else shared.active_weight_sum,
        active_sets=dict(sorted(Counter(", ".join(each.active_components) for each in valued).items())),
        bands=_bands(valued),
        profile=found[0].profile,
        formula_id=found[0].formula_id,
    )


def _by_gate(sessions: Sequence[SessionSummary], parts: Sequence[Part], kind: Kind) -> dict[str, Spread]:
    """Return the spread of the safe and of the unsafe sessions, as far as there are any."""
    gates = [session.metrics["S_gate"].value for session in sessions]
    split = {"safe": 1.0, "unsafe": 0.0, "not_measured": None}
    groups = {name: [part for part, gate in zip(parts, gates, strict=True) if gate == value] for name, value in split.items()}
    return {name: spread(group, kind) for name, group in groups.items() if group}


def _bands(valued: Iterable[CompositeSummary]) -> dict[str, int]:
    return dict(sorted(Counter(each.band for each in valued if each.band is not None).items()))


def _commonest(reasons: Iterable[str | None]) -> str | None:
    counted = Counter(reason for reason in reasons if reason is not None)
    return min(counted, key=lambda reason: (-counted[reason], reason), default=None)
