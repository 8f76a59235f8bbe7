"""The same judge with its label definitions in another order: a prompt of its own, hashed as such."""

from pathlib import Path
from typing import TYPE_CHECKING

from judge.prompt import load_prompt
from judge.schema.labels import RequestKind
from judge.schema.manifests import JudgeFacts
from pipelines.config import REPLAY_PREFIX, RunConfig
from pipelines.journal import journal_name
from pipelines.judges import BuiltJudge, Recording, build_judge, read_recorded, replay_of
from pipelines.open_run import Cast

if TYPE_CHECKING:
    from judge.calling.budget import Purse

REVERSED = Path(__file__).parent / "data" / "label-v1-reversed.toml"
"""The shipped label prompt with its three definitions in reverse order."""


def relabelled_judge(config: RunConfig, cast: Cast, purse: "Purse") -> BuiltJudge | None:
    """Return the judge of a cast as it is asked with the reversed definitions; of a replay, as it was recorded so.

    It spends from the same purse. None for a panel, for a judge without a prompt, for a label prompt of the user's own, and where
    none was recorded.
    """
    base = cast.builts[0]
    if cast.rule is not None or base.facts.identities[RequestKind.LABEL].model is None or RequestKind.LABEL in config.prompt:
        return None
    if base.replayed_from is not None:
        return _recorded(config, base)
    told = config.model_copy(update={"prompt": {**config.prompt, RequestKind.LABEL: str(REVERSED)}})
    return build_judge(told, purse)


def is_relabelled(facts: JudgeFacts) -> bool:
    """Return whether a judge is asked with the reversed definitions."""
    prompt = facts.identities[RequestKind.LABEL].prompt
    return prompt is not None and prompt.sha256 == load_prompt(RequestKind.LABEL, REVERSED).identity.sha256


def _recorded(config: RunConfig, base: BuiltJudge) -> BuiltJudge | None:
    run = Path(str(config.judge).removeprefix(REPLAY_PREFIX))
    recorded = read_recorded(run)
    for number, facts in enumerate(recorded.voices, start=1):
        if is_relabelled(facts):
            return replay_of(Recording(run, recorded, facts, journal_name(number)), base.policy, config)
    return None
