"""Reads edits made at a target (tokens moved, HP set, doors opened) and players' answers.

A value counts as edited only if the target had acknowledged it and now shows another. If the campaign has
changed the same value since, the campaign's value wins. Nothing is played here: the caller first marks an
edit as taken, so that it isn't sent back, and then plays it. Begin with `lock_and_open_pull`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.state_changes import State
from strike_cli.problems import BridgeProblem
from strike_cli.tabletop.doors import changes_moving_door
from strike_cli.tabletop.grid import CLOSED_DOOR, OPEN_DOOR, Grid, format_square, parse_square
from strike_cli.tabletop.vtt_edit_types import DOOR, METER, MOVED, TabletopChange

from .authenticated_wire import SessionWire
from .delivery_record import Cursor, load_or_make_cursor
from .journal_reader import JournalReader
from .push_follow_and_sync import take_over_target_lock
from .request_outcome import Outcome
from .settings import PULL_OFF, Settings
from .state_projection import find_newest_shown_scene
from .target_differences import was_different_after_last_sync
from .targets import make_target_checking_consent, target_class
from .targets.base import PlayerAnswer, TabletopValues, Target

if TYPE_CHECKING:
    from strike_table.schemas import SquarePayload

    from .payloads import ReadToken, ShownDoor, ShownScene, ShownToken


LOST_ANSWER = "It may not have counted: press again if you are still asked."
_ANSWERS_KEPT = 500
"""The maximum number of answers that are remembered, more than can be read at once."""
POSITION, HP, DOORS, GONE = "position", "hp", "doors", "token"


class TabletopEdit(NamedTuple):
    """An edit made at a target: a value there that differs from the campaign's.

    `field` is POSITION, HP or DOORS, or GONE for a deleted token. `ours` is the campaign's value, and
    `theirs` the target's. `change` is the edit as a change of the scene. It is None if the scene can't change
    in this way, for example if the square is off the map. `made` is true if the bridge created the token.
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
        """The edit in words, such as `Vex from C3 to D5`."""
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


def reads_edits_or_answers(settings: Settings) -> bool:
    """Return whether edits or players' answers are read from a target.

    The target's settings and its kind decide this. Raises PluginProblem or CampaignProblem as `target_class`
    does.
    """
    return reads_edits(settings) or target_class(settings).lets_players_answer(settings)


def reads_edits(settings: Settings) -> bool:
    """Return whether edits are read from a target: `pull` isn't off, and the kind can read edits.

    Raises PluginProblem or CampaignProblem as `target_class` does.
    """
    return settings.pull != PULL_OFF and target_class(settings).supports.read_back


class Pull:
    """Reads edits and answers from a target, and records the outcome of each.

    It may be used only while the target's lock is held.
    """

    def __init__(self, folder: Path, settings: Settings, target: Target | None = None) -> None:
        self.folder = folder
        self.settings = settings
        self.cursor = load_or_make_cursor(folder, settings.name)
        self.target = target or make_target_checking_consent(folder, settings)
        self.cursor.share_with(self.target)

    def read_edits(self) -> list[TabletopEdit]:
        """Ask the target for its present values, such as positions, and return the edits made there.

        If the settings say that no edits are read, the target isn't asked, and the list is empty. Raises
        BridgeProblem if the target can't be asked.
        """
        if not reads_edits(self.settings):
            return []
        with contextlib.closing(SessionWire(self.folder, self.target)) as wire:
            looked = wire.ask_catching_plugin_errors(self.target.read_values)
        if isinstance(looked, Outcome):
            raise self._problem_of_outcome(looked)
        now = JournalReader(self.folder).read_backlog(self.cursor.position, self.cursor.acknowledged).now
        return list(find_edits_and_deletions(self.target, self.cursor, now, looked))

    def _problem_of_outcome(self, outcome: Outcome) -> BridgeProblem:
        name = self.settings.name
        remedy = self.target.remedy(outcome) or f"`strike bridge doctor {name}` finds the fault."
        return BridgeProblem(f"{name}: {self.target.redact(outcome.why)}.", remedy)

    # Players' answers

    def read_new_answers_and_show_outcomes(self) -> list[PlayerAnswer]:
        """Ask the target for players' answers, and return the new ones, oldest first.

        The outcomes of earlier answers are also shown, if they could not be shown last time. Raises
        BridgeProblem if the target can't be asked.
        """
        if not self.target.lets_players_answer(self.settings):
            return []
        with contextlib.closing(SessionWire(self.folder, self.target)) as wire:
            found = wire.ask_catching_plugin_errors(self.target.read_answers)
        if isinstance(found, Outcome):
            raise self._problem_of_outcome(found)
        for one in found:  # outcomes that could not be shown last time
            if one.id in self.cursor.unsaid:
                self._show_outcome_and_save(one, self.cursor.answers[one.id], None)
        return [one for one in found if one.id not in self.cursor.answers]

    def record_answer_before_play(self, answer: PlayerAnswer) -> None:
        """Record an answer before it is played, so that it is never played twice.

        This holds even after a crash or an undo.
        """
        self._set_unshown_answer_unsaved(answer.id, LOST_ANSWER)
        for old in list(self.cursor.answers)[:-_ANSWERS_KEPT]:
            self._drop_answer_unsaved(old)
        self.cursor.save(self.folder, sync=True)

    def forget_unhandled_answer(self, answer: PlayerAnswer) -> None:
        """Forget an answer that could not be handled yet, so that it is read again."""
        self._drop_answer_unsaved(answer.id)
        self.cursor.save(self.folder)

    def store_and_show_answer_outcome(
        self, answer: PlayerAnswer, outcome: str, dice_needed: Mapping[str, int] | None = None
    ) -> None:
        """Store an answer's outcome, and show it at the target if that is possible."""
        self._set_unshown_answer_unsaved(answer.id, outcome)
        self._show_outcome_and_save(answer, outcome, dice_needed)

    def _set_unshown_answer_unsaved(self, id: str, words: str) -> None:
        self.cursor.answers[id] = words
        if id not in self.cursor.unsaid:
            self.cursor.unsaid.append(id)

    def _drop_answer_unsaved(self, id: str) -> None:
        self.cursor.answers.pop(id, None)
        if id in self.cursor.unsaid:
            self.cursor.unsaid.remove(id)

    def _show_outcome_and_save(
        self, answer: PlayerAnswer, words: str, dice: Mapping[str, int] | None
    ) -> None:
        with contextlib.closing(SessionWire(self.folder, self.target)) as wire:
            if wire.ask_catching_plugin_errors(self.target.show_answer_outcome, answer, words, dice) is True:
                self.cursor.unsaid.remove(answer.id)
        self.cursor.save(self.folder)

    # Edits

    def mark_taken(self, edit: TabletopEdit) -> None:
        """Record an edit from the target just before it is played in the campaign.

        The target shows the edit already. The record keeps the bridge from sending it back.
        """
        self.cursor.again.pop(f"token:{edit.id}", None)
        if edit.field == DOORS:
            assert self.cursor.scene is not None  # the change of a door was read from it
            self.cursor.scene = _with_changed_door(self.cursor.scene, edit)
        else:
            known = self.cursor.pulled.get(edit.id, {})
            self.cursor.pulled[edit.id] = {**known, edit.field: edit.theirs}  # type: ignore[misc]  # place or HP
        self.cursor.save(self.folder, sync=True)

    def mark_for_restoring(self, edit: TabletopEdit) -> None:
        """Have the next delivery send the campaign's value again.

        A deleted token is created again.
        """
        if edit.field == GONE:
            self.cursor.forget_lost_token(edit.id)
        else:
            self._mark_subject_for_resending(edit)
        self.cursor.save(self.folder, sync=True)

    def withdraw_taken_mark(self, edit: TabletopEdit) -> None:
        """Remove the record that `mark_taken` made, because the campaign refused the edit.

        For a door, the next delivery sends the campaign's value. Any other edit is read again by the next
        pull.
        """
        if edit.field == DOORS:
            self._mark_subject_for_resending(edit)
        else:
            known = self.cursor.pulled.pop(edit.id, {})
            known.pop(edit.field, None)  # type: ignore[misc]  # place or HP
            if known:
                self.cursor.pulled[edit.id] = known
        self.cursor.save(self.folder, sync=True)

    def _mark_subject_for_resending(self, edit: TabletopEdit) -> None:
        subject = "scene" if edit.field == DOORS else f"token:{edit.id}"
        if subject not in self.cursor.doubt:
            self.cursor.doubt.append(subject)


@contextlib.contextmanager
def lock_and_open_pull(folder: Path, settings: Settings, target: Target | None = None) -> Iterator[Pull]:
    """Yield a Pull for a target, and keep every worker from sending to it during the block.

    A caller that reads repeatedly passes the same `target` each time, to load it only once. Raises
    BridgeProblem if another worker keeps the lock.
    """
    with take_over_target_lock(folder, settings.name):
        yield Pull(folder, settings, target)


def find_edits_and_deletions(
    target: Target, cursor: Cursor, now: State, values: TabletopValues
) -> Iterator[TabletopEdit]:
    """Yield the edits that people made at a target.

    A value counts as an edit if it differs from the value that the target acknowledged last, and the campaign
    hasn't changed the value since then. Lasting differences, which remain after every sync, are no edits. If
    the target and the campaign show different scenes, nothing is yielded.

    Args:
        target: The target.
        cursor: The record of the values that the target acknowledged.
        now: The campaign's present state.
        values: The target's current values.
    """
    scene = find_newest_shown_scene(
        target.audience_view(now).scenes, every_boardless=target.supports.boardless
    )
    shown = target.project(now)
    ids = [each and each["id"] for each in (cursor.scene, shown.scene)]
    if scene is None or cursor.resync or ids[0] != ids[1]:
        return
    unsure = {*cursor.doubt, *cursor.refused}
    for id, told in cursor.tokens.items():
        ours = shown.tokens.get(id)
        if ours is None or f"token:{id}" in unsure or id in cursor.pulled:
            continue
        if id in values.gone:
            made = id in cursor.made
            yield TabletopEdit(target.name, id, ours["name"], GONE, True, None, made=made)
        elif id in values.tokens:
            yield from _position_and_hp_edits(target, scene.key, told, ours, values.tokens[id], cursor)
    if "scene" not in unsure and shown.scene is not None and cursor.scene is not None:
        yield from _door_changes(target, scene.key, cursor.scene, shown.scene, values)


def _position_and_hp_edits(
    target: Target, scene_key: str, sent: ShownToken, ours: ShownToken, theirs: ReadToken, cursor: Cursor
) -> Iterator[TabletopEdit]:
    id, name, there = ours["id"], ours["name"], theirs.get("position")
    if there and sent["position"] and there != sent["position"] == ours["position"]:
        at = (there["x"], there["y"])
        change = TabletopChange(MOVED, scene_key, id, format_square(at)) if min(at) >= 0 else None
        yield TabletopEdit(target.name, id, name, POSITION, ours["position"], there, change)
    was, should, value = target.sent_number(sent), target.sent_number(ours), _hp_value(theirs)
    if value is None or was is None or was != should or value in (was, max(was, 0)):
        return
    if not was_different_after_last_sync(cursor, id, HP, theirs["hp"]):
        change = TabletopChange(METER, scene_key, id, value, ours["meters"][0]["id"])
        yield TabletopEdit(target.name, id, name, HP, was, value, change)


def _hp_value(theirs: ReadToken) -> int | None:
    value = (theirs.get("hp") or {}).get("value")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _door_changes(
    target: Target, scene_key: str, sent: ShownScene, ours: ShownScene, values: TabletopValues
) -> Iterator[TabletopEdit]:
    """Yield the doors that were opened or closed at the target.

    The id of a door in a wall is its number on the map; the id of a door that fills a square is the square's
    name.
    """
    pairs = zip(sent["doors"], ours["doors"], strict=False)
    for number, (was, now) in enumerate(pairs):
        there, sides = values.doors.get(number), squares_beside(now)
        if there is None or there == was["open"] or was["open"] != now["open"]:
            continue
        name = f"the door {f'between {sides[0]} and {sides[1]}' if sides else number}"
        change = TabletopChange(DOOR, scene_key, to=there, at=sides[0], beyond=sides[1]) if sides else None
        yield TabletopEdit(target.name, f"door:{number}", name, DOORS, was["open"], there, change)
    for square, there in values.square_doors.items():
        was_open, is_open = (
            {OPEN_DOOR: True, CLOSED_DOOR: False}.get(Grid(board["rows"]).sign_at(parse_square(square)))
            for board in (sent, ours)
        )
        if was_open == is_open == (not there):
            change = TabletopChange(DOOR, scene_key, to=there, at=square)
            name = f"the door at {square}"
            yield TabletopEdit(target.name, f"door:{square}", name, DOORS, is_open, there, change)


def _with_changed_door(scene: ShownScene, edit: TabletopEdit) -> ShownScene:
    """Return a copy of `scene` in which a door is opened or closed, as `edit` says.

    The edit was made at the target.
    """
    which = edit.id.rpartition(":")[2]
    if not which.isdigit():
        moved = changes_moving_door({"rows": scene["rows"]}, parse_square(which), None, bool(edit.theirs), {})
        return {**scene, **moved}  # type: ignore[typeddict-item]  # its rows
    doors: list[ShownDoor] = [{**door} for door in scene["doors"]]
    doors[int(which)]["open"] = bool(edit.theirs)
    return {**scene, "doors": doors}


def squares_beside(door: ShownDoor) -> tuple[str, str] | None:
    """Return the squares on both sides of a door in a wall.

    Return None for a diagonal door, and for a door at the map's left or top edge.
    """
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
