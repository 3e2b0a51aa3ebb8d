"""The start and the end of a fight, and summons (WSH-01, 06)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Args, Procedure, Refused, Sets, World
from strike_cli.plugin.board import ACTED, Square, footprint, format_square
from strike_cli.plugin.encounters import set_up_new_fight
from strike_cli.plugin.tactics import ENEMIES, PARTY, numbers_left

from .facts import MomentumEnded, MomentumStarted, MomentumSummoned
from .fight_state import Battle
from .initiative_and_rounds import sort_by_initiative
from .refusals import NoOutcome, NoRoomOn
from .sheet_and_formulas import sheet_of
from .statuses import COMMANDED, STANCES, START, add_or_replace_status, has_effect_flag

if TYPE_CHECKING:
    from strike_cli.plugin.scene_tables import MeterKept

    from .data import (
        CommandedData,
        MomentumEndData,
        MomentumFighter,
        MomentumKept,
        MomentumStartData,
        MomentumState,
    )


METERS: Mapping[str, MeterKept] = {
    "vitality": {"name": "Vitality", "max": "max_vitality", "vital": False},
    "ap": {"name": "AP"},
    "rp": {"name": "RP"},
    "movement": {"name": "Movement"},
    "momentum": {"name": "Momentum"},
    "wp": {"name": "WP", "max": "max_wp", "vital": False},
    "temp_vitality": {"name": "Temporary Vitality", "vital": False},
}
"""The numbers of a combatant that every screen shows, the first one as a bar."""
WON, LOST, OVER = "won", "lost", "over"


class StartBattle(Args):
    """The arguments of `momentum start`.

    `party` lists the party members who take part; by default it is everybody with a Momentum sheet.
    `creatures` come in addition to those of the encounter. `surprised` names people, kinds of creatures or
    sides.
    """

    encounter: str
    party: Sequence[str] = ()
    creatures: Mapping[str, int] = {}
    surprised: Sequence[str] = ()
    goal: str = ""

    def people(self) -> Sequence[str]:
        return self.party


class EndBattle(Args):
    """The arguments of `momentum end`: whether the fight is "won", "lost" or "over".

    With "", the outcome depends on who is still up.
    """

    how: str = ""


def play_start(world: World, args: StartBattle) -> Procedure[MomentumStartData]:
    """Play `momentum start`: a fight begins, with everybody in their place on the encounter's map.

    Raises Refused if the encounter has no map, or if a side has nobody who can fight.
    """
    setting = set_up_new_fight(world, "momentum", args.encounter, args.party, args.creatures)
    encounter = world.book.encounters[args.encounter]
    if not setting.board:
        raise Refused(
            f"{encounter['name']} has no map, and these fights need squares.",
            f"Draw one: `map` below [encounters.{args.encounter}] in campaign.toml.",
        )
    people = {
        combatant: fighter_with_kept_or_sheet_numbers(world, one["ref"], one)
        for combatant, one in setting.people.items()
    }
    surprised = [
        combatant for word in args.surprised for combatant in _combatants_by_id_kind_or_side(people, word)
    ]
    for combatant in surprised:
        people[combatant]["acted"] = 1
        people[combatant]["surprised"] = True
    # Objects don't count (WSH-01).
    able = {
        one["side"]
        for one in people.values()
        if not one.get("object") and not one.get("down") and "out" not in one
    }
    if able != {PARTY, ENEMIES}:
        raise Refused("There is no opponent.", "Both sides need a creature that can fight.")
    scene: MomentumState = {
        "id": args.encounter,
        "name": encounter["name"],
        "round": 0,
        "people": people,
        "meters": METERS,
        "order": [combatant for combatant, one in people.items() if not one.get("object")],
        "map": setting.board,
    }
    if goal := args.goal or encounter["goal"]:
        scene["goal"] = goal
    if setting.zones:
        scene["zones"] = setting.zones
    yield world.tell(MomentumStarted(args.encounter, tuple(surprised)), {"momentum": scene})
    return {
        "encounter": args.encounter,
        "name": scene["name"],
        "people": list(people),
        "surprised": surprised,
    }


def fighter_with_kept_or_sheet_numbers(
    world: World, ref: str, table: Mapping[str, object]
) -> MomentumFighter:
    """Return a combatant's data at the start of a fight: `table` with the combatant's numbers added.

    A character has the numbers that the last fight left. Anybody else has the numbers of the sheet.
    """
    sheet = sheet_of(world, ref)
    left = cast("MomentumKept", world.get(f"characters.{ref}.momentum", {}))
    most = sheet.table["vitality"]
    vitality = left.get("vitality", most)
    one = {
        **table,
        "vitality": vitality,
        "max_vitality": most,
        "ap": 0,
        "rp": 0,
        "movement": 0,
        "momentum": left.get("momentum", sheet.table["momentum"]),
    }
    items = left.get("items", {id: item["count"] for id, item in sheet.table["items"].items()})
    more: dict[str, object] = {
        "holding": sheet.things_held_at_start,
        "items": items,
        "statuses": left.get("statuses"),
        "out": left.get("out"),
    }
    if sheet.table["wp"]:
        more |= {"wp": left.get("wp", sheet.table["wp"]), "max_wp": sheet.table["wp"]}
    more |= {"object": sheet.is_object, "down": vitality < 1 and not left.get("out")}
    return cast("MomentumFighter", one | {key: value for key, value in more.items() if value or key == "wp"})


def _combatants_by_id_kind_or_side(people: Mapping[str, MomentumFighter], word: str) -> list[str]:
    """Return the combatants that a word names: one by id, all of a kind, or all of a side.

    Raises Refused if the word names nobody.
    """
    found = [combatant for combatant, one in people.items() if word in (combatant, one["ref"], one["side"])]
    if not found:
        raise Refused(f"{word!r} is not there to surprise.", f"There: {', '.join(people)}.")
    return found


def play_end(world: World, args: EndBattle) -> Procedure[MomentumEndData]:
    """Play `momentum end`: the fight is over.

    Characters keep their Vitality, Narrative Momentum, consumables and lasting Status Effects (WSH-16).
    """
    battle = Battle(world)
    standing = battle.sides_up()
    counted = WON if standing == {PARTY} else LOST if standing == {ENEMIES} else OVER
    if args.how not in ("", WON, LOST, OVER):
        raise NoOutcome(repr(args.how), "Use won, lost or over.")
    how = args.how or counted
    sets: Sets = {"momentum": None}
    for combatant, one in battle.people.items():
        if one["ref"] in world.book.characters:
            sets[f"characters.{one['ref']}.momentum"] = _numbers_and_statuses_to_keep(battle, combatant)
    data: MomentumEndData = {
        "outcome": how,
        "rounds": battle.round,
        "standing": list(filter(battle.is_up, battle.people)),
    }
    yield world.tell(MomentumEnded(battle.data["id"], how), sets)
    return data


def _numbers_and_statuses_to_keep(battle: Battle, combatant: str) -> dict[str, object] | None:
    """Return the numbers of a character that differ from the sheet, to be kept after the fight.

    Lasting Status Effects, and how the character left the fight, are kept too. Returns None if nothing is
    kept.
    """
    one, sheet = battle.people[combatant], battle.sheet(combatant)
    fresh: dict[str, object] = {key: sheet.table[key] for key in ("vitality", "momentum", "wp")}
    fresh["items"] = {id: item["count"] for id, item in sheet.table["items"].items()}
    kept = numbers_left(one, fresh, ("vitality", "momentum", "items", "wp"))
    lasting = [
        {"id": status["id"]}
        for status in one.get("statuses", ())
        if "until" not in status and status["id"] not in STANCES
    ]
    kept |= {"statuses": lasting} if lasting else {}
    kept |= {"out": one["out"]} if "out" in one else {}
    return kept or None


def must_have_room(battle: Battle, ref: str, square: Square) -> None:
    """Raise NoRoomOn if a creature can't stand on a square."""
    size = battle.world.book.creatures[ref].get("size", 1)
    if not battle.grid.fits(square, size) or battle.combatants_on(footprint(square, size)):
        raise NoRoomOn(format_square(square), "Name a free square.")


def summon_creature(world: World, combatant: str, ref: str, square: Square) -> Procedure[str]:
    """Put a creature on a square, on the side of its summoner; return its id.

    The creature acts from the next round on. Raises NoRoomOn if it can't stand on the square.
    """
    battle = Battle(world)
    must_have_room(battle, ref, square)
    written = world.book.creatures[ref]
    stem, number = ref.rpartition(":")[2], 1
    while f"{stem}-{number}" in (*battle.people, *world.book.characters):
        number += 1
    id, name = f"{stem}-{number}", f"{written['name']} {number}"
    told = {
        "name": name,
        "ref": ref,
        "side": battle.side(combatant),
        "at": format_square(square),
        "size": written.get("size", 1),
    }
    one = {
        **fighter_with_kept_or_sheet_numbers(world, ref, told),
        "summoner": combatant,
        ACTED: battle.round,
        "rp": 0,
    }
    sets: Sets = {f"momentum.people.{id}": one}
    sets["momentum.order"] = sort_by_initiative(battle.people, [*battle.data.get("order", ()), id])
    yield world.tell(MomentumSummoned(combatant, id), sets)
    return id


def make_summons_obey_until_next_turn(world: World, combatant: str) -> Procedure[CommandedData]:
    """Make a combatant's summons obey until the combatant's next turn (WSH-07).

    Summons that are out of control don't obey.
    """
    commanded = []
    for one in list(Battle(world).combatants_there()):
        battle = Battle(world)
        if battle.people[one].get("summoner") == combatant and not has_effect_flag(
            battle, one, "loses_control"
        ):
            yield from add_or_replace_status(
                world, one, COMMANDED, until=START, of=combatant, by=combatant, is_stance=True
            )
            commanded.append(one)
    return {"commanded": commanded}
