"""`strike roll`: Skill Rolls, with or without a campaign."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from strike_cli.command_line_splitting import quote_word_if_needed
from strike_cli.problems import Refused, Usage, listed
from strike_cli.tabletop.characters_and_names import character_changes_in
from strike_cli.tabletop.dice_notation import begins_like_dice
from strike_cli.terminal.argument_completions import WHO, choice_metavar
from strike_cli.terminal.commands_and_options import new_app
from strike_cli.terminal.invocation import ASK
from strike_cli.terminal.move_commands import Call, ParametersOf, WordParser, plays
from strike_cli.terminal.name_lookup import (
    ARTICLE,
    find_character_by_name_or_player,
    find_id_by_name,
    find_id_if_any,
)
from strike_cli.terminal.roll_and_chart_options import Adv, Dis, Mod

from ..skill_roll import unlisted_skills
from . import argument_completions
from .argument_completions import Changed as Changed
from .argument_completions import Intent as Intent
from .argument_completions import Use as Use

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

    from ..data import HelperTyped, SkillArgs, SkillWords


INFLECTION_ENDINGS = ("ings", "ing", "ers", "er", "ed", "es", "s")
"""Endings of inflected words, the longest first."""
SHORTEST_STEM = 3
"""The fewest letters that a stem may have."""
INSIGNIFICANT_WORDS = frozenset(["a", "an", "and", "at", "for", "in", "of", "on", "the", "to", "with"])
MOST_JOINED_WORDS = 4
"""The most words of a Skill's name that may be typed as one word."""
LEAST_TYPO_SIMILARITY = 0.72
"""How similar the stems of two names must be, at most 1, for one to count as a typo of the other."""


@cache
def stems_of_significant_words(text: str) -> tuple[str, ...]:
    """Return the stems of the significant words in a text: `read` and `fac` for "Reading the Faces"."""
    words = text.lower().replace("-", " ").replace("'", "").split()
    return tuple(_stem(word) for word in words if word not in INSIGNIFICANT_WORDS) or tuple(words)


def _stem(word: str) -> str:
    end = next(
        (end for end in INFLECTION_ENDINGS if word.endswith(end) and len(word) - len(end) >= SHORTEST_STEM),
        "",
    )
    word = word.removesuffix(end).removesuffix("e") if len(word) > SHORTEST_STEM else word
    return word[:-1] if len(word) > SHORTEST_STEM and word[-1] == word[-2] else word


def find_skill(typed: str, known: Collection[str]) -> str | None:
    """Return the Skill in `known` that a typed text means, or None if it means none.

    Raises Usage if several Skills match.
    """
    same = next((name for name in known if name.lower() == typed.strip().lower()), None)
    found = same or find_id_if_any(typed, {name: name for name in known})
    if found is not None:
        return found
    asked = stems_of_significant_words(typed)
    alike = [name for name in known if sorted(stems_of_significant_words(name)) == sorted(asked)]
    alike = alike or [name for name in known if _is_compound(asked, stems_of_significant_words(name))]
    alike = alike or [name for name in known if asked and set(asked) <= set(stems_of_significant_words(name))]
    if len(alike) > 1:
        from strike_cli.refusals import AmbiguousWord

        raise AmbiguousWord(repr(typed), listed(alike), "Give more of the name.")
    return alike[0] if alike else None


def _is_compound(first_stems: tuple[str, ...], second_stems: tuple[str, ...]) -> bool:
    """Return whether one of two Skill names is a single word made of the words of the other name."""
    few, many = sorted((first_stems, second_stems), key=len)
    if len(few) != 1 or not 1 < len(many) <= MOST_JOINED_WORDS:
        return False
    return any("".join(order) == few[0] for order in permutations(many))


def similar_skills(typed: str, known: Iterable[str]) -> list[str]:
    """Return the Skills in `known` that are similar to the typed text, the most similar first."""
    from difflib import SequenceMatcher

    asked = " ".join(sorted(stems_of_significant_words(typed)))
    alike = [
        (SequenceMatcher(None, asked, " ".join(sorted(stems_of_significant_words(name)))).ratio(), name)
        for name in known
    ]
    return [name for how, name in sorted(alike, key=lambda one: -one[0]) if how >= LEAST_TYPO_SIMILARITY]


app = new_app("""Roll dice: any dice, Skill Rolls, Opposed Rolls. All of it works without a campaign too.

    Example: `strike roll skill vex Climbing --adv "a good rope" --help-from brann`
    """)

WhoRolls = Annotated[str, typer.Argument(metavar=WHO.with_text("[WHO]"), help="A character.")]
ONE_SKILL = WordParser(lambda call, words: " ".join(words))
"""The parser for a Skill that may have several words, with or without quotes."""
Skill = Annotated[
    list[str] | None,
    typer.Argument(metavar=argument_completions.SKILL.with_text("[SKILL]"), help="The Skill to roll."),
    ONE_SKILL,
]
Skilled = Annotated[
    bool | None,
    typer.Option("--skilled/--unskilled", help="Overrides the sheet.", show_default="as on the sheet"),
]
HelpFrom = Annotated[
    list[str] | None,
    typer.Option(
        metavar=WHO.with_text("NAME[:skilled]"),
        help="A helper; add :skilled or :unskilled to set their training.",
    ),
]
HelpDice = Annotated[str | None, typer.Option(metavar="3,5", help="The helpers' physical dice.")]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        metavar=argument_completions.CONDITION_HELD,
        help="Leave out a condition, flaw, favor or bonus; odo:NAME is a helper's.",
    ),
]
Tag = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar=argument_completions.TAG, help="Its kind: physical, social, ..."),
]
Using = Annotated[str, typer.Option(metavar=argument_completions.ITEM, help="An item; its Flaws count.")]
Asking = Annotated[
    str,
    typer.Option(
        metavar=argument_completions.CREDITOR, help="The person you ask; Favors owed to them count."
    ),
]
Makeshift = Annotated[bool, typer.Option("--makeshift", help="Shoddy tools: Disadvantage.")]
NoTools = Annotated[bool, typer.Option("--no-tools", help="The tools it needs are missing.")]
Also = Annotated[
    str,
    typer.Option(
        metavar=argument_completions.SKILL, help="Another Skill of yours helps: Advantage for 1 AP."
    ),
]
New = Annotated[bool, typer.Option("--new", help="Allow a new name that looks like a typo.")]
Task = Annotated[str, typer.Option(metavar="TEXT", help="The task, for Fun once. Default: the Skill.")]
Cost = Annotated[
    list[str] | None,
    typer.Option(
        "--cost",
        metavar=argument_completions.COST,
        help="A Cost decided beforehand: winded, flaw:the rope, favor:the ferrymen, later, waive.",
    ),
]


def subcommand_of_short_odds(words: Sequence[str]) -> str:
    """Return the command that a short `odds` line means, or "" if it means none.

    If the line begins with dice, as in `odds 2d6`, the command is "die". If it has two words or more and the
    second one isn't an option, as in `odds vex climb`, the command is "skill".
    """
    if begins_like_dice(" ".join(words)):
        return "die"
    return "skill" if len(words) > 1 and not words[1].startswith("-") else ""


@plays(
    app,
    "skill",
    "roll skill",
    dice="the roller's d6 (two with Advantage or Disadvantage), then each helper's in the order named",
)
def skill(
    call: Call,
    who: WhoRolls = "",
    skill: Skill = None,
    skilled: Skilled = None,
    adv: Adv = None,
    dis: Dis = None,
    mod: Mod = None,
    help_from: HelpFrom = None,
    help_dice: HelpDice = None,
    ignore: Ignore = None,
    tags: Tag = None,
    using: Using = "",
    asking: Asking = "",
    makeshift: Makeshift = False,
    no_tools: NoTools = False,
    also: Also = "",
    use: Use = None,
    bank: Annotated[
        str, typer.Option(metavar="ROLL", help="Keep a Bonus as Advantage on this later roll.")
    ] = "",
    costs: Cost = None,
    task: Task = "",
    intent: Intent = "",
    changed: Changed = "",
    new: New = False,
) -> dict[str, object]:
    """Roll a Skill (STR-CORE-03). The result is a Success or a Twist, and may have a Bonus or a Cost.

    With Advantage or Disadvantage you roll two dice; one cancels the other. Each helper rolls, too. In order
    from the lowest die, a helper adds 1 if their die beats the total so far. An Unskilled 6 may teach the
    Skill. Conditions, flaws, favors and banked bonuses count automatically and are listed; --ignore leaves
    one out. A name without a sheet can roll, too: `roll skill stoker Brawling --skilled`.

    Example: `strike roll skill vex Climbing --adv "a good rope" --help-from brann`
    """
    return _parse_skill_roll(call)


@plays(app, "linked", "roll linked")
def linked(
    call: Call,
    who: WhoRolls = "",
    skill: Skill = None,
    for_: Annotated[
        str, typer.Option("--for", metavar="ROLL", help="The later roll that this prepares.")
    ] = "",
    for_who: Annotated[
        str, typer.Option(metavar=WHO, help="The person with the later roll, if another.")
    ] = "",
    **words: Annotated[object, ParametersOf(skill, ("bank",))],
) -> dict[str, object]:
    """Make a Linked Roll (STR-CORE-19): a Skill Roll that prepares a later roll.

    A Success gives Advantage on the later roll. If this roll has a Cost, you may answer `later` to take
    Disadvantage on the later roll in place of the Cost. If --for names a Skill, the next roll of that Skill
    uses the Advantage or Disadvantage automatically.

    Example: `strike roll linked odo Haggling --for Sneaking --for-who vex`
    """
    args = _parse_skill_roll(call)
    if args["known"] and not for_:
        raise Usage("A Linked Roll prepares a later one.", "Name it: --for ROLL, such as a Skill.")
    if for_who and call.campaign is not None:
        for_who = find_character_by_name_or_player(call.campaign, for_who)
    elif call.campaign is not None and (who := _character_by_whole_id_or_name(call.campaign, for_)):
        raise Usage(
            f"--for names the later roll; {for_!r} is a character.",
            f"`--for SKILL --for-who {who}` prepares theirs.",
        )
    return {**args, "linked": for_, **({"linked_for": for_who} if for_who else {})}


def _character_by_whole_id_or_name(campaign: Campaign, text: str) -> str:
    """Return the id of the character with this id or full name, "" if there is none."""
    sheets = campaign.book.characters.items()
    low = text.lower()
    return next((person for person, sheet in sheets if low in (person, str(sheet["name"]).lower())), "")


@plays(app, "group", "roll skill")
def group(
    call: Call,
    must: Annotated[
        str, typer.Argument(metavar=choice_metavar("all", "one"), help="The number who must succeed.")
    ],
    skill: Annotated[str, typer.Argument(metavar=argument_completions.SKILL)],
    who: Annotated[
        list[str], typer.Argument(metavar=WHO.with_text("WHO..."), help="Everybody who takes part.")
    ],
    unskilled: Annotated[
        bool, typer.Option("--unskilled", help="Allow a Skill that is on no sheet.")
    ] = False,
    costs: Cost = None,
    task: Task = "",
    intent: Intent = "",
    changed: Changed = "",
) -> dict[str, object]:
    """Roll for a group: one rolls, the others help.

    If all must succeed, the member with the worst chance rolls; if one is enough, the member with the best.
    The exact odds decide.

    Example: `strike roll group all Sneaking vex brann sela odo`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.terminal.unquoted_names import meanings_of_unquoted_names

    from .skill_roll_odds import chance_of_success

    if must not in ("all", "one"):
        raise Usage(f"{must!r}: who must succeed?", "Write `all` or `one`.")
    if len(who) < 2:
        raise Usage("A group is two or more.", "`strike roll skill` is for one.")
    world = World(call.required_campaign.book, call.required_campaign.state)
    members = [
        str(one)
        for one in meanings_of_unquoted_names(
            lambda name: find_character_or_allow_name(call.required_campaign, name)[0], who
        )
    ]
    skilled = False if unskilled else None

    def args_of_member(one: str, helpers: list[str] | None = None) -> SkillArgs:
        return skill_args(
            call.required_campaign, one, skill, skilled, help_from=helpers, may_ask=call.can_ask
        )

    placed = sorted(members, key=lambda one: chance_of_success(world, args_of_member(one)))
    roller = placed[0] if must == "all" else placed[-1]
    return {**args_of_member(roller, [one for one in members if one != roller])}


def _parse_skill_roll(call: Call) -> dict[str, object]:
    """Return the arguments of a Skill Roll from the typed words.

    The helpers' typed dice (`--help-dice`) are added to the roller's dice (`--dice`). Raises Usage if only
    the helpers' dice are typed. Raises Refused for `--no-tools`, because the Skill can't be attempted without
    its tools.
    """
    from .roll_option_name_lookup import resolve_known_names_in_roll_options

    typed = call.typed
    skilled = typed.get("skilled")
    args = skill_args(
        call.campaign,
        *move_name_words_from_skill_to_person(call.campaign, call.text_of("who"), call.text_of("skill")),
        skilled if isinstance(skilled, bool) else None,
        call.texts_of("adv"),
        call.texts_of("dis"),
        call.values_of("mod"),
        call.texts_of("help_from"),
        may_ask=call.can_ask,
        new="new" in typed,
    )
    people = [args["who"]] if args["who"] else []
    meant: Mapping[str, object] = {key: typed[key] for key in ("using", "asking", "ignore") if key in typed}
    bearing = resolve_known_names_in_roll_options(
        call.campaign, people, meant, [helper["name"] for helper in args["helpers"]]
    )
    bearing |= extra_skill_args(call.campaign, args["who"], call.text_of("also"), known=args["known"])
    if "no_tools" in typed:
        raise Refused(
            f"{args['skill'] or 'That'} can't be attempted without its tools (STR-CORE-25).",
            "With makeshift tools it can, at a Disadvantage: --makeshift.",
        )
    if "help_dice" in typed:
        if call.options.dice_text is None:
            raise Usage("--help-dice goes with --dice.", "Give the roller's dice with --dice.")
        if call.options.dice_text == ASK:
            raise Usage(f"--dice {ASK} asks for the helpers' dice, too.", "Leave --help-dice out.")
        call.options.dice_text += f",{typed['help_dice']}"
    return {**args, **bearing}


def without_empty(**values: object) -> dict[str, object]:
    """Return the keyword arguments whose values aren't empty."""
    return {key: value for key, value in values.items() if value}


def skill_args(
    campaign: Campaign | None,
    person: str,
    skill: str,
    skilled: bool | None = None,
    adv: Sequence[str] | None = None,
    dis: Sequence[str] | None = None,
    mods: Sequence[object] | None = None,
    help_from: list[str] | None = None,
    *,
    may_ask: bool = False,
    new: bool = False,
) -> SkillArgs:
    """Return the arguments of a Skill Roll.

    The names are looked up in the campaign, and the Skill on the sheet. `may_ask` is whether strike can ask
    the user about a Skill that is on nobody's sheet. `new` is whether a name that looks like a typo is
    allowed.
    """
    person, known = find_character_or_allow_name(campaign, person, improvised=skill, new=new)
    if campaign is not None and known and not skill and skilled is None:
        raise Usage(
            f"Which Skill does {campaign.book.characters[person]['name']} roll?",
            f"They have {listed(_skills_and_connections_of(campaign, person))}. "
            "--skilled or --unskilled rolls without a name.",
        )
    meant = skilled is not None
    found = (
        find_skill_or_allow_typed(campaign, person, skill, training_is_stated=meant, may_ask=may_ask)
        if known
        else TypedSkill(skill)
    )
    helpers = [parse_skill_roll_helper(campaign, text, found.name) for text in help_from or []]
    if campaign is not None:
        must_be_distinct_people(person, [helper["name"] for helper in helpers])
    return {
        "who": person,
        **found.args_without_training,
        "skilled": has_skill_as_typed(campaign, person, found.name) if skilled is None else skilled,
        "known": known,
        "adv": adv or [],
        "dis": dis or [],
        "mods": [[value, "modifier"] for value in mods or []],
        "helpers": helpers,
    }


def must_be_distinct_people(person: str, helpers: list[str]) -> None:
    """Raise Usage if a helper is the roller, or a helper is named twice (STR-CORE-20)."""
    for number, helper in enumerate(helpers):
        if helper == person:
            raise Usage(f"--help-from {helper}: nobody helps with their own roll.")
        if helper in helpers[:number]:
            raise Usage(f"--help-from {helper}: named twice; each helper rolls once.")


def move_name_words_from_skill_to_person(
    campaign: Campaign | None, person: str, skill: str
) -> tuple[str, str]:
    """Return the person's name and the Skill's name from typed words; each may have several words.

    The words are split at the end of the longest known name of a person. An article before the person's name
    is dropped, unless it belongs to the name.
    """
    words = [person, *skill.split()]
    if campaign is None or len(words) < 2:
        known = set[str]()
    elif person in campaign.book.characters:  # as most are typed: who else is there need not be asked
        known = {str(campaign.book.characters[person]["name"]).lower()}
    else:
        from strike_cli.terminal.made_up_content import names_of_everybody_by_id

        known = {name.lower() for pair in names_of_everybody_by_id(campaign).items() for name in pair}
    for end in range(len(words), 1, -1):
        if " ".join(words[:end]).lower() in known:
            return " ".join(words[:end]), " ".join(words[end:])
    if person.lower() == ARTICLE and len(words) > 2:
        return move_name_words_from_skill_to_person(campaign, words[1], " ".join(words[2:]))
    return person, skill


def find_character_or_allow_name(
    campaign: Campaign | None, name: str, hint: str = "", *, improvised: str = "", new: bool = False
) -> tuple[str, bool]:
    """Return the id of the person that a name means, and whether the campaign has that character.

    Without a campaign, any name is allowed. In a campaign, an unknown name is allowed only for a person whose
    Skill is given by `improvised`. Even then, a name that resembles a known one counts as a typo, unless
    `new` is true. Raises Usage, with `hint`, for a name that isn't allowed.
    """
    if campaign is None or not name:
        return name, False
    if name in campaign.book.characters:  # as most are typed: who else is there need not be asked
        return name, True
    from strike_cli.terminal.made_up_content import names_of_everybody_by_id

    if improvised and (new or _may_be_name_of_new_roller(campaign, name, improvised)):
        return name.strip(), False
    try:
        found = find_id_by_name(
            name, names_of_everybody_by_id(campaign), "character", f" in {campaign.book.name}"
        )
    except Usage as problem:
        hint = hint or ("--new rolls for a new name." if improvised else "")
        raise Usage(problem.message, f"{problem.hint} {hint}".strip()) from None
    return found, found in campaign.book.characters


class TypedSkill(NamedTuple):
    """A Skill that was typed for a roll.

    Attributes:
        name: The Skill, spelled as on a sheet. If it is on no sheet, it is spelled as it was typed.
        unlisted: Whether the Skill is on nobody's sheet and is rolled for the first time.
        near: Similar Skills, from which the user can be asked to choose.
    """

    name: str
    unlisted: bool = False
    near: Sequence[str] = ()

    @property
    def args_without_training(self) -> SkillWords:
        """The Skill as arguments of a roll."""
        found: SkillWords = {"skill": self.name}
        if self.unlisted:
            found["unlisted"] = True
        if self.near:
            found["near"] = list(self.near)
        return found


def find_skill_or_allow_typed(
    campaign: Campaign | None,
    person: str,
    skill: str,
    *,
    training_is_stated: bool = False,
    may_ask: bool = False,
    option: str = "--unskilled",
) -> TypedSkill:
    """Return the Skill that was typed for a roll.

    If the Skill is on the person's sheet, or on another sheet, or was rolled before, the name is spelled as
    there. Otherwise the name may be a typo:

    - With `training_is_stated`, the user has said whether the person is Skilled. The Skill is then accepted
      as typed.
    - With `may_ask`, similar Skills are returned too, so that the user can be asked.
    - Otherwise Usage is raised. The message names the `option` that makes strike accept the Skill.

    Raises Usage also if several Skills match, and if dice were typed instead of a Skill.
    """
    if campaign is None or not skill:
        return TypedSkill(skill)
    own = _skills_and_connections_of(campaign, person)
    if found := find_skill(skill, own):
        return TypedSkill(found)
    others = dict.fromkeys(
        name for each in campaign.book.characters for name in _skills_and_connections_of(campaign, each)
    )
    found = next((name for name in others if name.lower() == skill.lower()), None)
    if found is None and not training_is_stated:
        with suppress(Usage):
            found = find_skill(skill, others)
    if found is not None:
        return TypedSkill(found)
    if before := _spelling_of_first_roll_by_anyone(campaign, person, skill, own):
        return TypedSkill(before)
    if begins_like_dice(skill):
        raise Usage(
            f"{skill!r} is dice, not a Skill.", f"Dice alone: `strike roll {quote_word_if_needed(skill)}`."
        )
    if training_is_stated:
        return TypedSkill(skill, unlisted=True)
    near = similar_skills(skill, own) or similar_skills(skill, others)
    if may_ask:
        return TypedSkill(skill, unlisted=True, near=(near or own)[:MOST_SKILLS_OFFERED])
    name = campaign.book.characters[person]["name"]
    like = f" Did you mean {near[0]!r}?" if near else ""
    raise Usage(
        f"{skill!r} is on nobody's sheet.{like}",
        f"{name} has {listed(own)}. {option} rolls {skill} as typed, and strike remembers that.",
    )


MOST_SKILLS_OFFERED = 5
"""The most Skills that are offered besides the word that was typed."""


def _spelling_of_first_roll_by_anyone(
    campaign: Campaign, person: str, skill: str, own: Sequence[str]
) -> str | None:
    """Return how a Skill was spelled when it was first rolled; None if there is no such roll.

    Only Skills that are on nobody's sheet are searched. A Skill matches if it has the same words as `skill`,
    in any order and with any endings. If the person was the first to roll a matching Skill, that spelling is
    returned. A spelling by somebody else is returned only if none of the person's `own` Skills is similar to
    `skill`.
    """
    same = [
        one
        for one in unlisted_skills(campaign.state)
        if sorted(stems_of_significant_words(one["skill"])) == sorted(stems_of_significant_words(skill))
    ]
    mine = [one for one in same if one["who"] == person]
    theirs = same if same and not similar_skills(skill, own) else []
    return next((one["skill"] for one in [*mine, *theirs]), None)


def _skills_and_connections_of(campaign: Campaign, person: str) -> list[str]:
    sheet = campaign.book.characters[person]
    learned = character_changes_in(campaign.state).get(person, {}).get("skills_learned", [])
    return [*sheet["skills"], *sheet["connections"], *learned]


def extra_skill_args(
    campaign: Campaign | None, person: str, extra_skill: str, *, known: bool = True
) -> dict[str, object]:
    """Return the typed extra Skill as an argument of a roll; {} if none was typed.

    If the Skill is on the person's sheet, the sheet's spelling is returned. Otherwise the typed spelling is
    returned. The sheet isn't searched if there is no campaign, or if `known` is false. `known` is whether the
    person is one of the campaign's characters. Raises Usage if the typed Skill matches several Skills of the
    sheet.
    """
    if campaign is None or not extra_skill or not known:
        return without_empty(also=extra_skill)
    return {"also": find_skill(extra_skill, _skills_and_connections_of(campaign, person)) or extra_skill}


def has_similar_skill(campaign: Campaign | None, person: str, skill: str) -> bool:
    """Return whether a person has the typed Skill, or one with a similar name.

    It is False without a campaign.
    """
    if campaign is None or not skill:
        return False
    with suppress(Usage):  # it may be several of their Skills, so they have it
        return find_skill(skill, _skills_and_connections_of(campaign, person)) is not None
    return True


def has_skill_as_typed(campaign: Campaign | None, person: str, skill: str) -> bool:
    """Return whether a character has a Skill with the typed name; False without a campaign.

    Case makes no difference.
    """
    if campaign is None:
        return False
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.characters_and_names import has_skill

    return has_skill(World(campaign.book, campaign.state), person, skill)


def parse_skill_roll_helper(campaign: Campaign | None, text: str, skill: str) -> HelperTyped:
    """Return the helper that a text means.

    Forms of the text are `brann`, `brann:unskilled`, and `"old Tom":skilled` for a person unknown to the
    campaign. Raises Usage for any other text.
    """
    name, sign, how = text.partition(":")
    if sign and how not in ("skilled", "unskilled"):
        raise Usage(f"--help-from {text!r}: write NAME, NAME:skilled or NAME:unskilled.")
    if sign and _may_be_name_of_new_roller(campaign, name):
        return {"name": name.strip(), "skilled": how == "skilled"}
    person, known = find_character_or_allow_name(
        campaign, name, "--help-from NAME:skilled is for a new name."
    )
    skilled = how == "skilled" if sign else known and has_similar_skill(campaign, person, skill)
    return {"name": person, "skilled": skilled}


def _may_be_name_of_new_roller(campaign: Campaign | None, name: str, skill: str = "") -> bool:
    """Return whether `name` could be the name of a roller who is new to the campaign.

    The result is False if the name resembles a name in the campaign, or is a Skill. It is also False if
    `skill` is somebody's name: then the user has probably typed the two words in the wrong order. Without a
    campaign it is always False.
    """
    from strike_cli.terminal.made_up_content import is_new_name_unlike_any_known, names_of_everybody_by_id

    if campaign is None or skill.lower() in map(
        str.lower, (names := names_of_everybody_by_id(campaign)).keys() | {*names.values()}
    ):
        return False
    skills = [
        skill for person in campaign.book.characters for skill in _skills_and_connections_of(campaign, person)
    ]
    return is_new_name_unlike_any_known(campaign, name, [*skills, "opposed", "linked", "group", "wealth"])
