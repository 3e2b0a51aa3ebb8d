"""Output that several fight commands share: a combatant's remaining actions and powers, and the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.problems import is_not_refused
from strike_cli.terminal.command_output import Block, Line, Picture
from strike_cli.terminal.move_commands import Show

from .argument_parsers import find_combatant, normalize_square

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.play.command_execution import PerformedCommand
    from strike_cli.tabletop.scene import Scene

    from ..data import Power
    from ..fight_state import Fight


def make_show_of_blocks_below_report(
    make_blocks: Callable[[Campaign, dict[str, object]], Iterable[Block]], *, in_dry_run: bool = True
) -> Show:
    """Return a function that gives more output to print below the report of a move.

    `make_blocks` makes this output from the campaign and the data of the move. The output consists of blocks,
    such as lines, tables and pictures. If `in_dry_run` is false, a dry run prints only the report.
    """

    def show_below_report(campaign: Campaign | None, performed: PerformedCommand) -> Iterable[Block]:
        if campaign is None or performed.data is None or not (in_dry_run or performed.seq):
            return ()
        return make_blocks(campaign, performed.data)

    return show_below_report


def remaining_action_and_all_power_lines(campaign: Campaign, combatant: str) -> list[Line]:
    """Return lines with the actions that a combatant has left in its turn, and its powers."""
    from strike_cli.kernel.procedure import World

    from ..fight_state import ACTIONS, Fight
    from ..powers.standard_powers_and_use_limits import RALLY, uses_left_and_in_all

    fight = Fight(World(campaign.book, campaign.state))
    left = [
        action.capitalize()
        for action in ACTIONS
        if may_spend_action_without_trade_now(fight, combatant, action)
    ]
    lines: list[Line] = [[("Left to do: ", "dim"), ", ".join(left) or "nothing"]]
    powers = [*fight.sheet(combatant).get("powers", []), *([RALLY] if fight.is_player(combatant) else [])]
    shown = [
        _power_name_with_cost_and_uses(power, uses_left_and_in_all(fight, combatant, power))
        for power in (cast("Power", {"id": key, **campaign.book.powers[key]}) for key in powers)
    ]
    if shown:
        lines.append([("Powers: ", "dim"), ", ".join(shown)])
    return lines


def may_spend_action_without_trade_now(fight: Fight, actor: str, action: str) -> bool:
    """Return whether a combatant can take an action now.

    The result is False if the action is spent, or if a status forbids it.
    """
    return is_not_refused(fight.action_to_spend, actor, action)


def _power_name_with_cost_and_uses(power: Mapping[str, object], uses: tuple[int, int] | None) -> str:
    """Return a power's name with its cost and its uses, such as `Kind Word (role)`.

    In the example, the power costs a Role Action. An Attack Action is the usual cost, and isn't mentioned.
    """
    takes = [] if power["action"] in ("attack", "none") else [str(power["action"])]
    takes += [f"{power['ap']} AP"] if power.get("ap") else []
    left, most = uses or (1, 1)
    takes += ["used"] if not left else [f"{left} of {most} left"] if most > 1 else []
    return f"{power['name']} ({', '.join(takes)})" if takes else str(power["name"])


class MapPreview:
    """A preview for the map: the squares that a creature can move to, or its path to a square."""

    def __init__(self, campaign: Campaign, reach: str, path: tuple[str, str] | None) -> None:
        from strike_cli.kernel.procedure import World
        from strike_cli.tabletop.characters_and_names import reason_words
        from strike_cli.tabletop.grid import Square, format_square, parse_square

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
            label = (f"{costs}.", "warn") if price.has_a_price else free
            self.lines.append([f"{steps}, ", label])


def fight_as_scene_with_fog(fight: Mapping[str, object]) -> Scene:
    """Return a fight as a scene for screens, with its fog."""
    from strike_cli.tabletop.scene import mark_people_and_zones_in_fog

    from ..fight_as_scene import fight_as_scene

    return mark_people_and_zones_in_fog(fight_as_scene("combat", "fight", fight))


def fight_map_picture(fight: Mapping[str, object], preview: MapPreview | None = None) -> Picture:
    """Return the map of a fight, with the marks of a preview if there is one."""
    from strike_cli.terminal.scene_view import map_picture

    path, reach = (preview.path, preview.reach) if preview else ([], set())
    return map_picture(fight_as_scene_with_fog(fight), path=path, reach=reach)
