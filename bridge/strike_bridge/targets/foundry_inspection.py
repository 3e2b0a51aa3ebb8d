"""Reads a Foundry world: its tokens, the login, and the doctor's checks.

Nothing in the world is changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from strike_cli.problems import BridgeProblem

from ..address import origin_of
from .answers_and_pixel_grid import tables_in, value_at_path_of_keys
from .base import (
    Answer,
    Asking,
    Finding,
    ListedToken,
    Outcome,
    Request,
    TabletopValues,
    Wire,
    value_for_token,
)
from .foundry_documents import (
    FLAG,
    UPLOAD,
    FoundryScene,
    actor_uuid_of,
    as_sentence,
    our_id,
    refusal_sentence,
    scene_and_token_ids,
    status_effects,
)
from .foundry_relay import OLD, FoundryRelay
from .foundry_statuses import FoundryStatuses
from .foundry_walls_doors_lights import FoundryWallsAndLights

if TYPE_CHECKING:
    from ..payloads import ReadToken


SCOPES = (
    "clients:read", "entity:read", "entity:write", "scene:read", "canvas:read", "canvas:write", "chat:read",
    "chat:write", "effects:read", "effects:write", "encounter:read", "encounter:manage", "file:write",
)  # fmt: skip
LOGIN_POLL = 3.0
"""Seconds between two checks whether a key was approved."""
_LOGIN_FAILURES = {
    "denied": "the key was refused",
    "expired": "nobody approved in time",
    "exchanged": "the key was granted and issued already",
}
_SCOPE_REQUESTS = (
    ("entity:read", "GET", "/get"), ("entity:write", "PUT", "/update"), ("scene:read", "GET", "/scene"),
    ("canvas:read", "GET", "/canvas/x"), ("canvas:write", "PUT", "/canvas/x"), ("chat:read", "GET", "/chat"),
    ("chat:write", "POST", "/chat"), ("effects:read", "GET", "/effects"),
    ("effects:write", "POST", "/effects"), ("encounter:read", "GET", "/encounters"),
    ("encounter:manage", "POST", "/add-to-encounter"), ("file:write", "POST", UPLOAD),
)  # fmt: skip
"""Each scope, and a request without its parameters that needs it."""


class FoundryInspection:
    """The part of the target that reads Foundry's world and reports on it."""

    def __init__(self, relay: FoundryRelay, statuses: FoundryStatuses, ground: FoundryWallsAndLights) -> None:
        self._relay = relay
        self._target = relay.target
        self._statuses = statuses
        self._ground = ground

    def list_all_tokens(self, wire: Wire) -> list[ListedToken] | Outcome:
        """Return the scene's tokens."""
        found = self._target.run_conversation(wire, self._read_scene_and_tokens())
        if isinstance(found, Outcome):
            return found
        scene, tokens = found
        return [
            ListedToken(
                f"Scene.{scene.id}.Token.{each.get('_id')}",
                str(each.get("name", "")),
                our_id(each),
                made=bool(value_at_path_of_keys(each, f"flags.{FLAG}.made")),
            )
            for each in tokens
        ]

    def _read_scene_and_tokens(self) -> Asking[tuple[FoundryScene, list[Mapping[str, object]]]]:
        yield from self._relay.find_version_and_only_world()
        if self._relay.version < 3 and not self._target.option("scene", str):
            return FoundryScene("", "", 0, 0, 100), []  # it can't say which one is active
        scene = yield from self._relay.read_scene()
        if self._relay.version < 3:
            answer = yield Request("GET", self._relay.path_in_world("/get", uuid=f"Scene.{scene.id}"))
            return scene, tables_in(answer.value("data", "tokens"))
        answer = yield Request("GET", self._relay.path_in_world("/canvas/tokens", sceneId=scene.id))
        return scene, tables_in(answer.value("data"))

    def read_our_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Return what Foundry shows of our tokens, by our ids; or the outcome, if reading fails.

        Our tokens are those that are linked or carry our id. Name and size are only read for tokens that the
        bridge created.
        """
        return self._target.run_conversation(wire, self._read_tokens())

    def _read_tokens(self) -> Asking[dict[str, ReadToken]]:
        scene, tokens = yield from self._read_scene_and_tokens()
        by_uuid = {uuid: id for id, uuid in self._target.links.items()}
        found = {}
        for doc in tokens:
            uuid = f"Scene.{scene.id}.Token.{doc.get('_id')}"
            id = by_uuid.get(uuid) or our_id(doc)
            # A copy that somebody made of one of ours bears its id too.
            if id and (uuid in by_uuid or id not in self._target.links):
                found[id] = yield from self._read_token(
                    scene, uuid, doc, created_by_bridge=id in self._target.created_ids
                )
        return found

    def _read_token(
        self, scene: FoundryScene, uuid: str, doc: Mapping[str, object], *, created_by_bridge: bool
    ) -> Asking[ReadToken]:
        shown: ReadToken = {"hidden": bool(doc.get("hidden"))}
        if not shown["hidden"] or doc.get("x") is not None:
            shown["position"] = scene.square_with_nearest_corner(*_pixel_position(doc))
        if created_by_bridge:
            shown |= {"name": doc.get("name"), "size": doc.get("width")}
        actor = actor_uuid_of(uuid, doc)
        if not actor:
            return shown
        answer = yield Request("GET", self._relay.path_in_world("/get", uuid=actor))
        value = value_at_path_of_keys(answer.value("data"), self._target.attributes.get("hp", ""))
        most = value_at_path_of_keys(answer.value("data"), self._target.attributes.get("max_hp", ""))
        if value is not None and most is not None:
            shown["hp"] = {"value": value, "max": most}
        if self._relay.version >= 3 and self._target.options["effects"] == "all":
            answer = yield Request("GET", self._relay.path_in_world("/effects", uuid=uuid))
            shown["statuses"] = self._statuses.our_status_names(status_effects(answer))
        return shown

    def read_values(self, wire: Wire) -> TabletopValues | Outcome:
        """Return the positions of our tokens, the ids of deleted tokens, and the states of doors.

        Positions take one request. If strike knows doors in the scene, their states take another. HP are read
        too if the settings let strike take them over from Foundry; each token then takes one more request.
        """
        return self._target.run_conversation(wire, self._read_tokens_and_doors())

    def _read_tokens_and_doors(self) -> Asking[TabletopValues]:
        scene, docs = yield from self._read_scene_and_tokens()
        by_uuid = {f"Scene.{scene.id}.Token.{doc.get('_id')}": doc for doc in docs}
        here = {
            id: uuid for id, uuid in self._target.links.items() if scene_and_token_ids(uuid)[0] == scene.id
        }
        found: dict[str, ReadToken] = {}
        for id, uuid in here.items():
            doc = by_uuid.get(uuid)
            if doc is None:
                continue
            found[id] = {"position": scene.square_with_nearest_corner(*_pixel_position(doc))}
            actor = actor_uuid_of(uuid, doc) if self._target.settings.pull != "moves" else ""
            if actor and "hp" in self._target.attributes:
                answer = yield Request("GET", self._relay.path_in_world("/get", uuid=actor))
                found[id]["hp"] = {
                    "value": value_at_path_of_keys(answer.value("data"), self._target.attributes["hp"])
                }
        doors = yield from self._ground.read_door_states(scene)
        in_walls = {int(which): opened for which, opened in doors.items() if which.isdigit()}
        in_squares = {which: opened for which, opened in doors.items() if not which.isdigit()}
        return TabletopValues(found, [id for id in here if id not in found], in_walls, in_squares)

    # Login and checks

    def obtain_key(self, wire: Wire, tell: Callable[[str], None]) -> str:
        """Request a key from the relay, and wait until somebody approves the request.

        Raises BridgeProblem if the relay can't take the request, or if it is refused or not approved in time.
        """
        name = self._target.name
        wanted = {"appName": f"strike ({name})", "scopes": list(SCOPES)}
        answer = self._target.send_question(wire, Request("POST", "/auth/key-request", wanted))
        if isinstance(answer, Outcome):
            raise BridgeProblem(f"{name}: {answer.why}.", "Relay 2.x has no login: enter its key by hand.")
        code, lasts = answer.value("code"), answer.value("expiresIn")
        seconds = float(lasts) if isinstance(lasts, int | float | str) else 600.0
        for line in self._approval_instructions(str(answer.value("approvalUrl", default="")), str(code)):
            tell(line)
        until = time.monotonic() + seconds
        ended = "expired"
        while time.monotonic() < until:
            answer = wire.send(Request("GET", f"/auth/key-request/{code}/status"))
            status = answer.value("status") if isinstance(answer, Answer) else "pending"
            if status == "approved" and isinstance(answer, Answer) and answer.value("apiKey"):
                return str(answer.value("apiKey"))
            if status in _LOGIN_FAILURES:
                ended = status
                break
            time.sleep(LOGIN_POLL)
        raise BridgeProblem(f"{name}: {_LOGIN_FAILURES[ended]}.", f"`strike bridge login {name}` again.")

    def _approval_instructions(self, named_page: str, code: str) -> Iterator[str]:
        """Yield instructions that say on which web page to approve a key.

        `named_page` is the page that the relay names. If it is on the relay's own site, it is the page to
        open. If it is on another site, the instructions say to open the same page at the relay's own address.
        They also mention the named page. The reason: a self-hosted relay that doesn't know its own address
        names the public site.
        """
        try:
            theirs, parts = origin_of(named_page), urlsplit(named_page)
        except ValueError:
            yield f"Open {self._target.address} and approve {code}."
            return
        named_page = "".join(filter(str.isprintable, named_page))
        if theirs == origin_of(self._target.address):
            yield f"Open {named_page} and approve {code}."
            return
        query = f"?{parts.query}" if parts.query else ""
        yield f"Open {origin_of(self._target.address)}{parts.path}{query} and approve {code}."
        yield f"That page is your own relay's. The relay itself names {named_page}."

    def findings_on_world(self, wire: Wire) -> Iterator[Finding]:
        """Yield findings on the relay, the world, the key's scopes, and the scene with its tokens."""
        stopped = self._target.run_conversation(wire, self._relay.find_version_and_only_world(ask_again=True))
        if isinstance(stopped, Outcome):
            yield Finding(as_sentence(stopped.why), False)
            return
        if self._relay.version < 3:
            yield Finding(as_sentence(OLD), False)
        else:
            missing = self._missing_scopes(wire)
            if missing:
                remedy = f"`strike bridge login {self._target.name}` asks for all of them."
                yield Finding(f"The key lacks scopes: {', '.join(missing)}.", False, remedy)
            else:
                yield Finding("The key has all required scopes.")
        found = self._target.run_conversation(wire, self._read_scene_and_tokens())
        if isinstance(found, Outcome):
            yield Finding(as_sentence(found.why), False, self._target.remedy(found))
            return
        scene, tokens = found
        if scene.id:
            yield Finding(f"The scene is {scene.name or scene.id}, with squares of {scene.size} pixels.")
        else:
            remedy = f"Set `scene` in [bridge.targets.{self._target.name}] to the scene's id."
            yield Finding("The relay can't say which scene is active.", False, remedy)
        yield from self._report_tokens_without_actor(
            [each for each in tokens if our_id(each) and not each.get("actorId")]
        )

    def _report_tokens_without_actor(self, without_actor: list[Mapping[str, object]]) -> Iterator[Finding]:
        """Yield findings on our tokens that have no actor, and say how each can be given one."""
        where, sync = (
            self._target.settings.where("options.actors"),
            f"`strike bridge sync {self._target.name}`",
        )
        remedies: dict[str, list[str]] = {}
        for each in without_actor:
            if not value_at_path_of_keys(each, f"flags.{FLAG}.made"):
                remedy = "You placed them: give them an actor in the token's settings in Foundry."
            elif value_for_token(self._target.option("actors", dict), our_id(each)):
                remedy = f"{sync} gives them the actors named in {where}."
            else:
                remedy = f"Name their actors in {where}, then {sync}."
            remedies.setdefault(remedy, []).append(str(each.get("name")))
        for remedy, names in remedies.items():
            said = f"Without an actor, so without HP and statuses: {', '.join(names)}."
            yield Finding(said, False, remedy)

    def _missing_scopes(self, wire: Wire) -> list[str]:
        """Return the scopes that the key lacks, found by requests that change nothing.

        Each request leaves out its parameters and the world. The relay checks the scope first, so it refuses
        for a missing scope before it refuses for a missing parameter.
        """
        missing = []
        for scope, method, path in _SCOPE_REQUESTS:
            answer = wire.send(Request(method, path, None if method == "GET" else {}))
            if isinstance(answer, Answer) and answer.status == 403 and "scope" in refusal_sentence(answer):
                missing.append(scope)
        return missing


def _pixel_position(doc: Mapping[str, object]) -> tuple[float, float]:
    return cast("float", doc.get("x") or 0), cast("float", doc.get("y") or 0)
