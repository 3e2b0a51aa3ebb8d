"""Foundry VTT, through the foundryvtt-rest-api-relay: 3.x, and 2.x as far as it goes.

A link is a token's UUID, `Scene.S.Token.T`. Foundry keeps hidden tokens and whispers from its players, so it
is the game master's own by default; hidden creatures stay out of its combat tracker, which it would show.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

from strike_cli.problems import BridgeProblem

from ..project import status_name
from .base import (
    Answer,
    Asking,
    Finding,
    Found,
    Kind,
    Option,
    Outcome,
    Payload,
    Post,
    Procedure,
    Request,
    Supports,
    Target,
    Wire,
    for_kind,
)
from .foundry_shapes import (
    FLAG,
    UPLOAD,
    Scene,
    actor_of,
    at,
    by_turn,
    content,
    effects,
    flavor,
    initiatives,
    is_already_so,
    is_anothers,
    is_gone,
    items,
    our_id,
    parts,
    plain,
    said,
    sentence,
    upload,
)

SCOPES = (
    "clients:read", "entity:read", "entity:write", "scene:read", "canvas:read", "canvas:write", "chat:read",
    "chat:write", "effects:read", "effects:write", "encounter:read", "encounter:manage", "file:write",
)  # fmt: skip
LOGIN_POLL = 3.0
"""Seconds between two looks at whether a key was granted."""
_OFFLINE_WAIT = 10.0
_MONTHLY_WAIT = 3600.0
_OWN_EFFECT = "strike-"
_EFFECT_ICON = "icons/svg/aura.svg"
_BARS_FOR_OWNER, _BARS_FOR_ALL, _NAME_ON_HOVER = 40, 50, 30
_DISPOSITION = {"party": 1, "enemies": -1}
_LATEST = 100
"""Chat messages that are looked through for one of ours."""


class FoundryTarget(Target):
    """Foundry VTT: pixels from the top left, everything but marks on results."""

    supports = Supports(
        units="pixels", hidden=True, hp=True, statuses=True, turn_order=True, chat=True, images=True,
        links=True, create=True, find=True, read_back=True, read_results=True,
    )  # fmt: skip
    default_url = "https://foundryrestapi.com"
    default_audience = "gm"
    default_preset = "plain"
    key_variable = "STRIKE_FOUNDRY_KEY"
    PRESETS = "foundry.toml"
    OPTIONS: ClassVar = {
        "client": Option(str, "", "The client id of the world, where several are connected."),
        "scene": Option(str, "", "The scene, by id or name; the active one without it."),
        "origin": Option(list, [0, 0], "The square of the scene that A1 lies on, as [across, down] from 0."),
        "actors": Option(dict, {}, "Actors of tokens we make: our id, with or without number, to theirs."),
        "effects": Option(str, "all", "Which statuses to show: those that are not mapped too, or not.",
                          ("all", "mapped", "none")),
        "animate": Option(bool, True, "Whether tokens glide to where they move."),
        "alias": Option(str, "Strike!", "Who speaks in the chat."),
    }  # fmt: skip

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._version = 0
        """The relay's first number; 0: not yet asked for."""
        self._scenes: dict[str, Scene] = {}
        self._actors: dict[str, str] = {}
        self._uploaded: dict[str, str] = {}
        """Where a picture is in Foundry's data, by hash."""

    def headers(self) -> dict[str, str]:
        """The key, as the relay wants it."""
        return {"x-api-key": self.key}

    # Paths and ids

    def _path(self, path: str, **query: str) -> str:
        if self.options["client"]:
            query["clientId"] = self.options["client"]
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

    def _begin(self) -> Asking[None]:
        if not self._version:
            answer = yield Request("GET", "/api/status", may_fail=True)
            found = re.match(r"\d+", str(answer.value("version", default="")))
            self._version = int(found[0]) if found else 3

    def _scene(self, id: str = "") -> Asking[Scene]:
        """A scene by its id, or else the one that settings name, or the active one."""
        if id in self._scenes:
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
            return Scene(id or "<scene>", "", 0, 0, 100)
        across, down = (int(each) for each in [*self.options["origin"], 0, 0][:2])
        scene = Scene.of(doc, (across, down))
        self._scenes[id] = self._scenes[scene.id] = scene
        return scene

    def _token(self, uuid: str) -> Asking[Mapping[str, Any]]:
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
        if uuid not in self._actors:
            doc = yield from self._token(uuid)
            self._actors[uuid] = actor_of(uuid, doc)
        return self._actors[uuid]

    # Scene and tokens

    def put_scene(self, scene: Payload) -> Procedure:
        """Foundry has maps of its own: looks again at what it shows, and says what an old relay can't do."""
        self._scenes.clear()
        self._actors.clear()
        yield from self._begin()
        if self._version < 3:
            return Outcome(Kind.REJECTED, _OLD)
        return None

    def clear_scene(self) -> Procedure:
        """Ends the combat that we began, and takes away the tokens that we made."""
        yield from self._begin()
        combat = self.memory.get("combat")
        if combat:
            yield Request("DELETE", self._path("/delete", uuid=f"Combat.{combat}"), gone_will_do=True)
            self.memory.pop("combat", None)
        for id in list(self.made):
            yield from self.remove_token(id)
        return None

    def put_token(self, token: Payload, before: Payload | None) -> Procedure:
        """Made or changed, then HP, then statuses; only what differs from `before`."""
        yield from self._begin()
        uuid = self.links.get(token["id"], "")
        if not uuid:
            if token["position"] is None:
                return None  # there is no place to make it at
            if self._version < 3:
                return Outcome(Kind.REJECTED, f"it has no token for {token['name']}, and {_OLD}")
            before = None
            uuid = yield from self._make(token)
        else:
            refused = yield from self._place(uuid, token, before)
            if refused and not (token["id"] in self.made and refused.why.startswith(_GONE)):
                return refused
            if refused:
                uuid = yield from self._make(token)
        yield from self._put_hp(uuid, token, before)
        return (yield from self._put_statuses(uuid, token, before))

    def _make(self, token: Payload) -> Asking[str]:
        scene = yield from self._scene()
        data = {
            "name": token["name"],
            "displayName": _NAME_ON_HOVER,
            "disposition": _DISPOSITION.get(token["side"], 0),
            **scene.pixels(token["position"]),
            **self._bar(token),
            **self._look(token, made=True),
            "flags": {FLAG: {"id": token["id"], "made": True}},
        }
        actor = self._named_actor(token)
        if actor:
            answer = yield Request("GET", self._path("/get", uuid=f"Actor.{actor}"))
            model = answer.value("data", "prototypeToken", default={})
            if isinstance(model, Mapping):
                data = {**{key: model[key] for key in ("actorLink", "texture") if key in model}, **data}
            data["actorId"] = actor
        data |= yield from self._texture(token)
        body = {"sceneId": scene.id, "data": data}
        answer = yield Request("POST", self._path("/canvas/tokens"), body, creates=token["id"])
        uuid, doc = self.links.get(token["id"], ""), answer.value("data", 0)
        if isinstance(doc, Mapping):
            self._actors[uuid] = actor_of(uuid, doc)
        return uuid

    def _texture(self, token: Payload) -> Asking[Payload]:
        """Its picture: an address as it is, a file once it is in Foundry's data. Nothing where there is none,
        or where Foundry doesn't take it."""
        image = token["image"] or {}
        src, digest = image.get("url", ""), image.get("sha256", "")
        if digest and self._version >= 3:
            if digest not in self._uploaded:
                self._uploaded[digest] = yield from self._upload(image)
            src = self._uploaded[digest]
        return {"texture": {"src": src}} if src else {}

    def _upload(self, image: Payload) -> Asking[str]:
        picture = self.picture(image)
        if picture is None:
            return ""
        answer = yield Request(
            "POST", self._path(UPLOAD), headers={"content-type": "application/json"}, content=upload(picture),
            may_fail=True,
        )  # fmt: skip
        return str(answer.value("path", default="")) if answer.status < 300 else ""

    def _named_actor(self, token: Payload) -> str:
        """The id of the actor that settings name for a token that we make."""
        return for_kind(self.options["actors"], token["id"]).removeprefix("Actor.")

    def _place(self, uuid: str, token: Payload, before: Payload | None) -> Asking[Outcome | None]:
        """Where it stands and how it looks. Who hides does so before moving, who appears after."""
        made = token["id"] in self.made
        where = {}
        if token["position"] and (before is None or token["position"] != before["position"]):
            where = (yield from self._scene(parts(uuid)[0])).pixels(token["position"])
        look = self._look(token, made=made)
        if made and (before is None or before.get("image") != token["image"]):
            look |= yield from self._texture(token)
        if before is None:
            data = {**where, **look, "flags": {FLAG: {"id": token["id"], "made": made}}}
            if made and self._named_actor(token):
                data["actorId"] = self._named_actor(token)
            request = self._change(uuid, data)._replace(may_fail=True)
            answer = yield request
            if answer.status >= 300:
                return self.outcome(request, answer, time.time())
            doc = answer.value("data", 0)
            if isinstance(doc, Mapping):
                self._actors[uuid] = actor_of(uuid, doc)
            return None
        was = self._look(before, made=made)
        changed = {key: value for key, value in look.items() if was.get(key) != value}
        if changed and look["hidden"]:
            yield self._change(uuid, changed)
        if where:
            yield self._move(uuid, where)
        if changed and not look["hidden"]:
            yield self._change(uuid, changed)
        return None

    def _move(self, uuid: str, where: dict[str, int]) -> Request:
        if self._version < 3:
            return self._update(uuid, where)
        body = {"uuid": uuid, **where, "animate": self.options["animate"], "sceneId": parts(uuid)[0]}
        return Request("POST", self._path("/move-token"), body)

    def _look(self, token: Payload, *, made: bool) -> Payload:
        """What else of a token we set. Name and size only of one that we made."""
        look: Payload = {"hidden": token["hidden"] or token["position"] is None}
        if token["hp_shown"] in ("wounds", "none"):
            look["displayBars"] = _BARS_FOR_OWNER
        if made:
            look |= {"name": token["name"], "width": token["size"], "height": token["size"]}
        return look

    def _bar(self, token: Payload) -> Payload:
        path = re.fullmatch(r"system\.(.+)\.value", self.attributes.get("hp", ""))
        if not path or not self._hp(token):
            return {}
        return {"bar1": {"attribute": path[1]}, "displayBars": _BARS_FOR_ALL}

    def remove_token(self, id: str) -> Procedure:
        """Deletes what we made; hides what was there before."""
        yield from self._begin()
        uuid = self.links.get(id, "")
        if not uuid:
            return None
        if id not in self.made:
            yield self._change(uuid, {"hidden": True})
            return None
        if self._version < 3:
            path = self._path("/delete", uuid=uuid)
        else:
            scene, token = parts(uuid)
            path = self._path("/canvas/tokens", sceneId=scene, documentId=token)
        yield Request("DELETE", path, gone_will_do=True)
        self.links.pop(id, None)  # where several are to go and one fails, this one is not asked for again
        return None

    # HP and statuses: both belong to a token's actor, where it has one

    def _put_hp(self, uuid: str, token: Payload, before: Payload | None) -> Asking[None]:
        data = self._hp(token)
        if not data or (before is not None and data == self._hp(before)):
            return
        actor = yield from self._actor(uuid)
        if actor:
            yield self._update(actor, data)

    def _hp(self, token: Payload) -> Payload:
        """HP at the places where the world's system keeps them. Of enemies the game master is given the
        number: actors are not the players' to look at, and bars are shown as the campaign says."""
        hp = token["gm_hp"] if "gm_hp" in token else token["hp"]
        place, most = self.attributes.get("hp", ""), self.attributes.get("max_hp", "")
        in_quarters = token["hp_shown"] == "bar" and "gm_hp" not in token
        if hp is None or not place or (in_quarters and not most):
            return {}
        return {place: hp["value"], **({most: hp["max"]} if most else {})}

    def _put_statuses(self, uuid: str, token: Payload, before: Payload | None) -> Asking[Outcome | None]:
        wanted, had = self._wanted(token), self._wanted(before) if before else {}
        if self._version < 3 or (before is not None and wanted == had):
            return None
        actor = yield from self._actor(uuid)
        if not actor:
            return None
        answer = yield Request("GET", self._path("/effects", uuid=uuid))
        present = {status for effect in effects(answer) for status in effect.get("statuses") or []}
        gone = had.keys() - wanted.keys() if before else self._ours(present) - wanted.keys()
        for status in sorted(present & gone):
            path = self._path("/effects", uuid=uuid, statusId=status)
            yield Request("DELETE", path, gone_will_do=True)
        for status, name in wanted.items():
            if status not in present:
                refused = yield from self._add_status(uuid, status, name)
                if refused:
                    return refused
        return None

    def _add_status(self, uuid: str, status: str, name: str) -> Asking[Outcome | None]:
        """One of the world's own statuses, or else an effect that bears the name."""
        if not status.startswith(_OWN_EFFECT):
            body = {"uuid": uuid, "statusId": status}
            answer = yield Request("POST", self._path("/effects"), body, may_fail=True)
            if answer.status < 300 or is_already_so(answer):
                return None
            if "unknown status effect" not in said(answer).lower():
                return Outcome(Kind.REJECTED, f"it does not take the status {name}: {said(answer)}")
        effect = {"name": name, "icon": _EFFECT_ICON, "img": _EFFECT_ICON, "statuses": [status]}
        yield Request("POST", self._path("/effects"), {"uuid": uuid, "effectData": effect})
        return None

    def _wanted(self, token: Payload) -> dict[str, str]:
        """Foundry's ids of the statuses that a token should have, with our names for them."""
        if self.options["effects"] == "none":
            return {}
        wanted = {}
        for id, name in zip(token["status_ids"], token["statuses"], strict=True):
            # With a number it is told by its name alone: Foundry's own would lose the number.
            mapped = self.statuses.get(name) if name[-1:].isdigit() else self.status(id, name)
            if mapped is None and self.options["effects"] == "all":
                mapped = _OWN_EFFECT + re.sub(r"[^a-z0-9]+", "-", name.lower())
            if mapped:
                wanted[mapped] = name
        if token["state"] == "out" and self.statuses.get("out"):
            wanted[self.statuses["out"]] = "Taken Out"
        return wanted

    def _ours(self, statuses: set[str]) -> set[str]:
        known = set(self.statuses.values())
        return {status for status in statuses if status in known or status.startswith(_OWN_EFFECT)}

    # Turn order

    def put_order(self, order: Payload) -> Procedure:
        """The combat tracker: who is in it, in our order, and whose turn it is."""
        yield from self._begin()
        wanted: dict[str, str] = {}
        for entry in order["entries"]:
            uuid = self.links.get(entry["id"], "")
            if uuid and not entry.get("hidden"):
                wanted[uuid] = entry["id"]
        if not wanted and not order["entries"]:
            return None
        combat = yield from self._combat(set(wanted))
        combat = yield from self._join(combat, list(wanted))
        places = initiatives([entry for entry in order["entries"] if entry["id"] in wanted.values()])
        for combatant in combat["combatants"]:
            place = places.get(wanted.get(combatant.get("tokenUuid", ""), ""))
            if place is not None and combatant.get("initiative") != place:
                yield self._update(
                    f"Combat.{combat['id']}.Combatant.{combatant['id']}", {"initiative": place}
                )
                combatant["initiative"] = place
        turns = [wanted.get(each.get("tokenUuid", "")) for each in sorted(combat["combatants"], key=by_turn)]
        active = order["active"]
        turn = turns.index(active) if active in turns else None
        yield self._update(f"Combat.{combat['id']}", {"round": order["round"], "turn": turn})
        return None

    def _combat(self, ours: set[str]) -> Asking[Mapping[str, Any]]:
        """The combat that our tokens are in. An empty one that is current will do: it is what is left when
        the answer to its creation was lost."""
        answer = yield Request("GET", self._path("/encounters"))
        remembered = self.memory.get("combat")
        combats = items(answer.value("encounters"))
        for combat in sorted(combats, key=lambda each: (each["id"] != remembered, not each.get("current"))):
            inside = {each.get("tokenUuid") for each in items(combat.get("combatants"))}
            empty = combat.get("current") and not inside
            if combat["id"] == remembered or ours & inside or empty:
                if inside <= ours:
                    self.memory["combat"] = str(combat["id"])
                if not combat.get("current"):
                    # Others can be joined to the current one alone.
                    yield self._update(f"Combat.{combat['id']}", {"active": True})
                return combat
        made = yield Request("POST", self._path("/start-encounter"), {})
        self.memory["combat"] = str(made.value("encounterId"))
        return {"id": self.memory["combat"], "combatants": []}

    def _join(self, combat: Mapping[str, Any], wanted: list[str]) -> Asking[Mapping[str, Any]]:
        """Let join who is missing, and leave who is ours and should not be there, or is there twice."""
        ours = set(self.links.values())
        kept: dict[str, Payload] = {}
        others = []
        for each in map(dict, items(combat.get("combatants"))):
            uuid = str(each.get("tokenUuid"))
            if uuid in kept or (uuid in ours and uuid not in wanted):
                path = self._path("/delete", uuid=f"Combat.{combat['id']}.Combatant.{each['id']}")
                yield Request("DELETE", path, gone_will_do=True)
            elif uuid in wanted:
                kept[uuid] = each
            else:
                others.append(each)
        missing = [uuid for uuid in wanted if uuid not in kept]
        if not missing:
            return {**combat, "combatants": [*kept.values(), *others]}
        yield Request("POST", self._path("/add-to-encounter"), {"uuids": missing})
        answer = yield Request("GET", self._path("/encounters"))
        for now in items(answer.value("encounters")):
            if now.get("id") == combat["id"]:
                return {**now, "combatants": [dict(one) for one in items(now.get("combatants"))]}
        return combat

    # Results

    def send_result(self, post: Post) -> Procedure:
        """A chat line. A secret one is whispered to the game masters, or not sent."""
        yield from self._begin()
        if self._version < 3:
            return None
        body = {"content": content(post), "alias": self.options["alias"], "flavor": flavor(post)}
        if post.result["secret"]:
            answer = yield Request("GET", self._path("/players"))
            masters = [str(user.get("id")) for user in items(answer.value("users")) if user.get("isGM")]
            if not masters and not answer.planned:
                return Outcome(Kind.REJECTED, "there is no game master to whisper a secret result to")
            body["whisper"] = masters or ["<game masters>"]
        yield Request("POST", self._path("/chat"), body, absolute=False)
        return None

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Whether one of the latest messages has its number and its text."""
        answer = self.ask(wire, Request("GET", self._path("/chat", limit=str(_LATEST))))
        if isinstance(answer, Outcome):
            return answer
        wanted = flavor(post), plain(content(post))
        messages = items(answer.value("data", "messages"))
        return any((each.get("flavor"), plain(str(each.get("content")))) == wanted for each in messages)

    # What it answers

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """What the relay means: Foundry's own refusals are 400 with a sentence, a closed world 404."""
        words = said(answer)
        lowered = words.lower()
        if answer.status == 404 and ("client" in lowered or "connected" in lowered):
            why = "the world is not open in Foundry, or its module is not connected to the relay"
            return Outcome(Kind.NOT_SENT, why, _OFFLINE_WAIT, unreachable=True, status=404)
        if answer.status == 429 and "month" in lowered:
            return Outcome(Kind.NOT_SENT, f"it answered 429 ({words})", _MONTHLY_WAIT, status=429)
        if answer.status in (403, 413) and request.path.startswith(UPLOAD):
            return Outcome(Kind.REJECTED, f"it takes no picture ({words})", status=answer.status)
        if answer.status == 400:
            return self._refused(request, answer, words)
        outcome = super().outcome(request, answer, now)
        if outcome.kind is Kind.APPLIED and not isinstance(answer.json(), Mapping):
            return Outcome(Kind.UNKNOWN, "its answer can't be understood", status=answer.status)
        if outcome.kind is Kind.APPLIED and is_anothers(request, answer):
            return Outcome(
                Kind.UNKNOWN, "it gave the answer to somebody else's request", status=answer.status
            )
        return outcome

    def _refused(self, request: Request, answer: Answer, words: str) -> Outcome:
        lowered = words.lower()
        if is_already_so(answer) or (request.gone_will_do and is_gone(lowered)):
            return Outcome(Kind.APPLIED, status=400)
        if "clientid" in lowered:
            worlds = answer.value("connectedClients", default=[])
            which = f" ({', '.join(map(str, worlds))})" if worlds else ""
            where = self.settings.where("options.client")
            return Outcome(Kind.REJECTED, f"say which world{which}: {where}", all=True, status=400)
        if "scene not found" in lowered or "no active scene" in lowered:
            why = f"{words}: activate one in Foundry, or name one in {self.settings.where('options.scene')}"
            return Outcome(Kind.REJECTED, why, all=True, status=400)
        if is_gone(lowered):
            return Outcome(Kind.REJECTED, f"{_GONE} ({words}): link it again", status=400)
        return Outcome(Kind.REJECTED, f"it answered 400 ({words})", status=400)

    # What it shows

    def find_tokens(self, wire: Wire) -> list[Found] | Outcome:
        """The tokens of the scene."""
        came = self.find_out(wire, self._tokens())
        if isinstance(came, Outcome):
            return came
        scene, tokens = came
        return [
            Found(
                f"Scene.{scene.id}.Token.{each.get('_id')}",
                str(each.get("name", "")),
                our_id(each),
                made=bool(at(each, f"flags.{FLAG}.made")),
            )
            for each in tokens
        ]

    def _tokens(self) -> Asking[tuple[Scene, list[Mapping[str, Any]]]]:
        yield from self._begin()
        if self._version < 3 and not self.options["scene"]:
            return Scene("", "", 0, 0, 100), []  # it can't say which one is active
        scene = yield from self._scene()
        if self._version < 3:
            answer = yield Request("GET", self._path("/get", uuid=f"Scene.{scene.id}"))
            return scene, items(answer.value("data", "tokens"))
        answer = yield Request("GET", self._path("/canvas/tokens", sceneId=scene.id))
        return scene, items(answer.value("data"))

    def read_tokens(self, wire: Wire) -> dict[str, Payload] | Outcome:
        """Name, place, size, HP and statuses of those that are linked or bear our id."""
        return self.find_out(wire, self._read_tokens())

    def _read_tokens(self) -> Asking[dict[str, Payload]]:
        scene, tokens = yield from self._tokens()
        by_uuid = {uuid: id for id, uuid in self.links.items()}
        found = {}
        for doc in tokens:
            uuid = f"Scene.{scene.id}.Token.{doc.get('_id')}"
            id = by_uuid.get(uuid) or our_id(doc)
            # A copy that somebody made of one of ours bears its id too.
            if id and (uuid in by_uuid or id not in self.links):
                found[id] = yield from self._read_token(scene, uuid, doc, made=id in self.made)
        return found

    def _read_token(self, scene: Scene, uuid: str, doc: Mapping[str, Any], *, made: bool) -> Asking[Payload]:
        shown: Payload = {"hidden": bool(doc.get("hidden"))}
        if not shown["hidden"] or doc.get("x") is not None:
            shown["position"] = scene.square(doc.get("x") or 0, doc.get("y") or 0)
        if made:
            shown |= {"name": doc.get("name"), "size": doc.get("width")}
        actor = actor_of(uuid, doc)
        if not actor:
            return shown
        answer = yield Request("GET", self._path("/get", uuid=actor))
        value = at(answer.value("data"), self.attributes.get("hp", ""))
        most = at(answer.value("data"), self.attributes.get("max_hp", ""))
        if value is not None and most is not None:
            shown["hp"] = {"value": value, "max": most}
        if self._version >= 3 and self.options["effects"] == "all":
            answer = yield Request("GET", self._path("/effects", uuid=uuid))
            shown["statuses"] = self._names(effects(answer))
        return shown

    def _names(self, effects: list[Mapping[str, Any]]) -> list[str]:
        """Our names of the statuses among effects."""
        names = {theirs: status_name({"id": ours}) for ours, theirs in self.statuses.items() if ours != "out"}
        found = []
        for effect in effects:
            for status in effect.get("statuses") or []:
                if status in names or str(status).startswith(_OWN_EFFECT):
                    found.append(names.get(status) or str(effect.get("name")))
        return found

    # People's side

    def login(self, wire: Wire, ask: Callable[[str, bool], str], tell: Callable[[str], None]) -> str:
        """Ask the relay for a key, and wait until somebody grants it there. Raises BridgeProblem."""
        name = f"strike ({self.name})"
        answer = self.ask(
            wire, Request("POST", "/auth/key-request", {"appName": name, "scopes": list(SCOPES)})
        )
        if isinstance(answer, Outcome):
            raise BridgeProblem(
                f"{self.name}: {answer.why}.", "Relay 2.x has no login: put its key in by hand."
            )
        code, seconds = answer.value("code"), float(answer.value("expiresIn", default=600))
        tell(f"Open {answer.value('approvalUrl')} and approve {code}.")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            came = wire.send(Request("GET", f"/auth/key-request/{code}/status"))
            status = came.value("status") if isinstance(came, Answer) else "pending"
            if status == "approved" and isinstance(came, Answer) and came.value("apiKey"):
                return str(came.value("apiKey"))
            if status in _ENDED:
                raise BridgeProblem(
                    f"{self.name}: {_ENDED[status]}.", f"`strike bridge login {self.name}` again."
                )
            time.sleep(LOGIN_POLL)
        raise BridgeProblem(f"{self.name}: {_ENDED['expired']}.", f"`strike bridge login {self.name}` again.")

    def probe(self) -> Request:
        """The worlds that the key may see."""
        return Request("GET", "/clients")

    def checks(self, wire: Wire) -> Iterator[Finding]:
        """The relay's version, the world, the key's scopes, the scene, and tokens that can't have HP."""
        stopped = self.find_out(wire, self._begin())
        if isinstance(stopped, Outcome):
            yield Finding(sentence(stopped.why), False)
            return
        if self._version < 3:
            yield Finding(sentence(_OLD), False, "Upgrade relay and module to 3.x.")
        else:
            missing = self._missing_scopes(wire)
            if missing:
                remedy = f"`strike bridge login {self.name}` asks for all of them."
                yield Finding(f"The key lacks scopes: {', '.join(missing)}.", False, remedy)
            else:
                yield Finding("The key has all scopes that are needed.")
        came = self.find_out(wire, self._tokens())
        if isinstance(came, Outcome):
            yield Finding(sentence(came.why), False, "Open the world in Foundry as game master.")
            return
        scene, tokens = came
        yield Finding(f"The scene is {scene.name or scene.id}, with squares of {scene.size} pixels.")
        bare = [str(each.get("name")) for each in tokens if our_id(each) and not each.get("actorId")]
        if bare:
            remedy = (
                f"Name their actors in {self.settings.where('options.actors')}, then `strike bridge sync`."
            )
            yield Finding(f"Without an actor, so without HP and statuses: {', '.join(bare)}.", False, remedy)

    def _missing_scopes(self, wire: Wire) -> list[str]:
        """The relay looks at scopes first: questions that lack what they need tell, and change nothing."""
        missing = []
        for scope, method, path in _NEEDS:
            answer = wire.send(Request(method, self._path(path), None if method == "GET" else {}))
            if isinstance(answer, Answer) and answer.status == 403 and "scope" in said(answer):
                missing.append(scope)
        return missing


_OLD = "relay 2.x takes moves, HP and turn order, but no new tokens, statuses or chat lines"
_GONE = "it has no such token any more"
_ENDED = {
    "denied": "the key was refused",
    "expired": "nobody approved in time",
    "exchanged": "the key was granted and handed out already",
}
_NEEDS = (
    ("entity:read", "GET", "/get"), ("entity:write", "PUT", "/update"), ("scene:read", "GET", "/scene"),
    ("canvas:read", "GET", "/canvas/x"), ("canvas:write", "PUT", "/canvas/x"), ("chat:read", "GET", "/chat"),
    ("chat:write", "POST", "/chat"), ("effects:read", "GET", "/effects"),
    ("effects:write", "POST", "/effects"), ("encounter:read", "GET", "/encounters"),
    ("encounter:manage", "POST", "/add-to-encounter"), ("file:write", "POST", UPLOAD),
)  # fmt: skip
"""Scope, and a request without its parameters that needs it."""
