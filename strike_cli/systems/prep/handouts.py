"""Handouts: pictures and texts that are shown to the players, and removed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused, listed

from .facts import HandoutHidden, HandoutRead, HandoutShown
from .random_tables import throw_dice_in_braces
from .state import handouts_in

if TYPE_CHECKING:
    from .data import HandoutData, HandoutKept

LOGGED = 1000
"""The most characters of a handout's text in the log, and at tabletops that have only a chat."""


class ShowHandout(Args):
    """The arguments of `handout show`: a handout's id and its content.

    The content is an argument so that the journal stores the handout as it was shown. A later change of its
    file doesn't matter then. `file` and `sha256` belong to the handout's picture.
    """

    handout: str
    name: str
    text: str = ""
    file: str = ""
    sha256: str = ""


class HideHandout(Args):
    """The arguments of `handout hide`: the id of a handout on the table."""

    handout: str


def play_show(world: World, args: ShowHandout) -> Procedure[HandoutData]:
    """Play `handout show`: throw the dice in a handout's text, and show the handout to the players.

    Raises Refused if the same handout is already on the table.
    """
    kept: HandoutKept = {"name": args.name}
    text, rolls = yield from throw_dice_in_braces(args.text, args.name, f"handout:{args.handout}")
    if text:
        kept["text"] = text
    if args.file:
        kept["image"] = {"file": args.file, "sha256": args.sha256}
    if handouts_in(world.state).get(args.handout) == kept:
        raise Refused(
            f"{args.name} is on the table already.", f"`strike handout hide {args.handout}` removes it."
        )
    sets = {f"handouts.{args.handout}": kept}
    image = {"file": args.file, "sha256": args.sha256} if args.file else None
    yield world.tell(HandoutShown(args.handout, args.name, image), sets)
    if text:
        # Only as much text as the log has room for.
        cut = len(text) > LOGGED
        yield world.tell(HandoutRead(args.handout, text[:LOGGED].rstrip() if cut else text, cut, rolls))
    return {"handout": args.handout, **kept}


def play_hide(world: World, args: HideHandout) -> Procedure[HandoutData]:
    """Play `handout hide`: remove a handout from the table. Raises Refused if it isn't there."""
    lying = handouts_in(world.state)
    one = lying.get(args.handout)
    if one is None:
        raise Refused(
            f"No handout {args.handout!r} is on the table.",
            f"On the table: {listed(lying) or 'nothing'}. `strike handout list` lists all.",
        )
    yield world.tell(HandoutHidden(one["name"]), {f"handouts.{args.handout}": None})
    return {"handout": args.handout, "name": one["name"]}
