"""The display of Karma: on sheets, on players' phones, and in `karma show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import World, listed
from strike_cli.plugin.board import HELD
from strike_cli.plugin.views import Holding, Line, OwnSheet, SheetPart, SheetView, Views

from .fight_state import OVER, PASSING, KarmaFight
from .sheet import EXTRAS

if TYPE_CHECKING:
    from .data import KarmaShown


class KarmaViews(Views):
    """What screens show of fights by Karma, and of Karma on a character's sheet."""

    def sheet(self, world: World, person: str) -> SheetView:
        """Return what a sheet shows of Karma: Hero Dice, Luck Die, actions, Trope and Trademark.

        If the sheet has nothing for Karma, the view is empty.
        """
        sheet = world.book.characters.get(person, {}).get("karma")
        if sheet is None:
            return SheetView()
        parts = [f"Hero Dice {sheet['hero']}d6", *([f"Luck {sheet['luck']}"] if "luck" in sheet else [])]
        parts += [f"{sheet['actions']} actions"] if sheet["actions"] > 1 else []
        parts += [
            f"{kind.capitalize()} {sheet[kind]['what']} {sheet[kind]['die']}"
            for kind in EXTRAS
            if kind in sheet
        ]
        line: Line = [("By Karma  ", "strong"), " · ".join(parts)]
        return SheetView(data={"karma": dict(sheet)}, column=("Karma", f"{sheet['hero']}d6"), blocks=[line])

    def own_sheet(self, world: World, person: str) -> OwnSheet:
        """Return a character's Karma as the player sees it: Hero Dice, Luck Die, actions and other dice.

        The other dice are those that may join a roll. The number of actions is shown only if it is above 1.
        """
        sheet = world.book.characters.get(person, {}).get("karma")
        if sheet is None:
            return OwnSheet()
        numbers = [("Hero Dice", f"{sheet['hero']}d6")]
        numbers += [("Luck Die", sheet["luck"])] if "luck" in sheet else []
        numbers += [("Actions", str(sheet["actions"]))] if sheet["actions"] > 1 else []
        extras = [(kind, sheet[kind]) for kind in EXTRAS if kind in sheet]
        joining = [Holding(extra["what"], kind.capitalize(), extra["die"]) for kind, extra in extras]
        return OwnSheet(numbers, parts=[SheetPart("Dice that may join", joining)])

    def scene(self, world: World) -> SheetView:
        """Return the fight's data for `karma show --json`, and the lines that `karma show` adds to cards."""
        fight = KarmaFight(world)
        lines: list[Line] = [[("Segment ", "dim"), str(fight.segment), ". ", *_initiative_line(fight)]]
        if due := fight.combatants_with_due_action():
            what = fight.people[due[0]]["delayed_action"]["what"]
            lines.append([("First: ", "warn"), f"{fight.name(due[0])}, {what} takes effect."])
        lines += [("Known: " + fact, "dim") for fact in fight.data.get("facts", ())]
        if counters := fight.data.get("counters"):
            lines.append([("Counters: ", "dim"), listed(f"{name} {n}" for name, n in counters.items())])
        return SheetView(data=_data_for_show(fight), blocks=list(lines))


def _data_for_show(fight: KarmaFight) -> KarmaShown:
    there = list(fight.combatants_there())
    people = {combatant: fight.people[combatant] for combatant in there}
    delayed = {
        combatant: one["delayed_action"] for combatant, one in people.items() if "delayed_action" in one
    }
    waiting = {
        combatant: one["conditional_action"]
        for combatant, one in people.items()
        if "conditional_action" in one
    }
    return {
        "round": fight.round,
        "segment": fight.segment,
        "stage": fight.stage,
        "holder": fight.initiative_holder,
        "may_receive": [] if fight.stage == OVER else fight.next_holders_or_next_round_starters(),
        "acted": [
            combatant
            for combatant in there
            if fight.turns_taken(combatant) and not fight.turns_left(combatant)
        ],
        "held": [combatant for combatant in there if people[combatant].get(HELD)],
        "delayed": [
            {"who": combatant, "what": one["what"], "due": one.get("due")}
            for combatant, one in delayed.items()
        ],
        "conditional": [
            {"who": combatant, "if": one["if"], "what": one["what"]} for combatant, one in waiting.items()
        ],
        "pools": {combatant: one["pool"] for combatant, one in people.items()},
        "karma": {combatant: one["karma"] for combatant, one in people.items() if "karma" in one},
        "groups": {
            combatant: {"left": fight.turns_left(combatant), "acted": fight.turns_taken(combatant)}
            for combatant, one in people.items()
            if "count" in one
        },
        "starter_next": fight.data.get("starter"),
        "due": fight.combatants_with_due_action(),
        "health_due": [combatant for combatant in there if "health_due" in people[combatant]],
        "facts": list(fight.data.get("facts", ())),
        "counters": dict(fight.data.get("counters", {})),
    }


def _initiative_line(fight: KarmaFight) -> Line:
    if fight.stage == OVER:
        starter = fight.data.get("starter")
        return (
            f"The round is over; {fight.name(starter)} begins the next." if starter else "The round is over."
        )
    names = listed(map(fight.name, fight.next_holders_or_next_round_starters()))
    if fight.stage == PASSING or fight.initiative_holder is None:
        verb = "receive the initiative" if fight.combatants_able_to_act() else "begin the next round"
        return f"May {verb}: {names}."
    line = (
        f"{fight.name_and_verb(fight.initiative_holder, 'has')} the initiative, and may pass it to: {names}."
    )
    may = (
        []
        if fight.initiative_holder in fight.data.get("holds", ())
        else fight.hold_receivers(fight.initiative_holder)
    )
    return f"{line} Holding, to: {listed(map(fight.name, may))}." if may else line
