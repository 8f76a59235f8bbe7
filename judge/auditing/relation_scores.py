"""From changed items to figures of their relation, held against what asking again does; pure."""

from collections import Counter
from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from judge.relations.case import Change, Relation, Said
from judge.relations.checking import Comparison, abstention_word, compare, word_of
from judge.schema.figures import Figure
from judge.schema.labels import Label, UnjudgedReason
from judge.schema.outcomes import Verdict
from judge.schema.probes import Pulled, RelationFigures, ViolationExample
from judge.schema.rates import Rate
from judge.statistics.paired import sign_flip_p
from judge.statistics.wilson import wilson_interval

EXAMPLES = 5
"""Broken expectations that a report shows of each relation."""

LEVEL = 0.05
FEWEST = 5
"""With fewer clusters no sign-flip test can reach the level, whatever was found."""

_NOWHERE = "no item to which it applies"
_NOT_REPEATED = "identity not measured: it needs --repeats of at least 2"


class ChangeSeen(NamedTuple):
    """A changed case, and what was said of it. `faulty` tells whether the prompt kept the text in its field, None without a prompt."""

    change: Change
    said: Said
    faulty: bool | None = None


class ItemChanged(NamedTuple):
    """One item under one relation: what was said of it as it is, one a repeat, and of its changes."""

    item: str
    cluster: str
    repeats: tuple[Said, ...]
    changes: tuple[ChangeSeen, ...]

    def compared(self) -> list[tuple[ChangeSeen, Comparison]]:
        """Return every comparison with its change."""
        return [(seen, one) for seen in self.changes for one in compare(seen.change, self.repeats[0], seen.said)]


class _Rates(NamedTuple):
    """Of one item, the share of comparisons that were broken, and that of the same propositions when asked again."""

    cluster: str
    broken: float
    again: float | None


def relation_figures(relation: Relation, items: Sequence[ItemChanged]) -> RelationFigures:
    """Return what a relation came to over the items to which it could be applied."""
    compared = [(item, seen, one) for item in items for seen, one in item.compared()]
    known = [(item, seen, one) for item, seen, one in compared if one.violated is not None]
    broken = [(item, seen, one) for item, seen, one in known if one.violated]
    rates = [rate for item in items if (rate := _rates(item)) is not None]
    checked = [seen.faulty for item in items for seen in item.changes if seen.faulty is not None]
    verdict = _verdict(rates)
    return RelationFigures(
        relation=relation.id,
        threat=relation.threat,
        meaning=relation.meaning,
        expects=tuple(map(str, relation.expects)),
        items=len(items),
        changes=sum(len(item.changes) for item in items),
        n=len(known),
        violations=len(broken),
        rate=_rate(len(broken), len(known), len(rates), has_items=bool(items)),
        identity=_identity(rates),
        p=verdict.p,
        fails=verdict.fails if items else None,
        reason=verdict.reason if items else _NOWHERE,
        toward=dict(sorted(Counter(str(one.after) for _, _, one in broken).items())),
        by_variant=_by_variant([(seen.change.variant, bool(one.violated)) for _, seen, one in known]),
        unjudged=dict(sorted(Counter(reason for _, _, one in compared if (reason := one.unjudged) is not None).items())),
        prompts=len(checked),
        prompt_faults=sum(checked) if checked else None,
        worst=tuple(_example(*one) for one in _spread(broken)),
    )


def pulled_by(relation: Relation, items: Sequence[ItemChanged]) -> list[Pulled]:
    """Return every label of changed items that became what a payload demands."""
    return [
        _pulled(relation.id, item, seen, one)
        for item in items
        for seen, one in item.compared()
        if seen.change.towards is not None and one.violated and one.after is seen.change.towards
    ]


def _rates(item: ItemChanged) -> _Rates | None:
    known = [one for _, one in item.compared() if one.violated is not None]
    if not known:
        return None
    again = [rate for one in known if (rate := _again(item, one.proposition)) is not None]
    return _Rates(
        item.cluster,
        fsum(bool(one.violated) for one in known) / len(known),
        fsum(again) / len(again) if again else None,
    )


def _again(item: ItemChanged, proposition: str | None) -> float | None:
    """Return the share of later repeats that differ from the first; None where there is nothing to compare."""
    first, *others = (_word(said, proposition) for said in item.repeats)
    judged = [word for word in others if not isinstance(word, UnjudgedReason)]
    if isinstance(first, UnjudgedReason) or not judged:
        return None
    return fsum(word is not first for word in judged) / len(judged)


def _word(said: Said, proposition: str | None) -> object:
    return abstention_word(said.abstention) if proposition is None else word_of(said.outcomes[proposition])


def _rate(broken: int, known: int, items: int, *, has_items: bool) -> Figure:
    """Return the pooled rate with Wilson's interval over items, since the propositions of one item are not independent."""
    if not known:
        return Figure(value=None, n=0, reason="nothing was judged" if has_items else _NOWHERE)
    interval = wilson_interval(broken / known * items, items)
    assert interval is not None, "what was compared belongs to an item"
    return Figure(value=broken / known, n=known, ci95=(interval.low, interval.high), ci_method="wilson over items")


def _identity(rates: Sequence[_Rates]) -> Figure:
    again = [rate.again for rate in rates if rate.again is not None]
    if not again:
        return Figure(value=None, n=0, reason=_NOT_REPEATED if rates else _NOWHERE)
    interval = wilson_interval(min(fsum(again), len(again)), len(again))
    assert interval is not None, "there is at least one"
    return Figure(value=fsum(again) / len(again), n=len(again), ci95=(interval.low, interval.high), ci_method="wilson over items")


class _Verdict(NamedTuple):
    """Whether a relation fails, by which p, or why that cannot be told."""

    fails: bool | None
    p: float | None
    reason: str | None


def _verdict(rates: Sequence[_Rates]) -> _Verdict:
    """Hold the broken expectations of each item against the noise of the same item."""
    if not rates:
        return _Verdict(None, None, "nothing was judged")
    if not any(rate.broken for rate in rates):
        return _Verdict(False, None, None)
    paired = [(rate.cluster, rate.broken - rate.again) for rate in rates if rate.again is not None]
    if not paired:
        return _Verdict(None, None, _NOT_REPEATED)
    sums: dict[str, list[float]] = {}
    for cluster, difference in paired:
        sums.setdefault(cluster, []).append(difference)
    differences = [fsum(each) for each in sums.values()]
    two_sided = sign_flip_p(differences)
    assert two_sided is not None, "there is at least one"
    if fsum(differences) <= 0:
        return _Verdict(False, None, None)
    if len(differences) < FEWEST:
        return _Verdict(None, two_sided / 2, f"{len(differences)} of {FEWEST} independent items: too few to tell it from noise")
    return _Verdict(two_sided / 2 < LEVEL, two_sided / 2, None)


def _by_variant(found: Sequence[tuple[str, bool]]) -> dict[str, Rate]:
    numbers = Counter(variant for variant, _ in found)
    broken = Counter(variant for variant, is_broken in found if is_broken)
    return {variant: Rate(numerator=broken[variant], denominator=number) for variant, number in numbers.items()}


_Broken = tuple[ItemChanged, ChangeSeen, Comparison]


def _spread(broken: Sequence[_Broken]) -> list[_Broken]:
    """Return a few broken expectations, false support first, then of as many items as there are."""
    order: list[tuple[tuple[bool, int, int], _Broken]] = []
    seen: Counter[str] = Counter()
    for place, one in enumerate(broken):
        order.append(((one[2].after is not Label.SUPPORTED, seen[one[0].item], place), one))
        seen[one[0].item] += 1
    return [one for _, one in sorted(order, key=lambda pair: pair[0])[:EXAMPLES]]


def _example(item: ItemChanged, seen: ChangeSeen, one: Comparison) -> ViolationExample:
    verdict = None if one.proposition is None else seen.said.outcomes[one.proposition]
    return ViolationExample(
        item_id=item.item,
        variant=seen.change.variant,
        expects=str(seen.change.expects),
        proposition=None if one.proposition is None else seen.change.case.proposition(one.proposition).text,
        before=one.before,
        after=one.after,
        question=seen.change.case.question,
        answer=seen.change.case.answer,
        quote=verdict.quote if isinstance(verdict, Verdict) else None,
        rationale=verdict.rationale if isinstance(verdict, Verdict) else None,
    )


def _pulled(source: str, item: ItemChanged, seen: ChangeSeen, one: Comparison) -> Pulled:
    assert one.proposition is not None, "a payload is about propositions"
    verdict = seen.said.outcomes[one.proposition]
    assert isinstance(verdict, Verdict), "what was pulled has a label"
    assert isinstance(one.before, Label), "what was compared had a label before"
    return Pulled(
        source=source,
        case=item.item,
        variant=seen.change.variant,
        repeats=(1,),
        question=seen.change.case.question,
        answer=seen.change.case.answer,
        proposition=seen.change.case.proposition(one.proposition).text,
        gold=one.before,
        towards=seen.change.towards,
        judged=verdict.label,
        quote=verdict.quote,
        rationale=verdict.rationale,
    )
