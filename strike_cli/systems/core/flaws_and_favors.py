"""Flaws, Favors and banked bonuses: how they are gained and lost (STR-CORE-07, 10, 11, 17)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeVar

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.characters_and_names import (
    action_points,
    character_changes_of,
    display_name,
    gain_action_points,
)

from .facts.costs import (
    Banked,
    BonusDropped,
    Favor,
    FavorAssociated,
    FavorGained,
    FavorOverdue,
    FavorRepaid,
    Flaw,
    FlawGained,
    FlawMended,
    FlawUsed,
)
from .facts.rolls import TwistFromFlaw
from .roll_circumstances import bank_bonus, favor_dependency_key

if TYPE_CHECKING:
    from strike_cli.tabletop.data import BankedKept, FavorKept, FlawKept

    from .data import (
        BankData,
        BankDropData,
        FavorAddData,
        FavorAssociateData,
        FavorOverdueData,
        FavorRepayData,
        FlawAddData,
        FlawMendData,
        FlawUseData,
    )

    Held = TypeVar("Held", FlawKept, FavorKept, BankedKept)


def cost_decider(world: World) -> str:
    """Return the decider of a roll's Cost: "gm", or "payer" for the person who pays it.

    The house rule `costs` names the decider (STR-CORE-09).
    """
    return str(world.book.house["costs"])


class AddFlaw(Args):
    """The arguments of `flaw add`: a Flaw of something that the person `who` has or knows.

    `on` is this item or piece of knowledge. `text` describes the Flaw.
    """

    who: str
    on: str
    text: str = ""


class HeldItem(Args):
    """The arguments of a command about something that `who` has: a Flaw, a Favor or a banked bonus.

    The thing is given by its id.
    """

    who: str
    id: str


class AddFavor(Args):
    """The arguments of `favor add`: the person `who` owes a Favor to the creditor `to`, a person or party.

    `text` describes the Favor. `associates` are people who are as hard to ask for help as the creditor. If
    `reputation` is true, a Bad Reputation is recorded instead of a Favor.
    """

    who: str
    to: str
    text: str = ""
    reputation: bool = False
    associates: Sequence[str] = ()

    def rests_on(self) -> Iterator[str]:
        """Yield the keys of the state on which the move depends.

        They are the keys for debts to the creditor, and to each associate of the creditor.
        """
        yield from map(favor_dependency_key, (self.to, *self.associates))


class AddAssociate(HeldItem):
    """The arguments of `favor associate`: the name of a new associate of a Favor's creditor."""

    name: str


class RepayFavor(HeldItem):
    """The arguments of `favor repay`.

    `lived_down` is whether the story has restored the reputation, in case of a Bad Reputation.
    """

    lived_down: bool = False


class Bank(Args):
    """The arguments of `bonus bank`: the bonus (`gives`), and the later roll that it is for (`for_`)."""

    who: str
    for_: str
    gives: Literal["advantage", "disadvantage"] = "advantage"
    why: str = ""


def gain_flaw(
    world: World, person: str, on: str, text: str, further_changes: Mapping[str, object] | None = None
) -> Procedure[str]:
    """Give a person a Flaw, for example of a tool; return the Flaw's id, like `f1` (STR-CORE-10).

    `on` is the item or the knowledge that has the Flaw, and `text` describes the Flaw. `further_changes` of
    the state are made with the same fact.
    """
    item = _nonempty_details(id=next_flaw_id(world, person), on=on, text=text)
    sets = {**_changes_adding(world, "flaws", person, item), **(further_changes or {})}
    yield world.tell(FlawGained(person, Flaw.from_json(item)), sets)
    return str(item["id"])


def next_flaw_id(world: World, person: str) -> str:
    """Return the id that a character's next Flaw gets."""
    return next_item_id("f", character_changes_of(world, person).get("flaws", ()))


def gain_favor(
    world: World, person: str, to: str, text: str, *, reputation: bool = False, associates: Sequence[str] = ()
) -> Procedure[str]:
    """Record that a person owes a Favor (STR-CORE-11). Return its id, like `v1`.

    `to` is the creditor. With `reputation`, record a Bad Reputation instead of the Favor. `associates` are
    people who become as hard to ask as the creditor.
    """
    id_ = next_item_id("v", character_changes_of(world, person).get("favors", ()))
    item = _nonempty_details(id=id_, to=to, text=text, associates=[*associates], reputation=reputation)
    yield world.tell(
        FavorGained(person, Favor.from_json(item)), _changes_adding(world, "favors", person, item)
    )
    return id_


def next_item_id(letter: str, held: Iterable[FlawKept | FavorKept]) -> str:
    """Return the next unused id with this letter: f1, f2 and so on."""
    return f"{letter}{1 + max((int(item['id'][1:]) for item in held), default=0)}"


def _nonempty_details(**item: object) -> dict[str, object]:
    return {key: value for key, value in item.items() if value}


def _changes_adding(world: World, kind: str, person: str, item: Mapping[str, object]) -> dict[str, object]:
    return {f"characters.{person}.{kind}": [*_stored_items(world, person, kind), item]}


def _stored_items(world: World, person: str, kind: str) -> list[dict[str, object]]:
    held: list[dict[str, object]] = world.get(f"characters.{person}.{kind}", [])
    return held


def play_flaw_add(world: World, args: AddFlaw) -> Procedure[FlawAddData]:
    """Play `flaw add`: the game master gives something a Flaw."""
    id_ = yield from gain_flaw(world, args.who, args.on, args.text)
    return {"who": args.who, "id": id_, "on": args.on, "text": args.text}


def play_flaw_use(world: World, args: HeldItem) -> Procedure[FlawUseData]:
    """Play `flaw use`: a Flaw causes a Twist without a roll, and earns an Action Point.

    The Flaw remains (STR-CORE-10).
    """
    person, flaw = args.who, _find_flaw(world, args)
    yield world.tell(FlawUsed(person, Flaw.from_json(flaw), "twist"))
    yield from gain_action_points(world, person, TwistFromFlaw(flaw["on"]))
    points = action_points(world, person)
    return {"who": person, "id": flaw["id"], "on": flaw["on"], "outcome": "twist", "ap": points}


def _find_flaw(world: World, args: HeldItem) -> FlawKept:
    return _find_held_item(world, args, character_changes_of(world, args.who).get("flaws", ()), "Flaw")


def _find_held_item(world: World, args: HeldItem, held: Sequence[Held], kind: str) -> Held:
    for item in held:
        if item["id"] == args.id:
            return item
    have = listed(f"{item['id']} ({item.get('on') or item.get('to') or item.get('for')})" for item in held)
    raise Refused(f"{display_name(world, args.who)} has no {kind} {args.id}.", f"Known: {have}.")


def play_flaw_mend(world: World, args: HeldItem) -> Procedure[FlawMendData]:
    """Play `flaw mend`: a Flaw is repaired."""
    person, flaw = args.who, _find_flaw(world, args)
    yield world.tell(FlawMended(person, Flaw.from_json(flaw)), _changes_removing(world, "flaws", args))
    return {"who": person, "id": flaw["id"], "on": flaw["on"]}


def _changes_removing(world: World, kind: str, args: HeldItem) -> dict[str, object]:
    left = [item for item in _stored_items(world, args.who, kind) if item["id"] != args.id]
    return {f"characters.{args.who}.{kind}": left or None}


def play_favor_add(world: World, args: AddFavor) -> Procedure[FavorAddData]:
    """Play `favor add`: a Favor is owed from now on."""
    id_ = yield from gain_favor(
        world, args.who, args.to, args.text, reputation=args.reputation, associates=args.associates
    )
    return {"who": args.who, "to": args.to, "text": args.text, "reputation": args.reputation, "id": id_}


def play_favor_associate(world: World, args: AddAssociate) -> Procedure[FavorAssociateData]:
    """Play `favor associate`: add somebody who is as hard to ask as a Favor's creditor (STR-CORE-11).

    Raises Refused if the name is the creditor's, or that of a known associate.
    """
    person, favor, name = args.who, _find_favor(world, args), args.name
    known = favor.get("associates", [])
    if name.lower() in [one.lower() for one in (favor["to"], *known)]:
        raise Refused(
            f"{name} is known to be with {favor['to']}.", f"`strike character show {person}` lists creditors."
        )
    changed: FavorKept = {**favor, "associates": [*known, name]}
    told = FavorAssociated(person, Favor.from_json(changed))
    yield world.tell(told, _changes_replacing_favor(world, person, changed))
    return {"who": person, "id": favor["id"], "to": favor["to"], "associates": changed["associates"]}


def _changes_replacing_favor(world: World, person: str, changed: Mapping[str, object]) -> dict[str, object]:
    held = _stored_items(world, person, "favors")
    return {f"characters.{person}.favors": [changed if one["id"] == changed["id"] else one for one in held]}


def _find_favor(world: World, args: HeldItem) -> FavorKept:
    return _find_held_item(world, args, character_changes_of(world, args.who).get("favors", ()), "Favor")


def play_favor_repay(world: World, args: RepayFavor) -> Procedure[FavorRepayData]:
    """Play `favor repay`: remove a Favor that has been repaid.

    Raises Refused for a Bad Reputation if the story hasn't restored the reputation (`lived_down`).
    """
    person, favor = args.who, _find_favor(world, args)
    name = display_name(world, person)
    if favor.get("reputation") and not args.lived_down:
        raise Refused(
            f"{name} has a Bad Reputation with {favor['to']} now: a late Favor doesn't repair it.",
            "Once the story has repaired it: --lived-down.",
        )
    yield world.tell(FavorRepaid(person, Favor.from_json(favor)), _changes_removing(world, "favors", args))
    return {"who": person, "id": favor["id"], "to": favor["to"]}


def play_favor_overdue(world: World, args: HeldItem) -> Procedure[FavorOverdueData]:
    """Play `favor overdue`: turn a Favor that was not repaid in time into a Bad Reputation (STR-CORE-11).

    Raises Refused if it is a Bad Reputation already.
    """
    person, favor = args.who, _find_favor(world, args)
    name = display_name(world, person)
    if favor.get("reputation"):
        raise Refused(
            f"{name} has a Bad Reputation with {favor['to']} already.",
            f"If it spreads: `strike favor add {person} PARTY --reputation`.",
        )
    changed: FavorKept = {**favor, "reputation": True}
    yield world.tell(
        FavorOverdue(person, Favor.from_json(changed)), _changes_replacing_favor(world, person, changed)
    )
    return {"who": person, "id": favor["id"], "to": favor["to"], "reputation": True}


def play_bank(world: World, args: Bank) -> Procedure[BankData]:
    """Play `bonus bank`: store Advantage or Disadvantage for a later roll (STR-CORE-07)."""
    id_ = yield from bank_bonus(world, args.who, args.gives, args.for_, args.why)
    return {"who": args.who, "gives": args.gives, "for": args.for_, "why": args.why, "id": id_}


def play_drop(world: World, args: HeldItem) -> Procedure[BankDropData]:
    """Play `bonus drop`: a banked bonus is given up."""
    person = args.who
    item = _find_held_item(world, args, character_changes_of(world, person).get("banked", ()), "banked bonus")
    yield world.tell(BonusDropped(person, Banked.from_json(item)), _changes_removing(world, "banked", args))
    return {"who": person, "id": item["id"], "for": item["for"]}
