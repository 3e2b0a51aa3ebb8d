"""The table as each audience sees it, and the differences between two views.

`view_for_players` leaves out what players may not see. The players' page, stream and JSON are all made from
its result. Nothing here depends on HTTP or a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from .schemas import (
    AsidePayload,
    DecisionPayload,
    EveningPayload,
    ExhibitPayload,
    MemberPayload,
    OrderPayload,
    ResultPayload,
    ScenePayload,
    SidePayload,
    TilePayload,
    TokenPayload,
)

Kind = Literal[
    "scene",
    "token",
    "token-removed",
    "order",
    "beside",
    "asked",
    "exhibits",
    "evening",
    "result",
    "result-removed",
]


class LinkAudience(StrEnum):
    """An audience that has its own link for watching."""

    GM = "gm"
    PLAYERS = "players"


@dataclass(frozen=True, slots=True)
class View:
    """Everything that an audience sees at one moment. Immutable."""

    scene: ScenePayload | None = None
    tokens: Mapping[str, TokenPayload] = field(default_factory=dict)
    order: OrderPayload | None = None
    results: tuple[ResultPayload, ...] = ()
    beside: tuple[AsidePayload, ...] = ()
    asked: tuple[DecisionPayload, ...] = ()
    exhibits: tuple[ExhibitPayload, ...] = ()
    evening: EveningPayload | None = None
    tiles: tuple[TilePayload, ...] = ()
    """The tiles of the scene's picture, for an audience that sees only the explored part."""

    def image_hashes(self) -> set[str]:
        """Return the hashes of all visible pictures: of maps, people and handouts."""
        shown: list[ScenePayload | TokenPayload | MemberPayload | ExhibitPayload | None] = [
            self.scene,
            *self.tokens.values(),
            *self.exhibits,
        ]
        for aside in self.beside:
            shown += [aside["scene"], *aside["tokens"]]
        shown += self.evening["party"] if self.evening else ()
        return {one["image"]["hash"] for one in shown if one and one["image"]}


def view_for(audience: LinkAudience, everything: View) -> View:
    """Return the table's contents as an audience sees them."""
    return everything if audience is LinkAudience.GM else view_for_players(everything)


def view_for_players(everything: View) -> View:
    """Return a table's contents as players see them.

    Lights are left out. So are hidden creatures, doors, zones and exhibits, and secret results and decisions.
    A map with fog shows only what the party has seen. Secretly picked cards are face down. If players may not
    know a creature's true numbers, they get the numbers that the game master lets them know.

    A creature without a token at the table is also left out of teams, and of a turn order by initiative. It
    may be hidden, and its token may not have arrived yet.
    """
    tokens = {id: _token_for_players(token) for id, token in everything.tokens.items() if not token["hidden"]}
    return replace(
        everything,
        scene=everything.scene
        and _with_tiles(_scene_for_players(everything.scene, tokens), everything.tiles),
        tiles=(),
        tokens=tokens,
        order=everything.order and _order_for_players(everything.order, tokens),
        results=tuple(result for result in everything.results if not result["secret"]),
        beside=tuple(map(_side_scene_for_players, everything.beside)),
        asked=tuple(
            {**asked, "gm": None}
            for asked in everything.asked
            if _is_decision_known_to_players(asked, everything.tokens)
        ),
        exhibits=tuple(one for one in everything.exhibits if not one["hidden"]),
    )


def _with_tiles(scene: ScenePayload, tiles: tuple[TilePayload, ...]) -> ScenePayload:
    return {**scene, "tiles": list(tiles)} if tiles else scene


def _scene_for_players(scene: ScenePayload, tokens: Mapping[str, TokenPayload]) -> ScenePayload:
    scene = _with_players_map_if_fog(scene)
    opened: ScenePayload = {
        **scene,
        "doors": [door for door in scene["doors"] if not door["hidden"]],
        "zones": [zone for zone in scene["zones"] if not zone["hidden"]],
        "sides": [_side_for_players(side, tokens) for side in scene["sides"]],
    }
    opened.pop("lights", None)
    return opened


def _with_players_map_if_fog(scene: ScenePayload) -> ScenePayload:
    """Return a scene with the players' map in place of the true map, if the map has fog.

    The picture of the map is removed, since it would show what is in the fog. In place of the picture,
    players get tiles of it, on which the fog is black.
    """
    fog = scene["fog"]
    if fog is None:
        return scene
    ground = fog["ground"] or scene
    return {
        **scene,
        "rows": ground["rows"],
        "doors": ground["doors"],
        "zones": ground["zones"],
        "walls": ground["walls"],
        "one_way_walls": ground["one_way_walls"],
        "see_through_walls": ground["see_through_walls"],
        "walk_through_walls": ground["walk_through_walls"],
        "terrain_walls": ground["terrain_walls"],
        "image": None,
        "fog": {"seen": fog["seen"], "ground": None},
    }


def _side_for_players(side: SidePayload, tokens: Mapping[str, TokenPayload]) -> SidePayload:
    return {
        **side,
        "team": [character for character in side["team"] if character in tokens],
        "cards": [
            {"who": card["who"], "what": None if card["hidden"] else card["what"], "hidden": False}
            for card in side["cards"]
            if not card["who"] or card["who"] in tokens
        ],
    }


def _token_for_players(token: TokenPayload) -> TokenPayload:
    return {**token, "gm_hp": None, "meters": [{**meter, "gm": None} for meter in token["meters"]]}


def _order_for_players(order: OrderPayload, tokens: Mapping[str, TokenPayload]) -> OrderPayload:
    if order["kind"] == "sides":
        entries = [entry for entry in order["entries"] if not entry["hidden"]]
        known = {entry["id"] for entry in entries}
    else:
        known = set(tokens)
        entries = [entry for entry in order["entries"] if entry["id"] in known and not entry["hidden"]]
    return {
        **order,
        "active": order["active"] if order["active"] in known else None,
        "next": [character for character in order["next"] if character in known],
        "entries": entries,
    }


def _side_scene_for_players(aside: AsidePayload) -> AsidePayload:
    tokens = {token["id"]: _token_for_players(token) for token in aside["tokens"] if not token["hidden"]}
    return {
        "scene": _scene_for_players(aside["scene"], tokens),
        "tokens": list(tokens.values()),
        "order": aside["order"] and _order_for_players(aside["order"], tokens),
    }


def _is_decision_known_to_players(decision: DecisionPayload, everybody: Mapping[str, TokenPayload]) -> bool:
    """Return whether players know of a decision.

    They do if the decision isn't hidden and doesn't belong to a hidden creature.
    """
    one = everybody.get(decision["who"])
    return not decision["hidden"] and not (one and one["hidden"])


def view_changes(before: View, after: View) -> Iterator[tuple[Kind, Mapping[str, object] | None]]:
    """Yield the events, each with its kind and data, that turn one view into the next.

    A page may show each event as soon as it arrives.
    """
    for id in before.tokens:
        if id not in after.tokens:
            yield "token-removed", {"id": id}
    for id, token in after.tokens.items():
        if before.tokens.get(id) != token:
            yield "token", token
    wholes: Sequence[tuple[Kind, object, Mapping[str, object] | None]] = (
        ("order", before.order, after.order),
        ("scene", before.scene, after.scene),
        ("beside", {"scenes": list(before.beside)}, {"scenes": list(after.beside)}),
        ("asked", {"asked": list(before.asked)}, {"asked": list(after.asked)}),
        ("exhibits", {"exhibits": list(before.exhibits)}, {"exhibits": list(after.exhibits)}),
        ("evening", before.evening, after.evening),
    )
    for kind, old, new in wholes:
        if old != new:
            yield kind, new
    if before.results != after.results:
        yield from _result_changes(before.results, after.results)


def _result_changes(
    before: tuple[ResultPayload, ...], after: tuple[ResultPayload, ...]
) -> Iterator[tuple[Kind, Mapping[str, object]]]:
    known = {result["id"]: result for result in before}
    still = {result["id"] for result in after}
    for result in before:
        if result["id"] not in still:
            yield "result-removed", {"id": result["id"]}
    for result in after:
        if known.get(result["id"]) != result:
            yield "result", result
