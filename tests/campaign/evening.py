"""A small campaign to play on, and an independent look at what its files hold.

Nothing here asks strike what a journal means: entries are read and folded by a few lines of their own.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
import tomllib
from base64 import b64encode
from hashlib import blake2b
from pathlib import Path
from typing import Any
from zlib import crc32

TEXT = """\
schema = 1
name = "The Causeway"
seed = 11

[characters.vex]
name = "Vex Marlowe"
skills = ["Climbing", "Sneaking"]
complications = ["Wanted in Harrowgate"]
hp = 6
melee = { damage = 3 }
ranged = { damage = 2, range = 5 }
powers = ["flare"]

[characters.brann]
name = "Brann Oxley"
skills = ["Hauling"]
hp = 6
ap = 0
melee = { damage = 2, reach = 2 }
powers = ["hook"]

[creatures.goblin]
name = "Goblin"
hp = 3
melee = { damage = 1 }

[creatures.ox]
name = "Mud Ox"
hp = 6
size = 2
melee = { damage = 3 }
powers = ["trample"]

[powers.flare]
name = "Flare"
range = 5
damage = 2
effect = [{ do = "apply", status = "dazed", duration = "turn-start" }]

[powers.hook]
name = "Hook"
reach = 2
damage = 3
effect = [{ do = "push", amount = 2 }, { do = "heal", amount = 1, to = "self" }]

[powers.trample]
name = "Trample"
usage = "encounter"
reach = 1
damage = 2
effect = [{ do = "apply", status = "ongoing", duration = "save", amount = 1 }]

[encounters.ford]
name = "The Ford"
goal = "Get across"
map = '''
#######
#P.~..#
#.g.O.#
#P.....
'''
place = { P = "party", g = "goblin", O = "ox" }
"""

LONG_AGO = time.time() - 3600


def make(folder: Path, text: str = TEXT) -> Path:
    """The campaign, unplayed. Its files look old, so that what is read of them may be cached at once."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "campaign.toml"
    file.write_text(text, encoding="utf-8")
    os.utime(file, (LONG_AGO, LONG_AGO))
    return folder


def copied(folder: Path, to: Path) -> Path:
    """A copy that shares campaign.toml itself, so that what is cached of it holds for every copy there."""

    def copy(old: str, new: str) -> None:
        (os.link if old.endswith("campaign.toml") else shutil.copy2)(old, new)

    shutil.copytree(folder, to, copy_function=copy)
    return to


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every file's bytes, None for a folder; the lock aside."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.name != ".lock"
    }


def tear(folder: Path) -> None:
    """Leave a line at the journal's end that was cut off."""
    with open(journal_files(folder)[-1], "ab") as file:
        file.write(b'{"seq":5,"at":"2026-')


def move_by_hand(folder: Path) -> None:
    """Put somebody elsewhere in state.toml."""
    edit_state(folder, 'side = "party"\nat = "B2"', 'side = "party"\nat = "B3"')


def lose_state(folder: Path) -> None:
    (folder / "state.toml").unlink()


def journal_files(folder: Path) -> list[Path]:
    return sorted((folder / "journal").glob("*.jsonl"))


def entries(folder: Path) -> list[dict[str, Any]]:
    """Every whole line of the journal, as it stands there."""
    found = []
    for file in journal_files(folder):
        whole, _, _ = file.read_bytes().rpartition(b"\n")
        found += [json.loads(line) for line in whole.splitlines()]
    return found


def torn(folder: Path) -> list[bytes]:
    """What stands in the journal's files after their last whole lines."""
    tails = [file.read_bytes().rpartition(b"\n")[2] for file in journal_files(folder)]
    return [tail for tail in tails if tail]


def timeless(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries without the moment at which they were written, and what is drawn anew for each journal."""
    text = re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\dZ| UTC)", "then", json.dumps(found))
    text = re.sub(r'"after": "[^"]*"', '"after": ""', text)  # a hash of times, too
    text = re.sub(r'"identity": "[^"]*"', '"identity": ""', text)  # drawn at random
    told: list[dict[str, Any]] = json.loads(text)
    return told


def forge(file: Path, data: bytes) -> None:
    """Write a journal's file as somebody would who knows how its lines are linked; state.toml goes by it."""
    lines: list[bytes] = []
    for line in data.splitlines(keepends=True):
        after = _link(lines[-1]) if lines else b""
        lines.append(re.sub(rb'^{"after":"[^"]*"', b'{"after":"' + after + b'"', line))
    file.write_bytes(b"".join(lines))
    state = file.parent.parent / "state.toml"
    text, _, _ = state.read_bytes().rpartition(b'check = "')
    text = re.sub(rb'\nafter = "[^"]*"', b'\nafter = "' + _link(lines[-1]) + b'"', text)
    state.write_bytes(text + f'check = "{crc32(text):08x}"\n'.encode())


def _link(line: bytes) -> bytes:
    return b64encode(blake2b(line, digest_size=16).digest()).rstrip(b"=")


def asked(path: str, after: Any, entry: dict[str, Any], fact: dict[str, Any]) -> Any:
    """A decision that an entry asks, with what stands beside it in the line."""
    if path == "pending":
        return {scene: asked("", item, entry, fact) for scene, item in after.items()}
    beside = {key: entry[key] for key in ("command", "answers", "n")}
    beside |= {key: fact[key] for key in ("who", "options", "about") if key in fact}
    args = {key: value for key, value in entry["args"].items() if value is not None}
    return {"args": args, **beside, **after}


def fold(found: list[dict[str, Any]]) -> dict[str, Any]:
    """The state that entries lead to."""
    state: dict[str, Any] = {}
    for entry in found:
        for fact in entry["facts"]:
            for path, _, after in fact.get("changes", ()):
                if entry.get("pending"):
                    after = asked(path, after, entry, fact)
                *way, last = path.split(".")
                at = state
                for key in way:
                    at = at.setdefault(key, {})
                if after is None:
                    at.pop(last, None)
                else:
                    at[last] = json.loads(json.dumps(after))
    return state


def written_state(folder: Path) -> dict[str, Any]:
    """What state.toml says, its head aside."""
    data = tomllib.loads((folder / "state.toml").read_text(encoding="utf-8"))
    del data["strike"]
    return data


def edit_state(folder: Path, old: str, new: str) -> None:
    """What somebody does with an editor."""
    file = folder / "state.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def faults_found(folder: Path) -> list[str]:
    """What `strike doctor` has to complain of."""
    from strike_cli.campaign.doctor import examine_campaign

    return [finding.what for finding in examine_campaign(folder) if not finding.ok]
