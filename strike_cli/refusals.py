"""Refusals that several places share: a class for each, with its fields and one template."""

from __future__ import annotations

from strike_cli.problems import BridgeProblem, CampaignProblem, Refused, TemplateRefusal, Usage


class NewerSchema(TemplateRefusal, CampaignProblem):
    """Raised for a file that was written by a newer version of strike."""

    path: object
    schema: object
    ours: int
    hint: str = "Upgrade strike: `pip install --upgrade strike-cli`. Nothing was changed."

    says = "{path}: schema = {schema} is newer than this strike understands ({ours})."


class NotToml(TemplateRefusal, CampaignProblem):
    """A file that is not valid TOML."""

    path: object
    fault: object
    hint: str = ""

    says = "{path} is not valid TOML: {fault}."


class Unreadable(TemplateRefusal, CampaignProblem):
    """A file that can't be read."""

    path: object
    fault: object
    hint: str = ""

    says = "{path} can't be read: {fault}."


class Unwritable(TemplateRefusal, CampaignProblem):
    """A file that can't be written."""

    path: object
    fault: object
    hint: str = ""

    says = "{path} can't be written: {fault}."


class UndoCountTooLow(TemplateRefusal, Usage):
    """An undo of fewer than one command."""

    number: object
    hint: str = ""

    says = "undo {number}: give a number of 1 or more."


class AmbiguousWord(TemplateRefusal, Usage):
    """The refusal of a typed word that may mean several things."""

    typed: str
    several: str
    hint: str = ""

    says = "{typed} is ambiguous: {several}."


class CommandWithdrawn(TemplateRefusal, Refused):
    """A command that was withdrawn by the person whom it asked for a decision."""

    hint: str = "Nothing of it was recorded."

    says = "The command is taken back."


class UnwritableArgument(TemplateRefusal, Usage):
    """An argument that names a file that can't be written."""

    path: object
    fault: object
    hint: str = "Choose another file."

    says = "{path} can't be written: {fault}."


class NoCampaignHere(TemplateRefusal, CampaignProblem):
    """Raised for a folder that contains no campaign."""

    hint: str = ""

    says = "There is no campaign here."


class NotProposable(TemplateRefusal, Refused):
    """Raised if somebody proposes a command that players may not play."""

    hint: str = "`options` lists the legal lines."

    says = "That can't be proposed."


class NoSceneUnderWay(TemplateRefusal, Refused):
    """A command about the prepared scene under way, when no prepared scene is under way."""

    hint: str = ""

    says = "No scene is under way."


class NoTable(TemplateRefusal, Refused):
    """The refusal of a name that no random table has."""

    name: str
    hint: str = ""

    says = "There is no table {name}."


class UnreadableArgument(TemplateRefusal, Usage):
    """An argument that names a file that can't be read."""

    path: object
    fault: object
    hint: str = ""

    says = "{path} can't be read: {fault}."


class AlreadyExists(TemplateRefusal, Refused):
    """A name that is taken: something with this name exists already."""

    what: object
    hint: str = ""

    says = "{what} exists already."


class NotOnMap(TemplateRefusal, Refused):
    """A person or a square that is not on the map."""

    who: str
    hint: str = ""

    says = "{who} is not on the map."


class AlreadyOnSquare(TemplateRefusal, Refused):
    """A move to the square where somebody is already."""

    who: str
    square: str
    hint: str = ""

    says = "{who} stands on {square} already."


class SquareTaken(TemplateRefusal, Refused):
    """The refusal to use a square on which somebody else stands."""

    who: str
    square: str
    hint: str = ""

    says = "{who} stands on {square}."


class TargetHidden(TemplateRefusal, Refused):
    """A target that is hidden from the actor."""

    who: str
    hint: str = ""

    says = "Nobody knows where {who} is."


class DoorAlreadyInPosition(TemplateRefusal, Refused):
    """The opening of an open door, or the closing of a closed one."""

    square: str
    how: str
    hint: str = ""

    says = "The door at {square} is {how} already."


class NoEntrySquare(TemplateRefusal, Usage):
    """Reinforcements without a square to enter on."""

    hint: str = ""

    says = "Nothing says where they enter."


class SceneStillUnderWay(TemplateRefusal, Refused):
    """Raised for the start of a scene while another scene is under way."""

    scene: str
    hint: str = ""

    says = "{scene} is still going on."


class TooFewPartySquares(TemplateRefusal, Refused):
    """A map with too few squares for the party."""

    squares: int
    characters: int
    hint: str = "Add party squares to the encounter's map, or name fewer with --party."

    says = "The map has {squares} party squares for {characters} characters."


class NobodyInArea(TemplateRefusal, Refused):
    """The refusal of a power that is used on an area with nobody in it."""

    power: str
    hint: str = ""

    says = "{power} would hit nobody there."


class AnotherPersonsTurn(TemplateRefusal, Refused):
    """An action during somebody else's turn."""

    who: str
    hint: str = ""

    says = "It is {who}'s turn."


class CantStandUp(TemplateRefusal, Refused):
    """The refusal to let somebody stand up, with the reason."""

    who: str
    why: str
    hint: str = ""

    says = "{who} can't stand up: {why}."


class HasBegunToAct(TemplateRefusal, Refused):
    """The refusal of an action that must be the first of a turn, when the creature has already acted."""

    who: str
    hint: str = ""

    says = "{who} has begun to act."


class NamedTwice(TemplateRefusal, Usage):
    """A person named twice in a command that takes each person once."""

    who: str
    hint: str = ""

    says = "{who} is named twice."


class LacksSkill(TemplateRefusal, Refused):
    """The refusal to use a Skill that the person doesn't have."""

    who: str
    skill: str
    hint: str = ""

    says = "{who} does not have {skill}."


class NoConflict(TemplateRefusal, Refused):
    """The refusal of a command that needs a conflict under way, if there is none."""

    hint: str = ""

    says = "There is no conflict."


class OddsWithoutSubject(TemplateRefusal, Usage):
    """A request for odds that doesn't say of what."""

    hint: str = ""

    says = "The options don't say which odds you want."


class SceneIsOver(TemplateRefusal, Refused):
    """A command in a scene that has ended."""

    scene: str
    how: str
    hint: str = ""

    says = "{scene} is over: {how}."


class NotSkilledOrUnskilled(TemplateRefusal, Usage):
    """An option's value that should be "skilled" or "unskilled", and is neither."""

    option: str
    typed: str
    hint: str = ""

    says = "--{option}: {typed} should be skilled or unskilled."


class ArgumentAlreadyExists(TemplateRefusal, Usage):
    """An argument with a name that is taken by something that exists already."""

    what: object
    hint: str = "Rename it, or the file that you import."

    says = "{what} exists already."


class NothingSent(TemplateRefusal, BridgeProblem):
    """The refusal to send data to a target, since nobody has agreed to its terms."""

    target: str
    hint: str

    says = "Nothing is sent to {target}."


class TargetBusy(TemplateRefusal, BridgeProblem):
    """Raised if another process is delivering to the target."""

    target: str
    hint: str = "Try again when it has finished."

    says = "Another worker is delivering to {target}."


class NotTomlTarget(TemplateRefusal, Usage):
    """A target written in Python, where one described in TOML is needed."""

    target: str
    hint: str = ""

    says = "{target} is not a target made of TOML alone."


class NotInScene(TemplateRefusal, Refused):
    """A command about a person who is not in the scene."""

    who: str
    hint: str = ""

    says = "{who} is not here."


class NoEncounter(TemplateRefusal, Refused):
    """An encounter that campaign.toml doesn't have."""

    name: str
    hint: str = ""

    says = "There is no encounter {name}."


class UnknownPerson(TemplateRefusal, Refused):
    """The refusal of a name that no character or creature has."""

    name: str
    hint: str = "`strike character list` has the party."

    says = "There is nobody called {name}."


class CommandIncomplete(TemplateRefusal, Usage):
    """A command that lacks something it needs."""

    command: str
    what: str
    hint: str = ""

    says = "`{command}` needs {what}."


class NoSceneOfSystem(TemplateRefusal, Refused):
    """A command about a system's scene, when no scene of this system is under way."""

    system: str
    hint: str = ""

    says = "No scene of {system} is under way."


class NobodysTurn(TemplateRefusal, Refused):
    """A command that needs a turn under way, when it is nobody's turn."""

    hint: str = ""

    says = "It is nobody's turn."


class UnknownName(TemplateRefusal, Usage):
    """The refusal of a name that means nothing: no thing of the wanted kind has it."""

    what: str
    name: str
    meant: str
    hint: str = ""

    says = "There is no {what} {name}.{meant}"


class CantHaveThere(TemplateRefusal, Refused):
    """Raised if a person can't have a certain thing in this kind of scene."""

    who: str
    what: object
    hint: str = ""

    says = "{who} can't have {what} there."


class FogOnMap(TemplateRefusal, Refused):
    """A command to put fog on a map that has fog already."""

    hint: str = ""

    says = "There is fog on this map."


class NoFogOnMap(TemplateRefusal, Refused):
    """A command about the fog of a map that has none."""

    hint: str = ""

    says = "There is no fog on this map."


class FogUnchanged(TemplateRefusal, Refused):
    """The refusal of a change to the fog that would change no square."""

    what: str
    hint: str = ""

    says = "Players {what} these squares."


class PersonInTheWay(TemplateRefusal, Refused):
    """Raised for a wall that would be placed where a person stands."""

    who: str
    hint: str = ""

    says = "{who} stands there."


class NoZone(TemplateRefusal, Refused):
    """A zone that is not on the map."""

    name: str
    hint: str = ""

    says = "There is no zone {name}."


class NoSheet(TemplateRefusal, Refused):
    """The refusal of a name that belongs to no character or creature."""

    name: str
    hint: str = ""

    says = "There is no character or creature {name}."


class OutOfScene(TemplateRefusal, Refused):
    """The refusal of a command about a person who is no longer in the scene."""

    who: str
    how: str
    hint: str = ""

    says = "{who} is no longer in the scene: {how}."


class NeedsName(TemplateRefusal, Usage):
    """The refusal of something new that was given no name."""

    hint: str = ""

    says = "It needs a name."


class NotAnAddress(TemplateRefusal, CampaignProblem):
    """The refusal of a bridge setting that should be an address, but isn't."""

    where: str
    typed: str
    hint: str = ""

    says = "{where}: {typed} is not an address."
