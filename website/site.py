"""`make docs`: the site of documents.

Puts the pages together (those that people wrote in docs, and those made from the program), builds them with
Zensical, and checks every link of the result: each leads somewhere, and nothing is fetched from elsewhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import strike_look

from . import references

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
CONFIG = ROOT / "website" / "zensical.toml"
PAGES, SITE = ROOT / "build" / "pages", ROOT / "build" / "site"
"""The folder where the pages are put together, and that of the built site; zensical.toml has the same."""
BESIDE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
"""Pages at the top of the repository, with their names on the site."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def main() -> None:
    """Build the site; exit with 1 and print the faults where there are any."""
    put_together(PAGES)
    shutil.rmtree(SITE, ignore_errors=True)
    # It builds only below the folder that its settings stand in.
    settings = shutil.copy(CONFIG, PAGES.parent)
    zensical = Path(sys.executable).with_name("zensical")
    built = subprocess.run([zensical, "build", "--clean", "--strict", "--config-file", settings], check=False)
    faults = ["Zensical found something wrong."] if built.returncode else list(faults_of(SITE))
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    if faults:
        sys.exit(1)
    sys.stdout.write(f"The site is in {SITE.relative_to(ROOT)}: {len(list(SITE.rglob('*.html')))} pages.\n")


def put_together(pages: Path) -> None:
    """Write every page of the site into a folder."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(DOCS, pages)
    (pages / "look.css").write_text(style_sheet(), encoding="utf-8")
    for name, page in references.pages().items():
        file = pages / "reference" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page, encoding="utf-8")
    for source in DOCS.rglob("*.md"):
        _write(pages, source.relative_to(DOCS), source)
    for name, page in BESIDE.items():
        _write(pages, Path(page), ROOT / name)


def style_sheet() -> str:
    """Return the site's style sheet: the colours and the type of every other screen, by the theme's names."""
    schemes = {"default": strike_look.LIGHT, "slate": strike_look.DARK}
    return "".join(
        f'[data-md-color-scheme="{scheme}"]{{{_declared(colours)}}}\n' for scheme, colours in schemes.items()
    ) + (
        f"body{{--md-text-font-family:{strike_look.SANS}}}\n"
        f".md-typeset :is(h1,h2,h3),.md-header__title{{font-family:{strike_look.SERIF};font-weight:600}}\n"
    )


def _declared(colours: Mapping[str, str]) -> str:
    named = {
        "default-bg-color": "page", "default-fg-color": "ink", "default-fg-color--light": "soft",
        "typeset-color": "ink", "typeset-a-color": "gold-ink", "accent-fg-color": "gold",
        "primary-fg-color": "panel", "primary-bg-color": "ink", "primary-bg-color--light": "soft",
        "code-bg-color": "panel", "code-fg-color": "ink", "footer-bg-color": "panel",
        "footer-fg-color": "ink",
    }  # fmt: skip
    return "".join(f"--md-{name}:{colours[colour]};" for name, colour in named.items())


def _write(pages: Path, page: Path, source: Path) -> None:
    text = LINK.sub(lambda link: _link(link, source, page), source.read_text(encoding="utf-8"))
    (pages / page).write_text(text, encoding="utf-8")


def _link(link: re.Match[str], source: Path, page: Path) -> str:
    """Return a link of a source in the form for a page; its bare text where the site lacks the target."""
    sign, text, address = link.groups()
    if urlsplit(address).scheme or address.startswith("#"):
        return link[0]
    path, _, anchor = address.partition("#")
    file = (source.parent / path).resolve()
    wanted = _on_site(file)
    if wanted is None:
        return f"{text} (`{file.relative_to(ROOT)}`)" if text not in str(file) else f"`{text}`"
    up = "../" * (len(page.parts) - 1)
    return f"{sign}[{text}]({up}{wanted}{f'#{anchor}' if anchor else ''})"


def _on_site(file: Path) -> str | None:
    if file.is_relative_to(DOCS):
        return file.relative_to(DOCS).as_posix()
    if file.name == "rules.md":
        return "reference/rules.md"
    return BESIDE.get(file.relative_to(ROOT).as_posix())


# Checks of the result


FETCHED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "srcset")}
"""Tags and attributes with addresses that a browser loads by itself."""


class _Reader(HTMLParser):
    """A reader of a page's links, of the addresses that it loads, and of its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name == "id":
                self.anchors.add(value)
            elif value and (tag, name) == ("a", "href"):
                self.links.append(value)
            elif value and (tag, name) in FETCHED and dict(attrs).get("rel") != "canonical":
                self.fetched.append(value)


def faults_of(site: Path) -> Iterator[str]:
    """Yield links that lead nowhere, and whatever a browser would load from elsewhere."""
    read: dict[Path, _Reader] = {}
    for file in sorted(site.rglob("*.html")):
        read[file] = _Reader()
        read[file].feed(file.read_text(encoding="utf-8"))
    for file, page in read.items():
        here = file.relative_to(site)
        for address in (*page.links, *page.fetched):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.fetched and parts.scheme != "data":
                    yield f"{here}: {address} would be fetched from elsewhere"
                continue
            target = _target(file, site, unquote(parts.path))
            if not target.is_file():
                yield f"{here}: {address} leads nowhere"
            elif parts.fragment and target in read and unquote(parts.fragment) not in read[target].anchors:
                yield f"{here}: {address}: there is no #{parts.fragment}"
    for sheet in sorted(site.rglob("*.css")):
        for address in re.findall(r"url\(['\"]?((?:https?:)?//[^)'\"]+)", sheet.read_text(encoding="utf-8")):
            yield f"{sheet.relative_to(site)}: {address} would be fetched from elsewhere"


def _target(file: Path, site: Path, path: str) -> Path:
    place = file if not path else (site / path.lstrip("/") if path.startswith("/") else file.parent / path)
    place = place.resolve()
    return place / "index.html" if place.is_dir() else place


if __name__ == "__main__":
    main()
