"""What players must not hear of a command: the hidden, secret zones, and HP where they are not told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from strike_cli.facts import State

from .project import is_secret
from .record import with_facts

Fact = Mapping[str, Any]


class Veil:
    """Whoever and whatever players must not hear of in one command, and whether a fact would tell them.

    That is everybody who was hidden at any moment of the command, unless they are in plain sight when it is
    over: who attacks from hiding and is seen doing it may be named. So it is with secret zones.

    `hp` is how the HP of everybody but the party is told; unless "exact", no words give the numbers.
    """

    def __init__(self, before: State, facts: Iterable[Fact], hp: str = "exact") -> None:
        names: dict[str, str] = {}
        self._hp = hp
        self._creatures = _creatures(before)
        state = before
        hidden, seen = _who(state)
        names.update(hidden)
        secrets = _secret_zones(state)
        for fact in facts:
            earlier, state = state, with_facts(state, [fact])
            if state is earlier:
                continue
            self._creatures |= _creatures(state)
            hidden, seen = _who(state)
            names.update(hidden)
            secrets.update(_secret_zones(state))
        self.hidden = {who: name for who, name in names.items() if who not in seen}
        words = {
            word for who, name in self.hidden.items() for word in _words(who, name, seen.values()) if word
        }
        open_zones = _zones(state).keys() - _secret_zones(state).keys()
        words.update(word for key in secrets.keys() - open_zones for word in (key, secrets[key]) if word)
        longest_first = sorted(map(re.escape, words), key=len, reverse=True)
        self._named = (
            re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?:e?s)?(?![\w-])", re.IGNORECASE)
            if longest_first
            else None
        )

    def without_hp(self, fact: Fact) -> Fact | None:
        """A fact in words that give no creature's HP, as the rule that made it has them (`without_hp`). None
        for one that changes HP and has no such words."""
        if self._hp == "exact":
            return fact
        changed = {path for path, _, _ in fact["changes"]}
        touched = {who for who in self._creatures if f"fight.combatants.{who}.hp" in changed}
        words = fact.get("without_hp")
        if words is not None and (touched or fact["who"] in self._creatures):
            return {**fact, "text": words}
        return None if touched and words is None else fact

    def lifted(self, fact: Fact) -> Fact | None:
        """A fact as players may hear it: as it is, or without the parts of it that are about the hidden, or
        None. The parts of a fact are the words about each (`parts`), after what they have in common (`lead`).
        """
        if not self.covers(fact):
            return fact
        parts = {who: words for who, words in fact.get("parts", {}).items() if not self._tells(who, words)}
        rolls = [roll for roll in fact.get("rolls", []) if not self._tells(roll)]
        text = f"{fact.get('lead', '')}{', '.join(parts.values())}."
        left = {**fact, "text": text, "parts": parts, "rolls": rolls}
        return left if parts and not self.covers(left) else None

    def covers(self, fact: Fact) -> bool:
        """Whether a fact names somebody hidden. Its changes are not looked at: they are not sent."""
        return self._tells({**fact, "changes": ()})

    def _tells(self, *values: Any) -> bool:
        named = self._named
        return named is not None and any(named.search(text) for text in _texts(values))


def _creatures(state: State) -> set[str]:
    """Everybody but the party."""
    combatants = (state.get("fight") or {}).get("combatants", {})
    return {who for who, one in combatants.items() if one.get("side") != "party"}


def _zones(state: State) -> Mapping[str, Mapping[str, Any]]:
    zones: Mapping[str, Mapping[str, Any]] = (state.get("fight") or {}).get("zones", {})
    return zones


def _secret_zones(state: State) -> dict[str, str]:
    """The game master's own zones, with their names."""
    return {key: str(zone.get("name", "")) for key, zone in _zones(state).items() if zone.get("secret")}


def _who(state: State) -> tuple[dict[str, str], dict[str, str]]:
    """The hidden and the seen, with their names."""
    combatants = (state.get("fight") or {}).get("combatants", {})
    hidden = {who: str(one.get("name", "")) for who, one in combatants.items() if is_secret(one)}
    return hidden, {who: str(one.get("name", "")) for who, one in combatants.items() if who not in hidden}


def _words(who: str, name: str, seen: Iterable[str]) -> list[str]:
    """What gives somebody away: id, name, and the name without its number where nobody in sight shares it."""
    kind = re.sub(r"\s+\d+$", "", name)
    shared = any(re.sub(r"\s+\d+$", "", other) == kind for other in seen)
    return [who, name] if shared else [who, name, kind]


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
