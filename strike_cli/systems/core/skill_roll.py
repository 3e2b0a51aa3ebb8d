"""Skill Rolls, with helpers, Costs, learning and Linked Rolls (STR-CORE-03 to 09, 15, 19, 20)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from strike_cli.kernel.procedure import Args, Choose, Procedure, Roll, Sets, World
from strike_cli.kernel.statements import OTHER, Clause
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    KEPT,
    LEARNING,
    PLAIN,
    Modifier,
    Rolled,
    Source,
    ask_die,
    in_any_order,
    may_learn,
    mode_of,
)
from strike_cli.tabletop.people import (
    display_name,
    fallback_of,
    has_skill,
    must_have_points,
    skill_of,
    skills_of,
    slug,
    state_of,
)

from .circumstances import (
    Attempt,
    Bearing,
    Matters,
    bank_modifier,
    find_reasons,
    must_have_another,
    pay_for_roll,
    spend_banked,
    tags_of,
)
from .conditions import counts_as, gain_condition, regain_confidence
from .facts.costs import BonusTaken, CostCondition, CostInWords, CostKind, CostToPay
from .facts.points import FallBackOn, LearnSkill, SkillLearned
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
from .flaws_and_favors import cost_decides, gain_favor, gain_flaw
from .numbers import numbers, skill_tags
from .points import fun_once, may_fall_back, use_fallback

if TYPE_CHECKING:
    from .data import FallbackDue, HelpTold, LastRoll, OutcomeRow, SkillData, SkillOffered


def skill_uses(world: World, person: str, skill: str) -> int:
    """Return the uses of a Skill towards a new Trick, up to the house rule `skill_uses_for_trick`."""
    return state_of(world, person).get("skill_uses", {}).get(slug(skill), 0)


def count_skill_use(world: World, person: str, skill: str) -> dict[str, int]:
    """Return the change of the state that counts one use of a Skill.

    Tell it with the roll's fact (STR-CORE-32). It is empty without a book, for a Skill that isn't the
    person's own, and once the counter has reached the house rule `skill_uses_for_trick`: it stays there until
    the Trick is taken.
    """
    if world.book is None or not skill:
        return {}
    own = {name.lower() for name in skills_of(world, person)}
    uses, most = skill_uses(world, person, skill), world.book.house["skill_uses_for_trick"]
    if skill.lower() not in own or uses >= most:
        return {}
    return {f"characters.{person}.skill_uses.{slug(skill)}": uses + 1}


S = TypeVar("S", bound="RollingSide")
UNLISTED = "unlisted_skills"
"""The state's key for Skills on nobody's sheet that were rolled Unskilled, with the first roller of each."""


def which_skill(world: World, side: S) -> Procedure[S]:
    """Return a side with its Skill settled.

    If `near` has similar Skills for a word that is on nobody's sheet, the roller is asked. Before that, it
    raises Refused for an extra Skill that the roller hasn't got or can't pay for.
    """
    near = [skill for skill in side.near if skill not in (side.also, side.skill)]
    if not near:
        return side
    if side.also:
        must_have_another(world, side.who, side.also)
        must_have_points(world, side.who, Helps(side.also, paid=True), 1)
    options = (*near, side.skill)
    labels = (*(AsOnSheet(has_skill(world, side.who, skill)) for skill in near), MeantAsTyped())
    about = WhichSkillIsMeant(side.who, side.skill)
    answer = yield Choose(side.who, "the Skill that is meant", options, labels, about=about)
    if answer == side.skill:
        return side.but(near=())
    skilled = has_skill(world, side.who, answer)
    return side.but(skill=answer, skilled=skilled, near=(), unlisted=False)


def sets_unlisted(world: World, sides: Sequence[RollingSide]) -> dict[str, object]:
    """Return the change of the state that remembers Skills on nobody's sheet. Tell it with the roll's fact.

    They aren't asked about again.
    """
    return remember_unlisted(
        world, [(side.skill, side.who) for side in sides if side.known and side.unlisted and not side.skilled]
    )


def remember_unlisted(world: World, rolled: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Return the change of the state that remembers Skills on nobody's sheet, each with its first roller."""
    new = [{"skill": skill, "who": person} for skill, person in rolled]
    return {UNLISTED: [*unlisted_skills(world.state), *new]} if new else {}


def unlisted_skills(state: Mapping[str, object]) -> Sequence[Mapping[str, str]]:
    """Return the Skills on nobody's sheet that were rolled: each `skill`, and its first roller, `who`."""
    return cast("Sequence[Mapping[str, str]]", state.get(UNLISTED, ()))


UNSKILLED_HELP = (Source(DISADVANTAGE, UnskilledHelp()),)


class Help(Args):
    """A helper by name, and whether the helper is Skilled (STR-CORE-20)."""

    name: str
    skilled: bool


class Roller(Args):
    """The roller of a Skill.

    Nothing is stored about a roller who isn't `known`, that is no character of the campaign.
    """

    who: str
    skill: str
    skilled: bool
    known: bool


class RollingSide(Roller, Bearing):
    """Who rolls, what people have said about the roll, and who helps.

    `unlisted` is true for a Skill that is on nobody's sheet and is rolled for the first time; `near` are
    similar Skills to ask about.
    """

    helpers: Sequence[Help] = ()
    unlisted: bool = False
    near: Sequence[str] = ()

    def people(self) -> Iterable[str]:
        return [self.who] * self.known + [helper.name for helper in self.helpers]


class RollSkill(RollingSide, Attempt):
    """The arguments of a Skill Roll.

    `bank` is the later roll for which its Bonus is stored. `costs` are Costs that were decided before the
    roll, in order. `linked` is the later roll that a Linked Roll prepares, and `linked_for` its roller if
    that is somebody else.
    """

    bank: str = ""
    costs: Sequence[str] = ()
    linked: str | None = None
    linked_for: str = ""

    def people(self) -> Iterable[str]:
        """Return the roller, the helpers, and the character whose later roll this one prepares."""
        return [*super().people(), self.linked_for]

    def rests_on(self) -> Iterable[str]:
        """Return the state that the roll depends on: debts to those who are asked, and tries of the task."""
        return [*super().rests_on(), *self.tries(self.skill)]


@cache
def _rows(skilled: bool) -> tuple[OutcomeRow, ...]:
    table = numbers()["skilled" if skilled else "unskilled"]
    return tuple(table[str(face)] for face in range(1, 7))


def outcome_of(total: int, skilled: bool) -> OutcomeRow:
    """Return the row of the table for a total (STR-CORE-03). Totals are limited to 1 to 6 (STR-CORE-05)."""
    return _rows(skilled)[0 if total < 1 else 5 if total > 6 else total - 1]


class Helper(NamedTuple):
    """A helper with everything that affects the helping die.

    `banked` are the ids of the banked bonuses that it spends.
    """

    name: str
    skilled: bool
    reasons: tuple[Source, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    banked: tuple[str, ...] = ()


def total_with_help(total: int, results: Sequence[int]) -> tuple[int, list[int]]:
    """Return the total with help, and what each helper adds (STR-CORE-20).

    The lowest results come first; each adds 1 if it beats the total so far.
    """
    gains = [0] * len(results)
    for index in sorted(range(len(results)), key=results.__getitem__):
        if results[index] > total:
            gains[index] = 1
            total += 1
    return total, gains


class SkillRoll:
    """The result of a Skill Roll: `helps` are the helpers' rolls in order, and `gains` what each adds."""

    __slots__ = ("gains", "helps", "roll", "row", "skilled", "total")

    def __init__(
        self, roll: Rolled, skilled: bool, total: int, helps: Sequence[Rolled] = (), gains: Sequence[int] = ()
    ) -> None:
        self.roll = roll
        self.skilled = skilled
        self.helps = helps
        self.gains = gains
        self.total = total
        self.row = outcome_of(total, skilled)

    @property
    def can_learn(self) -> bool:
        """Whether the dice offer the Skill to an Unskilled roller (STR-CORE-06)."""
        return not self.skilled and may_learn(self.roll.faces)


def skill_roll(
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
    mode, question = ask_die(person, purpose, reasons, matters=None if skilled else LEARNING)
    roll = Rolled(person, purpose, (yield question), mode, reasons, modifiers)
    if not helpers:
        return SkillRoll(roll, skilled, roll.total)
    total, helps, gains = yield from help_with(roll.total, helpers)
    return SkillRoll(roll, skilled, total, helps, gains)


def help_with(
    total: int, helpers: tuple[Helper, ...]
) -> Procedure[tuple[int, Sequence[Rolled], Sequence[int]]]:
    """Roll the helpers' dice for a roll of any kind (STR-CORE-20).

    Returns the total with help, the helpers' rolls in the order in which they were named, and what each adds.
    """
    helps: list[Rolled] = []
    for question, group in _questions_to(helpers):
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
    """Return the reasons on a helper's die: the helper's own, and Disadvantage if Unskilled (STR-CORE-20)."""
    return helper.reasons if helper.skilled else (*UNSKILLED_HELP, *helper.reasons)


@lru_cache(maxsize=64)
def _questions_to(helpers: tuple[Helper, ...]) -> list[tuple[Roll, tuple[Helper, ...]]]:
    """Return the requests for the helpers' dice, in order.

    Consecutive helpers with one plain die each roll together, since it doesn't matter to the total which die
    is whose.
    """
    questions: list[tuple[Roll, tuple[Helper, ...]]] = []
    for plain, group in groupby(helpers, key=lambda one: not help_reasons(one) and not one.modifiers):
        together = tuple(group)
        if plain:
            names = ", ".join(one.name for one in together)
            questions.append((Roll(len(together), 6, "help", names, in_any_order), together))
        else:
            questions += [(_question_to(one), (one,)) for one in together]
    return questions


def _question_to(helper: Helper) -> Roll:
    mode = mode_of(help_reasons(helper)) if help_reasons(helper) else PLAIN
    if mode == PLAIN:
        return Roll(1, 6, "help", helper.name)
    return Roll(2, 6, "help", helper.name, KEPT[mode])


class ReadySide(NamedTuple):
    """A side with everything that affects its roll, and its helpers."""

    side: RollingSide
    matters: Matters
    helpers: tuple[Helper, ...]


def ready_side(world: World, side: RollingSide, kind: str = "skill") -> ReadySide:
    """Return a side with everything that affects its roll now, for play and odds."""
    return ReadySide(side, find_reasons(world, side.who, kind, side.skill, side), helpers_of(world, side))


def helpers_of(world: World, side: RollingSide) -> tuple[Helper, ...]:
    """Return the helpers of a side, each with everything that affects the helping die."""
    return tuple(helper_of(world, one.name, one.skilled, side.skill, side) for one in side.helpers)


def helper_of(world: World, name: str, skilled: bool, skill: str, said: Bearing) -> Helper:
    """Return a helper with everything that affects the helping die now."""
    own = find_reasons(world, name, "help", skill, said.for_helper(name))
    return Helper(name, skilled, tuple(own.sources), tuple(own.modifiers), tuple(own.banked))


def pay_for_all(world: World, person: str, matters: Matters, helpers: Sequence[Helper]) -> Procedure[None]:
    """Spend what a roll uses up, for the roller and every helper, before the dice.

    A helper's banked bonus counts once, on the helping die (STR-CORE-20).
    """
    yield from pay_for_roll(world, person, matters)
    for one in helpers:
        yield from spend_banked(world, one.name, one.banked)


def play_skill(world: World, args: RollSkill) -> Procedure[SkillData]:
    """Play `roll skill` and `roll linked`: the roll and everything that follows from it.

    Raises Refused if a Linked Roll prepares a roll of somebody who is no character, if the task was tried
    before, or if the roll's price can't be paid.
    """
    if args.known and args.linked_for and args.linked_for not in world.book.characters:
        raise Refused(
            f"A character's sheet keeps the later roll, and {args.linked_for!r} has none.",
            f"`--for-who` is one of {listed(world.book.characters)}.",
        )
    args = yield from which_skill(world, args)
    person, skill, known = args.who, args.skill, args.known
    yield from fun_once(world, person, args.task or skill, args.intent, args.changed)
    _, matters, helpers = ready_side(world, args)
    yield from pay_for_all(world, person, matters, helpers)
    result = yield from skill_roll(person, skill, args.skilled, matters.sources, matters.modifiers, helpers)
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
        "can_learn": can_learn(world, args, result),
    }
    named = skill_of(world, person, skill) if skill else None
    helps, row = helped_with(result.helps, result.gains), result.row
    came = row["outcome"], row["bonus"], row["costs"]
    yield world.tell(
        SkillRolled(person, result.roll, args.skilled, helps, *came, named),
        _last_roll(world, args, data) if known else {},
    )
    if known:
        yield from _play_consequences(world, args, data)
    elif args.linked is not None:
        data["grants"] = ADVANTAGE if data["outcome"] == "success" else None
    return data


def _last_roll(world: World, args: RollSkill, data: SkillData) -> Sets:
    """Return the changes of the state that record a roll as the character's last."""
    last: LastRoll = {"skill": args.skill, "outcome": data["outcome"], "costs": data["costs"]}
    if args.linked:
        last["linked"] = args.linked
    if args.linked_for:
        last["linked_for"] = args.linked_for
    uses = count_skill_use(world, args.who, args.skill)
    return {f"characters.{args.who}.last_roll": last, **uses, **sets_unlisted(world, [args])}


def _play_consequences(world: World, args: RollSkill, data: SkillData) -> Procedure[None]:
    """Play what follows from the roll of a character of the campaign."""
    person, skill = args.who, args.skill
    if data["outcome"] == "twist" and may_fall_back(world, person):
        yield from offer_fallback(world, data, skill)
    if data["outcome"] == "success":
        yield from regain_confidence(world, person, skill)
    if data["can_learn"] and skill:
        yield from offer_learning(world, data)
    if data["bonus"] and args.bank:
        yield from bank_modifier(world, person, ADVANTAGE, args.bank, f"Bonus of {skill or 'a roll'}")
        data["banked"] = args.bank
    owed = yield from _costs(world, args, data)
    if args.linked is not None:
        # The effect of a Linked Roll on the later roll (STR-CORE-19)
        grants = [ADVANTAGE] * (data["outcome"] == "success") + [DISADVANTAGE] * ("later" in owed)
        for gives in grants:
            yield from prepare_later(world, args.who, args.skill, gives, args.linked or "", args.linked_for)
        data["grants"] = "both" if len(grants) == 2 else next(iter(grants), None)


def helps_as_json(helps: Sequence[Rolled], gains: Sequence[int]) -> list[HelpTold]:
    """Return the helpers' rolls and what each adds, as `--json` and the journal have them."""
    return [
        {"name": roll.who, "roll": roll.as_json(), "added": gain}
        for roll, gain in zip(helps, gains, strict=True)
    ]


def helped_with(helps: Sequence[Rolled], gains: Sequence[int], side: str = "") -> list[HelpedWith]:
    """Return the helpers' rolls and what each adds, for a fact."""
    return [HelpedWith(roll.who, roll, gain, side) for roll, gain in zip(helps, gains, strict=True)]


def can_learn(world: World, args: RollingSide, result: SkillRoll) -> bool:
    """Return whether a roll offers the Skill: a 6 by a roller who hasn't got it (STR-CORE-06)."""
    return result.can_learn and not (args.known and has_skill(world, args.who, args.skill))


def offer_fallback(world: World, data: FallbackDue, skill: str = "") -> Procedure[None]:
    """Ask whether to use the Fallback, which turns the Twist into a Success, once a session (STR-CORE-31)."""
    person = data["who"]
    named = skill_of(world, person, skill) if skill else None
    about = FallBackOn(person, named, fallback_of(world, person), data["costs"])
    if (yield Choose(person, "fallback", ("keep", "use"), data=data, about=about)) == "use":
        yield from use_fallback(world, person, data, skill)


def _costs(world: World, args: RollSkill, data: SkillData) -> Procedure[list[str]]:
    """Pay each Cost, for the roller and for every helper (STR-CORE-09, 20).

    Returns the kinds that were chosen. The game master assigns them, or by the house rule `costs` the payer
    does. Costs that were decided before the roll come first, in order.
    """
    if not data["costs"]:
        return []
    person, skill = data["who"], data["skill"]
    helpers = [helper.name for helper in args.helpers if helper.name in world.book.characters]
    given, named = list(args.costs), skill_of(world, person, skill) if skill else None
    tags = tags_of(world, person, skill, args.tags)
    decided = []
    owed_to = ""
    for number, payer in enumerate((*[person] * data["costs"], *helpers), 1):
        kinds = cost_kinds(
            world, tags, linked=args.linked is not None and payer == person, bound=bool(owed_to)
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
                decides=cost_decides(world),
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
            yield from gain_condition(world, payer, found, CostOf(named), [skill] if skill else [])
    return decided


def cost_kinds(
    world: World, tags: frozenset[str], linked: bool = False, bound: bool = False
) -> dict[str, Clause]:
    """Return the possible kinds of a Cost with their words, the likeliest first (STR-CORE-09).

    `bound` is whether a Favor is owed for this roll already, so that a helper is likely to owe one, too
    (STR-CORE-20).
    """
    table = skill_tags()["conditions"]
    suggested = [key for tag, key in table.items() if tag in tags]
    severe = {"minor": 0, "major": 1}
    graver = {key: counts_as(world.book, item) for key, item in world.book.conditions.items()}
    rest = [key for key, severity in graver.items() if severity in severe]
    rest.sort(key=lambda key: severe[graver[key]])
    conditions: dict[str, Clause] = {}
    for key in [*suggested, *rest]:
        severity = str(world.book.conditions[key]["severity"])
        conditions[key.rpartition(":")[2]] = CostCondition(key, severity)
    others: dict[str, Clause] = {
        cost: CostKind(cost) for cost in ("flaw", "favor", OTHER, *["later"] * linked)
    }
    first = "favor" if bound or "persuading" in tags else "flaw" if "making" in tags else ""
    kinds = {first: others.pop(first)} if first else {}
    return {**kinds, **conditions, **others, "waive": CostKind("waive")}


def prepare_later(
    world: World, person: str, skill: str, gives: str, later: str, whose: str = ""
) -> Procedure[None]:
    """Store what a Linked Roll gives the later roll, which may be another person's (STR-CORE-19)."""
    why = f"{display_name(world, person)}'s {skill or 'preparation'}"
    yield from bank_modifier(world, whose or person, gives, later, why)


def offer_learning(world: World, data: SkillOffered) -> Procedure[None]:
    """Ask whether to learn the Skill in place of a Bonus, after a 6 on an Unskilled roll (STR-CORE-06)."""
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
            SkillLearned(person, skill), {path: [*state_of(world, person).get("skills_learned", []), skill]}
        )


def outcome_words(row: OutcomeRow) -> str:
    """Return an outcome in the game's words: `Success with a Bonus`, `Twist with a Cost`."""
    words = str(row["outcome"]).capitalize()
    extras = (["a Bonus"] if row["bonus"] else []) + (
        ["a Cost"] if row["costs"] == 1 else [f"{row['costs']} Costs"] if row["costs"] else []
    )
    return words + (" with " + " and ".join(extras) if extras else "")
