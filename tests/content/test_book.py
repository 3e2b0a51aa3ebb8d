"""The book: compiled once and kept until something that it came from changes; names that lead into it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from content.conftest import BURNING, LONG_AGO, Place, settle
from support.cases import case
from support.links import link

from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.content.compiler import _compiler_source_files
from strike_cli.content.merged_content import Book, book_of_core_and_plugins, open_book
from strike_cli.problems import ContentProblem, Usage
from strike_cli.registry.installed_plugins import plugin_index

Write = Callable[..., Path]
SELA = '[characters.sela]\nname = "Sela"\n'


def _put(path: Path, text: str) -> None:
    """A file that somebody wrote, in a folder that they may have made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    settle(path, path.parent)


@pytest.mark.parametrize("kind", ["characters", "creatures"])
@pytest.mark.parametrize("word", ["party", "enemies"])
def test_nobody_is_called_what_stands_for_squares(campaign: Write, kind: str, word: str) -> None:
    """A character of that id would be left out of every fight, and nobody told."""
    with pytest.raises(ContentProblem, match=rf"{kind}\.{word}: .* squares of the {word}.*choose another id"):
        open_book(campaign(f'[{kind}.{word}]\nname = "Party Pete"\n'))


def test_a_book_is_compiled_once(campaign: Write, asked: list[str]) -> None:
    folder = campaign('include = ["people/*.toml"]\n')
    _put(folder / "people" / "sela.toml", SELA)
    first = open_book(folder)
    for _ in range(3):
        again = open_book(folder)
        assert again.compiled() == first.compiled()
    book_of_core_and_plugins()
    book_of_core_and_plugins()
    assert sorted(asked) == ["book", "book", "environment"]


def test_two_campaigns_have_a_book_each(campaign: Write, tmp_path: Path) -> None:
    folder = campaign('name = "One"\n')
    _put(tmp_path / "other" / "campaign.toml", 'schema = 1\nname = "Two"\n')
    for _ in range(2):
        assert open_book(folder).name == "One"
        assert open_book(tmp_path / "other").name == "Two"


def _characters(folder: Path) -> set[str]:
    return set(open_book(folder).characters)


def test_a_change_of_the_campaign_file_is_noticed(campaign: Write) -> None:
    assert _characters(campaign(SELA)) == {"sela"}
    assert _characters(campaign(SELA.replace("sela", "odo"))) == {"odo"}


def test_changes_of_included_files_are_noticed(campaign: Write, asked: list[str]) -> None:
    folder = campaign('include = ["people/*.toml", "far.toml"]\n')
    _put(folder / "far.toml", "")
    assert _characters(folder) == set()  # the folder isn't even there
    _put(folder / "people" / "sela.toml", SELA)
    assert _characters(folder) == {"sela"}
    _put(folder / "people" / "odo.toml", SELA.replace("sela", "odo"))
    assert _characters(folder) == {"sela", "odo"}
    _put(folder / "people" / "odo.toml", SELA.replace("sela", "ada"))  # of the same size
    assert _characters(folder) == {"sela", "ada"}
    _put(folder / "far.toml", SELA.replace("sela", "ines"))
    assert _characters(folder) == {"sela", "ada", "ines"}
    (folder / "people" / "sela.toml").unlink()
    settle(folder / "people")
    assert _characters(folder) == {"ada", "ines"}
    link(folder / "people" / "ada.toml", folder / "far.toml")
    settle(folder / "people")
    assert "comes from" in open_book(folder).doubled[0]
    assert asked.count("book") == 7


@pytest.mark.parametrize("pattern", ["people/*/*.toml", "people/**/*.toml", "*/*/*.toml", "**/*.toml"])
def test_files_in_folders_that_a_pattern_means_are_noticed(
    pattern: str, campaign: Write, asked: list[str]
) -> None:
    folder = campaign(f'include = ["{pattern}"]\n')
    _put(folder / "people" / "near" / "sela.toml", SELA)
    settle(folder / "people", folder)
    assert _characters(folder) == {"sela"}
    _put(folder / "people" / "near" / "odo.toml", SELA.replace("sela", "odo"))
    assert _characters(folder) == {"sela", "odo"}
    _put(folder / "people" / "far" / "ada.toml", SELA.replace("sela", "ada"))
    settle(folder / "people", folder)
    assert _characters(folder) == {"sela", "odo", "ada"}
    assert _characters(folder) == {"sela", "odo", "ada"}
    assert asked.count("book") == 3


def test_changes_of_a_plugins_files_are_noticed(place: Place, campaign: Write) -> None:
    package = place.install("marsh")
    folder = campaign()
    for book in (open_book(folder), book_of_core_and_plugins(["marsh"])):
        assert "marsh:singed" in book.statuses
    place.write(package / "content.toml", BURNING.replace("singed", "charred"))
    for book in (open_book(folder), book_of_core_and_plugins(["marsh"])):
        assert "marsh:charred" in book.statuses
    place.write(package / "more.toml", BURNING.replace("singed", "ashen"))
    module = (package / "__init__.py").read_text()
    place.write(package / "__init__.py", module.replace("content=[", "content=['more.toml', "))
    for book in (open_book(folder), book_of_core_and_plugins(["marsh"])):
        assert "marsh:ashen" in book.statuses


def test_a_file_that_is_being_written_just_now_is_not_kept(campaign: Write, asked: list[str]) -> None:
    """Two changes may have one stamp where they come quickly after each other."""
    folder = campaign()
    file = folder / "campaign.toml"
    for who in ("ada", "ben"):
        file.write_text("schema = 1\n" + SELA.replace("sela", who))
        moment = 2_000_000_000  # seconds, in times to come
        os.utime(file, (moment, moment))
        assert _characters(folder) == {who}
    assert asked.count("book") == 2


def test_mistakes_are_never_kept(campaign: Write) -> None:
    folder = campaign("[characters.sela]\nhp = 3\n")
    for _ in range(2):
        with pytest.raises(ContentProblem, match=r"characters\.sela\.name: missing"):
            open_book(folder)
    assert _characters(campaign(SELA)) == {"sela"}


def test_a_plugins_code_is_left_alone_while_the_book_is_kept(place: Place, campaign: Write) -> None:
    place.install("marsh")
    folder = campaign()
    open_book(folder)
    place.forget()
    assert "marsh:singed" in open_book(folder).statuses
    assert "plugin_marsh" not in sys.modules


def test_only_the_folders_own_time_tells_of_new_files(campaign: Write, asked: list[str]) -> None:
    folder = campaign('include = ["people/*.toml"]\n')
    _put(folder / "people" / "sela.toml", SELA)
    open_book(folder)
    (folder / "people" / "notes.txt").write_text("not for strike")
    os.utime(folder / "people", (LONG_AGO - 1, LONG_AGO - 1))
    assert _characters(folder) == {"sela"}
    assert asked.count("book") == 2


# Names


@pytest.fixture
def book(place: Place, campaign: Write) -> Book:
    two = BURNING + "[powers.hook]\nname = 'Hook'\n" + "[statuses.dazed]\nname = 'Dazed in the marsh'\n"
    place.install("marsh", files={"content.toml": two})
    place.install("upland")
    return open_book(campaign('[powers.flare]\nname = "Lantern Flare"\n[powers.hook]\nname = "Own hook"\n'))


def test_a_name_leads_to_one_thing(book: Book) -> None:
    for kind, name, found in [
        ("statuses", "core:dazed", "core:dazed"),
        ("statuses", "CORE:Dazed", "core:dazed"),
        ("statuses", "prone", "core:prone"),
        ("statuses", " Prone ", "core:prone"),
        ("statuses", "upland:singed", "upland:singed"),
        ("powers", "flare", "flare"),
        ("powers", "lantern flare", "flare"),
        ("powers", "melee basic", "core:melee-basic"),
        ("powers", "hook", "hook"),  # the campaign's own has just that id
        ("powers", "marsh:hook", "marsh:hook"),
    ]:
        with case(kind, name, found):
            assert book.find(kind, name) == found


def test_a_name_means_the_campaigns_own_thing_then_the_cores_then_the_first_plugins(book: Book) -> None:
    """In the order in which they are listed; of things that are called alike the full ids are asked for."""
    assert book.find("statuses", "singed") == "marsh:singed"
    assert book.find("statuses", "dazed") == "core:dazed"
    book.conditions |= {"wet": {"name": "Soaked"}, "damp": {"name": "Soaked"}}
    with pytest.raises(Usage) as raised:
        book.find("conditions", "soaked")
    assert "wet of" in raised.value.message
    assert "damp of" in raised.value.message
    assert raised.value.hint == "Give the full id."


def test_an_unknown_name_suggests_the_nearest(book: Book) -> None:
    with pytest.raises(Usage, match=r"There is no status 'pron'\. Did you mean 'prone'"):
        book.find("statuses", "pron")
    with pytest.raises(Usage, match="There is no power ''"):
        book.find("powers", "")


def test_names_within_content_lead_to_full_ids(place: Place, campaign: Write) -> None:
    text = BURNING + '[statuses.charred]\nname = "Charred"\nimplies = ["singed", "prone"]\n'
    place.install("marsh", files={"content.toml": text})
    place.install("upland")
    folder = campaign(
        '[statuses.wet]\nname = "Wet"\nimplies = ["charred"]\n'
        '[characters.sela]\nname = "Sela"\npowers = ["melee-basic"]\n'
    )
    book = open_book(folder)
    # A bare name means the plugin's own first, though another one has it too.
    assert book.statuses["marsh:charred"]["implies"] == ["marsh:singed", "core:prone"]
    assert book.statuses["wet"]["implies"] == ["marsh:charred"]
    assert book.characters["sela"]["powers"] == ["core:melee-basic"]


def test_a_name_of_several_plugins_is_the_first_ones_and_told(
    place: Place, campaign: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """With both distributions and the full ids to write; nothing stops."""
    for name in ("marsh", "upland"):
        place.install(name, files={"content.toml": BURNING + '[statuses.prone]\nname = "Flat"\n'})
    own = '[statuses.wet]\nname = "Wet"\nimplies = ["singed", "prone"]\n'
    for order in ("marsh", "upland"), ("upland", "marsh"):
        folder = campaign(f"plugins = {json.dumps(order)}\n{own}")
        book = open_book(folder)
        assert book.statuses["wet"]["implies"] == [f"{order[0]}:singed", "core:prone"]
        assert not book.troubles
        assert run_command_line_or_complete(["doctor", "-C", str(folder)]) == 0
        told = " ".join(capsys.readouterr().out.split())
        ids = [f"{name}:singed of {name} 1.0 ({name})" for name in order]
        assert f"statuses.wet.implies[1]: 'singed' may be {ids[0]}, {ids[1]}" in told
        assert f"is read as {order[0]}:singed" in told


def test_a_fault_in_one_name_hides_none_in_a_shorter_one(folder: Path) -> None:
    """What `goblin` names is looked up though `goblin-king` has a mistake of its own."""
    with (folder / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write('[creatures.imp]\nname = "Imp"\npowers = ["nowhere"]\n')
        file.write('[creatures.imp-king]\nname = "Imp King"\ncrown = true\n')
    with pytest.raises(ContentProblem) as refused:
        open_book(folder)
    assert any("imp-king.crown" in fault for fault in refused.value.faults)
    assert any("imp.powers" in fault and "nowhere" in fault for fault in refused.value.faults)


def test_the_sources_whose_edit_outdates_compiled_campaigns_are_there() -> None:
    files = [Path(file) for file in _compiler_source_files(plugin_index())]
    assert len(files) > 10 and [file for file in files if not file.is_file()] == []
