"""`strike fight`: a fight at once, with an encounter, with creatures, or with made-up people."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import MADE_UP
from strike_cli.problems import Usage, listed
from strike_cli.terminal.argument_completions import FREE, Metavar
from strike_cli.terminal.command_output import Block, Result, performed_result
from strike_cli.terminal.commands_and_options import Command, Options, StrikeCommand, new_app
from strike_cli.terminal.made_up_content import (
    MadeUpContent,
    NobodyOfThatName,
    capitalize_name,
    is_new_name_unlike_any_known,
    made_up_creature_options,
    refuse_numbers_for_known_name,
    split_count,
)
from strike_cli.terminal.move_commands import TwoReadings, must_be_playable_in_campaign_if_any, play_move
from strike_cli.terminal.name_lookup import find_id_if_any, must_find_named_or_all_characters, without_the
from strike_cli.terminal.unquoted_names import meanings_of_unquoted_names

from . import argument_completions

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.content.merged_content import Book
    from strike_cli.registry.system_declaration import System

app = new_app()
MOST = 50
"""The most creatures of a kind in a fight."""
LARGEST, SMALLEST = 60, 4
"""The largest and the smallest side of a made-up map, in squares."""


def fight(
    options: Options, names: Sequence[str] = (), map_: str = "12x8", system: str = "", **typed: object
) -> Result:
    """Begin a fight now, against an encounter or against creatures that you name.

    Each word names an encounter, a creature or a character. Any other word makes up a new creature, with the
    numbers of `creature add` or those of the options. `goblin:4` means four goblins. The characters that you
    name are the party. If you name none, everybody is in the party. If you name no encounter, the sides face
    each other on an empty map, if the game has maps.

    Example: `strike fight stoker:2 goblin`
    """
    with options.open_campaign(writing=True) as campaign:
        game, names = _find_game(campaign, system), [word for each in names if (word := each.rstrip(","))]
        if not names:
            raise Usage("A fight against whom?", "`strike fight stoker:2` makes up two.")
        new = bool(typed.pop("new", False))
        names = names if new else _join_names(campaign, names)
        lineup = _Lineup(campaign, game, names, new=new)
        like = str(typed.pop("like", ""))
        if not lineup.new:
            refuse_numbers_for_known_name({**typed, "like": like}, names[0])
        more = MadeUpContent(campaign, game)
        for ref, count in zip(more.make_creatures(lineup.new, typed, like), lineup.new.values(), strict=True):
            lineup.creatures[ref] = lineup.creatures.get(ref, 0) + count
        has_map = game.name == "combat" or bool(game.scene.measure)
        party = must_find_named_or_all_characters(campaign, lineup.party)
        encounter = lineup.encounter or more.make_encounter(
            listed([capitalize_name(split_count(name)[0]) for name in names]),
            _read_map_size(map_) if has_map else None,
            len(party),
        )
        return _begin_fight(options, campaign, game, encounter, lineup, more)


def _begin_fight(
    options: Options, campaign: Campaign, game: System, encounter: str, lineup: _Lineup, more: MadeUpContent
) -> Result:
    from strike_cli.registry.installed_plugins import import_object
    from strike_cli.sim.simulation_hooks import Lineup, SimulationRules
    from strike_cli.tabletop.new_creatures_and_made_up_content import merge_content_and_prune_encounters
    from strike_cli.terminal.name_lookup import scene_if_any
    from strike_cli.terminal.scene_view import map_or_other_scene_blocks

    things = more.compiled_content()
    rules: SimulationRules = import_object(game.absolute(game.simulation.rules))
    world = World(
        campaign.book, {**campaign.state, MADE_UP: merge_content_and_prune_encounters(campaign.state, things)}
    )
    option = rules.begin(world, encounter, Lineup(lineup.party, lineup.creatures))
    must_be_playable_in_campaign_if_any(campaign, option.command)
    performed = play_move(options, campaign, option.command, option.args.but(made_up=things))
    result = performed_result(performed, campaign, explain=options.explain)
    scene = scene_if_any(campaign, game) if performed.seq and performed.pending is None else None
    blocks: list[Block] = (
        [*map_or_other_scene_blocks(scene), [("Next: ", "dim"), ("strike next", "command")]] if scene else []
    )
    result.blocks += blocks
    return result


def _join_names(campaign: Campaign, words: Sequence[str]) -> Sequence[str]:
    """Return the typed words joined into known names, such as `ash moth:2` and `vex`.

    The words come back unchanged if a word isn't part of a known name. Raises TwoReadings if two different
    lists of names are possible.
    """
    book, known = campaign.book, dict[str, str]()
    encounters = {id: str(item["name"]) for id, item in book.encounters.items()}
    people = {id: str(item["name"]) for id, item in book.characters.items()}

    def id_and_count_of_known_name(word: str) -> str:
        name, count = split_count(word)
        refs = _creatures_named(book, name)
        found = find_id_if_any(word, encounters) or (f"{refs[0]}:{count}" if len(refs) == 1 else "")
        if not (found := found or find_id_if_any(word, people) or ""):
            raise Usage(f"Nothing is called {word!r}.")
        known[word] = found
        return found

    try:
        meant = meanings_of_unquoted_names(id_and_count_of_known_name, words)
    except TwoReadings:
        raise
    except Usage:
        return words
    return (
        words
        if {*words} <= {*known}
        else [
            max((each for each in known if known[each] == one), key=lambda each: (len(each), each))
            for one in meant
        ]
    )


class _Lineup:
    """The fighters that the user's typed names mean.

    A name can mean an encounter, a number of creatures, a character, or a new creature.
    """

    def __init__(self, campaign: Campaign, game: System, names: Sequence[str], *, new: bool) -> None:
        self.encounter = ""
        self.creatures: dict[str, int] = {}
        self.party: list[str] = []
        self.new: dict[str, int] = {}
        book = campaign.book
        encounters = {id: str(item["name"]) for id, item in book.encounters.items()}
        strangers = _unknown_names_or_all(campaign, names) if new else set[str]()
        begun = ""
        for word in names:
            found = None if self.encounter or word in strangers else find_id_if_any(word, encounters)
            if found:
                self.encounter = found
                begun = "" if word.lower() in (found, encounters[found].lower()) else word
                continue
            name, count = split_count(word)
            if not 0 < count <= MOST:
                raise Usage(f"{word}: {count} of a kind can't fight.", f"From 1 to {MOST} can.")
            refs = [] if word in strangers else _creatures_named(book, name)
            people = {id: str(item["name"]) for id, item in book.characters.items()}
            if len(refs) > 1:
                book.find("creatures", name)  # raises Usage with the candidates
            if refs:
                self.creatures[refs[0]] = self.creatures.get(refs[0], 0) + count
            elif word not in strangers and (person := find_id_if_any(name, people)):
                self.party.append(person)
            elif word in strangers or is_new_name_unlike_any_known(
                campaign, name, [*encounters, *encounters.values()]
            ):
                self.new[name] = self.new.get(name, 0) + count
            else:
                raise NobodyOfThatName(campaign, name, [*encounters, *encounters.values()])
        if begun and self.new:  # `old stoker` may be somebody, or The Old Kiln and a stoker
            one = encounters[self.encounter]
            raise TwoReadings(
                " ".join(names), [f"one name that begins with {begun!r}", f"{one!r} with {listed(self.new)}"]
            )


def _creatures_named(book: Book, name: str) -> list[str]:
    """Return the ids of the creatures with a name. An article before the name doesn't matter."""
    return book.ids_matching("creatures", name) or book.ids_matching("creatures", without_the(name))


def _unknown_names_or_all(campaign: Campaign, names: Sequence[str]) -> set[str]:
    """Return the names for which --new makes new people: the unknown names, or all if none is unknown."""
    book = campaign.book
    known = {
        name.lower()
        for table in (book.encounters, book.creatures, book.characters)
        for id, item in table.items()
        for name in (id, id.rpartition(":")[2], str(item["name"]))
    }
    return {each for each in names if split_count(each)[0].lower() not in known} or {*names}


def _played_systems_with_fights(campaign: Campaign) -> Iterator[System]:
    """Yield the systems that the campaign plays and that have fights.

    A campaign without a list of systems plays strike's own.
    """
    from strike_cli.registry import installed_plugins, load_usable_systems

    played = campaign.book.systems or installed_plugins.plugin_index().plugins[0].systems
    for each in load_usable_systems(campaign.book.registry):
        begins = each.content.get("encounters")
        if each.name in played and begins and begins.begins and each.simulation.rules:
            yield each


def _find_game(campaign: Campaign, wanted: str) -> System:
    """Return the game of the fight: the `wanted` one, or the only one that the campaign plays.

    Raises Usage if there is no such game, or if several are possible.
    """
    found = {each.name: each for each in _played_systems_with_fights(campaign)}
    if wanted in found or (not wanted and len(found) == 1):
        return found[wanted or next(iter(found))]
    if not found:
        says = f"{campaign.book.name} plays no game with fights."
        raise Usage(says, '`systems = ["combat"]` in campaign.toml names one.')
    said = f"--system {wanted!r}: there is no such game here." if wanted else "A fight of which game?"
    raise Usage(said, f"--system {' or '.join(found)}.")


def _read_map_size(text: str) -> tuple[int, int]:
    wide, _, high = text.lower().partition("x")
    if not (wide.isdecimal() and high.isdecimal()) or not all(
        SMALLEST <= int(side) <= LARGEST for side in (wide, high)
    ):
        raise Usage(
            f"--map {text!r}: not a map size.", f"Columns x rows, from {SMALLEST} to {LARGEST}: 20x12."
        )
    return int(wide), int(high)


def _fight_parameters() -> list[inspect.Parameter]:
    keyword = inspect.Parameter.KEYWORD_ONLY
    words = typer.Argument(
        metavar=argument_completions.FIGHTING.with_text("NAME..."), help="Encounters, creatures, new names."
    )
    size = typer.Option("--map", metavar=FREE.with_text("20x12"), help="The size of an empty map.")
    game = typer.Option("--system", metavar=Metavar("GAME"), help="The game, if the campaign plays several.")
    return [
        inspect.Parameter("names", keyword, annotation=Annotated[list[str], words]),
        inspect.Parameter("map_", keyword, default="12x8", annotation=Annotated[str, size]),
        inspect.Parameter("system", keyword, default="", annotation=Annotated[str, game]),
        *made_up_creature_options(),
    ]


app.command("fight", cls=StrikeCommand)(Command(fight, _fight_parameters, "plays"))
