"""What comes out of a printer: a browser makes the PDF, and its pages are measured."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.cli import Strike

from .browsing import expect, watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
POINT = 25.4 / 72
"""Millimetres."""


def test_a_card_is_as_large_as_its_paper(in_campaign: Strike, browser: Browser, tmp_path: Path) -> None:
    """One on each page."""
    file = tmp_path / "cards.html"
    in_campaign(f"card goblin vex --out '{file}' --paper a6")
    page = browser.new_page()
    page.goto(file.as_uri())
    printed = page.pdf(prefer_css_page_size=True)
    page.close()
    sizes = [tuple(map(float, box.split())) for box in re.findall(rb"/MediaBox \[0 0 ([^\]]*)\]", printed)]
    assert len(sizes) == 2
    for width, height in sizes:
        assert (width * POINT, height * POINT) == pytest.approx((105, 148), abs=0.5)


def test_a_dark_page_prints_light(page: Page, staged: Any) -> None:
    staged.result()
    page.emulate_media(color_scheme="dark")
    watch(page, staged)
    page.emulate_media(color_scheme="dark", media="print")
    try:
        expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
        expect(page.locator(".card-text").first).to_have_css("color", "rgb(0, 0, 0)")
    finally:
        page.emulate_media(media="screen")
