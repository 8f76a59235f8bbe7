"""Writes docs/judge-quality.md, or checks that it is up to date.

    CRUX_GOLD_DIR=FOLDER python -m benchmarks.judge_quality [--check]

Exit code 0 when the page was written or is up to date, 1 when --check finds another one, 2 when there are no sets or one cannot be read.
"""

import os
import sys
from collections.abc import Sequence
from difflib import unified_diff
from itertools import islice
from pathlib import Path

from benchmarks.judge_quality.document import READERS, document
from benchmarks.judge_quality.sets import read_sets
from judge.errors import CruxError

PAGE = Path(__file__).resolve().parents[2] / "docs" / "judge-quality.md"
_SHOWN = 20


def made(root: Path) -> str:
    """Return the page as the sets in a folder make it; empty where there is none. Raises InputError for what is no set."""
    sets = read_sets(root)
    return document(sets, READERS.read_text(encoding="utf-8")) if sets else ""


def main(arguments: Sequence[str]) -> int:
    """Write or check the page."""
    if unknown := [argument for argument in arguments if argument != "--check"]:
        return _refused(f"{unknown[0]} is not known, expected --check or nothing")
    root = os.environ.get("CRUX_GOLD_DIR")
    if root is None:
        return _refused("CRUX_GOLD_DIR is not set; it names the folder with the sets as *.dev.jsonl or judge-gold/*.jsonl")
    try:
        text = made(Path(root))
    except CruxError as error:
        return _refused(str(error))
    if not text:
        return _refused(f"there is no *.dev.jsonl and no judge-gold/*.jsonl in {root}")
    return _check(text) if "--check" in arguments else _write(text)


def _write(text: str) -> int:
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    print(f"written: {PAGE}")
    return 0


def _check(text: str) -> int:
    there = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    if there == text:
        print(f"up to date: {PAGE}")
        return 0
    print("\n".join(islice(unified_diff(there.splitlines(), text.splitlines(), "committed", "made now", lineterm="", n=0), _SHOWN)))
    print(f"not up to date: {PAGE}; python -m benchmarks.judge_quality writes it", file=sys.stderr)
    return 1


def _refused(why: str) -> int:
    print(f"judge_quality: {why}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
