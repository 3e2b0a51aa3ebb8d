"""`strike bridge pull`: edits made at a virtual tabletop, played by the rules or as overrides, and answers.

strike_bridge.pull finds the edits. Players' answers pass the same checks as those of phones, and become the
same command in the same journal (strike_cli.phones.players_api). Begin with `pull`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import typer

from strike_cli.problems import BridgeProblem, Problem, Refused, Usage, listed
from strike_cli.terminal.argument_names import WHO
from strike_cli.terminal.declare import play_move
from strike_cli.terminal.options import Options, command
from strike_cli.terminal.result import Line, Result, as_text
from strike_cli.terminal.result import print_text as write

from .bridge import Which, app, ask_for_agreement, chosen_targets, tell_long_waits

if TYPE_CHECKING:
    from strike_bridge.pull import Changed, Pull
    from strike_bridge.settings import Settings
    from strike_bridge.targets.base import Answered, Target
    from strike_cli.campaign import Campaign
    from strike_cli.phones.players_api import PhoneDoor
    from strike_cli.play.execute import Performed
    from strike_cli.tabletop.vtt_changes import TakenChange

TAKEN, SET, BACK, WAITS, OPEN, AGAIN, UNLINKED = (
    "taken", "set", "put back", "waits", "asks", "made again", "to be linked",
)  # fmt: skip
PROPOSED, DICE, NOT = "proposed", "wants dice", "not taken"
BUSY = 503
"""The status of an edit that could be pulled a moment later."""
_LATER = "It can't be sent just now; strike tries again."
_NOT_THEIRS = "That is not yours to answer."
_GONE = "That was decided already, or taken back."
SOONEST = 1.0
"""The fewest seconds between two looks at a target."""


class Came(NamedTuple):
    """The outcome of an edit pulled from a target.

    `state` is one of the words below; `why` says why the edit was not taken, or what to do. `command` is the
    command that plays the edit, played only where `performed` is given.
    """

    changed: Changed
    state: str
    why: str = ""
    command: str = ""
    performed: Performed | None = None

    def as_json(self) -> dict[str, object]:
        changed = self.changed
        return {
            "target": changed.target,
            "id": changed.id,
            "field": changed.field,
            "ours": changed.ours,
            "theirs": changed.theirs,
            "state": self.state,
            "why": self.why or None,
            "command": self.command or None,
            "seq": self.performed.seq if self.performed else None,
        }


class Pressed(NamedTuple):
    """The outcome of an answer that a user pressed at a target.

    `state` is one of the words above, `why` the reason of a refusal. `who` is the character whose decision it
    answers, empty where that is no longer open.
    """

    target: str
    user: str
    who: str
    asks: str
    option: str
    state: str
    why: str = ""

    def as_json(self) -> dict[str, object]:
        return {**self._asdict(), "who": self.who or None, "why": self.why or None}


@command(app, "pull", kind="writes")
def pull(
    options: Options,
    target: Which = "",
    watch: Annotated[bool, typer.Option("--watch", help="Keep looking, until Ctrl-C.")] = False,
    every: Annotated[
        float,
        typer.Option("--every", metavar="SECONDS", help="Time between two looks of --watch.", min=SOONEST),
    ] = 5.0,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Take every change, without questions.")] = False,
    back: Annotated[
        bool, typer.Option("--back", help="Take no change, and restore all of them there.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar=WHO, help="Only changes to this person.")
    ] = None,
) -> Result:
    """Take over changes made at a tabletop: moved tokens, HP, doors, players' answers.

    A legal change is played as if you typed it here, with its questions. Any other change is your override,
    with the reason "moved in TARGET". A target's `pull` in campaign.toml says which changes need no question:
    "moves" the legal ones, "all" every one, "ask" none.

    Example: `strike bridge pull foundry`
    """
    folder, chosen = _targets_to_pull(options, target)
    if yes and back:
        raise Usage("--yes takes every change, --back restores them.", "Choose one of the two.")
    ask_for_agreement(options, folder, chosen)
    if watch:
        return _watch(options, folder, chosen, every)
    came: list[Came] = []
    pressed: list[Pressed] = []
    for settings in chosen:
        taking = _Taking(options, folder, settings, yes=yes, back=back, only=only or ())
        with tell_long_waits():
            came += taking.once()
        pressed += taking.pressed
    pending = next((one.performed.pending for one in came if one.performed), None)
    data = {"changes": [one.as_json() for one in came], "answers": [one.as_json() for one in pressed]}
    return Result("bridge pull", data, [*lines_of(pressed), *_lines(came, pressed)], pending=pending)


def _targets_to_pull(options: Options, target: str) -> tuple[Path, list[Settings]]:
    """Return the targets to pull from. Raises Usage where there is none."""
    from strike_bridge.pull import is_pulled

    folder, chosen = chosen_targets(options, target)
    found = [settings for settings in chosen if is_pulled(settings)]
    if not found:
        names = listed([settings.name for settings in chosen])
        raise Usage(
            f"Nothing is taken over from {names}.",
            'In campaign.toml, set pull = "ask", "moves" or "all" for a target that can be asked.',
        )
    return folder, found


class _Taking:
    """A pull from one target: its edits and their results."""

    def __init__(
        self,
        options: Options,
        folder: Path,
        settings: Settings,
        *,
        yes: bool = False,
        back: bool = False,
        only: Iterable[str] = (),
    ) -> None:
        self.options = options
        self.folder = folder
        self.settings = settings
        self.all = yes or settings.pull == "all"
        self.legal = self.all or settings.pull == "moves"
        self.yes = yes
        self.back = back
        self.only = tuple(only)
        self.pressed: list[Pressed] = []
        """The outcomes of players' answers at the last look."""
        self._target: Target | None = None

    def once(self) -> list[Came]:
        """Look at the target once and pull its edits. Raises BridgeProblem where it can't be reached."""
        from strike_bridge.operations import push
        from strike_bridge.pending_edits import store_pending_edits
        from strike_bridge.pull import open_pull

        with open_pull(self.folder, self.settings, self._target) as looking:
            self._target = looking.target
            self.pressed = [] if self.options.dry_run else [*take_answers(looking, self.folder, self.only)]
            # The acting creature's edits come first: the others may have to wait.
            from strike_cli.registry.scenes import scenes_of

            with self.options.campaign() as campaign:
                active = {scene.order.active for scene in scenes_of(campaign.state) if scene.order}
            chosen = [one for one in looking.look() if not self.only or {one.id, one.name} & set(self.only)]
            found = sorted(chosen, key=lambda one: one.id not in active)
            came = [self._take_edit(looking, changed) for changed in found]
            if not self.options.dry_run:
                waiting = {one.changed.id: f"{one.changed.words}" for one in came if one.state == WAITS}
                store_pending_edits(self.folder, self.settings.name, waiting)
        settled = any(one.state != WAITS for one in came) or any(one.state == TAKEN for one in self.pressed)
        if not self.options.dry_run and settled:
            push(self.folder, self.settings)  # sends the results of the edits, and the values put back
        return came

    def _take_edit(self, looking: Pull, changed: Changed) -> Came:
        from strike_bridge.pull import GONE

        if changed.field == GONE:
            if not (changed.made and looking.target.may_create):
                return Came(changed, UNLINKED, "link another, or make it there")
            if not self.options.dry_run:
                looking.put_back(changed)
            return Came(changed, AGAIN)
        with self.options.campaign(writing=True) as campaign:
            way = _plan_pull(campaign, changed)
            wanted = False if self.back else self._is_wanted(changed, way)
            if wanted is None:
                return Came(changed, WAITS, way.why, way.words(self.all))
            if self.options.dry_run:
                return Came(changed, BACK if not wanted else TAKEN, way.why, way.words(True))
            if not wanted:
                looking.put_back(changed)
                return Came(changed, BACK)
            return self._play_edit(looking, campaign, changed, way)

    def _is_wanted(self, changed: Changed, way: _PullPlan) -> bool | None:
        """Return whether a change is wanted, by the settings or the user's answer; None to leave it."""
        if way.blocked or not (way.plays or way.taken.sets):
            return None
        if self.all or (self.legal and way.legal):
            return True
        if self.options.interactive and not self.options.dry_run:
            return _ask_to_take(changed, way)
        return None

    def _play_edit(self, looking: Pull, campaign: Campaign, changed: Changed, way: _PullPlan) -> Came:
        self.options.note = self.options.note or f"{way.doing} in {self.settings.name}"
        looking.take(changed)
        try:
            performed = self._play(campaign, way)
        except Problem as problem:
            looking.refused(changed)
            return Came(changed, WAITS, problem.message, way.words(True))
        state = OPEN if performed.pending else TAKEN if way.plays else SET
        return Came(changed, state, "", way.words(True), performed)

    def _play(self, campaign: Campaign, way: _PullPlan) -> Performed:
        """Play a change as a move where it is one, else as an override."""
        if way.plays:
            return play_move(self.options, campaign, way.taken.command, way.taken.args)
        [(path, value)] = way.taken.sets.items()
        why = f"{way.doing} in {self.settings.name}"
        return play_move(self.options, campaign, "override", {"path": path, "value": value, "why": why})


class _PullPlan(NamedTuple):
    """The plan to take a change.

    `taken` is the change as its system takes it. `legal`: the rules allow it; `plays`: a command plays it;
    `why` is the reason where it can't be. `blocked`: nobody can play anything now.
    """

    taken: TakenChange
    legal: bool
    plays: bool
    why: str = ""
    doing: str = "moved"
    blocked: bool = False

    def words(self, hand: bool) -> str:
        """Return the command that makes the change; with `hand` also the override; "" where there is none."""
        if self.plays and (self.legal or hand):
            return f"strike {' '.join(self.taken.typed)}"
        if hand:
            return " ".join(f"strike override {path} {value}" for path, value in self.taken.sets.items())
        return ""


def _plan_pull(campaign: Campaign, changed: Changed) -> _PullPlan:
    """Return the plan to take a change in the present state."""
    from strike_cli.kernel.procedure import World
    from strike_cli.play.legal_options import refusal_of_change, taken_as
    from strike_cli.tabletop.vtt_changes import TakenChange

    doing = {"position": "moved", "doors": "moved"}.get(changed.field, "changed")
    if changed.change is None:
        return _PullPlan(TakenChange(), False, False, "it belongs to no scene", doing)
    if campaign.state.get("pending"):
        said = "a decision is open: `strike choose OPTION` answers it"
        return _PullPlan(TakenChange(), False, False, said, doing, blocked=True)
    world = World(campaign.book, campaign.state)
    try:
        taken = taken_as(world, changed.change)
        no = refusal_of_change(world, taken)
    except Refused as refused:
        return _PullPlan(TakenChange(), False, False, refused.message, doing)
    return _PullPlan(taken, no is None and taken.by_rules, no is None, no.message if no else "", doing)


def _ask_to_take(changed: Changed, way: _PullPlan) -> bool | None:
    """Return whether the user wants a change, wants it undone, or (None) leaves it for later."""
    from strike_cli.terminal.encoding import decode_typed

    how = "legal" if way.legal else way.why.rstrip(".") or "the game master's hand"
    write(as_text([[(changed.target, "name"), f": {changed.words} ({how})."]]))
    while True:
        try:
            word = decode_typed(input("take, back or later? ")).strip().lower()
        except EOFError:
            return None
        if not word or "later".startswith(word):
            return None
        if word == "y" or "take".startswith(word):
            return True
        if word == "n" or "back".startswith(word):
            return False


def _lines(outcomes: Sequence[Came], pressed: Sequence[Pressed] = ()) -> Iterator[Line]:
    from strike_cli.terminal.result import performed_lines, question_lines

    if not outcomes and not pressed:
        yield ("Nothing was changed there.", "good")
    for one in outcomes:
        style = {WAITS: "warn", OPEN: "warn", UNLINKED: "warn"}.get(one.state, "good")
        why = f": {one.why.rstrip('.')}." if one.why else "."
        yield [(one.changed.target, "name"), f": {one.changed.words}: ", (f"{one.state}{why}", style)]
        if one.performed is not None:
            yield from performed_lines(one.performed)
            if one.performed.pending:
                yield from question_lines(one.performed.pending)
    if any(one.state == WAITS for one in outcomes):
        back = "`strike bridge pull --back` restores it there."
        yield (f"`strike bridge pull --yes` takes the open changes, {back}", "dim")


# Watching


def _watch(options: Options, folder: Path, chosen: Sequence[Settings], every: float) -> Result:
    names = listed([settings.name for settings in chosen])
    write(as_text([[f"Looking for changes at {names}. ", ("Ctrl-C ends it.", "dim")]]))
    takings = [_Taking(options, folder, settings) for settings in chosen]
    told: dict[str, list[str]] = {}
    try:
        while True:
            for taking in takings:
                name = taking.settings.name
                told[name] = _pull_again(options, taking, told.get(name, []))
            sys.stdout.flush()
            time.sleep(every)
    except KeyboardInterrupt:
        return Result("bridge pull", {"changes": []}, [("Open changes stay there.", "dim")])


def _pull_again(options: Options, taking: _Taking, messages: list[str]) -> list[str]:
    """Pull once more, and print the messages that are new; return all messages."""
    options.note = ""
    try:
        came = taking.once()
        said = [as_text([line]) for line in _lines(came)] if came else []
        for line in lines_of(taking.pressed):
            write(as_text([line]))
    except BridgeProblem as problem:
        said = [as_text([(problem.message, "bad")])]
    for text in said:
        if text not in messages:
            write(text)
    return said


def preview_pull(options: Options, folder: Path, settings: Settings) -> list[Came]:
    """Return each change at a target with the result of pulling it now. Changes nothing."""
    from strike_bridge.pull import open_pull

    trying = _Taking(options, folder, settings)
    with open_pull(folder, settings) as looking, options.campaign() as campaign:
        found = [changed for changed in looking.look() if changed.change is not None]
        came = []
        for changed in found:
            way = _plan_pull(campaign, changed)
            takes = trying.all or (trying.legal and way.legal)
            came.append(Came(changed, TAKEN if takes else WAITS, way.why, way.words(trying.all or not takes)))
        return came


def take_answers(looking: Pull, folder: Path, only: tuple[str, ...] = ()) -> Iterator[Pressed]:
    """Take the answers of players at a target, one after the other.

    Raises BridgeProblem where the target can't be reached.
    """
    answers = looking.answers()
    if not answers:
        return
    try:
        from strike_cli.phones.players_api import PhoneDoor
    except ModuleNotFoundError as error:
        raise BridgeProblem(
            f"Players' answers need {error.name}, which is not installed.", 'pip install "strike-cli[table]"'
        ) from None
    door = PhoneDoor(folder, looking.target.key)
    for answered in answers:
        person, asks = door.decision_by_id(answered.decision)
        if not only or person in only:
            yield _take_answer(looking, door, answered, person, asks)


def _take_answer(looking: Pull, door: PhoneDoor, answered: Answered, person: str, asks: str) -> Pressed:
    from strike_table.player_pages import NotTaken

    name = looking.settings.name

    def came(state: str, why: str = "") -> Pressed:
        return Pressed(name, answered.user[1] or answered.user[0], person, asks, answered.option, state, why)

    if person and looking.settings.words_of("players").get(person) not in answered.user:
        looking.settle_answer(answered, _NOT_THEIRS)
        return came(NOT, _NOT_THEIRS)
    if not person:
        looking.settle_answer(answered, _GONE)
        return came(NOT, _GONE)
    looking.begin_answer(answered)
    try:
        found = door.answer(person, answered.decision, answered.option, answered.faces, name)
    except NotTaken as problem:
        if problem.status == BUSY:
            looking.forget_answer(answered)
            return came(NOT, _LATER)
        looking.settle_answer(answered, str(problem))
        return came(NOT, str(problem))
    if found["dice"]:
        dice = cast("dict[str, int]", found["dice"])
        looking.settle_answer(answered, f"Roll {dice['n']}d{dice['sides']} for it.", dice)
        return came(DICE)
    looking.settle_answer(answered, "Taken." if found["taken"] else "It waits for your game master.")
    return came(TAKEN if found["taken"] else PROPOSED)


def lines_of(pressed: list[Pressed]) -> Iterator[Line]:
    """Yield the answers as lines for people."""
    for one in pressed:
        asked = f"{one.who} ({one.user})" if one.who else one.user
        style = "good" if one.state in (TAKEN, DICE) else "warn"
        why = f": {one.why}" if one.why else "."
        said = f": {asked} answers {f'{one.asks}: ' if one.asks else ''}{one.option}: "
        yield [(one.target, "name"), said, (one.state + why, style)]
