"""The questions of content drafts, as options of a command."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from ..content.drafts import Draft, Question, one_of
from ..problems import Usage, listed, nearest
from ..safe_reading import printable
from .argument_names import Noun, choice
from .name_lookup import content_names
from .options import BOTH, STRIKE_TITLE

if TYPE_CHECKING:
    from ..content.book import Book
    from ..registry.declaration import System

FEW = 6
"""The most words that an option's help lists in place of a value."""


def option_of(question: Question, panel: str | None = None) -> inspect.Parameter:
    """Return the option for the answer to a question, in a panel of the help."""
    default = f" Default: {question.default}." if question.default else ""
    option = typer.Option(
        f"--{question.key}", metavar=_noun(question), help=f"{question.help}{default}", rich_help_panel=panel
    )
    return inspect.Parameter(
        _parameter(question), inspect.Parameter.KEYWORD_ONLY, default="", annotation=Annotated[str, option]
    )


def _noun(question: Question) -> Noun:
    if not question.of:
        return Noun("TEXT", content_names(question.kind) if question.kind else None)
    known = choice(*question.of)
    return known if len(question.of) <= FEW else known.called("TEXT")


def _parameter(question: Question) -> str:
    return f"answer_{question.key.replace('-', '_')}"


def answers_typed(questions: Sequence[Question], typed: Mapping[str, object]) -> dict[str, str]:
    """Return the typed answers to questions, by key; "" for missing ones."""
    return {question.key: str(typed.get(_parameter(question), "")) for question in questions}


def read_answer(question: Question, text: str) -> str:
    """Return a valid answer, or the default for an empty one.

    Raises Usage with the valid form.
    """
    answer = text.strip() or question.default
    try:
        question.read(answer)
    except ValueError as error:
        raise Usage(f"--{question.key} {answer!r}: it should be {error}.") from None
    return answer


def ask_text(question: str, default: str = "") -> str:
    """Return an answer from the terminal. Raises Usage where no answer comes."""
    from .encoding import decode_typed

    _say(printable(question) + (f" [{printable(default)}]" if default else ""))
    try:
        return decode_typed(input("? ")).strip()
    except EOFError:
        raise Usage("There was no answer.", "Nothing was written.") from None


def ask_until_valid(question: Question) -> str:
    """Ask a question until the answer is valid, and return the answer."""
    while True:
        text = ask_text(question.asks, question.default) or question.default
        try:
            question.read(text)
        except ValueError as error:
            _say(f"It should be {printable(str(error))}" + ("" if str(error).endswith(("?", ".")) else "."))
        else:
            return text


def _say(text: str) -> None:
    import textwrap

    from .colour import terminal_columns
    from .result import print_text

    print_text(textwrap.fill(text, terminal_columns(), break_on_hyphens=False) + "\n")


# Sheets: each game has its own

STRIKE = "strike"
"""The name of Strike!'s own sheets among those of other games."""


@cache
def sheet_drafts(kind: str) -> Mapping[str, Draft]:
    """Return the drafts of sheets of a kind (characters, creatures), by the game; Strike! is one."""
    from ..registry import installed_systems
    from ..registry.installed import load_object

    return {
        game_of_sheets(system): load_object(system.absolute(of.draft))
        for system in installed_systems()
        if (of := system.content.get(kind)) and of.draft
    }


def game_of_sheets(system: System) -> str:
    """Return the game whose sheets a system reads."""
    from ..registry import installed

    return STRIKE if system.name in installed.index().plugins[0].systems else system.name


def games_option(kind: str) -> inspect.Parameter:
    """Return the option `--system`, which selects the game of a sheet."""
    option = typer.Option(
        "--system",
        metavar=Noun("GAME", words=lambda: dict.fromkeys((STRIKE, *sheet_drafts(kind)))),
        help="The game of the sheet, if the campaign plays several.",
    )
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter("system", keyword, default="", annotation=Annotated[str, option])


def has_question(draft: Draft, key: str) -> bool:
    """Return whether a draft has a question with this key."""
    return any(question.key == key for question in draft.questions)


def options_of(drafts: Mapping[str, Draft]) -> Iterator[inspect.Parameter]:
    """Yield the options for the questions of sheets, each once.

    Those of other games are listed under the games' titles.
    """
    from ..registry import load_system

    seen: set[str] = set()
    titles = {game: STRIKE_TITLE if game == STRIKE else load_system(game).title for game in drafts}
    for draft in drafts.values():
        for question in draft.questions:
            if question.key not in seen:
                by = [titles[game] for game, each in drafts.items() if has_question(each, question.key)]
                yield option_of(question, None if len(by) == len(titles) else BOTH.join(by))
        seen |= {question.key for question in draft.questions}


def game_of(
    book: Book, drafts: Mapping[str, Draft], wanted: str, typed: Mapping[str, object], *, asks: bool
) -> str:
    """Return the game of a sheet. Raises Usage.

    It is the `wanted` one, the only one that the campaign plays, or the one with questions for the typed
    answers; else it is asked for, and without a terminal it is Strike!.
    """
    known = [STRIKE, *(game for game in drafts if game != STRIKE)]
    if wanted and wanted not in known:
        told = f"--system: no sheet of {wanted!r}.{nearest(wanted, known)}"
        raise Usage(told, f"One of {listed(known)}.")
    if wanted:
        return wanted
    from ..registry import installed

    own = installed.index().plugins[0].systems
    named = list(dict.fromkeys(STRIKE if name in own else name for name in book.systems))
    played = [name for name in named if name in known] or [STRIKE]
    questions = {game: drafts[game].questions for game in played if game in drafts}
    found = [game for game in questions if any(answers_typed(questions[game], typed).values())] or played
    if len(found) == 1 or not asks:
        return found[0]
    told = f"For which game? ({listed(found)})"
    return ask_until_valid(Question("system", told, "", found[0], one_of(*found)))
