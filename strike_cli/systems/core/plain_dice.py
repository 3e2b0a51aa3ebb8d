"""Rolling plain dice, without any rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.dice import Handful, Rolled
from strike_cli.tabletop.dice_notation import DiceFault, Thrown, parse_dice, throw_expression

from .facts.rolls import DieRolled

if TYPE_CHECKING:
    from .data import DieData


class RollDice(Args):
    """The arguments of `roll die`: dice in notation (`2d6+1`), and the person who rolls them.

    `who` is "" if nobody is named.
    """

    formula: str
    who: str = ""

    @classmethod
    def read(cls, raw: Mapping[str, object]) -> Self:
        """Return the arguments from a journal entry.

        Older journals have the parts of `NdSkhK+P` in place of `formula`.
        """
        if "sides" not in raw:
            return super().read(raw)
        keep, plus = (int(str(raw.get(key, 0))) for key in ("keep", "plus"))
        text = f"{raw.get('n', 1)}d{raw['sides']}"
        text += f"k{'h' if keep > 0 else 'l'}{abs(keep)}" if keep else ""
        return cls(formula=f"{text}{plus:+d}" if plus else text, who=str(raw.get("who", "")))


def play_die(world: World, args: RollDice) -> Procedure[DieData]:
    """Play `roll die`: plain dice. Raises Refused for dice that can't be read."""
    try:
        expression = parse_dice(args.formula)
    except DiceFault as fault:
        raise Refused(fault.as_usage.message, fault.as_usage.hint) from None
    thrown = yield from throw_expression(expression, args.who, "die")
    if expression.simple_dice_and_added_number:
        dice, plus = expression.simple_dice_and_added_number
        rolled = Rolled(args.who, "die", thrown.terms[0].faces, sides=dice.sides)
        rolled.total = thrown.total
        yield world.tell(DieRolled(args.who, rolled, dice.signed_keep_count(dice.n), plus))
        return {"rolls": [rolled.as_json()], "total": thrown.total}
    terms = [
        Handful(args.who, "die", term.faces, term.total_or_successes, term.dice.sides)
        for term in thrown.terms
    ]
    yield world.tell(
        DieRolled(
            args.who,
            terms[0],
            0,
            0,
            expression.text,
            _faces_and_kept_in_words(thrown),
            terms[1:],
            thrown.total,
        )
    )
    return {"rolls": [term.as_json() for term in terms], "total": thrown.total}


def _faces_and_kept_in_words(thrown: Thrown) -> str:
    """Return the rolled faces of each term as text, such as `6, 2, 5 (keeps 6)`.

    If all faces of a term count, the part in brackets is left out.
    """
    shown = []
    for term in thrown.terms:
        faces = [term.dice.face_number(face) for face in term.faces]
        counted = [term.dice.face_number(face) for face in term.dice.faces_that_count(term.remaining_faces)]
        kept = "" if counted == faces else f" (keeps {', '.join(map(str, counted)) or 'none'})"
        shown.append(", ".join(map(str, faces)) + kept)
    return "; ".join(shown)
