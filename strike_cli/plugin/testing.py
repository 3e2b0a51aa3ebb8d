"""Checks for a plugin's tests: the contract that every system keeps, strike's own included.

    from strike_cli.plugin.testing import Contract

    def test_it_keeps_the_contract():
        Contract("toy", begin=[("toy start", {"one": "ana", "other": "bo"})]).check()

`check` plays random evenings with the system's moves. Some arguments are taken from the listed options.
Others are made up from the types of their fields. After a command the following is checked. Slow checks are
made only now and then:

- A refused command has changed nothing, and only Problems are ever raised.
- The state fits the schemas that systems declare, and every fact has a class that some system
  brings.
- Undo restores the state before the command, and redo the state after it.
- The listed options are accepted, and arguments read back from the journal are unchanged.
- Players learn of no hidden person and of nothing face down.
- The system's views of everybody and of its scene work.
- Faces for which a roll's `matters` returns the same lead to the same odds.
- Only scenes and sheets in the move's scope have changed, and nothing was printed.

At the end of an evening, the journal must replay, and must explain the state. Python's hashing of texts must
make no difference. A failure is reported with the moves that led to it. A warning (`NeverReached`) names what
no evening reached: moves that were always refused or never tried, facts that were never recorded, and options
that were never listed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, Union, get_type_hints

import tomli_w

from ..campaign.campaign import Campaign, state_differences
from ..campaign.journal import START
from ..campaign.state_checks import state_faults, state_paths_without_system
from ..content.merged_content import with_content_checked
from ..deprecated_api_names import HasOldNames, OldName, make_module_getattr_for_old_names
from ..kernel.driver import Dice, EnteredDice, ScriptedChoices, SeededDice, play_until_open_decision
from ..kernel.procedure import Args, Roll, World, argument_as_json
from ..kernel.state_changes import State, look_up, pending_decisions_in, scene_table
from ..kernel.statements import table_with_clauses_in_words
from ..play.command_execution import PlaySettings, answer_decision_and_play_on, perform_command
from ..play.legal_options import Option, legal_options_listed_by_bot
from ..play.playable_moves_and_time_limit import (
    TABLE,
    args_type,
    changed_parts_of_state,
    find_move,
    state_part_key_of_sheet,
)
from ..play.replay import verify_campaign
from ..problems import Problem, listed
from ..registry import UnknownFact, fact_class, fact_classes_by_kind, installed_plugins, load_known_system
from ..registry.installed_plugins import import_object
from ..registry.scenes_and_decisions_in_state import parked_scene_names, scenes_of
from ..tabletop.characters_and_names import GameMasterSpeaker, character_changes_in
from ..tabletop.grid import CLOSED_DOOR, OPEN_DOOR, format_square
from ..terminal.system_views import views_of
from ..validation_schemas_from_types import parse_annotation
from ..visibility.audiences import PLAYERS, is_person_secret
from ..visibility.known_scene import scene_for_audience
from ..visibility.players_state import known_state
from ..visibility.redaction import Redaction, redact_each_fact_of_entry
from ..visibility.secret_picks import (
    entries_with_picks_concealed,
    scene_table_without_face_down_picks,
    without_changes,
)
from .plugin_checks import plugin_faults, system_faults

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry, StoredFact
    from ..kernel.state_changes import Change
    from ..play.playable_moves_and_time_limit import Given

CAMPAIGN = """\
schema = 1
name = "A test"
seed = 1

[characters.ana]
name = "Ana"
skills = ["Climbing", "Sneaking"]
tricks = ["Silent feet"]

[characters.bo]
name = "Bo"
skills = ["Haggling"]

[characters.cy]
name = "Cy"

[characters.dee]
name = "Dee"
"""
"""The text of a campaign of four characters, for systems that need no more."""
_FIGHT = """\
schema = 1
name = "A fight"
seed = 1
plugins = ["{plugin}"]

[characters.ana]
name = "Ana"
hp = 10
powers = {powers}

[creatures.wolf]
name = "Wolf"
hp = 10

[encounters.ring]
name = "The ring"
map = "P...W"
place = {{ P = "party", W = "wolf" }}
"""


def fight_with_powers(plugin: str, *powers: str) -> World:
    """Return a fight of Strike! in the turn of Ana, who has these powers.

    A wolf is four squares away.

    Args:
        plugin: The name of the plugin that the campaign uses.
        *powers: The ids of Ana's powers.

    Returns:
        The world of the fight.
    """
    world = world_of(_FIGHT.format(plugin=plugin, powers=json.dumps(powers)))
    start = {"encounter": "ring", "party": ["ana"]}
    for name, args, dice in (("start", start, ()), ("initiative", {}, (6, 1)), ("turn", {}, ())):
        world = World(world.book, play(world, f"combat {name}", args, dice=dice).state)
    return world


class NeverReached(UserWarning):
    """A warning of moves, facts or options that no evening has reached, and that are therefore untested."""


__all__ = ["Contract", "MovePlayed", "NeverReached", "check_plugin", "fight_with_powers", "play", "world_of"]

Begin = Sequence[tuple[str, Mapping[str, object]]]
Look = Callable[[Campaign, State, Sequence[Mapping[str, object]]], None]


class Contract(HasOldNames):
    """A system under test, with the settings for playing it at random.

    Args:
        name: The system's name.
        campaign: The text of the campaign.toml to play in.
        begin: The moves that begin the system's scene, with arguments in the form of the journal.
        words: Values for arguments, by the argument's name. Most of the time one of them is used. At other
            times, a person is used, or anything that fits the argument's type.
        rarely: Moves to play only rarely, because they would end most evenings early.
        sure: The names of arguments that get only the values in `words`.
        tries: How often new arguments are made up for a move until it accepts them. Set this for moves that
            are nearly always refused. Made-up arguments can then also name things in the scene.
        look: A function called after each command that was played. It gets the campaign, the state before the
            command, and the command's journal entries.
    """

    def __init__(
        self,
        name: str,
        *,
        campaign: str = CAMPAIGN,
        begin: Begin = (),
        words: Mapping[str, Sequence[object]] | None = None,
        rarely: Collection[str] = (),
        sure: Collection[str] = (),
        tries: int = 0,
        look: Look | None = None,
    ) -> None:
        self.system = load_known_system(name)
        self.campaign = campaign
        self.begin = begin
        self.words = dict(words or {})
        self.rarely = rarely
        self.sure = sure
        self.tries = tries
        self.look = look
        self.played = Counter[str]()
        """The number of times that each move was played, in all evenings so far."""
        self.refused = Counter[str]()
        self.told = Counter[str]()
        """The number of times that each kind of fact was recorded."""
        self.offered = Counter[str]()
        """The number of times that each move was among the options."""

    def check(self, evenings: int = 10, moves: int = 30, seed: int = 1) -> None:
        """Play random evenings, and run all checks on them.

        `moves` is the number of moves in an evening. The first evening uses `seed`, and each later evening
        uses the next number. Raises AssertionError with the moves that led to a fault. Warns of anything that
        was never reached.
        """
        self.check_references()
        for number in range(evenings):
            self.play_checked_evening(seed + number, moves)
        self.check_hash_independence(seed, moves)
        if never := self.never_reached():
            text = "; ".join(never)
            warnings.warn(f"{self.system.name}, evenings: {evenings}; {text}", NeverReached, stacklevel=2)

    def never_reached(self) -> list[str]:
        """Return what no evening has reached so far, as texts such as "never tried: toy toss".

        The texts name moves that were always refused, moves that were never tried, and facts that were never
        recorded. If the system has a bot, another text says when no option was ever listed.
        """
        own = [move for move, each in self.system.moves.items() if not each.by_hand]
        moves = [move for move in own if not self.played[move]]
        kinds = [kind for kind in fact_classes_by_kind(self.system) if not self.told[kind]]
        always = [f"{move} (tries: {self.refused[move]})" for move in moves if self.refused[move]]
        found = {
            "always refused": always,
            "never tried": [move for move in moves if not self.refused[move]],
            "facts never recorded": kinds,
        }
        said = [f"{what}: {', '.join(names)}" for what, names in found.items() if names]
        if self.system.bot and not self.offered:
            said.append("no option was ever listed")
        return said

    def check_references(self) -> None:
        """Check the system's declaration: everything that it names must exist, such as functions and files.

        Raises AssertionError with the faults, one on each line.
        """
        faults = "\n".join(system_faults(self.system))
        assert not faults, faults

    def check_hash_independence(self, seed: int = 1, moves: int = 30) -> None:
        """Check that an evening goes the same way however Python hashes text.

        Hashes of text differ from process to process, and with them the order of a set. If the code depends
        on the order of a set, options and facts change, and the journal can't be replayed.
        """
        given = {
            "name": self.system.name,
            "campaign": self.campaign,
            "begin": [[name, argument_as_json(args)] for name, args in self.begin],
            "words": {field: list(map(argument_as_json, values)) for field, values in self.words.items()},
            "rarely": list(self.rarely),
            "sure": list(self.sure),
            "tries": self.tries,
        }
        text = json.dumps({"contract": given, "seed": seed, "moves": moves})
        one, other = _play_with_each_hash_seed(text)
        for number, (line, otherwise) in enumerate(zip_longest(one, other, fillvalue="nothing")):
            assert line == otherwise, "\n".join(
                [
                    f"an order depends on a hash: {line.strip()!r} by one, {otherwise.strip()!r} by another",
                    f"in evening {seed} of {self.system.name}:",
                    *one[:number],
                ]
            )

    def play_checked_evening(self, seed: int, moves: int = 30) -> list[str]:
        """Play and check one random evening of `moves` moves.

        Args:
            seed: The seed of the evening's random choices.
            moves: The number of moves.

        Returns:
            The evening's commands and their results, a line each.

        Raises:
            AssertionError: A check failed; the message has the moves that led to it.
        """
        with tempfile.TemporaryDirectory(prefix="strike-contract-") as place:
            folder = Path(place)
            (folder / "campaign.toml").write_text(
                _text_with_plugin_and_seed(self.campaign, self.system.name), encoding="utf-8"
            )
            with Campaign(folder, writing=True) as campaign, campaign.keep_open():
                evening = _Evening(self, campaign, seed)
                try:
                    evening.play_evening(moves)
                except AssertionError as failed:
                    raise AssertionError(evening.describe_fault(str(failed))) from None
                except Exception as failed:
                    raise AssertionError(
                        evening.describe_fault(f"{type(failed).__name__}: {failed}")
                    ) from failed
                state = campaign.state
            with Campaign(folder) as campaign:
                found = verify_campaign(campaign).differences
                assert not found, evening.describe_fault(f"replayed, it differs: {found[0]}")
                assert not list(state_differences(campaign.state, state)), evening.describe_fault(
                    "state.toml differs"
                )
            return evening.script

    check_declared = OldName("check_references")
    check_order = OldName("check_hash_independence")
    check_evening = OldName("play_checked_evening")


class _Evening:
    """A campaign under test, with the random player of one evening."""

    def __init__(self, contract: Contract, campaign: Campaign, seed: int) -> None:
        self.contract = contract
        self.system = contract.system
        self.campaign = campaign
        self.seed = seed
        self.random = random.Random(seed)
        self.script: list[str] = []

    def describe_fault(self, fault: str) -> str:
        return "\n".join([fault, f"in evening {self.seed} of {self.system.name}:", *self.script])

    @property
    def world(self) -> World:
        """A world of the present state; nothing that happens in it is recorded."""
        return World(self.campaign.book, self.campaign.state)

    # Playing

    def play_evening(self, moves: int) -> None:
        for name, args in self.contract.begin:
            played = self.play_and_check_move(name, args)
            assert played, f"{name} is refused, and should begin the evening"
            self.answer_decisions_at_random()
        for _ in range(moves):
            if self.system.scene.key not in self.campaign.state and self.random.random() < 0.5:
                for name, args in self.contract.begin:  # the scene is over, and begins again
                    self.play_and_check_move(name, args)
            self.play_and_check_move(*self.pick_move())
            if self.random.random() < 0.8:
                self.answer_decisions_at_random()

    def pick_move(self) -> tuple[str, Given]:
        """Return a move to try, with its arguments.

        In most cases it is a legal option. In the others it is any move of the system, with made-up
        arguments.
        """
        if self.random.random() < 0.7:
            legal = _run_and_check_no_output(
                "listing options", lambda: legal_options_listed_by_bot(self.system, self.world)
            )
            self.contract.offered.update(each.command for each in legal)
            if legal:
                (option,) = self.random.choices(
                    legal, [self._fixed_move_weight(each.command) for each in legal]
                )
                self.check_option_accepted(option)
                return option.command, option.args
        moves = list(self.system.moves)
        (name,) = self.random.choices(moves, [self._fixed_move_weight(each) for each in moves])
        args = self.make_up_arguments(name)
        if (
            self.contract.tries and self.random.random() < 0.7
        ):  # most of what is made up is refused, and shows only that
            for _ in range(self.contract.tries):
                if self._would_be_accepted(name, args):
                    break
                args = self.make_up_arguments(name)
        return name, args

    def _fixed_move_weight(self, move: str) -> int:
        if move in self.contract.rarely:
            return 1
        return (8 if self.contract.tries else 5) if self.system.moves[move].by_hand else 20

    def _would_be_accepted(self, name: str, args: Given) -> bool:
        """Return whether a move would be accepted now, by playing it in memory."""
        latest, dice = self.world, SeededDice(self.random.randrange(1000), 0, 0)
        return not _run_and_check_no_output(
            name, lambda: _play_and_return_refusal(lambda: self._drive_in_memory(name, args, latest, dice))
        )

    def _drive_in_memory(self, name: str, args: Given, latest: World, dice: SeededDice) -> None:
        move = find_move(name)
        play_until_open_decision(
            move.start(latest, move.read_args(args)),
            latest,
            dice,
            lambda question: self.random.choice(question.options),
        )

    def check_option_accepted(self, option: Option) -> None:
        """Check that a listed option can be played to its end now, whatever answers are given."""
        if self.campaign.state.get("pending"):
            return
        self.script.append(f"  {option.command} {_args_json(option.args)} is listed")
        latest = self.world
        dice = SeededDice(self.random.randrange(1000), 0, 0)
        try:
            self._drive_in_memory(option.command, option.args, latest, dice)
        except Problem as problem:
            raise AssertionError(f"a listed option is refused: {problem.message}") from problem

    def play_and_check_move(self, name: str, args: Given) -> bool:
        """Play a move, check its results, and return whether it was accepted."""
        self.script.append(f"  {name} {_args_json(args)}")
        self._check_arguments_round_trip(name, args)
        if self.random.random() < 0.1:
            before, seq = self.campaign.state, self.campaign.head.seq
            _play_and_return_refusal(
                lambda: perform_command(self.campaign, name, args, PlaySettings(dry_run=True))
            )
            assert self.campaign.state == before, "a dry run has changed the state"
            assert self.campaign.head.seq == seq, "a dry run was recorded"
        if name in self.system.moves and self.system.moves[name].odds and self.random.random() < 0.3:
            self._check_equal_faces_have_equal_odds(name, args)
        played = self._play_and_check(
            name, args, lambda: perform_command(self.campaign, name, args, PlaySettings())
        )
        (self.contract.played if played else self.contract.refused)[name] += 1
        return played

    def answer_decisions_at_random(self) -> None:
        while waiting := pending_decisions_in(self.campaign.state):
            scene = self.random.choice(list(waiting))
            item = waiting[scene]
            assert item.get("text") or item.get("what"), f"{item['command']} asks without a text"
            answer = self.random.choice(item["options"])
            self.script.append(f"  choose {answer} for {scene}")
            # Words of the command that name somebody hidden are refused to players, and only to them.
            played = any(
                self._play_and_check(
                    item["command"],
                    item["args"],
                    partial(answer_decision_and_play_on, self.campaign, scene, how),
                )
                for how in (PlaySettings(choices=[answer]), PlaySettings(choices=[answer], secret=True))
            )
            assert played, f"an option of a decision is refused: {answer}"

    # Checks

    def _play_and_check(self, name: str, args: Given, play: Callable[[], object]) -> bool:
        before, seq = self.campaign.state, self.campaign.head.seq
        refused = _run_and_check_no_output(name, lambda: _play_and_return_refusal(play))
        if refused is not None:
            assert refused, "a refusal has no message"
            self.script.append(f"    refused: {refused}")
            assert self.campaign.state == before, "a refused command has changed the state"
            assert self.campaign.head.seq == seq, "a refused command was recorded"
            return False
        faults = [
            *state_faults(self.campaign.state, self.campaign.book),
            *(
                f"no system declares {path}"
                for path in state_paths_without_system(self.campaign.state, self.campaign.book)
                if "." not in path
            ),
        ]
        assert not faults, f"the state no longer fits its form: {faults[0]}"
        self._check_views_of_system_run()
        self._check_scope(name, args, before)
        for entry in self._entries_after(seq):
            for fact in entry["facts"]:
                self.contract.told[fact["kind"]] += 1
                self.script.append(f"    {fact['text'] or fact['kind']}")
                assert fact_class(fact["kind"]) is not UnknownFact, f"no class says {fact['kind']!r}"
        after = self.campaign.state
        if self.random.random() < 0.3:
            self.campaign.undo()
            assert tomli_w.dumps(self.campaign.state) == tomli_w.dumps(before), (
                "undo doesn't restore the state"
            )
            self.campaign.redo()
            assert tomli_w.dumps(self.campaign.state) == tomli_w.dumps(after), (
                "redo doesn't restore the change"
            )
        self._check_secrecy(before, seq)
        if self.contract.look:
            self.contract.look(self.campaign, before, list(self._entries_after(seq)))
        return True

    def _check_arguments_round_trip(self, name: str, args: Given) -> None:
        move = find_move(name)
        try:
            typed = move.read_args(args)
        except Problem:
            return
        if isinstance(typed, Args):
            again = move.read_args(json.loads(json.dumps(typed.as_json())))
            assert again == typed, f"arguments read back from the journal as {again}"

    def _check_views_of_system_run(self) -> None:
        views, world = views_of(self.system), self.world
        people = list(self.campaign.book.characters)
        known = World(world.book, known_state(world.state))
        _run_and_check_no_output("Views.party", lambda: views.party(world, people))
        if self.system.scene.key in world.state:
            _run_and_check_no_output("Views.scene", lambda: views.scene(world))
        _run_and_check_no_output(
            "Views.still_to_do", lambda: [*views.still_to_do(world), *views.suspended(world)]
        )
        for person in people:
            _run_and_check_no_output("Views.sheet", lambda person=person: views.sheet(world, person))  # type: ignore[misc]  # each of them
            _run_and_check_no_output("Views.own_sheet", lambda person=person: views.own_sheet(known, person))  # type: ignore[misc]

    def _check_equal_faces_have_equal_odds(self, name: str, args: Given) -> None:
        """Check that a roll's `matters` doesn't hide a difference in the odds.

        `matters` calls some faces of a roll equal. The command is played with the faces rolled, and again
        with faces that are equal by `matters`. Both plays must lead to the same result as the odds count it.
        """
        counts: Callable[[object], object] = import_object(self.system.absolute(self.system.moves[name].odds))
        seeded = SeededDice(self.random.randrange(1000), 0, 0)
        fell: list[tuple[Roll, tuple[int, ...]]] = []

        def record_fall(roll: Roll) -> list[int]:
            fell.append((roll, tuple(seeded(roll))))
            return list(fell[-1][1])

        came = self._play_with_dice(name, args, record_fall)
        for place, (roll, faces) in enumerate(fell if came is not None else ()):
            if roll.matters is None:
                continue
            others = (tuple(self.random.randint(1, roll.sides) for _ in faces) for _ in range(20))
            alike = [each for each in others if each != faces and roll.matters(each) == roll.matters(faces)]
            for other in alike[:1]:
                again = iter([each if number != place else other for number, (_, each) in enumerate(fell)])
                otherwise = self._play_with_dice(name, args, lambda roll, again=again: list(next(again)))  # type: ignore[misc]
                same = otherwise is not None and counts(otherwise) == counts(came)
                told = f"{name}: {roll.purpose}: {list(faces)} and {list(other)} are alike by `matters`"
                assert same, f"{told}, and have different odds"

    def _play_with_dice(self, name: str, args: Given, dice: Dice) -> Mapping[str, object] | None:
        """Play a move in memory and return its data, or None if the move is refused.

        The dice fall as `dice` says. Each decision is answered with its first option.
        """
        move, latest = find_move(name), self.world
        try:
            return play_until_open_decision(
                move.start(latest, move.read_args(args)), latest, dice, lambda asked: asked.options[0]
            ).data
        except (Problem, StopIteration):
            return None

    def _check_scope(self, name: str, args: Given, before: State) -> None:
        """Check that no scene or sheet has changed except those in the move's scope."""
        own = find_move(name).parts_it_may_change(args, World(self.campaign.book, before))
        if TABLE in own:
            return
        after = self.campaign.state
        sheets = {
            state_part_key_of_sheet(person)
            for state in (before, after)
            for person in character_changes_in(state)
        }
        others = (
            changed_parts_of_state(before, after)
            & (sheets | installed_plugins.plugin_index().scenes.keys()) - own
        )
        assert not others, f"{name} may change {listed(sorted(own))}, and changes {listed(sorted(others))}"

    def _check_secrecy(self, before: State, seq: int) -> None:
        """Check that players neither see nor read of anybody hidden or anything face down."""
        for scene in scenes_of(self.campaign.state):
            seen = scene_for_audience(scene, PLAYERS)
            hidden = [one for one in scene.people.values() if is_person_secret(one)]
            assert not {one.id for one in hidden} & seen.people.keys(), "players see who is hidden"
            assert all(card.what is None for side in seen.sides if side.secret for card in side.cards), (
                "players see what lies face down"
            )
        for entry in self._entries_after(seq):
            redaction = Redaction(before, entry["facts"], PLAYERS)
            for told in redact_each_fact_of_entry(entry, before, PLAYERS):
                assert told.fact is None or not redaction.words.finds_in(without_changes(told.fact)), (
                    f"players hear: {told.fact}"
                )
        self._check_picks_secret()

    def _check_picks_secret(self) -> None:
        state = self.campaign.state
        table = scene_table(state, self.system.scene.key)
        if not self.system.scene.secrets or table is None:
            return
        (scene,) = [each for each in scenes_of(state) if each.key == self.system.scene.key]
        secret = {side.id for side in scene.sides if side.secret}
        shown = {self.system.scene.key: scene_table_without_face_down_picks(scene, table, PLAYERS)}
        entries = list(self._entries_after(0))
        for one in self.system.scene.secrets:
            stem = one.path.removesuffix(".*")
            picked = look_up(state, stem)
            if one.side not in secret or not picked:
                continue
            picked = picked if isinstance(picked, Mapping) else {}  # by its holder: that may be known
            assert look_up(shown, stem) in (
                None,
                {},
                dict.fromkeys(picked),
                {person: {} for person in picked},
            ), f"players see {stem}"
            for entry in entries_with_picks_concealed(entries, PLAYERS)[
                _count_entries_until_last_face_up(entries, stem, one.revealed_by) :
            ]:
                read = any(
                    _change_touches_path(change, stem)
                    for fact in entry["facts"]
                    for change in fact["changes"]
                )
                assert not read, f"players read {stem} in the log"

    def _entries_after(self, after: int) -> Iterator[JournalEntry]:
        start = START if after == 0 or not self.campaign.head.last else self.campaign.head.last
        return (entry for entry, _, _ in self.campaign.journal.entries_since(start) if entry["seq"] > after)

    # Making up arguments

    def make_up_arguments(self, name: str) -> dict[str, object]:
        """Return arguments for a move, made up from the types of its fields.

        The values are arbitrary, so moves refuse most of them.
        """
        move = self.system.moves[name]
        made = self._make_up_args(args_type(self.system.absolute(move.play)))
        return made | self._make_up_names_in_scene(made) if move.by_hand and self.contract.tries else made

    def _make_up_names_in_scene(self, made: Mapping[str, object]) -> dict[str, object]:
        """Return random values for a move's arguments that name something in a scene.

        Such an argument is a square, for example. `made` has the move's arguments by name. An argument
        without such a value isn't in the result.
        """
        scenes = [each for each in scenes_of(self.campaign.state) if each.key == self.system.scene.key]
        book, waiting = self.campaign.book, parked_scene_names(self.campaign.state, self.system)
        known: dict[str, Sequence[object]] = {
            "ref": [*book.creatures, *book.characters, *self._characters_and_people_in_scenes()],
            "called": ["Mist", "Fallen shelves"],
            "scene": list(waiting),
            "by": [-2, 1, 3],
        }
        for scene in scenes:
            known["meter"] = [meter.id for one in scene.people.values() for meter in one.meters]
            known["zone"] = [zone.id for zone in scene.board.zones] if scene.board else []
            if scene.board and scene.board.rows:
                squares = self._sample_squares(scene.board.rows)
                known |= {"to": squares, "squares": [squares[:1], squares[:4]]}
                known["at"] = [[squares[0]]] if "ref" in made else squares
        return {
            field: self.random.choice(known[field])
            for field in made
            if known.get(field) and field not in self.contract.sure
        }

    def _sample_squares(self, rows: Sequence[str]) -> list[str]:
        """Return some squares of a map: every door, and a few others."""
        places = [(x, y) for y, row in enumerate(rows) for x in range(len(row))]
        doors = [place for place in places if rows[place[1]][place[0]] in (CLOSED_DOOR, OPEN_DOOR)]
        return [format_square(place) for place in [*self.random.sample(places, min(4, len(places))), *doors]]

    def _make_up_args(self, kind: type[Args]) -> dict[str, object]:
        made = {}
        for field, of in kind._field_types().items():
            if field in kind.REQUIRED or self.random.random() < 0.3:
                made[field.rstrip("_")] = self._make_up_field(field.rstrip("_"), of)
        return {field: value for field, value in made.items() if value is not None}

    def _make_up_field(self, field: str, annotation: object) -> object:
        sure = field in self.contract.sure
        if (
            self.contract.tries
            and field == "status"
            and not sure
            and self.random.random() < 0.3
            and (held := self._ids_of_held_statuses())
        ):
            return self.random.choice(held)
        if field in self.contract.words and (sure or self.random.random() < 0.9):
            return self.random.choice(self.contract.words[field])
        read = parse_annotation(annotation)
        if read.kind is Union:
            return self._make_up_field(field, self.random.choice(read.parts))
        if read.kind is Literal:
            return self.random.choice(read.parts)
        if read.kind is Mapping:
            item = read.parts[1]
            return {
                self._make_up_field("", str): self._make_up_field("", item)
                for _ in range(self.random.randrange(2))
            }
        if read.kind is Sequence:
            return [self._make_up_field(field, read.parts[0]) for _ in range(self.random.randrange(3))]
        return self._make_up_value(read.kind) if isinstance(read.kind, type) else None

    def _make_up_value(self, of: type) -> object:
        if of is bool:
            return self.random.random() < 0.5
        if of is int:
            return self.random.choice([0, 1, 2, 3, 7])
        if of is str:
            return self.random.choice(self._characters_and_people_in_scenes())
        if issubclass(of, Args):
            return self._make_up_args(of)
        if issubclass(of, tuple) and hasattr(of, "_fields"):
            return [self._make_up_field(part, kind) for part, kind in get_type_hints(of).items()]
        return None

    def _ids_of_held_statuses(self) -> list[str]:
        people = [one for scene in scenes_of(self.campaign.state) for one in scene.people.values()]
        return [status.id for one in people for status in one.statuses]

    def _characters_and_people_in_scenes(self) -> list[str]:
        here = [person for scene in scenes_of(self.campaign.state) for person in scene.people]
        return [*self.campaign.book.characters, *here]


def _text_with_plugin_and_seed(campaign: str, system: str) -> str:
    """Return a campaign's text with the plugin of a system, and a fixed seed.

    With the fixed seed, the dice are the same in each test. A seed or a list of plugins or systems that the
    text has already stays as it is.
    """
    written, bringer = tomllib.loads(campaign), installed_plugins.plugin_index().plugin_of_system(system)
    if "seed" not in written:
        campaign = f"seed = 1\n{campaign}"
    if bringer is not None and not {"plugins", "systems"} & written.keys():
        campaign = f'plugins = ["{bringer.name}"]\n{campaign}'
    return campaign


HASH_SEEDS = ("1", "2")
"""Two seeds for Python's hashes of text, which change the order of sets."""


def _play_with_each_hash_seed(text: str) -> list[list[str]]:
    """Return what the evening in `text` prints in new processes, one for each hash seed in HASH_SEEDS."""
    words = [
        sys.executable,
        "-c",
        "from strike_cli.plugin import testing; testing._play_evening_from_stdin()",
    ]
    path = os.pathsep.join(place or os.getcwd() for place in sys.path)
    processes = [
        subprocess.Popen(
            words,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for seed in HASH_SEEDS
    ]
    lines = []
    for process in processes:
        out, err = process.communicate(text)
        assert not process.returncode, f"an evening fails in a process of its own: {err.strip()[-2000:]}"
        lines.append(out.splitlines())
    return lines


def _play_evening_from_stdin() -> None:
    told = json.load(sys.stdin)
    lines = Contract(**told["contract"]).play_checked_evening(told["seed"], told["moves"])
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # a stream of Python's own
    print("\n".join(lines))


T = TypeVar("T")


def _run_and_check_no_output(what: str, action: Callable[[], T]) -> T:
    """Return the result of an action. Raises AssertionError if the action prints anything.

    Rules record facts instead of printing, since programs read strike's output.
    """
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        came = action()
    assert not out.getvalue(), f"{what} prints {out.getvalue()[:100]!r}"
    return came


def _play_and_return_refusal(play: Callable[[], object]) -> str | None:
    try:
        play()
    except Problem as problem:
        return problem.message
    return None


def _change_touches_path(change: Change, path_prefix: str) -> bool:
    """Return whether a change sets a value at the path `path_prefix`, or below it.

    A change may also replace a whole table above this path. Then the result is True if this table has a value
    at the path, before or after the change.
    """
    path, before, after = change
    if path_prefix.startswith(f"{path}."):
        inner = path_prefix.removeprefix(f"{path}.")
        return any(isinstance(each, Mapping) and look_up(each, inner) for each in (before, after))
    return _is_at_or_below(path, path_prefix)


def _is_at_or_below(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}.")


def _count_entries_until_last_face_up(
    entries: Sequence[JournalEntry], path_of_picks: str, revealing_kind: str
) -> int:
    """Return the number of the last entry after which no pick is face down, counted from 1.

    If there is no such entry, return 0. A pick is face down as soon as it is made. A fact of the kind
    `revealing_kind` turns all picks face up, and the end of the scene removes them. `path_of_picks` is the
    place of the picks in the state.
    """
    count, is_up = 0, True
    for number, entry in enumerate(entries, 1):
        facts = [] if "head" in entry else entry["facts"]  # undo is followed by redo
        changes = [change for fact in facts for change in fact["changes"]]
        puts = any(_is_at_or_below(path, path_of_picks) and after is not None for path, _, after in changes)
        over = any(path_of_picks.startswith(f"{path}.") and after is None for path, _, after in changes)
        is_up = over or any(fact["kind"] == revealing_kind for fact in facts) or (is_up and not puts)
        if is_up:
            count = number
    return count


def _args_json(args: Given) -> str:
    return json.dumps(argument_as_json(args), ensure_ascii=False)


def check_plugin(name: str) -> None:
    """Check that a plugin is installed, that everything it names exists, and that its content is sound.

    Raises AssertionError with all faults.
    """
    found = {plugin.name: plugin for plugin in installed_plugins.plugin_index(anew=True).plugins}
    assert name in found, f"no plugin {name!r} is installed: {listed(found)}"
    faults = list(plugin_faults(with_content_checked(found[name])))
    assert not faults, "\n".join(dict.fromkeys(faults))


class MovePlayed(NamedTuple):
    """A move played in memory: its data, its facts, and the state after it."""

    data: Mapping[str, object]
    facts: list[StoredFact]
    state: State


def play(
    world: World,
    name: str,
    args: Given | None = None,
    *,
    dice: Sequence[int] = (),
    choices: Sequence[str] = (),
) -> MovePlayed:
    """Play a move in memory.

    Args:
        world: The world to play in; it isn't changed.
        name: The move's name, such as "combat attack".
        args: The move's arguments.
        dice: The faces of all dice that the move asks for, in order.
        choices: The answers to all decisions that the move asks for, in order.

    Returns:
        The move's data and facts, and the state after it.

    Raises:
        Problem: The move is refused, or leaves some dice or choices unused.
        AssertionError: A decision is left open.
    """
    entered, scripted = EnteredDice(dice), ScriptedChoices(choices)
    latest = World(world.book, world.state)
    done = play_until_open_decision(find_move(name).start(latest, args or {}), latest, entered, scripted)
    assert done.data is not None, f"{name} still asks {done.pending}"
    entered.check_all_used()
    scripted.check_all_used()
    speaker = GameMasterSpeaker(world.book, done.states)
    return MovePlayed(
        table_with_clauses_in_words(done.data, speaker),
        [fact.as_json(speaker) for fact in done.facts],
        latest.state,
    )


def world_of(campaign: str = CAMPAIGN, state: State | None = None) -> World:
    """Return a world for tests, made from the text of a campaign.toml.

    The world exists only in memory. `state` is its state, by default an empty one.
    """
    from ..content.merged_content import open_book

    with tempfile.TemporaryDirectory(prefix="strike-world-") as folder:
        (Path(folder) / "campaign.toml").write_text(campaign, encoding="utf-8")
        return World(open_book(Path(folder)), state or {})


_NEW_NAMES = {"fight_of": "fight_with_powers"}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
