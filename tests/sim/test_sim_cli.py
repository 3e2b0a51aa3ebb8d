"""`strike sim`, `strike encounter` and `strike odds fight` as one types them, and what they say."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.data_keys import check_keys

from strike_cli.campaign.create import create_campaign_folder
from strike_cli.pages.plots import short_percentage
from strike_cli.play.legal_options import legal_options_listed_by_bot


@pytest.fixture
def grit(strike: Strike, grit_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Strike:
    """In a campaign whose fights are short."""
    monkeypatch.chdir(grit_folder)
    return strike


@pytest.fixture
def own_grit(strike: Strike, grit_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Strike:
    """In a copy of it, to be changed."""
    monkeypatch.chdir(shutil.copytree(grit_folder, tmp_path / "own"))
    return strike


def _data(grit: Strike, line: str) -> Any:
    answer = grit.json(line)
    assert answer["ok"]
    check_keys(answer["command"], answer["data"])
    return answer["data"]


OUTCOMES = {"won", "lost", "fled", "drawn"}


@pytest.mark.slow
def test_a_run_says_all_that_it_promises(grit: Strike) -> None:
    data = _data(grit, "sim bridge --fights 6 --workers 1")
    assert data["encounter"] == "bridge" and data["system"] == "grit" and data["fights"] == 6
    assert sum(data["outcomes"].values()) == 6 and set(data["outcomes"]) == OUTCOMES
    win = data["win"]
    assert 0 <= win["low"] <= win["p"] <= win["high"] <= 1 and win["method"]
    assert sum(data["rounds"]["histogram"].values()) == 6
    for one in data["people"].values():
        assert {"hp_left", "down", "out", "dealt", "taken", "powers"} <= set(one)
        assert 0 <= one["hp_left"] <= one["hp_max"]
    assert data["people"]["pete"]["powers"]["great-bow"]["used"] > 0
    assert data["stopped_by"] == "fights" and len(data["digest"]) == 16
    assert data["policy"] == {"player": "full"}


@pytest.mark.slow
def test_one_seed_is_one_digest(grit: Strike) -> None:
    line = "sim bridge --fights 4 --bot good"
    digests = {
        _data(grit, f"{line} {how}")["digest"]
        for how in ("--workers 1", "--workers 1 --chunk 1", "--workers 2")
    }
    assert len(digests) == 1
    assert _data(grit, f"{line} --workers 1 --seed 2")["digest"] not in digests


@pytest.mark.slow
def test_the_headline_is_the_same_everywhere(grit: Strike, tmp_path: Path) -> None:
    """In text, JSON, page and picture one chance and one interval: that of the better player."""
    page, picture = tmp_path / "x.html", tmp_path / "x.svg"
    line = f"sim bridge --fights 4 --workers 1 --bot quick --html {page} --svg {picture}"
    data, said = _data(grit, line), grit(line).out
    policy, win = data["policy"], data["win"]
    assert policy["player"] == "quick" and policy["corrected_by"] == "full" and policy["pairs"] == 4
    assert win == data["chances"]["won"]
    number, low, high = (short_percentage(win[key]) for key in ("p", "low", "high"))
    between = f"{low[:-1]} to {high}"
    told = f"won (95% sure: {between}, 4 fights played by full)"
    assert f"{number} {told}" in said and "Won   " in said
    assert f"{number}<small>{told}</small>" in page.read_text()
    assert f">{number}</text>" in picture.read_text() and told in picture.read_text()
    assert "As quick plays it: " in said
    assert "The other fights as quick plays it, 4 fights:" in page.read_text()


@pytest.mark.slow
def test_a_bots_own_chance_is_told_to_who_asks_for_it(grit: Strike) -> None:
    data = _data(grit, "sim bridge --fights 4 --workers 1 --bot quick --bot-only")
    assert data["policy"] == {"player": "quick"} and data["win"]["p"] == data["outcomes"]["won"] / 4
    rated = grit("encounter rate bridge --fights 2 --workers 1 --bot quick --bot-only").out
    assert "2 fights played by quick)" in rated and "full" not in rated


def test_what_never_ends_has_no_chance_to_win(grit: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strike_cli.sim.simulated_fight.MAX_STALE_ROUNDS", -1)
    data = _data(grit, "sim bridge --fights 2 --workers 1")
    assert data["win"] is None and data["chances"] == {}
    said = grit("encounter rate bridge --fights 2 --workers 1").out
    assert "Nothing was decided in 2 fights (nobody was hurt or healed" in said and "0% won" not in said


def test_a_chase_is_simulated(strike_game: Strike) -> None:
    """STR-CH: how it ends; both sides are played as well as can be, so that nothing is to be corrected."""
    data = _data(strike_game, "sim causeway --fights 3 --workers 1")
    assert sum(data["outcomes"].values()) == 3 and data["policy"] == {"player": "full"}
    assert sum(data["came_of_it"]["ended"].values()) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "words"), [("causeway", "2 chases"), ("lamp-council", "1 conflict"), ("ford", "1 fight")]
)
def test_what_was_played_is_called_what_it_is(strike_game: Strike, what: str, words: str) -> None:
    said = strike_game(f"sim {what} --fights {words[0]} --workers 1").out.splitlines()[1]
    assert f", {words} played by full)" in said or f"Nothing was decided in {words} (" in said


@pytest.mark.slow
def test_a_comparison_is_on_the_same_dice(grit: Strike) -> None:
    data = _data(grit, "sim bridge --fights 3 --workers 1 --compare troll:1")
    found = data["comparison"]
    assert found["against"] == "troll:1" and sum(found["outcomes"].values()) == 3
    assert found["margin"]["p"] < 0 and 0 <= found["luck"] <= 1
    said = grit("sim bridge --fights 2 --workers 1 --compare characters.wick.grit.grit=9").out
    assert "With characters.wick.grit.grit=9, the same dice" in said
    nothing = _data(grit, "sim bridge --fights 2 --workers 1 --compare characters.wick.player=Ana")
    assert nothing["comparison"]["margin"]["p"] == 0 and nothing["comparison"]["luck"] == 1


@pytest.mark.slow
def test_somebody_may_be_away(grit: Strike) -> None:
    data = _data(grit, "sim bridge --fights 3 --workers 1 --bot good --party sam pete --compare without=sam")
    assert set(data["people"]) == {"sam", "pete", "troll"}
    assert data["comparison"]["margin"]["p"] < 0


@pytest.mark.slow
def test_a_day_of_encounters(grit: Strike) -> None:
    data = _data(grit, "sim bridge bridge --fights 3 --workers 1 --bot good")
    assert [leg["encounter"] for leg in data["day"]] == ["bridge", "bridge"]


def test_what_is_set_is_checked_as_campaign_toml_is(grit: Strike) -> None:
    said = grit("sim bridge --set characters.sam.grit.str=d7 --fights 1", 2).err
    assert "characters.sam.grit.str=d7" in said and "campaign.toml" in said
    assert "PATH=VALUE" in grit("sim bridge --set hp --fights 1", 2).err
    for nothing in ("characters={}", "characters={sam={}}", "house={ }"):
        assert "changes nothing" in grit(f"sim bridge --set '{nothing}' --fights 1", 2).err


def test_the_campaign_stays_as_it_is(grit: Strike, grit_folder: Path) -> None:
    def files() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in grit_folder.iterdir() if path.is_file()}

    before = files()
    grit("sim bridge --fights 2 --workers 1 --set characters.sam.grit.str=d12")
    assert files() == before and not (grit_folder / "journal").exists()


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("sim brigde", 2, "Did you mean 'bridge'"),
        ("sim bridge --bot quik", 2, "quick"),
        ("sim bridge --until lots", 2, "--until"),
        ("sim bridge --party sma", 2, "no character"),
        ("sim bridge --with trol1:2", 2, "Did you mean 'troll'"),
        ("sim bridge --difficulty hard", 1, "rate difficulty"),
        ("sim bridge --system wealth", 2, "wealth"),
        ("sim play worts", 2, "worst"),
        ("odds fight", 2, "No fight is under way"),
        ("encounter build --difficulty hard", 2, "doesn't rate difficulty"),
    ],
)
def test_mistakes_are_told_in_words(grit: Strike, line: str, code: int, word: str) -> None:
    if line.startswith("sim play"):
        grit("sim bridge --fights 1 --workers 1 --bot good")
    refused = grit(line, code)
    assert word in refused.err and "Traceback" not in refused.err


@pytest.mark.slow
def test_a_fight_of_the_run_is_a_campaign_to_step_through(
    grit: Strike, grit_folder: Path, tmp_path: Path
) -> None:
    run = _data(grit, "sim bridge --fights 6 --workers 1 --bot good")
    folder = tmp_path / "worst"
    data = _data(grit, f"sim play worst --into {folder}")
    assert data["number"] == run["picks"]["worst"]
    assert grit.json(f"-C {folder} grit show")["data"]["round"] == 1
    grit(f"-C {folder} redo {data['steps']}")
    assert "No difference" in grit(f"-C {folder} replay --verify").out
    told = grit(f"-C {folder} log").out
    assert "The Rail Bridge is over" in told
    refused = grit(f"sim play worst --into {folder}", 2)
    assert "not an empty folder" in refused.err


@pytest.mark.slow
def test_a_fight_is_not_played_again_in_another_campaign(own_grit: Strike, tmp_path: Path) -> None:
    assert "Nothing has been simulated" in own_grit("sim play 1", 2).err
    own_grit("sim bridge --fights 1 --workers 1 --bot good")
    text = Path("campaign.toml").read_text().replace('dex = "d10"', 'dex = "d4"', 1)
    Path("campaign.toml").write_text(text)
    assert "has changed since" in own_grit(f"sim play 0 --into {tmp_path / 'x'}", 3).err


@pytest.mark.slow
def test_the_page_has_everything_in_it(grit: Strike, tmp_path: Path) -> None:
    page, picture = tmp_path / "x.html", tmp_path / "x.svg"
    said = grit(f"sim bridge --fights 2 --workers 1 --html {page} --svg {picture} --compare troll:1").out
    assert str(page) in said and str(picture) in said
    text = page.read_text()
    assert "The Rail Bridge" in text and "Sling of fear" in text and "<svg" in text
    addresses = re.findall(r"https?://[^\"'<> ]+", text + picture.read_text())
    assert set(addresses) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(script|link|img|iframe)\b|url\(|@import", text)


def test_names_are_written_as_text(own_grit: Strike, tmp_path: Path) -> None:
    text = Path("campaign.toml").read_text()
    Path("campaign.toml").write_text(text.replace('"Troll"', '"<script>alert(1)</script>"'))
    page = tmp_path / "x.html"
    own_grit(f"sim bridge --fights 1 --workers 1 --bot good --html {page}")
    assert "<script" not in page.read_text() and "&lt;script&gt;" in page.read_text()


@pytest.mark.slow
def test_odds_of_the_fight_under_way(own_grit: Strike) -> None:
    own_grit("grit start bridge")
    data = _data(own_grit, "odds fight --fights 4 --workers 1 --bot good")
    assert data["encounter"] == "" and data["fights"] == 4
    own_grit("grit hurt troll 30", None)
    assert "Won" in own_grit("odds fight bridge --fights 2 --workers 1 --bot good").out
    assert own_grit.json("status")["ok"]


# Encounters, of a game that counts them


@pytest.fixture
def strike_game(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Strike:
    """The example, played by whoever ends the turn at once: what is tried here is not the play."""
    folder = create_campaign_folder(tmp_path / "lanterns")
    monkeypatch.chdir(folder)

    class EndsTurn:
        def __init__(self, name: str, system: Any, lots: Any = None) -> None:
            self.system = system

        def decide(self, world: Any, question: Any, underway: Any = None) -> str:
            return str(question.default or question.options[0])

        def choose_command(self, world: Any, who: str = "") -> Any:
            options = list(legal_options_listed_by_bot(self.system, world))
            return next((one for one in options if one.command in END), options[0])

    monkeypatch.setattr("strike_cli.sim.simulated_fight.find_player", EndsTurn)
    monkeypatch.setattr("strike_cli.sim.simulated_fight.MAX_STALE_ROUNDS", 1)
    return strike


END = ("combat end-turn", "combat turn", "combat initiative", "combat finish")


@pytest.mark.slow
def test_an_encounter_is_rated_by_its_count_and_by_play(strike_game: Strike) -> None:
    """STR-TAC-27: five goons and an elite are worth four and a half standard creatures: normal for four."""
    line = "encounter rate ford --fights 1 --workers 1 --bot good"
    count = _data(strike_game, line)["count"]
    assert count["worth"] == 4.5 and count["difficulty"] == "normal" and count["players"] == 4
    assert count["budgets"] == {"easy": 3, "normal": 4, "hard": 5, "deadly": 7}
    said = strike_game(f"{line} --with goblin:1").out
    assert "By the count: hard" in said and "As played:" in said


@pytest.mark.slow
def test_a_roster_is_built_that_comes_to_its_difficulty(strike_game: Strike) -> None:
    """And nothing that comes to less is headed with it."""
    line = "encounter build --difficulty hard --from goblin lamp-thief toll-guard --fights 1 --workers 1"
    data = _data(strike_game, f"{line} --map last-lamp --bot good")
    worth = {"goblin": 0.5, "lamp-thief": 2, "toll-guard": 1}
    assert 1 <= len(data["rosters"]) <= 3
    for roster in data["rosters"]:
        total = sum(worth[ref] * n for ref, n in roster["creatures"].items())
        assert total == roster["worth"] < 7
        assert roster["difficulty"] == ("hard" if total >= 5 else "normal" if total >= 4 else "easy")
    assert data["rosters"][0]["worth"] == 5
    said = strike_game("encounter build --difficulty hard --from goblin --size 3 --fights 1 --bot quick").out
    assert said.startswith("No roster reaches hard; the best reaches below the easiest")


@pytest.mark.slow
def test_a_roster_of_a_size(strike_game: Strike) -> None:
    data = _data(strike_game, "encounter build --from goblin --size 6 --fights 1 --workers 1 --bot good")
    assert [roster["creatures"] for roster in data["rosters"]] == [{"goblin": 6}]
    refused = strike_game("encounter build --from lamp-eater --size 3 --fights 1", 2)
    assert "Nothing fits" in refused.err


@pytest.mark.slow
def test_what_is_built_may_be_put_into_campaign_toml(strike_game: Strike) -> None:
    data = _data(strike_game, "encounter build --from goblin --fights 1 --workers 1 --name bank --bot good")
    with open("campaign.toml", "a") as file:
        file.write("\n" + data["toml"])
    strike_game("doctor")
    begun = strike_game.json("combat start bank")["data"]["combatants"]
    assert sum(one["ref"] == "goblin" for one in begun.values()) == data["rosters"][0]["creatures"]["goblin"]


def test_json_of_a_run_is_one_object(grit: Strike) -> None:
    ran = grit("sim bridge --fights 1 --workers 1 --bot good --json")
    assert json.loads(ran.out)["command"] == "sim" and ran.err == ""
