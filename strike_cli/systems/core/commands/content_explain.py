"""Conditions explained in plain words (`strike content explain`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.registry import load_usable_systems
from strike_cli.registry.installed_plugins import import_object, load_plugin_word
from strike_cli.tabletop.effects_in_plain_words import ExplainedLine, Explainer

from ..conditions import instances_count_separately

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book
    from strike_cli.tabletop.data import EffectWritten

    from ..data import ConditionWritten, RecoveryWritten


def condition(book: Book, table: ConditionWritten) -> list[ExplainedLine]:
    """Return lines that explain a Condition in plain words.

    They say, for example, what it does to rolls, how it ends, and what other Condition it turns into.
    """
    does = list(
        Explainer(book, load_plugin_word, _reaction_steps_in_words).explain_effects(
            cast("EffectWritten", table)
        )
    )
    lines = does or [ExplainedLine("Does", "no effect by itself: a label for the table")]
    lines.append(ExplainedLine("Ends", _recovery_or_ruling_words(book, table.get("recovery"))))
    if grows := table.get("escalates"):
        lines.append(
            ExplainedLine("Grows", f"{grows['at']} of it become {_condition_name(book, grows['to'])}")
        )
    if worsens := table.get("worsens"):
        times, rest = worsens["times"], worsens["after"]
        after = f"{times} rests ({rest}, or longer)" if times > 1 else f"a {rest} rest"
        lines.append(
            ExplainedLine(
                "Worsens", f"untended through {after} it becomes {_condition_name(book, worsens['to'])}"
            )
        )
    if table["doubts"]:
        lines.append(ExplainedLine("Affects", "the Skills that are named when it is gained"))
    counts = "each instance counts" if instances_count_separately(book, table) else "it counts once"
    lines.append(ExplainedLine("Kind", f"{table['severity']}; {counts}"))
    if table["tags"]:
        lines.append(ExplainedLine("Tags", ", ".join(table["tags"])))
    return lines


def _reaction_steps_in_words(book: Book, steps: Iterable[Mapping[str, object]]) -> str:
    """Return a reaction's steps in words.

    The words come from the first installed system that has a vocabulary of steps.
    """
    kind = next(
        each.absolute(each.vocabularies["steps"])
        for each in load_usable_systems(book.registry)
        if "steps" in each.vocabularies
    )
    return str(import_object(kind).describe_status(book, steps))


def _recovery_or_ruling_words(book: Book, recovery: RecoveryWritten | None) -> str:
    if recovery is None:
        return "when the game master says so"
    needs = ", ".join([*recovery["needs"], *recovery.get("own", ())])
    text = recovery["text"].rstrip(".")
    words = f"{text} (needs: {needs})" if text != needs else f"with {needs}"
    words += f", {recovery['times']} times" if "times" in recovery else ""
    if roll := recovery.get("roll"):
        words += f", and {roll['at_least']} or more on a die"
        worse = f"; on {roll.get('worse_on')} or less it becomes {_condition_name(book, roll.get('to'))}"
        words += worse if "worse_on" in roll else ""
    return words


def _condition_name(book: Book, id: str | None) -> str:
    return str(book.table("conditions")[id]["name"]) if id else "another"
