"""Pairs of evenings that differ in hidden things alone: all that players get of the two is the same.

Both play the same random commands with the same dice. In the second one somebody is hidden, who acts and ties
with people in sight, and the game master rolls in secret and takes notes. Whatever players are shown, told,
sent or asked afterwards is compared byte by byte, but for sealed ids.

After each command a few surfaces are drawn and compared, in the end all. A pair of each game; over 1,000 with
STRIKE_THOROUGH=1.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from support.cli import Strike

from strike_bridge.journal_results import posts_of_entry
from strike_bridge.state_projection import project_state
from strike_cli.campaign import Campaign
from strike_cli.campaign.journal import START
from strike_cli.campaign.redacted_journal import PlayersJournal
from strike_cli.campaign_on_screen import campaign_on_one_screen
from strike_cli.kernel.procedure import Roll, World
from strike_cli.kernel.state_changes import State, apply_fact, pending_decisions_in
from strike_cli.phones.players_api import PlayersAccess
from strike_cli.play.command_execution import PlaySettings, answer_decision_and_play_on, perform_command
from strike_cli.play.legal_options import legal_options_listed_by_bot
from strike_cli.problems import Problem
from strike_cli.registry import fact_class, load_known_system
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.serve.audience_queries import (
    AudienceQueries,
    RequestAudience,
    newest_log_text_for_players,
    sheet_text,
    table_text_for_players,
)
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.visibility.audiences import METERS, PLAYERS, Audience, is_person_secret
from strike_cli.visibility.known_journal import KnownEntry, KnownJournal
from strike_table.player_pages import PlayerRequestRefused

PAIRS = int(os.environ.get("PAIRS", 170 if os.environ.get("STRIKE_THOROUGH") else 1))
"""Of each game."""
STEPS = 14
PENDING = 6
FEW = 4
"""Surfaces that are compared after a command; all are in the end."""
HIDDEN = ("shardling", "moth", "ghost")


class Told(NamedTuple):
    """A game: its campaign, the same with somebody hidden in it, how a scene is begun, and who acts when."""

    campaign: str
    haunted: str
    begins: str
    orders: str = ""


def told_of(book: str, glade: str, who: str, begins: str, orders: str = "") -> Told:
    """A game; the map of its glade has an X where somebody hides."""
    haunted = glade.replace("X", "x").replace("place = { ", f'place = {{ x = "{who}", ')
    return Told(book + glade.replace("X", "."), book + haunted, begins, orders)


COMBAT = """
[creatures]
shardling = { name = "Shardling", hidden = true, hp = 9, speed = 2 }

[encounters.glade]
name = "The Glade"
map = '''
V.g....#.
B..g...#X
.......#.
'''
place = { V = "vex", B = "brann", g = "goblin" }
"""
MOMENTUM = """
[creatures.shardling]
name = "Shardling"
hidden = true
[creatures.shardling.momentum]
stats = { dex = 12, con = 11, ins = 10 }
skills = { nimbleness = 1, perception = 1, endurance = 1 }
vitality = 12
[encounters.glade]
name = "The Glade"
map = '''
K.g....#.
M..O...#X
.......#.
'''
place = { K = "kit", M = "mira", g = "goblin", O = "ogre" }
"""
GRIT = """
[encounters.glade]
name = "The Glade"
map = '''
PPc....#.
PP.F...#X
.......#.
'''
place = { P = "party", c = "cutter", F = "foreman" }
"""
KARMA = """
[encounters.glade]
name = "The Glade"
map = '''
PPv....#.
PP.t...#X
.......#.
'''
place = { P = "party", v = "viper", t = "thugs" }
"""


def file(*parts: str) -> str:
    return Path(__file__).parents[1].joinpath(*parts).read_text("utf-8")


TEAMS = file("data", "campaign.toml")
"""Nobody hides in a conflict or a chase: there the game master rolls in secret and takes notes."""
GAMES = {
    "combat": told_of(
        TEAMS, COMBAT, "shardling", "combat start glade --party vex --party brann", "combat initiative"
    ),
    "momentum": told_of(
        file("plugins", "momentum", "campaign.toml"),
        MOMENTUM,
        "shardling",
        "momentum start glade",
        "momentum initiative",
    ),
    "grit": told_of(file("golden", "hall.toml"), GRIT, "moth", "grit start glade"),
    "karma": told_of(file("golden", "gate.toml"), KARMA, "ghost", "karma start glade --roll"),
    "conflict": Told(
        TEAMS, TEAMS, "conflict start Race --intent a --against b --their-intent c --team vex odo"
    ),
    "chase": Told(TEAMS, TEAMS, "chase start --runners vex --runners odo --chasers goblin --range far"),
}
"""By the name of the system."""


class InTheWay(Exception):
    """Who is hidden has come to matter to those in sight: the two evenings go apart."""


class Side:
    """One of a pair."""

    def __init__(self, folder: Path, campaign: str, name: str, strike: Strike) -> None:
        folder.mkdir()
        (folder / "campaign.toml").write_text(campaign, encoding="utf-8")
        self.folder = folder
        self.system = load_known_system(name)
        self.strike = strike
        self.door = PlayersAccess(folder, "a seal")
        self.versions: dict[str, str] = {}
        """Of the pages that phones had last."""

    def type(self, line: str) -> bool:
        return self.ran(line).code == 0

    def ran(self, line: str) -> Any:
        return self.strike(f"-C {self.folder} {line}", None)

    @property
    def state(self) -> State:
        with Campaign(self.folder) as campaign:
            return campaign.state

    def play(self, name: str, args: Any, **how: Any) -> bool:
        with Campaign(self.folder, writing=True) as campaign:
            try:
                perform_command(campaign, name, args, PlaySettings(**how))
            except Problem:
                return False
            return True

    def hidden(self) -> set[str]:
        people = [each for scene in scenes_of(self.state) for each in scene.people.items()]
        return {who for who, one in people if is_person_secret(one)}

    def options(self) -> list[Any]:
        with Campaign(self.folder) as campaign:
            world = World(campaign.book, campaign.state)
            return (
                legal_options_listed_by_bot(self.system, world)
                if self.system.scene.key in campaign.state
                else []
            )


class Dice:
    """Faces by whose roll it is for what, whatever else is rolled: in place of a campaign's seeded ones."""

    step = ""

    def __init__(self, *_: object) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, roll: Roll) -> list[int]:
        key = f"{roll.who}/{roll.purpose}/{roll.sides}"
        self.asked[key] += 1
        source = Random(f"{Dice.step}/{key}/{self.asked[key]}")
        return [source.randint(1, roll.sides) for _ in range(roll.n)]


@pytest.fixture(autouse=True)
def _dice_and_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same dice and times for the same command; what is hidden happens at other times."""
    monkeypatch.setattr("strike_cli.play.command_execution.SeededDice", Dice)
    monkeypatch.setattr("strike_cli.campaign.campaign.current_utc_time", clock)


def clock() -> str:
    at, month = Random(Dice.step).randrange(10**6), 7 if Dice.step.endswith("hidden") else 8
    return f"2026-{month:02}-{1 + at % 28:02}T{at % 24:02}:{at % 60:02}:00Z"


# What players get

TYPED = {
    "log --player --last 500": ("", "--json"),
    "log --player --session 1": ("", "--json"),
    "session report 1 --player": ("--json", "", "--markdown"),
    "session story 1 --player": ("--json", "", "--markdown"),
}
"""What commands for players show of a whole evening, in one of these forms."""


def typed(side: Side, drawn: Random) -> dict[str, str]:
    """What commands for players, `serve` and a tabletop's log tell of a whole evening."""
    found: dict[str, Any] = {}
    for line, forms in TYPED.items():
        line = f"{line} {drawn.choice(forms)}"
        ran = side.ran(line)
        assert ran.code == 0, ran.err
        found[line] = ran.out
    hp = drawn.choice(METERS)
    with Campaign(side.folder) as campaign:
        found["serve"] = PlayersJournal(PLAYERS).newest_entries_after(campaign, 0, 500)
        found[f"results, {hp}"] = [post.result for post in posts(campaign, hp)]
    return {key: unsealed(value) for key, value in found.items()}


class Shown:
    """What players get of a side now, surface by surface."""

    def __init__(self, side: Side, campaign: Campaign) -> None:
        self.side, self.campaign = side, campaign
        self.game: Any = SimpleNamespace(folder=side.folder, current_campaign=campaign, changes=0)
        self.reads = AudienceQueries(self.game)

    def surfaces(self) -> dict[str, Callable[[], object]]:
        players = RequestAudience("players")
        return {
            "watch": lambda: blocks_as_unwrapped_text(campaign_on_one_screen(self.campaign, 9, 60, PLAYERS)),
            "mcp, log": lambda: newest_log_text_for_players(self.game),
            "mcp, scene": lambda: table_text_for_players(self.game),
            "serve, status": lambda: self.reads.status_known_to_players(players),
            "serve, options": lambda: self.reads.proposable_moves_envelope(players),
            "ranges": lambda: [self.reads.ranges(id, gm=False) for id in HIDDEN],
            **{f"tabletop, {hp}": partial(self.tabletop, hp) for hp in METERS},
            **{f"phone of {who}": partial(self.phone, who) for who in self.campaign.book.characters},
        }

    def tabletop(self, hp: str) -> object:
        found = _plain(project_state(self.campaign.state, hp=hp))
        return [{**each, "mark": ""} if isinstance(each, dict) else each for each in found]

    def phone(self, who: str) -> object:
        door = self.side.door
        page: dict[str, Any] = {**door.page(who)}
        self.side.versions[who] = page.pop("version")
        position = page.pop("position")  # a digest, of sealed ids, too
        refusals = [refusal(door, who, id, position) for id in HIDDEN]
        return page, refusals, sheet_text(self.reads._current_snapshot(), who)


def shown(side: Side, drawn: Random | None) -> dict[str, str]:
    """All that players get of a side now, or of a few surfaces that are drawn."""
    side.versions.clear()
    with Campaign(side.folder) as campaign:
        surfaces = Shown(side, campaign).surfaces()
        keys = drawn.sample([*surfaces], FEW) if drawn else [*surfaces]
        return {key: unsealed(surfaces[key]()) for key in keys}


def refusal(door: PlayersAccess, who: str, offer: str, position: str) -> str:
    """What a phone is told that proposes what nobody offered it."""
    with pytest.raises(PlayerRequestRefused) as refused:
        door.propose_or_play_in_own_turn(who, offer, position, [])
    return str(refused.value)


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def unsealed(value: Any) -> str:
    """As text, without sealed ids, which differ between any two evenings."""
    text = value if isinstance(value, str) else json.dumps(value, indent=1)
    return re.sub(r"\b[0-9a-f]{32}\b", "SEALED", text)


def posts(campaign: Campaign, hp: str) -> Iterator[Any]:
    """All results of the evening, by numbers of the target's own."""
    state: State = {}
    numbers: dict[int, int] = {}
    places: dict[Any, Any] = {}
    for entry, start, _ in campaign.journal.entries_since(START):
        places[start] = entry

        def called(seq: int, own: int = entry["seq"]) -> int | None:
            return len(numbers) + 1 if seq == own else numbers.get(seq)

        found = posts_of_entry(
            entry, state, lambda at: places[at], players=Audience(meters=hp), public_number=called
        )
        if any(not post.mark for post in found):
            numbers[entry["seq"]] = len(numbers) + 1
        yield from found
        for fact in entry["facts"]:
            state = apply_fact(state, fact)


# Evenings


def evening(
    name: str, seed: int, tmp_path: Path, strike: Strike, steps: int
) -> Iterator[tuple[Side | None, Side, str]]:
    """The same commands, in the open and beside somebody hidden; yields both after each, with what it was."""
    told, source = GAMES[name], Random(seed)
    plain = Side(tmp_path / f"{name}-{seed}-open", told.campaign, name, strike)
    haunted = Side(tmp_path / f"{name}-{seed}-hidden", told.haunted, name, strike)
    for line in ("session start", told.begins, told.orders):
        Dice.step = f"{seed}/{line}"
        for side in (plain, haunted):
            ran = side.ran(line or "status")
            assert ran.code in (0, PENDING), f"{line}: {ran.err}"
        yield from asked_beside(plain, haunted, line)
        settle(plain, haunted, source)
        assert haunted.hidden() or line == "session start" or told.campaign == told.haunted
        yield plain, haunted, line
    for step in range(steps):
        if source.random() < 0.5:
            Dice.step = f"{seed}/{step}/hidden"
            line = aside(haunted, name, source)
            if haunted.type(line):
                yield None, haunted, line
        offered = plain.options()
        if not offered:
            return
        option = source.choice(offered)
        Dice.step = f"{seed}/{step}"
        if not plain.play(option.command, option.args):
            continue
        if not together(haunted, option):
            raise InTheWay
        yield from asked_beside(plain, haunted, option.command)
        settle(plain, haunted, source)
        if active(plain) != active(haunted) or outcome(plain) != outcome(haunted):
            raise InTheWay
        yield plain, haunted, f"{option.command} {option.args}"


def asked_beside(plain: Side, haunted: Side, line: str) -> Iterator[tuple[None, Side, str]]:
    """The moment when a decision is open that is asked for somebody hidden alone."""
    asked, also = pending_decisions_in(plain.state), pending_decisions_in(haunted.state)
    if any(key not in asked or asked[key]["options"] != item["options"] for key, item in also.items()):
        yield None, haunted, f"what {line} waits for"


def aside(side: Side, name: str, source: Random) -> str:
    """What players hear nothing of."""
    who = source.choice(sorted(side.hidden()) or ["nobody"])
    with Campaign(side.folder) as campaign:
        playing = {one.ref for scene in scenes_of(campaign.state) for one in scene.people.values()}
        away = next((each for each in campaign.book.characters if each not in playing), who)
    return source.choice(
        [
            "roll die 2d6 --secret",
            "note Rain is coming. --secret",
            f"{name} set {who} note asleep --secret",
            f"condition add {away} angry --secret",
            "note They suspect nothing --secret",
            f"{name} place {who} {source.choice('HI')}{source.randint(4, 5)}",
        ]
    )


def together(side: Side, option: Any) -> bool:
    """Play what was played in the open; who is hidden has their own turns in between, and ends them."""
    end = f"{side.system.name} end-turn"
    for _ in range(4):
        played = side.play(option.command, option.args)
        if not begin_unseen_turn(side):
            return played
        if not side.play(end, {}):
            return False
        if played and option.command == end:
            return True
    return False


def begin_unseen_turn(side: Side) -> bool:
    """Begin the turn of somebody hidden where theirs comes next; whether it is theirs now."""
    orders = [scene.order for scene in scenes_of(side.state) if scene.order]
    if any(
        order.active is None and order.kind == "list" and {*order.next} & side.hidden() for order in orders
    ):
        side.play(f"{side.system.name} turn", {})
    return active(side) in side.hidden()


def active(side: Side) -> str | None:
    """Whose turn it is."""
    return next((scene.order.active for scene in scenes_of(side.state) if scene.order), None)


def outcome(side: Side) -> list[str]:
    """What the newest entry says that a scene came to: who is left may be hidden."""
    with Campaign(side.folder) as campaign:
        newest = campaign.journal.newest_entries(1)
    return [
        fact["text"] for entry in newest for fact in entry["facts"] if fact_class(fact["kind"]).closes_scene
    ]


def settle(plain: Side, haunted: Side, source: Random) -> None:
    """Answer what is asked: alike where it is asked in both."""
    for _ in range(12):
        asked, also = pending_decisions_in(plain.state), pending_decisions_in(haunted.state)
        if not (asked or also):
            return
        for side, mine, other in ((haunted, also, asked), (plain, asked, also)):
            for key, item in mine.items():
                seen = [each for each in item["options"] if each not in HIDDEN]
                options = seen or item["options"]
                if key in other and other[key]["options"] == item["options"]:
                    continue
                with Campaign(side.folder, writing=True) as campaign:
                    answer_decision_and_play_on(campaign, key, PlaySettings(choices=[min(options)]))
                break
        asked, also = pending_decisions_in(plain.state), pending_decisions_in(haunted.state)
        for key in asked.keys() & also.keys():
            answer = min(asked[key]["options"])
            for side in (plain, haunted):
                with Campaign(side.folder, writing=True) as campaign:
                    answer_decision_and_play_on(campaign, key, PlaySettings(choices=[answer]))


def differences(one: dict[str, str], other: dict[str, str]) -> list[str]:
    found = []
    for key in one:
        if one[key] != other[key]:
            lines = difflib.unified_diff(one[key].splitlines(), other[key].splitlines(), n=1)
            found.append(f"== {key}\n" + "\n".join([*lines][:30]))
    return found


def compare(name: str, seed: int, tmp_path: Path, strike: Strike, steps: int = STEPS) -> int:
    """Play a pair and compare what players get of it; how many times it was compared before the two went
    apart."""
    before: dict[str, str] = {}
    plain = haunted = None
    compared = 0
    try:
        for side, haunted, played in evening(name, seed, tmp_path, strike, steps):
            if side is None:
                frames = {who: haunted.door.page(who, at_once=True)["version"] for who in haunted.versions}
                assert frames == haunted.versions, f"{name}, pair {seed}: {played} is a frame for phones"
            else:
                plain, compared = side, compared + 1
            draw = f"{seed}/{compared}"
            also = shown(haunted, Random(draw))
            found = differences(shown(side, Random(draw)) if side else before, also)
            assert not found, f"{name}, pair {seed}, after {played}\n" + "\n".join(found)
            before = also
    except InTheWay:
        return compared
    assert plain is not None and haunted is not None
    drawn = f"{seed}/typed"
    ends = [shown(each, None) | typed(each, Random(drawn)) for each in (plain, haunted)]
    found = differences(*ends)
    assert not found, f"{name}, pair {seed}, in the end\n" + "\n".join(found)
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_what_players_get_is_the_same_wherever_somebody_hides(
    name: str, tmp_path: Path, strike: Strike
) -> None:
    compared = sum(compare(name, seed, tmp_path, strike) for seed in range(PAIRS))
    print(f"{PAIRS} pairs of {name}, compared {compared} times")
    assert compared > PAIRS * 3


def _take_with_number(journal: Any, entry: Any, take: Any = KnownJournal.take_entry) -> Any:
    known = take(journal, entry)
    if known is not None:
        known.command += f" #{entry['seq']}"
    return known


def _take_all(journal: Any, entry: Any, take: Any = KnownJournal.take_entry) -> Any:
    return take(journal, entry) or KnownEntry(entry, [], {}, False)


def _refuse_by_name(snapshot: Any) -> None:
    everybody = [who for scene in snapshot.view._scenes for who in scene.people]
    raise PlayerRequestRefused("moved_on", f"Wait for {', '.join(everybody)}.")


PLANTED: dict[str, tuple[str, str, Any]] = {
    "a decision": ("momentum", "strike_cli.visibility.redaction._asks_secret_decision", lambda *_: False),
    "a gap": ("combat", "strike_cli.visibility.known_scene._order_for_players", lambda order, *_: order),
    "a number": ("combat", "strike_cli.visibility.known_journal.KnownJournal.take_entry", _take_with_number),
    "an item": ("chase", "strike_cli.visibility.audience_view.without_secret_items", lambda state, *_: state),
    "a frame": (
        "combat",
        "strike_cli.phones.player_page_data.PhoneSnapshot.reuse_forecasts_if_same_knowledge",
        lambda *_: None,
    ),
    "an error text": ("combat", "strike_cli.phones.players_api._require_answers_allowed", _refuse_by_name),
    "a time": ("combat", "strike_cli.visibility.known_journal.KnownJournal.take_entry", _take_all),
    "a picture": ("combat", "strike_cli.visibility.known_scene.is_person_secret", lambda one: False),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_fault_is_found(
    kind: str, tmp_path: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, where, fault = PLANTED[kind]
    monkeypatch.setattr(where, fault)
    with pytest.raises(AssertionError, match="pair 0"):
        compare(name, 0, tmp_path, strike, 4)
