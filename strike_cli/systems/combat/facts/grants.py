"""Attacks that somebody is granted."""

from strike_cli.kernel.statements import Clause, Decision, Person, Reason


class CantAttack(Clause):
    """Somebody who was granted an attack, or charged at a `target`, can't make it.

    The reason is known or not.
    """

    who: Person
    how: str = ""
    target: Person = ""
    because: Reason = ""

    unseen = ("target",)
    says = (
        "{who} {how:now=can't attack now.|nobody=has nobody to attack.|can't attack {target}[: {because}].}"
    )


class AttackWith(Decision):
    """With what somebody makes an attack that they are granted (STR-TAC-04)."""

    who: Person
    power: Reason

    asks = "[{power}: ]{who} may attack at once. With what?"


class AttackWhom(Decision):
    """Whom somebody attacks who is granted an attack (STR-TAC-04)."""

    who: Person
    power: Reason
    granted_by: Reason

    asks = "[{granted_by}: ]{who} may attack at once with {power}. Whom?"


class NoAttack(Clause):
    """An option: the attack isn't made."""

    says = "no attack"
