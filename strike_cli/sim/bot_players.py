"""Bots for any system: each picks one of the legal options, and answers the questions on the way.

None of them knows a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from ..kernel.driver import Dice, SeededDice, drive
from ..kernel.procedure import Choose, Roll, World
from ..kernel.state_changes import scene_table
from ..play.decision_weighing import Underway, best_answer, continue_command, default_answer, middling_faces
from ..play.forecast import best_option
from ..play.legal_options import Option, bot_of, legal_options
from ..problems import Refused, Usage, listed, nearest
from ..registry.installed_plugins import load_object
from ..registry.scenes_in_state import scene_of
from ..registry.system_declaration import System

NAMES = ("quick", "good", "full")
"""The names of the players, the fastest first."""


class Player(Protocol):
    """A program that plays a system."""

    name: str

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the next command of `person`, a person's id or a side; None if there is none.

        If `person` is "", the command is that of the next to act. Between turns it is the one that moves
        the scene on. The world doesn't change.
        """

    def decide(self, world: World, question: Choose, underway: Underway | None = None) -> str:
        """Return an option of a question that came up while a command was played.

        The command may be this player's or another's. If it is given (`underway`), the player weighs the
        options by playing the rest of the command.
        """


class UnweighedAnswers:
    """A count of the answers that a player gives without weighing the options, by kind of question."""

    def __init__(self) -> None:
        self.unweighed = Counter[str]()

    def unasked(self, question: Choose) -> str:
        """Return a question's default answer or, if it has none, its first option.

        If the question had several options, the answer is counted as unweighed.
        """
        if len(question.options) > 1:
            self.unweighed[question.kind or question.what] += 1
        return default_answer(question)


LOT = 1_000_000_000
"""The sides of the die by which lots are drawn."""


class ByLot(UnweighedAnswers):
    """A player that makes some choices at random, such as secret picks."""

    def __init__(self) -> None:
        super().__init__()
        self.lots: Dice | None = None
        """The dice for random choices. Without them the player uses only open information, and always chooses
        the same.
        """

    def draw(self, chances: Sequence[float], person: str, what: str, seen: object) -> int:
        """Draw one of several things by their `chances`, which are not all 0, and return its index.

        `person` makes the choice, `what` is the purpose of the choice, and `seen` is all that the person
        knows. If `lots` aren't set, the same `seen` always leads to the same draw.
        """
        dice = self.lots or SeededDice(f"{what} {seen}", 0)
        left = dice(Roll(1, LOT, what, person))[0] / LOT * sum(chances)
        for number, chance in enumerate(chances):
            left -= chance
            if left <= 0 < chance:
                return number
        return max(range(len(chances)), key=chances.__getitem__)


def find_player(name: str, system: System, lots: Dice | None = None) -> Player:
    """Return the player of a system that `name` means: `quick`, `good` or `full`.

    `lots` are the dice for the player's random choices. If the system has a player of its own with that name
    (`Simulation.players`), that one is returned. Raises Usage for another name, or for a system that has no
    bot.
    """
    if name not in NAMES:
        raise Usage(f"There is no player {name!r}.{nearest(name, NAMES)}", f"Players: {listed(NAMES)}.")
    if own := system.simulation.players.get(name):
        player: Player = load_object(system.absolute(own))()
        if isinstance(player, ByLot):
            player.lots = lots
        return player
    if not system.bot:
        raise Usage(f"Nobody plays {system.title or system.name} without people.", "It has no bot.")
    return GenericPlayer(name, system, BREADTHS[name])


class Breadth(NamedTuple):
    """How much a player weighs: the number of options, and the number of plays of each.

    If `plays` is 0, each option is played with every result of the dice.
    """

    options: int
    plays: int


BREADTHS = {"quick": Breadth(12, 1), "good": Breadth(60, 6), "full": Breadth(0, 0)}
"""0 options mean all; 0 plays mean every fall of the dice, or an estimate where there are too many."""


class GenericPlayer(UnweighedAnswers):
    """A player of any system, with the options and the values of positions from the system's bot."""

    def __init__(self, name: str, system: System, breadth: Breadth) -> None:
        super().__init__()
        self.name = name
        self.system = system
        self.breadth = breadth

    def choose_command(self, world: World, person: str = "") -> Option | None:
        """Return the option after which the side's position is worth most, on average over the dice.

        Of equal options the first is returned. Return None if there is no option.
        """
        table: Mapping[str, object] | None = scene_table(world.state, self.system.scene.key)
        if table is None:
            return None
        scene = scene_of(self.system, table, {})
        if not person and scene.order and scene.order.active:
            person = str(scene.order.active)
        side = scene.people[person].side if person in scene.people else person
        if side and not self.breadth.plays:
            return best_option(self.system, world, side, "" if scene.order else side, self._expected_decision)
        legal = [one for one in legal_options(self.system, world) if not one.answers]
        own = [one for one in legal if not side or one.side in ("", side)] or legal
        if len(own) < 2 or not side:
            return own[0] if own else None
        few = (
            own
            if len(own) <= self.breadth.options
            else [own[number * len(own) // self.breadth.options] for number in range(self.breadth.options)]
        )
        worth = bot_of(self.system).evaluate
        gains = [self._average_value(world, one, side, worth) for one in few]
        return few[max(range(len(few)), key=gains.__getitem__)]

    def _average_value(
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
                drive(
                    continue_command(Underway(world, option), after, self._expected_decision),
                    after,
                    dice,
                    default_answer,
                )
            except Refused:
                return float("-inf")
            total += worth(after, side)
        return total / self.breadth.plays

    def _expected_decision(self, underway: Underway, question: Choose) -> str:
        """Return the answer that is best for the decider's side, judged by one play of each answer."""
        return best_answer(self.system, underway, question, 1) or default_answer(question)

    def decide(self, world: World, question: Choose, underway: Underway | None = None) -> str:
        """Return the option of a question after which the decider's side is best off.

        If no option can be weighed, it is the question's default or its first option.
        """
        best = underway and best_answer(self.system, underway, question, self.breadth.plays)
        return best or self.unasked(question)
