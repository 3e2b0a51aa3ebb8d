"""The questions about a new sheet, or about other new content.

A question can be answered by an option of the command, or at the terminal.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from ..content.drafts import Draft, Question, word_reader
from ..problems import Usage, did_you_mean, listed
from ..untrusted_input import replace_unprintable
from .argument_completions import Metavar, choice_metavar
from .commands_and_options import BOTH, STRIKE_TITLE
from .name_lookup import short_content_id_suggester

if TYPE_CHECKING:
    from ..content.merged_content import Book
    from ..registry.system_declaration import System

MOST_LISTED_WORDS = 6
"""The most words that an option's help lists in place of a value."""


def option_for_question(question: Question, panel: str | None = None) -> inspect.Parameter:
    """Return the option for the answer to a question, listed in a panel of the help."""
    default = f" Default: {question.default}." if question.default else ""
    option = typer.Option(
        f"--{question.key}",
        metavar=_metavar_for_answer(question),
        help=f"{question.help}{default}",
        rich_help_panel=panel,
    )
    return inspect.Parameter(
        _answer_parameter_name(question),
        inspect.Parameter.KEYWORD_ONLY,
        default="",
        annotation=Annotated[str, option],
    )


def _metavar_for_answer(question: Question) -> Metavar:
    if not question.of:
        return Metavar("TEXT", short_content_id_suggester(question.kind) if question.kind else None)
    known = choice_metavar(*question.of)
    return known if len(question.of) <= MOST_LISTED_WORDS else known.with_text("TEXT")


def _answer_parameter_name(question: Question) -> str:
    return f"answer_{question.key.replace('-', '_')}"


def typed_answers(questions: Sequence[Question], typed: Mapping[str, object]) -> dict[str, str]:
    """Return the answers that were typed as options, by the key of the question.

    A question that was not answered has "".
    """
    return {question.key: str(typed.get(_answer_parameter_name(question), "")) for question in questions}


def validated_answer(question: Question, text: str) -> str:
    """Return the typed answer to a question if it is valid. An empty answer means the question's default.

    Raises Usage for an invalid answer.
    """
    answer = text.strip() or question.default
    try:
        question.read(answer)
    except ValueError as error:
        raise Usage(f"--{question.key} {answer!r}: it should be {error}.") from None
    return answer


def ask_text_showing_default(question: str, shown_default: str = "") -> str:
    """Ask a question at the terminal and return the answer. Raises Usage at the end of input."""
    from .stream_encoding import decode_typed

    _print_wrapped(
        replace_unprintable(question) + (f" [{replace_unprintable(shown_default)}]" if shown_default else "")
    )
    try:
        return decode_typed(input("? ")).strip()
    except EOFError:
        raise Usage("There was no answer.", "Nothing was written.") from None


def ask_until_valid(question: Question) -> str:
    """Ask a question at the terminal until the answer is valid, and return it."""
    while True:
        text = ask_text_showing_default(question.asks, question.default) or question.default
        try:
            question.read(text)
        except ValueError as error:
            _print_wrapped(
                f"It should be {replace_unprintable(str(error))}"
                + ("" if str(error).endswith(("?", ".")) else ".")
            )
        else:
            return text


def _print_wrapped(text: str) -> None:
    import textwrap

    from .coloured_output import terminal_columns
    from .command_output import write_text_to_stdout

    write_text_to_stdout(textwrap.fill(text, terminal_columns(), break_on_hyphens=False) + "\n")


# Sheets: each game has its own

STRIKE = "strike"
"""The name of Strike!'s own sheets among those of other games."""


@cache
def sheet_drafts(kind: str) -> Mapping[str, Draft]:
    """Return the drafts for sheets of a kind (characters or creatures), by game."""
    from ..registry import load_usable_systems
    from ..registry.installed_plugins import import_object

    return {
        sheet_game_of_system(system): import_object(system.absolute(of.draft))
        for system in load_usable_systems()
        if (of := system.content.get(kind)) and of.draft
    }


def sheet_game_of_system(system: System) -> str:
    """Return the name of the game whose sheets a system reads.

    It is "strike" for strike's own systems, otherwise the system's own name.
    """
    from ..registry import installed_plugins

    return STRIKE if system.name in installed_plugins.plugin_index().plugins[0].systems else system.name


def system_option_for_sheet(kind: str) -> inspect.Parameter:
    """Return the option `--system`, with which the game of a new sheet is chosen."""
    option = typer.Option(
        "--system",
        metavar=Metavar("GAME", words=lambda: dict.fromkeys((STRIKE, *sheet_drafts(kind)))),
        help="The game of the sheet, if the campaign plays several.",
    )
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter("system", keyword, default="", annotation=Annotated[str, option])


def has_question(draft: Draft, key: str) -> bool:
    """Return whether a draft asks the question with this key."""
    return any(question.key == key for question in draft.questions)


def options_for_drafts(drafts: Mapping[str, Draft]) -> Iterator[inspect.Parameter]:
    """Yield one option for each question in the drafts of several games.

    A question that several drafts ask gets a single option. An option that only some games have is listed
    under the titles of these games.
    """
    from ..registry import load_known_system

    seen: set[str] = set()
    titles = {game: STRIKE_TITLE if game == STRIKE else load_known_system(game).title for game in drafts}
    for draft in drafts.values():
        for question in draft.questions:
            if question.key not in seen:
                by = [titles[game] for game, each in drafts.items() if has_question(each, question.key)]
                yield option_for_question(question, None if len(by) == len(titles) else BOTH.join(by))
        seen |= {question.key for question in draft.questions}


def choose_or_default_game_of_sheet(
    book: Book, drafts: Mapping[str, Draft], wanted: str, typed: Mapping[str, object], *, may_ask: bool
) -> str:
    """Return the game for which a new sheet is made.

    If `wanted` is given, it is this game. Otherwise it is one of the games that the campaign plays. `typed`
    has the answers that were typed as options. If they fit the questions of some games, only these games are
    possible. If several games are still possible, the user is asked. If `may_ask` is False, the first of them
    is returned.

    Raises Usage if `wanted` is an unknown game.
    """
    known = [STRIKE, *(game for game in drafts if game != STRIKE)]
    if wanted and wanted not in known:
        told = f"--system: no sheet of {wanted!r}.{did_you_mean(wanted, known)}"
        raise Usage(told, f"One of {listed(known)}.")
    if wanted:
        return wanted
    from ..registry import installed_plugins

    own = installed_plugins.plugin_index().plugins[0].systems
    named = list(dict.fromkeys(STRIKE if name in own else name for name in book.systems))
    played = [name for name in named if name in known] or [STRIKE]
    questions = {game: drafts[game].questions for game in played if game in drafts}
    found = [game for game in questions if any(typed_answers(questions[game], typed).values())] or played
    if len(found) == 1 or not may_ask:
        return found[0]
    told = f"For which game? ({listed(found)})"
    return ask_until_valid(Question("system", told, "", found[0], word_reader(*found)))
