"""Inspect logs in their own container: a zip with a member for every sample, most often compressed with Zstandard."""

import io
import json
import struct
import zipfile
import zlib
from typing import Any, NamedTuple

from judge.errors import InputError
from pipelines.documents.file_bytes import FileBytes
from pipelines.documents.strict_json import loads
from pipelines.sessions.inspect_logs import sessions_of
from pipelines.sessions.trace_file import TraceFile

LARGEST_MEMBER = 512 * 2**20
"""Bytes that one member may unpack to."""

_ALL = 4
"""How many times that all samples together may unpack to."""

_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_HEADERS = ("header.json", "_journal/start.json")
_ZSTANDARD = 93
_LOCAL_HEADER = struct.Struct("<4s22xHH")
"""Signature, then 22 bytes that the directory repeats, then the lengths of name and extra field; the data follows these two."""


def is_archive(data: bytes) -> bool:
    """Return whether a file is a zip."""
    return data.startswith(_SIGNATURES)


class _Archive(NamedTuple):
    """A zip, the file that it is, and how many bytes one of its members may unpack to."""

    file: FileBytes
    members: zipfile.ZipFile
    largest: int

    def refused(self, message: str) -> InputError:
        """Return the error that ends the reading."""
        return InputError([self.file.fault(message)])


class _Content(NamedTuple):
    """What an archive holds as JSON: the head of the log, and each sample with the name of its member."""

    header: dict[str, Any]
    samples: list[tuple[Any, str]]


def read_archive(file: FileBytes, *, largest: int = LARGEST_MEMBER) -> tuple[TraceFile, ...]:
    """Return the sessions of an Inspect log. An interrupted one has no head of its own and is read as far as it goes.

    A member may unpack to `largest` bytes, all samples together to four times as much. Raises InputError beyond that, for a damaged
    zip, and for any other one.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(file.data)) as members:
            content = _content(_Archive(file, members, largest))
    # A zip that is damaged, encrypted or oddly packed makes the library raise any of these; what is in it is looked at outside.
    except (zipfile.BadZipFile, EOFError, struct.error, zlib.error, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise InputError([file.fault(f"is no readable Inspect log: {error}")]) from error
    return sessions_of(file, content.header, content.samples)


def _content(archive: _Archive) -> _Content:
    names = dict.fromkeys(archive.members.namelist())
    head = next((name for name in _HEADERS if name in names), None)
    if head is None:
        raise archive.refused("is a zip without the head of an Inspect log (header.json or _journal/start.json)")
    header = _json(archive, head)
    if not isinstance(header, dict):
        raise archive.refused(f"{head}: is no JSON object")
    samples = [name for name in names if name.startswith("samples/") and name.endswith(".json")]
    if sum(archive.members.getinfo(name).file_size for name in samples) > _ALL * archive.largest:
        raise archive.refused(f"unpacks to more than {_ALL * archive.largest // 2**20} MB")
    return _Content(header, [(_json(archive, name), _shown(name)) for name in samples])


def _json(archive: _Archive, name: str) -> Any:
    try:
        return loads(_unpacked(archive, archive.members.getinfo(name)).decode("utf-8-sig"))
    except ValueError as error:
        raise archive.refused(f"{_shown(name)}: {error}") from error


def _unpacked(archive: _Archive, member: zipfile.ZipInfo) -> bytes:
    """Return the content of a member, and never more of it than allowed: what the directory says of its size may be wrong."""
    if member.compress_type == _ZSTANDARD:
        data = _zstandard(archive, member)
    else:
        with archive.members.open(member) as packed:
            data = packed.read(archive.largest + 1)
    if len(data) > archive.largest:
        raise archive.refused(f"{_shown(member.filename)}: unpacks to more than {archive.largest // 2**20} MB")
    if zlib.crc32(data) != member.CRC:
        raise archive.refused(f"{_shown(member.filename)}: is damaged (its checksum differs)")
    return data


def _zstandard(archive: _Archive, member: zipfile.ZipInfo) -> bytes:
    """Return a member compressed with Zstandard, which the zip module of most Pythons does not know."""
    import zstandard

    data = archive.file.data
    signature, name_length, extra_length = _LOCAL_HEADER.unpack_from(data, member.header_offset)
    if signature != _SIGNATURES[0]:
        raise zipfile.BadZipFile("a member does not stand where the directory says")
    start = member.header_offset + _LOCAL_HEADER.size + name_length + extra_length
    packed = data[start : start + member.compress_size]
    try:
        # A large member has several frames, one after the other.
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed), read_across_frames=True) as stream:
            return stream.read(archive.largest + 1)
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(f"a member cannot be unpacked ({error})") from error


def _shown(name: str) -> str:
    return name if name.isprintable() else json.dumps(name)
