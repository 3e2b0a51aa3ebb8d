"""The bot `full`. It looks further ahead than `good`: it considers more squares and more acts.

The additional acts are, for example:

- healing for every friend;
- a Rally that restores a power;
- powers that can be used only once a fight;
- an attack prepared for an enemy that isn't in sight yet;
- a step out of danger after an attack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import apply_changes
from strike_cli.play.legal_options import Option
from strike_cli.tabletop.characters_and_names import checked_creature_size
from strike_cli.tabletop.grid import Square, distance, distance_between_spaces, format_square, parse_square

from ..board.move import MoveAction, destinations
from ..encounter.objective import (
    LEFT,
    is_party_member_on_way_out,
    objective_squares,
    objective_value_for_side,
    steps_to_squares_with_doors_open,
)
from ..fight_state import PARTY, Fight, combatant_path
from ..powers.standard_powers_and_use_limits import RALLY
from ..turns.delay_and_prepare import Prepare, Trigger
from .endgame_search import EndgameSolver
from .good_bot import UNUSED_POWER, GoodBot, SearchBreadth, best_by_gain
from .legal_options import END_TURN, leave_option
from .lost_fights import is_party_much_weaker_and_worn, party_loses_every_trial
from .objective_moves import adjacent_door_options_to_objective
from .outcome_forecast import WorkBudget
from .position_value import (
    WORTH_IT,
    expected_gain_to_side_acted_for,
    fight_value_to_side,
    opportunity_cost_to_side_acted_for,
    world_as_if_move_spent_to_reach,
)
from .quick_bot import HABITS, QuickTurn
from .retreat import flee_options
from .tactics_habits import Habit


class FullBot(GoodBot):
    """The bot `full`. It searches more broadly than the bot `good`.

    Near the end of a fight for a goal, it also computes the chances to reach the goal.
    """

    name = "full"
    breadth = SearchBreadth(acts=8, squares=5, acts_there=3, effort=40_000, within=6.0)

    def __init__(self) -> None:
        super().__init__()
        self.endgame = EndgameSolver()

    def urgent_option(self, turn: QuickTurn) -> Option | None:
        """Return an option that must be taken now, or None if there is none.

        If the `good` bot has an urgent option, that one is returned. Otherwise the option may be to leave a
        fight that the party is going to lose.
        """
        if option := super().urgent_option(turn):
            return option
        fight = turn.fight
        if (
            not fight.is_player(turn.who)
            or turn.acts_for_another_side
            or turn.side_acted_for != PARTY
            or not is_party_much_weaker_and_worn(fight)
        ):
            return None
        option = turn.first_legal(flee_options(turn))
        return option if option and party_loses_every_trial(fight) else None

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the best option, or the trigger of a prepared action if that gains anything.

        The best option is found as by the bot `good`, but with a broader search. Near the end of a fight for
        a goal, it is the option with the best chance to reach the goal. The result is None without a fight,
        or if there is nothing to play.
        """
        if not world.state.get("fight"):
            return None
        if option := _trigger_prepared_attack_option(world):
            return option
        option = super().choose_command(world, person)
        return self.endgame.better_option_or_usual(world, option) if option else None

    def best_act_even_if_losing(self, turn: QuickTurn, effort: WorkBudget) -> tuple[float, Option | None]:
        """Return the gain of the best act from the present square, and the act.

        The gain includes the value of once-a-fight powers that the act restores or spends. A move onto the
        way out also gains the value of leaving the fight from there.
        """
        acts = self.promising_acts_of_each_kind(turn, self.breadth.acts)
        return best_by_gain(
            (
                gained
                + _value_of_powers_regained_or_spent(turn, act)
                + _gain_of_leaving_after_move(turn, act),
                act,
            )
            for gained, act in self.options_with_gains(turn, acts, effort)
        )

    def promising_acts_of_each_kind(self, turn: QuickTurn, most: int) -> Iterator[Option]:
        """Yield the promising acts of the bot `good`, then further acts.

        The further acts are healing powers on each hurt friend, a Rally if the creature has lost HP, and
        moves towards the objective.
        """
        more = (
            _healing_options(turn),
            _early_rally_options(turn),
            self.worthwhile_moves_towards_objective(turn),
        )
        return chain(super().promising_acts_of_each_kind(turn, most), *more)

    def promising_squares_with_distances(self, turn: QuickTurn) -> Iterator[tuple[Square, int]]:
        """Yield squares that may be worth moving to, with the cost of getting there.

        They are the squares that the bot `good` considers, and those nearest to the objective. Then there are
        the squares from which an enemy is in range, without harmful ones. For each enemy, three of them are
        chosen: the two that cost the least, and the one furthest from the enemy.
        """
        found = destinations(turn.fight, turn.who)
        seen = {square for square, _ in super().promising_squares_with_distances(turn)}
        seen |= set(_squares_nearest_to_objective(turn, found))
        for _, foe, _ in turn.known_foes_nearest_first:
            there = turn.fight.at(foe)
            near = [square for square in found if distance(square, there) <= turn.repertoire.longest_range]
            near = [square for square in near if not turn.is_harmful_square(square)]
            seen.update(sorted(near, key=found.__getitem__)[:2])
            seen.update(sorted(near, key=lambda square: -distance(square, there))[:1])
        for square in sorted(seen & found.keys()):
            yield square, found[square]

    def fallback_option(self, turn: QuickTurn) -> Option:
        """Return an option for a turn in which no act or move gains enough.

        The first of these that is possible is taken:

        - The creature leaves the fight by the way out.
        - It moves towards the objective, or opens a door on the way.
        - If it has no Attack Action left, it steps out of danger.
        - It does what the bot `good` does. If that is a move or charge that clearly loses more than it gains,
          the creature ends its turn instead.

        Before a creature ends its turn with an unspent Attack Action, one more thing is tried. If the
        creature knows of no enemy, it prepares an attack. If no path leads to the nearest enemy, it goes
        nearer to that enemy, unless the fight has an objective. A creature that acts at the command of
        another side does neither.
        """
        for way in (
            _leave_option_if_on_way_out(turn),
            self.worthwhile_moves_towards_objective(turn),
            adjacent_door_options_to_objective(turn),
        ):
            if (option := turn.first_legal(way)) is not None:
                return option
        if not turn.has_action_left("attack") and (
            option := turn.first_legal(_shifts_out_of_zone_or_from_foes(turn))
        ):
            return option
        option = super().fallback_option(turn)
        if option.command in ("combat move", "combat charge") and self._is_clear_loss_in_objective_fight(
            turn, option
        ):
            option = END_TURN
        if option == END_TURN and turn.has_action_left("attack") and not turn.acts_for_another_side:
            return (
                turn.first_legal(
                    _prepare_attack_option(turn)
                    if not turn.known_foes_nearest_first
                    else _approach_moves_without_path(turn)
                )
                or option
            )
        return option

    def gain_of_place_for_objective(self, turn: QuickTurn, there: QuickTurn) -> float:
        """Return how much a creature gains for the fight's objective by being at another place, in HP.

        `turn` is the turn at the present place, and `there` the same turn at the other place. The gain counts
        progress towards the objective. It also counts the worth of leaving the fight, if one of the two
        places is the way out. If the fight has no objective, the gain is 0.
        """
        if "objective" not in turn.fight.data:
            return 0.0
        side = turn.side_acted_for
        nearer = objective_value_for_side(there.fight.data, side) - objective_value_for_side(
            turn.fight.data, side
        )
        return nearer + _gain_of_leaving(there) - _gain_of_leaving(turn)

    def gain_of_later_move_for_objective(self, turn: QuickTurn) -> float:
        """Return the gain, in HP, of the best move towards the objective.

        With this number, the bot takes into account that the creature can still move after its act, such as
        an attack. The result is 0 if the Move Action is spent, or if no such move is worthwhile.
        """
        if turn.turn.get("move"):
            return 0.0
        return max(
            (
                self._gain_of_move_to(turn, option.given(MoveAction).to)
                for option in self.worthwhile_moves_towards_objective(turn)
            ),
            default=0.0,
        )

    def worthwhile_moves_towards_objective(self, turn: QuickTurn) -> Iterator[Option]:
        """Yield moves to the squares nearest to the fight's objective.

        A move is left out if its expected gain is no more than `WORTH_IT`.
        """
        if (
            not turn.has_action_left("move")
            or turn.acts_for_another_side
            or not objective_squares(turn.fight.data, turn.who)
        ):
            return
        for square in _squares_nearest_to_objective(turn, destinations(turn.fight, turn.who)):
            option = turn.move_option(square)
            if self._gain_of_move_to(turn, option.given(MoveAction).to) > WORTH_IT:
                yield option

    def _gain_of_move_to(self, turn: QuickTurn, to: str) -> float:
        square = parse_square(to)
        there = QuickTurn(Fight(world_as_if_move_spent_to_reach(turn.world, turn.who, square)), turn.who)
        return self.gain_of_place_for_objective(turn, there) - opportunity_cost_to_side_acted_for(
            turn.fight, turn.who, square
        )

    def _is_clear_loss_in_objective_fight(self, turn: QuickTurn, option: Option) -> bool:
        """Return whether an option is expected to lose clearly more than it gains.

        In a fight without an objective, the result is always False.
        """
        if "objective" not in turn.fight.data:
            return False
        return expected_gain_to_side_acted_for(turn.world, turn.who, option) < -WORTH_IT


def _leave_option_if_on_way_out(turn: QuickTurn) -> Iterator[Option]:
    """Yield the option to leave the fight, if the creature stands on the objective's way out."""
    if (
        not turn.acts_for_another_side
        and is_party_member_on_way_out(turn.fight.data, turn.who)
        and turn.combatant["hp"] > 0
    ):
        yield leave_option(turn.who)


def _gain_of_leaving(turn: QuickTurn) -> float:
    """Return how much the creature's side gains, in HP, if the creature leaves the fight now.

    The result is 0 if the creature isn't of the party, or isn't on the objective's way out. It is also 0 if
    the creature acts at the command of another side.
    """
    if turn.acts_for_another_side or not is_party_member_on_way_out(turn.fight.data, turn.who):
        return 0.0
    world, side = turn.world, turn.side_acted_for
    gone = apply_changes(world.state, [(combatant_path(turn.who, "out"), None, LEFT)])
    return fight_value_to_side(world.book, gone, side) - fight_value_to_side(world.book, world.state, side)


def _gain_of_leaving_after_move(turn: QuickTurn, act: Option) -> float:
    """Return the gain, in HP, of leaving the fight after a move onto the objective's way out.

    It is 0 for any other act.
    """
    if act.command != "combat move" or "reach" not in turn.fight.data.get("objective", ()):
        return 0.0
    there = world_as_if_move_spent_to_reach(turn.world, turn.who, parse_square(act.given(MoveAction).to))
    return _gain_of_leaving(QuickTurn(Fight(there), turn.who))


def _squares_nearest_to_objective(turn: QuickTurn, squares: Iterable[Square]) -> list[Square]:
    """Return at most MOST_OBJECTIVE_SQUARES of the squares: those nearest to the fight's objective.

    Squares that would harm the creature are left out.
    """
    aims = objective_squares(turn.fight.data, turn.who)
    if not aims:
        return []
    far = {
        square: steps_to_squares_with_doors_open(turn.fight.data, aims, turn.combatant, square)
        for square in squares
    }
    return sorted((square for square in far if not turn.is_harmful_square(square)), key=far.__getitem__)[
        :MOST_OBJECTIVE_SQUARES
    ]


MOST_OBJECTIVE_SQUARES = 3
"""The most squares near the fight's objective that are considered."""


def _value_of_powers_regained_or_spent(turn: QuickTurn, act: Option) -> float:
    """Return the value, in HP, of an act's effect on once-a-fight powers.

    The value is above 0 for a Rally that restores a used power. It is below 0 for an act that spends a
    once-a-fight power. For other acts, it is 0.
    """
    key = getattr(act.args, "power", "")
    power = turn.world.book.powers.get(key, {})
    used = turn.combatant.get("used", ())
    if key == RALLY:
        return UNUSED_POWER if any(turn.world.book.powers[one]["kind"] == "class" for one in used) else 0.0
    return -UNUSED_POWER if power.get("usage") == "encounter" else 0.0


def _healing_options(turn: QuickTurn) -> Iterator[Option]:
    """Yield uses of healing powers without an attack roll, on each friend that is hurt."""
    for tool in turn.repertoire.helps:
        if turn.is_usable(tool) and any(step["do"] == "heal" for step in tool.power.get("effect", ())):
            hurt = [one for one in turn.acting_side_worst_hurt_first if turn.is_hurt(one)]
            yield from (turn.use_option(tool, (one,)) for one in hurt)


def _early_rally_options(turn: QuickTurn) -> Iterator[Option]:
    if turn.is_hurt(turn.who) and turn.combatant["hp"] > 0:
        yield from HABITS["rally"](turn, Habit("rally", "anyhow"))


def _shifts_out_of_zone_or_from_foes(turn: QuickTurn) -> Iterator[Option]:
    """Yield shifts out of a harmful zone or, for a shooter, to a square with fewer adjacent enemies."""
    if turn.turn.get("move") or turn.acts_for_another_side:
        return
    shoots = turn.repertoire.longest_range > turn.repertoire.reach_of_best_melee_attack + 1
    burning = turn.is_harmful_square(turn.at)
    if not burning and not (shoots and turn.adjacent_foe_count):
        return
    steps = [
        square
        for square in turn.fight.grid.neighbours(turn.at, turn.size)
        if turn.is_unoccupied_as_known(square) and not turn.is_harmful_square(square)
    ]
    here = turn.adjacent_foe_count_at(turn.at)
    for square in sorted(steps, key=turn.adjacent_foe_count_at):
        if burning or turn.adjacent_foe_count_at(square) < here:
            to = format_square(square)
            yield Option(
                "combat move", MoveAction(who=turn.who, to=to, shift=True), ("move", turn.who, to, "--shift")
            )


def _approach_moves_without_path(turn: QuickTurn) -> Iterator[Option]:
    """Yield moves to squares that are nearer to the nearest enemy, measured in a straight line.

    They are for a creature that no path leads to that enemy. If a path exists, nothing is yielded. Nothing is
    yielded either if the fight has an objective, or if the creature has already moved.
    """
    _, foe, there = turn.known_foes_nearest_first[0]
    stays = "objective" in turn.fight.data or turn.turn.get("move")
    if turn.has_action_left("move") and not stays and turn.route_of_one_move_towards(foe, 1) is None:
        size = checked_creature_size(there["size"])
        far = {
            square: distance_between_spaces(square, turn.size, turn.fight.at(foe), size)
            for square in destinations(turn.fight, turn.who)
            if not turn.is_harmful_square(square)
        }
        nearer = [
            square
            for square in far
            if far[square] < distance_between_spaces(turn.at, turn.size, turn.fight.at(foe), size)
        ]
        yield from map(turn.move_option, sorted(nearer, key=far.__getitem__))


# Readied attacks

ENEMY_COMES_TRIGGER = "an enemy comes into reach"


def _prepare_attack_option(turn: QuickTurn) -> Iterator[Option]:
    args = Prepare(who=turn.who, trigger=ENEMY_COMES_TRIGGER, then="attack", do="attack")
    typed = ("prepare", turn.who, "--trigger", ENEMY_COMES_TRIGGER, "--then", "attack")
    if "prepared" not in turn.combatant:
        yield Option("combat prepare", args, typed)


def _trigger_prepared_attack_option(world: World) -> Option | None:
    """Return the option to trigger a prepared attack if that is possible and gains anything, else None."""
    fight = Fight(world)
    for combatant, one in fight.data["combatants"].items():
        if "prepared" not in one or fight.data.get("active") in (None, combatant):
            continue
        turn = QuickTurn(fight, combatant)
        for act in islice(turn.attack_options(turn.repertoire.attacks, ""), MOST_TRIGGER_ATTACKS):
            plain = act.args.as_json()
            del plain["who"]
            args = Trigger(who=combatant, do="attack", args=plain)
            option = Option("combat trigger", args, ("trigger", combatant, "--then", " ".join(act.typed)))
            if (
                expected_gain_to_side_acted_for(world, combatant, option) > 0
            ):  # all of it is played: it may be refused on the way
                return option
    return None


MOST_TRIGGER_ATTACKS = 2
"""The most attacks that are tried for a prepared action."""
