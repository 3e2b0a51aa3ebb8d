"""Facts that consist of words alone, and the part of these words that players may read.

Older journals have such facts, from before facts had classes, and a plugin may still use them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, cast

from ..kernel.roll_types import rolls_in_fact
from .hidden_name_search import HiddenNameSearch
from .secret_picks import without_changes

if TYPE_CHECKING:
    from ..kernel.journal_types import StoredFact

REASONS = ("sources", "modifiers")
"""The keys of a roll's reasons."""


class WordsRedaction:
    """Removes what players may not know from facts that have only words.

    `all_names` finds all names that are secret from players. `zone_names` finds only the names of secret
    zones. `numberless` has a pair for each secret meter: the person, and the meter's id.
    """

    def __init__(
        self,
        all_names: HiddenNameSearch,
        zone_names: HiddenNameSearch,
        numberless: Collection[tuple[str, str]],
    ) -> None:
        self._named = all_names
        self._zones = zone_names
        self._numberless = numberless

    def part_for_players(self, fact: StoredFact) -> StoredFact | None:
        """Return the part of a fact that players may know.

        It is the fact itself if players may know all of it; it is None if they may know nothing of it.
        """
        plain = self._drop_numbers(fact)
        return plain and self._drop_hidden(plain)

    def _drop_numbers(self, fact: StoredFact) -> StoredFact | None:
        """Return a fact without numbers that are secret from players; None if it can't be told without them.

        A fact may have a second text without such numbers (`without_hp`). There are three cases:

        - If the fact changes a secret meter, the second text replaces the first. If there is no second text,
          the result is None.
        - If the fact is only about somebody who has a secret meter, the second text replaces the first. If
          there is no second text, the fact is returned unchanged.
        - Any other fact is returned unchanged.
        """
        if not self._numberless:
            return fact
        changed = {tuple(path.split(".")[-2:]) for path, _, _ in fact["changes"]}
        touched = not changed.isdisjoint(self._numberless)
        words = fact.get("without_hp")
        if words is not None and (touched or any(person == fact["who"] for person, _ in self._numberless)):
            return {**fact, "text": words}
        return None if touched and words is None else fact

    def _drop_hidden(self, fact: StoredFact) -> StoredFact | None:
        """Return a fact without its parts about hidden people and zones; None if nothing remains.

        First, those reasons of rolls that name a hidden zone are left out. If the fact still names something
        hidden, its text is put together again from `lead` and `parts`. `lead` is the beginning of the
        sentence, and `parts` has the words about each person. Parts and rolls that name something hidden are
        left out.
        """
        if not self._names_hidden(fact):
            return fact
        plain = cast("StoredFact", self._drop_reasons_with_hidden_zones(fact))
        if not self._names_hidden(plain):
            return plain
        parts = {
            person: words
            for person, words in fact.get("parts", {}).items()
            if not self._named.finds_in(person, words)
        }
        rolls = [roll for roll in rolls_in_fact(fact, "rolls") if not self._named.finds_in(roll)]
        text = f"{fact.get('lead', '')}{', '.join(parts.values())}."
        left: StoredFact = {**fact, "text": text, "parts": parts, "rolls": rolls}
        return left if parts and not self._names_hidden(left) else None

    def _drop_reasons_with_hidden_zones(self, value: object) -> object:
        """Return the value without those reasons of rolls that name a hidden zone.

        Rolls are found at any depth of the value.
        """
        if isinstance(value, Mapping):
            return {
                key: [one for one in inner if not self._zones.finds_in(one)]
                if key in REASONS and isinstance(inner, list)
                else self._drop_reasons_with_hidden_zones(inner)
                for key, inner in value.items()
            }
        return (
            [self._drop_reasons_with_hidden_zones(one) for one in value] if isinstance(value, list) else value
        )

    def _names_hidden(self, fact: StoredFact) -> bool:
        """Return whether a fact names anything hidden.

        The fact's changes aren't searched, since they are not sent.
        """
        return not self._named.is_empty and self._named.finds_in(without_changes(fact))
