"""Blocks that commands of fights share: the actions that are left, and the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.problems import is_allowed
from strike_cli.terminal.command_declarations import Show
from strike_cli.terminal.result import Block, Line, Picture

from .argument_parsers import find_combatant, normalize_square

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.play.command_execution import Performed
    from strike_cli.tabletop.scene import Scene

    from ..data import Power
    from ..fight_state import Fight


def make_report_end(
    say: Callable[[Campaign, dict[str, object]], Iterable[Block]], *, tried: bool = True
) -> Show:
    """Return a function that shows blocks below a move's report.

    `say` makes the blocks from the campaign and the move's data. `tried` is whether they are shown for a dry
    run, too.
    """

    def show_below_report(campaign: Campaign | None, performed: Performed) -> Iterable[Block]:
        if campaign is None or performed.data is None or not (tried or performed.seq):
            return ()
        return say(campaign, performed.data)

    return show_below_report


def remaining_actions(campaign: Campaign, combatant: str) -> list[Line]:
    """Return lines with the actions that a combatant has left in its turn, and its powers."""
    from strike_cli.kernel.procedure import World

    from ..fight_state import ACTIONS, Fight
    from ..powers.use_limits import RALLY, uses_left

    fight = Fight(World(campaign.book, campaign.state))
    left = [action.capitalize() for action in ACTIONS if is_action_left(fight, combatant, action)]
    lines: list[Line] = [[("Left to do: ", "dim"), ", ".join(left) or "nothing"]]
    powers = [*fight.sheet(combatant).get("powers", []), *([RALLY] if fight.is_player(combatant) else [])]
    shown = [
        _power_with_cost(power, uses_left(fight, combatant, power))
        for power in (cast("Power", {"id": key, **campaign.book.powers[key]}) for key in powers)
    ]
    if shown:
        lines.append([("Powers: ", "dim"), ", ".join(shown)])
    return lines


def is_action_left(fight: Fight, actor: str, action: str) -> bool:
    """Return whether a combatant can still take an action in its turn; statuses may forbid it."""
    return is_allowed(fight.action_used_up, actor, action)


def _power_with_cost(power: Mapping[str, object], uses: tuple[int, int] | None) -> str:
    """Return a power's name with its cost: `Kind Word (role)`. An Attack Action isn't mentioned."""
    takes = [] if power["action"] in ("attack", "none") else [str(power["action"])]
    takes += [f"{power['ap']} AP"] if power.get("ap") else []
    left, most = uses or (1, 1)
    takes += ["used"] if not left else [f"{left} of {most} left"] if most > 1 else []
    return f"{power['name']} ({', '.join(takes)})" if takes else str(power["name"])


class MapPreview:
    """A preview for the map: the squares that a creature can move to, or its path to a square."""

    def __init__(self, campaign: Campaign, reach: str, path: tuple[str, str] | None) -> None:
        from strike_cli.kernel.procedure import World
        from strike_cli.tabletop.grid import Square, format_square, parse_square
        from strike_cli.tabletop.people import reason_words

        from ..board.move import destinations, find_move_path, path_price
        from ..fight_state import Fight

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
            way = find_move_path(fight, combatant_id, [parse_square(normalize_square(path[1]))], shift=False)
            price = path_price(fight, combatant_id, way)
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

    from ..scene_view import scene_of_state

    return mark_fogged(scene_of_state("combat", "fight", fight))


def fight_map(fight: Mapping[str, object], ahead: MapPreview | None = None) -> Picture:
    """Return the map of a fight, with the marks of a preview if there is one."""
    from strike_cli.terminal.scene_view import map_picture

    path, reach = (ahead.path, ahead.reach) if ahead else ([], set())
    return map_picture(fight_scene(fight), path=path, reach=reach)
