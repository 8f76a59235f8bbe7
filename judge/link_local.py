"""Addresses at which no judge model is, but a machine's own secrets are: link-local ones and those of metadata services."""

import socket
import unicodedata
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import unquote

Address = IPv4Address | IPv6Address

_NETWORKS = tuple(
    ip_network(network)
    for network in (
        "169.254.0.0/16",
        "fe80::/10",
        "fd00:ec2::/32",  # AWS
        "fd20:ce::/32",  # Google
        "100.100.100.200/32",  # Alibaba
        "168.63.129.16/32",  # Azure
        "192.0.0.192/32",  # Oracle
    )
)

_NAMES = frozenset({"metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"})

_CARRIERS = tuple(ip_network(network) for network in ("::/96", "64:ff9b::/96", "::ffff:0:0:0/96"))
"""Networks whose addresses hold an IPv4 address in their last 32 bits."""


def plain_host(host: str) -> str:
    """Return a host as a resolver would see it: lower case, no escapes, no wide digits, no dot at the end."""
    text = unicodedata.normalize("NFKC", unquote(host)).replace("\u3002", ".")
    return text.partition("%")[0].strip("[]").rstrip(".").lower()


def literal_address(host: str) -> Address | None:
    """Return the address that a host is, also written as one number, in hexadecimal or octal; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        # This takes what C's resolver takes: 2852039166, 0xa9fea9fe, 0251.0376.0251.0376, 169.254.43518.
        return IPv4Address(socket.inet_aton(host)) if host and not host.isspace() and " " not in host else None
    except (OSError, UnicodeEncodeError):
        return None


def is_link_local(address: Address) -> bool:
    """Return whether an address is link-local or a metadata service's, also an IPv4 one within an IPv6 one."""
    return any(inner in network for inner in _with_inner(address) for network in _NETWORKS if inner.version == network.version)


def is_metadata_name(host: str) -> bool:
    """Return whether a host name is that of a metadata service, whatever it resolves to here."""
    return host in _NAMES


def is_this_machine(host: str) -> bool:
    """Return whether a host is the loopback of this machine, by name or by address."""
    address = literal_address(host)
    return host == "localhost" or host.endswith(".localhost") or (address is not None and address.is_loopback)


def _with_inner(address: Address) -> list[Address]:
    if isinstance(address, IPv4Address):
        return [address]
    inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    inner += [IPv4Address(int(address) & 0xFFFFFFFF) for carrier in _CARRIERS if address in carrier]
    return [address, *(each for each in inner if each is not None)]
