"""The connection of a REST target to its API, as the target's table describes it.

The connection knows the API's address, the key, the variables of templates, and what the API's answers mean.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zlib import crc32

from jinja2.runtime import Context

from strike_cli.included_and_stray_files import is_inside
from strike_cli.kernel.state_changes import State
from strike_cli.problems import CampaignProblem

from ..consent import Terms
from ..request_outcome import APPLIED, outcome_of_answer, outcome_of_html_page
from ..rest import capabilities
from ..rest.answer_values import READERS, graphql_or_jsonrpc_error_key, is_found_and_not_false, valid_id
from ..rest.auth import Auth, checked_token_origin, needs_new_session, parse_session
from ..rest.capabilities import template_texts
from ..rest.merged_target_table import RestTable, starter_table
from ..rest.request_templates import ConfiguredRequest, TemplateFaultAtKey
from ..rest.target_settings_parser import CheckedTable
from ..rest.template_engine import (
    SKIP,
    AnswerPlaceholder,
    KnownIdLookup,
    Placeholder,
    names_keys_and_constants_mentioned,
)
from ..rest.template_variables import PictureViews, TemplateViews, map_size, token_fields_behind_mentioned
from ..settings import safe_address_or_raise
from ..state_projection import ShownTable
from .base import (
    HIDDEN_KEY,
    Answer,
    Asking,
    Conversation,
    Outcome,
    OutcomeKind,
    Post,
    PreparedRequest,
    Request,
    Settings,
    Supports,
    Target,
)

if TYPE_CHECKING:
    from typing import Unpack

    from ..http_conversation import RequestFlags
    from ..payloads import MapSize, ShownScene, ShownToken

_CHANGED = 412
_ASKED_AGAIN = 3
_SAID = 200
"""The maximum number of characters shown of an error's text."""


class RestConnection(Target):
    """The base of a REST target: connection, templates' variables, and outcomes of answers."""

    def __init__(self, settings: Settings, key: str = "", session: str = "") -> None:
        """Parse and check the target's table.

        Raises CampaignProblem with all faults; each is reported with its file, line and key.
        """
        self.table = RestTable(settings)
        super().__init__(settings, key, session)
        self.statuses = {**self.table.table.get("statuses", {}), **settings.statuses}
        self.api = CheckedTable(self.table)
        _ = self.session_address
        self._spent = session
        """The last session, which may hold the refresh token for the next one."""
        self.people: Mapping[str, ShownToken] = {}
        """Everybody in the scene as the target's audience may know them, by our id."""
        self.scene: ShownScene | None = None
        self._fields = {event: self.api.mentioned_people_fields_if_any(event) for event in ("order", "whole")}
        self._wants_map = {event: self.api.event_mentions(event, "map") for event in ("token", "order")}
        self._unkept = False
        """Whether the series of event numbers is new: it is saved before any request uses it."""
        self._signs_event = any(
            "event" in names_keys_and_constants_mentioned(text) for text in template_texts(self.table.auth)
        )
        self._wants_event = {event: self.api.event_mentions(event, "event") for event in self.api.events}

    @classmethod
    def with_settings(cls, settings: Settings) -> type[Target]:
        """Return a subclass with the abilities, address and kind of key in the target's TOML table."""
        table = RestTable(settings)
        auth = table.auth
        own = {
            "__module__": cls.__module__,
            "supports": declared_abilities(table),
            "default_url": table.url,
            "key_variable": capabilities.KEY_VARIABLE if capabilities.needs_key(auth) else "",
            "key_words": capabilities.word_for_key(auth),
            "key_is_address": auth.get("kind") == "address",
            "has_session": capabilities.has_session(auth),
        }
        return type(cls.__name__, (cls,), own)

    @classmethod
    def sample_settings(cls) -> Mapping[str, object]:
        """Return the table that a new REST target starts from."""
        return starter_table()

    def terms(self) -> Terms:
        """Return the terms that somebody must agree to before the target is sent anything.

        In addition to the usual terms, they have the method and path of every request. The campaign's folder
        defines these requests, and somebody else may have written them. If the secret is also sent to a
        second address to get a token, the terms have this address, too.
        """
        auth = self.table.auth
        return (
            super()
            .terms()
            ._replace(token_url=str(auth.get("token_url", "")), requests=tuple(self.api.request_lines()))
        )

    # The connection

    def checked_address(self) -> str:
        """Return the API's address, after a check.

        For some targets, the whole address is the key. Then only the scheme and host of the address are
        returned. If the key isn't known, the result is "https://***".

        Raises CampaignProblem for an invalid address. Also raises it if the address is the key and
        campaign.toml has an address.
        """
        where, settings = self.settings.where("url"), self.settings
        if self.key_is_address:
            if settings.url:
                raise CampaignProblem(
                    f"{where}: the address is the key, and keys don't belong in campaign.toml.",
                    f"Remove it, then `strike bridge login {self.name}`, with the whole address.",
                )
            if self.key in ("", HIDDEN_KEY):
                return "https://***"
            parts = urlsplit(self.key)
            return safe_address_or_raise(self.settings._replace(url=f"{parts.scheme}://{parts.netloc}"))
        address = safe_address_or_raise(settings, self.table.url)
        if {*"?#\\ "} & {*address}:
            raise CampaignProblem(
                f"{where}: it ends before any ? or #.", "Requests add the rest of the address."
            )
        return address

    @property
    def certificate(self) -> Path | None:
        """The certificate file that the setting `ca` names; None without this setting.

        Raises CampaignProblem if the file is missing or isn't in the campaign's folder.
        """
        name = str(self.table.table.get("ca", ""))
        if not name:
            return None
        where = self.table.location_of_key("ca", self.folder)
        if self.folder is None or not is_inside(self.folder, self.folder / name):
            raise CampaignProblem(f"{where}: it is outside the campaign's folder.", "Copy it there.")
        if not (self.folder / name).is_file():
            raise CampaignProblem(f"{where}: there is no file {name}.", "Give a certificate in PEM form.")
        return self.folder / name

    def remedy(self, outcome: Outcome) -> str:
        """Return advice on an outcome.

        If this machine doesn't trust the API's certificate, the advice is to set `ca` in the target's table.
        """
        if outcome.untrusted:
            where = self.settings.where("ca")
            return f'`ca = "FILE.pem"` trusts a certificate of your own, in the campaign\'s folder: {where}.'
        return super().remedy(outcome)

    @property
    def timeout(self) -> float | None:
        """The number of seconds to wait for an answer; None for the default.

        The number is the key `timeout` of the target's table.
        """
        seconds = self.table.table.get("timeout")
        return float(seconds) if isinstance(seconds, (int, float)) and seconds else None

    @property
    def session_address(self) -> str:
        """The address at which the key is exchanged for a session.

        For the kind `oauth` it is the address of `token_url`. Otherwise it is the target's own address.
        """
        auth = self.table.auth
        return checked_token_origin(self.settings, auth) if auth.get("kind") == "oauth" else self.address

    def session_is_ending(self, now: float) -> bool:
        """Return whether there is no session, or the session ends within half a minute of `now`.

        The session is a token or a cookie, and `now` is the unix time. A session that ended before `now`
        counts, too. A session without a time of expiry never ends.
        """
        return needs_new_session(self.session, now)

    def begin_session(self) -> Conversation:
        """Exchange the key for a token or a cookie, and store it as `session`."""
        auth = self.api.auth
        assert isinstance(auth, Auth)
        answer = yield auth.session_request()
        before = parse_session(self._spent).refresh
        opened = auth.session_of_answer(answer, time.time())
        self.session = (
            opened._replace(refresh=opened.refresh or before).as_stored_text() if opened.value else ""
        )
        return None

    def end_session(self) -> None:
        """Forget the session, which is a token or a cookie, so that a new one is requested.

        The old session is remembered, since its refresh token may be needed to request the new one.
        """
        self._spent, self.session = self.session or self._spent, ""

    @property
    def session_end_statuses(self) -> Collection[int]:
        """The HTTP statuses which mean that the session has ended: 401, and after a login also 403."""
        return (401, 403) if self.table.auth.get("kind") == "login" else (401,)

    def secrets(self) -> list[str]:
        """Return the texts that must never be shown.

        They include the key, and the session that was obtained with the key. If the key is an address, they
        also include the path of this address.
        """
        value = parse_session(self.session).value
        path = urlsplit(self.key).path if self.key_is_address else ""
        return [*super().secrets(), *([value] if value else []), *([path] if len(path) > 1 else [])]

    def headers(self) -> dict[str, str]:
        """Return the table's headers, and those that `auth` adds, for display."""
        if self.api.auth is None:
            return self._headers_without_auth
        return {**self._headers_without_auth, **self.api.auth.headers(self.key, self.session)}

    @cached_property
    def _headers_without_auth(self) -> dict[str, str]:
        """The headers that the target's settings give for every request, by their lower-case names.

        They depend only on the settings' `vars`, so they are computed once.
        """
        context = self._context_with_fresh_limits({})
        return {name.lower(): str(node.value(context)) for name, node in self.api.headers.items()}

    def prepare(self, request: Request, now: float) -> PreparedRequest:
        """Return a request in the form in which it is sent, with authentication added.

        If the target has sessions, the key is sent only with the request that asks for a session.
        """
        headers, content = request.encoded()
        prepared = PreparedRequest(request.path, {**self._headers_without_auth, **headers}, content)
        auth = self.api.auth
        if auth is None:
            return prepared
        if request.opens:
            return auth.session_request_with_key(prepared, self.key, self._spent)
        return auth.with_authentication(prepared, self.key, self.session, request.event_id, now)

    # The values to send

    def project(self, state: State) -> ShownTable:
        """Return the state to show, without the creatures that the target's audience doesn't see.

        Hidden creatures and creatures off the map are left out. Defeated creatures are left out if the
        settings hide the defeated.
        """
        return self.filter_sent_and_remember(super().project(state))

    def filter_sent_and_remember(self, shown: ShownTable) -> ShownTable:
        """Return the part of `shown` that this target is sent, with extra fields for its templates.

        The extra fields are those that the templates mention. Creatures that the target's audience doesn't
        see are left out. The scene and everybody in it are remembered for the templates.
        """
        self.people, self.scene = shown.tokens, shown.scene
        tokens = {id: token for id, token in shown.tokens.items() if not self.is_absent(token)}
        if self._wants_map["token"]:
            ground = self._map_size()
            tokens = {id: {**token, "map": ground} for id, token in tokens.items()}
        order = shown.order
        if order is not None and self._fields["order"] is not None:
            order = {**order, "told": token_fields_behind_mentioned(self.people, self._fields["order"])}
        if order is not None and self._fields["whole"] is not None:
            away = {id: token for id, token in self.people.items() if id not in tokens}
            order = {**order, "told": token_fields_behind_mentioned(away, self._fields["whole"])}
        if order is not None and self._wants_map["order"]:
            order = {**order, "map": self._map_size()}
        return shown._replace(tokens=tokens, order=order)

    def _map_size(self) -> MapSize | None:
        return map_size(self.scene or self.acknowledged_scene)

    # Variables of templates

    def _scene_id_and_name(self) -> dict[str, str | None]:
        """Return the scene's {id, name} for templates; both are None without a scene."""
        scene = self.scene or self.acknowledged_scene
        return {"id": scene["id"] if scene else None, "name": scene["name"] if scene else None}

    def _template_views(self, *, pictures: bool) -> TemplateViews:
        return TemplateViews(
            self.status_word,
            lambda token: (
                not (token["away"] if token["state"] != "out" else self.is_out_of_sight(token))
                and not token["hidden"]
            ),
            self.links,
            self._picture_views() if pictures else None,
        )

    def _picture_views(self) -> PictureViews:
        return PictureViews(self.read_picture_file, lambda sha256: self.memory.get(f"picture {sha256}"))

    def _context_with_fresh_limits(
        self, variables: Mapping[str, object], event: Mapping[str, str] | None = None
    ) -> Context:
        """Return a Jinja context with the variables that templates may use.

        The limits of time and size for templates begin anew.
        """
        self.api.environment.budget.restart()
        everywhere = {"vars": self.api.vars, "skip": SKIP, "known": KnownIdLookup(self.links)}
        return Context(self.api.environment, {**everywhere, "event": event or {}, **variables}, None, {})

    def _count_accepted_event_if_numbered(self, event: str) -> None:
        if self._wants_event[event] or self._signs_event:
            self.memory["taken"] = str(int(self.memory.get("taken", "0")) + 1)

    # One event

    def _send_event(
        self, event: str, variables: Mapping[str, object], payload: object, **flags: Unpack[RequestFlags]
    ) -> Conversation:
        """Send all requests of an event about `payload`, one after the other.

        If an outcome stops them, return that outcome. If all were sent, return None.
        """
        stopped: Answer | Outcome | None
        for exchange in self.api.events[event]:
            stopped = yield from self._send_exchange(
                exchange, variables, self._event_variable(event, payload), **flags
            )
            if isinstance(stopped, Outcome):
                return stopped
        return None

    def _event_variable(self, event: str, payload: object) -> dict[str, str]:
        """Return the variable `event` for the templates of a request, as {id, time}; {} if nothing uses it.

        Until the event is accepted, the id stays the same in every attempt. After that, another event with
        the same content gets a new id, since the id contains a count of the accepted events. For a post, the
        id is that of the post.
        """
        if not (self._wants_event[event] or self._signs_event):
            return {}
        now = str(int(time.time()))
        if isinstance(payload, Post):
            return {"id": payload.event or payload.id, "time": now}
        if "series" not in self.memory:
            self.memory["series"] = uuid.uuid4().hex[:12]
            self._unkept = True
        digest = crc32(json.dumps(payload, sort_keys=True, default=str).encode())
        return {"id": f"{self.memory['series']}-{self.memory.get('taken', '0')}-{digest:08x}", "time": now}

    def _send_exchange(
        self,
        exchange: ConfiguredRequest,
        variables: Mapping[str, object],
        event: Mapping[str, str],
        **flags: Unpack[RequestFlags],
    ) -> Asking[Answer | Outcome | None]:
        """Send a configured request.

        The configuration can name another request under `before`. If it does, that request is sent first, and
        the templates can use its answer.

        Returns:
            The answer to the request, or the outcome that ended the exchange. None if the condition for
            sending isn't met.
        """
        if self._unkept:
            flags, self._unkept = {**flags, "keep": True}, False
        flags["event_id"] = event.get("id", "")
        try:
            context = self._context_with_fresh_limits(variables, event)
            if not exchange.should_send(context):
                return None
            if exchange.before is None:
                return (yield exchange.request(context, **flags))
            for _ in range(_ASKED_AGAIN):
                answer = yield Request("GET", exchange.before.path(context), event=exchange.before.key)
                seen = {
                    **variables,
                    "before": AnswerPlaceholder("before") if answer.planned else self._parse_answer(answer),
                }
                came = yield from self._send_unless_changed(
                    exchange, self._context_with_fresh_limits(seen, event), answer, flags
                )
                if not (isinstance(came, Answer) and came.status == _CHANGED):
                    return came
            return Outcome(OutcomeKind.NOT_SENT, "somebody else keeps changing it (412)")
        except TemplateFaultAtKey as fault:
            return self._outcome_of_fault(fault)

    def _send_unless_changed(
        self, exchange: ConfiguredRequest, context: Context, earlier_answer: Answer, flags: RequestFlags
    ) -> Asking[Answer | Outcome | None]:
        """Send the second of two requests, if possible on condition that nothing has changed since the first.

        The first request is the one that the settings name in `before`. `earlier_answer` is its answer. If
        this answer has an ETag, the second request is sent with the header `If-Match`.
        """
        try:
            request = exchange.request(context, **flags)
        except TemplateFaultAtKey:
            if not earlier_answer.planned:
                raise
            words = "<made of the answer>"
            path, is_made, _ = exchange.line.path_text.partition("{{")
            path += words if is_made else ""
            request = Request(exchange.line.method, path, words, event=exchange.key, **flags)
        etag = earlier_answer.headers.get("etag", "")
        if etag and etag.isascii() and etag.isprintable():
            request = request._replace(headers={**request.headers, "if-match": etag}, may_fail=True)
        answer = yield request
        if answer.planned or answer.status == _CHANGED or flags.get("may_fail"):
            return answer
        outcome = self.outcome(request, answer, time.time())
        return answer if outcome.kind is OutcomeKind.APPLIED else outcome

    def _outcome_of_fault(self, fault: TemplateFaultAtKey) -> Outcome:
        """Return the outcome REJECTED, for a template that can't be filled in.

        The bridge puts the rejected step up for review, and goes on with the other steps.
        """
        return Outcome(OutcomeKind.REJECTED, f"{self.table.location_of_key(fault.key, self.folder)}: {fault}")

    # Answers

    def _parse_answer(self, answer: Answer) -> object:
        return READERS[self.api.answer](answer)

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return what became of a request, judged by its answer.

        The table's rules for single HTTP statuses come first (`ok.already`, `ok.gone`). For any other status,
        the usual meaning counts. If the status doesn't settle the outcome, the table's rules for the answer's
        content decide.
        """
        ok, status = self.api.ok, answer.status
        asks = request.asks
        outcome = outcome_of_answer(status, answer.headers, answer.body, now)
        if request.opens:
            return outcome._replace(all=outcome.kind is OutcomeKind.REJECTED)
        if status in ok.already and not asks:
            return APPLIED
        if status in ok.gone:
            why = f"it has no such object (it answered {status})"
            return (
                APPLIED
                if request.gone_will_do
                else Outcome(OutcomeKind.REJECTED, why, status=status, gone=True)
            )
        done = outcome.kind is OutcomeKind.APPLIED or status in ok.status
        if (
            (status >= 500 or status in (425, 429))
            and ok.again
            and is_found_and_not_false(found := ok.again.find(self._parse_answer(answer)))
        ):
            return outcome._replace(retry_after=_clamp_wait(found))
        if not done and (outcome.kind is not OutcomeKind.REJECTED or outcome.all):
            return outcome
        page = outcome_of_html_page(status, answer.body) if self.api.answer != "none" else None
        return page or self._outcome_by_content(request, answer, None if done else outcome)

    def _outcome_by_content(self, request: Request, answer: Answer, refusal: Outcome | None) -> Outcome:
        """Return the outcome of a request, judged by the content of its answer.

        `refusal` is the outcome that the answer's status alone gives. It is None if the status means success.
        """
        ok, status, asks = self.api.ok, answer.status, request.asks
        error = graphql_or_jsonrpc_error_key(request.body)
        data = self._parse_answer(answer) if asks or ok.again or ok.error or error else None
        if ok.again and is_found_and_not_false(found := ok.again.find(data)):
            return Outcome(
                OutcomeKind.NOT_SENT, "it asks to be called later", _clamp_wait(found), status=status
            )
        if refusal is not None:
            return refusal
        if ok.status and status not in ok.status and not asks:
            return Outcome(
                OutcomeKind.REJECTED, f"it answered {status}, which ok.status doesn't name", status=status
            )
        if data is None and (asks or ((ok.error or error) and answer.body)):
            return Outcome(
                OutcomeKind.UNKNOWN, f"its answer to {request.words()} can't be read", status=status
            )
        refusals = (
            ok.error.find(data) if ok.error else None,
            data.get(error) if isinstance(data, dict) else None,
        )
        for found in filter(is_found_and_not_false, refusals):
            return Outcome(OutcomeKind.REJECTED, f"it refused it ({_short_text(found)})", status=status)
        return APPLIED

    def token_id(self, request: Request, answer: Answer) -> str:
        """Return the id that the target uses for a token which `request` has created.

        The target's table may say where the answer has this id. If it doesn't, the target uses our own id of
        the token.
        """
        path = self.api.ids.get("create")
        if path is None:
            return request.creates
        if answer.planned:
            return Placeholder(f"<{path.text}>")
        return valid_id(path.find(self._parse_answer(answer)))


def _clamp_wait(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
        return None
    return min(max(float(value), 0.0), 86_400.0)


def _short_text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:_SAID]


def declared_abilities(table: RestTable) -> Supports:
    """Return the abilities that a target's table declares."""
    on, read = table.on, table.read
    results = [told for event in ("result", "undone") if isinstance(told := on.get(event), dict)]
    return Supports(
        hidden=capabilities.templates_mention(on, "hidden", "visible"),
        hp="whole" in on or capabilities.templates_mention(on, "hp", "meter", "meters"),
        statuses="status" in on or capabilities.templates_mention(on, "statuses"),
        turn_order="order" in on or capabilities.templates_mention(on.get("whole", {}), "order"),
        chat="result" in on,
        marks="undone" in on,
        images="picture" in on or capabilities.templates_mention(on, "picture"),
        links=capabilities.uses_links(on),
        create=capabilities.can_create_tokens(on),
        find="id" in read,
        read_results="results" in read,
        read_back="id" in read and bool({"x", "hp", "statuses", "hidden"} & {*read}),
        idempotent=bool(results) and capabilities.are_idempotent(results),
        exhibits="exhibits" in on,
        whole="whole" in on,
    )
