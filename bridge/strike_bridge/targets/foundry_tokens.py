"""Foundry's tokens: creates, changes, moves and removes them, and sets their actors' meters."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .answers_and_pixel_grid import nest_keys
from .base import Asking, Conversation, Outcome, OutcomeKind, Payload, Request, value_for_token
from .foundry_documents import FLAG, UPLOAD, actor_uuid_of, has_values, scene_and_token_ids, upload_body
from .foundry_relay import ACTOR, OLD, FoundryRelay
from .foundry_statuses import FoundryStatuses

if TYPE_CHECKING:
    from strike_table.schemas import PointPayload, SquarePayload

    from ..payloads import ShownToken


_BARS_FOR_OWNER, _BARS_FOR_ALL, _NAME_ON_HOVER = 40, 50, 30
_MOST_CORNERS = 12
_DISPOSITION = {"party": 1, "enemies": -1}


class FoundryTokens:
    """The part of the Foundry target that creates, changes and deletes tokens."""

    def __init__(self, relay: FoundryRelay, statuses: FoundryStatuses) -> None:
        self._relay = relay
        self._target = relay.target
        self._statuses = statuses
        self._models: dict[str, dict[str, object]] = {}
        """The look of an actor's tokens, by the actor's id."""
        self._uploaded: dict[str, str] = {}
        """The path of each uploaded picture in Foundry's data, by hash."""

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Create or change a token, then its meters and statuses. Only differences from `before` are sent."""
        yield from self._relay.find_version_and_only_world()
        uuid = self._target.links.get(token["id"], "")
        if not uuid:
            if token["position"] is None:
                return None  # a creature off the map needs no token
            if self._relay.version < 3:
                return Outcome(OutcomeKind.REJECTED, f"it has no token for {token['name']}, and {OLD}")
            return (yield from self._create_with_meters_and_statuses(token))
        else:
            refused = yield from self._update_place_and_look(uuid, token, before)
            if refused and not (token["id"] in self._target.created_ids and refused.gone):
                return refused
            if refused and token["position"] is None:
                return None  # it was deleted there, and is off the map
            if refused:
                return (yield from self._create_with_meters_and_statuses(token))
        yield from self._put_meters(uuid, token, before)
        return (yield from self._statuses.put_statuses(uuid, token, before))

    def _create_with_meters_and_statuses(self, token: ShownToken) -> Asking[Outcome | None]:
        uuid, has_numbers = yield from self._create_perhaps_with_meters(token)
        if not has_numbers:
            yield from self._put_meters(uuid, token, None)
        return (
            yield from self._statuses.put_statuses(
                uuid, token, {**token, "status_ids": [], "statuses": [], "state": "up"}
            )
        )

    def _create_perhaps_with_meters(self, token: ShownToken) -> Asking[tuple[str, bool]]:
        """Create a token; return its UUID, and whether the same request also set its meters."""
        scene, position = (yield from self._relay.read_scene()), token["position"]
        assert position is not None
        data = {
            "name": token["name"],
            "displayName": _NAME_ON_HOVER,
            "disposition": _DISPOSITION.get(token["side"], 0),
            **scene.corner_pixels(position),
            **({"level": scene.level} if scene.level else {}),
            **self._bar_fields(token),
            **self._token_appearance_without_texture(token, made_by_bridge=True),
            "flags": {FLAG: {"id": token["id"], "made": True}},
        }
        actor = self._actor_id_in_settings(token)
        if actor:
            model = yield from self._prototype_link_and_texture(actor)
            data = {**model, **data, "actorId": actor}
            numbers = {} if model.get("actorLink") else nest_keys(self._target.meter_numbers(token))
            if numbers:
                data["delta"] = numbers
        data |= yield from self._upload_texture(token)
        body = {"sceneId": scene.id, "data": data}
        answer = yield Request("POST", self._relay.path_in_world("/canvas/tokens"), body, creates=token["id"])
        uuid, doc = self._target.links.get(token["id"], ""), answer.value("data", 0)
        if not isinstance(doc, Mapping):
            return uuid, False
        self._target.memory[ACTOR + uuid] = actor_uuid_of(uuid, doc)
        return uuid, bool(data.get("delta")) and has_values(doc.get("delta"), data["delta"])

    def _prototype_link_and_texture(self, actor: str) -> Asking[Mapping[str, object]]:
        """Return an actor's prototype for tokens.

        It says which texture the tokens have, and whether they are linked to the actor.
        """
        if actor not in self._models:
            answer = yield Request("GET", self._relay.path_in_world("/get", uuid=f"Actor.{actor}"))
            model = answer.value("data", "prototypeToken", default={})
            kept = model if isinstance(model, Mapping) else {}
            self._models[actor] = {key: kept[key] for key in ("actorLink", "texture") if key in kept}
        return self._models[actor]

    def _upload_texture(self, token: ShownToken) -> Asking[Payload]:
        """Return the field for a token's picture; upload a file into Foundry's data first.

        The field is empty if there is no picture, or if Foundry doesn't accept it.
        """
        image = token["image"] or {}
        src, digest = image.get("url", ""), image.get("sha256", "")
        if digest and self._relay.version >= 3:
            if digest not in self._uploaded:
                picture = self._target.read_picture_file(image)
                if picture is None:
                    self._uploaded[digest] = ""
                else:
                    headers = {"content-type": "application/json"}
                    path = self._relay.path_in_world(UPLOAD)
                    answer = yield Request(
                        "POST", path, headers=headers, content=upload_body(picture), may_fail=True
                    )
                    self._uploaded[digest] = (
                        str(answer.value("path", default="")) if answer.status < 300 else ""
                    )
            src = self._uploaded[digest]
        return {"texture": {"src": src}} if src else {}

    def _actor_id_in_settings(self, token: ShownToken) -> str:
        """Return the id of the actor that the settings name for a token of ours; "" if they name none."""
        return value_for_token(self._target.option("actors", dict), token["id"]).removeprefix("Actor.")

    def _update_place_and_look(
        self, uuid: str, token: ShownToken, before: ShownToken | None
    ) -> Asking[Outcome | None]:
        """Set a token's position and look; return the outcome of a refusal, else None.

        If the creature goes into hiding, its token is hidden before it moves. If the creature appears, its
        token is shown after it has moved.
        """
        made = token["id"] in self._target.created_ids
        where: PointPayload | None = None
        if token["position"] and (before is None or token["position"] != before["position"]):
            where = (yield from self._relay.read_scene(scene_and_token_ids(uuid)[0])).corner_pixels(
                token["position"]
            )
        look = self._token_appearance_without_texture(token, made_by_bridge=made)
        if made and (before is None or before.get("image") != token["image"]):
            look |= yield from self._upload_texture(token)
        if before is None:
            data = {**(where or {}), **look, "flags": {FLAG: {"id": token["id"], "made": made}}}
            if made and self._actor_id_in_settings(token):
                data["actorId"] = self._actor_id_in_settings(token)
            request = self._relay.token_change_request(uuid, data)._replace(may_fail=True)
            answer = yield request
            if answer.status >= 300:
                return self._target.outcome(request, answer, time.time())
            doc = answer.value("data", 0)
            self._target.memory.pop(ACTOR + uuid, None)
            if isinstance(doc, Mapping):
                self._target.memory[ACTOR + uuid] = actor_uuid_of(uuid, doc)
            return None
        was = self._token_appearance_without_texture(before, made_by_bridge=made)
        changed = {key: value for key, value in look.items() if was.get(key) != value}
        if changed and look["hidden"]:
            yield self._relay.token_change_request(uuid, changed)
        if where:
            corners = self._turns_before_path_end(token) if before["position"] else []
            scene = yield from self._relay.read_scene(scene_and_token_ids(uuid)[0])
            yield self._move_request(uuid, where, [scene.corner_pixels(corner) for corner in corners])
        if changed and not look["hidden"]:
            yield self._relay.token_change_request(uuid, changed)
        return None

    def _move_request(self, uuid: str, where: PointPayload, corners: list[PointPayload]) -> Request:
        if self._relay.version < 3:
            return self._relay.update_request(uuid, where)
        body: Payload = {
            "uuid": uuid, **where, "animate": self._target.options["animate"],
            "sceneId": scene_and_token_ids(uuid)[0],
            **({"waypoints": corners} if corners and self._target.options["animate"] else {}),
        }  # fmt: skip
        return Request("POST", self._relay.path_in_world("/move-token"), body)

    def _turns_before_path_end(self, token: ShownToken) -> list[SquarePayload]:
        """Return the squares where a token's path turns, at most `_MOST_CORNERS`.

        The relay pauses for a third of a second at each corner, and gives up after ten seconds in all.
        """
        way = list(self._target.paths.get(token["id"], ()))
        if not way or way[-1] != token["position"]:
            return []
        turns = [
            here
            for before, here, after in zip(way, way[1:], way[2:], strict=False)
            if (here["x"] - before["x"], here["y"] - before["y"])
            != (after["x"] - here["x"], after["y"] - here["y"])
        ]
        return turns[:_MOST_CORNERS]

    def _token_appearance_without_texture(self, token: ShownToken, *, made_by_bridge: bool) -> Payload:
        """Return the fields for a token's look.

        Name and size are included only if `made_by_bridge` says that the bridge created the token.
        """
        look: Payload = {"hidden": self._target.is_out_of_sight(token)}
        if token["hp_shown"] in ("wounds", "none"):
            look["displayBars"] = _BARS_FOR_OWNER
        if made_by_bridge:
            look |= {"name": token["name"], "width": token["size"], "height": token["size"]}
        return look

    def _bar_fields(self, token: ShownToken) -> Payload:
        """Return the fields for a token's two bars.

        The bars show the first two meters that have a place in Foundry. If no meter has a place there, the
        result is empty.
        """
        places = (
            self._target.meter_places(meter["id"], first=number == 0)[0]
            for number, meter in enumerate(token["meters"])
        )
        shown = self._target.meter_numbers(token)
        paths = [re.fullmatch(r"system\.(.+)\.value", place) for place in places if place in shown]
        attributes = [path[1] for path in paths if path]
        bars = {f"bar{place}": {"attribute": name} for place, name in enumerate(attributes[:2], 1)}
        return {**bars, "displayBars": _BARS_FOR_ALL} if bars else {}

    def delete_or_hide_token(self, id: str) -> Conversation:
        """Delete a token that the bridge created; hide any other."""
        yield from self._relay.find_version_and_only_world()
        uuid = self._target.links.get(id, "")
        if not uuid:
            return None
        if id not in self._target.created_ids:
            yield self._relay.token_change_request(uuid, {"hidden": True})
            return None
        if self._relay.version < 3:
            path = self._relay.path_in_world("/delete", uuid=uuid)
        else:
            scene, token = scene_and_token_ids(uuid)
            path = self._relay.path_in_world("/canvas/tokens", sceneId=scene, documentId=token)
        yield Request("DELETE", path, gone_will_do=True)
        self._target.links.pop(id, None)  # if a later removal fails, this token is not removed again
        return None

    def _put_meters(self, uuid: str, token: ShownToken, before: ShownToken | None) -> Asking[None]:
        """Set a token's meters on its actor, at the places where the world's system stores them.

        For an enemy the true number is sent. Players can't open its actor, and its bars are shown as the
        campaign says.
        """
        data = self._target.meter_numbers(token)
        if not data or (before is not None and data == self._target.meter_numbers(before)):
            return
        actor = yield from self._relay.read_actor_uuid(uuid)
        if actor.startswith("Actor."):  # linked: it is the player's own, and its maximum is worked out there
            most = {
                self._target.meter_places(meter["id"], first=place == 0)[1]
                for place, meter in enumerate(token["meters"])
            }
            data = {place: value for place, value in data.items() if place not in most}
        if actor and data:
            yield self._relay.update_request(actor, data)
