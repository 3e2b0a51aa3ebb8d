"""Reads lists and tokens from a REST target, and checks the target's settings.

The table `read` in the target's settings says how to read tokens. Nothing at the target is changed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.problems import listed

from ..request_outcome import LOST_ALL
from ..rest import capabilities
from ..rest.answer_values import (
    AnswerFault,
    JmesPath,
    add_page_cursor,
    next_link,
    next_page_path,
    rounded_number,
    square_at,
    valid_id,
)
from ..rest.request_templates import ConfiguredRequest, TemplateFaultAtKey, render_template
from ..rest.target_settings_parser import ListRequest
from ..rest.template_engine import Template
from ..rest.template_variables import result_view
from .base import (
    Answer,
    Asking,
    Finding,
    ListedToken,
    Outcome,
    OutcomeKind,
    Payload,
    Post,
    Request,
    TabletopValues,
    Wire,
)
from .rest_connection import RestConnection

if TYPE_CHECKING:
    from strike_table.schemas import SquarePayload

    from ..payloads import ReadToken, ShownToken


_OF_TOKENS = ("on.token", "on.removed", "on.away", "on.status", "on.unstatus")
_NOTHING: Mapping[str, object] = {}
MOST_PAGES = 20
MOST_ITEMS = 2000


class RestReading(RestConnection):
    """The part of a REST target that reads lists and the tokens in them, and reports faults."""

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Return whether the target's list of results has the result `post`.

        An item of the list is the result if its key contains the result's identity.

        If no item is the result, the list may simply not reach back far enough. The answer is False only if
        strike sent no result earlier, or if the list still has an earlier one. In any other case the outcome
        REJECTED is returned.

        REJECTED is also returned for a post that marks a result as undone, if the target has no request of
        its own for such marks. If the list can't be read, the outcome that says why is returned.
        """
        listing = self.api.results
        assert listing is not None
        assert listing.key is not None
        if post.mark and not self._wants_event["undone"]:
            return Outcome(OutcomeKind.REJECTED, "the mark of a line can't be looked up")
        given = {"event": self._event_variable("result", post), "result": result_view(post)}
        items = self.run_conversation(wire, self._read_items(listing, given))
        if isinstance(items, Outcome):
            return items
        there = [str(found) for item in items if isinstance(found := listing.key.find(item), str | int)]
        if any(post.event in key for key in there):
            return True
        earlier = self.recent_results
        if not earlier or any(event in key for event in earlier for key in there):
            return False
        return Outcome(OutcomeKind.REJECTED, "its list doesn't reach back to an earlier line")

    def _read_items(
        self, listing: ListRequest | None = None, variables: Mapping[str, object] = _NOTHING
    ) -> Asking[list[Payload] | Outcome]:
        """Return all items of a list, read page by page; or the outcome if the list can't be read.

        Without `listing`, the list is that of the tokens.
        """
        listing = listing or (self.api.read and self.api.read.listing)
        assert listing is not None
        key = listing.exchange.key
        items: list[Payload] = []
        page: str | int = listing.start
        path = ""
        for _ in range(MOST_PAGES):
            try:
                request = self._page_request(listing, variables, page, path)
                answer = yield request
                if answer.planned:
                    return []
                data = self._parse_answer(answer)
                found = listing.list.find(data) if listing.list else data
                if self.api.answer == "xml":
                    found = _xml_list(found, data, listing.list)
                if not isinstance(found, list):
                    raise AnswerFault(f"its answer has no list at {key}.list")
                items += [item for item in found if isinstance(item, dict)]
                if len(items) > MOST_ITEMS:
                    raise AnswerFault(f"it lists more than {MOST_ITEMS} objects: let {key} request fewer")
                following = self._next_page(listing, answer, request.path, page, len(found))
            except (TemplateFaultAtKey, AnswerFault) as fault:
                where = f"{fault.key}: " if isinstance(fault, TemplateFaultAtKey) else ""
                return Outcome(OutcomeKind.REJECTED, f"{where}{fault}", all=True)
            if following is None:
                return items
            page, path = following
        return Outcome(OutcomeKind.REJECTED, f"its list has more than {MOST_PAGES} pages", all=True)

    def _next_page(
        self, listing: ListRequest, answer: Answer, path: str, page: str | int, count: int
    ) -> tuple[str | int, str] | None:
        """Return the next page of a list, as a pair; None if the list ends here.

        The first part of the pair is the page's number or cursor. It stays as it is if the answer names the
        next page by its path. The second part is this path, or "" if the template makes the path. Raises
        AnswerFault if the answer names a next page at another address.
        """
        if listing.number:
            return (int(page) + 1, "") if count and count >= listing.size else None
        if listing.by_header:
            said = answer.headers.get(listing.by_header, "")
            found: object = next_link(said) if listing.by_header == "link" else said
        else:
            found = listing.next.find(self._parse_answer(answer)) if listing.next else None
        if not isinstance(found, str | int) or isinstance(found, bool) or found == "":
            return None
        if listing.param:
            following = add_page_cursor(path, listing.param, str(found))
        elif listing.exchange.body is not None and not listing.by_header:
            return (str(found), "") if str(found) != str(page) else None
        else:
            following = next_page_path(str(found), self._address_with_secret_path, path)
        return (page, following) if following != path else None

    def _page_request(
        self, listing: ListRequest, variables: Mapping[str, object], page: str | int, path: str
    ) -> Request:
        """Return the request for a page of a list. Raises TemplateFaultAtKey."""
        request = listing.exchange.request(self._context_with_fresh_limits({**variables, "page": page}))
        if listing.number:
            path = add_page_cursor(request.path, listing.number, str(page))
        return request._replace(path=path or request.path)

    @property
    def _address_with_secret_path(self) -> str:
        """The target's address, to which a request's path is added.

        If the target's address is itself secret, it is the whole secret address with its path.
        """
        return self.key.partition("?")[0].rstrip("/") if self.key_is_address else self.address

    @property
    def recognizes_own(self) -> bool:
        """Whether the target's list of tokens shows which tokens are ours.

        It does if the settings have `read.ours`, the path to our id in a token.
        """
        return "ours" in self.table.read

    @property
    def looks_up_first(self) -> bool:
        return self.supports.read_results

    @property
    def checks_links_first(self) -> bool:
        return self.supports.links and self.supports.find

    def find_tokens(self, wire: Wire) -> list[ListedToken] | Outcome:
        """Return the tokens in the target's list, except those without an id of their own.

        A token that strike made also carries strike's id. If several tokens carry the same strike id, it
        counts for none of them. If the list can't be read, return the outcome of the request.
        """
        items = self.run_conversation(wire, self._read_items())
        if isinstance(items, Outcome):
            return items
        ids, ours = [self._item_id(item) for item in items], [self._our_id_in(item) for item in items]
        made = not capabilities.updates_contain_our_id(self.table.on)
        return [
            ListedToken(id, self._item_name(item), own if ours.count(own) == 1 else "", made)
            for item, id, own in zip(items, ids, ours, strict=True)
            if id and ids.count(id) == 1
        ]

    def _our_id_in(self, item: Payload) -> str:
        read = self.api.read
        found = read.ours.find(item) if read and read.ours else None
        return found if isinstance(found, str) and 0 < len(found) <= 200 else ""

    def _item_id(self, item: Payload) -> str:
        return valid_id(self.api.read.id.find(item)) if self.api.read else ""

    def _item_name(self, item: Payload) -> str:
        read = self.api.read
        found = (read.name.find(item) if read.name else item.get("name")) if read else None
        return found if isinstance(found, str) else ""

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Return our tokens in the API's list, with the fields that the table's `read` declares."""
        items = self.run_conversation(wire, self._read_items())
        return (
            items
            if isinstance(items, Outcome)
            else {id: shown for id, shown, _ in self._read_our_tokens(items)}
        )

    def read_values(self, wire: Wire) -> TabletopValues | Outcome:
        """Return the values of our tokens, and the ids of our tokens that were deleted at the target.

        A token with a value that can't be read is left out. If two or more tokens are linked, and the target
        lists none of them, return the outcome REJECTED. The list is then probably not the one with our
        tokens.
        """
        items = self.run_conversation(wire, self._read_items())
        if isinstance(items, Outcome):
            return items
        there = {self._item_id(item) for item in items}
        if len(self.links) > 1 and there.isdisjoint(self.links.values()):
            return Outcome(OutcomeKind.REJECTED, LOST_ALL, all=True, empty=True)
        shown = {id: shown for id, shown, fault in self._read_our_tokens(items) if not fault}
        return TabletopValues(shown, [id for id, theirs in self.links.items() if theirs not in there])

    def _read_our_tokens(self, items: Iterable[Payload]) -> Iterator[tuple[str, ReadToken, str]]:
        """Yield our id, the values, and a text on unreadable values, for each item that is a token of ours.

        The text is "" if every value can be read. If several items carry the same id of ours, none of them is
        yielded.
        """
        by_link = {theirs: id for id, theirs in self.links.items()}
        told: dict[str, list[Payload]] = {}
        for item in items:
            ours, theirs = self._our_id_in(item), self._item_id(item)
            if self.supports.links:
                id = by_link.get(theirs) or (ours if ours in self.everybody_ids else "")
            else:
                id = ours or theirs
                id = id if id in self.acknowledged or id in self.everybody_ids else ""
            if id:
                told.setdefault(id, []).append(item)
        for id, same in told.items():
            if len(same) == 1:
                shown, fault = self._read_token(id, same[0])
                yield id, shown, fault

    def _read_token(self, id: str, item: Payload) -> tuple[ReadToken, str]:
        """Return an item's values as a token, and a text that names the values that can't be read."""
        read = self.api.read
        assert read is not None
        shown: ReadToken = {}
        given, told, fields = {"item": item, "map": self._map_size()}, self.acknowledged.get(id), read.fields
        unreadable: dict[str, str] = {}

        def render_field_or_note_fault(field: str, template: Template | None, key: str) -> object:
            try:
                return template and render_template(
                    template, self._context_with_fresh_limits(given), f"read.{key}"
                )
            except TemplateFaultAtKey as problem:
                unreadable[field] = f"{problem.key}: {problem}"
                return None

        if "x" in fields and (told is None or told["position"]):
            place = self._square_on_map(
                *(render_field_or_note_fault("position", fields[key], key) for key in ("x", "y"))
            )
            shown["position"] = place
            if place is None:
                unreadable.setdefault("position", "it is off the map there")
        if "hidden" in fields:
            shown["hidden"] = render_field_or_note_fault("hidden", fields["hidden"], "hidden") is True
        if "statuses" in fields:
            shown["statuses"] = self._last_sent_status_names_if_same(
                render_field_or_note_fault("statuses", fields["statuses"], "statuses"), told
            )
        counted = [render_field_or_note_fault("hp", template, "hp") for template in read.hp]
        number, most = map(rounded_number, counted)
        hp = told["hp"] if told else None
        if number is not None and (most is not None or hp):
            shown["hp"] = {"value": number, "max": hp["max"] if hp and most is None else most}
        elif read.hp[0] and hp:
            unreadable.setdefault("hp", f"read.hp: {counted[0]!r} is not a number")
        if unreadable:
            shown["unreadable"] = unreadable
        return shown, "; ".join(f"{id}: {words}" for words in unreadable.values())

    def _square_on_map(self, x: object, y: object) -> SquarePayload | None:
        size = self._map_size()
        return square_at(x, y, (size["width"], size["height"]) if size else None)

    def _last_sent_status_names_if_same(self, value: object, last_sent: ShownToken | None) -> list[str]:
        """Return a token's statuses.

        If they are the statuses that were last sent, return strike's names for them. Otherwise return the
        names that the API uses. The target's settings may translate statuses, so only this comparison shows
        which of strike's names are meant.
        """
        names = [str(each) for each in value] if isinstance(value, list) else []
        sent = (
            [each["name"] for each in self._template_views(pictures=False).sent_status_views(last_sent)]
            if last_sent
            else []
        )
        return last_sent["statuses"] if last_sent and sorted(names) == sorted(sent) else names

    # Checks

    def probe(self) -> Request | None:
        """Return the request that the table's `probe` declares.

        Without `probe`, return the request for the list of tokens or of results. Return None if the table
        declares none of these, or if a template of the request can't be filled in.
        """
        listing = (self.api.read and self.api.read.listing) or self.api.results
        try:
            if self.api.probe is not None:
                return self.api.probe.request(self._context_with_fresh_limits({}))
            if listing is None:
                return None
            page = self._page_request(listing, {"event": {"id": "0"}, "result": {}}, listing.start, "")
            return page._replace(event="probe")
        except TemplateFaultAtKey:
            return None

    def requires_key(self, wire: Wire) -> bool:
        """Return whether the target's API needs the key.

        To find out, a probe is sent without the key. If the API refuses the probe or doesn't answer, the
        result is True.

        Some targets can't be probed: those with a session, with a secret address, or without a probe. For
        them, the result is whether they have a key.
        """
        probe = self.probe()
        if self.key_is_address or self.has_session or probe is None or not self.key_variable:
            return super().requires_key(wire)
        bare = type(self)(self.settings, self.key)
        bare.api.auth = None
        with contextlib.closing(Wire(self.address, bare.prepare, "", self.certificate, self.timeout)) as line:
            answer = line.send(probe)
        return isinstance(answer, Outcome) or not 200 <= answer.status < 300

    def own_findings(self, wire: Wire) -> Iterator[Finding]:
        """Yield findings on the objects that the API lists, on tokens' values, and on the paths of requests.

        Unreadable values of tokens are reported. Without the table [read], nothing is yielded.
        """
        if self.api.read is not None:
            items = self.run_conversation(wire, self._read_items())
            if isinstance(items, Outcome):
                yield Finding(f"Its list can't be read: {items.why}.", False, "Look at [read] of its table.")
                return
            lacking = sum(not self._item_id(item) for item in items)
            yield Finding(f"It lists {len(items)} things.")
            if lacking:
                remedy = "`read.id` is the path of an object's id: text, or a whole number."
                yield Finding(f"{lacking} of them have no id there.", False, remedy)
            yield from self._check_read_paths(items)
            for _, _, fault in self._read_our_tokens(items):
                if fault:
                    yield Finding(f"{fault}: left out.", False, "Look at x, y and hp of [read].")
            yield from self._check_write_paths(wire, items)

    def _check_write_paths(self, wire: Wire, items: list[Payload]) -> Iterator[Finding]:
        """Yield findings on whether the requests for events have a right path and method.

        These requests aren't sent. Instead, the API is asked with OPTIONS which methods each path allows. If
        the API doesn't answer this for a path, its requests count as untried. The only exception is the path
        of the list, which is known to be right.
        """
        right, untried = list[str](), list[str]()
        said: dict[str, list[str]] = {}
        probe = self.probe()
        listed_at = probe.path.partition("?")[0] if probe else None
        for exchange in self.api.event_requests():
            path, method = self._example_path(exchange, items), exchange.line.method
            if path is None:
                untried.append(exchange.key)
                continue
            if path not in said:
                said[path] = _allowed_methods(wire.send(Request("OPTIONS", path, event=exchange.key)))
            if said[path] and method not in said[path]:
                words = f"It says that {path or 'its address'} takes {listed(said[path])}"
                remedy = "Look at its method and its path."
                yield Finding(f"{words}: {exchange.key} sends {method}.", False, remedy)
            else:
                is_there = said[path] or path == listed_at
                (right if is_there else untried).append(exchange.key)
        if right:
            yield Finding(f"The path exists: {listed(right)}.")
        if untried:
            yield Finding(f"Not tried, since only sending would show: {listed(untried)}.", tried=False)

    def _example_path(self, exchange: ConfiguredRequest, items: list[Payload]) -> str | None:
        """Return the path of a request, filled in with ids from the listed `items`.

        Returns None if the path also needs other values, which aren't known here.
        """
        of_token = exchange.key.startswith(_OF_TOKENS)
        theirs = next(filter(None, map(self._item_id, items)), "") if of_token else ""
        ours = next(filter(None, map(self._our_id_in, items)), "") if of_token else ""
        given = {"link": {"id": theirs} if theirs else {}, "token": {"id": ours} if ours else {}}
        try:
            return exchange.line.path(self._context_with_fresh_limits(given)).partition("?")[0]
        except TemplateFaultAtKey:
            return None

    def _check_read_paths(self, items: list[Payload]) -> Iterator[Finding]:
        """Yield a finding if the path of strike's ids, or the path of names, finds nothing in any item.

        Both paths are keys of the table `read`. The path of strike's ids is checked only on items that strike
        made.
        """
        read = self.api.read
        made = {self.links[id] for id in self.created_ids if id in self.links}
        ours = [item for item in items if self._item_id(item) in made]
        if read and read.ours and ours and not any(map(self._our_id_in, ours)):
            remedy = "`read.ours` is the path of the id that [on.token.create] sent."
            yield Finding(f"Objects made by strike have nothing at {read.ours.text}.", False, remedy)
        if read and read.name and items and not any(map(self._item_name, items)):
            remedy = "`read.name` is the path of an object's name, for `link --auto`."
            yield Finding(f"No object has anything at {read.name.text}.", False, remedy)


def _allowed_methods(answer: Answer | Outcome) -> list[str]:
    """Return the methods that an answer's `Allow` header lists; empty without one."""
    said = "" if isinstance(answer, Outcome) else answer.headers.get("allow", "")
    return [method.strip().upper() for method in said.split(",") if method.strip()]


def _xml_list(value: object, data: object, path: JmesPath | None) -> object:
    """Return what `path` found in XML as a list.

    XML has no lists: a single element is found as a table, and missing elements as None. So a table becomes a
    list of one. None becomes an empty list if `data` has the element that would contain the missing elements.
    """
    if isinstance(value, Mapping):
        return [value]
    above = path.text.rpartition(".")[0] if path else ""
    if value is None and above and JmesPath(above).find(data) is not None:
        return []
    return value
