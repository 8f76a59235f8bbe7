"""Who judged in each of two runs, and in what the two differ."""

from collections.abc import Mapping

from judge.schema.betweens import ComparedRun, JudgeDifference
from judge.schema.judgments import PromptIdentity
from judge.schema.manifests import RunManifest
from judge.schema.summaries import Summary
from pipelines.audits.subjects import audited_judge

_HASH = 12
"""Hex digits by which a file is told from another in words; records hold all 64."""


def compared_run(manifest: RunManifest, summary: Summary, name: str) -> ComparedRun:
    """Return a run as a comparison names it: by its folder, with as many of those above as tell it from the other."""
    size = manifest.config.get("batch_size")
    return ComparedRun(
        run=name,
        judge=audited_judge(manifest.judge),
        identity=manifest.judge.identities["label"],
        members=tuple(voice.spec for voice in manifest.voices) if manifest.panel_rule is not None else (),
        batch_size=size if isinstance(size, int) else None,
        data=manifest.input,
        complete=summary.complete,
    )


def judge_differences(first: ComparedRun, second: ComparedRun) -> tuple[JudgeDifference, ...]:
    """Return all in which the judges of two runs differ: what makes their identities, and how many statements a request holds."""
    one, other = _parts(first), _parts(second)
    names = dict.fromkeys([*one, *other])
    return tuple(
        JudgeDifference(part=name, first=one.get(name), second=other.get(name)) for name in names if one.get(name) != other.get(name)
    )


def _parts(run: ComparedRun) -> Mapping[str, str | None]:
    identity = run.identity
    # How the members of a panel are told apart is by name here; their digests say nothing to a reader.
    parameters = {name: value for name, value in identity.parameters.items() if not (run.members and name.startswith("judge_"))}
    return {
        "backend": f"{identity.backend} {identity.backend_version}",
        "model": identity.model,
        "judges of the panel": ", ".join(sorted(run.members)) or None,
        "endpoint": identity.endpoint,
        "prompt": _file(identity.prompt),
        "policy": _file(identity.policy),
        **{name: None if value is None else str(value) for name, value in parameters.items()},
        "mode": identity.mode,
        "client": identity.client,
        "reply schema": identity.reply_schema_sha256,
        "re-asks": str(identity.re_asks),
        "batch size": None if run.batch_size is None else str(run.batch_size),
    }


def _file(identity: PromptIdentity | None) -> str | None:
    return None if identity is None else f"{identity.label} (SHA-256 {identity.sha256[:_HASH]})"
