"""Everything that affects a roll, each thing with its reason.

Conditions, Flaws, Favors, banked bonuses, tools and an extra Skill may affect a roll. Which of them are
relevant is for the game master to judge: strike proposes reasons by tags, and `ignore`, `adv` and `dis`
overrule the proposals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.kernel.state_changes import State
from strike_cli.kernel.statements import table_with_clauses_in_words
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import effects_on, roll_reasons_from_effects
from strike_cli.tabletop.characters_and_names import (
    GameMasterSpeaker,
    character_changes_in,
    character_changes_of,
    display_name,
    has_skill,
    slug,
    spend_action_points,
    written_sheet,
)
from strike_cli.tabletop.dice import ADVANTAGE, DISADVANTAGE, Modifier, Source, typed_sources
from strike_cli.tabletop.facts import OfCondition

from .facts.costs import Banked, BonusBanked, BonusSpent
from .facts.rolls import BankedBonus, Helps, MakeshiftTools, OfFlaw, OwesFavor
from .rule_numbers import skill_tags

if TYPE_CHECKING:
    from strike_cli.kernel.roll_types import ReasonsTold
    from strike_cli.tabletop.data import FavorKept


def favor_dependency_key(party: str) -> str:
    """Return the dependency key for Favors owed to a person or party (STR-CORE-25).

    A move that depends on these Favors returns the key from its `rests_on`.
    """
    return f"owed {party.strip().lower()}"


def task_attempt_key(task: str, intent: str) -> str:
    """Return the key for earlier attempts at a task with the same intent (STR-CORE-15).

    If a move depends on earlier attempts, its `rests_on` returns this key.
    """
    return f"tried {task.strip().lower()} {intent.strip().lower()}"


def keys_of_changed_favors_and_attempts(before: State, after: State) -> Iterator[str]:
    """Yield the dependency keys of the Favors and the task attempts in which two states differ."""
    tries = _recorded_attempts(before) ^ _recorded_attempts(after)
    yield from (task_attempt_key(task, intent) for task, intent in tries)
    was, now = character_changes_in(before), character_changes_in(after)
    for person in {**was, **now}:
        owed, owes = (sheets.get(person, {}).get("favors", []) for sheets in (was, now))
        for favor in [one for one in owed if one not in owes] + [one for one in owes if one not in owed]:
            yield from map(favor_dependency_key, (favor["to"], *favor.get("associates", ())))


def _recorded_attempts(state: State) -> set[tuple[str, str]]:
    return {
        (str(item["task"]), str(item["intent"]))
        for item in cast("Sequence[Mapping[str, str]]", state.get("tasks", ()))
    }


WEALTH = "Wealth"
"""The word for a purchase in place of a Skill.

A bonus may be banked for it, and a Condition may cast doubt on it.
"""
DOUBTED = "core:lost-confidence"
"""The source that is named for a doubt if the character has no Condition that explains it."""


class StatedCircumstances(Args):
    """The circumstances of a roll that the players state.

    `adv` has reasons for Advantage and `dis` reasons for Disadvantage. `mods` has modifiers, and `tags` the
    subjects of the roll. `using` is an item, and `asking` the person or party that is asked. `makeshift` is
    true for makeshift tools. `also` is an extra Skill, which costs an Action Point. `use` has the ids of
    banked bonuses to spend. `ignore` has ids or names of reasons to leave out. A word that is only about a
    helper begins with the helper's name: `odo:winded`.
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
        """Return the key for the Favors owed to the person or party that is asked.

        The roll depends on these Favors. If nobody is asked, the result is empty.
        """
        return [favor_dependency_key(self.asking)] if self.asking else []

    def for_helper(self, name: str) -> StatedCircumstances:
        """Return the circumstances of a helper's own roll.

        The tags stay the same. `use` and `ignore` keep only the words that begin with the helper's name,
        without that name. All other circumstances are empty.
        """
        return StatedCircumstances(
            tags=self.tags, use=_words_about(self.use, name), ignore=_words_about(self.ignore, name)
        )


class Attempt(Args):
    """The task that is attempted with a roll.

    `task` is given if the Skill alone doesn't say what is attempted. `intent` is the purpose; without an
    intent, no try is recorded. `changed` says how the situation has changed, so that the same task may be
    tried again (STR-CORE-15).
    """

    task: str = ""
    intent: str = ""
    changed: str = ""

    def attempt_dependency_keys(self, skill: str) -> Iterable[str]:
        """Return the key that stands for earlier attempts at the same task with the same intent, in a list.

        The result of the roll depends on these attempts. If the roll names no task, the Skill counts as the
        task. If the roll has no intent, the list is empty.
        """
        return [task_attempt_key(self.task or skill, self.intent)] if self.intent else []


def _words_about(words: Sequence[str], person: str) -> list[str]:
    """Return the words that begin with a person's name, such as `odo:winded`, without the name: `winded`."""
    parts = [word.partition(":") for word in words]
    return [what for owner, colon, what in parts if colon and owner.lower() == person.lower()]


class RollReasons:
    """The reasons and modifiers of a roll, and the resources that the roll spends.

    The roll spends the banked bonuses in `banked`. If `extra_skill` isn't "", it also spends an Action Point.
    """

    __slots__ = ("banked", "extra_skill", "modifiers", "sources")

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.modifiers: list[Modifier] = []
        self.banked: list[str] = []
        self.extra_skill = ""

    def reasons_as_json(self, world: World) -> ReasonsTold:
        """Return the reasons and modifiers in the form of `--json`."""
        reasons = {
            "sources": [source.as_json() for source in self.sources],
            "modifiers": [item.as_json() for item in self.modifiers],
        }
        told: ReasonsTold = table_with_clauses_in_words(reasons, GameMasterSpeaker(world.book, [world.state]))  # type: ignore[assignment]  # of its form
        return told


def roll_tags_of_sheet_or_guessed(
    world: World, person: str, skill: str, more: Sequence[str] = ()
) -> frozenset[str]:
    """Return the tags of a Skill's roll: those of the Skill, and those in `more`.

    The sheet may give tags to a Skill. Otherwise the Skill's name suggests the tags.
    """
    written = {name.lower(): tags for name, tags in written_sheet(world, person).get("tags", {}).items()}
    own: Iterable[str] = written.get(skill.lower(), _guess_tags(skill.lower()))
    return frozenset([*own, *more])


@lru_cache(maxsize=128)
def _guess_tags(skill: str) -> tuple[str, ...]:
    words = skill.replace("-", " ").split()
    stems: Mapping[str, Sequence[str]] = skill_tags()["skills"]
    return tuple(
        tag for tag, of in stems.items() if any(word.startswith(stem) for word in words for stem in of)
    )


def find_reasons(
    world: World, person: str, kind: str, skill: str, stated: StatedCircumstances
) -> RollReasons:
    """Return all reasons and modifiers of a roll of this `kind` now (STR-CORE-04, 10 to 12, 22, 25).

    The circumstances in `stated` are included. One of them may be an extra Skill that helps (`stated.also`).
    Raises Refused if the extra Skill is the rolled Skill itself, or if the roller doesn't have the extra
    Skill (STR-CORE-31).
    """
    found = RollReasons()
    found.sources += typed_sources(stated.adv, stated.dis)
    found.modifiers += stated.mods
    if world.book is None or not person:
        return found
    ignored = ignored_reason_ids_skipping_unknown(
        world, person, [*stated.ignore, *_words_about(stated.ignore, person)]
    )
    use = [*stated.use, *_words_about(stated.use, person)]
    own, modifiers = roll_reasons_from_effects(
        world, person, kind, tags=roll_tags_of_sheet_or_guessed(world, person, skill, stated.tags)
    )
    doubted = {name.lower() for name in character_changes_of(world, person).get("doubts", ())}
    own += [_disadvantage_of_doubted_skill(world, person)] if skill.lower() in doubted else []
    # Flaws of the item in use (STR-CORE-10), by the item's name or the Flaw's id
    low = stated.using.lower()
    own += [
        Source(DISADVANTAGE, OfFlaw(flaw["on"], flaw.get("text", "")), flaw["id"])
        for flaw in character_changes_of(world, person).get("flaws", ())
        if low and low in (flaw["on"].lower(), flaw["id"])
    ]
    own += disadvantages_from_favors(world, stated.asking)
    for item in character_changes_of(world, person).get("banked", ()):
        if item["for"].lower() != skill.lower() and item["id"] not in use:
            continue
        own.append(Source(item["gives"], BankedBonus(item["id"], item.get("why", "")), item["id"]))
        found.banked += [item["id"]] if item["id"] not in ignored else []
    found.sources += [source for source in own if source.of not in ignored]
    found.modifiers += [item for item in modifiers if item.of not in ignored]
    if stated.makeshift:
        found.sources.append(Source(DISADVANTAGE, MakeshiftTools()))
    if stated.also:
        found.extra_skill = _checked_extra_skill(world, person, skill, stated.also)
        found.sources.append(Source(ADVANTAGE, Helps(found.extra_skill)))
    return found


def _checked_extra_skill(world: World, person: str, skill: str, also: str) -> str:
    """Return the extra Skill `also`, after checking it (STR-CORE-22, 31).

    Raises Refused if the roller doesn't have this Skill, or if it is the rolled Skill itself.
    """
    name = display_name(world, person)
    if also.lower() == skill.lower():
        raise Refused(
            f"{also} is what {name} rolls: another Skill may help it, for an Action Point.",
            "Leave out --also, or name another.",
        )
    must_have_extra_skill(world, person, also)
    return also


def must_have_extra_skill(world: World, person: str, also: str) -> None:
    """Raise LacksSkill if a person doesn't have the Skill `also`.

    This Skill was named to help with the roll of another Skill.
    """
    if not has_skill(world, person, also):
        from strike_cli.refusals import LacksSkill

        raise LacksSkill(
            display_name(world, person), also, f"`strike character show {person}` lists the Skills."
        )


# Reasons for and against a roll, and their owners


def names_of_possible_automatic_reasons(world: World, person: str) -> dict[str, tuple[str, ...]]:
    """Return the names of the reasons that may apply to a person's rolls automatically, by id.

    Anybody in the party may owe a Favor, so the id of a Favor begins with the debtor: `odo:v1`.
    """
    found: dict[str, tuple[str, ...]] = {held.id: (held.name,) for held in effects_on(world, person)}
    doubted = _disadvantage_of_doubted_skill(world, person).of
    found.setdefault(doubted, (world.book.conditions.get(doubted, {}).get("name", "Lost Confidence"),))
    for flaw in character_changes_of(world, person).get("flaws", ()):
        found[flaw["id"]] = (flaw["on"],)
    for owner, favor in favors_owed(world):
        found[favor_id_with_debtor(owner, favor)] = (
            favor["to"],
            favor["id"],
            display_name(world, owner),
            owner,
        )
    for item in character_changes_of(world, person).get("banked", ()):
        found[item["id"]] = (item["for"], item.get("why", ""))
    return found


def ignored_reason_ids_skipping_unknown(world: World, person: str, ignored: Sequence[str]) -> frozenset[str]:
    """Return the ids of the reasons that are left out of a person's roll.

    Each word in `ignored` is an id, a name, or the beginning of a name; case and punctuation don't matter.
    """
    words = [word for word in map(slug, ignored) if word != slug("")]
    if not words:
        return frozenset()
    return frozenset(
        id_
        for id_, names in names_of_possible_automatic_reasons(world, person).items()
        if any(
            slug(id_) == word or any(slug(name).startswith(word) for name in (*names, id_.rpartition(":")[2]))
            for word in words
        )
    )


# Automatic reasons besides Conditions


def _disadvantage_of_doubted_skill(world: World, person: str) -> Source:
    """Return the Disadvantage for a doubted Skill, with the Condition that causes the doubt."""
    known = world.book.conditions
    held = (
        key
        for key in character_changes_of(world, person).get("conditions", ())
        if known.get(key, {}).get("doubts")
    )
    of = next(held, DOUBTED)
    return Source(DISADVANTAGE, OfCondition(of), of)


def favors_owed(world: World) -> list[tuple[str, FavorKept]]:
    """Return all Favors that the party owes, each with the character that owes it."""
    return [
        (person, favor)
        for person in world.book.characters
        for favor in character_changes_of(world, person).get("favors", ())
    ]


def favor_id_with_debtor(person: str, favor: Mapping[str, object]) -> str:
    """Return a Favor's id with the debtor before it, such as `odo:v1`; this is unique in the party."""
    return f"{person}:{favor['id']}"


def disadvantages_from_favors(world: World, asking: str) -> list[Source]:
    """Return the sources of Disadvantage from Favors that the party owes to the person asked.

    A Favor also counts if that person is an associate of its creditor (STR-CORE-11). The list is empty if
    `asking` is "".
    """
    low = asking.lower()
    found = []
    for person, favor in favors_owed(world) if low else ():
        others = [name.lower() for name in favor.get("associates", ())]
        if low not in (favor["to"].lower(), *others):
            continue
        with_them = asking if low != favor["to"].lower() else ""
        reason = OwesFavor(person, favor["to"], favor.get("reputation", False), with_them)
        found.append(Source(DISADVANTAGE, reason, favor_id_with_debtor(person, favor)))
    return found


# The price of a roll, and bonuses banked for one


def pay_for_roll(world: World, person: str, reasons: RollReasons) -> Procedure[None]:
    """Spend the resources of a roll, before the dice are rolled.

    These are the banked bonuses, and an Action Point for an extra Skill.
    """
    if reasons.extra_skill:
        yield from spend_action_points(world, person, Helps(reasons.extra_skill, paid=True))
    yield from spend_banked_bonuses(world, person, reasons.banked)


def spend_banked_bonuses(world: World, person: str, ids: Sequence[str]) -> Procedure[None]:
    """Remove the banked bonuses with these ids. Ids that aren't there are ignored."""
    path = f"characters.{person}.banked"
    held = character_changes_of(world, person).get("banked", ())
    left = [item for item in held if item["id"] not in ids]
    if len(left) < len(held):
        yield world.tell(BonusSpent(person, list(ids)), {path: left or None})


def bank_bonus(world: World, person: str, gives: str, later_roll: str, why: str) -> Procedure[str]:
    """Give a character a banked bonus for a later roll (STR-CORE-07, 19). Return the bonus's id.

    `gives` is Advantage or Disadvantage. `later_roll` is the roll that the bonus is for, and `why` the reason
    for it.
    """
    path = f"characters.{person}.banked"
    held = character_changes_of(world, person).get("banked", ())
    number = 1 + max((int(item["id"][1:]) for item in held), default=0)
    item = {"id": f"b{number}", "gives": gives, "for": later_roll, "why": why}
    yield world.tell(BonusBanked(person, Banked.from_json(item)), {path: [*held, item]})
    return str(item["id"])
