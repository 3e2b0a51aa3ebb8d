"""The contents of Foundry's documents and of the relay's answers: scenes, tokens, messages.

Nothing is sent here.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import unescape
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from strike_cli.tabletop.turn_order import ACTED, DELAYED

from ..picture_files import PictureFile
from .answers_and_pixel_grid import parse_number_empty_as_zero, tables_in, value_at_path_of_keys
from .base import Answer, Post, Request

if TYPE_CHECKING:
    from strike_table.schemas import PointPayload, SquarePayload

    from ..payloads import ShownDoor, ShownEntry


FLAG = "strike"
"""The key of our id among a document's flags."""

UPLOAD = "/upload"


class FoundryScene(NamedTuple):
    """A Foundry scene and its grid.

    `left` and `top` are the pixel position of our first square's corner, `size` is a square's side in pixels.
    """

    id: str
    name: str
    left: int
    top: int
    size: int
    distance: float = 1
    """The length of a square's side in Foundry, such as 5 feet."""
    level: str = ""
    """The id of the level for new tokens; empty before Foundry 14, which has levels."""

    @classmethod
    def from_document(
        cls, doc: Mapping[str, object], origin: tuple[int, int], level: str = ""
    ) -> FoundryScene:
        """Return a scene made from Foundry's document.

        `origin` is the column and row in Foundry's scene at which the first square of strike's map lies.
        `level` is the id or name of the level for new tokens. If `level` is "", new tokens go to the level on
        which the scene opens.
        """
        grid = doc.get("grid")
        size = int(parse_number_empty_as_zero(grid["size"] if isinstance(grid, Mapping) else grid or 100))
        left = _picture_start_on_grid(
            doc, "width", size, value_at_path_of_keys(doc, "background.offsetX") or doc.get("shiftX")
        )
        top = _picture_start_on_grid(
            doc, "height", size, value_at_path_of_keys(doc, "background.offsetY") or doc.get("shiftY")
        )
        across, down = origin
        name = str(doc.get("name", ""))
        counts = grid.get("distance") if isinstance(grid, Mapping) else doc.get("gridDistance")
        corner = left + across * size, top + down * size
        return cls(
            str(doc["_id"]),
            name,
            *corner,
            size,
            float(parse_number_empty_as_zero(counts or 1)),
            _named_or_initial_level(doc, level),
        )

    def corner_pixels(self, position: SquarePayload | PointPayload) -> PointPayload:
        """Return the position in pixels of a square's top left corner."""
        return {"x": self.left + position["x"] * self.size, "y": self.top + position["y"] * self.size}

    def square_with_nearest_corner(self, x: float, y: float) -> SquarePayload:
        """Return the square whose top left corner is nearest to a position in pixels."""
        return {"x": round((x - self.left) / self.size), "y": round((y - self.top) / self.size)}


def _named_or_initial_level(doc: Mapping[str, object], level_name: str) -> str:
    """Return the id of the scene's level on which new tokens are put; "" for a scene without levels.

    It is the level whose id or name is `level_name`. If there is no such level, it is the level on which the
    scene opens. If the scene doesn't name one of its levels for that, it is the scene's first level.
    """
    levels = sorted(
        tables_in(doc.get("levels")), key=lambda each: parse_number_empty_as_zero(each.get("sort"))
    )
    ids = [str(each["_id"]) for each in levels if each.get("_id")]
    for each in levels:
        if level_name and level_name in (each.get("_id"), each.get("name")):
            return str(each["_id"])
    opens = str(doc.get("initialLevel") or "")
    return opens if opens in ids else next(iter(ids), "")


def _picture_start_on_grid(doc: Mapping[str, object], side: str, size: int, offset: object) -> int:
    """Return the pixel at which a scene's picture begins along one side, rounded to whole squares."""
    padding = (
        math.ceil(
            parse_number_empty_as_zero(doc.get("padding")) * parse_number_empty_as_zero(doc.get(side)) / size
        )
        * size
    )
    return round((padding - parse_number_empty_as_zero(offset)) / size) * size


def has_values(doc: object, wanted: object) -> bool:
    """Return whether a document has every value in `wanted`, at any depth."""
    if not isinstance(wanted, Mapping):
        return bool(doc == wanted)
    return isinstance(doc, Mapping) and all(has_values(doc.get(key), value) for key, value in wanted.items())


def scene_and_token_ids(uuid: str) -> tuple[str, str]:
    """Return the ids of scene and token in a UUID such as `Scene.S.Token.T`."""
    _, _, rest = uuid.partition("Scene.")
    scene, _, token = rest.partition(".Token.")
    return scene, token


def actor_uuid_of(uuid: str, doc: Mapping[str, object]) -> str:
    """Return the UUID of a token's actor; "" if the token has no actor.

    If the token isn't linked to an actor of the world, its actor is a copy inside the token, and the copy has
    its own UUID.
    """
    actor = doc.get("actorId")
    if not actor:
        return ""
    return f"Actor.{actor}" if doc.get("actorLink") else f"{uuid}.Actor.{actor}"


def our_id(doc: Mapping[str, object]) -> str:
    """Return our id that a token carries; "" if it carries none."""
    return str(value_at_path_of_keys(doc, f"flags.{FLAG}.id") or "")


def upload_body(picture: PictureFile) -> bytes:
    """Return the body of a request that uploads a picture into Foundry's data.

    Players can open the file there, so its name reveals nothing.
    """
    end = picture.media_type.partition("/")[2].replace("jpeg", "jpg")
    body = {
        "path": FLAG,
        "filename": f"{picture.sha256[:32]}.{end}",
        "mimeType": picture.media_type,
        "overwrite": True,
        "fileData": f"data:{picture.media_type};base64,{b64encode(picture.content).decode()}",
    }
    return json.dumps(body).encode()


def status_effects(answer: Answer) -> list[Mapping[str, object]]:
    """Return the status effects that an answer lists."""
    return tables_in(answer.value("data", "effects"))


_ACTED = (ACTED, DELAYED)


def initiatives_that_keep_order(entries: list[ShownEntry]) -> dict[str, float]:
    """Return initiative values, by our ids, that make Foundry sort the combatants in our order.

    If everybody has rolled, and our order is that of the rolled values, the results are the rolled values.
    Hundredths are added to break ties.

    Otherwise the results are whole numbers that count down from entry to entry. If nobody has rolled, the
    entries at the end of the order that have already acted get 0 and below.
    """
    rolled = [entry["initiative"] for entry in entries if entry["initiative"] is not None]
    if len(rolled) < len(entries) or any(above < below for above, below in itertools.pairwise(rolled)):
        last = itertools.takewhile(lambda entry: entry.get("state") in _ACTED, reversed(entries))
        to_act = len(entries) - (0 if any(rolled) else len(list(last)))
        return {entry["id"]: to_act - number for number, entry in enumerate(entries)}
    return {
        entry["id"]: initiative + rolled[number + 1 :].count(initiative) / 100
        for number, (entry, initiative) in enumerate(zip(entries, rolled, strict=True))
    }


def turn_sort_key(combatant: Mapping[str, object]) -> tuple[float, str]:
    """Return a sort key for combatants that gives Foundry's order of turns."""
    initiative = combatant.get("initiative")
    return (math.inf if initiative is None else -parse_number_empty_as_zero(initiative)), str(
        combatant.get("id")
    )


def message_heading(post: Post) -> str:
    """Return the line above a message in Foundry, such as `#12`.

    It has the post's id, so that the bridge can find the message again.
    """
    return f"#{post.id.replace('-', ' ')}"


def message_html(post: Post) -> str:
    """Return a post's HTML, changed so that Foundry takes no part of it for a dice roll."""
    return disable_rolls_and_lookups(str(post.result["html"]))


def disable_rolls_and_lookups(html: str) -> str:
    """Return HTML in which Foundry rolls nothing (`[[1d6]]`) and looks nothing up (`@UUID[...]`).

    A creature's name may contain such a text.
    """
    return html.replace("[[", "[\u200b[").replace("@", "@\u200b")


def visible_text(html: str) -> str:
    """Return the text of HTML without its tags, for comparison, since Foundry stores HTML in another form."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def as_sentence(why: str) -> str:
    """Return a reason as a sentence: with a capital letter at its start and a full stop at its end."""
    return f"{why[:1].upper()}{why[1:]}."


def refusal_sentence(answer: Answer) -> str:
    """Return the reason for a refusal in Foundry's or the relay's own words, at most 300 characters."""
    texts = [answer.value("error"), answer.value("message")]
    return " ".join(text for text in texts if isinstance(text, str))[:300]


def is_already_so(answer: Answer) -> bool:
    """Return whether an answer refuses a change because the requested state exists already."""
    lowered = refusal_sentence(answer).lower()
    return answer.status == 400 and ("already has status" in lowered or "already exists" in lowered)


def lacks_status_list(answer: Answer) -> bool:
    """Return whether the module failed because Foundry 14 has statuses in a table and not in a list.

    A module that expects a list can neither add nor remove a status by its id.
    """
    return answer.status == 400 and "config.statuseffects" in refusal_sentence(answer).lower()


def says_gone(lowered_error: str) -> bool:
    """Return whether an error's text, in lower case, says that a document no longer exists."""
    return "not found" in lowered_error or "does not exist" in lowered_error or "of null" in lowered_error


def answers_another_request(request: Request, answer: Answer) -> bool:
    """Return whether an answer belongs to another request of the same kind.

    The relay may mix up answers under load.
    """
    parts = urlsplit(request.path)
    query = dict(parse_qsl(parts.query))
    body = request.body if isinstance(request.body, Mapping) else {}
    made = body["data"] if parts.path == "/create" else {}
    pairs = [
        (query.get("uuid") if parts.path in ("/get", "/update", "/delete") else None, answer.value("uuid")),
        (body.get("uuid") if parts.path == "/move-token" else None, answer.value("data", "tokenUuid")),
        (body.get("documentId") or query.get("documentId"), answer.value("data", 0, "_id")),
        (request.creates or None, answer.value("data", 0, "flags", FLAG, "id")),
        (body.get("flavor"), answer.value("data", "flavor")),
        (made.get("flavor"), answer.value("entity", "flavor")),
    ]
    return any(asked is not None and told is not None and asked != told for asked, told in pairs)


_ICONS = {
    "bloodied": "blood", "blinded": "blind", "dazed": "daze", "deafened": "deaf", "distracted": "eye",
    "dominated": "eye", "flying": "wing", "frenzied": "explosion", "grabbed": "net", "guarded": "shield",
    "harried": "target", "hidden": "invisible", "immobilized": "anchor", "incapacitated": "unconscious",
    "invisible": "invisible", "marked": "target", "ongoing": "degen", "panicked": "terror",
    "prone": "falling",
    "reeling": "stoned", "restrained": "padlock", "slowed": "downgrade", "stunned": "daze",
    "taken out": "skull", "weakened": "downgrade",
}  # fmt: skip
"""Foundry's own icons for statuses that the world's game system doesn't have."""


def status_icon(status: str) -> str:
    """Return the path of the icon for one of our statuses, by the status's id."""
    word = status.rpartition(":")[2].replace("-", " ").lower()
    return f"icons/svg/{_ICONS.get(word, 'aura')}.svg"


ALWAYS = 2
"""The value of `showIcon` that always shows an effect's icon on its token."""
DOOR_CLOSED, DOOR_OPEN, DOOR_LOCKED = 0, 1, 2
"""The states of a wall that is a door (`ds`)."""


def match_doors_to_walls(
    doors: list[ShownDoor], walls: list[Mapping[str, object]], scene: FoundryScene
) -> dict[int, Mapping[str, object]]:
    """Return the walls in Foundry on which our doors lie, by the position of the door in `doors`.

    Positions are counted from 0. A door without such a wall is left out.
    """
    found = {}
    for number, door in enumerate(doors):
        start, end = scene.corner_pixels(door["at"]), scene.corner_pixels(door["to"])
        ends = [start["x"], start["y"], end["x"], end["y"]]
        for wall in walls:
            corners = wall.get("c")
            if isinstance(corners, list) and _is_same_wall(ends, corners, scene.size / 4):
                found[number] = wall
                break
    return found


def _is_same_wall(ours: Sequence[float], theirs: Sequence[float], tolerance: float) -> bool:
    """Return whether two walls have the same ends, in either order, within `tolerance` pixels."""
    turned = [*theirs[2:], *theirs[:2]]
    return len(theirs) == 4 and any(
        all(abs(one - other) <= tolerance for one, other in zip(ours, ends, strict=True))
        for ends in (theirs, turned)
    )
