"""The public sets of human labels: where each comes from, and what the offline baseline reaches on it."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from judge.errors import ConfigError
from judge.schema.agreements import Agreement
from pipelines.audits.agreement_audit import agreement_run
from pipelines.audits.audit_run import AuditOutcome
from pipelines.audits.gold_file import Gold, GoldRecord, read_gold
from pipelines.config import Resolved, load_config
from pipelines.running import Stop

_ORDER = ("supported", "contradicted", "not_addressed", "not supported", "abstained", "answered", "preferred", "tie")


class GoldSet(NamedTuple):
    """One set: its records, the files that they were taken from, under which licences, and the audit of the baseline on it."""

    gold: Gold
    sources: tuple[str, ...]
    licences: tuple[str, ...]
    audit: Agreement

    @property
    def name(self) -> str:
        """The name of the file without its endings."""
        return self.gold.path.name.split(".")[0]

    @property
    def documents(self) -> int:
        """How many documents the records belong to; a record without one is its own."""
        return len({record.doc_id or record.id for record in self.gold.records})

    @property
    def labels(self) -> dict[str, int]:
        """How often people said what, what they left open is not in it."""
        counts = Counter(word for record in self.gold.records for word in _words(record))
        return {word: counts[word] for word in _ORDER if counts[word]}


def read_sets(root: Path) -> list[GoldSet]:
    """Return every set in the folder or in `judge-gold` below it, by name, each judged by the offline baseline.

    Raises InputError for a file that is no gold file, ConfigError for one that does not say where it comes from.
    """
    files = sorted([*root.glob("*.dev.jsonl"), *root.glob("judge-gold/*.jsonl")], key=lambda path: path.name)
    return [_read(path) for path in files]


def _read(path: Path) -> GoldSet:
    gold = read_gold(path)
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    sources = [source.partition(":")[0] for source in _named(path, records, "source")]
    licences = _named(path, records, "licence")
    with TemporaryDirectory() as folder:
        return GoldSet(gold, tuple(dict.fromkeys(sources)), tuple(licences), asyncio.run(_audit(gold, Path(folder))))


def _named(path: Path, records: Sequence[Any], field: str) -> list[str]:
    """Return every value of a field once. Raises ConfigError where a record has none: what comes from nowhere is not published."""
    found: list[str] = []
    for number, record in enumerate(records, start=1):
        value = record.get(field) if isinstance(record, dict) else None
        if not isinstance(value, str):
            raise ConfigError(f"{path.name}: record {number} names no `{field}`, expected a text in every record")
        found.append(value)
    return list(dict.fromkeys(found))


async def _audit(gold: Gold, folder: Path) -> Agreement:
    async with aclosing(agreement_run(gold, _settings(folder), folder / "run", Stop())) as events:
        [outcome] = [event async for event in events if isinstance(event, AuditOutcome)]
    assert isinstance(outcome.audit, Agreement)
    return outcome.audit


def _settings(folder: Path) -> Resolved:
    """Return settings in which nothing of the caller's surroundings has a part; an empty folder holds no settings file."""
    return load_config({"judge": "lexical", "no_cache": True, "no_mark": True, "quiet": True}, env={}, folder=folder)


def _words(record: GoldRecord) -> Iterator[str]:
    if record.is_pair:
        preferred = record.preference("overall")
        if preferred is not None:
            yield "preferred" if preferred else "tie"
        return
    for one in record.propositions:
        if one.label is not None:
            yield str(one.label)
        elif one.is_supported is not None:
            yield "supported" if one.is_supported else "not supported"
    if record.abstained is not None:
        yield "abstained" if record.abstained else "answered"
