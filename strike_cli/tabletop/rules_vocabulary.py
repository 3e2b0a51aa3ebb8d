"""The words for durations, rolls, moments, numbers and zones, shared by schemas, play and texts.

A plugin can add words (`Plugin.words`). An added word is an instance of a class in this module, such as
Duration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from ..immutable_records import Value
from ..kernel.procedure import Happened


class Duration(Value):
    """A duration of a status, with its wording.

    `rank` compares durations: if a person has the same status twice, the higher rank lasts longer. `given` is
    the wording in a power. `standing` is the wording beside the status of a person. In both, `{}` is the
    person whose turn it is, and `{scene}` the word for the scene. `until` is the moment at which a plugin's
    duration ends. `told` is the wording in `strike content explain`, which may contain `{}`, too. By default
    it is `given`.
    """

    rank: int
    given: str
    standing: str
    until: str = ""
    told: str = ""


DURATIONS: Mapping[str, Duration] = {
    "save": Duration(1, "save ends", "save ends", told="until a Saving Throw ends it"),
    "escape": Duration(1, "escape ends", "until it escapes", told="until an escape roll ends it"),
    "this-turn": Duration(0, "until this turn ends", "end of this turn"),
    "turn-start": Duration(0, "until the next turn starts", "start of {}", told="until {} next turn starts"),
    "turn-end": Duration(0, "until the next turn ends", "end of {}", told="until {} next turn ends"),
    "until": Duration(1, "", ""),
    "encounter": Duration(2, "for the {scene}", "this {scene}", told="for the rest of the {scene}"),
    "permanent": Duration(3, "until ended", "", told="until something ends it"),
}
"""How long a status can last.

`this-turn` lasts to the end of the turn under way, `turn-start` and `turn-end` to the start or end of
somebody's next turn, and `until` to a fact.
"""
OF_TURNS = ("turn-start", "turn-end")
"""The durations that end with somebody's turn."""


Sight = Literal["obscured", "dark", "light"]
"""What a zone does to sight: things in it are concealed, or not seen at all (STR-TAC-22), or it is lit."""
ZoneWho = Literal["enemies", "allies", "friends", "others"]
"""The people whom a zone concerns, as seen from its maker; anybody if it doesn't say."""
ZoneEnd = Literal["turn-start", "turn-end", "encounter"]
"""When a zone ends: at the next start or end of its maker's turn, or with the fight."""


class MomentKind:
    """A kind of moment that a plugin defines. There is such a moment whenever a certain fact is reported.

    Attributes:
        fact: The kind of this fact.
        given, standing: The words for a duration that ends at the moment, as in `Duration`.
        act: The word for what happens to the person at the moment, such as "being".
        of: A function that takes the fact and returns pairs of ids: the person whose moment it is, and the
            person on the other side, or "". By default, the only pair is the person `who` of the fact, and
            "".
        when: The words for the moment as an event, such as `when the tide goes out`.
    """

    def __init__(
        self,
        fact: str,
        given: str,
        standing: str,
        act: str = "being",
        of: Callable[[Happened], Iterable[tuple[str, str]]] = lambda fact: [(fact.who, "")],
        when: str = "",
    ) -> None:
        self.fact = fact
        self.given = given
        self.standing = standing
        self.act = act
        self.of = of
        self.when = when


MOMENTS: Mapping[str, str] = {
    "turn-started": "at the start of its turn",
    "turn-ended": "at the end of its turn",
    "damaged": "when it loses HP",
    "attacks": "before it attacks",
    "shifts": "before it shifts",
    "moved": "when it stands elsewhere",
    "attacked": "when it has been attacked",
    "hit": "when an attack hits it",
    "hits": "when it hits",
    "missed": "when an attack misses it",
    "misses": "when it misses",
    "gaining": "just before it starts",
    "enters": "when a creature enters it",
    "leaves": "when a creature leaves it",
    "zone-ends": "when it ends, for creatures in it",
}
"""The moments of reactions, with words about the holder of the status.

`attacked`, `hit` and `missed` are moments of the target of an attack, `hits` and `misses` of the attacker.
`gaining` is just before its own status begins. For the status of a zone, `enters` and `leaves` are moments of
somebody who comes into the zone or leaves it, and `zone-ends` of those who are in it then.
"""
OF_ZONES = ("enters", "leaves", "zone-ends")
"""The moments of people in a zone that gives the status."""


NUMBERS: Mapping[str, str] = {
    "dealt": "damage dealt",
    "taken": "damage taken",
    "speed": "Speed",
    "reach": "reach",
    "range": "range",
    "forced": "squares of a push, pull or slide",
}
"""The numbers that statuses, conditions and traits change."""
STANDINGS: Mapping[str, str] = {
    "bloodied": "while Bloodied",
    "unhurt": "while unhurt",
    "alone": "with no ally adjacent",
    "with-ally": "with an ally adjacent",
    "first-round": "in the first round",
    "from-giver": "if the other one is the giver",
    "without-giver": "if the other one is not the giver",
    "other-bloodied": "if the other one is Bloodied",
    "other-alone": "if the other one has no ally adjacent",
}
"""When a source or a number counts: depending on its holder, or on the person on the other side."""


class EndingFact(Value):
    """The wording of a status's duration, if a fact such as damage ends the status.

    `given` is the wording in a power, such as `until damaged`. `standing` is the wording beside a status that
    somebody has, such as `until hurt`.
    """

    given: str
    standing: str


UNTIL: Mapping[str, EndingFact] = {
    "damaged": EndingFact("until damaged", "until hurt"),
    "attacks": EndingFact("until it attacks", "until it attacks"),
    "attacked": EndingFact("until attacked", "until attacked"),
    "moved": EndingFact("until it moves", "until moved"),
    "apart": EndingFact("until they are apart", "while near"),
    "giver-down": EndingFact("until the giver is down", "while the giver stands"),
}
"""The facts that end a status.

They are about its holder or, for `apart` and `giver-down`, about its giver.
"""


ROLL_KINDS: Mapping[str, str] = {
    "any": "all rolls",
    "task": "tasks",
    "attack": "attacks",
    "skill": "Skill Rolls",
    "opposed": "Opposed Rolls",
    "help": "rolls to help",
    "save": "saves",
    "comeback": "Comeback Rolls",
    "initiative": "initiative",
    "escape": "escapes",
    "panic": "rolls in panic",
    "assess": "rolls to assess",
    "recovery": "rolls to recover",
}
"""The kinds of roll that statuses and conditions can affect, with words for several such rolls.

`task` is what Conditions call a Skill Roll, an Opposed Roll or help.
"""
TIMES = ("minutes", "long", "day", "week", "year")
"""How long one rests, works, or lives frugally; a longer time includes the shorter ones."""
NEEDS = (*TIMES, "doctor", "success", "cause", "no-other-minor", "no-other")
"""What one needs to recover from a Condition.

It is a time, the aid of a doctor, a success with a Skill that it affects, that its cause is met, or that
there is no other Minor Condition, or none of its severity.
"""
