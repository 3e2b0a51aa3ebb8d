"""Foundry VTT through its relay: settings, paths, documents, and what an answer means.

A link is a token's UUID, `Scene.S.Token.T`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

from .base import Answer, Asking, Option, Outcome, OutcomeKind, Payload, Request, Supports, Target
from .foundry_documents import (
    UPLOAD,
    FoundryScene,
    actor_of,
    is_already_so,
    is_anothers,
    is_gone,
    items,
    parts,
    said,
)

_OFFLINE_WAIT = 10.0
_MONTHLY_WAIT = 3600.0
OWN_EFFECT = "strike-"
CLIENTS = "/clients"
VERSION, SCENE, ACTOR, DOORS, UNKNOWN = "version", "scene ", "actor ", "doors", "unknown "
NO_LIST, BUILT, WORLD = f"{UNKNOWN}all", "built ", "world"
"""What is remembered: the relay's version, where a scene's squares are, whose actor a token's is, which
walls are our doors (by number, or by the square they fill), which statuses the world doesn't know, whether
the module can look none of them up, which scenes were given our walls and lights in this fight, and which
world it is told to."""
OLD = (
    "relay 2.x takes moves, HP and turn order, but no new tokens, statuses or chat lines: "
    "upgrade relay and module to 3.x"
)


class FoundryWorld(Target):
    """What all the rest stands on: where to ask, for which document, and what an answer means."""

    supports = Supports(
        units="pixels", hidden=True, hp=True, statuses=True, turn_order=True, chat=True, marks=True,
        images=True, links=True, create=True, find=True, read_back=True, read_results=True, asked=True,
    )  # fmt: skip
    default_url = "https://foundryrestapi.com"
    default_audience = "gm"
    default_preset = "plain"
    # The relay waits ten seconds for Foundry, for tokens, walls and lights thirty, then answers 408; Foundry
    # goes on with what it was asked.
    late = (15.0, 30.0, 45.0)
    gathers = 10
    key_variable = "STRIKE_FOUNDRY_KEY"
    PRESETS = "foundry.toml"
    OPTIONS: ClassVar = {
        "client": Option(str, "", "The client id of the world, where several are connected."),
        "scene": Option(str, "", "The scene, by id or name; the active one without it."),
        "origin": Option(list, [0, 0], "The square of the scene that A1 lies on, as [across, down] from 0."),
        "level": Option(str, "", "The level for new tokens, by id or name; the one that the scene opens on."),
        "actors": Option(dict, {}, "Actors of tokens we make: our id, with or without number, to theirs."),
        "players": Option(dict, {}, "Players who answer there: our characters' ids to users, by id or name."),
        "effects": Option(str, "all", "Which statuses to show: those that are not mapped too, or not.",
                          ("all", "mapped", "none")),
        "walls": Option(bool, False, "Whether a scene without walls or lights is given the map's."),
        "animate": Option(bool, True, "Whether tokens glide to where they move."),
        "gather": Option(int, 30, "Seconds that a result without dice may wait for what comes next."),
        "alias": Option(str, "Strike!", "The speaker in the chat."),
    }  # fmt: skip

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._version = 0
        """The relay's first number; 0: not yet asked for."""
        self._scenes: dict[str, FoundryScene] = {}
        self._models: dict[str, dict[str, object]] = {}
        """What tokens of an actor look like, by the actor's id."""
        self._is_new = False
        """Whether what is remembered of the relay was asked for just now."""
        self._uploaded: dict[str, str] = {}
        """Where a picture is in Foundry's data, by hash."""

    def headers(self) -> dict[str, str]:
        """The key, as the relay wants it."""
        return {"x-api-key": self.key}

    # Paths and ids

    def _path(self, path: str, **query: str) -> str:
        client = self.options["client"] or self.memory.get(WORLD, "")
        if client:
            query["clientId"] = client
        return f"{path}?{urlencode(query)}" if query else path

    def _update(self, uuid: str, data: Payload) -> Request:
        return Request("PUT", self._path("/update", uuid=uuid), {"data": data})

    def _change(self, uuid: str, data: Payload) -> Request:
        """Change a token. Relay 2.x knows tokens as documents like any other."""
        scene, token = parts(uuid)
        if self._version < 3:
            return self._update(uuid, data)
        body = {"sceneId": scene, "documentId": token, "data": data}
        return Request("PUT", self._path("/canvas/tokens"), body)

    def token_id(self, request: Request, answer: Answer) -> str:
        """The UUID of a token that was made."""
        scene, token = answer.value("sceneId", default=""), answer.value("data", 0, "_id", default="")
        return f"Scene.{scene}.Token.{token}" if scene and token else ""

    # What has to be known first

    def _begin(self, *, anew: bool = False) -> Asking[None]:
        """The relay's version, asked for once a scene."""
        if not self._version and not anew:
            self._version = int(self.memory.get(VERSION, "0"))
        if not self._version or anew:
            answer = yield Request("GET", "/api/status", may_fail=True)
            found = re.match(r"\d+", str(answer.value("version", default="")))
            self._version = int(found[0]) if found else 3
            self._is_new = True
            if not answer.planned:
                self.memory[VERSION] = str(self._version)
                yield from self._know_world()

    def _know_world(self) -> Asking[None]:
        """Which world it is, where settings name none and one alone is open: later the relay would take
        whichever is open then, though it be another campaign's."""
        if self._version < 3 or self.options["client"] or WORLD in self.memory:
            return
        answer = yield Request("GET", CLIENTS, may_fail=True)
        worlds = [each for each in items(answer.value("clients")) if each.get("isOnline")]
        if len(worlds) == 1:
            self.memory[WORLD] = str(worlds[0].get("clientId"))

    def _forget(self) -> None:
        """What is remembered of relay and scenes, so that it is asked for again."""
        self._version = 0
        self._scenes.clear()
        for key in list(self.memory):
            if key in (VERSION, "tracker") or key.startswith((SCENE, UNKNOWN)):
                del self.memory[key]

    def _scene(self, id: str = "") -> Asking[FoundryScene]:
        """A scene by its id, or else the one that settings name, or the active one."""
        if id in self._scenes:
            return self._scenes[id]
        if id and SCENE + id in self.memory:
            self._scenes[id] = FoundryScene(**json.loads(self.memory[SCENE + id]))
            return self._scenes[id]
        named = id or self.options["scene"]
        by_id = bool(re.fullmatch(r"[A-Za-z0-9]{16}", named))
        if self._version < 3:
            answer = yield Request("GET", self._path("/get", uuid=f"Scene.{named}"))
        elif named:
            answer = yield Request("GET", self._path("/scene", **{"sceneId" if by_id else "name": named}))
        else:
            answer = yield Request("GET", self._path("/scene", active="true"))
        doc = answer.value("data")
        if not isinstance(doc, Mapping):  # only shown, not sent
            return FoundryScene(id or "<scene>", "", 0, 0, 100)
        across, down = (int(each) for each in [*self.options["origin"], 0, 0][:2])
        scene = FoundryScene.of(doc, (across, down), self.options["level"])
        self._scenes[id] = self._scenes[scene.id] = scene
        self.memory[SCENE + scene.id] = json.dumps(scene._asdict())
        return scene

    def _walls(self, scene: FoundryScene) -> Asking[list[Mapping[str, object]]]:
        """The walls of a scene that are doors."""
        return [wall for wall in (yield from self._drawn("walls", scene)) if wall.get("door")]

    def _drawn(self, kind: str, scene: FoundryScene) -> Asking[list[Mapping[str, object]]]:
        """All the `walls` or `lights` of a scene."""
        answer = yield Request("GET", self._path(f"/canvas/{kind}", sceneId=scene.id))
        return items(answer.value("data"))

    def _token(self, uuid: str) -> Asking[Mapping[str, object]]:
        """A token's document."""
        scene, token = parts(uuid)
        if self._version < 3:
            answer = yield Request("GET", self._path("/get", uuid=uuid))
            doc = answer.value("data")
        else:
            path = self._path("/canvas/tokens", sceneId=scene, documentId=token)
            answer = yield Request("GET", path)
            doc = answer.value("data", 0)
        return doc if isinstance(doc, Mapping) else {"actorId": "<actorId>"} if answer.planned else {}

    def _actor(self, uuid: str) -> Asking[str]:
        """The UUID of a token's actor, empty where it has none."""
        if ACTOR + uuid not in self.memory:
            doc = yield from self._token(uuid)
            self.memory[ACTOR + uuid] = actor_of(uuid, doc)
        return self.memory[ACTOR + uuid]

    def numbers(self, token: Payload, *, as_players: bool = False) -> dict[str, int]:
        """Never below 0, which is where Foundry's game systems end."""
        found = super().numbers(token, as_players=as_players)
        return {place: max(0, value) for place, value in found.items()}

    def told_number(self, token: Payload) -> int | None:
        """Of enemies, too: their number stands on the actor."""
        if not token["meters"]:
            return None
        first = token["meters"][0]
        value = (first["gm"] or first)["value"]
        in_parts = first["shown"] == "bar" and not first["gm"]
        return value if isinstance(value, int) and not in_parts else None

    # What it answers

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """What the relay means: Foundry's own refusals are 400 with a sentence, a closed world 404."""
        words = said(answer)
        lowered = words.lower()
        if answer.status == 404 and ("client" in lowered or "connected" in lowered):
            why = "the world is not open in Foundry, or its module is not connected to the relay"
            if WORLD in self.memory and not self.options["client"]:
                where = self.settings.where("options.client")
                why += f" (it is {self.memory[WORLD]}; for another see {where})"
            return Outcome(OutcomeKind.NOT_SENT, why, _OFFLINE_WAIT, unreachable=True, status=404)
        if answer.status == 429 and "month" in lowered:
            return Outcome(OutcomeKind.NOT_SENT, f"it answered 429 ({words})", _MONTHLY_WAIT, status=429)
        if answer.status == 403 and request.path == CLIENTS:
            return Outcome(
                OutcomeKind.REJECTED, f"it does not say which worlds there are ({words})", status=403
            )
        if answer.status in (403, 413) and request.path.startswith(UPLOAD):
            return Outcome(OutcomeKind.REJECTED, f"it takes no picture ({words})", status=answer.status)
        if answer.status == 400:
            return self._refused(request, answer, words)
        outcome = super().outcome(request, answer, now)
        if outcome.kind is OutcomeKind.APPLIED and not isinstance(answer.json(), Mapping):
            return Outcome(OutcomeKind.UNKNOWN, "its answer can't be understood", status=answer.status)
        return outcome

    def is_anothers(self, request: Request, answer: Answer) -> bool:
        """By the UUID or the id of the document, our own id on a token, or a message's number."""
        return is_anothers(request, answer)

    def remedy(self, outcome: Outcome) -> str:
        """A 404 says here that the world is closed."""
        if outcome.unreachable and outcome.status == 404:
            return "Open the world in Foundry as game master."
        return super().remedy(outcome)

    def _refused(self, request: Request, answer: Answer, words: str) -> Outcome:
        lowered = words.lower()
        if is_already_so(answer) or (request.gone_will_do and is_gone(lowered)):
            return Outcome(OutcomeKind.APPLIED, status=400)
        if "clientid" in lowered:
            worlds = answer.value("connectedClients", default=[])
            which = f" ({', '.join(map(str, worlds))})" if worlds else ""
            where = self.settings.where("options.client")
            return Outcome(OutcomeKind.REJECTED, f"say which world{which}: {where}", all=True, status=400)
        if "scene not found" in lowered or "no active scene" in lowered:
            why = f"{words}: activate one in Foundry, or name one in {self.settings.where('options.scene')}"
            return Outcome(OutcomeKind.REJECTED, why, all=True, status=400)
        if is_gone(lowered):
            why = f"it has no such token any more ({words}): link it again"
            return Outcome(OutcomeKind.REJECTED, why, status=400, gone=True)
        return Outcome(OutcomeKind.REJECTED, f"it answered 400 ({words})", status=400)
