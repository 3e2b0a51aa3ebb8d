"""Sight between combatants, and hiding (STR-TAC-22 to 24). Begin with `sight_of`.

Sight depends on walls, on zones and statuses that conceal, and on special senses. Where the rules leave a
question open, this module follows these rulings:
- A creature that is only partly in an obscured area can be seen in the part outside.
- An attacker becomes visible until the turn is over. But an area that hides the attacker still conceals them.
- A burst needs only a line that no wall blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from strike_cli.immutable_records import Value
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import combined_effects
from strike_cli.tabletop.characters_and_names import reason_words
from strike_cli.tabletop.dice import DISADVANTAGE, Source
from strike_cli.tabletop.grid import (
    Grid,
    Square,
    distance_between_spaces,
    footprint,
    format_square,
    squares_between_spaces,
)

from ..facts.movement_and_sight import (
    ActionOver,
    Bumped,
    Exposed,
    Glimpsed,
    Hiding,
    IsHidden,
    Spotted,
    TargetConcealed,
    TargetInCover,
    Veiled,
    Wall,
)
from ..fight_state import Fight, combatant_path
from .areas import with_combatant_and_zones_at

if TYPE_CHECKING:
    from ..data import HideData


CLEAR, CONCEALED, UNSEEN = "clear", "concealed", "unseen"
HIDDEN = "Hidden"


class SightOfPerson(Value):
    """The sight that one creature has of another.

    `how` is CLEAR, CONCEALED or UNSEEN, and `reason` is the cause. `hidden` is whether the seen creature is
    Hidden, so that its place is unknown (STR-TAC-23).
    """

    how: str
    reason: Reason = ""
    hidden: bool = False

    @property
    def unseen(self) -> bool:
        """Whether the creature can't be seen.

        Then no Opportunity can be taken against it, and no attack can be aimed at it except a burst.
        """
        return self.how == UNSEEN


def sight_of(fight: Fight, viewer: str, target: str, *, count_hiding: bool = True) -> SightOfPerson:
    """Return how well `viewer` sees `target` (STR-TAC-22).

    With `count_hiding` false it is computed as if the target were not Hidden: only walls, zones and statuses
    count.
    """
    ignored = _sources_seen_through(fight, viewer, target)
    if "walls" not in ignored and not fight.has_line_of_sight(viewer, target):
        return SightOfPerson(UNSEEN, Wall())
    revealed = _is_glimpsed_though_concealed(fight, target)
    if count_hiding and is_hidden_from(fight, target, viewer):
        return SightOfPerson(UNSEEN, IsHidden(), hidden=True)
    unseen = next(_statuses_that_hide(fight, target, ignored), None)
    if unseen is not None and not revealed:
        return SightOfPerson(UNSEEN, unseen)
    if not any("sight" in zone for zone in fight.zones.values()):
        return SightOfPerson(CLEAR)
    eyes, aim = _square_and_size_of(fight, viewer), _square_and_size_of(fight, target)
    reason = _find_veil_between(fight.grid, eyes, aim, _concealing_zones(fight, ignored, ("dark",)))
    if reason is not None:
        return SightOfPerson(CONCEALED if revealed else UNSEEN, reason)
    reason = _find_veil_between(
        fight.grid, eyes, aim, _concealing_zones(fight, ignored, ("dark", "obscured"))
    )
    return SightOfPerson(CLEAR) if reason is None else SightOfPerson(CONCEALED, reason)


def make_square_sight_test(fight: Fight, viewer: str) -> Callable[[Square], bool]:
    """Return a function that tests whether the creature `viewer` sees a square (STR-TAC-22).

    The function returns False for a square that walls or darkness hide from the creature.
    """
    grid, eyes = fight.grid, _square_and_size_of(fight, viewer)
    senses = bool(fight.sheet(viewer).get("senses"))
    of_all = _concealing_zones(fight, frozenset(), ("dark",))

    def sees(square: Square) -> bool:
        ignored = (
            _sources_ignored_at(fight, viewer, distance_between_spaces(eyes.at, eyes.size, square, 1))
            if senses
            else frozenset[str]()
        )
        if "walls" not in ignored and not grid.has_line_of_sight(eyes.at, square, eyes.size):
            return False
        dark = _concealing_zones(fight, ignored, ("dark",)) if ignored else of_all
        return _find_veil_between(grid, eyes, _Standpoint(square, 1), dark) is None

    return sees


def _is_glimpsed_though_concealed(fight: Fight, combatant: str) -> bool:
    """Return whether a creature has revealed itself in this turn, so that it can be seen."""
    return combatant in fight.world.get("fight.turn.revealed", ())


def is_hidden_from(fight: Fight, combatant: str, viewer: str) -> bool:
    """Return whether `combatant` is Hidden from `viewer` (STR-TAC-23).

    A creature is never Hidden from its own side, nor from a creature whose senses find the Hidden.
    """
    return (
        bool(fight.combatant(combatant).get("hidden"))
        and fight.side(combatant) != fight.side(viewer)
        and "hidden" not in _sources_seen_through(fight, viewer, combatant)
    )


def known_occupied_squares(fight: Fight, combatant: str, skip: str = "") -> dict[Square, str]:
    """Return the occupied squares that `combatant` knows of, each with the id of the creature there.

    Creatures that are Hidden from `combatant` are left out. The creature `skip` is left out, too; by default
    this is `combatant` itself.
    """
    taken = fight.occupied_squares(skip=skip or combatant)
    if not any(one.get("hidden") for one in fight.data["combatants"].values()):
        return taken
    return {square: other for square, other in taken.items() if not is_hidden_from(fight, other, combatant)}


def must_see(fight: Fight, actor: str, target: str) -> None:
    """Raise Refused if `actor` can't see `target` (STR-TAC-22, 23).

    It is for attacks that need sight. A burst needs none, so don't call it for a burst.
    """
    name = fight.name(target)
    seen = sight_of(fight, actor, target)
    if seen.hidden:
        from strike_cli.refusals import TargetHidden

        raise TargetHidden(name, "Hidden creatures can't be targeted (STR-TAC-23).")
    if seen.unseen:
        raise Refused(
            f"{fight.name(actor)} can't see {name} from there: {reason_words(fight.world, seen.reason)}.",
            "`strike combat map` shows walls and cover; a burst needs no line of sight.",
        )


def is_in_cover_of_obstacle_or_zone(fight: Fight, actor: str, target: str, melee: bool) -> bool:
    """Return whether an obstacle or a zone gives a target cover from an attacker (STR-TAC-24).

    An obstacle doesn't count for a ranged attack from a square next to the target. For a melee attack, no
    cover counts if the house rule `cover_applies_to_melee` is off.
    """
    if melee and not fight.world.book.house["cover_applies_to_melee"]:
        return False
    if _zone_gives_cover(fight, actor, target):
        return True
    (here, size), (there, as_large) = fight.square_and_size(actor), fight.square_and_size(target)
    if not fight.grid.has_cover(here, there, size, as_large):
        return False
    return melee or not _is_adjacent_without_wall(fight, actor, target)


def _zone_gives_cover(fight: Fight, actor: str, target: str) -> bool:
    """Return whether a zone gives the target cover.

    A zone in which the attacker is gives none. Any other zone gives cover if the target is wholly in it, or
    if it is between the attacker and the target.
    """
    covering = [key for key, zone in fight.zones.items() if zone.get("cover") and fight.is_zone_active(key)]
    if not covering:
        return False
    own, theirs = fight.squares_of(actor), fight.squares_of(target)
    line = squares_between_spaces(fight.at(actor), fight.at(target), fight.size(actor), fight.size(target))
    for squares in map(fight.zone_squares, covering):
        if squares.isdisjoint(own) and (squares.issuperset(theirs) or not squares.isdisjoint(line)):
            return True
    return False


def _is_adjacent_without_wall(fight: Fight, actor: str, target: str) -> bool:
    theirs = fight.squares_of(target)
    return any(step in theirs for square in fight.squares_of(actor) for step in fight.grid.neighbours(square))


def sight_disadvantages(fight: Fight, actor: str, target: str, melee: bool) -> list[Source]:
    """Return the reasons for Disadvantage on an attack: concealment and cover (STR-TAC-20, 22, 24)."""
    sources = []
    seen = sight_of(fight, actor, target)
    if seen.how != CLEAR:
        sources.append(Source(DISADVANTAGE, TargetConcealed(seen.reason)))
    if is_in_cover_of_obstacle_or_zone(fight, actor, target, melee):
        sources.append(Source(DISADVANTAGE, TargetInCover()))
    return sources


def is_unseen_without_wall_by_some_enemy(fight: Fight, combatant: str) -> bool:
    """Return whether some enemy on the map can't see a creature although no wall is in between."""
    return _may_be_unseen_despite_line_of_sight(fight, combatant) and any(
        fight.has_line_of_sight(foe, combatant) and sight_of(fight, foe, combatant).unseen
        for foe in fight.foes_on_map(combatant)
    )


def _may_be_unseen_despite_line_of_sight(fight: Fight, combatant: str) -> bool:
    """Return whether anything other than walls could keep enemies from seeing a creature.

    If it is False, the sight of each enemy needn't be examined.
    """
    if fight.combatant(combatant).get("hidden") or combined_effects(fight.world, combatant).bans.get("seen"):
        return True
    return any(zone.get("sight") == "dark" for zone in fight.zones.values())


def reveal_until_turn_end(world: World, combatant: str) -> Procedure[None]:
    """Make an attacker visible until the turn is over (STR-TAC-22).

    If every enemy with a line of sight to the attacker can see the attacker anyway, nothing changes.
    """
    fight = Fight(world)
    if not _is_glimpsed_though_concealed(fight, combatant) and is_unseen_without_wall_by_some_enemy(
        fight, combatant
    ):
        shown: list[str] = world.get("fight.turn.revealed", [])
        yield world.tell(Glimpsed(combatant), {"fight.turn.revealed": [*shown, combatant]})


# --- what hides


def _concealing_zones(
    fight: Fight, ignored: frozenset[str], kinds: tuple[str, ...]
) -> list[tuple[str, frozenset[Square]]]:
    """Return the active zones that conceal creatures from a viewer, each as its id and its squares.

    `kinds` are the values of a zone's `sight` that count as concealing. `ignored` has the kinds, ids and
    names of zones that don't hinder the viewer's senses. These zones are left out. Squares that a zone of
    light covers are left out, too.
    """
    lit = [
        key for key, zone in fight.zones.items() if zone.get("sight") == "light" and fight.is_zone_active(key)
    ]
    light = frozenset[Square]().union(*map(fight.zone_squares, lit))
    return [
        (key, fight.zone_squares(key) - light)
        for key, zone in fight.zones.items()
        if zone.get("sight") in kinds
        and ignored.isdisjoint((zone["sight"], key, zone["name"].lower()))
        and fight.is_zone_active(key)
    ]


class _Standpoint(Value):
    """The place of a creature: its top left square, and its side length in squares."""

    at: Square
    size: int


def _square_and_size_of(fight: Fight, combatant: str) -> _Standpoint:
    return _Standpoint(*fight.square_and_size(combatant))


def _find_veil_between(
    grid: Grid, eyes: _Standpoint, aim: _Standpoint, areas: list[tuple[str, frozenset[Square]]]
) -> Veiled | None:
    """Return the zones that conceal one place from another, or None if it isn't concealed.

    If the zones together cover the whole of `aim` or of `eyes`, the result names one zone there. If they only
    block the lines of sight between the places, the result names all of `areas`.

    Args:
        grid: The map.
        eyes: The place of the viewer.
        aim: The place that is looked at.
        areas: The zones that can conceal, each with its id and its squares.
    """
    if not areas:
        return None
    veil = frozenset[Square]().union(*(squares for _, squares in areas))
    for squares in (footprint(aim.at, aim.size), footprint(eyes.at, eyes.size)):
        if veil.issuperset(squares):
            return Veiled((next(key for key, area in areas if squares[0] in area),))
    if grid.has_line_of_sight_past(veil, eyes.at, aim.at, eyes.size, aim.size):
        return None
    return Veiled(tuple(key for key, _ in areas))


def _statuses_that_hide(fight: Fight, target: str, ignored: frozenset[str]) -> Iterator[Reason]:
    for held, ban in combined_effects(fight.world, target).bans.get("seen", ()):
        words = {held.name.lower(), held.id, held.id.rpartition(":")[2]}
        if ban["side"] == "against" and ignored.isdisjoint(words):
            yield held.reason


def _sources_seen_through(fight: Fight, viewer: str, target: str) -> frozenset[str]:
    """Return the sources of concealment that a viewer's senses see through.

    They are in lower case. If one of the two isn't on the map, the result is empty.
    """
    if not fight.sheet(viewer).get("senses"):
        return frozenset()
    if any(
        not fight.is_on_map(combatant) for combatant in (viewer, target)
    ):  # one is out of the fight by now
        return frozenset()
    return _sources_ignored_at(fight, viewer, fight.gap(viewer, target))


def _sources_ignored_at(fight: Fight, viewer: str, distance: int) -> frozenset[str]:
    """Return the sources of concealment that the viewer's senses ignore at a distance of `distance`."""
    senses = fight.sheet(viewer).get("senses", [])
    return frozenset(
        word.lower()
        for sense in senses
        if distance <= sense.get("range", distance)
        for word in sense["ignores"]
    )


def play_begin_to_hide(world: World, combatant: str) -> Procedure[HideData]:
    """Play `combat hide`: a creature begins to hide (STR-TAC-23).

    It is Hidden only after a full round out of every enemy's sight. Raises Refused if an enemy sees the
    creature, or if it has no free square beside it that is out of every enemy's sight.
    """
    fight, name = Fight(world), Fight(world).name(combatant)
    fight.must_be_active(combatant)
    seer = _enemy_who_would_see_if_not_hidden(fight, combatant)
    if seer:
        raise Refused(
            f"{fight.name(seer)} sees {name}.",
            "Hiding takes a full round out of every enemy's sight; --now decides that it has worked.",
        )
    if not _has_free_unseen_square_beside(fight, combatant):
        raise Refused(
            f"{name} has no room to move unseen: an enemy sees every free square nearby.",
            "--now decides that it has worked all the same.",
        )
    yield world.tell(Hiding(combatant), {combatant_path(combatant, "hiding"): fight.data["round"]})
    return {"who": combatant, "hidden": False}


def end_hiding(world: World, combatant_id: str) -> Procedure[None]:
    """End a creature's hiding after an act that reveals it; do nothing if it isn't hiding or Hidden."""
    fight = Fight(world)
    combatant = fight.combatant(combatant_id)
    if combatant.get("hidden") or "hiding" in combatant:
        from strike_cli.tabletop.scene_change_facts import Revealed

        sets = {combatant_path(combatant_id, "hidden"): None, combatant_path(combatant_id, "hiding"): None}
        yield world.tell(Revealed(combatant_id, hiding=not combatant.get("hidden")), sets)


def hidden_creature_in_way(fight: Fight, observer: str, mover: str, square: Square) -> str | None:
    """Return the id of a creature in the mover's way that is Hidden from `observer`, or None.

    `square` is the next square of the mover's top left corner.
    """
    taken = fight.occupied_squares(skip=mover)
    others = (taken.get(part) for part in footprint(square, fight.size(mover)))
    return next((one for one in others if one and is_hidden_from(fight, one, observer)), None)


def discover_hidden_creature(world: World, mover: str, hidden: str, square: Square) -> Procedure[None]:
    """Let `mover` discover a Hidden creature on the square that it is about to enter (STR-TAC-23).

    The first fact only says that somebody is there. The next fact names the Hidden creature, which then is no
    longer Hidden.
    """
    fight = Fight(world)
    theirs = fight.squares_of(hidden)
    where = next(part for part in footprint(square, fight.size(mover)) if part in theirs)
    yield world.tell(Bumped(mover, format_square(where)))
    yield from end_hiding(world, hidden)


def end_or_expose_hiding_of_seen(world: World) -> Procedure[None]:
    """End the hiding of each creature that an enemy sees now. This is played after every step.

    An enemy finds a Hidden creature only if it sees the creature clearly and without cover. If a creature is
    found while it acts, it stays Hidden until its action is over. Until then, it is only recorded as exposed
    (STR-TAC-23).
    """
    fight = Fight(world)
    acting = (fight.data.get("active"), fight.data.get("interrupt"))
    for combatant_id in list(fight.still_in_fight()):
        combatant = fight.combatant(combatant_id)
        if "hiding" not in combatant or "at" not in combatant:
            continue
        seer = (
            _enemy_who_would_find_in_the_open(fight, combatant_id)
            if combatant.get("hidden")
            else _enemy_who_would_see_if_not_hidden(fight, combatant_id)
        )
        if seer and combatant.get("hidden") and combatant_id in acting:
            exposed: list[str] = world.get("fight.turn.exposed", [])
            if not any(combatant_id == other for other, _ in map(_split_exposed, exposed)):
                yield world.tell(
                    Exposed(combatant_id), {"fight.turn.exposed": [*exposed, f"{combatant_id}>{seer}"]}
                )
        elif seer:
            yield from _spot_and_reveal(world, combatant_id, seer)


def reveal_all_exposed_during_action(world: World) -> Procedure[None]:
    """End Hidden for creatures that came into the open during the action that is now over (STR-TAC-23)."""
    exposed: list[str] = world.get("fight.turn.exposed", [])
    if not exposed:
        return
    yield world.tell(ActionOver(), {"fight.turn.exposed": None})
    for combatant, seer in map(_split_exposed, exposed):
        if Fight(world).combatant(combatant).get("hidden"):
            yield from _spot_and_reveal(world, combatant, seer)


def _split_exposed(exposed: str) -> tuple[str, str]:
    combatant, _, seer = exposed.partition(">")
    return combatant, seer


def _spot_and_reveal(world: World, combatant: str, seer: str) -> Procedure[None]:
    yield world.tell(Spotted(combatant, seer))
    yield from end_hiding(world, combatant)


def become_hidden_after_full_round(world: World, combatant_id: str) -> Procedure[None]:
    """Make a creature Hidden at the start of its turn, if it began to hide in an earlier round."""
    fight = Fight(world)
    combatant = fight.combatant(combatant_id)
    since = combatant.get("hiding")
    if since is not None and not combatant.get("hidden") and since < fight.data["round"]:
        from strike_cli.tabletop.scene_change_facts import Hidden

        yield world.tell(Hidden(combatant_id), {combatant_path(combatant_id, "hidden"): True})


def _enemy_who_would_see_if_not_hidden(fight: Fight, combatant: str) -> str | None:
    seeing = (
        foe
        for foe in fight.foes_on_map(combatant)
        if not sight_of(fight, foe, combatant, count_hiding=False).unseen
    )
    return next(seeing, None)


def _enemy_who_would_find_in_the_open(fight: Fight, combatant: str) -> str | None:
    """Return an enemy that sees a creature clearly and without cover, or None."""
    for foe in fight.foes_on_map(combatant):
        in_the_open = sight_of(fight, foe, combatant, count_hiding=False).how == CLEAR
        if in_the_open and not is_in_cover_of_obstacle_or_zone(fight, foe, combatant, melee=False):
            return foe
    return None


def _has_free_unseen_square_beside(fight: Fight, combatant: str) -> bool:
    """Return whether a creature could move to an adjacent free square where no enemy would see it."""
    taken, size = known_occupied_squares(fight, combatant), fight.size(combatant)
    return any(
        not any(part in taken for part in footprint(square, size))
        and _enemy_who_would_see_if_not_hidden(
            with_combatant_and_zones_at(fight, combatant, square), combatant
        )
        is None
        for square in fight.grid.neighbours(fight.at(combatant), size)
    )
