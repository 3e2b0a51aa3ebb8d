"""Draws the pictures of the example campaigns: `python -m website.art` in the checkout, where Playwright and Pillow are.

A browser turns each SVG into pixels: tabletops show no SVG, for it may carry scripts.
"""

from __future__ import annotations

import io
import tomllib
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from . import map_art, other_games_art
from .portraits import CREATURES, PORTRAITS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "campaign.example"
FACE = 320  # pixels
QUALITY = 72


def _render_svg(page: Page, svg: str) -> Image.Image:
    page.set_content(f'<body style="margin:0">{svg}')
    return Image.open(io.BytesIO(page.locator("svg").screenshot()))


def _save_webp(picture: Image.Image, file: Path) -> None:
    file.parent.mkdir(exist_ok=True)
    picture.convert("RGB").save(file, "WEBP", quality=QUALITY, method=6)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1024} KiB")


def _draw_game_art(page: Page, game: str) -> None:
    """Draw the people and the maps of a game's example."""
    example = ROOT / "plugins" / f"strike_{game}" / "example"
    for name, face in other_games_art.FACES[game].items():
        _save_webp(_render_svg(page, face()).resize((FACE, FACE)), example / "portraits" / f"{name}.webp")
    written = [example / "campaign.toml", example / "content" / "places.toml"]
    places = {
        key: one
        for file in written
        for key, one in tomllib.loads(file.read_text("utf-8"))["encounters"].items()
    }
    for name, look in other_games_art.LOOKS[game].items():
        rows = str(places[name]["map"]).strip("\n").splitlines()
        picture = _render_svg(page, map_art.draw_map(name, rows, look))
        _save_webp(
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
                _save_webp(_render_svg(page, face()).resize((FACE, FACE)), EXAMPLE / folder / f"{name}.webp")
        for name in map_art.LOOKS:
            rows = str(written[name]["map"]).strip("\n").splitlines()
            _save_webp(
                _render_svg(page, map_art.draw_map(name, rows, map_art.LOOKS[name])),
                EXAMPLE / "maps" / f"{name}.webp",
            )
        for game in other_games_art.LOOKS:
            _draw_game_art(page, game)
        browser.close()


if __name__ == "__main__":
    main()
