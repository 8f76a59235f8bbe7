"""The folder of a run that nobody named."""

import hashlib
from pathlib import Path

RUNS = Path("runs")

_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))})
_REFUSED = frozenset('<>:"/\\|?*')
_LONGEST = 100


def default_run_folder(input_file: Path) -> Path:
    """Return `runs/<input stem>`, or `runs/input-<digest>` where the stem is no name that every system takes."""
    stem = input_file.stem
    if _is_safe(stem):
        return RUNS / stem
    return RUNS / f"input-{hashlib.sha256(input_file.name.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"


def _is_safe(stem: str) -> bool:
    """Return whether a name leads nowhere else, prints, and means no device."""
    if not stem or len(stem) > _LONGEST or not stem.isprintable() or _REFUSED & set(stem):
        return False
    return not stem.startswith(".") and stem[-1] not in ". " and stem.partition(".")[0].strip().casefold() not in _RESERVED
