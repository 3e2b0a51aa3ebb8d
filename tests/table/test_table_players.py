"""The players' door: their own page, their answers and proposals, and what is tried on it by others."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.cli import Ran, Strike
from support.data_keys import check_keys
from support.edits import append_to, replace_in

from strike_bridge.credential_store import ensure_table_key, keys_file, read_link_secrets_with_withdrawn
from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.command_line_splitting import split_words_keeping_apostrophes
from strike_cli.phones import players_api as door
from strike_cli.phones import proposals
from strike_cli.phones.links import CODE_SECONDS, ValidLinks, current_code, get_or_make_link_secrets
from strike_cli.phones.player_page_data import PhoneSnapshot
from strike_cli.phones.players_api import PlayersAccess
from strike_cli.problems import CampaignProblem
from strike_cli.terminal.screen.campaign_view import audience_view_for_players
from strike_cli.visibility.audience_view import make_audience_view
from strike_cli.visibility.audiences import PLAYERS
from strike_table import player_pages
from strike_table.event_stream import Watchers
from strike_table.player_pages import PhoneHandlers
from strike_table.table_store import TableStore

from .conftest import KEY, Asker
from .test_table_description import Described, described_operations

GLANCING = (
    "Lantern Flare against Goblin 1, a glancing hit: 2 damage, "
    "or Dazzled until the start of Vex Marlowe's next turn?"
)
"""What a glancing hit asks."""

ORDER = "combat initiative --dice 6,5,4,3,2,2,2,2,2,1"
FIGHT = ("combat start ford", ORDER, "combat turn", "combat place vex G4")
ASKED = "combat attack vex goblin-1 --power lantern-flare --dice 3"
ON, ASK = "on", "ask"


class Table:
    """A campaign with a fight in it, and its table with a door for phones."""

    def __init__(self, folder: Path, asker: type[Asker], strike: Strike) -> None:
        self.folder = folder
        self.told: list[str] = []
        self.door = PlayersAccess(folder, ensure_table_key(folder, "table"), self.told.append)
        self.ask = asker(TableStore(folder / "bridge" / "table"), players=self.door)
        self._strike = strike
        with Campaign(folder) as campaign:
            self.links = get_or_make_link_secrets(folder, campaign.book.characters)

    def type(self, line: str, code: int | None = 0) -> Ran:
        """What the game master types."""
        return self._strike(f"-C {self.folder} {line}", code)

    def answers(self, how: str) -> None:
        """What players may do, as campaign.toml says it."""
        let_them(self.folder, how)

    def phone(self, method: str, path: str = "", who: str = "vex", secret: str = "", **request: Any) -> Any:
        """A request with a player's link."""
        return self.ask(method, f"/api/v1/own{path}", key=secret or self.links[who], **request)

    def page(self, who: str = "vex") -> dict[str, Any]:
        answer = self.phone("GET", who=who)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def decision(self, who: str = "vex") -> str:
        """The id of the one open decision."""
        (found,) = self.page(who)["decisions"]
        return str(found["id"])

    def answer(self, option: str, decision: str = "", who: str = "vex", **more: Any) -> Any:
        body = {"decision": decision or self.decision(who), "option": option}
        return self.phone("POST", "/answers", who, json=body | more.pop("body", {}), **more)

    def propose(self, what: str, who: str = "vex", **body: Any) -> Any:
        """Propose the first offer or roll of this name."""
        page = self.page(who)
        offers = [*page["offers"], *page["rolls"]]
        names = {f"{each.get('what') or each['name']}: {each.get('whom', '')}".removesuffix(": "): each["id"]
                 for each in offers}  # fmt: skip
        body = {"offer": names[what], "position": page["position"]} | body
        return self.phone("POST", "/proposals", who, json=body)

    def foresee(self) -> None:
        """Find out what is to be expected of what may be done, as it is done beside the phones."""
        for who in self.links:
            self.page(who)
        self.door._compute_for_open_pages_until_change(
            self.door._current_or_last_snapshot(), threading.Event()
        )

    def kept(self) -> bytes:
        """All that the campaign has recorded."""
        journal = b"".join(file.read_bytes() for file in sorted((self.folder / "journal").iterdir()))
        return journal + (self.folder / "state.toml").read_bytes()

    def last(self) -> dict[str, Any]:
        with Campaign(self.folder) as campaign:
            return dict(campaign.journal.newest_entries(1)[0])


def words_of(entry: dict[str, Any]) -> str:
    """What a phone tells of an entry, line by line."""
    return "\n".join(line["text"] for line in entry["lines"])


def let_them(folder: Path, how: str, own_turn: str = "propose") -> None:
    """Say in campaign.toml what players may do."""
    file = folder / "campaign.toml"
    text = file.read_text("utf-8").partition("\n[table]\n")[0]
    said = f'answers = "{how}"\nown_turn = "{own_turn}"\n'
    file.write_text(f"{text}\n[table]\n{said}", "utf-8")


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example campaign with a decision of Vex's open in a fight."""
    folder = tmp_path_factory.mktemp("phones") / "road"
    create_campaign_folder(folder, name="The Lantern Road", seed=7)
    let_them(folder, ON)
    for line in (*FIGHT, ASKED):
        assert run_command_line_or_complete(["-C", str(folder), *line.split()]) in (0, 6)
    return folder


@pytest.fixture
def table(fought: Path, tmp_path: Path, asker: type[Asker], strike: Strike) -> Table:
    folder = tmp_path / "road"
    shutil.copytree(fought, folder)
    return Table(folder, asker, strike)


@pytest.fixture
def untouched(table: Table) -> Iterator[None]:
    """Whatever is tried changes nothing, and the game goes on."""
    before = table.kept()
    yield
    assert table.kept() == before
    assert table.answer("damage").json() == {"taken": True, "proposal": None, "dice": None}
    assert table.last()["player"] == "vex"


# What a player sees


def test_a_page_is_their_own(table: Table) -> None:
    page = table.page()
    assert page["character"]["name"] == "Vex Marlowe"
    assert {"Action Points", "Left to do"} <= {each["name"] for each in page["numbers"]}
    assert [(each["name"], each["text"]) for each in page["meters"]] == [("HP", "10/10")]
    assert [option["name"] for option in page["decisions"][0]["options"]] == ["damage", "effect"]
    assert all(option["label"] for option in page["decisions"][0]["options"])
    assert page["scene"]["yours"]
    other = table.page("odo")
    assert other["decisions"] == [] and other["offers"] == []
    assert other["waits"]["who"] == "Vex Marlowe"


def test_how_far_they_get_is_told_once_it_is_found_out(table: Table) -> None:
    """And makes no other position: what is proposed meanwhile is not late."""
    table.answer("damage")
    at_once, whole = table.door.page("odo", at_once=True), table.door.page("odo")
    assert at_once["map"]["moves"] == []
    assert whole["map"]["moves"] and whole["map"]["attacks"]
    assert whole["position"] == at_once["position"]


def test_a_phone_gets_the_pictures_of_whom_it_sees_and_no_other(table: Table) -> None:
    """As the table's page draws them; whoever is hidden has none."""
    thief = next(one for one in table.page()["map"]["tokens"] if one["id"] == "lamp-thief")
    path = f"/images/{thief['image']['hash']}"
    assert table.phone("GET", path).headers["content-type"].startswith("image/")
    table.answer("damage")
    table.type("override fight.combatants.lamp-thief.hidden true --why test")
    assert thief["image"]["hash"] not in table.phone("GET").text
    assert table.phone("GET", path).status_code == 404


@pytest.mark.slow
def test_ones_own_options_say_whom_they_are_aimed_at_and_the_way_to_a_square(table: Table) -> None:
    table.answer("damage")
    table.foresee()
    offers = table.page()["offers"]
    (move,) = (each for each in offers if each["square"] == "F6" and each["what"] == "Move")
    assert move["way"][0] == "G4" and move["way"][-1] == "F6" and move["targets"] == []
    table.type("undo 2")
    offers = table.page()["offers"]
    attack = next(each for each in offers if each["whom"] == "Goblin 1")
    assert attack["targets"] == ["goblin-1"]
    table.type("combat place vex G2")
    spends = {each["what"]: each["spends"] for each in table.page()["offers"]}
    assert (spends["Knife in the Dark"], spends["Lantern Flare"]) == ("Knife in the Dark", "")


@pytest.mark.slow
def test_powers_and_statuses_stand_as_they_are(table: Table) -> None:
    table.answer("effect")
    table.type("combat status add vex dazed --ends save")
    table.type("condition add vex winded")
    page = table.page()
    (status,) = page["statuses"]
    assert status == {"name": "Dazed", "text": "One action a turn.", "note": "save ends"}
    parts = {part["title"]: {each["name"]: each for each in part["items"]} for part in page["parts"]}
    assert "Disadvantage on physical tasks" in parts["Conditions"]["Winded"]["text"]
    assert not parts["Powers"]["Knife in the Dark"]["used"]
    table.type("""override fight.combatants.vex.used '["knife-in-the-dark"]' --why test""")
    parts = {part["title"]: part["items"] for part in table.page()["parts"]}
    used = {each["name"]: each["used"] for each in parts["Powers"]}
    assert used["Knife in the Dark"] and not used["Lantern Flare"]


def test_nothing_is_known_of_the_game_masters_notes(table: Table) -> None:
    assert "toll captain" not in table.phone("GET").text


@pytest.mark.slow
def test_what_may_be_done_has_the_chance_to_hit(table: Table) -> None:
    table.type("undo")
    table.type("combat place vex G5")
    table.foresee()
    offers = table.page()["offers"]
    aimed = {f"{each['what']}: {each['whom']}": each for each in offers}
    assert aimed["Lantern Flare: Goblin 1"]["chances"] == [{"name": "hit", "p": 0.6667}]
    assert aimed["End turn: "]["chances"] == []
    (move,) = (each for each in offers if each["square"] == "F3" and each["what"] == "Move")
    assert move["gives"] == "gives an Opportunity to Goblin 3" and move["expects"] == "1.0 own damage"


@pytest.mark.slow
def test_numbers_that_are_kept_from_players_are_in_no_expectation(table: Table) -> None:
    table.type("undo 2")
    replace_in(table.folder / "campaign.toml", 'kind = "table"', 'kind = "table"\nhp = "wounds"')
    table.foresee()
    offers = [each for each in table.page()["offers"] if each["chances"]]
    assert offers and not any(each["expects"] for each in offers)


HIDDEN = ("lamp-thief", "Lamp-thief", "Cutthroat's cellar")


def test_nothing_of_the_hidden_is_in_what_goes_to_any_phone(table: Table) -> None:
    """Promise of visibility, for every character, with everything found out, in every move of a turn."""
    table.type("undo 5")
    for file in (table.folder / "journal").iterdir():
        file.unlink()  # nobody has seen the thief yet
    (table.folder / "state.toml").unlink()
    table.type("combat start ford")
    table.type("override fight.combatants.lamp-thief.hidden true --why test")
    table.type(ORDER)
    table.type("combat turn")
    table.type("combat place vex G4")
    table.type('combat zone add "Cutthroat\'s cellar" H5:I6 --damage 2 --gm')
    table.type("combat place lamp-thief H5")
    table.type("combat status add vex dazed --by lamp-thief --ends save")
    looked = []
    table.foresee()
    for line in ("combat place goblin-1 H4", "combat move vex F4", "combat attack vex goblin-1 --dice 5"):
        looked += [table.phone("GET", who=who).text for who in table.links]
        table.type(line, code=None)
    looked += [table.phone("GET", who=who).text for who in table.links]
    for text in looked:
        assert not any(word.lower() in text.lower() for word in HIDDEN), text
    assert '"Dazed"' in looked[0] and "Lantern Flare" in looked[0] and "H5" in looked[0]


@pytest.mark.slow
def test_what_may_be_done_is_the_same_whether_or_not_somebody_hides_there(table: Table) -> None:
    """Neither what is listed nor what is to be expected tells of the hidden: a page is that of a state in
    which they never were."""

    def page() -> dict[str, Any]:
        with Campaign(table.folder) as campaign:
            snapshot = PhoneSnapshot(campaign.book, audience_view_for_players(campaign), KEY)
            for offer in [*snapshot.move_offers("vex").values()][::4]:  # of each kind some
                snapshot.store_forecast(offer.id, snapshot.compute_forecast_for_player("vex", offer))
            return snapshot.page("vex")

    table.type("undo")
    table.type("override fight.combatants.lamp-thief.hidden true --why test")
    pages = []
    for square in ("H5", "R3", "F4"):
        table.type(f"combat place lamp-thief {square}")
        pages.append(page())
    assert pages[0]["offers"] and all(each == pages[0] for each in pages[1:])


@pytest.mark.slow
def test_what_happened_is_headed_by_names_and_sides_and_each_die_by_a_name(table: Table) -> None:
    table.answer("damage")
    [attack] = [entry for entry in table.page()["log"] if entry["head"]]
    doer, [aim] = attack["head"], attack["head"]["at"]
    assert (doer["name"], doer["side"]) == ("Vex Marlowe", "party")
    assert (aim["name"], aim["side"]) == ("Goblin 1", "enemies")
    assert {die["who"] for die in attack["dice"]} == {"Vex Marlowe"}
    assert doer["power"] == "Lantern Flare" and attack["lines"][0].get("deed"), "it is told once"
    table.type("roll skill odo Haggling --dice 6")
    [*_, rolled] = table.page()["log"]
    assert rolled["head"]["side"] == "party"
    assert all(line.get("deed") for line in rolled["lines"]), "it is told once"


def test_what_is_taken_back_is_marked_and_no_number_is_told(table: Table) -> None:
    """The journal counts what is secret, too."""
    table.answer("damage")
    table.type("roll die --secret")
    table.type("undo 2")
    told = [(words_of(entry), entry["undone"]) for entry in table.page()["log"]]
    assert [undone for words, undone in told if "attacks" in words and "Goblin 1" in words] == [True]
    assert not any("#" in words or "roll die" in words for words, _ in told)


# Answers


def test_an_answer_is_what_the_game_master_would_type(table: Table, fought: Path) -> None:
    shutil.copytree(fought, table.folder.parent / "typed")
    assert run_command_line_or_complete(["-C", str(table.folder.parent / "typed"), "choose", "damage"]) == 0
    assert table.answer("damage").json()["taken"]
    with Campaign(table.folder) as tapped, Campaign(table.folder.parent / "typed") as typed:
        assert tapped.state == typed.state
        mine, theirs = tapped.journal.newest_entries(1)[0], typed.journal.newest_entries(1)[0]
    assert mine.pop("player") == "vex"
    assert {**mine, "at": "", "book": ""} == {**theirs, "at": "", "book": ""}
    assert "by vex's player" in table.type("log --last 1").out
    assert table.told == [f"Vex Marlowe answers from their phone: {GLANCING}: damage"]
    table.type("replay --verify")
    table.type("undo")
    assert table.decision()


def test_the_same_decision_is_itself_again_after_undo(table: Table) -> None:
    before = table.decision()
    table.answer("damage")
    table.type("undo")
    assert table.decision() == before


@pytest.mark.slow
def test_it_waits_for_the_game_master_where_they_want_to_be_asked(table: Table) -> None:
    table.answers(ASK)
    kept = table.kept()
    came = table.answer("effect")
    assert came.status_code == 202 and came.json()["proposal"] == 1
    assert table.kept() == kept
    assert table.page()["proposal"] == {"id": 1, "text": f"{GLANCING}: effect"}
    assert f"Vex Marlowe  {GLANCING}: effect" in table.type("proposals").out
    assert f"Vex Marlowe proposes: {GLANCING}: effect  strike accept 1" in table.type("help now").out
    table.type("accept 1")
    assert table.last()["player"] == "vex" and table.page()["decisions"] == []
    assert table.page()["told"]["outcome"] == "accepted"


def test_nothing_is_taken_where_answers_are_off(table: Table) -> None:
    decision = table.decision()
    table.answers("off")
    kept = table.kept()
    came = table.answer("damage", decision)
    assert came.status_code == 403 and came.json()["error"]["code"] == "switched_off"
    assert table.propose("Climbing").status_code == 403
    assert table.kept() == kept and table.type("proposals").out == "Nobody has proposed anything.\n"


def physical(table: Table, *lines: str) -> None:
    """Whose dice are on the table, and a decision of Vex's before she rolls."""
    table.type("undo")
    append_to(table.folder / "campaign.toml", "\n".join(["[dice]", *lines, ""]))
    table.type("combat place vex G5")
    table.type("combat attack vex goblin-1 --power lantern-flare", code=6)


def test_dice_on_the_table_are_asked_of_whose_they_are(table: Table) -> None:
    """[dice]: a player's own faces come with the answer, and nothing is recorded before."""
    physical(table, 'mode = "strike"', 'players = { Ana = "physical" }')
    kept = table.kept()
    came = table.answer("go")
    assert came.status_code == 202 and came.json()["dice"]["for"] == "Attack (Lantern Flare at Goblin 1)"
    assert table.answer("go", body={"faces": [[7]]}).json()["error"]["code"] == "not_offered"
    assert table.answer("go", body={"faces": [[5], [5]]}).json()["error"]["code"] == "not_offered"
    assert table.kept() == kept
    assert table.answer("go", body={"faces": [[5]]}).json()["taken"]
    assert ["attack", [5]] in table.last()["answers"]


@pytest.mark.slow
def test_where_strike_rolls_no_faces_are_taken(table: Table) -> None:
    """Who would choose their own dice can't."""
    physical(table, 'mode = "strike"')
    kept = table.kept()
    assert table.answer("go", body={"faces": [[6]]}).json()["error"]["code"] == "not_offered"
    assert table.kept() == kept
    assert table.answer("go").json()["taken"]


def test_dice_that_were_typed_before_a_decision_count_after_it(table: Table) -> None:
    table.type("undo 2")
    table.type("combat place vex G5")
    table.type("combat attack vex goblin-1 --power lantern-flare --dice 5", code=6)
    assert table.answer("go", body={"faces": [[6]]}).json()["error"]["code"] == "not_offered"
    assert table.answer("go").json()["taken"]
    assert ["attack", [5]] in table.last()["answers"]


# Own turns


@pytest.fixture
def hands(table: Table) -> Table:
    """Vex's turn, the decision answered; acts of one's own turn count at once."""
    let_them(table.folder, ON, "play")
    table.answer("damage")
    return table


@pytest.mark.slow
def test_an_act_of_ones_own_turn_counts_at_once(hands: Table) -> None:
    """As if the game master had typed it: one entry, which says whose phone it was, and one undo."""
    assert hands.page()["plays"] and not hands.page("odo")["plays"]
    state = hands.kept()
    came = hands.propose("Move: F5")
    assert (came.status_code, came.json()) == (200, {"taken": True, "proposal": None, "dice": None})
    last = hands.last()
    assert (last["command"], last["player"]) == ("combat move", "vex")
    assert "Vex Marlowe" in words_of(hands.page()["log"][-1])
    assert hands.told[-1] == "Vex Marlowe plays: Move: F5  (strike undo takes it back)"
    hands.type("replay --verify")
    hands.type("undo")
    assert hands.kept() != state and hands.page()["plays"]
    assert hands.propose("Move: F5").json()["taken"]


def test_what_is_not_of_their_own_turn_waits(hands: Table) -> None:
    """A roll at any time; and where the game master wants to be asked, an act, too."""
    assert hands.propose("Climbing").status_code == 202
    assert hands.propose("End turn").json()["taken"] and hands.page()["proposal"] is None
    kept = hands.kept()
    assert not hands.page()["plays"] and hands.propose("Haggling", "odo").status_code == 202
    assert hands.kept() == kept


def test_nobody_plays_for_somebody_else_or_late(hands: Table) -> None:
    page = hands.page()
    body = {"offer": next(each["id"] for each in page["offers"]), "position": page["position"]}
    hands.propose("Move: F5")
    kept = hands.kept()
    assert hands.phone("POST", "/proposals", json=body).json()["error"]["code"] == "moved_on"
    for position in (hands.page()["position"], hands.page("odo")["position"]):
        theirs = body | {"offer": hands.page()["offers"][0]["id"], "position": position}
        assert hands.phone("POST", "/proposals", "odo", json=theirs).status_code == 409
    assert hands.kept() == kept


@pytest.mark.slow
def test_an_act_with_dice_on_the_table_waits_for_their_faces(hands: Table) -> None:
    """Nothing is recorded before, and faces that were not asked for are none."""
    hands.type("undo 3")
    hands.type("combat place vex F4")
    let_them(hands.folder, ON, "play")
    append_to(hands.folder / "campaign.toml", '[dice]\nplayers = { Ana = "physical" }\n')
    kept, act = hands.kept(), "Lantern Flare: Goblin 1"
    dice = {"n": 1, "sides": 6, "for": "Attack (Lantern Flare at Goblin 1)"}
    assert hands.propose(act).json() == {"taken": False, "proposal": None, "dice": dice}
    for faces in ([[7]], [[5], [5]]):
        assert hands.propose(act, faces=faces).json()["error"]["code"] == "not_offered"
    assert hands.kept() == kept
    assert hands.propose(act, faces=[[5]]).json()["taken"]
    assert ["attack", [5]] in hands.last()["answers"]
    let_them(hands.folder, ON, "play")  # strike rolls from now on
    assert hands.propose("Move: F5", faces=[[5]]).json()["error"]["code"] == "not_offered"


def test_who_walks_into_somebody_hidden_finds_out_by_the_rules_alone(hands: Table) -> None:
    """What was offered is played in the world as it is: the phone knew of nobody there."""
    hands.type("override fight.combatants.lamp-thief.hidden true --why test")
    hands.type("combat place lamp-thief F5")
    came = hands.propose("Move: F5")
    assert came.json() == {"taken": True, "proposal": None, "dice": None}
    assert words_of(hands.page()["log"][-1]).startswith("Vex Marlowe bumps into somebody unseen on F5.")


@pytest.mark.slow
def test_phones_that_send_nothing_play_nothing(hands: Table) -> None:
    let_them(hands.folder, "off", "play")
    assert 'write answers = "on"' in hands.type("doctor", code=None).out
    replace_in(hands.folder / "campaign.toml", 'answers = "off"\n', "")
    assert hands.page()["answers"] == "on" and hands.page()["plays"]


# Proposals


@pytest.mark.slow
def test_a_move_is_proposed_and_accepted(table: Table) -> None:
    table.answer("damage")
    came = table.propose("Move: F5")
    assert came.status_code == 202
    assert table.told[-1] == "Vex Marlowe proposes: Move: F5  (strike accept 1, strike decline 1)"
    out = table.type("accept").out
    assert "Vex" in out
    last = table.last()
    assert (last["command"], last["player"]) == ("combat move", "vex")
    assert table.page()["told"] == {"id": 1, "text": "Move: F5", "outcome": "accepted", "why": ""}


def test_an_undo_is_asked_for_of_what_they_did_last_and_of_nothing_else(table: Table) -> None:
    assert table.page()["undo"] == ""
    table.answer("damage")
    undo, kept = table.page()["undo"], table.last()["seq"]
    assert undo and table.page("odo")["undo"] == ""
    asked = {"offer": undo, "position": table.page()["position"]}
    assert table.phone("POST", "/proposals", json=asked).status_code == 202
    table.type("combat status add vex prone")
    assert table.page()["undo"] == ""
    table.type("accept", 1)  # it would take back something else
    table.type("undo")
    table.type("accept")
    last = table.last()
    assert (last["command"], last["facts"][0]["of"]) == ("undo", [kept])


def test_a_sign_is_shown_unless_they_are_switched_off(table: Table) -> None:
    assert table.page()["signs"]
    assert table.phone("POST", "/signs", json={"sign": "hand"}).status_code == 204
    append_to(table.folder / "campaign.toml", "signs = false\n")
    assert not table.page()["signs"]
    came = table.phone("POST", "/signs", json={"sign": "hand"})
    assert (came.status_code, came.json()["error"]["code"]) == (403, "switched_off")


@pytest.mark.slow
def test_a_declined_one_tells_why(table: Table) -> None:
    table.answer("damage")
    table.propose("Move: F5")
    kept = table.kept()
    table.type('decline 1 --why "The floor gives way"')
    assert table.page()["told"]["why"] == "The floor gives way" and table.page()["proposal"] is None
    assert table.kept() == kept
    table.type("accept 1", 1)


@pytest.mark.slow
def test_the_data_of_its_commands_are_what_scripts_know(table: Table) -> None:
    table.answer("damage")
    lines = ("players list", "players code odo", "players new odo", "players withdraw odo", "proposals")
    for line in lines:
        check_keys(line.rpartition(" odo")[0] or line, table.type(f"{line} --json").json["data"])
    table.links = read_link_secrets_with_withdrawn(table.folder)
    for line in ("accept", "decline"):
        table.propose("Climbing")
        came = table.type(f"{line} --json").json
        assert came["command"] == line
        check_keys(line, came["data"])


@pytest.mark.slow
def test_whoever_proposes_again_has_changed_their_mind(table: Table) -> None:
    table.answer("damage")
    table.propose("Move: F5")
    table.propose("Move: F4")
    assert table.type("proposals --json").json["data"]["proposals"] == [
        {"id": 2, "who": "vex", "text": "Move: F4", "typed": "combat move vex F4", "answers": False}
    ]
    assert table.phone("DELETE", "/proposals/2").status_code == 204
    assert table.type("proposals").out == "Nobody has proposed anything.\n"


@pytest.mark.slow
def test_dice_are_typed_in_the_language_of_roll(table: Table) -> None:
    """A mistake is shown with a caret, and is nobody's offer."""
    table.answer("damage")
    body = {"position": table.page()["position"], "faces": []}
    assert table.phone("POST", "/proposals", json={**body, "offer": "dice 4d6kh3 + 1"}).status_code == 202
    table.type("accept --json")
    last = table.last()
    assert (last["command"], last["player"]) == ("roll die", "vex")
    assert "4d6kh3" in str(last["args"])
    refused = table.phone("POST", "/proposals", json={**body, "offer": "dice 4d6q"})
    assert refused.status_code == 409
    assert refused.json()["error"]["message"].endswith("  4d6q\n     ^")


@pytest.mark.slow
def test_a_roll_goes_with_the_faces_of_their_own_dice(table: Table) -> None:
    table.answer("damage")
    assert table.propose("Haggling", "odo", faces=[[4]]).status_code == 202
    table.type("accept --json")
    last = table.last()
    assert (last["command"], last["player"]) == ("roll skill", "odo")
    assert last["facts"][0]["roll"]["faces"] == [4]
    assert table.propose("Haggling", "odo", faces=[[4, 4]]).json()["error"]["code"] == "not_offered"
    assert table.propose("Haggling", "odo", faces=[[7]]).json()["error"]["code"] == "not_offered"


@pytest.mark.slow
def test_a_proposal_that_could_not_be_made_any_more_goes_by_itself(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But not at once: whoever accepts it has it played before it is ended."""
    table.answer("damage")
    table.propose("Move: F5")
    table.type("combat end-turn")
    table.door._end_outdated_proposals(table.door._current_or_last_snapshot())
    assert "Move: F5" in table.type("proposals").out
    monkeypatch.setattr(door, "OUTDATED_AFTER", 0)
    table.door._end_outdated_proposals(table.door._current_or_last_snapshot())
    assert table.type("proposals").out == "Nobody has proposed anything.\n"
    assert table.page()["told"]["outcome"] == "outdated"


def test_a_refusal_changes_nothing_and_the_proposal_waits_on(table: Table) -> None:
    table.answer("damage")
    table.propose("Move: F5")
    table.type("combat move vex F3")
    table.type("combat end-turn")
    kept = table.kept()
    table.type("accept 1", 1)
    assert table.kept() == kept and "Move: F5" in table.type("proposals").out


def test_a_proposal_is_shown_as_a_line_that_can_be_typed() -> None:
    for words in (("use", "vex", 'the "Black" Cart'), ("note", "a\\b"), ("note", "it's here"), ("note", "")):
        assert split_words_keeping_apostrophes(proposals.Proposal(1, "vex", words, "").command_line) == [
            *words
        ]


@pytest.mark.slow
def test_words_that_nobody_was_offered_are_never_played(table: Table) -> None:
    """The file of proposals may be a stranger's, and say one thing and mean another."""
    table.answer("damage")
    proposals.add_or_replace_proposal(
        table.folder, "vex", ["map", "export", "ford", "stolen.uvtt"], "Move: F5"
    )
    kept = table.kept()
    table.type("accept", 1)
    assert table.kept() == kept and not Path("stolen.uvtt").exists()
    table.propose("Move: F5")
    (one,) = proposals.read_proposals(table.folder).waiting
    proposals.add_or_replace_proposal(table.folder, "vex", ["combat", "end-turn"], one.text)
    table.type("accept", 1)
    table.type("undo")
    table.answers(ASK)
    table.answer("damage")
    (one,) = proposals.read_proposals(table.folder).waiting
    proposals.add_or_replace_proposal(
        table.folder, "vex", ["choose", "effect", *one.words[2:]], one.text, answers=one.answers
    )
    kept = table.kept()
    table.type("accept", 1)
    assert table.kept() == kept


# Attempts


@pytest.mark.usefixtures("untouched")
class TestAttempts:
    """Each changes nothing, and the game goes on."""

    def test_another_players_link(self, table: Table) -> None:
        decision = table.decision()
        for who in ("brann", "sela", "odo"):
            came = table.phone("POST", "/answers", who, json={"decision": decision, "option": "damage"})
            assert came.status_code == 409 and came.json()["error"]["code"] == "gone"
        assert table.page("odo")["decisions"] == []

    def test_a_withdrawn_link(self, table: Table) -> None:
        before, decision = dict(table.links), table.decision()
        table.type("players withdraw vex")
        assert table.phone("GET").status_code == 401
        assert table.answer("damage", decision).status_code == 401
        assert "withdrawn" in table.type("players list").out
        table.type("players new vex")
        table.links = read_link_secrets_with_withdrawn(table.folder)
        assert table.links["vex"] not in ("", before["vex"]) and table.links["odo"] == before["odo"]
        assert table.phone("GET", secret=before["vex"]).status_code == 401

    def test_the_tables_own_links_and_key(self, table: Table) -> None:
        for secret in (KEY, "", "undefined", table.links["vex"] + "x", table.links["vex"][:-1], "ä" * 43):
            if secret:
                assert table.phone("GET", secret=secret).status_code == 401
        assert table.ask("GET", "/api/v1/own", key=None).status_code == 401
        secret = table.links["vex"]
        assert table.ask("GET", f"/api/v1/own?watch={secret}", key=None).status_code == 401
        assert table.ask("PUT", "/api/v1/asked", key=secret, json={"asked": []}).status_code == 401

    def test_an_option_that_was_not_offered(self, table: Table) -> None:
        for option in ("", "dam", "Damage", "both", "damage,effect", "--for", "x" * 500):
            came = table.answer(option)
            assert came.status_code in (400, 409), option
        assert table.answer("both").json()["error"]["code"] == "not_offered"

    def test_bodies_that_are_none(self, table: Table) -> None:
        for body in (b"", b"[]", b"null", b"{", b'{"decision": 1}', b'{"a": NaN}', b"[" * 10_000):
            assert table.phone("POST", "/answers", content=body).status_code == 400
        wrong: list[Any] = [["1"], [[True]], [[0]], [[1] * 50], {}, "5", [[]] * 99, [1.5]]
        for faces in wrong:
            assert table.answer("damage", body={"faces": faces}).status_code in (400, 429)

    def test_something_that_may_not_be_done(self, table: Table) -> None:
        position = table.page()["position"]
        for offer in ("combat attack vex goblin-1", "0" * 16):
            came = table.phone("POST", "/proposals", json={"offer": offer, "position": position})
            assert came.json()["error"]["code"] == "not_offered"
        roll = table.page("odo")["rolls"][0]["id"]
        came = table.phone("POST", "/proposals", json={"offer": roll, "position": position})
        assert came.json()["error"]["code"] == "not_offered"

    def test_a_forged_origin(self, table: Table) -> None:
        for origin in ("https://evil.example", "null", "http://127.0.0.1:4748"):
            came = table.answer("damage", headers={"Origin": origin})
            assert came.status_code == 403 and came.json()["error"]["code"] == "cross_origin"
        assert table.phone("GET", headers={"Origin": "http://127.0.0.1:4747"}).status_code == 200

    def test_a_rebound_host(self, table: Table) -> None:
        decision = table.decision()
        came = table.answer("damage", decision, base="http://evil.example:4747", peer="192.0.2.9")
        assert came.status_code == 421 and came.json()["error"]["code"] == "wrong_host"

    @pytest.mark.slow
    def test_a_thousand_guesses_lock_nobody_out(self, table: Table) -> None:
        door = table.ask._app.state
        codes = [0]

        async def guess() -> None:
            import httpx

            transport = httpx.ASGITransport(table.ask._app, client=("192.0.2.66", 50_000))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:4747") as client:
                for number in range(1000):
                    header = {"Authorization": f"Bearer {number:043}"}
                    codes.append((await client.get("/api/v1/own", headers=header)).status_code)

        with ThreadPoolExecutor(1) as elsewhere:  # in this thread a browser may have a loop of its own
            elsewhere.submit(asyncio.run, guess()).result()
        assert door is not None and 200 not in codes
        assert codes.count(401) < 100 and codes.count(429) > 900
        assert table.phone("GET", peer="192.0.2.66").status_code == 200  # from behind the same address
        assert table.phone("GET", peer="192.0.2.67").status_code == 200

    @pytest.mark.slow
    def test_a_body_of_a_hundred_megabytes(self, table: Table) -> None:
        sent = 0

        async def body() -> AsyncIterator[bytes]:
            nonlocal sent
            for _ in range(1600):
                sent += 65536
                yield b"x" * 65536

        came = table.phone("POST", "/answers", content=body())
        assert came.status_code == 413 and sent < 1_000_000
        many = {"Content-Length": str(100 * 1024 * 1024)}
        assert table.phone("POST", "/answers", content=b"{}" * 20_000, headers=many).status_code == 413

    @pytest.mark.slow
    def test_more_than_anybody_taps(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(player_pages, "monotonic", lambda: 0.0)  # all come at once, however busy it is
        codes = [table.answer("both", "0" * 32).status_code for _ in range(40)]
        assert codes[0] == 409 and codes[-1] == 429
        table.ask = Asker(TableStore(table.folder / "bridge" / "table"), players=table.door)

    def test_a_link_in_an_address_is_no_link(self, table: Table) -> None:
        assert table.ask("GET", f"/api/v1/own/{table.links['vex']}", key=None).status_code == 404


def test_a_secret_decision_is_on_no_phone(table: Table) -> None:
    with Campaign(table.folder) as campaign:
        pending = campaign.state["pending"]["fight"]
        for more, count in (({}, 1), ({"secret": True}, 0), ({"hidden": True}, 0), ({"who": "odo"}, 0)):
            state = campaign.state | {"pending": {"fight": pending | more}}
            page = PhoneSnapshot(campaign.book, make_audience_view(state, PLAYERS), KEY).page("vex")
            assert len(page["decisions"]) == count
            assert (page["waits"] is None) == ("who" not in more)


@pytest.mark.parametrize("decides", ["gm", "payer"])
def test_whose_decision_a_cost_is(table: Table, decides: str) -> None:
    """STR-CORE-09: the game master's, in a fight too; the roller sees what it may be. Or the payer's, by the
    house rule."""
    if decides == "payer":
        replace_in(table.folder / "campaign.toml", "[house]", '[house]\ncosts = "payer"')
    table.type("choose damage")
    asked = table.type("roll skill vex --skilled -d 3 --json", 6).json["pending"]
    assert (asked["who"], asked["decides"]) == ("vex", decides)
    page = table.page()
    assert bool(page["decisions"]) == (decides == "payer")
    if decides == "gm":
        assert page["waits"]["who"] == "The game master" and "a Favor owed" in page["waits"]["options"]
        assert page["waits"]["asks"] == "Vex Marlowe's roll has a Cost. What does Vex Marlowe pay?"
    else:
        assert table.answer("favor").json()["taken"]


def test_a_decision_is_answered_once_by_two_phones_at_once(table: Table) -> None:
    decision = table.decision()
    with ThreadPoolExecutor(8) as several:
        options = ["damage", "effect"] * 4
        came = [*several.map(lambda option: table.answer(option, decision), options)]
    codes = sorted(each.status_code for each in came)
    assert codes == [200] + [409] * 7
    assert {each.json()["error"]["code"] for each in came if each.status_code == 409} == {"gone"}
    assert table.last()["player"] == "vex"
    table.type("replay --verify")


@pytest.mark.slow
def test_an_old_decision_is_not_answered(table: Table) -> None:
    """Not the same question asked again later, either: what led to it is part of its identity."""
    old = table.decision()
    table.answer("damage")
    kept = table.kept()
    assert table.answer("damage", old).json()["error"]["code"] == "gone"
    assert table.kept() == kept
    table.type("undo 2")
    table.type("ap give odo")
    table.type(ASKED, code=6)
    assert table.decision() != old
    assert table.answer("damage", old).json()["error"]["code"] == "gone"
    assert table.answer("damage").json()["taken"]


@pytest.mark.slow
def test_an_answer_that_waits_is_not_played_for_another_decision(table: Table) -> None:
    table.answers(ASK)
    table.answer("damage")
    table.type("undo")
    table.type("ap give odo")
    table.type(ASKED, code=6)
    kept = table.kept()
    table.type("accept 1", 1)
    assert table.kept() == kept


@pytest.mark.slow
def test_a_proposal_of_a_moment_that_is_over_is_refused(table: Table) -> None:
    table.answer("damage")
    page = table.page()
    offer = next(each["id"] for each in page["offers"] if each["what"] == "End turn")
    table.type("combat damage vex 2")
    came = table.phone("POST", "/proposals", json={"offer": offer, "position": page["position"]})
    assert came.status_code == 409 and came.json()["error"]["code"] == "moved_on"


def test_whoever_writes_at_the_same_time_is_waited_for(table: Table) -> None:
    """A tap neither corrupts nor stalls what the game master types, nor the other way round."""
    decision = table.decision()
    with ThreadPoolExecutor(1) as other, Campaign(table.folder, writing=True):
        tapped = other.submit(table.answer, "damage", decision)
        assert not tapped.done()
    assert tapped.result().json()["taken"]
    table.type("replay --verify")


@pytest.mark.slow
def test_every_answer_is_as_it_is_described(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """openapi.json is complete and true of the door, too: each answer of it is given, and looks so."""
    described = Described(table.ask, described_operations(of_players=True))

    def asked(method: str, path: str, status: int, **more: Any) -> Any:
        fill = {"{id}": "1", "{name}": "player.js"} | more.pop("fill", {})
        return described(method, path, status, fill=fill, **{"key": table.links["vex"]} | more)

    own = "/api/v1/own"
    answers, wishes, one = f"{own}/answers", f"{own}/proposals", f"{own}/proposals/{{id}}"
    signs = f"{own}/signs"
    for path in ("/play", "/play/{name}", own):
        tag = asked("GET", path, 200).headers["etag"]
        asked("GET", path, 304, headers={"If-None-Match": tag})
    asked("GET", "/play/{name}", 404, fill={"{name}": "no.js"})
    picture = next(one["image"]["hash"] for one in table.page()["map"]["tokens"] if one["image"])
    shown = f"{own}/images/{{hash}}"
    asked("GET", shown, 200, fill={"{hash}": picture})
    asked("GET", shown, 404)
    tile = f"{own}/tiles/{{id}}/{{size}}"
    asked("GET", tile, 404)
    typed = "/api/v1/code"
    asked("POST", typed, 200, key=None, json={"code": current_code(table.links["vex"])})
    asked("POST", typed, 400, key=None, json={})
    asked("POST", typed, 404, key=None, json={"code": "nobody"})
    asked("POST", typed, 413, key=None, content=b" " * 20_000)
    for _ in range(3):
        table.ask("POST", typed, key=None, json={"code": "nobody"})
    asked("POST", typed, 429, key=None, json={"code": "nobody"})
    closed = Asker(TableStore(table.folder / "bridge" / "table"))
    crowded = Asker(TableStore(table.folder / "bridge" / "table"), players=table.door)
    for _ in range(21):
        crowded("GET", own, key="none")
    body = {"decision": table.decision(), "option": "damage", "faces": []}
    wish = {"offer": table.page()["rolls"][0]["id"], "position": table.page()["position"]}
    sign = {"sign": "yes"}
    writes = (("POST", answers, body), ("POST", wishes, wish), ("DELETE", one, None), ("POST", signs, sign))
    reads = (("GET", own, None), ("GET", f"{own}/events", None), ("GET", shown, None), ("GET", tile, None))
    for method, path, sent in (*reads, *writes):
        asked(method, path, 401, key="none", json=sent)
        asked(method, path, 404, by=closed, json=sent)
        asked(method, path, 429, by=crowded, key="none", json=sent)
    for path, sent in ((answers, body), (wishes, wish)):
        asked("POST", path, 400, json={})
        asked("POST", path, 413, content=b" " * 20_000)
        asked("POST", path, 409, json={key: "x" for key in sent if key != "faces"})
    asked("POST", signs, 204, json=sign)
    asked("POST", signs, 400, json={"sign": "wave"})
    asked("POST", signs, 413, content=b" " * 20_000)
    asked("POST", wishes, 202, json=wish)
    with monkeypatch.context() as patch:
        patch.setattr(proposals, "_change_stored_proposals", _full)
        patch.setattr("strike_cli.campaign.file_access.Lock.acquire", _full)
        asked("POST", wishes, 503, json=wish)
        asked("POST", answers, 503, json=body)
        asked("DELETE", one, 503)
    asked("DELETE", one, 204)
    table.answers("off")
    asked("POST", answers, 403, json=body)
    asked("POST", wishes, 403, json=wish)
    table.answers(ASK)
    asked("POST", answers, 202, json=body)
    table.answers(ON)
    asked("POST", answers, 200, json=body)
    let_them(table.folder, ON, "play")
    end = next(each["id"] for each in table.page()["offers"] if each["what"] == "End turn")
    asked("POST", wishes, 200, json={"offer": end, "position": table.page()["position"]})
    append_to(table.folder / "campaign.toml", "signs = false\n")
    asked("POST", signs, 403, json=sign)
    # A fault waits; a newer form can't be played.
    for written, status in (("name = ", 200), ("schema = 99", 503)):
        (table.folder / "campaign.toml").write_text(written, "utf-8")
        fresh = PlayersAccess(table.folder, KEY)
        asked("GET", own, status, by=Asker(TableStore(table.folder / "bridge" / "table"), players=fresh))
    # The one is read in the browser, the other below.
    assert described.unseen() == {("GET", f"{own}/events", "200"), ("GET", tile, "200")}


def _full(*_: Any) -> None:
    raise CampaignProblem("The disk is full.")


def test_a_table_without_phones_has_no_door(ask: Asker) -> None:
    for method, path in (("GET", "own"), ("POST", "code")):
        came = ask(method, f"/api/v1/{path}", json={"code": "x"})
        assert came.status_code == 404 and came.json()["error"]["code"] == "no_players", path


class Counting:
    """Players of whom it is counted how often a page is made."""

    def __init__(self) -> None:
        self.made = 0
        self.gone: set[str] = set()

    def character_with_secret(self, secret: str) -> str | None:
        return None if secret in self.gone else f"who has {secret}"

    def page(self, who: str, *, at_once: bool = False) -> dict[str, Any]:
        self.made += 1
        return {"version": f"{who} {self.made}"}


def test_a_page_is_made_once_for_all_who_look_with_the_same_link() -> None:
    """Each time the bell has rung; a link that was withdrawn leads nowhere from then on."""

    async def looked() -> None:
        players, watchers = Counting(), Watchers()
        door = PhoneHandlers(players, watchers, watchers, lambda request, most: asyncio.sleep(0, b""))  # type: ignore[arg-type]

        async def frames(*secrets: str) -> list[str | None]:
            looks = await asyncio.gather(*map(door.cached_page_contents, secrets))
            return [look and look.frame for look in looks]

        with watchers.registered_bell():
            assert len(set(await frames(*["vex"] * 30, *["odo"] * 10))) == 2
            assert players.made == 2
            watchers.wake_streams()
            await asyncio.sleep(0)
            players.gone.add("odo")
            assert [bool(frame) for frame in await frames("vex", "odo")] == [True, False]
            assert players.made == 3

    with ThreadPoolExecutor(1) as elsewhere:  # in this thread a browser may have a loop of its own
        elsewhere.submit(asyncio.run, looked()).result()


# Codes to type


def enter(table: Table, code: str, peer: str = "127.0.0.1", **more: Any) -> Any:
    return table.ask("POST", "/api/v1/code", key=None, peer=peer, json={"code": code}, **more)


def test_a_code_leads_to_its_link_for_a_while(table: Table) -> None:
    """However it is typed. A withdrawn link has none, and another link has another."""
    code = table.type("players code vex --json").json["data"]["codes"][0]["code"]
    for typed in (code, code.lower().replace(" ", "-")):
        assert enter(table, typed).json() == {"link": table.links["vex"]}
    known, now = ValidLinks(table.folder), 1_000_000 * CODE_SECONDS + 1.0
    code = current_code(table.links["vex"], now)
    found = [known.secret_for_recent_code(code, now + later * CODE_SECONDS) for later in (0, 1, 2)]
    assert found == [table.links["vex"], table.links["vex"], None]
    table.type("players withdraw vex")
    assert known.secret_for_recent_code(code, now) is None
    assert "no link" in table.type("players code vex").out
    table.type("players new vex")
    assert known.secret_for_recent_code(code, now) is None


def test_codes_are_not_tried_one_by_one(table: Table) -> None:
    """From one address the right one has to wait, too. Who guesses locks out nobody else, behind a proxy of
    this machine neither, which says who asks, whatever a visitor claims."""
    code = current_code(table.links["vex"])
    assert [enter(table, f"nobody{at}").status_code for at in range(5)] == [404] * 5
    assert enter(table, code).status_code == 429
    assert enter(table, code, "192.0.2.1").status_code == 200
    for at in range(2, 60):
        enter(table, "nobody", f"192.0.2.{at}")
    assert enter(table, code, "192.0.2.99").status_code == 200
    guesses = [{"X-Forwarded-For": f"198.51.100.{at}, 203.0.113.5"} for at in range(8)]
    came = [enter(table, "nobody", "127.0.0.1", headers=each).status_code for each in guesses]
    assert came == [404] * 5 + [429] * 3
    other = {"X-Forwarded-For": "203.0.113.6"}
    assert enter(table, code, "127.0.0.1", headers=other).status_code == 200


def test_no_secret_of_a_link_is_anywhere_but_in_its_file(table: Table) -> None:
    table.page()
    table.answer("damage")
    for file in table.folder.rglob("*"):
        if file.is_file():
            assert table.links["vex"].encode() not in file.read_bytes(), file
    assert os.name == "nt" or keys_file(table.folder).stat().st_mode & 0o077 == 0
    assert table.links["vex"] not in table.type("players list").out + "".join(table.told)
    assert len(table.links["vex"]) >= 43  # 256 bits


def test_the_page_comes_with_no_secret_in_an_address(table: Table) -> None:
    for path in ("/play", "/play/player.js", "/play/player.css"):
        assert table.ask("GET", path, key=None).status_code == 200
    assert table.ask("GET", "/play/../app.py", key=None).status_code == 404


# A painted map under fog

CRYPT = '''
[encounters.crypt]
name = "The Crypt"
fog = true
image = { file = "maps/crypt.png", pixels = 15.37, offset = [4.5, -3.2] }
map = """
......#.....
......#.....
......#.....
......+.....
......#.....
......#.....
"""
place = {}
at = { party = ["A1:B3"], goblin = ["K2"] }
'''
EVENING = (
    "combat start crypt", "combat initiative --dice 6,5,4,3,2", "combat turn", "combat place vex E4",
    "combat door open G4", "combat place vex D4", "undo", "combat zone add Dark C1:D2 --dark",
    "combat place vex C6",
)  # fmt: skip


@pytest.mark.slow
def test_phones_get_of_a_painting_what_the_party_has_seen(
    tmp_path: Path, asker: type[Asker], strike: Strike
) -> None:
    """Over an evening on two paintings that differ in squares that nobody sees: phones are answered
    the same, byte by byte."""
    image = pytest.importorskip("PIL.Image")

    def played(name: str, colour: tuple[int, int, int]) -> list[object]:
        folder = tmp_path / name
        create_campaign_folder(folder, name="The Lantern Road", seed=7)
        append_to(folder / "campaign.toml", CRYPT)
        (folder / "maps").mkdir(exist_ok=True)
        painting = image.new("RGB", (200, 110))
        for x in range(200):
            for y in range(110):
                painting.putpixel((x, y), (x, 2 * y, (x * y) % 256))
        for box in ((113, 0, 127, 12), (113, 74, 127, 89)):  # H1 and H6, which the wall hides
            painting.paste(colour, box)
        painting.save(folder / "maps/crypt.png")
        table, told = Table(folder, asker, strike), list[object]()
        for line in EVENING:
            table.type(line, None)
            phones = [("vex", table), ("brann", table)]
            if line == EVENING[-1]:
                phones.append(("vex", Table(folder, asker, strike)))  # a restart, and a phone that comes late
            for who, at in phones:
                shown = at.page(who)["map"]
                if shown is None:
                    continue
                for tile in shown["scene"].get("tiles", ()):
                    answer = at.phone("GET", f"/tiles/{tile['id']}/35", who)
                    assert answer.status_code == 200
                    told.append((line, who, tile, answer.content))
                assert shown["scene"]["image"] is None
                told.append((line, who, shown["scene"]))
        assert table.phone("GET", "/tiles/ffff/35").status_code == 404
        return told

    one, other = played("one", (200, 0, 0)), played("other", (0, 0, 200))
    tiles = [each for each in one if len(each) == 4]  # type: ignore[arg-type]
    assert len({str(each[2]) for each in tiles}) > 3, "of several tiles"  # type: ignore[index]
    assert one == other


def test_a_refusal_tells_nothing_of_a_decision_that_players_dont_know() -> None:
    from types import SimpleNamespace

    from strike_cli.phones.players_api import _refusal_for_player
    from strike_cli.play.command_execution import DecisionWaits

    problem = DecisionWaits("A decision is open for the game master: Several have Initiative 20.", "")
    for unseen in (True, False):
        view = SimpleNamespace(
            names_anything_hidden_from_players=lambda words: False, has_hidden_decision=unseen
        )
        snapshot: Any = SimpleNamespace(view=view)
        assert ("Initiative" not in str(_refusal_for_player(snapshot, problem))) is unseen
