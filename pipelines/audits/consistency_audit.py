"""`judge audit consistency`: every item asked again, in other orders, batches and words, and under another policy."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing

from judge.assembling import outcomes_by_text
from judge.auditing.noise import score_noise
from judge.auditing.stability import Applied, Change, Shifts, Thing, least_stable_first, repeat_figures, variant_figures
from judge.auditing.takes import ItemSeen, TakeSeen, item_seen
from judge.errors import ConfigError
from judge.panel import combine_outcomes
from judge.planning import Asking, statement_texts
from judge.schema.audits import Audit
from judge.schema.consistency import Consistency, VariantFigures
from judge.schema.items import Item
from judge.schema.labels import AbstentionValue, Label, PanelRule
from judge.schema.manifests import GateResult
from judge.schema.outcomes import Unjudged
from judge.schema.propositions import Decomposition
from judge.schema.rates import Rate
from judge.scorecard import CONTRADICTION, RECALL
from judge.text.normalise import is_empty
from pipelines.audits.audit_run import head_of
from pipelines.audits.conditions import conditions_of
from pipelines.audits.variants import VARIANTS, Take, Variant, repeats_of
from pipelines.config import RunConfig
from pipelines.counting import counted
from pipelines.judges import asking_of
from pipelines.judging import Questions, judge_item
from pipelines.open_run import Cast, OpenRun, Progress
from pipelines.panels import build_cast
from pipelines.reports.consistency_page import consistency_page
from pipelines.reports.page import Page
from pipelines.running import in_order, window_for
from pipelines.spending import purse_of

STRICT, STANDARD = "strict", "standard"

References = Sequence[Decomposition | Unjudged]


def consistency_cast(config: RunConfig) -> Cast:
    """Return the judge of the settings, and the same judge under the policy that it is compared with.

    That is `strict`, or `standard` where strict is the one audited. Raises ConfigError for fewer than two repeats, and for gates.
    """
    if config.repeats < 2:
        raise ConfigError(f"--repeats {config.repeats}: a consistency audit asks everything at least twice (5 unless told otherwise)")
    if config.has_gate:
        raise ConfigError("--fail-under and --fail-over bound metrics of `judge score`; a consistency audit has none of them")
    purse = purse_of(config)
    cast = build_cast(config, purse)
    other = build_cast(config.model_copy(update={"policy": STANDARD if config.policy == STRICT else STRICT}), purse)
    key = {"audit": "consistency", "policy compared with": other.builts[0].policy.identity.sha256}
    return cast._replace(builts=[*cast.builts, *other.builts], key=key, audit="consistency")


class ConsistencyFlow:
    """One consistency audit while it is made; it remembers labels and scores of every item."""

    def __init__(self, config: RunConfig, seed: int = 0) -> None:
        """Begin with no item. `seed` is that of the intervals."""
        self._config = config
        self._seed = seed
        self._seen: list[ItemSeen] = []
        self._dropped: set[str] = set()
        self._empty = 0

    async def ask(self, run: OpenRun) -> AsyncGenerator[Progress, None]:
        """Ask everything about every item, in input order."""
        asking = asking_of(self._config, run.cast.builts)

        async def one(item: Item) -> ItemSeen | None:
            if is_empty(item.answer):
                # Decided without a judge, so that it shows nothing of one.
                return None
            references = run.propositions.of(item)
            takes = _takes(item, references, asking, self._config.repeats)
            flat = [take for each in takes.values() for take in each]
            seen = iter(await asyncio.gather(*(self._judge(run, take, references) for take in flat)))
            by_name = {name: [next(seen) for _ in each] for name, each in takes.items()}
            return item_seen(item, references, by_name.pop(_REPEATS), by_name)

        done = 0
        async with AsyncExitStack() as stack:
            items = in_order(run.items(), one, window=window_for(self._config.max_connections))
            async for seen in await stack.enter_async_context(aclosing(items)):
                done += 1
                if seen is None:
                    self._empty += 1
                else:
                    self._seen.append(seen)
                yield run.progress("judging", done, run.source.count)

    async def _judge(self, run: OpenRun, take: Take, references: References) -> TakeSeen:
        """Ask once, of the judges under the audited policy or under the other one."""
        half = len(run.voices) // 2
        voices = run.voices[half:] if take.voice else run.voices[:half]
        rule = run.cast.rule or PanelRule.MAJORITY
        judged = await judge_item(Questions(take.item, references, take.asking), voices, rule)
        run.usage.add(judged.judgments)
        self._dropped.update(name for judgment in judged.judgments for name in judgment.dropped_parameters)
        outcomes = combine_outcomes([outcomes_by_text(take.item, judged.plan, ballot) for ballot in judged.ballots], rule)
        return TakeSeen(outcomes, judged.result.abstention, judged.result.signals)

    def coverage(self) -> Rate:
        """Return how many of all verdicts asked for were given."""
        rates = [seen.rate for seen in self._seen]
        return Rate(numerator=sum(rate.numerator for rate in rates), denominator=sum(rate.denominator for rate in rates))

    def gates(self) -> tuple[GateResult, ...]:
        """Return none: consistency bounds nothing by itself."""
        return ()

    def audit(self, run: OpenRun, *, complete: bool) -> Consistency:
        """Return the figures."""
        base, other = run.cast.builts[0], run.cast.builts[-1]
        things = [Thing(seen.cluster, tuple(each.repeats)) for seen in self._seen for each in seen.statements]
        clusters = [seen.cluster for seen in self._seen]
        return Consistency(
            **head_of(run, self._left_out(), complete=complete),
            conditions=conditions_of(run, self._dropped),
            coverage=self.coverage(),
            statements=repeat_figures(things, list(Label), self._seed),
            abstention=repeat_figures([seen.abstention for seen in self._seen], list(AbstentionValue), self._seed),
            noise=tuple(
                score_noise(metric, [[score.get(metric) for score in seen.scores] for seen in self._seen], clusters)
                for metric in (RECALL, CONTRADICTION)
            ),
            variants=tuple(self._variant(variant) for variant in VARIANTS),
            policies={"audited": base.policy.identity.label, "compared with": other.policy.identity.label},
            by_statement=least_stable_first(each for seen in self._seen for each in seen.statements),
        )

    def _left_out(self) -> Iterator[str]:
        if self._empty:
            yield f"{counted(self._empty, 'item')} with an empty answer left out: that is decided without a judge"

    def page(self, audit: Audit) -> Page:
        """Return the figures as a report."""
        assert isinstance(audit, Consistency)
        return consistency_page(audit)

    def _variant(self, variant: Variant) -> VariantFigures:
        applied = [seen for seen in self._seen if seen.changed[variant.name]]
        return variant_figures(
            Applied(variant.name, variant.meaning, len(applied), None if applied else variant.nowhere),
            list(_changes(applied, variant.name)),
            _shifts(applied, variant.name, RECALL),
            _shifts(applied, variant.name, CONTRADICTION),
        )


_REPEATS = "repeats"


def _takes(item: Item, references: References, asking: Asking, repeats: int) -> dict[str, Sequence[Take]]:
    """Return all ways in which an item is asked about, by name."""
    statements = len(statement_texts(item, references))
    # A change is asked once, as one repeat is: more of them, by majority, would be steadier than what they are compared with.
    once = asking._replace(repeats=1)
    changed = {variant.name: variant.takes(item, once, statements) for variant in VARIANTS}
    return {_REPEATS: repeats_of(item, asking, repeats), **changed}


def _changes(applied: Sequence[ItemSeen], name: str) -> Iterator[Change]:
    for seen in applied:
        for statement in seen.statements:
            said = tuple(take[statement.text] for take in seen.changed[name])
            yield Change(seen.cluster, statement.repeats[0], said, statement.pairwise_flip)


def _shifts(applied: Sequence[ItemSeen], name: str, metric: str) -> Shifts:
    """Return of each item the mean score under the change less that of the first repeat, where both are known."""
    found = [(seen.cluster, _shift(seen.scores[0], seen.changed_scores[name], metric)) for seen in applied]
    known = [(cluster, shift) for cluster, shift in found if shift is not None]
    return Shifts([cluster for cluster, _ in known], [shift for _, shift in known])


def _shift(base: Mapping[str, float | None], changed: Sequence[Mapping[str, float | None]], metric: str) -> float | None:
    before = base.get(metric)
    after = [score for take in changed if (score := take.get(metric)) is not None]
    return None if before is None or not after else sum(after) / len(after) - before
