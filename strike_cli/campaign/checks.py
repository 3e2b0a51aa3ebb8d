"""Whether a state can be right: what a hand edit, an override or a broken plugin must not leave behind."""

from __future__ import annotations

from math import inf
from typing import Any

from ..content.book import Book
from ..content.forms import DURATIONS, IMAGE, PICTURE, POLYLINE, UNTIL
from ..content.schema import Either, Faults, Flag, Kind, ListOf, Number, OneOf, Record, TableOf, Text
from ..facts import State
from ..problems import nearest
from ..rules.grid import LEGEND, Grid, footprint, parse_square


class _Anything(Kind):
    def check(self, value: Any, where: str, faults: Faults) -> Any:
        return value


class _Known(Kind):
    """The full id of something in the book."""

    def __init__(self, kind: str, book: Book) -> None:
        self.kind = kind
        self.table: dict[str, Any] = getattr(book, kind)

    def check(self, value: Any, where: str, faults: Faults) -> Any:
        if not isinstance(value, str) or value not in self.table:
            faults.append(f"{where}: {value!r} is none of the {self.kind}.{nearest(str(value), self.table)}")
        return value


def _is_square(text: str) -> bool:
    try:
        parse_square(text)
    except ValueError:
        return False
    return True


def _is_row(text: str) -> bool:
    return all(sign in LEGEND for sign in text)


def state_form(book: Book) -> Record:
    """The form of state.toml below its head."""
    status = Record(
        id=(_Known("statuses", book), ...),
        ends=(OneOf(*DURATIONS), ...),
        until=OneOf(*UNTIL),
        of=Text(),
        by=Text(),
        later=Flag(),
        value=Number(0),
    )
    combatant = Record(
        name=(Text(), ...),
        ref=(Text(), ...),
        side=(OneOf("party", "enemies"), ...),
        at=Text(_is_square, "a square like C7"),
        size=(Number(1, 6), ...),
        hp=(Number(), ...),
        max_hp=(Number(1), ...),
        initiative=Number(-10, 20),
        acted=Number(0),
        turns=Number(2),  # a round, where they are several
        taken=Number(2),  # turns in the round of `acted`, where they are several
        threshold=Number(1),  # damage that checks a box, where `hp` are boxes
        dented=Flag(),
        delayed=Flag(),
        prepared=Record(
            trigger=(Text(), ...), then=(Text(), ...), do=(OneOf("attack", "move", "charge"), ...)
        ),
        miss_tokens=Number(0),
        strikes=Number(0),
        improvised=Number(0),  # how often, in this fight
        statuses=ListOf(status),
        used=ListOf(_Known("powers", book)),
        hidden=Flag(),
        hiding=Number(0),  # the round in which it went out of sight
        was_bloodied=Flag(),
        out=OneOf("taken-out", "left"),
        image=PICTURE,  # as its sheet named it when it joined
    )
    zone = Record(
        name=(Text(), ...),
        squares=(ListOf(Text(_is_square, "a square like C7")), ...),
        by=Text(),
        damage=Number(0),
        difficult=Flag(),
        sight=OneOf("obscured", "dark"),
        secret=Flag(),
        ends=(OneOf("turn-start", "turn-end", "encounter"), ...),
        later=Flag(),
        hit=TableOf(Number(0)),  # the round in which it last hurt each
    )
    board = Record(
        rows=(ListOf(Text(_is_row, "a row of . # ~ + / and blanks")), ...),
        walls=ListOf(POLYLINE),
        doors=ListOf(Record(at=(POLYLINE, ...), open=(Flag(), ...))),
        image=IMAGE,
    )
    fight = Record(
        id=(Text(), ...),
        name=(Text(), ...),
        goal=Text(),
        round=(Number(0), ...),
        active=Text(),
        turn=TableOf(Either(list, ListOf(Text()), Number(0))),
        interrupt=Text(),
        due=Record(who=(Text(), ...), amount=(Number(1), ...), why=(Text(), ...)),
        map=(board, ...),
        zones=TableOf(zone),
        order=ListOf(Text()),
        combatants=(TableOf(combatant), ...),
    )
    character = Record(
        ap=Number(0),
        conditions=ListOf(_Known("conditions", book)),
        doubts=ListOf(Text()),  # the Skills that Lost Confidence touches
        skills_learned=ListOf(Text()),
        flaws=ListOf(Record(id=(Text(), ...), on=(Text(), ...), text=Text())),
        favors=ListOf(
            Record(
                id=(Text(), ...),
                to=(Text(), ...),
                text=Text(),
                reputation=Flag(),
                associates=ListOf(Text()),  # of those whom it is owed to
            )
        ),
        banked=ListOf(
            Record(
                id=(Text(), ...),
                gives=(OneOf("advantage", "disadvantage"), ...),
                for_=(Text(), ...),
                why=Text(),
            )
        ),
        tricks_gained=ListOf(Record(name=(Text(), ...), skill=Text())),
        tricks_lost=ListOf(Text()),
        complications_gained=ListOf(Text()),
        complications_lost=ListOf(Text()),
        fallback=Text(),
        fallback_used=Number(0),  # the session in which it was
        awesome_given=Number(0),  # the session in which the Awesome Point was
        levels=Number(0),
        skill_uses=TableOf(Number(0)),
        trick_uses=TableOf(Number(0)),
        complication_uses=Number(0),
        wealth=Number(0, 3),
        cash=ListOf(Number(0, 4)),
        last_roll=_Anything(),
    )
    rolls = OneOf("advance", "defense")
    chosen = Record(
        action=(Text(), ...), skill=Text(), using=Text(), to=rolls, came=Text(), recover=Text(), next=rolls
    )
    bonus = Record(
        first=(Number(1), ...),
        last=(Number(1), ...),
        advance=Number(),
        defense=Number(),
        until_push=Flag(),
        why=(Text(), ...),
    )
    conflict_side = Record(
        name=(Text(), ...),
        intent=(Text(), ...),
        team=(ListOf(_Known("characters", book)), ...),  # empty for an opposition that acts as one
        advance=(Number(0, 20), ...),
        defense=(Number(0, 20), ...),
        strikes=(Number(0), ...),
        irremovable=Number(0),
        cost_of_win=Number(0),  # of the Strikes, as long as the win may be averted
        traits=(ListOf(Text()), ...),
        lost_traits=ListOf(Text()),
        actions=TableOf(chosen),
        opposition=chosen,
        prepared=TableOf(Text()),
        scouts=Number(0, 2),
        scouted=TableOf(Number(1, 6)),  # what it knows of the other side's dice
        bonuses=ListOf(bonus),
        stock=ListOf(OneOf("before", "after")),
        inspired=ListOf(OneOf("each", "one")),
        took_one=ListOf(Text()),
        withdrawn=ListOf(Text()),
        hits_due=Number(0),
        ignored=TableOf(Number(0)),
        grown=TableOf(Number(0)),
    )
    conflict = Record(
        id=Text(),
        name=(Text(), ...),
        round=(Number(1), ...),
        ours=(conflict_side, ...),
        theirs=(conflict_side, ...),
        death=Flag(),
        no_withdrawal=Flag(),
        swaps=TableOf(Text(), OneOf(*"123456")),
        ended=OneOf("win", "lose", "double-tie", "conceded", "they-conceded", "undecided"),
        rest=Record(  # of a round that a Hit holds up
            outcome=(Text(), ...),
            counts_as=(TableOf(OneOf("win", "tie", "lose")), ...),
            margins=(TableOf(Number()), ...),
            recover=Text(),
            over=Flag(),
            costly=Number(0),
            struck=Flag(),
        ),
    )
    task = Record(who=(Text(), ...), task=(Text(), ...), intent=(Text(), ...), text=Text())
    session = Record(number=(Number(0), ...), open=(Flag(), ...), started=Text(), title=Text())
    pending = Record(
        command=(Text(), ...),
        args=_Anything(),
        answers=_Anything(),
        who=Either(str, Text(), Text()),
        what=(Text(), ...),
        options=ListOf(Text()),
        labels=ListOf(Text()),
        n=(Number(0), ...),
        salt=Number(0),
        secret=Flag(),
        entered=Flag(),
        faces=ListOf(Number(1)),
        seed=Number(),
        said=ListOf(Text()),
    )
    chase_action = OneOf("flee", "hide", "double-back", "set-up", "risk")
    chase = Record(
        id=Text(),
        name=(Text(), ...),
        runners=(ListOf(Text()), ...),
        chasers=(ListOf(Text()), ...),
        out=ListOf(Text()),
        range=(OneOf("caught", "close", "medium", "far", "escaped"), ...),
        danger=(Number(0, 2), ...),
        round=(Number(0), ...),
        runners_action=chase_action,
        prediction=chase_action,
        prediction_secret=Flag(),
        runners_advantage=Flag(),
        shooters=ListOf(
            Record(who=(Text(), ...), at=(OneOf("runners", "chasers"), ...), driving=(Flag(), ...))
        ),
        winner=OneOf("runners", "chasers"),
        ended=OneOf("caught", "escaped", "hidden", "pinned", "crash", "stopped"),
    )
    return Record(
        session=session,
        chase=chase,
        characters=TableOf(character),
        fight=fight,
        conflict=conflict,
        pending=TableOf(pending),
        tasks=ListOf(task),
        plugins=_Anything(),
    )


def state_faults(state: State, book: Book, before: State | None = None) -> list[str]:
    """What can't be right about a state: a line each, with the path. `before` is the state that somebody
    has edited: a decision that waits may be taken away, but it is not for editing."""
    faults: list[str] = []
    _check_plain(state, "state.toml", faults)
    if not faults:
        state_form(book).check(state, "state.toml", faults)
    if not faults and "fight" in state:
        _check_turns(state["fight"], faults)
        _check_places(state["fight"], faults)
    if not faults and before is not None:
        waiting = before.get("pending", {})
        for scene, item in state.get("pending", {}).items():
            if item != waiting.get(scene):
                faults.append(
                    f"state.toml.pending.{scene}: a decision can't be edited; `strike choose` answers it, "
                    "`strike undo` takes it back"
                )
    characters = state.get("characters", {})
    for who in characters if isinstance(characters, dict) else ():
        if who not in book.characters:
            hint = nearest(who, book.characters)
            faults.append(f"state.toml.characters.{who}: no such character in campaign.toml.{hint}")
    return [fault.replace("state.toml.", "state.toml: ") for fault in faults]


def _check_plain(value: Any, where: str, faults: Faults) -> None:
    """Whether the journal can hold it: no dates, no endless numbers, no key that a path can't name."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not key or "." in key:
                faults.append(f"{where}.{key!r}: a key can't be empty or hold a dot")
            _check_plain(inner, f"{where}.{key}", faults)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            _check_plain(inner, f"{where}[{number + 1}]", faults)
    elif not isinstance(value, str | int | float) or value != value or value in (inf, -inf):
        faults.append(f"{where}: {value} is neither text nor a number, true or false")


def _check_places(fight: dict[str, Any], faults: Faults) -> None:
    """Who stands in a wall, outside the map, or on somebody else."""
    grid = Grid(fight["map"]["rows"])
    taken: dict[tuple[int, int], str] = {}
    for who, combatant in fight["combatants"].items():
        if "at" not in combatant or "out" in combatant:
            continue
        where = f"state.toml.fight.combatants.{who}.at: {combatant['at']}"
        squares = footprint(parse_square(combatant["at"]), combatant["size"])
        others = [taken[square] for square in squares if square in taken]
        if any(grid.blocked(square) for square in squares):
            faults.append(f"{where} is outside the map or in a wall")
        elif others:
            faults.append(f"{where} is taken by {others[0]}")
        taken.update(dict.fromkeys(squares, who))


def _check_turns(fight: dict[str, Any], faults: Faults) -> None:
    there = fight["combatants"]
    named = [("order", who) for who in fight.get("order", [])]
    named += [(key, fight[key]) for key in ("active", "interrupt") if key in fight]
    named += [("due.who", fight["due"]["who"])] if "due" in fight else []
    for key, who in named:
        if who not in there:
            faults.append(f"state.toml.fight.{key}: {who!r} is not in the fight.{nearest(who, there)}")
