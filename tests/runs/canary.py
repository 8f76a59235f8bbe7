"""A key that must turn up nowhere, and the search for it in everything that a command leaves behind."""

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

CORE = "C4n4ryN3v3rS4yTh1s0123456789"
"""The part of the key that no quoting changes: this is searched for."""

CANARY = f'sk-{CORE}+/="end"'
"""A key for the environment. Its end is written otherwise in JSON, in an address and in a web page."""

_ZLIB_HEAD = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
_ESCAPES = re.compile(rb"\\+u00([0-9a-fA-F]{2})|&#x([0-9a-fA-F]{2});")
_BASE64_RUN = re.compile(rb"[A-Za-z0-9+/]{24,}={0,2}")
_MOST = 20_000_000


def spellings(secret: str = CANARY) -> dict[str, str]:
    """Return the ways in which an endpoint may repeat a key, by name."""
    return {
        "as-it-is": secret,
        "url-encoded": quote(secret, safe=""),
        "json-escaped": json.dumps(secret)[1:-1],
        "every-character-url-encoded": "".join(f"%{ord(each):02X}" for each in secret),
        "every-character-json-escaped": "".join(f"\\u{ord(each):04x}" for each in secret),
        "in-base64": b64encode(secret.encode()).decode(),
    }


def assert_no_canary(*places: Path | str | bytes) -> None:
    """Raise AssertionError if the key is in one of these texts, files, or files of these folders, in whatever spelling.

    Compressed values in the files of a cache are searched too. A path that is not there is an error: it was to be searched.
    """
    assert places, "nothing was given to search"
    for name, data in _contents(places):
        for view in _views(data):
            place = view.lower().find(CORE.lower().encode())
            around = view[max(place - 60, 0) : place + 60]
            assert place < 0, f"the canary key is in {name}: ... {around!r} ..."


def _contents(places: tuple[Path | str | bytes, ...]) -> Iterator[tuple[str, bytes]]:
    for number, place in enumerate(places, start=1):
        if isinstance(place, Path):
            assert place.exists(), f"{place} is not there"
            files = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())
            for path in files:
                # The name of a file is seen by whoever gets the folder, too.
                yield f"the name {path}", str(path).encode("utf-8", "surrogateescape")
                yield str(path), path.read_bytes()
        else:
            yield f"text {number}", place if isinstance(place, bytes) else place.encode("utf-8", "surrogatepass")


def _views(data: bytes) -> Iterator[bytes]:
    """Yield the data, what is packed in it, and both with every kind of quoting undone."""
    for plain in (data, *_unpacked(data)):
        yield plain
        yield unquote_to_bytes(plain)
        yield _ESCAPES.sub(lambda match: bytes.fromhex((match[1] or match[2]).decode()), plain)
        for run in _BASE64_RUN.findall(plain):
            for start in range(4):
                piece = run[start:]
                yield b64decode(piece[: len(piece) // 4 * 4] or b"")


def _unpacked(data: bytes) -> Iterator[bytes]:
    for match in _ZLIB_HEAD.finditer(data):
        unpacker = zlib.decompressobj()
        try:
            found = unpacker.decompress(data[match.start() :], _MOST)
        except zlib.error:
            continue
        if found:
            yield found
