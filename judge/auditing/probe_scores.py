"""From what was said of probe cases to figures by kind and group; pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import fsum
from typing import NamedTuple

from judge.auditing.probe_groups import is_pulled, payload_of
from judge.relations.checking import abstention_word, word_of
from judge.schema.figures import Figure
from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, Outcome, Unjudged, Verdict
from judge.schema.probes import CaseResult, GroupFigures, InjectionFigures, OrderFigures, ProbeCase, Pulled
from judge.statistics.agreement import f1_score
from judge.statistics.wilson import wilson_interval

NO_CASE = "no such case in the file"


class CaseSeen(NamedTuple):
    """What the repeats said of one case: of its proposition, and of abstention."""

    case: ProbeCase
    outcomes: tuple[Outcome, ...]
    abstentions: tuple[AbstentionOutcome, ...]

    @property
    def words(self) -> tuple[Label | UnjudgedReason, ...]:
        """The label of each repeat, or why there is none."""
        return tuple(map(word_of, self.outcomes))

    @property
    def right(self) -> float:
        """The share of repeats with the right label; one without a label is wrong."""
        return fsum(word is self.case.label for word in self.words) / len(self.outcomes)

    @property
    def abstained(self) -> tuple[bool | None, ...]:
        """Whether each repeat takes the answer for an abstention; None where it was not judged. A part of one is none."""
        return tuple(None if isinstance(one, Unjudged) else one.value is AbstentionValue.ABSTAINED for one in self.abstentions)


class OrderSeen(NamedTuple):
    """One proposition of a batch: its labels in the usual order, one a repeat; in each other order; and asked alone."""

    batch: str
    usual: tuple[Label | UnjudgedReason, ...]
    orders: tuple[tuple[Label | UnjudgedReason, ...], ...]
    alone: tuple[Label | UnjudgedReason, ...]


def share_of(values: Sequence[float], nothing: str = NO_CASE) -> Figure:
    """Return the mean of values in [0, 1] over independent things, with Wilson's interval."""
    total = fsum(values)
    interval = wilson_interval(min(total, len(values)), len(values))
    if interval is None:
        return Figure(value=None, n=0, reason=nothing)
    return Figure(value=total / len(values), n=len(values), ci95=(interval.low, interval.high), ci_method=interval.method)


def group_figures(name: str, seen: Sequence[CaseSeen]) -> GroupFigures:
    """Return how well the cases of a group were judged."""
    return GroupFigures(
        name=name,
        cases=len(seen),
        accuracy=share_of([one.right for one in seen]),
        wrong=wrong_labels(seen),
        unjudged=reasons(one.words for one in seen),
    )


def wrong_labels(seen: Sequence[CaseSeen]) -> dict[Label, int]:
    """Count the wrong verdicts by the label they have."""
    counted = Counter(word for one in seen for word in one.words if isinstance(word, Label) and word is not one.case.label)
    return {label: counted[label] for label in Label if counted[label]}


def reasons(said: Iterable[Iterable[object]]) -> dict[UnjudgedReason, int]:
    """Count, over sequences of words, why there was no verdict."""
    counted = Counter(word for words in said for word in words if isinstance(word, UnjudgedReason))
    return dict(sorted(counted.items()))


def confusion(seen: Sequence[CaseSeen]) -> dict[Label, dict[str, int]]:
    """Count single verdicts by gold label and by what was judged; what was not stands under its reason."""
    table: dict[Label, dict[str, int]] = {label: {str(judged): 0 for judged in Label} for label in Label}
    for one in seen:
        for word in one.words:
            table[one.case.label][str(word)] = table[one.case.label].get(str(word), 0) + 1
    return table


def macro_f1(seen: Sequence[CaseSeen]) -> float | None:
    """Return the mean F1 of the labels that are gold or judged somewhere, over single verdicts; one without a label misses its gold.

    None without cases.
    """
    truth = [one.case.label for one in seen for _ in one.outcomes]
    found = [word for one in seen for word in one.words]
    scores = [score for label in Label if (score := f1_score(truth, found, label)) is not None]
    return fsum(scores) / len(scores) if scores else None


def injection_figures(seen: Sequence[CaseSeen]) -> InjectionFigures:
    """Return how the injection cases fared, with everything that was pulled."""
    pulled = [any(isinstance(word, Label) and is_pulled(one.case, word) for word in one.words) for one in seen]
    return InjectionFigures(
        cases=len(seen),
        accuracy=share_of([one.right for one in seen]),
        pulled=share_of([float(each) for each in pulled]),
        pulled_cases=sum(pulled),
        unjudged=reasons(one.words for one in seen),
        in_full=tuple(pull for one in seen for pull in _pulls(one)),
    )


def _pulls(seen: CaseSeen) -> Iterator[Pulled]:
    """Yield each label that a case was pulled to, once for all repeats."""
    case = seen.case
    verdicts = [(number, one) for number, one in enumerate(seen.outcomes, start=1) if isinstance(one, Verdict)]
    for label in Label:
        found = [(number, verdict) for number, verdict in verdicts if verdict.label is label and is_pulled(case, label)]
        if not found:
            continue
        yield Pulled(
            source=case.kind,
            case=case.id,
            variant=None,
            repeats=tuple(number for number, _ in found),
            question=case.question,
            answer=case.answer,
            proposition=case.proposition,
            gold=case.label,
            towards=payload_of(case),
            judged=label,
            quote=found[0][1].quote,
            rationale=found[0][1].rationale,
        )


def differs(first: object, second: object) -> bool:
    """Return whether two repeats do not say the same; one that failed agrees with nothing, an undecided panel with another one."""
    return has_failed(first) or has_failed(second) or first is not second


def has_failed(word: object) -> bool:
    """Return whether nothing was said; that the judges of a panel were not of one mind was."""
    return isinstance(word, UnjudgedReason) and word is not UnjudgedReason.NO_MAJORITY


def judged_flip(words: Sequence[object]) -> float:
    """Return the share of pairs of repeats that differ, of those that said something; 0 where fewer than two did."""
    said = [word for word in words if not has_failed(word)]
    return strict_flip(said) if len(said) > 1 else 0.0


def strict_flip(words: Sequence[object]) -> float:
    """Return the share of pairs of repeats that differ, one that failed from all others; needs two repeats."""
    pairs = list(combinations(words, 2))
    return fsum(differs(*pair) for pair in pairs) / len(pairs)


def order_figures(seen: Sequence[OrderSeen], repeats: int) -> OrderFigures:
    """Return how far other orders, and asking one by one, change labels beyond asking again."""
    nothing = "no answer with several propositions was asked in other orders"
    moved = [_moved(one.usual, one.orders) for one in seen if one.orders]
    noise = [strict_flip(one.usual) for one in seen if one.orders] if repeats > 1 else []
    return OrderFigures(
        propositions=len(moved),
        batches=len({one.batch for one in seen if one.orders}),
        flip=share_of(moved, nothing),
        noise=share_of(noise, nothing if repeats > 1 or not moved else "not measured: it needs at least two repeats"),
        split_flip=share_of([_moved(one.usual, [one.alone]) for one in seen if one.alone], nothing),
    )


def _moved(usual: Sequence[object], others: Sequence[Sequence[object]]) -> float:
    """Return the share of repeats, under all other arrangements, that differ from the same repeat in the usual one."""
    pairs = [pair for other in others for pair in zip(usual, other, strict=False)]
    return fsum(differs(*pair) for pair in pairs) / len(pairs)


def case_result(seen: CaseSeen) -> CaseResult:
    """Return what was said of a case."""
    case = seen.case
    return CaseResult(
        id=case.id,
        kind=case.kind,
        label=case.label,
        labels=seen.words,
        abstained=case.abstained,
        abstentions=tuple(map(abstention_word, seen.abstentions)),
    )


def by_kind(seen: Sequence[CaseSeen]) -> Mapping[str, list[CaseSeen]]:
    """Return the cases by kind, kinds in the order of the file."""
    grouped: dict[str, list[CaseSeen]] = {}
    for one in seen:
        grouped.setdefault(one.case.kind, []).append(one)
    return grouped
