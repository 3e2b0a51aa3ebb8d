"""Draws the pictures of the example campaigns: `python -m website.art` in the checkout, where Playwright and Pillow are.

A browser turns each SVG into pixels: tabletops show no SVG, for it may carry scripts.
"""

from __future__ import annotations

import io
import tomllib
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from . import games, maps
from .portraits import CREATURES, PORTRAITS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "campaign.example"
FACE = 320  # pixels
QUALITY = 72


def _drawn(page: Page, svg: str) -> Image.Image:
    page.set_content(f'<body style="margin:0">{svg}')
    return Image.open(io.BytesIO(page.locator("svg").screenshot()))


def _keep(picture: Image.Image, file: Path) -> None:
    file.parent.mkdir(exist_ok=True)
    picture.convert("RGB").save(file, "WEBP", quality=QUALITY, method=6)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1024} KiB")


def _of_a_game(page: Page, game: str) -> None:
    """Draw the people and the maps of a game's example."""
    example = ROOT / "plugins" / f"strike_{game}" / "example"
    for name, face in games.FACES[game].items():
        _keep(_drawn(page, face()).resize((FACE, FACE)), example / "portraits" / f"{name}.webp")
    written = [example / "campaign.toml", example / "content" / "places.toml"]
    places = {
        key: one
        for file in written
        for key, one in tomllib.loads(file.read_text("utf-8"))["encounters"].items()
    }
    for name, look in games.LOOKS[game].items():
        rows = str(places[name]["map"]).strip("\n").splitlines()
        picture = _drawn(page, maps.draw(name, rows, look))
        _keep(
            picture.resize((picture.width * 2 // 3, picture.height * 2 // 3)),
            example / "maps" / f"{name}.webp",
        )


def main() -> None:
    """Draw all the pictures."""
    written = tomllib.loads((ROOT / "campaign.example.toml").read_text("utf-8"))["encounters"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        for folder, faces in (("portraits", PORTRAITS), ("creatures", CREATURES)):
            for name, face in faces.items():
                _keep(_drawn(page, face()).resize((FACE, FACE)), EXAMPLE / folder / f"{name}.webp")
        for name in maps.LOOKS:
            rows = str(written[name]["map"]).strip("\n").splitlines()
            _keep(_drawn(page, maps.draw(name, rows, maps.LOOKS[name])), EXAMPLE / "maps" / f"{name}.webp")
        for game in games.LOOKS:
            _of_a_game(page, game)
        browser.close()


if __name__ == "__main__":
    main()
