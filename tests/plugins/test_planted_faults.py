# ruff: noqa: E501  # a table with a fault a line
"""Over forty faults planted in a plugin, one at a time: each is named before an evening, by `strike plugin doctor`
or the contract kit, and none stops a campaign that plays without it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from support.plugins import play_with, shade, write_shade
from support.thorough import few_of

from strike_cli.campaign import Campaign
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.content.merged_content import with_content_checked
from strike_cli.phones.player_page_data import PhoneSnapshot
from strike_cli.plugin.plugin_checks import plugin_faults
from strike_cli.plugin.testing import Contract
from strike_cli.registry import installed_plugins
from strike_cli.session.tab_completion import find_completions
from strike_cli.terminal.screen.campaign_view import audience_view_for_players

MORE = """

class Shadowed(Fact):
    who: Person
    amount: int

    says = "{who} is in the shade[ for {amount:an hour|hours}]."


class Shown(Views):
    def party(self, world, people):
        return 1 / 0

    sheet = own_sheet = own_rolls = lambda self, world, who: 1 / 0
    card_boxes = lambda self, book, kind, sheet: 1 / 0


def recognizes(raw):
    return raw[:5] == b"shade"


def read(raw, name):
    rows = raw.decode().split()[1:]
    if not rows:
        raise CampaignProblem(f"{name}: no rows.", "Draw some.")
    found = MapFile(len(rows[0]), len(rows), 70, [], [], b"", rows=rows)
    return found


def write(board, image, pixels):
    content = "\\n".join(["shade", *board["rows"]]).encode()
    return content


ROWS = MapFormat("Rows", read, write, recognizes=recognizes)
"""
CONTENT = """
[statuses.shaded]
name = "Shaded"
sources = [{ on = "attack", gives = "disadvantage" }]
"""


def sound() -> str:
    """The toy system, with more in it."""
    text = shade()
    brings = 'Plugin("shade", api=2, systems=["shade:TOY"], content=["shade.toml"], map_formats=FORMATS)'
    text = text.replace("plugin = Plugin", 'FORMATS = {".rows": "shade:ROWS"}\nplugin = Plugin')
    return text.replace('Plugin("shade", api=2, systems=["shade:TOY"])', brings) + MORE


class Planted(NamedTuple):
    """A fault: what stands in the place of what, in the module or the content, and words that name it."""

    before: str
    after: str
    named: str
    kit: bool = False
    """Whether it shows only when the system is played, by the contract kit."""


FAULTS = {
    # What is found and imported
    "a module that raises": Planted("plugin = Plugin", "1 / 0\nplugin = Plugin", "ZeroDivisionError"),
    "a module that ends the process": Planted("plugin = Plugin", "raise SystemExit(3)\nplugin = Plugin", "SystemExit"),
    "an import of nothing": Planted("import typer", "import typer, no_such_module", "no_such_module"),
    "a name that strike hasn't": Planted("import Args, Bot", "import Args, Nothing, Bot", "Nothing"),
    "a later API": Planted('Plugin("shade", api=2,', 'Plugin("shade", api=99,', "needs a newer strike"),
    "a field that System hasn't": Planted('title="Coin tossing"', 'worth="x:y"', "'worth'"),
    "a name of an earlier API": Planted('from strike_cli.plugin.forms import Number, scene_schema', 'from strike_cli.plugin import Number, scene_schema', "'Number'"),
    "the name of a system of strike": Planted('    "shade", title', '    "combat", title', "defines a system 'combat'"),
    "a table of strike's": Planted('state={"shade"', 'state={"fight"', "a table of state.toml 'fight'"),
    "a move of strike's": Planted('"shade start": Move', '"combat move": Move', "defines a move 'combat move'"),
    "a command of strike's": Planted('commands={"shade"', 'commands={"roll"', "a command 'roll'"),
    "a fact of strike's": Planted("class Shadowed(Fact):", "class Damaged(Fact):", "a kind of fact 'damaged'"),
    # Commands
    "words of nothing": Planted("def toss(who: InScene)", "def toss(who: InScene, **more: str)", "shade.py, line"),
    "a type that no command takes": Planted("def toss(who: InScene)", "def toss(who: complex)", "toss"),
    "an annotation that names nothing": Planted("def toss(who: InScene)", "def toss(who: 'Nobody')", "Nobody"),
    "a word that its move doesn't know": Planted("def toss(who: InScene)", "def toss(whom: InScene)", "'whom'"),
    "a word that its move wants": Planted("(one: Character, other: Character,", "(one: Character,", "'other'"),
    "a command of no move": Planted('@plays(app, "toss", "shade toss")', '@plays(app, "toss", "shade tos")', "shade tos"),
    "a word that is read by nothing": Planted("def toss(who: InScene)", "def toss(who: Annotated[str, WordParser(str)])", "its word 'who' has a `read` that is <class 'str'>"),
    "a word that is read with too little": Planted("def toss(who: InScene)", "def toss(who: Annotated[str, WordParser(len)])", "should take 2 arguments: the call and the word"),
    "a command that is there twice": Planted('@plays(app, "toss",', '@plays(app, "start",', "there twice"),
    "no app": Planted("commands={\"shade\": \"shade:app\"}", "commands={\"shade\": \"shade:SIDES\"}", "is not a Typer app"),
    "a command without help": Planted('"""Call a side and toss. Example: `strike shade toss .`"""', "...", "no help"),
    # What is told
    "a template with no such field": Planted('"{who} has it all."', '"{whom} has it all."', "'whom'"),
    "a template that isn't closed": Planted('"{who} has it all."', '"{who has it all."', "ShadeOver"),
    "a field called as a key of every fact": Planted("    called: str\n", "    kind: str\n", "'kind'"),
    "a field called changes": Planted("    amount: int", "    changes: int", "'changes'"),
    "a field of no type": Planted("    amount: int", "    amount: Nothing", "Nothing"),
    "a field that may be None and isn't by default": Planted("    amount: int", "    amount: int | None = 3", "may be None"),
    "a decision that asks nothing": Planted('    asks = "{who} tosses a coin: heads or tails?"\n', "", "asks"),
    # Rules
    "a procedure that isn't there": Planted('Move("shade:play_start"', 'Move("shade:play_begin"', "play_begin"),
    "a rule that yields nothing": Planted(
        "def what_counts(", "def play_flat(world: World, args: PersonArgs): ...\ndef what_counts(", "not a procedure"
    ),
    "arguments without a type": Planted("def play_toss(world: World, args: PersonArgs)", "def play_toss(world, args)", "type of its arguments"),
    "odds of nothing": Planted("shade:what_counts", "shade:what_matters", "what_matters"),
    "a scene without a form": Planted('state={"shade": "shade:STATE"}', "state={}", "no such table of the state"),
    "a form that is none": Planted("STATE = scene_schema", "STATE = 3\nFORM = scene_schema", "is not a form"),
    "a hook of no class": Planted('bot="shade:TossBot"', 'bot="shade:Start"', "not a class of Bot"),
    "a hook misspelt": Planted("def evaluate(self", "def evalute(self", "evalute"),
    "a hook that can't be made": Planted("class TossBot(Bot):", "class TossBot(Bot):\n    def __init__(self): 1 / 0\n", "ZeroDivisionError"),
    "a next turn of no move": Planted('SceneTable("shade")', 'SceneTable("shade", next_turn=["shade pass"])', "shade pass"),
    # Content
    "content with an unknown key": Planted('name = "Shaded"', 'nmae = "Shaded"', "'name'"),
    "content that is no TOML": Planted("[statuses.shaded]", "[statuses.shaded", "shade.toml"),
    "content that leads nowhere": Planted('name = "Shaded"', 'name = "Shaded"\nimplies = ["dased"]', "'dazed'"),
    "content that takes the core's place": Planted("[statuses.shaded]", '[statuses."core:dazed"]', "override = true"),
    # Files of maps
    "a map that isn't read": Planted("    found = MapFile(", "    raise SystemExit(3)\n    found = MapFile(", "SystemExit: 3"),
    "a map that isn't written": Planted("    content = ", "    1 / 0\n    content = ", "ZeroDivisionError"),
    "a file of no map": Planted("    return found\n", "    return {}\n", "not a MapFile"),
    "a file of not bytes": Planted("    return content\n", "    return None\n", "not bytes"),
    "a file that isn't recognized": Planted("    return raw[:5]", "    return raw[99]", "IndexError"),
    # What only play shows
    "an option that is refused": Planted("    winner, loser =", "    if face: raise Refused('No.')\n    winner, loser =", "listed option is refused", True),
    "a state that isn't declared": Planted("{\"shade\": scene}", "{\"shade\": scene, \"shadow\": 1}", "no longer fits its form", True),
    "a rule that raises": Planted("left[loser] == 0", "left[\"nobody\"] == 0", "KeyError", True),
    "a view that raises": Planted('bot="shade:TossBot",', 'bot="shade:TossBot", views="shade:Shown",', "ZeroDivisionError", True),
    "faces that matter and are said not to": Planted('Roll(1, 2, "coin", args.who)', 'Roll(1, 2, "coin", args.who, lambda faces: 0)', "are alike by `matters`", True),
    "a rule that prints": Planted("    winner, loser =", "    print('clink')\n    winner, loser =", "prints", True),
}  # fmt: skip
OTHERS = (
    "roll die 1d6",
    "status",
    "help all",
    "help",
    "odds --help",
    "combat start ring --party vex",
    "undo",
    "plugin list",
)
"""What goes on in a campaign that plays without it."""


def plant(site: Path, fault: Planted) -> None:
    text = sound()
    assert fault.before in text + CONTENT, "nothing is planted"
    if "play_flat" in fault.after:
        text = text.replace("shade:play_start", "shade:play_flat")
    text = text.replace(
        "from strike_cli.plugin.facts",
        "from strike_cli.plugin.views import Views\n"
        "from strike_cli.plugin.files import CampaignProblem, MapFile, MapFormat\n"
        "from strike_cli.plugin.facts",
    )
    text = text.replace("import Character, InScene,", "import Character, InScene, WordParser,")
    module = text.replace(fault.before, fault.after, 1)
    write_shade(site, module, CONTENT.replace(fault.before, fault.after))


def play(folder: Path, *lines: str) -> None:
    """Commands that succeed."""
    for line in lines:
        assert code_of(folder, line) == 0, line


def code_of(folder: Path, line: str) -> int:
    """What a command in a folder ends with."""
    return run_command_line_or_complete(["-C", str(folder), *line.split()])


def named() -> str:
    """What `strike plugin doctor` says of the plugin."""
    (plugin,) = (each for each in installed_plugins.plugin_index().plugins if each.name == "shade")
    return "\n".join(plugin_faults(with_content_checked(plugin)))


def test_words_may_be_annotated_by_their_reader_alone_and_be_several(
    site: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first ended `odds --help` and `help all` everywhere in a bare StopIteration."""
    one = "(one: Annotated[str, WordParser(lambda call, word: word)], other: Character,"
    plant(site, Planted("(one: Character, other: Character,", one, ""))
    assert named() == ""
    text = (site / "shade.py").read_text()
    more = """
class Gather(Args):
    people: list[str]


def play_gather(world: World, args: Gather) -> Procedure[dict[str, Any]]:
    yield world.tell(Shadowed(args.people[-1], len(args.people)))
    return {"people": args.people}


@plays(app, "gather", "shade gather")
def gather(people: list[Character]) -> None:
    \"\"\"Several. Example: `strike shade gather vex`\"\"\"
"""
    move = '"shade gather": Move("shade:play_gather"),\n        "shade start": Move'
    write_shade(site, text.replace('"shade start": Move', move) + more, CONTENT)
    assert named() == ""
    play_with(folder, "shade")
    play(folder, "shade gather Vex brann")
    assert "Brann is in the shade for hours." in capsys.readouterr().out


def test_a_word_that_is_read_by_nothing_is_the_plugins_fault(
    site: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No line of its own has failed then but that of the command."""
    plant(site, FAULTS["a word that is read by nothing"])
    play_with(folder, "shade")
    assert code_of(folder, "shade toss vex") == 4
    told = capsys.readouterr().err
    assert "`strike shade toss` failed in strike-shade 1.0 (shade)" in told and "shade.py, line" in told


def test_nothing_is_wrong_before(site: Path) -> None:
    plant(site, Planted("", "", ""))
    assert named() == ""


@pytest.mark.parametrize("fault", few_of(name for name, fault in FAULTS.items() if not fault.kit))
def test_the_doctor_names_it(fault: str, site: Path) -> None:
    plant(site, FAULTS[fault])
    told = named()
    assert FAULTS[fault].named in told
    assert "strike-shade 1.0" in told


@pytest.mark.parametrize("fault", [name for name, fault in FAULTS.items() if fault.kit])
def test_the_kit_names_it(fault: str, site: Path) -> None:
    plant(site, FAULTS[fault])
    contract = Contract("shade", begin=[("shade start", {"one": "ana", "other": "bo"})])
    with pytest.raises(AssertionError, match=FAULTS[fault].named):
        contract.check(evenings=2)


@pytest.mark.slow
@pytest.mark.parametrize("fault", few_of(list(FAULTS), 45))
def test_no_other_campaign_minds(
    fault: str, site: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of all that goes on elsewhere; where it is asked for by its own word, the reason is told."""
    plant(site, FAULTS[fault])
    play(folder, *OTHERS)
    assert find_completions(["-C", str(folder)], "ro").words == ["roll"]
    capsys.readouterr()
    assert code_of(folder, "shade start vex brann") in (2, 4)
    told = capsys.readouterr().err
    assert "strike-shade 1.0" in told or "There is no command" in told
    assert "Traceback" not in told


@pytest.mark.parametrize("fault", [name for name in FAULTS if " map " in name or " file " in name])
def test_files_of_a_broken_format_are_refused_and_others_go_on(
    fault: str, site: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(site, FAULTS[fault])
    play_with(folder, "shade")
    monkeypatch.chdir(folder)
    (folder / "cave.rows").write_text("shade\n....\n....\n")

    def files() -> dict[Path, bytes]:
        return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}

    codes = []
    for line in ("map show cave.rows", "map import cave.rows --dry-run", "map export out.rows ring"):
        before = files()
        codes.append(code_of(folder, line))
        assert codes[-1] == 0 or before == files()
    told = capsys.readouterr().err
    kinds = {"recognized": [0, 0, 0], "written": [0, 0, 4], "bytes": [0, 0, 4]}
    assert codes == kinds.get(fault.split()[-1], [4, 4, 0])
    assert FAULTS[fault].named in told and "strike-shade 1.0" in told and "Traceback" not in told
    assert f"{site / 'shade.py'}, line " in told or "returned" in told
    play(folder, "map export out.uvtt ring", "map import out.uvtt", "map show out.uvtt", "map show ring")


LATER = {
    # What breaks after it was played
    "a template with no such field": Planted('"{who} has it all."', '"{whom} has it all."', "whom"),
    "a property that raises": Planted('    says = "{who} calls', '    @property\n    def odd(self) -> str:\n        return str(1 / 0)\n\n    says = "{odd}{who} calls', "ZeroDivisionError"),
    "a module that raises": Planted("plugin = Plugin", "1 / 0\nplugin = Plugin", "ZeroDivisionError"),
    "a module of facts that raises": Planted("class Shadowed(Fact):", "class Shadowed(Fact):\n    says = 1 / 0", "ZeroDivisionError"),
    "a field that is gone": Planted("    called: str\n", "", "called"),
    "a field that is new": Planted("    called: str\n", "    called: str\n    more: int\n", "more"),
    "a view that raises": Planted('bot="shade:TossBot",', 'bot="shade:TossBot", views="shade:Shown",', "ZeroDivisionError"),
}  # fmt: skip
READS = (
    "log",
    "log --player",
    "status",
    "report",
    "story",
    "card vex",
    "undo",
    "redo",
    "help now",
    "roll die 1d6",
)
"""What goes on where a plugin breaks after it was played."""


@pytest.mark.parametrize("fault", few_of(LATER))
def test_an_evening_that_was_played_is_told(
    fault: str, site: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the words of then, where the class of a fact has broken since."""
    plant(site, Planted("", "", ""))
    play_with(folder, "shade")
    play(folder, "shade start vex brann", "shade toss vex --choose heads --dice 1")
    play(folder, "shade toss brann --choose heads --dice 2")
    plant(site, LATER[fault])
    capsys.readouterr()
    told = ""
    for line in READS:
        play(folder, line)
        said = capsys.readouterr()
        told += said.out + said.err
        if line.startswith("log"):
            assert "Vex calls heads: heads." in said.out
    assert LATER[fault].named in told or fault == "a field that is new"
    assert code_of(folder, "replay --verify") in (0, 3)
    for line in ("show", "start vex brann", "toss vex"):
        code_of(folder, f"shade {line}")
    assert "Traceback" not in told + capsys.readouterr().err


@pytest.mark.slow
def test_phones_and_targets_go_on_without_a_plugin_in_use_that_fails(
    site: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(site, LATER["a view that raises"])
    play_with(folder, "shade")
    with Campaign(folder) as campaign:
        rolls = PhoneSnapshot(campaign.book, audience_view_for_players(campaign)).roll_offers("vex")
    assert [roll for roll in rolls.values() if roll.words[0] == "roll"]
    module = (site / "shade.py").read_text()
    (site / "shade_inn.py").write_text("raise SystemExit(3)")
    write_shade(site, module.replace("content=", "targets={'inn': 'shade_inn:Inn'}, content="), CONTENT)
    with (folder / "campaign.toml").open("a") as file:
        file.write('\n[bridge.targets.inn]\nkind = "inn"\nurl = "http://127.0.0.1:1"\n')
    play(folder, "roll die 1d6", "status", "bridge status", "log")
    for line in ("doctor", "plugin doctor", "bridge doctor", "bridge push"):
        assert code_of(folder, line) in (0, 3, 4, 5)
    told = capsys.readouterr()
    assert "shade_inn" in told.out + told.err
    assert "Traceback" not in told.out + told.err
