"""Bots for any system.

A bot picks one of the legal options, and answers the questions that come up. No rule of a game is here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from ..deprecated_api_names import OldName
from ..kernel.driver import Dice, SeededDice, play_until_open_decision
from ..kernel.procedure import Choose, Roll, World
from ..kernel.state_changes import scene_table
from ..play.decision_weighing import (
    CommandUnderway,
    best_answer,
    default_or_first_answer,
    middling_faces,
    replay_and_continue_command,
)
from ..play.forecast import best_option
from ..play.legal_options import Option, bot_of, legal_options_listed_by_bot
from ..problems import Refused, Usage, did_you_mean, listed
from ..registry.installed_plugins import import_object
from ..registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table
from ..registry.system_declaration import System

PLAYER_NAMES = ("quick", "good", "full")
"""The names of the players, the fastest first."""


class Player(Protocol):
    """A program that plays a system."""

    name: str

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the next command to play, or None if there is none. The world isn't changed.

        If `person` is "", the command is one for the person or side whose turn it is. If no turn is under
        way, it is a command that continues the scene.

        Args:
            world: The world before the command.
            person: The person or side that acts, as an id, or "".

        Returns:
            The option to play, or None.
        """

    def decide(self, world: World, question: Choose, underway: CommandUnderway | None = None) -> str:
        """Return the option that the player chooses for a question.

        The question came up while a command was played. The command may belong to this player or to another.
        If `underway` is given, the player plays the rest of the command after each option, and compares the
        results.
        """


class UnweighedAnswers:
    """A count of the answers that a player gives without weighing the options, by kind of question."""

    def __init__(self) -> None:
        self.unweighed = Counter[str]()

    def default_answer_counted_unweighed(self, question: Choose) -> str:
        """Return a question's default answer or, if it has none, its first option.

        If the question had several options, the answer is counted as unweighed.
        """
        if len(question.options) > 1:
            self.unweighed[question.kind or question.what] += 1
        return default_or_first_answer(question)

    unasked = OldName("default_answer_counted_unweighed")


LOT_SIDES = 1_000_000_000
"""The sides of the die by which lots are drawn."""


class RandomChoicePlayer(UnweighedAnswers):
    """A player that makes some choices at random, such as secret picks."""

    def __init__(self) -> None:
        super().__init__()
        self.lots: Dice | None = None
        """The dice for random choices. Without them the player uses only open information, and always chooses
        the same.
        """

    def draw(self, chances: Sequence[float], person: str, what: str, seen: object) -> int:
        """Draw one of several things at random, and return its index.

        If the player has no dice of its own (`self.lots`), the draw depends only on `what` and `seen`. Equal
        values then lead to the same draw.

        Args:
            chances: The weight of each thing. At least one weight is above 0.
            person: The id of the person who chooses.
            what: The purpose of the choice.
            seen: Everything that the person knows.

        Returns:
            The index of the drawn thing.
        """
        dice = self.lots or SeededDice(f"{what} {seen}", 0)
        left = dice(Roll(1, LOT_SIDES, what, person))[0] / LOT_SIDES * sum(chances)
        for number, chance in enumerate(chances):
            left -= chance
            if left <= 0 < chance:
                return number
        return max(range(len(chances)), key=chances.__getitem__)


def find_player(name: str, system: System, lots: Dice | None = None) -> Player:
    """Return the player that a name means for a system: `quick`, `good` or `full`.

    If the system declares its own player of that name (`Simulation.players`), it is returned. Otherwise the
    result is a general player, which uses the system's bot.

    `lots` are the dice for random choices, if the system's own player makes any. Raises Usage for another
    name, or if a general player is needed and the system has no bot.
    """
    if name not in PLAYER_NAMES:
        raise Usage(
            f"There is no player {name!r}.{did_you_mean(name, PLAYER_NAMES)}",
            f"Players: {listed(PLAYER_NAMES)}.",
        )
    if own := system.simulation.players.get(name):
        player: Player = import_object(system.absolute(own))()
        if isinstance(player, RandomChoicePlayer):
            player.lots = lots
        return player
    if not system.bot:
        raise Usage(f"{system.title or system.name} can't be simulated: it has no bot.")
    return GenericPlayer(name, system, SEARCH_BREADTHS[name])


class SearchBreadth(NamedTuple):
    """How much a simulated player searches: the number of options, and of plays of each option.

    If `options` is 0, all options are tried. If `plays` is 0, an option is judged by all results of its dice,
    or by an estimate if there are too many results.
    """

    options: int
    plays: int


SEARCH_BREADTHS = {"quick": SearchBreadth(12, 1), "good": SearchBreadth(60, 6), "full": SearchBreadth(0, 0)}
"""0 options mean all; 0 plays mean every fall of the dice, or an estimate where there are too many."""


class GenericPlayer(UnweighedAnswers):
    """A simulated player for any game system.

    The system's bot lists the options, and says what a position is worth.
    """

    def __init__(self, name: str, system: System, breadth: SearchBreadth) -> None:
        super().__init__()
        self.name = name
        self.system = system
        self.breadth = breadth

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the legal option that seems best for the side that acts; None if there is no option.

        An option is played, and the system's bot evaluates the side's position after it. Of equal options,
        the first is returned. Some players try only a selection of the options (`breadth`).

        `person` is the person or the side that acts. By default it is the person who has the turn. If it
        isn't known who acts, the first legal option is returned.
        """
        table: Mapping[str, object] | None = scene_table(world.state, self.system.scene.key)
        if table is None:
            return None
        scene = scene_or_bare_scene_from_table(self.system, table, {})
        if not person and scene.order and scene.order.active:
            person = str(scene.order.active)
        side = scene.people[person].side if person in scene.people else person
        if side and not self.breadth.plays:
            return best_option(
                self.system, world, side, "" if scene.order else side, self._decide_by_one_play
            )
        legal = [one for one in legal_options_listed_by_bot(self.system, world) if not one.answers]
        own = [one for one in legal if not side or one.side in ("", side)] or legal
        if len(own) < 2 or not side:
            return own[0] if own else None
        few = (
            own
            if len(own) <= self.breadth.options
            else [own[number * len(own) // self.breadth.options] for number in range(self.breadth.options)]
        )
        worth = bot_of(self.system).evaluate
        gains = [self._average_value_of_few_plays(world, one, side, worth) for one in few]
        return few[max(range(len(few)), key=gains.__getitem__)]

    def _average_value_of_few_plays(
        self, world: World, option: Option, side: str, worth: Callable[[World, str], float]
    ) -> float:
        """Return the average value of a side's position after an option, over a few results of the dice.

        It is minus infinity for an option that is refused.
        """
        total = 0.0
        for number in range(self.breadth.plays):
            after = World(world.book, world.state)
            dice = middling_faces if self.breadth.plays == 1 else SeededDice(self.name, number)
            try:
                play_until_open_decision(
                    replay_and_continue_command(
                        CommandUnderway(world, option), after, self._decide_by_one_play
                    ),
                    after,
                    dice,
                    default_or_first_answer,
                )
            except Refused:
                return float("-inf")
            total += worth(after, side)
        return total / self.breadth.plays

    def _decide_by_one_play(self, underway: CommandUnderway, question: Choose) -> str:
        """Return the answer that is best for the decider's side, judged by one play of each answer."""
        return best_answer(self.system, underway, question, 1) or default_or_first_answer(question)

    def decide(self, world: World, question: Choose, underway: CommandUnderway | None = None) -> str:
        """Return the option of a question that is best for the decider's side.

        If the options can't be weighed, return the question's default or, without one, its first option.
        """
        best = underway and best_answer(self.system, underway, question, self.breadth.plays)
        return best or self.default_answer_counted_unweighed(question)
