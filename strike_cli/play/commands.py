"""Which procedure plays which command: the names that the journal records and replays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ..content.plugins import load_object
from ..problems import CampaignProblem
from ..rules.procedure import Procedure, World
from .touched import SCENES, asked_of, sheet_of, tried_for

Play = Callable[[World, Mapping[str, Any]], Procedure[dict[str, Any]]]

FIGHT = "fight"
TABLE = "table"
WEALTH = "wealth"
"""What is tried where somebody buys, and nothing else is said (`rules.wealth.roll.SKILL`)."""
OF_ONE = "roll {who}"
BARE = "bare dice"
"""What asks nobody anything: no decision of it is ever open."""
CONFLICT = "conflict"
CHASE = "chase"


Together = Callable[[str], Iterable[str]]
"""The characters that a scene of many is about."""


class Command(NamedTuple):
    """A command that plays: the procedure as "module:function", and the scene that waits while a decision
    of it is pending. `{who}` and `{scene}` in a scene are the arguments of those names. `sheets` says that a
    command of a fight, chase or conflict changes the sheets of those in it; `named` that it looks only at
    those of whom its arguments name."""

    play: str
    scene: str
    sheets: bool = False
    named: bool = False

    def procedure(self) -> Play:
        """The procedure, imported now; a fight's with all that its facts set off."""
        loaded: Play = load_object(f"strike_cli.rules.{self.play}")
        if self.scene != FIGHT:
            return loaded
        from ..rules.combat.engine import with_reactions

        return with_reactions(loaded)

    def scene_of(self, args: Mapping[str, Any]) -> str:
        """The scene for these arguments, fit for a path; a roll of nobody in particular has none to wait."""
        if self.scene == OF_ONE and args.get("known") is False:
            return BARE
        return self.scene.format_map({**args, "who": args.get("who") or "somebody"}).replace(".", "-")

    def reads(self, args: Mapping[str, Any], together: Together) -> set[str]:
        """What this command looks at: its scene, the sheet of each person in it, what the party owes whom
        they ask, whether they have tried what they try. `together` tells which characters a fight, a chase or
        a conflict is about."""
        people = together(self.scene) if self._is_of_many and not self.named else _people(args)
        return {self.scene_of(args), *map(sheet_of, people), *_of_the_party(args)}

    def changes(self, args: Mapping[str, Any], together: Together) -> set[str]:
        """What of that this command may change. While a decision is pending, nothing may change what its
        command has read, so that it plays on from just what it met."""
        if self._is_of_many and not self.sheets:
            return {self.scene_of(args)}
        return self.reads(args, together)

    @property
    def _is_of_many(self) -> bool:
        return self.scene in SCENES


def _sides(args: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The arguments, and those of each side of an Opposed Roll."""
    return [args, *(args[side] for side in ("ours", "theirs") if isinstance(args.get(side), Mapping))]


def _people(args: Mapping[str, Any]) -> set[str]:
    named = [args.get("linked_for"), *args.get("members", ())]
    for side in _sides(args):
        named.append(side.get("who"))
        named += [helper["name"] for helper in side.get("helpers", ()) if isinstance(helper, Mapping)]
    named += [parcel["who"] for parcel in args.get("parcels", ()) if isinstance(parcel, Mapping)]
    return {who for who in named if isinstance(who, str) and who}


def _of_the_party(args: Mapping[str, Any]) -> set[str]:
    """What of the party's a roll rests on: what is owed to whom they ask, what was tried."""
    found = {asked_of(side["asking"]) for side in _sides(args) if side.get("asking")}
    if args.get("intent"):
        ours = args["ours"] if isinstance(args.get("ours"), Mapping) else args
        found.add(tried_for(args.get("task") or ours.get("skill") or WEALTH, args["intent"]))
    return found


COMMANDS = {
    "roll die": Command("bare:play_die", BARE),
    "roll skill": Command("skill:play_skill", OF_ONE),
    "roll linked": Command("skill:play_skill", OF_ONE),
    "roll opposed": Command("opposed:play_opposed", OF_ONE),
    "session start": Command("session:play_start", TABLE),
    "session end": Command("session:play_end", TABLE),
    "override": Command("session:play_override", "{scene}"),
    "condition add": Command("conditions:play_add", OF_ONE),
    "condition remove": Command("conditions:play_remove", OF_ONE),
    "recover": Command("conditions:play_recover", OF_ONE),
    "skill learn": Command("learned:play_learn", OF_ONE),
    "skill forget": Command("learned:play_forget", OF_ONE),
    "flaw add": Command("costs:play_flaw_add", OF_ONE),
    "flaw use": Command("costs:play_flaw_use", OF_ONE),
    "flaw mend": Command("costs:play_flaw_mend", OF_ONE),
    "favor add": Command("costs:play_favor_add", OF_ONE),
    "favor associate": Command("costs:play_favor_associate", OF_ONE),
    "favor repay": Command("costs:play_favor_repay", OF_ONE),
    "favor overdue": Command("costs:play_favor_overdue", OF_ONE),
    "bonus bank": Command("costs:play_bank", OF_ONE),
    "bonus drop": Command("costs:play_drop", OF_ONE),
    "roll wealth": Command("wealth.roll:play_roll", BARE),
    "wealth buy": Command("wealth.buy:play_buy", OF_ONE),
    "wealth pool": Command("wealth.pool:play_pool", OF_ONE),
    "wealth cash add": Command("wealth.parcels:play_cash_add", OF_ONE),
    "wealth cash spend": Command("wealth.parcels:play_cash_spend", OF_ONE),
    "wealth invest": Command("wealth.parcels:play_invest", OF_ONE),
    "wealth recover": Command("wealth.parcels:play_recover", OF_ONE),
    "ap give": Command("points:play_give", OF_ONE),
    "ap spend": Command("points:play_spend", OF_ONE),
    "awesome": Command("points:play_awesome", OF_ONE),
    "trick use": Command("points:play_trick", OF_ONE),
    "complication use": Command("points:play_complication", OF_ONE),
    "fallback": Command("fallback:play_fallback", OF_ONE),
    "advance level-up": Command("advancement:play_level_up", OF_ONE),
    "advance trick": Command("advancement:play_trick", OF_ONE),
    "advance complication": Command("advancement:play_complication", OF_ONE),
    "advance swap-trick": Command("advancement:play_swap_trick", OF_ONE),
    "advance swap-complication": Command("advancement:play_swap_complication", OF_ONE),
    "advance replace": Command("advancement:play_replace", OF_ONE),
    "combat start": Command("combat.setup:play_start", FIGHT),
    "combat initiative": Command("combat.setup:play_initiative", FIGHT),
    "combat turn": Command("combat.turns:play_turn", FIGHT),
    "combat delay": Command("combat.waiting:play_delay", FIGHT),
    "combat resume": Command("combat.waiting:play_resume", FIGHT),
    "combat prepare": Command("combat.waiting:play_prepare", FIGHT),
    "combat trigger": Command("combat.waiting:play_trigger", FIGHT),
    "combat join": Command("combat.arrive:play_join", FIGHT),
    "combat leave": Command("combat.arrive:play_leave", FIGHT),
    "combat end-turn": Command("combat.turns:play_end_turn", FIGHT),
    "combat escape": Command("combat.turns:play_escape", FIGHT),
    "combat stand": Command("combat.turns:play_stand", FIGHT),
    "combat move": Command("combat.move:play_move", FIGHT),
    "combat attack": Command("combat.attack:play_attack", FIGHT, sheets=True),
    "combat use": Command("combat.attack:play_use", FIGHT, sheets=True),
    "combat charge": Command("combat.charge:play_charge", FIGHT, sheets=True),
    "combat assess": Command("combat.standard:play_assess", FIGHT),
    "combat improvise": Command("combat.standard:play_improvise", FIGHT, sheets=True),
    "combat skill": Command("combat.standard:play_skill_in_combat", FIGHT, sheets=True),
    "combat strike": Command("combat.standard:play_strike", FIGHT),
    "combat token": Command("combat.standard:play_token", FIGHT),
    "combat damage": Command("combat.aftermath:play_damage", FIGHT),
    "combat heal": Command("combat.aftermath:play_heal", FIGHT),
    "combat status add": Command("combat.aftermath:play_status_add", FIGHT),
    "combat status remove": Command("combat.aftermath:play_status_remove", FIGHT),
    "combat hide": Command("combat.hide:play_hide", FIGHT),
    "combat reveal": Command("combat.hide:play_reveal", FIGHT),
    "combat door": Command("combat.doors:play_door", FIGHT),
    "combat zone add": Command("combat.zones:play_zone_add", FIGHT),
    "combat zone remove": Command("combat.zones:play_zone_remove", FIGHT),
    "combat finish": Command("combat.aftermath:play_finish", FIGHT, sheets=True),
    "combat abandon": Command("combat.aftermath:play_abandon", FIGHT),
    "conflict start": Command("conflict.select:play_start", CONFLICT),
    "conflict prep": Command("conflict.select:play_prep", CONFLICT),
    "conflict act": Command("conflict.select:play_act", CONFLICT),
    "conflict secondary": Command("conflict.select:play_secondary", CONFLICT, sheets=True, named=True),
    "conflict oppose": Command("conflict.select:play_oppose", CONFLICT),
    "conflict scout": Command("conflict.select:play_scout", CONFLICT),
    "conflict roll": Command("conflict.resolve:play_roll", CONFLICT),
    "conflict hit": Command("conflict.decide:play_hit", CONFLICT),
    "conflict avert": Command("conflict.leave:play_avert", CONFLICT, sheets=True),
    "conflict withdraw": Command("conflict.leave:play_withdraw", CONFLICT, sheets=True, named=True),
    "conflict concede": Command("conflict.leave:play_concede", CONFLICT, sheets=True),
    "conflict end": Command("conflict.leave:play_end", CONFLICT, sheets=True),
    "conflict round": Command("conflict.contest:play_round", BARE),
    "chase start": Command("chase.scene:play_start", CHASE),
    "chase run": Command("chase.scene:play_run", CHASE),
    "chase predict": Command("chase.scene:play_predict", CHASE),
    "chase shoot": Command("chase.scene:play_shoot", CHASE),
    "chase roll": Command("chase.resolve:play_roll", CHASE, sheets=True),
    "chase danger": Command("chase.resolve:play_danger", CHASE),
    "chase end": Command("chase.resolve:play_end", CHASE, sheets=True),
    "chase round": Command("chase.round:play_round", BARE),
}


def command(name: str) -> Command:
    """The command of a name. Raises CampaignProblem for one that this strike doesn't know."""
    try:
        return COMMANDS[name]
    except KeyError:
        raise CampaignProblem(
            f"This strike has no command {name!r}.",
            "A newer strike, or a plugin that is not installed, recorded it.",
        ) from None
