"""The map on a phone: scene and tokens exactly as the bridge tells a table for players, so that one renderer
draws them everywhere, and nothing is known of it here but that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..kernel.facts import State
from ..visibility.audience import Audience

if TYPE_CHECKING:
    from strike_bridge.payloads import ShownImage, ShownOrder, ShownScene, ShownToken
    from strike_bridge.pictures import PictureFile
    from strike_table.schemas import ScenePayload, TokenPayload

Picture = Mapping[str, object]


class Ground(NamedTuple):
    """A scene with a map, and who stands on it, as the table's page gets them. `pictures` are the files of
    those that they name, by hash."""

    scene: ScenePayload
    tokens: tuple[TokenPayload, ...]
    active: str | None
    pictures: Mapping[str, Picture]


Grounds = Callable[[State], Mapping[str, Ground]]
"""The maps of a state that players may see, by their scene's id."""


def grounds_of(folder: Path, audience: Audience) -> Grounds:
    """Makes the maps of a campaign's states."""
    from strike_bridge.settings import Settings
    from strike_bridge.targets.table import TableTarget
    from strike_table.schemas import InvalidBody

    target = TableTarget(Settings("table", "table", audience="players", hp=audience.meters))
    target.folder = folder

    def grounds(state: State) -> dict[str, Ground]:
        shown = target.shown(state)
        found = dict[str, Ground]()
        wholes = [(shown.scene, [*shown.tokens.values()], shown.order)] if shown.scene else []
        wholes += [(aside["scene"], aside["tokens"], aside["order"]) for aside in shown.beside]
        for scene, tokens, order in wholes:
            if scene["rows"]:
                with suppress(InvalidBody):  # larger than a table takes: it has no map either
                    found[scene["id"]] = _ground(scene, tokens, order)
        return found

    return grounds


def no_grounds(state: State) -> Mapping[str, Ground]:
    """Where nobody looks."""
    return {}


def picture_of(folder: Path, ground: Ground, digest: str) -> PictureFile | None:
    """A picture that a map or somebody on it has; None for any other."""
    from strike_bridge.pictures import read_picture

    image = ground.pictures.get(digest)
    return read_picture(folder, image) if image else None


def _ground(scene: ShownScene, tokens: list[ShownToken], order: ShownOrder | None) -> Ground:
    from strike_bridge.targets.table import scene_body, token_body
    from strike_table import schemas

    pictures = dict[str, Picture]()

    def named(image: ShownImage | None) -> dict[str, object] | None:
        if not image or "sha256" not in image:
            return None
        pictures[image["sha256"]] = image
        return {"hash": image["sha256"], **({"place": image["place"]} if image.get("place") else {})}

    told = schemas.scene({**scene_body(scene), "image": named(scene.get("image"))})
    there = (
        schemas.token({**token_body(one), "image": named(one.get("image"))}, one["id"]) for one in tokens
    )
    return Ground(told, tuple(there), order["active"] if order else None, pictures)
