"""The site of documents: every command, key, kind of fact and rule is in it, every page in its navigation,
and a link that leads nowhere or out is found."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.documents import ROOT

from strike_cli import plugin, registry
from strike_cli.cli.app import root_command
from strike_cli.content.compiler import SAMPLES
from strike_cli.plugin import parts
from strike_cli.registry.numbered_rules import all_rules
from website import api_reference, reference_pages, site

EXAMPLES = (
    ROOT / "campaign.example.toml",
    *sorted(SAMPLES.glob("*.toml")),
    *ROOT.glob("plugins/*/example/*.toml"),
)
CHOSEN = "ID"
"""What stands in the reference for an id, and for any key of a table of them."""


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """What is made of the program, once."""
    return reference_pages.reference_pages()


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory, pages: dict[str, str]) -> Path:
    """All pages of the site, as they are built."""
    folder = tmp_path_factory.mktemp("site") / "pages"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference_pages, "reference_pages", lambda: pages)
        site.write_pages_afresh(folder)
    return folder


@pytest.mark.slow
def test_every_command_is_in_it_with_its_example(pages: dict[str, str]) -> None:
    whole = "\n".join(page for name, page in pages.items() if name.startswith("commands/"))
    for group in registry.command_apps_by_group():
        for path, command in below(root_command().get_command(None, group), group):
            _, heading, rest = whole.partition(f"\n## strike {path}\n")
            assert heading, path
            section = rest.partition("\n## ")[0]
            assert f"strike {path}" in section or "Commands:" in section, path
            if not getattr(command, "commands", None):
                assert f"[`strike {path}`](" in pages["commands.md"], path


def below(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from below(inner, f"{path} {name}")


@pytest.mark.slow
def test_every_key_that_is_used_anywhere_is_in_it(pages: dict[str, str]) -> None:
    """By its last name and by where it stands: those of the examples and of the content that comes along."""
    begun, as_elsewhere = told_in(pages["keys.md"])
    missing = set()
    for file in EXAMPLES:
        for path in paths_in(tomllib.loads(file.read_text(encoding="utf-8")), ()):
            if not is_told(path, begun, as_elsewhere):
                missing.add(".".join(path))
    assert len(begun) > 400
    assert sorted(missing) == []


def told_in(page: str) -> tuple[set[str], dict[str, str]]:
    """The keys that the reference tells, with all their beginnings; and what has the keys of what."""
    told = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    same = dict(re.findall(r"^\| `([^`]+)` \| a table with the keys of `([^`]+)`", page, re.MULTILINE))
    return {place[:end] for place in told for end in ends_of(place)}, same


def paths_in(table: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every key of a file, with those above it; items of lists are of their list."""
    for key, value in table.items():
        path = (*above, key)
        yield path
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                yield from paths_in(item, (*path, "[]") if isinstance(value, list) else path)


def ends_of(place: str) -> list[int]:
    """Where a place's beginnings end: `powers`, `powers.ID`, `powers.ID.hit`, `powers.ID.hit[]`."""
    return [*(found.start() for found in re.finditer(r"\.|\[\]", place)), len(place)]


def is_told(path: tuple[str, ...], begun: set[str], as_elsewhere: Mapping[str, str]) -> bool:
    """Whether the reference tells a key: as it stands, or with an id of somebody's choosing in it."""
    places = {""}
    for name in path:
        after = set[str]()
        for place in places:
            if name == "[]":
                after.add(f"{place}[]")
            else:
                after |= {f"{place}.{word}".lstrip(".") for word in (name, CHOSEN)}
        after |= {as_elsewhere[place] for place in after & as_elsewhere.keys()}
        places = after & begun
    return bool(places)


@pytest.mark.slow
def test_every_kind_of_fact_and_every_promised_key_is_in_it(pages: dict[str, str]) -> None:
    for system in registry.load_usable_systems():
        for kind in registry.fact_classes_by_kind(system):
            assert f"| `{kind}` |" in pages["json.md"], kind
    for command in tomllib.loads(reference_pages.KEYS_OF_DATA.read_text(encoding="utf-8")):
        assert f"| `{command}` |" in pages["json.md"], command


@pytest.mark.slow
def test_every_rule_is_in_it_by_its_number(pages: dict[str, str]) -> None:
    for rule in all_rules().values():
        assert f"### {rule.id} {rule.title} {{ #{rule.id.lower()} }}" in pages["rules.md"]
        assert rule.text in pages["rules.md"]


@pytest.mark.slow
def test_every_name_of_the_plugin_api_is_in_it_and_says_what_it_is(pages: dict[str, str]) -> None:
    """Its signature too, and of a class every method with what it does."""
    listed = {each.stem for each in Path(plugin.__file__ or "").parent.glob("[a-z]*.py")} - NO_PART_OF_IT
    assert listed == {*api_reference.MODULES} - {""}, "each module of the door has a page"
    nothing_said = []
    for name in api_reference.MODULES:
        module = import_module(f"{api_reference.PACKAGE}.{name}".rstrip("."))
        page = pages[f"api/{name or 'plugin'}.md"]
        for each in module.__all__:
            found = getattr(module, each)
            assert f"\n## {each} {{ #{each.lower()} }}\n" in page, f"{name}.{each}"
            methods = api_reference.methods_of(found) if isinstance(found, type) else {}
            nothing_said += [f"{name}.{each}"] if not api_reference.doc_of(module, each) else []
            nothing_said += [f"{name}.{each}.{key}" for key, own in methods.items() if not getdoc(own)]
    assert nothing_said == []


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="signatures are written otherwise from then on")
def test_the_checkout_has_the_reference_of_the_plugin_api(request: pytest.FixtureRequest) -> None:
    """As it follows from the code: `pytest tests/cli/test_site.py --regenerate-golden` writes it."""
    place = ROOT / "docs" / "reference"
    made = {name: reference_pages.MADE + page for name, page in api_reference.api_pages().items()}
    if request.config.getoption("--regenerate-golden"):
        (place / "api").mkdir(parents=True, exist_ok=True)
        for name, page in made.items():
            (place / name).write_text(page, encoding="utf-8")
    assert {page.relative_to(place).as_posix() for page in place.rglob("*.md")} == made.keys()
    for name, page in made.items():
        assert (place / name).read_text("utf-8") == page, "pytest tests/cli/test_site.py --regenerate-golden"


NO_PART_OF_IT = {"declaration_checks", "kept", "plugin_checks", "changelog_renames", "telling"}
"""Modules beside the door's that plugins don't import, or no more."""


def test_every_field_of_a_system_says_what_it_is() -> None:
    """Where an editor shows it; and there are few enough to look through."""
    values = (part for name in parts.__all__ if issubclass(part := getattr(parts, name), tuple))
    for part in (plugin.System, plugin.Move, *values):
        with case(part):
            fields = api_reference.fields_of(part)
            assert fields
            assert [each.name for each in fields if not each.doc] == []
            assert len(fields) <= 31


def test_the_core_of_the_api_is_small() -> None:
    assert len(plugin.__all__) <= 25


@pytest.mark.slow
def test_every_page_is_in_the_navigation(together: Path) -> None:
    linked = set(re.findall(r'"([^"]+\.md)"', site.CONFIG.read_text(encoding="utf-8")))
    assert {page.relative_to(together).as_posix() for page in together.rglob("*.md")} == linked


@pytest.mark.slow
def test_links_of_pages_lead_to_pages(together: Path) -> None:
    """What a page links to in the repository is a page of the site, or no link there."""
    wrong = []
    for page in together.rglob("*.md"):
        for address in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in address and not (page.parent / address).is_file():
                wrong.append(f"{page.relative_to(together)}: {address}")
    assert wrong == []


def test_a_link_that_leads_nowhere_or_out_is_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "index.html").write_text(
        '<a href="a/">x</a><a href="a/index.html#there">x</a><a href="gone.html">x</a><a href="#not">x</a>'
        '<a href="https://elsewhere.example/">x</a><img src="https://elsewhere.example/x.png">'
    )
    (tmp_path / "a" / "index.html").write_text('<p id="there"><a href="../index.html">x</a>')
    (tmp_path / "x.css").write_text("@font-face { src: url(//fonts.example/x.woff2) }")
    assert list(site.link_and_fetch_faults(tmp_path)) == [
        "index.html: gone.html leads nowhere",
        "index.html: #not: there is no #not",
        "index.html: https://elsewhere.example/x.png would be fetched from elsewhere",
        "x.css: //fonts.example/x.woff2 would be fetched from elsewhere",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "found"),
    [
        (("powers", "flare", "effect", "[]", "status"), True),  # told where the first list of steps is
        (("powers", "flare", "effect", "[]", "stattus"), False),
        (("powers", "flare", "danage"), False),
        (("house", "nothing"), False),
    ],
)
def test_a_key_that_is_not_told_is_found(pages: dict[str, str], path: tuple[str, ...], found: bool) -> None:
    told, as_elsewhere = told_in(pages["keys.md"])
    assert is_told(path, told, as_elsewhere) == found
