"""Reading the fight under way from the state: positions, turns, actions left, and numbers.

The numbers include changes by statuses, Conditions and traits. Begin with `Fight`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Literal

from strike_cli.deprecated_api_names import OldName
from strike_cli.kernel.procedure import Args, Happen, Sets, World
from strike_cli.kernel.state_changes import cached_values_of
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop import turn_order
from strike_cli.tabletop.active_effects import (
    ActiveEffect,
    action_limit,
    changes_to_number,
    combined_effects,
    decider_for,
    effect_banning,
)
from strike_cli.tabletop.characters_and_names import checked_creature_size
from strike_cli.tabletop.grid import Grid, Square, distance_between_spaces, footprint, grid_of, parse_square
from strike_cli.tabletop.zones import moves_with_hidden_person
from strike_cli.user_folders_and_cache import strings_under_indexed_key_in_items

from .facts.effects_and_causes import Adds, Halves, Limits
from .facts.turns_and_actions import ActionTaken
from .rule_numbers import combat_numbers, highest_bloodied_hp
from .steps import SHAPES

if TYPE_CHECKING:
    from strike_cli.kernel.state_changes import State
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


class ActorArgs(Args):
    """The arguments of a command about one combatant, `who`."""

    who: str


class SeveralActorsArgs(ActorArgs):
    """The arguments of a command about one or more combatants: `who`, and the others in `also`."""

    also: Sequence[str] = ()

    def people(self) -> Iterable[str]:
        return dict.fromkeys((self.who, *self.also))


def combine_results_as_first_and_others(results: Mapping[str, Mapping[str, object]]) -> object:
    """Return one result for several people: the first person's result, with the other results in `others`."""
    (first, data), *others = results.items()
    more = {"others": [{"who": combatant, **each} for combatant, each in others]} if others else {}
    return {"who": first, **data, **more}


_grids: deque[tuple[object, object, tuple[str, ...], Grid]] = deque(maxlen=4)


def must_be_known_status(world: World, key: str) -> None:
    """Raise Refused if the book has no status with the id `key`."""
    if key not in world.book.statuses:
        raise Refused(f"There is no status {key!r}.", "`strike content list statuses` has them.")


def parse_square_argument(text: str) -> Square:
    """Return the square that an argument names. Raises Refused if it names none."""
    try:
        return parse_square(text)
    except ValueError as error:
        raise Refused(f"{error}.") from None


class NoFightUnderWay(Refused):
    """The refusal of a command that needs a fight, when no fight is under way."""

    def __init__(self, hint: str = "`strike combat start ENCOUNTER` begins one.") -> None:
        super().__init__("There is no fight.", hint)


class ActionUsed(Refused):
    """The refusal of an action that the combatant has already taken in this turn."""


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
    """The fight of a world, read from the world's state.

    A `Fight` stores nothing itself, so it is up to date after every fact. Creating it raises NoFightUnderWay
    if there is no fight.
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
        """Return a combatant's sheet, with the combatant's own numbers in place of the sheet's.

        If the book has no sheet for the combatant, the result has only the own numbers, if there are any.
        """
        one, book = self.combatant(person), self.world.book
        none: FighterWritten = {}
        found: FighterWritten = book.characters.get(one["ref"]) or book.creatures.get(one["ref"]) or none
        return sheet_with_own_numbers(found, one["numbers"]) if "numbers" in one else found

    def name(self, combatant: str) -> str:
        """Return a combatant's name."""
        return str(self.combatant(combatant)["name"])

    def name_or_id(self, combatant: str) -> str:
        """Return a combatant's name, or the word itself if it isn't the id of a combatant."""
        return self.name(combatant) if combatant in self.data["combatants"] else combatant

    def is_player(self, combatant: str) -> bool:
        """Return whether a combatant is a player's character. Only these have Strikes and Miss Tokens."""
        return self.combatant(combatant)["ref"] in self.world.book.characters

    def is_out(self, combatant: str) -> bool:
        """Return whether a combatant is Taken Out or has left the fight."""
        return "out" in self.combatant(combatant)

    def still_in_fight(self) -> Iterator[str]:
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
        """Return the id of the creature that makes a combatant's choices in its turn (STR-TAC-25).

        That is the combatant itself, or the creature that dominates it. GAME_MASTER is returned if the
        dominating creature is out of the fight or unknown.
        """
        decider = decider_for(self.world, combatant)
        if decider == combatant or "out" not in self.data["combatants"].get(decider, {"out": ""}):
            return decider
        return GAME_MASTER

    def side_acted_for(self, combatant: str) -> str:
        """Return the side for which a combatant acts (STR-TAC-25).

        In the combatant's turn it is the side of the creature that makes its choices; the game master counts
        as `enemies`. Otherwise it is the combatant's own side.
        """
        decider = self.decider(combatant) if self.data.get("active") == combatant else combatant
        return ENEMIES if decider == GAME_MASTER else self.side(decider)

    def opponents_of(self, combatant: str) -> Iterator[str]:
        """Yield the combatants in the fight that aren't on the side for which `combatant` acts."""
        ours = self.side_acted_for(combatant)
        everybody = self.data["combatants"].items()
        return (one for one, at in everybody if "out" not in at and at["side"] != ours and one != combatant)

    def enemies_of(self, combatant: str) -> Iterator[str]:
        """Yield the combatants of other sides who are still in the fight."""
        mine = self.side(combatant)
        everybody = self.data["combatants"].items()
        return (other for other, one in everybody if "out" not in one and one["side"] != mine)

    def allies_of(self, combatant: str) -> Iterator[str]:
        """Yield the other combatants on the side of `combatant` that are still in the fight."""
        mine = self.side(combatant)
        return (other for other in self.still_in_fight() if other != combatant and self.side(other) == mine)

    def player_characters(self) -> list[str]:
        """Return all players' characters of the fight, even those that are Taken Out or have left."""
        return [combatant for combatant in self.data["combatants"] if self.is_player(combatant)]

    # Places

    @property
    def grid(self) -> Grid:
        """The map as a grid, with walls, doors, and zones that are difficult terrain or block."""
        fight = self.data
        board, zones = fight["map"], fight.get("zones")
        asleep = self._inactive_zones(zones) if zones else ()
        # States share unchanged tables, so that the same table means the same map.
        for known_board, known_zones, known_asleep, grid in tuple(_grids):
            if known_board is board and known_zones is zones and known_asleep == asleep:
                return grid
        rough, blocked = (
            self._squares_of_zones_with("difficult", asleep),
            self._squares_of_zones_with("blocks", asleep),
        )
        grid = grid_of(board, rough, blocked)
        _grids.appendleft((board, zones, asleep, grid))
        return grid

    def is_on_map(self, combatant: str) -> bool:
        """Return whether a combatant is on a square."""
        return "at" in self.combatant(combatant)

    def foes_on_map(self, combatant: str) -> list[str]:
        """Return the combatants opposed to `combatant` that are on the map and still in the fight."""
        mine = self.side(combatant)
        everybody = self.data["combatants"].items()
        return [foe for foe, one in everybody if "at" in one and "out" not in one and one["side"] != mine]

    def adjacent_foes(self, combatant: str) -> list[str]:
        """Return the combatants that are opposed to `combatant` and adjacent to it."""
        own, people = self.square_and_size(combatant), self.data["combatants"]
        return [
            foe
            for foe in self.foes_on_map(combatant)
            if distance_between_spaces(*square_and_size_on_map(people[foe]), *own) == 1
        ]

    def adjacent_allies(self, combatant: str) -> list[str]:
        """Return the other combatants on the side of `combatant` that are adjacent to it."""
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
        return checked_creature_size(self.combatant(combatant)["size"])

    def square_and_size(self, combatant: str) -> tuple[Square, int]:
        """Return a combatant's top left square and its size in squares.

        Raises NotOnMap if it is not on the map.
        """
        one = self.combatant(combatant)
        return square_and_size_on_map(one) if "at" in one else (self.at(combatant), self.size(combatant))

    def gap(self, combatant: str, other: str) -> int:
        """Return the distance between two combatants in squares, 1 if they are adjacent (STR-TAC-07)."""
        return distance_between_spaces(*self.square_and_size(combatant), *self.square_and_size(other))

    def is_within(self, one: str, other: str, squares: int) -> bool:
        """Return whether two combatants are at most `squares` squares apart; adjacent means 1."""
        return self.gap(one, other) <= squares

    def has_line_of_sight(self, one: str, other: str) -> bool:
        """Return whether there is a line of sight between two combatants (STR-TAC-22)."""
        (here, size), (there, as_large) = self.square_and_size(one), self.square_and_size(other)
        return self.grid.has_line_of_sight(here, there, size, as_large)

    def nearest_foe_distance_function(self, combatant: str) -> Callable[[Square, int], int]:
        """Return a function that computes the distance to the combatant's nearest enemy.

        The function takes a square and a creature's size in squares. It returns the distance from that
        creature, on that square, to the nearest enemy. It returns 0 if no enemy is on the map.
        """
        foes = [self.square_and_size(foe) for foe in self.foes_on_map(combatant)]
        return lambda square, size: min(
            (distance_between_spaces(square, size, *foe) for foe in foes), default=0
        )

    def distance_to_nearest_enemy(self, combatant: str) -> int | None:
        """Return the distance to the nearest enemy on the map in squares; None if no enemy is on the map.

        At a distance of 20 squares or more, a combatant may leave the fight (STR-TAC-15).
        """
        return min((self.gap(combatant, foe) for foe in self.foes_on_map(combatant)), default=None)

    def occupied_squares(self, skip: str = "") -> dict[Square, str]:
        """Return all occupied squares, each with its combatant. The combatant `skip` is left out."""
        known, asked = cached_values_of(self.world), (Fight.occupied_squares, skip)
        taken: dict[Square, str] | None = known.get(asked)
        if taken is None:
            taken = known[asked] = {
                square: combatant
                for combatant, one in self.data["combatants"].items()
                if "at" in one and "out" not in one and combatant != skip
                for square in footprint(parse_square(one["at"]), checked_creature_size(one["size"]))
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

    def _inactive_zones(self, zones: Mapping[str, ZoneKept]) -> tuple[str, ...]:
        people = self.data["combatants"]
        return tuple(
            [key for key, zone in zones.items() if "along" in zone and moves_with_hidden_person(zone, people)]
        )

    def _squares_of_zones_with(self, property_name: str, inactive: tuple[str, ...]) -> frozenset[Square]:
        """Return the squares of all zones that have the property `property_name`.

        The zones whose ids are in `inactive` are left out.
        """
        keys = [key for key, zone in self.zones.items() if zone.get(property_name) and key not in inactive]
        return frozenset[Square]().union(*map(self.zone_squares, keys))

    def zone_squares(self, key: str) -> frozenset[Square]:
        """Return the squares of a zone."""
        return _parse_squares(tuple(self.zones[key]["squares"]))

    def is_zone_active(self, key: str) -> bool:
        """Return whether a zone is active.

        A zone that moves with a creature is inactive while the creature is Hidden.
        """
        return not moves_with_hidden_person(self.zones[key], self.data["combatants"])

    def zones_moving_with(self, combatant: str) -> list[str]:
        """Return the ids of the zones that move when `combatant` moves."""
        return [key for key, zone in self.data.get("zones", {}).items() if zone.get("along") == combatant]

    # Abilities

    def speed(self, combatant: str, granted_squares: int | None = None) -> tuple[int, ActiveEffect | None]:
        """Return the number of squares that a combatant may move, and the effect that limits it.

        Without `granted_squares`, it is the number for a Move Action. With `granted_squares`, it is the
        number for a move of up to `granted_squares` squares that an effect grants. The effect is None if
        nothing limits the move.
        """
        own = (
            self.sheet(combatant).get("speed", combat_numbers()["defaults"]["speed"])
            if granted_squares is None
            else granted_squares
        )
        if granted_squares is None:
            own = adjusted_number_and_reasons(self, combatant, "speed", own)[0]
        return action_limit(self.world, combatant, "move", own)

    def reach(self, combatant: str) -> int:
        """Return the reach of a combatant's melee attacks and Opportunities, in squares."""
        melee: BasicAttack = self.sheet(combatant).get("melee", {})
        return adjusted_number_and_reasons(self, combatant, "reach", int(melee.get("reach", 1)))[0]

    def times_taken(self, action: str) -> int:
        """Return how many actions of this kind the active combatant has taken in its turn."""
        turn = self.data.get("turn")
        spent = turn.get(action, 0) if turn else 0
        return spent if isinstance(spent, int) else 0

    def actions_taken(self) -> int:
        """Return how many Attack, Move and Role Actions the active combatant has taken in its turn."""
        turn = self.data.get("turn")
        return sum([self.times_taken(action) for action in ACTIONS if action in turn]) if turn else 0

    def must_have_initiative(self) -> None:
        """Raise Refused if initiative hasn't been rolled."""
        if not self.data["round"]:
            raise Refused("Initiative has not been rolled.", "`strike next` rolls it.")

    def must_be_in_fight(self, combatant: str, hint: str = "") -> None:
        """Raise Refused if a combatant is out of the fight."""
        if self.is_out(combatant):
            raise Refused(f"{self.name(combatant)} is out of this fight.", hint)

    def must_be_active(self, combatant: str) -> None:
        """Raise Refused if a combatant may not act now.

        It must be in the fight, and it must be its turn or the combatant must be interrupting another's turn.
        """
        active = self.data.get("active")
        if combatant not in (active, self.data.get("interrupt")):
            self.must_have_initiative()
        self.must_be_in_fight(combatant)
        if combatant in (active, self.data.get("interrupt")):
            return
        if active is None:
            raise Refused(
                f"It is nobody's turn; {self.name(self.next_combatant())} is next.",
                "`strike next` begins it.",
            )
        raise Refused(
            f"It is {self.name(active)}'s turn, not {self.name(combatant)}'s.",
            "`strike next` ends it, and begins the next.",
        )

    def action_to_spend(self, actor: str, action: str, trade: bool = False) -> str:
        """Return the action that a combatant spends to do `action`.

        Usually it is `action` itself. During an interruption it is INTERRUPT, which uses up no action. If
        `trade` is true, a second move spends "attack" (STR-TAC-04).

        A status that only forbids moving isn't considered here. It reduces `speed` instead.

        Raises Refused if no such action is left, if the combatant can't act now, or if a status forbids the
        action.
        """
        self.must_be_active(actor)
        interrupting = self.data.get("interrupt") == actor
        if combined_effects(self.world, actor).bans:
            actions = 0 if interrupting else self.actions_taken()
            for kind, count in (("act", actions + 1), (action, 1)):
                reason = effect_banning(self.world, actor, kind, count)
                if reason and kind != "move":
                    verb = "use a Role Action" if action == "role" else action
                    raise Refused(f"{self.name(actor)} can't {verb}: {reason.name}.")
        if interrupting:
            return INTERRUPT
        if self.world.get("fight.due.who") == actor and self.actions_taken():
            raise Refused(f"{self.name(actor)} has had the final action.")
        if not self.times_taken(action):
            return action
        if action == "move" and not self.times_taken("attack"):
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

    def turn_count_changes(self, combatant: str, by: int = 1) -> Sets:
        """Return the changes that add `by` to the turns that a combatant has taken in this round."""
        now, taken = self.data["round"], self.turns_taken(combatant) + by
        return {
            combatant_path(combatant, turn_order.ACTED): now if taken else now - 1,
            combatant_path(combatant, turn_order.TAKEN): taken if taken > 1 else None,
        }

    def combatants_with_turns_left(self) -> list[str]:
        """Return the combatants that have turns left in this round, in order.

        A combatant with two turns left is in the list twice.
        """
        return turn_order.turns_left_in_round(self.data, self.data["combatants"])

    def next_combatant(self) -> str:
        """Return the combatant whose turn is next. Raises Refused if nobody is left."""
        found = turn_order.first_with_turn_left(self.data, self.data["combatants"])
        if found is None:
            raise Refused("Nobody is left to take a turn.", "`strike combat finish` ends the fight.")
        return found

    def fight_outcome(self) -> str | None:
        """Return "won" or "lost" for the party once the fight is decided (STR-TAC-19), else None.

        A fight is decided when nobody of a side is left, or by the encounter's objective.
        """
        if "objective" in self.data:
            from .encounter.objective import objective_outcome  # few have one

            if (came_to := objective_outcome(self.data)) is not None:
                return came_to
        sides = {one["side"] for one in self.data["combatants"].values() if "out" not in one}
        if PARTY not in sides:
            return "lost"
        return "won" if ENEMIES not in sides else None

    # Old names

    name_or, in_the_fight = OldName("name_or_id"), OldName("still_in_fight")
    acts_for, targets_of = OldName("side_acted_for"), OldName("opponents_of")
    nearest_enemy, measure_to_foes = (
        OldName("distance_to_nearest_enemy"),
        OldName("nearest_foe_distance_function"),
    )
    occupied, is_awake = OldName("occupied_squares"), OldName("is_zone_active")
    goes_along, taken = OldName("zones_moving_with"), OldName("times_taken")
    must_have_begun, must_be_in = OldName("must_have_initiative"), OldName("must_be_in_fight")
    must_be_able, count_turn = OldName("action_to_spend"), OldName("turn_count_changes")
    waiting, decided = OldName("combatants_with_turns_left"), OldName("fight_outcome")
    sees, place = OldName("has_line_of_sight"), OldName("square_and_size")
    players, foes_beside = OldName("player_characters"), OldName("adjacent_foes")
    allies_beside, next_up = OldName("adjacent_allies"), OldName("next_combatant")
    action_used_up = OldName("action_to_spend")


@lru_cache(maxsize=64)
def _parse_squares(names: tuple[str, ...]) -> frozenset[Square]:
    return frozenset(map(parse_square, names))


def square_and_size_on_map(combatant: Combatant) -> tuple[Square, int]:
    """Return the top left square and the size of a combatant that is on the map."""
    return _parse_square_and_size(combatant["at"], combatant["size"])


@lru_cache(maxsize=4096)
def _parse_square_and_size(at: str, size: int | str) -> tuple[Square, int]:
    return parse_square(at), checked_creature_size(size)


def ids_by_last_part_or_whole_id(ids: Iterable[str]) -> dict[str, str]:
    """Return ids by their short names.

    The short name of an id is its last part. If several ids share their last part, each has its whole id as
    name.
    """
    known = list(dict.fromkeys(ids))
    last = [*map(last_part_of_id, known)]
    return {word if last.count(word) == 1 else key: key for key, word in zip(known, last, strict=True)}


def last_part_of_id(key: str) -> str:
    """Return the last part of an id: `core:prone` -> `prone`."""
    return key.rpartition(":")[2]


def action_taken_fact(fight: Fight, actor: str, action: str, doing: str = "") -> Happen:
    """Return the fact that an action of the present turn is spent.

    `doing` names the activity if it differs from `action`, such as "charge".
    """
    taken = {f"fight.turn.{action}": fight.times_taken(action) + 1}
    return fight.world.tell(ActionTaken(actor, doing or action), taken)


def combatant_path(combatant: str, key: str) -> str:
    """Return the dotted path of a combatant's value in the state."""
    return f"fight.combatants.{combatant}.{key}"


def sheet_with_own_numbers(sheet: FighterWritten, own_numbers: OwnNumbers) -> FighterWritten:
    """Return a copy of a sheet with a combatant's own numbers: `speed`, and the basic attacks' `damage`."""
    found = sheet.copy()
    if "speed" in own_numbers:
        found["speed"] = own_numbers["speed"]
    if "damage" in own_numbers:
        none: BasicAttack = {}
        melee, ranged = found.get("melee", none), found.get("ranged", none)
        found["melee"] = {**melee, "damage": own_numbers["damage"]}
        if ranged is not False:
            found["ranged"] = {**ranged, "damage": own_numbers["damage"]}
    return found


# Numbers, changed by statuses, conditions and traits (docs/power-reference.md)

_known: deque[tuple[object, object, object, frozenset[str]]] = deque(maxlen=4)


def names_of_changeable_numbers(book: ContentOfFights) -> frozenset[str]:
    """Return the names of the numbers that statuses, Conditions or creatures of the book can change.

    For any other number, `adjusted_number_and_reasons` would change nothing, so callers needn't call it.
    """
    for statuses, conditions, creatures, found in tuple(_known):
        if statuses is book.statuses and conditions is book.conditions and creatures is book.creatures:
            return found
    tables = (book.statuses, book.conditions, book.creatures)
    found = frozenset(
        chain.from_iterable(strings_under_indexed_key_in_items(table, "of") for table in tables)
    )
    _known.appendleft((book.statuses, book.conditions, book.creatures, found))
    return found


def adjusted_number_and_reasons(
    fight: Fight,
    combatant: str,
    number_name: str,
    number: int,
    attacker_or_target: str = "",
    keywords: Collection[str] = (),
) -> tuple[int, list[Reason]]:
    """Return a combatant's number after all effects that change it, and the reasons for the changes.

    `number_name` is a word of `NUMBERS`. Additions and subtractions come first, then halving, then limits; no
    effect takes the number below 0. `attacker_or_target` is the other creature involved, attacker or target;
    `keywords` are those of the power that deals the damage.
    """
    if number_name not in names_of_changeable_numbers(fight.world.book):
        return number, []  # as most often
    changes = [
        (held, item)
        for held, item in changes_to_number(fight.world, combatant, number_name)
        if ("only" not in item or not set(keywords).isdisjoint(item["only"]))
        and (
            "when" not in item
            or is_effect_condition_met(fight, combatant, attacker_or_target, held, item["when"])
        )
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


def is_effect_condition_met(
    fight: Fight, combatant: str, other: str, effect: ActiveEffect, condition: str
) -> bool:
    """Return whether the condition of an effect is met.

    `condition` is a word of `rules_vocabulary.STANDINGS`. `combatant` has the effect, and `other` is the
    other creature involved. "from-giver" means that `other` gave the effect. Conditions that begin with
    `other-` are about `other`; most of the rest are about `combatant`.
    """
    giver = str(effect.instance.get("by", ""))
    match condition:
        case "from-giver":
            return bool(giver) and other == giver
        case "without-giver":
            return bool(giver) and other != giver and not fight.is_out(giver)
        case "first-round":
            return bool(fight.data["round"] == 1)
    one = other if condition.startswith("other-") else combatant
    return bool(one) and meets_health_or_company_condition(fight, one, condition.removeprefix("other-"))


def meets_health_or_company_condition(fight: Fight, target: str, standing: str) -> bool:
    """Return whether a combatant is `bloodied`, `unhurt`, `alone` or `with-ally`, as `standing` says.

    `with-ally` means that an ally is adjacent, `alone` that none is.
    """
    combatant = fight.combatant(target)
    hp, most = int(combatant["hp"]), int(combatant["max_hp"])
    if standing == "bloodied":
        return hp <= highest_bloodied_hp(most, fight.world.book.house["bloodied"])
    if standing == "unhurt":
        return hp >= most
    near = fight.is_on_map(target) and bool(fight.adjacent_allies(target))
    return near == (standing == "with-ally")


def is_asked_before_provoking_by_house(fight: Fight, combatant: str) -> bool:
    """Return whether a combatant's player is asked before the combatant gives Opportunities.

    The house rule `ask_before_provoking` decides: everybody, only players' characters, or nobody.
    """
    asked = fight.world.book.house["ask_before_provoking"]
    return asked == "everybody" or (asked == "players" and fight.is_player(combatant))


def area_shape_of(power: Mapping[str, object]) -> Shape | Literal[""]:
    """Return the shape of a power's area, "" if it is aimed at single creatures."""
    return next((shape for shape in SHAPES if shape in power), "")
