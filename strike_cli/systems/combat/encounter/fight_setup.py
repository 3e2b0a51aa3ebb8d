"""Beginning a fight and rolling for initiative (STR-TAC-01, 02)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.procedure import Args, Choose, Procedure, Sets, World
from strike_cli.problems import Refused, listed
from strike_cli.refusals import SceneStillUnderWay
from strike_cli.tabletop.active_effects import roll_reasons_from_effects
from strike_cli.tabletop.dice import Rolled, roll_die
from strike_cli.tabletop.encounters import EncounterPlacement
from strike_cli.tabletop.grid import Square
from strike_cli.tabletop.turn_order import INITIATIVE, INITIATIVES

from ..board.zones import add_auras_of
from ..facts.powers_and_fight_events import FightStarted
from ..facts.turns_and_actions import (
    AsListed,
    GoesFirst,
    GoesNext,
    Initiative,
    InitiativeRolled,
    InitiativeTie,
)
from ..fight_state import ENEMIES, PARTY, Fight, combatant_path
from ..rule_numbers import HALF_OR_LESS
from .creatures_and_budgets import (
    Budget,
    budget_for_difficulty,
    creature_numbers_with_tier_defaults,
    new_combatant,
    scale_or_drop_kinds_to_free_budget,
)
from .objective import objective_words, resolve_objective_for_fight

if TYPE_CHECKING:
    from strike_cli.tabletop.data import EncounterWritten

    from ..data import Combatant, FightState, OrderData, StartData


class StartFight(Args):
    """The arguments of `combat start`: an encounter and the participants.

    `party` lists the characters. They take the map's squares for the party in this order; a character with a
    square of their own takes that one. `creatures` adds creatures: it maps each kind to a number. If there is
    a `difficulty`, the numbers of creatures without a place on the map are scaled to it.
    """

    encounter: str
    goal: str = ""
    party: Sequence[str] = ()
    creatures: Mapping[str, int] = {}
    difficulty: str = ""


def play_start(world: World, args: StartFight) -> Procedure[StartData]:
    """Play `combat start`: put everybody on the encounter's map at full HP (STR-TAC-15).

    Raises Refused if a fight is under way, a name is unknown, or there is no square left for somebody.
    """
    _require_no_fight_and_known_names(world, args)
    encounter: EncounterWritten = world.book.encounters[args.encounter]
    fog = bool(encounter.get("fog", world.book.fog))

    def make_combatant(ref: str, name: str, side: str, square: Square) -> Combatant:
        return new_combatant(world, ref, side, square, name)

    entering = EncounterPlacement(world, encounter, make_combatant, uncounted=fog)
    entering.place_party_and_everybody_with_sign(args.party)
    budget = _budget_with_placed_enemies(world, args, entering.people)
    wanted = entering.creatures_without_place(args.creatures)
    entering.place_enemies_without_sign(
        _scale_creatures(world, encounter, wanted, budget) if budget else wanted
    )
    entering.must_have_people_on_free_squares()
    combatants, layout = entering.people, entering.layout
    names = {combatant_id: str(one["name"]) for combatant_id, one in combatants.items()}
    objective = resolve_objective_for_fight(encounter.get("objective", {}), combatants, entering.grid)
    fight: FightState = {
        "id": args.encounter,
        "name": encounter["name"],
        "goal": args.goal or encounter["goal"] or objective_words(objective, names),
        "round": 0,
        "map": layout.board,
        "combatants": combatants,
    }
    if world.book.house["bloodied"] != HALF_OR_LESS:
        fight["bloodied"] = world.book.house["bloodied"]  # for screens, which know no house rules
    if objective:
        fight["objective"] = objective
    if "flees_at" in encounter:
        fight["flees_at"] = encounter["flees_at"]
    if layout.zones:
        fight["zones"] = layout.zones
    if fog:
        fight["seen"] = {}  # an empty table means fog; what is seen at once follows
    yield world.tell(FightStarted(args.encounter, fight["goal"]), {"fight": fight})
    for combatant_id in combatants:
        yield from add_auras_of(world, combatant_id)
    data: StartData = {
        "encounter": args.encounter,
        "name": encounter["name"],
        "goal": fight["goal"],
        "combatants": combatants,
    }
    if budget:
        data["budget"] = budget.as_json()
    return data


def _require_no_fight_and_known_names(world: World, args: StartFight) -> None:
    if world.state.get("fight"):
        raise SceneStillUnderWay(
            world.get("fight.name", ""),
            "`strike combat finish` or `strike combat abandon` ends it, `strike combat park` parks it.",
        )
    book = world.book
    for table, names in (
        (book.encounters, [args.encounter]),
        (book.characters, args.party),
        (book.creatures, args.creatures),
    ):
        if unknown := [name for name in names if name not in table]:
            raise Refused(f"There is no {unknown[0]!r} in {book.name}.", f"Known: {listed(table)}.")


def _budget_with_placed_enemies(
    world: World, args: StartFight, placed: Mapping[str, Combatant]
) -> Budget | None:
    """Return the budget of the difficulty, with the worth of the enemies on the map.

    Returns None if the arguments have no difficulty.
    """
    if not args.difficulty:
        return None
    fixed = [
        one["ref"] for one in placed.values() if one["side"] == ENEMIES and one["ref"] in world.book.creatures
    ]
    return budget_for_difficulty(world, args.difficulty, len(args.party), fixed)


def _scale_creatures(
    world: World, encounter: EncounterWritten, wanted: Mapping[str, int], budget: Budget
) -> dict[str, int]:
    """Return the numbers of creatures, scaled to the budget. Raises Refused if there are none to scale."""
    if not wanted:
        raise Refused(
            f"{encounter['name']} has no creatures by count, so there is nothing to scale.",
            "--with goblin:4 brings some, or [encounters.ID.creatures] in the campaign.",
        )
    return scale_or_drop_kinds_to_free_budget(world, wanted, budget)


def play_initiative(world: World, args: Args) -> Procedure[OrderData]:
    """Play `combat initiative`: roll for each combatant; creatures of a kind may share a roll.

    High totals act first (STR-TAC-01, 02). Of equal totals, enemies come before the party; ties within a side
    are decided by a choice.
    """
    fight = Fight(world)
    if fight.data["round"]:
        raise Refused("Initiative has been rolled.", "`strike combat show` shows the order.")
    rolls: list[Rolled] = []
    sets: Sets = {"fight.round": 1}
    entries: list[_InitiativeEntry] = []
    for group in initiative_groups_of_sharing_kinds(fight, list(fight.still_in_fight())):
        for rolled in (yield from roll_initiative_die_for_each_turn(fight, group[0])):
            rolls.append(rolled)
            entries.append(_InitiativeEntry(tuple(group), rolled.total))
    order = yield from _decide_turn_order(world, entries)
    own: dict[str, list[int]] = {}
    for entry in sorted(entries, key=lambda entry: -entry.total):
        for combatant_id in entry.group:
            own.setdefault(combatant_id, []).append(entry.total)
    sets |= {combatant_path(combatant_id, INITIATIVE): totals[0] for combatant_id, totals in own.items()}
    sets |= {
        combatant_path(combatant_id, INITIATIVES): totals
        for combatant_id, totals in own.items()
        if len(totals) > 1
    }
    sets["fight.order"] = order
    told = [Initiative(combatant_id, own[combatant_id]) for combatant_id in dict.fromkeys(order)]
    yield world.tell(InitiativeRolled(rolls=rolls, order=told), sets)
    return {"order": order, "rolls": [rolled.as_json() for rolled in rolls]}


def initiative_groups_of_sharing_kinds(fight: Fight, people: Sequence[str]) -> list[list[str]]:
    """Return the groups that roll initiative together; most groups have one member.

    Creatures of the same kind and side form a group if their kind shares initiative.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for combatant_id in people:
        shares = not fight.is_player(combatant_id) and creature_numbers_with_tier_defaults(
            fight.sheet(combatant_id)
        ).get("shares_initiative")
        key = (fight.combatant(combatant_id)["ref"], fight.side(combatant_id)) if shares else (combatant_id,)
        groups.setdefault(key, []).append(combatant_id)
    return list(groups.values())


def roll_initiative_die_for_each_turn(fight: Fight, combatant_id: str) -> Procedure[list[Rolled]]:
    """Roll a combatant's initiative, one die for each turn that it has in a round."""
    rolls = []
    for _ in range(fight.turns_a_round(combatant_id)):
        rolls.append(
            (
                yield from roll_die(
                    combatant_id,
                    "initiative",
                    *roll_reasons_from_effects(fight.world, combatant_id, "initiative"),
                )
            )
        )
    return rolls


class _InitiativeEntry(NamedTuple):
    """The combatants who share one turn, and their initiative total."""

    group: tuple[str, ...]
    total: int


AS_LISTED = "as-listed"
TIE = "initiative ties"
"""The kind of decision about the order of tied combatants."""


def _decide_turn_order(world: World, entries: Sequence[_InitiativeEntry]) -> Procedure[list[str]]:
    """Return the turn order (STR-TAC-02).

    High totals come first. At the same total, enemies come before the party.

    If the house rule `initiative_ties` is "ask", somebody is asked about the remaining ties. A tie in the
    party that involves a player's character is a question for the players. Any other tie is a question for
    the game master. Without that house rule, tied combatants stay in the order of `entries`.
    """
    fight = Fight(world)
    ties: dict[tuple[int, str], list[tuple[str, ...]]] = {}
    for total in sorted({entry.total for entry in entries}, reverse=True):
        for side in (ENEMIES, PARTY):
            ties[total, side] = [
                entry.group
                for entry in entries
                if entry.total == total and fight.side(entry.group[0]) == side
            ]
    asks = world.book.house["initiative_ties"] == "ask"
    # Players come first: a caller that answers only for them needs no answer for creatures.
    for by_players in (True, False):
        for (total, side), tied in ties.items():
            theirs = side == PARTY and any(fight.is_player(group[0]) for group in tied)
            if asks and len(set(tied)) > 1 and theirs is by_players:
                ask = _ask_players_for_order if by_players else _ask_game_master_for_order
                ties[total, side] = yield from ask(total, tied)
    return [combatant_id for tied in ties.values() for group in tied for combatant_id in group]


def _ask_players_for_order(total: int, tied: Sequence[tuple[str, ...]]) -> Procedure[list[tuple[str, ...]]]:
    left, order = list(tied), []
    while len(set(left)) > 1:
        others = {group[0]: group for group in left}
        labels = tuple(map(GoesFirst, others.values()))
        # The default: if nobody can be asked, as in a script, they act as listed.
        first = yield Choose(
            "the party",
            f"initiative tie on {total}",
            tuple(others),
            labels,
            kind=TIE,
            default=left[0][0],
            about=_initiative_tie(total, left),
        )
        order.append(others[first])
        left.remove(others[first])
    return order + left


def _ask_game_master_for_order(
    total: int, tied: Sequence[tuple[str, ...]]
) -> Procedure[list[tuple[str, ...]]]:
    left, order = list(tied), []
    while len(set(left)) > 1:
        others = {group[0]: group for group in left}
        listed = AsListed([GoesNext(group, number == 0) for number, group in enumerate(left)])
        labels = (listed, *map(GoesFirst, others.values()))
        what, about = f"creatures tied on {total}", _initiative_tie(total, left)
        first = yield Choose(
            "the game master", what, (AS_LISTED, *others), labels, kind=TIE, default=AS_LISTED, about=about
        )
        if first == AS_LISTED:
            break
        order.append(others[first])
        left.remove(others[first])
    return order + left


def _initiative_tie(total: int, tied: Sequence[tuple[str, ...]]) -> InitiativeTie:
    return InitiativeTie(total, [*dict.fromkeys(combatant_id for group in tied for combatant_id in group)])
