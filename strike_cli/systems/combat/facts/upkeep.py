"""What the start and the end of a turn bring."""

from strike_cli.kernel.statements import Clause, Decision, Person, Reason
from strike_cli.tabletop.facts import Status

from .causes import Power


class RechargeRolled(Clause):
    """A die for a power that it may bring back."""

    who: Person
    power: Power
    face: int

    says = "{who} rolls for {power}: {face}."


class WhatFirst(Decision):
    """Which effect of the start or end of a turn comes first (STR-TAC-03)."""

    who: Person

    asks = "What comes first for {who}?"


class DamageFrom(Clause):
    """An effect of a turn: so much damage."""

    amount: int
    cause: Reason

    says = "{amount} damage from {cause}"


class HpFrom(Clause):
    """An effect of a turn: so many HP."""

    amount: int
    cause: Reason

    says = "{amount} HP from {cause}"


class Ends(Clause):
    """An effect of a turn: a status ends."""

    status: Status

    says = "{status} ends"


class Recharges(Clause):
    """An effect of a turn: a die that may bring a power back."""

    power: Power

    says = "{power} recharges"
