"""Whoever is hidden may be called by a common word, and whoever plays may have a power of the same word:
players hear nothing of the first and lose nothing of the second.

Random evenings of every system, by the contract kit, with people in hiding whose names are words that nothing
else has. What players get may have none of these words. Then the whole campaign is written anew with common
words in their place, `Shadow` for `Shqzxv`: what players get must be the same to the letter, since what is
hidden may be called anything. And what a fact says of nobody hidden is told, as the game master reads it.
"""

from __future__ import annotations

import contextlib
import html
import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from bridge.servers.table import KEY
from bridge.test_secrecy import served
from conftest import DATA
from plugins.grit.conftest import CAMPAIGN as GRIT
from plugins.karma.conftest import CAMPAIGN as KARMA
from support.cli import Strike
from support.journals import linked_anew
from support.plugins import install_toy
from support.thorough import THOROUGH, few_of

from strike_bridge import consent
from strike_bridge.journal_results import posts_of_entry
from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_bridge.state_projection import project_state
from strike_cli.campaign import Campaign
from strike_cli.campaign.journal import START
from strike_cli.campaign.journal_entry_format import Position
from strike_cli.campaign_on_screen import campaign_on_one_screen
from strike_cli.kernel.state_changes import State, apply_fact
from strike_cli.kernel.statements import ENGLISH
from strike_cli.phones.player_page_data import PhoneSnapshot, phone_entry
from strike_cli.plugin.testing import CAMPAIGN, Contract
from strike_cli.registry import fact_class, installed_plugins
from strike_cli.registry.remote_permissions import RemoteSender
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.serve import hosted_game as outside
from strike_cli.serve.audience_queries import PLAYERS as PLAYERS_ID
from strike_cli.serve.audience_queries import AudienceQueries, RequestAudience
from strike_cli.serve.mcp_tools import Assistant, Tools
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.terminal.journal_lines import newest_entry_lines
from strike_cli.visibility.audience_view import make_audience_view
from strike_cli.visibility.audiences import METERS, PLAYERS, Audience, is_person_secret
from strike_cli.visibility.players_state import known_state
from strike_cli.visibility.redaction import redact_each_fact_of_entry
from strike_cli.visibility.secret_picks import without_changes

NAMES = {"Shqzxv": "Shadow", "Liqzx": "Light", "Thq Zqxj": "The Door", "Vexqx Jkqxvzh": "Vex's Brother"}
"""Names of those in hiding, and the common words that may stand there as well, of the same length: positions
in a journal are bytes."""
IDS = {"shqzxv": "shadow", "liqzx": "light", "thq-zqxj": "the-door", "vexq-jkqxvzh": "vexs-brother"}
ODD = re.compile("|".join(map(re.escape, {**NAMES, **IDS})), re.IGNORECASE)
"""What nobody may read as long as they are hidden."""
OWN = {
    "combat": 'hp = 6\nmelee = { damage = 1 }\nranged = { damage = 1, range = 8 }\npowers = ["shadow-step"]\n'
    'traits = [{ name = "Cold blood", reactions = [{ on = "damaged", do = "heal", amount = 1 }] }]\n',
    "grit": 'hp = 6\n[creatures.{id}.grit]\nstr = "d6"\ndex = "d6"\nwil = "d4"\ngrit = 1\n'
    'weapons = {{ picks = {{ dice = ["d6"] }} }}\n',
    "karma": "hp = 6\n[creatures.{id}.karma]\nhero = 2\n",
    "momentum": "hp = 6\n[creatures.{id}.momentum]\nstats = {{ dex = 12, con = 11 }}\nvitality = 8\n"
    '[creatures.{id}.momentum.weapons]\nclaw = {{ primary = "dex", secondary = "str", damage = "1d6" }}\n',
}
"""What somebody in hiding has of each system."""
GLOOM = """
[powers.shadow-step]
name = "Shadow Step"
reach = 5
range = 5
damage = 1
effect = [{{ do = "apply", status = "light", duration = "save" }}]
miss = [{{ do = "zone", name = "The Light", sight = "obscured", duration = "encounter", to = "self" }}]
[powers.light-touch]
name = "Light Touch"
reach = 5
damage = 0
effect = [{{ do = "apply", status = "shadow", duration = "turn-end" }}, {{ do = "push", amount = 1 }}]

[statuses.light]
name = "Light"
[statuses.shadow]
name = "Shadow"
harmful = false

[creatures.rat]
name = "Rat"
hp = 4
melee = {{ damage = 1 }}

[encounters.gloom]
name = "{name}"
goal = "Cross it"
{fog}map = '''
P..s..r..
P..#..##.
P.l.d.#b.
'''
place = {{ P = "party", s = "shqzxv", l = "liqzx", d = "thq-zqxj", b = "vexq-jkqxvzh", r = "{seen}" }}
"""


def campaign_of(text: str, system: str, *, fog: bool = False, seen: str = "rat") -> str:
    """A campaign with somebody in hiding: as OWN has them, or for a fight beside another game."""
    name = "The Shadow Play"
    own = OWN.get(system, OWN["combat"])
    people = [
        f'[creatures.{id}]\nname = "{name}"\nhidden = true\n'
        + (own.format(id=id) if system in OWN and system != "combat" else own)
        for id, name in zip(IDS, NAMES, strict=True)
    ]
    return "\n".join([text, GLOOM.format(fog="fog = true\n" if fog else "", seen=seen, name=name), *people])


class Game(NamedTuple):
    """A system, and how it is played here."""

    system: str
    campaign: str
    begin: Sequence[tuple[str, Mapping[str, Any]]]
    words: Mapping[str, Sequence[Any]]
    rarely: Sequence[str] = ()


PARTY = ["ana", "bo", "cy"]
FIGHT = ("combat start", {"encounter": "gloom", "party": ["ana", "bo"]})
SMALL = (
    (DATA / "campaign.toml")
    .read_text(encoding="utf-8")
    .replace('"last-word", "scold"]', '"last-word", "scold", "shadow-step", "light-touch"]')
)
MOMENTUM = (DATA.parent / "plugins" / "momentum" / "campaign.toml").read_text(encoding="utf-8")
SQUARES = ["A1", "B1", "C3", "D1", "E3", "F1", "H3", "Z9"]
FIGHT_WORDS: dict[str, list[Any]] = {
    "to": SQUARES,
    "at": [*SQUARES, ["B2"], ["C2", "C1"]],
    "via": [[], ["B2"]],
    "squares": [["A1", "B1"], ["C2"], ["E3"]],
    "power": ["shadow-step", "light-touch", "core:melee-basic", "trip", "blast", "shove"],
    "status": ["light", "shadow", "core:prone", "core:marked", "core:grabbed", "core:ongoing"],
    "ends": ["save", "turn-end", "turn-start", "escape", "encounter", "damaged"],
    "until": ["damaged", ""],
    "mods": [[], [[1, "a word"]]],
    "skill": ["Climbing", "Haggling"],
    "encounter": ["gloom"],
    "ref": ["rat", "liqzx"],
    "difficulty": ["", "hard"],
    "sight": ["", "dark", "obscured"],
    "side": ["", "party", "enemies"],
    "result": ["", "won"],
    "called": ["Mist", "Light", "Shadow"],
    "why": ["the cold", ""],
}
ENDING = ["combat end", "combat abandon", "combat leave", "combat park"]


def fight(fog: bool) -> Game:
    """A fight with four in hiding."""
    begin = [("combat start", {"encounter": "gloom", "party": ["vex", "odo"]}), ("combat initiative", {})]
    return Game("combat", campaign_of(SMALL, "combat", fog=fog), begin, FIGHT_WORDS, ENDING)


PUBLIC = (
    "skill", "bank", "also", "linked", "name", "file", "handout", "old", "new", "who", "trick",
    "complication", "fallback",
)  # fmt: skip
"""Fields whose words are told by the will of whoever types them: a Skill is on a sheet, a handout is
shown."""
GAMES = {
    "combat": fight(False),
    "combat in the fog": fight(True),
    "core": Game(
        "core",
        campaign_of(CAMPAIGN, "core"),
        [FIGHT],
        {
            "who": PARTY, "to": PARTY, "skill": ["Climbing", "Haggling", "Cooking"], "also": ["Climbing"],
            "near": [["Climbing"], ["Cooking", "Haggling"]], "bank": ["Sneaking"], "linked": ["Sneaking"],
            "name": ["Rope"], "old": ["Climbing", "rope"], "new": ["Cooking"], "trick": ["Silent feet"],
            "complication": ["rope"], "fallback": ["Runs away"], "costs": [[], ["winded"], ["favor"]],
            "condition": ["core:winded", "core:injured"], "how": ["trait", "award"],
        },
    ),
    "wealth": Game(
        "wealth",
        campaign_of(CAMPAIGN, "wealth"),
        [FIGHT],
        {
            "who": PARTY, "also": ["Climbing"], "skill": ["Climbing"], "what": ["a boat"],
            "price": [0, 1, 2, 3], "rank": [0, 1, 2], "wealth": [0, 1, 2],
        },
    ),
    "chase": Game(
        "chase",
        campaign_of(CAMPAIGN, "chase"),
        [FIGHT, ("chase start", {
            "id": "", "name": "Roofs", "range": "medium", "danger": 1,
            "runners": ["ana", "bo"], "chasers": ["rat", "shqzxv", "the watch"],
        })],
        {"skill": ["Sneaking", ""], "mods": [[], [[1, "a cart"]]], "at": ["runners", "chasers"]},
        ["chase end"],
    ),
    "conflict": Game(
        "conflict",
        campaign_of(CAMPAIGN, "conflict"),
        [FIGHT, ("conflict start", {
            "id": "council", "name": "The Council", "intent": "a road", "against": "The Company",
            "their_intent": "a toll", "team": PARTY,
        })],
        {"skill": ["Sneaking", ""], "mods": [[], [[1, "a rope"]]]},
        ["conflict withdraw", "conflict concede", "conflict end"],
    ),
    "prep": Game(
        "prep",
        campaign_of(CAMPAIGN, "prep") + '\n[clocks.flood]\nname = "The flood"\nsegments = 3\npublic = true\n'
        'advances = ["session", "scene"]\n'
        '[clocks.shadow]\nname = "The long shadow"\nsegments = 4\n'
        '[tables.names]\nname = "Names"\nrepeats = false\nsecret = false\nentries = ["Ossi", "Berra"]\n',
        [FIGHT],
        {
            "clock": ["flood", "shadow"], "by": [1, 2], "table": ["names"], "text": ["Dear Odo"],
            "name": ["The watch"], "handout": ["map"], "file": ["map.png"], "sha256": ["0a"],
        },
    ),
    "grit": Game(
        "grit",
        campaign_of(GRIT, "grit", seen="cutter"),
        [("grit start", {"encounter": "gloom", "party": ["sam", "pete"], "surprise": False})],
        {
            "encounter": ["gloom"],
            "weapon": ["dagger", "sling", "great-bow", "picks", "unarmed"],
            "attribute": ["str", "dex", "wil"],
            "what": ["grit", "str", "hp"],
            "to": SQUARES,
            "damage": [["d6"], ["d20"]],
        },
        ["grit end"],
    ),
    "karma": Game(
        "karma",
        campaign_of(KARMA, "karma", seen="viper"),
        [("karma start", {"encounter": "gloom", "party": ["ana", "bo"], "roll": True})],
        {
            "encounter": ["gloom"],
            "for": [["trope"], ["trademark"], []],
            "against": [["2d6"], ["d8", "d6"], []],
            "other": [["d4"], []],
            "what": ["a spell of fire", "shoots"],
            "if": ["he moves"],
            "at": ["B2", "behind the well"],
            "why": ["the fall", ""],
        },
        ["karma end", "karma out"],
    ),
    "momentum": Game(
        "momentum",
        campaign_of(MOMENTUM, "momentum", seen="goblin"),
        [("momentum start", {"encounter": "gloom", "party": ["kit", "mira"]}), ("momentum initiative", {})],
        {
            "encounter": ["gloom"],
            "with": ["axe", "spear", "bow", "claw", []],
            "ability": ["fire-bolt", "frost", "light", "ward", "bash"],
            "to": SQUARES,
            "at": SQUARES,
            "status": ["momentum:prone", "momentum:burning"],
            "amount": [1, 5],
        },
        ["momentum end"],
    ),
    "toy": Game(
        "toy",
        campaign_of(CAMPAIGN, "toy"),
        [FIGHT, ("toy start", {"one": "ana", "other": "shqzxv", "coins": 3})],
        {},
    ),
}  # fmt: skip


def common(text: str) -> str:
    """A text with common words in the place of odd ones."""
    for odd, word in (*NAMES.items(), *IDS.items()):
        text = text.replace(odd, word)
    return text


def renamed(value: Any) -> Any:
    """Plain data with common words in the place of odd ones."""
    return json.loads(common(json.dumps(value)))


def words_in(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False, default=str)


class Onlooker:
    """Looks at all that players get of an evening."""

    def __init__(self, strike: Strike | None = None, every: int = 10) -> None:
        self.strike = strike
        self.every = every
        self.count = 0
        self.seen: set[str] = set()
        """Whom players have seen: they may be named from then on."""

    def look(self, campaign: Campaign, before: State, entries: Sequence[Mapping[str, Any]]) -> None:
        """After a command."""
        self._see(before)
        state = before
        for entry in entries:
            after = state
            for fact in entry["facts"]:
                after = apply_fact(after, fact)
                self._see(after)
            self._hear(campaign, dict(entry), state, after)
            state = after
        self.count += 1
        if self.strike and self.count % self.every == 0:
            self._read(campaign.folder)

    def _see(self, state: State) -> None:
        for scene in scenes_of(state):
            self.seen |= {who for who, one in scene.people.items() if not is_person_secret(one)}

    def _told_of(self, told: Any) -> list[str]:
        """What in a telling players may not know."""
        found = {word.lower().replace(" ", "-") for word in ODD.findall(words_in(told))}
        known = {who.rstrip("0123456789-") for who in self.seen}
        return sorted(found - known - {"vexqx-jkqxvzh" for who in known if who == "vexq-jkqxvzh"})

    def _same(self, told: Any, again: Any, what: str) -> None:
        assert not self._told_of(told), f"{what}: {self._told_of(told)} in {words_in(told)[:3000]}"
        plain = unsealed(json.loads(words_in(told)))
        changed = unsealed(json.loads(words_in(again)))
        assert changed == renamed(plain), f"{what}: {difference(renamed(plain), changed)}"

    def _hear(self, campaign: Campaign, entry: dict[str, Any], before: State, after: State) -> None:
        twin, twin_before, twin_after = renamed(entry), renamed(before), renamed(after)
        told, again = (
            redact_each_fact_of_entry(entry, before, PLAYERS),
            redact_each_fact_of_entry(twin, twin_before, PLAYERS),
        )
        self._same(facts_of(told), facts_of(again), "heard")
        self._nothing_public_is_lost(entry, told, before, after)
        for hp in METERS:
            if "head" not in entry:
                posts = [
                    one.result for one in posts_of_entry(entry, before, nowhere, players=Audience(meters=hp))
                ]
                again_posts = [
                    one.result
                    for one in posts_of_entry(twin, twin_before, nowhere, players=Audience(meters=hp))
                ]
                self._same(posts, again_posts, f"posts with {hp} HP")
            self._same(project_state(after, hp=hp), project_state(twin_after, hp=hp), f"tokens with {hp} HP")
        self._same(tables_tried(after), tables_tried(twin_after), "what players try")
        pages, again_pages = phones(campaign, told, after), phones(campaign, again, twin_after)
        self._same(pages, again_pages, "phones")

    def _nothing_public_is_lost(
        self, entry: dict[str, Any], told: Sequence[Any], before: State, after: State
    ) -> None:
        """What names nobody in hiding, and no ground in the fog, is told to the letter."""
        foggy = any(scene.board and scene.board.seen is not None for scene in scenes_of(before))
        # What an undo calls the commands that it takes back follows from what players have heard: the log.
        if entry.get("secret") or foggy or "head" in entry:
            return
        secret = {
            zone.name
            for state in (before, after)  # a zone may be made by it
            for scene in scenes_of(state)
            for zone in (scene.board.zones if scene.board else ())
            if zone.secret
        }
        for fact, each in zip(entry["facts"], told, strict=True):
            said = words_in({**without_changes(fact), "names": {}})
            if ODD.search(said) or fact_class(fact["kind"]).gm_only or any(name in said for name in secret):
                continue
            if not fact["text"] or ODD.search(words_in(fact["changes"])):
                continue
            assert each.fact is not None, f"lost: {fact}"
            assert each.fact["text"] == fact["text"], f"lost of {fact['text']}: {each.fact['text']}"
            assert not each.hides, f"told to the game master alone a second time: {fact}"

    def _read(self, folder: Path) -> None:
        """What players read on a terminal, in a file and on a page."""
        assert self.strike
        twins = folder.parent / f"{folder.name}-twins"
        shutil.rmtree(twins, ignore_errors=True)
        read = []
        for name, change in (("odd", str), ("common", common)):
            at = twins / name
            shutil.copytree(folder, at, ignore=shutil.ignore_patterns(".lock", "bridge", "campaign-*.z"))
            for file in (path for path in at.rglob("*") if path.is_file()):
                file.write_bytes(change(file.read_text(encoding="utf-8")).encode())
            linked_anew(at)
            said = {line: self.strike(f"{line} -C {at}", None).out for line in READ}
            with Campaign(at) as campaign:
                screen = blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 30, 60, PLAYERS))
                said["watch"] = "\n".join(
                    blocks_as_unwrapped_text(lines) for lines in newest_entry_lines(campaign, 30, PLAYERS)
                )
            said["page"] = words_in(unsealed(page_of(at)))
            if THOROUGH or self.count % (3 * self.every) == 0:
                said |= from_outside(at)
            assert change is common or not self._told_of(screen), f"watch: {screen}"
            read.append({line: text.replace(str(at), "") for line, text in said.items()})
        odd, again = read
        for line in odd:
            assert not self._told_of(odd[line]), f"{line}: {self._told_of(odd[line])} in {odd[line]}"
            assert common(odd[line]) == again[line], f"{line}: {difference(common(odd[line]), again[line])}"
        shutil.rmtree(twins)


def from_outside(folder: Path) -> dict[str, str]:
    """What other programs read of a campaign as players, and what an assistant is told."""
    with outside.HostedGame(folder, RemoteSender.MCP).run_in_thread() as game:
        reads, said = AudienceQueries(game), dict[str, str]()
        for who in (
            "",
            *game.call_on_game_thread(lambda: list(game.current_campaign.book.characters)[:1]).result(),
        ):
            audience, tools = RequestAudience(PLAYERS_ID, who), Tools(game, Assistant(PLAYERS_ID, who, True))
            for name, read in (
                ("options", reads.proposable_moves_envelope),
                ("status", reads.status_known_to_players),
            ):
                said[f"serve {name} {who}"] = json.dumps(
                    game.call_on_game_thread(partial(read, audience)).result()
                )
            said[f"mcp {who}"] = "\n".join([tools.options(), tools.look("log"), tools.look("sheet")])
        said["serve log"] = json.dumps(
            game.call_on_game_thread(lambda: reads.newest_log_entries_after(audience, 0, 500)).result()
        )
    return said


READ = (
    "log --player --last 999",
    "log --player --last 999 --json",
    "session report --player",
    "session report --player --json",
    "session report --player --markdown",
    "session story --player",
    "session story --player --json",
)


def page_of(folder: Path) -> Any:
    """All that players get of a table that is told everything, and keeps things from them itself.

    At its end, and event by event for whoever has watched from the first moment on. The table is a new one:
    where a bridge has no file, a line whose id the table has counts as told, and isn't sent.
    """
    with served(folder / "watched") as page:
        begun = httpx.get(f"{page}/api/v1/state", verify=False).json()["version"]
        report = push(folder, Settings("page", "table", url=page, audience="gm"))
        assert not report.error
        state = httpx.get(f"{page}/api/v1/state", verify=False).json()
        found = streamed(page, begun)
    assert state["tokens"] and state["results"]
    assert {"token", "result"} <= {event for event, _ in found}
    return [_without_counts(state), [(event, _without_counts(data)) for event, data in found]]


def _without_counts(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in ("since", "revision", "seq", "version")}


def streamed(page: str, after: int) -> list[tuple[str, Any]]:
    """The events that a page is told which has seen a version, each with its data."""
    found, event = [], ""
    with (
        contextlib.suppress(httpx.ReadTimeout),
        httpx.stream(
            "GET", f"{page}/events?after={after}", timeout=httpx.Timeout(5, read=0.5), verify=False
        ) as answer,
    ):
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            event = value if name == "event" else event
            if name == "data" and event:
                found.append((event, json.loads(value)))
    return found


def facts_of(told: Sequence[Any]) -> list[Any]:
    """What players hear, without what it changes: that is sent nowhere."""
    return [
        each.fact and [{**without_changes(each.fact)}, each.banner and each.banner._asdict()] for each in told
    ]


def tables_tried(state: State) -> State:
    """The scenes of the state in which players' moves are tried."""
    known = known_state(state)
    return {scene.key: known[scene.key] for scene in scenes_of(known)}


def phones(campaign: Campaign, told: Sequence[Any], after: State) -> Any:
    """What a phone shows after an entry."""
    who = next(iter(campaign.book.characters))
    entry = {"facts": [without_changes(each.fact) for each in told if each.fact]}
    snapshot = PhoneSnapshot(
        campaign.book, make_audience_view(after, PLAYERS), "a seal", [phone_entry(entry, ENGLISH)]
    )
    page = snapshot.page(who, at_once=True)
    for decision in page["decisions"]:
        del decision["id"]
    return page


SEALED = ("position", "version", "mark")
"""Which state or decision it is of, under a seal that nobody but the game master can open."""


def unsealed(value: Any) -> Any:
    """Plain data without seals."""
    if isinstance(value, dict):
        return {
            key: html.unescape(inner) if key == "html" else unsealed(inner)
            for key, inner in value.items()
            if key not in SEALED
        }
    return [unsealed(inner) for inner in value] if isinstance(value, list) else value


def nowhere(position: Position) -> dict[str, Any]:
    """No entry: none is taken back here."""
    return {}


def difference(one: Any, other: Any) -> str:
    """Where two values begin to differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        return next(f".{key}{difference(one[key], other[key])}" for key in one if one[key] != other[key])
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return next(
            f"[{at}]{difference(one[at], other[at])}" for at in range(len(one)) if one[at] != other[at]
        )
    return f": {one!r} has become {other!r}"


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        install_toy(tmp_path / "site", patch)
        yield
    installed_plugins.drop_plugin_index()


def play(name: str, seed: int, moves: int, onlooker: Onlooker) -> None:
    game = GAMES[name]
    contract = Contract(
        game.system,
        campaign=game.campaign,
        begin=game.begin,
        words={"called": FIGHT_WORDS["called"], **game.words},  # a zone is on the map for all
        rarely=game.rarely,
        sure=PUBLIC,
        look=onlooker.look,
    )
    contract.play_checked_evening(seed, moves)
    assert onlooker.count > moves // 8, f"{onlooker.count} commands were played"


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("name", few_of(GAMES, 4))
def test_a_common_word_hides_and_gives_away_nothing(name: str) -> None:
    """A short evening of each."""
    play(name, 1, 8, Onlooker())


EVENINGS, MOVES = (200, 40) if THOROUGH else (1, 25)
"""How many evenings of each system, and how many moves each has."""
MINUTES = float(os.environ.get("SOAK_MINUTES", "inf"))
SEED = int(os.environ.get("SOAK_SEED", 2))


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("name", GAMES)
def test_on_every_way_out(name: str, strike: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long evenings, with all that is read of the journal, and the page of a table that is told all."""
    monkeypatch.setenv("STRIKE_TABLE_KEY", KEY)
    monkeypatch.setattr(consent, "is_agreed", lambda *_: True)
    ends = time.monotonic() + MINUTES * 60 / len(GAMES)
    for seed in range(SEED, SEED + EVENINGS):
        play(name, seed, MOVES, Onlooker(strike))
        if time.monotonic() > ends:
            break


SHADOWS = """
schema = 1
name = "The Ford"
seed = 7

[characters]
vex = { name = "Vex", powers = ["shadow-step", "shadow"] }

[powers]
shadow-step = { name = "Shadow Step", range = 5, damage = 3 }
shadow = { name = "Dusk Blade", range = 5, damage = 2 }

[creatures]
shadow = { name = "Shadow", hidden = true, hp = 6 }
rat = { name = "Rat", hp = 8 }

[encounters]
ford = { name = "The Ford", map = "P.r.s", place = { P = "vex", r = "rat", s = "shadow" } }

[encounters.cellar]
name = "The Cellar"
fog = true
map = '''
P..#..r
...#...
'''
place = { P = "vex", r = "rat" }
"""


def begun(strike: Strike, encounter: str) -> None:
    """A fight in which it is Vex's turn."""
    Path("campaign.toml").write_text(SHADOWS, encoding="utf-8")
    strike(f"combat start {encounter} --party vex")
    strike("combat initiative --dice " + ("6,1,1" if encounter == "ford" else "6,1"))
    strike("combat turn")


def told_at_tables() -> str:
    """All that a tabletop or a webhook is told of the evening, for players."""
    with Campaign(Path()) as campaign:
        entries = [entry for entry, _, _ in campaign.journal.entries_since(START)]
    state: State = {}
    posts = []
    for entry in entries:
        posts += posts_of_entry(entry, state, nowhere)
        for fact in entry["facts"]:
            state = apply_fact(state, fact)
    return words_in([[post.result for post in posts], project_state(state)])


def test_a_power_called_as_somebody_in_hiding_keeps_its_hit_and_its_damage(strike: Strike) -> None:
    begun(strike, "ford")
    strike('combat attack vex rat --power "shadow step" --dice 5')
    for told in (strike("log --player").out, strike("log --player --json").out, told_at_tables()):
        assert "Shadow Step" in told
        assert "Rat takes 3 damage from Shadow Step: 8 to 5 HP." in told
        assert not re.search(r"\bshadow\b(?![ -]step)", told, re.IGNORECASE)
    strike("undo")
    with Campaign(Path()) as campaign:
        offers = (
            PhoneSnapshot(campaign.book, make_audience_view(campaign.state, PLAYERS))
            .move_offers("vex")
            .values()
        )
    assert {offer.text for offer in offers} >= {"Shadow Step: Rat", "Dusk Blade: Rat"}


@pytest.mark.parametrize("gone", ["combat leave rat --why unseen", "combat damage rat 50"])
def test_whoever_is_gone_in_the_fog_is_named_nowhere(strike: Strike, gone: str) -> None:
    begun(strike, "cellar")
    strike(gone)
    with Campaign(Path()) as campaign:
        watch = blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 30, 60, PLAYERS))
        entries = [entry for entry, _, _ in campaign.journal.entries_since(START)]
        phone = words_in(
            phones(campaign, redact_each_fact_of_entry(entries[-1], campaign.state, PLAYERS), campaign.state)
        )
    for line in READ:
        assert "rat" not in re.findall(r"[a-z]+", strike(line).out.lower()), line
    for told in (watch, phone, told_at_tables()):
        assert "rat" not in re.findall(r"[a-z]+", told.lower())
    assert "rat" in strike("log").out.lower(), "the game master reads it"
