"""Flaws, Favors and banked bonuses: how they come and go (STR-CORE-07, 10, 11, 17)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.people import action_points, display_name, gain_action_point

from .circumstances import bank

Args = Mapping[str, Any]


def gain_flaw(
    world: World, who: str, on: str, text: str, also: Mapping[str, Any] | None = None
) -> Procedure[str]:
    """Something that somebody has or knows gains a Flaw (STR-CORE-10), and `also` becomes true with it.
    Returns its id, like `f1`."""
    item = {"id": next_flaw(world, who), "on": on, "text": text}
    more = f": {text}" if text else ""
    said = f"{display_name(world, who)} has a Flaw on {on}{more} ({item['id']})."
    yield _gained(world, "flaw-gained", who, said, "flaws", item, also)
    return item["id"]


def next_flaw(world: World, who: str) -> str:
    """The id that the next Flaw of somebody's will have."""
    return next_id("f", _held(world, who, "flaws"))


def gain_favor(
    world: World, who: str, to: str, text: str, *, reputation: bool = False, associates: Sequence[str] = ()
) -> Procedure[str]:
    """Somebody owes a Favor (STR-CORE-11), or has a Bad Reputation at once. Returns its id, like `v1`.

    `associates` are those whom it is as hard to ask as the party itself."""
    item: dict[str, Any] = {"id": next_id("v", _held(world, who, "favors")), "to": to, "text": text}
    if associates:
        item["associates"] = list(associates)
    more = f", {text}" if text else ""
    said = f"{display_name(world, who)} owes {to} a Favor{more} ({item['id']})."
    if reputation:
        item["reputation"] = True
        said = f"{display_name(world, who)} has a Bad Reputation with {to}{more} ({item['id']})."
    yield _gained(world, "favor-gained", who, said, "favors", item)
    return str(item["id"])


def next_id(letter: str, held: Sequence[Mapping[str, Any]]) -> str:
    """The first id above those that are held: f1, f2, ..."""
    return f"{letter}{1 + max((int(item['id'][1:]) for item in held), default=0)}"


def _held(world: World, who: str, kind: str) -> list[dict[str, Any]]:
    held: list[dict[str, Any]] = world.get(f"characters.{who}.{kind}", [])
    return held


def _gained(
    world: World,
    fact: str,
    who: str,
    said: str,
    kind: str,
    item: Mapping[str, Any],
    also: Mapping[str, Any] | None = None,
) -> Any:
    kept = {key: value for key, value in item.items() if value != ""}
    sets = {f"characters.{who}.{kind}": [*_held(world, who, kind), kept], **(also or {})}
    return world.happen(fact, who, said, sets, item=kept)


def _find(world: World, who: str, kind: str, id_: str) -> dict[str, Any]:
    held = _held(world, who, kind)
    for item in held:
        if item["id"] == id_:
            return item
    one = {"flaws": "Flaw", "favors": "Favor", "banked": "banked bonus"}[kind]
    have = listed(f"{item['id']} ({item.get('on') or item.get('to') or item.get('for')})" for item in held)
    raise Refused(f"{display_name(world, who)} has no {one} {id_}.", f"There is: {have}.")


def _without(world: World, who: str, kind: str, id_: str) -> dict[str, Any]:
    left = [item for item in _held(world, who, kind) if item["id"] != id_]
    return {f"characters.{who}.{kind}": left or None}


def play_flaw_add(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`flaw add`: the game master says what is wrong with it. Args: who, on, text."""
    id_ = yield from gain_flaw(world, args["who"], args["on"], args["text"])
    return {"who": args["who"], "id": id_, "on": args["on"], "text": args["text"]}


def play_flaw_use(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`flaw use`: an automatic Twist for an Action Point (STR-CORE-10). The Flaw stays. Args: who, id."""
    who, flaw = args["who"], _find(world, args["who"], "flaws", args["id"])
    name = display_name(world, who)
    text = f"{name} lets {flaw['on']} go wrong: {flaw.get('text') or 'its Flaw'}. A Twist, without a roll."
    yield world.happen("flaw-used", who, text, item=flaw, outcome="twist")
    yield from gain_action_point(world, who, f"a Twist from the Flaw on {flaw['on']}")
    return {
        "who": who,
        "id": flaw["id"],
        "on": flaw["on"],
        "outcome": "twist",
        "ap": action_points(world, who),
    }


def play_flaw_mend(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`flaw mend`: repaired, replaced or put right. Args: who, id."""
    who, flaw = args["who"], _find(world, args["who"], "flaws", args["id"])
    text = f"{display_name(world, who)} mends the Flaw on {flaw['on']}."
    yield world.happen("flaw-mended", who, text, _without(world, who, "flaws", flaw["id"]), item=flaw)
    return {"who": who, "id": flaw["id"], "on": flaw["on"]}


def play_favor_add(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`favor add`: a Favor is owed from now on. Args: who, to, text, reputation; optional: associates."""
    more = {"reputation": args["reputation"], "associates": args.get("associates", ())}
    id_ = yield from gain_favor(world, args["who"], args["to"], args["text"], **more)
    return {key: args[key] for key in ("who", "to", "text", "reputation")} | {"id": id_}


def play_favor_associate(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`favor associate`: somebody is with those whom a Favor is owed to, and as hard to ask (STR-CORE-11).

    Args: who, id, name."""
    who, favor, name = args["who"], _find(world, args["who"], "favors", args["id"]), args["name"]
    known = favor.get("associates", [])
    if name.lower() in [one.lower() for one in (favor["to"], *known)]:
        raise Refused(
            f"{name} is known to be with {favor['to']}.", "`strike character show` has who is owed."
        )
    changed = {**favor, "associates": [*known, name]}
    held = [changed if item["id"] == favor["id"] else item for item in _held(world, who, "favors")]
    text = f"{name} is with {favor['to']}, whom {display_name(world, who)} owes a Favor."
    yield world.happen("favor-associated", who, text, {f"characters.{who}.favors": held}, item=changed)
    return {"who": who, "id": favor["id"], "to": favor["to"], "associates": changed["associates"]}


def play_favor_repay(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`favor repay`: nothing is owed any more. Args: who, id, lived_down (for a Bad Reputation)."""
    who, favor = args["who"], _find(world, args["who"], "favors", args["id"])
    name = display_name(world, who)
    if favor.get("reputation") and not args["lived_down"]:
        raise Refused(
            f"{name} has a Bad Reputation with {favor['to']} by now: a Favor done late doesn't mend that.",
            "When the story has: --lived-down.",
        )
    text = f"{name} repays the Favor to {favor['to']}."
    if favor.get("reputation"):
        text = f"{name} lives down the Bad Reputation with {favor['to']}."
    yield world.happen("favor-repaid", who, text, _without(world, who, "favors", favor["id"]), item=favor)
    return {"who": who, "id": favor["id"], "to": favor["to"]}


def play_favor_overdue(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`favor overdue`: left too long, it becomes a Bad Reputation (STR-CORE-11). Args: who, id."""
    who, favor = args["who"], _find(world, args["who"], "favors", args["id"])
    name = display_name(world, who)
    if favor.get("reputation"):
        raise Refused(
            f"{name} has a Bad Reputation with {favor['to']} already.",
            f"Where it spreads: `strike favor add {who} PARTY --reputation`.",
        )
    changed = {**favor, "reputation": True}
    held = [changed if item["id"] == favor["id"] else item for item in _held(world, who, "favors")]
    text = f"The Favor that {name} owes {favor['to']} is overdue: a Bad Reputation with them."
    yield world.happen("favor-overdue", who, text, {f"characters.{who}.favors": held}, item=changed)
    return {"who": who, "id": favor["id"], "to": favor["to"], "reputation": True}


def play_bank(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`bonus bank`: Advantage or Disadvantage kept for a named later roll. Args: who, gives, for, why."""
    id_ = yield from bank(world, args["who"], args["gives"], args["for"], args["why"])
    return {key: args[key] for key in ("who", "gives", "for", "why")} | {"id": id_}


def play_drop(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`bonus drop`: it fits no roll any more. Args: who, id."""
    who, item = args["who"], _find(world, args["who"], "banked", args["id"])
    text = f"{display_name(world, who)} lets {item['gives'].capitalize()} on {item['for']} go."
    yield world.happen("bonus-dropped", who, text, _without(world, who, "banked", item["id"]), item=item)
    return {"who": who, "id": item["id"], "for": item["for"]}
