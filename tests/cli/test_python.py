"""Campaigns from Python: what docs/python.md shows, and what the command line promises as well."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.cli import Strike
from support.edits import append_to, replace_in

from strike_cli import Campaign, CampaignProblem, Refused, Unsound, Usage

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.slow
@pytest.mark.usefixtures("_environment")
def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example of the page, in order, says what the page says it does."""
    monkeypatch.chdir(tmp_path)
    text = re.sub(r"^```.*$", "", (DOCS / "python.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, "python.md", str(DOCS / "python.md"), 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert len(test.examples) > 15
    assert not told, "".join(told)


def test_a_script_by_the_command_line(in_campaign: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worked script of docs/scripting.md does what it says."""
    page = (DOCS / "scripting.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    said: list[tuple[object, ...]] = []

    def ran(words: list[str], **_: object) -> SimpleNamespace:
        return SimpleNamespace(stdout=in_campaign(shlex.join(words[1:]), None).out)

    monkeypatch.setattr(subprocess, "run", ran)
    exec(code, {"print": lambda *words: said.append(words)})
    assert said == [("Brann", "has", 1)]


@pytest.fixture
def campaign(in_campaign: Strike, folder: Path) -> Campaign:
    return Campaign(folder)


def test_players_see_what_they_may(tmp_path: Path) -> None:
    """A view for players has nobody hidden in it; to foresee plays nothing."""
    campaign = Campaign.new(tmp_path / "lanterns", seed=7)
    goblin = "[creatures.goblin]\n"
    replace_in(campaign.folder / "campaign.toml", goblin, f"{goblin}hidden = true\n")
    campaign.play("note", "It is dusk.")
    campaign.play("combat start ford")
    seen, all_of_it = campaign.view(players=True), campaign.view(last=2)
    hidden = {who for who, one in all_of_it.scenes[0].people.items() if one.hidden}
    assert hidden and all_of_it.scenes[0].people.keys() - seen.scenes[0].people.keys() == hidden
    assert not seen.log and [entry.seq for entry in all_of_it.log] == [1, 2]
    before = campaign.state
    assert campaign.foresee("combat initiative").plays == 0
    with pytest.raises(Refused):
        campaign.foresee("combat attack vex goblin-reed")
    assert campaign.state == before


def test_it_is_what_a_terminal_records(campaign: Campaign, in_campaign: Strike) -> None:
    """The same journal: a terminal goes on from there, and takes it back."""
    played = campaign.play("roll skill vex Climbing", dice=[5], note="high")
    assert (played.seq, played.data["outcome"], played.command) == (1, "success", "roll skill")
    (entry,) = campaign.entries()
    assert (entry["note"], entry["facts"]) == ("high", played.facts)
    assert "rolls Climbing" in in_campaign("log --last 1").out
    in_campaign("undo")
    assert "skill_uses" not in str(campaign.state)


def test_refusals_are_exceptions(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, problem in (
        ("combat move vex E5", Refused),
        ("ap give nobody", Usage),
        ("roll skill vex --nope", Usage),
        ("roll skill vex Climbing --dice 7", Usage),
        ("batch x", Usage),
        ("", Usage),
    ):
        with pytest.raises(problem):
            campaign.play(words)
    with pytest.raises(CampaignProblem):
        Campaign(tmp_path / "nowhere")
    assert [*campaign.entries()] == []
    assert capsys.readouterr() == ("", "")  # a program's output is its own


def test_words_are_words(campaign: Campaign) -> None:
    """No quotes are needed where each word stands by itself."""
    text = 'It\'s "just so", $5 --secret'
    assert campaign.play("note", text).facts[0]["text"].endswith(text)


def test_words_may_be_a_list(campaign: Campaign) -> None:
    played = campaign.play(["note", "two words"], dry_run=True)
    assert str(played) == "two words" == str(campaign.play("note", "two words", dry_run=True))


def test_findings_of_doctor_are_values(campaign: Campaign, folder: Path) -> None:
    append_to(folder / "campaign.toml", "[weather]\nrain = 1\n[creatures.x]\nhelth = 2\n")
    with pytest.raises(Unsound) as raised:
        campaign.play("doctor")
    found = [each for each in raised.value.findings if "helth" in each.what]
    assert len(found) == 1 and "campaign.toml" in found[0].what
    assert any("weather" in each.what for each in raised.value.findings)


def test_a_decision_waits(campaign: Campaign) -> None:
    played = campaign.play("roll skill vex Swimming --unskilled", dice=[4])
    assert played.pending is not None
    assert [*campaign.pending.values()] == [played.pending]
    campaign.play("choose", played.pending.options[0])
    assert campaign.pending == {}


def test_kept_open_it_is_one_writer(campaign: Campaign, folder: Path, tmp_path: Path) -> None:
    other = Campaign.new(tmp_path / "other", empty=True)
    with campaign:
        assert campaign.play("roll die 2d6").seq == 1
        assert other.play("roll die 2d6").seq == 1, "another campaign is another campaign"
        assert campaign.play("roll die 2d6").seq == 2
        with pytest.raises(Refused), campaign:
            pass
    assert len([*Campaign(folder).entries()]) == 2 and len([*other.entries()]) == 1


def test_what_a_notebook_shows(campaign: Campaign) -> None:
    campaign.play("note", "<b>")
    assert campaign.play("log").data["entries"][0]["command"] == "note"
    assert "&lt;b&gt;" in campaign.play("log")._repr_html_()


def test_importing_it_costs_nothing() -> None:
    code = "import strike_cli, sys; print([name for name in sys.modules if name.startswith('strike_cli.')])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
