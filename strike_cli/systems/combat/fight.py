"""The fight under way, as the rules read it: places, turns, actions that are left, and numbers.

The numbers include changes by statuses, conditions and traits. Begin with `Fight`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Literal

from strike_cli.kernel.facts import about
from strike_cli.kernel.procedure import Args, Happen, Sets, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop import turn_order
from strike_cli.tabletop.grid import Grid, Square, footprint, gap, grid_of, parse_square
from strike_cli.tabletop.people import squares_a_side
from strike_cli.tabletop.status_effects import (
    ActiveEffect,
    ban_on,
    carried_by,
    decider_for,
    limit_on,
    numbers_on,
)
from strike_cli.tabletop.zones import is_asleep
from strike_cli.user_cache import words_in

from .facts.effects import Adds, Halves, Limits
from .facts.turns import ActionTaken
from .numbers import bloodied_at, numbers
from .steps import SHAPES

if TYPE_CHECKING:
    from strike_cli.kernel.facts import State
    from strike_cli.tabletop.data import ZoneKept

    from .data import BasicAttack, Combatant, ContentOfFights, FighterWritten, FightState, OwnNumbers
    from .steps import Shape

PARTY, ENEMIES = "party", "enemies"
"""The two sides."""
ACTIONS = ("attack", "move", "role")
GAME_MASTER = "the game master"
INTERRUPT = "interrupt"
"""The action that a trigger allows during another creature's turn.

It uses up none of the actor's own actions.
"""


class Actor(Args):
    """The arguments of a command about one combatant, `who`."""

    who: str


class SeveralPeople(Actor):
    """The arguments of a command about a combatant, `who`, and perhaps others, `also`."""

    also: Sequence[str] = ()

    def people(self) -> Iterable[str]:
        return dict.fromkeys((self.who, *self.also))


def combine_results(results: Mapping[str, Mapping[str, object]]) -> object:
    """Return the result of a command for several people: the first one's, with the rest in `others`."""
    (first, data), *others = results.items()
    more = {"others": [{"who": combatant, **each} for combatant, each in others]} if others else {}
    return {"who": first, **data, **more}


_grids: deque[tuple[object, object, tuple[str, ...], Grid]] = deque(maxlen=4)


@lru_cache(maxsize=64)
def _squares(names: tuple[str, ...]) -> frozenset[Square]:
    return frozenset(map(parse_square, names))


def must_be_status(world: World, key: str) -> None:
    """Raise Refused if the book has no such status."""
    if key not in world.book.statuses:
        raise Refused(f"There is no status {key!r}.", "`strike content list statuses` has them.")


def square_named(text: str) -> Square:
    """Return the square that an argument names. Raises Refused if it names none."""
    try:
        return parse_square(text)
    except ValueError as error:
        raise Refused(f"{error}.") from None


class NoFightUnderWay(Refused):
    """Refuses a command that needs a fight, when there is none."""

    def __init__(self, hint: str = "`strike combat start ENCOUNTER` begins one.") -> None:
        super().__init__("There is no fight.", hint)


class ActionUsed(Refused):
    """Refuses an action that the combatant has already taken in this turn."""


def fight_in(state: State) -> FightState | None:
    """Return the fight of a state, or None."""
    # No `cast` here or below: rules ask some thousand times in a fight, and each would be a call more.
    fight: FightState | None = state.get("fight")  # type: ignore[assignment]  # a state's tables are objects
    return fight


def combatants_in(state: State) -> Mapping[str, Combatant]:
    """Return everybody in the fight of a state, by id. It is empty without a fight."""
    fight: FightState | None = state.get("fight")  # type: ignore[assignment]  # as in `fight_in`
    return fight["combatants"] if fight else {}


class Fight:
    """The fight of a world, read from its state. It stores nothing, so it is up to date after every fact.

    Raises NoFightUnderWay if there is none.
    """

    __slots__ = ("world",)

    def __init__(self, world: World) -> None:
        self.world = world
        if not world.state.get("fight"):
            raise NoFightUnderWay()

    # The combatants

    @property
    def data(self) -> FightState:
        """The fight's table in the state."""
        fight: FightState = self.world.state["fight"]  # type: ignore[assignment]  # as in `fight_in`
        return fight

    def combatant(self, combatant: str) -> Combatant:
        """Return a combatant's table in the state. Raises Refused if it is not in the fight."""
        fight: FightState = self.world.state["fight"]  # type: ignore[assignment]  # as in `fight_in`
        try:
            return fight["combatants"][combatant]
        except KeyError:
            raise Refused(
                f"{combatant!r} is not in this fight.", "`strike combat show` lists everybody in it."
            ) from None

    def sheet(self, person: str) -> FighterWritten:
        """Return a combatant's sheet, with its own numbers if it has any.

        It is empty if the book has none.
        """
        one, book = self.combatant(person), self.world.book
        none: FighterWritten = {}
        found: FighterWritten = book.characters.get(one["ref"]) or book.creatures.get(one["ref"]) or none
        return with_numbers(found, one["numbers"]) if "numbers" in one else found

    def name(self, combatant: str) -> str:
        """Return a combatant's name."""
        return str(self.combatant(combatant)["name"])

    def name_or(self, combatant: str) -> str:
        """Return the name of a combatant, or the word itself if it is no combatant's id."""
        return self.name(combatant) if combatant in self.data["combatants"] else combatant

    def is_player(self, combatant: str) -> bool:
        """Return whether a combatant is a player's character. Only these have Strikes and Miss Tokens."""
        return self.combatant(combatant)["ref"] in self.world.book.characters

    def is_out(self, combatant: str) -> bool:
        """Return whether a combatant is Taken Out or has left the fight."""
        return "out" in self.combatant(combatant)

    def in_the_fight(self) -> Iterator[str]:
        """Yield the combatants that are still in the fight."""
        return (
            combatant_id
            for combatant_id, combatant in self.data["combatants"].items()
            if "out" not in combatant
        )

    def side(self, combatant: str) -> str:
        """Return the side of a combatant: `party` or `enemies`."""
        return str(self.combatant(combatant)["side"])

    def decider(self, combatant: str) -> str:
        """Return who makes a combatant's choices in its turn (STR-TAC-25).

        It is the combatant itself, or the creature that dominates it, or the game master if that creature is
        out of the fight or unknown.
        """
        decider = decider_for(self.world, combatant)
        if decider == combatant or "out" not in self.data["combatants"].get(decider, {"out": ""}):
            return decider
        return GAME_MASTER

    def acts_for(self, combatant: str) -> str:
        """Return the side for which a combatant acts (STR-TAC-25).

        It is its own side, unless another decides its choices in its present turn: then it is the side of
        that one. The game master counts as the enemies.
        """
        decider = self.decider(combatant) if self.data.get("active") == combatant else combatant
        return ENEMIES if decider == GAME_MASTER else self.side(decider)

    def targets_of(self, combatant: str) -> Iterator[str]:
        """Yield the combatants still in the fight that oppose the side for which a combatant acts."""
        ours = self.acts_for(combatant)
        everybody = self.data["combatants"].items()
        return (one for one, at in everybody if "out" not in at and at["side"] != ours and one != combatant)

    def enemies_of(self, combatant: str) -> Iterator[str]:
        """Yield the combatants of the other side that are still in the fight."""
        mine = self.side(combatant)
        everybody = self.data["combatants"].items()
        return (other for other, one in everybody if "out" not in one and one["side"] != mine)

    def allies_of(self, combatant: str) -> Iterator[str]:
        """Yield the other combatants of the same side that are still in the fight."""
        mine = self.side(combatant)
        return (other for other in self.in_the_fight() if other != combatant and self.side(other) == mine)

    def players(self) -> list[str]:
        """Return the players' characters in the fight, including those that are out of it."""
        return [combatant for combatant in self.data["combatants"] if self.is_player(combatant)]

    # Places

    @property
    def grid(self) -> Grid:
        """The map as a grid, with walls, doors, and the zones that are difficult terrain or block."""
        fight = self.data
        board, zones = fight["map"], fight.get("zones")
        asleep = self._asleep(zones) if zones else ()
        # States share unchanged tables, so that the same table means the same map.
        for known_board, known_zones, known_asleep, grid in tuple(_grids):
            if known_board is board and known_zones is zones and known_asleep == asleep:
                return grid
        rough, blocked = self._squares_that("difficult", asleep), self._squares_that("blocks", asleep)
        grid = grid_of(board, rough, blocked)
        _grids.appendleft((board, zones, asleep, grid))
        return grid

    def is_on_map(self, combatant: str) -> bool:
        """Return whether a combatant is on a square."""
        return "at" in self.combatant(combatant)

    def foes_on_map(self, combatant: str) -> list[str]:
        """Return the combatants of the other side that are on the map."""
        mine = self.side(combatant)
        everybody = self.data["combatants"].items()
        return [foe for foe, one in everybody if "at" in one and "out" not in one and one["side"] != mine]

    def foes_beside(self, combatant: str) -> list[str]:
        """Return the combatants of the other side that are adjacent to a combatant."""
        own, people = self.place(combatant), self.data["combatants"]
        return [foe for foe in self.foes_on_map(combatant) if gap(*place_of(people[foe]), *own) == 1]

    def allies_beside(self, combatant: str) -> list[str]:
        """Return the other combatants of the same side that are adjacent to a combatant."""
        return [
            ally
            for ally in self.allies_of(combatant)
            if self.is_on_map(ally) and self.gap(ally, combatant) == 1
        ]

    def at(self, combatant: str) -> Square:
        """Return a combatant's top left square. Raises NotOnMap if it is not on the map."""
        square = self.combatant(combatant).get("at")
        if square is None:
            from strike_cli.refusals import NotOnMap

            raise NotOnMap(self.name(combatant))
        return parse_square(square)

    def size(self, combatant: str) -> int:
        """Return how many squares a combatant is wide and high."""
        return squares_a_side(self.combatant(combatant)["size"])

    def place(self, combatant: str) -> tuple[Square, int]:
        """Return a combatant's top left square and its size in squares.

        Raises NotOnMap if it is not on the map.
        """
        one = self.combatant(combatant)
        return place_of(one) if "at" in one else (self.at(combatant), self.size(combatant))

    def gap(self, one: str, other: str) -> int:
        """Return the distance between two combatants in squares; adjacent ones are at 1 (STR-TAC-07)."""
        return gap(*self.place(one), *self.place(other))

    def is_within(self, one: str, other: str, squares: int) -> bool:
        """Return whether two combatants are at most `squares` squares apart; adjacent ones are at 1."""
        return self.gap(one, other) <= squares

    def sees(self, one: str, other: str) -> bool:
        """Return whether no wall blocks the line of sight between two combatants (STR-TAC-22)."""
        (here, size), (there, as_large) = self.place(one), self.place(other)
        return self.grid.line_of_sight(here, there, size, as_large)

    def measure_to_foes(self, combatant: str) -> Callable[[Square, int], int]:
        """Return a function for the distance from a square to the nearest enemy of `combatant` on the map.

        It takes the square and the size of the creature there. It returns 0 if no enemy is on the map.
        """
        foes = [self.place(foe) for foe in self.foes_on_map(combatant)]
        return lambda square, size: min((gap(square, size, *foe) for foe in foes), default=0)

    def nearest_enemy(self, combatant: str) -> int | None:
        """Return the distance to the nearest enemy on the map in squares, None if there is none.

        From 20 squares on, a combatant may leave the fight (STR-TAC-15).
        """
        return min((self.gap(combatant, foe) for foe in self.foes_on_map(combatant)), default=None)

    def occupied(self, skip: str = "") -> dict[Square, str]:
        """Return the occupied squares with the combatants on them, without the combatant `skip`."""
        known, asked = about(self.world), (Fight.occupied, skip)
        taken: dict[Square, str] | None = known.get(asked)
        if taken is None:
            taken = known[asked] = {
                square: combatant
                for combatant, one in self.data["combatants"].items()
                if "at" in one and "out" not in one and combatant != skip
                for square in footprint(parse_square(one["at"]), squares_a_side(one["size"]))
            }
        return taken

    def squares_of(self, combatant: str) -> tuple[Square, ...]:
        """Return all squares that a combatant occupies."""
        return footprint(self.at(combatant), self.size(combatant))

    # Zones

    @property
    def zones(self) -> dict[str, ZoneKept]:
        """The zones on the map, by id."""
        found: dict[str, ZoneKept] = self.data.get("zones", {})
        return found

    def _asleep(self, zones: Mapping[str, ZoneKept]) -> tuple[str, ...]:
        people = self.data["combatants"]
        return tuple([key for key, zone in zones.items() if "along" in zone and is_asleep(zone, people)])

    def _squares_that(self, what: str, asleep: tuple[str, ...]) -> frozenset[Square]:
        """Return the squares of all zones that have the property `what`, without the zones in `asleep`."""
        keys = [key for key, zone in self.zones.items() if zone.get(what) and key not in asleep]
        return frozenset[Square]().union(*map(self.zone_squares, keys))

    def zone_squares(self, key: str) -> frozenset[Square]:
        """Return the squares of a zone."""
        return _squares(tuple(self.zones[key]["squares"]))

    def is_awake(self, key: str) -> bool:
        """Return whether a zone is active.

        A zone that moves with a creature isn't while the creature is Hidden.
        """
        return not is_asleep(self.zones[key], self.data["combatants"])

    def goes_along(self, combatant: str) -> list[str]:
        """Return the ids of the zones that move with a combatant."""
        return [key for key, zone in self.data.get("zones", {}).items() if zone.get("along") == combatant]

    # Abilities

    def speed(self, combatant: str, most: int | None = None) -> tuple[int, ActiveEffect | None]:
        """Return the squares of a Move Action, or of a move of up to `most`, and the effect that limits them.

        The effect is None if nothing limits them.
        """
        own = self.sheet(combatant).get("speed", numbers()["defaults"]["speed"]) if most is None else most
        if most is None:
            own = adjusted_number(self, combatant, "speed", own)[0]
        return limit_on(self.world, combatant, "move", own)

    def reach(self, combatant: str) -> int:
        """Return the reach of a combatant's melee attacks and Opportunities, in squares."""
        melee: BasicAttack = self.sheet(combatant).get("melee", {})
        return adjusted_number(self, combatant, "reach", int(melee.get("reach", 1)))[0]

    def taken(self, action: str) -> int:
        """Return how many actions of a kind the active combatant has taken in its turn."""
        turn = self.data.get("turn")
        spent = turn.get(action, 0) if turn else 0
        return spent if isinstance(spent, int) else 0

    def actions_taken(self) -> int:
        """Return how many Attack, Move and Role Actions the active combatant has taken in its turn."""
        turn = self.data.get("turn")
        return sum([self.taken(action) for action in ACTIONS if action in turn]) if turn else 0

    def must_have_begun(self) -> None:
        """Raise Refused if initiative hasn't been rolled."""
        if not self.data["round"]:
            raise Refused("Initiative has not been rolled.", "`strike next` rolls it.")

    def must_be_in(self, combatant: str, hint: str = "") -> None:
        """Raise Refused if a combatant is out of the fight."""
        if self.is_out(combatant):
            raise Refused(f"{self.name(combatant)} is out of this fight.", hint)

    def must_be_active(self, combatant: str) -> None:
        """Raise Refused unless a combatant is in the fight and may act now.

        It may act in its own turn, or as an interrupt during another's.
        """
        active = self.data.get("active")
        if combatant not in (active, self.data.get("interrupt")):
            self.must_have_begun()
        self.must_be_in(combatant)
        if combatant in (active, self.data.get("interrupt")):
            return
        if active is None:
            raise Refused(
                f"It is nobody's turn; {self.name(self.next_up())} is next.", "`strike next` begins it."
            )
        raise Refused(
            f"It is {self.name(active)}'s turn, not {self.name(combatant)}'s.",
            "`strike next` ends it, and begins the next.",
        )

    def must_be_able(self, actor: str, action: str, trade: bool = False) -> str:
        """Return the kind of action that an act uses up: its own kind, `attack` in trade, or INTERRUPT.

        With `trade`, an Attack Action may be given up for a second Move Action (STR-TAC-04). Raises Refused
        if no such action is left, a status forbids it, or the combatant may not act now.
        """
        self.must_be_active(actor)
        interrupting = self.data.get("interrupt") == actor
        if carried_by(self.world, actor).bans:
            actions = 0 if interrupting else self.actions_taken()
            for kind, count in (("act", actions + 1), (action, 1)):
                reason = ban_on(self.world, actor, kind, count)
                if reason and kind != "move":
                    verb = "use a Role Action" if action == "role" else action
                    raise Refused(f"{self.name(actor)} can't {verb}: {reason.name}.")
        if interrupting:
            return INTERRUPT
        if self.world.get("fight.due.who") == actor and self.actions_taken():
            raise Refused(f"{self.name(actor)} has had the final action.")
        if not self.taken(action):
            return action
        if action == "move" and not self.taken("attack"):
            if trade:
                return "attack"
            raise ActionUsed(
                f"{self.name(actor)} has used the Move Action.",
                "--trade gives up the Attack Action for a second move (STR-TAC-04).",
            )
        raise ActionUsed(
            f"{self.name(actor)} has used the {action.capitalize()} Action.", "`strike next` ends the turn."
        )

    # Turns

    def turns_a_round(self, combatant: str) -> int:
        """Return how many turns a combatant has in a round: several for a champion (STR-TAC-27)."""
        return int(self.combatant(combatant).get("turns", 1))

    def turns_taken(self, combatant: str) -> int:
        """Return how many turns a combatant has taken in this round."""
        return turn_order.turns_taken(self.combatant(combatant), self.data["round"])

    def count_turn(self, combatant: str, by: int = 1) -> Sets:
        """Return the changes of the state that count one more turn in this round, or with -1 one less."""
        now, taken = self.data["round"], self.turns_taken(combatant) + by
        return {
            path_of(combatant, turn_order.ACTED): now if taken else now - 1,
            path_of(combatant, turn_order.TAKEN): taken if taken > 1 else None,
        }

    def waiting(self) -> list[str]:
        """Return the combatants that have turns left in this round, in order; twice for two turns."""
        return turn_order.waiting(self.data, self.data["combatants"])

    def next_up(self) -> str:
        """Return the combatant whose turn is next. Raises Refused if nobody is left."""
        found = turn_order.next_up(self.data, self.data["combatants"])
        if found is None:
            raise Refused("Nobody is left to take a turn.", "`strike combat finish` ends the fight.")
        return found

    def decided(self) -> str | None:
        """Return `won` or `lost` for the party once the fight is decided (STR-TAC-19), else None.

        It is decided when a side has nobody left, or by the encounter's objective.
        """
        if "objective" in self.data:
            from .encounter.objective import objective_outcome  # few have one

            if (came_to := objective_outcome(self.data)) is not None:
                return came_to
        sides = {one["side"] for one in self.data["combatants"].values() if "out" not in one}
        if PARTY not in sides:
            return "lost"
        return "won" if ENEMIES not in sides else None


def place_of(one: Combatant) -> tuple[Square, int]:
    """Return the top left square and the size of a combatant that is on the map."""
    return _place(one["at"], one["size"])


@lru_cache(maxsize=4096)
def _place(at: str, size: int | str) -> tuple[Square, int]:
    return parse_square(at), squares_a_side(size)


def short_names(ids: Iterable[str]) -> dict[str, str]:
    """Return the words by which ids may be named, with the ids.

    A word is the last part of its id, or the whole id if several ids have the same last part.
    """
    known = list(dict.fromkeys(ids))
    last = [*map(last_part, known)]
    return {word if last.count(word) == 1 else key: key for key, word in zip(known, last, strict=True)}


def last_part(key: str) -> str:
    """Return the last part of an id: `core:prone` -> `prone`."""
    return key.rpartition(":")[2]


def action_taken(fight: Fight, actor: str, action: str, doing: str = "") -> Happen:
    """Return the fact that an action of the turn is used up.

    `doing` is the act, if it isn't called like the action.
    """
    taken = {f"fight.turn.{action}": fight.taken(action) + 1}
    return fight.world.tell(ActionTaken(actor, doing or action), taken)


def path_of(combatant: str, key: str) -> str:
    """Return where the state has a combatant's value: a dotted path."""
    return f"fight.combatants.{combatant}.{key}"


def with_numbers(sheet: FighterWritten, own: OwnNumbers) -> FighterWritten:
    """Return a copy of a sheet with a combatant's own numbers: `speed`, and `damage` of basic attacks."""
    found = sheet.copy()
    if "speed" in own:
        found["speed"] = own["speed"]
    if "damage" in own:
        none: BasicAttack = {}
        melee, ranged = found.get("melee", none), found.get("ranged", none)
        found["melee"] = {**melee, "damage": own["damage"]}
        if ranged is not False:
            found["ranged"] = {**ranged, "damage": own["damage"]}
    return found


# Numbers, changed by statuses, conditions and traits (docs/power-reference.md)

_known: deque[tuple[object, object, object, frozenset[str]]] = deque(maxlen=4)


def changed_in(book: ContentOfFights) -> frozenset[str]:
    """Return the names of the numbers that anything in the book may change; others need no computation."""
    for statuses, conditions, creatures, found in tuple(_known):
        if statuses is book.statuses and conditions is book.conditions and creatures is book.creatures:
            return found
    tables = (book.statuses, book.conditions, book.creatures)
    found = frozenset(chain.from_iterable(words_in(table, "of") for table in tables))
    _known.appendleft((book.statuses, book.conditions, book.creatures, found))
    return found


def adjusted_number(
    fight: Fight, combatant: str, of: str, number: int, other: str = "", keywords: Collection[str] = ()
) -> tuple[int, list[Reason]]:
    """Return a number (vocabularies.NUMBERS) after all changes to it, at least 0, and the reasons for them.

    Additions and subtractions come first, then halving, then limits. `other` is the other creature involved,
    attacker or target; `keywords` are those of the power that does the damage.
    """
    if of not in changed_in(fight.world.book):
        return number, []  # as most often
    changes = [
        (held, item)
        for held, item in numbers_on(fight.world, combatant, of)
        if ("only" not in item or not set(keywords).isdisjoint(item["only"]))
        and ("when" not in item or condition_holds(fight, combatant, other, held, item["when"]))
    ]
    reasons = list[Reason]()
    for held, item in changes:
        if "gives" in item:
            number = max(number + item["gives"], 0)
            reasons.append(Adds(item["gives"], held.reason))
    for held, item in changes:
        if "half" in item:
            number = (number + (item["half"] == "up")) // 2
            reasons.append(Halves(held.reason))
    for held, item in changes:
        if "most" in item and number > item["most"]:
            number = item["most"]
            reasons.append(Limits(number, held.reason))
    return number, reasons


def condition_holds(fight: Fight, combatant: str, other: str, held: ActiveEffect, word: str) -> bool:
    """Return whether a condition of an effect (vocabularies.STANDINGS) holds.

    It is about `combatant`, which has the effect `held`, or about `other`, the other creature involved.
    """
    giver = str(held.instance.get("by", ""))
    match word:
        case "from-giver":
            return bool(giver) and other == giver
        case "without-giver":
            return bool(giver) and other != giver and not fight.is_out(giver)
        case "first-round":
            return bool(fight.data["round"] == 1)
    one = other if word.startswith("other-") else combatant
    return bool(one) and standing_holds(fight, one, word.removeprefix("other-"))


def standing_holds(fight: Fight, target: str, word: str) -> bool:
    """Return whether a combatant is in a standing: `bloodied`, `unhurt`, `alone` or `with-ally`."""
    combatant = fight.combatant(target)
    hp, most = int(combatant["hp"]), int(combatant["max_hp"])
    if word == "bloodied":
        return hp <= bloodied_at(most, fight.world.book.house["bloodied"])
    if word == "unhurt":
        return hp >= most
    near = fight.is_on_map(target) and bool(fight.allies_beside(target))
    return near == (word == "with-ally")


def is_asked(fight: Fight, combatant: str) -> bool:
    """Return whether a combatant is asked before it gives Opportunities: the rule `ask_before_provoking`."""
    asked = fight.world.book.house["ask_before_provoking"]
    return asked == "everybody" or (asked == "players" and fight.is_player(combatant))


def shape_of(power: Mapping[str, object]) -> Shape | Literal[""]:
    """Return the shape of a power's area, "" if it is aimed at single creatures."""
    return next((shape for shape in SHAPES if shape in power), "")
