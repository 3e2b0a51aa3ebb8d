"""Changes that the game master makes by hand in a fight by Grit (GRT-01, 08).

They are made by the game master's override, or by edits on a virtual tabletop.
"""

from __future__ import annotations

from strike_cli.plugin import Data, Procedure, Refused, Sets, World
from strike_cli.plugin.board import InterpretedChange, TabletopChange
from strike_cli.plugin.parts import GmOverrideRules

from .dice import ATTRIBUTES, TRACK, sides_of
from .facts import DEAD
from .fight_setup import starting_numbers
from .fight_state import GritFight
from .gm_moves import HurtSomebody, Mend, play_hurt, play_mend
from .movement_and_distances import uses_worded_places
from .vitals import GritVitals


class GritHand(GmOverrideRules):
    """The game master's overrides of Grit and dice."""

    gone_for_good = (DEAD,)
    zones_do = ("difficult", "blocks")

    def has_places_in_words(self, world: World) -> bool:
        """Return whether places are given in words, because there is no map or because of the house rule."""
        return uses_worded_places(GritFight(world))

    def table_of_newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return the data of a newcomer: `person`, to which the newcomer's numbers are added.

        The numbers are those of the sheet, or those that the last fight left.
        """
        return {**person, **starting_numbers(world, ref)}

    def read_number(self, meter: str, text: str) -> int:
        """Return the number for a typed text. An attribute may be typed as a die: `d8` is 8."""
        return sides_of(text) if meter in ATTRIBUTES and text.startswith("d") else int(text)

    def changes_for_number(self, world: World, person: str, meter: str, number: int) -> Sets:
        """Return the changes that set Grit or an attribute.

        Raises Refused for a die that the game doesn't use, and for a number below 0 or above the maximum.
        """
        standing = GritVitals.of_person(world, person)
        if meter in ATTRIBUTES and number not in TRACK:
            raise Refused(f"{number} is not a die of {meter.upper()}.", "d4, d6, d8, d10, d12, or 0.")
        if number < 0 or number > standing.maximum(meter):
            most = standing.maximum(meter)
            raise Refused(
                f"{standing.name} has {meter} {f'd{most}' if meter in ATTRIBUTES else most} at most.",
                "Nothing was changed.",
            )
        return standing.change_and_return_sets(**{meter: number})

    def play_harm_or_healing(self, world: World, person: str, meter: str, by: int) -> Procedure[Data]:
        """Play a change of Grit by `by` points, or of an attribute by `by` steps.

        `meter` names Grit or the attribute. A gain is played as `grit mend`. A loss of Grit is played as
        damage, with all its effects. Raises Refused for the loss of an attribute, since only Critical Damage
        lowers attributes.
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


def interpret_tabletop_change(world: World, change: TabletopChange) -> InterpretedChange:
    """Return the command or the changes for an edit made on a virtual tabletop.

    A token that was moved becomes `grit move`, and a door that was opened or closed becomes `grit door`.
    Numbers are set in the same way as by the game master's override.
    """
    combatant, to = change.who, change.to
    if change.kind == "door":
        words = ("grit", "door", change.at, change.beyond, *([] if to else ["--close"]))
        door = {"at": change.at, "beyond": change.beyond, "open": to}
        return InterpretedChange("grit door", door, words, by_rules=True)
    key = "at" if change.kind == "moved" else change.meter
    sets = {f"grit.people.{combatant}.{key}": to}
    if change.kind == "moved":
        return InterpretedChange(
            "grit move", {"who": combatant, "to": to}, ("grit", "move", combatant, str(to)), True, sets
        )
    return InterpretedChange(sets=sets)
