"""The form of a target of `kind = "rest"`: what `[bridge.targets.NAME]` says of an API, by TOML alone.

Standard library only: campaign.toml is checked by it, editors get it as JSON Schema, and the bridge reads by
it. What stands in templates is checked by the bridge, which alone can read them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .faults import Fault, Faults, Place
from .validation import Either, Fields, Flag, Kind, ListOf, Number, OneOf, Record, TableOf, Text

if TYPE_CHECKING:
    from typing import TypedDict

    class _AuthWritten(TypedDict):
        """What any kind of it says."""

        kind: str


REST = "rest"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
KEPT_STATUSES = (401, 403, 408, 429)
"""Answers that mean the same of every server, as 3xx and 5xx do: no file gives them another meaning."""
LONGEST_TEMPLATE = 20_000
"""Characters of one text."""
_REQUEST = re.compile(rf"(?:{'|'.join(METHODS)})(?: /(?!/)\S.*| /)?", re.DOTALL)
_NEEDED = {
    "basic": ("user",),
    "header": ("name",),
    "query": ("name",),
    "oauth": ("token_url", "client_id"),
    "login": ("request", "body"),
}
_ALLOWED = {
    **_NEEDED,
    "hmac": ("header", "headers", "sign", "key", "digest", "encoding", "prefix"),
    "oauth": ("token_url", "client_id", "scope", "send", "grant"),
    "login": ("request", "body", "cookie", "token", "name"),
}
_FOR_OTHERS = ("attributes", "preset", "options")
AUTH_KINDS = ("none", "bearer", "basic", "header", "query", "address", "hmac", "oauth", "login")


def _is_request(text: str) -> bool:
    return bool(_REQUEST.fullmatch(text)) and text.isprintable()


class TemplateText(Text):
    """A text in which `{{ }}` may stand."""

    def __init__(self) -> None:
        super().__init__(most=LONGEST_TEMPLATE)


class Templates(Kind):
    """What a body is made of: texts, numbers, true and false, lists and tables of these."""

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if isinstance(value, Mapping):
            return {str(key): self.check(each, where / key, faults) for key, each in value.items()}
        if isinstance(value, list):
            return [self.check(each, where / number, faults) for number, each in enumerate(value, 1)]
        if isinstance(value, str):
            return TemplateText().check(value, where, faults)
        if not isinstance(value, bool | int | float):
            faults.append(Fault(where, "should be text, a number, true or false, a list or a table"))
        return value


def _check_auth(auth: _AuthWritten, where: Place, faults: Faults) -> None:
    kind = auth["kind"]
    faults += [
        Fault(where / key, f"missing, for {kind!r}") for key in _NEEDED.get(kind, ()) if key not in auth
    ]
    for key in auth:
        if key != "kind" and key not in _ALLOWED.get(kind, ()):
            faults.append(Fault(where / key, f"{kind!r} has no such key"))
    if kind == "hmac" and "header" not in auth and "headers" not in auth:
        faults.append(Fault(where / "header", "missing, for 'hmac': the header of the signature, or headers"))
    if kind == "login" and ("cookie" in auth) == ("token" in auth):
        faults.append(
            Fault(where, "cookie = the name of its cookie, or token = the token's path in the answer")
        )


def _check_statuses(ok: Mapping[str, Sequence[object]], where: Place, faults: Faults) -> None:
    for key in ("status", "already", "gone"):
        for status in ok.get(key, ()):
            if isinstance(status, int) and (status in KEPT_STATUSES or status // 100 in (3, 5)):
                faults.append(Fault(where / key, f"{status} keeps its own meaning, whatever a file says"))


_STATUS = ListOf(Number(200, 499))
_REQUEST_LINE = Text(
    _is_request,
    'a method, a blank and a path with one / before it, such as "PATCH /tokens/{{ link.id }}"',
    LONGEST_TEMPLATE,
)
_PATH = Text(bool, "a path in the answer (JMESPath)", 1000)
_HEADERS = TableOf(
    TemplateText(), Text(lambda name: bool(re.fullmatch(r"[A-Za-z0-9-]+", name)), "a header's name")
)

_EXCHANGE: Fields = {
    "when": TemplateText(),
    "before": _REQUEST_LINE,
    "request": _REQUEST_LINE,
    "headers": _HEADERS,
    "body": Templates(),
}
EXCHANGE = Record(**_EXCHANGE)
"""A request: whether it is sent at all, what is asked before it, and what it is made of."""
EVENT = Either(list, ListOf(EXCHANGE, 1, 10), EXCHANGE)
"""What an event sends: a request, or several in order."""
_CREATE = Record(**_EXCHANGE, id=_PATH, complete=(Flag(), False))
_TOKEN = Record(**_EXCHANGE, create=_CREATE)
_KEPT = {**_EXCHANGE, "id": _PATH}
EVENTS: Mapping[str, Kind] = {
    "token": Either(list, ListOf(_TOKEN, 1, 10), _TOKEN),
    "removed": EVENT,
    "away": EVENT,
    "status": EVENT,
    "unstatus": EVENT,
    "result": Record(**_KEPT, idempotent=Flag()),
    "undone": Record(**_EXCHANGE, idempotent=Flag()),
    "order": EVENT,
    "scene": EVENT,
    "cleared": EVENT,
    "exhibits": EVENT,
    "picture": Record(**_KEPT),
    "whole": Record(**_EXCHANGE, each=Templates(), each_when=TemplateText()),
}
"""What may be told, and what each sends."""
AUTH = Record(
    _check_auth,
    kind=(OneOf(*AUTH_KINDS), ...),
    user=Text(),
    name=Text(lambda name: bool(re.fullmatch(r"[A-Za-z0-9_.-]+", name)), "a header's or a query's name"),
    header=Text(lambda name: bool(re.fullmatch(r"[A-Za-z0-9-]+", name)), "a header's name"),
    headers=_HEADERS,
    sign=TemplateText(),
    key=OneOf("text", "base64"),
    grant=OneOf("client_credentials", "refresh_token"),
    digest=OneOf("sha256", "sha512", "sha1"),
    encoding=OneOf("hex", "base64"),
    prefix=Text(str.isprintable, "printable text", 100),
    token_url=Text(),
    client_id=Text(),
    scope=Text(),
    send=OneOf("basic", "body"),
    request=_REQUEST_LINE,
    body=Templates(),
    cookie=Text(lambda name: bool(re.fullmatch(r"[A-Za-z0-9_.-]+", name)), "a cookie's name"),
    token=_PATH,
)
OK = Record(_check_statuses, status=_STATUS, error=_PATH, again=_PATH, already=_STATUS, gone=_STATUS)
_PAGES = Record(
    next=_PATH,
    param=Text(bool, "a query's name", 100),
    number=Text(bool, "a query's name", 100),
    **{"from": Number(0, 1)},
    size=Number(1, 1000),
)
_ASKED: Fields = {"request": _REQUEST_LINE, "headers": _HEADERS, "body": Templates()}
"""A question, which may have a body where its API is asked by POST."""
_LISTED: Fields = {**_ASKED, "list": _PATH, "pages": _PAGES}
READ = Record(
    **_LISTED,
    results=Record(**_LISTED, key=(_PATH, ...)),
    id=_PATH,
    ours=_PATH,
    name=_PATH,
    x=TemplateText(),
    y=TemplateText(),
    hp=Either(dict, Record(value=TemplateText(), max=TemplateText()), TemplateText()),
    statuses=TemplateText(),
    hidden=TemplateText(),
)
OWN: Fields = {
    "base": Text(),
    "auth": AUTH,
    "headers": _HEADERS,
    "encoding": OneOf("json", "form", "text", "multipart"),
    "answer": OneOf("json", "xml", "none"),
    "ca": Text(),
    "timeout": Number(1, 60),
    "vars": TableOf(Templates()),
    "ok": OK,
    "on": Record(**EVENTS),
    "read": READ,
    "probe": Record(**_ASKED),
}
"""The keys that a rest target has besides those of every target."""
PRESET = Record(
    summary=Text(),
    url=Text(),
    statuses=TableOf(Text()),
    **{key: form for key, form in OWN.items() if key != "base"},
)
"""A file of a preset: what a target may start from."""


class ByKind(Kind):
    """A target's table, by its `kind`: `rest` for one, `others` for all else, which have other keys."""

    def __init__(self, others: Record) -> None:
        fields = {key: field for key, field in others.fields.items() if key not in _FOR_OTHERS}
        self.rest = Record(**{**fields, **OWN, "kind": (OneOf(REST), ...)})
        self.others = others

    def check(self, value: object, where: Place, faults: Faults) -> object:
        is_rest = isinstance(value, Mapping) and value.get("kind") == REST
        return (self.rest if is_rest else self.others).check(value, where, faults)
