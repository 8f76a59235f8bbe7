"""Who judged, and what came back: one journal line."""

from typing import Annotated, Literal

from pydantic import Field

from judge.schema.labels import Flag, Mode, RequestKind
from judge.schema.outcomes import AbstentionOutcome, MarkOutcome, Outcome, Unjudged
from judge.schema.propositions import Excluded, LintFinding, Proposition
from judge.schema.record import Record

Setting = str | int | float | bool | None


class PromptIdentity(Record):
    """Which prompt or policy file: its name, its version and the SHA-256 of its content."""

    name: str
    version: str
    sha256: str

    @property
    def label(self) -> str:
        """Name and version as shown to people, such as `standard-v1`."""
        return f"{self.name}-{self.version}"


class JudgeIdentity(Record):
    """Everything known before a call that changes the bytes sent or how the reply is read, and nothing else."""

    kind: RequestKind
    backend: str
    backend_version: str
    model: str | None = None
    endpoint: str | None = None
    parameters: dict[str, Setting] = {}
    mode: Mode | None = None
    client: str | None = None
    prompt: PromptIdentity | None = None
    policy: PromptIdentity | None = None
    reply_schema_sha256: str | None = None
    re_asks: int = 0


class Split(Record):
    """The checked reply to a decompose request."""

    kind: Literal["split"] = "split"
    propositions: tuple[Proposition, ...]
    excluded: tuple[Excluded, ...] = ()
    lint: tuple[LintFinding, ...] = ()


class Labels(Record):
    """The checked reply to a label request: an outcome for every statement id; abstention where it was asked."""

    kind: Literal["labels"] = "labels"
    abstention: AbstentionOutcome | None
    outcomes: dict[str, Outcome]


class Appraisal(Record):
    """The checked reply to an appraise request."""

    kind: Literal["appraisal"] = "appraisal"
    mark: MarkOutcome


class Usage(Record):
    """Tokens and US dollars, summed over all attempts; None means unknown, never zero."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


class Judgment(Record):
    """What one request came to. Holds no wall clock, host or path: cold, cached or replayed, the same bytes."""

    request_sha256: str
    identity_id: str
    content: Annotated[Split | Labels | Appraisal | Unjudged, Field(discriminator="kind")]
    flags: tuple[Flag, ...] = ()
    attempts: int = 0
    usage: Usage = Usage()
    mode: Mode | None = None
    dropped_parameters: tuple[str, ...] = ()
    reported_model: str | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every part was judged; only complete judgments are cached."""
        match self.content:
            case Unjudged():
                return False
            case Split():
                return True
            case Appraisal(mark=mark):
                return not isinstance(mark, Unjudged)
            case Labels(abstention=abstention, outcomes=outcomes):
                parts = [abstention, *outcomes.values()]
                return not any(isinstance(part, Unjudged) for part in parts)
