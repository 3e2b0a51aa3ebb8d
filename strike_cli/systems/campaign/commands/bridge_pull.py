"""`strike bridge pull`: take over edits and players' answers made at a virtual tabletop.

strike_bridge.tabletop_edits finds the edits; they are played as moves by the rules, or as overrides. Players'
answers pass the same checks as answers from phones (strike_cli.phones.players_api), and the same commands
play them. Begin with `pull`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import typer

from strike_cli.problems import BridgeProblem, Problem, Refused, Usage, listed
from strike_cli.terminal.argument_completions import WHO
from strike_cli.terminal.command_output import Line, Result, blocks_as_unwrapped_text
from strike_cli.terminal.command_output import write_text_to_stdout as write
from strike_cli.terminal.commands_and_options import Options, command
from strike_cli.terminal.move_commands import play_move

from .bridge import TargetOrAll, app, chosen_targets, offer_agreements_and_record_given, report_long_waits

if TYPE_CHECKING:
    from strike_bridge.settings import Settings
    from strike_bridge.tabletop_edits import Pull, TabletopEdit
    from strike_bridge.targets.base import PlayerAnswer, Target
    from strike_cli.campaign import Campaign
    from strike_cli.phones.players_api import PlayersAccess
    from strike_cli.play.command_execution import PerformedCommand
    from strike_cli.tabletop.vtt_edit_types import InterpretedChange

TAKEN, OVERRIDDEN, PUT_BACK, WAITS, ASKS_A_DECISION, MADE_AGAIN, TO_BE_LINKED = (
    "taken", "set", "put back", "waits", "asks", "made again", "to be linked",
)  # fmt: skip
PROPOSED, WANTS_DICE, NOT_TAKEN = "proposed", "wants dice", "not taken"
BUSY_STATUS = 503
"""The status of an edit that could be pulled a moment later."""
_SENT_LATER = "It can't be sent just now; strike tries again."
_NOT_THEIRS = "That is not yours to answer."
_ALREADY_DECIDED = "That was decided already, or taken back."
SHORTEST_WATCH_INTERVAL = 1.0
"""The fewest seconds between two looks at a target."""


class EditOutcome(NamedTuple):
    """The outcome of an edit that was pulled from a target.

    Attributes:
        state: One of the outcome words of this module, such as TAKEN or WAITS.
        why: The reason why the edit was not taken, or advice.
        command: The command that takes the edit.
        performed: The played command; None if it hasn't been played.
    """

    edit: TabletopEdit
    state: str
    why: str = ""
    command: str = ""
    performed: PerformedCommand | None = None

    def as_json(self) -> dict[str, object]:
        changed = self.edit
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


class AnswerOutcome(NamedTuple):
    """The outcome of a player's answer to a decision, given on the virtual tabletop `target`.

    `state` is "taken", "proposed", "wants dice" or "not taken". `why` is the reason for "not taken". `who` is
    the character whose decision was answered, or "" if that decision is no longer open.
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
    target: TargetOrAll = "",
    watch: Annotated[bool, typer.Option("--watch", help="Keep looking, until Ctrl-C.")] = False,
    every: Annotated[
        float,
        typer.Option(
            "--every",
            metavar="SECONDS",
            help="Time between two looks of --watch.",
            min=SHORTEST_WATCH_INTERVAL,
        ),
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

    If the rules allow a change, it is played as if you typed the command here, and strike may ask its usual
    questions. Otherwise the change is your override, with the reason "moved in TARGET".

    With `pull` in the target's table of campaign.toml you choose which changes are taken without asking you:
    "moves" takes those that the rules allow, "all" takes every change, and "ask" takes none.

    Example: `strike bridge pull foundry`
    """
    folder, chosen = _targets_to_pull(options, target)
    if yes and back:
        raise Usage("--yes takes every change, --back restores them.", "Choose one of the two.")
    if watch and options.json:
        raise Usage("--watch is for people.", "Without it, `strike bridge pull --json` is for programs.")
    offer_agreements_and_record_given(options, folder, chosen)
    pulls = [
        _TargetPull(options, folder, settings, yes=yes, back=back, only=only or ()) for settings in chosen
    ]
    if watch:
        return _pull_until_interrupted(options, pulls, every)
    came: list[EditOutcome] = []
    pressed: list[AnswerOutcome] = []
    for taking in pulls:
        with report_long_waits():
            came += taking.pull_once_and_push_results()
        pressed += taking.answer_outcomes
    pending = next((one.performed.pending for one in came if one.performed), None)
    data = {"changes": [one.as_json() for one in came], "answers": [one.as_json() for one in pressed]}
    return Result(
        "bridge pull", data, [*answer_lines(pressed), *_edit_outcome_lines(came, pressed)], pending=pending
    )


def _targets_to_pull(options: Options, target: str) -> tuple[Path, list[Settings]]:
    """Return the campaign's folder, and the targets to pull from. Raises Usage if there are none."""
    from strike_bridge.tabletop_edits import reads_edits_or_answers

    folder, chosen = chosen_targets(options, target)
    found = [settings for settings in chosen if reads_edits_or_answers(settings)]
    if not found:
        names = listed([settings.name for settings in chosen])
        raise Usage(
            f"Nothing is taken over from {names}.",
            'In campaign.toml, set pull = "ask", "moves" or "all" for a target that can be asked.',
        )
    return folder, found


class _TargetPull:
    """A pull of edits and answers from one target; it can be repeated.

    The object keeps the options of the pull. It also keeps what became of the players' answers in the latest
    pull.
    """

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
        self.takes_all = yes or settings.pull == "all"
        self.takes_legal = self.takes_all or settings.pull == "moves"
        self.back = back
        self.only = tuple(only)
        self.answer_outcomes: list[AnswerOutcome] = []
        """The outcomes of players' answers at the last look."""
        self._target: Target | None = None

    def pull_once_and_push_results(self) -> list[EditOutcome]:
        """Look at the target once, pull its edits and answers, and return the outcomes of the edits.

        Raises BridgeProblem if the target can't be reached.
        """
        from strike_bridge.pending_edits import store_pending_edits
        from strike_bridge.push_follow_and_sync import push
        from strike_bridge.tabletop_edits import lock_and_open_pull
        from strike_cli.registry.scenes_and_decisions_in_state import scenes_of

        with lock_and_open_pull(self.folder, self.settings, self._target) as looking:
            self._target = looking.target
            self.answer_outcomes = (
                [] if self.options.dry_run else [*take_answers(looking, self.folder, self.only)]
            )
            # The acting creature's edits come first: the others may have to wait.
            with self.options.open_campaign() as campaign:
                active = {scene.order.active for scene in scenes_of(campaign.state) if scene.order}
            chosen = [
                one for one in looking.read_edits() if not self.only or {one.id, one.name} & set(self.only)
            ]
            found = sorted(chosen, key=lambda one: one.id not in active)
            came = [self._take_restore_or_leave_edit(looking, changed) for changed in found]
            if not self.options.dry_run:
                waiting = {one.edit.id: one.edit.words for one in came if one.state == WAITS}
                store_pending_edits(self.folder, self.settings.name, waiting)
        settled = any(one.state != WAITS for one in came) or any(
            one.state == TAKEN for one in self.answer_outcomes
        )
        if not self.options.dry_run and settled:
            push(self.folder, self.settings)  # sends the results of the edits, and the values put back
        return came

    def _take_restore_or_leave_edit(self, current: Pull, edit: TabletopEdit) -> EditOutcome:
        from strike_bridge.tabletop_edits import GONE

        if edit.field == GONE:
            if not (edit.made and current.target.may_create):
                return EditOutcome(edit, TO_BE_LINKED, "link another, or make it there")
            if not self.options.dry_run:
                current.mark_for_restoring(edit)
            return EditOutcome(edit, MADE_AGAIN)
        with self.options.open_campaign(writing=True) as campaign:
            way = _plan_edit(campaign, edit)
            wanted = False if self.back else self._decide_or_ask_whether_to_take(edit, way)
            if wanted is None:
                return EditOutcome(edit, WAITS, way.why, way.command_words(self.takes_all))
            if self.options.dry_run:
                return EditOutcome(edit, PUT_BACK if not wanted else TAKEN, way.why, way.command_words(True))
            if not wanted:
                current.mark_for_restoring(edit)
                return EditOutcome(edit, PUT_BACK)
            return self._play_edit_and_mark_it(current, campaign, edit, way)

    def _decide_or_ask_whether_to_take(self, edit: TabletopEdit, plan: _PullPlan) -> bool | None:
        """Return True to take an edit, False to restore the old value, None to leave it for later.

        The settings decide first. At a terminal the user decides the rest. An edit that can't be taken now is
        always left for later.
        """
        if plan.blocked or not (plan.plays or plan.change.sets):
            return None
        if self.takes_all or (self.takes_legal and plan.legal):
            return True
        if self.options.interactive and not self.options.dry_run:
            return _ask_to_take_restore_or_leave(edit, plan)
        return None

    def _play_edit_and_mark_it(
        self, current: Pull, campaign: Campaign, edit: TabletopEdit, plan: _PullPlan
    ) -> EditOutcome:
        self.options.note = self.options.note or f"{plan.verb} in {self.settings.name}"
        current.mark_taken(edit)
        try:
            performed = self._play_move_or_override(campaign, plan)
        except Problem as problem:
            current.withdraw_taken_mark(edit)
            return EditOutcome(edit, WAITS, problem.message, plan.command_words(True))
        state = ASKS_A_DECISION if performed.pending else TAKEN if plan.plays else OVERRIDDEN
        return EditOutcome(edit, state, "", plan.command_words(True), performed)

    def _play_move_or_override(self, campaign: Campaign, plan: _PullPlan) -> PerformedCommand:
        """Play an edit as a move if there is one for it, else as an override."""
        if plan.plays:
            return play_move(self.options, campaign, plan.change.command, plan.change.args)
        [(path, value)] = plan.change.sets.items()
        why = f"{plan.verb} in {self.settings.name}"
        return play_move(self.options, campaign, "override", {"path": path, "value": value, "why": why})


class _PullPlan(NamedTuple):
    """The plan for taking an edit over into the campaign.

    `change` is the edit as a typed command, or as changes of the state. `plays` is true if a command can play
    the edit now. `legal` is true if the rules allow this command, so that it isn't an override. `why` is the
    reason if no command can play the edit. `blocked` is true if a decision is open: then nothing can be
    played.
    """

    change: InterpretedChange
    legal: bool
    plays: bool
    why: str = ""
    verb: str = "moved"
    blocked: bool = False

    def command_words(self, allow_override: bool) -> str:
        """Return the command line that plays the edit of the tabletop, or "" if there is none.

        Without `allow_override`, the result is only a command that the rules allow. With `allow_override`, it
        may also be a command that the rules forbid, or an override.
        """
        if self.plays and (self.legal or allow_override):
            return f"strike {' '.join(self.change.typed)}"
        if allow_override:
            return " ".join(f"strike override {path} {value}" for path, value in self.change.sets.items())
        return ""


def _plan_edit(campaign: Campaign, edit: TabletopEdit) -> _PullPlan:
    """Return the plan for taking an edit from the tabletop over into the campaign as it is now."""
    from strike_cli.kernel.procedure import World
    from strike_cli.play.legal_options import meaning_of_change, refusal_if_no_legal_move
    from strike_cli.tabletop.vtt_edit_types import InterpretedChange

    doing = {"position": "moved", "doors": "moved"}.get(edit.field, "changed")
    if edit.change is None:
        return _PullPlan(InterpretedChange(), False, False, "it belongs to no scene", doing)
    if campaign.state.get("pending"):
        said = "a decision is open: `strike choose OPTION` answers it"
        return _PullPlan(InterpretedChange(), False, False, said, doing, blocked=True)
    world = World(campaign.book, campaign.state)
    try:
        taken = meaning_of_change(world, edit.change)
        no = refusal_if_no_legal_move(world, taken)
    except Refused as refused:
        return _PullPlan(InterpretedChange(), False, False, refused.message, doing)
    return _PullPlan(taken, no is None and taken.by_rules, no is None, no.message if no else "", doing)


def _ask_to_take_restore_or_leave(edit: TabletopEdit, plan: _PullPlan) -> bool | None:
    """Ask the user what to do with an edit that was made at a tabletop.

    Returns True to take the edit, False to restore the old value, and None to leave the edit for later.
    """
    from strike_cli.terminal.stream_encoding import decode_typed

    how = "legal" if plan.legal else plan.why.rstrip(".") or "the game master's hand"
    write(blocks_as_unwrapped_text([[(edit.target, "name"), f": {edit.words} ({how})."]]))
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


def _edit_outcome_lines(
    outcomes: Sequence[EditOutcome], answers: Sequence[AnswerOutcome] = ()
) -> Iterator[Line]:
    from strike_cli.terminal.command_output import new_fact_and_reason_lines, question_lines

    if not outcomes and not answers:
        yield ("Nothing was changed there.", "good")
    for one in outcomes:
        style = {WAITS: "warn", ASKS_A_DECISION: "warn", TO_BE_LINKED: "warn"}.get(one.state, "good")
        why = f": {one.why.rstrip('.')}." if one.why else "."
        yield [(one.edit.target, "name"), f": {one.edit.words}: ", (f"{one.state}{why}", style)]
        if one.performed is not None:
            yield from new_fact_and_reason_lines(one.performed)
            if one.performed.pending:
                yield from question_lines(one.performed.pending)
    if any(one.state == WAITS for one in outcomes):
        back = "`strike bridge pull --back` restores it there."
        yield (f"`strike bridge pull --yes` takes the open changes, {back}", "dim")


# Watching


def _pull_until_interrupted(options: Options, pulls: Sequence[_TargetPull], every: float) -> Result:
    names = listed([taking.settings.name for taking in pulls])
    write(blocks_as_unwrapped_text([[f"Looking for changes at {names}. ", ("Ctrl-C ends it.", "dim")]]))
    told: dict[str, list[str]] = {}
    try:
        while True:
            for taking in pulls:
                name = taking.settings.name
                told[name] = _pull_and_print_news(options, taking, told.get(name, []))
            sys.stdout.flush()
            time.sleep(every)
    except KeyboardInterrupt:
        return Result("bridge pull", {"changes": []}, [("Open changes stay there.", "dim")])


def _pull_and_print_news(options: Options, target_pull: _TargetPull, shown_before: list[str]) -> list[str]:
    """Pull once more, print what is new, and return this pull's messages about edits.

    A message about an edit is printed if it isn't in `shown_before`. Messages about answers are always
    printed. If the pull fails, the error takes the place of the messages about edits.
    """
    options.note = ""
    try:
        came = target_pull.pull_once_and_push_results()
        said = [blocks_as_unwrapped_text([line]) for line in _edit_outcome_lines(came)] if came else []
        for line in answer_lines(target_pull.answer_outcomes):
            write(blocks_as_unwrapped_text([line]))
    except Problem as problem:
        said = [blocks_as_unwrapped_text([(problem.message, "bad")])]
    for text in said:
        if text not in shown_before:
            write(text)
    return said


def preview_pull(options: Options, folder: Path, settings: Settings) -> list[EditOutcome]:
    """Return what a pull from a target would do now with each edit that it can interpret.

    An edit is a change that somebody made to the scene at the target. Nothing is changed.
    """
    from strike_bridge.tabletop_edits import lock_and_open_pull

    trying = _TargetPull(options, folder, settings)
    with lock_and_open_pull(folder, settings) as looking, options.open_campaign() as campaign:
        found = [changed for changed in looking.read_edits() if changed.change is not None]
        came = []
        for changed in found:
            way = _plan_edit(campaign, changed)
            takes = trying.takes_all or (trying.takes_legal and way.legal)
            came.append(
                EditOutcome(
                    changed,
                    TAKEN if takes else WAITS,
                    way.why,
                    way.command_words(trying.takes_all or not takes),
                )
            )
        return came


def take_answers(current: Pull, folder: Path, only: tuple[str, ...] = ()) -> Iterator[AnswerOutcome]:
    """Take players' answers at a target one after the other, and yield their outcomes.

    With `only`, answers for other characters are left at the target. Raises BridgeProblem if the target can't
    be reached.
    """
    answers = current.read_new_answers_and_show_outcomes()
    if not answers:
        return
    try:
        from strike_cli.phones.players_api import PlayersAccess
    except ModuleNotFoundError as error:
        raise BridgeProblem(
            f"Players' answers need {error.name}, which is not installed.", 'pip install "strike-cli[table]"'
        ) from None
    door = PlayersAccess(folder, current.target.key)
    for answered in answers:
        person, asks = door.decider_and_question(answered.decision)
        if not only or person in only:
            yield _take_propose_or_reject_answer(current, door, answered, person, asks)


def _take_propose_or_reject_answer(
    current: Pull, access: PlayersAccess, answered: PlayerAnswer, person: str, asks: str
) -> AnswerOutcome:
    from strike_table.player_pages import PlayerRequestRefused

    name = current.settings.name

    def outcome(state: str, why: str = "") -> AnswerOutcome:
        return AnswerOutcome(
            name, answered.user[1] or answered.user[0], person, asks, answered.option, state, why
        )

    if person and current.settings.words_of("players").get(person) not in answered.user:
        current.store_and_show_answer_outcome(answered, _NOT_THEIRS)
        return outcome(NOT_TAKEN, _NOT_THEIRS)
    if not person:
        current.store_and_show_answer_outcome(answered, _ALREADY_DECIDED)
        return outcome(NOT_TAKEN, _ALREADY_DECIDED)
    current.record_answer_before_play(answered)
    try:
        found = access.play_or_propose_answer(
            person, answered.decision, answered.option, answered.faces, name
        )
    except PlayerRequestRefused as problem:
        if problem.status == BUSY_STATUS:
            current.forget_unhandled_answer(answered)
            return outcome(NOT_TAKEN, _SENT_LATER)
        current.store_and_show_answer_outcome(answered, str(problem))
        return outcome(NOT_TAKEN, str(problem))
    if found["dice"]:
        dice = cast("dict[str, int]", found["dice"])
        current.store_and_show_answer_outcome(answered, f"Roll {dice['n']}d{dice['sides']} for it.", dice)
        return outcome(WANTS_DICE)
    current.store_and_show_answer_outcome(
        answered, "Taken." if found["taken"] else "It waits for your game master."
    )
    return outcome(TAKEN if found["taken"] else PROPOSED)


def answer_lines(answers: list[AnswerOutcome]) -> Iterator[Line]:
    """Yield the outcomes of answers as lines for the terminal."""
    for one in answers:
        asked = f"{one.who} ({one.user})" if one.who else one.user
        style = "good" if one.state in (TAKEN, WANTS_DICE) else "warn"
        why = f": {one.why}" if one.why else "."
        said = f": {asked} answers {f'{one.asks}: ' if one.asks else ''}{one.option}: "
        yield [(one.target, "name"), said, (one.state + why, style)]
