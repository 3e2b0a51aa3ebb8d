"""The target for the embedded table, and for other programs with the same HTTP API.

`strike table` serves the embedded table. The API is described in strike_table/openapi.json.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote
from zlib import crc32

from ..credential_store import TABLE_KEY
from ..http_conversation import Answer, Conversation, Request, Wire, encode_json
from ..journal_results import Post
from ..request_outcome import Outcome, OutcomeKind
from .base import FOG, Asking, Supports, Target, differs

if TYPE_CHECKING:
    from strike_table.schemas import ZonePayload

    from ..payloads import (
        DecisionWords,
        ReadToken,
        ShownAnimation,
        ShownAside,
        ShownDecision,
        ShownExhibit,
        ShownHeading,
        ShownImage,
        ShownLine,
        ShownOrder,
        ShownScene,
        ShownSide,
        ShownToken,
    )
    from ..settings import Settings

_API = "/api/v1"
_IMAGES = f"{_API}/images/"
# The table's limits, in characters and items: longer values are cut rather than refused.
_SHORT, _NAME, _TITLE, _SAID, _TEXT = 64, 200, 1000, 2000, 20_000
_DICE, _STATUSES, _ZONES, _METERS, _SIDES, _CARDS = 100, 50, 200, 20, 20, 500
_OPTIONS, _WORDS, _DECISIONS, _EXHIBITS, _LIGHTS = 100, 50, 50, 100, 2000
_COLOURS = ("party", "enemies")
"""The sides that every table knows, besides "neutral"."""


class TableTarget(Target):
    """The embedded table, which can show everything that the bridge sends.

    A position is the square of a token's top left corner. The table hides hidden things and secret results
    from players by itself. But another table with the same API may be less careful. So hidden things and
    secret results are sent only if the target's `audience` is "gm".
    """

    supports = Supports(
        hidden=True,
        hp=True,
        statuses=True,
        turn_order=True,
        chat=True,
        marks=True,
        images=True,
        doors=True,
        zones=True,
        read_back=True,
        read_results=True,
        idempotent=True,
        boardless=True,
        beside=True,
        asked=True,
        exhibits=True,
        any_order=True,
    )
    default_url = "http://127.0.0.1:4747"
    key_variable = TABLE_KEY

    def __init__(self, settings: Settings, key: str = "", session: str = "") -> None:
        super().__init__(settings, key, session)
        self._images: dict[str, bool] = {}
        """Whether the table has a picture, by hash, as far as it was asked since the last scene."""
        self._known: dict[str, object] | None = None
        """The table's own statement of what it supports, once it was asked."""

    def headers(self) -> dict[str, str]:
        """Return the HTTP headers of each request: Authorization, with the key."""
        return {"authorization": f"Bearer {self.key}"}

    def probe(self) -> Request:
        """Return the request for the list of tokens."""
        return Request("GET", f"{_API}/tokens")

    def put_scene(self, scene: ShownScene) -> Conversation:
        """Send a scene to the table in one PUT, after uploading its picture if the table doesn't have it.

        If the scene has no map and the table doesn't support such scenes, nothing is sent.
        """
        if not scene["rows"] and not (yield from self._supports_feature("boardless")):
            return None
        self._images.clear()  # with a new scene a table deletes pictures that are no longer in use
        shown = _with_players_map_if_fog_unknown(
            scene, FOG not in scene or (yield from self._supports_feature(FOG))
        )
        image = yield from self._ensure_uploaded(shown.get("image"))
        if image and (place := (shown.get("image") or {}).get("place")):
            image = {**image, "place": place}
        body = {**trimmed_scene_without_lights(shown), "image": image}
        if self.for_gm and scene.get("lights") and (yield from self._supports_feature("lights")):
            body["lights"] = [
                {"at": light["at"], "range": light["range"]} for light in scene["lights"][:_LIGHTS]
            ]
        yield Request("PUT", f"{_API}/scene", body)
        return None

    def _supports_feature(self, feature: str) -> Asking[bool]:
        """Return whether the table says that it supports a feature, such as "boardless".

        With version 1 of the API, a table names no features. Such a table refuses a scene without a map, and
        doesn't show side scenes or open decisions.
        """
        if self._known is None:
            answer = yield Request("GET", _API, may_fail=True)
            found = answer.value("supports", default={})
            self._known = dict(found) if isinstance(found, dict) else {}
            if answer.planned:
                self._known = dict.fromkeys(("boardless", "beside", "asked", "exhibits", FOG, "lights"), True)
        return self._known.get(feature) is True

    def _ensure_uploaded(
        self, image: ShownImage | None, *, sent_before: bool = False
    ) -> Asking[dict[str, object] | None]:
        """Upload a picture if the table doesn't have it; return {hash} if the table has it then, else None.

        If the picture was sent with its token before (`sent_before`), it isn't uploaded again. The table then
        either has the picture, or doesn't accept it.
        """
        digest = str((image or {}).get("sha256", ""))
        if not digest:
            return None
        if digest not in self._images:
            path = f"{_IMAGES}{digest}"
            # A 404 here means that the image or all support for images is missing, not the table.
            answer = yield Request("HEAD", path, gone_will_do=True, may_fail=True)
            picture = None if answer.status == 200 or sent_before else self.read_picture_file(image)
            if picture:
                headers = {"content-type": picture.media_type}
                answer = yield Request(
                    "PUT", path, content=picture.content, headers=headers, gone_will_do=True, may_fail=True
                )
            self._images[digest] = answer.status < 300
        return {"hash": digest} if self._images[digest] else None

    def clear_scene(self) -> list[Request]:
        """Send one DELETE: the table removes tokens and turn order together with the scene."""
        self._images.clear()
        return [Request("DELETE", f"{_API}/scene")]

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Upload the token's picture, unless the table has it, then send the whole token in one PUT.

        A picture's web address isn't sent, since the table's page loads nothing from other sites.
        """
        sent = before is not None and before.get("image") == token["image"]
        body = {
            **trimmed_token(token),
            "image": (yield from self._ensure_uploaded(token["image"], sent_before=sent)),
        }
        if body["side"] not in _COLOURS and not (yield from self._supports_feature("boardless")):
            body["side"] = "neutral"
        yield Request("PUT", _token_path(token["id"]), body)
        return None

    def remove_token(self, id: str) -> list[Request]:
        return [Request("DELETE", _token_path(id), gone_will_do=True)]

    def put_order(self, order: ShownOrder) -> list[Request]:
        return [Request("PUT", f"{_API}/order", order)]

    def put_side_scenes(self, beside: list[ShownAside]) -> Conversation:
        """Send the side scenes in one PUT, if the table supports them.

        Only the first _SIDES scenes are sent.
        """
        if (yield from self._supports_feature("beside")):
            knows_fog = yield from self._supports_feature(FOG)
            scenes = [
                {
                    "scene": {
                        **trimmed_scene_without_lights(
                            _with_players_map_if_fog_unknown(aside["scene"], knows_fog)
                        ),
                        "image": None,
                    },
                    "tokens": [trimmed_token(token) for token in aside["tokens"]],
                    "order": aside["order"],
                }
                for aside in beside[:_SIDES]
            ]
            yield Request("PUT", f"{_API}/beside", {"scenes": scenes})
        return None

    def put_decisions(self, asked: list[ShownDecision]) -> Conversation:
        """Send the open decisions, at most _DECISIONS of them, in one PUT.

        Nothing is sent to a table that doesn't support decisions.
        """
        if (yield from self._supports_feature("asked")):
            yield Request(
                "PUT", f"{_API}/asked", {"asked": [_trimmed_decision(one) for one in asked[:_DECISIONS]]}
            )
        return None

    def put_exhibits(self, exhibits: list[ShownExhibit]) -> Conversation:
        """Send the exhibits, after uploading their pictures.

        A picture is only uploaded if the table doesn't have it yet. The exhibits are sent in one PUT, at most
        _EXHIBITS of them. Nothing is sent to a table that doesn't support exhibits.
        """
        if (yield from self._supports_feature("exhibits")):
            bodies = []
            for one in exhibits[:_EXHIBITS]:
                bodies.append(
                    {**trimmed_exhibit(one), "image": (yield from self._ensure_uploaded(one["image"]))}
                )
            yield Request("PUT", f"{_API}/exhibits", {"exhibits": bodies})
        return None

    def send_result(self, post: Post) -> list[Request]:
        """Return the one POST request that sends a result.

        If the post marks an earlier result as undone or redone, the result is sent again with the mark. It
        replaces the earlier result, which has the same id.
        """
        dice = [
            {**die, "who": _shorten(die["who"], _NAME), "purpose": _shorten(die["purpose"], _NAME)}
            for die in post.result["dice"][:_DICE]
        ]
        body = {
            **post.result,
            "title": _shorten(post.result["title"], _TITLE),
            "text": _shorten(post.result["text"], _TEXT),
            "dice": dice,
            "play": _trimmed_play(post.result["play"]),
        }
        # The digest keeps a campaign that was begun anew from meeting its own old keys.
        key = f"{post.event or post.id}-{crc32(encode_json(body)):08x}"
        return [Request("POST", f"{_API}/results", body, key=key)]

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Return every token on the table, without its picture.

        All of these are our tokens, since a table shows no others.
        """
        found = self._read_list(wire, f"{_API}/tokens", "tokens")
        if isinstance(found, Outcome):
            return found
        return {
            str(token.get("id")): {key: value for key, value in token.items() if key != "image"}  # type: ignore[misc]  # as we told them
            for token in found
        }

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Ask the table whether it has a result, with the same mark that says whether it is undone.

        A result with the same id, but another text or time, belongs to another campaign and doesn't count. If
        the table can't be asked, return the outcome of the request.
        """
        found = self._read_list(wire, f"{_API}/results?after={post.result['seq'] - 1}", "results")
        if isinstance(found, Outcome):
            return found
        marked, at = post.result["undone"], (None, post.result["at"])
        wanted = post.result["id"], _shorten(post.result["text"], _TEXT)
        return any(
            (result.get("id"), result.get("text")) == wanted
            and result.get("undone", False) == marked
            and result.get("at") in at
            for result in found
        )

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of a request, judged by the HTTP answer.

        If a table doesn't accept pictures, it answers a picture with 405 or 501. That is the outcome REJECTED
        for this picture, and the delivery of other things goes on.
        """
        if answer.status in (405, 501) and request.path.startswith(_IMAGES):
            return Outcome(OutcomeKind.REJECTED, "it accepts no images", status=answer.status)
        return super().outcome(request, answer, now)

    def is_for_another_request(self, request: Request, answer: Answer) -> bool:
        """Return whether an answer belongs to another request.

        This is judged by the id of the token or result in the answer, if there is one.
        """
        sent = request.body if isinstance(request.body, dict) and request.method in ("PUT", "POST") else {}
        return differs(sent.get("id"), answer.value("id"))

    def _read_list(self, wire: Wire, path: str, key: str) -> list[dict[str, object]] | Outcome:
        answer = self.send_question(wire, Request("GET", path))
        if isinstance(answer, Outcome):
            return answer
        data = answer.json()
        found = data.get(key) if isinstance(data, dict) else None
        if isinstance(found, list) and all(isinstance(item, dict) for item in found):
            return found
        return Outcome(OutcomeKind.UNKNOWN, f"its answer to GET {path} can't be read")


def _token_path(id: str) -> str:
    return f"{_API}/tokens/{quote(id, safe='')}"


def _with_players_map_if_fog_unknown(scene: ShownScene, knows_fog: bool) -> ShownScene:
    """Return a scene in the form in which a table is sent it, with or without fog.

    `knows_fog` is whether the table can show fog. If so, the scene stays as it is. If not, the fog is
    removed, and the map is reduced to the part that players may see. This is done even for the game master's
    table.
    """
    fog = scene.get(FOG)
    if fog is None or knows_fog:
        return scene
    if fog["ground"]:
        scene = {**scene, **fog["ground"]}
    return {**scene, FOG: None, "image": None}


def trimmed_scene_without_lights(scene: ShownScene) -> dict[str, object]:
    """Return a scene without its lights, and with its texts cut to the table's limits."""
    goal, fog = scene.get("goal"), scene.get(FOG)
    body: dict[str, object] = {
        **{key: value for key, value in scene.items() if key != "lights"},
        "name": _shorten(scene["name"], _NAME),
        "goal": goal and _shorten(goal, _TITLE),
        "zones": _trimmed_zones(scene.get("zones", [])),
    }
    if fog:
        ground = fog["ground"]
        known = ground and {
            **{key: value for key, value in ground.items() if key != "lights"},
            "zones": _trimmed_zones(ground["zones"]),
        }
        body[FOG] = {**fog, "ground": known}
    if "sides" in scene:
        body["sides"] = [_trimmed_side(side) for side in scene["sides"][:_SIDES]]
    if "track" in scene:
        track = scene["track"]
        body["track"] = {**track, "name": _shorten(track["name"], _NAME), "steps": track["steps"][:_WORDS]}
    return body


def _trimmed_zones(zones: list[ZonePayload]) -> list[ZonePayload]:
    return [{**zone, "name": _shorten(zone["name"], _NAME)} for zone in zones[:_ZONES]]


def _trimmed_side(side: ShownSide) -> ShownSide:
    return {
        **side,
        "name": _shorten(side["name"], _NAME),
        "intent": _shorten(side["intent"], _TITLE),
        "traits": [_shorten(trait, _NAME) for trait in side["traits"][:_WORDS]],
        "lost_traits": [_shorten(trait, _NAME) for trait in side["lost_traits"][:_WORDS]],
        "cards": [
            {**card, "what": card["what"] and _shorten(card["what"], _NAME)}
            for card in side["cards"][:_CARDS]
        ],
    }


def trimmed_token(token: ShownToken) -> ShownToken:
    """Return a token cut to the table's limits.

    Long texts are shortened. If there are too many meters or statuses, the last ones are left out.
    """
    return {
        **token,
        "name": _shorten(token["name"], _NAME),
        "side": _shorten(token["side"], _SHORT),
        "meters": [
            {**meter, "name": _shorten(meter["name"], _NAME), "one": _shorten(meter["one"], _NAME)}
            for meter in token["meters"][:_METERS]
        ],
        "statuses": [_shorten(status, _NAME) for status in token["statuses"][:_STATUSES]],
    }


def _trimmed_decision(decision: ShownDecision) -> ShownDecision:
    words = _trimmed_decision_words(decision)
    return {
        **decision,
        "who": _shorten(decision["who"], _NAME),
        "name": _shorten(decision["name"], _NAME),
        "what": _shorten(decision["what"], _TITLE),
        "options": words["options"],
        "said": words["said"],
        "dice": words["dice"],
        "gm": decision["gm"] and _trimmed_decision_words(decision["gm"]),
    }


def trimmed_exhibit(exhibit: ShownExhibit) -> ShownExhibit:
    """Return an exhibit, such as a clock or handout, with its texts cut to the table's limits."""
    return {
        **exhibit,
        "id": _shorten(exhibit["id"], _SHORT),
        "name": _shorten(exhibit["name"], _NAME),
        "text": _shorten(exhibit["text"], _TEXT),
    }


def _trimmed_decision_words(decision: DecisionWords) -> DecisionWords:
    return {
        "options": [
            {"name": _shorten(option["name"], _NAME), "label": _shorten(option["label"], _TITLE)}
            for option in decision["options"][:_OPTIONS]
        ],
        "said": [_shorten(words, _SAID) for words in decision["said"][-_OPTIONS:]],
        "dice": [
            {**die, "who": _shorten(die["who"], _NAME), "purpose": _shorten(die["purpose"], _NAME)}
            for die in decision["dice"][-_DICE:]
        ],
    }


def _trimmed_play(play: ShownAnimation | None) -> ShownAnimation | None:
    if play is None:
        return None
    head, turn = play["head"], play["turn"]
    return {
        **play,
        "head": head and _trimmed_head(head),
        "turn": turn
        and {**turn, "name": _shorten(turn["name"], _NAME), "side": _shorten(turn["side"], _SHORT)},
        "effects": [
            {**effect, "words": _shorten(effect["words"], _NAME)} if "words" in effect else effect
            for effect in play["effects"]
        ],
        "lines": [*map(_trimmed_line, play["lines"][:_OPTIONS])],
        "banners": [
            {**banner, "text": _shorten(banner["text"], _NAME)} for banner in play["banners"][:_OPTIONS]
        ],
    }


def _trimmed_head(head: ShownHeading) -> ShownHeading:
    power = _shorten(head.get("power", ""), _NAME)
    return {
        **head,
        "name": _shorten(head["name"], _NAME),
        "what": _shorten(head["what"], _NAME),
        "power": power,
    }


def _trimmed_line(line: ShownLine) -> ShownLine:
    headline = _shorten(line.get("headline", ""), _NAME)
    return {**line, "text": _shorten(line["text"], _SAID), "headline": headline}


def _shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
