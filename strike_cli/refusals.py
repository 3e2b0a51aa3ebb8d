"""Refusals that several places share: each a class, with its fields and one template."""

from __future__ import annotations

from strike_cli.problems import BridgeProblem, CampaignProblem, Refused, Stated, Usage


class NewerSchema(Stated, CampaignProblem):
    """A file of a later strike."""

    path: object
    schema: object
    ours: int
    hint: str = "Upgrade strike: `pip install --upgrade strike-cli`. Nothing was changed."

    says = "{path}: schema = {schema} is newer than this strike understands ({ours})."


class NotToml(Stated, CampaignProblem):
    """A file that is no TOML."""

    path: object
    fault: object
    hint: str = ""

    says = "{path} is not valid TOML: {fault}."


class Unreadable(Stated, CampaignProblem):
    """A file that can't be read."""

    path: object
    fault: object
    hint: str = ""

    says = "{path} can't be read: {fault}."


class Unwritable(Stated, CampaignProblem):
    """A file that can't be written."""

    path: object
    fault: object
    hint: str = ""

    says = "{path} can't be written: {fault}."


class UndoHowMany(Stated, Usage):
    """An undo of no entries."""

    number: object
    hint: str = ""

    says = "undo {number}: give a number of 1 or more."


class MayBeSeveral(Stated, Usage):
    """A word that somebody typed means several things."""

    typed: str
    several: str
    hint: str = ""

    says = "{typed} is ambiguous: {several}."


class TakenBack(Stated, Refused):
    """The person who was asked took the command back."""

    hint: str = "Nothing of it was recorded."

    says = "The command is taken back."


class UnwritableArgument(Stated, Usage):
    """A file that can't be written (an argument names it)."""

    path: object
    fault: object
    hint: str = "Choose another file."

    says = "{path} can't be written: {fault}."


class NoCampaignHere(Stated, CampaignProblem):
    """The folder is no campaign's."""

    hint: str = ""

    says = "There is no campaign here."


class NotProposable(Stated, Refused):
    """A proposal of a command that players may not play."""

    hint: str = "`options` lists the legal lines."

    says = "That can't be proposed."


class NoSceneUnderWay(Stated, Refused):
    """No prepared scene is under way."""

    hint: str = ""

    says = "No scene is under way."


class NoTable(Stated, Refused):
    """A random table that nobody wrote."""

    name: str
    hint: str = ""

    says = "There is no table {name}."


class UnreadableArgument(Stated, Usage):
    """A file that can't be read (an argument names it)."""

    path: object
    fault: object
    hint: str = ""

    says = "{path} can't be read: {fault}."


class ThereAlready(Stated, Refused):
    """The thing to make exists already."""

    what: object
    hint: str = ""

    says = "{what} exists already."


class NotOnMap(Stated, Refused):
    """A person or a square that is not on the map."""

    who: str
    hint: str = ""

    says = "{who} is not on the map."


class StandsThere(Stated, Refused):
    """A move to the square where somebody is already."""

    who: str
    square: str
    hint: str = ""

    says = "{who} stands on {square} already."


class SquareTaken(Stated, Refused):
    """A square that is occupied by somebody else."""

    who: str
    square: str
    hint: str = ""

    says = "{who} stands on {square}."


class WhereNobodyKnows(Stated, Refused):
    """A target that is hidden from the actor."""

    who: str
    hint: str = ""

    says = "Nobody knows where {who} is."


class DoorIsSo(Stated, Refused):
    """A door is already open, or already closed."""

    square: str
    how: str
    hint: str = ""

    says = "The door at {square} is {how} already."


class WhereTheyComeIn(Stated, Usage):
    """Reinforcements without a place."""

    hint: str = ""

    says = "Where do they come in?"


class StillGoingOn(Stated, Refused):
    """A scene is under way where another would begin."""

    scene: str
    hint: str = ""

    says = "{scene} is still going on."


class TooFewPartySquares(Stated, Refused):
    """A map with too few squares for the party."""

    squares: int
    characters: int
    hint: str = "Add party squares to the encounter's map, or name fewer with --party."

    says = "The map has {squares} party squares for {characters} characters."


class NobodyInArea(Stated, Refused):
    """An area with nobody in it."""

    power: str
    hint: str = ""

    says = "{power} would hit nobody there."


class SomebodysTurn(Stated, Refused):
    """Somebody else's turn is under way."""

    who: str
    hint: str = ""

    says = "It is {who}'s turn."


class CantStandUp(Stated, Refused):
    """Somebody who can't stand up."""

    who: str
    why: str
    hint: str = ""

    says = "{who} can't stand up: {why}."


class HasBegunToAct(Stated, Refused):
    """Somebody who has acted in this turn."""

    who: str
    hint: str = ""

    says = "{who} has begun to act."


class NamedTwice(Stated, Usage):
    """A person who is named twice where once is meant."""

    who: str
    hint: str = ""

    says = "{who} is named twice."


class LacksSkill(Stated, Refused):
    """Somebody without that Skill."""

    who: str
    skill: str
    hint: str = ""

    says = "{who} does not have {skill}."


class NoConflict(Stated, Refused):
    """No conflict is under way."""

    hint: str = ""

    says = "There is no conflict."


class OddsOfWhat(Stated, Usage):
    """Odds of nothing in particular."""

    hint: str = ""

    says = "Odds of what?"


class IsOver(Stated, Refused):
    """A scene that has ended."""

    scene: str
    how: str
    hint: str = ""

    says = "{scene} is over: {how}."


class SkilledOrUnskilled(Stated, Usage):
    """Neither skilled nor unskilled."""

    option: str
    typed: str
    hint: str = ""

    says = "--{option}: {typed} should be skilled or unskilled."


class ThereAlreadyArgument(Stated, Usage):
    """The thing to make exists already (an argument names it)."""

    what: object
    hint: str = "Rename it, or the file that you import."

    says = "{what} exists already."


class NothingSent(Stated, BridgeProblem):
    """Data that a target may not be sent, since nobody has agreed to it."""

    target: str
    hint: str

    says = "Nothing is sent to {target}."


class AnotherWorker(Stated, BridgeProblem):
    """A target that another process delivers to."""

    target: str
    hint: str = "Try again when it has finished."

    says = "Another worker is delivering to {target}."


class NoTomlTarget(Stated, Usage):
    """A target that is written in Python, where one in TOML is needed."""

    target: str
    hint: str = ""

    says = "{target} is not a target made of TOML alone."


class NotThere(Stated, Refused):
    """A person who is not in the scene."""

    who: str
    hint: str = ""

    says = "{who} is not here."


class NoEncounter(Stated, Refused):
    """An encounter that campaign.toml doesn't have."""

    name: str
    hint: str = ""

    says = "There is no encounter {name}."


class NobodyCalled(Stated, Refused):
    """A name that nobody in any file has."""

    name: str
    hint: str = "`strike character list` has the party."

    says = "There is nobody called {name}."


class CommandWants(Stated, Usage):
    """A command without something that it needs."""

    command: str
    what: str
    hint: str = ""

    says = "`{command}` needs {what}."


class NothingUnderWay(Stated, Refused):
    """No scene of a system is under way."""

    system: str
    hint: str = ""

    says = "No scene of {system} is under way."


class NobodysTurn(Stated, Refused):
    """Nobody's turn is under way."""

    hint: str = ""

    says = "It is nobody's turn."


class NoneSuch(Stated, Usage):
    """A name that nothing has."""

    what: str
    name: str
    meant: str
    hint: str = ""

    says = "There is no {what} {name}.{meant}"


class CantHaveThere(Stated, Refused):
    """A thing that a person can't have in a scene."""

    who: str
    what: object
    hint: str = ""

    says = "{who} can't have {what} there."


class FogOnMap(Stated, Refused):
    """A map with fog."""

    hint: str = ""

    says = "There is fog on this map."


class NoFogOnMap(Stated, Refused):
    """A map without fog."""

    hint: str = ""

    says = "There is no fog on this map."


class PlayersDoAlready(Stated, Refused):
    """An override to allow players what they may do already."""

    what: str
    hint: str = ""

    says = "Players {what} them already."


class StandsOnIt(Stated, Refused):
    """A square that is occupied by a person, where a thing should go."""

    who: str
    hint: str = ""

    says = "{who} stands there."


class NoZone(Stated, Refused):
    """A zone that is not on the map."""

    name: str
    hint: str = ""

    says = "There is no zone {name}."


class NoSheet(Stated, Refused):
    """Somebody without a sheet."""

    name: str
    hint: str = ""

    says = "There is no character or creature {name}."


class OutOfIt(Stated, Refused):
    """A person who is out of the scene."""

    who: str
    how: str
    hint: str = ""

    says = "{who} is out of it: {how}."


class NeedsName(Stated, Usage):
    """Something new without a name."""

    hint: str = ""

    says = "It needs a name."


class NoAddress(Stated, CampaignProblem):
    """A setting of the bridge that should be an address."""

    where: str
    typed: str
    hint: str = ""

    says = "{where}: {typed} is not an address."
