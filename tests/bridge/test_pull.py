"""What people move at a tabletop comes back: by the rules where it is legal, else by the game master's hand,
and never goes round in circles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from support.evening import Evening
from support.thorough import THOROUGH

from strike_bridge.delivery_record import load_or_make_cursor
from strike_bridge.journal_reader import JournalReader
from strike_bridge.pending_edits import describe_pending_edits_for_gm
from strike_bridge.settings import Settings, read_targets
from strike_bridge.state_projection import square_payload
from strike_bridge.tabletop_edits import lock_and_open_pull
from strike_cli.campaign import Campaign
from strike_cli.campaign.journal import START
from strike_cli.campaign_on_screen import campaign_on_one_screen, screens_stamp
from strike_cli.problems import CampaignProblem
from strike_cli.systems.campaign.commands import bridge_pull
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.terminal.commands_and_options import Options
from strike_cli.visibility.audiences import GM, PLAYERS

from .helpers import Typed, link, storm, told
from .servers.base import Server, running
from .servers.cozyvtt import MAP, BadCozy
from .servers.dungeon_revealer import DungeonRevealer
from .servers.encounterplus import EncounterPlus
from .servers.foundry import BadFoundry, origin
from .servers.table import BadTable

pytestmark = pytest.mark.slow


class There:
    """A tabletop as its people see it: they drag tokens, set HP and delete."""

    kind = ""
    has_hp = True

    def __init__(self, server: Any, evening: Evening, pull: str) -> None:
        self.server, self.evening = server, evening
        self.server_writes = 0
        head = f'[bridge.targets.there]\nkind = "{self.kind}"\nurl = "{server.url}"\ncreate = true\n'
        evening.set_targets(f'{head}pull = "{pull}"\n{self.more()}')
        link(evening.folder, self.settings, **self.links())

    @property
    def settings(self) -> Settings:
        return read_targets(self.evening.folder)["there"]

    def more(self) -> str:
        """What else its settings say."""
        return ""

    def links(self) -> dict[str, str]:
        """Tokens that are there before."""
        return {}

    def drag(self, who: str, square: str) -> None:
        """Somebody drags a token."""
        at = square_payload(square)
        assert at is not None
        self.put(self.token(who), at["x"], at["y"])

    def token(self, who: str) -> dict[str, Any]:
        raise NotImplementedError

    def put(self, token: dict[str, Any], x: int, y: int) -> None:
        raise NotImplementedError

    def square(self, who: str) -> str:
        """Where a token stands."""
        token = self.token(who)
        for x in range(-2, 12):
            for y in range(-2, 6):
                probe = {**token}
                self.put(probe, x, y)
                if self.where(probe) == self.where(token):
                    return f"{'ABCDEFGHIJKL'[x]}{y + 1}" if x >= 0 and y >= 0 else "beside"
        return "between"

    def where(self, token: dict[str, Any]) -> Any:
        return token["x"], token["y"]


class AtCozy(There):
    kind = "cozyvtt"

    def token(self, who: str) -> dict[str, Any]:
        found = [each for each in self.server.tokens if each["metadata"]["strike"]["id"] == who]
        assert len(found) == 1
        token: dict[str, Any] = found[0]
        return token

    def put(self, token: dict[str, Any], x: int, y: int) -> None:
        token["position"] = {"x": x, "y": y}

    def where(self, token: dict[str, Any]) -> Any:
        return token["position"]

    def wound(self, who: str, hp: int) -> None:
        self.token(who)["hp"] = {**self.token(who)["hp"], "current": hp}

    def delete(self, who: str) -> None:
        tokens = self.server.maps[MAP]["tokens"]
        tokens.remove(self.token(who))


class AtFoundry(There):
    kind = "foundry"
    actors = ("vex", "brann", "goblin", "lurker")

    def more(self) -> str:
        world = self.server.world
        made = [f'{name} = "{world.add_actor(name, health={"value": 1, "max": 1})}"' for name in self.actors]
        return 'preset = "worldbuilding"\n[bridge.targets.there.options.actors]\n' + "\n".join(made)

    def token(self, who: str) -> dict[str, Any]:
        tokens = self.server.world.tokens["sceneFord0000000"].values()
        found = [each for each in tokens if each["flags"]["strike"]["id"] == who]
        assert len(found) == 1
        token: dict[str, Any] = found[0]
        return token

    def put(self, token: dict[str, Any], x: int, y: int) -> None:
        left, top = origin(self.server.world.scene)
        token.update(x=left + 100 * x, y=top + 100 * y)

    def wound(self, who: str, hp: int) -> None:
        self.server.world.actor_of(self.token(who))["system"]["health"]["value"] = hp

    def delete(self, who: str) -> None:
        del self.server.world.tokens["sceneFord0000000"][self.token(who)["_id"]]


class Linked(There):
    """One that has its tokens already."""

    ours: ClassVar = {"vex": "t1", "brann": "t2", "goblin-1": "t3", "goblin-2": "t4"}

    def links(self) -> dict[str, str]:
        return self.ours

    def token(self, who: str) -> dict[str, Any]:
        token: dict[str, Any] = self.server.tokens[self.ours[who]]
        return token


class AtScreen(Linked):
    kind = "dungeon-revealer"
    has_hp = False

    def put(self, token: dict[str, Any], x: int, y: int) -> None:
        token.update(x=12 + 60 * x + 30, y=6 + 60 * y + 30)

    def delete(self, who: str) -> None:
        self.server.maps["cave"]["tokens"].remove(self.token(who))


class AtTable(There):
    kind = "table"

    def token(self, who: str) -> dict[str, Any]:
        token: dict[str, Any] = self.server.tokens[who]
        return token

    def put(self, token: dict[str, Any], x: int, y: int) -> None:
        token["position"] = {"x": x, "y": y}

    def where(self, token: dict[str, Any]) -> Any:
        return token["position"]

    def wound(self, who: str, hp: int) -> None:
        self.token(who)["hp"] = {**self.token(who)["hp"], "value": hp}


class AtPad(Linked):
    kind = "encounterplus"

    def put(self, token: dict[str, Any], x: int, y: int) -> None:
        token.update(x=10 + 50 * x + 25, y=20 + 50 * y + 25)

    def wound(self, who: str, hp: int) -> None:
        self.server.combatants[f"c-{self.ours[who]}"]["data"]["hp"]["current"] = hp


KINDS: dict[str, tuple[type[There], Any]] = {
    "cozyvtt": (AtCozy, BadCozy),
    "foundry": (AtFoundry, BadFoundry),
    "dungeon-revealer": (AtScreen, lambda: DungeonRevealer(t1="V", t2="B", t3="G", t4="H")),
    "table": (AtTable, BadTable),
    "encounterplus": (AtPad, lambda: EncounterPlus(t1="Vex", t2="Brann", t3="Goblin 1", t4="Goblin 2")),
}


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with running(KINDS[request.param][1]()) as server:
        server.kind = request.param
        yield server


def fighting(server: Any, evening: Evening, pull: str, game: str = "P..g....\nP..g..L.\n........") -> There:
    """A fight at the ford in which it is Vex's turn, told there."""
    evening.edit("P..g....\nP..g..L.\n........", game)
    there = KINDS[server.kind][0](server, evening, pull)
    evening.start()
    evening.play("combat initiative", dice=[6, 5, 3, 2, 1])
    evening.play("combat turn")
    told(evening, there.settings)
    return there


def at(evening: Evening, who: str) -> Any:
    return state(evening)["fight"]["combatants"][who].get("at")


def state(evening: Evening) -> Any:
    with Campaign(evening.folder) as campaign:
        return campaign.state


Capsys = pytest.CaptureFixture[str]


def pulled(evening: Evening, capsys: Capsys, words: str = "", code: int = 0) -> Any:
    """`strike bridge pull there --json`: each change by whom it is about."""
    capsys.readouterr()
    changes = Typed(evening.folder, capsys).json(f"pull there {words}", code)["data"]["changes"]
    return {one["id"]: one for one in changes}


def journal(evening: Evening) -> list[Any]:
    return [entry for entry, *_ in JournalReader(evening.folder).read_backlog(START, 0).entries]


def test_a_legal_drag_is_a_move_and_is_not_told_back(server: Any, evening: Evening, capsys: Capsys) -> None:
    there = fighting(server, evening, "moves")
    there.drag("vex", "B3")
    came = pulled(evening, capsys)["vex"]
    assert (came["state"], came["command"]) == ("taken", "strike combat move vex B3")
    assert at(evening, "vex") == "B3"
    entry = journal(evening)[-1]
    assert (entry["command"], entry["note"]) == ("combat move", "moved in there")
    tokens = len(server.writes("token"))
    told(evening, there.settings)
    assert pulled(evening, capsys) == {}
    assert len(server.writes("token")) == tokens, "what was pulled is not pushed"
    evening.undo()
    told(evening, there.settings)
    assert there.square("vex") == "A1"
    assert pulled(evening, capsys) == {}


def test_a_drag_in_another_s_turn_waits_or_is_the_game_masters_hand(
    server: Any, evening: Evening, capsys: Capsys
) -> None:
    there = fighting(server, evening, "moves")
    there.drag("brann", "B3")
    came = pulled(evening, capsys)["brann"]
    assert (came["state"], came["why"]) == ("waits", "It is Vex's turn, not Brann's.")
    assert (at(evening, "brann"), there.square("brann")) == ("A2", "B3")
    assert describe_pending_edits_for_gm(evening.folder) == ["there: Brann from A2 to B3"]
    came = pulled(evening, capsys, "--yes")["brann"]
    assert (came["state"], at(evening, "brann")) == ("set", "B3")
    entry = journal(evening)[-1]
    assert (entry["command"], entry["args"]["why"]) == ("override", "moved in there")
    assert describe_pending_edits_for_gm(evening.folder) == []
    assert pulled(evening, capsys) == {}


def test_what_waits_is_put_back(server: Any, evening: Evening, capsys: Capsys) -> None:
    there = fighting(server, evening, "moves")
    there.drag("brann", "B3")
    assert pulled(evening, capsys, "--back")["brann"]["state"] == "put back"
    assert (at(evening, "brann"), there.square("brann")) == ("A2", "A2")
    assert pulled(evening, capsys) == {}


def test_a_drag_through_a_wall_goes_round_it_or_waits(server: Any, evening: Evening, capsys: Capsys) -> None:
    there = fighting(server, evening, "moves", "P#.g....\nP#.g..L.\n..#.....")
    there.drag("vex", "C1")
    came = pulled(evening, capsys)["vex"]
    assert (came["state"], at(evening, "vex")) == ("waits", "A1")
    there.drag("vex", "B1")
    assert pulled(evening, capsys)["vex"]["state"] == "waits"
    there.drag("vex", "A3")
    assert pulled(evening, capsys)["vex"]["state"] == "taken"
    there.drag("brann", "C1")
    came = pulled(evening, capsys, "--yes")["brann"]
    assert (came["state"], at(evening, "brann")) == ("set", "C1")


def test_of_two_drags_whose_turn_it_is_goes_first(server: Any, evening: Evening, capsys: Capsys) -> None:
    there = fighting(server, evening, "moves")
    there.drag("goblin-1", "E1")
    there.drag("vex", "B3")
    came = pulled(evening, capsys)
    assert {who: one["state"] for who, one in came.items()} == {"vex": "taken", "goblin-1": "waits"}
    assert list(came) == ["vex", "goblin-1"]


def test_opportunities_are_asked_for_and_who_stays_is_put_back(
    server: Any, evening: Evening, capsys: Capsys
) -> None:
    there = fighting(server, evening, "all", "..Pg....\nP..g..L.\n........")
    there.drag("vex", "A1")
    came = pulled(evening, capsys, code=6)["vex"]
    assert (came["state"], at(evening, "vex")) == ("asks", "C1")
    told(evening, there.settings)
    assert there.square("vex") == "A1", "nobody is put back while it is asked"
    assert pulled(evening, capsys) == {}
    typed = Typed(evening.folder, capsys)
    typed.strike("choose stay")
    told(evening, there.settings)
    assert (at(evening, "vex"), there.square("vex")) == ("C1", "C1")
    there.drag("vex", "A1")
    assert pulled(evening, capsys, code=6)["vex"]["state"] == "asks"
    typed.strike("choose go")
    told(evening, there.settings)
    assert there.square("vex") == at(evening, "vex")
    assert pulled(evening, capsys) == {}


def test_a_deleted_token_is_made_again_or_to_be_linked(server: Any, evening: Evening, capsys: Capsys) -> None:
    if server.kind in ("table", "encounterplus"):
        pytest.skip("nobody deletes at the table's page, and Encounter+ doesn't tell")
    there = fighting(server, evening, "all")
    there.delete("goblin-1")  # type: ignore[attr-defined]
    came = pulled(evening, capsys)["goblin-1"]
    if server.kind == "dungeon-revealer":
        assert came["state"] == "to be linked"
    else:
        assert came["state"] == "made again"
        assert there.square("goblin-1") == "D1"
        assert pulled(evening, capsys) == {}


def test_hp_that_were_set_there_are_set_here(server: Any, evening: Evening, capsys: Capsys) -> None:
    if server.kind == "dungeon-revealer":
        pytest.skip("it has no HP")
    there = fighting(server, evening, "all")
    there.wound("vex", 7)  # type: ignore[attr-defined]
    came = pulled(evening, capsys)["vex"]
    assert (came["field"], came["ours"], came["theirs"], came["state"]) == ("hp", 10, 7, "taken")
    assert state(evening)["fight"]["combatants"]["vex"]["hp"] == 7
    assert pulled(evening, capsys) == {}
    evening.play("combat damage", who="vex", amount=1, why="")
    told(evening, there.settings)
    assert pulled(evening, capsys) == {}


def test_what_the_campaign_changed_meanwhile_goes_ahead(
    server: Any, evening: Evening, capsys: Capsys
) -> None:
    there = fighting(server, evening, "all")
    there.drag("vex", "B3")
    evening.play("combat move", who="vex", to="A3")
    assert pulled(evening, capsys) == {}
    told(evening, there.settings)
    assert (at(evening, "vex"), there.square("vex")) == ("A3", "A3")


def test_diff_shows_what_a_pull_would_take(server: Any, evening: Evening, capsys: Capsys) -> None:
    there = fighting(server, evening, "moves")
    there.drag("vex", "B3")
    there.drag("goblin-1", "E1")
    before, typed = len(journal(evening)), Typed(evening.folder, capsys)
    drift = {one["id"]: one for one in typed.json("diff there")["data"]["drift"]}
    assert (drift["vex"]["pulled"], drift["vex"]["pull"]) == ("taken", "strike combat move vex B3")
    assert drift["goblin-1"]["pulled"] == "waits"
    assert len(journal(evening)) == before
    assert "combat move vex B3" in typed("diff there").replace("\n", " ")


def test_a_dry_run_and_off_take_nothing(server: Any, evening: Evening, capsys: Capsys) -> None:
    there = fighting(server, evening, "off")
    there.drag("vex", "B3")
    assert 'pull = "ask"' in Typed(evening.folder, capsys)("pull there", 2)
    evening.edit('pull = "off"', 'pull = "moves"')
    assert pulled(evening, capsys, "--dry-run")["vex"]["state"] == "taken"
    assert at(evening, "vex") == "A1"


def test_the_hidden_stay_hidden(server: Any, evening: Evening, capsys: Capsys) -> None:
    """Whoever moves somebody hidden there moves them here, and players hear nothing of it."""
    there = fighting(server, evening, "all")
    if server.kind in ("dungeon-revealer", "encounterplus"):
        assert "lurker" not in load_or_make_cursor(evening.folder, "there").tokens
        return
    if server.kind == "table":
        return  # told as players are, it has no lurker
    there.drag("lurker", "G1")
    assert pulled(evening, capsys)["lurker"]["state"] == "set"
    assert (at(evening, "lurker"), state(evening)["fight"]["combatants"]["lurker"]["hidden"]) == ("G1", True)
    assert "urker" not in Typed(evening.folder, capsys).strike("log --player")


def test_a_worker_that_died_before_it_was_played_puts_the_token_back(server: Any, evening: Evening) -> None:
    there = fighting(server, evening, "all")
    there.drag("vex", "B3")
    with lock_and_open_pull(evening.folder, there.settings) as looking:
        [changed] = looking.read_edits()
        looking.mark_taken(changed)
    told(evening, there.settings)
    assert (at(evening, "vex"), there.square("vex")) == ("A1", "A1")


@pytest.mark.parametrize("seed", range(20 if THOROUGH else 1))
def test_drags_and_moves_at_random_end_where_both_agree(
    server: Any, evening: Evening, capsys: Capsys, seed: int
) -> None:
    there = fighting(server, evening, "all")
    rng, typed = random.Random(seed), Typed(evening.folder, capsys)
    people = ["vex", "brann", "goblin-1", "goblin-2"]
    server.always = storm(rng)
    for _ in range(12):
        who, square = rng.choice(people), f"{rng.choice('ABCDEFGH')}{rng.randint(1, 3)}"
        what = rng.randrange(5)
        if what in (0, 1):
            there.drag(who, square)
        elif what == 2:
            evening.move(who, square)
        elif what == 3:
            evening.undo()
            if "fight" not in state(evening) or not state(evening)["fight"].get("active"):
                evening.redo()
        typed("pull there", None)
        if state(evening).get("pending"):
            typed.strike(f"choose {rng.choice(['go', 'stay'])}", None)
    server.always = None
    told(evening, there.settings)
    pulled(evening, capsys, "--back")  # two on one square is more than the game master's hand may set
    assert {who: there.square(who) for who in people} == {who: at(evening, who) for who in people}
    assert pulled(evening, capsys) == {}


# At a terminal, and on the screens


@pytest.fixture
def cozy() -> Iterator[Any]:
    with running(BadCozy()) as server:
        server.kind = "cozyvtt"  # type: ignore[attr-defined]
        yield server


@pytest.mark.parametrize(("answer", "end"), [("take", "B3"), ("back", "A1"), ("later", "A1")])
def test_at_a_terminal_it_is_asked(
    cozy: Any, evening: Evening, capsys: Capsys, monkeypatch: pytest.MonkeyPatch, answer: str, end: str
) -> None:
    there = fighting(cozy, evening, "ask")
    there.drag("vex", "B3")
    monkeypatch.setattr(Options, "interactive", property(lambda options: not options.json))
    answers_given = iter(["what?", answer])
    monkeypatch.setattr("builtins.input", lambda question: next(answers_given))
    assert "Vex from A1 to B3 (legal)" in Typed(evening.folder, capsys)("pull")
    assert at(evening, "vex") == end
    assert there.square("vex") == ("B3" if answer == "later" else end)
    assert bool(describe_pending_edits_for_gm(evening.folder)) == (answer == "later")


def watched(
    evening: Evening,
    capsys: Capsys,
    monkeypatch: pytest.MonkeyPatch,
    looks: list[Callable[[], object]],
    options: str = "",
) -> str:
    """`strike bridge pull --watch`, with something done after each look, and a Ctrl-C in the end."""

    def nap(seconds: float) -> None:
        if not looks:
            raise KeyboardInterrupt
        looks.pop(0)()

    monkeypatch.setattr(bridge_pull, "time", SimpleNamespace(sleep=nap))
    return Typed(evening.folder, capsys)(f"pull --watch {options}")


def test_watching_takes_what_is_legal_and_tells_once_what_waits(
    cozy: Any, evening: Evening, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = fighting(cozy, evening, "moves")
    looks = [lambda: there.drag("vex", "B3"), lambda: there.drag("brann", "C3"), lambda: None]
    said = watched(evening, capsys, monkeypatch, looks)
    assert at(evening, "vex") == "B3"
    assert said.count("Vex from A1 to B3: taken.") == 1
    assert said.count("Brann from A2 to C3: waits") == 1


@pytest.mark.parametrize(("option", "vex"), [("--only brann", "A1"), ("--back", "A1"), ("--yes", "B3")])
def test_watching_heeds_what_one_look_heeds(
    option: str, vex: str, cozy: Any, evening: Evening, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = fighting(cozy, evening, "ask")
    there.drag("vex", "B3")
    watched(evening, capsys, monkeypatch, [], option)
    assert at(evening, "vex") == vex
    assert there.square("vex") == ("A1" if option == "--back" else "B3")
    assert "--watch is for people" in Typed(evening.folder, capsys)(f"pull --watch {option} --json", 2)


def test_watching_outlasts_a_campaign_that_cannot_be_read(
    cozy: Any, evening: Evening, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file half saved, a lock of another program: it is said once, and the next look is another."""
    fighting(cozy, evening, "moves")

    def fails(self: object) -> list[object]:
        raise CampaignProblem("The campaign is locked.")

    monkeypatch.setattr(bridge_pull._TargetPull, "pull_once_and_push_results", fails)
    said = watched(evening, capsys, monkeypatch, [lambda: None] * 2)
    assert said.count("The campaign is locked.") == 1


def test_screens_of_the_game_master_show_what_waits(cozy: Any, evening: Evening, capsys: Capsys) -> None:
    there = fighting(cozy, evening, "moves")
    before = screens_stamp(evening.folder)
    there.drag("brann", "B3")
    pulled(evening, capsys)
    assert screens_stamp(evening.folder) != before
    with Campaign(evening.folder) as campaign:
        for audience, shown in ((GM, True), (PLAYERS, False)):
            screen = blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 5, 30, audience))
            assert ("Brann from A2 to B3" in screen) is shown


@pytest.fixture
def relay() -> Iterator[Any]:
    with running(BadFoundry()) as server:
        server.kind = "foundry"  # type: ignore[attr-defined]
        yield server


def test_a_look_of_watching_costs_one_request(
    relay: Any, evening: Evening, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    fighting(relay, evening, "moves")
    counts: list[int] = []
    watched(evening, capsys, monkeypatch, [lambda: counts.append(len(relay.calls))] * 4)
    assert [after - before for before, after in pairwise(counts)] == [1, 1, 1]


IN_A_WALL = {"rows": ["........"] * 3, "doors": [{"at": [[5, 1], [6, 1]], "open": False}]}
IN_A_SQUARE = {"rows": ["........"] * 2 + ["######+#"]}


@pytest.mark.parametrize(
    ("ground", "ends", "door", "squares", "opened"),
    [
        (IN_A_WALL, [500, 100, 600, 100], "door:0", "F1 F2", lambda map: map["doors"][0]["open"]),
        (IN_A_SQUARE, [600, 250, 700, 250], "door:G3", "G3", lambda map: map["rows"][2] == "######/#"),
    ],
    ids=["in a wall", "that fills a square"],
)
def test_a_door_that_was_opened_there_is_opened_here(
    relay: Any, evening: Evening, capsys: Capsys, ground: Any, ends: list[int], door: str, squares: str,
    opened: Callable[[Any], bool],
) -> None:  # fmt: skip
    there = fighting(relay, evening, "moves")
    left, top = origin(relay.world.scene or {})
    at = [ends[0] + left, ends[1] + top, ends[2] + left, ends[3] + top]
    wall = {"_id": "wallOne000000000", "c": at, "door": 1, "ds": 0}
    relay.world.walls = [wall]
    evening.happen(("built", "", "", {"fight.map": ground}))
    told(evening, there.settings)
    assert pulled(evening, capsys) == {}
    wall["ds"] = 1
    came = pulled(evening, capsys)[door]
    assert (came["state"], came["command"]) == ("taken", f"strike combat door open {squares}")
    assert opened(state(evening)["fight"]["map"])
    told(evening, there.settings)
    assert relay.writes("/canvas/walls") == []
    evening.undo()
    told(evening, there.settings)
    assert wall["ds"] == 0
    wall["ds"] = 1
    pulled(evening, capsys, "--back")
    assert wall["ds"] == 0 and not opened(state(evening)["fight"]["map"])
