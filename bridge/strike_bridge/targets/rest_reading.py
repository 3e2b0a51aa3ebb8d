"""What an API shows of its things, by the `read` of a target's table. It asks, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.problems import listed

from ..rest import shape
from ..rest.answers import (
    AnswerFault,
    Path,
    id_of,
    next_link,
    path_of,
    whole_number,
    whole_place,
    with_cursor,
)
from ..rest.exchanges import At, Exchange, value_of
from .base import Answer, Asking, Finding, Found, Looked, Outcome, OutcomeKind, Payload, Request, Wire
from .rest_connection import RestConnection

if TYPE_CHECKING:
    from ..payloads import ReadToken


_OF_TOKENS = ("on.token", "on.removed", "on.away", "on.status", "on.unstatus")
MOST_PAGES = 20
MOST_ITEMS = 2000


class RestReading(RestConnection):
    """Lists, tokens in them, and what is wrong with these."""

    def _items(self) -> Asking[list[Payload] | Outcome]:
        """All things that it lists, page after page."""
        read = self.api.read
        assert read is not None
        try:
            path = read.line.path(self._context({}))
        except Exception as fault:
            return Outcome(OutcomeKind.REJECTED, f"read.request: {fault}", all=True)
        items: list[Payload] = []
        for _ in range(MOST_PAGES):
            answer = yield Request("GET", path, event=read.line.key)
            if answer.planned:
                return []
            data = self._read(answer)
            found = read.list.find(data) if read.list else data
            if self.api.answer == "xml":
                found = _as_list(found, data, read.list)
            if not isinstance(found, list):
                return Outcome(OutcomeKind.REJECTED, "its answer has no list where read.list says", all=True)
            items += [item for item in found if isinstance(item, dict)]
            if len(items) > MOST_ITEMS:
                why = f"it lists more than {MOST_ITEMS} things: have read.request ask for fewer"
                return Outcome(OutcomeKind.REJECTED, why, all=True)
            try:
                following = self._next(answer, data, path)
            except AnswerFault as fault:
                return Outcome(OutcomeKind.REJECTED, str(fault), all=True)
            if not following or following == path:
                return items
            path = following
        return Outcome(OutcomeKind.REJECTED, f"its list has more than {MOST_PAGES} pages", all=True)

    def _next(self, answer: Answer, data: object, path: str) -> str:
        read = self.api.read
        assert read is not None
        if read.by_header:
            said = answer.headers.get(read.by_header, "")
            link = next_link(said) if read.by_header == "link" else said
            return path_of(link, self._whole_address, path) if link else ""
        found = read.next.find(data) if read.next else None
        if not isinstance(found, str | int) or isinstance(found, bool) or found == "":
            return ""
        return (
            with_cursor(path, read.param, str(found))
            if read.param
            else path_of(str(found), self._whole_address, path)
        )

    @property
    def _whole_address(self) -> str:
        """What comes before a path, secret or not."""
        return self.key.partition("?")[0].rstrip("/") if self.key_is_address else self.address

    def _id_of(self, item: Payload) -> str:
        return id_of(self.api.read.id.find(item)) if self.api.read else ""

    def _ours_of(self, item: Payload) -> str:
        read = self.api.read
        found = read.ours.find(item) if read and read.ours else None
        return found if isinstance(found, str) and 0 < len(found) <= 200 else ""

    @property
    def finds_ours(self) -> bool:
        """Where `read.ours` says which is which."""
        return "ours" in self.table.read

    @property
    def checks_links(self) -> bool:
        return self.supports.links and self.supports.find

    def find_tokens(self, wire: Wire) -> list[Found] | Outcome:
        """All that it lists. Of two that bear one id of ours neither is ours."""
        items = self.find_out(wire, self._items())
        if isinstance(items, Outcome):
            return items
        ids, ours = [self._id_of(item) for item in items], [self._ours_of(item) for item in items]
        made = not shape.marks_what_others_made(self.table.on)
        return [
            Found(id, self._name_of(item), own if ours.count(own) == 1 else "", made)
            for item, id, own in zip(items, ids, ours, strict=True)
            if id and ids.count(id) == 1
        ]

    def _name_of(self, item: Payload) -> str:
        read = self.api.read
        found = (read.name.find(item) if read.name else item.get("name")) if read else None
        return found if isinstance(found, str) else ""

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Ours, as far as the file says how they are read."""
        items = self.find_out(wire, self._items())
        return items if isinstance(items, Outcome) else {id: shown for id, shown, _ in self._readings(items)}

    def look(self, wire: Wire) -> Looked | Outcome:
        """Ours, and which of them are there no more."""
        items = self.find_out(wire, self._items())
        if isinstance(items, Outcome):
            return items
        there = {self._id_of(item) for item in items}
        shown = {id: shown for id, shown, fault in self._readings(items) if not fault}
        return Looked(shown, [id for id, theirs in self.links.items() if theirs not in there])

    def _readings(self, items: Iterable[Payload]) -> Iterator[tuple[str, ReadToken, str]]:
        """Our id, what is shown of it, and what is wrong with that, of each that is ours."""
        by_link = {theirs: id for id, theirs in self.links.items()}
        told: dict[str, list[Payload]] = {}
        for item in items:
            ours, theirs = self._ours_of(item), self._id_of(item)
            if self.supports.links:
                id = by_link.get(theirs) or (ours if ours in self.everybody else "")
            else:
                id = ours or theirs
                id = id if id in self.told or id in self.everybody else ""
            if id:
                told.setdefault(id, []).append(item)
        for id, same in told.items():
            if len(same) == 1:
                shown, fault = self._shown(id, same[0])
                yield id, shown, fault

    def _shown(self, id: str, item: Payload) -> tuple[ReadToken, str]:
        """A thing as a token, and what is wrong with it."""
        read = self.api.read
        assert read is not None
        shown: ReadToken = {}
        given, fault, told = {"item": item, "map": self._map()}, "", self.told.get(id)

        def value(key: str) -> object:
            return value_of(read.fields[key], self._context(given), f"read.{key}")

        try:
            if "x" in read.fields and (told is None or told["position"]):
                size = self._map()
                place = whole_place(value("x"), value("y"), (size["width"], size["height"]) if size else None)
                shown["position"] = place
                if place is None:
                    fault = f"{id} stands beside the map there"
            if "hidden" in read.fields:
                shown["hidden"] = value("hidden") is True
            if "statuses" in read.fields and not self.statuses:
                found = value("statuses")
                shown["statuses"] = [str(each) for each in found] if isinstance(found, list) else []
            numbers = [
                whole_number(value_of(template, self._context(given), "read.hp")) if template else None
                for template in read.hp
            ]
        except At as problem:
            return shown, f"{id}: {problem.key}: {problem}"
        hp = told["hp"] if told else None
        if numbers[0] is not None and (numbers[1] is not None or hp):
            shown["hp"] = {
                "value": numbers[0],
                "max": numbers[1] if hp is None or numbers[1] is not None else hp["max"],
            }
        return shown, fault

    # People's side

    def probe(self) -> Request | None:
        """Its list, where that can be read."""
        if self.api.read is None:
            return None
        return Request("GET", self.api.read.line.path(self._context({})))

    def checks(self, wire: Wire) -> Iterator[Finding]:
        """What it lists, and what of it can't be read."""
        if self.api.read is not None:
            items = self.find_out(wire, self._items())
            if isinstance(items, Outcome):
                yield Finding(f"Its list can't be read: {items.why}.", False, "Look at [read] of its table.")
                return
            lacking = sum(not self._id_of(item) for item in items)
            yield Finding(f"It lists {len(items)} things.")
            if lacking:
                remedy = "`read.id` is where a thing's id stands: text, or a whole number."
                yield Finding(f"{lacking} of them have no id there.", False, remedy)
            yield from self._wrong_paths(items)
            for _, _, fault in self._readings(items):
                if fault:
                    yield Finding(f"{fault}: left out.", False, "Look at x, y and hp of [read].")
            yield from self._where_it_writes(wire, items)

    def _where_it_writes(self, wire: Wire, items: list[Payload]) -> Iterator[Finding]:
        """Whether paths and methods of what is sent are right, as far as that is known without sending it: by
        what the API says itself (OPTIONS, `Allow`), or since its list is there."""
        right, untried = list[str](), list[str]()
        said: dict[str, list[str]] = {}
        probe = self.probe()
        listed_at = probe.path.partition("?")[0] if probe else None
        for exchange in self.api.all_exchanges():
            path, method = self._path_now(exchange, items), exchange.line.method
            if path is None:
                untried.append(exchange.key)
                continue
            if path not in said:
                said[path] = _allowed(wire.send(Request("OPTIONS", path, event=exchange.key)))
            if said[path] and method not in said[path]:
                words = f"It says that {path or 'its address'} takes {listed(said[path])}"
                remedy = "Look at its method and its path."
                yield Finding(f"{words}: {exchange.key} sends {method}.", False, remedy)
            else:
                is_there = said[path] or path == listed_at
                (right if is_there else untried).append(exchange.key)
        if right:
            yield Finding(f"There is something at the path of {listed(right)}.")
        if untried:
            yield Finding(f"Not tried, since only sending tells: {listed(untried)}.", tried=False)

    def _path_now(self, exchange: Exchange, items: list[Payload]) -> str | None:
        """The path of a request about a thing that it lists; None where that takes more to know."""
        of_token = exchange.key.startswith(_OF_TOKENS)
        theirs = next(filter(None, map(self._id_of, items)), "") if of_token else ""
        ours = next(filter(None, map(self._ours_of, items)), "") if of_token else ""
        given = {"link": {"id": theirs} if theirs else {}, "token": {"id": ours} if ours else {}}
        try:
            return exchange.line.path(self._context(given)).partition("?")[0]
        except At:
            return None

    def _wrong_paths(self, items: list[Payload]) -> Iterator[Finding]:
        """Paths of `read` at which nothing stands, where something surely would."""
        read = self.api.read
        made = {self.links[id] for id in self.made if id in self.links}
        ours = [item for item in items if self._id_of(item) in made]
        if read and read.ours and ours and not any(map(self._ours_of, ours)):
            remedy = "`read.ours` is where the id comes back that [on.token.create] sent."
            yield Finding(f"Nothing stands at {read.ours.text} of what strike made there.", False, remedy)
        if read and read.name and items and not any(map(self._name_of, items)):
            remedy = "`read.name` is where a thing's name stands, for `link --auto`."
            yield Finding(f"Nothing stands at {read.name.text} of any.", False, remedy)


def _allowed(answer: Answer | Outcome) -> list[str]:
    """The methods that an answer says a path takes; none where it says nothing of it."""
    said = "" if isinstance(answer, Outcome) else answer.headers.get("allow", "")
    return [method.strip().upper() for method in said.split(",") if method.strip()]


def _as_list(found: object, data: object, path: Path | None) -> object:
    """Elements of one name as a list: one of them is no list in XML, and of none there is nothing."""
    if isinstance(found, Mapping):
        return [found]
    above = path.text.rpartition(".")[0] if path else ""
    if found is None and above and Path(above).find(data) is not None:
        return []
    return found
