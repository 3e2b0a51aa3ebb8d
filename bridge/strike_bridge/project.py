"""The state as a virtual tabletop shows it: scene, tokens, turn order.

Absolute values only. Nothing here knows a target, a rule or a file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Payload = dict[str, Any]


class Shown(NamedTuple):
    """What is to be seen: `scene` and `order` are None between fights; tokens are keyed by combatant."""

    scene: Payload | None
    tokens: dict[str, Payload]
    order: Payload | None


def project(state: Mapping[str, Any], *, gm: bool = False, hp: str = "exact") -> Shown:
    """What a tabletop shows of a state.

    `gm` is for one that only the game master sees, or that keeps things from its players by itself; else the
    hidden are left out of everything, as if they were not there. `hp` is how the HP of everybody but the
    party is told: "exact", "bar", "wounds" or "none".
    """
    fight = state.get("fight")
    if not fight:
        return Shown(None, {}, None)
    combatants: Mapping[str, Mapping[str, Any]] = fight.get("combatants", {})
    seen = {who: one for who, one in combatants.items() if gm or not is_secret(one)}
    active = fight.get("active")
    scene = {
        "id": str(fight.get("id", "")),
        "name": str(fight.get("name", "")),
        "goal": fight.get("goal") or None,
        **_ground(fight.get("map", {})),
        "image": _image(fight.get("map", {}).get("image")),
        "zones": [
            _zone(id, zone)
            for id, zone in fight.get("zones", {}).items()
            if gm or not (zone.get("secret") or (zone.get("by") in combatants and zone["by"] not in seen))
        ],
    }
    order = {
        "round": fight.get("round", 0),
        "active": active if active in seen else None,
        "entries": [
            {
                "id": who,
                "initiative": seen[who].get("initiative"),
                **({"hidden": True} if is_secret(seen[who]) else {}),
            }
            for who in fight.get("order", [])
            if who in seen and "out" not in seen[who]
        ],
    }
    tokens = {who: _token(who, one, who == active) for who, one in seen.items()}
    for token in tokens.values():
        if token["side"] != "party":
            _veil_hp(token, hp, gm)
    return Shown(scene, tokens, order)


def is_secret(one: Mapping[str, Any]) -> bool:
    """Whether players must not know of somebody. A character that hides is hidden from its enemies alone."""
    return bool(one.get("hidden")) and one.get("side") != "party"


def _ground(board: Mapping[str, Any]) -> Payload:
    """What doesn't move. A door is a line from `at` to `to`; those that fill a square stand in the rows."""
    return {
        "rows": list(board.get("rows", [])),
        "walls": [[_point(point) for point in wall] for wall in board.get("walls", [])],
        "doors": [
            {"at": _point(door["at"][0]), "to": _point(door["at"][-1]), "open": bool(door.get("open"))}
            for door in board.get("doors", [])
        ],
    }


def _image(image: Mapping[str, Any] | None) -> Payload | None:
    """Where the map's picture is, not its bytes: `pictures` reads them for a target that takes it. A
    creature's is only named here: what it is now stands in its file, and `Target.shown` looks."""
    return {"file": image["file"], "sha256": image["sha256"]} if image else None


def _point(point: Sequence[float]) -> Payload:
    return {"x": point[0], "y": point[1]}


def _zone(id: str, zone: Mapping[str, Any]) -> Payload:
    """`kind` is what matters most of it: how it hides, that it hurts, that it hinders, or nothing."""
    kind = zone.get("sight") or (
        "hazard" if zone.get("damage") else "difficult" if zone.get("difficult") else ""
    )
    return {
        "id": id,
        "name": str(zone.get("name") or id),
        "kind": kind,
        "squares": [at for square in zone.get("squares", []) if (at := position_of(square))],
        "hidden": bool(zone.get("secret")),
    }


def _token(who: str, one: Mapping[str, Any], active: bool) -> Payload:
    hp = one.get("hp")
    statuses: dict[str, str] = {}
    for status in one.get("statuses", []):
        statuses.setdefault(status_name(status), str(status.get("id", "")))
    if one.get("hidden") and not is_secret(one):
        statuses.setdefault("Hidden", "hidden")
    return {
        "id": who,
        "name": str(one.get("name") or who),
        "side": one.get("side", "enemies"),
        "position": position_of(one.get("at")),
        "size": one.get("size", 1),
        "hp": None if hp is None else {"value": hp, "max": one.get("max_hp", hp)},
        "hp_shown": "exact",
        "wounds": _wounds(hp, one.get("max_hp", hp)),
        "statuses": list(statuses),
        "status_ids": list(statuses.values()),
        "hidden": is_secret(one),
        "initiative": one.get("initiative"),
        "active": active,
        "state": "out" if "out" in one else "down" if hp is not None and hp <= 0 else "up",
        "image": one.get("image") or None,
    }


BAR = 4
"""Parts of a bar: players see how many quarters are left, rounded up so that nobody up looks empty."""


def _wounds(hp: int | None, most: int | None) -> str | None:
    """How somebody looks: `bloodied` at half their HP or less."""
    if hp is None or not most:
        return None
    if hp <= 0:
        return "down"
    return "unhurt" if hp >= most else "bloodied" if 2 * hp <= most else "hurt"


def _veil_hp(token: Payload, shown: str, gm: bool) -> None:
    """Tell HP as `shown` says. A game master's tabletop is given the number beside it, as `gm_hp`."""
    hp = token["hp"]
    token["hp_shown"] = shown
    if shown == "exact":
        return
    if gm:
        token["gm_hp"] = hp
    if shown == "none":
        token["wounds"] = None
    token["hp"] = _bar(hp) if hp and shown == "bar" else None


def _bar(hp: Mapping[str, int]) -> dict[str, int]:
    parts = -(-BAR * hp["value"] // max(1, hp["max"]))
    return {"value": max(0, min(BAR, parts)), "max": BAR}


def status_name(status: Mapping[str, Any]) -> str:
    """`core:knocked-down` -> `Knocked down`; with its number where it has one, as in `Burning 2`."""
    words = str(status.get("id", "")).rpartition(":")[2].replace("-", " ")
    value = f" {status['value']}" if "value" in status else ""
    return words[:1].upper() + words[1:] + value


def position_of(square: str | None) -> dict[str, int] | None:
    """`C7` -> {"x": 2, "y": 6}: column and row from 0. None for who is not on the map."""
    match = re.fullmatch(r"([A-Za-z]+)([1-9][0-9]*)", square or "", re.ASCII)
    if match is None:
        return None
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return {"x": column - 1, "y": int(match[2]) - 1}
