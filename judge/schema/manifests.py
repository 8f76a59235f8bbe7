"""The content of `manifest.json`: every fact that may differ between two runs of the same thing."""

from pydantic import JsonValue

from judge.schema.judgments import JudgeIdentity
from judge.schema.labels import PanelRule
from judge.schema.record import Record


class JudgeFacts(Record):
    """Which judge spoke: its name, the SHA-256 of its identities, the identities, and the kinds it can be asked."""

    spec: str
    id: str
    identities: dict[str, JudgeIdentity]
    offers: tuple[str, ...]


class InputFacts(Record):
    """Which input: file name, SHA-256 of its bytes, number of items."""

    name: str
    sha256: str
    items: int


class FileFacts(Record):
    """Which file: its name and the SHA-256 of its bytes."""

    name: str
    sha256: str


class MadeNow(Record):
    """What this run made itself, as opposed to what it found in the cache, the journal or a recorded run."""

    judgments: int = 0
    calls: int = 0


class Pace(Record):
    """How fast judgments were made, the last time any were: how many, and in how many seconds of a clock that never jumps."""

    judgments: int
    seconds: float


class GateResult(Record):
    """One gate: a bound on a metric, and whether it was met. A null metric misses its gate."""

    metric: str
    kind: str
    threshold: float
    value: float | None
    met: bool


class FlaggedItems(Record):
    """How many items carry a flag, and the ids of the first ten."""

    count: int
    first: tuple[str, ...]


class RunManifest(Record):
    """One run: what it was made from, by what, when, and how it ended.

    `key` holds the digests of what must be equal for a folder to be resumed. `state` is `running`, `complete`,
    `incomplete`, `stopped` or `interrupted`. Times are UTC in ISO 8601. `flags` name the items that carry each flag.
    Where several judges were asked, `voices` names them in the order of their journals; `panel_rule` is set where they speak as one.
    `audit` names the audit that the run was made for.
    """

    format: int = 1
    tool_version: str
    state: str
    exit_code: int | None = None
    stopped: str | None = None
    started: str
    finished: str | None = None
    input: InputFacts
    judge: JudgeFacts
    voices: tuple[JudgeFacts, ...] = ()
    panel_rule: PanelRule | None = None
    audit: str | None = None
    policy: str
    run_record: FileFacts | None = None
    key: dict[str, str]
    config: dict[str, JsonValue]
    config_sources: dict[str, str]
    replayed_from: str | None = None
    made_now: MadeNow = MadeNow()
    pace: Pace | None = None
    from_cache: int = 0
    from_journal: int = 0
    cache_entries_set_aside: int = 0
    gates: tuple[GateResult, ...] = ()
    flags: dict[str, FlaggedItems] = {}
    warnings: tuple[str, ...] = ()
    host: str
    versions: dict[str, str | None]
