"""Edits made at a target: tokens moved, HP set, doors opened, tokens deleted.

Only a value that the target had acknowledged and now shows otherwise counts as an edit; what the campaign
changed meanwhile goes ahead of it. Nothing is played here: the caller plays an edit, and marks it as taken
first, so that it isn't sent back. Begin with `changes`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.facts import State
from strike_cli.problems import BridgeProblem
from strike_cli.tabletop.doors import moved_door
from strike_cli.tabletop.grid import CLOSED_DOOR, OPEN_DOOR, Grid, format_square, parse_square
from strike_cli.tabletop.vtt_changes import DOOR, METER, MOVED, TabletopChange

from .authenticated_wire import SessionWire
from .cursor import Cursor, open_cursor
from .drift import is_lasting_difference
from .journal_reader import JournalReader
from .operations import hold_target_lock
from .outcome import Outcome
from .projection import find_shown_scene
from .settings import OFF_LIMITS, Settings
from .targets import kind_of, make_target
from .targets.base import Answered, Looked, Target

if TYPE_CHECKING:
    from strike_table.schemas import SquarePayload

    from .payloads import ReadToken, ShownDoor, ShownScene, ShownToken


LOST_ANSWER = "It may not have counted: press again if you are still asked."
_ANSWERS_KEPT = 500
"""The maximum number of answers that are remembered, more than can be read at once."""
POSITION, HP, DOORS, GONE = "position", "hp", "doors", "token"


class Changed(NamedTuple):
    """A difference between a target and the campaign.

    `field` is POSITION, HP or DOORS, or GONE for a token that was deleted there; `ours` and `theirs` are both
    values, in the form of a token's payload. `change` is the difference as an action of the scene, None where
    there is no such action, as for a place off the map. `made`: whether the bridge made the token.
    """

    target: str
    id: str
    name: str
    field: str
    ours: SquarePayload | int | None
    theirs: SquarePayload | int | None
    change: TabletopChange | None = None
    made: bool = False

    @property
    def words(self) -> str:
        """The change in words: `Vex from C3 to D5`."""
        if self.field == POSITION:
            return f"{self.name} from {_square_words(self.ours)} to {_square_words(self.theirs)}"
        if self.field == HP:
            return f"HP of {self.name} from {self.ours} to {self.theirs}"
        if self.field == DOORS:
            return f"{self.name} {'opened' if self.theirs else 'closed'}"
        return f"the token of {self.name} deleted"


def _square_words(position: object) -> str:
    if not isinstance(position, Mapping):
        return "nowhere"
    at = (position["x"], position["y"])
    return format_square(at) if min(at) >= 0 else "off the map"


def is_pulled(settings: Settings) -> bool:
    """Return whether a target is asked for edits or answers made there.

    That needs a setting, and a kind that can answer.
    """
    return is_moved_in(settings) or kind_of(settings).lets_players_answer(settings)


def is_moved_in(settings: Settings) -> bool:
    """Return whether a target is asked for edits made there."""
    return settings.pull != OFF_LIMITS and kind_of(settings).supports.read_back


class Pull:
    """A reading of a target's edits and answers, with the target's lock held."""

    def __init__(self, folder: Path, settings: Settings, target: Target | None = None) -> None:
        self.folder = folder
        self.settings = settings
        self.cursor = open_cursor(folder, settings.name)
        self.target = target or make_target(folder, settings)
        self.cursor.lend_to(self.target)

    def look(self) -> list[Changed]:
        """Return the edits that were made at the target. Raises BridgeProblem where it can't be asked."""
        if not is_moved_in(self.settings):
            return []
        with contextlib.closing(SessionWire(self.folder, self.target)) as wire:
            looked = wire.inquire(self.target.read_values)
        if isinstance(looked, Outcome):
            raise self._unasked(looked)
        now = JournalReader(self.folder).read(self.cursor.position, self.cursor.acknowledged).now
        return list(find_edits(self.target, self.cursor, now, looked))

    def _unasked(self, outcome: Outcome) -> BridgeProblem:
        name = self.settings.name
        remedy = self.target.remedy(outcome) or f"`strike bridge doctor {name}` finds the fault."
        return BridgeProblem(f"{name}: {self.target.redact(outcome.why)}.", remedy)

    # Players' answers

    def answers(self) -> list[Answered]:
        """Return the answers that have not been handled yet, the oldest first.

        Raises BridgeProblem where the target can't be asked.
        """
        if not self.target.lets_players_answer(self.settings):
            return []
        with contextlib.closing(SessionWire(self.folder, self.target)) as wire:
            found = wire.inquire(self.target.read_answers)
        if isinstance(found, Outcome):
            raise self._unasked(found)
        for one in found:  # outcomes that could not be shown last time
            if one.id in self.cursor.unsaid:
                self._tell(one, self.cursor.answers[one.id], None)
        return [one for one in found if one.id not in self.cursor.answers]

    def begin_answer(self, answered: Answered) -> None:
        """Record an answer before it is played, so that it is never played twice, even after a crash.

        That holds even once it was undone.
        """
        self._keep(answered.id, LOST_ANSWER)
        for old in list(self.cursor.answers)[:-_ANSWERS_KEPT]:
            self._drop(old)
        self.cursor.save(self.folder, sync=True)

    def forget_answer(self, answered: Answered) -> None:
        """Forget an answer that could not be handled yet: it is read again."""
        self._drop(answered.id)
        self.cursor.save(self.folder)

    def settle_answer(self, answered: Answered, words: str, dice: Mapping[str, int] | None = None) -> None:
        """Store the outcome of an answer, and show it at the target where that can be done."""
        self._keep(answered.id, words)
        self._tell(answered, words, dice)

    def _keep(self, id: str, words: str) -> None:
        self.cursor.answers[id] = words
        if id not in self.cursor.unsaid:
            self.cursor.unsaid.append(id)

    def _drop(self, id: str) -> None:
        self.cursor.answers.pop(id, None)
        if id in self.cursor.unsaid:
            self.cursor.unsaid.remove(id)

    def _tell(self, answered: Answered, words: str, dice: Mapping[str, int] | None) -> None:
        with contextlib.closing(SessionWire(self.folder, self.target)) as wire:
            if wire.inquire(self.target.tell_answer, answered, words, dice) is True:
                self.cursor.unsaid.remove(answered.id)
        self.cursor.save(self.folder)

    # Edits

    def take(self, changed: Changed) -> None:
        """Record an edit that is about to be played: the target already shows it and is not sent it again."""
        self.cursor.again.pop(f"token:{changed.id}", None)
        if changed.field == DOORS:
            assert self.cursor.scene is not None  # the change of a door was read from it
            self.cursor.scene = _with_changed_door(self.cursor.scene, changed)
        else:
            known = self.cursor.pulled.get(changed.id, {})
            self.cursor.pulled[changed.id] = {**known, changed.field: changed.theirs}  # type: ignore[misc]  # place or HP
        self.cursor.save(self.folder, sync=True)

    def put_back(self, changed: Changed) -> None:
        """Restore the campaign's value at the target: it is sent anew, and a token of ours is made again."""
        if changed.field == GONE:
            self.cursor.forget_token(changed.id)
        else:
            self._mark_doubtful(changed)
        self.cursor.save(self.folder, sync=True)

    def refused(self, changed: Changed) -> None:
        """Record that an edit which was to be played was refused."""
        if changed.field == DOORS:
            self._mark_doubtful(changed)
        else:
            known = self.cursor.pulled.pop(changed.id, {})
            known.pop(changed.field, None)  # type: ignore[misc]  # place or HP
            if known:
                self.cursor.pulled[changed.id] = known
        self.cursor.save(self.folder, sync=True)

    def _mark_doubtful(self, changed: Changed) -> None:
        subject = "scene" if changed.field == DOORS else f"token:{changed.id}"
        if subject not in self.cursor.doubt:
            self.cursor.doubt.append(subject)


@contextlib.contextmanager
def open_pull(folder: Path, settings: Settings, target: Target | None = None) -> Iterator[Pull]:
    """Give a reading of a target, to which nobody sends anything meanwhile.

    A caller that reads repeatedly passes the `target` of the last reading, whose lasting differences are
    known. Raises BridgeProblem where another worker is busy with it for long.
    """
    with hold_target_lock(folder, settings.name):
        yield Pull(folder, settings, target)


def find_edits(target: Target, cursor: Cursor, now: State, looked: Looked) -> Iterator[Changed]:
    """Yield the differences from what the target acknowledged, without its lasting differences."""
    scene = find_shown_scene(target.view(now).scenes, boardless=target.supports.boardless)
    shown = target.project(now)
    ids = [each and each["id"] for each in (cursor.scene, shown.scene)]
    if scene is None or cursor.resync or ids[0] != ids[1]:
        return
    unsure = {*cursor.doubt, *cursor.refused}
    for id, told in cursor.tokens.items():
        ours = shown.tokens.get(id)
        if ours is None or f"token:{id}" in unsure or id in cursor.pulled:
            continue
        if id in looked.gone:
            made = id in cursor.made
            yield Changed(target.name, id, ours["name"], GONE, True, None, made=made)
        elif id in looked.tokens:
            yield from _token_changes(target, scene.key, told, ours, looked.tokens[id], cursor)
    if "scene" not in unsure and shown.scene is not None and cursor.scene is not None:
        yield from _door_changes(target, scene.key, cursor.scene, shown.scene, looked)


def _token_changes(
    target: Target, key: str, sent: ShownToken, ours: ShownToken, theirs: ReadToken, cursor: Cursor
) -> Iterator[Changed]:
    id, name, there = ours["id"], ours["name"], theirs.get("position")
    if there and sent["position"] and there != sent["position"] == ours["position"]:
        at = (there["x"], there["y"])
        change = TabletopChange(MOVED, key, id, format_square(at)) if min(at) >= 0 else None
        yield Changed(target.name, id, name, POSITION, ours["position"], there, change)
    was, should, value = target.sent_number(sent), target.sent_number(ours), _value(theirs)
    if value is None or was is None or was != should or value in (was, max(was, 0)):
        return
    if not is_lasting_difference(cursor, id, HP, theirs["hp"]):
        change = TabletopChange(METER, key, id, value, ours["meters"][0]["id"])
        yield Changed(target.name, id, name, HP, was, value, change)


def _value(theirs: ReadToken) -> int | None:
    value = (theirs.get("hp") or {}).get("value")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _door_changes(
    target: Target, key: str, sent: ShownScene, ours: ShownScene, looked: Looked
) -> Iterator[Changed]:
    """Yield changed doors: those in walls by number on the map, those that fill a square by its name."""
    pairs = zip(sent["doors"], ours["doors"], strict=False)
    for number, (was, now) in enumerate(pairs):
        there, sides = looked.doors.get(number), squares_beside(now)
        if there is None or there == was["open"] or was["open"] != now["open"]:
            continue
        name = f"the door {f'between {sides[0]} and {sides[1]}' if sides else number}"
        change = TabletopChange(DOOR, key, to=there, at=sides[0], beyond=sides[1]) if sides else None
        yield Changed(target.name, f"door:{number}", name, DOORS, was["open"], there, change)
    for square, there in looked.square_doors.items():
        was_open, is_open = (
            {OPEN_DOOR: True, CLOSED_DOOR: False}.get(Grid(board["rows"]).char(parse_square(square)))
            for board in (sent, ours)
        )
        if was_open == is_open == (not there):
            change = TabletopChange(DOOR, key, to=there, at=square)
            name = f"the door at {square}"
            yield Changed(target.name, f"door:{square}", name, DOORS, is_open, there, change)


def _with_changed_door(scene: ShownScene, changed: Changed) -> ShownScene:
    """Return a scene with a door changed to its state at the target."""
    which = changed.id.rpartition(":")[2]
    if not which.isdigit():
        moved = moved_door({"rows": scene["rows"]}, parse_square(which), None, bool(changed.theirs), {})
        return {**scene, **moved}  # type: ignore[typeddict-item]  # its rows
    doors: list[ShownDoor] = [{**door} for door in scene["doors"]]
    doors[int(which)]["open"] = bool(changed.theirs)
    return {**scene, "doors": doors}


def squares_beside(door: ShownDoor) -> tuple[str, str] | None:
    """Return the two squares on both sides of a door in a wall; None for one that isn't along the grid."""
    (x, y), (to_x, to_y) = ((door[end]["x"], door[end]["y"]) for end in ("at", "to"))
    left, top = int(min(x, to_x)), int(min(y, to_y))
    if x == to_x:
        squares = ((left - 1, top), (left, top))
    elif y == to_y:
        squares = ((left, top - 1), (left, top))
    else:
        return None
    if min(min(square) for square in squares) < 0:
        return None
    return format_square(squares[0]), format_square(squares[1])
