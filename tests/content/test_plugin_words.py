"""Words that a plugin brings to strike's vocabularies, in a real fight: a step, a duration, a moment and a
kind of roll."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.cli import Strike
from support.game import Game, book_with
from support.plugins import install, play_with

from strike_cli.content.merged_content import book_of_core_and_plugins
from strike_cli.plugin.fights import _resolve_book_ids
from strike_cli.registry import installed_plugins
from strike_cli.systems.combat.commands.content_explain import explain_power, explain_status
from strike_cli.systems.combat.commands.power_descriptions import power_details_in_one_line
from strike_cli.systems.combat.powers.step_play_and_summaries import WouldDoNothing
from strike_cli.tabletop.active_effects import roll_reasons_from_effects

PLUGIN = """
from strike_cli.plugin import Plugin

plugin = Plugin(
    "tides",
    content=["tides.toml"],
    words={
        "steps": {"ebb": "strike_tides.words:Ebb"},
        "durations": {"dry": "strike_tides.words:DRY"},
        "moments": {"ebbs": "strike_tides.words:EBBS"},
        "rolls": {"swim": "strike_tides.words:SWIM"},
    },
)
"""
WORDS = '''
from strike_cli.plugin.fights import Duration, Fight, MomentKind, EffectStep, do_steps
from strike_cli.systems.combat.powers.step_play_and_summaries import WouldDoNothing


class Ebb(EffectStep):
    """Half of what they have, rounded down; nothing to who has 1."""

    amount: int
    cold: bool = False

    def play(self, world, deed, one):
        lost = Fight(world).combatant(one)["hp"] // self.amount
        yield world.happen("noted", one, "The tide goes out.")
        return (yield from do_steps(world, deed, [{"do": "damage", "to": "target", "amount": lost}], one))

    def has_effect_on(self, fight, deed, one):
        return fight.combatant(one)["hp"] > 1

    def summarize(self, book):
        return f"takes 1/{self.amount} of their HP"


EBBS = MomentKind("noted", "until the tide goes out", "while the tide is in")
DRY = Duration(2, "until dry", "until dry", until="tides:ebbs")
SWIM = "swims"
'''
CONTENT = """
[statuses]
wet = { name = "Wet", sources = [{ on = "tides:swim", gives = "disadvantage" }] }

[powers]
spray = { name = "Spray", action = "role", range = 5, effect = [
  { do = "apply", status = "wet", duration = "tides:dry" }] }
undertow = { name = "Undertow", range = 5, action = "role", effect = [
  { do = "tides:ebb", amount = 2, cold = true }] }
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a plugin may be installed that brings words."""
    package = tmp_path / "site" / "strike_tides"
    package.mkdir(parents=True)
    for name, text in (("__init__.py", PLUGIN), ("words.py", WORDS), ("tides.toml", CONTENT)):
        (package / name).write_text(text, encoding="utf-8")
    install("strike-tides", "1.0", "tides = strike_tides:plugin", package.parent)
    monkeypatch.setattr(sys, "path", [*sys.path, str(package.parent)])
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    installed_plugins.drop_plugin_index()
    return package


@pytest.fixture(autouse=True)
def forgotten() -> object:
    """No test's plugin is known to the next."""
    yield
    installed_plugins.drop_plugin_index()
    for module in [name for name in sys.modules if name.startswith("strike_tides")]:
        del sys.modules[module]


def at_the_shore(more: str = "") -> Game:
    book = book_with('[powers.brine]\nname = "Brine"\neffect = [{ do = "tides:ebb", amount = 3 }]' + more)
    book.characters["vex"]["powers"] += ["tides:spray", "tides:undertow"]
    return Game(book).draw("V..g", "....").begin("vex")


def test_a_power_does_a_plugins_step(site: Path) -> None:
    game = at_the_shore()
    hp = game.of("goblin", "hp")
    game.play("combat use", who="vex", power="tides:undertow", targets=["goblin"])
    assert game.of("goblin", "hp") == hp - hp // 2
    assert game.texts()[1] == "The tide goes out."
    assert "1/2 of their HP" in power_details_in_one_line(game.book, game.book.powers["tides:undertow"])


def test_a_step_that_would_do_nothing_is_refused(site: Path) -> None:
    """As those of strike's own are, by what the plugin says of it."""
    game = at_the_shore().put("goblin", hp=1)
    with pytest.raises(WouldDoNothing):
        game.play("combat use", who="vex", power="tides:undertow", targets=["goblin"])


def test_a_status_lasts_until_a_plugins_moment(site: Path) -> None:
    game = at_the_shore()
    game.play("combat use", who="vex", power="tides:spray", targets=["goblin"])
    assert game.texts()[-1] == "Goblin is Wet (until dry)."
    assert [source.of for source in roll_reasons_from_effects(game.world, "goblin", "tides:swim")[0]] == [
        "tides:wet"
    ]
    assert roll_reasons_from_effects(game.world, "goblin", "attack") == ([], [])
    game.set("fight.turn", None)
    game.play("combat use", who="vex", power="tides:undertow", targets=["goblin"])
    assert "wet" not in game.statuses("goblin")


def test_what_ends_at_a_plugins_moment_says_so(site: Path) -> None:
    """By its words: on whoever has it, on a power that gives it, and of a status that always ends then."""
    game = at_the_shore(
        """
[statuses.damp]
name = "Damp"
ends_when = ["tides:ebbs"]
[powers.drizzle]
name = "Drizzle"
effect = [{ do = "apply", status = "damp", duration = "until", until = "tides:ebbs" }]
"""
    )
    game.play("combat status add", who="goblin", status="damp", ends="tides:ebbs")
    assert game.texts() == ["Goblin is Damp (while the tide is in)."]
    damp, drizzle = game.book.statuses["damp"], game.book.powers["drizzle"]
    assert "Damp (until the tide goes out)" in power_details_in_one_line(game.book, drizzle)
    for explained in (explain_power(game.book, drizzle), explain_status(game.book, damp)):
        assert any("until the tide goes out" in line.text for line in explained), explained
    game.play("combat use", who="vex", power="tides:undertow", targets=["goblin"])
    assert "damp" not in game.statuses("goblin")


@pytest.mark.slow
def test_by_command(in_campaign: Strike, site: Path) -> None:
    """State, undo and the game master's own hand know the words; `plugin show` and `doctor` list them."""
    play_with(Path(), "tides")
    in_campaign("combat start ring --party vex")
    in_campaign("combat status add vex wet --ends tides:dry")
    assert "Wet (until dry)" in in_campaign("combat show").out
    in_campaign("doctor")
    in_campaign("undo")
    assert in_campaign.json("plugin show tides")["data"]["brings"]["steps"] == ["ebb"]
    assert "tides" not in in_campaign("plugin doctor", code=None).err


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ('do = "tides:ebb", amount = 2,', 'do = "tides:ebb",', "tides:ebb needs an amount"),
        ("amount = 2, cold = true }", 'amount = 2, text = "x" }', "text: tides:ebb has none"),
        ("amount = 2, cold = true }", 'amount = 2, cold = "yes" }', "cold: should be true or false"),
        ('do = "tides:ebb"', 'do = "tides:ebbb"', "no step 'tides:ebbb'"),
        ('"tides:dry"', '"tides:wet"', "no duration 'tides:wet'"),
        ('"tides:swim"', '"swim"', "'swim' is not one of"),
    ],
)
def test_a_word_that_is_not_there_switches_the_plugin_off(
    site: Path, wrong: str, right: str, says: str
) -> None:
    (site / "tides.toml").write_text(CONTENT.replace(wrong, right), encoding="utf-8")
    assert says in " ".join(map(str, book_of_core_and_plugins(["tides"]).troubles))


def test_a_handler_names_things_for_short(site: Path) -> None:
    """Those of the power's own plugin first, else as the campaign means them."""
    game = at_the_shore('\n[statuses.wet]\nname = "Soaked"')
    use = SimpleNamespace(power={"id": "tides:spray"})
    for name, id in (("wet", "tides:wet"), ("dazed", "core:dazed"), ("core:prone", "core:prone")):
        steps = [{"do": "burst", "steps": [{"do": "apply", "status": name}]}]
        (step,) = (_resolve_book_ids(game.world, use, each) for each in steps)  # type: ignore[arg-type]
        assert step["steps"] == [{"do": "apply", "status": id}]


def test_a_vocabulary_that_no_system_has(site: Path) -> None:
    text = PLUGIN.replace('"rolls"', '"rols"')
    (site / "__init__.py").write_text(text, encoding="utf-8")
    assert "no system has a vocabulary 'rols'. Did you mean" in " ".join(
        map(str, book_of_core_and_plugins(["tides"]).troubles)
    )
