"""The pages' scripts and styles, bundled and compressed when the table starts.

On a slow connection each file costs a round trip. So each page has one file of scripts and one of styles.
Their names contain a hash of their content, and browsers cache them for good. A script that a page marks as
`async` stays separate, since it can't wait for the rest. The unbundled files stay as they are, for reading
and debugging.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import strike_look

PAGE = Path(__file__).parent / "page"
_FOLDERS = {"/static/": PAGE, "/play/": PAGE / "player", "/owlbear/": PAGE / "owlbear"}
MADE = {
    "look.css": strike_look.colour_variables_and_components_css().encode(),
    "look.js": strike_look.colours_and_dice_script().encode(),
}
"""Generated files of the page, by their names under /static/."""
_IMPORT = re.compile(r'^import \{([\w\s,]+)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?:(?:async )?function|class|const) (\w+)|^export \{([\w\s,]+)\};\n", re.MULTILINE
)
_DECLARED = re.compile(r"^(?:export )?(?:(?:async )?function|class|const|let) (\w+)", re.MULTILINE)
_UNKNOWN = re.compile(r"^(?:import|export|await)\b.*|\bimport(?:\.meta|\().*", re.MULTILINE)
_COMMENT = re.compile(
    r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n|(?<=[;{},)]) // [^\n`\"']*$", re.MULTILINE
)
_COMPILED_EARLY = "//# allFunctionsCalledOnLoad\n"
"""Has Chromium compile a script while it loads, beside the page, instead of each function when called."""
_LINK = re.compile(r'^ *<link rel="stylesheet" href="([^"]+)"(?: media="([^"]+)")?>\n', re.MULTILINE)
_SCRIPT = re.compile(r'(<script type="module"( async)?[^>]* src=")([^"]+)')


class Asset(NamedTuple):
    """A file ready to be sent: its bytes, a compressed copy, and its hash.

    The copy is None if it would be hardly smaller than the file.
    """

    content: bytes
    compressed: bytes | None
    hash: str


def make_asset(content: bytes) -> Asset:
    """Return a file's content with its hash and, if that is clearly smaller, a compressed copy."""
    compressed = gzip.compress(content, 9, mtime=0)
    smaller = compressed if len(compressed) < 0.9 * len(content) else None
    return Asset(content, smaller, hashlib.sha256(content).hexdigest())


@functools.cache
def build_pages_and_bundles() -> dict[str, Asset]:
    """Return the bundled files by name.

    They are `index.html`, `player/index.html`, and the files under /static/ to which these two refer. Raises
    ValueError for an unknown form of import or export, for circular imports, and for a name that a module
    declares twice.
    """
    assets: dict[str, Asset] = {}
    for page in ("index.html", "player/index.html"):
        text = (PAGE / page).read_text(encoding="utf-8")
        name = "player" if "/" in page else "table"
        style = "".join(_style_with_imports(address, media) for address, media in _LINK.findall(text))
        style = re.sub(
            r'url\("/static/([\w-]+)\.(woff2|svg)"\)',
            lambda found: f'url("{_store_page_file(assets, found[1], found[2], found[0][5:-2])}")',
            style,
        )
        sheet = _store_hashed_and_get_address(assets, name, "css", style.encode())
        text = _LINK.sub("", text).replace(
            "<script", f'<link rel="stylesheet" href="{sheet}">\n    <script', 1
        )
        assets[page] = make_asset(_bundle_scripts(assets, text).encode())
    return assets


def read_page_file(address: str) -> bytes:
    """Return one of the page's files by its address, such as /play/link.js.

    Raises KeyError if there is none.
    """
    folder, _, name = address.rpartition("/")
    if folder == "/static" and name in MADE:
        return MADE[name]
    place = _FOLDERS[f"{folder}/"]
    if name not in os.listdir(place) or not (place / name).is_file():
        raise KeyError(address)
    return (place / name).read_bytes()


def _store_hashed_and_get_address(assets: dict[str, Asset], name: str, kind: str, content: bytes) -> str:
    """Add a file to `assets` under a name that contains its hash, and return its address."""
    made = make_asset(content)
    hashed = f"{name}-{made.hash[:16]}.{kind}"
    assets[hashed] = made
    return f"/static/{hashed}"


def _store_page_file(assets: dict[str, Asset], name: str, kind: str, address: str) -> str:
    return _store_hashed_and_get_address(assets, name, kind, read_page_file(address))


def _bundle_scripts(assets: dict[str, Asset], page_html: str) -> str:
    """Bundle the scripts of a page, and return the page with the addresses of the bundles."""
    addresses: dict[str, str] = {}
    # Separate modules come first: the bundle imports them by their addresses.
    for _, is_apart, entry in sorted(_SCRIPT.findall(page_html), key=lambda found: not found[1]):
        joined = _script_refusing_imports(entry) if is_apart else bundle_script(entry, addresses)
        addresses[entry] = _store_hashed_and_get_address(
            assets, PurePosixPath(entry).stem, "js", joined.encode()
        )
    return _SCRIPT.sub(lambda found: found[1] + addresses[found[3]], page_html)


def _style_with_imports(address: str, media: str = "") -> str:
    """Return a style sheet with its imports included and without comments.

    It is wrapped in `@media` if `media` is given.
    """
    text = re.sub(r"/\*.*?\*/", "", read_page_file(address).decode(), flags=re.DOTALL)
    folder = address.rpartition("/")[0]
    text = re.sub(
        r'@import url\("([\w.-]+)"\);', lambda found: _style_with_imports(f"{folder}/{found[1]}"), text
    )
    text = re.sub(r"(?<=[{};,])\n", "", re.sub(r"\s*\n\s*", "\n", text))
    return f"@media {media} {{\n{text}}}\n" if media else text


def _script_refusing_imports(address: str) -> str:
    """Return the script of a module that stays outside the bundle.

    Raises ValueError if the module imports another module.
    """
    text = _COMMENT.sub("", read_page_file(address).decode())
    if imports := re.search(r"^import\b.*", text, re.MULTILINE):
        raise ValueError(f"{address} can't stay by itself: {imports[0]}")
    return text


def bundle_script(entry: str, separate: Mapping[str, str] | None = None) -> str:
    """Return one script made of a module and everything that it imports.

    Each module becomes a function that returns the module's exports. `separate` has the new addresses of
    imported modules that stay separate.
    """
    names = {address: f"module{number}" for number, address in enumerate(separate or ())}
    others = [
        f'import * as {names[address]} from "{place}";\n' for address, place in (separate or {}).items()
    ]
    return "".join([_COMPILED_EARLY, *others, *_wrap_new_modules(entry, names, ())])


def _wrap_new_modules(address: str, names: dict[str, str], within: tuple[str, ...]) -> Iterator[str]:
    if address in within:
        raise ValueError(f"{address} imports itself: {' -> '.join((*within, address))}")
    if address in names:
        return
    text = _COMMENT.sub("", read_page_file(address).decode())
    folder = address.rpartition("/")[0]
    bound: dict[str, str] = {}  # the addresses of its imports
    for _, source in _IMPORT.findall(text):
        bound[source] = source if source.startswith("/") else f"{folder}/{source.removeprefix('./')}"
        yield from _wrap_new_modules(bound[source], names, (*within, address))
    names[address] = f"module{len(names)}"

    def bind_import(match: re.Match[str]) -> str:
        return f"const {{{match[1].replace(' as ', ': ')}}} = {names[bound[match[2]]]};\n"

    exported = [name for one, several in _EXPORT.findall(text) for name in (one, several.strip()) if name]
    body = _IMPORT.sub(bind_import, text)
    body = _EXPORT.sub(lambda found: found[0].removeprefix("export ") if found[1] else "", body)
    if unknown := _UNKNOWN.search(body):
        raise ValueError(f"{address} can't be joined: {unknown[0].strip()}")
    declared = _DECLARED.findall(text)
    if twice := [name for name in declared if declared.count(name) > 1]:
        raise ValueError(f"{address} can't be joined: it declares {twice[0]} twice")
    body = re.sub(r"^\s+", "", body, flags=re.MULTILINE)  # no text of the page spans lines
    yield f"const {names[address]} = (() => {{\n{body}return {{{', '.join(exported)}}};\n}})();\n"
