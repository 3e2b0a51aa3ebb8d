"""The end of a fight (finished or abandoned), and parking and resuming it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.kernel.state_changes import State
from strike_cli.play.gm_override import overridden_and_parked_scenes
from strike_cli.problems import Refused
from strike_cli.registry.system_declaration import System
from strike_cli.systems.core.conditions import gain_escalate_or_keep_condition

from ..facts.powers_and_fight_events import FightAbandoned, FightEnded, StrikesTaken
from ..fight_state import PARTY, Fight
from ..rule_numbers import combat_numbers

if TYPE_CHECKING:
    from ..data import FightNamed, FinishData, ParkData


class FinishFight(Args):
    """The arguments of `combat finish`.

    `result` is "won" or "lost". With "", the state of the fight decides.
    """

    result: Literal["", "won", "lost"] = ""


def condition_for_strikes(strikes: int) -> str | None:
    """Return the Condition that a player's character gains for a number of Strikes, or None (STR-TAC-18)."""
    rows = combat_numbers()["aftermath"]
    return next((row["condition"] for row in rows if strikes >= row["strikes"]), None)


def concession_for_team_strikes(team_strikes: int, players: int) -> str:
    """Return the Concession of a won fight: "none", "minor", "major" or "pyrrhic" (STR-TAC-19)."""
    rows = combat_numbers()["concession"]
    owed = (row["concession"] for row in rows if team_strikes >= row["strikes_a_player"] * players)
    return next(owed, "none")


def play_finish(world: World, args: FinishFight) -> Procedure[FinishData]:
    """Play `combat finish`: end the fight, and give Conditions and the Concession.

    Raises Refused if `result` is empty and both sides are still in the fight.
    """
    fight = Fight(world)
    result = args.result or fight.fight_outcome()
    if result is None:
        standing = ", ".join(fight.name(combatant) for combatant in fight.still_in_fight())
        raise Refused(
            f"Both sides are still in the fight: {standing}.",
            "Play on, or decide it with --won or --lost; `strike combat abandon` has no aftermath.",
        )
    won = result == "won"
    strikes = {
        combatant: int(fight.combatant(combatant).get("strikes", 0))
        for combatant in fight.player_characters()
    }
    ours = [count for combatant, count in strikes.items() if fight.side(combatant) == PARTY]
    team = sum(ours)
    concession = concession_for_team_strikes(team, len(ours)) if won and ours else "none"
    ended = FightEnded(fight.data["id"], won, team, concession, fight.data.get("goal", ""))
    yield world.tell(ended, {"fight": None})
    conditions = {}
    for combatant, count in strikes.items():
        condition = condition_for_strikes(count)
        if condition:
            gained = yield from gain_escalate_or_keep_condition(
                world, combatant, condition, StrikesTaken(count)
            )
            conditions[combatant] = world.book.conditions[gained]["name"]
    return {
        "won": won,
        "team_strikes": team,
        "strikes": strikes,
        "concession": concession,
        "conditions": conditions,
    }


def play_abandon(world: World, args: Args) -> Procedure[FightNamed]:
    """Play `combat abandon`: end the fight without a winner or an aftermath."""
    fight = Fight(world).data
    yield world.tell(FightAbandoned(fight["id"]), {"fight": None})
    return {"name": fight["name"]}


class ReturnToFight(overridden_and_parked_scenes.ReturnToSceneArgs):
    """The arguments of `combat return`: the id of the parked fight.

    The id is in `scene`; journals of older versions have it in `fight`.
    """

    scene: str = ""
    fight: str = ""


def no_people_affected_by_parked_fight(before: State, after: State) -> Iterator[str]:
    """Yield nobody, since a change in a parked fight affects no roll outside of fights.

    The system declares this function as its `touches`. Without it, a change in a parked fight would count as
    affecting every move.
    """
    yield from ()


def play_park(system: System, world: World, args: Args) -> Procedure[ParkData]:
    """Play `combat park`: set the fight aside."""
    data = yield from overridden_and_parked_scenes.play_park(system, world, args)
    return {"name": str(data["name"]), "fight": str(data["parked"])}


def play_return(system: System, world: World, args: ReturnToFight) -> Procedure[ParkData]:
    """Play `combat return`: resume a parked fight."""
    scene = args.scene or args.fight
    data = yield from overridden_and_parked_scenes.play_return(
        system, world, overridden_and_parked_scenes.ReturnToSceneArgs(scene=scene)
    )
    return {"name": str(data["name"]), "fight": scene}
