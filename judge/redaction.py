"""Secrets out of texts: what counts as one, and how it is replaced wherever it stands and however it is spelled."""

import base64
import html
import re
from collections.abc import Iterable, Mapping
from functools import cache
from urllib.parse import parse_qsl, unquote, urlsplit

REDACTED = "[key]"
"""Stands where a secret stood."""

SHORTEST = 8
"""Characters; anything shorter is part of too many ordinary words to be replaced."""

_SECRET_NAME = re.compile(
    r"(?:^|_)(?:API_?KEY|ACCESS_?KEY|KEY|KEY_ID|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PAT|AUTH)S?(?:_\d+)?$", re.IGNORECASE
)

_ENTITIES = {character: name for name, character in (("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", '"'), ("apos", "'"))}

_SHORT_ESCAPES = {"\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}

_LONG_ESCAPES = {short: long for long, short in _SHORT_ESCAPES.items()}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")

_MOST_FOR_SPELLINGS = 1_000_000
"""Characters up to which the slow search for other spellings runs; a longer reply is refused by its reader and kept nowhere."""

_SHAPES = (
    # Where it was taken for a path, one slash is left.
    (re.compile(r"(?P<kept>://|:/(?=[^\s/@:]+:))[^\s/@\"'<>]+(?=@)"), "user and password in an address"),
    (re.compile(r"(?i)(?P<kept>\b(?:bearer|basic)\s+)[\w.~+/-]{8,}=*"), "a header that authorises"),
    (
        re.compile(r"(?i)(?P<kept>\b(?:x-)?(?:api[_-]?key|access[_-]?token|auth[_-]?token|token|secret|password|key)=)[^&\s\"'<>]{6,}"),
        "a query",
    ),
    (re.compile(r"(?i)(?P<kept>\b(?:x-)?(?:goog-)?api[_-]?key[\"']?\s*:\s*[\"']?)[^\s\"',}<>]{8,}"), "a header with a key"),
    (re.compile(r"(?P<kept>)\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}"), "a key of OpenAI, Anthropic and others"),
    (re.compile(r"(?P<kept>)\bAIza[\w-]{20,}"), "a key of Google"),
    (re.compile(r"(?P<kept>)\bya29\.[\w-]{20,}"), "a token of Google"),
    (re.compile(r"(?P<kept>)\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"), "a key of AWS"),
    (re.compile(r"(?P<kept>)\b(?:hf|gsk|xai|pplx|gh[pousr])[_-][A-Za-z0-9]{20,}"), "keys of Hugging Face, Groq, xAI, Perplexity, GitHub"),
    (re.compile(r"(?P<kept>)\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*"), "a JSON Web Token"),
)
"""What keys look like, for texts of errors alone: in data such a text may be meant."""


class Redactor:
    """Replaces given secrets by `[key]`; immutable."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Keep the secrets of 8 characters or more; shorter ones, and blanks, are not replaced anywhere."""
        # The longest first: a secret may be part of another.
        self._secrets = tuple(
            sorted({secret for secret in secrets if len(secret.strip()) >= SHORTEST}, key=lambda text: (-len(text), text))
        )
        self._spellings = {secret: (secret, *sorted(_in_base64(secret))) for secret in self._secrets}

    def joined(self, other: "Redactor") -> "Redactor":
        """Return a redactor of the secrets of both."""
        return self if set(other._secrets) <= set(self._secrets) else Redactor((*self._secrets, *other._secrets))

    def data(self, text: str, *, sent: str = "") -> str:
        """Return a text without the secrets, in whatever spelling: as they are, in JSON, in an address, in HTML, in base64.

        A secret that stands in `sent`, what was asked, is part of the data under judgment and stays.
        """
        wanted = [secret for secret in self._secrets if secret not in sent]
        for secret in wanted:
            for spelling in self._spellings[secret]:
                text = text.replace(spelling, REDACTED)
        if len(text) <= _MOST_FOR_SPELLINGS and any(mark in text for mark in "\\%&"):
            views = _views(text)
            for secret in wanted:
                if any(secret in view for view in views):
                    text = _pattern(secret).sub(REDACTED, text)
        return text

    def error(self, text: str) -> str:
        """Return the text of an error without the secrets, and without anything that looks like one."""
        text = self.data(text)
        for shape, _ in _SHAPES:
            text = shape.sub(rf"\g<kept>{REDACTED}", text)
        return text


def environment_secrets(environ: Mapping[str, str]) -> set[str]:
    """Return the values of variables that are named like secrets, and what is secret in addresses held by any variable."""
    found = {value for name, value in environ.items() if _SECRET_NAME.search(name)}
    for value in environ.values():
        if "://" in value and "@" in value:
            found |= address_secrets(value, with_query=False)
    return found


def address_secrets(address: str, *, with_query: bool = True) -> set[str]:
    """Return what is secret in an address: user and password, alone, together and as a header has them, and the query."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return set()
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    found = {password, unquote(password)} if password else {user, unquote(user)}
    if password:
        pair = f"{unquote(user)}:{unquote(password)}"
        found |= {f"{user}:{password}", pair, base64.b64encode(pair.encode("utf-8", "surrogatepass")).decode()}
    if with_query:
        found |= {parts.query, *(value for _, value in parse_qsl(parts.query))}
    return found - {""}


def _in_base64(secret: str) -> set[str]:
    """Return what a secret looks like in base64, alone or inside a longer text: what depends on its neighbours is left out."""
    data = secret.encode("utf-8", "surrogatepass")
    found: set[str] = set()
    for before in range(3):
        whole = base64.b64encode(bytes(before) + data)
        own = whole[(0, 2, 3)[before] : (before + len(data)) * 8 // 6]
        found |= {own.decode(), own.translate(_URL_SAFE).decode()}
    return {spelling for spelling in found if len(spelling) >= SHORTEST}


_URL_SAFE = bytes.maketrans(b"+/", b"-_")


def _views(text: str) -> set[str]:
    """Return a text, and what it means with the quoting of JSON, addresses or HTML undone, one or two of them after another."""
    views = {text}
    for _ in range(2):
        views |= {undo(view) for view in views for mark, undo in _UNQUOTING if mark in view}
    return views


def _without_escapes(text: str) -> str:
    plain = _ESCAPE.sub(_meant, text)
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") if _HALF.search(plain) else plain


def _meant(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _LONG_ESCAPES.get(match[2], match[2])


_UNQUOTING = (("\\", _without_escapes), ("%", unquote), ("&", html.unescape))


@cache
def _pattern(secret: str) -> re.Pattern[str]:
    """Return what finds a secret however each of its characters is spelled; slow, so only for texts that hold it."""
    return re.compile("".join(map(_spelled, secret)))


def _spelled(character: str) -> str:
    """Return a pattern for one character however it may be written in JSON, in an address or in HTML."""
    data = character.encode("utf-8", "surrogatepass")
    spellings = [
        re.escape(character),
        "(?i:" + "".join(rf"\\+u{unit}" for unit in _units(character)) + ")",
        r"(?i:" + "".join(f"%(?:25)*{byte:02x}" for byte in data) + ")",
        rf"&#0*{ord(character)};",
        rf"(?i:&#x0*{ord(character):x};)",
        rf"\\+{re.escape(_SHORT_ESCAPES.get(character, character))}" if not character.isalnum() else "",
        f"&{_ENTITIES[character]};" if character in _ENTITIES else "",
        r"\+" if character == " " else "",
    ]
    return f"(?:{'|'.join(spelling for spelling in spellings if spelling)})"


def _units(character: str) -> list[str]:
    """Return the UTF-16 code units of a character, of which JSON takes four hex digits each."""
    data = character.encode("utf-16-be", "surrogatepass")
    return [data[place : place + 2].hex() for place in range(0, len(data), 2)]


def shown_address(address: str) -> str:
    """Return an address without user, password and query, for messages; also of one that is no address at all."""
    bare = re.split(r"[?#]", address, maxsplit=1)[0]
    head, mark, rest = bare.partition("://")
    host, slash, path = (rest if mark else head).partition("/")
    return (head + mark if mark else "") + host.rpartition("@")[2] + slash + path
