"""`strike help`: every command on a screen, a command's help, and what may be done as things stand."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import registry
from ..content.schemas import fields_of
from ..problems import Problem, Usage, printable
from ..registry.installed import index, load_object
from ..terminal.completion import offers_words
from ..terminal.options import Options, command, new_app
from ..terminal.result import Block, Line, Result, as_text, coloured, renderable, say, show, terminal
from ..words import as_word

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..registry.declaration import System
    from ..tabletop.scene import Scene

app = new_app()

NOW = "now"
WIDTH = 78
"""Columns of a screen of 80 that are written into."""
MOST_OF_A_VERB = 6
"""Ways to say a verb that are shown; of more there is a count."""
FIRST = (
    ("tour", "play it yourself: ten minutes, step by step"),
    ("demo", "watch an evening play itself, and a page of it in your browser"),
    ("new my-campaign", "make a campaign: a folder with an example to change"),
)
"""What one may do where there is no campaign yet, and what for."""
BEGIN, NEXT = "start", "next"
"""The verbs that begin a scene, and go from turn to turn."""


@app.callback()
def _group() -> None:
    """Help."""


def _first_words() -> Iterator[str]:
    from .app import verbs_of
    from .verbs import Spoken

    yield NOW
    yield from Spoken(None, verbs_of).known()
    yield from registry.groups()


@command(app, "help", kind="reads")
def help_(
    options: Options,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[now|COMMAND...]",
            help="What can be done now; or a command, for short where a scene is under way.",
            autocompletion=offers_words(_first_words),
        ),
    ] = None,
) -> Result:
    """Every command on a screen; or what one does, as its `--help` has it; or what can be done now.

    Example: `strike help now`, `strike help combat attack`
    """
    if not words:
        lines = overview(options.folder)
        data = {"groups": {title: list(names) for title, names in _titled().items()}}
        return Result("help", data, lines)
    if words == [NOW]:
        blocks, told = _now(options)
        return Result("help", {"now": told}, blocks)
    return _of_command(options, words)


# The very first


def greet(folder: str | None) -> None:
    """What `strike` alone says: three things to do where there is no campaign, every command where one is."""
    from ..campaign.find import find_campaign

    show(Result("", None, overview(folder) if find_campaign(folder) else welcome()))


def welcome() -> list[Line]:
    """Three things to do first, and where the rest is."""
    return [
        ("strike runs tabletop RPG nights from a terminal.", "strong"),
        "There is no campaign in this folder. Three things to do:",
        "",
        *_listed(FIRST),
        "",
        [_typed("help"), " lists every command, ", _typed("help roll"), " tells of one."],
    ]


# Every command


def overview(folder: str | None) -> list[Line]:
    """Every command by name, in groups, on one screen; what to type first, and how to learn more."""
    titled = _titled()
    fights = next((name for name, known in registry.known_systems().items() if known.scene), "help")
    margin = min(max(map(len, titled)), 28) + 2
    lines: list[Line] = [
        [("Usage: strike COMMAND ...", "strong"), "   To learn it: ", _typed("tour"), ", ", _typed("demo")],
        ["Your own: ", _typed("new my-campaign"), "; inside it ", _typed("shell"), ", or in bash."],
        [("Examples: ", "dim"), _typed("roll skill vex Climbing"), ", ", _typed(f"help {fights}"), "."],
        "",
    ]
    for title, names in titled.items():
        for number, part in enumerate(textwrap.wrap(" ".join(names), WIDTH - margin, break_on_hyphens=False)):
            lines.append([(f"{'' if number else title:{margin}}", "title"), (part, "command")])
    lines += _aliases(folder, margin)
    lines += [
        [("Options: ", "dim"), "-C DIR, the campaign's folder; --version; --install-completion, for Tab"],
        [("More: ", "dim"), _typed(f"help {fights}"), ", ", _typed("help now"), ", ",
         _typed("rule STR-TAC-04"),
         " or flanking."],
    ]  # fmt: skip
    return lines


def overview_text(folder: str | None) -> str:
    """The same as text, for a terminal or for a pipe."""
    if not coloured():
        return as_text(overview(folder)).rstrip("\n")
    console = terminal()
    with console.capture() as captured:
        console.print(renderable(overview(folder), console.width))
    return captured.get().rstrip("\n")


def _typed(line: str) -> tuple[str, str]:
    return (f"strike {line}", "command")


def _titled() -> dict[str, list[str]]:
    """The groups of commands, by the title that they are listed under."""
    found: dict[str, list[str]] = {}
    for name, title in index().titles.items():
        found.setdefault(title, []).append(name)
    return found


def _aliases(folder: str | None, margin: int) -> list[Line]:
    from .app import verbs_of
    from .verbs import Spoken

    try:
        names = " ".join(Spoken(folder, verbs_of).aliases)
    except Problem:
        return []  # the command that wants them says what is wrong
    short = textwrap.shorten(printable(names), WIDTH - margin, placeholder=" ...")
    return [[(f"{'Aliases':{margin}}", "title"), (short, "command")]] if names else []


# One command


def _of_command(options: Options, words: Sequence[str]) -> Result:
    """The help of a command, however short it is said."""
    from .app import command_words, root_command, verbs_of, written_out
    from .verbs import Spoken

    meant = Spoken(options.folder, verbs_of).aliases.get(words[0])
    if meant and not options.json:
        say(f"{words[0]} stands for: {printable(meant)}\n")
    typed = meant.split() if meant else list(words)
    try:
        found, path = command_words(written_out(typed, options.folder))
    except Usage as problem:
        raise Usage(
            problem.message, f"`strike help` lists the commands, `strike rule {words[0]}` looks in the rules."
        ) from None
    if options.json:
        return Result("help", {"command": " ".join(path), "help": found.help or ""}, [])
    root_command()(args=[*path, "--help"], prog_name="strike", standalone_mode=False)
    return Result("help", {}, [])


# What can be done


def _now(options: Options) -> tuple[list[Block], dict[str, object]]:
    """What may be typed as things stand, and the same as data."""
    campaign = options.campaign_if_any()
    if campaign is None:
        lines: list[Block] = [
            "There is no campaign here.",
            *_listed([*FIRST, ("roll skill --skilled", "a roll without any")]),
        ]
        return lines, {"scenes": [], "pending": [], "next": [step for step, _ in FIRST]}
    from ..registry.scenes import scenes_of

    with campaign:
        scenes = list(reversed(scenes_of(campaign.state)))
        blocks: list[Block] = [*_decisions(campaign), *_proposals(campaign)]
        told: list[dict[str, object]] = []
        for scene in scenes:
            more, verbs = _in_scene(campaign, scene)
            blocks += more
            told.append({"system": scene.system, "id": scene.id, "verbs": verbs})
        if scenes:
            blocks += _for_short(options.folder)
        steps = [] if scenes else list(_between_scenes(campaign))
        if steps:
            blocks += ["No scene is under way. To go on:", *_listed(steps)]
        pending = [{"scene": key, "options": list(item["options"])} for key, item in _open(campaign)]
        return blocks, {"scenes": told, "pending": pending, "next": [step for step, _ in steps]}


def _listed(steps: Iterable[tuple[str, str]]) -> list[Line]:
    rows = list(steps)
    longest = min(max((len(step) for step, _ in rows), default=0), 40)
    return [[_typed(f"{step:{longest}}"), (f"  {what}", "dim")] for step, what in rows]


def _open(campaign: Campaign) -> list[tuple[str, Mapping[str, Any]]]:
    return list(campaign.state.get("pending", {}).items())


def _proposals(campaign: Campaign) -> Iterator[Line]:
    """What players propose from their phones."""
    from .play import proposed

    for one in proposed(campaign):
        yield [
            f"{one.who} proposes: {one.text}  ",
            _typed(f"accept {one.id}"),
            (", ", "dim"),
            _typed("decline"),
        ]


def _decisions(campaign: Campaign) -> Iterator[Line]:
    """What waits to be decided, and how it is answered."""
    from ..terminal.narrate import pending_lines

    waiting = _open(campaign)
    for key, item in waiting:
        if item.get("secret"):
            yield ("A decision waits, in secret.", "dim")
            continue
        *told, answer = pending_lines({**item, "faces": ()})
        yield from told
        if len(waiting) > 1:
            answer = [("Answer with ", "dim"), _typed(f"choose {item['options'][0]} --for {key}")]
        yield answer
    if waiting:
        yield [("Or take back what asked: ", "dim"), _typed("undo")]


def _in_scene(campaign: Campaign, scene: Scene) -> tuple[list[Block], dict[str, list[str]]]:
    """The verbs that are legal now, each with what may follow."""
    from ..kernel.procedure import World
    from ..play.legal import legal_options
    from ..terminal.scene_view import scene_line
    from .app import verbs_of

    system = registry.system(scene.system)
    blocks: list[Block] = [scene_line(scene)]
    waits = scene.key in campaign.state.get("pending", {})
    legal: dict[str, list[str]] = {}
    if not waits:
        for option in legal_options(system, World(campaign.book, campaign.state)):
            verb, *rest = str(option).partition(" ")
            ways = legal.setdefault(verb, [])
            said = rest[1].removeprefix(_left_out(scene, verb))
            if said and said not in ways:
                ways.append(said)
    for verb, ways in legal.items():
        blocks += _wrapped(verb, " | ".join(ways[:MOST_OF_A_VERB]), len(ways) - MOST_OF_A_VERB)
    if system.scene.next_turn and not waits:
        blocks += _wrapped(NEXT, "the turn under way ends, and the following one begins")
    others = [verb for verb in verbs_of(system.name) if verb not in (*legal, NEXT, BEGIN)]
    blocks += _wrapped("also", ", ".join(others), style="dim")
    return blocks, legal


def _left_out(scene: Scene, verb: str) -> str:
    """What may be left out of a verb's words: who acts, in their turn."""
    from ..terminal.declare import declared_in

    active = scene.order.active if scene.order else None
    commands = registry.groups()[scene.system]
    declared = declared_in(load_object(commands.get(verb) or commands[""])).get(verb)
    return f"{active} " if active and declared and declared.actor else ""


def _wrapped(verb: str, text: str, left_out: int = 0, style: str = "command") -> Iterator[Line]:
    """A verb with what may follow it, below one another where a line has no room."""
    more = f" and {left_out} more" if left_out > 0 else ""
    parts = textwrap.wrap(printable(text + more), WIDTH - 12, break_on_hyphens=False) or [""]
    for number, part in enumerate(parts):
        yield [(f"  {'' if number else verb:9} ", style), part]


def _for_short(folder: str | None) -> Iterator[Line]:
    from .app import verbs_of
    from .verbs import Spoken

    spoken = Spoken(folder, verbs_of)
    letters = [f"{short} {verb}" for short, verb in spoken.shorts().items() if short != verb.split()[-1]]
    yield from _wrapped("in short", ", ".join(letters), style="dim")
    if spoken.aliases:
        yield from _wrapped("aliases", ", ".join(spoken.aliases), style="dim")


def _between_scenes(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """What one would type next, and what for."""
    now = campaign.state.get("session", {})
    if not now.get("open"):
        for system in registry.systems():
            if now:
                yield from _still_to_do(system, campaign)
        yield "session start", "begins an evening"
    # What is on sheets says what is played here; what others prepared comes after it.
    with_scenes = [system for system in registry.systems() if system.scene.key]
    for system in sorted(
        with_scenes, key=lambda system: any(each.prepared for each in system.content.values())
    ):
        ready = _prepared(system, campaign)
        yield from ((f"{system.name} {BEGIN} {name}", system.title) for name in ready)
    who = next(iter(campaign.book.characters), "")
    if who:
        yield from (
            (f"roll skill {who} {skill}", "a roll") for skill in _offered(campaign, f"roll skill {who}")[:1]
        )
    if now.get("open"):
        yield "session end", "ends the evening"


def _brings_what_is_prepared(system: System) -> bool:
    return any(of.prepared for of in system.content.values())


def _still_to_do(system: System, campaign: Campaign) -> Iterator[tuple[str, str]]:
    from ..kernel.procedure import World
    from ..terminal.views import views_of

    for each in views_of(system).still_to_do(World(campaign.book, campaign.state)):
        yield each.command.removeprefix("strike "), each.what


def _prepared(system: System, campaign: Campaign) -> list[str]:
    """What the campaign has for a system to begin: what is offered after its `start`, where the system brings
    that kind of thing itself, or is on somebody's sheet."""
    from .app import verbs_of

    if BEGIN not in verbs_of(system.name):
        return []
    own = any(campaign.book.table(kind) for kind, each in system.content.items() if each.prepared)
    if not own and not _on_a_sheet(system, campaign):
        return []
    offered = _offered(campaign, f"{system.name} {BEGIN}")
    return [word for word in offered if word not in campaign.book.characters][:MOST_OF_A_VERB]


def _offered(campaign: Campaign, line: str) -> list[str]:
    """What Tab offers after a line, as one would type it."""
    from .tab import found

    return [as_word(word) for word in found(["-C", str(campaign.folder), *line.split()], "").words]


def _on_a_sheet(system: System, campaign: Campaign) -> bool:
    fields = fields_of(system, "characters")
    return any(sheet.get(key) for sheet in campaign.book.characters.values() for key in fields)
