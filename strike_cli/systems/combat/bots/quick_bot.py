"""The bot `quick`: it goes through a list of habits and does the first that applies.

The list is `tactics` of the creature's sheet, or else the usual one. The bot sees what everybody at the table
can see, estimates by distances and printed numbers, and asks the rules whether a command is legal. It
contains no rule itself. Begin with `QuickTurn`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.procedure import Choose, World
from strike_cli.play.decision_weighing import Underway
from strike_cli.play.legal_options import Option, why_not
from strike_cli.sim.bot_players import Unweighed
from strike_cli.tabletop.grid import Square, footprint, format_square, gap
from strike_cli.tabletop.paths import opened_grid
from strike_cli.tabletop.status_effects import ban_on

from ..board.areas import AIMED
from ..board.doors import way_through
from ..board.enter_square import known_hazards
from ..board.move import MoveAction
from ..board.sight import known_squares
from ..fight import Fight, changed_in, last_part, place_of, shape_of, standing_holds
from ..harm import PRONE, statuses_of
from ..powers.charge import Charge
from ..powers.power import fit_for, is_rolled, power_of, powers_of
from ..powers.uses import RALLY, Power
from ..steps import UNROLLED, WAYS, with_nested
from ..turns.turn import Escape, Stand
from .creature_tactics import USUALLY, Habit, read_habit
from .forecast import PLANNED, USUAL
from .legal_options import END_TURN, FINISH, INITIATIVE, TURN, power_option, wants_to_flee
from .objective_moves import wins_by_goal
from .power_purpose import purpose_of
from .retreat import break_off_options

if TYPE_CHECKING:
    from ..data import Combatant

FELLS = 4.0
"""The value, in HP, of bringing a creature down, besides the HP that it has left."""
EFFECT = 0.5
"""The value, in HP, of a power's effect besides its damage."""
STRUCK = 1.5
"""The cost, in HP, of giving an Opportunity."""
ANY = 1000.0
"""A difference in HP greater than that of any two attacks, for no limit."""
HURT = 0.5
"""The share of its HP at or below which a creature counts as in need of help."""


class Tool(NamedTuple):
    """A power as the habits see it.

    `word` is its name as typed, `far` its range in squares, and `worth` its damage plus EFFECT for an effect.
    `harms` is above 0 for a power that harms its targets, below 0 for one that helps them; `brings` are the
    statuses that it gives (purpose.purpose_of).
    """

    word: str
    power: Power
    far: int
    damage: int
    worth: float
    harms: int
    brings: Collection[str] | None


class Repertoire(NamedTuple):
    """The attacks and powers of a creature, sorted by purpose."""

    attacks: tuple[Tool, ...]
    areas: tuple[Tool, ...]
    helps: tuple[Tool, ...]
    by_word: Mapping[str, Tool]
    far: int
    """The range of the attack with the longest range, in squares."""

    @property
    def near(self) -> int:
        """The reach of the best melee attack, in squares."""
        return next((tool.far for tool in self.attacks if tool.power.get("reach")), 1)


def _repertoire(fight: Fight, combatant: str) -> Repertoire:
    attacks, areas, helps = list[Tool](), list[Tool](), list[Tool]()
    by_word: dict[str, Tool] = {}
    for key in powers_of(fight, combatant):
        power = power_of(fight, combatant, key)
        if "trigger" in power or "on" in power or key == RALLY:
            continue
        far = max(power.get(way, 0) for way in WAYS)
        damage = int(power.get("damage", 0))
        tool = Tool(
            last_part(key),
            power,
            far,
            damage,
            damage + EFFECT * bool(power.get("effect")),
            *purpose_of(fight.world.book, power),
        )
        by_word[tool.word] = by_word[key] = tool
        if not is_rolled(power):
            helps.append(tool)
        else:
            (areas if shape_of(power) else attacks).append(tool)
    attacks.sort(key=lambda tool: -tool.worth)
    far = max((tool.far for tool in attacks), default=1)
    return Repertoire(tuple(attacks), tuple(areas), tuple(helps), by_word, far)


class Quick(Unweighed):
    """A player that follows its creatures' habits."""

    name = "quick"

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the option of the first habit that has a legal one, else the end of the turn.

        Between turns it is the option by which the fight goes on; None without a fight.
        """
        if not world.state.get("fight"):
            return None
        fight = Fight(world)
        active = fight.data.get("active")
        if fight.decided():
            return FINISH
        if active is None:
            return TURN if fight.data["round"] else INITIATIVE
        return QuickTurn(fight, active).command()

    def decide(self, world: World, question: Choose, underway: Underway | None = None) -> str:
        """Answer a question with its usual option."""
        return USUAL(question) if question.kind in PLANNED else self.unasked(question)


class _Route(NamedTuple):
    """The squares of a path on which a creature may stop, and whether the last one is its destination."""

    squares: Sequence[Square]
    arrives: bool


Seen = tuple[int, str, "Combatant"]
RATHER: Mapping[str, Callable[[Seen], int | tuple[int, int]]] = {
    "nearest": lambda foe: foe[0],
    "furthest": lambda foe: -foe[0],
    "weakest": lambda foe: (foe[2]["hp"], foe[0]),
    "strongest": lambda foe: (-foe[2]["hp"], foe[0]),
}
"""The sort key for each preference among enemies (tactics.WHOM), by their distance, id and condition."""


class QuickTurn:
    """A creature's turn, as the bot's habits see it."""

    def __init__(self, fight: Fight, who: str) -> None:
        self.fight = fight
        self.world = fight.world
        self.who = who
        self.one = fight.combatant(who)
        self.turn = fight.data.get("turn") or {}

    def command(self) -> Option:
        """Return the option of the first habit that has a legal one, else the end of the turn."""
        banned = ban_on(self.world, self.who, "act", self.fight.actions_taken() + 1)
        if banned or "at" not in self.one:
            return self.first(_rally(self, Habit("rally"))) or END_TURN
        if option := self.at_once():
            return option
        tactics = USUALLY if self.is_commanded else self.fight.sheet(self.who).get("tactics") or USUALLY
        for habit in map(read_habit, tactics):
            if (habit.when and not self.holds(habit.when)) or (
                self.is_commanded and habit.what in FOR_ONESELF
            ):
                continue
            do = HABITS.get(habit.what, _named_power_options)
            if (option := self.first(do(self, habit))) is not None:
                return option
        return END_TURN

    def at_once(self) -> Option | None:
        """Return an option that takes precedence over all habits, or None.

        That is a way out for a creature that breaks off the fight, or a step towards a near win by the
        objective. A creature that another side commands may only Rally at once.
        """
        if self.is_commanded:
            return self.first(_rally(self, Habit("rally")))
        if wants_to_flee(self.fight, self.who) and (option := self.first(break_off_options(self))):
            return option
        return self.first(wins_by_goal(self)) if "objective" in self.fight.data else None

    @cached_property
    def side(self) -> str:
        """The side for which the creature acts: while it is dominated, the dominating creature's."""
        return self.fight.acts_for(self.who)

    @cached_property
    def is_commanded(self) -> bool:
        """Whether another side decides for the creature, so that this side gains by harm to it."""
        return self.side != str(self.one["side"])

    def first(self, options: Iterator[Option]) -> Option | None:
        """Return the first legal one of the options, or None."""
        for one in options:
            if why_not(self.world, one.command, one.args) is None:
                return one
        return None

    def holds(self, word: str) -> bool:
        """Return whether a habit's condition, one of tactics.WHEN, holds for the creature now."""
        if word == "first-round":
            return bool(self.fight.data["round"] == 1)
        return standing_holds(self.fight, self.who, word)

    def may(self, action: str) -> bool:
        """Return whether the creature has an action of this kind left; an Attack Action counts for a move."""
        if not self.turn.get(action):
            return True
        return action == "move" and not self.turn.get("attack")

    @cached_property
    def tools(self) -> Repertoire:
        """The attacks and powers that the creature can use."""
        if not {"reach", "range"}.isdisjoint(changed_in(self.world.book)):
            return _repertoire(self.fight, self.who)
        # Creatures of a kind share theirs.
        key = self.fight.combatant(self.who)["ref"], self.fight.is_player(self.who)
        book, known = _known.get(key, (None, None))
        if known is None or book is not self.fight.world.book:
            known = _repertoire(self.fight, self.who)
            _known[key] = self.fight.world.book, known
        return known

    @cached_property
    def foes(self) -> list[Seen]:
        """The enemies that the creature knows of, the nearest first: distance in squares, id, and state."""
        fight, people = self.fight, self.fight.data["combatants"]
        if "at" not in self.one:
            return []
        own = place_of(self.one)
        found = [
            (gap(*own, *place_of(one)), foe, one)
            for foe in fight.targets_of(self.who)
            if "at" in (one := people[foe]) and not (one.get("hidden") and one["side"] != self.one["side"])
        ]
        found.sort()  # no two have the same id
        return found

    @cached_property
    def friends(self) -> list[str]:
        """The creatures on the map of the side that this creature acts for, the worst hurt first.

        The creature itself is among them unless another side commands it.
        """
        people = self.fight.data["combatants"]
        own = [
            combatant
            for combatant, one in people.items()
            if one["side"] == self.side and "out" not in one and "at" in one
        ]
        return sorted(own, key=lambda combatant: people[combatant]["hp"] / people[combatant]["max_hp"])

    @cached_property
    def beside(self) -> int:
        """The number of adjacent enemies."""
        return [apart for apart, *_ in self.foes].count(1)

    def beside_at(self, square: Square) -> int:
        """Return how many enemies would be adjacent to the creature if it stood on a square."""
        return [gap(square, self.size, *place_of(one)) for *_, one in self.foes].count(1)

    def is_hurt(self, combatant: str, share: float = 0.999) -> bool:
        """Return whether a creature has at most a share of its HP; by default, whether any are missing."""
        one = self.fight.data["combatants"][combatant]
        return bool(one["hp"] <= share * one["max_hp"])

    @property
    def trade(self) -> bool:
        """Whether the Move Action is spent, so that another one replaces the Attack Action."""
        return bool(self.turn.get("move"))

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that a typed command needs for another Move Action."""
        return ("--trade",) if self.trade else ()

    @cached_property
    def at(self) -> Square:
        """The creature's square."""
        return self.fight.at(self.who)

    @cached_property
    def size(self) -> int:
        """The creature's size: squares along a side."""
        return self.fight.size(self.who)

    @cached_property
    def occupied(self) -> Mapping[Square, str]:
        """The squares that other creatures stand on, with these creatures, as far as this one knows."""
        return known_squares(self.fight, self.who)

    @cached_property
    def burning(self) -> frozenset[Square]:
        """The squares whose zones would damage the creature if it entered them."""
        return frozenset[Square]().union(*known_hazards(self.fight, self.who).values())

    def is_free(self, square: Square) -> bool:
        """Return whether the creature could stand on a square."""
        return all(part not in self.occupied for part in footprint(square, self.size))

    def burns(self, square: Square) -> bool:
        """Return whether zones would damage the creature if it entered a square."""
        return bool(self.burning) and not self.burning.isdisjoint(footprint(square, self.size))

    def usable(self, tool: Tool) -> bool:
        """Return whether the creature can still use a power: its use isn't spent and its action is left."""
        action = tool.power["action"]
        if action in ("attack", "move", "role") and not self.may(action):
            return False
        if self.is_commanded and tool.power.get("ap"):  # not the commanding side's
            return False
        return tool.power["id"] not in self.one.get("used", ())

    def ranked(self, whom: str) -> list[Seen]:
        """Return the enemies in the order of a preference of tactics.WHOM, or the nearest first."""
        return sorted(self.foes, key=RATHER[whom]) if whom in RATHER else self.foes

    def attacks(self, tools: Sequence[Tool], whom: str, within: float = ANY) -> Iterator[Option]:
        """Yield attacks from the present square, the best first.

        They promise at most `within` HP less than the best.
        """
        found = self.promising(tools, whom)
        for promised, tool, foe in found:
            if promised < found[0][0] - within:
                return
            most = int(tool.power.get("targets", 1)) if tool.power.get("targets") != "all" else 0
            if most > 1 and tool.power.get("repeats"):
                yield self.use(tool, (foe,) * most)
            if most > 1:
                more = [other for apart, other, _ in self.foes if apart <= tool.far and other != foe]
                yield self.use(tool, (foe, *more[: most - 1]))
            yield self.use(tool, (foe,) if most else ())

    def promising(self, tools: Sequence[Tool], whom: str = "") -> list[tuple[float, Tool, str]]:
        """Return the attacks that reach an enemy from here, with the HP that they promise, the best first.

        With `whom`, a preference of tactics.WHOM, attacks on preferred enemies come before all others.
        """
        beside, found = self.beside, list[tuple[int, float, int, int, Tool, str]]()
        for tool in tools:
            if not self.usable(tool):
                continue
            for number, (apart, foe, one) in enumerate(self.ranked(whom)):
                if apart > tool.far:
                    continue
                hp = one["hp"]
                worth = (
                    min(tool.damage, hp) + (FELLS if tool.damage >= hp else 0.0) + tool.worth - tool.damage
                )
                if beside and not self.is_commanded and apart > tool.power.get("reach", 0):
                    worth -= STRUCK * beside
                found.append((number if whom else 0, -worth, hp, len(found), tool, foe))
        found.sort()  # the running number differs
        return [(-worth, tool, foe) for _, worth, _, _, tool, foe in found]

    def over_several(self, tool: Tool, least: int) -> Iterator[Option]:
        """Yield uses of an area power with at least `least` enemies in its area and no friend.

        Areas with most enemies come first.
        """
        power, fight = tool.power, self.fight
        shape = shape_of(power)
        wide = power[shape] if shape else 0
        if shape not in AIMED:
            reached = sum(apart <= wide for apart, *_ in self.foes)
            if reached >= least and not self.friends_within(self.at, self.size, wide, power):
                yield self.use(tool, ())
            return
        middles = list[tuple[int, int, Square]]()
        for apart, foe, _ in self.foes:
            if apart <= max(power.get("range", 0), wide if shape != "area" else 0):
                middle = fight.at(foe)
                around = wide if shape == "area" else 0
                count = sum(gap(middle, 1, *place_of(other)) <= around for *_, other in self.foes)
                if count >= least and not self.friends_within(middle, 1, around, power):
                    middles.append((-count, len(middles), middle))
        for *_, middle in sorted(middles):
            yield self.use(tool, (), middle)

    def friends_within(self, middle: Square, size: int, wide: int, power: Power) -> bool:
        """Return whether a friend would be in the area of a power that affects friends, too.

        The area is all squares within `wide` of a place.
        """
        fight = self.fight
        return fit_for(power) not in ("enemies", "allies") and any(
            gap(middle, size, fight.at(one), fight.size(one)) <= wide
            for one in self.friends
            if one != self.who
        )

    def unrolled(self, tool: Tool) -> Iterator[Option]:
        """Yield uses of a power without an attack roll: harmful ones on enemies, helpful ones on friends."""
        power = tool.power
        if power["action"] not in ("role", "attack", "free", "move"):
            return
        if tool.harms > 0 or (not tool.harms and fit_for(power) in ("enemies", "others")):
            yield from self._harming(tool)
        elif not shape_of(power):
            yield from self.helping(tool)

    def _harming(self, tool: Tool) -> Iterator[Option]:
        """Yield uses of a harmful power on enemies in range, first on those that lack most of its statuses.

        Enemies that have all of its statuses are left out if the power does nothing else.
        """
        power = tool.power
        if fit_for(power) in ("self", "friends", "allies"):
            steps = (step for part in UNROLLED for step in with_nested(power.get(part, ())))
            if fit_for(power) == "self" and self.foes and any(step.get("to") == "enemies" for step in steps):
                yield self.use(tool, ())  # the enemies that it affects aren't its targets
            return
        if shape_of(power):
            yield from self.over_several(tool, 1)
            return
        if power.get("targets") == "all":
            yield self.use(tool, ())
            return
        wanted = set(tool.brings or ())
        lacking = {foe: len(wanted - self._lasting(one)) for _, foe, one in self.foes}
        reached = [foe for apart, foe, _ in self.foes if not tool.far or apart <= tool.far]
        reached.sort(key=lambda foe: -lacking[foe])
        most = int(power.get("targets", 1))
        for number, foe in enumerate(reached):
            if wanted and not lacking[foe]:
                return
            others = reached[:number] + reached[number + 1 :]
            if most > 1 and others:
                yield self.use(tool, (foe, *others[: most - 1]))
            yield self.use(tool, (foe,))

    def _lasting(self, combatant: Combatant) -> set[str]:
        """Return the statuses of a creature that last longer than the present turn."""
        return {
            status["id"]
            for status in combatant.get("statuses", ())
            if status["ends"] != "this-turn"
            and (status["ends"] != "turn-end" or status.get("of") != self.who or "later" in status)
        }

    def helping(self, tool: Tool) -> Iterator[Option]:
        """Yield uses of a helpful power without an attack roll, on friends.

        Healing is only used on those that are badly hurt.
        """
        power, people = tool.power, self.fight.data["combatants"]
        heals = any(step["do"] == "heal" for part in UNROLLED for step in power.get(part, ()))
        for_whom = fit_for(power)
        if power["action"] == "attack" and not heals:
            return
        for one in self.friends:
            if heals and people[one]["hp"] > HURT * people[one]["max_hp"]:
                return
            if for_whom == "self":
                yield self.use(tool, ())
                return
            if one != self.who or for_whom in ("friends", "any", "others"):
                yield self.use(tool, (one,))

    def move(self, square: Square) -> Option:
        to = format_square(square)
        args = MoveAction(who=self.who, to=to, trade=self.trade)
        return Option("combat move", args, ("move", self.who, to, *self.flags))

    def way_to(self, foe: str, far: int) -> _Route | None:
        """Return the part of the path towards an enemy that one move covers, or None if it leads nowhere.

        The path is the shortest if no creature were in the way. It ends early where the enemy is in sight and
        at most `far` squares away.
        """
        fight, grid, size = self.fight, self.fight.grid, self.size
        speed, _ = fight.speed(self.who)
        there, as_large = fight.place(foe)
        left = grid.distances_to(there, size)
        here, spent, way = self.at, 0, list[Square]()
        if here not in left:
            left = opened_grid(fight.data["map"]).distances_to(there, size)
        foes = {
            square for square, combatant in self.occupied.items() if fight.side(combatant) != self.one["side"]
        }
        while spent < speed and here in left:
            steps = [
                step
                for step in grid.neighbours(here, size)
                if left.get(step, left[here]) < left[here] and foes.isdisjoint(footprint(step, size))
            ]
            if not steps:
                break
            here = min(steps, key=lambda step: (left[step], self.burns(step)))
            spent += grid.step_cost(here, size=size)
            if spent > speed:
                break
            if self.is_free(here) and not self.burns(here):
                way.append(here)
                if gap(here, size, there, as_large) <= far and (
                    grid.line_of_sight(here, there, size, as_large)
                ):
                    return _Route(way, True)
        return _Route(way, False) if way else None

    def use(self, tool: Tool, targets: tuple[str, ...], at: Square | None = None) -> Option:
        """Return the option to use a power on some targets, or aimed at a square."""
        return power_option(self.who, tool.power, tool.word, targets, at, bool(self.turn.get("move")))


_known: dict[tuple[str, bool], tuple[object, Repertoire]] = {}


# Habits


def _escape(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield the option to escape from a hold."""
    if turn.may("move") and any(status["ends"] == "escape" for status in turn.one.get("statuses", ())):
        held = dict.fromkeys(
            status["id"] for status in statuses_of(turn.world, turn.who) if status["ends"] == "escape"
        )
        named = (next(iter(held)),) if len(held) > 1 else ()
        args = Escape(who=turn.who, status=next(iter(held)), trade=turn.trade)
        yield Option("combat escape", args, ("escape", turn.who, *named, *turn.flags))


def _stand(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield the option to stand up from Prone."""
    if turn.may("move") and any(status["id"] == PRONE for status in turn.one.get("statuses", ())):
        args = Stand(who=turn.who, trade=turn.trade)
        yield Option("combat stand", args, ("stand", turn.who, *turn.flags))


def _rally(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield the option to Rally, for a character that is badly hurt.

    If the habit has a `whom`, HP don't matter.
    """
    one = turn.one
    if (habit.whom or turn.is_hurt(turn.who, HURT)) and turn.fight.is_player(turn.who):
        power = power_of(turn.fight, turn.who, RALLY)
        if power["id"] not in one.get("used", ()):
            yield power_option(turn.who, power, last_part(RALLY), (turn.who,), None, False)


def _help(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield uses of powers without an attack roll on the creatures that they suit."""
    for tool in turn.tools.helps:
        if turn.usable(tool):
            yield from turn.unrolled(tool)


def _area(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield uses of area powers with at least two enemies in the area and no friend."""
    if turn.may("attack"):
        for tool in turn.tools.areas:
            if turn.usable(tool):
                yield from turn.over_several(tool, 2)


def _once_a_fight_attacks(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield attacks with powers that can be used once a fight, the best first."""
    if turn.may("attack"):
        tools = [tool for tool in turn.tools.attacks if tool.power["usage"] == "encounter"]
        yield from turn.attacks(tools, habit.whom)


def _attack(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield all attacks, the best first; attacks on areas come last."""
    if turn.may("attack"):
        yield from turn.attacks(turn.tools.attacks, habit.whom)
        for tool in turn.tools.areas:
            if turn.usable(tool):
                yield from turn.over_several(tool, 1)


def _back(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield shifts out of all enemies' reach, for a creature whose best attack is a ranged one."""
    if not (turn.beside and turn.may("attack") and not turn.turn.get("move")):
        return
    near = max((tool.worth for tool in turn.tools.attacks if tool.power.get("reach")), default=0.0)
    far = max((tool.worth for tool in turn.tools.attacks if tool.power.get("range")), default=0.0)
    if far <= near:
        return
    fight, combatant, size = turn.fight, turn.who, turn.size
    for square in fight.grid.neighbours(turn.at, size):
        if turn.is_free(square) and not turn.burns(square) and not turn.beside_at(square):
            to = format_square(square)
            yield Option(
                "combat move",
                MoveAction(who=combatant, to=to, shift=True),
                ("move", combatant, to, "--shift"),
            )


def _close(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield the move to the nearest square from which an enemy can be attacked."""
    if turn.may("attack") and not turn.turn.get("move"):
        for _, foe, _ in turn.ranked(habit.whom):
            way = turn.way_to(foe, turn.tools.far)
            if way and way.arrives:
                yield turn.move(way.squares[-1])
                return


def _charge(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield charges at enemies."""
    if turn.may("attack") and turn.foes:
        speed, _ = turn.fight.speed(turn.who)
        for apart, foe, _ in turn.ranked(habit.whom):
            if 1 < apart <= speed + 1:
                yield Option("combat charge", Charge(who=turn.who, target=foe), ("charge", turn.who, foe))


def _run(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield moves towards an enemy that is out of reach, if need be in place of the Attack Action."""
    if turn.may("move") and turn.may("attack") and not turn.beside:
        for _, foe, _ in turn.foes[:TRIED]:
            if way := turn.way_to(foe, 1):
                for square in reversed(way.squares):
                    yield turn.move(square)
                return


def _door(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield the option to open a door that bars the way to the nearest enemy."""
    if turn.foes and turn.may("move"):
        yield from way_through(turn.fight, turn.who, turn.fight.at(turn.foes[0][1]))


def _leave(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield moves out of a zone that causes damage."""
    if turn.burns(turn.at) and turn.may("move"):
        for square in turn.fight.grid.neighbours(turn.at, turn.size):
            if turn.is_free(square) and not turn.burns(square):
                yield turn.move(square)


def _named_power_options(turn: QuickTurn, habit: Habit) -> Iterator[Option]:
    """Yield uses of the power that the habit names."""
    tool = turn.tools.by_word.get(habit.what)
    if tool is None or not turn.usable(tool):
        return
    if not is_rolled(tool.power):
        yield from turn.unrolled(tool)
    elif shape_of(tool.power):
        yield from turn.over_several(tool, 1)
    else:
        yield from turn.attacks([tool], habit.whom)


FOR_ONESELF = ("escape", "back", "leave", "flee")
"""Habits by which a creature looks after itself. A side that dominates the creature doesn't follow them."""
HABITS: Mapping[str, Callable[[QuickTurn, Habit], Iterator[Option]]] = {
    "escape": _escape,
    "stand": _stand,
    "rally": _rally,
    "help": _help,
    "area": _area,
    "back": _back,
    "once": _once_a_fight_attacks,
    "attack": _attack,
    "close": _close,
    "charge": _charge,
    "run": _run,
    "door": _door,
    "leave": _leave,
    "flee": lambda turn, habit: break_off_options(turn),
}
"""The function for each habit word (tactics.WORDS); any other word is the name of a power."""
TRIED = 3
"""The most enemies to which a path is sought."""
