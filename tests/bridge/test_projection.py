"""What players are told and what not: projection, results, and that nothing hidden or secret gets out."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import settings as quickly
from hypothesis import strategies as st
from support.cases import case
from support.cli import Strike
from support.evening import Evening

from strike_bridge.delivery_record import Cursor
from strike_bridge.journal_reader import JournalReader, apply_facts_to_shown_tables
from strike_bridge.journal_results import Post, posts_of_entry, results_of_entry
from strike_bridge.result_markup import TAGS
from strike_bridge.settings import Settings
from strike_bridge.state_projection import project_state, square_payload
from strike_cli.campaign import Campaign
from strike_cli.campaign.journal import START
from strike_cli.kernel.journal_types import JournalEntry
from strike_cli.kernel.state_changes import State, block_cache
from strike_cli.problems import Refused
from strike_cli.tabletop.scene import status_name_from_id

from .helpers import Told
from .servers.table import BadTable


@pytest.fixture
def evening(evening: Told, bad_table: BadTable, settings: Settings) -> Told:
    return evening.tell(bad_table, settings)


def combatant(name: str, **changes: Any) -> dict[str, Any]:
    kept = {"ref": "x", "side": "enemies", "at": "C7", "size": 1, "hp": 4, "max_hp": 4}
    return {"name": name, **kept, **changes}


def fight(**combatants: dict[str, Any]) -> dict[str, Any]:
    scene = {"id": "ford", "name": "The Ford", "round": 1, "map": {"rows": ["...."]}}
    return {"fight": {**scene, "order": list(combatants), "combatants": combatants}}


def test_how_far_things_are_is_told_as_the_game_counts() -> None:
    """Squares alike need no word; other units and diagonals do."""
    state = fight(vex=combatant("Vex"))
    shown = project_state(state).scene
    assert shown is not None
    assert "measure" not in shown
    people = {"sam": {"name": "Sam", "side": "party", "at": "A1", "str": 8, "dex": 8, "wil": 8}}
    board = {"rows": ["...."], "diagonals": "1-2-1"}
    shown = project_state(
        {"grit": {"id": "stair", "name": "The Stair", "people": people, "map": board}}
    ).scene
    assert shown is not None
    assert shown["measure"] == {"one": "foot", "many": "feet", "side": 5, "diagonals": "1-2-1"}


def test_fog_is_told_by_the_squares_that_the_party_has_seen() -> None:
    state = fight(vex=combatant("Vex", at="A1"))
    state["fight"] |= {"map": {"rows": ["...", "..."]}, "seen": {"1": "A", "2": "B"}}
    for gm in (True, False):
        shown = project_state(state, gm=gm).scene
        assert shown is not None
        assert shown["fog"]["seen"] == [".  ", " . "]
        assert bool(shown["fog"]["ground"]) is gm


def test_the_ground_is_told_in_squares() -> None:
    state = fight(vex=combatant("Vex"))
    state["fight"]["map"] |= {
        "walls": [[[0, 2], [3.5, 2]]],
        "one_way_walls": [[[4, 1], [0, 1]]],
        "see_through_walls": [[[0, 0], [1, 0]]],
        "terrain_walls": [[[0, 3], [1, 3]]],
        "doors": [{"at": [[3.5, 2], [4.5, 2]], "open": True}],
        "image": {"file": "ford.png", "sha256": "ab", "pixels": 70},
    }
    state["fight"]["zones"] = {
        "smoke": {"name": "Smoke", "squares": ["A1", "B1"], "sight": "obscured", "damage": 2},
        "pit": {"name": "Pit", "squares": ["C1"], "damage": 3, "secret": True},
    }
    smoke = {"id": "smoke", "name": "Smoke", "kind": "obscured", "hidden": False}
    smoke |= {"squares": [{"x": 0, "y": 0}, {"x": 1, "y": 0}]}
    scene = project_state(state).scene
    assert scene is not None
    assert scene["walls"] == [[{"x": 0, "y": 2}, {"x": 3.5, "y": 2}]]
    assert scene["one_way_walls"] == [[{"x": 4, "y": 1}, {"x": 0, "y": 1}]]
    assert scene["see_through_walls"] == [[{"x": 0, "y": 0}, {"x": 1, "y": 0}]]
    assert scene["terrain_walls"] == [[{"x": 0, "y": 3}, {"x": 1, "y": 3}]]
    assert "walk_through_walls" not in scene
    assert scene["doors"] == [{"at": {"x": 3.5, "y": 2}, "to": {"x": 4.5, "y": 2}, "open": True}]
    assert scene["image"] == {"file": "ford.png", "sha256": "ab", "pixels": 70}
    assert scene["zones"] == [smoke], "a secret zone is the game master's"
    for_gm = project_state(state, gm=True).scene
    assert for_gm is not None
    zones = [(zone["kind"], zone["hidden"]) for zone in for_gm["zones"]]
    assert zones == [("obscured", False), ("hazard", True)]


def test_a_zone_made_from_hiding_is_the_game_masters_until_its_maker_is_seen() -> None:
    """A table that is told everything keeps from players what is marked as hidden."""
    for hidden in (True, False):
        state = fight(vex=combatant("Vex"), haunt=combatant("Reed Lurker", hidden=hidden))
        state["fight"]["zones"] = {"veil": {"name": "Veil of bog", "squares": ["A1"], "by": "haunt"}}
        for_gm = project_state(state, gm=True).scene
        assert for_gm is not None
        assert [(zone["name"], zone["hidden"]) for zone in for_gm["zones"]] == [("Veil of bog", hidden)]


def test_squares_become_columns_and_rows_from_0() -> None:
    squares = ["A1", "C7", "Z10", "AA1", "AB3", "c7"]
    found = [square_payload(square) for square in squares]
    assert [(at["x"], at["y"]) for at in found if at] == [(0, 0), (2, 6), (25, 9), (26, 0), (27, 2), (2, 6)]
    assert [square_payload(square) for square in (None, "", "7C", "A0", "Å1")] == [None] * 5


def test_statuses_are_shown_by_name_and_number() -> None:
    assert status_name_from_id({"id": "core:prone"}) == "Prone"
    assert status_name_from_id({"id": "elements:half-drowned", "value": 2}) == "Half drowned 2"
    held = [{"id": "core:marked", "by": "vex"}, {"id": "core:marked", "by": "brann"}]
    assert project_state(fight(one=combatant("One", statuses=held))).tokens["one"]["statuses"] == ["Marked"]


def test_tokens_say_whether_somebody_is_up_down_or_out() -> None:
    state = fight(
        a=combatant("A"), b=combatant("B", hp=-2), c=combatant("C", hp=-9, out="taken-out", at=None), d={}
    )
    shown = project_state(state)
    assert [shown.tokens[who]["state"] for who in "abcd"] == ["up", "down", "out", "up"]
    assert shown.tokens["c"]["position"] is None
    assert shown.order is not None
    assert [entry["id"] for entry in shown.order["entries"]] == ["a", "b", "d"]


def test_somebody_hidden_is_nowhere_and_nobodys_turn() -> None:
    state = fight(vex=combatant("Vex"), lurker=combatant("Reed Lurker", hidden=True))
    state["fight"]["active"] = "lurker"
    shown = project_state(state)
    assert "urker" not in json.dumps(shown)
    assert shown.order is not None
    assert shown.order["active"] is None
    # Foundry and its like have a place for them that only the game master sees.
    shown = project_state(state, gm=True)
    assert shown.tokens["lurker"]["hidden"]
    assert shown.order is not None
    assert shown.order["active"] == "lurker"


NAMES = {"vex": "Vex", "orm": "Orm", "zyx-1": "Zyx 1", "zyx-2": "Zyx 2", "bo": "Bö (the Old)"}


@st.composite
def combatants(draw: st.DrawFn) -> dict[str, Any]:
    found = {}
    for who in draw(st.sets(st.sampled_from(sorted(NAMES)), min_size=1)):
        one = combatant(NAMES[who], hp=draw(st.integers(-6, 9)), initiative=draw(st.integers(1, 6)))
        if draw(st.booleans()):
            one["hidden"] = True
        if draw(st.booleans()):
            one.update(out="left", at=None)
        found[who] = one
    return found


@given(combatants(), st.sampled_from(sorted(NAMES)))
def test_no_state_shows_anybody_hidden(found: dict[str, Any], active: str) -> None:
    state = fight(**found)
    state["fight"]["active"] = active
    shown = json.dumps(project_state(state), ensure_ascii=False)
    for who, one in found.items():
        acts = who == active and not one.get("hidden")
        assert (who in shown) == (acts or not (one.get("hidden") or one.get("out")))


ROLL = {"purpose": "attack", "sides": 6, "faces": [3], "mode": "plain", "kept": 3, "total": 3}
_fact = st.one_of(
    st.tuples(st.just("attacked"), st.sampled_from(sorted(NAMES)), st.sampled_from(sorted(NAMES))),
    st.tuples(st.just("mentioned"), st.just("vex"), st.sampled_from(sorted(NAMES))),
    st.tuples(st.just("hid"), st.sampled_from(sorted(NAMES)), st.just("")),
    st.tuples(st.just("seen"), st.sampled_from(sorted(NAMES)), st.just("")),
    st.tuples(st.just("fight-ended"), st.just(""), st.just("")),
)
_step = st.one_of(
    st.tuples(st.just("play"), st.lists(_fact, min_size=1, max_size=3)),
    st.tuples(st.just("secret"), st.lists(_fact, min_size=1, max_size=2)),
    st.tuples(st.just("undo"), st.integers(1, 3)),
    st.tuples(st.just("redo"), st.integers(1, 3)),
)


def facts_of(step: list[tuple[str, str, str]]) -> list[tuple[str, str, str, dict[str, Any]]]:
    made = []
    for kind, who, other in step:
        sets: dict[str, Any] = {}
        if kind == "attacked":
            text = f"{NAMES[who]} attacks {NAMES[other]}."
        elif kind == "mentioned":
            text = f"Vex takes 2 damage from {NAMES[other]}'s Opportunity."
        elif kind == "fight-ended":
            text, sets = "It is over.", {"fight": None}
        else:
            text, sets = f"{NAMES[who]} {kind}.", {f"fight.combatants.{who}.hidden": kind == "hid" or None}
        made.append((kind, who, text, sets))
    return made


@pytest.mark.slow
@quickly(max_examples=30, deadline=None)
@given(st.sets(st.sampled_from(sorted(NAMES))), st.lists(_step, min_size=1, max_size=7))
@example({"bo"}, [("play", [("seen", "bo", "")]), ("undo", 1)])
def test_no_evening_tells_of_anybody_hidden_or_of_a_secret(hidden: set[str], steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as place:
        evening = Evening(Path(place) / "ferry")
        everybody = {
            who: combatant(name, **({"hidden": True} if who in hidden else {})) for who, name in NAMES.items()
        }
        evening.happen(("fight-started", "", "It begins.", fight(**everybody)))
        journal, position, seq = JournalReader(evening.folder), START, 0
        live: list[list[Post]] = []
        for kind, what in [("begin", None), *steps]:
            if not _play(evening, kind, what):
                continue
            backlog = journal.read_backlog(position, seq)
            ((entry, position, _),) = backlog.entries
            seq = entry["seq"]
            posts = posts_of_entry(entry, backlog.before, journal.entry_beginning_at)
            live.append(posts)
            # What is taken back or done again is called as it was told at first.
            heard = str([post.result for post in posts if post.mark])
            own = [post for post in posts if not post.mark]
            _nobody_hidden_in(own, backlog.before, entry, heard)
            if kind == "secret":
                assert posts == []
            told = {post.id: post.result for done in live for post in done if not post.mark}
            for post in posts:
                if post.mark:  # word for word as it was told at first, whoever has come or gone since
                    assert post.result == {**told[post.result["id"]], "undone": kind == "undo"}
        # Told late, from the state now, it is the same evening.
        late = journal.read_backlog(START, 0)
        state, found = late.before, []
        with block_cache():
            for entry, *_ in late.entries:
                found.append(posts_of_entry(entry, state, journal.entry_beginning_at))
                state = apply_facts_to_shown_tables(state, entry["facts"])
        assert found == live
        assert state == late.now


def _play(evening: Evening, kind: str, what: Any) -> bool:
    try:
        if kind == "undo":
            evening.undo(what)
        elif kind == "redo":
            evening.redo(what)
        elif kind in ("play", "secret"):
            with Campaign(evening.folder) as campaign:
                if "fight" not in campaign.state:
                    return False
            ended = next((n for n, fact in enumerate(what) if fact[0] == "fight-ended"), len(what))
            evening.happen(*facts_of(what[: ended + 1]), secret=kind == "secret")
    except Refused:
        return False
    return True


def _nobody_hidden_in(posts: list[Post], before: dict[str, Any], entry: JournalEntry, heard: str) -> None:
    states = [before]
    for fact in entry["facts"]:
        states.append(apply_facts_to_shown_tables(states[-1], [fact]))
    ever = {who for state in states for who, one in _combatants(state).items() if one.get("hidden")}
    in_sight = {who for who, one in _combatants(states[-1]).items() if not one.get("hidden")}
    said = "\n".join(f"{post.result['title']} {post.result['text']} {post.result['dice']}" for post in posts)
    for who in ever - in_sight:
        assert not re.search(rf"\b{re.escape(NAMES[who])}", said) or NAMES[who] in heard
        assert who not in said


def _combatants(state: dict[str, Any]) -> dict[str, Any]:
    return (state.get("fight") or {}).get("combatants", {})


def entry(*facts: dict[str, Any], **more: Any) -> dict[str, Any]:
    made = [{"kind": "x", "who": "", "text": "", "changes": [], **fact} for fact in facts]
    return {"seq": 9, "at": "now", "command": "combat attack", "facts": made, **more}


def result_of(entry: JournalEntry, before: State) -> dict[str, Any] | None:
    found = results_of_entry(entry, before, gm=False)
    assert len(found) <= 1
    return found[0] if found else None


def test_a_secret_zone_is_not_spoken_of() -> None:
    state = fight(vex=combatant("Vex"))
    pit = {"name": "Oil trap", "squares": ["C7"], "damage": 2}
    added = {"text": "Oil trap: 2 damage on C7.", "zone": "oil-trap"}

    def adding(zone: dict[str, Any]) -> dict[str, Any]:
        return {**added, "changes": [["fight.zones.oil-trap", None, zone]]}

    assert result_of(entry(adding(pit)), state) is not None
    assert result_of(entry(adding({**pit, "secret": True})), state) is None
    state["fight"]["zones"] = {"oil-trap": {**pit, "secret": True}}
    gone = {
        "text": "Oil trap is gone.",
        "changes": [["fight.zones.oil-trap", state["fight"]["zones"]["oil-trap"], None]],
    }
    assert result_of(entry(gone), state) is None
    sprung = result_of(entry({"text": "Vex moves to C7."}, {"text": "The oil trap burns Vex."}), state)
    assert sprung is not None
    assert sprung["text"] == "Vex moves to C7."


def test_a_result_has_its_first_line_for_a_title_and_every_die() -> None:
    state = fight(vex=combatant("Vex"), brann=combatant("Brann"))
    vex, brann, nobody = ({**ROLL, "who": who} for who in ("vex", "brann", "?"))
    attack = {"text": "Vex hits. Hard!\nAnd again.", "who": "vex", "roll": vex, "against": nobody}
    helped = {"text": "Help.", "helpers": [{"name": "brann", "roll": brann, "added": 1}]}
    told = result_of(entry(attack, {"text": ""}, helped, {"text": "All.", "rolls": [vex]}), state)
    assert told is not None
    assert (told["id"], told["seq"], told["at"], told["undone"]) == ("9", 9, "now", False)
    assert told["title"] == "Vex hits. Hard!"
    assert told["text"] == "Vex hits. Hard!\nAnd again.\nHelp.\nAll."
    assert [die["who"] for die in told["dice"]] == ["Vex", "?", "Brann", "Vex"]
    assert told["dice"][0] == {
        "who": "Vex", "purpose": "attack", "sides": 6, "faces": [3], "kept": 3, "mode": "plain", "total": 3,
        "modifiers": [], "sources": [],
    }  # fmt: skip


def test_html_says_why_the_dice_count_as_they_do_and_is_inert() -> None:
    roll = {
        **ROLL, "who": "vex", "faces": [5, 2], "mode": "advantage", "kept": 5, "total": 6,
        "modifiers": [{"value": 1, "reason": "Flanking"}],
        "sources": [{"kind": "advantage", "reason": "High <ground>"}],
    }  # fmt: skip
    told = result_of(entry({"text": "<script>alert(1)</script> hits.\nHard!", "roll": roll}), {})
    assert told is not None
    assert told["html"] == (
        "<p>&lt;script&gt;alert(1)&lt;/script&gt; hits.</p><p>Hard!</p>"
        "<ul><li><b>vex</b>, attack: <code>5, 2</code> 5 kept +1 (Flanking) = 6 "
        "<i>Advantage: High &lt;ground&gt;</i></li></ul>"
    )
    assert set(re.findall(r"</?(\w+)", told["html"])) <= set(TAGS)


def test_a_game_masters_own_target_gets_the_secret_and_the_hidden_apart() -> None:
    state = fight(vex=combatant("Vex"), lurker=combatant("Reed Lurker", hidden=True))
    mixed = entry({"text": "Vex looks around."}, {"text": "The Reed Lurker waits."})
    for_all, for_gm = results_of_entry(mixed, state, gm=True)
    assert (for_all["id"], for_all["text"], for_all["secret"]) == ("9", "Vex looks around.", False)
    assert (for_gm["id"], for_gm["text"], for_gm["secret"]) == ("9-gm", "The Reed Lurker waits.", True)
    (secret,) = results_of_entry({**mixed, "secret": True}, state, gm=True)
    assert (secret["id"], secret["secret"]) == ("9-gm", True)
    assert results_of_entry({**mixed, "pending": True}, state, gm=True) == []


def test_what_is_not_for_players_is_no_result() -> None:
    fact = {"kind": "edited", "who": "", "text": "state.toml was edited.", "changes": []}
    overridden = {**fact, "kind": "overridden", "text": "The game master sets fight to 1."}
    for kept_back in (
        {"secret": True}, {"pending": True}, {"facts": []}, {"facts": [fact]}, {"facts": [overridden]},
    ):  # fmt: skip
        with case(kept_back):
            assert result_of({**entry({"text": "Something happens."}), **kept_back}, {}) is None


def test_a_fact_that_names_somebody_hidden_is_left_out() -> None:
    for fact in (
        {"who": "lurker", "text": "Something moves."},
        {"who": "vex", "text": "An Opportunity.", "against": "lurker"},
        {"who": "vex", "text": "An attack.", "target": "lurker"},
        {"who": "vex", "text": "Vex takes 3 damage from the reed lurker."},
        {"who": "", "text": "Initiative: Vex: 4, Reed Lurker: 2."},
        {"who": "", "text": "Reed Lurkers!"},
        {"who": "", "text": "Dice.", "rolls": [{**ROLL, "who": "lurker"}]},
        {"who": "vex", "text": "Roll.", "roll": {**ROLL, "sources": [{"reason": "flanked by Reed Lurker"}]}},
    ):  # fmt: skip
        with case(fact):
            state = fight(vex=combatant("Vex"), lurker=combatant("Reed Lurker", hidden=True))
            assert result_of(entry(fact), state) is None
            told = result_of(entry({"text": "A splash."}, fact), state)
            assert told is not None
            assert told["text"] == "A splash."
            assert told["dice"] == []


def test_a_character_that_hides_stays_on_the_players_screen() -> None:
    """STR-TAC-23: it is hidden from its enemies, and says so."""
    shown = project_state(
        fight(vex=combatant("Vex", side="party", hidden=True), rat=combatant("Rat", hidden=True))
    )
    assert list(shown.tokens) == ["vex"]
    assert shown.tokens["vex"]["hidden"] is False
    assert shown.tokens["vex"]["statuses"] == ["Hidden"]


def test_one_of_several_may_hide_and_the_others_are_told_of() -> None:
    state = fight(
        a=combatant("Goblin 1", hidden=True), b=combatant("Goblin 2"), c=combatant("Ogre 1", hidden=True)
    )
    told = result_of(
        entry(*({"text": text} for text in ("Goblin 2 grins.", "Goblin 1 too.", "An ogre!"))), state
    )
    assert told is not None
    assert told["text"] == "Goblin 2 grins."


def test_initiative_is_told_without_the_hidden(evening: Evening) -> None:
    evening.start()
    evening.play("combat initiative", [3, 4, 1, 2, 6])
    backlog = JournalReader(evening.folder).read_backlog(START, 0)
    state, told = backlog.before, []
    for entry_, *_ in backlog.entries:
        told = results_of_entry(entry_, state, gm=True)
        state = apply_facts_to_shown_tables(state, entry_["facts"])
    for_all, for_gm = told
    assert "urker" not in json.dumps(for_all)
    assert re.fullmatch(r"Initiative: (\w+( \d)?: \d(, |\.)){4}", for_all["text"])
    assert [die["who"] for die in for_all["dice"]] == ["Vex", "Brann", "Goblin 1", "Goblin 2"]
    assert "Reed Lurker: 6" in for_gm["text"]


def test_who_comes_out_of_hiding_may_be_named(evening: Told) -> None:
    evening.start()
    evening.play("combat damage", who="vex", amount=2)
    evening.told()
    sent = json.dumps(evening.server.seen).lower()
    assert "lurker" not in sent
    assert "for the gm alone" not in sent
    assert "bloodied" not in sent

    evening.happen(
        ("attacked", "lurker", "Reed Lurker strikes at Vex.", {}),
        ("seen", "lurker", "", {"fight.combatants.lurker.hidden": None}),
    )
    evening.told()
    assert evening.server.texts()[-1] == "Reed Lurker strikes at Vex."
    assert "lurker" in evening.server.tokens
    evening.happen(("hid", "lurker", "Reed Lurker is gone.", {"fight.combatants.lurker.hidden": True}))
    evening.told()
    assert "lurker" not in evening.server.tokens
    assert evening.server.texts()[-1] == "Reed Lurker strikes at Vex."


def test_undoing_a_secret_tells_nothing(evening: Told) -> None:
    evening.roll(1)
    evening.roll(2, secret=True)
    evening.undo()
    evening.redo()
    evening.undo(2)
    evening.redo(2)
    evening.told()
    assert evening.server.texts()[1:] == ["Undone: #1 d6: 1.", "Done again: #1 d6: 1."]
    assert [result["seq"] for result in evening.server.results] == [1, 2, 3]


def test_results_numbers_have_no_gaps(evening: Told) -> None:
    """Players who see the numbers can't count what was secret, and a number stays that of its result: when it
    is taken back, when the target is told anew, and when what was told of it is lost."""
    evening.roll(1)
    evening.roll(2, secret=True)
    evening.roll(3)
    evening.roll(4, secret=True)
    evening.roll(5)
    evening.told()
    numbered = {result["id"]: result["text"][-2:] for result in evening.server.results}
    assert numbered == {"1": "1.", "2": "3.", "3": "5."}
    evening.undo()
    evening.told()
    assert [(result["id"], result["seq"], result["undone"]) for result in evening.server.results] == [
        ("1", 1, False), ("2", 2, False), ("3", 3, True), ("4", 4, False),
    ]  # fmt: skip
    assert evening.server.texts()[3] == "Undone: #3 d6: 5."
    for file in (evening.folder / "bridge").glob("table.*"):
        if file.suffix in (".json", ".lines"):
            file.write_bytes(b"lost")
    evening.roll(6)
    evening.told()
    assert [result["seq"] for result in evening.server.results] == [1, 2, 3, 4, 5]
    assert evening.server.texts()[4].endswith("6.")


@pytest.mark.slow
@quickly(max_examples=25, deadline=None)
@given(st.lists(st.booleans() | st.integers(1, 12), max_size=40), st.booleans())
def test_a_number_stays_that_of_its_result(played: list[bool | int], kept: bool) -> None:
    """Told or not entry by entry, with the journal put back now and then (the numbers say by how much), and
    from a file that has each number by itself, as an earlier strike wrote it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        cursor, told, seq = Cursor("vtt", told=0), dict[int, int](), 0
        for what in played:
            if what is True or what is False:
                seq += 1
                cursor.acknowledged = seq
                if what:
                    cursor.assign_result_number(seq)
                    told[seq] = len(told) + 1
            else:
                seq = max(0, seq - what)
                told = {each: number for each, number in told.items() if each <= seq}
                cursor.forget_result_numbers_after(seq)
                cursor.told, cursor.acknowledged = max(0, cursor.told), seq
            if kept:
                cursor.save(folder)
                cursor = Cursor.load(folder, "vtt") or cursor
            assert [cursor.remembered_result_number_of(each) for each in range(seq + 3)] == [
                *map(told.get, range(seq + 3))
            ]
        cursor.save(folder, whole=True)
        file = folder / "bridge" / "vtt.json"
        by_entry = {
            **json.loads(file.read_text("utf-8")),
            "numbers": {str(each): n for each, n in told.items()},
        }
        del by_entry["runs"]
        file.write_text(json.dumps(by_entry), "utf-8")
        earlier = Cursor.load(folder, "vtt") or cursor
        assert [earlier.remembered_result_number_of(each) for each in range(seq + 3)] == [
            *map(told.get, range(seq + 3))
        ]


def test_a_cursor_of_before_goes_on_above_what_it_told(evening: Told) -> None:
    """An older strike numbered results as the journal does; what it told keeps its number."""
    evening.roll(1)
    evening.roll(2, secret=True)
    evening.roll(3)
    evening.told()
    file = evening.folder / "bridge" / "table.json"
    file.with_suffix(".lines").unlink(missing_ok=True)
    kept = json.loads(file.read_text("utf-8"))
    for added in ("told", "runs"):
        kept.pop(added, None)
    file.write_text(json.dumps({**kept, "acknowledged": 3}), "utf-8")
    evening.server.results[-1].update(id="3", seq=3)
    evening.undo()
    evening.told()
    assert [(result["id"], result["undone"]) for result in evening.server.results] == [
        ("1", False), ("3", True), ("4", False),
    ]  # fmt: skip


def test_an_override_shows_in_the_tokens_alone(evening: Told) -> None:
    evening.start()
    evening.play("override", path="fight.combatants.vex.hp", value=3, why="the plot", scene="fight")
    evening.told()
    assert evening.server.tokens["vex"]["hp"]["value"] == 3
    assert "plot" not in json.dumps(evening.server.seen)
    assert len(evening.server.results) == 2


def test_a_decision_that_is_open_is_not_told(evening: Told) -> None:
    evening.play("roll skill", [6], who="vex", skill="Swimming", skilled=False, known=True, adv=[], dis=[],
                 mods=[], helpers=[])  # fmt: skip
    evening.told()
    assert evening.server.results == []


def test_bloodied_is_shown_as_the_house_counts_it(folder: Path, in_campaign: Strike) -> None:
    """Conflict C-1: half of the HP is Bloodied, unless the house says less than half."""
    for house, shown in (("", "bloodied"), ('[house]\nbloodied = "less-than-half"\n', "hurt")):
        with (folder / "campaign.toml").open("a", encoding="utf-8") as file:
            file.write(house)
        in_campaign("combat start ring --party vex --party odo")
        in_campaign("combat damage vex 5")
        with Campaign(folder) as campaign:
            assert project_state(campaign.state).tokens["vex"]["wounds"] == shown
        in_campaign("combat abandon")
