"""The variables that a REST target's templates may use: tokens, results, turn order and map.

They have the form of strike's own table API, with further values that an API is likely to want. File names
are left out, since one may reveal a creature.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..journal_results import Post
from ..picture_files import PictureFile
from ..state_projection import Payload
from .template_engine import Base64

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


class PictureViews:
    """A reader of the pictures of tokens and maps, for templates.

    `read` returns the file of an image. `upload_answer` returns the target's stored answer to the upload of a
    picture, by the picture's digest.
    """

    def __init__(
        self,
        read: Callable[[ShownImage | None], PictureFile | None],
        upload_answer: Callable[[str], str | None],
    ) -> None:
        self._read = read
        self._kept = upload_answer

    def picture_view(self, image: ShownImage | None) -> Payload | None:
        """Return a picture as {url, sha256, media_type, base64}. None if there is no picture.

        A picture on the web has only a `url`. If the picture is a file, its `url` is what the target answered
        to the upload, and None before the upload. None is also returned for a file that can't be read.
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


class TemplateViews:
    """Views of tokens and scenes for use in templates. They are worded as the target's settings say."""

    def __init__(
        self,
        status: Callable[[str, str], str | None],
        visible: Callable[[ShownToken], bool],
        links: Mapping[str, str],
        pictures: PictureViews | None,
    ) -> None:
        self._status = status
        self._visible = visible
        self._links = links
        self._pictures = pictures

    def sent_status_views(self, token: ShownToken) -> list[dict[str, str]]:
        """Return {id, name} of each status of a token, in the target's words.

        If the settings give "" as the word for a status, that status is left out.
        """
        found = []
        for id, name in zip(token["status_ids"], token["statuses"], strict=True):
            word = self._status(id, name)
            if word != "":
                found.append({"id": id, "name": name if word is None else word})
        return found

    def token_view(self, token: ShownToken) -> Payload:
        """Return a token as templates see it: with its centre in squares, its link and its picture added."""
        at, size = token["position"], token["size"]
        x, y = (at["x"], at["y"]) if at else (None, None)
        view = {
            **token,
            "x": x,
            "y": y,
            "cx": None if x is None else _middle(x, size),
            "cy": None if y is None else _middle(y, size),
            "visible": self._visible(token),
            "meter": {meter["id"]: meter for meter in token["meters"]},
            "statuses": [status["name"] for status in self.sent_status_views(token)],
            "link": self._links.get(token["id"]),
            "picture": self._pictures.picture_view(token["image"]) if self._pictures else None,
        }
        view.pop("image", None)
        view.setdefault("gm_hp", None)
        return view

    def scene_view(self, scene: ShownScene | None) -> Payload | None:
        """Return a scene as templates see it, with its picture added; None without a scene."""
        if scene is None:
            return None
        view = {key: value for key, value in scene.items() if key != "image"}
        for key in ("fog", "track", "round"):
            view.setdefault(key, None)
        view.setdefault("sides", [])
        view.setdefault("lights", [])
        view.setdefault("over", False)
        picture = self._pictures.picture_view(scene.get("image")) if self._pictures else None
        return {**view, "picture": picture}


def _middle(corner: int, size: int) -> float | int:
    middle = corner + size / 2
    return int(middle) if middle.is_integer() else middle


def map_size(scene: ShownScene | None) -> MapSize | None:
    """Return {width, height} of a scene's map in squares; None if it has no map."""
    rows = scene["rows"] if scene else []
    return {"width": max(map(len, rows)), "height": len(rows)} if rows else None


def order_view(order: ShownOrder | None, people: Mapping[str, Payload]) -> Payload | None:
    """Return the turn order with its people as tokens.

    `who` is the token whose turn it is, or None, and `list` has all tokens in order.
    """
    if order is None:
        return None
    listed = [people[entry["id"]] for entry in order["entries"] if entry["id"] in people]
    return {**order, "who": people.get(order["active"] or ""), "list": listed}


def exhibits_view(exhibits: Sequence[ShownExhibit], pictures: PictureViews | None) -> list[Payload]:
    """Return clocks, the day and handouts as templates see them."""
    return [
        {**{key: value for key, value in one.items() if key != "image"},
         "picture": pictures.picture_view(one["image"]) if pictures else None}
        for one in exhibits
    ]  # fmt: skip


def result_view(post: Post) -> Payload:
    """Return a result as templates see it, without its image, map and parts."""
    return {key: value for key, value in post.result.items() if key not in ("image", "board", "parts")}


def token_fields_behind_mentioned(
    tokens: Mapping[str, ShownToken], mentioned: set[str]
) -> dict[str, Payload]:
    """Return those fields of each token that request templates depend on, by the token's id.

    Args:
        tokens: The tokens by id.
        mentioned: The variables that the templates mention; "*" stands for all.
    """
    fields = {_MADE_OF.get(name, name) for name in mentioned}
    if "visible" in mentioned:
        fields |= {"position", "hidden", "away"}
    if "statuses" in fields:
        fields.add("status_ids")
    wanted = [field for field in TOKEN_FIELDS if field in fields or "*" in fields]
    return {id: {field: token.get(field) for field in wanted} for id, token in tokens.items()}
