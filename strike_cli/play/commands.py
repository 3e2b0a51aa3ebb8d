"""Which procedure plays which command: the names that the journal records and replays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ..content.plugins import load_object
from ..problems import CampaignProblem
from ..rules.procedure import Procedure, World

Play = Callable[[World, Mapping[str, Any]], Procedure[dict[str, Any]]]

FIGHT = "fight"
TABLE = "table"
WEALTH = "wealth"
CONFLICT = "conflict"
CHASE = "chase"


Together = Callable[[str], Iterable[str]]
"""The characters that a scene of many is about."""


class Command(NamedTuple):
    """A command that plays: the procedure as "module:function", and the scene that waits while a decision
    of it is pending. `{who}` and `{scene}` in a scene are the arguments of those names. `sheets` says that a
    command of a fight, chase or conflict changes the sheets of those in it."""

    play: str
    scene: str
    sheets: bool = False

    def procedure(self) -> Play:
        """The procedure, imported now; a fight's with all that its facts set off."""
        loaded: Play = load_object(f"strike_cli.rules.{self.play}")
        if self.scene != FIGHT:
            return loaded
        from ..rules.combat.engine import with_reactions

        return with_reactions(loaded)

    def scene_of(self, args: Mapping[str, Any]) -> str:
        """The scene for these arguments, fit for a path."""
        return self.scene.format_map({**args, "who": args.get("who") or "somebody"}).replace(".", "-")

    def reads(self, args: Mapping[str, Any], together: Together) -> set[str]:
        """The scenes whose state this command looks at: its own, and that of each person in it. `together`
        tells which characters a fight, a chase or a conflict is about."""
        people = together(self.scene) if self._is_of_many else _people(args)
        return {self.scene_of(args), *(_scene_of_person(who) for who in people)}

    def changes(self, args: Mapping[str, Any], together: Together) -> set[str]:
        """The scenes whose state this command may change. While a decision is pending, nothing may change
        what its command has read, so that it plays on from just what it met."""
        if self._is_of_many and not self.sheets:
            return {self.scene_of(args)}
        return self.reads(args, together)

    @property
    def _is_of_many(self) -> bool:
        return not self.scene.startswith(("roll ", "{")) and self.scene not in (TABLE, WEALTH)


def _scene_of_person(who: str) -> str:
    return f"roll {who}".replace(".", "-")


def _people(args: Mapping[str, Any]) -> set[str]:
    sides = [args.get("ours") or {}, args.get("theirs") or {}]
    named = [args.get("who"), args.get("linked_for"), *(side.get("who") for side in sides)]
    named += [helper["name"] for helper in args.get("helpers", ()) if isinstance(helper, Mapping)]
    named += args.get("members", ())
    return {who for who in named if isinstance(who, str) and who}


COMMANDS = {
    "roll die": Command("bare:play_die", "roll {who}"),
    "roll skill": Command("skill:play_skill", "roll {who}"),
    "roll linked": Command("skill:play_skill", "roll {who}"),
    "roll opposed": Command("opposed:play_opposed", "roll {who}"),
    "session start": Command("session:play_start", TABLE),
    "session end": Command("session:play_end", TABLE),
    "override": Command("session:play_override", "{scene}"),
    "condition add": Command("conditions:play_add", TABLE),
    "condition remove": Command("conditions:play_remove", TABLE),
    "recover": Command("conditions:play_recover", TABLE),
    "skill learn": Command("learned:play_learn", "roll {who}"),
    "skill forget": Command("learned:play_forget", "roll {who}"),
    "flaw add": Command("costs:play_flaw_add", "roll {who}"),
    "flaw use": Command("costs:play_flaw_use", "roll {who}"),
    "flaw mend": Command("costs:play_flaw_mend", "roll {who}"),
    "favor add": Command("costs:play_favor_add", TABLE),
    "favor associate": Command("costs:play_favor_associate", TABLE),
    "favor repay": Command("costs:play_favor_repay", TABLE),
    "favor overdue": Command("costs:play_favor_overdue", TABLE),
    "bonus bank": Command("costs:play_bank", "roll {who}"),
    "bonus drop": Command("costs:play_drop", "roll {who}"),
    "roll wealth": Command("wealth.roll:play_roll", "roll {who}"),
    "wealth buy": Command("wealth.buy:play_buy", WEALTH),
    "wealth pool": Command("wealth.pool:play_pool", WEALTH),
    "wealth cash add": Command("wealth.parcels:play_cash_add", WEALTH),
    "wealth cash spend": Command("wealth.parcels:play_cash_spend", WEALTH),
    "wealth invest": Command("wealth.parcels:play_invest", WEALTH),
    "wealth recover": Command("wealth.parcels:play_recover", TABLE),
    "ap give": Command("points:play_give", "roll {who}"),
    "ap spend": Command("points:play_spend", "roll {who}"),
    "awesome": Command("points:play_awesome", "roll {who}"),
    "trick use": Command("points:play_trick", "roll {who}"),
    "complication use": Command("points:play_complication", "roll {who}"),
    "fallback": Command("fallback:play_fallback", "roll {who}"),
    "advance level-up": Command("advancement:play_level_up", "roll {who}"),
    "advance trick": Command("advancement:play_trick", "roll {who}"),
    "advance complication": Command("advancement:play_complication", "roll {who}"),
    "advance swap-trick": Command("advancement:play_swap_trick", "roll {who}"),
    "advance swap-complication": Command("advancement:play_swap_complication", "roll {who}"),
    "advance replace": Command("advancement:play_replace", "roll {who}"),
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
    "conflict secondary": Command("conflict.select:play_secondary", CONFLICT, sheets=True),
    "conflict oppose": Command("conflict.select:play_oppose", CONFLICT),
    "conflict scout": Command("conflict.select:play_scout", CONFLICT),
    "conflict roll": Command("conflict.resolve:play_roll", CONFLICT),
    "conflict hit": Command("conflict.decide:play_hit", CONFLICT),
    "conflict avert": Command("conflict.leave:play_avert", CONFLICT, sheets=True),
    "conflict withdraw": Command("conflict.leave:play_withdraw", CONFLICT, sheets=True),
    "conflict concede": Command("conflict.leave:play_concede", CONFLICT, sheets=True),
    "conflict end": Command("conflict.leave:play_end", CONFLICT, sheets=True),
    "conflict round": Command("conflict.contest:play_round", "roll {who}"),
    "chase start": Command("chase.scene:play_start", CHASE),
    "chase run": Command("chase.scene:play_run", CHASE),
    "chase predict": Command("chase.scene:play_predict", CHASE),
    "chase shoot": Command("chase.scene:play_shoot", CHASE),
    "chase roll": Command("chase.resolve:play_roll", CHASE, sheets=True),
    "chase danger": Command("chase.resolve:play_danger", CHASE),
    "chase end": Command("chase.resolve:play_end", CHASE, sheets=True),
    "chase round": Command("chase.round:play_round", "roll {who}"),
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
