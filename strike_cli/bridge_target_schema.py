"""The schema of `[bridge.targets.NAME]`: the keys of every target, and those of `kind = "rest"`.

A rest target is an HTTP API described in TOML. Each key is declared here once: campaign.toml is checked by
this schema, editors get it as JSON Schema, and the bridge reads targets by it. Only the bridge can parse and
check the templates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Required, TypedDict

from .file_faults import Fault, Faults, Place
from .problems import listed
from .validation import Either, Fields, Kind, ListOf, Number, OneOf, Record, TableOf, Text, UncheckedTable
from .validation_schemas_from_types import Default, fields_of_typed_dict, form, form_of

REST = "rest"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
FIXED_STATUSES = (401, 403, 408, 429)
"""Statuses that mean the same from every server, as 3xx and 5xx do: no file can redefine them."""
LONGEST_TEMPLATE = 20_000
"""The most characters of a template."""
_REQUEST = re.compile(rf"(?:{'|'.join(METHODS)})(?: /(?!/)\S.*| /)?", re.DOTALL)
_REQUIRED_AUTH_KEYS = {
    "basic": ("user",),
    "header": ("name",),
    "query": ("name",),
    "oauth": ("token_url", "client_id"),
    "login": ("request", "body"),
}
_ALLOWED_AUTH_KEYS = {
    **_REQUIRED_AUTH_KEYS,
    "hmac": ("header", "headers", "sign", "key", "digest", "encoding", "prefix"),
    "oauth": ("token_url", "client_id", "scope", "send", "grant"),
    "login": ("request", "body", "cookie", "token", "name"),
}


class TemplateText(Text):
    """A text that may contain `{{ }}`."""

    def __init__(self) -> None:
        super().__init__(most=LONGEST_TEMPLATE)


class BodyTemplate(Kind):
    """The template of a body: a text, a number, true or false, or lists and tables of these."""

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


def _check_auth(auth: AuthTable, where: Place, faults: Faults) -> None:
    kind = auth["kind"]
    faults += [
        Fault(where / key, f"missing, for {kind!r}")
        for key in _REQUIRED_AUTH_KEYS.get(kind, ())
        if key not in auth
    ]
    for key in auth:
        if key != "kind" and key not in _ALLOWED_AUTH_KEYS.get(kind, ()):
            known = listed(_ALLOWED_AUTH_KEYS.get(kind, ())) or "none but kind"
            faults.append(Fault(where / key, f"{kind!r} has no such key: it has {known}"))
    if kind == "hmac" and "header" not in auth and "headers" not in auth:
        faults.append(Fault(where / "header", "missing, for 'hmac': the header of the signature, or headers"))
    if kind == "login" and ("cookie" in auth) == ("token" in auth):
        faults.append(
            Fault(where, "cookie = the name of its cookie, or token = the token's path in the answer")
        )


def _check_no_status_has_fixed_meaning(
    ok: Mapping[str, Sequence[object]], where: Place, faults: Faults
) -> None:
    for key in ("status", "already", "gone"):
        for status in ok.get(key, ()):
            if isinstance(status, int) and (status in FIXED_STATUSES or status // 100 in (3, 5)):
                faults.append(Fault(where / key, f"{status} has a fixed meaning"))


_REQUEST_LINE = Text(
    lambda text: bool(_REQUEST.fullmatch(text)) and text.isprintable(),
    'a method, a space and a path with one / before it, such as "PATCH /tokens/{{ link.id }}"',
    LONGEST_TEMPLATE,
)


def _text_of_characters(character_class: str, description: str) -> Text:
    return Text(lambda name: bool(re.fullmatch(f"[{character_class}]+", name)), description)


_HEADER = _text_of_characters("A-Za-z0-9-", "a header's name")
_QUERY = Text(bool, "a query's name", 100)
Template = Annotated[str, TemplateText()]
Body = Annotated[object, BodyTemplate()]
Line = Annotated[str, _REQUEST_LINE]
JmesPath = Annotated[str, Text(bool, "a path in the answer (JMESPath)", 1000)]
HeaderName = Annotated[str, _HEADER]
Headers = Annotated[Mapping[str, str], TableOf(TemplateText(), _HEADER)]
Statuses = Annotated[list[int], ListOf(Number(200, 499))]
Words = Annotated[Mapping[str, str], TableOf(Text())]


class ReadRequestTable(TypedDict, total=False):
    """The keys of a request that reads from the API: its line, its headers and its body.

    The body is for an API that expects a POST.
    """

    request: Line
    headers: Headers
    body: Body


class ExchangeTable(ReadRequestTable, total=False):
    """A request that sends something.

    The template `when` decides whether the request is sent at all. `before` is another request that is sent
    first.
    """

    when: Template
    before: Line


class CreateTable(ExchangeTable, total=False):
    """A request that creates a token.

    `id` is the JMESPath of the new token's id in the response. If the request is `complete`, no update
    follows it.
    """

    id: JmesPath
    complete: Annotated[bool, Default(False)]


class TokenTable(ExchangeTable, total=False):
    """The table [on.token]: the request that sends a token.

    `create` is the request that creates a token.
    """

    create: CreateTable


class PictureTable(ExchangeTable, total=False):
    """The table [on.picture]: the request that sends a picture.

    `id` is the JMESPath of the picture's id in the response.
    """

    id: JmesPath


class UndoneTable(ExchangeTable, total=False):
    """The table [on.undone]: the request that reports an undo.

    `idempotent` is true if the request may be sent twice.
    """

    idempotent: bool


class ResultTable(PictureTable, UndoneTable, total=False):
    """The table [on.result]: the request that sends one result, as a line of text, to the target.

    `id` is a JMESPath. It finds the id that the response gives to the line. `idempotent` is true if sending
    the line twice does no harm.
    """


class WholeTable(ExchangeTable, total=False):
    """The table [on.whole]: one request that sends everything.

    `each` is the template for one token, and `each_when` decides whether a token is included.
    """

    each: Body
    each_when: Template


class EventTable(TokenTable, ResultTable, WholeTable, total=False):
    """All keys that can occur in a table [on.EVENT], whichever event it is for."""


def _schema_of_request_or_one_to_ten(table: type) -> Kind:
    """Return the schema for one request of the type `table`, or for a list of one to ten such requests."""
    one = form_of(table)
    return Either(list, ListOf(one, 1, 10), one)


_EVENT = _schema_of_request_or_one_to_ten(ExchangeTable)
EVENTS: Mapping[str, Kind] = {
    "token": _schema_of_request_or_one_to_ten(TokenTable),
    **dict.fromkeys(("removed", "away", "status", "unstatus"), _EVENT),
    "result": form_of(ResultTable),
    "undone": form_of(UndoneTable),
    **dict.fromkeys(("order", "scene", "cleared", "exhibits"), _EVENT),
    "picture": form_of(PictureTable),
    "whole": form_of(WholeTable),
}
"""The events of a target, and the form of what each sends."""


@form(_check_auth)
class AuthTable(TypedDict, total=False):
    """The table that says how the requests to an API are authenticated."""

    kind: Required[Literal["none", "bearer", "basic", "header", "query", "address", "hmac", "oauth", "login"]]
    user: str
    name: Annotated[str, _text_of_characters("A-Za-z0-9_.-", "a header's or a query's name")]
    header: HeaderName
    headers: Headers
    sign: Template
    key: Literal["text", "base64"]
    grant: Literal["client_credentials", "refresh_token"]
    digest: Literal["sha256", "sha512", "sha1"]
    encoding: Literal["hex", "base64"]
    prefix: Annotated[str, Text(str.isprintable, "printable text", 100)]
    token_url: str
    client_id: str
    scope: str
    send: Literal["basic", "body"]
    request: Line
    body: Body
    cookie: Annotated[str, _text_of_characters("A-Za-z0-9_.-", "a cookie's name")]
    token: JmesPath


@form(_check_no_status_has_fixed_meaning)
class OkTable(TypedDict, total=False):
    """How a response is judged: by its HTTP status, and by JMESPath expressions on its body."""

    status: Statuses
    error: JmesPath
    again: JmesPath
    already: Statuses
    gone: Statuses


PagesTable = TypedDict(
    "PagesTable",
    {
        "next": JmesPath,
        "param": Annotated[str, _QUERY],
        "number": Annotated[str, _QUERY],
        "from": Annotated[int, Number(0, 1)],
        "size": Annotated[int, Number(1, 1000)],
    },
    total=False,
)


class ListTable(ReadRequestTable, total=False):
    """A request for a list, which may be read page by page."""

    list: JmesPath
    pages: PagesTable


class ResultsTable(ListTable, total=False):
    """The table of the request that lists the results that the target shows.

    `key` is a JMESPath. It finds, in an item of the list, the key under which strike sent the result.
    """

    key: Required[JmesPath]


class HpTable(TypedDict, total=False):
    """The table [read.hp]: templates for a token's HP and for the most HP that it can have."""

    value: Template
    max: Template


class ReadTable(ListTable, total=False):
    """The table [read]: how to list the tokens of an API.

    The list, ids and names are found by JMESPath; position, HP, statuses and `hidden` are templates.
    """

    results: ResultsTable
    id: JmesPath
    ours: JmesPath
    name: JmesPath
    x: Template
    y: Template
    hp: Annotated[str | HpTable, Either(dict, form_of(HpTable), TemplateText())]
    statuses: Template
    hidden: Template


class ApiTable(TypedDict, total=False):
    """The keys that only a target described in TOML has."""

    auth: AuthTable
    headers: Headers
    encoding: Literal["json", "form", "text", "multipart"]
    answer: Literal["json", "xml", "none"]
    ca: str
    timeout: Annotated[int, Number(1, 60)]
    vars: Annotated[Mapping[str, object], TableOf(BodyTemplate())]
    ok: OkTable
    on: Annotated[Mapping[str, EventTable | list[EventTable]], Record(**EVENTS)]
    read: ReadTable
    probe: ReadRequestTable


class PresetTable(ApiTable, total=False):
    """The table in a preset's file. A preset is a starting point for the settings of a target."""

    summary: str
    url: str
    statuses: Words


class TargetTable(TypedDict, total=False):
    """The keys of a target of any kind but "rest".

    The bridge makes the Settings of a target from this table.
    """

    kind: Required[str]
    url: str
    auto: Annotated[bool, Default(False)]
    insecure: Annotated[bool, Default(False)]
    audience: Literal["players", "gm"]
    hp: Annotated[Literal["exact", "bar", "wounds", "none"], Default("exact")]  # how enemies' HP is shown
    create: Annotated[bool, Default(False)]  # tokens that it lacks may be made
    defeated: Annotated[Literal["mark", "hide"], Default("mark")]  # the token of who is out
    pull: Annotated[Literal["off", "ask", "moves", "all"], Default("off")]  # what is taken over from there
    statuses: Words  # ours to theirs
    attributes: Words  # "hp", "max_hp" to where it keeps them
    preset: str
    options: Annotated[Mapping[str, object], UncheckedTable()]  # the kind's own, which knows them


PRESET_SCHEMA = form_of(PresetTable)
REST_TARGET_FIELDS: Fields = {"base": Text(), **fields_of_typed_dict(ApiTable)}
"""The keys of a rest target, besides those of every target."""


class TargetTableForm(Kind):
    """The schema of a target's table, which depends on the target's kind.

    `rest` is the schema for the kind "rest", and `others` the schema for every other kind.
    """

    def __init__(self) -> None:
        common = fields_of_typed_dict(TargetTable)
        self.others = Record(**common)
        shared = {key: form for key, form in common.items() if key not in ("attributes", "preset", "options")}
        self.rest = Record(**{**shared, **REST_TARGET_FIELDS, "kind": (OneOf(REST), ...)})

    def check(self, value: object, where: Place, faults: Faults) -> object:
        is_rest = isinstance(value, Mapping) and value.get("kind") == REST
        return (self.rest if is_rest else self.others).check(value, where, faults)
