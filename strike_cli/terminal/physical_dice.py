"""Asks for the faces of physical dice, roll by roll, with the roller and the purpose."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from strike_cli.refusals import CommandWithdrawn

from ..problems import Refused, Usage
from ..untrusted_input import replace_unprintable
from .invocation import FacesOf

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.procedure import Roll
    from ..kernel.state_changes import State
    from ..play.command_execution import PerformedCommand, PlaySettings

PHYSICAL = "physical"


def play_asking_for_faces(
    ask: FacesOf | None,
    campaign: Campaign | None,
    settings: PlaySettings,
    play: Callable[[], PerformedCommand],
    *,
    must_ask_all_rolls: bool = False,
) -> PerformedCommand:
    """Play a command by calling `play`; ask for the faces of each roll that uses physical dice.

    With `must_ask_all_rolls` (`--dice ask`), every roll uses physical dice. Without it, the campaign says
    which rolls do. Strike rolls all other dice. If the settings already give faces, nobody is asked.

    The campaign is closed while somebody is asked, so that others can write. After each answer, the command
    is played again from the start, with all faces entered so far.

    Raises Usage if `must_ask_all_rolls` is set and nobody can be asked. Raises Refused if the command is
    taken back. Raises FacesNeeded if `ask` postpones the answer.
    """
    from ..kernel.driver import FacesNeeded, PartlyRealDice

    if ask is None and must_ask_all_rolls:
        raise Usage("--dice ask needs a terminal.", "`--dice 5,2` gives the faces beforehand.")
    asks = physical_dice_test(campaign, all_rolls=must_ask_all_rolls) if ask is not None else None
    if asks is None or ask is None or settings.dice is not None:
        return play()
    given: list[list[int] | None] = []
    settings.on_the_table = partial(PartlyRealDice, asks, given)
    while True:
        try:
            return play()
        except FacesNeeded as wanted:
            if campaign is not None:
                campaign.close()
            try:
                given.append(
                    ask(_roll_with_texts(campaign, wanted.roll), _name_of_roller(campaign, wanted.roll.who))
                )
            except FacesNeeded:
                raise wanted from None  # as the rules ask for it, not in the game master's words
            if campaign is not None:
                campaign.reopen()


def physical_dice_test(
    campaign: Campaign | None, *, all_rolls: bool = False
) -> Callable[[Roll], bool] | None:
    """Return a function that returns whether a roll uses physical dice; None if no roll does.

    With `all_rolls`, every roll does. Otherwise the `mode` of `[dice]` in campaign.toml decides. An entry for
    a player, or for creatures, takes precedence over the mode.
    """
    if all_rolls:
        return lambda roll: True
    rules = campaign.book.dice if campaign is not None else {}
    if not rules:
        return None
    mode = rules.get("mode", "strike")
    characters = campaign.book.characters if campaign is not None else {}
    players = rules.get("players", {})
    sheets = sheet_ids_by_person_or_side(campaign.state) if campaign is not None else {}

    def is_physical(roll: Roll) -> bool:
        if not roll.who:
            return bool(mode == PHYSICAL)
        played = [ref for ref in sheets.get(roll.who, [roll.who]) if ref in characters]
        if not played:
            return bool(rules.get("creatures", mode) == PHYSICAL)
        return any(players.get(characters[ref].get("player", ""), mode) == PHYSICAL for ref in played)

    return is_physical


def sheet_ids_by_person_or_side(state: State) -> dict[str, list[str]]:
    """Return the ids of the sheets of each person and of each side in the scenes under way.

    The keys are ids of people and ids of sides. In scenes that declare their sides, the names of the sides
    are keys, too. A side has the sheets of all its people.
    """
    from ..registry.scenes_and_decisions_in_state import scenes_of

    found: dict[str, list[str]] = {}
    for scene in scenes_of(state):
        for person, one in scene.people.items():
            found.setdefault(one.side, []).append(one.ref or person)
        for side in scene.sides:
            found[side.id] = found[side.name] = [*found.get(side.id, ()), *side.team]
        found |= {person: [one.ref or person] for person, one in scene.people.items()}
    return found


def _roll_with_texts(campaign: Campaign | None, roll: Roll) -> Roll:
    """Return a copy of a roll with its reason and its purpose in words."""
    from ..kernel.statements import say
    from ..tabletop.characters_and_names import GameMasterSpeaker

    speaker = GameMasterSpeaker(campaign.book, [campaign.state]) if campaign else GameMasterSpeaker()
    why = roll.why if isinstance(roll.why, str) else say(roll.why, speaker) or ""
    return roll.but(why=why, purpose=speaker.language.purpose(roll.purpose))


def _name_of_roller(campaign: Campaign | None, person: str) -> str:
    if campaign is None:
        return person
    from ..registry.scenes_and_decisions_in_state import scenes_of

    for scene in scenes_of(campaign.state):
        if person in scene.people:
            return scene.people[person].name
        for side in scene.sides:
            if person == side.id:
                return side.name
    return str(campaign.book.characters.get(person, {}).get("name", person))


def question_for_roll(roll: Roll, name: str) -> str:
    """Return the question for a roll's faces: `Vex Marlowe, 2d6 for Climbing (the worse counts: Winded)`."""
    dice = f"{roll.n}d{roll.sides}" if roll.n > 1 else f"d{roll.sides}"
    why = f" ({roll.why})" if roll.why else ""
    return replace_unprintable(f"{name or 'The table'}, {dice} for {roll.purpose}{why}")


TAKE_BACK = "undo"
"""The words that take back the command whose dice are asked for."""


def taken_back_refusal() -> Refused:
    """Return the refusal of a command that was taken back when the dice were asked for."""
    return CommandWithdrawn()


def valid_faces_words(roll: Roll) -> str:
    """Return in words what a roll's faces must be: `2 faces from 1 to 6`."""
    return f"{'a face' if roll.n == 1 else f'{roll.n} faces'} from 1 to {roll.sides}"


def ask_faces(roll: Roll, name: str) -> list[int] | None:
    """Ask at the terminal for the faces of a roll until they are valid, and return them.

    Return None for an empty line, so that strike makes the roll. Raises Refused if the command is taken back
    (`undo`).
    """
    from .command_output import write_text_to_stdout
    from .stream_encoding import decode_typed

    while True:
        try:
            typed = decode_typed(input(f"{question_for_roll(roll, name)}: ")).strip()
        except EOFError:
            return None
        if not typed:
            return None
        if typed == TAKE_BACK:
            raise taken_back_refusal()
        faces = parse_faces(typed, roll)
        if faces is not None:
            return faces
        write_text_to_stdout(
            f"It takes {valid_faces_words(roll)}; an empty line lets strike roll, `undo` takes the "
            f"command back.\n"
        )


def parse_faces(typed: str, roll: Roll) -> list[int] | None:
    """Return the faces that were typed for a roll; None if they aren't valid for that roll.

    They are typed as `5 2` or `5,2`, or as `52` for dice with fewer than ten sides.
    """
    words = re.split(r"[\s,]+", typed)
    if len(words) == 1 and roll.sides < 10:
        words = list(typed)
    if len(words) != roll.n or not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
        return None
    faces = [int(word) for word in words]
    return faces if all(1 <= face <= roll.sides for face in faces) else None
