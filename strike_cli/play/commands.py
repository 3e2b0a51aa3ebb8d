"""Which procedure plays which command: the names that the journal records and replays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..content.plugins import load_object
from ..problems import CampaignProblem
from ..rules.procedure import Procedure, World

Play = Callable[[World, Mapping[str, Any]], Procedure[dict[str, Any]]]

FIGHT = "fight"
TABLE = "table"
WEALTH = "wealth"


class Command(NamedTuple):
    """A command that plays: the procedure as "module:function", and the scene that waits while a decision
    of it is pending. `{who}` and `{scene}` in a scene are the arguments of those names."""

    play: str
    scene: str

    def procedure(self) -> Play:
        """The procedure, imported now."""
        loaded: Play = load_object(f"strike_cli.rules.{self.play}")
        return loaded

    def scene_of(self, args: Mapping[str, Any]) -> str:
        """The scene for these arguments, fit for a path."""
        return self.scene.format_map({**args, "who": args.get("who") or "somebody"}).replace(".", "-")


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
    "favor repay": Command("costs:play_favor_repay", TABLE),
    "favor overdue": Command("costs:play_favor_overdue", TABLE),
    "bonus bank": Command("costs:play_bank", "roll {who}"),
    "bonus drop": Command("costs:play_drop", "roll {who}"),
    "roll wealth": Command("wealth:play_roll", "roll {who}"),
    "wealth buy": Command("wealth:play_buy", WEALTH),
    "wealth pool": Command("wealth:play_pool", WEALTH),
    "wealth cash add": Command("wealth:play_cash_add", WEALTH),
    "wealth cash spend": Command("wealth:play_cash_spend", WEALTH),
    "wealth invest": Command("wealth:play_invest", WEALTH),
    "wealth recover": Command("wealth:play_recover", TABLE),
    "ap give": Command("points:play_give", "roll {who}"),
    "ap spend": Command("points:play_spend", "roll {who}"),
    "awesome": Command("points:play_awesome", "roll {who}"),
    "trick use": Command("points:play_trick", "roll {who}"),
    "complication use": Command("points:play_complication", "roll {who}"),
    "fallback": Command("points:play_fallback", "roll {who}"),
    "advance level-up": Command("advancement:play_level_up", "roll {who}"),
    "advance trick": Command("advancement:play_trick", "roll {who}"),
    "advance complication": Command("advancement:play_complication", "roll {who}"),
    "advance swap-trick": Command("advancement:play_swap_trick", "roll {who}"),
    "advance swap-complication": Command("advancement:play_swap_complication", "roll {who}"),
    "advance replace": Command("advancement:play_replace", "roll {who}"),
    "combat start": Command("combat.setup:play_start", FIGHT),
    "combat initiative": Command("combat.setup:play_initiative", FIGHT),
    "combat turn": Command("combat.turns:play_turn", FIGHT),
    "combat end-turn": Command("combat.turns:play_end_turn", FIGHT),
    "combat stand": Command("combat.turns:play_stand", FIGHT),
    "combat move": Command("combat.move:play_move", FIGHT),
    "combat attack": Command("combat.attack:play_attack", FIGHT),
    "combat damage": Command("combat.aftermath:play_damage", FIGHT),
    "combat heal": Command("combat.aftermath:play_heal", FIGHT),
    "combat status add": Command("combat.aftermath:play_status_add", FIGHT),
    "combat status remove": Command("combat.aftermath:play_status_remove", FIGHT),
    "combat finish": Command("combat.aftermath:play_finish", FIGHT),
    "combat abandon": Command("combat.aftermath:play_abandon", FIGHT),
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
