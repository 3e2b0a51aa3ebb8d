"""Explanations of statuses, Conditions and traits in plain words, a line for each effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from .rules_vocabulary import MOMENTS, NUMBERS, ROLL_KINDS, STANDINGS
from .status_effect_schemas import ACTION_KINDS

if TYPE_CHECKING:
    from .data import EffectWritten, StepNamed
    from .rules_vocabulary import MomentKind
    from .status_effect_schemas import BanWritten, NumberWritten, RemapWritten, SourceWritten


class ExplainedLine(NamedTuple):
    """A line of an explanation: a heading of a word or two (`about`), and a sentence without a full stop."""

    about: str
    text: str


Explains = Callable[[object, Mapping[str, object]], Sequence[ExplainedLine]]
"""Explains something of a book; it is called with the book and the thing."""
B = TypeVar("B")


class Explainer(Generic[B]):
    """An object that explains the statuses, Conditions and traits of a book in words.

    Args:
        book: The book.
        load_word: Loads the object behind a word that a plugin adds. Its arguments are the book, the
            vocabulary and the word.
        describe_steps: Describes the steps of a reaction, in the words of the reaction's scene.
        moments: Words for moments that only one kind of scene has.
    """

    def __init__(
        self,
        book: B,
        load_word: Callable[[B, str, str], object],
        describe_steps: Callable[[B, Sequence[StepNamed]], str],
        moments: Mapping[str, str] | None = None,
    ) -> None:
        self.book = book
        self.brought = load_word
        self.steps = describe_steps
        self.moments = moments or {}

    def explain_effects(self, definition: EffectWritten) -> Iterator[ExplainedLine]:
        """Yield a line for each effect of a status, Condition or trait, as a sentence about its holder."""
        for source in definition.get("sources", ()):
            yield ExplainedLine("Rolls", self._explain_source(source))
        for ban in definition.get("bans", ()):
            yield ExplainedLine("Forbids", _explain_ban(ban))
        for remap in definition.get("remaps", ()):
            yield ExplainedLine("Dice" if remap["stage"] == "die" else "Damage", _explain_remap(remap))
        for number in definition.get("numbers", ()):
            yield ExplainedLine("Numbers", _explain_number(number))
        for reaction in definition.get("reactions", ()):
            moment = reaction["on"]
            found = MOMENTS.get(moment) or self.moments.get(moment)
            if found is None:
                found = cast("MomentKind", self.brought(self.book, "moments", moment)).when or f"at {moment}"
            text = str(found)
            if "when" in reaction:
                text += f", {_WHEN.get(reaction['when']) or STANDINGS[reaction['when']]}"
            text += f", once a {reaction['once']}" if "once" in reaction else ""
            text += "" if reaction.get("echoes", True) else ", unless from the same status"
            yield ExplainedLine("Then", f"{text}: {self.steps(self.book, reaction['steps'])}")
        if "by_hand" in definition:
            yield ExplainedLine("By hand", str(definition["by_hand"]).rstrip("."))

    def _explain_source(self, source: SourceWritten) -> str:
        rolls = ROLL_KINDS.get(source["on"]) or self.brought(self.book, "rolls", source["on"])
        given = source["gives"]
        words = _signed_number(given) if isinstance(given, int) else str(given).capitalize()
        whose = f"{rolls} at it have" if source["side"] == "against" else f"its {rolls} have"
        far = {"melee": " in melee", "ranged": " at range"}.get(source["range"], "")
        text = f"{whose} {words}{far}"
        text += f", in round {source['round']} alone" if "round" in source else ""
        text += f", {STANDINGS[source['when']]}" if "when" in source else ""
        return text + (f", if it is about {' or '.join(source['tags'])}" if source["tags"] else "")


_WHEN = {"without-giver": "if the attack leaves out the giver", "next-to-giver": "next to the giver"}


def _signed_number(number: int) -> str:
    return f"{number:+d}".replace("-", "\u2212") if number else "0"


def _explain_ban(ban: BanWritten) -> str:
    words, over = ACTION_KINDS[ban["action"]], ban.get("over", 0)
    if ban["side"] == "against":
        text = words.against or f"immune to: {ban['action']}"
    elif over:
        text = words.over.format(over) if words.over else f"{words.own}, but {over}"
    else:
        text = words.own
    return f"it {text}" + (", unless the other one has the same" if "unless" in ban else "")


def _explain_remap(remap: RemapWritten) -> str:
    if remap["stage"] == "damage":
        return "it deals half damage, rounded down"
    faces = ", ".join(f"a {face} counts as {to}" for face, to in remap["faces"].items())
    return f"of attacks at it, {faces}"


def _explain_number(number: NumberWritten) -> str:
    parts = [_signed_number(number["gives"])] if "gives" in number else []
    parts += [f"half, rounded {number['half']}"] if "half" in number else []
    parts += [f"{number['most']} at most"] if "most" in number else []
    text = f"its {NUMBERS[number['of']]}: {', '.join(parts)}"
    text += f", of what is {' or '.join(number['only'])}" if "only" in number else ""
    return text + (f", {STANDINGS[number['when']]}" if "when" in number else "")
