"""How often a judge changes its mind, from what it said each time: pure figures."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum, log2
from typing import NamedTuple

from judge.auditing.figures import mean_figure, resampled_figure, share_figure
from judge.schema.consistency import RepeatFigures, Said, StatementStability, VariantFigures
from judge.schema.labels import Label, UnjudgedReason
from judge.statistics.fleiss import fleiss_kappa_of_parts, ratings_part
from judge.statistics.flips import any_flip, entropy_bits, majority_share, pairwise_flip
from judge.statistics.krippendorff import alpha_of_parts, alpha_part

Word = str
"""A label or another closed word of a verdict; a reason for none is an UnjudgedReason."""


class Thing(NamedTuple):
    """Something that was judged several times: where it belongs, and what was said each time."""

    cluster: str
    said: tuple[Word | UnjudgedReason, ...]

    @property
    def words(self) -> list[Word]:
        """What was said where something was."""
        return [word for word in self.said if not isinstance(word, UnjudgedReason)]


class Change(NamedTuple):
    """A statement under a change: the labels of the first repeat and of each time with the change, and its own flips."""

    cluster: str
    base: Said
    changed: tuple[Said, ...]
    own_flip: float | None


def repeat_figures(things: Sequence[Thing], labels: Sequence[Word], seed: int) -> RepeatFigures:
    """Return how stable the verdicts of one kind are over repeats; `labels` are all words it may have."""
    several = [thing for thing in things if len(thing.words) > 1]
    clusters = [thing.cluster for thing in several]
    values = {name: [statistic(thing.words) for thing in several] for name, statistic in _PER_THING.items()}
    entropies = [entropy_bits(thing.words) or 0.0 for thing in several]
    nothing = "nothing was judged more than once"
    groups = _by_cluster(several)
    ratings = [ratings_part([[one.words.count(label) for label in labels] for one in group]) for group in _by_cluster(_whole(several))]
    figures = {name: share_figure(each, clusters, nothing) for name, each in values.items()}
    return RepeatFigures(
        things=len(things),
        **figures,
        entropy_bits=mean_figure(entropies, clusters, nothing),
        normalised_entropy=mean_figure([bits / log2(len(labels)) for bits in entropies], clusters, nothing),
        krippendorff_alpha=resampled_figure([alpha_part([one.words for one in group]) for group in groups], alpha_of_parts, seed, nothing),
        fleiss_kappa=resampled_figure(ratings, fleiss_kappa_of_parts, seed, nothing),
        unjudged=dict(sorted(Counter(word for thing in things for word in thing.said if isinstance(word, UnjudgedReason)).items())),
    )


_PER_THING: Mapping[str, Callable[[Sequence[Word]], float]] = {
    "pairwise_flip": lambda words: pairwise_flip(words) or 0.0,
    "any_flip": lambda words: float(any_flip(words) or False),
    "majority_share": lambda words: majority_share(words) or 0.0,
}


def _by_cluster(things: Iterable[Thing]) -> list[list[Thing]]:
    grouped: dict[str, list[Thing]] = {}
    for thing in things:
        grouped.setdefault(thing.cluster, []).append(thing)
    return list(grouped.values())


def _whole(things: Sequence[Thing]) -> list[Thing]:
    """Return the things that were judged every time: Fleiss' kappa knows no gaps."""
    return [thing for thing in things if len(thing.words) == len(thing.said)]


class Shifts(NamedTuple):
    """Of each item that has both, its score with the change less its score without it."""

    clusters: Sequence[str]
    values: Sequence[float]


class Applied(NamedTuple):
    """A change as it was made: its name, what it means, to how many items it could be applied, or why to none."""

    variant: str
    meaning: str
    items: int
    reason: str | None


def variant_figures(applied: Applied, changes: Sequence[Change], recall: Shifts, contradiction: Shifts) -> VariantFigures:
    """Return what a change did to the verdicts and to the scores."""
    judged = [change for change in changes if isinstance(change.base, Label)]
    pairs = [(change.base, said) for change in judged for said in change.changed if isinstance(said, Label)]
    moved = Counter(said for base, said in pairs if said is not base)
    flips = [(change, flip) for change in judged if (flip := _flip_of(change)) is not None]
    nothing = applied.reason or "no statement was judged both with and without the change"
    beyond = [(change.cluster, flip - change.own_flip) for change, flip in flips if change.own_flip is not None]
    return VariantFigures(
        variant=applied.variant,
        meaning=applied.meaning,
        applied=applied.items,
        statements=len(flips),
        flips=moved.total(),
        flip=share_figure([flip for _, flip in flips], [change.cluster for change, _ in flips], nothing),
        toward={label: moved[label] for label in Label},
        beyond_noise=mean_figure([value for _, value in beyond], [cluster for cluster, _ in beyond], nothing),
        recall_shift=mean_figure(recall.values, recall.clusters, nothing),
        contradiction_shift=mean_figure(contradiction.values, contradiction.clusters, nothing),
        unjudged=dict(sorted(Counter(said for change in changes for said in change.changed if isinstance(said, UnjudgedReason)).items())),
        reason=applied.reason,
    )


def _flip_of(change: Change) -> float | None:
    """Return the share of the judged times in which the label is another one than without the change."""
    said = [each for each in change.changed if isinstance(each, Label)]
    return fsum(each is not change.base for each in said) / len(said) if said else None


def least_stable_first(statements: Iterable[StatementStability]) -> tuple[StatementStability, ...]:
    """Return the statements by how much their repeats differ, then by how many changes moved them, then as they came."""
    return tuple(sorted(statements, key=lambda each: (-(each.pairwise_flip or 0.0), -_moved(each))))


def _moved(statement: StatementStability) -> int:
    """Return under how many changes a statement has another label than in its first repeat."""
    return sum(said != statement.repeats[0] for said in statement.variants.values())


def stability_of(statement: StatementStability) -> StatementStability:
    """Return the statement with the figures of its repeats filled in."""
    words = [said for said in statement.repeats if isinstance(said, Label)]
    if not words:
        return statement
    label, count = Counter(words).most_common(1)[0]
    several = len(words) > 1
    return statement.model_copy(
        update={
            "majority": label if 2 * count > len(statement.repeats) else None,
            "majority_share": count / len(words),
            "pairwise_flip": pairwise_flip(words) if several else None,
            "entropy_bits": entropy_bits(words) if several else None,
        }
    )
