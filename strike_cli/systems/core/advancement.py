"""The growth of characters: level-ups, gains and replacements (STR-CORE-31 to 33).

The gains and replacements are Tricks and Complications.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.procedure import Args, Procedure, Sets, World
from strike_cli.problems import Refused, Usage, did_you_mean, listed
from strike_cli.tabletop.characters_and_names import (
    character_changes_of,
    display_name,
    fallback_of,
    skills_and_connections_of,
    slug,
)

from .facts.points_tricks_and_growth import (
    ComplicationGained,
    ComplicationReplaced,
    ComplicationSwapped,
    FallbackGained,
    LevelGained,
    TrickGained,
    TrickReplaced,
    TrickSwapped,
)
from .points_tricks_and_fallback import complication_uses_and_earned, find_index_by_name, find_trick
from .skill_roll import uses_towards_trick
from .skills_tricks_and_complications import (
    Complication,
    Trick,
    present_complications_of,
    present_tricks_of,
    sheet_complications,
    sheet_tricks,
)

if TYPE_CHECKING:
    from .data import ComplicationGainedData, LevelUpData, SwapData, TrickGainedData

TrickOrComplication = Trick | Complication
CONSENT_HINT = "Ask the group; when everybody has said yes, add --consent."


class LevelUp(Args):
    """The arguments of `advance level-up`: the character, and the choice for this level-up.

    The choice is a `fallback`, a `trick` with its `skill`, or a `complication`. `consent` is whether the
    group agrees to the Complication.
    """

    who: str
    fallback: str = ""
    trick: str = ""
    skill: str = ""
    complication: str = ""
    consent: bool = False


class AddTrick(Args):
    """The arguments of `advance trick`: the character, the new Trick's name, and the Trick's Skill."""

    who: str
    name: str
    skill: str


class AddComplication(Args):
    """The arguments of `advance complication`: the character, and the name of the new Complication.

    `consent` is whether the group agrees that the new Complication comes from the story. If so, the character
    need not have used other Complications to gain it.
    """

    who: str
    name: str
    consent: bool = False


class Swap(Args):
    """The arguments of a swap: the Trick or Complication to give up (`old`), and the `new` one.

    The beginning of the old one's name is enough.
    """

    who: str
    old: str
    new: str


class SwapTrick(Swap):
    """The arguments of a swap of Tricks.

    `skill` is the new Trick's Skill. By default it is the Skill that the sheet names for the new Trick. If
    the sheet doesn't have the new Trick, it is the old Trick's Skill.
    """

    skill: str = ""


class SwapTrickAgreed(SwapTrick):
    """The arguments of `advance swap-trick`. `consent` is whether everybody in the group agrees."""

    consent: bool = False


# Level-ups


def play_level_up(world: World, args: LevelUp) -> Procedure[LevelUpData]:
    """Play `advance level-up`: a character levels up, and gains something for it.

    The first level-up gives a Fallback, each later one a Trick or a Complication. Raises Refused if the
    choice isn't allowed, or if the group doesn't agree to a Complication. Raises Usage for a Trick without a
    Skill.
    """
    person = args.who
    level = character_changes_of(world, person).get("levels", 0) + 1
    asked = {"fallback": args.fallback, "trick": args.trick, "complication": args.complication}
    chosen = {kind: text.strip() for kind, text in asked.items() if text.strip()}
    kind = _require_one_allowed_choice(world, person, chosen)
    yield world.tell(LevelGained(person, level), {f"characters.{person}.levels": level})
    if kind == "fallback":
        yield world.tell(
            FallbackGained(person, chosen[kind]), {f"characters.{person}.fallback": chosen[kind]}
        )
    elif kind == "trick":
        if not args.skill:
            raise Usage("A Trick is a narrow use of a Skill.", "Name the Skill: --skill SKILL.")
        yield from _gain_trick(
            world, person, Trick(chosen[kind], _require_skill_as_on_sheet(world, person, args.skill))
        )
    else:
        if not args.consent:
            raise Refused("A Complication by level-up needs the group's consent (STR-CORE-32).", CONSENT_HINT)
        yield from _gain_complication(world, person, Complication(chosen[kind]), "level-up")
    return {"who": person, "levels": level, "gains": kind, "name": chosen[kind]}


def _require_one_allowed_choice(world: World, person: str, chosen: Mapping[str, str]) -> str:
    """Return what a player chose for a level-up: "fallback", "trick" or "complication".

    Raises Refused if `chosen` doesn't name exactly one of them. Raises Refused, too, if this level-up doesn't
    allow the choice. The first level-up allows only a Fallback, and later ones don't allow it.
    """
    name, fallback = display_name(world, person), fallback_of(world, person)
    command = f"strike advance level-up {person}"
    if not fallback and set(chosen) != {"fallback"}:
        raise Refused(
            f"{name}'s first level-up brings the Fallback: the thing they always fall back on (STR-CORE-31).",
            f'Name only that, something broad: `{command} --fallback "meticulous planning"`.',
        )
    if fallback and "fallback" in chosen:
        raise Refused(
            f"{name} has a Fallback already, and there is only one: {fallback}.",
            f"This level-up brings a Trick or a Complication: `{command} --trick NAME --skill SKILL`.",
        )
    if len(chosen) != 1:
        raise Refused(
            f"{name}'s level-up brings one of two: a new Trick or a new Complication.",
            f"`{command} --trick NAME --skill SKILL`, or `{command} --complication NAME --consent`.",
        )
    return next(iter(chosen))


# New ones


def play_trick(world: World, args: AddTrick) -> Procedure[TrickGainedData]:
    """Play `advance trick`: gain a Trick for a Skill that was used often enough (STR-CORE-32).

    The Skill's uses are then counted from 0 again. Raises Refused if the Skill was used too rarely.
    """
    person, skill = args.who, _require_skill_as_on_sheet(world, args.who, args.skill)
    uses, need = uses_towards_trick(world, person, skill), world.book.house["skill_uses_for_trick"]
    if uses < need:
        raise Refused(
            f"{display_name(world, person)} has used {skill} {uses} of {need} times towards a new Trick.",
            f"Level-ups bring Tricks too: `strike advance level-up {person} --trick NAME --skill SKILL`.",
        )
    reset = {f"characters.{person}.skill_uses.{slug(skill)}": None}
    trick = Trick(args.name.strip(), skill)
    yield from _gain_trick(world, person, trick, reset)
    return {"who": person, "trick": trick.name, "skill": skill}


def play_complication(world: World, args: AddComplication) -> Procedure[ComplicationGainedData]:
    """Play `advance complication`: a character gains a new Complication (STR-CORE-32).

    If the group agrees (`args.consent`), the Complication comes from the story and costs nothing. Otherwise
    it costs a number of uses of other Complications. Raises Refused if the character has too few uses.
    """
    person, one = args.who, Complication(args.name.strip())
    towards, earned = complication_uses_and_earned(world, person)
    need = world.book.house["complication_uses"]
    if args.consent:
        yield from _gain_complication(world, person, one, "story")
    elif earned:
        left = towards + (earned - 1) * need
        reset = {f"characters.{person}.complication_uses": left or None}
        yield from _gain_complication(world, person, one, "uses", need, reset)
    else:
        raise Refused(
            f"{display_name(world, person)} has used Complications {towards} of {need} times "
            "towards a new one.",
            "If the story brings one, the whole group must agree: then add --consent.",
        )
    return {"who": person, "complication": one.name, "by": "story" if args.consent else "uses"}


def _gain_trick(
    world: World, person: str, trick: Trick, further_changes: Mapping[str, object] | None = None
) -> Procedure[None]:
    sets = {**_changes_adding_or_replacing(world, person, trick), **(further_changes or {})}
    yield world.tell(TrickGained(person, trick.name, trick.skill), sets)


def _gain_complication(
    world: World,
    person: str,
    complication: Complication,
    cause: str,
    uses: int = 0,
    further_changes: Mapping[str, object] | None = None,
) -> Procedure[None]:
    sets = {**_changes_adding_or_replacing(world, person, complication), **(further_changes or {})}
    yield world.tell(ComplicationGained(person, complication.name, cause, uses), sets)


# Replacing old ones


def play_swap_trick(world: World, args: SwapTrickAgreed) -> Procedure[SwapData]:
    """Play `advance swap-trick`: replace a Trick by another (STR-CORE-33).

    Raises Refused if not everybody agrees.
    """
    if not args.consent:
        raise Refused(
            "Swapping a Trick needs everybody's consent, or everybody would have the right Trick for every "
            "task (STR-CORE-33).",
            f"{CONSENT_HINT} Replace one that no longer makes sense at once: `strike help advance replace`.",
        )
    old = find_trick(world, args.who, args.old)
    swap = _prepare_trick_swap(world, old, args)
    yield world.tell(TrickSwapped(args.who, swap.old, swap.new), swap.sets)
    return swap.result_data(args.who)


def play_swap_complication(world: World, args: Swap) -> Procedure[SwapData]:
    """Play `advance swap-complication`: replace a Complication by another, at any time (STR-CORE-33)."""
    have = present_complications_of(world, args.who)
    swap = _prepare_complication_swap(
        world, have[_index_of_trick_or_complication(world, args, have, "Complication")], args
    )
    yield world.tell(ComplicationSwapped(args.who, swap.old, swap.new), swap.sets)
    return swap.result_data(args.who)


def play_replace(world: World, args: SwapTrick) -> Procedure[SwapData]:
    """Play `advance replace`: replace a Trick or Complication that no longer makes sense (STR-CORE-33).

    This is possible at any time, and nobody has to agree.
    """
    person = args.who
    have: list[TrickOrComplication] = [
        *present_tricks_of(world, person),
        *present_complications_of(world, person),
    ]
    old = have[_index_of_trick_or_complication(world, args, have, "Trick or Complication")]
    if isinstance(old, Trick):
        swap = _prepare_trick_swap(world, old, args)
        yield world.tell(TrickReplaced(person, swap.old, swap.new), swap.sets)
    elif args.skill:
        raise Usage(f"{old.name!r} is a Complication, and Complications have no Skill.", "Leave out --skill.")
    else:
        swap = _prepare_complication_swap(world, old, args)
        yield world.tell(ComplicationReplaced(person, swap.old, swap.new), swap.sets)
    return swap.result_data(person)


class SwappedTrait(NamedTuple):
    """The swap of a character's Trick or Complication for a new one.

    `kind` says which of the two it is. `old` is given up, and `new` takes its place. `sets` has the changes
    of the state that carry out the swap.
    """

    kind: str
    old: str
    new: str
    sets: Sets
    skill: str | None = None

    def result_data(self, person: str) -> SwapData:
        """Return the result of a swap command for the character `person`."""
        data: SwapData = {"who": person, "kind": self.kind.lower(), "old": self.old, "new": self.new}
        if self.skill is not None:
            data["skill"] = self.skill
        return data


def _index_of_trick_or_complication(
    world: World, args: Swap, have: Sequence[TrickOrComplication], kind: str
) -> int:
    """Return the index of the Trick or Complication that `args.old` names. Raises Refused if none matches."""
    return find_index_by_name(
        args.old, [(one.name,) for one in have], f"{display_name(world, args.who)} has no {kind}"
    )


def _prepare_trick_swap(world: World, old: Trick, args: SwapTrick) -> SwappedTrait:
    name = args.new.strip()
    on_sheet = (one.skill for one in sheet_tricks(world, args.who) if slug(one.name) == slug(name))
    skill = (
        _require_skill_as_on_sheet(world, args.who, args.skill) if args.skill else next(on_sheet, old.skill)
    )
    return _prepare_swap(world, args.who, "Trick", old, Trick(name, skill))._replace(skill=skill)


def _prepare_complication_swap(world: World, old: Complication, args: Swap) -> SwappedTrait:
    return _prepare_swap(world, args.who, "Complication", old, Complication(args.new.strip()))


def _prepare_swap(
    world: World, person: str, kind: str, old: TrickOrComplication, new: TrickOrComplication
) -> SwappedTrait:
    return SwappedTrait(kind, old.name, new.name, _changes_adding_or_replacing(world, person, new, old))


# The state has the names that were given up but are on the sheet, and those gained that aren't on it.


def _changes_adding_or_replacing(
    world: World, person: str, new: TrickOrComplication, old: TrickOrComplication | None = None
) -> dict[str, object]:
    """Return the changes that add the Trick or Complication `new`, and remove `old` if it is given.

    If `old` is a Trick, the count of its uses is removed, too.
    """
    have: Sequence[TrickOrComplication] = present_complications_of(world, person)
    sheet: Sequence[TrickOrComplication] = sheet_complications(world, person)
    kind, path = "Complication", f"characters.{person}.complications"
    if isinstance(new, Trick):
        have, sheet = present_tricks_of(world, person), sheet_tricks(world, person)
        kind, path = "Trick", f"characters.{person}.tricks"
    _must_be_new_trait_name(kind, new.name, [one.name for one in have])
    written = {slug(one.name): _lowercase_skill_of_trick(one) for one in sheet}
    gone, key = slug(old.name) if old else "", slug(new.name)
    before: Sequence[Mapping[str, str] | str] = world.get(f"{path}_gained", [])
    gained = [one for one in before if slug(one if isinstance(one, str) else one["name"]) != gone]
    lost: list[str] = list(world.get(f"{path}_lost", []))
    if old and gone in written and gone not in map(slug, lost):
        lost.append(old.name)
    if written.get(key) == _lowercase_skill_of_trick(new):
        lost = [name for name in lost if slug(name) != key]
    else:
        gained.append({"name": new.name, "skill": new.skill} if isinstance(new, Trick) else new.name)
    sets: dict[str, object] = {f"{path}_gained": gained or None, f"{path}_lost": lost or None}
    return {**sets, f"characters.{person}.trick_uses.{gone}": None} if isinstance(old, Trick) else sets


def _lowercase_skill_of_trick(trait: TrickOrComplication) -> str:
    return trait.skill.lower() if isinstance(trait, Trick) else ""


def _must_be_new_trait_name(kind: str, name: str, have: list[str]) -> None:
    if slug(name) == slug(""):
        raise Usage(f"A {kind} needs a name.", "Put a descriptive name in quotes.")
    if slug(name) in map(slug, have):
        raise Refused(f"They have the {kind} {name!r} already.", f"{kind}s now: {listed(have)}.")


def _require_skill_as_on_sheet(world: World, person: str, skill: str) -> str:
    """Return a character's Skill in the spelling of the sheet.

    Raises Refused if the character doesn't have it.
    """
    have = skills_and_connections_of(world, person)
    found = next((name for name in have if name.lower() == skill.strip().lower()), None)
    if found is None:
        raise Refused(
            f"{display_name(world, person)} does not have the Skill {skill!r}, and a Trick is a narrow use "
            f"of one.{did_you_mean(skill, have)}",
            f"Skills: {listed(have)}.",
        )
    return found
