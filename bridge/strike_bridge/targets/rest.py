"""Any API by TOML: the target's table declares the requests of each event."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.facts import State
from strike_cli.problems import listed

from ..projection import ShownTable
from ..rest.answers import error_of_form, id_of
from ..rest.dry_run import template_faults, try_requests
from ..rest.exchanges import At, value_of
from ..rest.template_variables import exhibits_view, map_view, order_view, result_view
from .base import Asking, Conversation, Finding, Outcome, OutcomeKind, Post, Request, Target, Wire
from .rest_reading import RestReading

if TYPE_CHECKING:
    from ..payloads import ShownExhibit, ShownImage, ShownOrder, ShownScene, ShownToken


_SAMPLE_REMEDY = "`{{ x if y else skip }}` leaves a key out; `when` sends nothing at all."
RESULTS_KEPT = 200
"""The maximum number of results whose ids at the API are remembered, for marking them."""


class RestTarget(RestReading):
    """An API that is described by the target's table, which decides what it can show."""

    draws_effects = False

    def trial(self, now: State) -> Iterable[Finding]:
        """Check whether every template can be rendered, for samples and for the current scene."""
        found = template_faults(self._anew)
        told = self._anew()
        for attempt in try_requests(told, Target.project(told, now)):
            if attempt.fault:
                found.setdefault(attempt.fault, f"{attempt.what}, on the table now")
        if not found:
            yield Finding("Its templates can be filled in for every scene.")
        for fault, where in found.items():
            yield Finding(f"{fault} (for {where})", False, _SAMPLE_REMEDY)
        yield from self._forms()
        on = self.api.events
        if on["token"] and not (on["removed"] or self.supports.links or self.for_gm):
            remedy = "Write [on.removed] with a request that removes {{ token.id }}."
            yield Finding("A token stays in sight there when it hides.", False, remedy)

    def _forms(self) -> Iterator[Finding]:
        """Report the expected answers, and how strike finds out after an outage that the API is back."""
        bodies = [exchange.body for exchange in self.api.all_exchanges() if exchange.body is not None]
        keys = {error_of_form(dict.fromkeys(body.table, "")) for body in bodies if body.table}
        refusals = [path.text for path in (self.api.ok.error,) if path] + sorted(filter(None, keys))
        if self.api.answer == "none":
            yield Finding(
                "Its answers are not read: every 2xx counts as done, even a login page.", tried=False
            )
        else:
            words = f"; {listed(refusals)} in it refuses" if refusals else ""
            yield Finding(f"It expects {self.api.answer.upper()} or nothing in answers{words}.", tried=False)
        if self.probe() is None and self.api.events["result"]:
            why = "It has no harmless request: after a failure, a result is sent as a test"
            yield Finding(f"{why} ([probe] names a harmless request).", tried=False)

    def _anew(self) -> RestTarget:
        made = type(self)(self.settings, self.key, self.session)
        made.folder = self.folder
        return made

    def checks(self, wire: Wire) -> Iterator[Finding]:
        """Check the API's things, and whether a creature that hides is hidden there."""
        yield from super().checks(wire)
        events = self.api.events
        if self.for_gm or self.supports.whole or not events["token"]:
            return
        theirs = [id for id in self.links if id not in self.created_ids]
        if theirs and not events["away"]:
            remedy = "Write [on.away] with a request that hides {{ link.id }}; [on.removed] is for ours."
            yield Finding(f"{listed(theirs)} would stay in sight there when they hide.", False, remedy)

    def put_scene(self, scene: ShownScene) -> Conversation:
        """Send `on.scene`."""
        view = self._word_source(pictures=self.api.mentions("scene", "picture")).scene(scene)
        return (yield from self._send_current("scene", {"scene": view, "map": map_view(scene)}, scene))

    def _send_current(self, event: str, given: Mapping[str, object], payload: object) -> Conversation:
        """Send the current value, as a whole."""
        stopped = yield from self._send_event(event, given, payload)
        if stopped is None:
            self._count_event(event)
        return stopped

    def clear_scene(self) -> Conversation:
        """Remove the tokens that the bridge made, then send `on.cleared`.

        A target that is sent everything as a whole is sent an empty table.
        """
        for id in list(self.created_ids) if self.supports.links else list(self.acknowledged):
            stopped = yield from self.remove_token(id)
            if stopped is not None:
                return stopped
            self.links.pop(id, None)  # if a later removal fails, this token is not removed again
        if self.supports.whole and not self.api.events["cleared"]:
            return (yield from self.put_whole(ShownTable(None, {}, None)))
        return (yield from self._send_current("cleared", {}, "cleared"))

    def put_whole(self, shown: ShownTable) -> Conversation:
        """Send `on.scene`, then `on.whole`."""
        if shown.scene is not None and self.api.events["scene"]:
            stopped = yield from self.put_scene(shown.scene)
            if stopped is not None:
                return stopped
        words = self._word_source(pictures=self.api.mentions("whole", "picture"))
        people = {id: words.token(token) for id, token in self._all_tokens(shown.tokens).items()}
        given: dict[str, object] = {
            "tokens": [people[id] for id in shown.tokens],
            "order": order_view(shown.order, people),
            "scene": words.scene(shown.scene),
            "map": map_view(shown.scene),
        }
        try:
            given["each"] = list(self._each(given, shown))
        except At as fault:
            return self._outcome_of_fault(fault)
        return (yield from self._send_current("whole", given, shown))

    def _each(self, given: Mapping[str, object], shown: ShownTable) -> Iterator[object]:
        """Yield the rendered `on.whole.each` of every token."""
        if self.api.each is None:
            return
        tokens = given["tokens"]
        assert isinstance(tokens, list)
        for id, token in zip(shown.tokens, tokens, strict=True):
            context = self._context({**given, "token": token, "link": {"id": self.links.get(id, "")}})
            when = self.api.each_when
            if when is None or value_of(when, context, "on.whole.each_when"):
                yield self.api.each.value(context)

    def _all_tokens(self, tokens: Mapping[str, ShownToken]) -> Mapping[str, ShownToken]:
        return {**self.people, **tokens} if tokens else tokens

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Send `on.token.create` for a missing token, then `on.token`, then its statuses one by one."""
        id = token["id"]
        if not (self.api.events["token"] or self.api.create or self.api.events["status"]):
            return None
        given = yield from self._template_input(token)
        if isinstance(given, Outcome):
            return given
        event = self._event("token", token)
        if self.supports.links and id not in self.links:
            if self.api.create is None:
                return None
            self.memory.pop(f"statuses {id}", None)
            came = yield from self._sent(self.api.create, given, event, creates=id)
            if came is None or isinstance(came, Outcome):
                return came
            given["link"] = {"id": self.links.get(id, "")}
        else:
            came = None
        if came is None or not self.api.complete:
            stopped = yield from self._update(id, given, event)
            if stopped is not None:
                return stopped
        stopped = yield from self._put_statuses(token, given, anew=before is None)
        if stopped is None:
            self._count_event("token")
        return stopped

    def _template_input(self, token: ShownToken) -> Asking[dict[str, object] | Outcome]:
        """Return the variables for a token's templates; upload its picture first, where that is declared."""
        image = token["image"]
        if self.api.events["picture"] and image and "sha256" in image:
            stopped = yield from self._upload(image)
            if stopped is not None:
                return stopped
        return self._template_values(token, pictures=self.api.mentions("token", "picture"))

    def _template_values(self, token: ShownToken, *, pictures: bool) -> dict[str, object]:
        return {
            "token": self._word_source(pictures=pictures).token(token),
            "link": {"id": self.links.get(token["id"], "")},
            "map": token.get("map"),
            "scene": self._scene_named(),
        }

    def is_sent(self, token: ShownToken) -> bool:
        """Return whether `when` lets anything be sent of a token."""
        context = self._context(self._template_values(token, pictures=False))
        whens = [each.when for each in self.api.events["token"]] or [self.api.each_when]
        try:
            return any(when is None or bool(value_of(when, context, "when")) for when in whens)
        except At:
            return True

    def _upload(self, image: ShownImage) -> Conversation:
        key = f"picture {image['sha256']}"
        picture = None if key in self.memory else self._pictures().of(image)
        if picture is None:
            return None
        came = yield from self._sent(
            self.api.events["picture"][0], {"picture": picture}, self._event("picture", key)
        )
        if isinstance(came, Outcome):
            return came
        if came is not None:
            path = self.api.ids.get("picture")
            found = path.find(self._read(came)) if path and not came.planned else None
            self.memory[key] = found if isinstance(found, str) and len(found) <= 2000 else ""
        return None

    def _update(self, id: str, given: Mapping[str, object], event: Mapping[str, str]) -> Conversation:
        """Send the token's current values. A token that was deleted there is created anew, once."""
        for exchange in self.api.events["token"]:
            came = yield from self._sent(exchange, given, event, may_fail=bool(self.api.ok.gone))
            if isinstance(came, Outcome):
                return (yield from self._gone(id, came)) if came.gone else came
            if came is None or came.planned:
                continue
            outcome = self.outcome(Request(exchange.line.method, "", may_fail=True), came, time.time())
            if outcome.gone:
                return (yield from self._gone(id, outcome))
            if outcome.kind is not OutcomeKind.APPLIED:
                return outcome
        self.memory.pop(f"anew {id}", None)
        return None

    def _gone(self, id: str, outcome: Outcome) -> Conversation:
        """Return the outcome for a token that, by the target's answer, is gone.

        A token of ours may be created again, but only once, and only if the API's list (if there is one)
        doesn't show it. Otherwise the configured path must be wrong: the outcome is REJECTED, and the queue
        waits. A token that we didn't create is to be linked again.
        """
        if id not in self.created_ids:
            return outcome._replace(gone=False, why=f"{outcome.why}: link it again")
        asks = f"check the path of on.token, and whether 404 belongs in ok.gone ({outcome.why})"
        if f"anew {id}" in self.memory:
            return Outcome(OutcomeKind.REJECTED, f"the new token isn't there either: {asks}", all=True)
        if self.api.read is not None:
            items = yield from self._items()
            if isinstance(items, Outcome):
                return items
            if any(self._id_of(item) == self.links.get(id) for item in items):
                return Outcome(OutcomeKind.REJECTED, f"its list has {self.links.get(id)!r}: {asks}", all=True)
        self.memory[f"anew {id}"] = "1"
        return outcome

    def _put_statuses(self, token: ShownToken, given: Mapping[str, object], *, anew: bool) -> Conversation:
        """Send `on.status` for each new status, `on.unstatus` for each that ended.

        Statuses are remembered before they are sent, since they may arrive without an answer.
        """
        if not self.api.events["status"]:
            return None
        key = f"statuses {token['id']}"
        there: dict[str, str] = json.loads(self.memory.get(key, "{}"))
        now = {status["id"]: status["name"] for status in self._word_source(pictures=False).statuses(token)}
        for id, name in now.items():
            if id in there and not anew:
                continue
            keep = id not in there
            there[id] = name
            self.memory[key] = json.dumps(there)
            status = {**given, "status": {"id": id, "name": name}}
            stopped = yield from self._send_event("status", status, [token, id], keep=keep)
            if stopped is not None:
                return stopped
        for id in [id for id in there if id not in now]:
            status = {**given, "status": {"id": id, "name": there[id]}}
            stopped = yield from self._send_event("unstatus", status, [token, id], gone_will_do=True)
            if stopped is not None:
                return stopped
            del there[id]
            self.memory[key] = json.dumps(there)
        return None

    def remove_token(self, id: str) -> Conversation:
        """Send `on.removed` for a token that the bridge made, `on.away` for one of the game master's."""
        if self.supports.links and id not in self.links:
            return None
        ours = id in self.created_ids or not self.supports.links
        given = {"token": {"id": id}, "link": {"id": self.links.get(id, "")}}
        event = "removed" if ours else "away"
        stopped = yield from self._send_event(event, given, id, gone_will_do=True)
        if stopped is None:
            self.memory.pop(f"statuses {id}", None)
            self._count_event(event)
        return stopped

    def put_order(self, order: ShownOrder) -> Conversation:
        """Send `on.order`."""
        words = self._word_source(pictures=self.api.mentions("order", "picture"))
        people = {id: words.token(token) for id, token in self.people.items()}
        given = {
            "order": order_view(order, people),
            "tokens": [people[id] for id, token in self.people.items() if not self.is_absent(token)],
            "map": self._map(),
            "scene": self._scene_named(),
        }
        return (yield from self._send_current("order", given, order))

    def put_exhibits(self, exhibits: list[ShownExhibit]) -> Conversation:
        """Send `on.exhibits`."""
        pictures = self._pictures() if self.api.mentions("exhibits", "picture") else None
        return (
            yield from self._send_current(
                "exhibits", {"exhibits": exhibits_view(exhibits, pictures)}, exhibits
            )
        )

    def send_result(self, post: Post) -> Conversation:
        """Send `on.result`; for a result that was undone or redone, `on.undone`."""
        event = "undone" if post.mark else "result"
        given: dict[str, object] = {"result": result_view(post)}
        if post.mark:
            given["link"] = {"id": self.memory.get(f"result {post.result['id']}", "")}
        for exchange in self.api.events[event]:
            came = yield from self._sent(
                exchange, given, self._event(event, post), absolute=exchange.idempotent
            )
            if isinstance(came, Outcome):
                return came
            path = self.api.ids.get("result")
            if event == "result" and path is not None and came is not None and not came.planned:
                self._remember(post, id_of(path.find(self._read(came))))
        return None

    def _remember(self, post: Post, theirs: str) -> None:
        kept = [key for key in self.memory if key.startswith("result ")]
        for key in kept[:-RESULTS_KEPT]:
            del self.memory[key]
        if theirs:
            self.memory[f"result {post.result['id']}"] = theirs
