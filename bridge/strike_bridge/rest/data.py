"""What stands in a rest target's table, as `strike_cli.rest_form` checks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict


class ExchangeTable(TypedDict, total=False):
    """A request: whether it is sent at all, what is asked before it, and what it is made of.

    One that makes a token has the path of its `id`, and says whether it is `complete`.
    """

    when: str
    before: str
    request: str
    headers: Mapping[str, str]
    body: object
    id: str
    complete: bool
    idempotent: bool
    create: ExchangeTable
    each: object
    each_when: str


class AuthTable(ExchangeTable, total=False):
    """The way into an API. A `login` has a request of its own."""

    kind: str
    user: str
    name: str
    header: str
    digest: str
    encoding: str
    prefix: str
    token_url: str
    client_id: str
    scope: str
    send: str
    grant: str
    sign: str
    key: str
    cookie: str
    token: str


class OkTable(TypedDict, total=False):
    """The meaning of answers, by their status and by paths in them."""

    status: list[int]
    error: str
    again: str
    already: list[int]
    gone: list[int]


class HpTable(TypedDict, total=False):
    value: str
    max: str


PagesTable = TypedDict(
    "PagesTable", {"next": str, "param": str, "number": str, "from": int, "size": int}, total=False
)


class ListTable(ExchangeTable, total=False):
    """A list that is read page after page; `key` is where each of its lines has what it was sent under."""

    list: str
    pages: PagesTable
    key: str


class ReadTable(ListTable, total=False):
    """The reading of its things: paths, and templates of what they show."""

    results: ListTable
    ours: str
    name: str
    x: str
    y: str
    hp: str | HpTable
    statuses: str
    hidden: str


class TargetTable(TypedDict, total=False):
    """The whole table of a target."""

    summary: str
    url: str
    statuses: Mapping[str, str]
    auth: AuthTable
    headers: Mapping[str, str]
    encoding: str
    answer: str
    ca: str
    timeout: int
    vars: Mapping[str, object]
    ok: OkTable
    on: Mapping[str, ExchangeTable | list[ExchangeTable]]
    read: ReadTable
    probe: ExchangeTable
