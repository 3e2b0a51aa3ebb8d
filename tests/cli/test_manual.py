"""What goes into the wheel besides the packages: man pages and scripts for Tab, of the live helps."""

from __future__ import annotations

import re
import tomllib

import pytest
from support.documents import ROOT

from strike_cli import registry
from website import man_pages_and_completions


@pytest.fixture(scope="module")
def shared() -> dict[str, str]:
    """All of it, made once."""
    return man_pages_and_completions.shared_files()


def test_every_group_has_a_page_that_strike_s_own_names(shared: dict[str, str]) -> None:
    pages = {name for name in shared if name.startswith("man/")}
    assert pages == {
        "man/man1/strike.1",
        *(f"man/man1/strike-{name}.1" for name in registry.command_apps_by_group()),
    }
    for name in registry.command_apps_by_group():
        assert rf"\fBstrike\-{name}\fR(1)" in shared["man/man1/strike.1"]


def test_pages_are_roff_and_nothing_else(shared: dict[str, str]) -> None:
    """Whatever a help says, no line of it is a request, and no sign of its is lost."""
    requests = {".TH", ".SH", ".SS", ".PP", ".TP", ".B"}
    for name, page in shared.items():
        if name.startswith("man/"):
            lines = page.splitlines()
            assert {line.split()[0] for line in lines if line.startswith(".")} <= requests, name
            assert not any(line.startswith("'") or not line for line in lines), name
            assert not re.search(r"\\(?!fB|fR|-|e|&)", page), name
    attack = shared["man/man1/strike-combat.1"].replace(r"\-", "-")
    assert ".SS strike combat attack" in attack and "--power" in attack


def test_tab_s_scripts_are_those_of_strike_itself(shared: dict[str, str]) -> None:
    bash = shared["bash-completion/completions/strike"]
    assert "complete -o nosort -F _strike_completion strike" in bash and "%(" not in bash
    assert shared["zsh/site-functions/_strike"].startswith("#compdef strike\n")
    assert "complete" in shared["fish/vendor_completions.d/strike.fish"]


def test_extras_are_those_that_documents_name() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(extras)
    whole = re.fullmatch(r"strike-cli\[(.+)\]", extras["all"][0])
    assert whole and whole[1].split(",") == [name for name in extras if name != "all"]
