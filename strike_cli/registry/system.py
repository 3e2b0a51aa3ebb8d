"""What a game system is to strike: a value of names and references, so that knowing it costs nothing.

A reference is "module:object"; one that begins with a dot is relative to the system's `package`. Nothing that
a reference names is imported before it is used. Core's own systems and those of plugins are the same class in
one list.
"""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

API = 1
"""The version of what plugins lean on. A plugin that says a newer one is switched off with a message."""


class Scope(StrEnum):
    """What a move reads and may change. What an open decision's move has read stays as it is meanwhile."""

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
    """What the journal records by a name: the procedure that plays it, and what it touches.

    The procedure takes the world and its arguments, and the annotation of the second says their type.
    """

    play: str
    scope: Scope = Scope.PEOPLE
    sheets: bool = False
    """Whether a move of a scene changes the sheets of those in it, besides the scene."""
    named: bool = False
    """Whether a move of a scene looks only at those in it whom its arguments name."""
    bare: bool = False
    """Whether it may be played without a campaign, and kept nowhere."""
    begins_evening: bool = False
    """Whether the journal goes on in a new file with it."""
    passes: str = ""
    """What has passed once it was played, for who follows it (`System.follows`): "rest", "session". A fact
    with an `outcome` says by itself that a "scene" has."""
    odds: str = ""
    """Reference of what counts of what it comes to, for `strike odds SYSTEM COMMAND`: called with its data,
    it gives a table of plain values."""
    saved: str = ""
    """Reference of the procedure of what else comes of it where its failure is turned afterwards
    (STR-CORE-31): called with the world and what was kept of the roll, which names the move."""


class Tally(NamedTuple):
    """A number that play adds to and takes from, as a report counts it: what it is called, and by which names
    its data has what came in and what went out."""

    title: str
    gained: str
    lost: str
    in_scene: bool = False
    """Whether it is a number of people in the system's scene, rather than one on sheets."""


class Counted(NamedTuple):
    """Facts that reports count of people: those of a kind, or the ones of them that have this `value` under
    `key`. `whose` is where a fact says whom it counts for."""

    title: str
    fact: str
    key: str = ""
    value: str = ""
    whose: str = "who"


class Evening(NamedTuple):
    """What an evening's beginning and end are to a system. References of procedures: called with the world
    once the evening has begun or ended, they return what `session start` and `session end` have in their data
    of it."""

    begins: str = ""
    ends: str = ""
    forgets: Sequence[str] = ()
    """Keys of what it keeps of a character that a new evening begins without."""
    still_to_do: str = ""
    """Reference of what is left to do when it has ended: called with the world, it gives pairs of what and
    of the command that does it."""


class Secret(NamedTuple):
    """A place of the state where what a side picks lies face down until a kind of fact turns it up.

    A path that ends in `.*` is a table by whoever has picked: that they have may be known, what may not.
    """

    path: str
    side: str
    revealed_by: str


class Outside(NamedTuple):
    """Which commands may be asked for from outside: by other programs, assistants, players' phones. Each is a
    group with its commands, separated by spaces; a command that is no group stands under "". All others may
    not be asked for."""

    played: Mapping[str, str] = {}
    """Those that play something, or write something down."""
    read: Mapping[str, str] = {}
    """Those that look, and change nothing."""

    def named(self) -> Mapping[str, str]:
        """Each command by its whole name: "played" or "read"."""
        return {
            f"{group} {name}".strip(): may
            for may, groups in (("played", self.played), ("read", self.read))
            for group, names in groups.items()
            for name in names.split()
        }


class System(NamedTuple):
    """A game system, whole: combat, chases, or another game's fights.

    `name` is its own; `moves` are keyed by the command that plays them, such as "combat attack".
    """

    name: str
    title: str = ""
    """What to call its commands in a list of all, and its scenes in a report."""
    api: int = API
    package: str = ""
    """The package that references beginning with a dot are relative to."""
    moves: Mapping[str, Move] = {}
    fact_modules: Sequence[str] = ()
    """The modules that declare what it tells: classes of facts, clauses and decisions. They import no rule,
    so that whoever shows what was told needs none."""
    commands: Mapping[str, str | Mapping[str, str]] = {}
    """Groups of commands: name -> reference of a Typer app; or, where each command of a group is imported by
    itself, name -> {command: reference of the app that has it}, with the app of the group itself under ""."""
    outside: Outside = Outside()
    """Which of its commands may be asked for from outside. With any, those that every scene has, too (`show`,
    `options`, `next`, `auto`), and the odds of its moves."""
    meant: Mapping[str, str] = {}
    """Groups whose command may be left out -> reference of what tells it from the words that were typed."""
    content: Mapping[str, str] = {}
    """Kinds of content that it brings, which plugins and campaigns may add to: kind -> reference of the
    form."""
    prepared: Mapping[str, str] = {}
    """Kinds of thing that a campaign alone may have: kind -> reference of the form."""
    settings: Mapping[str, str] = {}
    """Tables of campaign.toml of which there is one: key -> reference of the form. Like what is
    `dispensable`, a wrong one is told and left out; in the book it stands as the one thing of its kind, by
    the same key."""
    folders: Mapping[str, str] = {}
    """Files that belong to a campaign without a word of campaign.toml, by a pattern such as "scenes/*.md" ->
    reference of the `FileFormat` that they are in."""
    begins: Mapping[str, str] = {}
    """Kind of what is prepared -> the command that begins one, before its id: "combat start"."""
    dispensable: Sequence[str] = ()
    """Kinds of those that an evening goes on without: what is wrong with one is told, and it is left out."""
    file_formats: Mapping[str, str] = {}
    """The ending of a file (".csv") -> reference of its `FileFormat`: how content may be written besides in
    TOML."""
    sheets: Mapping[str, str] = {}
    """What it adds to the sheets of "characters" and "creatures", and to what another system has `prepared`,
    such as "encounters": kind -> reference of fields by name."""
    house: str = ""
    """The TOML file of its house rules, beside the module of the system: key -> default, and values or low,
    high; with values and `handler = true` also the name of a plugin's handler (`load_handler`)."""
    rules: str = ""
    """The Markdown file of its rules by number, beside the module of the system, in words of one's own: a
    heading `## STR-TAC-04 Trading actions` each, and below it what it says. `strike rule` shows them."""
    nouns: str = ""
    """Reference of what may stand in places of its commands, for Tab: by what a place is called (its
    `metavar`, also with the command before it: `condition remove NAME`) a function of the campaign and of the
    words typed so far, by the names of their parameters, which gives words."""
    state: Mapping[str, str] = {}
    """Its tables of state.toml: key -> reference of its form, or of what makes the form, called with the
    book."""
    character_state: str = ""
    """Reference of what makes the fields that it keeps of a character in state.toml, called with the book."""
    on_sheets: str = ""
    """Reference of what `strike character` shows of it: called with the world and the character's id, it
    gives a `SheetView`."""
    tracks: str = ""
    """Reference of what is ticked off of somebody on a printed card: called with the book, "characters" or
    "creatures", and the sheet, it gives pairs of a name and how many boxes."""
    vocabularies: Mapping[str, str] = {}
    """Its vocabularies that plugins may bring words to: name -> reference of the class of what a word leads
    to."""
    own_sheet: str = ""
    """Reference of what it shows players of their own characters, on their phones: called with the world as
    players know it and the character's id, it gives an `OwnSheet` (`strike_cli.tabletop.own_sheet`)."""
    own_rolls: str = ""
    """Reference of the rolls that players may propose at any time: called with that world and the character's
    id, it gives `OwnRoll`s."""
    on_party: str = ""
    """Reference of what `strike status` and reports show of everybody: called with the world and their ids,
    it gives a `PartyView`."""
    tallies: Mapping[str, Tally] = {}
    """Numbers that reports count, by the key that sheet and state have them under."""
    counts: Mapping[str, Counted] = {}
    """What else reports count of everybody, by the key that their data have it under. Health that is dealt,
    lost and given back they know from `simulated`."""
    evening: Evening = Evening()
    """What it does when an evening begins and ends."""
    follows: str = ""
    """Reference of the procedure of what goes on when something has passed, whichever system played it:
    called with the world and with what (`Move.passes`), it returns what the move's data have of it."""
    in_words: Mapping[str, str] = {}
    """Kind of content -> reference of what says in words what one does: called with the book and the
    thing."""
    explains: Mapping[str, str] = {}
    """Kind of content -> reference of what reads one back in plain words, for `strike content explain`:
    called with the book and the thing, it gives lines (`strike_cli.tabletop.explained.Told`)."""
    drafts: Mapping[str, str] = {}
    """What `strike content new` may write, by the word for one of them -> reference of its `Draft`
    (`strike_cli.content.drafts`)."""
    check_content: str = ""
    """Reference of what finds faults in a thing of the book, beyond its form: called with the kind, the
    id and all tables of content, once all names are known. A fault is put behind the thing's name, such as
    `.map: row 2 ...`."""
    content_notes: str = ""
    """Reference of what finds in a whole book what nothing comes of: called with it, it gives the key of each
    such thing, what is so of it, and whether that can never be otherwise. `strike doctor` tells it."""
    campaign_checks: str = ""
    """Reference of what else `strike doctor` looks at: called with the book and the campaign's folder, it
    gives whether something is OK, what was looked at or is wrong, and what to do."""
    check_state: str = ""
    """Reference of what finds faults in the state beyond the form, where its scene is under way."""
    touches: str = ""
    """Reference of what tells which of the things that its moves rest on (`Args.rests_on`), besides sheets
    and scenes, are otherwise in one state than in another: called with both, it gives their names. Without
    it, a change of any table of `state` that is no scene's touches everything."""
    unread: Sequence[str] = ()
    """Keys of what it keeps of a character that no move rests on."""
    scene: str = ""
    """The key of its scene's table in state.toml, where it has scenes."""
    shows: str = ""
    """Reference of what reads that table into a `Scene`: called with the system's name, the key and the
    table. Not needed where the table keeps to the form of `strike_cli.tabletop.scene`."""
    parked: str = ""
    """Reference of its scenes that wait while another is played: called with the world, it gives pairs of
    what and of the command that goes on with it."""
    also_shows: str = ""
    """Reference of what its `show` says besides the scene in its common form: called with the world, it gives
    a `SheetView`, whose data are laid over the scene's."""
    next_turn: Sequence[str] = ()
    """The moves without arguments that `next` plays: what ends a turn, where one is under way, and what
    begins the one after it."""
    shorts: Mapping[str, str] = {}
    """What stands for its commonest verbs while its scene is under way: a letter or a word -> what to type in
    its group."""
    around: str = ""
    """Reference of what watches the facts of its scene's moves: takes a procedure, returns one."""
    looks: str = ""
    """Reference of the procedure by which the party comes to see more of its scene's map where there is fog,
    which is where its table has `seen`: called with the world and that table as it was before a fact, None
    where there was no scene. Played after every fact that changes the table, and not where odds are
    counted."""
    in_sight: str = ""
    """Reference of what of a map with fog the party sees now: called with the world, it gives squares."""
    ranges: str = ""
    """Reference of how far somebody gets on its scene's map: called with the world and who, it gives `Ranges`
    (`strike_cli.tabletop.ranges`). Pages show it of who is touched."""
    options: str = ""
    """Reference of what may be done now: called with the world, it gives `Option`s; those that are illegal
    are left out by whoever asks. Gives the commands `options` and, with `worth`, `auto`."""
    worth: str = ""
    """Reference of what the standing of a side is worth: called with the world and the side, it gives a
    number."""
    exhibits: str = ""
    """Reference of what lies on the table beside scenes, whatever is played: called with the state, it gives
    `Exhibit`s (`strike_cli.tabletop.exhibit`). Pages and tabletops show them."""
    players: Mapping[str, str] = {}
    """Its own players, where there are better ones than `options` and `worth` allow: "quick", "good" or
    "full" -> reference of what makes one (`strike_cli.sim.players.Player`)."""
    simulated: str = ""
    """Reference of what it says of itself for `sim`: how its scenes begin and end, who has won, what is
    people's health (`strike_cli.sim.declared.Simulated`)."""
    foresees: str = ""
    """Reference of what is to be expected of an option, where there is more to say than what `Move.odds`
    counts: called with the world and the `Option`, it gives a `Preview` (`strike_cli.play.forecast`)."""
    takes: str = ""
    """Reference of what a change is that somebody made on a virtual tabletop: called with the world and the
    `Change`, it gives a `Taken` (`strike_cli.tabletop.changed`). Without it the game master's hand sets it,
    where the scene keeps to the common keys."""
    secrets: Sequence[Secret] = ()
    """What of its scene is picked in secret."""
    example: str = ""
    """A folder beside the module of the system: its `campaign.toml` is what `strike new DIR --system NAME`
    begins with, its `evening.strike` a script that `strike demo --system NAME` plays."""

    def absolute(self, reference: str) -> str:
        """A reference that is relative to nothing."""
        return f"{self.package}{reference}" if reference.startswith(".") else reference


class Plugin:
    """What a distribution brings by its entry point.

    `name` is the namespace of its ids: content `burning` of plugin `elements` is `elements:burning`. `api` is
    the version of what plugins lean on that it is made for. `content` lists TOML files beside the module that
    holds the Plugin. `systems` are references of `System`s, `targets` map a kind of virtual tabletop to the
    reference of its class, `handlers` a name that powers and reactions may give to the reference of a
    procedure, `languages` the word that campaign.toml has for one ("de") to the reference of its `Language`,
    `map_formats` the ending of a file (".dd2vtt") to the reference of its `MapFormat`, `words` a
    system's vocabulary to what each new word of it leads to:
    `{"steps": {"ignite": "strike_elements.steps:IGNITE"}}`.
    """

    def __init__(
        self,
        name: str,
        *,
        api: int = API,
        content: Sequence[str] = (),
        systems: Sequence[str] = (),
        targets: Mapping[str, str] | None = None,
        handlers: Mapping[str, str] | None = None,
        map_formats: Mapping[str, str] | None = None,
        languages: Mapping[str, str] | None = None,
        words: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.name = name
        self.api = api
        self.content = list(content)
        self.systems = list(systems)
        self.targets = dict(targets or {})
        self.handlers = dict(handlers or {})
        self.map_formats = dict(map_formats or {})
        self.languages = dict(languages or {})
        self.words = dict(words or {})

    def fault(self) -> str:
        """What is wrong with it as a value; nothing where it can be used."""
        named = [self.name, *self.content, *self.systems]
        named += self.words
        tables = (self.targets, self.handlers, self.map_formats, self.languages, *self.words.values())
        named += [text for table in tables for pair in table.items() for text in pair]
        if all(isinstance(text, str) for text in named) and isinstance(self.api, int):
            return ""
        return (
            "its name and all that it names should be text; code is named as "
            '"module:object", and imported when it is used'
        )
