"""Players' answers from a tabletop, handled as their phones' answers are.

They pass the same checks and become the same command in the same journal (strike_cli.phones.players_api).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.problems import BridgeProblem
from strike_cli.terminal.result import Line

if TYPE_CHECKING:
    from strike_bridge.pull import Pull
    from strike_bridge.targets.base import Answered
    from strike_cli.phones.players_api import PhoneDoor

TAKEN, PROPOSED, DICE, NOT = "taken", "proposed", "wants dice", "not taken"
BUSY = 503
"""The status of what could be taken a moment later."""
_LATER = "It can't be taken just now: it is tried again."
_NOT_THEIRS = "That is not yours to answer."
_GONE = "That was decided already, or taken back."


class Pressed(NamedTuple):
    """What became of an answer: `state`, and why it isn't taken. `who` is empty where nobody is asked."""

    target: str
    user: str
    who: str
    asks: str
    option: str
    state: str
    why: str = ""

    def as_json(self) -> dict[str, object]:
        return {**self._asdict(), "who": self.who or None, "why": self.why or None}


def take_answers(looking: Pull, folder: Path, only: tuple[str, ...] = ()) -> Iterator[Pressed]:
    """Take the answers of players at a target, one after the other.

    Raises BridgeProblem where it can't be asked.
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
        who, asks = door.asked(answered.decision)
        if not only or who in only:
            yield _take(looking, door, answered, who, asks)


def _take(looking: Pull, door: PhoneDoor, answered: Answered, who: str, asks: str) -> Pressed:
    from strike_table.players import NotTaken

    name = looking.settings.name

    def came(state: str, why: str = "") -> Pressed:
        return Pressed(name, answered.user[1] or answered.user[0], who, asks, answered.option, state, why)

    if who and looking.settings.words_of("players").get(who) not in answered.user:
        looking.settle_answer(answered, _NOT_THEIRS)
        return came(NOT, _NOT_THEIRS)
    if not who:
        looking.settle_answer(answered, _GONE)
        return came(NOT, _GONE)
    looking.begin_answer(answered)
    try:
        found = door.answer(who, answered.decision, answered.option, answered.faces, name)
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
