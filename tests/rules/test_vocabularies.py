"""The words of vocabularies, as people's files have them: forms take each, and it is said as it is meant."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from support.cases import case
from support.game import Game

from strike_cli.content.merged_content import book_of_core_and_plugins
from strike_cli.file_faults import Faults, Place
from strike_cli.problems import Refused
from strike_cli.systems.combat.commands.content_explain import explain_status as explain_status
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.health_and_statuses import status_in_words
from strike_cli.systems.combat.schemas import STATUS
from strike_cli.systems.core.commands.content_explain import condition as explain_condition
from strike_cli.systems.core.data import WholeCondition
from strike_cli.tabletop.effects_in_plain_words import Explainer
from strike_cli.tabletop.rules_vocabulary import MomentKind
from strike_cli.validation_schemas_from_types import form_of

ROLLS = {
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
NUMBERS = {
    "dealt": "damage dealt",
    "taken": "damage taken",
    "speed": "Speed",
    "reach": "reach",
    "range": "range",
    "forced": "squares of a push, pull or slide",
}
STANDINGS = {
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
MOMENTS = {
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
DURATIONS = {
    "turn-start": ("until its next turn starts", "until the start of Vex's next turn"),
    "turn-end": ("until its next turn ends", "until the end of Vex's next turn"),
    "this-turn": ("until this turn ends", "until the end of Goblin's turn"),
    "save": ("until a Saving Throw ends it", "save ends"),
    "escape": ("until an escape roll ends it", "until it escapes"),
    "encounter": ("for the rest of the fight", "this fight"),
    "permanent": ("until something ends it", ""),
}
UNTIL = {
    "damaged": ("until damaged", "until hurt"),
    "attacks": ("until it attacks", "until it attacks"),
    "attacked": ("until attacked", "until attacked"),
    "moved": ("until it moves", "until moved"),
    "apart": ("until they are apart", "while near"),
    "giver-down": ("until the giver is down", "while the giver stands"),
}
LASTS = (("turn-start", "turn-end"), ("save", "escape", *UNTIL), ("encounter",), ("permanent",))
"""Of two that are not on the same line, the later lasts longer."""


def told(**table: Any) -> set[str]:
    """What a status and a Condition with that in them are told to do, once their forms have taken it."""
    faults: Faults = []
    status = STATUS.check({"name": "X", **table}, Place("x"), faults)
    condition = form_of(WholeCondition).check({"name": "X", "severity": "minor", **table}, Place("x"), faults)
    assert faults == []
    lines = (
        explain_status(book_of_core_and_plugins(), status),
        explain_condition(book_of_core_and_plugins(), condition),
    )
    return set.intersection(*({line.text for line in each} for each in lines))


HUMS = {"do": "note", "text": "It hums."}
DOES: list[tuple[str, dict[str, Any]]] = [
    *((f"its {words} have +1", {"sources": [{"on": word, "gives": 1}]}) for word, words in ROLLS.items()),
    *((f"its {words}: +1", {"numbers": [{"of": word, "gives": 1}]}) for word, words in NUMBERS.items()),
    *(
        (f"its damage dealt: +1, {words}", {"numbers": [{"of": "dealt", "gives": 1, "when": word}]})
        for word, words in STANDINGS.items()
    ),
    *(
        (f"its attacks have +1, {words}", {"sources": [{"on": "attack", "gives": 1, "when": word}]})
        for word, words in STANDINGS.items()
    ),
    *(
        (f"{words}: the table plays: It hums", {"reactions": [{"on": word, **HUMS}]})
        for word, words in MOMENTS.items()
    ),
]


def test_each_word_is_taken_and_told() -> None:
    """STR-CORE-12, STR-TAC-25."""
    for words, table in DOES:
        with case(table):
            assert words in told(**table)


def test_what_a_plugin_brings_and_a_scene_has() -> None:
    """Its kinds of rolls by their words; moments by theirs, where it has any, and those of a scene alone."""
    brings = {
        ("rolls", "haggle"): "haggling",
        ("moments", "tide"): MomentKind("tide-out", "", "", when="when the tide goes out"),
        ("moments", "ebb"): MomentKind("ebbs", "", ""),
    }
    reader = Explainer(
        None, lambda _, kind, word: brings[kind, word], lambda _, steps: "it hums", {"dawn": "at daybreak"}
    )
    faults: Faults = []
    read = STATUS.check({"name": "X"}, Place("x"), faults)
    source = {"on": "haggle", "gives": 1, "side": "own", "range": "any", "tags": []}
    read |= {"sources": [source], "reactions": [{"on": on, "steps": []} for on in ("tide", "ebb", "dawn")]}
    assert [line.text for line in reader.explain_effects(read)] == [
        "its haggling have +1", "when the tide goes out: it hums", "at ebb: it hums", "at daybreak: it hums",
    ]  # fmt: skip


def test_what_each_line_is_about() -> None:
    everything: dict[str, Any] = {
        "sources": [{"on": "any", "gives": 1}],
        "bans": [{"action": "shift"}],
        "remaps": [{"stage": "die", "side": "against", "faces": {"1": 3}}, {"stage": "damage", "half": True}],
        "numbers": [{"of": "speed", "gives": 1}],
        "reactions": [{"on": "hit", "do": "note", "text": "It hums."}],
        "by_hand": "It glows.",
    }
    faults: Faults = []
    status = STATUS.check({"name": "X", **everything}, Place("x"), faults)
    assert faults == []
    about = [line.about for line in explain_status(book_of_core_and_plugins(), status)]
    assert about == ["Rolls", "Forbids", "Dice", "Damage", "Numbers", "Then", "By hand", "Kind"]


@pytest.mark.parametrize(("word", "words"), [*DURATIONS.items(), *UNTIL.items()])
def test_how_long_something_lasts(game: Game, word: str, words: tuple[str, str]) -> None:
    """STR-TAC-25: as its power says it, and as it stands with whoever has it."""
    ends = {"duration": "until", "until": word} if word in UNTIL else {"duration": word}
    applied = {"on": "damaged", "do": "apply", "status": "core:slowed", **ends}
    assert f"when it loses HP: it is Slowed, {words[0]}" in told(reactions=[applied])
    game.draw("V..g").begin("goblin")
    game.play("combat status add", who="vex", status="core:slowed", ends=word)
    (status,) = game.of("vex", "statuses")
    by_turns = words[1].startswith("until the")
    stands = f"Slowed {words[1]}" if by_turns else f"Slowed ({words[1]})" if words[1] else "Slowed"
    assert status_in_words(Fight(game.world), "vex", status) == stands


def test_what_lasts_longer_holds(game: Game) -> None:
    """STR-TAC-25: whichever of two comes first."""
    game.draw("V..g")
    before = game.state
    ranked = [(word, rank) for rank, words in enumerate(LASTS) for word in words]
    for (first, one), (second, other) in product(ranked, ranked):
        game.state = before
        for ends in (first, second):
            with suppress(Refused):  # where it stays as it is
                game.play("combat status add", who="vex", status="core:slowed", ends=ends)
        (status,) = game.of("vex", "statuses")
        assert status.get("until", status["ends"]) == (first if one > other else second)
