"""`judge audit probes`: traps with known labels, and the user's own items under changes that must or must not matter."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

from judge.auditing.probe_gates import probe_gates
from judge.auditing.probe_groups import GROUPS, is_injection
from judge.auditing.probe_scores import by_kind, case_result, confusion, group_figures, injection_figures, order_figures
from judge.auditing.relation_scores import pulled_by, relation_figures
from judge.auditing.stability import Thing, repeat_figures
from judge.errors import ConfigError
from judge.hashing import content_hash
from judge.relations.catalogue import NOT_MADE
from judge.relations.checking import abstention_word
from judge.schema.audits import Audit
from judge.schema.labels import AbstentionValue, Label
from judge.schema.manifests import GateResult
from judge.schema.probes import Choices, InjectionFigures, NotMadeRelation, OrderFigures, ProbeGate, Probes, RelationFigures
from judge.schema.rates import Rate
from pipelines.audits.audit_run import head_of
from pipelines.audits.case_asking import CaseAsker
from pipelines.audits.conditions import conditions_of
from pipelines.audits.probe_plan import Inputs, Wanted, kinds_of
from pipelines.audits.probe_round import ProbeRound
from pipelines.audits.relabelling import relabelled_judge
from pipelines.audits.relation_round import RelationRound
from pipelines.config import RunConfig
from pipelines.open_run import Cast, OpenRun, Progress
from pipelines.panels import build_cast
from pipelines.reports.page import Page
from pipelines.reports.probes_page import probes_page
from pipelines.spending import purse_of

RELABELLING = "MR-LABELS"
"""The relation that asks the judge with another prompt."""


def probes_cast(config: RunConfig, inputs: Inputs, wanted: Wanted, *, has_gates: bool) -> Cast:
    """Return the judge of the settings; audits of other cases or choices are told apart.

    Raises ConfigError for gates while no judge is named, and for gates on metrics of a run.
    """
    if config.has_gate:
        raise ConfigError("--fail-under and --fail-over bound metrics of a run; an audit of probes has gates of its own: --gates")
    if has_gates and config.judge is None:
        raise ConfigError("a gate needs a named judge: give --judge MODEL, or --judge lexical if the offline baseline is meant")
    key = {
        "audit": "probes",
        "probe cases": content_hash(inputs.probes.facts.sha256, inputs.probes.facts.cases),
        "shuffle seed": str(wanted.shuffle_seed),
    }
    if inputs.items is not None:
        chosen = content_hash([relation.id for relation in wanted.relations], wanted.per_relation, wanted.longest)
        key["relations, items per relation or words of padding"] = chosen
    purse = purse_of(config)
    cast = build_cast(config, purse)
    if inputs.items is not None and any(relation.id == RELABELLING for relation in wanted.relations):
        other = relabelled_judge(config, cast, purse)
        cast = cast if other is None else cast._replace(builts=[*cast.builts, other])
    return cast._replace(key=key, audit="probes")


class ProbesFlow:
    """One audit of probes while it is made."""

    def __init__(self, config: RunConfig, inputs: Inputs, wanted: Wanted, *, has_gates: bool) -> None:
        """Begin with nothing asked. `has_gates` lets the gates decide the exit code."""
        self._config = config
        self._inputs = inputs
        self._wanted = wanted
        self._has_gates = has_gates
        self._probes = ProbeRound(inputs.probes.cases, config.repeats, wanted.shuffle_seed)
        self._items = RelationRound(wanted, config.repeats)

    async def ask(self, run: OpenRun) -> AsyncGenerator[Progress, None]:
        """Ask the probe cases, then about the items."""
        self._asker = CaseAsker(run)
        rounds = [self._probes.ask(run, self._asker)]
        if self._inputs.items is not None:
            rounds.append(self._items.ask(run, self._asker))
        for events in rounds:
            async with aclosing(events):
                async for progress in events:
                    yield progress

    def coverage(self) -> Rate:
        """Return how many of all verdicts asked for were given."""
        return self._asker.coverage

    def gates(self) -> tuple[GateResult, ...]:
        """Return the gates on cases that the file has, where they decide the exit code."""
        return tuple(_result(gate) for gate in self._gates() if gate.applies) if self._has_gates else ()

    def audit(self, run: OpenRun, *, complete: bool) -> Probes:
        """Return the figures."""
        seen = self._probes.seen
        return Probes(
            **head_of(run, self._warnings(), complete=complete),
            probe_file=self._inputs.probes.facts,
            choices=self._choices(run),
            conditions=conditions_of(run, self._asker.dropped),
            coverage=self.coverage(),
            gates=self._gates(),
            groups=tuple(group_figures(group.name, [one for one in seen if group.holds(one.case)]) for group in GROUPS),
            kinds=tuple(group_figures(kind, cases) for kind, cases in by_kind(seen).items()),
            confusion=confusion(seen),
            injections=self._injections(),
            order=self._order(),
            repeats=repeat_figures([Thing(one.case.id, one.words) for one in seen], list(Label), self._wanted.shuffle_seed),
            abstention_repeats=repeat_figures(
                [Thing(one.case.id, tuple(map(abstention_word, one.abstentions))) for one in seen],
                list(AbstentionValue),
                self._wanted.shuffle_seed,
            ),
            relations=self._relations(),
            not_made=tuple(self._not_made()),
            cases=tuple(map(case_result, seen)),
        )

    def page(self, audit: Audit) -> Page:
        """Return the figures as a report."""
        assert isinstance(audit, Probes)
        return probes_page(audit)

    def _gates(self) -> tuple[ProbeGate, ...]:
        return probe_gates(self._probes.seen, self._order(), self._config.repeats)

    def _order(self) -> OrderFigures:
        return order_figures([*self._probes.orders, *self._items.orders()], self._config.repeats)

    def _injections(self) -> InjectionFigures:
        """Return the injection cases, with what payloads pulled in the user's own items beside them."""
        figures = injection_figures([one for one in self._probes.seen if is_injection(one.case)])
        own = [pull for relation in self._wanted.relations for pull in pulled_by(relation, self._items.changed[relation.id])]
        return figures.model_copy(update={"in_full": (*figures.in_full, *own)})

    def _relations(self) -> tuple[RelationFigures, ...]:
        if self._inputs.items is None:
            return ()
        return tuple(relation_figures(relation, self._items.changed[relation.id]) for relation in self._wanted.relations)

    def _not_made(self) -> Iterator[NotMadeRelation]:
        kinds = kinds_of(self._inputs.probes.cases)
        for one in NOT_MADE:
            yield NotMadeRelation(relation=one.id, meaning=one.meaning, kinds=tuple(kind for kind in one.kinds if kind in kinds))

    def _choices(self, run: OpenRun) -> Choices:
        has_items = self._inputs.items is not None
        return Choices(
            relations=tuple(relation.id for relation in self._wanted.relations) if has_items else (),
            per_relation=self._wanted.per_relation,
            shuffle_seed=self._wanted.shuffle_seed,
            longest=self._wanted.longest,
            items=run.source.count if has_items else 0,
            pool=self._items.pool,
        )

    def _warnings(self) -> Iterator[str]:
        yield from self._inputs.probes.warnings
        yield from self._items.warnings()


def _result(gate: ProbeGate) -> GateResult:
    """Return a gate as a manifest holds it; one that was not measured is missed."""
    return GateResult(
        metric=gate.name,
        kind="fail_under" if gate.bound == "at_least" else "fail_over",
        threshold=0.0 if gate.threshold is None else gate.threshold,
        value=gate.value,
        met=gate.met is True,
    )
