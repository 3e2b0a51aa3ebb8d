"""`strike combat`: a fight on a grid, from setting it up to its aftermath."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from ..campaign import Campaign
from ..play.commands import FIGHT
from ..problems import Refused, Usage
from . import battlemap, completion
from .options import Options, command, new_app
from .playing import answer_pending, find_one, play
from .result import Block, Line, Picture, Result, Table
from .views import pending_lines, played

app = new_app()
status_app = new_app(help="Statuses: add, remove. Example: `strike combat status add goblin-1 prone`")
app.add_typer(status_app, name="status")

Who = Annotated[str, typer.Argument(metavar="WHO", help="A combatant.", autocompletion=completion.combatants)]
Trade = Annotated[bool, typer.Option("--trade", help="Give up the Attack Action for it.")]


@app.callback()
def _group() -> None:
    """Fights on a grid.

    An evening's fight: `combat start ford`, `combat initiative`, then for each turn `combat turn`, some of
    `combat move` and `combat attack`, and `combat end-turn`; at last `combat finish`.

    Example: `strike combat attack vex goblin-1`
    """


def _fight(campaign: Campaign) -> dict[str, Any]:
    fight: dict[str, Any] | None = campaign.state.get("fight")
    if not fight:
        known = ", ".join(campaign.book.encounters) or "none in campaign.toml"
        raise Refused(
            "There is no fight.", f"`strike combat start ENCOUNTER` begins one. Encounters: {known}."
        )
    return fight


def _combatant(campaign: Campaign, name: str) -> str:
    """The combatant that a name means; `.` is whose turn it is."""
    fight = _fight(campaign)
    if name == ".":
        if not fight.get("active"):
            raise Refused("It is nobody's turn.", "`strike combat turn` begins the next.")
        return str(fight["active"])
    table = {who: str(item["name"]) for who, item in fight["combatants"].items()}
    return find_one(name, table, "combatant", f" in {fight['name']}")


def _square(text: str) -> str:
    from ..rules.grid import format_square, parse_square

    try:
        return format_square(parse_square(text))
    except ValueError as error:
        raise Usage(str(error)) from None


def _played(options: Options, campaign: Campaign, name: str, args: Mapping[str, Any]) -> Result:
    return played(play(options, campaign, f"combat {name}", args), campaign, explain=options.explain)


@command(app, "start")
def start(
    options: Options,
    encounter: Annotated[
        str,
        typer.Argument(
            metavar="ENCOUNTER", help="One of campaign.toml.", autocompletion=completion.encounters
        ),
    ],
    goal: Annotated[str, typer.Option("--goal", help="What the players want, more than to win.")] = "",
    party: Annotated[
        list[str] | None,
        typer.Option("--party", metavar="WHO", help="Who is there; all, if nobody is named."),
    ] = None,
) -> Result:
    """Begin a fight: everybody at full HP where the encounter's map has them.

    Example: `strike combat start ford --goal "Get the ferry across"`
    """
    with options.campaign(writing=True) as campaign:
        book = campaign.book
        table = {key: str(item["name"]) for key, item in book.encounters.items()}
        which = find_one(encounter, table, "encounter", f" in {book.name}")
        names = {key: str(item["name"]) for key, item in book.characters.items()}
        there = [find_one(who, names, "character", f" in {book.name}") for who in party or names]
        came = play(options, campaign, "combat start", {"encounter": which, "goal": goal, "party": there})
        result = played(came, campaign)
        if came.data and not options.dry_run:
            result.blocks.append(_map(campaign.state["fight"]))
            result.blocks.append([("Next: ", "dim"), ("strike combat initiative", "command")])
        return result


@command(app, "initiative")
def initiative(options: Options) -> Result:
    """Roll initiative: a die each, high first, enemies before players on ties; tied players choose.

    Dice are asked for the party in order, then for the others.

    Example: `strike combat initiative --dice 4,6,2,5,3,3,3`
    """
    with options.campaign(writing=True) as campaign:
        return _played(options, campaign, "initiative", {})


@command(app, "show", kind="reads")
def show(options: Options) -> Result:
    """The fight as it stands: round, turn order, HP, statuses, Strikes, Miss Tokens, what is left to do.

    Example: `strike combat show`
    """
    with options.campaign() as campaign:
        fight = _fight(campaign)
        lines: list[Block] = [(fight["name"], "title")]
        if fight.get("goal"):
            lines.append([("Goal: ", "dim"), fight["goal"]])
        lines.append(_turn_line(fight))
        lines.append(_table(campaign, fight))
        active = fight.get("active")
        if active:
            lines += _what_is_left(campaign, active)
        for item in campaign.state.get("pending", {}).values():
            lines += pending_lines(item)
        return Result("combat show", {"fight": fight}, lines, notices=campaign.notices)


def _turn_line(fight: Mapping[str, Any]) -> Line:
    if not fight["round"]:
        return [("Initiative has not been rolled: ", "dim"), ("strike combat initiative", "command")]
    active = fight.get("active")
    if active:
        return [f"Round {fight['round']}, ", (fight["combatants"][active]["name"], "name"), "'s turn."]
    return [f"Round {fight['round']}. ", ("strike combat turn", "command"), " begins the next turn."]


def _table(campaign: Campaign, fight: Mapping[str, Any]) -> Table:
    from ..rules.combat.harm import status_names
    from ..rules.procedure import World

    world = World(campaign.book, campaign.state)
    labels = battlemap.labels(fight)
    rows = []
    for who in battlemap.in_order(fight):
        item = fight["combatants"][who]
        out = item.get("out")
        rows.append(
            [
                labels.get(who, ""),
                (who, "dim") if out else (who, "name" if item["side"] == "party" else "warn"),
                str(item.get("initiative", "-")),
                item.get("at", "-"),
                f"{item['hp']}/{item['max_hp']}",
                out.replace("-", " ") if out else ", ".join(status_names(world, who)) or "-",
                str(item.get("strikes", 0) or "-"),
                str(item.get("miss_tokens", 0) or "-"),
            ]
        )
    return Table(["", "Who", ">Init", "At", ">HP", "Statuses", ">Strikes", ">Tokens"], rows)


def _what_is_left(campaign: Campaign, who: str) -> list[Line]:
    from ..rules.combat.fight import ACTIONS, Fight
    from ..rules.procedure import World

    fight = Fight(World(campaign.book, campaign.state))
    left = [action.capitalize() for action in ACTIONS if not fight.taken(action)]
    sheet = fight.sheet(who)
    used = fight.combatant(who).get("used", [])
    powers = [
        campaign.book.powers[power]["name"] + (" (used)" if power in used else "")
        for power in sheet.get("powers", [])
    ]
    lines: list[Line] = [[("Left to do: ", "dim"), ", ".join(left) or "nothing"]]
    if powers:
        lines.append([("Powers: ", "dim"), ", ".join(powers)])
    return lines


def _map(fight: Mapping[str, Any]) -> Picture:
    return Picture(
        lambda width: battlemap.plain(fight, width), lambda width: battlemap.rich_renderable(fight, width)
    )


@command(app, "map", kind="reads")
def map_(options: Options) -> Result:
    """The map, with everybody on it and the turn order beside it.

    Example: `strike combat map`
    """
    with options.campaign() as campaign:
        fight = _fight(campaign)
        data = {
            "rows": fight["map"]["rows"],
            "tokens": {who: c["at"] for who, c in fight["combatants"].items() if "at" in c},
            "labels": battlemap.labels(fight),
        }
        return Result("combat map", data, [_map(fight)], notices=campaign.notices)


@command(app, "turn")
def turn(options: Options) -> Result:
    """Begin the next turn: start effects, and the Comeback Roll of who is down.

    Example: `strike combat turn`
    """
    with options.campaign(writing=True) as campaign:
        came = play(options, campaign, "combat turn", {})
        result = played(came, campaign, explain=options.explain)
        if came.data:
            result.blocks += [(line, "warn") for line in came.data["by_hand"]]
            active = campaign.state.get("fight", {}).get("active")
            if active:
                result.blocks += _what_is_left(campaign, active)
        return result


@command(app, "move")
def move(
    options: Options,
    who: Who,
    square: Annotated[str, typer.Argument(metavar="SQUARE", help="Where to, like C7.")],
    via: Annotated[
        list[str] | None, typer.Option("--via", metavar="SQUARE", help="Through this square.")
    ] = None,
    shift: Annotated[bool, typer.Option("--shift", help="One square, giving no Opportunity.")] = False,
    trade: Trade = False,
) -> Result:
    """A Move Action: the shortest way, and of those the one that gives the fewest Opportunities.

    Who leaves a square in an enemy's reach without getting closer gives it an Opportunity (STR-TAC-08).
    WHO may be `.` for whose turn it is.

    Example: `strike combat move vex F4 --via D5`
    """
    with options.campaign(writing=True) as campaign:
        args = {
            "who": _combatant(campaign, who),
            "to": _square(square),
            "via": [_square(stop) for stop in via or []],
            "shift": shift,
            "trade": trade,
        }
        return _played(options, campaign, "move", args)


@command(app, "stand")
def stand(options: Options, who: Who, trade: Trade = False) -> Result:
    """Get up from Prone, as a Move Action.

    Example: `strike combat stand vex`
    """
    with options.campaign(writing=True) as campaign:
        return _played(options, campaign, "stand", {"who": _combatant(campaign, who), "trade": trade})


@command(app, "attack")
def attack(
    options: Options,
    who: Who,
    targets: Annotated[
        list[str],
        typer.Argument(metavar="TARGET...", help="Whom to attack.", autocompletion=completion.combatants),
    ],
    power: Annotated[
        str, typer.Option("--power", "-p", metavar="P", help="Else a basic attack that reaches.")
    ] = "",
    adv: Annotated[list[str] | None, typer.Option(metavar="REASON", help="Advantage, and why.")] = None,
    dis: Annotated[list[str] | None, typer.Option(metavar="REASON", help="Disadvantage, and why.")] = None,
    mod: Annotated[list[int] | None, typer.Option(metavar="N", help="A flat modifier.")] = None,
) -> Result:
    """An Attack Action (STR-TAC-09): a roll for each target, then damage, effect, or both.

    Without --power it is a basic attack: melee where the target is in reach, else ranged. On a 3 the
    attacker chooses damage or effect; Miss Tokens may be spent after the roll.

    Example: `strike combat attack vex goblin-1 --power "lantern flare"`
    """
    with options.campaign(writing=True) as campaign:
        attacker = _combatant(campaign, who)
        chosen = [_combatant(campaign, target) for target in targets]
        args = {
            "who": attacker,
            "targets": chosen,
            "power": _power(campaign, attacker, chosen, power),
            "adv": adv or [],
            "dis": dis or [],
            "mods": [[value, "modifier"] for value in mod or []],
        }
        return _played(options, campaign, "attack", args)


def _power(campaign: Campaign, who: str, targets: list[str], name: str) -> str:
    """The power's full id: the one named, else the basic attack that reaches the first target."""
    from ..rules.combat.attack import MELEE_BASIC, RANGED_BASIC
    from ..rules.combat.fight import Fight
    from ..rules.procedure import World

    fight = Fight(World(campaign.book, campaign.state))
    if name:
        own = [*fight.sheet(who).get("powers", []), MELEE_BASIC, RANGED_BASIC]
        table = {key: str(campaign.book.powers[key]["name"]) for key in own}
        short: dict[str, str] = {key.rpartition(":")[2]: key for key in own}
        if name.lower() in short:
            return short[name.lower()]
        return find_one(name, table, "power", f" on {fight.name(who)}'s sheet")
    if any("out" in fight.combatant(target) for target in targets):
        return MELEE_BASIC
    near = all(fight.gap(who, target) <= fight.reach(who) for target in targets)
    return MELEE_BASIC if near else RANGED_BASIC


@command(app, "ladder")
def ladder(
    options: Options,
    damage: Annotated[int, typer.Option("--damage", metavar="N", min=0, help="The power's printed damage.")],
    die: Annotated[int, typer.Option("--die", metavar="D", min=1, max=6, help="The natural face.")],
    tokens: Annotated[int, typer.Option("--tokens", metavar="N", min=0, help="Miss Tokens spent.")] = 0,
    mod: Annotated[int, typer.Option("--mod", metavar="N", help="A flat modifier.")] = 0,
    guarded: Annotated[bool, typer.Option("--guarded", help="The target is Guarded.")] = False,
    weakened: Annotated[bool, typer.Option("--weakened", help="The attacker is Weakened.")] = False,
) -> Result:
    """One bare attack line (STR-TAC-09 to 11), no campaign needed: what a die comes to.

    A glancing hit counts as damage unless `--choose effect`.

    Example: `strike combat ladder --damage 3 --die 1 --tokens 1`
    """
    from ..content.book import bare_book
    from ..play.drive import Scripted, drive, no_more_dice
    from ..play.perform import Performed
    from ..rules.combat.attack import play_ladder
    from ..rules.procedure import World

    args = {
        "damage": damage,
        "die": die,
        "tokens": tokens,
        "mod": mod,
        "attacker": ["core:weakened"] if weakened else [],
        "target": ["core:guarded"] if guarded else [],
    }
    world = World(bare_book())
    choices = Scripted(options.choices or ["damage"])
    came = drive(play_ladder(world, args), world, no_more_dice, choices)
    return played(Performed("combat ladder", came, None), None)


@command(app, "choose")
def choose(
    options: Options, answers: Annotated[list[str], typer.Argument(metavar="OPTION...", help="The answer.")]
) -> Result:
    """Answer the decision that the fight waits for.

    Example: `strike combat choose damage`
    """
    return answer_pending(options, answers, FIGHT)


@command(app, "end-turn")
def end_turn(options: Options) -> Result:
    """End the turn: a Saving Throw for each status that a save ends, then what ends with the turn.

    Example: `strike combat end-turn`
    """
    with options.campaign(writing=True) as campaign:
        came = play(options, campaign, "combat end-turn", {})
        result = played(came, campaign, explain=options.explain)
        if came.data and came.data["next"]:
            name = campaign.state["fight"]["combatants"][came.data["next"]]["name"]
            result.blocks.append([("Next: ", "dim"), name, "  ", ("strike combat turn", "command")])
        return result


@command(app, "finish")
def finish(
    options: Options,
    won: Annotated[bool, typer.Option("--won", help="The players won, whoever still stands.")] = False,
    lost: Annotated[bool, typer.Option("--lost", help="The players lost.")] = False,
) -> Result:
    """End the fight: Conditions by each player's Strikes, the Concession by the team's (STR-TAC-18, 19).

    Example: `strike combat finish`
    """
    if won and lost:
        raise Usage("Won or lost, not both.")
    with options.campaign(writing=True) as campaign:
        result = "won" if won else "lost" if lost else ""
        return _played(options, campaign, "finish", {"result": result})


@command(app, "abandon")
def abandon(options: Options) -> Result:
    """End the fight with no winner and no aftermath.

    Example: `strike combat abandon`
    """
    with options.campaign(writing=True) as campaign:
        return _played(options, campaign, "abandon", {})


@command(app, "damage", kind="writes")
def damage(
    options: Options,
    who: Who,
    amount: Annotated[int, typer.Argument(metavar="N", min=0, help="HP to take.")],
    why: Annotated[str, typer.Option("--why", help="What it came from.")] = "",
) -> Result:
    """Take HP from somebody: a trap, a fall, the game master's hand.

    Example: `strike combat damage vex 2 --why "the cold river"`
    """
    with options.campaign(writing=True) as campaign:
        args = {"who": _combatant(campaign, who), "amount": amount, "why": why}
        return _played(options, campaign, "damage", args)


@command(app, "heal", kind="writes")
def heal(
    options: Options,
    who: Who,
    amount: Annotated[int, typer.Argument(metavar="N", min=0, help="HP to give back.")],
    why: Annotated[str, typer.Option("--why", help="What it came from.")] = "",
) -> Result:
    """Give somebody HP back: from 0 where they were below, never above their maximum.

    Example: `strike combat heal vex 4 --why "a draught"`
    """
    with options.campaign(writing=True) as campaign:
        args = {"who": _combatant(campaign, who), "amount": amount, "why": why}
        return _played(options, campaign, "heal", args)


@command(status_app, "add", kind="writes")
def status_add(
    options: Options,
    who: Who,
    status: Annotated[
        str,
        typer.Argument(
            metavar="STATUS",
            help="`strike content list statuses` has them.",
            autocompletion=completion.statuses,
        ),
    ],
    ends: Annotated[
        str,
        typer.Option(
            "--ends", metavar="WHEN", help="save, escape, turn-start, turn-end, encounter or permanent."
        ),
    ] = "save",
    value: Annotated[int, typer.Option("--value", metavar="N", help="For Ongoing damage.")] = 0,
) -> Result:
    """Give somebody a status.

    Example: `strike combat status add goblin-1 prone --ends permanent`
    """
    from ..content.forms import DURATIONS
    from ..problems import listed, nearest

    if ends not in DURATIONS:
        raise Usage(
            f"--ends {ends!r}: no such duration.{nearest(ends, DURATIONS)}", f"One of {listed(DURATIONS)}."
        )
    with options.campaign(writing=True) as campaign:
        found = campaign.book.find("statuses", status)
        args = {"who": _combatant(campaign, who), "status": found, "ends": ends, "value": value}
        return _played(options, campaign, "status add", args)


@command(status_app, "remove", kind="writes")
def status_remove(
    options: Options, who: Who, status: Annotated[str, typer.Argument(metavar="STATUS")]
) -> Result:
    """Take a status from somebody.

    Example: `strike combat status remove goblin-1 prone`
    """
    with options.campaign(writing=True) as campaign:
        found = campaign.book.find("statuses", status)
        return _played(
            options, campaign, "status remove", {"who": _combatant(campaign, who), "status": found}
        )
