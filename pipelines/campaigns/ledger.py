"""The ledger of a campaign on disk: read and checked whole, and extended so that a reader sees the old lines or all of the new ones."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from judge.errors import ConfigError, InputError, InputFault, plain_cause
from judge.schema.campaign_scorecards import LedgerFacts
from judge.schema.campaigns import Campaign
from judge.schema.ledgers import LedgerLine
from pipelines.campaigns.disagreements import disagreements
from pipelines.documents.file_bytes import read_bytes
from pipelines.documents.strict_json import line_of
from pipelines.documents.wording import checked
from pipelines.files import write_atomically


class _Ledger(NamedTuple):
    """The lines as they are on disk, without line ends, and what they say."""

    texts: tuple[str, ...]
    lines: tuple[LedgerLine, ...]


def extend_ledger(path: Path, campaign: Campaign, *, wait_seconds: float = 10) -> LedgerFacts:
    """Append the attempts that the ledger does not hold yet; nothing is written where there are none.

    Another process that holds the ledger is waited for. Raises InputError for a ledger that is damaged or another campaign's, and for a
    known attempt that the campaign tells differently, its agent and arm included, or no more: a recorded attempt never changes. Raises
    ConfigError where the ledger stays in use or cannot be written.
    """
    target = path.resolve()
    with _locked(target, wait_seconds):
        ledger = _read(target)
        if found := disagreements(ledger.lines, campaign):
            raise InputError([InputFault(str(path), number, message) for number, message in found])
        known = len(ledger.lines)
        if known < len(campaign.floors):
            _write(target, ledger.texts, campaign)
    return LedgerFacts(name=path.name, known=known, appended=len(campaign.floors) - known)


@contextmanager
def _locked(path: Path, wait_seconds: float) -> Iterator[None]:
    """Keep other processes away. The lock file goes while the lock is held, so that no other process has just taken it."""
    lock_file = path.with_name(f".{path.name}.lock")
    lock = FileLock(lock_file, timeout=wait_seconds)
    try:
        lock.acquire()
    except Timeout as error:
        raise ConfigError(f"the ledger {path} is in use by another process") from error
    except OSError as error:
        raise ConfigError(f"the ledger {path} cannot be used: {plain_cause(error)}") from error
    try:
        yield
    finally:
        lock_file.unlink(missing_ok=True)
        lock.release()


def _read(path: Path) -> _Ledger:
    if not path.exists():
        return _Ledger((), ())
    file = read_bytes(path)
    *whole, rest = file.data.split(b"\n")
    if rest:
        raise InputError([file.fault("the line is cut off: it has no line end; restore the ledger from a copy", len(whole) + 1)])
    lines: list[LedgerLine] = []
    previous: str | None = None
    for number, raw in enumerate(whole, start=1):
        if fault := _broken_chain(line := checked(file, line_of(file, number, raw), LedgerLine, allows_nul=False), number, previous):
            raise InputError([file.fault(fault, number)])
        lines.append(line)
        previous = hashlib.sha256(raw).hexdigest()
    return _Ledger(tuple(raw.decode("utf-8") for raw in whole), tuple(lines))


def _broken_chain(line: LedgerLine, number: int, previous: str | None) -> str | None:
    """Say where a line does not follow the one before: lines were changed, removed or put in another order."""
    if line.sequence != number:
        return f"`sequence` is {line.sequence}, expected {number}: a line was removed, added or moved"
    if line.previous_sha256 != previous:
        return f"`previous_sha256` is not the hash of line {number - 1}: the ledger was changed by hand"
    return None


def _write(path: Path, texts: Sequence[str], campaign: Campaign) -> None:
    lines = list(texts)
    for sequence, attempt in enumerate(campaign.floors[len(texts) :], start=len(texts) + 1):
        previous = hashlib.sha256(lines[-1].encode()).hexdigest() if lines else None
        line = LedgerLine(
            sequence=sequence,
            previous_sha256=previous,
            campaign=campaign.id,
            agent=campaign.agent,
            arm=campaign.arm_of(attempt),
            attempt=attempt,
        )
        lines.append(line.model_dump_json(by_alias=True, exclude_none=True))
    try:
        write_atomically(path, (f"{line}\n" for line in lines))
    except OSError as error:
        raise ConfigError(f"the ledger {path} cannot be written: {plain_cause(error)}") from error
