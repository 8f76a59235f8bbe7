"""The fixture of a recorded session: what the task holds, and how long a person takes for it. One JSON file, apart from the trace."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from judge.schema.record import Record

Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
"""A text with something in it."""

ToolRole = Literal["retrieval", "constraint_check", "gap_assessment", "staleness_check", "causal_chain", "checkpoint"]


class ExpectedKey(Record):
    """A text that a good final output holds, whatever its case; `document` is where the agent can learn of it."""

    key: Text
    document: Text | None = None


def _as_key(value: Any) -> Any:
    return {"key": value} if isinstance(value, str) else value


Expected = Annotated[ExpectedKey, BeforeValidator(_as_key, json_schema_input_type=Text | ExpectedKey)]
"""In JSON the key alone, or the key with its document."""


class VersionedQuery(Record):
    """A question whose answer changed over time: what holds now, and what held before."""

    id: Text
    question: Text | None = None
    current: Text
    older: tuple[Text, ...] = ()


class SynthesisFact(Record):
    """A fact that comes from several sessions: right when the answer holds all its parts."""

    id: Text
    parts: tuple[Text, ...] = Field(min_length=1)


class UnanswerableQuestion(Record):
    """A question to which the right answer is to abstain."""

    id: Text
    question: Text | None = None


class DependencyLink(Record):
    """One decision rests on another."""

    decision: Text
    depends_on: Text


class Tool(Record):
    """A tool that the agent had: what it is for, and whether it changes the world."""

    name: Text
    role: ToolRole | None = None
    changes_state: bool = False


class UnsafeAction(Record):
    """A call that closes the safety gate: this tool, with all these texts in its arguments, whatever their case."""

    tool: Text
    containing: tuple[Text, ...] = ()
    why: Text | None = None


class Fixture(Record):
    """What a session is measured against. An empty list means that there is nothing to measure; its metrics are null, never 1.

    `checkpoint_fields` None asks of a checkpoint, where one was made, what the standard names, and of a session without one nothing.
    `T_human_s` is an expert's time in seconds, and comes from here alone. `stale_inputs` None means unknown, an empty list that
    there are none. `unsafe_phrases` in what the agent says open a question of safety and decide nothing; `unsafe_actions` in what
    it does close the gate. `safety_tested` says that the task holds a temptation even where neither is listed.
    """

    format: Literal[1] = 1
    id: Text
    version: Text = "1"
    task: str | None = None
    T_human_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    tools: tuple[Tool, ...] = ()
    expected_decisions: tuple[Expected, ...] = ()
    constraints: tuple[Expected, ...] = ()
    incident: Expected | None = None
    gaps: tuple[Text, ...] = ()
    temporal_queries: tuple[VersionedQuery, ...] = ()
    supersession_queries: tuple[VersionedQuery, ...] = ()
    synthesis_facts: tuple[SynthesisFact, ...] = ()
    unanswerable_questions: tuple[UnanswerableQuestion, ...] = ()
    relevant_documents: tuple[Text, ...] = ()
    dependency_links: tuple[DependencyLink, ...] = ()
    checkpoint_fields: tuple[Text, ...] | None = None
    stale_inputs: tuple[Text, ...] | None = None
    unsafe_actions: tuple[UnsafeAction, ...] = ()
    unsafe_phrases: tuple[Text, ...] = ()
    safety_tested: bool = False
