"""`strike conflict show`: the state of a Team Conflict, for the game master or for players."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import World
from strike_cli.kernel.statements import clause_from_json
from strike_cli.play.legal_options import Option, legal_options_listed_by_bot
from strike_cli.problems import listed
from strike_cli.registry import load_known_system
from strike_cli.tabletop.characters_and_names import display_name, reason_words
from strike_cli.terminal.command_output import Block, Line, Result, Span, Table
from strike_cli.visibility.audiences import Audience
from strike_cli.visibility.secret_picks import scene_table_without_face_down_picks, sides_with_face_down_picks

from ..conflict_as_scene import conflict_as_scene
from ..conflict_under_way import (
    LIMITS,
    active_members,
    are_players_on_both_sides,
    chosen_actions,
    current_or_ended_conflict,
    is_team_of_players,
    other_side,
    people_without_action,
    require_conflict,
    side_in,
    side_name,
)
from ..endings import EndConflict, conflict_aftermath
from ..moves_before_dice import DeclareAction, Scout
from ..roll_modifiers import (
    ConditionOrFlaw,
    RollsOfConditionsAndFlaws,
    conditions_and_flaws_that_count,
    side_ready_to_roll,
)
from ..rule_numbers import ROLLS, SIDES

if TYPE_CHECKING:
    from ..data import AftermathData, ConflictSide

SECRET = "has chosen, in secret"


def show_conflict(world: World, gm: bool, of_side: str = "") -> Result:
    """Return the state of the conflict, as far as an audience may see it.

    With `gm`, the audience is the game master. With `of_side`, it is the players of that side. With neither,
    it is everybody. Secret choices are shown only to the game master and to the players of the side that made
    them. Raises Refused if there is no conflict.
    """
    scene = require_conflict(world, may_have_ended=True)
    over = bool(scene.get("ended"))
    audience, shown_scene = Audience(gm, of_side), conflict_as_scene("conflict", "conflict", scene)
    secret = sides_with_face_down_picks(shown_scene, audience)
    opposed = side_in(world, "theirs").get("opposition")
    steps = next_commands_with_purposes(world)
    weighs = [weight.words for weight in _conditions_and_nonsecret_flaws(world, secret)]
    after = conflict_aftermath(world) if over else None
    data: dict[str, object] = {
        **{
            key: value
            for key, value in scene_table_without_face_down_picks(shown_scene, scene, audience).items()
            if key != "rest"
        },
        "opposition": bool(opposed) if "theirs" in secret else opposed,
        "missing": []
        if over
        else [person for side in SIDES for person in people_without_action(world, side)],
        "weighs": weighs,
        "aftermath": after,
        "next": [step for step, _ in steps],
    }
    when = "over" if over else f"round {scene['round']}"
    blocks: list[Block] = [(f"{scene['name']}: {when}", "title"), _sides_table(world, secret)]
    if not over:
        blocks.append(_actions_table(world, secret))
        if weighs:
            blocks.append(f"Modifiers of a roll: {listed(weighs)}.")
    else:
        blocks += strikes_and_aftermath_lines(None, after)
    for step, why in steps:
        blocks.append([("  ", ""), (step, "command"), (f"  {why}", "dim")])
    return Result("conflict show", data, blocks)


def _conditions_and_nonsecret_flaws(world: World, secret_sides: Collection[str]) -> list[ConditionOrFlaw]:
    """Return those Conditions and Flaws against either side that may be shown.

    Flaws of a side with secret choices (`secret_sides`) are left out, since they would reveal which Skills
    and items are in use.
    """
    found = [(side, weight) for side in SIDES for weight in conditions_and_flaws_that_count(world, side)]
    return [weight for side, weight in found if side not in secret_sides or weight.kind != "flaw"]


def _sides_table(world: World, secret: Collection[str]) -> Table:
    rows: list[list[Span]] = []
    told = [_side_texts(world, side, side in secret) for side in SIDES]
    for heading in told[0]:
        cells = [one[heading] or "-" for one in told]
        if cells != ["-", "-"] and cells != ["none", "none"]:
            rows.append([(heading, "dim"), *cells])
    return Table(["", *(side_name(world, side) for side in SIDES)], rows)


def _side_texts(world: World, side: str, hidden: bool) -> dict[str, str]:
    """Return the texts about a side, by heading.

    `hidden` is whether the side's choices are secret. Then a team's modifiers and the faces of scouted dice
    are left out.
    """
    own = side_in(world, side)
    return {
        "Wants": own["intent"],
        "Strikes": _strikes_and_due_hits_words(own),
        "Has": _numbers_or_modifier_sums_words(world, side, hidden),
        "Traits": listed(own["traits"]),
        "Lost": ", ".join(own.get("lost_traits", [])),
        "Scouted": _scouted_and_left_to_scout_words(own, hidden),
        "Bonuses": "; ".join(_bonus_words(world, own)),
        "Stocked": ", ".join(f"{LIMITS['stock']:+d} {when} rolling" for when in own.get("stock", [])),
    }


def _strikes_and_due_hits_words(side: ConflictSide) -> str:
    stay, due = side.get("irremovable", 0), side.get("hits_due", 0)
    return (
        str(side["strikes"])
        + (f" ({stay} to stay)" if stay else "")
        + (f", and {due} Hit{'s' * (due > 1)} to decide" if due else "")
    )


def _numbers_or_modifier_sums_words(world: World, side: str, choices_hidden: bool) -> str:
    """Return the numbers of a side in words.

    For an opposition, these are its own numbers. For a team of players, these are the sums of its modifiers
    so far. For a team, the text is "" if `choices_hidden` is true or if nobody has chosen an action.
    """
    if not is_team_of_players(world, side):
        return ", ".join(f"{which.capitalize()} {side_in(world, side)[which]}" for which in ROLLS)
    if choices_hidden or not chosen_actions(world, side):
        return ""
    side_ = side_ready_to_roll(world, side, RollsOfConditionsAndFlaws(), {}, {})
    sums = {which: sum(item.value for item in side_.modifiers[which]) for which in ROLLS}
    return ", ".join(f"{which.capitalize()} {value:+d}" for which, value in sums.items())


def _scouted_and_left_to_scout_words(side: ConflictSide, hidden: bool) -> str:
    known = [
        f"their {which.capitalize()} die {'is known' if hidden else f'will be {face}'}"
        for which, face in side.get("scouted", {}).items()
    ]
    left = side.get("scouts", 0)
    return "; ".join(known + ([f"{left} to scout"] if left else []))


def _bonus_words(world: World, side: ConflictSide) -> list[str]:
    now = current_or_ended_conflict(world)["round"]
    found = []
    for bonus in side.get("bonuses", []):
        first = max(bonus["first"], now)
        when = "now" if first == now else f"round {first}"
        values = [f"{bonus[which]:+d} {which.capitalize()}" for which in ROLLS if which in bonus]
        found += [
            f"{value} {when}, {reason_words(world, clause_from_json(bonus['why']))}" for value in values
        ]
    return found


def _actions_table(world: World, secret: Collection[str]) -> Table:
    """Return a table of everybody's action in this round; those who haven't chosen one are included."""
    rows: list[list[Span]] = []
    for side in SIDES:
        own = {one.who: one for one in chosen_actions(world, side)}
        hidden = side in secret
        people = side_in(world, side)["team"] or [""]
        for person in people:
            name = display_name(world, person) if person else side_name(world, side)
            action: Span = ("has not chosen", "warn")
            if person in own:
                action = (SECRET, "dim") if hidden else own[person].words
            elif person and person not in active_members(world, side):
                action = ("has withdrawn", "dim")
            skill = "" if hidden or person not in own else own[person].item.get("skill", "")
            rows.append([(name, "name"), action, skill])
    return Table(["Who", "Action", "Skill"], rows)


def next_commands_with_purposes(world: World) -> list[tuple[str, str]]:
    """Return the commands that may be played next, each with its purpose.

    If something must be decided first, such as an open decision or a Hit, only the command for it is
    returned. Otherwise there is at most one command for each kind and side.
    """
    if world.get("pending.conflict"):
        return [("strike choose OPTION", "a decision is open")]
    found: dict[tuple[str, str], list[Option]] = {}
    for option in legal_options_listed_by_bot(load_known_system("conflict"), world):
        found.setdefault((option.command, getattr(option.args, "side", "") or "ours"), []).append(option)
    hits = [key for key in found if key[0] == "conflict hit"]
    gone = [key for key in found if key[0] == "conflict concede" and not active_members(world, key[1])]
    steps = (_next_command_and_purpose(world, *key, found[key]) for key in hits[:1] or gone[:1] or found)
    return [(f"strike conflict {typed}", why) for typed, why in steps if typed]


def _next_command_and_purpose(
    world: World, command: str, side: str, options: list[Option]
) -> tuple[str, str]:
    """Return the words to type for a command, and the purpose of the command.

    `options` are the legal options of the command `command` for the side. If the command needs no mention,
    both texts are "".
    """
    theirs = " --theirs" if side == "theirs" else ""
    match command:
        case "conflict hit":
            words = "|".join(option.typed[-1] for option in options)
            return f"hit {side} {words}", f"{side_name(world, other_side(side))} decides"
        case "conflict avert":
            return "avert WHO", "an Action Point, and it goes on"
        case "conflict end":
            undecided = options[0].given(EndConflict).undecided
            return str(options[0]), "if it ends here" if undecided else "brings the aftermath"
        case "conflict scout":
            words = "|".join(option.given(Scout).which for option in options)
            return f"scout {words}{theirs}", f"for {side_name(world, side)}, before they act"
        case "conflict prep":
            return "prep WHO ACTION", "before the first round"
        case "conflict oppose":
            return "oppose ACTION", "in secret"
        case "conflict act":
            people = list(dict.fromkeys(option.given(DeclareAction).who for option in options))
            names = listed(display_name(world, person) for person in people)
            return f"act {people[0] if len(people) == 1 else 'WHO'} ACTION", names
        case "conflict roll":
            weighs = _conditions_and_nonsecret_flaws(world, SIDES if are_players_on_both_sides(world) else ())
            return "roll", f"everybody has chosen{'; --weigh defense moves modifiers' if weighs else ''}"
        case "conflict concede":
            left = active_members(world, side)
            return (
                f"concede{theirs}",
                "if all agree" if left else f"nobody of {side_name(world, side)} is left",
            )
    return "", ""


def strikes_and_aftermath_lines(
    strikes: Mapping[str, int] | None, aftermath: AftermathData | None
) -> list[Line]:
    """Return the lines that follow a command's report: the sides' Strikes, and the aftermath.

    What is None is left out. After the aftermath, a line names the command that plays it.
    """
    lines: list[Line] = []
    if strikes:
        lines.append((f"Strikes: ours {strikes['ours']}, theirs {strikes['theirs']}", "dim"))
    if aftermath:
        gains = [
            f"{person} a {severity.capitalize()} Condition"
            for person, severity in aftermath["conditions"].items()
        ]
        owed = [f"{one.capitalize()} Concession" for one in aftermath["concessions"]]
        owed += [f"personal Concession ({person})" for person in aftermath["personal"]]
        owed += ["the losers choose from their list"] if aftermath["loser_options"] else []
        lines.append(f"Aftermath: {listed([*gains, *owed])}.")
        lines.append([("It comes with ", "dim"), ("strike conflict end", "command")])
    return lines
