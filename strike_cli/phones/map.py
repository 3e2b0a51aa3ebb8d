"""The map on a phone: scene and tokens as the bridge sends them to a table for players.

So one renderer draws them everywhere, and this module knows nothing else about them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from ..visibility.audience_view import AudienceView

if TYPE_CHECKING:
    from strike_bridge.payloads import ShownExhibit, ShownImage, ShownOrder, ShownScene, ShownToken
    from strike_bridge.pictures import PictureFile
    from strike_bridge.targets.base import Target
    from strike_table.schemas import ExhibitPayload, PlacePayload, ScenePayload, TokenPayload

    from ..tabletop.data import PictureKept

Picture = Mapping[str, object]


class Ground(NamedTuple):
    """A scene's map and the people on it, in the form that the table's page gets.

    `pictures` are the files that they name, by hash.
    """

    scene: ScenePayload
    tokens: tuple[TokenPayload, ...]
    active: str | None
    pictures: Mapping[str, Picture]


class PlayersTable(NamedTuple):
    """A state as players may see it: maps by their scene's id, handouts, and `pictures` by hash."""

    maps: Mapping[str, Ground] = {}
    exhibits: tuple[ExhibitPayload, ...] = ()
    pictures: Mapping[str, Picture] = {}


Grounds = Callable[[AudienceView], PlayersTable]


def grounds_of(folder: Path) -> Grounds:
    """Return a function that makes players' views of a campaign's maps and handouts."""
    from strike_bridge.projection import scene_id
    from strike_bridge.settings import Settings
    from strike_bridge.targets.table import TableTarget
    from strike_table.schemas import InvalidBody

    target = TableTarget(Settings("table", "table", audience="players"))
    target.folder = folder

    def grounds(view: AudienceView) -> PlayersTable:
        shown = target.project_view(view)
        paintings = {scene_id(scene): view.painting(scene) for scene in view.scenes}
        found = dict[str, Ground]()
        wholes = [(shown.scene, [*shown.tokens.values()], shown.order)] if shown.scene else []
        wholes += [(aside["scene"], aside["tokens"], aside["order"]) for aside in shown.beside]
        for scene, tokens, order in wholes:
            if scene["rows"]:
                with suppress(InvalidBody):  # larger than a table accepts, which then has no map either
                    ground = _ground(scene, tokens, order)
                    found[scene["id"]] = _add_tiles(ground, target, paintings.get(scene["id"]))
        return PlayersTable(found, *_exhibits(shown.exhibits))

    return grounds


def no_grounds(view: AudienceView) -> PlayersTable:
    """Return no maps, for callers that need none."""
    return PlayersTable()


def picture_of(folder: Path, pictures: Mapping[str, Picture], digest: str) -> PictureFile | None:
    """Return a picture of a map, of a person on it or of a handout; None for any other."""
    from strike_bridge.pictures import read_picture

    image = pictures.get(digest)
    return read_picture(folder, image) if image else None


def tile_of(ground: Ground, name: str, size: int) -> bytes | None:
    """Return a tile of a map, `size` pixels to a square; None for one that isn't part of it."""
    from strike_table.tiles import TILES

    shown = any(tile["id"] == name for tile in ground.scene.get("tiles", ()))
    return TILES.tile(name, size) if shown else None


def _add_tiles(ground: Ground, target: Target, image: PictureKept | None) -> Ground:
    """Return the map with tiles of its picture where it has fog: the picture itself is not for players."""
    from strike_bridge.pictures import read_picture
    from strike_bridge.projection import image_of
    from strike_table.tiles import TILES

    fog, folder = ground.scene["fog"], target.folder
    named = target.map_picture(image_of(image)) if fog and image else None
    if not fog or not named or "sha256" not in named or folder is None:
        return ground

    def content() -> bytes:
        picture = read_picture(folder, named)
        if picture is None:
            raise OSError("it is no longer there")
        return picture.content

    place = cast("PlacePayload | None", named.get("place"))
    tiles = TILES.cut(named["sha256"], content, place, fog["seen"])
    return ground._replace(scene={**ground.scene, "tiles": tiles}) if tiles else ground


def _exhibits(shown: Iterable[ShownExhibit]) -> tuple[tuple[ExhibitPayload, ...], Mapping[str, Picture]]:
    from strike_bridge.targets.table import exhibit_body
    from strike_table import schemas

    pictures, bodies = dict[str, Picture](), []
    for one in shown:
        image = one["image"]
        hash = image.get("sha256") if image else None
        if image and hash:
            pictures[hash] = image
        bodies.append({**exhibit_body(one), "image": {"hash": hash} if hash else None})
    return tuple(schemas.read_exhibits({"exhibits": bodies})), pictures


def _ground(scene: ShownScene, tokens: list[ShownToken], order: ShownOrder | None) -> Ground:
    from strike_bridge.targets.table import scene_body, token_body
    from strike_table import schemas

    pictures = dict[str, Picture]()

    def named(image: ShownImage | None) -> dict[str, object] | None:
        if not image or "sha256" not in image:
            return None
        pictures[image["sha256"]] = image
        return {"hash": image["sha256"], **({"place": image["place"]} if image.get("place") else {})}

    told = schemas.read_scene({**scene_body(scene), "image": named(scene.get("image"))})
    there = (
        schemas.read_token({**token_body(one), "image": named(one.get("image"))}, one["id"]) for one in tokens
    )
    return Ground(told, tuple(there), order["active"] if order else None, pictures)
