"""The command `strike cheat`: one page with the commands of the campaign's games.

It is meant to lie beside the dice. The page is made from the games' own declarations: commands with their
letters and help, dice, and the keys of `strike play`. It is shown on a terminal, as data, or as a PDF.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from .. import registry
from ..problems import Refused, Usage, did_you_mean
from ..registry.installed_plugins import plugin_index
from ..terminal import argument_completions
from ..terminal.command_output import Line, Result
from ..terminal.commands_and_options import Options, command, commands_of, declared_command_of, new_app
from ..terminal.invocation import AT_TERMINAL, Invocation
from ..terminal.usage_refusals import example_in_help
from ..untrusted_input import replace_unprintable

if TYPE_CHECKING:
    from ..registry.system_declaration import System
    from ..terminal.commands_and_options import AnyCommand

app = new_app("A page to keep beside the dice.")

WIDTH = 80
ROOM_FOR_TYPED = 33
"""The columns of a terminal for commands; a longer one has its description on the next line."""
FEWEST_WORDS = 4
"""A long sentence is cut at its first comma or colon, unless fewer words than this would be left."""
FILE = "strike-cheat.pdf"
BARE, ROUND = ("odds",), "round"
"""The groups of bare dice; and a placeholder for an empty round, which isn't played."""
NEXT = "next"
"""The commands that are listed in place of others whose work they do."""
NUMBER = re.compile(r"<int( range)?>")
RULE_NUMBERS = re.compile(r" \([A-Z]+-[^)]*\)")


class CheatLine(NamedTuple):
    """A line of the page: a command to type or a key to press, and what it does."""

    letter: str
    """The letter or key that stands for it in the game's scenes."""
    typed: str
    what: str
    example: str = ""
    """A whole line that plays it, without `strike`; empty for a key."""
    from_help: bool = False
    """Whether `what` is a sentence from the command's help, which has more to say."""


class CheatPart(NamedTuple):
    """A part of the page: lines under a heading."""

    title: str
    lines: Sequence[CheatLine]

    def as_json(self) -> dict[str, object]:
        """Return the part as --json shows it."""
        keys = ("typed", "letter", "what", "example")
        return {
            "title": self.title,
            "lines": [{key: getattr(line, key) for key in keys} for line in self.lines],
        }


@command(app, "cheat", kind="reads")
def cheat(
    options: Options,
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=argument_completions.Metavar("[GAME]...", words=_games_with_scenes),
            help="Only these games. Default: the campaign's.",
        ),
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Write one page of A4 to print.")] = False,
    out: Annotated[
        str, typer.Option("--out", metavar=argument_completions.FILE, help="The file of --pdf.")
    ] = FILE,
) -> Result:
    """Make one page to keep beside the dice: the campaign's commands, their letters, dice and keys.

    Example: `strike cheat`, `strike cheat combat --pdf`
    """
    known = _games_with_scenes()
    for game in games or ():
        if game not in known:
            raise Usage(
                f"There is no game {game!r}.{did_you_mean(game, known)}", f"There are: {', '.join(known)}."
            )
    title, parts = make_cheat_page(options.invocation, games or ())
    data: dict[str, object] = {"title": title, "parts": [part.as_json() for part in parts]}
    if not pdf:
        return Result("cheat", data, [(title, "strong"), *_page_lines(parts)])
    from ..terminal.marked_output_files import write_already_marked_file

    content, lacking = _page_pdf_and_lacking_characters(title, parts)
    write_already_marked_file(Path(out), content)
    data["file"] = out
    notices = [f"The page's font lacks {' '.join(lacking)}: it prints ?."] if lacking else []
    return Result("cheat", data, [(f"{out} has one page, A4. Print it.", "good")], notices=notices)


def _games_with_scenes() -> list[str]:
    return [name for name, known in registry.known_systems().items() if known.scene]


def _page_pdf_and_lacking_characters(title: str, parts: Sequence[CheatPart]) -> tuple[bytes, str]:
    """Return the page as a PDF, and the characters that its font lacks.

    If the page is too long, its sentences are shortened. Raises Refused if the shortened page is still too
    long.
    """
    from ..pages.one_page_pdf import PdfPart, PdfRow, one_page_pdf_and_lacking_characters

    def pdf_parts(say: Callable[[CheatLine], str]) -> list[PdfPart]:
        return [
            PdfPart(part.title, [PdfRow(each.letter, each.typed, say(each)) for each in part.lines])
            for part in parts
        ]

    with suppress(Refused):
        return one_page_pdf_and_lacking_characters(title, pdf_parts(lambda line: line.what))
    return one_page_pdf_and_lacking_characters(title, pdf_parts(_cut_sentence_at_first_comma))


# Contents


def make_cheat_page(invocation: Invocation, known_games: Sequence[str]) -> tuple[str, list[CheatPart]]:
    """Return the title and the parts of the page.

    The page is for the systems named in `known_games`. If `known_games` is empty, it is for the systems of
    the campaign.
    """
    from ..session.command_catalogue import (
        add_implied_systems,
        book_of_invocation,
        first_screen_lines,
        systems_in_campaign,
    )

    book = book_of_invocation(invocation)
    played = add_implied_systems(known_games) if known_games else systems_in_campaign(book)
    used = [each for each in registry.load_usable_systems() if each.name in played]
    scenes = [each for each in used if each.scene.key]
    parts = [
        CheatPart(
            when, [_line_with_example_of_first_screen(line, what, scenes) for line, what in lines.items()]
        )
        for when, lines in first_screen_lines(each.name for each in used).items()
    ]
    named = {line.typed.split()[0] for part in parts for line in part.lines}
    shared = list(_lines_shared_by_several_scenes(scenes))
    parts.append(CheatPart("Dice on your table", list(_dice_lines(used))))
    parts += [_part_of_game(system, {line.typed.split()[0] for line in shared}) for system in scenes]
    parts.append(CheatPart("In every scene", shared))
    from ..terminal.screen.screen_drawing import KEY_HELP

    parts.append(CheatPart("Keys of strike play", [CheatLine("", keys, what) for keys, what in KEY_HELP]))
    parts.append(CheatPart("Also", list(_lines_for_systems_with_other_groups(used, named))))
    if book and book.aliases:
        own = [
            CheatLine("", name, f"stands for: {replace_unprintable(text)}")
            for name, text in book.aliases.items()
        ]
        parts.append(CheatPart("Your aliases", own))
    title = f"strike: {replace_unprintable(book.name)}" if book else "strike"
    return title, [part for part in parts if part.lines]


def _line_with_example_of_first_screen(line: str, description: str, scenes: Sequence[System]) -> CheatLine:
    """Return the cheat sheet's line for a command that is on the first screen of help.

    The line includes an example. `line` is the command as the first screen shows it. There, the name of the
    command's group may be left out if the group belongs to one of `scenes`.
    """
    words = line.split()
    group = next((each.name for each in scenes if words[0] in _commands_in_group(each.name)), "")
    found = _command_at_start_of_words(
        [group, words[0]] if group and words[0] not in registry.command_apps_by_group() else words
    )
    return CheatLine("", line, description, example=_example_in_help_without_strike(found))


def _part_of_game(system: System, excluded: set[str]) -> CheatPart:
    """Return a game's part of the cheat sheet: the game's commands.

    The command that begins a scene comes first, with the game's name. The other commands are given as they
    are typed while a scene of the game is under way. Hidden commands and those in `excluded` are left out.
    """
    letters = {verb: letter for letter, verb in system.scene.shorts.items() if len(letter) == 1}
    lines = [
        _line_for_command(name, each, letters.get(name, ""))
        for name, each in _commands_in_group(system.name).items()
        if name not in excluded and not each.hidden
    ]
    alone = {word: meant for word, meant in system.scene.shorts.items() if " " in meant}
    if alone:
        word, meant = next(iter(alone.items()))
        lines.append(CheatLine("", ", ".join(alone), f"each alone: {word} is {meant.replace(' . ', ' ')}"))
    begins = next((line for line in lines if line.typed.split()[0] == "start"), None)
    rest = [line for line in lines if line is not begins]
    first = [begins._replace(typed=f"{system.name} {begins.typed}")] if begins else []
    return CheatPart(system.title or system.name, [*first, *rest])


def _lines_shared_by_several_scenes(systems: Sequence[System]) -> Iterator[CheatLine]:
    """Yield the lines for commands that scenes of all games share, such as `next` and the overrides."""
    from ..registry.gm_override_hooks import FIRST_WORDS
    from ..session.shorthand import LETTERS

    letters = {verb: letter for letter, verb in LETTERS.items()}
    for name in ("next", "show", "options", "auto", *FIRST_WORDS):
        having = [each for each in systems if name in _commands_in_group(each.name)]
        # A command that only one of several games has belongs to that game's part.
        if having and (len(having) > 1 or len(systems) == 1 or name in (*letters, *FIRST_WORDS)):
            own = any(letters.get(name) in each.scene.shorts for each in having)
            yield _line_for_command(
                name, _commands_in_group(having[0].name)[name], "" if own else letters.get(name, "")
            )
    yield CheatLine("z", "undo", "take back the last command", "undo")


def _dice_lines(systems: Sequence[System]) -> Iterator[CheatLine]:
    """Yield the lines about physical dice: how to type their faces, and which dice each command asks for."""
    yield CheatLine("", "-d 5", "the face you rolled; without -d strike rolls", example="roll die 1d6 -d 5")
    yield CheatLine("", "-d 24, -d 2,4", "two dice, in the order asked; commas between d12s or d20s",
                    example="roll die 2d6 -d 24")  # fmt: skip
    for group in dict.fromkeys(group for system in systems for group in system.commands):
        if group not in BARE:
            for name, found in _commands_in_group(group).items():
                dice = declared.dice if (declared := declared_command_of(found)) else ""
                if dice and name != ROUND:
                    typed = NEXT if found.hidden else name if name == group else f"{group} {name}"
                    shown = _command_at_start_of_words([NEXT]) if found.hidden else found
                    yield CheatLine("", typed, dice, example=_example_in_help_without_strike(shown))


def _lines_for_systems_with_other_groups(systems: Sequence[System], listed: set[str]) -> Iterator[CheatLine]:
    """Yield a line for each system that has command groups not shown elsewhere on the cheat sheet.

    `listed` are the groups in other parts of the sheet. The last line says where to find more.
    """
    titles = plugin_index().titles
    but = {name for names in plugin_index().together.values() for name in names}
    but |= {each.name for each in systems if each.scene.key} | listed
    for system in systems:
        names = [name for name in system.commands if titles.get(name) == system.title and name not in but]
        if len(names) == 1:
            yield CheatLine("", system.title, f"{names[0]} {'|'.join(_commands_in_group(names[0]))}")
        elif names:
            yield CheatLine("", system.title, ", ".join(names))
    yield CheatLine("", "More about one", "strike help COMMAND; all commands: strike help all")


# Commands and their help


def _commands_in_group(group: str) -> Mapping[str, AnyCommand]:
    from ..session.command_catalogue import build_whole_group, commands_in_group

    whole = build_whole_group(group)
    found = commands_of(whole) or {group: whole}
    names = dict.fromkeys([*registry.command_apps_by_group()[group], *commands_in_group(group)])
    return {name: found[name] for name in names if name in found}


def _command_at_start_of_words(words: Sequence[str]) -> AnyCommand:
    """Return the command that is at the beginning of `words`.

    Options are ignored, and so are placeholders in capitals.
    """
    from ..session.command_catalogue import expand_short_line, find_command_and_name_in_line

    head = [word for word in words if not word.isupper() and not word.startswith("-")]
    found = find_command_and_name_in_line(expand_short_line(head, AT_TERMINAL))[0]
    assert found is not None
    return found


def _example_in_help_without_strike(command: AnyCommand) -> str:
    return example_in_help(command.help).removeprefix("strike ")


def _line_for_command(name: str, command: AnyCommand, letter: str) -> CheatLine:
    return CheatLine(
        letter,
        " ".join([name, *_usage_words(command)]),
        _first_sentence_of_help(command),
        _example_in_help_without_strike(command),
        True,
    )


def _usage_words(command: AnyCommand) -> Iterator[str]:
    """Yield the words of a command's usage line: its arguments, and the options that it requires.

    Arguments that may be left out are in brackets. If the command is a group, the first word has the names of
    its commands, as in `start|end`. The words of the group's first command follow.
    """
    if commands := commands_of(command):
        yield "|".join(commands)
        yield from _usage_words(next(iter(commands.values())))
        return
    declared = declared_command_of(command)
    actor = declared.actor_parameter() if declared else ""
    ctx = typer.Context(command)
    for each in command.params:
        word = NUMBER.sub("N", each.make_metavar(ctx))
        if each.param_type_name == "argument":
            yield f"[{word}]" if each.name == actor and not word.startswith("[") else word
        elif each.required:
            yield f"{each.opts[0]} {word}"


def _first_sentence_of_help(command: AnyCommand) -> str:
    """Return the first sentence of a command's help, without rule numbers.

    For a group, it is the first sentence of the group's first command.
    """
    if commands := commands_of(command):  # a group has no sentence of its own
        command = next(iter(commands.values()))
    first = " ".join((command.help or "").split("\n\n")[0].split()).replace("`", "")
    return RULE_NUMBERS.sub("", first).partition(". ")[0].rstrip(".")


# On a terminal


def _page_lines(parts: Sequence[CheatPart]) -> Iterator[Line]:
    for part in parts:
        yield ""
        yield (part.title, "title")
        letters = 2 if any(line.letter for line in part.lines) else 0
        longest = max(
            (len(line.typed) for line in part.lines if len(line.typed) <= ROOM_FOR_TYPED), default=0
        )
        margin = letters + longest + 2
        for line in part.lines:
            head = f"{line.letter:{letters}}" if letters else ""
            told = _wrap_or_shorten_to_room(line, WIDTH - margin)
            if len(line.typed) > longest:
                yield [(head, "strong"), (line.typed, "command")]
            else:
                typed = f"{line.typed:{longest}}  "
                yield [(head, "strong"), (typed, "command"), told.pop(0)]
            yield from (f"{'':{margin}}{rest}" for rest in told)


def _wrap_or_shorten_to_room(line: CheatLine, room: int) -> list[str]:
    """Return the text of a line in rows of `room` columns.

    If the text is a sentence from help and needs more than one row, it is shortened to one row.
    """
    wrapped = textwrap.wrap(line.what, room, break_on_hyphens=False) or [""]
    if len(wrapped) == 1 or not line.from_help:
        return wrapped
    short = _cut_sentence_at_first_comma(line)
    return [textwrap.shorten(short if len(short) <= room else line.what, room, placeholder=" ...")]


def _cut_sentence_at_first_comma(line: CheatLine) -> str:
    """Return a sentence of help cut at its first comma, colon or semicolon.

    The whole sentence is returned if too few words would be left, or if the sentence isn't from help.
    """
    clause = re.split(r"[,:;] ", line.what)[0]
    return clause if line.from_help and len(clause.split()) >= FEWEST_WORDS else line.what
