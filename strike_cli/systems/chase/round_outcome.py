"""Everything that affects a round of a chase, and the outcome of the round.

Nothing here asks a question or records a fact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.systems.core.opposed_rolls import is_complete_win, loser_option_ids
from strike_cli.systems.core.skill_roll import Helper, total_with_help
from strike_cli.tabletop.dice import Modifier, Rolled, Source

from .rule_tables import (
    CAUGHT,
    CHASERS,
    ESCAPED,
    RUNNERS,
    SIDES,
    STOPPED,
    actions,
    cast_to_side_id,
    other_side,
    range_modifier,
    track_places,
)

if TYPE_CHECKING:
    from .data import ChaseCounts, ChaseRoundData, RoundEffect, RoundMore


def odds_key(data: ChaseRoundData) -> ChaseCounts:
    """Return the values by which `strike odds` tells the results of a chase's round apart.

    They are the round's winner, the range after the round, and the kind of end, if any.
    """
    ended = _end_kind(data["ended"], data["complete"] is False)
    return {"winner": data["winner"], "range_after": data["range_after"], "ended": ended}


def _end_kind(ended: str | None, close: bool) -> str | None:
    return f"{ended}-close" if ended and close else ended


class ChaseRoller(NamedTuple):
    """A person who rolls for a side, with everything that affects the roll except range and prediction.

    `skill` is the Skill that is named for a Hide, and `banked` are the ids of the banked bonuses that the
    roll spends.
    """

    who: str = ""
    sources: tuple[Source, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    skill: str = ""
    banked: tuple[str, ...] = ()
    helpers: tuple[Helper, ...] = ()
    """The helpers in a Hide (STR-CORE-20)."""
    unlisted: bool = False
    """Whether the Skill is on nobody's sheet, and so is rolled Unskilled for the first time (STR-CORE-02)."""


class Shooter(NamedTuple):
    """A person who shoots at a side (`at`)."""

    at: str
    roller: ChaseRoller


class ChaseRound(NamedTuple):
    """Everything that affects the outcome of a round of a chase."""

    action: str
    prediction: str
    range: str
    danger: int = 0
    drivers: Mapping[str, ChaseRoller] = dict.fromkeys(SIDES, ChaseRoller())
    shooters: Sequence[Shooter] = ()
    advantage: bool = False
    """Whether the Runners have Advantage from their last action."""
    unskilled: str = ""
    """The side that is Unskilled in a Hide against a Skilled one, "" for none."""
    people: Mapping[str, Sequence[str]] = dict.fromkeys(SIDES, ("",))
    """The people on each side; "" is somebody without a name."""
    number: int = 0
    """The number of the round in the chase under way, 0 for a bare round, which changes no state."""

    @property
    def is_opposed_roll(self) -> bool:
        """Whether the Runners' action makes the round an Opposed Roll, as a Hide does (STR-CH-05)."""
        return bool(actions()[self.action].get("opposed"))


class Shot(NamedTuple):
    """A shot at a side of the chase, and its effects (STR-CH-07).

    `at` is the side. `beats` is whether the shot's roll beats the driver's roll. `takes_out` is whether the
    shot takes somebody out, and `taken_out` is that person.
    """

    at: str
    roll: Rolled
    beats: bool
    takes_out: bool
    taken_out: str | None = None


class ChaseOutcome:
    """The outcome of a round, filled in while the round is played.

    `rolls` are the drivers' rolls, by side. `chasers_answer` is the Chasers' answer to a Risk. `tie` is
    whether the rolls were equal, even if the tie was broken. `margin` is the margin by which a Hide was won,
    None for other rounds. `close` is whether the loser of a Hide has a choice (STR-CORE-16). `people_left`
    are the people whom no shot has taken out, and `more_data` is further data for the command's result.
    """

    def __init__(self, chase_round: ChaseRound) -> None:
        self.round = chase_round
        self.rolls: dict[str, Rolled] = {}
        self.shots: list[Shot] = []
        self.helps: dict[str, Sequence[Rolled]] = {}
        self.people_left = {side: list(people) for side, people in chase_round.people.items()}
        self.chasers_answer = ""
        self.crashed: list[str] = []
        self.winner: str | None = None
        self.tie = False
        self.margin: int | None = None
        self.close = False
        self.range = chase_round.range
        self.advantage = False
        self.ended: str | None = None
        self.more_data: RoundMore = {"round": chase_round.number} if chase_round.number else {}

    def apply_effect(self, effect: RoundEffect) -> None:
        """Apply an effect from the table of actions to the chase.

        An effect can change the range, give Advantage, or end the chase.
        """
        places = track_places()
        at = places.index(effect.get("range", self.range)) + effect.get("steps", 0)
        self.range = places[min(max(at, 0), len(places) - 1)]
        self.ended = effect.get("ended") or (self.range if self.range in (CAUGHT, ESCAPED) else None)
        if self.ended in (CAUGHT, ESCAPED):
            self.range = self.ended
        self.advantage = bool(effect.get("advantage")) and self.ended is None

    def set_winner_and_apply_action_effect(self, side: str, margin: int) -> None:
        """Make a side the winner, and apply the effect that the Runners' action has if this side wins.

        `margin` is by how much the side has won; 0 if a tie was broken. In a Hide, the margin is stored, and
        also whether the win is close (STR-CORE-16, 17).
        """
        self.winner = side
        self.apply_effect(actions()[self.round.action][cast_to_side_id(side)])
        if self.round.is_opposed_roll:
            self.margin = margin
            self.close = not is_complete_win(margin)

    def end_by_shots(self, only_side_gone: str | None) -> None:
        """End the chase because nobody is left on a side; the other side wins (STR-CH-07).

        With `only_side_gone` None nobody is left on either side: then the chase is called off (a ruling).
        """
        self.winner = other_side(only_side_gone) if only_side_gone else None
        self.ended = {RUNNERS: CAUGHT, CHASERS: ESCAPED, None: STOPPED}[only_side_gone]
        self.range = self.ended if only_side_gone else self.range
        self.advantage = False

    def total_without_range(self, side: str) -> int:
        """Return the total of a side's roll without the Range Modifier, for crashes (STR-CH-05, 06)."""
        return self.rolls[side].total - range_modifier(self.round.action, side, self.round.range)

    def total_and_help(self, side: str) -> tuple[int, list[int]]:
        """Return a side's total with help, and what each helper adds (STR-CORE-20)."""
        return total_with_help(self.rolls[side].total, [roll.total for roll in self.helps.get(side, ())])

    @property
    def kind_of_end(self) -> str | None:
        """The kind of end, None if the chase goes on. Close wins are marked: `hidden-close`."""
        return _end_kind(self.ended, self.close)

    def as_data(self) -> ChaseRoundData:
        """Return the data of the command that played the round."""
        return {
            **self.more_data,
            "runners_action": self.round.action,
            "prediction": self.round.prediction,
            "runners": self.rolls[RUNNERS].as_json() if RUNNERS in self.rolls else None,
            "chasers": self.rolls[CHASERS].as_json() if CHASERS in self.rolls else None,
            "chasers_chose": self.chasers_answer or None,
            "shots": [
                {"at": shot.at, "roll": shot.roll.as_json(), "beats": shot.beats, "taken_out": shot.taken_out}
                for shot in self.shots
            ],
            "winner": self.winner,
            "tie": self.tie,
            "helpers": [
                {"name": roll.who, "roll": roll.as_json(), "added": gain, "side": side}
                for side in self.helps
                for roll, gain in zip(self.helps[side], self.total_and_help(side)[1], strict=True)
            ],
            "margin": self.margin,
            "complete": None if self.margin is None or self.winner is None else not self.close,
            "loser_options": loser_option_ids() if self.close else [],
            "range_before": self.round.range,
            "range_after": self.range,
            "danger": self.round.danger,
            "crashed": list(self.crashed),
            "runners_advantage_next": self.advantage,
            "ended": self.ended,
        }
