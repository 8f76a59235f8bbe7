"""Every exception of the project, in one tree.

CruxError
├── ConfigError            a setting is wrong or contradicts another
│   └── PromptError        a prompt or policy file is malformed
├── InputError             the input file cannot be used; carries every fault found
├── RunFolderError         the run folder holds another run, is locked, or cannot be written
│   └── StorageError       the disk has no room left, or does not do its work, while a run goes on
├── CacheError             the cache folder cannot be used
├── CredentialError        the endpoint refused the key
├── CallFault              one call to a judge model failed
└── ReplyFault             a reply of a judge model cannot be used
                           (the last two become `Unjudged` with their reason and detail)
"""

from collections.abc import Sequence
from typing import NamedTuple

from judge.schema.labels import UnjudgedReason


class CruxError(Exception):
    """Base of all errors this project raises on purpose; its text is meant for users."""


class ConfigError(CruxError):
    """A setting is unknown, out of range, or contradicts another one."""


class PromptError(ConfigError):
    """A prompt or policy file is missing, malformed, or was filled with the wrong variables."""


class InputFault(NamedTuple):
    """One thing that is wrong with an input file, and where."""

    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        """Format as `file:line: message`."""
        return f"{self.file}: {self.message}" if self.line is None else f"{self.file}:{self.line}: {self.message}"


class InputError(CruxError):
    """An input file cannot be used; `faults` holds everything found, in file order."""

    def __init__(self, faults: Sequence[InputFault]) -> None:
        """Keep the faults and show them one a line."""
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class RunFolderError(CruxError):
    """The run folder belongs to another run, is in use, or cannot be written."""


class StorageError(RunFolderError):
    """A file of a run cannot be written for lack of room or a fault of the disk; once that is mended the run resumes."""


class CacheError(CruxError):
    """The cache folder cannot be opened or written."""


class CredentialError(CruxError):
    """The judge model's endpoint refused the credentials; `calls` counts the HTTP calls it took to learn that."""

    def __init__(self, message: str, calls: int = 0) -> None:
        """Keep what the endpoint said."""
        super().__init__(message)
        self.calls = calls


class CallFault(CruxError):
    """One call to a judge model failed.

    `retry_after` is in seconds and only set where the endpoint asked for a wait; `was_sent` is False for a call that was
    refused on this side already; `may_be_billed` says that the endpoint may have done the work although no reply arrived.
    """

    def __init__(
        self,
        reason: UnjudgedReason,
        detail: str,
        *,
        retryable: bool = False,
        retry_after: float | None = None,
        was_sent: bool = True,
        may_be_billed: bool = False,
    ) -> None:
        """Keep why the call failed and whether the same bytes may be sent again."""
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.retryable = retryable
        self.was_sent = was_sent
        self.may_be_billed = may_be_billed
        self.retry_after = retry_after


class ReplyFault(CruxError):
    """A reply arrived and cannot be used as a whole; asking once more may help where `can_re_ask`."""

    def __init__(self, reason: UnjudgedReason, detail: str, *, can_re_ask: bool = True) -> None:
        """Keep why the reply cannot be used."""
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.can_re_ask = can_re_ask


def plain_cause(error: Exception) -> str:
    """Return why a file could not be used, in words for users: without the number of a system error."""
    return getattr(error, "strerror", None) or str(error)
