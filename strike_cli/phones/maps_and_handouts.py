"""The maps and handouts on players' phones.

They have the same data that the bridge sends to a table for players. So the same page code draws the map on
the phone and on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from ..visibility.audience_view import AudienceView

if TYPE_CHECKING:
    from strike_bridge.payloads import ShownExhibit, ShownImage, ShownOrder, ShownScene, ShownToken
    from strike_bridge.picture_files import PictureFile
    from strike_bridge.targets.base import Target
    from strike_table.schemas import ExhibitPayload, PlacePayload, ScenePayload, TokenPayload

    from ..tabletop.data import PictureKept

Picture = Mapping[str, object]


class PlayersMap(NamedTuple):
    """The map of a scene and the people on it, in the form that the table's page uses.

    `pictures` has the files of the people's pictures, by hash.
    """

    scene: ScenePayload
    tokens: tuple[TokenPayload, ...]
    active: str | None
    pictures: Mapping[str, Picture]


class PlayersTable(NamedTuple):
    """The maps and handouts that players may see: maps by scene, handouts, pictures of handouts by hash."""

    maps: Mapping[str, PlayersMap] = {}
    exhibits: tuple[ExhibitPayload, ...] = ()
    pictures: Mapping[str, Picture] = {}


PlayersTableMaker = Callable[[AudienceView], PlayersTable]


def players_table_maker(folder: Path) -> PlayersTableMaker:
    """Return a function that makes the players' maps and handouts from a view of the campaign."""
    from strike_bridge.settings import Settings
    from strike_bridge.state_projection import scene_id
    from strike_bridge.targets.table import TableTarget
    from strike_table.schemas import InvalidBody

    target = TableTarget(Settings("table", "table", audience="players"))
    target.folder = folder

    def make_players_table(view: AudienceView) -> PlayersTable:
        shown = target.project_view(view)
        paintings = {scene_id(scene): view.map_picture_despite_fog(scene) for scene in view.scenes}
        found = dict[str, PlayersMap]()
        wholes = [(shown.scene, [*shown.tokens.values()], shown.order)] if shown.scene else []
        wholes += [(aside["scene"], aside["tokens"], aside["order"]) for aside in shown.beside]
        for scene, tokens, order in wholes:
            if scene["rows"]:
                with suppress(InvalidBody):  # larger than a table accepts, which then has no map either
                    ground = _players_map(scene, tokens, order)
                    found[scene["id"]] = _add_tiles_if_fog(ground, target, paintings.get(scene["id"]))
        return PlayersTable(found, *_exhibit_payloads_and_pictures(shown.exhibits))

    return make_players_table


def empty_players_table(view: AudienceView) -> PlayersTable:
    """Return a table without maps and handouts, for callers that need none."""
    return PlayersTable()


def read_shown_picture(folder: Path, pictures: Mapping[str, Picture], digest: str) -> PictureFile | None:
    """Return the file of one of `pictures` by its hash; None if it isn't among them, or can't be read."""
    from strike_bridge.picture_files import read_picture

    image = pictures.get(digest)
    return read_picture(folder, image) if image else None


def cached_map_tile(players_map: PlayersMap, name: str, size: int) -> bytes | None:
    """Return a tile of a map's picture, `size` pixels to a square.

    Return None if the map has no such tile, or if the tile is no longer cached.
    """
    from strike_table.tiles import TILES

    shown = any(tile["id"] == name for tile in players_map.scene.get("tiles", ()))
    return TILES.encoded_tile_if_cut_is_known(name, size) if shown else None


def _add_tiles_if_fog(players_map: PlayersMap, target: Target, image: PictureKept | None) -> PlayersMap:
    """Return a map with tiles of its picture, if the map has fog; otherwise return it unchanged.

    On a map with fog, players must not get the whole picture. The tiles show only what the party has seen.
    `target` is the table that serves the map. `image` is the picture in the state.
    """
    from strike_bridge.picture_files import read_picture
    from strike_bridge.state_projection import picture_source
    from strike_table.tiles import TILES

    fog, folder = players_map.scene["fog"], target.folder
    named = target.map_picture(picture_source(image)) if fog and image else None
    if not fog or not named or "sha256" not in named or folder is None:
        return players_map

    def read_content() -> bytes:
        picture = read_picture(folder, named)
        if picture is None:
            raise OSError("it is no longer there")
        return picture.content

    place = cast("PlacePayload | None", named.get("place"))
    tiles = TILES.cut_seen_tiles(named["sha256"], read_content, place, fog["seen"])
    return players_map._replace(scene={**players_map.scene, "tiles": tiles}) if tiles else players_map


def _exhibit_payloads_and_pictures(
    shown: Iterable[ShownExhibit],
) -> tuple[tuple[ExhibitPayload, ...], Mapping[str, Picture]]:
    from strike_bridge.targets.table import trimmed_exhibit
    from strike_table import schemas

    pictures, bodies = dict[str, Picture](), []
    for one in shown:
        image = one["image"]
        hash = image.get("sha256") if image else None
        if image and hash:
            pictures[hash] = image
        bodies.append({**trimmed_exhibit(one), "image": {"hash": hash} if hash else None})
    return tuple(schemas.read_exhibits({"exhibits": bodies})), pictures


def _players_map(scene: ShownScene, tokens: list[ShownToken], order: ShownOrder | None) -> PlayersMap:
    from strike_bridge.targets.table import trimmed_scene_without_lights, trimmed_token
    from strike_table import schemas

    pictures = dict[str, Picture]()

    def note_image_and_refer_by_hash(image: ShownImage | None) -> dict[str, object] | None:
        if not image or "sha256" not in image:
            return None
        pictures[image["sha256"]] = image
        return {"hash": image["sha256"], **({"place": image["place"]} if image.get("place") else {})}

    told = schemas.read_scene(
        {**trimmed_scene_without_lights(scene), "image": note_image_and_refer_by_hash(scene.get("image"))}
    )
    there = (
        schemas.read_token(
            {**trimmed_token(one), "image": note_image_and_refer_by_hash(one.get("image"))}, one["id"]
        )
        for one in tokens
    )
    return PlayersMap(told, tuple(there), order["active"] if order else None, pictures)
