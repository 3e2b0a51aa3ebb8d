"""The contents of Foundry's documents and the relay's answers: scenes, tokens, messages.

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

from ..pictures import PictureFile
from .base import Answer, Post, Request
from .readers import as_number, tables_in, value_at

if TYPE_CHECKING:
    from strike_table.schemas import PointPayload, SquarePayload

    from ..payloads import ShownDoor, ShownEntry


FLAG = "strike"
"""The key of our id among a document's flags."""

UPLOAD = "/upload"


class FoundryScene(NamedTuple):
    """The grid of a scene: the pixel position of the first square's corner, and a square's side in pixels."""

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
    def of(cls, doc: Mapping[str, object], origin: tuple[int, int], level: str = "") -> FoundryScene:
        """Return a scene from Foundry's document.

        `origin` is the scene's square under our first square; `level` names a level, by id or name, where it
        isn't the one that the scene opens on.
        """
        grid = doc.get("grid")
        size = int(as_number(grid["size"] if isinstance(grid, Mapping) else grid or 100))
        left = _padding(doc, "width", size, value_at(doc, "background.offsetX") or doc.get("shiftX"))
        top = _padding(doc, "height", size, value_at(doc, "background.offsetY") or doc.get("shiftY"))
        across, down = origin
        name = str(doc.get("name", ""))
        counts = grid.get("distance") if isinstance(grid, Mapping) else doc.get("gridDistance")
        corner = left + across * size, top + down * size
        return cls(str(doc["_id"]), name, *corner, size, float(as_number(counts or 1)), _level(doc, level))

    def pixels(self, position: SquarePayload | PointPayload) -> PointPayload:
        """Return the pixel position of a square's corner."""
        return {"x": self.left + position["x"] * self.size, "y": self.top + position["y"] * self.size}

    def square(self, x: float, y: float) -> SquarePayload:
        """Return the square of a token's corner."""
        return {"x": round((x - self.left) / self.size), "y": round((y - self.top) / self.size)}


def _level(doc: Mapping[str, object], named: str) -> str:
    """Return the level of a scene for new tokens.

    It is the named one, else the one that the scene opens on, else its first.
    """
    levels = sorted(tables_in(doc.get("levels")), key=lambda each: as_number(each.get("sort")))
    ids = [str(each["_id"]) for each in levels if each.get("_id")]
    for each in levels:
        if named and named in (each.get("_id"), each.get("name")):
            return str(each["_id"])
    opens = str(doc.get("initialLevel") or "")
    return opens if opens in ids else next(iter(ids), "")


def _padding(doc: Mapping[str, object], side: str, size: int, offset: object) -> int:
    """Return where the picture begins, in whole squares.

    That is the first grid line after the padding.
    """
    padding = math.ceil(as_number(doc.get("padding")) * as_number(doc.get(side)) / size) * size
    return round((padding - as_number(offset)) / size) * size


def has_values(doc: object, wanted: object) -> bool:
    """Return whether a document has all the wanted values."""
    if not isinstance(wanted, Mapping):
        return bool(doc == wanted)
    return isinstance(doc, Mapping) and all(has_values(doc.get(key), value) for key, value in wanted.items())


def split_uuid(uuid: str) -> tuple[str, str]:
    """Return S and T of `Scene.S.Token.T`."""
    _, _, rest = uuid.partition("Scene.")
    scene, _, token = rest.partition(".Token.")
    return scene, token


def actor_of(uuid: str, doc: Mapping[str, object]) -> str:
    """Return the UUID of a token's actor; an unlinked token has an actor of its own."""
    actor = doc.get("actorId")
    if not actor:
        return ""
    return f"Actor.{actor}" if doc.get("actorLink") else f"{uuid}.Actor.{actor}"


def our_id(doc: Mapping[str, object]) -> str:
    """Return our id of a token, or "" for one that strike didn't make."""
    return str(value_at(doc, f"flags.{FLAG}.id") or "")


def upload_body(picture: PictureFile) -> bytes:
    """Return the body that uploads a picture into Foundry's data.

    Players can reach it there, so its name reveals nothing.
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


def initiatives(entries: list[ShownEntry]) -> dict[str, float]:
    """Return initiatives by which Foundry sorts combatants in our order.

    They are our own values, with hundredths to break ties, or positions where our order is another. Where
    nobody has rolled initiative and those who have acted come last, they get 0 and below.
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
    """Return a key that sorts by Foundry's order of turns."""
    initiative = combatant.get("initiative")
    return (math.inf if initiative is None else -as_number(initiative)), str(combatant.get("id"))


def message_heading(post: Post) -> str:
    """Return the line above a message: the number in the journal, by which the message is found again."""
    return f"#{post.id.replace('-', ' ')}"


def message_text(post: Post) -> str:
    """Return the text of a message."""
    return disable_rolls(str(post.result["html"]))


def disable_rolls(html: str) -> str:
    """Return HTML of which Foundry rolls nothing (`[[1d6]]`) and looks nothing up (`@UUID[...]`).

    A name may contain either.
    """
    return html.replace("[[", "[\u200b[").replace("@", "@\u200b")


def visible_text(html: str) -> str:
    """Return the visible text of HTML, for comparison, since Foundry stores HTML in another form."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def as_sentence(why: str) -> str:
    """Return a reason as a complete sentence."""
    return f"{why[:1].upper()}{why[1:]}."


def refusal_sentence(answer: Answer) -> str:
    """Return a refusal's reason in Foundry's or the relay's words, at most 300 characters."""
    texts = [answer.value("error"), answer.value("message")]
    return " ".join(text for text in texts if isinstance(text, str))[:300]


def is_already_so(answer: Answer) -> bool:
    """Return whether an answer refuses a change that is already in effect."""
    lowered = refusal_sentence(answer).lower()
    return answer.status == 400 and ("already has status" in lowered or "already exists" in lowered)


def lacks_list(answer: Answer) -> bool:
    """Return whether the module failed because the world has Foundry 14's table of statuses and no list.

    Then it can neither add nor remove a status by its id.
    """
    return answer.status == 400 and "config.statuseffects" in refusal_sentence(answer).lower()


def is_gone(lowered: str) -> bool:
    """Return whether an error in lower case says that the document no longer exists."""
    return "not found" in lowered or "does not exist" in lowered or "of null" in lowered


def is_anothers(request: Request, answer: Answer) -> bool:
    """Return whether an answer belongs to another request of the same kind.

    The relay may swap answers under load.
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


def icon_of(status: str) -> str:
    """Return the icon of a status of ours, by its id."""
    word = status.rpartition(":")[2].replace("-", " ").lower()
    return f"icons/svg/{_ICONS.get(word, 'aura')}.svg"


ALWAYS = 2
"""The value of `showIcon` that always shows an effect's icon on its token."""
DOOR_CLOSED, DOOR_OPEN, DOOR_LOCKED = 0, 1, 2
"""The states of a wall that is a door (`ds`)."""


def doors_of(
    doors: list[ShownDoor], walls: list[Mapping[str, object]], scene: FoundryScene
) -> dict[int, Mapping[str, object]]:
    """Return, by the number of each of our doors, the wall of Foundry's that lies along it."""
    found = {}
    for number, door in enumerate(doors):
        start, end = scene.pixels(door["at"]), scene.pixels(door["to"])
        ends = [start["x"], start["y"], end["x"], end["y"]]
        for wall in walls:
            corners = wall.get("c")
            if isinstance(corners, list) and _is_same_wall(ends, corners, scene.size / 4):
                found[number] = wall
                break
    return found


def _is_same_wall(ours: Sequence[float], theirs: Sequence[float], near: float) -> bool:
    """Return whether two walls have the same ends, in either order, within a tolerance in pixels."""
    turned = [*theirs[2:], *theirs[:2]]
    return len(theirs) == 4 and any(
        all(abs(one - other) <= near for one, other in zip(ours, ends, strict=True))
        for ends in (theirs, turned)
    )
