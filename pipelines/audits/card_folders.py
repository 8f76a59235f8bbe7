"""The audits that a card is made of, as they lie on disk."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from judge.errors import ConfigError
from judge.schema.agreements import Agreement
from judge.schema.audits import Audit
from judge.schema.consistency import Consistency
from judge.schema.manifests import RunManifest
from judge.schema.probes import Probes
from pipelines.files import AUDIT, MANIFEST, read_document, read_manifest

KINDS: dict[str, type[Audit]] = {"agreement": Agreement, "consistency": Consistency, "probes": Probes}
"""The audits that a card is made of."""


class AuditFolder(NamedTuple):
    """One audit as it lies on disk; one that asked nobody, such as that of a sheet, has no manifest."""

    path: Path
    audit: Audit
    manifest: RunManifest | None


def read_audits(paths: Sequence[Path]) -> list[AuditFolder]:
    """Return the audits in folders. Raises ConfigError or RunFolderError for what is none, and for audits of several judges.

    A folder that is named twice counts once.
    """
    found = list({folder.path.resolve(): folder for folder in map(_audit_folder, paths)}.values())
    first = found[0]
    for other in found[1:]:
        if other.audit.judge.key != first.audit.judge.key:
            raise ConfigError(
                f"a card is of one judge: {first.path} is about {first.audit.judge.spec} (key {first.audit.judge.key[:12]}), "
                f"{other.path} about {other.audit.judge.spec} (key {other.audit.judge.key[:12]}); "
                "a judge is another one where model, address, prompt or parameters differ"
            )
    return found


def _audit_folder(path: Path) -> AuditFolder:
    folder = path.parent if path.name == AUDIT else path
    if not (folder / AUDIT).is_file():
        expected = f"expected the folder of an audit ({', '.join(KINDS)}), or two or more judge cards"
        raise ConfigError(f"{path} holds no {AUDIT}; {expected}" if path.exists() else f"{path} is not there; {expected}")
    kind = read_document(folder / AUDIT, _Named).audit
    if kind not in KINDS:
        raise ConfigError(f"{folder} is an audit of kind {kind}; a card is made of {', '.join(KINDS)}")
    manifest = read_manifest(folder) if (folder / MANIFEST).is_file() else None
    return AuditFolder(folder, read_document(folder / AUDIT, KINDS[kind]), manifest)


class _Named(Audit):
    """An audit of any kind, as far as all are alike."""

    model_config = {**Audit.model_config, "extra": "ignore"}
