"""Access to the table: checks of Host and Origin, protective headers, and links for watching.

Every request passes through `Guard`, whatever its route. No route is defined here.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .audience_views import LinkAudience
from .connection_limits import KNOWN, ServerLimits, sender_network_for_limits

OWLBEAR_ORIGIN = "https://www.owlbear.rodeo"
OWLBEAR_FOLDER = "/owlbear/"
"""The folder of the Owlbear Rodeo extension, which holds nothing else."""
OWLBEAR_MANIFEST, OWLBEAR_ICON = f"{OWLBEAR_FOLDER}manifest.json", f"{OWLBEAR_FOLDER}icon.svg"
OWLBEAR_EXTENSION_VERSION = "1.0.0"
"""The extension's version: a new one makes Owlbear Rodeo read the manifest again."""


def is_owlbear_manifest_or_icon_request(method: str, path: str, origin: str | None) -> bool:
    """Return whether Owlbear Rodeo requests one of the two files that its site reads."""
    return origin == OWLBEAR_ORIGIN and method in ("GET", "HEAD") and path in (OWLBEAR_MANIFEST, OWLBEAR_ICON)


def relax_headers_for_owlbear(path: str, headers: Mapping[str, str]) -> dict[str, str]:
    """Return an answer's protective headers, relaxed as far as Owlbear Rodeo needs for `path`."""
    if path in (OWLBEAR_MANIFEST, OWLBEAR_ICON):
        return {
            **headers,
            "Access-Control-Allow-Origin": OWLBEAR_ORIGIN,
            "Cross-Origin-Resource-Policy": "cross-origin",
            "Vary": "Origin",
        }
    policy = headers["Content-Security-Policy"]
    framed = policy.replace("frame-ancestors 'none'", f"frame-ancestors {OWLBEAR_ORIGIN}")
    return {**headers, "Content-Security-Policy": framed}


def owlbear_manifest(players_token: str) -> dict[str, object]:
    """Return the manifest of the table's extension for Owlbear Rodeo.

    `players_token` is the token of the players' link, or "". If the manifest contains the token, everybody in
    the Owlbear room can watch, and can read the token. Without it, only players on the machine that runs the
    table can watch.
    """
    link = f"?watch={players_token}" if players_token else ""
    return {
        "name": "Strike! at the table",
        "version": OWLBEAR_EXTENSION_VERSION,
        "manifest_version": 1,
        "author": "The strike developers",
        "description": "Shows the map of the game: positions, wounds, and whose turn it is.",
        "icon": OWLBEAR_ICON,
        "action": {
            "title": "Strike!",
            "icon": OWLBEAR_ICON,
            "popover": f"{OWLBEAR_FOLDER}panel.html{link}",
            "height": 480,
            "width": 340,
        },
        "background_url": f"{OWLBEAR_FOLDER}background.html{link}",
    }


LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

AS_PLAYER = "strike_table.as_player"
"""The scope's key that marks a request from a page of another site, which may see at most what players
see."""
_LONGEST = 200
"""The maximum number of characters of a request that an answer quotes."""

_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def error_response(
    status: int, code: str, message: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    """Return a JSON response with the error's code and message, in the form of all of the table's errors."""
    return JSONResponse({"error": {"code": code, "message": message}}, status, headers)


_AUTHORITY = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\s:@/\[\]]+))(?::[0-9]{0,5})?", re.IGNORECASE | re.ASCII)


def host_name(host: str) -> str:
    """Return the host name or address in a Host header or a URL, in lower case.

    The port and the brackets of an IPv6 address are left out. The result is "" for a text without a host.
    """
    if host.count(":") > 1 and "[" not in host:  # an IPv6 address as people write it, not as a browser does
        host = f"[{host}]"
    parts = _AUTHORITY.fullmatch(host)
    return (parts[1] or parts[2]).lower() if parts else ""


def host_header_if_exactly_one(headers: Headers) -> str:
    """Return a request's Host header, or "" if the request doesn't have exactly one.

    With several Host headers, a proxy in between and this server could each trust a different one.
    """
    found = headers.getlist("host")
    return found[0] if len(found) == 1 else ""


def is_same_key(given: str | None, key: str) -> bool:
    """Return whether two keys are equal.

    The comparison takes the same time for any key, so that the time reveals nothing.
    """
    # Headers' bytes are decoded as Latin-1.
    return given is not None and hmac.compare_digest(given.encode("latin-1", "replace"), key.encode())


def bearer_key(headers: Headers) -> str | None:
    """Return the key in a request's header `Authorization: Bearer KEY`.

    It is None if the request has no such header.
    """
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else None


def has_key(connection: HTTPConnection, key: str) -> bool:
    """Return whether a request has the table's key in its Authorization header."""
    return is_same_key(bearer_key(connection.headers), key)


def watch_token(
    key: str, audience: LinkAudience = LinkAudience.PLAYERS, *, plays_commands: bool = False
) -> str:
    """Return the token in the link for an audience.

    With `plays_commands`, it is the token of a link that also allows commands to be played from another
    machine. Only the game master has such a link. Nobody can compute the key or another link's token from a
    token.
    """
    purpose = {LinkAudience.PLAYERS: b"strike table: watch", LinkAudience.GM: b"strike table: game master"}[
        audience
    ]
    return hmac.new(key.encode(), purpose + b", acting" * plays_commands, hashlib.sha256).hexdigest()[:32]


def audience_by_link_key_or_machine(connection: HTTPConnection, key: str) -> LinkAudience | None:
    """Return the audience of a connection, by its link or key; None for somebody who may not watch.

    Somebody at this machine without a link or key watches as a player. So the game master's secrets can't
    appear on a screen that players see. Somebody with a wrong link or key may not watch.
    """
    if AS_PLAYER in connection.scope:
        return LinkAudience.PLAYERS if _may_other_site_watch_as_player(connection, key) else None
    if "authorization" in connection.headers:
        return LinkAudience.GM if has_key(connection, key) else None
    given = connection.query_params.get("watch")
    if given is None:
        return LinkAudience.PLAYERS if _is_at_this_machine(connection) else None
    for audience in LinkAudience:
        if is_same_key(given, watch_token(key, audience)):
            return audience
    return (
        LinkAudience.GM
        if is_same_key(given, watch_token(key, LinkAudience.GM, plays_commands=True))
        else None
    )


def _may_other_site_watch_as_player(connection: HTTPConnection, key: str) -> bool:
    """Return whether a page of another website may watch the table.

    A page that gives the token of the players' link may watch. A page that gives no token may watch only if
    it is open on this machine.
    """
    given = connection.query_params.get("watch")
    return _is_at_this_machine(connection) if given is None else is_same_key(given, watch_token(key))


_OF_PROXIES = ("forwarded", "via", "x-real-ip")
"""Headers that show that a request was forwarded."""


def is_gm_here_or_on_allowed_tablet(connection: HTTPConnection, key: str) -> bool:
    """Return whether a page may play commands.

    A page on this machine needs the game master's link or the key. A page on another machine needs the link
    for tablets, and the table must allow tablets. In both cases, the request must not come through a proxy.
    """
    if _is_at_this_machine(connection):
        return audience_by_link_key_or_machine(connection, key) is LinkAudience.GM
    given, acting = (
        connection.query_params.get("watch"),
        watch_token(key, LinkAudience.GM, plays_commands=True),
    )
    takes_tablet: bool = connection.scope["app"].state.takes_tablet
    return takes_tablet and _is_direct(connection) and is_same_key(given, acting)


def _is_at_this_machine(connection: HTTPConnection) -> bool:
    # A tunnel or proxy connects from this machine, too: its public name or its headers reveal it.
    if host_name(host_header_if_exactly_one(connection.headers)) not in LOOPBACK_NAMES or not _is_direct(
        connection
    ):
        return False
    try:
        return connection.client is not None and ip_address(connection.client.host).is_loopback
    except ValueError:
        return False


def _is_direct(connection: HTTPConnection) -> bool:
    """Return whether nothing shows that a request came through a proxy.

    Two things can show it: a header such as `X-Forwarded-For`, and the port at which the request arrived. The
    port `proxied_port` is kept for requests from a proxy.
    """
    # A proxy without such signs looks like this machine, so requests to its port never count as local.
    server, app = connection.scope.get("server"), connection.scope.get("app")
    if app is not None and server and server[1] == getattr(app.state, "proxied_port", None):
        return False
    return not any(name in _OF_PROXIES or name.startswith("x-forwarded-") for name in connection.headers)


class AllowedOrigins:
    """The other sites, such as `https://example.org`, whose pages may read the players' view."""

    def __init__(self, named: Iterable[str] = ()) -> None:
        """Set the other sites whose pages may read the players' view.

        Raises ValueError for a site that isn't an origin: `*`, `null`, or an address with a path.
        """
        self.named = frozenset(origin.lower().rstrip("/") for origin in named)
        for origin in self.named:
            scheme, _, rest = origin.partition("://")
            if not scheme.replace("-", "").isalnum() or not host_name(rest):
                raise ValueError(f"{origin!r} is not an origin, such as https://example.org")

    def allows_reading(self, scope: Scope) -> bool:
        """Return whether a request comes from a page of an allowed site, and only reads (GET or HEAD)."""
        origin = Headers(scope=scope).get("origin", "").lower()
        return origin in self.named and scope["method"] in ("GET", "HEAD")

    def answer_preflight(self, scope: Scope) -> Response | None:
        """Return the answer to a browser's preflight request from an allowed site.

        A preflight request asks whether a page of another site may send a certain request. Only GET and HEAD
        are allowed. If the site or the method isn't allowed, or the request isn't a preflight request, return
        None.
        """
        headers = Headers(scope=scope)
        wanted = headers.get("access-control-request-method")
        if (
            scope["method"] != "OPTIONS"
            or headers.get("origin", "").lower() not in self.named
            or wanted not in ("GET", "HEAD")
        ):
            return None
        allowed = {
            "Access-Control-Allow-Methods": "GET, HEAD",
            "Access-Control-Allow-Headers": "Authorization, Last-Event-ID, Cache-Control",
            "Access-Control-Max-Age": "600",
        }
        if "access-control-request-private-network" in headers:
            allowed["Access-Control-Allow-Private-Network"] = "true"
        return Response(status_code=204, headers=allowed)

    def relax_headers_without_check(self, scope: Scope, headers: Mapping[str, str]) -> dict[str, str]:
        """Return an answer's headers, with more that let a page of the requesting site read the answer."""
        origin = Headers(scope=scope)["origin"]
        return {
            **headers,
            "Access-Control-Allow-Origin": origin,
            "Cross-Origin-Resource-Policy": "cross-origin",
            "Vary": "Origin",
        }


class Guard:
    """The ASGI middleware that refuses forbidden requests and adds protective headers to every answer.

    - A request must name one of the table's own hosts. This stops other sites from reaching the table under
      their own name (DNS rebinding).
    - Requests from pages of other sites are refused, with two exceptions. Pages of the sites in `origins` may
      read what players may read, even if they have the key. With `owlbear_room`, Owlbear Rodeo's site may
      open the extension, and nothing else.
    - An address may have only a limited number of requests open at once. Requests with the key or the game
      master's link don't count.
    """

    def __init__(
        self,
        app: ASGIApp,
        key: str,
        limits: ServerLimits,
        allowed_hosts: Iterable[str] = (),
        owlbear_room: bool = False,
        origins: Iterable[str] = (),
    ) -> None:
        self._app = app
        self._origins = AllowedOrigins(origins)
        self._key = key
        self._limits = limits
        self._hosts = (LOOPBACK_NAMES | {host_name(host) for host in allowed_hosts}) - {""}
        self._served = Counter[str]()
        self._owlbear_room = owlbear_room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        for_owlbear = self._owlbear_room and scope["path"].startswith(OWLBEAR_FOLDER)
        fence = relax_headers_for_owlbear(scope["path"], _HEADERS) if for_owlbear else _HEADERS
        answer = self._origins.answer_preflight(scope)
        if answer is not None or self._origins.allows_reading(scope):
            fence = self._origins.relax_headers_without_check(scope, fence)
            scope[AS_PLAYER] = True

        async def send_fenced(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in fence.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal_response(scope) or answer
        if refusal is not None:
            await refusal(scope, receive, send_fenced)
        elif audience_by_link_key_or_machine(HTTPConnection(scope), self._key) is LinkAudience.GM:
            scope[KNOWN] = True
            await self._app(scope, receive, send_fenced)
        else:
            await self._serve_within_open_requests_limit(scope, receive, send_fenced)

    async def _serve_within_open_requests_limit(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = sender_network_for_limits(scope)
        if self._served[address] >= self._limits.served:
            message = "too many of your requests or pages are open at once"
            busy = error_response(429, "too_many", message, {"Retry-After": "5"})
            await busy(scope, receive, send)
            return
        self._served[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._served[address] -= 1
            if not self._served[address]:
                del self._served[address]

    def _refusal_response(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = host_header_if_exactly_one(headers)
        if host_name(host) not in self._hosts:
            return error_response(
                421, "wrong_host", f"this table doesn't answer to the host name {host[:_LONGEST]!r}"
            )
        origin = headers.get("origin")
        if AS_PLAYER in scope:
            return None
        if self._owlbear_room and is_owlbear_manifest_or_icon_request(scope["method"], scope["path"], origin):
            return None
        if origin is not None and origin.partition("://")[2].lower() != host.lower():
            return error_response(403, "cross_origin", "other sites can't use this table")
        return None
