"""`strike card`: sheets and statblocks as cards."""

from __future__ import annotations

from pathlib import Path

from support.cli import Strike
from support.edits import append_to

from strike_cli.terminal.command_output import Columns, Frame, NumberHeading, Section, Table
from strike_cli.terminal.html_and_markdown import blocks_html


def test_a_statblock(in_campaign: Strike) -> None:
    (one,) = in_campaign.json("card goblin")["data"]["cards"]
    assert (one["kind"], one["id"], one["tracks"]) == ("creature", "goblin", {"HP": 4})
    assert one["lines"][0] == {"about": "Tier", "text": "standard: 4 HP"}
    out = in_campaign("card goblin").out
    assert "HP □□□□\n" in out and "Standard: 4 HP." in out


def test_a_character(in_campaign: Strike) -> None:
    """STR-TAC-18: as many Strikes to tick as the worst Condition comes of."""
    in_campaign("skill learn vex Swimming")
    out = in_campaign("card vex").out
    assert "HP □□□□□□□□□□   Strikes □□□□□" in out and "+Swimming" in out


def test_the_party_where_nobody_is_named(in_campaign: Strike) -> None:
    cards = in_campaign.json("card")["data"]["cards"]
    assert [one["id"] for one in cards] == ["vex", "brann", "odo", "vesna"]


def test_whoever_is_meant(in_campaign: Strike) -> None:
    assert in_campaign.json("card gobl")["data"]["cards"][0]["id"] == "goblin"
    assert "Did you mean 'Goblin'?" in in_campaign("card goblim", code=2).err


def test_notes_are_not_for_players(in_campaign: Strike, folder: Path) -> None:
    append_to(folder / "campaign.toml", '[creatures.spy]\nname = "Spy"\nnotes = "He is the captain."\n')
    assert "He is the captain." in in_campaign("card spy").out
    for form in ("", "--json", f"--out {folder / 'spy.html'}"):
        assert "captain" not in in_campaign(f"card spy --player {form}").out
    assert "captain" not in (folder / "spy.html").read_text(encoding="utf-8")


def test_a_page_to_print(in_campaign: Strike, folder: Path) -> None:
    """Everything is in it; each paper is said to the printer, or left to it."""
    page = folder / "cards.html"
    for paper, said in (("", ""), ("--paper a6", "@page{size:105mm 148mm"), ("--paper a4", "@page{size:A4}")):
        in_campaign(f"card vex goblin --out {page} {paper}")
        html = page.read_text(encoding="utf-8")
        assert html.count("<article>") == 2 and html.count("<i></i>") == 10 + 5 + 4
        assert said in html and ("@page{size" in html) == bool(paper)
        assert "http" not in html.replace("http-equiv", "") and "<script" not in html
    in_campaign(f"card vex --out {page} --paper a5", code=2)
    written = Path("campaign.toml").read_bytes()
    in_campaign("card vex --out campaign.toml", code=2)
    assert Path("campaign.toml").read_bytes() == written


def test_blocks_as_html() -> None:
    """What people wrote is text, whatever it looks like."""
    items = [(("a", "name"), "<b>"), ("", "plain")]
    html = blocks_html(
        [
            Frame(
                "T & T",
                ["x", "", Columns([Section("S", items)], [Table([NumberHeading("N")], [["<1>"]])])],
                "foot",
            )
        ]
    )
    left = '<h2>S</h2><dl><dt><span class="name">a</span></dt><dd>&lt;b&gt;</dd><dt></dt><dd>plain</dd></dl>'
    right = '<tr><th class="number">N</th></tr><tr><td class="number">&lt;1&gt;</td></tr>'
    assert html == (
        f'<article><h1>T &amp; T</h1><p>x</p><div class="columns"><div><section>{left}</section></div>'
        f'<div><table>{right}</table></div></div><p class="foot">foot</p></article>'
    )
