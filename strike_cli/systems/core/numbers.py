"""The core's tables of numbers, and of the subjects of Skills."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.user_cache import packaged_tables

if TYPE_CHECKING:
    from .data import CoreNumbers, SkillTags


def numbers() -> CoreNumbers:
    """Return the tables of `numbers.toml`."""
    return cast("CoreNumbers", packaged_tables(__package__, "CoreNumbers"))


def skill_tags() -> SkillTags:
    """Return the tables of `tags.toml`: the subjects of Skills, by their names."""
    return cast("SkillTags", packaged_tables(__package__, "SkillTags", "tags"))
