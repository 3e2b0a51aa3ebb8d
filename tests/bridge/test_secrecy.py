"""Who sees what, over random evenings: all that any audience of players gets is searched for all that is
hidden from them: names, ids, traits, powers, zones, notes, reasons, and numbers that one could count.

Six evenings everyday; 10,000 with STRIKE_THOROUGH=1, or as many as SOAK_MINUTES allow.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest
from support.cli import Strike
from support.game import DATA, DEFAULTS, Game, book_with
from support.told import as_json

from strike_bridge.journal_results import posts_of_entry
from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_bridge.state_projection import project_state
from strike_cli.campaign import Campaign
from strike_cli.campaign_on_screen import campaign_on_one_screen
from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.procedure import Choose, Happened, Roll, World
from strike_cli.kernel.state_changes import State
from strike_cli.kernel.statements import ENGLISH
from strike_cli.phones.player_page_data import PhoneSnapshot, phone_entry
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused, Usage
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker, names_not_following_from_ids
from strike_cli.tabletop.grid import format_square
from strike_cli.tabletop.new_creatures_and_made_up_content import new_creature_ids_and_names
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.visibility.audience_view import make_audience_view
from strike_cli.visibility.audiences import METERS, PLAYERS, Audience, is_person_secret
from strike_cli.visibility.known_scene import scene_for_audience
from strike_cli.visibility.redaction import redact_each_fact_of_entry
from strike_cli.visibility.secret_picks import without_changes

from .helpers import served as served
from .servers.table import BadTable

EVENINGS = 10_000 if os.environ.get("STRIKE_THOROUGH") else 6
MINUTES = float(os.environ.get("SOAK_MINUTES", "inf"))
SEED = int(os.environ.get("SOAK_SEED", 1))

HIDDEN_THINGS = """
[creatures.haunt]
name = "Reed Lurker"
hidden = true
hp = 30
traits = [
  "Sleeps lightly",
  { name = "Poison Quills", reactions = [
    { on = "attacked", do = "damage", to = "other", amount = 1 },
    { on = "damaged", do = "apply", to = "other", status = "marked", duration = "save" },
  ] },
  { name = "Rotten Breath", reactions = [{ on = "moved", do = "note", text = "it stinks" }] },
  { name = "Mire Blood", reactions = [{ on = "missed", do = "damage", to = "other", amount = 1 }] },
]
powers = ["silt-burst", "marrow-hook", "bog-veil", "leech-song", "cold-clutch"]

[creatures.wisp]
name = "Grave Glimmer"
hidden = true
hp = 12
traits = [{ name = "Corpse Light", reactions = [{ on = "hit", do = "heal", amount = 1 }] }]
powers = ["dim-lure"]

[powers.silt-burst]
name = "Silt Burst"
burst = 3
damage = 2
effect = [{ do = "apply", status = "slowed", duration = "save" }]
miss = [{ do = "damage", amount = 1 }]

[powers]
marrow-hook = { name = "Marrow Hook", range = 8, damage = 1, effect = [
  { do = "apply", status = "ongoing", duration = "save", amount = 2 }, { do = "pull", amount = 2 }] }
bog-veil = { name = "Bog Veil", range = 10, area = 1, effect = [
  { do = "zone", name = "Veil of bog", sight = "obscured", duration = "turn-start", to = "self" }] }
leech-song = { name = "Leech Song", action = "none", on = "missed", reach = 8, effect = [
  { do = "apply", status = "dazed", duration = "turn-start" }] }
cold-clutch = { name = "Cold Clutch", reach = 8, damage = 1, effect = [
  { do = "apply", status = "grabbed", duration = "escape" }] }
dim-lure = { name = "Dim Lure", usage = "encounter", range = 8, damage = 0, effect = [
  { do = "push", amount = 2 }, { do = "apply", status = "blinded", duration = "turn-end" }] }
"""
KIT = {
    "haunt": (
        "Reed Lurker", "Sleeps lightly", "Poison Quills", "Rotten Breath", "Mire Blood", "Silt Burst",
        "silt-burst", "Marrow Hook", "marrow-hook", "Bog Veil", "bog-veil", "Veil of bog", "Leech Song",
        "leech-song", "Cold Clutch", "cold-clutch",
    ),
    "wisp": ("Grave Glimmer", "Corpse Light", "Dim Lure", "dim-lure"),
    "goblin": ("goblin",),
}  # fmt: skip
"""Of each that hides: all that would give it away, as people read it, by the sheet's id."""
MAP = "V..#.g.\nB.~..g.\n...#.h.\n.......\n......."
ROOMS = "V..#.g.\nB.~+.g.\n...####\n##+#.h.\n.......\n.......\n.......\n......."
"""Where there is fog: doors and walls between the party and the others."""
DOORS = ("D2", "C4")
ZONE = ("Sinkhole Trap", "sinkhole-trap")
NOTE = "for the game master alone"
REASON = "the treacherous ledge"
MINE = ("silt-burst", "marrow-hook", "bog-veil", "leech-song", "cold-clutch", "dim-lure")
THEIRS = ("core:melee-basic", "core:ranged-basic", "trip", "blast", "sting", "shove", "scold")


@pytest.fixture(scope="module")
def haunted() -> Book:
    return book_with(HIDDEN_THINGS)


def anything(source: Random, there: list[str]) -> tuple[str, dict[str, Any]]:
    """A command that somebody might type, sensible or not."""
    who, other = source.choice(there), source.choice(there)
    square = f"{source.choice('ABCDEFG')}{source.randint(1, 5)}"
    power = source.choice(MINE if who in KIT else THEIRS)
    attack = {"targets": [other], "power": power, "adv": [], "dis": [], "mods": []}
    status = source.choice(("dazed", "marked", "ongoing", "prone", "invisible", "frenzied", "dominated"))
    instance = {"status": f"core:{status}", "ends": "save", "by": other, "value": 2, "until": None}
    ground = {"called": ZONE[0], "secret": True, "by": "", "damage": 1, "difficult": False, "sight": ""}
    return source.choice(
        [
            ("combat attack", {"who": who, **attack}),
            ("combat attack", {"who": who, **attack}),
            ("combat use", {"who": who, **attack, "at": square}),
            ("combat move", {"who": who, "to": square, "shift": source.random() < 0.2, "trade": True}),
            ("combat charge", {"who": who, "target": other}),
            ("combat hide", {"who": who, "now": source.random() < 0.3}),
            ("combat reveal", {"who": who}),
            ("combat status add", {"who": who, **instance}),
            ("combat damage", {"who": who, "amount": source.randint(0, 6), "why": REASON}),
            ("combat heal", {"who": who, "amount": source.randint(0, 6), "why": REASON}),
            ("combat delay", {"who": who}),
            ("combat resume", {"who": who}),
            ("combat leave", {"who": who}),
            ("combat zone add", {**ground, "squares": [square]}),
            ("combat join", {"ref": "wisp", "count": 1, "at": [square], "side": "enemies"}),
            ("combat place", {"who": who, "to": square}),
            ("combat door", {"at": source.choice(DOORS), "open": source.random() < 0.8}),
            ("combat fog", {"do": source.choice(("lift", "cover")), "squares": [square]}),
            ("combat join", {"ref": "goblin", "count": 1, "at": [square], "side": "enemies"}),
        ]
    )


class Played(NamedTuple):
    """A journal entry, and the states around it."""

    entry: dict[str, Any]
    before: State
    after: State


def evening(book: Book, seed: int) -> Iterator[Played]:
    """A fight in which somebody hides from the players; every other one in the fog."""
    source, fog = Random(seed), seed % 2 == 0
    game = Game(copy(book))
    place = {"V": "vex", "B": "brann", "g": "goblin", "h": "haunt"}
    side = {sign: "party" if sign in "VB" else "enemies" for sign in place}
    drawn = {"name": "A fight", "goal": "", "map": MAP, "place": place, "side": side}
    drawn |= {"map": ROOMS, "fog": True} if fog else {}
    game.book.encounters = {**book.encounters, "drawn": drawn}
    game.play("combat start", encounter="drawn", party=["vex", "brann"])
    seq = 0
    for name, args in commands(game, source):
        before = game.state
        told = play(game, source, name, args)
        if told is None:
            continue
        seq += 1
        entry = {"seq": seq, "at": "2026-01-31T20:15:00Z", "command": name, "args": args, "note": NOTE}
        secret = {"secret": True} if source.random() < 0.15 else {}
        yield Played({**entry, **told, **secret}, before, game.state)


def commands(game: Game, source: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is tried: mostly what whose turn it is may do."""
    yield "combat initiative", {}
    for _ in range(30):
        fight = game.state.get("fight", {})
        active = fight.get("active")
        if not active or source.random() < 0.2:
            yield ("combat end-turn" if active else "combat turn"), {}
        elif source.random() < 0.3:
            yield anything(source, sorted({"wisp", *fight.get("combatants", ())}))
        else:
            yield deed_of(active, fight["combatants"], source)


def deed_of(who: str, there: dict[str, Any], source: Random) -> tuple[str, dict[str, Any]]:
    """Somebody attacks, by what they have and whom they might reach."""
    foes = [other for other, one in there.items() if one["side"] != there[who]["side"] and "at" in one]
    square = f"{source.choice('ABCDEFG')}{source.randint(1, 5)}"
    if not foes or source.random() < 0.2:
        return "combat move", {"who": who, "to": square, "shift": False, "trade": True}
    power = source.choice({"haunt": MINE[:5], "wisp": MINE[5:]}.get(there[who]["ref"], THEIRS))
    aim = {"targets": [source.choice(foes)], "power": power, "adv": [], "dis": [], "mods": []}
    if power in ("silt-burst", "blast"):
        aim["targets"] = []
    if power == "bog-veil":
        aim |= {"targets": [], "at": square}
    return source.choice(("combat attack", "combat use")), {"who": who, **aim}


def play(game: Game, source: Random, name: str, args: dict[str, Any]) -> dict[str, Any] | None:
    """The facts of a command with random dice and choices, and the names of then; None where it is
    refused."""

    def dice(roll: Roll) -> list[int]:
        return [source.randint(1, roll.sides) for _ in range(roll.n)]

    def choices(question: Choose) -> str:
        return source.choice(question.options)

    there = game.state.get("fight", {}).get("combatants", {})
    named = (*args.get("targets", ()), args.get("who"), args.get("target"), args.get("by"))
    if any(who not in there for who in named if who):
        return None
    world = World(game.book, game.state)
    try:
        procedure = find_move(name).play_with_consequences(world, {**DEFAULTS.get(name, {}), **args})
        played = play_until_open_decision(procedure, world, dice, choices)
    except (Refused, Usage):
        return None
    game.state = world.state
    return as_journaled(game, played.facts, played.states)


def as_journaled(game: Game, facts: Sequence[Happened], states: Sequence[State]) -> dict[str, Any]:
    """What an entry of the journal has of facts."""
    speaker = GameMasterSpeaker(game.book, states)
    return {
        "facts": [fact.as_json(speaker) for fact in facts],
        "names": names_not_following_from_ids(facts, (), speaker),
    }


def hidden_in(state: State) -> set[str]:
    return {who for scene in scenes_of(state) for who, one in scene.people.items() if is_person_secret(one)}


def seen_in(state: State) -> set[str]:
    return {
        who for scene in scenes_of(state) for who, one in scene.people.items() if not is_person_secret(one)
    }


def secrets_of(played: Played, known: set[str]) -> set[str]:
    """What players may not read in what is told of an entry: of everybody who is hidden after it, and of what
    they never saw."""
    hidden = hidden_in(played.after)
    found = {NOTE, *ZONE}
    refs = {who: played.after["fight"]["combatants"][who]["ref"] for who in hidden} if hidden else {}
    for who, ref in refs.items():
        if ref in known:
            found.add(who)
        else:
            found.update((who, *KIT.get(ref, ())))
    return found | squares_in_fog(played.after)


def squares_in_fog(state: State) -> set[str]:
    """The squares that players know nothing of."""
    boards = [scene.board for scene in scenes_of(state) if scene.board and scene.board.seen is not None]
    return {
        format_square((x, y))
        for board in boards
        for y, row in enumerate(board.rows)
        for x in range(len(row))
        if (x, y) not in board.seen
    }


def words_in(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False)


def leaks(secrets: set[str], told: str) -> list[str]:
    return [one for one in secrets if re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", told, re.IGNORECASE)]


def check(book: Book, seed: int) -> int:
    """One evening, with all that players get of it; how many entries it had."""
    known: set[str] = set()
    count = 0
    for played in evening(book, seed):
        count += 1
        for state in (played.before, played.after):
            there = state.get("fight", {}).get("combatants", {})
            known |= {there[who]["ref"] for who in seen_in(state)}
        secrets = secrets_of(played, known)
        for hp in METERS:
            players = Audience(meters=hp)
            posts = posts_of_entry(played.entry, played.before, lambda position: {}, players=players)
            told = words_in([post.result for post in posts])
            found = leaks(secrets, told)
            assert not found, (seed, played.entry["command"], found, told[:2000])
            shown = words_in(project_state(played.after, hp=hp))
            assert not leaks(secrets - {NOTE}, shown), (seed, leaks(secrets, shown), shown[:3000])
        shown = words_in(phones(book, played, whole=count % MOVES_FOUND_OUT == 1))
        assert not leaks(secrets - {NOTE}, shown), (seed, leaks(secrets, shown), shown[:3000])
    return count


MOVES_FOUND_OUT = 20
"""Of so many entries phones are looked at once with all that may be done: that takes a while."""


def phones(book: Book, played: Played, *, whole: bool) -> list[Any]:
    """What every player's phone shows after an entry."""
    told = redact_each_fact_of_entry(played.entry, played.before, PLAYERS)
    entry = {"facts": [without_changes(each.fact) for each in told if each.fact]}
    snapshot = PhoneSnapshot(
        book, make_audience_view(played.after, PLAYERS), "a seal", [phone_entry(entry, ENGLISH)]
    )
    for who in ("vex", "brann") if whole else ():
        for offer in [*snapshot.move_offers(who).values()][:6]:
            snapshot.store_forecast(offer.id, snapshot.compute_forecast_for_player(who, offer))
    return [snapshot.page(who, at_once=not whole) for who in ("vex", "brann")]


@pytest.fixture
def ambush(haunted: Book) -> Game:
    """Goblin 1 beside the haunt, which nobody of the party sees, and whose turn it is."""
    game = Game(copy(haunted)).draw("V....g..", "......x.", "........")
    game.put("ogre", size=1, ref="haunt", name="Reed Lurker", hidden=True, hp=30, max_hp=30, side="enemies")
    return game.put("goblin", hp=9, max_hp=9).begin("goblin")


def told_to_players(game: Game, before: State) -> list[dict[str, Any]]:
    told = as_journaled(game, game.facts, [before, game.state])
    entry = {"seq": 1, "at": None, "command": "combat", **told}
    return [post.result for post in posts_of_entry(entry, before, lambda position: {})]


def test_a_trait_of_the_hidden_is_not_named(ambush: Game) -> None:
    """What it does to somebody in sight is not told either: the number shows."""
    before = ambush.state
    ambush.attack("goblin", "ogre", dice=[5])
    assert any("Poison Quills" in text for text in ambush.texts()), "it has happened"
    assert "quills" not in words_in(told_to_players(ambush, before)).lower()


def test_a_zone_of_the_hidden_is_no_reason_and_the_roll_is_told(ambush: Game) -> None:
    zone = {"name": "Veil of bog", "squares": ["A1"], "sight": "obscured", "by": "ogre"}
    ambush.set("fight.zones", {"veil": zone})
    before = ambush.state
    ambush.attack("goblin", "vex", power="core:ranged-basic", dice=[5, 6])
    assert "Veil of bog" in words_in([as_json(fact, ambush.world) for fact in ambush.facts])
    (result,) = told_to_players(ambush, before)
    assert "Goblin attacks Vex" in result["text"]
    assert result["dice"][0]["mode"] == "disadvantage"
    assert "veil" not in words_in(result).lower()


def heard_by_players(game: Game, before: State) -> list[str]:
    """The kinds of facts of the last command that players are told."""
    entry = {"seq": 1, **as_journaled(game, game.facts, [before, game.state])}
    return [told.fact["kind"] for told in redact_each_fact_of_entry(entry, before, PLAYERS) if told.fact]


def test_who_leaves_in_the_fog_is_not_told_of(haunted: Book) -> None:
    game = Game(copy(haunted)).draw("V.#.g", "..#..").begin("vex")
    game.set("fight.seen", {"1": "A-B", "2": "A-B"})
    before = game.state
    game.play("combat leave", who="goblin", why="by the story")
    assert heard_by_players(game, before) == []
    game.state = before
    game.set("fight.seen", {"1": "A-E", "2": "A-E"})
    before = game.state
    game.play("combat leave", who="goblin", why="by the story")
    assert heard_by_players(game, before) == ["left"]


@pytest.mark.parametrize("seen", [{"1": "A-B", "2": "A-B"}, {"1": "A-E", "2": "A-E"}])
@pytest.mark.parametrize("how", ["leave", "damage"])
def test_who_is_gone_from_the_fog_stays_unseen(haunted: Book, seen: dict[str, str], how: str) -> None:
    """On every later screen, though the party comes to see where they were; who was in sight is known."""
    game = Game(copy(haunted)).draw("V.#.g", "..#..").begin("vex")
    game.set("fight.seen", seen)
    if how == "leave":
        game.play("combat leave", who="goblin", why="by the story")
    else:
        game.play("combat damage", who="goblin", amount=50, why="a rock")
    (scene,) = scenes_of(game.state)
    known = "goblin" in scene_for_audience(scene, PLAYERS).people
    assert known == (seen["1"] == "A-E")
    game.set("fight.seen", {"1": "A-E", "2": "A-E"})
    (scene,) = scenes_of(game.state)
    assert ("goblin" in scene_for_audience(scene, PLAYERS).people) == known


def test_a_secret_zone_strikes_without_a_word(haunted: Book) -> None:
    game = Game(copy(haunted)).draw("V...g").begin("vex")
    zone = {"name": "Trap", "squares": ["B1"], "damage": 1, "secret": True, "ends": "encounter"}
    game.set("fight.zones", {"trap": zone})
    before = game.state
    game.play("combat move", who="vex", to="B1", shift=False)
    assert game.of("vex", "hp") == 9
    assert "zone-struck" not in heard_by_players(game, before)
    assert "moved" in heard_by_players(game, before)


def never_seen(played: list[Played]) -> set[str]:
    """What nobody of the players may read of a whole evening: of whom they never saw, and what is the game
    master's."""
    states = [state for each in played for state in (each.before, each.after) if state.get("fight")]
    people = {who: one["ref"] for state in states for who, one in state["fight"]["combatants"].items()}
    seen = {who for state in states for who in seen_in(state)}
    refs = {people[who] for who in seen if who in people}
    found = {NOTE, *ZONE, *(who for who in people if who not in seen)}
    for ref in set(people.values()) - refs:
        found.update(KIT.get(ref, ()))
    return found


NUMBERED = re.compile(r"#\d|\"seq\": \d")
"""What the journal counts: players could count what is missing."""


def record(folder: Path, played: Played) -> str:
    """Put an entry into the campaign's journal; what `strike watch --player` then shows."""
    entry = played.entry
    kept = {key: entry[key] for key in ("secret", "note", "names") if key in entry}
    with Campaign(folder, writing=True) as campaign:
        if not campaign.head.seq:
            campaign.commit("session start", {}, [], [], {})
            begun = ["fight", None, played.before["fight"]]
            fact = {"kind": "set-up", "who": "", "text": "", "changes": [begun]}
            campaign.commit("combat start", {}, [], [fact], {**campaign.state, **played.before}, secret=True)
        state = {key: value for key, value in campaign.state.items() if key not in ("fight", "characters")}
        state |= played.after
        campaign.commit(entry["command"], entry["args"], [], entry["facts"], state, **kept)
        return blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 3, 40, PLAYERS))


def look_at(page: str, folder: Path, secrets: set[str], never: set[str]) -> None:
    """All that players get of a table that is told everything, and keeps things from them itself."""
    report = push(folder, Settings("page", "table", url=page, audience="gm"))
    assert (report.error, report.review) == ("", 0)
    state = httpx.get(f"{page}/api/v1/state", verify=False).json()
    now = words_in({key: value for key, value in state.items() if key != "results"})
    assert not leaks(secrets - {NOTE}, now), (leaks(secrets, now), now)
    told = words_in(state["results"])
    assert not leaks(never, told), (leaks(never, told), told)
    numbers = [result["seq"] for result in state["results"]]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else True, numbers
    assert all(str(result["seq"]) == result["id"] for result in state["results"])


PAGE_EVERY = 8
"""Commands between looks at the page."""


def check_folder(
    book: Book, seed: int, folder: Path, tell: Callable[[], list[Any]], strike: Strike, page: str
) -> int:
    """One evening in a campaign's folder, with all that players' screens and a tabletop get of it."""
    folder.mkdir()
    text = (DATA / "campaign.toml").read_text("utf-8") + HIDDEN_THINGS
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    whole: list[Played] = []
    known: set[str] = set()
    for played in evening(book, seed):
        whole.append(played)
        shown = record(folder, played)
        for state in (played.before, played.after):
            there = state.get("fight", {}).get("combatants", {})
            known |= {there[who]["ref"] for who in seen_in(state)}
        secrets = secrets_of(played, known)
        told = words_in(tell())
        assert not leaks(secrets, told), (seed, played.entry["command"], leaks(secrets, told), told[:2000])
        assert not leaks(secrets & never_seen(whole), shown), (seed, shown)
        assert not NUMBERED.search(shown), shown
        if len(whole) % PAGE_EVERY == 0:
            look_at(page, folder, secrets, secrets & never_seen(whole))
    secrets = never_seen(whole)
    for line in ("log --player --last 9999", "log --player --last 9999 --json", "session report --player"):
        out = strike(f"{line} --campaign {folder}").out
        assert not leaks(secrets, out), (seed, line, leaks(secrets, out))
        assert not NUMBERED.search(out), (line, out)
    return len(whole)


@pytest.mark.slow
def test_no_screen_and_no_tabletop_tells_what_is_hidden(
    haunted: Book, tmp_path: Path, bad_table: BadTable, settings: Settings, strike: Strike
) -> None:
    """The same in a campaign's folder, with the log, the watch, the report and every request to a
    tabletop."""
    ends = time.monotonic() + MINUTES * 20
    entries = evenings = 0
    for seed in range(SEED, SEED + max(2, EVENINGS // 20)):
        folder = tmp_path / f"evening-{seed}"

        tokens: set[str] = set()

        def tell(folder: Path = folder, tokens: set[str] = tokens) -> list[Any]:
            """All requests but those that take away a token which stood there for all to see."""
            bad_table.calls.clear()
            assert not push(folder, settings).error
            made = [call for call in bad_table.calls if call.body is not None or call.path not in tokens]
            tokens.update(call.path for call in bad_table.calls if call.body is not None)
            tokens.difference_update(call.path for call in bad_table.calls if call.body is None)
            return [(call.path, call.body) for call in made]

        with served(tmp_path / f"page-{seed}") as page:
            entries += check_folder(haunted, seed, folder, tell, strike, page)
        evenings += 1
        numbers = [result["seq"] for result in bad_table.results]
        assert numbers == list(range(1, len(numbers) + 1)), numbers
        bad_table.results.clear()
        if time.monotonic() > ends:
            break
    print(f"{evenings} evenings in folders, {entries} commands")
    assert entries > 4 * evenings


def test_those_who_come_hidden_are_told_apart_without_numbers(haunted: Book) -> None:
    """Whoever is seen first of several, nothing in its name counts the others."""
    world = World(haunted)
    names = dict(new_creature_ids_and_names(world, "haunt", 40, {}))
    assert len(names) == len(set(names.values())) == 40
    assert not any(char.isdigit() for each in names.items() for char in "".join(each))
    assert list(names) != sorted(names), "the order tells nothing either"
    assert dict(new_creature_ids_and_names(world, "haunt", 1, {})) == {"haunt": "Reed Lurker"}
    assert list(dict(new_creature_ids_and_names(world, "goblin", 2, {}))) == ["goblin-1", "goblin-2"]


@pytest.mark.slow
def test_no_audience_is_told_what_is_hidden(haunted: Book) -> None:
    ends = time.monotonic() + MINUTES * 60
    entries = evenings = 0
    for seed in range(SEED, SEED + EVENINGS):
        entries += check(haunted, seed)
        evenings += 1
        if time.monotonic() > ends:
            break
    print(f"{evenings} evenings, {entries} commands")
    assert entries > 8 * evenings
