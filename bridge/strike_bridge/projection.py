"""A scene as a virtual tabletop shows it: scene, tokens, turn order.

Absolute values only, read from the form in which every scene can be shown. Nothing here knows a target, a
system or a file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from strike_cli.registry.scenes import scenes_of
from strike_cli.tabletop.scene import Board, Order, Person, Scene, Side, Zone
from strike_cli.tabletop.turn_order import OUT, Entry
from strike_cli.visibility import Audience, ToldMeter, is_secret, scene_for, told_meter

Payload = dict[str, Any]


class Shown(NamedTuple):
    """What is to be seen: `scene` and `order` are None between scenes; tokens are keyed by person."""

    scene: Payload | None
    tokens: dict[str, Payload]
    order: Payload | None


NOTHING = Shown(None, {}, None)


def project(state: Mapping[str, Any], *, gm: bool = False, hp: str = "exact") -> Shown:
    """What a tabletop shows of a state.

    `gm` is for one that only the game master sees, or that keeps things from its players by itself; else the
    hidden are left out of everything, as if they were not there. `hp` is how the meters of everybody but the
    party are told: "exact", "bar", "wounds" or "none".
    """
    scene = on_the_table(scenes_of(state))
    if scene is None:
        return NOTHING
    audience = Audience(gm, meters=hp)
    seen = scene_for(scene, audience)
    active = seen.order.active if seen.order else None
    tokens = {who: _token(one, who == active, audience) for who, one in seen.people.items()}
    return Shown(_scene(seen), tokens, _order(seen.order, seen.people) if seen.order else None)


def on_the_table(scenes: Sequence[Scene]) -> Scene | None:
    """The one scene that a tabletop shows: the newest that has a map, else the newest."""
    with_map = [scene for scene in scenes if scene.board]
    return next(reversed(with_map or list(scenes)), None)


def _scene(scene: Scene) -> Payload:
    """The ground, and what a scene without one is about; a scene has what it needs of the two."""
    board = scene.board or Board()
    payload: Payload = {
        "id": scene.id,
        "name": scene.name,
        "goal": scene.goal or None,
        **_ground(board),
        "image": _image(board.image),
        "zones": [_zone(zone) for zone in board.zones],
    }
    if scene.track:
        payload["track"] = {**scene.track._asdict(), "steps": list(scene.track.steps)}
    if scene.sides:
        payload["sides"] = [_side(side) for side in scene.sides]
    if not scene.order:
        payload["round"] = scene.round
    return payload


def _ground(board: Board) -> Payload:
    """What doesn't move. A door is a line from `at` to `to`; those that fill a square stand in the rows."""
    return {
        "rows": list(board.rows),
        "walls": [[_point(point) for point in wall] for wall in board.walls],
        "doors": [
            {"at": _point(door["at"][0]), "to": _point(door["at"][-1]), "open": bool(door.get("open"))}
            for door in board.doors
        ],
    }


def _image(image: Mapping[str, Any] | None) -> Payload | None:
    """Where the map's picture is, not its bytes: `tabletop.pictures` reads them for a target that takes it. A
    creature's is only named here: what it is now stands in its file, and `Target.shown` looks."""
    return {"file": image["file"], "sha256": image["sha256"]} if image else None


def _point(point: Sequence[float]) -> Payload:
    return {"x": point[0], "y": point[1]}


def _zone(zone: Zone) -> Payload:
    return {
        "id": zone.id,
        "name": zone.name,
        "kind": zone.kind,
        "squares": [at for square in zone.squares if (at := position_of(square))],
        "hidden": zone.secret,
    }


def _side(side: Side) -> Payload:
    """A side; a card whose `what` is None lies face down."""
    return {
        "id": side.id,
        "name": side.name,
        "intent": side.intent,
        "team": list(side.team),
        "numbers": dict(side.numbers),
        "traits": list(side.traits),
        "lost_traits": list(side.lost_traits),
        "cards": [card._asdict() for card in side.cards],
    }


def _order(order: Order, people: Mapping[str, Person]) -> Payload:
    return {
        "kind": order.kind,
        "round": order.round,
        "active": order.active,
        "next": list(order.next),
        "entries": [_entry(entry, people.get(entry.who)) for entry in order.entries if entry.state != OUT],
    }


def _entry(entry: Entry, one: Person | None) -> Payload:
    return {
        "id": entry.who,
        "initiative": entry.initiative,
        "state": entry.state,
        "count": entry.members,
        **({"hidden": True} if one is not None and is_secret(one) else {}),
    }


def _token(one: Person, active: bool, audience: Audience) -> Payload:
    statuses: dict[str, str] = {}
    for status in one.statuses:
        statuses.setdefault(status.name, status.id)
    if one.hidden and not is_secret(one):
        statuses.setdefault("Hidden", "hidden")
    meters = [(meter, told_meter(meter, one, audience)) for meter in one.meters]
    token = {
        "id": one.id,
        "name": one.name,
        "side": one.side or "enemies",
        "position": position_of(one.at),
        "size": one.size,
        **_bar(meters[0][1] if meters else None),
        "meters": [{"id": meter.id, "name": meter.name, **_numbers(shown)} for meter, shown in meters],
        "statuses": list(statuses),
        "status_ids": list(statuses.values()),
        "hidden": is_secret(one),
        "initiative": one.initiative,
        "active": active,
        "state": one.state,
        "image": one.image,
    }
    if meters and token["hp_shown"] != "exact" and audience.gm:
        token["gm_hp"] = {"value": one.meters[0].value, "max": one.meters[0].most or one.meters[0].value}
    return token


def _bar(first: ToldMeter | None) -> Payload:
    """The first meter, which tabletops show as a bar and most call HP."""
    if first is None:
        return {"hp": None, "hp_shown": "exact", "wounds": None}
    hp = None if first.value is None else {"value": first.value, "max": first.most or first.value}
    return {"hp": hp, "hp_shown": first.shown, "wounds": first.wounds}


def _numbers(shown: ToldMeter) -> Payload:
    return {"value": shown.value, "max": shown.most, "shown": shown.shown}


def position_of(square: str | None) -> dict[str, int] | None:
    """`C7` -> {"x": 2, "y": 6}: column and row from 0. None for who is not on the map."""
    match = re.fullmatch(r"([A-Za-z]+)([1-9][0-9]*)", square or "", re.ASCII)
    if match is None:
        return None
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return {"x": column - 1, "y": int(match[2]) - 1}
