"""From settings to a judge: the only place that chooses one."""

import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from judge.errors import ConfigError, RunFolderError
from judge.hashing import content_hash
from judge.lengths import Limits
from judge.planning import Asking
from judge.prompt import Policy, Prompt, load_policy, load_prompt
from judge.protocol import Judge
from judge.schema.judgments import JudgeIdentity
from judge.schema.labels import RequestKind
from judge.schema.manifests import JudgeFacts, RunManifest
from pipelines.config import BASELINE, REPLAY_PREFIX, RunConfig
from pipelines.endpoints import check_endpoint, endpoint_notices, endpoint_of, key_for
from pipelines.files import read_manifest
from pipelines.journal import Journal, journal_name
from pipelines.spending import budget_of, purse_of, told_price

if TYPE_CHECKING:
    from judge.cache.cached_judge import CachedJudge
    from judge.calling.budget import Purse
    from judge.calling.provider_caching import CachingTally


class BuiltJudge(NamedTuple):
    """A judge ready to be asked, and what a run must know of it.

    `facts` name the judge that spoke (of a replay the recorded one); `can_cache` says whether its judgments cost anything;
    `warnings` grows with what was found wrong in a recording.
    """

    judge: Judge
    facts: JudgeFacts
    policy: Policy
    replayed_from: str | None
    can_cache: bool
    close: Callable[[], Awaitable[None]]
    warnings: Sequence[str] = ()
    connections: Callable[[], int] | None = None
    """How many calls may be under way now; None for a judge that makes none."""
    unlike_recorded: str = ""
    """How a replay's settings differ from the recorded run's where that makes other requests."""
    limits: Limits | None = None
    """How long a request may be. A replay cuts as the recorded run did; what is no model takes any length."""
    notices: Sequence[str] = ()
    """What a user should know of the judge's address."""
    caching: "CachingTally | None" = None
    """What the endpoint tells of caches of its own; None for a judge that asks none."""


def build_judge(config: RunConfig, purse: "Purse | None" = None) -> BuiltJudge:
    """Return the judge that the settings name. Raises ConfigError for a name or a combination that cannot be meant.

    `purse` is what it may spend together with others.
    """
    policy = load_policy(config.policy)
    spec = BASELINE if config.judge is None else config.judge.strip()
    if spec == BASELINE:
        return _baseline(policy)
    if spec.startswith(REPLAY_PREFIX):
        return _replay(Path(spec.removeprefix(REPLAY_PREFIX)), policy, config)
    return _model(config, policy, purse_of(config) if purse is None else purse)


def with_cache(
    built: BuiltJudge, config: RunConfig, stack: AsyncExitStack, refreshed: frozenset[RequestKind] = frozenset()
) -> tuple["CachedJudge | None", Judge]:
    """Put the cache before a judge whose judgments cost something, unless the user wants none.

    `refreshed` are the kinds to be asked anew although the cache holds them.
    """
    if not built.can_cache or config.no_cache:
        return None, built.judge
    from judge.cache.cached_judge import CachedJudge
    from judge.cache.leases import Leases
    from judge.cache.store import JudgmentCache

    cache = JudgmentCache(cache_folder(config), needs_room=False)
    stack.callback(cache.close)
    # Offline nobody asks, so there is nothing to wait for.
    leases = None if config.offline else Leases(cache.folder, config.deadline)
    cached = CachedJudge(built.judge, cache, refreshed, leases=leases)
    return cached, cached


def asking_of(config: RunConfig, builts: Sequence[BuiltJudge]) -> Asking:
    """Return how the settings want judges to be asked; all of them see the same requests."""
    return Asking(
        batch_size=config.batch_size,
        repeats=config.repeats,
        wants_mark=not config.no_mark,
        offers_mark=any(built.judge.offers(RequestKind.APPRAISE) for built in builts),
        limits=next((built.limits for built in builts if built.limits is not None), None),
    )


def cache_folder(config: RunConfig) -> Path:
    """Return the folder of the judgment cache: the one that was set, else the user's own."""
    if config.cache is not None:
        return config.cache
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "crux-judge"


def load_prompts(config: RunConfig) -> dict[RequestKind, Prompt]:
    """Return the prompt of each kind of request, the shipped ones unless the settings name files."""
    return {kind: load_prompt(kind, Path(path) if (path := config.prompt.get(kind)) else None) for kind in RequestKind}


def judge_facts(spec: str, judge: Judge) -> JudgeFacts:
    """Return how a judge is named in a manifest and a summary."""
    identities = {str(kind): judge.identity(kind) for kind in RequestKind}
    offers = tuple(str(kind) for kind in RequestKind if judge.offers(kind))
    return JudgeFacts(spec=spec, id=content_hash(*identities.values()), identities=identities, offers=offers)


def _baseline(policy: Policy) -> BuiltJudge:
    from judge.backends.lexical import LexicalJudge

    judge = LexicalJudge(policy=policy.identity)
    return BuiltJudge(judge, judge_facts(BASELINE, judge), policy, None, can_cache=False, close=_nothing)


def _unlike(recorded: RunManifest, config: RunConfig) -> str:
    pairs = [(name, recorded.config.get(name), getattr(config, name)) for name in ("batch_size", "repeats")]
    return ", ".join(f"--{name.replace('_', '-')} {there} there, {here} here" for name, there, here in pairs if there != here)


def _replay(run: Path, policy: Policy, config: RunConfig) -> BuiltJudge:
    recorded = read_recorded(run)
    number = 1
    for place, facts in enumerate(recorded.voices, start=1):
        # An audit asked the same judge under several policies, each in a journal of its own.
        if facts.identities["label"].policy == policy.identity:
            number = place
            break
    facts = recorded.voices[number - 1] if recorded.voices else recorded.judge
    return replay_of(Recording(run, recorded, facts, journal_name(number)), policy, config)


def read_recorded(run: Path) -> RunManifest:
    """Return the manifest of a run to replay. Raises ConfigError where it cannot be read."""
    try:
        return read_manifest(run)
    except RunFolderError as error:
        raise ConfigError(f"--judge {REPLAY_PREFIX}{run}: {error}") from error


class Recording(NamedTuple):
    """What one judge said in a recorded run: the run, who it was, and which journal holds it."""

    run: Path
    manifest: RunManifest
    facts: JudgeFacts
    journal: str


def replay_of(recording: Recording, policy: Policy, config: RunConfig) -> BuiltJudge:
    """Return a recorded judge. Raises ConfigError where its journal cannot be read."""
    from judge.backends.replay import ReplayJudge

    run, recorded, facts, name = recording
    try:
        journal = Journal(run / name, read_only=True)
    except RunFolderError as error:
        raise ConfigError(f"--judge {REPLAY_PREFIX}{run}: {error}") from error
    identities = {RequestKind(kind): identity for kind, identity in facts.identities.items()}
    withheld: dict[RequestKind, str] = {}
    recorded_policy = identities[RequestKind.LABEL].policy
    if recorded_policy is not None and recorded_policy != policy.identity:
        recorded_name = recorded_policy.label
        withheld[RequestKind.LABEL] = (
            f"the run was recorded under label policy {recorded_name}, not {policy.identity.label}: give --policy {recorded_policy.name}"
        )
    offers = frozenset(RequestKind(kind) for kind in facts.offers)
    judge = ReplayJudge(identities, journal.get, f"not recorded in {run.name}", offers=offers, withheld=withheld)

    async def close() -> None:
        journal.close()

    return BuiltJudge(
        judge,
        facts,
        policy,
        str(run),
        can_cache=False,
        close=close,
        warnings=journal.warnings,
        unlike_recorded=_unlike(recorded, config),
        limits=_recorded_limits(recorded, facts),
    )


def _recorded_limits(recorded: RunManifest, facts: JudgeFacts) -> Limits | None:
    """Return how long the requests of a recorded run could be; runs of no model, and those that do not say, had no limit."""
    longest = recorded.config.get("max_chars")
    if facts.identities[RequestKind.LABEL].model is None or not isinstance(longest, int):
        return None
    return Limits(longest, splits=recorded.config.get("long_answers") == "split")


def _model(config: RunConfig, policy: Policy, purse: "Purse") -> BuiltJudge:
    from judge.backends.llm import LLMJudge
    from judge.calling.client import PLACEHOLDER_KEY, LiteLLMClient
    from judge.schema.settings import ModelSettings

    spec = str(config.judge).strip()
    if "/" not in spec and " " in spec:
        raise ConfigError(f"--judge {spec!r} is neither {BASELINE}, {REPLAY_PREFIX}RUN, nor a model name such as openai/gpt-5-mini")
    price = told_price(spec, config)
    settings = ModelSettings(
        model=spec,
        api_base=config.api_base,
        endpoint=endpoint_of(config.api_base),
        temperature=config.temperature,
        seed=config.seed,
        mode=config.mode,
        deadline=config.deadline,
        connections=config.max_connections,
        price=price,
    )
    prompts = load_prompts(config)
    check_endpoint(config)
    # Offline nothing is sent: neither a key nor a budget is needed then.
    client = LiteLLMClient(settings, None if config.offline else key_for(spec, config, PLACEHOLDER_KEY))
    judge = LLMJudge(settings, prompts, policy, client, None if config.offline else budget_of(spec, purse, price))
    facts = judge_facts(spec, judge)
    limits = Limits(config.max_chars, splits=config.long_answers == "split")
    if config.offline:
        return BuiltJudge(_silent(judge), facts, policy, None, can_cache=True, close=_nothing, limits=limits)
    return BuiltJudge(
        judge,
        facts,
        policy,
        None,
        can_cache=True,
        close=client.aclose,
        connections=lambda: judge.connections,
        limits=limits,
        notices=endpoint_notices(config),
        caching=client.caching,
    )


def _silent(judge: Judge) -> Judge:
    """Return a judge of the same identities that never makes a call."""
    from judge.backends.replay import ReplayJudge

    identities: dict[RequestKind, JudgeIdentity] = {kind: judge.identity(kind) for kind in RequestKind}
    return ReplayJudge(identities, lambda _: None, "not in the cache, and --offline makes no call", offers=frozenset(RequestKind))


async def _nothing() -> None:
    """Close nothing."""
