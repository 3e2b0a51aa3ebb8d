"""`strike grit`: a fight from its first round to its end, and what happens between fights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.plugin import World, listed
from strike_cli.plugin.commands import SQUARE, Encounter, choice, new_app, plays

from .words import (
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
    option,
)

if TYPE_CHECKING:
    from strike_cli.plugin.commands import Campaign, Performed
    from strike_cli.plugin.views import Line

    from .data import GritAttackData

app = new_app(
    help="Fights by Grit: no roll to hit, Direct Damage past Grit, dice that step down.\n\n"
    "Example: `strike grit start bridge`"
)


def _show_it(campaign: object, played: object) -> Iterable[Line]:
    return [[("Next: ", "dim"), ("strike grit show", "command")]]


@plays(app, "start", "grit start", show=_show_it)
def start(
    encounter: Encounter,
    creatures: WithCreatures = None,
    party: Party = None,
    surprise: Annotated[
        bool, typer.Option("--surprise", help="Players make a DEX Save, or do nothing in round 1.")
    ] = False,
) -> None:
    """Begin a fight where an encounter's map has everybody. The party acts first.

    With --surprise each player makes a DEX Save against the quickest foe. Dice: each player's and then the
    foe's, in the order listed.

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
        str, option("--against", "OTHER", "The one who caused it, and rolls too."), ANYBODY
    ] = "",
    die: Annotated[str, option("--die", "d8", "A bare die, of nobody.")] = "",
    against_die: Annotated[str, option("--against-die", "d6", "Another bare die against it.")] = "",
    enhanced: Enhanced = None,
    impaired: Impaired = None,
) -> None:
    """Make a Save: 4 or more; against somebody more than they roll. Dice: the saver's, then theirs.

    Example: `strike grit save sam dex --against troll --enhanced "the dark"`
    """


def _who_is_in_it(campaign: Campaign | None, played: Performed) -> Iterable[Line]:
    """Yield the likely targets of a blast without an area: the game master chooses (GRT-09)."""
    data = cast("GritAttackData | None", played.data)
    if campaign is None or data is None or data.get("blast", 0) is not None or len(data["attacks"]) != 1:
        return []
    from .fight import GritFight
    from .reach import beside

    fight, target = GritFight(World(campaign.book, campaign.state)), data["attacks"][0]["target"]
    near = [who for who in beside(fight, target) if who != data["who"]]
    names = listed([fight.people[who]["name"] for who in near])
    told = (
        f"Beside {fight.people[target]['name']}: {names}. A blast without an area hits those whom you name."
    )
    return [[(told, "dim")]] if near else []


@plays(
    app,
    "attack",
    "grit attack",
    show=_who_is_in_it,
    dice="for each target the damage dice as written, an enhanced attack's d12 last; then a Critical Damage "
    "Save",
)
def attack(
    who: Attacker = "",
    targets: Targets = None,
    weapon: Weapon = "",
    at: Annotated[str, option("--at", SQUARE, "Where a blast with an area is aimed.")] = "",
    enhanced: Enhanced = None,
    impaired: Impaired = None,
    save_enhanced: SaveEnhanced = None,
    save_impaired: SaveImpaired = None,
    damage: Damage = "",
    armor: Annotated[int, typer.Option("--armor", min=0, help="Bare: the target's Armor.")] = 0,
    grit: Annotated[int, typer.Option("--grit", min=0, help="Bare: the target's Grit.")] = 0,
    str_: Annotated[str, option("--str", "d10", "Bare: the target's STR.")] = "",
    dex: Annotated[str, option("--dex", "d8", "Bare: the target's DEX, which it goes against.")] = "",
    wil: Annotated[str, option("--wil", "d6", "Bare: the target's WIL, which it goes against.")] = "",
) -> None:
    """Attack: no roll to hit, damage at once. Bare dice work without a campaign.

    A blast with an area (`blast = 2`) hits everybody within it, friends and the attacker too. An impaired
    attack rolls one d4.

    Example: `strike grit attack sam troll --with dagger --enhanced "from behind"`
    """


@plays(app, "settle", "grit settle")
def settle(
    who: Annotated[str, typer.Argument(metavar="[WHO]", help="Whose; everybody's."), ANYBODY] = "",
    save_enhanced: SaveEnhanced = None,
    save_impaired: SaveImpaired = None,
) -> None:
    """Direct Damage that was added up is settled, by the house rule grit.combine_direct_damage.

    Example: `strike grit settle troll --save-impaired "two at once"`
    """


@plays(app, "morale", "grit morale")
def morale(
    who: Daunted,
    because: Annotated[str, option("--because", "TEXT", "The reason, if no Save is due.")] = "",
    enhanced: Enhanced = None,
    impaired: Impaired = None,
) -> None:
    """Make a Morale Save: WIL, 4 or more. A failure means flight or surrender.

    `grit show` lists the Saves that are due.

    Example: `strike grit morale troll --because "the bridge burns" --enhanced "its young are near"`
    """


@plays(app, "trap", "grit trap")
def trap(
    who: Anybody,
    attribute: Attribute = "str",
    save: Annotated[str, option("--save", "dex", "First a Save that avoids it."), ATTRIBUTE] = "",
    enhanced: Enhanced = None,
    impaired: Impaired = None,
) -> None:
    """Harm while nobody fights: Critical Damage at once, and Grit is no help.

    Example: `strike grit trap sam --save dex`
    """


@plays(app, "hurt", "grit hurt")
def hurt(
    who: Anybody,
    amount: Amount,
    attribute: Attribute = "str",
    direct: Annotated[bool, typer.Option("--direct", help="Past Armor and Grit.")] = False,
    save_enhanced: SaveEnhanced = None,
    save_impaired: SaveImpaired = None,
) -> None:
    """Deal damage that is no attack, by the game master's hand.

    Example: `strike grit hurt sam 6 --direct`
    """


@plays(app, "mend", "grit mend")
def mend(
    who: Anybody,
    what: Annotated[
        str, typer.Argument(metavar=choice("grit", "str", "dex", "wil"), help="The number that comes back.")
    ],
    by: Annotated[int | None, typer.Option("--by", metavar="N", help="Points or steps; all.")] = None,
) -> None:
    """Give Grit or a die back, by the game master's hand.

    Example: `strike grit mend sam str --by 1`
    """


@plays(app, "aid", "grit aid", kind="writes")
def aid(who: Anybody, target: Helped) -> None:
    """First aid gets an ally who is incapacitated on their feet. STR stays at zero.

    Example: `strike grit aid pete sam`
    """


@plays(app, "rest", "grit rest", kind="writes")
def rest(
    resting: Annotated[
        list[str] | None, typer.Argument(metavar="[WHO]...", help="Who; everybody."), PEOPLE.character.many()
    ] = None,
    deprived: Annotated[
        list[str] | None, option("--deprived", "WHO", "Names who get nothing back."), PEOPLE.character.many()
    ] = None,
) -> None:
    """Rest: everybody who isn't deprived or burdened gets all Grit back.

    Example: `strike grit rest --deprived pete`
    """


@plays(app, "hour", "grit hour", kind="writes")
def hour() -> None:
    """Let an hour pass: anybody incapacitated and without help dies.

    Example: `strike grit hour`
    """


@plays(app, "move", "grit move", kind="writes")
def move(
    who: Actor,
    to: Annotated[str, typer.Argument(metavar=SQUARE, help="A square like C7, or a place by words.")],
) -> None:
    """Move, once or in parts: about 40 feet in a round.

    Example: `strike grit move sam E4`
    """


@plays(app, "act", "grit act", kind="writes")
def act(who: Actor, text: Annotated[str, typer.Argument(metavar="TEXT", help="What.")]) -> None:
    """Take a significant action that is no attack.

    Example: `strike grit act pete "bars the gate"`
    """


@plays(app, "end", "grit end", kind="writes")
def end(outcome: Annotated[str, option("--outcome", "TEXT", "The outcome.")] = "") -> None:
    """End the fight. The party keeps its harm.

    Example: `strike grit end --outcome "the troll lets them pass"`
    """
