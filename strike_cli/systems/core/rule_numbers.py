"""The core's packaged tables: numbers, and the subjects that the names of Skills suggest."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.user_folders_and_cache import load_checked_packaged_file

if TYPE_CHECKING:
    from .data import CoreNumbers, SkillTags


def numbers() -> CoreNumbers:
    """Return the tables of `numbers.toml`."""
    return cast("CoreNumbers", load_checked_packaged_file(__package__, "CoreNumbers"))


def skill_tags() -> SkillTags:
    """Return the tables of `tags.toml`, which say what a Skill is about.

    The subject of a Skill is found by the beginnings of the words in its name.
    """
    return cast("SkillTags", load_checked_packaged_file(__package__, "SkillTags", "tags"))
