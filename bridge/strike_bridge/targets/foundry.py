"""Foundry VTT, through the foundryvtt-rest-api-relay: 3.x, and 2.x as far as it goes.

A link is a token's UUID, `Scene.S.Token.T`. Foundry keeps hidden tokens and whispers from its players, so it
is the game master's own by default; hidden creatures stay out of its combat tracker, which it would show.

Here is what changes scenes and tokens; `foundry_tracker.py` has the turns, `foundry_chat.py` the results,
`foundry_asking.py` what is asked.
`foundry_inspection.py` reads a world, `foundry_world.py` knows paths, documents and what answers mean,
`foundry_documents.py` their forms.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping

from .base import Asking, Conversation, Outcome, OutcomeKind, Payload, Request, for_kind
from .foundry_documents import (
    ALWAYS,
    DOOR_CLOSED,
    DOOR_LOCKED,
    DOOR_OPEN,
    FLAG,
    UPLOAD,
    actor_of,
    doors_of,
    effects,
    holds,
    icon_of,
    is_already_so,
    lacks_list,
    nested,
    parts,
    said,
    upload,
)
from .foundry_ground import doors_in_squares, left_to_draw, lights_of, walls_of
from .foundry_tracker import COMBAT, TRACKER, FoundryTracker
from .foundry_world import ACTOR, BUILT, DOORS, NO_LIST, OLD, OWN_EFFECT, UNKNOWN

_BARS_FOR_OWNER, _BARS_FOR_ALL, _NAME_ON_HOVER = 40, 50, 30
_MOST_CORNERS = 12
_DISPOSITION = {"party": 1, "enemies": -1}


class FoundryTarget(FoundryTracker):
    """Foundry VTT: pixels from the top left, everything that it can show."""

    # Scene and tokens

    def put_scene(self, scene: Payload) -> Conversation:
        """Foundry has maps of its own: looks again at what it shows, and says what an old relay can't do."""
        if not self._is_new:
            self._forget()
        yield from self._begin()
        if self._version < 3:
            return Outcome(OutcomeKind.REJECTED, OLD)
        if self.options["walls"]:
            yield from self._build(scene)
        yield from self._put_doors(scene)
        return None

    def _build(self, scene: Payload) -> Asking[None]:
        """Walls with doors, and lights, one by one, as the relay takes them, where Foundry's scene has none:
        what somebody drew there is never added to. What was begun is finished, and done once for a fight."""
        place = yield from self._scene()
        ours = {"walls": walls_of(scene, place), "lights": lights_of(scene, place)}
        for kind, documents in ours.items():
            built = f"{BUILT}{kind} {place.id}"
            if not documents or built in self.memory:
                continue
            missing = left_to_draw(documents, (yield from self._drawn(kind, place)))
            for document in missing:
                body = {"sceneId": place.id, "data": document}
                yield Request("POST", self._path(f"/canvas/{kind}"), body, looked_for=True)
            self.memory[built] = "1"

    def _put_doors(self, scene: Payload) -> Asking[None]:
        """Doors in walls, open or closed: those of Foundry's walls that lie where ours do."""
        self.memory.pop(DOORS, None)
        doors = [*scene["doors"], *doors_in_squares(scene)]
        if not doors:
            return
        place = yield from self._scene()
        walls = yield from self._walls(place)
        ours = doors_of(doors, walls, place)
        self.memory[DOORS] = json.dumps(
            {doors[number].get("square", str(number)): wall["_id"] for number, wall in ours.items()}
        )
        for number, wall in ours.items():
            state = DOOR_OPEN if doors[number]["open"] else DOOR_CLOSED
            locked = wall.get("ds") == DOOR_LOCKED and state == DOOR_CLOSED
            if wall.get("ds", DOOR_CLOSED) != state and not locked:
                body = {"sceneId": place.id, "documentId": wall["_id"], "data": {"ds": state}}
                yield Request("PUT", self._path("/canvas/walls"), body)

    def clear_scene(self) -> Conversation:
        """Ends the combat that we began, and takes away the tokens that we made."""
        yield from self._begin()
        combat = self.memory.get(COMBAT)
        if combat:
            yield Request("DELETE", self._path("/delete", uuid=f"Combat.{combat}"), gone_will_do=True)
            self.memory.pop(COMBAT, None)
            self.memory.pop(TRACKER, None)
        for built in [key for key in self.memory if key.startswith(BUILT)]:
            del self.memory[built]
        for id in list(self.made):
            yield from self.remove_token(id)
        return None

    def put_token(self, token: Payload, before: Payload | None) -> Conversation:
        """Made or changed, then its meters, then statuses; only what differs from `before`."""
        yield from self._begin()
        uuid = self.links.get(token["id"], "")
        if not uuid:
            if token["position"] is None:
                return None  # there is no place to make it at
            if self._version < 3:
                return Outcome(OutcomeKind.REJECTED, f"it has no token for {token['name']}, and {OLD}")
            return (yield from self._make_whole(token))
        else:
            refused = yield from self._place(uuid, token, before)
            if refused and not (token["id"] in self.made and refused.gone):
                return refused
            if refused and token["position"] is None:
                return None  # nobody misses the body
            if refused:
                return (yield from self._make_whole(token))
        yield from self._put_numbers(uuid, token, before)
        return (yield from self._put_statuses(uuid, token, before))

    def _make_whole(self, token: Payload) -> Asking[Outcome | None]:
        """A token that is not there yet, its meters in one go where the world takes them, and what it has."""
        uuid, has_numbers = yield from self._make(token)
        if not has_numbers:
            yield from self._put_numbers(uuid, token, None)
        return (
            yield from self._put_statuses(
                uuid, token, {**token, "status_ids": [], "statuses": [], "state": "up"}
            )
        )

    def _make(self, token: Payload) -> Asking[tuple[str, bool]]:
        """The UUID of the token that was made, and whether it has its meters."""
        scene = yield from self._scene()
        data = {
            "name": token["name"],
            "displayName": _NAME_ON_HOVER,
            "disposition": _DISPOSITION.get(token["side"], 0),
            **scene.pixels(token["position"]),
            **({"level": scene.level} if scene.level else {}),
            **self._bars(token),
            **self._look(token, made=True),
            "flags": {FLAG: {"id": token["id"], "made": True}},
        }
        actor = self._named_actor(token)
        if actor:
            model = yield from self._model(actor)
            data = {**model, **data, "actorId": actor}
            numbers = {} if model.get("actorLink") else nested(self.numbers(token))
            if numbers:
                data["delta"] = numbers
        data |= yield from self._texture(token)
        body = {"sceneId": scene.id, "data": data}
        answer = yield Request("POST", self._path("/canvas/tokens"), body, creates=token["id"])
        uuid, doc = self.links.get(token["id"], ""), answer.value("data", 0)
        if not isinstance(doc, Mapping):
            return uuid, False
        self.memory[ACTOR + uuid] = actor_of(uuid, doc)
        return uuid, bool(data.get("delta")) and holds(doc.get("delta"), data["delta"])

    def _model(self, actor: str) -> Asking[Mapping[str, object]]:
        """What tokens of an actor look like."""
        if actor not in self._models:
            answer = yield Request("GET", self._path("/get", uuid=f"Actor.{actor}"))
            model = answer.value("data", "prototypeToken", default={})
            kept = model if isinstance(model, Mapping) else {}
            self._models[actor] = {key: kept[key] for key in ("actorLink", "texture") if key in kept}
        return self._models[actor]

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
            self.memory.pop(ACTOR + uuid, None)
            if isinstance(doc, Mapping):
                self.memory[ACTOR + uuid] = actor_of(uuid, doc)
            return None
        was = self._look(before, made=made)
        changed = {key: value for key, value in look.items() if was.get(key) != value}
        if changed and look["hidden"]:
            yield self._change(uuid, changed)
        if where:
            corners = self._corners(token) if before["position"] else []
            scene = yield from self._scene(parts(uuid)[0])
            yield self._move(uuid, where, [scene.pixels(corner) for corner in corners])
        if changed and not look["hidden"]:
            yield self._change(uuid, changed)
        return None

    def _move(self, uuid: str, where: dict[str, int], corners: list[dict[str, int]]) -> Request:
        if self._version < 3:
            return self._update(uuid, where)
        body: Payload = {
            "uuid": uuid, **where, "animate": self.options["animate"], "sceneId": parts(uuid)[0],
            **({"waypoints": corners} if corners and self.options["animate"] else {}),
        }  # fmt: skip
        return Request("POST", self._path("/move-token"), body)

    def _corners(self, token: Payload) -> list[Payload]:
        """Where a way turns: between them it is straight. The relay stops a third of a second at each, and
        waits ten in all."""
        way = list(self.ways.get(token["id"], ()))
        if not way or way[-1] != token["position"]:
            return []
        turns = [
            here
            for before, here, after in zip(way, way[1:], way[2:], strict=False)
            if (here["x"] - before["x"], here["y"] - before["y"])
            != (after["x"] - here["x"], after["y"] - here["y"])
        ]
        return turns[:_MOST_CORNERS]

    def _look(self, token: Payload, *, made: bool) -> Payload:
        """What else of a token we set. Name and size only of one that we made."""
        look: Payload = {"hidden": self.out_of_sight(token)}
        if token["hp_shown"] in ("wounds", "none"):
            look["displayBars"] = _BARS_FOR_OWNER
        if made:
            look |= {"name": token["name"], "width": token["size"], "height": token["size"]}
        return look

    def _bars(self, token: Payload) -> Payload:
        """Both bars of a token: the first two meters that have a place in Foundry, if there is a number."""
        places = (
            self.places(meter["id"], first=number == 0)[0] for number, meter in enumerate(token["meters"])
        )
        shown = self.numbers(token)
        paths = [re.fullmatch(r"system\.(.+)\.value", place) for place in places if place in shown]
        attributes = [path[1] for path in paths if path]
        bars = {f"bar{place}": {"attribute": name} for place, name in enumerate(attributes[:2], 1)}
        return {**bars, "displayBars": _BARS_FOR_ALL} if bars else {}

    def remove_token(self, id: str) -> Conversation:
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

    # Meters and statuses: both belong to a token's actor, where it has one

    def _put_numbers(self, uuid: str, token: Payload, before: Payload | None) -> Asking[None]:
        """Meters, at the places where the world's system keeps them. Of enemies the game master is given the
        number: actors are not the players' to look at, and bars are shown as the campaign says."""
        data = self.numbers(token)
        if not data or (before is not None and data == self.numbers(before)):
            return
        actor = yield from self._actor(uuid)
        if actor.startswith("Actor."):  # linked: it is the player's own, and its maximum is worked out there
            most = {
                self.places(meter["id"], first=place == 0)[1] for place, meter in enumerate(token["meters"])
            }
            data = {place: value for place, value in data.items() if place not in most}
        if actor and data:
            yield self._update(actor, data)

    def _put_statuses(self, uuid: str, token: Payload, before: Payload | None) -> Asking[Outcome | None]:
        wanted, had = self._wanted(token), self._wanted(before) if before else {}
        if self._version < 3 or (before is not None and wanted == had):
            return None
        actor = yield from self._actor(uuid)
        if not actor:
            return None
        gets_up = before is not None and before["state"] == "out" != token["state"]
        if before is None or gets_up:
            answer = yield Request("GET", self._path("/effects", uuid=uuid))
            present = {status for effect in effects(answer) for status in effect.get("statuses") or []}
            gone = self._ours(present) - wanted.keys()
        else:  # what it was told last is there: whoever took it away by hand is put right by a sync
            present = set(had)
            gone = had.keys() - wanted.keys()
        if before and token["state"] == "out":
            gone = set()  # whoever lies there may keep what they had
        for status in sorted(present & gone):
            refused = yield from self._take_status(uuid, status)
            if refused:
                return refused
        ids = dict(zip(token["statuses"], token["status_ids"], strict=True))
        for status, name in wanted.items():
            if status not in present:
                refused = yield from self._add_status(uuid, status, name, icon_of(ids.get(name, name)))
                if refused:
                    return refused
        return None

    def _take_status(self, uuid: str, status: str) -> Asking[Outcome | None]:
        """By its id; where the module can't look that up, by the effects that bear it."""
        if NO_LIST not in self.memory:
            path = self._path("/effects", uuid=uuid, statusId=status)
            request = Request("DELETE", path, gone_will_do=True, may_fail=True)
            answer = yield request
            if not lacks_list(answer):
                outcome = self.outcome(request, answer, time.time())
                return outcome if outcome.kind is OutcomeKind.REJECTED else None
            self.memory[NO_LIST] = "1"
        answer = yield Request("GET", self._path("/effects", uuid=uuid))
        for effect in effects(answer):
            if status in (effect.get("statuses") or []):
                path = self._path("/effects", uuid=uuid, effectId=str(effect.get("id")))
                yield Request("DELETE", path, gone_will_do=True)
        return None

    def _add_status(self, uuid: str, status: str, name: str, icon: str) -> Asking[Outcome | None]:
        """One of the world's own statuses, or else an effect that bears the name."""
        overlay: Payload = {}
        if status == self.statuses.get("out"):
            overlay = {"flags": {"core": {"overlay": True}}}
        unnamed = NO_LIST in self.memory or UNKNOWN + status in self.memory
        if not (status.startswith(OWN_EFFECT) or overlay or unnamed):
            body = {"uuid": uuid, "statusId": status}
            answer = yield Request("POST", self._path("/effects"), body, may_fail=True)
            if answer.status < 300 or is_already_so(answer):
                return None
            self.memory[NO_LIST if lacks_list(answer) else UNKNOWN + status] = "1"
            if not (lacks_list(answer) or "unknown status effect" in said(answer).lower()):
                return Outcome(OutcomeKind.REJECTED, f"it does not take the status {name}: {said(answer)}")
        effect: Payload = {
            "name": name,
            "icon": icon,
            "img": icon,
            "showIcon": ALWAYS,  # Foundry 14 hides what has no end; older ones know no such key
            "statuses": [status],
            **overlay,
        }
        made = {"uuid": uuid, "effectData": effect}
        yield Request("POST", self._path("/effects"), made, looked_for=True)
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
                mapped = OWN_EFFECT + re.sub(r"[^a-z0-9]+", "-", name.lower())
            if mapped:
                wanted[mapped] = name
        if token["state"] == "out" and self.statuses.get("out"):
            wanted[self.statuses["out"]] = "Taken Out"
        return wanted

    def _ours(self, statuses: set[str]) -> set[str]:
        known = set(self.statuses.values())
        return {status for status in statuses if status in known or status.startswith(OWN_EFFECT)}
