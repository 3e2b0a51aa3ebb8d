"""Foundry VTT, through the foundryvtt-rest-api-relay: 3.x, and 2.x as far as it goes.

A link is a token's UUID, `Scene.S.Token.T`. Foundry keeps hidden tokens and whispers from its players, so it
is the game master's own by default; hidden creatures stay out of its combat tracker, which it would show.

Here is what changes a world. `foundry_inspection.py` reads it, `foundry_world.py` knows paths, documents and
what answers mean, `foundry_documents.py` their forms.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any

from .base import Asking, Conversation, Kind, Outcome, Payload, Post, Request, Wire, for_kind
from .foundry_documents import (
    FLAG,
    UPLOAD,
    actor_of,
    by_turn,
    content,
    effects,
    flavor,
    initiatives,
    is_already_so,
    items,
    parts,
    plain,
    said,
    upload,
)
from .foundry_inspection import FoundryInspection
from .foundry_world import OLD, OWN_EFFECT

_EFFECT_ICON = "icons/svg/aura.svg"
_BARS_FOR_OWNER, _BARS_FOR_ALL, _NAME_ON_HOVER = 40, 50, 30
_DISPOSITION = {"party": 1, "enemies": -1}
_LATEST = 100
"""Chat messages that are looked through for one of ours."""


class FoundryTarget(FoundryInspection):
    """Foundry VTT: pixels from the top left, everything but marks on results."""

    # Scene and tokens

    def put_scene(self, scene: Payload) -> Conversation:
        """Foundry has maps of its own: looks again at what it shows, and says what an old relay can't do."""
        self._scenes.clear()
        self._actors.clear()
        yield from self._begin()
        if self._version < 3:
            return Outcome(Kind.REJECTED, OLD)
        return None

    def clear_scene(self) -> Conversation:
        """Ends the combat that we began, and takes away the tokens that we made."""
        yield from self._begin()
        combat = self.memory.get("combat")
        if combat:
            yield Request("DELETE", self._path("/delete", uuid=f"Combat.{combat}"), gone_will_do=True)
            self.memory.pop("combat", None)
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
                return Outcome(Kind.REJECTED, f"it has no token for {token['name']}, and {OLD}")
            before = None
            uuid = yield from self._make(token)
        else:
            refused = yield from self._place(uuid, token, before)
            if refused and not (token["id"] in self.made and refused.gone):
                return refused
            if refused and token["position"] is None:
                return None  # nobody misses the body
            if refused:
                uuid = yield from self._make(token)
        yield from self._put_numbers(uuid, token, before)
        return (yield from self._put_statuses(uuid, token, before))

    def _make(self, token: Payload) -> Asking[str]:
        scene = yield from self._scene()
        data = {
            "name": token["name"],
            "displayName": _NAME_ON_HOVER,
            "disposition": _DISPOSITION.get(token["side"], 0),
            **scene.pixels(token["position"]),
            **self._bars(token),
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
        if actor:
            yield self._update(actor, data)

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
        if not status.startswith(OWN_EFFECT):
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
                mapped = OWN_EFFECT + re.sub(r"[^a-z0-9]+", "-", name.lower())
            if mapped:
                wanted[mapped] = name
        if token["state"] == "out" and self.statuses.get("out"):
            wanted[self.statuses["out"]] = "Taken Out"
        return wanted

    def _ours(self, statuses: set[str]) -> set[str]:
        known = set(self.statuses.values())
        return {status for status in statuses if status in known or status.startswith(OWN_EFFECT)}

    # Turn order

    def put_order(self, order: Payload) -> Conversation:
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
        made = yield Request("POST", self._path("/start-encounter"), {}, looked_for=True)
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
        yield Request("POST", self._path("/add-to-encounter"), {"uuids": missing}, looked_for=True)
        answer = yield Request("GET", self._path("/encounters"))
        for now in items(answer.value("encounters")):
            if now.get("id") == combat["id"]:
                return {**now, "combatants": [dict(one) for one in items(now.get("combatants"))]}
        return combat

    # Results

    def send_result(self, post: Post) -> Conversation:
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
