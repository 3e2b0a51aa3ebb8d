"""The pictures that come with the example campaign."""

from __future__ import annotations

import tomllib

from strike_cli.campaign.create import example_file_path, read_example_subfolder_files
from strike_cli.tabletop.campaign_pictures import picture_size


def test_maps_are_drawn_for_the_squares_that_they_lie_under() -> None:
    """And every picture that the example names is there."""
    example, files = tomllib.loads(example_file_path().read_text("utf-8")), read_example_subfolder_files()
    for kind in ("characters", "creatures", "encounters"):
        assert {one["image"] for one in example[kind].values() if "image" in one} <= files.keys()
    for encounter in example["encounters"].values():
        rows = encounter["map"].strip("\n").splitlines()
        width, height = picture_size(files[encounter["image"]])
        assert (width / height) == (max(map(len, rows)) / len(rows))
