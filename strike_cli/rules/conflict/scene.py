"""The conflict under way: the team, Strikes, traits, bonuses, Hits (STR-TC-01, 03, 06, 15, 16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...problems import Refused, Usage, listed, nearest
from ..dice import DISADVANTAGE, Modifier, Source
from ..numbers import numbers
from ..people import display_name, slug
from ..procedure import Procedure, World
from .contest import ROLLS, Side

Args = Mapping[str, Any]
ACTIONS: Mapping[str, Mapping[str, Any]] = numbers("conflict")["actions"]
LIMITS: Mapping[str, int] = numbers("conflict")["limits"]
SECONDARY = "secondary"
OURS = "The team"


def under_way(world: World, *, ended: bool = False) -> dict[str, Any]:
    """The conflict. Raises Refused where there is none, or where it is over unless `ended` may be."""
    scene: dict[str, Any] | None = world.get("conflict")
    if scene is None:
        raise Refused("There is no conflict.", "`strike conflict start NAME` begins one.")
    if scene.get("ended") and not ended:
        averted = ", `strike conflict avert WHO` goes on" if scene["ended"] == "lose" else ""
        raise Refused(f"{scene['name']} is over.", f"`strike conflict end` brings the aftermath{averted}.")
    return scene


def members(world: World) -> list[str]:
    """Who of the team has not withdrawn."""
    scene = world.get("conflict")
    return [who for who in scene["team"] if who not in scene.get("withdrawn", ())]


def must_be_in(world: World, who: str) -> None:
    """Raises Refused for somebody who is not, or no longer, in the conflict."""
    if who not in members(world):
        gone = who in world.get("conflict.withdrawn", [])
        raise Refused(
            f"{display_name(world, who)} {'has withdrawn from' if gone else 'is not in'} the conflict.",
            f"The team: {listed(members(world))}.",
        )


def names(world: World) -> dict[str, str]:
    """What to call the sides."""
    return {"ours": OURS, "theirs": str(world.get("conflict.against"))}


def find_action(word: str, side: str) -> str:
    """The action that a word means: its name or a unique beginning. Raises Usage with the nearest."""
    known = {key: str(item["name"]) for key, item in ACTIONS.items() if item.get("of", side) == side}
    return find_key(word, known, "action")


def find_key(word: str, known: Mapping[str, str], what: str) -> str:
    """The key that a word means among keys and their names. Raises Usage."""
    low = slug(word)
    found = [key for key in known if key == low or slug(known[key]) == low]
    found = found or [key for key in known if low != "-" and key.startswith(low)]
    if len(found) != 1:
        raise Usage(
            f"{word!r} is no {what} here.{nearest(word, known)}"
            if not found
            else f"{word!r} may be {listed(found)}.",
            f"One of: {listed(known, 20)}.",
        )
    return found[0]


# Traits


def active(world: World) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The opposition's active traits with what each does; nothing where it only takes a Hit."""
    table = numbers("conflict")["traits"]
    for name in world.get("conflict.traits", []):
        yield name, table.get(slug(name), {})


def has_trait(world: World, effect: str) -> str:
    """The name of an active trait with that effect, or nothing."""
    return next((name for name, does in active(world) if effect in does), "")


# Sides of a round


def their_side(world: World) -> Side:
    """All that the opposition brings: its own numbers, its action, traits, bonuses (STR-TC-03, 16)."""
    scene = world.get("conflict")
    found: dict[str, list[Modifier]] = {which: [] for which in ROLLS}
    action = ACTIONS[scene["opposition"]["action"]]
    for which in ROLLS:
        _add(found[which], scene[which], which.capitalize())
        _add(found[which], action.get(which, 0), str(action["name"]))
        for name, does in active(world):
            _add(found[which], does.get(which, 0), name)
            _add(
                found[which], does.get(f"grows_{which}", 0) * scene.get("grown", {}).get(slug(name), 0), name
            )
        _add_bonuses(world, found[which], "theirs", which)
    return Side(scene["against"], found, {}, scene.get("scouted", {}))


def our_side(world: World, weigh: str, dis: Mapping[str, list[str]], stock: str) -> Side:
    """All that the team brings: its actions, bonuses, and Conditions on the roll picked (STR-TC-15)."""
    scene = world.get("conflict")
    found: dict[str, list[Modifier]] = {which: [] for which in ROLLS}
    reasons: dict[str, list[Source]] = {
        which: [Source(DISADVANTAGE, reason) for reason in dis.get(which, ())] for which in ROLLS
    }
    for who in members(world):
        chosen = scene["actions"][who]
        name = display_name(world, who)
        if chosen["action"] == SECONDARY:
            _add(found[chosen["to"]], LIMITS["secondary"], f"{name}: secondary goal")
            continue
        action = ACTIONS[chosen["action"]]
        for which in ROLLS:
            _add(found[which], action.get(which, 0), f"{name}: {action['name']}")
    for which in ROLLS:
        _add_bonuses(world, found[which], "ours", which)
    if stock:
        _add(found[stock], 1, "Stock Up")
    if weigh in ROLLS:
        table = numbers("conflict")["weighs"]
        for who, severity, condition in weighing(world):
            reason = f"{display_name(world, who)}: {condition}"
            if severity == "major":
                _add(found[weigh], table["major"], reason)
            else:
                reasons[weigh].append(Source(table["minor"], reason))
    return Side(OURS, found, reasons, {})


def weighing(world: World) -> list[tuple[str, str, str]]:
    """Who has which Condition that counts, with its severity; those that Inspire covers left out, the worst
    first."""
    inspired = world.get("conflict.inspired", [])
    spare = inspired.count("one")
    found = []
    for who in members(world):
        own = [
            (who, str(definition["severity"]), str(definition["name"]))
            for key in world.get(f"characters.{who}.conditions", [])
            if (definition := world.book.conditions[key])["severity"] in ("major", "minor")
        ]
        own.sort(key=lambda item: item[1] != "major")
        found += own[inspired.count("each") :]
    found.sort(key=lambda item: item[1] != "major")
    return found[spare:]


def _add(into: list[Modifier], value: int, reason: str) -> None:
    if value:
        into.append(Modifier(value, reason))


def _add_bonuses(world: World, into: list[Modifier], side: str, which: str) -> None:
    now = world.get("conflict.round")
    for bonus in world.get("conflict.bonuses", []):
        if bonus["side"] == side and bonus["first"] <= now <= bonus["last"]:
            _add(into, bonus.get(which, 0), bonus["why"])


def for_next_round(world: World, side: str, which: str, value: int, why: str) -> dict[str, Any]:
    """A bonus of a side for the round after this one."""
    next_one = world.get("conflict.round") + 1
    return {"side": side, "first": next_one, "last": next_one, which: value, "why": why}


def add_bonuses(world: World, *bonuses: Mapping[str, Any]) -> dict[str, Any]:
    """What to set so that these bonuses are kept."""
    return {"conflict.bonuses": [*world.get("conflict.bonuses", []), *map(dict, bonuses)]}


# Strikes and Hits


def strikes(world: World) -> dict[str, int]:
    """Strikes of both sides."""
    return {side: int(world.get(f"conflict.strikes.{side}", 0)) for side in ("ours", "theirs")}


def removable(world: World, side: str) -> int:
    """How many of a side's Strikes can be removed: none that is irremovable, and none under Final."""
    if side == "ours" and has_trait(world, "irremovable"):
        return 0
    kept = world.get("conflict.irremovable", 0) if side == "ours" else 0
    return max(0, strikes(world)[side] - int(kept))


def add_strike(world: World, side: str, why: str, *, irremovable: bool = False) -> Procedure[None]:
    """A Strike, which may be irremovable."""
    now = strikes(world)[side] + 1
    sets: dict[str, Any] = {f"conflict.strikes.{side}": now}
    if irremovable:
        sets["conflict.irremovable"] = world.get("conflict.irremovable", 0) + 1
    word = "an irremovable Strike" if irremovable else "a Strike"
    text = f"{names(world)[side]} takes {word} ({now} now): {why}."
    yield world.happen("conflict-strike-taken", "", text, sets, side=side, why=why)


def remove_strike(world: World, side: str, why: str) -> Procedure[None]:
    """A Strike less."""
    now = strikes(world)[side] - 1
    text = f"{names(world)[side]} has a Strike less ({now} now): {why}."
    yield world.happen(
        "conflict-strike-removed", "", text, {f"conflict.strikes.{side}": now}, side=side, why=why
    )


def take_hit(world: World, side: str, why: str) -> Procedure[None]:
    """A Hit (STR-TC-06). With no trait left it is a Strike at once; else the opponents choose."""
    if side == "theirs":
        shield = has_trait(world, "ignores_hits")
        if shield and not world.get("conflict.fortified"):
            text = f"{names(world)[side]} ignores a Hit ({why}): {shield}."
            yield world.happen("conflict-hit-ignored", "", text, {"conflict.fortified": 1}, side=side)
            return
        if world.get("conflict.traits", []):
            due = world.get("conflict.hits_due", 0) + 1
            text = f"{names(world)[side]} takes a Hit ({why}): a Strike, or one of its traits?"
            yield world.happen("conflict-hit", "", text, {"conflict.hits_due": due}, side=side, why=why)
            return
    yield from add_strike(world, side, f"a Hit, {why}")


def regain(world: World, side: str, wanted: str, why: str) -> Procedure[None]:
    """A side removes one of its Strikes or regains a lost trait: `wanted`, else a Strike, else the trait lost
    first. Nothing where it has neither."""
    lost = world.get("conflict.lost_traits", []) if side == "theirs" else []
    choice = wanted or ("strike" if removable(world, side) else lost[0] if lost else "none")
    if choice == "strike" and removable(world, side):
        yield from remove_strike(world, side, why)
    elif choice in lost:
        sets = {
            "conflict.lost_traits": [name for name in lost if name != choice] or None,
            "conflict.traits": [*world.get("conflict.traits", []), choice],
        }
        text = f"{names(world)[side]} regains {choice}: {why}."
        yield world.happen("conflict-trait-regained", "", text, sets, trait=choice)


def may_regain(world: World, side: str, wanted: str) -> str:
    """What `regain` is to do, checked: `strike`, a lost trait's name, `none`, or nothing for its default."""
    if wanted in ("", "none", "strike"):
        return wanted
    lost = world.get("conflict.lost_traits", []) if side == "theirs" else []
    for name in lost:
        if slug(name) == slug(wanted):
            return str(name)
    raise Refused(f"{wanted!r} is no trait to regain.", f"`strike`, `none`, or: {listed(lost)}.")


def hits_must_be_decided(world: World) -> None:
    """Raises Refused while a Hit waits for what it does."""
    if world.get("conflict.hits_due", 0):
        raise Refused(
            f"{names(world)['theirs']} has taken a Hit that waits to be decided.",
            f"`strike conflict hit theirs strike`, or a trait: {listed(world.get('conflict.traits', []))}.",
        )
