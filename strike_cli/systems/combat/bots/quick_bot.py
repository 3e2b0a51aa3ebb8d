"""The bot `quick`: it goes through a list of habits and does the first that is possible.

The list is `tactics` of the creature's sheet or, without one, the usual list. The bot uses what everybody at
the table can see, estimates by distances and printed numbers, and asks the rules whether a command is legal.
It contains no rule itself. Begin with `QuickTurn`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.procedure import Choose, World
from strike_cli.play.decision_weighing import CommandUnderway
from strike_cli.play.legal_options import Option, refusal_of_move
from strike_cli.sim.bot_players import UnweighedAnswers
from strike_cli.tabletop.active_effects import effect_banning
from strike_cli.tabletop.grid import Square, distance_between_spaces, footprint, format_square
from strike_cli.tabletop.walking_distances import grid_with_doors_open

from ..board.areas import AIMED
from ..board.move import MoveAction
from ..board.sight_and_hiding import known_occupied_squares
from ..board.square_entry import known_damaging_zones
from ..fight_state import (
    Fight,
    area_shape_of,
    last_part_of_id,
    meets_health_or_company_condition,
    names_of_changeable_numbers,
    square_and_size_on_map,
)
from ..health_and_statuses import PRONE, statuses_given_to
from ..powers.charge import Charge
from ..powers.powers_and_targets import (
    has_attack_roll,
    powers_of,
    require_power_as_user_has_it,
    target_group_key,
)
from ..powers.standard_powers_and_use_limits import RALLY, Power
from ..steps import UNROLLED, WAYS, steps_with_nested
from ..turns.turn import Escape, Stand
from .legal_options import (
    END_TURN,
    FINISH,
    INITIATIVE,
    TURN,
    adjacent_door_opening_options,
    power_option,
    should_flee,
)
from .objective_moves import options_towards_near_win
from .outcome_forecast import KINDS_WITH_POLICY, USUAL_POLICY
from .power_harmfulness import harmfulness_and_statuses_of
from .retreat import flee_options
from .tactics_habits import USUAL_HABITS, Habit, read_habit

if TYPE_CHECKING:
    from ..data import Combatant

TAKING_OUT = 4.0
"""The value, in HP, of bringing a creature down, besides the HP that it has left."""
EFFECT = 0.5
"""The value, in HP, of a power's effect besides its damage."""
STRUCK = 1.5
"""The cost, in HP, of giving an Opportunity."""
NO_LIMIT = 1000.0
"""A difference in HP greater than that of any two attacks, for no limit."""
HURT = 0.5
"""The share of its HP at or below which a creature counts as in need of help."""


class RatedPower(NamedTuple):
    """A power of a creature, with the numbers by which a bot chooses between powers.

    `word` is the power's name as typed. `range` is its range in squares. `worth` is its damage, plus EFFECT
    if it has an effect. `harmfulness` is above 0 for a power that harms its targets, and below 0 for a power
    that helps them. `statuses` are the statuses that the power gives to its targets. It is None if a step of
    the power does anything else to them.
    """

    word: str
    power: Power
    range: int
    damage: int
    worth: float
    harmfulness: int
    statuses: Collection[str] | None


class Repertoire(NamedTuple):
    """The attacks and powers that a creature uses on its turn, sorted by purpose."""

    attacks: tuple[RatedPower, ...]
    areas: tuple[RatedPower, ...]
    helps: tuple[RatedPower, ...]
    by_word: Mapping[str, RatedPower]
    longest_range: int
    """The range of the attack with the longest range, in squares."""

    @property
    def reach_of_best_melee_attack(self) -> int:
        """The reach of the best melee attack, in squares."""
        return next((tool.range for tool in self.attacks if tool.power.get("reach")), 1)


def _read_repertoire(fight: Fight, combatant: str) -> Repertoire:
    attacks, areas, helps = list[RatedPower](), list[RatedPower](), list[RatedPower]()
    by_word: dict[str, RatedPower] = {}
    for key in powers_of(fight, combatant):
        power = require_power_as_user_has_it(fight, combatant, key)
        if "trigger" in power or "on" in power or key == RALLY:
            continue
        far = max(power.get(way, 0) for way in WAYS)
        damage = int(power.get("damage", 0))
        tool = RatedPower(
            last_part_of_id(key),
            power,
            far,
            damage,
            damage + EFFECT * bool(power.get("effect")),
            *harmfulness_and_statuses_of(fight.world.book, power),
        )
        by_word[tool.word] = by_word[key] = tool
        if not has_attack_roll(power):
            helps.append(tool)
        else:
            (areas if area_shape_of(power) else attacks).append(tool)
    attacks.sort(key=lambda tool: -tool.worth)
    far = max((tool.range for tool in attacks), default=1)
    return Repertoire(tuple(attacks), tuple(areas), tuple(helps), by_word, far)


class QuickBot(UnweighedAnswers):
    """The bot `quick`, which plays each creature by the creature's habits."""

    name = "quick"

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the bot's next command, or None if there is no fight.

        In a creature's turn, the bot goes through the creature's habits. The command is the first legal
        option of the first habit that has one. If no habit has one, it is the end of the turn. Between turns,
        and once the fight is decided, it is the command that continues or ends the fight.
        """
        if not world.state.get("fight"):
            return None
        fight = Fight(world)
        active = fight.data.get("active")
        if fight.fight_outcome():
            return FINISH
        if active is None:
            return TURN if fight.data["round"] else INITIATIVE
        return QuickTurn(fight, active).choose_option()

    def decide(self, world: World, question: Choose, underway: CommandUnderway | None = None) -> str:
        """Return the bot's answer to a question.

        Some kinds of question are answered by the fixed policy USUAL_POLICY. Any other question gets its
        default answer or, without a default, its first option.
        """
        return (
            USUAL_POLICY(question)
            if question.kind in KINDS_WITH_POLICY
            else self.default_answer_counted_unweighed(question)
        )


class _Route(NamedTuple):
    """The squares of a path on which a creature may stop, and whether the last square is its destination."""

    squares: Sequence[Square]
    arrives: bool


SeenFoe = tuple[int, str, "Combatant"]
PREFERENCE_KEYS: Mapping[str, Callable[[SeenFoe], int | tuple[int, int]]] = {
    "nearest": lambda foe: foe[0],
    "furthest": lambda foe: -foe[0],
    "weakest": lambda foe: (foe[2]["hp"], foe[0]),
    "strongest": lambda foe: (-foe[2]["hp"], foe[0]),
}
"""The sort key for each preference among enemies (tactics_habits.PREFERENCES).

It depends on their distance, id and condition.
"""


class QuickTurn:
    """A creature's turn as a bot sees it: the creature's knowledge, and the options of its habits."""

    def __init__(self, fight: Fight, who: str) -> None:
        self.fight = fight
        self.world = fight.world
        self.who = who
        self.combatant = fight.combatant(who)
        self.turn = fight.data.get("turn") or {}

    def choose_option(self) -> Option:
        """Return the option that the bot takes next.

        If an option is urgent, it is taken. Otherwise the creature's habits are tried in order, and the first
        legal option of a habit is taken. If no habit has one, the turn ends. A creature that can't act, or
        that isn't on the map, can only Rally or end the turn.
        """
        banned = effect_banning(self.world, self.who, "act", self.fight.actions_taken() + 1)
        if banned or "at" not in self.combatant:
            return self.first_legal(_rally_options(self, Habit("rally"))) or END_TURN
        if option := self.urgent_option():
            return option
        tactics = (
            USUAL_HABITS
            if self.acts_for_another_side
            else self.fight.sheet(self.who).get("tactics") or USUAL_HABITS
        )
        for habit in map(read_habit, tactics):
            if (habit.when and not self.meets_condition(habit.when)) or (
                self.acts_for_another_side and habit.what in SELF_PROTECTING_HABITS
            ):
                continue
            do = HABITS.get(habit.what, _named_power_options)
            if (option := self.first_legal(do(self, habit))) is not None:
                return option
        return END_TURN

    def urgent_option(self) -> Option | None:
        """Return an option that comes before all habits of the creature, or None.

        If the creature acts at the command of another side, the only such option is a Rally. If the creature
        breaks off the fight, the option is to leave or to surrender. If the party can soon win by the
        objective, the option is a step towards this win.
        """
        if self.acts_for_another_side:
            return self.first_legal(_rally_options(self, Habit("rally")))
        if should_flee(self.fight, self.who) and (
            option := self.first_legal(flee_options(self, surrenders=True))
        ):
            return option
        return self.first_legal(options_towards_near_win(self)) if "objective" in self.fight.data else None

    @cached_property
    def side_acted_for(self) -> str:
        """The side for which the creature acts: its own or, if it is dominated, the dominating creature's."""
        return self.fight.side_acted_for(self.who)

    @cached_property
    def acts_for_another_side(self) -> bool:
        """Whether the creature now acts for a side that isn't its own.

        The side that commands the creature gains if the creature is harmed.
        """
        return self.side_acted_for != str(self.combatant["side"])

    def first_legal(self, options: Iterator[Option]) -> Option | None:
        """Return the first of the options that is legal, or None."""
        for one in options:
            if refusal_of_move(self.world, one.command, one.args) is None:
                return one
        return None

    def meets_condition(self, condition: str) -> bool:
        """Return whether the creature now meets a habit's condition, one of `tactics_habits.CONDITIONS`."""
        if condition == "first-round":
            return bool(self.fight.data["round"] == 1)
        return meets_health_or_company_condition(self.fight, self.who, condition)

    def has_action_left(self, action: str) -> bool:
        """Return whether an action of this kind is left; an Attack Action can replace a Move Action."""
        if not self.turn.get(action):
            return True
        return action == "move" and not self.turn.get("attack")

    @cached_property
    def repertoire(self) -> Repertoire:
        """The attacks and powers that the creature can use."""
        if not {"reach", "range"}.isdisjoint(names_of_changeable_numbers(self.world.book)):
            return _read_repertoire(self.fight, self.who)
        # Creatures of a kind share theirs.
        key = self.fight.combatant(self.who)["ref"], self.fight.is_player(self.who)
        book, known = _known_repertoires.get(key, (None, None))
        if known is None or book is not self.fight.world.book:
            known = _read_repertoire(self.fight, self.who)
            _known_repertoires[key] = self.fight.world.book, known
        return known

    @cached_property
    def known_foes_nearest_first(self) -> list[SeenFoe]:
        """The enemies that the creature knows of, the nearest first.

        Each item has the distance in squares, the enemy's id, and the enemy's data.
        """
        fight, people = self.fight, self.fight.data["combatants"]
        if "at" not in self.combatant:
            return []
        own = square_and_size_on_map(self.combatant)
        found = [
            (distance_between_spaces(*own, *square_and_size_on_map(one)), foe, one)
            for foe in fight.opponents_of(self.who)
            if "at" in (one := people[foe])
            and not (one.get("hidden") and one["side"] != self.combatant["side"])
        ]
        found.sort()  # no two have the same id
        return found

    @cached_property
    def acting_side_worst_hurt_first(self) -> list[str]:
        """The creatures on the map that are on the acting side, the worst hurt first.

        The acting side is the side that decides what this creature does. Usually it is the creature's own
        side, so the creature is in the list. If another side commands the creature, it isn't.
        """
        people = self.fight.data["combatants"]
        own = [
            combatant
            for combatant, one in people.items()
            if one["side"] == self.side_acted_for and "out" not in one and "at" in one
        ]
        return sorted(own, key=lambda combatant: people[combatant]["hp"] / people[combatant]["max_hp"])

    @cached_property
    def adjacent_foe_count(self) -> int:
        """The number of adjacent enemies that the creature knows of."""
        return [apart for apart, *_ in self.known_foes_nearest_first].count(1)

    def adjacent_foe_count_at(self, square: Square) -> int:
        """Return how many known enemies would be adjacent to the creature if it stood on a square."""
        return [
            distance_between_spaces(square, self.size, *square_and_size_on_map(one))
            for *_, one in self.known_foes_nearest_first
        ].count(1)

    def is_hurt(self, combatant: str, share: float = 0.999) -> bool:
        """Return whether a creature has at most `share` of its HP; by default, whether any are missing."""
        one = self.fight.data["combatants"][combatant]
        return bool(one["hp"] <= share * one["max_hp"])

    @property
    def would_trade_attack_action(self) -> bool:
        """Whether the Move Action is spent, so that a further move costs the Attack Action."""
        return bool(self.turn.get("move"))

    @property
    def trade_flags(self) -> tuple[str, ...]:
        """The flags that a typed command needs for a move: `--trade` if the Move Action is spent."""
        return ("--trade",) if self.would_trade_attack_action else ()

    @cached_property
    def at(self) -> Square:
        return self.fight.at(self.who)

    @cached_property
    def size(self) -> int:
        """The creature's size: the number of squares along each side."""
        return self.fight.size(self.who)

    @cached_property
    def known_occupied_squares(self) -> Mapping[Square, str]:
        """The squares that other creatures occupy as far as this one knows, each with the occupant's id."""
        return known_occupied_squares(self.fight, self.who)

    @cached_property
    def known_damaging_zone_squares(self) -> frozenset[Square]:
        """The squares whose zones would damage the creature if it entered them."""
        return frozenset[Square]().union(*known_damaging_zones(self.fight, self.who).values())

    def is_unoccupied_as_known(self, square: Square) -> bool:
        """Return whether the creature, as far as it knows, would meet no other creature at `square`.

        A large creature would occupy several squares, of which `square` is the top left one. None of them may
        be occupied.
        """
        return all(part not in self.known_occupied_squares for part in footprint(square, self.size))

    def is_harmful_square(self, square: Square) -> bool:
        """Return whether zones would damage the creature if it entered a square."""
        return bool(self.known_damaging_zone_squares) and not self.known_damaging_zone_squares.isdisjoint(
            footprint(square, self.size)
        )

    def is_usable(self, tool: RatedPower) -> bool:
        """Return whether the creature can still use a power.

        The power must not be used up. If it takes an Attack, Move or Role Action, the creature must still
        have that action. If another side commands the creature, it can't use a power that costs Action
        Points.
        """
        action = tool.power["action"]
        if action in ("attack", "move", "role") and not self.has_action_left(action):
            return False
        if self.acts_for_another_side and tool.power.get("ap"):  # not the commanding side's
            return False
        return tool.power["id"] not in self.combatant.get("used", ())

    def foes_by_preference(self, preference: str) -> list[SeenFoe]:
        """Return the known enemies in the order of `preference`, one of `tactics_habits.PREFERENCES`.

        Without a preference, the nearest come first.
        """
        return (
            sorted(self.known_foes_nearest_first, key=PREFERENCE_KEYS[preference])
            if preference in PREFERENCE_KEYS
            else self.known_foes_nearest_first
        )

    def attack_options(
        self, tools: Sequence[RatedPower], preference: str, most_below_best: float = NO_LIMIT
    ) -> Iterator[Option]:
        """Yield options to attack from the present square, the best first.

        An attack is left out if it promises over `most_below_best` HP less than the best one. `preference`
        says which enemies are preferred.
        """
        found = self.attacks_in_range_best_first(tools, preference)
        for promised, tool, foe in found:
            if promised < found[0][0] - most_below_best:
                return
            most = int(tool.power.get("targets", 1)) if tool.power.get("targets") != "all" else 0
            if most > 1 and tool.power.get("repeats"):
                yield self.use_option(tool, (foe,) * most)
            if most > 1:
                more = [
                    other
                    for apart, other, _ in self.known_foes_nearest_first
                    if apart <= tool.range and other != foe
                ]
                yield self.use_option(tool, (foe, *more[: most - 1]))
            yield self.use_option(tool, (foe,) if most else ())

    def attacks_in_range_best_first(
        self, tools: Sequence[RatedPower], preference: str = ""
    ) -> list[tuple[float, RatedPower, str]]:
        """Return the attacks that reach an enemy from the creature's square, the best first.

        Each attack is given as its value in HP, the power, and the enemy. `preference` is one of
        `tactics_habits.PREFERENCES`. With a preference, attacks on the most preferred enemy come first.
        """
        beside, found = self.adjacent_foe_count, list[tuple[int, float, int, int, RatedPower, str]]()
        for tool in tools:
            if not self.is_usable(tool):
                continue
            for number, (apart, foe, one) in enumerate(self.foes_by_preference(preference)):
                if apart > tool.range:
                    continue
                hp = one["hp"]
                worth = (
                    min(tool.damage, hp)
                    + (TAKING_OUT if tool.damage >= hp else 0.0)
                    + tool.worth
                    - tool.damage
                )
                if beside and not self.acts_for_another_side and apart > tool.power.get("reach", 0):
                    worth -= STRUCK * beside
                found.append((number if preference else 0, -worth, hp, len(found), tool, foe))
        found.sort()  # the running number differs
        return [(-worth, tool, foe) for _, worth, _, _, tool, foe in found]

    def area_options_sparing_friends(self, tool: RatedPower, fewest_enemies: int) -> Iterator[Option]:
        """Yield uses of an area power, those with the most enemies in the area first.

        Each use has at least `fewest_enemies` enemies in the area, and no friend whom the power would affect.
        """
        power, fight = tool.power, self.fight
        shape = area_shape_of(power)
        wide = power[shape] if shape else 0
        if shape not in AIMED:
            reached = sum(apart <= wide for apart, *_ in self.known_foes_nearest_first)
            if reached >= fewest_enemies and not self.would_affect_friend_in_area(
                self.at, self.size, wide, power
            ):
                yield self.use_option(tool, ())
            return
        middles = list[tuple[int, int, Square]]()
        for apart, foe, _ in self.known_foes_nearest_first:
            if apart <= max(power.get("range", 0), wide if shape != "area" else 0):
                middle = fight.at(foe)
                around = wide if shape == "area" else 0
                count = sum(
                    distance_between_spaces(middle, 1, *square_and_size_on_map(other)) <= around
                    for *_, other in self.known_foes_nearest_first
                )
                if count >= fewest_enemies and not self.would_affect_friend_in_area(middle, 1, around, power):
                    middles.append((-count, len(middles), middle))
        for *_, middle in sorted(middles):
            yield self.use_option(tool, (), middle)

    def would_affect_friend_in_area(self, middle: Square, size: int, radius: int, power: Power) -> bool:
        """Return whether a power used around `middle` would affect a friend of the creature.

        The power has to affect friends, and a friend has to be within `radius` squares of the space at
        `middle`. The space is `size` squares wide and high.
        """
        fight = self.fight
        return target_group_key(power) not in ("enemies", "allies") and any(
            distance_between_spaces(middle, size, fight.at(one), fight.size(one)) <= radius
            for one in self.acting_side_worst_hurt_first
            if one != self.who
        )

    def unrolled_options(self, tool: RatedPower) -> Iterator[Option]:
        """Yield uses of a power that needs no attack roll.

        A harmful power is used on enemies, a helpful one on friends.
        """
        power = tool.power
        if power["action"] not in ("role", "attack", "free", "move"):
            return
        if tool.harmfulness > 0 or (
            not tool.harmfulness and target_group_key(power) in ("enemies", "others")
        ):
            yield from self._harming_options(tool)
        elif not area_shape_of(power):
            yield from self.helping_options(tool)

    def _harming_options(self, tool: RatedPower) -> Iterator[Option]:
        """Yield uses of a harmful power on enemies in range.

        Enemies that lack the most of the power's statuses come first. If the power only gives statuses,
        enemies that already have all of them are left out.
        """
        power = tool.power
        if target_group_key(power) in ("self", "friends", "allies"):
            steps = (step for part in UNROLLED for step in steps_with_nested(power.get(part, ())))
            if (
                target_group_key(power) == "self"
                and self.known_foes_nearest_first
                and any(step.get("to") == "enemies" for step in steps)
            ):
                yield self.use_option(tool, ())  # the enemies that it affects aren't its targets
            return
        if area_shape_of(power):
            yield from self.area_options_sparing_friends(tool, 1)
            return
        if power.get("targets") == "all":
            yield self.use_option(tool, ())
            return
        wanted = set(tool.statuses or ())
        lacking = {
            foe: len(wanted - self._lasting_statuses(one)) for _, foe, one in self.known_foes_nearest_first
        }
        reached = [
            foe for apart, foe, _ in self.known_foes_nearest_first if not tool.range or apart <= tool.range
        ]
        reached.sort(key=lambda foe: -lacking[foe])
        most = int(power.get("targets", 1))
        for number, foe in enumerate(reached):
            if wanted and not lacking[foe]:
                return
            others = reached[:number] + reached[number + 1 :]
            if most > 1 and others:
                yield self.use_option(tool, (foe, *others[: most - 1]))
            yield self.use_option(tool, (foe,))

    def _lasting_statuses(self, combatant: Combatant) -> set[str]:
        """Return the statuses of a creature that last longer than the present turn."""
        return {
            status["id"]
            for status in combatant.get("statuses", ())
            if status["ends"] != "this-turn"
            and (status["ends"] != "turn-end" or status.get("of") != self.who or "later" in status)
        }

    def helping_options(self, tool: RatedPower) -> Iterator[Option]:
        """Yield the ways to help the acting side with a power that needs no attack roll.

        The acting side is usually the creature's own. Its most hurt members come first. A healing power is
        used only on members with at most HURT of their HP. A power that takes an Attack Action is used only
        if it heals.
        """
        power, people = tool.power, self.fight.data["combatants"]
        heals = any(step["do"] == "heal" for part in UNROLLED for step in power.get(part, ()))
        for_whom = target_group_key(power)
        if power["action"] == "attack" and not heals:
            return
        for one in self.acting_side_worst_hurt_first:
            if heals and people[one]["hp"] > HURT * people[one]["max_hp"]:
                return
            if for_whom == "self":
                yield self.use_option(tool, ())
                return
            if one != self.who or for_whom in ("friends", "any", "others"):
                yield self.use_option(tool, (one,))

    def move_option(self, square: Square) -> Option:
        to = format_square(square)
        args = MoveAction(who=self.who, to=to, trade=self.would_trade_attack_action)
        return Option("combat move", args, ("move", self.who, to, *self.trade_flags))

    def route_of_one_move_towards(self, foe: str, stop_distance: int) -> _Route | None:
        """Return the squares on the way to an enemy where the creature may stop, or None if there are none.

        The way takes at most the creature's speed. It ends as soon as the enemy is in sight and at most
        `stop_distance` squares away. The creature may pass its friends, but not its enemies. The distance to
        the enemy is measured as if no creatures stood in between.
        """
        fight, grid, size = self.fight, self.fight.grid, self.size
        speed, _ = fight.speed(self.who)
        there, as_large = fight.square_and_size(foe)
        left = grid.distances_to(there, size)
        here, spent, way = self.at, 0, list[Square]()
        if here not in left:
            left = grid_with_doors_open(fight.data["map"]).distances_to(there, size)
        foes = {
            square
            for square, combatant in self.known_occupied_squares.items()
            if fight.side(combatant) != self.combatant["side"]
        }
        while spent < speed and here in left:
            steps = [
                step
                for step in grid.neighbours(here, size)
                if left.get(step, left[here]) < left[here] and foes.isdisjoint(footprint(step, size))
            ]
            if not steps:
                break
            here = min(steps, key=lambda step: (left[step], self.is_harmful_square(step)))
            spent += grid.step_cost(here, size=size)
            if spent > speed:
                break
            if self.is_unoccupied_as_known(here) and not self.is_harmful_square(here):
                way.append(here)
                if distance_between_spaces(here, size, there, as_large) <= stop_distance and (
                    grid.has_line_of_sight(here, there, size, as_large)
                ):
                    return _Route(way, True)
        return _Route(way, False) if way else None

    def use_option(self, tool: RatedPower, targets: tuple[str, ...], at: Square | None = None) -> Option:
        """Return the option to use a power on some targets, or aimed at a square."""
        return power_option(self.who, tool.power, tool.word, targets, at, bool(self.turn.get("move")))


_known_repertoires: dict[tuple[str, bool], tuple[object, Repertoire]] = {}


# Habits


def _escape_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    if turn.has_action_left("move") and any(
        status["ends"] == "escape" for status in turn.combatant.get("statuses", ())
    ):
        held = dict.fromkeys(
            status["id"] for status in statuses_given_to(turn.world, turn.who) if status["ends"] == "escape"
        )
        named = (next(iter(held)),) if len(held) > 1 else ()
        args = Escape(who=turn.who, status=next(iter(held)), trade=turn.would_trade_attack_action)
        yield Option("combat escape", args, ("escape", turn.who, *named, *turn.trade_flags))


def _stand_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    if turn.has_action_left("move") and any(
        status["id"] == PRONE for status in turn.combatant.get("statuses", ())
    ):
        args = Stand(who=turn.who, trade=turn.would_trade_attack_action)
        yield Option("combat stand", args, ("stand", turn.who, *turn.trade_flags))


def _rally_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield the option to Rally, if a player's character is badly hurt and hasn't rallied yet.

    A habit with a `whom` allows the option even if the character isn't hurt.
    """
    one = turn.combatant
    if (habit.whom or turn.is_hurt(turn.who, HURT)) and turn.fight.is_player(turn.who):
        power = require_power_as_user_has_it(turn.fight, turn.who, RALLY)
        if power["id"] not in one.get("used", ()):
            yield power_option(turn.who, power, last_part_of_id(RALLY), (turn.who,), None, False)


def _unrolled_power_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield uses of powers that need no attack roll.

    A harmful power is used on enemies, a helpful one on friends.
    """
    for tool in turn.repertoire.helps:
        if turn.is_usable(tool):
            yield from turn.unrolled_options(tool)


def _area_attack_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield uses of area powers with at least two enemies in the area and no friend."""
    if turn.has_action_left("attack"):
        for tool in turn.repertoire.areas:
            if turn.is_usable(tool):
                yield from turn.area_options_sparing_friends(tool, 2)


def _once_a_fight_attacks(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    if turn.has_action_left("attack"):
        tools = [tool for tool in turn.repertoire.attacks if tool.power["usage"] == "encounter"]
        yield from turn.attack_options(tools, habit.whom)


def _attack_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield all attacks, the best first; attacks on areas come last."""
    if turn.has_action_left("attack"):
        yield from turn.attack_options(turn.repertoire.attacks, habit.whom)
        for tool in turn.repertoire.areas:
            if turn.is_usable(tool):
                yield from turn.area_options_sparing_friends(tool, 1)


def _step_back_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield Shifts away from adjacent enemies, if the creature's best attack is ranged.

    No enemy is next to the squares where the Shifts end. Nothing is yielded if no enemy is adjacent now, or
    if the Attack Action or the Move Action is used.
    """
    if not (turn.adjacent_foe_count and turn.has_action_left("attack") and not turn.turn.get("move")):
        return
    near = max((tool.worth for tool in turn.repertoire.attacks if tool.power.get("reach")), default=0.0)
    far = max((tool.worth for tool in turn.repertoire.attacks if tool.power.get("range")), default=0.0)
    if far <= near:
        return
    fight, combatant, size = turn.fight, turn.who, turn.size
    for square in fight.grid.neighbours(turn.at, size):
        if (
            turn.is_unoccupied_as_known(square)
            and not turn.is_harmful_square(square)
            and not turn.adjacent_foe_count_at(square)
        ):
            to = format_square(square)
            yield Option(
                "combat move",
                MoveAction(who=combatant, to=to, shift=True),
                ("move", combatant, to, "--shift"),
            )


def _close_in_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield a move to a square from which the creature can attack an enemy.

    The enemies are tried in the order of the habit's preference. The move goes towards the first one that the
    creature can reach. Nothing is yielded if there is no such enemy, or if the Attack Action or the Move
    Action is spent.
    """
    if turn.has_action_left("attack") and not turn.turn.get("move"):
        for _, foe, _ in turn.foes_by_preference(habit.whom):
            way = turn.route_of_one_move_towards(foe, turn.repertoire.longest_range)
            if way and way.arrives:
                yield turn.move_option(way.squares[-1])
                return


def _charge_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    if turn.has_action_left("attack") and turn.known_foes_nearest_first:
        speed, _ = turn.fight.speed(turn.who)
        for apart, foe, _ in turn.foes_by_preference(habit.whom):
            if 1 < apart <= speed + 1:
                yield Option("combat charge", Charge(who=turn.who, target=foe), ("charge", turn.who, foe))


def _run_to_enemy_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield moves towards the nearest known enemy to whom a route leads.

    The move that leads nearest to the enemy comes first. There are no moves if an enemy is adjacent, or if no
    Move Action or no Attack Action is left.
    """
    if turn.has_action_left("move") and turn.has_action_left("attack") and not turn.adjacent_foe_count:
        for _, foe, _ in turn.known_foes_nearest_first[:MOST_FOES_TRIED]:
            if way := turn.route_of_one_move_towards(foe, 1):
                for square in reversed(way.squares):
                    yield turn.move_option(square)
                return


def _door_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield options to open a door that bars the way to the nearest enemy."""
    if turn.known_foes_nearest_first and turn.has_action_left("move"):
        yield from adjacent_door_opening_options(
            turn.fight, turn.who, turn.fight.at(turn.known_foes_nearest_first[0][1])
        )


def _leave_zone_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    if turn.is_harmful_square(turn.at) and turn.has_action_left("move"):
        for square in turn.fight.grid.neighbours(turn.at, turn.size):
            if turn.is_unoccupied_as_known(square) and not turn.is_harmful_square(square):
                yield turn.move_option(square)


def _named_power_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    tool = turn.repertoire.by_word.get(habit.what)
    if tool is None or not turn.is_usable(tool):
        return
    if not has_attack_roll(tool.power):
        yield from turn.unrolled_options(tool)
    elif area_shape_of(tool.power):
        yield from turn.area_options_sparing_friends(tool, 1)
    else:
        yield from turn.attack_options([tool], habit.whom)


SELF_PROTECTING_HABITS = ("escape", "back", "leave", "flee")
"""Habits by which a creature looks after itself. A side that dominates the creature doesn't follow them."""
HABITS: Mapping[str, Callable[[QuickTurn, Habit], Iterator[Option]]] = {
    "escape": _escape_options,
    "stand": _stand_options,
    "rally": _rally_options,
    "help": _unrolled_power_options,
    "area": _area_attack_options,
    "back": _step_back_options,
    "once": _once_a_fight_attacks,
    "attack": _attack_options,
    "close": _close_in_options,
    "charge": _charge_options,
    "run": _run_to_enemy_options,
    "door": _door_options,
    "leave": _leave_zone_options,
    "flee": lambda turn, habit: flee_options(turn, surrenders=True),
}
"""The function for each habit word (tactics_habits.HABIT_WORDS); any other word is the name of a power."""
MOST_FOES_TRIED = 3
"""The most enemies to which a path is sought."""
