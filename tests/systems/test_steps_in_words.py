"""Every power that comes with strike can be read: in a question, on a sheet, in full (STR-TAC-12)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with

from strike_cli.content.merged_content import Book, open_book
from strike_cli.kernel.statements import Clause, Reason, option_effect_words, say
from strike_cli.systems.combat.facts.step_descriptions import FaceIs, OptionIs, StepIs
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.powers.powers_and_targets import Aim, PowerUse
from strike_cli.systems.combat.powers.step_play_and_summaries import summarize_effective_else_first_step
from strike_cli.systems.combat.steps import (
    AMOUNTS,
    COMPULSION_STEPS,
    CONDITIONS,
    PARTS,
    WHOM,
    StepTable,
    steps_with_nested,
)
from strike_cli.systems.combat.steps.step import STEPS, describe_steps, steps_words_on_sheet
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker
from strike_cli.tabletop.rules_vocabulary import DURATIONS

ROOT = Path(__file__).parents[2]
KEYS = [
    word
    for word in (*STEPS, *AMOUNTS, *DURATIONS, *WHOM, "if_status", "next-target")
    if re.search("[-_]", word)
]
RAW = re.compile(r"[{}\[\]=<>'\"]{2}|[{}=_]|\b(None|True|False|the effect|\w+:\w+)\b|" + "|".join(KEYS))
"""What nobody says at a table: keys of the form, TOML, Python, an effect that isn't named."""


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory, _environment: None) -> Book:
    """The example's campaign with all that comes with strike."""
    folder = tmp_path_factory.mktemp("shipped")
    text = (ROOT / "campaign.example.toml").read_text("utf-8")
    assert "\n# include = [" in text or "\ninclude = [" in text
    (folder / "campaign.toml").write_text(
        text.replace('\n# include = ["strike', '\ninclude = ["strike'), "utf-8"
    )
    return open_book(folder)


def steps_of(book: Book) -> Iterator[tuple[dict[str, Any], list[StepTable]]]:
    for key, power in book.powers.items():
        for part in PARTS:
            if power.get(part):
                yield {"id": key, **power}, power[part]


def words_of(book: Book, fight: Fight, power: dict[str, Any], steps: list[StepTable]) -> Iterator[str]:
    """Every way in which they are said."""
    yield steps_words_on_sheet(book, steps)
    yield describe_steps(book, steps)
    speaker = GameMasterSpeaker(book, [fight.world.state])
    for holding in (frozenset[str](), frozenset(CONDITIONS)):
        use = PowerUse("vex", power, Aim(("goblin",)), conditions_met=holding)
        for said in summarize_effective_else_first_step(fight, use, steps, "goblin"):
            yield (say(said, speaker) if isinstance(said, Clause) else said) or ""


def test_no_shipped_power_speaks_in_keys(shipped: Book) -> None:
    game = Game(shipped)
    game.draw("V.B", ".og").begin("vex")
    powers = list(steps_of(shipped))
    assert len(powers) > 200
    unread = [
        f"{power['id']}: {words}"
        for power, steps in powers
        for words in words_of(shipped, Fight(game.world), power, steps)
        if not words.strip() or RAW.search(words)
    ]
    assert unread == []


def plain(said: Reason) -> Iterator[str]:
    """Words in it that are no template's."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, StepIs):
        yield from plain(said.words)
    elif isinstance(said, OptionIs | FaceIs):
        for inner in getattr(said, "comes_to", None) or getattr(said, "steps", ()):
            yield from plain(inner)


def test_only_a_plugins_step_has_words_of_its_own_in_a_question(shipped: Book) -> None:
    """The others are values, by which they are redacted and translated."""
    game = Game(shipped)
    game.draw("V.B", ".og").begin("vex")
    fight = Fight(game.world)
    for power, steps in steps_of(shipped):
        use = PowerUse("vex", power, Aim(("goblin",)), conditions_met=frozenset(CONDITIONS))
        brought = [step["text"] for step in steps_with_nested(steps) if step["do"] == "handler"]
        said = [
            words
            for step in summarize_effective_else_first_step(fight, use, steps, "goblin")
            for words in plain(step)
            if words
        ]
        assert said == brought, power["id"]


STATUS = 'do = "apply", status = "core:dazed"'


ANSWERS = [
    ('{ do = "push", amount = 2, if = "adjacent" }', "pushed 2"),
    ('{ do = "damage", amount = 5, if = "bloodied" }', "nothing, as Goblin 1 is not Bloodied"),
    ('{ do = "push", amount = 1, if_status = "core:prone" }', "pushed 1, if Prone"),
    ('{ do = "heal", to = "self", amount = 2, once = "round" }', "Vex regains 2 HP, once a round"),
    ('{ do = "damage", amount = 2, to = "enemies", within = 1, from = "target" }',
     "each enemy within 1 of Goblin 1 (Goblin 2) takes 2 damage"),
    ('{ do = "heal", amount = { of = "enemies-adjacent" }, to = "ally", within = 5 }',
     "an ally within 5 (Brann) regains HP equal to the number of adjacent enemies"),
    ('{ do = "attack", to = "ally", within = 5, at = "target" }',
     "an ally within 5 (Brann) makes a basic attack against Goblin 1"),
    (
        '{ do = "damage", to = "enemies", within = 3, from = "target", amount = 1 }, '
        '{ do = "apply", to = "self", status = "core:guarded", duration = "turn-start" }, '
        f'{{ {STATUS}, duration = "save" }}',
        "each enemy within 3 of Goblin 1 (Goblin 2) takes 1 damage; "
        "Vex is Guarded until the start of their next turn; "
        "Goblin 1 is Dazed until a Saving Throw ends it",
    ),
    (
        '{ do = "roll", faces = { 1-3 = [{ do = "push", amount = 1 }, { do = "apply", '
        'status = "core:prone", duration = "permanent" }], 4-6 = [] } }',
        "a die (on 1-3 pushed 1 and Prone; on 4-6 nothing)",
    ),
]  # fmt: skip
"""Steps of a glancing hit, and what it comes to for whoever takes them in place of damage."""


def test_a_glancing_hit_says_what_each_answer_comes_to() -> None:
    """STR-TAC-09, 12: whole, for somebody who sees nothing else."""
    nick = 'name = "Nick"\nreach = 1\ndamage = 3\n'
    nicks = [f"[powers.nick-{at}]\n{nick}effect = [{step}]" for at, (step, _) in enumerate(ANSWERS)]
    game = Game(book_with("\n".join(nicks), "vex")).draw("VggB").begin("vex")
    for number, (step, comes_to) in enumerate(ANSWERS):
        with case(step):
            aimed = {"power": f"nick-{number}", "targets": ["goblin-1"]}
            question = game.asked("combat attack", who="vex", dice=[3], **aimed)
            speaker = game.speaker()
            assert question.about is not None
            assert option_effect_words(question.about, "effect", speaker) == comes_to
            asks = f"Nick against Goblin 1, a glancing hit: 3 damage, or {comes_to}?"
            assert say(question.about, speaker) == asks


HURT = {"do": "damage", "amount": 1, "to": "target"}
PRONE = {"do": "apply", "status": "core:prone", "duration": "turn-end"}
COMES_TO: list[tuple[StepTable, str]] = [
    ({"do": "apply", "status": "core:ongoing", "amount": 2, "duration": "save"},
     "Ongoing damage 2 until a Saving Throw ends it"),
    (PRONE, "Prone until the end of Vex's next turn"),
    ({**PRONE, "whose": "target"}, "Prone until the end of Goblin 1's next turn"),
    ({**PRONE, "to": "self", "whose": "target"}, "Vex is Prone until the end of their next turn"),
    ({"do": "end"}, "loses a harmful status"),
    ({"do": "end", "status": "core:prone"}, "loses Prone"),
    ({"do": "pull", "amount": 1, "way": "chosen"}, "pulled 1, square by square"),
    ({"do": "slide", "amount": {"die": 4}}, "slid 1d4"),
    ({"do": "shift", "amount": 1, "to": "self"}, "Vex shifts 1"),
    ({"do": "teleport", "amount": 2}, "teleported 2"),
    ({"do": "swap"}, "changes places"),
    ({"do": "swap", "partner": "giver"}, "changes places with Brann"),
    ({"do": "swap", "partner": "other"}, "changes places"),
    ({"do": "swap", "partner": "next-target"}, "changes places with the next target"),
    ({"do": "swap", "to": "self", "partner": "giver"}, "Vex changes places with Brann"),
    ({"do": "choose", "options": [{"name": "A", "steps": [HURT]}, {"name": "B", "steps": []}]},
     "a choice of A (1 damage) or B"),
    ({"do": "repeat", "amount": 3, "steps": [HURT]}, "3 times: 1 damage"),
    ({"do": "repeat", "amount": {"of": "round"}, "steps": [HURT]}, "the number of the round times: 1 damage"),
    ({"do": "roll", "faces": {"1-3": [], "4-6": [HURT]}}, "a die (on 1-3 nothing; on 4-6 1 damage)"),
    ({"do": "reroll"}, "the die is rolled again"),
    ({"do": "reduce", "amount": 2}, "2 less"),
    ({"do": "halve"}, "half of it, rounded down"),
    ({"do": "halve", "half": "up"}, "half of it, rounded up"),
    ({"do": "prevent"}, "it doesn't happen"),
    ({"do": "redirect"}, "it befalls Vex instead"),
    ({"do": "redirect", "to": "ally"}, "it befalls Brann instead"),
    ({"do": "save"}, "a Saving Throw at once"),
    ({"do": "zone", "name": "Mud", "amount": {"die": 4}, "sight": "dark", "blocks": True, "cover": True,
      "status": "core:prone"},
     "a zone, Mud (damage equal to 1d4, completely obscured, a wall, cover): Prone"),
    ({"do": "zone", "name": "Mud", "amount": 2, "spread": 1, "along": True, "duration": "turn-end"},
     "a zone, Mud, within 1 (2 damage), that moves along until the end of Vex's next turn"),
    ({"do": "zone", "name": "Mud", "spread": 2, "difficult": True}, "a zone, Mud, within 2 (difficult)"),
    ({"do": "move-zone", "zone": "Mud"}, "Mud moves 1"),
    ({"do": "move-zone", "amount": {"die": 4}, "way": "away"}, "the zone moves 1d4 away"),
    ({"do": "move-zone", "way": "nearer"}, "the zone moves 1 nearer"),
    ({"do": "move-zone", "way": "random"}, "the zone moves 1 at random"),
    ({"do": "grow-zone", "zone": "Mud"}, "Mud grows by 1"),
    ({"do": "grow-zone", "amount": {"die": 4}}, "the zone grows by 1d4"),
    ({"do": "end-zone", "zone": "Mud"}, "Mud ends"),
    ({"do": "end-zone"}, "the zone ends"),
    ({"do": "summon", "creature": "goblin", "amount": 2, "duration": "turn-end"},
     "calls 2 x Goblin until the end of Vex's next turn"),
    ({"do": "summon", "creature": "goblin"}, "calls Goblin"),
    ({"do": "summon", "creature": "goblin", "amount": {"die": 4}}, "calls 1d4 x Goblin"),
    ({"do": "dismiss"}, "is gone"),
    ({"do": "token", "to": "self"}, "Vex gains a Miss Token"),
    ({"do": "strike", "amount": 2}, "2 Strikes"),
    ({"do": "ap"}, "an Action Point"),
    *(({"do": do, "amount": {"die": 4}}, f"1d4 {what}s") for do, what in {
        "token": "Miss Token", "strike": "Strike", "ap": "Action Point",
    }.items()),
    ({"do": "regain"}, "an Encounter power again"),
    ({"do": "raise", "status": "core:slowed"}, "Slowed +1"),
    ({"do": "raise", "status": "core:slowed", "amount": 2, "most": 5, "duration": "turn-end"},
     "Slowed +2, 5 at most until the end of Vex's next turn"),
    ({"do": "raise", "status": "core:slowed", "duration": "turn-end", "whose": "target"},
     "Slowed +1 until the end of Goblin 1's next turn"),
    ({"do": "raise", "status": "core:slowed", "amount": {"die": 4}}, "Slowed +1d4"),
    ({"do": "lower", "status": "core:slowed", "amount": 2}, "Slowed -2"),
    ({"do": "lower", "status": "core:slowed", "amount": {"die": 4}}, "Slowed -1d4"),
    ({"do": "attack", "uses": "any"}, "makes any attack"),
    ({"do": "attack", "range": "ranged", "at": "other", "near": 2},
     "makes a basic attack at range against somebody else within 2 of Goblin 1"),
    ({"do": "attack", "power": "plain-cut", "range": "melee"}, "attacks with Plain Cut in melee"),
    ({"do": "move"}, "moves up to their Speed"),
    ({"do": "move", "amount": 2, "to": "self"}, "Vex moves up to 2"),
    ({"do": "move", "amount": {"die": 4}}, "moves up to 1d4"),
    ({"do": "note", "text": "It rains.", "to": "allies"}, "each ally: It rains"),
    ({"do": "opportunity"}, "an Opportunity"),
    ({"do": "opportunity", "to": "giver"}, "Brann gives an Opportunity"),
    ({"do": "handler", "handler": "elements:leap-off"}, "leap off"),
    ({"do": "lose-control", "faces": {
        "1": [{"do": "take-cover", "to": "target"}],
        "2": [{"do": "run-at", "to": "target"}, {"do": "run-from", "to": "target"}],
        "3-6": [{"do": "charge", "to": "target"}, {"do": "melee", "to": "target"},
                {"do": "ranged", "to": "target"}]}},
     "a die of control (on 1 into cover from Brann; on 2 a run at Brann and a run from Brann; on 3-6 a "
     "charge at Brann, a Melee Basic Attack on Brann and a Ranged Basic Attack on Brann)"),
    *(({"do": "heal", "amount": 1, "to": to}, f"{whom}regains 1 HP") for to, whom in {
        "target": "", "self": "Vex ", "ally": "an ally ", "allies": "each ally ", "enemies": "each enemy ",
        "around": "everybody else ", "doer": "", "befallen": "", "giver": "Brann ", "other": "",
        "inside": "everybody in it ", "summons": "each of Vex's summons ",
    }.items()),
    ({"do": "heal", "amount": 1, "to": "around", "within": 1},
     "everybody else within 1 (Goblin 1) regains 1 HP"),
    ({"do": "heal", "amount": 1, "once": "turn"}, "regains 1 HP, once a turn"),
    ({"do": "heal", "amount": 1, "once": "fight"}, "regains 1 HP, once a fight"),
]  # fmt: skip


def test_what_each_step_comes_to(book: Book) -> None:
    """STR-TAC-12: for who decides about it, with who is meant as things stand."""
    game = Game(book).draw("VggB").begin("vex")
    for step, comes_to in COMES_TO:
        with case(step):
            table = {"to": "target", **step}
            use = PowerUse("vex", {"id": "try", "name": "Try"}, Aim(("goblin-1",)), giver="brann")
            (said,) = summarize_effective_else_first_step(Fight(game.world), use, [table], "goblin-1")
            assert say(said, game.speaker()) == comes_to
    assert {step["do"] for step, _ in COMES_TO} | {"damage", "push", *COMPULSION_STEPS} == STEPS.keys()
