"""The Skill of a list that the typed words mean, in any order and form.

`haggle` is Haggling, `mend lamps` is Lamp Mending, `lockpicking` is Picking Locks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from itertools import permutations

from strike_cli.problems import listed
from strike_cli.terminal.lookup import find_if_any

ENDS = ("ings", "ing", "ers", "er", "ed", "es", "s")
"""What a word may end with in another form of it, the longest first."""
FEWEST = 3
"""Letters that are left of a word at least."""
SMALL = frozenset(["a", "an", "and", "at", "for", "in", "of", "on", "the", "to", "with"])
MOST_WORDS = 4
"""Words of a Skill that may be typed as one."""
NEAR = 0.72
"""How alike the stems of two words are, up to 1, for one to be a typo of the other."""


@cache
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words that count, in their order: of Reading the Faces `read` and `fac`."""
    words = text.lower().replace("-", " ").replace("'", "").split()
    return tuple(_stem(word) for word in words if word not in SMALL) or tuple(words)


def _stem(word: str) -> str:
    end = next((end for end in ENDS if word.endswith(end) and len(word) - len(end) >= FEWEST), "")
    word = word.removesuffix(end).removesuffix("e") if len(word) > FEWEST else word
    return word[:-1] if len(word) > FEWEST and word[-1] == word[-2] else word


def find_skill(typed: str, known: Collection[str]) -> str | None:
    """Return the known Skill that was typed; None where there is none.

    Raises Usage where it may be several.
    """
    same = next((name for name in known if name.lower() == typed.strip().lower()), None)
    found = same or find_if_any(typed, {name: name for name in known})
    if found is not None:
        return found
    asked = stems(typed)
    alike = [name for name in known if sorted(stems(name)) == sorted(asked)]
    alike = alike or [name for name in known if _is_compound(asked, stems(name))]
    alike = alike or [name for name in known if asked and set(asked) <= set(stems(name))]
    if len(alike) > 1:
        from strike_cli.refusals import MayBeSeveral

        raise MayBeSeveral(repr(typed), listed(alike), "Give more of the name.")
    return alike[0] if alike else None


def _is_compound(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether one of the two writes as a word what the other writes as several."""
    few, many = sorted((one, other), key=len)
    if len(few) != 1 or not 1 < len(many) <= MOST_WORDS:
        return False
    return any("".join(order) == few[0] for order in permutations(many))


def nearest_skills(typed: str, known: Iterable[str]) -> list[str]:
    """Return the known Skills that are like what was typed, the most alike first."""
    from difflib import SequenceMatcher

    asked = " ".join(sorted(stems(typed)))
    alike = [(SequenceMatcher(None, asked, " ".join(sorted(stems(name)))).ratio(), name) for name in known]
    return [name for how, name in sorted(alike, key=lambda one: -one[0]) if how >= NEAR]
