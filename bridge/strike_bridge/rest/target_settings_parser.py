"""Reads a REST target's table: templates, paths and authentication; reports faults by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from .answer_values import AnswerFault, JmesPath
from .auth import Auth, read_auth
from .capabilities import template_texts
from .merged_target_table import RestTable
from .request_templates import (
    ConfiguredRequest,
    TemplateNode,
    read_request_even_with_faults,
    read_template,
    report_forbidden_headers,
)
from .template_engine import Environment, Template, names_keys_and_constants_mentioned
from .template_variables import VIEW_FIELDS

if TYPE_CHECKING:
    from strike_cli.bridge_target_schema import (
        AuthTable,
        EventTable,
        HpTable,
        ListTable,
        ReadRequestTable,
        ReadTable,
        ResultsTable,
    )

EVERYWHERE = ("vars", "skip", "event", "known")
_ABOUT_TOKEN = ("token", "link", "map", "scene")
NAMES: Mapping[str, Sequence[str]] = {
    "token": (*_ABOUT_TOKEN, *EVERYWHERE),
    "removed": ("token", "link", *EVERYWHERE),
    "away": ("token", "link", *EVERYWHERE),
    "status": ("status", "token", "link", *EVERYWHERE),
    "unstatus": ("status", "token", "link", *EVERYWHERE),
    "result": ("result", *EVERYWHERE),
    "undone": ("result", "link", *EVERYWHERE),
    "order": ("order", "tokens", "map", "scene", *EVERYWHERE),
    "scene": ("scene", "map", *EVERYWHERE),
    "cleared": EVERYWHERE,
    "exhibits": ("exhibits", *EVERYWHERE),
    "picture": ("picture", *EVERYWHERE),
    "whole": ("tokens", "order", "scene", "map", *EVERYWHERE),
}
"""The variables that the templates of each event may use."""
_PEOPLE = {"who", "list", "tokens"}


class ListRequest(NamedTuple):
    """A configured request for a list that is read page by page.

    Attributes:
        exchange: The request.
        list: The path to the list in the body.
        next: The path to the next page's address in the body, unless `by_header` is set.
        by_header: The header with the next page's address, in lower case; "" for none.
        param: The query parameter for the next page's cursor.
        number: The query parameter for a page's number, if pages are counted.
        start: The number of the first page.
        size: The number of items on a page.
        key: The path, in an item, to the identity that we sent with it.
    """

    exchange: ConfiguredRequest
    list: JmesPath | None
    next: JmesPath | None
    by_header: str
    param: str
    number: str
    start: int
    size: int
    key: JmesPath | None


class TokenListReading(NamedTuple):
    """How to read the tokens of an API: a request, and the places of the values in its answer.

    `listing` is the request for the list of tokens. `id`, `ours` and `name` are paths in an item of the list;
    `ours` leads to strike's own id. `fields` and `hp` are templates that are filled in from an item. `hp` has
    a template for the HP and one for their maximum.
    """

    listing: ListRequest
    id: JmesPath
    ours: JmesPath | None
    name: JmesPath | None
    fields: Mapping[str, Template]
    hp: tuple[Template | None, Template | None]


class SuccessRules(NamedTuple):
    """The rules by which an answer counts as success or failure.

    Attributes:
        status: The HTTP statuses that mean success.
        error: The path to the error in an answer.
        again: The path to the time to wait before the next attempt.
        already: The HTTP statuses that mean "this was done before".
        gone: The HTTP statuses that mean "this no longer exists".
    """

    status: Sequence[int]
    error: JmesPath | None
    again: JmesPath | None
    already: Sequence[int]
    gone: Sequence[int]


class CheckedTable:
    """A REST target's table, parsed, checked and ready for use."""

    def __init__(self, table: RestTable) -> None:
        """Parse and check a table. Raises TableFaults with every fault by its key."""
        self.table = table
        self.environment = Environment()
        self.faults: list[tuple[str, str]] = []
        self.encoding = str(table.table.get("encoding", "json"))
        self.answer = str(table.table.get("answer", "json"))
        self.vars = dict(table.table.get("vars", {}))
        self.auth = self._read_auth(table.auth)
        headers = table.table.get("headers", {})
        self.headers = {
            name: TemplateNode(self.environment, text, f"headers.{name}", ["vars"], self.add_fault)
            for name, text in headers.items()
        }
        self._check_headers("headers", headers)
        self.events: dict[str, list[ConfiguredRequest]] = {}
        for event in NAMES:
            self.events[event] = self._read_event(event)
        self.token_template, self.token_condition = self._read_token_template_and_condition()
        create = self._first_table("token").get("create")
        self.create = (
            self._read_request_even_with_faults(create, "on.token.create", NAMES["token"])
            if create is not None
            else None
        )
        self.ids = {
            event: path
            for event, own in (
                ("create", self._first_table("token").get("create", {})),
                ("result", self._first_table("result")),
                ("picture", self._first_table("picture")),
            )
            if "id" in own and (path := self._read_path(own["id"], _id_key(event)))
        }
        ok = table.table.get("ok", {})
        self.ok = SuccessRules(
            ok.get("status", []),
            self._read_path(ok.get("error"), "ok.error"),
            self._read_path(ok.get("again"), "ok.again"),
            ok.get("already", []),
            ok.get("gone", []),
        )
        self.read = self._read_token_list(table.read) if {*table.read} - {"results"} else None
        results = table.read.get("results")
        names = ["vars", "page", "event", "result"]
        self.results = self._read_listing(results, "read.results", names) if results else None
        probe = table.table.get("probe")
        self.probe = self._read_request_even_with_faults(probe, "probe", ["vars"]) if probe else None
        self._check_events()
        if self.answer != "json" and self.auth is not None and "token" in self.auth.table:
            self.add_fault("auth.token", "a login's answer is JSON")
        if self.answer == "none":
            self._report_settings_reading_answers()
        if self.faults:
            raise table.faults_as_problem(self.faults)

    def add_fault(self, key: str, words: str) -> None:
        """Note a fault of the table: the key at which it is, and a description in words."""
        self.faults.append((key, words))

    # Reading it

    def _read_auth(self, auth: AuthTable) -> Auth | None:
        try:
            return read_auth(auth, self.environment, self.vars, self.encoding, self.add_fault)
        except AnswerFault as fault:
            self.add_fault("auth.token", str(fault))
            return None

    def _check_headers(self, key: str, headers: Mapping[str, object]) -> None:
        report_forbidden_headers(headers, key, self.auth.header_names() if self.auth else (), self.add_fault)

    def _first_table(self, event: str) -> EventTable:
        found = self._event_tables(event)
        return found[0] if found else {}

    def _event_tables(self, event: str) -> list[EventTable]:
        found = self.table.on.get(event, [])
        return list(found) if isinstance(found, list) else [found]

    def _read_event(self, event: str) -> list[ConfiguredRequest]:
        tables = self._event_tables(event)
        found = []
        for number, table in enumerate(tables, 1):
            if event == "token" and self.create_is_declared_complete and "request" not in table:
                continue
            key = f"on.{event}[{number}]" if len(tables) > 1 else f"on.{event}"
            names = [*NAMES[event], "each"] if "each" in table else NAMES[event]
            exchange = self._read_request_even_with_faults(table, key, names)
            found += [exchange] if exchange else []
        return found

    def _read_request_even_with_faults(
        self, table: ReadRequestTable, key: str, names: Sequence[str]
    ) -> ConfiguredRequest | None:
        self._check_headers(f"{key}.headers", table.get("headers", {}))
        return read_request_even_with_faults(
            self.environment, table, key, names, self.encoding, self.add_fault
        )

    def _read_token_template_and_condition(self) -> tuple[TemplateNode | None, Template | None]:
        """Return the template for one token, and the condition for including a token.

        The template is the key `on.whole.each`, and the condition is `on.whole.each_when`. A value is None if
        its key is missing. Without a template, both are None.
        """
        table, names = self._first_table("whole"), ("token", "link", *NAMES["whole"])
        if "each" not in table:
            return None, None
        when, key = table.get("each_when"), "on.whole.each"
        each = TemplateNode(self.environment, table["each"], key, names, self.add_fault)
        return each, read_template(
            self.environment, when, f"{key}_when", names, self.add_fault
        ) if when else None

    @property
    def create_is_declared_complete(self) -> bool:
        """Whether the request that creates a token sends all its values, so that no update follows."""
        return bool(self._first_table("token").get("create", {}).get("complete"))

    def _read_path(self, text: str | None, key: str) -> JmesPath | None:
        if text is None:
            return None
        try:
            return JmesPath(text)
        except AnswerFault as fault:
            self.add_fault(key, str(fault))
            return None

    def _read_token_list(self, read: ReadTable) -> TokenListReading | None:
        if "id" not in read:
            self.add_fault("read.id", "missing")
        listing = self._read_listing(read, "read", ["vars", "page"])
        if listing is None or "id" not in read:
            return None
        names = ["item", "vars", "map"]
        fields: dict[str, Template] = {
            key: template
            for key in ("x", "y", "statuses", "hidden")
            if key in read
            and (template := read_template(self.environment, read[key], f"read.{key}", names, self.add_fault))
        }
        if ("x" in read) != ("y" in read):
            self.add_fault("read", "x and y need each other")
        return TokenListReading(
            listing,
            self._read_path(read["id"], "read.id") or JmesPath("id"),
            self._read_path(read.get("ours"), "read.ours"),
            self._read_path(read.get("name"), "read.name"),
            fields,
            self._read_hp_templates(read.get("hp")),
        )

    def _read_listing(self, table: ListTable, key: str, names: list[str]) -> ListRequest | None:
        exchange = self._read_request_even_with_faults(table, key, names)
        pages = table.get("pages", {})
        if "next" not in pages and "number" not in pages and pages:
            self.add_fault(f"{key}.pages", 'next = "where the next page stands", or number = "page"')
        # `link`, or what `header:Next-Page` names
        lowered = pages.get("next", "").lower()
        by_header = "link" if lowered == "link" else lowered.removeprefix("header:") if ":" in lowered else ""
        return exchange and ListRequest(
            exchange,
            self._read_path(table.get("list"), f"{key}.list"),
            None if by_header else self._read_path(pages.get("next"), f"{key}.pages.next"),
            by_header,
            pages.get("param", ""),
            pages.get("number", ""),
            pages.get("from", 1),
            pages.get("size", 0),
            self._read_path(cast("ResultsTable", table).get("key"), f"{key}.key"),  # only read.results has it
        )

    def _read_hp_templates(self, hp: str | HpTable | None) -> tuple[Template | None, Template | None]:
        table: HpTable = {"value": hp} if isinstance(hp, str) else hp or {}
        return self._hp_template(table.get("value")), self._hp_template(table.get("max"))

    def _hp_template(self, text: str | None) -> Template | None:
        names = ["item", "vars", "map"]
        if text is None:
            return None
        return read_template(self.environment, text, "read.hp", names, self.add_fault)

    def _check_events(self) -> None:
        on = self.table.on
        if not on:
            self.add_fault("on", "nothing is sent: write at least one of [on.token], [on.result], [on.whole]")
        if "whole" in on:
            for event in ("token", "removed", "away", "status", "unstatus", "order"):
                if event in on:
                    self.add_fault(f"on.{event}", "on.whole sends all of this at once: keep one of the two")
        if self.create is not None and "removed" not in on:
            self.add_fault("on.removed", "missing: tokens made there must also be removed")
        if "status" in on and "unstatus" not in on:
            self.add_fault("on.unstatus", "missing: a status added there must also be removed")
        if self.results is not None and not self.event_mentions("result", "event"):
            self.add_fault("read.results", "it looks for {{ event.id }}, which [on.result] doesn't send")
        if "undone" in on and "result" not in on:
            self.add_fault("on.undone", "without on.result nothing can be undone")

    def _report_settings_reading_answers(self) -> None:
        read, ok = self.table.read, self.table.table.get("ok", {})
        told = {"read": read, "ok.error": ok.get("error"), "ok.again": ok.get("again")}
        for key, found in told.items():
            if found:
                self.add_fault(key, 'answers aren\'t read: answer = "none"')
        for event, path in self.ids.items():
            self.add_fault(_id_key(event), f'{path.text!r} needs an answer: answer = "none"')
        for exchange in self.event_requests():
            if exchange.before is not None:
                self.add_fault(f"{exchange.key}.before", 'answers aren\'t read: answer = "none"')

    # Views of the whole table

    def event_requests(self) -> Iterator[ConfiguredRequest]:
        """Yield every configured request, except those of `auth`, `read` and `probe`."""
        if self.create is not None:
            yield self.create
        for exchanges in self.events.values():
            yield from exchanges

    def request_lines(self) -> list[str]:
        """Return the method and path, as they are written, of every request that the table may make."""
        lines = [
            each for exchange in self.event_requests() for each in (exchange.before, exchange.line) if each
        ]
        found = [f"{line.method} {line.path_text}".strip() for line in lines]
        asked = [listing.exchange for listing in (self.read and self.read.listing, self.results) if listing]
        for exchange in [*asked, *([self.probe] if self.probe else [])]:
            found.append(f"{exchange.line.method} {exchange.line.path_text}".strip())
        if "request" in self.table.auth:
            found.append(self.table.auth["request"])
        return sorted(set(found))

    def event_mentions(self, event: str, *names: str) -> bool:
        """Return whether an event's templates mention any of these names."""
        texts = template_texts(self._event_tables(event))
        return bool({name for text in texts for name in names_keys_and_constants_mentioned(text)} & {*names})

    def mentioned_people_fields_if_any(self, event: str) -> set[str] | None:
        """Return the fields of people that an event's templates mention; None if they mention no people.

        "*" means all fields.
        """
        found: set[str] = set()
        for text in template_texts(self._event_tables(event)):
            names = names_keys_and_constants_mentioned(text)
            if names & _PEOPLE:
                found |= (names & VIEW_FIELDS) or {"*"}
        return found or None


def _id_key(event: str) -> str:
    return "on.token.create.id" if event == "create" else f"on.{event}.id"
