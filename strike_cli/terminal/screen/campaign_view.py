"""The data that a screen shows: scenes, legal moves, open decisions, the latest events.

It needs neither Textual nor Rich, and knows no system. Begin with `make_campaign_view`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ...deprecated_api_names import add_old_names
from ...play.forecast import Preview
from ...play.legal_options import Option, legal_options_listed_by_bot, refusal_of_move
from ...registry import systems_by_scene_key
from ...tabletop.grid import Square, footprint, format_square, parse_square
from ...tabletop.scene import Asked, Scene
from ...visibility.audience_view import AudienceView, make_audience_view
from ...visibility.audiences import GM, Audience
from ..command_output import Block, Line
from ..journal_lines import entry_lines_with_number_or_zero
from ..odds_view import percent

if TYPE_CHECKING:
    from ...campaign import Campaign
    from ...campaign.session_snapshot import SecretItemFinder
    from ...content.merged_content import Book
    from ...kernel.procedure import World


class LogLines(NamedTuple):
    """Lines of the log that belong to a journal entry, with the number of that entry."""

    seq: int
    lines: Sequence[Line]


class ShownDecision(NamedTuple):
    """An open decision: its key for `strike choose --for`, its question, and the dice rolled before it.

    `dice` has these dice in words.
    """

    key: str
    asked: Asked
    dice: tuple[str, ...] = ()


class Proposal(NamedTuple):
    """A proposal that a player made on a phone.

    It has a number, the player's character, and the proposed command in words.
    """

    id: int
    who: str
    text: str


class DicePrompt(NamedTuple):
    """The question for the faces of physical dice.

    `title` names the roller and the purpose, and `faces` says which faces are allowed. `several` says whether
    there is more than one die. `wrong` is the last line that was typed, if it was invalid.
    """

    title: str
    faces: str
    several: bool
    wrong: str = ""


class CampaignView(NamedTuple):
    """A campaign as an audience sees it on a screen.

    `world` is what the audience knows of the campaign's state. The screen uses it to find and preview
    possible moves.
    """

    name: str
    seq: int
    scenes: tuple[Scene, ...] = ()
    decisions: tuple[ShownDecision, ...] = ()
    log: tuple[LogLines, ...] = ()
    system_blocks: Mapping[str, Sequence[Block]] = {}
    """Further things that systems show of their scenes, by the key of the scene."""
    world: World | None = None
    undo_text: str = ""
    """The entry number and the text of the command that undo would take back."""
    vtt_edits: tuple[str, ...] = ()
    """Changes at tabletops that wait to be accepted: `foundry: Vex from C3 to D5`."""
    proposals: tuple[Proposal, ...] = ()
    """Players' proposals, the oldest first."""

    def has_same_state(self, other: CampaignView) -> bool:
        """Return whether this view and another have the same state and the same content.

        If so, moves that were found in the other view are valid in this one.
        """
        if self.world is None or other.world is None:
            return self.world is other.world
        books = self.world.book.digest, other.world.book.digest
        return self.seq == other.seq and books[0] == books[1] and self.world.state == other.world.state


add_old_names(
    CampaignView, waiting="decisions", also="system_blocks", elsewhere="vtt_edits", undoes="undo_text"
)


class PossibleMove(NamedTuple):
    """A legal move. `typed` is its command line, and `who` is the id of its actor."""

    option: Option
    typed: str
    who: str = ""
    targets: tuple[str, ...] = ()
    square: Square | None = None

    @property
    def has_square_but_no_target(self) -> bool:
        """Whether the move goes to a square and has no target.

        Such a move is picked on the map, not in a list.
        """
        return self.square is not None and not self.targets


TABLE = "table"
"""The bridge's target for the players' table, which includes their phones."""


def audience_at_table(book: Book) -> Audience:
    """Return the audience of the players at the table.

    The campaign's settings for the table say what these may see.
    """
    from strike_bridge.settings import settings_from_unchecked_table

    return (
        settings_from_unchecked_table(TABLE, book.targets.get(TABLE, {}))
        ._replace(language=book.locale())
        .players
    )


def audience_view_for_players(
    campaign: Campaign, secret_item_finder: SecretItemFinder | None = None
) -> AudienceView:
    """Return a campaign as the players at its table may know it.

    `secret_item_finder` finds the items that characters got in secret; these items are left out.
    """
    items = (
        secret_item_finder.find_secret_items(campaign) if secret_item_finder else frozenset[tuple[str, str]]()
    )
    return make_audience_view(campaign.state, audience_at_table(campaign.book), items)


def make_campaign_view(
    campaign: Campaign,
    newest_count: int = 0,
    audience: Audience = GM,
    undo_text: str = "",
    vtt_edits: Sequence[str] = (),
) -> CampaignView:
    """Return the view of a campaign for an audience, with the `newest_count` newest entries of its journal.

    `undo_text` says which command `undo` would take back. `vtt_edits` has the edits at virtual tabletops
    that wait to be accepted, each in words. Both are only stored in the view.
    """
    from ...kernel.procedure import World

    view = make_audience_view(campaign.state, audience._replace(language=campaign.book.locale()))
    world = World(campaign.book, view.known_state)
    waiting = [
        ShownDecision(each.key, each.asked, each.rolled_dice_texts_for_gm if audience.gm else ())
        for each in view.decisions.values()
    ]
    also = {scene.key: _system_blocks(scene, world) for scene in view.scenes} if audience.gm else {}
    return CampaignView(
        campaign.book.name,
        campaign.head.seq if audience.gm else 0,
        view.scenes,
        tuple(waiting),
        tuple(
            LogLines(*entry) for entry in entry_lines_with_number_or_zero(campaign, newest_count, audience)
        ),
        also,
        world,
        undo_text,
        tuple(vtt_edits),
    )


def _system_blocks(scene: Scene, world: World) -> Sequence[Block]:
    from ..system_views import views_of

    try:
        shown = views_of(systems_by_scene_key()[scene.key]).scene(world)
    except Exception:  # a system that fails must not stop the rest from being shown
        return ()
    return shown.blocks if shown is not None else ()


def legal_moves_in_scene(view: CampaignView, scene: Scene) -> Iterator[PossibleMove]:
    """Yield the moves that are legal in a scene now.

    While a decision is open in the scene, there are none.
    """
    if view.world is None or any(each.key == scene.key for each in view.decisions):
        return
    for option in legal_options_listed_by_bot(systems_by_scene_key()[scene.key], view.world):
        yield move_from_option(scene, option)


def move_from_option(scene: Scene, option: Option) -> PossibleMove:
    """Return an option as a move, with its actor, targets and square.

    The targets are those arguments of the option that are people in the scene. The square is the argument
    that is a square of the scene's map.
    """
    given: Mapping[str, object] = option.args.in_full()
    person = "" if option.at else str(given.get("who", ""))
    values = [list(option.at), *(value for key, value in given.items() if key != "who")]
    named = [each for value in values for each in (value if isinstance(value, list) else [value])]
    targets = dict.fromkeys(each for each in named if isinstance(each, str) and each in scene.people)
    square = next(filter(None, map(_square_or_none, named)), None) if scene.board else None
    return PossibleMove(option, str(option), person, tuple(targets), square)


MOST_BOT_SQUARES = 4
"""The number of listed squares up to which a system's list is only its bot's choices."""


def legal_moves_to_square_or_reason(
    view: CampaignView, moves: Sequence[PossibleMove], square: Square
) -> tuple[list[PossibleMove], str]:
    """Return the moves that can legally go to `square`, and the reason if there are none.

    Each move in `moves` that goes to a square is redirected to `square` and tried. If none of them is legal,
    the reason is the message of the first refusal. If there was nothing to try, or if a move is legal, it is
    "".
    """
    found: list[PossibleMove] = []
    reason = ""
    for choice in _distinct_moves_to_squares(moves):
        other = _move_to_other_square(choice, square)
        if view.world is None or other is None:
            continue
        refused = refusal_of_move(view.world, other.option.command, other.option.args)
        if refused is None:
            found.append(other)
        reason = reason or (refused.message if refused else "")
    return found, "" if found else reason


def squares_in_reach_if_few_listed(
    view: CampaignView, scene: Scene, moves: Sequence[PossibleMove]
) -> Iterator[Square]:
    """Yield each square of the map to which one of the moves could legally go.

    Each square is tried, which takes a while. So the squares are tried only if the listed `moves` themselves
    go to at least one square and to at most MOST_BOT_SQUARES squares. Otherwise nothing is yielded. Moves
    with a target don't count.
    """
    if (
        scene.board is None
        or not 0 < len({each.square for each in moves if each.has_square_but_no_target}) <= MOST_BOT_SQUARES
    ):
        return
    grid = scene.board.grid
    for square in ((x, y) for y in range(grid.height) for x in range(grid.width)):
        if not grid.is_blocked(square) and legal_moves_to_square_or_reason(view, moves, square)[0]:
            yield square


def _distinct_moves_to_squares(moves: Sequence[PossibleMove]) -> list[PossibleMove]:
    """Return the moves to squares.

    Of moves that differ only in the square, only the first is returned. Moves with a target, and moves
    without a square, are left out.
    """
    ways: dict[object, PossibleMove] = {}
    for each in moves:
        if each.square is not None and each.has_square_but_no_target:
            words = tuple(word for word in each.option.typed if word != square_name(each.square))
            ways.setdefault((each.option.command, words), each)
    return list(ways.values())


def _move_to_other_square(move: PossibleMove, square: Square) -> PossibleMove | None:
    """Return the same move, but to another square; None if the move doesn't take a square."""
    assert move.square is not None
    before, after = square_name(move.square), square_name(square)
    args = move.option.args
    name = next((each for each in args.FIELDS if getattr(args, each) == before), None)
    if name is None:
        return None
    typed = tuple(after if word == before else word for word in move.option.typed)
    option = move.option._replace(args=args.but(**{name: after}), typed=typed)
    return move._replace(option=option, typed=str(option), square=square)


def _square_or_none(text: object) -> Square | None:
    try:
        return parse_square(text) if isinstance(text, str) else None
    except ValueError:
        return None


def person_id_at(scene: Scene, square: Square | None) -> str:
    """Return the id of the person on a square; "" if nobody is there.

    If several people are there, somebody who is up comes before somebody who is down.
    """
    found = ""
    for person, one in scene.people.items():
        at = _square_or_none(one.at)
        if square is not None and at is not None and one.out != "left" and square in footprint(at, one.size):
            found = person if one.state == "up" or not found else found
    return found


def square_of_person(scene: Scene, person: str) -> Square | None:
    """Return the square of a person; None if they have none, or have left."""
    one = scene.people.get(person)
    return _square_or_none(one.at) if one and one.out != "left" and scene.board else None


def distance_or_zero_between(scene: Scene, one: str, other_person: str) -> int:
    """Return the distance between two people, in the measure of their game.

    If it is unknown, or one of them has left the scene, return 0.
    """
    out = any(scene.people[person].out == "left" for person in (one, other_person))
    return 0 if out else scene.distance_between(one, other_person) or 0


def acting_person_id(scene: Scene) -> str:
    """Return the id of the person whose turn it is; "" while a side has the turn, or nobody."""
    person = (scene.order.active if scene.order else None) or ""
    return person if person in scene.people else ""


def chance_words_of_preview(preview: Preview) -> str:
    """Return the chances and averages of a preview: `66.7% hit, 2.3 damage`.

    Estimates have "about" in front.
    """
    sure = "about " if preview.plays else ""
    words = [f"{sure}{percent(chance)} {name}" for name, chance in preview.chances.items()]
    words += [f"{sure}{_with_one_decimal(value)} {name}" for name, value in preview.averages.items()]
    return ", ".join(words)


def _with_one_decimal(value: Fraction) -> str:
    return f"{float(value):.1f}"


def opportunity_warning(scene: Scene, preview: Preview) -> str:
    """Return a warning that names the people who may strike at the actor because of a move.

    It is "" if there are no such people.
    """
    names = [scene.people[person].name if person in scene.people else person for person in preview.provokes]
    return f"gives an Opportunity to {' and '.join(names)}" if names else ""


def modifier_words_of_preview(preview: Preview) -> str:
    """Return the modifiers of a move's rolls, with their reasons."""
    kinds = ((kind if isinstance(kind, str) else f"{kind:+d}", reason) for kind, reason in preview.bears)
    return "; ".join(f"{kind}: {reason}" for kind, reason in kinds)


def path_squares(preview: Preview) -> list[Square]:
    """Return the path of a move as squares of the map."""
    return [square for square in map(_square_or_none, preview.way) if square is not None]


def path_length_words(scene: Scene | None, preview: Preview) -> str:
    """Return the length of a move's path in words, such as "6 squares".

    If the move has no path, or if the length is unknown, return "".
    """
    way = path_squares(preview)
    if scene is None or scene.measure is None or len(way) < 2:
        return ""
    far = scene.measure.walk_length(way)
    return scene.measure.words(far) if far is not None else ""


def square_name(square: Square) -> str:
    """Return a square as it is typed, such as "C7"."""
    return format_square(square)
