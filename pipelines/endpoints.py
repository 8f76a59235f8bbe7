"""The address of a judge model: read, checked before anything is sent, and the key that belongs to it."""

import os
import socket
from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from judge.errors import ConfigError
from judge.link_local import Address, is_link_local, is_metadata_name, is_this_machine, literal_address, plain_host
from judge.redaction import shown_address
from pipelines.address_variables import key_variable, named_address
from pipelines.config import RunConfig

Resolve = Callable[[str], list[Address]]
"""Returns the addresses of a host name; none where it cannot be resolved."""


def resolved(host: str) -> list[Address]:
    """Ask this machine's resolver; a name that it does not know has no addresses."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]


def endpoint_of(api_base: str | None) -> str | None:
    """Return host, port and path of an address: what tells two endpoints apart, without user names or keys in it.

    Raises ConfigError for anything that is no http or https address.
    """
    if api_base is None:
        return None
    parts = _parts(api_base)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return f"{parts.hostname}:{port}{parts.path.rstrip('/')}"


def check_endpoint(config: RunConfig, resolve: Resolve = resolved) -> None:
    """Refuse the address of the settings if it is link-local or a metadata service's, by number or by what its name resolves to.

    Nothing is resolved with `offline`, nor where such addresses are allowed. Raises ConfigError.
    """
    if config.api_base is None or config.allow_link_local:
        return
    host = plain_host(_parts(config.api_base).hostname or "")
    literal = literal_address(host)
    addresses = [literal] if literal is not None else [] if config.offline or is_this_machine(host) else resolve(host)
    refused = next((address for address in addresses if is_link_local(address)), None)
    if refused is None and not is_metadata_name(host):
        return
    meant = host if refused is None or str(refused) == host else f"{host}, which is {refused},"
    raise ConfigError(
        f"--api-base {shown_address(config.api_base)}: {meant} is a link-local address or a metadata service, "
        "where no judge model is and where a machine keeps its credentials; if it is meant, give --allow-link-local"
    )


def endpoint_notices(config: RunConfig) -> tuple[str, ...]:
    """Return what a user should know of the address before anything is sent to it; nothing for this machine's own."""
    if config.judge is None or not config.asks_a_model or config.api_base is None or config.offline:
        return ()
    parts = _parts(config.api_base)
    host = plain_host(parts.hostname or "")
    if is_this_machine(host):
        return ()
    notices = []
    if parts.scheme == "http":
        notices.append(f"texts and key travel unencrypted to {host}, and anybody on the way may read and change them: use https")
    key = key_variable(config.judge)
    if config.api_key_env is None and not _is_the_providers(config) and os.environ.get(key):
        notices.append(f"the key in {key} is not sent to {host}; --api-key-env {key} sends it")
    return tuple(notices)


def key_for(spec: str, config: RunConfig, placeholder: str) -> str | None:
    """Return the key to send, or None to let the provider's own variable decide.

    A named address never gets a provider's key by accident: off this machine only the variable that the operator names
    with --api-key-env is sent, or the provider's own where a variable of the same provider names the address.
    """
    if config.api_key_env is not None:
        key = os.environ.get(config.api_key_env)
        if not key:
            raise ConfigError(f"--api-key-env {config.api_key_env}: this environment variable is not set")
        return key
    if config.api_base is None:
        return None
    if not is_this_machine(plain_host(_parts(config.api_base).hostname or "")):
        return None if _is_the_providers(config) else placeholder
    return os.environ.get(key_variable(spec)) or placeholder


def _is_the_providers(config: RunConfig) -> bool:
    """Return whether the address is the one that the provider's own variable holds."""
    named = named_address(config.judge or "", os.environ)
    return named is not None and named.address == config.api_base


def _parts(api_base: str) -> SplitResult:
    try:
        parts = urlsplit(api_base)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid:
        raise ConfigError(f"--api-base takes an address such as http://127.0.0.1:8000/v1, got {shown_address(api_base)!r}")
    return parts
