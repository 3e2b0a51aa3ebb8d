"""The data of the screen: scenes, legal options, open decisions, the latest events.

It uses the standard library alone; no Textual, no Rich, no system. Begin with `view_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ...play.forecast import Preview
from ...play.legal_options import Option, legal_options, why_not
from ...registry import scene_systems
from ...tabletop.grid import Square, footprint, format_square, parse_square
from ...tabletop.scene import Asked, Scene
from ...visibility.audience import GM, Audience
from ...visibility.audience_view import AudienceView, view_for
from ..journal_lines import numbered_entries
from ..odds_view import percent
from ..result import Block, Line

if TYPE_CHECKING:
    from ...campaign import Campaign
    from ...campaign.session_snapshot import SecretItems
    from ...content.book import Book
    from ...kernel.procedure import World


class LogLines(NamedTuple):
    """Lines for the log, with the number of their entry."""

    seq: int
    lines: Sequence[Line]


class Waiting(NamedTuple):
    """An open decision, its key for `strike choose --for`, and its earlier dice, in words."""

    key: str
    asked: Asked
    dice: tuple[str, ...] = ()


class Proposed(NamedTuple):
    """A player's proposal from their phone: its number, the character, and the command in words."""

    id: int
    who: str
    text: str


class DicePrompt(NamedTuple):
    """A roll whose dice are on the table.

    It has its person and purpose, the possible faces, whether there are `several`, and the invalid part of
    the last typed line.
    """

    title: str
    faces: str
    several: bool
    wrong: str = ""


class CampaignView(NamedTuple):
    """The view of a campaign on a screen. `world` is the world in which moves are tried."""

    name: str
    seq: int
    scenes: tuple[Scene, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    log: tuple[LogLines, ...] = ()
    also: Mapping[str, Sequence[Block]] = {}
    """Further things that systems show of their scenes, by the key of the scene."""
    world: World | None = None
    undoes: str = ""
    """The entry number and the text of the command that undo would take back."""
    elsewhere: tuple[str, ...] = ()
    """Changes at tabletops that wait to be accepted: `foundry: Vex from C3 to D5`."""
    proposals: tuple[Proposed, ...] = ()
    """Players' proposals, the oldest first."""

    def same_as(self, other: CampaignView) -> bool:
        """Return whether another view has the same state and the same book.

        If so, findings about one are valid for the other.
        """
        if self.world is None or other.world is None:
            return self.world is other.world
        books = self.world.book.digest, other.world.book.digest
        return self.seq == other.seq and books[0] == books[1] and self.world.state == other.world.state


class PossibleMove(NamedTuple):
    """A legal move: its actor, target, square and command line."""

    option: Option
    typed: str
    who: str = ""
    targets: tuple[str, ...] = ()
    square: Square | None = None

    @property
    def goes(self) -> bool:
        """Whether the move goes to an empty square.

        Such moves are easier to pick on a map than in a list.
        """
        return self.square is not None and not self.targets


TABLE = "table"
"""The bridge's target for the players' table, which includes their phones."""


def audience_at_table(book: Book) -> Audience:
    """Return the audience of players, as the campaign's target for the table defines it."""
    from strike_bridge.settings import settings_of

    return settings_of(TABLE, book.targets.get(TABLE, {}))._replace(language=book.locale()).players


def players_view(campaign: Campaign, secret: SecretItems | None = None) -> AudienceView:
    """Return a campaign as the players at its table may know it.

    `secret` has the items that characters have in secret; sheets leave these out.
    """
    items = secret.of(campaign) if secret else frozenset[tuple[str, str]]()
    return view_for(campaign.state, audience_at_table(campaign.book), items)


def view_of(
    campaign: Campaign,
    last: int = 0,
    audience: Audience = GM,
    undoes: str = "",
    elsewhere: Sequence[str] = (),
) -> CampaignView:
    """Return the view of a campaign for an audience, with the `last` entries of its journal."""
    from ...kernel.procedure import World

    view = view_for(campaign.state, audience._replace(language=campaign.book.locale()))
    world = World(campaign.book, view.state)
    waiting = [
        Waiting(each.key, each.asked, each.dice if audience.gm else ()) for each in view.decisions.values()
    ]
    also = {scene.key: _system_blocks(scene, world) for scene in view.scenes} if audience.gm else {}
    return CampaignView(
        campaign.book.name,
        campaign.head.seq if audience.gm else 0,
        view.scenes,
        tuple(waiting),
        tuple(LogLines(*entry) for entry in numbered_entries(campaign, last, audience)),
        also,
        world,
        undoes,
        tuple(elsewhere),
    )


def _system_blocks(scene: Scene, world: World) -> Sequence[Block]:
    from ..views import views_of

    try:
        shown = views_of(scene_systems()[scene.key]).scene(world)
    except Exception:  # a system that fails must not stop the rest from being shown
        return ()
    return shown.blocks if shown is not None else ()


def choices_of(view: CampaignView, scene: Scene) -> Iterator[PossibleMove]:
    """Yield the possible moves in a scene now; none while it waits for a decision."""
    if view.world is None or any(each.key == scene.key for each in view.waiting):
        return
    for option in legal_options(scene_systems()[scene.key], view.world):
        yield choice_of(scene, option)


def choice_of(scene: Scene, option: Option) -> PossibleMove:
    """Return an option as a move, with its arguments that are people in the scene, or a square of its map."""
    given: Mapping[str, object] = option.args.in_full()
    person = "" if option.at else str(given.get("who", ""))
    values = [list(option.at), *(value for key, value in given.items() if key != "who")]
    named = [each for value in values for each in (value if isinstance(value, list) else [value])]
    targets = dict.fromkeys(each for each in named if isinstance(each, str) and each in scene.people)
    square = next(filter(None, map(_square, named)), None) if scene.board else None
    return PossibleMove(option, str(option), person, tuple(targets), square)


FEW = 4
"""The number of listed squares up to which a system's list is only its bot's choices."""


def choices_at_square(
    view: CampaignView, choices: Sequence[PossibleMove], square: Square
) -> tuple[list[PossibleMove], str]:
    """Return the choices that may go to another square, checked by the moves; or why none may."""
    found: list[PossibleMove] = []
    reason = ""
    for choice in _distinct_moves(choices):
        other = _retarget(choice, square)
        if view.world is None or other is None:
            continue
        refused = why_not(view.world, other.option.command, other.option.args)
        if refused is None:
            found.append(other)
        reason = reason or (refused.message if refused else "")
    return found, "" if found else reason


def more_reach(view: CampaignView, scene: Scene, choices: Sequence[PossibleMove]) -> Iterator[Square]:
    """Yield further squares to go to, for a system that lists only a few. It takes a while."""
    if scene.board is None or not 0 < len({each.square for each in choices if each.goes}) <= FEW:
        return
    grid = scene.board.grid
    for square in ((x, y) for y in range(grid.height) for x in range(grid.width)):
        if not grid.blocked(square) and choices_at_square(view, choices, square)[0]:
            yield square


def _distinct_moves(choices: Sequence[PossibleMove]) -> list[PossibleMove]:
    """Return one choice for each kind of movement: those that differ in the square alone count once."""
    ways: dict[object, PossibleMove] = {}
    for each in choices:
        if each.square is not None and each.goes:
            words = tuple(word for word in each.option.typed if word != square_name(each.square))
            ways.setdefault((each.option.command, words), each)
    return list(ways.values())


def _retarget(choice: PossibleMove, square: Square) -> PossibleMove | None:
    """Return the same choice for another square; None where it has no square as argument."""
    assert choice.square is not None
    before, after = square_name(choice.square), square_name(square)
    args = choice.option.args
    name = next((each for each in args.FIELDS if getattr(args, each) == before), None)
    if name is None:
        return None
    typed = tuple(after if word == before else word for word in choice.option.typed)
    option = choice.option._replace(args=args.but(**{name: after}), typed=typed)
    return choice._replace(option=option, typed=str(option), square=square)


def _square(word: object) -> Square | None:
    try:
        return parse_square(word) if isinstance(word, str) else None
    except ValueError:
        return None


def person_at(scene: Scene, square: Square | None) -> str:
    """Return the person on a square, one who is up before one who is down; "" for nobody."""
    found = ""
    for person, one in scene.people.items():
        at = _square(one.at)
        if square is not None and at is not None and one.out != "left" and square in footprint(at, one.size):
            found = person if one.state == "up" or not found else found
    return found


def square_of(scene: Scene, person: str) -> Square | None:
    """Return the square of a person; None where they have none."""
    one = scene.people.get(person)
    return _square(one.at) if one and one.out != "left" and scene.board else None


def distance_between(scene: Scene, one: str, other: str) -> int:
    """Return the distance between two people in their game's measure; 0 where it is unknown."""
    out = any(scene.people[person].out == "left" for person in (one, other))
    return 0 if out else scene.apart(one, other) or 0


def acting_person(scene: Scene) -> str:
    """Return the acting person, if there is a single one."""
    person = (scene.order.active if scene.order else None) or ""
    return person if person in scene.people else ""


def preview_words(preview: Preview) -> str:
    """Return the preview of a choice in words: `66.7% hit, 2.3 damage`.

    That of an estimate is `about 66.7% hit`.
    """
    sure = "about " if preview.plays else ""
    words = [f"{sure}{percent(chance)} {name}" for name, chance in preview.chances.items()]
    words += [f"{sure}{_number(value)} {name}" for name, value in preview.averages.items()]
    return ", ".join(words)


def _number(value: Fraction) -> str:
    return f"{float(value):.1f}"


def warning_words(scene: Scene, preview: Preview) -> str:
    """Return the people who would get a strike because of a choice, in words."""
    names = [scene.people[person].name if person in scene.people else person for person in preview.provokes]
    return f"gives an Opportunity to {' and '.join(names)}" if names else ""


def influence_words(preview: Preview) -> str:
    """Return the influences on a choice's rolls, in words."""
    kinds = ((kind if isinstance(kind, str) else f"{kind:+d}", reason) for kind, reason in preview.bears)
    return "; ".join(f"{kind}: {reason}" for kind, reason in kinds)


def path_squares(preview: Preview) -> list[Square]:
    """Return the path of a choice, in squares of the map."""
    return [square for square in map(_square, preview.way) if square is not None]


def path_length_words(scene: Scene | None, preview: Preview) -> str:
    """Return the length of a choice's path, in words; "" where it has none or it is unknown."""
    way = path_squares(preview)
    if scene is None or scene.measure is None or len(way) < 2:
        return ""
    far = scene.measure.along(way)
    return scene.measure.words(far) if far is not None else ""


def square_name(square: Square) -> str:
    """Return a square in its typed form."""
    return format_square(square)
