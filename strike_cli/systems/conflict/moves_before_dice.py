"""Moves before a conflict's dice: start, preparation, actions and scouting (STR-TC-01 to 03, 14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from strike_cli.kernel.procedure import Args, Procedure, Roll, Sets, World
from strike_cli.problems import Refused, Usage, listed
from strike_cli.refusals import LacksSkill
from strike_cli.tabletop.characters_and_names import display_name, has_skill, skills_and_connections_of, slug
from strike_cli.tabletop.dice import Rolled

from .conflict_under_way import (
    ACTIONS,
    LIMITS,
    OUR_TEAM_NAME,
    SECONDARY,
    action_names_for_kind_of_side_by_key,
    are_players_on_both_sides,
    changes_adding_bonuses,
    find_action,
    find_key,
    is_team_of_players,
    other_side,
    people_without_action,
    read_regain_choice,
    reason_to_json,
    removable_strikes,
    require_conflict,
    require_side_of_active_person,
    side_in,
    side_name,
    side_path,
    strikes_by_side,
)
from .facts import (
    ConflictActed,
    ConflictOpposed,
    ConflictPrepared,
    ConflictScouted,
    ConflictStarted,
    Introduced,
    OfPreparation,
)
from .hits import deal_or_ignore_hit
from .round_consequences import finish_round_and_get_conflict
from .rule_numbers import ROLLS, SIDES, WhichRoll, WhichSide, numbers

if TYPE_CHECKING:
    from .data import (
        ConflictActData,
        ConflictActsData,
        ConflictOpposeData,
        ConflictPrepData,
        ConflictScoutData,
        ConflictSide,
        ConflictState,
        OppositionBonuses,
        PrepEffects,
        RoundBonus,
    )


class StartConflict(Args):
    """The arguments of `conflict start`, such as the two sides.

    `id` is the id of a prepared conflict, or "" for a conflict that wasn't prepared. `their_team` has the
    players of the other side. If it is empty, the other side is an opposition, with the numbers `advance` and
    `defense`. By default, each of these numbers is one less than the number of players (STR-TC-03). `death`
    is True if it was announced that people may die. `swaps` maps events of the double tie to the events that
    replace them.
    """

    name: str
    intent: str
    against: str
    their_intent: str
    team: Sequence[str]
    their_team: Sequence[str] = ()
    traits: Sequence[str] = ()
    our_traits: Sequence[str] = ()
    advance: int | None = None
    defense: int | None = None
    id: str = ""
    death: bool = False
    no_withdrawal: bool = False
    swaps: Mapping[str, str] = {}

    def people(self) -> Iterable[str]:
        return (*self.team, *self.their_team)


class Prep(Args):
    """The arguments of `conflict prep`: the person who prepares, and the preparation."""

    who: str
    action: str


class ChooseAction(Args):
    """The arguments of `conflict oppose`: the action that a side takes in the round.

    `recover` is what Recover will regain. `next` is the roll that Obscure helps.
    """

    action: str
    recover: str = ""
    next: WhichRoll | Literal[""] = ""
    RETIRED: ClassVar[tuple[str, ...]] = ("instead",)


class DeclareAction(ChooseAction):
    """The arguments of `conflict act`: a person's action, with the Skill and item for it."""

    who: str
    skill: str = ""
    using: str = ""
    RETIRED = ("instead", "secondary")


class DeclareActions(Args):
    """The arguments of `conflict act` for several people."""

    acts: Sequence[DeclareAction]


class Scout(Args):
    """The arguments of `conflict scout`: the die to scout, and the side that scouts.

    The die belongs to the other side.

    Attributes:
        which: "advance" or "defense". "" means the first of these dice that isn't known yet.
        side: The scouting side. "" means the side that may scout.
    """

    which: WhichRoll | Literal[""] = ""
    side: WhichSide | Literal[""] = ""


def play_start(world: World, args: StartConflict) -> Procedure[ConflictState]:
    """Play `conflict start`: begin a conflict between two sides.

    Raises Refused if our team has no members, or if somebody is on both sides. Raises Refused also if there
    is a conflict already, even one that is decided: `conflict end` has to end it first.
    """
    if world.get("conflict"):
        raise Refused(
            f"{world.get('conflict.name')} is not over.", "`strike conflict end` ends it, with its aftermath."
        )
    team, others = list(args.team), list(args.their_team)
    if not team:
        raise Refused("A conflict needs a team.", "Name its members: --team vex.")
    both = [person for person in team if person in others]
    if both:
        raise Refused(
            f"{listed(display_name(world, person) for person in both)} can't be on both sides.",
            "Name everybody of --team and of --their-team once.",
        )
    usual = len(team) - LIMITS["fewer"]
    own: OppositionBonuses = {
        "advance": usual if args.advance is None else args.advance,
        "defense": usual if args.defense is None else args.defense,
    }
    scene: ConflictState = {
        "name": args.name,
        "round": 1,
        "people": {person: {"name": display_name(world, person)} for person in args.people()},
        "ours": _new_side(OUR_TEAM_NAME, args.intent, team, args.our_traits),
        "theirs": _new_side(args.against, args.their_intent, others, args.traits)
        if others
        else {**_new_side(args.against, args.their_intent, others, args.traits), **own},
    }
    if args.id:
        scene["id"] = args.id
    if args.death:
        scene["death"] = args.death
    if args.no_withdrawal:
        scene["no_withdrawal"] = args.no_withdrawal
    if args.swaps:
        scene["swaps"] = _parse_double_tie_events_by_face(args.swaps)
    ours = _introduction(scene["ours"], named=False)
    theirs = _introduction(scene["theirs"], named=True)
    begun = ConflictStarted(args.name, ours, theirs, args.intent, args.their_intent, team)
    yield world.tell(begun, {"conflict": scene})
    return scene.copy()


def _parse_double_tie_events_by_face(words: Mapping[str, str]) -> dict[str, str]:
    """Return the new events of the double tie, by the face of its die (STR-TC-08).

    Only faces whose event is replaced are in the result. `words` maps each old event to the new event, as
    typed. Raises Usage for an unknown event, or if two faces would get the same new event.
    """
    table = numbers()["double_tie"]
    events = cast("Mapping[str, str]", {face: event for face, event in table.items() if face.isdigit()})
    faces = {slug(event): face for face, event in events.items()}
    others = {slug(event): event for event in table["swaps"]}
    found = {
        faces[find_key(old, {key: events[face] for key, face in faces.items()}, "event")]: others[
            find_key(new, others, "event to swap in")
        ]
        for old, new in words.items()
    }
    if len(set(found.values())) < len(found):
        raise Usage("One event is swapped in twice.", f"Each only once: {listed(others.values())}.")
    return found


def _new_side(name: str, intent: str, team: list[str], traits: Sequence[str]) -> ConflictSide:
    return {
        "name": name,
        "intent": intent,
        "team": team,
        "advance": 0,
        "defense": 0,
        "strikes": 0,
        "traits": list(traits),
    }


def _introduction(side: ConflictSide, *, named: bool) -> Introduced:
    name = side["name"] if named else ""
    return Introduced(side["team"], side["traits"], name, side["advance"], side["defense"])


def play_prep(world: World, args: Prep) -> Procedure[ConflictPrepData]:
    """Play `conflict prep`: a player prepares, before the first round (STR-TC-14).

    Each player may prepare once. Raises Refused if the first round has begun, or if this player has prepared
    already.
    """
    scene, person = require_conflict(world), args.who
    side = require_side_of_active_person(world, person)
    table = numbers()["prep"]
    known = {key: str(item["name"]) for key, item in table["actions"].items()}
    key = find_key(args.action, known, "preparatory action")
    name = display_name(world, person)
    if scene["round"] > 1 or any(side_in(world, each).get("actions") for each in SIDES):
        raise Refused(
            "Preparations are over once the first round has begun.", "`strike conflict act WHO ACTION` acts."
        )
    if person in side_in(world, side).get("prepared", {}):
        raise Refused(
            f"{name} has prepared already: {known[side_in(world, side)['prepared'][person]]}.",
            "One preparatory action a player.",
        )
    faces = yield Roll(1, 6, known[key], person, id=f"prepare:{key}")
    roll = Rolled(person, known[key], faces)
    how = str(table["faces"][str(roll.kept)])
    action = table["actions"][key]
    does = table["badly"] if how == "badly" else action["well"] if how == "well" else action["fairly"]
    sets: Sets = {side_path(side, f"prepared.{person}"): key}
    added = does.get("bonuses", [])
    bonuses = [
        cast("RoundBonus", {"why": reason_to_json(OfPreparation(key, person)), **bonus}) for bonus in added
    ]
    if bonuses:
        sets |= changes_adding_bonuses(world, side, *bonuses)
    own = side_in(world, side)
    if "scouts" in does:
        sets[side_path(side, "scouts")] = min(len(ROLLS), own.get("scouts", 0) + does["scouts"])
    if "stock" in does:
        sets[side_path(side, "stock")] = [*own.get("stock", ()), does["stock"]]
    if "inspire" in does:
        sets[side_path(side, "inspired")] = [*own.get("inspired", ()), does["inspire"]]
    yield world.tell(ConflictPrepared(person, roll, key, how), sets)
    if does.get("hit"):
        yield from deal_or_ignore_hit(world, other_side(side), OfPreparation(key))
    return {
        "who": person,
        "action": key,
        "roll": roll.as_json(),
        "came": how,
        "gives": cast("PrepEffects", dict(does)),
    }


def play_act(world: World, args: DeclareAction) -> Procedure[ConflictActData]:
    """Play `conflict act`: a person chooses an action for this round.

    Until the dice are rolled, the person may choose again. Raises Refused if the person can't act, or if the
    action may be used only once and has been used. Raises Refused, too, if two others have already chosen the
    same action, unless it is a basic action.
    """
    person, name = args.who, display_name(world, args.who)
    side = yield from finish_round_and_find_actor_side(world, person)
    key = find_action(world, side, args.action)
    action = ACTIONS[key]
    _must_name_own_skill_unless_basic(world, side, person, key, args.skill)
    done = side_in(world, side).get("actions", {})
    others = [one for one, item in done.items() if one != person and item["action"] == key]
    if not action.get("basic") and len(others) >= LIMITS["same_action"]:
        shown = listed(display_name(world, one) for one in others)
        raise Refused(
            f"{action['name']} is taken twice this round: {shown}.", "Choose another action, or a basic one."
        )
    if action.get("once") and person in side_in(world, side).get("took_one", ()):
        raise Refused(
            f"{name} has used {action['name']} in this conflict.",
            "Each player may use it once: choose another.",
        )
    uses = {"skill": args.skill, "using": args.using}
    item = {"action": key, **{what: name for what, name in uses.items() if name}}
    item |= _read_action_details(world, side, key, args)
    told = (
        ConflictActed(person) if are_players_on_both_sides(world) else ConflictActed(person, key, args.skill)
    )
    yield world.tell(told, {side_path(side, f"actions.{person}"): item})
    return cast("ConflictActData", {"who": person, **item, "missing": people_without_action(world, side)})


def play_acts(world: World, args: DeclareActions) -> Procedure[ConflictActsData]:
    """Play `conflict act` for several people; if one of the actions is refused, none is played."""
    if not args.acts:
        raise Usage("Nobody is named.", "`strike conflict act vex progress, brann block` names two.")
    done: list[ConflictActData] = []
    for each in args.acts:
        done.append((yield from play_act(world, each)))
    return {"acts": done, "missing": done[-1]["missing"]}


def finish_round_and_find_actor_side(world: World, person: str) -> Procedure[str]:
    """Finish the last round, and return the side of a person who may choose an action now.

    Raises Refused if no conflict is under way, if a Hit waits for a decision, if the person isn't in the
    conflict, or if the person has rolled for a secondary goal in this round.
    """
    yield from finish_round_and_get_conflict(world)
    side = require_side_of_active_person(world, person)
    done = side_in(world, side).get("actions", {})
    if person in done and done[person]["action"] == SECONDARY:
        raise Refused(
            f"{display_name(world, person)} has rolled for a secondary goal in this round.",
            "That was the action; `strike undo` takes it back.",
        )
    return side


def _must_name_own_skill_unless_basic(world: World, side: str, person: str, key: str, skill: str) -> None:
    name, action = display_name(world, person), ACTIONS[key]
    if skill and not has_skill(world, person, skill):
        known = listed(skills_and_connections_of(world, person))
        raise LacksSkill(name, skill, f"Known: {known}. Basic actions need no Skill.")
    if not skill and not action.get("basic"):
        basic = listed(
            shown
            for one, shown in action_names_for_kind_of_side_by_key(world, side).items()
            if ACTIONS[one].get("basic")
        )
        raise Refused(
            f"{action['name']} needs a relevant Skill of {name}'s.",
            f"Name it: --skill SKILL. Without one: {basic}.",
        )


def _read_action_details(world: World, side: str, key: str, args: ChooseAction) -> dict[str, str]:
    """Return the details of an action: what Recover regains, and the roll that Obscure helps.

    Other actions have none. Raises Usage for details that don't fit the action.
    """
    action, more = ACTIONS[key], {}
    if args.recover:
        if not action.get("recover"):
            raise Usage(f"{action['name']} recovers nothing.", "Leave out --recover.")
        more["recover"] = read_regain_choice(world, side, args.recover)
    if action.get("obscure"):
        more["next"] = args.next or ROLLS[0]
    elif args.next:
        raise Usage("Only Obscure gives a bonus of choice.", "Leave out --next.")
    return more


def play_oppose(world: World, args: ChooseAction) -> Procedure[ConflictOpposeData]:
    """Play `conflict oppose`: the opposition chooses its one action (STR-TC-03).

    The players don't see it until the dice are rolled. Raises Refused if players are on the other side.
    """
    yield from finish_round_and_get_conflict(world)
    side = "theirs"
    if is_team_of_players(world, side):
        raise Refused(
            f"{side_name(world, side)} are players, and choose for themselves.",
            "`strike conflict act WHO ACTION` for each of them.",
        )
    key = find_action(world, side, args.action)
    action = ACTIONS[key]
    if action.get("their_removal") and not removable_strikes(world, "ours"):
        has = "none that can be removed" if strikes_by_side(world)["ours"] else "none"
        raise Refused(
            f"{action['name']} takes a Strike from the team, which has {has}.", "Choose another action."
        )
    item = {"action": key, **_read_action_details(world, side, key, args)}
    yield world.tell(ConflictOpposed(side), {side_path(side, "opposition"): item})
    return cast("ConflictOpposeData", {**item, "missing": people_without_action(world, "ours")})


def play_scout(world: World, args: Scout) -> Procedure[ConflictScoutData]:
    """Play `conflict scout`: roll one of the other side's dice for this round in advance (STR-TC-02, 07).

    If both sides are teams of players, only the scouting side sees the die (a ruling). The other side only
    learns that the die was rolled (`ConflictScouted.says_face_down`). Raises Refused if the scouting side may
    not scout, has acted, or already knows the die.
    """
    yield from finish_round_and_get_conflict(world)
    able = [each for each in SIDES if side_in(world, each).get("scouts", 0)]
    side = args.side or ("theirs" if able == ["theirs"] else "ours")
    if side not in able:
        more = " more" if side_in(world, side).get("scouted") else ""
        raise Refused(
            f"{side_name(world, side)} may scout nothing{more} this round.",
            "Observe allows it in the next round; so can preparing.",
        )
    if side_in(world, side).get("actions"):
        raise Refused(
            "Scouting comes before the actions, and some have acted.", "`strike undo` takes actions back."
        )
    known, against = side_in(world, side).get("scouted", {}), side_name(world, other_side(side))
    open_ones = [which for which in ROLLS if which not in known]
    which = args.which or open_ones[0]
    if which in known:
        raise Refused(
            f"Their {which.capitalize()} is scouted: {known[which]}.", f"Left: {listed(open_ones)}."
        )
    faces = yield Roll(1, 6, which, against)
    roll = Rolled(against, which, faces)
    left = min(side_in(world, side)["scouts"], len(open_ones)) - 1
    sets = {side_path(side, f"scouted.{which}"): roll.kept, side_path(side, "scouts"): left or None}
    yield world.tell(ConflictScouted(side, other_side(side), which, roll), sets)
    return {"side": side, "which": which, "roll": roll.as_json(), "left": left}
