"""The site of documents, built by `make docs`.

It puts the pages together: those that people wrote in docs, and those made from the program. It builds them
with Zensical. Then it checks the result: every link leads somewhere, and nothing is fetched from elsewhere.
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

from . import reference_pages

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
CONFIG = ROOT / "website" / "zensical.toml"
PAGES, SITE = ROOT / "build" / "pages", ROOT / "build" / "site"
"""The folder where the pages are put together, and that of the built site; zensical.toml has the same."""
TOP_PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Pages at the top of the repository, with their names on the site."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def main() -> None:
    """Build the site; if there are faults, print them and exit with 1."""
    write_pages_afresh(PAGES)
    shutil.rmtree(SITE, ignore_errors=True)
    # It builds only below the folder that its settings stand in.
    settings = shutil.copy(CONFIG, PAGES.parent)
    zensical = Path(sys.executable).with_name("zensical")
    built = subprocess.run([zensical, "build", "--clean", "--strict", "--config-file", settings], check=False)
    faults = ["Zensical found something wrong."] if built.returncode else list(link_and_fetch_faults(SITE))
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    if faults:
        sys.exit(1)
    sys.stdout.write(f"The site is in {SITE.relative_to(ROOT)}: {len(list(SITE.rglob('*.html')))} pages.\n")


def write_pages_afresh(pages: Path) -> None:
    """Write every page of the site into a folder. What the folder contained before is deleted."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(DOCS, pages)
    (pages / "look.css").write_text(style_sheet(), encoding="utf-8")
    for name, page in reference_pages.reference_pages().items():
        file = pages / "reference" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page, encoding="utf-8")
    for source in DOCS.rglob("*.md"):
        _write_page(pages, source.relative_to(DOCS), source)
    for name, page in TOP_PAGES.items():
        _write_page(pages, Path(page), ROOT / name)


def style_sheet() -> str:
    """Return the site's style sheet, which gives the program's colours and fonts to the site's theme."""
    schemes = {"default": strike_look.LIGHT, "slate": strike_look.DARK}
    return "".join(
        f'[data-md-color-scheme="{scheme}"]{{{_css_variables(colours)}}}\n'
        for scheme, colours in schemes.items()
    ) + (
        f"body{{--md-text-font-family:{strike_look.SANS}}}\n"
        f".md-typeset :is(h1,h2,h3),.md-header__title{{font-family:{strike_look.SERIF};font-weight:600}}\n"
    )


def _css_variables(colours: Mapping[str, str]) -> str:
    named = {
        "default-bg-color": "page", "default-fg-color": "ink", "default-fg-color--light": "soft",
        "typeset-color": "ink", "typeset-a-color": "gold-ink", "accent-fg-color": "gold",
        "primary-fg-color": "panel", "primary-bg-color": "ink", "primary-bg-color--light": "soft",
        "code-bg-color": "panel", "code-fg-color": "ink", "footer-bg-color": "panel",
        "footer-fg-color": "ink",
    }  # fmt: skip
    return "".join(f"--md-{name}:{colours[colour]};" for name, colour in named.items())


def _write_page(pages: Path, page: Path, source: Path) -> None:
    text = LINK.sub(lambda link: _link_for_site(link, source, page), source.read_text(encoding="utf-8"))
    (pages / page).write_text(text, encoding="utf-8")


def _link_for_site(link: re.Match[str], source: Path, page: Path) -> str:
    """Return a link of a source file in its form for a page of the site.

    A link to another site, or to a place on the same page, stays unchanged. If the site lacks the target,
    return the link's text instead, with the target's name or path as code.
    """
    sign, text, address = link.groups()
    if urlsplit(address).scheme or address.startswith("#"):
        return link[0]
    path, _, anchor = address.partition("#")
    file = (source.parent / path).resolve()
    wanted = _path_on_site(file)
    if wanted is None:
        return f"{text} (`{file.relative_to(ROOT)}`)" if text not in str(file) else f"`{text}`"
    up = "../" * (len(page.parts) - 1)
    return f"{sign}[{text}]({up}{wanted}{f'#{anchor}' if anchor else ''})"


def _path_on_site(file: Path) -> str | None:
    if file.is_relative_to(DOCS):
        return file.relative_to(DOCS).as_posix()
    if file.name == "rules.md":
        return "reference/rules.md"
    return TOP_PAGES.get(file.relative_to(ROOT).as_posix())


# Checks of the result


FETCHING_ATTRIBUTES = {
    ("img", "src"),
    ("script", "src"),
    ("link", "href"),
    ("iframe", "src"),
    ("source", "srcset"),
}
"""Tags and attributes with addresses that a browser loads by itself."""


class _LinkReader(HTMLParser):
    """A parser that collects a page's links, its anchors, and the addresses of everything that it loads."""

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
            elif value and (tag, name) in FETCHING_ATTRIBUTES and dict(attrs).get("rel") != "canonical":
                self.fetched.append(value)


def link_and_fetch_faults(site: Path) -> Iterator[str]:
    """Yield links that lead nowhere, and addresses that a browser would load from elsewhere."""
    read: dict[Path, _LinkReader] = {}
    for file in sorted(site.rglob("*.html")):
        read[file] = _LinkReader()
        read[file].feed(file.read_text(encoding="utf-8"))
    for file, page in read.items():
        here = file.relative_to(site)
        for address in (*page.links, *page.fetched):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.fetched and parts.scheme != "data":
                    yield f"{here}: {address} would be fetched from elsewhere"
                continue
            target = _linked_file(file, site, unquote(parts.path))
            if not target.is_file():
                yield f"{here}: {address} leads nowhere"
            elif parts.fragment and target in read and unquote(parts.fragment) not in read[target].anchors:
                yield f"{here}: {address}: there is no #{parts.fragment}"
    for sheet in sorted(site.rglob("*.css")):
        for address in re.findall(r"url\(['\"]?((?:https?:)?//[^)'\"]+)", sheet.read_text(encoding="utf-8")):
            yield f"{sheet.relative_to(site)}: {address} would be fetched from elsewhere"


def _linked_file(file: Path, site: Path, path: str) -> Path:
    place = file if not path else (site / path.lstrip("/") if path.startswith("/") else file.parent / path)
    place = place.resolve()
    return place / "index.html" if place.is_dir() else place


if __name__ == "__main__":
    main()
