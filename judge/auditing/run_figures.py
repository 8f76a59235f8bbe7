"""How far two runs agree, and how far their rates lie apart."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from judge.auditing.agreeing import Labelled, agreement_of
from judge.auditing.figures import mean_figure
from judge.auditing.run_pairs import ItemPair, StatementPair
from judge.schema.agreements import LabelAgreement
from judge.schema.betweens import RateDifference, RunsAgreement, Unjudged, WordCounts
from judge.schema.labels import AbstentionValue, Label, UnjudgedReason
from judge.schema.outcomes import AbstentionOutcome, AbstentionVerdict, Outcome, Verdict
from judge.statistics.paired import sign_flip_p

_KEPT = ("cohen_kappa", "gwet_ac1", "scott_pi", "krippendorff_alpha")
_NOTHING = "nothing was judged by both runs"
_NO_ANSWER = "no answer has this rate in both runs"


class BothSaid(NamedTuple):
    """One thing with the word of each run, or why there is none."""

    first: str | UnjudgedReason
    second: str | UnjudgedReason
    cluster: str


def both_of(statement: StatementPair) -> BothSaid:
    """Return what both runs said of a statement."""
    return BothSaid(_label(statement.first), _label(statement.second), statement.cluster)


def abstention_of(pair: ItemPair) -> BothSaid:
    """Return what both runs said on whether an answer abstains."""
    return BothSaid(_abstention(pair.first.abstention), _abstention(pair.second.abstention), pair.cluster)


def label_agreement(statements: Sequence[StatementPair], seed: int) -> RunsAgreement | None:
    """Return the agreement on the labels of statements; None without any."""
    return runs_agreement([both_of(each) for each in statements], list(Label), seed)


def abstention_agreement(pairs: Sequence[ItemPair], seed: int) -> RunsAgreement | None:
    """Return the agreement on which answers abstain, wholly or partly; None without answers."""
    return runs_agreement([abstention_of(pair) for pair in pairs], list(AbstentionValue), seed)


def runs_agreement(things: Sequence[BothSaid], words: Sequence[str], seed: int) -> RunsAgreement | None:
    """Return the figures of things; None without any. `words` are all that a run may say, in order."""
    if not things:
        return None
    judged = [
        Labelled(first, second, cluster)
        for first, second, cluster in things
        if not isinstance(first, UnjudgedReason) and not isinstance(second, UnjudgedReason)
    ]
    found = agreement_of(judged, words, seed=seed)
    cells = Counter((each.gold, str(each.judged)) for each in judged)
    alike = sum(each.gold == each.judged for each in judged)
    reasons = [(isinstance(first, UnjudgedReason), isinstance(second, UnjudgedReason)) for first, second, _ in things]
    return RunsAgreement(
        things=len(things),
        n=len(judged),
        clusters=len({each.cluster for each in judged}),
        agreement=alike / len(judged) if judged else None,
        agreement_bounds=(alike / len(things), (alike + len(things) - len(judged)) / len(things)),
        **{name: None if found is None else getattr(found, name) for name in _KEPT},
        by_word=_by_word(judged, words),
        confusion={row: {column: cells[row, column] for column in words} for row in words},
        unjudged={"first": _reasons([each.first for each in things]), "second": _reasons([each.second for each in things])},
        unjudged_in_both=sum(first and second for first, second in reasons),
        **_intervals(found),
    )


def _intervals(found: LabelAgreement | None) -> dict[str, dict[str, object]]:
    """Return intervals, methods and reasons under the names that they have here."""
    names = {"accuracy": "agreement", **{name: name for name in _KEPT}}
    if found is None:
        return {"ci95": {}, "ci_method": {}, "reasons": dict.fromkeys(names.values(), _NOTHING)}
    kept: dict[str, dict[str, object]] = {}
    for field in ("ci95", "ci_method", "reasons"):
        kept[field] = {names[name]: value for name, value in getattr(found, field).items() if name in names}
    return kept


def _by_word(judged: Sequence[Labelled], words: Sequence[str]) -> dict[str, WordCounts]:
    first, second = Counter(each.gold for each in judged), Counter(str(each.judged) for each in judged)
    both = Counter(each.gold for each in judged if each.gold == each.judged)
    return {
        word: WordCounts(
            first=first[word],
            second=second[word],
            specific_agreement=2 * both[word] / (first[word] + second[word]) if first[word] + second[word] else None,
        )
        for word in words
    }


def _reasons(said: Sequence[str | UnjudgedReason]) -> Unjudged:
    return dict(sorted(Counter(each for each in said if isinstance(each, UnjudgedReason)).items()))


def rate_difference(metric: str, pairs: Sequence[ItemPair], seed: int) -> RateDifference:
    """Return how far a rate lies apart, over answers measured against the same propositions in both runs."""
    same = [pair for pair in pairs if pair.has_same_propositions]
    known = [(pair.cluster, first, second) for pair in same for first, second in _rates(metric, pair)]
    clusters, differences = [cluster for cluster, _, _ in known], [second - first for _, first, second in known]
    return RateDifference(
        metric=metric,
        first=_mean([first for _, first, _ in known]),
        second=_mean([second for _, _, second in known]),
        difference=mean_figure(differences, clusters, _NO_ANSWER),
        p=sign_flip_p(_cluster_sums(differences, clusters), seed=seed),
        other_statements=len(pairs) - len(same),
        without_rate=len(same) - len(known),
    )


def _rates(metric: str, pair: ItemPair) -> list[tuple[float, float]]:
    first, second = pair.first.signals.get(metric), pair.second.signals.get(metric)
    return [] if first is None or second is None else [(first, second)]


def _cluster_sums(values: Sequence[float], clusters: Sequence[str]) -> list[float]:
    """Return the sum of each cluster, clusters in the order of their names, so that the order of things does not matter."""
    grouped: defaultdict[str, list[float]] = defaultdict(list)
    for value, cluster in zip(values, clusters, strict=True):
        grouped[cluster].append(value)
    return [fsum(each) for _, each in sorted(grouped.items())]


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def _label(outcome: Outcome) -> str | UnjudgedReason:
    return outcome.label if isinstance(outcome, Verdict) else outcome.reason


def _abstention(outcome: AbstentionOutcome) -> str | UnjudgedReason:
    return outcome.value if isinstance(outcome, AbstentionVerdict) else outcome.reason
