"""Blocks that commands of fights share: the actions that are left, and the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.problems import is_allowed
from strike_cli.terminal.declare import Show
from strike_cli.terminal.result import Block, Line, Picture

from .argument_parsers import find_combatant, square_of

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.play.execute import Performed
    from strike_cli.tabletop.scene import Scene

    from ..data import Power
    from ..fight import Fight


def make_report_end(
    say: Callable[[Campaign, dict[str, object]], Iterable[Block]], *, tried: bool = True
) -> Show:
    """Return a function that makes the blocks below a move's report. `say` makes them of campaign and data.

    `tried` is whether they are also shown for a dry run.
    """

    def show(campaign: Campaign | None, performed: Performed) -> Iterable[Block]:
        if campaign is None or performed.data is None or not (tried or performed.seq):
            return ()
        return say(campaign, performed.data)

    return show


def remaining_actions(campaign: Campaign, combatant: str) -> list[Line]:
    """Return lines with the actions that a combatant has left in its turn, and its powers."""
    from strike_cli.kernel.procedure import World

    from ..fight import ACTIONS, Fight
    from ..powers.uses import RALLY, uses_left

    fight = Fight(World(campaign.book, campaign.state))
    left = [action.capitalize() for action in ACTIONS if is_left(fight, combatant, action)]
    lines: list[Line] = [[("Left to do: ", "dim"), ", ".join(left) or "nothing"]]
    powers = [*fight.sheet(combatant).get("powers", []), *([RALLY] if fight.is_player(combatant) else [])]
    shown = [
        _power_words(power, uses_left(fight, combatant, power))
        for power in (cast("Power", {"id": key, **campaign.book.powers[key]}) for key in powers)
    ]
    if shown:
        lines.append([("Powers: ", "dim"), ", ".join(shown)])
    return lines


def is_left(fight: Fight, actor: str, action: str) -> bool:
    """Return whether a combatant can still take an action of a kind in its turn, given its statuses."""
    return is_allowed(fight.must_be_able, actor, action)


def _power_words(power: Mapping[str, object], uses: tuple[int, int] | None) -> str:
    """Return a power's name with its cost, unless that is an Attack Action: `Kind Word (role)`."""
    takes = [] if power["action"] in ("attack", "none") else [str(power["action"])]
    takes += [f"{power['ap']} AP"] if power.get("ap") else []
    left, most = uses or (1, 1)
    takes += ["used"] if not left else [f"{left} of {most} left"] if most > 1 else []
    return f"{power['name']} ({', '.join(takes)})" if takes else str(power["name"])


class Ahead:
    """A preview on the map: the squares that a creature can move to, or its path to one of them."""

    def __init__(self, campaign: Campaign, reach: str, path: tuple[str, str] | None) -> None:
        from strike_cli.kernel.procedure import World
        from strike_cli.tabletop.grid import Square, format_square, parse_square
        from strike_cli.tabletop.people import reason_words

        from ..board.move import destinations, find_way, price_of
        from ..fight import Fight

        fight = Fight(World(campaign.book, campaign.state))
        self.reach: set[Square] = set()
        self.path: list[Square] = []
        self.lines: list[Line] = []
        self.data: dict[str, object] = {}
        if reach:
            self.reach = set(destinations(fight, find_combatant(campaign, reach)))
            self.data["reach"] = sorted(map(format_square, self.reach))
        if path:
            combatant_id = find_combatant(campaign, path[0])
            way = find_way(fight, combatant_id, [parse_square(square_of(path[1]))], shift=False)
            price = price_of(fight, combatant_id, way)
            self.path = [fight.at(combatant_id), *way]
            squares = [format_square(square) for square in way]
            self.data.update(path=squares, opportunities=price.foes)
            steps = f"{fight.name(combatant_id)} to {format_square(way[-1])} by {' '.join(squares)}"
            free = ("giving no Opportunity.", "good")
            costs = ", ".join(reason_words(fight.world, one) for one in price.reasons(fight))
            label = (f"{costs}.", "warn") if price.is_any else free
            self.lines.append([f"{steps}, ", label])


def fight_scene(fight: Mapping[str, object]) -> Scene:
    """Return a fight as a scene for screens, with its fog."""
    from strike_cli.tabletop.scene import mark_fogged

    from ..scene_reader import read

    return mark_fogged(read("combat", "fight", fight))


def fight_map(fight: Mapping[str, object], ahead: Ahead | None = None) -> Picture:
    """Return the map of a fight, with the marks of a preview if there is one."""
    from strike_cli.terminal.scene_view import map_picture

    path, reach = (ahead.path, ahead.reach) if ahead else ([], set())
    return map_picture(fight_scene(fight), path=path, reach=reach)
