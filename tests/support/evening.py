"""A campaign in a folder that is played by name, for whoever tells of it: the bridge, the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from strike_cli.campaign import Campaign
from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import apply_changes
from strike_cli.play.command_execution import PlaySettings, perform_command

from .told import as_json

CAMPAIGN = """\
schema = 1
name = "The Ferry"
seed = 7

[characters.vex]
name = "Vex"
[characters.brann]
name = "Brann"

[creatures.goblin]
name = "Goblin"
hp = 4
[creatures.lurker]
name = "Reed Lurker"
hidden = true
hp = 6

[encounters.ford]
name = "The Ford"
goal = "Get across"
map = '''
P..g....
P..g..L.
........
'''
place = { P = "party", g = "goblin", L = "lurker" }

[encounters.mill]
name = "The Mill"
map = "P.P.g"
place = { P = "party", g = "goblin" }

[bridge.targets.table]
kind = "table"
url = "http://127.0.0.1:4747"
"""


PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415478da63502aa8020001c401"
    "0dd50209a60000000049454e44ae426082"
)
"""A picture of one pixel."""


class InFolder:
    """A campaign in a folder, whose commands are taken back and played again."""

    folder: Path

    def undo(self, count: int = 1) -> None:
        with Campaign(self.folder, writing=True) as campaign:
            campaign.undo(count)

    def redo(self, count: int = 1) -> None:
        with Campaign(self.folder, writing=True) as campaign:
            campaign.redo(count)


class Evening(InFolder):
    """A campaign in a folder, played by name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")

    def picture(self, sheet: str, image: str, content: bytes = b"") -> None:
        """Give somebody's sheet a picture, and the folder the file."""
        if content:
            (self.folder / image).parent.mkdir(exist_ok=True)
            (self.folder / image).write_bytes(content)
        self.edit(f"[{sheet}]\n", f'[{sheet}]\nimage = "{image}"\n')

    def start(self, encounter: str = "ford") -> None:
        """A session, and a fight in it with initiative rolled: vex, brann, then the rest."""
        self.play("session start", at="tonight", title="")
        self.play("combat start", encounter=encounter, goal="", party=["vex", "brann"])

    def start_over(self) -> None:
        """The same fight from its beginning, as sheets are now."""
        self.undo()
        self.play("combat start", encounter="ford", goal="", party=["vex", "brann"])

    def play(self, command: str, dice: list[int] | None = None, secret: bool = False, **args: Any) -> int:
        with Campaign(self.folder, writing=True) as campaign:
            came = perform_command(
                campaign, command, args, PlaySettings(dice=dice, secret=secret, note="for the GM alone")
            )
            assert came.seq is not None
            return came.seq

    def roll(self, face: int, secret: bool = False) -> int:
        """A bare die: the shortest command with a result."""
        return self.play("roll die", [face], secret, n=1, sides=6, who="vex")

    def happen(
        self, *facts: tuple[str, str, str, dict[str, Any]], command: str = "combat move", secret: bool = False
    ) -> int:
        """Facts that no rule has made: (kind, who, text, sets)."""
        with Campaign(self.folder, writing=True) as campaign:
            world, made = World(campaign.book, campaign.state), []
            for kind, who, text, sets in facts:
                fact = world.happen(kind, who, text, sets).fact
                made.append(as_json(fact))
                for path, _, after in fact.changes:
                    world.state = _with(world.state, path, after)
            kept = {"secret": True} if secret else {}
            return campaign.commit(command, {}, [], made, world.state, **kept)

    def move(self, who: str, square: str) -> int:
        """Somebody stands elsewhere, and nothing is said about it."""
        return self.change(who, at=square)

    def take_out(self, who: str) -> int:
        """Somebody is Taken Out, and so stands nowhere any more."""
        return self.change(who, hp=-1, out=True, at=None)

    def change(self, who: str, **fields: Any) -> int:
        """Something of somebody in the fight is another, and nothing is said about it."""
        at = f"fight.combatants.{who}"
        return self.happen(("changed", who, "", {f"{at}.{field}": value for field, value in fields.items()}))

    def finish(self) -> int:
        """The fight is over, and off the table."""
        return self.happen(("finished", "", "Over.", {"fight": None}), command="combat finish")

    def edit(self, old: str, new: str) -> None:
        """Write something else into campaign.toml in place of what stands there."""
        file = self.folder / "campaign.toml"
        file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")

    def set_targets(self, text: str) -> None:
        """Write other targets into campaign.toml, its last tables, in place of those that stand there."""
        file = self.folder / "campaign.toml"
        file.write_text(file.read_text("utf-8").partition("[bridge.targets.")[0] + text, "utf-8")


def _with(state: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    return apply_changes(state, [(path, None, value)])
