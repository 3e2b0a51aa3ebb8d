"""The classes with which a game system is declared.

A declaration has only names and references, so listing systems imports none of their code. A reference is a
text, "module:object". If it begins with a dot, it is relative to the system's `package`. The module is
imported when it is used. Strike's own systems and those of plugins are declared in the same way.
"""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from .plugin_declaration import API


class Scope(StrEnum):
    """The part of the state that a move reads and may change.

    While a decision of the move is open, no other command may change this part.
    """

    NOTHING = "nothing"
    """Only the arguments: the move asks for no decision, and waits for none."""

    PEOPLE = "people"
    """The sheets of the people in its arguments, and anything else that the arguments depend on
    (`Args.rests_on`)."""
    SCENE = "scene"
    """The system's scene, and the sheets of everybody in it."""
    TABLE = "table"
    """Everybody's sheets, and state that belongs to nobody: the move waits for every open decision."""
    PATH = "path"
    """The value at the path in its arguments."""


class Move(NamedTuple):
    """A move that the journal records by name: its procedure, and the part of the state that it uses.

    The procedure has two parameters: the world, and the move's arguments. The annotation of the second one is
    the type of the arguments. If `by_hand` is true, the system comes before both as a further parameter.
    """

    play: str
    """Reference of the procedure."""
    scope: Scope = Scope.PEOPLE
    """The part of the state that it reads and may change."""
    sheets: bool = False
    """Whether a move of a scene changes the sheets of people in it, besides the scene."""
    named: bool = False
    """Whether a move of a scene reads only the people in its arguments."""
    stateless: bool = False
    """Whether it may be played without a campaign, in which case it isn't recorded."""
    begins_evening: bool = False
    """Whether the journal starts a new file with it."""
    passes: str = ""
    """The event that it completes: "rest", "session". Systems respond to it by
    `EventResponses.respond_to_event`. A fact with an `outcome` completes a "scene" by itself."""
    odds: str = ""
    """Reference of a function (`odds_key` in the models) that reads the outcome for `strike odds SYSTEM
    COMMAND`: it takes the data of one play and returns a table of plain values. Plays with equal tables are
    one outcome, so leave out differences that don't matter."""
    by_hand: bool = False
    """Whether it is one of the game master's overrides for every system with people in its scenes: its
    procedure takes the system before the world and the arguments."""
    saved: str = ""
    """Reference of the procedure for the other consequences when its failure is turned afterwards
    (STR-CORE-31). It is called with the world and the stored roll, which names the move."""


class Tally(NamedTuple):
    """A number on sheets or in scenes; reports count its gains and losses."""

    title: str
    """Its title in reports."""
    gained: str
    """The key of the gains in a report's data."""
    lost: str
    """The key of the losses in a report's data."""
    in_scene: bool = False
    """Whether the number is stored for people in the system's scene, rather than on their sheets."""


class CountedFact(NamedTuple):
    """A kind of fact; reports count its facts separately for each person."""

    title: str
    """Title of these facts in reports."""
    fact: str
    """The kind of fact."""
    key: str = ""
    """The key that a fact must have with `value` to count; empty where all facts of the kind count."""
    value: str = ""
    """The value under `key`."""
    whose: str = "who"
    """The key of the person for whom a fact counts."""


class SecretPick(NamedTuple):
    """A part of the state with the secret pick of a side.

    The pick is face down until a fact reveals it.
    """

    path: str
    """The path in the state: "chase.prediction". A path that ends in `.*` is a table by person: everybody may
    know who has picked, but not the pick."""
    side: str
    """The side that picks, and knows the pick."""
    revealed_by: str
    """The kind of fact that reveals it."""


class Content(NamedTuple):
    """A kind of content that a system defines, or the system's additions to another system's kind.

    All fields but `prepared`, `single`, `optional`, `files` and `begins` are references.
    """

    form: str = ""
    """The form of a thing of this kind. Empty where another system defines it, as for "characters" and
    "creatures"."""
    fields: str = ""
    """Fields, by name, that the system adds to the form of "characters", "creatures", or another system's
    kind, such as "encounters"."""
    prepared: bool = False
    """Whether only a campaign may define such things, as with encounters. Plugins may define other kinds."""
    single: bool = False
    """Whether campaign.toml has a single table under the kind's name, such as [calendar]. A faulty one is
    reported, and left out."""
    optional: bool = False
    """Whether play goes on without a faulty thing of this kind, which is reported and left out."""
    files: Mapping[str, str] = {}
    """Files that belong to a campaign without being named in campaign.toml: a pattern such as "scenes/*.md"
    -> reference of their `FileFormat`."""
    begins: str = ""
    """The command that begins such a thing, before its id: "combat start"."""
    in_words: str = ""
    """Describes a thing in a sentence: called with the book and the thing, it returns text."""
    explains: str = ""
    """Explains a thing in plain words, for `strike content explain`: called with the book and the thing, it
    returns lines (`ExplainedLine`)."""
    draft: str = ""
    """The `Draft` for `strike content new`: its questions, and the file that it writes. For characters and
    creatures these are the questions of `character add` and `creature add` for this game's sheet."""


class Sheets(NamedTuple):
    """The fields that a system stores for characters, besides their written sheets."""

    state: str = ""
    """Reference of a function that makes the fields stored for a character: called with the book, it returns
    fields by name."""
    unread: Sequence[str] = ()
    """Keys that no move depends on: they may change while a decision is open."""
    forgotten: Sequence[str] = ()
    """Keys that are cleared at the start of an evening."""


class HelpExampleNames(NamedTuple):
    """Names from the system's example campaign, for use in the examples of help."""

    who: str = "ana"
    """A character."""
    creature: str = "wolf"
    """A creature."""
    number: str = "NUMBER"
    """A number of a person's that `set` can change."""
    square: str = "C7"
    """A free square."""
    door: str = "H3"
    """A door's square."""
    hidden: str = ""
    """Somebody hidden; by default, anybody."""


PARKED = "parked"
"""The state's table of parked scenes: by their system, and the ids of their encounters. A system may declare
a table of its own for them (`SceneTable.parked`)."""


class SceneTable(NamedTuple):
    """The scenes of a system: where the state has them, and how play continues them."""

    key: str = ""
    """The table of state.toml. Empty for a system without scenes."""
    people: str = "people"
    """The key of the scene's table of people, whom the game master's overrides reveal, place and remove.
    Empty where a scene stores only names of people."""
    read: str = ""
    """Reference of a function that makes a `Scene` of the table: called with the system's name, the key and
    the table. Not needed where the table has the common form (`scene_schema`)."""
    secrets: Sequence[SecretPick] = ()
    """The parts that a side picks in secret."""
    opening: str = ""
    """The move without arguments that `next` plays while there is no turn order: initiative."""
    next_turn: Sequence[str] = ()
    """The moves without arguments that `next` plays: those that end a turn, and last the one that begins the
    next; or the one that plays a round. A refused move tells what has to be done first. Once a scene is
    decided, `next` ends it (`Simulation.rules`)."""
    settles: bool = False
    """Whether a scene that is over, with `ended` in its table, stays until a command has settled it.
    Otherwise `status`, verbs and `next` ignore it from then on, and its table stays until another begins."""
    pauses: str = ""
    """Reference of a function for advice that is given only before the next turn begins: called with the
    world, it returns words, or nothing. With words `next` stops after it has ended a turn."""
    in_turn: str = ""
    """Reference of a function that makes it a person's turn, for odds of their options then: called with the
    world and the person, it returns what to set. Without it odds out of turn are refused as the move is."""
    shorts: Mapping[str, str] = {}
    """Short forms of its commonest commands while a scene is under way: a letter or a word -> the command in
    the system's group."""
    hand: str = ""
    """Reference of its `GmOverrideRules` class: the system's part in the game master's overrides."""
    parked: str = ""
    """The table of state.toml for scenes that wait, by encounter id. The default is `parked.NAME`."""
    in_help: HelpExampleNames = HelpExampleNames()
    """Names for the examples in the help of the commands that every scene has."""
    measure: str = ""
    """Reference of its `Measure`: how distances are counted, and its words for them. By default squares are
    counted, each diagonal as one. A map in the state may have its own `diagonals`, where the rules let a
    table choose."""
    takes: str = ""
    """Reference of a function that interprets a change made on a virtual tabletop: called with the world and
    the `TabletopChange`, it returns a `InterpretedChange`. Without it a game master's override sets the
    value,
    where the table has the common form."""


class Simulation(NamedTuple):
    """The part of a system's declaration that says how `strike sim` plays the system with bots."""

    rules: str = ""
    """Reference of a `SimulationRules`: the start and end of scenes, the winner, the number for health."""
    players: Mapping[str, str] = {}
    """Its own bots, where they are better than those that use `Bot.evaluate`: "quick", "good" or "full" ->
    reference of a function that makes a `Player`."""


class RemoteCommands(NamedTuple):
    """The commands that other programs, assistants and players' phones may send.

    Each is a group with its commands, separated by spaces; a command without a group is listed under "". All
    others are refused.
    """

    played: Mapping[str, str] = {}
    """Commands that play or record something."""
    read: Mapping[str, str] = {}
    """Commands that only show something."""

    def named(self) -> Mapping[str, str]:
        """Return the commands that another program may use, by their full names.

        The value of a command is "played" or "read".
        """
        return {
            f"{group} {name}".strip(): may
            for may, groups in (("played", self.played), ("read", self.read))
            for group, names in groups.items()
            for name in names.split()
        }


class Help(NamedTuple):
    """A system's additions to the help texts."""

    evening: Mapping[str, Mapping[str, str]] = {}
    """Its lines in the first screen of help, by the part of the evening ("Before", "At the table", "In a
    fight", "After"): a command line -> its effect in a few words."""
    said: Mapping[str, tuple[str, str]] = {}
    """Words that people type instead of one of its commands -> the command that is meant, and the reason. A
    line that begins with such a word, and has no other meaning, gets this answer."""
    listed: Mapping[str, str] = {}
    """The headings under which `help all` lists its top-level commands ("At the table", "Before", "After",
    "Screens", "Files") -> their names, separated by blanks; commands under "" aren't listed, since another
    does the same. The default is "At the table"."""
    together: Mapping[str, Sequence[str]] = {}
    """Top-level commands that may also be typed after a group, and are listed only there: group -> their
    names."""


class System(NamedTuple):
    """The declaration of a game system: combat, chases, or another game's fights.

    Text fields that name code are references, "module:object"; ".module:object" is relative to `package`.
    """

    name: str
    """The name of its command group, and its key in campaign.toml."""
    title: str = ""
    """The heading of its commands in `help all`, and of its scenes in a report."""
    api: int = API
    """The version of the plugin API that it was written for."""
    package: str = ""
    """The package that references beginning with a dot are relative to."""
    moves: Mapping[str, Move] = {}
    """The moves that the journal records, by the command that plays each: "combat attack"."""
    fact_modules: Sequence[str] = ()
    """The modules that declare its facts, clauses and decisions. They import no rules, so that screens need
    none."""
    commands: Mapping[str, str | Mapping[str, str]] = {}
    """Groups of commands: name -> reference of a Typer app; or, where each command of a group is imported by
    itself, name -> {command: reference of the app that has it}, with the app of the group itself under ""."""
    outside: RemoteCommands = RemoteCommands()
    """Its commands that may be sent from outside. If there are any, the commands of every scene (`show`,
    `options`, `next`, `auto`) and the odds of its moves may be, too."""
    instead: Mapping[str, str] = {}
    """The replacements for moves of another game, in campaigns that play this game and not the other: "roll
    skill" -> "grit save WHO str". There the move is refused with this advice."""
    meant: Mapping[str, str] = {}
    """Groups whose command may be left out -> reference of a function that finds it from the typed words."""
    help: Help = Help()
    """Its part of the help for people who look for a command."""
    content: Mapping[str, Content] = {}
    """Its kinds of content, and its additions to those of other systems: kind -> declaration."""
    file_formats: Mapping[str, str] = {}
    """File endings (".csv") -> reference of a `FileFormat`: formats of content besides TOML."""
    vocabularies: Mapping[str, str] = {}
    """Vocabularies that plugins may add words to: name -> reference of the class of a word's meaning."""
    house: str = ""
    """The TOML file of its house rules, beside the module of the system: key -> default, and values or low,
    high; with values and `handler = true` a value may also be the name of a plugin's handler
    (`load_handler`)."""
    rules: str = ""
    """The Markdown file of its numbered rules, beside the module of the system, in the author's own words: a
    heading `## STR-TAC-04 Trading actions` for each, followed by its text. `strike rule` shows them."""
    example: str = ""
    """A folder beside the module of the system: its `campaign.toml` is the start of `strike new DIR --system
    NAME`, its `evening.strike` the script that `strike demo --system NAME` plays."""
    state: Mapping[str, str] = {}
    """Its tables of state.toml: key -> reference of its form, or of a function that makes the form from the
    book."""
    migrations: Sequence[str] = ()
    """References of functions that convert older state, one for each version, used by `strike doctor
    --upgrade`: the first converts version 1 to 2. Each is called with a key of `state` and the table, and
    returns the table in the next form. A parked scene has the key of the scene under way, a character's
    stored fields have "characters"."""
    touches: str = ""
    """Reference of a function that finds which of `Args.rests_on`, besides sheets and scenes, differ between
    two states: called with both, it returns their names. Without it, a change of any table of `state` that is
    no scene's affects every move."""
    sheets: Sheets = Sheets()
    """The fields that it stores for characters."""
    scene: SceneTable = SceneTable()
    """Its scenes."""
    bot: str = ""
    """Reference of its `Bot` class: the actions possible now, and the value of a side's position."""
    views: str = ""
    """Reference of its `Views` class: the parts of people, scenes and maps that it shows, and to whom."""
    follows: str = ""
    """Reference of its `EventResponses` class: its responses to facts and events."""
    checks: str = ""
    """Reference of its `Checks` class: faults beyond a form."""
    exhibits: str = ""
    """Reference of a function for things that lie on the table besides scenes, in any game: called with the
    state, it returns `TableItem`s. Pages and tabletops show them."""
    simulation: Simulation = Simulation()
    """The way to play it without people."""
    tallies: Mapping[str, Tally] = {}
    """Numbers that reports count, by their key in sheet and state."""
    counts: Mapping[str, CountedFact] = {}
    """Facts that reports count for everybody, by their key in the data. Damage, healing and falls are
    known from `simulation`."""

    measures: Mapping[str, str] = {}
    """The titles of averages in its odds, by their key in the data: "direct" -> "average Direct Damage"."""

    @property
    def path_of_parked_scenes(self) -> str:
        """The path in the state of the system's parked scenes, such as `parked.combat`."""
        return self.scene.parked or f"{PARKED}.{self.name}"

    def absolute(self, reference: str) -> str:
        """Return a reference with its full module name.

        A reference that begins with a dot is relative to the system's `package`, which is put before it.
        """
        return f"{self.package}{reference}" if reference.startswith(".") else reference
