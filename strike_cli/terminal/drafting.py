"""What drafts of content ask, as options of a command."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from ..content.drafts import Question
from ..problems import Usage
from .completion import offers_words

FEW = 6
"""Words that an option's help lists where a value would stand."""


def option_of(question: Question) -> inspect.Parameter:
    """The option that answers a question."""
    default = f" Unless said: {question.default}." if question.default else ""
    few = 0 < len(question.of) <= FEW
    option = typer.Option(
        f"--{question.key}",
        metavar="|".join(question.of) if few else "TEXT",
        help=f"{question.help}{default}",
        autocompletion=offers_words(lambda: question.of) if question.of else None,
    )
    return inspect.Parameter(
        _parameter(question), inspect.Parameter.KEYWORD_ONLY, default="", annotation=Annotated[str, option]
    )


def _parameter(question: Question) -> str:
    return f"answer_{question.key.replace('-', '_')}"


def answers_typed(questions: Sequence[Question], typed: Mapping[str, object]) -> dict[str, str]:
    """What was typed for questions, by their keys; takes it out of what was typed."""
    return {question.key: str(typed[_parameter(question)]) for question in questions}


def read_answer(question: Question, text: str) -> str:
    """An answer that can be read, the default where there is none. Raises Usage with what is wanted."""
    answer = text.strip() or question.default
    try:
        question.read(answer)
    except ValueError as error:
        raise Usage(f"--{question.key} {answer!r}: it should be {error}.") from None
    return answer
