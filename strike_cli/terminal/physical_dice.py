"""Dice on the table, asked for roll by roll: roller, number, purpose, and which of two counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from strike_cli.refusals import TakenBack

from ..problems import Refused, Usage
from ..safe_reading import printable
from .invocation import FacesOf

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.facts import State
    from ..kernel.procedure import Roll
    from ..play.execute import How, Performed

PHYSICAL = "physical"


def asking_for_faces(
    ask: FacesOf | None,
    campaign: Campaign | None,
    how: How,
    played: Callable[[], Performed],
    *,
    everybody: bool = False,
) -> Performed:
    """Play, asking for the faces of every roll whose dice are on the table, or of all rolls (`everybody`).

    Strike rolls the others. While somebody rolls, others may write: the command is then played anew with the
    faces given so far.

    Raises Usage for `everybody` (`--dice ask`) where nobody can be asked, Refused where the command is taken
    back, FacesWanted where `ask` postpones the answer.
    """
    from ..kernel.driver import AskedDice, FacesWanted

    if ask is None and everybody:
        raise Usage("--dice ask needs a terminal.", "`--dice 5,2` gives the faces beforehand.")
    asks = make_dice_test(campaign, everybody=everybody) if ask is not None else None
    if asks is None or ask is None or how.dice is not None:
        return played()
    given: list[list[int] | None] = []
    how.on_the_table = partial(AskedDice, asks, given)
    while True:
        try:
            return played()
        except FacesWanted as wanted:
            if campaign is not None:
                campaign.close()
            try:
                given.append(ask(_worded(campaign, wanted.roll), _name_of(campaign, wanted.roll.who)))
            except FacesWanted:
                raise wanted from None  # as the rules ask for it, not in the game master's words
            if campaign is not None:
                campaign.reopen()


def make_dice_test(campaign: Campaign | None, *, everybody: bool = False) -> Callable[[Roll], bool] | None:
    """Return a test for rolls whose dice are on the table, by the campaign, or for all (`everybody`).

    Return None where there are no such rolls.
    """
    rules = campaign.book.dice if campaign is not None else {}
    if not (everybody or rules):
        return None
    mode = PHYSICAL if everybody else rules.get("mode", "strike")
    characters = campaign.book.characters if campaign is not None else {}
    players = rules.get("players", {})
    sheets = sheets_behind(campaign.state) if campaign is not None else {}

    def asks(roll: Roll) -> bool:
        if not roll.who:
            return bool(mode == PHYSICAL)
        played = [ref for ref in sheets.get(roll.who, [roll.who]) if ref in characters]
        if not played:
            return bool(rules.get("creatures", mode) == PHYSICAL)
        return any(players.get(characters[ref].get("player", ""), mode) == PHYSICAL for ref in played)

    return asks


def sheets_behind(state: State) -> dict[str, list[str]]:
    """Return the sheets of everybody in the scenes under way, by id.

    Under a side's id and its name are the sheets of everybody on it.
    """
    from ..registry.scenes import scenes_of

    found: dict[str, list[str]] = {}
    for scene in scenes_of(state):
        for person, one in scene.people.items():
            found.setdefault(one.side, []).append(one.ref or person)
        for side in scene.sides:
            found[side.id] = found[side.name] = [*found.get(side.id, ()), *side.team]
        found |= {person: [one.ref or person] for person, one in scene.people.items()}
    return found


def _worded(campaign: Campaign | None, roll: Roll) -> Roll:
    """Return a roll with its subject and its purpose in words."""
    from ..kernel.statements import say
    from ..tabletop.people import GameMaster

    speaker = GameMaster(campaign.book, [campaign.state]) if campaign else GameMaster()
    why = roll.why if isinstance(roll.why, str) else say(roll.why, speaker) or ""
    return roll.but(why=why, purpose=speaker.language.purpose(roll.purpose))


def _name_of(campaign: Campaign | None, person: str) -> str:
    if campaign is None:
        return person
    from ..registry.scenes import scenes_of

    for scene in scenes_of(campaign.state):
        if person in scene.people:
            return scene.people[person].name
        for side in scene.sides:
            if person == side.id:
                return side.name
    return str(campaign.book.characters.get(person, {}).get("name", person))


def question_for_roll(roll: Roll, name: str) -> str:
    """Return the question for a roll in words: `Vex Marlowe, 2d6 for Climbing (the worse counts: Winded)`."""
    dice = f"{roll.n}d{roll.sides}" if roll.n > 1 else f"d{roll.sides}"
    why = f" ({roll.why})" if roll.why else ""
    return printable(f"{name or 'The table'}, {dice} for {roll.purpose}{why}")


TAKE_BACK = "undo"
"""The words that take back the command whose dice are asked for."""


def taken_back_refusal() -> Refused:
    """Return the refusal of a command that is taken back at a question."""
    return TakenBack()


def faces_wanted(roll: Roll) -> str:
    """Return the description of a roll's faces: `2 faces from 1 to 6`."""
    return f"{'a face' if roll.n == 1 else f'{roll.n} faces'} from 1 to {roll.sides}"


def ask_faces(roll: Roll, name: str) -> list[int] | None:
    """Ask for the faces of a roll until they are valid; return None for an empty line: strike rolls.

    Raises Refused where the command is taken back (`undo`).
    """
    from .encoding import decode_typed
    from .result import print_text

    while True:
        try:
            typed = decode_typed(input(f"{question_for_roll(roll, name)}: ")).strip()
        except EOFError:
            return None
        if not typed:
            return None
        if typed == TAKE_BACK:
            raise taken_back_refusal()
        faces = faces_of(typed, roll)
        if faces is not None:
            return faces
        print_text(
            f"It takes {faces_wanted(roll)}; an empty line lets strike roll, `undo` takes the command back.\n"
        )


def faces_of(typed: str, roll: Roll) -> list[int] | None:
    """Return the faces in `5 2`, `5,2`, or `52` for dice with less than ten sides.

    Return None where they aren't valid faces of the roll.
    """
    words = re.split(r"[\s,]+", typed)
    if len(words) == 1 and roll.sides < 10:
        words = list(typed)
    if len(words) != roll.n or not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
        return None
    faces = [int(word) for word in words]
    return faces if all(1 <= face <= roll.sides for face in faces) else None
