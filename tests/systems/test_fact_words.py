"""What strike's facts, clauses and questions say of what they derive from their fields, to the game master
and to players who don't know all; and what facts are to a screen."""

from __future__ import annotations

import json
from typing import Any

from support.cases import case
from support.told import Listener
from systems.test_fact_kinds import CLASSES, OURS

from strike_cli.campaign.undo_and_repair_facts import DecisionAsked, EntriesLost, SceneLost, Undone
from strike_cli.kernel.procedure import Choose, Happened, Prose
from strike_cli.kernel.statements import (
    EVENTS,
    STANDS_OUT,
    BeforeAfter,
    Fact,
    Said,
    Statement,
    option_effect_words,
    say,
    statement_from_fields,
)
from strike_cli.systems.chase.facts import ChaseDangerSet, ChaseEnded, ChaseRolled, ChaseRoundOver
from strike_cli.systems.combat.facts.attacks import Attacked, AttackLineRead, AttackOn, Glancing, WillAttack
from strike_cli.systems.combat.facts.effects_and_causes import ByPower, Standing
from strike_cli.systems.combat.facts.harm import (
    ComebackRolled,
    Damaged,
    EscapeRolled,
    Healed,
    SaveRolled,
    TakenOut,
)
from strike_cli.systems.combat.facts.movement_and_sight import (
    Bending,
    CutShort,
    DisplaceTo,
    Moved,
    Pushed,
    Stayed,
    Swapped,
)
from strike_cli.systems.combat.facts.statuses import Lasting, StatusAdded, StatusEnded, StatusIs
from strike_cli.systems.combat.facts.step_descriptions import AttackIs, Measured, StepIs, StepsAre, SwapIs
from strike_cli.systems.combat.facts.zones_and_summons import NoRoomFor, ZoneMoved
from strike_cli.systems.conflict.facts import ConflictOpposed, ConflictRound, Introduced, WasChosen
from strike_cli.systems.core.facts.conditions import RecoveryRolled
from strike_cli.systems.core.facts.costs import CostToPay, Favor, FavorAssociated
from strike_cli.systems.core.facts.points_tricks_and_growth import ComplicationUsed, TheComplication
from strike_cli.systems.core.facts.rolls import DieRolled, HelpedWith, LoseBy, OpposedRolled, SkillRolled
from strike_cli.systems.prep.facts import ClockMoved, DeadlineTold, NoteTaken
from strike_cli.systems.wealth.facts import CashSpent, HelpedToBuy, Thing, WealthRolled
from strike_cli.tabletop.dice import ADVANTAGE, Modifier, Rolled, Source
from strike_cli.tabletop.scene_change_facts import MeterSet, ZoneAdded


def rolled(who: str, *faces: int, purpose: str = "", sides: int = 6, plus: int = 0) -> Rolled:
    return Rolled(who, purpose, faces, sides=sides, modifiers=[Modifier(plus, "")] if plus else [])


def dice(*faces: int, keep: int = 0, plus: int = 0) -> DieRolled:
    counted = sorted(faces, reverse=keep > 0)[: abs(keep) or None]
    roll = rolled("", *faces)
    roll.total = sum(counted) + plus
    return DieRolled("", roll, keep, plus)


def helped(name: str, side: str = "", added: int = 1) -> HelpedWith:
    return HelpedWith(name, rolled(name, 5), added, side)


def opposed(winner: str, *helpers: HelpedWith, purpose: str = "") -> OpposedRolled:
    ours, theirs = rolled("vex", 5, purpose=purpose), rolled("odo", 2, purpose=purpose)
    return OpposedRolled("vex", ours, theirs, winner, 3, False, helpers)


def tried(costs: int = 0, outcome: str = "success", *helpers: HelpedWith) -> SkillRolled:
    return SkillRolled("vex", rolled("vex", 4), True, helpers, outcome, False, costs)


def bought(costs: int, outcome: str | None) -> WealthRolled:
    return WealthRolled("vex", rolled("vex", 4), (), "same", outcome, False, costs, 0, Said("A boat"))


def over(*crashed: str, **fields: Any) -> ChaseRoundOver:
    return ChaseRoundOver(
        **{"winner": None, "range_before": "far", "range_after": "far", "crashed": crashed} | fields
    )


def clock(filled: int, then: str = "", what: str = "moved") -> ClockMoved:
    return ClockMoved("flood", 4, "The flood", what, filled, then)


def step(do: str, *, whom: str = "target", **fields: Any) -> StepIs:
    return StepIs(do, whom, **fields)


def steps(*each: StepIs) -> StepsAre:
    return StepsAre((step("push", amount=2), *each))


BOAT = Thing("a boat", 2)
HELPING = Rolled("odo", "", (4,), sources=(Source(ADVANTAGE, "a map"),), modifiers=(Modifier(-1, "rain"),))
SAID: list[tuple[Statement, str]] = [
    # What the campaign and the game master's hand tell.
    (Undone((3,)), "Undone: 3."),
    (Undone((3, 4, 5)), "Undone: 3; and 2 more."),
    (EntriesLost(7, 7), "Entry #7 is missing here: the journal was damaged."),
    (EntriesLost(7, 9), "Entries #7 to #9 are missing here: the journal was damaged."),
    (SceneLost(("fight",)), "Fight began in what is missing: the rest of it is off the table."),
    (DecisionAsked("", "flaw", ("rope",)), "Somebody must choose flaw: rope."),
    (ZoneAdded("vex", "fog", (), sight="dark", cover=True), "Fog: completely obscured, cover."),
    (ZoneAdded("vex", "fire", (), 3, True, "light", True), "Fire: 3 damage, difficult, light, a wall."),
    (MeterSet("vex", "stress", BeforeAfter(2, 0)), "The game master sets Vex: stress 2 to 0."),
    # Costs, Flaws and Favors.
    (CostToPay("vex", "vex", None), "Vex's roll has a Cost. What does Vex pay?"),
    (CostToPay("odo", "vex", None), "Vex's roll has a Cost. What does Odo, who helped, pay?"),
    (CostToPay("vex", "vex", None, 1, 2), "Vex's roll has 2 Costs. What does Vex pay for number 1?"),
    (CostToPay("odo", "vex", None, 1, 2), "Vex's roll has 2 Costs. What does Odo, who helped, pay?"),
    (ComplicationUsed("vex", "Shadow", "tie"),
     "Vex uses 'Shadow': the tie goes to the other side, as a narrow win."),
    (TheComplication("Shadow", "condition"), "the Condition 'Shadow'"),
    (LoseBy("Shadow", "complication"), "lose by Shadow, +1 AP"),
    # Rolls.
    (dice(3), "d6: 3."),
    (dice(3, plus=2), "d6+2: 3 (sum 5)."),
    (dice(3, 5, plus=-1), "2d6-1: 3, 5 (sum 7)."),
    (dice(3, 5, 1, 6, keep=3), "4d6kh3: 3, 5, 1, 6 (keeps 6, 5, 3, sum 14)."),
    (dice(3, 5, 1, keep=-1), "3d6kl1: 3, 5, 1 (keeps 1, sum 1)."),
    (tried(), "Vex rolls Skilled: 4. Success."),
    (tried(1), "Vex rolls Skilled: 4. Success with a Cost."),
    (tried(0, "success", helped("odo")), "Vex rolls Skilled: 4, Odo helps with 5 (+1). Success."),
    (opposed(""), "Vex rolls 5; Odo rolls 2. A tie: neither gets what they wanted."),
    # Wealth.
    (HelpedToBuy("odo", HELPING, 1), "Odo helps with 4-1 = 3 (+1; advantage: a map, -1: rain)"),
    (CashSpent("vex", 2, BOAT), "Vex buys a boat with a cash parcel of rank 2."),
    (CashSpent("vex", 2, back_to=3), "Vex spends a cash parcel of rank 2 to get back to Wealth 3."),
    (CashSpent("vex", 2), "Vex puts a cash parcel of rank 2 into the pool."),
    # Fights.
    (TakenOut("vex"), "Vex is Taken Out."),
    (TakenOut("reet"), "von Reet is Taken Out."),
    (TakenOut("goblin-1"), "Goblin-1 is Taken Out."),
    (ByPower("flare"), "Flare"),
    (ByPower("flare", "vex"), "Flare"),
    (AttackLineRead(1, 1, "miss", 0, False, True), "1 comes to 1: miss, 0 damage, a Strike, a Miss Token."),
    (AttackLineRead(4, 5, "solid", 4, True, False), "4 comes to 5: solid, 4 damage, the effect."),
    (Pushed("vex", "odo", "C3"), "Vex is pushed to C3."),
    (Pushed("vex", "odo", "C3", wall=True), "Vex is pushed to C3 and stops at a wall."),
    (Pushed("vex", "odo", wall=True), "Vex is pushed against a wall."),
    (Pushed("vex", "odo", "C3", "brann"), "Vex is pushed to C3 and stops at Brann."),
    (Pushed("vex", "odo"), ""),
    (CutShort("C3", "odo"), "straight, and stops at Odo"),
    (CutShort(wall=True), "stays against a wall"),
    (DisplaceTo("vex", "odo", "push", 2), "Vex pushes Odo up to 2 squares. Where to?"),
    (DisplaceTo("vex", "vex", "shift", 1), "Vex shifts up to 1 square. Where to?"),
    (Standing("dazed", "flanked"), "Dazed and flanked"),
    (Standing("dazed"), "Dazed"),
    (Standing("", "flanked"), "flanked"),
    (Healed("vex", 0, "", BeforeAfter(5, 5)), "Vex regains nothing."),
    (Moved("vex", "charge", "A1", "A3"), "Vex charges from A1 to A3."),
    (Moved("vex", start="A1", to="A1"), "Vex gets no further."),
    (Moved("vex"), "Vex gets no further."),
    (Stayed("vex", "A1"), "Vex stays on A1."),
    (Stayed("vex"), "Vex holds back."),
    (StatusAdded("vex", "core:dazed", 2, Lasting("save")), "Vex is Dazed 2 (save ends)."),
    (StatusAdded("vex", "core:dazed", silent=True), ""),
    (ZoneMoved("vex", "fire", ("A1",), True), "Fire takes in A1."),
    (ZoneMoved("vex", "fire", ("A1",)), "Fire moves to A1."),
    (ZoneMoved("vex", "fire"), ""),
    # Steps of powers.
    (Measured("dealt", times=2), "2 times the damage dealt"),
    (Measured("dealt", share=3, plus=1), "1/3 of the damage dealt + 1"),
    (Measured(die=6, plus=-2), "1d6 - 2"),
    (step("damage", amount=3), "3 damage"),
    (step("damage", measured=Measured(die=6)), "1d6 damage"),
    (step("damage", measured=Measured("dealt")), "damage equal to the damage dealt"),
    (step("push", measured=Measured("value")), "pushed a number of squares equal to its number"),
    (step("token", amount=1), "a Miss Token"),
    (step("token", amount=2), "2 Miss Tokens"),
    (step("token", amount=1, measured=Measured("round")), "the number of the round Miss Tokens"),
    (step("token"), "0 Miss Tokens"),
    (step("push", whom="self", amount=2), "oneself is pushed 2"),
    (step("push", whom="self", amount=2, who="odo"), "Odo is pushed 2"),
    (step("push", whom="ally", amount=2, within=3), "an ally within 3 (nobody now) is pushed 2"),
    (step("push", whom="allies", amount=2, within=3, among=("vex",)), "each ally within 3 (Vex) is pushed 2"),
    (step("push", whom="allies", amount=2), "each ally is pushed 2"),
    (step("words", whom="allies", words="hurrah"), "each ally: hurrah"),
    (step("attack", whom="allies", words=AttackIs(any=True)), "each ally makes any attack"),
    (step("words", words="hurrah"), "hurrah"),
    (SwapIs("odo"), "changes places with Odo"),
    (SwapIs(), "changes places with the next target"),
    (steps(step("slide", amount=1)), "pushed 2 and slid 1"),
    (steps(step("slide", whom="self", amount=1)), "pushed 2; oneself is slid 1"),
    (steps(step("slide", amount=1, once="turn")), "pushed 2; slid 1, once a turn"),
    (steps(step("slide", amount=1, chosen=True)), "pushed 2; slid 1, square by square"),
    (steps(step("slide", amount=1, if_status="dazed")), "pushed 2; slid 1, if Dazed"),
    (steps(step("slide", measured=Measured(die=6))), "pushed 2; slid 1d6"),
    (steps(step("words", words="hurrah")), "pushed 2; hurrah"),
    (steps(step("apply", status=StatusIs("dazed"))), "pushed 2 and Dazed"),
    (steps(step("apply", status=StatusIs("dazed", lasts=Lasting("save")))), "pushed 2; Dazed (save ends)"),
    (StepsAre(("hurrah", "again")), "hurrah; again"),
    # Team Conflicts.
    (Introduced(("vex",), ("Old Oath",), "The Crew"), "The Crew, Vex (Old Oath)"),
    (Introduced(("vex", "odo"), ()), "Vex, Odo"),
    (WasChosen("secondary", "vex"), "Vex: secondary goal"),
    (WasChosen("secondary", "", "a rope"), "a secondary goal, a rope"),
    (WasChosen("block", "vex"), "Vex: Block"),
    (ConflictRound("push", {}, ("ours", "theirs"), bare=True), "Push: Our side and Their side take a Hit."),
    (ConflictRound("push", {}, ("ours",), bare=True), "Push: Our side takes a Hit."),
    # Chases.
    (over("runners"), "The Runners crash. Still Far."),
    (over("runners", "chasers", over=True), "The Runners and the Chasers crash."),
    (over(tie=True), "A tie. Still Far."),
    (over(tie=True, lost=True, over=True), "A tie and the Runners lose."),
    (over(lost=True, winner="chasers", range_after="medium"), "The Chasers win. Far to Medium."),
    (over(gave_up=True, range_before="close"), "The Chasers give up the pursuit. Close to Far."),
    (ChaseDangerSet("runners", 2, 3), "The Runners raise the Danger Level from 2 to 3."),
    (ChaseDangerSet("chasers", 2, 1), "The Chasers lower the Danger Level from 2 to 1."),
    (ChaseDangerSet("runners", 2, 2), "The Runners keep the Danger Level at 2."),
    (ChaseEnded("caught"), "The Runners are caught."),
    (ChaseEnded("caught", close=True), "The Runners are found, but have their say in it."),
    (ChaseEnded("hidden", close=True), "The Runners are hidden, but the Chasers have their say in it."),
    (ChaseEnded("escaped", close=True), "The Runners escape."),
    (ChaseEnded("crash", close=True, both=True),
     "Both sides have crashed and are out of it; the game master says what remains."),
    (ChaseEnded("caught", close=True, both=True), "The Runners are found, but have their say in it."),
    # What was prepared, and what somebody wants to remember.
    (NoteTaken((), "what now?"), "what now?"),
    (NoteTaken(("vex",), "what now?"), "Vex: what now?"),
    (clock(4, "it floods"), "The flood is full: it floods."),
    (clock(4, "It floods!"), "The flood is full: It floods!"),
    (clock(3), "The flood: 3 of 4."),
    (clock(4, what="added"), "A clock: The flood, 4 segments."),
    (DeadlineTold("flood", "The flood", "due", then="it floods"), "The flood: it floods."),
    (DeadlineTold("flood", "The flood", "due", then="It floods?"), "The flood: It floods?"),
]  # fmt: skip
"""Each with its words, for the game master and for players."""

KEPT_BACK: list[tuple[Statement, str, str | None]] = [
    (DecisionAsked("vex", "flaw", ("rope", "Shadow")), "Vex must choose flaw: rope, Shadow.",
     "Vex must choose flaw: rope."),
    (ZoneAdded("shadow", "shadow", ()), "Shadow: a zone.", None),
    (MeterSet("odo", "stress", BeforeAfter(0, 3), "+"), "The game master sets Odo: stress 0 to +3.",
     "The game master changes Odo's state."),
    (FavorAssociated("vex", Favor("f1", "the guild", "", ("Marla", "Shadow"))),
     "Shadow is with the guild, whom Vex owes a Favor.", None),
    (ComplicationUsed("vex", "Shadow", "tie", "flaw"),
     "Vex uses 'Shadow' (Flaw): the tie goes to the other side, as a narrow win.", None),
    (TheComplication("Shadow", "favor"), "the Favor 'Shadow'", None),
    (LoseBy("Shadow", "flaw"), "lose by Shadow, +1 AP", None),
    (
        tried(1, "twist", helped("shadow"), helped("odo", added=0)),
        "Vex rolls Skilled: 4, Shadow helps with 5 (+1), Odo helps with 5 (nothing added). "
        "Twist with a Cost, and one for each helper.",
        "Vex rolls Skilled: 4, Odo helps with 5 (nothing added). Twist with a Cost, and one for each helper.",
    ),
    (
        opposed("ours", helped("brann", "ours"), helped("shadow", "theirs", 0), purpose="opposed: bluff"),
        "Vex rolls Bluff: 5, Brann helps with 5 (+1); Odo rolls Bluff: 2, Shadow helps with 5 "
        "(nothing added). Vex wins by 3.",
        "Vex rolls Bluff: 5, Brann helps with 5 (+1); Odo rolls Bluff: 2. Vex wins by 3.",
    ),
    (opposed("ours", purpose="opposed: Shadow lore"),
     "Vex rolls Shadow lore: 5; Odo rolls Shadow lore: 2. Vex wins by 3.",
     "Vex rolls 5; Odo rolls 2. Vex wins by 3."),
    (Glancing("vex", "", "shadow", 2, (step("push", amount=2),)),
     "Shadow, a glancing hit: 2 damage, or pushed 2?",
     "Somebody unseen, a glancing hit: 2 damage, or pushed 2?"),
    (ByPower("flare", "shadow"), "Flare", None),
    (NoRoomFor("a wolf", "shadow"), "There is no room for a wolf.", None),
    (Bending("shadow"), "bending", None),
    (WillAttack("vex", "shadow", ""), "Vex attacks Shadow", "Vex attacks somebody unseen"),
    (WillAttack("shadow", "shadows", ""), "Shadow attacks Shadows", None),
    (AttackOn("flare", "shadow"), "flare at Shadow", "flare at somebody unseen"),
    (Attacked("shadow", "vex", rolled("shadow", 4), "solid", True), "Shadow attacks Vex: 4, a solid hit.",
     "Somebody unseen attacks Vex: 4, a solid hit."),
    (Swapped("shadow", "vex"), "Shadow and Vex change places.", "Somebody unseen and Vex change places."),
    (TakenOut("shadow"), "Shadow is Taken Out.", None),
    (Pushed("vex", "odo", against="shadow"), "Vex is pushed against Shadow.", "Vex is pushed."),
    (CutShort("C3", "shadow"), "straight, and stops at Shadow", "straight, and stops"),
    (Healed("odo", 3, "", BeforeAfter(2, 5)), "Odo regains 3 HP: 2 to 5 HP.", "Odo regains HP."),
    (Moved("vex", start="A1", to="shadow"), "Vex moves from A1 to Shadow.", "Vex moves from A1."),
    (step("push", whom="person", amount=2, who="shadow"), "Shadow is pushed 2",
     "somebody unseen is pushed 2"),
    (Introduced((), ("Shadow", "Grit"), "The Guild", 1, 2),
     "The Guild (Advance 1, Defense 2; Shadow, Grit)", "The Guild (Advance 1, Defense 2; Grit)"),
    (ConflictOpposed("rivals"), "Shadow's Own: action chosen, in secret.", None),
    (ConflictRound("push", {}, ("ours", "rivals")), "Push: Ours and Shadow's Own take a Hit.",
     "Push: Ours takes a Hit."),
    (
        ChaseRolled(
            rolled("odo", 2),
            rolled("vex", 4),
            None,
            (helped("brann", "runners"), helped("shadow", "chasers")),
        ),
        "Runners 4, Brann helps with 5 (+1), Chasers 2, Shadow helps with 5 (+1).",
        "Runners 4, Brann helps with 5 (+1), Chasers 2.",
    ),
]  # fmt: skip
"""Each with its words for the game master, and those that are left for players."""

DICE, OUT = rolled("vex", 4), "core:incapacitated"

SHOWN: list[tuple[Fact, str, str, str | None]] = [
    (Attacked("vex", "odo", DICE, "solid", True), "hit", "good", "Hit"),
    (Attacked("vex", "odo", DICE, "critical", True), "critical", "good", "Critical hit"),
    (Attacked("vex", "odo", DICE, "glancing", True), "glancing", "good", "Glancing hit"),
    (Attacked("vex", "odo", DICE, "miss", False), "miss", "bad", "Miss"),
    (Damaged("vex", 3, "", BeforeAfter(5, 2)), "harm", "bad", "Vex takes 3 damage"),
    (Damaged("vex", 0, "", BeforeAfter(5, 5)), "", "", "Vex takes 0 damage"),
    (Healed("vex", 3, "", BeforeAfter(2, 5)), "heal", "good", "Vex regains 3 HP"),
    (Healed("vex", 0, "", BeforeAfter(5, 5)), "", "", "Vex regains 0 HP"),
    (StatusAdded("vex", "core:dazed"), "status", "", "Vex is Dazed"),
    (StatusAdded("vex", OUT), "fall", "bad", "Vex falls"),
    (StatusAdded("vex", OUT, silent=True), "", "", "Vex falls"),
    (StatusAdded("vex", "core:dazed", silent=True), "", "", "Vex is Dazed"),
    (StatusEnded("vex", "core:dazed"), "status", "", "Vex is no longer Dazed"),
    (StatusEnded("vex", OUT, "back"), "status", "", "Vex is no longer Incapacitated"),
    (StatusEnded("vex", "core:dazed", "silent"), "", "", "Vex is no longer Dazed"),
    (SaveRolled("vex", DICE, "core:dazed", True), "save", "good", "Saved against Dazed"),
    (SaveRolled("vex", DICE, "core:dazed", False), "save", "bad", "Not saved against Dazed"),
    (EscapeRolled("vex", DICE, "core:grabbed", True), "save", "good", "Vex is free"),
    (EscapeRolled("vex", DICE, "core:grabbed", False), "save", "bad", "Vex is held"),
    (ComebackRolled("vex", DICE, "lost", 2), "save", "bad", "No comeback"),
    (ComebackRolled("vex", DICE, "back", 0), "save", "good", "A comeback"),
    (ComebackRolled("vex", DICE, "nothing", 0), "save", "", "No comeback yet"),
    (RecoveryRolled("vex", DICE, "core:angry", "ends"), "save", "good", "Angry ends"),
    (RecoveryRolled("vex", DICE, "core:angry", "worsens"), "roll", "bad", "Angry gets worse"),
    (RecoveryRolled("vex", DICE, "core:angry", "stays"), "roll", "", "Angry stays"),
    (tried(), "roll", "good", "Success"),
    (tried(1), "cost", "", "Success with a Cost"),
    (tried(0, "twist"), "roll", "bad", "Twist"),
    (tried(2, "twist"), "cost", "bad", "Twist with 2 Costs"),
    (bought(0, "success"), "roll", "good", "Success"),
    (bought(1, "success"), "cost", "", "Success with a Cost"),
    (bought(0, "twist"), "roll", "bad", "Twist"),
    (opposed("ours"), "roll", "good", "Vex wins"),
    (opposed("theirs"), "roll", "bad", "Odo wins"),
    (opposed(""), "roll", "", "A tie"),
    (over("runners"), "scene", "", "A crash"),
    (over(winner="runners"), "scene", "", "The Runners win"),
    (over(tie=True), "scene", "", "A tie"),
    (over(tie=True, lost=True), "scene", "", ""),
    (clock(4), "scene", "", "The flood is full"),
    (clock(4, what="added"), "scene", "", ""),
]
"""Each with what it is to a screen, and its headline."""


def test_facts_say_what_they_derive_to_those_who_may_know_it() -> None:
    for statement, words, heard in [*((one, words, words) for one, words in SAID), *KEPT_BACK]:
        with case(statement):
            assert say(statement, Listener(gm=True)) == words
            assert say(statement, Listener()) == heard


class Heard(Listener):
    """The game master, with all that was named to them."""

    def __init__(self) -> None:
        super().__init__(gm=True)
        self.named: set[tuple[str, str]] = set()

    def name(self, sort: str, id: str) -> str:
        self.named.add((sort, id))
        return super().name(sort, id)


def test_whatever_is_named_in_words_is_named_by_the_fields() -> None:
    """By which journals keep the names of then."""
    for statement, *_ in [*SAID, *KEPT_BACK, *SHOWN]:
        with case(statement):
            speaker = Heard()
            say(statement, speaker)
            named = {
                (sort, id) for sort, id in speaker.named if sort != "skill"
            }  # they have none but their own
            assert named <= set(statement.ids())


def test_a_journal_reads_what_it_has_kept() -> None:
    for statement, *_ in [*SAID, *KEPT_BACK, *SHOWN]:
        with case(statement):
            kept = statement.as_json(Listener(gm=True))
            read = statement_from_fields(statement.kind, json.loads(json.dumps(kept)))
            assert read is not None
            assert read.as_json(Listener(gm=True)) == kept


def test_a_journal_has_a_fact_with_its_words_its_changes_and_the_names_of_who_rolled() -> None:
    speaker = Heard()
    out = Happened(TakenOut("vex"), (("fight.out", None, ["vex"]),))
    changes = [["fight.out", None, ["vex"]]]
    kept = {"kind": "taken-out", "who": "vex", "text": "Vex is Taken Out.", "changes": changes}
    assert out.as_json(speaker) == kept
    assert out.attributed_to(by="odo").as_json(speaker) == {**kept, "by": "odo"}
    assert (out.details, out.attributed_to(by="odo").details) == ({"who": "vex"}, {"who": "vex", "by": "odo"})
    assert Happened(tried(0, "success", helped("odo")), ()).as_json(speaker)["names"] == {
        "vex": "Vex",
        "odo": "Odo",
    }
    assert {sort for sort, _ in speaker.named} == {"person"}
    plain = Happened(Prose("rains", "odo", "It rains.", {"why": Said("luck")}), ())
    told = {"kind": "rains", "who": "odo", "text": "It rains.", "why": "luck", "changes": []}
    assert plain.as_json(speaker) == told
    assert plain.details == {"why": Said("luck")}


def test_a_decision_is_asked_in_words() -> None:
    speaker = Heard()
    moves, pays = DisplaceTo("vex", "odo", "push", 2), CostToPay("vex", "vex", None)
    asked = Choose("vex", "where", ("stay", "c3"), about=moves).in_words(speaker)
    assert (asked.asks, asked.asker) == ("Vex pushes Odo up to 2 squares. Where to?", "Vex")
    assert asked.labels == ("no further", "C3")
    assert speaker.named == {("person", "vex"), ("person", "odo"), ("square", "c3")}
    labels = ("here", Said("there"))
    assert Choose("vex", "where", ("stay", "c3"), labels, about=moves).in_words(speaker).labels == (
        "here",
        "there",
    )
    assert Choose("vex", "cost", ("flaw", "favor"), about=pays).in_words(speaker).labels == ()
    bare = Choose("", "way", ("left", "right"), labels).in_words(speaker)
    assert (bare.asks, bare.asker, bare.labels) == ("way", "the table", ("here", "there"))


def test_a_fact_names_what_is_used_as_a_complication() -> None:
    used = ComplicationUsed("vex", "Old Oath", "tie")
    assert list(used.ids()) == [("person", "vex"), ("complication", "Old Oath")]


def test_a_screen_is_told_what_sort_of_event_a_fact_is_and_for_whom_it_is_good() -> None:
    for fact, event, tone, headline in SHOWN:
        with case(fact):
            shown = fact.shown()
            assert (shown.event, shown.tone) == (event, tone)
            assert say(fact, Listener(), "headline") == headline
    events = {cls.event for cls in CLASSES if issubclass(cls, Fact)} | {event for _, event, *_ in SHOWN}
    assert events - {""} == set(EVENTS)
    assert set(STANDS_OUT) < set(EVENTS)


def test_an_answer_says_what_it_comes_to() -> None:
    asked = DisplaceTo("vex", "odo", "push", 2)
    assert option_effect_words(asked, "stay", Listener()) == "no further"
    assert option_effect_words(asked, "c3", Listener()) == "C3"
    assert option_effect_words(asked, "C3", Listener()) == ""
    assert option_effect_words(asked, "shadow", Listener()) is None
    assert option_effect_words(CostToPay("vex", "vex", None), "waive", Listener()) == ""


def test_whatever_is_derived_is_said_in_some_case() -> None:
    said = {base for one, *_ in [*SAID, *KEPT_BACK] for base in type(one).__mro__}
    deriving = [cls for cls in OURS if any(isinstance(each, property) for each in vars(cls).values())]
    assert [cls for cls in deriving if cls not in said] == []
