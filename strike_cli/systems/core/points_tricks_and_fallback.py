"""Action Points, Awesome Points, Tricks, Complications and the Fallback (STR-CORE-21 to 24, 31).

The functions that gain and spend Action Points are in `tabletop.characters_and_names`. The growth of
characters is in `advancement`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.kernel.procedure import Args, Procedure, Sets, World
from strike_cli.problems import Refused, Usage, did_you_mean, listed
from strike_cli.tabletop.characters_and_names import (
    action_points,
    character_changes_of,
    charges_spent,
    display_name,
    fallback_of,
    gain_action_points,
    open_or_last_session_number,
    person_and_others_of_same_player,
    slug,
    spend_action_points,
    written_sheet,
)
from strike_cli.tabletop.facts import typed_reason
from strike_cli.tabletop.rules_vocabulary import TIMES

from .facts.conditions import ChargeSpent, ChargesRegained
from .facts.points_tricks_and_growth import (
    COMPLICATION_WAYS,
    AwesomeGiven,
    AwesomePointOf,
    ComplicationUsed,
    FallbackUsed,
    TheComplication,
    TheTrick,
    TrickUsed,
)
from .facts.rolls import TaskTried
from .skills_tricks_and_complications import Trick, present_complications_of, present_tricks_of

if TYPE_CHECKING:
    from .data import AwesomeData, ComplicationUsedData, FallbackRollData, LastRoll, PointsData, TrickUsedData


class Points(Args):
    """The arguments of `ap give` and `ap spend`: `n` Action Points, and the reason."""

    who: str
    n: int = 1
    why: str = ""


class Award(Args):
    """The arguments of `awesome`: the giver's character, the character who gets the point, and the reason.

    The receiving character is `who`.
    """

    giver: str
    who: str
    why: str


class UseTrick(Args):
    """The arguments of `trick use`: a character and the name of a Trick."""

    who: str
    trick: str


class UseComplication(Args):
    """The arguments of `complication use`.

    `complication` is the name of a Complication, or of a Cost that takes its place. `how` is one of
    COMPLICATION_WAYS.
    """

    who: str
    complication: str
    how: str


# Action Points


def play_give(world: World, args: Points) -> Procedure[PointsData]:
    """Play `ap give`: the game master gives a character Action Points."""
    person, had = args.who, action_points(world, args.who)
    yield from gain_action_points(world, person, typed_reason(args.why), args.n)
    return {"who": person, "before": had, "ap": action_points(world, person)}


def play_spend(world: World, args: Points) -> Procedure[PointsData]:
    """Play `ap spend`: spend Action Points on something for which there is no command."""
    person, had = args.who, action_points(world, args.who)
    yield from spend_action_points(world, person, typed_reason(args.why), args.n)
    return {"who": person, "before": had, "ap": action_points(world, person)}


# Awesome Points


def may_give_awesome_point(world: World, person: str) -> bool:
    """Return whether the player of a character can still give this session's Awesome Point."""
    return not _character_who_gave_awesome_point(world, person)


def _character_who_gave_awesome_point(world: World, person: str) -> str:
    """Return which character of a player has given this session's Awesome Point; "" if none has.

    `person` is any of the player's characters.
    """
    number = open_or_last_session_number(world)
    for one in person_and_others_of_same_player(world, person):
        if world.get(f"characters.{one}.awesome_given") == number:
            return one
    return ""


def players_with_awesome_point_left(world: World) -> list[str]:
    """Return the names of the players who can still give this session's Awesome Point.

    A character without a player is listed by the character's own name.
    """
    players: dict[str, str] = {}
    for person in world.book.characters:
        if may_give_awesome_point(world, person):
            player = _player_name(world, person)
            players.setdefault(player.lower(), player)
    return list(players.values())


def _player_name(world: World, person: str) -> str:
    return str(written_sheet(world, person).get("player", "")).strip() or display_name(world, person)


def play_awesome(world: World, args: Award) -> Procedure[AwesomeData]:
    """Play `awesome`: a player gives an Action Point to another player's character (STR-CORE-21).

    The player spends an Awesome Point for it. Each player has one Awesome Point in each session. It can be
    given until the next session starts.

    Raises Refused if the giver isn't a player's character, if the point was given already, or if both
    characters belong to the same player. Raises Usage without a reason.
    """
    giver, person = args.giver, args.who
    if giver not in world.book.characters:
        raise Refused(
            f"Only players give Awesome Points, and {giver!r} is not a player's character.",
            f"One of: {listed(world.book.characters)}.",
        )
    player = _player_name(world, giver)
    if person in person_and_others_of_same_player(world, giver):
        also = "" if person == giver else f", who plays {display_name(world, person)} too"
        raise Refused(
            f"An Awesome Point is for another player, not for yourself: it is {player}'s{also}.",
            "Name another player's character.",
        )
    if by := _character_who_gave_awesome_point(world, giver):
        through = "" if by == giver else f", through {display_name(world, by)}"
        raise Refused(
            f"{player} has given the Awesome Point of this session already{through}.",
            "The next `strike session start` brings a new one; `strike undo` undoes a mistake.",
        )
    why = args.why.strip().rstrip(".")
    if not why:
        raise Usage("What was awesome?", 'Give the reason: --why "held the ferry alone".')
    given = {f"characters.{giver}.awesome_given": open_or_last_session_number(world)}
    yield world.tell(AwesomeGiven(giver, person, player, why), given)
    yield from gain_action_points(world, person, AwesomePointOf(player))
    return {"from": giver, "to": person, "why": why, "ap": action_points(world, person)}


# Tricks


def doubt_barring_trick_in_words(world: World, person: str, trick: Trick) -> str:
    """Return why a Trick can't be used now (STR-CORE-12), "" if it can.

    The reason is a Condition that makes the character doubt the Trick's Skill. A lack of Action Points
    doesn't count.
    """
    doubted = {skill.lower() for skill in character_changes_of(world, person).get("doubts", [])}
    if not trick.skill or trick.skill.lower() not in doubted:
        return ""
    for held in character_changes_of(world, person).get("conditions", []):
        condition = world.book.conditions.get(held, {})
        if condition.get("doubts"):
            return f"{condition['name']} about {trick.skill}"
    return ""


def find_trick(world: World, person: str, name: str) -> Trick:
    """Return the character's Trick that a name means. Raises Refused if there is none."""
    have = present_tricks_of(world, person)
    return have[
        find_index_by_name(name, [(one.name,) for one in have], f"{display_name(world, person)} has no Trick")
    ]


def trick_uses_counted_up_to_limit(world: World, person: str, trick: Trick) -> int:
    """Return how often a Trick was used.

    Uses beyond the limit, the house rule `trick_uses`, are not counted (STR-CORE-32).
    """
    return character_changes_of(world, person).get("trick_uses", {}).get(slug(trick.name), 0)


def play_trick(world: World, args: UseTrick) -> Procedure[TrickUsedData]:
    """Play `trick use`: spend an Action Point for a Success with a Bonus (STR-CORE-22).

    No dice are rolled. Raises Refused if the character has Lost Confidence in the Trick's Skill, or has no
    Action Point.
    """
    person = args.who
    trick = find_trick(world, person, args.trick)
    name = display_name(world, person)
    if why := doubt_barring_trick_in_words(world, person, trick):
        raise Refused(
            f"{name} can't use {trick.name!r} now: {why}.",
            f"A success with {trick.skill}, despite the Disadvantage, ends it.",
        )
    yield from spend_action_points(world, person, TheTrick(trick.name))
    most = world.book.house["trick_uses"]
    uses = min(trick_uses_counted_up_to_limit(world, person, trick) + 1, most)
    used = {f"characters.{person}.trick_uses.{slug(trick.name)}": uses}
    yield world.tell(TrickUsed(person, trick.name), used)
    return {
        "who": person,
        "trick": trick.name,
        "skill": trick.skill,
        "outcome": "success",
        "bonus": True,
        "costs": 0,
        "ap": action_points(world, person),
        "uses": uses,
        "of": most,
    }


# Complications


class UsableComplication(NamedTuple):
    """Something that a character can use as a Complication: one of their Complications or Costs."""

    name: str
    kind: str
    """"complication", "condition", "flaw" or "favor"."""
    text: str = ""
    also: tuple[str, ...] = ()
    """Other names for it."""


def complications_and_substitutes(world: World, person: str) -> list[UsableComplication]:
    """Return a character's Complications, and everything that can be used in place of a Complication.

    These are the character's Conditions, Flaws and Favors.
    """
    found = [
        UsableComplication(one.name, "complication", one.text)
        for one in present_complications_of(world, person)
    ]
    mine = character_changes_of(world, person)
    for id_ in dict.fromkeys(mine.get("conditions", [])):
        name = str(world.book.conditions.get(id_, {}).get("name", id_))
        found.append(UsableComplication(name, "condition", "", (id_, id_.rpartition(":")[2])))
    for flaw in mine.get("flaws", []):
        found.append(
            UsableComplication(flaw["on"], "flaw", flaw.get("text", ""), (flaw["id"], flaw.get("text", "")))
        )
    for favor in mine.get("favors", []):
        found.append(
            UsableComplication(
                favor["to"], "favor", favor.get("text", ""), (favor["id"], favor.get("text", ""))
            )
        )
    return found


def complication_uses_and_earned(world: World, person: str) -> tuple[int, int]:
    """Return two numbers about the Complications of a character (STR-CORE-32).

    The first is the number of uses of Complications that count towards a new Complication. The second is the
    number of new Complications that the character has earned. The house rule `complication_uses` says how
    many uses earn one.
    """
    uses = character_changes_of(world, person).get("complication_uses", 0)
    earned, towards = divmod(uses, world.book.house["complication_uses"])
    return towards, earned


def use_complication(world: World, person: str, name: str, how: str) -> Procedure[ComplicationUsedData]:
    """Use a Complication, or a Cost in its place, and gain an Action Point (STR-CORE-24).

    Raises Usage if `how` isn't one of COMPLICATION_WAYS. Raises Refused if the character has no such
    Complication or Cost.
    """
    if how not in COMPLICATION_WAYS:
        raise Usage(
            f"--how: {how!r} should be one of {', '.join(COMPLICATION_WAYS)}."
            f"{did_you_mean(how, COMPLICATION_WAYS)}"
        )
    have = complications_and_substitutes(world, person)
    names = [(one.name, *one.also) for one in have]
    used = have[find_index_by_name(name, names, f"{display_name(world, person)} has no Complication or Cost")]
    uses = character_changes_of(world, person).get("complication_uses", 0) + 1
    need = world.book.house["complication_uses"]
    yield world.tell(
        ComplicationUsed(person, used.name, how, used.kind, uses % need == 0),
        {f"characters.{person}.complication_uses": uses},
    )
    yield from gain_action_points(world, person, TheComplication(used.name, used.kind))
    towards, earned = complication_uses_and_earned(world, person)
    return {
        "who": person,
        "complication": used.name,
        "kind": used.kind,
        "how": how,
        "ap": action_points(world, person),
        "uses": towards,
        "of": need,
        "earned": earned,
    }


def play_complication(world: World, args: UseComplication) -> Procedure[ComplicationUsedData]:
    """Play `complication use`: a Complication causes trouble, and earns an Action Point."""
    return (yield from use_complication(world, args.who, args.complication, args.how))


# The Fallback


def has_unused_fallback(world: World, person: str) -> bool:
    """Return whether a character has a Fallback and hasn't used it in this session (STR-CORE-31)."""
    return bool(fallback_of(world, person)) and not _has_used_fallback_this_session(world, person)


def _has_used_fallback_this_session(world: World, person: str) -> bool:
    return bool(world.get(f"characters.{person}.fallback_used") == open_or_last_session_number(world))


def use_fallback(
    world: World, person: str, data: FallbackRollData, skill: str = "", text: str = ""
) -> Procedure[None]:
    """Use a character's Fallback to turn a Twist into a Success, once a session (STR-CORE-31).

    The Costs of the roll stay.

    Args:
        world: The world.
        person: The character.
        data: The result of the Skill Roll. Its `outcome` is changed to "success", and its `fallback` to the
            text of the Fallback.
        skill: The Skill to record for the last roll, or "".
        text: How the Fallback helped, or "".

    Raises:
        Refused: The character has no Fallback, it was used in this session, or there is no Twist.
    """
    fallback = require_unused_fallback(world, person)
    name = display_name(world, person)
    if data["outcome"] != "twist":
        raise Refused(
            f"A Fallback turns a Twist, and {name}'s last roll was a Success.", "The Fallback is still there."
        )
    data["outcome"] = "success"
    data["fallback"] = fallback
    last = cast("LastRoll", world.get(f"characters.{person}.last_roll", {})).copy()
    last["outcome"] = data["outcome"]
    if skill:
        last["skill"] = skill
    last["costs"] = data["costs"]
    sets: Sets = {
        f"characters.{person}.fallback_used": open_or_last_session_number(world),
        f"characters.{person}.last_roll": last,
    }
    how = text.strip().rstrip(".")
    yield world.tell(FallbackUsed(person, fallback, how, data["costs"]), sets)


def require_unused_fallback(world: World, person: str) -> str:
    """Return a character's Fallback, if it can be used.

    Raises Refused if there is none, or it was used this session.
    """
    name, fallback = display_name(world, person), fallback_of(world, person)
    if not fallback:
        raise Refused(
            f"{name} has no Fallback yet.",
            f"The first level-up brings it: `strike advance level-up {person} "
            '--fallback "sheer stubbornness"`.',
        )
    if _has_used_fallback_this_session(world, person):
        raise Refused(
            f"{name} has already used the Fallback this session.",
            "The next `strike session start` restores it.",
        )
    return fallback


# Names


def find_index_by_name(name: str, entries: Sequence[Sequence[str]], refusal_start: str) -> int:
    """Return the index of the entry with a name.

    Each entry of `entries` is a list of names. The first of them is shown in messages. `name` is any of them,
    or a unique beginning of a first name. Case and punctuation don't matter.

    Raises Refused if nothing matches; the message begins with `refusal_start`. Raises Usage if several
    entries match.
    """
    low = slug(name)
    begins = []
    for place, names in enumerate(entries if low != slug("") else ()):
        if low in map(slug, names):
            return place
        if slug(names[0]).startswith(low):
            begins.append(place)
    if len(begins) == 1:
        return begins.pop()
    if begins:
        from strike_cli.refusals import AmbiguousWord

        raise AmbiguousWord(
            repr(name), listed(repr(entries[place][0]) for place in begins), "Give more of the name."
        )
    shown = [names[0] for names in entries]
    raise Refused(
        f"{refusal_start} {name!r}.{did_you_mean(name, shown)}", f"Known: {listed(map(repr, shown))}."
    )


def record_spent_charge(
    world: World, person: str, key: str, most: int, restoring_rest: str
) -> Procedure[None]:
    """Spend one of a power's `most` charges.

    A rest of the length `restoring_rest` (one of TIMES) restores all charges.
    """
    spent = charges_spent(world, person, key) + 1
    sets = {f"characters.{person}.charges.{key}": {"spent": spent, "back": restoring_rest}}
    yield world.tell(ChargeSpent(person, key, most - spent, most), sets)


def regain_power_charges(world: World, person: str, rest: str) -> Procedure[list[str]]:
    """Restore the charges of all powers for which this rest is long enough; return the ids of the powers."""
    spent = character_changes_of(world, person).get("charges", {})
    found = [key for key, one in spent.items() if TIMES.index(one["back"]) <= TIMES.index(rest)]
    if found:
        left = {key: one for key, one in spent.items() if key not in found}
        sets = {f"characters.{person}.charges": left or None}
        yield world.tell(ChargesRegained(person, found), sets)
    return found


def refuse_or_record_attempt_with_intent(
    world: World, person: str, task: str, intent: str, changed: str = ""
) -> Procedure[None]:
    """Record that a person has attempted a task with an intent (the rule Fun once, STR-CORE-15).

    One roll decides for the whole party: nobody in the party can roll again for the same task with the same
    intent. `changed` is the reason why a second attempt is possible, or "". If there is no intent, nothing is
    recorded.

    Raises Refused for a second attempt without a reason.
    """
    if not intent:
        return
    before: Sequence[Mapping[str, str]] = world.get("tasks", [])
    same = next(
        (item for item in before if _is_same_attempt_by_same_party(world, item, person, task, intent)), None
    )
    if same and not changed:
        by = display_name(world, same["who"]) or "Somebody"
        raise Refused(
            f"{by} has rolled for that already: {same['text']}.",
            "One roll decides, for the whole party (STR-CORE-15). If the situation changed dramatically: "
            "--changed WHY.",
        )
    why = f", since {changed}" if changed else ""
    others = [item for item in before if item is not same]
    text = f"{task} to {intent}{why}"
    tried = {"who": person, "task": task.lower(), "intent": intent.lower(), "text": text}
    yield world.tell(TaskTried(person, text), {"tasks": [*others, tried]})


def _is_same_attempt_by_same_party(
    world: World, tried: Mapping[str, str], person: str, task: str, intent: str
) -> bool:
    """Return whether a recorded attempt has the same task and intent, and was made by the same party.

    All characters of the campaign are one party.
    """
    party = world.book.characters if world.book is not None else {}
    together = tried["who"] == person or (tried["who"] in party and person in party)
    return together and (tried["task"], tried["intent"]) == (task.lower(), intent.lower())
