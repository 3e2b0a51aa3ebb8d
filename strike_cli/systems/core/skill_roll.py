"""Skill Rolls, with helpers, Costs, learning and Linked Rolls (STR-CORE-03 to 09, 15, 19, 20)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from strike_cli.kernel.procedure import Args, Choose, Procedure, Roll, Sets, World
from strike_cli.kernel.statements import OTHER, Clause
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.characters_and_names import (
    character_changes_of,
    clause_of_skill_or_typed_words,
    display_name,
    fallback_of,
    has_skill,
    require_action_points,
    skills_and_connections_of,
    slug,
)
from strike_cli.tabletop.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    KEPT,
    LEARNING,
    PLAIN,
    Modifier,
    Rolled,
    Source,
    faces_allow_learning,
    mode_of,
    roll_mode_and_dice_request,
    sorted_faces,
)

from .conditions import (
    applicable_built_in_severity,
    gain_escalate_or_keep_condition,
    recover_from_conditions_with_doubts,
)
from .facts.costs import BonusTaken, CostCondition, CostInWords, CostKind, CostToPay
from .facts.points_tricks_and_growth import FallBackOn, LearnSkill, SkillLearned
from .facts.rolls import (
    AsOnSheet,
    CostOf,
    HelpedWith,
    Helps,
    MeantAsTyped,
    SkillRolled,
    UnskilledHelp,
    WhichSkillIsMeant,
)
from .flaws_and_favors import cost_decider, gain_favor, gain_flaw
from .points_tricks_and_fallback import (
    has_unused_fallback,
    refuse_or_record_attempt_with_intent,
    use_fallback,
)
from .roll_circumstances import (
    Attempt,
    RollReasons,
    StatedCircumstances,
    bank_bonus,
    find_reasons,
    must_have_extra_skill,
    pay_for_roll,
    roll_tags_of_sheet_or_guessed,
    spend_banked_bonuses,
)
from .rule_numbers import numbers, skill_tags

if TYPE_CHECKING:
    from .data import FallbackRollData, HelperRollData, LastRoll, OutcomeRow, SkillData, SkillLearningData


def uses_towards_trick(world: World, person: str, skill: str) -> int:
    """Return how many uses of a Skill count towards a new Trick.

    The number is at most the house rule `skill_uses_for_trick`.
    """
    return character_changes_of(world, person).get("skill_uses", {}).get(slug(skill), 0)


def changes_counting_skill_use(world: World, person: str, skill: str) -> dict[str, int]:
    """Return the state change that counts one use of a Skill (STR-CORE-32).

    The caller records the change together with the roll. The result is empty if there is nothing to count.
    For example, the person doesn't have the Skill, or the count has reached the house rule
    `skill_uses_for_trick`.
    """
    if world.book is None or not skill:
        return {}
    own = {name.lower() for name in skills_and_connections_of(world, person)}
    uses, most = uses_towards_trick(world, person, skill), world.book.house["skill_uses_for_trick"]
    if skill.lower() not in own or uses >= most:
        return {}
    return {f"characters.{person}.skill_uses.{slug(skill)}": uses + 1}


S = TypeVar("S", bound="RollingSide")
UNLISTED = "unlisted_skills"
"""The state's key for Skills on nobody's sheet that were rolled Unskilled, with the first roller of each."""


def ask_which_skill_side_means(world: World, side: S) -> Procedure[S]:
    """Return the side with the Skill that the roller means, and ask the roller if that is unclear.

    It may be unclear if the typed Skill is on nobody's sheet. `side.near` then has the similar Skills. The
    roller chooses one of these or keeps the typed Skill. If there are no similar Skills, nobody is asked.

    The roller may also use an extra Skill (`side.also`), which costs an Action Point. If the roller lacks
    this Skill or the Action Point, Refused is raised before the question.
    """
    near = [skill for skill in side.near if skill not in (side.also, side.skill)]
    if not near:
        return side
    if side.also:
        must_have_extra_skill(world, side.who, side.also)
        require_action_points(world, side.who, Helps(side.also, paid=True), 1)
    options = (*near, side.skill)
    labels = (*(AsOnSheet(has_skill(world, side.who, skill)) for skill in near), MeantAsTyped())
    about = WhichSkillIsMeant(side.who, side.skill)
    answer = yield Choose(side.who, "the Skill that is meant", options, labels, about=about)
    if answer == side.skill:
        return side.but(near=())
    skilled = has_skill(world, side.who, answer)
    return side.but(skill=answer, skilled=skilled, near=(), unlisted=False)


def changes_remembering_sides_skills(world: World, sides: Sequence[RollingSide]) -> dict[str, object]:
    """Return the change of the state that remembers Skills which are on nobody's sheet.

    These are Skills that one of `sides` has rolled. The caller records the change together with the roll.
    After that, nobody is asked about these Skills again.
    """
    return changes_adding_unlisted_skills(
        world, [(side.skill, side.who) for side in sides if side.known and side.unlisted and not side.skilled]
    )


def changes_adding_unlisted_skills(
    world: World, skills_and_rollers: Sequence[tuple[str, str]]
) -> dict[str, object]:
    """Return the change of the state that stores rolled Skills that no sheet lists.

    `skills_and_rollers` has a pair for each roll: the Skill, and the person who rolled it. If
    `skills_and_rollers` is empty, nothing changes.
    """
    new = [{"skill": skill, "who": person} for skill, person in skills_and_rollers]
    return {UNLISTED: [*unlisted_skills(world.state), *new]} if new else {}


def unlisted_skills(state: Mapping[str, object]) -> Sequence[Mapping[str, str]]:
    """Return the Skills that were rolled but are on nobody's sheet.

    For each, `skill` is its name, and `who` is the person who rolled it first.
    """
    return cast("Sequence[Mapping[str, str]]", state.get(UNLISTED, ()))


UNSKILLED_HELP = (Source(DISADVANTAGE, UnskilledHelp()),)


class Help(Args):
    """A helper's name, and whether the helper is Skilled (STR-CORE-20)."""

    name: str
    skilled: bool


class Roller(Args):
    """The person who rolls a Skill, and the Skill.

    `known` is whether the roller is a character of the campaign. About anybody else, nothing is stored.
    """

    who: str
    skill: str
    skilled: bool
    known: bool


class RollingSide(Roller, StatedCircumstances):
    """The roller, the helpers, and the circumstances that the players state.

    `unlisted` is true if the Skill is on nobody's sheet and is rolled for the first time. Then `near` has
    similar Skills, and strike asks which one is meant.
    """

    helpers: Sequence[Help] = ()
    unlisted: bool = False
    near: Sequence[str] = ()

    def people(self) -> Iterable[str]:
        return [self.who] * self.known + [helper.name for helper in self.helpers]


class RollSkill(RollingSide, Attempt):
    """The arguments of a Skill Roll.

    `costs` has the Costs that were decided before the roll, in order. In a Linked Roll, `linked` is the later
    roll that this roll prepares. `linked_for` is the person who makes that later roll; "" means the roller.
    If this roll gives a Bonus, `bank` is the later roll for which the Bonus is stored.
    """

    bank: str = ""
    costs: Sequence[str] = ()
    linked: str | None = None
    linked_for: str = ""

    def people(self) -> Iterable[str]:
        """Return the roller, the helpers, and the character whose later roll this roll prepares."""
        return [*super().people(), self.linked_for]

    def rests_on(self) -> Iterable[str]:
        """Return the keys of the state on which the roll depends.

        They are the keys for debts to the people who are asked, and for earlier tries of the task.
        """
        return [*super().rests_on(), *self.attempt_dependency_keys(self.skill)]


def outcome_row(total: int, skilled: bool) -> OutcomeRow:
    """Return the row that the table of Skill Rolls has for a total (STR-CORE-03).

    A total below 1 counts as 1, and one above 6 as 6 (STR-CORE-05).
    """
    return _outcome_rows(skilled)[0 if total < 1 else 5 if total > 6 else total - 1]


@cache
def _outcome_rows(skilled: bool) -> tuple[OutcomeRow, ...]:
    table = numbers()["skilled" if skilled else "unskilled"]
    return tuple(table[str(face)] for face in range(1, 7))


class Helper(NamedTuple):
    """A helper with everything that affects the helper's die.

    `banked` are the ids of the banked bonuses that the die uses up.
    """

    name: str
    skilled: bool
    reasons: tuple[Source, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    banked: tuple[str, ...] = ()


def total_with_help(total: int, results: Sequence[int]) -> tuple[int, list[int]]:
    """Return the total with help, and what each helper adds (STR-CORE-20).

    The helpers' results are taken in order, the lowest first. Each adds 1 if it is higher than the total so
    far.
    """
    gains = [0] * len(results)
    for index in sorted(range(len(results)), key=results.__getitem__):
        if results[index] > total:
            gains[index] = 1
            total += 1
    return total, gains


class SkillRoll:
    """The result of a Skill Roll.

    `helps` are the helpers' rolls, in the order of the helpers. `gains` is what each of them adds to the
    total.
    """

    __slots__ = ("gains", "helps", "roll", "row", "skilled", "total")

    def __init__(
        self, roll: Rolled, skilled: bool, total: int, helps: Sequence[Rolled] = (), gains: Sequence[int] = ()
    ) -> None:
        self.roll = roll
        self.skilled = skilled
        self.helps = helps
        self.gains = gains
        self.total = total
        self.row = outcome_row(total, skilled)

    @property
    def dice_allow_learning(self) -> bool:
        """Whether the roller can learn the Skill by this roll (STR-CORE-06).

        This is True if the roller is Unskilled and the dice are high enough.
        """
        return not self.skilled and faces_allow_learning(self.roll.faces)


def roll_skill_and_helpers_dice(
    person: str,
    skill: str,
    skilled: bool,
    reasons: Sequence[Source] = (),
    modifiers: Sequence[Modifier] = (),
    helpers: tuple[Helper, ...] = (),
) -> Procedure[SkillRoll]:
    """Roll the dice of a Skill Roll, with helpers, and return the result."""
    purpose = f"skill: {skill}" if skill else "skill"
    # The same as `roll_die`, but without another generator: odds come here thousands of times.
    mode, question = roll_mode_and_dice_request(
        person, purpose, reasons, matters=None if skilled else LEARNING
    )
    roll = Rolled(person, purpose, (yield question), mode, reasons, modifiers)
    if not helpers:
        return SkillRoll(roll, skilled, roll.total)
    total, helps, gains = yield from roll_helpers_dice(roll.total, helpers)
    return SkillRoll(roll, skilled, total, helps, gains)


def roll_helpers_dice(
    total: int, helpers: tuple[Helper, ...]
) -> Procedure[tuple[int, Sequence[Rolled], Sequence[int]]]:
    """Roll the helpers' dice, for a Skill Roll or an Opposed Roll (STR-CORE-20).

    Returns the total with help, the helpers' rolls in the order of `helpers`, and what each adds.
    """
    helps: list[Rolled] = []
    for question, group in _dice_requests_to_helpers(helpers):
        faces = yield question
        if len(group) > 1:
            helps += [Rolled(one.name, "help", (face,)) for one, face in zip(group, faces, strict=True)]
        else:
            (one,) = group
            reasons = help_reasons(one)
            mode = mode_of(reasons) if reasons else PLAIN
            helps.append(Rolled(one.name, "help", faces, mode, reasons, one.modifiers))
    total, gains = total_with_help(total, [help_roll.total for help_roll in helps])
    return total, helps, gains


def help_reasons(helper: Helper) -> tuple[Source, ...]:
    """Return the reasons that affect a helper's die.

    For an Unskilled helper, Disadvantage is one of them (STR-CORE-20).
    """
    return helper.reasons if helper.skilled else (*UNSKILLED_HELP, *helper.reasons)


@lru_cache(maxsize=64)
def _dice_requests_to_helpers(helpers: tuple[Helper, ...]) -> list[tuple[Roll, tuple[Helper, ...]]]:
    """Return the requests for the helpers' dice, each with the helpers whose dice it asks for.

    A helper who rolls one plain die shares a request with the neighbouring helpers who do so, too. It doesn't
    matter which of these dice belongs to whom, since the total is the same.
    """
    questions: list[tuple[Roll, tuple[Helper, ...]]] = []
    for plain, group in groupby(helpers, key=lambda one: not help_reasons(one) and not one.modifiers):
        together = tuple(group)
        if plain:
            names = ", ".join(one.name for one in together)
            questions.append((Roll(len(together), 6, "help", names, sorted_faces), together))
        else:
            questions += [(_dice_request_to_helper(one), (one,)) for one in together]
    return questions


def _dice_request_to_helper(helper: Helper) -> Roll:
    mode = mode_of(help_reasons(helper)) if help_reasons(helper) else PLAIN
    if mode == PLAIN:
        return Roll(1, 6, "help", helper.name)
    return Roll(2, 6, "help", helper.name, KEPT[mode])


class ReadySide(NamedTuple):
    """A side of a roll with everything that affects it (`roll_reasons`), and its helpers."""

    side: RollingSide
    roll_reasons: RollReasons
    helpers: tuple[Helper, ...]


def prepare_side(world: World, side: RollingSide, kind: str = "skill") -> ReadySide:
    """Return a side with everything that affects its roll of this `kind` now.

    Play and the computation of odds both use the result.
    """
    return ReadySide(
        side, find_reasons(world, side.who, kind, side.skill, side), prepare_helpers(world, side)
    )


def prepare_helpers(world: World, side: RollingSide) -> tuple[Helper, ...]:
    """Return a side's helpers, each with everything that affects the helper's die."""
    return tuple(prepare_helper(world, one.name, one.skilled, side.skill, side) for one in side.helpers)


def prepare_helper(world: World, name: str, skilled: bool, skill: str, stated: StatedCircumstances) -> Helper:
    """Return a helper with the reasons, modifiers and banked bonuses that affect the helper's die."""
    own = find_reasons(world, name, "help", skill, stated.for_helper(name))
    return Helper(name, skilled, tuple(own.sources), tuple(own.modifiers), tuple(own.banked))


def pay_for_roll_and_helpers(
    world: World, person: str, reasons: RollReasons, helpers: Sequence[Helper]
) -> Procedure[None]:
    """Spend everything that a roll uses up, before the dice are rolled.

    The roller pays for the roll. Each helper spends banked bonuses, which only affect the helper's own die
    (STR-CORE-20).
    """
    yield from pay_for_roll(world, person, reasons)
    for one in helpers:
        yield from spend_banked_bonuses(world, one.name, one.banked)


def play_skill(world: World, args: RollSkill) -> Procedure[SkillData]:
    """Play `roll skill` and `roll linked`: the roll and all its consequences.

    Raises Refused, for example, if the task was attempted before and nothing has changed, or if the character
    can't pay for the roll. A Linked Roll is also refused if it prepares the roll of somebody who isn't a
    character.
    """
    if args.known and args.linked_for and args.linked_for not in world.book.characters:
        raise Refused(
            f"A character's sheet keeps the later roll, and {args.linked_for!r} has none.",
            f"`--for-who` is one of {listed(world.book.characters)}.",
        )
    args = yield from ask_which_skill_side_means(world, args)
    person, skill, known = args.who, args.skill, args.known
    yield from refuse_or_record_attempt_with_intent(
        world, person, args.task or skill, args.intent, args.changed
    )
    _, matters, helpers = prepare_side(world, args)
    yield from pay_for_roll_and_helpers(world, person, matters, helpers)
    result = yield from roll_skill_and_helpers_dice(
        person, skill, args.skilled, matters.sources, matters.modifiers, helpers
    )
    data: SkillData = {
        "who": person,
        "skill": skill,
        "skilled": args.skilled,
        "roll": result.roll.as_json(),
        "helpers": helps_as_json(result.helps, result.gains),
        "total": result.total,
        "outcome": result.row["outcome"],
        "bonus": result.row["bonus"],
        "costs": result.row["costs"],
        "can_learn": may_learn_rolled_skill(world, args, result),
    }
    named = clause_of_skill_or_typed_words(world, person, skill) if skill else None
    helps, row = help_clauses(result.helps, result.gains), result.row
    came = row["outcome"], row["bonus"], row["costs"]
    yield world.tell(
        SkillRolled(person, result.roll, args.skilled, helps, *came, named),
        _changes_remembering_roll_and_use(world, args, data) if known else {},
    )
    if known:
        yield from _play_consequences(world, args, data)
    elif args.linked is not None:
        data["grants"] = ADVANTAGE if data["outcome"] == "success" else None
    return data


def _changes_remembering_roll_and_use(world: World, args: RollSkill, data: SkillData) -> Sets:
    """Return the changes of the state that a Skill Roll makes.

    They record the person's last roll, count the use of the Skill, and remember a Skill that is on nobody's
    sheet.
    """
    last: LastRoll = {"skill": args.skill, "outcome": data["outcome"], "costs": data["costs"]}
    if args.linked:
        last["linked"] = args.linked
    if args.linked_for:
        last["linked_for"] = args.linked_for
    uses = changes_counting_skill_use(world, args.who, args.skill)
    return {
        f"characters.{args.who}.last_roll": last,
        **uses,
        **changes_remembering_sides_skills(world, [args]),
    }


def _play_consequences(world: World, args: RollSkill, data: SkillData) -> Procedure[None]:
    person, skill = args.who, args.skill
    if data["outcome"] == "twist" and has_unused_fallback(world, person):
        yield from offer_fallback_known_to_be_unused(world, data, skill)
    if data["outcome"] == "success":
        yield from recover_from_conditions_with_doubts(world, person, skill)
    if data["can_learn"] and skill:
        yield from offer_to_learn_skill_or_take_bonus(world, data)
    if data["bonus"] and args.bank:
        yield from bank_bonus(world, person, ADVANTAGE, args.bank, f"Bonus of {skill or 'a roll'}")
        data["banked"] = args.bank
    owed = yield from _choose_and_pay_costs(world, args, data)
    if args.linked is not None:
        # The effect of a Linked Roll on the later roll (STR-CORE-19)
        grants = [ADVANTAGE] * (data["outcome"] == "success") + [DISADVANTAGE] * ("later" in owed)
        for gives in grants:
            yield from bank_result_of_linked_roll(
                world, args.who, args.skill, gives, args.linked or "", args.linked_for
            )
        data["grants"] = "both" if len(grants) == 2 else next(iter(grants), None)


def helps_as_json(helps: Sequence[Rolled], gains: Sequence[int]) -> list[HelperRollData]:
    """Return the helpers' rolls as tables for `--json` and the journal.

    `helps` are the rolls, and `gains` is what each of them adds.
    """
    return [
        {"name": roll.who, "roll": roll.as_json(), "added": gain}
        for roll, gain in zip(helps, gains, strict=True)
    ]


def help_clauses(helps: Sequence[Rolled], gains: Sequence[int], side: str = "") -> list[HelpedWith]:
    """Return the helpers' rolls, and what each adds, as clauses of a fact."""
    return [HelpedWith(roll.who, roll, gain, side) for roll, gain in zip(helps, gains, strict=True)]


def may_learn_rolled_skill(world: World, args: RollingSide, result: SkillRoll) -> bool:
    """Return whether a roll lets the roller learn the Skill (STR-CORE-06).

    It does if the roller is Unskilled, lacks the Skill, and has rolled a 6.
    """
    return result.dice_allow_learning and not (args.known and has_skill(world, args.who, args.skill))


def offer_fallback_known_to_be_unused(
    world: World, data: FallbackRollData, skill: str = ""
) -> Procedure[None]:
    """Ask whether to use the Fallback, which turns the Twist in `data` into a Success (STR-CORE-31)."""
    person = data["who"]
    named = clause_of_skill_or_typed_words(world, person, skill) if skill else None
    about = FallBackOn(person, named, fallback_of(world, person), data["costs"])
    if (yield Choose(person, "fallback", ("keep", "use"), data=data, about=about)) == "use":
        yield from use_fallback(world, person, data, skill)


def _choose_and_pay_costs(world: World, args: RollSkill, data: SkillData) -> Procedure[list[str]]:
    """Pay the Costs of a roll, and return their kinds (STR-CORE-09, 20).

    Without Costs, nothing happens. Otherwise the roller pays all of them. Each helper who is a character of
    the campaign pays one more. The game master chooses each Cost; the house rule `costs` can give the choice
    to the person who pays. The Costs in `args.costs` were decided before the roll, and come first.
    """
    if not data["costs"]:
        return []
    person, skill = data["who"], data["skill"]
    helpers = [helper.name for helper in args.helpers if helper.name in world.book.characters]
    given, named = list(args.costs), clause_of_skill_or_typed_words(world, person, skill) if skill else None
    tags = roll_tags_of_sheet_or_guessed(world, person, skill, args.tags)
    decided = []
    owed_to = ""
    for number, payer in enumerate((*[person] * data["costs"], *helpers), 1):
        kinds = possible_cost_kinds_likeliest_first(
            world, tags, linked=args.linked is not None and payer == person, favor_owed=bool(owed_to)
        )
        kind, _, what = (given.pop(0) if given else "").partition(":")
        if not kind:
            about = CostToPay(payer, person, named, number, data["costs"])
            answer = yield Choose(
                payer,
                "cost",
                tuple(kinds),
                tuple(kinds.values()),
                data,
                about=about,
                decides=cost_decider(world),
            )
            kind, _, what = answer.partition(": ")
        elif kind not in kinds:
            raise Refused(f"{kind!r} is not a Cost here.", f"One of: {', '.join(kinds)}.")
        decided.append(kind)
        if kind == "flaw":
            on = what or args.using or skill or "what they were at"
            yield from gain_flaw(world, payer, on, f"from {skill or 'a roll'}")
        elif kind == "favor":
            # Helpers owe their Favors to the same party as the roller.
            owed_to = what or owed_to or args.asking or "somebody"
            yield from gain_favor(world, payer, owed_to, f"for {skill or 'a roll'}")
        elif kind == OTHER:
            yield world.tell(CostInWords(payer, what))
        elif kind not in ("waive", "later"):
            found = world.book.find("conditions", kind)
            yield from gain_escalate_or_keep_condition(
                world, payer, found, CostOf(named), [skill] if skill else []
            )
    return decided


def possible_cost_kinds_likeliest_first(
    world: World, tags: frozenset[str], linked: bool = False, favor_owed: bool = False
) -> dict[str, Clause]:
    """Return the kinds that a Cost can have, each with its words, the likeliest first (STR-CORE-09).

    `tags` are the subjects of the roll. If the roll is `linked`, a Cost may also be Disadvantage on the later
    roll. `favor_owed` is whether somebody already owes a Favor for this roll; then a helper is likely to owe
    one, too (STR-CORE-20).
    """
    table = skill_tags()["conditions"]
    suggested = [key for tag, key in table.items() if tag in tags]
    severe = {"minor": 0, "major": 1}
    graver = {
        key: applicable_built_in_severity(world.book, item) for key, item in world.book.conditions.items()
    }
    rest = [key for key, severity in graver.items() if severity in severe]
    rest.sort(key=lambda key: severe[graver[key]])
    conditions: dict[str, Clause] = {}
    for key in [*suggested, *rest]:
        severity = str(world.book.conditions[key]["severity"])
        conditions[key.rpartition(":")[2]] = CostCondition(key, severity)
    others: dict[str, Clause] = {
        cost: CostKind(cost) for cost in ("flaw", "favor", OTHER, *["later"] * linked)
    }
    first = "favor" if favor_owed or "persuading" in tags else "flaw" if "making" in tags else ""
    kinds = {first: others.pop(first)} if first else {}
    return {**kinds, **conditions, **others, "waive": CostKind("waive")}


def bank_result_of_linked_roll(
    world: World, person: str, skill: str, gives: str, later: str, whose: str = ""
) -> Procedure[None]:
    """Bank what a Linked Roll `gives`: Advantage or Disadvantage on the roll `later` (STR-CORE-19).

    `whose` is the person who makes the later roll. If it is "", the roller `person` makes it. `skill` is the
    Skill of the Linked Roll, which the reason names.
    """
    why = f"{display_name(world, person)}'s {skill or 'preparation'}"
    yield from bank_bonus(world, whose or person, gives, later, why)


def offer_to_learn_skill_or_take_bonus(world: World, data: SkillLearningData) -> Procedure[None]:
    """Ask whether a character learns the Skill of an Unskilled roll, and play the answer (STR-CORE-06).

    If the roll also gave a Bonus, the other choice is to take the Bonus. Otherwise the other choice is to
    pass.
    """
    person, skill = data["who"], data["skill"]
    other = "bonus" if data["bonus"] else "pass"
    taken = yield Choose(person, "learn", ("learn", other), data=data, about=LearnSkill(person, skill))
    data["taken"] = taken
    if taken == "bonus":
        yield world.tell(BonusTaken(person))
    elif taken == "learn":
        data["bonus"] = False
        path = f"characters.{person}.skills_learned"
        yield world.tell(
            SkillLearned(person, skill),
            {path: [*character_changes_of(world, person).get("skills_learned", []), skill]},
        )


def outcome_words(row: OutcomeRow) -> str:
    """Return an outcome in the game's words: `Success with a Bonus`, `Twist with a Cost`."""
    words = str(row["outcome"]).capitalize()
    extras = (["a Bonus"] if row["bonus"] else []) + (
        ["a Cost"] if row["costs"] == 1 else [f"{row['costs']} Costs"] if row["costs"] else []
    )
    return words + (" with " + " and ".join(extras) if extras else "")
