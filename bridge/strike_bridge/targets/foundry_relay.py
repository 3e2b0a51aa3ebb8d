"""Requests to Foundry's relay: paths, world and scene, documents, and outcomes of refusals.

A token's link is its UUID, `Scene.S.Token.T`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from urllib.parse import urlencode

from .answers_and_pixel_grid import tables_in
from .base import Answer, Asking, Outcome, OutcomeKind, Request, Target
from .foundry_documents import (
    UPLOAD,
    FoundryScene,
    actor_uuid_of,
    is_already_so,
    refusal_sentence,
    says_gone,
    scene_and_token_ids,
)

OFFLINE_WAIT = 10.0
"""Seconds until a world that is closed is tried again."""
_MONTHLY_WAIT = 3600.0
CLIENTS = "/clients"
VERSION, SCENE, ACTOR, UNKNOWN = "version", "scene ", "actor ", "unknown "
NO_LIST, WORLD = f"{UNKNOWN}all", "world"
"""Memory keys: the relay's version, the grid of each scene, the actor of each token, the statuses that the
world doesn't know, that the module can look none of them up, and the world in use."""
OLD = (
    "relay 2.x supports moves, HP and turn order, but no new tokens, statuses or chat lines: "
    "upgrade relay and module to 3.x"
)


class FoundryRelay:
    """The part of a target that makes requests to the relay, and knows its version, world and scenes.

    All other parts of the target share it.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self.version = 0
        """The relay's major version; 0: not yet asked for."""
        self.is_new = False
        """Whether the relay was asked for its version since a scene was last put."""
        self._scenes: dict[str, FoundryScene] = {}

    def path_in_world(self, path: str, **query: str) -> str:
        client = self.target.option("client", str) or self.target.memory.get(WORLD, "")
        if client:
            query["clientId"] = client
        return f"{path}?{urlencode(query)}" if query else path

    def update_request(self, uuid: str, data: Mapping[str, object]) -> Request:
        return Request("PUT", self.path_in_world("/update", uuid=uuid), {"data": data})

    def token_change_request(self, uuid: str, data: Mapping[str, object]) -> Request:
        """Return the request that changes a token.

        Relays before version 3 have no request for tokens alone, so the request that changes any document is
        used.
        """
        scene, token = scene_and_token_ids(uuid)
        if self.version < 3:
            return self.update_request(uuid, data)
        body = {"sceneId": scene, "documentId": token, "data": data}
        return Request("PUT", self.path_in_world("/canvas/tokens"), body)

    def find_version_and_only_world(self, *, ask_again: bool = False) -> Asking[None]:
        """Find out the relay's major version, and set `version` to it.

        A version that was found earlier is remembered, and no request is made. If `ask_again` is true, a
        request is made in any case. A request also finds out the open world, which is remembered if it is the
        only one.
        """
        if not self.version and not ask_again:
            self.version = int(self.target.memory.get(VERSION, "0"))
        if not self.version or ask_again:
            answer = yield Request("GET", "/api/status", may_fail=True)
            found = re.match(r"\d+", str(answer.value("version", default="")))
            self.version = int(found[0]) if found else 3
            self.is_new = True
            if not answer.planned:
                self.target.memory[VERSION] = str(self.version)
                yield from self._remember_world_if_only_one()

    def _remember_world_if_only_one(self) -> Asking[None]:
        """Remember the only open world, if the settings name no world.

        If several worlds are open, none is remembered. Without a remembered world, the relay would later use
        any open world, even another campaign's.
        """
        if self.version < 3 or self.target.option("client", str) or WORLD in self.target.memory:
            return
        answer = yield Request("GET", CLIENTS, may_fail=True)
        worlds = [each for each in tables_in(answer.value("clients")) if each.get("isOnline")]
        if len(worlds) == 1:
            self.target.memory[WORLD] = str(worlds[0].get("clientId"))

    def forget_version_scenes_and_tracker(self) -> None:
        """Forget the relay's version, scenes, combat tracker and unknown statuses.

        The next time they are needed, they are read from the relay again.
        """
        self.version = 0
        self._scenes.clear()
        for key in list(self.target.memory):
            if key in (VERSION, "tracker") or key.startswith((SCENE, UNKNOWN)):
                del self.target.memory[key]

    def read_scene(self, id: str = "") -> Asking[FoundryScene]:
        """Return the scene with this id.

        If `id` is "", return the scene that the settings name, or else the active scene.
        """
        if id in self._scenes:
            return self._scenes[id]
        if id and SCENE + id in self.target.memory:
            self._scenes[id] = FoundryScene(**json.loads(self.target.memory[SCENE + id]))
            return self._scenes[id]
        named = id or self.target.option("scene", str)
        by_id = bool(re.fullmatch(r"[A-Za-z0-9]{16}", named))
        if self.version < 3:
            answer = yield Request("GET", self.path_in_world("/get", uuid=f"Scene.{named}"))
        elif named:
            answer = yield Request(
                "GET", self.path_in_world("/scene", **{"sceneId" if by_id else "name": named})
            )
        else:
            answer = yield Request("GET", self.path_in_world("/scene", active="true"))
        doc = answer.value("data")
        if not isinstance(doc, Mapping):  # only shown, not sent
            return FoundryScene(id or "<scene>", "", 0, 0, 100)
        across, down = (int(each) for each in [*self.target.option("origin", list), 0, 0][:2])
        scene = FoundryScene.from_document(doc, (across, down), self.target.option("level", str))
        self._scenes[id] = self._scenes[scene.id] = scene
        self.target.memory[SCENE + scene.id] = json.dumps(scene._asdict())
        return scene

    def read_door_walls(self, scene: FoundryScene) -> Asking[list[Mapping[str, object]]]:
        """Return those walls of a scene that are doors."""
        return [wall for wall in (yield from self.read_walls_or_lights("walls", scene)) if wall.get("door")]

    def read_walls_or_lights(self, kind: str, scene: FoundryScene) -> Asking[list[Mapping[str, object]]]:
        """Return a scene's documents of a kind: "walls" or "lights"."""
        answer = yield Request("GET", self.path_in_world(f"/canvas/{kind}", sceneId=scene.id))
        return tables_in(answer.value("data"))

    def read_actor_uuid(self, token_uuid: str) -> Asking[str]:
        """Return the UUID of a token's actor; "" if it has none."""
        if ACTOR + token_uuid not in self.target.memory:
            scene, token = scene_and_token_ids(token_uuid)
            if self.version < 3:
                answer = yield Request("GET", self.path_in_world("/get", uuid=token_uuid))
                found = answer.value("data")
            else:
                path = self.path_in_world("/canvas/tokens", sceneId=scene, documentId=token)
                answer = yield Request("GET", path)
                found = answer.value("data", 0)
            doc = found if isinstance(found, Mapping) else {"actorId": "<actorId>"} if answer.planned else {}
            self.target.memory[ACTOR + token_uuid] = actor_uuid_of(token_uuid, doc)
        return self.target.memory[ACTOR + token_uuid]

    # Answers

    def outcome_of_special_refusal(self, request: Request, answer: Answer) -> Outcome | None:
        """Return the outcome of a refusal with a special meaning for the relay; None for any other answer.

        A 404 about a client means that the world is closed. Foundry's own refusals have the status 400 and a
        reason in words.
        """
        words = refusal_sentence(answer)
        lowered = words.lower()
        if answer.status == 404 and ("client" in lowered or "connected" in lowered):
            why = "the world is not open in Foundry, or its module is not connected to the relay"
            if WORLD in self.target.memory and not self.target.option("client", str):
                where = self.target.settings.where("options.client")
                why += f" (it is {self.target.memory[WORLD]}; for another see {where})"
            return Outcome(OutcomeKind.NOT_SENT, why, OFFLINE_WAIT, unreachable=True, status=404)
        if answer.status == 429 and "month" in lowered:
            return Outcome(OutcomeKind.NOT_SENT, f"it answered 429 ({words})", _MONTHLY_WAIT, status=429)
        if answer.status == 403 and request.path == CLIENTS:
            return Outcome(OutcomeKind.REJECTED, f"it does not list its worlds ({words})", status=403)
        if answer.status in (403, 413) and request.path.startswith(UPLOAD):
            return Outcome(
                OutcomeKind.REJECTED, f"it does not accept pictures ({words})", status=answer.status
            )
        return self._outcome_of_status_400(request, answer, words) if answer.status == 400 else None

    def _outcome_of_status_400(self, request: Request, answer: Answer, words: str) -> Outcome:
        lowered = words.lower()
        if is_already_so(answer) or (request.gone_will_do and says_gone(lowered)):
            return Outcome(OutcomeKind.APPLIED, status=400)
        if "clientid" in lowered:
            worlds = answer.value("connectedClients")
            which = f" ({', '.join(map(str, worlds))})" if worlds and isinstance(worlds, list) else ""
            where = self.target.settings.where("options.client")
            return Outcome(OutcomeKind.REJECTED, f"say which world{which}: {where}", all=True, status=400)
        if "scene not found" in lowered or "no active scene" in lowered:
            where = self.target.settings.where("options.scene")
            why = f"{words}: activate one in Foundry, or name one in {where}"
            return Outcome(OutcomeKind.REJECTED, why, all=True, status=400)
        if says_gone(lowered):
            why = f"it no longer has such a token ({words}): link it again"
            return Outcome(OutcomeKind.REJECTED, why, status=400, gone=True)
        return Outcome(OutcomeKind.REJECTED, f"it answered 400 ({words})", status=400)
