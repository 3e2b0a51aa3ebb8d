"""The game master's overrides, and edits on a virtual tabletop, in a fight by Grit (GRT-01, 08)."""

from __future__ import annotations

from strike_cli.plugin import Data, Procedure, Refused, Sets, World
from strike_cli.plugin.board import TabletopChange, TakenChange
from strike_cli.plugin.parts import Hand

from .dice import ATTRIBUTES, TRACK, sides_of
from .facts import DEAD
from .fight import GritFight
from .gm_moves import HurtSomebody, Mend, play_hurt, play_mend
from .reach import by_words
from .setup import numbers_of
from .vitals import GritStanding


class GritHand(Hand):
    """The overrides of Grit and dice, including harm and mending."""

    gone_for_good = (DEAD,)
    zones_do = ("difficult", "blocks")

    def by_words(self, world: World) -> bool:
        """Return whether distances are in words: by the house rule, or without a map."""
        return by_words(GritFight(world))

    def newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return a reinforcement's data: from the sheet, or as the last fight left a character."""
        return {**person, **numbers_of(world, ref)}

    def read_number(self, meter: str, text: str) -> int:
        """Return the number for a text: an attribute is a die (`d8`) or 0, and its change is in steps."""
        return sides_of(text) if meter in ATTRIBUTES and text.startswith("d") else int(text)

    def sets_number(self, world: World, person: str, meter: str, number: int) -> Sets:
        """Return the changes that set a meter, with the consequences of an attribute at zero (GRT-08)."""
        standing = GritStanding.of(world, person)
        if meter in ATTRIBUTES and number not in TRACK:
            raise Refused(f"{number} is not a die of {meter.upper()}.", "d4, d6, d8, d10, d12, or 0.")
        if number < 0 or number > standing.most(meter):
            most = standing.most(meter)
            raise Refused(
                f"{standing.name} has {meter} {f'd{most}' if meter in ATTRIBUTES else most} at most.",
                "Nothing was changed.",
            )
        return standing.change(**{meter: number})

    def changes(self, world: World, person: str, meter: str, by: int) -> Procedure[Data]:
        """Play a change of a meter.

        `-4` Grit is 4 damage with all its effects; an attribute falls by steps.
        """
        if by > 0:
            return play_mend(world, Mend(who=person, what=meter, by=by))
        if meter == "grit":
            return play_hurt(world, HurtSomebody(who=person, amount=-by))
        raise Refused(
            f"Only Critical Damage takes {meter.upper()} down.",
            f"`strike grit set {person} {meter} d6` sets the die; "
            f"`strike grit hurt {person} N --direct` harms.",
        )


def takes(world: World, change: TabletopChange) -> TakenChange:
    """Turn a tabletop's edit into a command.

    Moving a token is a move, and a door is opened or closed; numbers are set as game master overrides.
    """
    combatant, to = change.who, change.to
    if change.kind == "door":
        words = ("grit", "door", change.at, change.beyond, *([] if to else ["--close"]))
        door = {"at": change.at, "beyond": change.beyond, "open": to}
        return TakenChange("grit door", door, words, by_rules=True)
    key = "at" if change.kind == "moved" else change.meter
    sets = {f"grit.people.{combatant}.{key}": to}
    if change.kind == "moved":
        return TakenChange(
            "grit move", {"who": combatant, "to": to}, ("grit", "move", combatant, str(to)), True, sets
        )
    return TakenChange(sets=sets)
