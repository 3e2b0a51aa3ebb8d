"""Foundry VTT behind the REST relay, 3.x and the older 2.x: worlds with scenes, tokens, actors and combats.

Shapes, error texts and traps are those of the real ones: an error in Foundry is a 400 with a sentence, a
world that is closed a 404.
"""

from __future__ import annotations

import base64
import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from .base import Call, Reply, Server

KEY = "f0" * 32
Doc = dict[str, Any]

SCOPES = [
    "entity:read", "entity:write", "encounter:read", "encounter:manage", "scene:read", "canvas:read",
    "canvas:write", "chat:read", "chat:write", "effects:read", "effects:write", "clients:read",
    "file:write",
]  # fmt: skip

# Method and path to what the relay calls it, and the scope that a key needs for it.
ROUTES = {
    ("GET", "/get"): ("entity", "entity:read"),
    ("PUT", "/update"): ("update", "entity:write"),
    ("DELETE", "/delete"): ("delete", "entity:write"),
    ("GET", "/players"): ("players", "entity:read"),
    ("GET", "/encounters"): ("encounters", "encounter:read"),
    ("POST", "/start-encounter"): ("start-encounter", "encounter:manage"),
    ("POST", "/add-to-encounter"): ("add-to-encounter", "encounter:manage"),
    ("GET", "/scene"): ("get-scene", "scene:read"),
    ("GET", "/canvas/tokens"): ("get-canvas-documents", "canvas:read"),
    ("POST", "/canvas/tokens"): ("create-canvas-document", "canvas:write"),
    ("PUT", "/canvas/tokens"): ("update-canvas-document", "canvas:write"),
    ("DELETE", "/canvas/tokens"): ("delete-canvas-document", "canvas:write"),
    ("GET", "/canvas/walls"): ("get-walls", "canvas:read"),
    ("PUT", "/canvas/walls"): ("update-wall", "canvas:write"),
    ("POST", "/canvas/walls"): ("draw", "canvas:write"),
    ("GET", "/canvas/lights"): ("get-lights", "canvas:read"),
    ("POST", "/canvas/lights"): ("draw", "canvas:write"),
    ("POST", "/move-token"): ("move-token", "canvas:write"),
    ("GET", "/chat"): ("chat-messages", "chat:read"),
    ("POST", "/chat"): ("chat-send", "chat:write"),
    ("GET", "/effects"): ("get-effects", "effects:read"),
    ("POST", "/effects"): ("add-effect", "effects:write"),
    ("DELETE", "/effects"): ("remove-effect", "effects:write"),
    ("POST", "/create"): ("create", "entity:write"),
    ("POST", "/upload"): ("upload-file", "file:write"),
}
ONLY_IN_3 = ("/scene", "/canvas/", "/move-token", "/chat", "/effects")
NEEDED = {
    "entity": "uuid", "update": "data", "get-scene": "active", "create-canvas-document": "data",
    "update-canvas-document": "documentId", "delete-canvas-document": "documentId", "move-token": "x",
    "chat-send": "content", "get-effects": "uuid", "add-effect": "uuid", "remove-effect": "uuid",
    "upload-file": "path", "create": "entityType",
}  # fmt: skip
"""A parameter that a request must have; a scene may be named in other ways too."""


class FoundryError(Exception):
    """What Foundry itself says no to."""


class World:
    """One world that somebody has open."""

    def __init__(self, client: str = "fvtt_ford", system: str = "worldbuilding") -> None:
        self.client, self.system, self.online = client, system, True
        self.keeps_ids = True
        self.walls: list[Doc] = []
        self.lights: list[Doc] = []
        self.ways: list[list[Doc]] = []
        """The waypoints of every move."""
        self.scenes: dict[str, Doc] = {}
        self.tokens: dict[str, dict[str, Doc]] = {}
        self.actors: dict[str, Doc] = {}
        self.of_tokens: dict[str, Doc] = {}
        """The actors that tokens without a link have to themselves, by token."""
        self.combats: dict[str, Doc] = {}
        self.messages: list[Doc] = []
        self.files: dict[str, bytes] = {}
        self.users = [
            {"id": "userGamemaster00", "name": "Gamemaster", "role": 4, "isGM": True, "active": True},
            {"id": "userPlayer000000", "name": "Pia", "role": 1, "isGM": False, "active": True},
        ]
        self.statuses = ["dead", "prone", "stun", "blind", "invisible", "restrain", "fly"]
        self.lists_statuses = True
        """False: a game system for Foundry 14 keeps them in a table, which the module takes for a list."""
        self._count = 0
        self.add_scene("sceneFord0000000", "The Ford")

    def id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count:0{16 - len(kind)}}"

    # Setting the world up

    def add_scene(self, id: str, name: str, *, active: bool = True, **given: Any) -> Doc:
        for scene in self.scenes.values():
            scene["active"] = scene["active"] and not active
        grid = {"type": 1, "size": 100, "distance": 5, "units": "ft"}
        scene = {
            "_id": id, "name": name, "active": active, "width": 1010, "height": 830, "padding": 0.25,
            "background": {"src": None, "offsetX": 0, "offsetY": 0}, "grid": grid, "flags": {}, **given,
        }  # fmt: skip
        self.scenes[id], self.tokens[id] = scene, {}
        return scene

    def add_actor(self, name: str, **system: Any) -> str:
        id = self.id("actor")
        self.actors[id] = {"_id": id, "name": name, "system": system, "effects": []}
        return id

    def add_token(self, scene: str, **given: Any) -> Doc:
        token = {
            "name": "", "x": 0, "y": 0, "hidden": False, "actorId": None, "actorLink": False, "width": 1,
            "height": 1, "disposition": -1, "texture": {"src": "icons/svg/mystery-man.svg"}, "flags": {},
        }  # fmt: skip
        merge(token, given)
        token["_id"] = self.id("token")
        self.give_actor(token)
        self.tokens[scene][token["_id"]] = token
        return token

    def give_actor(self, token: Doc) -> None:
        """A token without a link has its actor to itself: a copy."""
        actor = self.actors.get(token["actorId"])
        known = self.of_tokens.get(token["_id"], {}).get("_id")
        if actor is not None and not token["actorLink"] and known != actor["_id"]:
            self.of_tokens[token["_id"]] = copy.deepcopy(actor)
            merge(self.of_tokens[token["_id"]], token.get("delta", {}))

    # Looking at it

    @property
    def scene(self) -> Doc | None:
        return next((scene for scene in self.scenes.values() if scene["active"]), None)

    def named(self, name: str) -> Doc:
        """The one token of a name, wherever it is."""
        [token] = [token for each in self.tokens.values() for token in each.values() if token["name"] == name]
        return token

    def actor_of(self, token: Doc) -> Doc | None:
        return self.actors.get(token["actorId"]) if token["actorLink"] else self.of_tokens.get(token["_id"])

    def statuses_of(self, name: str) -> list[str]:
        """Every effect's statuses, twice where it is there twice."""
        actor = self.actor_of(self.named(name))
        return sorted(
            status for effect in (actor or {"effects": []})["effects"] for status in effect["statuses"]
        )

    def turns(self) -> list[tuple[str, float | None]]:
        """The combat tracker as people see it: name and initiative from the top."""
        combat = self.current
        return [(each["name"], each["initiative"]) for each in in_turns(combat)] if combat else []

    @property
    def current(self) -> Doc | None:
        return next((combat for combat in self.combats.values() if combat["active"]), None)

    def by_uuid(self, uuid: str) -> tuple[str, Doc] | None:
        """What `fromUuid` finds: the kind of document, and the document."""
        parts = uuid.split(".")
        found: tuple[str, Doc | None] = ("", None)
        match parts:
            case ["Scene", scene]:
                found = "Scene", self.scenes.get(scene)
            case ["Scene", scene, "Token", token]:
                found = "Token", self.tokens.get(scene, {}).get(token)
            case ["Scene", scene, "Token", token, "Actor", actor]:
                doc = self.tokens.get(scene, {}).get(token)
                found = "Actor", self.actor_of(doc) if doc and doc["actorId"] == actor else None
            case ["Actor", actor]:
                found = "Actor", self.actors.get(actor)
            case ["ChatMessage", id]:
                found = "ChatMessage", next((each for each in self.messages if each["id"] == id), None)
            case ["Combat", combat]:
                found = "Combat", self.combats.get(combat)
            case ["Combat", combat, "Combatant", who]:
                inside = self.combats.get(combat, {}).get("combatants", [])
                found = "Combatant", next((each for each in inside if each["id"] == who), None)
        return (found[0], found[1]) if found[1] is not None else None


def in_turns(combat: Doc) -> list[Doc]:
    """Combatants in the order of their turns: the highest initiative first, none last."""

    def place(each: Doc) -> tuple[float, str]:
        initiative = each["initiative"]
        return (-initiative if initiative is not None else float("inf")), each["id"]

    return sorted(combat["combatants"], key=place)


def merge(doc: Doc, data: Doc) -> None:
    """Update a document as Foundry does: `a.b` is b in a, and tables are merged."""
    for key, value in data.items():
        first, _, rest = key.partition(".")
        if rest:
            inner = doc.setdefault(first, {})
            merge(inner, {rest: value})
        elif isinstance(value, dict) and isinstance(doc.get(key), dict):
            merge(doc[key], value)
        else:
            doc[key] = copy.deepcopy(value)


def origin(scene: Doc) -> tuple[int, int]:
    """Where the scene's picture begins, in pixels: padding lies around it, in whole squares."""
    size = scene["grid"]["size"]
    left, top = (-(-scene["padding"] * scene[side] // size) * size for side in ("width", "height"))
    return int(left - scene["background"]["offsetX"]), int(top - scene["background"]["offsetY"])


class BadFoundry(Server):
    """A relay and the worlds that are connected to it."""

    def __init__(self, version: str = "3.4.1") -> None:
        super().__init__()
        self.version = version
        self.worlds = [World()]
        self.keys: dict[str, list[str]] = {KEY: list(SCOPES)}
        self.requests: dict[str, Doc] = {}
        self.approval_url = "https://relay.example/approve/"
        """Where a login is approved: the public site, unless a relay was told its own address."""

    @property
    def world(self) -> World:
        return self.worlds[0]

    # The relay

    def refusal(self, call: Call) -> Reply | None:
        if call.path == "/api/status" or call.path.startswith("/auth/"):
            return None
        key = call.headers.get("x-api-key", "")
        if key not in self.keys:
            return Reply(401, {"error": "Invalid API key" if key else "API key is required"})
        client = call.query.get("clientId")
        if client and client not in [world.client for world in self.worlds if world.online]:
            return Reply(404, {"error": "Invalid client ID"})  # before it looks at scopes
        route = self._route(call)
        if route is None:
            return Reply(404, f"<pre>Cannot {call.method} {call.path}</pre>")
        if self.version.startswith("3") and route[1] not in self.keys[key]:
            return Reply(403, {"error": f"API key lacks required scope: {route[1]}"})
        return None

    def _route(self, call: Call) -> tuple[str, str] | None:
        if self.version.startswith("2") and call.path.startswith(ONLY_IN_3):
            return None
        if (call.method, call.path) == ("GET", "/clients"):
            return "clients", "clients:read"
        path = re.sub(r"^/canvas/(?!walls|lights).*", "/canvas/tokens", call.path)
        return ROUTES.get((call.method, path))

    def respond(self, call: Call) -> Reply:
        if call.path == "/api/status":
            return Reply(200, {"status": "ok", "version": self.version, "websocket": "/relay"})
        if call.path.startswith("/auth/key-request"):
            return self._key_request(call)
        route = self._route(call)
        assert route is not None
        if route[0] == "clients":
            return Reply(200, self._clients())
        needed = NEEDED.get(route[0], "")
        named = {**call.query, **(call.body or {})}
        if needed and needed not in named and not (needed == "active" and named.keys() & {"sceneId", "name"}):
            return Reply(400, {"error": f"'{needed}' is required"})
        if call.path.startswith("/canvas/") and not isinstance(named.get("data", {}), dict):
            return Reply(400, {"error": "'data' must be an object"})
        if call.path.startswith("/canvas/") and call.path[8:] not in ("tokens", "walls", "lights"):
            return Reply(400, {"error": "Invalid documentType."})
        found = self._world(call)
        return found if isinstance(found, Reply) else self._pass_on(route[0], found, call)

    def _clients(self) -> Doc:
        known = [
            {"clientId": world.client, "worldTitle": world.client, "systemId": world.system,
             "foundryVersion": "13.348", "isOnline": world.online}
            for world in self.worlds
        ]  # fmt: skip
        return {"clients": known, "total": len(known)}

    def _world(self, call: Call) -> World | Reply:
        client = call.query.get("clientId", "")
        online = {world.client: world for world in self.worlds if world.online}
        if not client:
            if self.version.startswith("2"):
                return Reply(400, {"error": "'clientId' is required"})
            if len(online) > 1:
                said = "Multiple clients connected. Please specify clientId."
                return Reply(400, {"error": said, "connectedClients": list(online)})
            if not online:
                return Reply(404, {"error": "No connected Foundry clients found"})
            return next(iter(online.values()))
        return online[client]

    def _pass_on(self, kind: str, world: World, call: Call) -> Reply:
        """Ask the world. A real relay swaps the answers to two that ask it at once: tests look at
        `most_at_once`."""
        try:
            return Reply(200, {"type": f"{kind}-result", **HANDLERS[kind](world, call)})
        except FoundryError as error:
            return Reply(400, {"type": f"{kind}-result", "error": str(error)})

    def _key_request(self, call: Call) -> Reply:
        if call.method == "POST":
            unknown = [scope for scope in call.body["scopes"] if scope not in SCOPES]
            if unknown:
                return Reply(400, {"error": f"Invalid scope: {unknown[0]}"})
            code = f"ANN{len(self.requests):03}"
            self.requests[code] = {"status": "pending", **call.body}
            url = f"{self.approval_url}{code}"
            return Reply(201, {"code": code, "approvalUrl": url, "expiresIn": 600})
        request = self.requests.get(call.path.split("/")[3])
        if request is None:
            return Reply(404, {"error": "Key request not found"})
        status = request["status"]
        if status == "approved":
            request["status"] = "exchanged"
            return Reply(
                200, {"status": status, "apiKey": KEY, "scopes": request["scopes"], "clientIds": None}
            )
        return Reply(410 if status == "expired" else 200, {"status": status})


# What the module in Foundry does

Handle = Callable[[World, Call], Doc]
HANDLERS: dict[str, Handle] = {}


def handler(kind: str) -> Callable[[Handle], Handle]:
    def register(handle: Handle) -> Handle:
        HANDLERS[kind] = handle
        return handle

    return register


def scene_of(world: World, call: Call) -> Doc:
    asked = (call.body or {}).get("sceneId") or call.query.get("sceneId")
    scene = world.scenes.get(asked) if asked else world.scene
    if scene is None:
        raise FoundryError(f"Scene not found: {asked}" if asked else "No active scene")
    return scene


def given(call: Call, name: str) -> Any:
    """A parameter, from the body or else the query."""
    return (call.body or {}).get(name, call.query.get(name))


@handler("get-scene")
def get_scene(world: World, call: Call) -> Doc:
    query = call.query
    if "sceneId" in query:
        found = world.scenes.get(query["sceneId"])
    elif "name" in query:
        found = next((scene for scene in world.scenes.values() if scene["name"] == query["name"]), None)
    else:
        found = world.scene if query.get("active") == "true" else None
    if found is None:
        raise FoundryError("Scene not found")
    return {"data": {**found, "tokens": list(world.tokens[found["_id"]].values())}}


@handler("entity")
def get_entity(world: World, call: Call) -> Doc:
    found = world.by_uuid(call.query["uuid"])
    if found is None:
        raise FoundryError("Entity not found")
    kind, doc = found
    inside = {"tokens": list(world.tokens[doc["_id"]].values())} if kind == "Scene" else {}
    return {"uuid": call.query["uuid"], "data": {**copy.deepcopy(doc), **copy.deepcopy(inside)}}


@handler("update")
def update(world: World, call: Call) -> Doc:
    found = world.by_uuid(call.query["uuid"])
    if found is None:
        raise FoundryError("Cannot read properties of null (reading 'uuid')")
    data = dict(call.body["data"])
    inside = {each["id"]: each for each in found[1].get("combatants", [])}
    for one in data.pop("combatants", []):  # embedded documents are changed by their ids
        merge(inside[one["_id"]], {key: value for key, value in one.items() if key != "_id"})
    if found[0] == "Combat" and data.get("active"):
        for combat in world.combats.values():
            combat["active"] = False
    merge(found[1], data)
    return {"uuid": call.query["uuid"], "entity": [copy.deepcopy(found[1])]}


@handler("delete")
def delete(world: World, call: Call) -> Doc:
    uuid = call.query["uuid"]
    match uuid.split("."):
        case ["Combat", combat]:
            world.combats.pop(combat, None)
        case ["Combat", combat, "Combatant", who]:
            inside = world.combats.get(combat, {"combatants": []})
            inside["combatants"] = [each for each in inside["combatants"] if each["id"] != who]
        case ["Scene", scene, "Token", token]:
            world.tokens.get(scene, {}).pop(token, None)
    return {"uuid": uuid, "success": True}


@handler("players")
def players(world: World, call: Call) -> Doc:
    return {"users": world.users}


@handler("get-canvas-documents")
def get_tokens(world: World, call: Call) -> Doc:
    scene = scene_of(world, call)
    asked = call.query.get("documentId")
    found = [doc for id, doc in world.tokens[scene["_id"]].items() if asked in (None, id)]
    if asked and not found:
        raise FoundryError(f"Document not found: {asked}")
    return {"sceneId": scene["_id"], "data": copy.deepcopy(found)}


@handler("create-canvas-document")
def create_token(world: World, call: Call) -> Doc:
    scene = scene_of(world, call)
    token = world.add_token(scene["_id"], **call.body["data"])
    return {"sceneId": scene["_id"], "data": [copy.deepcopy(token)]}


@handler("update-canvas-document")
def update_token(world: World, call: Call) -> Doc:
    scene = scene_of(world, call)
    token = world.tokens[scene["_id"]].get(call.body["documentId"])
    if token is None:
        raise FoundryError(f'Token "{call.body["documentId"]}" does not exist!')
    merge(token, call.body["data"])
    world.give_actor(token)
    return {"sceneId": scene["_id"], "data": [copy.deepcopy(token)]}


@handler("delete-canvas-document")
def delete_token(world: World, call: Call) -> Doc:
    scene = scene_of(world, call)
    if world.tokens[scene["_id"]].pop(call.query["documentId"], None) is None:
        raise FoundryError(f'Token "{call.query["documentId"]}" does not exist!')
    for combat in world.combats.values():
        gone = call.query["documentId"]
        combat["combatants"] = [each for each in combat["combatants"] if not each["tokenUuid"].endswith(gone)]
    return {"sceneId": scene["_id"], "success": True}


@handler("get-walls")
def get_walls(world: World, call: Call) -> Doc:
    scene = scene_of(world, call)
    return {"sceneId": scene["_id"], "data": copy.deepcopy(world.walls)}


@handler("get-lights")
def get_lights(world: World, call: Call) -> Doc:
    scene = scene_of(world, call)
    return {"sceneId": scene["_id"], "data": copy.deepcopy(world.lights)}


@handler("draw")
def draw(world: World, call: Call) -> Doc:
    """A wall or a light."""
    scene = scene_of(world, call)
    made = {"door": 0, "ds": 0, **call.body["data"], "_id": world.id("drawn")}
    (world.walls if call.path.endswith("walls") else world.lights).append(copy.deepcopy(made))
    return {"sceneId": scene["_id"], "data": [made]}


@handler("update-wall")
def update_wall(world: World, call: Call) -> Doc:
    [wall] = [wall for wall in world.walls if wall["_id"] == call.body["documentId"]]
    merge(wall, call.body["data"])
    return {"data": [copy.deepcopy(wall)]}


@handler("move-token")
def move_token(world: World, call: Call) -> Doc:
    scene = scene_of(world, call)
    found = world.by_uuid(call.body["uuid"])
    if found is None:
        raise FoundryError(f"Token not found: {call.body['uuid']}")
    found[1].update(x=call.body["x"], y=call.body["y"])
    world.ways.append(call.body.get("waypoints", []))
    where = {"x": call.body["x"], "y": call.body["y"], "sceneId": scene["_id"]}
    return {"data": {"tokenUuid": call.body["uuid"], "name": found[1]["name"], **where}}


def actor_of(world: World, call: Call) -> tuple[Doc, Doc | None]:
    """The actor that effects go to, and the token if one was named."""
    uuid = given(call, "uuid")
    found = world.by_uuid(uuid)
    if found is None:
        raise FoundryError(f"Document not found with UUID: {uuid}")
    kind, doc = found
    actor = world.actor_of(doc) if kind == "Token" else doc
    if actor is None:
        raise FoundryError("ActiveEffect is not a valid embedded Document within the Token Document")
    return actor, doc


@handler("get-effects")
def get_effects(world: World, call: Call) -> Doc:
    actor, _ = actor_of(world, call)
    return {"data": {"uuid": given(call, "uuid"), "effects": copy.deepcopy(actor["effects"])}}


@handler("upload-file")
def upload_file(world: World, call: Call) -> Doc:
    head, _, data = given(call, "fileData").partition(",")
    if not head.startswith("data:"):
        raise FoundryError("Invalid file data format: must be data URL with base64 content")
    path = f"{given(call, 'path')}/{given(call, 'filename')}"
    if path in world.files and not given(call, "overwrite"):
        raise FoundryError("File already exists. Set overwrite to true to replace it.")
    world.files[path] = base64.b64decode(data)
    return {"success": True, "path": path}


def look_up(world: World) -> None:
    """What the module does to find a status by its id."""
    if not world.lists_statuses:
        raise FoundryError("CONFIG.statusEffects?.find is not a function")


@handler("add-effect")
def add_effect(world: World, call: Call) -> Doc:
    actor, _ = actor_of(world, call)
    status, data = given(call, "statusId"), given(call, "effectData")
    if status:
        look_up(world)
        if status not in world.statuses:
            raise FoundryError(f"Unknown status effect: '{status}'. Available: {', '.join(world.statuses)}")
        if any(status in effect["statuses"] for effect in actor["effects"]):
            raise FoundryError(f"Actor '{actor['name']}' already has status '{status}'")
        data = {"name": status.title(), "icon": f"icons/svg/{status}.svg", "statuses": [status]}
    effect = {"id": world.id("effect"), "statuses": [], **data}
    actor["effects"].append(effect)
    return {"data": {"uuid": given(call, "uuid"), "effect": effect}}


@handler("remove-effect")
def remove_effect(world: World, call: Call) -> Doc:
    actor, _ = actor_of(world, call)
    status = given(call, "statusId")
    id = given(call, "effectId")
    effect = next(
        (effect for effect in actor["effects"] if status in effect["statuses"] or effect["id"] == id), None
    )
    if effect is None:
        what = f"Status '{status}'" if status else f"Effect with ID '{id}'"
        raise FoundryError(f"{what} not found on actor '{actor['name']}'")
    if status:
        look_up(world)
    actor["effects"].remove(effect)
    return {"data": {"uuid": given(call, "uuid"), "removedEffectId": effect["id"]}}


@handler("encounters")
def encounters(world: World, call: Call) -> Doc:
    found = [
        {"id": combat["id"], "name": "", "round": combat["round"], "turn": combat["turn"],
         "current": combat["active"], "combatants": copy.deepcopy(combat["combatants"])}
        for combat in world.combats.values()
    ]  # fmt: skip
    return {"encounters": found}


@handler("start-encounter")
def start_encounter(world: World, call: Call) -> Doc:
    """Empty: the relay passes on `tokens`, its module looks for `tokenUuids`."""
    for combat in world.combats.values():
        combat["active"] = False
    id = world.id("combat")
    world.combats[id] = {"id": id, "round": 1, "turn": 0, "active": True, "combatants": []}
    return {"encounterId": id, "encounter": copy.deepcopy(world.combats[id])}


@handler("add-to-encounter")
def add_to_encounter(world: World, call: Call) -> Doc:
    """To the one that is current: the relay's name for another one never reaches Foundry."""
    combat = world.current
    if combat is None:
        raise FoundryError("No active encounter")
    added = join(world, combat, call.body["uuids"])
    failed = [
        {"uuid": uuid, "reason": "Entity not found"} for uuid in call.body["uuids"] if uuid not in added
    ]
    return {"encounterId": combat["id"], "added": added, "failed": failed}


def join(world: World, combat: Doc, uuids: list[str]) -> list[str]:
    """Combatants for tokens; those of them that there are."""
    added = []
    for uuid in uuids:
        found = world.by_uuid(uuid)
        if found is not None:
            combat["combatants"].append(
                {"id": world.id("combatant"), "name": found[1]["name"], "tokenUuid": uuid,
                 "initiative": None, "hidden": False, "defeated": False}
            )  # fmt: skip
            added.append(uuid)
    return added


@handler("create")
def create(world: World, call: Call) -> Doc:
    """A document of the world. One with an id that is taken is refused, where ids are kept."""
    assert call.body["entityType"] == "ChatMessage"
    data = call.body["data"]
    id = data["_id"] if call.body.get("keepId") and world.keeps_ids else world.id("message")
    if world.by_uuid(f"ChatMessage.{id}"):
        raise FoundryError(f"Entity with ID '{id}' already exists. Set override=true to replace it.")
    message = {
        "flavor": "", "whisper": [], "rolls": [], "flags": {}, "timestamp": len(world.messages),
        "author": {"id": "userGamemaster00", "name": "Gamemaster"}, **data,
        "_id": id, "id": id, "content": cleaned(data["content"]),
    }  # fmt: skip
    world.messages.append(message)
    return {"uuid": f"ChatMessage.{id}", "entity": copy.deepcopy(message)}


@handler("chat-send")
def chat_send(world: World, call: Call) -> Doc:
    body = call.body
    message = {
        "id": world.id("message"), "content": cleaned(body["content"]), "flavor": body.get("flavor", ""),
        "speaker": {"alias": body.get("alias")}, "whisper": body.get("whisper", []),
        "timestamp": len(world.messages),
    }  # fmt: skip
    world.messages.append(message)
    return {"success": True, "data": message}


@handler("chat-messages")
def chat_messages(world: World, call: Call) -> Doc:
    limit = int(call.query.get("limit", 50))
    newest = world.messages[::-1]
    shown = [{**each, "rolls": [told_roll(roll) for roll in each.get("rolls", [])]} for each in newest]
    return {"success": True, "data": {"messages": shown[:limit], "total": len(newest)}}


def told_roll(kept: str | Doc) -> Doc:
    """A roll as it is told: its dice with their results."""
    roll = json.loads(kept) if isinstance(kept, str) else kept
    dice = [{"faces": term["faces"], "results": term["results"]} for term in roll["terms"] if "faces" in term]
    return {"formula": roll["formula"], "total": roll["total"], "dice": dice}


def cleaned(content: str) -> str:
    """HTML as Foundry keeps it: without attributes that it does not know."""
    return re.sub(r"""\s(?:data-[\w-]+|on\w+)=(?:"[^"]*"|'[^']*')""", "", content)


def texts(world: World) -> Iterator[str]:
    """The chat as people read it, oldest first."""
    for message in world.messages:
        yield " ".join(re.sub(r"<[^>]*>", " ", message["content"]).split())
