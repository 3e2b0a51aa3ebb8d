"""Another language is templates of a plugin: an evening's chase is played, told and read back in it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import DATA
from support.cli import Strike
from support.plugins import install

from strike_bridge.dry_run import dry_run
from strike_bridge.settings import read_targets
from strike_cli.kernel.sentence_templates import field_names_in
from strike_cli.kernel.statements import class_of_kind
from strike_cli.registry import installed_plugins

GERMAN = DATA / "german"
EVENING = [line for line in (GERMAN / "evening.strike").read_text(encoding="utf-8").splitlines() if line]


@pytest.fixture
def in_german(in_campaign: Strike, tmp_path: Path) -> Iterator[Strike]:
    """The command line in the small campaign, told in German."""
    with pytest.MonkeyPatch.context() as patch:
        site = tmp_path / "site"
        install("strike-german", "1.0", "german = german:plugin", site)
        for place in (GERMAN, site):
            patch.setattr(sys, "path", [*sys.path, str(place)])
        patch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache-with-german"))
        installed_plugins.drop_plugin_index()
        campaign = Path("campaign.toml")
        campaign.write_text(f'language = "de"\n{campaign.read_text(encoding="utf-8")}', encoding="utf-8")
        yield in_campaign
    installed_plugins.drop_plugin_index()


def test_an_evening_is_told_in_it(in_german: Strike, request: pytest.FixtureRequest) -> None:
    """The golden evening: what each command tells, then what players may hear of it afterwards."""
    told = []
    for line in EVENING:
        told += [f"$ {line}", *(fact["text"] for fact in in_german.json(line, None)["facts"] if fact["text"])]
    heard = in_german.json("log --player --last 20")["data"]["entries"]
    told += ["$ log --player", *(fact["text"] for entry in heard for fact in entry["facts"])]
    expected = GERMAN / "evening.txt"
    if request.config.getoption("--regenerate-golden"):
        expected.write_text("\n".join(told) + "\n", encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8").splitlines()
    assert in_german.json("replay --verify")["data"]["differences"] == []
    assert in_german.json("plugin show german")["data"]["brings"] == {"languages": ["de"]}


def test_tabletops_are_told_in_it_by_a_worker_that_reads_no_book(in_german: Strike, tmp_path: Path) -> None:
    with Path("campaign.toml").open("a", encoding="utf-8") as file:
        file.write('\n[bridge.targets.hall]\nkind = "webhook"\nurl = "http://127.0.0.1:1"\n')
    told = [fact["text"] for fact in in_german.json(EVENING[0], None)["facts"] if fact["text"]]
    said = str(dry_run(Path(), read_targets(Path())["hall"]))
    assert all(text in said for text in told)
    assert "begins at" not in said


def test_what_a_roll_is_for_is_said_in_it(in_german: Strike) -> None:
    for line in EVENING[:4]:
        in_german(line, None)
    told = in_german(f"{EVENING[4]} --explain").out
    assert "Fliehende: d6" in told
    assert "Verfolger: d6" in told
    assert "runners" not in told


def test_its_templates_are_of_what_there_is(in_german: Strike) -> None:
    """Each is of a kind that is told, and names its fields alone."""
    from german import GERMAN as LANGUAGE  # installed by the fixture

    for kind, tellings in LANGUAGE.templates.items():
        cls = class_of_kind(kind)
        for telling, template in tellings.items():
            assert field_names_in(template, cls.template_types()) <= cls.template_types().keys(), (
                kind,
                telling,
            )


def test_a_language_that_nobody_brings_is_refused(in_campaign: Strike) -> None:
    campaign = Path("campaign.toml")
    campaign.write_text(f'language = "de"\n{campaign.read_text(encoding="utf-8")}', encoding="utf-8")
    assert "language" in in_campaign("status", 3).err
