"""Ends of a conflict (STR-TC-09 to 12a), and secondary goals (STR-TC-13).

A loss may be averted, a member may withdraw, and a team may concede. The aftermath ends the conflict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.procedure import Args, Choose, Happen, Procedure, World
from strike_cli.problems import Refused, Usage, listed
from strike_cli.systems.core.conditions import (
    applicable_built_in_severity,
    gain_escalate_or_keep_condition,
    instances_count_separately,
)
from strike_cli.systems.core.points_tricks_and_fallback import use_complication
from strike_cli.systems.core.rule_numbers import numbers as core_numbers
from strike_cli.systems.core.skill_roll import RollSkill, outcome_words, play_skill
from strike_cli.tabletop.characters_and_names import display_name, has_skill, spend_action_points

from .conflict_under_way import (
    LIMITS,
    LOSER_BY_ENDING,
    SECONDARY,
    active_members,
    active_traits,
    are_players_on_both_sides,
    current_or_ended_conflict,
    is_team_of_players,
    other_side,
    people_without_action,
    read_regain_choice,
    regain_wanted_else_strike_else_trait,
    require_conflict,
    require_side_of_active_person,
    side_in,
    side_name,
    side_path,
    strikes_by_side,
)
from .facts import (
    ConflictAbandoned,
    ConflictAverted,
    ConflictConceded,
    ConflictEnded,
    ConflictLoserChose,
    ConflictLosersOption,
    ConflictUndecided,
    ConflictWinUndone,
    ConflictWithdrew,
    HelpedBesides,
    LossAverted,
    OneCondition,
    OptionOfLosers,
    Owed,
    WhichCondition,
)
from .hits import deal_or_ignore_hit, must_have_no_undecided_hit
from .moves_before_dice import finish_round_and_find_actor_side
from .round_consequences import finish_round_and_get_conflict, play_rest_of_last_round
from .rule_numbers import SIDES, WhichRoll, WhichSide
from .rule_numbers import numbers as conflict_numbers

if TYPE_CHECKING:
    from strike_cli.systems.core.data import ComplicationUsedData

    from .data import (
        AftermathData,
        ConflictAvertData,
        ConflictConcedeData,
        ConflictSecondaryData,
        ConflictWithdrawData,
    )


UNDECIDED = "undecided"


class Avert(Args):
    """The arguments of `conflict avert`.

    Attributes:
        who: The person who averts the loss.
        theirs: What the other side regains: "strike", the name of a trait, or "none". With "", it is the
            usual choice.
    """

    who: str
    theirs: str = ""


class Withdraw(Args):
    """The arguments of `conflict withdraw`: the person who leaves, and Conditions that are already chosen.

    `conditions` has these Conditions by person. If the person's Condition isn't in it, the person is asked.
    """

    who: str
    conditions: Mapping[str, str] = {}


class ExplainingComplication(NamedTuple):
    """A Complication that explains a Concession, and the character who has it."""

    who: str
    name: str


class Concede(Args):
    """The arguments of `conflict concede`: the side that concedes, and Complications.

    `complications` has the Complications that explain the concession. It may be empty.
    """

    side: WhichSide = "ours"
    complications: Sequence[ExplainingComplication] = ()


class EndConflict(Args):
    """The arguments of `conflict end`.

    `conditions` has the Conditions that were chosen before the command, by person. If the game master ends
    the conflict before a side has won, `undecided` is true. If the conflict is dropped without an aftermath,
    `abandon` is true.
    """

    conditions: Mapping[str, str] = {}
    abandon: bool = False
    undecided: bool = False


def condition_severity_for_strikes(strikes: int) -> str:
    """Return the severity of the Condition that `strikes` Strikes cause, "" for none."""
    for row in conflict_numbers()["aftermath"]["conditions"]:
        if strikes >= row["from"]:
            return str(row["severity"])
    return ""


def concessions_for_strikes(strikes: int) -> list[str]:
    """Return the Concessions that a winner with `strikes` Strikes owes."""
    for row in conflict_numbers()["aftermath"]["concessions"]:
        if strikes >= row["from"]:
            return list(row["owed"])
    return []


def conflict_aftermath(world: World) -> AftermathData:
    """Return what follows from a conflict: the Condition of each person, and the Concessions that are owed.

    Nothing is changed here. `conflict end` carries the result out.

    `conditions` has the severity of each person's Condition. `concessions` has what winning players owe a
    losing opposition. If players lose, and the winner has taken enough Strikes (`close_loss` in the rules'
    numbers), the players choose one of `loser_options`. `personal` has the winners who took one for the team,
    and so owe a Concession of their own.
    """
    ended, count = current_or_ended_conflict(world).get("ended", ""), strikes_by_side(world)
    loser = LOSER_BY_ENDING.get(ended, "")
    conditions = {
        person: severity
        for side in SIDES
        if (severity := condition_severity_for_strikes(count[side]))
        for person in active_members(world, side)
    }
    owed: list[str] = []
    if loser == "theirs" and not are_players_on_both_sides(world):
        owed = concessions_for_strikes(count["ours"])
        for _, does in active_traits(world, "theirs"):
            owed += does.get("owed_on_win", [])
    close = (
        loser
        and is_team_of_players(world, loser)
        and count[other_side(loser)] >= conflict_numbers()["aftermath"]["close_loss"]
    )
    options = core_numbers()["opposed"]["loser_options"] if close else []
    return {
        "result": ended,
        "conditions": conditions,
        "concessions": owed,
        "personal": list(side_in(world, other_side(loser)).get("took_one", ())) if loser else [],
        "loser": loser or None,
        "loser_options": [option["id"] for option in options],
    }


def play_avert(world: World, args: Avert) -> Procedure[ConflictAvertData]:
    """Play `conflict avert`: spend an Action Point to avert a loss (STR-TC-10).

    Raises Refused if the person's side hasn't just lost.
    """
    scene, person = (yield from finish_round_and_get_conflict(world, may_have_ended=True)), args.who
    side = require_side_of_active_person(world, person)
    if scene.get("ended") != {"ours": "lose", "theirs": "win"}[side]:
        raise Refused("There is no loss to avert.", "You can only avert the round just lost.")
    yield from spend_action_points(world, person, "averting the loss", LIMITS["avert"])
    yield world.tell(ConflictAverted(person, scene["name"]), {"conflict.ended": None})
    # The Strikes that a win cost are taken back (Costly, STR-TC-16).
    winner = other_side(side)
    count = side_in(world, winner).get("cost_of_win", 0)
    if count:
        left = max(0, strikes_by_side(world)[winner] - count)  # something in the round may have removed some
        sets = {side_path(winner, "strikes"): left, side_path(winner, "cost_of_win"): None}
        yield world.tell(ConflictWinUndone(winner, left), sets)
    wanted = read_regain_choice(world, other_side(side), args.theirs)
    yield from deal_or_ignore_hit(world, side, LossAverted())
    yield from regain_wanted_else_strike_else_trait(world, other_side(side), wanted, LossAverted())
    traits: dict[str, list[str]] = {each: side_in(world, each)["traits"] for each in SIDES}
    return {"who": person, "strikes": strikes_by_side(world), "traits": traits, "ended": False}


def play_withdraw(world: World, args: Withdraw) -> Procedure[ConflictWithdrawData]:
    """Play `conflict withdraw`: a member leaves for good (STR-TC-12).

    The member gets the Condition that the side's present Strikes cause. Raises Refused while a Hit waits for
    a decision, or if the game master has forbidden the withdrawal.
    """
    scene, person = (yield from finish_round_and_get_conflict(world)), args.who
    side = require_side_of_active_person(world, person)
    if scene.get("no_withdrawal"):
        raise Refused(
            f"Nobody can withdraw from {scene['name']}: the game master has ruled it out.",
            f"They may pass: `strike conflict act {person} pass`. "
            "`strike override conflict.no_withdrawal none --why TEXT` lifts it.",
        )
    severity = condition_severity_for_strikes(strikes_by_side(world)[side])
    last = list(side_in(world, side).get("actions", ())) == [person]
    sets = {
        side_path(side, "withdrawn"): [*side_in(world, side).get("withdrawn", ()), person],
        side_path(side, "actions" if last else f"actions.{person}"): None,  # others' picks stay
    }
    yield world.tell(ConflictWithdrew(person), sets)
    gained = {}
    if severity:
        gained[person] = yield from _choose_and_give_condition(world, person, severity, args.conditions)
    return {"who": person, "conditions": gained, "team": active_members(world, side)}


def play_concede(world: World, args: Concede) -> Procedure[ConflictConcedeData]:
    """Play `conflict concede`: all members of a team agree to lose (STR-TC-11).

    They can do so at the start of a round. Raises Refused if the side is an opposition, if somebody has
    already acted in this round, or if more than one Complication is given.
    """
    scene, side = (yield from finish_round_and_get_conflict(world)), args.side
    if not is_team_of_players(world, side):
        raise Refused(
            f"{side_name(world, side)} is not a team of players: only such a team concedes.",
            "`strike conflict end --abandon` drops the conflict.",
        )
    for each in (
        SIDES if active_members(world, side) else ()
    ):  # a team without members may concede at any time
        if actions := side_in(world, each).get("actions"):
            acted = listed(display_name(world, person) for person in actions)
            raise Refused(
                f"A team may concede at the start of a round, and some have acted: {acted}.",
                "Play the round, or `strike undo` takes actions back.",
            )
    if len(args.complications) > 1:
        raise Refused(
            "One Complication explains a Concession, and its player gains the Action Point.",
            "Name one: --complication WHO:NAME.",
        )
    now = max(0, strikes_by_side(world)[side] - LIMITS["concede"])
    told = ConflictConceded(side, scene["name"], now, strikes_by_side(world)[side])
    sets = {
        "conflict.ended": "conceded" if side == "ours" else "they-conceded",
        side_path(side, "strikes"): now,
        side_path("theirs", "opposition"): None,
        **{side_path(each, "actions"): None for each in SIDES},
    }
    yield world.tell(told, sets)
    used: list[ComplicationUsedData] = []
    for person, name in args.complications:
        if require_side_of_active_person(world, person) != side:
            raise Refused(
                f"{display_name(world, person)} does not concede, and so explains nothing.",
                f"A Complication of: {listed(active_members(world, side))}.",
            )
        used.append((yield from use_complication(world, person, name, "concede")))
    return {
        "side": side,
        "strikes": strikes_by_side(world),
        "ended": True,
        "complications": used,
        "aftermath": conflict_aftermath(world),
    }


def play_end(world: World, args: EndConflict) -> Procedure[AftermathData]:
    """Play `conflict end`: carry out the aftermath, and end the conflict (STR-TC-09, 12a).

    With `abandon`, there is no aftermath. If neither side has won yet, the arguments need `undecided` or
    `abandon`. Without either, Refused is raised.
    """
    scene = require_conflict(world, may_have_ended=True)
    if args.abandon:
        yield world.tell(ConflictAbandoned(scene["name"]), {"conflict": None})
        return {"result": "abandoned", "conditions": {}, "concessions": [], "personal": []}
    yield from _finish_round_and_end_or_refuse(world, args.undecided)
    data = conflict_aftermath(world)
    unknown = [person for person in args.conditions if person not in data["conditions"]]
    if unknown:
        raise Refused(
            f"{listed(display_name(world, person) for person in unknown)} gains no Condition.",
            "Leave out --condition for them.",
        )
    if data.get("loser_options"):
        yield from _ask_loser_for_option(world, data)
    gained = {}
    for person, severity in data["conditions"].items():
        gained[person] = yield from _choose_and_give_condition(world, person, severity, args.conditions)
    data["gained"] = gained
    yield world.tell(_ending_fact(world, data), {"conflict": None})
    return data


def _finish_round_and_end_or_refuse(world: World, undecided: bool) -> Procedure[None]:
    """Finish the last round, and make sure that the conflict has ended.

    If `undecided` is true, the conflict ends without a winner, which is possible only between two rounds.
    Otherwise the conflict must have been decided.

    Raises Refused if the conflict can't end now. Raises HitWaits if a Hit waits for a decision that must come
    first.
    """
    if world.get("conflict.rest") or undecided:
        yield from play_rest_of_last_round(world)
    scene = current_or_ended_conflict(world)
    if undecided:
        yield _undecided_fact_if_allowed(world, scene)
    elif not scene.get("ended"):
        raise Refused(
            f"{scene['name']} is not decided.",
            "Play on, `strike conflict concede`, `strike conflict end --undecided` after any round, or "
            "`--abandon`.",
        )
    ended = current_or_ended_conflict(world).get("ended", "")
    if (
        are_players_on_both_sides(world)
        or side_in(world, "ours").get("hits_due")
        or LOSER_BY_ENDING.get(ended) == "ours"
    ):
        must_have_no_undecided_hit(
            world
        )  # waiting Hits could change the Conditions, and whether the loss is close


def _undecided_fact_if_allowed(world: World, scene: Mapping[str, object]) -> Happen:
    """Return the fact that the conflict ends without a winner between two rounds (STR-TC-12a).

    Raises Refused if the conflict is decided, if somebody has acted in the present round, or if the present
    round is the first.
    """
    if scene.get("ended"):
        raise Refused(f"{scene['name']} is decided: {scene['ended']}.", "`strike conflict end` without it.")
    acted = [
        display_name(world, person) for side in SIDES for person in side_in(world, side).get("actions", {})
    ]
    if acted or scene["round"] == 1:
        why = f"some have acted in this one: {listed(acted)}" if acted else "none has been played"
        raise Refused(
            f"A conflict may end undecided after a round, and {why}.",
            "Play the round; `strike conflict end --abandon` drops it with no aftermath.",
        )
    return world.tell(ConflictUndecided(), {"conflict.ended": UNDECIDED})


def _ask_loser_for_option(world: World, data: AftermathData) -> Procedure[None]:
    """Ask the loser to choose from the list of STR-CORE-16; the answer is noted in `data`."""
    choices, loser = core_numbers()["opposed"]["loser_options"], data.get("loser") or ""
    taken = yield Choose(
        side_name(world, loser),
        "loser's option",
        tuple(option["id"] for option in choices),
        tuple(OptionOfLosers(option["label"]) for option in choices),
        data,
        about=ConflictLosersOption(current_or_ended_conflict(world)["name"], loser),
    )
    data["loser_chose"] = taken
    label = next(option["label"] for option in choices if option["id"] == taken)
    yield world.tell(ConflictLoserChose(taken, label))


def _ending_fact(world: World, data: AftermathData) -> ConflictEnded:
    loser, name = data["loser"], current_or_ended_conflict(world)["name"]
    if not loser:
        return ConflictEnded(data["result"], name)
    winner = other_side(loser)
    owed = [Owed(severity) for severity in data["concessions"]]
    owed += [Owed(who=person) for person in data["personal"]]
    pays = loser == "theirs" and not are_players_on_both_sides(world)
    return ConflictEnded(data["result"], name, winner, loser, side_in(world, winner)["intent"], owed, pays)


def _choose_and_give_condition(
    world: World, person: str, severity: str, chosen_conditions: Mapping[str, str]
) -> Procedure[str]:
    """Give a person a Condition of a severity, and return the Condition's id.

    `chosen_conditions` may already have the Condition for the person. Otherwise the person is asked now.
    Conditions that would change nothing are offered only if there are no others. A Condition with doubts
    about Skills can't be chosen here, because a command of its own must name the Skills.

    Raises Refused if the Condition in `chosen_conditions` can't be chosen here.
    """
    known = {
        key: item
        for key, item in world.book.conditions.items()
        if applicable_built_in_severity(world.book, item) == severity and not item.get("doubts")
    }
    if person in chosen_conditions:
        if chosen_conditions[person] not in known:
            raise Refused(
                f"{chosen_conditions[person].rpartition(':')[2]} is not a {severity.capitalize()} Condition"
                " to gain here.",
                f"One of: {listed(key.rpartition(':')[2] for key in known)}.",
            )
        return (
            yield from gain_escalate_or_keep_condition(
                world, person, chosen_conditions[person], "the conflict"
            )
        )
    held: Sequence[str] = world.get(f"characters.{person}.conditions", [])
    fresh = [
        key
        for key, item in known.items()
        if key not in held or instances_count_separately(world.book, item) or "escalates" in item
    ]
    keys = fresh or list(known)
    short = [key.rpartition(":")[2] for key in keys]
    options = short if len(set(short)) == len(short) else [key.replace(":", "-") for key in keys]
    taken = yield Choose(
        person,
        f"condition:{severity}",
        tuple(options),
        tuple(OneCondition(key) for key in keys),
        about=WhichCondition(person, severity, current_or_ended_conflict(world)["name"]),
        formerly=f"{severity.capitalize()} Condition",
    )
    return (
        yield from gain_escalate_or_keep_condition(world, person, keys[options.index(taken)], "the conflict")
    )


class SecondaryGoal(RollSkill):
    """The arguments of `conflict secondary`: a Skill Roll for a goal outside the conflict.

    The roll still helps the team. `to` is the team's roll that it helps: "advance" or "defense".
    """

    RETIRED = ("instead",)
    to: WhichRoll
    skill: str = ""
    skilled: bool = False
    known: bool = True


def play_secondary(world: World, args: SecondaryGoal) -> Procedure[ConflictSecondaryData]:
    """Play `conflict secondary`: a Skill Roll for a goal outside the conflict (STR-TC-13).

    The Skill Roll replaces an action, but still gives the team a bonus. Raises Usage if no Skill is given.
    """
    person, to, skill = args.who, args.to, args.skill
    side = yield from finish_round_and_find_actor_side(world, person)
    if not skill:
        raise Usage("A secondary goal takes a Skill Roll.", "Name the Skill: --skill SKILL.")
    rolled = yield from play_skill(world, args.but(skilled=has_skill(world, person, skill)))
    item = {"action": SECONDARY, "to": to, "skill": skill, "came": outcome_words(rolled)}
    helped = HelpedBesides(person, to=to, value=LIMITS["secondary"])
    yield world.tell(helped, {side_path(side, f"actions.{person}"): item})
    return {
        **rolled,
        "who": person,
        "action": SECONDARY,
        "to": to,
        "missing": people_without_action(world, side),
    }
