"""Scenes in play: the scene under way, and the scenes that were played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Happen, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.refusals import NoSceneUnderWay

from .clocks import advance_clocks_by_event
from .facts import SceneBegun, SceneBegunInSecret, SceneEnded, SceneEndedInSecret
from .state import story_in

if TYPE_CHECKING:
    from .data import SceneNamed, SceneWritten


class BeginScene(Args):
    """The arguments of `scene begin`: a scene's id."""

    scene: str


class EndScene(Args):
    """The arguments of `scene end`: none, since it ends the scene under way."""


def scene_under_way(world: World) -> str:
    """Return the id of the scene under way, "" if there is none."""
    return story_in(world.state).get("now", "")


def scenes_played(world: World) -> Sequence[str]:
    """Return the ids of the scenes that have ended."""
    return story_in(world.state).get("played", [])


def play_begin(world: World, args: BeginScene) -> Procedure[SceneNamed]:
    """Play `scene begin`: end the scene under way, if there is one, and begin a scene.

    The end of a scene advances clocks. Raises Refused for a scene that no longer exists, and for the scene
    that is already under way.
    """
    scene: SceneWritten | None = world.book.scenes.get(args.scene)
    if scene is None:
        raise Refused(
            f"There is no scene {args.scene!r}.", f"Scenes: {listed(world.book.scenes)}. `strike scene list`."
        )
    if scene_under_way(world) == args.scene:
        raise Refused(
            f"{scene['name']} is under way.", "`strike scene show` shows it, `strike scene end` ends it."
        )
    data: SceneNamed = {"scene": args.scene, "name": scene["name"]}
    if scene_under_way(world):
        data["ended"] = scene_under_way(world)
        yield _scene_ended_fact(world)
        moved = yield from advance_clocks_by_event(world, "scene")
        data = {**data, **moved}
    sets = {"story.now": args.scene, "story.name": scene["name"], "story.secret": scene["secret"] or None}
    begun = SceneBegunInSecret if scene["secret"] else SceneBegun
    yield world.tell(begun(args.scene, scene["name"]), sets)
    return data


def play_end(world: World, args: EndScene) -> Procedure[SceneNamed]:
    """Play `scene end`: end the scene under way. Raises Refused if there is none."""
    id = scene_under_way(world)
    if not id:
        raise NoSceneUnderWay("`strike scene begin SCENE` begins one.")
    name = story_in(world.state).get("name", "")
    yield _scene_ended_fact(world)
    return {"scene": id, "name": name}


def _scene_ended_fact(world: World) -> Happen:
    id, name = scene_under_way(world), story_in(world.state).get("name", "")
    before = [each for each in scenes_played(world) if each != id]
    sets = {"story": {"played": [*before, id]}}
    ended = SceneEndedInSecret if story_in(world.state).get("secret") else SceneEnded
    return world.tell(ended(id, name), sets)
