"""Clocks: segments are filled one by one, and an event happens when all are full.

Clocks are written in campaign.toml or made at the table. They advance by hand, or with a session, a rest, a
scene, a day or a week.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.kernel.procedure import Args, Happen, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.characters_and_names import slug
from strike_cli.validation import can_be_id

from .facts import ClockMoved, ClockMovedInSecret, TableLaid
from .state import clock_changes_in, story_in

if TYPE_CHECKING:
    from .data import ClockData, ClockKept, ClocksMoved, ClockWritten

MOST_SEGMENTS = 100
CLOCK_EVENTS = ("session", "rest", "scene", "day", "week")
"""The events with which a clock may advance: a new session, a rest, the end of a scene, a day or week of the
calendar.
"""


class Clock(NamedTuple):
    """A clock in its present state. `then` is what happens when the clock is full."""

    id: str
    name: str
    segments: int
    filled: int
    public: bool
    advances: Sequence[str]
    then: str

    @property
    def is_full(self) -> bool:
        """Whether all segments are filled."""
        return self.filled >= self.segments

    def as_json(self) -> ClockData:
        told = {**self._asdict(), "advances": list(self.advances), "full": self.is_full}
        return cast("ClockData", told)


def clocks_of(world: World) -> Iterator[Clock]:
    """Yield the clocks of campaign.toml, then those made at the table. Removed clocks are left out."""
    kept = clock_changes_in(world.state)
    written: Mapping[str, ClockWritten] = world.book.clocks
    for id in [*written, *(id for id in kept if id not in written)]:
        # campaign.toml takes precedence over the state, except for the progress.
        at_table: Mapping[str, object] = kept.get(id, {})
        one = cast("ClockWritten", {**at_table, **written.get(id, {})})
        filled = cast("ClockKept", at_table or one)["filled"]
        # A clock that was removed from campaign.toml may have no name.
        if not at_table.get("gone") and "segments" in one:
            name, public, advances = one["name"], one.get("public", False), one.get("advances", ())
            yield Clock(id, name, one["segments"], filled, public, advances, one.get("then", ""))


def find_clock(world: World, id: str) -> Clock:
    """Return the clock with this id. Raises Refused if there is none."""
    known = {one.id: one for one in clocks_of(world)}
    if id not in known:
        raise Refused(
            f"There is no clock {id!r}.", f"Clocks: {listed(known)}. `strike clock add TEXT` makes one."
        )
    return known[id]


class AddClock(Args):
    """The arguments of `clock add`: the new clock's name, and its number of segments.

    `public` is whether players see the clock.
    """

    name: str
    segments: int = 6
    public: bool = False


class TickClock(Args):
    """The arguments of `clock tick`: a clock's id, and by how many segments it advances.

    A negative number sets the clock back.
    """

    clock: str
    by: int = 1


class RemoveClock(Args):
    """The arguments of `clock remove`: a clock's id."""

    clock: str


def play_add(world: World, args: AddClock) -> Procedure[ClockData]:
    """Play `clock add`: make an empty clock.

    Raises Refused if no id can be made from the name, if the id is in use, or if there are too many segments.
    """
    id = slug(args.name)
    known = {one.id: one for one in clocks_of(world)}
    if not can_be_id(id) or not 1 <= args.segments <= MOST_SEGMENTS:
        raise Refused(
            f"{args.name!r} with {args.segments} segments is not a clock.",
            f"Give a name and 1 to {MOST_SEGMENTS} segments.",
        )
    if id in known:
        raise Refused(
            f"There is a clock {known[id].name!r} already.", f"`strike clock tick {id}` advances it."
        )
    one = Clock(id, args.name, args.segments, 0, args.public, (), "")
    yield _clock_fact(world, one, "added", {f"clocks.{id}": _stored_clock(one)})
    return one.as_json()


def play_tick(world: World, args: TickClock) -> Procedure[ClockData]:
    """Play `clock tick`: move a clock forward or back by hand.

    Raises Refused for 0 segments, for moving a full clock forward, and for moving an empty clock back.
    """
    one = find_clock(world, args.clock)
    if not args.by or (one.is_full and args.by > 0) or (not one.filled and args.by < 0):
        by, does = (-1, "sets it back") if one.is_full else (1, "advances it")
        raise Refused(
            f"{one.name} is at {one.filled} of {one.segments}.",
            f"`strike clock tick {one.id} {by}` {does} by one segment.",
        )
    return (yield from _move_clock(world, one, args.by)).as_json()


def play_remove(world: World, args: RemoveClock) -> Procedure[ClockData]:
    """Play `clock remove`: remove a clock.

    A clock in campaign.toml stays in the file, but isn't shown any more.
    """
    one = find_clock(world, args.clock)
    written = one.id in world.book.clocks
    sets = {f"clocks.{one.id}": {"filled": one.filled, "gone": True} if written else None}
    yield _clock_fact(world, one, "removed", sets)
    return one.as_json()


def advance_clocks_by_event(world: World, event: str, segments: int = 1) -> Procedure[ClocksMoved]:
    """Advance each clock that advances with `event`, such as a rest, by `segments` segments.

    Full clocks don't move. While a prepared scene is under way, the event "scene" has no effect. So the end
    of a fight within that scene doesn't count.
    """
    moved: list[ClockData] = []
    within = event == "scene" and "now" in story_in(world.state)
    if world.book is None or within or not segments:  # bare dice have no campaign
        return {}
    for one in list(clocks_of(world)):
        if event in one.advances and not one.is_full:
            moved.append((yield from _move_clock(world, one, segments)).as_json())
    return {"clocks": moved} if moved else {}


def show_public_clocks_to_players(world: World) -> Procedure[ClocksMoved]:
    """Store the public clocks of campaign.toml in the state, so that players see them.

    A clock that campaign.toml no longer shows is stored as secret. Nothing is recorded if all of this
    is stored already.
    """
    sets: dict[str, object] = {}
    for one in clocks_of(world):
        stored: Mapping[str, object] = clock_changes_in(world.state).get(one.id, {})
        wanted = _stored_clock(one)
        if (one.public or stored.get("public")) and {**stored, **wanted} != stored:
            sets[f"clocks.{one.id}"] = wanted
    if sets:
        yield world.tell(TableLaid(), sets)
    return {}


def _stored_clock(clock: Clock) -> dict[str, object]:
    """Return a clock in the form of the state.

    It has all values that are shown, so readers of the state needn't have campaign.toml.
    """
    return {"name": clock.name, "segments": clock.segments, "filled": clock.filled, "public": clock.public}


def _move_clock(world: World, clock: Clock, by: int) -> Procedure[Clock]:
    now = clock._replace(filled=max(0, min(clock.segments, clock.filled + by)))
    yield _clock_fact(world, now, "moved", {f"clocks.{clock.id}": _stored_clock(now)})
    return now


def _clock_fact(world: World, clock: Clock, change: str, sets: Mapping[str, object]) -> Happen:
    """Return the fact that a clock was added, moved or removed.

    `change` is the word for this: "added", "moved" or "removed". If the clock isn't public, only the game
    master sees the fact.
    """
    filled, then = (clock.filled, clock.then if clock.is_full else "") if change == "moved" else (None, "")
    told = ClockMoved if clock.public else ClockMovedInSecret
    return world.tell(told(clock.id, clock.segments, clock.name, change, filled, then), sets)


def no_changed_dependencies(before: Mapping[str, object], after: Mapping[str, object]) -> Sequence[str]:
    """Return (). No move depends on a clock, a note or a random table."""
    return ()
