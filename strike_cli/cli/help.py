"""The command `strike help`.

It shows the everyday commands, all commands, the help on one command, or the commands possible now.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from .. import registry
from ..command_line_splitting import quote_word_if_needed
from ..content.schemas import added_fields
from ..kernel.state_changes import open_or_last_session_in, pending_decisions_in
from ..problems import PluginProblem, Problem, Usage
from ..registry.installed_plugins import import_object, plugin_index
from ..session.command_catalogue import (
    add_implied_systems,
    book_of_invocation,
    commands_in_group,
    expand_short_line,
    find_command_and_name_in_line,
    first_screen_lines,
    first_sentence_of_help,
    help_text,
    listed_commands_in_group,
    systems_in_campaign,
)
from ..session.shorthand import ShortForms, read_user_aliases
from ..terminal.argument_completions import Metavar
from ..terminal.command_output import (
    Block,
    Line,
    Picture,
    Result,
    Section,
    blocks_as_unwrapped_text,
    make_rich_console,
    print_result,
    rich_renderable,
    stdout_shows_colour,
    write_text_to_stdout,
)
from ..terminal.commands_and_options import Options, command, new_app
from ..terminal.invocation import AT_TERMINAL, Invocation
from ..untrusted_input import replace_unprintable

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..content.merged_content import Book
    from ..kernel.journal_types import WaitingDecision
    from ..registry.system_declaration import System
    from ..tabletop.scene import Scene

app = new_app("Help.")

NOW, ALL = "now", "all"
WIDTH = 78
"""The columns of an 80-column screen that are used."""
MOST_OF_A_VERB = 6
"""The most forms of a verb that are shown; others are only counted."""
FIRST = (
    ("tour", "play it yourself: ten minutes, step by step"),
    ("demo", "watch an evening play itself, and a page of it in your browser"),
    ("new my-campaign", "make a campaign: a folder with an example to edit"),
)
"""What a user may do first, without a campaign, and why."""
BEGIN, NEXT = "start", "next"
"""The verbs that begin a scene, and that lead from turn to turn."""


@command(app, "help", kind="reads")
def help_(
    options: Options,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=Metavar("[now|all|COMMAND...]", words=_words_to_complete),
            help="`now` for your options, or a command; short names work while a scene is under way.",
        ),
    ] = None,
) -> Result:
    """Show the everyday commands, all commands, help on one, or your options now.

    Example: `strike help now`, `strike help all`, `strike help combat attack`
    """
    if not words:
        lines = overview_lines(options.invocation)
        data = {"groups": {title: list(names) for title, names in _groups_by_title().items()}}
        return Result("help", data, lines)
    if words == [ALL]:
        data = {"groups": {title: list(names) for title, names in _groups_by_title().items()}}
        return Result("help", data, [*all_command_lines(options.invocation)])
    if words == [NOW]:
        blocks, told = _decisions_and_commands_now(options)
        return Result("help", {"now": told}, blocks)
    return _show_command_help(options, words)


def _words_to_complete() -> Iterator[str]:
    yield NOW
    yield ALL
    yield from ShortForms(AT_TERMINAL, commands_in_group).aliases_and_verbs()
    yield from registry.command_apps_by_group()


@command(app, "dev", kind="reads")
def dev(options: Options) -> Result:
    """List the tools for programmers: scripts, schemas, plugins, replays of the journal.

    Example: `strike dev`, `strike dev batch evening.strike`
    """
    names = plugin_index().together["dev"]
    listed = Section(
        "", [(_strike_command_span(f"dev {name}"), _first_sentence_of_help(name)) for name in names]
    )
    return Result("dev", {"commands": list(names)}, [listed])


# The very first


def print_everyday_commands_or_welcome(invocation: Invocation) -> None:
    """Print the answer to `strike` without a command: the everyday commands.

    If there is no campaign, print the ways to start instead.
    """
    from ..terminal.commands_and_options import find_campaign_folder

    print_result(
        Result(
            "",
            None,
            overview_lines(invocation) if find_campaign_folder(invocation.folder) else welcome_lines(),
        ),
        command_form=invocation.command_form,
    )


def welcome_lines() -> list[Line]:
    """Return lines with three things to do first, and where to find more."""
    return [
        ("strike runs tabletop RPG nights from a terminal.", "strong"),
        "There is no campaign in this folder. Three ways to start:",
        "",
        *step_lines(FIRST),
        "",
        [
            _strike_command_span("help"),
            " lists every command, ",
            _strike_command_span("help roll"),
            " explains one.",
        ],
    ]


# The first screen, and every command


def overview_lines(invocation: Invocation) -> list[Line]:
    """Return one screen with the everyday commands of the campaign's systems.

    The commands follow the course of an evening. No system is imported for this screen.
    """
    book = book_of_invocation(invocation)
    moments = first_screen_lines(systems_in_campaign(book))
    margin = max(map(len, moments)) + 2
    longest = max((len(line) for lines in moments.values() for line in lines), default=0)
    shown: list[Line] = [
        [(invocation.command_form.adapt_line_if_command("strike COMMAND ..."), "strong"), "   New here: ",
         ("tour", "command"), ", ", ("demo", "command"), ", ", ("new my-campaign", "command")],
    ]  # fmt: skip
    for when, lines in moments.items():
        for number, (line, what) in enumerate(lines.items()):
            head = f"{'' if number else when:{margin}}"
            shown.append([(head, "title"), (f"{line:{longest}}", "command"), (f"  {what}", "dim")])
    shown += _alias_lines(book, margin)
    shown += [
        [("More: ", "dim"), ("help all", "command"), ", ", ("help now", "command"), ", ",
         ("help roll", "command"), ", ", ("cheat", "command")],
        [("Options: ", "dim"), "-C DIR, the campaign's folder; --version; --install-completion, for Tab"],
    ]  # fmt: skip
    return shown


def all_command_lines(invocation: Invocation) -> list[Line]:
    """Return the commands and command groups of the systems in use, with short descriptions.

    The last lines name the groups of other systems, and say how to get help on a single command.
    """
    used = systems_in_campaign(book_of_invocation(invocation))
    titles = {each.title for each in used.values()}
    below = {name for names in plugin_index().together.values() for name in names}
    lines: list[Line] = []
    others: list[str] = []
    headings: dict[str, list[str]] = {heading: [] for heading in HEADINGS}
    for title, names in _groups_by_title().items():
        if title not in titles:
            others.append(f"{title} ({', '.join(names)})")
            continue
        for name in names:
            headings[_heading_of_command(name)].append(name)
    for heading, names in headings.items():
        lines += [(heading, "title")] if names and heading else []
        for name in names if heading else ():
            if name not in below:
                text = textwrap.shorten(_first_sentence_of_help(name), WIDTH - 15, placeholder=" ...")
                lines.append([(f"  {name:13}", "command"), text])
            if name in plugin_index().together:
                also = ", ".join(plugin_index().together[name])
                lines.append([(f"{'':15}also {name} ", "dim"), (also, "command")])
    if others:
        wrapped = textwrap.wrap(f"Not in use here: {'; '.join(others)}", WIDTH, break_on_hyphens=False)
        lines += [(line, "dim") for line in wrapped]
    lines.append(
        [
            ("More about one: ", "dim"),
            _strike_command_span("help roll"),
            (", or ", "dim"),
            _strike_command_span("help roll skill"),
        ]
    )
    return lines


HEADINGS = ("At the table", "Before", "After", "Screens", "Files", "For developers", "")
"""The headings of `help all`, in order; no commands are listed under the last."""


def _heading_of_command(name: str) -> str:
    for known in plugin_index().systems.values():
        for heading, names in known.listed.items():
            if name in names.split():
                return heading if heading in HEADINGS else HEADINGS[0]
    return HEADINGS[0]


def _first_sentence_of_help(name: str) -> str:
    """Return the first sentence of a command's help, or that the command is switched off."""
    try:
        return first_sentence_of_help(name)
    except PluginProblem:
        return "is switched off: its plugin has failed"


def overview_text(invocation: Invocation) -> str:
    """Return the overview as text, with colours if stdout is a terminal."""
    if not stdout_shows_colour():
        return blocks_as_unwrapped_text(overview_lines(invocation)).rstrip("\n")
    console = make_rich_console()
    with console.capture() as captured:
        console.print(rich_renderable(overview_lines(invocation), console.width))
    return captured.get().rstrip("\n")


def _strike_command_span(line: str) -> tuple[str, str]:
    return (f"strike {line}", "command")


def _groups_by_title() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, title in plugin_index().titles.items():
        found.setdefault(title, []).append(name)
    return found


def _alias_lines(book: Book | None, margin: int) -> list[Line]:
    try:
        names = " ".join({**read_user_aliases(), **(book.aliases if book else {})})
    except Problem:
        return []  # the command that needs them reports it
    short = textwrap.shorten(replace_unprintable(names), WIDTH - margin, placeholder=" ...")
    return [[(f"{'Aliases':{margin}}", "title"), (short, "command")]] if names else []


# One command


def _show_command_help(options: Options, words: Sequence[str]) -> Result:
    """Print the help on a command; with --json or collected output, return it as the result.

    The command may be typed in a short form or as an alias.
    """
    from .app import root_command

    spoken = ShortForms(options.invocation, commands_in_group)
    meant = spoken.aliases.get(words[0])
    alias: list[Block] = [f"{words[0]} stands for: {meant}"] if meant else []
    if not options.json and not options.invocation.has_result_handler:
        write_text_to_stdout(blocks_as_unwrapped_text(alias))
    typed = meant.split() if meant else list(words)
    if len(typed) == 1 and not spoken.systems and typed[0] not in registry.command_apps_by_group():
        owners = [
            each for each in spoken.games_meant_besides_open_scenes() if typed[0] in commands_in_group(each)
        ]
        typed = [*owners[:1], *typed]  # a verb of a scene that has not begun
    try:
        found, path = find_command_and_name_in_line(expand_short_line(typed, options.invocation))
    except Usage as problem:
        raise Usage(
            problem.message, f"`strike help` lists the commands, `strike rule {words[0]}` looks in the rules."
        ) from None
    if options.json or options.invocation.has_result_handler:
        data = {"command": " ".join(path), "help": (found and found.help) or ""}
        from rich.text import Text

        return Result(
            "help",
            data,
            [*alias, Picture(partial(help_text, path), lambda width: Text(help_text(path, width)))],
        )
    root_command()(args=[*path, "--help"], prog_name="strike", standalone_mode=False, obj=options.invocation)
    return Result("help", {}, [])


# The commands possible now


def _decisions_and_commands_now(options: Options) -> tuple[list[Block], dict[str, object]]:
    """Return the open decisions and the commands that make sense now, as blocks to show and as data.

    The blocks also show the proposals that wait for an answer.
    """
    campaign = options.open_campaign_if_any()
    if campaign is None:
        lines: list[Block] = [
            "There is no campaign here.",
            *step_lines([*FIRST, ("roll skill --skilled", "a roll without any")]),
        ]
        return lines, {"scenes": [], "pending": [], "next": [step for step, _ in FIRST]}
    from ..registry.scenes_and_decisions_in_state import scenes_under_way

    with campaign:
        scenes = list(reversed(scenes_under_way(campaign.state)))
        blocks: list[Block] = [*_decision_lines(campaign), *_proposal_lines(campaign)]
        told: list[dict[str, object]] = []
        for scene in scenes:
            more, verbs = _legal_verbs_of_scene(campaign, scene)
            blocks += more
            told.append({"system": scene.system, "id": scene.id, "verbs": verbs})
        if scenes:
            blocks += _short_form_lines(options.invocation)
        waiting = _open_decisions(campaign)
        steps = [] if scenes or waiting else list(commands_between_scenes(campaign))
        if steps:
            blocks += ["No scene is under way. To go on:", *step_lines(steps)]
        pending = [{"scene": key, "options": list(item["options"])} for key, item in waiting]
        return blocks, {"scenes": told, "pending": pending, "next": [step for step, _ in steps]}


def step_lines(steps: Iterable[tuple[str, str]]) -> list[Line]:
    """Return lines in two columns: commands, and the purpose of each."""
    rows = list(steps)
    longest = min(max((len(step) for step, _ in rows), default=0), 40)
    return [[_strike_command_span(f"{step:{longest}}"), (f"  {what}", "dim")] for step, what in rows]


def _open_decisions(campaign: Campaign) -> list[tuple[str, WaitingDecision]]:
    return list(pending_decisions_in(campaign.state).items())


def _proposal_lines(campaign: Campaign) -> Iterator[Line]:
    from ..campaign_on_screen import open_proposals

    for one in open_proposals(campaign):
        yield [
            f"{one.who} proposes: {one.text}  ",
            _strike_command_span(f"accept {one.id}"),
            (", ", "dim"),
            _strike_command_span(f"decline {one.id}"),
        ]


def _decision_lines(campaign: Campaign) -> Iterator[Line]:
    from ..terminal.command_output import open_decision_lines

    waiting = _open_decisions(campaign)
    for key, item in waiting:
        if item.get("secret"):
            yield ("A secret decision is open.", "dim")
            continue
        *told, answer = open_decision_lines(item, campaign.book.locale(), faces=False)
        yield from told
        if len(waiting) > 1:
            answer = [
                ("Answer with ", "dim"),
                _strike_command_span(f"choose {item['options'][0]} --for {key}"),
            ]
        yield answer
    if waiting:
        yield [("Or undo the command that asks: ", "dim"), _strike_command_span("undo")]


def _legal_verbs_of_scene(campaign: Campaign, scene: Scene) -> tuple[list[Block], dict[str, list[str]]]:
    """Return the verbs that are legal now in a scene, as blocks to show and as data.

    The data has, for each verb, the words that may follow it.
    """
    from ..kernel.procedure import World
    from ..play.legal_options import legal_options_listed_by_bot
    from ..terminal.scene_view import scene_state_line

    system = registry.load_known_system(scene.system)
    blocks: list[Block] = [scene_state_line(scene)]
    waits = scene.key in pending_decisions_in(campaign.state)
    legal: dict[str, list[str]] = {}
    if not waits:
        for option in legal_options_listed_by_bot(system, World(campaign.book, campaign.state)):
            verb, *rest = str(option).partition(" ")
            ways = legal.setdefault(verb, [])
            said = rest[1].removeprefix(_omissible_actor(scene, verb))
            if said and said not in ways:
                ways.append(said)
    for verb, ways in legal.items():
        blocks += _wrap_verb(verb, " | ".join(ways[:MOST_OF_A_VERB]), len(ways) - MOST_OF_A_VERB)
    if system.scene.next_turn and not waits:
        blocks += _wrap_verb(NEXT, "what comes next")
    others = [verb for verb in listed_commands_in_group(system.name) if verb not in (*legal, NEXT, BEGIN)]
    blocks += _wrap_verb("also", ", ".join(others), style="dim")
    return blocks, legal


def _omissible_actor(scene: Scene, verb: str) -> str:
    """Return the active person's id, followed by a blank, if it may be left out after `verb`.

    Return "" if nobody is active, or if `verb` takes no actor.
    """
    from ..terminal.move_commands import commands_declared_in

    active = scene.order.active if scene.order else None
    commands = registry.command_apps_by_group()[scene.system]
    declared = commands_declared_in(import_object(commands.get(verb) or commands[""])).get(verb)
    return f"{active} " if active and declared and declared.omittable_actor_parameter else ""


def _wrap_verb(verb: str, text: str, more_count: int = 0, style: str = "command") -> Iterator[Line]:
    """Yield lines with a verb and the words that may follow it (`text`), wrapped to the screen.

    `more_count` is how many more words may follow than `text` has. `style` is the style of the verb.
    """
    more = f" and {more_count} more" if more_count > 0 else ""
    parts = textwrap.wrap(replace_unprintable(text + more), WIDTH - 12, break_on_hyphens=False) or [""]
    for number, part in enumerate(parts):
        yield [(f"  {'' if number else verb:9} ", style), part]


def _short_form_lines(invocation: Invocation) -> Iterator[Line]:
    spoken = ShortForms(invocation, commands_in_group)
    letters = [
        f"{short} {verb}"
        for short, verb in spoken.verbs_by_short_form_in_scene().items()
        if short != verb.split()[-1]
    ]
    yield from _wrap_verb("in short", ", ".join(letters), style="dim")
    if spoken.aliases:
        yield from _wrap_verb("aliases", ", ".join(spoken.aliases), style="dim")


def commands_between_scenes(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield the commands that are useful while no scene is under way, each with its purpose."""
    now = open_or_last_session_in(campaign.state)
    if not now.get("open"):
        for system in registry.load_usable_systems(campaign.book.registry):
            if now:
                yield from _commands_for_tasks_left(system, campaign)
        yield from _commands_for_parked_scenes(campaign)
        yield "session start", "begin an evening"
    # Games with sheets here come first, then those with prepared things.
    named = campaign.book.systems
    played = add_implied_systems(named) if named else campaign.book.registry.systems
    with_scenes = [
        each
        for each in registry.load_usable_systems(campaign.book.registry)
        if each.scene.key and each.name in played
    ]
    for system in sorted(
        with_scenes, key=lambda system: any(each.prepared for each in system.content.values())
    ):
        yield from _prepared_commands(system, campaign)
    person = next(iter(campaign.book.characters), "")
    if person:
        yield from (
            (f"roll skill {person} {skill}", "a roll")
            for skill in _tab_completions(campaign, f"roll skill {person}")[:1]
        )
    if now.get("open"):
        yield "session end", "end the evening"


def _commands_for_tasks_left(system: System, campaign: Campaign) -> Iterator[tuple[str, str]]:
    from ..kernel.procedure import World
    from ..terminal.system_views import views_of

    for each in views_of(system).still_to_do(World(campaign.book, campaign.state)):
        yield each.command.removeprefix("strike "), each.what


def _commands_for_parked_scenes(campaign: Campaign) -> Iterator[tuple[str, str]]:
    from ..kernel.procedure import World
    from ..terminal.system_views import tasks_of_parked_scenes

    for each in tasks_of_parked_scenes(World(campaign.book, campaign.state)):
        yield each.command.removeprefix("strike "), each.what


def _prepared_commands(system: System, campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield commands that begin something prepared for a system, each with a description.

    An example is the command that begins an encounter of the campaign. If the campaign doesn't use the
    system, nothing is yielded. A campaign uses a system if something is prepared for the system, or if a
    character's sheet has a value of the system.
    """
    book = campaign.book
    kinds = {kind: of for kind, of in system.content.items() if of.begins and kind in book}
    if any(
        each.prepared and book.table(kind) for kind, each in kinds.items()
    ) or _has_values_on_character_sheets(system, campaign):
        for kind, of in kinds.items():
            prepared = [each for each in book.table(kind).items() if not book.is_made_up(kind, each[0])]
            for key, one in prepared[:MOST_OF_A_VERB]:
                yield f"{of.begins} {quote_word_if_needed(key)}", f"begin {one.get('name', key)}"


def _tab_completions(campaign: Campaign, line: str) -> list[str]:
    """Return the words that Tab offers after a line, quoted where needed."""
    from ..session.tab_completion import find_completions

    return [
        quote_word_if_needed(word) for word in find_completions(line.split(), "", str(campaign.folder)).words
    ]


def _has_values_on_character_sheets(system: System, campaign: Campaign) -> bool:
    fields = added_fields(system, "characters")
    return any(sheet.get(key) for sheet in campaign.book.characters.values() for key in fields)
