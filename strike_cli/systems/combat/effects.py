"""What powers do besides their damage: the steps of an effect, one after the other, and what each does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from strike_cli.kernel.procedure import Choose, Happen, Procedure, Roll, World
from strike_cli.kernel.statements import Clause, Decision, Reason, Said, Somebody
from strike_cli.registry.installed import brought_word
from strike_cli.tabletop.dice import Modifier
from strike_cli.tabletop.grid import Square, format_square
from strike_cli.tabletop.people import gain_action_point, slug

from .amounts import amount_of
from .damage import dealt_by, heal, hurt, is_bloodied
from .enter_square import change_places, may_change_places
from .facts.causes import Adds, ByPower, Halves, Prevents
from .facts.effects import (
    Befalls,
    ComesToNothing,
    DieBecomes,
    DieEach,
    FaceIs,
    IsLeft,
    OneOf,
    OptionIs,
    ShowsFace,
    Standing,
    StepIs,
    TimesOver,
    WhereTo,
    WhichAlly,
    WhichOption,
)
from .facts.powers import Noted, RegainWhich
from .facts.saves import WhichStatus
from .facts.statuses import Lasting, StatusIs
from .facts.summons import SummonIs
from .facts.zones import ZoneDoes, ZoneIs
from .fight import Fight, short_names
from .forced_movement import displace
from .move import destinations, find_way, walk
from .once import is_done, mark_done, word_for
from .powers import Deed, called, others_meant, signed
from .regain import regained
from .saves import saving_throw
from .sight import is_hidden_from
from .statuses import (
    add_status,
    end_status,
    given_status,
    has_status,
    how_long,
    saved_against,
    statuses_of,
)
from .steps import (
    CHANGING,
    DISPLACED,
    MOST_TIMES,
    NESTING,
    PARTS,
    Step,
    in_words,
    load_part,
    step_in,
    with_nested,
)
from .strikes_and_tokens import gain_strike, gain_tokens


def do_steps(
    world: World, deed: Deed, steps: Sequence[Step], target: str = "", holding: Collection[str] = ()
) -> Procedure[list[str]]:
    """Steps of a power, in order; what they say in words is left to the table.

    `target` is the one that they are about, empty where there is none; `holding` are the conditions (`if`)
    that hold. Returns the ids of the statuses that took hold.
    """
    added: list[str] = []
    for step in steps:
        if "if" in step and step["if"] not in holding:
            continue
        if "once" in step and not (yield from _first_time(world, deed, step)):
            continue
        play = load_part(step_in(world.book, step).play)
        for one in (yield from _people(world, deed, step, target)):
            if Fight(world).is_out(one):
                continue
            if "if_status" in step and not has_status(world, one, step["if_status"]):
                continue
            amount = step.get("amount", 1)
            if isinstance(amount, Mapping):
                amount = yield from amount_of(world, deed, amount, one)
                if not amount or Fight(world).is_out(one):
                    continue
                step = {**step, "amount": amount}
            if step["do"] in NESTING:
                deed = deed._replace(holding=frozenset(holding))
            added += (yield from play(world, deed, step, one)) or ()
    return added


def _first_time(world: World, deed: Deed, step: Step) -> Procedure[bool]:
    """Whether a step that is done once a turn, round or fight has not been done yet; now it has."""
    written = [each for part in PARTS for each in with_nested(deed.power.get(part, ()))]
    number = next((number for number, each in enumerate(written) if each is step), len(written))
    word = word_for(deed.who, deed.power["id"], "step", number)
    if is_done(world, word, step["once"]):
        return False
    yield from mark_done(world, deed.who, word, step["once"])
    return True


def conditions(fight: Fight, deed: Deed, target: str, flanked: bool = False) -> frozenset[str]:
    """Which conditions of steps and of bonus damage hold between the two as they stand now, before a roll."""
    combatant, own = fight.combatant(target), fight.combatant(deed.who)
    near = fight.is_on_map(target) and fight.is_on_map(deed.who) and fight.is_within(deed.who, target, 1)
    hold = {
        "bloodied": is_bloodied(fight.world, combatant["hp"], combatant["max_hp"]),
        "self-bloodied": is_bloodied(fight.world, own["hp"], own["max_hp"]),
        "flanked": flanked,
        "hidden": bool(own.get("hidden")) and (target == deed.who or is_hidden_from(fight, deed.who, target)),
        "adjacent": near,
    }
    return frozenset(key for key, holds in hold.items() if holds)


def bonuses(fight: Fight, deed: Deed, target: str, holding: Collection[str]) -> list[Modifier]:
    """HP that a hit takes beyond the power's printed number, with reasons; a 6 doubles them only where the
    house says so (STR-TAC-09)."""
    found = []
    for bonus in deed.power.get("bonus", ()):
        status = bonus.get("if_status")
        if bonus.get("if", "") in ("", *holding) and (not status or has_status(fight.world, target, status)):
            standing = Standing(status or "", bonus.get("if", ""))
            bare = not status and "if" not in bonus
            found.append(Modifier(bonus["amount"], called(deed.power, deed.who) if bare else standing))
    return found


# In few words, for whoever decides about it


def effect_in_short(fight: Fight, deed: Deed, target: str) -> Sequence[Reason]:
    """What the Effect of a power comes to for a target."""
    return steps_in_short(fight, deed, deed.power["effect"], target)


def steps_in_short(fight: Fight, deed: Deed, steps: Sequence[Step], target: str) -> list[Reason]:
    """What steps come to for somebody, each by itself."""
    return [_in_short(fight, deed, step, target) for step in steps]


_SAID_SHORT = frozenset(
    {"apply", "damage", "heal", *DISPLACED, "swap", "end", "save", "token", "strike", "ap", "regain"}
)
"""Steps that `facts.StepIs` has words for."""


def _in_short(fight: Fight, deed: Deed, step: Step, target: str) -> Reason:
    do, whom, amount = step["do"], step["to"], step.get("amount", 1)
    plain = not {"if", "if_status", "once", "within", "from", "way"} & step.keys() and isinstance(amount, int)
    if do == "note":
        said: Reason = step.get("said") or Said(step["text"])
        return said
    if plain and do in _SHORT and whom in _SHORT_FOR:
        return StepIs(do, whom, words=_SHORT[do](fight, deed, step, target))
    if do not in _SAID_SHORT or not plain or whom in ("doer", "befallen", "giver", "inside", "summons"):
        return in_words(fight.world.book, step)
    if do != "apply":
        return StepIs(do, whom, amount, ends=step.get("status", ""))
    one = target if whom == "target" else deed.who
    status = given_status(fight, step, deed.who, of=one if step.get("whose") == "target" else deed.who)
    return StepIs(
        do, whom, status=StatusIs(status["id"], status.get("value"), "", how_long(fight, one, status))
    )


_SHORT_FOR = ("target", "self", "ally", "allies", "enemies", "around")
"""Those of whom `facts.StepIs` says that a step is for them."""


def _zone_in_short(fight: Fight, deed: Deed, step: Step, target: str) -> Reason:
    does = {
        "damage": step.get("amount", 0),
        "difficult": step.get("difficult"),
        step.get("sight", ""): "sight" in step,
        "wall": step.get("blocks"),
        "cover": step.get("cover"),
    }
    return ZoneIs(
        str(step["name"]),
        [ZoneDoes(what, step.get("amount", 0)) for what, so in does.items() if so],
        step.get("status", ""),
        step.get("spread", 0),
        bool(step.get("along")),
        _lasting(fight, deed, step),
    )


def _summon_in_short(fight: Fight, deed: Deed, step: Step, target: str) -> Reason:
    return SummonIs(step["creature"], step.get("amount", 1), _lasting(fight, deed, step))


def _lasting(fight: Fight, deed: Deed, step: Step) -> Lasting | None:
    """How long what somebody makes lasts, by their turns."""
    if "duration" not in step:
        return None
    made = {"ends": step["duration"], "until": step.get("until", "")}
    return how_long(fight, deed.who, made)


def _options_in_short(fight: Fight, deed: Deed, step: Step, target: str) -> Reason:
    return OneOf(
        [
            OptionIs(str(option["name"]), steps_in_short(fight, deed, option["steps"], target))
            for option in step["options"]
        ]
    )


def _faces_in_short(fight: Fight, deed: Deed, step: Step, target: str) -> Reason:
    return DieEach(
        [FaceIs(faces, steps_in_short(fight, deed, steps, target)) for faces, steps in step["faces"].items()]
    )


def _repeats_in_short(fight: Fight, deed: Deed, step: Step, target: str) -> Reason:
    return TimesOver(step["amount"], steps_in_short(fight, deed, step["steps"], target))


_SHORT: Mapping[str, Callable[[Fight, Deed, Step, str], Reason]] = {
    "zone": _zone_in_short,
    "summon": _summon_in_short,
    "choose": _options_in_short,
    "roll": _faces_in_short,
    "repeat": _repeats_in_short,
}
"""Steps that have clauses of their own."""


# Who a step is for


_WHOM: Mapping[str, Callable[[Fight, Deed, Sequence[str]], Iterable[str]]] = {
    "target": lambda fight, deed, targets: targets,
    "self": lambda fight, deed, targets: [deed.who],
    "enemies": lambda fight, deed, targets: others_meant(fight, deed, friends=False),
    "allies": lambda fight, deed, targets: others_meant(fight, deed, friends=True),
    "ally": lambda fight, deed, targets: others_meant(fight, deed, friends=True),
    "doer": lambda fight, deed, targets: _one_of(fight, _about(deed, "doer")),
    "befallen": lambda fight, deed, targets: _one_of(fight, _about(deed, "befallen")),
    "giver": lambda fight, deed, targets: _one_of(fight, deed.power.get("giver")),
    "around": lambda fight, deed, targets: (one for one in fight.in_the_fight() if one != deed.who),
    "inside": lambda fight, deed, targets: (),
    "summons": lambda fight, deed, targets: _summons(fight, deed.who),
}


def _summons(fight: Fight, who: str) -> list[str]:
    from .summons import summoned_by  # few ever need it

    return summoned_by(fight, who)


def _about(deed: Deed, who: str) -> str:
    return str(getattr(deed.answering, who, ""))


def _one_of(fight: Fight, who: str | None) -> list[str]:
    return [who] if who and who in fight.data["combatants"] and not fight.is_out(who) else []


def all_meant(fight: Fight, deed: Deed, step: Step, targets: Sequence[str]) -> list[str]:
    """All whom a step may be for; of others than targets and oneself those who are near enough: to oneself,
    or with `from` to any of the targets, who are not meant themselves."""
    if step["do"] in CHANGING and step["do"] != "redirect":
        return [deed.who]
    if step["to"] == "inside":
        from .ground import inside  # few ever need it

        return inside(fight, deed, step)
    to = "self" if step["do"] == "redirect" and step["to"] == "target" else step["to"]
    found = _WHOM[to](fight, deed, targets)
    if step["to"] in ("target", "self") or "within" not in step:
        return list(found)
    around = targets if step.get("from") == "target" else [deed.who]
    middles = [middle for middle in around if fight.is_on_map(middle)]
    return [
        one
        for one in found
        if fight.is_on_map(one)
        and one not in middles
        and any(fight.gap(middle, one) <= step["within"] for middle in middles)
    ]


def _people(world: World, deed: Deed, step: Step, target: str) -> Procedure[list[str]]:
    fight, who = Fight(world), deed.who
    people = all_meant(fight, deed, step, [target] if target else [])
    if step["to"] != "ally":
        return people
    if not people:
        yield _nothing(world, deed, who, "nobody")
        return []
    if step["do"] == "heal":  # most hurt first
        people.sort(key=lambda ally: fight.combatant(ally)["hp"] - fight.combatant(ally)["max_hp"])
    if len(people) > 1:
        labels, about = tuple(map(Somebody, people)), WhichAlly(who, called(deed.power, who))
        people = [(yield _choose(deed, who, "who", tuple(people), about, labels))]
    return people


# What each step does to one of those whom it is for


def do_apply(world: World, deed: Deed, step: Step, one: str) -> Procedure[list[str]]:
    """A status takes hold."""
    of = one if step.get("whose") == "target" else deed.who
    status = given_status(Fight(world), step, deed.who, of=of)
    if (yield from add_status(world, one, status)):
        return [step["status"]]
    if not Fight(world).is_out(one):
        yield _nothing(world, deed, one, "has", status=step["status"])
    return []


def _nothing(world: World, deed: Deed, one: str, how: str, other: str = "", status: str = "") -> Happen:
    """A step that comes to nothing beside others that don't."""
    who = deed.who if how == "swap" else one
    return _noted(world, deed, one, ComesToNothing(how, who, other, status))


def _noted(world: World, deed: Deed, one: str, what: Reason) -> Happen:
    """Something about somebody that names a power, and so tells of whoever used it."""
    return signed(deed, one, world.tell(Noted(one, what, called(deed.power, deed.who))))


def _choose(
    deed: Deed,
    who: str,
    what: str,
    options: tuple[str, ...],
    about: Decision,
    labels: tuple[str | Clause, ...] = (),
) -> Choose:
    """A decision about a power."""
    key, formerly = f"{deed.power['id']}: {what}", f"{deed.power['name']}: {what}"
    return Choose(who, key, options, labels, about=about, formerly=formerly)


def do_end(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """A status ends; without a name, one of those that harm, as the one who has it says."""
    status = step.get("status") or (
        yield from _choose_status(world, deed, one, "end", harmful_statuses(world, one))
    )
    if status and has_status(world, one, status):
        yield from end_status(world, one, status)
    elif not step.get("status"):
        yield _nothing(world, deed, one, "end")


def do_save(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """A Saving Throw at once, against a status that a save ends."""
    held = saved_against(world, one)
    names = [item["id"] for item in held]
    status = step.get("status") or (yield from _choose_status(world, deed, one, "save against", names))
    same = [item for item in held if item["id"] == status]
    if same:
        yield from saving_throw(world, one, max(same, key=lambda item: item.get("value", 0)))
    else:
        yield _nothing(world, deed, one, "save")


def harmful_statuses(world: World, who: str) -> list[str]:
    """Statuses that an effect may end: not those that follow from HP, which are permanent."""
    held = [item["id"] for item in statuses_of(world, who) if item["ends"] != "permanent"]
    return [status for status in held if world.book.statuses[status]["harmful"]]


def _choose_status(world: World, deed: Deed, who: str, what: str, statuses: Sequence[str]) -> Procedure[str]:
    names = list(dict.fromkeys(statuses))
    if len(names) < 2:
        return names[0] if names else ""
    words = short_names(names)
    labels = tuple(map(StatusIs, words.values()))
    about = WhichStatus(who, what.partition(" ")[0], called(deed.power, deed.who))
    return words[(yield Choose(who, what, tuple(words), labels, about=about))]


def do_damage(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """HP are lost."""
    keywords = deed.power.get("keywords", ())
    damage, _ = dealt_by(Fight(world), deed.who, step["amount"], one, keywords)
    cause = called(deed.power, deed.who)
    harm = yield from hurt(world, one, damage, cause, by=deed.who, keywords=keywords)
    if deed.tally:
        deed.tally.dealt += harm.amount


def do_heal(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """HP are regained."""
    yield from heal(world, one, step["amount"], called(deed.power, deed.who))


def do_displace(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """A push, pull, slide, shift or teleport."""
    # Who shifts goes where they like; who is pushed, pulled, slid or teleported, where the other likes.
    by = one if step["do"] == "shift" else deed.who
    fight = Fight(world)
    # Who makes an attack may be out of the fight by what answered it; then nothing is away from them.
    if fight.is_on_map(one) and fight.is_on_map(by):
        power = called(deed.power, deed.who)
        yield from displace(world, one, by, step["amount"], step["do"], chosen="way" in step, power=power)


def do_move(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """A move for nothing, of up to `amount` squares or one's Speed, with the Opportunities that it gives."""
    fight = Fight(world)
    if not fight.is_on_map(one):
        return
    most = step.get("amount")
    reachable = destinations(fight, one, most)
    to_foes, size = fight.measure_to_foes(one), fight.size(one)

    def worth(square: Square) -> tuple[int, int, Square]:
        return to_foes(square, size), reachable[square], square

    names = {format_square(square): square for square in sorted(reachable, key=worth)}
    if not names:
        yield _nothing(world, deed, one, "go")
    else:
        about = WhereTo(one, called(deed.power, deed.who))
        answer = yield _choose(deed, one, "move to", (*names, "stay"), about)
        if answer != "stay":
            yield from walk(world, one, find_way(fight, one, [names[answer]], False, most))


def do_swap(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """Who uses the power and that one change places, where both have room; no Opportunity comes of it."""
    fight = Fight(world)
    if may_change_places(fight, deed.who, one):
        yield from change_places(world, deed.who, one)
    elif one != deed.who:
        yield _nothing(world, deed, one, "swap", one)


def do_choose(world: World, deed: Deed, step: Step, one: str) -> Procedure[list[str]]:
    """One of several lists of steps, as who uses the power says, or with `by` the one whom it befalls."""
    by = one if step.get("by") == "target" else deed.who
    options = {slug(option["name"]): option for option in step["options"]}
    labels = tuple(
        OptionIs(str(option["name"]), steps_in_short(Fight(world), deed, option["steps"], one))
        for option in options.values()
    )
    about = WhichOption(by, called(deed.power, deed.who), "" if one == by else one)
    answer = yield _choose(deed, by, "which", tuple(options), about, labels)
    return (yield from _inner(world, deed, options[answer]["steps"], one))


def do_repeat(world: World, deed: Deed, step: Step, one: str) -> Procedure[list[str]]:
    """Steps done several times."""
    added = []
    for _ in range(min(step["amount"], MOST_TIMES)):
        if Fight(world).is_out(one):
            break
        added += yield from _inner(world, deed, step["steps"], one)
    return added


def do_roll(world: World, deed: Deed, step: Step, one: str) -> Procedure[list[str]]:
    """A die for that one, and the steps of the face that it shows."""
    (face,) = yield Roll(1, 6, deed.power["name"], deed.who)
    yield _noted(world, deed, one, ShowsFace(one, face))
    for span, steps in step["faces"].items():
        first, _, last = span.partition("-")
        if int(first) <= face <= int(last or first):
            return (yield from _inner(world, deed, steps, one))
    return []


# What changes what is about to come


def do_reroll(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """The die on the table is rolled again; the new one counts."""
    coming = deed.answering
    if coming and coming.roll:
        before = coming.die
        coming.lie((yield from coming.roll()))
        yield _noted(world, deed, coming.doer, DieBecomes(before, coming.die))


def do_reduce(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """So much less."""
    yield from _lessen(world, deed, -step["amount"], Adds(-step["amount"], called(deed.power, deed.who)))


def do_halve(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """Half of it, rounded down unless the step says up."""
    if coming := deed.answering:
        half = (coming.amount + (step.get("half") == "up")) // 2
        yield from _lessen(world, deed, half - coming.amount, Halves(called(deed.power, deed.who)))


def _lessen(world: World, deed: Deed, by: int, reason: Reason) -> Procedure[None]:
    if coming := deed.answering:
        coming.amount = max(coming.amount + by, 0)
        coming.reasons.append(reason)
        yield _noted(world, deed, coming.befallen, IsLeft(coming.amount, coming.kind == "displaced"))


def do_prevent(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """It doesn't happen."""
    if coming := deed.answering:
        coming.prevented = True
        coming.amount = 0
        coming.reasons.append(Prevents(called(deed.power, deed.who)))
        yield _noted(world, deed, coming.befallen or coming.doer, ComesToNothing("prevented"))


def do_redirect(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """It befalls that one instead, the first of several."""
    coming = deed.answering
    if coming and not coming.redirected and one not in (coming.befallen, coming.doer):
        coming.redirected = one
        coming.reasons.append(called(deed.power, deed.who))
        yield _noted(world, deed, one, Befalls(one))


def _inner(world: World, deed: Deed, steps: Sequence[Step], one: str) -> Procedure[list[str]]:
    return (yield from do_steps(world, deed, steps, one, deed.holding))


def do_token(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """Miss Tokens for a player."""
    if Fight(world).is_player(one):
        yield from gain_tokens(world, one, step.get("amount", 1))


def do_strike(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """Strikes for a player."""
    if Fight(world).is_player(one):
        yield from gain_strike(world, one, called(deed.power, deed.who), step.get("amount", 1))


def do_ap(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """Action Points for a player."""
    fight = Fight(world)
    if fight.is_player(one):
        ref, amount = fight.combatant(one)["ref"], step.get("amount", 1)
        yield from gain_action_point(world, ref, deed.power["name"], amount)


def spent_class_powers(fight: Fight, who: str) -> list[str]:
    """Ids of the expended Encounter powers of somebody's class (STR-TAC-13)."""
    used: list[str] = fight.combatant(who).get("used", [])
    return [power for power in used if fight.world.book.powers[power]["kind"] == "class"]


def do_regain(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """An expended Encounter power of the class may be used again (STR-TAC-13)."""
    fight = Fight(world)
    words = short_names(spent_class_powers(fight, one))
    if not words:
        return
    labels = tuple(map(ByPower, words.values()))
    answer, *others = words
    if others:
        about = RegainWhich(one)
        answer = yield Choose(one, "regain", tuple(words), labels, kind="regain", about=about)
    power = words[answer]
    yield regained(fight, one, power)


def do_note(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """Words for the table."""
    yield _noted(world, deed, one, step.get("said") or Said(step["text"]))


def do_handler(world: World, deed: Deed, step: Step, one: str) -> Procedure[Any]:
    """What a plugin's handler does; it is a procedure too."""
    return (yield from brought_word(world.book, "handlers", step["handler"])(world, deed, one))
