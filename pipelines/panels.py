"""From settings to all judges of a run: one, or a panel that speaks as one."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judge.auditing.keys import label_key
from judge.errors import ConfigError
from judge.hashing import content_hash
from judge.prompt import load_policy
from judge.schema.judgments import JudgeIdentity, Setting
from judge.schema.labels import PanelRule, RequestKind
from judge.schema.manifests import JudgeFacts
from pipelines.address_variables import named_address, provider_of
from pipelines.config import BASELINE, REPLAY_PREFIX, RunConfig
from pipelines.endpoints import endpoint_notices
from pipelines.journal import journal_name
from pipelines.judges import BuiltJudge, Recording, build_judge, read_recorded, replay_of
from pipelines.open_run import Cast
from pipelines.spending import purse_of

if TYPE_CHECKING:
    from judge.calling.budget import Purse

_VERSION = "1"
"""Raised when the same votes could give another outcome."""


def build_cast(config: RunConfig, purse: "Purse | None" = None) -> Cast:
    """Return the judges that the settings name, within one budget; of a replayed panel all its judges.

    `purse` is what they may spend together with others.
    Raises ConfigError for a name or a combination that cannot be meant.
    """
    purse = purse_of(config) if purse is None else purse
    if config.panel:
        return _panel(config, purse)
    if config.judge is not None and config.judge.startswith(REPLAY_PREFIX):
        return _replayed(config)
    return _alone(build_judge(config, purse))


def build_splitter(config: RunConfig) -> BuiltJudge:
    """Return the judge that splits ground truths: of a panel the first, of a replayed panel the one that split then.

    Raises ConfigError for a name or a combination that cannot be meant.
    """
    if config.panel:
        return build_judge(settings_of(config.panel[0], config))
    cast = build_cast(config)
    return cast.builts[cast.splitter]


def notices_of(config: RunConfig) -> tuple[str, ...]:
    """Return what a user should know of the addresses of all judges, each notice once."""
    if not config.panel:
        return endpoint_notices(config)
    return tuple(dict.fromkeys(notice for spec in config.panel for notice in endpoint_notices(settings_of(spec, config))))


def _alone(built: BuiltJudge) -> Cast:
    return Cast([built], built.facts)


def _panel(config: RunConfig, purse: "Purse") -> Cast:
    _check_key(config)
    builts = [build_judge(_settings_of_member(spec, config), purse) for spec in config.panel]
    if several := [built.facts.spec for built in builts if [each.facts.id for each in builts].count(built.facts.id) > 1]:
        raise ConfigError(f"the panel names the same judge more than once: {', '.join(several)}; --repeats asks a judge again")
    ordered = sorted(builts, key=_place)
    return _cast_of(ordered, ordered.index(builts[0]), config.panel_rule or PanelRule.MAJORITY)


def _check_key(config: RunConfig) -> None:
    """Raise ConfigError where one key would be sent to several providers."""
    if config.api_key_env is None or config.api_base is not None or config.offline:
        return
    models = [spec for spec in config.panel if spec != BASELINE and not spec.startswith(REPLAY_PREFIX)]
    if len(providers := sorted(set(map(provider_of, models)))) > 1:
        raise ConfigError(
            f"--api-key-env {config.api_key_env} would send one key to several providers: {', '.join(providers)}. Leave it out, and each "
            "judge has the key of its own provider's variable, or name one address for all with --api-base"
        )


def _place(built: BuiltJudge) -> tuple[str, str, str]:
    """Order judges by what the user's order and the label policy leave alone, so that a panel has one name under each policy."""
    return built.facts.spec, label_key(built.facts.identities["label"]), built.facts.id


def _settings_of_member(spec: str, config: RunConfig) -> RunConfig:
    """Return the settings of one judge of a panel. Raises ConfigError for a recorded panel, which is several judges already."""
    if spec.startswith(REPLAY_PREFIX) and read_recorded(Path(spec.removeprefix(REPLAY_PREFIX))).panel_rule is not None:
        raise ConfigError(f"--judge {spec}: a panel was recorded there, which can be no member of another one; replay it alone")
    return settings_of(spec, config)


def settings_of(spec: str, config: RunConfig) -> RunConfig:
    """Return the settings of one judge of a panel: its provider's own address where none is named for all."""
    alone = config.model_copy(update={"judge": spec, "panel": ()})
    if not alone.asks_a_model:
        return alone.model_copy(update={"api_base": None})
    named = named_address(spec, os.environ) if config.api_base is None else None
    return alone if named is None else alone.model_copy(update={"api_base": named.address})


def _replayed(config: RunConfig) -> Cast:
    run = Path(str(config.judge).removeprefix(REPLAY_PREFIX))
    recorded = read_recorded(run)
    if recorded.panel_rule is None:
        return _alone(build_judge(config))
    policy = load_policy(config.policy)
    journals = [Recording(run, recorded, facts, journal_name(number)) for number, facts in enumerate(recorded.voices, start=1)]
    # An audit asked the same judges under several policies; without the one wanted they answer nothing, and say so.
    policies = [recording.facts.identities["label"].policy for recording in journals]
    wanted = policy.identity if policy.identity in policies else policies[0]
    builts = [replay_of(each, policy, config) for each, under in zip(journals, policies, strict=True) if under == wanted]
    splits = recorded.judge.identities[RequestKind.DECOMPOSE]
    splitter = next(place for place, built in enumerate(builts) if built.facts.identities[RequestKind.DECOMPOSE] == splits)
    return _cast_of(builts, splitter, config.panel_rule or recorded.panel_rule)


def _cast_of(builts: Sequence[BuiltJudge], splitter: int, rule: PanelRule) -> Cast:
    return Cast(builts, _facts_of([built.facts for built in builts], splitter, rule), splitter, rule)


def _facts_of(members: Sequence[JudgeFacts], splitter: int, rule: PanelRule) -> JudgeFacts:
    """Return how a panel is named: after all its judges, whose order does not matter but for who splits."""
    identities = {kind: _identity_of(members, kind, rule) for kind in (RequestKind.LABEL, RequestKind.APPRAISE)}
    known = {**{str(kind): identity for kind, identity in identities.items()}, "decompose": members[splitter].identities["decompose"]}
    ordered = {str(kind): known[kind] for kind in RequestKind}
    offers = tuple(str(kind) for kind in RequestKind if any(kind in member.offers for member in members))
    return JudgeFacts(
        spec=f"panel of {', '.join(sorted(member.spec for member in members))} ({rule})",
        id=content_hash(*ordered.values()),
        identities=ordered,
        offers=offers,
    )


def _identity_of(members: Sequence[JudgeFacts], kind: RequestKind, rule: PanelRule) -> JudgeIdentity:
    identities = [member.identities[kind] for member in members if kind in member.offers]
    models = sorted(identity.model for identity in identities if identity.model is not None)
    parameters: dict[str, Setting] = {"rule": str(rule)}
    for number, identity in enumerate(identities, start=1):
        parameters[f"judge_{number}"] = label_key(identity)
    return JudgeIdentity(
        kind=kind,
        backend="panel",
        backend_version=_VERSION,
        model=" + ".join(models) or None,
        parameters=parameters,
        policy=identities[0].policy if identities else None,
    )
