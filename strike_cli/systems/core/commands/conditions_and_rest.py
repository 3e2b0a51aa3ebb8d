"""`strike condition`, `strike recover` and `strike rest`: Conditions, and what ends them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.problems import Usage, did_you_mean, listed
from strike_cli.tabletop.characters_and_names import changes_of_others_and_sides_in, character_changes_in
from strike_cli.tabletop.rules_vocabulary import TIMES
from strike_cli.terminal.argument_completions import choice_metavar
from strike_cli.terminal.command_output import Block, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import Call, WordParser, plays
from strike_cli.terminal.name_lookup import CHARACTER, find_id_by_name, find_word

from ..conditions import recovery_words, severity_name
from ..facts.conditions import SEVERITIES
from . import argument_completions

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.play.command_execution import PerformedCommand

    from ..data import RestData

app = new_app()
conditions = new_app("""Conditions keep people from doing their best (STR-CORE-12). `strike condition list`
shows all of them and their effects. Rolls count them automatically.

    Example: `strike condition add vex winded --why "the long climb"`
    """)
app.add_typer(conditions, name="condition")

STYLES = {"minor": "warn", "major": "bad", "wealth": "warn"}


def _find_person_creature_or_team(call: Call, name: str) -> str:
    """Return the id of somebody who can have a Condition, or of a whole side ("party", "enemies").

    It may be a character, a person in a scene under way, or a creature of the book. Raises Usage if the name
    is unknown.
    """
    from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
    from strike_cli.tabletop.characters_and_names import TEAMS

    book = call.required_campaign.book
    table = {key: str(item["name"]) for key, item in book.characters.items()}
    for scene in scenes_of(call.required_campaign.state):
        for person, one in scene.people.items():
            table.setdefault(person, one.name)
    for key, item in book.creatures.items():
        table.setdefault(key, str(item["name"]))
    return name if name in TEAMS else find_id_by_name(name, table, "character", f" in {book.name}")


Anybody = Annotated[
    str,
    typer.Argument(
        metavar="WHO", help="A character, a person in the scene, a creature, `party` or `enemies`."
    ),
    WordParser(_find_person_creature_or_team, lambda campaign: campaign.book.characters),
]
CONDITION = WordParser(lambda call, name: call.required_campaign.book.find("conditions", name))
_LIKE = "A condition, like winded."
Name = Annotated[str, typer.Argument(metavar=argument_completions.CONDITION, help=_LIKE), CONDITION]
Held = Annotated[str, typer.Argument(metavar=argument_completions.CONDITION_HELD, help=_LIKE), CONDITION]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="Its cause, kept in the log.")]


@plays(conditions, "add", "condition add", kind="writes")
def add(
    who: Anybody,
    condition: Name,
    why: Why = "",
    about: Annotated[
        str,
        typer.Option(
            "--about",
            metavar=argument_completions.SKILL.with_text("SKILL,..."),
            help="The Skills that Lost Confidence affects.",
        ),
        WordParser(_read_doubted_skills),
    ] = "",
) -> None:
    """Give a person a condition.

    Major Conditions and Broke add up. Minor ones count only once, but the third Winded becomes Exhausted, and
    the third Short becomes Broke.

    Example: `strike condition add vex "lost confidence" --about "Climbing,Sneaking" --why "the fall"`
    """


def _read_doubted_skills(call: Call, about: str) -> list[str]:
    """Return the Skills that a Condition makes its holder doubt, in the spelling of the sheet.

    `about` names the Skills, separated by commas. Wealth counts as a Skill. Raises Usage if a name is neither
    Wealth nor a Skill on the sheet.
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.characters_and_names import skills_and_connections_of

    from ..roll_circumstances import WEALTH

    person = call.text_of("who")
    names = [
        *skills_and_connections_of(World(call.required_campaign.book, call.required_campaign.state), person),
        WEALTH,
    ]
    known = {name: name for name in names}
    asked = [skill.strip() for skill in about.split(",")]
    return [find_id_by_name(skill, known, "Skill", f" on {person}'s sheet") for skill in asked if skill]


@plays(conditions, "remove", "condition remove", kind="writes")
def remove(who: Anybody, condition: Held, why: Why = "") -> None:
    """End one instance of a condition by the game master's ruling. `strike recover` ends it by the rules.

    Example: `strike condition remove vex winded --why "that was Brann, not Vex"`
    """


@command(conditions, "list", kind="reads")
def list_(options: Options) -> Result:
    """List every Condition of the campaign's games and plugins: who has it, and how it ends.

    Example: `strike condition list`
    """
    with options.open_campaign() as campaign:
        book = campaign.book
        held = _condition_holders(campaign)
        blocks: list[Block] = []
        data = []
        known = _condition_ids_of_games(campaign, held)
        for severity in (*SEVERITIES, *book.severities):
            rows: list[list[Span]] = []
            for key in known:
                item = book.conditions[key]
                if item["severity"] != severity:
                    continue
                data.append(
                    {
                        "id": key,
                        "name": item["name"],
                        "severity": severity,
                        "summary": item["summary"],
                        "recovery": item.get("recovery"),
                        "held_by": [person for person, _ in held.get(key, ())],
                    }
                )
                names = [name for _, name in held.get(key, ())]
                who_has: Span = (listed(names), "name") if names else ("-", "dim")
                rows.append(
                    [
                        (item["name"], STYLES.get(severity, "warn")),
                        (key, "command"),
                        who_has,
                        recovery_words(item),
                    ]
                )
            if rows:
                name = severity_name(book, severity)
                blocks += [
                    (f"{name[:1].upper()}{name[1:]} Conditions", "title"),
                    Table(["Name", "Id", "Who", "Ends with"], rows),
                    "",
                ]
        if data:
            shown = data[0]["id"]
            blocks.append([("To see one: ", "dim"), (f"strike content show {shown}", "command")])
        else:
            blocks.append(("No Conditions: the game that this campaign plays has none.", "dim"))
        return Result("condition list", {"conditions": data}, blocks, notices=campaign.notices)


def _condition_holders(campaign: Campaign) -> dict[str, list[tuple[str, str]]]:
    """Return the holders of each Condition, by the Condition's id.

    A holder is given as a pair of id and name. If the holder has several instances, their number follows the
    name: `Vex ×2`.
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.characters_and_names import display_name

    world = World(campaign.book, campaign.state)
    held: dict[str, list[tuple[str, str]]] = {}
    everybody = {**character_changes_in(campaign.state), **changes_of_others_and_sides_in(campaign.state)}
    for person, own in everybody.items():
        for key, count in Counter(own.get("conditions", [])).items():
            name = display_name(world, person)
            held.setdefault(key, []).append((person, f"{name} ×{count}" if count > 1 else name))
    return held


def _condition_ids_of_games(campaign: Campaign, held: Collection[str]) -> list[str]:
    """Return the ids of the Conditions that belong to the games of the campaign.

    The Conditions of Strike! are included if Strike! is one of these games. Otherwise only those are included
    that somebody has now. `held` are the Conditions that somebody has.
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.terminal.sheet_and_party_views import is_listed_in_campaign_or_no_list

    book = campaign.book
    if is_listed_in_campaign_or_no_list(World(book, campaign.state), "core"):
        return list(book.conditions)
    return [
        key
        for key in book.conditions
        if ":" not in key or key.partition(":")[0] in book.systems or key in held
    ]


@plays(app, "recover", "recover", kind="writes")
def recover(
    who: Anybody,
    condition: Held,
    rest: Annotated[
        str,
        typer.Option(
            "--rest",
            metavar=choice_metavar(*TIMES),
            help="The length of their rest, or of frugal work; `long` is a long rest somewhere safe.",
        ),
        WordParser(_check_length_of_rest),
    ] = "",
    doctor: Annotated[bool, typer.Option("--doctor", help="They had a doctor's aid.")] = False,
    succeeded: Annotated[
        bool, typer.Option("--succeeded", help="They succeeded with a Skill that it affects.")
    ] = False,
    cause_met: Annotated[
        bool, typer.Option("--cause-met", help="They defeated its cause, or backed down from it.")
    ] = False,
    met: Annotated[
        list[str] | None,
        typer.Option("--met", metavar="TEXT", help="Another need, in the condition's words."),
    ] = None,
) -> None:
    """End a condition by the rules, once its terms are met (STR-CORE-13, 29).

    If the terms aren't met, the refusal lists them. Winded: ten minutes and a drink. Exhausted: a long rest
    somewhere safe. Angry: time to cool off, and no other Minor Condition. Injured and Sick: a doctor's aid,
    and a full day for each. A longer rest than needed will do, too. `strike condition list` shows the terms
    of the other conditions.

    Example: `strike recover vex winded --rest minutes`
    """


def _check_length_of_rest(call: Call, rest: str) -> str:
    if rest not in TIMES:
        raise Usage(f"--rest: {rest!r} is not one of {listed(TIMES)}.{did_you_mean(rest, TIMES)}")
    return rest


def _remaining_condition_blocks(campaign: Campaign | None, performed: PerformedCommand) -> Iterator[Block]:
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.characters_and_names import display_name

    assert campaign is not None
    book = campaign.book
    rested = cast("RestData | None", performed.data)
    for person, held in rested["left"].items() if rested else ():
        found = map(book.conditions.__getitem__, dict.fromkeys(held))
        ways = (f"{each['name']} ({recovery_words(each)})" for each in found)
        name = display_name(World(book, campaign.state), person)
        yield [(f"{name} still: ", "dim"), listed(ways)]


@plays(app, "rest", "rest", kind="writes", show=_remaining_condition_blocks)
def rest_(
    call: Call,
    rest: Annotated[
        str,
        typer.Argument(metavar=choice_metavar(*TIMES), help="The length of the rest."),
        WordParser(lambda call, word: find_word(word, TIMES, "rest")),
    ],
    who: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WHO]...", help="Names. Default: the whole party."),
        CHARACTER.for_list(),
    ] = None,
) -> dict[str, object]:
    """Let people rest. This ends the Conditions that need only time (STR-CORE-13, 29).

    By default the whole party rests. Minutes end Winded, and then Angry if no other Minor Condition is left.
    `long` also ends Exhausted. `strike recover` ends other Conditions.

    Example: `strike rest minutes`
    """
    team = changes_of_others_and_sides_in(call.required_campaign.state).get("party", {}).get("conditions")
    first, *also = who or [*call.required_campaign.book.characters, *(["party"] if team else [])]
    return {"who": first, "also": also or None}
