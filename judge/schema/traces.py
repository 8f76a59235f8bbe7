"""The trace of a recorded session: what the agent did. One JSON file, apart from the fixture."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from judge.schema.events import Event, Moment, Tokens
from judge.schema.fixtures import Text
from judge.schema.record import Record

TraceSource = Literal["trace", "transcript", "inspect"]


class FixtureReference(Record):
    """The fixture of a trace: a path relative to the trace, and the SHA-256 of the file's bytes."""

    path: Text
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None


class TokenUsage(Record):
    """Tokens of one model by kind: `input_tokens` are those not read from a cache. `cost_usd` is a bill, which wins over any price list."""

    model: Text | None = None
    input_tokens: Tokens | None = None
    output_tokens: Tokens | None = None
    cache_read_tokens: Tokens = 0
    cache_write_tokens: Tokens = 0
    cost_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class SessionAnswer(Record):
    """The answer to one question of the fixture; `abstained` is the agent's own flag or a judge's verdict."""

    id: Text
    text: str | None = None
    abstained: bool | None = None


class Trace(Record):
    """One session as it went. Whatever is left out was not recorded, and what needs it is null.

    `events` stand in their order; without any, nothing is measured. `final_output` defaults to the last text of the agent.
    `automated` says that nobody was there to correct. `given` holds values by the keys of the standard (`Q_info`, `C_tokens_usd`),
    which count only where nothing is measured. `T_human_s` may repeat the fixture's, and must then be the same. `source` says from what
    kind of file it was read; a transcript can tell of messages and tool calls only.
    """

    format: Literal[1] = 1
    id: Text
    fixture: FixtureReference | None = None
    agent: str | None = None
    model: str | None = None
    automated: bool = False
    started_at: Moment | None = None
    context_unit: Literal["documents", "tokens"] = "documents"
    final_output: str | None = None
    T_human_s: float | None = None
    usage: tuple[TokenUsage, ...] = ()
    events: tuple[Event, ...] = ()
    answers: tuple[SessionAnswer, ...] = ()
    given: dict[str, float | None] = {}
    source: TraceSource = "trace"
