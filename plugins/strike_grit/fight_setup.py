"""The start of a fight: its combatants, and the Saves against surprise (GRT-01, 04)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Args, Procedure, Refused, World
from strike_cli.plugin.encounters import characters_with_game_table, set_up_new_fight
from strike_cli.plugin.tactics import ENEMIES, PARTY

from .dice import ATTRIBUTES
from .facts import GritStarted, GritSurprised
from .fight_state import WORDS, GritFight
from .movement_and_distances import FEET, squares_per_round
from .saving_throw import make_save, roller_of_save
from .vitals import KEPT, GritVitals, full_strength_numbers, makes_morale_saves, sheet_of

if TYPE_CHECKING:
    from .data import GritNumbers, GritPerson, GritScene, GritStartData


class StartGritFight(Args):
    """The arguments of `grit start`.

    `party` lists the party members who take part; if it is empty, all of them do. `creatures` come in
    addition to those of the encounter. With `surprise`, each player's character has to make a Save. Those who
    fail it do nothing in the first round.
    """

    encounter: str
    party: Sequence[str] = ()
    creatures: Mapping[str, int] = {}
    surprise: bool = False


def play_start(world: World, args: StartGritFight) -> Procedure[GritStartData]:
    """Play `grit start`: a fight begins, and the players' side acts first."""
    scene = _new_scene(world, args)
    yield world.tell(GritStarted(scene["name"]), {"grit": scene})
    surprised = (yield from _roll_and_record_surprise(world)) if args.surprise else []
    return cast("GritStartData", {**GritFight(world).data, "surprised": surprised})


def _new_scene(world: World, args: StartGritFight) -> GritScene:
    party = args.party or [
        combatant
        for combatant in characters_with_game_table(world, "grit")
        if not world.get(f"characters.{combatant}.grit.out")
    ]
    setting = set_up_new_fight(world, "grit", args.encounter, party, args.creatures)
    encounter = world.book.encounters[args.encounter]
    people = {
        combatant: {**one, **starting_numbers(world, one["ref"])} for combatant, one in setting.people.items()
    }
    scene: GritScene = {
        "id": args.encounter,
        "name": encounter["name"],
        "goal": encounter["goal"],
        "round": 1,
        "turns": "sides",
        "active": PARTY,
        "people": cast("dict[str, GritPerson]", people),
    }
    if world.book.house["grit.distance"] == WORDS or not setting.board:
        for one in scene["people"].values():
            one.pop("at", None)
        return scene
    scene["map"] = {**setting.board, **FEET.but(diagonals=world.book.house["grit.diagonals"]).map_keys()}
    if setting.zones:
        scene["zones"] = setting.zones
    return scene


def starting_numbers(world: World, ref: str) -> GritNumbers:
    """Return the numbers with which a combatant starts a fight.

    A character starts with the numbers that the last fight left. Raises Refused for a character who is dead.
    """
    full = full_strength_numbers(sheet_of(world, ref))
    now = GritVitals.of_person(world, ref)
    if not now.is_up and "out" in now.numbers:
        raise Refused(f"{now.name} is {now.state}.", "Name others with --party.")
    most = {f"max_{key}": full[key] for key in ("grit", *ATTRIBUTES)}
    numbers = {key: now.numbers[key] for key in KEPT if now.numbers.get(key) is not None}
    return cast("GritNumbers", {**full, **numbers, **most})


def _roll_and_record_surprise(world: World) -> Procedure[list[str]]:
    """Play a DEX Save of each player's character against the quickest foe; return those who failed.

    Those who fail do nothing in the first round. Dice: for each character, in the order of the list, their
    own die and then the foe's.
    """
    fight = GritFight(world)
    foes = list(fight.combatants_up(ENEMIES))
    if not foes:
        return []
    quickest = max(foes, key=lambda combatant: fight.people[combatant]["dex"])
    surprised = []
    for combatant in [
        combatant for combatant in fight.combatants_up(PARTY) if not makes_morale_saves(world, combatant)
    ]:
        saved = yield from make_save(
            world, roller_of_save(world, combatant, "dex"), roller_of_save(world, quickest, "dex")
        )
        if not saved.success:
            surprised.append(combatant)
            record = {"round": fight.round, "squares": squares_per_round(fight)}
            sets = fight.sets(combatant, acted=fight.round, moved=record, surprised=True)
            yield world.tell(GritSurprised(combatant), sets)
    return surprised
