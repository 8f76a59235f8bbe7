"""Files as a command line names them: each input once, and no report over anything that is needed."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from judge.errors import ConfigError, plain_cause
from pipelines.files import OUR_FILES, write_atomically


def named_twice(paths: Sequence[Path], because: str) -> list[str]:
    """Return a sentence for each file or folder that is named more than once; `because` says why once is enough."""
    counts = Counter(map(_place, paths))
    return [f"{path} is named {count} times: {because}" for path, count in sorted(counts.items()) if count > 1]


def check_outputs(outputs: Mapping[str, Path | None], inputs: Iterable[Path | None]) -> None:
    """Refuse, before any work, outputs that cannot be written or would be written over what is needed.

    `outputs` are by flag, such as `--html`; None is not given. An input that is a folder stands for the files of a run in it.
    Raises ConfigError naming every output that is an input, another output, or a folder, and every one whose folder is not there.
    """
    taken = {place: "an input" for path in inputs if path is not None for place in _places(path)}
    faults = []
    for flag, path in outputs.items():
        if path is None:
            continue
        place = _place(path)
        if fault := _fault(place, taken.get(place)):
            faults.append(f"{flag} {path} {fault}")
        taken.setdefault(place, f"the file of {flag}")
    if faults:
        raise ConfigError("\n".join(faults))


def write_report(path: Path, text: str) -> None:
    """Write a report so that a reader sees the old file or the whole new one. Raises ConfigError if it cannot be written."""
    try:
        write_atomically(path, [text])
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {plain_cause(error)}") from error


def _fault(place: Path, holder: str | None) -> str | None:
    if holder is not None:
        return f"is {holder}, which would be written over: name another file"
    if _is_folder(place):
        return "cannot be written: it is a folder"
    return None if _is_folder(place.parent) else f"cannot be written: there is no folder {place.parent}"


def _places(path: Path) -> Iterator[Path]:
    yield _place(path)
    if _is_folder(path):
        yield from (_place(path / name) for name in OUR_FILES)


def _place(path: Path) -> Path:
    # Unlike Path.resolve, this takes links that lead in a circle, and names that are too long, as they are.
    return Path(os.path.realpath(path))


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises where a name is too long
