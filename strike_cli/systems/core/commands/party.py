"""Everybody's points and Conditions, for `strike status` and reports.

Debts, Flaws and things kept for later, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from strike_cli.kernel.procedure import World
from strike_cli.tabletop.people import action_points, kept
from strike_cli.terminal.result import Numbers
from strike_cli.terminal.sheet_view import PartyView, SheetItem, is_played


def view(world: World, people: Sequence[str]) -> PartyView:
    """Return the core's part of the party's view."""
    held = [item for who in people for item in _conditions(world, who)]
    points = {who: action_points(world, who) for who in people}
    ill = {who: [item.what for item in held if item.who == who] for who in people}
    is_shown = bool(held) or any(counts_points(world, who) for who in people)
    columns = {
        Numbers("AP"): {who: str(points[who]) for who in people},
        "Conditions": {who: ", ".join(ill[who]) or "-" for who in people},
    }
    return PartyView(
        data={who: {"ap": points[who] if is_shown else None, "conditions": ill[who]} for who in people},
        numbers={"AP": points} if is_shown else {},
        columns=columns if is_shown else {},
        held=held,
        unresolved=[item for who in people for item in _unresolved(world, who)],
    )


def counts_points(world: World, who: str) -> bool:
    """Return whether Action Points are of interest.

    They are where the campaign plays Strike!, or somebody has gained or spent some.
    """
    return is_played(world, "core") or "ap" in kept(world, who)


def _conditions(world: World, who: str) -> Iterator[SheetItem]:
    for id_ in kept(world, who).get("conditions", ()):
        yield SheetItem(who, id_, str(world.book.conditions.get(id_, {}).get("name", id_)))


def _unresolved(world: World, who: str) -> Iterator[SheetItem]:
    mine = kept(world, who)
    for flaw in mine.get("flaws", ()):
        yield SheetItem(who, flaw["id"], f"Flaw on {flaw['on']}{_more(flaw.get('text'))}")
    for favor in mine.get("favors", ()):
        what = "Bad Reputation with" if favor.get("reputation") else "Favor owed to"
        yield SheetItem(who, favor["id"], f"{what} {favor['to']}{_more(favor.get('text'))}")
    for bonus in mine.get("banked", ()):
        what = f"{bonus['gives'].capitalize()} kept for {bonus['for']}"
        yield SheetItem(who, bonus["id"], f"{what}{_more(bonus.get('why'))}")


def _more(text: str | None) -> str:
    return f": {text}" if text else ""
