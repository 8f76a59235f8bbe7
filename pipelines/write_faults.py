"""What it means that a file cannot be written."""

import errno
from pathlib import Path

from judge.errors import RunFolderError, StorageError, plain_cause

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_BROKEN = {errno.EIO, errno.EROFS, errno.ETIMEDOUT, errno.ENXIO, errno.ESTALE, errno.ENOMEM, errno.ENOBUFS, errno.EMFILE, errno.ENFILE}


def is_storage_fault(error: BaseException) -> bool:
    """Return whether the system refused a write for lack of room or because something is broken: it may work later."""
    return isinstance(error, OSError) and error.errno in _NO_ROOM | _BROKEN


def write_fault(path: Path, error: OSError) -> RunFolderError:
    """Return the error to raise for a file of a run that cannot be written, in words for users."""
    cause = plain_cause(error)
    if error.errno in _NO_ROOM:
        return StorageError(f"{path} cannot be written: the disk is full ({cause}): make room")
    if is_storage_fault(error):
        return StorageError(f"{path} cannot be written: {cause}")
    return RunFolderError(f"{path} cannot be written: {cause}")
