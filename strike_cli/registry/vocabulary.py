"""Words that plugins bring to a system's vocabularies, such as a step of powers: loaded when they are used.

A system says which vocabularies it has (`System.vocabularies`). A plugin's word has the plugin's name before
it, `elements:ignite`, and the book knows what each leads to.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..problems import PluginProblem
from .installed import load_object


def brought_word(book: Any, vocabulary: str, word: str) -> Any:
    """What a plugin's word of a vocabulary leads to. Raises PluginProblem where nothing does."""
    table = book.table(vocabulary)
    if word not in table:
        raise PluginProblem(
            f"No plugin brings {word!r} to the {vocabulary} any more.", "Install the one that did."
        )
    return _loaded(vocabulary, word, table[word]["calls"])


@cache
def _loaded(vocabulary: str, word: str, reference: str) -> Any:
    try:
        return load_object(reference)
    except (ImportError, AttributeError) as error:
        raise PluginProblem(
            f"{word!r} of the {vocabulary} can't be loaded: {error}.",
            "Mend or remove the plugin that brings it.",
        ) from error
