"""The commands of `strike wealth`, and the rolls and odds of Wealth.

The commands are for buying, pools, cash parcels, and recovery from Short and Broke.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.kernel.procedure import World
from strike_cli.problems import Usage
from strike_cli.refusals import NamedTwice
from strike_cli.systems.core.commands.argument_completions import (
    CONDITION_HELD,
    COST,
    SKILL,
    Changed,
    Intent,
    Use,
)
from strike_cli.terminal.argument_completions import WHO, choice_metavar
from strike_cli.terminal.command_output import Block, NumberHeading, Result, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import Call, ParametersOf, Typed, WordParser, plays
from strike_cli.terminal.name_lookup import (
    CHARACTER,
    Character,
    find_character_by_name_or_player,
    find_id_if_any,
    find_word,
)
from strike_cli.terminal.roll_and_chart_options import Adv, Dis, Mod, Svg

if TYPE_CHECKING:
    from fractions import Fraction

    from strike_cli.campaign import Campaign

    from ..effective_wealth_and_purchase_roll import ReadyWealthRoll


app = new_app("""Wealth: 0 Penniless, 1 Poor, 2 Rich, 3 Super-rich; prices go from 0 to 4.

    A price of one less than your Wealth is Cheap, the same is Same Level, one more is Expensive. Each has a
    column of its own. Two less needs no roll; nobody can buy two more alone.

    Example: `strike wealth buy vex 2 --for "the boat" --help-from brann`
    """)
cash_app = new_app()
app.add_typer(cash_app, name="cash")

PriceRank = Annotated[
    int, typer.Argument(metavar="PRICE", min=0, max=4, help="0 to 4, each about 20 times the last.")
]
ParcelRank = Annotated[int, typer.Argument(metavar="RANK", min=0, max=4, help="The parcel's rank, 0 to 4.")]
What = Annotated[str, typer.Option("--for", metavar="WHAT", help="The thing to buy.")]
Seller = Annotated[str, typer.Option("--from", metavar="SELLER", help="The creditor of a Favor.")]
Ignore = Annotated[
    list[str] | None,
    typer.Option(metavar=CONDITION_HELD, help="Leave out a condition or bonus; odo:NAME is a helper's."),
]
Also = Annotated[str, typer.Option(metavar=SKILL, help="A Skill of the buyer helps: Advantage for 1 AP.")]
Task = Annotated[str, typer.Option(metavar="TEXT", help="The task, for Fun once. Default: Wealth.")]
Price = Annotated[int, typer.Option(metavar="N", min=0, max=4, help="The price, 0 to 4.")]
HelpFrom = Annotated[
    list[str] | None, typer.Option(metavar=WHO.with_text("NAME"), help="A helper; NAME:WEALTH is a new name.")
]
Cost = Annotated[
    list[str] | None,
    typer.Option(
        "--cost", metavar=COST, help="A Cost decided beforehand: short, flaw:it leaks, favor:the ferryman."
    ),
    WordParser(lambda call, words: [_parse_cost_and_detail(word) for word in words]),
]


@cash_app.callback()
def _cash_group_callback() -> None:
    """Cash parcels: loot, or stuff that was sold. Like a price, a parcel has a rank.

    Example: `strike wealth cash add vex 2 --why "the toll captain's purse"`
    """


@command(app, "show", kind="reads")
def show(options: Options, who: Character) -> Result:
    """Show a character's Wealth, cash parcels, and the column for each price (STR-CORE-26, 29).

    The reasons that lower Wealth are listed. The Condition Short lowers Wealth by one, even if the character
    has it several times. Each Broke lowers Wealth by one more. Wealth never counts as less than 0.

    Example: `strike wealth show vex`
    """
    from strike_cli.tabletop.characters_and_names import reason_words

    from ..effective_wealth_and_purchase_roll import (
        column_for_price,
        column_name,
        effective_wealth,
        numbers,
        rank_name,
        ranks_of_cash_parcels,
    )

    with options.open_campaign() as campaign:
        who, world = find_character_by_name_or_player(campaign, who), World(campaign.book, campaign.state)
        now, parcels = effective_wealth(world, who), sorted(ranks_of_cash_parcels(world, who), reverse=True)
        prices = numbers()["prices"]
        columns = {price: column_for_price(now.effective, price) for price in range(len(prices))}
        name = str(campaign.book.characters[who]["name"])
        blocks: list[Block] = [(f"{name}: Wealth {now.wealth} ({rank_name(now.wealth)})", "strong")]
        if now.reasons:
            reasons = "; ".join(
                f"{item.value:+d}: {reason_words(world, item.reason)}" for item in now.reasons
            )
            blocks.append(f"Counts as {now.effective} ({rank_name(now.effective)}) for now: {reasons}")
        blocks.append(f"Cash parcels: {', '.join(f'rank {rank}' for rank in parcels) or 'none'}")
        blocks.append(
            Table(
                [NumberHeading("Price"), "Like", "Column"],
                [[str(price), prices[price], column_name(column)] for price, column in columns.items()],
            )
        )
        data = {
            "who": who,
            "name": name,
            "wealth": now.wealth,
            "rank": rank_name(now.wealth),
            "effective": now.effective,
            "effective_rank": rank_name(now.effective),
            "reasons": [
                {"value": item.value, "reason": reason_words(world, item.reason)} for item in now.reasons
            ],
            "cash": parcels,
            "columns": {str(price): column for price, column in columns.items()},
        }
        return Result("wealth show", data, blocks, notices=campaign.notices)


@plays(
    app,
    "buy",
    "wealth buy",
    dice="the buyer's (two with Advantage or Disadvantage), then each helper's in the order named",
)
def buy(
    call: Call,
    who: Character,
    price: PriceRank,
    what: What = "",
    seller: Seller = "",
    help_from: HelpFrom = None,
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    ignore: Ignore = None,
    also: Also = "",
    use: Use = None,
    costs: Cost = None,
    task: Task = "",
    intent: Intent = "",
    changed: Changed = "",
) -> dict[str, object]:
    """Buy something: a Wealth roll in the column of its price (STR-CORE-27).

    A Cost may be a Flaw on the thing, being Short, or a Favor owed. If there are two Costs, one of them is a
    Flaw. On a Twist you go without, or you break the bank: you get the thing and become Broke, and your
    helpers become Short.

    A helper one tier poorer rolls with Disadvantage, and a richer helper with Advantage. If you pay a Cost,
    each helper pays one, too.

    Example: `strike wealth buy vex 2 --for "the boat" --from "the ferryman" --help-from brann`
    """
    return wealth_roll_args(call, [who])


@plays(app, "pool", "wealth pool")
def pool(
    call: Call,
    who: Annotated[
        list[str],
        typer.Argument(metavar="WHO...", help="The pool's members; the first one rolls."),
        CHARACTER.for_list(),
    ],
    price: Price,
    parcels: Annotated[
        str,
        typer.Option(metavar="N,N", help="Cash parcels in place of people; NAME:N names the owner."),
        WordParser(
            lambda call, words: [
                _parse_parcel(call.required_campaign, word) for word in words.split(",") if word.strip()
            ]
        ),
    ] = "",
    **words: Annotated[object, ParametersOf(buy)],
) -> dict[str, object]:
    """Let five people of one Wealth buy together, as one person of the next Wealth (STR-CORE-28).

    Up to two of the five may be cash parcels. Their rank must be the members' Wealth, and they are used up.
    Everybody takes every Cost. On a Twist, all are Broke or all go without. A helper's Wealth must not be
    lower than the members' own.

    Example: `strike wealth pool vex brann odo --parcels 1,1 --price 2 --for "the mill"`
    """
    return {**wealth_roll_args(call, who), "who": who[0], "members": who}


@plays(app, "invest", "wealth invest", kind="writes")
def invest(who: Character, rank: ParcelRank) -> None:
    """Invest a cash parcel: it raises Wealth for good, to the rank below the parcel's (STR-CORE-30).

    Example: `strike wealth invest vex 3` makes somebody Poor Rich.
    """


@plays(app, "recover", "wealth recover", kind="writes")
def recover(
    who: Character,
    condition: Annotated[
        str,
        typer.Argument(metavar=choice_metavar("short", "broke")),
        WordParser(lambda call, word: find_word(word, ("short", "broke"), "Wealth Condition")),
    ],
    parcel: Annotated[bool, typer.Option("--parcel", help="Spend a cash parcel.")] = False,
) -> None:
    """End Short with a frugal week of work, or one Broke with a frugal year of work (STR-CORE-29).

    With --parcel, a cash parcel ends the Condition at once. For Short, the parcel has the rank of the Wealth
    that is regained. For Broke, its rank is one higher.

    Example: `strike wealth recover vex short --parcel`
    """


@plays(cash_app, "add", "wealth cash add", kind="writes")
def cash_add(
    who: Character,
    rank: ParcelRank,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Where it comes from.")] = "",
) -> None:
    """Give a character a cash parcel: loot, or the price of sold goods.

    Example: `strike wealth cash add vex 2 --why "the toll captain's purse"`
    """


@plays(cash_app, "spend", "wealth cash spend", kind="writes")
def cash_spend(
    who: Character,
    rank: ParcelRank,
    what: What = "",
    price: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=4, help="Its price, if below the parcel's rank.")
    ] = None,
) -> None:
    """Buy with a cash parcel: anything of its rank or below, with no roll and no Bonus (STR-CORE-30).

    Example: `strike wealth cash spend vex 2 --for "the boat"`
    """


# --- reading what was typed


def wealth_roll_args(call: Call, buyers: Sequence[str]) -> dict[str, object]:
    """Return the arguments of a Wealth roll from the typed words.

    They are the helpers, the modifiers, the reasons for Advantage and Disadvantage, and the ignored reasons.
    People are given by id. Raises Usage for an unknown name, and NamedTwice if a person is named twice.
    """
    from strike_cli.systems.core.commands.roll_option_name_lookup import resolve_known_names_in_roll_options

    typed = call.typed
    helpers = [parse_helper_and_wealth(call.campaign, text) for text in call.texts_of("help_from")]
    names = [str(helper["name"]) for helper in helpers]
    people = [*buyers, *names]
    if twice := next((person for person in people if people.count(person) > 1), ""):
        raise NamedTwice(twice, "Name each person once.")
    ignored = {"ignore": typed["ignore"]} if "ignore" in typed else {}
    return {
        "adv": typed.get("adv", []),
        "dis": typed.get("dis", []),
        "mods": [[value, "modifier"] for value in call.values_of("mod")],
        "helpers": helpers,
        **resolve_known_names_in_roll_options(call.campaign, buyers[:1], ignored, names),
    }


def parse_helper_and_wealth(campaign: Campaign | None, text: str) -> dict[str, object]:
    """Return the helper that a text names, with the helper's Wealth if the text gives it.

    `brann` is a character with the Wealth of the sheet. `the miller:2` is anybody, with Wealth 2. Raises
    Usage for any other text.
    """
    name, sign, wealth = text.rpartition(":")
    if not sign and campaign is not None:
        return {"name": find_character_by_name_or_player(campaign, text)}
    if not name.strip() or wealth not in ("0", "1", "2", "3", "4"):
        raise Usage(
            f"--help-from {text!r}: write NAME:WEALTH.",
            'Wealth is a number from 0 to 4, as in --help-from "the miller:2".',
        )
    names = {key: str(sheet["name"]) for key, sheet in campaign.book.characters.items()} if campaign else {}
    return {"name": find_id_if_any(name, names) or name.strip(), "wealth": int(wealth)}


def _parse_cost_and_detail(text: str) -> str:
    kind, sign, more = text.partition(":")
    found = [word for word in ("flaw", "short", "favor") if kind and word.startswith(kind.lower())]
    if len(found) != 1:
        raise Usage(f"--cost {text!r}: a Cost is flaw, short or favor.", "Like --cost flaw:it leaks.")
    return f"{found[0]}{sign}{more.strip()}"


def _parse_parcel(campaign: Campaign, text: str) -> dict[str, object]:
    name, _, rank = text.strip().rpartition(":")
    if rank.strip() not in ("0", "1", "2", "3", "4"):
        raise Usage(
            f"--parcels: {text!r} is not a rank.", "Write ranks, like --parcels 1,1 or vex:1,brann:1."
        )
    return {"who": find_character_by_name_or_player(campaign, name) if name else "", "rank": int(rank)}


roll_app = new_app()
odds_app = new_app()

HelpWealth = Annotated[
    list[str] | None, typer.Option(metavar=WHO.with_text("NAME:WEALTH"), help="A helper of that Wealth.")
]


@roll_app.callback()
@odds_app.callback()
def _wealth_roll_group_callback() -> None:
    """Make a Wealth roll."""


@plays(roll_app, "wealth", "roll wealth")
def roll_wealth(
    call: Call,
    wealth: Annotated[
        int, typer.Option(metavar="N", min=0, max=4, help="The Wealth that counts; 4 is a pool.")
    ],
    price: Price,
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    help_from: HelpWealth = None,
) -> dict[str, object]:
    """Make a Wealth roll without buying anything (STR-CORE-27). It also works without a campaign.

    The price is compared with the Wealth. One below is Cheap, equal is Same Level, one above is Expensive:
    you roll. Two or more below is automatic, two or more above is impossible: you don't roll.

    `strike wealth buy` rolls for a character, and records the Costs.

    Example: `strike roll wealth --wealth 2 --price 3 --help-from brann:1`
    """
    return wealth_roll_args(call, ())


@command(odds_app, "wealth", kind="reads")
def odds_wealth(
    options: Options,
    who: Annotated[
        str, typer.Argument(metavar=WHO.with_text("[WHO]"), help="A character, in their present state.")
    ] = "",
    at: Annotated[
        int | None, typer.Argument(metavar="[PRICE]", min=0, max=4, help="The price, 0 to 4.")
    ] = None,
    wealth: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=4, help="The Wealth that counts; 4 is a pool.")
    ] = None,
    price: Annotated[int | None, typer.Option(metavar="N", min=0, max=4, help="The price, 0 to 4.")] = None,
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    help_from: HelpWealth = None,
    ignore: Ignore = None,
    also: Also = "",
    use: Use = None,
    svg: Svg = None,
) -> Result:
    """Show the exact chance of each outcome of a Wealth roll, for a character's present state or any Wealth.

    Example: `strike odds wealth vex 2 --help-from brann`, or `strike odds wealth --wealth 1 --price 2`
    """
    if (price is None) == (at is None):
        raise Usage("Which price?", "`strike odds wealth WHO PRICE`, or --wealth N --price N.")
    if bool(who) == (wealth is not None):
        raise Usage("Whose Wealth?", "`strike odds wealth WHO PRICE`, or --wealth N --price N.")
    campaign = options.open_campaign() if who else options.open_campaign_if_any()
    who = find_character_by_name_or_player(campaign, who) if campaign and who else ""
    bearing: Typed = {"adv": adv, "dis": dis, "mod": mod, "help_from": help_from}
    bearing |= {"ignore": ignore, "also": also, "use": use}
    typed = {key: value for key, value in bearing.items() if value}
    args = {
        "who": who,
        "price": price if at is None else at,
        **({} if wealth is None else {"wealth": wealth}),
        **{key: value for key, value in typed.items() if key in ("also", "use")},
        **wealth_roll_args(Call(options, campaign, typed), [who] if who else []),
    }
    return _odds_result(args, World(campaign.book, campaign.state) if campaign else World(None), svg)


def wealth_roll_odds(ready: ReadyWealthRoll, price: int) -> dict[WealthKey, Fraction]:
    """Return the exact chance of each result of a Wealth roll, computed from its dice alone.

    To play the whole move would take seconds with four helpers.
    """
    from strike_cli.kernel.exact_odds import exact_chances

    from ..effective_wealth_and_purchase_roll import roll_if_price_needs_dice

    return exact_chances(
        lambda: (roll_if_price_needs_dice("", price, ready), None),
        lambda roll: (roll.row.get("outcome"), roll.row["bonus"], roll.row["costs"], roll.row["flaws"]),
    )


WealthKey = tuple[str | None, bool, int, int]
_KEYS = ("outcome", "bonus", "costs", "flaws")


def _odds_result(args: dict[str, object], world: World, svg: str | None) -> Result:
    from strike_cli.tabletop.characters_and_names import reason_words
    from strike_cli.terminal.command_output import reasons_in_words
    from strike_cli.terminal.odds_view import chances_result_and_chart_file

    from ..effective_wealth_and_purchase_roll import (
        RollWealth,
        column_for_price,
        column_name,
        outcome_words,
        prepare_wealth_roll,
    )

    one, price = prepare_wealth_roll(world, RollWealth.read(args)), cast("int", args["price"])
    column = column_for_price(one.wealth, price)
    found = sorted(
        wealth_roll_odds(one, price).items(),
        key=lambda item: (item[0][0] != "success", -item[0][1], item[0][2:]),
    )
    rows = []
    for key, chance in found:
        row = dict(zip(_KEYS, key, strict=True))
        rows.append((row, outcome_words(row), chance))
    result = chances_result_and_chart_file("odds wealth", args, rows, svg)
    reasons = one.roll_reasons.reasons_as_json(world)
    result.data |= {"wealth": one.wealth, "price": price, "column": column, **reasons}
    result.blocks.insert(0, f"Wealth {one.wealth}, price {price}: {column_name(column)}")
    bears = [words] if (words := reasons_in_words(reasons)) else []
    for helper in one.helpers:
        bears += [
            f"{helper.name} {source.kind}: {reason_words(world, source.reason)}" for source in helper.reasons
        ]
    if bears:
        result.blocks.append(("; ".join(bears), "dim"))
    return result
