"""The forms of Team Conflicts: traits, a conflict prepared in campaign.toml, and the one under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.faults import Fault, Faults, Place
from strike_cli.validation import Either, Flag, Known, ListOf, Names, Number, OneOf, Record, TableOf, Text

if TYPE_CHECKING:
    from strike_cli.systems.core.data import ContentOfCore

    from .data import TraitWritten


def _check_pairs(trait: TraitWritten, where: Place, faults: Faults) -> None:
    for one, other in (("either", "either_when"), ("next_on", "next_defense")):
        if (one in trait) != (other in trait):
            faults.append(Fault(where, f"{one} and {other} need each other"))


TRAIT = Record(
    _check_pairs,
    name=(Text(), ...),
    summary=(Text(), ""),
    advance=Number(-9, 9),  # to its own rolls, every round
    defense=Number(-9, 9),
    either=Number(1, 9),  # to either, as its side chooses
    either_when=OneOf("before", "after"),  # the dice
    grows_advance=Number(1, 9),  # at each round's end
    grows_defense=Number(1, 9),
    hit_on=OneOf("draw", "push"),  # an extra Hit on the opponents
    next_on=OneOf("draw", "push"),  # when the opponents have `next_defense` for a round
    next_defense=Either(int, Number(-9, -1), OneOf("margin")),
    recover_on=OneOf("draw", "push"),
    ablates=Number(-9, -1),  # what a Hit on the opponents may do to their Defense instead
    drains=OneOf("instead", "as-well"),
    ignores_hits=Number(1, 9),
    ties=Flag(),
    irremovable=Flag(),
    strike_on_win=Number(1, 9),  # on the opponents when they win
    owed_on_win=ListOf(OneOf("minor", "major")),
    hit_for_loss=Flag(),
    by_hand=Text(),
    override=(Flag(), False),
)


class _Member(Text):
    """The id of a character, as it stands in campaign.toml."""

    def resolve(self, value: object, where: Place, names: Names) -> object:
        if not names.has("characters", str(value)):
            names.full_id("characters", str(value), where)
        return value


CONFLICT = Record(
    name=(Text(), ...),
    intent=(Text(), ...),
    against=(Text(), ...),
    their_intent=(Text(), ...),
    advance=Number(0, 20),  # the opposition's; one less than there are players unless said
    defense=Number(0, 20),
    traits=(ListOf(Text()), []),
    our_traits=(ListOf(Text()), []),
    team=(ListOf(_Member()), []),
    their_team=(ListOf(_Member()), []),  # players on the other side too
    no_withdrawal=(Flag(), False),
    swaps=(TableOf(Text()), {}),  # an event of the double tie, and what comes in its place
    summary=(Text(), ""),
)


_ROLLS = OneOf("advance", "defense")
_CHOSEN = Record(
    action=(Text(), ...), skill=Text(), using=Text(), to=_ROLLS, came=Text(), recover=Text(), next=_ROLLS
)
_CAUSE = Record(clause=(Text(), ...), action=Text(), by=Text(), side=Text(), name=Text())
_BONUS = Record(
    first=(Number(1), ...),
    last=(Number(1), ...),
    advance=Number(),
    defense=Number(),
    until_push=Flag(),
    why=(Either(dict, _CAUSE, Text()), ...),  # words in a conflict of an older strike
)


def _side(book: ContentOfCore) -> Record:
    return Record(
        name=(Text(), ...),
        intent=(Text(), ...),
        team=(ListOf(Known("characters", book.characters)), ...),  # empty for an opposition that acts as one
        advance=(Number(0, 20), ...),
        defense=(Number(0, 20), ...),
        strikes=(Number(0), ...),
        irremovable=Number(0),
        cost_of_win=Number(0),  # of the Strikes, as long as the win may be averted
        traits=(ListOf(Text()), ...),
        lost_traits=ListOf(Text()),
        actions=TableOf(_CHOSEN),
        opposition=_CHOSEN,
        prepared=TableOf(Text()),
        scouts=Number(0, 2),
        scouted=TableOf(Number(1, 6)),  # what it knows of the other side's dice
        bonuses=ListOf(_BONUS),
        stock=ListOf(OneOf("before", "after")),
        inspired=ListOf(OneOf("each", "one")),
        took_one=ListOf(Text()),
        withdrawn=ListOf(Text()),
        hits_due=Number(0),
        ignored=TableOf(Number(0)),
        grown=TableOf(Number(0)),
    )


def scene_state(book: ContentOfCore) -> Record:
    """`[conflict]` of state.toml."""
    return Record(
        id=Text(),
        name=(Text(), ...),
        people=TableOf(Record(name=(Text(), ...))),
        round=(Number(1), ...),
        ours=(_side(book), ...),
        theirs=(_side(book), ...),
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
