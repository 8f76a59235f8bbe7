"""JSON Lines: one object a line."""

import codecs
from collections.abc import Iterator
from pathlib import Path

from judge.errors import InputFault
from pipelines.readers.json_values import kind_of, parse_json
from pipelines.readers.rows import Row


def json_lines(path: Path) -> Iterator[Row | InputFault]:
    """Yield the objects of a JSON Lines file, and a fault for every line that is none.

    Only a line feed ends a line (U+2028 may stand inside a text); a byte order mark, CRLF and blank lines are tolerated.
    """
    with path.open("rb") as handle:
        for line, raw in enumerate(handle, start=1):
            content = (raw.removeprefix(codecs.BOM_UTF8) if line == 1 else raw).rstrip()
            if not content:
                continue
            try:
                value = parse_json(content.decode("utf-8"))
            except UnicodeDecodeError as error:
                yield InputFault(str(path), line, not_utf8(error))
            except ValueError as error:
                yield InputFault(str(path), line, str(error))
            else:
                if isinstance(value, dict):
                    yield Row(line, tuple(value), value)
                else:
                    yield InputFault(str(path), line, f"expected one object a line, found {kind_of(value)}")


def describe_json(path: Path) -> str:
    """Say why a `.json` file is not read, and what it holds."""
    wanted = "JSON Lines is expected: one object a line, in a file named .jsonl"
    try:
        value = parse_json(path.read_text("utf-8-sig"))
    except UnicodeDecodeError as error:
        return f"{wanted}; found text that is {not_utf8(error)}"
    except ValueError:
        return f"{wanted}; if this file has that form, rename it"
    return f"{wanted}; found {kind_of(value)}"


def not_utf8(error: UnicodeDecodeError) -> str:
    """Say which byte is not UTF-8, and what that most often means."""
    byte = error.object[error.start]
    return f"not UTF-8 (byte 0x{byte:02x} at position {error.start + 1}); UTF-8 is expected, this may be Latin-1 or Windows-1252"
