"""The folder of a judgment cache: its owner's alone, and on a disk that can lock."""

import os
import stat
from contextlib import suppress
from pathlib import Path

DATABASE = "cache.db"
CREATING = "create.lock"
LEASES = "leases"

_NETWORK_TYPES = {"nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "fuse.sshfs", "afs"}
_MOUNTS = Path("/proc/mounts")


def prepare_folder(folder: Path) -> list[str]:
    """Make a cache folder that nobody else may enter; return what the user should know of one that was there. Raises OSError."""
    is_new = not folder.is_dir()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    warnings = []
    if is_new:
        folder.chmod(0o700)
    elif (mode := stat.S_IMODE(folder.stat().st_mode)) & 0o077:
        if _is_ours(folder):
            folder.chmod(0o700)
        else:
            warnings.append(
                f"the cache folder {folder} may be entered by others (mode {mode:03o}) and was left so, "
                "since it holds other files or belongs to another user: name a folder of its own with --cache"
            )
    if _MOUNTS.is_file() and (kind := network_type(_MOUNTS.read_text(encoding="utf-8", errors="replace"), os.path.realpath(folder))):
        warnings.append(
            f"the cache folder {folder} is on a network file system ({kind}), on which several processes can damage a database: "
            "name a folder on a disk of this machine with --cache"
        )
    return warnings


def close_to_others(folder: Path) -> None:
    """Make the database file if there is none, and let only its owner read what is there. Raises OSError.

    SQLite gives the files beside the database the mode of the database.
    """
    os.close(os.open(folder / DATABASE, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600))
    for path in folder.glob(f"{DATABASE}*"):
        # Whoever closes the database last elsewhere removes the files beside it.
        with suppress(FileNotFoundError):
            if stat.S_IMODE(path.stat().st_mode) != 0o600:
                path.chmod(0o600)


def database_bytes(folder: Path) -> int:
    """Return the size of the database with the files beside it; databases that were set aside do not count."""
    size = 0
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            size += (folder / f"{DATABASE}{suffix}").stat().st_size
    return size


def set_database_aside(folder: Path) -> Path:
    """Give a damaged database, with the files beside it, a name that is free; return its path. Raises OSError."""
    database = folder / DATABASE
    aside = next(path for number in range(1, 10_000) if not (path := folder / f"{DATABASE}.damaged-{number}").exists())
    database.rename(aside)
    for suffix in ("-wal", "-shm"):
        beside = Path(f"{database}{suffix}")
        if beside.exists():
            beside.rename(f"{aside}{suffix}")
    return aside


def file_id(path: Path) -> tuple[int, int] | None:
    """Return what tells one file from another under the same name, or None if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def network_type(mounts: str, path: str) -> str | None:
    """Return the type of the network file system that holds a path, or None; `mounts` is the text of /proc/mounts."""
    best, found = "", None
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        place, kind = _unescaped(fields[1]), fields[2]
        holds = path == place or path.startswith(place.rstrip("/") + "/")
        # Of two mounts on one place the later one is seen.
        if holds and len(place) >= len(best):
            best, found = place, kind
    return found if found in _NETWORK_TYPES else None


def _unescaped(place: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        place = place.replace(code, character)
    return place


def _is_ours(folder: Path) -> bool:
    """Return whether a folder holds a cache or nothing, nothing else, and belongs to whoever runs this."""
    is_own = not hasattr(os, "geteuid") or folder.stat().st_uid == os.geteuid()
    return is_own and all(path.name.startswith(DATABASE) or path.name in (CREATING, LEASES) for path in folder.iterdir())
