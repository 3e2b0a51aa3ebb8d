"""Variables for the templates of a REST target: tokens, results, turn order and ground.

They have the form of the table's schema, with further values that an API is likely to want. File names are
left out, since one may reveal a creature.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..journal_results import Post
from ..pictures import PictureFile
from ..projection import Payload
from .templates import Base64

if TYPE_CHECKING:
    from ..payloads import MapSize, ShownExhibit, ShownImage, ShownOrder, ShownScene, ShownToken


TOKEN_FIELDS = (
    *("id", "name", "side", "position", "away", "size", "hp", "hp_shown", "wounds", "gm_hp", "meters"),
    *("statuses", "status_ids", "hidden", "initiative", "active", "state", "image"),
)
_MADE_OF = {
    **dict.fromkeys(("x", "y", "cx", "cy"), "position"),
    "meter": "meters",
    "picture": "image",
    "link": "id",
    "visible": "state",
}
"""Additional fields of a token's view, and the field that each is made from."""
VIEW_FIELDS = {*TOKEN_FIELDS, *_MADE_OF}


class Pictures:
    """Pictures of tokens and maps for templates. `cached` finds the stored answer to an upload."""

    def __init__(
        self, read: Callable[[ShownImage | None], PictureFile | None], cached: Callable[[str], str | None]
    ) -> None:
        self._read = read
        self._kept = cached

    def of(self, image: ShownImage | None) -> Payload | None:
        """Return {url, sha256, media_type, base64}; None where there is no picture.

        `url` of a file comes from the answer to its upload.
        """
        if not image:
            return None
        if "url" in image:
            return {"url": image["url"], "sha256": None, "media_type": None, "base64": None}
        picture = self._read(image)
        if picture is None:
            return None
        return {
            "url": self._kept(picture.sha256),
            "sha256": picture.sha256,
            "media_type": picture.media_type,
            "base64": Base64(base64.b64encode(picture.content).decode()),
        }


class Words:
    """The target's vocabulary, by its settings."""

    def __init__(
        self,
        status: Callable[[str, str], str | None],
        visible: Callable[[ShownToken], bool],
        links: Mapping[str, str],
        pictures: Pictures | None,
    ) -> None:
        self._status = status
        self._visible = visible
        self._links = links
        self._pictures = pictures

    def statuses(self, token: ShownToken) -> list[dict[str, str]]:
        """Return {id, name} of each status, in the target's words.

        Statuses that settings leave out are missing.
        """
        found = []
        for id, name in zip(token["status_ids"], token["statuses"], strict=True):
            word = self._status(id, name)
            if word != "":
                found.append({"id": id, "name": name if word is None else word})
        return found

    def token(self, token: ShownToken) -> Payload:
        """Return a token's view."""
        at, size = token["position"], token["size"]
        x, y = (at["x"], at["y"]) if at else (None, None)
        view = {
            **token,
            "x": x,
            "y": y,
            "cx": None if x is None else _half(x, size),
            "cy": None if y is None else _half(y, size),
            "visible": self._visible(token),
            "meter": {meter["id"]: meter for meter in token["meters"]},
            "statuses": [status["name"] for status in self.statuses(token)],
            "link": self._links.get(token["id"]),
            "picture": self._pictures.of(token["image"]) if self._pictures else None,
        }
        view.pop("image", None)
        view.setdefault("gm_hp", None)
        return view

    def scene(self, scene: ShownScene | None) -> Payload | None:
        """Return the ground's view."""
        if scene is None:
            return None
        view = {key: value for key, value in scene.items() if key != "image"}
        for key in ("fog", "track", "round"):
            view.setdefault(key, None)
        view.setdefault("sides", [])
        view.setdefault("lights", [])
        view.setdefault("over", False)
        picture = self._pictures.of(scene.get("image")) if self._pictures else None
        return {**view, "picture": picture}


def _half(corner: int, size: int) -> float | int:
    middle = corner + size / 2
    return int(middle) if middle.is_integer() else middle


def map_view(scene: ShownScene | None) -> MapSize | None:
    """Return {width, height} of a scene's map in squares; None where it has none."""
    rows = scene["rows"] if scene else []
    return {"width": max(map(len, rows)), "height": len(rows)} if rows else None


def order_view(order: ShownOrder | None, people: Mapping[str, Payload]) -> Payload | None:
    """Return the order with `who`, the token whose turn it is or none, and `list`, its tokens in order."""
    if order is None:
        return None
    listed = [people[entry["id"]] for entry in order["entries"] if entry["id"] in people]
    return {**order, "who": people.get(order["active"] or ""), "list": listed}


def exhibits_view(exhibits: Sequence[ShownExhibit], pictures: Pictures | None) -> list[Payload]:
    """Return the view of clocks, the day and handouts."""
    return [
        {**{key: value for key, value in one.items() if key != "image"},
         "picture": pictures.of(one["image"]) if pictures else None}
        for one in exhibits
    ]  # fmt: skip


def result_view(post: Post) -> Payload:
    """Return a result's view, without its image, board and parts."""
    return {key: value for key, value in post.result.items() if key not in ("image", "board", "parts")}


def mentioned_fields(whole: Mapping[str, ShownToken], mentioned: set[str]) -> dict[str, Payload]:
    """Return the fields of tokens that templates mention.

    Only changes of these fields cause another request about several tokens at once.
    """
    fields = {_MADE_OF.get(name, name) for name in mentioned}
    if "visible" in mentioned:
        fields |= {"position", "hidden", "away"}
    if "statuses" in fields:
        fields.add("status_ids")
    wanted = [field for field in TOKEN_FIELDS if field in fields or "*" in fields]
    return {id: {field: token.get(field) for field in wanted} for id, token in whole.items()}
