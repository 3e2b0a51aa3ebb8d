"""The start of a fight: people, the first initiative, Luck Dice and Reaction Pools (CIN-01, 02)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Args, Choose, Procedure, Refused, Roll, World, listed
from strike_cli.plugin.dice import Rolled
from strike_cli.plugin.encounters import new_person_entry, set_up_new_fight
from strike_cli.plugin.facts import Somebody
from strike_cli.plugin.refusals import NotInScene
from strike_cli.plugin.tactics import ENEMIES, PARTY

from .conditional_actions import GAME_MASTER
from .dice_notation import INITIATIVE_DIE_SIDES, parse_dice
from .facts import KarmaBegan, KarmaFirstRolled, KarmaLuckRolled, KarmaStarted, SideRolled, WhoBegins
from .fight_state import OPEN, PASSING, KarmaFight
from .sheet import sheet_of

if TYPE_CHECKING:
    from strike_cli.plugin.dice import RollTold
    from strike_cli.plugin.scene_tables import PersonKept

    from .data import KarmaPerson, KarmaScene, KarmaStartData


class StartKarmaFight(Args):
    """The arguments of `karma start`.

    `party` lists the party members who take part; if it is empty, all of them do. `creatures` come in
    addition to those of the encounter. The first initiative goes to the combatant `first`, to a member of the
    side `first_group`, or with `roll` to a member of the side that rolls highest. Without any of these, the
    game master decides.
    """

    encounter: str
    party: Sequence[str] = ()
    creatures: Mapping[str, int] = {}
    first: str = ""
    first_group: str = ""
    roll: bool = False


def play_start(world: World, args: StartKarmaFight) -> Procedure[KarmaStartData]:
    """Play `karma start`: a fight begins, and one combatant has the first initiative.

    Dice: with `roll`, a d20 is rolled for each side, and again for sides that tie. Then the Luck Die of each
    player's character is rolled, in the order in which the combatants are listed.
    """
    scene = _new_scene(world, args)
    _refuse_invalid_first_initiative(scene, args)
    yield world.tell(KarmaStarted(scene["name"]), {"karma": scene})
    rolled, group = (yield from _roll_for_first_side(world)) if args.roll else ([], args.first_group)
    luck = yield from roll_luck_for_instant_karma(world)
    first = args.first or (yield from _choose_first_combatant(world, group))
    yield world.tell(
        KarmaBegan(first, first_round=True, group=KarmaFight(world).is_group(first)),
        {"karma.active": first, "karma.stage": OPEN},
    )
    return {
        "encounter": args.encounter,
        "people": list(scene["people"]),
        "rolls": rolled,
        "first_group": group or None,
        "first": first,
        "karma": luck,
    }


# The people


def _new_scene(world: World, args: StartKarmaFight) -> KarmaScene:
    setting = set_up_new_fight(world, "karma", args.encounter, args.party, args.creatures)
    encounter = world.book.encounters[args.encounter]
    own = encounter.get("karma", {})
    people = {**setting.people, **_group_combatants(world, own.get("groups", {}), setting.people)}
    everybody = {
        combatant: {**one, **starting_pool_and_turns(world, one["ref"])} for combatant, one in people.items()
    }
    scene: KarmaScene = {
        "id": args.encounter,
        "name": encounter["name"],
        "goal": encounter["goal"],
        "round": 1,
        "segment": 1,
        "turns": "pool",
        "stage": PASSING,
        "people": cast("dict[str, KarmaPerson]", everybody),
    }
    if setting.board:
        scene["map"], scene["zones"] = setting.board, setting.zones
        _copy_facts_and_counters(scene, own)
        return scene
    for combatant, place in own.get("at", {}).items():
        if combatant in people:
            scene["people"][combatant]["at"] = place
    _copy_facts_and_counters(scene, own)
    return scene


def _group_combatants(
    world: World, group_sizes: Mapping[str, int], people: Mapping[str, object]
) -> dict[str, PersonKept]:
    """Return one combatant for each group of creatures, with the number of its members (CIN-10)."""
    groups: dict[str, PersonKept] = {}
    for ref, count in group_sizes.items():
        short = ref.rpartition(":")[2]
        combatant = f"{short}-group" if short in people else short
        name = world.book.creatures[ref]["name"]
        groups[combatant] = {**new_person_entry(world, ref, name, ENEMIES), "count": count}
    return groups


def starting_pool_and_turns(world: World, ref: str) -> dict[str, int]:
    """Return the numbers with which a combatant starts a fight.

    The Reaction Pool has as many dice as the sheet has Hero Dice. `turns` is among the numbers only if the
    combatant has several turns in a round.
    """
    sheet = sheet_of(world, ref)
    often = {"turns": sheet["actions"]} if sheet["actions"] > 1 else {}
    return {"pool": sheet["hero"], "max_pool": sheet["hero"], **often}


def _copy_facts_and_counters(scene: KarmaScene, encounter_table: Mapping[str, object]) -> None:
    if encounter_table.get("facts"):
        scene["facts"] = cast("list[str]", encounter_table["facts"])
    if encounter_table.get("counters"):
        scene["counters"] = cast("dict[str, int]", encounter_table["counters"])


# The first turn


def _refuse_invalid_first_initiative(scene: KarmaScene, args: StartKarmaFight) -> None:
    people = scene["people"]
    if len([each for each in (args.first, args.first_group, args.roll) if each]) > 1:
        raise Refused("Give one way to decide the first initiative.", "--first, --first-group or --roll.")
    if args.first and args.first not in people:
        raise NotInScene(repr(args.first), f"There: {listed(people)}.")
    groups = {one["side"] for one in people.values()}
    if args.first_group and args.first_group not in groups:
        raise Refused(f"{args.first_group!r} is not a group here.", f"There is {listed(sorted(groups))}.")
    if not people:
        raise Refused("Nobody is there.", "Give characters a `karma` table, or name some with --party.")


def _roll_for_first_side(world: World) -> Procedure[tuple[list[RollTold], str]]:
    """Roll a d20 for each side, and again for tied sides; return all rolls and the highest side (CIN-02)."""
    sides = [one["side"] for one in KarmaFight(world).people.values()]
    left, rolls = [side for side in (PARTY, ENEMIES) if side in sides], []
    while True:
        faces = {}
        for side in left:
            thrown = yield Roll(1, INITIATIVE_DIE_SIDES, "first initiative", side)
            rolled = Rolled(side, "first initiative", thrown, sides=INITIATIVE_DIE_SIDES)
            faces[side] = rolled.kept
            rolls.append(rolled.as_json())
        told = KarmaFirstRolled([SideRolled(side, face) for side, face in faces.items()])
        left = [side for side in left if faces[side] == max(faces.values())]
        yield world.tell(told)
        if len(left) == 1:
            return rolls, left[0]


def roll_luck_for_instant_karma(world: World, newcomers: Sequence[str] = ()) -> Procedure[dict[str, int]]:
    """Roll the Luck Dice of players' characters, and return the Instant Karma of each (CIN-01).

    With `newcomers`, only they roll.
    """
    luck = {}
    fight = KarmaFight(world)
    for combatant in newcomers or fight.people:
        one = fight.people[combatant]
        die = sheet_of(world, one["ref"]).get("luck")
        if die is None or one["ref"] not in world.book.characters:
            continue
        (sides,) = parse_dice([die])
        rolled = Rolled(combatant, "Luck Die", (yield Roll(1, sides, "Luck Die", combatant)), sides=sides)
        luck[combatant] = rolled.kept
        yield world.tell(KarmaLuckRolled(combatant, rolled, sides), fight.sets(combatant, karma=rolled.kept))
    return luck


def _choose_first_combatant(world: World, group: str) -> Procedure[str]:
    """Ask which combatant has the first initiative, and return the combatant's id.

    The choice is among the side `group`, or among everybody if `group` is "". If `group` is the party, the
    party is asked. Otherwise the game master is asked. If only one combatant is possible, nobody is asked.
    """
    fight = KarmaFight(world)
    may = [combatant for combatant, one in fight.people.items() if group in ("", one["side"])]
    if len(may) == 1:
        return may[0]
    asked = "the party" if group == PARTY else GAME_MASTER
    what, names = "who has the first initiative", tuple(Somebody(one) for one in may)
    first: str = yield Choose(asked, what, tuple(may), names, about=WhoBegins())
    return first
