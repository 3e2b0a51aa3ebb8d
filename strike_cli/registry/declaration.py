"""What a game system is to strike: a value of names and references, so that knowing it costs nothing.

A reference is "module:object"; one that begins with a dot is relative to the system's `package`. Nothing that
a reference names is imported before it is used. Core's own systems and those of plugins are the same class in
one list.
"""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from .plugin import API


class Scope(StrEnum):
    """The state that a move reads and may change. While its decision is open, what it has read is fixed."""

    NOTHING = "nothing"
    """Nothing but its arguments: it asks nobody, and waits for nobody."""

    PEOPLE = "people"
    """The sheets of those whom its arguments name, and what else these say that it rests on."""
    SCENE = "scene"
    """The system's scene, and the sheets of everybody in it."""
    TABLE = "table"
    """Everybody's sheets, and what belongs to nobody: it waits for every open decision."""
    PATH = "path"
    """Whatever stands at the path that its arguments name."""


class Move(NamedTuple):
    """A move that the journal records by name: its procedure, and the state that it touches.

    The procedure takes the world and its arguments, and the annotation of the second says their type.
    """

    play: str
    """Reference of the procedure."""
    scope: Scope = Scope.PEOPLE
    """What it reads and may change."""
    sheets: bool = False
    """Whether a move of a scene changes the sheets of those in it, besides the scene."""
    named: bool = False
    """Whether a move of a scene looks only at those in it whom its arguments name."""
    stateless: bool = False
    """Whether it may be played without a campaign, and kept nowhere."""
    begins_evening: bool = False
    """Whether the journal goes on in a new file with it."""
    passes: str = ""
    """What has passed once it was played, for systems that go on with it (`Follower.passed`): "rest",
    "session". A fact with an `outcome` says by itself that a "scene" has."""
    odds: str = ""
    """Reference of what counts of what it comes to, for `strike odds SYSTEM COMMAND`: a function
    (`what_counts` in the models) that takes the data of one play and returns a table of plain values. Plays
    with equal tables are one outcome: leave out what nobody would tell apart."""
    by_hand: bool = False
    """Whether it is the frame's, for every system with people in its scenes: its procedure takes the system
    before the world and its arguments."""
    saved: str = ""
    """Reference of the procedure of what else comes of it where its failure is turned afterwards
    (STR-CORE-31): called with the world and what was kept of the roll, which names the move."""


class Tally(NamedTuple):
    """A number that play adds to and takes from, as a report counts it."""

    title: str
    """What it is called."""
    gained: str
    """The name by which a report's data have what came in."""
    lost: str
    """The name by which they have what went out."""
    in_scene: bool = False
    """Whether it is a number of people in the system's scene, rather than one on sheets."""


class Counted(NamedTuple):
    """Facts that reports count of people."""

    title: str
    """What they are called together."""
    fact: str
    """The kind of fact."""
    key: str = ""
    """Only facts count that have `value` under this key; all of the kind where it is empty."""
    value: str = ""
    """The value that they must have."""
    whose: str = "who"
    """The key under which a fact says whom it counts for."""


class Secret(NamedTuple):
    """A place of the state where what a side picks lies face down until a kind of fact turns it up."""

    path: str
    """The path in the state: "chase.prediction". One that ends in `.*` is a table by the people who have
    picked: that they have may be known, what they have may not."""
    side: str
    """The side that picks, and knows."""
    revealed_by: str
    """The kind of fact that turns it up."""


class Content(NamedTuple):
    """A kind of content that a system brings, or its additions to a kind that another system brings.

    Everything about the kind stands here. All fields but `prepared`, `single`, `optional` and `begins` are
    references.
    """

    form: str = ""
    """The form of one. Empty where another system brings the kind, as for "characters" and "creatures"."""
    fields: str = ""
    """Fields by name that the system adds to the form of "characters", "creatures", or of a kind that another
    system brings, such as "encounters"."""
    prepared: bool = False
    """Whether only a campaign may have such things: encounters. Plugins may bring all other kinds."""
    single: bool = False
    """Whether campaign.toml has one table of it under the kind's own name, such as [calendar]. A mistake in
    it is reported, and the table left out."""
    optional: bool = False
    """Whether play goes on without one: a mistake in it is reported, and it is left out."""
    files: Mapping[str, str] = {}
    """Files that belong to a campaign without a word of campaign.toml: a pattern such as "scenes/*.md" ->
    reference of their `FileFormat`."""
    begins: str = ""
    """The command that begins one, before its id: "combat start"."""
    in_words: str = ""
    """Says what one does in a sentence: called with the book and the thing, it returns text."""
    explains: str = ""
    """Reads one back in plain words, for `strike content explain`: called with the book and the thing, it
    returns lines (`Told`)."""
    draft: str = ""
    """What `strike content new` asks about one, and the file that it writes: a `Draft`. Of characters and
    creatures it is what `character add` and `creature add` ask for this game's sheet."""


class Sheets(NamedTuple):
    """The state that a system stores for characters."""

    state: str = ""
    """Reference of what makes the fields that it keeps of a character: called with the book, it returns
    fields by name."""
    unread: Sequence[str] = ()
    """Keys that no move rests on: an open decision doesn't mind when they change."""
    forgotten: Sequence[str] = ()
    """Keys that a new evening begins without."""


class InHelp(NamedTuple):
    """What the examples of help name, of the system's own example."""

    who: str = "ana"
    """Somebody."""
    creature: str = "wolf"
    """A creature."""
    number: str = "NUMBER"
    """A number of somebody's that `set` sets."""
    square: str = "C7"
    """A free square."""
    door: str = "H3"
    """A door's square."""
    hidden: str = ""
    """Somebody hidden; anybody, unless said."""


class SceneTable(NamedTuple):
    """The scenes of a system: where the state keeps the one under way, and how people go on with it."""

    key: str = ""
    """The table of state.toml. Empty for a system without scenes."""
    people: str = "people"
    """The key of the table by which it has its people, whom the game master's hand reveals, places, takes
    out. Empty where a scene keeps no more of people than their names."""
    read: str = ""
    """Reference of what reads the table into a `Scene`: called with the system's name, the key and the table.
    Not needed where the table keeps to the common form (`scene_form`)."""
    secrets: Sequence[Secret] = ()
    """What of it a side picks in secret."""
    opening: str = ""
    """The move without arguments that `next` plays while there is no order of turns: initiative."""
    next_turn: Sequence[str] = ()
    """The moves without arguments that `next` plays: those that end a turn, and last the one that begins the
    next; or the one that plays a round. Its refusal says what is missing first. Once a scene is decided,
    `next` ends it (`Simulation.rules`)."""
    settles: bool = False
    """Whether one that is over, with `ended` in its table, stays until a command has settled it. Else it
    leaves by itself: `status`, verbs and `next` go on without it, and its table stays until another
    begins."""
    pauses: str = ""
    """Reference of what may be said before the next turn begins, and at no other time: called with the world,
    it returns words, or nothing. `next` stops there once it has ended a turn."""
    in_turn: str = ""
    """Reference of what makes it somebody's turn, for odds of what they may do then: called with the world
    and the person, it returns what to set. Without it odds out of turn are refused as the move is."""
    shorts: Mapping[str, str] = {}
    """Short forms of its commonest commands while it is under way: a letter or a word -> what to type in the
    system's group."""
    hand: str = ""
    """Reference of its class of `Hand`: what the game master's hand is to it beyond the common keys of a
    scene."""
    parked: str = ""
    """The table of state.toml that has its scenes which wait, by the ids of their encounters. Unless said,
    they are in `parked.NAME`."""
    in_help: InHelp = InHelp()
    """What the examples name in the help of the commands that every scene has."""
    measure: str = ""
    """Reference of its `Measure`: how far things are, in its words. Unless said, squares are counted, each
    diagonal as one. A map in the state may say how its own `diagonals` count, where the rules let a table
    choose."""
    takes: str = ""
    """Reference of what a change is that somebody made on a virtual tabletop: called with the world and the
    `Change`, it returns a `Taken`. Without it the game master's hand sets the value, where the table keeps to
    the common form."""


class Simulation(NamedTuple):
    """The way to play a system without people, for `strike sim`."""

    rules: str = ""
    """Reference of how its scenes begin and end, who has won and what health is: a `Simulated`."""
    players: Mapping[str, str] = {}
    """Its own players, where they are better than those that weigh `Bot.worth`: "quick", "good" or "full" ->
    reference of what makes a `Player`."""


class Outside(NamedTuple):
    """The commands that may be asked for from outside: by other programs, assistants, players' phones.

    Each is a group with its commands, separated by spaces; a command that is no group stands under "". All
    others may not be asked for.
    """

    played: Mapping[str, str] = {}
    """Those that play something, or write something down."""
    read: Mapping[str, str] = {}
    """Those that look, and change nothing."""

    def named(self) -> Mapping[str, str]:
        """Return each command by its whole name: "played" or "read"."""
        return {
            f"{group} {name}".strip(): may
            for may, groups in (("played", self.played), ("read", self.read))
            for group, names in groups.items()
            for name in names.split()
        }


class Help(NamedTuple):
    """The part of a system that is shown to people who look for a command."""

    evening: Mapping[str, Mapping[str, str]] = {}
    """What of it the first screen of help has: when one needs it ("Before", "At the table", "In a fight",
    "After") -> a line as one types it -> what that does, in a few words."""
    said: Mapping[str, tuple[str, str]] = {}
    """Words that people say for one of its commands -> the command that is meant, and why that one. A line
    that begins with such a word, and means nothing else, is answered so."""
    listed: Mapping[str, str] = {}
    """Where `help all` lists its commands of the top level: a heading ("At the table", "Before", "After",
    "Screens", "Files") -> their names, separated by blanks; under "" those that are not listed, since
    another does the same. Unless said, one is for the table."""
    together: Mapping[str, Sequence[str]] = {}
    """Commands of the top level that may be typed below a group, too, and are listed there alone: group ->
    their names."""


class System(NamedTuple):
    """A game system, whole: combat, chases, or another game's fights.

    Text fields that name code are references, "module:object"; ".module:object" is relative to `package`.
    """

    name: str
    """Its group of commands, and its key in campaign.toml."""
    title: str = ""
    """The heading of its commands in a list of all, and of its scenes in a report."""
    api: int = API
    """The version of the plugin API that it is made for."""
    package: str = ""
    """The package that references beginning with a dot are relative to."""
    moves: Mapping[str, Move] = {}
    """What the journal records, by the command that plays it: "combat attack"."""
    fact_modules: Sequence[str] = ()
    """The modules that declare what it tells: classes of facts, clauses and decisions. They import no rule,
    so that screens need none."""
    commands: Mapping[str, str | Mapping[str, str]] = {}
    """Groups of commands: name -> reference of a Typer app; or, where each command of a group is imported by
    itself, name -> {command: reference of the app that has it}, with the app of the group itself under ""."""
    outside: Outside = Outside()
    """Which of its commands may be asked for from outside. With any, those that every scene has, too (`show`,
    `options`, `next`, `auto`), and the odds of its moves."""
    instead: Mapping[str, str] = {}
    """What to type for a move of another game in a campaign that doesn't play that game, but this one: "roll
    skill" -> "grit save WHO str". The move is refused there with it."""
    meant: Mapping[str, str] = {}
    """Groups whose command may be left out -> reference of a function that finds it from the words typed."""
    help: Help = Help()
    """What of it people are told who look for a command."""
    content: Mapping[str, Content] = {}
    """Its kinds of content, and what it adds to those of others: kind -> all about it."""
    file_formats: Mapping[str, str] = {}
    """The ending of a file (".csv") -> reference of its `FileFormat`: how content may be written besides in
    TOML."""
    vocabularies: Mapping[str, str] = {}
    """Vocabularies that plugins may bring words to: name -> reference of the class of what a word leads
    to."""
    house: str = ""
    """The TOML file of its house rules, beside the module of the system: key -> default, and values or low,
    high; with values and `handler = true` also the name of a plugin's handler (`load_handler`)."""
    rules: str = ""
    """The Markdown file of its rules by number, beside the module of the system, in words of one's own: a
    heading `## STR-TAC-04 Trading actions` each, and below it what it says. `strike rule` shows them."""
    example: str = ""
    """A folder beside the module of the system: its `campaign.toml` is what `strike new DIR --system NAME`
    begins with, its `evening.strike` a script that `strike demo --system NAME` plays."""
    state: Mapping[str, str] = {}
    """Its tables of state.toml: key -> reference of its form, or of what makes the form, called with the
    book."""
    migrations: Sequence[str] = ()
    """References of what brings older state up, a version each, which `strike doctor --upgrade` runs: the
    first brings version 1 to 2. Called with a key of `state` (a parked scene has that of the scene under way,
    what is kept of a character "characters") and the table, it returns the table in the next form."""
    touches: str = ""
    """Reference of what finds which of the things that its moves rest on (`Args.rests_on`), besides sheets
    and scenes, differ between two states: called with both, it returns their names. Without it, a change of
    any table of `state` that is no scene's touches everything."""
    sheets: Sheets = Sheets()
    """What it keeps of characters."""
    scene: SceneTable = SceneTable()
    """Its scenes."""
    bot: str = ""
    """Reference of its class of `Bot`: what may be done now, and what a side's standing is worth."""
    views: str = ""
    """Reference of its class of `Views`: what it shows of people, scenes and maps, and to whom."""
    follows: str = ""
    """Reference of its class of `Follower`: what it does when something has happened or passed."""
    checks: str = ""
    """Reference of its class of `Checks`: faults that no form finds."""
    exhibits: str = ""
    """Reference of what lies on the table beside scenes, whatever is played: called with the state, it
    returns `Exhibit`s. Pages and tabletops show them."""
    simulation: Simulation = Simulation()
    """How it is played without people."""
    tallies: Mapping[str, Tally] = {}
    """Numbers that reports count, by the key that sheet and state have them under."""
    counts: Mapping[str, Counted] = {}
    """What else reports count of everybody, by the key that their data have it under. Damage, healing and
    falls they know from `simulation`."""

    measures: Mapping[str, str] = {}
    """What the averages of its odds are called where people read them, by the key that its data have them
    under: "direct" -> "average Direct Damage"."""

    def absolute(self, reference: str) -> str:
        """Return a reference in absolute form."""
        return f"{self.package}{reference}" if reference.startswith(".") else reference
