"""From an input file to items, one at a time."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from judge.errors import InputError, InputFault
from judge.schema.items import Item
from pipelines.readers.fields import Shape, mapping_faults, shape_of
from pipelines.readers.items import build_item
from pipelines.readers.lines import describe_json, json_lines
from pipelines.readers.rows import Row, python_row
from pipelines.readers.tables import csv_rows, parquet_rows

Rows = Iterator[Row | InputFault]

_LINES: dict[str, Callable[[Path], Rows]] = {".jsonl": json_lines, ".ndjson": json_lines}
_TABLES: dict[str, Callable[[Path], Rows]] = {".csv": csv_rows, ".parquet": parquet_rows}


class ReadItem(NamedTuple):
    """An item and how its line was understood."""

    item: Item
    shape: Shape
    id_made: bool


def read_items(path: Path, *, mapping: Mapping[str, str] = {}, limit: int | None = None) -> Iterator[Item]:
    """Yield the items of a file in its order, at most `limit`; `mapping` gives fields their names in the file.

    Memory stays flat but for a digest of every id. Raises InputError at once if the file cannot be opened, and on the first
    line with a fault; `check_items` lists them all.
    """
    return islice(_items_or_raise(read_file(path, mapping=mapping), file=str(path)), limit)


def convert_items(values: Iterable[Mapping[str, object]], *, mapping: Mapping[str, str] = {}, name: str = "items") -> Iterator[Item]:
    """Return the items that Python mappings hold, understood like the lines of a file; None and NaN are absent.

    Raises InputError with every fault; each names `name` and the position from 1.
    """
    _check_mapping(mapping, file=name)
    rows = (python_row(each, file=name, line=line) for line, each in enumerate(values, start=1))
    found = list(_understood(rows, file=name, mapping=mapping, is_table=False))
    if faults := [each for each in found if isinstance(each, InputFault)]:
        raise InputError(faults)
    return _items_or_raise(found, file=name)


def read_file(path: Path, *, mapping: Mapping[str, str]) -> Iterator[ReadItem | InputFault]:
    """Yield the items of a file and every fault found, in order.

    Raises InputError at once if the file is missing or of an unknown format, or if `mapping` names no field.
    """
    file = str(path)
    _check_mapping(mapping, file=file)
    if fault := _unreadable(path):
        raise InputError([InputFault(file, None, fault)])
    suffix = path.suffix.lower()
    find_rows = (_LINES | _TABLES).get(suffix)
    if find_rows is None:
        fault = describe_json(path) if suffix == ".json" else f"unknown format; expected a file named {', '.join(_LINES | _TABLES)}"
        raise InputError([InputFault(file, None, fault)])
    return _understood(find_rows(path), file=file, mapping=mapping, is_table=suffix in _TABLES)


def _items_or_raise(found: Iterable[ReadItem | InputFault], *, file: str) -> Iterator[Item]:
    is_empty = True
    for each in found:
        if isinstance(each, InputFault):
            raise InputError([each])
        is_empty = False
        yield each.item
    if is_empty:
        raise InputError([no_items(file)])


def no_items(file: str) -> InputFault:
    """Return the fault of an input in which there is nothing to judge."""
    return InputFault(file, None, "there are no items to judge")


def _check_mapping(mapping: Mapping[str, str], *, file: str) -> None:
    if faults := mapping_faults(mapping):
        raise InputError([InputFault(file, None, fault) for fault in faults])


def _understood(rows: Rows, *, file: str, mapping: Mapping[str, str], is_table: bool) -> Iterator[ReadItem | InputFault]:
    shape_for = lru_cache(maxsize=256)(partial(shape_of, mapping=mapping))
    names: dict[str, None] = {}
    ids: dict[bytes, int] = {}
    ambiguities: set[str] = set()
    for row in rows:
        if isinstance(row, InputFault):
            yield row
            continue
        shape = shape_for(row.names)
        if mapping:
            names.update(dict.fromkeys(row.names))
        if shape.fault is not None:
            # What is ambiguous is so on most lines: said once, it can be read.
            if shape.fault not in ambiguities:
                yield InputFault(file, row.line, shape.fault)
            ambiguities.add(shape.fault)
            continue
        read = _read_row(row, shape, file=file, ids=ids)
        if isinstance(read, ReadItem):
            yield read
            continue
        yield from read
        # The columns of a table are the same in every row, and so would be the fault.
        if is_table and shape.column_of("answer") is None:
            break
    yield from _unseen_columns(file, mapping, names)


def _read_row(row: Row, shape: Shape, *, file: str, ids: dict[bytes, int]) -> ReadItem | list[InputFault]:
    built = build_item(row, shape)
    column = shape.column_of("id")
    given = None if column is None else row.values.get(column)
    faults = [] if isinstance(built, Item) else [InputFault(file, row.line, fault) for fault in built]
    identifier = built.id if isinstance(built, Item) else str(given) if isinstance(given, str | int) else None
    if identifier is not None:
        # Sixteen bytes an id, however long the ids are.
        digest = hashlib.blake2b(identifier.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if (earlier := ids.setdefault(digest, row.line)) != row.line:
            faults.append(InputFault(file, row.line, f"the id `{identifier}` stands on line {earlier} already"))
    return faults if faults or not isinstance(built, Item) else ReadItem(built, shape, id_made=given is None)


def _unseen_columns(file: str, mapping: Mapping[str, str], names: Iterable[str]) -> Iterator[InputFault]:
    found = list(names)
    for field, column in mapping.items():
        if found and column not in found:
            yield InputFault(file, None, f"--map {field}={column}: nothing here is named `{column}` (found: {', '.join(found)})")


def _unreadable(path: Path) -> str | None:
    if path.is_dir():
        return "is a folder; a file is expected"
    try:
        path.open("rb").close()
    except FileNotFoundError:
        return "there is no such file"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return None
