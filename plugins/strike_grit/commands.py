"""`strike grit`: the commands of a fight, from its start to its end, and between fights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.plugin import World, listed
from strike_cli.plugin.commands import SQUARE, Encounter, choice_metavar, new_app, plays

from .argument_parsers import (
    ANYBODY,
    ATTRIBUTE,
    PEOPLE,
    Actor,
    Amount,
    Anybody,
    Attacker,
    Attribute,
    Damage,
    Daunted,
    Enhanced,
    Helped,
    Impaired,
    Party,
    SaveEnhanced,
    SaveImpaired,
    Saver,
    Targets,
    Weapon,
    WithCreatures,
    make_option,
)

if TYPE_CHECKING:
    from strike_cli.plugin.commands import Campaign, PerformedCommand
    from strike_cli.plugin.views import Line

    from .data import GritAttackData

app = new_app(
    help="Fights by Grit: no roll to hit, Direct Damage past Grit, dice that step down.\n\n"
    "Example: `strike grit start bridge`"
)


@plays(
    app,
    "start",
    "grit start",
    show=lambda campaign, played: [[("Next: ", "dim"), ("strike grit show", "command")]],
)
def start(
    encounter: Encounter,
    creatures: WithCreatures = None,
    party: Party = None,
    surprise: Annotated[
        bool, typer.Option("--surprise", help="Players make a DEX Save, or do nothing in round 1.")
    ] = False,
) -> None:
    """Begin a fight, with everybody on the encounter's map. The party acts first.

    With --surprise each player makes a DEX Save against the quickest foe. Roll for one player after the
    other, in the order listed: first the player's die, then the foe's.

    Example: `strike grit start bridge --with cutter:2 --surprise`
    """


@plays(app, "save", "grit save")
def save(
    who: Saver = "",
    attribute: Attribute = "",
    their: Annotated[
        str, typer.Argument(metavar="[THEIRS]", help="Their attribute. Default: the same one."), ATTRIBUTE
    ] = "",
    against: Annotated[
        str, make_option("--against", "OTHER", "The cause of the Save, who rolls too."), ANYBODY
    ] = "",
    die: Annotated[str, make_option("--die", "d8", "A die without a character.")] = "",
    against_die: Annotated[
        str, make_option("--against-die", "d6", "An opposing die without a character.")
    ] = "",
    enhanced: Enhanced = None,
    impaired: Impaired = None,
) -> None:
    """Make a Save: it takes 4 or more or, against an opponent, more than the opponent's roll.

    Dice: first the saver's, then the opponent's.

    Example: `strike grit save sam dex --against troll --enhanced "the dark"`
    """


def _blast_neighbours_hint(campaign: Campaign | None, played: PerformedCommand) -> Iterable[Line]:
    """Return a hint naming the combatants next to the target of a blast without an area.

    The game master decides which of them the blast also hits (GRT-09). Other attacks have no hint.
    """
    data = cast("GritAttackData | None", played.data)
    if campaign is None or data is None or data.get("blast", 0) is not None or len(data["attacks"]) != 1:
        return []
    from .fight_state import GritFight
    from .movement_and_distances import unhidden_neighbours

    fight, target = GritFight(World(campaign.book, campaign.state)), data["attacks"][0]["target"]
    near = [combatant for combatant in unhidden_neighbours(fight, target) if combatant != data["who"]]
    names = listed([fight.people[combatant]["name"] for combatant in near])
    told = (
        f"Beside {fight.people[target]['name']}: {names}. A blast without an area hits the targets that you "
        "name."
    )
    return [[(told, "dim")]] if near else []


@plays(
    app,
    "attack",
    "grit attack",
    show=_blast_neighbours_hint,
    dice="for each target the damage dice as written, an enhanced attack's d12 last; then a Critical Damage "
    "Save",
)
def attack(
    who: Attacker = "",
    targets: Targets = None,
    weapon: Weapon = "",
    at: Annotated[str, make_option("--at", SQUARE, "The square that a blast with an area is aimed at.")] = "",
    enhanced: Enhanced = None,
    impaired: Impaired = None,
    save_enhanced: SaveEnhanced = None,
    save_impaired: SaveImpaired = None,
    damage: Damage = "",
    armor: Annotated[int, typer.Option("--armor", min=0, help="Without a campaign: the target's Armor.")] = 0,
    grit: Annotated[int, typer.Option("--grit", min=0, help="Without a campaign: the target's Grit.")] = 0,
    str_: Annotated[str, make_option("--str", "d10", "Without a campaign: the target's STR.")] = "",
    dex: Annotated[
        str, make_option("--dex", "d8", "Without a campaign: the target's DEX, if it is attacked.")
    ] = "",
    wil: Annotated[
        str, make_option("--wil", "d6", "Without a campaign: the target's WIL, if it is attacked.")
    ] = "",
) -> None:
    """Attack: there is no roll to hit, and damage is dealt at once.

    A blast with an area (`blast = 2`) hits everybody in the area, even friends and the attacker. An impaired
    attack rolls one d4. --damage works without a campaign.

    Example: `strike grit attack sam troll --with dagger --enhanced "from behind"`
    """


@plays(app, "settle", "grit settle")
def settle(
    who: Annotated[
        str,
        typer.Argument(metavar="[WHO]", help="The target. Default: everybody with damage to settle."),
        ANYBODY,
    ] = "",
    save_enhanced: SaveEnhanced = None,
    save_impaired: SaveImpaired = None,
) -> None:
    """Settle accumulated Direct Damage, by the house rule grit.combine_direct_damage.

    Example: `strike grit settle troll --save-impaired "two at once"`
    """


@plays(app, "morale", "grit morale")
def morale(
    who: Daunted,
    because: Annotated[str, make_option("--because", "TEXT", "The reason, if no Save is due.")] = "",
    enhanced: Enhanced = None,
    impaired: Impaired = None,
) -> None:
    """Make a Morale Save. It is a roll of the WIL die, and succeeds on a 4 or more.

    If it fails, the combatant flees or surrenders. `grit show` lists the Saves that are due.

    Example: `strike grit morale troll --because "the bridge burns" --enhanced "its young are near"`
    """


@plays(app, "trap", "grit trap")
def trap(
    who: Anybody,
    attribute: Attribute = "str",
    save: Annotated[str, make_option("--save", "dex", "A Save that avoids it."), ATTRIBUTE] = "",
    enhanced: Enhanced = None,
    impaired: Impaired = None,
) -> None:
    """Deal Critical Damage at once, outside a fight. Armor and Grit don't reduce it.

    Example: `strike grit trap sam --save dex`
    """


@plays(app, "hurt", "grit hurt")
def hurt(
    who: Anybody,
    amount: Amount,
    attribute: Attribute = "str",
    direct: Annotated[bool, typer.Option("--direct", help="Ignore Armor and Grit.")] = False,
    save_enhanced: SaveEnhanced = None,
    save_impaired: SaveImpaired = None,
) -> None:
    """Deal damage without an attack, by the game master's ruling.

    Example: `strike grit hurt sam 6 --direct`
    """


@plays(app, "mend", "grit mend")
def mend(
    who: Anybody,
    what: Annotated[
        str, typer.Argument(metavar=choice_metavar("grit", "str", "dex", "wil"), help="The value to restore.")
    ],
    by: Annotated[
        int | None, typer.Option("--by", metavar="N", help="Points or steps. Default: all.")
    ] = None,
) -> None:
    """Restore Grit or a die, by the game master's ruling.

    Example: `strike grit mend sam str --by 1`
    """


@plays(app, "aid", "grit aid", kind="writes")
def aid(who: Anybody, target: Helped) -> None:
    """Give first aid: an incapacitated ally stands up again. STR stays at zero.

    Example: `strike grit aid pete sam`
    """


@plays(app, "rest", "grit rest", kind="writes")
def rest(
    resting: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WHO]...", help="The characters who rest. Default: everybody."),
        PEOPLE.character.for_list(),
    ] = None,
    deprived: Annotated[
        list[str] | None,
        make_option("--deprived", "WHO", "Names that regain nothing."),
        PEOPLE.character.for_list(),
    ] = None,
) -> None:
    """Rest: everybody regains all Grit, unless deprived or burdened.

    Example: `strike grit rest --deprived pete`
    """


@plays(app, "hour", "grit hour", kind="writes")
def hour() -> None:
    """Let an hour pass: incapacitated people without help die.

    Example: `strike grit hour`
    """


@plays(app, "move", "grit move", kind="writes")
def move(
    who: Actor,
    to: Annotated[str, typer.Argument(metavar=SQUARE, help="A square like C7, or a place in words.")],
) -> None:
    """Move, once or in parts: about 40 feet in a round.

    Example: `strike grit move sam E4`
    """


@plays(app, "act", "grit act", kind="writes")
def act(
    who: Actor, text: Annotated[str, typer.Argument(metavar="TEXT", help="The action, in words.")]
) -> None:
    """Take a significant action that isn't an attack.

    Example: `strike grit act pete "bars the gate"`
    """


@plays(app, "end", "grit end", kind="writes")
def end(outcome: Annotated[str, make_option("--outcome", "TEXT", "The outcome.")] = "") -> None:
    """End the fight. The party keeps its harm.

    Example: `strike grit end --outcome "the troll lets them pass"`
    """
