"""Addresses: where requests are sent, which parts may be shown, and which addresses are allowed."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple
from urllib.parse import quote, urlsplit

HIDDEN = "***"
_PORTS = {"http": 80, "https": 443}
_PLAIN_WORDS = ("api", "hook", "hooks", "rest", "strike", "v1", "v2", "v3", "vtt", "webhook", "webhooks")
"""Path segments that are known to hold no secret. Any other segment may be one."""
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SECRET = 8
"""Path or query parts of at least this many characters are redacted wherever they occur in a text, and not
only behind a slash or an equals sign."""


class Origin(NamedTuple):
    """The scheme, host and port that a key may be sent to."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host_header()}"

    def host_header(self) -> str:
        """Return the host, with the port where it is not the scheme's default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS.get(self.scheme) else f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether the address is this machine's own (loopback)."""
        return is_loopback(self.host)


def origin_of(address: str) -> Origin:
    """Return the scheme, host and port of an address.

    Raises ValueError unless it is an http or https address with a valid host name.
    """
    parts = urlsplit(address)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError(f"{redact_address(address)} is not an address")
    host = parts.hostname
    if not host.isascii():
        host = host.encode("idna").decode("ascii")
    if not re.fullmatch(r"[0-9A-Za-z._-]+|[0-9A-Fa-f:.]+(%[0-9A-Za-z._-]+)?", host):
        raise ValueError("its host is not a host name")
    return Origin(parts.scheme, host, _PORTS[parts.scheme] if parts.port is None else parts.port)


def request_target(address: str, path: str) -> str:
    """Return the request target for an HTTP request: the path of `address`, then `path`, percent-encoded.

    It begins with a slash, so that nothing in `path` can lead to another host.
    """
    asked = _path_query_and_fragment(address) + path
    return encode_path(asked if asked.startswith("/") else f"/{asked}")


@cache
def _path_query_and_fragment(address: str) -> str:
    return re.sub(r"[^/?#]*", "", address.partition("://")[2], count=1)


def encode_path(path: str) -> str:
    """Return a path with its query, percent-encoded. Parts that are encoded already stay unchanged."""
    return _BARE_PERCENT.sub("%25", quote(path, safe="%/?!$&'()*+,:;=@[]~-._"))


def redact_address(address: str) -> str:
    """Return an address in which `***` replaces everything that may be secret.

    The user name, the password and the values in the query are replaced. In the path, only plain words such
    as `api` stay.
    """
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]*:)?(//)?([^/?#]*)([^?#]*)(\?[^#]*)?", address)
    if match is None:
        return HIDDEN
    scheme, slashes, host, path, query = (part or "" for part in match.groups())
    host = f"{HIDDEN}@{host.rpartition('@')[2]}" if "@" in host else host
    if query:
        named = [
            f"{name}={HIDDEN}" if equals else HIDDEN for name, equals, _ in _split_query_parameters(query[1:])
        ]
        query = f"?{'&'.join(named)}"
    parts = [part if not part or part.lower() in _PLAIN_WORDS else HIDDEN for part in path.split("/")]
    return f"{scheme}{slashes}{host}{'/'.join(parts)}{query}"


def redact_secrets_of_address(address: str, text: str) -> str:
    """Return `text` with the secret parts of `address` replaced by `***` wherever the text quotes them."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return text
    found = [("/", part) for part in parts.path.split("/") if part and part.lower() not in _PLAIN_WORDS]
    found += [
        ("=", value) if value else ("?", name) for name, _, value in _split_query_parameters(parts.query)
    ]
    for before, part in sorted(found, key=lambda each: len(each[1]), reverse=True):
        text = text.replace(before + part, before + HIDDEN)
        if len(part) >= _SECRET:
            text = text.replace(part, HIDDEN)
    return text


def _split_query_parameters(query: str) -> list[tuple[str, str, str]]:
    return [part.partition("=") for part in query.split("&") if part]


def is_loopback(host: str) -> bool:
    """Return whether a host name stands for this machine."""
    from ipaddress import ip_address

    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
