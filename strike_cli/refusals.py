"""Refusals that several places share: a class for each, with its fields and one template."""

from __future__ import annotations

from strike_cli.problems import BridgeProblem, CampaignProblem, Refused, Stated, Usage


class NewerSchema(Stated, CampaignProblem):
    """A file written by a newer version of strike."""

    path: object
    schema: object
    ours: int
    hint: str = "Upgrade strike: `pip install --upgrade strike-cli`. Nothing was changed."

    says = "{path}: schema = {schema} is newer than this strike understands ({ours})."


class NotToml(Stated, CampaignProblem):
    """A file that is not valid TOML."""

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
    """An undo of fewer than one command."""

    number: object
    hint: str = ""

    says = "undo {number}: give a number of 1 or more."


class MayBeSeveral(Stated, Usage):
    """A typed word that may mean several things."""

    typed: str
    several: str
    hint: str = ""

    says = "{typed} is ambiguous: {several}."


class TakenBack(Stated, Refused):
    """A command that was withdrawn by the person whom it asked for a decision."""

    hint: str = "Nothing of it was recorded."

    says = "The command is taken back."


class UnwritableArgument(Stated, Usage):
    """An argument that names a file that can't be written."""

    path: object
    fault: object
    hint: str = "Choose another file."

    says = "{path} can't be written: {fault}."


class NoCampaignHere(Stated, CampaignProblem):
    """A folder that is not a campaign's."""

    hint: str = ""

    says = "There is no campaign here."


class NotProposable(Stated, Refused):
    """A proposal of a command that players may not play."""

    hint: str = "`options` lists the legal lines."

    says = "That can't be proposed."


class NoSceneUnderWay(Stated, Refused):
    """A command about the prepared scene under way when there is none."""

    hint: str = ""

    says = "No scene is under way."


class NoTable(Stated, Refused):
    """The name of a random table that doesn't exist."""

    name: str
    hint: str = ""

    says = "There is no table {name}."


class UnreadableArgument(Stated, Usage):
    """An argument that names a file that can't be read."""

    path: object
    fault: object
    hint: str = ""

    says = "{path} can't be read: {fault}."


class ThereAlready(Stated, Refused):
    """The creation of something that exists already."""

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
    """The opening of an open door, or the closing of a closed one."""

    square: str
    how: str
    hint: str = ""

    says = "The door at {square} is {how} already."


class WhereTheyComeIn(Stated, Usage):
    """Reinforcements without a square to enter on."""

    hint: str = ""

    says = "Where do they come in?"


class StillGoingOn(Stated, Refused):
    """The start of a scene while another is under way."""

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
    """A power used on an area with nobody in it."""

    power: str
    hint: str = ""

    says = "{power} would hit nobody there."


class SomebodysTurn(Stated, Refused):
    """An action during somebody else's turn."""

    who: str
    hint: str = ""

    says = "It is {who}'s turn."


class CantStandUp(Stated, Refused):
    """An attempt to stand up by somebody who can't."""

    who: str
    why: str
    hint: str = ""

    says = "{who} can't stand up: {why}."


class HasBegunToAct(Stated, Refused):
    """An action that is possible only before acting, by somebody who has acted in this turn."""

    who: str
    hint: str = ""

    says = "{who} has begun to act."


class NamedTwice(Stated, Usage):
    """A person named twice in a command that takes each person once."""

    who: str
    hint: str = ""

    says = "{who} is named twice."


class LacksSkill(Stated, Refused):
    """A use of a Skill by somebody who doesn't have it."""

    who: str
    skill: str
    hint: str = ""

    says = "{who} does not have {skill}."


class NoConflict(Stated, Refused):
    """A command about the conflict under way when there is none."""

    hint: str = ""

    says = "There is no conflict."


class OddsOfWhat(Stated, Usage):
    """A request for odds that doesn't say of what."""

    hint: str = ""

    says = "Odds of what?"


class IsOver(Stated, Refused):
    """A command in a scene that has ended."""

    scene: str
    how: str
    hint: str = ""

    says = "{scene} is over: {how}."


class SkilledOrUnskilled(Stated, Usage):
    """An option's value that should be "skilled" or "unskilled", and is neither."""

    option: str
    typed: str
    hint: str = ""

    says = "--{option}: {typed} should be skilled or unskilled."


class ThereAlreadyArgument(Stated, Usage):
    """An argument that would create something that exists already."""

    what: object
    hint: str = "Rename it, or the file that you import."

    says = "{what} exists already."


class NothingSent(Stated, BridgeProblem):
    """Data that may not be sent to a target, since nobody has agreed to its terms."""

    target: str
    hint: str

    says = "Nothing is sent to {target}."


class AnotherWorker(Stated, BridgeProblem):
    """A target that another process delivers to."""

    target: str
    hint: str = "Try again when it has finished."

    says = "Another worker is delivering to {target}."


class NoTomlTarget(Stated, Usage):
    """A target written in Python, where one described in TOML is needed."""

    target: str
    hint: str = ""

    says = "{target} is not a target made of TOML alone."


class NotThere(Stated, Refused):
    """A command about a person who is not in the scene."""

    who: str
    hint: str = ""

    says = "{who} is not here."


class NoEncounter(Stated, Refused):
    """An encounter that campaign.toml doesn't have."""

    name: str
    hint: str = ""

    says = "There is no encounter {name}."


class NobodyCalled(Stated, Refused):
    """A name that no character or creature has."""

    name: str
    hint: str = "`strike character list` has the party."

    says = "There is nobody called {name}."


class CommandWants(Stated, Usage):
    """A command that lacks something it needs."""

    command: str
    what: str
    hint: str = ""

    says = "`{command}` needs {what}."


class NothingUnderWay(Stated, Refused):
    """A command about a system's scene when no scene of this system is under way."""

    system: str
    hint: str = ""

    says = "No scene of {system} is under way."


class NobodysTurn(Stated, Refused):
    """A command that needs a turn when nobody has one."""

    hint: str = ""

    says = "It is nobody's turn."


class NoneSuch(Stated, Usage):
    """A name that nothing of its kind has."""

    what: str
    name: str
    meant: str
    hint: str = ""

    says = "There is no {what} {name}.{meant}"


class CantHaveThere(Stated, Refused):
    """Something that a person can't have in this kind of scene."""

    who: str
    what: object
    hint: str = ""

    says = "{who} can't have {what} there."


class FogOnMap(Stated, Refused):
    """A command for maps without fog on a map with fog."""

    hint: str = ""

    says = "There is fog on this map."


class NoFogOnMap(Stated, Refused):
    """A command for maps with fog on a map without fog."""

    hint: str = ""

    says = "There is no fog on this map."


class PlayersDoAlready(Stated, Refused):
    """An override that allows players something they may do already."""

    what: str
    hint: str = ""

    says = "Players {what} them already."


class StandsOnIt(Stated, Refused):
    """Something to be placed on a square where a person stands."""

    who: str
    hint: str = ""

    says = "{who} stands there."


class NoZone(Stated, Refused):
    """A zone that is not on the map."""

    name: str
    hint: str = ""

    says = "There is no zone {name}."


class NoSheet(Stated, Refused):
    """A name for which there is no sheet of a character or creature."""

    name: str
    hint: str = ""

    says = "There is no character or creature {name}."


class OutOfIt(Stated, Refused):
    """A command about a person who is out of the scene."""

    who: str
    how: str
    hint: str = ""

    says = "{who} is out of it: {how}."


class NeedsName(Stated, Usage):
    """Something new that was given no name."""

    hint: str = ""

    says = "It needs a name."


class NoAddress(Stated, CampaignProblem):
    """A setting of the bridge that should be an address."""

    where: str
    typed: str
    hint: str = ""

    says = "{where}: {typed} is not an address."
