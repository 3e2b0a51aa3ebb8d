"""What editors, systems and programs that share files leave in a campaign's folder stops no command, and is
named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike
from support.edits import replace_in
from support.thorough import few_of

from strike_bridge.rest.merged_target_table import preset_files, user_presets_folder
from strike_cli.included_and_stray_files import BACKUP, CONFLICT, COPY, HIDDEN, stray_file_kind

LITTER = {
    HIDDEN: """
    .#wolf.toml / ._wolf.toml / .wolf.toml.swp / .DS_Store / .~lock.wolf.toml# /
    .syncthing.wolf.toml.tmp / .nfs00000000017 / .fuse_hidden0000a / .goutputstream-XYZ /
    .wolf.toml.kate-swp / .hidden.toml / .obsidian / .dropbox.attr / .wolf.toml.un~ / .directory
    """,
    BACKUP: """
    wolf.toml~ / wolf.toml.~1~ / #wolf.toml# / wolf.toml.bak / wolf.toml.bak2 / wolf.toml.backup /
    wolf.toml.old / wolf.toml.orig / wolf.toml.rej / wolf.toml.swp / wolf.toml.swo / wolf.toml.tmp /
    wolf.toml.temp / wolf.toml.part / wolf.toml.crdownload / wolf.toml.download / wolf.toml.save /
    wolf.toml.mine / wolf.toml.r12 / wolf_BACKUP_123.toml / wolf_BASE_123.toml / wolf_LOCAL_123.toml /
    wolf_REMOTE_123.toml / wolf.bak.toml / wolf.orig.toml / wolf.old.toml / Thumbs.db / desktop.ini /
    ~$wolf.toml / ~syncthing~wolf.toml.tmp
    """,
    CONFLICT: """
    wolf.sync-conflict-20261128-143000-ABCDEFG.toml / wolf (conflicted copy 2026-11-28).toml /
    wolf (Ana's conflicted copy 2026-11-28).toml / wolf (Case Conflict 1).toml /
    wolf (Unicode Encoding Conflict).toml / wolf (SFConflict ana@x 2026-11-28-14-30-00).toml /
    wolf_conflict-20261128-143000.toml / wolf.Conflict.toml /
    wolf_DiskStation_Nov-28-143000-2026_Conflict.toml / wolf [conflicted].toml /
    wolf (conflict 2026-11-28).toml
    """,
    COPY: """
    wolf - Copy.toml / wolf - Copy (2).toml / Copy of wolf.toml / wolf copy.toml / wolf copy 2.toml /
    wolf (1).toml / wolf(1).toml / wolf (copy).toml / wolf (another copy).toml / wolf (3rd copy).toml /
    wolf - Kopie.toml / Kopie von wolf.toml / wolf-DESKTOP-A1B2C3D.toml / wolf-LAPTOP-9F3K2.toml /
    wolf_copy.toml
    """,
}
OWN = """
    wolf.toml / team-conflict.toml / conflict.toml / the conflict at the ford.toml / wolf 2.toml /
    base.toml / local_heroes.toml / old.toml / copy.toml / photocopy.toml / part 1.toml / Lena (1).toml /
    remote.toml
    """


def names_in(text: str) -> list[str]:
    """The names between slashes."""
    return [name.strip() for name in text.split("/")]


FOLDERS = ("content", "scenes", "handouts", "encounters", "tables", "packs", "journal", ".")


def test_what_a_person_calls_so_belongs_to_the_campaign() -> None:
    own = names_in(OWN)
    assert {name: stray_file_kind(name, own) for name in own} == dict.fromkeys(own, "")
    for kind, names in LITTER.items():
        for name in names_in(names):
            with case(name):
                assert stray_file_kind(name, [name, "wolf.toml"]) == kind


@pytest.mark.parametrize("folder_name", few_of(FOLDERS))
def test_litter_stops_nothing_and_is_named(folder_name: str, in_campaign: Strike, folder: Path) -> None:
    patterns = 'include = ["encounters/*.toml", "tables/*", "*.toml"]\n'
    replace_in(folder / "campaign.toml", "schema = 1\n", f"schema = 1\n{patterns}")
    place = folder / folder_name
    place.mkdir(exist_ok=True)
    (place / "wolf.toml").write_text('[creatures.wolf]\nname = "Wolf"\n' if folder_name != "." else "")
    before = in_campaign.json("doctor", None)["data"]["findings"]
    for names in LITTER.values():
        for name in names_in(names):
            for ending in ("", ".md", ".jsonl"):
                (place / name.replace(".toml", ending or ".toml")).write_bytes(
                    b"\xff <<<<<<< [creatures.wolf]"
                )
    (place / ".#link.toml").symlink_to("gm@table.4242:1")
    (place / "wolf.md").write_text("Wolf")
    (place / "wolf.jsonl").write_text("")
    for words in (
        "roll die d6",
        "status",
        "log",
        "creature show wolf" if folder_name in ("content", "encounters") else "prep",
    ):
        in_campaign(words, None if words == "prep" else 0)
    found = in_campaign.json("doctor", None)["data"]["findings"]
    told = "\n".join(finding["what"] for finding in found)
    names = [name for name in os.listdir(place) if name not in (".lock", ".git")]
    missing = [name for name in names if stray_file_kind(name, names) and f"{name} is " not in told]
    assert missing == []
    assert len(found) >= len(before) + 60


def test_presets_of_one_s_own_are_free_of_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    user_presets_folder().mkdir(parents=True)
    for name in (
        "mine.toml",
        "mine - Copy.toml",
        "._mine.toml",
        "mine.sync-conflict-20261128-143000-ABC.toml",
    ):
        (user_presets_folder() / name).write_text("")
    assert [name for name, file in preset_files().items() if file.parent == user_presets_folder()] == ["mine"]
