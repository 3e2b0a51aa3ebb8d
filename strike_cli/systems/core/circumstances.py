"""What affects a roll, each with its reason.

These are Conditions, Flaws, Favors, banked bonuses, tools and an extra Skill. The game master judges what is
relevant. What is found here comes from tags, and all of it can be overruled by `ignore`, `adv` and `dis`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.facts import State
from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.kernel.statements import table_in_words
from strike_cli.problems import Refused
from strike_cli.tabletop.dice import ADVANTAGE, DISADVANTAGE, Modifier, Source, typed_sources
from strike_cli.tabletop.facts import OfCondition
from strike_cli.tabletop.people import (
    GameMaster,
    characters_in,
    display_name,
    has_skill,
    slug,
    spend_action_point,
    state_of,
    written_sheet,
)
from strike_cli.tabletop.status_effects import held_by, reasons_for

from .facts.costs import Banked, BonusBanked, BonusSpent
from .facts.rolls import BankedBonus, Helps, MakeshiftTools, OfFlaw, OwesFavor
from .numbers import skill_tags

if TYPE_CHECKING:
    from strike_cli.kernel.roll_data import ReasonsTold
    from strike_cli.tabletop.data import FavorKept


def owed_to(party: str) -> str:
    """Return the word by which the state that a move depends on names debts to a party (STR-CORE-25)."""
    return f"owed {party.strip().lower()}"


def find_earlier_try(task: str, intent: str) -> str:
    """Return the word by which the state that a move depends on names a try of a task (STR-CORE-15)."""
    return f"tried {task.strip().lower()} {intent.strip().lower()}"


def _tries(state: State) -> set[tuple[str, str]]:
    return {
        (str(item["task"]), str(item["intent"]))
        for item in cast("Sequence[Mapping[str, str]]", state.get("tasks", ()))
    }


def touches(before: State, after: State) -> Iterator[str]:
    """Yield the words for debts and tried tasks that differ between two states."""
    tries = _tries(before) ^ _tries(after)
    yield from (find_earlier_try(task, intent) for task, intent in tries)
    was, now = characters_in(before), characters_in(after)
    for person in {**was, **now}:
        owed, owes = (sheets.get(person, {}).get("favors", []) for sheets in (was, now))
        for favor in [one for one in owed if one not in owes] + [one for one in owes if one not in owed]:
            yield from map(owed_to, (favor["to"], *favor.get("associates", ())))


WEALTH = "Wealth"
"""The word for a purchase in place of a Skill.

A bonus may be banked for it, and a Condition may cast doubt on it.
"""
DOUBTED = "core:lost-confidence"
"""The source that is named for a doubt if the character has no Condition that explains it."""


class Bearing(Args):
    """What the table says about a roll.

    `adv` and `dis` are reasons for Advantage and Disadvantage, `mods` modifiers, and `tags` the subjects of
    the roll. `using` is an item, `asking` the party that is asked. `makeshift` is true for makeshift tools,
    and `also` is an extra Skill for an Action Point. `use` are ids of banked bonuses to spend, and `ignore`
    ids or names of reasons to leave out. What is only about a helper begins with the helper's name:
    `odo:winded`.
    """

    adv: Sequence[str] = ()
    dis: Sequence[str] = ()
    mods: Sequence[Modifier] = ()
    tags: Sequence[str] = ()
    using: str = ""
    asking: str = ""
    makeshift: bool = False
    also: str = ""
    use: Sequence[str] = ()
    ignore: Sequence[str] = ()

    def rests_on(self) -> Iterable[str]:
        """Return the state that the roll depends on: debts to the party that is asked, if one is."""
        return [owed_to(self.asking)] if self.asking else []

    def for_helper(self, name: str) -> Bearing:
        """Return what applies to a helper: the roll's subjects, and what is only about this helper."""
        return Bearing(
            tags=self.tags, use=_words_about(self.use, name), ignore=_words_about(self.ignore, name)
        )


class Attempt(Args):
    """What is attempted with a roll.

    `task` is the task, if that is more than the Skill says, and `intent` what it is for; without an intent
    nothing is recorded. `changed` is how the situation has changed, so that the task may be tried again
    (STR-CORE-15).
    """

    task: str = ""
    intent: str = ""
    changed: str = ""

    def tries(self, skill: str) -> Iterable[str]:
        """Return the state that a roll of a Skill depends on: whether the task was tried before."""
        return [find_earlier_try(self.task or skill, self.intent)] if self.intent else []


def _words_about(words: Sequence[str], person: str) -> list[str]:
    """Return the words about a person, such as `odo:winded`, without the person's name in front."""
    parts = [word.partition(":") for word in words]
    return [what for owner, colon, what in parts if colon and owner.lower() == person.lower()]


class Matters:
    """The reasons and modifiers of a roll, and what it uses up: banked bonuses, and points for a Skill."""

    __slots__ = ("banked", "extra_skill", "modifiers", "sources")

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.modifiers: list[Modifier] = []
        self.banked: list[str] = []
        self.extra_skill = ""

    def in_words(self, world: World) -> ReasonsTold:
        """Return the reasons and modifiers as `--json` has them."""
        reasons = {
            "sources": [source.as_json() for source in self.sources],
            "modifiers": [item.as_json() for item in self.modifiers],
        }
        told: ReasonsTold = table_in_words(reasons, GameMaster(world.book, [world.state]))  # type: ignore[assignment]  # of its form
        return told


def tags_of(world: World, person: str, skill: str, more: Sequence[str] = ()) -> frozenset[str]:
    """Return the subjects of a roll of a Skill: those on the sheet, or those that its name suggests.

    The subjects in `more` are added.
    """
    written = {name.lower(): tags for name, tags in written_sheet(world, person).get("tags", {}).items()}
    own: Iterable[str] = written.get(skill.lower(), _guessed(skill.lower()))
    return frozenset([*own, *more])


@lru_cache(maxsize=128)
def _guessed(skill: str) -> tuple[str, ...]:
    words = skill.replace("-", " ").split()
    stems: Mapping[str, Sequence[str]] = skill_tags()["skills"]
    return tuple(
        tag for tag, of in stems.items() if any(word.startswith(stem) for word in words for stem in of)
    )


def find_reasons(world: World, person: str, kind: str, skill: str, said: Bearing) -> Matters:
    """Return everything that affects a roll of a kind now (STR-CORE-04, 10 to 12, 22, 25).

    That includes what people have said about it (`said`). Raises Refused if the extra Skill isn't another one
    of the roller's own (STR-CORE-31).
    """
    found = Matters()
    found.sources += typed_sources(said.adv, said.dis)
    found.modifiers += said.mods
    if world.book is None or not person:
        return found
    ignored = ignored_ids(world, person, [*said.ignore, *_words_about(said.ignore, person)])
    use = [*said.use, *_words_about(said.use, person)]
    own, modifiers = reasons_for(world, person, kind, tags=tags_of(world, person, skill, said.tags))
    doubted = {name.lower() for name in state_of(world, person).get("doubts", ())}
    own += [_doubt_source(world, person)] if skill.lower() in doubted else []
    # Flaws of the item in use (STR-CORE-10), by the item's name or the Flaw's id
    low = said.using.lower()
    own += [
        Source(DISADVANTAGE, OfFlaw(flaw["on"], flaw.get("text", "")), flaw["id"])
        for flaw in state_of(world, person).get("flaws", ())
        if low and low in (flaw["on"].lower(), flaw["id"])
    ]
    own += favors_to(world, said.asking)
    for item in state_of(world, person).get("banked", ()):
        if item["for"].lower() != skill.lower() and item["id"] not in use:
            continue
        own.append(Source(item["gives"], BankedBonus(item["id"], item.get("why", "")), item["id"]))
        found.banked += [item["id"]] if item["id"] not in ignored else []
    found.sources += [source for source in own if source.of not in ignored]
    found.modifiers += [item for item in modifiers if item.of not in ignored]
    if said.makeshift:
        found.sources.append(Source(DISADVANTAGE, MakeshiftTools()))
    if said.also:
        found.extra_skill = _another_skill(world, person, skill, said.also)
        found.sources.append(Source(ADVANTAGE, Helps(found.extra_skill)))
    return found


def _another_skill(world: World, person: str, skill: str, also: str) -> str:
    """Return the extra Skill that helps the rolled one (STR-CORE-22, 31).

    Raises Refused if the roller hasn't got it, or if it is the rolled Skill itself.
    """
    name = display_name(world, person)
    if also.lower() == skill.lower():
        raise Refused(
            f"{also} is what {name} rolls: another Skill may help it, for an Action Point.",
            "Leave out --also, or name another.",
        )
    must_have_another(world, person, also)
    return also


def must_have_another(world: World, person: str, also: str) -> None:
    """Raise Refused if a person hasn't got the extra Skill."""
    if not has_skill(world, person, also):
        from strike_cli.refusals import LacksSkill

        raise LacksSkill(
            display_name(world, person), also, f"`strike character show {person}` lists the Skills."
        )


# Reasons for and against a roll, and their owners


def automatic_reasons(world: World, person: str) -> dict[str, tuple[str, ...]]:
    """Return everything that may affect a person's rolls without being mentioned, with its names by id.

    Anybody in the party may owe a Favor, so a Favor's id begins with the debtor: `odo:v1`.
    """
    found: dict[str, tuple[str, ...]] = {held.id: (held.name,) for held in held_by(world, person)}
    doubted = _doubt_source(world, person).of
    found.setdefault(doubted, (world.book.conditions.get(doubted, {}).get("name", "Lost Confidence"),))
    for flaw in state_of(world, person).get("flaws", ()):
        found[flaw["id"]] = (flaw["on"],)
    for owner, favor in favors_owed(world):
        found[favor_id(owner, favor)] = (favor["to"], favor["id"], display_name(world, owner), owner)
    for item in state_of(world, person).get("banked", ()):
        found[item["id"]] = (item["for"], item.get("why", ""))
    return found


def ignored_ids(world: World, person: str, ignored: Sequence[str]) -> frozenset[str]:
    """Return the ids of the reasons that are left out of a person's roll.

    Each word of `ignored` is an id, a name, or the beginning of one; case and punctuation don't matter.
    """
    words = [word for word in map(slug, ignored) if word != slug("")]
    if not words:
        return frozenset()
    return frozenset(
        id_
        for id_, names in automatic_reasons(world, person).items()
        if any(
            slug(id_) == word or any(slug(name).startswith(word) for name in (*names, id_.rpartition(":")[2]))
            for word in words
        )
    )


# Automatic reasons besides Conditions


def _doubt_source(world: World, person: str) -> Source:
    """Return the source of Disadvantage for a doubt: the Condition that causes it."""
    known = world.book.conditions
    held = (key for key in state_of(world, person).get("conditions", ()) if known.get(key, {}).get("doubts"))
    of = next(held, DOUBTED)
    return Source(DISADVANTAGE, OfCondition(of), of)


def favors_owed(world: World) -> list[tuple[str, FavorKept]]:
    """Return all Favors that the party owes, each with the character that owes it."""
    return [
        (person, favor)
        for person in world.book.characters
        for favor in state_of(world, person).get("favors", ())
    ]


def favor_id(person: str, favor: Mapping[str, object]) -> str:
    """Return the id of a Favor among those of the whole party, such as `odo:v1`."""
    return f"{person}:{favor['id']}"


def favors_to(world: World, asking: str) -> list[Source]:
    """Return the Disadvantage from Favors that anybody in the party owes to the person asked (STR-CORE-11).

    Favors to people whose associate that person is count, too. It is empty if nobody is asked.
    """
    low = asking.lower()
    found = []
    for person, favor in favors_owed(world) if low else ():
        others = [name.lower() for name in favor.get("associates", ())]
        if low not in (favor["to"].lower(), *others):
            continue
        with_them = asking if low != favor["to"].lower() else ""
        reason = OwesFavor(person, favor["to"], favor.get("reputation", False), with_them)
        found.append(Source(DISADVANTAGE, reason, favor_id(person, favor)))
    return found


# The price of a roll, and bonuses banked for one


def pay_for_roll(world: World, person: str, matters: Matters) -> Procedure[None]:
    """Spend what a roll uses up, before the dice: an Action Point for an extra Skill, and banked bonuses."""
    if matters.extra_skill:
        yield from spend_action_point(world, person, Helps(matters.extra_skill, paid=True))
    yield from spend_banked(world, person, matters.banked)


def spend_banked(world: World, person: str, ids: Sequence[str]) -> Procedure[None]:
    """Remove the banked bonuses with these ids."""
    path = f"characters.{person}.banked"
    held = state_of(world, person).get("banked", ())
    left = [item for item in held if item["id"] not in ids]
    if len(left) < len(held):
        yield world.tell(BonusSpent(person, list(ids)), {path: left or None})


def bank_modifier(world: World, person: str, gives: str, for_: str, why: str) -> Procedure[str]:
    """Store Advantage or Disadvantage (`gives`) for a later roll that `for_` names.

    Return its id (STR-CORE-07, 19).
    """
    path = f"characters.{person}.banked"
    held = state_of(world, person).get("banked", ())
    number = 1 + max((int(item["id"][1:]) for item in held), default=0)
    item = {"id": f"b{number}", "gives": gives, "for": for_, "why": why}
    yield world.tell(BonusBanked(person, Banked.of_json(item)), {path: [*held, item]})
    return str(item["id"])
