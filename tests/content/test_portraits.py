"""Which pictures a character or a creature may have, and what doctor says of the others."""

from __future__ import annotations

from pathlib import Path

from support.cases import case
from support.evening import PNG, Evening
from support.links import link

from strike_bridge.picture_files import PictureSources
from strike_cli.campaign.doctor import examine_campaign
from strike_cli.tabletop.campaign_pictures import LARGEST, LARGEST_MAP, can_name_picture


def test_a_picture_is_a_file_of_the_campaign_or_an_https_address() -> None:
    for image, well in (
        ("portraits/vex.png", True), ("vex.JPEG", True), ("https://pictures.example/vex", True),
        ("../vex.png", False), ("/etc/vex.png", False), ("a//vex.png", False), ("vex.svg", False),
        ("http://pictures.example/vex.png", False), ("https:///vex.png", False), ("a\\vex.png", False),
        ("https://key@pictures.example/vex.png", False), ("", False),
    ):  # fmt: skip
        with case(image, well):
            assert can_name_picture(image) is well


def test_a_picture_too_large_for_a_creature_may_be_a_maps(tmp_path: Path) -> None:
    """In either order: the limits don't take each other's answer."""
    (tmp_path / "mill.png").write_bytes(PNG + bytes(LARGEST))
    for limits in ((LARGEST, LARGEST_MAP), (LARGEST_MAP, LARGEST)):
        pictures = PictureSources(tmp_path)
        for largest in limits:
            assert (pictures.image_reference("mill.png", largest) is None) is (largest == LARGEST)


def test_doctor_names_what_no_tabletop_will_show_and_play_looks_at_none_of_it(tmp_path):
    evening = Evening(tmp_path / "ferry")
    outside = tmp_path / "outside.png"
    outside.write_bytes(PNG)
    link(evening.folder / "link.png", outside)
    evening.picture("characters.vex", "gone.png")
    evening.picture("characters.brann", "link.png")
    evening.picture("creatures.goblin", "faces/goblin.jpg", PNG)
    evening.picture("creatures.lurker", "faces/lurker.png", PNG + bytes(5 * 1024 * 1024))
    evening.start()
    said = [finding.what for finding in examine_campaign(evening.folder) if not finding.ok]
    assert said == [
        "characters.vex.image: gone.png is not there",
        "characters.brann.image: link.png is outside the campaign's folder",
        "creatures.goblin.image: faces/goblin.jpg is not a jpeg, despite its name",
        "creatures.lurker.image: faces/lurker.png has 5.0 MiB, and 4 are allowed",
    ]
