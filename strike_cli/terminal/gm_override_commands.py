"""The commands by which the game master overrides rules, such as `hide`.

Every system with people in its scenes has them. A command of the same name that a system declares takes
precedence. Begin with `add_override_commands`.
"""

# Annotations are evaluated as the commands are made: what a word means depends on the system.

import inspect
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ..problems import Refused, Usage, listed
from ..registry.installed_plugins import gm_override_rules_of
from ..registry.system_declaration import System
from ..tabletop.scene import people_table, scene_table_in
from . import argument_completions
from .commands_and_options import StrikeGroup, new_app
from .made_up_content import (
    MadeUpContent,
    NobodyOfThatName,
    is_new_name_unlike_any_known,
    made_up_creature_options,
    refuse_numbers_for_known_name,
    split_count,
)
from .move_commands import ACTOR_WORD, Call, WordParser, plays
from .name_lookup import find_id_by_name, find_id_if_any, nobodys_turn_refusal, scene_if_any
from .unquoted_names import JoinedWords

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..play.command_execution import PerformedCommand
    from ..tabletop.data import SceneKept
    from .command_output import Block


def add_override_commands(
    app: typer.Typer, system: System, wanted: Sequence[str], excluded: Collection[str | None]
) -> None:
    """Add the override commands in `wanted` to a system's app, except those in `excluded`."""
    words = _OverrideParsers(system)
    for name, add in (
        ("reveal", _add_reveal),
        ("hide", _add_hide),
        ("join", _add_join),
        ("leave", _add_leave),
        ("place", _add_place),
        ("set", _add_set),
        ("door", _add_door),
        ("zone", _add_zone),
        ("fog", _add_fog),
        ("park", _add_park),
        ("return", _add_return),
    ):
        if name in wanted and name not in excluded:
            add(app, words)


class _OverrideParsers:
    """The parsers of the override commands' words, for one system's scenes."""

    def __init__(self, system: System) -> None:
        self.name = system.name
        self.system = system
        self.person = WordParser(self._parse_person, self._people_present)
        self.actor = WordParser(self._parse_person, self._people_present, whose_turn=self._active_person)
        self.newcomer = WordParser(
            self._refuse_unknown_newcomer_if_unquoted, self._returnable_and_everybody_in_book
        )
        self.meter = WordParser(self._parse_meter, self._names_of_settable_meters_by_id)
        self.zone = WordParser(self._parse_zone, self._zone_names_by_id)
        self.parked_scene = WordParser(self._parse_parked_scene, self._parked_scene_names_by_id)

    def _people_present(self, campaign: "Campaign") -> Iterable[str]:
        scene = scene_if_any(campaign, self.system)
        return [person for person, one in scene.people.items() if not one.out] if scene else []

    def _active_person(self, campaign: "Campaign") -> str | None:
        scene = scene_if_any(campaign, self.system)
        active = scene.order.active if scene and scene.order else None
        return active if scene and active in scene.people else None  # a side may have the turn

    def _parse_person(self, call: Call, name: str) -> str:
        from .battlemap.labels_and_marks import map_labels

        scene = scene_if_any(call.required_campaign, self.system)
        if scene is None:
            return name  # the move says that there is none
        if name == ACTOR_WORD:
            active = scene.order.active if scene.order else None
            if active not in scene.people:
                raise nobodys_turn_refusal(scene.key, active, scene.people.values())
            return str(active)
        table = {person: one.name for person, one in scene.people.items()}
        return find_id_by_name(name, table, "person", f" in {scene.name}", lambda: map_labels(scene))

    def _returnable_and_everybody_in_book(self, campaign: "Campaign") -> Iterable[str]:
        book = campaign.book
        return dict.fromkeys(
            [
                *self._names_of_returnable_people_by_id(campaign),
                *book.characters,
                *(ref.rpartition(":")[2] for ref in book.creatures),
            ]
        )

    def _names_of_returnable_people_by_id(self, campaign: "Campaign") -> Mapping[str, str]:
        """Return the names of people who have left the scene but may come back, by id."""
        table: SceneKept = scene_table_in(campaign.state, self.system.scene.key) or {}
        gone = gm_override_rules_of(self.system).gone_for_good
        people = people_table(table, self.system.scene.people)
        return {
            person: one["name"] for person, one in people.items() if "out" in one and one["out"] not in gone
        }

    def _refuse_unknown_newcomer_if_unquoted(self, call: Call, word: str) -> str:
        """Check the typed name of a newcomer, and return it unchanged, so that `join` can read it later.

        Raises NobodyOfThatName for an unknown name of several words without quotes.
        """
        if isinstance(word, JoinedWords) and self.find_newcomer(call, split_count(word)[0]) is None:
            raise NobodyOfThatName(call.required_campaign, word)
        return str(word)

    def find_newcomer(self, call: Call, name: str) -> str | None:
        """Return the id of the creature or character that a name means; None for somebody new.

        Raises NobodyOfThatName if the name looks like a typo and `--new` was not given.
        """
        book = call.required_campaign.book
        back = self._names_of_returnable_people_by_id(call.required_campaign)
        if name in book.creatures and name not in back:
            return name  # another of its kind
        if found := find_id_if_any(name, back):
            return found
        table = {
            key: str(item["name"]) for kind in (book.creatures, book.characters) for key, item in kind.items()
        }
        found = None if call.typed.get("new") else find_id_if_any(name, table)
        if (
            found is None
            and not call.typed.get("new")
            and not is_new_name_unlike_any_known(call.required_campaign, name)
        ):
            raise NobodyOfThatName(call.required_campaign, name)
        return found

    def _names_of_settable_meters_by_id(self, campaign: "Campaign") -> Mapping[str, str]:
        scene = scene_if_any(campaign, self.system)
        people = scene.people.values() if scene else ()
        shown = {meter.id: meter.name for one in people for meter in one.meters}
        return {**gm_override_rules_of(self.system).counted, **shown}

    def _parse_meter(self, call: Call, word: str) -> str:
        known = self._names_of_settable_meters_by_id(call.required_campaign)
        return find_id_by_name(word, known, "number", "") if known else word

    def _zone_names_by_id(self, campaign: "Campaign") -> Mapping[str, str]:
        scene = scene_if_any(campaign, self.system)
        return {zone.id: zone.name for zone in scene.board.zones} if scene and scene.board else {}

    def _parse_zone(self, call: Call, word: str) -> str:
        known = self._zone_names_by_id(call.required_campaign)
        return find_id_by_name(word, known, "zone", "") if known else word

    def resumed_scene_blocks_if_recorded(
        self, campaign: "Campaign | None", performed: "PerformedCommand"
    ) -> "Iterable[Block]":
        """Return the blocks that show the resumed scene; none if nothing was recorded."""
        from .scene_view import map_or_other_scene_blocks

        scene = scene_if_any(campaign, self.system) if campaign and performed.seq else None
        return map_or_other_scene_blocks(scene) if scene else ()

    def _parked_scene_names_by_id(self, campaign: "Campaign") -> Mapping[str, str]:
        from ..registry.scenes_and_decisions_in_state import parked_scene_names

        return parked_scene_names(campaign.state, self.system)

    def _parse_parked_scene(self, call: Call, word: str) -> str:
        known = self._parked_scene_names_by_id(call.required_campaign)
        if not word and len(known) > 1:
            raise Usage(f"Several scenes are parked: {listed(known)}.", "Name one.")
        if not known:
            raise Refused("No scene is parked.", f"`strike {self.name} park` parks the one under way.")
        return find_id_by_name(word, known, "scene", " that is parked") if word else next(iter(known))


def _add_reveal(app: typer.Typer, parsers: _OverrideParsers) -> None:
    def reveal(
        who: Annotated[str, typer.Argument(metavar="WHO", help="A hidden creature."), parsers.person],
    ) -> None: ...

    reveal.__doc__ = _fill_help_placeholders(
        "Reveal a hidden creature.\n\nExample: `strike GAME reveal HIDDEN`", parsers
    )
    plays(app, "reveal", f"{parsers.name} reveal", kind="writes")(reveal)


def _fill_help_placeholders(text: str, parsers: _OverrideParsers) -> str:
    """Return a help text in which the system's name and examples replace the placeholders."""
    named = parsers.system.scene.in_help
    for key, word in named._asdict().items():
        text = text.replace(key.upper(), word or named.who)
    return text.replace("GAME", parsers.name)


def _add_hide(app: typer.Typer, parsers: _OverrideParsers) -> None:
    def hide(
        who: Annotated[
            str, typer.Argument(metavar="WHO", help="A creature; leave it out on its turn."), parsers.actor
        ],
        now: Annotated[bool, typer.Option("--now", help="Hide it at once, without a rule.")] = False,
    ) -> None: ...

    hide.__doc__ = _fill_help_placeholders(
        "Hide a creature from the players.\n\n"
        "--now hides it at once; without it the game's own rule decides, if it has one.\n\n"
        "Example: `strike GAME hide WHO --now`",
        parsers,
    )
    plays(app, "hide", f"{parsers.name} hide")(hide)


def _add_join(app: typer.Typer, parsers: _OverrideParsers) -> None:
    def join(
        call: Call,
        ref: Annotated[
            str,
            typer.Argument(metavar="WHO|CREATURE[:N]", help="A character, or a creature and its number."),
            parsers.newcomer,
        ],
        count: Annotated[
            int, typer.Argument(metavar="[N]", min=1, max=50, help="The number of creatures.")
        ] = 1,
        at: Annotated[
            list[str] | None,
            typer.Option(
                "--at",
                metavar=argument_completions.SQUARE,
                help="The square; more creatures stand beside the first.",
            ),
        ] = None,
        side: Annotated[
            str,
            typer.Option(
                "--side", metavar=argument_completions.SIDE, help="party or enemies. Default: their own."
            ),
        ] = "",
        **numbers: object,
    ) -> dict[str, object]:
        if side not in ("", "party", "enemies"):
            raise Usage(f"--side {side!r}: there is no such side.", "party or enemies.")
        name, several = split_count(ref)
        found: dict[str, object] = {"count": several if ":" in ref else count}
        if (known := parsers.find_newcomer(call, name)) is not None:
            refuse_numbers_for_known_name(numbers, name)
            return {**found, "ref": known}
        more = MadeUpContent(call.required_campaign, parsers.system)
        (new,) = more.make_creatures([name], numbers, call.text_of("like"))
        return {**found, "ref": new, "made_up": more.compiled_content()}

    own = inspect.signature(join).parameters.values()
    named = [each for each in own if each.kind is not inspect.Parameter.VAR_KEYWORD]
    join.__signature__ = inspect.Signature([*named, *made_up_creature_options(parsers.system)])  # type: ignore[attr-defined]

    join.__doc__ = _fill_help_placeholders(
        "Bring creatures or characters into the scene, or back into it.\n\n"
        "Without --at they stand beside their own side. An unknown name makes a new creature, with the\n"
        "numbers of `strike creature add NAME` unless options set others: `strike GAME join stoker:2`.\n\n"
        "Example: `strike GAME join CREATURE:2`",
        parsers,
    )
    plays(app, "join", f"{parsers.name} join")(join)


def _add_leave(app: typer.Typer, parsers: _OverrideParsers) -> None:
    def leave(
        who: Annotated[str, typer.Argument(metavar="WHO", help="A person in the scene."), parsers.person],
        why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The way they leave, in words.")] = "",
    ) -> None: ...

    leave.__doc__ = _fill_help_placeholders(
        "Take a person out of the scene: they run, surrender or are carried off.\n\n"
        "`join` brings them back as they were.\n\n"
        'Example: `strike GAME leave WHO --why "runs for the woods"`',
        parsers,
    )
    plays(app, "leave", f"{parsers.name} leave")(leave)


def _add_place(app: typer.Typer, parsers: _OverrideParsers) -> None:
    def place(
        who: Annotated[str, typer.Argument(metavar="WHO", help="A person in the scene."), parsers.person],
        to: Annotated[
            list[str],
            typer.Argument(
                metavar=argument_completions.SQUARE.with_text("SQUARE|TEXT"),
                help="A free square; without a map, words.",
            ),
        ],
    ) -> dict[str, object]:
        return {"to": " ".join(to)}

    place.__doc__ = _fill_help_placeholders(
        "Put a person on a square: dragged, lifted, teleported. It checks no rule.\n\n"
        "Example: `strike GAME place WHO SQUARE`",
        parsers,
    )
    plays(app, "place", f"{parsers.name} place", kind="writes")(place)


def _add_set(app: typer.Typer, parsers: _OverrideParsers) -> None:
    def set_(
        call: Call,
        who: Annotated[str, typer.Argument(metavar="WHO", help="A person in the scene."), parsers.person],
        meter: Annotated[str, typer.Argument(metavar="NUMBER", help="The value's name."), parsers.meter],
        value: Annotated[str, typer.Argument(metavar="VALUE", help="7 sets it; +2 and -4 change it.")],
    ) -> dict[str, object]:
        sign, rest = (value[0], value[1:]) if value[:1] in "+-=\N{MINUS SIGN}" and value else ("", value)
        try:
            number = gm_override_rules_of(parsers.system).read_number(call.text_of("meter"), rest)
        except ValueError:
            raise Usage(f"{value!r} is not a number.", "7 or =7 sets it; +2 and -4 change it.") from None
        if sign in ("", "="):
            return {"to": number}
        return {"by": number if sign == "+" else -number}

    set_.__doc__ = _fill_help_placeholders(
        "Set one of a creature's values: 7 writes it, with the state that follows.\n\n"
        "+2 heals and -4 harms by the game's own rules, if it has any for that value.\n\n"
        "Example: `strike GAME set WHO NUMBER 1`",
        parsers,
    )
    plays(
        app, "set", f"{parsers.name} set", context_settings={"ignore_unknown_options": True},
    )(set_)  # fmt: skip


class DoorGroup(StrikeGroup):
    """The command group `door`: `door H3` opens the door there, `door H3 --close` closes it."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # Typer passes its own
        """Parse the words of a `door` command.

        If the words begin with a square, such as `D4`, the word `open` is put in front. If `--close` is among
        them, it is replaced by `close` in front.
        """
        if args and args[0][-1:].isdigit() and args[0] not in self.commands:
            does = "close" if "--close" in args else "open"
            args = [does, *(word for word in args if word != "--close")]
        return super().parse_args(ctx, args)


def _parse_square_name(call: Call, text: str) -> str:
    from ..tabletop.squares_and_lines import format_square, parse_square

    try:
        return format_square(parse_square(text))
    except ValueError as error:
        raise Usage(str(error)) from None


def _parse_areas(call: Call, texts: list[str]) -> list[str]:
    """Return the squares that texts name, each square once.

    A text names a square, like `C3`, or a rectangle, like `C3:F6`. Raises Usage for any other text.
    """
    from ..tabletop.squares_and_lines import format_square, parse_area

    try:
        area = dict.fromkeys(square for text in texts for square in parse_area(text))
    except ValueError as error:
        raise Usage(str(error)) from None
    return [format_square(square) for square in area]


SQUARE = WordParser(_parse_square_name)
At = Annotated[
    str,
    typer.Argument(metavar=argument_completions.SQUARE, help="The door's square, or one beside it."),
    SQUARE,
]
Beyond = Annotated[
    str,
    typer.Argument(
        metavar=argument_completions.SQUARE.with_text("[SQUARE]"), help="The square on the other side."
    ),
    SQUARE,
]
Squares = Annotated[
    list[str],
    typer.Argument(
        metavar=argument_completions.SQUARE.with_text("SQUARE..."),
        help="Squares like C3, or rectangles like C3:F6.",
    ),
    WordParser(_parse_areas),
]


def _add_door(app: typer.Typer, parsers: _OverrideParsers) -> None:
    group = _add_command_group(
        app, parsers, "door", "Doors: open, close. Example: `strike GAME door open DOOR`"
    )

    def open_(at: At, beyond: Beyond = "") -> dict[str, object]:
        return {"open": True}

    def close(at: At, beyond: Beyond = "") -> dict[str, object]:
        return {"open": False}

    open_.__doc__ = _fill_help_placeholders(
        "Open a door. A door between two squares may need both of them.\n\n"
        "Example: `strike GAME door open DOOR`",
        parsers,
    )
    close.__doc__ = _fill_help_placeholders(
        "Close a door; nobody can stand in it.\n\nExample: `strike GAME door close DOOR`", parsers
    )
    plays(group, "open", f"{parsers.name} door", kind="writes")(open_)
    plays(group, "close", f"{parsers.name} door", kind="writes")(close)


def _add_command_group(app: typer.Typer, parsers: _OverrideParsers, name: str, help: str) -> typer.Typer:
    group = new_app(help=_fill_help_placeholders(help, parsers))
    app.add_typer(group, name=name, cls=DoorGroup if name == "door" else StrikeGroup)
    return group


FORMERLY_SECRET = typer.Option("--gm", hidden=True)
"""The former name of `--secret` for zones: elsewhere `--gm` shows secrets, and hides nothing."""


def _add_zone(app: typer.Typer, parsers: _OverrideParsers) -> None:
    group = _add_command_group(
        app, parsers, "zone", "Zones: add, remove. Example: `strike GAME zone add Fire C3:D4`"
    )

    def add(
        call: Call,
        called: Annotated[str, typer.Argument(metavar="NEW", help="Its name at the table.")],
        squares: Squares,
        damage: Annotated[int, typer.Option("--damage", metavar="N", min=0, help="Its effect.")] = 0,
        difficult: Annotated[bool, typer.Option("--difficult", help="Difficult terrain.")] = False,
        obscured: Annotated[bool, typer.Option("--obscured", help="Things inside are concealed.")] = False,
        dark: Annotated[bool, typer.Option("--dark", help="Creatures inside can't be seen.")] = False,
        light: Annotated[bool, typer.Option("--light", help="It hides nobody inside.")] = False,
        blocks: Annotated[bool, typer.Option("--blocks", help="A wall.")] = False,
        cover: Annotated[
            bool, typer.Option("--cover", help="Creatures inside or behind it have cover.")
        ] = False,
        gm: Annotated[bool, FORMERLY_SECRET] = False,
    ) -> dict[str, object]:
        sight = "dark" if dark else "obscured" if obscured else "light" if light else None
        return {"sight": sight, "secret": gm or call.options.secret}

    def remove(
        zone: Annotated[str, typer.Argument(metavar="ZONE", help="Its name."), parsers.zone],
    ) -> None: ...

    add.__doc__ = _fill_help_placeholders(
        "Mark squares of the map: a fire, smoke, rubble.\n\n"
        "Effects without a rule are refused; the table judges a zone with a name alone. With --secret "
        "players don't see the zone or the command.\n\n"
        "Example: `strike GAME zone add Fire C3:D4`",
        parsers,
    )
    remove.__doc__ = _fill_help_placeholders(
        "Take a zone from the map.\n\nExample: `strike GAME zone remove Fire`", parsers
    )
    plays(group, "add", f"{parsers.name} zone add", kind="writes")(add)
    plays(group, "remove", f"{parsers.name} zone remove", kind="writes")(remove)


def _add_fog(app: typer.Typer, parsers: _OverrideParsers) -> None:
    group = _add_command_group(
        app, parsers, "fog", "Fog of war: on, off, lift, cover. Example: `strike GAME fog lift C3:D4`"
    )

    def on() -> dict[str, object]:
        return {"do": "on"}

    def off() -> dict[str, object]:
        return {"do": "off"}

    def lift(squares: Squares) -> dict[str, object]:
        return {"do": "lift"}

    def cover(squares: Squares) -> dict[str, object]:
        return {"do": "cover"}

    for name, does, text, example in (
        ("on", on, "Show players only what the party sees of this map from now on.", "on"),
        ("off", off, "Show players the whole map.", "off"),
        ("lift", lift, "Show players squares that the party has not seen.", "lift C3:D4"),
        ("cover", cover, "Put squares back into the fog until the party sees them again.", "cover C3:D4"),
    ):
        does.__doc__ = _fill_help_placeholders(f"{text}\n\nExample: `strike GAME fog {example}`", parsers)
        plays(group, name, f"{parsers.name} fog", kind="writes")(does)


def _add_park(app: typer.Typer, parsers: _OverrideParsers) -> None:
    def park() -> None: ...

    park.__doc__ = _fill_help_placeholders(
        "Park the scene, and play something else meanwhile.\n\nExample: `strike GAME park`", parsers
    )
    plays(app, "park", f"{parsers.name} park", kind="writes")(park)


def _add_return(app: typer.Typer, parsers: _OverrideParsers) -> None:
    def return_(
        call: Call,
        scene: Annotated[
            str,
            typer.Argument(metavar="[SCENE]", help="Its encounter; not needed if only one is parked."),
            parsers.parked_scene,
        ] = "",
    ) -> dict[str, object]:
        return {"scene": scene or parsers.parked_scene.read(call, "")}

    return_.__doc__ = _fill_help_placeholders(
        "Go on with a parked scene. The scene under way is parked instead.\n\nExample: `strike GAME return`",
        parsers,
    )
    plays(
        app, "return", f"{parsers.name} return", kind="writes", show=parsers.resumed_scene_blocks_if_recorded
    )(return_)
