"""The target for any API: its table in TOML declares the requests for each event."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.state_changes import State
from strike_cli.problems import listed

from ..rest.answer_values import graphql_or_jsonrpc_error_key, valid_id
from ..rest.request_preview import plan_requests_using_up_target, samples_by_template_fault
from ..rest.request_templates import TemplateFaultAtKey, render_template
from ..rest.template_variables import exhibits_view, map_size, order_view, result_view
from ..state_projection import ShownTable
from .base import Asking, Conversation, Finding, Outcome, OutcomeKind, Post, Request, Target, Wire
from .rest_reading import RestReading

if TYPE_CHECKING:
    from ..payloads import ShownExhibit, ShownImage, ShownOrder, ShownScene, ShownToken


_SAMPLE_REMEDY = "`{{ x if y else skip }}` leaves a key out; `when` sends nothing at all."
RESULTS_KEPT = 200
"""The maximum number of results whose ids at the API are remembered, for marking them."""


class RestTarget(RestReading):
    """A target whose HTTP API is described by its table in campaign.toml.

    The table also decides what the target can do.
    """

    draws_effects = False

    def offline_findings(self, now: State) -> Iterable[Finding]:
        """Yield findings that need no request: on templates, on answers and on hidden tokens.

        The templates are filled in with sample scenes, and with the current state `now`.
        """
        found = samples_by_template_fault(self._copy_without_memory)
        told = self._copy_without_memory()
        for attempt in plan_requests_using_up_target(told, Target.project(told, now)):
            if attempt.fault:
                found.setdefault(attempt.fault, f"{attempt.what}, on the table now")
        if not found:
            yield Finding("Its templates can be filled in for every scene.")
        for fault, where in found.items():
            yield Finding(f"{fault} (for {where})", False, _SAMPLE_REMEDY)
        yield from self._findings_on_answers()
        on = self.api.events
        if on["token"] and not (on["removed"] or self.supports.links or self.for_gm):
            remedy = "Write [on.removed] with a request that removes {{ token.id }}."
            yield Finding("A token stays in sight there when it hides.", False, remedy)

    def _findings_on_answers(self) -> Iterator[Finding]:
        """Yield findings on the expected answers, and on how strike notices the end of an outage."""
        bodies = [exchange.body for exchange in self.api.event_requests() if exchange.body is not None]
        keys = {graphql_or_jsonrpc_error_key(dict.fromkeys(body.table, "")) for body in bodies if body.table}
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

    def _copy_without_memory(self) -> RestTarget:
        made = type(self)(self.settings, self.key, self.session)
        made.folder = self.folder
        return made

    def own_findings(self, wire: Wire) -> Iterator[Finding]:
        """Yield findings on what the API lists, and on tokens that can't be hidden from players there.

        Such tokens can't be hidden because the target's table declares no request for this.
        """
        yield from super().own_findings(wire)
        events = self.api.events
        if self.for_gm or self.supports.whole or not events["token"]:
            return
        theirs = [id for id in self.links if id not in self.created_ids]
        if theirs and not events["away"]:
            remedy = "Write [on.away] with a request that hides {{ link.id }}; [on.removed] is for ours."
            yield Finding(f"{listed(theirs)} would stay in sight there when they hide.", False, remedy)

    def put_scene(self, scene: ShownScene) -> Conversation:
        """Send a scene with the requests that the target's settings list under `on.scene`."""
        view = self._template_views(pictures=self.api.event_mentions("scene", "picture")).scene_view(scene)
        return (
            yield from self._send_and_count_event("scene", {"scene": view, "map": map_size(scene)}, scene)
        )

    def _send_and_count_event(
        self, event: str, variables: Mapping[str, object], payload: object
    ) -> Conversation:
        """Send the requests of an event; return None if all succeeded, otherwise the outcome of the failure.

        `payload` is the value that the event reports. If all requests succeeded, the event is counted; this
        matters only for targets whose requests contain the count.
        """
        stopped = yield from self._send_event(event, variables, payload)
        if stopped is None:
            self._count_accepted_event_if_numbered(event)
        return stopped

    def clear_scene(self) -> Conversation:
        """Remove the tokens that the bridge created, then send the requests of `on.cleared`.

        If the settings have `on.whole` but not `on.cleared`, send an empty table with the requests of
        `on.whole` instead.
        """
        for id in list(self.created_ids) if self.supports.links else list(self.acknowledged):
            stopped = yield from self.remove_token(id)
            if stopped is not None:
                return stopped
            self.links.pop(id, None)  # if a later removal fails, this token is not removed again
        if self.supports.whole and not self.api.events["cleared"]:
            return (yield from self.put_whole(ShownTable(None, {}, None)))
        return (yield from self._send_and_count_event("cleared", {}, "cleared"))

    def put_whole(self, shown: ShownTable) -> Conversation:
        """Send everything that is shown, with the requests that the target's table defines.

        If there is a scene, the requests of `on.scene` come first. Then come the requests of `on.whole`.
        """
        if shown.scene is not None and self.api.events["scene"]:
            stopped = yield from self.put_scene(shown.scene)
            if stopped is not None:
                return stopped
        words = self._template_views(pictures=self.api.event_mentions("whole", "picture"))
        people = {
            id: words.token_view(token)
            for id, token in self._with_unsent_tokens_unless_empty(shown.tokens).items()
        }
        given: dict[str, object] = {
            "tokens": [people[id] for id in shown.tokens],
            "order": order_view(shown.order, people),
            "scene": words.scene_view(shown.scene),
            "map": map_size(shown.scene),
        }
        try:
            given["each"] = list(self._rendered_tokens_meeting_condition(given, shown))
        except TemplateFaultAtKey as fault:
            return self._outcome_of_fault(fault)
        return (yield from self._send_and_count_event("whole", given, shown))

    def _rendered_tokens_meeting_condition(
        self, variables: Mapping[str, object], shown: ShownTable
    ) -> Iterator[object]:
        """Yield each token as the template `on.whole.each` describes it.

        A token is left out if it doesn't meet the condition `on.whole.each_when`.
        """
        if self.api.token_template is None:
            return
        tokens = variables["tokens"]
        assert isinstance(tokens, list)
        for id, token in zip(shown.tokens, tokens, strict=True):
            context = self._context_with_fresh_limits(
                {**variables, "token": token, "link": {"id": self.links.get(id, "")}}
            )
            when = self.api.token_condition
            if when is None or render_template(when, context, "on.whole.each_when"):
                yield self.api.token_template.value(context)

    def _with_unsent_tokens_unless_empty(self, tokens: Mapping[str, ShownToken]) -> Mapping[str, ShownToken]:
        return {**self.people, **tokens} if tokens else tokens

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Send `on.token.create` if the token is missing, then `on.token`, then each changed status.

        If the target's table marks `on.token.create` as `complete`, `on.token` is not sent after it.
        """
        id = token["id"]
        if not (self.api.events["token"] or self.api.create or self.api.events["status"]):
            return None
        given = yield from self._values_after_picture_upload(token)
        if isinstance(given, Outcome):
            return given
        event = self._event_variable("token", token)
        if self.supports.links and id not in self.links:
            if self.api.create is None:
                return None
            self.memory.pop(f"statuses {id}", None)
            came = yield from self._send_exchange(self.api.create, given, event, creates=id)
            if came is None or isinstance(came, Outcome):
                return came
            given["link"] = {"id": self.links.get(id, "")}
        else:
            came = None
        if came is None or not self.api.create_is_declared_complete:
            stopped = yield from self._send_token_update(id, given, event)
            if stopped is not None:
                return stopped
        stopped = yield from self._put_statuses(token, given, resend_remembered=before is None)
        if stopped is None:
            self._count_accepted_event_if_numbered("token")
        return stopped

    def _values_after_picture_upload(self, token: ShownToken) -> Asking[dict[str, object] | Outcome]:
        """Return the variables for a token's templates, after uploading the token's picture if necessary.

        The picture is only uploaded if the target's table declares a request for this. If the upload fails,
        its outcome is returned instead.
        """
        image = token["image"]
        if self.api.events["picture"] and image and "sha256" in image:
            stopped = yield from self._upload_picture_once(image)
            if stopped is not None:
                return stopped
        return self._token_template_values(token, pictures=self.api.event_mentions("token", "picture"))

    def _token_template_values(self, token: ShownToken, *, pictures: bool) -> dict[str, object]:
        return {
            "token": self._template_views(pictures=pictures).token_view(token),
            "link": {"id": self.links.get(token["id"], "")},
            "map": token.get("map"),
            "scene": self._scene_id_and_name(),
        }

    def is_sent(self, token: ShownToken) -> bool:
        """Return whether the target's settings let a token be sent.

        Each request for a token may have a condition `when`. The token is sent if at least one request has no
        condition, or a condition that is met. If there are no such requests, the condition for the tokens of
        a whole scene decides. A condition that can't be evaluated counts as met.
        """
        context = self._context_with_fresh_limits(self._token_template_values(token, pictures=False))
        whens = [each.when for each in self.api.events["token"]] or [self.api.token_condition]
        try:
            return any(when is None or bool(render_template(when, context, "when")) for when in whens)
        except TemplateFaultAtKey:
            return True

    def _upload_picture_once(self, image: ShownImage) -> Conversation:
        key = f"picture {image['sha256']}"
        picture = None if key in self.memory else self._picture_views().picture_view(image)
        if picture is None:
            return None
        came = yield from self._send_exchange(
            self.api.events["picture"][0], {"picture": picture}, self._event_variable("picture", key)
        )
        if isinstance(came, Outcome):
            return came
        if came is not None:
            path = self.api.ids.get("picture")
            found = path.find(self._parse_answer(came)) if path and not came.planned else None
            self.memory[key] = found if isinstance(found, str) and len(found) <= 2000 else ""
        return None

    def _send_token_update(
        self, id: str, variables: Mapping[str, object], event: Mapping[str, str]
    ) -> Conversation:
        """Send a token's current values.

        If the token was deleted at the target, it is created again, but only once.
        """
        for exchange in self.api.events["token"]:
            came = yield from self._send_exchange(exchange, variables, event, may_fail=bool(self.api.ok.gone))
            if isinstance(came, Outcome):
                return (yield from self._outcome_allowing_one_recreation(id, came)) if came.gone else came
            if came is None or came.planned:
                continue
            outcome = self.outcome(Request(exchange.line.method, "", may_fail=True), came, time.time())
            if outcome.gone:
                return (yield from self._outcome_allowing_one_recreation(id, outcome))
            if outcome.kind is not OutcomeKind.APPLIED:
                return outcome
        self.memory.pop(f"anew {id}", None)
        return None

    def _outcome_allowing_one_recreation(self, id: str, outcome: Outcome) -> Conversation:
        """Return the outcome after the target has answered that one of our tokens doesn't exist.

        - If the bridge didn't create the token, the outcome says that people should link it again.
        - If the bridge created the token, return `outcome`, so that the token is created again. This happens
          only once for a token.
        - If the new token is missing, too, a configured path must be wrong. The same is true if the target's
          list still has the token. In both cases, the outcome is REJECTED, and the queue waits.
        """
        if id not in self.created_ids:
            return outcome._replace(gone=False, why=f"{outcome.why}: link it again")
        asks = f"check the path of on.token, and whether 404 belongs in ok.gone ({outcome.why})"
        if f"anew {id}" in self.memory:
            return Outcome(OutcomeKind.REJECTED, f"the new token isn't there either: {asks}", all=True)
        if self.api.read is not None:
            items = yield from self._read_items()
            if isinstance(items, Outcome):
                return items
            if any(self._item_id(item) == self.links.get(id) for item in items):
                return Outcome(OutcomeKind.REJECTED, f"its list has {self.links.get(id)!r}: {asks}", all=True)
        self.memory[f"anew {id}"] = "1"
        return outcome

    def _put_statuses(
        self, token: ShownToken, variables: Mapping[str, object], *, resend_remembered: bool
    ) -> Conversation:
        """Send `on.status` for each new status, and `on.unstatus` for each status that ended.

        A status is remembered before it is sent, since it may arrive without an answer. With
        `resend_remembered`, statuses that are remembered already are sent, too.
        """
        if not self.api.events["status"]:
            return None
        key = f"statuses {token['id']}"
        there: dict[str, str] = json.loads(self.memory.get(key, "{}"))
        now = {
            status["id"]: status["name"]
            for status in self._template_views(pictures=False).sent_status_views(token)
        }
        for id, name in now.items():
            if id in there and not resend_remembered:
                continue
            keep = id not in there
            there[id] = name
            self.memory[key] = json.dumps(there)
            status = {**variables, "status": {"id": id, "name": name}}
            stopped = yield from self._send_event("status", status, [token, id], keep=keep)
            if stopped is not None:
                return stopped
        for id in [id for id in there if id not in now]:
            status = {**variables, "status": {"id": id, "name": there[id]}}
            stopped = yield from self._send_event("unstatus", status, [token, id], gone_will_do=True)
            if stopped is not None:
                return stopped
            del there[id]
            self.memory[key] = json.dumps(there)
        return None

    def remove_token(self, id: str) -> Conversation:
        """Send `on.removed` for a token that the bridge created, or `on.away` for any other.

        If the API links tokens and this token has no link, nothing is sent. If the API links no tokens, all
        tokens count as created by the bridge.
        """
        if self.supports.links and id not in self.links:
            return None
        ours = id in self.created_ids or not self.supports.links
        given = {"token": {"id": id}, "link": {"id": self.links.get(id, "")}}
        event = "removed" if ours else "away"
        stopped = yield from self._send_event(event, given, id, gone_will_do=True)
        if stopped is None:
            self.memory.pop(f"statuses {id}", None)
            self._count_accepted_event_if_numbered(event)
        return stopped

    def put_order(self, order: ShownOrder) -> Conversation:
        """Send the requests of `on.order`."""
        words = self._template_views(pictures=self.api.event_mentions("order", "picture"))
        people = {id: words.token_view(token) for id, token in self.people.items()}
        given = {
            "order": order_view(order, people),
            "tokens": [people[id] for id, token in self.people.items() if not self.is_absent(token)],
            "map": self._map_size(),
            "scene": self._scene_id_and_name(),
        }
        return (yield from self._send_and_count_event("order", given, order))

    def put_exhibits(self, exhibits: list[ShownExhibit]) -> Conversation:
        """Send the requests of `on.exhibits`."""
        pictures = self._picture_views() if self.api.event_mentions("exhibits", "picture") else None
        return (
            yield from self._send_and_count_event(
                "exhibits", {"exhibits": exhibits_view(exhibits, pictures)}, exhibits
            )
        )

    def send_result(self, post: Post) -> Conversation:
        """Send the requests of `on.result`.

        For a result that was undone or redone, the requests of `on.undone` are sent instead.
        """
        event = "undone" if post.mark else "result"
        given: dict[str, object] = {"result": result_view(post)}
        if post.mark:
            given["link"] = {"id": self.memory.get(f"result {post.result['id']}", "")}
        for exchange in self.api.events[event]:
            came = yield from self._send_exchange(
                exchange, given, self._event_variable(event, post), absolute=exchange.idempotent
            )
            if isinstance(came, Outcome):
                return came
            path = self.api.ids.get("result")
            if event == "result" and path is not None and came is not None and not came.planned:
                self._remember_result_id(post, valid_id(path.find(self._parse_answer(came))))
        return None

    def _remember_result_id(self, post: Post, api_id: str) -> None:
        kept = [key for key in self.memory if key.startswith("result ")]
        for key in kept[: 1 - RESULTS_KEPT]:
            del self.memory[key]
        if api_id:
            self.memory[f"result {post.result['id']}"] = api_id
