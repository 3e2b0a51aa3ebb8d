"""Authentication for REST targets: headers, queries, signatures, OAuth and logins.

A key is added only when the request is sent, and appears in nothing that people are shown. Begin with
`read_auth`.
"""

from __future__ import annotations

import base64
import hmac
import json
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeGuard
from urllib.parse import quote, urlsplit

from jinja2.runtime import Context

from strike_cli.problems import CampaignProblem

from ..address import HIDDEN, is_loopback
from ..http_conversation import Answer, PreparedRequest, Request
from ..settings import Settings
from .answer_values import JmesPath, is_finite_number
from .request_templates import (
    ConfiguredRequest,
    Fault,
    TemplateFaultAtKey,
    TemplateNode,
    read_request_even_with_faults,
)
from .template_engine import Environment, scalar_to_text

if TYPE_CHECKING:
    from strike_cli.bridge_target_schema import AuthTable

_SOON = 30.0
"""Seconds before its expiry at which an access token is renewed."""


class KeySession(NamedTuple):
    """The token or cookie that a key was exchanged for.

    `ends` is the unix time of its expiry, 0 if it has none.
    """

    value: str
    ends: float = 0.0
    refresh: str = ""
    """The refresh token for the next exchange, where the last answer gave one."""

    def as_stored_text(self) -> str:
        """Return the session as JSON to be stored; "" for an empty one."""
        return json.dumps(self._asdict()) if self.value or self.refresh else ""


def parse_session(stored: str) -> KeySession:
    """Return the session in a stored text; an empty one if the text can't be read."""
    if stored == HIDDEN:
        return KeySession(HIDDEN)
    try:
        found = json.loads(stored)
        return KeySession(str(found["value"]), float(found["ends"]), str(found.get("refresh", "")))
    except (ValueError, TypeError, KeyError):
        return KeySession("")


class Auth:
    """A way of authentication, as a target's table declares it. This base class adds nothing to requests."""

    needs_key = True
    has_session = False

    def __init__(self, table: AuthTable) -> None:
        self.table = table

    def header_names(self) -> Sequence[str]:
        """Return the names of the headers that this authentication sets, in lower case."""
        return ["authorization"]

    def headers(self, key: str, session: str) -> dict[str, str]:
        """Return the headers that contain the key or the session."""
        return {}

    def with_authentication(
        self, prepared: PreparedRequest, key: str, session: str, event_id: str = "", now: float = 0.0
    ) -> PreparedRequest:
        """Return a request with the authentication added.

        `event_id` and the unix time `now` are for signatures that cover them.
        """
        headers = {**prepared.headers, **self.headers(key, session)}
        return PreparedRequest(prepared.path, headers, prepared.content)

    # Sessions, for which the key is exchanged

    def session_request(self) -> Request:
        """Return the request that asks for a session, without the key.

        Only kinds of authentication with `has_session` have such a request.
        """
        raise NotImplementedError

    def session_request_with_key(
        self, prepared: PreparedRequest, key: str, session: str = ""
    ) -> PreparedRequest:
        """Return the request that opens a session, with the key added to it.

        Only kinds of authentication with `has_session` have such a request.
        """
        raise NotImplementedError

    def session_of_answer(self, answer: Answer, now: float) -> KeySession:
        """Return the session that an answer contains; an empty one if it contains none."""
        raise NotImplementedError


class NoAuth(Auth):
    """No authentication."""

    needs_key = False

    def header_names(self) -> Sequence[str]:
        return []


class Bearer(Auth):
    """`Authorization: Bearer KEY`."""

    def headers(self, key: str, session: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"}


class Basic(Auth):
    """A user's name and password, in the header Authorization."""

    def headers(self, key: str, session: str) -> dict[str, str]:
        both = base64.b64encode(f"{self.table['user']}:{key}".encode()).decode()
        return {"authorization": f"Basic {both}"}


class Header(Auth):
    """A key in a header of any name."""

    def header_names(self) -> Sequence[str]:
        return [self.table["name"].lower()]

    def headers(self, key: str, session: str) -> dict[str, str]:
        return {self.table["name"].lower(): key}


class Query(Auth):
    """A key in the query of each request."""

    def header_names(self) -> Sequence[str]:
        return []

    def with_authentication(
        self, prepared: PreparedRequest, key: str, session: str, event_id: str = "", now: float = 0.0
    ) -> PreparedRequest:
        sign = "&" if "?" in prepared.path else "?"
        pair = f"{quote(self.table['name'], safe='')}={quote(key, safe='')}"
        return prepared._replace(path=f"{prepared.path}{sign}{pair}")


class SecretAddress(Auth):
    """Authentication by an address that is secret.

    Everybody who knows the address is let in, so the whole address is treated as the key.
    """

    def header_names(self) -> Sequence[str]:
        return []

    def with_authentication(
        self, prepared: PreparedRequest, key: str, session: str, event_id: str = "", now: float = 0.0
    ) -> PreparedRequest:
        parts = urlsplit(key)
        path, _, query = prepared.path.partition("?")
        both = "&".join(each for each in (parts.query, query) if each)
        return prepared._replace(path=parts.path.rstrip("/") + path + (f"?{both}" if both else ""))


class Hmac(Auth):
    """A signature in a header, made with the target's key.

    By default, the signature is over the body of the request. If there is a template `sign`, the signature is
    over the text that the template makes. The template can use the body, the event's id and time, and
    variables.
    """

    def __init__(
        self, table: AuthTable, environment: Environment, vars: Mapping[str, object], fault: Fault
    ) -> None:
        super().__init__(table)
        self._environment = environment
        self._vars = vars
        names = ["event", "body", "vars"]
        sign = table.get("sign")
        self._sign = sign and TemplateNode(environment, sign, "auth.sign", names, fault)
        headers = {table["header"]: table.get("prefix", "") + "{{ signature }}"} if "header" in table else {}
        self._headers = {
            name.lower(): TemplateNode(
                environment, text, f"auth.headers.{name}", [*names, "signature"], fault
            )
            for name, text in {**headers, **table.get("headers", {})}.items()
        }

    def header_names(self) -> Sequence[str]:
        return list(self._headers)

    def with_authentication(
        self, prepared: PreparedRequest, key: str, session: str, event_id: str = "", now: float = 0.0
    ) -> PreparedRequest:
        body = prepared.content or b""
        event = {"id": event_id or uuid.uuid4().hex, "time": int(now)}
        given: dict[str, object] = {"event": event, "vars": self._vars}
        signed = body
        if self._sign:
            seen = {**given, "body": body.decode(errors="surrogateescape")}
            signed = scalar_to_text(self._render(self._sign, seen)).encode(errors="surrogateescape")
        digest = hmac.digest(
            self._key_bytes_from_text_or_base64(key), signed, self.table.get("digest", "sha256")
        )
        in_hex = self.table.get("encoding", "hex") == "hex"
        given["signature"] = digest.hex() if in_hex else base64.b64encode(digest).decode()
        own = {name: scalar_to_text(self._render(node, given)) for name, node in self._headers.items()}
        return prepared._replace(headers={**prepared.headers, **own})

    def _render(self, node: TemplateNode, given: Mapping[str, object]) -> object:
        self._environment.budget.restart()
        return node.value(Context(self._environment, {**given}, None, {}))

    def _key_bytes_from_text_or_base64(self, key: str) -> bytes:
        if self.table.get("key", "text") == "text" or key == HIDDEN:
            return key.encode()
        try:
            return base64.b64decode(key.removeprefix("whsec_"), validate=True)
        except ValueError:
            raise CampaignProblem(
                'The signing secret isn\'t base64, although key = "base64".',
                "Enter the secret as the API issued it: `strike bridge login TARGET`.",
            ) from None


class OAuth(Auth):
    """OAuth with client credentials or a refresh token.

    The secret is sent only to `token_url`, and the access token only to the target's address. With `grant =
    "refresh_token"`, the stored key is the refresh token; if the client has a secret, the stored key is that
    secret, followed by the refresh token.
    """

    has_session = True

    def headers(self, key: str, session: str) -> dict[str, str]:
        value = parse_session(session).value
        return {"authorization": f"Bearer {value}"} if value else {}

    def session_request(self) -> Request:
        path = urlsplit(self.table["token_url"])
        given = {"grant_type": self._grant}
        if self.table.get("scope"):
            given["scope"] = self.table["scope"]
        if self.table.get("send", "basic") == "body":
            given["client_id"] = self.table["client_id"]
        kind = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
        content = "&".join(f"{name}={quote(value, safe='')}" for name, value in given.items()).encode()
        query = f"?{path.query}" if path.query else ""
        return Request("POST", f"{path.path or '/'}{query}", headers=kind, content=content, opens=True)

    @property
    def _grant(self) -> str:
        return self.table.get("grant", "client_credentials")

    def session_request_with_key(
        self, prepared: PreparedRequest, key: str, session: str = ""
    ) -> PreparedRequest:
        if self._grant == "refresh_token":
            secret, _, token = key.rpartition(" ")
            token = parse_session(session).refresh or token
            prepared = prepared._replace(
                content=(prepared.content or b"") + f"&refresh_token={quote(token, safe='')}".encode()
            )
            key = secret
            if not key:
                client = f"&client_id={quote(self.table['client_id'], safe='')}".encode()
                return prepared._replace(content=(prepared.content or b"") + client)
        if self.table.get("send", "basic") == "body":
            content = (prepared.content or b"") + f"&client_secret={quote(key, safe='')}".encode()
            return prepared._replace(content=content)
        both = f"{quote(self.table['client_id'], safe='')}:{quote(key, safe='')}"
        basic = base64.b64encode(both.encode()).decode()
        return prepared._replace(headers={**prepared.headers, "authorization": f"Basic {basic}"})

    def session_of_answer(self, answer: Answer, now: float) -> KeySession:
        token, lasts = answer.value("access_token"), answer.value("expires_in")
        if not fits_in_header(token):
            return KeySession("")
        ends = now + lasts if is_finite_number(lasts) and lasts > 0 else 0.0
        refresh = answer.value("refresh_token")
        return KeySession(token, ends, refresh if fits_in_header(refresh) else "")


class Login(Auth):
    """A login request that the target's table declares, which exchanges the key for a cookie or a token."""

    has_session = True

    def __init__(
        self,
        table: AuthTable,
        environment: Environment,
        vars: Mapping[str, object],
        encoding: str,
        fault: Fault,
    ) -> None:
        super().__init__(table)
        self._environment = environment
        self._vars = vars
        self._path = JmesPath(table["token"]) if "token" in table else None
        found = read_request_even_with_faults(environment, table, "auth", ["key", "vars"], encoding, fault)
        self._exchange: ConfiguredRequest | None = found

    def header_names(self) -> Sequence[str]:
        return [str(self.table.get("name", "authorization")).lower()]

    def headers(self, key: str, session: str) -> dict[str, str]:
        value = parse_session(session).value
        if not value:
            return {}
        if "cookie" in self.table:
            return {"cookie": f"{self.table['cookie']}={value}"}
        if "name" in self.table:
            return {self.table["name"].lower(): value}
        return {"authorization": f"Bearer {value}"}

    def session_request(self) -> Request:
        return self._login_request(HIDDEN)._replace(opens=True)

    def session_request_with_key(
        self, prepared: PreparedRequest, key: str, session: str = ""
    ) -> PreparedRequest:
        headers, content = self._login_request(key).encoded()
        return prepared._replace(headers={**prepared.headers, **headers}, content=content)

    def _login_request(self, key: str) -> Request:
        assert self._exchange is not None
        self._environment.budget.restart()
        context = Context(self._environment, {"key": key, "vars": self._vars}, None, {})
        try:
            return self._exchange.request(context)
        except TemplateFaultAtKey as fault:
            raise ValueError(f"{fault.key}: a template of the login can't be filled in") from None

    def session_of_answer(self, answer: Answer, now: float) -> KeySession:
        found = self._path.find(answer.json()) if self._path else answer.cookie(self.table["cookie"])
        return KeySession(found if fits_in_header(found) else "")


def fits_in_header(value: object) -> TypeGuard[str]:
    """Return whether a value from a server is a text that may be sent in a header."""
    return isinstance(value, str) and 0 < len(value) <= 8192 and value.isascii() and value.isprintable()


_KINDS: Mapping[str, Callable[[AuthTable], Auth]] = {
    "none": NoAuth,
    "bearer": Bearer,
    "basic": Basic,
    "header": Header,
    "query": Query,
    "address": SecretAddress,
    "oauth": OAuth,
}


def read_auth(
    auth: AuthTable, environment: Environment, vars: Mapping[str, object], encoding: str, fault: Fault
) -> Auth:
    """Return the authentication that a target's table declares as `auth`.

    Raises AnswerFault if the key `token` of a login isn't a JMESPath expression.
    """
    if auth.get("kind") == "login":
        return Login(auth, environment, vars, encoding, fault)
    if auth.get("kind") == "hmac":
        return Hmac(auth, environment, vars, fault)
    return _KINDS[auth.get("kind", "none")](auth)


def needs_new_session(session: str, now: float | None = None) -> bool:
    """Return whether a stored session is missing or expires within half a minute."""
    value, ends, _ = parse_session(session)
    return not value or (bool(ends) and (time.time() if now is None else now) > ends - _SOON)


def checked_token_origin(settings: Settings, auth: AuthTable) -> str:
    """Return the scheme, host and port that a client's secret is sent to.

    Raises CampaignProblem for an address that isn't safe, such as plain http to another machine.
    """
    where, url = settings.where("auth.token_url"), str(auth["token_url"])
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    safe = host and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))
    if not safe or parts.username is not None or parts.fragment or not url.isascii() or not url.isprintable():
        raise CampaignProblem(
            f"{where}: {url!r} is not an address for a secret.",
            "Use https, or this machine's own address, without a user name.",
        )
    return f"{parts.scheme}://{parts.netloc}"
