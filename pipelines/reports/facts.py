"""What a report says of a run beside its numbers."""

from judge.schema.manifests import FlaggedItems
from judge.schema.record import Record


class RunFacts(Record):
    """The part of a manifest that readers of a report need.

    `judge_spec` is the judge that made the judgments, of a replay the recorded one; `judge_model` is None where no model is
    involved. `prompt` is the label prompt (`label-v1`). `from_cache`, `from_journal` and `made_now` count judgments; `repeats` is
    how often each request was asked. `panel` names the judges of a panel. `run_record` names the file that states what no judge
    can know. `stopped` says why a run ended early. `flags` name flagged items.
    """

    run: str
    input_name: str
    judge_spec: str
    judge_model: str | None = None
    panel: tuple[str, ...] = ()
    replayed_from: str | None = None
    prompt: str | None = None
    policy: str
    metrics_version: str
    null_policy: str
    run_record: str | None = None
    from_cache: int = 0
    from_journal: int = 0
    made_now: int = 0
    repeats: int = 1
    warnings: tuple[str, ...] = ()
    stopped: str | None = None
    flags: dict[str, FlaggedItems] = {}
