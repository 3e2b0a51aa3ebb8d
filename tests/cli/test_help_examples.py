"""Examples in the helps play as typed: each in a fresh campaign, in the situation that its command is for."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.few_fights import play_few_fights

from strike_cli import registry
from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.cli.app import root_command

UNPLAYED = {
    **dict.fromkeys(("demo", "table", "serve", "mcp"), "serves a page until Ctrl-C"),
    **dict.fromkeys(("play", "watch"), "needs a terminal"),
    **dict.fromkeys(("shell", "tour"), "asks for lines"),
    **dict.fromkeys(("accept", "decline"), "wants a proposal from a phone"),
    "bridge": "tells a tabletop, and there is none",
    "sim play": "wants a run in the same folder, as docs/sim.md has it",
}
"""Commands whose examples no test can play here, and why: tests of their own start them."""
GAMES = ("grit", "karma", "momentum")
"""Groups of commands whose examples are about the example of that system."""
ORDER = "combat initiative --dice 6,5,4,3,2,2,2,2,2,1"
FORD = ("combat start ford", ORDER, "combat turn")
NEAR = (*FORD, "combat place vex G4")
COUNCIL = ("conflict start lamp-council",)
ROADS = ("chase start causeway",)
WINDED = ("condition add vex winded",)
FRAYED = ('flaw add vex "black rope" --text frayed',)
THREE_EVENINGS = ("session start", *("session end", "session start") * 2)
OWED = ('favor add odo "Eel smokers" --text "a night"',)
BESIDE = ("grit start bridge", "override grit.people.sam.at M4 --why example")
WRECK = ("karma start wreck --first ana",)
DELAYED = (*WRECK, 'karma delay ana --segments 1 --what "a fog"', "karma pass bo")
ROUND = (
    "conflict oppose total-defense",
    "conflict act vex progress",
    "conflict act brann block",
    "conflict act odo calculated-risk --skill Cooking",
    "conflict act sela observe --skill Tracking",
)
HIT = ("conflict start lamp-council --team vex brann odo sela", *ROUND, "conflict roll --dice 4,2,3,5")
WAITING = (*WRECK, 'karma when ana --if "he goes for his gun" --what "shoots him"')
LOST = (
    *COUNCIL,
    "override conflict.ours.strikes 4 --why example",
    *(f"conflict act {who} pass" for who in ("vex", "brann", "sela", "odo")),
    "conflict oppose progress",
    "conflict roll --dice 1,1,6,6",
)
PLAYED = (
    WRECK[0],
    *(
        line
        for who, then in pairwise(("ana", "bo", "cy", "bailiff", "rakers"))
        for line in (f"karma act {who} --what waits", f"karma pass {then}")
    ),
    *("karma act rakers --what waits", "karma pass rakers") * 2,
    "karma act rakers --what waits",
    "karma pass ana",
)
GATE = ("momentum start gate", "momentum initiative", "momentum turn")
RUNA = (*GATE, "momentum next", "momentum next", "momentum teleport runa K4")
OF_GROUPS: dict[str, tuple[str, ...]] = {
    "combat": NEAR,
    "conflict": COUNCIL,
    "chase": (),
    "grit": (),
    "karma": (),
    "momentum": RUNA,
    "combat door close": (*FORD, "combat door open M6"),
    "combat fog": (*FORD, "combat fog on", "combat fog cover C3:F6"),
    "grit door": ("grit start gallery",),
    "karma door": ("karma start sluice --first ana",),
    "momentum door": GATE,
    "grit fog": ("grit start bridge", "grit fog on", "grit fog cover C3:D4"),
    "karma fog": ("karma start sluice --first ana", "karma fog on", "karma fog cover C3:D4"),
    "momentum fog": (*GATE, "momentum fog on", "momentum fog cover C3:D4"),
}
"""What is played before the example of a group itself."""
HOUSE = {"grit settle": {"combine_direct_damage = false": "combine_direct_damage = true"}}
"""House rules that examples are about."""
FILES = {
    "prep.strike": "roll die 2d6\n",
    "evening.strike": "roll die 2d6\n",
    "monsters.csv": "name,tier\nBog King,champion\n",
    "my-monsters.toml": "conditions.chilled = { name = 'Chilled', severity = 'minor' }\n",
}
"""Files that examples speak of."""
SITUATIONS: dict[str, tuple[str, ...]] = {
    "combat": FORD,
    "conflict": COUNCIL,
    "chase": ROADS,
    "grit": ("grit start bridge",),
    "karma": WRECK,
    "momentum": GATE,
    "odds attack": NEAR,
    "odds grit": BESIDE,
    "odds karma": WRECK,
    "odds karma complete": DELAYED,
    "odds karma trigger": WAITING,
    "odds momentum": RUNA,
    "session end": ("session start",),
    "restore": ("backup ../lantern.zip",),
    **dict.fromkeys(("session report", "session story"), THREE_EVENINGS),
    "choose": (*NEAR, "combat attack vex goblin-1 --power lantern-flare --dice 3"),
    "combat choose": (*NEAR, "combat attack vex goblin-1 --power lantern-flare --dice 3"),
    "creature keep": ("fight stoker:2 goblin",),
    "undo": ("ap give vex", "ap give odo"),
    "redo": ("ap give vex", "undo"),
    "scene end": ("scene begin ford",),
    "scene use": FORD,
    "handout hide": ("handout show warrant",),
    "condition remove": WINDED,
    "recover": WINDED,
    "rest": WINDED,
    "skill forget": ("skill learn vex Swimming",),
    "flaw use": FRAYED,
    "flaw mend": FRAYED,
    "favor associate": OWED,
    "favor repay": OWED,
    "favor overdue": OWED,
    "bonus drop": ("bonus bank vex Sneaking",),
    "fallback": ('advance level-up vex --fallback "sheer stubbornness"',
        "roll skill vex Climbing --dice 1 --choose keep --cost waive"),
    "advance trick": ("roll skill vex Climbing --dice 5",) * 6,
    "wealth pool": ("wealth cash add vex 1", "wealth cash add odo 1"),
    "wealth invest": ("wealth cash add vex 3",),
    "wealth recover": ("condition add vex short", "wealth cash add vex 1"),
    "combat attack": NEAR,
    "combat start": (),
    "combat initiative": ("combat start ford",),
    "combat turn": FORD[:2],
    "combat stand": (*FORD, "combat status add vex prone --ends permanent"),
    "combat hide": FORD,
    "combat reveal": (*FORD, "override fight.combatants.lamp-thief.hidden true --why example"),
    "combat use": (*FORD, "combat damage vex 3", "override fight.active odo --why example"),
    "combat charge": (*FORD, "combat next", "combat place goblin-2 F2"),
    "combat rally": (*FORD, "combat damage vex 3"),
    "combat assess": (*FORD, "combat next", "combat next"),
    "combat improvise": NEAR,
    "combat escape": (*FORD, "combat status add vex grabbed --by goblin-1 --ends escape"),
    "combat trigger": (*NEAR, 'combat prepare vex --trigger now --then "attack goblin-1"', "combat next"),
    "combat resume": (*FORD, "combat delay vex", "combat next", "combat end-turn"),
    "combat auto": (*FORD, "override fight.active goblin-1 --why example"),
    "combat heal": (*FORD, "combat damage vex 5"),
    "combat finish": (*FORD, "combat damage g1 g2 g3 g4 g5 lamp-thief 8"),
    "combat return": (*FORD, "combat park"),
    "combat zone remove": (*FORD, 'combat zone add "Burning oil" C3:D4 --damage 2'),
    "combat status remove": (*FORD, "combat status add goblin-1 prone --ends permanent"),
    "conflict start": (),
    "conflict scout": (*HIT, "conflict hit ours strike", "conflict hit ours friends"),
    **dict.fromkeys(("conflict next", "conflict roll"), (HIT[0], *ROUND)),
    "conflict hit": HIT,
    "conflict avert": LOST,
    "conflict concede": COUNCIL,
    "conflict end": (LOST[0], "override conflict.ours.strikes 2 --why example", *LOST[2:]),
    "chase start": (),
    "chase predict": (*ROADS, "chase run flee"),
    **dict.fromkeys(("chase next", "chase roll"), (*ROADS, "chase run flee", "chase predict flee")),
    "chase danger": (*ROADS, "chase run flee", "chase predict hide", "chase roll --dice 4,3,2"),
    "grit start": (),
    "grit attack": BESIDE,
    "grit settle": (*BESIDE, "override grit.people.troll.grit 0 --why example",
        "grit attack sam troll --with dagger --dice 6"),
    "grit trap": (),
    "grit mend": ("grit trap sam --save str --dice 1",),
    "grit aid": ("grit start bridge", "grit hurt sam 30 --direct"),
    "grit rest": (),
    "grit hour": (),
    "grit door": ("grit start gallery",),
    "grit door close": ("grit start gallery", "grit door open H3"),
    "karma door": ("karma start sluice --first ana",),
    "karma door close": ("karma start sluice --first ana", "karma door open L4"),
    "momentum door close": (*GATE, "momentum door open K1"),
    **{
        f"{game} {command}": (*begun, *before)
        for game, begun, who in (
            ("grit", ("grit start bridge",), "sam"),
            ("karma", ("karma start sluice --first ana",), "ana"),
            ("momentum", GATE, "runa"),
        )
        for command, before in {
            "reveal": (f"{game} hide {who} --now",),
            "return": (f"{game} park",),
            **({} if game == "karma" else {"place": ()}),
            "set": (),
            "zone": (),
            "zone remove": (f"{game} zone add Fire C3:D4",),
            "fog on": (),
            "fog off": (f"{game} fog on",),
            "fog lift": (f"{game} fog on", f"{game} fog cover C3:D4"),
            "fog cover": (f"{game} fog on",),
        }.items()
    },
    "karma start": (),
    "karma pass": (*WRECK, "karma act ana"),
    "karma complete": DELAYED,
    "karma trigger": WAITING,
    "karma abandon": DELAYED,
    **dict.fromkeys(("karma next", "karma round"), PLAYED),
    "momentum start": (),
    "momentum initiative": GATE[:1],
    "momentum turn": GATE[:-1],
    "momentum resume": (*RUNA, "momentum hold", "momentum turn", "momentum end-turn"),
    "odds momentum act": (*GATE, "momentum teleport ilse L2"),
    "momentum act": (*GATE, "momentum teleport ilse L2"),
    "momentum attack": RUNA,
    "momentum cinematic": RUNA,
    "momentum rest": (*GATE, "momentum hurt runa 5", "momentum end won"),
    "momentum status remove": (*GATE, "momentum status add runa prone"),
    "momentum use": GATE,
    "odds momentum use": GATE,
    "map import": ("map export old-mill.uvtt ford",),
    "combat door close": (*FORD, "combat door open M6"),
    **dict.fromkeys(("combat fog", "combat fog off"), (*FORD, "combat fog on")),
    "combat fog on": FORD,
    "combat fog lift": (*FORD, "combat fog on", "combat fog cover C3:F6"),
    "combat fog cover": (*FORD, "combat fog on"),
    "clock": ('clock add "The flood" 4',),
    "clock add": (),
    "clock tick": ('clock add "The river rises" 4',),
    "clock remove": ('clock add "The river rises" 4',),
}  # fmt: skip
"""What is played before the examples of a command, or of a group of them."""


def examples() -> Iterator[tuple[str, str]]:
    """Every example in the helps that are shown, once, and the command that it is for."""
    seen = set[str]()
    for group in registry.command_apps_by_group():
        for path, text in helps(root_command().get_command(None, group), group):
            found = re.findall(r"`(strike [^`]+)`", " ".join(text.partition("Example: ")[2].split()))
            assert any(example.startswith(f"strike {path}") for example in found), path
            for example in found:
                if example not in seen:
                    seen.add(example)
                    yield path, example


def helps(command: Any, path: str) -> Iterator[tuple[str, str]]:
    yield path, command.help or ""
    for name, inner in getattr(command, "commands", {}).items():
        yield from helps(inner, f"{path} {name}")


class Situations:
    """Campaigns that were brought into a situation, copied for each example."""

    def __init__(self, strike: Strike, folder: Path) -> None:
        self._strike = strike
        self._folder = folder
        self._ready: dict[tuple[str, tuple[str, ...]], Path] = {}
        self._copies = 0

    def fresh(self, path: str) -> Path:
        """A campaign in the situation of a command."""
        words = path.split()
        names = [" ".join(words[:count]) for count in range(len(words), 0, -1)]
        before = (
            OF_GROUPS[path]
            if path in OF_GROUPS
            else next((SITUATIONS[name] for name in names if name in SITUATIONS), ())
        )
        system = next((name for name in words[:2] if name in GAMES), "")
        key = (system, before)
        if key not in self._ready:
            made = create_campaign_folder(self._folder / f"made-{len(self._ready)}", system=system)
            for name, text in FILES.items():
                (made / name).write_text(text, encoding="utf-8")
            sheet = made / "campaign.toml"
            rules = sheet.read_text(encoding="utf-8")
            for no, yes in HOUSE.get(path, {}).items():
                assert no in rules
                rules = rules.replace(no, yes)
            sheet.write_text(rules, encoding="utf-8")
            os.chdir(made)
            for line in before:
                ran = self._strike(line, None)
                assert ran.code in (0, 6), f"{path}: before its example `{line}`: {ran.out}{ran.err}"
            self._ready[key] = made
        self._copies += 1
        return Path(shutil.copytree(self._ready[key], self._folder / f"copy-{self._copies}"))


def test_every_help_has_an_example_of_its_command() -> None:
    assert list(examples())


@pytest.mark.slow
def test_examples_of_helps_play(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is refused, and each is about the command that it stands with."""
    monkeypatch.setenv("STRIKE_CAMPAIGN", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(Campaign, "_configured_or_random_seed", lambda campaign: 1)
    play_few_fights(monkeypatch)
    situations, wrong = Situations(strike, tmp_path), []
    for path, example in examples():
        words = shlex.split(example)[1:]
        if words[0] in UNPLAYED or path in UNPLAYED:
            continue
        monkeypatch.chdir(situations.fresh(path))
        ran = strike(shlex.join(words), None)
        if ran.code not in (0, 6):
            wrong.append(f"{path}: `{example}` ends with {ran.code}:\n{ran.out}{ran.err}")
    assert not wrong, "\n".join(wrong)
