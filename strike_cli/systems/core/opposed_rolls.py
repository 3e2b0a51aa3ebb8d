"""Opposed Rolls: their dice and winner, broken ties, and a close loser's choice (STR-CORE-16 to 18)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.kernel.procedure import Choose, Data, Happen, Procedure, Roll, World
from strike_cli.kernel.statements import Clause
from strike_cli.tabletop.characters_and_names import has_skill
from strike_cli.tabletop.dice import (
    DISADVANTAGE,
    LEARNING,
    Rolled,
    Source,
    faces_allow_learning,
    roll_mode_and_dice_request,
)

from .conditions import recover_from_conditions_with_doubts
from .facts.rolls import (
    LOSERS_OPTIONS,
    BreakTheTie,
    HelpedWith,
    LetTieStand,
    LoseBy,
    LoserChose,
    LosersOption,
    OpposedRolled,
    OurSide,
    SideWins,
    TieBroken,
    UnskilledAgainst,
)
from .points_tricks_and_fallback import (
    complications_and_substitutes,
    refuse_or_record_attempt_with_intent,
    use_complication,
)
from .roll_circumstances import Attempt
from .rule_numbers import numbers
from .skill_roll import (
    ReadySide,
    RollingSide,
    ask_which_skill_side_means,
    changes_counting_skill_use,
    changes_remembering_sides_skills,
    help_clauses,
    helps_as_json,
    offer_to_learn_skill_or_take_bonus,
    pay_for_roll_and_helpers,
    prepare_side,
    roll_helpers_dice,
)

if TYPE_CHECKING:
    from .data import LosersChoiceData, OpposedData, OpposedNumbers, OpposedSkillLearningData

UNSKILLED_AGAINST = (Source(DISADVANTAGE, UnskilledAgainst()),)


def loser_option_ids() -> list[str]:
    """Return the ids of the options that the loser of a close roll has, to spoil the win."""
    return list(LOSERS_OPTIONS)


def is_complete_win(margin: int) -> bool:
    """Return whether a win by `margin` is complete, so that the loser has nothing to choose."""
    return margin >= _opposed_rules()["complete_margin"]


@cache
def _opposed_rules() -> OpposedNumbers:
    return numbers()["opposed"]


class Oppose(Attempt):
    """The arguments of `roll opposed`: both sides, `ours` and `theirs`. `who` is the roller on our side."""

    who: str
    ours: RollingSide
    theirs: RollingSide

    @property
    def sides(self) -> dict[str, RollingSide]:
        """The arguments of both sides, as `ours` and `theirs`."""
        return {"ours": self.ours, "theirs": self.theirs}

    def people(self) -> Iterable[str]:
        return [*self.ours.people(), *self.theirs.people()]

    def rests_on(self) -> Iterable[str]:
        """Return the keys of the state on which the roll depends.

        If a side asks a person or party for something, there is a key for Favors owed to that person or
        party. If the roll is an attempt at a task with an intent, there is a key for earlier attempts.
        """
        return [
            *self.ours.rests_on(),
            *self.theirs.rests_on(),
            *self.attempt_dependency_keys(self.ours.skill),
        ]


class SideRoll(NamedTuple):
    """One side's roll in an Opposed Roll, and its total.

    The `total` includes what the helpers add. `helps` has the helpers' rolls, in the order in which the
    helpers were named. `gains` has what each helper adds, in the same order.
    """

    roll: Rolled
    skilled: bool
    total: int
    helps: Sequence[Rolled] = ()
    gains: Sequence[int] = ()

    @property
    def dice_allow_learning(self) -> bool:
        """Whether the roller is Unskilled, and may learn the Skill by these dice (STR-CORE-06)."""
        return not self.skilled and faces_allow_learning(self.roll.faces)


class OpposedRoll:
    """The result of an Opposed Roll (STR-CORE-16).

    The higher total wins. The win is complete if the total is higher by 3 or more.
    """

    __slots__ = ("margin", "side_rolls", "winner")

    def __init__(self, ours: SideRoll, theirs: SideRoll) -> None:
        self.side_rolls = {"ours": ours, "theirs": theirs}
        difference = ours.total - theirs.total
        self.winner = "ours" if difference > 0 else "theirs" if difference < 0 else None
        self.margin = abs(difference)

    @property
    def complete(self) -> bool:
        """Whether the win is complete. After a complete win, the loser has nothing to choose."""
        return is_complete_win(self.margin)

    def as_data(self) -> OpposedData:
        """Return the roll as the part of the command's data that describes it."""
        ours, theirs = self.side_rolls["ours"], self.side_rolls["theirs"]
        return {
            "ours": ours.roll.as_json(),
            "theirs": theirs.roll.as_json(),
            "helpers": [
                {**one, "side": side}
                for side, throw in self.side_rolls.items()
                for one in helps_as_json(throw.helps, throw.gains)
            ],
            "totals": {"ours": ours.total, "theirs": theirs.total},
            "winner": self.winner,
            "margin": self.margin,
            "complete": self.complete,
            "loser_options": loser_option_ids() if self.winner and not self.complete else [],
        }


def roll_both_sides(ours: ReadySide, theirs: ReadySide) -> Procedure[OpposedRoll]:
    """Roll the dice of both sides (STR-CORE-16) and of their helpers (STR-CORE-20).

    The order is: our die, our helpers' dice, their die, their helpers' dice. If exactly one side is
    Unskilled, that side has Disadvantage.
    """
    throws = []
    for own, other in ((ours, theirs.side), (theirs, ours.side)):
        side, matters, helpers = own
        asked = _side_dice_request(side.who, side.skill, side.skilled, other.skilled, (*matters.sources,))
        faces = yield asked.question
        roll = Rolled(side.who, asked.purpose, faces, asked.mode, asked.reasons, matters.modifiers)
        helped = (yield from roll_helpers_dice(roll.total, helpers)) if helpers else (roll.total,)
        throws.append(SideRoll(roll, side.skilled, *helped))
    return OpposedRoll(*throws)


class _DiceRequest(NamedTuple):
    """The request to roll one side's dice in an Opposed Roll.

    `question` is the request itself. The other fields describe the roll: its purpose, its mode and its
    reasons.
    """

    purpose: str
    mode: str
    question: Roll
    reasons: Sequence[Source]


@lru_cache(maxsize=64)
def _side_dice_request(
    person: str, skill: str, skilled: bool, against_skilled: bool, sources: tuple[Source, ...]
) -> _DiceRequest:
    """Return the request for one side's dice; `sources` are the reasons that affect the dice.

    An Unskilled side has Disadvantage if the other side is Skilled (`against_skilled`). The request is
    cached, since the computation of odds repeats the same one very often.
    """
    reasons = (*sources, *(UNSKILLED_AGAINST if against_skilled and not skilled else ()))
    purpose = f"opposed: {skill}" if skill else "opposed"
    mode, question = roll_mode_and_dice_request(
        person, purpose, reasons, matters=None if skilled else LEARNING
    )
    return _DiceRequest(purpose, mode, question, reasons)


def ready_both_sides(world: World, args: Oppose) -> tuple[ReadySide, ReadySide]:
    """Return both sides of an Opposed Roll, each with everything that affects its roll now.

    Play and the computation of odds both use the result.
    """
    return prepare_side(world, args.ours, "opposed"), prepare_side(world, args.theirs, "opposed")


def play_opposed(world: World, args: Oppose) -> Procedure[OpposedData]:
    """Play `roll opposed`: both sides roll, and the higher total wins.

    After the dice a tie may be broken, a close loser may choose a way to spoil the win, and Skills may be
    learned.
    """
    for side, other in ((args.ours, args.theirs), (args.theirs, args.ours)):
        if other.near and not side.near:
            prepare_side(world, side, "opposed")  # refuse this side before the other side is asked
    args = args.but(
        ours=(yield from ask_which_skill_side_means(world, args.ours)),
        theirs=(yield from ask_which_skill_side_means(world, args.theirs)),
    )
    sides, ours, theirs = args.sides, args.ours, args.theirs
    yield from refuse_or_record_attempt_with_intent(
        world, ours.who, args.task or ours.skill, args.intent, args.changed
    )
    both = ready_both_sides(world, args)
    for one in both:
        yield from pay_for_roll_and_helpers(world, one.side.who, one.roll_reasons, one.helpers)
    result = yield from roll_both_sides(*both)
    taught = {"ours": _learnable_skill(world, ours, theirs), "theirs": _learnable_skill(world, theirs, ours)}
    data = result.as_data()
    learns = {
        key: throw.dice_allow_learning and taught[key] is not None for key, throw in result.side_rolls.items()
    }
    data["can_learn"] = {"ours": learns["ours"], "theirs": learns["theirs"]}
    yield _both_rolls_fact_counting_uses(world, sides, result)
    if data["winner"] is None:
        yield from _offer_and_play_tie_break(world, data, sides)
    if data["loser_options"] and any(side.known for side in sides.values()):
        loser = "theirs" if data["winner"] == "ours" else "ours"
        yield from ask_and_record_losers_choice(world, data, sides[loser].who, loser, OurSide(loser))
    won = sides.get(data["winner"] or "")
    if won and won.known:
        yield from recover_from_conditions_with_doubts(world, won.who, won.skill)
    for key, side in sides.items():
        if learns[key] and side.known and (skill := taught[key]):
            offered = cast(
                "OpposedSkillLearningData", {**data, "who": side.who, "skill": skill, "bonus": False}
            )
            yield from offer_to_learn_skill_or_take_bonus(world, offered)
    return data


def _both_rolls_fact_counting_uses(
    world: World, sides: Mapping[str, RollingSide], result: OpposedRoll
) -> Happen:
    """Return the fact of both sides' rolls.

    The fact also counts one use of each side's Skill (STR-CORE-32).
    """
    uses = changes_remembering_sides_skills(world, list(sides.values()))
    helpers: list[HelpedWith] = []
    for key, side in sides.items():
        if side.known:
            uses |= changes_counting_skill_use(world, side.who, side.skill)
        throw = result.side_rolls[key]
        helpers += help_clauses(throw.helps, throw.gains, key)
    ours, theirs = (throw.roll for throw in result.side_rolls.values())
    winner = result.winner or ""
    fact = OpposedRolled(ours.who, ours, theirs, winner, result.margin, result.complete, helpers or ())
    return world.tell(fact, uses)


def _learnable_skill(world: World, side: RollingSide, other: RollingSide) -> str | None:
    """Return the Skill that a side may learn by its roll; None if there is none.

    If the side doesn't have the Skill that it rolls, it may learn that Skill. If it has that Skill, it may
    learn the other side's Skill, unless it has both. Such a side rolls Unskilled because the other side's
    Skill is more specific (a ruling on STR-CORE-16, 18).
    """
    if not (side.known and has_skill(world, side.who, side.skill)):
        return side.skill
    return None if has_skill(world, side.who, other.skill) else other.skill


def _offer_and_play_tie_break(
    world: World, data: OpposedData, sides: Mapping[str, RollingSide]
) -> Procedure[None]:
    people = {key: side.who for key, side in sides.items() if side.known}
    broken = yield from ask_to_break_tie(world, people, data)
    if broken is None:
        return
    key, used = broken
    winner = "theirs" if key == "ours" else "ours"
    # Ruling: a broken tie counts as a loss by one or two, so the loser still chooses.
    data["winner"], data["tie_broken_by"], data["complication"] = winner, key, used
    data["loser_options"] = loser_option_ids()
    yield from use_complication_to_break_tie(world, people[key], used, SideWins(winner, sides[winner].who))


def ask_to_break_tie(
    world: World, people: Mapping[str, str], data: Data
) -> Procedure[tuple[str, str] | None]:
    """Ask whether somebody loses a tie on purpose, with a Complication (STR-CORE-17).

    `people` maps each side to its person. The people are asked in order, until one agrees. A person without a
    Complication isn't asked. Returns the side that loses the tie and the name of the Complication, or None if
    nobody breaks the tie.
    """
    for key, person in people.items():
        troubles = complications_and_substitutes(world, person)
        if not troubles:
            continue
        options = ("stand", *[f"complication-{number + 1}" for number in range(len(troubles))])
        labels = (LetTieStand(), *[LoseBy(one.name, one.kind) for one in troubles])
        taken = yield Choose(person, "break the tie", options, labels, data, about=BreakTheTie(person))
        if taken != "stand":
            return key, troubles[int(taken.rpartition("-")[2]) - 1].name
    return None


def use_complication_to_break_tie(
    world: World, person: str, complication: str, result: Clause
) -> Procedure[None]:
    """Report that a person breaks a tie by a `complication`, and give the person an Action Point for that.

    `result` is the outcome of the roll after the tie is broken.
    """
    yield world.tell(TieBroken(person, result))
    yield from use_complication(world, person, complication, "tie")


def ask_and_record_losers_choice(
    world: World, data: LosersChoiceData, person: str, decider_if_no_person: str, loser_without_sheet: Clause
) -> Procedure[None]:
    """Ask how the loser of a close roll spoils the winner's success (STR-CORE-16).

    If the loser is a character, `person` is that character, and chooses. For any other loser, `person` is "",
    `decider_if_no_person` chooses, and `loser_without_sheet` names the loser. The answer is stored in `data`
    as `loser_chose`.
    """
    about = LosersOption(person, "" if person else loser_without_sheet)
    taken = yield Choose(
        person or decider_if_no_person, "loser's option", tuple(LOSERS_OPTIONS), data=data, about=about
    )
    data["loser_chose"] = taken
    yield world.tell(LoserChose(person, taken, "" if person else loser_without_sheet))
