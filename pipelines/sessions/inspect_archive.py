"""Inspect logs in their own container: a zip with a member for every sample, most often compressed with Zstandard."""

import io
import json
import struct
import zipfile
import zlib
from typing import Any

from judge.errors import InputError
from pipelines.sessions.documents import FileBytes, loads
from pipelines.sessions.inspect_logs import sessions_of
from pipelines.sessions.trace_file import TraceFile

MAX_MEMBER = 512 * 2**20
"""Bytes that one member may unpack to."""

MAX_ALL = 4 * MAX_MEMBER
"""Bytes that all samples of a log may unpack to."""

_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_HEADERS = ("header.json", "_journal/start.json")
_ZSTANDARD = 93
_LOCAL_HEADER = struct.Struct("<4s22xHH")
"""Signature, then 22 bytes that the directory repeats, then the lengths of name and extra field; the data follows these two."""


def is_archive(data: bytes) -> bool:
    """Return whether a file is a zip."""
    return data.startswith(_SIGNATURES)


def read_archive(file: FileBytes) -> tuple[TraceFile, ...]:
    """Return the sessions of an Inspect log. An interrupted one has no head of its own and is read as far as it goes.

    Raises InputError for any other zip, for a damaged one, and for one that unpacks beyond measure.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            return _sessions(file, archive)
    except (zipfile.BadZipFile, EOFError, struct.error, zlib.error, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise InputError([file.fault(f"is no readable Inspect log: {error}")]) from error


def _sessions(file: FileBytes, archive: zipfile.ZipFile) -> tuple[TraceFile, ...]:
    names = dict.fromkeys(archive.namelist())
    head = next((name for name in _HEADERS if name in names), None)
    if head is None:
        raise InputError([file.fault("is a zip without the head of an Inspect log (header.json or _journal/start.json)")])
    header = _json(file, archive, head)
    if not isinstance(header, dict):
        raise InputError([file.fault(f"{head}: is no JSON object")])
    members = [name for name in names if name.startswith("samples/") and name.endswith(".json")]
    if sum(archive.getinfo(name).file_size for name in members) > MAX_ALL:
        raise InputError([file.fault(f"unpacks to more than {MAX_ALL // 2**20} MB")])
    return sessions_of(file, header, [(_json(file, archive, name), name) for name in members])


def _json(file: FileBytes, archive: zipfile.ZipFile, name: str) -> Any:
    data = _unpacked(file, archive, archive.getinfo(name))
    try:
        return loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise InputError([file.fault(f"{_shown(name)}: {error}")]) from error


def _unpacked(file: FileBytes, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Return the content of a member, never more of it than allowed."""
    if member.compress_type == _ZSTANDARD:
        data = _zstandard(file, member)
        if zlib.crc32(data) != member.CRC and len(data) <= MAX_MEMBER:
            raise InputError([file.fault(f"{_shown(member.filename)}: is damaged (its checksum differs)")])
    else:
        with archive.open(member) as packed:
            data = packed.read(MAX_MEMBER + 1)
    if len(data) > MAX_MEMBER:
        raise InputError([file.fault(f"{_shown(member.filename)}: unpacks to more than {MAX_MEMBER // 2**20} MB")])
    return data


def _zstandard(file: FileBytes, member: zipfile.ZipInfo) -> bytes:
    """Return a member compressed with Zstandard, which the zip module of this Python does not know."""
    try:
        import zstandard
    except ImportError as error:
        needed = "needs zstandard: pip install 'crux-judge[inspect]'"
        raise InputError([file.fault(f"{_shown(member.filename)}: is compressed with Zstandard, which {needed}")]) from error
    signature, name_length, extra_length = _LOCAL_HEADER.unpack_from(file.data, member.header_offset)
    if signature != _SIGNATURES[0]:
        raise zipfile.BadZipFile("a member does not stand where the directory says")
    start = member.header_offset + _LOCAL_HEADER.size + name_length + extra_length
    packed = file.data[start : start + member.compress_size]
    try:
        # A large member has several frames, one after the other.
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed), read_across_frames=True) as stream:
            return stream.read(MAX_MEMBER + 1)
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(f"a member cannot be unpacked ({error})") from error


def _shown(name: str) -> str:
    return name if name.isprintable() else json.dumps(name)
