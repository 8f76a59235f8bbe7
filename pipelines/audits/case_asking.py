"""Asking a judge about one case, as it is or changed: every repeat and every arrangement is a request of its own."""

from collections.abc import Sequence
from typing import NamedTuple

from judge.auditing.prompt_regions import fence_of, keeps_regions
from judge.planning import Asking
from judge.prompt import Policy, Prompt
from judge.relations.case import Case, Change, Said
from judge.relations.checking import abstention_word, word_of
from judge.schema.items import GivenProposition, Item
from judge.schema.labels import NOT_A_FAILURE, PanelRule, RequestKind, UnjudgedReason
from judge.schema.propositions import Decomposition, Proposition
from judge.schema.rates import Rate
from judge.schema.requests import LabelRequest
from pipelines.audits.relabelling import is_relabelled
from pipelines.decomposing import given_decomposition
from pipelines.judges import asking_of, load_prompts
from pipelines.judging import JudgedItem, Questions, judge_item
from pipelines.open_run import OpenRun
from pipelines.voices import Voice


class Arrangement(NamedTuple):
    """How propositions are put: in the order of a seed or in the usual one, together or alone; and the number of the repeat."""

    repeat: int = 0
    order: int | None = None
    alone: bool = False


class AskedCase(NamedTuple):
    """What was said of a case, and the digits by which its prompt kept data apart, None where nobody was asked."""

    said: Said
    fence: str | None
    faulty: bool | None = None


class CaseAsker:
    """Asks the judge of a run; counts what was asked and what was answered. `dropped` names parameters that the model did not take."""

    def __init__(self, run: OpenRun) -> None:
        """Ask within an open run."""
        self._run = run
        self._asking = asking_of(run.config, run.cast.builts)
        self._prompt, self._policy = _rendered_by(run)
        self._relabelled = [voice for voice in run.voices if is_relabelled(voice.built.facts)]
        self._usual = [voice for voice in run.voices if voice not in self._relabelled]
        self.dropped: set[str] = set()
        self._judged = 0
        self._asked = 0

    @property
    def has_labels(self) -> bool:
        """Whether the judge can be asked with its label definitions in another order."""
        return bool(self._relabelled)

    @property
    def coverage(self) -> Rate:
        """How many of all verdicts asked for were given."""
        return Rate(numerator=self._judged, denominator=self._asked)

    async def ask(self, case: Case, arrangement: Arrangement) -> AskedCase:
        """Return what the judge says of the propositions of a case."""
        judged = await self._judge(case, arrangement, self._usual)
        labels = _requests(judged)
        return AskedCase(_said(judged), fence_of(labels[0]) if labels else None)

    async def ask_changed(self, change: Change, *, is_checked: bool) -> AskedCase:
        """Return what the judge says of a changed case; `is_checked` asks whether its prompts kept every text in its field."""
        voices = self._relabelled if change.relabelled else self._usual
        judged = await self._judge(change.case, Arrangement(order=change.order, alone=change.alone), voices)
        faulty = None
        if is_checked and self._prompt is not None:
            faulty = not keeps_regions(self._prompt, self._policy, _requests(judged), change.payload)
        return AskedCase(_said(judged), None, faulty)

    async def _judge(self, case: Case, arrangement: Arrangement, voices: Sequence[Voice]) -> JudgedItem:
        item = _item_of(case)
        references: Sequence[Decomposition] = [found] if (found := given_decomposition(item)) is not None else []
        rule = self._run.cast.rule or PanelRule.MAJORITY
        judged = await judge_item(Questions(item, references, _arranged(self._asking, arrangement)), voices, rule)
        self._run.usage.add(judged.judgments)
        self.dropped.update(name for judgment in judged.judgments for name in judgment.dropped_parameters)
        self._count(_said(judged))
        return judged

    def _count(self, said: Said) -> None:
        words = [*map(word_of, said.outcomes.values()), abstention_word(said.abstention)]
        asked = [word for word in words if word not in NOT_A_FAILURE]
        self._asked += len(asked)
        self._judged += sum(not isinstance(word, UnjudgedReason) for word in asked)


def _rendered_by(run: OpenRun) -> tuple[Prompt | None, Policy]:
    """Return the label prompt of the run, None where no prompt is made: of the baseline, and of a replay."""
    built = run.cast.builts[0]
    makes_prompts = built.facts.identities["label"].model is not None and run.replayed_from is None
    return load_prompts(run.config)[RequestKind.LABEL] if makes_prompts else None, built.policy


def _arranged(asking: Asking, arrangement: Arrangement) -> Asking:
    return asking._replace(
        repeats=1,
        first_repeat=arrangement.repeat,
        order=arrangement.order,
        batch_size=1 if arrangement.alone else asking.batch_size,
    )


def _item_of(case: Case) -> Item:
    given = tuple(GivenProposition(id=one.id, text=one.text) for one in case.propositions)
    return Item(id=case.id, question=case.question, answer=case.answer, propositions=given)


def _said(judged: JudgedItem) -> Said:
    result = judged.result
    return Said({one.id: one.outcome for one in result.propositions}, result.abstention)


def _requests(judged: JudgedItem) -> list[LabelRequest]:
    return [repeats[0] for repeats in judged.plan.labels]


def case_of(item: Item, references: Sequence[object]) -> Case | None:
    """Return an item as a case, with the propositions of its first ground truth that has some; None without any."""
    found = next((one for one in references if isinstance(one, Decomposition) and one.propositions), None)
    if found is None:
        return None
    texts: dict[str, Proposition] = {}
    for one in found.propositions:
        texts.setdefault(one.text, one)
    cluster = item.cluster if item.cluster is not None else item.question_id
    return Case(item.id, item.question, item.answer, tuple(texts.values()), found.ground_truth, cluster)
